#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "prog.h"

static double
log_choose(double n, double k)
{
	return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

double
stats_normal_quantile(double p)
{
	double lo = -40, hi = 40;

	if (!(p > 0 && p < 1))
		return p == 0 ? -INFINITY : p == 1 ? INFINITY : NAN;
	for (int i = 0; i < 200 && lo < hi; i++) {
		double mid = (lo + hi) / 2;
		if (mid == lo || mid == hi)
			break;
		if (erfc(-mid / sqrt(2)) / 2 < p)
			lo = mid;
		else
			hi = mid;
	}
	return (lo + hi) / 2;
}

/* The regularised incomplete beta function by its continued fraction (Lentz; DLMF 8.17.22). */
static double
beta_cdf(double x, double a, double b)
{
	if (x <= 0)
		return 0;
	if (x >= 1)
		return 1;
	if (x > (a + 1) / (a + b + 2))
		return 1 - beta_cdf(1 - x, b, a);
	double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a;
	double f = 1, c = 1, d = 0;
	for (int i = 0; i < 1000; i++) {
		double m = floor(i / 2.0), numerator;
		if (i == 0)
			numerator = 1;
		else if (i % 2 == 0)
			numerator = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		else
			numerator = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 + numerator * d;
		d = 1 / (fabs(d) < 1e-300 ? 1e-300 : d);
		c = 1 + numerator / c;
		if (fabs(c) < 1e-300)
			c = 1e-300;
		f *= c * d;
		if (i > 0 && fabs(1 - c * d) < 1e-16)
			break;
	}
	return front * (f - 1);
}

static double
beta_quantile(double p, double a, double b)
{
	double lo = 0, hi = 1;

	for (int i = 0; i < 200; i++) {
		double mid = (lo + hi) / 2;
		if (mid == lo || mid == hi)
			break;
		if (beta_cdf(mid, a, b) < p)
			lo = mid;
		else
			hi = mid;
	}
	return (lo + hi) / 2;
}

double
stats_t_tail(double t, double df)
{
	double half = beta_cdf(df / (df + t * t), df / 2, 0.5) / 2;

	return t >= 0 ? half : 1 - half;
}

double
stats_t_quantile(double p, double df)
{
	double lo = 0, hi = 1;

	if (!(p > 0 && p < 1) || df <= 0)
		return NAN;
	if (p < 0.5)
		return -stats_t_quantile(1 - p, df);
	while (stats_t_tail(hi, df) > 1 - p)
		hi *= 2;
	for (int i = 0; i < 200; i++) {
		double mid = (lo + hi) / 2;
		if (mid == lo || mid == hi)
			break;
		if (stats_t_tail(mid, df) > 1 - p)
			lo = mid;
		else
			hi = mid;
	}
	return (lo + hi) / 2;
}

double
stats_binomial_tail(size_t k, size_t n, double p)
{
	double sum = 0;

	if (k == 0)
		return 1;
	/* Smallest terms first, so that none is lost. */
	for (size_t i = n + 1; i-- > k;)
		sum += exp(log_choose((double)n, (double)i) + (double)i * log(p) +
			   (double)(n - i) * log1p(-p));
	return fmin(sum, 1);
}

static double
z95(void)
{
	return 1.959963984540054;
}

struct interval
stats_wilson(double c, double n)
{
	double z = z95(), p = c / n, d = 1 + z * z / n;

	if (!(n > 0))
		return (struct interval){NAN, NAN};
	double centre = (p + z * z / (2 * n)) / d;
	double half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / d;
	/* At the ends the limit is 0 or 1 exactly; rounding must not say otherwise. */
	return (struct interval){
	    c == 0 ? 0 : fmax(0, centre - half), c == n ? 1 : fmin(1, centre + half)};
}

struct interval
stats_clopper_pearson(double c, double n)
{
	if (!(n > 0))
		return (struct interval){NAN, NAN};
	return (struct interval){c == 0 ? 0 : beta_quantile(0.025, c, n - c + 1),
	    c == n ? 1 : beta_quantile(0.975, c + 1, n - c)};
}

struct interval
stats_jeffreys(double c, double n)
{
	if (!(n > 0))
		return (struct interval){NAN, NAN};
	return (struct interval){
	    beta_quantile(0.025, c + 0.5, n - c + 0.5), beta_quantile(0.975, c + 0.5, n - c + 0.5)};
}

struct mcnemar
stats_mcnemar(size_t b, size_t c)
{
	size_t n = b + c, more = b > c ? b : c;
	struct mcnemar m = {1, 1, 1};

	if (n == 0)
		return m;
	double at = exp(log_choose((double)n, (double)more) - (double)n * M_LN2);
	double tail = stats_binomial_tail(more, n, 0.5);
	m.worse = stats_binomial_tail(b, n, 0.5);
	m.two_sided = fmin(1, 2 * tail);
	m.mid = m.two_sided - at;
	return m;
}

struct interval
stats_agresti_min(size_t b, size_t c, size_t n)
{
	double bs = (double)b + 0.5, cs = (double)c + 0.5, ns = (double)n + 2;
	double centre = (bs - cs) / ns;
	double half = z95() * sqrt(bs + cs - (bs - cs) * (bs - cs) / ns) / ns;

	return (struct interval){fmax(-1, centre - half), fmin(1, centre + half)};
}

struct interval
stats_newcombe(size_t both, size_t b, size_t c, size_t neither)
{
	double e = (double)both, f = (double)b, g = (double)c, h = (double)neither;
	double n = e + f + g + h, before = (e + f) / n, after = (e + g) / n, d = after - before;
	struct interval w1 = stats_wilson(e + g, n), w2 = stats_wilson(e + f, n);
	double margins = (e + f) * (g + h) * (e + g) * (f + h), phi = 0;

	if (!(n > 0))
		return (struct interval){NAN, NAN};
	if (margins > 0) {
		/* Method 10: the correlation corrected for continuity where it is positive. */
		double product = e * h - f * g;
		if (product > 0)
			product = fmax(product - n / 2, 0);
		phi = product / sqrt(margins);
	}
	double dl1 = after - w1.lo, du1 = w1.hi - after, dl2 = before - w2.lo, du2 = w2.hi - before;
	return (struct interval){d - sqrt(dl1 * dl1 - 2 * phi * dl1 * du2 + du2 * du2),
	    d + sqrt(du1 * du1 - 2 * phi * du1 * dl2 + dl2 * dl2)};
}

size_t
stats_decisive(size_t c, double alpha)
{
	for (size_t b = c + 1; b <= 10000; b++)
		if (stats_mcnemar(b, c).two_sided <= alpha)
			return b;
	return 0;
}

/* A distribution over sums 0 .. count - 1. */
struct sums {
	double *p;
	size_t count;
};

static struct sums
convolve(struct sums a, struct sums b)
{
	struct sums made = {
	    prog_alloc(a.count + b.count - 1, sizeof(double)), a.count + b.count - 1};

	for (size_t i = 0; i < a.count; i++)
		for (size_t j = 0; a.p[i] != 0 && j < b.count; j++)
			made.p[i + j] += a.p[i] * b.p[j];
	free(a.p);
	free(b.p);
	return made;
}

/* How the sum of m scores drawn from a stratum's pool is distributed: subset counts, normalised. */
static struct sums
stratum_sums(const struct stratum *s)
{
	size_t pool = s->before_count + s->after_count, m = s->after_count, most = 0;

	for (size_t i = 0; i < pool; i++) {
		int x = i < s->before_count ? s->before[i] : s->after[i - s->before_count];
		most = (size_t)x > most ? (size_t)x : most;
	}
	size_t width = most * m + 1;
	double *ways = prog_alloc((m + 1) * width, sizeof *ways);
	ways[0] = 1;
	for (size_t i = 0; i < pool; i++) {
		size_t x =
		    (size_t)(i < s->before_count ? s->before[i] : s->after[i - s->before_count]);
		/*
		 * ways[k] as probabilities: after i+1 items, choosing k of them, item i is the one
		 * taken with chance k/(i+1).  That keeps every number in [0,1] where the counts
		 * would overflow.
		 */
		for (size_t k = i + 1 < m ? i + 1 : m; k > 0; k--) {
			double take = (double)k / (double)(i + 1);
			for (size_t t = width; t-- > 0;) {
				double with = t >= x ? ways[(k - 1) * width + t - x] : 0;
				double without = k <= i ? ways[k * width + t] : 0;
				ways[k * width + t] = take * with + (1 - take) * without;
			}
		}
	}
	struct sums made = {prog_alloc(width, sizeof(double)), width};
	memcpy(made.p, ways + m * width, width * sizeof(double));
	free(ways);
	return made;
}

static struct exact
tails(struct sums all, size_t observed)
{
	struct exact e = {0, 0, 1};

	/* Sums that differ only by rounding of equal probabilities cannot occur: sums are whole. */
	for (size_t i = 0; i < all.count; i++) {
		if (i <= observed)
			e.lower += all.p[i];
		if (i >= observed)
			e.upper += all.p[i];
	}
	e.lower = fmin(e.lower, 1);
	e.upper = fmin(e.upper, 1);
	e.two_sided = fmin(1, 2 * fmin(e.lower, e.upper));
	free(all.p);
	return e;
}

static struct sums
certain_zero(void)
{
	struct sums s = {prog_alloc(1, sizeof(double)), 1};

	s.p[0] = 1;
	return s;
}

struct exact
stats_permutation(const struct stratum *strata, size_t count)
{
	struct sums all = certain_zero();
	size_t observed = 0;

	for (size_t i = 0; i < count; i++) {
		if (strata[i].before_count == 0 || strata[i].after_count == 0)
			continue;
		for (size_t j = 0; j < strata[i].after_count; j++)
			observed += (size_t)strata[i].after[j];
		all = convolve(all, stratum_sums(&strata[i]));
	}
	return tails(all, observed);
}

struct exact
stats_sign_flip(const int *differences, size_t count)
{
	struct sums all = certain_zero();
	size_t observed = 0;

	/* Each difference d contributes 0 or |d|: the sum of |d| where d is positive. */
	for (size_t i = 0; i < count; i++) {
		size_t size = (size_t)abs(differences[i]);
		struct sums flip = {prog_alloc(size + 1, sizeof(double)), size + 1};
		flip.p[0] += 0.5;
		flip.p[size] += 0.5;
		all = convolve(all, flip);
		if (differences[i] > 0)
			observed += size;
	}
	return tails(all, observed);
}

struct ranked {
	double p;
	size_t at;
};

static int
by_p(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->p != y->p)
		return x->p < y->p ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

static struct ranked *
rank(const double *p, size_t count)
{
	struct ranked *r = prog_alloc(count, sizeof *r);

	for (size_t i = 0; i < count; i++)
		r[i] = (struct ranked){p[i], i};
	qsort(r, count, sizeof *r, by_p);
	return r;
}

void
stats_holm(double *p, size_t count)
{
	struct ranked *r = rank(p, count);
	double least = 0;

	for (size_t i = 0; i < count; i++) {
		least = fmax(least, fmin(1, r[i].p * (double)(count - i)));
		p[r[i].at] = least;
	}
	free(r);
}

void
stats_benjamini_hochberg(double *p, size_t count)
{
	struct ranked *r = rank(p, count);
	double most = 1;

	for (size_t i = count; i-- > 0;) {
		most = fmin(most, r[i].p * (double)count / (double)(i + 1));
		p[r[i].at] = most;
	}
	free(r);
}

static struct interval
t_interval(double mean, double se, double df)
{
	double half = stats_t_quantile(0.975, df) * se;

	return (struct interval){mean - half, mean + half};
}

struct mean
stats_mean(const double *x, size_t n)
{
	struct mean m = {NAN, NAN, NAN, {NAN, NAN}};
	double sum = 0, squares = 0;

	if (n == 0)
		return m;
	for (size_t i = 0; i < n; i++)
		sum += x[i];
	m.mean = sum / (double)n;
	if (n == 1)
		return m;
	for (size_t i = 0; i < n; i++)
		squares += (x[i] - m.mean) * (x[i] - m.mean);
	m.sd = sqrt(squares / (double)(n - 1));
	m.se = m.sd / sqrt((double)n);
	m.ci = t_interval(m.mean, m.se, (double)(n - 1));
	return m;
}

struct mean
stats_clustered(const double *x, const size_t *cluster, size_t n, size_t clusters)
{
	struct mean m = stats_mean(x, n);
	double *off = prog_alloc(clusters, sizeof *off), sum = 0;

	for (size_t i = 0; i < n; i++)
		off[cluster[i]] += x[i] - m.mean;
	for (size_t i = 0; i < clusters; i++)
		sum += off[i] * off[i];
	free(off);
	double c = (double)clusters;
	m.se = clusters > 1 ? sqrt(c / (c - 1) * sum) / (double)n : NAN;
	m.ci = t_interval(m.mean, m.se, c - 1);
	return m;
}

double
stats_icc(const double *x, size_t clusters, size_t per)
{
	double grand = 0, between = 0, within = 0, k = (double)per;

	if (clusters < 2 || per < 2)
		return NAN;
	for (size_t i = 0; i < clusters * per; i++)
		grand += x[i] / (double)(clusters * per);
	for (size_t i = 0; i < clusters; i++) {
		struct mean m = stats_mean(x + i * per, per);
		between += k * (m.mean - grand) * (m.mean - grand) / (double)(clusters - 1);
		within += m.sd * m.sd / (double)clusters;
	}
	return (between - within) / (between + (k - 1) * within);
}

double
stats_pass_hat(size_t n, size_t c, size_t k)
{
	double p = 1;

	if (n < k || c > n)
		return NAN;
	for (size_t i = 0; i < k; i++)
		p *= c > i ? (double)(c - i) / (double)(n - i) : 0;
	return p;
}

double
stats_pass_at(size_t n, size_t c, size_t k)
{
	return 1 - stats_pass_hat(n, n - c, k);
}

static double
disagreement(size_t i, size_t j, size_t k, enum weights weights)
{
	double gap = fabs((double)i - (double)j) / (double)(k - 1);

	switch (weights) {
	case WEIGHTS_LINEAR: return gap;
	case WEIGHTS_QUADRATIC: return gap * gap;
	default: return i != j;
	}
}

/* Row and column shares of a table, rows first; yours to free.  n is the sum of the table. */
static double *
margins(const double *table, size_t k, double *n)
{
	double *share = prog_alloc(2 * k, sizeof *share);

	*n = 0;
	for (size_t i = 0; i < k * k; i++)
		*n += table[i];
	for (size_t i = 0; i < k * k; i++) {
		share[i / k] += table[i] / *n;
		share[k + i % k] += table[i] / *n;
	}
	return share;
}

/* Fleiss, Cohen and Everitt 1969, equation 13. */
static double
kappa_se(const double *table, const double *share, size_t k, double n, struct kappa ka)
{
	double a = 0, b = 0, pe = ka.expected;

	for (size_t i = 0; i < k; i++) {
		double m = share[i] + share[k + i];
		double inner = 1 - m * (1 - ka.kappa);
		a += table[i * k + i] / n * inner * inner;
		for (size_t j = 0; j < k; j++) {
			double cross = share[k + i] + share[j];
			if (i != j)
				b += table[i * k + j] / n * cross * cross;
		}
	}
	b *= (1 - ka.kappa) * (1 - ka.kappa);
	double c = ka.kappa - pe * (1 - ka.kappa);
	return sqrt((a + b - c * c) / n) / (1 - pe);
}

struct kappa
stats_kappa(const double *table, size_t k, enum weights weights)
{
	struct kappa ka = {NAN, NAN, NAN, NAN, NAN, {NAN, NAN}};
	double n, observed = 0, expected = 0, agree = 0;
	double *share = margins(table, k, &n);

	for (size_t i = 0; i < k && n > 0; i++) {
		agree += table[i * k + i] / n;
		for (size_t j = 0; j < k; j++) {
			double w = k > 1 ? disagreement(i, j, k, weights) : 0;
			observed += w * table[i * k + j] / n;
			expected += w * share[i] * share[k + j];
		}
	}
	if (n > 0 && expected > 0) {
		ka.agreement = agree;
		ka.expected = 1 - expected;
		ka.kappa = 1 - observed / expected;
		ka.se_simple = sqrt((1 - observed) * observed / n) / expected;
		if (weights == WEIGHTS_NONE) {
			ka.se = kappa_se(table, share, k, n, ka);
			ka.ci =
			    (struct interval){ka.kappa - z95() * ka.se, ka.kappa + z95() * ka.se};
		}
	} else if (n > 0) {
		ka.agreement = agree;
		ka.expected = 1;
	}
	free(share);
	return ka;
}

double
stats_ac1(const double *table, size_t k)
{
	double n, agree = 0, chance = 0;
	double *share = margins(table, k, &n);

	for (size_t i = 0; i < k; i++) {
		double pi = (share[i] + share[k + i]) / 2;
		agree += table[i * k + i] / n;
		chance += pi * (1 - pi) / (double)(k - 1);
	}
	free(share);
	return k > 1 && n > 0 ? (agree - chance) / (1 - chance) : NAN;
}

/* Krippendorff 2011, section on metric differences; totals[c] counts pairable values. */
static double
metric(size_t c, size_t d, const double *totals, enum level level)
{
	size_t lo = c < d ? c : d, hi = c < d ? d : c;
	double sum = 0;

	switch (level) {
	case LEVEL_INTERVAL: return (double)(hi - lo) * (double)(hi - lo);
	case LEVEL_ORDINAL:
		for (size_t g = lo; g <= hi; g++)
			sum += totals[g];
		sum -= (totals[lo] + totals[hi]) / 2;
		return sum * sum;
	default: return c != d;
	}
}

double
stats_alpha(const int *values, size_t raters, size_t units, size_t k, enum level level)
{
	double *pairs = prog_alloc(k * k, sizeof *pairs), *totals = prog_alloc(k, sizeof *totals);
	double n = 0, observed = 0, expected = 0;

	for (size_t u = 0; u < units; u++) {
		double count = 0;
		for (size_t r = 0; r < raters; r++)
			count += values[r * units + u] >= 0;
		for (size_t r = 0; r < raters && count > 1; r++) {
			for (size_t q = 0; q < raters; q++) {
				int a = values[r * units + u], b = values[q * units + u];
				if (r != q && a >= 0 && b >= 0)
					pairs[(size_t)a * k + (size_t)b] += 1 / (count - 1);
			}
		}
	}
	for (size_t i = 0; i < k * k; i++) {
		totals[i / k] += pairs[i];
		n += pairs[i];
	}
	for (size_t i = 0; i < k * k; i++) {
		double d = metric(i / k, i % k, totals, level);
		observed += pairs[i] * d;
		expected += totals[i / k] * totals[i % k] * d;
	}
	free(pairs);
	free(totals);
	return expected > 0 ? 1 - (n - 1) * observed / expected : NAN;
}

struct corrected
stats_rogan_gladen(
    double observed, size_t n, double sens, size_t n_sens, double spec, size_t n_spec)
{
	struct corrected c = {NAN, NAN, {NAN, NAN}};
	double j = sens + spec - 1;

	if (!(j > 0))
		return c;
	double r = (observed + spec - 1) / j;
	double variance = observed * (1 - observed) / (double)n +
			  r * r * sens * (1 - sens) / (double)n_sens +
			  (1 - r) * (1 - r) * spec * (1 - spec) / (double)n_spec;
	c.rate = fmin(1, fmax(0, r));
	c.se = sqrt(variance) / j;
	c.ci = (struct interval){fmax(0, r - z95() * c.se), fmin(1, r + z95() * c.se)};
	return c;
}

double
stats_chao1(size_t seen, size_t once, size_t twice)
{
	double f1 = (double)once, f2 = (double)twice;

	return (double)seen + f1 * (f1 - 1) / (2 * (f2 + 1));
}

size_t
stats_trials(double rate)
{
	if (!(rate > 0))
		return 0;
	if (rate >= 1)
		return 1;
	double n = ceil(log(0.05) / log1p(-rate));
	return n < 1e15 ? (size_t)n : (size_t)1e15;
}

double
stats_zero_bound(size_t n)
{
	return n > 0 ? 1 - pow(0.05, 1 / (double)n) : 1;
}

static int
by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double
stats_percentile(double *x, size_t n, double q)
{
	if (n == 0)
		return NAN;
	qsort(x, n, sizeof *x, by_size);
	double at = ceil(q * (double)n);
	return x[at < 1 ? 0 : at > (double)n ? n - 1 : (size_t)at - 1];
}

void
stats_seed(struct stats_random *r, uint64_t seed)
{
	/* splitmix64, as its authors advise for filling the state. */
	for (size_t i = 0; i < 4; i++) {
		uint64_t z = seed += 0x9e3779b97f4a7c15u;
		z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
		z = (z ^ z >> 27) * 0x94d049bb133111ebu;
		r->s[i] = z ^ z >> 31;
	}
}

static uint64_t
rotate(uint64_t x, int k)
{
	return x << k | x >> (64 - k);
}

uint64_t
stats_next(struct stats_random *r)
{
	uint64_t *s = r->s, made = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 45);
	return made;
}

size_t
stats_below(struct stats_random *r, size_t n)
{
	uint64_t limit = UINT64_MAX - UINT64_MAX % n, x;

	do
		x = stats_next(r);
	while (x >= limit);
	return (size_t)(x % n);
}

double
stats_unit(struct stats_random *r)
{
	return (double)(stats_next(r) >> 11) * 0x1p-53;
}
