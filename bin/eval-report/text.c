/* The seed's score report, for the terminal and as Markdown. */
#include <stdio.h>
#include <string.h>

#include "report.h"
#include "utf8.h"

enum { TREND = 12, SUMMARY_BYTES = 1000000 };

static void
add_times(struct buf *b, const char *what, size_t times)
{
	for (size_t i = 0; i < times; i++)
		buf_text(b, what);
}

static void
add_bar(struct buf *b, double s)
{
	size_t full = (size_t)((double)per_cent(s) / 10 + 0.5);

	if (full == 10 && s < 1)
		full = 9;

	add_times(b, "\u2588", full);
	add_times(b, "\u2591", 10 - full);
}

/* "   8/10 ( 80%)  ########.." with the number before the slash in the given width */
static void
add_tally(struct buf *b, struct tally t, int width)
{
	struct buf score = {0};

	add_score(&score, t.score);
	buf_format(b, "%*s/", width, score.data);
	buf_free(&score);
	add_score(b, t.max);
	buf_format(b, " (%3ld%%)  ", per_cent(share(t)));
	add_bar(b, share(t));
}

/* A name and the blanks behind it, counted in characters. */
static void
add_padded(struct buf *b, const char *name, size_t width)
{
	size_t from = b->len, count;

	markup_visible(b, name, strlen(name));
	count = utf8_count(b->data + from, b->len - from);
	add_times(b, " ", count < width ? width - count : 0);
}

static void
add_heading(struct buf *b, const char *title)
{
	add_times(b, "\u2500", 72);
	buf_format(b, "\n  %s\n", title);
	add_times(b, "\u2500", 72);
	buf_text(b, "\n\n");
}

static void
add_lost(struct buf *b, const struct report *r, const char *before, const char *after)
{
	size_t lost = 0;

	for (size_t i = SCORE_ERROR; i < SCORE_STATUSES; i++)
		lost += r->statuses[i];
	if (lost == 0)
		return;
	buf_format(b, "%sNot scored: %zu of %zu (", before, lost, r->run->count);
	const char *comma = "";
	for (size_t i = SCORE_ERROR; i < SCORE_STATUSES; i++)
		if (r->statuses[i] > 0) {
			buf_format(b, "%s%zu %s", comma, r->statuses[i], score_statuses[i]);
			comma = ", ";
		}
	buf_format(b, ")%s", after);
}

void
write_text(const struct report *r, struct buf *b)
{
	add_times(b, "\u2550", 75);
	buf_text(b, "\n  TRACE-RCA EVAL SCORE REPORT\n");
	add_times(b, "\u2550", 75);
	buf_text(b, "\n\n  Overall Score: ");
	add_score(b, r->all.score);
	buf_byte(b, '/');
	add_score(b, r->all.max);
	buf_format(b, " (%ld%%)  ", per_cent(share(r->all)));
	add_bar(b, share(r->all));
	buf_text(b, "\n\n");
	add_lost(b, r, "  ", "\n\n");

	add_heading(b, "SCORES BY DIMENSION");
	for (size_t i = 0; i < AXES; i++) {
		buf_text(b, "  ");
		add_padded(b, score_titles[i], 20);
		add_tally(b, r->axes[i], 3);
		buf_byte(b, '\n');
	}
	size_t width = 20;
	for (size_t i = 0; i < r->category_count; i++) {
		size_t chars = utf8_count(r->categories[i].name, strlen(r->categories[i].name));
		if (chars > width && chars <= 40)
			width = chars;
	}
	buf_byte(b, '\n');
	add_heading(b, "SCORES BY CATEGORY");
	for (size_t i = 0; i < r->category_count; i++) {
		const struct category *c = &r->categories[i];
		buf_text(b, "  ");
		add_padded(b, c->name, width);
		buf_format(b, "%4zu cases ", c->cases);
		add_tally(b, c->tally, 3);
		buf_byte(b, '\n');
	}
	if (r->point_count == 0)
		return;
	buf_byte(b, '\n');
	add_heading(b, "TREND");
	for (size_t i = r->point_count > TREND ? r->point_count - TREND : 0; i < r->point_count;
	     i++) {
		const struct point *p = &r->points[i];
		buf_text(b, "  ");
		add_padded(b, p->wall ? p->wall : "now", 24);
		add_tally(b, p->all, 4);
		if (p->changed != NULL) {
			buf_text(b, "  ");
			markup_visible(b, p->changed, strlen(p->changed));
		}
		buf_byte(b, '\n');
	}
}

/* What Markdown or GitHub would act on is escaped; text stays on its line and in its cell. */
static void
add_plain(struct buf *b, const char *text, size_t len)
{
	struct buf shown = {0};

	markup_visible(&shown, text, len);
	for (size_t i = 0; i < shown.len; i++) {
		char c = shown.data[i];
		if (c == '&' || c == '<' || c == '@' || c == ':')
			buf_format(b, "&#%d;", c);
		else if (strchr("\\`*_{}[]()>#+!|~$", c) != NULL && c != '\0')
			buf_format(b, "\\%c", c);
		else
			buf_byte(b, c);
	}
	buf_free(&shown);
}

static void
add_cell(struct buf *b, struct tally t)
{
	add_score(b, t.score);
	buf_byte(b, '/');
	add_score(b, t.max);
	buf_format(b, " | %ld%% | ", per_cent(share(t)));
	add_bar(b, share(t));
	buf_text(b, " |\n");
}

/* What a person must look at, with the reasons of what it lost. */
static void
add_case(struct buf *b, const struct report *r, const struct score *s)
{
	struct buf t = {0};

	add_row_name(&t, r, s);
	buf_text(b, "| ");
	add_plain(b, t.data, t.len);
	buf_format(b, " | %s | ", score_statuses[s->status]);
	if (score_counts(s)) {
		add_score(b, s->total);
		buf_byte(b, '/');
		add_score(b, s->max);
	}
	buf_text(b, " | ");
	buf_clear(&t);
	add_why(&t, s, "status");
	add_plain(b, t.data ? t.data : "", t.len);
	for (int axis = 0, told = t.len > 0; axis < AXES; axis++) {
		buf_clear(&t);
		add_why(&t, s, score_axes[axis]);
		if (t.len == 0 || s->axes[axis] >= AXIS_MAX)
			continue;
		buf_format(b, "%s%s&#58; ", told++ ? "; " : "", score_titles[axis]);
		add_plain(b, t.data, t.len);
	}
	buf_text(b, " |\n");
	buf_free(&t);
}

/* GitHub refuses a step summary of more than 1 MiB, and shows nothing of it. */
static void
add_rows(struct buf *b, const struct report *r)
{
	size_t left_out = 0;

	if (r->statuses[SCORE_PASS] == r->run->count)
		return;
	buf_text(
	    b, "\n### Not passed\n\n| Case | Status | Score | Why |\n| --- | --- | ---: | --- |\n");
	for (size_t i = 0; i < r->run->count; i++) {
		struct buf row = {0};
		if (r->run->rows[i].status == SCORE_PASS)
			continue;
		add_case(&row, r, &r->run->rows[i]);
		if (b->len + row.len < SUMMARY_BYTES)
			buf_add(b, row.data, row.len);
		else
			left_out++;
		buf_free(&row);
	}
	if (left_out > 0)
		buf_format(
		    b, "\n%zu more did not pass; a step summary has no room for them.\n", left_out);
}

void
write_markdown(const struct report *r, struct buf *b)
{
	buf_text(b, "## Trace-RCA eval score report\n\n**Overall score: ");
	add_score(b, r->all.score);
	buf_byte(b, '/');
	add_score(b, r->all.max);
	buf_format(b, " (%ld%%)** ", per_cent(share(r->all)));
	add_bar(b, share(r->all));
	buf_format(b, " over %zu cases\n\n", r->cases);
	add_lost(b, r, "", "\n\n");
	buf_text(b, "| Dimension | Score | % | |\n| --- | ---: | ---: | --- |\n");
	for (size_t i = 0; i < AXES; i++) {
		buf_format(b, "| %s | ", score_titles[i]);
		add_cell(b, r->axes[i]);
	}
	buf_text(b, "\n| Category | Cases | Score | % | |\n| --- | ---: | ---: | ---: | --- |\n");
	for (size_t i = 0; i < r->category_count; i++) {
		const struct category *c = &r->categories[i];
		buf_text(b, "| ");
		add_plain(b, c->name, strlen(c->name));
		buf_format(b, " | %zu | ", c->cases);
		add_cell(b, c->tally);
	}
	add_rows(b, r);
	if (r->point_count == 0)
		return;
	buf_text(b, "\n| Run | Score | % | | Changed |\n| --- | ---: | ---: | --- | --- |\n");
	for (size_t i = r->point_count > TREND ? r->point_count - TREND : 0; i < r->point_count;
	     i++) {
		const struct point *p = &r->points[i];
		buf_text(b, "| ");
		add_plain(b, p->wall ? p->wall : "now", strlen(p->wall ? p->wall : "now"));
		buf_text(b, " | ");
		add_cell(b, p->all);
		b->len--; /* the row goes on */
		buf_byte(b, ' ');
		if (p->changed != NULL)
			add_plain(b, p->changed, strlen(p->changed));
		buf_text(b, " |\n");
	}
}
