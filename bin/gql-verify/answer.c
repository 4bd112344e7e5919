#define _GNU_SOURCE /* strcasestr, memmem */
#include "answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "category.h"
#include "jvx.h"
#include "prog.h"
#include "utf8.h"

enum { REPLIES = 1000, ERRORS = 100, MESSAGE_BYTES = 2000, PATH_BYTES = 500, NULL_FIELDS = 5 };

struct reply
reply_new(void)
{
	return (struct reply){.errors = jv_array(), .nulls = jv_array()};
}

void
reply_free(struct reply *r)
{
	jv_free(r->errors);
	jv_free(r->nulls);
	*r = (struct reply){.errors = jv_invalid(), .nulls = jv_invalid()};
}

/* A string, or a number as its digits; NULL otherwise.  Yours to free. */
static char *
label(struct span value)
{
	struct buf b = {0};

	if (scan_kind(value) == '0')
		return prog_copy(value.at, value.len < 20 ? value.len : 20);
	if (!scan_text(value, &b) || b.len == 0 || strlen(b.data) != b.len) {
		buf_free(&b);
		return NULL;
	}
	return b.data;
}

/*
 * Where servers put their code: extensions.code is Apollo's and most others', the rest are
 * graphql-java's, Lighthouse's, AppSync's, GitHub's and absinthe's.
 */
static char *
code_of(struct span error)
{
	static const char *const inner[] = {"code", "errorCode", "error_code", "errorType",
	    "classification", "category", "statusCode", "status"};
	static const char *const outer[] = {"code", "errorType", "errorCode", "type"};
	struct span extensions = scan_member(error, "extensions");
	char *found;

	for (size_t i = 0; i < sizeof inner / sizeof *inner; i++) {
		struct span value = scan_member(extensions, inner[i]);
		if (scan_kind(value) == '{') /* graphql-java: {"type": ...} */
			value = scan_member(value, "type");
		if ((found = label(value)) != NULL)
			return found;
	}
	for (size_t i = 0; i < sizeof outer / sizeof *outer; i++)
		if ((found = label(scan_member(error, outer[i]))) != NULL)
			return found;
	return label(scan_path(extensions, "http", "status", NULL));
}

void
reply_error(struct reply *r, struct span error, int status)
{
	struct buf message = {0};

	if (r->error_count++ >= ERRORS)
		return;
	if (scan_kind(error) == '"')
		scan_text(error, &message);
	else if (!scan_text(scan_member(error, "message"), &message))
		scan_text(scan_member(error, "error"), &message);
	char *code = code_of(error);
	if (message.len > MESSAGE_BYTES) {
		message.len = utf8_floor(message.data, message.len, MESSAGE_BYTES);
		message.data[message.len] = '\0';
	}
	jv made = jv_object();
	if (message.len > 0)
		made = jvx_set(made, "message", jv_string_sized(message.data, (int)message.len));
	made = jvx_set_text(made, "code", code);
	made = jvx_set_text(made, "category", category_of(code, message.data, status));
	struct span path = scan_member(error, "path");
	if (scan_kind(path) == '[' && path.len <= PATH_BYTES)
		made = jvx_set(made, "path", jvx_build(path));
	r->errors = jv_array_append(r->errors, made);
	free(code);
	buf_free(&message);
}

static void
add_errors(struct reply *r, struct span errors, int status)
{
	struct scan_each it = {0};

	switch (scan_kind(errors)) {
	case '[':
		while (scan_each(&it, errors))
			reply_error(r, it.value, status);
		break;
	case '{': /* no server should, some do */
	case '"': reply_error(r, errors, status); break;
	default: break;
	}
}

/* An empty array of errors is no error: the specification forbids it, libraries send it. */
static void
add_data(struct reply *r, struct span data)
{
	struct scan_each it = {0};
	enum answer_data seen = DATA_SOME;
	int members = 0, nulls = 0;

	if (data.at == NULL)
		return;
	if (scan_kind(data) == 'n')
		seen = DATA_NULL;
	if (scan_kind(data) == '{') {
		for (; scan_each(&it, data); members++) {
			if (scan_kind(it.value) != 'n')
				continue;
			nulls++;
			char *name =
			    r->data == DATA_NONE && nulls <= NULL_FIELDS ? scan_copy(it.key) : NULL;
			if (name != NULL)
				r->nulls = jv_array_append(r->nulls, jv_string(name));
			free(name);
		}
		if (members > 0 && members == nulls)
			seen = DATA_NULLS;
	}
	if (seen > r->data)
		r->data = seen;
}

/* A part of what was deferred or streamed: its data counts if any of it is there. */
static void
add_patch(struct reply *r, struct span patch, int status)
{
	struct scan_each it = {0};
	struct span items = scan_member(patch, "items"), data = scan_member(patch, "data");

	add_errors(r, scan_member(patch, "errors"), status);
	while (scan_each(&it, items))
		if (scan_kind(it.value) != 'n')
			r->data = DATA_SOME;
	it = (struct scan_each){0};
	while (scan_kind(data) == '{' && scan_each(&it, data))
		if (scan_kind(it.value) != 'n')
			r->data = DATA_SOME;
}

bool
reply_add(struct reply *r, struct span result, int status)
{
	struct scan_each it = {0};
	struct span payload = scan_member(result, "payload");
	struct span data = scan_member(result, "data"), errors = scan_member(result, "errors");
	struct span parts = scan_member(result, "incremental");
	struct span completed = scan_member(result, "completed");

	if (scan_kind(result) != '{')
		return false;
	if (scan_kind(payload) == '{') /* subscriptions over multipart */
		return reply_add(r, payload, status);
	if (data.at == NULL && errors.at == NULL && parts.at == NULL && completed.at == NULL)
		return scan_member(result, "hasNext").at != NULL;
	if (scan_kind(scan_member(result, "path")) == '[' && data.at != NULL) {
		add_patch(r, result, status);
	} else {
		add_data(r, data);
		add_errors(r, errors, status);
	}
	while (scan_each(&it, parts))
		add_patch(r, it.value, status);
	it = (struct scan_each){0};
	while (scan_each(&it, completed))
		add_errors(r, scan_member(it.value, "errors"), status);
	return true;
}

static struct reply *
add_reply(struct answer *a)
{
	a->reply = prog_resize(a->reply, a->count + 1, sizeof *a->reply);
	a->reply[a->count] = reply_new();
	return &a->reply[a->count++];
}

/* The JSON text of one part; false when it is no result.  All parts make one reply. */
static bool
continue_reply(struct answer *a, const char *text, size_t len, int status)
{
	struct span part = scan_trim(text, len);

	if (part.len == 0 || !scan_check(part.at, part.len, NULL))
		return false;
	if (a->count == 0)
		add_reply(a);
	if (!reply_add(&a->reply[0], part, status))
		return false;
	a->form = ANSWER_GRAPHQL;
	return true;
}

/* RFC 2046 section 5.1, with the boundary as the first line has it: servers differ in quoting. */
static void
read_multipart(struct answer *a, struct span body, int status)
{
	const char *end = body.at + body.len, *line_end = memchr(body.at, '\n', body.len);

	if (line_end == NULL)
		return;
	size_t mark_len = (size_t)(line_end - body.at);
	while (mark_len > 0 && strchr("\r \t", body.at[mark_len - 1]) != NULL)
		mark_len--;
	for (const char *p = body.at; p != NULL && p < end;) {
		const char *part = memchr(p, '\n', (size_t)(end - p));
		if (part == NULL)
			break;
		part++;
		const char *stop = part;
		do {
			stop = memmem(stop, (size_t)(end - stop), body.at, mark_len);
		} while (stop != NULL && stop[-1] != '\n' && ++stop < end);
		const char *part_end = stop != NULL ? stop : end;
		while (part < part_end && *part != '{' && *part != '[') { /* headers */
			const char *eol = memchr(part, '\n', (size_t)(part_end - part));
			part = eol != NULL ? eol + 1 : part_end;
		}
		continue_reply(a, part, (size_t)(part_end - part), status);
		p = stop;
	}
}

/* GraphQL over Server-Sent Events, in both modes: each "data:" of an event is a result. */
static void
read_events(struct answer *a, struct span body, int status)
{
	struct buf data = {0};
	const char *end = body.at + body.len;

	for (const char *p = body.at; p <= end;) {
		const char *eol = p < end ? memchr(p, '\n', (size_t)(end - p)) : NULL;
		size_t len = (size_t)((eol != NULL ? eol : end) - p);
		if (len > 0 && p[len - 1] == '\r')
			len--;
		if (len >= 5 && memcmp(p, "data:", 5) == 0) {
			buf_add(&data, p + 5, len - 5);
			buf_byte(&data, '\n');
		} else if (len == 0 && data.len > 0) {
			continue_reply(a, data.data, data.len, status);
			buf_clear(&data);
		}
		if (eol == NULL)
			break;
		p = eol + 1;
	}
	if (data.len > 0)
		continue_reply(a, data.data, data.len, status);
	buf_free(&data);
}

static void
read_json(struct answer *a, struct span body, int status)
{
	struct scan_each it = {0};

	a->form = ANSWER_JSON;
	a->batched = scan_kind(body) == '[';
	if (!a->batched) {
		continue_reply(a, body.at, body.len, status);
		return;
	}
	while (a->count < REPLIES && scan_each(&it, body))
		if (reply_add(add_reply(a), it.value, status))
			a->form = ANSWER_GRAPHQL;
}

static bool
begins(struct span text, const char *with)
{
	return text.len >= strlen(with) && memcmp(text.at, with, strlen(with)) == 0;
}

struct answer
answer_read(const char *text, size_t len, const char *mime, int status)
{
	struct answer a = {.form = ANSWER_TEXT};

	if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		text += 3;
		len -= 3;
	}
	struct span body = scan_trim(text, len);
	if (mime == NULL)
		mime = "";
	if (body.len == 0)
		a.form = ANSWER_EMPTY;
	else if (*body.at == '<')
		a.form = ANSWER_HTML;
	else if (begins(body, "--"))
		read_multipart(&a, body, status);
	else if (strcasestr(mime, "event-stream") != NULL || begins(body, "event:") ||
		 begins(body, "data:"))
		read_events(&a, body, status);
	else if (scan_check(body.at, body.len, NULL))
		read_json(&a, body, status);
	return a;
}

void
answer_free(struct answer *a)
{
	for (size_t i = 0; i < a->count; i++)
		reply_free(&a->reply[i]);
	free(a->reply);
	*a = (struct answer){0};
}
