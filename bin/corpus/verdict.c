#include "verdict.h"

#include <math.h>
#include <string.h>

#include "jvx.h"
#include "stats.h"

/* 3 of 5: a coin that falls on one side every other time is no reproduction. */
static const double reproduced = 0.6;

static bool
is(jv known, const char *status)
{
	const char *its = jvx_text(known, "status");

	return its != NULL && strcmp(its, status) == 0;
}

static jv
count(jv known, size_t fails, size_t trials)
{
	double f = jvx_number(known, "fails", 0) + (double)fails;
	double n = jvx_number(known, "trials", 0) + jvx_number(known, "clean", 0) + (double)trials;
	struct interval ci = stats_wilson(f, n);

	known = jvx_set_number(known, "fails", f);
	known = jvx_set_number(known, "trials", n);
	known = jvx_set_number(known, "clean", 0);
	known = jvx_set_number(known, "lo", ci.lo);
	known = jvx_set_number(known, "hi", ci.hi);
	return jvx_set_number(known, "needs", (double)stats_trials(ci.lo));
}

static jv
forget_counts(jv known)
{
	static const char *const names[] = {"fails", "trials", "clean", "lo", "hi", "needs"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		known = jv_object_delete(known, jv_string(names[i]));
	return known;
}

static jv
failed(jv known, size_t fails, size_t trials, size_t wanted)
{
	if (!jv_is_valid(known))
		known = jv_object();
	if (is(known, "fixed")) {
		known = jvx_set(forget_counts(known), "returned", jv_true());
		known = jvx_set_text(known, "status", "unconfirmed");
	}
	bool sure = is(known, "open") || is(known, "flaky");
	known = count(known, fails, trials);
	double f = jvx_number(known, "fails", 0), n = jvx_number(known, "trials", 0);
	if (!sure && n < (double)wanted)
		return jvx_set_text(known, "status", "unconfirmed");
	return jvx_set_text(known, "status", f >= ceil(reproduced * n) ? "open" : "flaky");
}

jv
verdict_after(jv known, size_t fails, size_t trials, size_t wanted)
{
	if (fails > 0)
		return failed(known, fails, trials, wanted);
	if (!is(known, "open") && !is(known, "flaky")) {
		if (!is(known, "unconfirmed"))
			return known;
		/* It failed, and did not when it was tried again: counted, until it is enough. */
		return failed(known, 0, trials, wanted);
	}
	double clean = jvx_number(known, "clean", 0) + (double)trials;
	known = jvx_set_number(known, "clean", clean);
	if (clean >= jvx_number(known, "needs", 1))
		known = jvx_set_text(known, "status", "fixed");
	return known;
}
