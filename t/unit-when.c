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

static void
reads(const char *text, int64_t seconds, long ns)
{
	struct when w;
	bool good = when_read(text, &w) && w.seconds == seconds && w.ns == ns;

	if (!tap_ok(good, text))
		printf("# got %lld s and %ld ns\n", (long long)w.seconds, w.ns);
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
	reads("2026-07-04T08:00:00Z", 1783152000, 0);
	reads("2026-07-04 08:00:00,25", 1783152000, 250000000);
	reads("2026-07-04T08:00:00.1234567899Z", 1783152000, 123456789);
	reads("2000-02-29", 951782400, 0);
	reads("2024-02-29T12:34+02:00", 1709202840, 0);
	reads("1999-12-31T23:59:59-0530", 946704599, 0);
	reads("2100-03-01T00:00:00+00", 4107542400, 0);
	reads("1969-12-31T23:59:59Z", -1, 0);
	reads("1900-03-01", -2203891200, 0);
	reads("2026-07-04T08:00:00 UTC, says a log", 1783152000, 0);
	tap_ok(when_ms("2026-7-4") < 0, "2026-7-4");
	tap_ok(when_ms("2026-13-01") < 0, "2026-13-01");
	tap_ok(when_ms("2026-00-01") < 0, "2026-00-01");
	tap_ok(when_ms("2026-07-04T8:00") < 0, "2026-07-04T8:00");
	tap_ok(when_ms("2026-07-04T08:00:0") < 0, "2026-07-04T08:00:0");
	tap_ok(when_ms("2026-07-04T08:00:00+2") < 0, "2026-07-04T08:00:00+2");
	return tap_done();
}
