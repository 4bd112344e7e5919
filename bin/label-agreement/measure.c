#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "prog.h"
#include "stats.h"

enum { DRAWS = 2000, PAIRS_TOLD = 10 };

/* Two labellers, however their answers are weighted. */
struct two {
	double kappa, linear, quadratic, ac1;
	double se;
};

static double
six(double x)
{
	return round(x * 1e6) / 1e6 + 0.0; /* no -0 */
}

static int
said(const struct field *f, size_t rater, size_t unit)
{
	return f->said[rater * f->unit_count + unit];
}

/* table[i * k + j]: the first said i and the second j, of the units that both answered. */
static double *
table_of(const struct field *f, const size_t *units, size_t count)
{
	double *table = prog_alloc(f->k * f->k, sizeof *table);

	for (size_t i = 0; i < count; i++) {
		int a = said(f, 0, units[i]), b = said(f, 1, units[i]);
		if (a >= 0 && b >= 0)
			table[(size_t)a * f->k + (size_t)b]++;
	}
	return table;
}

/* AC1 counts categories, so that a score nobody gave must not be one. */
static double
ac1_of(const double *table, size_t k)
{
	double *used = prog_alloc(k * k, sizeof *used);
	size_t *kept = prog_alloc(k, sizeof *kept), n = 0;

	for (size_t i = 0; i < k; i++) {
		double sum = 0;
		for (size_t j = 0; j < k; j++)
			sum += table[i * k + j] + table[j * k + i];
		if (sum > 0)
			kept[n++] = i;
	}
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			used[i * n + j] = table[kept[i] * k + kept[j]];
	double ac1 = stats_ac1(used, n);
	free(used);
	free(kept);
	return ac1;
}

static struct two
two_of(const struct field *f, const size_t *units, size_t count)
{
	struct two t = {NAN, NAN, NAN, NAN, NAN};

	if (f->rater_count != 2)
		return t;
	double *table = table_of(f, units, count);
	struct kappa plain = stats_kappa(table, f->k, WEIGHTS_NONE);
	t.kappa = plain.kappa;
	t.se = plain.se_simple;
	t.ac1 = ac1_of(table, f->k);
	if (f->score) {
		t.linear = stats_kappa(table, f->k, WEIGHTS_LINEAR).kappa;
		t.quadratic = stats_kappa(table, f->k, WEIGHTS_QUADRATIC).kappa;
	}
	free(table);
	return t;
}

/* Each statistic over the same resampled units; draws where it is undefined do not count for it. */
enum drawn { KAPPA, QUADRATIC, ALPHA, DRAWN };
struct draws {
	double *of[DRAWN];
	size_t count[DRAWN];
};

static void
note(struct draws *d, enum drawn which, double x)
{
	if (!isnan(x))
		d->of[which][d->count[which]++] = x;
}

static struct draws
bootstrap(const struct field *f, const size_t *units, size_t count, uint64_t seed)
{
	struct draws d = {0};
	struct stats_random r;
	size_t *drawn = prog_alloc(count, sizeof *drawn);
	int *resaid = prog_alloc(f->rater_count * count, sizeof *resaid);

	stats_seed(&r, seed);
	for (int i = 0; i < DRAWN; i++)
		d.of[i] = prog_alloc(DRAWS, sizeof *d.of[i]);
	for (size_t n = 0; n < DRAWS && count > 1; n++) {
		for (size_t u = 0; u < count; u++) {
			drawn[u] = units[stats_below(&r, count)];
			for (size_t q = 0; q < f->rater_count; q++)
				resaid[q * count + u] = said(f, q, drawn[u]);
		}
		struct two t = two_of(f, drawn, count);
		note(&d, KAPPA, t.kappa);
		note(&d, QUADRATIC, t.quadratic);
		note(&d, ALPHA,
		    stats_alpha(resaid, f->rater_count, count, f->k,
			f->score ? LEVEL_ORDINAL : LEVEL_NOMINAL));
	}
	free(drawn);
	free(resaid);
	return d;
}

/* Where half of the draws say nothing, neither does an interval. */
static jv
set_interval(jv rec, struct draws *d, enum drawn which, const char *lo, const char *hi)
{
	if (d->count[which] * 2 <= DRAWS)
		return rec;
	rec = jvx_set_number(rec, lo, six(stats_percentile(d->of[which], d->count[which], 0.025)));
	return jvx_set_number(rec, hi, six(stats_percentile(d->of[which], d->count[which], 0.975)));
}

struct pair {
	size_t a, b, n;
};

static int
most_first(const void *x, const void *y)
{
	const struct pair *p = x, *q = y;

	if (p->n != q->n)
		return p->n < q->n ? 1 : -1;
	if (p->a != q->a)
		return p->a < q->a ? -1 : 1;
	return (p->b > q->b) - (p->b < q->b);
}

static jv
answer(const struct field *f, size_t value)
{
	return f->score ? jv_number((double)value) : jv_string(f->values[value]);
}

/* The unordered pairs of different answers to one unit, the most frequent first. */
static jv
confusion(const struct field *f, double *agreement)
{
	size_t *n = prog_alloc(f->k * f->k, sizeof *n), all = 0, same = 0, count = 0;

	for (size_t u = 0; u < f->unit_count; u++) {
		for (size_t q = 0; q < f->rater_count; q++) {
			for (size_t r = q + 1; r < f->rater_count; r++) {
				int a = said(f, q, u), b = said(f, r, u);
				if (a < 0 || b < 0)
					continue;
				all++;
				same += a == b;
				if (a != b)
					n[(size_t)(a < b ? a : b) * f->k +
					    (size_t)(a < b ? b : a)]++;
			}
		}
	}
	*agreement = all > 0 ? (double)same / (double)all : NAN;
	struct pair *pairs = prog_alloc(f->k * f->k, sizeof *pairs);
	for (size_t i = 0; i < f->k * f->k; i++)
		if (n[i] > 0)
			pairs[count++] = (struct pair){i / f->k, i % f->k, n[i]};
	if (count > 0)
		qsort(pairs, count, sizeof *pairs, most_first);
	jv told = jv_array();
	for (size_t i = 0; i < count && i < PAIRS_TOLD; i++) {
		jv p = jvx_set(jv_object(), "a", answer(f, pairs[i].a));
		p = jvx_set(p, "b", answer(f, pairs[i].b));
		told = jv_array_append(told, jvx_set_number(p, "n", (double)pairs[i].n));
	}
	free(pairs);
	free(n);
	return told;
}

static size_t
pairable(const struct field *f, size_t *units, size_t *values)
{
	size_t count = 0;

	*values = 0;
	for (size_t u = 0; u < f->unit_count; u++) {
		size_t n = 0;
		for (size_t r = 0; r < f->rater_count; r++)
			n += said(f, r, u) >= 0;
		if (n < 2)
			continue;
		*values += n;
		units[count++] = u;
	}
	return count;
}

jv
measure(const struct field *f, uint64_t seed)
{
	size_t *units = prog_alloc(f->unit_count, sizeof *units), values;
	size_t count = pairable(f, units, &values);
	struct two t = two_of(f, units, count);
	struct draws d = bootstrap(f, units, count, seed);
	double agreement;
	jv rec = jvx_set_text(jv_object(), "type", "agreement"), labellers = jv_array();

	for (size_t r = 0; r < f->rater_count; r++)
		labellers = jv_array_append(labellers, jv_string(f->raters[r]));
	rec = jvx_set_text(rec, "field", f->name);
	rec = jvx_set(rec, "labellers", labellers);
	rec = jvx_set_number(rec, "units", (double)f->unit_count);
	rec = jvx_set_number(rec, "n", (double)count);
	rec = jvx_set_number(rec, "values", (double)values);
	rec = jvx_set(rec, "confusion", confusion(f, &agreement));
	rec = jvx_set_number(rec, "agreement", six(agreement));
	rec = jvx_set_number(rec, "kappa", six(t.kappa));
	rec = jvx_set_number(rec, "kappa_se", isnan(t.kappa) ? NAN : six(t.se));
	rec = jvx_set_number(rec, "kappa_linear", six(t.linear));
	rec = jvx_set_number(rec, "kappa_quadratic", six(t.quadratic));
	rec = jvx_set_number(rec, "ac1", six(t.ac1));
	rec = set_interval(rec, &d, KAPPA, "kappa_lo", "kappa_hi");
	rec = set_interval(rec, &d, QUADRATIC, "kappa_quadratic_lo", "kappa_quadratic_hi");
	rec = set_interval(rec, &d, ALPHA, "alpha_lo", "alpha_hi");
	if (f->score) {
		static const char *const names[] = {"alpha_nominal", "alpha", "alpha_interval"};
		for (int level = LEVEL_NOMINAL; level <= LEVEL_INTERVAL; level++)
			rec = jvx_set_number(rec, names[level],
			    six(stats_alpha(
				f->said, f->rater_count, f->unit_count, f->k, (enum level)level)));
	} else {
		rec = jvx_set_number(rec, "alpha",
		    six(stats_alpha(f->said, f->rater_count, f->unit_count, f->k, LEVEL_NOMINAL)));
	}
	rec = jvx_set_text(rec, "level", f->score ? "ordinal" : "nominal");
	for (int i = 0; i < DRAWN; i++)
		free(d.of[i]);
	free(units);
	return rec;
}
