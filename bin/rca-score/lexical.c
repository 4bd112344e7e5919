#include "lexical.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prog.h"

enum { WORD_BYTES = 64, WORDS = 20000 };

struct word {
	char stem[2 * WORD_BYTES];
	double weight;
};

struct words {
	struct word *at;
	size_t count, size;
};

static const char *const empty_words[] = {"a", "an", "the", "of", "to", "in", "on", "at", "is",
    "are", "was", "were", "be", "been", "it", "its", "that", "this", "which", "while", "and", "or",
    "so", "as", "by", "for", "from", "with", "has", "have", "had", "does", "do", "did", "can",
    "could", "may", "than", "then", "there", "because", "but", "no", "not", "none", "any", "only",
    "until", "after", "before", "more", "s", "whose", "what", "when", "where", "would", "will",
    "they", "them", "itself", "out", "up", "into", "one", "expected", "got", "cannot", "diagnosed",
    "trace", NULL};

/* What stands in the report of nearly every failure. */
static const char *const common_words[] = {"test", "page", "request", "server", "app", "mock",
    "table", "button", "render", "show", "answer", "real", "http", "200", "error", "query", "data",
    "list", "api", "js", "ts", "e2e", "spec", "web", "src", NULL};

/* Of the words in a group any stands for all. */
static const char *const same_words[][8] = {
    {"answer", "respond", "response", "return", "repl", "deliver", NULL},
    {"mock", "stub", "route", "intercept", "handler", NULL},
    {"send", "sent", "call", "request", "quer", "fetch", NULL},
    {"show", "render", "display", "visibl", "appear", NULL},
    {"app", "application", NULL},
    {"server", "backend", NULL},
    {"absent", "missing", "lack", NULL},
    {"match", "fit", "fits", NULL},
    {"expir", "expire", "stale", "outdat", NULL},
    {"join", "concatenat", "concatenation", NULL},
    {"register", "registr", "regist", NULL},
    {"cover", "overlay", "intercept", "obscur", NULL},
};

static bool
listed(const char *const list[], const char *word)
{
	for (size_t i = 0; list[i] != NULL; i++)
		if (strcmp(list[i], word) == 0)
			return true;
	return false;
}

static bool
cut(char *word, const char *end, size_t least)
{
	size_t len = strlen(word), n = strlen(end);

	if (len < n + least || strcmp(word + len - n, end) != 0)
		return false;
	word[len - n] = '\0';
	return true;
}

/* English endings, roughly: both sides are cut alike. */
static void
stem(char *word)
{
	static const char *const endings[] = {"ies", "ied", "ing", "ed", "es", "ly", "s"};

	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
		if (cut(word, endings[i], 3))
			break;
	cut(word, "e", 3);
	cut(word, "y", 3);
	size_t len = strlen(word);
	if (len > 3 && word[len - 1] == word[len - 2] && strchr("bdgmnprt", word[len - 1]) != NULL)
		word[len - 1] = '\0';
}

static void
add_word(struct words *w, const char *text, size_t len, bool quoted)
{
	struct word word = {.weight = quoted ? 1.5 : 1};

	if (len >= WORD_BYTES || w->count >= WORDS)
		return;
	for (size_t i = 0; i < len; i++) {
		if (isdigit((unsigned char)text[i]) || text[i] == '_' ||
		    (i > 0 && isupper((unsigned char)text[i])))
			word.weight = 2;
		word.stem[i] = (char)tolower((unsigned char)text[i]);
	}
	if (listed(empty_words, word.stem))
		return;
	bool common = listed(common_words, word.stem);
	stem(word.stem);
	if (common || listed(common_words, word.stem))
		word.weight = 0.4;
	for (size_t i = 0; i < sizeof same_words / sizeof *same_words; i++)
		if (listed(same_words[i], word.stem)) {
			snprintf(word.stem, sizeof word.stem, "%s", same_words[i][0]);
			break;
		}
	if (w->count == w->size) {
		w->size = w->size ? 2 * w->size : 64;
		w->at = prog_resize(w->at, w->size, sizeof *w->at);
	}
	w->at[w->count++] = word;
}

static struct words
words_of(const char *text, size_t len)
{
	struct words w = {0};
	bool quoted = false;

	for (size_t i = 0; i < len;) {
		size_t n = 0;
		while (i + n < len && (isalnum((unsigned char)text[i + n]) || text[i + n] == '_'))
			n++;
		if (n > 0)
			add_word(&w, text + i, n, quoted);
		else if (text[i] == '"' || text[i] == '`')
			quoted = !quoted;
		i += n > 0 ? n : 1;
	}
	return w;
}

/* As one word, or as two that are joined: "operationName" is "operation name". */
static bool
has(const struct words *w, const char *word)
{
	for (size_t i = 0; i < w->count; i++) {
		size_t n = strlen(w->at[i].stem);
		if (strncmp(w->at[i].stem, word, n) != 0)
			continue;
		if (word[n] == '\0' ||
		    (i + 1 < w->count && strcmp(word + n, w->at[i + 1].stem) == 0))
			return true;
	}
	return false;
}

double
lexical_share(const char *sentence, const struct buf *text)
{
	struct words want = words_of(sentence, strlen(sentence));
	struct words have = words_of(text->data ? text->data : "", text->len);
	double found = 0, all = 0;

	for (size_t i = 0; i < want.count; i++) {
		bool again = false;
		for (size_t k = 0; k < i && !again; k++)
			again = strcmp(want.at[k].stem, want.at[i].stem) == 0;
		if (again)
			continue;
		all += want.at[i].weight;
		if (has(&have, want.at[i].stem))
			found += want.at[i].weight;
	}
	free(want.at);
	free(have.at);
	return all > 0 ? found / all : 0;
}
