/*
 * cmd-guard on any bytes: what it allows means to a shell exactly its words.
 *
 * wordexp(3) is the shell here, in this process.  The words that were read must be the words it
 * makes, and what the table allows must be made of them.
 */
#define _GNU_SOURCE
#include <stdint.h>
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

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct table *t;
	static struct roots *roots;
	struct words w = {0};
	struct verdict v;
	size_t at;

	if (t == NULL) {
		t = table_text("table", table_built_in, strlen(table_built_in));
		roots = roots_open(t->roots, t->dots);
	}
	if (words_parse(&w, (const char *)data, size, &at) == NULL) {
		char *text = prog_copy((const char *)data, size);
		same_words(&w, text);
		free(text);
		judge(&v, t, roots, &w);
		if (v.allowed)
			made_of(&v.argv, &w, table_find(t, w.list[0].text));
		verdict_free(&v);
	} else if (at > size) {
		abort();
	}
	words_free(&w);
	return 0;
}
