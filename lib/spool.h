#ifndef SPOOL_H
#define SPOOL_H

/*
 * spool: what has no end to seek to, in a file without a name.  A zip's directory is at its end,
 * and a report is read twice, so one from a pipe or from inside a zip has to be somewhere first.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

const char *spool_folder(void); /* TMPDIR, or /tmp */

/* A new file, gone when closed.  What is wrong with it ends the program, here and below. */
int spool_new(void);
void spool_add(int spool, const char *bytes, size_t len);

/*
 * The same as a stream, to be written, and poured out where it turns out to be wanted: what stands
 * between two offsets, after which writing goes on at its end.
 */
FILE *spool_stream(void);
long long spool_at(FILE *spool); /* the offset; what was written before it is well */
void spool_pour(FILE *spool, long long from, long long to, FILE *out);
void spool_empty(FILE *spool);

/* All that fd gives, or a little more than most bytes of it; -1 with errno when it cannot be read.
 */
int spool_input(int fd, uint64_t most);

#endif
