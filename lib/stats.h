#ifndef STATS_H
#define STATS_H

/*
 * stats: the statistics of small samples, exact where that can be had.
 *
 * Nothing is rounded before a decision.  p values are probabilities from 0 to 1, intervals are 95 %
 * unless a level is asked for.  What is undefined (no data, a zero variance to divide by) is NaN.
 * Sources are named at each call; the worked values in t/unit-stats.c come from them.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct interval {
	double lo, hi;
};

/* Distributions. */

double stats_normal_quantile(double p);                   /* standard normal */
double stats_t_quantile(double p, double df);             /* Student */
double stats_t_tail(double t, double df);                 /* P(T >= t) */
double stats_binomial_tail(size_t k, size_t n, double p); /* P(X >= k) */

/* One proportion: c successes of n. */

struct interval stats_wilson(double c, double n);          /* Wilson 1927; clamped to [0,1] */
struct interval stats_clopper_pearson(double c, double n); /* exact */
struct interval stats_jeffreys(double c, double n);        /* Beta(1/2,1/2) prior, equal tails */

/* Two paired proportions.  b and c count the pairs that changed, one way and the other. */

struct mcnemar {
	double worse;     /* one-sided exact: P(X >= b), X ~ Bin(b + c, 1/2); 1 when b + c is 0 */
	double two_sided; /* exact, doubled and capped at 1 */
	double mid;       /* two-sided mid-p */
};
struct mcnemar stats_mcnemar(size_t b, size_t c);
/* (b - c) / n with its interval: Agresti and Min 2005. */
struct interval stats_agresti_min(size_t b, size_t c, size_t n);
/* (c - b) / n of a table both, b, c, neither: Newcombe 1998, method 10. */
struct interval stats_newcombe(size_t both, size_t b, size_t c, size_t neither);
/* The least b with a two-sided exact p of at most alpha against c; 0 when b up to 10000 will not
 * do. */
size_t stats_decisive(size_t c, double alpha);

/* Exact tests on scores. */

/* One case: its scores before and after, in whole numbers from 0 to 1000. */
struct stratum {
	const int *before, *after;
	size_t before_count, after_count;
};
struct exact {
	double lower;     /* P(sum of after <= the observed one): evidence of "worse" */
	double upper;     /* P(>=): evidence of "better" */
	double two_sided; /* doubled smaller one, at most 1 */
};
/*
 * Permutation within strata: which of a case's scores came after is exchangeable under "no change"
 * (with 0/1 scores: the exact Cochran-Mantel-Haenszel test).  Ties count as extreme.
 */
struct exact stats_permutation(const struct stratum *strata, size_t count);
/* Sign flips of whole-number differences, each at most 1000 in size. */
struct exact stats_sign_flip(const int *differences, size_t count);

/* Several p values at once: adjusted in place, monotone, at most 1. */

void stats_holm(double *p, size_t count);
void stats_benjamini_hochberg(double *p, size_t count);

/* Means. */

struct mean {
	double mean, sd, se;
	struct interval ci; /* Student, n - 1 degrees of freedom; clusters - 1 for clustered data */
};
struct mean stats_mean(const double *x, size_t n);
/*
 * Rows that belong to clusters 0 .. clusters-1: the standard error of the mean treats each cluster
 * as one unit, with the factor C/(C-1).
 */
struct mean stats_clustered(const double *x, const size_t *cluster, size_t n, size_t clusters);
double stats_icc(
    const double *x, size_t clusters, size_t per_cluster); /* ICC(1), rows by cluster */

/* Repeats: c successes of n trials; NaN when n < k. */

double stats_pass_hat(size_t n, size_t c, size_t k); /* all of k succeed */
double stats_pass_at(size_t n, size_t c, size_t k);  /* at least one of k */

/* Agreement. */

enum weights { WEIGHTS_NONE, WEIGHTS_LINEAR, WEIGHTS_QUADRATIC };
struct kappa {
	double agreement, expected, kappa;
	double se_simple;   /* sqrt(po (1 - po) / n) / (1 - pe) */
	double se;          /* Fleiss, Cohen and Everitt 1969 (unweighted only, else NaN) */
	struct interval ci; /* by se */
};
/* table[i * k + j]: how often the first rater said i and the second j. */
struct kappa stats_kappa(const double *table, size_t k, enum weights weights);
double stats_ac1(const double *table, size_t k); /* Gwet 2008 */

enum level { LEVEL_NOMINAL, LEVEL_ORDINAL, LEVEL_INTERVAL };
/*
 * Krippendorff's alpha.  values[rater * units + unit] is a category 0 .. k-1, or -1 for missing; at
 * the interval level the categories are the values.  Units with one value are dropped.
 */
double stats_alpha(const int *values, size_t raters, size_t units, size_t k, enum level level);

/* A rate that a judge of known sensitivity and specificity saw (Rogan and Gladen 1978). */
struct corrected {
	double rate, se; /* NaN when the judge is no better than chance */
	struct interval ci;
};
struct corrected stats_rogan_gladen(
    double observed, size_t n, double sens, size_t n_sens, double spec, size_t n_spec);

/* What was not seen yet. */

double stats_chao1(size_t seen, size_t once, size_t twice); /* bias-corrected richness */
/* Trials needed to see an event of this rate again with 95 % chance; 0 for a rate of 0. */
size_t stats_trials(double rate);
double stats_zero_bound(size_t n); /* exact 95 % upper bound on a rate after 0 of n */

/* Nearest rank: the ceil(q n)-th smallest; x is sorted in place. */
double stats_percentile(double *x, size_t n, double q);

/* Chance from a seed: the same on every machine (xoshiro256**, Blackman and Vigna 2018). */
struct stats_random {
	uint64_t s[4];
};
void stats_seed(struct stats_random *r, uint64_t seed);
uint64_t stats_next(struct stats_random *r);
size_t stats_below(struct stats_random *r, size_t n); /* unbiased; n > 0 */
double stats_unit(struct stats_random *r);            /* [0,1), 53 bits */

#endif
