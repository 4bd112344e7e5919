/* agent-judge: whether each transcript is what its scenario wants, by rules, then by a rubric. */
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assertion.h"
#include "ndjson.h"
#include "prog.h"
#include "rubric.h"
#include "scenario.h"
#include "utf8.h"

enum { REASON = 500, JUDGE_MS = 900000 };

/* Lines that wait for the judgement before them. */
struct item {
	struct item *next;
	struct buf before, after;
	jv judgement;
	bool judged;
};

struct judge {
	jv scenarios;                  /* records by id */
	struct assertions *assertions; /* of the scenario named last */
	char *named;
	struct net *net;
	char **command; /* of llm-call */
	struct item *first, *last;
	int jobs, asked;
	bool table;
	long passed, failed;
};

/* Verdicts. */

static jv
judgement_of(jv transcript)
{
	static const char *const names[] = {"scenario", "agent", "trial"};
	jv j = jvx_set_text(jv_object(), "type", "judgement");

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		j = jvx_set(j, names[i], jvx_get(transcript, names[i]));
	return jvx_set_text(j, "judge", "none");
}

/* What did not hold, in one line. */
static jv
reasons(jv checks)
{
	struct buf b = {0};

	for (int i = 0; i < jv_array_length(jv_copy(checks)); i++) {
		jv check = jv_array_get(jv_copy(checks), i);
		const char *reason = jvx_text(check, "reason");
		if (reason != NULL)
			buf_format(&b, "%s%s", b.len > 0 ? "; " : "", reason);
		jv_free(check);
	}
	size_t cut = b.len > REASON ? utf8_floor(b.data, b.len, REASON) : b.len;
	jv made = jv_string_sized(b.data ? b.data : "", (int)cut);
	buf_free(&b);
	return made;
}

static int
count_ok(jv checks)
{
	int ok = 0;

	for (int i = 0; i < jv_array_length(jv_copy(checks)); i++) {
		jv check = jv_array_get(jv_copy(checks), i);
		ok += jvx_true(check, "ok");
		jv_free(check);
	}
	return ok;
}

static jv
set_checks(jv j, jv checks)
{
	int ok = count_ok(checks), count = jv_array_length(jv_copy(checks));
	struct buf all = {0};

	j = jvx_set(j, "pass", ok == count ? jv_true() : jv_false());
	j = jvx_set(j, "score", jv_number(count > 0 ? (double)ok / count : 1));
	buf_format(&all, "%d of %d assertions hold", ok, count);
	j = jvx_set(j, "reason", ok < count ? reasons(checks) : jv_string(all.data));
	buf_free(&all);
	return jvx_set(j, "checks", checks);
}

/* The scenario with that id, its assertions ready; invalid: there is none, or not a good one. */
static jv
scenario_of(struct judge *g, jv transcript, const char **why)
{
	const char *id = jvx_text(transcript, "scenario");
	jv scenario = id ? jvx_get(g->scenarios, id) : jv_invalid();
	char reason[200];

	*why = "no scenario with that id came before it";
	if (!jv_is_valid(scenario) || (g->named != NULL && strcmp(g->named, id) == 0))
		return scenario;
	*why = "its scenario is none";
	assertions_free(g->assertions);
	free(g->named);
	g->named = NULL;
	g->assertions = scenario_check(scenario, reason, sizeof reason)
			    ? assertions_new(scenario, reason, sizeof reason)
			    : NULL;
	if (g->assertions == NULL) {
		jv_free(scenario);
		return jv_invalid();
	}
	g->named = prog_copy(id, strlen(id));
	return scenario;
}

/* Output, in the order of the input. */

static void
put(const struct buf *b)
{
	if (b->len > 0 && fwrite(b->data, 1, b->len, stdout) != b->len)
		err(TROUBLE, "write");
}

static void
put_row(jv j)
{
	const char *scenario = jvx_text(j, "scenario"), *reason = jvx_text(j, "reason");
	char *id = prog_clean(scenario ? scenario : "?", strlen(scenario ? scenario : "?"));
	char *why = prog_clean(reason ? reason : "", strlen(reason ? reason : ""));

	if (printf("%s  %-30s %3.0f  %s\n", jvx_true(j, "pass") ? "pass" : "FAIL", id,
		jvx_number(j, "trial", 1), why) < 0)
		err(TROUBLE, "write");
	free(id);
	free(why);
}

static void
put_judgement(struct judge *g, jv j)
{
	if (jvx_true(j, "pass"))
		g->passed++;
	else
		g->failed++;
	if (!g->table) {
		ndjson_put(j, stdout);
		return;
	}
	put_row(j);
	jv_free(j);
}

static void
write_heads(struct judge *g)
{
	while (g->first != NULL && g->first->judged) {
		struct item *it = g->first;
		put(&it->before);
		put_judgement(g, it->judgement);
		put(&it->after);
		if (fflush(stdout) != 0)
			err(TROUBLE, "write");
		g->first = it->next;
		if (g->first == NULL)
			g->last = NULL;
		buf_free(&it->before);
		buf_free(&it->after);
		free(it);
	}
}

/* A record goes out at once, or behind the judgement that is waited for. */
static void
pass_on(struct judge *g, struct ndjson *in)
{
	struct span record = ndjson_span(in);

	if (g->table)
		return;
	if (g->last == NULL) {
		ndjson_pass(in, stdout);
		return;
	}
	buf_add(&g->last->after, record.at, record.len);
	buf_byte(&g->last->after, '\n');
}

static struct item *
item_new(struct judge *g, jv judgement)
{
	struct item *it = prog_alloc(1, sizeof *it);

	it->judgement = judgement;
	if (g->last != NULL)
		g->last->next = it;
	else
		g->first = it;
	g->last = it;
	return it;
}

/* Wait until no more than so many questions are under way. */
static void
wait_for(struct judge *g, int most)
{
	struct net_reply *r;

	while (g->asked > most && !prog_stopped && (r = net_wait(g->net)) != NULL) {
		struct item *it = r->tag;
		it->judgement = rubric_verdict(it->judgement, r);
		it->judged = true;
		g->asked--;
		net_reply_free(r);
		write_heads(g);
	}
}

static void
ask(struct judge *g, jv scenario, jv transcript, jv judgement)
{
	FILE *question = rubric_question(scenario, transcript);

	wait_for(g, g->jobs - 1);
	struct item *it = item_new(g, jvx_set_text(judgement, "judge", "rubric"));
	net_program(g->net, g->command, fileno(question), JUDGE_MS, it);
	g->asked++;
	fclose(question);
}

static void
judge(struct judge *g, struct ndjson *in)
{
	jv transcript = ndjson_value(in), j = judgement_of(transcript);
	const char *why;
	jv scenario = scenario_of(g, transcript, &why);

	pass_on(g, in);
	if (!jv_is_valid(scenario)) {
		ndjson_complain(in, why);
		j = rubric_failed(j, why);
	} else {
		j = set_checks(j, assertions_check(g->assertions, transcript));
	}
	if (jvx_text(scenario, "rubric") != NULL && jvx_true(j, "pass")) {
		ask(g, scenario, transcript, j);
	} else if (g->last == NULL) {
		put_judgement(g, j);
	} else {
		item_new(g, j)->judged = true;
		write_heads(g);
	}
	jv_free(scenario);
	jv_free(transcript);
}

static void
remember(struct judge *g, struct ndjson *in)
{
	jv scenario = ndjson_value(in);
	const char *id = jvx_text(scenario, "id");

	if (id != NULL) {
		g->scenarios = jv_object_set(g->scenarios, jv_string(id), jv_copy(scenario));
		if (g->named != NULL && strcmp(g->named, id) == 0) {
			free(g->named); /* it may have changed */
			g->named = NULL;
		}
	}
	jv_free(scenario);
	pass_on(g, in);
}

static void
judge_free(struct judge *g)
{
	net_free(g->net);
	assertions_free(g->assertions);
	jv_free(g->scenarios);
	free(g->named);
	for (size_t i = 0; g->command[i] != NULL; i++)
		free(g->command[i]);
	free(g->command);
}

static const char help[] =
    "agent-judge [-gt] [-B tokens] [-C dollars] [-c folder] [-j jobs] [-l ledger]\n"
    "                   [-M mode] [-m model] [-p prompt] [file ...]\n"
    "\n"
    "Holds each transcript record against the scenario record before it, and writes a judgement\n"
    "record behind it.  Assertions are checked by rules.  A rubric is judged by a model, through\n"
    "llm-call, and only where all assertions hold; a judge that fails is a verdict that fails.\n"
    "\n"
    "  -g          exit 1 if a trial did not pass   -t   a table for people in place of records\n"
    "  -p prompt   how rubrics are judged           -j   so many rubrics at once\n"
    "  -B -C -c -l -M -m   as in llm-call\n"
    "\n"
    "  $ agent-run -a bot -S | agent-judge -gt";

static void
add(char ***list, size_t *count, char *item)
{
	*list = prog_resize(*list, *count + 2, sizeof **list);
	(*list)[(*count)++] = item;
	(*list)[*count] = NULL;
}

int
main(int argc, char *argv[])
{
	struct judge g = {.scenarios = jv_object(), .jobs = 1};
	const char *prompt = "prompts/judge.agent.v1.md";
	char **options = NULL;
	size_t count = 0;
	bool gate = false;
	int ch;

	prog_start(argc, argv, help);
	add(&options, &count, NULL);
	count = 0;
	while ((ch = getopt(argc, argv, "B:C:c:gj:l:M:m:p:t")) != -1) {
		char option[] = {'-', (char)ch, '\0'};
		switch (ch) {
		case 'B':
		case 'C':
		case 'c':
		case 'l':
		case 'M':
		case 'm':
			add(&options, &count, prog_copy(option, 2));
			add(&options, &count, prog_copy(optarg, strlen(optarg)));
			break;
		case 'g': gate = true; break;
		case 'j': g.jobs = (int)prog_number(ch, optarg, 1, 64); break;
		case 'p': prompt = optarg; break;
		case 't': g.table = true; break;
		default: prog_usage();
		}
	}
	g.command = rubric_command(prompt, options);
	free(options);
	g.net = net_new(NULL);
	prog_catch_signals();

	struct ndjson *in = ndjson_open(argv + optind);
	while (!prog_stopped && ndjson_next(in)) {
		if (ndjson_is(in, "scenario"))
			remember(&g, in);
		else if (ndjson_is(in, "transcript"))
			judge(&g, in);
		else
			pass_on(&g, in);
	}
	wait_for(&g, 0);
	if (g.table && !prog_stopped)
		printf("%ld passed, %ld failed\n", g.passed, g.failed);
	bool good = ndjson_close(in, stdout);
	judge_free(&g);
	if (prog_stopped)
		prog_die_of_signal();
	if (!good)
		return TROUBLE;
	return gate && g.failed > 0 ? NO : YES;
}
