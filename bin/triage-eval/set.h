#ifndef SET_H
#define SET_H

/* set: labelled cases with the verdicts on them, as they come in a stream of records. */
#include <jv.h>
#include <stdbool.h>
#include <stddef.h>

#include "ndjson.h"

struct verdict {
	char *owner, *behaviour; /* NULL: there is none on this case, for a reason */
	double confidence;
};

struct labelled {
	char *name, *sha256;
	char *owner, *behaviour;
	char *folds_to; /* an owner that is right, too; NULL: none */
	bool held_out;
	double ambiguity;        /* NaN: not known */
	struct verdict *samples; /* the first counts; others say how steady it is */
	size_t count;
};

struct set {
	struct labelled *cases; /* by name, once set_end() was called */
	size_t count, size;
	jv index;   /* {name: place + 1} */
	jv prompts; /* {name: model} */
	char *mode; /* "rules" or "model"; NULL: no summary was there */
	double calls, input_tokens, output_tokens;
};

struct set *set_new(void);
void set_add(
    struct set *s, struct ndjson *in); /* the current record, when it is of a kind we know */
void set_end(struct set *s);
void set_free(struct set *s);

/* The first verdict on a case: is there one, and is it right? */
bool set_made(const struct labelled *c);
bool set_owner_right(const struct labelled *c);
bool set_behaviour_right(const struct labelled *c);
bool set_right(const struct labelled *c); /* both */
bool set_hard(const struct labelled *c);  /* the product's, and now and then: what is missed most */
/* The owner a verdict is held against: the label, or what it folds to when that was said. */
const char *set_truth(const struct labelled *c);
const struct labelled *set_find(const struct set *s, const char *name); /* NULL: none */

#endif
