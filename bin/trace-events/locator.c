/* locator: a selector of the protocol as the user wrote it, in JavaScript. */
#include "segment.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 8 };

static bool write_locator(struct buf *b, const char *selector, unsigned depth);

/* 'text' as JavaScript writes it; with the other quotes where that saves escapes. */
static void
write_quoted(struct buf *b, const char *text, size_t len)
{
	buf_byte(b, '\'');
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\'' || text[i] == '\\')
			buf_byte(b, '\\');
		if (text[i] == '\n')
			buf_text(b, "\\n");
		else
			buf_byte(b, text[i]);
	}
	buf_byte(b, '\'');
}

/*
 * A value of a selector: a JSON string with a flag behind it, i (any case, part of the text) or s
 * (exact), or a regular expression.  Sets *exact; appends the text as JavaScript; false: neither.
 */
static bool
write_value(struct buf *b, const char *p, size_t len, bool *exact)
{
	struct buf text = {0};

	*exact = false;
	if (len > 1 && *p == '/') {
		buf_add(b, p, len);
		return true;
	}
	if (len < 2 || *p != '"') {
		write_quoted(b, p, len);
		return len > 0;
	}
	if (p[len - 1] == 's' || p[len - 1] == 'i') {
		*exact = p[len - 1] == 's';
		len--;
	}
	if (!scan_check(p, len, NULL) || !scan_text((struct span){p, len}, &text)) {
		buf_free(&text);
		return false;
	}
	write_quoted(b, text.data ? text.data : "", text.len);
	buf_free(&text);
	return true;
}

/* The end of a part: " >> " outside of quotes, or the end of the selector. */
static const char *
part_end(const char *p)
{
	char quote = 0;

	for (; *p != '\0'; p++) {
		if (*p == '\\' && p[1] != '\0')
			p++;
		else if (quote != 0)
			quote = *p == quote ? 0 : quote;
		else if (*p == '"' || *p == '\'' || *p == '`')
			quote = *p;
		else if (begins(p, " >> "))
			break;
	}
	return p;
}

static bool
call_text(struct buf *b, const char *name, const char *body, size_t len)
{
	bool exact;

	buf_format(b, "%s(", name);
	if (!write_value(b, body, len, &exact))
		return false;
	buf_text(b, exact ? ", { exact: true })" : ")");
	return true;
}

static bool
call_filter(struct buf *b, const char *option, const char *body, size_t len)
{
	bool exact;

	buf_format(b, "filter({ %s: ", option);
	if (!write_value(b, body, len, &exact))
		return false;
	buf_text(b, " })");
	return true;
}

/* A body that is a JSON string with a selector in it. */
static bool
call_inner(
    struct buf *b, const char *head, const char *tail, const char *body, size_t len, unsigned depth)
{
	struct span json = {body, len};

	if (len < 2 || !scan_check(body, len, NULL))
		return false;
	char *inner = scan_copy(json);
	buf_text(b, head);
	bool good = inner != NULL && write_locator(b, inner, depth + 1);
	free(inner);
	buf_text(b, tail);
	return good;
}

/* internal:attr=[placeholder="x"i]; the name decides the call. */
static bool
call_attr(struct buf *b, const char *body, size_t len)
{
	static const char *const names[][2] = {{"placeholder", "getByPlaceholder"},
	    {"alt", "getByAltText"}, {"title", "getByTitle"}, {"label", "getByLabel"}};

	if (len < 2 || body[0] != '[' || body[len - 1] != ']')
		return false;
	const char *equals = memchr(body, '=', len);
	if (equals == NULL)
		return false;
	size_t name = (size_t)(equals - body) - 1;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i][0]) == name && strncmp(body + 1, names[i][0], name) == 0)
			return call_text(
			    b, names[i][1], equals + 1, len - 2 - (size_t)(equals - body));
	return false;
}

static bool
call_testid(struct buf *b, const char *body, size_t len)
{
	bool exact;
	const char *equals = memchr(body, '=', len);

	if (equals == NULL || body[0] != '[' || body[len - 1] != ']')
		return false;
	buf_text(b, "getByTestId(");
	if (!write_value(b, equals + 1, len - 2 - (size_t)(equals - body), &exact))
		return false;
	buf_byte(b, ')');
	return true;
}

/* internal:role=button[name="Pay"i][checked=true] */
static bool
call_role(struct buf *b, const char *body, size_t len)
{
	const char *p = body, *end = body + len;
	bool any = false;

	while (p < end && *p != '[')
		p++;
	buf_text(b, "getByRole(");
	write_quoted(b, body, (size_t)(p - body));
	while (p < end && *p == '[') {
		const char *name = p + 1, *equals, *to;
		for (equals = name; equals < end && *equals != '=' && *equals != ']'; equals++)
			continue;
		if (equals == end || *equals == ']')
			return false;
		char quote = 0;
		for (to = equals + 1; to < end && (quote != 0 || *to != ']'); to++) {
			if (*to == '\\' && to + 1 < end)
				to++;
			else if (quote != 0)
				quote = *to == quote ? 0 : quote;
			else if (*to == '"' || *to == '/')
				quote = *to;
		}
		if (to == end)
			return false;
		buf_text(b, any ? ", " : ", { ");
		any = true;
		bool is_name = (equals - name) == 4 && strncmp(name, "name", 4) == 0;
		static const char include[] = "include-hidden";
		if ((size_t)(equals - name) == sizeof include - 1 &&
		    strncmp(name, include, sizeof include - 1) == 0)
			buf_text(b, "includeHidden");
		else
			buf_add(b, name, (size_t)(equals - name));
		buf_text(b, ": ");
		bool exact = false;
		if (!is_name)
			buf_add(b, equals + 1, (size_t)(to - equals - 1));
		else if (!write_value(b, equals + 1, (size_t)(to - equals - 1), &exact))
			return false;
		if (exact)
			buf_text(b, ", exact: true");
		p = to + 1;
	}
	buf_text(b, any ? " })" : ")");
	return p == end;
}

static bool
call_css(struct buf *b, const char *text, size_t len)
{
	buf_text(b, "locator(");
	write_quoted(b, text, len);
	buf_byte(b, ')');
	return len > 0;
}

static bool
write_part(struct buf *b, const char *part, size_t len, unsigned depth)
{
	size_t name = 0;

	while (name < len && (isalnum((unsigned char)part[name]) || part[name] == ':' ||
				 part[name] == '-' || part[name] == '_'))
		name++;
	if (name == 0 || name == len || part[name] != '=')
		return call_css(b, part, len);
	const char *body = part + name + 1;
	size_t n = len - name - 1;
#define ENGINE(text) (name == sizeof(text) - 1 && strncmp(part, text, name) == 0)
	if (ENGINE("css"))
		return call_css(b, body, n);
	if (ENGINE("nth")) {
		if (n == 1 && *body == '0')
			buf_text(b, "first()");
		else if (n == 2 && strncmp(body, "-1", 2) == 0)
			buf_text(b, "last()");
		else {
			buf_text(b, "nth(");
			buf_add(b, body, n);
			buf_byte(b, ')');
		}
		return true;
	}
	if (ENGINE("visible")) {
		buf_text(b, "filter({ visible: ");
		buf_add(b, body, n);
		buf_text(b, " })");
		return true;
	}
	if (ENGINE("internal:text"))
		return call_text(b, "getByText", body, n);
	if (ENGINE("internal:label"))
		return call_text(b, "getByLabel", body, n);
	if (ENGINE("internal:role"))
		return call_role(b, body, n);
	if (ENGINE("internal:attr"))
		return call_attr(b, body, n);
	if (ENGINE("internal:testid"))
		return call_testid(b, body, n);
	if (ENGINE("internal:has-text") || ENGINE("has-text"))
		return call_filter(b, "hasText", body, n);
	if (ENGINE("internal:has-not-text"))
		return call_filter(b, "hasNotText", body, n);
	if (ENGINE("internal:has") || ENGINE("has"))
		return call_inner(b, "filter({ has: ", " })", body, n, depth);
	if (ENGINE("internal:has-not"))
		return call_inner(b, "filter({ hasNot: ", " })", body, n, depth);
	if (ENGINE("internal:and"))
		return call_inner(b, "and(", ")", body, n, depth);
	if (ENGINE("internal:or"))
		return call_inner(b, "or(", ")", body, n, depth);
	if (ENGINE("internal:describe")) {
		bool exact;
		buf_text(b, "describe(");
		if (!write_value(b, body, n, &exact))
			return false;
		buf_byte(b, ')');
		return true;
	}
	if (ENGINE("internal:chain"))
		return call_inner(b, "locator(", ")", body, n, depth);
	if (ENGINE("internal:control") || ENGINE("control")) {
		buf_text(b, "contentFrame()");
		return n == 11 && strncmp(body, "enter-frame", 11) == 0;
	}
#undef ENGINE
	return call_css(b, part, len); /* text=, xpath=, data-testid= and the like */
}

static bool
write_locator(struct buf *b, const char *selector, unsigned depth)
{
	size_t from = b->len;

	if (depth > DEPTH_MOST)
		return false;
	while (*selector != '\0') {
		const char *end = part_end(selector);
		size_t len = (size_t)(end - selector);
		if (b->len > from)
			buf_byte(b, '.');
		if (!write_part(b, selector, len, depth))
			return false;
		selector = *end == '\0' ? end : end + 4;
	}
	return b->len > from;
}

const char *
locator_of(struct words *w, const char *selector)
{
	struct buf b = {0};
	const char *kept = NULL;

	if (write_locator(&b, selector, 0))
		kept = words_keep(w, b.data, b.len);
	buf_free(&b);
	return kept;
}
