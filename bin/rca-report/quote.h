#ifndef QUOTE_H
#define QUOTE_H

/* quote: a record of evidence as a person reads it: one line, and indented ones where it has more.
 */
#include <jv.h>
#include <stdbool.h>

#include "buf.h"

void quote(struct buf *b, jv record); /* borrowed; ends with a line feed */

/* The line of a code or source record, "FILE:LINE | text"; false when the record lacks it. */
bool quote_line(struct buf *b, jv record, const char *file, long line);

/* "FILE:LINE" when the record has both, and before in front of it. */
void quote_place(struct buf *b, const char *before, jv record);

/* Are two names, of two machines perhaps, those of one file? By whole segments from the end. */
bool same_file(const char *one, const char *other);

#endif
