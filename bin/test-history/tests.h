#ifndef TESTS_H
#define TESTS_H

/*
 * tests: every test that was ever seen, and what became of it in each run.
 *
 * Runs are entered from the oldest to the newest: tests_begin(), an attempt at a time, tests_end().
 * What is kept of a run is a few bytes a test; the window bounds how many runs.
 */
#include <jv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "attempt.h"

struct tests;

/* A test keeps at most window entries. */
struct tests *tests_new(size_t window);
void tests_free(struct tests *t);

/* Attempts go to out as records too; NULL: they do not. */
void tests_begin(struct tests *t, const struct run *run, FILE *out);
void tests_attempt(struct tests *t, const struct attempt *a);

struct tally {
	size_t tests, pass, fail, flaky, skip, none;
	size_t again; /* attempts that a report repeats without saying so */
};
struct tally tests_end(struct tests *t);

/* A history record from before; false when it is none (a member lacks or has a wrong kind). */
bool tests_history(struct tests *t, jv record);
/* Entries of one run that say different things: how many. */
size_t tests_conflicts(const struct tests *t);

/* The history records, by test_id. */
void tests_write(struct tests *t, FILE *out);

#endif
