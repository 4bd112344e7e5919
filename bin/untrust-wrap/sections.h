#ifndef SECTIONS_H
#define SECTIONS_H

/*
 * sections: what a model is shown of one segment, in nine frames that share one cap.
 *
 * Items come in any number and size; what is held is bounded (HOLD bytes a section), and what had
 * to go is counted.  At the end each section gets its share of the cap; what one does not need goes
 * to the others; inside a section the items of the lowest rank go last.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "show.h"

enum section { FAILURE, PAGE, MOCKS, GRAPHQL, NETWORK, CONSOLE, TIMELINE, CODE, NOTES, SECTIONS };

/* Rank 0 is what a reader needs first; higher ones go before it; UNWANTED is never shown. */
enum { RANKS = 5, UNWANTED = RANKS };

/* What is known of an item.  The texts may be NULL, and are freed with the item. */
struct note {
	int rank;
	double t;               /* ms, NAN: unknown */
	double order;           /* items are told by this, and as they came where it is the same */
	char *id;               /* of a request */
	char *ref;              /* of a request */
	char *of;               /* id or ref of the request that a body belongs to */
	unsigned serial, again; /* told apart by serial; said so many times more */
};

struct sections;

struct sections *sections_new(enum show_form form, size_t cap);
/* An item: whole lines of text, untrusted.  At most most code points of it are kept. */
void sections_add(struct sections *s, enum section where, struct note note, const char *text,
    size_t len, size_t most);
struct note *sections_note(struct sections *s, enum section where, size_t i); /* NULL: no item i */
bool sections_any(const struct sections *s);
void sections_write(struct sections *s, FILE *out); /* the section records; empty again */
void sections_clear(struct sections *s);
void sections_free(struct sections *s);

#endif
