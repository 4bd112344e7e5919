/* What each provider answers, read into one form. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "jvx.h"
#include "provider.h"
#include "utf8.h"

static void
broken(struct provider_answer *a, enum provider_outcome outcome, const char *why)
{
	a->outcome = outcome;
	snprintf(a->why, sizeof a->why, "%s", why);
}

/* Usage of one exchange in normal form; what nobody counted is left out. */
static jv
usage(double input, double read, double written, double output, double reasoning)
{
	jv u = jv_object();

	if (isnan(input) || isnan(output) || input < 0 || output < 0 || input + output <= 0) {
		jv_free(u);
		return jv_invalid();
	}
	u = jvx_set_number(u, "input_total", input);
	u = jvx_set_number(u, "input_cached_read", read > 0 ? read : NAN);
	u = jvx_set_number(u, "input_cache_write", written > 0 ? written : NAN);
	u = jvx_set_number(u, "output_total", output);
	return jvx_set_number(u, "output_reasoning", reasoning > 0 ? reasoning : NAN);
}

static jv
path(jv value, const char *a, const char *b)
{
	jv inner = jvx_get(value, a), leaf = jvx_get(inner, b);

	jv_free(inner);
	return leaf;
}

static jv
first(jv value, const char *key)
{
	jv array = jvx_get(value, key);

	if (jv_get_kind(array) == JV_KIND_ARRAY && jv_array_length(jv_copy(array)) > 0)
		return jv_array_get(array, 0);
	jv_free(array);
	return jv_invalid();
}

static bool
text_is(jv value, const char *text)
{
	return jv_get_kind(value) == JV_KIND_STRING && strcmp(jv_string_value(value), text) == 0;
}

static jv
only_text(jv value)
{
	if (jv_get_kind(value) == JV_KIND_STRING)
		return value;
	jv_free(value);
	return jv_invalid();
}

static bool
is_type(jv block, const char *word)
{
	const char *type = jvx_text(block, "type");
	return type != NULL && strcmp(type, word) == 0;
}

/* What of the price depends on who was in a hurry; only of a usage that is known. */
static void
set_tier(struct provider_answer *a, jv value)
{
	const char *tier = jvx_text(value, "service_tier");

	if (jv_is_valid(a->usage) && tier != NULL && strcmp(tier, "default") != 0 &&
	    strcmp(tier, "standard") != 0)
		a->usage = jvx_set_text(a->usage, "tier", tier);
}

static void
read_openai(struct provider_answer *a, jv body)
{
	jv choice = first(body, "choices"), m = jvx_get(choice, "message");
	jv refusal = jvx_get(m, "refusal"), u = jvx_get(body, "usage");
	jv in = jvx_get(u, "prompt_tokens_details"), out = jvx_get(u, "completion_tokens_details");

	a->text = only_text(jvx_get(m, "content"));
	a->finish = only_text(jvx_get(choice, "finish_reason"));
	a->usage = usage(jvx_number(u, "prompt_tokens", NAN), jvx_number(in, "cached_tokens", 0),
	    jvx_number(in, "cache_write_tokens", 0), jvx_number(u, "completion_tokens", NAN),
	    jvx_number(out, "reasoning_tokens", 0));
	set_tier(a, body);
	if (jv_get_kind(choice) != JV_KIND_OBJECT)
		broken(a, PROVIDER_BROKEN, "no choices in the answer");
	else if (jv_get_kind(refusal) == JV_KIND_STRING && *jv_string_value(refusal) != '\0')
		broken(a, PROVIDER_REFUSAL, "the model declined");
	else if (text_is(a->finish, "content_filter"))
		broken(a, PROVIDER_REFUSAL, "a content filter stopped the answer");
	else if (text_is(a->finish, "length"))
		broken(a, PROVIDER_TRUNCATED, "the output limit cut the answer");
	else if (!jv_is_valid(a->text))
		broken(a, PROVIDER_BROKEN, "no text in the answer");
	jv_free(choice);
	jv_free(m);
	jv_free(refusal);
	jv_free(u);
	jv_free(in);
	jv_free(out);
}

/* The texts of an array of blocks, of those that pass, as one. */
static jv
join(jv blocks, bool (*passes)(jv block))
{
	struct buf text = {0};
	bool any = false;

	for (int i = 0;
	     jv_get_kind(blocks) == JV_KIND_ARRAY && i < jv_array_length(jv_copy(blocks)); i++) {
		jv block = jv_array_get(jv_copy(blocks), i);
		size_t len;
		const char *piece = passes(block) ? jvx_bytes(block, "text", &len) : NULL;
		if (piece != NULL)
			buf_add(&text, piece, len);
		any = any || piece != NULL;
		jv_free(block);
	}
	jv_free(blocks);
	jv made = any ? jv_string_sized(text.data, (int)text.len) : jv_invalid();
	buf_free(&text);
	return made;
}

static bool
is_text_block(jv block)
{
	return is_type(block, "text");
}

static bool
is_output_text(jv block)
{
	return is_type(block, "output_text");
}

/* The content blocks of all messages of a response, what it thought and called left out. */
static jv
message_blocks(jv body)
{
	jv output = jvx_get(body, "output"), blocks = jv_array();

	for (int i = 0; i < jv_array_length(jv_copy(output)); i++) {
		jv item = jv_array_get(jv_copy(output), i), content = jvx_get(item, "content");
		if (is_type(item, "message") && jv_get_kind(content) == JV_KIND_ARRAY)
			blocks = jv_array_concat(blocks, content);
		else
			jv_free(content);
		jv_free(item);
	}
	jv_free(output);
	return blocks;
}

static bool
any_refusal(jv blocks)
{
	bool found = false;

	for (int i = 0; i < jv_array_length(jv_copy(blocks)) && !found; i++) {
		jv block = jv_array_get(jv_copy(blocks), i);
		found = is_type(block, "refusal");
		jv_free(block);
	}
	return found;
}

static bool
is_response(jv body)
{
	jv output = jvx_get(body, "output");
	bool is = jv_get_kind(output) == JV_KIND_ARRAY;

	jv_free(output);
	return is;
}

/* The Responses dialect: a good HTTP status says nothing about how it ended. */
static void
read_response(struct provider_answer *a, jv body)
{
	jv blocks = message_blocks(body), u = jvx_get(body, "usage");
	jv in = jvx_get(u, "input_tokens_details"), out = jvx_get(u, "output_tokens_details");
	jv reason = path(body, "incomplete_details", "reason"), status = jvx_get(body, "status");

	a->usage = usage(jvx_number(u, "input_tokens", NAN), jvx_number(in, "cached_tokens", 0),
	    jvx_number(in, "cache_write_tokens", 0), jvx_number(u, "output_tokens", NAN),
	    jvx_number(out, "reasoning_tokens", 0));
	set_tier(a, body);
	a->finish = only_text(jv_copy(jv_get_kind(reason) == JV_KIND_STRING ? reason : status));
	if (any_refusal(blocks))
		broken(a, PROVIDER_REFUSAL, "the model declined");
	else if (text_is(reason, "content_filter"))
		broken(a, PROVIDER_REFUSAL, "a content filter stopped the answer");
	else if (text_is(status, "incomplete"))
		broken(a, PROVIDER_TRUNCATED, "the output limit cut the answer");
	else if (jv_is_valid(status) && !text_is(status, "completed"))
		broken(a, PROVIDER_BROKEN, "the response was not completed");
	a->text = join(blocks, is_output_text);
	if (a->outcome == PROVIDER_TEXT && !jv_is_valid(a->text))
		broken(a, PROVIDER_BROKEN, "no text in the answer");
	jv_free(u);
	jv_free(in);
	jv_free(out);
	jv_free(reason);
	jv_free(status);
}

static void
read_anthropic(struct provider_answer *a, jv body)
{
	jv u = jvx_get(body, "usage"), content = jvx_get(body, "content");
	double read = jvx_number(u, "cache_read_input_tokens", 0);
	double written = jvx_number(u, "cache_creation_input_tokens", 0);
	jv details = jvx_get(u, "output_tokens_details");

	a->finish = only_text(jvx_get(body, "stop_reason"));
	a->usage = usage(jvx_number(u, "input_tokens", NAN) + read + written, read, written,
	    jvx_number(u, "output_tokens", NAN), jvx_number(details, "thinking_tokens", 0));
	jv kept = path(u, "cache_creation", "ephemeral_1h_input_tokens");
	double hour = jv_get_kind(kept) == JV_KIND_NUMBER ? jv_number_value(kept) : 0;
	if (jv_is_valid(a->usage) && hour > 0 && hour <= written)
		a->usage = jvx_set_number(a->usage, "input_cache_write_1h", hour);
	jv_free(kept);
	set_tier(a, u);
	if (jv_get_kind(content) != JV_KIND_ARRAY)
		broken(a, PROVIDER_BROKEN, "no content in the answer");
	a->text = join(content, is_text_block);
	if (text_is(a->finish, "refusal"))
		broken(a, PROVIDER_REFUSAL, "the model declined");
	else if (text_is(a->finish, "max_tokens"))
		broken(a, PROVIDER_TRUNCATED, "the output limit cut the answer");
	else if (text_is(a->finish, "model_context_window_exceeded"))
		broken(a, PROVIDER_TRUNCATED, "the context window is full");
	else if (a->outcome == PROVIDER_TEXT && !jv_is_valid(a->text))
		broken(a, PROVIDER_BROKEN, "no text in the answer");
	jv_free(u);
	jv_free(details);
}

static bool
is_answer_part(jv part)
{
	return !jvx_true(part, "thought");
}

static void
read_gemini(struct provider_answer *a, jv body)
{
	static const char *const filters[] = {"SAFETY", "RECITATION", "BLOCKLIST",
	    "PROHIBITED_CONTENT", "SPII", "LANGUAGE", "IMAGE_SAFETY"};
	jv candidate = first(body, "candidates"), u = jvx_get(body, "usageMetadata");
	jv blocked = path(body, "promptFeedback", "blockReason");
	double thoughts = jvx_number(u, "thoughtsTokenCount", 0);

	a->text = join(path(candidate, "content", "parts"), is_answer_part);
	a->finish = only_text(jvx_get(candidate, "finishReason"));
	a->usage = usage(
	    jvx_number(u, "promptTokenCount", NAN) + jvx_number(u, "toolUsePromptTokenCount", 0),
	    jvx_number(u, "cachedContentTokenCount", 0), 0,
	    jvx_number(u, "candidatesTokenCount", 0) + thoughts, thoughts);
	if (jv_is_valid(blocked))
		broken(a, PROVIDER_REFUSAL, "the prompt was blocked");
	else if (jv_get_kind(candidate) != JV_KIND_OBJECT)
		broken(a, PROVIDER_BROKEN, "no candidates in the answer");
	else if (text_is(a->finish, "MAX_TOKENS"))
		broken(a, PROVIDER_TRUNCATED, "the output limit cut the answer");
	else if (!jv_is_valid(a->text))
		broken(a, PROVIDER_BROKEN, "no text in the answer");
	for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
		if (text_is(a->finish, filters[i]))
			broken(a, PROVIDER_REFUSAL, "a content filter stopped the answer");
	jv_free(candidate);
	jv_free(u);
	jv_free(blocked);
}

static void
read_exec(struct provider_answer *a, jv body)
{
	jv u = jvx_get(body, "usage"), output = jvx_get(body, "output");
	const char *provenance = jvx_text(body, "provenance");

	a->authored = provenance != NULL && strcmp(provenance, "authored") == 0;
	a->text = only_text(jvx_get(body, "text"));
	a->finish = only_text(jvx_get(body, "finish"));
	if (!jv_is_valid(a->text) && jv_is_valid(output)) {
		struct buf text = {0};
		jvx_write(output, &text);
		a->text = jv_string_sized(text.data, (int)text.len);
		buf_free(&text);
	}
	a->usage = usage(jvx_number(u, "input_tokens", NAN), jvx_number(u, "cached_tokens", 0),
	    jvx_number(u, "cache_write_tokens", 0), jvx_number(u, "output_tokens", NAN),
	    jvx_number(u, "reasoning_tokens", 0));
	if (text_is(a->finish, "refusal"))
		broken(a, PROVIDER_REFUSAL, "the model declined");
	else if (text_is(a->finish, "length"))
		broken(a, PROVIDER_TRUNCATED, "the output limit cut the answer");
	else if (!jv_is_valid(a->text))
		broken(a, PROVIDER_BROKEN, "neither \"text\" nor \"output\" in the answer");
	jv_free(u);
	jv_free(output);
}

struct provider_answer
provider_read(enum provider_kind kind, const char *text, size_t len)
{
	struct provider_answer a = {.text = jv_invalid(),
	    .usage = jv_invalid(),
	    .model = jv_invalid(),
	    .id = jv_invalid(),
	    .finish = jv_invalid()};
	struct scan_error error;
	struct buf mended = {0};

	utf8_mend(&mended, text, len);
	jv body = jvx_parse(mended.data ? mended.data : "", mended.len, &error);
	buf_free(&mended);
	if (jv_get_kind(body) != JV_KIND_OBJECT) {
		broken(&a, PROVIDER_BROKEN,
		    jv_is_valid(body) ? "the answer is no JSON object" : "the answer is not JSON");
		jv_free(body);
		return a;
	}
	switch (kind) {
	case PROVIDER_OPENAI:
		if (is_response(body))
			read_response(&a, body);
		else
			read_openai(&a, body);
		break;
	case PROVIDER_ANTHROPIC: read_anthropic(&a, body); break;
	case PROVIDER_GEMINI: read_gemini(&a, body); break;
	default: read_exec(&a, body);
	}
	a.model = only_text(jvx_get(body, kind == PROVIDER_GEMINI ? "modelVersion" : "model"));
	a.id = only_text(jvx_get(body, kind == PROVIDER_GEMINI ? "responseId" : "id"));
	jv_free(body);
	return a;
}

void
provider_answer_free(struct provider_answer *a)
{
	jv_free(a->text);
	jv_free(a->usage);
	jv_free(a->model);
	jv_free(a->id);
	jv_free(a->finish);
}
