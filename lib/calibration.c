#include "calibration.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "prog.h"

enum { BINS = 10 };

/* Points in order of confidence, each with its place among those that were given. */
struct placed {
	struct point p;
	size_t at;
};

static int
by_confidence(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	if (x->p.confidence != y->p.confidence)
		return x->p.confidence < y->p.confidence ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static struct placed *
sorted(const struct point *p, size_t n)
{
	struct placed *s = prog_alloc(n + 1, sizeof *s);

	for (size_t i = 0; i < n; i++)
		s[i] = (struct placed){p[i], i};
	qsort(s, n, sizeof *s, by_confidence);
	return s;
}

static void
bin_add(struct bin *b, struct point p)
{
	b->n++;
	b->right += p.right;
	b->confidence += p.confidence;
}

static void
bin_end(struct bin *b)
{
	b->confidence = b->n > 0 ? b->confidence / (double)b->n : NAN;
	b->accuracy = b->n > 0 ? (double)b->right / (double)b->n : NAN;
}

void
calibration_widths(const struct point *p, size_t n, struct bin *bins, size_t count)
{
	for (size_t i = 0; i < count; i++)
		bins[i] = (struct bin){
		    .from = (double)i / (double)count, .to = (double)(i + 1) / (double)count};
	for (size_t i = 0; i < n; i++) {
		double place = p[i].confidence * (double)count;
		size_t at = place > 0 ? (size_t)place : 0;
		bin_add(&bins[at < count ? at : count - 1], p[i]);
	}
	for (size_t i = 0; i < count; i++)
		bin_end(&bins[i]);
}

void
calibration_masses(const struct point *p, size_t n, struct bin *bins, size_t count)
{
	struct placed *s = sorted(p, n);

	for (size_t i = 0; i < count; i++) {
		size_t from = n * i / count, to = n * (i + 1) / count;
		bins[i] = (struct bin){.from = from < to ? s[from].p.confidence : NAN,
		    .to = from < to ? s[to - 1].p.confidence : NAN};
		for (size_t k = from; k < to; k++)
			bin_add(&bins[i], s[k].p);
		bin_end(&bins[i]);
	}
	free(s);
}

double
calibration_ece(const struct point *p, size_t n)
{
	struct bin bins[BINS];
	double sum = 0;

	calibration_widths(p, n, bins, BINS);
	for (size_t i = 0; i < BINS; i++)
		if (bins[i].n > 0)
			sum += (double)bins[i].n * fabs(bins[i].confidence - bins[i].accuracy);
	return n > 0 ? sum / (double)n : NAN;
}

double
calibration_mce(const struct point *p, size_t n)
{
	struct bin bins[BINS];
	double most = 0;

	calibration_widths(p, n, bins, BINS);
	for (size_t i = 0; i < BINS; i++)
		if (bins[i].n > 0)
			most = fmax(most, fabs(bins[i].confidence - bins[i].accuracy));
	return n > 0 ? most : NAN;
}

double
calibration_brier(const struct point *p, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		double off = p[i].confidence - p[i].right;
		sum += off * off;
	}
	return n > 0 ? sum / (double)n : NAN;
}

/* Where a run of equal confidences that begins at i ends. */
static size_t
run_end(const struct placed *s, size_t n, size_t i)
{
	size_t end = i;

	while (end < n && s[end].p.confidence == s[i].p.confidence)
		end++;
	return end;
}

double
calibration_auroc(const struct point *p, size_t n)
{
	struct placed *s = sorted(p, n);
	double wins = 0, wrong = 0, right = 0;

	for (size_t i = 0; i < n;) {
		size_t end = run_end(s, n, i);
		double here_right = 0, here_wrong = 0;
		for (; i < end; i++) {
			here_right += s[i].p.right;
			here_wrong += !s[i].p.right;
		}
		wins += here_right * (wrong + here_wrong / 2);
		wrong += here_wrong;
		right += here_right;
	}
	free(s);
	return wrong > 0 && right > 0 ? wins / (wrong * right) : NAN;
}

size_t
calibration_distinct(const struct point *p, size_t n)
{
	struct placed *s = sorted(p, n);
	size_t count = 0;

	for (size_t i = 0; i < n; i = run_end(s, n, i))
		count++;
	free(s);
	return count;
}

struct interval
calibration_bootstrap(const struct point *p, size_t n,
    double (*statistic)(const struct point *, size_t), size_t draws, uint64_t seed)
{
	struct point *drawn = prog_alloc(n + 1, sizeof *drawn);
	double *values = prog_alloc(draws + 1, sizeof *values);
	struct stats_random random;
	size_t kept = 0;

	stats_seed(&random, seed);
	for (size_t i = 0; n > 0 && i < draws; i++) {
		for (size_t k = 0; k < n; k++)
			drawn[k] = p[stats_below(&random, n)];
		double value = statistic(drawn, n);
		if (!isnan(value))
			values[kept++] = value;
	}
	struct interval ci = {NAN, NAN};
	if (kept > 0)
		ci = (struct interval){
		    stats_percentile(values, kept, .025), stats_percentile(values, kept, .975)};
	free(drawn);
	free(values);
	return ci;
}

/* Confidences of 0 and 1 have no log-odds; they are taken as a millionth from there. */
static double
logit(double c)
{
	c = fmin(fmax(c, 1e-6), 1 - 1e-6);
	return log(c / (1 - c));
}

double
calibration_platt_at(struct platt platt, double confidence)
{
	return 1 / (1 + exp(-(platt.a * logit(confidence) + platt.b)));
}

/* log(1 + exp(x)) that does not overflow. */
static double
softplus(double x)
{
	return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}

static double
loss(struct platt f, const struct point *p, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		double z = f.a * logit(p[i].confidence) + f.b;
		sum += softplus(p[i].right ? -z : z);
	}
	return sum;
}

/* One step of Newton's method, halved until it does not make things worse; false when it is none.
 */
static bool
step(struct platt *f, const struct point *p, size_t n)
{
	double ga = 0, gb = 0, haa = 0, hab = 0, hbb = 0;

	for (size_t i = 0; i < n; i++) {
		double x = logit(p[i].confidence), q = calibration_platt_at(*f, p[i].confidence);
		double off = q - p[i].right, w = q * (1 - q);
		ga += off * x;
		gb += off;
		haa += w * x * x;
		hab += w * x;
		hbb += w;
	}
	double det = haa * hbb - hab * hab;
	if (fabs(ga) + fabs(gb) < 1e-10 || !(det > 1e-12))
		return false;
	double da = (hbb * ga - hab * gb) / det, db = (haa * gb - hab * ga) / det;
	double before = loss(*f, p, n);
	for (double share = 1; share > 1e-6; share /= 2) {
		struct platt next = {f->a - share * da, f->b - share * db};
		if (loss(next, p, n) > before)
			continue;
		*f = next;
		return true;
	}
	return false;
}

/* Do right and wrong overlap?  Where a threshold parts them the likelihood rises for ever. */
static bool
overlap(const struct point *p, size_t n)
{
	double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};

	for (size_t i = 0; i < n; i++) {
		least[p[i].right] = fmin(least[p[i].right], p[i].confidence);
		most[p[i].right] = fmax(most[p[i].right], p[i].confidence);
	}
	return most[0] > least[1] && most[1] > least[0];
}

struct platt
calibration_platt(const struct point *p, size_t n)
{
	struct platt f = {1, 0};
	int steps = 0;

	if (!overlap(p, n))
		return (struct platt){NAN, NAN};
	while (steps < 200 && step(&f, p, n))
		steps++;
	return f;
}

void
calibration_isotonic(const struct point *p, size_t n, double *out)
{
	struct placed *s = sorted(p, n);
	struct block {
		double right, n;
		size_t from;
	} *blocks = prog_alloc(n + 1, sizeof *blocks);
	size_t count = 0;

	for (size_t i = 0; i < n;) {
		struct block b = {.from = i};
		for (size_t end = run_end(s, n, i); i < end; i++) {
			b.right += s[i].p.right;
			b.n++;
		}
		while (
		    count > 0 && blocks[count - 1].right * b.n >= b.right * blocks[count - 1].n) {
			count--;
			b.right += blocks[count].right;
			b.n += blocks[count].n;
			b.from = blocks[count].from;
		}
		blocks[count++] = b;
	}
	for (size_t k = 0; k < count; k++) {
		size_t end = k + 1 < count ? blocks[k + 1].from : n;
		for (size_t i = blocks[k].from; i < end; i++)
			out[s[i].at] = blocks[k].right / blocks[k].n;
	}
	free(blocks);
	free(s);
}

double
calibration_threshold(const struct point *p, size_t n, double target)
{
	struct placed *s = sorted(p, n);
	double right = 0, found = NAN;

	for (size_t i = n; i-- > 0;) {
		right += s[i].p.right;
		bool first = i == 0 || s[i - 1].p.confidence != s[i].p.confidence;
		if (first && stats_wilson(right, (double)(n - i)).lo >= target)
			found = s[i].p.confidence;
	}
	free(s);
	return found;
}
