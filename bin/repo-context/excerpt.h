#ifndef EXCERPT_H
#define EXCERPT_H

/*
 * excerpt: the lines of a checkout that answer what was asked, the most telling first, few enough
 * to be read.
 */
#include "asks.h"
#include "checkout.h"

enum { EXCERPTS_MAX = 24, LINES_MAX = 400 };

struct excerpt {
	long file, first, last, line; /* lines are 1-based */
	struct buf why;
};

struct excerpts {
	struct excerpt list[EXCERPTS_MAX];
	size_t count;
	long lines; /* of all of them */
};

/* Zero-initialised is empty. */
void excerpts_find(struct excerpts *e, const struct asks *a, const struct checkout *c);
void excerpts_free(struct excerpts *e);

/* Lines first to last of text, long ones cut; appended to b. */
void excerpt_text(struct buf *b, const struct buf *text, long first, long last);
long count_lines(const struct buf *text);

#endif
