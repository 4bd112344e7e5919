#include "sheet.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "prog.h"

struct entry {
	const char *field, *unit, *rater, *value; /* value: NULL for a score */
	int score, rank;                          /* rank: of the field in the output */
	size_t order;
};

struct sheet {
	struct entry *entries;
	size_t count, size, at; /* at: where the next field begins */
	bool sorted;
};

enum { AXIS = 4 };

struct sheet *
sheet_new(void)
{
	return prog_alloc(1, sizeof(struct sheet));
}

static int
rank_of(const char *field)
{
	static const char *const first[AXIS] = {"last", "attempted", "cell", "layer"};
	int i = 0;

	while (i < AXIS && strcmp(field, first[i]) != 0)
		i++;
	return i;
}

static void
add(struct sheet *s, struct entry e)
{
	if (s->count == s->size) {
		s->size = s->size ? s->size * 2 : 256;
		s->entries = prog_resize(s->entries, s->size, sizeof *s->entries);
	}
	e.order = s->count;
	s->entries[s->count++] = e;
}

void
sheet_say(
    struct sheet *s, const char *field, const char *unit, const char *rater, const char *value)
{
	add(s, (struct entry){field, unit, rater, value, -1, rank_of(field), 0});
}

void
sheet_score(struct sheet *s, const char *axis, const char *unit, const char *rater, int score)
{
	add(s, (struct entry){axis, unit, rater, NULL, score, AXIS, 0});
}

static int
compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int c = x->rank - y->rank;

	c = c ? c : strcmp(x->field, y->field);
	c = c ? c : strcmp(x->unit, y->unit);
	c = c ? c : strcmp(x->rater, y->rater);
	return c ? c : (x->order > y->order) - (x->order < y->order);
}

static int
compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sort, and keep one of each. */
static size_t
distinct(const char **texts, size_t count)
{
	size_t kept = 0;

	qsort(texts, count, sizeof *texts, compare_texts);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || strcmp(texts[kept - 1], texts[i]) != 0)
			texts[kept++] = texts[i];
	return kept;
}

static size_t
place(const char **texts, size_t count, const char *text)
{
	const char **at = bsearch(&text, texts, count, sizeof *texts, compare_texts);

	return (size_t)(at - texts);
}

static void
collect(struct field *f, const struct entry *e, size_t count)
{
	f->raters = prog_alloc(count, sizeof *f->raters);
	f->units = prog_alloc(count, sizeof *f->units);
	f->values = f->score ? NULL : prog_alloc(count, sizeof *f->values);
	for (size_t i = 0; i < count; i++) {
		f->raters[i] = e[i].rater;
		f->units[i] = e[i].unit;
		if (!f->score)
			f->values[i] = e[i].value;
		else if ((size_t)e[i].score >= f->k)
			f->k = (size_t)e[i].score + 1;
	}
	f->rater_count = distinct(f->raters, count);
	f->unit_count = distinct(f->units, count);
	if (!f->score)
		f->k = distinct(f->values, count);
	if (f->rater_count > RATERS_MOST)
		errx(TROUBLE, "more than %d labellers", RATERS_MOST);
	if (f->k > VALUES_MOST)
		errx(TROUBLE, "more than %d different answers to one question", VALUES_MOST);
}

bool
sheet_next(struct sheet *s, struct field *f, size_t *replaced)
{
	*f = (struct field){0};
	if (!s->sorted && s->count > 0)
		qsort(s->entries, s->count, sizeof *s->entries, compare_entries);
	s->sorted = true;
	if (s->at == s->count)
		return false;
	const struct entry *e = &s->entries[s->at];
	size_t count = 1;
	while (s->at + count < s->count && e[count].rank == e->rank &&
	       strcmp(e[count].field, e->field) == 0)
		count++;
	s->at += count;

	f->name = e->field;
	f->score = e->rank == AXIS;
	collect(f, e, count);
	f->said = prog_alloc(f->rater_count * f->unit_count, sizeof *f->said);
	for (size_t i = 0; i < f->rater_count * f->unit_count; i++)
		f->said[i] = -1;
	for (size_t i = 0; i < count; i++) {
		int *said = &f->said[place(f->raters, f->rater_count, e[i].rater) * f->unit_count +
				     place(f->units, f->unit_count, e[i].unit)];
		*replaced += *said >= 0;
		*said = f->score ? e[i].score : (int)place(f->values, f->k, e[i].value);
	}
	return true;
}

void
field_free(struct field *f)
{
	free(f->raters);
	free(f->units);
	free(f->values);
	free(f->said);
}

void
sheet_free(struct sheet *s)
{
	free(s->entries);
	free(s);
}
