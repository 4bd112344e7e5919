/* rca-check: hold an answer against its evidence: dead ends, citations, phases. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "claim.h"
#include "confine.h"
#include "evidence.h"
#include "method.h"
#include "ndjson.h"
#include "prog.h"

static const char help[] =
    "rca-check [file ...]\n"
    "\n"
    "Reads the evidence of each segment and the answer to it, passes everything on, and adds "
    "trigger\n"
    "records for dead ends that the answer ran into, a citation record for each thing it cites, "
    "and\n"
    "seven phase records.  Exit status 1 says that an answer must be revised.\n"
    "\n"
    "  llm-call -p prompts/rca.v1.md -V rca-check <sections.ndjson";

struct run {
	struct claims *claims;
	struct evidence *evidence;
	jv answers; /* of the segment */
	bool revise;
};

/* Put the records out, and notice whether one asks for a revision. */
static void
put(struct run *run, jv records, jv answer)
{
	jv_array_foreach (records, i, rec) {
		if (jvx_text(rec, "message") != NULL)
			run->revise = true;
		ndjson_put(jvx_set(rec, "epoch", jvx_get(answer, "epoch")), stdout);
	}
	jv_free(records);
}

static void
finish(struct run *run)
{
	jv_array_foreach (run->answers, i, answer) {
		struct method m = method_read(run->claims, run->evidence, answer);
		put(run, method_triggers(&m), answer);
		put(run, method_citations(&m), answer);
		put(run, method_phases(&m), answer);
		method_free(&m);
		jv_free(answer);
	}
	evidence_free(run->evidence);
	jv_free(run->answers);
	run->evidence = evidence_new();
	run->answers = jv_array();
}

int
main(int argc, char *argv[])
{
	struct run run = {.answers = jv_array()};

	prog_start(argc, argv, help);
	if (getopt(argc, argv, "") != -1)
		prog_usage();

	run.claims = claims_new();
	run.evidence = evidence_new();
	static const char *const spools[] = {P_tmpdir, NULL}; /* of tmpfile(3) */
	confine(&(struct confine){.files = argv + optind, .write = spools});
	struct ndjson *in = ndjson_open(argv + optind);
	while (ndjson_next(in)) {
		if (ndjson_is(in, "trace"))
			finish(&run);
		else if (ndjson_is(in, "answer"))
			run.answers = jv_array_append(run.answers, ndjson_value(in));
		else
			evidence_record(run.evidence, in);
		ndjson_pass(in, stdout);
	}
	finish(&run);
	evidence_free(run.evidence);
	jv_free(run.answers);
	claims_free(run.claims);
	if (!ndjson_close(in, stdout))
		return TROUBLE;
	return run.revise ? NO : YES;
}
