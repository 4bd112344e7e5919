/* What was made of the evidence, with each citation followed to what it cites. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "quote.h"
#include "segment.h"

static bool
is(jv rec, const char *type)
{
	const char *t = jvx_text(rec, "type");

	return t != NULL && strcmp(t, type) == 0;
}

/* The line number at the end of "FILE:LINE", 0 when the citation is none. */
static long
line_of(const char *cite, size_t *file_len)
{
	const char *colon = strrchr(cite, ':');
	char *end;

	if (colon == NULL || colon == cite || colon[1] < '0' || colon[1] > '9')
		return 0;
	long line = strtol(colon + 1, &end, 10);
	*file_len = (size_t)(colon - cite);
	return *end == '\0' || *end == '-' ? line : 0;
}

static bool
quote_file(const struct segment *s, struct buf *b, const char *cite)
{
	static const char *const types[] = {"code", "source"};
	size_t len = 0;
	long line = line_of(cite, &len);
	struct buf file = {0};
	bool found = false;

	if (line <= 0)
		return false;
	buf_add(&file, cite, len);
	for (size_t t = 0; t < sizeof types / sizeof *types && !found; t++) {
		jv all = segment_all(s, types[t]);
		jv_array_foreach (all, i, rec) {
			found = found || quote_line(b, rec, file.data, line);
			jv_free(rec);
		}
		jv_free(all);
	}
	buf_free(&file);
	return found;
}

/* A record of many lines is cut: whoever wants it whole has the evidence. */
static void
quote_short(struct buf *b, jv rec)
{
	struct buf whole = {0};
	size_t at = 0;

	quote(&whole, rec);
	for (int lines = 0; lines < 8 && at < whole.len; lines++) {
		const char *eol = memchr(whole.data + at, '\n', whole.len - at);
		size_t len = (size_t)(eol - whole.data) - at + 1;
		buf_add(b, whole.data + at, len);
		at += len;
	}
	if (at < whole.len)
		buf_text(b, "    ...\n");
	buf_free(&whole);
}

static void
quote_cite(const struct segment *s, struct buf *b, const char *cite)
{
	jv rec = segment_cited(s, cite);

	if (jv_is_valid(rec))
		quote_short(b, rec);
	else
		quote_file(s, b, cite);
	jv_free(rec);
}

static void
say_cites(struct md *m, jv cites)
{
	if (jv_get_kind(cites) != JV_KIND_ARRAY)
		return;
	jv_array_foreach (cites, i, cite) {
		if (jv_get_kind(cite) == JV_KIND_STRING) {
			md_own(m, "%s", i == 0 ? " (" : ", ");
			md_code(m, jv_string_value(cite));
		}
		jv_free(cite);
	}
	if (jv_array_length(jv_copy(cites)) > 0)
		md_own(m, ")");
}

static void
say_quotes(const struct segment *s, struct md *m, jv cites)
{
	struct buf text = {0};

	if (jv_get_kind(cites) == JV_KIND_ARRAY) {
		jv_array_foreach (cites, i, cite) {
			if (jv_get_kind(cite) == JV_KIND_STRING)
				quote_cite(s, &text, jv_string_value(cite));
			jv_free(cite);
		}
	}
	md_own(m, "\n\n");
	if (text.len != 0)
		md_block(m, "cited", text.data, text.len, "  ");
	buf_free(&text);
}

/* A full stop, unless the text has one. */
static void
stop(struct md *m)
{
	char last = m->b.len > 0 ? m->b.data[m->b.len - 1] : '.';

	if (strchr(".!?", last) == NULL)
		md_own(m, ".");
}

static void
say_root_cause(struct md *m, jv output)
{
	static const struct {
		const char *words, *key;
	} parts[] = {
	    {"The test expected ", "expected"}, {", but got ", "got"}, {", because ", "because"}};
	jv cause = jvx_get(output, "root_cause");
	const char *confidence = jvx_text(output, "confidence");

	md_heading(m, 2, "Root cause");
	if (!jvx_true(output, "determined")) {
		md_own(m, "It cannot be determined from this trace. What is certain stands below, "
			  "and what "
			  "would have to be known.\n\n");
		jv_free(cause);
		return;
	}
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const char *text = jvx_text(cause, parts[i].key);
		md_own(m, "%s", parts[i].words);
		md_text(m, text ? text : "(not said)");
	}
	stop(m);
	md_own(m, "\n\n");
	if (confidence != NULL) {
		md_own(m, "Confidence: ");
		md_text(m, confidence);
		stop(m);
		md_own(m, "\n\n");
	}
	jv_free(cause);
}

static void
say_fix(struct md *m, jv output)
{
	jv fix = jvx_get(output, "fix");
	const char *text = jvx_text(fix, "text"), *type = jvx_text(fix, "type");
	struct buf place = {0};

	if (jv_get_kind(fix) != JV_KIND_OBJECT) {
		jv_free(fix);
		return;
	}
	md_heading(m, 2, "Fix");
	quote_place(&place, "", fix);
	if (place.len != 0) {
		md_code(m, place.data);
		md_own(m, ": ");
	}
	if (text != NULL)
		md_text(m, text);
	stop(m);
	if (type != NULL) {
		md_own(m, " (");
		md_text(m, type);
		md_own(m, ")");
	}
	md_own(m, "\n\n");
	if (jvx_text(fix, "diff") != NULL)
		md_diff(m, jvx_text(fix, "diff"));
	buf_free(&place);
	jv_free(fix);
}

static void
say_claims(const struct segment *s, struct md *m, jv output)
{
	jv claims = jvx_get(output, "claims");

	if (jv_get_kind(claims) == JV_KIND_ARRAY && jv_array_length(jv_copy(claims)) > 0) {
		md_heading(m, 2, "Evidence");
		jv_array_foreach (claims, i, claim) {
			jv cites = jvx_get(claim, "cites");
			const char *text = jvx_text(claim, "text");
			md_own(m, "- ");
			md_text(m, text ? text : "");
			say_cites(m, cites);
			say_quotes(s, m, cites);
			jv_free(cites);
			jv_free(claim);
		}
	}
	jv_free(claims);
}

/* A heading and under it the items, "name: text" with what they cite.  list is consumed. */
static void
say_items(struct md *m, const char *heading, jv list, bool numbered, const char *name_member,
    const char *text_member)
{
	if (jv_get_kind(list) == JV_KIND_ARRAY && jv_array_length(jv_copy(list)) > 0) {
		md_heading(m, 2, heading);
		jv_array_foreach (list, i, item) {
			jv cites = jvx_get(item, "cites");
			const char *name = jvx_text(item, name_member);
			const char *text = jvx_text(item, text_member);
			if (numbered)
				md_own(m, "%d. ", i + 1);
			else
				md_own(m, "- ");
			md_text(m, name ? name : "");
			md_own(m, ": ");
			md_text(m, text ? text : "");
			say_cites(m, cites);
			md_own(m, "\n");
			jv_free(cites);
			jv_free(item);
		}
		md_own(m, "\n");
	}
	jv_free(list);
}

static void
say_unknown(struct md *m, jv output)
{
	jv list = jvx_get(output, "unknown");
	const char *alternative = jvx_text(output, "alternative");

	if (jv_get_kind(list) == JV_KIND_ARRAY && jv_array_length(jv_copy(list)) > 0) {
		md_heading(m, 2, "Not known");
		jv_array_foreach (list, i, item) {
			if (jv_get_kind(item) == JV_KIND_STRING) {
				md_own(m, "- ");
				md_text(m, jv_string_value(item));
				md_own(m, "\n");
			}
			jv_free(item);
		}
		md_own(m, "\n");
	}
	jv_free(list);
	if (alternative == NULL)
		return;
	md_heading(m, 2, jvx_true(output, "determined") ? "If it is not that" : "Best hypothesis");
	md_text(m, alternative);
	md_own(m, "\n\n");
}

/* One objection of rca-check's, in its words. */
static void
say_objection(struct md *m, jv rec)
{
	const char *message = jvx_text(rec, "message"), *id = jvx_text(rec, "id"),
		   *cite = jvx_text(rec, "cite");
	double n = jvx_number(rec, "n", NAN);

	md_own(m, "- ");
	if (id != NULL)
		md_text(m, id);
	else if (cite != NULL)
		md_code(m, cite);
	else if (!isnan(n))
		md_own(m, "phase %.0f", n);
	md_own(m, ": ");
	md_text(m, message ? message : "does not hold");
	if (is(rec, "trigger")) {
		jv because = jvx_get(rec, "because");
		say_cites(m, because);
		jv_free(because);
	}
	md_own(m, "\n");
}

static bool
objects(jv rec)
{
	jv ok = jvx_get(rec, "ok");
	bool bad = jv_get_kind(ok) == JV_KIND_FALSE;

	jv_free(ok);
	return is(rec, "trigger") || bad;
}

/* What rca-check found after the answer number at, up to the next answer. */
static void
say_objections(const struct segment *s, struct md *m, int at)
{
	int n = jv_array_length(jv_copy(s->results)), said = 0;

	for (int i = at + 1; i < n; i++) {
		jv rec = jv_array_get(jv_copy(s->results), i);
		bool next = is(rec, "answer") || is(rec, "unclassified");
		if (!next && objects(rec) && said++ == 0) {
			md_heading(m, 2, "Objections");
			md_own(m,
			    "The answer was checked against the evidence, and this was left:\n\n");
		}
		if (!next && objects(rec))
			say_objection(m, rec);
		jv_free(rec);
		if (next)
			break;
	}
	if (said > 0)
		md_own(m, "\n");
}

static void
say_provenance(struct md *m, jv answer)
{
	const char *from = jvx_text(answer, "provenance"), *model = jvx_text(answer, "model"),
		   *prompt = jvx_text(answer, "prompt"), *sum = jvx_text(answer, "prompt_sha256"),
		   *cassette = jvx_text(answer, "cassette");
	double epoch = jvx_number(answer, "epoch", 0);

	md_own(m, "---\n\n");
	if (from != NULL && strcmp(from, "authored") == 0)
		md_own(m, "Answer authored by a person, not by a model");
	else {
		md_own(m, "Answer of ");
		md_code(m, model ? model : "an unnamed model");
		if (from != NULL) {
			md_own(m, ", ");
			md_text(m, from);
		}
	}
	if (prompt != NULL) {
		md_own(m, "; prompt ");
		md_code(m, prompt);
	}
	if (sum != NULL && strlen(sum) >= 12)
		md_own(m, " (%.12s)", strspn(sum, "0123456789abcdef") >= 12 ? sum : "");
	if (epoch > 0)
		md_own(m, "; epoch %.0f", epoch);
	if (cassette != NULL && strcmp(cassette, "hit") == 0)
		md_own(m, "; replayed from a cassette");
	else if (cassette != NULL && strcmp(cassette, "recorded") == 0)
		md_own(m, "; kept in a cassette");
	md_own(m, ".\n");
}

static void
say_answer(const struct segment *s, struct md *m, int at)
{
	jv answer = jv_array_get(jv_copy(s->results), at), output = jvx_get(answer, "output");

	if (jv_get_kind(output) == JV_KIND_OBJECT) {
		say_root_cause(m, output);
		say_fix(m, output);
		say_objections(s, m, at);
		say_claims(s, m, output);
		say_items(m, "Ruled out", jvx_get(output, "ruled_out"), false, "what", "because");
		say_unknown(m, output);
		say_items(m, "How it was found", jvx_get(output, "phases"), true, "name", "text");
	} else if (jvx_text(answer, "text") != NULL) {
		size_t len = 0;
		const char *text = jvx_bytes(answer, "text", &len);
		md_heading(m, 2, "Answer");
		md_block(m, "answer", text, len, "");
	}
	say_provenance(m, answer);
	jv_free(output);
	jv_free(answer);
}

static void
say_unclassified(struct md *m, jv rec)
{
	static const struct {
		const char *reason, *words;
	} known[] = {
	    {"budget", "the budget was used up"},
	    {"error", "the call failed"},
	    {"refusal", "the model refused"},
	    {"truncated", "the model's answer was cut short"},
	    {"schema", "the model's answer did not have the form that was asked for"},
	    {"replay-miss", "no cassette holds an answer to this evidence"},
	    {"no-key", "no key for the model is set"},
	};
	const char *reason = jvx_text(rec, "reason"), *message = jvx_text(rec, "message");
	const char *words = "for an unnamed reason";

	for (size_t i = 0; reason != NULL && i < sizeof known / sizeof *known; i++)
		if (strcmp(reason, known[i].reason) == 0)
			words = known[i].words;
	md_own(m, "There is no explanation: %s", words);
	if (message != NULL) {
		md_own(m, ": ");
		md_text(m, message);
	}
	stop(m);
	md_own(m, " The evidence:\n\n");
}

static void
say_passed(const struct segment *s, struct md *m)
{
	bool passed = strcmp(segment_status(s), "passed") == 0;

	md_line(m, segment_title(s), 200);
	md_own(m, passed ? ": passed, nothing to explain\n"
			 : ": no failure in this trace, nothing to explain\n");
}

void
report_answers(const struct segment *s, struct md *m)
{
	int n = jv_array_length(jv_copy(s->results)), answers = 0;

	if (!segment_failed(s) && jv_is_valid(s->test)) {
		say_passed(s, m);
		return;
	}
	for (int i = 0; i < n; i++) {
		jv rec = jv_array_get(jv_copy(s->results), i);
		if (is(rec, "answer")) {
			if (answers++ > 0)
				md_own(m, "\n");
			report_head(s, m);
			say_answer(s, m, i);
		}
		jv_free(rec);
	}
	if (answers > 0)
		return;
	report_head(s, m);
	for (int i = 0; i < n; i++) {
		jv rec = jv_array_get(jv_copy(s->results), i);
		if (is(rec, "unclassified"))
			say_unclassified(m, rec);
		jv_free(rec);
	}
	report_evidence(s, m);
}
