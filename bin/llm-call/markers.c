#define _GNU_SOURCE /* memrchr */
#include "markers.h"

#include <string.h>

#include "digest.h"

static const char begins[] = "--- UNTRUSTED TRACE DATA BEGIN (",
		  ends[] = "--- UNTRUSTED TRACE DATA END (";

void
markers_add(struct buf *b, const char *label, const char *text, size_t len)
{
	struct buf whole = {0};
	char hex[65];

	buf_add(&whole, label, strlen(label) + 1);
	buf_add(&whole, text, len);
	digest_sha256(whole.data, whole.len, hex);
	buf_free(&whole);
	buf_format(b, "%s%s id=%.32s) ---\n", begins, label, hex);
	for (const char *at = text, *end = text + len; at < end;) {
		const char *eol = memchr(at, '\n', (size_t)(end - at));
		size_t line = (size_t)((eol ? eol : end) - at);
		buf_text(b, "| ");
		buf_add(b, at, line);
		buf_byte(b, '\n');
		at += line + 1;
	}
	buf_format(b, "%s%s id=%.32s) ---\n", ends, label, hex);
}

bool
markers_found(const char *text, size_t len)
{
	size_t begin = sizeof begins - 1, end = sizeof ends - 1;

	if (len < begin || memcmp(text, begins, begin) != 0)
		return false;
	const char *label = text + begin, *eol = memchr(text, '\n', len);
	const char *close = eol ? memchr(label, ')', (size_t)(eol - label)) : NULL;
	if (close == NULL)
		return false;
	while (text[len - 1] == '\n')
		len--;
	const char *last = memrchr(text, '\n', len);
	size_t left = last ? len - (size_t)(last + 1 - text) : 0,
	       inside = (size_t)(close + 1 - label);
	return left >= end + inside && memcmp(last + 1, ends, end) == 0 &&
	       memcmp(last + 1 + end, label, inside) == 0;
}
