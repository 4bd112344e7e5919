#include "spans.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "prog.h"
#include "when.h"

enum { DEEP = 256, LANES = 64 };

/* What the tree says of a node. */
struct place {
	const char *id;
	size_t at; /* index of the node */
};
struct around {
	bool inner, failed_below; /* a mapped span is below it; one that failed */
};

void
spans_add(struct spans *s, struct node n)
{
	if (s->count == s->size) {
		s->size = s->size ? s->size * 2 : 256;
		s->nodes = prog_resize(s->nodes, s->size, sizeof *s->nodes);
	}
	s->nodes[s->count++] = n;
}

static int
texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

/* By trace, then time; the ids decide last, so that the order of the input never does. */
static int
compare_nodes(const void *a, const void *b)
{
	const struct node *x = a, *y = b;
	int c = texts(x->trace, y->trace);

	if (c == 0)
		c = (x->start > y->start) - (x->start < y->start);
	/* What ends later is around what ends sooner. */
	if (c == 0)
		c = (x->end < y->end) - (x->end > y->end);
	return c ? c : texts(x->id, y->id);
}

static int
compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	int c = texts(x->id, y->id);

	return c ? c : (x->at > y->at) - (x->at < y->at);
}

static bool
is_act(const struct node *n)
{
	return n->role == STATE || n->role == TOOL;
}

/* Index of the parent in the trace's nodes; count when it is not there. */
static size_t
parent_of(const struct node *n, const struct place *places, size_t count)
{
	size_t lo = 0, hi = count;

	if (n->parent == NULL || *n->parent == '\0')
		return count;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (texts(places[mid].id, n->parent) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < count && texts(places[lo].id, n->parent) == 0 ? places[lo].at : count;
}

static void
look_around(const struct node *nodes, size_t count, const struct place *places, struct around *a)
{
	for (size_t i = 0; i < count; i++) {
		size_t up = i;
		if (!is_act(&nodes[i]))
			continue;
		for (int n = 0; n < DEEP; n++) {
			up = parent_of(&nodes[up], places, count);
			if (up == count || up == i)
				break;
			a[up].inner = true;
			a[up].failed_below = a[up].failed_below || nodes[i].failed;
		}
	}
}

/* Spans that overlap, until one starts after all of them. */
struct group {
	size_t first, count; /* steps */
	uint64_t end;        /* of the last to end */
	long tails[STEP_PARENTS];
	size_t tail_count; /* what the group happened after */
};
struct lane {
	uint64_t end;
	long last; /* i of its last step */
};

static void
put_step(
    struct draft *d, const struct node *n, const char *branch, const long *parents, size_t count)
{
	struct step s = {.name = n->name, .branch = branch, .actor = n->actor};

	s.status = n->failed ? "fail" : n->end == 0 ? "open" : "ok";
	s.parent_count = count;
	if (count > 0)
		memcpy(s.parents, parents, count * sizeof *parents);
	if (n->role == TOOL) {
		s.tool = n->name ? n->name : "unnamed";
		s.call = n->call;
		s.error_class = n->failed ? n->error_class : NULL;
		s.result = n->failed ? "error" : n->end == 0 ? NULL : "ok";
	}
	draft_step(d, &s);
}

/* The members of a group side by side; what they end with goes to tails. */
static void
put_group(struct draft *d, const struct node *const *acts, size_t count, struct group *g)
{
	struct lane lanes[LANES];
	size_t used = 0;

	if (count == 1) {
		put_step(d, acts[0], NULL, g->tails, g->tail_count > 1 ? g->tail_count : 0);
		g->tails[0] = d->steps - 1;
		g->tail_count = 1;
		return;
	}
	for (size_t i = 0; i < count; i++) {
		size_t lane = 0;
		char branch[24];
		while (lane < used && (lanes[lane].end == 0 || lanes[lane].end > acts[i]->start))
			lane++;
		bool fresh = lane == used && used < LANES;
		used += fresh;
		lane = lane < LANES ? lane : LANES - 1;
		snprintf(branch, sizeof branch, "%zu", lane + 1);
		if (fresh)
			put_step(d, acts[i], branch, g->tails, g->tail_count);
		else
			put_step(d, acts[i], branch, &lanes[lane].last, 1);
		lanes[lane] = (struct lane){acts[i]->end, d->steps - 1};
	}
	g->tail_count = used < STEP_PARENTS ? used : STEP_PARENTS;
	for (size_t i = 0; i < g->tail_count; i++)
		g->tails[i] = lanes[i].last;
}

static void
put_steps(struct draft *d, const struct node *const *acts, size_t count)
{
	struct group g = {0};
	size_t first = 0;
	uint64_t end = 0;

	for (size_t i = 0; i < count; i++) {
		if (i > first && end != UINT64_MAX && acts[i]->start >= end) {
			put_group(d, acts + first, i - first, &g);
			first = i;
			end = 0;
		}
		uint64_t own = acts[i]->end == 0 ? acts[i]->start : acts[i]->end;
		end = own > end ? own : end;
	}
	if (count > first)
		put_group(d, acts + first, count - first, &g);
}

static void
put_trace(struct spans *s, const struct node *nodes, size_t count)
{
	struct place *places = prog_alloc(count, sizeof *places);
	struct around *around = prog_alloc(count, sizeof *around);
	const struct node **acts = prog_alloc(count, sizeof *acts);
	const char *task = NULL, *terminal = "missing";
	size_t act_count = 0;
	bool any = false, failed = false;
	struct draft d = draft_new();

	for (size_t i = 0; i < count; i++)
		places[i] = (struct place){nodes[i].id, i};
	qsort(places, count, sizeof *places, compare_places);
	look_around(nodes, count, places, around);
	for (size_t i = 0; i < count; i++) {
		const struct node *n = &nodes[i];
		task = task ? task : n->task;
		any = any || n->role != PLAIN;
		if ((n->parent == NULL || *n->parent == '\0') && n->end != 0) {
			terminal = n->failed || failed ? "error" : "final";
			failed = failed || n->failed;
		}
		if (n->role == SAFETY_ORACLE || n->role == OUTCOME_ORACLE)
			draft_oracle(&d, n->name, n->role == SAFETY_ORACLE ? "safety" : "outcome",
			    n->pass, jv_invalid(), jv_invalid());
		if (is_act(n) && (!around[i].inner || (n->failed && !around[i].failed_below)))
			acts[act_count++] = n;
	}
	put_steps(&d, acts, act_count);
	draft_text(&d, "run_id", nodes->trace ? nodes->trace : "trace");
	draft_text(&d, "task_id", task ? task : nodes->trace ? nodes->trace : "trace");
	draft_text(&d, "terminal", terminal);
	draft_text(&d, "outcome", failed ? "failure" : NULL);
	if (any) {
		draft_put(&d, s->out);
	} else {
		out_unmapped(s->out, "traces without a span of an agent");
		jv_free(d.rec);
		jv_free(d.states);
		jv_free(d.oracles);
	}
	free(places);
	free(around);
	free(acts);
}

void
spans_put(void *spans)
{
	struct spans *s = spans;

	if (s->count > 0)
		qsort(s->nodes, s->count, sizeof *s->nodes, compare_nodes);
	for (size_t i = 0, n; i < s->count; i += n) {
		for (n = 1;
		     i + n < s->count && texts(s->nodes[i].trace, s->nodes[i + n].trace) == 0;)
			n++;
		put_trace(s, s->nodes + i, n);
	}
	for (size_t i = 0; i < s->count; i++) {
		struct node *n = &s->nodes[i];
		char *texts_of[] = {n->trace, n->id, n->parent, n->name, n->call, n->actor,
		    n->error_class, n->task};
		for (size_t j = 0; j < sizeof texts_of / sizeof *texts_of; j++)
			free(texts_of[j]);
	}
	free(s->nodes);
}

uint64_t
spans_time(const char *text)
{
	struct when w;

	if (!when_read(text, &w) || w.seconds < 0)
		return 0;
	return (uint64_t)w.seconds * 1000000000u + (uint64_t)w.ns;
}
