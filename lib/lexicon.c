#include "lexicon.h"

#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "jvx.h"
#include "prog.h"
#include "yamlx.h"

jv
lexicon_read(const char *name)
{
	char *path = prog_data(name);

	if (path == NULL)
		errx(TROUBLE, "%s is not installed", name);
	jv lexicon = yamlx_file(path);
	if (jv_get_kind(lexicon) != JV_KIND_OBJECT)
		errx(TROUBLE, "%s: no headings", path);
	free(path);
	return lexicon;
}

/* The next row of a block: its lines without their breaks and indentation; '#' begins a comment. */
static bool
next_row(const char **block, struct buf *row)
{
	buf_clear(row);
	while (**block != '\0' && (row->len == 0 || **block == ' ')) {
		*block += strspn(*block, " ");
		size_t len = strcspn(*block, "\n");
		buf_add(row, *block, **block == '#' ? 0 : len);
		*block += len + ((*block)[len] == '\n');
	}
	return row->len > 0;
}

static void expand(jv words, const char *row, size_t len, struct buf *b);

/* What stands between '<' and '>': how many words, or one of which. */
static void
expand_name(jv words, const char *name, size_t len, struct buf *b)
{
	char key[32];

	if (len == 1 && *name == '?') {
		buf_text(b, "(?:[a-z]+ )?");
		return;
	}
	if (len == 3 && name[1] == '-') {
		buf_format(b, "(?:[a-z]+ ){%c,%c}?", name[0], name[2]);
		return;
	}
	snprintf(key, sizeof key, "%.*s", (int)len, name);
	const char *block = jvx_text(words, key);
	struct buf row = {0};
	if (block == NULL || !next_row(&block, &row))
		errx(TROUBLE, "lexicon: <%s> is not among the words", key);
	buf_text(b, "(?:");
	expand(words, row.data, row.len, b);
	buf_byte(b, ')');
	buf_free(&row);
}

static void
expand(jv words, const char *row, size_t len, struct buf *b)
{
	bool class = false;

	for (size_t i = 0; i < len; i++) {
		const char *close = memchr(row + i, '>', len - i);
		if (row[i] == '\\' && i + 1 < len) {
			buf_add(b, row + i++, 2);
		} else if (!class && row[i] == '(' && row[i + 1] == '?') {
			buf_add(b, row + i, 3); /* the '<' of "(?<!" too */
			i += 2;
		} else if (!class && row[i] == '(') {
			buf_text(b, "(?:");
		} else if (!class && row[i] == '<' && close != NULL) {
			expand_name(words, row + i + 1, (size_t)(close - (row + i + 1)), b);
			i = (size_t)(close - row);
		} else {
			size_t plain = strcspn(row + i + 1, "\\([<]");
			class = row[i] == '[' || (class && row[i] != ']');
			plain = plain < len - i ? plain : len - i - 1;
			buf_add(b, row + i, 1 + plain);
			i += plain;
		}
	}
}

char **
lexicon_rows(jv lexicon, const char *heading, size_t *count)
{
	const char *block = jvx_text(lexicon, heading);
	jv words = jvx_get(lexicon, "words");
	struct buf row = {0};
	char **rows = NULL;

	if (block == NULL)
		errx(TROUBLE, "lexicon: no rows under \"%s\"", heading);
	for (*count = 0; next_row(&block, &row);) {
		struct buf b = {0};
		bool before = row.data[0] != '~', behind = row.data[row.len - 1] != '~';
		buf_text(&b, before ? "\\b" : "");
		expand(words, row.data + !before, row.len - !before - !behind, &b);
		buf_text(&b, behind ? "\\b" : "");
		rows = prog_resize(rows, *count + 1, sizeof *rows);
		rows[(*count)++] = b.data;
	}
	buf_free(&row);
	jv_free(words);
	return rows;
}
