#include "known.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "digest.h"
#include "prog.h"

enum { MOST = 4096, LONGEST = 4096, ALL_BYTES = 2 << 20, LEAST = 8, BUCKETS = 4096 };

struct value {
	size_t at, len; /* in bytes */
	const char *kind;
	bool anywhere;
	size_t next; /* in its bucket, plus one */
};

struct known {
	struct buf bytes;
	struct value *list;
	size_t count, size, forever; /* the first forever ones stay */
	size_t forever_bytes;
	size_t bucket[BUCKETS]; /* by the first four bytes; index plus one */
	uint64_t seen[BUCKETS / 64];
	bool anywhere;
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
	return (four * 2654435761u) >> 20;
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
	k->bucket[b] = i + 1;
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
add(struct known *k, const char *value, size_t len, const char *kind, bool anywhere)
{
	if (has(k, value, len))
		return false;
	if (k->count == k->size) {
		k->size = k->size ? k->size * 2 : 64;
		k->list = prog_resize(k->list, k->size, sizeof *k->list);
	}
	k->list[k->count] = (struct value){k->bytes.len, len, kind, anywhere, 0};
	buf_add(&k->bytes, value, len);
	index_value(k, k->count++);
	return true;
}

static bool
is_word(char c)
{
	return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* Plain ones would be found in prose and in numbers. */
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
	return len < 16 && (digits == 0 || letters + others == 0) &&
	       !(letters > 0 && others > 0 && len > 10);
}

bool
known_learn(struct known *k, const char *value, size_t len, const char *kind)
{
	if (len < LEAST || len > LONGEST || k->count - k->forever >= MOST ||
	    k->bytes.len - k->forever_bytes + len > ALL_BYTES || !is_word(value[0]) ||
	    is_plain(value, len))
		return false;
	return add(k, value, len, kind, false);
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

void
known_always(struct known *k, const char *value, size_t len)
{
	if (len < 6)
		return;
	add(k, value, len, "KNOWN", true);
	k->anywhere = true;
	k->forever = k->count;
	k->forever_bytes = k->bytes.len;
}

bool
known_any(const struct known *k)
{
	return k->count > 0;
}

bool
known_anywhere(const struct known *k)
{
	return k->anywhere;
}

size_t
known_at(const struct known *k, const char *text, size_t len, size_t at, const char **kind)
{
	size_t best = 0;

	if (len - at < 6)
		return 0;
	size_t b = bucket_of(text + at);
	if (!(k->seen[b / 64] >> b % 64 & 1))
		return 0;
	for (size_t i = k->bucket[b]; i != 0; i = k->list[i - 1].next) {
		const struct value *v = &k->list[i - 1];
		if (v->len <= best || v->len > len - at ||
		    memcmp(k->bytes.data + v->at, text + at, v->len) != 0)
			continue;
		bool edge = (at == 0 || !is_word(text[at - 1])) &&
			    (at + v->len == len || !is_word(text[at + v->len]));
		if (!edge && !v->anywhere)
			continue;
		best = v->len;
		*kind = v->kind;
	}
	return best;
}
