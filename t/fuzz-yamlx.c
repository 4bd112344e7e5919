/* fuzz: YAML as a value, and front matter. */
#include <stdint.h>

#include "yamlx.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct yamlx_error error;
	size_t body;

	jv_free(yamlx_parse((const char *)bytes, len, &error));
	jv_free(yamlx_front((const char *)bytes, len, &body, &error));
	return 0;
}
