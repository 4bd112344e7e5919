#ifndef GIT_H
#define GIT_H

/*
 * git: what a repository holds, asked of git as a child: no shell, nothing of the repository's or
 * the user's configuration that could run a program, no network, and nothing written.
 */
#include <stdbool.h>

#include "buf.h"

/*
 * Append what `git -C folder args...` prints, a little more than most bytes at the most; args ends
 * with NULL.  False when git said no.
 */
bool git_ask(const char *folder, char *const args[], struct buf *out, size_t most);

/*
 * One git that hands out what HEAD holds, file by file, for as long as it is open: started before
 * the program confines itself, which from then on can start none.
 */
struct git_files;
struct git_files *git_files_open(const char *folder);
/* Append the file at path; false when there is none, or it has more than most bytes. */
bool git_files_read(struct git_files *g, const char *path, struct buf *out, size_t most);
void git_files_close(struct git_files *g);

/* Not an option, and no more than a revision can be. */
bool git_revision(const char *text);

#endif
