#include "call.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "canon.h"
#include "cassette.h"
#include "judge.h"
#include "jvx.h"
#include "price.h"
#include "prog.h"
#include "utf8.h"

enum { TRIES = 5, TIMEOUT_S = 600, PATIENCE_S = 120, CHECK_MS = 120000, DIALECTS = 4 };
enum { NEAREST = 5 }; /* so many misses are looked into: each reads the whole folder */

enum state { SENDING, WAITING, CHECKING, OVER };

/* Where an answer came from, in the words of the answer record. */
struct origin {
	const char *cassette, *provenance;
	jv date;  /* of the recording */
	jv model; /* who was asked */
};

struct call {
	struct run *run;
	struct segment *segment;
	int epoch;
	enum state state;

	/* The conversation, and the exchange at hand. */
	jv messages, request, body; /* body: what is sent */
	char key[65];
	int attempts, tries, dialects;
	long reservation;
	double bound; /* tokens that this exchange may need */

	/* What was answered. */
	struct origin origin;
	struct provider_answer answer;
	jv output;
	int violations;

	/* The checks of -V. */
	FILE *check_input; /* the evidence, and then the answer */
	off_t evidence_bytes;
	int check;
	bool ask_again;
	jv complaints;
	struct buf verdicts; /* records, of the last attempt */
	struct buf kept;     /* the answer that holds but for them */

	/* For the span. */
	jv usage;
	bool estimated;
	double start_ms, took_ms, cost;
	struct buf records;
};

static void ask(struct call *c);
static void send_request(struct call *c);
static void check_answer(struct call *c);

static double
wall_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (double)t.tv_sec * 1000 + (double)(t.tv_nsec / 1000000);
}

static double
steady_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1000 + (double)t.tv_nsec / 1e6;
}

/* Now, as "2026-11-30T20:00:00Z". */
static jv
today(void)
{
	time_t now = time(NULL);
	struct tm tm;
	char text[32];

	gmtime_r(&now, &tm);
	strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm);
	return jv_string(text);
}

static void
say(const struct call *c, const char *what)
{
	if (c->run->shelf != NULL)
		return; /* -L lists what is missing, and that is no complaint */
	char *title = segment_title(c->segment, c->run, c->epoch);
	warnx("%s: %s", title, what);
	free(title);
}

static void
replace(jv *place, jv value)
{
	jv_free(*place);
	*place = value;
}

/* Records. */

static jv
begin_record(const struct call *c, const char *type)
{
	jv record = jvx_set_text(jv_object(), "type", type);

	record = jvx_set_text(record, "name", c->segment->name);
	record = jvx_set_number(record, "epoch", c->epoch);
	record = jvx_set_text(record, "prompt", c->run->prompt->name);
	return jvx_set_text(record, "prompt_sha256", c->run->prompt->sha256);
}

static jv
usage_record(const struct call *c)
{
	if (!jv_is_valid(c->usage))
		return jv_invalid();
	return c->estimated ? jvx_set(jv_copy(c->usage), "estimated", jv_true())
			    : jv_copy(c->usage);
}

static void
add_record(struct call *c, jv record)
{
	jvx_write(record, &c->records);
	jv_free(record);
	buf_byte(&c->records, '\n');
}

static jv
asked_model(const struct call *c)
{
	return jv_is_valid(c->origin.model) ? jv_copy(c->origin.model) : jv_string(c->run->model);
}

static jv
answer_record(const struct call *c)
{
	jv record = begin_record(c, "answer");

	record = jvx_set(record, "model", asked_model(c));
	record = jvx_set(record, "output", jv_copy(c->output));
	record = jvx_set(record, "text", jv_copy(c->answer.text));
	record = jvx_set_number(record, "attempts", c->attempts);
	record = jvx_set(record, "usage", usage_record(c));
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

/* The span record stands in the stream, so it has a duration only where time was really spent. */
static void
add_span(struct call *c, const char *error)
{
	struct buf name = {0};
	jv attributes = span_attributes(c, error);

	buf_format(
	    &name, "%s %s", jvx_text(attributes, "gen_ai.operation.name"), c->run->provider->model);
	if (c->run->spans != NULL)
		spans_add(c->run->spans, c->run->net, name.data, jv_copy(attributes), c->start_ms,
		    wall_ms(), error);
	jv record = jvx_set_text(jv_object(), "type", "span");
	record = jvx_set_text(record, "name", name.data);
	record = jvx_set(record, "attributes", attributes);
	record = jvx_set_ms(record, "duration_ms", c->took_ms > 0 ? c->took_ms : NAN);
	add_record(c, record);
	buf_free(&name);
}

/* Ends. */

static void
finish(struct call *c)
{
	add_span(c, NULL);
	buf_add(&c->records, c->kept.data, c->kept.len);
	if (c->verdicts.len > 0)
		buf_add(&c->records, c->verdicts.data, c->verdicts.len);
	c->state = OVER;
}

/* The reason is one of the words that records(5) has for an unclassified record. */
static void
give_up(struct call *c, const char *reason, const char *message)
{
	struct buf line = {0};

	c->run->trouble = true;
	c->run->unsent += strcmp(reason, "budget") == 0;
	if (c->kept.len > 0) {
		/* It was a check that asked again; the answer it did not like is still one. */
		buf_format(&line, "asking again failed: %s", message);
		say(c, line.data);
		buf_free(&line);
		c->attempts--;
		finish(c);
		return;
	}
	buf_format(&line, "%s: %s", reason, message);
	say(c, line.data);
	if (c->attempts > 0)
		add_span(c, reason);
	jv record = begin_record(c, "unclassified");
	record = jvx_set(record, "model", asked_model(c));
	record = jvx_set_text(record, "reason", reason);
	record = jvx_set_text(record, "message", message);
	if (c->attempts > 0)
		record = jvx_set_number(record, "attempts", c->attempts);
	record = jvx_set(record, "usage", usage_record(c));
	add_record(c, record);
	buf_free(&line);
	c->state = OVER;
}

/* The exchange. */

static jv
text_message(const char *role, jv text)
{
	return jvx_set(jvx_set_text(jv_object(), "role", role), "text", text);
}

static jv
compose(const struct call *c, const char *model)
{
	const struct prompt *p = c->run->prompt;
	jv request = jvx_set_text(jv_object(), "model", model);

	request = jvx_set(request, "system", jv_copy(p->system));
	request = jvx_set(request, "messages", jv_copy(c->messages));
	request = jvx_set(request, "schema", jv_copy(p->schema));
	request = jvx_set(request, "options", jv_copy(p->options));
	request = jvx_set_number(request, "max_output_tokens", (double)p->max_output_tokens);
	return jvx_set_number(request, "epoch", c->epoch);
}

static void
name_request(struct call *c, const char *model)
{
	replace(&c->request, compose(c, model));
	canon_sha256(c->request, c->key);
}

static enum cassette_found
look_up(struct call *c, const char *model, jv *cassette, struct buf *why)
{
	name_request(c, model);
	return cassette_load(c->run->folder, c->key, cassette, why);
}

static void understand(struct call *c, enum provider_kind kind, const char *body, size_t len);

static void
play(struct call *c, jv cassette)
{
	jv response = jvx_get(cassette, "response");
	const char *model = jvx_text(c->request, "model");
	const char *provenance = jvx_text(cassette, "provenance");
	enum provider_kind kind = PROVIDER_EXEC;
	size_t len;

	if (strcmp(model, "authored") != 0) /* that one came from a program */
		provider_kind_of(model, &kind);
	if (c->run->shelf != NULL)
		shelf_played(c->run->shelf, c->key);
	bool authored = provenance != NULL && strcmp(provenance, "authored") == 0;
	c->origin.cassette = "hit";
	c->origin.provenance = authored ? "authored" : "recorded";
	replace(&c->origin.model, jv_string(model));
	replace(&c->origin.date, jvx_get(cassette, "recorded"));
	const char *body = jvx_bytes(response, "body", &len);
	understand(c, kind, body, len);
	jv_free(response);
	jv_free(cassette);
}

static void
miss(struct call *c, const struct buf *bad)
{
	struct buf why = {0};

	if (c->run->shelf != NULL)
		shelf_missed(c->run->shelf, c->key, c->segment->name, c->epoch);
	if (bad->len > 0)
		buf_text(&why, bad->data);
	else if (c->run->shelf == NULL && c->run->misses++ < NEAREST)
		cassette_nearest(c->run->folder, c->request, &why);
	else
		cassette_miss(c->run->folder, c->request, &why);
	give_up(c, "replay-miss", why.data);
	buf_free(&why);
}

/* -n: what would be sent, with the key masked. */
static void
print_request(struct call *c)
{
	const struct provider *p = c->run->provider;
	char **headers = provider_headers(p), *url = provider_url(p);
	jv record = begin_record(c, "call"), lines = jv_array();

	name_request(c, c->run->model);
	for (size_t i = 0; headers[i] != NULL; i++) {
		struct buf line = {0};
		buf_text(&line, headers[i]);
		provider_mask(p, &line);
		lines = jv_array_append(lines, jv_string(line.data));
		buf_free(&line);
	}
	record = jvx_set_text(record, "model", c->run->model);
	record = jvx_set_text(record, "key", c->key);
	record = jvx_set_text(record, "url", url);
	if (p->kind >= PROVIDER_OPENAI)
		record = jvx_set(record, "headers", lines);
	else
		jv_free(lines);
	record = jvx_set(record, "body", provider_body(p, c->request));
	add_record(c, record);
	provider_headers_free(headers);
	free(url);
	c->state = OVER;
}

/* Begin an exchange for the conversation as it is. */
static void
ask(struct call *c)
{
	const struct run *run = c->run;
	struct buf why = {0};
	enum cassette_found found = CASSETTE_NONE;
	jv cassette;
	bool look = run->mode == MODE_REPLAY || run->mode == MODE_AUTO;

	c->attempts++;
	c->tries = c->dialects = 0;
	found = look_up(c, run->model, &cassette, &why);
	if (found == CASSETTE_NONE && run->mode == MODE_REPLAY && !run->model_given)
		found = look_up(c, "authored", &cassette, &why);
	if (found == CASSETTE_NONE)
		name_request(c, run->model);
	if (look && found == CASSETTE_HIT) {
		play(c, cassette);
	} else if (run->mode == MODE_REPLAY || run->provider->kind == PROVIDER_AUTHORED) {
		miss(c, &why);
	} else {
		if (found == CASSETTE_HIT)
			jv_free(cassette);
		replace(&c->body, provider_body(run->provider, c->request));
		send_request(c);
	}
	buf_free(&why);
}

static jv
amount(double input, double output)
{
	jv u = jvx_set_number(jv_object(), "input_total", input);

	return jvx_set_number(u, "output_total", output);
}

static double
cost_of(const struct call *c, jv usage)
{
	jv now = today();
	const char *date = jv_get_kind(c->origin.date) == JV_KIND_STRING
			       ? jv_string_value(c->origin.date)
			       : jv_string_value(now);
	double cost = price_of(c->run->prices, c->run->model, date, usage);

	jv_free(now);
	return cost;
}

/* A token is at least a byte, so the bytes of the request are an upper bound of its tokens. */
static bool
reserve(struct call *c, size_t bytes, struct buf *why)
{
	double most = (double)c->run->prompt->max_output_tokens;
	jv usage = amount((double)bytes, most);
	double dollars = cost_of(c, usage);

	jv_free(usage);
	c->bound = (double)bytes + most;
	return ledger_reserve(c->run->ledger, c->bound, dollars, &c->reservation, why);
}

static double
number_rule(const struct call *c, const char *name, double otherwise)
{
	return jvx_number(c->run->provider->rules, name, otherwise);
}

static long
timeout_ms(const struct call *c)
{
	double ms = number_rule(c, "timeout_s", TIMEOUT_S) * 1000;
	double left = c->run->deadline_ms > 0 ? c->run->deadline_ms - steady_ms() : ms;

	ms = left < ms ? left : ms;
	return ms < 1 ? 1 : ms > 1e9 ? 1000000000 : (long)ms;
}

static FILE *
file_of(const char *bytes, size_t len)
{
	FILE *f = tmpfile();

	if (f == NULL || fwrite(bytes, 1, len, f) != len || fflush(f) != 0)
		err(TROUBLE, "temporary file");
	return f;
}

/* A program is told the segment's name too, which no model needs and no key depends on. */
static void
run_program(struct call *c)
{
	struct buf text = {0};
	char **argv = split_command(c->run->provider->model);
	jv request = jvx_set_text(jv_copy(c->body), "name", c->segment->name);

	request = jvx_set_text(request, "prompt", c->run->prompt->name);
	jvx_write(request, &text);
	jv_free(request);
	buf_byte(&text, '\n');
	FILE *input = file_of(text.data, text.len);
	net_program(c->run->net, argv, fileno(input), timeout_ms(c), c);
	fclose(input); /* the program has it by now */
	free(argv[0]);
	free(argv);
	buf_free(&text);
}

/* What this run has reserved for calls under way is mostly given back when they end. */
static void
wait_or_give_up(struct call *c, const char *why)
{
	if (!ledger_pending(c->run->ledger)) {
		give_up(c, "budget", why);
		return;
	}
	c->state = WAITING;
	net_pause(c->run->net, 50, c);
}

static void
send_request(struct call *c)
{
	const struct run *run = c->run;
	struct buf text = {0}, why = {0};

	jvx_write(c->body, &text);
	if (provider_needs_key(run->provider) && run->provider->key == NULL) {
		give_up(c, "no-key", run->no_key);
	} else if (run->deadline_ms > 0 && steady_ms() >= run->deadline_ms) {
		give_up(c, "budget", "the time is up");
	} else if (!reserve(c, text.len, &why)) {
		wait_or_give_up(c, why.data);
	} else if (run->provider->kind == PROVIDER_EXEC) {
		c->state = SENDING;
		run_program(c);
	} else {
		char *url = provider_url(run->provider);
		char **headers = provider_headers(run->provider);
		c->state = SENDING;
		net_post(run->net, url, (const char *const *)headers,
		    (struct span){text.data, text.len}, timeout_ms(c), c);
		provider_headers_free(headers);
		free(url);
	}
	buf_free(&text);
	buf_free(&why);
}

/* Half a second, and twice as much each time, up to eight; up to a quarter less, by chance. */
static double
backoff_ms(int tries)
{
	double ms = 500;

	for (int i = 1; i < tries && ms < 8000; i++)
		ms *= 2;
	return ms * (1 - 0.25 * drand48());
}

static void
try_again(struct call *c, double delay_ms, const char *why)
{
	double left = c->run->deadline_ms > 0 ? c->run->deadline_ms - steady_ms() : INFINITY;
	struct buf line = {0};

	c->tries++;
	double ms = delay_ms > 0 ? delay_ms : backoff_ms(c->tries);
	if (c->tries >= number_rule(c, "tries", TRIES)) {
		buf_format(&line, "%s; tries: %d", why, c->tries);
		give_up(c, "error", line.data);
	} else if (ms > number_rule(c, "patience_s", PATIENCE_S) * 1000) {
		buf_format(&line, "%s; it asks for %.0f seconds of patience", why, ms / 1000);
		give_up(c, "error", line.data);
	} else if (ms >= left) {
		buf_format(&line, "%s; the time is up", why);
		give_up(c, "budget", line.data);
	} else {
		c->state = WAITING;
		net_pause(c->run->net, (long)ms, c);
	}
	buf_free(&line);
}

static bool
records(const struct call *c)
{
	return c->run->mode == MODE_RECORD || c->run->mode == MODE_AUTO;
}

/*
 * The response as it came.  An authored one is filed under the model "authored", without a date, so
 * that recording it again changes no byte.
 */
static void
record(struct call *c, const struct net_reply *r, bool authored)
{
	struct buf why = {0}, mended = {0};
	const struct prompt *p = c->run->prompt;

	if (authored)
		name_request(c, "authored");
	jv response = jv_object(), cassette = jvx_set_number(jv_object(), "cassette", 1);
	utf8_mend(&mended, r->body.data ? r->body.data : "", r->body.len);
	provider_scrub(c->run->provider, &mended);
	response = jvx_set(response, "body", jv_string_sized(mended.data, (int)mended.len));
	if (r->status != 0)
		response = jvx_set_number(response, "status", r->status);
	response = jvx_set(response, "content_type", jvx_get(r->headers, "content-type"));
	cassette = jvx_set(cassette, "request", jv_copy(c->request));
	cassette = jvx_set(cassette, "response", response);
	cassette = jvx_set_text(cassette, "prompt", p->name);
	cassette = jvx_set_text(cassette, "prompt_sha256", p->sha256);
	cassette = jvx_set_text(cassette, "name", c->segment->name);
	cassette = jvx_set_text(cassette, "provenance", authored ? "authored" : "recorded");
	if (!authored) {
		cassette = jvx_set(cassette, "recorded", today());
		cassette = jvx_set_ms(cassette, "took_ms", r->ms);
		if (c->run->provider->kind != PROVIDER_EXEC)
			cassette = jvx_set(cassette, "sent", jv_copy(c->body));
	}
	if (!cassette_save(c->run->folder, c->key, cassette, &why)) {
		warnx("%s", why.data);
		c->run->trouble = true;
	}
	buf_free(&why);
	buf_free(&mended);
}

static void
received(struct call *c, struct net_reply *r)
{
	const struct provider *p = c->run->provider;
	const char *body = r->body.data ? r->body.data : "";
	struct provider_answer a = provider_read(p->kind, body, r->body.len);
	bool authored = a.authored, broken = a.outcome == PROVIDER_BROKEN;

	provider_answer_free(&a);
	c->origin.cassette = records(c) ? "recorded" : "off";
	c->origin.provenance = authored ? "authored" : "live";
	replace(&c->origin.model, jv_string(authored ? "authored" : c->run->model));
	replace(&c->origin.date, today());
	/* What no model said is nothing to play again. */
	if (records(c) && !broken)
		record(c, r, authored);
	understand(c, p->kind, body, r->body.len);
}

/* Of NaN tokens nobody knows what they were. */
static void
settle(struct call *c, double tokens, double dollars)
{
	if (c->reservation > 0)
		ledger_settle(c->run->ledger, c->reservation, tokens, dollars);
	c->reservation = 0;
}

/* A status that is not a good one. */
static void
refused(struct call *c, struct net_reply *r)
{
	struct buf why = {0};
	char *parameter;
	double delay_ms;

	enum provider_verdict verdict = provider_judge(c->run->provider, r->status, r->headers,
	    &r->body, c->body, time(NULL), &delay_ms, &parameter, &why);
	settle(c, 0, 0);
	if (verdict == PROVIDER_DIALECT && c->dialects < DIALECTS) {
		c->dialects++;
		replace(&c->body, provider_dialect(jv_copy(c->body), parameter));
		provider_learn(c->run->provider, parameter);
		send_request(c);
	} else if (verdict == PROVIDER_RETRY) {
		try_again(c, delay_ms, why.data);
	} else if (verdict == PROVIDER_SLOWER) {
		try_again(c, delay_ms > 0 ? delay_ms : 4 * backoff_ms(c->tries + 1), why.data);
	} else {
		if (verdict == PROVIDER_MONEY)
			buf_text(&why, "; a limit of money is not tried again");
		give_up(c, "error", why.data);
	}
	free(parameter);
	buf_free(&why);
}

static void
sent(struct call *c, struct net_reply *r)
{
	struct buf why = {0};

	c->took_ms += r->ms;
	if (r->fault == NET_AGAIN || r->fault == NET_TIMEOUT) {
		settle(c, NAN, NAN);
		if (c->run->provider->kind == PROVIDER_EXEC)
			give_up(c, "error", r->why);
		else
			try_again(c, 0, r->why);
	} else if (r->fault == NET_REFUSED) {
		settle(c, NAN, NAN);
		give_up(c, "error", r->why);
	} else if (c->run->provider->kind == PROVIDER_EXEC && r->status != 0) {
		settle(c, 0, 0);
		buf_format(&why, "the program exited with status %d", r->status);
		give_up(c, "error", why.data);
	} else if (c->run->provider->kind != PROVIDER_EXEC && r->status / 100 != 2) {
		refused(c, r);
	} else {
		received(c, r);
	}
	buf_free(&why);
}

/* Understanding. */

/* Add what one exchange used to what the call used. */
static void
add_usage(struct call *c, jv used, bool estimated)
{
	static const char *const names[] = {"input_total", "input_cached_read", "input_cache_write",
	    "output_total", "output_reasoning"};

	if (!jv_is_valid(c->usage))
		c->usage = jv_object();
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		double one = jvx_number(used, names[i], NAN);
		if (!isnan(one))
			c->usage = jvx_set_number(
			    c->usage, names[i], jvx_number(c->usage, names[i], 0) + one);
	}
	c->estimated = c->estimated || estimated;
}

static double
text_bytes(jv value)
{
	return jv_get_kind(value) == JV_KIND_STRING ? (double)jv_string_length_bytes(jv_copy(value))
						    : 0;
}

/* Where nobody counted: four bytes a token, the usual guess, of the texts on both sides. */
static jv
guess_usage(const struct call *c)
{
	double bytes = text_bytes(c->run->prompt->system);

	for (int i = 0, n = jv_array_length(jv_copy(c->messages)); i < n; i++) {
		jv m = jv_array_get(jv_copy(c->messages), i), text = jvx_get(m, "text");
		bytes += text_bytes(text);
		jv_free(text);
		jv_free(m);
	}
	return amount(ceil(bytes / 4), ceil(text_bytes(c->answer.text) / 4));
}

static void
count_usage(struct call *c, enum provider_kind kind)
{
	bool told = jv_is_valid(c->answer.usage);

	/* Nobody pays for a program unless it says what for; an authored answer cost no token. */
	if (kind == PROVIDER_EXEC && !told) {
		settle(c, 0, 0);
		return;
	}
	jv used = told ? jv_copy(c->answer.usage) : guess_usage(c);
	double cost = cost_of(c, used);
	c->cost = (c->attempts > 1 ? c->cost : 0) + cost;
	settle(c, jvx_number(used, "input_total", 0) + jvx_number(used, "output_total", 0), cost);
	add_usage(c, used, !told);
	jv_free(used);
}

static void
correct(struct call *c)
{
	c->messages =
	    jv_array_append(c->messages, text_message("assistant", jv_copy(c->answer.text)));
	c->messages =
	    jv_array_append(c->messages, text_message("user", judge_request(c->complaints)));
	ask(c);
}

static void
violated(struct call *c)
{
	struct buf why = {0};

	c->violations++;
	if (c->attempts <= c->run->prompt->retries) {
		correct(c);
		return;
	}
	for (int i = 0, n = jv_array_length(jv_copy(c->complaints)); i < n; i++) {
		jv one = jv_array_get(jv_copy(c->complaints), i);
		buf_format(&why, "%s%s", i > 0 ? "; " : "", jv_string_value(one));
		jv_free(one);
	}
	give_up(c, "schema", why.data);
	buf_free(&why);
}

static void
understand(struct call *c, enum provider_kind kind, const char *body, size_t len)
{
	jv complaints = jv_array();

	provider_answer_free(&c->answer);
	c->answer = provider_read(kind, body, len);
	count_usage(c, kind);
	switch (c->answer.outcome) {
	case PROVIDER_REFUSAL: give_up(c, "refusal", c->answer.why); break;
	case PROVIDER_TRUNCATED: give_up(c, "truncated", c->answer.why); break;
	case PROVIDER_BROKEN: give_up(c, "error", c->answer.why); break;
	case PROVIDER_TEXT:
		replace(&c->output, jv_invalid());
		if (jv_is_valid(c->run->prompt->schema)) {
			jv_free(complaints);
			replace(&c->output,
			    judge_answer(c->run->prompt, kind, c->answer.text, &complaints));
		}
		replace(&c->complaints, complaints);
		if (jv_array_length(jv_copy(c->complaints)) > 0)
			violated(c);
		else
			check_answer(c);
		return;
	}
	jv_free(complaints);
}

/* The checks of -V. */

static void
copy_evidence(struct call *c)
{
	char chunk[16384];
	size_t got;
	FILE *from = c->segment->evidence;

	c->check_input = tmpfile();
	if (c->check_input == NULL || fflush(from) != 0 || fseeko(from, 0, SEEK_SET) != 0)
		err(TROUBLE, "temporary file");
	while ((got = fread(chunk, 1, sizeof chunk, from)) > 0)
		if (fwrite(chunk, 1, got, c->check_input) != got)
			err(TROUBLE, "temporary file");
	c->evidence_bytes = ftello(c->check_input);
}

static void
next_check(struct call *c)
{
	char *const *argv = c->run->checks[c->check];

	if (argv != NULL) {
		c->state = CHECKING;
		net_program(c->run->net, argv, fileno(c->check_input), CHECK_MS, c);
	} else if (c->ask_again && c->attempts <= c->run->prompt->retries) {
		correct(c);
	} else {
		finish(c);
	}
}

static void
check_answer(struct call *c)
{
	jv record = answer_record(c);

	buf_clear(&c->kept);
	buf_clear(&c->verdicts);
	jvx_write(record, &c->kept);
	buf_byte(&c->kept, '\n');
	jv_free(record);
	if (c->run->checks[0] == NULL) {
		finish(c);
		return;
	}
	if (c->check_input == NULL)
		copy_evidence(c);
	if (fflush(c->check_input) != 0 ||
	    ftruncate(fileno(c->check_input), c->evidence_bytes) != 0 ||
	    fseeko(c->check_input, c->evidence_bytes, SEEK_SET) != 0 ||
	    fwrite(c->kept.data, 1, c->kept.len, c->check_input) != c->kept.len ||
	    fflush(c->check_input) != 0)
		err(TROUBLE, "temporary file");
	c->check = 0;
	c->ask_again = false;
	replace(&c->complaints, jv_array());
	next_check(c);
}

static void
checked(struct call *c, const struct net_reply *r)
{
	struct buf line = {0};
	const char *program = c->run->checks[c->check][0];
	jv complaints = judge_output(&r->body, &c->verdicts, jv_array());

	if (r->fault != NET_FINE)
		buf_format(&line, "-V %s: %s", program, r->why);
	else if (r->status > 1)
		buf_format(&line, "-V %s: exit status %d", program, r->status);
	if (line.len > 0) {
		say(c, line.data);
		c->run->trouble = true;
	} else if (r->status == 1) {
		c->ask_again = true;
		c->complaints = judge_merge(c->complaints, jv_copy(complaints));
	}
	jv_free(complaints);
	buf_free(&line);
	c->check++;
	next_check(c);
}

/* What the header promises. */

struct call *
call_new(struct run *run, struct segment *s, int epoch)
{
	struct call *c = prog_alloc(1, sizeof *c);
	jv text = jv_string_sized(s->text.data ? s->text.data : "", (int)s->text.len);

	c->run = run;
	c->segment = s;
	c->epoch = epoch;
	c->messages = JV_ARRAY(text_message("user", text));
	c->request = c->body = c->output = c->usage = jv_invalid();
	c->origin.date = c->origin.model = jv_invalid();
	c->answer = (struct provider_answer){.text = jv_invalid(),
	    .usage = jv_invalid(),
	    .model = jv_invalid(),
	    .id = jv_invalid(),
	    .finish = jv_invalid()};
	c->complaints = jv_array();
	c->cost = NAN;
	c->start_ms = wall_ms();
	if (s->refusal != NULL)
		give_up(c, "error", s->refusal);
	else if (run->print_only)
		print_request(c);
	else
		ask(c);
	return c;
}

void
call_event(struct call *c, struct net_reply *r)
{
	switch (c->state) {
	case SENDING: sent(c, r); break;
	case WAITING: send_request(c); break;
	case CHECKING: checked(c, r); break;
	case OVER: break;
	}
}

bool
call_over(const struct call *c)
{
	return c->state == OVER;
}

struct segment *
call_segment(const struct call *c)
{
	return c->segment;
}

const struct buf *
call_records(const struct call *c)
{
	return &c->records;
}

void
call_free(struct call *c)
{
	jv_free(c->messages);
	jv_free(c->request);
	jv_free(c->body);
	jv_free(c->origin.date);
	jv_free(c->origin.model);
	provider_answer_free(&c->answer);
	jv_free(c->output);
	jv_free(c->complaints);
	jv_free(c->usage);
	if (c->check_input != NULL)
		fclose(c->check_input);
	buf_free(&c->verdicts);
	buf_free(&c->kept);
	buf_free(&c->records);
	free(c);
}
