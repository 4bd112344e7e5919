#ifndef DOCUMENT_H
#define DOCUMENT_H

/*
 * document: what a GraphQL document asks for (October 2021 specification, section 2), found by a
 * lexer.  No grammar is enforced beyond what is needed to tell a document from other text:
 * operations at the top level, brackets that match, and only characters that GraphQL knows.
 */
#include <stdbool.h>
#include <stddef.h>

#include "scan.h"

enum { DOC_OPERATIONS = 32, DOC_FIELDS = 4 };

struct doc_operation {
	const char *kind;              /* "query", "mutation", "subscription" */
	struct span name;              /* absent: anonymous */
	struct span field[DOC_FIELDS]; /* the first root fields, by their response names */
	size_t fields;
};

struct doc {
	struct doc_operation op[DOC_OPERATIONS];
	size_t count;
};

/*
 * True when text is a whole executable document; its spans point into text.  What was found before
 * a fault is in d all the same.
 */
bool doc_read(const char *text, size_t len, struct doc *d);

/* The operation that runs: the one of that name, or the only one.  NULL: none, or no telling. */
const struct doc_operation *doc_pick(const struct doc *d, const char *name, size_t len);

#endif
