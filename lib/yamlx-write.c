#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "prog.h"
#include "utf8.h"
#include "yamlx.h"

enum { IN_A_LINE = 72 };

/* A plain scalar that every reader takes for the same text: words, and nothing that YAML knows. */
static bool
plain(const char *text, size_t len)
{
	static const char *const taken[] = {
	    "null", "true", "false", "yes", "no", "on", "off", "y", "n"};

	if (len == 0 || len > 200 || text[len - 1] == ' ')
		return false;
	for (size_t i = 0; i < len; i++) {
		char c = text[i];
		bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
		bool inside = i > 0 && ((c >= '0' && c <= '9') || strchr(" _-./", c) != NULL);
		if (c == '\0' || (!letter && !inside))
			return false;
	}
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
		size_t n = strlen(taken[i]), same = 0;
		while (n == len && same < n && (text[same] | 0x20) == taken[i][same])
			same++;
		if (n == len && same == n)
			return false;
	}
	return true;
}

/* Printable by YAML 1.2 section 5.1, and no line break in its 1.1. */
static bool
printable(int32_t c)
{
	return (c >= 0x20 && c <= 0x7e) ||
	       (c >= 0xa0 && c <= 0xd7ff && c != 0x2028 && c != 0x2029) ||
	       (c >= 0xe000 && c <= 0xfffd && c != 0xfeff) || c >= 0x10000;
}

static void
write_text(const char *text, size_t len, struct buf *b)
{
	size_t used;

	if (plain(text, len)) {
		buf_add(b, text, len);
		return;
	}
	buf_byte(b, '"');
	for (size_t i = 0; i < len; i += used) {
		int32_t c = utf8_decode(text + i, len - i, &used);
		if (c == '"' || c == '\\')
			buf_format(b, "\\%c", (char)c);
		else if (c == '\n')
			buf_text(b, "\\n");
		else if (c == '\t')
			buf_text(b, "\\t");
		else if (!printable(c))
			buf_format(b, "\\u%04x", (unsigned)(c < 0 ? 0xfffd : c));
		else
			buf_add(b, text + i, used);
	}
	buf_byte(b, '"');
}

static bool
compound(jv value)
{
	return jv_get_kind(value) == JV_KIND_OBJECT || jv_get_kind(value) == JV_KIND_ARRAY;
}

static void
write_scalar(jv value, struct buf *b)
{
	if (jv_get_kind(value) == JV_KIND_STRING)
		write_text(jv_string_value(value), jvx_length(value), b);
	else
		jvx_write(value, b);
}

static int
by_name(const void *a, const void *b)
{
	const jv *x = a, *y = b;
	size_t xn = jvx_length(*x), yn = jvx_length(*y);
	int order = memcmp(jv_string_value(*x), jv_string_value(*y), xn < yn ? xn : yn);

	return order != 0 ? order : (xn > yn) - (xn < yn);
}

/* The names of an object: those of first, then the rest; array and names are yours. */
static jv *
names_of(jv obj, const char *const first[], size_t *count)
{
	jv *names = prog_alloc((size_t)jv_object_length(jv_copy(obj)), sizeof *names);
	size_t n = 0, front;

	for (size_t i = 0; first != NULL && first[i] != NULL; i++)
		if (jv_object_has(jv_copy(obj), jv_string(first[i])))
			names[n++] = jv_string(first[i]);
	front = n;
	for (int i = jv_object_iter(obj); jv_object_iter_valid(obj, i);
	     i = jv_object_iter_next(obj, i)) {
		jv key = jv_object_iter_key(obj, i);
		bool had = false;
		for (size_t f = 0; f < front && !had; f++)
			had = jv_equal(jv_copy(names[f]), jv_copy(key));
		if (had)
			jv_free(key);
		else
			names[n++] = key;
	}
	qsort(names + front, n - front, sizeof *names, by_name);
	*count = n;
	return names;
}

/* As flow, when it is short; empty ones always. */
static bool
write_flow(jv value, struct buf *b)
{
	struct buf flow = {0};
	bool good = true;
	int n = 0;

	if (jv_get_kind(value) == JV_KIND_OBJECT) {
		size_t count;
		jv *names = names_of(value, NULL, &count);
		buf_byte(&flow, '{');
		for (size_t i = 0; i < count; i++) {
			jv item = jv_object_get(jv_copy(value), jv_copy(names[i]));
			buf_text(&flow, i > 0 ? ", " : "");
			write_scalar(names[i], &flow);
			jv_free(names[i]);
			buf_text(&flow, ": ");
			if (good && compound(item))
				good = write_flow(item, &flow);
			else if (good)
				write_scalar(item, &flow);
			good = good && flow.len <= IN_A_LINE;
			jv_free(item);
		}
		free(names);
		buf_byte(&flow, '}');
	} else {
		n = jv_array_length(jv_copy(value));
		buf_byte(&flow, '[');
		for (int i = 0; good && i < n; i++) {
			jv item = jv_array_get(jv_copy(value), i);
			buf_text(&flow, i > 0 ? ", " : "");
			if (compound(item))
				good = write_flow(item, &flow);
			else
				write_scalar(item, &flow);
			good = good && flow.len <= IN_A_LINE;
			jv_free(item);
		}
		buf_byte(&flow, ']');
	}
	if (good)
		buf_add(b, flow.data, flow.len);
	buf_free(&flow);
	return good;
}

static void write_block(jv value, const char *const first[], int indent, struct buf *b);

/* What stands behind "name:" or "-", with the line end. */
static void
write_item(jv item, int indent, struct buf *b)
{
	if (!compound(item)) {
		buf_byte(b, ' ');
		write_scalar(item, b);
		buf_byte(b, '\n');
		return;
	}
	buf_byte(b, ' ');
	if (write_flow(item, b)) {
		buf_byte(b, '\n');
		return;
	}
	b->data[b->len - 1] = '\n';
	write_block(item, NULL, indent, b);
}

static void
write_block(jv value, const char *const first[], int indent, struct buf *b)
{
	if (jv_get_kind(value) == JV_KIND_OBJECT) {
		size_t count;
		jv *names = names_of(value, first, &count);
		for (size_t i = 0; i < count; i++) {
			jv item = jv_object_get(jv_copy(value), jv_copy(names[i]));
			buf_format(b, "%*s", indent, "");
			write_scalar(names[i], b);
			jv_free(names[i]);
			buf_byte(b, ':');
			write_item(item, indent + 2, b);
			jv_free(item);
		}
		free(names);
	} else {
		jv_array_foreach (value, i, item) {
			buf_format(b, "%*s-", indent, "");
			write_item(item, indent + 2, b);
			jv_free(item);
		}
	}
}

void
yamlx_write(jv value, const char *const first[], struct buf *b)
{
	int size = jv_get_kind(value) == JV_KIND_OBJECT  ? jv_object_length(jv_copy(value))
		   : jv_get_kind(value) == JV_KIND_ARRAY ? jv_array_length(jv_copy(value))
							 : 0;

	if (size > 0) {
		write_block(value, first, 0, b);
		return;
	}
	if (compound(value))
		write_flow(value, b);
	else
		write_scalar(value, b);
	buf_byte(b, '\n');
}
