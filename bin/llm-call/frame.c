#define _GNU_SOURCE /* memmem, memrchr */
#include "frame.h"

#include <string.h>

#include "digest.h"

void
frame_add(struct buf *b, const char *label, const char *text, size_t len)
{
	struct buf whole = {0};
	char hex[65];

	buf_format(&whole, "%s\n", label);
	buf_add(&whole, text, len);
	digest_sha256(whole.data, whole.len, hex);
	buf_free(&whole);
	buf_format(b, "--- UNTRUSTED DATA BEGIN (%s id=%.16s) ---\n", label, hex);
	buf_add(b, text, len);
	if (len > 0 && text[len - 1] != '\n')
		buf_byte(b, '\n');
	buf_format(b, "--- UNTRUSTED DATA END (%s id=%.16s) ---\n", label, hex);
}

bool
frame_found(const char *text, size_t len)
{
	const char *eol = memchr(text, '\n', len);

	if (eol == NULL || len < 3 || memcmp(text, "---", 3) != 0)
		return false;
	const char *id = memmem(text, (size_t)(eol - text), "id=", 3);
	while (len > 0 && text[len - 1] == '\n')
		len--;
	const char *last = memrchr(text, '\n', len);
	if (id == NULL || last == NULL || last < eol)
		return false;
	size_t id_len = strspn(id + 3, "0123456789abcdefABCDEF") + 3;
	return id_len > 3 && memmem(last, len - (size_t)(last - text), id, id_len) != NULL;
}
