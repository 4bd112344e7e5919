#include "buf.h"

#include <err.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prog.h"

void
buf_reserve(struct buf *b, size_t more)
{
	if (more < b->size - b->len && b->data != NULL)
		return;
	if (more > SIZE_MAX / 4 || b->len > SIZE_MAX / 4)
		errx(TROUBLE, "no memory for %zu bytes", more);
	size_t size = b->size < 64 ? 64 : b->size;
	while (size - b->len <= more)
		size *= 2;
	b->data = prog_resize(b->data, size, 1);
	b->size = size;
	b->data[b->len] = '\0';
}

void
buf_add(struct buf *b, const void *bytes, size_t len)
{
	buf_reserve(b, len);
	if (len != 0)
		memcpy(b->data + b->len, bytes, len);
	b->len += len;
	b->data[b->len] = '\0';
}

void
buf_text(struct buf *b, const char *text)
{
	buf_add(b, text, strlen(text));
}

void
buf_byte(struct buf *b, int byte)
{
	buf_reserve(b, 1);
	b->data[b->len++] = (char)byte;
	b->data[b->len] = '\0';
}

void
buf_vformat(struct buf *b, const char *format, va_list args)
{
	va_list again;

	va_copy(again, args);
	int len = vsnprintf(NULL, 0, format, args);
	if (len < 0)
		errx(TROUBLE, "cannot format %s", format);
	buf_reserve(b, (size_t)len + 1);
	vsnprintf(b->data + b->len, (size_t)len + 1, format, again);
	va_end(again);
	b->len += (size_t)len;
}

void
buf_format(struct buf *b, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	buf_vformat(b, format, args);
	va_end(args);
}

bool
buf_file(struct buf *b, const char *path, size_t most)
{
	char chunk[16384];
	size_t got, before = b->len;
	FILE *f = fopen(path, "re");

	if (f == NULL)
		return false;
	while (b->len - before <= most && (got = fread(chunk, 1, sizeof chunk, f)) > 0)
		buf_add(b, chunk, got);
	int reason = ferror(f) ? errno : b->len - before > most ? EFBIG : 0;
	fclose(f);
	errno = reason;
	return reason == 0;
}

void
buf_clear(struct buf *b)
{
	b->len = 0;
	if (b->data != NULL)
		b->data[0] = '\0';
}

void
buf_free(struct buf *b)
{
	free(b->data);
	*b = (struct buf){0};
}
