#ifndef SECTION_H
#define SECTION_H

/*
 * section: a section record, which is how text enters a message to a model: between markers that
 * it cannot forge, with what nobody could see made visible.
 */
#include <jv.h>
#include <stddef.h>

#include "buf.h"

/* label as frame_label() wants it; the record is yours to free. */
jv section_record(const char *label, const struct buf *text);

#endif
