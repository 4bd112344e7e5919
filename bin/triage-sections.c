/*
 * triage-sections: what a model is asked about each cause in a red build, one stage at a time.
 *
 * A segment is a group of tests that fail alike: the analysis of the test that speaks for it, the
 * evidence of its trace, and the sections made of both.  The later stages read what llm-call wrote
 * of the stage before, and keep the segments that the answer calls for.
 */
#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis.h"
#include "confine.h"
#include "ndjson.h"
#include "prog.h"
#include "section.h"
#include "spool.h"

enum stage { TRIAGE, ROOT_CAUSE, FIX };
static const char *const stage_names[] = {"triage", "root-cause", "fix"};

struct list {
	jv *at;
	size_t count, size;
};

static void
append(struct list *l, jv v)
{
	if (l->count == l->size) {
		l->size = l->size ? l->size * 2 : 64;
		l->at = prog_resize(l->at, l->size, sizeof *l->at);
	}
	l->at[l->count++] = v;
}

static void
clear(struct list *l)
{
	for (size_t i = 0; i < l->count; i++)
		jv_free(l->at[i]);
	l->count = 0;
}

static void
put_section(const char *label, const struct buf *text)
{
	if (text->len > 0)
		ndjson_put(section_record(label, text), stdout);
}

static void
put_sections(jv analysis)
{
	for (size_t i = 0; analysis_labels[i] != NULL; i++) {
		struct buf text = {0};
		analysis_section(analysis, analysis_labels[i], &text);
		put_section(analysis_labels[i], &text);
		buf_free(&text);
	}
}

/* What a model said before is a stranger's text like any other. */
static void
put_answer(const char *label, jv answer)
{
	jv output = jvx_get(answer, "output");
	struct buf text = {0};

	jvx_write(output, &text);
	buf_byte(&text, '\n');
	put_section(label, &text);
	buf_free(&text);
	jv_free(output);
}

static jv
opener(const char *name)
{
	return jvx_set_text(jvx_set_text(jv_object(), "type", "trace"), "name", name);
}

/* The test that speaks for each group, in the order of ambiguity. */
static void
ask_triage(struct list *all)
{
	jv speakers = analysis_speakers(all->at, all->count);

	for (size_t i = 0; i < all->count; i++) {
		jv a = all->at[i];
		const char *group = analysis_group(a);
		if (group == NULL || jvx_number(speakers, group, -1) != (double)i)
			continue;
		ndjson_put(opener(group), stdout);
		ndjson_put(jv_copy(a), stdout);
		put_sections(a);
	}
	jv_free(speakers);
}

/* A segment: its records are in the spool, but for its sections. */
struct segment {
	FILE *spool;
	jv analysis;
	jv answer[2]; /* the last of triage and of root-cause */
	struct list sections;
};

static bool
is_stage(jv answer, enum stage stage)
{
	const char *prompt = jvx_text(answer, "prompt");
	size_t len = strlen(stage_names[stage]);

	return prompt != NULL && strncmp(prompt, stage_names[stage], len) == 0 &&
	       (prompt[len] == '.' || prompt[len] == '\0');
}

/* A cause is asked for where the fault is the product's, and that is sure enough. */
static bool
calls_for_cause(jv verdict, double threshold)
{
	jv output = jvx_get(verdict, "output");
	const char *owner = jvx_text(output, "owner");
	bool yes = owner != NULL && strcmp(owner, "app_code") == 0 &&
		   jvx_number(output, "confidence", 0) >= threshold;

	jv_free(output);
	return yes;
}

static bool
calls_for(const struct segment *s, enum stage stage, double threshold)
{
	if (!jv_is_valid(s->analysis) || stage == TRIAGE)
		return jv_is_valid(s->analysis);
	return jv_is_valid(s->answer[TRIAGE]) && calls_for_cause(s->answer[TRIAGE], threshold) &&
	       (stage == ROOT_CAUSE || jv_is_valid(s->answer[ROOT_CAUSE]));
}

/* What it held, and what is asked: the analysis, the trace, and what was answered before. */
static void
end_segment(struct segment *s, enum stage stage, double threshold)
{
	if (calls_for(s, stage, threshold)) {
		spool_pour(s->spool, 0, spool_at(s->spool), stdout);
		put_sections(s->analysis);
		for (size_t i = 0; i < s->sections.count; i++)
			ndjson_put(jv_copy(s->sections.at[i]), stdout);
		if (stage > TRIAGE)
			put_answer("verdict", s->answer[TRIAGE]);
		if (stage > ROOT_CAUSE)
			put_answer("cause", s->answer[ROOT_CAUSE]);
	}
	spool_empty(s->spool);
	clear(&s->sections);
	jv_free(s->analysis);
	s->analysis = jv_invalid();
	for (int i = TRIAGE; i < FIX; i++) {
		jv_free(s->answer[i]);
		s->answer[i] = jv_invalid();
	}
}

static void
take(struct segment *s, struct ndjson *in)
{
	if (ndjson_is(in, "section")) {
		append(&s->sections, ndjson_value(in));
		return;
	}
	if (ndjson_is(in, "analysis") && !jv_is_valid(s->analysis)) {
		jv_free(s->analysis);
		s->analysis = ndjson_value(in);
	} else if (ndjson_is(in, "answer")) {
		jv answer = ndjson_value(in);
		for (int i = TRIAGE; i < FIX; i++)
			if (is_stage(answer, (enum stage)i)) {
				jv_free(s->answer[i]);
				s->answer[i] = jv_copy(answer);
			}
		jv_free(answer);
	}
	ndjson_pass(in, s->spool);
}

/* Analyses that stand before any segment are put into segments of their own. */
static void
read_records(struct ndjson *in, struct segment *s, enum stage stage, double threshold)
{
	struct list all = {0};
	bool any = false;

	while (ndjson_next(in)) {
		if (ndjson_is(in, "trace")) {
			end_segment(s, stage, threshold);
			any = true;
		}
		if (any || stage != TRIAGE)
			take(s, in);
		else if (ndjson_is(in, "analysis"))
			append(&all, ndjson_value(in));
	}
	end_segment(s, stage, threshold);
	ask_triage(&all);
	clear(&all);
	free(all.at);
}

static enum stage
stage_of(const char *name)
{
	for (size_t i = 0; i < sizeof stage_names / sizeof *stage_names; i++)
		if (strcmp(stage_names[i], name) == 0)
			return (enum stage)i;
	errx(TROUBLE, "-s: triage, root-cause and fix are known");
}

int
main(int argc, char *argv[])
{
	enum stage stage = TRIAGE;
	double threshold = 2; /* no confidence reaches it */
	int ch;

	prog_start(argc, argv,
	    "triage-sections [-c confidence] [-s stage] [file ...]\n"
	    "\n"
	    "Write what a model is asked about the failing tests that test-analyse describes: a\n"
	    "segment for each group of tests that fail alike, what is most ambiguous first; or\n"
	    "add it to the segments that triage-traces made.\n"
	    "\n"
	    "  -s stage       triage; or root-cause or fix, for which the input is what llm-call\n"
	    "                 wrote of the stage before\n"
	    "  -c confidence  ask for causes from this confidence on, 0 to 1; without it, never\n"
	    "\n"
	    "  test-analyse a.ndjson | redact | triage-sections | llm-call -p "
	    "prompts/triage.v1.md");
	while ((ch = getopt(argc, argv, "c:s:")) != -1) {
		switch (ch) {
		case 'c': threshold = prog_amount(ch, optarg, 1); break;
		case 's': stage = stage_of(optarg); break;
		default: prog_usage();
		}
	}
	struct segment s = {.spool = spool_stream(),
	    .analysis = jv_invalid(),
	    .answer = {jv_invalid(), jv_invalid()}};
	confine(&(struct confine){.files = argv + optind});
	struct ndjson *in = ndjson_open(argv + optind);
	read_records(in, &s, stage, threshold);
	fclose(s.spool);
	free(s.sections.at);
	return ndjson_close(in, stdout) ? YES : TROUBLE;
}
