/* rca-score: answers beside their golden cases, five axes, 0 to 2 each. */
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "axes.h"
#include "confine.h"
#include "digest.h"
#include "judge.h"
#include "ndjson.h"
#include "prog.h"
#include "tell.h"

static const char help[] =
    "rca-score [-1g] [-p prompt [-c cassettes] [-j jobs] [-M mode] [-m provider:model]]\n"
    "                 golden [file ...] | -t [file ...]\n"
    "\n"
    "Reads the answers to golden cases, each with its evidence, and writes a score record for "
    "each:\n"
    "root cause, fix, evidence, wrong conclusions and method, 0 to 2 each, with the reasons.\n"
    "\n"
    "  -1  the plain rule: a wrong conclusion counts wherever its words stand\n"
    "  -g  exit 1 if a case failed or has no answer\n"
    "  -p prompt  what words do not settle is asked of a model, through llm-call, which gets\n"
    "             -c, -j, -M and -m; without it a person has to look (review)\n"
    "  -t  tell score records as lines for people, with a summary\n"
    "\n"
    "  trace-unpack golden/*/trace.zip | ... | llm-call -p prompts/rca.v1.md | rca-score golden";

static const char *const rubrics[] = {"five-axes.v1", "five-axes.v1-plain"};

/* From here on a person need not look, given that no axis is at 0. */
enum { PASS_TOTAL = 8, FAIL_TOTAL = 5, MAX_TOTAL = 2 * AXES };

/* A score whose marks wait for the judge, or behind one that does. */
struct held {
	jv score;
	struct axis axes[AXES];
	bool asked, marked; /* marked: it has axes at all */
	size_t question;
};

struct run {
	const char *folder;
	enum antipattern_rule rule;
	struct claims *claims;
	bool trouble, failed;
	jv labels;           /* all that came so far */
	jv cases;            /* {name: {value, sha256}}: those that answers came for */
	struct judge *judge; /* NULL: none */
	bool own;            /* it judges its own answers, which was said */
	struct held *held;
	size_t held_count;
	/* Of the segment. */
	struct evidence *evidence;
	jv answers, unclassified, spans;
	char *name; /* of its trace */
	bool open, passed;
};

/* The last component: golden/NAME/trace.zip is the trace golden/NAME. */
static const char *
case_name(const char *trace)
{
	const char *slash = strrchr(trace, '/');

	return slash != NULL ? slash + 1 : trace;
}

static void
answer_digest(jv answer, char hex[65])
{
	struct buf b = {0};
	size_t len;
	const char *text = jvx_bytes(answer, "text", &len);
	jv output = jvx_get(answer, "output");

	if (jv_get_kind(output) == JV_KIND_OBJECT)
		jvx_write(output, &b);
	else if (text != NULL)
		buf_add(&b, text, len);
	digest_sha256(b.data, b.len, hex);
	jv_free(output);
	buf_free(&b);
}

/* What every score says, of an answer or of the lack of one. */
static jv
begin_score(const struct run *run, const struct golden *g, const char *name, jv from)
{
	static const char *const same[] = {
	    "prompt", "prompt_sha256", "model", "provenance", "cassette", "usage"};
	jv score = jvx_set_text(jv_object(), "type", "score");

	score = jvx_set_text(score, "case", name);
	score = jvx_set_text(score, "case_sha256", g->sha256);
	score = jvx_set_text(score, "category", jvx_text(g->value, "category"));
	score = jvx_set_number(score, "epoch", jvx_number(from, "epoch", 0));
	score = jvx_set_number(score, "max", MAX_TOTAL);
	struct buf rubric = {0};
	buf_text(&rubric, rubrics[run->rule]);
	if (run->judge != NULL)
		buf_format(&rubric, " %s", judge_rubric(run->judge));
	score = jvx_set_text(score, "rubric", rubric.data);
	buf_free(&rubric);
	score = jvx_set_text(score, "judge", run->judge ? judge_name(run->judge) : "lexical");
	score = jvx_set_text(score, "schema", "score.v1");
	if (jvx_true(g->value, "must_pass"))
		score = jvx_set(score, "must_pass", jv_true());
	for (size_t i = 0; i < sizeof same / sizeof *same; i++)
		score = jvx_set(score, same[i], jvx_get(from, same[i]));
	return score;
}

/* Time and money are in the span of the epoch; a replayed answer has no time. */
static jv
add_span(const struct run *run, jv score)
{
	double epoch = jvx_number(score, "epoch", 0);
	const char *cassette = jvx_text(score, "cassette");
	bool replayed = cassette != NULL && strcmp(cassette, "hit") == 0;

	jv_array_foreach (run->spans, i, span) {
		jv attributes = jvx_get(span, "attributes");
		if (jvx_number(attributes, "rcakit.epoch", 0) == epoch) {
			if (!replayed)
				score = jvx_set(score, "duration_ms", jvx_get(span, "duration_ms"));
			score = jvx_set(score, "cost_usd", jvx_get(attributes, "rcakit.cost_usd"));
		}
		jv_free(attributes);
		jv_free(span);
	}
	return score;
}

static bool
is_label_of(jv label, jv score, const char *sha256)
{
	const char *name = jvx_text(label, "case"), *of = jvx_text(label, "answer_sha256");
	double mark = jvx_number(label, "score", -1);

	return name != NULL && strcmp(name, jvx_text(score, "case")) == 0 &&
	       jvx_number(label, "epoch", 0) == jvx_number(score, "epoch", 0) &&
	       (of == NULL || strcmp(of, sha256) == 0) && (mark == 0 || mark == 1 || mark == 2);
}

/* A person's word goes over the program's; the last word counts. */
static jv
apply_labels(const struct run *run, struct axis axes[AXES], jv score, const char *sha256)
{
	jv people = jv_object();

	jv_array_foreach (run->labels, i, label) {
		const char *axis = jvx_text(label, "axis"), *by = jvx_text(label, "by");
		for (int k = 0; axis != NULL && k < AXES; k++) {
			if (strcmp(axis, axis_names[k]) != 0 || !is_label_of(label, score, sha256))
				continue;
			axes[k].score = (int)jvx_number(label, "score", 0);
			axes[k].ask = false;
			people = jvx_set_text(people, axis, by != NULL ? by : "a person");
		}
		jv_free(label);
	}
	if (jv_object_length(jv_copy(people)) == 0) {
		jv_free(people);
		return score;
	}
	return jvx_set(score, "labelled", people);
}

static const char *
status_of(const struct axis axes[AXES])
{
	int total = 0;
	bool ask = false, zero = false;

	for (int i = 0; i < AXES; i++) {
		total += axes[i].score;
		ask = ask || axes[i].ask;
		zero = zero || axes[i].score == 0;
	}
	if ((axes[AXIS_CAUSE].score == 0 && !axes[AXIS_CAUSE].ask) ||
	    axes[AXIS_ANTIPATTERN].score == 0 || total < FAIL_TOTAL)
		return "fail";
	bool pass = !ask && !zero && axes[AXIS_CAUSE].score == 2 && total >= PASS_TOTAL;
	return pass ? "pass" : "review";
}

static jv
set_axes(jv score, const struct axis axes[AXES])
{
	jv marks = jv_object(), why = jv_object(), asks = jv_array();
	int total = 0;

	for (int i = 0; i < AXES; i++) {
		total += axes[i].score;
		marks = jvx_set_number(marks, axis_names[i], axes[i].score);
		why = jvx_set_text(why, axis_names[i], axes[i].why.data);
		if (axes[i].ask)
			asks = jv_array_append(asks, jv_string(axis_names[i]));
	}
	score = jvx_set(score, "axes", marks);
	score = jvx_set_number(score, "total", total);
	score = jvx_set(score, "why", why);
	if (jv_array_length(jv_copy(asks)) > 0)
		return jvx_set(score, "ask", asks);
	jv_free(asks);
	return score;
}

static void
put_score(struct run *run, jv score, struct axis axes[AXES])
{
	const char *status = status_of(axes);

	run->failed = run->failed || strcmp(status, "fail") == 0;
	ndjson_put(set_axes(jvx_set_text(score, "status", status), axes), stdout);
	axes_free(axes);
}

/* A judge that fails is no verdict, and never a pass. */
static void
put_unjudged(struct run *run, jv score, const char *why)
{
	struct buf b = {0};

	buf_format(&b, "the judge: %s", why);
	score = jvx_set_text(score, "status", "judge_error");
	score = jvx_set(score, "why", jvx_set_text(jv_object(), "status", b.data));
	buf_free(&b);
	run->failed = run->trouble = true;
	ndjson_put(score, stdout);
}

static struct held *
hold(struct run *run, jv score)
{
	run->held = prog_resize(run->held, run->held_count + 1, sizeof *run->held);
	struct held *h = &run->held[run->held_count++];
	*h = (struct held){.score = score};
	return h;
}

static void
put_held(struct run *run, struct held *h)
{
	if (!h->asked) {
		if (h->marked)
			put_score(run, h->score, h->axes);
		else
			ndjson_put(h->score, stdout);
		return;
	}
	struct verdict v = judge_verdict(run->judge, h->question);
	struct axis *cause = &h->axes[AXIS_CAUSE];
	if (v.score < 0) {
		jv_free(v.by);
		axes_free(h->axes);
		put_unjudged(run, h->score, v.why);
	} else {
		cause->score = v.score;
		cause->ask = false;
		buf_format(&cause->why, "; the judge: %s", v.why);
		put_score(run, jvx_set(h->score, "judged", v.by), h->axes);
	}
	free(v.why);
}

static void
put_all_held(struct run *run)
{
	if (run->judge == NULL)
		return;
	judge_finish(run->judge);
	for (size_t i = 0; i < run->held_count; i++)
		put_held(run, &run->held[i]);
	free(run->held);
	judge_free(run->judge);
}

static void
score_answer(struct run *run, const struct golden *g, const char *name, jv answer)
{
	struct axis axes[AXES];
	char sha256[65];
	struct method m = method_read(run->claims, run->evidence, answer);
	jv score = begin_score(run, g, name, answer);

	answer_digest(answer, sha256);
	score = add_span(run, jvx_set_text(score, "answer_sha256", sha256));
	axes_mark(axes, g, &m, run->rule);
	score = apply_labels(run, axes, score, sha256);
	bool ask = run->judge != NULL && axes[AXIS_CAUSE].ask;
	const char *model = jvx_text(answer, "model");
	if (ask && model != NULL && strcmp(model, judge_name(run->judge)) == 0 && !run->own) {
		warnx("the judge, %s, answered itself", model);
		run->own = true;
	}
	if (ask || run->held_count > 0) {
		struct held *h = hold(run, score);
		memcpy(h->axes, axes, sizeof axes);
		h->marked = true;
		h->asked = ask;
		h->question = ask ? judge_ask(run->judge, g, &m) : 0;
	} else {
		put_score(run, score, axes);
	}
	method_free(&m);
}

/* What the model did wrong is its own; what kept it from answering is not. */
static void
score_error(struct run *run, const struct golden *g, const char *name, jv from)
{
	static const char *const own[] = {"refusal", "truncated", "schema"};
	const char *reason = jvx_text(from, "reason"), *message = jvx_text(from, "message");
	const char *status = "infra_error";
	jv score = add_span(run, begin_score(run, g, name, from));
	struct buf why = {0};

	for (size_t i = 0; reason != NULL && i < sizeof own / sizeof *own; i++)
		if (strcmp(reason, own[i]) == 0)
			status = "error";
	buf_text(&why, reason != NULL ? reason : "no answer");
	if (message != NULL)
		buf_format(&why, ": %s", message);
	run->failed = true;
	score = jvx_set_text(score, "status", status);
	score = jvx_set(score, "why", jvx_set_text(jv_object(), "status", why.data));
	buf_free(&why);
	if (run->held_count > 0)
		hold(run, score);
	else
		ndjson_put(score, stdout);
}

static int
length(jv array)
{
	return jv_array_length(jv_copy(array));
}

/* A case is read once, however many answers there are to it. */
static bool
case_of(struct run *run, struct golden *g, const char *name)
{
	jv held = jvx_get(run->cases, name);
	const char *sha256 = jvx_text(held, "sha256");

	if (sha256 != NULL) {
		g->value = jvx_get(held, "value");
		memcpy(g->sha256, sha256, sizeof g->sha256);
		jv_free(held);
		return true;
	}
	jv_free(held);
	if (!golden_read(g, run->folder, name))
		return false;
	held = jvx_set(jv_object(), "value", jv_copy(g->value));
	run->cases =
	    jv_object_set(run->cases, jv_string(name), jvx_set_text(held, "sha256", g->sha256));
	return true;
}

static void
score_segment(struct run *run)
{
	int answers = length(run->answers), unclassified = length(run->unclassified);
	jv first = jv_array_get(jv_copy(answers > 0 ? run->answers : run->unclassified), 0);
	const char *trace = run->name != NULL ? run->name : jvx_text(first, "name");
	struct golden g;

	if (answers + unclassified == 0 && (!run->open || run->passed)) {
		jv_free(first);
		return;
	}
	const char *name = trace != NULL ? case_name(trace) : "";
	if (!case_of(run, &g, name)) {
		run->trouble = true;
		jv_free(first);
		return;
	}
	const char *category = jvx_text(g.value, "category");
	/* Nothing is to be explained where nothing failed. */
	if (category == NULL || strcmp(category, "passing") != 0) {
		jv_array_foreach (run->answers, i, answer) {
			score_answer(run, &g, name, answer);
			jv_free(answer);
		}
		jv_array_foreach (run->unclassified, i, from) {
			score_error(run, &g, name, from);
			jv_free(from);
		}
		if (answers + unclassified == 0)
			score_error(run, &g, name, first);
	}
	golden_free(&g);
	jv_free(first);
}

static void
begin_segment(struct run *run)
{
	run->evidence = evidence_new();
	run->answers = jv_array();
	run->unclassified = jv_array();
	run->spans = jv_array();
	run->name = NULL;
	run->open = run->passed = false;
}

static void
end_segment(struct run *run)
{
	score_segment(run);
	fflush(stdout); /* a live run is watched; what fails is seen at the end */
	evidence_free(run->evidence);
	jv_free(run->answers);
	jv_free(run->unclassified);
	jv_free(run->spans);
	free(run->name);
}

static void
read_record(struct run *run, struct ndjson *in)
{
	if (ndjson_is(in, "trace")) {
		end_segment(run);
		begin_segment(run);
		run->name = scan_copy(scan_member(ndjson_span(in), "name"));
		run->open = true;
	} else if (ndjson_is(in, "answer")) {
		run->answers = jv_array_append(run->answers, ndjson_value(in));
	} else if (ndjson_is(in, "unclassified")) {
		run->unclassified = jv_array_append(run->unclassified, ndjson_value(in));
	} else if (ndjson_is(in, "span")) {
		run->spans = jv_array_append(run->spans, ndjson_value(in));
	} else if (ndjson_is(in, "label")) {
		run->labels = jv_array_append(run->labels, ndjson_value(in));
	} else if (ndjson_is(in, "score")) {
		if (run->held_count > 0)
			hold(run, ndjson_value(in));
		else
			ndjson_pass(in, stdout);
	} else {
		if (ndjson_is(in, "test"))
			run->passed = scan_is(scan_member(ndjson_span(in), "status"), "passed");
		evidence_record(run->evidence, in);
	}
}

static int
tell(char *const files[])
{
	struct tell t = {0};

	confine(&(struct confine){.files = files});
	struct ndjson *in = ndjson_open(files);
	while (ndjson_next(in)) {
		if (!ndjson_is(in, "score"))
			continue;
		jv score = ndjson_value(in);
		tell_score(&t, score, stdout);
		jv_free(score);
	}
	bool bad = t.failed + t.errors > 0;
	tell_summary(&t, stdout);
	if (!ndjson_close(in, stdout))
		return TROUBLE;
	return bad ? NO : YES;
}

int
main(int argc, char *argv[])
{
	struct run run = {0};
	bool gate = false, lines = false;
	const char *prompt = NULL;
	char options[8][3], *arguments[17] = {NULL}; /* for llm-call */
	size_t passed = 0;
	int ch;

	prog_start(argc, argv, help);
	while ((ch = getopt(argc, argv, "1c:gj:M:m:p:t")) != -1) {
		switch (ch) {
		case '1': run.rule = RULE_PLAIN; break;
		case 'c':
		case 'j':
		case 'M':
		case 'm':
			if (passed + 2 >= sizeof arguments / sizeof *arguments)
				prog_usage();
			snprintf(options[passed / 2], sizeof options[0], "-%c", ch);
			arguments[passed] = options[passed / 2];
			arguments[passed + 1] = optarg;
			passed += 2;
			break;
		case 'g': gate = true; break;
		case 'p': prompt = optarg; break;
		case 't': lines = true; break;
		default: prog_usage();
		}
	}
	if (lines) {
		int answer = tell(argv + optind);
		return answer == NO && !gate ? YES : answer;
	}
	if (optind == argc || (passed > 0 && prompt == NULL))
		prog_usage();
	run.folder = argv[optind++];

	run.claims = claims_new();
	run.labels = jv_array();
	run.cases = jv_object();
	static const char *const spools[] = {P_tmpdir, NULL}; /* of tmpfile(3) */
	const char *const read[] = {run.folder, NULL};
	if (access(run.folder, R_OK) != 0)
		err(TROUBLE, "%s", run.folder);
	if (prompt != NULL)
		run.judge = judge_start(prompt, arguments);
	confine(&(struct confine){.files = argv + optind, .read = read, .write = spools});
	begin_segment(&run);
	struct ndjson *in = ndjson_open(argv + optind);
	while (ndjson_next(in))
		read_record(&run, in);
	end_segment(&run);
	put_all_held(&run);
	jv_free(run.labels);
	jv_free(run.cases);
	claims_free(run.claims);
	if (!ndjson_close(in, stdout) || run.trouble)
		return TROUBLE;
	return gate && run.failed ? NO : YES;
}
