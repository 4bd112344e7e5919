#ifndef SEGMENT_H
#define SEGMENT_H

/* segment: what is known of one trace, from its opener to the next one's. */
#include <jv.h>
#include <stdbool.h>

#include "md.h"
#include "ndjson.h"
#include "outcome.h"

struct segment {
	jv evidence;    /* object: type to an array of its records, long texts cut */
	jv refs;        /* object: ref to its record */
	jv bodies;      /* object: id of a request to an array of its bodies */
	jv results;     /* array: answers, each followed by what was found wrong with it */
	jv trace, test; /* invalid when there is none */
	struct outcome outcome;
};

struct segment *segment_new(void);
void segment_add(struct segment *s, struct ndjson *in); /* the record at hand */
bool segment_any(const struct segment *s);
void segment_free(struct segment *s);

/* One word for what happened: the test's status, "unread" when nothing could be read of it. */
const char *segment_status(const struct segment *s);
bool segment_failed(const struct segment *s);
const char *segment_title(const struct segment *s); /* never NULL */

/* "FILE:LINE" of the action or error that ended the test; false when the trace does not say. */
bool segment_place(const struct segment *s, struct buf *b);

jv segment_all(const struct segment *s, const char *type);  /* an array of records, yours */
jv segment_cited(const struct segment *s, const char *ref); /* yours; invalid: no such ref */

jv segment_bodies(const struct segment *s, jv request); /* an array of records, yours */

/* The title of the test and what happened to it ... */
void report_head(const struct segment *s, struct md *m);
/* ... and below it the evidence, for a person. */
void report_evidence(const struct segment *s, struct md *m);

/* Head and answer, or head, reason and evidence; a line where the test did not fail. */
void report_answers(const struct segment *s, struct md *m);

#endif
