/* eval-diff: what changed between two runs of the golden set, and whether it matters. */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "confine.h"
#include "ndjson.h"
#include "pair.h"
#include "prog.h"

enum { DRAWS = 1000, SEED = 1, MOST_NAMED = 8, MOST_K = 16 };

/* What is known in the end; cases and measures are in the order of the pairs. */
struct finding {
	struct gate gate;
	double scale;
	double axis_p[AXES], axis_holm[AXES];
	jv because;
};

static jv
add(jv list, struct buf *text)
{
	list = jv_array_append(list, jv_string_sized(text->data, (int)text->len));
	buf_free(text);
	return list;
}

static double
mean_of(const int *x, size_t n, double scale)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i];
	return sum / (double)n / scale;
}

/* Means over the cases of one measure; NaN when no case has it on both sides. */
static void
means(const struct gate_case *cases, size_t count, double scale, double *before, double *after)
{
	size_t n = 0;

	*before = *after = 0;
	for (size_t i = 0; i < count; i++) {
		const struct stratum *s = &cases[i].totals;
		if (s->before_count == 0 || s->after_count == 0)
			continue;
		*before += mean_of(s->before, s->before_count, scale);
		*after += mean_of(s->after, s->after_count, scale);
		n++;
	}
	*before /= (double)n;
	*after /= (double)n;
}

static jv
diff_record(const char *name, const char *axis, double before, double after)
{
	jv rec = jvx_set_text(jv_object(), "type", "diff");

	rec = jvx_set_text(rec, "case", name);
	rec = jvx_set_text(rec, "axis", axis);
	rec = jvx_set_number(rec, "before", before);
	rec = jvx_set_number(rec, "after", after);
	return jvx_set_number(rec, "moved", after - before);
}

static const char *
measure_name(int measure)
{
	return measure == TOTAL ? "total" : score_axes[measure];
}

/* A record for each measure over all cases, and one for each case that moved in it. */
static jv
diff_measure(const struct pairs *p, int measure, struct finding *f)
{
	double scale, before, after;
	struct gate_case *cases = pair_cases(p, measure, &scale);
	jv recs = jv_array();

	means(cases, p->count, scale, &before, &after);
	if (!isnan(before)) {
		jv rec = diff_record(NULL, measure_name(measure), before, after);
		rec = jvx_set_number(rec, "p", measure == TOTAL ? f->gate.p : f->axis_p[measure]);
		if (measure < AXES)
			rec = jvx_set_number(rec, "p_holm", f->axis_holm[measure]);
		recs = jv_array_append(recs, rec);
	}
	for (size_t i = 0; i < p->count; i++) {
		const struct stratum *s = &cases[i].totals;
		if (s->before_count == 0 || s->after_count == 0)
			continue;
		before = mean_of(s->before, s->before_count, scale);
		after = mean_of(s->after, s->after_count, scale);
		if (before == after)
			continue;
		jv rec = diff_record(p->at[i].name, measure_name(measure), before, after);
		if (measure == TOTAL)
			rec = jvx_set_number(rec, "p", stats_permutation(s, 1).lower);
		recs = jv_array_append(recs, rec);
	}
	pair_cases_free(cases, p->count);
	return recs;
}

static void
test_axes(const struct pairs *p, struct finding *f)
{
	struct stratum *strata = prog_alloc(p->count + 1, sizeof *strata);

	for (int axis = 0; axis < AXES; axis++) {
		double scale;
		struct gate_case *cases = pair_cases(p, axis, &scale);
		for (size_t i = 0; i < p->count; i++)
			strata[i] = cases[i].totals;
		f->axis_p[axis] = f->axis_holm[axis] = stats_permutation(strata, p->count).lower;
		pair_cases_free(cases, p->count);
	}
	stats_holm(f->axis_holm, AXES);
	free(strata);
}

/* Which axes and which cases fell, for whoever must look into it. */
static jv
name_the_fallen(jv because, const struct pairs *p)
{
	struct buf axes = {0}, fallen = {0};
	size_t named = 0, all = 0;

	for (int measure = 0; measure < MEASURES; measure++) {
		double scale, before, after;
		struct gate_case *cases = pair_cases(p, measure, &scale);
		means(cases, p->count, scale, &before, &after);
		if (measure < AXES && after < before - 1e-12)
			buf_format(&axes, "%s %s %.4g to %.4g",
			    axes.len ? "," : "axes that fell:", score_axes[measure], before, after);
		for (size_t i = 0; measure == TOTAL && i < p->count; i++) {
			const struct stratum *s = &cases[i].totals;
			before = mean_of(s->before, s->before_count, scale);
			after = mean_of(s->after, s->after_count, scale);
			if (!(after < before - 1e-12))
				continue;
			if (all++ < MOST_NAMED)
				buf_format(&fallen, "%s %s %.4g to %.4g",
				    named++ ? "," : "cases that fell:", p->at[i].name, before,
				    after);
		}
		pair_cases_free(cases, p->count);
	}
	if (all > named)
		buf_format(&fallen, ", and %zu more", all - named);
	if (axes.len > 0)
		because = add(because, &axes);
	if (fallen.len > 0)
		because = add(because, &fallen);
	return because;
}

static jv
explain(const struct pairs *p, const struct gate_case *cases, const struct finding *f)
{
	const struct gate *g = &f->gate;
	jv because = jv_array();
	struct buf t = {0};
	size_t changed = 0;

	for (size_t i = 0; i < p->count; i++) {
		const struct stratum *s = &cases[i].totals;
		if (s->before_count > 0 && s->after_count > 0)
			changed += mean_of(s->before, s->before_count, 1) !=
				   mean_of(s->after, s->after_count, 1);
		if (cases[i].must_fail) {
			buf_format(&t, "%s must pass, and failed in every epoch", p->at[i].name);
			because = add(because, &t);
		}
		if (cases[i].broken) {
			buf_format(&t, "%s is broken: p %.6f after Holm over %zu cases",
			    p->at[i].name, cases[i].p, p->count);
			because = add(because, &t);
		}
	}
	if (g->dropped)
		buf_format(&t, "the total fell by %.2f %%, more than 10 %%, with p %.6f: %s",
		    -100 * g->effect, g->p,
		    g->verdict == GATE_REGRESSED && g->p <= GATE_ALPHA + 1e-12
			? "more than chance"
			: "chance alone could do that");
	else if (g->cases > 0)
		buf_format(&t, "the total did not fall by more than 10 %% (%+.2f %%)",
		    isnan(g->effect) ? 0 : 100 * g->effect);
	else
		buf_text(&t, "no case has a score in both runs");
	because = add(because, &t);
	if (g->dropped || g->verdict == GATE_REGRESSED)
		because = name_the_fallen(because, p);

	if (g->reach > GATE_ALPHA + 1e-12) {
		buf_format(
		    &t, "not testable: these cases and epochs can give no p below %.4f", g->reach);
		because = add(because, &t);
	} else if (g->epochs == 1 && changed < 5) {
		buf_format(&t,
		    "not testable: %zu cases changed, and with one epoch each it takes five",
		    changed);
		because = add(because, &t);
	}
	if (!isnan(g->mde)) {
		buf_format(
		    &t, "the smallest drop this run could have seen is %.1f %%", 100 * g->mde);
		because = add(because, &t);
	}
	if (g->more > 0) {
		/* Of the cases that fell alone it would be no test: they were chosen for falling.
		 */
		buf_format(&t,
		    "about %zu more epochs of each case, in both runs, would settle it "
		    "(rca-eval -k %zu)",
		    g->more, g->more + g->epochs);
		because = add(because, &t);
	}
	return because;
}

static jv
chances(const struct pairs *p, enum when when, size_t most, bool all)
{
	jv list = jv_array();

	for (size_t k = 1; k <= most && k <= MOST_K; k++) {
		struct chance c = pair_chance(p, when, k);
		double x = all ? c.all : c.any;
		if (isnan(x))
			break;
		list = jv_array_append(list, jv_number(x));
	}
	return list;
}

static jv
gate_record(const struct pairs *p, const struct finding *f)
{
	const struct gate *g = &f->gate;
	jv rec = jvx_set_text(jv_object(), "type", "gate");

	rec = jvx_set_text(rec, "verdict", gate_verdicts[g->verdict]);
	rec = jvx_set(rec, "because", jv_copy(f->because));
	if (g->verdict == GATE_INVALID)
		return rec;
	rec = jvx_set_number(rec, "cases", (double)g->cases);
	rec = jvx_set_number(rec, "epochs", (double)g->epochs);
	rec = jvx_set_number(rec, "p", g->p);
	rec = jvx_set_number(rec, "effect", g->effect);
	rec = jvx_set_number(rec, "lo", g->ci.lo);
	rec = jvx_set_number(rec, "hi", g->ci.hi);
	rec = jvx_set_number(rec, "mde", g->mde);
	if (g->more > 0)
		rec = jvx_set_number(rec, "more_epochs", (double)g->more);
	if (g->cases == 0)
		return rec;
	rec = jvx_set_number(rec, "before", g->before / f->scale);
	rec = jvx_set_number(rec, "after", g->after / f->scale);
	for (int all = 1; all >= 0; all--) {
		jv both = jv_object();
		both = jvx_set(both, "before", chances(p, BEFORE, g->epochs, all));
		both = jvx_set(both, "after", chances(p, AFTER, g->epochs, all));
		rec = jvx_set(rec, all ? "pass_hat" : "pass_at", both);
	}
	return rec;
}

/* The share of what could be had, in whole per cent. */
static long
per_cent(const struct pairs *p, double points)
{
	double max = 0;
	size_t n = 0;

	for (size_t i = 0; i < p->count; i++)
		for (size_t k = 0; k < p->at[i].before_rows; k++)
			if (score_counts(&p->at[i].before[k])) {
				max += p->at[i].before[k].max;
				n++;
				break;
			}
	if (n == 0)
		return 0;
	double share = points * (double)n / max;
	long whole = lround(100 * share);
	return whole == 100 && share < 1 - 1e-12 ? 99 : whole;
}

static void
print_rule(void)
{
	for (int i = 0; i < 72; i++)
		fputs("\u2500", stdout);
	putchar('\n');
}

/* Names come from records, and a terminal obeys control bytes. */
static void
print_because(jv because)
{
	jv_array_foreach (because, i, reason) {
		const char *text = jv_string_value(reason);
		fputs("  - ", stdout);
		for (size_t k = 0; k < jvx_length(reason); k++)
			putchar((unsigned char)text[k] < ' ' || text[k] == 127 ? '?' : text[k]);
		putchar('\n');
		jv_free(reason);
	}
}

static void
print_check(const struct pairs *p, const struct finding *f, bool naive)
{
	const struct gate *g = &f->gate;

	print_rule();
	puts("REGRESSION CHECK");
	print_rule();
	if (g->verdict == GATE_INVALID) {
		puts("  \u26a0\ufe0f  INVALID \u2014 the runs cannot be compared");
		print_because(f->because);
		return;
	}
	long before = per_cent(p, g->before / f->scale), after = per_cent(p, g->after / f->scale);
	printf("  Baseline:  %ld%%\n  Current:   %ld%%\n  Delta:     %+ld%%\n", before, after,
	    after - before);
	if (g->verdict == GATE_REGRESSED && g->dropped)
		puts("  \u26a0\ufe0f  REGRESSION DETECTED \u2014 score dropped >10% from baseline");
	else if (g->verdict == GATE_REGRESSED)
		puts("  \u26a0\ufe0f  REGRESSION DETECTED");
	else if (g->verdict == GATE_SUSPECT && g->dropped)
		puts("  \u26a0\ufe0f  SUSPECT \u2014 score dropped >10% from baseline, which may "
		     "be chance");
	else if (g->verdict == GATE_SUSPECT)
		puts("  \u26a0\ufe0f  SUSPECT \u2014 answers were lost");
	else
		puts("  \u2705 No regression");
	if (naive)
		return;
	if (g->p < 0.00005)
		puts("  p:         < 0.0001 (one-sided, exact)");
	else
		printf("  p:         %.4f (one-sided, exact)\n", g->p);
	if (!isnan(g->effect))
		printf("  Effect:    %+.2f%%", 100 * g->effect);
	if (!isnan(g->ci.lo))
		printf(" (95%%: %+.2f%% .. %+.2f%%)", 100 * g->ci.lo, 100 * g->ci.hi);
	if (!isnan(g->effect))
		putchar('\n');
	print_because(f->because);
}

/* The axes over all cases, and the totals of the cases: the rest is in the records. */
static void
print_diffs(jv recs)
{
	jv_array_foreach (recs, i, rec) {
		const char *name = jvx_text(rec, "case");
		char *clean =
		    prog_clean(name ? name : "all cases", strlen(name ? name : "all cases"));
		bool shown = name == NULL || strcmp(jvx_text(rec, "axis"), "total") == 0;
		if (shown && jvx_number(rec, "moved", 0) != 0)
			printf("  %-28s %-20s %6.3g -> %-6.3g %+.3g\n", clean,
			    jvx_text(rec, "axis"), jvx_number(rec, "before", NAN),
			    jvx_number(rec, "after", NAN), jvx_number(rec, "moved", NAN));
		free(clean);
		jv_free(rec);
	}
}

static int
compare(char *const names[2], bool naive, bool table)
{
	struct scores before = scores_read((char *[]){names[0], NULL});
	struct scores after = scores_read((char *[]){names[1], NULL});
	struct pairs p = pair_runs(&before, &after);
	struct finding f = {.because = jv_invalid()};
	jv diffs = jv_array();

	if (jv_array_length(jv_copy(p.refused)) > 0) {
		f.gate.verdict = GATE_INVALID;
		f.because = jv_copy(p.refused);
		jv first = jv_array_get(jv_copy(p.refused), 0);
		char *why = prog_clean(jv_string_value(first), jvx_length(first));
		warnx("the runs cannot be compared: %s", why);
		free(why);
		jv_free(first);
	} else {
		struct gate_case *cases = pair_cases(&p, TOTAL, &f.scale);
		f.gate = gate_decide(cases, p.count);
		test_axes(&p, &f);
		if (naive)
			f.gate.verdict = f.gate.dropped ? GATE_REGRESSED : GATE_OK;
		else if (f.gate.verdict == GATE_OK && (p.lost || f.gate.cases == 0))
			f.gate.verdict = GATE_SUSPECT;
		f.because = jv_array_concat(explain(&p, cases, &f), jv_copy(p.notes));
		pair_cases_free(cases, p.count);
		for (int measure = 0; measure < MEASURES; measure++)
			diffs = jv_array_concat(diffs, diff_measure(&p, measure, &f));
	}
	if (table) {
		print_check(&p, &f, naive);
		if (!naive)
			print_diffs(diffs);
	} else {
		jv_array_foreach (diffs, i, rec)
			ndjson_put(rec, stdout);
		ndjson_put(gate_record(&p, &f), stdout);
	}
	jv_free(diffs);
	jv_free(f.because);
	pairs_free(&p);
	scores_free(&before);
	scores_free(&after);
	return f.gate.verdict == GATE_INVALID     ? TROUBLE
	       : f.gate.verdict == GATE_REGRESSED ? NO
						  : YES;
}

/* How often a gate between two halves of the same run would have fired. */
static int
measure_noise(char *name, bool table)
{
	struct scores run = scores_read((char *[]){name, NULL});
	struct pairs p = pair_runs(&run, &run);
	size_t fired = 0, naive = 0, least = SIZE_MAX;
	struct stats_random r;

	stats_seed(&r, SEED);
	if (jv_array_length(jv_copy(p.refused)) > 0) {
		jv first = jv_array_get(jv_copy(p.refused), 0);
		char *why = prog_clean(jv_string_value(first), jvx_length(first));
		errx(TROUBLE, "%s", why);
	}
	for (size_t d = 0; d < DRAWS; d++) {
		struct gate_case *cases = pair_halves(&p, &r);
		for (size_t i = 0; i < p.count; i++)
			if (cases[i].totals.before_count < least)
				least = cases[i].totals.before_count;
		struct gate g = gate_decide(cases, p.count);
		fired += g.verdict == GATE_REGRESSED;
		naive += g.dropped;
		pair_cases_free(cases, p.count);
	}
	if (least == 0)
		errx(TROUBLE, "-A needs two scored epochs of each case");
	struct interval ci = stats_wilson((double)fired, DRAWS);
	if (table) {
		printf(
		    "The baseline against itself, %d splits into halves (seed %d):\n", DRAWS, SEED);
		printf("  the gate fired   %5.1f%% (95%%: %.1f%% .. %.1f%%)\n",
		    100. * (double)fired / DRAWS, 100 * ci.lo, 100 * ci.hi);
		printf("  the naive rule   %5.1f%%\n", 100. * (double)naive / DRAWS);
	} else {
		jv rec = jvx_set_text(jv_object(), "type", "noise");
		rec = jvx_set_number(rec, "cases", (double)p.count);
		rec = jvx_set_number(rec, "splits", DRAWS);
		rec = jvx_set_number(rec, "seed", SEED);
		rec = jvx_set_number(rec, "fired", (double)fired / DRAWS);
		rec = jvx_set_number(rec, "lo", ci.lo);
		rec = jvx_set_number(rec, "hi", ci.hi);
		rec = jvx_set_number(rec, "naive", (double)naive / DRAWS);
		ndjson_put(rec, stdout);
	}
	pairs_free(&p);
	scores_free(&run);
	return YES;
}

int
main(int argc, char *argv[])
{
	bool naive = false, table = false, noise = false;
	int ch;

	prog_start(argc, argv,
	    "eval-diff [-1t] baseline current\n"
	    "       eval-diff -A [-t] baseline\n"
	    "Compare two runs of the golden set (score records) case by case: what moved, and\n"
	    "whether it is more than the noise of running again.  Writes diff records and a gate\n"
	    "record whose verdict is ok, suspect, regressed or invalid.\n"
	    "  -1  the plain rule alone: regressed if the score dropped by more than 10 %\n"
	    "  -A  how often the gate would fire between halves of the baseline's epochs\n"
	    "  -t  a report for people in place of the records\n"
	    "Exit status: 0 ok or suspect, 1 regressed, 2 the runs cannot be compared.\n"
	    "Example: eval-diff golden/baseline.ndjson now.ndjson");
	while ((ch = getopt(argc, argv, "1At")) != -1) {
		switch (ch) {
		case '1': naive = true; break;
		case 'A': noise = true; break;
		case 't': table = true; break;
		default: prog_usage();
		}
	}
	argv += optind;
	argc -= optind;
	if (argc != (noise ? 1 : 2) || (noise && naive))
		prog_usage();
	confine(&(struct confine){.files = argv});
	int answer = noise ? measure_noise(argv[0], table) : compare(argv, naive, table);
	if (fflush(stdout) != 0 || ferror(stdout))
		err(TROUBLE, "standard output");
	return answer;
}
