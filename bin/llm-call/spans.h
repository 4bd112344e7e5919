#ifndef SPANS_H
#define SPANS_H

/*
 * spans: one OpenTelemetry span a call, as the GenAI conventions name things.
 *
 * To a file a line of OTLP/JSON each, and to a collector by HTTP in batches.  No content of prompts
 * or answers is in a span.
 */
#include <jv.h>
#include <stdio.h>

#include "net.h"

struct spans;

/* All may be NULL; headers is "name=value,..." for the collector; parent is who called, in the form
 * of W3C's traceparent; a file that cannot be opened ends the program with TROUBLE. */
struct spans *spans_open(
    const char *file, const char *endpoint, const char *headers, const char *parent);

/*
 * attributes (consumed) is a flat object; times are milliseconds since 1970; error NULL: none.
 */
void spans_add(struct spans *s, struct net *net, const char *name, jv attributes, double start_ms,
    double end_ms, const char *error);
void spans_event(struct spans *s, const struct net_reply *r); /* what s sent has s as tag */

/* Send what is left; a collector that does not answer is worth a line on standard error. */
void spans_close(struct spans *s, struct net *net);

#endif
