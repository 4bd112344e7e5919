#ifndef EXCHANGE_H
#define EXCHANGE_H

/*
 * exchange: c->body goes out, over HTTP or to a program, within the budget, and again where a try
 * can help; what comes back is recorded and handed to call_understand().
 */
#include "call.h"

void exchange_send(struct call *c);
void exchange_event(struct call *c, struct net_reply *r);

/* What it used is known now; of NaN tokens nobody knows what they were. */
void exchange_settle(struct call *c, double tokens, double dollars);

double exchange_cost(const struct call *c, jv usage); /* in dollars; NaN: unknown */
jv exchange_amount(double input, double output);      /* a usage */

#endif
