#ifndef HTTP_H
#define HTTP_H

/*
 * http: agents behind an address.  The agent's file says by templates what a request looks like,
 * and by JSONPath where in the answer things are.
 */
#include "agent.h"
#include "trial.h"

/* Read the adapter of an agent of kind http or openai; what is wrong was said. */
bool http_read(struct agent *a);
void http_free(struct http *h);

bool http_open(struct trial *t); /* false: it is told to reset first, or that cannot be asked */
void http_say(struct trial *t);
void http_hear(struct trial *t, struct net_reply *r);

#endif
