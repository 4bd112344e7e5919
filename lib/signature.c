#define _GNU_SOURCE /* memmem, which POSIX has since 2024; memrchr */
#include "signature.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "failmsg.h"
#include "prog.h"

static bool
word_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static bool
digit(const char *p, size_t len, size_t at)
{
	return at < len && isdigit((unsigned char)p[at]);
}

/* d is a digit, h a hex digit, other bytes are themselves. */
static size_t
shape(const char *p, size_t len, const char *pattern)
{
	size_t n = strlen(pattern);

	if (len < n)
		return 0;
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)p[i];
		if (pattern[i] == 'd'   ? !isdigit(c)
		    : pattern[i] == 'h' ? !isxdigit(c)
					: c != (unsigned char)pattern[i])
			return 0;
	}
	return n;
}

static size_t
clock_time(const char *p, size_t len)
{
	size_t n = shape(p, len, "dd:dd");

	if (n == 0)
		return 0;
	n += shape(p + n, len - n, ":dd");
	if (n == 8 && n < len && (p[n] == '.' || p[n] == ',') && digit(p, len, n + 1))
		for (n++; digit(p, len, n);)
			n++;
	if (n < len && p[n] == 'Z')
		return n + 1;
	size_t zone = shape(p + n, len - n, "+dd:dd");
	return n + (zone > 0 ? zone : shape(p + n, len - n, "-dd:dd"));
}

static size_t
date_time(const char *p, size_t len)
{
	size_t n = shape(p, len, "dddd-dd-dd");

	if (n == 0)
		return 0;
	if (n < len && (p[n] == 'T' || p[n] == ' ')) {
		size_t t = clock_time(p + n + 1, len - n - 1);
		if (t > 0)
			return n + 1 + t;
	}
	return n;
}

static size_t
uuid(const char *p, size_t len)
{
	return shape(p, len, "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh");
}

/* Eight hex digits or more, one of them a decimal one, and no word that goes on. */
static size_t
hex(const char *p, size_t len)
{
	size_t n = len > 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'X') ? 2 : 0, from = n;
	bool decimal = n > 0, letter = n > 0;

	for (; n < len && isxdigit((unsigned char)p[n]); n++) {
		decimal = decimal || isdigit((unsigned char)p[n]);
		letter = letter || !isdigit((unsigned char)p[n]);
	}
	if (n < len && word_byte(p[n]))
		return 0;
	return n > from && decimal && letter && (from > 0 || n >= 8) ? n : 0;
}

static size_t
number(const char *p, size_t len)
{
	size_t n = 0;

	while (digit(p, len, n) ||
	       (n > 0 && n < len && (p[n] == '.' || p[n] == ',') && digit(p, len, n + 1)))
		n++;
	return n;
}

static size_t
unit(const char *p, size_t len)
{
	static const char *const units[] = {
	    "ms", "milliseconds", "seconds", "second", "s", "minutes", "min", "µs", "ns"};

	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		size_t n = strlen(units[i]);
		if (len >= n && memcmp(p, units[i], n) == 0 && (n == len || !word_byte(p[n])))
			return n;
	}
	return 0;
}

/* "/a/b/c.ts", "C:\a\b", "file:///a/b": all but the last part goes. */
static size_t
folders(const char *p, size_t len)
{
	size_t n = 0, last = 0, parts = 0;

	if (len > 3 && isalpha((unsigned char)p[0]) && p[1] == ':' && (p[2] == '\\' || p[2] == '/'))
		n = 2;
	else if (len == 0 || p[0] != '/')
		return 0;
	for (; n < len &&
	       (word_byte(p[n]) || strchr("/\\.-@+~%", p[n]) != NULL ||
		   (unsigned char)p[n] >= 0x80) &&
	       p[n] != '\0';
	     n++)
		if (p[n] == '/' || p[n] == '\\') {
			last = n;
			parts++;
		}
	return parts >= 2 ? last : 0;
}

static size_t
scheme(const char *p, size_t len)
{
	static const char *const schemes[] = {"http://", "https://", "ws://", "wss://"};

	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
		if (len > strlen(schemes[i]) && memcmp(p, schemes[i], strlen(schemes[i])) == 0)
			return strlen(schemes[i]);
	return 0;
}

static void
fold(struct buf *b, char c)
{
	if (b->len > 0 && b->data[b->len - 1] != ' ')
		buf_byte(b, c);
}

/* What stands at p and changes from run to run: its length, and its name appended. */
static size_t
changing(const char *p, size_t len, struct buf *b)
{
	size_t n, u;

	if ((n = uuid(p, len)) > 0)
		buf_text(b, "<uuid>");
	else if ((n = date_time(p, len)) > 0 || (n = clock_time(p, len)) > 0)
		buf_text(b, "<time>");
	else if ((n = hex(p, len)) > 0)
		buf_text(b, "<hex>");
	else if ((n = number(p, len)) > 0) {
		size_t blank = n < len && p[n] == ' ';
		u = unit(p + n + blank, len - n - blank);
		buf_text(b, u > 0 ? "<time>" : "<n>");
		if (u > 0)
			n += blank + u;
	}
	return n;
}

void
signature_normal(const char *text, size_t len, struct buf *b)
{
	struct buf plain = {0};
	size_t i = 0, n;

	failmsg_plain(text, len, &plain);
	const char *p = plain.data;
	len = plain.len;
	while (i < len) {
		bool starts_word = i == 0 || !word_byte(p[i - 1]);
		if (isspace((unsigned char)p[i])) {
			fold(b, ' ');
			i++;
		} else if (starts_word && (n = scheme(p + i, len - i)) > 0) {
			buf_add(b, p + i, n);
			buf_text(b, "<host>");
			for (i += n;
			     i < len && (word_byte(p[i]) || strchr(".-:[]@", p[i]) != NULL);)
				i++;
		} else if (starts_word && (i == 0 || strchr(" \n\t\"'`(<[=,:", p[i - 1]) != NULL) &&
			   (n = folders(p + i, len - i)) > 0) {
			buf_text(b, "<path>");
			i += n;
		} else if (starts_word && isxdigit((unsigned char)p[i]) &&
			   (n = changing(p + i, len - i, b)) > 0) {
			i += n;
		} else {
			buf_byte(b, p[i++]);
		}
	}
	while (b->len > 0 && b->data[b->len - 1] == ' ')
		b->data[--b->len] = '\0';
	buf_free(&plain);
}

/* What begins here and closes: '"', a letter of another script's quotes, a bracket; 0: nothing. */
static size_t
quoted(const char *p, size_t len, bool starts_word)
{
	static const char *const pairs[][2] = {{"\"", "\""}, {"`", "`"}, {"'", "'"},
	    {"\u201c", "\u201d"}, {"\u2018", "\u2019"}, {"\u201e", "\u201c"}, {"\u00ab", "\u00bb"}};

	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		size_t open = strlen(pairs[i][0]), close = strlen(pairs[i][1]), at = open;
		if (len < open || memcmp(p, pairs[i][0], open) != 0)
			continue;
		if (*p == '\'' && !starts_word) /* an apostrophe */
			return 0;
		for (; at + close <= len; at += p[at] == '\\' && at + 1 < len ? 2 : 1)
			if (memcmp(p + at, pairs[i][1], close) == 0 &&
			    (*p != '\'' || at + 1 == len || !word_byte(p[at + 1])))
				return at + close;
		return *p == '\'' ? 0 : len; /* cut before it closed */
	}
	return 0;
}

static size_t
json(const char *p, size_t len, bool starts_word)
{
	size_t depth = 0, i = 0, n;

	if (len == 0 || (*p != '{' && *p != '[') || !starts_word)
		return 0;
	for (; i < len; i += n) {
		n = 1;
		if (p[i] == '"')
			n = quoted(p + i, len - i, true);
		else if (p[i] == '{' || p[i] == '[')
			depth++;
		else if ((p[i] == '}' || p[i] == ']') && --depth == 0)
			return i + 1;
	}
	return len;
}

void
signature_reason(const char *text, size_t len, struct buf *b)
{
	struct buf bare = {0};
	size_t n;

	for (size_t i = 0; i < len; i += n) {
		bool starts_word = i == 0 || !word_byte(text[i - 1]);
		if ((n = json(text + i, len - i, starts_word)) > 0) {
			buf_text(&bare, "<json>");
		} else if ((n = quoted(text + i, len - i, starts_word)) > 0) {
			buf_text(&bare, "<text>");
		} else {
			buf_byte(&bare, text[i]);
			n = 1;
		}
	}
	signature_normal(bare.data == NULL ? "" : bare.data, bare.len, b);
	buf_free(&bare);
}

static bool
foreign(const char *line, size_t len)
{
	static const char *const theirs[] = {"node_modules/", "node_modules\\",
	    "node:", "internal/", "site-packages/", "dist-packages/", "java.base/", "jdk.internal",
	    "sun.reflect", "org.junit.", "org.apache.maven", "org.testng.", "<anonymous>",
	    "(native", "junit.framework", "/lib/python"};

	for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++)
		if (memmem(line, len, theirs[i], strlen(theirs[i])) != NULL)
			return true;
	return false;
}

/* The last two parts of a path, without ":line:column": folders differ between machines. */
static void
add_file(const char *path, size_t len, struct buf *b)
{
	int parts = 0;

	for (int i = 0; i < 2; i++) {
		size_t n = len;
		while (n > 0 && isdigit((unsigned char)path[n - 1]))
			n--;
		if (n == len || n == 0 || path[n - 1] != ':')
			break;
		len = n - 1;
	}
	size_t from = len;
	while (from > 0 && !((path[from - 1] == '/' || path[from - 1] == '\\') && ++parts == 2))
		from--;
	buf_add(b, path + from, len - from);
}

static bool
frame_v8(const char *line, size_t len, struct buf *b)
{
	if (len < 4 || memcmp(line, "at ", 3) != 0)
		return false;
	line += 3;
	len -= 3;
	const char *paren = memrchr(line, '(', len);
	if (paren != NULL && line[len - 1] == ')') {
		add_file(paren + 1, (size_t)(line + len - 1 - (paren + 1)), b);
		buf_byte(b, ' ');
		size_t n = (size_t)(paren - line);
		while (n > 0 && line[n - 1] == ' ')
			n--;
		signature_normal(line, n, b);
	} else {
		add_file(line, len, b);
	}
	return true;
}

/* '  File "tests/test_a.py", line 3, in test_x' and pytest's 'tests/test_a.py:3: AssertionError' */
static bool
frame_python(const char *line, size_t len, struct buf *b)
{
	if (len < 8 || memcmp(line, "File \"", 6) != 0)
		return false;
	const char *end = memchr(line + 6, '"', len - 6);
	if (end == NULL)
		return false;
	add_file(line + 6, (size_t)(end - line) - 6, b);
	const char *in = memmem(end, (size_t)(line + len - end), ", in ", 5);
	if (in != NULL) {
		buf_byte(b, ' ');
		buf_add(b, in + 5, (size_t)(line + len - (in + 5)));
	}
	return true;
}

void
signature_frame(const char *stack, size_t len, struct buf *b)
{
	const char *p = stack, *end = stack + len;

	while (p != NULL && p < end) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		size_t n = (size_t)((eol == NULL ? end : eol) - p);
		const char *next = eol == NULL ? end : eol + 1;
		while (n > 0 && isspace((unsigned char)*p))
			p++, n--;
		while (n > 0 && isspace((unsigned char)p[n - 1]))
			n--;
		if (!foreign(p, n) && (frame_v8(p, n, b) || frame_python(p, n, b)))
			return;
		p = next;
	}
}

/* Where what was said ends and a call log, a code frame or the stack begins. */
static size_t
said(const char *p, size_t len)
{
	size_t i = 0;

	while (i < len) {
		const char *line = p + i;
		size_t left = len - i, n = 0;
		while (n < left && (line[n] == ' ' || line[n] == '\t'))
			n++;
		const char *t = line + n;
		size_t tn = left - n;
		if ((tn >= 9 &&
			(memcmp(t, "Call log:", 9) == 0 || memcmp(t, "Call Log:", 9) == 0)) ||
		    (tn >= 5 && memcmp(t, "=====", 5) == 0) ||
		    (i > 0 && tn >= 3 && memcmp(t, "at ", 3) == 0) ||
		    (tn >= 2 && t[0] == '>' && t[1] == ' ') ||
		    (tn >= 6 && memcmp(t, "File \"", 6) == 0))
			return i;
		size_t d = 0;
		while (d < tn && isdigit((unsigned char)t[d]))
			d++;
		if (d > 0 && d + 1 < tn && t[d] == ' ' && t[d + 1] == '|')
			return i;
		const char *eol = memchr(line, '\n', left);
		i = eol == NULL ? len : (size_t)(eol - p) + 1;
	}
	return len;
}

static void
hash(const struct buf *text, char hex16[17])
{
	struct buf b = {0};
	char hex64[65];

	buf_format(&b, "signature %d\n", SIGNATURE_VERSION);
	buf_add(&b, text->data, text->len);
	digest_sha256(b.data, b.len, hex64);
	memcpy(hex16, hex64, 16);
	hex16[16] = '\0';
	buf_free(&b);
}

static void
add_part(struct buf *b, const char *text)
{
	if (text == NULL)
		return;
	if (b->len > 0)
		buf_byte(b, '\n');
	signature_normal(text, strlen(text), b);
}

/* A class "Error" says nothing, and some reporters leave it out. */
static const char *
class_name(const struct failmsg *m)
{
	return m->type == NULL || strcmp(m->type, "Error") == 0 ? NULL : m->type;
}

static size_t
prefix(const char *p, size_t len)
{
	static const char *const words[] = {"Error: ", "AssertionError: "};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (len > strlen(words[i]) && memcmp(p, words[i], strlen(words[i])) == 0)
			return strlen(words[i]);
	return 0;
}

void
signature_make(struct signature *s, const char *message, size_t message_len, const char *stack,
    size_t stack_len)
{
	struct buf plain = {0}, text = {0}, family = {0};
	struct failmsg m;

	failmsg_plain(message, message_len, &plain);
	failmsg_read(message, message_len, &m);
	const char *p = plain.data == NULL ? "" : plain.data;
	size_t skip = prefix(p, plain.len), len = said(p + skip, plain.len - skip);

	add_part(&family, class_name(&m));
	add_part(&family, m.matcher != NULL ? m.matcher : m.call);
	add_part(&family, m.locator);
	buf_add(&text, family.data, family.len);
	if (m.locator == NULL) {
		const char *eol = m.matcher != NULL ? NULL : memchr(p + skip, '\n', len);
		if (family.len > 0)
			buf_byte(&family, '\n');
		signature_normal(p + skip, eol == NULL ? len : (size_t)(eol - (p + skip)), &family);
	}
	if (m.locator == NULL && m.matcher != NULL && stack != NULL) {
		buf_byte(&family, '\n');
		signature_frame(stack, stack_len, &family);
	}
	if (text.len > 0)
		buf_byte(&text, '\n');
	signature_normal(p + skip, len, &text);
	buf_byte(&text, '\n');
	if (stack != NULL)
		signature_frame(stack, stack_len, &text);
	buf_text(&family, "");
	hash(&text, s->sig);
	hash(&family, s->family);
	s->text = text.data;
	s->family_text = family.data;
	failmsg_free(&m);
	buf_free(&plain);
}

void
signature_free(struct signature *s)
{
	free(s->text);
	free(s->family_text);
	s->text = s->family_text = NULL;
}
