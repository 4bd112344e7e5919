#ifndef RUN_RECORDS_H
#define RUN_RECORDS_H

/*
 * run: what the records of one run of autoqa come to.
 *
 * Records before the first wave record are what was known before; the last known record of a
 * scenario is how it stands now.
 */
#include <jv.h>
#include <stdbool.h>
#include <stddef.h>

/* In the order of the report. */
enum standing {
	OPEN,        /* failed in this run, reproduced */
	JUDGE,       /* could not be judged: never a pass */
	FLAKY,       /* failed, in fewer trials than counts */
	UNCONFIRMED, /* failed, and there were too few trials */
	QUIET,       /* open or flaky, and did not show this time */
	FIXED,       /* enough clean trials: since this run */
	STANDINGS
};
extern const char *const standing_titles[STANDINGS];

struct bug {
	enum standing standing;
	jv record;                       /* the cluster */
	const char *id, *title, *reason; /* in record; reason is an example's; NULL: none */
	int severity;                    /* a place in scenario_severities */
	size_t n;                        /* trials of this run that showed it */
	bool fresh;
	double fails, trials, lo, hi, clean, needs; /* of the scenario that says most */
};

struct trial_row {
	char *id;
	const char *title;      /* in scenario */
	jv scenario, judgement; /* judgement: the last that did not pass; invalid: none */
	char *cluster;
	size_t trials, fails, errors;
	double ms;
	enum standing standing; /* of its cluster, where it failed */
};

struct run {
	char *agent;
	struct bug *bugs;
	size_t bug_count, counts[STANDINGS];
	struct trial_row *rows;
	size_t row_count, trials, fails;
	long waves;
	double dollars, proposed, kept;
	jv plan, dropped; /* the last plan; reasons with counts */
	jv index;         /* of rows, by scenario */
	bool whole;
	const char *wall; /* when; the caller's to set, NULL: unknown */
};

struct run run_read(char *const files[]);
void run_free(struct run *r);

/* The severity of the gravest bug that is open, or 4, which is worse than all, where something
 * could not be judged; -1: neither. */
int run_gravest(const struct run *r);

#endif
