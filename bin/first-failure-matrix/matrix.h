#ifndef MATRIX_H
#define MATRIX_H

/* matrix: how many failures stand in each cell, and what follows from that. */
#include <stdint.h>

#include "assign.h"

struct cell {
	const char *last, *attempted; /* interned */
	double n, impact;             /* impact is the sum over the cell's runs */
	double layers[LAYERS];
	/* set by matrix_rank() */
	double score, layer_share;
	enum layer layer;
	size_t rank_lo, rank_hi;
};

struct matrix {
	struct cell *cells; /* by score after matrix_rank() */
	size_t count, size;
	size_t *slots; /* open addressing: index + 1 */
	size_t slot_count;
	double total;
};

/* Add n failures to the cell of two interned names. */
void matrix_add(struct matrix *m, const char *last, const char *attempted, double n, double impact,
    const double layers[LAYERS]);

/*
 * Sort by score (then n, then names) and give each cell the range of ranks that a seeded
 * multinomial bootstrap of 2000 draws gives it (5th to 95th percentile).
 */
void matrix_rank(struct matrix *m, uint64_t seed);

/* How many of the first cells cannot be told apart from the first by an exact binomial test. */
size_t matrix_inseparable(const struct matrix *m);

/*
 * Names of the rows and columns in one order: what was seen to come before comes first, cycles
 * together, then by name.  Yours to free; the strings are interned.
 */
const char **matrix_order(const struct matrix *m, size_t *count);

double matrix_at(const struct matrix *m, const char *last, const char *attempted);
void matrix_free(struct matrix *m);

#endif
