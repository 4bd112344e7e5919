/* repair-gate: freeze how an agent fails, and say after a repair whether it worked. */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cohort.h"
#include "compare.h"
#include "confine.h"
#include "prog.h"

static const char help[] =
    "repair-gate -f | -c frozen [-1DNT] [-A alternates] [-a attempted -l last]\n"
    "                   [-k percent] [-s map] [-u runs] [-z seed] [file ...]\n"
    "\n"
    "Freeze the runs of an agent before a repair; compare the runs after it, task by task.\n"
    "\n"
    "  -f             freeze: write what a comparison needs as one record\n"
    "  -c FROZEN      compare: repaired (exit 0), not_shown or regressed (1), invalid_comparison "
    "(2)\n"
    "  -l, -a         the cell to repair, by its last good and attempted state (the first in "
    "rank)\n"
    "  -s MAP, -1     the map and the policy, as for first-failure-matrix\n"
    "  -D             freeze although labels disagree; how many is told\n"
    "  -A ALTERNATES  records of tasks that other paths solve: they must succeed after\n"
    "  -N             overall failures need not fall, only not rise by more than 5 points\n"
    "  -T             the repair is in the tools: tools_sha may differ\n"
    "  -k PERCENT     cost may rise by so much (10)\n"
    "  -u RUNS        so many unknown outcomes are allowed after (0)\n"
    "  -z SEED        of the bootstrap (1)\n"
    "\n"
    "  repair-gate -f before.ndjson >frozen.ndjson && repair-gate -c frozen.ndjson after.ndjson";

static const double alpha = 0.05, margin = 0.05;

struct settings {
	struct rules rules;
	const char *map, *frozen, *alternates, *last, *attempted;
	bool freeze, disputed_allowed, noninferior, tools_differ;
	double cost_percent, unknown_allowed;
	uint64_t seed;
};

/* What was found; told as one gate record. */
struct finding {
	jv because;
	bool invalid, regressed, shown;
};

static void
because(struct finding *f, const char *text)
{
	f->because = jv_array_append(f->because, jv_string(text));
}

static struct cohort
read_files(const struct settings *s, char *const files[])
{
	struct ndjson *in = ndjson_open(files);
	struct cohort c = cohort_read(in, &s->rules);

	if (!ndjson_close(in, stdout))
		errx(TROUBLE, "runs that cannot be read decide nothing");
	return c;
}

/* The cell of the largest score; equal ones by name. */
static char *
first_cell(const struct cohort *c)
{
	char *best = NULL;
	double most = -1;

	jv_object_foreach (c->scores, name, score) {
		double n = jv_number_value(score);
		if (n > most || (n == most && strcmp(jv_string_value(name), best) < 0)) {
			free(best);
			best = prog_copy(jv_string_value(name), jvx_length(name));
			most = n;
		}
		jv_free(name);
		jv_free(score);
	}
	return best;
}

static size_t
failures(jv tasks, const char *cell)
{
	size_t n = 0;

	jv_object_foreach (tasks, id, task) {
		jv trials = jvx_get(task, "trials");
		jv_object_foreach (trials, trial, result) {
			n += strcmp(jv_string_value(result), cell) == 0;
			jv_free(trial);
			jv_free(result);
		}
		jv_free(trials);
		jv_free(id);
		jv_free(task);
	}
	return n;
}

static int
freeze(const struct settings *s, char *const files[])
{
	struct cohort c = read_files(s, files);
	struct buf cell = {0};

	if (c.runs == 0)
		errx(TROUBLE, "no runs to freeze");
	if (c.disputed > 0 && !s->disputed_allowed)
		errx(TROUBLE, "%zu runs have labels that disagree: adjudicate them, or -D",
		    c.disputed);
	if (s->last != NULL && s->attempted != NULL) {
		buf_format(&cell, "%s\t%s", s->last, s->attempted);
	} else {
		char *first = first_cell(&c);
		if (first == NULL)
			errx(TROUBLE, "no run failed: there is nothing to repair");
		buf_text(&cell, first);
		free(first);
	}
	size_t in_cell = failures(c.tasks, cell.data), decisive = stats_decisive(0, alpha);
	if (in_cell == 0)
		errx(TROUBLE, "no run failed in the cell to repair");
	warnx(
	    "%zu of %zu failures are in the cell; the smallest decisive repair fixes %zu tasks and "
	    "breaks none%s",
	    in_cell, c.failed, decisive,
	    in_cell < decisive ? ": it cannot be shown with so few, run more tasks" : "");

	jv rec = jvx_set_text(jv_object(), "type", "frozen");
	rec = jvx_set_text(rec, "runs_sha256", c.sha256);
	rec = jvx_set_text(rec, "map_sha256", map_sha256(s->rules.map));
	rec = jvx_set_text(rec, "policy",
	    s->rules.policy == FIRST_OBSERVED ? "first-observed" : "first-unrecovered");
	rec = jvx_set_text(rec, "cell", cell.data);
	rec = jvx_set_number(rec, "in_cell", (double)in_cell);
	rec = jvx_set_number(rec, "runs", (double)c.runs);
	rec = jvx_set_number(rec, "failed", (double)c.failed);
	rec = jvx_set_number(rec, "disputed", (double)c.disputed);
	rec = jvx_set_number(rec, "decisive", (double)decisive);
	rec = jvx_set_number(rec, "band", (double)compare_band(c.tasks));
	rec = jvx_set(rec, "tasks", jv_copy(c.tasks));
	rec = jvx_set(rec, "oracles", jv_copy(c.oracles));
	rec = jvx_set(rec, "config", jv_copy(c.config));
	ndjson_put(rec, stdout);
	buf_free(&cell);
	cohort_free(&c);
	return YES;
}

static jv
read_frozen(const char *path)
{
	char *files[] = {(char *)path, NULL};
	struct ndjson *in = ndjson_open(files);
	jv rec = jv_invalid();

	while (ndjson_next(in)) {
		if (!ndjson_is(in, "frozen"))
			continue;
		jv_free(rec);
		rec = ndjson_value(in);
	}
	bool good = ndjson_close(in, stdout);
	jv tasks = jvx_get(rec, "tasks");
	good = good && jv_get_kind(tasks) == JV_KIND_OBJECT && jvx_text(rec, "cell") != NULL;
	jv_free(tasks);
	if (!good)
		errx(TROUBLE, "%s: no frozen record", path);
	return rec;
}

/* Trials of a task, however they ended. */
static int
trials_of(jv tasks, const char *id)
{
	jv task = jvx_get(tasks, id), trials = jvx_get(task, "trials");
	int n = jv_get_kind(trials) == JV_KIND_OBJECT ? jv_object_length(jv_copy(trials)) : 0;

	jv_free(trials);
	jv_free(task);
	return n;
}

static void
same_tasks(struct finding *f, jv before, jv after)
{
	bool missing = jv_object_length(jv_copy(before)) != jv_object_length(jv_copy(after));
	bool trials = false, digest = false;

	jv_object_foreach (before, id, task) {
		jv other = jvx_get(after, jv_string_value(id));
		const char *a = jvx_text(task, "sha"), *b = jvx_text(other, "sha");
		missing = missing || !jv_is_valid(other);
		trials = trials || trials_of(before, jv_string_value(id)) !=
				       trials_of(after, jv_string_value(id));
		digest = digest || (a == NULL) != (b == NULL) || (a != NULL && strcmp(a, b) != 0);
		jv_free(other);
		jv_free(id);
		jv_free(task);
	}
	if (missing)
		because(f, "the tasks are not the same");
	else if (trials)
		because(f, "a task has another number of trials");
	else if (digest)
		because(f, "a task has another task_sha");
	f->invalid = f->invalid || missing || trials || digest;
}

/* Everything of the configuration but the prompt, which is what a repair may change. */
static void
same_config(struct finding *f, jv frozen, const struct cohort *after, bool tools_differ)
{
	jv before = jvx_get(frozen, "config"), now = jv_copy(after->config);

	if (jv_get_kind(before) != jv_get_kind(now)) {
		because(f, "only one side says its config");
		f->invalid = true;
	} else if (jv_is_valid(before)) {
		static const char *const free_to_change[] = {"prompt_sha", "tools_sha"};
		for (size_t i = 0; i < (tools_differ ? 2u : 1u); i++) {
			before = jv_object_delete(before, jv_string(free_to_change[i]));
			now = jv_object_delete(now, jv_string(free_to_change[i]));
		}
		if (!jv_equal(jv_copy(before), jv_copy(now))) {
			because(f, "model, tools, budget or harness differ");
			f->invalid = true;
		}
	}
	jv_free(before);
	jv_free(now);
}

static void
same_rules(struct finding *f, jv frozen, const struct settings *s, const struct cohort *after)
{
	jv oracles = jvx_get(frozen, "oracles");
	const char *map = jvx_text(frozen, "map_sha256"), *policy = jvx_text(frozen, "policy");
	const char *now =
	    s->rules.policy == FIRST_OBSERVED ? "first-observed" : "first-unrecovered";

	if (!jv_equal(oracles, jv_copy(after->oracles))) {
		because(f, "the oracles are not the same");
		f->invalid = true;
	}
	if (map == NULL || strcmp(map, map_sha256(s->rules.map)) != 0) {
		because(f, "the map of states is not the same");
		f->invalid = true;
	}
	if (policy == NULL || strcmp(policy, now) != 0) {
		because(f, "the policy is not the same");
		f->invalid = true;
	}
}

/* Every cell of either side but the one that was to be repaired. */
static jv
other_cells(jv before, jv after, const char *cell)
{
	jv sides[] = {before, after}, cells = jv_object();

	for (int i = 0; i < 2; i++) {
		jv_object_foreach (sides[i], id, task) {
			jv trials = jvx_get(task, "trials");
			jv_object_foreach (trials, trial, result) {
				const char *name = jv_string_value(result);
				if (*name != '\0' && strcmp(name, "?") != 0 &&
				    strcmp(name, cell) != 0)
					cells = jvx_set(cells, name, jv_true());
				jv_free(trial);
				jv_free(result);
			}
			jv_free(trials);
			jv_free(id);
			jv_free(task);
		}
	}
	return cells;
}

static void
look_elsewhere(struct finding *f, jv before, jv after, const char *cell, uint64_t seed)
{
	jv cells = other_cells(before, after, cell), names = jv_keys(cells);
	size_t count = (size_t)jv_array_length(jv_copy(names));
	double *p = prog_alloc(count, sizeof *p);
	bool *rose = prog_alloc(count, sizeof *rose);

	jv_array_foreach (names, i, name) {
		struct change c = compare(before, after, jv_string_value(name), seed);
		p[i] = c.p;
		rose[i] = c.broken > c.fixed;
		jv_free(name);
	}
	stats_holm(p, count);
	jv_array_foreach (names, i, name) {
		if (rose[i] && p[i] <= alpha) {
			because(f, "another cell rose");
			f->regressed = true;
		}
		jv_free(name);
	}
	jv_free(names);
	free(p);
	free(rose);
}

static bool
all_succeeded(jv task)
{
	jv trials = jvx_get(task, "trials");
	bool good = jv_get_kind(trials) == JV_KIND_OBJECT;

	if (good) {
		jv_object_foreach (trials, trial, result) {
			good = good && jvx_length(result) == 0;
			jv_free(trial);
			jv_free(result);
		}
	}
	jv_free(trials);
	return good;
}

static void
check_alternates(struct finding *f, const struct settings *s, const struct cohort *after)
{
	char *files[] = {(char *)s->alternates, NULL};

	if (s->alternates == NULL)
		return;
	struct ndjson *in = ndjson_open(files);
	while (ndjson_next(in)) {
		if (!ndjson_is(in, "alternate"))
			continue;
		jv rec = ndjson_value(in), forbid = jvx_get(rec, "forbid");
		const char *id = jvx_text(rec, "task_id");
		jv task = id ? jvx_get(after->tasks, id) : jv_invalid();
		jv effects = id ? jvx_get(after->effects, id) : jv_invalid();
		bool good = all_succeeded(task);
		if (jv_get_kind(forbid) == JV_KIND_ARRAY) {
			jv_array_foreach (forbid, i, effect) {
				good = good && !(jv_get_kind(effect) == JV_KIND_STRING &&
						   jvx_true(effects, jv_string_value(effect)));
				jv_free(effect);
			}
		}
		if (!good) {
			because(f, "a task that another path solved fails now");
			f->regressed = true;
		}
		jv_free(effects);
		jv_free(task);
		jv_free(forbid);
		jv_free(rec);
	}
	if (!ndjson_close(in, stdout))
		exit(TROUBLE);
}

static double
cost_of(jv tasks)
{
	double sum = 0;

	jv_object_foreach (tasks, id, task) {
		sum += jvx_number(task, "cost", 0);
		jv_free(id);
		jv_free(task);
	}
	return sum;
}

/* The failures that left the cell and turned up in another: what a funnel does, told so. */
static size_t
moved(jv before, jv after, const char *cell)
{
	size_t n = 0;

	jv_object_foreach (before, id, task) {
		jv other = jvx_get(after, jv_string_value(id));
		jv one = jvx_set(jv_object(), "x", task), two = jvx_set(jv_object(), "x", other);
		size_t left = failures(one, cell) > failures(two, cell);
		struct change all = compare(one, two, NULL, 1);
		n += left && all.fixed == 0;
		jv_free(one);
		jv_free(two);
		jv_free(id);
	}
	return n;
}

static void
decide(struct finding *f, const struct settings *s, const struct change *selected,
    const struct change *overall, double band, double cost_before, double cost_after)
{
	bool cell_down = selected->fixed > selected->broken && selected->p <= alpha;
	bool all_down = overall->fixed > overall->broken && overall->p <= alpha;
	double net = (double)overall->fixed - (double)overall->broken;

	f->shown = true;
	if (overall->broken > overall->fixed && overall->p <= alpha) {
		because(f, "failures rose");
		f->regressed = true;
	}
	if (!cell_down) {
		because(f, "the selected cell did not fall beyond chance");
		f->shown = false;
	}
	if (s->noninferior ? !(-overall->ci.lo <= margin) : !all_down) {
		because(f, "overall failures did not fall beyond chance");
		f->shown = false;
	}
	if (band >= 0 && net <= band) {
		because(f, "no more than two trials of the same agent differ");
		f->shown = false;
	}
	if (cost_before > 0 && cost_after > cost_before * (1 + s->cost_percent / 100)) {
		because(f, "the cost rose beyond the margin");
		f->shown = false;
	}
}

static int
judge(const struct settings *s, char *const files[])
{
	jv frozen = read_frozen(s->frozen), before = jvx_get(frozen, "tasks");
	struct cohort after = read_files(s, files);
	const char *cell = jvx_text(frozen, "cell");
	struct finding f = {.because = jv_array()};
	struct change selected = compare(before, after.tasks, cell, s->seed);
	struct change overall = compare(before, after.tasks, NULL, s->seed);

	same_tasks(&f, before, after.tasks);
	same_config(&f, frozen, &after, s->tools_differ);
	same_rules(&f, frozen, s, &after);
	if ((double)failures(after.tasks, "?") > s->unknown_allowed) {
		because(&f, "outcomes are unknown");
		f.invalid = true;
	}
	if (!f.invalid) {
		if (jv_object_length(jv_copy(after.broken)) > 0) {
			because(&f, "a safety or side-effect oracle fails");
			f.regressed = true;
		}
		check_alternates(&f, s, &after);
		look_elsewhere(&f, before, after.tasks, cell, s->seed);
		decide(&f, s, &selected, &overall, jvx_number(frozen, "band", -1), cost_of(before),
		    cost_of(after.tasks));
	}
	const char *verdict = f.invalid     ? "invalid_comparison"
			      : f.regressed ? "regressed"
			      : f.shown     ? "repaired"
					    : "not_shown";
	jv rec = compare_record(&overall);
	rec = jvx_set_text(rec, "type", "gate");
	rec = jvx_set_text(rec, "tool", "repair-gate");
	rec = jvx_set_text(rec, "verdict", verdict);
	rec = jvx_set_text(rec, "cell", cell);
	rec = jvx_set(rec, "selected", compare_record(&selected));
	rec = jvx_set_number(rec, "moved", (double)moved(before, after.tasks, cell));
	rec = jvx_set_number(rec, "decisive", (double)stats_decisive(selected.broken, alpha));
	rec = jvx_set(rec, "because", f.because);
	ndjson_put(rec, stdout);
	jv_free(before);
	jv_free(frozen);
	cohort_free(&after);
	if (f.invalid)
		return TROUBLE;
	return f.shown && !f.regressed ? YES : NO;
}

int
main(int argc, char *argv[])
{
	struct settings s = {.cost_percent = 10, .seed = 1};
	int ch;

	prog_start(argc, argv, help);
	while ((ch = getopt(argc, argv, "1A:a:c:Dfk:l:Ns:Tu:z:")) != -1) {
		switch (ch) {
		case '1': s.rules.policy = FIRST_OBSERVED; break;
		case 'A': s.alternates = optarg; break;
		case 'a': s.attempted = optarg; break;
		case 'c': s.frozen = optarg; break;
		case 'D': s.disputed_allowed = true; break;
		case 'f': s.freeze = true; break;
		case 'k': s.cost_percent = (double)prog_number(ch, optarg, 0, 1000); break;
		case 'l': s.last = optarg; break;
		case 'N': s.noninferior = true; break;
		case 's': s.map = optarg; break;
		case 'T': s.tools_differ = true; break;
		case 'u': s.unknown_allowed = (double)prog_number(ch, optarg, 0, 1000000); break;
		case 'z': s.seed = (uint64_t)prog_number(ch, optarg, 0, INT64_MAX); break;
		default: prog_usage();
		}
	}
	if (s.freeze == (s.frozen != NULL) || (s.last == NULL) != (s.attempted == NULL))
		prog_usage();
	s.rules.map = map_read(s.map);
	const char *more[] = {
	    s.frozen ? s.frozen : s.alternates, s.frozen ? s.alternates : NULL, NULL};
	confine(&(struct confine){.files = argv + optind, .read = more});
	int answer = s.freeze ? freeze(&s, argv + optind) : judge(&s, argv + optind);
	map_free(s.rules.map);
	if (fflush(stdout) != 0)
		err(TROUBLE, "write");
	return answer;
}
