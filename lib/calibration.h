#ifndef CALIBRATION_H
#define CALIBRATION_H

/*
 * calibration: does "0.8 sure" mean right in eight of ten?
 *
 * A point is one prediction: how sure, and whether right.  No call keeps points or reorders them.
 * What is undefined (no points, one kind only) is NaN.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats.h"

struct point {
	double confidence; /* 0 to 1 */
	bool right;
};

struct bin {
	double from, to;             /* of confidence; the last of equal width is closed */
	double confidence, accuracy; /* means; NaN where n is 0 */
	size_t n, right;
};

/* count bins of equal width over 0 to 1, empty ones too. */
void calibration_widths(const struct point *p, size_t n, struct bin *bins, size_t count);
/* count bins of as many points each as can be, in order of confidence; equal points by position. */
void calibration_masses(const struct point *p, size_t n, struct bin *bins, size_t count);

/* Expected and largest gap between confidence and accuracy over ten bins of equal width. */
double calibration_ece(const struct point *p, size_t n);
double calibration_mce(const struct point *p, size_t n);
double calibration_brier(const struct point *p, size_t n); /* mean squared error */
/* P(a right one is surer than a wrong one), ties a half. */
double calibration_auroc(const struct point *p, size_t n);
size_t calibration_distinct(const struct point *p, size_t n); /* different confidences */

/* The same over points drawn again with replacement: percentiles 2.5 and 97.5 of so many draws. */
struct interval calibration_bootstrap(const struct point *p, size_t n,
    double (*statistic)(const struct point *, size_t), size_t draws, uint64_t seed);

/*
 * Platt 1999, on the log-odds of the confidence and without his smoothed targets: the probability
 * is 1 / (1 + exp(-(a logit(c) + b))) at the greatest likelihood.  NaN where there is none, as when
 * a threshold separates right from wrong.
 */
struct platt {
	double a, b;
};
struct platt calibration_platt(const struct point *p, size_t n);
double calibration_platt_at(struct platt platt, double confidence);

/* Isotonic regression (pool adjacent violators): out[i] is the fitted value of point i. */
void calibration_isotonic(const struct point *p, size_t n, double *out);

/*
 * The lowest confidence that was given, from which on Wilson's lower bound on the share that is
 * right reaches target.
 */
double calibration_threshold(const struct point *p, size_t n, double target);

#endif
