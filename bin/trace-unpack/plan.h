#ifndef PLAN_H
#define PLAN_H

/*
 * plan: which members are which trace, and in what order they are told.
 *
 * A trace is what one folder of an operand holds: NAME.trace members with their NAME.network and
 * NAME.stacks, and all else below.  Where a live recording keeps several tests in one folder
 * (TESTID[-retryN][-recordingN][-chunkN].trace, TESTID-test.trace), each test is one.
 */
#include "source.h"

struct root {
	char *path;               /* "" or "folder/" */
	size_t *rest, rest_count; /* members that are no lines, in the source's order */
};

struct trace {
	char *name; /* within the operand; "" when it is the only one */
	const struct root *root;
	/* The runner's trace, then context by context stacks, trace, network. */
	size_t *lines, line_count;
};

struct plan {
	struct trace *traces;
	size_t count;
	struct root *roots;
	size_t root_count;
	size_t *loose, loose_count; /* members below no root */
};

struct plan *plan_make(const struct source *s);
void plan_free(struct plan *p);

bool name_ends(const char *name, const char *tail);

#endif
