/* What each provider wants to be sent. */
#include <ctype.h>
#include <string.h>

#include "jvx.h"
#include "provider.h"
#include "wire.h"

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

/* The form of the answer, flat; invalid where the server knows no form. */
static jv
openai_format(const struct provider *p, jv schema)
{
	const char *mode = jvx_text(p->rules, "schema");

	if (!jv_is_valid(schema) || (mode != NULL && strcmp(mode, "none") == 0))
		return jv_invalid();
	if (mode != NULL && strcmp(mode, "json_object") == 0)
		return jvx_set_text(jv_object(), "type", "json_object");
	bool strict = !provider_rule_is(p, "subset", "whole");
	jv wire = wire_schema(schema, strict ? WIRE_OPENAI : WIRE_WHOLE);
	if (!jv_is_valid(wire)) {
		strict = false;
		wire = jv_copy(schema);
	}
	jv format = jvx_set_text(jv_object(), "type", "json_schema");
	format = jvx_set_text(format, "name", "answer");
	format = jvx_set(format, "schema", wire);
	return jvx_set(format, "strict", strict ? jv_true() : jv_false());
}

/* Chat Completions has all but the type in a member of its own. */
static jv
nested(jv format)
{
	jv type = jvx_get(format, "type");

	if (jv_object_length(jv_copy(format)) < 2) {
		jv_free(type);
		return format;
	}
	format = jv_object_delete(format, jv_string("type"));
	return jvx_set(jvx_set(jv_object(), "type", type), "json_schema", format);
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
	jv format = openai_format(p, schema);
	if (jv_is_valid(format))
		body = jvx_set(body, "response_format", nested(format));
	else
		jv_free(format);
	jv_free(schema);
	return body;
}

static jv
responses_body(const struct provider *p, jv request)
{
	jv body = jvx_set_text(jv_object(), "model", p->model), schema = jvx_get(request, "schema");
	jv effort = option(request, "effort"), format = openai_format(p, schema);

	body = jvx_set(body, "instructions", jvx_get(request, "system"));
	body = jvx_set(body, "input", each_message(p, request, jv_array()));
	body = jvx_set(body, "max_output_tokens", jvx_get(request, "max_output_tokens"));
	body = jvx_set(body, "temperature", temperature(p, request));
	body =
	    jvx_set(body, "store", jv_false()); /* a server keeps what it is not told to forget */
	if (jv_is_valid(effort))
		body = jvx_set(body, "reasoning", jvx_set(jv_object(), "effort", effort));
	if (jv_is_valid(format))
		body = jvx_set(body, "text", jvx_set(jv_object(), "format", format));
	else
		jv_free(format);
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
	jv wire = jv_is_valid(schema) && !provider_rule_is(p, "schema", "none")
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
	if (jv_is_valid(schema) && !provider_rule_is(p, "schema", "none")) {
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
	case PROVIDER_OPENAI:
		body = provider_rule_is(p, "api", "responses") ? responses_body(p, request)
							       : openai_body(p, request);
		break;
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
