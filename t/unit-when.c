/* when: times worked out with date(1) of GNU coreutils. */
#include "when.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

static bool
normal(const char *text, const char *want)
{
	char *got = when_normal(text);
	bool same = want == NULL ? got == NULL : got != NULL && strcmp(got, want) == 0;

	free(got);
	return same;
}

int
main(void)
{
	tap_ok(when_ms("1970-01-01T00:00:00Z") == 0, "the beginning");
	tap_ok(when_ms("2026-12-01T04:37:12.085Z") == 1796099832085.0, "milliseconds");
	tap_ok(when_ms("2024-02-29 12:00") == 1709208000000.0, "a leap day, no zone is UTC");
	tap_ok(normal("2026-12-01T06:37:12.0859+02:00", "2026-12-01T04:37:12.085Z"), "a zone");
	tap_ok(normal("2026-11-30T23:00:00-0530", "2026-12-01T04:30:00.000Z"), "one to the west");
	tap_ok(normal("2026-12-01", "2026-12-01T00:00:00.000Z"), "a day");
	tap_ok(normal("yesterday", NULL) && normal("", NULL) && normal(NULL, NULL), "no time");
	tap_ok(when_text(-1) == NULL && when_text(NAN) == NULL && when_text(1e300) == NULL,
	    "no time either");
	return tap_done();
}
