#define _GNU_SOURCE /* strcasestr, memmem */
#include "sent.h"

#include <string.h>
#include <strings.h>

#include "document.h"
#include "jvx.h"
#include "prog.h"

enum { BATCH = 1000, NAME_BYTES = 200 };

static const char *
path_of(const char *url)
{
	const char *host = strstr(url, "://");

	host = host != NULL ? host + 3 : url;
	return host + strcspn(host, "/?#");
}

bool
sent_url_says_graphql(const char *url)
{
	const char *p = path_of(url);

	while (*p == '/') {
		const char *segment = p + 1;
		size_t len = strcspn(segment, "/?#");
		if (len == 3 && strncasecmp(segment, "gql", 3) == 0)
			return true;
		for (size_t i = 0; i + 7 <= len; i++)
			if (strncasecmp(segment + i, "graphql", 7) == 0)
				return true;
		p = segment + len;
	}
	return false;
}

static jv
set_name(jv op, const char *key, const char *text, size_t len)
{
	if (len == 0)
		return op;
	return jvx_set(op, key, jv_string_sized(text, (int)(len < NAME_BYTES ? len : NAME_BYTES)));
}

/* What the document says about the operation called name (or about its only one). */
static jv
describe(jv op, const struct doc *d, const char *name, size_t len)
{
	const struct doc_operation *run = doc_pick(d, name, len);

	op = set_name(op, "operation", name, len);
	if (run == NULL)
		return op;
	op = jvx_set_text(op, "kind", run->kind);
	if (run->name.at != NULL)
		return set_name(op, "operation", run->name.at, run->name.len);
	jv fields = jv_array();
	for (size_t i = 0; i < run->fields; i++)
		fields = jv_array_append(
		    fields, jv_string_sized(run->field[i].at, (int)run->field[i].len));
	return jvx_set(op, "fields", fields);
}

/* From the four parameters of GraphQL over HTTP; invalid when they are none.  id says which
 * stored document. */
static jv
operation(const char *query, size_t query_len, const char *name, size_t name_len, const char *id,
    size_t id_len, bool hint)
{
	struct doc d;
	bool document = query != NULL && doc_read(query, query_len, &d);

	if (!document && id == NULL && !hint)
		return jv_invalid();
	jv op = jv_object();
	if (document || (query != NULL && d.count == 1)) /* in a faulty one the name is right */
		op = describe(op, &d, name, name_len);
	else
		op = set_name(op, "operation", name, name_len);
	op = set_name(op, "persisted", id, id_len);
	if (query == NULL)
		op = jvx_set(op, "without_query", jv_true());
	return op;
}

static bool
decoded(struct span object, const char *name, struct buf *b)
{
	buf_clear(b);
	return scan_text(scan_member(object, name), b);
}

jv
sent_operation(struct span object, bool hint)
{
	static const char *const ids[] = {
	    "documentId", "id", "doc_id", "docId", "queryId", "query_id", "hash", "queryHash"};
	struct buf query = {0}, name = {0}, id = {0};

	if (scan_kind(object) != '{')
		return jv_invalid();
	bool has_query = decoded(object, "query", &query);
	bool has_name = decoded(object, "operationName", &name);
	struct span stored = scan_path(object, "extensions", "persistedQuery", NULL);
	bool has_id = decoded(stored, "sha256Hash", &id);
	/* A bare "id" beside variables is Relay's; elsewhere it is anybody's. */
	bool like = hint || has_name || scan_kind(scan_member(object, "variables")) == '{';
	for (size_t i = 0; !has_id && !has_query && like && i < sizeof ids / sizeof *ids; i++) {
		struct span value = scan_member(object, ids[i]);
		has_id = (hint || i == 0) && decoded(object, ids[i], &id);
		if (!has_id && hint && scan_kind(value) == '0') {
			buf_add(&id, value.at, value.len);
			has_id = true;
		}
	}
	jv op = operation(has_query ? query.data : NULL, query.len, has_name ? name.data : NULL,
	    has_name ? name.len : 0, has_id ? id.data : NULL, has_id ? id.len : 0, hint);
	buf_free(&query);
	buf_free(&name);
	buf_free(&id);
	return op;
}

static jv
in_json(const char *text, size_t len, bool hint, bool *batched)
{
	struct scan_each it = {0};
	jv ops = jv_array();

	if (!scan_check(text, len, NULL))
		return ops;
	struct span value = scan_trim(text, len);
	*batched = scan_kind(value) == '[';
	if (!*batched) {
		jv op = sent_operation(value, hint);
		return jv_is_valid(op) ? jv_array_append(ops, op) : (jv_free(op), ops);
	}
	for (int i = 0; i < BATCH && scan_each(&it, value); i++) {
		jv op = sent_operation(it.value, hint);
		if (!jv_is_valid(op)) { /* one that is none, and the list is no batch */
			jv_free(op);
			jv_free(ops);
			return jv_array();
		}
		ops = jv_array_append(ops, jvx_set_number(op, "index", i));
	}
	return ops;
}

static int
hex_digit(char c)
{
	const char *digits = "0123456789abcdef", *at = memchr(digits, c | 0x20, 16);

	return c >= '0' && c <= '9'            ? c - '0'
	       : at != NULL && at - digits > 9 ? (int)(at - digits)
					       : -1;
}

/* A parameter of application/x-www-form-urlencoded text; false when it is not there. */
static bool
parameter(const char *text, size_t len, const char *name, struct buf *value)
{
	size_t name_len = strlen(name);

	for (size_t i = 0; i < len;) {
		const char *end = memchr(text + i, '&', len - i);
		size_t stop = end != NULL ? (size_t)(end - text) : len;
		if (stop - i > name_len && memcmp(text + i, name, name_len) == 0 &&
		    text[i + name_len] == '=') {
			buf_clear(value);
			buf_reserve(value, 1);
			for (size_t k = i + name_len + 1; k < stop; k++) {
				if (text[k] == '%' && stop - k > 2 && hex_digit(text[k + 1]) >= 0 &&
				    hex_digit(text[k + 2]) >= 0) {
					buf_byte(value,
					    hex_digit(text[k + 1]) * 16 + hex_digit(text[k + 2]));
					k += 2;
				} else {
					buf_byte(value, text[k] == '+' ? ' ' : text[k]);
				}
			}
			return true;
		}
		i = stop + 1;
	}
	return false;
}

/* Query strings and form bodies; without any parameter of ours there is no operation. */
static jv
in_parameters(const char *text, size_t len, bool hint)
{
	static const char *const ids[] = {"documentId", "doc_id", "queryId", "id", "hash"};
	struct buf query = {0}, name = {0}, id = {0}, extensions = {0};

	bool has_query = parameter(text, len, "query", &query);
	bool has_name = parameter(text, len, "operationName", &name) ||
			parameter(text, len, "fb_api_req_friendly_name", &name);
	bool has_id = false;
	if (parameter(text, len, "extensions", &extensions) &&
	    scan_check(extensions.data, extensions.len, NULL)) {
		struct span all = scan_trim(extensions.data, extensions.len);
		struct span stored = scan_member(all, "persistedQuery");
		has_id = decoded(stored, "sha256Hash", &id);
	}
	for (size_t i = 0; !has_id && !has_query && hint && i < sizeof ids / sizeof *ids; i++)
		has_id = parameter(text, len, ids[i], &id);
	jv op = jv_invalid();
	if (has_query || has_id || (hint && has_name))
		op = operation(has_query ? query.data : NULL, query.len, name.data,
		    has_name ? name.len : 0, has_id ? id.data : NULL, has_id ? id.len : 0, hint);
	buf_free(&query);
	buf_free(&name);
	buf_free(&id);
	buf_free(&extensions);
	jv ops = jv_array();
	return jv_is_valid(op) ? jv_array_append(ops, op) : (jv_free(op), ops);
}

/*
 * multipart/form-data: the part named "operations" (GraphQL multipart request specification); its
 * text ends before the line that begins with the boundary.
 */
static jv
in_multipart(const char *text, size_t len, bool hint, bool *batched)
{
	static const char mark[] = "name=\"operations\"";
	const char *end = text + len, *at = memmem(text, len, mark, sizeof mark - 1);

	if (at == NULL)
		return jv_array();
	const char *body = memmem(at, (size_t)(end - at), "\r\n\r\n", 4);
	size_t gap = 4;
	if (body == NULL) {
		body = memmem(at, (size_t)(end - at), "\n\n", 2);
		gap = 2;
	}
	if (body == NULL)
		return jv_array();
	body += gap;
	const char *stop = memmem(body, (size_t)(end - body), "\n--", 3);
	return in_json(body, (size_t)((stop != NULL ? stop : end) - body), hint, batched);
}

jv
sent_in_body(const char *text, size_t len, const char *mime, bool hint, bool *batched)
{
	*batched = false;
	struct span body = scan_trim(text, len);

	if (mime == NULL)
		mime = "";
	if (strncasecmp(mime, "multipart/", 10) == 0)
		return in_multipart(body.at, body.len, hint, batched);
	if (strcasestr(mime, "x-www-form-urlencoded") != NULL)
		return in_parameters(body.at, body.len, hint);
	if (strncasecmp(mime, "application/graphql", 19) == 0 && strcasestr(mime, "json") == NULL) {
		jv op = operation(body.at, body.len, NULL, 0, NULL, 0, true);
		return jv_array_append(jv_array(), op);
	}
	if (body.len > 0 && (*body.at == '{' || *body.at == '[')) {
		jv ops = in_json(body.at, body.len, hint, batched);
		struct doc d;
		if (jv_array_length(jv_copy(ops)) > 0 || !doc_read(body.at, body.len, &d))
			return ops;
		jv_free(ops);
		return jv_array_append(jv_array(), describe(jv_object(), &d, NULL, 0));
	}
	if (body.len > 2 && strncmp(body.at, "--", 2) == 0)
		return in_multipart(body.at, body.len, hint, batched);
	struct doc d;
	if (hint && doc_read(body.at, body.len, &d))
		return jv_array_append(jv_array(), describe(jv_object(), &d, NULL, 0));
	return jv_array();
}

jv
sent_in_url(const char *url, bool hint)
{
	const char *query = strchr(url, '?');

	if (query == NULL)
		return jv_array();
	query++;
	return in_parameters(query, strcspn(query, "#"), hint);
}
