#ifndef RUN_H
#define RUN_H

/* run: what llm-call was asked to do, and the segments it is doing it to. */
#include <jv.h>
#include <stdbool.h>
#include <stdio.h>

#include "buf.h"
#include "ledger.h"
#include "net.h"
#include "prompt.h"
#include "provider.h"
#include "shelf.h"
#include "spans.h"

enum mode { MODE_REPLAY, MODE_RECORD, MODE_AUTO, MODE_OFF };

struct run {
	struct prompt *prompt;
	struct provider *provider;
	const char *model; /* "anthropic:claude-opus-5-5" */
	bool model_given;  /* by -m, and not by the prompt alone */
	char *folder;      /* of cassettes; NULL with MODE_OFF alone */
	enum mode mode;
	int epochs;
	char ***checks; /* argument vectors of -V; ends with NULL */
	struct net *net;
	struct ledger *ledger;
	jv prices;
	const char *no_key;  /* which variables would hold one */
	struct spans *spans; /* NULL: nobody wants them */
	struct shelf *shelf; /* of the cassettes asked for; NULL without -L */
	double deadline_ms;  /* of -S, on the clock that does not jump; 0: none */
	bool print_only;     /* -n */
	int misses;          /* of cassettes */
	int unsent;          /* calls that the budget did not allow */
	bool trouble;        /* something could not be done */
};

/*
 * Its evidence goes to an unnamed temporary file, the texts of its sections become one message.  It
 * is asked about once for each epoch.
 */
struct segment {
	struct segment *next;
	size_t number; /* 1-based */
	char *name;    /* NULL: records before any opener */
	FILE *evidence;
	struct buf text;     /* of its sections */
	const char *refusal; /* why they cannot be sent; NULL: they can */
	struct call **calls; /* one for each epoch; NULL where it was not begun */
	int begun, over;
};

/* The words of a command line, split at blanks, no shell; free(argv[0]) and free(argv). */
char **split_command(const char *text);

/* "trace-7: epoch 2", for messages; yours to free. */
char *segment_title(const struct segment *s, const struct run *run, int epoch);

#endif
