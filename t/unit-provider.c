/* provider: the tables of the retry rules and of usage, as the providers publish them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "provider.h"
#include "tap.h"

static jv
parse(const char *text)
{
	struct scan_error error;

	return jvx_parse(text, strlen(text), &error);
}

static const time_t now = 1796000000; /* Mon, 30 Nov 2026 00:53:20 GMT */

static const struct {
	const char *model;
	int status;
	const char *headers, *answer;
	enum provider_verdict verdict;
	double delay_ms;
	const char *parameter;
} failures[] = {
    {"openai:m", 408, "{}", "", PROVIDER_RETRY, 0, NULL},
    {"openai:m", 409, "{}", "", PROVIDER_RETRY, 0, NULL},
    {"openai:m", 429, "{}", "{}", PROVIDER_RETRY, 0, NULL},
    {"openai:m", 500, "{}", "<html>", PROVIDER_RETRY, 0, NULL},
    {"openai:m", 599, "{}", "[]", PROVIDER_RETRY, 0, NULL},
    {"anthropic:m", 529, "{}", "{\"error\":{\"type\":\"overloaded_error\"}}", PROVIDER_SLOWER, 0,
	NULL},
    {"openai:m", 429, "{}", "{\"error\":{\"code\":\"slow_down\"}}", PROVIDER_SLOWER, 0, NULL},
    {"openai:m", 503, "{}", "{\"error\":{\"code\":\"server_is_overloaded\"}}", PROVIDER_SLOWER, 0,
	NULL},
    {"openai:m", 429, "{\"retry-after\":\"1\"}", "{\"error\":{\"type\":\"insufficient_quota\"}}",
	PROVIDER_MONEY, 1000, NULL},
    {"openai:m", 429, "{\"x-should-retry\":\"true\"}",
	"{\"error\":{\"code\":\"project_spend_limit_exceeded\"}}", PROVIDER_MONEY, 0, NULL},
    {"anthropic:m", 402, "{}", "{\"error\":{\"type\":\"billing_error\"}}", PROVIDER_MONEY, 0, NULL},
    {"anthropic:m", 400, "{}",
	"{\"error\":{\"type\":\"invalid_request_error\",\"details\":{\"error_code\":"
	"\"enforced_spend_limit_reached\"}}}",
	PROVIDER_MONEY, 0, NULL},
    {"anthropic:m", 429, "{}", "{\"error\":{\"details\":{\"error_code\":\"ramp_limit_exceeded\"}}}",
	PROVIDER_SLOWER, 0, NULL},
    {"gemini:m", 429, "{}",
	"{\"error\":{\"details\":[{\"violations\":[{\"quotaId\":\"RequestsPerDay\"}]}]}}",
	PROVIDER_NEVER, 0, NULL},
    {"gemini:m", 429, "{}", "{\"error\":{\"details\":[{\"retryDelay\":\"34s\"}]}}", PROVIDER_RETRY,
	34000, NULL},
    {"openai:m", 429, "{}", "{\"error\":{\"message\":\"Request too large for m on TPM\"}}",
	PROVIDER_NEVER, 0, NULL},
    {"openai:m", 401, "{}", "{}", PROVIDER_NEVER, 0, NULL},
    {"openai:m", 403, "{}", "{}", PROVIDER_NEVER, 0, NULL},
    {"openai:m", 404, "{}", "{}", PROVIDER_NEVER, 0, NULL},
    {"openai:m", 413, "{}", "{}", PROVIDER_NEVER, 0, NULL},
    {"openai:m", 302, "{}", "{}", PROVIDER_NEVER, 0, NULL},
    {"openai:m", 404, "{\"x-should-retry\":\"true\"}", "{}", PROVIDER_RETRY, 0, NULL},
    {"openai:m", 500, "{\"x-should-retry\":\"false\"}", "{}", PROVIDER_NEVER, 0, NULL},
    {"openai:m", 429, "{\"retry-after-ms\":\"12.5\",\"retry-after\":\"9\"}", "{}", PROVIDER_RETRY,
	12.5, NULL},
    {"openai:m", 429, "{\"retry-after\":\"1.5\"}", "{}", PROVIDER_RETRY, 1500, NULL},
    {"openai:m", 429, "{\"retry-after\":\"Mon, 30 Nov 2026 00:53:25 GMT\"}", "{}", PROVIDER_RETRY,
	5000, NULL},
    {"openai:m", 429, "{\"retry-after\":\"Mon, 30 Nov 2026 00:53:15 GMT\"}", "{}", PROVIDER_RETRY,
	0, NULL},
    {"openai:m", 429, "{\"retry-after\":\"-1\"}", "{}", PROVIDER_RETRY, 0, NULL},
    {"openai:m", 429, "{\"retry-after\":\"nan\"}", "{}", PROVIDER_RETRY, 0, NULL},
    {"openai:m", 429, "{\"retry-after\":\"inf\"}", "{}", PROVIDER_RETRY, 0, NULL},
    {"openai:m", 429, "{\"retry-after\":\"1e99\"}", "{}", PROVIDER_RETRY, 0, NULL},
    {"openai:m", 429, "{\"retry-after\":\"soon\"}", "{}", PROVIDER_RETRY, 0, NULL},
    {"openai:m", 429, "{\"retry-after\":\"0\"}", "{}", PROVIDER_RETRY, 0, NULL},
    {"openai:m", 400, "{}", "{\"error\":{\"param\":\"max_tokens\"}}", PROVIDER_DIALECT, 0,
	"max_tokens"},
    {"openai:m", 400, "{}", "{\"error\":{\"param\":\"response_format.json_schema\"}}",
	PROVIDER_DIALECT, 0, "response_format"},
    {"openai:m", 422, "{}", "{\"detail\":[{\"loc\":[\"body\",\"temperature\"]}]}", PROVIDER_DIALECT,
	0, "temperature"},
    {"openai:m", 400, "{}", "{\"error\":{\"message\":\"'max_tokens' is not known\"}}",
	PROVIDER_DIALECT, 0, "max_tokens"},
    {"openai:m", 400, "{}", "{\"error\":{\"message\":\"set new_max_tokens_2\"}}", PROVIDER_NEVER, 0,
	NULL},
    {"openai:m", 400, "{}", "{\"error\":{\"param\":\"messages\"}}", PROVIDER_NEVER, 0, NULL},
    {"openai:m", 400, "{}", "{\"error\":{\"param\":\"model\"}}", PROVIDER_NEVER, 0, NULL},
};

static bool
judges(size_t i, jv body)
{
	jv none = jv_array(), headers = parse(failures[i].headers);
	struct provider *p = provider_new(failures[i].model, NULL, "sk-a-key-of-mine", none);
	struct buf answer = {0}, why = {0};
	char *parameter;
	double delay_ms;

	buf_text(&answer, failures[i].answer);
	enum provider_verdict verdict = provider_judge(
	    p, failures[i].status, headers, &answer, body, now, &delay_ms, &parameter, &why);
	bool same = (parameter == NULL) == (failures[i].parameter == NULL) &&
		    (parameter == NULL || strcmp(parameter, failures[i].parameter) == 0);
	bool good = verdict == failures[i].verdict && delay_ms == failures[i].delay_ms && same;
	if (!good)
		printf("# %zu: verdict %d, delay %g, parameter %s\n", i, (int)verdict, delay_ms,
		    parameter ? parameter : "none");
	free(parameter);
	buf_free(&answer);
	buf_free(&why);
	provider_free(p);
	jv_free(none);
	jv_free(headers);
	return good;
}

static bool
reads(enum provider_kind kind, const char *body, enum provider_outcome outcome, const char *text,
    const char *usage)
{
	struct buf b = {0};
	struct provider_answer a = provider_read(kind, body, strlen(body));

	jvx_write(a.usage, &b);
	bool good = a.outcome == outcome && strcmp(b.data, usage) == 0 &&
		    (text == NULL || (jv_get_kind(a.text) == JV_KIND_STRING &&
					 strcmp(jv_string_value(a.text), text) == 0));
	if (!good)
		printf("# outcome %d (%s), usage %s\n", (int)a.outcome, a.why, b.data);
	buf_free(&b);
	provider_answer_free(&a);
	return good;
}

static bool
speaks(const char *parameter, const char *body, const char *want)
{
	struct buf b = {0};
	jv made = provider_dialect(parse(body), parameter);

	jvx_write(made, &b);
	bool same = strcmp(b.data, want) == 0;
	if (!same)
		printf("# got %s\n", b.data);
	jv_free(made);
	buf_free(&b);
	return same;
}

int
main(void)
{
	jv body = parse("{\"model\":\"m\",\"messages\":[],\"max_tokens\":5,\"temperature\":1,"
			"\"response_format\":{}}");
	bool good = true;

	for (size_t i = 0; i < sizeof failures / sizeof *failures; i++)
		good = judges(i, body) && good;
	jv_free(body);
	tap_ok(good, "failures are judged");

	tap_ok(reads(PROVIDER_OPENAI,
		   "{\"choices\":[{\"message\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}],"
		   "\"usage\":{\"prompt_tokens\":88,\"completion_tokens\":50,\"total_tokens\":92,"
		   "\"prompt_tokens_details\":{\"cached_tokens\":8,\"cache_write_tokens\":3},"
		   "\"completion_tokens_details\":{\"reasoning_tokens\":40}}}",
		   PROVIDER_TEXT, "x",
		   "{\"input_cache_write\":3,\"input_cached_read\":8,\"input_total\":88,"
		   "\"output_reasoning\":40,\"output_total\":50}"),
	    "OpenAI: caches are inside");
	tap_ok(reads(PROVIDER_ANTHROPIC,
		   "{\"content\":[{\"type\":\"text\",\"text\":\"x\"},{\"type\":\"tool_use\"},"
		   "{\"type\":\"text\",\"text\":\"y\"}],\"stop_reason\":\"end_turn\",\"usage\":"
		   "{\"input_tokens\":10,\"cache_read_input_tokens\":20,"
		   "\"cache_creation_input_tokens\":30,\"output_tokens\":4,"
		   "\"output_tokens_details\":{\"thinking_tokens\":2}}}",
		   PROVIDER_TEXT, "xy",
		   "{\"input_cache_write\":30,\"input_cached_read\":20,\"input_total\":60,"
		   "\"output_reasoning\":2,\"output_total\":4}"),
	    "Anthropic: caches are outside");
	tap_ok(reads(PROVIDER_GEMINI,
		   "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"hm\",\"thought\":true},"
		   "{\"text\":\"x\"}]},\"finishReason\":\"STOP\"}],\"usageMetadata\":"
		   "{\"promptTokenCount\":10,\"toolUsePromptTokenCount\":1,"
		   "\"cachedContentTokenCount\":5,\"candidatesTokenCount\":3,"
		   "\"thoughtsTokenCount\":7}}",
		   PROVIDER_TEXT, "x",
		   "{\"input_cached_read\":5,\"input_total\":11,\"output_reasoning\":7,"
		   "\"output_total\":10}"),
	    "Gemini: thoughts are output");
	tap_ok(reads(PROVIDER_OPENAI,
		   "{\"choices\":[{\"message\":{\"content\":null,\"refusal\":\"no\"}}],"
		   "\"usage\":{\"prompt_tokens\":0,\"completion_tokens\":0}}",
		   PROVIDER_REFUSAL, NULL, "null"),
	    "OpenAI: a refusal; zeros are no count");
	tap_ok(reads(PROVIDER_GEMINI, "{\"promptFeedback\":{\"blockReason\":\"SAFETY\"}}",
		   PROVIDER_REFUSAL, NULL, "null"),
	    "Gemini: a blocked prompt");
	tap_ok(reads(PROVIDER_ANTHROPIC,
		   "{\"content\":[],\"stop_reason\":\"model_context_window_exceeded\"}",
		   PROVIDER_TRUNCATED, NULL, "null"),
	    "Anthropic: a full window");
	bool odd = true;
	static const char *const odds[] = {"", "null", "[]", "{}", "{\"choices\":{}}",
	    "{\"choices\":[]}", "{\"choices\":[1]}", "{\"choices\":[{\"message\":[]}]}",
	    "{\"content\":\"x\"}", "{\"content\":[1,{\"type\":1}]}", "{\"candidates\":[{}]}",
	    "{\"candidates\":[{\"content\":{\"parts\":{}}}]}", "{\"output\":\"", "\xff"};
	for (int kind = PROVIDER_EXEC; kind <= PROVIDER_GEMINI; kind++)
		for (size_t i = 0; i < sizeof odds / sizeof *odds; i++)
			odd = reads((enum provider_kind)kind, odds[i], PROVIDER_BROKEN, NULL,
				  "null") &&
			      odd;
	tap_ok(odd, "what is no answer is broken");

	tap_ok(speaks("max_tokens", "{\"max_tokens\":5,\"temperature\":1,\"x\":1}",
		   "{\"max_completion_tokens\":5,\"x\":1}"),
	    "the twin, and no sampling");
	tap_ok(
	    speaks("max_completion_tokens", "{\"max_completion_tokens\":5}", "{\"max_tokens\":5}"),
	    "and back");
	tap_ok(speaks("response_format", "{\"response_format\":{},\"x\":1}", "{\"x\":1}"),
	    "or without");
	enum provider_kind kind;
	tap_ok(provider_kind_of("openai:a/b:c", &kind) && kind == PROVIDER_OPENAI &&
		   provider_kind_of("authored", &kind) && kind == PROVIDER_AUTHORED &&
		   !provider_kind_of("openai", &kind) && !provider_kind_of("openai:", &kind) &&
		   !provider_kind_of("open:x", &kind) && !provider_kind_of(":x", &kind) &&
		   !provider_kind_of("authored:x", &kind),
	    "names of models");
	return tap_done();
}
