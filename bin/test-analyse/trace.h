#ifndef TRACE_H
#define TRACE_H

/*
 * trace: the traces at hand, whose each is, and what they show in a word.
 *
 * A trace is read once, as trace-events wrote it, and what is kept of it is small.  Every attempt
 * that failed is offered; a trace belongs to the attempt that it fits best: by the path that the
 * report has of it, else by title and file; and never to one that it contradicts: another title,
 * another retry, a project that bears the name of another browser, or a start that is not within
 * the attempt.
 */
#include <jv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct traces;

/* False in *good when something in the file was no record, or could not be read; that was said. */
struct traces *traces_read(const char *file, bool *good);
void traces_free(struct traces *t);

/* An attempt, as far as it is known: NULL, and -1 for numbers, is unknown.  Borrowed. */
struct traceable {
	const char *test_id, *project, *file, *title; /* title: its parts joined by " › " */
	const char *path, *started_at;
	double duration_ms;
	int retry;
};

/* Offer an attempt; of those that a trace fits equally the first offered has it. */
void traces_offer(struct traces *t, const struct traceable *attempt, const void *who);

/*
 * What is told of the trace of an attempt that was offered: {"name":..., "by":"path"|"title",
 * "facts":{NAME:[refs]}}; invalid when it has none.
 */
jv traces_of(const struct traces *t, const void *who);

size_t traces_count(const struct traces *t);
/* A warning for each trace that fits two tests equally, and so is nobody's. */
void traces_warn(const struct traces *t, FILE *out);

#endif
