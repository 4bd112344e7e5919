/*
 * otel: spans of OpenTelemetry (GenAI conventions), OpenInference and OpenLLMetry, as OTLP JSON in
 * whatever batches, or flat, as the exporters for consoles write them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doc.h"
#include "prog.h"
#include "spans.h"

/* An attribute: OTLP has a list of {key, value: {stringValue: …}}, others have an object. */
static struct span
attribute(struct span span, const char *name)
{
	struct scan_each it = {0};
	struct span list = scan_member(span, "attributes"), found = {0};

	if (scan_kind(list) == '{')
		return scan_member(list, name);
	while (scan_kind(list) == '[' && scan_each(&it, list)) {
		struct scan_each value = {0};
		if (scan_is(scan_member(it.value, "key"), name) &&
		    scan_each(&value, scan_member(it.value, "value")))
			found = value.value;
	}
	return found;
}

static char *
text_of(struct span span, const char *const *names)
{
	for (size_t i = 0; names[i] != NULL; i++) {
		char *text = scan_copy(attribute(span, names[i]));
		if (text != NULL && *text != '\0')
			return text;
		free(text);
	}
	return NULL;
}

/* Nanoseconds as a number or as the text of one; or a date. */
static uint64_t
time_of(struct span v)
{
	char *text = scan_kind(v) == '0' ? prog_copy(v.at, v.len) : scan_copy(v);
	uint64_t ns = 0;

	if (text != NULL)
		ns = strchr(text, '-') ? spans_time(text) : strtoull(text, NULL, 10);
	free(text);
	return ns;
}

static bool
has_failed(struct span span)
{
	struct span status = scan_member(span, "status");
	struct span code = doc_either(status, "code", "status_code");

	if (scan_kind(status) == '"')
		code = status;
	if (!doc_there(code))
		code = scan_member(span, "status_code");
	return scan_number(code, 0) == 2 || scan_is(code, "STATUS_CODE_ERROR") ||
	       scan_is(code, "ERROR") || scan_is(code, "Error") ||
	       doc_there(attribute(span, "error.type"));
}

static int
verdict(struct span label, struct span score)
{
	static const char *const good[] = {"pass", "passed", "correct", "true", "yes", NULL};
	static const char *const bad[] = {"fail", "failed", "incorrect", "false", "no", NULL};
	double x = scan_number(score, -1);

	for (size_t i = 0; good[i] != NULL; i++) {
		if (scan_is(label, good[i]))
			return 1;
		if (scan_is(label, bad[i]))
			return 0;
	}
	/* A score between the ends is no verdict. */
	return x == 1 ? 1 : x == 0 ? 0 : -1;
}

/* Results of evaluations that are events of a span. */
static void
take_events(struct spans *s, struct span span, const struct node *of)
{
	struct scan_each it = {0};
	struct span list = scan_member(span, "events");
	static const char *const names[] = {"gen_ai.evaluation.name", NULL};

	while (scan_kind(list) == '[' && scan_each(&it, list)) {
		if (!scan_is(scan_member(it.value, "name"), "gen_ai.evaluation.result"))
			continue;
		struct node n = {.role = OUTCOME_ORACLE, .start = of->start, .end = of->end};
		n.trace = of->trace ? prog_copy(of->trace, strlen(of->trace)) : NULL;
		n.parent = of->id ? prog_copy(of->id, strlen(of->id)) : NULL;
		n.name = text_of(it.value, names);
		n.pass = verdict(attribute(it.value, "gen_ai.evaluation.score.label"),
		    attribute(it.value, "gen_ai.evaluation.score.value"));
		spans_add(s, n);
	}
}

/* The role by the conventions of OpenInference and OpenLLMetry; PLAIN when it has neither. */
static enum role
role_of_kind(struct span span)
{
	struct span kind = attribute(span, "openinference.span.kind");

	if (!doc_there(kind))
		kind = scan_member(span, "span_kind");
	if (!doc_there(kind))
		kind = attribute(span, "traceloop.span.kind");
	if (!doc_there(kind))
		return PLAIN;
	if (scan_is(kind, "TOOL") || scan_is(kind, "tool"))
		return TOOL;
	if (scan_is(kind, "GUARDRAIL"))
		return SAFETY_ORACLE;
	return scan_is(kind, "EVALUATOR") ? OUTCOME_ORACLE : STATE;
}

static void
classify(struct spans *s, struct span span, struct node *n)
{
	static const char *const tools[] = {
	    "gen_ai.tool.name", "tool.name", "traceloop.entity.name", NULL};
	static const char *const agents[] = {
	    "graph.node.id", "gen_ai.agent.name", "agent.name", "traceloop.entity.name", NULL};
	struct span op = attribute(span, "gen_ai.operation.name");
	char *better = NULL;

	n->role = role_of_kind(span);
	if (scan_is(op, "execute_tool") ||
	    (n->role == PLAIN && doc_there(attribute(span, tools[0])))) {
		n->role = TOOL;
	} else if (n->role == PLAIN && doc_there(op)) {
		n->role = STATE;
		/* "chat gpt-4o" on one day is "chat gpt-5" on another, and the same state. */
		if (!scan_is(op, "invoke_agent") && !scan_is(op, "create_agent"))
			better = scan_copy(op);
	} else if (n->role == PLAIN && doc_there(attribute(span, "gen_ai.system"))) {
		n->role = STATE;
		better = prog_copy("chat", 4);
	}
	if (n->role == TOOL)
		better = text_of(span, tools);
	else if (n->role == STATE && better == NULL)
		better = text_of(span, agents);
	if (better != NULL) {
		free(n->name);
		n->name = better;
	}
	if (n->role == SAFETY_ORACLE)
		n->pass = !n->failed;
	else if (n->role == OUTCOME_ORACLE)
		n->pass = n->failed ? 0
				    : verdict(attribute(span, "gen_ai.evaluation.score.label"),
					  attribute(span, "gen_ai.evaluation.score.value"));
	if (n->role == PLAIN)
		out_unmapped(s->out, "spans that are no act of an agent");
}

static void
take_span(struct spans *s, struct span span)
{
	static const char *const calls[] = {"gen_ai.tool.call.id", "tool.id", "tool_call.id", NULL};
	static const char *const actors[] = {"gen_ai.agent.name", "agent.name", NULL};
	static const char *const errors[] = {"error.type", "exception.type", NULL};
	static const char *const tasks[] = {"task_id", "task.id", "test.case.id", NULL};
	struct span context = scan_member(span, "context");
	struct node n = {0};

	n.trace = scan_copy(doc_either(span, "traceId", "trace_id"));
	if (n.trace == NULL)
		n.trace = scan_copy(scan_member(context, "trace_id"));
	if (n.trace == NULL)
		n.trace = scan_copy(scan_member(span, "context.trace_id"));
	n.id = scan_copy(doc_either(span, "spanId", "span_id"));
	if (n.id == NULL)
		n.id = scan_copy(scan_member(context, "span_id"));
	if (n.id == NULL)
		n.id = scan_copy(scan_member(span, "context.span_id"));
	n.parent = scan_copy(doc_either(span, "parentSpanId", "parent_id"));
	if (n.parent == NULL)
		n.parent = scan_copy(scan_member(span, "parent_span_id"));
	n.name = scan_copy(scan_member(span, "name"));
	n.start = time_of(doc_either(span, "startTimeUnixNano", "start_time"));
	n.end = time_of(doc_either(span, "endTimeUnixNano", "end_time"));
	n.failed = has_failed(span);
	n.call = text_of(span, calls);
	n.actor = text_of(span, actors);
	n.error_class = text_of(span, errors);
	n.task = text_of(span, tasks);
	if (n.trace == NULL)
		out_unmapped(s->out, "spans without a trace id");
	classify(s, span, &n);
	take_events(s, span, &n);
	spans_add(s, n);
}

static void
take_scopes(struct spans *s, struct span resource)
{
	struct scan_each scope = {0};
	struct span scopes = doc_either(resource, "scopeSpans", "instrumentationLibrarySpans");

	if (!doc_there(scopes))
		scopes = scan_member(resource, "scope_spans");
	while (scan_kind(scopes) == '[' && scan_each(&scope, scopes)) {
		struct scan_each it = {0};
		struct span list = scan_member(scope.value, "spans");
		while (scan_kind(list) == '[' && scan_each(&it, list))
			take_span(s, it.value);
	}
}

static void
take(void *state, const struct doc *d)
{
	struct spans *s = state;
	struct scan_each it = {0};
	struct span resources = doc_either(d->value, "resourceSpans", "resource_spans");
	struct span spans = scan_member(d->value, "spans");

	if (scan_kind(resources) == '[') {
		while (scan_each(&it, resources))
			take_scopes(s, it.value);
	} else if (doc_there(doc_either(d->value, "scopeSpans", "scope_spans"))) {
		take_scopes(s, d->value);
	} else if (scan_kind(spans) == '[') {
		while (scan_each(&it, spans))
			take_span(s, it.value);
	} else if (doc_there(doc_either(d->value, "traceId", "trace_id")) ||
		   doc_there(doc_either(d->value, "context", "context.trace_id"))) {
		take_span(s, d->value);
	} else {
		out_unmapped(s->out, "values that are no spans");
	}
}

static const char *const drop[] = {"resource", "links", NULL};
const struct adapter from_otel = {"otel", drop, sizeof(struct spans), take, spans_put};
