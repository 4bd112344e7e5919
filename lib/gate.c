#include "gate.h"

#include <math.h>
#include <stdlib.h>

#include "prog.h"

const char *const gate_verdicts[] = {"ok", "suspect", "regressed", "invalid"};

enum { MOST_EPOCHS = 1000 };
static const double tie = 1e-12;
static const double z_sum = 1.6448536269514722 + 0.8416212335729143; /* alpha .05, power .80 */

/* 1 / C(a + b, b): how likely the one most extreme arrangement of a case is. */
static double
extreme(size_t a, size_t b)
{
	double p = 1;

	for (size_t i = 1; i <= b; i++)
		p *= (double)i / (double)(a + i);
	return p;
}

struct side {
	double mean, variance; /* of the mean; NaN with one score */
};

static struct side
side_of(const int *x, size_t n)
{
	struct side s = {0, NAN};
	double squares = 0;

	for (size_t i = 0; i < n; i++)
		s.mean += x[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (x[i] - s.mean) * (x[i] - s.mean);
	if (n > 1)
		s.variance = squares / (double)(n - 1) / (double)n;
	return s;
}

/* The difference of the means: its error and degrees of freedom. */
struct error {
	double se, df;
};

/* From the repeats of each case where there are any, else from how the cases' differences differ.
 */
static struct error
error_of(const struct gate_case *cases, size_t count, size_t compared)
{
	double variance = 0, squares = 0, n = (double)compared;
	double *differences = prog_alloc(compared + 1, sizeof *differences);
	size_t k = 0;

	for (size_t i = 0; i < count; i++) {
		const struct stratum *s = &cases[i].totals;
		if (s->before_count == 0 || s->after_count == 0)
			continue;
		struct side b = side_of(s->before, s->before_count),
			    a = side_of(s->after, s->after_count);
		differences[k++] = a.mean - b.mean;
		variance += a.variance + b.variance;
		squares += b.variance * b.variance / ((double)s->before_count - 1) +
			   a.variance * a.variance / ((double)s->after_count - 1);
	}
	struct error e = {sqrt(variance) / n, variance * variance / squares};
	if (isnan(variance)) {
		e.se = stats_mean(differences, compared).se;
		e.df = n - 1;
	}
	free(differences);
	return e;
}

/*
 * Nothing varied: the least drop is that of the fewest cases, one point each, which the test would
 * believe.
 */
static double
least_drop(const struct gate_case *cases, size_t count, double points)
{
	double p = 1, drop = 0;

	for (size_t i = 0; i < count; i++) {
		const struct stratum *s = &cases[i].totals;
		if (s->before_count == 0 || s->after_count == 0)
			continue;
		p *= extreme(s->before_count, s->after_count);
		drop += 1 / points;
		if (p <= GATE_ALPHA + tie)
			return drop;
	}
	return NAN;
}

static size_t
more_epochs(const struct gate *g, struct error e, size_t worse)
{
	double drop = g->before - g->after;
	size_t needed = g->epochs + 1;

	if (e.se > 0) {
		double times = z_sum * z_sum * e.se * e.se / (drop * drop);
		double epochs = ceil(times * (double)g->epochs - tie);
		if (epochs > MOST_EPOCHS)
			return 0;
		if ((size_t)epochs > needed)
			needed = (size_t)epochs;
	}
	/* Nor can a test of so few cases answer before this. */
	while (
	    needed <= MOST_EPOCHS && pow(extreme(needed, needed), (double)worse) > GATE_ALPHA + tie)
		needed++;
	return needed <= MOST_EPOCHS ? needed - g->epochs : 0;
}

static void
judge_cases(struct gate_case *cases, size_t count)
{
	double *p = prog_alloc(count + 1, sizeof *p);

	for (size_t i = 0; i < count; i++)
		p[i] = stats_permutation(&cases[i].totals, 1).lower;
	stats_holm(p, count);
	for (size_t i = 0; i < count; i++) {
		cases[i].p = p[i];
		cases[i].broken = p[i] <= GATE_BROKEN + tie;
	}
	free(p);
}

struct gate
gate_decide(struct gate_case *cases, size_t count)
{
	struct gate g = {.p = 1, .effect = NAN, .ci = {NAN, NAN}, .mde = NAN, .reach = 1};
	bool broken = false;
	size_t worse = 0;

	judge_cases(cases, count);
	for (size_t i = 0; i < count; i++) {
		const struct stratum *s = &cases[i].totals;
		broken = broken || cases[i].broken || cases[i].must_fail;
		if (s->before_count == 0 || s->after_count == 0)
			continue;
		double before = side_of(s->before, s->before_count).mean;
		double after = side_of(s->after, s->after_count).mean;
		size_t least = s->before_count < s->after_count ? s->before_count : s->after_count;
		g.epochs = g.cases == 0 || least < g.epochs ? least : g.epochs;
		g.cases++;
		g.before += before;
		g.after += after;
		g.reach *= extreme(s->before_count, s->after_count);
		worse += after < before - tie;
	}
	double points = g.before;
	if (g.cases > 0) {
		struct stratum *strata = prog_alloc(count, sizeof *strata);
		for (size_t i = 0; i < count; i++)
			strata[i] = cases[i].totals;
		g.p = stats_permutation(strata, count).lower;
		free(strata);
		g.before /= (double)g.cases;
		g.after /= (double)g.cases;
	}
	if (g.before > 0) {
		struct error e = error_of(cases, count, g.cases);
		g.effect = g.after / g.before - 1;
		if (e.se > 0) {
			double half = stats_t_quantile(0.975, e.df) * e.se / g.before;
			/* No more can be lost than all. */
			g.ci = (struct interval){fmax(g.effect - half, -1), g.effect + half};
			g.mde = z_sum * e.se / g.before;
		} else {
			g.mde = least_drop(cases, count, points);
		}
		g.dropped = -g.effect > GATE_DROP + tie;
		if (g.dropped && g.p > GATE_ALPHA + tie)
			g.more = more_epochs(&g, e, worse);
	}
	if (broken || (g.dropped && g.p <= GATE_ALPHA + tie))
		g.verdict = GATE_REGRESSED;
	else
		g.verdict = g.dropped ? GATE_SUSPECT : GATE_OK;
	return g;
}
