#ifndef DRAFT_H
#define DRAFT_H

/* draft: a run record in the making, and the count of what could not be mapped. */
#include <jv.h>
#include <stdbool.h>
#include <stddef.h>

struct doc;

/* What is common to all formats. */
struct out {
	const char *cohort; /* NULL: not said */
	const char *prefix; /* how the result of a failed call begins */
	jv unmapped;        /* {what: count} */
};
/* what is static text, plural: "messages of an unknown role". */
void out_unmapped(struct out *o, const char *what);
void out_warnings(struct out *o); /* a warning record for each kind, and free */

enum { STEP_PARENTS = 8 };
struct step {
	const char *name, *status; /* of the state */
	const char *tool, *call;   /* of its receipt; no tool: no receipt */
	const char *result, *error_class, *args_sha;
	const char *actor, *branch; /* NULL: not said */
	long parents[STEP_PARENTS]; /* i of steps */
	size_t parent_count;
};

struct draft {
	jv rec, states, oracles;
	long steps;
};
struct draft draft_new(void);
void draft_text(struct draft *d, const char *key, const char *value); /* NULL: not set */
void draft_number(struct draft *d, const char *key, double value);    /* NaN: not set */
long draft_step(struct draft *d, const struct step *s);               /* its i */
/* pass: 1, 0, or -1 for not known.  expected and observed are consumed; invalid: not said. */
void draft_oracle(
    struct draft *d, const char *name, const char *kind, int pass, jv expected, jv observed);
/* The last oracle failed at this step. */
void draft_at(struct draft *d, long i);
/* Write it: the outcome is that of the outcome oracles, or what was set, or unknown. */
void draft_put(struct draft *d, const struct out *o);

/* "FILE" without folders; "FILE:NUMBER" for the one of many in it.  Yours to free. */
char *draft_name(const struct doc *d, bool many);

/*
 * One format: what it leaves out, and how its values become runs.  Its state is zeros but for the
 * first member, a struct out *.
 */
struct adapter {
	const char *name;
	const char *const *drop; /* names as for doc_open() */
	size_t state;            /* bytes */
	void (*take)(void *state, const struct doc *d);
	void (*end)(void *state); /* write what is left, free what is in it; NULL: nothing is */
};
extern const struct adapter from_otel, from_messages, from_langfuse, from_inspect, from_playwright,
    from_answers;

#endif
