#ifndef NAMES_H
#define NAMES_H

/*
 * names: does a name promise a secret?
 *
 * A name is whatever stands before a value: a JSON key, a header, a form field, a label.  It is
 * split into words (camelCase, snake_case, kebab-case, dots, blanks; any script), and the last word
 * decides: "accessToken" is one, "tokenCount" is none.  Answers are kinds as they stand in tags
 * ("PASSWORD"), static text, or NULL.
 */
#include <stdbool.h>
#include <stddef.h>

const char *names_kind(const char *name, size_t len);

/* A header's name, any case: also what only headers use ("private-token", "x-functions-key"). */
const char *names_header(const char *name, size_t len);

/* A parameter of a URL or a form: also what only these use ("sig", "SAMLResponse"). */
const char *names_parameter(const char *name, size_t len);

/* Not NULL when the words before this one may make it a secret's name: "key", "code". */
const char *names_open(const char *name, size_t len);

/* A selector or a sentence that names such a field somewhere: 'internal:label="Password"i'. */
const char *names_within(const char *text, size_t len);

/* Kinds whose values are short digits ("PIN"), and so are judged as such. */
bool names_short(const char *kind);

#endif
