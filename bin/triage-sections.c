/*
 * triage-sections: what a model is asked about each cause in a red build, one stage at a time.
 *
 * A segment is a group of tests that fail alike: its first test's analysis and the sections made of
 * it.  The later stages read what llm-call wrote of the stage before, and keep the segments that
 * the answer calls for.
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

/* The first test of each group, in the order of ambiguity. */
static void
ask_triage(struct list *all)
{
	jv asked = jv_object();

	if (all->count > 0)
		qsort(all->at, all->count, sizeof *all->at, analysis_order);
	for (size_t i = 0; i < all->count; i++) {
		jv a = all->at[i];
		const char *group = analysis_group(a);
		if (group == NULL || !analysis_selected(a) || jvx_true(asked, group))
			continue;
		asked = jv_object_set(asked, jv_string(group), jv_true());
		ndjson_put(opener(group), stdout);
		ndjson_put(jv_copy(a), stdout);
		put_sections(a);
	}
	jv_free(asked);
}

static bool
is_stage(jv answer, enum stage stage)
{
	const char *prompt = jvx_text(answer, "prompt");
	size_t len = strlen(stage_names[stage]);

	return prompt != NULL && strncmp(prompt, stage_names[stage], len) == 0 &&
	       (prompt[len] == '.' || prompt[len] == '\0');
}

static jv
answer_of(const struct list *segment, enum stage stage)
{
	for (size_t i = segment->count; i-- > 0;) {
		const char *type = jvx_text(segment->at[i], "type");
		if (type != NULL && strcmp(type, "answer") == 0 && is_stage(segment->at[i], stage))
			return segment->at[i];
	}
	return jv_invalid();
}

static jv
analysis_of(const struct list *segment)
{
	for (size_t i = 0; i < segment->count; i++) {
		const char *type = jvx_text(segment->at[i], "type");
		if (type != NULL && strcmp(type, "analysis") == 0)
			return segment->at[i];
	}
	return jv_invalid();
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

static void
ask_further(const struct list *segment, enum stage stage, double threshold)
{
	jv analysis = analysis_of(segment), verdict = answer_of(segment, TRIAGE);
	jv cause = answer_of(segment, ROOT_CAUSE);

	if (!jv_is_valid(analysis) || !jv_is_valid(verdict) ||
	    !calls_for_cause(verdict, threshold) || (stage == FIX && !jv_is_valid(cause)))
		return;
	for (size_t i = 0; i < segment->count; i++)
		ndjson_put(jv_copy(segment->at[i]), stdout);
	put_sections(analysis);
	put_answer("verdict", verdict);
	if (stage == FIX)
		put_answer("cause", cause);
}

static void
read_segments(struct ndjson *in, enum stage stage, double threshold)
{
	struct list segment = {0};

	for (bool more = true; more;) {
		more = ndjson_next(in);
		if (!more || ndjson_is(in, "trace")) {
			ask_further(&segment, stage, threshold);
			clear(&segment);
		}
		if (more)
			append(&segment, ndjson_value(in));
	}
	free(segment.at);
}

static void
read_analyses(struct ndjson *in)
{
	struct list all = {0};

	while (ndjson_next(in))
		if (ndjson_is(in, "analysis"))
			append(&all, ndjson_value(in));
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
	char *end;
	int ch;

	prog_start(argc, argv,
	    "triage-sections [-c confidence] [-s stage] [file ...]\n"
	    "\n"
	    "Write what a model is asked about the failing tests that test-analyse describes: a\n"
	    "segment for each group of tests that fail alike, what is most ambiguous first.\n"
	    "\n"
	    "  -s stage       triage; or root-cause or fix, for which the input is what llm-call\n"
	    "                 wrote of the stage before\n"
	    "  -c confidence  ask for causes from this confidence on, 0 to 1; without it, never\n"
	    "\n"
	    "  test-analyse a.ndjson | redact | triage-sections | llm-call -p "
	    "prompts/triage.v1.md");
	while ((ch = getopt(argc, argv, "c:s:")) != -1) {
		switch (ch) {
		case 'c':
			threshold = strtod(optarg, &end);
			if (end == optarg || *end != '\0' || !(threshold >= 0 && threshold <= 1))
				errx(TROUBLE, "-c: a number from 0 to 1");
			break;
		case 's': stage = stage_of(optarg); break;
		default: prog_usage();
		}
	}
	confine(&(struct confine){.files = argv + optind});
	struct ndjson *in = ndjson_open(argv + optind);
	if (stage == TRIAGE)
		read_analyses(in);
	else
		read_segments(in, stage, threshold);
	return ndjson_close(in, stdout) ? YES : TROUBLE;
}
