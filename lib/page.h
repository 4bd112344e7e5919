#ifndef PAGE_H
#define PAGE_H

/*
 * page: an HTML page that needs nothing else: no script, no font, no picture from elsewhere, and a
 * policy that forbids them.  Dark where the reader's machine is, and legible on a telephone.
 */
#include "buf.h"

/* The style of all pages: "table", ".n" for numbers, ".wide" around tables, ".pass", ".fail". */
extern const char page_style[];

/* Append all up to the first thing in the body; title is our own words. */
void page_begin(struct buf *b, const char *title);
void page_end(struct buf *b);

#endif
