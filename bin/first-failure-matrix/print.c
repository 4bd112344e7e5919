#include "print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "ndjson.h"
#include "show.h"
#include "stats.h"
#include "utf8.h"

/* Six decimals say all that these intervals know, and keep the bytes alike everywhere. */
static jv
set_share(jv rec, const char *key, double x)
{
	return jvx_set_number(rec, key, round(x * 1e6) / 1e6);
}

static jv
set_interval(jv rec, double n, double total)
{
	struct interval w = stats_wilson(n, total);

	rec = set_share(rec, "share", n / total);
	rec = set_share(rec, "lo", w.lo);
	return set_share(rec, "hi", w.hi);
}

static void
print_cell(const char *type, const struct cell *c, double total)
{
	jv rec = jvx_set_text(jv_object(), "type", type), layers = jv_object();

	for (int l = 0; l < LAYERS; l++)
		if (c->layers[l] > 0)
			layers = jvx_set_number(layers, layer_names[l], c->layers[l]);
	rec = jvx_set_text(rec, "last", c->last);
	rec = jvx_set_text(rec, "attempted", c->attempted);
	rec = jvx_set_number(rec, "n", c->n);
	rec = set_interval(rec, c->n, total);
	rec = set_share(rec, "impact", c->impact / c->n);
	rec = jvx_set_number(rec, "score", c->score);
	rec = jvx_set_text(rec, "layer", layer_names[c->layer]);
	rec = set_share(rec, "layer_share", c->layer_share);
	rec = jvx_set(rec, "layers", layers);
	rec = jvx_set_number(rec, "rank_lo", (double)c->rank_lo);
	ndjson_put(jvx_set_number(rec, "rank_hi", (double)c->rank_hi), stdout);
}

static void
print_margin(const char *axis, const char *name, double n, double total)
{
	jv rec = jvx_set_text(jv_object(), "type", "margin");

	rec = jvx_set_text(rec, "axis", axis);
	rec = jvx_set(rec, "name", jv_string(name));
	rec = jvx_set_number(rec, "n", n);
	ndjson_put(set_interval(rec, n, total), stdout);
}

static double
margin_of(const struct matrix *m, const char *name, bool row)
{
	double sum = 0;

	for (size_t i = 0; i < m->count; i++)
		if ((row ? m->cells[i].last : m->cells[i].attempted) == name)
			sum += m->cells[i].n;
	return sum;
}

static void
print_margins(const struct tally *t)
{
	size_t count;
	const char **names = matrix_order(&t->states, &count);

	for (int row = 1; row >= 0; row--) {
		for (size_t i = 0; i < count; i++) {
			double n = margin_of(&t->states, names[i], row);
			if (n > 0)
				print_margin(row ? "last" : "attempted", names[i], n, t->failed);
		}
	}
	free(names);
	for (int l = 0; l < LAYERS; l++)
		if (t->layers[l] > 0)
			print_margin("layer", layer_names[l], t->layers[l], t->failed);
	for (size_t i = 0; i < t->cohort_count; i++)
		print_margin("cohort", t->cohorts[i].name, t->cohorts[i].failed, t->failed);
}

void
print_records(const struct tally *t, const struct check checks[CHECKS])
{
	for (size_t i = 0; i < t->states.count; i++)
		print_cell("cell", &t->states.cells[i], t->failed);
	for (size_t i = 0; i < t->milestones.count; i++)
		print_cell("milestone_cell", &t->milestones.cells[i], t->failed);
	print_margins(t);
	for (size_t i = 0; i < CHECKS; i++) {
		jv rec = jvx_set_text(jv_object(), "type", "check");
		rec = jvx_set_text(rec, "name", checks[i].name);
		rec = jvx_set(rec, "ok", jv_bool(checks[i].got == checks[i].want));
		rec = jvx_set_number(rec, "got", checks[i].got);
		ndjson_put(jvx_set_number(rec, "want", checks[i].want), stdout);
	}
	jv rec = jvx_set_text(jv_object(), "type", "check");
	rec = jvx_set_text(rec, "name", "runs");
	rec = jvx_set(rec, "ok", jv_true());
	rec = jvx_set_number(rec, "runs", t->runs);
	rec = jvx_set_number(rec, "failed", t->failed);
	rec = jvx_set_number(rec, "succeeded", t->succeeded);
	rec = jvx_set_number(rec, "unscored", t->unscored);
	rec = jvx_set_number(rec, "duplicates", t->duplicates);
	ndjson_put(jvx_set_number(rec, "revisiting", t->milestone_reasons), stdout);
}

/* A name with nothing hidden in it, on one line. */
static void
one_line(struct buf *b, const char *name)
{
	struct show s = {.form = SHOW_SEED};

	show_text(&s, name, strlen(name), b);
	show_end(&s, b);
	while (b->len > 0 && b->data[b->len - 1] == '\n')
		b->data[--b->len] = '\0';
	for (size_t i = 0; i < b->len; i++)
		if (b->data[i] == '\n' || b->data[i] == '\t')
			b->data[i] = ' ';
	buf_free(&s.held);
}

/* A name as a person may see it: no control bytes, and at most so many code points. */
static void
put_name(const char *name, size_t width, bool pad)
{
	struct buf b = {0};

	one_line(&b, name);
	size_t count = utf8_count(b.data ? b.data : "", b.len), cut = b.len, shown = count;
	if (count > width) {
		shown = 0;
		cut = 0;
		while (shown + 1 < width) {
			size_t used;
			utf8_decode(b.data + cut, b.len - cut, &used);
			cut += used;
			shown++;
		}
	}
	fwrite(b.data ? b.data : "", 1, cut, stdout);
	if (count > width) {
		fputs("\xe2\x80\xa6", stdout);
		shown++;
	}
	for (; pad && shown < width; shown++)
		putchar(' ');
	buf_free(&b);
}

static void
print_verdicts(const struct tally *t, const struct check checks[CHECKS])
{
	size_t k = matrix_inseparable(&t->states);
	bool good = true;

	for (size_t i = 0; i < CHECKS; i++)
		good = good && checks[i].got == checks[i].want;
	printf("%.0f runs: %.0f failed, %.0f succeeded, %.0f unscored", t->runs, t->failed,
	    t->succeeded, t->unscored);
	if (t->duplicates > 0)
		printf("; %.0f came twice and were counted once", t->duplicates);
	printf("\ntotal of the cells = failed runs: %s\n", good ? "ok" : "NOT SO");
	if (k > 1)
		printf("the first %zu cells cannot be told apart by their counts\n", k);
	if (t->milestone_reasons > 0)
		printf("%.0f failed runs revisit a state, branch or recover: read the milestone "
		       "matrix\n",
		    t->milestone_reasons);
}

static void
print_queue(const struct matrix *m, double failed)
{
	printf("%-24s %-24s %6s %7s  %-15s %8s  %-8s %s\n", "last good", "attempted", "n", "share",
	    "95 %", "score", "rank", "layer");
	for (size_t i = 0; i < m->count; i++) {
		const struct cell *c = &m->cells[i];
		struct interval w = stats_wilson(c->n, failed);
		put_name(c->last, 24, true);
		putchar(' ');
		put_name(c->attempted, 24, true);
		printf(" %6.0f %6.1f%%  %4.1f%% .. %5.1f%% %8.6g  %zu..%-5zu %s (%.0f%%)\n", c->n,
		    100 * c->n / failed, 100 * w.lo, 100 * w.hi, c->score, c->rank_lo, c->rank_hi,
		    layer_names[c->layer], 100 * c->layer_share);
	}
}

void
print_table(const struct tally *t, const struct check checks[CHECKS])
{
	print_verdicts(t, checks);
	if (t->failed == 0)
		return;
	putchar('\n');
	print_queue(&t->states, t->failed);
	if (t->milestone_reasons == 0)
		return;
	printf("\nby milestone\n");
	print_queue(&t->milestones, t->failed);
}

/* In a Markdown cell: what could be markup is escaped, a bar would end the cell. */
static void
put_markdown(const char *name)
{
	struct buf b = {0};

	one_line(&b, name);
	for (size_t i = 0; i < b.len; i++) {
		if (strchr("\\`*_{}[]()<>#+-.!|~&@:$", b.data[i]) != NULL)
			putchar('\\');
		putchar(b.data[i]);
	}
	buf_free(&b);
}

static void
markdown_matrix(const struct matrix *m)
{
	size_t count;
	const char **names = matrix_order(m, &count);

	printf("| last \\\\ attempted |");
	for (size_t j = 0; j < count; j++) {
		if (margin_of(m, names[j], false) == 0)
			continue;
		putchar(' ');
		put_markdown(names[j]);
		printf(" |");
	}
	printf(" total |\n| --- |");
	for (size_t j = 0; j < count; j++)
		if (margin_of(m, names[j], false) > 0)
			printf(" ---: |");
	printf(" ---: |\n");
	for (size_t i = 0; i <= count; i++) {
		if (i < count && margin_of(m, names[i], true) == 0)
			continue;
		printf("| ");
		if (i < count)
			put_markdown(names[i]);
		else
			printf("total");
		printf(" |");
		for (size_t j = 0; j < count; j++) {
			double column = margin_of(m, names[j], false);
			double n = i < count ? matrix_at(m, names[i], names[j]) : column;
			if (column > 0 && n > 0)
				printf(" %.0f |", n);
			else if (column > 0)
				printf("  |");
		}
		printf(" %.0f |\n", i < count ? margin_of(m, names[i], true) : m->total);
	}
	free(names);
}

void
print_markdown(const struct tally *t, const struct check checks[CHECKS])
{
	bool good = true;

	for (size_t i = 0; i < CHECKS; i++)
		good = good && checks[i].got == checks[i].want;
	markdown_matrix(&t->states);
	printf("\ntotal = failed runs: %s (%.0f of %.0f runs; %.0f unscored)\n",
	    good ? "ok" : "NOT SO", t->failed, t->runs, t->unscored);
	if (t->milestone_reasons > 0) {
		printf("\nBy milestone:\n\n");
		markdown_matrix(&t->milestones);
	}
	printf("\n| rank | last | attempted | n | share | 95 %% | score | layer |\n"
	       "| --- | --- | --- | ---: | ---: | --- | ---: | --- |\n");
	for (size_t i = 0; i < t->states.count; i++) {
		const struct cell *c = &t->states.cells[i];
		struct interval w = stats_wilson(c->n, t->failed);
		printf("| %zu–%zu | ", c->rank_lo, c->rank_hi);
		put_markdown(c->last);
		printf(" | ");
		put_markdown(c->attempted);
		printf(" | %.0f | %.1f %% | %.1f–%.1f %% | %.6g | %s %.0f %% |\n", c->n,
		    100 * c->n / t->failed, 100 * w.lo, 100 * w.hi, c->score, layer_names[c->layer],
		    100 * c->layer_share);
	}
}

/* Tabs and line ends inside a name are shown, so that a line stays a line. */
static void
put_field(const char *name)
{
	struct buf b = {0};

	one_line(&b, name);
	fwrite(b.data ? b.data : "", 1, b.len, stdout);
	buf_free(&b);
}

void
print_tsv(const struct tally *t)
{
	printf("last\tattempted\tn\tshare\tlo\thi\tscore\tlayer\n");
	for (size_t i = 0; i < t->states.count; i++) {
		const struct cell *c = &t->states.cells[i];
		struct interval w = stats_wilson(c->n, t->failed);
		put_field(c->last);
		putchar('\t');
		put_field(c->attempted);
		printf("\t%.0f\t%.6f\t%.6f\t%.6f\t%.6g\t%s\n", c->n, c->n / t->failed, w.lo, w.hi,
		    c->score, layer_names[c->layer]);
	}
}

static void
put_xml(const char *name)
{
	struct buf b = {0};

	one_line(&b, name);
	for (size_t i = 0; i < b.len; i++) {
		switch (b.data[i]) {
		case '&': fputs("&amp;", stdout); break;
		case '<': fputs("&lt;", stdout); break;
		case '>': fputs("&gt;", stdout); break;
		case '"': fputs("&quot;", stdout); break;
		default: putchar(b.data[i]);
		}
	}
	buf_free(&b);
}

/* Light to dark in one hue; text stays readable on both (contrast of at least 4.5). */
static void
svg_cell(double n, double most, size_t x, size_t y, size_t side)
{
	double depth = most > 0 ? n / most : 0;
	int light = (int)round(92 - 62 * depth);

	printf("<rect x=\"%zu\" y=\"%zu\" width=\"%zu\" height=\"28\" fill=\"hsl(212,70%%,%d%%)\"/>"
	       "<text x=\"%zu\" y=\"%zu\" text-anchor=\"middle\" fill=\"%s\">%.0f</text>\n",
	    x, y, side, light, x + side / 2, y + 19, depth > 0.45 ? "#fff" : "#111", n);
}

static size_t
longest(const char *const *names, size_t count)
{
	size_t most = 4;

	for (size_t i = 0; i < count; i++) {
		size_t len = utf8_count(names[i], strlen(names[i]));
		most = len > most ? len : most;
	}
	return most < 40 ? most : 40;
}

static void
svg_label(const char *name, size_t x, size_t y, const char *more)
{
	printf("<text x=\"%zu\" y=\"%zu\"%s><title>", x, y, more);
	put_xml(name);
	printf("</title>");
	struct buf cut = {0};
	size_t at = 0, used;
	for (size_t n = 0; n < 40 && name[at] != '\0'; n++, at += used)
		utf8_decode(name + at, strlen(name + at), &used);
	buf_add(&cut, name, at);
	put_xml(cut.data ? cut.data : "");
	printf("%s</text>\n", name[at] != '\0' ? "\xe2\x80\xa6" : "");
	buf_free(&cut);
}

enum { FOOT = 480 }; /* pixels that the line at the foot takes */

void
print_svg(const struct tally *t)
{
	const struct matrix *m = &t->states;
	size_t count, columns = 0, rows = 0, side = 44;
	const char **names = matrix_order(m, &count);
	size_t label = longest(names, count) * 8 + 24;
	double most = 0;

	for (size_t i = 0; i < count; i++) {
		columns += margin_of(m, names[i], false) > 0;
		rows += margin_of(m, names[i], true) > 0;
	}
	for (size_t i = 0; i < m->count; i++)
		most = fmax(most, m->cells[i].n);
	size_t width = label + (columns + 1) * (side + 2) + label * 3 / 4 + 24;
	if (width < FOOT)
		width = FOOT;
	size_t height = label * 3 / 4 + (rows + 1) * 30 + 72;
	printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %zu %zu\" width=\"%zu\" "
	       "height=\"%zu\" role=\"img\" font-family=\"sans-serif\" font-size=\"13\">\n"
	       "<title>First failures by transition</title>\n"
	       "<desc>Rows: last good state. Columns: first failed state. %.0f of %.0f runs "
	       "failed.</desc>\n"
	       "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
	    width, height, width, height, t->failed, t->runs);
	size_t top = label * 3 / 4 + 16, x = label, y = top;
	for (size_t j = 0; j < count; j++) {
		if (margin_of(m, names[j], false) == 0)
			continue;
		char turn[80];
		snprintf(
		    turn, sizeof turn, " transform=\"rotate(-48 %zu %zu)\"", x + side / 2, top - 8);
		svg_label(names[j], x + side / 2, top - 8, turn);
		x += side + 2;
	}
	printf("<text x=\"%zu\" y=\"%zu\" font-weight=\"bold\">total</text>\n", x + 4, top - 8);
	for (size_t i = 0; i < count; i++) {
		double row = margin_of(m, names[i], true);
		if (row == 0)
			continue;
		svg_label(names[i], label - 10, y + 19, " text-anchor=\"end\"");
		x = label;
		for (size_t j = 0; j < count; j++) {
			if (margin_of(m, names[j], false) == 0)
				continue;
			double n = matrix_at(m, names[i], names[j]);
			if (n > 0)
				svg_cell(n, most, x, y, side);
			else
				printf("<rect x=\"%zu\" y=\"%zu\" width=\"%zu\" height=\"28\" "
				       "fill=\"#f6f6f6\"/>\n",
				    x, y, side);
			x += side + 2;
		}
		printf("<text x=\"%zu\" y=\"%zu\" text-anchor=\"middle\" "
		       "font-weight=\"bold\">%.0f</text>\n",
		    x + side / 2, y + 19, row);
		y += 30;
	}
	x = label;
	printf("<text x=\"%zu\" y=\"%zu\" text-anchor=\"end\" font-weight=\"bold\">total</text>\n",
	    label - 10, y + 19);
	for (size_t j = 0; j < count; j++) {
		double column = margin_of(m, names[j], false);
		if (column == 0)
			continue;
		printf("<text x=\"%zu\" y=\"%zu\" text-anchor=\"middle\" "
		       "font-weight=\"bold\">%.0f</text>\n",
		    x + side / 2, y + 19, column);
		x += side + 2;
	}
	printf(
	    "<text x=\"%zu\" y=\"%zu\" text-anchor=\"middle\" font-weight=\"bold\">%.0f</text>\n",
	    x + side / 2, y + 19, m->total);
	printf("<text x=\"16\" y=\"%zu\" fill=\"#444\">Rows: last good state. Columns: first "
	       "failed state. "
	       "Total = failed runs.</text>\n</svg>\n",
	    y + 50);
	free(names);
}

/* A CSV field of Mermaid's sankey-beta: quotes doubled, one line. */
static void
put_quoted(const char *prefix, const char *name)
{
	struct buf b = {0};

	one_line(&b, name);
	printf("\"%s", prefix);
	for (size_t i = 0; i < b.len; i++) {
		if (b.data[i] == '"')
			putchar('"');
		putchar(b.data[i]);
	}
	putchar('"');
	buf_free(&b);
}

void
print_mermaid(const struct tally *t)
{
	printf("sankey-beta\n\n");
	for (size_t i = 0; i < t->states.count; i++) {
		const struct cell *c = &t->states.cells[i];
		put_quoted("", c->last);
		putchar(',');
		put_quoted("FAIL:", c->attempted);
		printf(",%.0f\n", c->n);
	}
}
