#include "canon.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "prog.h"
#include "utf8.h"

static void
write_escape(unsigned char c, struct buf *b)
{
	switch (c) {
	case '"': buf_text(b, "\\\""); break;
	case '\\': buf_text(b, "\\\\"); break;
	case '\b': buf_text(b, "\\b"); break;
	case '\t': buf_text(b, "\\t"); break;
	case '\n': buf_text(b, "\\n"); break;
	case '\f': buf_text(b, "\\f"); break;
	case '\r': buf_text(b, "\\r"); break;
	default: buf_format(b, "\\u%04x", c);
	}
}

static void
write_string(jv string, struct buf *b)
{
	const char *s = jv_string_value(string);
	size_t len = (size_t)jv_string_length_bytes(jv_copy(string));

	buf_byte(b, '"');
	for (size_t i = 0, from = 0; i <= len; i++) {
		unsigned char c = i < len ? (unsigned char)s[i] : '"';
		if (i < len && c >= 0x20 && c != '"' && c != '\\')
			continue;
		buf_add(b, s + from, i - from);
		from = i + 1;
		if (i < len)
			write_escape(c, b);
	}
	buf_byte(b, '"');
}

void
canon_number(double n, struct buf *b)
{
	char text[40], digits[20];
	size_t count = 0;

	if (!isfinite(n)) {
		buf_text(b, "null");
		return;
	}
	if (n == 0) {
		buf_byte(b, '0');
		return;
	}
	if (n < 0)
		buf_byte(b, '-');
	n = fabs(n);
	for (int precision = 0; precision <= 16; precision++) {
		snprintf(text, sizeof text, "%.*e", precision, n);
		if (strtod(text, NULL) == n)
			break;
	}
	const char *e = strchr(text, 'e');
	for (const char *p = text; p < e; p++)
		if (*p != '.')
			digits[count++] = *p;
	while (count > 1 && digits[count - 1] == '0')
		count--;
	/* The point stands after `point` digits. */
	long point = strtol(e + 1, NULL, 10) + 1;
	if (point > 21 || point < -5) {
		buf_byte(b, digits[0]);
		if (count > 1)
			buf_byte(b, '.');
		buf_add(b, digits + 1, count - 1);
		buf_format(b, "e%+ld", point - 1);
		return;
	}
	if (point <= 0)
		buf_text(b, "0.");
	for (long zeros = point; zeros < 0; zeros++)
		buf_byte(b, '0');
	for (long i = 0; i < (long)count || i < point; i++) {
		if (i == point && point > 0)
			buf_byte(b, '.');
		buf_byte(b, i < (long)count ? digits[i] : '0');
	}
}

/* Code points above U+FFFF are surrogates in UTF-16, and so sort below U+E000 to U+FFFF. */
static uint32_t
first_unit(int32_t code)
{
	return code > 0xffff ? 0xd800 + (((uint32_t)code - 0x10000) >> 10) : (uint32_t)code;
}

static int
by_utf16(const void *pa, const void *pb)
{
	jv a = *(const jv *)pa, b = *(const jv *)pb;
	const char *x = jv_string_value(a), *y = jv_string_value(b);
	size_t xn = (size_t)jv_string_length_bytes(jv_copy(a));
	size_t yn = (size_t)jv_string_length_bytes(jv_copy(b));
	size_t i = 0;

	while (i < xn && i < yn && x[i] == y[i])
		i++;
	if (i == xn || i == yn)
		return (xn > yn) - (xn < yn);
	while (i > 0 && ((unsigned char)x[i] & 0xc0) == 0x80)
		i--;
	size_t used;
	int32_t cx = utf8_decode(x + i, xn - i, &used), cy = utf8_decode(y + i, yn - i, &used);
	uint32_t ux = first_unit(cx), uy = first_unit(cy);
	return ux != uy ? (ux > uy) - (ux < uy) : (cx > cy) - (cx < cy);
}

static void
write_object(jv obj, struct buf *b)
{
	size_t count = 0;
	jv *keys = prog_alloc((size_t)jv_object_length(jv_copy(obj)), sizeof *keys);

	for (int i = jv_object_iter(obj); jv_object_iter_valid(obj, i);
	     i = jv_object_iter_next(obj, i))
		keys[count++] = jv_object_iter_key(obj, i);
	qsort(keys, count, sizeof *keys, by_utf16);
	buf_byte(b, '{');
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			buf_byte(b, ',');
		write_string(keys[i], b);
		buf_byte(b, ':');
		jv value = jv_object_get(jv_copy(obj), keys[i]);
		canon_write(value, b);
		jv_free(value);
	}
	buf_byte(b, '}');
	free(keys);
}

void
canon_write(jv value, struct buf *b)
{
	switch (jv_get_kind(value)) {
	case JV_KIND_OBJECT: write_object(value, b); break;
	case JV_KIND_ARRAY:
		buf_byte(b, '[');
		for (int i = 0, n = jv_array_length(jv_copy(value)); i < n; i++) {
			if (i > 0)
				buf_byte(b, ',');
			jv item = jv_array_get(jv_copy(value), i);
			canon_write(item, b);
			jv_free(item);
		}
		buf_byte(b, ']');
		break;
	case JV_KIND_STRING: write_string(value, b); break;
	case JV_KIND_NUMBER: canon_number(jv_number_value(value), b); break;
	case JV_KIND_TRUE: buf_text(b, "true"); break;
	case JV_KIND_FALSE: buf_text(b, "false"); break;
	default: buf_text(b, "null");
	}
}

void
canon_sha256(jv value, char hex[65])
{
	struct buf b = {0};

	canon_write(value, &b);
	digest_sha256(b.data, b.len, hex);
	buf_free(&b);
}
