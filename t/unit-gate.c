/*
 * gate: the decisions of worked tables, and how often it fires when nothing changed.  The p values
 * are counts of arrangements; the rates of 1,000 simulated runs must stay under the promised 5 %.
 */
#include "gate.h"

#include <math.h>

#include "tap.h"

enum { CASES = 5, MOST = 8 };

static struct gate
decide(int before[][MOST], int after[][MOST], size_t cases, size_t epochs, bool must_fail)
{
	struct gate_case c[CASES] = {0};

	for (size_t i = 0; i < cases; i++)
		c[i] = (struct gate_case){
		    {before[i], after[i], epochs, epochs}, must_fail && i == 0, 0, false};
	return gate_decide(c, cases);
}

static bool
near(double got, double want)
{
	if (fabs(got - want) <= 1e-12)
		return true;
	printf("# got %.15g, want %.15g\n", got, want);
	return false;
}

static void
worked(void)
{
	int b[CASES][MOST] = {{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 0}, {1, 1, 0, 0}};
	int a[CASES][MOST] = {{1, 1, 1, 0}, {1, 1, 1, 0}, {1, 1, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}};
	struct gate g = decide(b, a, 5, 4, false);
	tap_ok(g.verdict == GATE_REGRESSED && near(g.p, 25326875. / 1680700000), "regressed");
	tap_ok(near(g.before, 17. / 20) && near(g.after, 10. / 20), "means");

	int mild[CASES][MOST] = {
	    {1, 1, 1, 1}, {1, 1, 1, 0}, {1, 1, 1, 1}, {1, 1, 0, 0}, {1, 1, 0, 0}};
	g = decide(b, mild, 5, 4, false);
	tap_ok(g.verdict == GATE_SUSPECT && near(g.p, 558232500. / 1680700000), "suspect");
	tap_ok(g.more > 0 && g.ci.lo < g.effect && g.effect < g.ci.hi && g.mde > 0.10,
	    "a suspect says how many epochs more, and what it could have seen");

	int full[CASES][MOST] = {{3, 3, 3}, {3, 3, 3}, {3, 3, 3}};
	int one_gone[CASES][MOST] = {{3, 3, 3}, {3, 3, 3}, {0, 0, 0}};
	g = decide(full, one_gone, 3, 3, false);
	tap_ok(g.verdict == GATE_REGRESSED && near(g.p, 0.05), "a p of .05 exactly counts");

	int ten[CASES][MOST] = {{10, 10, 10, 10}, {10, 10, 10, 10}, {10, 10, 10, 10}};
	int nine[CASES][MOST] = {{9, 9, 9, 9}, {9, 9, 9, 9}, {9, 9, 9, 9}};
	g = decide(ten, nine, 3, 4, false);
	tap_ok(g.verdict == GATE_OK && !g.dropped && g.p < 0.001, "a drop of 10 % exactly passes");
	tap_ok(isnan(g.ci.lo) && near(g.mde, 1. / 30), "no interval where nothing varies");
	nine[0][0] = 8;
	tap_ok(decide(ten, nine, 3, 4, false).verdict == GATE_REGRESSED, "a little more does not");

	/* 1/C(10,5) = .00397, times two cases by Holm: .0079.  Of three: .0119. */
	int five[CASES][MOST] = {{9, 9, 9, 9, 9}, {99, 99, 99, 99, 99}, {99, 99, 99, 99, 99}};
	int broken[CASES][MOST] = {{8, 8, 8, 8, 8}, {99, 99, 99, 99, 99}, {99, 99, 99, 99, 99}};
	g = decide(five, broken, 2, 5, false);
	tap_ok(g.verdict == GATE_REGRESSED && !g.dropped, "one broken case is enough");
	tap_ok(decide(five, broken, 3, 5, false).verdict == GATE_OK, "after Holm");
	tap_ok(decide(ten, ten, 1, 4, true).verdict == GATE_REGRESSED, "a case that must pass");

	int zero[CASES][MOST] = {{0, 0}};
	tap_ok(decide(zero, zero, 1, 2, false).verdict == GATE_OK, "nothing to lose");
	tap_ok(gate_decide(NULL, 0).verdict == GATE_OK, "no case");
}

/* The paired example with one run each: means 8.4 and 7.8, interval of the mean difference. */
static void
single(void)
{
	int b[] = {9, 10, 8, 7, 10, 6, 9, 8, 10, 7}, a[] = {8, 10, 6, 7, 9, 6, 7, 8, 9, 8};
	struct gate_case c[10] = {0};

	for (size_t i = 0; i < 10; i++)
		c[i].totals = (struct stratum){b + i, a + i, 1, 1};
	struct gate g = gate_decide(c, 10);
	tap_ok(near(g.p, 0.078125) && near(g.effect, -.6 / 8.4), "one epoch: the sign-flip test");
	tap_ok(fabs(g.ci.lo * 8.4 + 1.291100428810) < 1e-9 &&
		   fabs(g.ci.hi * 8.4 - .091100428810) < 1e-9,
	    "and its interval is the paired one");
	tap_ok(g.verdict == GATE_OK && near(g.reach, 1. / 1024), "7.14 % is inside the rule");
}

/* Strata of true pass rates 1, 1, .9, .6, .5, less `lost`; how often of 1,000 the gate fires. */
static size_t
fires(size_t epochs, double lost, uint64_t seed, size_t *naive)
{
	static const double rates[CASES] = {1, 1, .9, .6, .5};
	struct stats_random r;
	size_t fired = 0;

	stats_seed(&r, seed);
	for (size_t run = 0; run < 1000; run++) {
		int b[CASES][MOST], a[CASES][MOST];
		for (size_t i = 0; i < CASES; i++)
			for (size_t k = 0; k < epochs; k++) {
				b[i][k] = stats_unit(&r) < rates[i];
				a[i][k] = stats_unit(&r) < rates[i] - lost;
			}
		struct gate g = decide(b, a, CASES, epochs, false);
		fired += g.verdict == GATE_REGRESSED;
		*naive += g.dropped;
	}
	return fired;
}

/* Ten cases whose totals are five axes of 0, 1 or 2, as noisy as a poor agent. */
static size_t
fires_on_totals(size_t epochs, uint64_t seed)
{
	struct stats_random r;
	size_t fired = 0;

	stats_seed(&r, seed);
	for (size_t run = 0; run < 1000; run++) {
		int x[10][2][MOST] = {0};
		struct gate_case c[10] = {0};
		for (size_t i = 0; i < 10; i++) {
			for (size_t k = 0; k < 2 * epochs * 5; k++)
				x[i][k % 2][k / 2 % epochs] +=
				    stats_unit(&r) < .6 ? 2 : (int)stats_below(&r, 2);
			c[i].totals = (struct stratum){x[i][0], x[i][1], epochs, epochs};
		}
		fired += gate_decide(c, 10).verdict == GATE_REGRESSED;
	}
	return fired;
}

int
main(void)
{
	worked();
	single();
	for (size_t epochs = 1; epochs <= MOST; epochs *= 2) {
		size_t naive = 0, fired = fires(epochs, 0, epochs, &naive);
		printf("# unchanged, %zu epochs: fired %zu, naive %zu of 1000\n", epochs, fired,
		    naive);
		tap_ok(fired <= 50, "an unchanged agent fires in at most 5 %");
		tap_ok(naive > 2 * fired, "the naive rule more often");
	}
	for (size_t epochs = 1; epochs <= 4; epochs *= 2) {
		size_t fired = fires_on_totals(epochs, epochs);
		printf("# totals, %zu epochs: fired %zu of 1000\n", epochs, fired);
		tap_ok(fired <= 50, "nor on totals of five axes");
	}
	size_t naive = 0, fired = fires(8, .2, 1, &naive);
	printf("# a fifth lost, 8 epochs: fired %zu of 1000\n", fired);
	tap_ok(fired > 550, "and sees a fifth lost (the note that it follows says .640)");
	return tap_done();
}
