#ifndef TALLY_H
#define TALLY_H

/*
 * tally: what has been counted so far, and the checks that nothing was lost.
 *
 * Tallies of parts add up: the cell, milestone_cell, margin and check records of other machines are
 * taken in like runs.  Of the runs themselves 24 bytes are kept: digests of the id, of the bytes
 * and of (task, trial, cohort), for what comes twice.
 */
#include <jv.h>

#include "matrix.h"

struct cohort {
	const char *name;
	double failed;
};

struct tally {
	struct matrix states, milestones;
	struct cohort *cohorts;
	size_t cohort_count;
	double runs, failed, succeeded, unscored,
	    duplicates; /* duplicates are not among the runs */
	double layers[LAYERS];
	double milestone_reasons; /* runs with a second visit, a second branch or a recovery */
	struct seen_runs *seen;
};

enum twice { NEW_RUN, SAME_AGAIN, OTHER_BYTES, OTHER_RUN_OF_TASK };

struct tally *tally_new(void);
/* Whether the run came before; a new one is remembered. */
enum twice tally_seen(struct tally *t, const struct run *r, struct span record);
void tally_add(struct tally *t, const struct run *r, const struct assignment *made);
/* Take in a record of another tally; false when it is none. */
bool tally_merge(struct tally *t, jv record, struct map *names);

struct check {
	const char *name;
	double got, want;
};
enum { CHECKS = 8 };
/* Fills checks; true when all of them hold. */
bool tally_check(const struct tally *t, bool strict, struct check checks[CHECKS]);
void tally_free(struct tally *t);

#endif
