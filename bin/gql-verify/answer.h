#ifndef ANSWER_H
#define ANSWER_H

/*
 * answer: what a server really said, whatever its status.
 *
 * Understood are JSON results and batches of them, multipart/mixed (incremental delivery, and
 * subscriptions over it) and event streams.
 */
#include <jv.h>
#include <stdbool.h>
#include <stddef.h>

#include "scan.h"

enum answer_form {
	ANSWER_MISSING, /* nothing known; what else there is stands in the evidence */
	ANSWER_EMPTY,
	ANSWER_HTML,
	ANSWER_JSON, /* but no result of GraphQL */
	ANSWER_TEXT, /* neither */
	ANSWER_GRAPHQL,
};

enum answer_data { DATA_NONE, DATA_NULL, DATA_NULLS, DATA_SOME };

/* One result, or what several that continue each other came to. */
struct reply {
	enum answer_data data; /* NULLS: an object, and every member is null */
	jv errors;             /* [{message, path, code, category}], at most 100 */
	size_t error_count;    /* of all */
	jv nulls;              /* names of root fields that are null, with NULLS */
};

struct answer {
	enum answer_form form;
	bool batched;
	struct reply *reply; /* count of them, with GRAPHQL */
	size_t count;
};

struct answer answer_read(const char *text, size_t len, const char *mime, int status);
void answer_free(struct answer *a);

struct reply reply_new(void);
/* Add a result object; false when it is none. */
bool reply_add(struct reply *r, struct span result, int status);
void reply_error(struct reply *r, struct span error, int status);
void reply_free(struct reply *r);

#endif
