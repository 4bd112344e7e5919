#ifndef LEXICAL_H
#define LEXICAL_H

/*
 * lexical: how much of what a sentence says another text says too.
 *
 * Words are compared by their stem, names (with digits, capitals inside, in quotes) weigh more than
 * words, and words that any report has weigh less.  What a sentence means, it cannot tell.
 */
#include <stddef.h>

struct lexical; /* the words of a text */
struct lexical *lexical_read(const char *text, size_t len);
void lexical_free(struct lexical *text);

/* The share of the sentence's weight whose words stand in the text: 0 to 1. */
double lexical_share(const char *sentence, const struct lexical *text);

#endif
