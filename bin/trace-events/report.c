/* report: pulled through once, so that the report's stdout and steps cost nothing. */
#include "report.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "prog.h"
#include "scan.h"
#include "tracename.h"
#include "when.h"

enum { DEPTH_MOST = 64, STRING_MOST = 64 << 20, ERRORS_MOST = 50 };

struct report {
	struct outcome **at;
	size_t count, size;
};

struct reading {
	struct report *r;
	struct scan_pull *p;
};

static long
read_some(void *ctx, char *bytes, size_t len)
{
	return read(*(int *)ctx, bytes, len);
}

static bool
key(struct scan_pull *p)
{
	return scan_pull_next(p) == SCAN_KEY;
}

static bool
is(const struct scan_pull *p, const char *name)
{
	return p->text.data != NULL && strcmp(p->text.data, name) == 0;
}

/* Values of another kind are passed over. */
static void
pass(struct scan_pull *p, enum scan_event e)
{
	if (e == SCAN_OBJECT || e == SCAN_ARRAY)
		scan_pull_skip(p);
}

static void
text(struct scan_pull *p, char **to)
{
	enum scan_event e = scan_pull_next(p);

	if (e != SCAN_STRING) {
		pass(p, e);
		return;
	}
	free(*to);
	*to = prog_copy(p->text.data ? p->text.data : "", p->text.len);
}

static void
number(struct scan_pull *p, double *to)
{
	enum scan_event e = scan_pull_next(p);

	if (e == SCAN_NUMBER)
		*to = strtod(p->text.data, NULL);
	else
		pass(p, e);
}

/* True once for each element of an array of objects, each time inside its object. */
static bool
element(struct scan_pull *p)
{
	enum scan_event e;

	while ((e = scan_pull_next(p)) != SCAN_ARRAY_END && e != SCAN_FAULT && e != SCAN_END) {
		if (e == SCAN_OBJECT)
			return true;
		pass(p, e);
	}
	return false;
}

static bool
array(struct scan_pull *p)
{
	enum scan_event e = scan_pull_next(p);

	if (e == SCAN_ARRAY)
		return true;
	pass(p, e);
	return false;
}

static void
read_place(struct scan_pull *p, char **file, double *line)
{
	enum scan_event e = scan_pull_next(p);

	if (e != SCAN_OBJECT) {
		pass(p, e);
		return;
	}
	while (key(p)) {
		if (is(p, "file"))
			text(p, file);
		else if (is(p, "line"))
			number(p, line);
		else
			scan_pull_skip(p);
	}
}

static void
read_errors(struct scan_pull *p, struct outcome *o)
{
	if (!array(p))
		return;
	while (element(p)) {
		char *message = NULL, *file = NULL;
		double line = NAN;
		while (key(p)) {
			if (is(p, "message") || is(p, "value"))
				text(p, &message);
			else if (is(p, "location"))
				read_place(p, &file, &line);
			else
				scan_pull_skip(p);
		}
		if (message == NULL || o->error_count == ERRORS_MOST) {
			free(message);
			free(file);
			continue;
		}
		unsigned n = o->error_count++;
		o->errors = prog_resize(o->errors, n + 1, sizeof *o->errors);
		o->places = prog_resize(o->places, n + 1, sizeof *o->places);
		o->lines = prog_resize(o->lines, n + 1, sizeof *o->lines);
		o->errors[n] = message;
		o->places[n] = file;
		o->lines[n] = line;
	}
}

static void
read_attachments(struct scan_pull *p, struct outcome *o)
{
	if (!array(p))
		return;
	while (element(p)) {
		char *name = NULL, *path = NULL;
		while (key(p)) {
			if (is(p, "name"))
				text(p, &name);
			else if (is(p, "path"))
				text(p, &path);
			else
				scan_pull_skip(p);
		}
		if (name != NULL && strcmp(name, "trace") == 0 && o->trace == NULL) {
			o->trace = path;
			path = NULL;
		}
		free(name);
		free(path);
	}
}

static struct outcome *
add(struct report *r)
{
	if (r->count == r->size) {
		r->size = r->size == 0 ? 64 : r->size * 2;
		r->at = prog_resize(r->at, r->size, sizeof *r->at);
	}
	struct outcome *o = prog_alloc(1, sizeof *o);
	o->line = o->retry = o->duration_ms = o->timeout_ms = o->start = NAN;
	r->at[r->count++] = o;
	return o;
}

static void
read_results(struct reading *in)
{
	struct scan_pull *p = in->p;

	if (!array(p))
		return;
	while (element(p)) {
		struct outcome *o = add(in->r);
		char *start = NULL;
		while (key(p)) {
			if (is(p, "status"))
				text(p, &o->status);
			else if (is(p, "retry"))
				number(p, &o->retry);
			else if (is(p, "duration"))
				number(p, &o->duration_ms);
			else if (is(p, "startTime"))
				text(p, &start);
			else if (is(p, "errors"))
				read_errors(p, o);
			else if (is(p, "attachments"))
				read_attachments(p, o);
			else
				scan_pull_skip(p);
		}
		if (when_ms(start) >= 0)
			o->start = when_ms(start);
		free(start);
	}
}

static char *
copy(const char *s)
{
	return s == NULL ? NULL : prog_copy(s, strlen(s));
}

static void
read_tests(struct reading *in)
{
	struct scan_pull *p = in->p;

	if (!array(p))
		return;
	while (element(p)) {
		size_t first = in->r->count;
		char *expected = NULL, *project = NULL;
		double timeout = NAN;
		while (key(p)) {
			if (is(p, "expectedStatus"))
				text(p, &expected);
			else if (is(p, "projectName"))
				text(p, &project);
			else if (is(p, "timeout"))
				number(p, &timeout);
			else if (is(p, "results"))
				read_results(in);
			else
				scan_pull_skip(p);
		}
		for (size_t i = first; i < in->r->count; i++) {
			in->r->at[i]->expected = copy(expected);
			in->r->at[i]->project = copy(project);
			in->r->at[i]->timeout_ms = timeout;
		}
		free(expected);
		free(project);
	}
}

static void
read_specs(struct reading *in)
{
	struct scan_pull *p = in->p;

	if (!array(p))
		return;
	while (element(p)) {
		size_t first = in->r->count;
		char *title = NULL, *file = NULL;
		double line = NAN;
		while (key(p)) {
			if (is(p, "title"))
				text(p, &title);
			else if (is(p, "file"))
				text(p, &file);
			else if (is(p, "line"))
				number(p, &line);
			else if (is(p, "tests"))
				read_tests(in);
			else
				scan_pull_skip(p);
		}
		for (size_t i = first; i < in->r->count; i++) {
			in->r->at[i]->title = copy(title);
			in->r->at[i]->file = copy(file);
			in->r->at[i]->line = line;
		}
		free(title);
		free(file);
	}
}

static void
read_suites(struct reading *in, unsigned depth)
{
	struct scan_pull *p = in->p;

	if (depth > DEPTH_MOST) {
		scan_pull_skip(p);
		return;
	}
	if (!array(p))
		return;
	while (element(p)) {
		while (key(p)) {
			if (is(p, "suites"))
				read_suites(in, depth + 1);
			else if (is(p, "specs"))
				read_specs(in);
			else
				scan_pull_skip(p);
		}
	}
}

struct report *
report_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		err(TROUBLE, "%s", path);
	struct reading in = {
	    prog_alloc(1, sizeof *in.r), scan_pull_new(read_some, &fd, STRING_MOST)};
	bool suites = false;
	enum scan_event e = scan_pull_next(in.p);
	if (e == SCAN_OBJECT) {
		while ((e = scan_pull_next(in.p)) == SCAN_KEY) {
			if (is(in.p, "suites")) {
				suites = true;
				read_suites(&in, 0);
			} else {
				scan_pull_skip(in.p);
			}
		}
		e = scan_pull_next(in.p);
	}
	if (e == SCAN_FAULT)
		errx(TROUBLE, "%s: not JSON: %s at byte %zu", path, in.p->error.why,
		    in.p->error.at + 1);
	if (!suites)
		errx(TROUBLE, "%s: not a JSON report of Playwright", path);
	scan_pull_free(in.p);
	close(fd);
	return in.r;
}

void
report_free(struct report *r)
{
	if (r == NULL)
		return;
	for (size_t i = 0; i < r->count; i++) {
		struct outcome *o = r->at[i];
		for (unsigned j = 0; j < o->error_count; j++) {
			free(o->errors[j]);
			free(o->places[j]);
		}
		free(o->errors);
		free(o->places);
		free(o->lines);
		free(o->trace);
		free(o->title);
		free(o->file);
		free(o->status);
		free(o->expected);
		free(o->project);
		free(o);
	}
	free(r->at);
	free(r);
}

const struct outcome *
report_find(const struct report *r, const char *name, const char *title, double line, double start)
{
	const struct outcome *best = NULL;
	unsigned most = 0;
	bool tie = false;

	for (size_t i = 0; name != NULL && i < r->count; i++) {
		const struct outcome *o = r->at[i];
		if (o->trace == NULL)
			continue;
		unsigned n = tracename_agreement(name, o->trace);
		if (n == 0 || n < most)
			continue;
		tie = n == most;
		most = n;
		best = o;
	}
	if (best != NULL && !tie)
		return best;
	/* The same title and line: of retries the one that began when the trace did. */
	best = NULL;
	for (size_t i = 0; title != NULL && i < r->count; i++) {
		const struct outcome *o = r->at[i];
		if (o->title == NULL || strcmp(o->title, title) != 0 ||
		    !(isnan(line) || o->line == line))
			continue;
		if (best == NULL || fabs(o->start - start) < fabs(best->start - start))
			best = o;
	}
	return best;
}
