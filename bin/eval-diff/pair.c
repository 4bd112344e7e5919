#include "pair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "prog.h"

enum { MOST_REASONS = 20 };

static void say(jv *list, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void
say(jv *list, const char *format, ...)
{
	struct buf text = {0};
	va_list args;

	if (jv_array_length(jv_copy(*list)) > MOST_REASONS)
		return;
	if (jv_array_length(jv_copy(*list)) == MOST_REASONS) {
		*list = jv_array_append(*list, jv_string("and more"));
		return;
	}
	va_start(args, format);
	buf_vformat(&text, format, args);
	va_end(args);
	*list = jv_array_append(*list, jv_string(text.data));
	buf_free(&text);
}

/* What has no score need not say by which rubric. */
static bool
agrees(const struct score *s, const struct score *with, size_t version)
{
	const char *a = s->versions[version], *b = with->versions[version];

	if (!score_counts(s) && a == NULL)
		return true;
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static size_t
scored(const struct score *rows, size_t count)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += score_counts(&rows[i]);
	return n;
}

static void
find_doubles(const struct score *rows, size_t count, const char *run, jv *refused)
{
	for (size_t i = 1; i < count; i++)
		if (rows[i].epoch == rows[i - 1].epoch)
			say(refused, "%s: epoch %lld is twice in the %s", rows[i].name,
			    rows[i].epoch, run);
}

/* A judge that was not asked is no other judge: pair_judges() compares those. */
static void
compare_versions(const struct pair *c, jv *refused)
{
	const struct score *first = NULL;

	for (size_t i = 0; first == NULL && i < c->before_rows; i++)
		if (score_counts(&c->before[i]))
			first = &c->before[i];
	if (first == NULL)
		return;
	for (size_t v = 0; v < SCORE_FIXED; v++) {
		bool equal = true;
		for (size_t i = 0; i < c->before_rows; i++)
			equal = equal && agrees(&c->before[i], first, v);
		for (size_t i = 0; i < c->after_rows; i++)
			equal = equal && agrees(&c->after[i], first, v);
		if (!equal && v != SCORE_JUDGE)
			say(refused, "%s: not the same %s", c->name, score_versions[v]);
	}
	for (size_t i = 0; i < c->after_rows; i++)
		if (score_counts(&c->after[i]) && c->after[i].max != first->max) {
			say(refused, "%s: not the same max", c->name);
			break;
		}
}

static void
compare_epochs(const struct pair *c, jv *refused)
{
	size_t k = 0;

	find_doubles(c->before, c->before_rows, "baseline", refused);
	find_doubles(c->after, c->after_rows, "current run", refused);
	for (size_t i = 0; i < c->before_rows; i++) {
		while (k < c->after_rows && c->after[k].epoch < c->before[i].epoch)
			k++;
		if (k == c->after_rows || c->after[k].epoch != c->before[i].epoch)
			say(refused, "%s: epoch %lld is missing", c->name, c->before[i].epoch);
	}
	if (scored(c->before, c->before_rows) > 0 && scored(c->after, c->after_rows) == 0)
		say(refused, "%s: no epoch has a score", c->name);
}

static void
compare_judges(const struct scores *before, const struct scores *after, jv *refused)
{
	const char *first = NULL;

	for (size_t i = 0; i < before->count + after->count; i++) {
		const struct score *s =
		    i < before->count ? &before->rows[i] : &after->rows[i - before->count];
		const char *judge = s->versions[SCORE_JUDGE];
		if (judge == NULL)
			continue;
		if (first != NULL && strcmp(judge, first) != 0) {
			say(refused, "%s: not the same judge", s->name);
			return;
		}
		first = judge;
	}
}

/* How many rows have each status that is no score; adds a note. */
static size_t
count_lost(const struct scores *s, const char *run, jv *notes)
{
	size_t n[SCORE_STATUSES] = {0};

	for (size_t i = 0; i < s->count; i++)
		n[s->rows[i].status]++;
	for (size_t i = SCORE_ERROR; i < SCORE_STATUSES; i++)
		if (n[i] > 0)
			say(notes, "%zu of %zu epochs of the %s have no score: %s", n[i], s->count,
			    run, score_statuses[i]);
	return n[SCORE_ERROR];
}

static const struct score *
first_scored(const struct scores *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (score_counts(&s->rows[i]))
			return &s->rows[i];
	return NULL;
}

/* Prompt and model may be what is compared; then the reader should know. */
static void
tell_changes(const struct scores *before, const struct scores *after, jv *notes)
{
	const struct score *a = first_scored(before), *b = first_scored(after);

	for (size_t v = SCORE_FIXED; a != NULL && b != NULL && v < SCORE_VERSIONS; v++) {
		const char *was = a->versions[v], *is = b->versions[v];
		if (was == NULL || is == NULL || strcmp(was, is) == 0)
			continue;
		say(notes, "the %s changed from %s to %s", score_versions[v], was, is);
		if (v == SCORE_MODEL && strcmp(was, "authored") == 0)
			say(notes, "the baseline was written by people, and is no model's");
	}
}

struct pairs
pair_runs(const struct scores *before, const struct scores *after)
{
	struct pairs p = {NULL, 0, jv_array(), jv_array(), false};
	size_t i = 0, k = 0;

	p.at = prog_alloc(before->count + 1, sizeof *p.at);
	if (!before->whole || !after->whole)
		say(&p.refused, "a file or a line could not be read");
	if (before->count == 0)
		say(&p.refused, "the baseline has no score");
	while (i < before->count || k < after->count) {
		int order = i == before->count  ? 1
			    : k == after->count ? -1
						: strcmp(before->rows[i].name, after->rows[k].name);
		if (order > 0) {
			say(&p.notes, "%s is new: not compared", after->rows[k].name);
			k = scores_case_end(after, k);
			continue;
		}
		struct pair c = {.name = before->rows[i].name, .before = before->rows + i};
		c.before_rows = scores_case_end(before, i) - i;
		i += c.before_rows;
		if (order < 0) {
			say(&p.refused, "%s is missing", c.name);
			continue;
		}
		c.after = after->rows + k;
		c.after_rows = scores_case_end(after, k) - k;
		k += c.after_rows;
		compare_versions(&c, &p.refused);
		compare_epochs(&c, &p.refused);
		p.at[p.count++] = c;
	}
	compare_judges(before, after, &p.refused);
	tell_changes(before, after, &p.notes);
	p.lost =
	    count_lost(before, "baseline", &p.notes) < count_lost(after, "current run", &p.notes);
	return p;
}

void
pairs_free(struct pairs *p)
{
	free(p->at);
	jv_free(p->refused);
	jv_free(p->notes);
}

static double
value(const struct score *s, int measure)
{
	return measure == TOTAL ? s->total : s->axes[measure];
}

static bool
whole_at(const struct score *rows, size_t count, int measure, double scale)
{
	for (size_t i = 0; i < count; i++) {
		double x = value(&rows[i], measure) * scale;
		if (!isnan(x) && fabs(x - round(x)) > 1e-9)
			return false;
		if (x > 1000)
			return false;
	}
	return true;
}

/* The least of a few scales that makes every score whole; scores finer than that are rounded. */
static double
scale_for(const struct pairs *p, int measure)
{
	static const double scales[] = {1, 2, 4, 10, 100};

	for (size_t s = 0; s < sizeof scales / sizeof *scales; s++) {
		bool whole = true;
		for (size_t i = 0; whole && i < p->count; i++) {
			const struct pair *c = &p->at[i];
			whole = whole_at(c->before, c->before_rows, measure, scales[s]) &&
				whole_at(c->after, c->after_rows, measure, scales[s]);
		}
		if (whole)
			return scales[s];
	}
	return 1;
}

static int *
whole_numbers(const struct score *rows, size_t count, int measure, double scale, size_t *made)
{
	int *x = prog_alloc(count + 1, sizeof *x);

	*made = 0;
	for (size_t i = 0; i < count; i++) {
		double v = value(&rows[i], measure);
		if (!isnan(v))
			x[(*made)++] = (int)lround(v * scale);
	}
	return x;
}

/* A person said that this case must pass, and every answer to it is wrong. */
static bool
must_fail(const struct pair *c)
{
	bool must = false;
	size_t failed = 0;

	for (size_t i = 0; i < c->before_rows; i++)
		must = must || c->before[i].must_pass;
	for (size_t i = 0; i < c->after_rows; i++) {
		must = must || c->after[i].must_pass;
		failed += c->after[i].status == SCORE_FAIL;
	}
	return must && failed > 0 && failed == scored(c->after, c->after_rows);
}

struct gate_case *
pair_cases(const struct pairs *p, int measure, double *scale)
{
	struct gate_case *cases = prog_alloc(p->count + 1, sizeof *cases);

	*scale = scale_for(p, measure);
	for (size_t i = 0; i < p->count; i++) {
		const struct pair *c = &p->at[i];
		struct stratum *s = &cases[i].totals;
		s->before =
		    whole_numbers(c->before, c->before_rows, measure, *scale, &s->before_count);
		s->after = whole_numbers(c->after, c->after_rows, measure, *scale, &s->after_count);
		cases[i].must_fail = measure == TOTAL && must_fail(c);
	}
	return cases;
}

struct gate_case *
pair_halves(const struct pairs *p, struct stats_random *r)
{
	struct gate_case *cases = prog_alloc(p->count + 1, sizeof *cases);
	double scale = scale_for(p, TOTAL);

	for (size_t i = 0; i < p->count; i++) {
		const struct pair *c = &p->at[i];
		size_t count;
		int *x = whole_numbers(c->before, c->before_rows, TOTAL, scale, &count);
		for (size_t k = count; k > 1; k--) {
			size_t j = stats_below(r, k);
			int swap = x[j];
			x[j] = x[k - 1];
			x[k - 1] = swap;
		}
		/* The later half is copied, so that both sides can be freed alike. */
		size_t half = count / 2;
		int *rest = prog_alloc(count - half + 1, sizeof *rest);
		memcpy(rest, x + half, (count - half) * sizeof *rest);
		cases[i].totals = (struct stratum){x, rest, half, count - half};
	}
	return cases;
}

void
pair_cases_free(struct gate_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free((void *)cases[i].totals.before);
		free((void *)cases[i].totals.after);
	}
	free(cases);
}

struct chance
pair_chance(const struct pairs *p, enum when when, size_t k)
{
	struct chance mean = {0, 0};
	size_t cases = 0;

	for (size_t i = 0; i < p->count; i++) {
		const struct pair *c = &p->at[i];
		const struct score *rows = when == BEFORE ? c->before : c->after;
		size_t count = when == BEFORE ? c->before_rows : c->after_rows, passed = 0;
		size_t n = scored(rows, count);
		for (size_t j = 0; j < count; j++)
			passed += rows[j].status == SCORE_PASS;
		if (n == 0)
			continue;
		mean.all += stats_pass_hat(n, passed, k);
		mean.any += stats_pass_at(n, passed, k);
		cases++;
	}
	mean.all /= (double)cases;
	mean.any /= (double)cases;
	return mean;
}
