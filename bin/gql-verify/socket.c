#include "socket.h"

#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "jvx.h"
#include "prog.h"
#include "sent.h"

enum { EXCHANGES = 1000 };

/* The newest of that id: ids may be used again once done. */
static struct exchange *
find(struct conversation *c, const char *id)
{
	for (size_t i = c->count; id != NULL && i-- > 0;)
		if (strcmp(c->exchange[i].id, id) == 0 ||
		    (c->exchange[i].topic != NULL && strcmp(c->exchange[i].topic, id) == 0))
			return &c->exchange[i];
	return NULL;
}

/* A string decoded, anything else as it is written; NULL when absent. */
static char *
id_of(struct span value)
{
	char *text = scan_copy(value);

	return text != NULL || value.at == NULL ? text : prog_copy(value.at, value.len);
}

static void
ask(struct conversation *c, struct span id, struct span object)
{
	char *key = id_of(id);
	jv sent = sent_operation(object, false);

	if (key == NULL || !jv_is_valid(sent) || c->count == EXCHANGES) {
		free(key);
		jv_free(sent);
		return;
	}
	c->graphql = true;
	c->exchange = prog_resize(c->exchange, c->count + 1, sizeof *c->exchange);
	c->exchange[c->count++] = (struct exchange){.id = key, .sent = sent, .reply = reply_new()};
}

/* JSON inside a JSON string: parse it and hand it to then. */
static void
ask_inside(struct conversation *c, struct span id, struct span string)
{
	struct buf b = {0};

	if (scan_text(string, &b) && scan_check(b.data, b.len, NULL))
		ask(c, id, scan_trim(b.data, b.len));
	buf_free(&b);
}

static void
result(struct conversation *c, struct span id, struct span value)
{
	char *key = id_of(id);
	struct exchange *x = find(c, key);

	if (x != NULL && reply_add(&x->reply, value, 0))
		x->answered = true;
	free(key);
}

/* transport-ws sends an array, its forerunner one object. */
static void
failed(struct conversation *c, struct span id, struct span payload)
{
	struct scan_each it = {0};
	char *key = id_of(id);
	struct exchange *x = find(c, key);

	free(key);
	if (x == NULL)
		return;
	x->answered = x->done = true;
	if (scan_kind(payload) != '[') {
		if (!reply_add(&x->reply, payload, 0))
			reply_error(&x->reply, payload, 0);
		return;
	}
	while (scan_each(&it, payload))
		reply_error(&x->reply, it.value, 0);
}

static void
protocol_message(struct conversation *c, bool out, struct span m)
{
	struct span type = scan_member(m, "type"), id = scan_member(m, "id");
	struct span payload = scan_member(m, "payload");

	if (out && (scan_is(type, "subscribe") || scan_is(type, "start"))) {
		if (scan_kind(scan_member(payload, "data")) == '"')
			ask_inside(c, id, scan_member(payload, "data"));
		else
			ask(c, id, payload);
	} else if (out && scan_is(type, "connection_init")) {
		c->graphql = true;
	} else if (out && (scan_is(type, "complete") || scan_is(type, "stop"))) {
		char *key = id_of(id);
		struct exchange *x = find(c, key);
		if (x != NULL)
			x->done = true;
		free(key);
	} else if (out) {
		return;
	} else if (scan_is(type, "next") || scan_is(type, "data")) {
		result(c, id, payload);
	} else if (scan_is(type, "error")) {
		failed(c, id, payload);
	} else if (scan_is(type, "connection_ack")) {
		c->acknowledged = true;
	} else if (scan_is(type, "connection_error")) {
		reply_error(&c->refused, payload, 0);
	} else if (scan_is(type, "complete")) {
		char *key = id_of(id);
		struct exchange *x = find(c, key);
		if (x != NULL)
			x->done = true;
		free(key);
	}
}

/* Phoenix: [join_ref, ref, topic, event, payload]. */
static void
phoenix_message(struct conversation *c, bool out, struct span m)
{
	struct span part[5] = {{0}};
	struct scan_each it = {0};

	for (int i = 0; i < 5 && scan_each(&it, m); i++)
		part[i] = it.value;
	if (out && scan_is(part[3], "doc")) {
		ask(c, part[1], part[4]);
		return;
	}
	if (scan_is(part[3], "subscription:data")) {
		result(c, scan_member(part[4], "subscriptionId"), scan_member(part[4], "result"));
		return;
	}
	if (!scan_is(part[3], "phx_reply"))
		return;
	struct span response = scan_member(part[4], "response");
	char *key = id_of(part[1]);
	struct exchange *x = find(c, key);
	free(key);
	c->acknowledged = true;
	if (x == NULL)
		return;
	if (x->topic == NULL)
		x->topic = scan_copy(scan_member(response, "subscriptionId"));
	if (reply_add(&x->reply, response, 0))
		x->answered = true;
}

static void
message(struct conversation *c, bool out, struct span m)
{
	struct span identifier = scan_member(m, "identifier");

	if (scan_kind(m) == '[')
		phoenix_message(c, out, m);
	else if (identifier.at == NULL)
		protocol_message(c, out, m);
	else if (out)
		ask_inside(c, identifier, scan_member(m, "data"));
	else
		result(c, identifier, scan_path(m, "message", "result", NULL));
}

static void
frame(struct conversation *c, struct span f)
{
	struct buf text = {0}, raw = {0};
	bool out = scan_is(scan_member(f, "type"), "send");
	double opcode = scan_number(scan_member(f, "opcode"), 1);

	if (scan_text(scan_member(f, "data"), &text)) {
		struct buf *use = &text;
		if (opcode != 1) {
			base64_decode(&raw, text.data, text.len);
			use = &raw;
		}
		if (use->len > 0 && scan_check(use->data, use->len, NULL))
			message(c, out, scan_trim(use->data, use->len));
	}
	buf_free(&text);
	buf_free(&raw);
}

struct conversation
socket_read(const char *text, size_t len)
{
	struct conversation c = {.refused = reply_new()};
	const char *end = text + len;

	for (const char *p = text; p < end;) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		struct span line = scan_trim(p, (size_t)((eol != NULL ? eol : end) - p));
		if (line.len > 0 && scan_check(line.at, line.len, NULL) && scan_kind(line) == '{')
			frame(&c, line);
		if (eol == NULL)
			break;
		p = eol + 1;
	}
	return c;
}

void
socket_free(struct conversation *c)
{
	for (size_t i = 0; i < c->count; i++) {
		free(c->exchange[i].id);
		free(c->exchange[i].topic);
		jv_free(c->exchange[i].sent);
		reply_free(&c->exchange[i].reply);
	}
	free(c->exchange);
	reply_free(&c->refused);
	*c = (struct conversation){0};
}
