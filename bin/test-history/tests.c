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
	bool known; /* attempts of the run are known */
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

static jv
texts(const struct title *list)
{
	jv out = jv_array();

	for (size_t i = 0; i < list->count; i++)
		out = jv_array_append(out, jv_string(list->part[i]));
	return out;
}

static jv
fault_value(const struct fault *f)
{
	jv where = jv_object(), error = jv_object();

	where = jvx_set_text(where, "file", f->file);
	if (f->line > 0)
		where = jvx_set_number(where, "line", (double)f->line);
	if (f->column > 0)
		where = jvx_set_number(where, "column", (double)f->column);
	error = jvx_set_text(error, "message", f->message);
	error = jvx_set_text(error, "stack", f->stack);
	error = jvx_set_text(error, "snippet", f->snippet);
	error = jvx_set_text(error, "type", f->type);
	if (f->synthetic)
		error = jvx_set(error, "synthetic", jv_true());
	if (f->file != NULL)
		return jvx_set(error, "location", where);
	jv_free(where);
	return error;
}

static jv
letter(char c)
{
	char text[2] = {c, '\0'};
	return c == 0 ? jv_invalid() : jv_string(text);
}

jv
tests_run_members(jv rec, const struct run *run)
{
	rec = jvx_set_text(rec, "run_id", run->id);
	rec = jvx_set_text(rec, "run_start", run->start);
	rec = jvx_set_text(rec, "commit", run->commit);
	rec = jvx_set_text(rec, "branch", run->branch);
	rec = jvx_set_text(rec, "source", run->source);
	return jvx_set_text(rec, "tool_version", run->tool);
}

static void
put_attempt(const struct tests *t, const struct attempt *a, const char *id)
{
	const struct run *run = t->run;
	jv rec = jvx_set_text(jv_object(), "type", "attempt");

	rec = tests_run_members(rec, run);
	rec = jvx_set_text(rec, "project", a->project);
	rec = jvx_set_text(rec, "file", a->file);
	if (a->line > 0)
		rec = jvx_set_number(rec, "line", (double)a->line);
	rec = jvx_set(rec, "title_path", texts(&a->title));
	rec = jvx_set_text(rec, "test_id", id);
	rec = jvx_set_number(rec, "repeat", a->repeat);
	rec = jvx_set_number(rec, "retry", a->retry);
	rec = jvx_set(rec, "status", letter(a->status));
	rec = jvx_set(rec, "expected", letter(a->expected));
	if (a->duration_ms >= 0)
		rec = jvx_set_ms(rec, "duration_ms", a->duration_ms);
	rec = jvx_set_text(rec, "started_at", a->started_at);
	if (a->worker >= 0)
		rec = jvx_set_number(rec, "worker", a->worker);
	if (run->shard > 0)
		rec = jvx_set_number(rec, "shard", run->shard);
	rec = jvx_set_text(rec, "trace", a->trace);
	if (a->has_error)
		rec = jvx_set(rec, "error", fault_value(&a->error));
	if (a->errors > 0)
		rec = jvx_set_number(rec, "errors_n", a->errors);
	rec = jvx_set(rec, "attempts_known", a->attempts_known ? jv_true() : jv_false());
	if (a->tags.count > 0)
		rec = jvx_set(rec, "tags", texts(&a->tags));
	if (a->steps_failed.count > 0)
		rec = jvx_set(rec, "steps_failed", texts(&a->steps_failed));
	ndjson_put(rec, t->out);
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
	if (t->out != NULL && a->status != 'N')
		put_attempt(t, a, id.data);
	buf_free(&id);
}

static enum outcome
outcome_of_repeat(const struct test *test, int repeat)
{
	bool failed = false;
	enum outcome out = OUT_NONE;

	for (size_t i = 0; i < test->seen_count; i++) {
		const struct seen *s = &test->seen[i];
		if (s->repeat != repeat)
			continue;
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

static int
last_repeat(const struct test *test)
{
	int last = 0;

	for (size_t i = 0; i < test->seen_count; i++)
		if (test->seen[i].repeat > last)
			last = test->seen[i].repeat;
	return last;
}

static enum outcome
outcome_of(const struct test *test)
{
	enum outcome worst = OUT_NONE;

	for (int r = 0; r <= last_repeat(test); r++) {
		enum outcome out = outcome_of_repeat(test, r);
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

	e.outcome = outcome_of(test);
	for (int r = 0; r <= last_repeat(test); r++)
		for (size_t i = 0; i < test->seen_count; i++)
			if (test->seen[i].repeat == r && test->seen[i].letter != 'N')
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

static jv
entry_value(const struct entry *e)
{
	jv v = jvx_set_text(jv_object(), "run_id", e->run_id);

	v = jvx_set_text(v, "at", e->at);
	v = jvx_set_text(v, "commit", e->commit);
	v = jvx_set_text(v, "seq", e->seq);
	v = jvx_set_text(v, "sig", e->sig);
	return jvx_set_text(v, "outcome", outcome_name[e->outcome]);
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
		const struct test *test = &t->test[i];
		jv entries = jv_array(), rec = jvx_set_text(jv_object(), "type", "history");
		for (size_t e = 0; e < test->entries; e++)
			entries = jv_array_append(entries, entry_value(&test->entry[e]));
		rec = jvx_set_text(rec, "test_id", test->id);
		rec = jvx_set_text(rec, "first_seen_at", test->first_seen_at);
		rec = jvx_set_number(rec, "runs_total", (double)test->runs_total);
		ndjson_put(jvx_set(rec, "entries", entries), out);
	}
	memset(t->slot, 0, t->slots * sizeof *t->slot); /* the order changed */
	for (size_t i = 0; i < t->count; i++)
		t->slot[place(t, t->test[i].id)] = i + 1;
}
