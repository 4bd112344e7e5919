#include "segment.h"

#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "prog.h"
#include "quote.h"
#include "utf8.h"

enum {
	LONG = 8000,  /* bytes kept of a text: enough to quote from */
	PAGE = 100000 /* of the page at the failure */
};

struct segment *
segment_new(void)
{
	struct segment *s = prog_alloc(1, sizeof *s);

	s->evidence = jv_object();
	s->refs = jv_object();
	s->bodies = jv_object();
	s->results = jv_array();
	s->trace = s->test = jv_invalid();
	return s;
}

void
segment_free(struct segment *s)
{
	jv_free(s->evidence);
	jv_free(s->refs);
	jv_free(s->bodies);
	jv_free(s->results);
	jv_free(s->trace);
	jv_free(s->test);
	free(s);
}

static jv
cut_text(jv rec, const char *key, size_t most)
{
	size_t len = 0;
	const char *text = jvx_bytes(rec, key, &len);
	struct buf b = {0};

	if (text == NULL || len <= most)
		return rec;
	buf_add(&b, text, utf8_floor(text, len, most));
	buf_format(&b, "\n(%zu more bytes)", len - b.len);
	rec = jvx_set(rec, key, jv_string_sized(b.data, (int)b.len));
	buf_free(&b);
	return rec;
}

/* Every text of a record that is too long to be read; the page at the failure may be longer. */
static jv
cut(jv rec)
{
	jv whole = jv_copy(rec);

	jv_object_foreach (whole, key, value) {
		const char *name = jv_string_value(key);
		bool page = strcmp(name, "aria") == 0 && jvx_true(whole, "at_failure");
		if (jv_get_kind(value) == JV_KIND_STRING)
			rec = cut_text(rec, name, page ? PAGE : LONG);
		jv_free(key);
		jv_free(value);
	}
	jv_free(whole);
	return rec;
}

static bool
is_one_of(const char *type, const char *const list[])
{
	for (size_t i = 0; list[i] != NULL; i++)
		if (strcmp(type, list[i]) == 0)
			return true;
	return false;
}

/* The array in an object's member, one record longer; the record stays yours. */
static jv
appended(jv lists, const char *key, jv record)
{
	jv list = jvx_get(lists, key);

	if (jv_get_kind(list) != JV_KIND_ARRAY) {
		jv_free(list);
		list = jv_array();
	}
	/* An array that nobody else holds is grown in place. */
	lists = jvx_set(lists, key, jv_null());
	return jvx_set(lists, key, jv_array_append(list, jv_copy(record)));
}

static jv
list_of(jv lists, const char *key)
{
	jv list = key ? jvx_get(lists, key) : jv_invalid();

	if (jv_get_kind(list) == JV_KIND_ARRAY)
		return list;
	jv_free(list);
	return jv_array();
}

static void
add_body(struct segment *s, jv body)
{
	jv requests = list_of(body, "requests");

	jv_array_foreach (requests, i, id) {
		if (jv_get_kind(id) == JV_KIND_STRING)
			s->bodies = appended(s->bodies, jv_string_value(id), body);
		jv_free(id);
	}
	jv_free(requests);
}

jv
segment_bodies(const struct segment *s, jv request)
{
	return list_of(s->bodies, jvx_text(request, "id"));
}

jv
segment_all(const struct segment *s, const char *type)
{
	return list_of(s->evidence, type);
}

void
segment_add(struct segment *s, struct ndjson *in)
{
	static const char *const results[] = {
	    "answer", "unclassified", "trigger", "citation", "phase", NULL};
	/* The first three are the bytes behind the evidence, the others are about the suite. */
	static const char *const unused[] = {
	    "line", "resource", "section", "span", "score", "redactions", NULL};
	for (size_t i = 0; unused[i] != NULL; i++)
		if (ndjson_is(in, unused[i]))
			return;
	outcome_add(&s->outcome, ndjson_span(in));
	jv record = ndjson_value(in);
	const char *type = jvx_text(record, "type"), *ref = jvx_text(record, "ref");
	if (is_one_of(type, results)) {
		s->results = jv_array_append(s->results, record);
		return;
	}
	if (strcmp(type, "trace") == 0 && !jv_is_valid(s->trace))
		s->trace = cut(jv_copy(record));
	if (strcmp(type, "test") == 0 && !jv_is_valid(s->test))
		s->test = cut(jv_copy(record));
	record = cut(record);
	type = jvx_text(record, "type");
	ref = jvx_text(record, "ref");
	if (strcmp(type, "body") == 0)
		add_body(s, record);
	if (ref != NULL)
		s->refs = jvx_set(s->refs, ref, jv_copy(record));
	s->evidence = appended(s->evidence, type, record);
	jv_free(record);
}

bool
segment_any(const struct segment *s)
{
	return jv_object_length(jv_copy(s->evidence)) + jv_array_length(jv_copy(s->results)) > 0;
}

const char *
segment_status(const struct segment *s)
{
	const char *status = jvx_text(s->test, "status");

	if (!jv_is_valid(s->test))
		return jv_is_valid(s->trace) ? "unread" : "unknown";
	return status ? status : "unknown";
}

bool
segment_failed(const struct segment *s)
{
	return outcome_failed(&s->outcome);
}

const char *
segment_title(const struct segment *s)
{
	const char *title = jvx_text(s->test, "title");

	if (title == NULL || *title == '\0')
		title = jvx_text(s->trace, "name");
	return title != NULL && *title != '\0' ? title : "test without a title";
}

static bool
place_of_stack(struct buf *b, jv error)
{
	jv stack = jvx_get(error, "stack");
	jv frame = jv_get_kind(stack) == JV_KIND_ARRAY ? jv_array_get(stack, 0) : jv_invalid();
	bool found = jvx_text(frame, "file") != NULL;

	if (jv_get_kind(stack) != JV_KIND_ARRAY)
		jv_free(stack);
	if (found)
		quote_place(b, "", frame);
	jv_free(frame);
	return found;
}

/* The last of a type's records that has the member true; invalid: none. */
static jv
marked(const struct segment *s, const char *type, const char *member)
{
	jv all = segment_all(s, type), found = jv_invalid();

	jv_array_foreach (all, i, rec) {
		if (jvx_true(rec, member)) {
			jv_free(found);
			found = jv_copy(rec);
		}
		jv_free(rec);
	}
	jv_free(all);
	return found;
}

bool
segment_place(const struct segment *s, struct buf *b)
{
	jv point = marked(s, "action", "failure_point"), terminal = marked(s, "error", "terminal");
	bool found = jvx_text(point, "file") != NULL;

	if (found)
		quote_place(b, "", point);
	else
		found = place_of_stack(b, terminal);
	jv_free(point);
	jv_free(terminal);
	return found;
}

jv
segment_cited(const struct segment *s, const char *ref)
{
	return jvx_get(s->refs, ref);
}
