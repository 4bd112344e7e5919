#include "edits.h"

#include <stdlib.h>
#include <string.h>

#include "prog.h"
#include "utf8.h"

void
edits_add(struct edits *e, size_t from, size_t to, const char *kind, enum edit_form form,
    const char *value, size_t len)
{
	if (e->count == e->size) {
		e->size = e->size ? e->size * 2 : 16;
		e->list = prog_resize(e->list, e->size, sizeof *e->list);
	}
	e->list[e->count++] = (struct edit){from, to, kind, form, e->values.len, len, 0};
	buf_add(&e->values, value, len);
}

static int
by_place(const void *a, const void *b)
{
	const struct edit *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to > y->to ? -1 : 1;
	return x->value < y->value ? -1 : x->value > y->value;
}

void
edits_settle(struct edits *e)
{
	size_t kept = 0;

	if (e->count < 2)
		return;
	qsort(e->list, e->count, sizeof *e->list, by_place);
	for (size_t i = 1; i < e->count; i++) {
		struct edit *last = &e->list[kept], *next = &e->list[i];
		if (next->from >= last->to) {
			e->list[++kept] = *next;
			continue;
		}
		size_t from = last->from, to = last->to > next->to ? last->to : next->to;
		/* A tag hides more than a text that was mended inside. */
		bool better = next->to - next->from > last->to - last->from ||
			      (last->form == EDIT_TEXT && next->form != EDIT_TEXT);
		if (better)
			*last = *next;
		last->from = from;
		last->to = to;
	}
	e->count = kept + 1;
}

static void
write_quote(const struct edit *edit, struct buf *out)
{
	if (edit->form != EDIT_QUOTED)
		return;
	for (size_t i = 0; i < edit->slashes; i++)
		buf_byte(out, '\\');
	buf_byte(out, '"');
}

void
edits_apply(struct edits *e, const char *text, size_t len, struct tags *tags, struct buf *out)
{
	char tag[TAGS_SIZE];
	size_t at = 0;

	for (size_t i = 0; i < e->count; i++) {
		struct edit *edit = &e->list[i];
		const char *value = e->values.data + edit->value;
		buf_add(out, text + at, edit->from - at);
		at = edit->to;
		if (edit->form == EDIT_TEXT) {
			buf_add(out, value, edit->len);
			continue;
		}
		edit->kind = tags_make(tags, value, edit->len, edit->kind, tag);
		write_quote(edit, out);
		buf_text(out, tag);
		write_quote(edit, out);
	}
	buf_add(out, text + at, len - at);
}

void
edits_cut(struct edits *e, size_t count)
{
	if (count < e->count)
		e->values.len = e->list[count].value;
	e->count = count;
}

void
edits_free(struct edits *e)
{
	free(e->list);
	buf_free(&e->values);
	*e = (struct edits){0};
}

/* One step of a view: so many bytes of the text read as these. */
struct step {
	size_t used;
	const char *text;
	size_t len;
	char own[4];
};

static int
hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void
step_code(struct step *s, size_t used, uint32_t code)
{
	struct buf b = {0};

	utf8_add(&b, code);
	s->used = used;
	s->len = b.len < sizeof s->own ? b.len : sizeof s->own;
	memcpy(s->own, b.data, s->len);
	s->text = s->own;
	buf_free(&b);
}

static void
step_byte(struct step *s, size_t used, int byte)
{
	s->used = used;
	s->len = 1;
	s->own[0] = (char)byte;
	s->text = s->own;
}

static void
step_same(struct step *s, const char *text, size_t len)
{
	s->used = s->len = len;
	s->text = text;
}

static bool
hex4(const char *text, size_t len, uint32_t *code)
{
	*code = 0;
	if (len < 6 || text[0] != '\\' || text[1] != 'u')
		return false;
	for (int i = 2; i < 6; i++) {
		int digit = hex(text[i]);
		if (digit < 0)
			return false;
		*code = *code << 4 | (uint32_t)digit;
	}
	return true;
}

static void
step_json(struct step *s, const char *text, size_t len)
{
	static const char letters[] = "bfnrt", bytes[] = "\b\f\n\r\t";
	uint32_t code, low;

	const char *slash = memchr(text, '\\', len);
	if (slash != text) {
		step_same(s, text, slash ? (size_t)(slash - text) : len);
		return;
	}
	if (hex4(text, len, &code)) {
		if (code >= 0xd800 && code < 0xdc00 && hex4(text + 6, len - 6, &low) &&
		    low >= 0xdc00 && low < 0xe000) {
			step_code(s, 12, 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00));
			return;
		}
		step_code(s, 6, code >= 0xd800 && code < 0xe000 ? 0xfffd : code);
		return;
	}
	if (len < 2) {
		step_same(s, text, len);
		return;
	}
	const char *letter = text[1] ? strchr(letters, text[1]) : NULL;
	step_byte(s, 2, letter ? bytes[letter - letters] : text[1]);
}

static void
step_percent(struct step *s, const char *text, size_t len)
{
	if (len >= 3 && text[0] == '%' && hex(text[1]) >= 0 && hex(text[2]) >= 0) {
		step_byte(s, 3, hex(text[1]) << 4 | hex(text[2]));
		return;
	}
	const char *next = memchr(text + 1, '%', len - 1);
	step_same(s, text, next ? (size_t)(next - text) : len);
}

static bool
number_entity(struct step *s, const char *text, size_t len)
{
	uint32_t code = 0;
	size_t i = 2;
	bool sixteen = len > 2 && (text[2] | 0x20) == 'x';

	if (len < 4 || text[1] != '#')
		return false;
	for (i += sixteen; i < len && i < 10; i++) {
		int digit = hex(text[i]);
		if (digit < 0 || (!sixteen && digit > 9))
			break;
		code = code * (sixteen ? 16 : 10) + (uint32_t)digit;
	}
	if (i == 2u + sixteen || code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		return false;
	step_code(s, i + (i < len && text[i] == ';'), code);
	return true;
}

static void
step_entity(struct step *s, const char *text, size_t len)
{
	static const struct {
		const char *name;
		char byte;
	} named[] = {{"&quot;", '"'}, {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'},
	    {"&apos;", '\''}, {"&equals;", '='}, {"&colon;", ':'}, {"&period;", '.'},
	    {"&lowbar;", '_'}, {"&sol;", '/'}};

	if (text[0] == '&') {
		if (number_entity(s, text, len))
			return;
		for (size_t i = 0; i < sizeof named / sizeof named[0]; i++) {
			size_t n = strlen(named[i].name);
			if (len >= n && memcmp(text, named[i].name, n) == 0) {
				step_byte(s, n, named[i].byte);
				return;
			}
		}
	}
	const char *next = memchr(text + 1, '&', len - 1);
	step_same(s, text, next ? (size_t)(next - text) : len);
}

/* An escape sequence (ECMA-48: CSI with its final byte, OSC to BEL or ST), or 0. */
static size_t
escape_len(const char *text, size_t len)
{
	size_t i = 2;

	if (len < 2 || text[0] != '\x1b')
		return 0;
	if (text[1] == '[') {
		while (i < len && text[i] >= 0x20 && text[i] < 0x40)
			i++;
		return i < len ? i + 1 : i;
	}
	if (text[1] == ']') {
		while (i < len && text[i] != '\a' && text[i] != '\x1b')
			i++;
		return i + (i < len) + (i + 1 < len && text[i] == '\x1b' && text[i + 1] == '\\');
	}
	return 2;
}

/* Zero-width characters, soft hyphens, NULs between the bytes of UTF-16, escape sequences. */
static size_t
invisible_len(const char *text, size_t len)
{
	static const char *const list[] = {"\xe2\x80\x8b", "\xe2\x80\x8c", "\xe2\x80\x8d",
	    "\xe2\x80\x8e", "\xe2\x80\x8f", "\xe2\x81\xa0", "\xef\xbb\xbf", "\xc2\xad"};

	if (text[0] == '\0')
		return 1;
	if (text[0] == '\x1b')
		return escape_len(text, len);
	for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
		size_t n = strlen(list[i]);
		if (len >= n && memcmp(text, list[i], n) == 0)
			return n;
	}
	return 0;
}

static void
step_visible(struct step *s, const char *text, size_t len)
{
	size_t skip = invisible_len(text, len), i = 1;

	if (len >= 3 && memcmp(text, "\xef\xbc\x9a", 3) == 0) { /* the wide colon of CJK text */
		step_byte(s, 3, ':');
		return;
	}
	if (skip > 0) {
		s->used = skip;
		s->len = 0;
		s->text = s->own;
		return;
	}
	while (i < len && text[i] != '\0' && text[i] != '\x1b' && text[i] != '\xe2' &&
	       text[i] != '\xef' && text[i] != '\xc2')
		i++;
	step_same(s, text, i);
}

static void
step(enum view view, struct step *s, const char *text, size_t len)
{
	switch (view) {
	case VIEW_JSON: step_json(s, text, len); break;
	case VIEW_PERCENT: step_percent(s, text, len); break;
	case VIEW_ENTITY: step_entity(s, text, len); break;
	case VIEW_VISIBLE: step_visible(s, text, len); break;
	}
}

void
view_open(enum view view, const char *text, size_t len, struct buf *out)
{
	struct step s;

	for (size_t at = 0; at < len; at += s.used) {
		step(view, &s, text + at, len - at);
		buf_add(out, s.text, s.len);
	}
}

void
view_back(enum view view, const char *text, size_t len, size_t base, struct edits *e, size_t first)
{
	struct step s = {0};
	size_t at = 0, seen = 0; /* offsets of the step in the text and in its view */

	if (first == e->count)
		return;
	struct edits part = {e->list + first, e->count - first, 0, e->values};
	edits_settle(&part); /* sorted and apart: one walk serves them all */
	e->count = first + part.count;
	for (size_t i = first; i < e->count; i++) {
		struct edit *edit = &e->list[i];
		for (; at < len; at += s.used, seen += s.len) {
			step(view, &s, text + at, len - at);
			if (seen + s.len > edit->from)
				break;
		}
		size_t from = at + (s.used == s.len ? edit->from - seen : 0);
		for (; at < len; at += s.used, seen += s.len) {
			step(view, &s, text + at, len - at);
			if (seen + s.len >= edit->to)
				break;
		}
		size_t to = at + (s.used == s.len ? edit->to - seen : s.used);
		if (view == VIEW_JSON)
			edit->slashes = edit->slashes * 2 + 1;
		edit->from = base + from;
		edit->to = base + (to < len ? to : len);
	}
}
