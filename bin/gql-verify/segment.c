#define _GNU_SOURCE /* strcasestr */
#include "segment.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "answer.h"
#include "jvx.h"
#include "notes.h"
#include "prog.h"
#include "sent.h"
#include "socket.h"
#include "utf8.h"

enum { OPERATIONS = 20000, REASONS = 20 };

struct request {
	char *id; /* as the record writes it; NULL: none */
	char *ref, *method, *url, *failure, *mocked, *mime, *name; /* name: a header's */
	char *request_sha1, *response_sha1;
	double t, status; /* NaN: not known */
	bool hint, socket, answers_graphql, earlier;
	bool plain; /* its body was read, and is no GraphQL */
	size_t order;
	size_t next; /* in the same slot of the table of ids, plus 1 */
	/* What its bodies said; indexes into bodies, plus 1. */
	size_t asked, answered;
};

/* A body that was read, or why it was not. */
struct body {
	bool of_response;
	char *omitted, *sha1;
	jv ids;
	struct span raw;
	jv sent; /* operations */
	bool batched;
	struct answer answer;
	struct conversation talk;
};

struct segment {
	struct request *request;
	size_t requests;
	struct body *body;
	size_t bodies;
	size_t *slot; /* by id: index plus 1 */
	size_t slots;
	struct notes *notes;
	char *test_status;
	bool lost; /* parts of the trace could not be read */
	jv records;
};

struct segment *
segment_new(void)
{
	struct segment *s = prog_alloc(1, sizeof *s);

	s->notes = notes_new();
	s->records = jv_array();
	return s;
}

static void
free_request(struct request *r)
{
	free(r->id);
	free(r->ref);
	free(r->method);
	free(r->url);
	free(r->failure);
	free(r->mocked);
	free(r->mime);
	free(r->name);
	free(r->request_sha1);
	free(r->response_sha1);
}

static void
free_body(struct body *b)
{
	free(b->omitted);
	free(b->sha1);
	jv_free(b->ids);
	jv_free(b->sent);
	answer_free(&b->answer);
	socket_free(&b->talk);
}

void
segment_free(struct segment *s)
{
	for (size_t i = 0; i < s->requests; i++)
		free_request(&s->request[i]);
	for (size_t i = 0; i < s->bodies; i++)
		free_body(&s->body[i]);
	free(s->request);
	free(s->body);
	free(s->slot);
	free(s->test_status);
	notes_free(s->notes);
	jv_free(s->records);
	free(s);
}

/* Ids are told apart by their JSON text: 12 and "12" are written one way by one writer. */
static size_t
hash(const char *text, size_t len)
{
	size_t h = 1469598103u;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)text[i]) * 16777619u;
	return h;
}

static void
index_request(struct segment *s, size_t i)
{
	struct request *r = &s->request[i];
	size_t *slot = &s->slot[hash(r->id, strlen(r->id)) % s->slots];

	r->next = *slot;
	*slot = i + 1;
}

static void
add_to_index(struct segment *s, size_t i)
{
	if (s->requests > s->slots) {
		s->slots = s->slots == 0 ? 256 : s->slots * 4;
		free(s->slot);
		s->slot = prog_alloc(s->slots, sizeof *s->slot);
		for (size_t k = 0; k < i; k++)
			if (s->request[k].id != NULL)
				index_request(s, k);
	}
	if (s->request[i].id != NULL)
		index_request(s, i);
}

static struct request *
by_id(const struct segment *s, const char *id, size_t len)
{
	if (s->slots == 0)
		return NULL;
	for (size_t i = s->slot[hash(id, len) % s->slots]; i != 0; i = s->request[i - 1].next) {
		struct request *r = &s->request[i - 1];
		if (strlen(r->id) == len && memcmp(r->id, id, len) == 0)
			return r;
	}
	return NULL;
}

static char *
copied(struct span record, const char *member)
{
	return scan_copy(scan_member(record, member));
}

/* A header's value, names without case; NULL when it is not there.  Yours to free. */
static char *
header(struct span headers, const char *name)
{
	struct scan_each it = {0};

	while (scan_kind(headers) == '{' && scan_each(&it, headers))
		if (it.key.len == strlen(name) + 2 &&
		    strncasecmp(it.key.at + 1, name, strlen(name)) == 0)
			return scan_copy(it.value);
	return NULL;
}

static bool
has_parameters(const char *url)
{
	static const char *const names[] = {
	    "query=", "operationName=", "extensions=", "documentId=", "doc_id=", "queryId=", "id="};
	const char *query = strchr(url, '?');

	for (size_t i = 0; query != NULL && i < sizeof names / sizeof *names; i++)
		if (strstr(query, names[i]) != NULL)
			return true;
	return false;
}

/* Could it be?  A POST anywhere, a GET with our parameters, a web socket. */
static bool
candidate(const struct request *r)
{
	if (r->method == NULL || r->url == NULL)
		return false;
	if (r->socket || r->answers_graphql)
		return true;
	if (strcmp(r->method, "POST") == 0)
		return true;
	return strcmp(r->method, "GET") == 0 && has_parameters(r->url);
}

static void
add_request(struct segment *s, struct span record)
{
	struct span id = scan_member(record, "id");
	struct span asked = scan_member(record, "request_headers");
	struct span answered = scan_member(record, "response_headers");
	struct request r = {.ref = copied(record, "ref"),
	    .id = id.at != NULL ? prog_copy(id.at, id.len) : NULL,
	    .method = copied(record, "method"),
	    .url = copied(record, "url"),
	    .failure = copied(record, "failure"),
	    .mocked = copied(record, "mocked"),
	    .mime = copied(record, "mime"),
	    .request_sha1 = copied(record, "request_sha1"),
	    .response_sha1 = copied(record, "response_sha1"),
	    .name = header(asked, "x-apollo-operation-name"),
	    .t = scan_number(scan_member(record, "t"), NAN),
	    .status = scan_number(scan_member(record, "status"), NAN),
	    .earlier = scan_true(scan_member(record, "earlier")),
	    .order = s->requests};

	if (r.mime == NULL)
		r.mime = header(answered, "content-type");
	if (r.url != NULL) {
		r.hint = sent_url_says_graphql(r.url) || r.name != NULL;
		r.socket =
		    strncasecmp(r.url, "ws://", 5) == 0 || strncasecmp(r.url, "wss://", 6) == 0;
	}
	r.answers_graphql =
	    r.mime != NULL && strncasecmp(r.mime, "application/graphql-response", 28) == 0;
	if (!candidate(&r) || s->requests == OPERATIONS) {
		free_request(&r);
		return;
	}
	s->request = prog_resize(s->request, s->requests + 1, sizeof *s->request);
	s->request[s->requests++] = r;
	add_to_index(s, s->requests - 1);
}

/* False when none of the requests that a body is of can be GraphQL. */
static bool
wanted(const struct segment *s, struct span ids)
{
	struct scan_each it = {0};

	/* Before the first request nothing can be ruled out. */
	if (s->requests == 0 || scan_kind(ids) != '[')
		return true;
	while (scan_each(&it, ids)) {
		const struct request *r = by_id(s, it.value.at, it.value.len);
		if (r != NULL && !r->plain)
			return true;
	}
	return false;
}

static void
mark_plain(struct segment *s, struct span ids)
{
	struct scan_each it = {0};

	while (scan_kind(ids) == '[' && scan_each(&it, ids)) {
		struct request *r = by_id(s, it.value.at, it.value.len);
		if (r != NULL && !r->hint && !r->answers_graphql && strchr(r->url, '?') == NULL)
			r->plain = true;
	}
}

static const struct request *
first_known(const struct segment *s, struct span ids)
{
	struct scan_each it = {0};

	while (scan_kind(ids) == '[' && scan_each(&it, ids)) {
		const struct request *r = by_id(s, it.value.at, it.value.len);
		if (r != NULL)
			return r;
	}
	return NULL;
}

static bool
looks_like_frames(const struct request *r, const struct buf *text, const char *mime)
{
	if (r != NULL)
		return r->socket;
	return (mime != NULL && strcasestr(mime, "websocket") != NULL) ||
	       (text->len > 9 && memcmp(text->data, "{\"type\":\"", 9) == 0 &&
		   strstr(text->data, "\"opcode\":") != NULL);
}

static void
add_body(struct segment *s, struct span record)
{
	struct span ids = scan_member(record, "requests");
	struct buf text = {0};

	if (!wanted(s, ids))
		return;
	const struct request *r = first_known(s, ids);
	char *mime = copied(record, "mime");
	struct body b = {.of_response = scan_is(scan_member(record, "of"), "response"),
	    .omitted = copied(record, "omitted"),
	    .sha1 = copied(record, "sha1"),
	    .ids = ids.at != NULL ? jvx_build(ids) : jv_invalid(),
	    .sent = jv_array()};
	bool has_text = scan_text(scan_member(record, "text"), &text);
	const char *type = mime != NULL ? mime : r != NULL && b.of_response ? r->mime : NULL;
	bool keep = !has_text;
	if (!has_text && b.omitted == NULL)
		b.omitted = prog_copy("missing", 7);
	if (has_text && looks_like_frames(r, &text, mime)) {
		b.of_response = true;
		b.talk = socket_read(text.data, text.len);
		keep = b.talk.graphql;
	} else if (has_text && b.of_response) {
		int status = r != NULL && r->status > 0 ? (int)r->status : 0;
		b.answer = answer_read(text.data, text.len, type, status);
		keep = true;
	} else if (has_text) {
		jv_free(b.sent);
		b.sent = sent_in_body(text.data, text.len, mime, r != NULL && r->hint, &b.batched);
		keep = jv_array_length(jv_copy(b.sent)) > 0 || (r != NULL && r->hint);
		if (!keep)
			mark_plain(s, ids);
	}
	buf_free(&text);
	free(mime);
	if (!keep) {
		free_body(&b);
		return;
	}
	s->body = prog_resize(s->body, s->bodies + 1, sizeof *s->body);
	s->body[s->bodies++] = b;
}

/* An unpacker's warning that lines or members are missing: the error may have been among them. */
static bool
tells_of_loss(struct span record)
{
	char *code = copied(record, "code");
	bool lost =
	    code != NULL && (strcmp(code, "bad-line") == 0 || strcmp(code, "cut-line") == 0 ||
				strncmp(code, "E_", 2) == 0);

	free(code);
	return lost;
}

void
segment_record(struct segment *s, struct ndjson *in)
{
	struct span record = ndjson_span(in);

	if (ndjson_is(in, "request")) {
		add_request(s, record);
	} else if (ndjson_is(in, "body")) {
		add_body(s, record);
	} else if (ndjson_is(in, "test")) {
		free(s->test_status);
		s->test_status = copied(record, "status");
		if (s->test_status == NULL)
			s->test_status = prog_copy("unknown", 7);
	} else if (ndjson_is(in, "warning")) {
		s->lost = s->lost || tells_of_loss(record);
	} else if (ndjson_is(in, "route")) {
		notes_route(s->notes, record);
	} else if (ndjson_is(in, "source")) {
		notes_source(s->notes, record);
	} else if (ndjson_is(in, "action")) {
		notes_action(s->notes, record);
	}
}

static void
join_bodies(struct segment *s)
{
	struct buf id = {0};

	for (size_t i = 0; i < s->bodies; i++) {
		struct body *b = &s->body[i];
		if (jv_get_kind(b->ids) != JV_KIND_ARRAY)
			continue;
		jv_array_foreach (b->ids, k, item) {
			buf_clear(&id);
			jvx_write(item, &id);
			jv_free(item);
			struct request *r = by_id(s, id.data, id.len);
			if (r != NULL)
				*(b->of_response ? &r->answered : &r->asked) = i + 1;
		}
	}
	buf_free(&id);
	/* Where a writer gave no ids the digest says which body it is. */
	for (size_t i = 0; i < s->bodies; i++) {
		struct body *b = &s->body[i];
		if (b->sha1 == NULL || jv_get_kind(b->ids) == JV_KIND_ARRAY)
			continue;
		for (size_t k = 0; k < s->requests; k++) {
			struct request *r = &s->request[k];
			const char *sha1 = b->of_response ? r->response_sha1 : r->request_sha1;
			size_t *place = b->of_response ? &r->answered : &r->asked;
			if (sha1 != NULL && *place == 0 && strcmp(sha1, b->sha1) == 0)
				*place = i + 1;
		}
	}
}

static int
by_time(const void *a, const void *b)
{
	const struct request *x = a, *y = b;

	if (x->t < y->t || x->t > y->t)
		return x->t < y->t ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static const char *
outcome_of(const struct reply *r, const char *kind)
{
	if (r->error_count > 0)
		return r->data == DATA_SOME ? "partial" : "errors";
	if (r->data == DATA_NULL || r->data == DATA_NONE)
		return "null-data";
	/* A mutation may well have nothing to say; a query that finds nothing is worth a look. */
	if (r->data == DATA_NULLS && (kind == NULL || strcmp(kind, "mutation") != 0))
		return "null-data";
	return "ok";
}

static jv
set_reply(jv rec, const struct reply *r)
{
	const char *outcome = outcome_of(r, jvx_text(rec, "kind"));

	rec = jvx_set_text(rec, "outcome", outcome);
	if (r->error_count > 0)
		rec = jvx_set(rec, "errors", jv_copy(r->errors));
	if (r->error_count > (size_t)jv_array_length(jv_copy(r->errors)))
		rec = jvx_set_number(rec, "errors_total", (double)r->error_count);
	if (strcmp(outcome, "null-data") == 0 && r->data == DATA_NULLS)
		rec = jvx_set(rec, "nulls", jv_copy(r->nulls));
	return rec;
}

/* What can be said without a result: transport, or that it could not be read, and why. */
static jv
set_no_reply(jv rec, const struct request *r, const struct body *b)
{
	static const char *const forms[] = {[ANSWER_EMPTY] = "an empty body",
	    [ANSWER_HTML] = "an HTML page",
	    [ANSWER_JSON] = "JSON, but no result of GraphQL",
	    [ANSWER_TEXT] = "text, and no JSON",
	    [ANSWER_GRAPHQL] = "no result for this operation"};
	struct buf why = {0};
	bool failed = r->failure != NULL, refused = r->status >= 400;

	if (failed)
		buf_text(&why, r->failure);
	else if (b != NULL && b->answer.form != ANSWER_MISSING)
		buf_format(&why, "%s under status %.0f", forms[b->answer.form],
		    r->status > 0 ? r->status : 0);
	else if (refused)
		buf_format(&why, "status %.0f", r->status);
	else if (!(r->status > 0))
		buf_text(&why, "unanswered");
	else if (r->status >= 300 && r->status < 400)
		buf_format(&why, "a redirect (status %.0f)", r->status);
	else if (b != NULL && b->omitted != NULL)
		buf_format(&why, "the response body is %s", b->omitted);
	else
		buf_text(&why, "no response body in the trace");
	rec = jvx_set_text(rec, "outcome", failed || refused ? "transport" : "unparsed");
	rec = jvx_set_text(rec, "why", why.data);
	buf_free(&why);
	return rec;
}

static jv
set_mocks(jv rec, struct segment *s, const struct request *r)
{
	const char *operation = jvx_text(rec, "operation");

	rec = jvx_set_text(rec, "mocked", r->mocked);
	if (operation == NULL || (r->mocked != NULL && strcmp(r->mocked, "fulfilled") == 0))
		return rec;
	char *hint = notes_hint(s->notes, r->url, operation);
	rec = jvx_set_text(rec, "mock_hint", hint);
	free(hint);
	return rec;
}

static void
add_record(struct segment *s, const struct request *r, jv rec)
{
	struct buf ref = {0};
	int count = jv_array_length(jv_copy(s->records));

	if (count == OPERATIONS) {
		jv_free(rec);
		return;
	}
	buf_format(&ref, "graphql:%d", count + 1);
	rec = jvx_set_text(rec, "type", "graphql");
	rec = jvx_set_text(rec, "ref", ref.data);
	rec = jvx_set_text(rec, "request", r->ref);
	rec = jvx_set_ms(rec, "t", r->t);
	if (r->status > 0)
		rec = jvx_set_number(rec, "status", r->status);
	if (r->earlier)
		rec = jvx_set(rec, "earlier", jv_true());
	s->records = jv_array_append(s->records, rec);
	buf_free(&ref);
}

static void
add_conversation(struct segment *s, const struct request *r, const struct body *b)
{
	const struct conversation *talk = &b->talk;

	for (size_t i = 0; i < talk->count; i++) {
		const struct exchange *x = &talk->exchange[i];
		jv rec = jv_copy(x->sent);
		const char *kind = jvx_text(rec, "kind");
		bool waits = kind != NULL && strcmp(kind, "subscription") == 0;
		if (x->answered)
			rec = set_reply(rec, &x->reply);
		else if (talk->refused.error_count > 0)
			rec = set_reply(rec, &talk->refused);
		else if (talk->acknowledged && waits && r->failure == NULL)
			rec = jvx_set_text(rec, "outcome", "ok"); /* and nothing to tell yet */
		else
			rec = jvx_set_text(jvx_set_text(rec, "outcome",
					       r->failure != NULL ? "transport" : "unparsed"),
			    "why", r->failure != NULL ? r->failure : "unanswered");
		add_record(s, r, set_mocks(rec, s, r));
	}
	if (talk->count == 0 && talk->refused.error_count > 0)
		add_record(s, r,
		    set_reply(jvx_set_text(jv_object(), "kind", "subscription"), &talk->refused));
}

/* The operations of a request; none when it turns out not to be GraphQL. */
static jv
operations_of(const struct segment *s, const struct request *r, bool *batched)
{
	const struct body *asked = r->asked > 0 ? &s->body[r->asked - 1] : NULL;
	const struct body *answered = r->answered > 0 ? &s->body[r->answered - 1] : NULL;
	bool posted = strcmp(r->method, "POST") == 0;
	jv ops;

	*batched = false;
	if (r->socket)
		return jv_array();
	if (posted && asked != NULL && asked->omitted == NULL) {
		*batched = asked->batched;
		ops = jv_copy(asked->sent);
	} else {
		ops = jv_array();
	}
	if (jv_array_length(jv_copy(ops)) == 0) {
		jv_free(ops);
		ops = sent_in_url(r->url, r->hint);
	}
	if (jv_array_length(jv_copy(ops)) > 0)
		return ops;
	/* Nothing read, but the URL or the answer says what it was. */
	bool graphql = r->answers_graphql || (r->hint && posted);
	if (answered != NULL && answered->answer.form == ANSWER_GRAPHQL && r->hint)
		graphql = true;
	if (!graphql)
		return ops;
	return jv_array_append(ops, jvx_set_text(jv_object(), "operation", r->name));
}

static void
add_exchange(struct segment *s, const struct request *r)
{
	const struct body *b = r->answered > 0 ? &s->body[r->answered - 1] : NULL;
	bool batched;

	if (b != NULL && r->socket) {
		add_conversation(s, r, b);
		return;
	}
	jv ops = operations_of(s, r, &batched);
	jv_array_foreach (ops, i, op) {
		const struct answer *a = b != NULL ? &b->answer : NULL;
		size_t which = a != NULL && a->batched ? (size_t)i : 0;
		if (jvx_text(op, "operation") == NULL)
			op = jvx_set_text(op, "operation", r->name);
		if (a != NULL && a->form == ANSWER_GRAPHQL && which < a->count)
			op = set_reply(op, &a->reply[which]);
		else
			op = set_no_reply(op, r, b);
		add_record(s, r, set_mocks(op, s, r));
	}
	/* Answers to what was sent in a body that is lost, or in a batch that was not all read. */
	size_t asked = (size_t)jv_array_length(ops);
	for (size_t i = asked; b != NULL && b->answer.batched && i < b->answer.count; i++)
		if (b->answer.form == ANSWER_GRAPHQL)
			add_record(
			    s, r, set_mocks(set_reply(jv_object(), &b->answer.reply[i]), s, r));
}

static jv
names_sent(struct segment *s)
{
	jv names = jv_array();
	bool batched;

	for (size_t i = 0; i < s->requests; i++) {
		jv ops = operations_of(s, &s->request[i], &batched);
		jv_array_foreach (ops, k, op) {
			const char *name = jvx_text(op, "operation");
			if (name != NULL)
				names = jv_array_append(names, jv_string(name));
			jv_free(op);
		}
		jv_free(ops);
	}
	return names;
}

static bool
wrong(jv rec)
{
	const char *outcome = jvx_text(rec, "outcome");

	return strcmp(outcome, "errors") == 0 || strcmp(outcome, "partial") == 0 ||
	       strcmp(outcome, "null-data") == 0;
}

static bool
unread(jv rec)
{
	const char *outcome = jvx_text(rec, "outcome");

	return strcmp(outcome, "transport") == 0 || strcmp(outcome, "unparsed") == 0;
}

/* Every error of the record satisfies the question; false when it has none. */
static bool
all_errors(jv rec, bool (*question)(const struct segment *s, jv error), const struct segment *s)
{
	jv errors = jvx_get(rec, "errors");
	bool all = jv_get_kind(errors) == JV_KIND_ARRAY;

	if (all)
		jv_array_foreach (errors, i, error) {
			all = all && question(s, error);
			jv_free(error);
		}
	jv_free(errors);
	return all;
}

static bool
is_miss(const struct segment *s, jv error)
{
	const char *category = jvx_text(error, "category");

	(void)s;
	return category != NULL && strcmp(category, "persisted-query") == 0;
}

static bool
is_expected(const struct segment *s, jv error)
{
	return notes_expected(s->notes, jvx_text(error, "message"), jvx_text(error, "code"));
}

static bool
same_text(jv a, jv b, const char *key)
{
	const char *x = jvx_text(a, key), *y = jvx_text(b, key);

	return x != NULL && y != NULL && strcmp(x, y) == 0;
}

/* The later record in which a persisted query, missed at first, was sent whole and answered. */
static const char *
recovery(const struct segment *s, int missed)
{
	jv miss = jv_array_get(jv_copy(s->records), missed);
	const char *ref = NULL;

	for (int i = missed + 1, n = jv_array_length(jv_copy(s->records)); i < n && ref == NULL;
	     i++) {
		jv later = jv_array_get(jv_copy(s->records), i);
		if ((same_text(miss, later, "persisted") || same_text(miss, later, "operation")) &&
		    !wrong(later) && !unread(later))
			ref = jvx_text(later, "ref"); /* s->records keeps it alive */
		jv_free(later);
	}
	jv_free(miss);
	return ref;
}

static void
judge_records(struct segment *s)
{
	for (int i = 0, n = jv_array_length(jv_copy(s->records)); i < n; i++) {
		jv rec = jv_array_get(jv_copy(s->records), i);
		const char *ref = all_errors(rec, is_miss, s) ? recovery(s, i) : NULL;
		if (ref != NULL)
			rec = jvx_set_text(rec, "recovered", ref);
		else if (all_errors(rec, is_expected, s))
			rec = jvx_set(rec, "expected", jv_true());
		s->records = jv_array_set(s->records, i, rec);
	}
}

static const char *
called(jv rec)
{
	const char *name = jvx_text(rec, "operation");

	return name != NULL ? name : "an unnamed operation";
}

static jv
reason(jv rec)
{
	struct buf b = {0};
	jv errors = jvx_get(rec, "errors");
	const char *why = jvx_text(rec, "why");

	buf_format(&b, "%s (%s): ", called(rec), jvx_text(rec, "ref"));
	if (jv_get_kind(errors) == JV_KIND_ARRAY && jv_array_length(jv_copy(errors)) > 0) {
		jv first = jv_array_get(jv_copy(errors), 0);
		const char *code = jvx_text(first, "code"), *message = jvx_text(first, "message");
		const char *category = jvx_text(first, "category");
		buf_format(&b, "%s, %s%s%s", jvx_text(rec, "outcome"), category,
		    code != NULL ? ", " : "", code != NULL ? code : "");
		if (message != NULL)
			buf_format(&b, ": %.200s", message);
		jv_free(first);
	} else {
		buf_text(&b, jvx_text(rec, "outcome"));
		if (why != NULL)
			buf_format(&b, ": %.200s", why);
	}
	if (jvx_text(rec, "recovered") != NULL)
		buf_format(&b, " (then answered, %s)", jvx_text(rec, "recovered"));
	if (jvx_true(rec, "expected"))
		buf_text(&b, " (the test expects it)");
	jv_free(errors);
	struct buf clean = {0};
	utf8_mend(&clean, b.data, b.len); /* %.200s may have cut a code point */
	jv text = jv_string_sized(clean.data, (int)clean.len);
	buf_free(&clean);
	buf_free(&b);
	return text;
}

static bool
test_failed(const char *status)
{
	return strcmp(status, "failed") == 0 || strcmp(status, "timed-out") == 0 ||
	       strcmp(status, "interrupted") == 0;
}

/*
 * A test that did not fail has lived with what it got.  Where answers could not be read that is
 * said of a test known to have passed only, and if at least one was read.
 */
static enum verdict
judge(const struct segment *s, size_t bad, size_t dark, size_t count)
{
	const char *status = s->test_status;

	if (status != NULL && !test_failed(status)) {
		bool passed = strcmp(status, "passed") == 0;
		return dark == 0 || (passed && dark < count) ? HEALTHY : UNKNOWN;
	}
	return bad > 0 ? DIVERGENCE : dark > 0 ? UNKNOWN : HEALTHY;
}

static const char *const verdicts[] = {
    [HEALTHY] = "HEALTHY", [DIVERGENCE] = "DIVERGENCE DETECTED", [UNKNOWN] = "UNKNOWN"};

static jv
verdict_record(struct segment *s, enum verdict *verdict)
{
	jv reasons = jv_array();
	size_t bad = 0, dark = 0, count = 0;

	jv_array_foreach (s->records, i, rec) {
		bool counts = !jvx_true(rec, "earlier");
		if (counts) {
			count++;
			dark += unread(rec);
			bad += wrong(rec) && jvx_text(rec, "recovered") == NULL &&
			       !jvx_true(rec, "expected");
		}
		if (counts && (wrong(rec) || unread(rec)) &&
		    jv_array_length(jv_copy(reasons)) < REASONS)
			reasons = jv_array_append(reasons, reason(rec));
		jv_free(rec);
	}
	*verdict = judge(s, bad, dark, count);
	if (*verdict == HEALTHY && s->lost) {
		*verdict = UNKNOWN;
		reasons = jv_array_append(
		    reasons, jv_string("parts of the trace could not be read, see its warnings"));
	}
	jv rec = jvx_set_text(jv_object(), "type", "verdict");
	rec = jvx_set_text(rec, "ref", "verdict:1");
	rec = jvx_set_text(rec, "tool", "gql-verify");
	rec = jvx_set_text(rec, "verdict", verdicts[*verdict]);
	rec = jvx_set_number(rec, "operations", (double)count);
	return jvx_set(rec, "reasons", reasons);
}

jv
segment_finish(struct segment *s, enum verdict *verdict)
{
	*verdict = VERDICT_NONE;
	join_bodies(s);
	jv names = names_sent(s);
	notes_settle(s->notes, names);
	jv_free(names);
	if (s->requests > 0)
		qsort(s->request, s->requests, sizeof *s->request, by_time);
	for (size_t i = 0; i < s->requests; i++)
		add_exchange(s, &s->request[i]);
	if (jv_array_length(jv_copy(s->records)) == 0)
		return jv_array();
	judge_records(s);
	return jv_array_append(jv_copy(s->records), verdict_record(s, verdict));
}
