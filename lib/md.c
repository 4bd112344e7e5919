#include "md.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "frame.h"
#include "show.h"
#include "utf8.h"

#define BOLD "\033[1m"
#define RED "\033[31m"
#define GREEN "\033[32m"
#define PLAIN "\033[0m"

void
md_own(struct md *m, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	buf_vformat(&m->b, format, args);
	va_end(args);
}

/* Runners look for "##[" and "##vso[" anywhere in a line of a log. */
static void
add_unarmed(struct buf *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		bool armed = i + 2 < len && text[i] == '#' && text[i + 1] == '#' &&
			     (text[i + 2] == '[' || strncmp(text + i + 2, "vso[", 4) == 0);
		buf_byte(out, text[i]);
		if (armed) {
			buf_text(out, "<U+0023>");
			i++;
		}
	}
}

/* The text as one line that can be seen whole; yours to buf_free(). */
static struct buf
one_line(const char *text)
{
	struct show s = {.form = SHOW_QUOTED};
	struct buf flat = {0}, shown = {0}, line = {0};

	for (const char *p = text; *p != '\0'; p++)
		buf_byte(&flat, *p == '\n' || *p == '\t' || *p == '\r' ? ' ' : *p);
	show_text(&s, flat.data ? flat.data : "", flat.len, &shown);
	show_end(&s, &shown);
	if (shown.len > 3) /* less the quote before it and the line feed after it */
		add_unarmed(&line, shown.data + 2, shown.len - 3);
	else
		buf_text(&line, "");
	buf_free(&flat);
	buf_free(&shown);
	return line;
}

static size_t
longest_run(const char *text, size_t len, char c)
{
	size_t run = 0, longest = 0;

	for (size_t i = 0; i < len; i++) {
		run = text[i] == c ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	return longest;
}

static void
repeat(struct buf *b, char c, size_t n)
{
	while (n-- > 0)
		buf_byte(b, c);
}

/* A code span of text that is shown already. */
static void
span(struct md *m, const char *text, size_t len)
{
	size_t ticks = longest_run(text, len, '`') + 1;
	bool pad;

	while (len > 0 && text[0] == ' ')
		text++, len--;
	while (len > 0 && text[len - 1] == ' ')
		len--;
	if (len == 0)
		return;
	if (m->b.len > 0 && m->b.data[m->b.len - 1] == '`')
		buf_byte(&m->b, ' ');
	pad = text[0] == '`' || text[len - 1] == '`';
	repeat(&m->b, '`', ticks);
	repeat(&m->b, ' ', pad);
	buf_add(&m->b, text, len);
	repeat(&m->b, ' ', pad);
	repeat(&m->b, '`', ticks);
}

void
md_code(struct md *m, const char *text)
{
	struct buf line = one_line(text);

	span(m, line.data, line.len);
	buf_free(&line);
}

static bool
holds(const char *text, size_t len, const char *what)
{
	size_t n = strlen(what);

	for (size_t i = 0; i + n <= len; i++)
		if (strncasecmp(text + i, what, n) == 0)
			return true;
	return false;
}

/* Words that a renderer makes something of, though no Markdown is in them: addresses, mentions,
 * issues, emoji, formulas. */
static bool
means_more(const char *word, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char next = i + 1 < len ? (unsigned char)word[i + 1] : ' ';
		if (word[i] == '@' || word[i] == '$' || (word[i] == '#' && isalnum(next)) ||
		    (word[i] == ':' && (isalnum(next) || strchr("+-_", next) != NULL)))
			return true;
	}
	return holds(word, len, "::") || holds(word, len, "://") || holds(word, len, "www.") ||
	       holds(word, len, "GH-");
}

static bool
inside_word(const char *word, size_t len, size_t i)
{
	return i > 0 && i + 1 < len && isalnum((unsigned char)word[i - 1]) &&
	       isalnum((unsigned char)word[i + 1]);
}

static void
escaped(struct md *m, const char *word, size_t len, bool starts)
{
	size_t digits = 0;

	while (digits < len && isdigit((unsigned char)word[digits]))
		digits++;
	for (size_t i = 0; i < len; i++) {
		char c = word[i];
		bool escape = strchr("\\`*[<~|", c) != NULL && c != '\0';
		escape = escape || (c == '_' && !inside_word(word, len, i));
		escape = escape || (c == '&' && i + 1 < len &&
				       (isalnum((unsigned char)word[i + 1]) || word[i + 1] == '#'));
		escape = escape || (starts && i == 0 && strchr("#>+-=:", c) != NULL);
		escape = escape || (starts && digits > 0 && i == digits && (c == '.' || c == ')'));
		if (escape)
			buf_byte(&m->b, '\\');
		buf_byte(&m->b, c);
	}
}

static void
say_word(struct md *m, const char *word, size_t len, bool starts)
{
	size_t from = 0, to = len;

	if (!means_more(word, len)) {
		escaped(m, word, len, starts);
		return;
	}
	while (from < to && strchr("(\"'", word[from]) != NULL)
		from++;
	while (to > from && strchr(".,;)\"'", word[to - 1]) != NULL)
		to--;
	escaped(m, word, from, starts);
	span(m, word + from, to - from);
	escaped(m, word + to, len - to, false);
}

/* The length of the code span that starts at text, 0 when none does; its ticks in *ticks. */
static size_t
span_at(const char *text, size_t *ticks)
{
	size_t n = strspn(text, "`"), run;

	for (const char *p = text + n; *p != '\0'; p += run) {
		p += strcspn(p, "`");
		run = strspn(p, "`");
		if (run == n && run > 0) {
			*ticks = n;
			return (size_t)(p + run - text);
		}
	}
	return 0;
}

void
md_text(struct md *m, const char *text)
{
	struct buf line = one_line(text);

	/* Until something was written, a block can begin: an empty span writes nothing. */
	size_t before = m->b.len;
	for (size_t i = strspn(line.data, " "); i < line.len;) {
		size_t ticks = 0, len = line.data[i] == '`' ? span_at(line.data + i, &ticks) : 0;
		if (len != 0) {
			size_t was = m->b.len;
			span(m, line.data + i + ticks, len - 2 * ticks);
			if (m->b.len == was && was > before) /* it parts two words all the same */
				buf_byte(&m->b, ' ');
			i += len;
			continue;
		}
		if (line.data[i] == ' ') {
			if (m->b.len > before)
				buf_byte(&m->b, ' ');
			i++;
			continue;
		}
		len = strcspn(line.data + i, " `");
		if (len == 0)
			len = strspn(line.data + i, "`");
		say_word(m, line.data + i, len, m->b.len == before);
		i += len;
	}
	buf_free(&line);
}

void
md_heading(struct md *m, int level, const char *own)
{
	buf_text(&m->b, m->colour ? BOLD : "");
	repeat(&m->b, '#', (size_t)level);
	buf_format(&m->b, " %s%s\n\n", own, m->colour ? PLAIN : "");
}

void
md_title(struct md *m, const char *text)
{
	buf_format(&m->b, "%s# ", m->colour ? BOLD : "");
	md_text(m, text);
	buf_format(&m->b, "%s\n\n", m->colour ? PLAIN : "");
}

/* A runner trims a line before it looks whether it begins with "::". */
static void
diff_line(struct md *m, const char *line, size_t len)
{
	const char *colour = line[0] == '-' ? RED : line[0] == '+' ? GREEN : "";
	size_t blank = 0;

	if (m->colour)
		buf_text(&m->b, colour);
	while (blank < len && (line[blank] == ' ' || line[blank] == '\t'))
		blank++;
	if (len > 0 && strchr("+- @", line[0]) == NULL)
		buf_byte(&m->b, ' ');
	buf_add(&m->b, line, blank);
	if (blank + 1 < len && line[blank] == ':' && line[blank + 1] == ':') {
		buf_text(&m->b, "<U+003A>");
		blank++;
	}
	add_unarmed(&m->b, line + blank, len - blank);
	buf_format(&m->b, "%s\n", m->colour && *colour != '\0' ? PLAIN : "");
}

void
md_diff(struct md *m, const char *text)
{
	struct show s = {.form = SHOW_QUOTED};
	struct buf shown = {0};

	show_text(&s, text, strlen(text), &shown);
	show_end(&s, &shown);
	size_t ticks = longest_run(shown.data, shown.len, '`') + 1;
	ticks = ticks < 3 ? 3 : ticks;
	repeat(&m->b, '`', ticks);
	buf_text(&m->b, "diff\n");
	for (const char *p = shown.data, *end = p + shown.len; p < end;) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		diff_line(m, p + 2, (size_t)(eol - p) - 2);
		p = eol + 1;
	}
	repeat(&m->b, '`', ticks);
	buf_text(&m->b, "\n\n");
	buf_free(&shown);
}

void
md_block(struct md *m, const char *label, const char *text, size_t len, const char *indent)
{
	struct show s = {.form = SHOW_QUOTED};
	struct buf shown = {0}, whole = {0};

	show_text(&s, text, len, &shown);
	show_end(&s, &shown);
	struct frame f = frame_of(label, &s, text, len);
	frame_begin(&f, &whole);
	add_unarmed(&whole, shown.data, shown.len);
	frame_end(&f, &whole);

	size_t ticks = longest_run(whole.data, whole.len, '`') + 1;
	ticks = ticks < 4 ? 4 : ticks;
	buf_text(&m->b, indent);
	repeat(&m->b, '`', ticks);
	buf_text(&m->b, "text\n");
	for (const char *p = whole.data, *end = p + whole.len; p < end;) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		buf_text(&m->b, indent);
		buf_add(&m->b, p, (size_t)(eol + 1 - p));
		p = eol + 1;
	}
	buf_text(&m->b, indent);
	repeat(&m->b, '`', ticks);
	buf_text(&m->b, "\n\n");
	buf_free(&shown);
	buf_free(&whole);
}

void
md_line(struct md *m, const char *text, size_t most)
{
	struct buf line = one_line(text);
	size_t len = line.len;

	if (len > most)
		len = utf8_floor(line.data, line.len, most);
	buf_add(&m->b, line.data, len);
	if (len < line.len)
		buf_text(&m->b, "...");
	buf_free(&line);
}
