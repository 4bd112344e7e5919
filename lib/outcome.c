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
	if (scan_is(status, "failed") || scan_is(status, "timed-out") ||
	    scan_is(status, "interrupted"))
		o->failed = true;
	else if (!scan_is(status, "passed"))
		o->unknown = true;
}

bool
outcome_failed(const struct outcome *o)
{
	return o->failed || ((o->unknown || !o->tested) && o->ended);
}
