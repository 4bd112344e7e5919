#ifndef OUTCOME_H
#define OUTCOME_H

/*
 * outcome: did the test of a segment fail?
 *
 * The test record's status says so, held against the status that was expected of it (test.fail());
 * where it is unknown, as in a trace that no test runner wrote, an error that ended the test does.
 * Zero-initialised is a segment that nothing is known of.
 */
#include <stdbool.h>

#include "scan.h"

struct outcome {
	bool tested; /* there is a test record */
	bool failed, unknown, ended;
};

void outcome_add(struct outcome *o, struct span record); /* any record, in any order */
bool outcome_failed(const struct outcome *o);

#endif
