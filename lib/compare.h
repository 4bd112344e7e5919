#ifndef COMPARE_H
#define COMPARE_H

/*
 * compare: what two cohorts of the same tasks say of a repair.
 *
 * Tasks are objects {task_id: {trials: {trial: "LAST\tATTEMPTED", "" for a success, "?" for an
 * unknown outcome}}}.
 */
#include <jv.h>

#include "stats.h"

/* Tasks with fewer failures after (fixed) and with more (broken), of one cell or of all of them. */
struct change {
	size_t fixed, broken, tasks;
	double p;           /* two-sided exact: McNemar with one trial, sign test with more */
	double effect;      /* drop of the failure rate, before - after */
	struct interval ci; /* of the effect: Agresti-Min, or a bootstrap over tasks */
};

/* cell: "LAST\tATTEMPTED", or NULL for any failure.  before and after are objects of tasks. */
struct change compare(jv before, jv after, const char *cell, uint64_t seed);

/* The largest |fixed - broken| between two trials of one cohort; -1: fewer than two trials a task.
 */
long compare_band(jv tasks);

/* A record for `because` and for people: {"fixed":..., "broken":..., "p":...}. */
jv compare_record(const struct change *c);

#endif
