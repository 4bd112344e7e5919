/*
 * triage-traces: the evidence of a trace beside the analysis of the failure that it shows.
 *
 * A segment is a group of tests that fail alike: the analysis of the test that speaks for it, and
 * what trace-events wrote of its trace.  Whose each trace is, test-analyse has found.
 */
#include <stdlib.h>
#include <unistd.h>

#include "analysis.h"
#include "confine.h"
#include "ndjson.h"
#include "prog.h"
#include "spool.h"

struct work {
	jv *analyses;
	size_t count, size;
	jv speakers;     /* {group: index}; invalid: not all analyses are there yet */
	jv wanted;       /* {name of a trace: index of its analysis} */
	FILE *spool;     /* what was read of wanted traces, one after the other */
	long long *from; /* where that of analysis i begins; -1: nowhere */
	long long *to;
};

static void
add_analysis(struct work *w, jv analysis)
{
	if (w->count == w->size) {
		w->size = w->size ? w->size * 2 : 64;
		w->analyses = prog_resize(w->analyses, w->size, sizeof *w->analyses);
	}
	w->analyses[w->count++] = analysis;
}

static bool
speaks(const struct work *w, size_t i)
{
	const char *group = analysis_group(w->analyses[i]);

	return group != NULL && jvx_number(w->speakers, group, -1) == (double)i;
}

/* All analyses are there: which traces are worth keeping? */
static void
choose(struct work *w)
{
	w->speakers = analysis_speakers(w->analyses, w->count);
	w->wanted = jv_object();
	w->from = prog_alloc(w->count + 1, sizeof *w->from);
	w->to = prog_alloc(w->count + 1, sizeof *w->to);
	for (size_t i = 0; i < w->count; i++) {
		jv trace = jvx_get(w->analyses[i], "trace");
		const char *name = jvx_text(trace, "name");
		w->from[i] = w->to[i] = -1;
		if (name != NULL && speaks(w, i))
			w->wanted = jvx_set_number(w->wanted, name, (double)i);
		jv_free(trace);
	}
}

/* The analysis that a trace is for, the first of that name; -1: none. */
static long
begin_trace(struct work *w, const struct ndjson *in)
{
	char *name = scan_copy(scan_member(ndjson_span(in), "name"));
	long i = name == NULL ? -1 : (long)jvx_number(w->wanted, name, -1);

	free(name);
	if (i < 0 || w->from[i] >= 0)
		return -1;
	w->from[i] = spool_at(w->spool);
	return i;
}

static void
read_all(struct work *w, struct ndjson *in)
{
	long open = -1;

	while (ndjson_next(in)) {
		bool begins = ndjson_is(in, "trace");
		if (begins && open >= 0)
			w->to[open] = spool_at(w->spool);
		if (begins && !jv_is_valid(w->speakers))
			choose(w);
		if (begins)
			open = begin_trace(w, in);
		else if (!jv_is_valid(w->speakers) && ndjson_is(in, "analysis"))
			add_analysis(w, ndjson_value(in));
		else if (open >= 0)
			ndjson_pass(in, w->spool);
	}
	if (open >= 0)
		w->to[open] = spool_at(w->spool);
	if (!jv_is_valid(w->speakers))
		choose(w);
}

static void
write_all(struct work *w)
{
	for (size_t i = 0; i < w->count; i++) {
		jv a = w->analyses[i];
		if (speaks(w, i)) {
			jv opener = jvx_set_text(jv_object(), "type", "trace");
			ndjson_put(jvx_set_text(opener, "name", analysis_group(a)), stdout);
			ndjson_put(jv_copy(a), stdout);
			if (w->from[i] >= 0)
				spool_pour(w->spool, w->from[i], w->to[i], stdout);
		}
		jv_free(a);
	}
}

int
main(int argc, char *argv[])
{
	struct work w = {.speakers = jv_invalid(), .wanted = jv_invalid()};

	prog_start(argc, argv,
	    "triage-traces [file ...]\n"
	    "\n"
	    "Read test-analyse's analyses and then the records of the traces that it was given,\n"
	    "and write a segment for each group of tests that fail alike: its analysis with the\n"
	    "evidence of its trace, what is most ambiguous first.\n"
	    "\n"
	    "  test-analyse -T traces attempts >a; triage-traces a traces | redact | untrust-wrap "
	    "|\n"
	    "      triage-sections | llm-call -p prompts/triage.v1.md");
	if (getopt(argc, argv, "") != -1)
		prog_usage();
	argv += optind;
	w.spool = spool_stream();
	confine(&(struct confine){.files = argv});
	struct ndjson *in = ndjson_open(argv);
	read_all(&w, in);
	write_all(&w);
	jv_free(w.speakers);
	jv_free(w.wanted);
	free(w.analyses);
	free(w.from);
	free(w.to);
	fclose(w.spool);
	return ndjson_close(in, stdout) ? YES : TROUBLE;
}
