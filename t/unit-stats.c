/*
 * stats: worked values.  They were computed elsewhere, in exact arithmetic or with SciPy 1.10.1 and
 * statsmodels 0.13.5, to the digits that stand here.
 */
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

static void
near(double got, double want, double within, const char *name)
{
	if (!tap_ok(fabs(got - want) <= within, name))
		printf("# got %.15g, want %.15g\n", got, want);
}

static void
spans(struct interval got, double lo, double hi, const char *name)
{
	if (!tap_ok(fabs(got.lo - lo) <= 1e-6 && fabs(got.hi - hi) <= 1e-6, name))
		printf("# got %.9g .. %.9g, want %.9g .. %.9g\n", got.lo, got.hi, lo, hi);
}

static void
proportions(void)
{
	static const struct {
		double c, n, w[2], cp[2], j[2];
	} rows[] = {{5, 5, {.565518, 1}, {.478176, 1}, {.620623, .999907}},
	    {4, 5, {.375535, .963776}, {.283582, .994949}, {.371374, .977487}},
	    {0, 5, {0, .434482}, {0, .521824}, {.000093, .379377}},
	    {9, 10, {.595850, .982124}, {.554984, .997471}, {.618685, .988988}},
	    {0, 10, {0, .277533}, {0, .308497}, {.000048, .217196}},
	    {10, 10, {.722467, 1}, {.691503, 1}, {.782804, .999952}},
	    {16, 20, {.583983, .919342}, {.563386, .942666}, {.591774, .928480}},
	    {18, 20, {.698966, .972134}, {.683017, .987651}, {.716147, .978628}},
	    {80, 100, {.711171, .866633}, {.708157, .873344}, {.713720, .869210}}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char name[64];
		snprintf(name, sizeof name, "%g of %g", rows[i].c, rows[i].n);
		spans(stats_wilson(rows[i].c, rows[i].n), rows[i].w[0], rows[i].w[1], name);
		spans(stats_clopper_pearson(rows[i].c, rows[i].n), rows[i].cp[0], rows[i].cp[1],
		    name);
		spans(stats_jeffreys(rows[i].c, rows[i].n), rows[i].j[0], rows[i].j[1], name);
	}
	near(stats_zero_bound(3), .631597, 1e-6, "none of 3");
	near(stats_zero_bound(5), .450720, 1e-6, "none of 5");
	near(stats_zero_bound(10), .258866, 1e-6, "none of 10");
	near(stats_zero_bound(20), .139108, 1e-6, "none of 20");
	near(stats_zero_bound(30), .095034, 1e-6, "none of 30");
	near(stats_zero_bound(59), .049508, 1e-6, "none of 59");
	near(stats_zero_bound(100), .029513, 1e-6, "none of 100");
}

static void
pairs(void)
{
	static const struct {
		size_t b, c;
		double two, mid, one;
	} rows[] = {{5, 0, .062500, .031250, .031250}, {6, 0, .031250, .015625, .015625},
	    {8, 1, .039062, .021484, .019531}, {9, 1, .021484, .011719, .010742},
	    {12, 2, .012939, .007385, .006470}, {15, 4, .019211, .011818, .009605},
	    {10, 9, 1, .823803, .5}, {7, 7, 1, .790527, .604736}, {0, 0, 1, 1, 1},
	    {10, 3, .092285, .057373, .046143}, {25, 12, .047031, .033087, .023516},
	    {4, 0, .125, .0625, .0625}, {6, 1, .125, .0703125, .0625}, {3, 0, .25, .125, .125},
	    /* the sign test of 5 worse and 1 better */
	    {5, 1, .21875, .125, .109375}, {5, 7, .774414, .581055, .806152}};
	static const size_t decisive[] = {6, 8, 10, 12, 13, 15};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct mcnemar m = stats_mcnemar(rows[i].b, rows[i].c);
		char name[64];
		snprintf(name, sizeof name, "%zu against %zu", rows[i].b, rows[i].c);
		near(m.two_sided, rows[i].two, 1e-6, name);
		near(m.worse, rows[i].one, 1e-6, name);
		if (rows[i].b != 25)
			near(m.mid, rows[i].mid, 1e-6, name);
	}
	near(stats_mcnemar(25, 12).worse, .023515513720, 1e-12, "25 against 12, exactly");
	near(stats_mcnemar(25, 12).two_sided, .047031027440, 1e-12, "and two-sided");
	near(stats_mcnemar(10, 3).worse, .046142578125, 1e-15, "10 against 3");
	tap_ok(stats_mcnemar(4, 0).worse > .05 && stats_mcnemar(5, 0).worse <= .05,
	    "five changed cases are the least");
	for (size_t c = 0; c < 6; c++)
		tap_ok(
		    stats_decisive(c, .05) == decisive[c], "the least decisive number of repairs");
	struct interval i = stats_agresti_min(12, 2, 50);
	tap_ok(fabs(i.lo - .0560) < 5e-5 && fabs(i.hi - .3286) < 5e-5, "Agresti and Min");
	i = stats_agresti_min(10, 9, 50);
	tap_ok(
	    fabs(i.lo + .1493) < 5e-5 && fabs(i.hi - .1877) < 5e-5, "Agresti and Min, no change");
	spans(stats_newcombe(14, 5, 1, 0), -.427822, .046045, "Newcombe 14 5 1 0");
	spans(stats_newcombe(30, 8, 1, 11), -.254862, -.021415, "Newcombe 30 8 1 11");
	spans(stats_newcombe(4, 1, 0, 0), -.624465, .264325, "Newcombe 4 1 0 0");
	spans(stats_newcombe(36, 4, 2, 8), -.147854, .066327, "Newcombe 36 4 2 8");
}

/* Cases of one width: row i of before and after is case i. */
static struct exact
permute(const int *before, size_t nb, const int *after, size_t na, size_t cases)
{
	struct stratum strata[16];

	for (size_t i = 0; i < cases; i++)
		strata[i] = (struct stratum){before + i * nb, after + i * na, nb, na};
	return stats_permutation(strata, cases);
}

/* Cases of k trials with so many passes. */
static struct exact
passes(const int *before, const int *after, size_t k, size_t cases)
{
	int b[64] = {0}, a[64] = {0};

	for (size_t i = 0; i < cases; i++) {
		for (size_t j = 0; j < k; j++) {
			b[i * k + j] = (int)j < before[i];
			a[i * k + j] = (int)j < after[i];
		}
	}
	return permute(b, k, a, k, cases);
}

static void
permutations(void)
{
	static const int base[] = {9, 10, 8, 7, 10, 6, 9, 8, 10, 7};
	static const int cand[] = {8, 10, 6, 7, 9, 6, 7, 8, 9, 8};
	struct exact e = permute(base, 1, cand, 1, 10);

	near(e.lower, 80.0 / 1024, 1e-12, "ten cases, one run each");
	near(e.two_sided, .15625, 1e-12, "and two-sided");
	e = passes((int[]){4, 4, 4, 3, 2}, (int[]){3, 3, 2, 1, 1}, 4, 5);
	near(e.lower, 0.015069241982507, 1e-12, "five cases, four runs");
	near(e.two_sided, 0.030138483965015, 1e-12, "and two-sided");
	e = passes((int[]){4, 4, 4, 3, 2}, (int[]){4, 3, 4, 2, 2}, 4, 5);
	near(e.lower, 0.332142857142857, 1e-12, "a milder drop");
	near(passes((int[]){3}, (int[]){0}, 3, 1).lower, .05, 1e-12, "3/3 to 0/3");
	near(passes((int[]){4}, (int[]){0}, 4, 1).lower, 1.0 / 70, 1e-12, "4/4 to 0/4");
	near(passes((int[]){5}, (int[]){0}, 5, 1).lower, 1.0 / 252, 1e-12, "5/5 to 0/5");
	near(passes((int[]){4}, (int[]){1}, 4, 1).lower, 5.0 / 70, 1e-12, "4/4 to 1/4");
	near(passes((int[]){3, 3, 3}, (int[]){3, 3, 0}, 3, 3).lower, .05, 1e-12,
	    "one of three breaks");
	e = permute((int[]){9, 10, 8, 7, 6, 8}, 3, (int[]){7, 8, 6, 6, 7, 5}, 3, 2);
	near(e.lower, .03, 1e-12, "scores");
	e = permute((int[]){1, 1, 1, 1, 1, 1, 0, 1, 1, 1}, 5, (int[]){1, 0, 0, 0, 1, 0}, 3, 2);
	near(e.lower, 126.0 / 3136, 1e-12, "unequal numbers of runs");
	near(stats_sign_flip((int[]){-2, -1, -1, -1, -1}, 5).lower, 1.0 / 32, 1e-15, "five down");
	near(stats_sign_flip((int[]){-1, -1, -1, -1}, 4).lower, 1.0 / 16, 1e-15, "four down");
	near(stats_sign_flip((int[]){-10, 0, 0, 0, 0}, 5).lower, .5, 1e-15, "one far down");
	near(stats_sign_flip((int[]){-3, -2, -2, 1, -1, 0, -2, -1}, 8).lower, 4.0 / 128, 1e-15,
	    "mixed");
}

static void
means(void)
{
	struct mean m = stats_mean((double[]){8, 10, 6, 3, 7, 10, 8, 5}, 8);

	near(m.mean, 7.125, 1e-12, "mean");
	near(m.sd, 2.416461403434, 1e-12, "standard deviation");
	near(m.se, .854348122422, 1e-12, "standard error");
	spans(m.ci, 5.104787710916, 9.145212289084, "Student's interval");
	near(stats_t_quantile(.975, 7), 2.364624251010, 1e-9, "t, 7 degrees");
	static const struct {
		double p, df, t;
	} quantiles[] = {{.975, 1, 12.706205}, {.975, 2, 4.302653}, {.975, 3, 3.182446},
	    {.975, 4, 2.776445}, {.975, 5, 2.570582}, {.975, 7, 2.364624}, {.975, 9, 2.262157},
	    {.975, 10, 2.228139}, {.975, 19, 2.093024}, {.975, 29, 2.045230}, {.975, 99, 1.984217},
	    {.95, 1, 6.313752}, {.95, 2, 2.919986}, {.95, 3, 2.353363}, {.95, 4, 2.131847},
	    {.95, 9, 1.833113}, {.95, 19, 1.729133}};
	for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++)
		near(stats_t_quantile(quantiles[i].p, quantiles[i].df), quantiles[i].t, 1e-6, "t");
	near(stats_normal_quantile(.975), 1.959963984540054, 1e-12, "z");
	near(stats_normal_quantile(.95), 1.644853627, 1e-9, "z, one-sided");
	near(stats_normal_quantile(.80), .841621234, 1e-9, "z of the power");
	double z = stats_normal_quantile(.975) + stats_normal_quantile(.80);
	near(z * z, 7.848879734, 1e-9, "what a sample size is made of");
	z = stats_normal_quantile(.95) + stats_normal_quantile(.80);
	near(z * z, 6.182557232, 1e-9, "and one-sided");
	near(2 * stats_t_tail(1.963961012124, 9), .081126188846, 1e-10, "paired t");
	near(stats_t_tail(1.963961012124, 9), .040563094423, 1e-10, "and one-sided");
	m = stats_mean((double[]){-1, 0, -2, 0, -1, 0, -2, 0, -1, 1}, 10);
	near(m.mean, -.6, 1e-12, "paired differences");
	near(m.sd, .966091783079, 1e-12, "their deviation");
	near(m.se, .305505046330, 1e-12, "their error");
	spans(m.ci, -1.291100428810, .091100428810, "their interval");
	near(m.mean + stats_t_quantile(.95, 9) * m.se, -.039974748581, 1e-9, "one-sided");
	double before = stats_mean((double[]){9, 10, 8, 7, 10, 6, 9, 8, 10, 7}, 10).se;
	double after = stats_mean((double[]){8, 10, 6, 7, 9, 6, 7, 8, 9, 8}, 10).se;
	near(hypot(before, after), .614636297153, 1e-12, "which unpaired would be twice as wide");

	static const double rows[] = {1, 1, 1, 0, 0, 0, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 0, 0, 0, 0};
	static const size_t five[] = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4};
	m = stats_clustered(rows, five, 20, 5);
	near(m.se, .183711730709, 1e-12, "clusters of four");
	near(stats_mean(rows, 20).se, .114132886538, 1e-12, "which rows alone would halve");
	near(stats_icc(rows, 5, 4), .466666666667, 1e-12, "intraclass correlation");
	static const double uneven[] = {1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 0, 1};
	static const size_t four[] = {0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3};
	m = stats_clustered(uneven, four, 12, 4);
	near(m.mean, .666666666667, 1e-12, "a mean of unequal clusters");
	near(stats_mean(uneven, 12).se, .142133810904, 1e-12, "the error of rows alone");
	near(m.se * sqrt(3. / 4), .124225998750, 1e-12, "the sum without its correction");
	near(m.se, .143443827637, 1e-12, "unequal clusters");
	spans(m.ci, .210164387386, 1.123168945947, "and their interval");
}

static void
several(void)
{
	double p[] = {.004, .03, .02, .5, .04}, q[] = {.004, .03, .02, .5, .04};
	static const double holm[] = {.02, .09, .08, .5, .09}, bh[] = {.02, .05, .05, .5, .05};

	stats_holm(p, 5);
	stats_benjamini_hochberg(q, 5);
	for (size_t i = 0; i < 5; i++) {
		near(p[i], holm[i], 1e-12, "Holm");
		near(q[i], bh[i], 1e-12, "Benjamini and Hochberg");
	}
	static const struct {
		size_t n, c;
		double all[4], any2;
	} repeats[] = {{8, 6, {.75, .535714, .357143, .214286}, .964286},
	    {4, 3, {.75, .5, .25, 0}, 1}, {5, 4, {.8, .6, .4, .2}, 1},
	    {10, 9, {.9, .8, .7, .6}, 1}};
	for (size_t i = 0; i < sizeof repeats / sizeof *repeats; i++) {
		for (size_t k = 1; k <= 4; k++)
			near(stats_pass_hat(repeats[i].n, repeats[i].c, k), repeats[i].all[k - 1],
			    1e-6, "all of k");
		near(stats_pass_at(repeats[i].n, repeats[i].c, 2), repeats[i].any2, 1e-6,
		    "one of 2");
	}
	static const size_t passed[] = {4, 4, 3, 1, 0};
	double one = 0, all3 = 0, any3 = 0;
	for (size_t i = 0; i < 5; i++) {
		one += stats_pass_hat(4, passed[i], 1) / 5;
		all3 += stats_pass_hat(4, passed[i], 3) / 5;
		any3 += stats_pass_at(4, passed[i], 3) / 5;
	}
	near(one, .60, 1e-12, "five cases, one of four");
	near(all3, .45, 1e-12, "three of four");
	near(any3, .75, 1e-12, "one of three");
	tap_ok(isnan(stats_pass_hat(3, 3, 4)), "four of three cannot be");
}

static void
agreement(void)
{
	struct kappa k = stats_kappa((double[]){8, 2, 3, 7}, 2, WEIGHTS_NONE);

	near(k.kappa, .5, 1e-12, "kappa");
	near(k.se, .192678488680, 1e-11, "its standard error");
	spans(k.ci, .122357, .877643, "its interval");
	k = stats_kappa((double[]){20, 5, 10, 15}, 2, WEIGHTS_NONE);
	near(k.kappa, .4, 1e-12, "kappa 20 5 10 15");
	near(k.agreement, .7, 1e-12, "agreement 20 5 10 15");
	spans(k.ci, .151092, .648908, "its interval");
	near(k.se, .126996062931, 1e-11, "Fleiss's error");
	near(k.se_simple, .129615, 1e-6, "the simple one");
	near(stats_kappa((double[]){45, 15, 25, 15}, 2, WEIGHTS_NONE).kappa, .130435, 1e-6, "low");
	near(
	    stats_kappa((double[]){25, 35, 5, 35}, 2, WEIGHTS_NONE).kappa, .259259, 1e-6, "skewed");
	k = stats_kappa((double[]){10, 2, 1, 1, 8, 2, 0, 1, 5}, 3, WEIGHTS_NONE);
	near(k.kappa, .642857, 1e-6, "three categories");
	near(k.se_simple, .118194, 1e-6, "and their error");
	near(stats_kappa((double[]){18, 1, 1, 0}, 2, WEIGHTS_NONE).kappa, -.052631578947, 1e-11,
	    "prevalence");
	near(stats_ac1((double[]){18, 1, 1, 0}, 2), .889502762431, 1e-11, "AC1 beside it");
	near(stats_ac1((double[]){8, 2, 3, 7}, 2), .501246882793, 1e-11, "AC1");
	static const double three[] = {5, 1, 0, 1, 6, 2, 0, 1, 4};
	near(stats_kappa(three, 3, WEIGHTS_NONE).kappa, .618320610687, 1e-11, "unweighted");
	near(stats_kappa(three, 3, WEIGHTS_LINEAR).kappa, .695121951220, 1e-11, "linear");
	near(stats_kappa(three, 3, WEIGHTS_QUADRATIC).kappa, .782608695652, 1e-11, "quadratic");
	tap_ok(isnan(stats_kappa((double[]){5, 0, 0, 0}, 2, WEIGHTS_NONE).kappa),
	    "all alike: undefined");

	int judges[40];
	size_t n = 0;
	for (int i = 0; i < 9; i++) {
		for (int j = 0; j < (int)three[i]; j++) {
			judges[n] = i / 3;
			judges[20 + n++] = i % 3;
		}
	}
	near(stats_alpha(judges, 2, 20, 3, LEVEL_NOMINAL), .627151051625, 1e-11, "alpha, nominal");
	near(stats_alpha(judges, 2, 20, 3, LEVEL_ORDINAL), .789400835297, 1e-11, "ordinal");
	near(stats_alpha(judges, 2, 20, 3, LEVEL_INTERVAL), .787812840044, 1e-11, "interval");
	static const int four[] = {1, 2, 3, 3, 2, 1, 4, 1, 2, -1, -1, -1, 1, 2, 3, 3, 2, 2, 4, 1, 2,
	    5, -1, 3, -1, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, -1, 1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, -1};
	near(
	    stats_alpha(four, 4, 12, 6, LEVEL_NOMINAL), .7434, 5e-5, "four raters, missing values");
	near(stats_alpha(four, 4, 12, 6, LEVEL_ORDINAL), .8154, 5e-5, "ordinal");
	near(stats_alpha(four, 4, 12, 6, LEVEL_INTERVAL), .8491, 5e-5, "interval");
	struct corrected c = stats_rogan_gladen(.70, 200, .90, 50, .80, 50);
	near(c.rate, .714285714286, 1e-11, "a rate corrected for its judge");
	near(c.se, .067455077065, 1e-11, "and its error");
	spans(c.ci, .582076, .846495, "and its interval");
	tap_ok(isnan(stats_rogan_gladen(.5, 10, .5, 10, .5, 10).rate),
	    "a judge by chance corrects nothing");
}

/*
 * For t/t1405-stats-peers.sh: each line of standard input is a question, NAME NUMBER ..., and each
 * line of the output the numbers of the answer.
 */
static size_t
numbers(char *text, double *x, size_t most)
{
	size_t n = 0;

	for (char *end; n < most; text = end, n++) {
		x[n] = strtod(text, &end);
		if (end == text)
			break;
	}
	return n;
}

static void
say_exact(struct exact e)
{
	printf("%.17g %.17g %.17g\n", e.lower, e.upper, e.two_sided);
}

/* Cases of three runs before and two after. */
static void
say_permutation(const double *x, size_t n)
{
	int v[128];
	struct stratum s[24];

	for (size_t i = 0; i < n; i++)
		v[i] = (int)x[i];
	for (size_t i = 0; i < n / 5; i++)
		s[i] = (struct stratum){v + 5 * i, v + 5 * i + 3, 3, 2};
	say_exact(stats_permutation(s, n / 5));
}

static void
say_alpha(const double *x, size_t n)
{
	int v[128];

	for (size_t i = 0; i < n; i++)
		v[i] = (int)x[i];
	printf("%.17g %.17g %.17g\n", stats_alpha(v, 3, n / 3, 4, LEVEL_NOMINAL),
	    stats_alpha(v, 3, n / 3, 4, LEVEL_ORDINAL),
	    stats_alpha(v, 3, n / 3, 4, LEVEL_INTERVAL));
}

static void
say_kappa(const double *x)
{
	struct kappa k = stats_kappa(x, 3, WEIGHTS_NONE);

	printf("%.17g %.17g %.17g %.17g\n", k.kappa, k.se, stats_kappa(x, 3, WEIGHTS_LINEAR).kappa,
	    stats_kappa(x, 3, WEIGHTS_QUADRATIC).kappa);
}

static void
say_mean(const double *x, size_t n)
{
	struct mean m = stats_mean(x, n);

	printf("%.17g %.17g %.17g %.17g %.17g\n", m.mean, m.sd, m.se, m.ci.lo, m.ci.hi);
}

static void
say_clustered(const double *x, size_t n)
{
	size_t cluster[128];

	for (size_t i = 0; i < n; i++)
		cluster[i] = i * i / n % 7; /* uneven */
	for (size_t i = 0; i < n; i++)
		cluster[i] = i < 7 ? i : cluster[i];
	printf("%.17g\n", stats_clustered(x, cluster, n, 7).se);
}

static void
say_adjusted(double *x, size_t n)
{
	double y[128];

	memcpy(y, x, n * sizeof *x);
	stats_holm(x, n);
	stats_benjamini_hochberg(y, n);
	for (size_t i = 0; i < n; i++)
		printf("%.17g %.17g ", x[i], y[i]);
	putchar('\n');
}

static void
say_interval(struct interval i)
{
	printf("%.17g %.17g\n", i.lo, i.hi);
}

static void
answer(const char *name, double *x, size_t n)
{
	if (strcmp(name, "wilson") == 0)
		say_interval(stats_wilson(x[0], x[1]));
	else if (strcmp(name, "clopper") == 0)
		say_interval(stats_clopper_pearson(x[0], x[1]));
	else if (strcmp(name, "jeffreys") == 0)
		say_interval(stats_jeffreys(x[0], x[1]));
	else if (strcmp(name, "binomial") == 0)
		printf("%.17g\n", stats_binomial_tail((size_t)x[0], (size_t)x[1], x[2]));
	else if (strcmp(name, "normal") == 0)
		printf("%.17g\n", stats_normal_quantile(x[0]));
	else if (strcmp(name, "t") == 0)
		printf("%.17g %.17g\n", stats_t_quantile(x[0], x[1]), stats_t_tail(x[2], x[1]));
	else if (strcmp(name, "mcnemar") == 0)
		printf("%.17g\n", stats_mcnemar((size_t)x[0], (size_t)x[1]).two_sided);
	else if (strcmp(name, "permutation") == 0)
		say_permutation(x, n);
	else if (strcmp(name, "adjust") == 0)
		say_adjusted(x, n);
	else if (strcmp(name, "kappa") == 0)
		say_kappa(x);
	else if (strcmp(name, "alpha") == 0)
		say_alpha(x, n);
	else if (strcmp(name, "mean") == 0)
		say_mean(x, n);
	else if (strcmp(name, "clustered") == 0)
		say_clustered(x, n);
	else if (strcmp(name, "repeats") == 0)
		printf("%.17g %.17g\n", stats_pass_hat((size_t)x[0], (size_t)x[1], (size_t)x[2]),
		    stats_pass_at((size_t)x[0], (size_t)x[1], (size_t)x[2]));
	else
		puts("what?");
}

static int
answer_all(void)
{
	static char line[1 << 16];

	while (fgets(line, sizeof line, stdin) != NULL) {
		double x[128];
		char *rest = line + strcspn(line, " \n");
		if (*rest != '\0')
			*rest++ = '\0';
		size_t n = numbers(rest, x, 128);
		answer(line, x, n);
	}
	return 0;
}

int
main(int argc, char *argv[])
{
	if (argc > 1 && strcmp(argv[1], "-") == 0)
		return answer_all();
	proportions();
	pairs();
	permutations();
	means();
	several();
	agreement();
	near(stats_chao1(7, 3, 2), 8.0, 1e-12, "richness");
	tap_ok(stats_trials(.3) == 9 && stats_trials(.5) == 5 && stats_trials(.6) == 4 &&
		   stats_trials(.9) == 2,
	    "trials to see it again");
	double x[] = {5, 1, 4, 2, 3};
	near(stats_percentile(x, 5, .95), 5, 0, "p95 of five is the largest");
	near(stats_percentile(x, 5, .5), 3, 0, "the median");
	struct stats_random r;
	/* xoshiro256** from s = {1, 2, 3, 4}: the authors' first outputs. */
	r = (struct stats_random){{1, 2, 3, 4}};
	tap_ok(stats_next(&r) == 11520 && stats_next(&r) == 0 && stats_next(&r) == 1509978240 &&
		   stats_next(&r) == 1215971899390074240u,
	    "the generator's own first numbers");
	return tap_done();
}
