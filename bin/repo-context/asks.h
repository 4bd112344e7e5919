#ifndef ASKS_H
#define ASKS_H

/*
 * asks: what a segment of evidence asks to see of the checkout: places that it names by file and
 * line, and words that stand for something in the code (a test id, an operation, a path, a flag).
 */
#include <stdbool.h>
#include <stddef.h>

#include "buf.h"
#include "ndjson.h"

enum { WORDS_MAX = 48 };

/* The more it tells of the failure the further up. */
enum place_rank {
	PLACE_ERROR,
	PLACE_TEST,
	PLACE_MOCK,
	PLACE_PAGE_ERROR,
	PLACE_FAILED,
	PLACE_CONSOLE
};

struct place {
	enum place_rank rank;
	char *file; /* as recorded */
	long line;
	char *why;
};

struct word {
	int weight; /* 0 to 100 */
	char *text;
	char *why;
};

/* A piece of source that the trace carries, to compare the checkout with. */
struct carried {
	char *file, *text;
	long first;
};

struct asks {
	struct place *places;
	size_t place_count;
	struct word *words;
	size_t word_count;
	struct carried *carried;
	size_t carried_count;
	bool passed;   /* there is nothing to explain */
	long last_ref; /* of code records that are there already */
	/* private: ids of requests that a mock just missed, and of those that tell flags */
	char **near, **flags;
	size_t near_count, flags_count;
};

void asks_take(struct asks *a, struct ndjson *in); /* the current record */
void asks_clear(struct asks *a);

#endif
