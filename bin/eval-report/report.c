#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ndjson.h"
#include "prog.h"
#include "show.h"
#include "utf8.h"

double
share(struct tally t)
{
	return t.max > 0 ? t.score / t.max : 0;
}

long
per_cent(double s)
{
	long whole = lround(100 * s);

	return whole == 100 && s < 1 ? 99 : whole;
}

void
add_score(struct buf *b, double score)
{
	buf_format(b, "%.10g", score);
}

void
add_row_name(struct buf *b, const struct report *r, const struct score *s)
{
	buf_text(b, s->name);
	if (r->epochs > 1 || s->epoch > 0)
		buf_format(b, " [epoch %lld]", s->epoch);
}

void
add_why(struct buf *b, const struct score *s, const char *what)
{
	jv why = jvx_get(s->why, what);

	if (jv_get_kind(why) == JV_KIND_STRING)
		buf_add(b, jv_string_value(why), jvx_length(why));
	else if (jv_is_valid(why) && jv_get_kind(why) != JV_KIND_NULL)
		jvx_write(why, b);
	jv_free(why);
}

static int
by_place(const void *a, const void *b)
{
	const struct score *const *x = a, *const *y = b;

	return ((*x)->place > (*y)->place) - ((*x)->place < (*y)->place);
}

static struct category *
category_of(struct report *r, const char *name)
{
	for (size_t i = 0; i < r->category_count; i++)
		if (strcmp(r->categories[i].name, name) == 0)
			return &r->categories[i];
	r->categories = prog_resize(r->categories, r->category_count + 1, sizeof *r->categories);
	r->categories[r->category_count] = (struct category){name, 0, {0, 0}};
	return &r->categories[r->category_count++];
}

static void
add_row(struct report *r, const struct score *s)
{
	struct category *c = category_of(r, s->category);

	r->statuses[s->status]++;
	if (!score_counts(s))
		return;
	r->all.score += s->total;
	r->all.max += s->max;
	c->tally.score += s->total;
	c->tally.max += s->max;
	for (size_t i = 0; i < AXES; i++)
		if (!isnan(s->axes[i])) {
			r->axes[i].score += s->axes[i];
			r->axes[i].max += AXIS_MAX;
		}
}

static char *
text_of(jv rec, const char *key)
{
	const char *text = jvx_text(rec, key);

	return text != NULL && *text != '\0' ? prog_copy(text, strlen(text)) : NULL;
}

static void
add_point(struct report *r, struct point p)
{
	struct buf changed = {0};
	static const enum score_version told[] = {SCORE_PROMPT, SCORE_MODEL, SCORE_RUBRIC};

	if (r->point_count > 0) {
		const struct point *last = &r->points[r->point_count - 1];
		for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
			const char *a = last->versions[told[i]], *b = p.versions[told[i]];
			if (a != NULL && b != NULL && strcmp(a, b) != 0)
				buf_format(&changed, "%s%s %s to %s", changed.len ? ", " : "",
				    score_versions[told[i]], a, b);
		}
	}
	p.changed = changed.data;
	r->points = prog_resize(r->points, r->point_count + 1, sizeof *r->points);
	r->points[r->point_count++] = p;
}

static void
read_history(struct report *r, char *name)
{
	struct ndjson *in = ndjson_open((char *[]){name, NULL});

	while (ndjson_next(in)) {
		if (!ndjson_is(in, "eval_run"))
			continue;
		jv rec = ndjson_value(in), axes = jvx_get(rec, "axes");
		struct point p = {.wall = text_of(rec, "wall")};
		p.all = (struct tally){jvx_number(rec, "total", 0), jvx_number(rec, "max", 0)};
		for (size_t i = 0; i < AXES; i++) {
			double s = jvx_number(axes, score_axes[i], NAN);
			p.axes[i] = s >= 0 && s <= 1 ? s : NAN;
		}
		for (size_t i = 0; i < SCORE_VERSIONS; i++)
			p.versions[i] = text_of(rec, score_versions[i]);
		if (!(p.all.score >= 0 && p.all.score <= p.all.max))
			ndjson_complain(in, "an eval_run record whose total is not from 0 to max");
		else
			add_point(r, p);
		jv_free(axes);
		jv_free(rec);
	}
	r->whole = ndjson_close(in, stdout);
}

static char *
copy_or_null(const char *text)
{
	return text != NULL ? prog_copy(text, strlen(text)) : NULL;
}

struct report
report_make(const struct scores *run, char *history, const char *wall)
{
	struct report r = {.run = run, .wall = wall, .whole = true};
	const struct score **rows = prog_alloc(run->count + 1, sizeof *rows);

	for (size_t i = 0; i < run->count; i++)
		rows[i] = &run->rows[i];
	qsort(rows, run->count, sizeof *rows, by_place);
	for (size_t i = 0; i < run->count; i++)
		add_row(&r, rows[i]);
	free(rows);
	for (size_t i = 0, end; i < run->count; i = end) {
		end = scores_case_end(run, i);
		r.cases++;
		category_of(&r, run->rows[i].category)->cases++;
		if (end - i > r.epochs)
			r.epochs = end - i;
	}
	if (history == NULL)
		return r;
	read_history(&r, history);
	struct point now = {.wall = copy_or_null(wall), .all = r.all};
	for (size_t i = 0; i < AXES; i++)
		now.axes[i] = r.axes[i].max > 0 ? share(r.axes[i]) : NAN;
	for (size_t i = 0; i < SCORE_VERSIONS && run->count > 0; i++)
		now.versions[i] = copy_or_null(run->rows[0].versions[i]);
	add_point(&r, now);
	return r;
}

void
report_free(struct report *r)
{
	for (size_t i = 0; i < r->point_count; i++) {
		free(r->points[i].wall);
		free(r->points[i].changed);
		for (size_t k = 0; k < SCORE_VERSIONS; k++)
			free(r->points[i].versions[k]);
	}
	free(r->points);
	free(r->categories);
}

void
write_history(const struct report *r, struct buf *b)
{
	jv rec = jvx_set_text(jv_object(), "type", "eval_run"), axes = jv_object();
	const struct score *first = &r->run->rows[0];

	for (size_t i = 0; i < AXES; i++)
		if (r->axes[i].max > 0)
			axes = jvx_set_number(axes, score_axes[i], share(r->axes[i]));
	rec = jvx_set(rec, "axes", axes);
	rec = jvx_set_text(rec, "wall", r->wall);
	rec = jvx_set_number(rec, "cases", (double)r->cases);
	rec = jvx_set_number(rec, "epochs", (double)r->epochs);
	rec = jvx_set_number(rec, "total", r->all.score);
	rec = jvx_set_number(rec, "max", r->all.max);
	for (size_t i = SCORE_RUBRIC; i < SCORE_VERSIONS; i++)
		rec = jvx_set_text(rec, score_versions[i], first->versions[i]);
	jvx_write(rec, b);
	buf_byte(b, '\n');
	jv_free(rec);
}
