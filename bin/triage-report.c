/*
 * triage-report: what a person reads of a red build: which failures are whose, and how sure that
 * is.
 *
 * The report is pieces in their order.  Where all of them are more than fits, whole pieces go from
 * the end; the head, the notices and the foot always stay, and say how many went.
 */
#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis.h"
#include "confine.h"
#include "md.h"
#include "ndjson.h"
#include "prog.h"
#include "utf8.h"

enum { MOST = 65536, NOTE = 120, CELL = 160, CUT = 1500 };

struct piece {
	struct buf text;
	bool fixed;
};

struct report {
	struct piece *pieces;
	size_t count, size;
	jv header, summary, measured;
	size_t ambiguous; /* traces that fit two tests */
	jv *analyses, *verdicts;
	size_t analysis_count, verdict_count;
	jv by_test; /* {test_id: index of its analysis} */
};

static void
add(struct report *r, struct md *m, bool fixed)
{
	if (r->count == r->size) {
		r->size = r->size ? r->size * 2 : 64;
		r->pieces = prog_resize(r->pieces, r->size, sizeof *r->pieces);
	}
	r->pieces[r->count++] = (struct piece){m->b, fixed};
	m->b = (struct buf){0};
}

static const char *
text_or(jv rec, const char *member, const char *otherwise)
{
	const char *text = jvx_text(rec, member);

	return text != NULL ? text : otherwise;
}

static bool
is(jv rec, const char *member, const char *text)
{
	return strcmp(text_or(rec, member, ""), text) == 0;
}

static jv
analysis_of(const struct report *r, jv verdict)
{
	double i = jvx_number(r->by_test, text_or(verdict, "test_id", ""), -1);

	return i < 0 ? jv_invalid() : r->analyses[(size_t)i];
}

/* A stranger's text, cut to what a line may hold. */
static void
say(struct md *m, const char *text, size_t most)
{
	struct md cut = {0};

	md_line(&cut, text, most);
	md_text(m, cut.b.data ? cut.b.data : "");
	buf_free(&cut.b);
}

/* The same in a cell: a bar would end it, even inside code. */
static void
say_cell(struct md *m, const char *text)
{
	struct md cell = {0};

	say(&cell, text, CELL);
	for (size_t i = 0; i < cell.b.len; i++) {
		if (cell.b.data[i] == '|' && (i == 0 || cell.b.data[i - 1] != '\\'))
			buf_byte(&m->b, '\\');
		buf_byte(&m->b, cell.b.data[i]);
	}
	buf_free(&cell.b);
}

/* The words after the file: "cart › pays", as the reporters of Playwright join them. */
static void
test_title(jv analysis, jv verdict, struct buf *b)
{
	jv path = jvx_get(analysis, "title_path");

	if (jv_get_kind(path) == JV_KIND_ARRAY) {
		jv_array_foreach (path, i, part) {
			buf_text(b, i > 0 ? " \xe2\x80\xba " : "");
			if (jv_get_kind(part) == JV_KIND_STRING)
				buf_text(b, jv_string_value(part));
			jv_free(part);
		}
	}
	jv_free(path);
	if (b->len == 0)
		buf_text(b, text_or(verdict, "test_id", "a test without a name"));
}

static double
group_size(jv rec)
{
	jv group = jvx_get(rec, "group");
	double n = jvx_number(group, "size", 1);

	jv_free(group);
	return n;
}

static void
say_counts(struct md *m, jv summary)
{
	jv reasons = jvx_get(summary, "reasons");
	bool first = true;

	md_own(m, "Classified %.0f of %.0f.", jvx_number(summary, "classified", 0),
	    jvx_number(summary, "selected", 0));
	if (jvx_number(summary, "unclassified", 0) > 0) {
		md_own(m, " Not classified: %.0f (", jvx_number(summary, "unclassified", 0));
		jv keys = jv_is_valid(reasons) ? jv_keys(jv_copy(reasons)) : jv_array();
		jv_array_foreach (keys, i, key) {
			md_own(m, first ? "" : ", ");
			first = false;
			md_text(m, jv_string_value(key));
			md_own(m, " %.0f", jvx_number(reasons, jv_string_value(key), 0));
			jv_free(key);
		}
		jv_free(keys);
		md_own(m, ").");
	}
	md_own(m, "\n\n");
	jv_free(reasons);
}

static const char *const owners[] = {
    "app_code", "test_code", "environment", "data", "unknown", NULL};
static const char *const behaviours[] = {"deterministic", "intermittent", "unknown", NULL};

static size_t
quadrant(const struct report *r, const char *owner, const char *behaviour)
{
	size_t n = 0;

	for (size_t i = 0; i < r->verdict_count; i++)
		n += is(r->verdicts[i], "owner", owner) &&
		     is(r->verdicts[i], "behaviour", behaviour);
	return n;
}

static void
say_quadrants(struct report *r, struct md *m)
{
	md_own(m, "| whose | deterministic | intermittent | unknown |\n|---|--:|--:|--:|\n");
	for (size_t o = 0; owners[o] != NULL; o++) {
		size_t all = 0;
		for (size_t b = 0; behaviours[b] != NULL; b++)
			all += quadrant(r, owners[o], behaviours[b]);
		if (all == 0 && o > 2)
			continue;
		md_own(m, "| %s |", owners[o]);
		for (size_t b = 0; behaviours[b] != NULL; b++)
			md_own(m, " %zu |", quadrant(r, owners[o], behaviours[b]));
		md_own(m, "\n");
	}
	md_own(m, "\n");
}

/* A paragraph of the quote that begins at start. */
static void
notice(struct md *m, size_t start, const char *own)
{
	md_own(m, m->b.len > start ? ">\n> %s\n" : "> %s\n", own);
}

static bool
has_reason(jv summary, const char *reason)
{
	jv reasons = jvx_get(summary, "reasons");
	bool yes = jvx_number(reasons, reason, 0) > 0;

	jv_free(reasons);
	return yes;
}

static void
say_notices(struct report *r, struct md *m)
{
	jv history = jvx_get(r->header, "history");
	size_t before = m->b.len;

	if (is(r->summary, "mode", "rules"))
		notice(m, before, "Rules only: no model was asked.");
	if (jvx_true(r->header, "fork"))
		notice(m, before, "A fork: no key is used on code of strangers.");
	if (is(history, "state", "missing"))
		notice(
		    m, before, "No history: what is new and what was flaky before is not known.");
	if (is(history, "state", "unreadable"))
		notice(m, before,
		    "The history could not be read: what was flaky before is not known.");
	if (has_reason(r->summary, "budget"))
		notice(m, before, "The budget ran out before all were asked about.");
	if (has_reason(r->summary, "replay-miss"))
		notice(m, before, "Some answers were never recorded.");
	if (r->ambiguous > 0)
		notice(m, before, "Some traces fit two tests, and were taken for neither.");
	if (m->b.len > before)
		buf_byte(&m->b, '\n');
	jv_free(history);
}

static void
say_head(struct report *r)
{
	struct md m = {0};
	const char *branch = jvx_text(r->header, "branch"), *commit = jvx_text(r->header, "commit");
	size_t flaky = 0;

	md_own(&m, "<!-- rcakit triage -->\n");
	md_heading(&m, 1, "Triage of failed tests");
	md_own(&m, "%.0f failing", jvx_number(r->header, "failing", 0));
	for (size_t i = 0; i < r->analysis_count; i++)
		flaky += is(r->analyses[i], "outcome", "flaky");
	if (flaky > 0)
		md_own(&m, ", %zu flaky", flaky);
	md_own(&m, ", %.0f newly flaky", jvx_number(r->header, "newly_flaky", 0));
	if (!isnan(jvx_number(r->header, "tests_total", NAN)))
		md_own(&m, " of %.0f tests", jvx_number(r->header, "tests_total", 0));
	if (branch != NULL) {
		md_own(&m, " on ");
		say(&m, branch, 100);
	}
	if (commit != NULL) {
		md_own(&m, " at ");
		char *abbreviated = prog_copy(commit, strnlen(commit, 10));
		say(&m, abbreviated, 10);
		free(abbreviated);
	}
	md_own(&m, ". ");
	say_counts(&m, r->summary);
	say_quadrants(r, &m);
	say_notices(r, &m);
	add(r, &m, true);
}

/* "9/72 = 12.5 % [6.7, 22.1]", or nothing where there is no rate. */
static void
say_rate(struct md *m, jv analysis)
{
	jv flake = jvx_get(analysis, "flake");
	double rate = jvx_number(flake, "rate", NAN);

	if (!isnan(rate))
		md_own(m, "%.0f/%.0f = %.1f %% [%.1f, %.1f]", jvx_number(flake, "k", 0),
		    jvx_number(flake, "n", 0), rate * 100, jvx_number(flake, "lo", 0) * 100,
		    jvx_number(flake, "hi", 1) * 100);
	jv_free(flake);
}

static void
say_verdict(struct md *m, jv verdict)
{
	if (jvx_text(verdict, "owner") == NULL) {
		md_own(m, "not classified");
		return;
	}
	say_cell(m, text_or(verdict, "owner", ""));
	md_own(m, ", ");
	say_cell(m, text_or(verdict, "behaviour", "unknown"));
}

static void
say_why(struct md *m, jv verdict)
{
	jv rules = jvx_get(verdict, "rules");

	if (jvx_text(verdict, "reason") != NULL) {
		say_cell(m, jvx_text(verdict, "reason"));
	} else if (jvx_text(verdict, "reasoning") != NULL) {
		say_cell(m, jvx_text(verdict, "reasoning"));
	} else if (jv_get_kind(rules) == JV_KIND_ARRAY) {
		jv_array_foreach (rules, i, rule) {
			md_own(m, i > 0 ? ", " : "");
			if (jv_get_kind(rule) == JV_KIND_STRING)
				say_cell(m, jv_string_value(rule));
			jv_free(rule);
		}
	}
	jv_free(rules);
}

static void
say_row(struct report *r, jv verdict)
{
	struct md m = {0};
	jv analysis = analysis_of(r, verdict);
	struct buf title = {0};
	double same = group_size(verdict);

	test_title(analysis, verdict, &title);
	md_own(&m, "| ");
	say_cell(&m, title.data);
	if (same > 1)
		md_own(&m, " (one of %.0f with this cause)", same);
	md_own(&m, " | ");
	say_cell(&m, text_or(analysis, "project", ""));
	md_own(&m, " | ");
	jv history = jvx_get(analysis, "history");
	say_cell(&m, text_or(history, "runs", ""));
	jv_free(history);
	md_own(&m, " | ");
	say_rate(&m, analysis);
	md_own(&m, " | ");
	say_verdict(&m, verdict);
	md_own(&m, " | ");
	if (!isnan(jvx_number(verdict, "confidence", NAN)))
		md_own(&m, "%.2f", jvx_number(verdict, "confidence", 0));
	md_own(&m, " | ");
	say_why(&m, verdict);
	md_own(&m, " |\n");
	add(r, &m, false);
	buf_free(&title);
}

static void
say_table(struct report *r)
{
	struct md m = {0};

	md_heading(&m, 2, "Tests");
	md_own(&m, "| test | project | history | flake rate | verdict | confidence | why |\n"
		   "|---|---|---|---|---|--:|---|\n");
	add(r, &m, true);
	for (size_t i = 0; i < r->verdict_count; i++)
		say_row(r, r->verdicts[i]);
	md_own(&m, "\n");
	add(r, &m, true);
}

static void
say_member(struct md *m, const char *own, jv rec, const char *member)
{
	const char *text = jvx_text(rec, member);

	if (text == NULL)
		return;
	md_own(m, "%s", own);
	say(m, text, 800);
	md_own(m, "\n\n");
}

/* A list of strings, each an item. */
static void
say_list(struct md *m, const char *own, jv rec, const char *member)
{
	jv list = jvx_get(rec, member);

	if (jv_get_kind(list) == JV_KIND_ARRAY && jv_array_length(jv_copy(list)) > 0) {
		md_own(m, "%s\n\n", own);
		jv_array_foreach (list, i, item) {
			md_own(m, "- ");
			if (jv_get_kind(item) == JV_KIND_STRING)
				say(m, jv_string_value(item), 400);
			md_own(m, "\n");
			jv_free(item);
		}
		md_own(m, "\n");
	}
	jv_free(list);
}

static void
say_evidence(struct md *m, jv verdict)
{
	jv list = jvx_get(verdict, "evidence");

	if (jv_get_kind(list) == JV_KIND_ARRAY && jv_array_length(jv_copy(list)) > 0) {
		jv_array_foreach (list, i, item) {
			md_own(m, "- ");
			say(m, text_or(item, "field", "?"), 60);
			md_own(m, ": ");
			md_code(m, text_or(item, "quote", ""));
			if (!jvx_true(item, "ok"))
				md_own(m, " **(not in what was shown)**");
			md_own(m, "\n");
			jv_free(item);
		}
		md_own(m, "\n");
	}
	jv_free(list);
}

static void
say_cause(struct md *m, jv verdict)
{
	jv cause = jvx_get(verdict, "root_cause"), fix = jvx_get(verdict, "fix");
	const char *patch = jvx_text(fix, "patch");

	say_member(m, "Hypothesis: ", cause, "hypothesis");
	say_member(m, "Or else: ", cause, "alternativeHypothesis");
	say_list(m, "Files:", cause, "files");
	say_list(m, "Files it named that do not exist:", cause, "dropped_files");
	say_member(m, "Fix: ", fix, "summary");
	say_member(m, "How: ", fix, "approach");
	if (patch != NULL) {
		md_own(m, "A patch, which nothing applies:\n\n");
		md_diff(m, patch);
	}
	say_list(m, "Risks:", fix, "risks");
	say_member(m, "Test gap: ", fix, "testGap");
	jv_free(cause);
	jv_free(fix);
}

/* The trace that was shown for the group: of the first of its tests that has one. */
static void
say_trace(const struct report *r, struct md *m, const char *group)
{
	bool found = false;

	for (size_t i = 0; i < r->analysis_count && !found; i++) {
		const char *of = analysis_group(r->analyses[i]);
		jv trace = jvx_get(r->analyses[i], "trace");
		const char *name = jvx_text(trace, "name");
		found = name != NULL && of != NULL && strcmp(of, group) == 0;
		if (found) {
			md_own(m, "Trace: ");
			md_code(m, name);
			md_own(m, "\n\n");
		}
		jv_free(trace);
	}
}

/* One group: its first verdict speaks for it. */
static void
say_group(struct report *r, jv verdict, bool open)
{
	struct md m = {0};
	jv analysis = analysis_of(r, verdict), error = jvx_get(analysis, "error");
	struct buf title = {0};

	test_title(analysis, verdict, &title);
	if (open) {
		md_own(&m, "### ");
		say(&m, title.data, 200);
		md_own(&m, "\n\n");
	} else {
		md_own(&m, "<details><summary>%s, %s</summary>\n\n",
		    is(verdict, "owner", "test_code")     ? "test_code"
		    : is(verdict, "owner", "environment") ? "environment"
		    : is(verdict, "owner", "data")        ? "data"
							  : "not classified",
		    is(verdict, "behaviour", "intermittent")    ? "intermittent"
		    : is(verdict, "behaviour", "deterministic") ? "deterministic"
								: "behaviour unknown");
		say(&m, title.data, 200);
		md_own(&m, "\n\n");
	}
	if (jvx_text(error, "message") != NULL) {
		const char *message = jvx_text(error, "message");
		size_t len = strlen(message);
		md_block(&m, "error", message, len > CUT ? utf8_floor(message, len, CUT) : len, "");
	}
	say_evidence(&m, verdict);
	say_trace(r, &m, analysis_group(verdict));
	say_cause(&m, verdict);
	if (!open)
		md_own(&m, "</details>\n\n");
	add(r, &m, false);
	buf_free(&title);
	jv_free(error);
}

static void
say_groups(struct report *r, bool open)
{
	struct md m = {0};
	jv told = jv_object();
	bool any = false;

	for (size_t i = 0; i < r->verdict_count; i++) {
		jv v = r->verdicts[i];
		const char *group = analysis_group(v);
		if (is(v, "owner", "app_code") != open || group == NULL || jvx_true(told, group))
			continue;
		told = jv_object_set(told, jv_string(group), jv_true());
		if (!any) {
			md_heading(&m, 2, open ? "In the product" : "Elsewhere");
			add(r, &m, false);
		}
		any = true;
		say_group(r, v, open);
	}
	jv_free(told);
}

static void
say_flaky(struct report *r)
{
	static const struct {
		const char *state, *heading;
	} kinds[] = {{"newly_flaky", "Newly flaky"}, {"known_flaky", "Flaky for longer"}};

	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		struct md m = {0};
		for (size_t i = 0; i < r->analysis_count; i++) {
			jv flake = jvx_get(r->analyses[i], "flake");
			if (is(flake, "state", kinds[k].state)) {
				struct buf title = {0};
				if (m.b.len == 0)
					md_heading(&m, 2, kinds[k].heading);
				test_title(r->analyses[i], r->analyses[i], &title);
				md_own(&m, "- ");
				say(&m, title.data, 200);
				md_own(&m, ": ");
				say_rate(&m, r->analyses[i]);
				md_own(&m, "\n");
				buf_free(&title);
			}
			jv_free(flake);
		}
		if (m.b.len > 0) {
			md_own(&m, "\n");
			add(r, &m, false);
		}
	}
}

static void
say_foot(struct report *r)
{
	struct md m = {0};
	jv prompts = jvx_get(r->summary, "prompts");

	md_own(&m, "---\n\n");
	if (is(r->summary, "mode", "rules")) {
		md_own(&m, "By the rules of test-analyse; no tokens, no cost.");
	} else {
		jv keys = jv_is_valid(prompts) ? jv_keys(jv_copy(prompts)) : jv_array();
		jv_array_foreach (keys, i, key) {
			say(&m, jv_string_value(key), 60);
			md_own(&m, " by ");
			say(&m, text_or(prompts, jv_string_value(key), "a model that is not named"),
			    100);
			md_own(&m, "; ");
			jv_free(key);
		}
		jv_free(keys);
		md_own(&m, "%.0f calls, %.0f tokens in, %.0f out. ",
		    jvx_number(r->summary, "calls", 0), jvx_number(r->summary, "input_tokens", 0),
		    jvx_number(r->summary, "output_tokens", 0));
		md_own(&m, "Quotes not found in what was shown: %.0f of %.0f.",
		    jvx_number(r->summary, "quotes_unmatched", 0),
		    jvx_number(r->summary, "quotes", 0));
	}
	jv traces = jvx_get(r->header, "traces");
	if (jv_is_valid(traces))
		md_own(&m, " With traces of %.0f of the %.0f tests.", jvx_number(traces, "used", 0),
		    jvx_number(r->header, "selected", 0));
	jv_free(traces);
	double right = jvx_number(r->measured, "value", NAN);
	if (!isnan(right)) {
		md_own(&m, " Measured accuracy");
		if (jvx_text(r->measured, "slice") != NULL) {
			md_own(&m, ", ");
			say(&m, jvx_text(r->measured, "slice"), 20);
		}
		md_own(&m, ": %.1f %% [%.1f, %.1f], n = %.0f.\n", right * 100,
		    jvx_number(r->measured, "lo", 0) * 100, jvx_number(r->measured, "hi", 1) * 100,
		    jvx_number(r->measured, "n", 0));
	} else {
		md_own(&m, " Accuracy: not scored.\n");
	}
	add(r, &m, true);
	jv_free(prompts);
}

static void
write_report(const struct report *r)
{
	size_t total = 0, left_out = 0;
	struct buf note = {0};

	for (size_t i = 0; i < r->count; i++)
		total += r->pieces[i].text.len;
	for (size_t i = r->count; i-- > 0 && total > MOST - (left_out > 0 ? NOTE : 0);) {
		if (r->pieces[i].fixed)
			continue;
		total -= r->pieces[i].text.len;
		r->pieces[i].text.len = 0;
		left_out++;
	}
	if (left_out > 0)
		buf_format(
		    &note, "Left out, to stay within 65,536 bytes: %zu parts.\n\n", left_out);
	for (size_t i = 0; i < r->count; i++) {
		if (i + 1 == r->count && note.len > 0)
			fwrite(note.data, 1, note.len, stdout);
		if (r->pieces[i].text.len > 0)
			fwrite(r->pieces[i].text.data, 1, r->pieces[i].text.len, stdout);
	}
	buf_free(&note);
	if (fflush(stdout) != 0 || ferror(stdout))
		err(TROUBLE, "write");
}

static void
keep(jv **list, size_t *count, jv v)
{
	if ((*count & (*count - 1)) == 0)
		*list = prog_resize(*list, *count ? *count * 2 : 1, sizeof **list);
	(*list)[(*count)++] = v;
}

static void
replace(jv *held, jv v)
{
	jv_free(*held);
	*held = v;
}

/* Of all that triage-eval measured the foot has one number: both axes right, on the held-out cases.
 */
static void
take_metric(struct report *r, jv metric)
{
	if (is(metric, "metric", "right") && is(metric, "of", "owner and behaviour") &&
	    is(metric, "slice", "held-out"))
		replace(&r->measured, metric);
	else
		jv_free(metric);
}

static void
take(struct report *r, struct ndjson *in)
{
	if (ndjson_is(in, "analysis_header")) {
		replace(&r->header, ndjson_value(in));
	} else if (ndjson_is(in, "triage_summary")) {
		replace(&r->summary, ndjson_value(in));
	} else if (ndjson_is(in, "metric")) {
		take_metric(r, ndjson_value(in));
	} else if (ndjson_is(in, "analysis")) {
		jv a = ndjson_value(in);
		r->by_test = jvx_set_number(
		    r->by_test, text_or(a, "test_id", "?"), (double)r->analysis_count);
		keep(&r->analyses, &r->analysis_count, a);
	} else if (ndjson_is(in, "warning")) {
		jv warning = ndjson_value(in);
		r->ambiguous += is(warning, "code", "ambiguous-trace");
		jv_free(warning);
	} else if (ndjson_is(in, "triage")) {
		keep(&r->verdicts, &r->verdict_count, ndjson_value(in));
	}
}

static void
report_free(struct report *r)
{
	for (size_t i = 0; i < r->count; i++)
		buf_free(&r->pieces[i].text);
	for (size_t i = 0; i < r->analysis_count; i++)
		jv_free(r->analyses[i]);
	for (size_t i = 0; i < r->verdict_count; i++)
		jv_free(r->verdicts[i]);
	free(r->pieces);
	free(r->analyses);
	free(r->verdicts);
	jv_free(r->header);
	jv_free(r->summary);
	jv_free(r->measured);
	jv_free(r->by_test);
}

int
main(int argc, char *argv[])
{
	struct report r = {.header = jv_invalid(),
	    .summary = jv_invalid(),
	    .measured = jv_invalid(),
	    .by_test = jv_object()};

	prog_start(argc, argv,
	    "triage-report [file ...]\n"
	    "\n"
	    "Write what a person reads of a red build from the records of triage-verdict: which\n"
	    "failures are the product's, the test's or the environment's, with the evidence, in\n"
	    "Markdown that is safe to render and fits a pull request's comment.\n"
	    "Nothing failed, nothing is written.\n"
	    "\n"
	    "  test-analyse a.ndjson | triage-verdict -r | triage-report >report.md");
	if (getopt(argc, argv, "") != -1)
		prog_usage();
	confine(&(struct confine){.files = argv + optind});
	struct ndjson *in = ndjson_open(argv + optind);
	while (ndjson_next(in))
		take(&r, in);
	if (r.verdict_count > 0) {
		say_head(&r);
		say_table(&r);
		say_groups(&r, true);
		say_groups(&r, false);
		say_flaky(&r);
		say_foot(&r);
		write_report(&r);
	}
	report_free(&r);
	return ndjson_close(in, stdout) ? YES : TROUBLE;
}
