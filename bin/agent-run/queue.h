#ifndef QUEUE_H
#define QUEUE_H

/*
 * queue: scenarios from the input to the output, in order, with so many trials under way at once.
 *
 * At most twice as many scenarios as jobs are held, and a mebibyte of what stands between them.
 */
#include "trial.h"

struct queue {
	struct run *run;
	struct item *first, *last;
	int jobs, under_way;
	size_t held;
};

/* Read everything, write everything; false when some of the input was bad.  Files as for ndjson. */
bool queue_records(struct queue *q, char *const files[]);

/* The agent's own seeds (an array, consumed) in place of an input. */
void queue_seeds(struct queue *q, jv seeds);

/* After a signal: what is under way is given up, and its processes are killed. */
void queue_abandon(struct queue *q);

#endif
