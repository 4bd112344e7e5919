/* The evidence alone, for a person: the failure first, then what else was recorded around it. */
#include <math.h>
#include <string.h>

#include "jvx.h"
#include "quote.h"
#include "segment.h"

enum {
	NETWORK = 60, /* records of one kind, at most */
	CONSOLE = 40,
	MOCKS = 60,
	GRAPHQL = 60,
	BEFORE = 20, /* actions before the failure, and after it */
	AFTER = 5,
};

struct counts {
	int errors, page_errors, console_errors, warnings, messages;
	int requests, failed, unanswered, operations, graphql_errors, routes, never;
	const char *verdict;
};

static bool
is(jv rec, const char *type)
{
	const char *t = jvx_text(rec, "type");

	return t != NULL && strcmp(t, type) == 0;
}

static bool
has_text(jv rec, const char *key, const char *text)
{
	const char *t = jvx_text(rec, key);

	return t != NULL && strcmp(t, text) == 0;
}

static bool
went_wrong(jv request)
{
	return jvx_number(request, "status", 0) >= 400 || jvx_text(request, "failure") != NULL;
}

static bool
unanswered(jv request)
{
	return jvx_number(request, "status", -1) < 0 && jvx_text(request, "failure") == NULL;
}

static void
count(struct counts *c, jv rec)
{
	jv errors;

	c->errors += is(rec, "error");
	c->page_errors += is(rec, "page_error");
	if (is(rec, "console")) {
		c->messages++;
		c->console_errors += has_text(rec, "level", "error");
		c->warnings += has_text(rec, "level", "warning");
	}
	if (is(rec, "request") && !jvx_true(rec, "earlier")) {
		c->requests++;
		c->failed += went_wrong(rec);
		c->unanswered += unanswered(rec);
	}
	if (is(rec, "route")) {
		c->routes++;
		c->never += jvx_true(rec, "never");
	}
	if (is(rec, "verdict"))
		c->verdict = jvx_text(rec, "verdict");
	if (!is(rec, "graphql"))
		return;
	c->operations++;
	errors = jvx_get(rec, "errors");
	if (jv_get_kind(errors) == JV_KIND_ARRAY)
		c->graphql_errors += jv_array_length(jv_copy(errors));
	jv_free(errors);
}

static void
counted(struct md *m, const char *what, int n, const char *more, int k)
{
	md_own(m, "- %s: %d", what, n);
	if (k > 0)
		md_own(m, " (%s: %d)", more, k);
	md_own(m, "\n");
}

static void
say_counts(const struct segment *s, struct md *m)
{
	struct counts c = {0};

	jv_array_foreach (s->evidence, i, rec) {
		count(&c, rec);
		jv_free(rec);
	}
	counted(m, "errors of the test", c.errors, "", 0);
	counted(m, "page errors", c.page_errors, "", 0);
	counted(m, "console errors", c.console_errors, "warnings", c.warnings);
	counted(m, "requests", c.requests, "not answered in the trace", c.unanswered);
	counted(m, "failed requests", c.failed, "", 0);
	if (c.routes > 0)
		counted(m, "mocks", c.routes, "never matched", c.never);
	counted(m, "GraphQL operations", c.operations, "", 0);
	if (c.operations > 0)
		counted(m, "GraphQL errors", c.graphql_errors, "", 0);
	if (c.verdict != NULL) {
		md_own(m, "- verdict: ");
		md_text(m, c.verdict);
		md_own(m, "\n");
	}
	md_own(m, "\n");
}

/* A heading, what was left out of it, and the block; nothing when there is nothing to show. */
static void
block(struct md *m, const char *heading, const char *label, struct buf *text, int left_out)
{
	if (text->len != 0) {
		md_heading(m, 2, heading);
		md_block(m, label, text->data, text->len, "");
		if (left_out > 0)
			md_own(m, "%d more not shown.\n\n", left_out);
	}
	buf_free(text);
}

static void
failure(const struct segment *s, struct md *m)
{
	struct buf text = {0};

	jv_array_foreach (s->evidence, i, rec) {
		if (is(rec, "error") && jvx_true(rec, "terminal"))
			quote(&text, rec);
		jv_free(rec);
	}
	jv_array_foreach (s->evidence, i, rec) {
		if (is(rec, "action") && jvx_true(rec, "failure_point"))
			quote(&text, rec);
		jv_free(rec);
	}
	jv_array_foreach (s->evidence, i, rec) {
		if (is(rec, "error") && !jvx_true(rec, "terminal"))
			quote(&text, rec);
		jv_free(rec);
	}
	jv_array_foreach (s->evidence, i, rec) {
		if (is(rec, "source"))
			quote(&text, rec);
		jv_free(rec);
	}
	block(m, "Failure", "failure", &text, 0);
}

/* Records of one type for which wanted says yes, at most most of them. */
static void
listed(const struct segment *s, struct md *m, const char *heading, const char *label,
    bool (*wanted)(jv), int most)
{
	struct buf text = {0};
	int left_out = 0;

	jv_array_foreach (s->evidence, i, rec) {
		bool yes = wanted(rec);
		if (yes && most > 0)
			quote(&text, rec);
		left_out += yes && most <= 0;
		most -= yes;
		jv_free(rec);
	}
	block(m, heading, label, &text, left_out);
}

static bool
page_wanted(jv rec)
{
	return is(rec, "snapshot") && jvx_true(rec, "at_failure");
}

/* What asks for data, and what went wrong; scripts and pictures that came are no news. */
static bool
network_wanted(jv rec)
{
	const char *kind = jvx_text(rec, "resource_type");
	bool data = kind == NULL || strcmp(kind, "xhr") == 0 || strcmp(kind, "fetch") == 0 ||
		    strcmp(kind, "document") == 0 || strcmp(kind, "websocket") == 0;

	if (!is(rec, "request") || jvx_true(rec, "earlier"))
		return false;
	return data || went_wrong(rec) || unanswered(rec) || jvx_text(rec, "mocked") != NULL ||
	       jvx_true(rec, "api_request");
}

static bool
console_wanted(jv rec)
{
	return is(rec, "page_error") ||
	       (is(rec, "console") &&
		   (has_text(rec, "level", "error") || has_text(rec, "level", "warning")));
}

static bool
mock_wanted(jv rec)
{
	return is(rec, "route");
}

static bool
graphql_wanted(jv rec)
{
	return is(rec, "graphql") || is(rec, "verdict");
}

static bool
code_wanted(jv rec)
{
	return is(rec, "code");
}

static bool
note_wanted(jv rec)
{
	return is(rec, "warning");
}

/* The actions around the failure, or the last ones; the steps of hooks and fixtures that went well
 * left out. */
static void
timeline(const struct segment *s, struct md *m)
{
	struct buf text = {0};
	int n = 0, point = -1, at = 0;

	for (int pass = 0; pass < 2; pass++) {
		at = 0;
		jv_array_foreach (s->evidence, i, rec) {
			bool shown = is(rec, "action") && (jvx_text(rec, "file") != NULL ||
							      !has_text(rec, "status", "ok"));
			if (shown && pass == 0 && jvx_true(rec, "failure_point"))
				point = at;
			if (shown && pass == 1 && at >= point - BEFORE && at <= point + AFTER) {
				rec = jvx_set(rec, "failure_point", jv_false());
				if (at == point)
					buf_text(&text, "> ");
				quote(&text, rec);
			}
			at += shown;
			jv_free(rec);
		}
		n = at;
		if (point < 0)
			point = n - 1;
	}
	block(
	    m, "Timeline", "timeline", &text, n > BEFORE + AFTER + 1 ? n - BEFORE - AFTER - 1 : 0);
}

void
report_evidence(const struct segment *s, struct md *m)
{
	report_head(s, m);
	if (jv_is_valid(s->test))
		say_counts(s, m);
	failure(s, m);
	listed(s, m, "Page at the failure", "page", page_wanted, 10);
	listed(s, m, "GraphQL", "graphql", graphql_wanted, GRAPHQL);
	listed(s, m, "Mocks", "mocks", mock_wanted, MOCKS);
	listed(s, m, "Network", "network", network_wanted, NETWORK);
	listed(s, m, "Console", "console", console_wanted, CONSOLE);
	timeline(s, m);
	listed(s, m, "Code", "code", code_wanted, 30);
	listed(s, m, "Notes", "notes", note_wanted, 30);
}
