#ifndef RULES_H
#define RULES_H

/*
 * rules: the tokens that their own shape gives away, as data.
 *
 * A rule is tried where one of its literals begins at the start of a word; then its pattern (PCRE2,
 * bytes, anchored there) says how far the secret goes.  Lengths in patterns are lower bounds:
 * vendors make their tokens longer from one year to the next.  redact(1) prints this table.
 */
#include <stddef.h>

struct rule {
	const char *kind;     /* as in the tag */
	const char *literals; /* separated by blanks */
	const char *pattern;
	unsigned group; /* what is secret; 0: all that matched */
	const char *about;
	unsigned before; /* so many bytes before the literal belong to it */
};

extern const struct rule rules[];
extern const size_t rules_count;

#endif
