/*
 * Every line of t/t0500-redact/corpus, with its secrets made here, as text, as a string of a record
 * and as JSON in a string of a record: what is marked goes, every other byte stays.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "digest.h"
#include "edits.h"
#include "scan.h"
#include "secrets.h"
#include "tap.h"

static unsigned long state;

/* Park and Miller's minimal standard: the same secrets on every machine. */
static unsigned
chance(unsigned below)
{
	state = state * 16807 % 2147483647;
	return (unsigned)(state >> 3) % below;
}

static void
letters(struct buf *b, const char *alphabet, long count)
{
	size_t n = strlen(alphabet);

	for (long i = 0; i < count; i++)
		buf_byte(b, alphabet[chance((unsigned)n)]);
}

#define UPPER "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define DIGITS "0123456789"

static void
json_part(struct buf *b, const char *text)
{
	struct buf code = {0};

	base64_add(&code, text, strlen(text));
	while (code.len > 0 && code.data[code.len - 1] == '=')
		code.len--;
	for (size_t i = 0; i < code.len; i++)
		buf_byte(b, code.data[i] == '+' ? '-' : code.data[i] == '/' ? '_' : code.data[i]);
	buf_free(&code);
}

static void
generate(struct buf *b, char what, long count)
{
	static const char url[] = UPPER LOWER DIGITS "-_";

	switch (what) {
	case 'A': /* a digit and a letter at least, as real ones have */
		letters(b, UPPER LOWER DIGITS, count > 3 ? count - 3 : count);
		if (count > 3)
			letters(b, DIGITS, 1), letters(b, UPPER, 1), letters(b, LOWER, 1);
		break;
	case 'X': letters(b, UPPER LOWER, count); break;
	case 'H': letters(b, DIGITS "abcdef", count); break;
	case 'U': letters(b, UPPER "234567", count); break;
	case 'G': letters(b, UPPER DIGITS, count); break;
	case 'D': letters(b, "123456789", 1), letters(b, DIGITS, count - 1); break;
	case 'L': letters(b, LOWER DIGITS, count); break;
	case 'B':
		letters(b, UPPER LOWER, 1), letters(b, url, count - 3), letters(b, DIGITS, 1);
		letters(b, LOWER, 1);
		break;
	case 'S':
		letters(b, UPPER LOWER DIGITS, 1), letters(b, UPPER LOWER DIGITS "+/", count - 2);
		letters(b, UPPER LOWER, 1);
		break;
	case 'I':
		letters(b, DIGITS "abcdef", 8), buf_byte(b, '-'), letters(b, DIGITS "abcdef", 4);
		buf_text(b, "-4"), letters(b, DIGITS "abcdef", 3), buf_text(b, "-a");
		letters(b, DIGITS "abcdef", 3), buf_byte(b, '-'), letters(b, DIGITS "abcdef", 12);
		break;
	case 'J':
		json_part(b, "{\"alg\":\"HS256\",\"typ\":\"JWT\"}"), buf_byte(b, '.');
		json_part(b, "{\"sub\":\"1234567890\",\"name\":\"A B\",\"iat\":1516239022}");
		buf_byte(b, '.'), letters(b, url, 42), letters(b, LOWER, 1);
		break;
	case 'E':
		json_part(b, "{\"alg\":\"dir\",\"enc\":\"A256GCM\"}"), buf_text(b, "..");
		letters(b, url, 16), buf_byte(b, '.'), letters(b, url, 60), buf_byte(b, '.');
		letters(b, url, 21), letters(b, LOWER, 1);
		break;
	}
}

static const char *expand(const char *p, const char *stop, struct buf *b);

/* {b64:...} and {pct:...}: p is behind the colon; returns what is behind the brace. */
static const char *
encoded(const char *p, bool base64, struct buf *b)
{
	struct buf inner = {0};

	p = expand(p, "}", &inner);
	if (base64) {
		base64_add(b, inner.data, inner.len);
	} else {
		for (size_t i = 0; i < inner.len; i++) {
			if (strchr("+/={}\"%:", inner.data[i]))
				buf_format(b, "%%%02X", (unsigned)(unsigned char)inner.data[i]);
			else
				buf_byte(b, inner.data[i]);
		}
	}
	buf_free(&inner);
	return *p == '}' ? p + 1 : p;
}

/* Up to one of stop outside of braces. */
static const char *
expand(const char *p, const char *stop, struct buf *b)
{
	int depth = 0;

	while (*p != '\0' && (depth > 0 || strchr(stop, *p) == NULL)) {
		char *end = NULL;
		long count =
		    p[0] == '{' && p[1] >= 'A' && p[1] <= 'Z' ? strtol(p + 2, &end, 10) : 0;
		if (end != NULL && *end == '}') {
			generate(b, p[1], count);
			p = end + 1;
		} else if (strncmp(p, "{b64:", 5) == 0 || strncmp(p, "{pct:", 5) == 0) {
			p = encoded(p + 5, p[1] == 'b', b);
		} else if (strncmp(p, "\\\\n", 3) == 0 || strncmp(p, "\\\\r", 3) == 0) {
			buf_add(b, p + 1, 2);
			p += 3;
		} else if (strncmp(p, "\\n", 2) == 0 || strncmp(p, "\\r", 2) == 0) {
			buf_byte(b, p[1] == 'n' ? '\n' : '\r');
			p += 2;
		} else {
			depth += *p == '{' ? 1 : *p == '}' ? -1 : 0;
			buf_byte(b, *p++);
		}
	}
	return p;
}

/* The text, and the text with a "@" for each secret. */
static void
make(const char *line, struct buf *text, struct buf *want)
{
	struct buf all = {0};
	bool hidden = false;

	expand(line, "", &all);
	for (size_t i = 0; i < all.len; i++) {
		bool mark = i + 1 < all.len && all.data[i] == '\xc2' &&
			    (all.data[i + 1] == '\xab' || all.data[i + 1] == '\xbb');
		if (mark) {
			hidden = all.data[++i] == '\xab';
			if (hidden)
				buf_byte(want, '@');
			continue;
		}
		buf_byte(text, all.data[i]);
		if (!hidden)
			buf_byte(want, all.data[i]);
	}
	buf_free(&all);
}

static void
json_string(struct buf *b, const char *text, size_t len)
{
	buf_byte(b, '"');
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '"' || text[i] == '\\')
			buf_byte(b, '\\');
		if ((unsigned char)text[i] < 0x20)
			buf_format(b, "\\u%04x", (unsigned)text[i]);
		else
			buf_byte(b, text[i]);
	}
	buf_byte(b, '"');
}

/* With "@" for each tag. */
static void
redacted(struct secrets *s, const char *text, size_t len, struct buf *out)
{
	struct tags *tags = tags_new();
	struct edits e = {0};
	struct buf tagged = {0};
	struct span doc = scan_trim(text, len);

	if (doc.len > 0 && doc.at[0] == '{' && scan_check(text, len, NULL))
		secrets_in_json(s, (struct span){text, len}, &e);
	else
		secrets_in_text(s, text, len, &e);
	edits_apply(&e, text, len, tags, &tagged);
	for (size_t i = 0; i < tagged.len;) {
		size_t tag = secrets_tag(tagged.data + i, tagged.len - i);
		buf_byte(out, tag > 0 ? '@' : tagged.data[i]);
		i += tag > 0 ? tag : 1;
	}
	secrets_forget(s);
	edits_free(&e);
	buf_free(&tagged);
	tags_free(tags);
}

/* As a string of a record, depth times over; then read back. */
static void
in_record(struct secrets *s, const struct buf *text, int depth, struct buf *out)
{
	struct buf wrapped = {0}, next = {0}, record = {0}, got = {0};

	buf_add(&wrapped, text->data, text->len);
	for (int i = 0; i < depth; i++) {
		buf_clear(&next);
		buf_text(&next, "{\"type\":\"body\",\"text\":");
		json_string(&next, wrapped.data, wrapped.len);
		buf_byte(&next, '}');
		struct buf swap = wrapped;
		wrapped = next, next = swap;
	}
	redacted(s, wrapped.data, wrapped.len, &got);
	for (int i = 0; i < depth; i++) {
		struct span string = {NULL, 0};
		if (scan_check(got.data, got.len, NULL))
			string = scan_member(scan_trim(got.data, got.len), "text");
		buf_clear(&record);
		if (!scan_text(string, &record))
			buf_text(&record, "(no JSON any more)");
		struct buf swap = got;
		got = record, record = swap;
	}
	buf_add(out, got.data, got.len);
	buf_free(&wrapped), buf_free(&next), buf_free(&record), buf_free(&got);
}

/* "@" in quotes is what a number becomes. */
static bool
same(const struct buf *want, const struct buf *got)
{
	size_t j = 0;

	for (size_t i = 0; i < want->len; i++, j++) {
		bool number = want->data[i] == '@' && j + 2 < got->len &&
			      memcmp(got->data + j, "\"@\"", 3) == 0;
		if (number)
			j += 2;
		else if (j >= got->len || want->data[i] != got->data[j])
			return false;
	}
	return j == got->len;
}

static bool
check(struct secrets *s, const char *line)
{
	static const char *const ways[] = {"as text", "in a record", "in JSON in a record"};
	struct buf text = {0}, want = {0}, got = {0};
	bool good = true;

	make(line, &text, &want);
	for (int way = 0; way < 3; way++) {
		buf_clear(&got);
		if (way == 0)
			redacted(s, text.data, text.len, &got);
		else
			in_record(s, &text, way, &got);
		if (same(&want, &got))
			continue;
		good = false;
		printf("# %s\n#   want %s\n#   got  %s\n", ways[way], want.data, got.data);
	}
	buf_free(&text), buf_free(&want), buf_free(&got);
	return good;
}

int
main(void)
{
	FILE *f = fopen("t/t0500-redact/corpus", "r");
	struct secrets *s = secrets_new();
	char *line = NULL;
	size_t size = 0;
	ssize_t len;

	if (f == NULL)
		return tap_ok(false, "t/t0500-redact/corpus can be read"), tap_done();
	for (unsigned long n = 1; (len = getline(&line, &size, f)) > 0; n++) {
		if (line[len - 1] == '\n')
			line[len - 1] = '\0';
		state = n * 7919 % 2147483646 + 1;
		if (line[0] != '#')
			tap_ok(check(s, line + 2), line);
	}
	fclose(f);
	free(line);
	secrets_free(s);
	return tap_done();
}
