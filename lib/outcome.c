#include "outcome.h"

void
outcome_add(struct outcome *o, struct span record)
{
	struct span type = scan_member(record, "type"), status;

	if (scan_is(type, "error"))
		o->ended = o->ended || scan_true(scan_member(record, "terminal"));
	if (!scan_is(type, "test"))
		return;
	o->tested = true;
	status = scan_member(record, "status");
	bool failed = scan_is(status, "failed") || scan_is(status, "timed-out") ||
		      scan_is(status, "interrupted");
	/* test.fail(): to fail is what it should do. */
	if (scan_is(scan_member(record, "expected_status"), "failed"))
		failed = scan_is(status, "passed");
	else if (!failed && !scan_is(status, "passed") && !scan_is(status, "skipped"))
		o->unknown = true;
	o->failed = o->failed || failed;
}

bool
outcome_failed(const struct outcome *o)
{
	return o->failed || ((o->unknown || !o->tested) && o->ended);
}
