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

static void
read_place(struct scan_pull *p, char **file, double *line)
{
	if (!scan_pull_enters(p, SCAN_OBJECT))
		return;
	while (scan_pull_key(p)) {
		if (scan_pull_is(p, "file"))
			scan_pull_text(p, file);
		else if (scan_pull_is(p, "line"))
			*line = scan_pull_number(p, *line);
		else
			scan_pull_skip(p);
	}
}

static void
read_errors(struct scan_pull *p, struct outcome *o)
{
	if (!scan_pull_enters(p, SCAN_ARRAY))
		return;
	while (scan_pull_element(p)) {
		char *message = NULL, *file = NULL;
		double line = NAN;
		while (scan_pull_key(p)) {
			if (scan_pull_is(p, "message") || scan_pull_is(p, "value"))
				scan_pull_text(p, &message);
			else if (scan_pull_is(p, "location"))
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

	if (!scan_pull_enters(p, SCAN_ARRAY))
		return;
	while (scan_pull_element(p)) {
		struct outcome *o = add(in->r);
		char *start = NULL;
		while (scan_pull_key(p)) {
			if (scan_pull_is(p, "status"))
				scan_pull_text(p, &o->status);
			else if (scan_pull_is(p, "retry"))
				o->retry = scan_pull_number(p, o->retry);
			else if (scan_pull_is(p, "duration"))
				o->duration_ms = scan_pull_number(p, o->duration_ms);
			else if (scan_pull_is(p, "startTime"))
				scan_pull_text(p, &start);
			else if (scan_pull_is(p, "errors"))
				read_errors(p, o);
			else if (scan_pull_is(p, "attachments"))
				tracename_attached(p, &o->trace);
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

	if (!scan_pull_enters(p, SCAN_ARRAY))
		return;
	while (scan_pull_element(p)) {
		size_t first = in->r->count;
		char *expected = NULL, *project = NULL;
		double timeout = NAN;
		while (scan_pull_key(p)) {
			if (scan_pull_is(p, "expectedStatus"))
				scan_pull_text(p, &expected);
			else if (scan_pull_is(p, "projectName"))
				scan_pull_text(p, &project);
			else if (scan_pull_is(p, "timeout"))
				timeout = scan_pull_number(p, timeout);
			else if (scan_pull_is(p, "results"))
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

	if (!scan_pull_enters(p, SCAN_ARRAY))
		return;
	while (scan_pull_element(p)) {
		size_t first = in->r->count;
		char *title = NULL, *file = NULL;
		double line = NAN;
		while (scan_pull_key(p)) {
			if (scan_pull_is(p, "title"))
				scan_pull_text(p, &title);
			else if (scan_pull_is(p, "file"))
				scan_pull_text(p, &file);
			else if (scan_pull_is(p, "line"))
				line = scan_pull_number(p, line);
			else if (scan_pull_is(p, "tests"))
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
	if (!scan_pull_enters(p, SCAN_ARRAY))
		return;
	while (scan_pull_element(p)) {
		while (scan_pull_key(p)) {
			if (scan_pull_is(p, "suites"))
				read_suites(in, depth + 1);
			else if (scan_pull_is(p, "specs"))
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
			if (scan_pull_is(in.p, "suites")) {
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
