#ifndef PAGES_H
#define PAGES_H

/* pages: what there is to see, as HTML; every word of an agent's or a file's stays text. */
#include "buf.h"
#include "request.h"

struct place {
	const char *agents, *data, *base; /* folders; the address of this program */
};

/* Append the page for the request; an HTTP status, or 303 with the address to go to in *to. */
int pages_answer(const struct place *p, const struct request *r, struct buf *page, struct buf *to);

#endif
