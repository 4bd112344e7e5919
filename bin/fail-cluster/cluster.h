#ifndef CLUSTER_H
#define CLUSTER_H

/*
 * cluster: failures that are the same failure, by arithmetic.
 *
 * Two judgements are of one cluster when the tags of their scenarios, the kinds of the assertions
 * that broke, and the reasons in normal form are the same (signature_reason()).  The id is 64 bits
 * of the SHA-256 of these in RFC 8785 form, so it is the same on every machine.
 */
#include <jv.h>
#include <stdbool.h>
#include <stdio.h>

struct clusters;

/* Transcripts are kept only for questions. */
struct clusters *clusters_new(bool keep_transcripts);
void clusters_free(struct clusters *c);

/* Records are not consumed. */
void clusters_known(
    struct clusters *c, jv record); /* a cluster of earlier, or the answer of a model */
void clusters_scenario(struct clusters *c, jv scenario);
void clusters_transcript(struct clusters *c, jv transcript);
void clusters_judgement(struct clusters *c, jv judgement);

/* Write the clusters that were seen, the gravest first, and forget them. */
void clusters_put(struct clusters *c, FILE *out);

/* The same as questions: for each that has no title yet, a segment of sections. */
void clusters_ask(struct clusters *c, FILE *out);

#endif
