#ifndef SCENARIO_H
#define SCENARIO_H

/*
 * scenario: what a person says to an agent, turn by turn, and what must hold then; see records(5).
 */
#include <jv.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Is value (not consumed) one?  It has an id of at most 200 bytes and 1 to 200 turns.  What is
 * wrong is put into why (size bytes), without any of its content.
 */
bool scenario_check(jv value, char *why, size_t size);

/* From here on scenarios are those that passed, and are not consumed; n is from 1. */
int scenario_turns(jv scenario);
jv scenario_user(jv scenario, int n); /* a string, yours to free */

/* The assertions of turn n, or of the whole with 0: an array, yours to free. */
jv scenario_expect(jv scenario, int n);

/*
 * How much it matters to run it again; the higher the sooner.  What is open comes before what is
 * flaky, what nobody tried and what was fixed; in each the graver first, and the higher rate.
 * known is its known record, or invalid.
 */
double scenario_badness(jv scenario, jv known);

/* From "low" to "critical", then NULL: a severity is a place here. */
extern const char *const scenario_severities[];
int scenario_severity(const char *word); /* what is absent or no such word is medium */

/*
 * The words of all turns, letter case and white space folded: two scenarios with the same are the
 * same.  A string, yours to free.
 */
jv scenario_words(jv scenario);

#endif
