/* langfuse: traces with observations and scores, together or a value each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doc.h"
#include "prog.h"
#include "spans.h"

static uint64_t
time_of(struct span v)
{
	char *text = scan_copy(v);
	uint64_t ns = spans_time(text);

	free(text);
	return ns;
}

static enum role
role_of(struct spans *s, struct span type)
{
	static const char *const states[] = {
	    "SPAN", "GENERATION", "EVENT", "AGENT", "CHAIN", "RETRIEVER", "EMBEDDING", NULL};

	if (scan_is(type, "TOOL"))
		return TOOL;
	if (scan_is(type, "GUARDRAIL"))
		return SAFETY_ORACLE;
	if (scan_is(type, "EVALUATOR"))
		return OUTCOME_ORACLE;
	for (size_t i = 0; states[i] != NULL; i++)
		if (scan_is(type, states[i]))
			return STATE;
	out_unmapped(s->out, "observations of an unknown type");
	return STATE;
}

static void
take_observation(struct spans *s, struct span v, const char *trace)
{
	struct node n = {.pass = -1};
	struct span type = scan_member(v, "type");

	n.trace = scan_copy(doc_either(v, "traceId", "trace_id"));
	if (n.trace == NULL && trace != NULL)
		n.trace = prog_copy(trace, strlen(trace));
	n.id = scan_copy(scan_member(v, "id"));
	n.parent = scan_copy(doc_either(v, "parentObservationId", "parent_observation_id"));
	n.name = scan_copy(scan_member(v, "name"));
	n.start = time_of(doc_either(v, "startTime", "start_time"));
	n.end = time_of(doc_either(v, "endTime", "end_time"));
	if (n.end == 0 && scan_is(type, "EVENT"))
		n.end = n.start;
	n.failed = scan_is(scan_member(v, "level"), "ERROR");
	n.role = role_of(s, type);
	if (n.role == SAFETY_ORACLE)
		n.pass = !n.failed;
	else if (n.role == OUTCOME_ORACLE && n.failed)
		n.pass = 0;
	/* What hangs on the trace itself is below its root, see take_trace. */
	if (n.parent == NULL && trace != NULL)
		n.parent = prog_copy("trace", 5);
	spans_add(s, n);
}

static int
verdict(struct span score)
{
	struct span value = scan_member(score, "value"),
		    text = doc_either(score, "stringValue", "string_value");
	double x = scan_number(value, -1);

	if (scan_kind(value) == '"')
		text = value;
	if (scan_kind(value) == 't' || scan_is(text, "pass") || scan_is(text, "correct") ||
	    scan_is(text, "True"))
		return 1;
	if (scan_kind(value) == 'f' || scan_is(text, "fail") || scan_is(text, "incorrect") ||
	    scan_is(text, "False"))
		return 0;
	return x == 1 ? 1 : x == 0 ? 0 : -1;
}

static void
take_score(struct spans *s, struct span v, const char *trace)
{
	struct node n = {.role = OUTCOME_ORACLE, .pass = verdict(v)};

	if (n.pass < 0)
		out_unmapped(s->out, "scores that are no verdict");
	n.trace = scan_copy(doc_either(v, "traceId", "trace_id"));
	if (n.trace == NULL && trace != NULL)
		n.trace = prog_copy(trace, strlen(trace));
	n.name = scan_copy(scan_member(v, "name"));
	n.parent = prog_copy("trace", 5);
	spans_add(s, n);
}

static void
take_trace(struct spans *s, struct span v)
{
	struct scan_each it = {0};
	struct span list = scan_member(v, "observations"), scores = scan_member(v, "scores");
	struct node root = {.role = PLAIN, .end = 1};
	char *trace = scan_copy(scan_member(v, "id"));

	root.trace = scan_copy(scan_member(v, "id"));
	root.id = prog_copy("trace", 5);
	root.task = scan_copy(scan_member(scan_member(v, "metadata"), "task_id"));
	spans_add(s, root);
	while (scan_kind(list) == '[' && scan_each(&it, list)) {
		if (scan_kind(it.value) == '{')
			take_observation(s, it.value, trace);
		else
			out_unmapped(s->out, "observations of which only the id is there");
	}
	it = (struct scan_each){0};
	while (scan_kind(scores) == '[' && scan_each(&it, scores)) {
		if (scan_kind(it.value) == '{')
			take_score(s, it.value, trace);
		else
			out_unmapped(s->out, "scores of which only the id is there");
	}
	free(trace);
}

static void
take_value(struct spans *s, struct span v)
{
	bool of_trace = doc_there(doc_either(v, "traceId", "trace_id"));

	if (scan_kind(scan_member(v, "observations")) == '[')
		take_trace(s, v);
	else if (of_trace && doc_there(scan_member(v, "value")))
		take_score(s, v, NULL);
	else if (of_trace && doc_there(scan_member(v, "type")))
		take_observation(s, v, NULL);
	else
		out_unmapped(s->out, "values that are no trace, observation or score");
}

static void
take(void *state, const struct doc *d)
{
	struct scan_each it = {0};
	struct span list = scan_member(d->value, "data");

	if (scan_kind(list) != '[') {
		take_value(state, d->value);
		return;
	}
	while (scan_each(&it, list))
		take_value(state, it.value);
}

static const char *const drop[] = {"input", "output", "modelParameters", "usageDetails", NULL};
const struct adapter from_langfuse = {"langfuse", drop, sizeof(struct spans), take, spans_put};
