/* event: console messages, page errors and whatever else happens by itself, as it will be told. */
#include "segment.h"

#include <string.h>

#include "utf8.h"

static void
add(struct segment *s, struct context *c, int kind, double time, const char *page, jv rec)
{
	struct buf b = {0};

	jvx_write(rec, &b);
	jv_free(rec);
	struct event *e = LIST_ADD(s->events);
	*e = (struct event){c, kind, time, page, words_bytes(s->words, b.data, b.len)};
	buf_free(&b);
}

static jv
jv_of_text(struct span string)
{
	struct buf b = {0};
	jv text = jv_invalid();

	if (scan_text(string, &b)) {
		size_t len = utf8_floor(b.data ? b.data : "", b.len, TEXT_MOST);
		text = jv_string_sized(b.data ? b.data : "", (int)len);
	}
	buf_free(&b);
	return text;
}

static const char *
level_of(struct span type)
{
	static const char *const names[][2] = {{"error", "error"}, {"assert", "error"},
	    {"warning", "warning"}, {"warn", "warning"}, {"info", "info"}, {"debug", "debug"},
	    {"verbose", "debug"}};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (scan_is(type, names[i][0]))
			return names[i][1];
	return "log";
}

/* Recorded lines and columns count from 0; 0:0 is what the browser says of a resource as such. */
static jv
set_place(jv rec, struct span url, double line, double column)
{
	jv file = jv_of_text(url);

	if (jv_get_kind(file) != JV_KIND_STRING || jv_string_length_bytes(jv_copy(file)) == 0) {
		jv_free(file);
		return rec;
	}
	rec = jvx_set(rec, "file", file);
	if (!(line > 0 || column > 0))
		return rec;
	rec = jvx_set_number(rec, "line", line + 1);
	return jvx_set_number(rec, "column", column + 1);
}

void
add_console(struct segment *s, struct context *c, double time, const char *page, struct span type,
    struct span text, struct span location)
{
	struct want m[] = {{"url", {0}}, {"lineNumber", {0}}, {"columnNumber", {0}}};
	jv rec = jvx_set_text(jv_object(), "level", level_of(type));

	MEMBERS(location, m);
	rec = jvx_set(rec, "text", jv_of_text(text));
	rec = set_place(rec, m[0].value, scan_number(m[1].value, 0), scan_number(m[2].value, 0));
	add(s, c, CONSOLE, time, page, rec);
}

void
add_page_error(
    struct segment *s, struct context *c, double time, const char *page, struct span params)
{
	struct want p[] = {{"error", {0}}, {"location", {0}}};
	struct want e[] = {{"name", {0}}, {"message", {0}}, {"stack", {0}}};
	struct want l[] = {{"url", {0}}, {"line", {0}}, {"column", {0}}};
	struct buf message = {0};
	jv rec = jv_object();

	MEMBERS(params, p);
	struct span inner = scan_member(p[0].value, "error");
	struct span thrown = scan_member(p[0].value, "value");
	MEMBERS(inner.at != NULL ? inner : p[0].value, e);
	MEMBERS(p[1].value, l);
	const char *name = words_text(s->words, e[0].value);
	const char *text = words_text(s->words, e[1].value);
	if (text == NULL && thrown.at != NULL)
		text = serialized(s->words, thrown);
	if (name != NULL && *name != '\0' && !begins(text, name))
		buf_format(&message, "%s: ", name);
	buf_text(&message, text != NULL ? text : "");
	rec = jvx_set_text(rec, "message", message.data);
	buf_free(&message);
	jv frames = frames_of_text(words_text(s->words, e[2].value));
	if (jv_array_length(jv_copy(frames)) == 0 && scan_kind(l[0].value) == '"') {
		jv place = set_place(jv_object(), l[0].value, scan_number(l[1].value, 0),
		    scan_number(l[2].value, 0));
		frames = jv_array_append(frames, place);
	}
	if (jv_array_length(jv_copy(frames)) > 0)
		rec = jvx_set(rec, "stack", frames);
	else
		jv_free(frames);
	add(s, c, PAGE_ERROR, time, page, rec);
}

void
add_event(struct segment *s, struct context *c, double time, const char *page, const char *kind,
    const char *member, struct span text)
{
	jv rec = jvx_set_text(jv_object(), "kind", kind);

	if (member != NULL)
		rec = jvx_set(rec, member, jv_of_text(text));
	add(s, c, EVENT, time, page, rec);
}
