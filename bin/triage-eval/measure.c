#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calibration.h"
#include "prog.h"

enum { DRAWS = 2000, WIDTHS = 10, MASSES = 5, ISOTONIC_LEAST = 100 };

enum slice { DEV, HELD_OUT, ALL, SLICES };
static const char *const slices[] = {"dev", "held-out", "all"};

static const char *const owners[] = {"app_code", "test_code", "environment", "data", "unknown"};
static const char *const behaviours[] = {"deterministic", "intermittent", "unknown"};
enum {
	OWNERS = sizeof owners / sizeof *owners,
	BEHAVIOURS = sizeof behaviours / sizeof *behaviours
};

static bool
in_slice(const struct labelled *c, enum slice slice)
{
	return slice == ALL || c->held_out == (slice == HELD_OUT);
}

/* Metric records. */

static jv
metric(const char *name, const char *slice, const char *of)
{
	jv rec = jvx_set_text(jv_object(), "type", "metric");

	rec = jvx_set_text(rec, "metric", name);
	rec = jvx_set_text(rec, "slice", slice);
	return jvx_set_text(rec, "of", of);
}

/* Six decimals are more than these numbers carry, and print alike everywhere. */
static jv
set_value(jv rec, const char *key, double x)
{
	return jvx_set_number(rec, key, isfinite(x) ? round(x * 1e6) / 1e6 : x);
}

static jv
set_interval(jv rec, struct interval ci, const char *method)
{
	if (isnan(ci.lo))
		return rec;
	rec = set_value(set_value(rec, "lo", ci.lo), "hi", ci.hi);
	return jvx_set_text(rec, "method", method);
}

static void
put(struct measure *m, jv rec)
{
	m->metrics = jv_array_append(m->metrics, rec);
}

static jv
share(const char *name, const char *slice, const char *of, size_t k, size_t n)
{
	jv rec = metric(name, slice, of);

	rec = jvx_set_number(jvx_set_number(rec, "k", (double)k), "n", (double)n);
	if (n == 0)
		return rec;
	rec = set_value(rec, "value", (double)k / (double)n);
	return set_interval(rec, stats_wilson((double)k, (double)n), "wilson");
}

static void
put_share(
    struct measure *m, const char *name, const char *slice, const char *of, size_t k, size_t n)
{
	put(m, share(name, slice, of, k, n));
}

/* Accuracy. */

static void
put_accuracy(struct measure *m, const char *name, enum slice slice, const char *of,
    bool (*counts)(const struct labelled *), bool (*right)(const struct labelled *))
{
	size_t k = 0, n = 0;

	for (size_t i = 0; i < m->set->count; i++) {
		const struct labelled *c = &m->set->cases[i];
		if (!in_slice(c, slice) || (counts != NULL && !counts(c)))
			continue;
		n++;
		k += right(c);
	}
	put_share(m, name, slices[slice], of, k, n);
}

static void
put_quadrant(struct measure *m, enum slice slice, const char *owner, const char *behaviour)
{
	size_t k = 0, n = 0;
	char of[64];

	for (size_t i = 0; i < m->set->count; i++) {
		const struct labelled *c = &m->set->cases[i];
		if (!in_slice(c, slice) || strcmp(c->owner, owner) != 0 ||
		    strcmp(c->behaviour, behaviour) != 0)
			continue;
		n++;
		k += set_right(c);
	}
	snprintf(of, sizeof of, "%s, %s", owner, behaviour);
	if (n > 0)
		put_share(m, "quadrant", slices[slice], of, k, n);
}

/* Per class. */

/* What a case is, and what it was called; said is NULL where no verdict is. */
struct pair {
	const char *is, *said;
};

static struct pair
owner_pair(const struct labelled *c)
{
	return (struct pair){set_truth(c), set_made(c) ? c->samples[0].owner : NULL};
}

static struct pair
behaviour_pair(const struct labelled *c)
{
	return (struct pair){c->behaviour, set_made(c) ? c->samples[0].behaviour : NULL};
}

static bool
same(const char *a, const char *b)
{
	return a != NULL && b != NULL && strcmp(a, b) == 0;
}

static double
f1_of(const struct pair *p, const size_t *draw, size_t n, const char *class)
{
	double hits = 0, is = 0, said = 0;

	for (size_t i = 0; i < n; i++) {
		const struct pair *x = &p[draw ? draw[i] : i];
		hits += same(x->is, class) && same(x->said, class);
		is += same(x->is, class);
		said += same(x->said, class);
	}
	return is + said > 0 ? 2 * hits / (is + said) : NAN;
}

static struct interval
f1_interval(const struct pair *p, size_t n, const char *class, uint64_t seed)
{
	double *values = prog_alloc(DRAWS, sizeof *values);
	size_t *draw = prog_alloc(n + 1, sizeof *draw), kept = 0;
	struct stats_random random;

	stats_seed(&random, seed);
	for (size_t i = 0; i < DRAWS; i++) {
		for (size_t k = 0; k < n; k++)
			draw[k] = stats_below(&random, n);
		double f1 = f1_of(p, draw, n, class);
		if (!isnan(f1))
			values[kept++] = f1;
	}
	struct interval ci = {NAN, NAN};
	if (kept > 0)
		ci = (struct interval){
		    stats_percentile(values, kept, .025), stats_percentile(values, kept, .975)};
	free(values);
	free(draw);
	return ci;
}

static void
put_class(struct measure *m, const char *slice, const char *class, const struct pair *p, size_t n)
{
	size_t hits = 0, is = 0, said = 0;

	for (size_t i = 0; i < n; i++) {
		hits += same(p[i].is, class) && same(p[i].said, class);
		is += same(p[i].is, class);
		said += same(p[i].said, class);
	}
	if (is + said == 0)
		return;
	put_share(m, "precision", slice, class, hits, said);
	put_share(m, "recall", slice, class, hits, is);
	jv f1 = set_value(metric("f1", slice, class), "value", f1_of(p, NULL, n, class));
	put(m, set_interval(f1, f1_interval(p, n, class, m->seed), "bootstrap"));
}

static void
put_confusion(struct measure *m, const char *name, const char *slice, const struct pair *p,
    size_t n, const char *const classes[], size_t count)
{
	for (size_t is = 0; is < count; is++) {
		for (size_t said = 0; said <= count; said++) {
			size_t k = 0;
			char of[64];
			for (size_t i = 0; i < n; i++)
				k += same(p[i].is, classes[is]) &&
				     (said < count ? same(p[i].said, classes[said])
						   : p[i].said == NULL);
			snprintf(of, sizeof of, "%s called %s", classes[is],
			    said < count ? classes[said] : "nothing");
			if (k > 0)
				put(m, jvx_set_number(metric(name, slice, of), "k", (double)k));
		}
	}
}

static void
put_classes(struct measure *m, enum slice slice)
{
	const struct set *s = m->set;
	struct pair *owner = prog_alloc(s->count + 1, sizeof *owner),
		    *behaviour = prog_alloc(s->count + 1, sizeof *behaviour);
	size_t n = 0;

	for (size_t i = 0; i < s->count; i++) {
		if (!in_slice(&s->cases[i], slice))
			continue;
		owner[n] = owner_pair(&s->cases[i]);
		behaviour[n++] = behaviour_pair(&s->cases[i]);
	}
	for (size_t i = 0; i < OWNERS; i++)
		put_class(m, slices[slice], owners[i], owner, n);
	/* Both axes have an "unknown"; that of the behaviour is in its confusion. */
	for (size_t i = 0; i + 1 < BEHAVIOURS; i++)
		put_class(m, slices[slice], behaviours[i], behaviour, n);
	put_confusion(m, "owner_confusion", slices[slice], owner, n, owners, OWNERS);
	put_confusion(
	    m, "behaviour_confusion", slices[slice], behaviour, n, behaviours, BEHAVIOURS);
	free(owner);
	free(behaviour);
}

/* Calibration. */

/* Verdicts that say how sure they are. */
static struct point *
points_of(const struct set *s, enum slice slice, size_t *n)
{
	struct point *p = prog_alloc(s->count + 1, sizeof *p);

	*n = 0;
	for (size_t i = 0; i < s->count; i++) {
		const struct labelled *c = &s->cases[i];
		if (in_slice(c, slice) && set_made(c) && c->samples[0].confidence >= 0 &&
		    c->samples[0].confidence <= 1)
			p[(*n)++] = (struct point){c->samples[0].confidence, set_right(c)};
	}
	return p;
}

static void
put_statistic(struct measure *m, const char *name, const char *slice, const struct point *p,
    size_t n, double (*statistic)(const struct point *, size_t))
{
	jv rec = jvx_set_number(metric(name, slice, NULL), "n", (double)n);

	rec = set_value(rec, "value", statistic(p, n));
	put(m,
	    set_interval(rec, calibration_bootstrap(p, n, statistic, DRAWS, m->seed), "bootstrap"));
}

static void
put_bins(struct measure *m, const char *slice, const struct bin *bins)
{
	for (size_t i = 0; i < WIDTHS; i++) {
		char of[40];
		if (bins[i].n == 0)
			continue;
		snprintf(of, sizeof of, "%.2f to %.2f", bins[i].from, bins[i].to);
		jv rec = share("reliability", slice, of, bins[i].right, bins[i].n);
		put(m, set_value(rec, "confidence", bins[i].confidence));
	}
}

static void
put_fifths(struct measure *m, const char *slice, const struct bin *bins)
{
	static const char *const names[MASSES] = {
	    "least sure", "second", "third", "fourth", "most sure"};

	for (size_t i = 0; i < MASSES; i++) {
		if (bins[i].n == 0)
			continue;
		jv rec = share("reliability_by_fifths", slice, names[i], bins[i].right, bins[i].n);
		rec = set_value(set_value(rec, "from", bins[i].from), "to", bins[i].to);
		put(m, set_value(rec, "confidence", bins[i].confidence));
	}
}

static void
put_calibration(struct measure *m, enum slice slice)
{
	size_t n;
	struct point *p = points_of(m->set, slice, &n);
	struct bin widths[WIDTHS], masses[MASSES];
	const char *name = slices[slice];

	if (n > 0) {
		put_statistic(m, "ece", name, p, n, calibration_ece);
		put_statistic(m, "mce", name, p, n, calibration_mce);
		put_statistic(m, "brier", name, p, n, calibration_brier);
		put_statistic(m, "auroc", name, p, n, calibration_auroc);
		put(m, jvx_set_number(metric("distinct_confidences", name, NULL), "value",
			   (double)calibration_distinct(p, n)));
		calibration_widths(p, n, widths, WIDTHS);
		put_bins(m, name, widths);
		calibration_masses(p, n, masses, MASSES);
		put_fifths(m, name, masses);
	}
	free(p);
}

static void
put_above(struct measure *m, enum slice slice, double threshold)
{
	size_t n, above = 0, right = 0;
	struct point *p = points_of(m->set, slice, &n);

	for (size_t i = 0; i < n; i++) {
		above += p[i].confidence >= threshold;
		right += p[i].confidence >= threshold && p[i].right;
	}
	put_share(m, "right_above_threshold", slices[slice], NULL, right, above);
	free(p);
}

/* A confidence that does not tell right from wrong is not to decide anything. */
static void
put_threshold(struct measure *m, const struct point *p, size_t n)
{
	jv rec = set_value(metric("threshold", "dev", NULL), "target", m->target);
	double auroc = calibration_auroc(p, n), threshold = calibration_threshold(p, n, m->target);

	if (calibration_distinct(p, n) < 2 || !(auroc >= .6)) {
		rec = jvx_set_text(
		    rec, "note", "none: the confidence does not tell right from wrong");
		threshold = NAN;
	} else if (isnan(threshold)) {
		rec = jvx_set_text(rec, "note", "none: no confidence is right often enough");
	}
	/* Not rounded: it is compared with what was given. */
	put(m, jvx_set_number(rec, "value", threshold));
	for (int slice = DEV; !isnan(threshold) && slice <= HELD_OUT; slice++)
		put_above(m, slice, threshold);
}

/* Fitted on dev; how well it holds, the held-out cases say. */
static void
put_recalibration(struct measure *m, const struct point *dev, size_t n)
{
	struct platt f = calibration_platt(dev, n);

	if (n >= ISOTONIC_LEAST) {
		double *fitted = prog_alloc(n, sizeof *fitted);
		calibration_isotonic(dev, n, fitted);
		for (size_t i = 0; i < n; i++) {
			char of[40];
			bool seen = false;
			for (size_t k = 0; k < i; k++)
				seen = seen || dev[k].confidence == dev[i].confidence;
			snprintf(of, sizeof of, "%.4f", dev[i].confidence);
			if (!seen)
				put(m,
				    set_value(metric("isotonic", "dev", of), "value", fitted[i]));
		}
		free(fitted);
	}
	if (isnan(f.a))
		return;
	put(m, set_value(metric("platt_a", "dev", NULL), "value", f.a));
	put(m, set_value(metric("platt_b", "dev", NULL), "value", f.b));
	for (int slice = DEV; slice <= HELD_OUT; slice++) {
		size_t count;
		struct point *p = points_of(m->set, slice, &count);
		for (size_t i = 0; i < count; i++)
			p[i].confidence = calibration_platt_at(f, p[i].confidence);
		if (count > 0)
			put_statistic(
			    m, "ece_recalibrated", slices[slice], p, count, calibration_ece);
		free(p);
	}
}

/* Does the order of work put first what goes wrong? */
static void
put_order(struct measure *m)
{
	const struct set *s = m->set;
	struct point *p = prog_alloc(s->count + 1, sizeof *p);
	size_t n = 0;

	for (size_t i = 0; i < s->count; i++)
		if (!isnan(s->cases[i].ambiguity))
			p[n++] = (struct point){s->cases[i].ambiguity, !set_right(&s->cases[i])};
	jv rec = jvx_set_number(metric("ambiguity_auroc", "all", NULL), "n", (double)n);
	struct interval ci = calibration_bootstrap(p, n, calibration_auroc, DRAWS, m->seed);
	rec = set_value(rec, "value", calibration_auroc(p, n));
	rec = set_interval(rec, ci, "bootstrap");
	if (!(ci.lo > .5))
		rec = jvx_set_text(rec, "note", "not shown to help");
	put(m, rec);
	free(p);
}

/* Steadiness and cost. */

static void
put_steadiness(struct measure *m)
{
	size_t k = 0, n = 0;

	for (size_t i = 0; i < m->set->count; i++) {
		const struct labelled *c = &m->set->cases[i];
		bool steady = true;
		for (size_t j = 1; j < c->count; j++)
			steady = steady && same(c->samples[j].owner, c->samples[0].owner) &&
				 same(c->samples[j].behaviour, c->samples[0].behaviour);
		n += c->count > 1;
		k += c->count > 1 && steady;
	}
	if (n > 0)
		put_share(m, "self_consistency", "all", NULL, k, n);
	else
		put(m,
		    jvx_set_text(metric("self_consistency", "all", NULL), "note", "not measured"));
}

static void
put_cost(struct measure *m)
{
	const struct set *s = m->set;
	double n = 0;

	for (size_t i = 0; i < s->count; i++)
		n += (double)s->cases[i].count;
	if (n == 0 || !same(s->mode, "model"))
		return;
	put(m, set_value(metric("calls_per_case", "all", NULL), "value", s->calls / n));
	put(m,
	    set_value(metric("input_tokens_per_case", "all", NULL), "value", s->input_tokens / n));
	put(m, set_value(
		   metric("output_tokens_per_case", "all", NULL), "value", s->output_tokens / n));
}

void
measure_all(struct measure *m)
{
	for (int slice = DEV; slice < SLICES; slice++) {
		put_accuracy(m, "right", slice, "owner and behaviour", NULL, set_right);
		put_accuracy(m, "right", slice, "owner", NULL, set_owner_right);
		put_accuracy(m, "right", slice, "behaviour", NULL, set_behaviour_right);
		put_accuracy(m, "classified", slice, NULL, NULL, set_made);
		put_accuracy(m, "hard_quadrant", slice, NULL, set_hard, set_right);
		for (size_t i = 0; i < OWNERS; i++)
			for (size_t k = 0; k < BEHAVIOURS; k++)
				put_quadrant(m, slice, owners[i], behaviours[k]);
		put_classes(m, slice);
		put_calibration(m, slice);
	}
	size_t n;
	struct point *dev = points_of(m->set, DEV, &n);
	put_threshold(m, dev, n);
	put_recalibration(m, dev, n);
	free(dev);
	put_order(m);
	put_steadiness(m);
	put_cost(m);
}

/* Variants. */

static void
put_difference(struct measure *m, const char *name, const struct set *variant, bool hard)
{
	size_t gained = 0, lost = 0, right = 0, n = 0;
	char of[96];

	for (size_t i = 0; i < m->set->count; i++) {
		const struct labelled *a = &m->set->cases[i], *b = set_find(variant, a->name);
		if (b == NULL || (hard && !set_hard(a)))
			continue;
		n++;
		right += set_right(b);
		gained += set_right(b) && !set_right(a);
		lost += !set_right(b) && set_right(a);
	}
	snprintf(of, sizeof of, "%.60s%s", name, hard ? ", hard quadrant" : "");
	put_share(m, "ablation", "all", of, right, n);
	jv rec = jvx_set_number(metric("ablation_difference", "all", of), "n", (double)n);
	rec = jvx_set_number(rec, "gained", (double)gained);
	rec = jvx_set_number(rec, "lost", (double)lost);
	if (n > 0) {
		rec = set_value(rec, "value", ((double)gained - (double)lost) / (double)n);
		rec = set_interval(rec, stats_agresti_min(gained, lost, n), "agresti-min");
		rec = set_value(rec, "p", stats_mcnemar(gained, lost).two_sided);
	}
	if (!hard && m->set->input_tokens > 0)
		rec = set_value(rec, "tokens_ratio", variant->input_tokens / m->set->input_tokens);
	put(m, rec);
}

void
measure_variant(struct measure *m, const char *name, const struct set *variant)
{
	if (variant == NULL) {
		put(m, jvx_set_text(metric("ablation", "all", name), "note", "not measured"));
		return;
	}
	put_difference(m, name, variant, false);
	put_difference(m, name, variant, true);
}

double
measure_bound(const struct measure *m)
{
	size_t k = 0;

	for (size_t i = 0; i < m->set->count; i++)
		k += set_right(&m->set->cases[i]);
	return m->set->count > 0 ? stats_wilson((double)k, (double)m->set->count).lo : 0;
}
