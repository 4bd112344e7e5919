#ifndef CLAIM_H
#define CLAIM_H

/*
 * claim: which of the well-known wrong conclusions a text draws, and what it cites.
 *
 * English prose, by whoever wrote it: an answer's members or a whole free-text report.  A phrase
 * counts when it is asserted.  It does not when its clause negates it ("this is not a timing
 * issue", "a race can be ruled out"), supposes it ("if it were slow, ..."), forbids it ("do not add
 * a wait"), or only quotes it ("must not conclude 'timing issue'").  A hedge ("may be a race") is a
 * conclusion all the same.  The wordings are in lib/claims.yaml.
 */
#include <jv.h>
#include <stdbool.h>
#include <stddef.h>

enum claim_kind {
	CLAIM_TIMING = 1,        /* timing, a race, flakiness, slowness of what is not an element */
	CLAIM_SLOW_ELEMENT = 2,  /* an element that is late */
	CLAIM_API_SUCCEEDED = 4, /* requests are said to have gone well */
	CLAIM_WAIT = 8,          /* a wait, a longer timeout or retries are proposed */
};

struct claims; /* the compiled phrases */
struct claims *claims_new(void);
void claims_free(struct claims *c);

/*
 * The asserted phrases of the wanted kinds: [{kind, phrase, sentence}], kind a number, in the order
 * of the text, one of a kind in a sentence, at most 100.  White space is made single, typographic
 * quotes plain.
 */
jv claims_find(const struct claims *c, const char *text, size_t len, int kinds);

/*
 * The first sentence that asserts a phrase of the caller's, by the same rules; yours to free, NULL:
 * none.  Letter case, articles, a plural and what parts the words do not matter.
 */
char *claims_asserted(const struct claims *c, const char *text, size_t len, const char *phrase);

/* The kinds of conclusion that a phrase is one of: 0 for what is none of them. */
int claims_kinds(const struct claims *c, const char *phrase);

/*
 * What the added lines of a unified diff (without headers or with) bring that the removed ones had
 * not: a wait, a longer timeout, retries.  The line, yours to free; NULL: nothing.
 */
char *claims_wait_added(const struct claims *c, const char *diff, size_t len);

/* The citations in a text, in order: FILE:LINE of a source file, and references ("request:12"). */
jv claims_cites(const struct claims *c, const char *text, size_t len);

/* What stands in double quotes, plain or typographic: strings. */
jv claims_quotes(const char *text, size_t len);

#endif
