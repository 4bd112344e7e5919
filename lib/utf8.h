#ifndef UTF8_H
#define UTF8_H

/* utf8: code points in bytes (RFC 3629: no surrogates, nothing overlong, nothing past U+10FFFF). */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"

/*
 * The code point at the start of text, its length in bytes in *used (1 to 4).  Bytes that are no
 * code point give -1 with *used as the length of the maximal bad run (Unicode 15, section 3.9:
 * one U+FFFD each).  len must not be 0.
 */
int32_t utf8_decode(const char *text, size_t len, size_t *used);

/* How many bytes from the start are well formed; len when all are. */
size_t utf8_valid(const char *text, size_t len);

size_t utf8_count(const char *text, size_t len); /* code points; a bad run counts as one */
void utf8_add(struct buf *b, uint32_t code);     /* append one code point */
void utf8_mend(struct buf *b, const char *text, size_t len); /* append, bad runs as U+FFFD */

/* Controls, bad bytes (-1), and what changes how the text around it is shown or is not shown. */
bool utf8_deceives(int32_t code);

/* The largest offset up to at that does not split a code point of text. */
size_t utf8_floor(const char *text, size_t len, size_t at);

#endif
