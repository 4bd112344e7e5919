/*
 * show and frame on any bytes: unshow(show(x)) is x however x is cut, one END marker in a frame and
 * no line of text that begins as one, nothing raw that a terminal or a reader would not show, a cut
 * frame within its cap, and frame_undo() on what is no frame.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "frame.h"
#include "utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
must(bool good)
{
	if (!good)
		abort();
}

static void
show_in_pieces(struct show *s, const char *text, size_t len, size_t piece, struct buf *out)
{
	for (size_t i = 0; i < len; i += piece)
		show_text(s, text + i, len - i < piece ? len - i : piece, out);
	show_end(s, out);
}

static void
nothing_hides(const struct buf *shown)
{
	size_t used;

	must(utf8_valid(shown->data ? shown->data : "", shown->len) == shown->len);
	for (size_t i = 0; i < shown->len; i += used) {
		int32_t c = utf8_decode(shown->data + i, shown->len - i, &used);
		must(c == '\n' || c == '\t' || c >= ' ');
		must(!(c >= 0x7f && c <= 0x9f) && !(c >= 0x200b && c <= 0x200f));
		must(!(c >= 0x2028 && c <= 0x202e) && !(c >= 0x2060 && c <= 0x206f));
		must((c < 0xe0000 || c > 0xe0fff) && c != 0xfeff && c != 0xad);
	}
}

static void
wrap(const char *text, size_t len, enum show_form form, size_t piece)
{
	struct show s = {.form = form}, again = {.form = form};
	struct buf shown = {0}, pieces = {0}, back = {0}, framed = {0}, cut = {0};
	struct digest *d = digest_new();
	char sha256[65];

	show_in_pieces(&s, text, len, len + 1, &shown);
	show_in_pieces(&again, text, len, piece, &pieces);
	must(shown.len == pieces.len &&
	     (shown.len == 0 || memcmp(shown.data, pieces.data, shown.len) == 0));
	must(s.chars == again.chars && s.forged == again.forged && s.hidden == again.hidden);
	nothing_hides(&shown);
	must(show_count(form, shown.data, shown.len, true) == s.chars + s.unended);

	struct frame f = {.form = form,
	    .label = "x",
	    .chars = s.chars,
	    .lines = s.lines,
	    .hidden = s.hidden,
	    .forged = s.forged,
	    .unended = s.unended};
	digest_add(d, "x", 2);
	digest_add(d, text, len);
	digest_end(d, sha256);
	frame_id(&f, sha256);
	frame_begin(&f, &framed);
	buf_add(&framed, shown.data, shown.len);
	frame_end(&f, &framed);
	must(frame_undo(framed.data, framed.len, &back) == NULL);
	must(back.len == len + (form == SHOW_SEED && s.unended));
	must(len == 0 || memcmp(back.data, text, len) == 0);

	size_t markers = 0;
	for (const char *p = framed.data; p < framed.data + framed.len; p = strchr(p, '\n') + 1)
		markers += strncmp(p, "---", 3) == 0 &&
			   (form == SHOW_QUOTED || strncmp(p, "--- UNTRUSTED", 13) == 0);
	must(markers == 2);

	size_t room = FRAME_NOTICE + 20;
	if (utf8_count(shown.data ? shown.data : "", shown.len) > room) {
		struct part whole = {shown.data, shown.len};
		frame_cut(&f, whole, whole, room, &cut);
		must(utf8_count(cut.data, cut.len) <= room);
		must(f.omitted > 0 && f.omitted <= f.chars);
		nothing_hides(&cut);
	}
	buf_free(&shown);
	buf_free(&pieces);
	buf_free(&back);
	buf_free(&framed);
	buf_free(&cut);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct buf out = {0};

	if (size == 0)
		return 0;
	frame_undo(text, size, &out);
	buf_free(&out);
	wrap(text + 1, size - 1, SHOW_QUOTED, data[0] % 16 + 1);
	wrap(text + 1, size - 1, SHOW_SEED, data[0] % 16 + 1);
	return 0;
}
