#ifndef VERDICT_H
#define VERDICT_H

/*
 * verdict: what is known of a scenario after it was tried again.
 *
 * A failure counts once it was reproduced: of at least `wanted` trials 60 % failed (open), or some
 * did (flaky).  It is fixed after so many clean trials in a row that a failure of the rate that was
 * seen, at the low end of its Wilson interval, would have shown with 95 % chance.
 */
#include <jv.h>
#include <stddef.h>

/*
 * known is the record so far, consumed; invalid for none.  Invalid when there is nothing to know.
 */
jv verdict_after(jv known, size_t fails, size_t trials, size_t wanted);

#endif
