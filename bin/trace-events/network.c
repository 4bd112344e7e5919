/* network: HAR entries of any format become requests. */
#include "segment.h"

#include <stdlib.h>
#include <string.h>

#include "prog.h"

const char *
blob_name(struct words *w, const char *name)
{
	const char *base = name;

	if (name == NULL || *name == '\0' || strcmp(name, "none") == 0) /* so in format 1 */
		return NULL;
	for (const char *p = name; *p != '\0'; p++)
		if (*p == '/' || *p == '\\')
			base = p + 1;
	return words_keep(w, base, strlen(base));
}

static struct span
kept(struct words *w, struct span value)
{
	return value.at == NULL ? value : words_bytes(w, value.at, value.len);
}

/* Up to format 2 there is no HAR: its members stand in the snapshot itself. */
static void
read_flat(struct segment *s, struct request *r, struct span snapshot)
{
	struct want m[] = {{"url", {0}}, {"method", {0}}, {"status", {0}}, {"requestSha1", {0}},
	    {"responseSha1", {0}}, {"contentType", {0}}, {"timestamp", {0}},
	    {"requestHeaders", {0}}, {"responseHeaders", {0}}};

	MEMBERS(snapshot, m);
	r->url = words_text(s->words, m[0].value);
	r->method = words_text(s->words, m[1].value);
	r->status = (int)fmin(fmax(scan_number(m[2].value, 0), 0), 999);
	r->request_blob = blob_name(s->words, words_text(s->words, m[3].value));
	r->response_blob = blob_name(s->words, words_text(s->words, m[4].value));
	r->mime = words_text(s->words, m[5].value);
	r->start = scan_number(m[6].value, NAN);
	r->request_headers = kept(s->words, m[7].value);
	r->response_headers = kept(s->words, m[8].value);
}

static const char *
blob_of(struct segment *s, struct span content)
{
	struct want m[] = {{"_file", {0}}, {"_sha1", {0}}};

	MEMBERS(content, m);
	return blob_name(
	    s->words, words_text(s->words, m[0].value.at != NULL ? m[0].value : m[1].value));
}

/* Formats up to 3 keep what a form sent in the entry, as text or by name and value. */
static struct buf *
text_of_post(struct span post)
{
	struct span params = scan_member(post, "params");
	struct scan_each it = {0};
	struct buf *text = prog_alloc(1, sizeof *text);

	if (scan_text(scan_member(post, "text"), text) && text->len > 0 && text->len <= TEXT_MOST)
		return text;
	buf_clear(text);
	while (scan_kind(params) == '[' && text->len < TEXT_MOST && scan_each(&it, params)) {
		struct want m[] = {{"name", {0}}, {"value", {0}}};
		MEMBERS(it.value, m);
		if (text->len > 0)
			buf_byte(text, '&');
		scan_text(m[0].value, text);
		buf_byte(text, '=');
		scan_text(m[1].value, text);
	}
	if (text->len > 0)
		return text;
	buf_free(text);
	free(text);
	return NULL;
}

static void
read_har_request(struct segment *s, struct request *r, struct span request)
{
	struct want m[] = {
	    {"url", {0}}, {"method", {0}}, {"headers", {0}}, {"postData", {0}}, {"bodySize", {0}}};

	MEMBERS(request, m);
	r->url = words_text(s->words, m[0].value);
	r->method = words_text(s->words, m[1].value);
	r->request_blob = blob_of(s, m[3].value);
	r->request_mime = words_text(s->words, scan_member(m[3].value, "mimeType"));
	if (r->request_blob == NULL)
		r->text = text_of_post(m[3].value);
	r->request_headers = kept(s->words, m[2].value);
	r->request_bytes = scan_number(m[4].value, NAN);
}

static void
read_har_response(struct segment *s, struct request *r, struct span response)
{
	struct want m[] = {{"status", {0}}, {"statusText", {0}}, {"headers", {0}}, {"content", {0}},
	    {"redirectURL", {0}}, {"_failureText", {0}}, {"_transferSize", {0}}};

	MEMBERS(response, m);
	r->status = (int)fmin(fmax(scan_number(m[0].value, 0), 0), 999);
	r->failure = words_text(s->words, m[5].value);
	r->response_blob = blob_of(s, m[3].value);
	r->mime = words_text(s->words, scan_member(m[3].value, "mimeType"));
	if (same(r->mime, "x-unknown"))
		r->mime = NULL;
	r->status_text = words_text(s->words, m[1].value);
	r->redirect_url = words_text(s->words, m[4].value);
	r->response_headers = kept(s->words, m[2].value);
	r->response_bytes = scan_number(m[6].value, NAN);
}

void
read_request(struct segment *s, struct context *c, struct span snapshot)
{
	struct want m[] = {{"request", {0}}, {"response", {0}}, {"_monotonicTime", {0}},
	    {"time", {0}}, {"pageref", {0}}, {"_resourceType", {0}}, {"_wasAborted", {0}},
	    {"_wasFulfilled", {0}}, {"_wasContinued", {0}}, {"_apiRequest", {0}},
	    {"_apiRequestRef", {0}}, {"_serviceWorkerRef", {0}}, {"serverIPAddress", {0}},
	    {"timings", {0}}, {"pageId", {0}}, {"_serverPort", {0}}, {"_failureText", {0}},
	    {"_requestref", {0}}};
	struct request *r;

	if (scan_kind(snapshot) != '{')
		return;
	MEMBERS(snapshot, m);
	r = prog_alloc(1, sizeof *r);
	r->context = c;
	r->start = r->ms = r->port = r->request_bytes = r->response_bytes = NAN;
	r->order = s->requests.count;
	if (m[0].value.at != NULL) {
		read_har_request(s, r, m[0].value);
		read_har_response(s, r, m[1].value);
		r->start = scan_number(m[2].value, NAN);
		double ms = scan_number(m[3].value, -1);
		r->ms = ms >= 0 ? ms : NAN;
	} else {
		read_flat(s, r, snapshot);
	}
	if (r->url == NULL || *r->url == '\0') {
		free(r);
		return;
	}
	if (r->failure == NULL)
		r->failure = words_text(s->words, m[16].value);
	r->page = words_text(s->words, m[4].value.at != NULL ? m[4].value : m[14].value);
	page_of(s, c, r->page);
	r->guid = words_text(s->words, m[17].value);
	r->type = words_text(s->words, m[5].value);
	r->mocked = scan_true(m[6].value)   ? ABORTED
		    : scan_true(m[7].value) ? FULFILLED
		    : scan_true(m[8].value) ? CONTINUED
					    : NOT_MOCKED;
	r->api = scan_true(m[9].value) || scan_kind(m[10].value) == '"' ||
		 (c->options && c->browser != NULL && *c->browser == '\0');
	note_time(c, r->start);
	r->service_worker = scan_kind(m[11].value) == '"';
	c->workers |= r->service_worker;
	r->server = words_text(s->words, m[12].value);
	r->port = scan_number(m[15].value, NAN);
	r->timings = kept(s->words, m[13].value);
	*LIST_ADD(s->requests) = r;
}

static int
by_start(const void *a, const void *b)
{
	const struct request *x = *(struct request *const *)a, *y = *(struct request *const *)b;
	double s = wall_of(x->context, x->start), t = wall_of(y->context, y->start);

	if (s != t && !isnan(s) && !isnan(t))
		return s < t ? -1 : 1;
	if (isnan(s) != isnan(t))
		return isnan(s) ? 1 : -1;
	return (x->order > y->order) - (x->order < y->order);
}

/*
 * The network file of a browser context holds what all its chunks before had, too.  An entry that
 * ended before this chunk began is such a repeat, and so is one that an earlier member had already.
 */
static void
mark_repeats(struct segment *s)
{
	struct pairs *seen = pairs_new();
	struct buf key = {0};

	for (size_t i = 0; i < s->requests.count; i++) {
		struct request *r = s->requests.at[i];
		double end = r->start + (isnan(r->ms) ? 0 : r->ms);
		double began = r->context->began - r->context->offset;
		if (!isnan(r->ms) && end < began)
			r->earlier = true;
		if (isnan(r->start))
			continue;
		buf_clear(&key);
		buf_format(&key, "%.6f %s %s", r->start, r->method ? r->method : "", r->url);
		const char *id = words_keep(s->words, key.data, key.len);
		struct request *first = pairs_get(seen, id, r->page);
		if (first != NULL && first->context != r->context)
			r->earlier = true;
		else if (first == NULL)
			pairs_set(seen, id, r->page, r);
	}
	buf_free(&key);
	pairs_free(seen);
}

/* The url of a fetch may be relative to the context's base URL, and its query apart from it. */
static bool
is_url_of(const char *wanted, const char *url)
{
	size_t n = strcspn(wanted, "?#"), m = strcspn(url, "?#");

	while (n > 0 && *wanted == '.') {
		wanted++;
		n--;
	}
	while (n > 0 && *wanted == '/') {
		wanted++;
		n--;
	}
	while (n > 0 && wanted[n - 1] == '/')
		n--;
	while (m > 0 && url[m - 1] == '/')
		m--;
	return n <= m && strncmp(url + m - n, wanted, n) == 0;
}

/*
 * A refused or aborted API request looks like one that is still unanswered: status -1 and no
 * failure text.  The error of the call that made it tells them apart.
 */
static void
fail_api_request(struct segment *s, struct action *a, const char *message)
{
	const char *wanted = words_text(s->words, scan_member(a->params, "url"));
	double from = wall_of(a->context, a->start), to = wall_of(a->context, a->end);

	if (wanted == NULL)
		return;
	for (size_t i = s->requests.count; i-- > 0;) {
		struct request *r = s->requests.at[i];
		double start = wall_of(r->context, r->start);
		if (!r->api || r->status != 0 || r->failure != NULL || r->earlier)
			continue;
		if (start < from - 5 || start > to + 5 || !is_url_of(wanted, r->url))
			continue;
		r->failure = words_keep(s->words, message, strcspn(message, "\n"));
		return;
	}
}

void
requests_settle(struct segment *s)
{
	mark_repeats(s);
	if (s->requests.count > 0)
		qsort(s->requests.at, s->requests.count, sizeof *s->requests.at, by_start);
	for (size_t i = 0; i < s->actions.count; i++) {
		struct action *a = s->actions.at[i];
		if (!same(a->class, "APIRequestContext") || !same(a->method, "fetch"))
			continue;
		const char *message = a->message != NULL ? a->message
				      : a->twin != NULL  ? a->twin->message
							 : NULL;
		if (message != NULL)
			fail_api_request(s, a, message);
	}
	for (size_t i = 0; i < s->requests.count; i++)
		s->requests.at[i]->number = i + 1;
}
