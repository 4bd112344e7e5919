#include "run.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "prog.h"

/* Text of one run, freed at once: chunks, so that pointers stay. */
struct chunk {
	struct chunk *next;
	size_t used, size;
	char bytes[];
};

struct run_reader {
	struct run run;
	struct map *map;
	struct chunk *chunks;
	size_t state_size, oracle_size, label_size;
	struct buf scratch;
};

const char *const terminal_names[] = {
    "final", "error", "timeout", "budget", "cancelled", "abandoned", "missing", NULL};

static void *
keep(struct run_reader *rr, size_t size)
{
	size = (size + 15) & ~(size_t)15;
	if (rr->chunks == NULL || rr->chunks->size - rr->chunks->used < size) {
		size_t room = size > 65536 ? size : 65536;
		struct chunk *c = prog_alloc(1, sizeof *c + room);
		c->size = room;
		c->next = rr->chunks;
		rr->chunks = c;
	}
	void *at = rr->chunks->bytes + rr->chunks->used;
	rr->chunks->used += size;
	return at;
}

/* One chunk is kept for the next run. */
static void
forget(struct run_reader *rr)
{
	while (rr->chunks != NULL && rr->chunks->next != NULL) {
		struct chunk *c = rr->chunks;
		rr->chunks = c->next;
		free(c);
	}
	if (rr->chunks != NULL)
		rr->chunks->used = 0;
}

/* A string's text for the life of the run; NULL when it is no string or empty. */
static const char *
text(struct run_reader *rr, struct span s)
{
	buf_clear(&rr->scratch);
	if (!scan_text(s, &rr->scratch) || rr->scratch.len == 0)
		return NULL;
	char *copy = keep(rr, rr->scratch.len + 1);
	memcpy(copy, rr->scratch.data, rr->scratch.len + 1);
	return copy;
}

/* A string interned; without escapes no copy is made. */
static const char *
interned(struct run_reader *rr, struct span s)
{
	if (scan_kind(s) != '"' || s.len == 2)
		return NULL;
	if (memchr(s.at, '\\', s.len) == NULL)
		return map_intern(rr->map, s.at + 1, s.len - 2);
	buf_clear(&rr->scratch);
	scan_text(s, &rr->scratch);
	return map_intern(rr->map, rr->scratch.data, rr->scratch.len);
}

static int
one_of(struct span s, const char *const *names, int otherwise)
{
	for (int i = 0; names[i] != NULL; i++)
		if (scan_is(s, names[i]))
			return i;
	return otherwise;
}

static size_t
list_length(struct span list)
{
	struct scan_each it = {0};
	size_t n = 0;

	while (scan_kind(list) == '[' && scan_each(&it, list))
		n++;
	return n;
}

static void
read_receipt(struct run_reader *rr, struct state *s, struct span receipt)
{
	static const char *const results[] = {"ok", "error", "denied", "timeout", NULL};
	static const enum status says[] = {OK, FAIL, DENIED, TIMED_OUT};
	struct scan_each it = {0};
	int result = -1;

	s->has_receipt = scan_kind(receipt) == '{';
	while (s->has_receipt && scan_each(&it, receipt)) {
		if (scan_is(it.key, "tool"))
			s->tool = s->tool || scan_kind(it.value) == '"';
		else if (scan_is(it.key, "key"))
			s->key = text(rr, it.value);
		else if (scan_is(it.key, "args_sha"))
			s->args = text(rr, it.value);
		else if (scan_is(it.key, "error_class"))
			s->error_class = interned(rr, it.value);
		else if (scan_is(it.key, "effect"))
			s->effect = interned(rr, it.value);
		else if (scan_is(it.key, "result"))
			result = one_of(it.value, results, -1);
	}
	/* The receipt wins over what the text claims, and a claim without one is open. */
	if (result >= 0)
		s->status = says[result];
	else if (s->tool && s->status == OK)
		s->status = OPEN;
}

static void
read_parents(struct state *s, struct span parent)
{
	struct scan_each it = {0};

	if (scan_kind(parent) == '0')
		s->parents[s->parent_count++] = scan_whole(parent, INT_MAX, -1);
	while (scan_kind(parent) == '[' && s->parent_count < PARENTS && scan_each(&it, parent))
		if (scan_kind(it.value) == '0')
			s->parents[s->parent_count++] = scan_whole(it.value, INT_MAX, -1);
}

static void
read_recovers(struct run_reader *rr, struct state *s, struct span list)
{
	struct scan_each it = {0};
	size_t n = list_length(list);

	if (n == 0)
		return;
	long *made = keep(rr, n * sizeof *made);
	s->recovers = made;
	while (scan_each(&it, list))
		made[s->recover_count++] = scan_whole(it.value, INT_MAX, -1);
}

static bool
read_state(struct run_reader *rr, struct state *s, struct span entry, const char **why)
{
	static const char *const statuses[] = {
	    "ok", "fail", "denied", "timeout", "skipped", "open", NULL};
	struct scan_each it = {0};
	struct span receipt = {0}, name = {0};
	double i = NAN;

	*s = (struct state){.status = OPEN};
	while (scan_each(&it, entry)) {
		if (scan_is(it.key, "i"))
			i = scan_number(it.value, NAN);
		else if (scan_is(it.key, "state"))
			name = it.value;
		else if (scan_is(it.key, "status"))
			s->status = (enum status)one_of(it.value, statuses, OPEN);
		else if (scan_is(it.key, "branch"))
			s->branch = interned(rr, it.value);
		else if (scan_is(it.key, "actor"))
			s->actor = interned(rr, it.value);
		else if (scan_is(it.key, "milestone"))
			s->milestone = interned(rr, it.value);
		else if (scan_is(it.key, "parent"))
			read_parents(s, it.value);
		else if (scan_is(it.key, "recovers"))
			read_recovers(rr, s, it.value);
		else if (scan_is(it.key, "receipt"))
			receipt = it.value;
	}
	const char *raw = interned(rr, name);
	if (raw == NULL || !(i >= 0 && i < 1e15)) {
		*why =
		    raw == NULL ? "a state without a name" : "a state without a whole number \"i\"";
		return false;
	}
	s->i = (long)i;
	s->means = map_meaning(rr->map, raw, strlen(raw));
	s->tool = s->means->tool;
	if (s->milestone == NULL)
		s->milestone = s->means->milestone;
	if (s->branch == NULL)
		s->branch = map_intern(rr->map, "0", 1);
	read_receipt(rr, s, receipt);
	return true;
}

static struct names
read_names(struct run_reader *rr, struct span list)
{
	struct scan_each it = {0};
	struct names made = {0};
	size_t n = list_length(list);

	if (n == 0)
		return made;
	made.name = keep(rr, n * sizeof *made.name);
	while (scan_each(&it, list)) {
		const char *name = interned(rr, it.value);
		if (name == NULL)
			name = map_intern(rr->map, it.value.at, it.value.len);
		made.name[made.count++] = name;
	}
	return made;
}

static void
read_oracle(struct run_reader *rr, struct oracle *o, struct span entry)
{
	static const char *const kinds[] = {
	    "outcome", "safety", "side_effect", "policy", "format", NULL};
	struct span pass = scan_member(entry, "pass"), expected = scan_member(entry, "expected");

	*o = (struct oracle){.pass = -1, .at = scan_whole(scan_member(entry, "at"), INT_MAX, -1)};
	o->name = interned(rr, scan_member(entry, "name"));
	if (o->name == NULL)
		o->name = map_intern(rr->map, "oracle", 6);
	o->kind = (enum oracle_kind)one_of(scan_member(entry, "kind"), kinds, OUTCOME);
	if (scan_kind(pass) == 't' || scan_kind(pass) == 'f')
		o->pass = scan_true(pass);
	o->severity = scan_number(scan_member(entry, "severity"), 0);
	o->has_expected = scan_kind(expected) == '[';
	o->expected = read_names(rr, expected);
	o->observed = read_names(rr, scan_member(entry, "observed"));
}

static void
read_label(struct run_reader *rr, struct label *l, struct span entry)
{
	const char *last = interned(rr, scan_member(entry, "last"));
	const char *attempted = interned(rr, scan_member(entry, "attempted"));
	const char *layer = interned(rr, scan_member(entry, "layer"));

	l->labeller = interned(rr, scan_member(entry, "labeller"));
	l->last = last ? map_meaning(rr->map, last, strlen(last))->state : NULL;
	l->attempted = attempted ? map_meaning(rr->map, attempted, strlen(attempted))->state : NULL;
	l->layer = layer_of(layer);
}

static int
by_i(const void *a, const void *b)
{
	const struct state *x = a, *y = b;

	return (x->i > y->i) - (x->i < y->i);
}

/* Without a parent a state happened after the one before it in its branch. */
static void
link_parents(struct run *r)
{
	for (size_t i = 0; i < r->state_count; i++) {
		struct state *s = &r->states[i];
		for (size_t j = 0; j < s->parent_count; j++) {
			size_t at = run_find(r, s->parents[j]);
			if (at >= i) {
				/* Not recorded, or not before it: what is known ends here. */
				s->parent_missing = true;
				s->parents[j] = s->parents[--s->parent_count];
				j--;
			}
		}
		if (s->parent_count > 0 || s->parent_missing)
			continue;
		for (size_t j = i; j-- > 0;) {
			if (r->states[j].branch != s->branch)
				continue;
			s->parents[s->parent_count++] = r->states[j].i;
			break;
		}
	}
}

/* States behind the one that ends a run say nothing of it. */
static void
drop_after_end(struct run *r)
{
	for (size_t i = 0; i < r->state_count; i++) {
		if (!r->states[i].means->terminal || r->states[i].status != OK)
			continue;
		r->dropped = r->state_count - i - 1;
		r->state_count = i + 1;
	}
}

static bool
read_states(struct run_reader *rr, struct span list, const char **why)
{
	struct scan_each it = {0};
	struct run *r = &rr->run;
	bool sorted = true;

	while (scan_kind(list) == '[' && scan_each(&it, list)) {
		if (r->state_count == rr->state_size) {
			rr->state_size = rr->state_size ? rr->state_size * 2 : 64;
			r->states = prog_resize(r->states, rr->state_size, sizeof *r->states);
		}
		struct state *s = &r->states[r->state_count];
		if (!read_state(rr, s, it.value, why))
			return false;
		sorted = sorted && (r->state_count == 0 || s[-1].i < s->i);
		r->state_count++;
	}
	if (!sorted)
		qsort(r->states, r->state_count, sizeof *r->states, by_i);
	for (size_t i = 1; i < r->state_count; i++) {
		if (r->states[i].i == r->states[i - 1].i) {
			*why = "two states with one \"i\"";
			return false;
		}
	}
	drop_after_end(r);
	link_parents(r);
	return true;
}

/* Make room for one more of what stands in *list. */
static void *
one_more(void **list, size_t *size, size_t count, size_t each)
{
	if (count == *size) {
		*size = *size ? *size * 2 : 8;
		*list = prog_resize(*list, *size, each);
	}
	return (char *)*list + count * each;
}

struct run_reader *
run_reader_new(struct map *m)
{
	struct run_reader *rr = prog_alloc(1, sizeof *rr);

	rr->map = m;
	return rr;
}

const struct run *
run_read(struct run_reader *rr, struct span record, const char **why)
{
	static const char *const outcomes[] = {"success", "failure", "unknown", NULL};
	struct run *r = &rr->run;
	struct scan_each it = {0};
	struct span states = {0}, oracles = {0}, labels = {0};

	forget(rr);
	r->id = r->task = r->trace = NULL;
	r->cohort = "";
	r->trial = 0;
	r->outcome = UNKNOWN_OUTCOME;
	r->terminal = MISSING;
	r->impact = 1;
	r->state_count = r->oracle_count = r->label_count = r->dropped = 0;
	while (scan_each(&it, record)) {
		if (scan_is(it.key, "run_id"))
			r->id = text(rr, it.value);
		else if (scan_is(it.key, "task_id"))
			r->task = text(rr, it.value);
		else if (scan_is(it.key, "trial"))
			r->trial = scan_whole(it.value, INT_MAX, 0);
		else if (scan_is(it.key, "cohort"))
			r->cohort = interned(rr, it.value) ? interned(rr, it.value) : "";
		else if (scan_is(it.key, "trace"))
			r->trace = text(rr, it.value);
		else if (scan_is(it.key, "outcome"))
			r->outcome = (enum outcome)one_of(it.value, outcomes, UNKNOWN_OUTCOME);
		else if (scan_is(it.key, "terminal"))
			r->terminal = (enum terminal)one_of(it.value, terminal_names, MISSING);
		else if (scan_is(it.key, "impact"))
			r->impact = scan_number(it.value, 1);
		else if (scan_is(it.key, "states"))
			states = it.value;
		else if (scan_is(it.key, "oracles"))
			oracles = it.value;
		else if (scan_is(it.key, "labels"))
			labels = it.value;
	}
	*why = r->id == NULL ? "a run without \"run_id\"" : "a run without \"task_id\"";
	if (r->id == NULL || r->task == NULL)
		return NULL;
	*why = "\"impact\" is below 0";
	if (!(r->impact >= 0) || !read_states(rr, states, why))
		return NULL;
	it = (struct scan_each){0};
	while (scan_kind(oracles) == '[' && scan_each(&it, oracles))
		read_oracle(rr,
		    one_more((void **)&r->oracles, &rr->oracle_size, r->oracle_count++,
			sizeof *r->oracles),
		    it.value);
	it = (struct scan_each){0};
	while (scan_kind(labels) == '[' && scan_each(&it, labels))
		read_label(rr,
		    one_more(
			(void **)&r->labels, &rr->label_size, r->label_count++, sizeof *r->labels),
		    it.value);
	return r;
}

size_t
run_find(const struct run *r, long i)
{
	size_t lo = 0, hi = r->state_count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (r->states[mid].i < i)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < r->state_count && r->states[lo].i == i ? lo : r->state_count;
}

void
run_reader_free(struct run_reader *rr)
{
	while (rr->chunks != NULL) {
		struct chunk *c = rr->chunks;
		rr->chunks = c->next;
		free(c);
	}
	free(rr->run.states);
	free(rr->run.oracles);
	free(rr->run.labels);
	buf_free(&rr->scratch);
	free(rr);
}
