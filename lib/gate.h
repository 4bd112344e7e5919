#ifndef GATE_H
#define GATE_H

/*
 * gate: did these cases get worse, or is it the noise of running them again?
 *
 * Cases are fixed, what is random is the run: the repeats of a case before are compared with those
 * after, by the exact permutation test with cases as strata.  A drop is relative to the mean
 * before, and only one of more than 10 % counts.  Nothing is rounded; two numbers within 1e-12 are
 * equal, so that a drop of 10 % exactly passes however it was added up.
 */
#include <stdbool.h>
#include <stddef.h>

#include "stats.h"

enum verdict { GATE_OK, GATE_SUSPECT, GATE_REGRESSED, GATE_INVALID };
extern const char *const gate_verdicts[]; /* "ok" ... */

#define GATE_ALPHA 0.05  /* one-sided, of the totals */
#define GATE_BROKEN 0.01 /* of one case, after Holm over the cases */
#define GATE_DROP 0.10   /* of the mean, strictly more */

/* One case; either side may be empty, then it says nothing. */
struct gate_case {
	struct stratum totals;
	bool must_fail; /* it must pass, and failed in every epoch after */
	double p;       /* made here: Holm-adjusted; 1 where it says nothing */
	bool broken;    /* made here */
};

struct gate {
	enum verdict verdict;
	bool dropped;         /* the naive rule: the mean fell by more than 10 % */
	size_t cases, epochs; /* compared; the least repeats of a case on a side */
	double before, after; /* means of the cases' means, in points */
	double effect;        /* after / before - 1 */
	double p;             /* one-sided, of "worse" */
	struct interval ci;   /* of effect, 95 %; NaN where nothing varied */
	double mde;   /* the smallest relative drop seen with 80 % power; NaN: none can be */
	double reach; /* the least p that these cases and epochs could give at all */
	size_t more;  /* suspect: epochs to add on each side; 0 when unknown */
};

struct gate gate_decide(struct gate_case *cases, size_t count);

#endif
