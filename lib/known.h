#ifndef KNOWN_H
#define KNOWN_H

/*
 * known: values that are known to be secrets, found again where nothing names them.
 *
 * Learned values stand as whole words and are forgotten with the segment; given ones stand in any
 * encoding and inside of words, and stay.  Memory is bounded: the first 4096 learned values of a
 * segment count, of at most 4096 bytes each and 2 MiB together.
 */
#include <stdbool.h>
#include <stddef.h>

struct known;

struct known *known_new(void);
void known_free(struct known *k);

void known_allow(struct known *k, const char *value, size_t len);
bool known_allowed(const struct known *k, const char *value, size_t len);

/* Too short or too plain a value is not learned: "test" would be hidden everywhere. */
bool known_learn(struct known *k, const char *value, size_t len, const char *kind); /* true: new */
void known_always(struct known *k, const char *value, size_t len);
void known_forget(struct known *k); /* what was learned */

bool known_any(const struct known *k);
bool known_anywhere(const struct known *k); /* some stand inside of words */
/* The length of the longest known value at text + at; 0: none. */
size_t known_at(const struct known *k, const char *text, size_t len, size_t at, const char **kind);

#endif
