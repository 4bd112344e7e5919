#include "assign.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "prog.h"

struct assigner {
	struct rules rules;
	const char *start, *unknown, *disputed;
	long *recovered, *ambiguous;
	unsigned char *mark; /* one a state: scratch of reaches() */
	size_t size;
};

/* What can fail: a state, or an oracle that names one. */
struct candidate {
	size_t at;                   /* index of the state */
	const struct oracle *oracle; /* NULL: the state's own status */
};

static const char *
intern(const struct assigner *a, const char *text)
{
	return map_intern(a->rules.map, text, strlen(text));
}

static const char *
pseudo(const struct assigner *a, const char *prefix, const char *name)
{
	struct buf b = {0};

	buf_format(&b, "%s:%s", prefix, name);
	const char *made = intern(a, b.data);
	buf_free(&b);
	return made;
}

struct assigner *
assigner_new(const struct rules *rules)
{
	struct assigner *a = prog_alloc(1, sizeof *a);

	a->rules = *rules;
	a->start = intern(a, "START");
	a->unknown = intern(a, "UNKNOWN");
	a->disputed = intern(a, "DISPUTED");
	return a;
}

void
assigner_free(struct assigner *a)
{
	free(a->recovered);
	free(a->ambiguous);
	free(a->mark);
	free(a);
}

static void
make_room(struct assigner *a, size_t states)
{
	if (states <= a->size)
		return;
	a->size = states * 2;
	a->recovered = prog_resize(a->recovered, a->size, sizeof *a->recovered);
	a->ambiguous = prog_resize(a->ambiguous, a->size, sizeof *a->ambiguous);
	a->mark = prog_resize(a->mark, a->size, 1);
}

/* Mark the ancestors of a state, itself included; parents stand before their children. */
static void
mark_ancestors(struct assigner *a, const struct run *r, size_t at)
{
	memset(a->mark, 0, r->state_count);
	a->mark[at] = 1;
	for (size_t i = at + 1; i-- > 0;) {
		if (!a->mark[i])
			continue;
		for (size_t j = 0; j < r->states[i].parent_count; j++)
			a->mark[run_find(r, r->states[i].parents[j])] = 1;
	}
}

/* True when the state at early happens before the one at late. */
static bool
happens_before(struct assigner *a, const struct run *r, size_t early, size_t late)
{
	if (early >= late)
		return false;
	/* One line without branches, the usual run: order is enough. */
	bool line = true;
	for (size_t i = early + 1; i <= late && line; i++)
		line = r->states[i].branch == r->states[early].branch &&
		       !r->states[i].parent_missing && r->states[i].parent_count == 1 &&
		       r->states[i].parents[0] == r->states[i - 1].i;
	if (line)
		return true;
	mark_ancestors(a, r, late);
	return a->mark[early];
}

static bool
same(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* R0. */
static enum verdict
judge(const struct run *r, struct assignment *made, bool labelled)
{
	int outcome = -1;
	bool safe = true;

	for (size_t i = 0; i < r->oracle_count; i++) {
		const struct oracle *o = &r->oracles[i];
		if (o->kind == OUTCOME && o->pass >= 0)
			outcome = outcome == 0 ? 0 : o->pass;
		if ((o->kind == SAFETY || o->kind == SIDE_EFFECT) && o->pass == 0)
			safe = false;
	}
	int said = r->outcome == SUCCESS ? 1 : r->outcome == FAILURE ? 0 : -1;
	made->contradicted = outcome >= 0 && said >= 0 && outcome != said;
	if (outcome < 0)
		outcome = said;
	made->unsafe = outcome == 1 && !safe;
	if (outcome == 0 || made->unsafe)
		return FAILED;
	if (outcome == 1)
		return SUCCEEDED;
	return labelled ? FAILED : UNSCORED;
}

/* R4: a later state made good what the one at index i failed to do. */
static bool
is_recovered(struct assigner *a, const struct run *r, size_t i)
{
	const struct state *c = &r->states[i];

	for (size_t j = i + 1; j < r->state_count; j++) {
		const struct state *e = &r->states[j];
		if (e->status != OK)
			continue;
		bool named = false;
		for (size_t k = 0; k < e->recover_count; k++)
			named = named || e->recovers[k] == c->i;
		bool alike = c->milestone != NULL ? e->milestone == c->milestone
						  : e->means->state == c->means->state;
		if (c->tool)
			alike = alike && same(c->key, e->key);
		bool join = e->parent_count > 1; /* it went on without the branch that failed */
		if (!named && !alike && !join)
			continue;
		if (e->branch == c->branch && !join)
			return true;
		if (happens_before(a, r, i, j))
			return true;
	}
	return false;
}

static bool
has_failed(const struct state *s)
{
	return (s->status == FAIL || s->status == DENIED || s->status == TIMED_OUT) &&
	       !s->means->ignore;
}

/* The failing oracle that points at a state, or NULL. */
static const struct oracle *
oracle_at(const struct run *r, long i)
{
	for (size_t k = 0; k < r->oracle_count; k++)
		if (r->oracles[k].pass == 0 && r->oracles[k].at == i)
			return &r->oracles[k];
	return NULL;
}

/* R3 to R5. */
static bool
first_candidate(
    struct assigner *a, const struct run *r, struct assignment *made, struct candidate *first)
{
	bool any = false;

	for (size_t i = 0; i < r->state_count; i++) {
		const struct oracle *o = oracle_at(r, r->states[i].i);
		if (o == NULL && !has_failed(&r->states[i]))
			continue;
		if (o == NULL && a->rules.policy == FIRST_UNRECOVERED && is_recovered(a, r, i)) {
			a->recovered[made->recovered_count++] = r->states[i].i;
			continue;
		}
		if (!any) {
			*first = (struct candidate){i, o};
			any = true;
			continue;
		}
		if (happens_before(a, r, first->at, i))
			continue;
		/* Neither came first: the smaller branch, and the other is said. */
		size_t other = i;
		if (strcmp(r->states[i].branch, r->states[first->at].branch) < 0) {
			other = first->at;
			*first = (struct candidate){i, o};
		}
		a->ambiguous[made->ambiguous_count++] = r->states[other].i;
	}
	return any;
}

/* R7: index of the latest good state on the ancestry of the one at index at; state_count: none. */
static size_t
last_good(struct assigner *a, const struct run *r, size_t at)
{
	mark_ancestors(a, r, at);
	for (size_t i = at; i-- > 0;)
		if (a->mark[i] && r->states[i].status == OK && !r->states[i].means->ignore)
			return i;
	return r->state_count;
}

/* True when the ancestry of a state leads to something that was not recorded. */
static bool
leads_out(struct assigner *a, const struct run *r, size_t at)
{
	mark_ancestors(a, r, at);
	for (size_t i = 0; i <= at; i++)
		if (a->mark[i] && r->states[i].parent_missing)
			return true;
	return false;
}

static size_t
last_good_of_all(const struct run *r)
{
	for (size_t i = r->state_count; i-- > 0;)
		if (r->states[i].status == OK && !r->states[i].means->ignore)
			return i;
	return r->state_count;
}

/* Visits of the state up to here (a run of equal neighbours is one), and tries in this visit. */
static void
count_visits(const struct run *r, size_t at, struct assignment *made)
{
	const struct state *s = &r->states[at], *before = NULL;

	made->occurrence = 0;
	made->attempts = 0;
	for (size_t i = 0; i < r->state_count; i++) {
		const struct state *e = &r->states[i];
		if (e->branch != s->branch || e->means->ignore)
			continue;
		bool here = e->means->state == s->means->state;
		bool visit = here && (before == NULL || before->means->state != e->means->state);
		if (visit && i <= at)
			made->occurrence++;
		if (here && i >= at && e->status != OK && (i == at || !visit))
			made->attempts++;
		if (i > at && !here)
			break;
		before = e;
	}
	if (made->occurrence == 0)
		made->occurrence = 1;
}

static void
name_last(struct assigner *a, const struct run *r, size_t last, size_t at, struct assignment *made)
{
	if (last < r->state_count) {
		made->last = r->states[last].means->state;
		made->milestone_last = r->states[last].milestone;
		for (size_t i = last + 1; made->milestone_last == NULL && i-- > 0;)
			if (r->states[i].status == OK &&
			    r->states[i].branch == r->states[last].branch)
				made->milestone_last = r->states[i].milestone;
		return;
	}
	made->last = at < r->state_count && leads_out(a, r, at) ? a->unknown : a->start;
}

/* Where a repair would be made: by the receipt, then by the edge, then by the map. */
static enum layer
evidence_layer(const struct run *r, size_t last, size_t at, const struct assignment *made)
{
	static const struct {
		const char *part;
		enum layer layer;
	} classes[] = {{"invalid", TOOL_SCHEMA}, {"argument", TOOL_SCHEMA}, {"schema", TOOL_SCHEMA},
	    {"validation", TOOL_SCHEMA}, {"wrong_tool", ROUTER}, {"unknown_tool", ROUTER},
	    {"wrong_agent", ROUTER}, {"forbidden", POLICY}, {"denied", POLICY},
	    {"unconfirmed", POLICY}, {"unavailable", EXTERNAL}, {"outage", EXTERNAL},
	    {"network", EXTERNAL}, {"rate_limit", EXTERNAL}, {"misread", FEEDBACK}};
	const struct state *s = &r->states[at];

	for (size_t i = 0; s->error_class != NULL && i < sizeof classes / sizeof *classes; i++)
		if (strstr(s->error_class, classes[i].part) != NULL)
			return classes[i].layer;
	if (s->status == DENIED)
		return POLICY;
	if (last < r->state_count && s->actor != NULL && r->states[last].actor != NULL &&
	    s->actor != r->states[last].actor)
		return HANDOFF;
	if (made->attempts > 1 && s->tool && at + 1 < r->state_count && s->args != NULL &&
	    r->states[at + 1].means == s->means && same(s->args, r->states[at + 1].args))
		return FEEDBACK;
	return s->means->layer != NO_LAYER ? s->means->layer : PROMPT;
}

static double
impact_of(const struct run *r, const struct state *s)
{
	double severity = 0, effect = 1;

	for (size_t i = 0; i < r->oracle_count; i++)
		if (r->oracles[i].pass == 0)
			severity = fmax(severity, r->oracles[i].severity);
	severity = fmin(3, fmax(0, severity)) + 1;
	if (s != NULL && !isnan(s->means->impact))
		return s->means->impact * r->impact;
	if (s != NULL && s->effect != NULL)
		effect = strcmp(s->effect, "external") == 0 ? 3
			 : strcmp(s->effect, "write") == 0  ? 2
							    : 1;
	return severity * effect * r->impact;
}

/* The cell of a state that failed, or was still open at the end. */
static void
place_state(struct assigner *a, const struct run *r, struct candidate c, struct assignment *made)
{
	const struct state *s = &r->states[c.at];
	size_t last = last_good(a, r, c.at);

	made->at = s->i;
	made->attempted = s->means->state;
	made->milestone_attempted = s->milestone;
	count_visits(r, c.at, made);
	made->layer = evidence_layer(r, last, c.at, made);
	if (c.oracle != NULL && c.oracle->kind != OUTCOME && s->means->layer == NO_LAYER)
		made->layer = POLICY;
	name_last(a, r, last, c.at, made);
	made->impact = impact_of(r, s);
}

/* The cell of what no state did. */
static void
place_pseudo(struct assigner *a, const struct run *r, const char *attempted, enum layer layer,
    struct assignment *made)
{
	made->attempted = attempted;
	made->layer = layer;
	made->occurrence = made->attempts = 1;
	name_last(a, r, last_good_of_all(r), r->state_count, made);
	made->impact = impact_of(r, NULL);
}

static bool
stands_in(const struct names *list, size_t from, const char *name)
{
	for (size_t i = from; i < list->count; i++)
		if (list->name[i] == name)
			return true;
	return false;
}

/* R6: where what was done first leaves what was expected. */
static void
place_divergence(
    struct assigner *a, const struct run *r, const struct oracle *o, struct assignment *made)
{
	size_t e = 0, w = 0;

	while (e < o->expected.count || w < o->observed.count) {
		bool more = e < o->expected.count, done = w < o->observed.count;
		if (more && done && o->expected.name[e] == o->observed.name[w]) {
			e++;
			w++;
			continue;
		}
		if (more && !(done && stands_in(&o->observed, w, o->expected.name[e]))) {
			place_pseudo(a, r, o->expected.name[e], PROMPT, made);
			made->milestone_attempted = o->expected.name[e];
			return;
		}
		place_pseudo(a, r, pseudo(a, "EXTRA", o->observed.name[w]), POLICY, made);
		return;
	}
	place_pseudo(a, r, pseudo(a, "OUTCOME", o->name), PROMPT, made);
}

static const struct oracle *
failing(const struct run *r, bool with_milestones, bool unsafe)
{
	for (size_t i = 0; i < r->oracle_count; i++) {
		const struct oracle *o = &r->oracles[i];
		bool is_unsafe = o->kind == SAFETY || o->kind == SIDE_EFFECT;
		if (o->pass == 0 && o->at < 0 && o->has_expected == with_milestones &&
		    is_unsafe == unsafe)
			return o;
	}
	return NULL;
}

static const char *
end_name(enum terminal t)
{
	switch (t) {
	case TIMEOUT_END: return "TIMEOUT";
	case BUDGET: return "BUDGET";
	case CANCELLED: return "CANCELLED";
	case ABANDONED: return "ABANDONED";
	case MISSING: return "MISSING_END";
	default: return NULL;
	}
}

/* R6, R8 and R9: no state failed, or what failed was made good. */
static void
place_rest(struct assigner *a, const struct run *r, struct assignment *made)
{
	const struct oracle *milestones = failing(r, true, false),
			    *outcome = failing(r, false, false);
	const struct oracle *unsafe = failing(r, false, true);
	const char *end = end_name(r->terminal);

	if (r->state_count == 0) {
		made->rule = "R9";
		place_pseudo(a, r, intern(a, end ? end : "MISSING_END"),
		    r->terminal == ABANDONED ? EXTERNAL : PROMPT, made);
		return;
	}
	made->rule = "R6";
	if (milestones == NULL)
		milestones = failing(r, true, true);
	if (milestones != NULL) {
		place_divergence(a, r, milestones, made);
		return;
	}
	if (r->terminal != FINAL) {
		for (size_t i = 0; i < r->state_count; i++) {
			if (r->states[i].status != OPEN || r->states[i].means->ignore)
				continue;
			made->rule = "R8";
			place_state(a, r, (struct candidate){i, NULL}, made);
			return;
		}
	}
	if (end != NULL) {
		place_pseudo(
		    a, r, intern(a, end), r->terminal == ABANDONED ? EXTERNAL : PROMPT, made);
		return;
	}
	if (unsafe != NULL)
		place_pseudo(a, r, pseudo(a, "SAFETY", unsafe->name), POLICY, made);
	else if (outcome != NULL)
		place_pseudo(a, r, pseudo(a, "OUTCOME", outcome->name), PROMPT, made);
	else
		place_pseudo(a, r, a->unknown, PROMPT, made);
}

/* R1 and R2: true when people decided the cell. */
static bool
place_labelled(struct assigner *a, const struct run *r, const struct adjudication *final,
    struct assignment *made)
{
	const struct label *l = r->labels;
	bool agree = r->label_count > 0 && l[0].last != NULL && l[0].attempted != NULL;

	if (final != NULL) {
		made->rule = "R1";
		made->last = final->last;
		made->attempted = final->attempted;
		made->layer = final->layer != NO_LAYER ? final->layer : made->layer;
		return true;
	}
	for (size_t i = 1; i < r->label_count && agree; i++)
		agree = l[i].last == l[0].last && l[i].attempted == l[0].attempted;
	if (agree) {
		made->rule = "R2";
		made->last = l[0].last;
		made->attempted = l[0].attempted;
		made->layer = l[0].layer != NO_LAYER ? l[0].layer : made->layer;
		return true;
	}
	if (r->label_count > 1 && a->rules.disputed == DISPUTED_APART) {
		made->rule = "R2";
		made->last = made->attempted = a->disputed;
		made->milestone_last = made->milestone_attempted = a->disputed;
		return true;
	}
	return false;
}

static void
place_milestones(struct assigner *a, const struct run *r, struct assignment *made)
{
	size_t count;
	const char *const *required = map_required(a->rules.map, &count);

	if (made->milestone_last == NULL)
		made->milestone_last = a->start;
	for (size_t i = 0; made->milestone_attempted == NULL && i < count; i++) {
		bool reached = false;
		for (size_t j = 0; j < r->state_count; j++)
			reached =
			    reached || (r->states[j].milestone == required[i] &&
					   r->states[j].status == OK && r->states[j].i != made->at);
		if (!reached)
			made->milestone_attempted = required[i];
	}
	if (made->milestone_attempted == NULL)
		made->milestone_attempted = made->attempted;
}

static void
look_at_shape(const struct run *r, struct assignment *made)
{
	for (size_t i = 1; i < r->state_count && !made->branches; i++)
		made->branches = r->states[i].branch != r->states[0].branch;
	/* A state that comes again later; neighbours are tries of one visit. */
	for (size_t i = 2; i < r->state_count && i < 64 && !made->revisits; i++)
		for (size_t j = 0; j + 1 < i && !made->revisits; j++)
			made->revisits = r->states[j].means->state == r->states[i].means->state &&
					 r->states[i - 1].means->state != r->states[i].means->state;
}

struct assignment
assign(struct assigner *a, const struct run *r, const struct adjudication *final)
{
	struct assignment made = {.at = -1, .layer = PROMPT, .impact = r->impact};
	struct candidate first;

	make_room(a, r->state_count);
	made.recovered = a->recovered;
	made.ambiguous = a->ambiguous;
	made.verdict = judge(r, &made, r->label_count > 0 || final != NULL);
	if (made.verdict != FAILED)
		return made;
	if (first_candidate(a, r, &made, &first)) {
		made.rule = "R5";
		place_state(a, r, first, &made);
	} else {
		place_rest(a, r, &made);
	}
	place_labelled(a, r, final, &made);
	place_milestones(a, r, &made);
	look_at_shape(r, &made);
	made.recovered = a->recovered;
	made.ambiguous = a->ambiguous;
	return made;
}
