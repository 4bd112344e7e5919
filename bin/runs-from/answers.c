/*
 * answers: our own answers as runs: the seven phases of the method are the states, and a score or
 * the citations and dead ends that rca-check found are the oracles.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "doc.h"
#include "draft.h"
#include "jvx.h"
#include "prog.h"

struct state {
	struct out *out;
	struct draft run;
	bool open, checked, cited, dead_end;
	char *name;
	double epoch;
};

static void
put_run(struct state *s)
{
	if (!s->open)
		return;
	if (s->checked) {
		draft_oracle(&s->run, "citations", "format", s->cited, jv_invalid(), jv_invalid());
		draft_oracle(
		    &s->run, "dead-ends", "policy", !s->dead_end, jv_invalid(), jv_invalid());
	}
	draft_put(&s->run, s->out);
	s->open = false;
	free(s->name);
	s->name = NULL;
}

static void
start_run(struct state *s, struct span v, const char *terminal)
{
	struct buf id = {0};

	put_run(s);
	s->run = draft_new();
	s->open = true;
	s->checked = s->dead_end = false;
	s->cited = true;
	s->name = scan_copy(scan_member(v, "name"));
	s->epoch = scan_number(scan_member(v, "epoch"), 1);
	const char *name = s->name ? s->name : "answer", *slash = strrchr(name, '/');
	char *prompt = scan_copy(scan_member(v, "prompt"));
	buf_format(&id, "%s %s #%.0f", name, prompt ? prompt : "", s->epoch);
	draft_text(&s->run, "run_id", id.data);
	draft_text(&s->run, "task_id", slash ? slash + 1 : name);
	draft_number(&s->run, "trial", s->epoch);
	draft_text(&s->run, "terminal", terminal);
	buf_free(&id);
	free(prompt);
}

static void
take_phase(struct state *s, struct span v)
{
	struct buf name = {0};
	struct span said = scan_member(v, "name");

	if (!s->open) {
		out_unmapped(s->out, "phases without an answer before them");
		return;
	}
	if (!scan_text(said, &name))
		buf_format(&name, "phase %.0f", scan_number(scan_member(v, "n"), 0));
	struct step step = {
	    .name = name.data, .status = scan_true(scan_member(v, "ok")) ? "ok" : "fail"};
	draft_step(&s->run, &step);
	s->checked = true;
	buf_free(&name);
}

/* An answer that kept its model from the end: why decides how the run ended. */
static void
take_unclassified(struct state *s, struct span v)
{
	struct span reason = scan_member(v, "reason");

	start_run(
	    s, v, scan_is(reason, "budget") || scan_is(reason, "truncated") ? "budget" : "error");
	draft_text(&s->run, "outcome", "failure");
}

static void
take_score(struct state *s, struct span v)
{
	struct span status = scan_member(v, "status");
	bool passed = scan_is(status, "pass");

	if (!s->open) {
		out_unmapped(s->out, "scores without an answer before them");
		return;
	}
	if (passed || scan_is(status, "fail"))
		draft_oracle(&s->run, "score", "outcome", passed, jv_invalid(), jv_invalid());
	else
		out_unmapped(s->out, "scores that neither pass nor fail");
}

static void
take(void *state, const struct doc *d)
{
	struct state *s = state;
	struct span v = d->value, type = scan_member(v, "type");

	if (scan_is(type, "trace")) {
		put_run(s);
	} else if (scan_is(type, "answer")) {
		start_run(s, v, "final");
	} else if (scan_is(type, "unclassified")) {
		take_unclassified(s, v);
	} else if (scan_is(type, "phase")) {
		take_phase(s, v);
	} else if (scan_is(type, "citation")) {
		s->cited = s->cited && scan_true(scan_member(v, "ok"));
	} else if (scan_is(type, "trigger")) {
		s->dead_end = true;
	} else if (scan_is(type, "score")) {
		take_score(s, v);
	} else if (scan_kind(type) != '"') {
		out_unmapped(s->out, "values that are no records");
	}
}

static void
end(void *state)
{
	put_run(state);
}

static const char *const drop[] = {"data", "record", "aria", "output", "log", "body", NULL};
const struct adapter from_answers = {"answers", drop, sizeof(struct state), take, end};
