/*
 * JUnit XML, valid for the schema of Ant's tasks and for Jenkins': a test is a scenario, under its
 * id, which stays when the suite grows.  What is flaky or not confirmed is told and does not fail.
 */
#include <string.h>

#include "forms.h"
#include "jvx.h"
#include "markup.h"

static void
add_trouble(struct buf *b, const struct trial_row *row)
{
	const char *element = row->errors > 0 ? "error" : "failure";
	const char *reason = jvx_text(row->judgement, "reason");

	if (reason == NULL)
		reason = jvx_text(row->judgement, "error");
	buf_format(b, "<%s type=\"", element);
	markup_text(b, row->cluster ? row->cluster : "none");
	buf_text(b, "\" message=\"");
	markup_text(b, reason ? reason : "no reason");
	buf_format(b, "\">%zu of %zu trials failed\n", row->fails, row->trials);
	if (row->title != NULL)
		markup_text(b, row->title);
	buf_format(b, "\n</%s>", element);
}

static bool
counts(const struct trial_row *row)
{
	return row->fails > 0 && (row->standing == OPEN || row->standing == JUDGE);
}

void
form_junit(const struct run *r, struct buf *b)
{
	size_t failures = 0, errors = 0;
	double ms = 0;

	for (size_t i = 0; i < r->row_count; i++) {
		failures += counts(&r->rows[i]) && r->rows[i].errors == 0;
		errors += counts(&r->rows[i]) && r->rows[i].errors > 0;
		ms += r->rows[i].ms;
	}
	buf_text(b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"");
	markup_text(b, r->agent);
	buf_format(b,
	    "\" package=\"autoqa\" id=\"0\" hostname=\"localhost\" timestamp=\"%.19s\" "
	    "tests=\"%zu\" "
	    "failures=\"%zu\" errors=\"%zu\" time=\"%.3f\">\n<properties><property name=\"trials\" "
	    "value=\"%zu\"/></properties>\n",
	    r->wall ? r->wall : "1970-01-01T00:00:00", r->row_count, failures, errors, ms / 1000,
	    r->trials);
	for (size_t i = 0; i < r->row_count; i++) {
		const struct trial_row *row = &r->rows[i];
		buf_text(b, "<testcase classname=\"");
		markup_text(b, r->agent);
		buf_text(b, "\" name=\"");
		markup_text(b, row->id);
		buf_format(b, "\" time=\"%.3f\">", row->ms / 1000);
		if (counts(row))
			add_trouble(b, row);
		buf_text(b, "</testcase>\n");
	}
	buf_text(b, "<system-out>");
	for (size_t i = 0; i < r->row_count; i++)
		if (r->rows[i].fails > 0 && !counts(&r->rows[i])) {
			buf_format(b, "%zu of %zu trials failed, which does not count yet: ",
			    r->rows[i].fails, r->rows[i].trials);
			markup_text(b, r->rows[i].id);
			buf_byte(b, '\n');
		}
	buf_text(b, "</system-out><system-err></system-err>\n</testsuite>\n</testsuites>\n");
}
