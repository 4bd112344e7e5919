#include <string.h>

#include "forms.h"
#include "jvx.h"

static const char *
plural(double n)
{
	return n > 0.5 && n < 1.5 ? "" : "s";
}

void
form_numbers(const struct bug *bug, struct buf *b)
{
	switch (bug->standing) {
	case OPEN:
		buf_format(b, "%s%zu failed trial%s in this run", bug->fresh ? "new, " : "", bug->n,
		    plural((double)bug->n));
		break;
	case FLAKY:
		buf_format(b, "%.0f of %.0f trials fail, 95 %% interval %.0f to %.0f %%",
		    bug->fails, bug->trials, 100 * bug->lo, 100 * bug->hi);
		break;
	case UNCONFIRMED:
		buf_format(
		    b, "%zu failed trial%s, too few to say more", bug->n, plural((double)bug->n));
		break;
	case QUIET:
		buf_format(b, "%.0f of the %.0f clean trial%s that make it fixed", bug->clean,
		    bug->needs, plural(bug->needs));
		break;
	case FIXED: buf_format(b, "%.0f clean trials in a row", bug->clean); break;
	default: buf_format(b, "%zu trial%s", bug->n, plural((double)bug->n));
	}
}

void
form_verdict(const struct run *r, struct buf *b)
{
	size_t fresh = 0;

	for (size_t i = 0; i < r->bug_count; i++)
		fresh += r->bugs[i].standing == OPEN && r->bugs[i].fresh;
	if (r->counts[JUDGE] > 0)
		buf_text(b, "Not all could be judged. ");
	if (r->counts[OPEN] == 0)
		buf_text(b, "No open bug");
	else
		buf_format(b, "%zu open bug%s, %zu of them new", r->counts[OPEN],
		    plural((double)r->counts[OPEN]), fresh);
}

static void
add_stop(const struct run *r, struct buf *b)
{
	static const char *const words[][2] = {{"trials", "the limit of trials"},
	    {"cost", "the limit of cost"}, {"time", "the limit of time"},
	    {"waves", "the limit of waves"},
	    {"nothing new", "waves in a row without anything new"}};
	const char *because = jvx_text(r->plan, "because");

	for (size_t i = 0; because != NULL && i < sizeof words / sizeof *words; i++)
		if (strcmp(because, words[i][0]) == 0)
			buf_format(b, "stopped by %s\n", words[i][1]);
}

void
form_summary(const struct run *r, struct buf *b)
{
	double unseen = jvx_number(r->plan, "unseen", -1), bound = jvx_number(r->plan, "bound", -1);

	buf_format(b, "%zu scenario%s, %zu trial%s, %zu failed, %ld wave%s of exploration\n",
	    r->row_count, plural((double)r->row_count), r->trials, plural((double)r->trials),
	    r->fails, r->waves, plural((double)r->waves));
	add_stop(r, b);
	if (unseen >= 0)
		buf_format(b,
		    "chance that the next scenario shows an unseen bug: %.3f (Good-Turing), at "
		    "most %.3f "
		    "(95 %%)\n",
		    unseen, bound);
	if (r->proposed > 0) {
		buf_format(b, "the explorer proposed %.0f scenario%s, %.0f were run", r->proposed,
		    plural(r->proposed), r->kept);
		jv_object_foreach (r->dropped, why, n) {
			buf_format(b, ", %.0f %s", jv_number_value(n), jv_string_value(why));
			jv_free(why);
			jv_free(n);
		}
		buf_byte(b, '\n');
	}
	if (r->dollars > 0)
		buf_format(b, "cost: $%.4f\n", r->dollars);
}
