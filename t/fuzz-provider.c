/* What a server answers, and what a cassette or a ledger may hold, is bytes of strangers. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "canon.h"
#include "jvx.h"
#include "provider.h"
#include "wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
judge(const struct buf *answer, jv headers)
{
	jv none = jv_array(), body = jv_object();
	struct provider *p = provider_new("openai:m", NULL, "sk-abcdefgh", none);
	struct buf why = {0};
	char *parameter;
	double delay;

	body = jvx_set_number(body, "max_tokens", 1);
	for (int status = 400; status < 530; status += 29) {
		provider_judge(p, status, headers, answer, body, 0, &delay, &parameter, &why);
		free(parameter);
	}
	jv_free(body);
	jv_free(none);
	buf_free(&why);
	provider_free(p);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buf text = {0}, canonical = {0};
	struct scan_error error;

	buf_add(&text, data, size);
	for (int kind = PROVIDER_EXEC; kind <= PROVIDER_GEMINI; kind++) {
		struct provider_answer a =
		    provider_read((enum provider_kind)kind, text.data ? text.data : "", text.len);
		/* A text is there exactly when the outcome says so. */
		if (a.outcome == PROVIDER_TEXT && jv_get_kind(a.text) != JV_KIND_STRING)
			abort();
		provider_answer_free(&a);
	}
	jv value = jvx_parse(text.data ? text.data : "", text.len, &error);
	judge(&text, value);
	if (jv_is_valid(value)) {
		char one[65], two[65];
		canon_write(value, &canonical);
		canon_sha256(value, one);
		jv again = jvx_parse(canonical.data, canonical.len, &error);
		if (!jv_is_valid(again))
			abort();
		canon_sha256(again, two);
		if (memcmp(one, two, 64) != 0)
			abort();
		jv_free(again);
		for (int subset = WIRE_WHOLE; subset <= WIRE_GEMINI; subset++)
			jv_free(wire_schema(value, (enum wire_subset)subset));
		jv_free(wire_drop_nulls(value, jv_copy(value)));
	}
	jv_free(value);
	buf_free(&text);
	buf_free(&canonical);
	return 0;
}
