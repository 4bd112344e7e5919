#ifndef ANALYSIS_H
#define ANALYSIS_H

/*
 * analysis: the fields of an analysis record as a model is shown them, and as its quotes are looked
 * up: the same bytes for both.
 *
 * A field is named by its path, as in "error.message".  Its text is the string itself, or a list or
 * an object flattened to a line a value.  Fields have caps, of code points; what is too long loses
 * its middle, and a line says how much.  All fields together are at most ANALYSIS_MOST.
 */
#include <jv.h>
#include <stdbool.h>

#include "buf.h"

enum { ANALYSIS_MOST = 40000 };

/* Append the text of a field; false when the record has none, or it is not one that is shown. */
bool analysis_field(jv analysis, const char *field, struct buf *text);

/* The sections in their order: labels[i] until NULL. */
extern const char *const analysis_labels[];
/* Append the fields of a section, each under its name; nothing when the record has none. */
void analysis_section(jv analysis, const char *label, struct buf *text);

/* Does a verdict belong to this test: did it fail, was it flaky, or is it newly so? */
bool analysis_selected(jv analysis);

/* What its group is called: tests of one group share one verdict.  Borrowed from the record. */
const char *analysis_group(jv analysis);

/*
 * Put the list in the order in which verdicts are made: what is most ambiguous first, then large
 * groups, then by name.  Which test speaks for its group: the first that has a trace, else the
 * first. {group: index}, yours to free.
 */
jv analysis_speakers(jv *list, size_t count);

#endif
