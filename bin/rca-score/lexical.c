#include "lexical.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "prog.h"

enum { WORD_BYTES = 64, WORDS = 20000, KNOWN = 512 };

struct word {
	char stem[2 * WORD_BYTES];
	double weight;
};

struct words {
	struct word *at;
	size_t count, size;
};

/* A word of the lists below. */
struct known {
	const char *word, *same; /* NULL: the slot is free; no other word stands for it */
	bool empty, common;
};

/* Tables with open addressing: a word is sought from the slot of its digest on. */
struct lexical {
	struct known known[KNOWN];
	struct words words;
	size_t *slots; /* 2 i + 1: word i; 2 i + 2: word i joined with the next; 0: free */
	size_t size;   /* a power of two */
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

/* FNV-1a, which goes on where it ended. */
static const size_t digest_start = 2166136261u;

static size_t
digest(size_t h, const char *word)
{
	for (; *word != '\0'; word++)
		h = (h ^ (unsigned char)*word) * 16777619u & 0xffffffffu;
	return h;
}

/* The slot of a word, or the free one where it would be. */
static size_t
known_slot(const struct known known[KNOWN], const char *word)
{
	size_t i = digest(digest_start, word) % KNOWN;

	while (known[i].word != NULL && strcmp(known[i].word, word) != 0)
		i = (i + 1) % KNOWN;
	return i;
}

static void
learn_lists(struct known known[KNOWN])
{
	for (size_t i = 0; empty_words[i] != NULL; i++)
		known[known_slot(known, empty_words[i])] =
		    (struct known){.word = empty_words[i], .empty = true};
	for (size_t i = 0; common_words[i] != NULL; i++) {
		struct known *k = &known[known_slot(known, common_words[i])];
		k->word = common_words[i];
		k->common = true;
	}
	for (size_t i = 0; i < sizeof same_words / sizeof *same_words; i++)
		for (size_t n = 0; same_words[i][n] != NULL; n++) {
			struct known *k = &known[known_slot(known, same_words[i][n])];
			k->word = same_words[i][n];
			if (k->same == NULL)
				k->same = same_words[i][0];
		}
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
add_word(
    const struct known known[KNOWN], struct words *w, const char *text, size_t len, bool quoted)
{
	struct word word;

	if (len >= WORD_BYTES || w->count >= WORDS)
		return;
	word.weight = quoted ? 1.5 : 1;
	for (size_t i = 0; i < len; i++) {
		if (isdigit((unsigned char)text[i]) || text[i] == '_' ||
		    (i > 0 && isupper((unsigned char)text[i])))
			word.weight = 2;
		word.stem[i] = (char)tolower((unsigned char)text[i]);
	}
	word.stem[len] = '\0';
	const struct known *as_is = &known[known_slot(known, word.stem)];
	if (as_is->empty)
		return;
	stem(word.stem);
	const struct known *stemmed = &known[known_slot(known, word.stem)];
	if (as_is->common || stemmed->common)
		word.weight = 0.4;
	if (stemmed->same != NULL)
		memcpy(word.stem, stemmed->same, strlen(stemmed->same) + 1);
	if (w->count == w->size) {
		w->size = w->size ? 2 * w->size : 64;
		w->at = prog_resize(w->at, w->size, sizeof *w->at);
	}
	w->at[w->count++] = word;
}

static struct words
words_of(const struct known known[KNOWN], const char *text, size_t len)
{
	struct words w = {0};
	bool quoted = false;

	for (size_t i = 0; i < len;) {
		size_t n = 0;
		while (i + n < len && (isalnum((unsigned char)text[i + n]) || text[i + n] == '_'))
			n++;
		if (n > 0)
			add_word(known, &w, text + i, n, quoted);
		else if (text[i] == '"' || text[i] == '`')
			quoted = !quoted;
		i += n > 0 ? n : 1;
	}
	return w;
}

/* Two ways to part a word are the same word. */
static bool
is_same(const char *a, const char *a_next, const char *b, const char *b_next)
{
	for (;; a++, b++) {
		if (*a == '\0' && *a_next != '\0') {
			a = a_next;
			a_next = "";
		}
		if (*b == '\0' && *b_next != '\0') {
			b = b_next;
			b_next = "";
		}
		if (*a != *b || *a == '\0')
			return *a == *b;
	}
}

/* The slot of a word, or of two that are joined, or the free one where it would be. */
static size_t *
find(const struct lexical *l, size_t h, const char *word, const char *next)
{
	for (;; h++) {
		size_t *slot = &l->slots[h & (l->size - 1)];
		if (*slot == 0)
			return slot;
		const struct word *at = &l->words.at[(*slot - 1) / 2];
		if (is_same(word, next, at->stem, *slot % 2 == 0 ? at[1].stem : ""))
			return slot;
	}
}

struct lexical *
lexical_read(const char *text, size_t len)
{
	struct lexical *l = prog_alloc(1, sizeof *l);

	learn_lists(l->known);
	l->words = words_of(l->known, text, len);
	for (l->size = 64; l->size < 4 * l->words.count;)
		l->size *= 2;
	l->slots = prog_alloc(l->size, sizeof *l->slots);
	for (size_t i = 0; i < l->words.count; i++) {
		const char *word = l->words.at[i].stem;
		size_t h = digest(digest_start, word), *slot = find(l, h, word, "");
		if (*slot == 0)
			*slot = 2 * i + 1;
		if (i + 1 == l->words.count)
			continue;
		/* "operationName" is "operation name". */
		const char *next = l->words.at[i + 1].stem;
		slot = find(l, digest(h, next), word, next);
		if (*slot == 0)
			*slot = 2 * i + 2;
	}
	return l;
}

void
lexical_free(struct lexical *text)
{
	free(text->words.at);
	free(text->slots);
	free(text);
}

double
lexical_share(const char *sentence, const struct lexical *text)
{
	struct words want = words_of(text->known, sentence, strlen(sentence));
	double told = 0, all = 0;

	for (size_t i = 0; i < want.count; i++) {
		const char *word = want.at[i].stem;
		bool again = false;
		for (size_t k = 0; k < i && !again; k++)
			again = strcmp(want.at[k].stem, word) == 0;
		if (again)
			continue;
		all += want.at[i].weight;
		if (*find(text, digest(digest_start, word), word, "") != 0)
			told += want.at[i].weight;
	}
	free(want.at);
	return all > 0 ? told / all : 0;
}
