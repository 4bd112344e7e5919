#ifndef TAGS_H
#define TAGS_H

/*
 * tags: the names that secrets go by, [REDACTED:JWT#3]: equal values have equal tags.
 *
 * Numbers count from 1 for each kind, above those of tags that stand in the text already.  With a
 * key the tag is [REDACTED:JWT~k7q2m4xz] instead, 40 bits of HMAC-SHA-256 of the value, the same in
 * every run with that key.  Nothing of the value, not even its length, is in a tag.  Memory: 48
 * bytes a value; past 65536 values tags have no number.
 */
#include <stddef.h>

enum { TAGS_SIZE = 64 };

struct tags;

struct tags *tags_new(void);
void tags_free(struct tags *t);
void tags_key(struct tags *t, const void *key, size_t len);
void tags_note(struct tags *t, const char *text, size_t len); /* the tags in text are taken */
/* The tag of a value into tag; its kind, which is that of the value's first sight. */
const char *tags_make(
    struct tags *t, const char *value, size_t len, const char *kind, char tag[TAGS_SIZE]);
void tags_forget(struct tags *t); /* the segment is over */

#endif
