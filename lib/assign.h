#ifndef ASSIGN_H
#define ASSIGN_H

/*
 * assign: the one cell of a failed run.
 *
 * R0 says whether it failed; R1 and R2 take people's labels; R3 to R5 find the first failure that
 * was not made good; R6, R8 and R9 speak where no state failed; R7 finds the last good state before
 * it.
 */
#include "run.h"

enum policy { FIRST_UNRECOVERED, FIRST_OBSERVED };
enum disputed { DISPUTED_APART, DISPUTED_MECHANICAL };

struct rules {
	enum policy policy;
	enum disputed disputed;
	struct map *map;
};

enum verdict { SUCCEEDED, FAILED, UNSCORED };

struct adjudication {
	const char *last, *attempted; /* interned states */
	enum layer layer;
};

struct assignment {
	enum verdict verdict;
	bool unsafe;                  /* the outcome was right, and something forbidden was done */
	bool contradicted;            /* the record's outcome is not what its outcome oracle says */
	const char *rule;             /* "R1" .. "R9" */
	const char *last, *attempted; /* interned */
	const char *milestone_last, *milestone_attempted;
	long at; /* i of the attempted state; -1: none */
	enum layer layer;
	size_t occurrence, attempts; /* visits of the state so far; tries in this visit */
	double impact;
	const long *recovered, *ambiguous; /* i; valid until the next assign() */
	size_t recovered_count, ambiguous_count;
	bool revisits, branches; /* a milestone matrix says more */
};

struct assigner;
struct assigner *assigner_new(const struct rules *rules);
/* final: what an adjudicator decided, or NULL. */
struct assignment assign(struct assigner *a, const struct run *r, const struct adjudication *final);
void assigner_free(struct assigner *a);

#endif
