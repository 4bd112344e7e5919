#ifndef LINES_H
#define LINES_H

/*
 * lines: the lines of a list of files, one in memory at a time, however long.
 *
 * An unreadable file is reported on standard error, costs that file, and makes lines_close() false.
 */
#include <stdbool.h>
#include <stddef.h>

struct lines {
	char *line; /* without its line end; valid until the next step; may hold NUL */
	size_t len;
	size_t number;    /* 1-based, in this file */
	const char *file; /* "<stdin>" for standard input */
	bool ended;       /* the line had its '\n' */
	struct lines_state *state;
};

/* The list ends with NULL and is borrowed until close; an empty list, or "-", is standard input. */
struct lines *lines_open(char *const files[]);
bool lines_next(struct lines *in);   /* none any more, once prog_stopped */
void lines_refuse(struct lines *in); /* leave the rest of this file, which counts as unreadable */
bool lines_close(struct lines *in);  /* frees; true when every file was read to its end */

#endif
