#ifndef PAST_H
#define PAST_H

/* past: the entries of a test's history up to the run that is analysed, and what follows from them.
 */
#include <jv.h>
#include <stdbool.h>
#include <stddef.h>

#include "scan.h"

struct entry {
	char *run_id, *at, *commit, *sig;
	char letter;    /* P F X S - */
	bool good, bad; /* some attempt passed, some failed */
	size_t came;
};

struct past {
	struct entry *entry; /* once closed: oldest first; the last is the run itself */
	size_t count;
	char *first_seen_at;
	size_t runs_total;
	bool known; /* there was a history record */
};

enum { PAST_WINDOW = 50 };

void past_free(struct past *p);
/* Add the entries of a history record; what is there already stays. */
void past_add(struct past *p, struct span record);
/* The run itself, last: what began after it is left out, and what says it was this run. */
void past_close(struct past *p, const struct entry *now);

/* A past that is only its letters, as in a record of somebody else's making; closed as it is. */
void past_letters(struct past *p, const char *letters);

enum evidence { EVIDENCE_NONE, EVIDENCE_COMMIT, EVIDENCE_RETRY };

struct judged {
	enum evidence now, before;
	const char *state;
	const char *first_flaky, *last_flaky, *last_pass; /* times, borrowed */
	size_t clean; /* countable runs before the run, in the window */
	bool newly;
	char runs[PAST_WINDOW + 1];
};
void past_judge(const struct past *p, struct judged *j);

/* Since when the window knows this signature; NULL when it is new. */
const char *past_sig_since(const struct past *p, const char *sig);

jv past_history(const struct past *p, const struct judged *j);
jv past_flake(const struct judged *j);

#endif
