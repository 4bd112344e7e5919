/* untrust-wrap: put what a stranger wrote between markers that it cannot forge, and cap its size.
 */
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "confine.h"
#include "digest.h"
#include "evidence.h"
#include "frame.h"
#include "ndjson.h"
#include "prog.h"
#include "sections.h"
#include "utf8.h"

enum { CAP = 80000, CAP_TEXT_LEAST = 500, CAP_RECORDS_LEAST = 8000, CAP_MOST = 100000000 };

static const char help[] =
    "untrust-wrap [-1] [-c chars] [-d | -l label] [file ...]\n"
    "\n"
    "Passes records on and ends each segment with section records: the evidence as a\n"
    "model may read it, between markers that no content can forge, at most 80000\n"
    "characters in all.\n"
    "\n"
    "  -c chars  another cap\n"
    "  -l label  frame plain text: text in, framed text out\n"
    "  -d        take frames off plain text: the exact bytes that went in\n"
    "  -1        the plain form: markers without an id, lines without a quote mark\n"
    "\n"
    "Example: curl -s https://example.org/ | untrust-wrap -l page";

static void
put(const char *bytes, size_t len)
{
	if (fwrite(bytes, 1, len, stdout) != len || fflush(stdout) != 0)
		err(TROUBLE, "write");
}

/* Read the operands one after the other: the bytes of the next piece, 0 after the last. */
struct input {
	char **files;
	FILE *f;
	bool failed;
};

static size_t
input_read(struct input *in, char *bytes, size_t size)
{
	for (;;) {
		if (in->f == NULL) {
			if (*in->files == NULL)
				return 0;
			in->f = strcmp(*in->files, "-") == 0 ? stdin : fopen(*in->files, "re");
			if (in->f == NULL) {
				warn("%s", *in->files);
				in->failed = true;
				in->files++;
				continue;
			}
		}
		size_t got = fread(bytes, 1, size, in->f);
		if (got != 0)
			return got;
		if (ferror(in->f)) {
			warn("%s", *in->files);
			in->failed = true;
		}
		if (in->f != stdin)
			fclose(in->f);
		in->f = NULL;
		in->files++;
	}
}

/* What is kept of shown text while it comes: its start and its end, which may be the same. */
struct keeper {
	struct buf head, tail;
	size_t most; /* bytes of each */
	bool whole;  /* the start is all */
};

static void
keep(struct keeper *k, const char *shown, size_t len)
{
	size_t room = k->most - k->head.len, take = len < room ? len : room;

	buf_add(&k->head, shown, take);
	buf_add(&k->tail, shown, len);
	k->whole = k->whole && take == len;
	if (k->tail.len > 4 * k->most) {
		size_t from = k->tail.len - k->most;
		memmove(k->tail.data, k->tail.data + from, k->most);
		k->tail.len = k->most;
	}
}

static int
wrap_text(struct input *in, const char *label, enum show_form form, size_t cap)
{
	static char bytes[1 << 16];
	struct frame f = {.form = form};
	struct show show = {.form = form};
	struct keeper k = {.most = cap * 4, .whole = true};
	struct buf shown = {0}, out = {0};
	struct digest *d = digest_new();
	char sha256[65];
	size_t got;

	snprintf(f.label, sizeof f.label, "%s", label);
	digest_add(d, label, strlen(label) + 1);
	while ((got = input_read(in, bytes, sizeof bytes)) != 0) {
		digest_add(d, bytes, got);
		show_text(&show, bytes, got, &shown);
		keep(&k, shown.data, shown.len);
		buf_clear(&shown);
	}
	show_end(&show, &shown);
	keep(&k, shown.data, shown.len);
	digest_end(d, sha256);
	frame_id(&f, sha256);
	f.chars = show.chars;
	f.lines = show.lines;
	f.hidden = show.hidden;
	f.forged = show.forged;
	f.unended = show.unended;

	frame_begin(&f, &out);
	buf_add(&out, k.head.data, k.head.len);
	frame_end(&f, &out);
	if (!k.whole || utf8_count(out.data, out.len) > cap) {
		/* The omitted counts make the markers longer: as long as if all was. */
		struct buf markers = {0};
		f.omitted = f.chars;
		frame_begin(&f, &markers);
		frame_end(&f, &markers);
		struct part head = {k.head.data, k.head.len}, tail = {k.tail.data, k.tail.len};
		buf_clear(&shown);
		frame_cut(&f, head, tail, cap - markers.len, &shown);
		buf_clear(&out);
		frame_begin(&f, &out);
		buf_add(&out, shown.data, shown.len);
		frame_end(&f, &out);
		buf_free(&markers);
	}
	put(out.data, out.len);
	if (f.forged != 0)
		warnx("%zu look-alike marker%s in the text", f.forged, f.forged == 1 ? "" : "s");
	buf_free(&k.head);
	buf_free(&k.tail);
	buf_free(&shown);
	buf_free(&out);
	return in->failed ? TROUBLE : YES;
}

static int
unwrap_text(struct input *in)
{
	static char bytes[1 << 16];
	struct buf text = {0}, out = {0};
	size_t got;

	while ((got = input_read(in, bytes, sizeof bytes)) != 0)
		buf_add(&text, bytes, got);
	const char *wrong = frame_undo(text.data, text.len, &out);
	if (wrong != NULL)
		errx(TROUBLE, "%s", wrong);
	put(out.data, out.len);
	buf_free(&text);
	buf_free(&out);
	return in->failed ? TROUBLE : YES;
}

static void
end_segment(struct evidence *e, struct sections *s, bool wrapped)
{
	evidence_end(e);
	if (wrapped)
		sections_clear(s);
	else
		sections_write(s, stdout);
}

static int
wrap_records(char **files, enum show_form form, size_t cap)
{
	struct ndjson *in = ndjson_open(files);
	struct sections *s = sections_new(form, cap);
	struct evidence *e = evidence_new(s);
	bool wrapped = false; /* the segment has sections already */

	while (ndjson_next(in)) {
		if (ndjson_is(in, "trace")) {
			end_segment(e, s, wrapped);
			wrapped = false;
		}
		wrapped = wrapped || ndjson_is(in, "section");
		evidence_add(e, in);
		ndjson_pass(in, stdout);
	}
	end_segment(e, s, wrapped);
	evidence_free(e);
	sections_free(s);
	return ndjson_close(in, stdout) ? YES : TROUBLE;
}

int
main(int argc, char *argv[])
{
	enum show_form form = SHOW_QUOTED;
	const char *label = NULL;
	bool undo = false;
	long long cap = CAP;
	static char *standard_input[] = {"-", NULL};
	int ch;

	prog_start(argc, argv, help);
	while ((ch = getopt(argc, argv, "1c:dl:")) != -1) {
		switch (ch) {
		case '1': form = SHOW_SEED; break;
		case 'c': cap = prog_number(ch, optarg, CAP_TEXT_LEAST, CAP_MOST); break;
		case 'd': undo = true; break;
		case 'l': label = optarg; break;
		default: prog_usage();
		}
	}
	if (undo && label != NULL)
		prog_usage();
	if (label != NULL && !frame_label(label))
		errx(TROUBLE, "-l: a label is 1 to 64 of A-Z a-z 0-9 . _ : / -");
	if (label == NULL && !undo && cap < CAP_RECORDS_LEAST)
		errx(TROUBLE, "-c %lld: for records, at least %d", cap, CAP_RECORDS_LEAST);

	argv += optind;
	confine(&(struct confine){.files = argv});
	struct input in = {.files = *argv != NULL ? argv : standard_input};
	if (undo)
		return unwrap_text(&in);
	if (label != NULL)
		return wrap_text(&in, label, form, (size_t)cap);
	return wrap_records(argv, form, (size_t)cap);
}
