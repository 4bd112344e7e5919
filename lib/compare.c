#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "prog.h"

enum { DRAWS = 2000 };

struct rate {
	size_t failed, trials;
};

static bool
counts(const char *result, const char *cell)
{
	if (result == NULL || *result == '\0' || strcmp(result, "?") == 0)
		return false;
	return cell == NULL || strcmp(result, cell) == 0;
}

static struct rate
rate_of(jv task, const char *cell)
{
	jv trials = jvx_get(task, "trials");
	struct rate r = {0, 0};

	if (jv_get_kind(trials) == JV_KIND_OBJECT) {
		jv_object_foreach (trials, name, result) {
			r.trials++;
			r.failed += jv_get_kind(result) == JV_KIND_STRING &&
				    counts(jv_string_value(result), cell);
			jv_free(name);
			jv_free(result);
		}
	}
	jv_free(trials);
	return r;
}

static double
share(struct rate r)
{
	return r.trials > 0 ? (double)r.failed / (double)r.trials : 0;
}

/* Tasks are resampled, never trials: trials of one task are not independent. */
static struct interval
bootstrap(const double *drops, size_t n, uint64_t seed)
{
	struct stats_random r;
	double *means = prog_alloc(DRAWS, sizeof *means);

	stats_seed(&r, seed);
	for (size_t d = 0; d < DRAWS; d++)
		for (size_t i = 0; i < n; i++)
			means[d] += drops[stats_below(&r, n)] / (double)n;
	struct interval ci = {
	    stats_percentile(means, DRAWS, 0.025), stats_percentile(means, DRAWS, 0.975)};
	free(means);
	return ci;
}

struct change
compare(jv before, jv after, const char *cell, uint64_t seed)
{
	struct change c = {0, 0, 0, 1, 0, {NAN, NAN}};
	size_t n = (size_t)jv_object_length(jv_copy(before));
	double *drops = prog_alloc(n, sizeof *drops);
	bool single = true;

	jv_object_foreach (before, id, task) {
		jv other = jvx_get(after, jv_string_value(id));
		struct rate b = rate_of(task, cell), a = rate_of(other, cell);
		single = single && b.trials == 1 && a.trials == 1;
		drops[c.tasks] = share(b) - share(a);
		c.fixed += drops[c.tasks] > 0;
		c.broken += drops[c.tasks] < 0;
		c.effect += drops[c.tasks];
		c.tasks++;
		jv_free(other);
		jv_free(id);
		jv_free(task);
	}
	if (c.tasks > 0) {
		c.effect /= (double)c.tasks;
		c.p = stats_mcnemar(c.fixed, c.broken).two_sided;
		c.ci = single ? stats_agresti_min(c.fixed, c.broken, c.tasks)
			      : bootstrap(drops, c.tasks, seed);
	}
	free(drops);
	return c;
}

/* The trial at a place in the order of the keys, failed or not; -1 when there is none. */
static int
trial_at(jv task, size_t at)
{
	jv trials = jvx_get(task, "trials"), keys = jv_keys(trials);
	jv key = jv_array_get(keys, (int)at);
	int failed = -1;

	if (jv_get_kind(key) == JV_KIND_STRING) {
		jv all = jvx_get(task, "trials");
		failed = counts(jvx_text(all, jv_string_value(key)), NULL);
		jv_free(all);
	}
	jv_free(key);
	return failed;
}

long
compare_band(jv tasks)
{
	size_t least = SIZE_MAX;
	long band = -1;

	jv_object_foreach (tasks, id, task) {
		struct rate r = rate_of(task, NULL);
		least = r.trials < least ? r.trials : least;
		jv_free(id);
		jv_free(task);
	}
	if (least == SIZE_MAX)
		return -1;
	for (size_t i = 0; i < least && i < 16; i++) {
		for (size_t j = i + 1; j < least && j < 16; j++) {
			long net = 0;
			jv_object_foreach (tasks, id, task) {
				net += trial_at(task, i) - trial_at(task, j);
				jv_free(id);
				jv_free(task);
			}
			band = labs(net) > band ? labs(net) : band;
		}
	}
	return band;
}

static double
six(double x)
{
	return round(x * 1e6) / 1e6;
}

jv
compare_record(const struct change *c)
{
	jv rec = jvx_set_number(jv_object(), "fixed", (double)c->fixed);

	rec = jvx_set_number(rec, "broken", (double)c->broken);
	rec = jvx_set_number(rec, "tasks", (double)c->tasks);
	rec = jvx_set_number(rec, "p", six(c->p));
	rec = jvx_set_number(rec, "effect", six(c->effect));
	rec = jvx_set_number(rec, "lo", six(c->ci.lo));
	return jvx_set_number(rec, "hi", six(c->ci.hi));
}
