#ifndef URI_H
#define URI_H

/* uri: RFC 3986 references, as far as names need it; nothing is fetched and nothing normalised. */
#include "buf.h"

/* Append reference resolved against base (RFC 3986 section 5.2), fragment included. */
void uri_resolve(struct buf *out, const char *base, const char *reference);

/* Append text with %XX decoded. */
void uri_decode(struct buf *out, const char *text);

#endif
