#ifndef JSONPATH_H
#define JSONPATH_H

/*
 * jsonpath: RFC 9535 whole: a query is parsed and its types are checked once, then asked of values.
 *
 * Queries and values can be hostile: the depth of a query is bounded, and so is the work of an
 * answer.  Where the RFC leaves the order of members open, it is that of their names.
 */
#include <jv.h>
#include <stdbool.h>
#include <stddef.h>

struct jsonpath;

/* NULL when text is no well-formed, well-typed query, with the reason in why (size bytes). */
struct jsonpath *jsonpath_new(const char *text, size_t len, char *why, size_t size);

/*
 * The nodes of root (not consumed): an array of their values; and, unless paths is NULL, of their
 * normalized paths in *paths, yours to free.  Invalid when the work was too much.
 */
jv jsonpath_find(struct jsonpath *p, jv root, jv *paths);

/* At most one node, and by its form alone? */
bool jsonpath_singular(const struct jsonpath *p);

void jsonpath_free(struct jsonpath *p);

#endif
