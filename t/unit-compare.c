/* A/A: the same agent twice is no repair, whatever its failures are like. */
#include "compare.h"

#include <stdio.h>

#include "jvx.h"
#include "tap.h"

enum { COMPARISONS = 1000, TASKS = 50 };

/* One cohort: each task fails at its own rate, three of five times in the selected cell. */
static jv
cohort(struct stats_random *r, const double *rate, int trials)
{
	jv tasks = jv_object();

	for (int t = 0; t < TASKS; t++) {
		jv all = jv_object();
		char name[24];
		for (int k = 0; k < trials; k++) {
			bool fails = stats_unit(r) < rate[t], here = stats_unit(r) < 0.6;
			snprintf(name, sizeof name, "%d", k);
			all = jvx_set(all, name, jv_string(!fails ? "" : here ? "A\tB" : "B\tC"));
		}
		snprintf(name, sizeof name, "t%d", t);
		tasks = jvx_set(tasks, name, jvx_set(jv_object(), "trials", all));
	}
	return tasks;
}

/* What repair-gate asks of the two counts; all it asks beside them can only make it stricter. */
static bool
falls(jv before, jv after, const char *cell)
{
	struct change c = compare(before, after, cell, 1);

	return c.fixed > c.broken && c.p <= 0.05;
}

static int
repaired(struct stats_random *r, int comparisons, int trials, double spread)
{
	double rate[TASKS];
	int n = 0;

	for (int i = 0; i < comparisons; i++) {
		for (int t = 0; t < TASKS; t++)
			rate[t] = stats_unit(r) < spread ? stats_unit(r) : 0.55;
		jv before = cohort(r, rate, trials), after = cohort(r, rate, trials);
		n += falls(before, after, "A\tB") && falls(before, after, NULL);
		jv_free(before);
		jv_free(after);
	}
	return n;
}

int
main(void)
{
	struct stats_random r;

	stats_seed(&r, 7);
	int one = repaired(&r, COMPARISONS, 1, 1), even = repaired(&r, COMPARISONS, 1, 0);
	int three = repaired(&r, 60, 3, 1);
	printf("# repaired: %d and %d of 1000 with one trial, %d of 60 with three\n", one, even,
	    three);
	tap_ok(one <= COMPARISONS / 20, "A/A, each task with its own rate: at most 5 %");
	tap_ok(even <= COMPARISONS / 20, "A/A, one rate for all tasks: at most 5 %");
	tap_ok(three <= 3, "A/A, three trials a task: at most 5 %");
	return tap_done();
}
