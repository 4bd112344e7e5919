#include "jvx.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prog.h"
#include "utf8.h"

static jv
string_value(struct span s, struct buf *scratch)
{
	buf_clear(scratch);
	scan_text(s, scratch);
	return jv_string_sized(scratch->data ? scratch->data : "", (int)scratch->len);
}

/* Recursion is bounded by SCAN_DEPTH: the text passed scan_check(). */
static jv
build(struct span v, struct buf *scratch)
{
	struct scan_each it = {0};
	jv made;

	switch (scan_kind(v)) {
	case '{':
		made = jv_object();
		while (scan_each(&it, v)) {
			jv key = string_value(it.key, scratch);
			made = jv_object_set(made, key, build(it.value, scratch));
		}
		return made;
	case '[':
		made = jv_array();
		while (scan_each(&it, v))
			made = jv_array_append(made, build(it.value, scratch));
		return made;
	case '"': return string_value(v, scratch);
	case 't': return jv_true();
	case 'f': return jv_false();
	case 'n': return jv_null();
	case '0': return jv_number(scan_number(v, 0));
	default: return jv_invalid();
	}
}

jv
jvx_build(struct span checked)
{
	struct buf scratch = {0};
	jv made = build(scan_trim(checked.at, checked.len), &scratch);

	buf_free(&scratch);
	return made;
}

jv
jvx_parse(const char *text, size_t len, struct scan_error *error)
{
	if (!scan_check(text, len, error))
		return jv_invalid();
	return jvx_build((struct span){text, len});
}

/* What JSON escapes, and bytes that are no UTF-8; s[0] needs a look. How many bytes are written. */
static size_t
write_odd(const char *s, size_t len, struct buf *b)
{
	static const char hex[] = "0123456789abcdef";
	size_t used = 1;

	switch (*s) {
	case '"': buf_text(b, "\\\""); return used;
	case '\\': buf_text(b, "\\\\"); return used;
	case '\n': buf_text(b, "\\n"); return used;
	case '\r': buf_text(b, "\\r"); return used;
	case '\t': buf_text(b, "\\t"); return used;
	default: break;
	}
	if ((unsigned char)*s < 0x80) {
		buf_text(b, "\\u00");
		buf_byte(b, hex[*s >> 4]);
		buf_byte(b, hex[*s & 15]);
	} else if (utf8_decode(s, len, &used) < 0) {
		utf8_add(b, 0xfffd);
	} else {
		buf_add(b, s, used);
	}
	return used;
}

void
jvx_write_text(const char *s, size_t len, struct buf *b)
{
	buf_byte(b, '"');
	for (size_t i = 0; i < len;) {
		size_t from = i;
		while (i < len && s[i] >= 0x20 && s[i] < 0x7f && s[i] != '"' && s[i] != '\\')
			i++;
		buf_add(b, s + from, i - from);
		if (i < len)
			i += write_odd(s + i, len - i, b);
	}
	buf_byte(b, '"');
}

static void
write_whole(uint64_t n, struct buf *b)
{
	char digits[20], *p = digits + sizeof digits;

	do {
		*--p = (char)('0' + n % 10);
	} while ((n /= 10) > 0);
	buf_add(b, p, (size_t)(digits + sizeof digits - p));
}

/* Nearly all numbers are whole ones or times, and printf(3) takes longer than all else here. */
static bool
write_thousandths(double n, struct buf *b)
{
	double thousandths = round(n * 1000);

	if (!(fabs(n) < 8796093022208.0) || thousandths / 1000 != n)
		return false;
	uint64_t all = (uint64_t)fabs(thousandths), rest = all % 1000;
	if (n < 0)
		buf_byte(b, '-');
	write_whole(all / 1000, b);
	if (rest > 0)
		buf_byte(b, '.');
	for (; rest > 0; rest = rest % 100 * 10)
		buf_byte(b, (int)('0' + rest / 100));
	return true;
}

static void
write_number(double n, struct buf *b)
{
	char digits[32];

	if (!isfinite(n)) {
		buf_text(b, "null");
		return;
	}
	if (write_thousandths(n, b))
		return;
	if (n == floor(n) && fabs(n) <= 9007199254740992.0) {
		buf_format(b, "%.0f", n);
		return;
	}
	for (int precision = 15; precision <= 17; precision++) {
		snprintf(digits, sizeof digits, "%.*g", precision, n);
		if (strtod(digits, NULL) == n)
			break;
	}
	buf_text(b, digits);
}

struct member {
	const char *key; /* the object's own */
	size_t len;
	jv value;
};

static int
by_key(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	int order = memcmp(x->key, y->key, x->len < y->len ? x->len : y->len);

	return order != 0 ? order : (x->len > y->len) - (x->len < y->len);
}

static void
write_object(jv obj, struct buf *b)
{
	size_t count = 0;
	struct member *member = prog_alloc((size_t)jv_object_length(jv_copy(obj)), sizeof *member);

	for (int i = jv_object_iter(obj); jv_object_iter_valid(obj, i);
	     i = jv_object_iter_next(obj, i)) {
		jv key = jv_object_iter_key(obj, i);
		member[count++] = (struct member){
		    jv_string_value(key), jvx_length(key), jv_object_iter_value(obj, i)};
		jv_free(key);
	}
	qsort(member, count, sizeof *member, by_key);
	buf_byte(b, '{');
	for (size_t i = 0; i < count; i++) {
		if (i > 0)
			buf_byte(b, ',');
		jvx_write_text(member[i].key, member[i].len, b);
		buf_byte(b, ':');
		jvx_write(member[i].value, b);
		jv_free(member[i].value);
	}
	buf_byte(b, '}');
	free(member);
}

void
jvx_write(jv value, struct buf *b)
{
	switch (jv_get_kind(value)) {
	case JV_KIND_OBJECT: write_object(value, b); break;
	case JV_KIND_ARRAY:
		buf_byte(b, '[');
		for (int i = 0, n = jv_array_length(jv_copy(value)); i < n; i++) {
			if (i > 0)
				buf_byte(b, ',');
			jv item = jv_array_get(jv_copy(value), i);
			jvx_write(item, b);
			jv_free(item);
		}
		buf_byte(b, ']');
		break;
	case JV_KIND_STRING: jvx_write_text(jv_string_value(value), jvx_length(value), b); break;
	case JV_KIND_NUMBER: write_number(jv_number_value(value), b); break;
	case JV_KIND_TRUE: buf_text(b, "true"); break;
	case JV_KIND_FALSE: buf_text(b, "false"); break;
	default: buf_text(b, "null");
	}
}

size_t
jvx_length(jv string)
{
	return (size_t)jv_string_length_bytes(jv_copy(string));
}

jv
jvx_get(jv obj, const char *key)
{
	if (jv_get_kind(obj) != JV_KIND_OBJECT)
		return jv_invalid();
	return jv_object_get(jv_copy(obj), jv_string(key));
}

const char *
jvx_bytes(jv obj, const char *key, size_t *len)
{
	jv v = jvx_get(obj, key);
	const char *text = NULL;

	/* obj holds another reference, so the text outlives this one. */
	if (jv_get_kind(v) == JV_KIND_STRING) {
		text = jv_string_value(v);
		*len = (size_t)jv_string_length_bytes(jv_copy(v));
	}
	jv_free(v);
	return text;
}

const char *
jvx_text(jv obj, const char *key)
{
	size_t len;

	return jvx_bytes(obj, key, &len);
}

double
jvx_number(jv obj, const char *key, double otherwise)
{
	jv v = jvx_get(obj, key);
	double n = jv_get_kind(v) == JV_KIND_NUMBER ? jv_number_value(v) : otherwise;

	jv_free(v);
	return n;
}

long
jvx_whole(jv obj, const char *key, long most, long otherwise)
{
	double n = jvx_number(obj, key, -1);

	return n >= 0 && n <= (double)most ? (long)n : otherwise;
}

bool
jvx_true(jv obj, const char *key)
{
	jv v = jvx_get(obj, key);
	bool yes = jv_get_kind(v) == JV_KIND_TRUE;

	jv_free(v);
	return yes;
}

jv
jvx_set(jv obj, const char *key, jv value)
{
	if (!jv_is_valid(value)) {
		jv_free(value);
		return obj;
	}
	return jv_object_set(obj, jv_string(key), value);
}

jv
jvx_set_text(jv obj, const char *key, const char *text)
{
	if (text == NULL || *text == '\0')
		return obj;
	return jv_object_set(obj, jv_string(key), jv_string(text));
}

jv
jvx_set_number(jv obj, const char *key, double n)
{
	if (!isfinite(n)) /* JSON has no word for it, and jq would write null */
		return obj;
	return jv_object_set(obj, jv_string(key), jv_number(n));
}

/* False for what no clock says: no clock of a browser goes further (ECMAScript's time value), and
 * people would be shown three hundred digits. */
static bool
round_ms(double *ms)
{
	if (!(fabs(*ms) <= 8.64e15))
		return false;
	/* Past 2^43 a thousandth is below a double's grain, and round() would overflow nothing
	 * useful. */
	if (fabs(*ms) < 8796093022208.0)
		*ms = round(*ms * 1000) / 1000;
	return true;
}

jv
jvx_set_ms(jv obj, const char *key, double ms)
{
	return round_ms(&ms) ? jvx_set_number(obj, key, ms) : obj;
}

void
jvx_put_key(struct buf *b, const char *key)
{
	if (b->data[b->len - 1] != '{')
		buf_byte(b, ',');
	buf_byte(b, '"');
	buf_text(b, key);
	buf_text(b, "\":");
}

void
jvx_put_text(struct buf *b, const char *key, const char *text)
{
	if (text == NULL || *text == '\0')
		return;
	jvx_put_key(b, key);
	jvx_write_text(text, strlen(text), b);
}

void
jvx_put_number(struct buf *b, const char *key, double n)
{
	if (!isfinite(n))
		return;
	jvx_put_key(b, key);
	write_number(n, b);
}

void
jvx_put_ms(struct buf *b, const char *key, double ms)
{
	if (round_ms(&ms))
		jvx_put_number(b, key, ms);
}
