#include "show.h"

#include <stdint.h>
#include <string.h>

#include "utf8.h"

enum {
	LOOK = 8,      /* bytes one step may look at: a code point, a form's first bytes, "--- U" */
	TAG_RUN = 40,  /* tag characters in one form, so that a form's length is bounded */
	FORM_MAX = 64, /* bytes of the longest form */
};

/* Zero-width, filler, joining and direction characters, and line ends that only some readers know.
 * Ranges in order. */
static const struct range {
	uint32_t first, last;
} unseen[] = {
    {0x00, 0x08},
    {0x0b, 0x1f},
    {0x7f, 0x9f},
    {0xad, 0xad},
    {0x34f, 0x34f},
    {0x61c, 0x61c},
    {0x115f, 0x1160},
    {0x17b4, 0x17b5},
    {0x180b, 0x180f},
    {0x200b, 0x200f},
    {0x2028, 0x202e},
    {0x2060, 0x206f},
    {0x2800, 0x2800},
    {0x3164, 0x3164},
    {0xfdd0, 0xfdef},
    {0xfe00, 0xfe0f},
    {0xfeff, 0xfeff},
    {0xffa0, 0xffa0},
    {0xfff0, 0xfffb},
    {0xfffe, 0xffff},
    {0x1bca0, 0x1bca3},
    {0x1d173, 0x1d17a},
    {0xe0000, 0xe0fff},
};

static bool
is_unseen(uint32_t code)
{
	size_t lo = 0, hi = sizeof unseen / sizeof *unseen;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		if (code > unseen[mid].last)
			lo = mid + 1;
		else if (code < unseen[mid].first)
			hi = mid;
		else
			return true;
	}
	return (code & 0xfffe) == 0xfffe;
}

static bool
is_variation(uint32_t code)
{
	return code >= 0xfe00 && code <= 0xfe0f;
}

/* The tag characters that mirror printable ASCII, but for the two that close our own form. */
static int
tag_letter(uint32_t code)
{
	int c = (int)(code - 0xe0000);

	return code >= 0xe0020 && code <= 0xe007e && c != '<' && c != '>' ? c : 0;
}

/* The letters of "untrusted trace data" as other alphabets draw them; 0 for what is no letter. */
static int
fold(uint32_t code)
{
	static const struct {
		uint16_t code;
		char letter;
	} alike[] = {
	    {0x3bd, 'u'}, {0x3c5, 'u'}, {0x54d, 'u'}, {0x57d, 'u'}, {0x222a, 'u'}, /* u */
	    {0x39d, 'n'}, {0x3b7, 'n'}, {0x43f, 'n'}, {0x578, 'n'}, {0x274, 'n'},  /* n */
	    {0x3a4, 't'}, {0x3c4, 't'}, {0x422, 't'}, {0x442, 't'},                /* t */
	    {0x433, 'r'}, {0x280, 'r'}, {0x1a6, 'r'},                              /* r */
	    {0x405, 's'}, {0x455, 's'}, {0x54f, 's'},                              /* s */
	    {0x395, 'e'}, {0x3b5, 'e'}, {0x415, 'e'}, {0x435, 'e'}, {0x451, 'e'},  /* e */
	    {0x501, 'd'}, {0x500, 'd'},                                            /* d */
	    {0x391, 'a'}, {0x3b1, 'a'}, {0x410, 'a'}, {0x430, 'a'},                /* a */
	    {0x3f2, 'c'}, {0x3f9, 'c'}, {0x421, 'c'}, {0x441, 'c'},                /* c */
	};

	if (code < 0x80) {
		code |= 0x20;
		return code >= 'a' && code <= 'z' ? (int)code : 0;
	}
	if ((code >= 0xff21 && code <= 0xff3a) || (code >= 0xff41 && code <= 0xff5a))
		return (int)('a' + (code - 0xff21) % 32);
	if (code >= 0x1d400 && code <= 0x1d6a3) /* mathematical letters, 13 alphabets */
		return (int)('a' + (code - 0x1d400) % 26);
	if (code >= 0x24b6 && code <= 0x24e9) /* circled letters */
		return (int)('a' + (code - 0x24b6) % 26);
	for (size_t i = 0; i < sizeof alike / sizeof *alike; i++)
		if (alike[i].code == code)
			return alike[i].letter;
	return 0;
}

/* Step the search for a marker's words; what is no letter may stand anywhere between. */
static void
match(struct show *s, uint32_t code)
{
	static const char words[] = "untrustedtracedata";
	int letter = fold(code);

	if (letter == 0)
		return;
	/* The only prefix that recurs inside the words is their first letter. */
	if (letter != words[s->matched])
		s->matched = s->matched == 5 && letter == 'n' ? 1 : 0;
	if (letter == words[s->matched])
		s->matched++;
	if (words[s->matched] == '\0') {
		s->forged++;
		s->matched = 0;
	}
}

static bool
is_hex(int c)
{
	return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F');
}

/* Does text, which begins with '<', begin as one of our forms does? */
static bool
like_form(const char *text, size_t len)
{
	return (len >= 4 && memcmp(text, "<U+", 3) == 0 && is_hex(text[3])) ||
	       (len >= 5 && memcmp(text, "<x", 2) == 0 && is_hex(text[2]) && is_hex(text[3]) &&
		   text[4] == '>') ||
	       (len >= 6 && memcmp(text, "<tags:", 6) == 0);
}

/* "<U+200B>": begin, at least so many digits of n, and ">". */
static void
add_form(struct buf *out, const char *begin, uint32_t n, int digits)
{
	while (digits < 6 && n >> 4 * digits != 0)
		digits++;
	buf_text(out, begin);
	while (digits-- > 0)
		buf_byte(out, "0123456789ABCDEF"[n >> 4 * digits & 15]);
	buf_byte(out, '>');
}

static void
close_tags(struct show *s, struct buf *out)
{
	if (s->tags != 0)
		buf_byte(out, '>');
	s->tags = 0;
}

static void
show_tag(struct show *s, int letter, struct buf *out)
{
	if (s->tags == TAG_RUN)
		close_tags(s, out);
	if (s->tags++ == 0)
		buf_text(out, "<tags:");
	buf_byte(out, letter);
	s->hidden++;
}

/* One code point, or one byte that is none; text goes on for len bytes, *used is how many it took.
 */
static void
show_one(struct show *s, const char *text, size_t len, size_t *used, struct buf *out)
{
	int32_t code = utf8_decode(text, len, used);
	int letter = code < 0 ? 0 : tag_letter((uint32_t)code);
	bool starts = !s->in_line, form;

	s->chars++;
	if (letter != 0) {
		if (starts && s->form == SHOW_QUOTED)
			buf_text(out, "| ");
		s->in_line = true;
		show_tag(s, letter, out);
		return;
	}
	close_tags(s, out);
	if (starts && s->form == SHOW_QUOTED)
		buf_text(out, "| ");
	s->in_line = code != '\n';
	s->lines += code == '\n';
	if (code < 0) {
		*used = 1;
		add_form(out, "<x", (unsigned char)*text, 2);
		s->hidden++;
		s->base = false;
		return;
	}
	match(s, (uint32_t)code);
	form = code == '<' && like_form(text, len);
	if (starts && s->form == SHOW_SEED && len >= 5 &&
	    (memcmp(text, "--- U", 5) == 0 || memcmp(text, "... [", 5) == 0))
		form = true;
	if (code != '\n' && code != '\t' && is_unseen((uint32_t)code))
		form = !(is_variation((uint32_t)code) && s->base);
	s->base = !form && code > ' ' && !is_variation((uint32_t)code);
	s->hidden += form;
	if (form)
		add_form(out, "<U+", (uint32_t)code, 4);
	else
		buf_add(out, text, *used);
}

/* Printable ASCII and line feeds, about which nothing has to be decided, are most of any text. */
static bool
is_plain(unsigned char c)
{
	return (c >= 0x20 && c <= 0x7e && c != '<') || c == '\n';
}

/* Has one of eight bytes (none over 0x7f) the value c? */
static bool
has_byte(uint64_t eight, unsigned char c)
{
	const uint64_t ones = 0x0101010101010101u;
	uint64_t zero_where = eight ^ (ones * c);

	return ((zero_where - ones) & ~zero_where & (ones << 7)) != 0;
}

/* How far plain text goes that begins no marker's words and ends no line. */
static size_t
run_len(const char *text, size_t len)
{
	const uint64_t ones = 0x0101010101010101u;
	uint64_t eight;
	size_t i = 0;

	for (; i + 8 <= len; i += 8) {
		memcpy(&eight, text + i, 8);
		if (((eight | (eight - ones * 0x20)) & (ones << 7)) != 0 || has_byte(eight, 0x7f) ||
		    has_byte(eight, '<') || has_byte(eight | (ones << 5), 'u'))
			break;
	}
	while (i < len && text[i] != '\n' && is_plain((unsigned char)text[i]) &&
	       (text[i] | 0x20) != 'u')
		i++;
	return i;
}

static size_t
show_plain(struct show *s, const char *text, size_t len, struct buf *out)
{
	size_t i = 0, run;

	buf_reserve(out, 3 * len); /* each byte may be a line with its quote */
	char *to = out->data + out->len;
	while (i < len && is_plain((unsigned char)text[i])) {
		if (!s->in_line && s->form == SHOW_SEED && (text[i] == '-' || text[i] == '.'))
			break;
		if (!s->in_line && s->form == SHOW_QUOTED) {
			*to++ = '|';
			*to++ = ' ';
		}
		run = s->matched == 0 ? run_len(text + i, len - i) : 0;
		if (run != 0) {
			memcpy(to, text + i, run);
			to += run;
			i += run;
			s->in_line = true;
			continue;
		}
		match(s, (unsigned char)text[i]);
		s->in_line = text[i] != '\n';
		s->lines += !s->in_line;
		*to++ = text[i++];
	}
	s->chars += i;
	if (i != 0)
		s->base = text[i - 1] > ' ';
	out->len = (size_t)(to - out->data);
	out->data[out->len] = '\0';
	return i;
}

static void
show_some(struct show *s, const char *text, size_t len, size_t until, struct buf *out)
{
	size_t i = 0, used;

	while (i < until) {
		if (s->tags == 0)
			i += show_plain(s, text + i, until - i, out);
		if (i == until)
			break;
		show_one(s, text + i, len - i, &used, out);
		i += used;
	}
	memmove(s->held.data, text + i, len - i);
	s->held.len = len - i;
}

void
show_text(struct show *s, const char *text, size_t len, struct buf *out)
{
	buf_add(&s->held, text, len);
	if (s->held.len > LOOK)
		show_some(s, s->held.data, s->held.len, s->held.len - LOOK, out);
}

void
show_end(struct show *s, struct buf *out)
{
	if (s->held.len != 0)
		show_some(s, s->held.data, s->held.len, s->held.len, out);
	close_tags(s, out);
	s->unended = s->in_line;
	if (s->unended) {
		buf_byte(out, '\n');
		s->lines++;
	}
	s->in_line = false;
	buf_free(&s->held);
}

/* The length of the form at text, 0 when there is none; its code point, or -1 for a byte, -2 tags.
 */
static size_t
form_at(const char *text, size_t len, int32_t *code, unsigned *byte)
{
	uint32_t n = 0;
	size_t i = 3;

	if (len < 5 || *text != '<')
		return 0;
	if (text[1] == 'U' && text[2] == '+') {
		for (; i < len && i < 9 && is_hex(text[i]); i++)
			n = n * 16 +
			    (uint32_t)(text[i] <= '9' ? text[i] - '0' : text[i] - 'A' + 10);
		if (i < 7 || i == len || text[i] != '>' || n > 0x10ffff)
			return 0;
		*code = (int32_t)n;
		return i + 1;
	}
	if (text[1] == 'x' && is_hex(text[2]) && is_hex(text[3]) && text[4] == '>') {
		for (i = 2; i < 4; i++)
			n = n * 16 +
			    (uint32_t)(text[i] <= '9' ? text[i] - '0' : text[i] - 'A' + 10);
		*byte = n;
		*code = -1;
		return 5;
	}
	if (len > 6 && memcmp(text, "<tags:", 6) == 0) {
		for (i = 6; i < len && i < 6 + TAG_RUN && text[i] >= ' ' && text[i] <= '~' &&
			    text[i] != '>';
		     i++)
			;
		if (i == 6 || i == len || text[i] != '>')
			return 0;
		*code = -2;
		return i + 1;
	}
	return 0;
}

bool
unshow(enum show_form how, const char *shown, size_t len, struct buf *out)
{
	bool starts = true;

	for (size_t i = 0; i < len;) {
		int32_t code = 0;
		unsigned byte = 0;
		if (starts && how == SHOW_QUOTED) {
			if (len - i < 2 || memcmp(shown + i, "| ", 2) != 0)
				return false;
			i += 2;
			starts = false;
			continue;
		}
		size_t form = form_at(shown + i, len - i, &code, &byte);
		starts = shown[i] == '\n';
		if (form == 0) {
			if (like_form(shown + i, len - i))
				return false;
			buf_byte(out, shown[i++]);
			continue;
		}
		if (code == -1)
			buf_byte(out, (int)byte);
		else if (code == -2)
			for (size_t j = 6; j < form - 1; j++)
				utf8_add(out, 0xe0000u + (unsigned char)shown[i + j]);
		else
			utf8_add(out, (uint32_t)code);
		i += form;
	}
	return true;
}

size_t
show_count(enum show_form how, const char *shown, size_t len, bool starts)
{
	size_t count = 0, used;

	for (size_t i = 0; i < len; i += used, count++) {
		int32_t code = 0;
		unsigned byte;
		if (starts && how == SHOW_QUOTED && len - i >= 2 &&
		    memcmp(shown + i, "| ", 2) == 0) {
			used = 2;
			count--;
			starts = false;
			continue;
		}
		starts = shown[i] == '\n';
		used = form_at(shown + i, len - i, &code, &byte);
		if (used == 0)
			utf8_decode(shown + i, len - i, &used);
		else if (code == -2)
			count += used - 8; /* "<tags:" and ">", and the one that the loop counts */
	}
	return count;
}

/* Marks that belong to the character before them. */
static bool
joins(const char *text, size_t len)
{
	size_t used;
	int32_t code = len == 0 ? 0 : utf8_decode(text, len, &used);

	return (code >= 0x300 && code <= 0x36f) || (code >= 0x20d0 && code <= 0x20ff) ||
	       is_variation((uint32_t)code);
}

/* Where the thing that at lies inside of begins and ends; both at when it lies inside of none. */
static void
around(enum show_form how, const char *shown, size_t len, size_t at, size_t *from, size_t *to)
{
	int32_t code;
	unsigned byte;
	size_t back = at < FORM_MAX ? at : FORM_MAX;

	*from = *to = at;
	if (at == 0 || at >= len)
		return;
	for (size_t i = at - back; i < at; i++) {
		size_t form = form_at(shown + i, len - i, &code, &byte);
		if (form > at - i) {
			*from = i;
			*to = i + form;
			return;
		}
	}
	if (how == SHOW_QUOTED) {
		for (size_t i = at < 2 ? 0 : at - 2; i < at; i++)
			if ((i == 0 || shown[i - 1] == '\n') && shown[i] == '|') {
				*from = i;
				*to = i + 2;
				return;
			}
	}
	while (*from > 0 && ((unsigned char)shown[*from] & 0xc0) == 0x80)
		--*from;
	while (*to < len && ((unsigned char)shown[*to] & 0xc0) == 0x80)
		++*to;
}

size_t
show_cut_before(enum show_form how, const char *shown, size_t len, size_t at)
{
	size_t from, to;

	for (int marks = 0; marks < 16; marks++) {
		around(how, shown, len, at, &from, &to);
		if (from == at && !(at > 0 && joins(shown + at, len - at)))
			break;
		at = from == at ? at - 1 : from;
	}
	return at;
}

size_t
show_cut_after(enum show_form how, const char *shown, size_t len, size_t at)
{
	size_t from, to;

	for (int marks = 0; marks < 16; marks++) {
		around(how, shown, len, at, &from, &to);
		if (to == at && !(at < len && joins(shown + at, len - at)))
			break;
		at = to == at ? at + 1 : to;
	}
	return at;
}
