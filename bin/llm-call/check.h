#ifndef CHECK_H
#define CHECK_H

/* check: an answer that fits the schema is put to the programs of -V, one after the other. */
#include "call.h"

void check_begin(struct call *c);
void check_event(struct call *c, const struct net_reply *r);

#endif
