/*
 * JUnit XML, valid for the schema of Ant's tasks and for Jenkins': the first is the stricter one.
 * A suite is a category.  What waits for a person is skipped: neither passed nor failed.
 */
#include <string.h>

#include "report.h"

static void
add_property(struct buf *b, const char *name, const char *value)
{
	if (value == NULL)
		return;
	buf_format(b, "<property name=\"%s\" value=\"", name);
	markup_text(b, value);
	buf_text(b, "\"/>");
}

static void
add_reasons(struct buf *b, const struct score *s)
{
	struct buf status = {0};

	add_why(&status, s, "status");
	if (status.len > 0) {
		buf_byte(b, '\n');
		markup_add(b, status.data, status.len);
	}
	buf_free(&status);
	for (int axis = 0; axis < AXES && score_counts(s); axis++) {
		struct buf why = {0};
		add_why(&why, s, score_axes[axis]);
		if (why.len > 0 || s->axes[axis] < AXIS_MAX) {
			buf_format(b, "\n%s: ", score_axes[axis]);
			if (s->axes[axis] >= 0) /* not NaN */
				add_score(b, s->axes[axis]);
			if (why.len > 0) {
				buf_text(b, " - ");
				markup_add(b, why.data, why.len);
			}
		}
		buf_free(&why);
	}
	buf_byte(b, '\n');
}

static void
add_result(struct buf *b, const char *element, const struct score *s)
{
	buf_format(b, "<%s type=\"%s\" message=\"%s", element, score_statuses[s->status],
	    score_statuses[s->status]);
	if (score_counts(s)) {
		buf_text(b, ": ");
		add_score(b, s->total);
		buf_byte(b, '/');
		add_score(b, s->max);
	}
	buf_text(b, "\">");
	add_reasons(b, s);
	buf_format(b, "</%s>", element);
}

/* A replayed answer took no time that could be told. */
static double
seconds(const struct score *s)
{
	return s->duration_ms >= 0 ? s->duration_ms / 1000 : 0; /* NaN is not */
}

static void
add_test(struct buf *b, const struct report *r, const struct score *s)
{
	struct buf name = {0};

	add_row_name(&name, r, s);
	buf_text(b, "<testcase classname=\"");
	markup_text(b, s->category);
	buf_text(b, "\" name=\"");
	markup_add(b, name.data, name.len);
	buf_format(b, "\" time=\"%.3f\">", seconds(s));
	buf_free(&name);
	switch (s->status) {
	case SCORE_PASS: break;
	case SCORE_REVIEW: add_result(b, "skipped", s); break;
	case SCORE_FAIL: add_result(b, "failure", s); break;
	default: add_result(b, "error", s);
	}
	buf_text(b, "</testcase>\n");
}

void
write_junit(const struct report *r, struct buf *b)
{
	const struct scores *run = r->run;

	buf_text(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
	for (size_t c = 0; c < r->category_count; c++) {
		const char *name = r->categories[c].name;
		size_t n[SCORE_STATUSES] = {0}, tests = 0;
		double time = 0;
		for (size_t i = 0; i < run->count; i++)
			if (strcmp(run->rows[i].category, name) == 0) {
				n[run->rows[i].status]++;
				time += seconds(&run->rows[i]);
				tests++;
			}
		buf_text(b, "<testsuite name=\"");
		markup_text(b, name);
		/* The zone may not be told, and a time is wanted: that of the -w option, in UTC. */
		buf_format(b,
		    "\" package=\"rca-eval\" id=\"%zu\" hostname=\"localhost\" timestamp=\"%.19s\""
		    " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" "
		    "time=\"%.3f\">\n",
		    c, r->wall ? r->wall : "1970-01-01T00:00:00", tests, n[SCORE_FAIL],
		    n[SCORE_ERROR] + n[SCORE_JUDGE_ERROR] + n[SCORE_INFRA_ERROR], n[SCORE_REVIEW],
		    time);
		/* Jenkins wants a property, and no version may be known. */
		buf_text(b, "<properties><property name=\"score\" value=\"");
		add_score(b, r->categories[c].tally.score);
		buf_byte(b, '/');
		add_score(b, r->categories[c].tally.max);
		buf_text(b, "\"/>");
		for (size_t i = SCORE_RUBRIC; i < SCORE_VERSIONS; i++)
			add_property(b, score_versions[i], run->rows[0].versions[i]);
		buf_text(b, "</properties>\n");
		for (size_t i = 0; i < run->count; i++)
			if (strcmp(run->rows[i].category, name) == 0)
				add_test(b, r, &run->rows[i]);
		buf_text(b, "<system-out></system-out><system-err></system-err>\n</testsuite>\n");
	}
	buf_text(b, "</testsuites>\n");
}
