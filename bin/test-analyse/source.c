#include "source.h"

#include <stdlib.h>
#include <string.h>

#include "git.h"
#include "jvx.h"
#include "place.h"
#include "prog.h"
#include "utf8.h"

enum { LIST_MAX = 64 << 20, FILE_MAX = 4 << 20, LINES_MAX = 200, TEXT_MAX = 6000 };

struct checkout {
	struct git_files *files;
	struct buf names; /* zero bytes between */
};

struct checkout *
checkout_open(const char *folder)
{
	char *args[] = {"ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD", NULL};
	struct checkout *c = prog_alloc(1, sizeof *c);

	c->files = git_files_open(folder);
	if (git_ask(folder, args, &c->names, LIST_MAX))
		return c;
	checkout_close(c);
	return NULL;
}

void
checkout_close(struct checkout *c)
{
	if (c == NULL)
		return;
	git_files_close(c->files);
	buf_free(&c->names);
	free(c);
}

/* The one file of that name; where several fit the shortest is nearest to the top. */
static const char *
find(const struct checkout *c, const char *file)
{
	const char *best = NULL, *end = c->names.data + c->names.len;

	for (const char *p = c->names.data; p != NULL && p < end; p += strlen(p) + 1) {
		if (strlen(p) < strlen(file) || !place_same_file(p, file))
			continue;
		if (best == NULL || strlen(p) < strlen(best))
			best = p;
	}
	return best;
}

/* To the line where the brackets that the first line opens are closed; quotes are respected. */
static size_t
body(const char *p, size_t len)
{
	long depth = 0, lines = 0;
	char quote = 0;
	bool opened = false;

	for (size_t i = 0; i < len; i++) {
		char c = p[i];
		if (c == '\n') {
			quote = quote == '`' ? quote : 0;
			if (++lines == LINES_MAX || (opened && depth <= 0))
				return i + 1;
		} else if (quote != 0) {
			if (c == '\\' && i + 1 < len)
				i++;
			else if (c == quote)
				quote = 0;
		} else if (c == '\'' || c == '"' || c == '`') {
			quote = c;
		} else if (c == '/' && i + 1 < len && p[i + 1] == '/') {
			while (i + 1 < len && p[i + 1] != '\n')
				i++;
		} else if (strchr("([{", c) != NULL) {
			depth++;
			opened = true;
		} else if (strchr(")]}", c) != NULL) {
			depth--;
		}
	}
	return len;
}

static jv
excerpt(const char *path, long line, const char *text, size_t len)
{
	struct buf b = {0};
	size_t keep = len > TEXT_MAX ? utf8_floor(text, len, TEXT_MAX) : len;
	jv v = jvx_set_text(jv_object(), "file", path);

	utf8_mend(&b, text, keep);
	v = jvx_set_number(v, "first", (double)line);
	v = jvx_set(v, "text", jv_string_sized(b.data == NULL ? "" : b.data, (int)b.len));
	if (len > keep)
		v = jvx_set_number(
		    v, "truncated_chars", (double)utf8_count(text + keep, len - keep));
	buf_free(&b);
	return v;
}

jv
source_of_test(const struct checkout *c, const char *file, long line)
{
	struct buf text = {0};
	const char *path = find(c, file);
	jv found = jv_invalid();

	if (path == NULL || line < 1)
		return found;
	if (git_files_read(c->files, path, &text, FILE_MAX)) {
		const char *p = text.data, *end = p == NULL ? NULL : p + text.len;
		for (long n = 1; p != NULL && n < line; n++) {
			p = memchr(p, '\n', (size_t)(end - p));
			p = p == NULL ? NULL : p + 1;
		}
		if (p != NULL && p < end)
			found = excerpt(path, line, p, body(p, (size_t)(end - p)));
	}
	buf_free(&text);
	return found;
}
