#ifndef REPORT_H
#define REPORT_H

/*
 * report: one input file of test-history.
 *
 * A report is looked at once, whole, for what concerns all of its tests (when the run began, whose
 * commit, what the totals are) and for whether it is well formed; and read a second time, test by
 * test.  So nothing of a broken report gets out, and no more than one test is held.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "attempt.h"
#include "tests.h"

enum report_form { FORM_PLAYWRIGHT, FORM_JUNIT, FORM_BLOB, FORM_RECORDS, FORM_NONE };

struct report {
	char *name; /* as given, cleaned for messages */
	int fd;     /* seekable: what is not is spooled */
	uint64_t bytes;
	enum report_form form;
	size_t arrived; /* 0 for the first operand */
	bool bad;       /* reported, and not read again */
	bool nameless;  /* its run id is its digest */

	char digest[65]; /* of the bytes */
	struct run run;
	char *root; /* rootDir: names in the report are relative to it */
	int repeat_each;
	long expected, unexpected, flaky, skipped,
	    tests;                            /* what the report says of itself; -1: nothing */
	bool shows_retries, shows_properties; /* JUnit: elements or properties that tell of them */
	bool is_playwright;                   /* JUnit of Playwright's reporter */
	struct fault *errors;                 /* of the run, not of a test */
	size_t error_count;

	/* What the second look found: */
	long found[4]; /* expected, unexpected, flaky, skipped, as the report says of each test */
	size_t repeats_seen; /* tests that are in it twice or more */
};

/* The first look.  False when the file is no report; that was said on standard error. */
bool report_open(struct report *r, const char *name, size_t arrived);
void report_close(struct report *r);

/* Say "prog: name: byte N: why". */
void report_complain(const struct report *r, uint64_t at, const char *why);
void report_error(struct report *r, const struct fault *error); /* keeps a copy */

/* The second look: every test, into tests. */
void report_read(struct report *r, struct tests *tests);

/* One pair for each form; see report_open and report_read. */
bool playwright_look(struct report *r);
void playwright_read(struct report *r, struct tests *tests);
bool junit_look(struct report *r);
void junit_read(struct report *r, struct tests *tests);
bool blob_look(struct report *r);
void blob_read(struct report *r, struct tests *tests);

/* What Playwright's metadata says of commit, branch and build, into run where it is not known yet.
 */
struct span;
void metadata_text(struct run *run, const char *path, const char *value);

#endif
