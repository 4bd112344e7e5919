#ifndef SHOW_H
#define SHOW_H

/*
 * show: hostile text made visible, and back.
 *
 * What a reader could not see, or what would act on a terminal, is shown as <U+200B>, a byte that
 * is no UTF-8 as <xFF>, a run of tag characters (an ASCII alphabet nobody sees) as <tags:...>.  A
 * "<" that begins such a form in the text itself is shown as <U+003C>, so that unshow() restores
 * every byte.  Line feeds and tabs stay; every carriage return is shown.
 */
#include <stdbool.h>
#include <stddef.h>

#include "buf.h"

enum show_form {
	SHOW_QUOTED, /* "| " before every line: none can begin as a marker does */
	SHOW_SEED /* lines as they are; the first character of one that begins as ours do is shown
		   */
};

/* Zero-initialised but for form; the counts are of the text, not of what is shown for it. */
struct show {
	enum show_form form;
	size_t chars;  /* code points; a byte that is none counts as one */
	size_t lines;  /* line feeds, and a last line without one */
	size_t hidden; /* characters that are shown in another form */
	size_t forged; /* places that read "untrusted trace data", look-alike letters and all */
	bool unended;  /* after show_end: the last line had no line feed */
	struct buf held;
	size_t tags;
	int matched;
	bool in_line, base;
};

/* Append what text shows.  It may be cut anywhere: the same pieces joined give the same bytes. */
void show_text(struct show *s, const char *text, size_t len, struct buf *out);
void show_end(struct show *s, struct buf *out); /* the rest, and a line feed if there was none */

/* The opposite, whole lines at a time: append the bytes that were shown; false: no such form. */
bool unshow(enum show_form form, const char *shown, size_t len, struct buf *out);

/* The code points of the text of which shown, cut nowhere inside a form, is a part. */
size_t show_count(enum show_form form, const char *shown, size_t len, bool at_line_start);

/* The nearest place at or before at (after, with forward) where shown text may be cut. */
size_t show_cut_before(enum show_form form, const char *shown, size_t len, size_t at);
size_t show_cut_after(enum show_form form, const char *shown, size_t len, size_t at);

#endif
