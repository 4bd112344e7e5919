#ifndef EXPLORE_H
#define EXPLORE_H

/* explore: what an explorer is told of a run, and what is taken of what it says. */
#include <jv.h>
#include <stdbool.h>
#include <stdio.h>

/* What a run's records say. */
struct material {
	jv agent;     /* its record */
	jv scenarios; /* by id */
	jv tags;      /* by tag: {scenarios, trials, failed} */
	jv tools;     /* by name: calls that were seen */
	jv clusters;  /* by id */
	jv known;     /* by scenario */
	jv order;     /* ids of scenarios as they came */
};

struct material material_new(void);
void material_add(struct material *m, jv record); /* not consumed */
void material_free(struct material *m);

/* A segment of sections that asks for count scenarios. */
void material_ask(const struct material *m, int wave, int count, FILE *out);

/*
 * Hold a proposal (not consumed) against the rules and what is known: NULL, and *scenario is a
 * record of yours; or the reason, which is static.  What is taken is known from then on.
 */
const char *proposal_check(struct material *m, jv proposal, jv *scenario);

#endif
