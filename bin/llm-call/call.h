#ifndef CALL_H
#define CALL_H

/*
 * call: one question about one segment, from the cassette or the model to the records that answer
 * it.
 *
 * A call may need several exchanges: tries, when a server stumbles, and attempts, when the answer
 * does not fit the schema or a check (-V) asks for another one.  It never waits: what it starts is
 * in run->net with the call as tag, and call_event() takes the outcome.
 */
#include "run.h"

struct call;

struct call *call_new(struct run *run, struct segment *s, int epoch);
void call_event(struct call *c, struct net_reply *r); /* r is not freed */
bool call_over(const struct call *c);
struct segment *call_segment(const struct call *c);
const struct buf *call_records(const struct call *c); /* what it says, once it is over */
void call_free(struct call *c);

#endif
