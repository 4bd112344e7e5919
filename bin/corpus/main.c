/* corpus: what is known of an agent's bugs, from run to run. */
#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "confine.h"
#include "ndjson.h"
#include "prog.h"
#include "scenario.h"
#include "store.h"
#include "verdict.h"

static const char help[] =
    "corpus -a agent -d folder [-lns] [-b batch] [-c most] [-r trials] [file ...]\n"
    "\n"
    "Keeps the scenarios that an agent failed.  Reads scenarios, judgements and clusters, passes\n"
    "all records on, writes a known record for each scenario whose standing changed, and the\n"
    "scenarios that failed again and again as YAML files in folder/agent/scenarios.\n"
    "\n"
    "  -a agent   its id                     -d folder  where the corpora of all agents are\n"
    "  -l         list: what is known, and the scenarios to run again, the worst first\n"
    "  -s         keep the scenarios of the input as they are: a person says so\n"
    "  -b batch   a name for this input: what came under it already is not counted twice\n"
    "  -c most    keep so many scenarios of one cluster, 3 unless given\n"
    "  -r trials  a failure counts after so many trials, 5 unless given\n"
    "  -n         change nothing\n"
    "\n"
    "  $ corpus -a bot -d data -l | agent-run -a bot | agent-judge | fail-cluster |\n"
    "      corpus -a bot -d data";

/* What the input says of one scenario. */
struct input {
	jv scenarios; /* by id */
	jv fails, trials;
	jv order;    /* ids of the judged ones, in order */
	jv of;       /* cluster by scenario */
	jv clusters; /* by id */
	jv changed;  /* known records to tell, once they are safe */
};

static void
take_judgement(struct input *in, jv record)
{
	const char *id = jvx_text(record, "scenario");
	jv error = jvx_get(record, "error");
	bool judged = !jv_is_valid(error);

	jv_free(error);
	/* A judge that failed says nothing about the agent. */
	if (id == NULL || !judged)
		return;
	double trials = jvx_number(in->trials, id, 0), fails = jvx_number(in->fails, id, 0);
	if (!(trials > 0))
		in->order = jv_array_append(in->order, jv_string(id));
	in->trials = jvx_set_number(in->trials, id, trials + 1);
	in->fails = jvx_set_number(in->fails, id, fails + !jvx_true(record, "pass"));
}

static void
take_cluster(struct input *in, jv record)
{
	const char *id = jvx_text(record, "id");
	jv scenarios = jvx_get(record, "scenarios");

	if (id != NULL && jv_get_kind(scenarios) == JV_KIND_ARRAY) {
		jv_array_foreach (scenarios, i, scenario) {
			const char *its = jv_get_kind(scenario) == JV_KIND_STRING
					      ? jv_string_value(scenario)
					      : "";
			if (jvx_text(in->of, its) == NULL)
				in->of = jvx_set_text(in->of, its, id);
			jv_free(scenario);
		}
		in->clusters = jvx_set(in->clusters, id, jv_copy(record));
	}
	jv_free(scenarios);
}

static void
take(struct input *in, struct ndjson *from)
{
	char why[200];

	if (!ndjson_is(from, "scenario") && !ndjson_is(from, "judgement") &&
	    !ndjson_is(from, "cluster"))
		return;
	jv record = ndjson_value(from);
	if (ndjson_is(from, "judgement"))
		take_judgement(in, record);
	else if (ndjson_is(from, "cluster"))
		take_cluster(in, record);
	else if (scenario_check(record, why, sizeof why))
		in->scenarios = jvx_set(in->scenarios, jvx_text(record, "id"), jv_copy(record));
	else
		ndjson_complain(from, why);
	jv_free(record);
}

/* Is there one with the same words, or are there enough of its cluster?  The id of one. */
static jv
kept_already(const struct store *s, jv scenario, const char *cluster, int most)
{
	jv words = scenario_words(scenario), found = jv_invalid();
	int alike = 0;

	jv_object_foreach (s->scenarios, id, other) {
		jv its = scenario_words(other);
		if (!jv_is_valid(found) && jv_equal(jv_copy(its), jv_copy(words)))
			found = jv_copy(id);
		jv_free(its);
		jv_free(other);
		jv_free(id);
	}
	jv_object_foreach (s->known, id, known) {
		const char *its = jvx_text(known, "cluster");
		bool same = cluster != NULL && its != NULL && strcmp(its, cluster) == 0;
		alike += same;
		if (!jv_is_valid(found) && same && alike >= most)
			found = jv_copy(id);
		jv_free(known);
		jv_free(id);
	}
	jv_free(words);
	return found;
}

static bool
from_seed(jv scenario, jv known)
{
	const char *origin = jvx_text(scenario, "origin");

	if (origin == NULL || strcmp(origin, "corpus") == 0)
		origin = jvx_text(known, "origin");
	return origin != NULL && strcmp(origin, "seed") == 0;
}

static bool
stands(jv known, const char *status)
{
	const char *its = jvx_text(known, "status");

	return its != NULL && strcmp(its, status) == 0;
}

static jv
dressed(jv known, const char *agent, const char *id, jv scenario, const char *cluster)
{
	static const char *const same[] = {"title", "severity", "origin"};

	known = jvx_set_text(jvx_set_text(known, "type", "known"), "agent", agent);
	known = jvx_set_text(known, "scenario", id);
	known = jvx_set_text(known, "cluster", cluster);
	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		jv now = jvx_get(known, same[i]);
		if (!jv_is_valid(now))
			known = jvx_set(known, same[i], jvx_get(scenario, same[i]));
		jv_free(now);
	}
	return known;
}

/* One scenario of the input: its standing after it, and a file where it has earned one. */
static void
update(
    struct store *s, struct input *in, const char *agent, const char *id, int most, size_t wanted)
{
	jv before = jvx_get(s->known, id), scenario = jvx_get(in->scenarios, id);
	const char *cluster = jvx_text(in->of, id);
	jv after = verdict_after(jv_copy(before), (size_t)jvx_number(in->fails, id, 0),
	    (size_t)jvx_number(in->trials, id, 0), wanted);

	if (!jv_is_valid(after)) { /* it never failed */
		jv_free(after);
		jv_free(before);
		jv_free(scenario);
		return;
	}
	after = dressed(after, agent, id, scenario, cluster);
	jv mine = jvx_get(s->scenarios, id);
	bool has_file = jv_is_valid(mine), sure = stands(after, "open") || stands(after, "flaky");
	jv_free(mine);
	if (sure && !has_file && !from_seed(scenario, after) && jv_is_valid(scenario)) {
		jv other = kept_already(s, scenario, cluster, most);
		if (jv_is_valid(other))
			after = jvx_set(after, "same_as", jv_copy(other));
		else
			store_keep(s, scenario);
		jv_free(other);
	}
	mine = jvx_get(s->scenarios, id);
	if (jv_is_valid(mine))
		after = jvx_set(after, "kept", jv_true());
	jv_free(mine);
	if (!jv_equal(jv_copy(before), jv_copy(after)))
		in->changed = jv_array_append(in->changed, jv_copy(after));
	/* What is kept under another name is known there. */
	if (jvx_text(after, "same_as") == NULL)
		s->known = jvx_set(s->known, id, jv_copy(after));
	jv_free(after);
	jv_free(before);
	jv_free(scenario);
}

/* A file that a person deleted: forget it.  One that cannot be read may be any of those missing. */
static void
drop_deleted(struct store *s)
{
	if (!s->whole)
		return;
	jv kept = jv_object();

	jv_object_foreach (s->known, id, known) {
		jv scenario = jvx_get(s->scenarios, jv_string_value(id));
		if (jv_is_valid(scenario) || !jvx_true(known, "kept"))
			kept = jv_object_set(kept, jv_copy(id), jv_copy(known));
		jv_free(scenario);
		jv_free(known);
		jv_free(id);
	}
	jv_free(s->known);
	s->known = kept;
}

static void
merge_clusters(struct store *s, const struct input *in)
{
	jv_object_foreach (in->clusters, id, cluster) {
		jv before = jvx_get(s->clusters, jv_string_value(id));
		const char *by = jvx_text(before, "titled_by");
		double n = jvx_number(before, "n", 0) + jvx_number(cluster, "n", 0);
		if (jvx_text(before, "title") != NULL &&
		    (by != NULL || !jvx_text(cluster, "titled_by")))
			cluster =
			    jvx_set_text(jvx_set_text(cluster, "title", jvx_text(before, "title")),
				"titled_by", by);
		cluster = jv_object_delete(jvx_set_number(cluster, "n", n), jv_string("new"));
		s->clusters = jv_object_set(s->clusters, jv_copy(id), cluster);
		jv_free(before);
		jv_free(id);
	}
}

static void
update_all(struct store *s, struct input *in, const char *agent, const char *batch, int most,
    size_t wanted)
{
	if (batch != NULL && store_has_batch(s, batch)) {
		warnx("%s is in it already", batch);
		return;
	}
	drop_deleted(s);
	merge_clusters(s, in);
	jv_array_foreach (in->order, i, id) {
		update(s, in, agent, jv_string_value(id), most, wanted);
		jv_free(id);
	}
	if (batch != NULL)
		s->batches = jv_array_append(s->batches, jv_string(batch));
}

static void
keep_all(struct store *s, const struct input *in)
{
	jv_object_foreach (in->scenarios, id, scenario) {
		jv mine = jvx_get(s->scenarios, jv_string_value(id));
		if (!jv_is_valid(mine))
			store_keep(s, scenario);
		else
			warnx("a scenario of that id is kept already");
		jv_free(mine);
		jv_free(scenario);
		jv_free(id);
	}
}

struct listed {
	double bad;
	jv id, scenario;
};

static int
worst_first(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;

	if (x->bad < y->bad || x->bad > y->bad)
		return x->bad < y->bad ? 1 : -1;
	return strcmp(jv_string_value(x->id), jv_string_value(y->id));
}

static void
put_values(jv records)
{
	struct buf text = {0};

	jvx_write(records, &text);
	for (struct scan_each it = {0}; scan_each(&it, (struct span){text.data, text.len});)
		ndjson_raw(it.value, stdout);
	buf_free(&text);
}

static void
list(const struct store *s)
{
	size_t count = 0;
	struct listed *all =
	    prog_alloc((size_t)jv_object_length(jv_copy(s->scenarios)), sizeof *all);

	put_values(s->clusters);
	put_values(s->known);
	jv_object_foreach (s->scenarios, id, scenario) {
		jv known = jvx_get(s->known, jv_string_value(id));
		all[count++] = (struct listed){scenario_badness(scenario, known), id, scenario};
		jv_free(known);
	}
	qsort(all, count, sizeof *all, worst_first);
	for (size_t i = 0; i < count; i++) {
		ndjson_put(all[i].scenario, stdout);
		jv_free(all[i].id);
	}
	free(all);
}

static bool
read_all(struct input *in, char *const files[])
{
	struct ndjson *from = ndjson_open(files);

	*in = (struct input){jv_object(), jv_object(), jv_object(), jv_array(), jv_object(),
	    jv_object(), jv_array()};
	while (ndjson_next(from)) {
		take(in, from);
		ndjson_pass(from, stdout);
	}
	return ndjson_close(from, stdout);
}

static void
free_input(struct input *in)
{
	jv_free(in->scenarios);
	jv_free(in->fails);
	jv_free(in->trials);
	jv_free(in->order);
	jv_free(in->of);
	jv_free(in->clusters);
	jv_free(in->changed);
}

static void
stay_inside(const char *folder, bool only_look, char *const files[])
{
	const char *const there[] = {folder, NULL};

	confine(&(struct confine){
	    .files = files, .read = only_look ? there : NULL, .write = only_look ? NULL : there});
}

int
main(int argc, char *argv[])
{
	enum { UPDATE, LIST, KEEP } what = UPDATE;
	const char *agent = NULL, *folder = NULL, *batch = NULL;
	bool dry = false, good = true;
	int ch, most = 3;
	size_t wanted = 5;
	struct input in;

	prog_start(argc, argv, help);
	while ((ch = getopt(argc, argv, "a:b:c:d:lnr:s")) != -1) {
		switch (ch) {
		case 'a': agent = optarg; break;
		case 'b': batch = optarg; break;
		case 'c': most = (int)prog_number(ch, optarg, 1, 1000); break;
		case 'd': folder = optarg; break;
		case 'l': what = LIST; break;
		case 'n': dry = true; break;
		case 'r': wanted = (size_t)prog_number(ch, optarg, 1, 1000); break;
		case 's': what = KEEP; break;
		default: prog_usage();
		}
	}
	if (agent == NULL || folder == NULL || (what == LIST && optind < argc))
		prog_usage();
	if (what != LIST && !dry)
		if (mkdir(folder, 0777) != 0 && errno != EEXIST)
			err(TROUBLE, "%s", folder);
	stay_inside(folder, what == LIST || dry, argv + optind);
	if (what == LIST) {
		struct store *s = store_open(folder, agent, STORE_READ);
		list(s);
		good = s->whole;
		store_close(s);
		if (fflush(stdout) != 0)
			err(TROUBLE, "write");
		return good ? YES : TROUBLE;
	}
	/* All of the input first: who holds the lock does not wait for anybody. */
	good = read_all(&in, argv + optind);
	struct store *s = store_open(folder, agent, dry ? STORE_READ : STORE_WRITE);
	if (what == KEEP && !dry)
		keep_all(s, &in);
	else if (what == UPDATE)
		update_all(s, &in, agent, batch, most, wanted);
	if (!dry)
		store_save(s);
	good = good && s->whole;
	store_close(s);
	put_values(in.changed);
	free_input(&in);
	if (fflush(stdout) != 0)
		err(TROUBLE, "write");
	return good ? YES : TROUBLE;
}
