#ifndef MARKERS_H
#define MARKERS_H

/* markers: text that is data stands between two lines that it cannot forge, as in untrust-wrap. */
#include <stdbool.h>
#include <stddef.h>

#include "buf.h"

/* Append text between markers, each line behind a bar; the id is from a digest of both. */
void markers_add(struct buf *b, const char *label, const char *text, size_t len);

/* Does text begin with a marker and end with the one that belongs to it? */
bool markers_found(const char *text, size_t len);

#endif
