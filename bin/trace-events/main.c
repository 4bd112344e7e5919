/* trace-events: turn any version of the trace format into one model of what happened. */
#include <unistd.h>

#include "confine.h"
#include "ndjson.h"
#include "prog.h"
#include "segment.h"

static const char help[] =
    "trace-events [-R report] [file ...]\n"
    "Turn the lines and resources of trace-unpack into what happened: test, error, action, route,\n"
    "console, page_error, event, request, body, snapshot, attachment and source records.\n"
    "\n"
    "  -R report  take status, retry and project from this JSON report of Playwright\n"
    "\n"
    "  trace-unpack trace.zip | trace-events | grep '\"failure_point\":true'\n";

static void
read_record(struct ndjson *in, struct segment *s)
{
	struct span record = ndjson_span(in);

	if (ndjson_is(in, "line")) {
		if (!s->settled)
			read_line(s, scan_front(record, "member"), scan_front(record, "record"),
			    ndjson_bulk(in));
	} else if (ndjson_is(in, "resource")) {
		read_resource(s, record);
	} else {
		ndjson_pass(in, stdout);
	}
}

static struct segment *
segment_open(struct ndjson *in, const struct report *report)
{
	struct segment *s = segment_new(stdout);

	s->report = report;
	if (in != NULL)
		s->name = words_text(s->words, scan_member(ndjson_span(in), "name"));
	return s;
}

static void
segment_close(struct segment *s)
{
	segment_end(s);
	segment_free(s);
}

int
main(int argc, char *argv[])
{
	struct report *report = NULL;
	struct segment *s;
	struct ndjson *in;
	int ch;

	prog_start(argc, argv, help);
	while ((ch = getopt(argc, argv, "R:")) != -1) {
		switch (ch) {
		case 'R':
			report_free(report);
			report = report_open(optarg);
			break;
		default: prog_usage();
		}
	}
	/* iconv(3) loads a library for each charset that is not UTF-8. */
	confine(&(struct confine){.files = argv + optind, .libraries = true});
	in = ndjson_open(argv + optind);
	s = segment_open(NULL, report);
	while (ndjson_next(in)) {
		if (ndjson_is(in, "trace")) {
			segment_close(s);
			s = segment_open(in, report);
		}
		read_record(in, s);
	}
	segment_close(s);
	report_free(report);
	return ndjson_close(in, stdout) ? YES : TROUBLE;
}
