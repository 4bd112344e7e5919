#ifndef METHOD_H
#define METHOD_H

/*
 * method: does an answer keep to the method?  Five dead ends, citations, seven phases.
 *
 * The answer is what a model gave for prompts/rca.v1 (the object records(5) calls output), or a
 * free-text report of whatever origin; both become the same parts first.  What comes back are
 * records without "ref", arrays of them, yours to free; those that are not ok have a message of
 * at most 500 characters, fit to be told to a model.
 */
#include <jv.h>
#include <stdbool.h>
#include <stddef.h>

#include "claim.h"
#include "evidence.h"

struct parts;
struct method {
	const struct claims *claims;
	const struct evidence *evidence;
	jv output; /* an object; else invalid, and text is judged */
	struct span text;
	struct parts *parts; /* for method.c */
};

/* The answer is a record of that type; nothing is consumed, and all must stay until the free. */
struct method method_read(const struct claims *claims, const struct evidence *evidence, jv answer);
void method_free(struct method *m);

/* trigger records: {id, message, because, where, phrase}; at most one of each id. */
jv method_triggers(const struct method *m);

/* citation records: {cite, ok, where, message}, one for each place or reference cited, one for each
 * quote that does not stand there, one for each claim without any (then without cite). */
jv method_citations(const struct method *m);

/* phase records: {n, name, ok, message}, seven of them, in order. */
jv method_phases(const struct method *m);

/*
 * What it concludes and proposes, without what it rules out or only gathers, until one is NULL;
 * yours to free, though not what it points to.  Of a report in free text a diff is any part of it.
 */
struct said {
	enum { SAID_CONCLUSION, SAID_FIX, SAID_DIFF } role;
	const char *where; /* "root_cause.because", "claims[2]", "text"; NULL: the end */
	struct span text;  /* NUL-terminated */
};
struct said *method_says(const struct method *m);

/* True for an answer that says it cannot tell; that is a good answer. */
bool method_undetermined(const struct method *m);

#endif
