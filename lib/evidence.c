#define _GNU_SOURCE /* strcasestr, memmem */
#include "evidence.h"

#include <ctype.h>
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "place.h"
#include "prog.h"

enum {
	SLOW_MS = 1000,
	SLOW_LEAST_MS = 250,
	BEFORE_MS = 5000,
	KEPT_BYTES = 8 << 20,   /* of one record */
	MEMORY_BYTES = 1 << 20, /* of a segment; the rest goes to the spool */
	NAMES = 200
};

/* What is asked of any record: found in one pass over it. */
enum member {
	REF,
	T,
	END,
	URL,
	STATUS,
	DURATION,
	FAILURE,
	RESOURCE_TYPE,
	MOCKED,
	EARLIER,
	MIME,
	FAILURE_POINT,
	LOCATOR,
	LOG,
	ERROR,
	RECEIVED,
	OUTCOME,
	REQUEST,
	OPERATION,
	EXPECTED,
	RECOVERED,
	MOCK_HINT,
	NEAR,
	FIRST,
	LINE,
	FILE_NAME,
	TEXT,
	PATTERN,
	NEVER,
	FULFILLED,
	ABORTED,
	MATCHED,
	AT_FAILURE,
	ARIA,
	TERMINAL,
	TOOL,
	VERDICT,
	MEMBERS
};
static const char *const member_names[MEMBERS] = {"ref", "t", "end", "url", "status", "duration_ms",
    "failure", "resource_type", "mocked", "earlier", "mime", "failure_point", "locator", "log",
    "error", "received", "outcome", "request", "operation", "expected", "recovered", "mock_hint",
    "near", "first", "line", "file", "text", "pattern", "never", "fulfilled", "aborted", "matched",
    "at_failure", "aria", "terminal", "tool", "verdict"};

struct item {
	char *ref;
	bool spooled;
	long long at; /* in the spool, or in memory */
	size_t len;
	char *file; /* of code and source */
	long first, last;
};

struct call { /* a request */
	char *ref, *url, *path;
	double t, ms;
	int status; /* 0: none */
	bool failed, aside;
};

struct operation {
	char *ref, *request, *name;
	bool bad;
	char *hint;
};

struct mock {
	char *ref, *pattern, *file;
	long line;
	bool never, silent; /* silent: it saw requests and answered none */
	double matched;
	jv near; /* references; invalid: not said */
};

#define LIST(type)                                                                                 \
	struct {                                                                                   \
		type *at;                                                                          \
		size_t count;                                                                      \
	}
#define ADD(list)                                                                                  \
	((list).at = prog_resize((list).at, (list).count + 1, sizeof *(list).at),                  \
	    &(list).at[(list).count++])

struct evidence {
	struct buf memory;
	FILE *spool; /* NULL: all is in memory */
	long long spooled;
	LIST(struct item) items;
	LIST(struct call) calls;
	LIST(struct operation) operations;
	LIST(struct mock) mocks;
	char *failure, *error; /* references */
	double from, to;       /* when the failing action ran; NaN */
	double last;           /* time of the last action */
	char *locator;
	bool resolved, waited, not_found; /* what its log says of the element */
	char *verdict, *verdict_ref;
	struct buf page; /* aria snapshots at the failure */
	char *page_ref;
};

struct evidence *
evidence_new(void)
{
	struct evidence *e = prog_alloc(1, sizeof *e);

	e->from = e->to = NAN;
	return e;
}

void
evidence_free(struct evidence *e)
{
	if (e->spool != NULL)
		fclose(e->spool);
	for (size_t i = 0; i < e->items.count; i++) {
		free(e->items.at[i].ref);
		free(e->items.at[i].file);
	}
	for (size_t i = 0; i < e->calls.count; i++) {
		free(e->calls.at[i].ref);
		free(e->calls.at[i].url);
		free(e->calls.at[i].path);
	}
	for (size_t i = 0; i < e->operations.count; i++) {
		free(e->operations.at[i].ref);
		free(e->operations.at[i].request);
		free(e->operations.at[i].name);
		free(e->operations.at[i].hint);
	}
	for (size_t i = 0; i < e->mocks.count; i++) {
		free(e->mocks.at[i].ref);
		free(e->mocks.at[i].pattern);
		free(e->mocks.at[i].file);
		jv_free(e->mocks.at[i].near);
	}
	free(e->items.at);
	free(e->calls.at);
	free(e->operations.at);
	free(e->mocks.at);
	free(e->failure);
	free(e->error);
	free(e->locator);
	free(e->verdict);
	free(e->verdict_ref);
	free(e->page_ref);
	buf_free(&e->page);
	buf_free(&e->memory);
	free(e);
}

/* The path of a URL without its query, decoded no further; yours to free. */
static char *
path_of(const char *url)
{
	const char *host = strstr(url, "://");
	const char *path = host != NULL ? host + 3 + strcspn(host + 3, "/?#") : url;

	return prog_copy(path, strcspn(path, "?#"));
}

/* Requests that no element waits for, by what they are. */
static bool
is_aside(const struct span m[MEMBERS], const char *url)
{
	static const char *const types[] = {"image", "font", "media", "stylesheet", "ping",
	    "beacon", "csp_report", "cspviolationreport", "texttrack", "manifest", "websocket",
	    "eventsource", "signedexchange", "preflight"};
	char *type = scan_copy(m[RESOURCE_TYPE]), *mime = scan_copy(m[MIME]);
	bool aside = strncasecmp(url, "ws", 2) == 0 || scan_true(m[EARLIER]) ||
		     scan_is(m[MOCKED], "aborted") ||
		     (mime != NULL && strncasecmp(mime, "text/event-stream", 17) == 0);

	for (size_t i = 0; type != NULL && i < sizeof types / sizeof *types; i++)
		aside = aside || strcasecmp(type, types[i]) == 0;
	free(mime);
	free(type);
	return aside;
}

/* The same, by where they go. */
static bool
is_noise(const struct call *c)
{
	static const char *const places[] = {"favicon", "/collect", "analytics", "/telemetry",
	    "/beacon", "/metrics", "/track", "/pixel", "/rum", "sentry", "/log/", "/logs",
	    "google-analytics", "googletagmanager", "doubleclick", "hotjar", "segment.io", "/stats",
	    "/csp"};

	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		if (strcasestr(*places[i] == '/' ? c->path : c->url, places[i]) != NULL)
			return true;
	return false;
}

static void
add_request(struct evidence *e, const struct span m[MEMBERS])
{
	char *url = scan_copy(m[URL]);
	double status = scan_number(m[STATUS], 0);

	if (url == NULL)
		return;
	*ADD(e->calls) = (struct call){.ref = scan_copy(m[REF]),
	    .url = url,
	    .path = path_of(url),
	    .t = scan_number(m[T], NAN),
	    .ms = scan_number(m[DURATION], NAN),
	    .status = status > 0 && status < 1000 ? (int)status : 0,
	    .failed = m[FAILURE].at != NULL,
	    .aside = is_aside(m, url)};
}

static void
read_log_line(struct evidence *e, const char *line)
{
	if (strstr(line, "resolved to") != NULL && strstr(line, "resolved to 0 ") == NULL)
		e->resolved = true;
	if (strstr(line, "waiting for") != NULL)
		e->waited = true;
	if (strstr(line, "element(s) not found") != NULL || strstr(line, "resolved to 0 ") != NULL)
		e->not_found = true;
}

static void
add_action(struct evidence *e, const struct span m[MEMBERS])
{
	static const enum member texts[] = {ERROR, RECEIVED};
	double t = scan_number(m[T], NAN);
	double end = scan_number(m[END], NAN);
	struct scan_each it = {0};

	if (end > e->last)
		e->last = end;
	if (!scan_true(m[FAILURE_POINT]))
		return;
	free(e->failure);
	free(e->locator);
	e->failure = scan_copy(m[REF]);
	e->locator = scan_copy(m[LOCATOR]);
	e->from = t;
	e->to = end;
	while (scan_kind(m[LOG]) == '[' && scan_each(&it, m[LOG])) {
		char *line = scan_copy(it.value);
		if (line != NULL)
			read_log_line(e, line);
		free(line);
	}
	for (size_t i = 0; i < 2; i++) {
		char *text = scan_copy(m[texts[i]]);
		if (text != NULL)
			read_log_line(e, text);
		free(text);
	}
}

static void
add_operation(struct evidence *e, const struct span m[MEMBERS])
{
	bool wrong = scan_is(m[OUTCOME], "errors") || scan_is(m[OUTCOME], "partial") ||
		     scan_is(m[OUTCOME], "null-data");

	*ADD(e->operations) = (struct operation){.ref = scan_copy(m[REF]),
	    .request = scan_copy(m[REQUEST]),
	    .name = scan_copy(m[OPERATION]),
	    .bad = wrong && !scan_true(m[EXPECTED]) && !scan_true(m[EARLIER]) &&
		   m[RECOVERED].at == NULL,
	    .hint = scan_copy(m[MOCK_HINT])};
}

static void
add_mock(struct evidence *e, const struct span m[MEMBERS])
{
	double line = scan_number(m[LINE], 0);

	*ADD(e->mocks) = (struct mock){.ref = scan_copy(m[REF]),
	    .pattern = scan_copy(m[PATTERN]),
	    .file = scan_copy(m[FILE_NAME]),
	    .line = line > 0 && line < 1e8 ? (long)line : 0,
	    .never = scan_true(m[NEVER]),
	    .silent = scan_number(m[FULFILLED], 1) == 0 && scan_number(m[ABORTED], 1) == 0,
	    .matched = scan_number(m[MATCHED], 0),
	    .near = m[NEAR].at != NULL ? jvx_build(m[NEAR]) : jv_invalid()};
}

static void
add_snapshot(struct evidence *e, const struct span m[MEMBERS])
{
	if (!scan_true(m[AT_FAILURE]))
		return;
	if (scan_text(m[ARIA], &e->page))
		buf_byte(&e->page, '\n');
	if (e->page_ref == NULL)
		e->page_ref = scan_copy(m[REF]);
}

static void
spool(struct evidence *e, const char *bytes, size_t len)
{
	if (e->spool == NULL && (e->spool = tmpfile()) == NULL)
		err(TROUBLE, "temporary file");
	if (fwrite(bytes, 1, len, e->spool) != len)
		err(TROUBLE, "temporary file");
}

static void
keep(struct evidence *e, struct span record, const struct span m[MEMBERS], bool lines)
{
	struct item item = {.ref = scan_copy(m[REF])};

	if (lines) {
		double first = scan_number(m[FIRST], 1);
		struct buf text = {0};
		item.file = scan_copy(m[FILE_NAME]);
		item.first = first >= 1 && first < 1e8 ? (long)first : 1;
		scan_text(m[TEXT], &text);
		item.last = item.first;
		for (size_t i = 0; i + 1 < text.len; i++)
			item.last += text.data[i] == '\n';
		buf_free(&text);
	}
	if (item.ref == NULL && item.file == NULL)
		return;
	item.len = record.len < KEPT_BYTES ? record.len : 0;
	item.spooled = e->memory.len + item.len > MEMORY_BYTES;
	if (item.spooled) {
		spool(e, record.at, item.len);
		item.at = e->spooled;
		e->spooled += (long long)item.len;
	} else {
		item.at = (long long)e->memory.len;
		buf_add(&e->memory, record.at, item.len);
	}
	*ADD(e->items) = item;
}

void
evidence_record(struct evidence *e, const struct ndjson *in)
{
	struct span record = ndjson_span(in), m[MEMBERS];
	bool lines = ndjson_is(in, "code") || ndjson_is(in, "source");

	scan_members(record, member_names, m, MEMBERS);
	keep(e, record, m, lines);
	if (ndjson_is(in, "request")) {
		add_request(e, m);
	} else if (ndjson_is(in, "action")) {
		add_action(e, m);
	} else if (ndjson_is(in, "graphql")) {
		add_operation(e, m);
	} else if (ndjson_is(in, "route")) {
		add_mock(e, m);
	} else if (ndjson_is(in, "snapshot")) {
		add_snapshot(e, m);
	} else if (ndjson_is(in, "error")) {
		if (scan_true(m[TERMINAL])) {
			free(e->error);
			e->error = scan_copy(m[REF]);
		}
	} else if (ndjson_is(in, "verdict") && scan_is(m[TOOL], "gql-verify")) {
		free(e->verdict);
		free(e->verdict_ref);
		e->verdict = scan_copy(m[VERDICT]);
		e->verdict_ref = scan_copy(m[REF]);
	}
}

/* The record as it came; empty when it was too large to keep. */
static void
fetch(const struct evidence *e, const struct item *item, struct buf *b)
{
	buf_clear(b);
	if (item->len == 0)
		return;
	if (!item->spooled) {
		buf_add(b, e->memory.data + item->at, item->len);
		return;
	}
	buf_reserve(b, item->len);
	if (fseeko(e->spool, (off_t)item->at, SEEK_SET) != 0 ||
	    fread(b->data, 1, item->len, e->spool) != item->len)
		err(TROUBLE, "temporary file");
	b->len = item->len;
	b->data[b->len] = '\0';
	if (fseeko(e->spool, 0, SEEK_END) != 0)
		err(TROUBLE, "temporary file");
}

static const struct item *
by_ref(const struct evidence *e, const char *ref)
{
	for (size_t i = 0; i < e->items.count; i++)
		if (e->items.at[i].ref != NULL && strcmp(e->items.at[i].ref, ref) == 0)
			return &e->items.at[i];
	return NULL;
}

/* "[request:12]" and "request:12." are meant well. */
static char *
bare(const char *cite)
{
	size_t from = strspn(cite, " \t\n[(`'\""), len = strlen(cite);

	while (len > from && strchr(" \t\n])`'\".,;", cite[len - 1]) != NULL)
		len--;
	return prog_copy(cite + from, len > from ? len - from : 0);
}

enum evidence_cited
evidence_cited(const struct evidence *e, const char *cite)
{
	enum evidence_cited answer = CITED_NONSENSE;
	char *name = bare(cite);
	long from, to;
	size_t file_len = place_read(name, strlen(name), &from, &to);

	if (by_ref(e, name) != NULL) {
		answer = CITED_SHOWN;
	} else if (file_len > 0) {
		bool word = true; /* request:12 and the like have no '.' or '/' */
		for (size_t i = 0; i < file_len; i++)
			word = word && (islower((unsigned char)name[i]) || name[i] == '_');
		answer = word ? CITED_NO_REF : CITED_NO_FILE;
		name[file_len] = '\0';
		for (size_t i = 0; !word && i < e->items.count; i++) {
			const struct item *item = &e->items.at[i];
			if (item->file == NULL || !place_same_file(item->file, name))
				continue;
			if (from >= item->first && to <= item->last) {
				answer = CITED_SHOWN;
				break;
			}
			answer = CITED_NO_LINE;
		}
	}
	free(name);
	return answer;
}

/* Append with every run of white space as one blank, and typographic quotes plain. */
static void
add_flat(struct buf *b, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		if (c == 0xe2 && len - i > 2 && (unsigned char)text[i + 1] == 0x80) {
			unsigned char d = (unsigned char)text[i + 2];
			if (d == 0x98 || d == 0x99 || d == 0x9c || d == 0x9d) {
				buf_byte(b, d < 0x9c ? '\'' : '"');
				i += 2;
				continue;
			}
		}
		if (isspace(c)) {
			if (b->len > 0 && b->data[b->len - 1] != ' ')
				buf_byte(b, ' ');
			continue;
		}
		buf_byte(b, c);
	}
}

static bool
holds(const struct buf *flat, const char *quote)
{
	struct buf want = {0};

	add_flat(&want, quote, strlen(quote));
	while (want.len > 0 && want.data[want.len - 1] == ' ')
		want.data[--want.len] = '\0';
	bool found = want.len == 0 ||
		     (flat->len > 0 && memmem(flat->data, flat->len, want.data, want.len) != NULL);
	buf_free(&want);
	return found;
}

/* Every string and number of a value. */
static void
add_scalars(struct span value, struct buf *flat, int depth)
{
	struct scan_each it = {0};
	struct buf text = {0};

	switch (scan_kind(value)) {
	case '{':
	case '[':
		while (depth < 64 && scan_each(&it, value))
			add_scalars(it.value, flat, depth + 1);
		break;
	case '"':
		scan_text(value, &text);
		add_flat(flat, text.data ? text.data : "", text.len);
		buf_byte(flat, ' ');
		buf_free(&text);
		break;
	default: buf_add(flat, value.at, value.len); buf_byte(flat, ' ');
	}
}

static bool
record_says(const struct evidence *e, const struct item *item, const char *quote)
{
	struct buf raw = {0}, flat = {0};

	fetch(e, item, &raw);
	if (raw.len > 0)
		add_scalars(scan_trim(raw.data, raw.len), &flat, 0);
	bool found = holds(&flat, quote) || holds(&raw, quote);
	buf_free(&raw);
	buf_free(&flat);
	return found;
}

/* Lines from to to of a code or source record say the quote? */
static bool
lines_say(const struct evidence *e, const struct item *item, long from, long to, const char *quote)
{
	struct buf raw = {0}, text = {0}, flat = {0};
	long line = item->first;

	fetch(e, item, &raw);
	if (raw.len > 0)
		scan_text(scan_member(scan_trim(raw.data, raw.len), "text"), &text);
	for (size_t i = 0; i < text.len;) {
		const char *eol = memchr(text.data + i, '\n', text.len - i);
		size_t end = eol != NULL ? (size_t)(eol - text.data) + 1 : text.len;
		if (line >= from && line <= to)
			add_flat(&flat, text.data + i, end - i);
		line++;
		i = end;
	}
	bool found = holds(&flat, quote);
	buf_free(&raw);
	buf_free(&text);
	buf_free(&flat);
	return found;
}

bool
evidence_says(const struct evidence *e, const char *cite, const char *quote, long *line)
{
	char *name = bare(cite);
	long from, to;
	const struct item *record = by_ref(e, name);
	size_t file_len = place_read(name, strlen(name), &from, &to);
	bool found = record != NULL && record_says(e, record, quote);

	*line = 0;
	if (record == NULL && file_len > 0)
		name[file_len] = '\0';
	for (size_t i = 0; record == NULL && file_len > 0 && !found && i < e->items.count; i++) {
		const struct item *item = &e->items.at[i];
		if (item->file == NULL || !place_same_file(item->file, name))
			continue;
		found = lines_say(e, item, from, to, quote);
		for (long k = item->first; !found && *line == 0 && k <= item->last; k++)
			if (lines_say(e, item, k, k, quote))
				*line = k;
	}
	free(name);
	return found;
}

const char *
evidence_failure(const struct evidence *e)
{
	return e->failure != NULL ? e->failure : e->error;
}

double
evidence_slow_ms(const struct evidence *e)
{
	double half = (e->to - e->from) / 2;

	if (!(half > 0) || half > SLOW_MS)
		return SLOW_MS;
	return half < SLOW_LEAST_MS ? SLOW_LEAST_MS : floor(half);
}

static bool
means_later(int status)
{
	return status == 408 || status == 425 || status == 429 || (status >= 502 && status <= 504);
}

static bool
is_late(const struct evidence *e, const struct call *c)
{
	double end = !isnan(e->to) ? e->to : e->last;
	double start = !isnan(e->from) ? e->from : end;

	if (c->aside || isnan(c->t) || (end > 0 && c->t > end))
		return false;
	bool unanswered = c->status == 0 && !c->failed;
	if (unanswered)
		return true;
	double stop = c->t + (isnan(c->ms) ? 0 : c->ms);
	if ((c->failed && c->status == 0) || means_later(c->status))
		return stop >= start - BEFORE_MS;
	return stop >= start && c->ms >= evidence_slow_ms(e);
}

/* Of what is late: did it take long, or had it when the test failed? */
static bool
is_slow(const struct evidence *e, const struct call *c)
{
	double end = !isnan(e->to) ? e->to : e->last;
	double ms = c->status == 0 ? end - c->t : c->ms;

	return is_late(e, c) && !c->failed && !means_later(c->status) && ms >= evidence_slow_ms(e);
}

static jv
add_ref(jv refs, const char *ref)
{
	return ref == NULL ? refs : jv_array_append(refs, jv_string(ref));
}

jv
evidence_late(const struct evidence *e)
{
	jv refs = jv_array();

	for (size_t i = 0; i < e->calls.count && jv_array_length(jv_copy(refs)) < 20; i++)
		if (is_late(e, &e->calls.at[i]) && !is_noise(&e->calls.at[i]))
			refs = add_ref(refs, e->calls.at[i].ref ? e->calls.at[i].ref : "request");
	return refs;
}

jv
evidence_slow(const struct evidence *e)
{
	jv refs = jv_array();

	for (size_t i = 0; i < e->calls.count && jv_array_length(jv_copy(refs)) < 20; i++)
		if (is_slow(e, &e->calls.at[i]) && !is_noise(&e->calls.at[i]))
			refs = add_ref(refs, e->calls.at[i].ref ? e->calls.at[i].ref : "request");
	return refs;
}

/* One getByX('text') or role and name of a locator, from its last part that can be looked up. */
struct wanted {
	char role[40];
	char name[200];
	bool exact;
};

static size_t
quoted_text(const char *p, char *out, size_t size)
{
	char quote = *p;
	size_t n = 0;

	if (quote != '\'' && quote != '"' && quote != '`')
		return 0;
	for (p++; *p != '\0' && *p != quote && n + 1 < size; p++) {
		if (*p == '\\' && p[1] != '\0')
			p++;
		out[n++] = *p;
	}
	out[n] = '\0';
	return n;
}

/* A text argument: a string, or an expression that is no more than its letters. */
static bool
text_argument(const char *p, struct wanted *w)
{
	if (*p != '/')
		return quoted_text(p, w->name, sizeof w->name) > 0;
	size_t len = strcspn(p + 1, "/\\^$.|?*+()[]{}");
	if (p[1 + len] != '/' || len == 0 || len >= sizeof w->name)
		return false;
	memcpy(w->name, p + 1, len);
	w->name[len] = '\0';
	return true;
}

/*
 * What comes behind the last getByRole or getByText narrows further; that part alone is looked for,
 * for absent is absent.  False when it cannot be told what is looked for.
 */
static bool
read_locator(const char *locator, struct wanted *w)
{
	const char *last = NULL, *p = locator;

	*w = (struct wanted){0};
	for (; (p = strstr(p, "getBy")) != NULL; p += 5)
		if (strncmp(p, "getByRole(", 10) == 0 || strncmp(p, "getByText(", 10) == 0)
			last = p;
	if (last == NULL)
		return false;
	size_t len = strcspn(last, ")");
	char *call = prog_copy(last, len);
	bool readable = true;
	w->exact = strstr(call, "exact: true") != NULL;
	const char *name = strstr(call, "name:");
	if (last[5] == 'T')
		readable = text_argument(call + 10, w);
	else if (quoted_text(call + 10, w->role, sizeof w->role) == 0)
		readable = false;
	else if (name != NULL)
		readable = text_argument(name + 5 + strspn(name + 5, " "), w);
	free(call);
	return readable;
}

/* An exact name stands alone: between quotes, or as the whole text behind ": ". */
static bool
line_names(const char *line, const struct wanted *w)
{
	size_t len = strlen(w->name);

	if (len == 0)
		return true;
	if (!w->exact)
		return strcasestr(line, w->name) != NULL;
	for (const char *p = line; (p = strstr(p, w->name)) != NULL; p++)
		if (p > line + 1 && strchr("\"'", p[len]) != NULL &&
		    (p[-1] == '"' || (p[-1] == ' ' && p[-2] == ':')))
			return true;
	return false;
}

/* A line of the aria snapshot with that role and name. */
static bool
on_page(const struct buf *page, const struct wanted *w)
{
	size_t role = strlen(w->role);
	bool fits = false;

	for (const char *p = page->data, *end = p + page->len; !fits && p < end;) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		char *line = prog_copy(p, (size_t)((eol != NULL ? eol : end) - p));
		const char *at = line + strspn(line, " -'");
		fits = (role == 0 || (strncmp(at, w->role, role) == 0 &&
					 !isalpha((unsigned char)at[role]))) &&
		       line_names(at, w);
		free(line);
		p = eol != NULL ? eol + 1 : end;
	}
	return fits;
}

static bool
shows_loading(const struct buf *page)
{
	static const char *const signs[] = {
	    "progressbar", "loading", "spinner", "please wait", "skeleton"};

	for (size_t i = 0; page->len > 0 && i < sizeof signs / sizeof *signs; i++)
		if (strcasestr(page->data, signs[i]) != NULL)
			return true;
	return false;
}

jv
evidence_absent(const struct evidence *e)
{
	struct wanted w;
	jv refs = jv_array();

	if (e->failure == NULL || e->locator == NULL || e->resolved ||
	    (!e->waited && !e->not_found))
		return refs;
	bool readable = read_locator(e->locator, &w);
	if (shows_loading(&e->page) || (readable && e->page.len > 0 && on_page(&e->page, &w)))
		return refs;
	/* A log of waiting alone is not enough: somebody must have looked at the page. */
	if (!e->not_found && !(readable && e->page.len > 0))
		return refs;
	return add_ref(add_ref(refs, e->failure), e->page_ref);
}

jv
evidence_divergence(const struct evidence *e)
{
	jv refs = jv_array();

	if (e->verdict == NULL || strcmp(e->verdict, "DIVERGENCE DETECTED") != 0)
		return refs;
	refs = add_ref(refs, e->verdict_ref != NULL ? e->verdict_ref : "verdict");
	for (size_t i = 0; i < e->operations.count && i < NAMES; i++)
		if (e->operations.at[i].bad)
			refs = add_ref(refs, e->operations.at[i].ref);
	return refs;
}

/* A name as a whole word. */
static bool
mentions(const char *text, const char *name)
{
	size_t len = name == NULL ? 0 : strlen(name);

	if (len == 0)
		return false;
	for (const char *p = text; (p = strstr(p, name)) != NULL; p++) {
		bool left = p == text || !(isalnum((unsigned char)p[-1]) || p[-1] == '_');
		bool right = !(isalnum((unsigned char)p[len]) || p[len] == '_');
		if (left && right)
			return true;
	}
	return false;
}

static bool
is_cited(jv cites, const char *ref)
{
	bool found = false;

	if (ref == NULL || jv_get_kind(cites) != JV_KIND_ARRAY)
		return false;
	jv_array_foreach (cites, i, cite) {
		found = found || (jv_get_kind(cite) == JV_KIND_STRING &&
				     strcmp(jv_string_value(cite), ref) == 0);
		jv_free(cite);
	}
	return found;
}

bool
evidence_only_healthy(const struct evidence *e, const char *text, jv cites)
{
	bool good = false;

	for (size_t i = 0; i < e->operations.count; i++) {
		const struct operation *o = &e->operations.at[i];
		bool meant = mentions(text, o->name) || is_cited(cites, o->ref);
		if (o->bad && (meant || is_cited(cites, o->request)))
			return false;
		good = good || meant;
	}
	for (size_t i = 0; i < e->calls.count; i++) {
		const struct call *c = &e->calls.at[i];
		bool graphql = false;
		for (size_t k = 0; k < e->operations.count; k++)
			graphql =
			    graphql || (c->ref != NULL && e->operations.at[k].request != NULL &&
					   strcmp(c->ref, e->operations.at[k].request) == 0);
		/* "/" and the like stand in every text. */
		if (!graphql && strlen(c->path) > 3 &&
		    (strstr(text, c->path) != NULL || is_cited(cites, c->ref)))
			good = true;
	}
	return good;
}

/* The last segment of a pattern or path that is no wildcard. */
static char *
last_segment(const char *path)
{
	size_t end = strcspn(path, "?#");

	while (end > 0) {
		size_t from = end;
		while (from > 0 && path[from - 1] != '/')
			from--;
		size_t len = end - from;
		if (len > 0 && strcspn(path + from, "*{}[]()^$\\|") >= len)
			return prog_copy(path + from, len);
		if (from == 0)
			break;
		end = from - 1;
	}
	return NULL;
}

/* Where a writer did not say which requests came near, those with the same last segment did. */
static bool
something_near(const struct evidence *e, const struct mock *m)
{
	if (jv_get_kind(m->near) == JV_KIND_ARRAY)
		return jv_array_length(jv_copy(m->near)) > 0;
	char *want = m->pattern != NULL ? last_segment(m->pattern) : NULL;
	bool found = false;
	for (size_t i = 0; want != NULL && !found && i < e->calls.count; i++) {
		char *last = last_segment(e->calls.at[i].path);
		found = last != NULL && strcasecmp(last, want) == 0;
		free(last);
	}
	free(want);
	return found;
}

/*
 * A handler that could fulfil: the word stands between its first line and the one that closes the
 * call, as people indent it.  Without it the route only looks on.
 */
static bool
could_fulfil(const struct evidence *e, const struct mock *m)
{
	bool found = false;

	for (size_t i = 0; i < e->items.count && !found; i++) {
		const struct item *item = &e->items.at[i];
		if (item->file == NULL || m->file == NULL || !place_same_file(item->file, m->file))
			continue;
		for (long k = m->line; k <= item->last && k < m->line + 60; k++) {
			found = k >= item->first && lines_say(e, item, k, k, ".fulfill(");
			if (found || (k > m->line && lines_say(e, item, k, k, "});")))
				break;
		}
	}
	return found;
}

static jv
idle_mock(const char *ref, const char *file, long line, struct buf *text, jv names)
{
	jv item = jvx_set_text(jv_object(), "ref", ref);
	struct buf place = {0};

	if (file != NULL && line > 0)
		buf_format(&place, "%s:%ld", file, line);
	item = jvx_set_text(item, "place", place.data);
	item = jvx_set(item, "text", jv_string_sized(text->data, (int)text->len));
	item = jvx_set(item, "names", names);
	buf_free(&place);
	return item;
}

/* The names in double quotes of a mock_hint. */
static jv
hint_names(const char *hint)
{
	jv names = jv_array();

	for (const char *p = hint; (p = strchr(p, '"')) != NULL;) {
		const char *end = strchr(p + 1, '"');
		if (end == NULL)
			break;
		if (end > p + 1)
			names = jv_array_append(names, jv_string_sized(p + 1, (int)(end - p - 1)));
		p = end + 1;
	}
	return names;
}

jv
evidence_idle_mocks(const struct evidence *e)
{
	jv list = jv_array();
	struct buf text = {0};

	for (size_t i = 0; i < e->mocks.count; i++) {
		const struct mock *m = &e->mocks.at[i];
		const char *pattern = m->pattern != NULL ? m->pattern : "(pattern unknown)";
		buf_clear(&text);
		if (m->never && something_near(e, m))
			buf_format(&text,
			    "the mock %s matched no request, though requests like it were sent",
			    pattern);
		else if (m->silent && m->matched > 0 && could_fulfil(e, m))
			buf_format(&text, "the mock %s saw %.0f requests and answered none of them",
			    pattern, m->matched);
		else
			continue;
		jv names = jv_array();
		if (m->pattern != NULL)
			names = jv_array_append(names, jv_string(m->pattern));
		list = jv_array_append(list, idle_mock(m->ref, m->file, m->line, &text, names));
	}
	for (size_t i = 0; i < e->operations.count; i++) {
		const struct operation *o = &e->operations.at[i];
		if (o->hint == NULL)
			continue;
		buf_clear(&text);
		buf_text(&text, o->hint);
		list =
		    jv_array_append(list, idle_mock(o->ref, NULL, 0, &text, hint_names(o->hint)));
		break; /* one mock, many operations it passed over */
	}
	buf_free(&text);
	return list;
}
