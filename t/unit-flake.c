/* flake: the worked numbers of test-analyse(1), from calculations by hand. */
#include <math.h>

#include "flake.h"
#include "tap.h"

static void
near(double got, double want, double by, const char *name)
{
	if (!tap_ok(fabs(got - want) <= by, name))
		printf("# got %.6f, want %.6f\n", got, want);
}

int
main(void)
{
	char real[128];
	size_t at = 0;
	struct flake_rate r;
	const double even[] = {1 / 3.0, 1 / 3.0, 1 / 3.0}, sure[] = {1, 0, 0};

	near(flake_flip_score("FFFFFFFF"), 0, 0, "what always fails does not flip");
	near(flake_flip_score("PFPFPFPF"), 1, 1e-12, "what alternates flips each time");
	near(flake_flip_score("PFPFPFPFPFPPPPPPPPPP"), 0.366, 5e-4, "old flips weigh less");
	near(flake_flip_score("PPPPPPPPPPFFFFFFFFFFFF"), 0.041, 5e-4, "one flip, then broken");
	near(flake_flip_score("PPPFPFPPF"), 0.653, 5e-4, "a flip now weighs most");
	near(flake_flip_score("PPPSFPF-PPF"), 0.653, 5e-4, "skips are no runs");
	near(flake_flip_score("X"), 1, 0, "a flip inside the first run counts");
	near(flake_flip_score(""), 0, 0, "no runs");
	tap_ok(flake_flips("PPPFPFPPF") == 5 && flake_runs("PS-FX") == 3, "flips and runs counted");
	tap_ok(flake_streak("PFFSF") == 3 && flake_streak("FX") == 0 && flake_streak("") == 0,
	    "failures at the end");

	for (int i = 0; i < 75; i++)
		real[at++] = i % 8 == 7 && i < 72 ? 'X' : i % 25 == 24 ? '-' : 'P';
	real[at] = '\0';
	r = flake_rate(real);
	tap_ok(r.k == 9 && r.n == 72, "interrupted runs are not counted");
	near(r.rate, 0.125, 1e-12, "nine of 72");
	near(r.wilson.lo, 0.0672, 5e-5, "Wilson, below");
	near(r.wilson.hi, 0.2208, 5e-5, "Wilson, above");
	near(stats_clopper_pearson(9, 72).hi, 0.2241, 5e-5, "Clopper and Pearson");
	near(stats_jeffreys(9, 72).lo, 0.0637, 5e-5, "Jeffreys");
	tap_ok(isnan(flake_rate("FFS").rate), "what never passed has no rate");

	near(flake_onset(5), 0.451, 5e-4, "0 of 5");
	near(flake_onset(10), 0.259, 5e-4, "0 of 10");
	near(flake_onset(20), 0.139, 5e-4, "0 of 20");
	near(flake_onset(40), 0.072, 5e-4, "0 of 40");
	near(flake_onset(100), 0.030, 5e-4, "0 of 100");
	near(stats_wilson(1, 5).lo, 0.0362, 5e-5, "1 of 5");
	near(stats_wilson(0, 3).hi, 0.5615, 5e-5, "0 of 3");
	near(stats_wilson(3, 3).lo, 0.4385, 5e-5, "3 of 3");
	near(stats_wilson(0, 40).hi, 0.0876, 5e-5, "0 of 40");
	near(stats_wilson(9, 26).lo, 0.1941, 5e-5, "9 of 26");
	near(stats_wilson(2, 8).hi, 0.5907, 5e-5, "2 of 8");
	near(stats_wilson(8, 12).hi, 0.8619, 5e-5, "8 of 12");
	tap_ok(flake_recovered(0.0672) == 44, "44 clean runs");

	near(flake_intermittent(""), 0.5, 0, "nothing known");
	near(flake_intermittent("PPPPPPPPPF"), 0.15, 1e-12, "one flip in ten");
	near(flake_intermittent("PPPPPPPFFF"), 0.0375, 1e-12, "halved by each further failure");
	near(flake_entropy(even, 3), 1, 1e-12, "any owner");
	near(flake_entropy(sure, 3), 0, 0, "one owner");
	near(flake_ambiguity(0, 0), 0, 0, "no doubt");
	near(flake_ambiguity(1, 0), 1, 0, "any owner is all the doubt there is");
	near(flake_ambiguity(0.5, 1), 0.75, 1e-12, "behaviour counts half");
	return tap_done();
}
