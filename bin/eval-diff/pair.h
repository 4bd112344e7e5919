#ifndef PAIR_H
#define PAIR_H

/*
 * pair: the cases that two runs share, and every reason why the runs cannot be compared.
 */
#include "gate.h"
#include "scores.h"

enum { TOTAL = AXES, MEASURES }; /* the five axes and their total */

struct pair {
	const char *name;
	const struct score *before, *after; /* rows of the runs, by epoch */
	size_t before_rows, after_rows;
};

struct pairs {
	struct pair *at;
	size_t count;
	jv refused; /* why the runs cannot be compared; empty when they can */
	jv notes;   /* what else must be known */
	bool lost;  /* the agent gave no answer more often than before */
};

struct pairs pair_runs(const struct scores *before, const struct scores *after);
void pairs_free(struct pairs *p);

/*
 * The scores of a measure (an axis or TOTAL) of all pairs as cases for the gate.  They are whole
 * numbers there: *scale times the record's.
 */
struct gate_case *pair_cases(const struct pairs *p, int measure, double *scale);
/* The same, from nothing but the rows before: half of each case's epochs on either side. */
struct gate_case *pair_halves(const struct pairs *p, struct stats_random *r);
void pair_cases_free(struct gate_case *cases, size_t count);

/* Mean over the cases of what the chance is that k epochs all pass, or that one of them does. */
struct chance {
	double all, any;
};
enum when { BEFORE, AFTER };
struct chance pair_chance(const struct pairs *p, enum when when, size_t k);

#endif
