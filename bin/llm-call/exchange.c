#include "exchange.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cassette.h"
#include "clock.h"
#include "jvx.h"
#include "price.h"
#include "prog.h"
#include "utf8.h"

enum { TRIES = 5, TIMEOUT_S = 600, PATIENCE_S = 120, DIALECTS = 4 };

jv
exchange_amount(double input, double output)
{
	jv u = jvx_set_number(jv_object(), "input_total", input);

	return jvx_set_number(u, "output_total", output);
}

double
exchange_cost(const struct call *c, jv usage)
{
	jv now = clock_today();
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
	jv usage = exchange_amount((double)bytes, most);
	double dollars = exchange_cost(c, usage);

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
	double left = c->run->deadline_ms > 0 ? c->run->deadline_ms - clock_steady_ms() : ms;

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
		call_give_up(c, "budget", why);
		return;
	}
	c->state = CALL_WAITING;
	net_pause(c->run->net, 50, c);
}

void
exchange_send(struct call *c)
{
	const struct run *run = c->run;
	struct buf text = {0}, why = {0};

	jvx_write(c->body, &text);
	if (provider_needs_key(run->provider) && run->provider->key == NULL) {
		call_give_up(c, "no-key", run->no_key);
	} else if (run->deadline_ms > 0 && clock_steady_ms() >= run->deadline_ms) {
		call_give_up(c, "budget", "the time is up");
	} else if (!reserve(c, text.len, &why)) {
		wait_or_give_up(c, why.data);
	} else if (run->provider->kind == PROVIDER_EXEC) {
		c->state = CALL_SENDING;
		run_program(c);
	} else {
		char *url = provider_url(run->provider);
		char **headers = provider_headers(run->provider);
		c->state = CALL_SENDING;
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
	double left = c->run->deadline_ms > 0 ? c->run->deadline_ms - clock_steady_ms() : INFINITY;
	struct buf line = {0};

	c->tries++;
	double ms = delay_ms > 0 ? delay_ms : backoff_ms(c->tries);
	if (c->tries >= number_rule(c, "tries", TRIES)) {
		buf_format(&line, "%s; tries: %d", why, c->tries);
		call_give_up(c, "error", line.data);
	} else if (ms > number_rule(c, "patience_s", PATIENCE_S) * 1000) {
		buf_format(&line, "%s; it asks for %.0f seconds of patience", why, ms / 1000);
		call_give_up(c, "error", line.data);
	} else if (ms >= left) {
		buf_format(&line, "%s; the time is up", why);
		call_give_up(c, "budget", line.data);
	} else {
		c->state = CALL_WAITING;
		net_pause(c->run->net, (long)ms, c);
	}
	buf_free(&line);
}

static bool
is_recording(const struct call *c)
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
		call_name_request(c, "authored");
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
		cassette = jvx_set(cassette, "recorded", clock_today());
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
	c->origin.cassette = is_recording(c) ? "recorded" : "off";
	c->origin.provenance = authored ? "authored" : "live";
	call_replace(&c->origin.model, jv_string(authored ? "authored" : c->run->model));
	call_replace(&c->origin.date, clock_today());
	/* What no model said is nothing to play again. */
	if (is_recording(c) && !broken)
		record(c, r, authored);
	call_understand(c, p->kind, body, r->body.len);
}

void
exchange_settle(struct call *c, double tokens, double dollars)
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
	exchange_settle(c, 0, 0);
	if (verdict == PROVIDER_DIALECT && c->dialects < DIALECTS) {
		c->dialects++;
		call_replace(&c->body, provider_dialect(jv_copy(c->body), parameter));
		provider_learn(c->run->provider, parameter);
		exchange_send(c);
	} else if (verdict == PROVIDER_RETRY) {
		try_again(c, delay_ms, why.data);
	} else if (verdict == PROVIDER_SLOWER) {
		try_again(c, delay_ms > 0 ? delay_ms : 4 * backoff_ms(c->tries + 1), why.data);
	} else {
		if (verdict == PROVIDER_MONEY)
			buf_text(&why, "; a limit of money is not tried again");
		call_give_up(c, "error", why.data);
	}
	free(parameter);
	buf_free(&why);
}

void
exchange_event(struct call *c, struct net_reply *r)
{
	struct buf why = {0};

	c->took_ms += r->ms;
	c->status = c->run->provider->kind == PROVIDER_EXEC ? 0 : r->status;
	if (r->fault == NET_AGAIN || r->fault == NET_TIMEOUT) {
		exchange_settle(c, NAN, NAN);
		if (c->run->provider->kind == PROVIDER_EXEC)
			call_give_up(c, "error", r->why);
		else
			try_again(c, 0, r->why);
	} else if (r->fault != NET_FINE) {
		exchange_settle(c, NAN, NAN);
		call_give_up(c, "error", r->why);
	} else if (c->run->provider->kind == PROVIDER_EXEC && r->status != 0) {
		exchange_settle(c, 0, 0);
		buf_format(&why, "the program exited with status %d", r->status);
		call_give_up(c, "error", why.data);
	} else if (c->run->provider->kind != PROVIDER_EXEC && r->status / 100 != 2) {
		refused(c, r);
	} else {
		received(c, r);
	}
	buf_free(&why);
}
