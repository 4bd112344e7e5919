/* trace-events: turn any version of the trace format into one model of what happened. */
#include <unistd.h>

#include "ndjson.h"
#include "prog.h"
#include "segment.h"

static const char help[] = "trace-events [file ...]\n"
			   "Turn the lines and resources of trace-unpack into what happened.\n";

static void
read_record(struct ndjson *in, struct segment *s)
{
	struct want m[] = {{"member", {0}}, {"record", {0}}};
	struct span record = ndjson_span(in);

	if (ndjson_is(in, "line")) {
		MEMBERS(record, m);
		if (!s->settled)
			read_line(s, m[0].value, m[1].value);
		return;
	}
	if (ndjson_is(in, "resource"))
		read_resource(s, record);
	else
		ndjson_pass(in, stdout);
}

int
main(int argc, char *argv[])
{
	struct segment *s = segment_new(stdout);
	struct ndjson *in;

	prog_start(argc, argv, help);
	if (getopt(argc, argv, "") != -1)
		prog_usage();
	in = ndjson_open(argv + optind);
	while (ndjson_next(in)) {
		if (ndjson_is(in, "trace")) {
			segment_end(s);
			segment_free(s);
			s = segment_new(stdout);
		}
		read_record(in, s);
	}
	segment_end(s);
	segment_free(s);
	return ndjson_close(in, stdout) ? YES : TROUBLE;
}
