/* playwright: the report of Playwright's json reporter, pulled through in pieces. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "digest.h"
#include "failmsg.h"
#include "prog.h"
#include "report.h"
#include "scan.h"
#include "tracename.h"
#include "when.h"

enum { STRING_MAX = 1 << 28, NEST_MAX = 64 };

struct feed {
	const struct report *r;
	uint64_t at;
	struct digest *digest; /* NULL on the second look */
};

static long
feed_read(void *ctx, char *bytes, size_t len)
{
	struct feed *f = ctx;
	ssize_t got = pread(f->r->fd, bytes, len, (off_t)f->at);

	if (got > 0 && f->digest != NULL)
		digest_add(f->digest, bytes, (size_t)got);
	f->at += got > 0 ? (uint64_t)got : 0;
	return got;
}

/* Without terminal escapes and control bytes, and with names relative to root. */
static void
prose(struct scan_pull *p, const char *root, char **to)
{
	struct buf plain = {0}, out = {0};
	size_t root_len = root == NULL ? 0 : strlen(root);

	if (!scan_pull_enters(p, SCAN_STRING))
		return;
	failmsg_plain(p->text.data, p->text.len, &plain);
	const char *at = plain.data == NULL ? "" : plain.data, *found;
	while (root_len > 1 && (found = strstr(at, root)) != NULL) {
		buf_add(&out, at, (size_t)(found - at));
		at = found + root_len;
		if (*at == '/' || *at == '\\')
			at++;
		else
			buf_text(&out, root);
	}
	buf_text(&out, at);
	free(*to);
	*to = out.data;
	buf_free(&plain);
}

static long
whole(struct scan_pull *p, long otherwise)
{
	double n = scan_pull_number(p, NAN);
	return n >= 0 && n <= 1e9 ? (long)n : otherwise;
}

static void
list(struct scan_pull *p, struct title *to)
{
	enum scan_event e;

	if (!scan_pull_enters(p, SCAN_ARRAY))
		return;
	while ((e = scan_pull_next(p)) != SCAN_ARRAY_END && e != SCAN_FAULT && e != SCAN_END) {
		if (e == SCAN_STRING)
			title_add(to, p->text.data, p->text.len);
		else
			scan_pull_skip(p);
	}
}

/* Names of files: '/' between the parts, relative to root. */
static void
file_name(struct scan_pull *p, const char *root, char **to)
{
	scan_pull_text(p, to);
	if (*to == NULL)
		return;
	size_t n = root == NULL ? 0 : strlen(root);
	if (n > 1 && strncmp(*to, root, n) == 0 && ((*to)[n] == '/' || (*to)[n] == '\\'))
		memmove(*to, *to + n + 1, strlen(*to + n + 1) + 1);
	for (char *c = *to; *c != '\0'; c++)
		if (*c == '\\')
			*c = '/';
}

/* What fails. */

static void
location(struct scan_pull *p, const char *root, struct fault *f)
{
	if (!scan_pull_enters(p, SCAN_OBJECT))
		return;
	while (scan_pull_key(p)) {
		if (scan_pull_is(p, "file"))
			file_name(p, root, &f->file);
		else if (scan_pull_is(p, "line"))
			f->line = whole(p, 0);
		else if (scan_pull_is(p, "column"))
			f->column = whole(p, 0);
		else
			scan_pull_skip(p);
	}
}

/* The object is open. */
static void
read_fault(struct scan_pull *p, const char *root, struct fault *f)
{
	while (scan_pull_key(p)) {
		if (scan_pull_is(p, "message") || scan_pull_is(p, "value"))
			prose(p, root, &f->message);
		else if (scan_pull_is(p, "stack"))
			prose(p, root, &f->stack);
		else if (scan_pull_is(p, "snippet"))
			prose(p, root, &f->snippet);
		else if (scan_pull_is(p, "location"))
			location(p, root, f);
		else
			scan_pull_skip(p);
	}
}

/* The steps with an error, innermost last; an array of steps comes next. */
static void
read_steps(struct scan_pull *p, struct title *failed, int depth)
{
	if (!scan_pull_enters(p, SCAN_ARRAY))
		return;
	while (scan_pull_element(p)) {
		char *title = NULL;
		bool bad = false;
		size_t before = failed->count;
		while (scan_pull_key(p)) {
			if (scan_pull_is(p, "title"))
				scan_pull_text(p, &title);
			else if (scan_pull_is(p, "error"))
				bad = scan_pull_enters(p, SCAN_OBJECT) && scan_pull_skip(p);
			else if (scan_pull_is(p, "steps") && depth < NEST_MAX)
				read_steps(p, failed, depth + 1);
			else
				scan_pull_skip(p);
		}
		if (bad && title != NULL && failed->count == before)
			title_add(failed, title, strlen(title));
		free(title);
	}
}

/* One execution; the object is open. */
static void
read_result(struct scan_pull *p, const struct report *r, struct attempt *a)
{
	char *status = NULL;

	a->attempts_known = true;
	while (scan_pull_key(p)) {
		if (scan_pull_is(p, "status")) {
			scan_pull_text(p, &status);
		} else if (scan_pull_is(p, "retry")) {
			a->retry = (int)whole(p, 0);
		} else if (scan_pull_is(p, "duration")) {
			a->duration_ms = scan_pull_number(p, -1);
		} else if (scan_pull_is(p, "startTime")) {
			char *at = NULL;
			scan_pull_text(p, &at);
			free(a->started_at);
			a->started_at = at == NULL ? NULL : when_normal(at);
			free(at);
		} else if (scan_pull_is(p, "workerIndex")) {
			a->worker = (int)whole(p, -1);
		} else if (scan_pull_is(p, "error")) {
			if (scan_pull_enters(p, SCAN_OBJECT)) {
				read_fault(p, r->root, &a->error);
				a->has_error = true;
			}
		} else if (scan_pull_is(p, "errors")) {
			if (!scan_pull_enters(p, SCAN_ARRAY))
				continue;
			while (scan_pull_element(p)) {
				struct fault f = {0};
				read_fault(p, r->root, &f);
				if (a->errors++ == 0 && !a->has_error) {
					a->error = f;
					a->has_error = true;
				} else {
					fault_free(&f);
				}
			}
		} else if (scan_pull_is(p, "steps")) {
			read_steps(p, &a->steps_failed, 0);
		} else if (scan_pull_is(p, "attachments")) {
			tracename_attached(p, &a->trace);
		} else {
			scan_pull_skip(p);
		}
	}
	a->status = status_letter(status);
	if (a->status == 0)
		a->status = 'N';
	free(status);
}

/* Suites nest, and members come in any order: titles are put in front as their suites end. */

struct waiting {
	struct attempt a;
	size_t level; /* how many suites around it have not given their title yet */
};

struct reading {
	struct report *r;
	struct scan_pull *p;
	struct tests *tests;
	struct waiting *waiting;
	size_t count, size;
	char *title[NEST_MAX]; /* of the open suites; NULL: not seen yet */
	size_t depth;
	long expected, unexpected, flaky, skipped;
	size_t again;
	char *first; /* when the first attempt began */
};

static struct attempt *
add_waiting(struct reading *in)
{
	if (in->count == in->size) {
		in->size = in->size == 0 ? 16 : in->size * 2;
		in->waiting = prog_resize(in->waiting, in->size, sizeof *in->waiting);
	}
	struct waiting *w = &in->waiting[in->count++];
	attempt_init(&w->a);
	w->level = in->depth;
	return &w->a;
}

static void
title_front(struct title *t, const char *text)
{
	struct title front = {0};

	title_split(&front, text, strlen(text));
	front.part = prog_resize(front.part, front.count + t->count + 1, sizeof *front.part);
	if (t->count > 0)
		memcpy(front.part + front.count, t->part, t->count * sizeof *t->part);
	front.count += t->count;
	free(t->part);
	*t = front;
}

/* The title of suite number level (1 is a file's, and no part of the path) is known. */
static void
give_title(struct waiting *w, const char *title)
{
	if (w->level == 1) {
		if (w->a.file == NULL)
			w->a.file = prog_copy(title, strlen(title));
	} else if (*title != '\0') {
		title_front(&w->a.title, title);
	}
	w->level--;
}

/* Hand on what waits, when all around it have their titles. */
static void
flush(struct reading *in)
{
	for (size_t i = 0; i < in->depth; i++)
		if (in->title[i] == NULL)
			return;
	for (size_t i = 0; i < in->count; i++) {
		struct waiting *w = &in->waiting[i];
		while (w->level > 0)
			give_title(w, in->title[w->level - 1]);
		if (in->tests != NULL)
			tests_attempt(in->tests, &w->a);
		const char *at = w->a.started_at;
		if (at != NULL && (in->first == NULL || strcmp(at, in->first) < 0)) {
			free(in->first);
			in->first = prog_copy(at, strlen(at));
		}
		attempt_free(&w->a);
	}
	in->count = 0;
}

static char
verdict_letter(struct reading *in, const char *status)
{
	if (status == NULL)
		return 0;
	if (strcmp(status, "expected") == 0)
		return in->expected++, 'P';
	if (strcmp(status, "unexpected") == 0)
		return in->unexpected++, 'F';
	if (strcmp(status, "flaky") == 0)
		return in->flaky++, 'X';
	in->skipped += strcmp(status, "skipped") == 0;
	return 0;
}

/* A test that should have failed and did not has no error of its own. */
static void
say_passed(struct attempt *a)
{
	static const char words[] = "Expected to fail, but passed.";

	if (a->expected != 'F' || a->status != 'P' || a->has_error)
		return;
	a->error.message = prog_copy(words, strlen(words));
	a->error.synthetic = true;
	a->has_error = true;
}

/* One test of one project; the object is open. */
static void
read_test(struct reading *in)
{
	struct scan_pull *p = in->p;
	size_t from = in->count;
	char *project = NULL, *id = NULL, *expected = NULL, *status = NULL;

	while (scan_pull_key(p)) {
		if (scan_pull_is(p, "projectName")) {
			scan_pull_text(p, &project);
		} else if (scan_pull_is(p, "projectId")) {
			scan_pull_text(p, &id);
		} else if (scan_pull_is(p, "expectedStatus")) {
			scan_pull_text(p, &expected);
		} else if (scan_pull_is(p, "status")) {
			scan_pull_text(p, &status);
		} else if (scan_pull_is(p, "results")) {
			if (!scan_pull_enters(p, SCAN_ARRAY))
				continue;
			while (scan_pull_element(p))
				read_result(p, in->r, add_waiting(in));
		} else {
			scan_pull_skip(p);
		}
	}
	char verdict = verdict_letter(in, status);
	if (in->count == from) { /* a skip that was not reached is a skip all the same */
		add_waiting(in)->status = status_letter(expected) == 'S' ? 'S' : 'N';
		verdict = 0;
	}
	if (project == NULL || *project == '\0') {
		free(project);
		project = id;
		id = NULL;
	}
	for (size_t i = from; i < in->count; i++) {
		struct attempt *a = &in->waiting[i].a;
		a->project = project == NULL ? NULL : prog_copy(project, strlen(project));
		a->expected = status_letter(expected);
		a->verdict = verdict;
		say_passed(a);
	}
	free(project);
	free(id);
	free(expected);
	free(status);
}

/* A test of a spec: whose, and where its attempts are among those that wait. */
struct part {
	const char *project;
	size_t from, to;
};

static int
by_project(const void *x, const void *y)
{
	const struct part *a = x, *b = y;
	int order = strcmp(a->project, b->project);

	return order != 0 ? order : (a->from > b->from) - (a->from < b->from);
}

/* Tests of one spec and project are repeats of each other. */
static void
number_repeats(struct reading *in, struct part *part, size_t tests)
{
	int repeat = 0;

	for (size_t t = 0; t < tests; t++) {
		const char *project = in->waiting[part[t].from].a.project;
		part[t].project = project == NULL ? "" : project;
	}
	if (tests > 1)
		qsort(part, tests, sizeof *part, by_project);
	for (size_t t = 0; t < tests; t++) {
		bool again = t > 0 && strcmp(part[t].project, part[t - 1].project) == 0;
		repeat = again ? repeat + 1 : 0;
		for (size_t i = part[t].from; i < part[t].to; i++)
			in->waiting[i].a.repeat = repeat;
		in->again += again;
	}
}

/* The object is open. */
static void
read_spec(struct reading *in)
{
	struct scan_pull *p = in->p;
	size_t from = in->count, tests = 0;
	struct part *part = NULL;
	char *title = NULL, *file = NULL;
	struct title tags = {0};
	long line = 0;

	while (scan_pull_key(p)) {
		if (scan_pull_is(p, "title")) {
			scan_pull_text(p, &title);
		} else if (scan_pull_is(p, "file")) {
			file_name(p, in->r->root, &file);
		} else if (scan_pull_is(p, "line")) {
			line = whole(p, 0);
		} else if (scan_pull_is(p, "tags")) {
			list(p, &tags);
		} else if (scan_pull_is(p, "tests")) {
			if (!scan_pull_enters(p, SCAN_ARRAY))
				continue;
			while (scan_pull_element(p)) {
				size_t at = in->count;
				read_test(in);
				if ((tests & (tests - 1)) == 0) /* at 0, 1, 2, 4: double it */
					part =
					    prog_resize(part, tests ? 2 * tests : 1, sizeof *part);
				part[tests++] = (struct part){NULL, at, in->count};
			}
		} else {
			scan_pull_skip(p);
		}
	}
	number_repeats(in, part, tests);
	for (size_t i = from; i < in->count; i++) {
		struct attempt *a = &in->waiting[i].a;
		title_split(
		    &a->title, title == NULL ? "" : title, title == NULL ? 0 : strlen(title));
		a->line = line;
		if (file != NULL && *file != '\0')
			a->file = prog_copy(file, strlen(file));
		for (size_t t = 0; t < tags.count; t++)
			title_add(&a->tags, tags.part[t], strlen(tags.part[t]));
	}
	free(part);
	free(title);
	free(file);
	title_free(&tags);
	flush(in);
}

/* An array of suites comes next. */
static void
read_suites(struct reading *in)
{
	struct scan_pull *p = in->p;

	if (!scan_pull_enters(p, SCAN_ARRAY))
		return;
	while (scan_pull_element(p)) {
		if (in->depth == NEST_MAX) { /* nobody writes such; its tests are not counted */
			scan_pull_skip(p);
			continue;
		}
		size_t from = in->count; /* what is handed on meanwhile leaves none of ours */
		in->title[in->depth++] = NULL;
		while (scan_pull_key(p)) {
			if (scan_pull_is(p, "title")) {
				scan_pull_text(p, &in->title[in->depth - 1]);
				flush(in);
			} else if (scan_pull_is(p, "suites")) {
				read_suites(in);
			} else if (scan_pull_is(p, "specs")) {
				if (!scan_pull_enters(p, SCAN_ARRAY))
					continue;
				while (scan_pull_element(p))
					read_spec(in);
			} else {
				scan_pull_skip(p);
			}
		}
		if (in->title[in->depth - 1] == NULL)
			in->title[in->depth - 1] = prog_copy("", 0);
		flush(in);
		for (size_t i = from; i < in->count; i++)
			if (in->waiting[i].level == in->depth)
				give_title(&in->waiting[i], in->title[in->depth - 1]);
		free(in->title[--in->depth]);
	}
}

/* The first look. */

/* Every text in the metadata, with the path to it: "ci.commitHash". */
static void
read_metadata(struct scan_pull *p, struct run *run, struct buf *path)
{
	if (!scan_pull_enters(p, SCAN_OBJECT))
		return;
	while (scan_pull_key(p)) {
		size_t len = path->len;
		if (len > 0)
			buf_byte(path, '.');
		buf_add(path, p->text.data, p->text.len);
		enum scan_event e = scan_pull_next(p);
		if (e == SCAN_STRING || e == SCAN_NUMBER) {
			metadata_text(run, path->data, p->text.data);
		} else if (e == SCAN_OBJECT && len == 0) {
			while (scan_pull_key(p)) {
				size_t inner = path->len;
				buf_byte(path, '.');
				buf_add(path, p->text.data, p->text.len);
				e = scan_pull_next(p);
				if (e == SCAN_STRING || e == SCAN_NUMBER)
					metadata_text(run, path->data, p->text.data);
				else
					scan_pull_skip(p);
				path->len = inner;
				path->data[inner] = '\0';
			}
		} else {
			scan_pull_skip(p);
		}
		path->len = len;
		path->data[len] = '\0';
	}
}

static void
read_config(struct scan_pull *p, struct report *r)
{
	char *version = NULL;
	struct buf path = {0};

	if (!scan_pull_enters(p, SCAN_OBJECT))
		return;
	while (scan_pull_key(p)) {
		if (scan_pull_is(p, "rootDir")) {
			scan_pull_text(p, &r->root);
		} else if (scan_pull_is(p, "version")) {
			scan_pull_text(p, &version);
		} else if (scan_pull_is(p, "metadata")) {
			read_metadata(p, &r->run, &path);
		} else if (scan_pull_is(p, "shard")) {
			if (!scan_pull_enters(p, SCAN_OBJECT))
				continue;
			while (scan_pull_key(p)) {
				if (scan_pull_is(p, "current"))
					r->run.shard = (int)whole(p, 0);
				else
					scan_pull_skip(p);
			}
		} else if (scan_pull_is(p, "projects")) {
			if (!scan_pull_enters(p, SCAN_ARRAY))
				continue;
			while (scan_pull_element(p))
				while (scan_pull_key(p)) {
					int each = 0;
					if (scan_pull_is(p, "repeatEach"))
						each = (int)whole(p, 1);
					else
						scan_pull_skip(p);
					if (each > r->repeat_each)
						r->repeat_each = each;
				}
		} else {
			scan_pull_skip(p);
		}
	}
	if (version != NULL) {
		struct buf tool = {0};
		buf_format(&tool, "playwright %.40s", version);
		r->run.tool = tool.data;
	}
	free(version);
	buf_free(&path);
}

static void
read_stats(struct scan_pull *p, struct report *r)
{
	char *start = NULL;

	if (!scan_pull_enters(p, SCAN_OBJECT))
		return;
	while (scan_pull_key(p)) {
		if (scan_pull_is(p, "startTime"))
			scan_pull_text(p, &start);
		else if (scan_pull_is(p, "expected"))
			r->expected = whole(p, -1);
		else if (scan_pull_is(p, "unexpected"))
			r->unexpected = whole(p, -1);
		else if (scan_pull_is(p, "flaky"))
			r->flaky = whole(p, -1);
		else if (scan_pull_is(p, "skipped"))
			r->skipped = whole(p, -1);
		else
			scan_pull_skip(p);
	}
	if (start != NULL)
		r->run.start = when_normal(start);
	free(start);
}

/* People commit reports, and merge them by hand: where near at the mark is; at when there is none.
 */
static uint64_t
conflict(const struct report *r, uint64_t at, const char **why)
{
	char near[160];
	uint64_t from = at < 80 ? 0 : at - 80;
	ssize_t got = pread(r->fd, near, sizeof near, (off_t)from);

	for (ssize_t i = 0; i + 7 <= got; i++)
		if ((i == 0 || near[i - 1] == '\n') &&
		    (memcmp(near + i, "<<<<<<<", 7) == 0 || memcmp(near + i, "=======", 7) == 0 ||
			memcmp(near + i, ">>>>>>>", 7) == 0)) {
			*why = "a git conflict marker";
			return from + (uint64_t)i;
		}
	return at;
}

bool
playwright_look(struct report *r)
{
	struct feed feed = {.r = r, .digest = digest_new()};
	struct scan_pull *p = scan_pull_new(feed_read, &feed, STRING_MAX);
	bool suites = false, good = true;
	enum scan_event e = scan_pull_next(p);

	while (e == SCAN_OBJECT && scan_pull_key(p)) {
		if (scan_pull_is(p, "config")) {
			read_config(p, r);
		} else if (scan_pull_is(p, "stats")) {
			read_stats(p, r);
		} else if (scan_pull_is(p, "suites")) {
			suites = true;
			scan_pull_skip(p);
		} else if (scan_pull_is(p, "errors")) {
			if (!scan_pull_enters(p, SCAN_ARRAY))
				continue;
			while (scan_pull_element(p)) {
				struct fault f = {0};
				read_fault(p, r->root, &f);
				report_error(r, &f);
				fault_free(&f);
			}
		} else {
			scan_pull_skip(p);
		}
	}
	if (p->error.why != NULL || scan_pull_next(p) != SCAN_END) {
		const char *why = p->error.why == NULL ? "not one object" : p->error.why;
		uint64_t at = conflict(r, p->error.at, &why);
		report_complain(r, at, why);
		good = false;
	} else if (!suites) {
		report_complain(r, 0, "JSON, but no report of Playwright: it has no \"suites\"");
		good = false;
	}
	scan_pull_free(p);
	digest_end(feed.digest, r->digest);
	r->run.source = "playwright-json";
	if (good && r->run.start == NULL) /* before 1.39: when the first test began */
		playwright_read(r, NULL);
	return good;
}

void
playwright_read(struct report *r, struct tests *tests)
{
	struct feed feed = {.r = r};
	struct reading in = {.r = r, .tests = tests};

	in.p = scan_pull_new(feed_read, &feed, STRING_MAX);
	if (scan_pull_next(in.p) == SCAN_OBJECT)
		while (scan_pull_key(in.p)) {
			if (scan_pull_is(in.p, "suites"))
				read_suites(&in);
			else
				scan_pull_skip(in.p);
		}
	flush(&in);
	scan_pull_free(in.p);
	free(in.waiting);
	if (r->run.start == NULL)
		r->run.start = in.first;
	else
		free(in.first);
	r->repeats_seen = in.again;
	r->found[0] = in.expected;
	r->found[1] = in.unexpected;
	r->found[2] = in.flaky;
	r->found[3] = in.skipped;
}
