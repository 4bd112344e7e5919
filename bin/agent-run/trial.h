#ifndef TRIAL_H
#define TRIAL_H

/* trial: one conversation with the agent, from the first turn to the last or to what ends it. */
#include <jv.h>
#include <signal.h>
#include <stdbool.h>

#include "agent.h"
#include "buf.h"
#include "net.h"
#include "reply.h"

struct run {
	const struct agent *agent;
	struct net *net;
	long long seed;
	int trials;
	struct child **idle; /* processes of a "life: run" agent that wait for a trial */
	size_t idle_count;
	bool errors; /* some trial ended with one */
};

struct trial {
	struct run *run;
	jv scenario;
	int number, turn; /* from 1 */
	long long seed;
	char session[17];
	jv messages, turns; /* what was said so far; what goes into the record */
	double deadline_ms, asked_ms;
	struct child *child; /* of agents that are programs */
	jv carried;          /* of agents behind an address: what requests repeat */
	enum { TRIAL_RESETTING, TRIAL_TALKING, TRIAL_OVER } state;
	const char *reason; /* static text; NULL: it went well */
	jv error, noise;    /* strings; noise is what the process wrote to standard error */
	double cost_usd;    /* NaN as soon as one turn did not say */
	void *owner;        /* of the queue */
};

struct trial *trial_new(struct run *run, jv scenario, int number);
void trial_begin(struct trial *t);
void trial_event(struct trial *t, struct net_reply *r);
jv trial_record(const struct trial *t);
void trial_free(struct trial *t);

/* For those who reach the agent: a text that ends the trial, or a turn that was answered. */
void trial_fail(struct trial *t, const char *reason, const char *why);
void trial_next(struct trial *t); /* say the next turn */
void trial_late(struct trial *t); /* no answer in time */
void trial_answered(struct trial *t, struct reply *r);
jv trial_values(const struct trial *t); /* session, seed, turn, text, messages */
long trial_patience_ms(const struct trial *t);

#endif
