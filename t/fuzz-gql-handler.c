/* What gql-verify reads of the source lines in a trace. */
#include "../bin/gql-verify/handler.c"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size > 0 ? size : 1);

	memcpy(text, data, size);
	for (size_t line = 1; line < 4; line++)
		jv_free(handler_names(text, size, 1, line));
	jv_free(handler_expected(text, size, jv_array()));
	free(text);
	return 0;
}
