/* assertion: a scenario in the first line, a transcript in the second; the same verdict twice. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "assertion.h"
#include "jvx.h"
#include "scenario.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data, *eol = size > 0 ? memchr(text, '\n', size) : NULL;
	char why[200];

	if (eol == NULL)
		return 0;
	jv scenario = jvx_parse(text, (size_t)(eol - text), NULL);
	jv transcript = jvx_parse(eol + 1, size - (size_t)(eol + 1 - text), NULL);
	if (jv_is_valid(scenario) && jv_is_valid(transcript) &&
	    scenario_check(scenario, why, sizeof why)) {
		struct assertions *a = assertions_new(scenario, why, sizeof why);
		jv first = assertions_check(a, transcript), again = assertions_check(a, transcript);
		struct buf line = {0};
		jvx_write(first, &line);
		if (memchr(line.data, '\n', line.len) != NULL || !jv_equal(first, again))
			abort();
		buf_free(&line);
		assertions_free(a);
	}
	jv_free(scenario);
	jv_free(transcript);
	return 0;
}
