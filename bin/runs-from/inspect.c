/*
 * inspect: logs of Inspect as JSON: a run a sample and epoch.  Its events are the states; an older
 * log without events has messages.
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
};

static void
add_tool(struct draft *d, struct span call, bool failed, bool pending, struct span error)
{
	struct span f = scan_member(call, "function");
	char *name = scan_copy(f), *id = scan_copy(scan_member(call, "id"));
	char *class = scan_copy(scan_member(error, "type"));
	struct step s = {.name = name, .tool = name ? name : "unnamed", .call = id};

	s.status = failed ? "fail" : pending ? "open" : "ok";
	s.result = failed ? "error" : pending ? NULL : "ok";
	if (scan_is(scan_member(error, "type"), "timeout"))
		s.status = s.result = "timeout";
	if (scan_is(scan_member(error, "type"), "approval") ||
	    scan_is(scan_member(error, "type"), "permission"))
		s.status = s.result = "denied";
	s.error_class = class && strcmp(class, "parsing") == 0 ? "invalid_arguments" : class;
	draft_step(d, &s);
	free(name);
	free(id);
	free(class);
}

static void
add_model(struct draft *d, struct span event)
{
	struct scan_each it = {0};
	struct span choices = scan_path(event, "output", "choices", NULL), calls = {0};
	bool failed = doc_there(scan_member(event, "error"));

	if (scan_kind(choices) == '[' && scan_each(&it, choices))
		calls = scan_path(it.value, "message", "tool_calls", NULL);
	it = (struct scan_each){0};
	/* A turn that calls tools is told by them. */
	if (!failed && scan_kind(calls) == '[' && scan_each(&it, calls))
		return;
	struct step s = {.name = "respond", .status = failed ? "fail" : "ok"};
	if (scan_true(scan_member(event, "pending")))
		s.status = "open";
	draft_step(d, &s);
}

static void
take_events(struct state *s, struct draft *d, struct span list)
{
	static const char *const known[] = {"sample_init", "state", "store", "info", "span_begin",
	    "span_end", "step", "score", "input", "logger", "sandbox", "approval", "subtask",
	    "sample_limit", "error", "score_edit", "compaction", NULL};
	struct scan_each it = {0};

	while (scan_each(&it, list)) {
		struct span kind = scan_member(it.value, "event"),
			    error = scan_member(it.value, "error");
		size_t i = 0;
		if (scan_is(kind, "tool")) {
			add_tool(d, it.value, doc_there(error),
			    scan_true(scan_member(it.value, "pending")), error);
			continue;
		}
		if (scan_is(kind, "model")) {
			add_model(d, it.value);
			continue;
		}
		while (known[i] != NULL && !scan_is(kind, known[i]))
			i++;
		if (known[i] == NULL)
			out_unmapped(s->out, "events of an unknown kind");
	}
}

/* The result of a call among the messages. */
static struct span
result_of(struct span messages, struct span id)
{
	struct scan_each it = {0};
	char *want = scan_copy(id);
	struct span found = {0};

	while (want != NULL && scan_each(&it, messages))
		if (scan_is(scan_member(it.value, "role"), "tool") &&
		    scan_is(scan_member(it.value, "tool_call_id"), want))
			found = it.value;
	free(want);
	return found;
}

static void
take_messages(struct draft *d, struct span messages)
{
	struct scan_each it = {0};

	while (scan_each(&it, messages)) {
		struct scan_each call = {0};
		struct span calls = scan_member(it.value, "tool_calls");
		bool any = false;
		if (!scan_is(scan_member(it.value, "role"), "assistant"))
			continue;
		while (scan_kind(calls) == '[' && scan_each(&call, calls)) {
			struct span r = result_of(messages, scan_member(call.value, "id"));
			struct span error = scan_member(r, "error");
			add_tool(d, call.value, doc_there(error), !doc_there(r), error);
			any = true;
		}
		struct step s = {.name = "respond", .status = "ok"};
		if (!any)
			draft_step(d, &s);
	}
}

/* "C" is correct and "I" is not; "P" and what lies between the ends of a scale is no verdict. */
static int
verdict(struct span value)
{
	double x = scan_number(value, -1);

	if (scan_is(value, "C") || scan_kind(value) == 't')
		return 1;
	if (scan_is(value, "I") || scan_is(value, "N") || scan_kind(value) == 'f')
		return 0;
	return x == 1 ? 1 : x == 0 ? 0 : -1;
}

static bool
take_scores(struct state *s, struct draft *d, struct span scores)
{
	struct scan_each it = {0};
	bool any = false;

	while (scan_kind(scores) == '{' && scan_each(&it, scores)) {
		char *name = scan_copy(it.key);
		int pass = verdict(scan_member(it.value, "value"));
		if (pass < 0)
			out_unmapped(s->out, "scores that are no verdict");
		draft_oracle(d, name, "outcome", pass, jv_invalid(), jv_invalid());
		any = any || pass >= 0;
		free(name);
	}
	return any;
}

static const char *
terminal_of(struct span sample)
{
	struct span type = scan_path(sample, "limit", "type", NULL);

	if (doc_there(scan_member(sample, "error")))
		return "error";
	if (scan_is(type, "time") || scan_is(type, "working"))
		return "timeout";
	if (scan_is(type, "operator"))
		return "cancelled";
	return doc_there(type) ? "budget" : "final";
}

static void
take_sample(struct state *s, struct span v, const char *log)
{
	struct draft d = draft_new();
	struct span id = scan_member(v, "id"), events = scan_member(v, "events");
	struct span messages = scan_member(v, "messages");
	struct scan_each look = {0};
	double epoch = scan_number(scan_member(v, "epoch"), 1);
	char *task = scan_kind(id) == '0' ? prog_copy(id.at, id.len) : scan_copy(id);
	struct buf run = {0};

	buf_format(&run, "%s:%s:%.0f", log, task ? task : "sample", epoch);
	draft_text(&d, "run_id", run.data);
	draft_text(&d, "task_id", task ? task : "sample");
	draft_number(&d, "trial", epoch);
	draft_text(&d, "terminal", terminal_of(v));
	if (!take_scores(s, &d, scan_member(v, "scores")) && doc_there(scan_member(v, "error")))
		draft_text(&d, "outcome", "failure");
	if (scan_kind(events) == '[' && scan_each(&look, events))
		take_events(s, &d, events);
	else if (scan_kind(messages) == '[')
		take_messages(&d, messages);
	draft_put(&d, s->out);
	buf_free(&run);
	free(task);
}

static void
take(void *state, const struct doc *d)
{
	struct state *s = state;
	struct scan_each it = {0};
	struct span samples = scan_member(d->value, "samples");
	char *log = scan_copy(scan_path(d->value, "eval", "run_id", NULL));

	if (log == NULL)
		log = draft_name(d, false);
	if (scan_kind(samples) == '[') {
		while (scan_each(&it, samples))
			take_sample(s, it.value, log);
	} else if (doc_there(scan_member(d->value, "id")) &&
		   (doc_there(scan_member(d->value, "events")) ||
		       doc_there(scan_member(d->value, "messages")))) {
		take_sample(s, d->value, log);
	} else {
		out_unmapped(s->out, "values that are no log and no sample");
	}
	free(log);
}

static const char *const drop[] = {"store", "attachments", "call", "tools", "config", "metadata",
    "model_usage", "events_data", "target", "reductions", NULL};
const struct adapter from_inspect = {"inspect", drop, sizeof(struct state), take, NULL};
