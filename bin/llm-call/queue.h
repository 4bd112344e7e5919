#ifndef QUEUE_H
#define QUEUE_H

/*
 * queue: segments from the input to the output, in order, with so many calls under way at once.
 *
 * At most twice as many segments as jobs are held, and only the texts of their sections in memory.
 */
#include "call.h"

struct queue {
	struct run *run;
	struct segment *first, **last;
	size_t count, held;        /* read so far; in memory */
	int jobs, under_way, over; /* calls */
	bool progress;
};

void queue_init(struct queue *q, struct run *run, int jobs);

/* Read everything, write everything; false when some of the input was bad.  Files as for ndjson. */
bool queue_records(struct queue *q, char *const files[]);
bool queue_text(struct queue *q, char *const files[]); /* -i: the whole input is one text */

#endif
