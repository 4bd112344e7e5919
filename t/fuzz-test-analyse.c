/* A change, and what it has to do with a test that failed: any bytes are both. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../bin/test-analyse/diff.h"
#include "jvx.h"
#include "prog.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	char *copy = prog_copy(text, size), *stack = prog_copy(text, size / 2);
	struct diff *d = diff_read(copy, size);
	struct buf b = {0};
	size_t dropped;

	for (int n = 0; n < 2; n++) {
		jv about = diff_about(
		    d, n == 0 ? "a/b.spec.ts" : NULL, n == 0 ? stack : NULL, copy, &dropped);
		struct scan_error error;
		jvx_write(about, &b);
		if (!scan_check(b.data, b.len, &error))
			abort();
		buf_clear(&b);
		jv_free(about);
	}
	buf_free(&b);
	diff_free(d);
	free(copy);
	free(stack);
	return 0;
}
