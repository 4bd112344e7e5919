/* first-failure-matrix: put every failed run in one cell, and rank the cells by what a repair is
 * worth. */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "confine.h"
#include "digest.h"
#include "ndjson.h"
#include "print.h"
#include "prog.h"

static const char help[] =
    "first-failure-matrix [-1qSt] [-d how] [-o form] [-s map] [-z seed] [file ...]\n"
    "\n"
    "Read run records; give every failed run one cell (last good state, first failed state), rank "
    "the\n"
    "cells, and check that no failure was lost or counted twice.\n"
    "\n"
    "  -1       first observed failure, made good or not\n"
    "  -d HOW   labels that disagree: apart (unless given) or mechanical\n"
    "  -o FORM  md, tsv, svg or mermaid in place of records\n"
    "  -q       no assignment records\n"
    "  -S       strict: a run whose outcome is unknown fails the check\n"
    "  -s MAP   a map of states (YAML)\n"
    "  -t       a table for people\n"
    "  -z SEED  of the bootstrap of ranks (1)\n"
    "\n"
    "  runs-from messages log.jsonl | first-failure-matrix -t";

enum form { RECORDS, TABLE, MARKDOWN, TSV, SVG, MERMAID };

struct work {
	struct rules rules;
	struct tally *tally;
	struct assigner *assigner;
	struct run_reader *reader;
	jv adjudications; /* run_id to the record: the last one counts */
	char config_sha256[65];
	bool assignments;
};

static void
digest_config(struct work *w)
{
	struct buf b = {0};

	buf_format(
	    &b, "%s %d %d", map_sha256(w->rules.map), (int)w->rules.policy, (int)w->rules.disputed);
	digest_sha256(b.data, b.len, w->config_sha256);
	buf_free(&b);
}

static bool
find_adjudication(const struct work *w, const char *run_id, struct adjudication *found)
{
	jv rec = jvx_get(w->adjudications, run_id);
	jv final = jvx_get(rec, "final");
	const char *last = jvx_text(final, "last"), *attempted = jvx_text(final, "attempted");
	bool any = last != NULL && attempted != NULL;

	if (any) {
		found->last = map_meaning(w->rules.map, last, strlen(last))->state;
		found->attempted = map_meaning(w->rules.map, attempted, strlen(attempted))->state;
		found->layer = layer_of(jvx_text(final, "layer"));
	}
	jv_free(final);
	jv_free(rec);
	return any;
}

static jv
list_of(const long *numbers, size_t count)
{
	jv list = jv_array();

	for (size_t i = 0; i < count; i++)
		list = jv_array_append(list, jv_number((double)numbers[i]));
	return list;
}

static void
put_assignment(const struct work *w, const struct run *r, const struct assignment *made)
{
	jv rec = jvx_set_text(jv_object(), "type", "assignment");

	rec = jvx_set_text(rec, "run_id", r->id);
	rec = jvx_set_text(rec, "task_id", r->task);
	rec = jvx_set_number(rec, "trial", (double)r->trial);
	rec = jvx_set_text(rec, "cohort", r->cohort);
	rec = jvx_set_text(rec, "trace", r->trace);
	rec = jvx_set_text(rec, "outcome", "failure");
	if (made->unsafe)
		rec = jvx_set_text(rec, "why", "unsafe_success");
	rec = jvx_set_text(rec, "last", made->last);
	rec = jvx_set_text(rec, "attempted", made->attempted);
	rec = jvx_set_text(rec, "milestone_last", made->milestone_last);
	rec = jvx_set_text(rec, "milestone_attempted", made->milestone_attempted);
	if (made->at >= 0)
		rec = jvx_set_number(rec, "at", (double)made->at);
	rec = jvx_set_text(rec, "rule", made->rule);
	rec = jvx_set_text(rec, "policy",
	    w->rules.policy == FIRST_OBSERVED ? "first-observed" : "first-unrecovered");
	rec = jvx_set_text(rec, "layer", layer_names[made->layer]);
	rec = jvx_set_number(rec, "occurrence", (double)made->occurrence);
	rec = jvx_set_number(rec, "attempts", (double)made->attempts);
	rec = jvx_set_number(rec, "weight", made->impact);
	rec = jvx_set(rec, "recovered", list_of(made->recovered, made->recovered_count));
	rec = jvx_set(rec, "ambiguous", list_of(made->ambiguous, made->ambiguous_count));
	ndjson_put(jvx_set_text(rec, "config_sha256", w->config_sha256), stdout);
}

static void
warn_of(const char *code, const char *message, const char *where)
{
	ndjson_put(ndjson_warning("first-failure-matrix", code, message, where), stdout);
}

static void
take_run(struct work *w, struct ndjson *in)
{
	const char *why;
	const struct run *r = run_read(w->reader, ndjson_span(in), &why);
	struct adjudication final;

	if (r == NULL) {
		ndjson_complain(in, why);
		return;
	}
	switch (tally_seen(w->tally, r, ndjson_span(in))) {
	case SAME_AGAIN: w->tally->duplicates++; return;
	case OTHER_BYTES:
		ndjson_complain(in, "a run_id that came before, with other content");
		return;
	case OTHER_RUN_OF_TASK:
		ndjson_complain(
		    in, "a task_id, trial and cohort that came before, with another run_id");
		return;
	default: break;
	}
	if (r->dropped > 0)
		warn_of("after-end", "states after the end were left out", r->id);
	bool decided = find_adjudication(w, r->id, &final);
	struct assignment made = assign(w->assigner, r, decided ? &final : NULL);
	if (made.contradicted)
		warn_of(
		    "outcome", "the outcome is not what its oracle says: the oracle counts", r->id);
	tally_add(w->tally, r, &made);
	if (made.verdict == FAILED && w->assignments)
		put_assignment(w, r, &made);
}

static bool
is_part(const struct ndjson *in)
{
	return ndjson_is(in, "cell") || ndjson_is(in, "milestone_cell") ||
	       ndjson_is(in, "margin") || ndjson_is(in, "check");
}

static void
take(struct work *w, struct ndjson *in, bool pass)
{
	if (ndjson_is(in, "run")) {
		take_run(w, in);
	} else if (is_part(in)) {
		jv rec = ndjson_value(in);
		if (!tally_merge(w->tally, rec, w->rules.map))
			ndjson_complain(in, "a part of a matrix without its members");
		jv_free(rec);
	} else if (ndjson_is(in, "adjudication")) {
		jv rec = ndjson_value(in);
		const char *id = jvx_text(rec, "run_id");
		if (id != NULL)
			w->adjudications = jvx_set(w->adjudications, id, jv_copy(rec));
		jv_free(rec);
		if (pass)
			ndjson_pass(in, stdout);
	} else if (pass) {
		ndjson_pass(in, stdout);
	}
}

static enum form
form_of(const char *name)
{
	static const char *const names[] = {"", "", "md", "tsv", "svg", "mermaid"};

	for (int i = MARKDOWN; i <= MERMAID; i++)
		if (strcmp(name, names[i]) == 0)
			return (enum form)i;
	errx(TROUBLE, "-o %s: none of md, tsv, svg, mermaid", name);
}

static void
print(const struct tally *t, enum form form, const struct check checks[CHECKS])
{
	switch (form) {
	case RECORDS: print_records(t, checks); break;
	case TABLE: print_table(t, checks); break;
	case MARKDOWN: print_markdown(t, checks); break;
	case TSV: print_tsv(t); break;
	case SVG: print_svg(t); break;
	case MERMAID: print_mermaid(t); break;
	}
}

int
main(int argc, char *argv[])
{
	struct work w = {.assignments = true, .adjudications = jv_object()};
	struct check checks[CHECKS];
	const char *map = NULL;
	enum form form = RECORDS;
	bool strict = false;
	uint64_t seed = 1;
	int ch;

	prog_start(argc, argv, help);
	while ((ch = getopt(argc, argv, "1d:o:qSs:tz:")) != -1) {
		switch (ch) {
		case '1': w.rules.policy = FIRST_OBSERVED; break;
		case 'd':
			if (strcmp(optarg, "apart") != 0 && strcmp(optarg, "mechanical") != 0)
				errx(TROUBLE, "-d %s: neither apart nor mechanical", optarg);
			w.rules.disputed = *optarg == 'm' ? DISPUTED_MECHANICAL : DISPUTED_APART;
			break;
		case 'o': form = form_of(optarg); break;
		case 'q': w.assignments = false; break;
		case 'S': strict = true; break;
		case 's': map = optarg; break;
		case 't': form = TABLE; break;
		case 'z': seed = (uint64_t)prog_number(ch, optarg, 0, INT64_MAX); break;
		default: prog_usage();
		}
	}
	w.assignments = w.assignments && form == RECORDS;
	w.rules.map = map_read(map);
	w.tally = tally_new();
	w.assigner = assigner_new(&w.rules);
	w.reader = run_reader_new(w.rules.map);
	digest_config(&w);

	confine(&(struct confine){.files = argv + optind});
	struct ndjson *in = ndjson_open(argv + optind);
	while (ndjson_next(in))
		take(&w, in, form == RECORDS);
	bool whole = ndjson_close(in, stdout);
	if (map_unmapped(w.rules.map) > 0 && form == RECORDS)
		warn_of("unmapped", "states that no line of the map fits are themselves", map);
	matrix_rank(&w.tally->states, seed);
	matrix_rank(&w.tally->milestones, seed);
	bool conserved = tally_check(w.tally, strict, checks);
	if (!conserved) {
		for (size_t i = 0; i < CHECKS; i++)
			if (checks[i].got != checks[i].want)
				warnx("%s: %.0f, not %.0f", checks[i].name, checks[i].got,
				    checks[i].want);
	} else if (whole) {
		print(w.tally, form, checks);
	} else {
		warnx("no matrix: of what could not be read nothing can be said");
	}
	tally_free(w.tally);
	assigner_free(w.assigner);
	run_reader_free(w.reader);
	map_free(w.rules.map);
	jv_free(w.adjudications);
	if (fflush(stdout) != 0)
		err(TROUBLE, "write");
	return whole && conserved ? YES : TROUBLE;
}
