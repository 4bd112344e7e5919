#ifndef PLACE_H
#define PLACE_H

/*
 * place: FILE and FILE:LINE as traces, repositories and answers write them.
 *
 * A trace names files as the recording machine did, a repository as its root sees them; either
 * may use '\' for '/'.
 */
#include <stdbool.h>
#include <stddef.h>

/* True when the names agree by whole path segments from the end, as far as the shorter goes. */
bool place_same_file(const char *a, const char *b);

/*
 * The file part of "FILE:LINE", "FILE:LINE:COLUMN" or "FILE:LINE-LINE": its length, and the lines
 * (1-based; both the same unless a range).  0 when text is no place.
 */
size_t place_read(const char *text, size_t len, long *from, long *to);

#endif
