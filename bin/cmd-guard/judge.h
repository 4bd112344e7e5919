#ifndef JUDGE_H
#define JUDGE_H

/* judge: may these words be run, and as what? */
#include <jv.h>
#include <stdbool.h>

#include "roots.h"
#include "table.h"
#include "words.h"

struct verdict {
	bool allowed;
	const char *why;   /* static text */
	size_t word, byte; /* where it failed: the word, and the byte in it */
	struct words argv; /* what to run, when allowed */
	char *new_folder;  /* what the command will make, or NULL */
};

void judge(struct verdict *v, const struct table *t, const struct roots *r, const struct words *w);
void verdict_free(struct verdict *v);

#endif
