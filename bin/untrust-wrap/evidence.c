#include "evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "prog.h"
#include "scan.h"

enum {
	WHOLE = 1 << 20, /* the failure and the page: the cap alone cuts them */
	LONG = 6000,     /* code points of a record whose text may be the cause */
	SHORT = 1500,    /* of one that is there for completeness */
	FRAMES = 30,     /* of a stack */
	LOG = 60,        /* lines of an action's log */
	AGAIN = 32,      /* how far back a repeated console message is seen */
	NEAR_MS = 5000,  /* what happens this long before a failure is near it */
};

/* A console message, so that the same one again costs a number and not a line. */
struct said {
	struct buf text;
	unsigned serial, again;
};

struct evidence {
	struct sections *s;
	struct buf text;            /* of the record at hand */
	struct buf failed;          /* the terminal error's message: not to be told twice */
	double failure_t, requests; /* requests: how many records of the network so far */
	char **troubled;            /* ids of requests with a GraphQL problem */
	size_t troubles, room;
	struct said said[AGAIN];
	unsigned said_count; /* as many as items in the section */
};

struct evidence *
evidence_new(struct sections *s)
{
	struct evidence *e = prog_alloc(1, sizeof *e);

	e->s = s;
	e->failure_t = NAN;
	return e;
}

/* The value as text: strings decoded, with the lines after the first indented so that none of them
 * begins as a record does; other kinds as they stand. */
static void
say_value(struct buf *b, struct span value, const char *indent)
{
	struct buf text = {0};

	if (scan_kind(value) != '"') {
		buf_add(b, value.at, value.len);
		return;
	}
	scan_text(value, &text);
	while (text.len > 0 && text.data[text.len - 1] == '\n')
		text.len--;
	for (const char *p = text.data, *end = p + text.len; p < end;) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		size_t len = eol ? (size_t)(eol + 1 - p) : (size_t)(end - p);
		buf_add(b, p, len);
		if (eol)
			buf_text(b, indent);
		p += len;
	}
	buf_free(&text);
}

/* "before" and the member, if there is one and it says something. */
static void
say(struct buf *b, const char *before, struct span rec, const char *name)
{
	struct span value = scan_member(rec, name);
	int kind = scan_kind(value);

	if (kind == 0 || kind == 'n' || (kind == '"' && value.len == 2))
		return;
	buf_text(b, before);
	say_value(b, value, "    ");
}

static void
say_place(struct buf *b, const char *before, struct span rec)
{
	if (scan_kind(scan_member(rec, "file")) != '"')
		return;
	say(b, before, rec, "file");
	say(b, ":", rec, "line");
	say(b, ":", rec, "column");
}

static void
say_ms(struct buf *b, const char *before, struct span rec, const char *name)
{
	double ms = scan_number(scan_member(rec, name), NAN);

	if (!isnan(ms))
		buf_format(b, "%s%.0f ms", before, ms);
}

static void
say_list(struct buf *b, const char *before, const char *between, struct span list, size_t most)
{
	struct scan_each it = {0};
	size_t n = 0, left = 0;

	if (scan_kind(list) != '[')
		return;
	while (scan_each(&it, list)) {
		if (n == most) {
			left++;
			continue;
		}
		buf_text(b, n++ == 0 ? before : between);
		say_value(b, it.value, "    ");
	}
	if (left != 0)
		buf_format(b, "%sand %zu more", between, left);
}

static void
say_stack(struct buf *b, struct span rec)
{
	struct scan_each it = {0};
	size_t n = 0;
	struct span stack = scan_member(rec, "stack");

	if (scan_kind(stack) != '[')
		return;
	while (n++ < FRAMES && scan_each(&it, stack)) {
		if (scan_kind(it.value) == '"') { /* not a frame but a line of one */
			buf_text(b, "\n    ");
			say_value(b, it.value, "    ");
			continue;
		}
		say_place(b, "\n    at ", it.value);
		say(b, " in ", it.value, "function");
	}
}

static long
line_number(struct span rec, const char *name, long otherwise)
{
	double n = scan_number(scan_member(rec, name), NAN);

	return n >= 0 && n <= 1e9 ? (long)n : otherwise;
}

/* Lines of a file, each with its number. */
static void
say_lines(struct buf *b, struct span rec)
{
	struct buf text = {0};
	long line = line_number(rec, "first", 1), mark = line_number(rec, "line", 0);

	if (!scan_text(scan_member(rec, "text"), &text))
		return;
	while (text.len > 0 && text.data[text.len - 1] == '\n')
		text.len--;
	for (const char *p = text.data, *end = p + text.len; p < end; line++) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		size_t len = eol ? (size_t)(eol - p) : (size_t)(end - p);
		buf_format(b, "\n  %c %5ld  ", line == mark ? '>' : ' ', line);
		buf_add(b, p, len);
		p += len + (eol != NULL);
	}
	buf_free(&text);
}

/* A record's line begins with its ref, or with what it is. */
static void
head(struct evidence *e, struct span rec)
{
	buf_clear(&e->text);
	if (scan_kind(scan_member(rec, "ref")) == '"')
		say(&e->text, "", rec, "ref");
	else
		say(&e->text, "", rec, "type");
}

static void
add(struct evidence *e, enum section where, int rank, double t, size_t most)
{
	struct note note = {.rank = rank, .t = t};

	if (where == TIMELINE)
		note.order = isnan(t) ? 0 : t;
	buf_byte(&e->text, '\n');
	sections_add(e->s, where, note, e->text.data, e->text.len, most);
}

static void
test(struct evidence *e, struct span rec)
{
	struct buf *b = &e->text;

	head(e, rec);
	if (scan_kind(scan_member(rec, "titles")) == '[')
		say_list(b, " test: ", " > ", scan_member(rec, "titles"), 20);
	else
		say(b, " test: ", rec, "title");
	say_place(b, "\n    at ", rec);
	say(b, "\n    status: ", rec, "status");
	say_ms(b, ", duration: ", rec, "duration_ms");
	say_ms(b, ", timeout: ", rec, "timeout_ms");
	say(b, ", retry: ", rec, "retry");
	say(b, "\n    project: ", rec, "project");
	say(b, "\n    browser: ", rec, "browser");
	say(b, " on ", rec, "platform");
	say(b, ", Playwright ", rec, "playwright");
	add(e, FAILURE, 0, NAN, LONG);
}

static void
error(struct evidence *e, struct span rec)
{
	struct buf *b = &e->text;
	bool terminal = scan_true(scan_member(rec, "terminal"));

	head(e, rec);
	buf_text(b, terminal ? " error that ended the test: " : " error: ");
	if (terminal) {
		buf_clear(&e->failed);
		scan_text(scan_member(rec, "message"), &e->failed);
	}
	say(b, "", rec, "message");
	say(b, "\n    in action: ", rec, "call");
	say_stack(b, rec);
	add(e, FAILURE, terminal ? 0 : 2, NAN, terminal ? WHOLE : LONG);
}

/* An action's error, unless it is the one that ended the test and was told with that. */
static void
say_error(struct evidence *e, struct span rec)
{
	struct buf message = {0};

	scan_text(scan_member(rec, "error"), &message);
	if (message.len != 0 && message.len == e->failed.len &&
	    memcmp(message.data, e->failed.data, message.len) == 0)
		buf_text(&e->text, "\n    error: the one that ended the test");
	else
		say(&e->text, "\n    error: ", rec, "error");
	buf_free(&message);
}

/* The action that failed the test, with all that is known of it. */
static void
failure_point(struct evidence *e, struct span rec)
{
	struct buf *b = &e->text;

	head(e, rec);
	buf_text(b, " the action that failed:");
	say(b, " ", rec, "title");
	say(b, " (", rec, "api");
	if (scan_kind(scan_member(rec, "api")) == '"')
		buf_byte(b, ')');
	say_place(b, "\n    at ", rec);
	say(b, "\n    status: ", rec, "status");
	say(b, ", page: ", rec, "page");
	say(b, "\n    locator: ", rec, "locator");
	say(b, "\n    expected: ", rec, "expected");
	say(b, "\n    received: ", rec, "received");
	say_error(e, rec);
	/* Since 1.50 the message has the log in it. */
	if (e->failed.data == NULL || strstr(e->failed.data, "Call log:") == NULL)
		say_list(b, "\n    log:\n      ", "\n      ", scan_member(rec, "log"), LOG);
	add(e, FAILURE, 0, NAN, WHOLE);
}

static void
action(struct evidence *e, struct span rec)
{
	struct buf *b = &e->text;
	bool point = scan_true(scan_member(rec, "failure_point"));
	bool failed = scan_is(scan_member(rec, "status"), "failed") ||
		      scan_is(scan_member(rec, "status"), "unfinished");
	double t = scan_number(scan_member(rec, "t"), NAN);
	double end = scan_number(scan_member(rec, "end"), NAN);
	struct buf api = {0};

	scan_text(scan_member(rec, "api"), &api);
	if (point) {
		e->failure_t = isnan(end) ? t : end;
		failure_point(e, rec);
	}
	head(e, rec);
	say_ms(b, " at ", rec, "t");
	if (!isnan(end) && !isnan(t))
		buf_format(b, " took %.0f ms", end - t);
	say(b, " ", rec, "api");
	if (scan_kind(scan_member(rec, "title")) == '"')
		say(b, ": ", rec, "title");
	say(b, " [", rec, "locator");
	if (scan_kind(scan_member(rec, "locator")) == '"')
		buf_byte(b, ']');
	say(b, " -> ", rec, "status");
	if (point)
		buf_text(b, ", this failed the test");
	say_place(b, " at ", rec);
	say(b, " within ", rec, "parent");
	if (strncmp(api.data ? api.data : "", "expect", 6) != 0)
		say(b, " with ", rec, "params");
	buf_free(&api);
	if (failed && !point)
		say_error(e, rec);
	/* Setting an option up is a fixture of its own. */
	bool setting = scan_is(scan_member(rec, "group"), "configuration");
	add(e, TIMELINE, failed ? 0 : setting ? UNWANTED : 2, t, SHORT);
}

/* What happened to a page that nobody called for: a navigation, a dialog, a crash. */
static void
event(struct evidence *e, struct span rec)
{
	head(e, rec);
	say_ms(&e->text, " at ", rec, "t");
	say(&e->text, " ", rec, "kind");
	say(&e->text, " ", rec, "page");
	say(&e->text, ": ", rec, "url");
	say(&e->text, ": ", rec, "message");
	add(e, TIMELINE, 2, scan_number(scan_member(rec, "t"), NAN), SHORT);
}

static void
route(struct evidence *e, struct span rec)
{
	struct buf *b = &e->text;
	static const char *const counts[] = {"matched", "fulfilled", "continued", "aborted"};
	bool never = scan_true(scan_member(rec, "never"));

	head(e, rec);
	say(b, " route ", rec, "pattern");
	say_place(b, " registered at ", rec);
	if (never)
		buf_text(b, " NEVER MATCHED: no request met this pattern");
	for (size_t i = 0; !never && i < sizeof counts / sizeof *counts; i++) {
		double n = scan_number(scan_member(rec, counts[i]), NAN);
		if (n > 0 || (i == 0 && n == 0))
			buf_format(b, ", %s: %.0f", counts[i], n);
	}
	say(b, "; its requests went to the newer ", rec, "shadowed_by");
	say_list(b, "; requests that come near: ", ", ", scan_member(rec, "near"), 10);
	add(e, MOCKS, never ? 0 : 1, NAN, SHORT);
}

/* Tell the item of a message how often it came again. */
static void
said_settle(struct evidence *e, struct said *said)
{
	struct note *n;

	for (size_t i = 0; said->again != 0 && (n = sections_note(e->s, CONSOLE, i)) != NULL; i++)
		if (n->serial == said->serial)
			n->again = said->again;
	said->again = 0;
	buf_clear(&said->text);
}

/* The message at hand, when one of the last few was the same but for its time; otherwise NULL, and
 * it takes the place of the oldest. */
static struct said *
said_before(struct evidence *e, const char *text, size_t len)
{
	for (size_t i = 0; i < AGAIN; i++) {
		struct said *s = &e->said[i];
		if (s->text.len == len && memcmp(s->text.data, text, len) == 0)
			return s;
	}
	struct said *s = &e->said[e->said_count % AGAIN];
	said_settle(e, s);
	buf_add(&s->text, text, len);
	s->serial = e->said_count++;
	return NULL;
}

static void
add_said(struct evidence *e, struct span rec, int rank, size_t most)
{
	struct buf *b = &e->text;
	const char *ref_end = memchr(b->data, ' ', b->len);
	struct said *said = said_before(e, ref_end, b->len - (size_t)(ref_end - b->data));

	if (said != NULL) {
		said->again++;
		return;
	}
	say_ms(b, ", at ", rec, "t");
	add(e, CONSOLE, rank, scan_number(scan_member(rec, "t"), NAN), most);
}

static void
console(struct evidence *e, struct span rec)
{
	struct buf *b = &e->text;
	struct span level = scan_member(rec, "level");
	int rank = scan_is(level, "error") ? 0 : scan_is(level, "warning") ? 1 : 3;

	head(e, rec);
	buf_byte(b, ' ');
	say(b, "", rec, "level");
	say(b, ": ", rec, "text");
	say_place(b, ", said at ", rec);
	add_said(e, rec, rank, rank == 0 ? LONG : SHORT);
}

static void
page_error(struct evidence *e, struct span rec)
{
	head(e, rec);
	buf_text(&e->text, " uncaught in the page:");
	say(&e->text, " ", rec, "message");
	say_stack(&e->text, rec);
	add_said(e, rec, 0, LONG);
}

static void
say_headers(struct buf *b, const char *before, struct span headers)
{
	static const char *const telling[] = {"content-type", "location", "www-authenticate",
	    "retry-after", "access-control-allow-origin", "authorization", "cookie",
	    "content-security-policy"};
	struct scan_each it = {0};
	struct buf name = {0};

	while (scan_kind(headers) == '{' && scan_each(&it, headers)) {
		bool tell = false;
		buf_clear(&name);
		scan_text(it.key, &name);
		for (char *p = name.data; *p != '\0'; p++)
			*p |= *p >= 'A' && *p <= 'Z' ? 0x20 : 0;
		for (size_t i = 0; i < sizeof telling / sizeof *telling; i++)
			tell = tell || strcmp(name.data, telling[i]) == 0;
		if (!tell)
			continue;
		buf_format(b, "\n    %s %s: ", before, name.data);
		say_value(b, it.value, "    ");
	}
	buf_free(&name);
}

static bool
same(const char *a, const char *b)
{
	return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/* Is id one of the lines of ids? */
static bool
among(const char *ids, const char *id)
{
	const char *at = ids;
	size_t len = id != NULL ? strlen(id) : 0;

	while (len != 0 && (at = strstr(at, id)) != NULL) {
		if (at > ids && at[-1] == '\n' && at[len] == '\n')
			return true;
		at++;
	}
	return false;
}

/* A body matters as much as the one of its requests that matters most, and is told after it. */
static void
judge_body(struct evidence *e, struct note *body)
{
	const struct note *n, *best = NULL;

	for (size_t i = 0; (n = sections_note(e->s, NETWORK, i)) != NULL; i++)
		if (n->of == NULL && (best == NULL || n->rank < best->rank) &&
		    (among(body->of, n->id) || among(body->of, n->ref)))
			best = n;
	if (best == NULL) {
		body->rank = body->rank == UNWANTED ? UNWANTED : 3;
		return;
	}
	bool shown = best->rank <= (body->rank == UNWANTED ? 0 : 2);
	body->rank = shown ? best->rank : UNWANTED;
	if (shown)
		body->order = best->order + 0.5;
}

static void
add_network(struct evidence *e, struct note note, size_t most)
{
	note.order = e->requests++;
	buf_byte(&e->text, '\n');
	sections_add(e->s, NETWORK, note, e->text.data, e->text.len, most);
}

static bool
is_of(struct span mime, const char *kind)
{
	struct buf text = {0};
	bool is = scan_text(mime, &text) && strstr(text.data, kind) != NULL;

	buf_free(&text);
	return is;
}

static void
request(struct evidence *e, struct span rec)
{
	struct buf *b = &e->text;
	double status = scan_number(scan_member(rec, "status"), NAN);
	struct span kind = scan_member(rec, "resource_type");
	bool api = scan_true(scan_member(rec, "api_request"));
	bool failed = status >= 400 || scan_kind(scan_member(rec, "failure")) == '"';
	/* Old traces do not say what a request was for. */
	bool data = api || scan_is(kind, "xhr") || scan_is(kind, "fetch") ||
		    scan_is(kind, "document") || scan_is(kind, "websocket") ||
		    (scan_kind(kind) == 0 && is_of(scan_member(rec, "mime"), "json"));

	head(e, rec);
	say(b, " ", rec, "method");
	say(b, " ", rec, "url");
	say(b, " -> ", rec, "status");
	say(b, " ", rec, "status_text");
	if (isnan(status))
		buf_text(b, " -> no answer");
	say(b, ", failed: ", rec, "failure");
	say_ms(b, ", at ", rec, "t");
	say_ms(b, ", took ", rec, "duration_ms");
	say(b, ", ", rec, "resource_type");
	say(b, ", ", rec, "mime");
	if (api)
		buf_text(b, ", the test's own API call");
	say(b, ", by the test's mock: ", rec, "mocked");
	say(b, ", answered by: ", rec, "answered_by");
	if (failed) {
		say_headers(b, "request", scan_member(rec, "request_headers"));
		say_headers(b, "response", scan_member(rec, "response_headers"));
	}
	int rank = failed ? 0 : api || isnan(status) ? 1 : data ? 2 : 4;
	if (scan_true(scan_member(rec, "earlier")))
		rank = 4;
	add_network(e,
	    (struct note){.rank = rank,
		.t = scan_number(scan_member(rec, "t"), NAN),
		.id = scan_copy(scan_member(rec, "id")),
		.ref = scan_copy(scan_member(rec, "ref"))},
	    failed ? LONG : SHORT);
}

/* The strings of a list as lines. */
static char *
ids_of(struct span list)
{
	struct buf ids = {0};
	struct scan_each it = {0};

	buf_byte(&ids, '\n');
	while (scan_kind(list) == '[' && scan_each(&it, list))
		if (scan_text(it.value, &ids))
			buf_byte(&ids, '\n');
	return ids.data;
}

static void
body(struct evidence *e, struct span rec)
{
	struct buf *b = &e->text;
	struct span requests = scan_member(rec, "requests"), text = scan_member(rec, "text");

	head(e, rec);
	say(b, " ", rec, "of");
	say_list(b, " body of ", ", ", requests, 5);
	say(b, ", ", rec, "mime");
	say(b, ", bytes: ", rec, "bytes");
	say(b, ", not shown: ", rec, "omitted");
	if (scan_kind(text) == '"') {
		buf_text(b, "\n    ");
		say_value(b, text, "    ");
	}
	/* Whether it matters is its requests' affair, at the end; but what a page was made from
	 * tells less than the snapshot of it. */
	bool page = is_of(scan_member(rec, "mime"), "text/html");
	add_network(
	    e, (struct note){.rank = page ? UNWANTED : 2, .t = NAN, .of = ids_of(requests)}, LONG);
}

static void
snapshot(struct evidence *e, struct span rec)
{
	struct buf *b = &e->text;
	bool now = scan_true(scan_member(rec, "at_failure"));
	struct span aria = scan_member(rec, "aria");

	if (!now)
		return;
	head(e, rec);
	buf_text(b, " the page when it failed:");
	say(b, " ", rec, "url");
	say(b, ", title: ", rec, "title");
	say_ms(b, ", at ", rec, "t");
	say(b, ", ", rec, "phase");
	say(b, " ", rec, "call");
	if (scan_kind(aria) == '"') {
		buf_text(b, "\n  ");
		say_value(b, aria, "  ");
	}
	add(e, PAGE, 0, NAN, WHOLE);
}

static void
attachment(struct evidence *e, struct span rec)
{
	struct buf *b = &e->text;
	struct span text = scan_member(rec, "text");

	head(e, rec);
	say(b, " attachment ", rec, "name");
	say(b, ", ", rec, "mime");
	say(b, ", bytes: ", rec, "bytes");
	say(b, ", not shown: ", rec, "omitted");
	/* Playwright's error-context repeats the failure and the page. */
	if (scan_kind(text) == '"' && !scan_is(scan_member(rec, "name"), "error-context")) {
		buf_text(b, "\n    ");
		say_value(b, text, "    ");
	}
	add(e, NOTES, 2, NAN, SHORT);
}

static void
source(struct evidence *e, struct span rec)
{
	head(e, rec);
	buf_text(&e->text, " source");
	say_place(&e->text, " ", rec);
	say_lines(&e->text, rec);
	add(e, FAILURE, 1, NAN, LONG);
}

static void
code(struct evidence *e, struct span rec)
{
	head(e, rec);
	buf_text(&e->text, " code");
	say_place(&e->text, " ", rec);
	say(&e->text, ", asked for by ", rec, "why");
	say_lines(&e->text, rec);
	add(e, CODE, 1, NAN, LONG);
}

static void
graphql(struct evidence *e, struct span rec)
{
	struct buf *b = &e->text;
	struct span errors = scan_member(rec, "errors");
	struct scan_each it = {0};
	bool good = scan_is(scan_member(rec, "outcome"), "ok");

	head(e, rec);
	say(b, " ", rec, "kind");
	say(b, " ", rec, "operation");
	say(b, " -> ", rec, "outcome");
	say(b, ", HTTP ", rec, "status");
	say(b, ", of ", rec, "request");
	say(b, ", by the test's mock: ", rec, "mocked");
	while (scan_kind(errors) == '[' && scan_each(&it, errors)) {
		say(b, "\n    error: ", it.value, "message");
		say(b, ", code: ", it.value, "code");
		say(b, ", category: ", it.value, "category");
		say(b, ", path: ", it.value, "path");
	}
	add(e, GRAPHQL, good ? 3 : 0, NAN, good ? SHORT : LONG);
	if (!good && scan_kind(scan_member(rec, "request")) == '"') {
		if (e->troubles == e->room) {
			e->room = e->room ? e->room * 2 : 8;
			e->troubled = prog_resize(e->troubled, e->room, sizeof *e->troubled);
		}
		e->troubled[e->troubles++] = scan_copy(scan_member(rec, "request"));
	}
	if (scan_kind(scan_member(rec, "mock_hint")) == '"') {
		head(e, rec);
		say(b, " hint: ", rec, "mock_hint");
		add(e, MOCKS, 0, NAN, SHORT);
	}
}

static void
verdict(struct evidence *e, struct span rec)
{
	head(e, rec);
	say(&e->text, " ", rec, "tool");
	say(&e->text, ": ", rec, "verdict");
	say_list(&e->text, "\n    because ", "\n    because ", scan_member(rec, "reasons"), 20);
	add(e, GRAPHQL, 0, NAN, LONG);
}

static void
warning(struct evidence *e, struct span rec)
{
	head(e, rec);
	say(&e->text, " ", rec, "tool");
	say(&e->text, ": ", rec, "message");
	say(&e->text, " (", rec, "code");
	if (scan_kind(scan_member(rec, "code")) == '"')
		buf_byte(&e->text, ')');
	say(&e->text, ", ", rec, "where");
	add(e, NOTES, 1, NAN, SHORT);
}

/* What a model asked for before: that it had its answer, and what that was. */
static void
asked(struct evidence *e, struct span rec)
{
	head(e, rec);
	say(&e->text, " ", rec, "ask");
	say(&e->text, ": ", rec, "why");
	if (scan_kind(scan_member(rec, "text")) == '"') {
		buf_text(&e->text, "\n    ");
		say_value(&e->text, scan_member(rec, "text"), "    ");
	}
	add(e, NOTES, 0, NAN, LONG);
}

void
evidence_add(struct evidence *e, const struct ndjson *record)
{
	static const struct {
		const char *type;
		void (*render)(struct evidence *, struct span);
	} kinds[] = {{"request", request}, {"body", body}, {"action", action}, {"console", console},
	    {"graphql", graphql}, {"snapshot", snapshot}, {"source", source}, {"code", code},
	    {"route", route}, {"page_error", page_error}, {"test", test}, {"error", error},
	    {"attachment", attachment}, {"verdict", verdict}, {"warning", warning},
	    {"event", event}, {"asked", asked}};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (ndjson_is(record, kinds[i].type)) {
			kinds[i].render(e, ndjson_span(record));
			return;
		}
}

static bool
in_trouble(const struct evidence *e, const struct note *n)
{
	for (size_t i = 0; i < e->troubles; i++)
		if (same(e->troubled[i], n->id) || same(e->troubled[i], n->ref))
			return true;
	return false;
}

static bool
near_failure(const struct evidence *e, double t)
{
	return !isnan(e->failure_t) && t <= e->failure_t && t >= e->failure_t - NEAR_MS;
}

void
evidence_end(struct evidence *e)
{
	struct note *n;

	for (size_t i = 0; (n = sections_note(e->s, NETWORK, i)) != NULL; i++) {
		if (in_trouble(e, n))
			n->rank = 0;
		else if (n->of == NULL && n->rank == 2 && near_failure(e, n->t))
			n->rank = 1;
	}
	for (size_t i = 0; (n = sections_note(e->s, NETWORK, i)) != NULL; i++)
		if (n->of != NULL)
			judge_body(e, n);
	for (size_t i = 0; (n = sections_note(e->s, TIMELINE, i)) != NULL; i++)
		if (n->rank == 2 && near_failure(e, n->t))
			n->rank = 1;
	for (size_t i = 0; i < AGAIN; i++)
		said_settle(e, &e->said[i]);
	e->said_count = 0;
	e->requests = 0;
	for (size_t i = 0; i < e->troubles; i++)
		free(e->troubled[i]);
	e->troubles = 0;
	e->failure_t = NAN;
	buf_clear(&e->failed);
}

void
evidence_free(struct evidence *e)
{
	buf_free(&e->text);
	buf_free(&e->failed);
	free(e->troubled);
	for (size_t i = 0; i < AGAIN; i++)
		buf_free(&e->said[i].text);
	free(e);
}
