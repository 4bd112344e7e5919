/* What rca-check reads of hostile prose. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "claim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct claims *claims;
	char *text = malloc(size > 0 ? size : 1);

	if (claims == NULL)
		claims = claims_new();
	memcpy(text, data, size);
	jv_free(claims_find(claims, text, size, 15));
	jv_free(claims_cites(claims, text, size));
	jv_free(claims_quotes(text, size));
	free(claims_wait_added(claims, text, size));
	free(text);
	return 0;
}
