#include "quote.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "jvx.h"

enum {
	LINES = 40, /* of one text in a record */
	FRAMES = 6, /* of a stack */
	BODY = 800, /* bytes of a body */
};

static void
say(struct buf *b, const char *before, jv rec, const char *key)
{
	const char *text = jvx_text(rec, key);

	if (text != NULL && *text != '\0')
		buf_format(b, "%s%s", before, text);
}

static void
say_number(struct buf *b, const char *before, jv rec, const char *key, const char *after)
{
	double n = jvx_number(rec, key, NAN);

	if (!isnan(n))
		buf_format(b, "%s%.0f%s", before, n, after);
}

void
quote_place(struct buf *b, const char *before, jv rec)
{
	if (jvx_text(rec, "file") == NULL)
		return;
	say(b, before, rec, "file");
	say_number(b, ":", rec, "line", "");
}

/* Text of many lines below the record's own, indented, at most LINES of them. */
static void
say_below(struct buf *b, const char *text, size_t len)
{
	int lines = 0;

	for (const char *p = text, *end = text + len; p < end; lines++) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		size_t n = eol ? (size_t)(eol - p) : (size_t)(end - p);
		if (lines == LINES) {
			buf_text(b, "\n    (more lines left out)");
			return;
		}
		buf_text(b, "\n    ");
		buf_add(b, p, n);
		p += n + (eol != NULL);
	}
}

/* The first line after before, the others below. */
static void
say_long(struct buf *b, const char *before, jv rec, const char *key)
{
	size_t len = 0;
	const char *text = jvx_bytes(rec, key, &len);
	const char *eol = text ? memchr(text, '\n', len) : NULL;
	size_t first = eol ? (size_t)(eol - text) : len;

	if (text == NULL || len == 0)
		return;
	buf_text(b, before);
	buf_add(b, text, first);
	if (eol != NULL)
		say_below(b, eol + 1, len - first - 1);
}

static void
say_each(struct buf *b, const char *before, const char *between, jv rec, const char *key)
{
	jv list = jvx_get(rec, key);

	if (jv_get_kind(list) == JV_KIND_ARRAY) {
		jv_array_foreach (list, i, item) {
			if (jv_get_kind(item) == JV_KIND_STRING)
				buf_format(
				    b, "%s%s", i == 0 ? before : between, jv_string_value(item));
			if (jv_get_kind(item) == JV_KIND_NUMBER)
				buf_format(
				    b, "%s%.0f", i == 0 ? before : between, jv_number_value(item));
			jv_free(item);
		}
	}
	jv_free(list);
}

static void
say_stack(struct buf *b, jv rec)
{
	jv stack = jvx_get(rec, "stack");

	if (jv_get_kind(stack) == JV_KIND_ARRAY) {
		jv_array_foreach (stack, i, frame) {
			if (i < FRAMES && jv_get_kind(frame) == JV_KIND_OBJECT) {
				quote_place(b, "\n    at ", frame);
				say(b, " in ", frame, "function");
			}
			if (i < FRAMES && jv_get_kind(frame) == JV_KIND_STRING)
				buf_format(b, "\n    %s", jv_string_value(frame));
			jv_free(frame);
		}
	}
	jv_free(stack);
}

static void
quote_test(struct buf *b, jv rec)
{
	say(b, "", rec, "title");
	say(b, ": ", rec, "status");
	quote_place(b, "  ", rec);
}

static void
quote_error(struct buf *b, jv rec)
{
	say_long(b, "", rec, "message");
	say_stack(b, rec);
}

static void
quote_action(struct buf *b, jv rec)
{
	double t = jvx_number(rec, "t", NAN), end = jvx_number(rec, "end", NAN);
	bool point = jvx_true(rec, "failure_point");
	const char *status = jvx_text(rec, "status");

	say_number(b, "", rec, "t", " ms  ");
	say(b, "", rec, "title");
	if (jvx_text(rec, "title") == NULL)
		say(b, "", rec, "api");
	jv params = jvx_get(rec, "params");
	say(b, " ", params, "url");
	jv_free(params);
	say(b, "  ", rec, "locator");
	bool ok = status == NULL || strcmp(status, "ok") == 0;
	if (!ok)
		buf_format(b, "  %s", status);
	if (!isnan(t) && !isnan(end))
		buf_format(b, ok ? ", took %.0f ms" : " after %.0f ms", end - t);
	quote_place(b, "  ", rec);
	if (!point)
		return;
	say_long(b, "\n    expected: ", rec, "expected");
	say_long(b, "\n    received: ", rec, "received");
	say_each(b, "\n    log: ", "\n         ", rec, "log");
}

static void
quote_route(struct buf *b, jv rec)
{
	say(b, "", rec, "pattern");
	quote_place(b, "  registered at ", rec);
	if (jvx_true(rec, "never")) {
		buf_text(b, "  never matched a request");
		say_each(b, "; requests that come near: ", ", ", rec, "near");
		return;
	}
	say_number(b, "  matched ", rec, "matched", "");
	say(b, ", its requests went to the newer ", rec, "shadowed_by");
	say_number(b, ", fulfilled ", rec, "fulfilled", "");
	say_number(b, ", continued ", rec, "continued", "");
	say_number(b, ", aborted ", rec, "aborted", "");
	/* A handler that falls back leaves no other sign. */
	double passed_on = jvx_number(rec, "matched", 0) - jvx_number(rec, "fulfilled", 0) -
			   jvx_number(rec, "continued", 0) - jvx_number(rec, "aborted", 0);
	if (passed_on > 0)
		buf_format(b, ", passed on %.0f", passed_on);
}

static void
quote_console(struct buf *b, jv rec)
{
	say_number(b, "", rec, "t", " ms  ");
	say(b, "", rec, "level");
	say_long(b, "  ", rec, "text");
	quote_place(b, "  (", rec);
	if (jvx_text(rec, "file") != NULL)
		buf_byte(b, ')');
}

static void
quote_page_error(struct buf *b, jv rec)
{
	say_number(b, "", rec, "t", " ms  ");
	say_long(b, "uncaught: ", rec, "message");
	say_stack(b, rec);
}

static void
quote_request(struct buf *b, jv rec)
{
	const char *mocked = jvx_text(rec, "mocked");

	say_number(b, "", rec, "t", " ms  ");
	say(b, "", rec, "method");
	say(b, " ", rec, "url");
	if (jvx_number(rec, "status", -1) > 0)
		say_number(b, " -> ", rec, "status", "");
	else if (jvx_text(rec, "failure") == NULL)
		buf_text(b, " -> no answer in the trace");
	say(b, " ", rec, "status_text");
	say(b, " -> failed: ", rec, "failure");
	say(b, " to ", rec, "redirect_url");
	say_number(b, ", ", rec, "duration_ms", " ms");
	if (mocked != NULL)
		buf_format(b, ", %s by the test", mocked);
	say(b, ", answered by: ", rec, "answered_by");
	if (jvx_true(rec, "api_request"))
		buf_text(b, ", sent by the test");
}

static void
quote_event(struct buf *b, jv rec)
{
	static const char *const told[] = {"message", "text", "url", "name", "error"};

	say_number(b, "", rec, "t", " ms  ");
	say(b, "", rec, "kind");
	for (size_t i = 0; i < sizeof told / sizeof *told; i++)
		say_long(b, "  ", rec, told[i]);
	say(b, "  ", rec, "page");
}

static void
quote_body(struct buf *b, jv rec)
{
	size_t len = 0;
	const char *text = jvx_bytes(rec, "text", &len);

	say(b, "", rec, "of");
	say(b, ", ", rec, "mime");
	say_number(b, ", ", rec, "bytes", " bytes");
	say(b, ", not shown: ", rec, "omitted");
	if (text != NULL)
		say_below(b, text, len < BODY ? len : BODY);
	if (len > BODY)
		buf_text(b, "...");
}

static void
quote_graphql(struct buf *b, jv rec)
{
	jv errors = jvx_get(rec, "errors");

	say(b, "", rec, "operation");
	say(b, " (", rec, "kind");
	if (jvx_text(rec, "kind") != NULL)
		buf_byte(b, ')');
	say(b, ": ", rec, "outcome");
	say_number(b, " under HTTP ", rec, "status", "");
	say(b, ", ", rec, "request");
	say(b, ", ", rec, "mocked");
	if (jvx_text(rec, "mocked") != NULL)
		buf_text(b, " by the test");
	if (jv_get_kind(errors) == JV_KIND_ARRAY) {
		jv_array_foreach (errors, i, error) {
			if (i < 20 && jv_get_kind(error) == JV_KIND_OBJECT) {
				buf_text(b, "\n    error: ");
				say(b, "", error, "message");
				say(b, " [", error, "code");
				if (jvx_text(error, "code") != NULL)
					buf_byte(b, ']');
				say(b, " (", error, "category");
				if (jvx_text(error, "category") != NULL)
					buf_byte(b, ')');
				say(b, " at ", error, "path");
				say_each(b, " at ", ".", error, "path");
			}
			jv_free(error);
		}
	}
	jv_free(errors);
	say_long(b, "\n    mock: ", rec, "mock_hint");
}

static void
quote_verdict(struct buf *b, jv rec)
{
	say(b, "", rec, "verdict");
	say_each(b, "\n    ", "\n    ", rec, "reasons");
}

static void
quote_snapshot(struct buf *b, jv rec)
{
	size_t len = 0;
	const char *text = jvx_bytes(rec, "aria", &len);

	say(b, "", rec, "url");
	say(b, "  ", rec, "title");
	for (const char *p = text, *end = text ? text + len : NULL; p < end;) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		size_t n = eol ? (size_t)(eol - p) : (size_t)(end - p);
		buf_text(b, "\n    ");
		buf_add(b, p, n);
		p += n + (eol != NULL);
	}
}

/* The lines of text, with their numbers; only one of them if just is not 0.  True when there was
 * one. */
static bool
numbered(struct buf *b, jv rec, const char *file, long just)
{
	size_t len = 0;
	const char *text = jvx_bytes(rec, "text", &len);
	long line = jvx_whole(rec, "first", INT_MAX, 1), mark = jvx_whole(rec, "line", INT_MAX, 0);
	bool any = false;

	for (const char *p = text, *end = text ? text + len : NULL; p < end; line++) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		size_t n = eol ? (size_t)(eol - p) : (size_t)(end - p);
		if (just == 0)
			buf_format(
			    b, "\n  %c %5ld | %.*s", line == mark ? '>' : ' ', line, (int)n, p);
		else if (line == just)
			buf_format(b, "%s:%ld | %.*s\n", file, line, (int)n, p);
		any = any || just == 0 || line == just;
		p += n + (eol != NULL);
	}
	return any;
}

bool
quote_line(struct buf *b, jv rec, const char *file, long line)
{
	const char *name = jvx_text(rec, "file");

	return name != NULL && same_file(name, file) && numbered(b, rec, file, line);
}

static void
quote_code(struct buf *b, jv rec)
{
	say(b, "", rec, "file");
	numbered(b, rec, "", 0);
}

static void
quote_attachment(struct buf *b, jv rec)
{
	say(b, "", rec, "name");
	say(b, ", ", rec, "mime");
	say_number(b, ", ", rec, "bytes", " bytes");
}

static void
quote_warning(struct buf *b, jv rec)
{
	say(b, "", rec, "tool");
	say(b, ": ", rec, "message");
	say(b, " (", rec, "where");
	if (jvx_text(rec, "where") != NULL)
		buf_byte(b, ')');
}

/* What this program has no words for: the record itself. */
static void
quote_other(struct buf *b, jv rec)
{
	struct buf text = {0};

	jvx_write(rec, &text);
	buf_add(b, text.data, text.len < BODY ? text.len : BODY);
	buf_free(&text);
}

void
quote(struct buf *b, jv record)
{
	static const struct {
		const char *type;
		void (*say)(struct buf *, jv);
	} known[] = {
	    {"test", quote_test},
	    {"error", quote_error},
	    {"action", quote_action},
	    {"route", quote_route},
	    {"console", quote_console},
	    {"page_error", quote_page_error},
	    {"request", quote_request},
	    {"event", quote_event},
	    {"body", quote_body},
	    {"graphql", quote_graphql},
	    {"verdict", quote_verdict},
	    {"snapshot", quote_snapshot},
	    {"code", quote_code},
	    {"source", quote_code},
	    {"attachment", quote_attachment},
	    {"warning", quote_warning},
	};
	const char *type = jvx_text(record, "type");
	size_t i = 0, n = sizeof known / sizeof *known;

	if (jvx_text(record, "ref") != NULL)
		buf_format(b, "%s  ", jvx_text(record, "ref"));
	while (i < n && (type == NULL || strcmp(type, known[i].type) != 0))
		i++;
	(i < n ? known[i].say : quote_other)(b, record);
	buf_byte(b, '\n');
}

static bool
is_slash(char c)
{
	return c == '/' || c == '\\';
}

bool
same_file(const char *one, const char *other)
{
	size_t i = strlen(one), j = strlen(other);

	if (i == 0 || j == 0)
		return false;
	while (i > 0 && j > 0) {
		char a = one[i - 1], b = other[j - 1];
		if (a != b && !(is_slash(a) && is_slash(b)))
			return false;
		i--;
		j--;
	}
	return (i == 0 && j == 0) || (i == 0 && is_slash(other[j - 1])) ||
	       (j == 0 && is_slash(one[i - 1])) || (i == 0 && is_slash(one[0])) ||
	       (j == 0 && is_slash(other[0]));
}
