#ifndef SCENARIO_H
#define SCENARIO_H

/*
 * scenario: what a person says to an agent, turn by turn, and what must hold then; see records(5).
 */
#include <jv.h>
#include <stdbool.h>
#include <stddef.h>

enum { SCENARIO_TURNS = 200, SCENARIO_ID = 200 };

/* Is value (not consumed) one?  What is wrong is put into why, without any of its content. */
bool scenario_check(jv value, char *why, size_t size);

/* Of a scenario that passed; n is from 1. */
int scenario_turns(jv scenario);
jv scenario_user(jv scenario, int n); /* a string, yours to free */

/* The assertions of turn n, or of the whole with 0: an array, yours to free. */
jv scenario_expect(jv scenario, int n);

#endif
