/* segment: the model's own plumbing. */
#include "segment.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "prog.h"

void
list_grow(void **at, size_t *size, size_t count, size_t each)
{
	if (count < *size)
		return;
	*size = *size == 0 ? 16 : *size * 2;
	*at = prog_resize(*at, *size, each);
}

struct segment *
segment_new(FILE *out)
{
	struct segment *s = prog_alloc(1, sizeof *s);

	s->words = words_new();
	s->ids = pairs_new();
	s->objects = pairs_new();
	s->routed = pairs_new();
	s->page_ids = pairs_new();
	s->prefixes = pairs_new();
	s->dom = dom_new();
	s->out = out;
	return s;
}

void
segment_free(struct segment *s)
{
	for (size_t i = 0; i < s->contexts.count; i++)
		free(s->contexts.at[i]);
	for (size_t i = 0; i < s->actions.count; i++) {
		free(s->actions.at[i]->log);
		free(s->actions.at[i]);
	}
	for (size_t i = 0; i < s->requests.count; i++) {
		if (s->requests.at[i]->text != NULL)
			buf_free(s->requests.at[i]->text);
		free(s->requests.at[i]->text);
		free(s->requests.at[i]);
	}
	for (size_t i = 0; i < s->routes.count; i++)
		free(s->routes.at[i]);
	for (size_t i = 0; i < s->pages.count; i++)
		free(s->pages.at[i]);
	free(s->contexts.at);
	free(s->actions.at);
	free(s->errors.at);
	free(s->events.at);
	free(s->requests.at);
	free(s->routes.at);
	free(s->attachments.at);
	free(s->pages.at);
	free(s->uses.at);
	sources_free(s);
	pairs_free(s->ids);
	pairs_free(s->objects);
	pairs_free(s->routed);
	pairs_free(s->page_ids);
	pairs_free(s->prefixes);
	dom_free(s->dom);
	words_free(s->words);
	free(s);
}

struct pair {
	const void *a, *b;
	void *value; /* NULL: a free slot */
};

struct pairs {
	struct pair *table;
	size_t size, count;
};

struct pairs *
pairs_new(void)
{
	struct pairs *p = prog_alloc(1, sizeof *p);

	p->size = 64;
	p->table = prog_alloc(p->size, sizeof *p->table);
	return p;
}

void
pairs_free(struct pairs *p)
{
	free(p->table);
	free(p);
}

static struct pair *
pair_at(const struct pairs *p, const void *a, const void *b)
{
	uint64_t h = ((uint64_t)(uintptr_t)a * 31 + (uint64_t)(uintptr_t)b) * 0x9e3779b97f4a7c15u;
	size_t i = (size_t)(h >> 20) & (p->size - 1);

	while (p->table[i].value != NULL && (p->table[i].a != a || p->table[i].b != b))
		i = (i + 1) & (p->size - 1);
	return &p->table[i];
}

void *
pairs_get(const struct pairs *p, const void *a, const void *b)
{
	return pair_at(p, a, b)->value;
}

void
pairs_set(struct pairs *p, const void *a, const void *b, void *value)
{
	struct pair *at = pair_at(p, a, b);

	if (at->value == NULL)
		p->count++;
	*at = (struct pair){a, b, value};
	if (p->count * 2 <= p->size)
		return;
	struct pair *old = p->table;
	size_t size = p->size;
	p->size *= 2;
	p->table = prog_alloc(p->size, sizeof *p->table);
	for (size_t i = 0; i < size; i++)
		if (old[i].value != NULL)
			*pair_at(p, old[i].a, old[i].b) = old[i];
	free(old);
}

void
members(struct span object, struct want *want, size_t count)
{
	struct scan_each it = {0};
	size_t left = count;

	if (scan_kind(object) != '{')
		return;
	while (left > 0 && scan_each(&it, object)) {
		for (size_t i = 0; i < count; i++) {
			if (want[i].value.at != NULL || !scan_is(it.key, want[i].name))
				continue;
			want[i].value = it.value;
			left--;
			break;
		}
	}
}

bool
begins(const char *text, const char *with)
{
	return text != NULL && strncmp(text, with, strlen(with)) == 0;
}

bool
same(const char *a, const char *b)
{
	return a != NULL && b != NULL && (a == b || strcmp(a, b) == 0);
}

/* ECMA-48: CSI, OSC and the two-byte escapes. */
static const char *
after_escape(const char *p)
{
	if (p[1] == '[') {
		for (p += 2; (unsigned char)*p >= 0x20 && (unsigned char)*p < 0x40;)
			p++;
		return *p == '\0' ? p : p + 1;
	}
	if (p[1] == ']') {
		for (p += 2; *p != '\0' && *p != '\a' && *p != '\033';)
			p++;
		if (*p == '\033' && p[1] == '\\')
			return p + 2;
		return *p == '\a' ? p + 1 : p;
	}
	return p[1] >= 0x40 && p[1] <= 0x5f ? p + 2 : p + 1;
}

const char *
plain(struct words *w, const char *text)
{
	struct buf b = {0};
	const char *kept;

	if (text == NULL || strchr(text, '\033') == NULL)
		return text;
	while (*text != '\0') {
		if (*text == '\033')
			text = after_escape(text);
		else
			buf_byte(&b, *text++);
	}
	kept = words_keep(w, b.data ? b.data : "", b.len);
	buf_free(&b);
	return kept;
}
