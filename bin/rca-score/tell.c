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

static void
add_usage(struct tell *t, jv score)
{
	jv usage = jvx_get(score, "usage");

	t->tokens += jvx_number(usage, "input_tokens", 0) + jvx_number(usage, "output_tokens", 0);
	t->cost_usd += jvx_number(score, "cost_usd", 0);
	jv_free(usage);
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
	add_usage(t, score);
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
		fprintf(out, "%s (%.0f/%.0f)",
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
		fprintf(out, "  Score:     %.0f/%.0f (%.0f%%)\n", t->total, t->max,
		    100 * t->total / t->max);
	else
		fputs("  Score:     none\n", out);
	if (t->timed > 0)
		fprintf(out, "  Avg time:  %.1fs\n", t->took_ms / 1000 / (double)t->timed);
	else
		fputs("  Avg time:  not measured\n", out);
	if (t->tokens > 0)
		fprintf(out, "  Tokens:    %.0f\n", t->tokens);
	if (t->cost_usd > 0)
		fprintf(out, "  Cost:      $%.4f\n", t->cost_usd);
	free(t->last);
}
