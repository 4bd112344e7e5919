#ifndef DOC_H
#define DOC_H

/*
 * doc: the JSON values of a list of files, whether a file is one big document, a line a value, or
 * an array of values.
 *
 * A value is read in pieces; members that nobody needs are never held, and long strings are cut.
 * What is no JSON costs its line (in a document, the rest of it), is told on standard error, and
 * makes doc_close() false.
 */
#include <stdbool.h>

#include "scan.h"

struct doc {
	struct span value; /* checked; valid until the next step */
	const char *file;  /* "<stdin>" for standard input */
	size_t number;     /* of the value in its file, from 1 */
	bool element;      /* of an array at the top of the file */
	struct doc_state *state;
};

/* drop: names of members to leave out at any depth; ends with NULL.  Both lists are borrowed. */
struct doc *doc_open(char *const files[], const char *const *drop);
bool doc_next(struct doc *d);
bool doc_close(struct doc *d); /* frees; true when nothing was complained of */

/* Logs say null for what is not there. */
bool doc_there(struct span value);
/* The member a, or b where a is not there: makers and exports of one format differ in names. */
struct span doc_either(struct span object, const char *a, const char *b);

#endif
