/* CTRF JSON, https://ctrf.io: a test for each row; a duration must stand there, 0 if unknown. */
#include <math.h>
#include <string.h>

#include "report.h"
#include "when.h"

static const char *const ctrf_statuses[SCORE_STATUSES] = {
    [SCORE_PASS] = "passed",
    [SCORE_REVIEW] = "pending",
    [SCORE_FAIL] = "failed",
    [SCORE_ERROR] = "other",
    [SCORE_JUDGE_ERROR] = "other",
    [SCORE_INFRA_ERROR] = "other",
};

static jv
test_of(const struct report *r, const struct score *s)
{
	struct buf name = {0}, message = {0};
	jv test = jv_object(), extra = jv_object();

	add_row_name(&name, r, s);
	test = jvx_set_text(test, "name", name.data);
	test = jvx_set_text(test, "status", ctrf_statuses[s->status]);
	test = jvx_set_text(test, "rawStatus", score_statuses[s->status]);
	test = jvx_set_number(test, "duration", s->duration_ms >= 0 ? round(s->duration_ms) : 0);
	test = jvx_set(test, "suite", jv_array_append(jv_array(), jv_string(s->category)));
	add_why(&message, s, "status");
	for (int axis = 0; axis < AXES; axis++) {
		struct buf why = {0};
		extra = jvx_set_number(extra, score_axes[axis], s->axes[axis]);
		add_why(&why, s, score_axes[axis]);
		if (why.len > 0 && s->status != SCORE_PASS && !(s->axes[axis] >= AXIS_MAX))
			buf_format(&message, "%s%s: %s", message.len ? "; " : "", score_axes[axis],
			    why.data);
		buf_free(&why);
	}
	extra = jvx_set_number(extra, "total", s->total);
	extra = jvx_set_number(extra, "max", s->max);
	test = jvx_set(test, "extra", extra);
	test = jvx_set_text(test, "message", message.data);
	buf_free(&message);
	buf_free(&name);
	return test;
}

void
write_ctrf(const struct report *r, struct buf *b)
{
	size_t other = r->statuses[SCORE_ERROR] + r->statuses[SCORE_JUDGE_ERROR] +
		       r->statuses[SCORE_INFRA_ERROR];
	double when = r->wall != NULL ? when_ms(r->wall) : 0;
	jv summary = jv_object(), tests = jv_array(), results = jv_object(), doc = jv_object();

	summary = jvx_set_number(summary, "tests", (double)r->run->count);
	summary = jvx_set_number(summary, "passed", (double)r->statuses[SCORE_PASS]);
	summary = jvx_set_number(summary, "failed", (double)r->statuses[SCORE_FAIL]);
	summary = jvx_set_number(summary, "pending", (double)r->statuses[SCORE_REVIEW]);
	summary = jvx_set_number(summary, "skipped", 0);
	summary = jvx_set_number(summary, "other", (double)other);
	summary = jvx_set_number(summary, "suites", (double)r->category_count);
	summary = jvx_set_number(summary, "start", when);
	summary = jvx_set_number(summary, "stop", when);
	for (size_t i = 0; i < r->run->count; i++)
		tests = jv_array_append(tests, test_of(r, &r->run->rows[i]));
	results = jvx_set(results, "tool", jvx_set_text(jv_object(), "name", "rcakit"));
	results = jvx_set(results, "summary", summary);
	results = jvx_set(results, "tests", tests);
	doc = jvx_set_text(doc, "reportFormat", "CTRF");
	doc = jvx_set_text(doc, "specVersion", "0.0.0");
	doc = jvx_set_text(doc, "generatedBy", "eval-report");
	doc = jvx_set_text(doc, "timestamp", r->wall);
	doc = jvx_set(doc, "results", results);
	jvx_write(doc, b);
	buf_byte(b, '\n');
	jv_free(doc);
}
