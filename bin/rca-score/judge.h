#ifndef JUDGE_H
#define JUDGE_H

/*
 * judge: a model is asked about the causes that words do not settle, by llm-call.
 *
 * The child is made before the program confines itself, and waits; it becomes llm-call when all
 * questions stand in its input, or goes away when there is none.  What it gets is framed, a segment
 * for each question, which knows nothing of the others.
 */
#include <stdbool.h>
#include <stddef.h>

#include "golden.h"
#include "method.h"

struct judge;

/*
 * prompt is a file as of prompt(5); arguments go to llm-call before it, and end with NULL.  What is
 * wrong with the prompt ends the program.
 */
struct judge *judge_start(const char *prompt, char *const arguments[]);
const char *judge_name(const struct judge *j); /* the model that is asked: "provider:name" */
/* "judge.rca.v1 " and 16 digits of what the prompt, its rubric and its schema hold */
const char *judge_rubric(const struct judge *j);

/* Ask whether the cause that the answer gives is that of the case; the number of the question. */
size_t judge_ask(struct judge *j, const struct golden *g, const struct method *m);

/* Have all questions answered; after it judge_verdict() is asked, once for each. */
void judge_finish(struct judge *j);
struct verdict {
	int score; /* 0, 1 or 2; -1: the judge failed, and why says how */
	char *why; /* yours to free */
	jv by;     /* yours to free: {model, provenance, cassette} */
};
struct verdict judge_verdict(const struct judge *j, size_t question);
void judge_free(struct judge *j);

#endif
