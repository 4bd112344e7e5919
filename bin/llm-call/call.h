#ifndef CALL_H
#define CALL_H

/*
 * call: one question about one segment, from the cassette or the model to the records that answer
 * it.
 *
 * A call may need several exchanges: tries, when a server stumbles, and attempts, when the answer
 * does not fit the schema or a check (-V) asks for another one.  It never waits: what it starts is
 * in run->net with the call as tag, and call_event() takes the outcome.
 */
#include <sys/types.h>

#include "run.h"

enum call_state { CALL_SENDING, CALL_WAITING, CALL_CHECKING, CALL_OVER };

/* Where an answer came from, in the words of the answer record. */
struct origin {
	const char *cassette, *provenance;
	jv date;  /* of the recording */
	jv model; /* who was asked */
};

/* The members belong to call.c, exchange.c, check.c and tell.c; others use the calls below. */
struct call {
	struct run *run;
	struct segment *segment;
	int epoch;
	enum call_state state;

	/* The conversation, and the exchange at hand. */
	jv messages, request, body; /* body: what is sent */
	char key[65];
	int attempts, tries, dialects;
	int status; /* of HTTP, of the last try; 0: none came */
	long reservation;
	double bound; /* tokens that this exchange may need */

	/* What was answered. */
	struct origin origin;
	struct provider_answer answer;
	jv output;
	int violations;

	/* The checks of -V. */
	FILE *check_input; /* the evidence, and then the answer */
	off_t evidence_bytes;
	int check;
	bool ask_again;
	jv complaints;
	struct buf verdicts; /* records, of the last attempt */
	struct buf kept;     /* the answer that holds but for them */

	/* For the span. */
	jv usage;
	bool estimated;
	double start_ms, took_ms, cost;
	struct buf records;
};

struct call *call_new(struct run *run, struct segment *s, int epoch);
void call_event(struct call *c, struct net_reply *r); /* r is not freed */
void call_free(struct call *c);

/* Among the files that a call is made of. */
void call_say(const struct call *c, const char *what);     /* on standard error, with the segment */
void call_name_request(struct call *c, const char *model); /* the request and its key */
void call_understand(struct call *c, enum provider_kind kind, const char *body, size_t len);
void call_correct(struct call *c); /* ask again, with c->complaints */
void call_finish(struct call *c);
void call_replace(jv *place, jv value);

/* The reason is one of the words that records(5) has for an unclassified record. */
void call_give_up(struct call *c, const char *reason, const char *message);

#endif
