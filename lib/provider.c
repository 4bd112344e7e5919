#include "provider.h"

#include <ctype.h>
#include <curl/curl.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "prog.h"
#include "utf8.h"
#include "wire.h"

static const struct {
	const char *word, *name, *base;
} kinds[] = {
    [PROVIDER_AUTHORED] = {"authored", "authored", ""},
    [PROVIDER_EXEC] = {"exec", "exec", ""},
    [PROVIDER_OPENAI] = {"openai", "openai", "https://api.openai.com/v1"},
    [PROVIDER_ANTHROPIC] = {"anthropic", "anthropic", "https://api.anthropic.com"},
    [PROVIDER_GEMINI] = {"gemini", "gcp.gemini", "https://generativelanguage.googleapis.com"},
};

bool
provider_kind_of(const char *model, enum provider_kind *kind)
{
	size_t len = strcspn(model, ":");

	if (strcmp(model, "authored") == 0) {
		*kind = PROVIDER_AUTHORED;
		return true;
	}
	for (size_t i = PROVIDER_EXEC; i < sizeof kinds / sizeof *kinds; i++) {
		if (strlen(kinds[i].word) != len || memcmp(kinds[i].word, model, len) != 0)
			continue;
		*kind = (enum provider_kind)i;
		return model[len] == ':' && model[len + 1] != '\0';
	}
	return false;
}

/* A rule applies when each pattern it has matches; later rules win over earlier ones. */
static bool
applies(jv rule, const struct provider *p)
{
	const char *provider = jvx_text(rule, "provider"), *endpoint = jvx_text(rule, "endpoint");
	const char *model = jvx_text(rule, "model");

	return (provider == NULL || strcmp(provider, kinds[p->kind].word) == 0) &&
	       (endpoint == NULL || fnmatch(endpoint, p->base, 0) == 0) &&
	       (model == NULL || fnmatch(model, p->model, 0) == 0);
}

struct provider *
provider_new(const char *model, const char *base, const char *key, jv quirks)
{
	struct provider *p = prog_alloc(1, sizeof *p);
	const char *colon = strchr(model, ':');

	provider_kind_of(model, &p->kind);
	p->model = prog_copy(colon ? colon + 1 : model, strlen(colon ? colon + 1 : model));
	if (base == NULL || *base == '\0')
		base = kinds[p->kind].base;
	size_t len = strlen(base);
	while (len > 0 && base[len - 1] == '/')
		len--;
	p->base = prog_copy(base, len);
	p->key = key && *key ? prog_copy(key, strlen(key)) : NULL;
	p->rules = jv_object();
	p->learnt = jv_array();
	int count = jv_get_kind(quirks) == JV_KIND_ARRAY ? jv_array_length(jv_copy(quirks)) : 0;
	for (int i = 0; i < count; i++) {
		jv rule = jv_array_get(jv_copy(quirks), i);
		if (jv_get_kind(rule) == JV_KIND_OBJECT && applies(rule, p))
			p->rules = jv_object_merge(p->rules, rule);
		else
			jv_free(rule);
	}
	return p;
}

void
provider_add_header(struct provider *p, const char *name, const char *value)
{
	jv headers = provider_rule(p, "headers");

	if (jv_get_kind(headers) != JV_KIND_OBJECT) {
		jv_free(headers);
		headers = jv_object();
	}
	p->rules = jvx_set(p->rules, "headers", jvx_set_text(headers, name, value));
}

void
provider_free(struct provider *p)
{
	free(p->model);
	free(p->base);
	free(p->key);
	jv_free(p->rules);
	jv_free(p->learnt);
	free(p);
}

const char *
provider_name(const struct provider *p)
{
	return kinds[p->kind].name;
}

bool
provider_needs_key(const struct provider *p)
{
	return p->kind >= PROVIDER_OPENAI && strcmp(p->base, kinds[p->kind].base) == 0;
}

jv
provider_rule(const struct provider *p, const char *name)
{
	return jvx_get(p->rules, name);
}

static bool
rule_is(const struct provider *p, const char *name, const char *value)
{
	const char *text = jvx_text(p->rules, name);

	return text != NULL && strcmp(text, value) == 0;
}

char *
provider_url(const struct provider *p)
{
	struct buf url = {0};

	buf_text(&url, p->base);
	if (p->kind == PROVIDER_OPENAI)
		buf_text(&url, "/chat/completions");
	else if (p->kind == PROVIDER_ANTHROPIC)
		buf_text(&url, "/v1/messages");
	else if (p->kind == PROVIDER_GEMINI) {
		buf_text(&url, "/v1beta/models/");
		for (const char *c = p->model; *c != '\0'; c++) {
			if (isalnum((unsigned char)*c) || strchr("-._~", *c) != NULL)
				buf_byte(&url, *c);
			else
				buf_format(&url, "%%%02X", (unsigned char)*c);
		}
		buf_text(&url, ":generateContent");
	}
	return url.data;
}

static void
add_header(char ***headers, const char *name, const char *before, const char *value)
{
	size_t count = 0;
	struct buf line = {0};

	/* A line end in a value would be a header of its own. */
	if (strpbrk(value, "\r\n") != NULL)
		return;
	while ((*headers)[count] != NULL)
		count++;
	buf_format(&line, "%s: %s%s", name, before, value);
	*headers = prog_resize(*headers, count + 2, sizeof **headers);
	(*headers)[count] = line.data;
	(*headers)[count + 1] = NULL;
}

static void
add_key(const struct provider *p, char ***headers)
{
	if (p->key == NULL)
		return;
	if (p->kind == PROVIDER_GEMINI)
		add_header(headers, "x-goog-api-key", "", p->key);
	else if (p->kind == PROVIDER_ANTHROPIC && !rule_is(p, "auth", "bearer"))
		add_header(headers, "x-api-key", "", p->key);
	else
		add_header(headers, "Authorization", "Bearer ", p->key);
}

char **
provider_headers(const struct provider *p)
{
	char **headers = prog_alloc(1, sizeof *headers);
	jv more = provider_rule(p, "headers");

	add_header(&headers, "Content-Type", "", "application/json");
	add_key(p, &headers);
	if (jv_get_kind(more) == JV_KIND_OBJECT) {
		jv names = jv_keys(jv_copy(more));
		for (int i = 0, n = jv_array_length(jv_copy(names)); i < n; i++) {
			jv name = jv_array_get(jv_copy(names), i);
			const char *value = jvx_text(more, jv_string_value(name));
			if (value != NULL)
				add_header(&headers, jv_string_value(name), "", value);
			jv_free(name);
		}
		jv_free(names);
	}
	jv_free(more);
	return headers;
}

void
provider_headers_free(char **headers)
{
	for (size_t i = 0; headers[i] != NULL; i++)
		free(headers[i]);
	free(headers);
}

/* Bodies. */

static jv
message(const char *role_key, const char *role, const char *text_key, jv text)
{
	jv m = jvx_set_text(jv_object(), role_key, role);
	return jvx_set(m, text_key, text);
}

static jv
parts(jv text)
{
	return JV_ARRAY(jvx_set(jv_object(), "text", text));
}

static jv
each_message(const struct provider *p, jv request, jv made)
{
	jv messages = jvx_get(request, "messages");

	for (int i = 0, n = jv_array_length(jv_copy(messages)); i < n; i++) {
		jv m = jv_array_get(jv_copy(messages), i);
		const char *role = jvx_text(m, "role");
		if (p->kind == PROVIDER_GEMINI) {
			const char *name = strcmp(role, "assistant") == 0 ? "model" : "user";
			made = jv_array_append(
			    made, message("role", name, "parts", parts(jvx_get(m, "text"))));
		} else {
			made = jv_array_append(
			    made, message("role", role, "content", jvx_get(m, "text")));
		}
		jv_free(m);
	}
	jv_free(messages);
	return made;
}

static jv
option(jv request, const char *name)
{
	jv options = jvx_get(request, "options"), value = jvx_get(options, name);

	jv_free(options);
	return value;
}

/* Sampling only where it is not an error to ask for it. */
static jv
temperature(const struct provider *p, jv request)
{
	jv value = option(request, "temperature"), allowed = provider_rule(p, "temperature");
	bool refused = jv_get_kind(allowed) == JV_KIND_FALSE;

	jv_free(allowed);
	if (!refused)
		return value;
	jv_free(value);
	return jv_invalid();
}

static jv
set_openai_format(const struct provider *p, jv body, jv schema)
{
	jv format = jv_object();
	const char *mode = jvx_text(p->rules, "schema");

	if (mode != NULL && strcmp(mode, "none") == 0) {
		jv_free(format);
		return body;
	}
	if (mode != NULL && strcmp(mode, "json_object") == 0) {
		format = jvx_set_text(format, "type", "json_object");
		return jvx_set(body, "response_format", format);
	}
	bool strict = !rule_is(p, "subset", "whole");
	jv wire = wire_schema(schema, strict ? WIRE_OPENAI : WIRE_WHOLE);
	if (!jv_is_valid(wire)) {
		strict = false;
		wire = jv_copy(schema);
	}
	format = jvx_set_text(format, "type", "json_schema");
	jv named = jvx_set_text(jv_object(), "name", "answer");
	named = jvx_set(named, "schema", wire);
	named = jvx_set(named, "strict", strict ? jv_true() : jv_false());
	format = jvx_set(format, "json_schema", named);
	return jvx_set(body, "response_format", format);
}

static jv
openai_body(const struct provider *p, jv request)
{
	jv body = jvx_set_text(jv_object(), "model", p->model), messages = jv_array();
	const char *role = jvx_text(p->rules, "system_role");
	const char *limit = jvx_text(p->rules, "max_tokens");
	jv schema = jvx_get(request, "schema"), system = jvx_get(request, "system");

	if (jv_is_valid(system))
		messages = jv_array_append(
		    messages, message("role", role ? role : "system", "content", system));
	body = jvx_set(body, "messages", each_message(p, request, messages));
	body = jvx_set(body, limit ? limit : "max_tokens", jvx_get(request, "max_output_tokens"));
	body = jvx_set(body, "reasoning_effort", option(request, "effort"));
	body = jvx_set(body, "temperature", temperature(p, request));
	if (jv_is_valid(schema))
		body = set_openai_format(p, body, schema);
	jv_free(schema);
	return body;
}

static jv
anthropic_body(const struct provider *p, jv request)
{
	jv body = jvx_set_text(jv_object(), "model", p->model), output = jv_object();
	jv schema = jvx_get(request, "schema");

	body = jvx_set(body, "system", jvx_get(request, "system"));
	body = jvx_set(body, "messages", each_message(p, request, jv_array()));
	body = jvx_set(body, "max_tokens", jvx_get(request, "max_output_tokens"));
	body = jvx_set(body, "temperature", temperature(p, request));
	output = jvx_set(output, "effort", option(request, "effort"));
	jv wire = jv_is_valid(schema) && !rule_is(p, "schema", "none")
		      ? wire_schema(schema, WIRE_ANTHROPIC)
		      : jv_invalid();
	if (jv_is_valid(wire)) {
		jv format = jvx_set_text(jv_object(), "type", "json_schema");
		output = jvx_set(output, "format", jvx_set(format, "schema", wire));
	} else {
		jv_free(wire);
	}
	jv_free(schema);
	if (jv_object_length(jv_copy(output)) > 0)
		return jvx_set(body, "output_config", output);
	jv_free(output);
	return body;
}

static jv
gemini_body(const struct provider *p, jv request)
{
	jv body = jv_object(), config = jv_object();
	jv schema = jvx_get(request, "schema"), system = jvx_get(request, "system");
	jv effort = option(request, "effort");

	if (jv_is_valid(system))
		body = jvx_set(
		    body, "systemInstruction", jvx_set(jv_object(), "parts", parts(system)));
	body = jvx_set(body, "contents", each_message(p, request, jv_array()));
	config = jvx_set(config, "maxOutputTokens", jvx_get(request, "max_output_tokens"));
	config = jvx_set(config, "temperature", temperature(p, request));
	if (jv_is_valid(schema) && !rule_is(p, "schema", "none")) {
		config = jvx_set_text(config, "responseMimeType", "application/json");
		config = jvx_set(config, "responseJsonSchema", wire_schema(schema, WIRE_GEMINI));
	}
	jv_free(schema);
	if (jv_get_kind(effort) == JV_KIND_STRING) {
		struct buf level = {0};
		for (const char *c = jv_string_value(effort); *c != '\0'; c++)
			buf_byte(&level, toupper((unsigned char)*c));
		config = jvx_set(config, "thinkingConfig",
		    jvx_set_text(jv_object(), "thinkingLevel", level.data));
		buf_free(&level);
	}
	jv_free(effort);
	return jvx_set(body, "generationConfig", config);
}

jv
provider_body(const struct provider *p, jv request)
{
	jv body, more = provider_rule(p, "body"), drop = provider_rule(p, "drop");

	switch (p->kind) {
	case PROVIDER_OPENAI: body = openai_body(p, request); break;
	case PROVIDER_ANTHROPIC: body = anthropic_body(p, request); break;
	case PROVIDER_GEMINI: body = gemini_body(p, request); break;
	default: body = jv_copy(request);
	}
	if (jv_get_kind(more) == JV_KIND_OBJECT)
		body = jv_object_merge_recursive(body, more);
	else
		jv_free(more);
	for (int i = 0; jv_get_kind(drop) == JV_KIND_ARRAY && i < jv_array_length(jv_copy(drop));
	     i++) {
		jv name = jv_array_get(jv_copy(drop), i);
		if (jv_get_kind(name) == JV_KIND_STRING)
			body = jv_object_delete(body, name);
		else
			jv_free(name);
	}
	jv_free(drop);
	for (int i = 0, n = jv_array_length(jv_copy(p->learnt)); i < n; i++) {
		jv parameter = jv_array_get(jv_copy(p->learnt), i);
		body = provider_dialect(body, jv_string_value(parameter));
		jv_free(parameter);
	}
	return body;
}

/* Answers. */

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
	const char *type = jvx_text(block, "type");
	return type != NULL && strcmp(type, "text") == 0;
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
	case PROVIDER_OPENAI: read_openai(&a, body); break;
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

/* Failures. */

static const char *const money[] = {"insufficient_quota", "credit_balance_exhausted",
    "organization_spend_limit_exceeded", "project_spend_limit_exceeded",
    "organization_usage_limit_exceeded", "billing_hard_limit_reached", "billing_error",
    "enforced_spend_limit_reached", "contract_spend_limit_reached"};
static const char *const ramp[] = {
    "slow_down", "server_is_overloaded", "overloaded_error", "ramp_limit_exceeded"};

static bool
any_of(const char *const words[], size_t count, const char *word)
{
	for (size_t i = 0; i < count; i++)
		if (word != NULL && strcmp(words[i], word) == 0)
			return true;
	return false;
}

/* The words by which a provider's error says what it is. */
struct failure {
	jv body, error, details;
	const char *type, *code, *detail, *text, *param;
};

static struct failure
failure_read(const struct buf *answer)
{
	struct failure f = {.body = jv_invalid(), .error = jv_invalid(), .details = jv_invalid()};
	struct scan_error error;

	f.body = jvx_parse(answer->data ? answer->data : "", answer->len, &error);
	f.error = jvx_get(f.body, "error");
	f.details = jvx_get(f.error, "details");
	f.type = jvx_text(f.error, "type");
	f.code = jvx_text(f.error, "code");
	f.detail = jvx_text(f.details, "error_code");
	f.text = jvx_text(f.error, "message");
	f.param = jvx_text(f.error, "param");
	if (f.type == NULL)
		f.type = jvx_text(f.error, "status");
	return f;
}

static void
failure_free(struct failure *f)
{
	jv_free(f->body);
	jv_free(f->error);
	jv_free(f->details);
}

static bool
says(const struct failure *f, const char *const words[], size_t count)
{
	return any_of(words, count, f->type) || any_of(words, count, f->code) ||
	       any_of(words, count, f->detail);
}

/* Is word in text, and not inside a longer name? */
static bool
names(const struct buf *answer, const char *word)
{
	size_t len = strlen(word);

	if (answer->data == NULL)
		return false;
	for (const char *at = answer->data; (at = strstr(at, word)) != NULL; at++) {
		char after = at[len], before = at > answer->data ? at[-1] : ' ';
		if (!isalnum((unsigned char)after) && after != '_' &&
		    !isalnum((unsigned char)before) && before != '_')
			return true;
	}
	return false;
}

/* The optional member of body that the error is about; yours to free; NULL: none. */
static char *
unknown_parameter(const struct failure *f, const struct buf *answer, jv body)
{
	static const char *const needed[] = {"model", "messages", "system", "contents"};
	jv keys = jv_keys(jv_copy(body));
	char *found = NULL;

	for (int pass = 0; pass < 2 && found == NULL; pass++) {
		for (int i = 0, n = jv_array_length(jv_copy(keys)); i < n && found == NULL; i++) {
			jv key = jv_array_get(jv_copy(keys), i);
			const char *name = jv_string_value(key);
			size_t len = strlen(name);
			bool hit = pass == 0
				       ? f->param != NULL && strncmp(f->param, name, len) == 0 &&
					     (f->param[len] == '\0' || f->param[len] == '.')
				       : f->param == NULL && names(answer, name);
			if (hit && !any_of(needed, sizeof needed / sizeof *needed, name))
				found = prog_copy(name, len);
			jv_free(key);
		}
	}
	jv_free(keys);
	return found;
}

static double
usable(double ms)
{
	return ms > 0 && ms <= 2147483647.0 ? ms : 0;
}

/* "34s", as google.protobuf.Duration is written, in the details of Gemini's errors. */
static double
retry_info(const struct failure *f, bool *daily)
{
	double ms = 0;

	for (int i = 0;
	     jv_get_kind(f->details) == JV_KIND_ARRAY && i < jv_array_length(jv_copy(f->details));
	     i++) {
		jv detail = jv_array_get(jv_copy(f->details), i);
		const char *delay = jvx_text(detail, "retryDelay");
		jv violation = first(detail, "violations");
		const char *quota = jvx_text(violation, "quotaId");
		if (delay != NULL)
			ms = usable(strtod(delay, NULL) * 1000);
		*daily = *daily || (quota != NULL && strstr(quota, "PerDay") != NULL);
		jv_free(violation);
		jv_free(detail);
	}
	return ms;
}

static double
delay_of(jv headers, time_t now, double otherwise)
{
	const char *ms = jvx_text(headers, "retry-after-ms");
	const char *after = jvx_text(headers, "retry-after");
	char *end;

	if (ms != NULL && usable(strtod(ms, NULL)) > 0)
		return strtod(ms, NULL);
	if (after == NULL)
		return otherwise;
	double seconds = strtod(after, &end);
	if (end == after || *end != '\0') {
		time_t date = curl_getdate(after, NULL);
		seconds = date < 0 ? 0 : difftime(date, now);
	}
	return usable(seconds * 1000) > 0 ? seconds * 1000 : otherwise;
}

static void
explain(const struct provider *p, int status, const struct failure *f, struct buf *why)
{
	buf_clear(why);
	buf_format(why, "HTTP status %d", status);
	const char *word = f->detail ? f->detail : f->code ? f->code : f->type;
	if (word != NULL) {
		char *clean = prog_clean(word, strlen(word));
		buf_format(why, " (%s)", clean);
		free(clean);
	}
	if (f->text != NULL) {
		char *clean = prog_clean(f->text, strlen(f->text));
		/* Servers quote the key that they refuse, in whole or in part. */
		bool quotes = (p->key != NULL && strstr(clean, p->key) != NULL) || status == 401;
		if (!quotes)
			buf_format(why, ": %s", clean);
		free(clean);
	}
}

enum provider_verdict
provider_judge(const struct provider *p, int status, jv headers, const struct buf *answer, jv body,
    time_t now, double *delay_ms, char **parameter, struct buf *why)
{
	struct failure f = failure_read(answer);
	const char *should = jvx_text(headers, "x-should-retry");
	enum provider_verdict verdict = PROVIDER_NEVER;
	bool daily = false;

	*parameter = NULL;
	explain(p, status, &f, why);
	*delay_ms = delay_of(headers, now, retry_info(&f, &daily));
	if (status == 402 || says(&f, money, sizeof money / sizeof *money))
		verdict = PROVIDER_MONEY;
	else if (says(&f, ramp, sizeof ramp / sizeof *ramp) || status == 529)
		verdict = PROVIDER_SLOWER;
	else if (status == 400 || status == 422)
		*parameter = unknown_parameter(&f, answer, body);
	else if (status == 429 &&
		 (daily || (f.text != NULL && strncmp(f.text, "Request too large", 17) == 0)))
		verdict = PROVIDER_NEVER;
	else if (status == 408 || status == 409 || status == 429 || status >= 500)
		verdict = PROVIDER_RETRY;
	if (*parameter != NULL)
		verdict = PROVIDER_DIALECT;
	if (should != NULL && verdict != PROVIDER_MONEY && verdict != PROVIDER_DIALECT) {
		if (strcmp(should, "false") == 0)
			verdict = PROVIDER_NEVER;
		else if (strcmp(should, "true") == 0 && verdict == PROVIDER_NEVER)
			verdict = PROVIDER_RETRY;
	}
	failure_free(&f);
	return verdict;
}

jv
provider_dialect(jv body, const char *parameter)
{
	static const char *const twins[][2] = {
	    {"max_tokens", "max_completion_tokens"}, {"max_completion_tokens", "max_tokens"}};
	jv value = jvx_get(body, parameter);

	body = jv_object_delete(body, jv_string(parameter));
	for (size_t i = 0; i < sizeof twins / sizeof *twins; i++)
		if (strcmp(parameter, twins[i][0]) == 0)
			body = jvx_set(body, twins[i][1], jv_copy(value));
	/* Who refuses one of the two refuses sampling as well, and says only the first. */
	if (strcmp(parameter, "max_tokens") == 0)
		body = jv_object_delete(body, jv_string("temperature"));
	jv_free(value);
	return body;
}

void
provider_learn(struct provider *p, const char *parameter)
{
	jv known = jv_array_indexes(jv_copy(p->learnt), JV_ARRAY(jv_string(parameter)));
	bool is_new = jv_get_kind(known) != JV_KIND_ARRAY || jv_array_length(jv_copy(known)) == 0;

	jv_free(known);
	if (is_new)
		p->learnt = jv_array_append(p->learnt, jv_string(parameter));
}

void
provider_mask(const struct provider *p, struct buf *text)
{
	struct buf clean = {0};
	size_t len = p->key ? strlen(p->key) : 0;

	if (len == 0 || text->data == NULL)
		return;
	for (size_t i = 0; i < text->len;) {
		if (text->len - i >= len && memcmp(text->data + i, p->key, len) == 0) {
			buf_text(&clean, "[key]");
			i += len;
		} else {
			buf_byte(&clean, text->data[i++]);
		}
	}
	buf_free(text);
	*text = clean;
}

void
provider_scrub(const struct provider *p, struct buf *text)
{
	/* The short "key" of a local server is a word that may stand anywhere. */
	if (p->key != NULL && strlen(p->key) >= 8)
		provider_mask(p, text);
}
