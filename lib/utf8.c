#include "utf8.h"

#include <string.h>

int32_t
utf8_decode(const char *text, size_t len, size_t *used)
{
	const unsigned char *s = (const unsigned char *)text;
	unsigned char lo = 0x80, hi = 0xbf; /* bounds of the second byte: Unicode table 3-7 */
	size_t more;
	int32_t code;

	*used = 1;
	if (s[0] < 0x80)
		return s[0];
	if (s[0] >= 0xc2 && s[0] <= 0xdf) {
		more = 1;
		code = s[0] & 0x1f;
	} else if ((s[0] & 0xf0) == 0xe0) {
		more = 2;
		code = s[0] & 0x0f;
		if (s[0] == 0xe0)
			lo = 0xa0;
		if (s[0] == 0xed)
			hi = 0x9f;
	} else if (s[0] >= 0xf0 && s[0] <= 0xf4) {
		more = 3;
		code = s[0] & 0x07;
		if (s[0] == 0xf0)
			lo = 0x90;
		if (s[0] == 0xf4)
			hi = 0x8f;
	} else {
		return -1;
	}
	for (size_t i = 1; i <= more; i++) {
		if (i >= len || s[i] < lo || s[i] > hi)
			return -1;
		lo = 0x80;
		hi = 0xbf;
		code = code << 6 | (s[i] & 0x3f);
		*used = i + 1;
	}
	return code;
}

size_t
utf8_valid(const char *text, size_t len)
{
	size_t i = 0, used;

	while (i < len) {
		uint64_t eight;
		if (i + 8 <= len) {
			memcpy(&eight, text + i, 8);
			if ((eight & 0x8080808080808080u) == 0) {
				i += 8;
				continue;
			}
		}
		if (utf8_decode(text + i, len - i, &used) < 0)
			return i;
		i += used;
	}
	return len;
}

size_t
utf8_count(const char *text, size_t len)
{
	size_t count = 0, used;

	for (size_t i = 0; i < len; i += used, count++)
		utf8_decode(text + i, len - i, &used);
	return count;
}

void
utf8_add(struct buf *b, uint32_t code)
{
	char s[4];
	size_t n;

	if (code < 0x80) {
		s[0] = (char)code;
		n = 1;
	} else if (code < 0x800) {
		s[0] = (char)(0xc0 | code >> 6);
		s[1] = (char)(0x80 | (code & 0x3f));
		n = 2;
	} else if (code < 0x10000) {
		s[0] = (char)(0xe0 | code >> 12);
		s[1] = (char)(0x80 | (code >> 6 & 0x3f));
		s[2] = (char)(0x80 | (code & 0x3f));
		n = 3;
	} else {
		s[0] = (char)(0xf0 | code >> 18);
		s[1] = (char)(0x80 | (code >> 12 & 0x3f));
		s[2] = (char)(0x80 | (code >> 6 & 0x3f));
		s[3] = (char)(0x80 | (code & 0x3f));
		n = 4;
	}
	buf_add(b, s, n);
}

void
utf8_mend(struct buf *b, const char *text, size_t len)
{
	for (size_t i = 0; i < len;) {
		size_t good = utf8_valid(text + i, len - i), used;
		buf_add(b, text + i, good);
		i += good;
		if (i == len)
			break;
		utf8_decode(text + i, len - i, &used);
		buf_text(b, "\xef\xbf\xbd");
		i += used;
	}
}

size_t
utf8_floor(const char *text, size_t len, size_t at)
{
	size_t used;

	if (at >= len)
		return len;
	size_t start = at;
	while (start > 0 && at - start < 3 && ((unsigned char)text[start] & 0xc0) == 0x80)
		start--;
	return utf8_decode(text + start, len - start, &used) >= 0 && start + used > at ? start : at;
}

bool
utf8_deceives(int32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c || c == 0x180e ||
	       (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xe0000 && c <= 0xe0fff);
}
