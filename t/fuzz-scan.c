/* fuzz: the lazy scanner, the pull scanner and the values built from both say the same. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "scan.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

struct rest {
	const uint8_t *at;
	size_t left;
};

/* Pieces of every length, chosen by the input itself. */
static long
read_piece(void *ctx, char *out, size_t len)
{
	struct rest *r = ctx;
	size_t n = r->left > 0 ? 1 + r->at[0] % 7 : 0;

	if (n > r->left)
		n = r->left;
	if (n > len)
		n = len;
	if (n > 0)
		memcpy(out, r->at, n);
	r->at += n;
	r->left -= n;
	return (long)n;
}

static void
touch(struct span v, int depth)
{
	struct scan_each it = {0};
	struct buf b = {0};

	scan_text(v, &b);
	scan_number(v, 0);
	buf_free(&b);
	while (depth < 64 && scan_each(&it, v)) {
		scan_is(it.key, "type");
		touch(it.value, depth + 1);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	const char *text = (const char *)bytes;
	bool good = scan_check(text, len, NULL);
	struct rest rest = {bytes, len};
	struct scan_pull *p = scan_pull_new(read_piece, &rest, 1 << 20);
	enum scan_event e;

	while ((e = scan_pull_next(p)) != SCAN_END && e != SCAN_FAULT)
		if (e == SCAN_KEY && p->text.len == 4 && !scan_pull_skip(p))
			break;
	scan_pull_free(p);
	if (!good)
		return 0;
	if (e != SCAN_END)
		abort();
	touch(scan_trim(text, len), 0);
	struct buf mended = {0}, once = {0}, twice = {0};
	scan_mend((struct span){text, len}, &mended);
	jv v = jvx_parse(mended.data ? mended.data : "", mended.len, NULL);
	jvx_write(v, &once);
	jv_free(v);
	v = jvx_parse(once.data, once.len, NULL);
	jvx_write(v, &twice);
	jv_free(v);
	if (once.len != twice.len || memcmp(once.data, twice.data, once.len) != 0)
		abort();
	buf_free(&mended);
	buf_free(&once);
	buf_free(&twice);
	return 0;
}
