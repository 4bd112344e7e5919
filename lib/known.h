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
/* In any of its encodings; false: shorter than six bytes, which would be found by chance. */
bool known_always(struct known *k, const char *value, size_t len);
void known_forget(struct known *k); /* what was learned */

struct known_match {
	size_t len;       /* of the text; 0: nothing */
	const char *kind; /* static text */
	const char *value;
	size_t value_len; /* the value, whatever encoding was met; valid until the next call that
			     adds */
};
/* The longest learned, or given, value at text + at. */
struct known_match known_word(const struct known *k, const char *text, size_t len, size_t at);
struct known_match known_given(const struct known *k, const char *text, size_t len, size_t at);
bool known_has_given(const struct known *k);
/* May a learned value begin at text + at?  By its first bytes, so also where it goes on escaped. */
bool known_begins(const struct known *k, const char *text, size_t len, size_t at);
size_t known_count(const struct known *k); /* grows with each value */

#endif
