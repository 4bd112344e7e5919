#ifndef SPANS_H
#define SPANS_H

/*
 * spans: the spans of many traces, in any order, as one run a trace.
 *
 * The innermost spans are the states, in the order of their start; a span around others is one only
 * where it failed and nothing inside it did.  Spans that overlap in time are branches, and what
 * starts after all of them joins them.  Memory is that of the spans' names.
 */
#include <stdbool.h>
#include <stdint.h>

#include "draft.h"

/* PLAIN: known, but no act of an agent: it only holds the tree together. */
enum role { STATE, TOOL, SAFETY_ORACLE, OUTCOME_ORACLE, PLAIN };

struct node {
	char *trace, *id, *parent, *name, *call, *actor, *error_class, *task; /* NULL: not said */
	uint64_t start, end; /* ns; end 0: it never ended */
	enum role role;
	bool failed;
	int pass; /* of an oracle: 1, 0, -1 */
};

/* The state of an adapter; zeros but for out. */
struct spans {
	struct out *out;
	struct node *nodes;
	size_t count, size;
};
void spans_add(struct spans *s, struct node n); /* takes its texts */
void spans_put(void *spans);                    /* all runs, by trace id; frees what is in it */

/* RFC 3339 to ns since 1970; 0 when it is none. */
uint64_t spans_time(const char *text);

#endif
