/* fuzz: a schema and an instance, a NUL between them. */
#include <stdint.h>
#include <string.h>

#include "jvx.h"
#include "schema.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	const char *text = (const char *)bytes, *nul = memchr(text, '\0', len);
	struct schema_options options = {
	    .draft = len % 2 ? SCHEMA_7 : SCHEMA_2020_12, .formats = true};
	char why[64];

	if (nul == NULL)
		return 0;
	jv value = jvx_parse(text, (size_t)(nul - text), NULL);
	jv instance = jvx_parse(nul + 1, len - (size_t)(nul - text) - 1, NULL);
	struct schema *s = jv_is_valid(value) ? schema_new(value, &options, why, sizeof why) : NULL;
	if (s != NULL && jv_is_valid(instance))
		jv_free(schema_check(s, jv_copy(instance), 5));
	jv_free(instance);
	schema_free(s);
	return 0;
}
