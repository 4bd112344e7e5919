#ifndef REPLY_H
#define REPLY_H

/* reply: what an agent said in one turn, whatever the form. */
#include <jv.h>
#include <stdbool.h>

#include "scan.h"

struct reply {
	jv text;         /* a string; invalid: none */
	jv tool_calls;   /* an array of {"name", "arguments"}; invalid: none */
	jv usage;        /* an object; invalid: none */
	jv error;        /* a string: what the agent says went wrong; invalid: nothing */
	double cost_usd; /* NaN: not said */
};

/*
 * A JSON object with text, tool_calls, usage, cost_usd, error, or plain text.  NULL, or why the
 * bytes are neither; then there is nothing to free.
 */
const char *reply_read(struct reply *r, struct span bytes);
/* The reason for an object that says nothing, which is fine where only a sign of life is wanted. */
extern const char reply_empty[];

/* Calls as various frameworks write them; invalid when value (consumed) is no list of calls. */
jv reply_calls(jv value);

void reply_free(struct reply *r);

#endif
