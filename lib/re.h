#ifndef RE_H
#define RE_H

/*
 * re: regular expressions (PCRE2, UTF, JIT where there is one) that end.
 *
 * Subjects are hostile: each match is bounded in steps, depth and heap, and a limit that is hit is
 * an answer of its own, never "no match".
 */
#include <stdbool.h>
#include <stddef.h>

enum re_answer { RE_NO, RE_YES, RE_LIMIT };
enum { RE_GROUPS = 16 };
enum re_flag {
	RE_CASELESS = 1,
	RE_MULTILINE = 2,
	RE_DOTALL = 4,
	RE_BYTES = 8 /* subject is bytes */,
	RE_ECMA = 16 /* as in JavaScript with the u flag: \u{1f600}, [] is empty */
};

struct re;
struct re_match {
	size_t count; /* groups set, the whole match first */
	struct {
		size_t from, to; /* offsets; from == (size_t)-1: group not part of the match */
	} group[RE_GROUPS];
};

/* NULL on a bad pattern, with the reason and offset in why (size bytes; may be NULL with 0). */
struct re *re_new(const char *pattern, size_t len, int flags, char *why, size_t size);
/* Search from offset at on.  Without RE_BYTES the subject must be valid UTF-8. */
enum re_answer re_find(struct re *re, const char *text, size_t len, size_t at, struct re_match *m);
void re_free(struct re *re);

#endif
