#ifndef FRAME_H
#define FRAME_H

/* frame: text that is data stands between two lines with an id that the text cannot hold. */
#include <stdbool.h>
#include <stddef.h>

#include "buf.h"

/* Append text between markers; the id is taken from a digest of label and text. */
void frame_add(struct buf *b, const char *label, const char *text, size_t len);

/* Is text between markers already, as untrust-wrap makes them? */
bool frame_found(const char *text, size_t len);

#endif
