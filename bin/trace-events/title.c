/* title: the test's title and place, from the trace's own title or from the error context. */
#include "segment.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "place.h"
#include "prog.h"

/* "cart.spec.ts:12 › Cart › removes an item", the separator U+203A. */
static jv
split_title(const char *title, const char *separator)
{
	jv parts = jv_array();
	size_t len = strlen(separator);

	for (;;) {
		const char *to = strstr(title, separator);
		size_t n = to == NULL ? strlen(title) : (size_t)(to - title);
		parts = jv_array_append(parts, jv_string_sized(title, (int)n));
		if (to == NULL)
			return parts;
		title = to + len;
	}
}

/* "cart.spec.ts:12" or "cart.spec.ts:12:5" to file and line. */
static bool
file_and_line(const char *text, char **file, double *line)
{
	const char *end = text + strlen(text);
	double numbers[2] = {0, 0};
	int n = 0;

	while (n < 2) {
		const char *p = end;
		while (p > text && isdigit((unsigned char)p[-1]))
			p--;
		if (p == end || p <= text + 1 || p[-1] != ':' || end - p > 9)
			break;
		numbers[n++] = strtod(p, NULL);
		end = p - 1;
	}
	if (n == 0)
		return false;
	*file = prog_copy(text, (size_t)(end - text));
	*line = numbers[n - 1];
	return true;
}

/* The name of the test's file as stacks have it: the title knows only its end. */
static const char *
whole_name(struct segment *s, const char *tail)
{
	const char *found = NULL;

	for (size_t i = 0; i < s->actions.count && found == NULL; i++) {
		struct action *a = s->actions.at[i];
		if (a->stack.at == NULL)
			continue;
		jv frames = frames_of_json(s->words, a->stack);
		int count = jv_array_length(jv_copy(frames));
		for (int j = 0; j < count && found == NULL; j++) {
			jv f = jv_array_get(jv_copy(frames), j);
			const char *file = jvx_text(f, "file");
			if (file != NULL && place_same_file(file, tail))
				found = words_keep(s->words, file, strlen(file));
			jv_free(f);
		}
		jv_free(frames);
	}
	return found != NULL ? found : tail;
}

static jv
set_titles(jv rec, struct segment *s, jv parts, const char *location)
{
	char *file = NULL;
	double line = NAN;

	if (location != NULL && file_and_line(location, &file, &line)) {
		rec = jvx_set_text(rec, "file", whole_name(s, file));
		rec = jvx_set_number(rec, "line", line);
		free(file);
	}
	int count = jv_array_length(jv_copy(parts));
	if (count > 0)
		rec = jvx_set(rec, "title", jv_array_get(jv_copy(parts), count - 1));
	return jvx_set(rec, "titles", parts);
}

static jv
without_first(jv parts)
{
	return jv_array_slice(parts, 1, jv_array_length(jv_copy(parts)));
}

/* A line "- Name: …" of the error context. */
static const char *
context_line(struct segment *s, const char *label)
{
	const char *at = s->error_context == NULL ? NULL : strstr(s->error_context, label);

	if (at == NULL)
		return NULL;
	at += strlen(label);
	return words_keep(s->words, at, strcspn(at, "\r\n"));
}

/*
 * The trace's title joins its parts by " › ", the error context by " >> ".  A title can hold either
 * of them, so where both are there the one of fewer parts is right.
 */
jv
set_title(jv rec, struct segment *s)
{
	const char *title = NULL, *name = context_line(s, "\n- Name: ");
	jv parts = jv_array(), others;

	for (size_t i = 0; title == NULL && i < s->contexts.count; i++)
		if (s->contexts.at[i]->title != NULL && *s->contexts.at[i]->title != '\0')
			title = s->contexts.at[i]->title;
	if (title != NULL) {
		jv_free(parts);
		parts = split_title(title, " \xe2\x80\xba ");
	}
	int count = jv_array_length(jv_copy(parts));
	if (name != NULL) {
		others = split_title(name, " >> ");
		int n = jv_array_length(jv_copy(others));
		if (n > 1 && (count == 0 || n < count)) {
			jv_free(parts);
			return set_titles(
			    rec, s, without_first(others), context_line(s, "\n- Location: "));
		}
		jv_free(others);
	}
	if (count == 0) {
		jv_free(parts);
		return rec;
	}
	jv first = jv_array_get(jv_copy(parts), 0);
	char *file = NULL;
	double line;
	if (count > 1 && file_and_line(jv_string_value(first), &file, &line))
		rec = set_titles(rec, s, without_first(parts), jv_string_value(first));
	else
		rec = set_titles(rec, s, parts, NULL);
	free(file);
	jv_free(first);
	return rec;
}
