#ifndef DIFF_H
#define DIFF_H

/*
 * diff: the features of a change that tell whose failure it is.
 *
 * One unified diff is read once; what it says about each test is asked test by test.
 */
#include <jv.h>

#include "buf.h"

struct diff;

struct diff *diff_read(const char *text, size_t len);
void diff_free(struct diff *d);

/*
 * The diff member of an analysis: files, hunks, what it touches of the test in file with this
 * stack, and the literals it took out of the product that the test (its source, locator and
 * expectation, in words) still uses.  Hunks are cut at 12000 bytes, the nearest to the test first;
 * *dropped says how many bytes did not fit.
 */
jv diff_about(
    const struct diff *d, const char *file, const char *stack, const char *words, size_t *dropped);

#endif
