#include "tally.h"

#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "jvx.h"
#include "prog.h"

struct entry {
	uint64_t key, value;
};

/* Open addressing; key 0 is an empty slot. */
struct set {
	struct entry *slots;
	size_t size, used;
};

struct seen_runs {
	struct set ids, tasks;
};

/* Two rounds of a 64-bit mixer over 8 bytes at a time (the finaliser of splitmix64). */
static uint64_t
mix(uint64_t h, const void *bytes, size_t len)
{
	const unsigned char *p = bytes;

	while (len > 0) {
		uint64_t w = 0;
		size_t n = len < 8 ? len : 8;
		memcpy(&w, p, n);
		h ^= w + 0x9e3779b97f4a7c15u * (n + 1);
		h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
		h = (h ^ h >> 27) * 0x94d049bb133111ebu;
		h ^= h >> 31;
		p += n;
		len -= n;
	}
	return h;
}

/* The entry of a key, made when it is new; *is_new says which. */
static struct entry *
look_up(struct set *s, uint64_t key, bool *is_new)
{
	if (s->used * 4 >= s->size * 3) {
		struct set bigger = {prog_alloc(s->size ? s->size * 2 : 256, sizeof *s->slots),
		    s->size ? s->size * 2 : 256, s->used};
		for (size_t i = 0; i < s->size; i++) {
			size_t at = (size_t)s->slots[i].key & (bigger.size - 1);
			while (s->slots[i].key != 0 && bigger.slots[at].key != 0)
				at = (at + 1) & (bigger.size - 1);
			if (s->slots[i].key != 0)
				bigger.slots[at] = s->slots[i];
		}
		free(s->slots);
		*s = bigger;
	}
	key |= key == 0;
	size_t at = (size_t)key & (s->size - 1);
	while (s->slots[at].key != 0 && s->slots[at].key != key)
		at = (at + 1) & (s->size - 1);
	*is_new = s->slots[at].key == 0;
	s->used += *is_new;
	s->slots[at].key = key;
	return &s->slots[at];
}

struct tally *
tally_new(void)
{
	struct tally *t = prog_alloc(1, sizeof *t);

	t->seen = prog_alloc(1, sizeof *t->seen);
	return t;
}

enum twice
tally_seen(struct tally *t, const struct run *r, struct span record)
{
	bool is_new;
	uint64_t bytes = mix(1, record.at, record.len);
	struct entry *e = look_up(&t->seen->ids, mix(2, r->id, strlen(r->id)), &is_new);

	if (!is_new)
		return e->value == bytes ? SAME_AGAIN : OTHER_BYTES;
	e->value = bytes;
	uint64_t task = mix(3, r->task, strlen(r->task) + 1);
	task = mix(task, &r->trial, sizeof r->trial);
	task = mix(task, r->cohort, strlen(r->cohort));
	look_up(&t->seen->tasks, task, &is_new);
	return is_new ? NEW_RUN : OTHER_RUN_OF_TASK;
}

static struct cohort *
cohort(struct tally *t, const char *name)
{
	for (size_t i = 0; i < t->cohort_count; i++)
		if (strcmp(t->cohorts[i].name, name) == 0)
			return &t->cohorts[i];
	t->cohorts = prog_resize(t->cohorts, t->cohort_count + 1, sizeof *t->cohorts);
	t->cohorts[t->cohort_count] = (struct cohort){name, 0};
	return &t->cohorts[t->cohort_count++];
}

void
tally_add(struct tally *t, const struct run *r, const struct assignment *made)
{
	double layers[LAYERS] = {0};

	t->runs++;
	t->succeeded += made->verdict == SUCCEEDED;
	t->unscored += made->verdict == UNSCORED;
	if (made->verdict != FAILED)
		return;
	t->failed++;
	t->layers[made->layer]++;
	t->milestone_reasons += made->revisits || made->branches || made->recovered_count > 0;
	cohort(t, r->cohort)->failed++;
	layers[made->layer] = 1;
	matrix_add(&t->states, made->last, made->attempted, 1, made->impact, layers);
	matrix_add(&t->milestones, made->milestone_last, made->milestone_attempted, 1, made->impact,
	    layers);
}

static const char *
interned(struct map *names, jv rec, const char *key)
{
	size_t len;
	const char *text = jvx_bytes(rec, key, &len);

	return text != NULL ? map_intern(names, text, len) : NULL;
}

static bool
merge_cell(struct matrix *m, jv rec, struct map *names)
{
	const char *last = interned(names, rec, "last"),
		   *attempted = interned(names, rec, "attempted");
	double n = jvx_number(rec, "n", 0), layers[LAYERS] = {0};
	jv counts = jvx_get(rec, "layers");

	for (int l = 0; l < LAYERS; l++)
		layers[l] = jvx_number(counts, layer_names[l], 0);
	jv_free(counts);
	if (last == NULL || attempted == NULL || !(n > 0))
		return false;
	matrix_add(m, last, attempted, n, jvx_number(rec, "score", n), layers);
	return true;
}

bool
tally_merge(struct tally *t, jv rec, struct map *names)
{
	const char *type = jvx_text(rec, "type"), *axis = jvx_text(rec, "axis");

	if (strcmp(type, "cell") == 0)
		return merge_cell(&t->states, rec, names);
	if (strcmp(type, "milestone_cell") == 0)
		return merge_cell(&t->milestones, rec, names);
	if (strcmp(type, "check") == 0 &&
	    strcmp(jvx_text(rec, "name") ? jvx_text(rec, "name") : "", "runs") == 0) {
		t->runs += jvx_number(rec, "runs", 0);
		t->failed += jvx_number(rec, "failed", 0);
		t->succeeded += jvx_number(rec, "succeeded", 0);
		t->unscored += jvx_number(rec, "unscored", 0);
		t->duplicates += jvx_number(rec, "duplicates", 0);
		t->milestone_reasons += jvx_number(rec, "revisiting", 0);
		return true;
	}
	if (strcmp(type, "margin") == 0 && axis != NULL) {
		const char *name = interned(names, rec, "name");
		double n = jvx_number(rec, "n", 0);
		if (strcmp(axis, "cohort") == 0 && name != NULL)
			cohort(t, name)->failed += n;
		if (strcmp(axis, "layer") == 0 && layer_of(name) != NO_LAYER)
			t->layers[layer_of(name)] += n;
		return true;
	}
	return strcmp(type, "check") == 0;
}

static double
sum_cells(const struct matrix *m)
{
	double sum = 0;

	for (size_t i = 0; i < m->count; i++)
		sum += m->cells[i].n;
	return sum;
}

/* The sum of the row sums, or of the column sums, each made by walking the matrix again. */
static double
sum_margins(const struct matrix *m, bool rows)
{
	size_t count;
	const char **names = matrix_order(m, &count);
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < m->count; j++)
			if ((rows ? m->cells[j].last : m->cells[j].attempted) == names[i])
				sum += m->cells[j].n;
	free(names);
	return sum;
}

bool
tally_check(const struct tally *t, bool strict, struct check checks[CHECKS])
{
	double layers = 0, cohorts = 0;
	bool good = true;

	for (int i = 0; i < LAYERS; i++)
		layers += t->layers[i];
	for (size_t i = 0; i < t->cohort_count; i++)
		cohorts += t->cohorts[i].failed;
	struct check all[CHECKS] = {{"cells", sum_cells(&t->states), t->failed},
	    {"rows", sum_margins(&t->states, true), t->failed},
	    {"columns", sum_margins(&t->states, false), t->failed},
	    {"outcomes", t->succeeded + t->failed + t->unscored, t->runs},
	    {"layers", layers, t->failed}, {"cohorts", cohorts, t->failed},
	    {"milestones", sum_cells(&t->milestones), t->failed},
	    {"unscored", strict ? t->unscored : 0, 0}};
	memcpy(checks, all, sizeof all);
	for (size_t i = 0; i < CHECKS; i++)
		good = good && checks[i].got == checks[i].want;
	return good;
}

void
tally_free(struct tally *t)
{
	matrix_free(&t->states);
	matrix_free(&t->milestones);
	free(t->cohorts);
	free(t->seen->ids.slots);
	free(t->seen->tasks.slots);
	free(t->seen);
	free(t);
}
