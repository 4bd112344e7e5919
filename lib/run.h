#ifndef RUN_H
#define RUN_H

/*
 * run: one run record, read from its bytes: states in the order of i, what receipts say of them,
 * oracles and labels.  Everything lives until the next run_read().
 */
#include <stdbool.h>
#include <stddef.h>

#include "scan.h"
#include "statemap.h"

enum status { OK, FAIL, DENIED, TIMED_OUT, SKIPPED, OPEN };
enum { PARENTS = 8 };

struct state {
	long i;
	const struct meaning *means;
	const char *milestone;   /* interned; the entry's own, else the map's */
	const char *branch;      /* interned; "0" unless parallel */
	const char *actor;       /* interned; NULL: not said */
	const char *key, *args;  /* of the receipt; NULL: not said */
	const char *error_class; /* of the receipt; NULL: not said */
	const char *effect;      /* "none", "read", "write", "external"; NULL: not said */
	long parents[PARENTS];   /* i of what it happened after */
	size_t parent_count;     /* 0: the first of its branch */
	const long *recovers;    /* i of what it makes good */
	size_t recover_count;
	enum status status;        /* what the receipt says, where it says anything */
	bool tool, parent_missing; /* a parent that the run does not hold */
	bool has_receipt;
};

enum oracle_kind { OUTCOME, SAFETY, SIDE_EFFECT, POLICY_ORACLE, FORMAT_ORACLE };
struct names {
	const char **name; /* interned */
	size_t count;
};
struct oracle {
	const char *name;
	enum oracle_kind kind;
	int pass; /* 1, 0, or -1: not known */
	long at;  /* i of a state; -1: not said */
	double severity;
	struct names expected, observed; /* milestones */
	bool has_expected;
};

struct label {
	const char *labeller, *last, *attempted; /* states are interned */
	enum layer layer;
};

enum outcome { SUCCESS, FAILURE, UNKNOWN_OUTCOME };
enum terminal { FINAL, ERROR_END, TIMEOUT_END, BUDGET, CANCELLED, ABANDONED, MISSING };

struct run {
	const char *id, *task, *cohort, *trace; /* trace: NULL when not said */
	long long trial;
	enum outcome outcome; /* as the record says it */
	enum terminal terminal;
	double impact;
	struct state *states;
	struct oracle *oracles;
	struct label *labels;
	size_t state_count, oracle_count, label_count, dropped; /* states after the end */
};

struct run_reader;
struct run_reader *run_reader_new(struct map *m);
/* NULL when the record is no run, with the reason in *why: static text. */
const struct run *run_read(struct run_reader *rr, struct span record, const char **why);
/* Index of the state with that i; state_count when there is none. */
size_t run_find(const struct run *r, long i);
void run_reader_free(struct run_reader *rr);

extern const char *const terminal_names[];

#endif
