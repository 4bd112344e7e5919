#include "words.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "prog.h"
#include "utf8.h"

enum { BLOCK = 64 << 10 };

struct block {
	struct block *next;
	char bytes[];
};

struct words {
	struct block *blocks;
	char *free;
	size_t left;
	const char **table; /* open addressing; a power of two */
	size_t size, count;
	struct buf text;
};

struct words *
words_new(void)
{
	struct words *w = prog_alloc(1, sizeof *w);

	w->size = 1024;
	w->table = prog_alloc(w->size, sizeof *w->table);
	return w;
}

void
words_free(struct words *w)
{
	while (w->blocks != NULL) {
		struct block *next = w->blocks->next;
		free(w->blocks);
		w->blocks = next;
	}
	free(w->table);
	buf_free(&w->text);
	free(w);
}

static char *
room(struct words *w, size_t len)
{
	if (len > w->left) {
		size_t size = len > BLOCK / 4 ? len : BLOCK;
		struct block *b = prog_alloc(1, sizeof *b + size);
		b->next = w->blocks;
		w->blocks = b;
		if (size != BLOCK)
			return b->bytes;
		w->free = b->bytes;
		w->left = size;
	}
	char *at = w->free;
	w->free += len;
	w->left -= len;
	return at;
}

struct span
words_bytes(struct words *w, const char *bytes, size_t len)
{
	char *at = room(w, len + 1);

	if (len > 0)
		memcpy(at, bytes, len);
	at[len] = '\0';
	return (struct span){at, len};
}

void *
words_aligned(struct words *w, size_t size)
{
	enum { GRAIN = 16 };
	char *at = room(w, size + GRAIN);

	return at + (GRAIN - (uintptr_t)at % GRAIN) % GRAIN;
}

/* FNV-1a. */
static uint64_t
hash(const char *text, size_t len)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
	return h ^ h >> 32;
}

static size_t
slot_of(const struct words *w, const char *text, size_t len)
{
	size_t i = hash(text, len) & (w->size - 1);

	while (w->table[i] != NULL &&
	       (strncmp(w->table[i], text, len) != 0 || w->table[i][len] != '\0'))
		i = (i + 1) & (w->size - 1);
	return i;
}

static void
grow(struct words *w)
{
	const char **old = w->table;
	size_t size = w->size;

	w->size *= 2;
	w->table = prog_alloc(w->size, sizeof *w->table);
	for (size_t i = 0; i < size; i++)
		if (old[i] != NULL)
			w->table[slot_of(w, old[i], strlen(old[i]))] = old[i];
	free(old);
}

const char *
words_keep(struct words *w, const char *text, size_t len)
{
	if (len > 0 && memchr(text, '\0', len) != NULL)
		len = strlen(text);
	size_t i = slot_of(w, text, len);
	if (w->table[i] != NULL)
		return w->table[i];
	const char *kept = words_bytes(w, text, len).at;
	w->table[i] = kept;
	if (++w->count * 2 > w->size)
		grow(w);
	return kept;
}

const char *
words_text(struct words *w, struct span string)
{
	struct buf mended = {0};
	const char *kept;

	buf_clear(&w->text);
	if (!scan_text(string, &w->text))
		return NULL;
	size_t len = utf8_floor(w->text.data ? w->text.data : "", w->text.len, TEXT_MOST);
	if (w->text.len <= TEXT_MOST)
		len = w->text.len;
	if (len == 0)
		return words_keep(w, "", 0);
	if (memchr(w->text.data, '\0', len) == NULL)
		return words_keep(w, w->text.data, len);
	for (size_t i = 0; i < len; i++) {
		if (w->text.data[i] == '\0')
			utf8_add(&mended, 0xfffd);
		else
			buf_byte(&mended, w->text.data[i]);
	}
	kept = words_keep(w, mended.data, mended.len);
	buf_free(&mended);
	return kept;
}
