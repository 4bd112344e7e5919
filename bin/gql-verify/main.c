/* gql-verify: "200 is not success": say what GraphQL really answered. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "confine.h"
#include "ndjson.h"
#include "prog.h"
#include "segment.h"
#include "table.h"

static const char help[] =
    "gql-verify [-gt] [file ...]\n"
    "\n"
    "Reads the records of trace-events, passes them on, and adds at the end of each trace one\n"
    "graphql record for each GraphQL operation that was sent, with what was really answered, and\n"
    "one verdict.  Status 200 counts for nothing; the body does.\n"
    "\n"
    "  -g  be a gate: exit 1 if a verdict is DIVERGENCE DETECTED, 2 if one is UNKNOWN\n"
    "  -t  print a table for people instead of records\n"
    "\n"
    "  trace-unpack trace.zip | trace-events | gql-verify -t";

struct run {
	bool table, divergence, unknown;
	char *name; /* of the trace at hand, for the table */
};

static void
finish(struct run *run, struct segment *s)
{
	enum verdict verdict;
	jv records = segment_finish(s, &verdict);

	run->divergence = run->divergence || verdict == DIVERGENCE;
	run->unknown = run->unknown || verdict == UNKNOWN;
	if (run->table) {
		table_print(records, run->name, stdout);
	} else {
		jv_array_foreach (records, i, rec)
			ndjson_put(rec, stdout);
	}
	jv_free(records);
	segment_free(s);
}

int
main(int argc, char *argv[])
{
	bool gate = false, begun = false;
	struct run run = {0};
	int ch;

	prog_start(argc, argv, help);
	while ((ch = getopt(argc, argv, "gt")) != -1) {
		switch (ch) {
		case 'g': gate = true; break;
		case 't': run.table = true; break;
		default: prog_usage();
		}
	}

	confine(&(struct confine){.files = argv + optind});
	struct ndjson *in = ndjson_open(argv + optind);
	struct segment *s = segment_new();
	while (ndjson_next(in)) {
		if (ndjson_is(in, "trace")) {
			if (begun)
				finish(&run, s);
			else
				segment_free(s);
			s = segment_new();
			free(run.name);
			run.name = scan_copy(scan_member(ndjson_span(in), "name"));
		} else {
			segment_record(s, in);
		}
		begun = true;
		if (!run.table)
			ndjson_pass(in, stdout);
	}
	if (begun)
		finish(&run, s);
	else
		segment_free(s);
	free(run.name);
	if (!ndjson_close(in, stdout) || (gate && run.unknown))
		return TROUBLE;
	return gate && run.divergence ? NO : YES;
}
