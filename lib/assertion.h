#ifndef ASSERTION_H
#define ASSERTION_H

/*
 * assertion: what a scenario wants to hold of a transcript, by rules alone; see records(5).
 *
 * The assertions of a scenario are compiled once: patterns and paths that are none are told before
 * anything runs.  The same transcript gets the same verdict, whatever was checked before it.
 */
#include <jv.h>
#include <stdbool.h>
#include <stddef.h>

struct assertions;

/*
 * Those of the whole and of its turns.  NULL when one is none, or there are more than 1000 in one
 * place, with the reason in why (size bytes).  The scenario is not consumed, nor needed later.
 */
struct assertions *assertions_new(jv scenario, char *why, size_t size);

/*
 * An array, yours to free, of {"kind", "ok", "reason" where it is not ok, "turn" where it is about
 * one}.  Where the transcript (not consumed) ended in an error there is one check, a noError that
 * failed.
 */
jv assertions_check(struct assertions *a, jv transcript);

void assertions_free(struct assertions *a);

#endif
