#include "template.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "prog.h"

/* The next place of a text: {{NAME}}, blanks allowed inside.  at is where the braces open. */
struct place {
	const char *at, *end, *name;
	size_t name_len;
};

static bool
next_place(const char *text, struct place *p)
{
	for (p->at = strstr(text, "{{"); p->at != NULL; p->at = strstr(p->at + 2, "{{")) {
		const char *close = strstr(p->at, "}}");
		if (close == NULL)
			return false;
		p->name = p->at + 2;
		p->end = close + 2;
		p->name_len = (size_t)(close - p->name);
		while (p->name_len > 0 && *p->name == ' ') {
			p->name++;
			p->name_len--;
		}
		while (p->name_len > 0 && p->name[p->name_len - 1] == ' ')
			p->name_len--;
		if (p->name_len > 0 && memchr(p->name, '{', p->name_len) == NULL)
			return true;
	}
	return false;
}

/* A member, or with a dot that of a member: "env.TOKEN". */
static jv
member(jv values, const char *name, size_t len)
{
	const char *dot = memchr(name, '.', len);
	size_t first = dot ? (size_t)(dot - name) : len;
	char *key = prog_copy(name, first);
	jv value = jvx_get(values, key), inner;
	char *rest;

	if (dot != NULL) {
		rest = prog_copy(dot + 1, len - first - 1);
		inner = jvx_get(value, rest);
		jv_free(value);
		value = inner;
		free(rest);
	}
	free(key);
	return value;
}

static bool
text_check(const char *text, jv values, char **name)
{
	struct place p;

	while (next_place(text, &p)) {
		jv value = member(values, p.name, p.name_len);
		bool known = jv_is_valid(value);
		jv_free(value);
		if (!known) {
			*name = prog_clean(p.name, p.name_len);
			return false;
		}
		text = p.end;
	}
	return true;
}

bool
template_check(jv template, jv values, char **name)
{
	bool good = true;

	switch (jv_get_kind(template)) {
	case JV_KIND_STRING: return text_check(jv_string_value(template), values, name);
	case JV_KIND_ARRAY:
		for (int i = 0; good && i < jv_array_length(jv_copy(template)); i++) {
			jv item = jv_array_get(jv_copy(template), i);
			good = template_check(item, values, name);
			jv_free(item);
		}
		return good;
	case JV_KIND_OBJECT:
		for (int i = jv_object_iter(template); good && jv_object_iter_valid(template, i);
		     i = jv_object_iter_next(template, i)) {
			jv item = jv_object_iter_value(template, i);
			good = template_check(item, values, name);
			jv_free(item);
		}
		return good;
	default: return true;
	}
}

/* As it stands inside a longer text. */
static void
add_plain(struct buf *b, jv value)
{
	if (jv_get_kind(value) == JV_KIND_STRING)
		buf_add(b, jv_string_value(value), jvx_length(value));
	else
		jvx_write(value, b);
}

static void
add_percent(struct buf *b, jv value)
{
	struct buf plain = {0};

	add_plain(&plain, value);
	for (size_t i = 0; i < plain.len; i++) {
		unsigned char c = (unsigned char)plain.data[i];
		if (isalnum(c) || (c != '\0' && strchr("-._~", c) != NULL))
			buf_byte(b, c);
		else
			buf_format(b, "%%%02X", c);
	}
	buf_free(&plain);
}

static void
add_json(struct buf *b, jv value)
{
	jvx_write(value, b);
}

static void
fill(struct buf *b, const char *text, jv values, void (*add)(struct buf *, jv))
{
	struct place p;

	while (next_place(text, &p)) {
		jv value = member(values, p.name, p.name_len);
		buf_add(b, text, (size_t)(p.at - text));
		add(b, value);
		jv_free(value);
		text = p.end;
	}
	buf_text(b, text);
}

static jv
fill_text(jv template, jv values)
{
	const char *text = jv_string_value(template);
	struct buf b = {0};
	struct place p;
	jv made;

	if (next_place(text, &p) && p.at == text && *p.end == '\0') {
		made = member(values, p.name, p.name_len);
	} else {
		fill(&b, text, values, add_plain);
		made = jv_string_sized(b.data ? b.data : "", (int)b.len);
		buf_free(&b);
	}
	jv_free(template);
	return made;
}

static jv
fill_members(jv template, jv values)
{
	jv made = jv_object();

	for (int i = jv_object_iter(template); jv_object_iter_valid(template, i);
	     i = jv_object_iter_next(template, i))
		made = jv_object_set(made, jv_object_iter_key(template, i),
		    template_fill(jv_object_iter_value(template, i), values));
	jv_free(template);
	return made;
}

static jv
fill_items(jv template, jv values)
{
	jv made = jv_array();

	for (int i = 0; i < jv_array_length(jv_copy(template)); i++)
		made = jv_array_append(
		    made, template_fill(jv_array_get(jv_copy(template), i), values));
	jv_free(template);
	return made;
}

jv
template_fill(jv template, jv values)
{
	switch (jv_get_kind(template)) {
	case JV_KIND_STRING: return fill_text(template, values);
	case JV_KIND_OBJECT: return fill_members(template, values);
	case JV_KIND_ARRAY: return fill_items(template, values);
	default: return template;
	}
}

void
template_url(struct buf *b, const char *text, jv values)
{
	fill(b, text, values, add_percent);
}

void
template_json(struct buf *b, const char *text, jv values)
{
	fill(b, text, values, add_json);
}
