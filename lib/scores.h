#ifndef SCORES_H
#define SCORES_H

/*
 * scores: the score records of one run of the golden set, sorted by case and then by epoch.
 *
 * An answer that never came, a judge that failed and a broken machine are statuses, never a zero:
 * score_counts() is false for them, and their numbers are NaN.
 */
#include <stdbool.h>
#include <stddef.h>

#include "jvx.h"

enum { AXES = 5 };
extern const char *const score_axes[AXES];   /* as in the record */
extern const char *const score_titles[AXES]; /* for people */

enum score_status {
	SCORE_PASS,
	SCORE_REVIEW,
	SCORE_FAIL,
	SCORE_ERROR,
	SCORE_JUDGE_ERROR,
	SCORE_INFRA_ERROR,
	SCORE_STATUSES
};
extern const char *const score_statuses[SCORE_STATUSES];

/* What two runs must share to be compared, and what a reader of the history wants to know. */
enum score_version {
	SCORE_CASE_SHA256,
	SCORE_RUBRIC,
	SCORE_JUDGE,
	SCORE_SCHEMA,
	SCORE_FIXED, /* those above must be equal; those below may be what is compared */
	SCORE_PROMPT = SCORE_FIXED,
	SCORE_MODEL,
	SCORE_VERSIONS
};
extern const char *const score_versions[SCORE_VERSIONS];

struct score {
	char *name, *category;          /* category is "uncategorised" where the record has none */
	char *versions[SCORE_VERSIONS]; /* NULL where unknown */
	long long epoch;
	enum score_status status;
	double total, max, axes[AXES]; /* NaN: not scored */
	double duration_ms;            /* NaN: unknown, as where the answer was replayed */
	bool must_pass;
	size_t place; /* in the input, from 0 */
	jv why;       /* reasons by axis, and of the status; invalid where the record has none */
};

struct scores {
	struct score *rows;
	size_t count;
	bool whole; /* every file and line could be read */
};

/* Records of other types are skipped.  The list is as for ndjson_open(). */
struct scores scores_read(char *const files[]);
void scores_free(struct scores *s);

bool score_counts(const struct score *s);

/* The end of the run of rows that belong to the case of row `from`. */
size_t scores_case_end(const struct scores *s, size_t from);

#endif
