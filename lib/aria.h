#ifndef ARIA_H
#define ARIA_H

/*
 * aria: a page as assistive technology has it, in the YAML form of Playwright's ariaSnapshot().
 *
 * Roles, names and states are computed as Playwright 1.65 does it.  What only a browser knows
 * (focus, indeterminate, layout) is not in a snapshot; styles are computed from the style sheets
 * that the trace has.  The manual says what differs.  Lines end with '\n'; nothing to say is "".
 * What would be longer than ARIA_MOST is cut.
 */
#include <stdbool.h>

#include "buf.h"
#include "dom.h"

enum { ARIA_MOST = 4 << 20 };

/* Append the BODY of a frame's latest snapshot; an iframe is a leaf.  False: no such snapshot. */
bool aria_snapshot(const struct dom *d, const char *frame, struct buf *yaml);

/* The same, and below each iframe what is in it, as in Playwright's form for models. */
bool aria_stitched(const struct dom *d, const char *frame, struct buf *yaml);

#endif
