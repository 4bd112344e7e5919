#ifndef WORDS_H
#define WORDS_H

/*
 * words: the texts of a segment, each kept once.
 *
 * Traces repeat themselves: a failing wait logs the same two lines for as long as it waits.  Equal
 * texts give equal pointers, so that they compare as such.  All live until words_free().
 */
#include "scan.h"

struct words;

struct words *words_new(void);
void words_free(struct words *w);

const char *words_keep(struct words *w, const char *text, size_t len);
/* A JSON string, decoded and cut at TEXT_MOST bytes, NULs as U+FFFD; NULL when it is none. */
const char *words_text(struct words *w, struct span string);
/* Bytes that hardly repeat: kept without a look for equal ones. */
struct span words_bytes(struct words *w, const char *bytes, size_t len);
void *words_aligned(struct words *w, size_t size); /* room for a struct */

enum { TEXT_MOST = 64 << 10 };

#endif
