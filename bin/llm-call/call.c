#include "call.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "canon.h"
#include "cassette.h"
#include "check.h"
#include "clock.h"
#include "exchange.h"
#include "judge.h"
#include "jvx.h"
#include "prog.h"
#include "tell.h"

enum { NEAREST = 5 }; /* so many misses are looked into: each reads the whole folder */

void
call_say(const struct call *c, const char *what)
{
	if (c->run->shelf != NULL)
		return; /* -L lists what is missing, and that is no complaint */
	char *title = segment_title(c->segment, c->run, c->epoch);
	warnx("%s: %s", title, what);
	free(title);
}

void
call_replace(jv *place, jv value)
{
	jv_free(*place);
	*place = value;
}

/* Ends. */

void
call_finish(struct call *c)
{
	tell_span(c, NULL);
	buf_add(&c->records, c->kept.data, c->kept.len);
	if (c->verdicts.len > 0)
		buf_add(&c->records, c->verdicts.data, c->verdicts.len);
	c->state = CALL_OVER;
}

void
call_give_up(struct call *c, const char *reason, const char *message)
{
	struct buf line = {0};

	c->run->trouble = true;
	c->run->unsent += strcmp(reason, "budget") == 0;
	if (c->kept.len > 0) {
		/* It was a check that asked again; the answer it did not like is still one. */
		buf_format(&line, "asking again failed: %s", message);
		call_say(c, line.data);
		buf_free(&line);
		c->attempts--;
		call_finish(c);
		return;
	}
	buf_format(&line, "%s: %s", reason, message);
	call_say(c, line.data);
	if (c->attempts > 0)
		tell_span(c, reason);
	jv record = tell_begin(c, "unclassified");
	record = jvx_set(record, "model", tell_model(c));
	record = jvx_set_text(record, "reason", reason);
	record = jvx_set_text(record, "message", message);
	if (c->attempts > 0)
		record = jvx_set_number(record, "attempts", c->attempts);
	record = jvx_set(record, "usage", tell_usage(c));
	tell_add(c, record);
	buf_free(&line);
	c->state = CALL_OVER;
}

/* Questions. */

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

void
call_name_request(struct call *c, const char *model)
{
	call_replace(&c->request, compose(c, model));
	canon_sha256(c->request, c->key);
}

static enum cassette_found
look_up(struct call *c, const char *model, jv *cassette, struct buf *why)
{
	call_name_request(c, model);
	return cassette_load(c->run->folder, c->key, cassette, why);
}

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
	call_replace(&c->origin.model, jv_string(model));
	call_replace(&c->origin.date, jvx_get(cassette, "recorded"));
	const char *body = jvx_bytes(response, "body", &len);
	call_understand(c, kind, body, len);
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
	call_give_up(c, "replay-miss", why.data);
	buf_free(&why);
}

/* -n: what would be sent, with the key masked. */
static void
print_request(struct call *c)
{
	const struct provider *p = c->run->provider;
	char **headers = provider_headers(p), *url = provider_url(p);
	jv record = tell_begin(c, "call"), lines = jv_array();

	call_name_request(c, c->run->model);
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
	tell_add(c, record);
	provider_headers_free(headers);
	free(url);
	c->state = CALL_OVER;
}

/* Is there a cassette?  Without -m an authored one stands in for the prompt's model. */
static enum cassette_found
find_cassette(struct call *c, jv *cassette, struct buf *why)
{
	const struct run *run = c->run;

	enum cassette_found found = look_up(c, run->model, cassette, why);
	if (found != CASSETTE_NONE || run->mode != MODE_REPLAY || run->model_given)
		return found;
	found = look_up(c, "authored", cassette, why);
	if (found == CASSETTE_NONE)
		call_name_request(c, run->model);
	return found;
}

/* Begin an exchange for the conversation as it is. */
static void
ask(struct call *c)
{
	const struct run *run = c->run;
	struct buf why = {0};
	enum cassette_found found = CASSETTE_NONE;
	jv cassette;

	c->attempts++;
	c->tries = c->dialects = 0;
	if (run->mode == MODE_REPLAY || run->mode == MODE_AUTO)
		found = find_cassette(c, &cassette, &why);
	else
		call_name_request(c, run->model);
	if (found == CASSETTE_HIT) {
		play(c, cassette);
	} else if (run->mode == MODE_REPLAY || run->provider->kind == PROVIDER_AUTHORED) {
		miss(c, &why);
	} else {
		call_replace(&c->body, provider_body(run->provider, c->request));
		exchange_send(c);
	}
	buf_free(&why);
}

/* Answers. */

/* Add what one exchange used to what the call used. */
static void
add_usage(struct call *c, jv used, bool estimated)
{
	static const char *const names[] = {"input_total", "input_cached_read", "input_cache_write",
	    "input_cache_write_1h", "output_total", "output_reasoning"};

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
	return exchange_amount(ceil(bytes / 4), ceil(text_bytes(c->answer.text) / 4));
}

static void
count_usage(struct call *c, enum provider_kind kind)
{
	bool told = jv_is_valid(c->answer.usage);

	/* Nobody pays for a program unless it says what for; an authored answer cost no token. */
	if (kind == PROVIDER_EXEC && !told) {
		exchange_settle(c, 0, 0);
		return;
	}
	jv used = told ? jv_copy(c->answer.usage) : guess_usage(c);
	double cost = exchange_cost(c, used);
	c->cost = (c->attempts > 1 ? c->cost : 0) + cost;
	exchange_settle(
	    c, jvx_number(used, "input_total", 0) + jvx_number(used, "output_total", 0), cost);
	add_usage(c, used, !told);
	jv_free(used);
}

void
call_correct(struct call *c)
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
		call_correct(c);
		return;
	}
	for (int i = 0, n = jv_array_length(jv_copy(c->complaints)); i < n; i++) {
		jv one = jv_array_get(jv_copy(c->complaints), i);
		buf_format(&why, "%s%s", i > 0 ? "; " : "", jv_string_value(one));
		jv_free(one);
	}
	call_give_up(c, "schema", why.data);
	buf_free(&why);
}

void
call_understand(struct call *c, enum provider_kind kind, const char *body, size_t len)
{
	jv complaints = jv_array();

	provider_answer_free(&c->answer);
	c->answer = provider_read(kind, body, len);
	count_usage(c, kind);
	switch (c->answer.outcome) {
	case PROVIDER_REFUSAL: call_give_up(c, "refusal", c->answer.why); break;
	case PROVIDER_TRUNCATED: call_give_up(c, "truncated", c->answer.why); break;
	case PROVIDER_BROKEN: call_give_up(c, "error", c->answer.why); break;
	case PROVIDER_TEXT:
		call_replace(&c->output, jv_invalid());
		if (jv_is_valid(c->run->prompt->schema)) {
			jv_free(complaints);
			call_replace(&c->output,
			    judge_answer(c->run->prompt, kind, c->answer.text, &complaints));
		}
		call_replace(&c->complaints, complaints);
		if (jv_array_length(jv_copy(c->complaints)) > 0)
			violated(c);
		else
			check_begin(c);
		return;
	}
	jv_free(complaints);
}

/* The life of a call. */

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
	c->start_ms = clock_wall_ms();
	if (s->refusal != NULL)
		call_give_up(c, "error", s->refusal);
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
	case CALL_SENDING: exchange_event(c, r); break;
	case CALL_WAITING: exchange_send(c); break;
	case CALL_CHECKING: check_event(c, r); break;
	case CALL_OVER: break;
	}
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
