/*
 * One HTML file that needs nothing else: no script, no font, no picture from elsewhere, and a
 * policy that forbids them, since names and reasons come from models and traces.
 */
#include <math.h>
#include <stdlib.h>

#include "page.h"
#include "prog.h"
#include "report.h"

static void
add_bar_cell(struct buf *b, struct tally t)
{
	buf_text(b, "<td class=n>");
	add_score(b, t.score);
	buf_byte(b, '/');
	add_score(b, t.max);
	buf_format(b,
	    "</td><td class=n>%ld%%</td><td class=bar><svg viewBox=\"0 0 100 8\""
	    " preserveAspectRatio=none aria-hidden=true><rect class=track width=100 height=8 />"
	    "<rect class=fill width=\"%.1f\" height=8 /></svg></td></tr>\n",
	    per_cent(share(t)), 100 * share(t));
}

static void
add_head(struct buf *b, const struct report *r)
{
	const struct score *first = &r->run->rows[0];

	page_begin(b, "Trace-RCA eval score report");
	buf_format(b,
	    "<h1>Trace-RCA eval score report</h1>\n<p class=all>%ld%% "
	    "<small>",
	    per_cent(share(r->all)));
	add_score(b, r->all.score);
	buf_byte(b, '/');
	add_score(b, r->all.max);
	buf_format(b, " points, %zu case%s", r->cases, r->cases == 1 ? "" : "s");
	if (r->epochs > 1)
		buf_format(b, ", up to %zu epochs each", r->epochs);
	buf_text(b, "</small></p>\n<p class=meta>");
	for (size_t i = 0; i < SCORE_STATUSES; i++)
		if (r->statuses[i] > 0)
			buf_format(b, "<span class=\"status %s\">%zu %s</span> ", score_statuses[i],
			    r->statuses[i], score_statuses[i]);
	buf_text(b, "</p>\n<p class=meta>");
	for (size_t i = SCORE_RUBRIC; i < SCORE_VERSIONS; i++)
		if (first->versions[i] != NULL) {
			buf_format(b, "%s <b>", score_versions[i]);
			markup_text(b, first->versions[i]);
			buf_text(b, "</b> ");
		}
	if (r->wall != NULL)
		buf_format(b, "run <b>%s</b>", r->wall);
	buf_text(b, "</p>\n");
}

static void
add_scores(struct buf *b, const struct report *r)
{
	buf_text(b, "<h2>Scores by dimension</h2>\n<div class=wide><table><tr><th>Dimension"
		    "<th class=n>Score<th class=n>Share<th></tr>\n");
	for (size_t i = 0; i < AXES; i++) {
		buf_format(b, "<tr><td class=name>%s</td>", score_titles[i]);
		add_bar_cell(b, r->axes[i]);
	}
	buf_text(b, "</table></div>\n<h2>Scores by category</h2>\n<div class=wide><table><tr>"
		    "<th>Category<th class=n>Cases<th class=n>Score<th class=n>Share<th></tr>\n");
	for (size_t i = 0; i < r->category_count; i++) {
		buf_text(b, "<tr><td class=name>");
		markup_text(b, r->categories[i].name);
		buf_format(b, "</td><td class=n>%zu</td>", r->categories[i].cases);
		add_bar_cell(b, r->categories[i].tally);
	}
	buf_text(b, "</table></div>\n");
}

enum { LEFT = 36, RIGHT = 310, TOP = 10, BOTTOM = 100, DOTS = 60 };

static double
chart_x(const struct report *r, size_t i)
{
	return r->point_count > 1
		   ? LEFT + (double)(RIGHT - LEFT) * (double)i / (double)(r->point_count - 1)
		   : (LEFT + RIGHT) / 2.0;
}

/* A line for each stretch of known points, so that a gap is a gap. */
static void
add_line(struct buf *b, const struct report *r, const double *y)
{
	bool open = false;

	for (size_t i = 0; i <= r->point_count; i++) {
		if (i == r->point_count || isnan(y[i])) {
			buf_text(b, open ? "\"/>" : "");
			open = false;
			continue;
		}
		buf_text(b, open ? " " : "<polyline class=trend points=\"");
		buf_format(b, "%.1f,%.1f", chart_x(r, i), BOTTOM - y[i] * (BOTTOM - TOP));
		open = true;
	}
	for (size_t i = 0; i < r->point_count; i++) {
		if (isnan(y[i]) || (r->point_count > DOTS && i + 1 < r->point_count))
			continue;
		buf_format(b, "<circle class=dot r=3 cx=\"%.1f\" cy=\"%.1f\"><title>",
		    chart_x(r, i), BOTTOM - y[i] * (BOTTOM - TOP));
		markup_text(b, r->points[i].wall ? r->points[i].wall : "now");
		buf_format(b, ": %ld%%</title></circle>", per_cent(y[i]));
	}
}

static void
add_chart(struct buf *b, const struct report *r, const char *title, const double *y)
{
	double last = y[r->point_count - 1];

	buf_format(b, "<figure><figcaption>%s <span>", title);
	if (!isnan(last))
		buf_format(b, "%ld%%", per_cent(last));
	buf_format(b,
	    "</span></figcaption><svg viewBox=\"0 0 320 112\" role=img aria-label=\"%s over %zu "
	    "runs\">",
	    title, r->point_count);
	for (int g = 0; g <= 2; g++) {
		double at = BOTTOM - (BOTTOM - TOP) * g / 2.0;
		buf_format(b,
		    "<line class=grid x1=%d x2=%d y1=\"%.0f\" y2=\"%.0f\" />"
		    "<text class=axis x=%d y=\"%.0f\" text-anchor=end>%d%%</text>",
		    LEFT, RIGHT, at, at, LEFT - 4, at + 3.5, g * 50);
	}
	for (size_t i = 0; i < r->point_count; i++) {
		if (r->points[i].changed == NULL)
			continue;
		buf_format(b, "<line class=mark x1=\"%.1f\" x2=\"%.1f\" y1=%d y2=%d><title>",
		    chart_x(r, i), chart_x(r, i), TOP, BOTTOM);
		markup_text(b, r->points[i].changed);
		buf_text(b, "</title></line>");
	}
	add_line(b, r, y);
	buf_text(b, "</svg></figure>\n");
}

static void
add_trend(struct buf *b, const struct report *r)
{
	double *y = prog_alloc(r->point_count, sizeof *y);
	bool changed = false;

	buf_text(b, "<h2>Trend</h2>\n<div class=charts>\n");
	for (size_t i = 0; i < r->point_count; i++)
		y[i] = share(r->points[i].all);
	add_chart(b, r, "Overall", y);
	for (size_t axis = 0; axis < AXES; axis++) {
		for (size_t i = 0; i < r->point_count; i++)
			y[i] = r->points[i].axes[axis];
		add_chart(b, r, score_titles[axis], y);
	}
	buf_text(b, "</div>\n");
	for (size_t i = 0; i < r->point_count; i++)
		changed = changed || r->points[i].changed != NULL;
	if (changed) {
		buf_text(b, "<p class=meta>A dashed line marks a change:</p>\n<ul>\n");
		for (size_t i = 0; i < r->point_count; i++) {
			if (r->points[i].changed == NULL)
				continue;
			buf_text(b, "<li>");
			markup_text(b, r->points[i].wall ? r->points[i].wall : "now");
			buf_text(b, ": ");
			markup_text(b, r->points[i].changed);
			buf_text(b, "</li>\n");
		}
		buf_text(b, "</ul>\n");
	}
	free(y);
}

static void
add_reason(struct buf *b, const char *title, double score, const struct score *s, const char *what)
{
	struct buf why = {0};

	add_why(&why, s, what);
	if (why.len > 0) {
		buf_format(b, "<dt>%s", title);
		if (!isnan(score)) {
			buf_byte(b, ' ');
			add_score(b, score);
		}
		buf_text(b, "</dt><dd>");
		markup_add(b, why.data, why.len);
		buf_text(b, "</dd>");
	}
	buf_free(&why);
}

/* A row of its own, as wide as the table: what did not pass is open, for a page has no clicks on
 * paper. */
static void
add_why_row(struct buf *b, const struct score *s)
{
	struct buf why = {0};

	for (int axis = 0; axis < AXES; axis++)
		add_reason(&why, score_titles[axis], s->axes[axis], s, score_axes[axis]);
	add_reason(&why, "Status", NAN, s, "status");
	buf_format(b, "<tr class=why><td colspan=%d>", AXES + 3);
	if (why.len > 0)
		buf_format(b, "<details%s><summary>why</summary><dl>%s</dl></details>",
		    s->status == SCORE_PASS ? "" : " open", why.data);
	buf_text(b, "</td></tr>\n");
	buf_free(&why);
}

static void
add_row(struct buf *b, const struct report *r, const struct score *s)
{
	struct buf name = {0};

	add_row_name(&name, r, s);
	buf_text(b, "<tr class=case><td class=name>");
	markup_add(b, name.data, name.len);
	buf_format(b, "</td><td class=\"status %s\">%s</td>", score_statuses[s->status],
	    score_statuses[s->status]);
	for (int axis = 0; axis < AXES; axis++) {
		buf_format(b, "<td class=\"n part%s\">", s->axes[axis] < AXIS_MAX ? " low" : "");
		if (isnan(s->axes[axis]))
			buf_text(b, "\u2013");
		else
			add_score(b, s->axes[axis]);
		buf_text(b, "</td>");
	}
	buf_text(b, "<td class=n>");
	if (score_counts(s)) {
		add_score(b, s->total);
		buf_byte(b, '/');
		add_score(b, s->max);
	} else {
		buf_text(b, "\u2013");
	}
	buf_text(b, "</td></tr>\n");
	add_why_row(b, s);
	buf_free(&name);
}

void
write_html(const struct report *r, struct buf *b)
{
	add_head(b, r);
	add_scores(b, r);
	if (r->point_count > 0)
		add_trend(b, r);
	buf_text(b, "<h2>Cases</h2>\n<div class=wide><table><tr><th>Case<th>Status");
	for (size_t i = 0; i < AXES; i++)
		buf_format(b, "<th class=\"n part\">%s", score_titles[i]);
	buf_text(b, "<th class=n>Total</tr>\n");
	for (size_t i = 0; i < r->run->count; i++)
		add_row(b, r, &r->run->rows[i]);
	buf_text(b, "</table></div>\n");
	page_end(b);
}
