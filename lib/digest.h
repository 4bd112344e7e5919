#ifndef DIGEST_H
#define DIGEST_H

/* digest: SHA-1 and SHA-256 (FIPS 180-4), HMAC-SHA-256 (RFC 2104), by nettle; and base64 (RFC
 * 4648). */
#include <stdbool.h>
#include <stddef.h>

#include "buf.h"

void digest_sha1(const void *bytes, size_t len, char hex[41]);
void digest_sha256(const void *bytes, size_t len, char hex[65]);
void digest_hmac(const void *key, size_t key_len, const void *bytes, size_t len, char hex[65]);

/* SHA-256 of what comes in pieces; digest_end frees. */
struct digest;
struct digest *digest_new(void);
void digest_add(struct digest *d, const void *bytes, size_t len);
void digest_end(struct digest *d, char hex[65]);

void base64_add(struct buf *b, const void *bytes, size_t len);   /* append, padded, no line ends */
bool base64_decode(struct buf *b, const char *text, size_t len); /* append; false: not base64 */

#endif
