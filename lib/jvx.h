#ifndef JVX_H
#define JVX_H

/*
 * jvx: libjq's values without its traps.
 *
 * Text becomes a value through our own scanner and not through jv_parse, and is printed by our own
 * writer, so that every version of libjq gives the same bytes: 1.6 and 1.7 refuse 256 nested
 * arrays, take what is not JSON, quote the record in their messages and print numbers differently.
 * Getters never abort on a wrong kind.  Unless said otherwise nothing is consumed.
 */
#include <jv.h>
#include <stdbool.h>

#include "buf.h"
#include "scan.h"

jv jvx_build(struct span checked); /* a value of text that passed scan_check() */
jv jvx_parse(const char *text, size_t len, struct scan_error *error); /* invalid when no JSON */

/*
 * Append as JSON in one line, keys sorted by byte at every depth.  Numbers are printed in the
 * shortest form that reads back equal; whole ones up to 2^53 without exponent.  NaN and the
 * infinities have no JSON form: null.
 */
void jvx_write(jv value, struct buf *b);
void jvx_write_text(const char *text, size_t len, struct buf *b); /* a string; utf8_mend()ed */

size_t jvx_length(jv string); /* bytes of a string value, NULs counted */

/* Members of an object, borrowed: valid while obj is.  Wrong kinds and absent members are alike. */
const char *jvx_text(jv obj, const char *key);               /* NULL when no string */
const char *jvx_bytes(jv obj, const char *key, size_t *len); /* the same, with NULs */
double jvx_number(jv obj, const char *key, double otherwise);
long jvx_whole(jv obj, const char *key, long most, long otherwise); /* as scan_whole() */
bool jvx_true(jv obj, const char *key);
jv jvx_get(jv obj, const char *key); /* yours to free; invalid when absent or obj is no object */

/* Setters consume obj, return it, and leave it alone when there is nothing to say. */
jv jvx_set(jv obj, const char *key, jv value); /* consumes value too; invalid: not set */
jv jvx_set_text(jv obj, const char *key, const char *text); /* NULL or "": not set */
jv jvx_set_ms(jv obj, const char *key, double ms);    /* to three decimals; over 8.64e15: not set */
jv jvx_set_number(jv obj, const char *key, double n); /* not finite: not set */

/*
 * The same without a value, for programs that write records by the hundred thousand: members go
 * behind the '{' in b.  Keys are the caller's to keep in byte order, and need no escapes.
 */
void jvx_put_key(struct buf *b, const char *key); /* and the caller appends the value */
void jvx_put_text(struct buf *b, const char *key, const char *text);
void jvx_put_ms(struct buf *b, const char *key, double ms);
void jvx_put_number(struct buf *b, const char *key, double n);

#endif
