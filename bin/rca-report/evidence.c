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

static bool
is_terminal(jv rec)
{
	return is(rec, "error") && jvx_true(rec, "terminal");
}

static bool
is_failure_point(jv rec)
{
	return is(rec, "action") && jvx_true(rec, "failure_point");
}

static bool
is_other_error(jv rec)
{
	return is(rec, "error") && !jvx_true(rec, "terminal");
}

static bool
is_source(jv rec)
{
	return is(rec, "source");
}

static void
failure(const struct segment *s, struct md *m)
{
	static bool (*const order[])(jv) = {
	    is_terminal, is_failure_point, is_other_error, is_source};
	struct buf text = {0};

	for (size_t part = 0; part < sizeof order / sizeof *order; part++) {
		jv_array_foreach (s->evidence, i, rec) {
			/* An assertion's message ends in the log of its action. */
			bool told = text.len != 0 && strstr(text.data, "Call log:") != NULL;
			if (order[part](rec) && told)
				rec = jvx_set(rec, "log", jv_array());
			if (order[part](rec))
				quote(&text, rec);
			jv_free(rec);
		}
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

static bool
other_page(jv rec)
{
	return is(rec, "snapshot") && !jvx_true(rec, "at_failure");
}

/* Dialogs, navigations, downloads; that a page was opened shows by what it does. */
static bool
event_wanted(jv rec)
{
	return is(rec, "event") && !has_text(rec, "kind", "page");
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
is_data(jv request)
{
	return has_text(request, "resource_type", "xhr") ||
	       has_text(request, "resource_type", "fetch") || jvx_true(request, "api_request");
}

static void
quote_bodies(struct buf *b, jv bodies)
{
	jv_array_foreach (bodies, i, body) {
		buf_text(b, "  ");
		quote(b, body);
		jv_free(body);
	}
	jv_free(bodies);
}

static void
network(const struct segment *s, struct md *m)
{
	struct buf text = {0};
	int n = 0;

	jv_array_foreach (s->evidence, i, rec) {
		if (network_wanted(rec) && n++ < NETWORK) {
			quote(&text, rec);
			if (is_data(rec))
				quote_bodies(&text, segment_bodies(s, rec));
		}
		jv_free(rec);
	}
	block(m, "Network", "network", &text, n > NETWORK ? n - NETWORK : 0);
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

/* What the test's author wrote, and what did not go well. */
static bool
action_wanted(jv rec)
{
	return is(rec, "action") && !has_text(rec, "group", "configuration") &&
	       (jvx_text(rec, "file") != NULL || !has_text(rec, "status", "ok"));
}

/* The number, among the wanted actions, of the one that failed; of the last where none did. */
static int
failure_number(const struct segment *s, int *count)
{
	int point = -1, n = 0;

	jv_array_foreach (s->evidence, i, rec) {
		if (action_wanted(rec) && jvx_true(rec, "failure_point"))
			point = n;
		n += action_wanted(rec);
		jv_free(rec);
	}
	*count = n;
	return point >= 0 ? point : n - 1;
}

static void
timeline(const struct segment *s, struct md *m)
{
	struct buf text = {0};
	int count, point = failure_number(s, &count), n = 0, shown = 0;

	jv_array_foreach (s->evidence, i, rec) {
		bool wanted = action_wanted(rec);
		if (wanted && n >= point - BEFORE && n <= point + AFTER) {
			/* Its log and its values stand under "Failure". */
			rec = jvx_set(rec, "failure_point", jv_false());
			buf_text(&text, n == point ? "> " : "  ");
			quote(&text, rec);
			shown++;
		}
		n += wanted;
		jv_free(rec);
	}
	block(m, "Timeline", "timeline", &text, count - shown);
}

void
report_evidence(const struct segment *s, struct md *m)
{
	bool failed = segment_failed(s);

	if (jv_is_valid(s->test))
		say_counts(s, m);
	failure(s, m);
	listed(s, m, failed ? "Page at the failure" : "Page at the end", "page", page_wanted, 10);
	listed(s, m, "Other pages", "page", other_page, 10);
	listed(s, m, "GraphQL", "graphql", graphql_wanted, GRAPHQL);
	listed(s, m, "Mocks", "mocks", mock_wanted, MOCKS);
	network(s, m);
	listed(s, m, "Console", "console", console_wanted, CONSOLE);
	timeline(s, m);
	listed(s, m, "Events", "events", event_wanted, 30);
	listed(s, m, "Code", "code", code_wanted, 30);
	listed(s, m, "Notes", "notes", note_wanted, 30);
}
