#ifndef PROMPT_H
#define PROMPT_H

/* prompt: a prompt file, its front matter and its schema (prompt(5)). */
#include <jv.h>
#include <stdbool.h>

#include "schema.h"

struct prompt {
	char *name; /* "rca.v1" */
	char sha256[65];
	char *model;
	jv system;              /* the text, included files after it */
	jv schema;              /* invalid: the answer is plain text */
	struct schema *checker; /* of the schema */
	jv labels;              /* of the sections it takes; invalid: all */
	jv options;             /* effort, temperature; invalid: none */
	long max_output_tokens, max_input_chars, retries;
};

/*
 * Read the file found at path, else among the suite's own data; then the steering files, a list
 * that ends with NULL.  What is wrong with any of them ends the program with TROUBLE.
 */
struct prompt *prompt_read(const char *path, char *const steering[]);
bool prompt_takes(const struct prompt *p, const char *label);
void prompt_free(struct prompt *p);

#endif
