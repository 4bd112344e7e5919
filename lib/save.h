#ifndef SAVE_H
#define SAVE_H

/* save: a file that readers see as the old one or as the new one, whatever happens meanwhile. */
#include <stdbool.h>

#include "buf.h"

/*
 * Write beside path, to the disk, and rename.  False with errno, and path is as it was.  Two
 * processes may save the same path; the threads of one may not.
 */
bool save_file(const char *path, const struct buf *text);

#endif
