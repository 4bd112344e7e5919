#include "trace.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "buf.h"
#include "evidence.h"
#include "ndjson.h"
#include "place.h"
#include "prog.h"
#include "tracename.h"
#include "when.h"

enum { REFS_MAX = 5, HOSTS_MAX = 16, SLACK_MS = 2000, UNTOLD_MS = 3600000 };

enum by { BY_NOTHING, BY_TITLE, BY_PATH };

struct fit {
	enum by by;
	unsigned segments; /* of the path that agree */
	double apart_ms;   /* the trace's start from the attempt's; infinite: not known */
};

struct trace {
	char *name, *title, *file, *browser;
	int retry;          /* -1: not known */
	double start_ms;    /* since 1970; -1: not known */
	double duration_ms; /* 0: not known */
	jv facts;
	struct fit fit;
	const void *whose;
	char *test_id; /* of the attempt whose it is */
	bool tie;      /* another test's attempt fits as well */
};

struct traces {
	struct trace *at;
	size_t count, size;
};

/* Reading: one segment after the other. */

struct reading {
	struct traces *t;
	struct trace *now; /* NULL before the first */
	struct evidence *evidence;
	char *host[HOSTS_MAX]; /* of the documents that the pages asked for */
	size_t hosts;
};

/* A fact, and the record that shows it. */
static void
note(struct trace *t, const char *fact, const char *ref)
{
	jv list = jvx_get(t->facts, fact);

	if (!jv_is_valid(list))
		list = jv_array();
	if (ref != NULL && jv_array_length(jv_copy(list)) < REFS_MAX)
		list = jv_array_append(list, jv_string(ref));
	t->facts = jvx_set(t->facts, fact, list);
}

static void
note_record(struct trace *t, const char *fact, struct span rec)
{
	char *ref = scan_copy(scan_member(rec, "ref"));

	note(t, fact, ref);
	free(ref);
}

static void
end_segment(struct reading *r)
{
	if (r->now == NULL)
		return;
	jv mocks = evidence_idle_mocks(r->evidence);
	jv_array_foreach (mocks, i, mock) {
		note(r->now, "mock_missed", jvx_text(mock, "ref"));
		jv_free(mock);
	}
	jv_free(mocks);
	evidence_free(r->evidence);
	while (r->hosts > 0)
		free(r->host[--r->hosts]);
	r->now = NULL;
}

static void
begin_segment(struct reading *r, struct span rec)
{
	struct traces *t = r->t;

	if (t->count == t->size) {
		t->size = t->size == 0 ? 32 : t->size * 2;
		t->at = prog_resize(t->at, t->size, sizeof *t->at);
	}
	r->now = &t->at[t->count++];
	*r->now = (struct trace){.name = scan_copy(scan_member(rec, "name")),
	    .retry = -1,
	    .start_ms = -1,
	    .facts = jv_object()};
	r->evidence = evidence_new();
}

/* "a › b" of the titles, white space folded. */
static char *
joined(struct span titles)
{
	struct scan_each it = {0};
	struct buf b = {0};

	while (scan_kind(titles) == '[' && scan_each(&it, titles)) {
		if (b.len > 0)
			buf_text(&b, " \xe2\x80\xba ");
		scan_text(it.value, &b);
	}
	return b.data;
}

static void
take_test(struct trace *t, struct span rec)
{
	char *wall = scan_copy(scan_member(rec, "wall"));

	free(t->title);
	free(t->file);
	free(t->browser);
	t->title = joined(scan_member(rec, "titles"));
	t->file = scan_copy(scan_member(rec, "file"));
	t->browser = scan_copy(scan_member(rec, "browser"));
	t->retry = (int)scan_whole(scan_member(rec, "retry"), INT_MAX, -1);
	t->start_ms = when_ms(wall);
	t->duration_ms = scan_number(scan_member(rec, "duration_ms"), 0);
	free(wall);
}

/* The host of a URL, with its port. */
static char *
host_of(struct span url)
{
	char *text = scan_copy(url), *at = text == NULL ? NULL : strstr(text, "://"), *host = NULL;

	if (at != NULL)
		host = prog_copy(at + 3, strcspn(at + 3, "/?#"));
	free(text);
	return host;
}

/* Is the request the test's own business: a page, a call of the test, or to where a page is from?
 */
static bool
is_own(struct reading *r, struct span rec)
{
	bool document = scan_is(scan_member(rec, "resource_type"), "document");
	char *host = host_of(scan_member(rec, "url"));
	bool own = document || scan_true(scan_member(rec, "api_request"));

	for (size_t i = 0; host != NULL && i < r->hosts; i++)
		own = own || strcmp(r->host[i], host) == 0;
	if (document && host != NULL && r->hosts < HOSTS_MAX) {
		r->host[r->hosts++] = host;
		host = NULL;
	}
	free(host);
	return own;
}

/* Words of browsers and of Node.js for a server that cannot be reached. */
static bool
is_unreachable(struct span failure)
{
	static const char *const words[] = {"ERR_CONNECTION_", "ERR_NAME_", "ERR_ADDRESS_",
	    "ERR_INTERNET_", "ERR_NETWORK_", "ERR_PROXY_", "ERR_TUNNEL_", "ERR_SSL_", "ERR_CERT_",
	    "ERR_TIMED_OUT", "ERR_EMPTY_RESPONSE", "ECONNREFUSED", "ECONNRESET", "ENOTFOUND",
	    "EAI_AGAIN", "ETIMEDOUT", "EHOSTUNREACH", "socket hang up", "NS_ERROR_CONNECTION_",
	    "NS_ERROR_NET_", "NS_ERROR_UNKNOWN_HOST", "Could not connect"};
	char *text = scan_copy(failure);
	bool is = false;

	for (size_t i = 0; text != NULL && i < sizeof words / sizeof *words; i++)
		is = is || strstr(text, words[i]) != NULL;
	free(text);
	return is;
}

/* What a mock answered says nothing about servers. */
static void
take_request(struct reading *r, struct span rec)
{
	double status = scan_number(scan_member(rec, "status"), 0);
	struct span mocked = scan_member(rec, "mocked");
	bool own = is_own(r, rec);

	if (!own || scan_true(scan_member(rec, "earlier")) || scan_is(mocked, "fulfilled") ||
	    scan_is(mocked, "aborted"))
		return;
	if (is_unreachable(scan_member(rec, "failure")))
		note_record(r->now, "unreachable", rec);
	else if (status >= 502 && status <= 504)
		note_record(r->now, "gateway_error", rec);
	else if (status >= 500)
		note_record(r->now, "server_error", rec);
}

/* An operation that the server answered with errors: what kind of errors? */
static void
take_graphql(struct reading *r, struct span rec)
{
	struct span outcome = scan_member(rec, "outcome");
	struct scan_each it = {0};
	const char *fact = "graphql_error";

	if (scan_is(outcome, "ok") || scan_is(outcome, "transport") ||
	    scan_is(outcome, "unparsed") || scan_true(scan_member(rec, "expected")) ||
	    scan_member(rec, "recovered").at != NULL ||
	    scan_is(scan_member(rec, "mocked"), "fulfilled"))
		return;
	while (scan_each(&it, scan_member(rec, "errors"))) {
		struct span category = scan_member(it.value, "category");
		if (scan_is(category, "auth") || scan_is(category, "forbidden"))
			fact = "graphql_denied";
		else if (scan_is(category, "rate-limit") || scan_is(category, "timeout") ||
			 scan_is(category, "service-unavailable"))
			fact = "graphql_unavailable";
	}
	note_record(r->now, fact, rec);
}

static void
take(struct reading *r, const struct ndjson *in)
{
	struct span rec = ndjson_span(in);

	/* Bodies and snapshots, which are most of it, have nothing to do with mocks. */
	if (ndjson_is(in, "route") || ndjson_is(in, "request") || ndjson_is(in, "graphql") ||
	    ndjson_is(in, "source"))
		evidence_record(r->evidence, in);
	if (ndjson_is(in, "test"))
		take_test(r->now, rec);
	else if (ndjson_is(in, "request"))
		take_request(r, rec);
	else if (ndjson_is(in, "graphql"))
		take_graphql(r, rec);
	else if (ndjson_is(in, "page_error"))
		note_record(r->now, "page_error", rec);
}

struct traces *
traces_read(const char *file, bool *good)
{
	char *files[] = {(char *)file, NULL};
	struct reading r = {.t = prog_alloc(1, sizeof *r.t)};
	struct ndjson *in = ndjson_open(files);

	while (ndjson_next(in)) {
		if (ndjson_is(in, "trace")) {
			end_segment(&r);
			begin_segment(&r, ndjson_span(in));
		} else if (r.now != NULL) {
			take(&r, in);
		}
	}
	end_segment(&r);
	*good = ndjson_close(in, stdout);
	return r.t;
}

/* Whose. */

/* Are the titles the same, white space and what controls a terminal aside, as in every report? */
static bool
same_title(const char *a, const char *b)
{
	for (;;) {
		while (*a != '\0' && (unsigned char)*a <= ' ')
			a++;
		while (*b != '\0' && (unsigned char)*b <= ' ')
			b++;
		if (*a == '\0' || *a != *b)
			return *a == *b;
		a++;
		b++;
	}
}

/* Projects are often called after their browser. */
static bool
other_browser(const char *project, const char *browser)
{
	static const char *const names[] = {"chromium", "firefox", "webkit"};

	for (size_t i = 0; project != NULL && browser != NULL && i < 3; i++)
		if (strcasecmp(project, names[i]) == 0)
			return strcasecmp(browser, names[i]) != 0;
	return false;
}

static bool
contradicts(const struct trace *t, const struct traceable *a, double apart_ms)
{
	double most = a->duration_ms >= 0 ? a->duration_ms + SLACK_MS : UNTOLD_MS;
	/* A context that an earlier test left open has its beginning in the trace. */
	double least = -t->duration_ms - SLACK_MS;

	return (t->title != NULL && a->title != NULL && !same_title(t->title, a->title)) ||
	       (t->file != NULL && a->file != NULL && !place_same_file(t->file, a->file)) ||
	       (t->retry >= 0 && a->retry >= 0 && t->retry != a->retry) ||
	       other_browser(a->project, t->browser) ||
	       (!isinf(apart_ms) && (apart_ms < least || apart_ms > most));
}

static struct fit
fit_of(const struct trace *t, const struct traceable *a)
{
	double start_ms = when_ms(a->started_at);
	double apart_ms = start_ms < 0 || t->start_ms < 0 ? INFINITY : t->start_ms - start_ms;
	/* A trace begins after its attempt, if only by a moment. */
	struct fit fit = {.apart_ms = apart_ms < -1 ? UNTOLD_MS - apart_ms : fabs(apart_ms)};

	if (contradicts(t, a, apart_ms))
		return fit;
	if (t->name != NULL && a->path != NULL)
		fit.segments = tracename_agreement(t->name, a->path);
	if (fit.segments > 0)
		fit.by = BY_PATH;
	else if (t->title != NULL && a->title != NULL && t->file != NULL && a->file != NULL)
		fit.by = BY_TITLE;
	return fit;
}

/* More than 0: a is the better one. */
static int
compare(const struct fit *a, const struct fit *b)
{
	if (a->by != b->by)
		return a->by > b->by ? 1 : -1;
	if (a->segments != b->segments)
		return a->segments > b->segments ? 1 : -1;
	return (a->apart_ms < b->apart_ms) - (a->apart_ms > b->apart_ms);
}

void
traces_offer(struct traces *t, const struct traceable *a, const void *who)
{
	for (size_t i = 0; i < t->count; i++) {
		struct trace *trace = &t->at[i];
		struct fit fit = fit_of(trace, a);
		int order = compare(&fit, &trace->fit);
		if (fit.by == BY_NOTHING || order < 0)
			continue;
		if (order == 0) {
			trace->tie = trace->tie || strcmp(trace->test_id, a->test_id) != 0;
			continue;
		}
		free(trace->test_id);
		trace->test_id = prog_copy(a->test_id, strlen(a->test_id));
		trace->fit = fit;
		trace->whose = who;
		trace->tie = false;
	}
}

/* Of two for one attempt; where nothing tells them apart the one that began first. */
static bool
better(const struct trace *a, const struct trace *b)
{
	int order = compare(&a->fit, &b->fit);

	return order > 0 || (order == 0 && a->start_ms < b->start_ms);
}

jv
traces_of(const struct traces *t, const void *who)
{
	const struct trace *best = NULL;

	for (size_t i = 0; i < t->count; i++) {
		const struct trace *trace = &t->at[i];
		if (trace->whose == who && !trace->tie && trace->name != NULL &&
		    (best == NULL || better(trace, best)))
			best = trace;
	}
	if (best == NULL)
		return jv_invalid();
	jv told = jvx_set_text(jv_object(), "name", best->name);
	told = jvx_set_text(told, "by", best->fit.by == BY_PATH ? "path" : "title");
	return jvx_set(told, "facts", jv_copy(best->facts));
}

size_t
traces_count(const struct traces *t)
{
	return t->count;
}

void
traces_warn(const struct traces *t, FILE *out)
{
	for (size_t i = 0; i < t->count; i++)
		if (t->at[i].tie)
			ndjson_put(ndjson_warning("test-analyse", "ambiguous-trace",
				       "fits two tests that failed, and is taken for neither",
				       t->at[i].name),
			    out);
}

void
traces_free(struct traces *t)
{
	for (size_t i = 0; t != NULL && i < t->count; i++) {
		free(t->at[i].name);
		free(t->at[i].title);
		free(t->at[i].file);
		free(t->at[i].browser);
		free(t->at[i].test_id);
		jv_free(t->at[i].facts);
	}
	if (t != NULL)
		free(t->at);
	free(t);
}
