/* label-agreement: can two people who label the same runs or answers reproduce each other. */
#include <err.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "confine.h"
#include "measure.h"
#include "ndjson.h"
#include "prog.h"
#include "sheet.h"
#include "statemap.h"

static const char help[] =
    "label-agreement [-gt] [-r NAME] [-s MAP] [-z SEED] [file ...]\n"
    "\n"
    "Reads label records, of runs (run_id, labeller, last, attempted, layer) and of answers "
    "(case,\n"
    "epoch, axis, score, by), and writes an agreement record for each thing that was labelled: "
    "raw\n"
    "agreement, Cohen's kappa and AC1 of two labellers, Krippendorff's alpha of any number, with\n"
    "bootstrap intervals over units.  Other records pass through.\n"
    "  -g        exit 1 if labels of a run disagree and no adjudication decides\n"
    "  -r NAME   the program's own scores (score records) are the labels of NAME\n"
    "  -s MAP    names of states as the map has them\n"
    "  -t        a table for people\n"
    "  -z SEED   of the bootstrap (1)\n"
    "\n"
    "  label-agreement -t alice.ndjson bob.ndjson";

struct work {
	struct sheet *sheet;
	struct map *map; /* also where every text lives */
	jv cells;        /* {run_id: {labeller: cell}} */
	jv decided;      /* {run_id: the last adjudication} */
	const char *program;
	bool table;
};

static const char *
keep(struct work *w, const char *text)
{
	return text ? map_intern(w->map, text, strlen(text)) : NULL;
}

static const char *
state_of(struct work *w, jv label, const char *key)
{
	const char *name = jvx_text(label, key);

	return name && *name ? map_meaning(w->map, name, strlen(name))->state : NULL;
}

static jv
note(jv all, const char *id, const char *by, const char *cell)
{
	jv one = jvx_get(all, id);

	if (!jv_is_valid(one)) {
		jv_free(one);
		one = jv_object();
	}
	return jvx_set(all, id, jvx_set(one, by, jv_string(cell)));
}

/* What is wrong with it, or NULL. */
static const char *
take_run_label(struct work *w, const char *run, jv label)
{
	const char *by = jvx_text(label, "labeller"), *layer = keep(w, jvx_text(label, "layer"));
	const char *last = state_of(w, label, "last"), *attempted = state_of(w, label, "attempted");

	by = keep(w, by ? by : jvx_text(label, "by"));
	if (by == NULL || *by == '\0')
		return "a label without a labeller";
	run = keep(w, run);
	if (last != NULL)
		sheet_say(w->sheet, "last", run, by, last);
	if (attempted != NULL)
		sheet_say(w->sheet, "attempted", run, by, attempted);
	if (layer != NULL && *layer != '\0')
		sheet_say(w->sheet, "layer", run, by, layer);
	if (last != NULL && attempted != NULL) {
		struct buf cell = {0};
		buf_format(&cell, "%s -> %s", last, attempted);
		sheet_say(w->sheet, "cell", run, by, keep(w, cell.data));
		w->cells = note(w->cells, run, by, cell.data);
		buf_free(&cell);
	}
	return NULL;
}

static const char *
unit_of(struct work *w, jv rec)
{
	struct buf unit = {0};

	buf_text(&unit, jvx_text(rec, "case"));
	buf_format(&unit, " %.0f", jvx_number(rec, "epoch", 0));
	const char *kept = keep(w, unit.data);
	buf_free(&unit);
	return kept;
}

static bool
is_score(double score)
{
	return score >= 0 && score <= SCORE_MOST && floor(score) == score;
}

static const char *
take_score_label(struct work *w, jv rec)
{
	const char *by = jvx_text(rec, "by"), *axis = keep(w, jvx_text(rec, "axis"));
	double score = jvx_number(rec, "score", NAN);

	by = keep(w, by ? by : jvx_text(rec, "labeller"));
	if (by == NULL || *by == '\0')
		return "a label without a labeller";
	if (axis == NULL || !is_score(score))
		return "a label of an answer without an axis and a whole score from 0 to 100";
	sheet_score(w->sheet, axis, unit_of(w, rec), by, (int)score);
	return NULL;
}

/* Is the axis a word in the list, or a member of the object, that the record has under this key? */
static bool
names_axis(jv rec, const char *key, const char *axis)
{
	jv value = jvx_get(rec, key), member = jvx_get(value, axis);
	bool found = jv_is_valid(member);

	jv_free(member);
	if (jv_get_kind(value) == JV_KIND_ARRAY)
		jv_array_foreach (value, i, item) {
			found = found || (jv_get_kind(item) == JV_KIND_STRING &&
					     strcmp(jv_string_value(item), axis) == 0);
			jv_free(item);
		}
	jv_free(value);
	return found;
}

/* Whose mark it is: the program's or the judge's; NULL where a person gave it, or has yet to. */
static const char *
marked_by(const struct work *w, jv rec, const char *axis)
{
	jv judged = jvx_get(rec, "judged");
	bool by_judge = jv_is_valid(judged) && strcmp(axis, "root_cause_correct") == 0;

	jv_free(judged);
	if (names_axis(rec, "labelled", axis) || names_axis(rec, "ask", axis))
		return NULL;
	return by_judge ? "judge" : w->program;
}

/* The program's scores, beside those of people. */
static void
take_scores(struct work *w, jv rec)
{
	jv axes = jvx_get(rec, "axes");

	if (jv_get_kind(axes) == JV_KIND_OBJECT && jvx_text(rec, "case") != NULL) {
		jv_object_foreach (axes, axis, score) {
			double x =
			    jv_get_kind(score) == JV_KIND_NUMBER ? jv_number_value(score) : NAN;
			const char *by = marked_by(w, rec, jv_string_value(axis));
			if (by != NULL && is_score(x))
				sheet_score(w->sheet, keep(w, jv_string_value(axis)),
				    unit_of(w, rec), keep(w, by), (int)x);
			jv_free(axis);
			jv_free(score);
		}
	}
	jv_free(axes);
}

static void
take_label(struct work *w, struct ndjson *in)
{
	jv rec = ndjson_value(in);
	const char *run = jvx_text(rec, "run_id"), *why = NULL;

	if (run != NULL)
		why = take_run_label(w, run, rec);
	else if (jvx_text(rec, "case") != NULL)
		why = take_score_label(w, rec);
	else
		why = "a label of neither a run nor a case";
	if (why != NULL)
		ndjson_complain(in, why);
	jv_free(rec);
}

static void
take_run(struct work *w, struct ndjson *in)
{
	jv rec = ndjson_value(in), labels = jvx_get(rec, "labels");
	const char *run = jvx_text(rec, "run_id"), *why = NULL;

	if (run != NULL && jv_get_kind(labels) == JV_KIND_ARRAY) {
		jv_array_foreach (labels, i, label) {
			const char *said = take_run_label(w, run, label);
			why = said ? said : why;
			jv_free(label);
		}
	}
	if (why != NULL)
		ndjson_complain(in, why);
	jv_free(labels);
	jv_free(rec);
}

static void
take(struct work *w, struct ndjson *in)
{
	if (ndjson_is(in, "label")) {
		take_label(w, in);
		return;
	}
	if (ndjson_is(in, "run")) {
		take_run(w, in);
	} else if (ndjson_is(in, "adjudication")) {
		jv rec = ndjson_value(in);
		const char *run = jvx_text(rec, "run_id");
		if (run != NULL)
			w->decided = jvx_set(w->decided, run, jv_copy(rec));
		else
			ndjson_complain(in, "an adjudication without a run_id");
		jv_free(rec);
	} else if (ndjson_is(in, "score") && w->program != NULL) {
		jv rec = ndjson_value(in);
		take_scores(w, rec);
		jv_free(rec);
	}
	if (!w->table)
		ndjson_pass(in, stdout);
}

static void
tell(const struct work *w, const char *code, const char *message, const char *run)
{
	char *where = prog_clean(run, strlen(run));

	if (w->table)
		printf("%s: %s\n", where, message);
	else
		ndjson_put(ndjson_warning("label-agreement", code, message, where), stdout);
	free(where);
}

static bool
differ(jv labels)
{
	const char *first = NULL;
	bool found = false;

	/* The texts are the object's: they outlive the copies of the walk. */
	jv_object_foreach (labels, by, cell) {
		const char *text = jv_string_value(cell);
		found = found || (first != NULL && strcmp(first, text) != 0);
		first = text;
		jv_free(by);
		jv_free(cell);
	}
	return found;
}

/* The adjudicator is one of those who are judged: by the run's labels, or by the record's own. */
static bool
judges_himself(jv adjudication, jv labels)
{
	const char *by = jvx_text(adjudication, "by");
	jv own = jvx_get(adjudication, "labels");
	bool found = by != NULL && jvx_text(labels, by) != NULL;

	if (by != NULL && jv_get_kind(own) == JV_KIND_ARRAY) {
		jv_array_foreach (own, i, label) {
			const char *who = jvx_text(label, "labeller");
			who = who ? who : jvx_text(label, "by");
			found = found || (who != NULL && strcmp(who, by) == 0);
			jv_free(label);
		}
	}
	jv_free(own);
	return found;
}

struct disputes {
	size_t all, open;
};

/* In the order of the run_ids, so that the bytes do not depend on a hash. */
static struct disputes
tell_disputes(const struct work *w)
{
	struct disputes d = {0, 0};
	jv runs = jv_keys(jv_copy(w->cells));

	jv_array_foreach (runs, i, id) {
		const char *run = jv_string_value(id);
		jv labels = jvx_get(w->cells, run), decision = jvx_get(w->decided, run);
		bool open = differ(labels) && !jv_is_valid(decision);
		d.all += differ(labels);
		d.open += open;
		if (open)
			tell(w, "dispute", "labels disagree and no adjudication decides", run);
		jv_free(labels);
		jv_free(decision);
		jv_free(id);
	}
	jv_free(runs);
	runs = jv_keys(jv_copy(w->decided));
	jv_array_foreach (runs, i, id) {
		const char *run = jv_string_value(id);
		jv labels = jvx_get(w->cells, run), decision = jvx_get(w->decided, run);
		if (judges_himself(decision, labels))
			tell(w, "own-judge", "the adjudicator is one of the labellers", run);
		jv_free(labels);
		jv_free(decision);
		jv_free(id);
	}
	jv_free(runs);
	return d;
}

static void
print_number(jv rec, const char *key)
{
	double x = jvx_number(rec, key, NAN);

	if (isnan(x))
		printf("  %9s", "-");
	else
		printf("  %9.6f", x);
}

static void
print_row(jv rec, bool score)
{
	char *name = prog_clean(jvx_text(rec, "field"), strlen(jvx_text(rec, "field")));
	jv labellers = jvx_get(rec, "labellers");

	printf("%-20s  %3d  %5.0f", name, jv_array_length(labellers), jvx_number(rec, "n", 0));
	print_number(rec, "agreement");
	print_number(rec, score ? "kappa_quadratic" : "kappa");
	print_number(rec, "ac1");
	print_number(rec, "alpha");
	print_number(rec, "alpha_lo");
	print_number(rec, "alpha_hi");
	putchar('\n');
	free(name);
}

static void
print_all(struct work *w, uint64_t seed)
{
	struct field f;
	size_t replaced = 0;

	if (w->table)
		printf("%-20s  %3s  %5s  %9s  %9s  %9s  %9s  %9s  %9s\n", "field", "by", "n",
		    "agreement", "kappa", "AC1", "alpha", "lo", "hi");
	while (sheet_next(w->sheet, &f, &replaced)) {
		jv rec = measure(&f, seed);
		if (w->table) {
			print_row(rec, f.score);
			jv_free(rec);
		} else {
			ndjson_put(rec, stdout);
		}
		field_free(&f);
	}
	if (replaced > 0 && !w->table)
		ndjson_put(ndjson_warning("label-agreement", "replaced",
			       "a labeller labelled a unit again: the last word counts", NULL),
		    stdout);
}

int
main(int argc, char *argv[])
{
	struct work w = {.cells = jv_object(), .decided = jv_object()};
	const char *map = NULL;
	uint64_t seed = 1;
	bool gate = false;
	int ch;

	prog_start(argc, argv, help);
	while ((ch = getopt(argc, argv, "gr:s:tz:")) != -1) {
		switch (ch) {
		case 'g': gate = true; break;
		case 'r': w.program = optarg; break;
		case 's': map = optarg; break;
		case 't': w.table = true; break;
		case 'z': seed = (uint64_t)prog_number(ch, optarg, 0, INT64_MAX); break;
		default: prog_usage();
		}
	}
	w.map = map_read(map);
	w.sheet = sheet_new();
	confine(&(struct confine){.files = argv + optind});
	struct ndjson *in = ndjson_open(argv + optind);
	while (ndjson_next(in))
		take(&w, in);
	bool whole = ndjson_close(in, stdout);
	print_all(&w, seed);
	struct disputes d = tell_disputes(&w);
	if (w.table && d.all > 0)
		printf("%zu runs in dispute, %zu of them open\n", d.all, d.open);
	sheet_free(w.sheet);
	map_free(w.map);
	jv_free(w.cells);
	jv_free(w.decided);
	if (fflush(stdout) != 0)
		err(TROUBLE, "write");
	if (!whole)
		return TROUBLE;
	return gate && d.open > 0 ? NO : YES;
}
