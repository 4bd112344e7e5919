#include "frame.h"

#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "utf8.h"

static const char begins[] = "--- UNTRUSTED TRACE DATA BEGIN (",
		  ends[] = "--- UNTRUSTED TRACE DATA END (";

bool
frame_label(const char *text)
{
	size_t len =
	    strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:/-");

	return len > 0 && len <= FRAME_LABEL && text[len] == '\0';
}

/* 26 digits of five bits, without the letters that are taken for others (Crockford's base 32). */
void
frame_id(struct frame *f, const char sha256[65])
{
	static const char digits[] = "0123456789abcdefghjkmnpqrstvwxyz";
	unsigned held = 0, bits = 0;
	size_t n = 0;

	for (const char *p = sha256; n < FRAME_ID; p++) {
		held = held << 4 | (unsigned)(*p <= '9' ? *p - '0' : *p - 'a' + 10);
		bits += 4;
		if (bits < 5)
			continue;
		bits -= 5;
		f->id[n++] = digits[held >> bits & 31];
	}
	f->id[n] = '\0';
}

struct frame
frame_of(const char *label, const struct show *shown, const char *text, size_t len)
{
	struct frame f = {.form = shown->form, .chars = shown->chars, .lines = shown->lines};
	struct buf named = {0};
	char sum[65];

	buf_text(&named, label);
	buf_byte(&named, '\0');
	buf_add(&named, text, len);
	digest_sha256(named.data, named.len, sum);
	buf_free(&named);
	memcpy(f.label, label, strlen(label) + 1);
	frame_id(&f, sum);
	f.hidden = shown->hidden;
	f.forged = shown->forged;
	f.unended = shown->unended;
	return f;
}

static void
marker(const struct frame *f, const char *words, struct buf *out)
{
	buf_text(out, words);
	buf_text(out, f->label);
	if (f->form == SHOW_SEED) {
		buf_text(out, ") ---\n");
		return;
	}
	buf_format(out, " id=%s) chars=%zu lines=%zu", f->id, f->chars, f->lines);
	if (f->omitted != 0)
		buf_format(out, " omitted=%zu", f->omitted);
	if (f->hidden != 0)
		buf_format(out, " hidden=%zu", f->hidden);
	if (f->forged != 0)
		buf_format(out, " forged=%zu", f->forged);
	if (f->unended)
		buf_text(out, " unended");
	buf_text(out, " ---\n");
}

void
frame_begin(const struct frame *f, struct buf *out)
{
	marker(f, begins, out);
}

void
frame_end(const struct frame *f, struct buf *out)
{
	marker(f, ends, out);
}

void
frame_text(const char *label, const char *text, size_t len, struct buf *out)
{
	struct show s = {.form = SHOW_QUOTED};
	struct buf shown = {0};

	show_text(&s, text, len, &shown);
	show_end(&s, &shown);
	struct frame f = frame_of(label, &s, text, len);
	frame_begin(&f, out);
	buf_add(out, shown.data, shown.len);
	frame_end(&f, out);
	buf_free(&shown);
}

/* The byte offset of the code point number n; len when there are fewer. */
static size_t
offset_of(const char *text, size_t len, size_t n)
{
	size_t i = 0;

	for (; i < len; i++)
		if (((unsigned char)text[i] & 0xc0) != 0x80 && n-- == 0)
			break;
	return i;
}

/* The same counted from the end: the offset from which n code points remain. */
static size_t
offset_from_end(const char *text, size_t len, size_t n)
{
	size_t i = len;

	while (i > 0 && n > 0)
		if (((unsigned char)text[--i] & 0xc0) != 0x80)
			n--;
	return i;
}

static size_t
count_lines(const char *text, size_t len)
{
	size_t lines = 0;

	for (const char *p = text; (p = memchr(p, '\n', len - (size_t)(p - text))) != NULL; p++)
		lines++;
	return lines;
}

enum { NEAR = 200 }; /* a line end within this many bytes is a better place to cut */

void
frame_cut(struct frame *f, struct part head, struct part tail, size_t room, struct buf *out)
{
	const char *line;

	room = room > FRAME_NOTICE ? room - FRAME_NOTICE : 0;
	/* Errors stand at the end of a text, and what they are about at its start. */
	size_t first = offset_of(head.at, head.len, room - room * 2 / 5);
	first = show_cut_before(f->form, head.at, head.len, first);
	for (size_t i = first; i > 0 && first - i < NEAR; i--)
		if (head.at[i - 1] == '\n') {
			first = i;
			break;
		}
	size_t last = offset_from_end(tail.at, tail.len, room * 2 / 5);
	last = show_cut_after(f->form, tail.at, tail.len, last);
	if (last > 0 && last < tail.len && tail.at[last - 1] != '\n' &&
	    (line = memchr(
		 tail.at + last, '\n', tail.len - last < NEAR ? tail.len - last : NEAR)) != NULL &&
	    line + 1 < tail.at + tail.len)
		last = (size_t)(line + 1 - tail.at);
	bool mid_line = last > 0 && last < tail.len && tail.at[last - 1] != '\n';

	f->omitted = f->chars - show_count(f->form, head.at, first, true) -
		     show_count(f->form, tail.at + last, tail.len - last, !mid_line);
	f->omitted += f->unended && last < tail.len; /* the last line feed is ours */
	f->omitted_lines =
	    f->lines - count_lines(head.at, first) - count_lines(tail.at + last, tail.len - last);
	buf_add(out, head.at, first);
	if (first > 0 && head.at[first - 1] != '\n')
		buf_byte(out, '\n');
	if (f->form == SHOW_SEED)
		buf_format(out, "... [OUTPUT TRUNCATED: %zu of %zu characters left out] ...\n",
		    f->omitted, f->chars);
	else
		buf_format(out,
		    "[... %zu of %zu characters (%zu of %zu lines) left out here ...]\n",
		    f->omitted, f->chars, f->omitted_lines, f->lines);
	if (mid_line && f->form == SHOW_QUOTED)
		buf_text(out, "| ");
	buf_add(out, tail.at + last, tail.len - last);
}

static bool
starts_with(const char *text, size_t len, const char *words)
{
	return len >= strlen(words) && memcmp(text, words, strlen(words)) == 0;
}

static bool
has(const char *from, const char *end, const char *words)
{
	for (size_t len = strlen(words); (size_t)(end - from) >= len; from++)
		if (memcmp(from, words, len) == 0)
			return true;
	return false;
}

/* The label and id of a marker line; false when it is none. */
static bool
read_marker(const char *line, size_t len, const char *words, struct frame *f)
{
	const char *p = line + strlen(words), *end = line + len, *close;
	size_t label;

	if (!starts_with(line, len, words) || (close = memchr(p, ')', (size_t)(end - p))) == NULL)
		return false;
	const char *blank = memchr(p, ' ', (size_t)(close - p));
	label = (size_t)((blank ? blank : close) - p);
	if (label > FRAME_LABEL)
		return false;
	memcpy(f->label, p, label);
	f->label[label] = '\0';
	f->form = blank ? SHOW_QUOTED : SHOW_SEED;
	if (blank && ((size_t)(close - blank) != 4 + FRAME_ID || memcmp(blank, " id=", 4) != 0))
		return false;
	if (blank)
		memcpy(f->id, blank + 4, FRAME_ID);
	f->unended = has(close, end, " unended ");
	f->omitted = has(close, end, " omitted=");
	return frame_label(f->label);
}

/* One frame at text; *used is its length. */
static const char *
undo_one(const char *text, size_t len, size_t *used, struct buf *out)
{
	struct frame f = {0}, end = {0};
	const char *eol = memchr(text, '\n', len), *line;
	struct buf raw = {0}, shown = {0};
	char sha256[65], id[FRAME_ID + 1];

	if (eol == NULL || !read_marker(text, (size_t)(eol - text), begins, &f))
		return "no BEGIN marker where one should be";
	const char *stop = text + len;
	for (line = eol + 1;; line = eol + 1) {
		eol = line < stop ? memchr(line, '\n', (size_t)(stop - line)) : NULL;
		if (eol == NULL) {
			buf_free(&shown);
			return "no END marker";
		}
		size_t line_len = (size_t)(eol - line);
		if (read_marker(line, line_len, ends, &end) && strcmp(end.label, f.label) == 0 &&
		    strcmp(end.id, f.id) == 0)
			break;
		if (starts_with(line, line_len, f.form == SHOW_SEED ? "... [OUTPUT" : "[... "))
			f.omitted = 1;
		else if (f.form == SHOW_SEED || !starts_with(line, line_len, "[")) /* a notice */
			buf_add(&shown, line, line_len + 1);
	}
	*used = (size_t)(eol + 1 - text);
	bool good = unshow(f.form, shown.data, shown.len, &raw);
	buf_free(&shown);
	if (!good || f.omitted != 0) {
		buf_free(&raw);
		return good ? "something was left out, so the text cannot be had again"
			    : "a line that untrust-wrap does not write";
	}
	raw.len -= f.unended && raw.len > 0;
	struct digest *d = digest_new();
	digest_add(d, f.label, strlen(f.label) + 1);
	digest_add(d, raw.data, raw.len);
	digest_end(d, sha256);
	memcpy(id, f.id, sizeof id);
	frame_id(&f, sha256);
	buf_add(out, raw.data, raw.len);
	buf_free(&raw);
	return f.form == SHOW_SEED || strcmp(id, f.id) == 0 ? NULL
							    : "the text does not match its id";
}

const char *
frame_undo(const char *text, size_t len, struct buf *out)
{
	const char *wrong = NULL;

	for (size_t at = 0, used = 0; at < len && wrong == NULL; at += used)
		wrong = undo_one(text + at, len - at, &used, out);
	return wrong;
}
