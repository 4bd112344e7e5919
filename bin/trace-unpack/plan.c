#define _GNU_SOURCE /* memmem, which POSIX has since 2024 */
#include "plan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "prog.h"

enum kind { STACKS, TRACE, NETWORK, REST };

/* One member of lines on its way into its trace. */
struct item {
	char *key;    /* the folder with its '/', and the test where several share it */
	char *prefix; /* the name less .trace */
	size_t folder_len, member;
	enum kind kind;
	bool runner, later; /* later: a "-test.trace" that has yet to find its retry */
};

bool
name_ends(const char *name, const char *tail)
{
	size_t n = strlen(name), t = strlen(tail);

	return n > t && strcmp(name + n - t, tail) == 0;
}

/* strcmp(3) but numbers by value: "2-trace" before "10-trace". */
static int
name_order(const char *a, const char *b)
{
	while (*a != '\0' && *b != '\0') {
		if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
			size_t zeros_a = strspn(a, "0"), zeros_b = strspn(b, "0");
			size_t len_a = strspn(a + zeros_a, "0123456789");
			size_t len_b = strspn(b + zeros_b, "0123456789");
			if (len_a != len_b)
				return len_a < len_b ? -1 : 1;
			int order = memcmp(a + zeros_a, b + zeros_b, len_a);
			if (order == 0 && zeros_a != zeros_b)
				order = zeros_a < zeros_b ? -1 : 1;
			if (order != 0)
				return order;
			a += zeros_a + len_a;
			b += zeros_b + len_b;
			continue;
		}
		if (*a != *b)
			return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
		a++;
		b++;
	}
	return (*a != '\0') - (*b != '\0');
}

static enum kind
kind_of(const char *name)
{
	if (name_ends(name, ".trace"))
		return TRACE;
	if (name_ends(name, ".stacks"))
		return STACKS;
	return name_ends(name, ".network") ? NETWORK : REST;
}

static size_t
folder_len(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash == NULL ? 0 : (size_t)(slash - name) + 1;
}

/* Cut a last "-WORDn" off the len bytes of name: the new length. */
static size_t
cut_suffix(const char *name, size_t len, const char *word)
{
	size_t n = len, w = strlen(word);

	while (n > 0 && isdigit((unsigned char)name[n - 1]))
		n--;
	if (n == len || n <= w || memcmp(name + n - w, word, w) != 0)
		return len;
	return n - w;
}

/* The names that the zip of a single test has: trace, trace-1, test, 0-trace, 0-1-trace. */
static bool
is_plain(const char *prefix)
{
	const char *p = prefix;

	if (strcmp(p, "test") == 0)
		return true;
	while (isdigit((unsigned char)*p)) {
		size_t digits = strspn(p, "0123456789");
		if (p[digits] != '-')
			return false;
		p += digits + 1;
	}
	if (strncmp(p, "trace", 5) != 0)
		return false;
	p += 5;
	return *p == '\0' || (*p == '-' && p[1 + strspn(p + 1, "0123456789")] == '\0');
}

/* A runner's trace starts in its own way, or, before format 7, without any context-options. */
static bool
starts_as_runner(const struct source *s, const struct member *m)
{
	struct stream *in = source_open(s, m);
	struct zip_fault fault = {0};
	const char *block;
	bool runner = false;

	long len = source_block(in, &block, &fault);
	if (len > 0) {
		const char *end = memchr(block, '\n', (size_t)len);
		size_t line = end != NULL ? (size_t)(end - block) : (size_t)len;
		runner = memmem(block, line, "\"context-options\"", 17) == NULL ||
			 memmem(block, line, "\"testRunner\"", 12) != NULL;
	}
	free(fault.member);
	source_close(in);
	return runner;
}

static struct item
make_item(const struct source *s, size_t member, enum kind kind)
{
	const char *name = s->members[member].name;
	struct item it = {.kind = kind, .member = member, .folder_len = folder_len(name)};
	const char *base = name + it.folder_len;

	it.prefix = prog_copy(base, (size_t)(strrchr(base, '.') - base));
	it.runner = kind == TRACE &&
		    (strcmp(it.prefix, "test") == 0 || starts_as_runner(s, &s->members[member]));
	if (is_plain(it.prefix)) {
		it.key = prog_copy(name, it.folder_len);
		return it;
	}
	size_t len = strlen(it.prefix);
	it.later = name_ends(it.prefix, "-test");
	if (it.later)
		len -= 5;
	len = cut_suffix(it.prefix, len, "-chunk");
	len = cut_suffix(it.prefix, len, "-recording");
	it.key = prog_copy(name, it.folder_len + len);
	return it;
}

static int
by_key(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	int order = name_order(x->key, y->key);

	if (order == 0)
		order = y->runner - x->runner;
	if (order == 0)
		order = name_order(x->prefix, y->prefix);
	if (order == 0)
		order = (int)x->kind - (int)y->kind;
	return order;
}

/* The runner's live trace belongs to the last retry, whose key begins with its own. */
static void
join_retries(struct item *items, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t len = strlen(items[i].key), best = i;
		if (!items[i].later)
			continue;
		for (size_t k = i + 1; k < count && strncmp(items[k].key, items[i].key, len) == 0;
		     k++)
			if (items[k].key[len] != '\0' &&
			    cut_suffix(items[k].key, strlen(items[k].key), "-retry") == len)
				best = k;
		if (best == i)
			continue;
		free(items[i].key);
		items[i].key = prog_copy(items[best].key, strlen(items[best].key));
	}
}

static void
add_index(size_t **list, size_t *count, size_t index)
{
	if ((*count & (*count - 1)) == 0)
		*list = prog_resize(*list, *count ? 2 * *count : 1, sizeof **list);
	(*list)[(*count)++] = index;
}

/* The folder of the first len bytes of path, NULL when no trace is in it; roots are sorted. */
static struct root *
find_root(struct plan *p, const char *path, size_t len)
{
	size_t lo = 0, hi = p->root_count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int order = strncmp(p->roots[mid].path, path, len);
		if (order == 0 && p->roots[mid].path[len] != '\0')
			order = 1;
		if (order == 0)
			return &p->roots[mid];
		if (order < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

static int
by_path(const void *a, const void *b)
{
	const struct root *x = a, *y = b;

	return strcmp(x->path, y->path);
}

static void
find_roots(struct plan *p, const struct item *items, size_t count)
{
	size_t kept = 0;

	p->roots = prog_alloc(count, sizeof *p->roots);
	for (size_t i = 0; i < count; i++)
		if (items[i].kind == TRACE)
			p->roots[p->root_count++].path =
			    prog_copy(items[i].key, items[i].folder_len);
	qsort(p->roots, p->root_count, sizeof *p->roots, by_path);
	for (size_t i = 0; i < p->root_count; i++) {
		if (kept > 0 && strcmp(p->roots[kept - 1].path, p->roots[i].path) == 0)
			free(p->roots[i].path);
		else
			p->roots[kept++] = p->roots[i];
	}
	p->root_count = kept;
}

/* Give each member that is no lines to the nearest folder above it that has a trace. */
static void
share_rest(struct plan *p, const struct source *s)
{
	for (size_t i = 0; i < s->count; i++) {
		const char *name = s->members[i].name;
		struct root *root = NULL;
		if (kind_of(name) != REST)
			continue;
		for (size_t len = folder_len(name);;) {
			root = find_root(p, name, len);
			if (root != NULL || len == 0)
				break;
			for (len--; len > 0 && name[len - 1] != '/'; len--)
				;
		}
		if (root != NULL)
			add_index(&root->rest, &root->rest_count, i);
		else
			add_index(&p->loose, &p->loose_count, i);
	}
}

/* The items from..to share a key: a trace if there is a .trace among them. */
static void
add_trace(struct plan *p, const struct item *items, size_t from, size_t to)
{
	struct trace *t = &p->traces[p->count];
	bool any = false;

	for (size_t i = from; i < to; i++)
		any = any || items[i].kind == TRACE;
	if (!any)
		return;
	size_t len = strlen(items[from].key);
	if (len > 0 && items[from].key[len - 1] == '/')
		len--;
	t->name = prog_copy(items[from].key, len);
	t->root = find_root(p, items[from].key, items[from].folder_len);
	for (size_t i = from; i < to; i++)
		add_index(&t->lines, &t->line_count, items[i].member);
	p->count++;
}

struct plan *
plan_make(const struct source *s)
{
	struct plan *p = prog_alloc(1, sizeof *p);
	struct item *items = prog_alloc(s->count, sizeof *items);
	size_t count = 0, from = 0;

	for (size_t i = 0; i < s->count; i++) {
		const char *name = s->members[i].name;
		/* Copies of the network made while a chunk is written; the original is there too.
		 */
		bool copy = strstr(name, "-pwnetcopy-") != NULL;
		enum kind kind = kind_of(name);
		if (kind != REST && !copy && folder_len(name) < strlen(name) - strlen(".trace"))
			items[count++] = make_item(s, i, kind);
	}
	qsort(items, count, sizeof *items, by_key);
	join_retries(items, count);
	qsort(items, count, sizeof *items, by_key);
	find_roots(p, items, count);
	share_rest(p, s);
	p->traces = prog_alloc(count, sizeof *p->traces);
	for (size_t i = 1; i <= count; i++) {
		if (i < count && strcmp(items[i].key, items[from].key) == 0)
			continue;
		add_trace(p, items, from, i);
		from = i;
	}
	if (p->count == 1)
		p->traces[0].name[0] = '\0';
	for (size_t i = 0; i < count; i++) {
		free(items[i].key);
		free(items[i].prefix);
	}
	free(items);
	return p;
}

void
plan_free(struct plan *p)
{
	for (size_t i = 0; i < p->count; i++) {
		free(p->traces[i].name);
		free(p->traces[i].lines);
	}
	for (size_t i = 0; i < p->root_count; i++) {
		free(p->roots[i].path);
		free(p->roots[i].rest);
	}
	free(p->traces);
	free(p->roots);
	free(p->loose);
	free(p);
}
