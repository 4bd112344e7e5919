#ifndef BUF_H
#define BUF_H

/*
 * buf: bytes that grow.  Zero-initialised is empty ("struct buf b = {0};").  data is NUL-terminated
 * after every call that adds, but may hold NULs inside: len counts.  No memory ends the program.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct buf {
	char *data;
	size_t len, size;
};

void buf_add(struct buf *b, const void *bytes, size_t len);
void buf_text(struct buf *b, const char *text);
void buf_byte(struct buf *b, int byte);
void buf_format(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_vformat(struct buf *b, const char *format, va_list args);
void buf_reserve(struct buf *b, size_t more); /* room for more bytes beyond len, and a NUL */
/* Append a file; false when it cannot be read (errno) or has more than most bytes (errno is EFBIG).
 */
bool buf_file(struct buf *b, const char *path, size_t most);
void buf_clear(struct buf *b); /* len 0, memory kept */
void buf_free(struct buf *b);  /* back to zero-initialised */

#endif
