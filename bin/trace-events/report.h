#ifndef REPORT_H
#define REPORT_H

/*
 * report: what Playwright's JSON report says of each result: the status, retry and project that no
 * trace holds.
 */
#include <stdbool.h>

#include "buf.h"

struct outcome {
	char *trace; /* path of its trace.zip; NULL when it has none */
	char *title, *file, *status, *expected, *project;
	double line, retry, duration_ms, timeout_ms,
	    start;     /* start: wall clock in ms; NaN: unknown */
	char **errors; /* messages as they were printed, colours and all */
	char **places; /* file of each error's place, or NULL */
	double *lines;
	unsigned error_count;
};

struct report;

/* A file that is no report, or cannot be read, is TROUBLE, with the reason on standard error. */
struct report *report_open(const char *path);
void report_free(struct report *r);

/*
 * The outcome of the trace with this name, or title, line of the test and start; NULL when none is
 * known to be it.
 */
const struct outcome *report_find(
    const struct report *r, const char *name, const char *title, double line, double start);

#endif
