#ifndef FRAME_H
#define FRAME_H

/*
 * frame: shown text between two markers that it cannot forge.
 *
 *	--- UNTRUSTED TRACE DATA BEGIN (LABEL id=ID) chars=.. lines=.. ---
 *	| a line of the text
 *	--- UNTRUSTED TRACE DATA END (LABEL id=ID) chars=.. lines=.. ---
 *
 * The id is 128 bits of SHA-256 of label and text, so a text that holds its own id cannot be made,
 * and the same text has the same id.  What is too long loses its middle: the counts stand in both
 * markers and where the middle was.
 */
#include "show.h"

enum { FRAME_ID = 26, FRAME_LABEL = 64 };

struct frame {
	enum show_form form;
	char label[FRAME_LABEL + 1], id[FRAME_ID + 1];
	size_t chars, lines;           /* of the whole text */
	size_t omitted, omitted_lines; /* of these left out */
	size_t hidden, forged;         /* see show.h */
	bool unended;                  /* the text's last line had no line feed */
};

bool frame_label(const char *text); /* may it stand in a marker? [A-Za-z0-9._:/-]{1,64} */
void frame_id(struct frame *f, const char sha256[65]); /* of label, NUL, text */
struct frame frame_of(const char *label, const struct show *shown, const char *text, size_t len);
void frame_begin(const struct frame *f, struct buf *out);
void frame_end(const struct frame *f, struct buf *out);
/* All three: append text shown and framed, whole. */
void frame_text(const char *label, const char *text, size_t len, struct buf *out);

/*
 * The middle of shown text left out, so that at most room code points remain, the notice included:
 * head is where it starts, tail where it ends (the same bytes, or what was kept of them); both are
 * whole lines but for the head's end and the tail's start.  Counts what is left out in *f, whose
 * chars and lines are set.
 */
struct part {
	const char *at;
	size_t len;
};
void frame_cut(struct frame *f, struct part head, struct part tail, size_t room, struct buf *out);

/* The size of the line that says what was left out, at most. */
enum { FRAME_NOTICE = 120 };

/* Undo the frames of text, one after the other: append what they held.  NULL, or what is wrong. */
const char *frame_undo(const char *text, size_t len, struct buf *out);

#endif
