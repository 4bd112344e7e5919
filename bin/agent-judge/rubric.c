#include "rubric.h"

#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "ndjson.h"
#include "prog.h"
#include "section.h"

char **
rubric_command(const char *prompt, char *const options[])
{
	size_t count = 0;

	while (options[count] != NULL)
		count++;
	char **argv = prog_alloc(count + 4, sizeof *argv);
	argv[0] = prog_sister("llm-call");
	argv[1] = prog_copy("-p", 2);
	argv[2] = prog_copy(prompt, strlen(prompt));
	for (size_t i = 0; i < count; i++)
		argv[i + 3] = options[i];
	return argv;
}

static void
say(struct buf *b, int turn, const char *who, jv what)
{
	jv line = jvx_set_text(what, "who", who);

	line = jvx_set(line, "turn", jv_number(turn));
	jvx_write(line, b);
	buf_byte(b, '\n');
	jv_free(line);
}

static jv
text_of(jv turn, const char *key)
{
	return jvx_set(jv_object(), "text", jvx_get(turn, key));
}

/* A line for each thing that was said or done; whatever is in it stays in its line. */
static void
tell_turn(struct buf *b, int n, jv turn)
{
	jv calls = jvx_get(turn, "tool_calls");

	say(b, n, "user", text_of(turn, "user"));
	for (int i = 0; jv_get_kind(calls) == JV_KIND_ARRAY && i < jv_array_length(jv_copy(calls));
	     i++) {
		jv call = jv_array_get(jv_copy(calls), i);
		if (jv_get_kind(call) == JV_KIND_OBJECT)
			say(b, n, "tool", call);
		else
			jv_free(call);
	}
	say(b, n, "agent", text_of(turn, "reply"));
	jv_free(calls);
}

FILE *
rubric_question(jv scenario, jv transcript)
{
	FILE *file = tmpfile();
	struct buf talk = {0}, rule = {0}, name = {0};
	jv turns = jvx_get(transcript, "turns");
	const char *agent = jvx_text(transcript, "agent");

	if (file == NULL)
		err(TROUBLE, "temporary file");
	for (int i = 0; jv_get_kind(turns) == JV_KIND_ARRAY && i < jv_array_length(jv_copy(turns));
	     i++) {
		jv turn = jv_array_get(jv_copy(turns), i);
		tell_turn(&talk, i + 1, turn);
		jv_free(turn);
	}
	jv_free(turns);
	buf_format(&name, "%s/%s/%.0f", agent ? agent : "", jvx_text(scenario, "id"),
	    jvx_number(transcript, "trial", 1));
	ndjson_put(
	    jvx_set_text(jvx_set_text(jv_object(), "type", "trace"), "name", name.data), file);
	buf_text(&rule, jvx_text(scenario, "rubric"));
	ndjson_put(section_record("rubric", &rule), file);
	ndjson_put(section_record("transcript", &talk), file);
	if (fflush(file) != 0)
		err(TROUBLE, "temporary file");
	buf_free(&talk);
	buf_free(&rule);
	buf_free(&name);
	return file;
}

jv
rubric_failed(jv judgement, const char *why)
{
	judgement = jvx_set(judgement, "pass", jv_false());
	judgement = jvx_set(judgement, "score", jv_number(0));
	judgement = jvx_set_text(judgement, "error", why);
	judgement = jvx_set_text(judgement, "reason", "the judge could not judge");
	return judgement;
}

/* One line, whatever the model wrote. */
static jv
one_line(jv text)
{
	char *copy = prog_copy(jv_string_value(text), jvx_length(text));

	for (size_t i = 0, len = jvx_length(text); i < len; i++)
		if ((unsigned char)copy[i] < 0x20 || copy[i] == 0x7f)
			copy[i] = ' ';
	jv made = jv_string_sized(copy, (int)jvx_length(text));
	free(copy);
	jv_free(text);
	return made;
}

/* The schema was checked by llm-call; that pass and score agree is checked here. */
static jv
take_answer(jv judgement, jv answer)
{
	jv output = jvx_get(answer, "output"), because = jvx_get(output, "because");
	double score = jvx_number(output, "score", NAN);
	bool pass = jvx_true(output, "pass");

	judgement = jvx_set_text(judgement, "model", jvx_text(answer, "model"));
	judgement = jvx_set_text(judgement, "provenance", jvx_text(answer, "provenance"));
	if (jv_get_kind(because) != JV_KIND_STRING || !(score >= 0 && score <= 1)) {
		judgement = rubric_failed(judgement, "an answer without because and score");
		jv_free(because);
	} else if (pass != (score >= 0.5)) {
		judgement = rubric_failed(judgement, "pass and score contradict each other");
		jv_free(because);
	} else {
		judgement = jvx_set(judgement, "pass", pass ? jv_true() : jv_false());
		judgement = jvx_set(judgement, "score", jv_number(score));
		judgement = jvx_set(judgement, "reason", one_line(because));
	}
	jv_free(output);
	return judgement;
}

static jv
take_refusal(jv judgement, jv record)
{
	struct buf why = {0};
	const char *reason = jvx_text(record, "reason"), *message = jvx_text(record, "message");

	buf_format(&why, "%s: %s", reason ? reason : "unclassified", message ? message : "");
	judgement = rubric_failed(judgement, why.data);
	buf_free(&why);
	return judgement;
}

jv
rubric_verdict(jv judgement, const struct net_reply *r)
{
	const char *at = r->body.data, *end = at ? at + r->body.len : at;
	bool answered = false;

	while (at < end) {
		const char *eol = memchr(at, '\n', (size_t)(end - at));
		size_t len = (size_t)((eol ? eol : end) - at);
		jv record = jvx_parse(at, len, NULL);
		const char *type = jvx_text(record, "type");
		if (type != NULL && strcmp(type, "answer") == 0) {
			judgement = take_answer(judgement, record);
			answered = true;
		} else if (type != NULL && strcmp(type, "unclassified") == 0) {
			judgement = take_refusal(judgement, record);
			answered = true;
		} else if (type != NULL && strcmp(type, "span") == 0) {
			judgement =
			    jvx_set(judgement, "cost_usd", jvx_get(record, "rcakit.cost_usd"));
		}
		jv_free(record);
		at += len + 1;
	}
	if (r->fault != NET_FINE)
		return rubric_failed(judgement, r->why);
	return answered ? judgement : rubric_failed(judgement, "llm-call gave no answer");
}
