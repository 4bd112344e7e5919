/* stack: frames, from JSON of any version and from the text that JavaScript engines print. */
#include "segment.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES_MOST = 50 };

static jv
frame(const char *file, size_t len, double line, double column)
{
	/* Playwright itself keeps what V8 prints before a frame without a name. */
	if (len > 6 && strncmp(file, "async ", 6) == 0) {
		file += 6;
		len -= 6;
	}
	jv f = jv_object_set(jv_object(), jv_string("file"), jv_string_sized(file, (int)len));

	if (line > 0)
		f = jvx_set_number(f, "line", line);
	if (column > 0)
		f = jvx_set_number(f, "column", column);
	return f;
}

/* "file:line:column" or "file:line", from p to end; false: no such place. */
static bool
place(const char *p, const char *end, size_t *file, double *line, double *column)
{
	double numbers[2] = {0, 0};
	int found = 0;

	while (found < 2) {
		const char *digits = end;
		while (digits > p && isdigit((unsigned char)digits[-1]))
			digits--;
		if (digits == end || digits == p || digits[-1] != ':' || end - digits > 9)
			break;
		numbers[found++] = strtod(digits, NULL);
		end = digits - 1;
	}
	if (found == 0 || end == p)
		return false;
	*file = (size_t)(end - p);
	*line = numbers[found - 1];
	*column = found == 2 ? numbers[0] : 0;
	return true;
}

/* V8: "    at name (place)", "    at place"; SpiderMonkey and JavaScriptCore: "name@place". */
static jv
frame_of_line(const char *p, const char *end)
{
	const char *name = NULL, *name_end = NULL;
	size_t file;
	double line, column;

	while (p < end && *p == ' ')
		p++;
	if (end - p > 3 && strncmp(p, "at ", 3) == 0) {
		p += 3;
		if (end[-1] == ')') {
			const char *open = end;
			while (open > p && *open != '(')
				open--;
			if (open == p)
				return jv_invalid();
			name = p;
			name_end = open > p && open[-1] == ' ' ? open - 1 : open;
			p = open + 1;
			end--;
		}
	} else {
		const char *at = memchr(p, '@', (size_t)(end - p));
		if (at == NULL)
			return jv_invalid();
		name = p;
		name_end = at;
		p = at + 1;
	}
	if (!place(p, end, &file, &line, &column))
		return jv_invalid();
	jv f = frame(p, file, line, column);
	if (name != NULL && name_end > name)
		f = jv_object_set(
		    f, jv_string("function"), jv_string_sized(name, (int)(name_end - name)));
	return f;
}

jv
frames_of_text(const char *text)
{
	jv frames = jv_array();
	int count = 0;

	while (text != NULL && *text != '\0' && count < FRAMES_MOST) {
		size_t len = strcspn(text, "\n");
		if (len > 0) {
			jv f = frame_of_line(text, text + len);
			if (jv_is_valid(f)) {
				frames = jv_array_append(frames, f);
				count++;
			} else {
				jv_free(f);
			}
		}
		text += len + (text[len] == '\n');
	}
	return frames;
}

jv
frames_of_json(struct words *w, struct span stack)
{
	struct scan_each it = {0};
	jv frames = jv_array();
	int count = 0;

	while (scan_kind(stack) == '[' && count < FRAMES_MOST && scan_each(&it, stack)) {
		struct want m[] = {
		    {"file", {0}}, {"line", {0}}, {"column", {0}}, {"function", {0}}};
		MEMBERS(it.value, m);
		const char *file = words_text(w, m[0].value);
		if (file == NULL || *file == '\0')
			continue;
		jv f = frame(
		    file, strlen(file), scan_number(m[1].value, 0), scan_number(m[2].value, 0));
		frames =
		    jv_array_append(frames, jvx_set_text(f, "function", words_text(w, m[3].value)));
		count++;
	}
	return frames;
}

/*
 * Frames of test runners and bindings are nobody's test: pytest and the clients of other languages
 * leave theirs at the top of each stack.
 */
static bool
is_library(const char *file)
{
	static const char *const parts[] = {"node_modules", "site-packages", "dist-packages",
	    "_pytest", "pytest_playwright", "com/microsoft/playwright", "Microsoft.Playwright",
	    "node:internal", "<frozen ", "pluggy", "greenlet", "importlib", "org/junit",
	    "java/lang", "jdk/internal", "java/util"};

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const char *at = file;
		size_t len = strlen(parts[i]);
		for (; *at != '\0'; at++) {
			size_t j = 0;
			while (j < len &&
			       (at[j] == parts[i][j] || (at[j] == '\\' && parts[i][j] == '/')))
				j++;
			if (j == len)
				return true;
		}
	}
	return strncmp(file, "project#", 8) == 0;
}

jv
frame_of_user(jv frames)
{
	int count = jv_array_length(jv_copy(frames));

	for (int i = 0; i < count; i++) {
		jv f = jv_array_get(jv_copy(frames), i);
		const char *file = jvx_text(f, "file");
		if (file != NULL && !is_library(file))
			return f;
		jv_free(f);
	}
	return count > 0 ? jv_array_get(jv_copy(frames), 0) : jv_invalid();
}

/*
 * A .stacks document: {"files":[...],"stacks":[[id,[[file,line,column,function],...]],...]}, id a
 * number N for call@N up to format 9.  A stack inside the record wins.
 */
void
stacks_give(struct segment *s, struct context *c)
{
	struct want m[] = {{"files", {0}}, {"stacks", {0}}};
	LIST(struct span) files = {0};
	struct scan_each it = {0};
	struct buf b = {0};

	MEMBERS(c->stacks, m);
	while (scan_kind(m[0].value) == '[' && scan_each(&it, m[0].value))
		*LIST_ADD(files) = it.value;
	it = (struct scan_each){0};
	while (scan_kind(m[1].value) == '[' && scan_each(&it, m[1].value)) {
		struct scan_each entry = {0}, each = {0};
		if (!scan_each(&entry, it.value))
			continue;
		buf_clear(&b);
		const char *id = words_text(s->words, entry.value);
		if (id == NULL) {
			buf_format(&b, "call@%.0f", scan_number(entry.value, -1));
			id = words_keep(s->words, b.data, b.len);
		}
		struct action *a = pairs_get(s->ids, c, id);
		if (a == NULL || a->stack.at != NULL || !scan_each(&entry, it.value))
			continue;
		buf_clear(&b);
		buf_byte(&b, '[');
		while (scan_kind(entry.value) == '[' && scan_each(&each, entry.value)) {
			struct scan_each part = {0};
			struct span parts[4] = {{0}};
			for (int i = 0; i < 4 && scan_each(&part, each.value); i++)
				parts[i] = part.value;
			double file = scan_number(parts[0], -1);
			if (!(file >= 0 && file < (double)files.count) ||
			    scan_kind(files.at[(size_t)file]) != '"')
				continue;
			buf_text(&b, b.len > 1 ? ",{\"file\":" : "{\"file\":");
			buf_add(&b, files.at[(size_t)file].at, files.at[(size_t)file].len);
			buf_format(&b, ",\"line\":%.0f,\"column\":%.0f", scan_number(parts[1], 0),
			    scan_number(parts[2], 0));
			if (scan_kind(parts[3]) == '"') {
				buf_text(&b, ",\"function\":");
				buf_add(&b, parts[3].at, parts[3].len);
			}
			buf_byte(&b, '}');
		}
		buf_byte(&b, ']');
		if (b.len > 2)
			a->stack = words_bytes(s->words, b.data, b.len);
	}
	buf_free(&b);
	free(files.at);
}
