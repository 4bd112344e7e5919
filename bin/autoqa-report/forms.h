#ifndef FORMS_H
#define FORMS_H

/* forms: a run for a terminal or a pull request, for a CI server, for a browser. */
#include "buf.h"
#include "run.h"

void form_markdown(const struct run *r, struct buf *b);
void form_junit(const struct run *r, struct buf *b);
void form_html(const struct run *r, struct buf *b);

/* What a bug's numbers say, in words of ours; and the run's, a line each. */
void form_numbers(const struct bug *bug, struct buf *b);
void form_summary(const struct run *r, struct buf *b);
void form_verdict(const struct run *r, struct buf *b);

#endif
