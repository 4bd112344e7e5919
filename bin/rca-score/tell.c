#include "tell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "prog.h"

static void
count_case(struct tell *t, const char *name)
{
	if (t->last != NULL && strcmp(t->last, name) == 0)
		return;
	free(t->last);
	t->last = prog_copy(name, strlen(name));
	t->cases++;
}

/* A replayed answer costs nothing now, whatever it cost once; what is unknown is no zero. */
static void
put_spent(struct tell *t, jv score, FILE *out)
{
	const char *cassette = jvx_text(score, "cassette");
	jv usage = jvx_get(score, "usage");
	double input = jvx_number(usage, "input_total", NAN);
	double tokens = input + jvx_number(usage, "output_total", NAN);
	double cost = jvx_number(score, "cost_usd", NAN);

	jv_free(usage);
	if (cassette != NULL && strcmp(cassette, "hit") == 0) {
		t->replayed++;
		return;
	}
	if (cassette != NULL)
		t->asked++;
	if (!isnan(tokens)) {
		t->counted++;
		t->tokens += tokens;
		fprintf(out, " %.0f tokens", tokens);
	}
	if (!isnan(cost)) {
		t->priced++;
		t->cost_usd += cost;
		fprintf(out, " $%.4f", cost);
	}
}

/* "infra_error" is two words to people. */
static void
put_error(const char *status, jv score, FILE *out)
{
	jv why = jvx_get(score, "why");
	const char *text = jvx_text(why, "status");
	char *clean = prog_clean(text ? text : "", text ? strlen(text) : 0);

	fprintf(out, "❌ %s%s%s",
	    strcmp(status, "infra_error") == 0   ? "INFRA ERROR"
	    : strcmp(status, "judge_error") == 0 ? "JUDGE ERROR"
						 : "ERROR",
	    *clean != '\0' ? ": " : "", clean);
	free(clean);
	jv_free(why);
}

void
tell_score(struct tell *t, jv score, FILE *out)
{
	const char *name = jvx_text(score, "case"), *status = jvx_text(score, "status");
	double total = jvx_number(score, "total", NAN), max = jvx_number(score, "max", NAN);
	double ms = jvx_number(score, "duration_ms", NAN), epoch = jvx_number(score, "epoch", 0);

	if (name == NULL || status == NULL)
		return;
	count_case(t, name);
	t->scores++;
	char *clean = prog_clean(name, strlen(name));
	fprintf(out, "Running: %s", clean);
	free(clean);
	if (epoch > 0)
		fprintf(out, " #%.0f", epoch);
	fputs(" ... ", out);
	if (isnan(total) || isnan(max)) {
		t->errors++;
		put_error(status, score, out);
	} else {
		bool pass = strcmp(status, "pass") == 0, review = strcmp(status, "review") == 0;
		t->passed += pass;
		t->review += review;
		t->failed += !pass && !review;
		t->total += total;
		t->max += max;
		fprintf(out, "%s (%.10g/%.10g)",
		    pass     ? "✅ PASS"
		    : review ? "⚠️  REVIEW"
			     : "❌ FAIL",
		    total, max);
	}
	if (!isnan(ms)) {
		t->timed++;
		t->took_ms += ms;
		fprintf(out, " [%.1fs]", ms / 1000);
	}
	put_spent(t, score, out);
	fputc('\n', out);
	fflush(out);
}

static void
put_rule(FILE *out)
{
	for (int i = 0; i < 72; i++)
		fputs("─", out);
	fputc('\n', out);
}

/* Full marks are full marks: 219 of 220 is 99 %. */
static double
percent(double total, double max)
{
	double p = floor(100 * total / max + 0.5);

	return p >= 100 && total < max ? 99 : p;
}

static void
put_known(size_t known, size_t asked, FILE *out)
{
	if (known < asked)
		fprintf(out, " for %zu of %zu, unknown for the others", known, asked);
	fputc('\n', out);
}

static void
put_spending(const struct tell *t, FILE *out)
{
	if (t->asked == 0) {
		if (t->replayed > 0)
			fputs("  Tokens:    none, all was replayed\n"
			      "  Cost:      none\n",
			    out);
		return;
	}
	if (t->counted == 0) {
		fputs("  Tokens:    unknown\n", out);
	} else {
		fprintf(out, "  Tokens:    %.0f", t->tokens);
		put_known(t->counted, t->asked, out);
	}
	if (t->priced == 0) {
		fputs("  Cost:      unknown\n", out);
	} else {
		fprintf(out, "  Cost:      $%.4f", t->cost_usd);
		put_known(t->priced, t->asked, out);
	}
}

void
tell_summary(struct tell *t, FILE *out)
{
	fputc('\n', out);
	put_rule(out);
	fputs("SUMMARY\n", out);
	put_rule(out);
	fprintf(out, "  Cases:     %zu\n", t->cases);
	if (t->scores != t->cases)
		fprintf(out, "  Runs:      %zu\n", t->scores);
	fprintf(out, "  Passed:    %zu\n", t->passed);
	if (t->review > 0)
		fprintf(out, "  Review:    %zu\n", t->review);
	if (t->failed > 0)
		fprintf(out, "  Failed:    %zu\n", t->failed);
	fprintf(out, "  Errors:    %zu\n", t->errors);
	if (t->max > 0)
		fprintf(out, "  Score:     %.10g/%.10g (%.0f%%)\n", t->total, t->max,
		    percent(t->total, t->max));
	else
		fputs("  Score:     none\n", out);
	if (t->timed > 0)
		fprintf(out, "  Avg time:  %.1fs\n", t->took_ms / 1000 / (double)t->timed);
	else
		fputs("  Avg time:  not measured\n", out);
	put_spending(t, out);
	free(t->last);
}
