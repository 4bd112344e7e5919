#include "spans.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jvx.h"
#include "prog.h"

enum { BATCH = 64, TIMEOUT_MS = 10000 };

struct spans {
	FILE *file;
	char *endpoint, *name; /* name: of the file */
	char **headers;
	char trace_id[33], parent_id[17]; /* "": none */
	unsigned long last_id;
	jv batch;
	int under_way;
	bool complained;
};

static void
random_hex(char *hex, size_t bytes)
{
	unsigned char raw[16];

	if (getentropy(raw, bytes) != 0)
		err(TROUBLE, "no random numbers");
	for (size_t i = 0; i < bytes; i++)
		snprintf(hex + 2 * i, 3, "%02x", raw[i]);
}

/* "name=value,name=value", as the environment of OpenTelemetry has it, to lines "name: value". */
static char **
header_lines(const char *list)
{
	char **lines = prog_alloc(2, sizeof *lines), *rest = NULL;
	char *words = prog_copy(list ? list : "", strlen(list ? list : ""));
	size_t count = 1;

	lines[0] = prog_copy("Content-Type: application/json", 30);
	for (char *word = strtok_r(words, ",", &rest); word != NULL;
	     word = strtok_r(NULL, ",", &rest)) {
		struct buf line = {0};
		char *equals = strchr(word, '=');
		if (equals == NULL || strpbrk(word, "\r\n") != NULL)
			continue;
		buf_add(&line, word, (size_t)(equals - word));
		buf_format(&line, ": %s", equals + 1);
		lines = prog_resize(lines, count + 2, sizeof *lines);
		lines[count++] = line.data;
		lines[count] = NULL;
	}
	free(words);
	return lines;
}

static bool
is_id(const char *text, size_t len, char end)
{
	return strspn(text, "0123456789abcdef") == len && text[len] == end &&
	       strspn(text, "0") < len;
}

/* "00-TRACE-PARENT-FLAGS"; what has another form is as good as none (W3C Trace Context, 3.2). */
static void
set_parent(struct spans *s, const char *parent)
{
	enum { TRACE = 3, PARENT = TRACE + 33, FLAGS = PARENT + 17 };

	if (parent == NULL || strlen(parent) < FLAGS + 2 || strncmp(parent, "ff", 2) == 0 ||
	    strspn(parent, "0123456789abcdef") != 2 || parent[2] != '-' ||
	    !is_id(parent + TRACE, 32, '-') || !is_id(parent + PARENT, 16, '-'))
		return;
	snprintf(s->trace_id, sizeof s->trace_id, "%.32s", parent + TRACE);
	snprintf(s->parent_id, sizeof s->parent_id, "%.16s", parent + PARENT);
}

struct spans *
spans_open(const char *file, const char *endpoint, const char *headers, const char *parent)
{
	struct spans *s = prog_alloc(1, sizeof *s);

	s->headers = header_lines(headers);
	s->batch = jv_array();
	random_hex(s->trace_id, 16);
	set_parent(s, parent);
	if (endpoint != NULL)
		s->endpoint = prog_copy(endpoint, strlen(endpoint));
	if (file == NULL)
		return s;
	s->name = prog_copy(file, strlen(file));
	s->file = fopen(file, "ae");
	if (s->file == NULL)
		err(TROUBLE, "%s", file);
	return s;
}

static jv
typed(jv value)
{
	struct buf text = {0};
	jv made = jv_object();

	switch (jv_get_kind(value)) {
	case JV_KIND_STRING: return jvx_set(made, "stringValue", value);
	case JV_KIND_TRUE:
	case JV_KIND_FALSE: return jvx_set(made, "boolValue", value);
	case JV_KIND_ARRAY: {
		jv values = jv_array();
		for (int i = 0, n = jv_array_length(jv_copy(value)); i < n; i++)
			values = jv_array_append(values, typed(jv_array_get(jv_copy(value), i)));
		jv_free(value);
		return jvx_set(made, "arrayValue", jvx_set(jv_object(), "values", values));
	}
	case JV_KIND_NUMBER:
		/* OTLP/JSON writes 64-bit integers as strings. */
		if (jv_number_value(value) != floor(jv_number_value(value)))
			return jvx_set(made, "doubleValue", value);
		jvx_write(value, &text);
		jv_free(value);
		made = jvx_set_text(made, "intValue", text.data);
		buf_free(&text);
		return made;
	default: jv_free(value); return made;
	}
}

static jv
attribute(const char *key, jv value)
{
	return jvx_set(jvx_set_text(jv_object(), "key", key), "value", typed(value));
}

static jv
nanoseconds(double ms)
{
	char text[40];

	snprintf(text, sizeof text, "%.0f000000", ms);
	return jv_string(text);
}

static jv
otlp_span(struct spans *s, const char *name, jv attributes, double start_ms, double end_ms,
    const char *error)
{
	char id[17];
	jv span = jvx_set_text(jv_object(), "traceId", s->trace_id), list = jv_array();

	random_hex(id, 8);
	jv keys = jv_keys(jv_copy(attributes));
	for (int i = 0, n = jv_array_length(jv_copy(keys)); i < n; i++) {
		jv key = jv_array_get(jv_copy(keys), i);
		const char *text = jv_string_value(key);
		list = jv_array_append(list, attribute(text, jvx_get(attributes, text)));
		jv_free(key);
	}
	jv_free(keys);
	jv_free(attributes);
	span = jvx_set_text(span, "spanId", id);
	span = jvx_set_text(span, "parentSpanId", s->parent_id);
	span = jvx_set_text(span, "name", name);
	span = jvx_set_number(span, "kind", 3); /* SPAN_KIND_CLIENT */
	span = jvx_set(span, "startTimeUnixNano", nanoseconds(start_ms));
	span = jvx_set(span, "endTimeUnixNano", nanoseconds(end_ms));
	span = jvx_set(span, "attributes", list);
	if (error == NULL)
		return span;
	jv status = jvx_set_number(jv_object(), "code", 2); /* STATUS_CODE_ERROR */
	return jvx_set(span, "status", jvx_set_text(status, "message", error));
}

/* spans is consumed. */
static jv
otlp_request(jv spans)
{
	jv scope = jvx_set_text(jv_object(), "name", "rcakit/llm-call");
	jv in_scope = jvx_set(jvx_set(jv_object(), "scope", scope), "spans", spans);
	jv service = JV_ARRAY(attribute("service.name", jv_string("rcakit")));
	jv resource = jvx_set(jv_object(), "attributes", service);
	jv one =
	    jvx_set(jvx_set(jv_object(), "resource", resource), "scopeSpans", JV_ARRAY(in_scope));

	return jvx_set(jv_object(), "resourceSpans", JV_ARRAY(one));
}

static void
post_batch(struct spans *s, struct net *net)
{
	struct buf body = {0};

	if (jv_array_length(jv_copy(s->batch)) == 0)
		return;
	jv request = otlp_request(s->batch);
	s->batch = jv_array();
	jvx_write(request, &body);
	jv_free(request);
	net_post(net, s->endpoint, (const char *const *)s->headers,
	    (struct span){body.data, body.len}, TIMEOUT_MS, s);
	s->under_way++;
	buf_free(&body);
}

void
spans_add(struct spans *s, struct net *net, const char *name, jv attributes, double start_ms,
    double end_ms, const char *error)
{
	jv span = otlp_span(s, name, attributes, start_ms, end_ms, error);

	if (s->endpoint != NULL) {
		s->batch = jv_array_append(s->batch, jv_copy(span));
		if (jv_array_length(jv_copy(s->batch)) >= BATCH)
			post_batch(s, net);
	}
	if (s->file == NULL) {
		jv_free(span);
		return;
	}
	struct buf line = {0};
	jv request = otlp_request(JV_ARRAY(span));
	jvx_write(request, &line);
	jv_free(request);
	buf_byte(&line, '\n');
	if (fwrite(line.data, 1, line.len, s->file) != line.len || fflush(s->file) != 0)
		err(TROUBLE, "%s", s->name);
	buf_free(&line);
}

void
spans_event(struct spans *s, const struct net_reply *r)
{
	s->under_way--;
	if ((r->fault == NET_FINE && r->status / 100 == 2) || s->complained)
		return;
	s->complained = true;
	if (r->fault != NET_FINE)
		warnx("spans are lost: %s", r->why);
	else
		warnx("spans are lost: the collector answers with status %d", r->status);
}

void
spans_close(struct spans *s, struct net *net)
{
	struct net_reply *r;

	if (s->endpoint != NULL)
		post_batch(s, net);
	while (s->under_way > 0 && (r = net_wait(net)) != NULL) {
		if (r->tag == s)
			spans_event(s, r);
		net_reply_free(r);
	}
	if (s->file != NULL && fclose(s->file) != 0)
		err(TROUBLE, "%s", s->name);
	for (size_t i = 0; s->headers[i] != NULL; i++)
		free(s->headers[i]);
	free(s->headers);
	jv_free(s->batch);
	free(s->endpoint);
	free(s->name);
	free(s);
}
