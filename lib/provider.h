#ifndef PROVIDER_H
#define PROVIDER_H

/*
 * provider: who is asked, and how each of them wants to be asked.
 *
 * A request is the same for all, and is what a cassette is named after:
 *
 *	{"model": "PROVIDER:NAME", "system": text, "messages": [{"role": "user"|"assistant",
 *"text"}], "schema": {...}, "max_output_tokens": n, "options": {"effort", "temperature"}, "epoch":
 *n}
 *
 * This module turns it into a provider's body, reads the provider's answer back into one form, and
 * judges failures.  It opens no connection and reads no environment.  Where servers differ is data:
 * rules by endpoint and model, in a YAML file (llm-call(1) has its members).
 */
#include <jv.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "buf.h"

enum provider_kind {
	PROVIDER_AUTHORED, /* nobody: only cassettes answer */
	PROVIDER_EXEC,
	PROVIDER_OPENAI,
	PROVIDER_ANTHROPIC,
	PROVIDER_GEMINI
};

struct provider {
	enum provider_kind kind;
	char *model; /* after the colon */
	char *base;  /* URL without a slash at its end */
	char *key;   /* NULL: none */
	jv rules;    /* of this endpoint and model, merged */
	jv learnt;   /* parameters that the server refused */
	jv custom;   /* headers of the user's, whose values are as secret as the key */
};

/* The kind by "PROVIDER:NAME" or "authored"; false when there is no such provider, or no name. */
bool provider_kind_of(const char *model, enum provider_kind *kind);

/*
 * base and key come from the environment, may be NULL, and are copied; quirks is the rules file's
 * list and not consumed.
 */
struct provider *provider_new(const char *model, const char *base, const char *key, jv quirks);
void provider_add_header(struct provider *p, const char *name, const char *value);
/* Lines "Name: value", as in ANTHROPIC_CUSTOM_HEADERS; NULL: none. */
void provider_custom_headers(struct provider *p, const char *lines);
void provider_free(struct provider *p);

const char *provider_name(const struct provider *p); /* as telemetry calls it: "gcp.gemini" */
bool provider_needs_key(const struct provider *p);   /* at the provider's own address */
jv provider_rule(const struct provider *p, const char *name); /* yours to free */
bool provider_rule_is(const struct provider *p, const char *name, const char *text);

char *provider_url(const struct provider *p); /* yours to free */

/* Lines "Name: value", an array that ends with NULL; provider_headers_free() frees it. */
char **provider_headers(const struct provider *p);
void provider_headers_free(char **headers);

jv provider_body(const struct provider *p, jv request); /* request is not consumed */

enum provider_outcome {
	PROVIDER_TEXT,
	PROVIDER_REFUSAL,   /* the model declined, or a filter did */
	PROVIDER_TRUNCATED, /* the output limit cut it */
	PROVIDER_BROKEN     /* not what this provider answers */
};

/* What an answer with a good status says.  Members that are unknown are invalid or empty. */
struct provider_answer {
	enum provider_outcome outcome;
	jv text;
	jv usage; /* normal form: input_total, input_cached_read, input_cache_write, of that
		     input_cache_write_1h, output_total, output_reasoning; tier */
	jv model, id, finish;
	bool authored; /* a program said that a person wrote the answer */
	char why[160]; /* of what is no text */
};
struct provider_answer provider_read(enum provider_kind kind, const char *body, size_t len);
void provider_answer_free(struct provider_answer *a);

enum provider_verdict {
	PROVIDER_NEVER,  /* the same request fails again */
	PROVIDER_RETRY,  /* try again, after *delay_ms if that is not 0 */
	PROVIDER_SLOWER, /* the same, and much slower: the server is overloaded */
	PROVIDER_MONEY,  /* a limit of money, which time does not mend */
	PROVIDER_DIALECT /* *parameter names a member of body that this server does not know */
};

/*
 * Judge a status that is not 2xx.  why is for people and never holds the key; *parameter is yours
 * to free.
 */
enum provider_verdict provider_judge(const struct provider *p, int status, jv headers,
    const struct buf *answer, jv body, time_t now, double *delay_ms, char **parameter,
    struct buf *why);

/* body (consumed) without the parameter, or with its twin. */
jv provider_dialect(jv body, const char *parameter);

void provider_learn(struct provider *p, const char *parameter); /* for the bodies to come */

/* Put "[key]" where text quotes the key: any key in a header, a long one in free text. */
void provider_mask(const struct provider *p, struct buf *header);
void provider_scrub(const struct provider *p, struct buf *text);

#endif
