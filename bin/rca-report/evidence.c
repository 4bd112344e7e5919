/* The evidence alone, for a person: the failure first, then what else was recorded around it. */
#include <string.h>

#include "jvx.h"
#include "quote.h"
#include "segment.h"

enum { /* what is shown at most of each */
	ERRORS = 20,
	SOURCES = 4,
	PAGES = 10,
	GRAPHQL = 60,
	MOCKS = 60,
	NETWORK = 60,
	CONSOLE = 40,
	BEFORE = 20, /* the failure */
	AFTER = 5,
	EVENTS = 30,
	CODE = 30,
	NOTES = 30
};

static bool
has_text(jv rec, const char *key, const char *text)
{
	const char *t = jvx_text(rec, key);

	return t != NULL && strcmp(t, text) == 0;
}

static bool
any(jv rec)
{
	(void)rec;
	return true;
}

static bool
went_wrong(jv request)
{
	return !jvx_true(request, "earlier") &&
	       (jvx_number(request, "status", 0) >= 400 || jvx_text(request, "failure") != NULL);
}

static bool
unanswered(jv request)
{
	return !jvx_true(request, "earlier") && jvx_number(request, "status", -1) < 0 &&
	       jvx_text(request, "failure") == NULL;
}

/* Chunks of a trace repeat the requests of those before them. */
static bool
is_new(jv request)
{
	return !jvx_true(request, "earlier");
}

static bool
is_error(jv message)
{
	return has_text(message, "level", "error");
}

static bool
is_warning(jv message)
{
	return has_text(message, "level", "warning");
}

static bool
is_never(jv route)
{
	return jvx_true(route, "never");
}

static int
count(const struct segment *s, const char *type, bool (*counts)(jv))
{
	jv all = segment_all(s, type);
	int n = 0;

	jv_array_foreach (all, i, rec) {
		n += counts(rec);
		jv_free(rec);
	}
	jv_free(all);
	return n;
}

static int
count_graphql_errors(const struct segment *s)
{
	jv all = segment_all(s, "graphql");
	int n = 0;

	jv_array_foreach (all, i, rec) {
		jv errors = jvx_get(rec, "errors");
		if (jv_get_kind(errors) == JV_KIND_ARRAY)
			n += jv_array_length(jv_copy(errors));
		jv_free(errors);
		jv_free(rec);
	}
	jv_free(all);
	return n;
}

static void
say_count(struct md *m, const char *what, int n, const char *more, int k)
{
	md_own(m, "- %s: %d", what, n);
	if (k > 0)
		md_own(m, " (%s: %d)", more, k);
	md_own(m, "\n");
}

static void
say_verdict(const struct segment *s, struct md *m)
{
	jv all = segment_all(s, "verdict");

	jv_array_foreach (all, i, rec) {
		const char *verdict = jvx_text(rec, "verdict");
		md_own(m, "- verdict: ");
		md_text(m, verdict ? verdict : "");
		md_own(m, "\n");
		jv_free(rec);
	}
	jv_free(all);
}

static void
say_counts(const struct segment *s, struct md *m)
{
	int routes = count(s, "route", any), operations = count(s, "graphql", any);

	say_count(m, "errors of the test", count(s, "error", any), "", 0);
	say_count(m, "page errors", count(s, "page_error", any), "", 0);
	say_count(m, "console errors", count(s, "console", is_error), "warnings",
	    count(s, "console", is_warning));
	say_count(m, "requests", count(s, "request", is_new), "not answered in the trace",
	    count(s, "request", unanswered));
	say_count(m, "failed requests", count(s, "request", went_wrong), "", 0);
	if (routes > 0)
		say_count(m, "mocks", routes, "never matched", count(s, "route", is_never));
	say_count(m, "GraphQL operations", operations, "", 0);
	if (operations > 0)
		say_count(m, "GraphQL errors", count_graphql_errors(s), "", 0);
	say_verdict(s, m);
	md_own(m, "\n");
}

/* A heading, the block, and what was left out of it; nothing when there is nothing to show. */
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

/* Append the records of a type for which wanted says yes while *room lasts; it goes below 0. */
static void
gather(struct buf *b, const struct segment *s, const char *type, bool (*wanted)(jv), int *room)
{
	jv all = segment_all(s, type);

	jv_array_foreach (all, i, rec) {
		if (wanted(rec) && (*room)-- > 0)
			quote(b, rec);
		jv_free(rec);
	}
	jv_free(all);
}

static void
listed(const struct segment *s, struct md *m, const char *heading, const char *label,
    const char *type, bool (*wanted)(jv), int room)
{
	struct buf text = {0};

	gather(&text, s, type, wanted, &room);
	block(m, heading, label, &text, -room);
}

static bool
is_terminal(jv error)
{
	return jvx_true(error, "terminal");
}

static bool
is_other(jv error)
{
	return !jvx_true(error, "terminal");
}

/* The log of an action is told by the message of an assertion, if that ended the test. */
static void
failed_action(struct buf *b, const struct segment *s)
{
	bool told = b->len != 0 && strstr(b->data, "Call log:") != NULL;
	jv all = segment_all(s, "action");

	jv_array_foreach (all, i, rec) {
		if (jvx_true(rec, "failure_point") && told)
			rec = jvx_set(rec, "log", jv_array());
		if (jvx_true(rec, "failure_point"))
			quote(b, rec);
		jv_free(rec);
	}
	jv_free(all);
}

static void
failure(const struct segment *s, struct md *m)
{
	struct buf text = {0};
	int room = ERRORS;

	gather(&text, s, "error", is_terminal, &room);
	failed_action(&text, s);
	gather(&text, s, "error", is_other, &room);
	gather(&text, s, "source", any, &(int){SOURCES});
	block(m, "Failure", "failure", &text, -room);
}

static bool
at_failure(jv snapshot)
{
	return jvx_true(snapshot, "at_failure");
}

static bool
elsewhere(jv snapshot)
{
	return !jvx_true(snapshot, "at_failure");
}

static bool
is_data(jv request)
{
	return has_text(request, "resource_type", "xhr") ||
	       has_text(request, "resource_type", "fetch") || jvx_true(request, "api_request");
}

/* What asks for data, and what went wrong; scripts and pictures that came are no news. */
static bool
is_news(jv request)
{
	bool page = has_text(request, "resource_type", "document") ||
		    has_text(request, "resource_type", "websocket") ||
		    jvx_text(request, "resource_type") == NULL;

	return is_new(request) && (page || is_data(request) || went_wrong(request) ||
				      unanswered(request) || jvx_text(request, "mocked") != NULL);
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
	jv all = segment_all(s, "request");
	int room = NETWORK;

	jv_array_foreach (all, i, rec) {
		bool shown = is_news(rec) && room-- > 0;
		if (shown)
			quote(&text, rec);
		if (shown && is_data(rec))
			quote_bodies(&text, segment_bodies(s, rec));
		jv_free(rec);
	}
	jv_free(all);
	block(m, "Network", "network", &text, -room);
}

static bool
is_loud(jv message)
{
	return is_error(message) || is_warning(message);
}

static void
console(const struct segment *s, struct md *m)
{
	struct buf text = {0};
	int room = CONSOLE;

	gather(&text, s, "page_error", any, &room);
	gather(&text, s, "console", is_loud, &room);
	block(m, "Console", "console", &text, -room);
}

static void
graphql(const struct segment *s, struct md *m)
{
	struct buf text = {0};
	int room = GRAPHQL;

	gather(&text, s, "graphql", any, &room);
	gather(&text, s, "verdict", any, &(int){1});
	block(m, "GraphQL", "graphql", &text, -room);
}

/* What the test's author wrote, and what did not go well. */
static bool
is_step(jv action)
{
	return !has_text(action, "group", "configuration") &&
	       (jvx_text(action, "file") != NULL || !has_text(action, "status", "ok"));
}

/* The number, among the steps, of the one that failed; of the last where none did. */
static int
failure_number(jv actions)
{
	int point = -1, n = 0;

	jv_array_foreach (actions, i, rec) {
		if (is_step(rec) && jvx_true(rec, "failure_point"))
			point = n;
		n += is_step(rec);
		jv_free(rec);
	}
	return point >= 0 ? point : n - 1;
}

static void
timeline(const struct segment *s, struct md *m)
{
	struct buf text = {0};
	jv all = segment_all(s, "action");
	int point = failure_number(all), n = 0, shown = 0;

	jv_array_foreach (all, i, rec) {
		if (is_step(rec) && n >= point - BEFORE && n <= point + AFTER) {
			/* Its log and its values stand under "Failure". */
			rec = jvx_set(rec, "failure_point", jv_false());
			buf_text(&text, n == point ? "> " : "  ");
			quote(&text, rec);
			shown++;
		}
		n += is_step(rec);
		jv_free(rec);
	}
	jv_free(all);
	block(m, "Timeline", "timeline", &text, n - shown);
}

/* That a page was opened shows by what it does. */
static bool
is_told(jv event)
{
	return !has_text(event, "kind", "page");
}

void
report_evidence(const struct segment *s, struct md *m)
{
	const char *page = segment_failed(s) ? "Page at the failure" : "Page at the end";

	if (jv_is_valid(s->test))
		say_counts(s, m);
	failure(s, m);
	listed(s, m, page, "page", "snapshot", at_failure, PAGES);
	listed(s, m, "Other pages", "page", "snapshot", elsewhere, PAGES);
	graphql(s, m);
	listed(s, m, "Mocks", "mocks", "route", any, MOCKS);
	network(s, m);
	console(s, m);
	timeline(s, m);
	listed(s, m, "Events", "events", "event", is_told, EVENTS);
	listed(s, m, "Code", "code", "code", any, CODE);
	listed(s, m, "Notes", "notes", "warning", any, NOTES);
}
