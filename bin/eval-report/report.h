#ifndef REPORT_H
#define REPORT_H

/*
 * report: one run of the golden set, added up, and the runs before it.
 */
#include "buf.h"
#include "markup.h"
#include "scores.h"

enum { AXIS_MAX = 2 };

struct tally {
	double score, max;
};

struct category {
	const char *name;
	size_t cases;
	struct tally tally;
};

/* A run in the history; the last one is the run reported, where there is a history at all. */
struct point {
	char *wall;
	struct tally all;
	double axes[AXES];              /* share of what could be had; NaN: unknown */
	char *versions[SCORE_VERSIONS]; /* NULL: unknown */
	char *changed;                  /* "prompt rca.v1 to rca.v2"; NULL: nothing */
};

struct report {
	const struct scores *run;
	const char *wall; /* when; NULL: unknown */
	struct tally all, axes[AXES];
	struct category *categories;          /* in the order of the input */
	size_t category_count, cases, epochs; /* epochs: the most of a case */
	size_t statuses[SCORE_STATUSES];
	struct point *points;
	size_t point_count;
	bool whole; /* the history could be read */
};

struct report report_make(const struct scores *run, char *history, const char *wall);
void report_free(struct report *r);

double share(struct tally t);                /* 0 to 1; 0 where nothing could be had */
long per_cent(double share);                 /* rounded; 100 is all of it and nothing less */
void add_score(struct buf *b, double score); /* "8", "8.5" */
void add_row_name(struct buf *b, const struct report *r, const struct score *s); /* raw */

/* Why an axis has its score, or "status" is what it is; nothing where that is not told. */
void add_why(struct buf *b, const struct score *s, const char *what);

/* The forms. */
void write_text(const struct report *r, struct buf *b);
void write_markdown(const struct report *r, struct buf *b);
void write_junit(const struct report *r, struct buf *b);
void write_html(const struct report *r, struct buf *b);
void write_ctrf(const struct report *r, struct buf *b);
void write_history(const struct report *r, struct buf *b);

#endif
