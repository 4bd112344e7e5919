#include "table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "prog.h"
#include "utf8.h"

enum { COLUMNS = 6 };

/* Text from a trace, for a terminal: no control bytes, in at most so many bytes. */
static char *
shown(const char *text, size_t most)
{
	size_t len = text == NULL ? 0 : strlen(text);

	return prog_clean(text == NULL ? "" : text, utf8_floor(text ? text : "", len, most));
}

static char *
label(jv rec)
{
	const char *name = jvx_text(rec, "operation");
	struct buf b = {0};

	if (name != NULL)
		return shown(name, 48);
	jv fields = jvx_get(rec, "fields");
	if (jv_get_kind(fields) == JV_KIND_ARRAY) {
		jv_array_foreach (fields, i, field) {
			buf_format(&b, "%s%s", i > 0 ? " " : "{", jv_string_value(field));
			jv_free(field);
		}
	}
	jv_free(fields);
	if (b.len == 0)
		return shown("(unnamed)", 48);
	buf_byte(&b, '}');
	char *text = shown(b.data, 48);
	buf_free(&b);
	return text;
}

static char *
said(jv rec)
{
	struct buf b = {0};
	jv errors = jvx_get(rec, "errors");
	int count = jv_get_kind(errors) == JV_KIND_ARRAY ? jv_array_length(jv_copy(errors)) : 0;

	if (count > 0) {
		jv first = jv_array_get(jv_copy(errors), 0);
		const char *code = jvx_text(first, "code"), *message = jvx_text(first, "message");
		buf_format(&b, "%s%s%s: %s", jvx_text(first, "category"), code ? " " : "",
		    code ? code : "", message ? message : "(no message)");
		jv_free(first);
	} else if (jvx_text(rec, "why") != NULL) {
		buf_text(&b, jvx_text(rec, "why"));
	}
	jv_free(errors);
	if (count > 1)
		buf_format(&b, " (and %d more)", count - 1);
	if (jvx_true(rec, "expected"))
		buf_text(&b, " (the test expects it)");
	if (jvx_text(rec, "recovered") != NULL)
		buf_format(&b, " (then answered)");
	char *text = shown(b.data, 160);
	buf_free(&b);
	return text;
}

static char *
number(double n)
{
	struct buf b = {0};

	if (n > 0)
		buf_format(&b, "%.0f", n);
	else
		buf_text(&b, "-");
	return b.data;
}

static void
row(char *cell[COLUMNS], const size_t width[COLUMNS], FILE *out)
{
	for (int c = 0; c < COLUMNS; c++) {
		size_t used = utf8_count(cell[c], strlen(cell[c]));
		fputs(cell[c], out);
		/* No blanks at the end of a line. */
		bool more = false;
		for (int k = c + 1; k < COLUMNS; k++)
			more = more || *cell[k] != '\0';
		if (!more)
			break;
		fprintf(out, "%*s", (int)(width[c] > used ? width[c] - used : 0) + 2, "");
	}
	putc('\n', out);
}

static void
verdict_line(jv rec, FILE *out)
{
	const char *verdict = jvx_text(rec, "verdict");
	bool good = strcmp(verdict, "HEALTHY") == 0, unknown = strcmp(verdict, "UNKNOWN") == 0;
	bool colour = prog_colour(out);

	fprintf(out, "%s%s %s%s\n",
	    !colour   ? ""
	    : good    ? "\033[32m"
	    : unknown ? "\033[33m"
		      : "\033[31m",
	    good      ? "✓"
	    : unknown ? "?"
		      : "✗",
	    verdict, colour ? "\033[0m" : "");
}

void
table_print(jv records, const char *name, FILE *out)
{
	static const char *const head[COLUMNS] = {
	    "OPERATION", "KIND", "HTTP", "BY", "OUTCOME", "ANSWER"};
	int count = jv_array_length(jv_copy(records)), lines = count > 0 ? count : 1;
	char *(*cell)[COLUMNS] = prog_alloc((size_t)lines, sizeof *cell);
	size_t width[COLUMNS] = {0};

	if (name != NULL) {
		char *clean = shown(name, 200);
		fprintf(out, "%s\n", clean);
		free(clean);
	}
	if (count == 0) {
		fputs("no GraphQL\n", out);
		free(cell);
		return;
	}
	for (int c = 0; c < COLUMNS; c++)
		cell[0][c] = prog_copy(head[c], strlen(head[c]));
	for (int i = 0; i + 1 < count; i++) {
		jv rec = jv_array_get(jv_copy(records), i);
		char **line = cell[i + 1];
		const char *by = jvx_text(rec, "mocked");
		line[0] = label(rec);
		line[1] = shown(jvx_text(rec, "kind") ? jvx_text(rec, "kind") : "-", 20);
		line[2] = number(jvx_number(rec, "status", 0));
		line[3] = shown(by == NULL || strcmp(by, "continued") == 0 ? "server"
				: strcmp(by, "fulfilled") == 0             ? "mock"
									   : by,
		    20);
		line[4] = shown(jvx_text(rec, "outcome"), 20);
		line[5] = said(rec);
		jv_free(rec);
	}
	for (int i = 0; i < lines; i++)
		for (int c = 0; c < COLUMNS; c++) {
			size_t used = utf8_count(cell[i][c], strlen(cell[i][c]));
			width[c] = used > width[c] ? used : width[c];
		}
	for (int i = 0; i < lines; i++) {
		row(cell[i], width, out);
		if (i > 0) {
			jv rec = jv_array_get(jv_copy(records), i - 1);
			char *hint = shown(jvx_text(rec, "mock_hint"), 300);
			if (*hint != '\0')
				fprintf(out, "  hint: %s\n", hint);
			free(hint);
			jv_free(rec);
		}
		for (int c = 0; c < COLUMNS; c++)
			free(cell[i][c]);
	}
	free(cell);
	jv verdict = jv_array_get(jv_copy(records), count - 1);
	verdict_line(verdict, out);
	jv_free(verdict);
}
