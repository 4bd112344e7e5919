#include "tests.h"

#include <stdlib.h>
#include <string.h>

#include "flake.h"
#include "jvx.h"
#include "ndjson.h"
#include "prog.h"
#include "signature.h"

enum outcome { OUT_NONE, OUT_SKIP, OUT_PASS, OUT_FLAKY, OUT_FAIL };
static const char *const outcome_name[] = {"none", "skip", "pass", "flaky", "fail"};

struct entry {
	char *run_id, *at, *commit, *seq, *sig;
	enum outcome outcome;
};

/* One attempt of the run being read. */
struct seen {
	int repeat;
	size_t at; /* its place among them, as they came */
	char letter, verdict;
	bool declared; /* a skip that was meant */
};

struct test {
	char *id, *first_seen_at;
	size_t runs_total;
	struct entry *entry;
	size_t entries;
	struct seen *seen;
	size_t seen_count;
	char *sig; /* of the run being read */
};

struct tests {
	struct test *test;
	size_t count, size, *slot, slots; /* open addressing: index + 1 */
	size_t window, conflicts;
	const struct run *run;
	FILE *out;
	struct buf line;
};

struct tests *
tests_new(size_t window)
{
	struct tests *t = prog_alloc(1, sizeof *t);

	t->window = window;
	t->slots = 1024;
	t->slot = prog_alloc(t->slots, sizeof *t->slot);
	return t;
}

static void
entry_free(struct entry *e)
{
	free(e->run_id);
	free(e->at);
	free(e->commit);
	free(e->seq);
	free(e->sig);
}

void
tests_free(struct tests *t)
{
	for (size_t i = 0; i < t->count; i++) {
		struct test *test = &t->test[i];
		for (size_t e = 0; e < test->entries; e++)
			entry_free(&test->entry[e]);
		free(test->entry);
		free(test->seen);
		free(test->sig);
		free(test->id);
		free(test->first_seen_at);
	}
	free(t->test);
	free(t->slot);
	buf_free(&t->line);
	free(t);
}

static size_t
place(const struct tests *t, const char *id)
{
	uint64_t h = 14695981039346656037u; /* FNV-1a */

	for (const char *p = id; *p != '\0'; p++)
		h = (h ^ (unsigned char)*p) * 1099511628211u;
	size_t at = h & (t->slots - 1);
	while (t->slot[at] != 0 && strcmp(t->test[t->slot[at] - 1].id, id) != 0)
		at = (at + 1) & (t->slots - 1);
	return at;
}

static void
grow(struct tests *t)
{
	t->slots *= 2;
	free(t->slot);
	t->slot = prog_alloc(t->slots, sizeof *t->slot);
	for (size_t i = 0; i < t->count; i++)
		t->slot[place(t, t->test[i].id)] = i + 1;
}

static struct test *
get(struct tests *t, const char *id)
{
	size_t at = place(t, id);

	if (t->slot[at] != 0)
		return &t->test[t->slot[at] - 1];
	if (t->count == t->size) {
		t->size = t->size == 0 ? 256 : t->size * 2;
		t->test = prog_resize(t->test, t->size, sizeof *t->test);
	}
	struct test *test = &t->test[t->count++];
	memset(test, 0, sizeof *test);
	test->id = prog_copy(id, strlen(id));
	t->slot[at] = t->count;
	if (t->count * 2 > t->slots)
		grow(t);
	return test;
}

void
tests_begin(struct tests *t, const struct run *run, FILE *out)
{
	t->run = run;
	t->out = out;
}

/* Records are written here and not built: there are as many as tests, and that took most time. */

static void
begin_line(struct tests *t)
{
	buf_clear(&t->line);
	buf_byte(&t->line, '{');
}

static void
end_line(struct tests *t, FILE *out)
{
	buf_byte(&t->line, '}');
	ndjson_raw((struct span){t->line.data, t->line.len}, out);
}

static void
put_list(struct buf *b, const char *key, const struct title *list)
{
	jvx_put_key(b, key);
	buf_byte(b, '[');
	for (size_t i = 0; i < list->count; i++) {
		if (i > 0)
			buf_byte(b, ',');
		jvx_write_text(list->part[i], strlen(list->part[i]), b);
	}
	buf_byte(b, ']');
}

static void
put_letter(struct buf *b, const char *key, char letter)
{
	const char text[2] = {letter, '\0'};
	jvx_put_text(b, key, text);
}

static void
put_fault(struct buf *b, const struct fault *f)
{
	jvx_put_key(b, "error");
	buf_byte(b, '{');
	if (f->file != NULL) {
		jvx_put_key(b, "location");
		buf_byte(b, '{');
		if (f->column > 0)
			jvx_put_number(b, "column", (double)f->column);
		jvx_put_text(b, "file", f->file);
		if (f->line > 0)
			jvx_put_number(b, "line", (double)f->line);
		buf_byte(b, '}');
	}
	jvx_put_text(b, "message", f->message);
	jvx_put_text(b, "snippet", f->snippet);
	jvx_put_text(b, "stack", f->stack);
	if (f->synthetic) {
		jvx_put_key(b, "synthetic");
		buf_text(b, "true");
	}
	jvx_put_text(b, "type", f->type);
	buf_byte(b, '}');
}

static void
put_attempt(const struct run *run, const struct attempt *a, const char *id, struct buf *b)
{
	jvx_put_key(b, "attempts_known");
	buf_text(b, a->attempts_known ? "true" : "false");
	jvx_put_text(b, "branch", run->branch);
	jvx_put_text(b, "commit", run->commit);
	if (a->duration_ms >= 0)
		jvx_put_ms(b, "duration_ms", a->duration_ms);
	if (a->has_error)
		put_fault(b, &a->error);
	if (a->errors > 0)
		jvx_put_number(b, "errors_n", a->errors);
	put_letter(b, "expected", a->expected);
	jvx_put_text(b, "file", a->file);
	if (a->line > 0)
		jvx_put_number(b, "line", (double)a->line);
	jvx_put_text(b, "project", a->project);
	jvx_put_number(b, "repeat", a->repeat);
	jvx_put_number(b, "retry", a->retry);
	jvx_put_text(b, "run_id", run->id);
	jvx_put_text(b, "run_start", run->start);
	if (run->shard > 0)
		jvx_put_number(b, "shard", run->shard);
	jvx_put_text(b, "source", run->source);
	jvx_put_text(b, "started_at", a->started_at);
	put_letter(b, "status", a->status);
	if (a->steps_failed.count > 0)
		put_list(b, "steps_failed", &a->steps_failed);
	if (a->tags.count > 0)
		put_list(b, "tags", &a->tags);
	jvx_put_text(b, "test_id", id);
	put_list(b, "title_path", &a->title);
	jvx_put_text(b, "tool_version", run->tool);
	jvx_put_text(b, "trace", a->trace);
	jvx_put_text(b, "type", "attempt");
	if (a->worker >= 0)
		jvx_put_number(b, "worker", a->worker);
}

static void
put_test(const struct test *test, struct buf *b)
{
	jvx_put_key(b, "entries");
	buf_byte(b, '[');
	for (size_t i = 0; i < test->entries; i++) {
		const struct entry *e = &test->entry[i];
		buf_text(b, i > 0 ? ",{" : "{");
		jvx_put_text(b, "at", e->at);
		jvx_put_text(b, "commit", e->commit);
		jvx_put_text(b, "outcome", outcome_name[e->outcome]);
		jvx_put_text(b, "run_id", e->run_id);
		jvx_put_text(b, "seq", e->seq);
		jvx_put_text(b, "sig", e->sig);
		buf_byte(b, '}');
	}
	buf_byte(b, ']');
	jvx_put_text(b, "first_seen_at", test->first_seen_at);
	jvx_put_number(b, "runs_total", (double)test->runs_total);
	jvx_put_text(b, "test_id", test->id);
	jvx_put_text(b, "type", "history");
}

void
tests_attempt(struct tests *t, const struct attempt *a)
{
	struct buf id = {0};

	attempt_id(a, &id);
	struct test *test = get(t, id.data);
	if ((test->seen_count & (test->seen_count + 1)) == 0) /* at 0, 1, 3, 7: double it */
		test->seen = prog_resize(test->seen, test->seen_count * 2 + 1, sizeof *test->seen);
	struct seen *seen = &test->seen[test->seen_count++];
	seen->repeat = a->repeat;
	seen->at = test->seen_count;
	seen->letter = flake_effective(a->status, a->expected);
	seen->verdict = a->verdict;
	seen->declared = a->expected == 'S';
	if (test->sig == NULL && a->has_error && a->error.message != NULL &&
	    (seen->letter == 'F' || seen->letter == 'T')) {
		struct signature s;
		const char *stack = a->error.stack;
		signature_make(&s, a->error.message, strlen(a->error.message), stack,
		    stack == NULL ? 0 : strlen(stack));
		test->sig = prog_copy(s.sig, strlen(s.sig));
		signature_free(&s);
	}
	if (t->out != NULL && a->status != 'N') {
		begin_line(t);
		put_attempt(t->run, a, id.data, &t->line);
		end_line(t, t->out);
	}
	buf_free(&id);
}

static int
by_repeat(const void *x, const void *y)
{
	const struct seen *a = x, *b = y;

	if (a->repeat != b->repeat)
		return a->repeat < b->repeat ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

/* Of the attempts of one repeat. */
static enum outcome
outcome_of_repeat(const struct seen *s, size_t count)
{
	bool failed = false;
	enum outcome out = OUT_NONE;

	for (; count-- > 0; s++) {
		switch (s->verdict) {
		case 'P': return OUT_PASS;
		case 'F': return OUT_FAIL;
		case 'X': return OUT_FLAKY;
		default: break;
		}
		switch (s->letter) {
		case 'P': out = failed ? OUT_FLAKY : OUT_PASS; break;
		case 'F':
		case 'T':
			failed = true;
			out = OUT_FAIL;
			break;
		case 'S': out = s->declared ? OUT_SKIP : OUT_NONE; break;
		default: break; /* interrupted or not started: no evidence */
		}
	}
	return out;
}

/* The worst of its repeats. */
static enum outcome
outcome_of(const struct test *test)
{
	enum outcome worst = OUT_NONE;

	for (size_t from = 0, to; from < test->seen_count; from = to) {
		for (to = from + 1;
		     to < test->seen_count && test->seen[to].repeat == test->seen[from].repeat;)
			to++;
		enum outcome out = outcome_of_repeat(&test->seen[from], to - from);
		if (out > worst)
			worst = out;
	}
	return worst;
}

/* Where a run of this start belongs among the entries; equal starts go by run id. */
static int
compare(const struct entry *a, const struct entry *b)
{
	int by = strcmp(a->at == NULL ? "" : a->at, b->at == NULL ? "" : b->at);
	return by != 0 ? by : strcmp(a->run_id, b->run_id);
}

/* Takes e over. */
static void
enter(struct tests *t, struct test *test, struct entry *e, bool counts)
{
	size_t i;

	for (i = 0; i < test->entries; i++)
		if (strcmp(test->entry[i].run_id, e->run_id) == 0) {
			struct entry *old = &test->entry[i];
			t->conflicts += strcmp(old->seq, e->seq) != 0 || old->outcome != e->outcome;
			entry_free(old);
			memmove(old, old + 1, (--test->entries - i) * sizeof *old);
			counts = false;
			break;
		}
	/* A run older than all of a full window was counted when it was young. */
	if (counts && test->entries > 0 && test->runs_total >= t->window &&
	    compare(e, &test->entry[0]) < 0) {
		entry_free(e);
		return;
	}
	test->runs_total += counts;
	if (e->at != NULL &&
	    (test->first_seen_at == NULL || strcmp(e->at, test->first_seen_at) < 0)) {
		free(test->first_seen_at);
		test->first_seen_at = prog_copy(e->at, strlen(e->at));
	}
	test->entry = prog_resize(test->entry, test->entries + 1, sizeof *test->entry);
	for (i = test->entries; i > 0 && compare(e, &test->entry[i - 1]) < 0; i--)
		test->entry[i] = test->entry[i - 1];
	test->entry[i] = *e;
	if (++test->entries > t->window) {
		entry_free(&test->entry[0]);
		memmove(test->entry, test->entry + 1, --test->entries * sizeof *test->entry);
	}
}

static char *
copy(const char *text)
{
	return text == NULL ? NULL : prog_copy(text, strlen(text));
}

static void
close_test(struct tests *t, struct test *test, struct tally *tally)
{
	struct entry e = {0};
	struct buf seq = {0};

	qsort(test->seen, test->seen_count, sizeof *test->seen, by_repeat);
	e.outcome = outcome_of(test);
	for (size_t i = 0; i < test->seen_count; i++)
		if (test->seen[i].letter != 'N')
			buf_byte(&seq, test->seen[i].letter);
	tally->tests++;
	tally->none += e.outcome == OUT_NONE;
	tally->skip += e.outcome == OUT_SKIP;
	tally->pass += e.outcome == OUT_PASS;
	tally->flaky += e.outcome == OUT_FLAKY;
	tally->fail += e.outcome == OUT_FAIL;
	e.run_id = copy(t->run->id);
	e.at = copy(t->run->start);
	e.commit = copy(t->run->commit);
	e.seq = prog_copy(seq.data == NULL ? "" : seq.data, seq.len);
	e.sig = test->sig;
	buf_free(&seq);
	free(test->seen);
	test->sig = NULL;
	test->seen = NULL;
	test->seen_count = 0;
	enter(t, test, &e, true);
}

struct tally
tests_end(struct tests *t)
{
	struct tally tally = {0};

	for (size_t i = 0; i < t->count; i++)
		if (t->test[i].seen_count > 0)
			close_test(t, &t->test[i], &tally);
	t->run = NULL;
	return tally;
}

static bool
read_entry(jv value, struct entry *e)
{
	const char *run_id = jvx_text(value, "run_id"), *seq = jvx_text(value, "seq");
	const char *outcome = jvx_text(value, "outcome");

	if (run_id == NULL || outcome == NULL)
		return false;
	for (e->outcome = OUT_NONE; strcmp(outcome_name[e->outcome], outcome) != 0; e->outcome++)
		if (e->outcome == OUT_FAIL)
			return false;
	e->run_id = copy(run_id);
	e->at = copy(jvx_text(value, "at"));
	e->commit = copy(jvx_text(value, "commit"));
	e->seq = copy(seq == NULL ? "" : seq);
	e->sig = copy(jvx_text(value, "sig"));
	return true;
}

bool
tests_history(struct tests *t, jv record)
{
	const char *id = jvx_text(record, "test_id"), *first = jvx_text(record, "first_seen_at");
	jv entries = jvx_get(record, "entries");
	bool good = id != NULL && jv_get_kind(entries) == JV_KIND_ARRAY;

	if (!good) {
		jv_free(entries);
		return false;
	}
	struct test *test = get(t, id);
	double total = jvx_number(record, "runs_total", 0);
	if (total > 0 && total < 1e9 && (size_t)total > test->runs_total)
		test->runs_total = (size_t)total;
	if (first != NULL &&
	    (test->first_seen_at == NULL || strcmp(first, test->first_seen_at) < 0)) {
		free(test->first_seen_at);
		test->first_seen_at = copy(first);
	}
	jv_array_foreach (entries, i, value) {
		struct entry e = {0};
		if (read_entry(value, &e))
			enter(t, test, &e, false);
		else
			good = false;
		jv_free(value);
	}
	if (test->runs_total < test->entries)
		test->runs_total = test->entries;
	jv_free(entries);
	return good;
}

size_t
tests_conflicts(const struct tests *t)
{
	return t->conflicts;
}

static int
by_id(const void *a, const void *b)
{
	return strcmp(((const struct test *)a)->id, ((const struct test *)b)->id);
}

void
tests_write(struct tests *t, FILE *out)
{
	if (t->count > 0)
		qsort(t->test, t->count, sizeof *t->test, by_id);
	for (size_t i = 0; i < t->count; i++) {
		begin_line(t);
		put_test(&t->test[i], &t->line);
		end_line(t, out);
	}
	memset(t->slot, 0, t->slots * sizeof *t->slot); /* the order changed */
	for (size_t i = 0; i < t->count; i++)
		t->slot[place(t, t->test[i].id)] = i + 1;
}
