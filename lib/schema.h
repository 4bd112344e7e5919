#ifndef SCHEMA_H
#define SCHEMA_H

/*
 * schema: JSON Schema, drafts 2020-12 and 7, on libjq values.
 *
 * A schema is compiled once and checks any number of instances.  Errors come as an array of
 * {"instance": JSON Pointer, "schema": JSON Pointer, "keyword": ..., "message": ...}, the deepest
 * cause first where there is a choice.  "format" is an annotation unless asked to assert.
 */
#include <jv.h>
#include <stdbool.h>
#include <stddef.h>

enum schema_draft { SCHEMA_2020_12, SCHEMA_7 };

struct schema;

/* Remote schemas: FOLDER stands for all URIs that begin with uri.  No network is ever used. */
struct schema_folder {
	const char *uri, *folder;
};

struct schema_options {
	enum schema_draft draft;             /* where "$schema" does not say */
	bool formats;                        /* assert "format" */
	const struct schema_folder *folders; /* count of them; may be NULL with 0 */
	size_t count;
};

/* NULL when schema (consumed) is none, with the reason in why (size bytes). */
struct schema *schema_new(jv schema, const struct schema_options *options, char *why, size_t size);

/* instance is consumed; at most most errors, [] when it is valid. */
jv schema_check(struct schema *s, jv instance, size_t most);

void schema_free(struct schema *s);

#endif
