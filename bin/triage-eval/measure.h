#ifndef MEASURE_H
#define MEASURE_H

/* measure: from cases and verdicts to metric records, each with its interval. */
#include <stdint.h>
#include <stdio.h>

#include "set.h"

struct measure {
	const struct set *set;
	jv metrics;    /* an array of metric records, in their order */
	double target; /* of the threshold */
	uint64_t seed;
};

void measure_all(struct measure *m);
/* Another way to ask about the same cases, compared pair by pair; NULL: nobody did. */
void measure_variant(struct measure *m, const char *name, const struct set *variant);
/* Wilson's lower bound on the share of all cases that is right in both. */
double measure_bound(const struct measure *m);

/* The metrics as a table: a row each, a column for each slice. */
void measure_print(jv metrics, FILE *out);

#endif
