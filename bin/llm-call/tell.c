#include "tell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "jvx.h"

jv
tell_begin(const struct call *c, const char *type)
{
	jv record = jvx_set_text(jv_object(), "type", type);

	record = jvx_set_text(record, "name", c->segment->name);
	record = jvx_set_number(record, "epoch", c->epoch);
	record = jvx_set_text(record, "prompt", c->run->prompt->name);
	return jvx_set_text(record, "prompt_sha256", c->run->prompt->sha256);
}

jv
tell_usage(const struct call *c)
{
	if (!jv_is_valid(c->usage))
		return jv_invalid();
	return c->estimated ? jvx_set(jv_copy(c->usage), "estimated", jv_true())
			    : jv_copy(c->usage);
}

void
tell_add(struct call *c, jv record)
{
	jvx_write(record, &c->records);
	jv_free(record);
	buf_byte(&c->records, '\n');
}

jv
tell_model(const struct call *c)
{
	return jv_is_valid(c->origin.model) ? jv_copy(c->origin.model) : jv_string(c->run->model);
}

jv
tell_answer(const struct call *c)
{
	jv record = tell_begin(c, "answer");

	record = jvx_set(record, "model", tell_model(c));
	record = jvx_set(record, "output", jv_copy(c->output));
	record = jvx_set(record, "text", jv_copy(c->answer.text));
	record = jvx_set_number(record, "attempts", c->attempts);
	record = jvx_set(record, "usage", tell_usage(c));
	record = jvx_set_text(record, "cassette", c->origin.cassette);
	return jvx_set_text(record, "provenance", c->origin.provenance);
}

static jv
set_usage(jv span, jv usage)
{
	static const char *const names[][2] = {{"input_total", "gen_ai.usage.input_tokens"},
	    {"output_total", "gen_ai.usage.output_tokens"},
	    {"input_cached_read", "gen_ai.usage.cache_read.input_tokens"},
	    {"input_cache_write", "gen_ai.usage.cache_creation.input_tokens"},
	    {"output_reasoning", "gen_ai.usage.reasoning.output_tokens"}};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		span = jvx_set(span, names[i][1], jvx_get(usage, names[i][0]));
	return span;
}

static jv
set_server(jv span, const char *base)
{
	const char *host = strstr(base, "://");
	bool tls = strncmp(base, "https", 5) == 0;

	if (host == NULL)
		return span;
	host += 3;
	size_t len = strcspn(host, ":/");
	span = jvx_set(span, "server.address", jv_string_sized(host, (int)len));
	return jvx_set_number(span, "server.port",
	    host[len] == ':' ? (double)strtol(host + len + 1, NULL, 10)
	    : tls            ? 443
			     : 80);
}

/* Registered names where there is one, and "rcakit." for cost, retries and cassettes. */
static jv
span_attributes(const struct call *c, const char *error)
{
	const struct run *run = c->run;
	jv span = jvx_set_text(jv_object(), "gen_ai.operation.name",
	    run->provider->kind == PROVIDER_GEMINI ? "generate_content" : "chat");

	span = jvx_set_text(span, "gen_ai.provider.name", provider_name(run->provider));
	span = jvx_set_text(span, "gen_ai.request.model", run->provider->model);
	span = jvx_set_number(
	    span, "gen_ai.request.max_tokens", (double)run->prompt->max_output_tokens);
	span = jvx_set_text(
	    span, "gen_ai.output.type", jv_is_valid(run->prompt->schema) ? "json" : "text");
	span = jvx_set(span, "gen_ai.response.id", jv_copy(c->answer.id));
	span = jvx_set(span, "gen_ai.response.model", jv_copy(c->answer.model));
	if (jv_is_valid(c->answer.finish))
		span = jvx_set(
		    span, "gen_ai.response.finish_reasons", JV_ARRAY(jv_copy(c->answer.finish)));
	span = set_usage(span, c->usage);
	if (run->provider->kind >= PROVIDER_OPENAI)
		span = set_server(span, run->provider->base);
	span = jvx_set_text(span, "error.type", error);
	span = jvx_set_text(span, "rcakit.name", c->segment->name);
	span = jvx_set_text(span, "rcakit.prompt", run->prompt->name);
	span = jvx_set_number(span, "rcakit.epoch", c->epoch);
	span = jvx_set_number(span, "rcakit.attempts", c->attempts);
	span = jvx_set_number(span, "rcakit.schema_violations", c->violations);
	span = jvx_set_number(span, "rcakit.dialect_resends", c->dialects);
	span = jvx_set_text(span, "rcakit.cassette", c->origin.cassette);
	span = jvx_set_text(span, "rcakit.provenance", c->origin.provenance);
	/* To the billionth: what is below it is the grain of doubles. */
	return jvx_set_number(span, "rcakit.cost_usd", round(c->cost * 1e9) / 1e9);
}

/* In the words of the conventions: few of them, and the status where a server gave one. */
static const char *
error_type(const struct call *c, const char *reason, char status[16])
{
	static const char *const words[][2] = {{"schema", "schema_validation"},
	    {"budget", "budget_exceeded"}, {"replay-miss", "cassette_miss"}, {"no-key", "no_key"}};

	if (strcmp(reason, "error") == 0 && c->status >= 300) {
		snprintf(status, 16, "%d", c->status);
		return status;
	}
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(words[i][0], reason) == 0)
			return words[i][1];
	return strcmp(reason, "error") == 0 ? "_OTHER" : reason;
}

/* The span record stands in the stream, so it has a duration only where time was really spent. */
void
tell_span(struct call *c, const char *reason)
{
	struct buf name = {0};
	char status[16];
	const char *error = reason ? error_type(c, reason, status) : NULL;
	jv attributes = span_attributes(c, error);

	buf_format(
	    &name, "%s %s", jvx_text(attributes, "gen_ai.operation.name"), c->run->provider->model);
	if (c->run->spans != NULL)
		spans_add(c->run->spans, c->run->net, name.data, jv_copy(attributes), c->start_ms,
		    clock_wall_ms(), error);
	jv record = jvx_set_text(jv_object(), "type", "span");
	record = jvx_set_text(record, "name", name.data);
	record = jvx_set(record, "attributes", attributes);
	record = jvx_set_ms(record, "duration_ms", c->took_ms > 0 ? c->took_ms : NAN);
	tell_add(c, record);
	buf_free(&name);
}
