#include <string.h>

#include "forms.h"
#include "jvx.h"
#include "markup.h"
#include "page.h"
#include "scenario.h"

static void
add_list(struct buf *b, jv record, const char *name, const char *what)
{
	jv list = jvx_get(record, name);

	if (jv_get_kind(list) == JV_KIND_ARRAY && jv_array_length(jv_copy(list)) > 0) {
		buf_format(b, "<dt>%s</dt><dd>", what);
		jv_array_foreach (list, i, item) {
			buf_text(b, i > 0 ? ", " : "");
			if (jv_get_kind(item) == JV_KIND_STRING)
				markup_add(b, jv_string_value(item), jvx_length(item));
			jv_free(item);
		}
		buf_text(b, "</dd>");
	}
	jv_free(list);
}

static void
add_examples(struct buf *b, jv record)
{
	jv list = jvx_get(record, "examples");

	if (jv_get_kind(list) == JV_KIND_ARRAY)
		jv_array_foreach (list, i, example) {
			const char *scenario = jvx_text(example, "scenario"),
				   *reason = jvx_text(example, "reason");
			buf_text(b, "<dt>");
			markup_text(b, scenario ? scenario : "example");
			buf_text(b, "</dt><dd>");
			markup_text(b, reason ? reason : "");
			buf_text(b, "</dd>");
			jv_free(example);
		}
	jv_free(list);
}

static void
add_bug(struct buf *b, const struct bug *bug)
{
	bool bad = bug->standing == OPEN || bug->standing == JUDGE;

	buf_format(b, "<tr><td class=\"status %s\">%s</td><td class=name>",
	    bad                      ? "fail"
	    : bug->standing == FIXED ? "pass"
				     : "review",
	    scenario_severities[bug->severity]);
	markup_text(b, bug->title ? bug->title : "without a title");
	buf_text(b, "<details><summary>");
	form_numbers(bug, b);
	buf_text(b, "</summary><dl>");
	add_examples(b, bug->record);
	add_list(b, bug->record, "scenarios", "scenarios");
	add_list(b, bug->record, "tags", "tags");
	buf_text(b, "<dt>signature</dt><dd>");
	markup_text(b, bug->id);
	buf_text(b, "</dd></dl></details></td></tr>\n");
}

static void
add_row(struct buf *b, const struct trial_row *row)
{
	bool bad = row->fails > 0 && (row->standing == OPEN || row->standing == JUDGE);

	buf_text(b, "<tr><td class=name>");
	markup_text(b, row->id);
	if (row->title != NULL) {
		buf_text(b, "<br><small class=meta>");
		markup_text(b, row->title);
		buf_text(b, "</small>");
	}
	buf_format(b,
	    "</td><td class=\"status %s\">%s</td><td class=n>%zu</td><td class=n>%zu</td></tr>\n",
	    bad              ? "fail"
	    : row->fails > 0 ? "review"
			     : "pass",
	    bad              ? "fail"
	    : row->fails > 0 ? "flaky"
			     : "pass",
	    row->trials, row->fails);
}

void
form_html(const struct run *r, struct buf *b)
{
	struct buf own = {0};

	page_begin(b, "autoqa report");
	buf_text(b, "<h1>");
	markup_text(b, r->agent);
	buf_text(b, "</h1>\n<p class=all><small>");
	form_verdict(r, b);
	buf_text(b, "</small></p>\n");
	form_summary(r, &own);
	for (char *line = own.data, *end; (end = strchr(line, '\n')) != NULL; line = end + 1)
		buf_format(b, "<p class=meta>%.*s</p>\n", (int)(end - line), line);
	buf_free(&own);
	for (size_t i = 0; i < r->bug_count; i++) {
		bool first = i == 0 || r->bugs[i].standing != r->bugs[i - 1].standing;
		bool last = i + 1 == r->bug_count || r->bugs[i].standing != r->bugs[i + 1].standing;
		if (first)
			buf_format(b,
			    "<h2>%s</h2>\n<div class=wide><table><tr><th>Severity<th>Bug</tr>\n",
			    standing_titles[r->bugs[i].standing]);
		add_bug(b, &r->bugs[i]);
		if (last)
			buf_text(b, "</table></div>\n");
	}
	buf_text(b, "<h2>Scenarios</h2>\n<div class=wide><table><tr><th>Scenario<th>Status"
		    "<th class=n>Trials<th class=n>Failed</tr>\n");
	for (size_t i = 0; i < r->row_count; i++)
		add_row(b, &r->rows[i]);
	buf_text(b, "</table></div>\n");
	page_end(b);
}
