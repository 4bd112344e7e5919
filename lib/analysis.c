#include "analysis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "utf8.h"

/* most: of code points.  The order is that of the output. */
static const struct field {
	const char *label, *path;
	size_t most;
} fields[] = {
    {"test", "title_path", 300},
    {"test", "project", 100},
    {"test", "file", 300},
    {"test", "line", 20},
    {"test", "tags", 300},
    {"error", "error.type", 100},
    {"error", "error.message", 2000},
    {"error", "error.snippet", 1500},
    {"error", "error.stack", 4000},
    {"error", "error.matcher", 60},
    {"error", "error.locator", 300},
    {"error", "error.expected", 500},
    {"error", "error.actual", 500},
    {"error", "error.timeout_ms", 20},
    {"error", "error.sig_novel", 10},
    {"error", "error.sig_first_seen", 40},
    {"history", "outcome", 20},
    {"history", "attempts", 40},
    {"history", "attempts_known", 10},
    {"history", "history.runs", 60},
    {"history", "history.runs_total", 20},
    {"history", "history.first_seen_at", 40},
    {"history", "history.last_pass_at", 40},
    {"history", "history.fail_streak", 20},
    {"history", "history.is_new", 10},
    {"history", "flake", 600},
    {"history", "group", 200},
    {"diff", "diff.files", 2000},
    {"diff", "diff.product_files", 1000},
    {"diff", "diff.touches_test", 10},
    {"diff", "diff.touches_stack", 10},
    {"diff", "diff.touches_helper", 10},
    {"diff", "diff.touches_config", 10},
    {"diff", "diff.removed_literals_in_test", 500},
    {"diff", "diff.renamed_literals", 500},
    {"diff", "diff.hunks", 12000},
    {"source", "test_source.text", 6000},
    {"neighbours", "neighbours", 1500},
};
enum { FIELDS = sizeof fields / sizeof *fields };

const char *const analysis_labels[] = {
    "test", "error", "history", "diff", "source", "neighbours", NULL};

/* The value at a path of member names with dots between; yours to free. */
static jv
at_path(jv rec, const char *path)
{
	jv v = jv_copy(rec);

	while (*path != '\0' && jv_is_valid(v)) {
		char name[64];
		size_t len = strcspn(path, ".");
		snprintf(name, sizeof name, "%.*s", (int)len, path);
		jv inner = jvx_get(v, name);
		jv_free(v);
		v = inner;
		path += len + (path[len] == '.');
	}
	return v;
}

static void
add_scalar(jv v, struct buf *b)
{
	if (jv_get_kind(v) == JV_KIND_STRING)
		buf_add(b, jv_string_value(v), jvx_length(v));
	else
		jvx_write(v, b);
}

/* A list or object of scalars is one line, "path a.ts, status M"; others a line a value. */
static void
flatten(jv v, struct buf *b, int depth)
{
	jv_kind kind = jv_get_kind(v);

	if (kind == JV_KIND_ARRAY && depth < 8) {
		jv_array_foreach (v, i, item) {
			if (i > 0)
				buf_byte(b, '\n');
			flatten(item, b, depth + 1);
			jv_free(item);
		}
	} else if (kind == JV_KIND_OBJECT && depth < 8) {
		bool first = true;
		jv keys = jv_keys(jv_copy(v));
		jv_array_foreach (keys, i, key) {
			jv item = jvx_get(v, jv_string_value(key));
			buf_text(b, first ? "" : ", ");
			first = false;
			buf_text(b, jv_string_value(key));
			buf_byte(b, ' ');
			flatten(item, b, depth + 1);
			jv_free(item);
			jv_free(key);
		}
		jv_free(keys);
	} else {
		add_scalar(v, b);
	}
}

/* Where the nth code point of text begins. */
static size_t
offset_of(const struct buf *text, size_t n)
{
	size_t at = 0, used;

	while (n-- > 0 && at < text->len) {
		utf8_decode(text->data + at, text->len - at, &used);
		at += used;
	}
	return at;
}

/* Append at most so many code points of text: both ends stay, and a line between says what went. */
static void
capped(const struct buf *text, size_t most, struct buf *b)
{
	size_t chars = utf8_count(text->data, text->len);
	char notice[64];

	if (chars <= most) {
		buf_add(b, text->data, text->len);
		return;
	}
	int room = snprintf(notice, sizeof notice, "\n[%zu characters left out]\n", chars);
	size_t kept = most > (size_t)room ? most - (size_t)room : 0;
	size_t head = offset_of(text, kept / 2);
	size_t tail = offset_of(text, chars - (kept - kept / 2));
	snprintf(notice, sizeof notice, "\n[%zu characters left out]\n", chars - kept);
	buf_add(b, text->data, head);
	buf_text(b, notice);
	buf_add(b, text->data + tail, text->len - tail);
}

static bool
add_field(jv analysis, const struct field *f, struct buf *text)
{
	jv v = at_path(analysis, f->path);
	struct buf whole = {0};

	if (!jv_is_valid(v))
		return false;
	buf_text(&whole, "");
	flatten(v, &whole, 0);
	capped(&whole, f->most, text);
	buf_free(&whole);
	jv_free(v);
	return true;
}

bool
analysis_field(jv analysis, const char *field, struct buf *text)
{
	for (size_t i = 0; i < FIELDS; i++)
		if (strcmp(fields[i].path, field) == 0)
			return add_field(analysis, &fields[i], text);
	return false;
}

void
analysis_section(jv analysis, const char *label, struct buf *text)
{
	for (size_t i = 0; i < FIELDS; i++) {
		struct buf value = {0};
		if (strcmp(fields[i].label, label) == 0 &&
		    add_field(analysis, &fields[i], &value)) {
			bool lines = memchr(value.data, '\n', value.len) != NULL;
			buf_format(text, "%s:%c", fields[i].path, lines ? '\n' : ' ');
			buf_add(text, value.data, value.len);
			if (value.len == 0 || value.data[value.len - 1] != '\n')
				buf_byte(text, '\n');
		}
		buf_free(&value);
	}
}

static bool
is(jv rec, const char *member, const char *text)
{
	const char *have = jvx_text(rec, member);

	return have != NULL && strcmp(have, text) == 0;
}

bool
analysis_selected(jv analysis)
{
	jv flake = jvx_get(analysis, "flake");
	bool yes = is(analysis, "outcome", "fail") || is(analysis, "outcome", "flaky") ||
		   is(flake, "state", "newly_flaky");

	jv_free(flake);
	return yes;
}

static bool
has_trace(jv analysis)
{
	jv trace = jvx_get(analysis, "trace");
	bool has = jv_is_valid(trace);

	jv_free(trace);
	return has;
}

static double
group_size(jv analysis)
{
	jv group = jvx_get(analysis, "group");
	double n = jvx_number(group, "size", 1);

	jv_free(group);
	return n;
}

const char *
analysis_group(jv analysis)
{
	jv group = jvx_get(analysis, "group");
	const char *id = jvx_text(group, "id");

	jv_free(group); /* the record holds it still */
	return id != NULL ? id : jvx_text(analysis, "test_id");
}

/* For qsort(3). */
static int
by_urgency(const void *a, const void *b)
{
	jv x = *(const jv *)a, y = *(const jv *)b;
	double ax = jvx_number(x, "ambiguity", 0), ay = jvx_number(y, "ambiguity", 0);
	const char *ix = jvx_text(x, "test_id"), *iy = jvx_text(y, "test_id");

	if (ax != ay)
		return ax > ay ? -1 : 1;
	if (group_size(x) != group_size(y))
		return group_size(x) > group_size(y) ? -1 : 1;
	return strcmp(ix ? ix : "", iy ? iy : "");
}

jv
analysis_speakers(jv *list, size_t count)
{
	jv speakers = jv_object();

	if (count > 0)
		qsort(list, count, sizeof *list, by_urgency);
	for (size_t i = 0; i < count; i++) {
		const char *group = analysis_group(list[i]);
		if (group == NULL || !analysis_selected(list[i]))
			continue;
		long before = (long)jvx_number(speakers, group, -1);
		if (before < 0 || (!has_trace(list[before]) && has_trace(list[i])))
			speakers = jvx_set_number(speakers, group, (double)i);
	}
	return speakers;
}
