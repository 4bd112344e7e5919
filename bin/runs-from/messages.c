/*
 * messages: conversations of a model with its tools, as OpenAI and Anthropic write them, alone, one
 * message a line, or inside the trajectories of tau-bench and tau2-bench.
 *
 * A call is a state with a receipt, an answer without calls is "respond".  Calls find their results
 * by id; a call without one is open.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "canon.h"
#include "doc.h"
#include "draft.h"
#include "jvx.h"
#include "prog.h"

struct call {
	char *id, *name;
	char sha[65];       /* of its arguments; "" when there are none */
	const char *result; /* NULL: none came */
	bool respond;
};

struct talk {
	struct call *calls;
	size_t count, size;
	bool began, answered, cut; /* any message; the last one is the agent's; by its limit */
};

struct state {
	struct out *out;
	struct talk talk; /* of messages that come one by one */
	const char *file; /* theirs */
	char *name;
};

static struct call *
new_call(struct talk *t)
{
	if (t->count == t->size) {
		t->size = t->size ? t->size * 2 : 32;
		t->calls = prog_resize(t->calls, t->size, sizeof *t->calls);
	}
	struct call *c = &t->calls[t->count++];
	*c = (struct call){0};
	return c;
}

static void
talk_free(struct talk *t)
{
	for (size_t i = 0; i < t->count; i++) {
		free(t->calls[i].id);
		free(t->calls[i].name);
	}
	free(t->calls);
	*t = (struct talk){0};
}

/* Arguments are an object, or a text that is one; equal ones have equal digests. */
static void
digest_args(struct span args, char sha[65])
{
	jv value = jv_invalid();

	if (scan_kind(args) == '"') {
		struct buf text = {0};
		struct scan_error error;
		scan_text(args, &text);
		value = jvx_parse(text.data ? text.data : "", text.len, &error);
		buf_free(&text);
	}
	if (!jv_is_valid(value) && args.at != NULL) {
		jv_free(value);
		value = jvx_build(args);
	}
	sha[0] = '\0';
	if (jv_is_valid(value))
		canon_sha256(value, sha);
	jv_free(value);
}

static void
add_call(struct talk *t, struct span id, struct span name, struct span args)
{
	struct call *c = new_call(t);

	c->id = scan_copy(id);
	c->name = scan_copy(name);
	digest_args(args, c->sha);
}

static void
add_answer(struct talk *t)
{
	struct call *c = new_call(t);

	c->name = prog_copy("respond", 7);
	c->respond = true;
}

/* tool_calls of OpenAI ({id, function: {name, arguments}}), of Inspect and tau2 (flat). */
static size_t
add_calls(struct talk *t, struct span list)
{
	struct scan_each it = {0};
	size_t n = 0;

	while (scan_kind(list) == '[' && scan_each(&it, list)) {
		struct span f = scan_member(it.value, "function");
		struct span id = scan_member(it.value, "id");
		if (scan_kind(f) == '{')
			add_call(t, id, scan_member(f, "name"), scan_member(f, "arguments"));
		else
			add_call(t, id, scan_kind(f) == '"' ? f : scan_member(it.value, "name"),
			    scan_member(it.value, "arguments"));
		n++;
	}
	return n;
}

/* The call of this id; without one the oldest that still waits, of that name if there is one. */
static struct call *
find_call(struct talk *t, struct span id, struct span name)
{
	for (size_t i = t->count; i-- > 0 && scan_kind(id) == '"';)
		if (t->calls[i].id != NULL && scan_is(id, t->calls[i].id))
			return &t->calls[i];
	for (size_t i = 0; i < t->count; i++) {
		struct call *c = &t->calls[i];
		if (c->respond || c->result != NULL || (c->id != NULL && scan_kind(id) == '"'))
			continue;
		if (scan_kind(name) != '"' || (c->name != NULL && scan_is(name, c->name)))
			return c;
	}
	return NULL;
}

static bool
begins(struct span text, const char *prefix)
{
	struct buf b = {0};
	bool yes = scan_text(text, &b) && strncmp(b.data, prefix, strlen(prefix)) == 0;

	buf_free(&b);
	return yes;
}

/* A content is a text, or parts that have one. */
static bool
content_begins(struct span content, const char *prefix)
{
	struct scan_each it = {0};

	if (scan_kind(content) == '"')
		return begins(content, prefix);
	return scan_kind(content) == '[' && scan_each(&it, content) &&
	       begins(scan_member(it.value, "text"), prefix);
}

static bool
says_error(struct span error)
{
	int kind = scan_kind(error);

	return kind == 't' || kind == '{' || (kind == '"' && error.len > 2);
}

static void
add_result(struct state *s, struct talk *t, struct span id, struct span name, struct span message)
{
	struct call *c = find_call(t, id, name);
	struct span content = doc_either(message, "content", "output");

	if (c == NULL) {
		out_unmapped(s->out, "results of calls that the log does not hold");
		return;
	}
	bool failed = says_error(scan_member(message, "is_error")) ||
		      says_error(scan_member(message, "error")) ||
		      content_begins(content, s->out->prefix);
	c->result = failed ? "error" : "ok";
}

/* The parts of one content of Anthropic, or of OpenAI; true when there was text. */
static bool
take_parts(struct state *s, struct talk *t, struct span content, size_t *calls)
{
	struct scan_each it = {0};
	bool text = false;

	while (scan_each(&it, content)) {
		struct span type = scan_member(it.value, "type");
		if (scan_is(type, "tool_use") || scan_is(type, "server_tool_use")) {
			add_call(t, scan_member(it.value, "id"), scan_member(it.value, "name"),
			    scan_member(it.value, "input"));
			++*calls;
		} else if (scan_is(type, "tool_result")) {
			add_result(
			    s, t, scan_member(it.value, "tool_use_id"), (struct span){0}, it.value);
		} else if (scan_is(type, "text") || scan_is(type, "output_text")) {
			text = true;
		} else if (scan_is(type, "refusal")) {
			text = true;
		} else if (!scan_is(type, "thinking") && !scan_is(type, "reasoning") &&
			   !scan_is(type, "redacted_thinking") && !scan_is(type, "image") &&
			   !scan_is(type, "image_url") && !scan_is(type, "input_text") &&
			   !scan_is(type, "document")) {
			out_unmapped(s->out, "message parts of an unknown type");
		}
	}
	return text;
}

static bool
was_cut(struct span reason)
{
	return scan_is(reason, "length") || scan_is(reason, "max_tokens") ||
	       scan_is(reason, "max_output_tokens");
}

static void
take_assistant(struct state *s, struct talk *t, struct span m)
{
	struct span content = scan_member(m, "content"), legacy = scan_member(m, "function_call");
	size_t calls = add_calls(t, scan_member(m, "tool_calls"));
	bool text = scan_kind(content) == '"' && content.len > 2;

	if (scan_kind(legacy) == '{') {
		add_call(t, (struct span){0}, scan_member(legacy, "name"),
		    scan_member(legacy, "arguments"));
		calls++;
	}
	if (scan_kind(content) == '[')
		text = take_parts(s, t, content, &calls);
	if (calls == 0 && text)
		add_answer(t);
	t->answered = calls == 0;
	t->cut = was_cut(scan_member(m, "stop_reason"));
}

static void
take_message(struct state *s, struct talk *t, struct span m)
{
	struct span role = scan_member(m, "role"), type = scan_member(m, "type");

	t->began = true;
	if (scan_is(type, "function_call") || scan_is(type, "custom_tool_call")) {
		add_call(t, scan_member(m, "call_id"), scan_member(m, "name"),
		    doc_either(m, "arguments", "input"));
		t->answered = false;
	} else if (scan_is(type, "function_call_output") ||
		   scan_is(type, "custom_tool_call_output")) {
		add_result(s, t, scan_member(m, "call_id"), (struct span){0}, m);
		t->answered = false;
	} else if (scan_is(role, "assistant")) {
		take_assistant(s, t, m);
	} else if (scan_is(role, "tool") || scan_is(role, "function")) {
		add_result(s, t, doc_either(m, "tool_call_id", "id"),
		    doc_either(m, "name", "function"), m);
		t->answered = false;
	} else if (scan_is(role, "user")) {
		size_t calls = 0;
		struct span content = scan_member(m, "content");
		if (scan_kind(content) == '[')
			take_parts(s, t, content, &calls);
		t->answered = false;
	} else if (!scan_is(role, "system") && !scan_is(role, "developer") &&
		   !scan_is(type, "reasoning")) {
		out_unmapped(s->out, "messages of an unknown role");
	}
}

static bool
reads_only(const char *name)
{
	static const char *const reading[] = {
	    "get_", "find_", "list_", "search_", "calculate", "think", "read_", "lookup_", NULL};

	for (size_t i = 0; reading[i] != NULL; i++)
		if (strncmp(name, reading[i], strlen(reading[i])) == 0)
			return true;
	return false;
}

static bool
is_thought(const struct call *c)
{
	return c->name != NULL && strcmp(c->name, "think") == 0;
}

/* A good call of this name (and with these arguments, unless sha is NULL) that nobody took yet; -1
 * when there is none. */
static long
take_good(const struct talk *t, bool *taken, const char *name, const char *sha)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct call *c = &t->calls[i];
		if (taken[i] || c->name == NULL || c->result == NULL ||
		    strcmp(c->result, "ok") != 0 || strcmp(c->name, name) != 0)
			continue;
		if (sha != NULL && strcmp(c->sha, sha) != 0)
			continue;
		taken[i] = true;
		return (long)i;
	}
	return -1;
}

struct expected {
	char *name, sha[65];
	long call;  /* that did it, -1: none */
	bool exact; /* with the arguments that were expected */
};

static size_t
read_expected(struct span actions, struct expected **list)
{
	struct scan_each it = {0};
	size_t n = 0, size = 0;

	*list = NULL;
	while (scan_kind(actions) == '[' && scan_each(&it, actions)) {
		char *name = scan_copy(scan_member(it.value, "name"));
		if (name == NULL || reads_only(name) ||
		    scan_is(scan_member(it.value, "requestor"), "user")) {
			free(name);
			continue;
		}
		if (n == size) {
			size = size ? size * 2 : 8;
			*list = prog_resize(*list, size, sizeof **list);
		}
		(*list)[n] = (struct expected){.name = name, .call = -1};
		digest_args(doc_either(it.value, "kwargs", "arguments"), (*list)[n++].sha);
	}
	return n;
}

/* A free text of the model's is its argument: only that it was called can be expected. */
static bool
any_arguments(const char *name)
{
	return strncmp(name, "transfer_to_", 12) == 0;
}

static jv
with_name(jv list, const char *name, const char *how)
{
	struct buf b = {0};

	buf_format(&b, "%s%s", name, how);
	list = jv_array_append(list, jv_string(b.data));
	buf_free(&b);
	return list;
}

/* Which state a call is, where thoughts are none. */
static long
step_of(const struct talk *t, size_t call)
{
	long i = 0;

	for (size_t j = 0; j < call; j++)
		i += !is_thought(&t->calls[j]);
	return i;
}

/*
 * The outcome, with the writes that the task expects beside those that were done.  Their order is
 * not asked for: what counts is the state of the database at the end.
 */
static void
add_writes(struct draft *d, const struct talk *t, struct span actions, int pass)
{
	struct expected *want;
	size_t n = read_expected(actions, &want);
	bool *taken = prog_alloc(t->count, sizeof *taken);
	jv expected = jv_array(), observed = jv_array();
	bool missing = false;
	long first = -1; /* the call of the first deviation, where it is a wrong call */

	/* Exact ones first, so that a wrong call does not take the place of a right one. */
	for (size_t i = 0; i < n; i++) {
		bool any = any_arguments(want[i].name);
		want[i].call = take_good(t, taken, want[i].name, any ? NULL : want[i].sha);
		want[i].exact = want[i].call >= 0;
	}
	for (size_t i = 0; i < n; i++)
		if (want[i].call < 0)
			want[i].call = take_good(t, taken, want[i].name, NULL);
	for (size_t i = 0; i < n; i++) {
		expected = with_name(expected, want[i].name, "");
		if (want[i].call >= 0)
			observed = with_name(
			    observed, want[i].name, want[i].exact ? "" : " with other arguments");
		if (first < 0 && !missing && !want[i].exact)
			first = want[i].call;
		missing = missing || !want[i].exact;
		free(want[i].name);
	}
	for (size_t i = 0; i < t->count; i++) {
		const struct call *c = &t->calls[i];
		if (!taken[i] && !c->respond && c->name != NULL && c->result != NULL &&
		    strcmp(c->result, "ok") == 0 && !reads_only(c->name))
			observed = with_name(observed, c->name, "");
	}
	draft_oracle(d, "reward", "outcome", pass, expected, observed);
	if (pass == 0 && first >= 0)
		draft_at(d, step_of(t, (size_t)first));
	free(want);
	free(taken);
}

static void
add_steps(struct state *s, struct draft *d, const struct talk *t, bool skip_thoughts)
{
	for (size_t i = 0; i < t->count; i++) {
		const struct call *c = &t->calls[i];
		struct step step = {.name = c->name, .status = "ok"};
		if (skip_thoughts && is_thought(c)) {
			out_unmapped(s->out, "calls of think, which are no states");
			continue;
		}
		if (!c->respond) {
			step.tool = c->name ? c->name : "unnamed";
			step.call = c->id;
			step.args_sha = c->sha;
			step.result = c->result;
			step.status = c->result == NULL                 ? "open"
				      : strcmp(c->result, "error") == 0 ? "fail"
									: "ok";
		}
		draft_step(d, &step);
	}
}

/* How a conversation ended, where nothing says so: by an answer, or not at all. */
static const char *
end_of(const struct talk *t)
{
	if (t->cut)
		return "budget";
	return t->answered || (t->count > 0 && t->calls[t->count - 1].respond) ? "final"
									       : "missing";
}

static const char *
tau_end(struct span reason, const char *otherwise)
{
	static const char *const ends[][2] = {{"user_stop", "final"}, {"agent_stop", "final"},
	    {"max_steps", "budget"}, {"too_many_errors", "error"}, {"agent_error", "error"},
	    {"user_error", "error"}, {"timeout", "timeout"}};

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (scan_is(reason, ends[i][0]))
			return ends[i][1];
	return otherwise;
}

static void
take_list(struct state *s, struct talk *t, struct span list)
{
	struct scan_each it = {0};

	while (scan_kind(list) == '[' && scan_each(&it, list))
		take_message(s, t, it.value);
}

/* A text, or a number as text; yours to free; NULL when it is neither. */
static char *
name_of(struct span v)
{
	if (scan_kind(v) == '0')
		return prog_copy(v.at, v.len);
	return scan_kind(v) == '"' && v.len > 2 ? scan_copy(v) : NULL;
}

/* 1, 0, or -1 where the log does not say how it went. */
static int
pass_of(struct span v)
{
	struct span reward = doc_either(v, "reward", "score");
	struct span flag = doc_either(v, "success", "passed");

	if (scan_kind(reward) != '0')
		reward = scan_path(v, "reward_info", "reward", NULL);
	if (scan_kind(reward) == '0')
		return scan_number(reward, 0) > 1 - 1e-6;
	if (scan_kind(flag) == 't' || scan_kind(flag) == 'f')
		return scan_true(flag);
	if (scan_is(scan_member(v, "outcome"), "success"))
		return 1;
	return scan_is(scan_member(v, "outcome"), "failure") ? 0 : -1;
}

/* FILE:TASK:TRIAL, so that logs of two models do not collide. */
static void
name_run(struct draft *d, struct span v, const char *name)
{
	char *id = name_of(doc_either(v, "run_id", "id")),
	     *task = name_of(scan_member(v, "task_id"));
	struct span trial = scan_member(v, "trial");
	struct buf made = {0};

	buf_text(&made, name);
	if (task != NULL) {
		buf_clear(&made);
		buf_format(&made, "%.*s:%s:%.0f", (int)strcspn(name, ":"), name, task,
		    scan_number(trial, 0));
	}
	draft_text(d, "run_id", id ? id : made.data);
	draft_text(d, "task_id", task ? task : id ? id : made.data);
	draft_number(d, "trial", scan_number(trial, NAN));
	buf_free(&made);
	free(id);
	free(task);
}

/* The acts that solve the task: with the run, or with the task of its name. */
static struct span
actions_of(struct span v, struct span tasks)
{
	struct span actions = scan_path(v, "info", "task", "actions", NULL);
	struct span task = scan_member(v, "task");
	struct scan_each it = {0};
	char *name = name_of(scan_member(v, "task_id"));

	while (name != NULL && scan_kind(task) != '{' && scan_kind(tasks) == '[' &&
	       scan_each(&it, tasks)) {
		char *id = name_of(scan_member(it.value, "id"));
		if (id != NULL && strcmp(id, name) == 0)
			task = it.value;
		free(id);
	}
	free(name);
	return scan_kind(actions) == '[' ? actions
					 : scan_path(task, "evaluation_criteria", "actions", NULL);
}

/* tasks: the list of what the runs of a file were to do, where it has one. */
static void
put_talk(struct state *s, struct talk *t, struct span v, struct span tasks, const char *name)
{
	struct draft d = draft_new();
	struct span actions = actions_of(v, tasks);
	int pass = pass_of(v);

	bool tau = scan_kind(actions) == '[';
	name_run(&d, v, name);
	draft_text(&d, "terminal",
	    tau_end(scan_member(v, "termination_reason"), tau && t->began ? "final" : end_of(t)));
	if (tau)
		add_writes(&d, t, actions, pass);
	else if (pass >= 0)
		draft_oracle(&d, "outcome", "outcome", pass, jv_invalid(), jv_invalid());
	add_steps(s, &d, t, tau);
	draft_put(&d, s->out);
	talk_free(t);
}

/* One object that holds a whole conversation. */
static void
take_conversation(struct state *s, struct span v, struct span tasks, const char *name)
{
	struct talk t = {0};
	struct scan_each it = {0};
	struct span list = doc_either(v, "messages", "traj"), choices;

	if (scan_kind(list) != '[')
		list = doc_either(v, "input", "trajectory");
	take_list(s, &t, list);
	take_list(s, &t, scan_member(v, "output"));
	struct span response =
	    scan_kind(scan_member(v, "response")) == '{' ? scan_member(v, "response") : v;
	take_list(s, &t, response.at != v.at ? scan_member(response, "output") : (struct span){0});
	choices = scan_member(response, "choices");
	if (scan_kind(choices) == '[' && scan_each(&it, choices)) {
		take_message(s, &t, scan_member(it.value, "message"));
		t.cut = was_cut(scan_member(it.value, "finish_reason"));
	} else if (scan_kind(scan_member(response, "content")) == '[' &&
		   scan_is(scan_member(response, "role"), "assistant")) {
		take_message(s, &t, response);
	}
	put_talk(s, &t, v, tasks, name);
}

static void
end_file(struct state *s)
{
	if (s->talk.began)
		put_talk(s, &s->talk, (struct span){0}, (struct span){0}, s->name);
	free(s->name);
	s->name = NULL;
	s->file = NULL;
}

static bool
holds_talk(struct span v)
{
	static const char *const names[] = {
	    "messages", "traj", "trajectory", "input", "output", "choices", "response", NULL};

	for (size_t i = 0; names[i] != NULL; i++) {
		int kind = scan_kind(scan_member(v, names[i]));
		if (kind == '[' || (kind == '{' && strcmp(names[i], "response") == 0))
			return true;
	}
	return false;
}

/* tau2-bench: the simulations of one file, and the tasks that they are of. */
static void
take_simulations(struct state *s, struct span v, const char *name)
{
	struct scan_each it = {0};
	struct span list = scan_member(v, "simulations"), tasks = scan_member(v, "tasks");

	while (scan_each(&it, list))
		take_conversation(s, it.value, tasks, name);
}

static void
take(void *state, const struct doc *d)
{
	struct state *s = state;
	struct span v = d->value, inner = scan_member(v, "message");

	if (s->file != d->file)
		end_file(s);
	s->file = d->file;
	/* A line of a session log wraps its message. */
	if (scan_kind(inner) == '{' && scan_kind(scan_member(inner, "role")) == '"')
		v = inner;
	bool many = d->element || d->number > 1;
	char *name = draft_name(d, many);
	if (scan_kind(scan_member(v, "simulations")) == '[') {
		take_simulations(s, v, name);
	} else if (holds_talk(v)) {
		take_conversation(s, v, (struct span){0}, name);
	} else if (scan_kind(scan_member(v, "role")) == '"' ||
		   scan_is(scan_member(v, "type"), "function_call") ||
		   scan_is(scan_member(v, "type"), "function_call_output")) {
		if (s->name == NULL)
			s->name = draft_name(d, false);
		take_message(s, &s->talk, v);
	} else {
		out_unmapped(s->out, "values that are no messages");
	}
	free(name);
}

static void
end(void *state)
{
	end_file(state);
}

static const char *const drop[] = {"logprobs", "embedding", NULL};
const struct adapter from_messages = {"messages", drop, sizeof(struct state), take, end};
