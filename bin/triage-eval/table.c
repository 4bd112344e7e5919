/* The metrics as a table. */
#include <math.h>
#include <string.h>

#include "buf.h"
#include "jvx.h"
#include "measure.h"

static bool
is(jv rec, const char *key, const char *text)
{
	const char *have = jvx_text(rec, key);

	return have == NULL || text == NULL ? have == text : strcmp(have, text) == 0;
}

/* "42/57 74 [61 84]" in per cent, or "0.215 [0.101 0.330]"; a note where there is no number. */
static void
cell(jv rec, struct buf *b)
{
	double value = jvx_number(rec, "value", NAN), k = jvx_number(rec, "k", NAN);
	double lo = jvx_number(rec, "lo", NAN), hi = jvx_number(rec, "hi", NAN);
	double p = jvx_number(rec, "p", NAN);

	if (!isnan(k) && isnan(value))
		buf_format(b, "%.0f%s", k, jvx_number(rec, "n", 1) == 0 ? "/0" : "");
	else if (!isnan(k))
		buf_format(b, "%.0f/%.0f %.0f%% [%.0f %.0f]", k, jvx_number(rec, "n", 0),
		    100 * value, 100 * lo, 100 * hi);
	else if (!isnan(value))
		buf_format(b, "%.3f", value);
	if (isnan(k) && !isnan(lo))
		buf_format(b, " [%.3f %.3f]", lo, hi);
	if (!isnan(p))
		buf_format(b, " p=%.4f", p);
	if (jvx_text(rec, "note") != NULL)
		buf_format(b, "%s%s", b->len > 0 ? " " : "", jvx_text(rec, "note"));
}

/* The row that begins with the metric at place i, from all slices that have it. */
static void
row(jv metrics, int i, FILE *out)
{
	static const char *const slices[] = {"dev", "held-out", "all"};
	jv first = jv_array_get(jv_copy(metrics), i);
	const char *name = jvx_text(first, "metric"), *of = jvx_text(first, "of");
	struct buf line = {0};

	if (of != NULL)
		buf_format(&line, "  %-38s", of);
	else
		buf_format(&line, "%-40s", name);
	for (int s = 0; s < 3; s++) {
		struct buf b = {0};
		jv_array_foreach (metrics, k, rec) {
			if (b.len == 0 && is(rec, "metric", name) && is(rec, "of", of) &&
			    is(rec, "slice", slices[s]))
				cell(rec, &b);
			jv_free(rec);
		}
		buf_format(&line, " %-23s", b.len > 0 ? b.data : "");
		buf_free(&b);
	}
	while (line.len > 0 && line.data[line.len - 1] == ' ')
		line.data[--line.len] = '\0';
	fprintf(out, "%s\n", line.data);
	buf_free(&line);
	jv_free(first);
}

/* Was a row of this name printed before, and for what? */
static bool
printed(jv metrics, int i)
{
	jv rec = jv_array_get(jv_copy(metrics), i);
	bool yes = false;

	jv_array_foreach (metrics, k, other) {
		yes = yes || (k < i && is(other, "metric", jvx_text(rec, "metric")) &&
				 is(other, "of", jvx_text(rec, "of")));
		jv_free(other);
	}
	jv_free(rec);
	return yes;
}

/* All rows of the metric at place i, under its name where they have names of their own. */
static void
block(jv metrics, int i, FILE *out)
{
	jv rec = jv_array_get(jv_copy(metrics), i);

	if (jvx_text(rec, "of") != NULL)
		fprintf(out, "%s\n", jvx_text(rec, "metric"));
	jv_array_foreach (metrics, k, other) {
		if (k >= i && is(other, "metric", jvx_text(rec, "metric")) && !printed(metrics, k))
			row(metrics, k, out);
		jv_free(other);
	}
	jv_free(rec);
}

void
measure_print(jv metrics, FILE *out)
{
	fprintf(out, "%-40s %-23s %-23s %s\n", "", "dev", "held-out", "all");
	jv_array_foreach (metrics, i, rec) {
		bool first = true;
		jv_array_foreach (metrics, k, other) {
			first = first && (k >= i || !is(other, "metric", jvx_text(rec, "metric")));
			jv_free(other);
		}
		if (first)
			block(metrics, i, out);
		jv_free(rec);
	}
}
