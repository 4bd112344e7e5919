#include "digest.h"

#include <nettle/base64.h>
#include <nettle/hmac.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>
#include <stdint.h>
#include <stdlib.h>

#include "prog.h"

static void
hex(const uint8_t *bytes, size_t len, char *out)
{
	static const char digits[] = "0123456789abcdef";

	for (size_t i = 0; i < len; i++) {
		*out++ = digits[bytes[i] >> 4];
		*out++ = digits[bytes[i] & 15];
	}
	*out = '\0';
}

void
digest_sha1(const void *bytes, size_t len, char out[41])
{
	struct sha1_ctx ctx;
	uint8_t sum[SHA1_DIGEST_SIZE];

	sha1_init(&ctx);
	sha1_update(&ctx, len, bytes);
	sha1_digest(&ctx, sizeof sum, sum);
	hex(sum, sizeof sum, out);
}

void
digest_sha256(const void *bytes, size_t len, char out[65])
{
	struct sha256_ctx ctx;
	uint8_t sum[SHA256_DIGEST_SIZE];

	sha256_init(&ctx);
	sha256_update(&ctx, len, bytes);
	sha256_digest(&ctx, sizeof sum, sum);
	hex(sum, sizeof sum, out);
}

void
digest_hmac(const void *key, size_t key_len, const void *bytes, size_t len, char out[65])
{
	struct hmac_sha256_ctx ctx;
	uint8_t sum[SHA256_DIGEST_SIZE];

	hmac_sha256_set_key(&ctx, key_len, key);
	hmac_sha256_update(&ctx, len, bytes);
	hmac_sha256_digest(&ctx, sizeof sum, sum);
	hex(sum, sizeof sum, out);
}

struct digest {
	struct sha256_ctx ctx;
};

struct digest *
digest_new(void)
{
	struct digest *d = prog_alloc(1, sizeof *d);

	sha256_init(&d->ctx);
	return d;
}

void
digest_add(struct digest *d, const void *bytes, size_t len)
{
	sha256_update(&d->ctx, len, bytes);
}

void
digest_end(struct digest *d, char out[65])
{
	uint8_t sum[SHA256_DIGEST_SIZE];

	sha256_digest(&d->ctx, sizeof sum, sum);
	hex(sum, sizeof sum, out);
	free(d);
}

void
base64_add(struct buf *b, const void *bytes, size_t len)
{
	buf_reserve(b, BASE64_ENCODE_RAW_LENGTH(len));
	base64_encode_raw(b->data + b->len, len, bytes);
	b->len += BASE64_ENCODE_RAW_LENGTH(len);
	b->data[b->len] = '\0';
}

bool
base64_decode(struct buf *b, const char *text, size_t len)
{
	struct base64_decode_ctx ctx;
	size_t got = BASE64_DECODE_LENGTH(len);

	base64_decode_init(&ctx);
	buf_reserve(b, got);
	bool good = base64_decode_update(&ctx, &got, (uint8_t *)b->data + b->len, len, text) &&
		    base64_decode_final(&ctx);
	if (good)
		b->len += got;
	b->data[b->len] = '\0';
	return good;
}
