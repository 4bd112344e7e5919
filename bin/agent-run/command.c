#include "command.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "prog.h"
#include "template.h"
#include "utf8.h"

/* The words by which llm-call is asked as the agent's file says; a list. */
static jv
words_of_llm_call(const struct agent *a)
{
	static const char *const options[][2] = {{"prompt", "-p"}, {"model", "-m"}, {"mode", "-M"},
	    {"cassettes", "-c"}, {"ledger", "-l"}, {"dollars", "-C"}};
	char *program = prog_sister("llm-call");
	jv list = jv_array_append(jv_array_append(jv_array(), jv_string(program)), jv_string("-i"));

	free(program);
	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		jv value = jvx_get(a->adapter, options[i][0]);
		if (!jv_is_valid(value))
			continue;
		list = jv_array_append(list, jv_string(options[i][1]));
		list = jv_array_append(list, value);
	}
	return list;
}

/* The words of the agent's argv, places filled in; NULL where a NUL would cut one short. */
static char **
words_of(const struct trial *t)
{
	const struct agent *a = t->run->agent;
	jv values = trial_values(t);
	jv list = a->kind == AGENT_LLM_CALL ? words_of_llm_call(a)
					    : template_fill(jvx_get(a->adapter, "argv"), values);
	int count = jv_array_length(jv_copy(list));
	char **argv = prog_alloc((size_t)count + 1, sizeof *argv);
	bool whole = true;

	for (int i = 0; i < count; i++) {
		jv word = jv_array_get(jv_copy(list), i);
		struct buf b = {0};
		if (jv_get_kind(word) == JV_KIND_STRING)
			buf_add(&b, jv_string_value(word), jvx_length(word));
		else
			jvx_write(word, &b);
		argv[i] = prog_copy(b.data ? b.data : "", b.len);
		whole = whole && strlen(argv[i]) == b.len;
		buf_free(&b);
		jv_free(word);
	}
	jv_free(list);
	jv_free(values);
	if (whole)
		return argv;
	for (int i = 0; i < count; i++)
		free(argv[i]);
	free(argv);
	return NULL;
}

static bool
start(struct trial *t)
{
	const struct agent *a = t->run->agent;
	struct buf why = {0};
	char **argv = words_of(t);

	if (argv == NULL) {
		trial_fail(t, "refused", "a text with a NUL cannot be an argument");
		return false;
	}
	struct child_how how = {.argv = argv,
	    .environment = a->environment,
	    .folder = a->folder,
	    .input = -1,
	    .own_errors = true,
	    .most = a->reply_bytes};
	t->child = child_start(&how);
	if (t->child == NULL) {
		buf_format(&why, "cannot be started: %s", strerror(errno));
		trial_fail(t, "refused", why.data);
		buf_free(&why);
	}
	for (size_t i = 0; argv[i] != NULL; i++)
		free(argv[i]);
	free(argv);
	return t->child != NULL;
}

/* Send a value as a line. */
static void
send_line(struct trial *t, jv value)
{
	struct buf line = {0};

	jvx_write(value, &line);
	buf_byte(&line, '\n');
	child_write(t->child, line.data, line.len);
	buf_free(&line);
	jv_free(value);
}

bool
command_open(struct trial *t)
{
	struct run *run = t->run;

	if (run->agent->life == LIFE_TURN)
		return true;
	if (run->idle_count > 0)
		t->child = run->idle[--run->idle_count];
	else if (!start(t))
		return false;
	if (run->agent->life == LIFE_SESSION)
		return true;
	jv reset = jv_object_set(jv_object(), jv_string("type"), jv_string("reset"));
	reset = jvx_set(reset, "seed", jv_number((double)t->seed));
	send_line(t, jvx_set_text(reset, "session", t->session));
	t->state = TRIAL_RESETTING;
	net_hear(run->net, t->child, NET_LINE, trial_patience_ms(t), t);
	return false;
}

/* A text that is a line must be one line. */
static void
send_text(struct trial *t, jv values)
{
	size_t len;
	const char *text = jvx_bytes(values, "text", &len);
	struct buf line = {0};

	buf_add(&line, text, len);
	for (size_t i = 0; i < line.len && t->run->agent->life != LIFE_TURN; i++)
		if (line.data[i] == '\n' || line.data[i] == '\r')
			line.data[i] = ' ';
	buf_byte(&line, '\n');
	child_write(t->child, line.data, line.len);
	buf_free(&line);
	jv_free(values);
}

/* To a model the talk is data, a message a line; a seed makes the next trial another question. */
static void
send_talk(struct trial *t)
{
	if (t->number > 1)
		send_line(t, jvx_set(jv_object(), "seed", jv_number((double)t->seed)));
	for (int i = 0; i < jv_array_length(jv_copy(t->messages)); i++)
		send_line(t, jv_array_get(jv_copy(t->messages), i));
}

void
command_say(struct trial *t)
{
	const struct agent *a = t->run->agent;

	if (a->life == LIFE_TURN && !start(t))
		return;
	if (a->kind == AGENT_LLM_CALL)
		send_talk(t);
	else if (a->input == FORM_TEXT)
		send_text(t, trial_values(t));
	else
		send_line(t, jvx_set_text(trial_values(t), "type", "turn"));
	if (a->life == LIFE_TURN)
		child_end_input(t->child);
	net_hear(t->run->net, t->child, a->life == LIFE_TURN ? NET_ALL : NET_LINE,
	    trial_patience_ms(t), t);
}

/* The last line of standard error that is not blank. */
static struct span
last_words(const struct child *c)
{
	const char *from = c->errors.data;
	size_t len = c->errors.len;

	while (len > 0 && (unsigned char)from[len - 1] <= ' ')
		len--;
	for (size_t i = len; i > 0; i--)
		if (from[i - 1] == '\n')
			return (struct span){from + i, len - i};
	return (struct span){from, len};
}

/* How the process ended, and what it said at last. */
static void
crashed(struct trial *t, const char *how, int status)
{
	struct span said = last_words(t->child);
	struct buf why = {0};

	if (t->child->ended && status > 128)
		buf_format(&why, "killed by signal %d", status - 128);
	else if (t->child->ended)
		buf_format(&why, "exit status %d", status);
	else
		buf_text(&why, how);
	if (said.len > 0) {
		char *clean = prog_clean(said.at, said.len);
		buf_format(&why, ": %s", clean);
		free(clean);
	}
	trial_fail(t, "crash", why.data);
	buf_free(&why);
}

static void
at_fault(struct trial *t, const struct net_reply *r)
{
	const struct agent *a = t->run->agent;
	struct buf why = {0};

	switch (r->fault) {
	case NET_TIMEOUT: trial_late(t); break;
	case NET_FLOOD:
		buf_format(&why, "an answer of more than %zu bytes", a->reply_bytes);
		trial_fail(t, "flood", why.data);
		break;
	case NET_ENDED: crashed(t, r->why, r->status); break;
	default: trial_fail(t, "refused", r->why);
	}
	buf_free(&why);
}

static struct span
bytes_of(const struct net_reply *r)
{
	return (struct span){r->body.data ? r->body.data : "", r->body.len};
}

/* What follows the line would be taken for the answer to the next turn. */
static bool
one_line(struct trial *t)
{
	if (t->child->said.len > 0)
		trial_fail(t, "garbage", "more than one line for a turn");
	return t->state != TRIAL_OVER;
}

static void
end_turn(struct trial *t, struct reply *said)
{
	if (t->run->agent->life == LIFE_TURN) {
		child_free(t->child);
		t->child = NULL;
	}
	trial_answered(t, said);
}

static void
hear_turn(struct trial *t, struct net_reply *r)
{
	struct reply said;
	const char *why = reply_read(&said, bytes_of(r));

	if (why != NULL) {
		trial_fail(t, "garbage", why);
		return;
	}
	if (jv_is_valid(said.error)) {
		trial_fail(t, "error", jv_string_value(said.error));
		reply_free(&said);
		return;
	}
	if (t->run->agent->life != LIFE_TURN && !one_line(t)) {
		reply_free(&said);
		return;
	}
	end_turn(t, &said);
}

/* The answer record of llm-call, whose text is a reply like another; or why there is none. */
static const char *
read_answer(struct reply *said, struct span bytes, struct buf *why)
{
	const char *at = bytes.at, *end = at + bytes.len, *wrong = NULL;
	double cost = NAN;

	*said = (struct reply){jv_invalid(), jv_invalid(), jv_invalid(), jv_invalid(), NAN};
	while (at < end) {
		const char *eol = memchr(at, '\n', (size_t)(end - at)), *text;
		size_t len = (size_t)((eol ? eol : end) - at), text_len;
		jv record = jvx_parse(at, len, NULL);
		const char *type = jvx_text(record, "type");
		if (type != NULL && strcmp(type, "span") == 0) {
			cost = jvx_number(record, "rcakit.cost_usd", NAN);
		} else if (type != NULL && strcmp(type, "unclassified") == 0) {
			buf_format(
			    why, "%s: %s", jvx_text(record, "reason"), jvx_text(record, "message"));
		} else if (type != NULL && strcmp(type, "answer") == 0 &&
			   (text = jvx_bytes(record, "text", &text_len)) != NULL) {
			wrong = reply_read(said, (struct span){text, text_len});
			said->usage =
			    jv_is_valid(said->usage) ? said->usage : jvx_get(record, "usage");
		}
		jv_free(record);
		at += len + 1;
	}
	said->cost_usd = cost;
	return wrong;
}

static void
hear_model(struct trial *t, struct net_reply *r)
{
	struct reply said;
	struct buf why = {0};
	const char *wrong = read_answer(&said, bytes_of(r), &why);

	if (why.len > 0)
		trial_fail(t, "error", why.data);
	else if (wrong != NULL)
		trial_fail(t, "garbage", wrong);
	else if (jv_is_valid(said.error))
		trial_fail(t, "error", jv_string_value(said.error));
	else if (!jv_is_valid(said.text) && !jv_is_valid(said.tool_calls))
		crashed(t, "no answer", r->status);
	else
		end_turn(t, &said);
	if (t->state == TRIAL_OVER)
		reply_free(&said);
	buf_free(&why);
}

/* The answer to a reset: whatever it is, so long as it is one. */
static void
hear_reset(struct trial *t, struct net_reply *r)
{
	struct reply said;
	const char *why = reply_read(&said, bytes_of(r));

	if (why != NULL && why != reply_empty)
		trial_fail(t, "garbage", why);
	else if (why == NULL && jv_is_valid(said.error))
		trial_fail(t, "error", jv_string_value(said.error));
	else if (one_line(t))
		trial_next(t);
	if (why == NULL)
		reply_free(&said);
}

void
command_hear(struct trial *t, struct net_reply *r)
{
	if (r->fault != NET_FINE)
		at_fault(t, r);
	else if (t->run->agent->kind == AGENT_LLM_CALL)
		hear_model(t, r);
	else if (t->run->agent->life == LIFE_TURN && r->status != 0)
		crashed(t, "", r->status);
	else if (t->state != TRIAL_RESETTING)
		hear_turn(t, r);
	else
		hear_reset(t, r);
}

/* Standard error is for people: the end of it, as text. */
static void
keep_noise(struct trial *t)
{
	struct buf text = {0};
	const struct buf *errors = &t->child->errors;
	size_t from = errors->len > CHILD_TAIL ? errors->len - CHILD_TAIL : 0;

	if (errors->len == 0)
		return;
	utf8_mend(&text, errors->data + from, errors->len - from);
	t->noise = jv_string_sized(text.data, (int)text.len);
	buf_free(&text);
}

void
command_close(struct trial *t)
{
	struct run *run = t->run;

	if (t->child == NULL)
		return;
	if (t->reason != NULL) {
		keep_noise(t);
		child_free(t->child);
	} else if (run->agent->life == LIFE_RUN) {
		run->idle = prog_resize(run->idle, run->idle_count + 1, sizeof *run->idle);
		run->idle[run->idle_count++] = t->child;
	} else {
		net_let_go(run->net, t->child);
	}
	t->child = NULL;
}

void
command_end(struct run *run)
{
	while (run->idle_count > 0)
		net_let_go(run->net, run->idle[--run->idle_count]);
	free(run->idle);
	run->idle = NULL;
	net_wait(run->net); /* for those that were let go */
}
