#include "run.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "ndjson.h"
#include "prog.h"
#include "scenario.h"

const char *const standing_titles[STANDINGS] = {
    "Open", "Could not be judged", "Flaky", "Not confirmed", "Did not show this time", "Fixed"};

struct reading {
	struct run *run;
	jv before, seen;        /* clusters by id */
	jv known_before, known; /* by scenario */
	long wave;
};

static struct trial_row *
row_of(struct run *r, const char *id)
{
	double at = jvx_number(r->index, id, -1);

	if (at >= 0)
		return &r->rows[(size_t)at];
	r->index = jvx_set_number(r->index, id, (double)r->row_count);
	if ((r->row_count & (r->row_count - 1)) == 0) /* at 0, 1, 2, 4: double it */
		r->rows =
		    prog_resize(r->rows, r->row_count ? 2 * r->row_count : 1, sizeof *r->rows);
	r->rows[r->row_count] = (struct trial_row){
	    .id = prog_copy(id, strlen(id)), .scenario = jv_invalid(), .judgement = jv_invalid()};
	return &r->rows[r->row_count++];
}

static void
take_scenario(struct run *r, jv record)
{
	const char *id = jvx_text(record, "id");
	struct trial_row *row = id != NULL ? row_of(r, id) : NULL;

	if (row == NULL || jv_is_valid(row->scenario))
		return;
	row->scenario = jv_copy(record);
	row->title = jvx_text(row->scenario, "title");
}

static void
take_judgement(struct run *r, jv record)
{
	const char *id = jvx_text(record, "scenario"), *agent = jvx_text(record, "agent");

	if (id == NULL)
		return;
	if (r->agent == NULL && agent != NULL)
		r->agent = prog_copy(agent, strlen(agent));
	struct trial_row *row = row_of(r, id);
	jv error = jvx_get(record, "error");
	row->trials++;
	r->trials++;
	if (!jvx_true(record, "pass")) {
		row->fails++;
		r->fails++;
		row->errors += jv_is_valid(error);
		jv_free(row->judgement);
		row->judgement = jv_copy(record);
	}
	jv_free(error);
}

static void
take_transcript(struct run *r, jv record)
{
	const char *id = jvx_text(record, "scenario");
	jv turns = jvx_get(record, "turns");
	double cost = jvx_number(record, "cost_usd", 0);

	r->dollars += cost > 0 ? cost : 0;
	if (id != NULL && jv_get_kind(turns) == JV_KIND_ARRAY)
		jv_array_foreach (turns, i, turn) {
			double ms = jvx_number(turn, "latency_ms", 0);
			row_of(r, id)->ms += ms > 0 ? ms : 0;
			jv_free(turn);
		}
	jv_free(turns);
}

/* The same cluster in two waves is one. */
static jv
merged(jv clusters, jv record)
{
	const char *id = jvx_text(record, "id");
	jv before = jvx_get(clusters, id);
	double n = jvx_number(record, "n", 0) + jvx_number(before, "n", 0);

	record = jvx_set_number(jv_copy(record), "n", n);
	if (jvx_true(before, "new"))
		record = jvx_set(record, "new", jv_true());
	if (jv_is_valid(before)) {
		jv list = jvx_get(before, "scenarios"), more = jvx_get(record, "scenarios");
		if (jv_get_kind(list) == JV_KIND_ARRAY && jv_get_kind(more) == JV_KIND_ARRAY)
			record = jvx_set(record, "scenarios", jv_array_concat(list, more));
		else {
			jv_free(list);
			jv_free(more);
		}
	}
	jv_free(before);
	return jvx_set(clusters, id, record);
}

/* scenario-explore has plain words for why, and they go into each form as they are. */
static bool
is_plain(const char *text)
{
	return text[strspn(text, "abcdefghijklmnopqrstuvwxyz ")] == '\0';
}

static void
take_explored(struct run *r, jv record)
{
	jv dropped = jvx_get(record, "dropped");

	r->proposed += jvx_number(record, "proposed", 0);
	r->kept += jvx_number(record, "kept", 0);
	if (jv_get_kind(dropped) == JV_KIND_OBJECT)
		jv_object_foreach (dropped, why, n) {
			const char *name = jv_string_value(why);
			if (jv_get_kind(n) == JV_KIND_NUMBER && is_plain(name))
				r->dropped = jvx_set_number(r->dropped, name,
				    jvx_number(r->dropped, name, 0) + jv_number_value(n));
			jv_free(why);
			jv_free(n);
		}
	jv_free(dropped);
}

static void
take(struct reading *g, struct ndjson *in)
{
	struct run *r = g->run;
	jv record = ndjson_value(in);
	const char *id = jvx_text(record, "id"), *scenario = jvx_text(record, "scenario");

	if (ndjson_is(in, "scenario"))
		take_scenario(r, record);
	else if (ndjson_is(in, "judgement"))
		take_judgement(r, record);
	else if (ndjson_is(in, "transcript"))
		take_transcript(r, record);
	else if (ndjson_is(in, "wave"))
		r->waves = g->wave = jvx_whole(record, "n", INT_MAX, 0);
	else if (ndjson_is(in, "cluster") && id != NULL && g->wave < 0)
		g->before = jvx_set(g->before, id, jv_copy(record));
	else if (ndjson_is(in, "cluster") && id != NULL)
		g->seen = merged(g->seen, record);
	else if (ndjson_is(in, "known") && scenario != NULL) {
		if (g->wave < 0)
			g->known_before = jvx_set(g->known_before, scenario, jv_copy(record));
		g->known = jvx_set(g->known, scenario, jv_copy(record));
	} else if (ndjson_is(in, "explored"))
		take_explored(r, record);
	else if (ndjson_is(in, "plan")) {
		jv_free(r->plan);
		r->plan = jv_copy(record);
	} else if (ndjson_is(in, "agent") && id != NULL && r->agent == NULL)
		r->agent = prog_copy(id, strlen(id));
	jv_free(record);
}

static int
rank_of_status(const char *status)
{
	static const char *const order[] = {"fixed", "unconfirmed", "flaky", "open"};

	for (int i = 0; status != NULL && i < 4; i++)
		if (strcmp(status, order[i]) == 0)
			return i;
	return -1;
}

/* Of the scenarios that showed this bug, the one that stands worst. */
static jv
worst_known(jv known, const char *cluster)
{
	jv worst = jv_invalid();
	int rank = -1;

	jv_object_foreach (known, id, record) {
		const char *its = jvx_text(record, "cluster");
		int r = rank_of_status(jvx_text(record, "status"));
		if (its != NULL && strcmp(its, cluster) == 0 && r > rank) {
			jv_free(worst);
			worst = jv_copy(record);
			rank = r;
		}
		jv_free(id);
		jv_free(record);
	}
	return worst;
}

static bool
judge_failed(jv cluster)
{
	jv kinds = jvx_get(cluster, "kinds");
	bool failed = false;

	if (jv_get_kind(kinds) == JV_KIND_ARRAY)
		jv_array_foreach (kinds, i, kind) {
			failed = failed || (jv_get_kind(kind) == JV_KIND_STRING &&
					       strcmp(jv_string_value(kind), "judge_error") == 0);
			jv_free(kind);
		}
	jv_free(kinds);
	return failed;
}

static const char *
example_reason(jv record)
{
	jv examples = jvx_get(record, "examples"), first;
	const char *reason;

	if (jv_get_kind(examples) != JV_KIND_ARRAY) {
		jv_free(examples);
		return NULL;
	}
	first = jv_array_get(examples, 0);
	reason = jvx_text(first, "reason"); /* record holds it */
	jv_free(first);
	return reason;
}

static void
add_bug(struct run *r, jv cluster, jv known, enum standing standing)
{
	r->bugs = prog_resize(r->bugs, r->bug_count + 1, sizeof *r->bugs);
	struct bug *b = &r->bugs[r->bug_count++];
	*b = (struct bug){.standing = standing, .record = jv_copy(cluster)};
	b->id = jvx_text(b->record, "id");
	b->title = jvx_text(b->record, "title");
	b->reason = example_reason(b->record);
	b->severity = scenario_severity(jvx_text(b->record, "severity"));
	b->n = (size_t)jvx_whole(b->record, "n", INT_MAX, 0);
	b->fresh = jvx_true(b->record, "new");
	b->fails = jvx_number(known, "fails", 0);
	b->trials = jvx_number(known, "trials", 0);
	b->lo = jvx_number(known, "lo", 0);
	b->hi = jvx_number(known, "hi", 1);
	b->clean = jvx_number(known, "clean", 0);
	b->needs = jvx_number(known, "needs", 0);
	r->counts[standing]++;
}

static void
add_seen(struct reading *g)
{
	static const enum standing by_rank[] = {UNCONFIRMED, UNCONFIRMED, FLAKY, OPEN};

	jv_object_foreach (g->seen, id, cluster) {
		jv known = worst_known(g->known, jv_string_value(id));
		int rank = rank_of_status(jvx_text(known, "status"));
		add_bug(g->run, cluster, known,
		    judge_failed(cluster) ? JUDGE : by_rank[rank < 0 ? 0 : rank]);
		jv_free(known);
		jv_free(cluster);
		jv_free(id);
	}
}

/* What was known and did not show: still open, or fixed now. */
static void
add_unseen(struct reading *g)
{
	jv_object_foreach (g->before, id, cluster) {
		const char *name = jv_string_value(id);
		jv seen = jvx_get(g->seen, name), known = worst_known(g->known, name);
		jv before = worst_known(g->known_before, name);
		int now = rank_of_status(jvx_text(known, "status")),
		    then = rank_of_status(jvx_text(before, "status"));
		if (!jv_is_valid(seen) && now > 1)
			add_bug(g->run, cluster, known, QUIET);
		else if (!jv_is_valid(seen) && now == 0 && then > 1)
			add_bug(g->run, cluster, known, FIXED);
		jv_free(seen);
		jv_free(known);
		jv_free(before);
		jv_free(cluster);
		jv_free(id);
	}
}

static int
by_weight(const void *a, const void *b)
{
	const struct bug *x = a, *y = b;

	if (x->standing != y->standing)
		return x->standing < y->standing ? -1 : 1;
	if (x->fresh != y->fresh)
		return x->fresh ? -1 : 1;
	if (x->severity != y->severity)
		return y->severity - x->severity;
	return strcmp(x->id, y->id);
}

static bool
lists(jv record, const char *scenario)
{
	jv list = jvx_get(record, "scenarios");
	bool found = false;

	if (jv_get_kind(list) == JV_KIND_ARRAY)
		jv_array_foreach (list, i, item) {
			found = found || (jv_get_kind(item) == JV_KIND_STRING &&
					     strcmp(jv_string_value(item), scenario) == 0);
			jv_free(item);
		}
	jv_free(list);
	return found;
}

static void
join_rows(struct run *r)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->row_count; i++) {
		struct trial_row *row = &r->rows[i];
		if (row->trials == 0) { /* planned, and not tried */
			free(row->id);
			jv_free(row->scenario);
			jv_free(row->judgement);
			continue;
		}
		row->standing = UNCONFIRMED;
		for (size_t b = 0; row->fails > 0 && row->cluster == NULL && b < r->bug_count; b++)
			if (r->bugs[b].standing < QUIET && lists(r->bugs[b].record, row->id)) {
				row->cluster = prog_copy(r->bugs[b].id, strlen(r->bugs[b].id));
				row->standing = r->bugs[b].standing;
			}
		r->rows[kept++] = *row;
	}
	r->row_count = kept;
}

struct run
run_read(char *const files[])
{
	struct run r = {.plan = jv_invalid(), .dropped = jv_object(), .index = jv_object()};
	struct reading g = {&r, jv_object(), jv_object(), jv_object(), jv_object(), -1};
	struct ndjson *in = ndjson_open(files);

	while (ndjson_next(in))
		take(&g, in);
	r.whole = ndjson_close(in, stdout);
	add_seen(&g);
	add_unseen(&g);
	if (r.bug_count > 0)
		qsort(r.bugs, r.bug_count, sizeof *r.bugs, by_weight);
	join_rows(&r);
	if (r.agent == NULL)
		r.agent = prog_copy("agent", 5);
	jv_free(g.before);
	jv_free(g.seen);
	jv_free(g.known);
	jv_free(g.known_before);
	return r;
}

int
run_gravest(const struct run *r)
{
	int gravest = -1;

	for (size_t i = 0; i < r->bug_count; i++) {
		if (r->bugs[i].standing == JUDGE)
			return 4;
		if (r->bugs[i].standing == OPEN && r->bugs[i].severity > gravest)
			gravest = r->bugs[i].severity;
	}
	return gravest;
}

void
run_free(struct run *r)
{
	for (size_t i = 0; i < r->bug_count; i++)
		jv_free(r->bugs[i].record);
	for (size_t i = 0; i < r->row_count; i++) {
		free(r->rows[i].id);
		free(r->rows[i].cluster);
		jv_free(r->rows[i].scenario);
		jv_free(r->rows[i].judgement);
	}
	free(r->bugs);
	free(r->rows);
	free(r->agent);
	jv_free(r->plan);
	jv_free(r->dropped);
	jv_free(r->index);
}
