/* tell: the model as records. */
#include "segment.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ndjson.h"
#include "prog.h"
#include "when.h"

enum { NEWEST = 10 };

jv
ref_of(const char *type, size_t number)
{
	char ref[64];

	snprintf(ref, sizeof ref, "%s:%zu", type, number);
	return jv_string(ref);
}

static jv
start(const char *type, size_t number)
{
	jv rec = jvx_set_text(jv_object(), "type", type);

	return jvx_set(rec, "ref", ref_of(type, number));
}

static jv
set_t(jv rec, const char *key, const struct segment *s, const struct context *c, double time)
{
	return jvx_set_ms(rec, key, wall_of(c, time) - s->zero);
}

static jv
set_page(jv rec, struct segment *s, const char *id)
{
	const struct page *p = id == NULL ? NULL : pairs_get(s->page_ids, id, NULL);

	return p == NULL ? rec : jvx_set(rec, "page", ref_of("page", p->number));
}

static jv
set_wall(jv rec, double ms)
{
	if (!(ms > 0 && ms < 4e12))
		return rec;
	char *text = when_text(ms);
	rec = jvx_set_text(rec, "wall", text);
	free(text);
	return rec;
}

/* file, line, column of the frame that is the user's own. */
static jv
set_place(jv rec, struct segment *s, struct span stack)
{
	jv frames = frames_of_json(s->words, stack), f = frame_of_user(frames);

	rec = jvx_set_text(rec, "file", jvx_text(f, "file"));
	rec = jvx_set_number(rec, "line", jvx_number(f, "line", NAN));
	rec = jvx_set_number(rec, "column", jvx_number(f, "column", NAN));
	jv_free(f);
	jv_free(frames);
	return rec;
}

static jv
set_stack(jv rec, struct segment *s, struct span stack)
{
	jv frames = frames_of_json(s->words, stack);

	if (jv_array_length(jv_copy(frames)) > 0)
		return jvx_set(rec, "stack", frames);
	jv_free(frames);
	return rec;
}

static const char *
status_of(const struct segment *s, bool runner)
{
	const char *told = s->outcome != NULL ? s->outcome->status : NULL;

	if (told != NULL)
		return strcmp(told, "timedOut") == 0 ? "timed-out" : told;
	if (s->terminal != NULL)
		return s->timed_out ? "timed-out" : "failed";
	return runner ? "passed" : "unknown";
}

/* A value for the test that any of its contexts may have; the browser's own come first. */
#define FROM_CONTEXTS(s, member, found)                                                            \
	do {                                                                                       \
		for (size_t i_ = 0; i_ < (s)->contexts.count; i_++) {                              \
			const char *v_ = (s)->contexts.at[i_]->member;                             \
			if ((found) == NULL && v_ != NULL && *v_ != '\0')                          \
				(found) = v_;                                                      \
		}                                                                                  \
	} while (0)

/* What only a report knows; it had the last word on what the trace says too. */
static jv
set_outcome(jv rec, const struct outcome *o)
{
	if (o->expected != NULL && strcmp(o->expected, "passed") != 0)
		rec = jvx_set_text(rec, "expected_status", o->expected);
	if (jvx_text(rec, "title") == NULL)
		rec = jvx_set_text(rec, "title", o->title);
	rec = jvx_set_text(rec, "project", o->project);
	rec = jvx_set_number(rec, "retry", o->retry);
	rec = jvx_set_ms(rec, "timeout_ms", o->timeout_ms);
	return jvx_set_ms(rec, "duration_ms", o->duration_ms);
}

/* Playwright's folder of a second or later try ends in -retry1 and so on. */
static double
retry_of(const char *name)
{
	size_t len = name == NULL ? 0 : strlen(name), digits = 0;

	while (digits < len && digits < 4 && isdigit((unsigned char)name[len - 1 - digits]))
		digits++;
	if (digits == 0 || len < digits + 6 || !begins(name + len - digits - 6, "-retry"))
		return NAN;
	return strtod(name + len - digits, NULL);
}

static void
tell_test(struct segment *s)
{
	jv rec = start("test", 1);
	const char *browser = NULL, *platform = NULL, *playwright = NULL, *sdk = NULL;
	bool runner = false, should_fail = false, skipped = false;
	double timeout = NAN;
	size_t browsers = 0;
	int version = 0;

	for (size_t i = 0; i < s->contexts.count; i++) {
		const struct context *c = s->contexts.at[i];
		runner |= c->runner;
		should_fail |= c->should_fail;
		skipped |= c->skipped;
		browsers += c->browser != NULL && *c->browser != '\0';
		version = c->version > version ? c->version : version;
		timeout = isnan(timeout) ? c->timeout_ms : timeout;
	}
	FROM_CONTEXTS(s, browser, browser);
	FROM_CONTEXTS(s, platform, platform);
	FROM_CONTEXTS(s, playwright, playwright);
	FROM_CONTEXTS(s, sdk, sdk);
	rec = set_title(rec, s);
	rec = jvx_set_text(rec, "browser", browser);
	rec = jvx_set_text(rec, "platform", platform);
	rec = jvx_set_text(rec, "playwright", playwright);
	rec = jvx_set_text(rec, "language", sdk);
	rec = jvx_set_number(rec, "format", version > 0 ? version : NAN);
	rec = jvx_set_text(rec, "origin", runner ? "test-runner" : "library");
	rec = jvx_set_text(rec, "status", status_of(s, runner));
	rec = jvx_set_text(rec, "expected_status", should_fail ? "failed" : NULL);
	if (skipped && s->terminal == NULL && s->outcome == NULL)
		rec = jvx_set_text(rec, "status", "skipped");
	rec = jvx_set_ms(rec, "timeout_ms", timeout);
	rec = jvx_set_ms(rec, "duration_ms", s->until - s->zero);
	rec = set_wall(rec, s->zero);
	rec = jvx_set_number(rec, "retry", retry_of(s->name));
	if (s->outcome != NULL)
		rec = set_outcome(rec, s->outcome);
	rec = jvx_set_number(rec, "pages", (double)s->pages.count);
	rec = jvx_set_number(rec, "contexts", (double)browsers);
	ndjson_put(rec, s->out);
}

static void
tell_errors(struct segment *s)
{
	for (size_t i = 0; i < s->errors.count; i++) {
		const struct error *e = &s->errors.at[i];
		const struct action *a = e->action;
		jv rec = start("error", i + 1);
		rec = jvx_set_text(rec, "message", e->message);
		const char *name = e->name;
		size_t n = strcspn(e->message, ": \n");
		if ((name == NULL || *name == '\0') && n > 4 && begins(e->message + n, ": ") &&
		    strncmp(e->message + n - 5, "Error", 5) == 0)
			name = words_keep(s->words, e->message, n);
		rec = jvx_set_text(rec, "name", name);
		rec = set_stack(rec, s, e->stack.at != NULL || a == NULL ? e->stack : a->stack);
		if (a != NULL && a->number > 0)
			rec = jvx_set(rec, "call", ref_of("action", a->number));
		if (e->reported)
			rec = jvx_set_text(rec, "source", "report");
		if (e->soft)
			rec = jvx_set(rec, "soft", jv_true());
		if (e->terminal)
			rec = jvx_set(rec, "terminal", jv_true());
		ndjson_put(rec, s->out);
	}
}

/*
 * The log of a wait repeats the same few lines for as long as it waits.  A block of up to NEWEST
 * lines that follows itself is written once, its lines with the count before them, as Playwright's
 * own error messages do.
 */
static jv
log_of(const struct action *a)
{
	jv log = jv_array();

	for (size_t i = 0; i < a->log_count;) {
		size_t best = 1, times = 1;
		for (size_t n = 1; n <= NEWEST && times == 1; n++) {
			size_t t = 1;
			while (i + (t + 1) * n <= a->log_count &&
			       memcmp(&a->log[i], &a->log[i + t * n], n * sizeof *a->log) == 0)
				t++;
			if (t > 1) {
				best = n;
				times = t;
			}
		}
		for (size_t j = 0; j < best; j++) {
			const char *line = a->log[i + j];
			struct buf b = {0};
			size_t indent = strspn(line, " ");
			if (times > 1) {
				buf_add(&b, line, indent);
				buf_format(&b, "%zu \xc3\x97 ", times);
				line += indent;
			}
			buf_text(&b, line);
			log = jv_array_append(log, jv_string_sized(b.data, (int)b.len));
			buf_free(&b);
		}
		i += best * times;
	}
	return log;
}

/* What was asked for, in a line: only scalars, and only those that tell a reader something. */
static jv
add_params(jv params, struct words *w, struct span from)
{
	static const char *const keys[] = {"url", "value", "text", "key", "event", "method",
	    "expression", "promptText", "localPaths", "status", "errorCode"};
	struct scan_each it = {0};

	while (scan_kind(from) == '{' && scan_each(&it, from)) {
		if (scan_is(it.key, "info"))
			params = add_params(params, w, it.value);
		size_t i = 0;
		while (i < sizeof keys / sizeof *keys && !scan_is(it.key, keys[i]))
			i++;
		if (i == sizeof keys / sizeof *keys)
			continue;
		if (scan_kind(it.value) == '"' && it.value.len > 2 && it.value.len < 2000)
			params = jvx_set_text(params, keys[i], words_text(w, it.value));
		else if (scan_kind(it.value) == '0')
			params = jvx_set_number(params, keys[i], scan_number(it.value, NAN));
	}
	return params;
}

static jv
params_of(struct segment *s, const struct action *a)
{
	jv params = add_params(jv_object(), s->words, a->params);

	if (a->twin != NULL && a->twin->params.at != a->params.at)
		params = add_params(params, s->words, a->twin->params);
	if (jv_object_length(jv_copy(params)) > 0)
		return params;
	jv_free(params);
	return jv_invalid();
}

static void
tell_action(struct segment *s, const struct action *a)
{
	struct buf title = {0};
	jv rec = start("action", a->number);

	rec = jvx_set(rec, "id", ref_of("action", a->number));
	if (a->parent != NULL && a->parent->number > 0)
		rec = jvx_set(rec, "parent", ref_of("action", a->parent->number));
	rec = set_t(rec, "t", s, a->context, a->start);
	rec = set_t(rec, "end", s, a->context, a->end);
	rec = jvx_set_text(rec, "api", a->api);
	if (a->title != NULL && *a->title != '\0')
		buf_text(&title, a->title);
	else
		buf_format(&title, "%s.%s", a->class, a->method ? a->method : "");
	rec = jvx_set_text(rec, "title", title.data);
	buf_free(&title);
	rec = jvx_set_text(rec, "locator", a->locator);
	rec = jvx_set_text(rec, "expected", a->expected);
	rec = jvx_set_text(rec, "received", a->received);
	const char *ended = a->message != NULL ? "failed" : "ok";
	rec = jvx_set_text(rec, "status", isnan(a->end) ? "unfinished" : ended);
	rec = jvx_set_text(rec, "error", a->message);
	rec = set_place(rec, s, a->stack);
	rec = set_page(rec, s, a->page);
	rec = jvx_set_text(rec, "group", a->group);
	rec = jvx_set(rec, "params", params_of(s, a));
	if (a->log_count > 0 && (a->message != NULL || isnan(a->end)))
		rec = jvx_set(rec, "log", log_of(a));
	if (a->failure_point)
		rec = jvx_set(rec, "failure_point", jv_true());
	ndjson_put(rec, s->out);
}

/*
 * A function is recorded as the pattern that fits everything.  Only the source tells the two apart:
 * what all requests went through and fell back from is not a mock that was never used.
 */
static size_t
fell_through(struct segment *s, const struct route *r, bool *known)
{
	int line = (int)(r->position / 1e6);
	const char *text = r->reached > 0 ? source_line(s, r->file, line) : NULL;

	*known = r->reached == 0 || text != NULL;
	return text != NULL && strstr(text, "**/*") != NULL ? r->reached : 0;
}

static void
tell_route(struct segment *s, const struct route *r)
{
	bool known;
	size_t all = fell_through(s, r, &known);
	struct buf pattern = {0};
	jv rec = start("route", r->number), near = jv_array();

	rec = jvx_set_ms(rec, "t", r->from - s->zero);
	if (r->flags != NULL)
		buf_format(&pattern, "/%s/%s", r->pattern, r->flags);
	else if (r->pattern != NULL)
		buf_text(&pattern, r->pattern);
	rec = jvx_set_text(rec, "pattern", pattern.data);
	buf_free(&pattern);
	rec = jvx_set_text(rec, "scope", r->of_page ? "page" : "context");
	rec = jvx_set(rec, "action", ref_of("action", r->action->number));
	rec = set_place(rec, s, r->action->stack);
	if (known)
		rec = jvx_set_number(rec, "matched", (double)(r->matched + all));
	rec = jvx_set_number(rec, "fulfilled", (double)r->fulfilled);
	rec = jvx_set_number(rec, "continued", (double)r->continued);
	rec = jvx_set_number(rec, "aborted", (double)r->aborted);
	if (r->fallen_back + all > 0)
		rec = jvx_set_number(rec, "fallen_back", (double)(r->fallen_back + all));
	if (!isnan(r->until))
		rec = jvx_set_ms(rec, "end", r->until - s->zero);
	if (r->shadow != NULL)
		rec = jvx_set(rec, "shadowed_by", ref_of("route", r->shadow->number));
	else if (r->matched + all == 0 && r->readable && known)
		rec = jvx_set(rec, "never", jv_true());
	for (size_t i = 0; i < r->near_count; i++)
		near = jv_array_append(near, ref_of("request", r->near[i]->number));
	if (r->near_count > 0)
		rec = jvx_set(rec, "near", near);
	else
		jv_free(near);
	ndjson_put(rec, s->out);
}

static int
by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;
	double s = wall_of(x->context, x->time), t = wall_of(y->context, y->time);

	if (isnan(s) || isnan(t) || s == t)
		return isnan(s) != isnan(t) ? (isnan(s) ? -1 : 1)
					    : (x->text.at > y->text.at) - (x->text.at < y->text.at);
	return s < t ? -1 : 1;
}

static void
tell_events(struct segment *s)
{
	static const char *const types[] = {"console", "page_error", "event"};

	if (s->events.count > 0)
		qsort(s->events.at, s->events.count, sizeof *s->events.at, by_time);
	for (int kind = 0; kind < EVENT_KINDS; kind++) {
		size_t number = 0;
		for (size_t i = 0; i < s->events.count; i++) {
			const struct event *e = &s->events.at[i];
			if (e->kind != kind)
				continue;
			jv rec = jvx_build(e->text);
			rec = jvx_set_text(rec, "type", types[kind]);
			rec = jvx_set(rec, "ref", ref_of(types[kind], ++number));
			rec = set_t(rec, "t", s, e->context, e->time);
			ndjson_put(set_page(rec, s, e->page), s->out);
		}
	}
}

static jv
set_server(jv rec, const struct request *r)
{
	struct buf b = {0};

	if (r->server == NULL || *r->server == '\0')
		return rec;
	buf_text(&b, r->server);
	if (r->port > 0)
		buf_format(&b, ":%.0f", r->port);
	rec = jvx_set_text(rec, "server", b.data);
	buf_free(&b);
	return rec;
}

/*
 * What came without a byte on the wire, and was not a mock's, came from nearer by: a browser's
 * cache still knows which server it was; a worker of the page leaves no address.
 */
static const char *
answered_by(const struct request *r)
{
	if (r->mocked == FULFILLED || r->api || r->status < 200 || r->response_blob == NULL ||
	    !(r->response_bytes == 0))
		return NULL;
	if (r->server != NULL && *r->server != '\0')
		return "cache";
	return r->context->workers && !r->service_worker ? "service-worker" : NULL;
}

static void
tell_request(struct segment *s, const struct request *r)
{
	static const char *const mocked[] = {NULL, "fulfilled", "continued", "aborted"};
	jv rec = start("request", r->number);

	rec = set_headers(rec, r);
	rec = jvx_set_text(rec, "status_text", r->status_text);
	rec = jvx_set_text(rec, "redirect_url", r->redirect_url);
	rec = jvx_set_number(rec, "request_bytes", r->request_bytes > 0 ? r->request_bytes : NAN);
	rec =
	    jvx_set_number(rec, "response_bytes", r->response_bytes > 0 ? r->response_bytes : NAN);
	rec = set_server(rec, r);
	rec = jvx_set_text(rec, "answered_by", answered_by(r));
	if (r->service_worker)
		rec = jvx_set(rec, "service_worker", jv_true());
	rec = jvx_set(rec, "id", ref_of("request", r->number));
	rec = set_t(rec, "t", s, r->context, r->start);
	rec = jvx_set_ms(rec, "duration_ms", r->ms);
	rec = jvx_set_text(rec, "method", r->method);
	rec = jvx_set_text(rec, "url", r->url);
	rec = jvx_set_number(rec, "status", r->status > 0 ? r->status : NAN);
	rec = jvx_set_text(rec, "failure", r->failure);
	rec = jvx_set_text(rec, "resource_type", r->type);
	rec = jvx_set_text(rec, "mocked", mocked[r->mocked]);
	rec = jvx_set_text(rec, "mime", r->mime);
	rec = set_sha1(rec, "request_sha1", r->request_blob);
	rec = set_sha1(rec, "response_sha1", r->response_blob);
	rec = set_page(rec, s, r->page);
	if (r->route != NULL)
		rec = jvx_set(rec, "route", ref_of("route", r->route->number));
	if (r->api)
		rec = jvx_set(rec, "api_request", jv_true());
	if (r->earlier)
		rec = jvx_set(rec, "earlier", jv_true());
	ndjson_put(rec, s->out);
}

static void
find_outcome(struct segment *s)
{
	if (s->report == NULL)
		return;
	jv test = set_title(jv_object(), s);
	s->outcome = report_find(
	    s->report, s->name, jvx_text(test, "title"), jvx_number(test, "line", NAN), s->zero);
	jv_free(test);
}

void
segment_settle(struct segment *s)
{
	if (s->settled)
		return;
	s->settled = true;
	clocks_align(s);
	actions_join(s);
	actions_name(s);
	find_outcome(s);
	failure_find(s);
	requests_settle(s);
	routes_find(s);
	bodies_index(s);
	sources_want(s);
}

void
segment_tell(struct segment *s)
{
	segment_settle(s);
	if (s->told)
		return;
	s->told = true;
	if (s->contexts.count == 0)
		return;
	tell_test(s);
	tell_errors(s);
	for (size_t i = 0; i < s->actions.count; i++)
		if (s->actions.at[i]->step == NULL)
			tell_action(s, s->actions.at[i]);
	for (size_t i = 0; i < s->routes.count; i++)
		tell_route(s, s->routes.at[i]);
	tell_events(s);
	for (size_t i = 0; i < s->requests.count; i++)
		tell_request(s, s->requests.at[i]);
	sources_tell(s);
	attachments_held(s);
	bodies_held(s);
}

void
segment_end(struct segment *s)
{
	segment_tell(s);
	bodies_missing(s);
	pages_tell(s);
	attachments_missing(s);
}
