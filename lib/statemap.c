#include "statemap.h"

#include <err.h>
#include <fnmatch.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "digest.h"
#include "jvx.h"
#include "prog.h"
#include "yamlx.h"

const char *const layer_names[LAYERS] = {
    "prompt", "tool_schema", "router", "handoff", "policy", "feedback", "external"};

struct rule {
	char *match;
	struct meaning means;
};

/* Open addressing; a power of two, at most half full. */
struct table {
	void **slots;
	size_t size, used;
};

struct map {
	struct rule *rules;
	size_t rule_count, required_count, unmapped;
	const char **required;
	char sha256[65];
	struct table strings, meanings;
};

enum layer
layer_of(const char *name)
{
	for (int i = 0; name != NULL && i < LAYERS; i++)
		if (strcmp(name, layer_names[i]) == 0)
			return (enum layer)i;
	return NO_LAYER;
}

/* FNV-1a (Fowler, Noll and Vo): the tables hold names of states, a few thousand at the most. */
static size_t
hash(const char *text, size_t len)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
	return (size_t)(h ^ h >> 32);
}

/* The slot of a name; text_of tells the text of what stands in a slot. */
static void **
find(struct table *t, const char *text, size_t len, const char *(*text_of)(const void *))
{
	if (t->used * 2 >= t->size) {
		struct table bigger = {prog_alloc(t->size ? t->size * 2 : 64, sizeof(void *)),
		    t->size ? t->size * 2 : 64, t->used};
		for (size_t i = 0; i < t->size; i++) {
			if (t->slots[i] == NULL)
				continue;
			const char *have = text_of(t->slots[i]);
			size_t at = hash(have, strlen(have)) & (bigger.size - 1);
			while (bigger.slots[at] != NULL)
				at = (at + 1) & (bigger.size - 1);
			bigger.slots[at] = t->slots[i];
		}
		free(t->slots);
		*t = bigger;
	}
	size_t at = hash(text, len) & (t->size - 1);
	while (t->slots[at] != NULL) {
		const char *have = text_of(t->slots[at]);
		if (strncmp(have, text, len) == 0 && have[len] == '\0')
			break;
		at = (at + 1) & (t->size - 1);
	}
	return &t->slots[at];
}

static const char *
string_text(const void *slot)
{
	return slot;
}

static const char *
meaning_text(const void *slot)
{
	return ((const struct meaning *)slot)->name;
}

const char *
map_intern(struct map *m, const char *text, size_t len)
{
	size_t end = strnlen(text, len);
	void **slot = find(&m->strings, text, end, string_text);

	if (*slot == NULL) {
		*slot = prog_copy(text, end);
		m->strings.used++;
	}
	return *slot;
}

const struct meaning *
map_meaning(struct map *m, const char *name, size_t len)
{
	size_t end = strnlen(name, len);
	void **slot = find(&m->meanings, name, end, meaning_text);

	if (*slot != NULL)
		return *slot;
	struct meaning *made = prog_alloc(1, sizeof *made);
	char *copy = prog_copy(name, end);
	*made = (struct meaning){.layer = NO_LAYER, .impact = NAN, .unmapped = true};
	for (size_t i = 0; i < m->rule_count && made->unmapped; i++) {
		if (fnmatch(m->rules[i].match, copy, 0) == 0)
			*made = m->rules[i].means;
	}
	made->name = map_intern(m, copy, end);
	if (made->state == NULL)
		made->state = made->name;
	free(copy);
	m->unmapped += made->unmapped && m->rule_count > 0;
	*slot = made;
	m->meanings.used++;
	return made;
}

static const char *
intern_member(struct map *m, jv obj, const char *key)
{
	const char *text = jvx_text(obj, key);

	return text != NULL ? map_intern(m, text, strlen(text)) : NULL;
}

static void
add_rule(struct map *m, jv entry, const char *path, int i)
{
	const char *match = jvx_text(entry, "match"), *layer = jvx_text(entry, "layer");

	if (match == NULL)
		errx(TROUBLE, "%s: states[%d] has no \"match\"", path, i);
	if (layer != NULL && layer_of(layer) == NO_LAYER)
		errx(TROUBLE,
		    "%s: states[%d]: layer is none of prompt, tool_schema, router, handoff, "
		    "policy, "
		    "feedback, external",
		    path, i);
	m->rules = prog_resize(m->rules, m->rule_count + 1, sizeof *m->rules);
	m->rules[m->rule_count++] = (struct rule){
	    prog_copy(match, strlen(match)), {.state = intern_member(m, entry, "state"),
						 .milestone = intern_member(m, entry, "milestone"),
						 .layer = layer_of(layer),
						 .impact = jvx_number(entry, "impact", NAN),
						 .tool = jvx_true(entry, "tool"),
						 .terminal = jvx_true(entry, "terminal"),
						 .ignore = jvx_true(entry, "ignore")}};
}

static void
digest_file(struct map *m, const char *path)
{
	struct buf bytes = {0};

	if (!buf_file(&bytes, path, 16 << 20))
		err(TROUBLE, "%s", path);
	digest_sha256(bytes.data, bytes.len, m->sha256);
	buf_free(&bytes);
}

struct map *
map_read(const char *path)
{
	struct map *m = prog_alloc(1, sizeof *m);

	digest_sha256("", 0, m->sha256);
	if (path == NULL)
		return m;
	jv file = yamlx_file(path);
	if (!jv_is_valid(file))
		exit(TROUBLE);
	jv states = jvx_get(file, "states"), required = jvx_get(file, "required");
	if (jv_get_kind(states) != JV_KIND_ARRAY)
		errx(TROUBLE, "%s: no list \"states\"", path);
	jv_array_foreach (states, i, entry) {
		add_rule(m, entry, path, i);
		jv_free(entry);
	}
	if (jv_get_kind(required) == JV_KIND_ARRAY) {
		m->required =
		    prog_alloc((size_t)jv_array_length(jv_copy(required)), sizeof *m->required);
		jv_array_foreach (required, i, name) {
			if (jv_get_kind(name) != JV_KIND_STRING)
				errx(TROUBLE, "%s: required[%d] is no name", path, i);
			m->required[m->required_count++] =
			    map_intern(m, jv_string_value(name), jvx_length(name));
			jv_free(name);
		}
	}
	digest_file(m, path);
	jv_free(states);
	jv_free(required);
	jv_free(file);
	return m;
}

const char *const *
map_required(const struct map *m, size_t *count)
{
	*count = m->required_count;
	return m->required;
}

const char *
map_sha256(const struct map *m)
{
	return m->sha256;
}

size_t
map_unmapped(const struct map *m)
{
	return m->unmapped;
}

void
map_free(struct map *m)
{
	for (size_t i = 0; i < m->rule_count; i++)
		free(m->rules[i].match);
	for (size_t i = 0; i < m->strings.size; i++)
		free(m->strings.slots[i]);
	for (size_t i = 0; i < m->meanings.size; i++)
		free(m->meanings.slots[i]);
	free(m->strings.slots);
	free(m->meanings.slots);
	free(m->rules);
	free(m->required);
	free(m);
}
