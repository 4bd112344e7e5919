/* join: one clock for all contexts, one list of actions for runner and library, one tree. */
#include "segment.h"

#include <stdlib.h>
#include <string.h>

double
wall_of(const struct context *c, double time)
{
	return time + c->offset;
}

/*
 * A context-options record reads both clocks from format 7 on; before, the first action does.  A
 * trace with neither is put where the trace begins.
 */
void
clocks_align(struct segment *s)
{
	double base = NAN;

	for (size_t i = 0; i < s->contexts.count; i++) {
		struct context *c = s->contexts.at[i];
		bool paired = c->wall > 0 && c->wall < 1e15 && !isnan(c->mono);
		if (!paired && c->began > 0 && c->began < 1e15) {
			c->wall = c->began;
			c->mono = isnan(c->first) ? 0 : c->first;
			paired = true;
		}
		c->offset = paired ? c->wall - c->mono : NAN;
		if (isnan(base))
			base = c->offset;
	}
	for (size_t i = 0; i < s->contexts.count; i++)
		if (isnan(s->contexts.at[i]->offset))
			s->contexts.at[i]->offset = isnan(base) ? 0 : base;
}

static int
by_number(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/*
 * Hosts disagree about the time of day when the browser is remote.  A step and its call begin
 * together, so the median of what lies between them is the skew.
 */
static void
mend_skew(struct segment *s, struct context *c)
{
	LIST(double) apart = {0};

	for (size_t i = 0; i < s->actions.count; i++) {
		struct action *a = s->actions.at[i];
		if (a->twin == NULL || a->twin->context != c || isnan(a->start + a->twin->start))
			continue;
		*LIST_ADD(apart) = wall_of(c, a->twin->start) - wall_of(a->context, a->start);
	}
	if (apart.count > 0) {
		qsort(apart.at, apart.count, sizeof *apart.at, by_number);
		double skew = apart.at[apart.count / 2];
		if (fabs(skew) > 1000)
			c->offset -= skew;
	}
	free(apart.at);
}

/* What joins a call to its step: stepId in 7 to 9, its own id in 10, name and wall time before. */
static const char *
key_of(struct segment *s, const struct action *a)
{
	struct buf b = {0};

	if (!a->context->runner && a->step_id != NULL)
		return a->step_id;
	if (a->wall > 0 && a->title != NULL) {
		buf_format(&b, "%s@%.3f", a->title, a->wall);
		const char *key = words_keep(s->words, b.data, b.len);
		buf_free(&b);
		return key;
	}
	return a->context->runner || !begins(a->id, "call@") ? a->id : NULL;
}

static void
join(struct segment *s)
{
	struct pairs *steps = pairs_new();

	for (size_t i = 0; i < s->actions.count; i++) {
		struct action *a = s->actions.at[i];
		if (!a->context->runner)
			continue;
		const char *key = key_of(s, a);
		/* Equal keys are possible up to format 6; each is used once, in order. */
		if (key != NULL && pairs_get(steps, key, NULL) == NULL)
			pairs_set(steps, key, NULL, a);
		if (a->id != NULL && pairs_get(steps, a->id, NULL) == NULL)
			pairs_set(steps, a->id, NULL, a);
	}
	for (size_t i = 0; i < s->actions.count; i++) {
		struct action *call = s->actions.at[i];
		const char *key = call->context->runner ? NULL : key_of(s, call);
		struct action *step = key == NULL ? NULL : pairs_get(steps, key, NULL);
		if (step == NULL || step->twin != NULL || step == call)
			continue;
		step->twin = call;
		call->step = step;
	}
	pairs_free(steps);
}

/* Of what is said twice the runner's word counts; what only the library says is added. */
static void
fold(struct action *step)
{
	struct action *call = step->twin;

	if (step->params.at == NULL)
		step->params = call->params;
	if (step->stack.at == NULL)
		step->stack = call->stack;
	if (step->title == NULL)
		step->title = call->title;
	if (isnan(step->end) && step->message == NULL) {
		step->end = call->end;
		step->message = call->message;
	}
	step->page = call->page;
	step->received = call->received;
	if (call->log_count > 0) {
		free(step->log);
		step->log = call->log;
		step->log_count = call->log_count;
		step->log_size = call->log_size;
		call->log = NULL;
		call->log_count = call->log_size = 0;
	}
}

static struct action *
parent_of(struct segment *s, const struct action *a, const struct context *runner)
{
	struct action *p;

	if (a->parent_id == NULL)
		return NULL;
	p = pairs_get(s->ids, a->context, a->parent_id);
	if (p == NULL && runner != NULL)
		p = pairs_get(s->ids, runner, a->parent_id);
	return p;
}

/*
 * Parents are given by id.  A loop is possible (#30641 at Playwright) and is cut where it closes:
 * the step whose chain comes back to itself stands at the top.
 */
static void
grow_tree(struct segment *s)
{
	const struct context *runner = NULL;

	for (size_t i = 0; i < s->contexts.count; i++)
		if (s->contexts.at[i]->runner)
			runner = s->contexts.at[i];
	for (size_t i = 0; i < s->actions.count; i++) {
		struct action *a = s->actions.at[i];
		struct action *p = parent_of(s, a, runner);
		if (p != NULL && p->step != NULL)
			p = p->step;
		if (p == NULL || p == a)
			continue;
		/* Those read before hold no loop, so this walk ends. */
		unsigned depth = 1;
		const struct action *up = p;
		while (up->parent != NULL && up != a) {
			up = up->parent;
			depth++;
		}
		if (up != a && depth < 1000)
			a->parent = p;
	}
}

static void
set_depths(struct segment *s)
{
	for (size_t i = 0; i < s->actions.count; i++) {
		struct action *a = s->actions.at[i];
		for (const struct action *up = a; up != NULL; up = up->parent) {
			a->depth += up != a;
			if (same(up->title, "After Hooks") || same(up->title, "Worker Cleanup"))
				a->after_hooks = true;
		}
	}
}

static int
by_start(const void *a, const void *b)
{
	const struct action *x = *(struct action *const *)a, *y = *(struct action *const *)b;
	double s = wall_of(x->context, x->start), t = wall_of(y->context, y->start);

	if (s != t && !isnan(s) && !isnan(t))
		return s < t ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

void
actions_join(struct segment *s)
{
	for (size_t i = 0; i < s->contexts.count; i++)
		stacks_give(s, s->contexts.at[i]);
	join(s);
	for (size_t i = 0; i < s->contexts.count; i++)
		mend_skew(s, s->contexts.at[i]);
	for (size_t i = 0; i < s->actions.count; i++)
		if (s->actions.at[i]->twin != NULL)
			fold(s->actions.at[i]);
	grow_tree(s);
	set_depths(s);
	for (size_t i = 0; i < s->actions.count; i++)
		if (isnan(s->actions.at[i]->start)) /* a sort needs a total order */
			s->actions.at[i]->start = s->actions.at[i]->context->first;
	if (s->actions.count > 0)
		qsort(s->actions.at, s->actions.count, sizeof *s->actions.at, by_start);
	s->zero = s->until = NAN;
	for (size_t i = 0; i < s->contexts.count; i++) {
		const struct context *c = s->contexts.at[i];
		double first = wall_of(c, c->first), last = wall_of(c, c->last);
		if (!isnan(first) && !(s->zero <= first))
			s->zero = first;
		if (!isnan(last) && !(s->until >= last))
			s->until = last;
	}
	size_t number = 0;
	for (size_t i = 0; i < s->actions.count; i++)
		if (s->actions.at[i]->step == NULL)
			s->actions.at[i]->number = ++number;
}
