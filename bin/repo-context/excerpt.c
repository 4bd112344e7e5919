#define _GNU_SOURCE /* memmem, which POSIX has since 2024 */
#include "excerpt.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "prog.h"
#include "utf8.h"

enum { BEFORE = 4, AFTER = 6 };      /* lines around a place */
enum { TEST_BEFORE = 30 };           /* from the start of the test to where it failed */
enum { PER_WORD = 3, PER_FILE = 2 }; /* excerpts for one word, and of those in one file */
enum { COMMON = 30 };                /* files; a word in more of them says nothing */
enum { LINE_LONG = 300, LINE_MAX = 2000, WHY_MAX = 200 };
enum { HITS_MAX = 20000 };

/* A word found. */
struct hit {
	size_t word, file;
	long line;
	double score;
};

struct hits {
	struct hit *list;
	size_t count;
	size_t files[WORDS_MAX];     /* by word: in how many */
	size_t app_files[WORDS_MAX]; /* that are no tests */
};

long
count_lines(const struct buf *text)
{
	long lines = 0;

	for (size_t i = 0; i < text->len; i++)
		lines += text->data[i] == '\n';
	return lines + (text->len > 0 && text->data[text->len - 1] != '\n');
}

void
excerpt_text(struct buf *b, const struct buf *text, long first, long last)
{
	const char *p = text->data, *end = text->data + text->len;

	for (long line = 1; p < end && line <= last; line++) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		size_t len = (size_t)((eol != NULL ? eol : end) - p);
		if (line >= first) {
			size_t keep = len > 0 && p[len - 1] == '\r' ? len - 1 : len;
			size_t cut = keep > LINE_LONG ? utf8_floor(p, keep, LINE_LONG) : keep;
			buf_add(b, p, cut);
			buf_text(b, cut < keep ? "…\n" : "\n");
		}
		p += len + 1;
	}
}

static void
add_why(struct excerpt *x, const char *why)
{
	if (x->why.len > 0 && (strstr(x->why.data, why) != NULL || x->why.len > WHY_MAX))
		return;
	buf_format(&x->why, "%s%s", x->why.len > 0 ? ", " : "", why);
}

/*
 * Lines first to last of a file, or as many of them as there is room for.  Joined to an excerpt
 * that they meet, so that no line is shown twice.
 */
static bool
add_excerpt(struct excerpts *e, long file, long first, long last, long line, const char *why)
{
	if (first < 1)
		first = 1;
	for (size_t i = 0; i < e->count; i++) {
		struct excerpt *x = &e->list[i];
		if (x->file != file || first > x->last + 1 || last < x->first - 1)
			continue;
		long from = first < x->first ? first : x->first,
		     to = last > x->last ? last : x->last;
		long more = (to - from) - (x->last - x->first);
		/* Two that are joined already must not meet a third: keep inside then. */
		bool joins = e->lines + more <= LINES_MAX;
		for (size_t k = 0; joins && k < e->count; k++)
			joins = k == i || e->list[k].file != file || from > e->list[k].last ||
				to < e->list[k].first;
		if (joins) {
			x->first = from;
			x->last = to;
			e->lines += more;
		}
		add_why(x, why);
		return true;
	}
	if (e->count == EXCERPTS_MAX || e->lines + last - first + 1 > LINES_MAX)
		return false;
	e->list[e->count] =
	    (struct excerpt){.file = file, .first = first, .last = last, .line = line};
	add_why(&e->list[e->count++], why);
	e->lines += last - first + 1;
	return true;
}

static void
find_places(struct excerpts *e, const struct asks *a, const struct checkout *c)
{
	struct buf text = {0};

	for (int rank = PLACE_ERROR; rank <= PLACE_CONSOLE; rank++) {
		for (size_t i = 0; i < a->place_count; i++) {
			const struct place *p = &a->places[i];
			if ((int)p->rank != rank)
				continue;
			long file = checkout_find(c, p->file);
			if (file < 0 || !checkout_read(c, (size_t)file, &text))
				continue;
			long lines = count_lines(&text), last = p->line + AFTER;
			if (p->line > lines)
				continue;
			long before = BEFORE;
			/* From the first line of the test, when that is near. */
			for (size_t k = 0; rank == PLACE_ERROR && k < a->place_count; k++) {
				long up = p->line - a->places[k].line;
				if (a->places[k].rank == PLACE_TEST && up > before &&
				    up <= TEST_BEFORE && strcmp(a->places[k].file, p->file) == 0)
					before = up;
			}
			add_excerpt(e, file, p->line - before, last < lines ? last : lines, p->line,
			    p->why);
		}
	}
	buf_free(&text);
}

/* Files that people write: no lock files, no maps, nothing that a tool put together. */
static bool
is_written(const char *name)
{
	static const char *const kinds[] = {"ts", "tsx", "js", "jsx", "mjs", "cjs", "mts", "cts",
	    "vue", "svelte", "astro", "html", "htm", "graphql", "graphqls", "gql", "json", "yaml",
	    "yml", "py", "rb", "erb", "haml", "slim", "java", "kt", "kts", "scala", "go", "rs",
	    "cs", "cshtml", "razor", "php", "twig", "ex", "exs", "heex", "eex", "hbs", "ejs", "pug",
	    "njk", "liquid", "dart", "elm", "swift", "c", "cc", "cpp", "h", "css", "scss", "less",
	    "properties", "po", "ftl", "toml", "feature", NULL};
	const char *slash = strrchr(name, '/'), *base = slash != NULL ? slash + 1 : name;
	const char *dot = strrchr(base, '.');

	if (dot == NULL || strstr(base, "lock") != NULL || strstr(base, ".min.") != NULL ||
	    strstr(name, "node_modules/") != NULL || strstr(name, "test-results/") != NULL)
		return false;
	for (size_t i = 0; kinds[i] != NULL; i++)
		if (strcmp(dot + 1, kinds[i]) == 0)
			return true;
	return false;
}

static bool
is_test(const char *name)
{
	return strstr(name, ".spec.") != NULL || strstr(name, ".test.") != NULL ||
	       strstr(name, "test/") != NULL || strstr(name, "tests/") != NULL ||
	       strstr(name, "e2e/") != NULL || strstr(name, "__tests__/") != NULL;
}

static bool
is_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* The next place at or behind from where word stands for itself, not inside a longer one. */
static const char *
find_word(const struct buf *text, const char *from, const char *word, size_t len)
{
	const char *end = text->data + text->len, *at;

	while ((at = memmem(from, (size_t)(end - from), word, len)) != NULL) {
		bool before = at > text->data && is_letter(at[-1]) && is_letter(word[0]);
		bool after = at + len < end && is_letter(at[len]) && is_letter(word[len - 1]);
		if (!before && !after)
			return at;
		from = at + 1;
	}
	return NULL;
}

static bool
is_generated(const struct buf *text)
{
	size_t run = 0;

	for (size_t i = 0; i < text->len && run <= LINE_MAX; i++)
		run = text->data[i] == '\n' ? 0 : run + 1;
	return run > LINE_MAX;
}

static void
search_file(struct hits *h, const struct asks *a, size_t file, bool test, const struct buf *text)
{
	for (size_t w = 0; w < a->word_count; w++) {
		const char *word = a->words[w].text, *at = text->data, *counted = text->data;
		size_t len = strlen(word);
		long line = 1;
		int found = 0;
		while (found < PER_FILE && (at = find_word(text, at, word, len)) != NULL) {
			for (; counted < at; counted++)
				line += *counted == '\n';
			if (h->count == HITS_MAX)
				return;
			if ((h->count & (h->count - 1)) == 0)
				h->list = prog_resize(
				    h->list, h->count ? 2 * h->count : 1, sizeof *h->list);
			h->list[h->count++] = (struct hit){w, file, line, 0};
			found++;
			/* The next one of interest is not in the lines that this one shows. */
			for (int skip = AFTER; skip > 0 && at != NULL; skip--) {
				at = memchr(at, '\n', text->len - (size_t)(at - text->data));
				at = at != NULL ? at + 1 : NULL;
			}
			if (at == NULL)
				break;
		}
		h->files[w] += found > 0;
		h->app_files[w] += found > 0 && !test;
	}
}

static int
by_score(const void *a, const void *b)
{
	const struct hit *x = a, *y = b;

	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->word < y->word ? -1 : x->word > y->word;
}

static void
find_words(struct excerpts *e, const struct asks *a, const struct checkout *c)
{
	struct hits h = {0};
	struct buf text = {0}, why = {0};
	int used[WORDS_MAX] = {0};

	for (size_t f = 0; a->word_count > 0 && f < checkout_count(c); f++)
		if (is_written(checkout_name(c, f)) && checkout_read(c, f, &text) &&
		    !is_generated(&text))
			search_file(&h, a, f, is_test(checkout_name(c, f)), &text);
	/* What few files know tells most; what the tests know, the places have shown. */
	for (size_t i = 0; i < h.count; i++) {
		struct hit *x = &h.list[i];
		x->score = (double)a->words[x->word].weight / (1 + (double)h.app_files[x->word]);
		if (is_test(checkout_name(c, x->file)))
			x->score /= 4;
	}
	if (h.count > 0)
		qsort(h.list, h.count, sizeof *h.list, by_score);
	for (size_t i = 0; i < h.count && e->count < EXCERPTS_MAX; i++) {
		struct hit *x = &h.list[i];
		if (h.files[x->word] > COMMON || used[x->word] == PER_WORD ||
		    !checkout_read(c, x->file, &text))
			continue;
		long lines = count_lines(&text), last = x->line + AFTER;
		buf_clear(&why);
		buf_format(&why, "\"%s\" of %s", a->words[x->word].text, a->words[x->word].why);
		used[x->word] += add_excerpt(e, (long)x->file, x->line - BEFORE,
		    last < lines ? last : lines, x->line, why.data);
	}
	buf_free(&why);
	buf_free(&text);
	free(h.list);
}

void
excerpts_find(struct excerpts *e, const struct asks *a, const struct checkout *c)
{
	find_places(e, a, c);
	find_words(e, a, c);
}

void
excerpts_free(struct excerpts *e)
{
	for (size_t i = 0; i < e->count; i++)
		buf_free(&e->list[i].why);
	*e = (struct excerpts){0};
}
