/* test-history: reports of test runs in, one run's attempts and everybody's history out. */
#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "confine.h"
#include "ndjson.h"
#include "prog.h"
#include "report.h"
#include "spool.h"
#include "when.h"

struct options {
	bool gate, all, history_only;
	const char *branch, *commit, *id, *pick;
	size_t window;
};

static bool broken_run; /* a report says that the run itself failed; for -g */

static void
warning(const struct report *r, const char *code, const char *message)
{
	ndjson_put(ndjson_warning("test-history", code, message, r->name), stdout);
}

static int
rank(const struct report *r)
{
	return r->form == FORM_PLAYWRIGHT ? 0 : r->form == FORM_BLOB ? 1 : 2;
}

/* By start, whatever the order of arrival; what has no time comes first. */
static int
by_start(const void *a, const void *b)
{
	const struct report *x = *(struct report *const *)a, *y = *(struct report *const *)b;
	int order = strcmp(
	    x->run.start == NULL ? "" : x->run.start, y->run.start == NULL ? "" : y->run.start);

	if (order == 0)
		order = rank(x) - rank(y);
	if (order == 0)
		order = strcmp(x->run.id, y->run.id);
	if (order == 0)
		order = x->run.shard - y->run.shard;
	if (order == 0)
		order = strcmp(x->digest, y->digest);
	return order != 0 ? order : (x->arrived > y->arrived) - (x->arrived < y->arrived);
}

/* History records and attempts of others go in and through; the rest passes. */
static bool
read_records(struct report *r, struct tests *tests)
{
	bool good = true;
	FILE *in = fdopen(dup(r->fd), "r");
	char *line = NULL;
	size_t size = 0, number = 0;
	ssize_t len;
	if (in == NULL || fseeko(in, 0, SEEK_SET) != 0)
		err(TROUBLE, "%s", r->name);
	while ((len = getline(&line, &size, in)) > 0) {
		struct scan_error error;
		number++;
		struct span whole = scan_trim(line, (size_t)len);
		if (whole.len == 0)
			continue;
		jv record = jvx_parse(line, (size_t)len, &error);
		const char *type = jvx_text(record, "type");
		if (type == NULL) {
			warnx("%s: line %zu: %s", r->name, number,
			    jv_is_valid(record) ? "neither a test report nor a record" : error.why);
			good = false;
		} else if (strcmp(type, "history") == 0) {
			if (!tests_history(tests, record)) {
				warnx("%s: line %zu: a history record that lacks something",
				    r->name, number);
				good = false;
			}
		} else {
			ndjson_raw(whole, stdout);
		}
		jv_free(record);
	}
	if (ferror(in)) {
		warn("%s", r->name);
		good = false;
	}
	free(line);
	fclose(in);
	return good;
}

static bool
same(const char *a, const char *b)
{
	return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/*
 * The same run twice?  By its bytes, by its id, or by its start to the millisecond; a run that was
 * written as JSON and as XML too starts within two seconds of itself.  Shards are parts of one.
 */
static bool
is_double(const struct report *r, const struct report *before, const struct options *o)
{
	if (strcmp(r->digest, before->digest) == 0) {
		warning(r, "duplicate_report", "the same bytes as a report before it; left out");
		return true;
	}
	if (r->run.shard != before->run.shard || o->id != NULL)
		return false;
	if (strcmp(r->run.id, before->run.id) == 0) {
		warning(r, "duplicate_run_id",
		    "the run id of a report before it, with other contents; left out");
		return true;
	}
	if (r->run.start == NULL || before->run.start == NULL)
		return false;
	if (r->form == before->form && same(r->run.start, before->run.start)) {
		warning(r, "duplicate_run",
		    "began in the same millisecond as a report before it; left out");
		return true;
	}
	if (r->form != before->form &&
	    fabs(when_ms(r->run.start) - when_ms(before->run.start)) <= 2000) {
		warning(
		    r, "duplicate_run", "the run of a report before it, in another form; left out");
		return true;
	}
	return false;
}

static void
name_run(struct report *r, const struct options *o)
{
	if (o->id != NULL) {
		free(r->run.id);
		r->run.id = prog_copy(o->id, strlen(o->id));
	} else if (r->run.id == NULL) {
		r->run.id = prog_copy(r->digest, 16);
		r->nameless = true;
	}
	if (o->commit != NULL) {
		free(r->run.commit);
		r->run.commit = prog_copy(o->commit, strlen(o->commit));
	}
	if (o->branch != NULL) {
		free(r->run.branch);
		r->run.branch = prog_copy(o->branch, strlen(o->branch));
	}
}

static void
put_run(const struct report *r, const struct tally *t)
{
	const struct run *run = &r->run;
	jv rec = jvx_set_text(jv_object(), "type", "test_run");

	rec = jvx_set_text(rec, "run_id", run->id);
	rec = jvx_set_text(rec, "run_start", run->start);
	rec = jvx_set_text(rec, "commit", run->commit);
	rec = jvx_set_text(rec, "branch", run->branch);
	rec = jvx_set_text(rec, "source", run->source);
	rec = jvx_set_text(rec, "tool_version", run->tool);
	rec = jvx_set_text(rec, "report", r->name);
	if (run->shard > 0)
		rec = jvx_set_number(rec, "shard", run->shard);
	rec = jvx_set_number(rec, "tests", (double)t->tests);
	rec = jvx_set_number(rec, "pass", (double)t->pass);
	rec = jvx_set_number(rec, "fail", (double)t->fail);
	rec = jvx_set_number(rec, "flaky", (double)t->flaky);
	rec = jvx_set_number(rec, "skip", (double)t->skip);
	ndjson_put(jvx_set_number(rec, "none", (double)t->none), stdout);
}

static void
put_errors(const struct report *r)
{
	for (size_t i = 0; i < r->error_count; i++) {
		const struct fault *f = &r->errors[i];
		jv error = jvx_set_text(jv_object(), "message", f->message);
		jv rec = jvx_set_text(jv_object(), "type", "run_error");
		error = jvx_set_text(error, "stack", f->stack);
		if (f->file != NULL) {
			jv where = jvx_set_text(jv_object(), "file", f->file);
			error = jvx_set(
			    error, "location", jvx_set_number(where, "line", (double)f->line));
		}
		rec = jvx_set_text(rec, "run_id", r->run.id);
		ndjson_put(jvx_set(rec, "error", error), stdout);
		broken_run = true;
	}
}

static void
check_stats(const struct report *r)
{
	static const char *const names[] = {"expected", "unexpected", "flaky", "skipped"};
	const long said[] = {r->expected, r->unexpected, r->flaky, r->skipped};
	struct buf b = {0};

	if (r->form != FORM_PLAYWRIGHT)
		return;
	for (int i = 0; i < 4; i++)
		if (said[i] >= 0 && said[i] != r->found[i])
			buf_format(&b, "%s%s: %ld in stats, %ld among the tests",
			    b.len > 0 ? "; " : "", names[i], said[i], r->found[i]);
	if (b.len > 0)
		warning(r, "stats_mismatch", b.data);
	buf_free(&b);
}

static bool
picked(const struct report *r, const struct report *newest, const struct options *o)
{
	if (o->history_only)
		return false;
	if (o->all)
		return true;
	return strcmp(r->run.id, o->pick != NULL ? o->pick : newest->run.id) == 0;
}

static void
read_run(struct report *r, struct tests *tests, bool attempts)
{
	tests_begin(tests, &r->run, attempts ? stdout : NULL);
	report_read(r, tests);
	struct tally tally = tests_end(tests);
	check_stats(r);
	if (r->repeats_seen > 0 && r->repeat_each <= 1) {
		struct buf b = {0};
		buf_format(
		    &b, "%zu tests are in it more than once; taken as repeats", r->repeats_seen);
		warning(r, "duplicate_test", b.data);
		buf_free(&b);
	}
	if (attempts) {
		put_run(r, &tally);
		put_errors(r);
	}
}

/*
 * Shards that do not say which build they are of: each goes with the one before it in time that is
 * of the same form and tool, began within the hour, and is of a run that lacks this number.
 */
static void
join_shards(struct report **runs, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct report *r = runs[i], *b = runs[i - 1];
		bool taken = r->run.shard == 0 || r->form != b->form || b->run.shard == 0 ||
			     when_ms(r->run.start) - when_ms(b->run.start) > 3600000;
		for (size_t k = 0; k < i && !taken; k++)
			taken = strcmp(runs[k]->run.id, b->run.id) == 0 &&
				runs[k]->run.shard == r->run.shard;
		if (taken || strcmp(r->run.id, b->run.id) == 0 || !r->nameless)
			continue;
		free(r->run.id);
		r->run.id = prog_copy(b->run.id, strlen(b->run.id));
	}
}

/* Parts of one run began when the first of them did. */
static void
join_starts(struct report **runs, size_t count)
{
	for (size_t i = 1; i < count; i++)
		for (size_t k = 0; k < i; k++) {
			if (strcmp(runs[k]->run.id, runs[i]->run.id) != 0)
				continue;
			free(runs[i]->run.start);
			const char *start = runs[k]->run.start;
			runs[i]->run.start = start == NULL ? NULL : prog_copy(start, strlen(start));
			break;
		}
}

static void
read_runs(struct report **runs, size_t count, struct tests *tests, const struct options *o)
{
	const struct report *last = NULL;

	for (size_t i = 0; i < count; i++) {
		if (last == NULL || runs[i]->arrived > last->arrived)
			last = runs[i];
		else if (!same(runs[i]->run.start, last->run.start))
			warning(runs[i], "out_of_order",
			    "began later than a report that was given after it");
		if (runs[i]->run.start == NULL)
			warning(
			    runs[i], "no_start", "does not say when it began; taken as the oldest");
	}
	join_shards(runs, count);
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		bool twice = false;
		for (size_t k = kept; k > 0 && !twice; k--)
			twice = is_double(runs[i], runs[k - 1], o);
		if (!twice)
			runs[kept++] = runs[i];
	}
	join_starts(runs, kept);
	for (size_t i = 0; i < kept; i++)
		read_run(runs[i], tests, picked(runs[i], runs[kept - 1], o));
}

static int
work(char *const names[], const struct options *o)
{
	static char *const standard[] = {"-", NULL};
	size_t count = 0, runs_count = 0;
	bool good = true;

	if (*names == NULL)
		names = standard;
	while (names[count] != NULL)
		count++;
	struct report *reports = prog_alloc(count, sizeof *reports);
	struct report **runs = prog_alloc(count, sizeof *runs);
	struct tests *tests = tests_new(o->window);
	for (size_t i = 0; i < count; i++) {
		struct report *r = &reports[i];
		r->bad = !report_open(r, names[i], i);
		good = good && !r->bad;
		if (r->bad)
			continue;
		if (r->form == FORM_RECORDS) {
			good = read_records(r, tests) && good;
			continue;
		}
		name_run(r, o);
		runs[runs_count++] = r;
	}
	if (runs_count > 0)
		qsort(runs, runs_count, sizeof *runs, by_start);
	read_runs(runs, runs_count, tests, o);
	if (tests_conflicts(tests) > 0) {
		struct buf b = {0};
		buf_format(&b, "%zu entries of the history differ from what was read now; replaced",
		    tests_conflicts(tests));
		ndjson_put(
		    ndjson_warning("test-history", "history_conflict", b.data, NULL), stdout);
		buf_free(&b);
	}
	tests_write(tests, stdout);
	tests_free(tests);
	for (size_t i = 0; i < count; i++)
		report_close(&reports[i]);
	free(reports);
	free(runs);
	if (fflush(stdout) != 0 || ferror(stdout))
		err(TROUBLE, "write error");
	return good ? YES : TROUBLE;
}

int
main(int argc, char *argv[])
{
	struct options o = {.window = 50};
	int ch;

	prog_start(argc, argv,
	    "test-history [-agH] [-b branch] [-c commit] [-i id] [-r run] [-w runs] [file ...]\n"
	    "Reads test reports of any age and order: Playwright's json and blob reports, JUnit "
	    "XML,\n"
	    "and the history records of an earlier test-history.  Writes the attempts of the "
	    "newest run\n"
	    "and one history record a test.\n"
	    "  -a         the attempts of all runs\n"
	    "  -H         no attempts: what is to be kept for the next time\n"
	    "  -r run     the attempts of this run\n"
	    "  -i id, -c commit, -b branch   what the report does not say of its run\n"
	    "  -w runs    entries a test keeps; 50\n"
	    "  -g         exit 1 if a run broke outside its tests\n"
	    "Example: test-history history.ndjson results.json | test-analyse");
	while ((ch = getopt(argc, argv, "ab:c:gHi:r:w:")) != -1) {
		switch (ch) {
		case 'a': o.all = true; break;
		case 'b': o.branch = optarg; break;
		case 'c': o.commit = optarg; break;
		case 'g': o.gate = true; break;
		case 'H': o.history_only = true; break;
		case 'i': o.id = optarg; break;
		case 'r': o.pick = optarg; break;
		case 'w': o.window = (size_t)prog_number(ch, optarg, 1, 100000); break;
		default: prog_usage();
		}
	}
	const char *write[] = {spool_folder(), NULL};
	struct confine needs = {.files = argv + optind, .write = write};
	confine(&needs);
	int status = work(argv + optind, &o);
	return status == YES && o.gate && broken_run ? NO : status;
}
