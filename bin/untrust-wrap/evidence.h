#ifndef EVIDENCE_H
#define EVIDENCE_H

/* evidence: how a record reads to a model, and in which section. */
#include "ndjson.h"
#include "sections.h"

struct evidence;

struct evidence *evidence_new(struct sections *s);
void evidence_add(struct evidence *e, const struct ndjson *record); /* not evidence: nothing */
void evidence_end(struct evidence *e); /* of a segment: what could only be judged now is judged */
void evidence_free(struct evidence *e);

#endif
