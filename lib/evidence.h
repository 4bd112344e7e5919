#ifndef EVIDENCE_H
#define EVIDENCE_H

/*
 * evidence: what one segment's records say about the questions that decide a diagnosis.
 *
 * Records go in as they come, in any order, and are kept: up to a MiB of a segment in memory, what
 * comes behind in a temporary file that has no name.  Answers are arrays of references ("because"
 * in trigger records), yours to free; an empty one is a no.
 */
#include <jv.h>
#include <stdbool.h>
#include <stddef.h>

#include "ndjson.h"

struct evidence;
struct evidence *evidence_new(void);
void evidence_record(struct evidence *e, const struct ndjson *in);
void evidence_free(struct evidence *e);

/* Citations. */
enum evidence_cited {
	CITED_SHOWN,
	CITED_NO_REF,  /* no record of that reference */
	CITED_NO_FILE, /* no code or source record of that file */
	CITED_NO_LINE, /* the file, but not that line */
	CITED_NONSENSE /* neither a reference nor FILE:LINE */
};
enum evidence_cited evidence_cited(const struct evidence *e, const char *cite);
/*
 * True when the quote, white space aside, stands in what was cited.  Otherwise *line is the line of
 * that file where it does stand, or 0.
 */
bool evidence_says(const struct evidence *e, const char *cite, const char *quote, long *line);

/*
 * Requests that can make a page late: unanswered when the test failed, slow while the failing
 * action ran, or failed without an answer (or with one that means "later": 408, 425, 429, 502 to
 * 504) during it or in the 5 seconds before.  Slow is 1000 ms, or half the time the failing action
 * took if that is less, but never under 250 ms.  Left out: images, fonts and the like, web sockets,
 * event streams, analytics, what a mock aborted, what belongs to an earlier chunk.
 */
jv evidence_late(const struct evidence *e);
double evidence_slow_ms(const struct evidence *e); /* that limit */
/* Those of them that were slow, or had been under way for so long: not the ones that failed. */
jv evidence_slow(const struct evidence *e);

/*
 * The action that failed and the snapshot, when both say that the element looked for was never
 * there, and the page shows no sign of loading.
 */
jv evidence_absent(const struct evidence *e);

/* The verdict and the operations that made it DIVERGENCE DETECTED. */
jv evidence_divergence(const struct evidence *e);
/* True when a text speaks of operations or URLs that were answered well, and of no other. */
bool evidence_only_healthy(const struct evidence *e, const char *text, jv cites);

/*
 * Mocks that did not match what was sent though they seem meant for it: [{ref, place, text,
 * names}], text saying what was found, names being strings by which an answer may speak of it.
 */
jv evidence_idle_mocks(const struct evidence *e);

/* The reference of the action that failed the test, or of its terminal error; NULL: neither. */
const char *evidence_failure(const struct evidence *e);

#endif
