#include "flake.h"

#include <math.h>
#include <string.h>

static const double half_life = 10;

static bool
is_run(char c)
{
	return c == 'P' || c == 'F' || c == 'X' || c == 'T';
}

/* A run that was flaky ended well, a timeout is a failure. */
static char
ended(char c)
{
	return c == 'X' ? 'P' : c == 'T' ? 'F' : c;
}

/* Steps from the newest to the oldest; the sums of all weights and of those of flips. */
static void
walk(const char *runs, double *all, double *flips, size_t *count)
{
	size_t age = 0, i = strlen(runs);

	*all = *flips = 0;
	*count = 0;
	while (i-- > 0) {
		if (!is_run(runs[i]))
			continue;
		size_t before = i;
		while (before > 0 && !is_run(runs[before - 1]))
			before--;
		bool first = before == 0, flip = runs[i] == 'X';
		if (first && !flip)
			return;
		flip = flip || ended(runs[i]) != ended(runs[before - 1]);
		double weight = exp2(-(double)age++ / half_life);
		*all += weight;
		*flips += flip ? weight : 0;
		*count += flip;
	}
}

double
flake_flip_score(const char *runs)
{
	double all, flips;
	size_t count;

	walk(runs, &all, &flips, &count);
	return all > 0 ? flips / all : 0;
}

size_t
flake_flips(const char *runs)
{
	double all, flips;
	size_t count;

	walk(runs, &all, &flips, &count);
	return count;
}

size_t
flake_runs(const char *runs)
{
	size_t n = 0;

	for (; *runs != '\0'; runs++)
		n += is_run(*runs);
	return n;
}

size_t
flake_streak(const char *runs)
{
	size_t n = 0, i = strlen(runs);

	while (i-- > 0) {
		if (ended(runs[i]) == 'F')
			n++;
		else if (is_run(runs[i]))
			break;
	}
	return n;
}

struct flake_rate
flake_rate(const char *runs)
{
	struct flake_rate r = {.rate = NAN};

	for (; *runs != '\0'; runs++) {
		r.n += *runs == 'P' || *runs == 'X';
		r.k += *runs == 'X';
	}
	if (r.n > 0)
		r.rate = (double)r.k / (double)r.n;
	r.wilson = stats_wilson((double)r.k, (double)r.n);
	return r;
}

double
flake_onset(size_t n)
{
	return n == 0 ? 1 : 1 - pow(0.05, 1 / (double)n);
}

size_t
flake_recovered(double lo)
{
	if (!(lo > 0))
		return 0;
	if (lo >= 1)
		return 1;
	size_t runs = (size_t)floor(log(0.05) / log1p(-lo));
	while (pow(1 - lo, (double)runs) >= 0.05)
		runs++;
	return runs;
}

double
flake_intermittent(const char *runs)
{
	size_t n = flake_runs(runs), streak = flake_streak(runs);

	if (n == 0)
		return 0.5;
	double p = ((double)flake_flips(runs) + 0.5) / (double)n;
	if (p > 1)
		p = 1;
	return streak > 1 ? ldexp(p, -(int)(streak - 1)) : p;
}

double
flake_entropy(const double *p, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		if (p[i] > 0)
			sum -= p[i] * log(p[i]);
	return count < 2 ? 0 : sum / log((double)count);
}

double
flake_ambiguity(double owner, double behaviour)
{
	return 1 - (1 - owner) * (1 - behaviour / 2);
}

char
flake_effective(char status, char expected)
{
	if (expected == 'F' || expected == 'T') {
		if (status == 'F' || status == 'T')
			return 'P';
		return status == 'P' ? 'F' : status;
	}
	return status;
}
