#ifndef CANON_H
#define CANON_H

/*
 * canon: JSON in the one form that RFC 8785 gives it, for digests that other programs can repeat.
 *
 * Members are sorted by UTF-16 code units, numbers are printed as ECMAScript prints them, strings
 * with the fewest escapes.  Numbers that are not finite have no JSON form: null.
 *
 * jvx_write() is for people and terminals, and shares none of these rules: it sorts by bytes,
 * escapes DEL, and has no \b or \f.
 */
#include <jv.h>

#include "buf.h"

void canon_write(jv value, struct buf *b);  /* append; value is not consumed */
void canon_sha256(jv value, char hex[65]);  /* of canon_write's bytes; not consumed */
void canon_number(double n, struct buf *b); /* ECMA-262, Number::toString */

#endif
