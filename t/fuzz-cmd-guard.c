/*
 * cmd-guard on any bytes: what it allows means to a shell exactly its words.
 *
 * wordexp(3) is the shell here, in this process.  The words that were read must be the words it
 * makes, and what the table allows must be made of them.  Each input is also the seed of many
 * strings made of what commands and attacks are made of: ten million in a minute.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

#include "../bin/cmd-guard/judge.h"
#include "../bin/cmd-guard/roots.h"
#include "../bin/cmd-guard/table.h"
#include "../bin/cmd-guard/words.h"
#include "prog.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
same_words(const struct words *w, const char *text)
{
	wordexp_t shell;

	if (wordexp(text, &shell, WRDE_NOCMD | WRDE_UNDEF) != 0)
		abort();
	if (shell.we_wordc != w->count)
		abort();
	for (size_t i = 0; i < w->count; i++)
		if (strcmp(shell.we_wordv[i], w->list[i].text) != 0)
			abort();
	wordfree(&shell);
}

/* Each word that would run is one that was given, or one that the table itself adds. */
static void
made_of(const struct words *argv, const struct words *given, const struct command *c)
{
	for (size_t i = 0; c->as == NULL && i < argv->count; i++) {
		bool known = false;
		for (size_t j = 0; j < given->count; j++)
			known = known || strcmp(argv->list[i].text, given->list[j].text) == 0;
		for (char **add = c->add; add != NULL && *add != NULL; add++)
			known = known || strcmp(argv->list[i].text, *add) == 0;
		if (!known)
			abort();
	}
}

static struct table *table;
static struct roots *roots;
static unsigned long strings, accepted;

static void
tell(void)
{
	printf("%lu command strings, %lu of them words to a shell\n", strings, accepted);
}

static void
decide(const struct words *w)
{
	struct verdict v;

	judge(&v, table, roots, w);
	if (v.allowed)
		made_of(&v.argv, w, table_find(table, w->list[0].text));
	verdict_free(&v);
}

/* True when the string is words; with judged, they are judged too, which looks at files. */
static bool
read_string(const char *text, size_t len, bool judged)
{
	struct words w = {0};
	size_t at;
	bool good = words_parse(&w, text, len, &at) == NULL;

	strings++;
	accepted += good;
	if (good) {
		char *copy = prog_copy(text, len);
		same_words(&w, copy);
		free(copy);
		if (judged)
			decide(&w);
	} else if (at > len) {
		abort();
	}
	words_free(&w);
	return good;
}

static void
made_of_pieces(uint32_t x)
{
	static const char *const pieces[] = {"ls", "find", "grep", "cat", "head", "sed", "unzip",
	    " ", " ", " ", " ", " -l", " -n", " -delete", " -exec", " --", " .", " /tmp",
	    " src/a.ts", " ../x", " 'a b'", "'", "''", "\"", "\\", "$", "$(id)", "`", ";", "&", "|",
	    ">", "<", "*", "?", "[", "{a,b}", "~", "#", "!", "\n", "\r", "\t", "\xc2\xa0", "=", ":",
	    "%", "@", "a", "B", "9", ",", "+", "_", "1,5p", "${IFS}", "x.zip", " -d", "A=1 "};
	char text[256];
	size_t len = 0, n;

	x |= 1; /* xorshift32 (Marsaglia 2003) stays at 0 */
	for (int count = 2 + (int)(x % 7); count > 0; count--) {
		x ^= x << 13, x ^= x >> 17, x ^= x << 5;
		const char *piece = pieces[x % (sizeof pieces / sizeof pieces[0])];
		n = strlen(piece);
		memcpy(text + len, piece, n);
		len += n;
	}
	read_string(text, len, false);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t seed = 2166136261u; /* FNV-1a */

	if (table == NULL) {
		table = table_text("table", table_built_in, strlen(table_built_in));
		roots = roots_open(table->roots, table->dots);
		atexit(tell);
	}
	read_string((const char *)data, size, true);
	for (size_t i = 0; i < size; i++)
		seed = (seed ^ data[i]) * 16777619;
	for (uint32_t i = 0; i < 64; i++)
		made_of_pieces((seed + i) * 2654435761u ^ (uint32_t)strings);
	return 0;
}
