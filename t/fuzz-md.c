/*
 * md on any text: what is read of it by the rules of CommonMark (code spans, backslashes, fences)
 * is text and code, and nothing else; nothing hides, and no line commands a CI runner.
 */
#define _GNU_SOURCE /* memmem */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "md.h"
#include "utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool good)
{
	if (!good)
		abort();
}

static bool
has(const struct buf *b, const char *what)
{
	return b->len > 0 && memmem(b->data, b->len, what, strlen(what)) != NULL;
}

static void
nothing_hides(const struct buf *b)
{
	size_t used;

	must(utf8_valid(b->data ? b->data : "", b->len) == b->len);
	for (size_t i = 0; i < b->len; i += used) {
		int32_t c = utf8_decode(b->data + i, b->len - i, &used);
		must(c == '\n' || c == '\t' || c >= ' ');
		must(!(c >= 0x7f && c <= 0x9f) && !(c >= 0x200b && c <= 0x200f));
		must(!(c >= 0x2028 && c <= 0x202e) && !(c >= 0x2060 && c <= 0x206f));
		must((c < 0xe0000 || c > 0xe0fff) && c != 0xfeff && c != 0xad);
	}
	must(!has(b, "##[") && !has(b, "##vso["));
}

static size_t
run_of(const char *p, char c)
{
	size_t n = 0;

	while (p[n] == c)
		n++;
	return n;
}

/* The end of the code span that begins at p; NULL: none does, and the ticks are text. */
static const char *
span_end(const char *p)
{
	size_t ticks = run_of(p, '`');

	for (p += ticks; *p != '\0';) {
		size_t run = run_of(p, '`');
		if (run == ticks)
			return p + run;
		p += run > 0 ? run : 1;
	}
	return NULL;
}

/* A word outside of code that GitHub makes something of. */
static void
means_itself(const char *p)
{
	must(strchr("<[*`|~@$", *p) == NULL);
	must(strncmp(p, "://", 3) != 0 && strncasecmp(p, "www.", 4) != 0);
	must(!(p[0] == '#' && isalnum((unsigned char)p[1])));
	must(!(p[0] == '&' && (isalnum((unsigned char)p[1]) || p[1] == '#')));
}

static void
inline_text(const struct buf *b)
{
	const char *p = b->data ? b->data : "";
	size_t digits = strspn(p, "0123456789");

	must(!has(b, "\n"));
	must(*p == '\0' || strchr("#>+-=:", *p) == NULL);
	must(digits == 0 || (p[digits] != '.' && p[digits] != ')'));
	while (*p != '\0') {
		if (*p == '\\' && ispunct((unsigned char)p[1])) {
			p += 2;
		} else if (*p == '`') {
			p = span_end(p);
			must(p != NULL);
		} else {
			means_itself(p++);
		}
	}
}

/* One fenced block and an empty line: the fence is closed at its end and nowhere before. */
static void
block(const struct buf *b, const char *language)
{
	const char *end = b->data + b->len, *p = memchr(b->data, '\n', b->len);
	size_t ticks = run_of(b->data, '`');

	must(ticks >= 3 && strncmp(b->data + ticks, language, strlen(language)) == 0);
	for (p++; p < end;) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		const char *text = p + strspn(p, " \t");
		must(eol != NULL && strncmp(text, "::", 2) != 0);
		if (run_of(text, '`') >= ticks) {
			must(text == p && eol == p + ticks && end == eol + 2 && eol[1] == '\n');
			return;
		}
		p = eol + 1;
	}
	must(false);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct md text = {0}, code = {0}, diff = {0}, frame = {0}, line = {0};
	char *copy = malloc(size + 1);

	if (copy == NULL)
		return 0;
	memcpy(copy, data, size);
	copy[size] = '\0';
	md_text(&text, copy);
	inline_text(&text.b);
	md_code(&code, copy);
	inline_text(&code.b);
	must(code.b.len == 0 || span_end(code.b.data) == code.b.data + code.b.len);
	md_diff(&diff, copy);
	block(&diff.b, "diff\n");
	md_block(&frame, "page", copy, size, "");
	block(&frame.b, "text\n");
	md_line(&line, copy, 100);
	must(!has(&line.b, "\n") && line.b.len <= 103);

	struct md *all[] = {&text, &code, &diff, &frame, &line};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		nothing_hides(&all[i]->b);
		buf_free(&all[i]->b);
	}
	free(copy);
	return 0;
}
