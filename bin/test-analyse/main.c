/* test-analyse: of each failing or newly flaky test, all that is known before anybody thinks. */
#include <err.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "confine.h"
#include "diff.h"
#include "failmsg.h"
#include "flake.h"
#include "git.h"
#include "jvx.h"
#include "ndjson.h"
#include "past.h"
#include "prog.h"
#include "signature.h"
#include "source.h"
#include "trace.h"
#include "triage-rules.h"
#include "utf8.h"

enum { MESSAGE_MAX = 4000, STACK_MAX = 4000, SNIPPET_MAX = 1500, NEIGHBOURS_MAX = 10 };
enum { DIFF_MAX = 32 << 20 };

struct options {
	const char *history, *checkout, *base, *diff, *at, *run, *rules, *traces;
	bool fork, one_file;
};

/* There is one for each test, and few of them matter: what only those need is left as JSON text,
 * which takes a tenth of the memory that values do. */
struct attempt {
	char *test_id, *started_at, *run_id;
	char *trace; /* its path, as the report has it */
	double duration_ms;
	int repeat, retry;
	long worker;
	char status, expected;
	bool known;
	char *error;  /* of one that failed; NULL: none */
	char *about;  /* an object */
	jv neighbour; /* what those it ran before say of it, once for all; invalid: not asked yet */
};

/* What is read of an attempt: first what its about says, and first of that what is of the test. */
static const char *const attempt_member[] = {"project", "file", "line", "title_path", "tags",
    "commit", "branch", "test_id", "status", "expected", "run_id", "run_start", "started_at",
    "trace", "duration_ms", "repeat", "retry", "worker", "attempts_known", "error"};
enum {
	OF_TEST = 5,
	ABOUT = 7,
	ID = ABOUT,
	STATUS,
	EXPECTED,
	RUN,
	START,
	STARTED,
	TRACE,
	DURATION,
	REPEAT,
	RETRY,
	WORKER,
	KNOWN,
	ERROR,
	MEMBERS
};

struct analysis {
	jv rec;
	char *family;
	double ambiguity, size;
	const char *id; /* borrowed from rec */
};

struct work {
	const struct options *o;
	struct attempt *attempt; /* by test */
	size_t count, size;
	struct attempt **timed; /* those with a worker and a time, by both */
	size_t timed_count;
	struct old {
		char *test_id;
		char *rec; /* as it was read, for the same reason */
	} * old;           /* history records */
	size_t old_count, old_size;
	struct analysis *out;
	size_t out_count;
	struct diff *diff;
	struct checkout *checkout;
	struct triage_rules *rules;
	struct traces *traces; /* NULL: none were given */
	bool unreadable;       /* the history */
	size_t depth, tests, failing, newly, groups, run_errors, traced;
	char *run_id, *run_start, *commit, *branch;
	bool fork_known;
};

static char *
copy(const char *text)
{
	return text == NULL ? NULL : prog_copy(text, strlen(text));
}

/* NULL is the empty text. */
static int
text_order(const char *a, const char *b)
{
	return strcmp(a == NULL ? "" : a, b == NULL ? "" : b);
}

/* Reading. */

static bool
is_failing(const struct attempt *a)
{
	char c = flake_effective(a->status, a->expected);

	return c == 'F' || c == 'T';
}

static char *
text_of(struct span json)
{
	return json.at == NULL ? NULL : prog_copy(json.at, json.len);
}

static jv
value_of(const char *json)
{
	return json == NULL ? jv_invalid() : jvx_build((struct span){json, strlen(json)});
}

static char *
about_of(const struct span found[])
{
	struct buf b = {0};

	buf_byte(&b, '{');
	for (size_t i = 0; i < ABOUT; i++)
		if (found[i].at != NULL) {
			jvx_put_key(&b, attempt_member[i]);
			buf_add(&b, found[i].at, found[i].len);
		}
	buf_byte(&b, '}');
	char *about = prog_copy(b.data, b.len);
	buf_free(&b);
	return about;
}

/* A text of a->about. */
static char *
member(const struct attempt *a, const char *name)
{
	return scan_copy(scan_member((struct span){a->about, strlen(a->about)}, name));
}

/* The run that is analysed is the newest. */
static void
note_run(struct work *w, struct span run_id, struct span run_start)
{
	char *id = scan_copy(run_id), *start = scan_copy(run_start);

	if (id == NULL)
		id = copy("");
	bool asked = w->o->run == NULL || strcmp(w->o->run, id) == 0;
	int order = w->run_id == NULL ? 1 : text_order(start, w->run_start);
	if (asked && (order > 0 || (order == 0 && strcmp(id, w->run_id) > 0))) {
		free(w->run_id);
		free(w->run_start);
		w->run_id = id;
		w->run_start = start;
		return;
	}
	free(id);
	free(start);
}

static void
add_attempt(struct work *w, struct span rec)
{
	struct span found[MEMBERS];

	scan_members(rec, attempt_member, found, MEMBERS);
	note_run(w, found[RUN], found[START]);
	char *status = scan_copy(found[STATUS]), *expected = scan_copy(found[EXPECTED]);
	if (scan_kind(found[ID]) != '"' || status == NULL) {
		free(status);
		free(expected);
		return;
	}
	if (w->count == w->size) {
		w->size = w->size == 0 ? 256 : w->size * 2;
		w->attempt = prog_resize(w->attempt, w->size, sizeof *w->attempt);
	}
	struct attempt *a = &w->attempt[w->count++];
	*a = (struct attempt){
	    .test_id = scan_copy(found[ID]), .status = *status, .neighbour = jv_invalid()};
	a->expected = expected == NULL ? 0 : *expected;
	a->run_id = scan_copy(found[RUN]);
	if (a->run_id == NULL)
		a->run_id = copy("");
	a->started_at = scan_copy(found[STARTED]);
	a->trace = scan_copy(found[TRACE]);
	a->duration_ms = scan_number(found[DURATION], -1);
	a->repeat = (int)scan_whole(found[REPEAT], INT_MAX, 0);
	a->retry = (int)scan_whole(found[RETRY], INT_MAX, 0);
	a->worker = scan_whole(found[WORKER], INT_MAX, -1);
	a->known = scan_true(found[KNOWN]);
	if (is_failing(a))
		a->error = text_of(found[ERROR]);
	a->about = about_of(found);
	free(status);
	free(expected);
}

static void
add_old(struct work *w, struct span rec)
{
	char *id = scan_copy(scan_member(rec, "test_id"));

	if (id == NULL)
		return;
	if (w->old_count == w->old_size) {
		w->old_size = w->old_size == 0 ? 256 : w->old_size * 2;
		w->old = prog_resize(w->old, w->old_size, sizeof *w->old);
	}
	w->old[w->old_count++] = (struct old){id, text_of(rec)};
}

static void
add_ready(struct work *w, jv rec)
{
	w->out = prog_resize(w->out, w->out_count + 1, sizeof *w->out);
	w->out[w->out_count++] = (struct analysis){.rec = rec};
}

static bool
read_records(struct work *w, char *const files[], FILE *out)
{
	struct ndjson *in = ndjson_open(files);

	while (ndjson_next(in)) {
		struct span rec = ndjson_span(in);
		if (ndjson_is(in, "attempt")) {
			add_attempt(w, rec);
		} else if (ndjson_is(in, "history")) {
			add_old(w, rec);
		} else if (ndjson_is(in, "analysis")) {
			add_ready(w, ndjson_value(in));
		} else {
			if (ndjson_is(in, "test_run")) /* a run without tests has no attempts */
				note_run(
				    w, scan_member(rec, "run_id"), scan_member(rec, "run_start"));
			w->run_errors += ndjson_is(in, "run_error");
			if (out != NULL)
				ndjson_pass(in, out);
		}
	}
	return ndjson_close(in, out == NULL ? stdout : out);
}

/* A history that cannot be read costs what it knew, and the header says so. */
static bool
read_history(struct work *w)
{
	char *files[] = {(char *)w->o->history, NULL};

	if (w->o->history == NULL)
		return true;
	if (strcmp(w->o->history, "-") != 0 && access(w->o->history, F_OK) != 0 && errno == ENOENT)
		return true; /* the first run of all */
	bool good = read_records(w, files, NULL);
	w->unreadable = !good;
	return good;
}

static void
read_diff(struct work *w)
{
	const struct options *o = w->o;
	struct buf text = {0}, range = {0};

	if (o->diff != NULL) {
		if (!buf_file(&text, o->diff, DIFF_MAX))
			err(TROUBLE, "%s", o->diff);
	} else if (o->base != NULL) {
		buf_format(&range, "%s...HEAD", o->base);
		char *args[] = {"diff", "-U3", "--no-ext-diff", "--no-textconv", "--no-color", "-M",
		    "--submodule=short", "--src-prefix=a/", "--dst-prefix=b/", range.data, "--",
		    NULL};
		if (!git_ask(o->checkout, args, &text, DIFF_MAX))
			errx(TROUBLE, "%s: git knows no difference from %s", o->checkout, o->base);
	}
	if (text.len > 0)
		w->diff = diff_read(text.data, text.len);
	buf_free(&text);
	buf_free(&range);
}

/* Order: the same whatever came first. */

static int
by_test(const void *x, const void *y)
{
	const struct attempt *a = x, *b = y;
	int order = strcmp(a->test_id, b->test_id);

	if (order == 0)
		order = a->repeat - b->repeat;
	if (order == 0)
		order = a->retry - b->retry;
	if (order == 0)
		order = text_order(a->started_at, b->started_at);
	return order != 0 ? order : a->status - b->status;
}

static int
by_old(const void *x, const void *y)
{
	return strcmp(((const struct old *)x)->test_id, ((const struct old *)y)->test_id);
}

static int
by_ambiguity(const void *x, const void *y)
{
	const struct analysis *a = x, *b = y;

	if (a->ambiguity != b->ambiguity)
		return a->ambiguity < b->ambiguity ? 1 : -1;
	if (a->size != b->size)
		return a->size < b->size ? 1 : -1;
	return text_order(a->id, b->id);
}

/* One test of the run. */

/* P F X S - of the attempts of a test, each repeat for itself, and the worst of them. */
static char
outcome_of(const struct attempt *a, size_t count)
{
	static const char worst[] = "-SPXF";
	char all = '-';

	for (size_t i = 0; i < count;) {
		char one = '-';
		bool failed = false;
		int repeat = a[i].repeat;
		for (; i < count && a[i].repeat == repeat; i++) {
			char c = flake_effective(a[i].status, a[i].expected);
			if (c == 'P')
				one = failed ? 'X' : 'P';
			else if (c == 'F' || c == 'T')
				one = 'F', failed = true;
			else if (c == 'S' && one == '-')
				one = a[i].expected == 'P' ? '-' : 'S';
		}
		if (strchr(worst, one) > strchr(worst, all))
			all = one;
	}
	return all;
}

static const char *
outcome_name(char letter)
{
	return letter == 'P'   ? "pass"
	       : letter == 'F' ? "fail"
	       : letter == 'X' ? "flaky"
	       : letter == 'S' ? "skip"
			       : "none";
}

/* Cut to most bytes, both ends kept; the limits of the record say what went. */
static jv
capped(jv obj, const char *key, size_t most, const char *field, jv *limits)
{
	static const char mark[] = "\n[...]\n";
	size_t len;
	const char *text = jvx_bytes(obj, key, &len);

	if (text == NULL || len <= most)
		return obj;
	size_t head = utf8_floor(text, len, most * 2 / 3), tail = len - (most - head);
	while (tail < len && ((unsigned char)text[tail] & 0xc0) == 0x80)
		tail++;
	struct buf b = {0};
	buf_add(&b, text, head);
	buf_text(&b, mark);
	buf_add(&b, text + tail, len - tail);
	jv limit = jvx_set_text(jv_object(), "field", field);
	limit = jvx_set_number(limit, "kept", (double)(head + len - tail));
	limit = jvx_set_number(limit, "dropped", (double)(tail - head));
	*limits = jv_array_append(*limits, limit);
	obj = jvx_set(obj, key, jv_string_sized(b.data, (int)b.len));
	buf_free(&b);
	return obj;
}

static jv
set_if_absent(jv obj, const char *key, const char *text)
{
	jv there = jvx_get(obj, key);
	bool has = jv_is_valid(there);

	jv_free(there);
	return has ? obj : jvx_set_text(obj, key, text);
}

/* What the message says, and which failure it is; error is consumed. */
static jv
parse_error(jv error, const struct past *past, char **family)
{
	size_t len, stack_len = 0;
	const char *message = jvx_bytes(error, "message", &len);
	const char *stack = jvx_bytes(error, "stack", &stack_len);
	struct failmsg m;
	struct signature s;

	if (message == NULL)
		return error;
	failmsg_read(message, len, &m);
	signature_make(
	    &s, message, len, stack == NULL ? message : stack, stack == NULL ? len : stack_len);
	const char *since = past_sig_since(past, s.sig);
	bool compared = false;
	for (size_t i = 0; i + 1 < past->count; i++)
		compared = compared || past->entry[i].sig != NULL;
	error = set_if_absent(error, "type", m.type);
	error = set_if_absent(error, "matcher", m.matcher);
	error = set_if_absent(error, "call", m.call);
	error = set_if_absent(error, "expected", m.expected);
	error = set_if_absent(error, "actual", m.actual);
	error = set_if_absent(error, "locator", m.locator);
	if (m.timeout_ms > 0 && jvx_number(error, "timeout_ms", -1) < 0)
		error = jvx_set_ms(error, "timeout_ms", m.timeout_ms);
	error = jvx_set_text(error, "sig", s.sig);
	error = jvx_set_text(error, "sig_family", s.family);
	error = jvx_set_text(error, "sig_text", s.text);
	error = jvx_set_text(error, "sig_first_seen", since);
	if (compared) /* a test that never failed before has no old reason */
		error = jvx_set(error, "sig_novel", since == NULL ? jv_true() : jv_false());
	if (*family == NULL)
		*family = copy(s.family);
	signature_free(&s);
	failmsg_free(&m);
	return error;
}

static jv
title_of(jv path)
{
	struct buf b = {0};

	if (jv_get_kind(path) == JV_KIND_ARRAY) {
		jv_array_foreach (path, i, part) {
			if (jv_get_kind(part) == JV_KIND_STRING) {
				if (b.len > 0)
					buf_text(&b, " \xe2\x80\xba ");
				buf_text(&b, jv_string_value(part));
			}
			jv_free(part);
		}
	}
	jv v = b.len > 0 ? jv_string_sized(b.data, (int)b.len) : jv_invalid();
	buf_free(&b);
	return v;
}

/* By worker, then the oldest first; of those at one moment the last name first. */
static int
by_time(const void *x, const void *y)
{
	const struct attempt *a = *(const struct attempt *const *)x;
	const struct attempt *b = *(const struct attempt *const *)y;
	int order = (a->worker > b->worker) - (a->worker < b->worker);

	if (order == 0)
		order = strcmp(a->started_at, b->started_at);
	if (order == 0)
		order = strcmp(b->test_id, a->test_id);
	return order != 0 ? order : (a > b) - (a < b);
}

static void
sort_by_time(struct work *w)
{
	w->timed = prog_alloc(w->count + 1, sizeof *w->timed);
	for (size_t i = 0; i < w->count; i++)
		if (w->attempt[i].worker >= 0 && w->attempt[i].started_at != NULL)
			w->timed[w->timed_count++] = &w->attempt[i];
	if (w->timed_count > 0)
		qsort(w->timed, w->timed_count, sizeof *w->timed, by_time);
}

/* How many in w->timed are of lower workers, or of this one and began before. */
static size_t
earlier(const struct work *w, const struct attempt *mine)
{
	size_t lo = 0, hi = w->timed_count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct attempt *a = w->timed[mid];
		if (a->worker < mine->worker ||
		    (a->worker == mine->worker && strcmp(a->started_at, mine->started_at) < 0))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Is an attempt of my own test among those up to last? */
static bool
is_before(const struct attempt *a, const struct attempt *last, const struct attempt *mine)
{
	return a->worker == mine->worker && a->started_at != NULL && by_time(&a, &last) <= 0;
}

/* Of the first end in w->timed: those of this worker, but of other tests. */
static size_t
of_others(const struct work *w, const struct attempt *mine, size_t end)
{
	size_t lo = 0, hi = end;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (w->timed[mid]->worker < mine->worker)
			lo = mid + 1;
		else
			hi = mid;
	}
	size_t others = end - lo;
	/* Attempts of one test stand together in w->attempt. */
	for (const struct attempt *a = mine;
	     a >= w->attempt && strcmp(a->test_id, mine->test_id) == 0; a--)
		others -= is_before(a, w->timed[end - 1], mine);
	for (const struct attempt *a = mine + 1;
	     a < w->attempt + w->count && strcmp(a->test_id, mine->test_id) == 0; a++)
		others -= is_before(a, w->timed[end - 1], mine);
	return others;
}

static jv
neighbour_of(struct attempt *a)
{
	char c = flake_effective(a->status, a->expected);

	if (jv_is_valid(a->neighbour))
		return a->neighbour;
	jv n = jvx_set_text(jv_object(), "test_id", a->test_id);
	a->neighbour = jvx_set_text(n, "outcome",
	    c == 'P'               ? "pass"
	    : c == 'F' || c == 'T' ? "fail"
	    : c == 'S'             ? "skip"
				   : "none");
	return a->neighbour;
}

/* Tests that ended earlier in the worker where this one failed, the last one first. */
static jv
neighbours_of(const struct work *w, const struct attempt *mine, size_t *omitted)
{
	struct attempt *found[NEIGHBOURS_MAX];
	size_t count = 0;
	jv list = jv_array();

	*omitted = 0;
	if (mine->worker < 0 || mine->started_at == NULL)
		return list;
	for (size_t i = earlier(w, mine); i-- > 0 && w->timed[i]->worker == mine->worker;) {
		if (count == NEIGHBOURS_MAX) {
			*omitted = of_others(w, mine, i + 1);
			break;
		}
		if (strcmp(w->timed[i]->test_id, mine->test_id) != 0)
			found[count++] = w->timed[i];
	}
	for (size_t i = 0; i < count; i++)
		list = jv_array_append(list, jv_copy(neighbour_of(found[i])));
	return list;
}

/* All that the test says itself, for the literals that a diff took away. */
static void
words_of(jv rec, struct buf *b)
{
	jv error = jvx_get(rec, "error"), source = jvx_get(rec, "test_source");
	const char *texts[] = {jvx_text(error, "locator"), jvx_text(error, "expected"),
	    jvx_text(error, "snippet"), jvx_text(source, "text")};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (texts[i] != NULL) {
			buf_text(b, texts[i]);
			buf_byte(b, '\n');
		}
	buf_text(b, "");
	jv_free(error);
	jv_free(source);
}

static jv
add_diff(jv rec, const struct diff *d, jv *limits)
{
	struct buf words = {0};
	jv error = jvx_get(rec, "error");
	size_t dropped;

	words_of(rec, &words);
	const char *stack = jvx_text(error, "stack");
	if (stack == NULL)
		stack = jvx_text(error, "message");
	jv about = diff_about(d, jvx_text(rec, "file"), stack, words.data, &dropped);
	if (dropped > 0) {
		jv limit = jvx_set_text(jv_object(), "field", "diff.hunks");
		*limits =
		    jv_array_append(*limits, jvx_set_number(limit, "dropped", (double)dropped));
	}
	buf_free(&words);
	jv_free(error);
	return jvx_set(rec, "diff", about);
}

static void
past_of(const struct work *w, const char *id, struct past *past)
{
	size_t lo = 0, hi = w->old_count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (strcmp(w->old[mid].test_id, id) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (; lo < w->old_count && strcmp(w->old[lo].test_id, id) == 0; lo++)
		past_add(past, (struct span){w->old[lo].rec, strlen(w->old[lo].rec)});
}

/* The failing attempt whose error is told: the first, since later ones may only follow from it. */
static const struct attempt *
failing(const struct attempt *a, size_t count, bool last)
{
	const struct attempt *found = NULL;

	for (size_t i = 0; i < count; i++) {
		if (is_failing(&a[i]) && (found == NULL || last))
			found = &a[i];
	}
	return found;
}

/* Every attempt that failed may claim a trace. */
static void
claim_traces(struct work *w)
{
	for (size_t i = 0; w->traces != NULL && i < w->count; i++) {
		const struct attempt *a = &w->attempt[i];
		if (!is_failing(a))
			continue;
		jv about = value_of(a->about), path = jvx_get(about, "title_path");
		jv title = title_of(path);
		struct traceable t = {.test_id = a->test_id,
		    .project = jvx_text(about, "project"),
		    .file = jvx_text(about, "file"),
		    .title = jv_is_valid(title) ? jv_string_value(title) : NULL,
		    .path = a->trace,
		    .started_at = a->started_at,
		    .duration_ms = a->duration_ms,
		    .retry = a->known ? a->retry : -1};
		traces_offer(w->traces, &t, a);
		jv_free(title);
		jv_free(path);
		jv_free(about);
	}
	if (w->traces != NULL)
		traces_warn(w->traces, stdout);
}

/* The trace of the attempt whose error is told; where there is none, of the next that failed. */
static jv
add_trace(struct work *w, jv rec, const struct attempt *a, size_t count)
{
	for (size_t i = 0; w->traces != NULL && i < count; i++) {
		jv trace = is_failing(&a[i]) ? traces_of(w->traces, &a[i]) : jv_invalid();
		if (!jv_is_valid(trace))
			continue;
		w->traced++;
		return jvx_set(rec, "trace", jvx_set_number(trace, "retry", a[i].retry));
	}
	return rec;
}

static jv
last_error(jv rec, const struct attempt *first, const struct attempt *last, const char *sig)
{
	struct signature s;

	if (last == first)
		return rec;
	jv error = value_of(last->error);
	size_t len, stack_len = 0;
	const char *message = jvx_bytes(error, "message", &len);
	const char *stack = jvx_bytes(error, "stack", &stack_len);
	if (message == NULL) {
		jv_free(error);
		return rec;
	}
	signature_make(
	    &s, message, len, stack == NULL ? message : stack, stack == NULL ? len : stack_len);
	if (sig == NULL || strcmp(sig, s.sig) != 0) {
		jv other = jvx_set_text(jv_object(), "sig", s.sig);
		size_t keep = len > MESSAGE_MAX ? utf8_floor(message, len, MESSAGE_MAX) : len;
		other = jvx_set(other, "message", jv_string_sized(message, (int)keep));
		rec = jvx_set(rec, "last_error", other);
	}
	signature_free(&s);
	jv_free(error);
	return rec;
}

static void
analyse(struct work *w, const struct attempt *a, size_t count)
{
	struct buf letters = {0};
	struct past past = {0};
	struct judged judged;
	jv limits = jv_array();
	char outcome = outcome_of(a, count), *family = NULL;
	struct entry now = {.run_id = w->run_id, .at = w->run_start, .commit = member(a, "commit")};

	w->tests++;
	for (size_t i = 0; i < count; i++) {
		char c = flake_effective(a[i].status, a[i].expected);
		buf_byte(&letters, c);
		now.good = now.good || c == 'P';
		now.bad = now.bad || c == 'F' || c == 'T';
	}
	now.letter = outcome;
	past_of(w, a->test_id, &past);
	past_close(&past, &now);
	free(now.commit);
	past_judge(&past, &judged);
	if (past.count - 1 > w->depth)
		w->depth = past.count - 1;
	if (outcome != 'F' && outcome != 'X' && !judged.newly) {
		past_free(&past);
		buf_free(&letters);
		jv_free(limits);
		return;
	}
	w->failing += outcome == 'F';
	w->newly += judged.newly;

	jv rec = jvx_set_text(jv_object(), "type", "analysis"), about = value_of(a->about);
	rec = jvx_set_text(rec, "test_id", a->test_id);
	rec = jvx_set_text(rec, "run_id", w->run_id);
	for (size_t i = 0; i < OF_TEST; i++)
		rec = jvx_set(rec, attempt_member[i], jvx_get(about, attempt_member[i]));
	jv_free(about);
	jv path = jvx_get(rec, "title_path");
	rec = jvx_set(rec, "title", title_of(path));
	jv_free(path);
	rec = jvx_set_text(rec, "outcome", outcome_name(outcome));
	rec = jvx_set_text(rec, "attempts", letters.data);
	rec = jvx_set(rec, "attempts_known", a->known ? jv_true() : jv_false());
	rec = jvx_set(rec, "history", past_history(&past, &judged));
	rec = jvx_set(rec, "flake", past_flake(&judged));

	const struct attempt *first = failing(a, count, false), *last = failing(a, count, true);
	if (first != NULL && first->error != NULL) {
		jv error = parse_error(value_of(first->error), &past, &family);
		error = capped(error, "message", MESSAGE_MAX, "error.message", &limits);
		error = capped(error, "stack", STACK_MAX, "error.stack", &limits);
		error = capped(error, "snippet", SNIPPET_MAX, "error.snippet", &limits);
		rec = last_error(rec, first, last, jvx_text(error, "sig"));
		rec = jvx_set(rec, "error", error);
	}
	if (w->checkout != NULL && jvx_text(rec, "file") != NULL)
		rec = jvx_set(rec, "test_source",
		    source_of_test(
			w->checkout, jvx_text(rec, "file"), jvx_whole(rec, "line", INT_MAX, 0)));
	if (w->diff != NULL)
		rec = add_diff(rec, w->diff, &limits);
	rec = add_trace(w, rec, a, count);
	size_t omitted;
	jv neighbours = neighbours_of(w, first != NULL ? first : a, &omitted);
	if (jv_array_length(jv_copy(neighbours)) > 0)
		rec = jvx_set(rec, "neighbours", neighbours);
	else
		jv_free(neighbours);
	if (omitted > 0)
		rec = jvx_set_number(rec, "neighbours_omitted", (double)omitted);
	if (jv_array_length(jv_copy(limits)) > 0)
		rec = jvx_set(rec, "limits", limits);
	else
		jv_free(limits);

	add_ready(w, rec);
	w->out[w->out_count - 1].family = family;
	past_free(&past);
	buf_free(&letters);
}

/* Records of somebody else's making: what is absent and follows from the rest is filled in. */
static void
complete(struct analysis *a)
{
	jv rec = a->rec, history = jvx_get(rec, "history"), error = jvx_get(rec, "error");
	jv diff = jvx_get(rec, "diff"), limits = jv_array(), flake = jvx_get(rec, "flake");
	const char *runs = jvx_text(history, "runs"), *text = jvx_text(diff, "text");
	struct past past = {0};
	struct judged judged;

	if (runs != NULL) {
		past_letters(&past, runs);
		past_judge(&past, &judged);
		if (!jv_is_valid(flake))
			rec = jvx_set(rec, "flake", past_flake(&judged));
	}
	if (jv_get_kind(error) == JV_KIND_OBJECT && jvx_text(error, "sig") == NULL) {
		error = parse_error(error, &past, &a->family);
		rec = jvx_set(rec, "error", jv_copy(error));
	}
	if (a->family == NULL)
		a->family = copy(jvx_text(error, "sig_family"));
	if (text != NULL) {
		size_t len;
		text = jvx_bytes(diff, "text", &len);
		struct diff *d = diff_read(text, len);
		rec = add_diff(rec, d, &limits);
		diff_free(d);
	}
	past_free(&past);
	jv_free(limits);
	jv_free(flake);
	jv_free(diff);
	jv_free(error);
	jv_free(history);
	a->rec = rec;
}

/* The whole run. */

static int
by_family(const void *x, const void *y)
{
	const struct analysis *a = *(struct analysis *const *)x, *b = *(struct analysis *const *)y;
	int order = text_order(a->family, b->family);
	return order != 0 ? order : text_order(a->id, b->id);
}

struct group {
	const char *family;
	size_t from, size;
};

static int
by_size(const void *x, const void *y)
{
	const struct group *a = x, *b = y;

	if (a->size != b->size)
		return a->size < b->size ? 1 : -1;
	return strcmp(a->family, b->family);
}

/* Tests that failed for one cause, as far as messages tell: by family, the largest group first. */
static void
set_groups(struct work *w)
{
	struct analysis **order = prog_alloc(w->out_count + 1, sizeof *order);
	struct group *group = prog_alloc(w->out_count + 1, sizeof *group);

	for (size_t i = 0; i < w->out_count; i++)
		order[i] = &w->out[i];
	if (w->out_count > 0)
		qsort(order, w->out_count, sizeof *order, by_family);
	for (size_t i = 0; i < w->out_count; i++) {
		if (order[i]->family == NULL)
			continue;
		if (w->groups == 0 || strcmp(group[w->groups - 1].family, order[i]->family) != 0)
			group[w->groups++] = (struct group){order[i]->family, i, 0};
		group[w->groups - 1].size++;
	}
	if (w->groups > 0)
		qsort(group, w->groups, sizeof *group, by_size);
	for (size_t g = 0; g < w->groups; g++)
		for (size_t i = 0; i < group[g].size; i++) {
			struct analysis *a = order[group[g].from + i];
			jv v = jvx_set_text(jv_object(), "id", a->family);
			v = jvx_set_number(v, "size", (double)group[g].size);
			a->rec = jvx_set(a->rec, "group", jvx_set_number(v, "rank", (double)g + 1));
			a->size = (double)group[g].size;
		}
	free(order);
	free(group);
}

/* Section by section: the owners' entropy, and P(intermittent) unless a retry settled it. */
static double
ambiguity_of(jv rec, jv prior)
{
	static const char *const owners[] = {
	    "app_code", "test_code", "environment", "data", "unknown"};
	jv p = jvx_get(prior, "owner_p"), history = jvx_get(rec, "history");
	const char *runs = jvx_text(history, "runs"), *attempts = jvx_text(rec, "attempts");
	double owner[5], two[2];

	for (int i = 0; i < 5; i++)
		owner[i] = jvx_number(p, owners[i], 0);
	two[0] = flake_intermittent(runs == NULL ? "" : runs);
	if (attempts != NULL && strchr(attempts, 'P') != NULL && strpbrk(attempts, "FT") != NULL)
		two[0] = 1;
	two[1] = 1 - two[0];
	double a = flake_ambiguity(flake_entropy(owner, 5), flake_entropy(two, 2));
	jv_free(p);
	jv_free(history);
	return round(a * 10000) / 10000;
}

static void
judge(struct work *w)
{
	for (size_t i = 0; i < w->out_count; i++) {
		struct analysis *a = &w->out[i];
		jv prior = triage_rules_prior(w->rules, a->rec);
		a->ambiguity = ambiguity_of(a->rec, prior);
		a->rec = jvx_set(a->rec, "prior", prior);
		a->rec = jvx_set_number(a->rec, "ambiguity", a->ambiguity);
		a->id = jvx_text(a->rec, "test_id");
	}
	if (w->out_count > 0)
		qsort(w->out, w->out_count, sizeof *w->out, by_ambiguity);
}

static jv
header(const struct work *w)
{
	jv history = jvx_set_text(jv_object(), "state",
	    w->unreadable      ? "unreadable"
	    : w->old_count > 0 ? "read"
			       : "missing");
	jv h = jvx_set_text(jv_object(), "type", "analysis_header");

	h = jvx_set_text(h, "run_id", w->run_id);
	h = jvx_set_text(h, "run_start", w->run_start);
	h = jvx_set_text(h, "commit", w->commit);
	h = jvx_set_text(h, "branch", w->branch);
	h = jvx_set_text(h, "base", w->o->base);
	h = jvx_set_text(h, "analysed_at", w->o->at);
	h = jvx_set(h, "history", jvx_set_number(history, "depth", (double)w->depth));
	h = jvx_set(h, "fork", w->o->fork ? jv_true() : jv_false());
	h = jvx_set_number(h, "tests_total", (double)w->tests);
	h = jvx_set_number(h, "selected", (double)w->out_count);
	h = jvx_set_number(h, "failing", (double)w->failing);
	h = jvx_set_number(h, "newly_flaky", (double)w->newly);
	h = jvx_set_number(h, "run_errors", (double)w->run_errors);
	if (w->traces != NULL) {
		jv traces = jvx_set_number(jv_object(), "read", (double)traces_count(w->traces));
		h = jvx_set(h, "traces", jvx_set_number(traces, "used", (double)w->traced));
	}
	return jvx_set_number(h, "groups", (double)w->groups);
}

static void
analyse_run(struct work *w)
{
	size_t kept = 0;

	for (size_t i = 0; i < w->count; i++) {
		struct attempt *a = &w->attempt[i];
		if (w->run_id != NULL && strcmp(a->run_id, w->run_id) == 0) {
			struct attempt swap = w->attempt[kept];
			w->attempt[kept++] = *a;
			w->attempt[i] = swap;
		}
	}
	size_t all = w->count;
	w->count = kept;
	if (kept > 0)
		qsort(w->attempt, kept, sizeof *w->attempt, by_test);
	sort_by_time(w);
	claim_traces(w);
	if (w->old_count > 0)
		qsort(w->old, w->old_count, sizeof *w->old, by_old);
	for (size_t i = 0; i < kept;) {
		size_t from = i;
		while (i < kept && strcmp(w->attempt[i].test_id, w->attempt[from].test_id) == 0)
			i++;
		if (w->commit == NULL)
			w->commit = member(&w->attempt[from], "commit");
		if (w->branch == NULL)
			w->branch = member(&w->attempt[from], "branch");
		analyse(w, &w->attempt[from], i - from);
	}
	w->count = all;
}

static void
write_all(struct work *w)
{
	bool run = w->run_id != NULL || w->out_count == 0;

	if (w->o->one_file) {
		jv tests = jv_array(), h = header(w);
		for (size_t i = 0; i < w->out_count; i++)
			tests = jv_array_append(tests, jv_copy(w->out[i].rec));
		ndjson_put(jvx_set(h, "tests", tests), stdout);
		return;
	}
	if (run)
		ndjson_put(header(w), stdout);
	for (size_t i = 0; i < w->out_count; i++)
		ndjson_put(jv_copy(w->out[i].rec), stdout);
}

static void
forget(struct work *w)
{
	free(w->timed);
	for (size_t i = 0; i < w->count; i++) {
		struct attempt *a = &w->attempt[i];
		free(a->test_id);
		free(a->started_at);
		free(a->trace);
		free(a->run_id);
		free(a->error);
		free(a->about);
		jv_free(a->neighbour);
	}
	for (size_t i = 0; i < w->old_count; i++) {
		free(w->old[i].test_id);
		free(w->old[i].rec);
	}
	for (size_t i = 0; i < w->out_count; i++) {
		free(w->out[i].family);
		jv_free(w->out[i].rec);
	}
	free(w->attempt);
	free(w->old);
	free(w->out);
	free(w->run_id);
	free(w->run_start);
	free(w->commit);
	free(w->branch);
	diff_free(w->diff);
	checkout_close(w->checkout);
	triage_rules_free(w->rules);
	traces_free(w->traces);
}

static void
open_rules(struct work *w)
{
	char *path = w->o->rules != NULL ? copy(w->o->rules) : prog_data("lib/triage.yaml");

	if (path == NULL)
		errx(TROUBLE, "lib/triage.yaml: not found");
	w->rules = triage_rules_open(path);
	if (w->rules == NULL)
		exit(TROUBLE);
	free(path);
}

int
main(int argc, char *argv[])
{
	struct options o = {0};
	struct work w = {.o = &o};
	int ch;

	prog_start(argc, argv,
	    "test-analyse [-F] [-a time] [-C dir [-b base]] [-d diff] [-H history] [-o form]\n"
	    "                    [-R rules] [-r run] [-T traces] [file ...]\n"
	    "Reads what test-history writes, and writes a header and one analysis for each failing "
	    "or\n"
	    "newly flaky test: flake rate, error signature, group, what the change has to do with "
	    "it,\n"
	    "and what rules without a model make of it.  Analysis records on input are completed.\n"
	    "  -a time     when this is done, for the header\n"
	    "  -b base     the revision that the change is against, in the checkout of -C\n"
	    "  -C dir      a checkout: the tests' source\n"
	    "  -d diff     the change as a file in unified format, instead of -b\n"
	    "  -F          the run is a fork's\n"
	    "  -H history  history records of earlier runs\n"
	    "  -o json     one JSON document instead of records\n"
	    "  -R rules    instead of lib/triage.yaml\n"
	    "  -r run      this run, and not the newest\n"
	    "  -T traces   what trace-events and gql-verify wrote of the run's traces\n"
	    "Example: test-history old.ndjson results.json | test-analyse -C . -b origin/main");
	while ((ch = getopt(argc, argv, "a:b:C:d:FH:o:R:r:T:")) != -1) {
		switch (ch) {
		case 'a': o.at = optarg; break;
		case 'b': o.base = optarg; break;
		case 'C': o.checkout = optarg; break;
		case 'd': o.diff = optarg; break;
		case 'F': o.fork = true; break;
		case 'H': o.history = optarg; break;
		case 'o':
			if (strcmp(optarg, "json") != 0 && strcmp(optarg, "ndjson") != 0)
				errx(TROUBLE, "-o %s: not json or ndjson", optarg);
			o.one_file = strcmp(optarg, "json") == 0;
			break;
		case 'R': o.rules = optarg; break;
		case 'r': o.run = optarg; break;
		case 'T': o.traces = optarg; break;
		default: prog_usage();
		}
	}
	if (o.base != NULL && (o.checkout == NULL || o.diff != NULL))
		prog_usage();
	if (o.base != NULL && !git_revision(o.base))
		errx(TROUBLE, "-b: not a revision");

	open_rules(&w);
	read_diff(&w);
	if (o.checkout != NULL && (w.checkout = checkout_open(o.checkout)) == NULL)
		warnx("%s: git knows nothing there; no test's source is told", o.checkout);
	const char *read[3] = {o.history, NULL, NULL};
	read[o.history != NULL] = o.traces;
	static const char *const spools[] = {P_tmpdir, NULL}; /* of tmpfile(3) */
	struct confine needs = {.files = argv + optind, .read = read, .write = spools};
	confine(&needs);
	bool good = read_history(&w), traces_good = true;
	if (o.traces != NULL)
		w.traces = traces_read(o.traces, &traces_good);
	good = good && traces_good;
	good = read_records(&w, argv + optind, stdout) && good;
	size_t ready = w.out_count;
	analyse_run(&w);
	for (size_t i = 0; i < ready; i++)
		complete(&w.out[i]);
	set_groups(&w);
	judge(&w);
	write_all(&w);
	forget(&w);
	if (fflush(stdout) != 0 || ferror(stdout))
		err(TROUBLE, "write error");
	return good ? YES : TROUBLE;
}
