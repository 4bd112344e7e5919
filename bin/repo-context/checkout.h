#ifndef CHECKOUT_H
#define CHECKOUT_H

/*
 * checkout: the files of a repository, by the names that its evidence knows them under.
 *
 * Only what git tracks, or, without git, what stands in the folder.  Nothing outside of it is ever
 * opened: no link is followed, neither for a file nor on the way to it.
 */
#include <stdbool.h>
#include <stddef.h>

#include "buf.h"

struct checkout;

/* The folder path; its files are listed at once.  What is wrong ends the program. */
struct checkout *checkout_open(const char *path);
void checkout_close(struct checkout *c);

size_t checkout_count(const struct checkout *c);
const char *checkout_name(const struct checkout *c, size_t file); /* in order of their bytes */

/*
 * The file that is meant by a name of the machine that recorded: a path, with '/' or '\', or a URL.
 * The one that agrees in most segments from the end; -1 when there is none or no single one.
 */
long checkout_find(const struct checkout *c, const char *recorded);

/* All of a text file of at most 1 MiB into b; false when it is none or cannot be read. */
bool checkout_read(const struct checkout *c, size_t file, struct buf *b);

#endif
