/* fuzz: YAML as a value, and front matter. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "yamlx.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct yamlx_error error;
	size_t body;

	jv value = yamlx_parse((const char *)bytes, len, &error);
	if (jv_is_valid(value)) {
		/* By its text: an infinity is written as null. */
		struct buf text = {0}, same = {0};
		yamlx_write(value, NULL, &text);
		jv again = yamlx_parse(text.data, text.len, &error);
		yamlx_write(again, NULL, &same);
		if (!jv_is_valid(again) || strcmp(text.data, same.data) != 0)
			abort();
		jv_free(again);
		buf_free(&text);
		buf_free(&same);
	}
	jv_free(value);
	jv_free(yamlx_front((const char *)bytes, len, &body, &error));
	return 0;
}
