#ifndef COHORT_H
#define COHORT_H

/*
 * cohort: how one set of runs went, task by task, and what has to be equal in another set for the
 * two to be compared.  It is a value, so that a frozen one can be written to a file and read again:
 *
 *   tasks    {task_id: {sha, trials: {trial: "LAST\tATTEMPTED", or "" for a success}, unknown,
 * cost}} oracles  {"kind name": true}           config {...}, as all runs give it broken   {"kind
 * name": run_id}, safety and side-effect oracles that failed effects  {task_id: {effect: true}}
 */
#include <jv.h>
#include <stdbool.h>

#include "assign.h"
#include "ndjson.h"

struct cohort {
	jv tasks, oracles, config, broken, effects;
	jv scores; /* {cell: sum of impacts} */
	size_t runs, failed, disputed;
	char sha256[65]; /* of the records' bytes */
};

/* Runs that do not agree on a member of the config or on a task's digest are complained of. */
struct cohort cohort_read(struct ndjson *in, const struct rules *rules);
void cohort_free(struct cohort *c);

#endif
