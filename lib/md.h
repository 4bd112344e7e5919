#ifndef MD_H
#define MD_H

/*
 * md: Markdown in which strangers' text stays text.
 *
 * What a trace or a model wrote goes through md_text, md_code, md_diff or md_block, and then holds
 * no link, image, HTML, mention or emphasis, no command for a CI runner that reads its log, and
 * nothing that acts on a terminal: what cannot be seen is shown as <U+202E>.  md_own takes our own
 * words only.
 */
#include <stdbool.h>
#include <stddef.h>

#include "buf.h"

struct md {
	struct buf b;
	bool colour; /* for a terminal: headings and diffs in colour */
};

void md_own(struct md *m, const char *format, ...) __attribute__((format(printf, 2, 3)));
void md_heading(struct md *m, int level, const char *own);
void md_title(struct md *m, const char *text); /* a heading of level 1 in a stranger's words */
void md_text(struct md *m, const char *text);  /* inline; its `code` stays code */
void md_code(struct md *m, const char *text);  /* inline */
void md_diff(struct md *m, const char *text);  /* a block of its own */

/* Text between two markers in a fenced block, each line after indent. */
void md_block(struct md *m, const char *label, const char *text, size_t len, const char *indent);

/* For a line that is no Markdown: nothing that acts on a terminal or in a log. */
void md_line(struct md *m, const char *text, size_t most);

#endif
