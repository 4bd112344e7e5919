#ifndef NDJSON_H
#define NDJSON_H

/*
 * ndjson: records in, records out, one JSON object with a string "type" per line.
 *
 * A reader holds one record at a time, however long its line.  A line that is no record is reported
 * as "prog: file: line N: why" and costs only itself; an unreadable file costs that file; either
 * makes ndjson_close() false.  A zip is reported once.  Empty lines are skipped.  No memory, or a
 * failed write, ends the program with TROUBLE.
 */
#include <stdbool.h>
#include <stdio.h>

#include "jvx.h"

struct ndjson;

/* The list ends with NULL and is borrowed until close; an empty list, or "-", is standard input. */
struct ndjson *ndjson_open(char *const files[]);
bool ndjson_next(struct ndjson *in); /* step; false after the last record of the last file */
bool ndjson_is(const struct ndjson *in, const char *type); /* looks at bytes, parses nothing */
struct span ndjson_span(const struct ndjson *in); /* the checked bytes; valid until the next step */
struct span ndjson_bulk(const struct ndjson *in); /* what scan_check_member() found of it */
jv ndjson_value(struct ndjson *in); /* yours to jv_free(); parsed once, however often you ask */
void ndjson_pass(const struct ndjson *in, FILE *out); /* the record, with the bytes it came with */
void ndjson_put(jv rec, FILE *out); /* consumes rec; one line, keys sorted at every depth */
/* Write bytes that are a record already, and the line end. */
void ndjson_raw(struct span record, FILE *out);
/* Say "prog: file: line N: why" about the current record; close will be false. */
void ndjson_complain(struct ndjson *in, const char *why);
/* Flush out and free the reader; true when everything was read and nothing was complained of. */
bool ndjson_close(struct ndjson *in, FILE *out);

/* A warning record; where may be NULL. */
jv ndjson_warning(const char *tool, const char *code, const char *message, const char *where);

#endif
