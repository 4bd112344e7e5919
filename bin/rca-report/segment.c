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

	s->evidence = jv_array();
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

static jv
append_number(jv list, int n)
{
	if (jv_get_kind(list) != JV_KIND_ARRAY) {
		jv_free(list);
		list = jv_array();
	}
	return jv_array_append(list, jv_number(n));
}

/* The body that comes next in the evidence belongs to these requests. */
static void
add_body(struct segment *s, jv body)
{
	jv requests = jvx_get(body, "requests");
	int at = jv_array_length(jv_copy(s->evidence));

	if (jv_get_kind(requests) == JV_KIND_ARRAY) {
		jv_array_foreach (requests, i, id) {
			if (jv_get_kind(id) == JV_KIND_STRING) {
				const char *key = jv_string_value(id);
				jv list = append_number(jvx_get(s->bodies, key), at);
				s->bodies = jvx_set(s->bodies, key, list);
			}
			jv_free(id);
		}
	}
	jv_free(requests);
}

jv
segment_bodies(const struct segment *s, jv request)
{
	const char *id = jvx_text(request, "id");
	jv list = id ? jvx_get(s->bodies, id) : jv_invalid(), bodies = jv_array();

	if (jv_get_kind(list) == JV_KIND_ARRAY) {
		jv_array_foreach (list, i, at) {
			bodies = jv_array_append(
			    bodies, jv_array_get(jv_copy(s->evidence), (int)jv_number_value(at)));
			jv_free(at);
		}
	}
	jv_free(list);
	return bodies;
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
	if (strcmp(type, "body") == 0)
		add_body(s, record);
	if (ref != NULL)
		s->refs = jv_object_set(
		    s->refs, jv_string(ref), jv_number(jv_array_length(jv_copy(s->evidence))));
	s->evidence = jv_array_append(s->evidence, cut(record));
}

bool
segment_any(const struct segment *s)
{
	return jv_array_length(jv_copy(s->evidence)) + jv_array_length(jv_copy(s->results)) > 0;
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

bool
segment_place(const struct segment *s, struct buf *b)
{
	jv point = jv_invalid(), terminal = jv_invalid();
	bool found;

	jv_array_foreach (s->evidence, i, rec) {
		const char *type = jvx_text(rec, "type");
		if (strcmp(type, "action") == 0 && jvx_true(rec, "failure_point") &&
		    jvx_text(rec, "file") != NULL) {
			jv_free(point);
			point = jv_copy(rec);
		}
		if (strcmp(type, "error") == 0 && jvx_true(rec, "terminal")) {
			jv_free(terminal);
			terminal = jv_copy(rec);
		}
		jv_free(rec);
	}
	found = jv_is_valid(point);
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
	double at = jvx_number(s->refs, ref, -1);

	return at < 0 ? jv_invalid() : jv_array_get(jv_copy(s->evidence), (int)at);
}
