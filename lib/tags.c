#include "tags.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "digest.h"
#include "prog.h"
#include "secrets.h"

enum { MOST = 65536, KINDS = 256, KIND_LEN = 24, PRINT = 16 };

struct value {
	char print[PRINT]; /* the value's digest, cut */
	const char *kind;
	unsigned number; /* 0: free */
};

struct tags {
	struct value *table; /* open addressing */
	size_t count, size;
	struct {
		char kind[KIND_LEN];
		unsigned last;
	} counter[KINDS];
	size_t kinds;
	struct buf key;
};

struct tags *
tags_new(void)
{
	return prog_alloc(1, sizeof(struct tags));
}

void
tags_free(struct tags *t)
{
	free(t->table);
	buf_free(&t->key);
	free(t);
}

void
tags_key(struct tags *t, const void *key, size_t len)
{
	buf_clear(&t->key);
	buf_add(&t->key, key, len);
}

void
tags_forget(struct tags *t)
{
	free(t->table);
	t->table = NULL;
	t->count = t->size = t->kinds = 0;
}

/* The counter of a kind; NULL when there are too many kinds, which only foreign tags can bring. */
static unsigned *
counter(struct tags *t, const char *kind, size_t len)
{
	if (len >= KIND_LEN)
		return NULL;
	for (size_t i = 0; i < t->kinds; i++)
		if (strlen(t->counter[i].kind) == len && memcmp(t->counter[i].kind, kind, len) == 0)
			return &t->counter[i].last;
	if (t->kinds == KINDS)
		return NULL;
	memcpy(t->counter[t->kinds].kind, kind, len);
	t->counter[t->kinds].kind[len] = '\0';
	t->counter[t->kinds].last = 0;
	return &t->counter[t->kinds++].last;
}

void
tags_note(struct tags *t, const char *text, size_t len)
{
	static const char start[] = "[REDACTED:";
	const char *end = text + len;

	/* Only numbered ones count, and '#' is rare. */
	for (const char *hash = text; (hash = memchr(hash, '#', (size_t)(end - hash))) != NULL;
	     hash++) {
		const char *p = hash;
		while (p > text && hash - p < KIND_LEN && p[-1] != ':')
			p--;
		if (p - text < (long)sizeof start - 1)
			continue;
		const char *kind = p;
		p -= sizeof start - 1;
		if (secrets_tag(p, (size_t)(end - p)) == 0)
			continue;
		unsigned long number = strtoul(hash + 1, NULL, 10);
		unsigned *last = counter(t, kind, (size_t)(hash - kind));
		if (last != NULL && number < 1000000 && number > *last)
			*last = (unsigned)number;
	}
}

static struct value *
slot(struct value *table, size_t size, const char print[PRINT])
{
	uint64_t hash;

	memcpy(&hash, print, sizeof hash);
	/* Eight hexadecimal digits: the low bits alone tell few of them apart. */
	size_t i = (hash * 0x9e3779b97f4a7c15u) >> 32 & (size - 1);
	while (table[i].kind != NULL && memcmp(table[i].print, print, PRINT) != 0)
		i = (i + 1) & (size - 1);
	return &table[i];
}

static void
grow(struct tags *t)
{
	size_t size = t->size ? t->size * 2 : 64;
	struct value *table = prog_alloc(size, sizeof *table);

	for (size_t i = 0; i < t->size; i++)
		if (t->table[i].kind != NULL)
			*slot(table, size, t->table[i].print) = t->table[i];
	free(t->table);
	t->table = table;
	t->size = size;
}

static void
keyed(const struct tags *t, const char *value, size_t len, char code[9])
{
	static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz234567";
	char hex[65], ten[11];

	digest_hmac(t->key.data, t->key.len, value, len, hex);
	memcpy(ten, hex, 10);
	ten[10] = '\0';
	uint64_t bits = strtoull(ten, NULL, 16);
	for (int i = 0; i < 8; i++)
		code[i] = alphabet[bits >> (35 - 5 * i) & 31];
	code[8] = '\0';
}

const char *
tags_make(struct tags *t, const char *value, size_t len, const char *kind, char tag[TAGS_SIZE])
{
	char hex[65];

	if (t->count * 2 >= t->size)
		grow(t);
	digest_sha256(value, len, hex);
	struct value *v = slot(t->table, t->size, hex);
	if (v->kind == NULL && t->count < MOST) {
		unsigned *last = counter(t, kind, strlen(kind));
		memcpy(v->print, hex, PRINT);
		v->kind = kind;
		v->number = last ? ++*last : 0;
		t->count++;
	}
	if (v->kind != NULL)
		kind = v->kind;
	if (t->key.len > 0) {
		char code[9];
		keyed(t, value, len, code);
		snprintf(tag, TAGS_SIZE, "[REDACTED:%s~%s]", kind, code);
	} else if (v->kind != NULL && v->number != 0) {
		snprintf(tag, TAGS_SIZE, "[REDACTED:%s#%u]", kind, v->number);
	} else {
		snprintf(tag, TAGS_SIZE, "[REDACTED:%s]", kind);
	}
	return kind;
}
