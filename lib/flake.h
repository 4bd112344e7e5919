#ifndef FLAKE_H
#define FLAKE_H

/*
 * flake: what the past of a test says about it.
 *
 * Runs are letters, oldest first: P passed, F failed in every attempt, X flaky (failed and passed
 * in one run), S skipped, - no evidence (interrupted, not started); T, which ran out of time, is an
 * F.  Definitions are those of test-analyse(1).
 */
#include <stdbool.h>
#include <stddef.h>

#include "stats.h"

/* What an attempt says about the code, P F T S I: a failure that was expected is a pass, and a pass
 * that was not is a failure. */
char flake_effective(char status, char expected);

/*
 * How much a test alternates, not how often it fails: the share of its steps that are flips,
 * weighted by 2^(-age/10).  Skips are no runs; a run that flips inside is a flip even when it is
 * the first.
 */
double flake_flip_score(const char *runs);
size_t flake_flips(const char *runs); /* the same steps, counted; *n of flake_runs() are possible */
size_t flake_runs(const char *runs);  /* letters P, F, T and X */
size_t flake_streak(const char *runs); /* F at the end, skips aside */

struct flake_rate {
	size_t k,
	    n; /* flaky ones of the runs whose code was good: those that ended pass or flaky */
	double rate; /* NaN when n is 0 */
	struct interval wilson;
};
struct flake_rate flake_rate(const char *runs);

/* After 0 of n: the rate it may have had all the same, 1 - 0.05^(1/n). */
double flake_onset(size_t n);
/* Clean runs that show a test has recovered: the least R with (1 - lo)^R < 0.05; 0 when lo is 0. */
size_t flake_recovered(double lo);

/* P(intermittent) for the ambiguity: (flips + 1/2) / n, halved for each failure in the streak after
 * the first; 1/2 without runs. */
double flake_intermittent(const char *runs);
/* Entropy of count probabilities, 0 to 1: divided by that of equal ones. */
double flake_entropy(const double *p, size_t count);
/* 1 - (1 - owner)(1 - behaviour / 2), both entropies. */
double flake_ambiguity(double owner, double behaviour);

#endif
