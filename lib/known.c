#include "known.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "digest.h"
#include "prog.h"

enum { MOST = 4096, LONGEST = 4096, ALL_BYTES = 2 << 20, LEAST = 6, BUCKETS = 32768 };

struct value {
	size_t at, len; /* in bytes */
	const char *kind;
	bool given;
	size_t of;   /* the value of which it is an encoding; itself otherwise */
	size_t next; /* in its bucket, plus one */
};

struct known {
	struct buf bytes;
	struct value *list;
	size_t count, size, forever; /* the first forever ones stay */
	size_t forever_bytes;
	uint32_t bucket[BUCKETS]; /* by the first four bytes; index plus one */
	uint64_t seen[BUCKETS / 64];
	struct buf allowed; /* each with its final NUL */
};

struct known *
known_new(void)
{
	return prog_alloc(1, sizeof(struct known));
}

void
known_free(struct known *k)
{
	free(k->list);
	buf_free(&k->bytes);
	buf_free(&k->allowed);
	free(k);
}

static size_t
bucket_of(const char *text)
{
	uint32_t four;

	memcpy(&four, text, 4);
	return (four * 2654435761u) >> 17;
}

void
known_allow(struct known *k, const char *value, size_t len)
{
	buf_add(&k->allowed, value, len);
	buf_byte(&k->allowed, '\0');
}

bool
known_allowed(const struct known *k, const char *value, size_t len)
{
	for (size_t i = 0; i < k->allowed.len;) {
		size_t n = strlen(k->allowed.data + i);
		if (n == len && memcmp(k->allowed.data + i, value, len) == 0)
			return true;
		i += n + 1;
	}
	return false;
}

static void
index_value(struct known *k, size_t i)
{
	size_t b = bucket_of(k->bytes.data + k->list[i].at);

	k->list[i].next = k->bucket[b];
	k->bucket[b] = (uint32_t)i + 1;
	k->seen[b / 64] |= (uint64_t)1 << b % 64;
}

static bool
has(const struct known *k, const char *value, size_t len)
{
	for (size_t i = k->bucket[bucket_of(value)]; i != 0; i = k->list[i - 1].next) {
		const struct value *v = &k->list[i - 1];
		if (v->len == len && memcmp(k->bytes.data + v->at, value, len) == 0)
			return true;
	}
	return false;
}

static bool
add(struct known *k, const char *value, size_t len, const char *kind)
{
	if (len < LEAST || has(k, value, len))
		return false;
	if (k->count == k->size) {
		k->size = k->size ? k->size * 2 : 64;
		k->list = prog_resize(k->list, k->size, sizeof *k->list);
	}
	k->list[k->count] = (struct value){k->bytes.len, len, kind, false, k->count, 0};
	buf_add(&k->bytes, value, len);
	index_value(k, k->count++);
	return true;
}

static bool
is_word(char c)
{
	return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* Plain ones would be found in prose and in numbers: words, dates, addresses of hosts. */
static bool
is_plain(const char *value, size_t len)
{
	size_t digits = 0, letters = 0, others = 0;

	for (size_t i = 0; i < len; i++) {
		if (value[i] >= '0' && value[i] <= '9')
			digits++;
		else if (is_word(value[i]))
			letters++;
		else
			others++;
	}
	return len < 16 && (digits == 0 || letters == 0) &&
	       !(letters > 0 && others > 0 && len > 10);
}

bool
known_learn(struct known *k, const char *value, size_t len, const char *kind)
{
	if (len < LEAST || len > LONGEST || k->count - k->forever >= MOST ||
	    k->bytes.len - k->forever_bytes + len > ALL_BYTES || !is_word(value[0]) ||
	    is_plain(value, len))
		return false;
	return add(k, value, len, kind);
}

void
known_forget(struct known *k)
{
	k->count = k->forever;
	k->bytes.len = k->forever_bytes;
	memset(k->bucket, 0, sizeof k->bucket);
	memset(k->seen, 0, sizeof k->seen);
	for (size_t i = 0; i < k->count; i++)
		index_value(k, i);
}

/* One encoding of the value at index of. */
static void
add_form(struct known *k, size_t of, const struct buf *form)
{
	if (!add(k, form->data, form->len, "KNOWN"))
		return;
	k->list[k->count - 1].given = true;
	k->list[k->count - 1].of = of;
}

static bool
is_unreserved(char c)
{
	return is_word(c) || (c != '\0' && strchr("-._~", c) != NULL);
}

/* Percent-encoded (RFC 3986) with format for each byte, a blank as blank. */
static void
add_percent(struct known *k, size_t of, const char *value, size_t len, const char *format,
    const char *blank)
{
	struct buf b = {0};

	for (size_t i = 0; i < len; i++) {
		if (value[i] == ' ')
			buf_text(&b, blank);
		else if (is_unreserved(value[i]))
			buf_byte(&b, value[i]);
		else
			buf_format(&b, strcmp(format, "x") == 0 ? "%%%02x" : "%%%02X",
			    (unsigned)(unsigned char)value[i]);
	}
	add_form(k, of, &b);
	buf_free(&b);
}

static void
add_hex(struct known *k, size_t of, const char *value, size_t len)
{
	struct buf lower = {0}, upper = {0}, unicode = {0};

	for (size_t i = 0; i < len; i++) {
		unsigned c = (unsigned char)value[i];
		buf_format(&lower, "%02x", c);
		buf_format(&upper, "%02X", c);
		buf_format(&unicode, "\\u%04x", c);
	}
	add_form(k, of, &lower);
	add_form(k, of, &upper);
	add_form(k, of, &unicode);
	buf_free(&lower);
	buf_free(&upper);
	buf_free(&unicode);
}

/* As a JSON string holds it; depth times over. */
static void
add_json(struct known *k, size_t of, const char *value, size_t len)
{
	struct buf b = {0}, deeper = {0};

	buf_add(&b, value, len);
	for (int depth = 0; depth < 3; depth++) {
		buf_clear(&deeper);
		for (size_t i = 0; i < b.len; i++) {
			if (b.data[i] == '"' || b.data[i] == '\\')
				buf_byte(&deeper, '\\');
			buf_byte(&deeper, b.data[i]);
		}
		add_form(k, of, &deeper);
		struct buf swap = b;
		b = deeper, deeper = swap;
	}
	buf_free(&b);
	buf_free(&deeper);
}

/*
 * In base64 a value looks like one of three, as it begins at a byte of a group of three; what also
 * depends on its neighbours is left out.
 */
static void
add_base64(struct known *k, size_t of, const char *value, size_t len)
{
	for (size_t shift = 0; shift < 3; shift++) {
		struct buf plain = {0}, code = {0}, cut = {0};
		buf_add(&plain, "\0\0", shift);
		buf_add(&plain, value, len);
		base64_add(&code, plain.data, plain.len);
		size_t from = shift == 0 ? 0 : shift + 1, to = plain.len * 8 / 6;
		if (to > from)
			buf_add(&cut, code.data + from, to - from);
		if (cut.len > 0)
			add_form(k, of, &cut);
		for (size_t i = 0; i < cut.len; i++)
			cut.data[i] = cut.data[i] == '+'   ? '-'
				      : cut.data[i] == '/' ? '_'
							   : cut.data[i];
		if (cut.len > 0)
			add_form(k, of, &cut);
		buf_free(&plain);
		buf_free(&code);
		buf_free(&cut);
	}
}

bool
known_always(struct known *k, const char *value, size_t len)
{
	struct buf form = {0};
	size_t of = k->count;

	if (len < LEAST)
		return false;
	buf_add(&form, value, len);
	add_form(k, of, &form);
	buf_free(&form);
	if (k->count > of) {
		add_percent(k, of, value, len, "X", "%20");
		add_percent(k, of, value, len, "x", "%20");
		add_percent(k, of, value, len, "X", "+");
		add_hex(k, of, value, len);
		add_json(k, of, value, len);
		add_base64(k, of, value, len);
	}
	k->forever = k->count;
	k->forever_bytes = k->bytes.len;
	return true;
}

bool
known_has_given(const struct known *k)
{
	return k->forever > 0;
}

static bool
is_whole(const char *text, size_t len, size_t from, size_t to)
{
	return (from == 0 || !is_word(text[from - 1])) && (to == len || !is_word(text[to]));
}

static struct known_match
look(const struct known *k, const char *text, size_t len, size_t at, bool given)
{
	const struct value *best = NULL;

	if (len - at < LEAST)
		return (struct known_match){0};
	size_t b = bucket_of(text + at);
	if (!(k->seen[b / 64] >> b % 64 & 1))
		return (struct known_match){0};
	for (size_t i = k->bucket[b]; i != 0; i = k->list[i - 1].next) {
		const struct value *v = &k->list[i - 1];
		bool better =
		    v->given == given && v->len <= len - at && (best == NULL || v->len > best->len);
		if (better && memcmp(k->bytes.data + v->at, text + at, v->len) == 0 &&
		    (given || is_whole(text, len, at, at + v->len)))
			best = v;
	}
	if (best == NULL)
		return (struct known_match){0};
	const struct value *of = &k->list[best->of];
	return (struct known_match){best->len, best->kind, k->bytes.data + of->at, of->len};
}

struct known_match
known_word(const struct known *k, const char *text, size_t len, size_t at)
{
	return look(k, text, len, at, false);
}

struct known_match
known_given(const struct known *k, const char *text, size_t len, size_t at)
{
	return look(k, text, len, at, true);
}

bool
known_begins(const struct known *k, const char *text, size_t len, size_t at)
{
	if (len - at < LEAST || (at > 0 && is_word(text[at - 1])))
		return false;
	for (size_t i = k->bucket[bucket_of(text + at)]; i != 0; i = k->list[i - 1].next)
		if (memcmp(k->bytes.data + k->list[i - 1].at, text + at, LEAST) == 0)
			return true;
	return false;
}

size_t
known_count(const struct known *k)
{
	return k->count;
}
