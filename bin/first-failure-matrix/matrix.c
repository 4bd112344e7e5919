#include "matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "prog.h"
#include "stats.h"

enum { DRAWS = 2000 };

/* Names are interned: their addresses stand for them, within one process. */
static size_t
slot_of(const struct matrix *m, const char *last, const char *attempted)
{
	uint64_t h =
	    ((uint64_t)(uintptr_t)last * 31 + (uint64_t)(uintptr_t)attempted) * 0x9e3779b97f4a7c15u;
	size_t at = (size_t)(h >> 32) & (m->slot_count - 1);

	while (m->slots[at] != 0) {
		const struct cell *c = &m->cells[m->slots[at] - 1];
		if (c->last == last && c->attempted == attempted)
			break;
		at = (at + 1) & (m->slot_count - 1);
	}
	return at;
}

static void
grow(struct matrix *m)
{
	if (m->count * 2 < m->slot_count)
		return;
	free(m->slots);
	m->slot_count = m->slot_count ? m->slot_count * 2 : 64;
	m->slots = prog_alloc(m->slot_count, sizeof *m->slots);
	for (size_t i = 0; i < m->count; i++)
		m->slots[slot_of(m, m->cells[i].last, m->cells[i].attempted)] = i + 1;
}

void
matrix_add(struct matrix *m, const char *last, const char *attempted, double n, double impact,
    const double layers[LAYERS])
{
	grow(m);
	size_t at = slot_of(m, last, attempted);
	if (m->slots[at] == 0) {
		if (m->count == m->size) {
			m->size = m->size ? m->size * 2 : 32;
			m->cells = prog_resize(m->cells, m->size, sizeof *m->cells);
		}
		m->cells[m->count++] = (struct cell){.last = last, .attempted = attempted};
		m->slots[at] = m->count;
	}
	struct cell *c = &m->cells[m->slots[at] - 1];
	c->n += n;
	c->impact += impact;
	for (int i = 0; i < LAYERS; i++)
		c->layers[i] += layers[i];
	m->total += n;
}

double
matrix_at(const struct matrix *m, const char *last, const char *attempted)
{
	for (size_t i = 0; i < m->count; i++)
		if (m->cells[i].last == last && m->cells[i].attempted == attempted)
			return m->cells[i].n;
	return 0;
}

static int
by_score(const void *a, const void *b)
{
	const struct cell *x = a, *y = b;

	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	int order = strcmp(x->last, y->last);
	return order != 0 ? order : strcmp(x->attempted, y->attempted);
}

/* A binomial draw: exact where that is cheap, the normal approximation where n is large. */
static double
binomial(struct stats_random *r, double n, double p)
{
	double count = 0, variance = n * p * (1 - p);

	if (p <= 0 || n <= 0)
		return 0;
	if (p >= 1)
		return n;
	if (variance > 100) {
		double u = stats_unit(r);
		double x =
		    round(n * p + sqrt(variance) * stats_normal_quantile(u > 0 ? u : 0x1p-54));
		return fmin(n, fmax(0, x));
	}
	/* By inversion, the count rising until its distribution passes u (BINV, Kachitvichyanukul
	 * and Schmeiser 1988): one draw and about n * p steps. */
	double rare = p > 0.5 ? 1 - p : p, odds = rare / (1 - rare);
	double mass = exp(n * log1p(-rare)), u = stats_unit(r);
	while (u >= mass && count < n) {
		u -= mass;
		count++;
		mass *= odds * (n - count + 1) / count;
	}
	return p > 0.5 ? n - count : count;
}

struct drawn {
	double score;
	size_t cell;
};

static int
by_drawn(const void *a, const void *b)
{
	const struct drawn *x = a, *y = b;

	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	return (x->cell > y->cell) - (x->cell < y->cell);
}

/* The rank that part of all draws reach at most, from how often each rank was drawn. */
static size_t
rank_at(const unsigned short *drawn, size_t part)
{
	size_t rank = 0, seen = drawn[0];

	while (seen < part)
		seen += drawn[++rank];
	return rank + 1;
}

static void
bootstrap(struct matrix *m, uint64_t seed)
{
	/* Past this many cells a rank says nothing that the score does not. */
	size_t cells = m->count < 1000 ? m->count : 1000;
	struct drawn *drawn = prog_alloc(cells, sizeof *drawn);
	unsigned short *ranked =
	    prog_alloc(cells * cells, sizeof *ranked); /* [cell * cells + rank] */
	struct stats_random r;

	stats_seed(&r, seed);
	for (size_t d = 0; d < DRAWS; d++) {
		double left = m->total, share = m->total;
		for (size_t i = 0; i < cells; i++) {
			double n = binomial(&r, left, share > 0 ? m->cells[i].n / share : 0);
			left -= n;
			share -= m->cells[i].n;
			drawn[i] = (struct drawn){n * m->cells[i].impact / m->cells[i].n, i};
		}
		qsort(drawn, cells, sizeof *drawn, by_drawn);
		for (size_t i = 0; i < cells; i++)
			ranked[drawn[i].cell * cells + i]++;
	}
	for (size_t i = 0; i < m->count; i++) {
		m->cells[i].rank_lo = m->cells[i].rank_hi = i + 1;
		if (i >= cells)
			continue;
		m->cells[i].rank_lo = rank_at(ranked + i * cells, DRAWS / 20);
		m->cells[i].rank_hi = rank_at(ranked + i * cells, DRAWS - DRAWS / 20);
	}
	free(drawn);
	free(ranked);
}

void
matrix_rank(struct matrix *m, uint64_t seed)
{
	for (size_t i = 0; i < m->count; i++) {
		struct cell *c = &m->cells[i];
		c->score = c->impact;
		c->layer = PROMPT;
		for (int l = 0; l < LAYERS; l++)
			if (c->layers[l] > c->layers[c->layer])
				c->layer = (enum layer)l;
		c->layer_share = c->n > 0 ? c->layers[c->layer] / c->n : 0;
	}
	if (m->count > 0) {
		qsort(m->cells, m->count, sizeof *m->cells, by_score);
		bootstrap(m, seed);
	}
	for (size_t i = 0; i < m->slot_count; i++)
		m->slots[i] = 0;
	for (size_t i = 0; i < m->count; i++)
		m->slots[slot_of(m, m->cells[i].last, m->cells[i].attempted)] = i + 1;
}

size_t
matrix_inseparable(const struct matrix *m)
{
	size_t k = 1;

	while (k < m->count &&
	       stats_mcnemar((size_t)m->cells[0].n, (size_t)m->cells[k].n).two_sided > 0.05)
		k++;
	return m->count > 0 ? k : 0;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct order {
	const char **names;
	size_t count;
	bool *reach; /* [i * count + j]: i comes before j, by some path */
};

static size_t
name_index(const struct order *o, const char *name)
{
	const char **at = bsearch(&name, o->names, o->count, sizeof *o->names, by_name);

	return (size_t)(at - o->names);
}

static void
close_paths(struct order *o)
{
	for (size_t k = 0; k < o->count; k++)
		for (size_t i = 0; i < o->count; i++)
			for (size_t j = 0; o->reach[i * o->count + k] && j < o->count; j++)
				o->reach[i * o->count + j] |= o->reach[k * o->count + j];
}

/* Before j stands whatever leads to it and is not led to by it. */
static bool
is_free(const struct order *o, const bool *done, size_t j)
{
	for (size_t i = 0; i < o->count; i++)
		if (!done[i] && o->reach[i * o->count + j] && !o->reach[j * o->count + i])
			return false;
	return true;
}

const char **
matrix_order(const struct matrix *m, size_t *count)
{
	struct order o = {prog_alloc(m->count * 2 + 1, sizeof *o.names), 0, NULL};

	for (size_t i = 0; i < m->count; i++) {
		o.names[o.count++] = m->cells[i].last;
		o.names[o.count++] = m->cells[i].attempted;
	}
	qsort(o.names, o.count, sizeof *o.names, by_name);
	size_t distinct = 0;
	for (size_t i = 0; i < o.count; i++)
		if (distinct == 0 || o.names[distinct - 1] != o.names[i])
			o.names[distinct++] = o.names[i];
	o.count = *count = distinct;
	/* The closure is cubic: a matrix of more names than this is read by a program, not by eye.
	 */
	if (o.count > 500)
		return o.names;
	o.reach = prog_alloc(o.count * o.count, sizeof *o.reach);
	for (size_t i = 0; i < m->count; i++)
		o.reach[name_index(&o, m->cells[i].last) * o.count +
			name_index(&o, m->cells[i].attempted)] = true;
	close_paths(&o);
	bool *done = prog_alloc(o.count, sizeof *done);
	const char **made = prog_alloc(o.count + 1, sizeof *made);
	for (size_t n = 0; n < o.count; n++) {
		size_t j = 0;
		while (done[j] || !is_free(&o, done, j))
			j++;
		done[j] = true;
		made[n] = o.names[j];
	}
	free(done);
	free(o.reach);
	free(o.names);
	return made;
}

void
matrix_free(struct matrix *m)
{
	free(m->cells);
	free(m->slots);
	*m = (struct matrix){0};
}
