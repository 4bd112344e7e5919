/* wave-plan: of a run of autoqa so far, what comes next, or why it ends. */
#include <err.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "confine.h"
#include "ndjson.h"
#include "prog.h"
#include "scenario.h"
#include "stats.h"

static const char help[] =
    "wave-plan [-b batch] [-C dollars] [-e seconds] [-N dry] [-r trials] [-S seconds]\n"
    "                 [-T trials] [-W waves] [-x count] [file ...]\n"
    "\n"
    "Reads all records of a run and writes a plan record, and behind it the scenarios to run:\n"
    "do is run, confirm (what failed, again), close (the wave is over), explore or stop.\n"
    "\n"
    "  -T, -C, -S, -W, -N  the run ends at so many trials, dollars, seconds, waves of "
    "exploration,\n"
    "                      or such waves in a row without a new cluster (2), whichever comes "
    "first\n"
    "  -e seconds  the time that it took so far    -b batch   run so many scenarios at once (50)\n"
    "  -r trials   until a failure is confirmed (5) -x count  explore so many scenarios (10)\n"
    "\n"
    "  $ cat run/[0-9]*.ndjson | wave-plan -T 500 -W 5";

struct limits {
	double trials, dollars, seconds, waves;
	long dry, confirm, batch, count;
};

/* A scenario, and what this run did with it. */
struct item {
	jv scenario;
	char *id;
	long wave, trials, fails, errors;
	double bad;
	size_t place;
};

struct state {
	struct item *items;
	size_t count;
	jv index;    /* of items, by scenario */
	jv known;    /* by scenario: standing before the run */
	jv clusters; /* by id: how many scenarios of this run */
	long wave;
	bool closed;
	long news;                /* new clusters in this wave */
	long dry;                 /* waves of exploration in a row without one */
	long trials, tried_since; /* tried_since: scenarios since the last new cluster */
	double dollars;
};

static struct item *
item_of(struct state *s, const char *id)
{
	double at = id == NULL ? -1 : jvx_number(s->index, id, -1);

	return at < 0 ? NULL : &s->items[(size_t)at];
}

static void
take_scenario(struct state *s, jv record)
{
	const char *id = jvx_text(record, "id");

	if (id == NULL || item_of(s, id) != NULL) /* agent-run passes it on */
		return;
	if ((s->count & (s->count - 1)) == 0) /* at 0, 1, 2, 4: double it */
		s->items = prog_resize(s->items, s->count ? 2 * s->count : 1, sizeof *s->items);
	s->index = jvx_set_number(s->index, id, (double)s->count);
	s->items[s->count] = (struct item){.scenario = jv_copy(record),
	    .id = prog_copy(id, strlen(id)),
	    .wave = s->wave,
	    .place = s->count};
	s->count++;
}

static void
take_judgement(struct state *s, jv record)
{
	struct item *item = item_of(s, jvx_text(record, "scenario"));
	jv error = jvx_get(record, "error");

	s->trials++;
	if (item != NULL) {
		s->tried_since += item->trials == 0;
		item->trials++;
		item->fails += !jvx_true(record, "pass") && !jv_is_valid(error);
		item->errors += jv_is_valid(error);
	}
	jv_free(error);
}

static void
take_wave(struct state *s, jv record)
{
	if (jvx_true(record, "closed")) {
		s->closed = true;
		if (s->wave > 0)
			s->dry = s->news > 0 ? 0 : s->dry + 1;
		return;
	}
	s->wave = jvx_whole(record, "n", INT_MAX, 0);
	s->closed = false;
	s->news = 0;
}

static void
take_cluster(struct state *s, jv record)
{
	const char *id = jvx_text(record, "id");
	jv its = jvx_get(record, "scenarios");
	int n = jv_get_kind(its) == JV_KIND_ARRAY ? jv_array_length(jv_copy(its)) : 0;

	jv_free(its);
	if (id == NULL || s->wave < 0) /* of earlier runs */
		return;
	if (jvx_true(record, "new")) {
		s->news++;
		s->tried_since = 0;
	}
	s->clusters = jvx_set_number(s->clusters, id, jvx_number(s->clusters, id, 0) + n);
}

static void
take_cost(struct state *s, jv record, const char *name)
{
	double dollars = jvx_number(record, name, 0);

	s->dollars += dollars > 0 ? dollars : 0;
}

static void
take(struct state *s, struct ndjson *in)
{
	jv record = ndjson_value(in);
	const char *scenario = jvx_text(record, "scenario");

	if (ndjson_is(in, "scenario"))
		take_scenario(s, record);
	else if (ndjson_is(in, "judgement"))
		take_judgement(s, record);
	else if (ndjson_is(in, "wave"))
		take_wave(s, record);
	else if (ndjson_is(in, "cluster"))
		take_cluster(s, record);
	else if (ndjson_is(in, "known") && s->wave < 0 && scenario != NULL)
		s->known = jvx_set(s->known, scenario, jv_copy(record));
	else if (ndjson_is(in, "transcript"))
		take_cost(s, record, "cost_usd");
	else if (ndjson_is(in, "span")) {
		jv attributes = jvx_get(record, "attributes");
		take_cost(s, jv_is_valid(attributes) ? attributes : record, "rcakit.cost_usd");
		jv_free(attributes);
	}
	jv_free(record);
}

static int
worst_first(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->wave != y->wave)
		return x->wave < y->wave ? -1 : 1;
	if (x->bad < y->bad || x->bad > y->bad)
		return x->bad < y->bad ? 1 : -1;
	return (x->place > y->place) - (x->place < y->place);
}

static void
sort_items(struct state *s)
{
	for (size_t i = 0; i < s->count; i++) {
		jv known = jvx_get(s->known, s->items[i].id);
		s->items[i].bad =
		    s->items[i].wave > 0 ? 0 : scenario_badness(s->items[i].scenario, known);
		jv_free(known);
	}
	if (s->count > 0)
		qsort(s->items, s->count, sizeof *s->items, worst_first);
}

/* Which limit of trials, money or time is met; NULL: none. */
static const char *
spent(const struct state *s, const struct limits *l, double elapsed)
{
	if ((double)s->trials >= l->trials)
		return "trials";
	if (s->dollars >= l->dollars)
		return "cost";
	return elapsed >= l->seconds ? "time" : NULL;
}

static bool
sure_before(const struct state *s, const struct item *item)
{
	jv known = jvx_get(s->known, item->id);
	const char *status = jvx_text(known, "status");
	bool sure = status != NULL && (strcmp(status, "open") == 0 || strcmp(status, "flaky") == 0);

	jv_free(known);
	return sure;
}

/* More trials that this one needs before its failure counts. */
static long
wants(const struct state *s, const struct item *item, const struct limits *l)
{
	if (item->fails == 0 || item->errors > 0 || item->trials >= l->confirm ||
	    sure_before(s, item))
		return 0;
	return l->confirm - item->trials;
}

struct plan {
	const char *what, *because;
	long trials;  /* of each */
	long *chosen; /* places in items, -1 ends */
};

/* All that may run now: so many trials each, as far as the budget goes; false: nothing. */
static bool
choose(struct plan *p, const struct state *s, const struct limits *l)
{
	double left = l->trials - (double)s->trials;
	long n = 0;

	p->chosen = prog_alloc(s->count + 1, sizeof *p->chosen);
	for (size_t i = 0; i < s->count && n < l->batch && left >= 1; i++)
		if (s->items[i].trials == 0 && s->items[i].wave <= s->wave)
			p->chosen[n++] = (long)i, left--;
	p->what = "run";
	p->trials = 1;
	for (size_t i = 0; i < s->count && n == 0; i++) /* as many as the first one wants */
		if (wants(s, &s->items[i], l) > 0 && left >= (double)wants(s, &s->items[i], l)) {
			p->trials = wants(s, &s->items[i], l);
			p->what = "confirm";
			for (size_t k = i; k < s->count && n < l->batch; k++)
				if (wants(s, &s->items[k], l) == p->trials &&
				    left >= (double)p->trials)
					p->chosen[n++] = (long)k, left -= (double)p->trials;
		}
	p->chosen[n] = -1;
	return n > 0;
}

static struct plan
make_plan(const struct state *s, const struct limits *l, double elapsed)
{
	struct plan p = {0};
	const char *limit = spent(s, l, elapsed);

	if (!s->closed) {
		if (limit == NULL && choose(&p, s, l)) {
			p.because = strcmp(p.what, "run") == 0 ? "not tried yet"
							       : "failed, and has to fail again";
			return p;
		}
		p.what = "close";
		p.because = limit != NULL ? limit : "all was tried";
	} else if (limit != NULL || (double)s->wave >= l->waves || s->dry >= l->dry) {
		p.what = "stop";
		p.because = limit != NULL ? limit : s->dry >= l->dry ? "nothing new" : "waves";
	} else {
		p.what = "explore";
		p.because = "within the limits";
	}
	return p;
}

/* The chance that the next scenario shows a bug that nobody saw (Good 1953), and the like. */
static jv
unseen(const struct state *s, jv plan)
{
	size_t tried = 0, seen = 0, once = 0, twice = 0;

	for (size_t i = 0; i < s->count; i++)
		tried += s->items[i].trials > 0;
	jv_object_foreach (s->clusters, id, n) {
		double times = jv_number_value(n);
		seen++;
		once += times < 1.5;
		twice += times > 1.5 && times < 2.5;
		jv_free(id);
		jv_free(n);
	}
	plan = jvx_set_number(plan, "scenarios", (double)tried);
	plan = jvx_set_number(plan, "clusters", (double)seen);
	if (tried == 0)
		return plan;
	plan = jvx_set_number(plan, "unseen", (double)once / (double)tried);
	plan = jvx_set_number(plan, "bound", stats_zero_bound((size_t)s->tried_since));
	return jvx_set_number(plan, "richness", stats_chao1(seen, once, twice));
}

static void
put_plan(const struct state *s, const struct plan *p, const struct limits *l, double elapsed)
{
	jv r = jvx_set_text(jv_object(), "type", "plan");

	r = jvx_set_text(r, "do", p->what);
	r = jvx_set_text(r, "because", p->because);
	r = jvx_set_number(r, "wave", (double)s->wave);
	r = jvx_set_number(r, "trials", (double)s->trials);
	r = jvx_set_number(r, "cost_usd", s->dollars);
	r = jvx_set_number(r, "elapsed_s", elapsed);
	r = jvx_set_number(r, "dry", (double)s->dry);
	if (p->chosen != NULL)
		r = jvx_set_number(r, "each", (double)p->trials);
	if (strcmp(p->what, "explore") == 0) {
		double left = l->trials - (double)s->trials;
		r = jvx_set_number(r, "count", fmin((double)l->count, left));
	}
	ndjson_put(unseen(s, r), stdout);
	for (long i = 0; p->chosen != NULL && p->chosen[i] >= 0; i++)
		ndjson_put(jv_copy(s->items[p->chosen[i]].scenario), stdout);
}

int
main(int argc, char *argv[])
{
	struct limits l = {INFINITY, INFINITY, INFINITY, INFINITY, 2, 5, 50, 10};
	struct state s = {
	    .index = jv_object(), .known = jv_object(), .clusters = jv_object(), .wave = -1};
	double elapsed = 0;
	int ch;

	prog_start(argc, argv, help);
	while ((ch = getopt(argc, argv, "b:C:e:N:r:S:T:W:x:")) != -1) {
		switch (ch) {
		case 'b': l.batch = (long)prog_number(ch, optarg, 1, 100000); break;
		case 'C': l.dollars = prog_amount(ch, optarg, 1e9); break;
		case 'e': elapsed = prog_amount(ch, optarg, 1e9); break;
		case 'N': l.dry = (long)prog_number(ch, optarg, 1, 1000); break;
		case 'r': l.confirm = (long)prog_number(ch, optarg, 1, 1000); break;
		case 'S': l.seconds = prog_amount(ch, optarg, 1e9); break;
		case 'T': l.trials = (double)prog_number(ch, optarg, 1, 1000000000); break;
		case 'W': l.waves = (double)prog_number(ch, optarg, 0, 1000000); break;
		case 'x': l.count = (long)prog_number(ch, optarg, 1, 1000); break;
		default: prog_usage();
		}
	}
	confine(&(struct confine){.files = argv + optind});
	struct ndjson *in = ndjson_open(argv + optind);
	while (ndjson_next(in))
		take(&s, in);
	sort_items(&s);
	struct plan p = make_plan(&s, &l, elapsed);
	put_plan(&s, &p, &l, elapsed);
	for (size_t i = 0; i < s.count; i++) {
		jv_free(s.items[i].scenario);
		free(s.items[i].id);
	}
	free(s.items);
	free(p.chosen);
	jv_free(s.index);
	jv_free(s.known);
	jv_free(s.clusters);
	return ndjson_close(in, stdout) ? YES : TROUBLE;
}
