/*
 * calibration: the worked numbers of a published reliability table (confidence:n:right = .35:2:0,
 * .50:12:3, .60:11:5, .70:1:1), and what is plain by hand.
 */
#include "calibration.h"

#include <math.h>

#include "tap.h"

static void
near(double got, double want, double within, const char *name)
{
	if (!tap_ok(fabs(got - want) <= within, name))
		printf("# got %.15g, want %.15g\n", got, want);
}

static size_t
add(struct point *p, size_t at, double confidence, size_t n, size_t right)
{
	for (size_t i = 0; i < n; i++)
		p[at + i] = (struct point){confidence, i < right};
	return at + n;
}

static void
published(void)
{
	struct point p[26];
	struct bin bins[10];
	double fitted[26];
	size_t n = add(p, 0, .60, 11, 5); /* in no order */

	n = add(p, n, .35, 2, 0);
	n = add(p, n, .70, 1, 1);
	n = add(p, n, .50, 12, 3);
	near(calibration_ece(p, n), .215385, 5e-7, "ECE");
	near(calibration_mce(p, n), .35, 1e-12, "MCE");
	near(calibration_brier(p, n), .242115, 5e-7, "Brier");
	near(calibration_auroc(p, n), .696078, 5e-7, "AUROC");
	tap_ok(calibration_distinct(p, n) == 4, "four confidences");
	struct platt f = calibration_platt(p, n);
	near(f.a, 3.18828, 5e-6, "Platt a");
	near(f.b, -1.28510, 5e-6, "Platt b");
	near(calibration_platt_at(f, .35), .0370, 5e-5, "Platt at .35");
	near(calibration_platt_at(f, .5), .2167, 5e-5, "Platt at .5");
	near(calibration_platt_at(f, .6), .5019, 5e-5, "Platt at .6");
	near(calibration_platt_at(f, .7), .8048, 5e-5, "Platt at .7");
	calibration_isotonic(p, n, fitted);
	near(fitted[11], 0, 1e-12, "isotonic at .35");
	near(fitted[14], .25, 1e-12, "isotonic at .5");
	near(fitted[0], 5 / 11., 1e-12, "isotonic at .6");
	near(fitted[13], 1, 1e-12, "isotonic at .7");
	calibration_widths(p, n, bins, 10);
	tap_ok(bins[3].n == 2 && bins[5].n == 12 && bins[6].n == 11 && bins[7].n == 1 &&
		   bins[0].n == 0 && isnan(bins[0].accuracy),
	    "bins of equal width");
	calibration_masses(p, n, bins, 5);
	tap_ok(bins[0].n + bins[1].n + bins[2].n + bins[3].n + bins[4].n == n && bins[0].n == 5 &&
		   bins[0].from == .35 && bins[4].to == .70,
	    "bins of equal mass");
	tap_ok(isnan(calibration_threshold(p, n, .7)), "no threshold");
	struct interval ci = calibration_bootstrap(p, n, calibration_ece, 2000, 1),
			again = calibration_bootstrap(p, n, calibration_ece, 2000, 1);
	tap_ok(ci.lo < .2154 && ci.hi > .2154 && ci.lo == again.lo && ci.hi == again.hi,
	    "an interval, the same each time");
}

/* Wilson's lower bound reaches 0.70 at 9 of 9, 14 of 15, 19 of 21 and 22 of 25, and not before. */
static void
thresholds(void)
{
	static const struct {
		size_t n, right;
		bool reached;
	} rows[] = {{9, 9, true}, {8, 8, false}, {15, 14, true}, {14, 13, false}, {21, 19, true},
	    {20, 18, false}, {25, 22, true}, {24, 21, false}};
	struct point p[40];

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char name[40];
		snprintf(name, sizeof name, "%zu of %zu", rows[i].right, rows[i].n);
		add(p, 0, .8, rows[i].n, rows[i].right);
		double t = calibration_threshold(p, rows[i].n, .7);
		tap_ok(rows[i].reached ? t == .8 : isnan(t), name);
	}
	size_t n = add(p, add(p, add(p, 0, .9, 9, 9), .6, 12, 10), .3, 9, 0);
	near(calibration_threshold(p, n, .7), .6, 0, "the lowest that reaches it");
}

static void
edges(void)
{
	struct point p[4] = {{0, false}, {1, true}, {1, true}, {.5, false}};
	struct point upside[2] = {{.2, true}, {.8, false}};
	double fitted[2];

	tap_ok(isnan(calibration_ece(p, 0)) && isnan(calibration_brier(p, 0)) &&
		   isnan(calibration_auroc(p, 0)) && isnan(calibration_threshold(p, 0, .7)),
	    "no points");
	tap_ok(isnan(calibration_auroc(p + 1, 2)), "all right: nothing to tell apart");
	near(calibration_auroc(p, 4), 1, 0, "all told apart");
	tap_ok(isnan(calibration_platt(p, 4).a), "no greatest likelihood");
	near(calibration_ece(p, 4), .125, 1e-12, "0 and 1 are in the outer bins");
	near(calibration_auroc(upside, 2), 0, 0, "surer of the wrong one");
	calibration_isotonic(upside, 2, fitted);
	tap_ok(fitted[0] == .5 && fitted[1] == .5, "what falls is pooled");
}

int
main(void)
{
	published();
	thresholds();
	edges();
	return tap_done();
}
