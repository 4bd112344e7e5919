#include "trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "command.h"
#include "digest.h"
#include "http.h"
#include "jvx.h"
#include "prog.h"
#include "scenario.h"
#include "utf8.h"

enum { WHY_BYTES = 500 };

static double
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1000 + (double)t.tv_nsec / 1e6;
}

/* The same trial of the same scenario has the same name on every machine. */
static void
name_session(struct trial *t)
{
	struct buf b = {0};
	char hex[65];

	buf_format(
	    &b, "%s%c%s%c%lld", t->run->agent->id, 0, jvx_text(t->scenario, "id"), 0, t->seed);
	digest_sha256(b.data, b.len, hex);
	buf_free(&b);
	memcpy(t->session, hex, sizeof t->session - 1);
}

struct trial *
trial_new(struct run *run, jv scenario, int number)
{
	struct trial *t = prog_alloc(1, sizeof *t);

	t->run = run;
	t->scenario = scenario;
	t->number = number;
	t->seed = run->seed + number - 1;
	t->messages = jv_array();
	t->turns = jv_array();
	t->error = t->noise = t->carried = jv_invalid();
	name_session(t);
	return t;
}

jv
trial_values(const struct trial *t)
{
	jv v = jvx_set_text(jv_object(), "session", t->session);

	v = jvx_set(v, "seed", jv_number((double)t->seed));
	v = jvx_set(v, "turn", jv_number(t->turn));
	v = jvx_set(v, "text", scenario_user(t->scenario, t->turn > 0 ? t->turn : 1));
	return jvx_set(v, "messages", jv_copy(t->messages));
}

long
trial_patience_ms(const struct trial *t)
{
	double left = t->deadline_ms - now_ms();
	long turn = t->run->agent->turn_ms;

	return left < 1 ? 1 : left < (double)turn ? (long)ceil(left) : turn;
}

static bool
remote(const struct trial *t)
{
	return t->run->agent->http != NULL;
}

void
trial_next(struct trial *t)
{
	jv message = jv_object_set(jv_object(), jv_string("role"), jv_string("user"));

	t->turn++;
	message = jvx_set(message, "content", scenario_user(t->scenario, t->turn));
	t->messages = jv_array_append(t->messages, message);
	t->state = TRIAL_TALKING;
	t->asked_ms = now_ms();
	if (remote(t))
		http_say(t);
	else
		command_say(t);
}

void
trial_begin(struct trial *t)
{
	t->deadline_ms = now_ms() + (double)t->run->agent->trial_ms;
	if (remote(t) ? http_open(t) : command_open(t))
		trial_next(t);
}

static jv
told(const char *text, size_t len)
{
	struct buf b = {0};

	utf8_mend(&b, text, len);
	size_t cut = b.len > WHY_BYTES ? utf8_floor(b.data, b.len, WHY_BYTES) : b.len;
	jv made = jv_string_sized(b.data ? b.data : "", (int)cut);
	buf_free(&b);
	return made;
}

static jv
turn_record(const struct trial *t)
{
	jv turn = jvx_set(jv_object(), "user", scenario_user(t->scenario, t->turn));

	return jvx_set_ms(turn, "latency_ms", now_ms() - t->asked_ms);
}

void
trial_fail(struct trial *t, const char *reason, const char *why)
{
	if (t->state == TRIAL_OVER)
		return;
	t->reason = reason;
	t->error = told(why, strlen(why));
	t->run->errors = true;
	t->cost_usd = NAN;
	if (t->turn > 0)
		t->turns =
		    jv_array_append(t->turns, jvx_set(turn_record(t), "error", jv_copy(t->error)));
	command_close(t);
	t->state = TRIAL_OVER;
}

void
trial_late(struct trial *t)
{
	const struct agent *a = t->run->agent;
	struct buf why = {0};

	if (trial_patience_ms(t) <= 1)
		buf_format(&why, "the trial took longer than %ld ms", a->trial_ms);
	else
		buf_format(&why, "no answer in %ld ms", a->turn_ms);
	trial_fail(t, "timeout", why.data);
	buf_free(&why);
}

void
trial_answered(struct trial *t, struct reply *r)
{
	jv turn = turn_record(t);
	jv message = jvx_set_text(jv_object(), "role", "assistant");

	message =
	    jvx_set(message, "content", jv_is_valid(r->text) ? jv_copy(r->text) : jv_string(""));
	message = jvx_set(message, "tool_calls", jv_copy(r->tool_calls));
	turn = jvx_set(turn, "reply", jv_copy(r->text));
	turn = jvx_set(turn, "tool_calls", jv_copy(r->tool_calls));
	turn = jvx_set(turn, "usage", jv_copy(r->usage));
	t->messages = jv_array_append(t->messages, message);
	t->turns = jv_array_append(t->turns, turn);
	t->cost_usd += r->cost_usd;
	reply_free(r);
	if (t->turn < scenario_turns(t->scenario)) {
		trial_next(t);
		return;
	}
	command_close(t);
	t->state = TRIAL_OVER;
}

void
trial_event(struct trial *t, struct net_reply *r)
{
	if (remote(t))
		http_hear(t, r);
	else
		command_hear(t, r);
}

jv
trial_record(const struct trial *t)
{
	jv record = jvx_set_text(jv_object(), "type", "transcript");

	record = jvx_set_text(record, "agent", t->run->agent->id);
	record = jvx_set_text(record, "scenario", jvx_text(t->scenario, "id"));
	record = jvx_set(record, "trial", jv_number(t->number));
	record = jvx_set(record, "seed", jv_number((double)t->seed));
	record = jvx_set_text(record, "session", t->session);
	record = jvx_set(record, "turns", jv_copy(t->turns));
	record = jvx_set_text(record, "reason", t->reason);
	record = jvx_set(record, "error", jv_copy(t->error));
	record = jvx_set(record, "stderr", jv_copy(t->noise));
	return jvx_set_number(record, "cost_usd", t->cost_usd);
}

void
trial_free(struct trial *t)
{
	if (t == NULL)
		return;
	child_free(t->child);
	jv_free(t->scenario);
	jv_free(t->messages);
	jv_free(t->turns);
	jv_free(t->error);
	jv_free(t->noise);
	jv_free(t->carried);
	free(t);
}
