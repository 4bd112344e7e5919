#ifndef JUDGE_H
#define JUDGE_H

/* judge: whether an answer holds, by its schema and by the programs of -V. */
#include <jv.h>
#include <stdbool.h>

#include "buf.h"
#include "prompt.h"
#include "provider.h"

enum { JUDGE_MESSAGES = 5, JUDGE_CHARS = 500 };

/*
 * The value that text is: the whole of it, or what its only fenced block holds.  Invalid when it is
 * none, or does not fit the schema; then *complaints (an array of texts) has the reasons.
 */
jv judge_answer(const struct prompt *p, enum provider_kind kind, jv text, jv *complaints);

/*
 * What a program of -V wrote: its trigger, citation, phase and violation records are appended to
 * records, each a line, and the messages of those that do not hold to complaints (consumed and
 * returned).
 */
jv judge_output(const struct buf *output, struct buf *records, jv complaints);

jv judge_merge(jv complaints, jv more); /* both are consumed; the first JUDGE_MESSAGES stay */

/* What the model is told: the complaints (not consumed) between markers, as data. */
jv judge_request(jv complaints);

#endif
