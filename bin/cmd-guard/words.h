#ifndef WORDS_H
#define WORDS_H

/*
 * words: a command string as the words that every shell would make of it, or none.
 *
 * The grammar is tiny on purpose: words of A-Z a-z 0-9 . _ / : = , @ % + -, or whole words in
 * single quotes of printable ASCII, with one blank between.  There is no expansion, no escape and
 * no second reading: what is allowed means its words and nothing else, and all else is refused.
 */
#include <stddef.h>

struct word {
	char *text; /* no NUL inside */
	size_t at;  /* byte of the command string where it begins; 0 where there was no string */
};

struct words {
	struct word *list;
	size_t count, room;
};

/* NULL, or what is wrong and at which byte. */
const char *words_parse(struct words *w, const char *text, size_t len, size_t *at);
void words_add(struct words *w, const char *text, size_t len, size_t at);
void words_free(struct words *w);

#endif
