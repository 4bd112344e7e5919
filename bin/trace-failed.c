/* trace-failed: pass on the traces whose test failed or, with -v, the others. */
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "confine.h"
#include "ndjson.h"
#include "outcome.h"
#include "prog.h"
#include "spool.h"

int
main(int argc, char *argv[])
{
	bool gate = false, inverse = false, any = false;
	struct outcome o = {0};
	struct ndjson *in;
	FILE *spool;
	int ch;

	prog_start(argc, argv,
	    "trace-failed [-gv] [file ...]\n"
	    "\n"
	    "Pass on the records of each trace whose test failed, so that only these are "
	    "explained.\n"
	    "\n"
	    "  -g  exit 1 if a test failed\n"
	    "  -v  pass on the other traces\n"
	    "\n"
	    "  trace-unpack test-results | trace-events | trace-failed | rca-report -t");
	while ((ch = getopt(argc, argv, "gv")) != -1) {
		switch (ch) {
		case 'g': gate = true; break;
		case 'v': inverse = true; break;
		default: prog_usage();
		}
	}

	/* What the verdict has to wait for: a trace may be larger than memory. */
	spool = spool_stream();
	confine(&(struct confine){.files = argv + optind});
	in = ndjson_open(argv + optind);
	for (bool more = true; more;) {
		more = ndjson_next(in);
		if (!more || ndjson_is(in, "trace")) {
			any = any || outcome_failed(&o);
			if (outcome_failed(&o) != inverse)
				spool_pour(spool, 0, spool_at(spool), stdout);
			spool_empty(spool);
			o = (struct outcome){0};
		}
		if (more) {
			outcome_add(&o, ndjson_span(in));
			ndjson_pass(in, spool);
		}
	}
	fclose(spool);
	if (!ndjson_close(in, stdout))
		return TROUBLE;
	return gate && any ? NO : YES;
}
