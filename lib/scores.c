#include "scores.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ndjson.h"
#include "prog.h"

const char *const score_axes[AXES] = {
    "root_cause_correct", "fix_actionable", "evidence_cited", "no_antipattern", "phase_compliance"};
const char *const score_titles[AXES] = {
    "Root Cause", "Fix Precision", "Evidence", "No Anti-Pattern", "Phase Compliance"};
const char *const score_statuses[SCORE_STATUSES] = {
    "pass", "review", "fail", "error", "judge_error", "infra_error"};
const char *const score_versions[SCORE_VERSIONS] = {
    "case_sha256", "rubric", "judge", "schema", "prompt", "model"};

bool
score_counts(const struct score *s)
{
	return s->status <= SCORE_FAIL;
}

static char *
copy(jv rec, const char *key)
{
	size_t len;
	const char *text = jvx_bytes(rec, key, &len);

	/* A name with a NUL in it would end there, and could pass for another. */
	if (text == NULL || len == 0 || memchr(text, '\0', len) != NULL)
		return NULL;
	return prog_copy(text, len);
}

/* A number from 0 to most; NaN for anything else. */
static double
within(jv obj, const char *key, double most)
{
	double n = jvx_number(obj, key, NAN);

	return n >= 0 && n <= most ? n : NAN;
}

/* A judge may be told as a name or as an object; either way it is compared as text. */
static char *
version(jv rec, const char *key)
{
	jv v = jvx_get(rec, key);
	struct buf text = {0};

	switch (jv_get_kind(v)) {
	case JV_KIND_INVALID:
	case JV_KIND_NULL: jv_free(v); return NULL;
	case JV_KIND_STRING: buf_add(&text, jv_string_value(v), jvx_length(v)); break;
	default: jvx_write(v, &text);
	}
	jv_free(v);
	return text.data != NULL ? text.data : prog_copy("", 0);
}

static void
free_score(struct score *s)
{
	free(s->name);
	free(s->category);
	for (size_t i = 0; i < SCORE_VERSIONS; i++)
		free(s->versions[i]);
	jv_free(s->why);
}

/* NULL when s was filled, otherwise what is wrong with the record. */
static const char *
read_score(jv rec, struct score *s)
{
	const char *status = jvx_text(rec, "status");
	double epoch = jvx_number(rec, "epoch", 0);
	jv axes = jvx_get(rec, "axes");

	s->name = copy(rec, "case");
	s->category = copy(rec, "category");
	if (s->category == NULL)
		s->category = prog_copy("uncategorised", strlen("uncategorised"));
	for (size_t i = 0; i < SCORE_VERSIONS; i++)
		s->versions[i] = version(rec, score_versions[i]);
	s->must_pass = jvx_true(rec, "must_pass");
	s->why = jvx_get(rec, "why");
	s->duration_ms = within(rec, "duration_ms", 1e12);
	s->max = within(rec, "max", 1000);
	s->total = within(rec, "total", s->max);
	for (size_t i = 0; i < AXES; i++)
		s->axes[i] = within(axes, score_axes[i], 1000);
	jv_free(axes);
	for (s->status = 0; s->status < SCORE_STATUSES; s->status++)
		if (status != NULL && strcmp(status, score_statuses[s->status]) == 0)
			break;

	if (s->name == NULL)
		return "a score without a case";
	if (s->status == SCORE_STATUSES)
		return "a score whose status is none of the six";
	if (!(epoch >= 0 && epoch <= 1e9) || epoch != floor(epoch))
		return "an epoch that is no whole number";
	s->epoch = (long long)epoch;
	if (!score_counts(s)) {
		s->total = NAN;
		for (size_t i = 0; i < AXES; i++)
			s->axes[i] = NAN;
		return NULL;
	}
	if (!(s->max > 0))
		return "a score without a max of more than 0, 1000 at most";
	return isnan(s->total) ? "a total that is not from 0 to max" : NULL;
}

static int
by_case_and_epoch(const void *a, const void *b)
{
	const struct score *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order != 0 ? order : (x->epoch > y->epoch) - (x->epoch < y->epoch);
}

struct scores
scores_read(char *const files[])
{
	struct scores s = {NULL, 0, true};
	size_t size = 0;
	struct ndjson *in = ndjson_open(files);

	while (ndjson_next(in)) {
		if (!ndjson_is(in, "score"))
			continue;
		if (s.count == size)
			s.rows = prog_resize(s.rows, size = size * 2 + 64, sizeof *s.rows);
		jv rec = ndjson_value(in);
		const char *wrong = read_score(rec, &s.rows[s.count]);
		jv_free(rec);
		if (wrong != NULL) {
			ndjson_complain(in, wrong);
			free_score(&s.rows[s.count]);
		} else {
			s.rows[s.count].place = s.count;
			s.count++;
		}
	}
	s.whole = ndjson_close(in, stdout);
	if (s.count > 0)
		qsort(s.rows, s.count, sizeof *s.rows, by_case_and_epoch);
	return s;
}

void
scores_free(struct scores *s)
{
	for (size_t i = 0; i < s->count; i++)
		free_score(&s->rows[i]);
	free(s->rows);
}

size_t
scores_case_end(const struct scores *s, size_t from)
{
	size_t end = from + 1;

	while (end < s->count && strcmp(s->rows[end].name, s->rows[from].name) == 0)
		end++;
	return end;
}
