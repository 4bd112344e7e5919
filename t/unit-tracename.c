/* tracename: what a report calls a trace, and what the trace is called where it is read. */
#include "tracename.h"

#include "tap.h"

int
main(void)
{
	const char *path = "/home/ci/shop/test-results/pays-desktop/trace.zip";

	tap_ok(tracename_agreement("test-results/pays-desktop", path) == 2, "a relative name");
	tap_ok(tracename_agreement("/tmp/dl/test-results/pays-desktop", path) == 2, "a copy");
	tap_ok(tracename_agreement("pays-desktop", path) == 1, "the folder alone");
	tap_ok(tracename_agreement("x/pays-desktop-retry1", path) == 0, "its retry is another");
	tap_ok(tracename_agreement("x/ays-desktop", path) == 0, "segments are whole");
	tap_ok(tracename_agreement("r/pays-desktop", "C:\\r\\pays-desktop\\trace.zip") == 2,
	    "Windows");
	tap_ok(tracename_agreement("blob/report/resources/0a1b", "resources/0a1b.zip") == 2,
	    "inside a blob report");
	tap_ok(tracename_agreement("", path) == 0 && tracename_agreement("a", "") == 0, "nothing");
	return tap_done();
}
