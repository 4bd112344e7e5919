#ifndef MARKUP_H
#define MARKUP_H

/* markup: strangers' text in XML and HTML, where it stays text. */
#include <stddef.h>

#include "buf.h"

/* Append text with hidden and control characters made visible, line ends as blanks. */
void markup_visible(struct buf *b, const char *text, size_t len);
/* The same for XML and HTML, in text and in attributes. */
void markup_add(struct buf *b, const char *text, size_t len);
void markup_text(struct buf *b, const char *text); /* markup_add() to its NUL */

#endif
