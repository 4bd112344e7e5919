#include "uri.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct part {
	const char *at; /* NULL: not there */
	size_t len;
};

/* RFC 3986 appendix B, without the delimiters. */
struct parts {
	struct part scheme, authority, path, query, fragment;
};

static bool
scheme_byte(char c, bool first)
{
	bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');

	return letter || (!first && ((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.'));
}

static struct part
take(const char **p, const char *stops)
{
	struct part part = {*p, strcspn(*p, stops)};

	*p += part.len;
	return part;
}

static struct parts
split(const char *p)
{
	struct parts u = {0};
	size_t n = 0;

	while (scheme_byte(p[n], n == 0))
		n++;
	if (n > 0 && p[n] == ':') {
		u.scheme = (struct part){p, n};
		p += n + 1;
	}
	if (p[0] == '/' && p[1] == '/') {
		p += 2;
		u.authority = take(&p, "/?#");
	}
	u.path = take(&p, "?#");
	if (*p == '?') {
		p++;
		u.query = take(&p, "#");
	}
	if (*p == '#')
		u.fragment = (struct part){p + 1, strlen(p + 1)};
	return u;
}

/* RFC 3986 section 5.2.4: path without its dot segments, in place. */
static void
remove_dots(char *path)
{
	char *in = path, *out = path;

	while (*in != '\0') {
		size_t n = strcspn(in + 1, "/") + 1; /* "/segment", or the first one without '/' */
		const char *name = *in == '/' ? in + 1 : in;
		size_t len = n - (size_t)(name - in);
		bool last = in[n] == '\0';
		if (len == 1 && name[0] == '.') {
			if (last && *in == '/')
				*out++ = '/';
		} else if (len == 2 && name[0] == '.' && name[1] == '.') {
			while (out > path && *--out != '/')
				;
			if (last)
				*out++ = '/';
		} else {
			memmove(out, in, n);
			out += n;
		}
		in += n;
	}
	*out = '\0';
}

static void
add(struct buf *out, const char *before, struct part part, const char *after)
{
	if (part.at == NULL)
		return;
	buf_text(out, before);
	buf_add(out, part.at, part.len);
	buf_text(out, after);
}

static void
add_path(struct buf *out, struct parts base, struct part reference)
{
	struct buf path = {0};

	if (reference.len == 0 || *reference.at != '/') {
		size_t keep = base.path.len;
		while (keep > 0 && base.path.at[keep - 1] != '/')
			keep--;
		if (keep == 0 && base.authority.at != NULL)
			buf_byte(&path, '/');
		buf_add(&path, base.path.at, keep);
	}
	buf_add(&path, reference.at, reference.len);
	remove_dots(path.data);
	buf_text(out, path.data);
	buf_free(&path);
}

void
uri_resolve(struct buf *out, const char *base, const char *reference)
{
	struct parts b = split(base), r = split(reference);

	if (r.scheme.at != NULL) {
		buf_text(out, reference);
		return;
	}
	add(out, "", b.scheme, ":");
	if (r.authority.at != NULL) {
		add(out, "//", r.authority, "");
		buf_add(out, r.path.at, r.path.len);
		add(out, "?", r.query, "");
	} else {
		add(out, "//", b.authority, "");
		if (r.path.len == 0) {
			buf_add(out, b.path.at, b.path.len);
			add(out, "?", r.query.at ? r.query : b.query, "");
		} else {
			add_path(out, b, r.path);
			add(out, "?", r.query, "");
		}
	}
	add(out, "#", r.fragment, "");
}

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

void
uri_decode(struct buf *out, const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text == '%' && hex_digit(text[1]) >= 0 && hex_digit(text[2]) >= 0) {
			buf_byte(out, hex_digit(text[1]) << 4 | hex_digit(text[2]));
			text += 2;
		} else {
			buf_byte(out, *text);
		}
	}
}
