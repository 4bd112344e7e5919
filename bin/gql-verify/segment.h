#ifndef SEGMENT_H
#define SEGMENT_H

/*
 * segment: the requests of one trace that may be GraphQL, and what is known of their bodies.
 *
 * A request comes before its bodies; the rest in any order.  Requests that cannot be GraphQL are
 * not kept; bodies are read as they come and only what they said is kept, so memory grows with
 * requests and errors, not with bytes.
 */
#include <jv.h>
#include <stdbool.h>
#include <stddef.h>

#include "ndjson.h"

struct segment;

enum verdict { VERDICT_NONE, HEALTHY, DIVERGENCE, UNKNOWN };

struct segment *segment_new(void);
void segment_record(struct segment *s, struct ndjson *in); /* any record but a trace */
/*
 * The records to append, yours to free: graphql ones, then the verdict; [] where there was no
 * GraphQL.
 */
jv segment_finish(struct segment *s, enum verdict *verdict);
void segment_free(struct segment *s);

#endif
