#ifndef YAMLX_H
#define YAMLX_H

/*
 * yamlx: one YAML document as a JSON value (YAML 1.2 core schema, by libyaml).
 *
 * Plain scalars are null, true, false, numbers or strings as the core schema says ("no" and "on"
 * are strings); quoted ones are strings.  Refused: more than one document, a key twice, a key that
 * is no scalar, aliases (a billion laughs fit in a page), tags other than the core ones, depth
 * over 64.
 */
#include <jv.h>
#include <stddef.h>

#include "buf.h"

struct yamlx_error {
	size_t line; /* 1-based */
	char why[160];
};

jv yamlx_parse(const char *text, size_t len, struct yamlx_error *error); /* invalid on error */

/* A file of at most 16 MiB; what is wrong is reported by warnx as "file: line N: why". */
jv yamlx_file(const char *path);

/* The front matter of text between two lines "---"; *body is what follows.  Invalid: none, or bad.
 */
jv yamlx_front(const char *text, size_t len, size_t *body, struct yamlx_error *error);

/*
 * Append value as a block that people like to edit: members in the order of first (names, ends with
 * NULL; may be NULL), then the others sorted; short lists of scalars in a line.  What is read of it
 * is the value, as long as it is nested less than yamlx_parse() takes.
 */
void yamlx_write(jv value, const char *const first[], struct buf *b);

#endif
