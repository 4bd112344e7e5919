#ifndef RUN_H
#define RUN_H

/*
 * run: one allowed command, without a shell, in an environment of ours, confined and limited.
 */
#include "buf.h"
#include "judge.h"

enum run_limit { RUN_NONE, RUN_TIME, RUN_OUTPUT };

struct run_result {
	int status; /* exit status, or 128 and the signal's number */
	enum run_limit limit;
	struct buf out, err;
};

/* Before the first one: confine this process to what its children may need. */
void run_confine(char *const files[], const struct roots *roots);

/* NULL when it ran, or why it could not be started. */
const char *run(struct run_result *result, const struct verdict *v, const struct table *t,
    const struct roots *roots);
void run_result_free(struct run_result *result);

#endif
