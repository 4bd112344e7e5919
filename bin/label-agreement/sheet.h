#ifndef SHEET_H
#define SHEET_H

/*
 * sheet: who said what of which unit.
 *
 * A unit is a run, or an answer (case and epoch); a field is what was asked of it: last, attempted,
 * cell, layer, or the name of a score axis.  Memory is that of the labels.
 */
#include <stdbool.h>
#include <stddef.h>

enum { RATERS_MOST = 100, VALUES_MOST = 1000, SCORE_MOST = 100 };

/* All labels of one field as a matrix; the values of a score axis are the scores themselves. */
struct field {
	const char *name;
	bool score;
	const char **raters, **units, **values; /* values: NULL for a score axis */
	size_t rater_count, unit_count, k;
	int *said; /* said[rater * unit_count + unit]: a value 0 .. k-1, or -1 */
};

struct sheet;
struct sheet *sheet_new(void);
/* Every text is interned: it lives as long as the sheet's users, and is not copied. */
void sheet_say(
    struct sheet *s, const char *field, const char *unit, const char *rater, const char *value);
void sheet_score(struct sheet *s, const char *axis, const char *unit, const char *rater, int score);
/*
 * The fields in order: last, attempted, cell, layer, then the axes by name; false after the last.
 * A labeller's later word on a unit replaces the earlier one and is counted in *replaced.  Yours to
 * field_free().  More labellers or values than the bounds above end the program.
 */
bool sheet_next(struct sheet *s, struct field *f, size_t *replaced);
void field_free(struct field *f);
void sheet_free(struct sheet *s);

#endif
