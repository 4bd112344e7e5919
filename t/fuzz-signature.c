/* failmsg and signature read whatever a test threw; the second half stands for the stack. */
#include <stdint.h>
#include <stdlib.h>

#include "failmsg.h"
#include "signature.h"
#include "utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct signature s;
	struct buf b = {0};

	signature_make(&s, text, size / 2, text + size / 2, size - size / 2);
	if (utf8_valid(text, size) == size) {
		signature_normal(text, size, &b);
		if (b.len > 0 && utf8_valid(b.data, b.len) != b.len)
			abort();
	}
	buf_free(&b);
	signature_free(&s);
	return 0;
}
