#include "http.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jsonpath.h"
#include "jvx.h"
#include "prog.h"
#include "template.h"

enum { TEXT, TOOL_CALLS, USAGE, COST_USD, ERROR, PARTS };

static const char *const parts[] = {"text", "tool_calls", "usage", "cost_usd", "error", NULL};

/* A request, before its places are filled in. */
struct request {
	const char *method; /* static text */
	jv url, headers, body;
};

struct http {
	struct request turn, reset;
	bool resets, maps; /* there is a reset; the answer is read by paths */
	struct jsonpath *part[PARTS];
	jv carry; /* names of what later requests repeat */
	struct jsonpath **carried;
};

/* The values that every template of this agent may name. */
static jv
sample_values(const struct agent *a)
{
	static const char *const names[] = {"session", "seed", "turn", "text", "messages", "chat"};
	jv v = jv_object(), carry = jv_object();

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		v = jvx_set(v, names[i], jv_string(""));
	for (int i = 0; i < jv_array_length(jv_copy(a->http->carry)); i++)
		carry =
		    jv_object_set(carry, jv_array_get(jv_copy(a->http->carry), i), jv_string(""));
	return jvx_set(jvx_set(v, "carry", carry), "env", jv_copy(a->variables));
}

static bool
headers_ok(jv headers)
{
	bool good = jv_get_kind(headers) == JV_KIND_OBJECT;

	for (int i = good ? jv_object_iter(headers) : 0; good && jv_object_iter_valid(headers, i);
	     i = jv_object_iter_next(headers, i)) {
		jv name = jv_object_iter_key(headers, i), value = jv_object_iter_value(headers, i);
		good = jv_get_kind(value) == JV_KIND_STRING && jvx_length(name) > 0 &&
		       strpbrk(jv_string_value(name), ": \r\n") == NULL;
		jv_free(name);
		jv_free(value);
	}
	return good;
}

static bool
read_request(struct agent *a, struct request *r, jv from)
{
	static const char *const methods[] = {"POST", "GET", "PUT", "PATCH", "DELETE", NULL};
	const char *url = jvx_text(from, "url"), *method = jvx_text(from, "method");

	r->method = method == NULL ? methods[0] : NULL;
	for (size_t i = 0; method != NULL && methods[i] != NULL; i++)
		if (strcmp(methods[i], method) == 0)
			r->method = methods[i];
	r->url = jvx_get(from, "url");
	r->body = jvx_get(from, "body");
	r->headers = jvx_get(from, "headers");
	if (!jv_is_valid(r->headers))
		r->headers = jv_object();
	if (url == NULL || (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0))
		return agent_wrong(a, "url", "does not begin with http:// or https://");
	if (r->method == NULL)
		return agent_wrong(a, "method", "not POST, GET, PUT, PATCH or DELETE");
	if (!headers_ok(r->headers))
		return agent_wrong(a, "headers", "not a mapping of names to texts");
	return agent_places(a, "url", r->url, sample_values(a)) &&
	       agent_places(a, "headers", r->headers, sample_values(a)) &&
	       agent_places(a, "body", r->body, sample_values(a));
}

static struct jsonpath *
read_path(const struct agent *a, const char *member, jv text)
{
	char why[120], message[160];
	struct jsonpath *p = NULL;

	if (jv_get_kind(text) != JV_KIND_STRING) {
		agent_wrong(a, member, "not a JSONPath");
		return NULL;
	}
	p = jsonpath_new(jv_string_value(text), jvx_length(text), why, sizeof why);
	if (p == NULL) {
		snprintf(message, sizeof message, "not a JSONPath: %s", why);
		agent_wrong(a, member, message);
	}
	return p;
}

static bool
read_reply(struct agent *a, struct http *h)
{
	jv reply = jvx_get(a->adapter, "reply");
	bool good = !jv_is_valid(reply) || jv_get_kind(reply) == JV_KIND_OBJECT;

	if (!good)
		agent_wrong(a, "reply", "not a mapping of parts to JSONPaths");
	else if (jv_is_valid(reply))
		good = agent_known(a, reply, parts);
	h->maps = jv_is_valid(reply);
	for (int i = 0; good && i < PARTS; i++) {
		jv path = jvx_get(reply, parts[i]);
		if (jv_is_valid(path))
			good = (h->part[i] = read_path(a, parts[i], path)) != NULL;
		jv_free(path);
	}
	jv_free(reply);
	return good;
}

static bool
read_carry(struct agent *a, struct http *h)
{
	jv carry = jvx_get(a->adapter, "carry");
	bool good = !jv_is_valid(carry) || jv_get_kind(carry) == JV_KIND_OBJECT;
	size_t count = 0;

	if (!good)
		agent_wrong(a, "carry", "not a mapping of names to JSONPaths");
	h->carry = jv_is_valid(carry) && good ? jv_keys(jv_copy(carry)) : jv_array();
	count = (size_t)jv_array_length(jv_copy(h->carry));
	h->carried = prog_alloc(count, sizeof *h->carried);
	for (size_t i = 0; good && i < count; i++) {
		jv name = jv_array_get(jv_copy(h->carry), (int)i);
		jv path = jv_object_get(jv_copy(carry), name);
		good = (h->carried[i] = read_path(a, "carry", path)) != NULL;
		jv_free(path);
	}
	jv_free(carry);
	return good;
}

/* A member that is an object, or an empty one; yours to free. */
static jv
object_of(jv value, const char *key)
{
	jv member = jvx_get(value, key);

	if (jv_get_kind(member) == JV_KIND_OBJECT)
		return member;
	jv_free(member);
	return jv_object();
}

/* A plain chat of OpenAI's form is one of http with everything filled in. */
static bool
expand_openai(struct agent *a)
{
	static const char *const known[] = {
	    "kind", "url", "model", "key", "system", "headers", "body", NULL};
	const char *base = jvx_text(a->adapter, "url"), *key = jvx_text(a->adapter, "key");
	const char *model = jvx_text(a->adapter, "model");
	struct buf url = {0}, bearer = {0};

	if (!agent_known(a, a->adapter, known))
		return false;
	if (base == NULL || *base == '\0' || model == NULL)
		return agent_wrong(a, "adapter", "openai needs url (up to /v1) and model");
	buf_format(&url, "%s%schat/completions", base, base[strlen(base) - 1] == '/' ? "" : "/");
	buf_format(&bearer, "Bearer {{env.%s}}", key ? key : "");
	jv body = object_of(a->adapter, "body"), headers = object_of(a->adapter, "headers");
	body = jvx_set_text(jvx_set_text(body, "model", model), "messages", "{{chat}}");
	headers = jvx_set_text(headers, "Authorization", key ? bearer.data : NULL);
	jv reply = jvx_set_text(jv_object(), "text", "$.choices[0].message.content");
	reply = jvx_set_text(reply, "tool_calls", "$.choices[0].message.tool_calls");
	reply = jvx_set_text(reply, "usage", "$.usage");
	a->adapter = jvx_set_text(a->adapter, "url", url.data);
	a->adapter = jvx_set(a->adapter, "body", body);
	a->adapter = jvx_set(a->adapter, "headers", headers);
	a->adapter = jvx_set(a->adapter, "reply", reply);
	buf_free(&url);
	buf_free(&bearer);
	return true;
}

bool
http_read(struct agent *a)
{
	static const char *const known[] = {
	    "kind", "url", "method", "headers", "body", "reply", "carry", "reset", NULL};
	struct http *h = prog_alloc(1, sizeof *h);
	jv reset = jvx_get(a->adapter, "reset");

	a->http = h;
	h->carry = h->turn.url = h->turn.headers = h->turn.body = jv_invalid();
	h->reset.url = h->reset.headers = h->reset.body = jv_invalid();
	h->resets = jv_is_valid(reset);
	bool good = a->kind == AGENT_OPENAI ? expand_openai(a) : agent_known(a, a->adapter, known);
	good =
	    good && read_carry(a, h) && read_reply(a, h) && read_request(a, &h->turn, a->adapter);
	if (good && h->resets)
		good = read_request(a, &h->reset, reset);
	jv_free(reset);
	return good;
}

static void
request_free(struct request *r)
{
	jv_free(r->url);
	jv_free(r->headers);
	jv_free(r->body);
}

void
http_free(struct http *h)
{
	if (h == NULL)
		return;
	for (int i = 0; i < PARTS; i++)
		jsonpath_free(h->part[i]);
	for (int i = 0; h->carried != NULL && i < jv_array_length(jv_copy(h->carry)); i++)
		jsonpath_free(h->carried[i]);
	free(h->carried);
	jv_free(h->carry);
	request_free(&h->turn);
	request_free(&h->reset);
	free(h);
}

/* Sending. */

/* The talk as chat programs want it: who and what, the system's words first. */
static jv
chat_of(const struct trial *t)
{
	jv chat = jv_array(), message;
	const char *system = jvx_text(t->run->agent->adapter, "system");

	if (system != NULL) {
		message = jvx_set_text(jv_object(), "role", "system");
		chat = jv_array_append(chat, jvx_set_text(message, "content", system));
	}
	for (int i = 0; i < jv_array_length(jv_copy(t->messages)); i++) {
		message = jv_array_get(jv_copy(t->messages), i);
		if (jv_get_kind(message) == JV_KIND_OBJECT)
			message = jv_object_delete(message, jv_string("tool_calls"));
		chat = jv_array_append(chat, message);
	}
	return chat;
}

static jv
values_of(const struct trial *t)
{
	jv v = jvx_set(trial_values(t), "chat", chat_of(t));

	v = jvx_set(v, "carry", jv_copy(t->carried));
	return jvx_set(v, "env", jv_copy(t->run->agent->variables));
}

/* Header lines; NULL where a value that was filled in would end one. */
static char **
header_lines(const struct request *r, jv values)
{
	jv filled = template_fill(jv_copy(r->headers), values);
	size_t count = 0;
	char **lines = prog_alloc((size_t)jv_object_length(jv_copy(filled)) + 2, sizeof *lines);
	bool good = true, typed = false;

	for (int i = jv_object_iter(filled); jv_object_iter_valid(filled, i);
	     i = jv_object_iter_next(filled, i)) {
		jv name = jv_object_iter_key(filled, i), value = jv_object_iter_value(filled, i);
		struct buf b = {0};
		buf_format(&b, "%s: ", jv_string_value(name));
		if (jv_get_kind(value) == JV_KIND_STRING)
			buf_add(&b, jv_string_value(value), jvx_length(value));
		else
			jvx_write(value, &b);
		good = good && strlen(b.data) == b.len && strpbrk(b.data, "\r\n") == NULL;
		typed = typed || strcasecmp(jv_string_value(name), "content-type") == 0;
		lines[count++] = b.data;
		jv_free(name);
		jv_free(value);
	}
	if (!typed)
		lines[count++] = prog_copy("Content-Type: application/json", 30);
	jv_free(filled);
	if (good)
		return lines;
	while (count > 0)
		free(lines[--count]);
	free(lines);
	return NULL;
}

static bool
send_request(struct trial *t, const struct request *r)
{
	jv values = values_of(t);
	char **headers = header_lines(r, values);
	struct buf url = {0}, body = {0};

	if (headers == NULL) {
		trial_fail(t, "refused", "a header that would hold a line end");
		jv_free(values);
		return false;
	}
	template_url(&url, jv_string_value(r->url), values);
	if (jv_get_kind(r->body) == JV_KIND_STRING) {
		template_json(&body, jv_string_value(r->body), values);
	} else if (jv_is_valid(r->body)) {
		jv filled = template_fill(jv_copy(r->body), values);
		jvx_write(filled, &body);
		jv_free(filled);
	}
	net_request(t->run->net, r->method, url.data, (const char *const *)headers,
	    (struct span){body.data ? body.data : "", body.len}, trial_patience_ms(t), t);
	for (size_t i = 0; headers[i] != NULL; i++)
		free(headers[i]);
	free(headers);
	buf_free(&url);
	buf_free(&body);
	jv_free(values);
	return true;
}

bool
http_open(struct trial *t)
{
	const struct http *h = t->run->agent->http;

	t->carried = jv_object();
	for (int i = 0; i < jv_array_length(jv_copy(h->carry)); i++)
		t->carried =
		    jv_object_set(t->carried, jv_array_get(jv_copy(h->carry), i), jv_string(""));
	if (!h->resets)
		return true;
	t->state = TRIAL_RESETTING;
	send_request(t, &h->reset);
	return false;
}

void
http_say(struct trial *t)
{
	send_request(t, &t->run->agent->http->turn);
}

/* Hearing. */

/* The first node; a list of all of them where there may be several calls. */
static jv
part_of(struct jsonpath *p, jv body, bool all)
{
	jv nodes = p ? jsonpath_find(p, body, NULL) : jv_invalid(), first;
	int count = jv_is_valid(nodes) ? jv_array_length(jv_copy(nodes)) : 0;

	if (count == 0) {
		jv_free(nodes);
		return jv_invalid();
	}
	first = jv_array_get(jv_copy(nodes), 0);
	if (all && (count > 1 || jv_get_kind(first) == JV_KIND_OBJECT)) {
		jv_free(first);
		return nodes;
	}
	jv_free(nodes);
	if (jv_get_kind(first) != JV_KIND_NULL)
		return first;
	jv_free(first);
	return jv_invalid();
}

static const char *
read_mapped(const struct http *h, struct reply *r, jv body)
{
	jv calls = part_of(h->part[TOOL_CALLS], body, true);
	jv cost = part_of(h->part[COST_USD], body, false);
	const char *why = NULL;

	*r = (struct reply){part_of(h->part[TEXT], body, false), jv_invalid(),
	    part_of(h->part[USAGE], body, false), part_of(h->part[ERROR], body, false), NAN};
	if (jv_get_kind(cost) == JV_KIND_NUMBER)
		r->cost_usd = jv_number_value(cost);
	if (jv_is_valid(calls)) {
		r->tool_calls = reply_calls(calls);
		if (!jv_is_valid(r->tool_calls))
			why = "tool_calls is no list of calls with names";
	}
	jv_free(cost);
	if (jv_is_valid(r->error) && jv_get_kind(r->error) != JV_KIND_STRING)
		why = "error is no text";
	else if (jv_is_valid(r->text) && jv_get_kind(r->text) != JV_KIND_STRING)
		why = "text is no text";
	else if (!jv_is_valid(r->text) && !jv_is_valid(r->tool_calls) && !jv_is_valid(r->error))
		why = "the answer has neither text nor tool_calls where they should be";
	if (why != NULL)
		reply_free(r);
	return why;
}

static void
carry_on(struct trial *t, jv body)
{
	const struct http *h = t->run->agent->http;

	for (int i = 0; i < jv_array_length(jv_copy(h->carry)); i++) {
		jv value = part_of(h->carried[i], body, false);
		if (jv_is_valid(value))
			t->carried =
			    jv_object_set(t->carried, jv_array_get(jv_copy(h->carry), i), value);
	}
}

static const char *
read_body(struct trial *t, struct reply *said, struct span bytes)
{
	const struct http *h = t->run->agent->http;
	jv body = jvx_parse(bytes.at, bytes.len, NULL);
	const char *why;

	if (jv_is_valid(body))
		carry_on(t, body);
	if (!h->maps)
		why = reply_read(said, bytes);
	else
		why = jv_is_valid(body) ? read_mapped(h, said, body) : "the answer is no JSON";
	jv_free(body);
	return why;
}

static void
hear_turn(struct trial *t, const struct net_reply *r)
{
	struct reply said;
	const char *why =
	    read_body(t, &said, (struct span){r->body.data ? r->body.data : "", r->body.len});

	if (why != NULL) {
		trial_fail(t, "garbage", why);
	} else if (jv_is_valid(said.error)) {
		trial_fail(t, "error", jv_string_value(said.error));
		reply_free(&said);
	} else {
		trial_answered(t, &said);
	}
}

void
http_hear(struct trial *t, struct net_reply *r)
{
	const struct agent *a = t->run->agent;
	struct buf why = {0};

	if (r->fault == NET_TIMEOUT) {
		trial_late(t);
	} else if (r->fault == NET_FLOOD || r->body.len > a->reply_bytes) {
		buf_format(&why, "an answer of more than %zu bytes", a->reply_bytes);
		trial_fail(t, "flood", why.data);
	} else if (r->fault != NET_FINE) {
		trial_fail(t, "refused", r->why);
	} else if (r->status / 100 != 2) {
		buf_format(&why, "HTTP status %d", r->status);
		trial_fail(t, "error", why.data);
	} else if (t->state == TRIAL_RESETTING) {
		trial_next(t);
	} else {
		hear_turn(t, r);
	}
	buf_free(&why);
}
