#ifndef ATTEMPT_H
#define ATTEMPT_H

/* attempt: one execution of one test, as any report tells it; NULL, 0 and -1 are "not told". */
#include <stdbool.h>
#include <stddef.h>

#include "buf.h"

struct run {
	char *id, *start, *commit, *branch;
	const char *source; /* "playwright-json", "junit", "playwright-blob"; static */
	char *tool;         /* "playwright 1.49.1" */
	int shard;
};

struct fault {
	char *message, *stack, *snippet, *type, *file;
	long line, column;
	bool synthetic; /* the report has no words for it, these are ours */
};

struct title {
	char **part;
	size_t count;
};

struct attempt {
	char *project, *file;
	long line;
	struct title title;
	int repeat, retry;
	char status;   /* P F T S I; N: the test was not started */
	char expected; /* P F T S, 0: not told */
	char verdict;  /* the report's own of the test: P F X S, 0: none */
	double duration_ms;
	char *started_at;
	char *trace; /* the path of its trace, as the report has it */
	int worker;
	struct fault error;
	int errors;
	bool has_error, attempts_known;
	struct title tags, steps_failed;
};

void attempt_init(struct attempt *a);
void attempt_free(struct attempt *a);
void fault_free(struct fault *f);
void title_add(struct title *t, const char *text, size_t len);
void title_free(struct title *t);
/* "a › b" as reports join titles, into its parts; what no XML attribute can carry goes. */
void title_split(struct title *t, const char *text, size_t len);

/* project, file and titles joined by U+001F. */
void attempt_id(const struct attempt *a, struct buf *b);

/* P F T S I by Playwright's words; 0 when it is none. */
char status_letter(const char *word);

#endif
