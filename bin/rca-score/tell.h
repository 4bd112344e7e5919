#ifndef TELL_H
#define TELL_H

/* tell: score records as lines for people, and their summary. */
#include <jv.h>
#include <stdio.h>

struct tell {
	size_t cases, scores, passed, review, failed, errors;
	double total, max;
	double took_ms;
	size_t timed;           /* scores that know how long the answer took */
	size_t asked, replayed; /* answers that were asked for now, and those that were not */
	size_t counted, priced; /* of those asked: their tokens, and what they cost, are known */
	double tokens, cost_usd;
	char *last; /* the case of the score before */
};

void tell_score(struct tell *t, jv score, FILE *out);
void tell_summary(struct tell *t, FILE *out); /* frees */

#endif
