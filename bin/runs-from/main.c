/* runs-from: the logs of other tools as run records, for first-failure-matrix. */
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "confine.h"
#include "doc.h"
#include "draft.h"
#include "prog.h"

static const char help[] =
    "runs-from [-c COHORT] [-e PREFIX] FORMAT [file ...]\n"
    "\n"
    "Writes a run record for each run of an agent in a log: JSON documents, or a value a line.\n"
    "FORMAT is one of\n"
    "  otel        OpenTelemetry GenAI and OpenInference spans (OTLP JSON, or flat spans)\n"
    "  messages    OpenAI and Anthropic message logs, tau-bench and tau2-bench trajectories\n"
    "  langfuse    traces with their observations and scores\n"
    "  inspect     logs of Inspect, exported as JSON\n"
    "  playwright  the JSON reporter, or the records of trace-events\n"
    "  answers     answers of rca with their phases and scores\n"
    "What could not be mapped is counted in warning records.\n"
    "  -c COHORT   the runs' cohort: before, after\n"
    "  -e PREFIX   the result of a failed call begins so (Error)\n"
    "\n"
    "  runs-from messages gpt-4o.json | first-failure-matrix -t";

static const struct adapter *const adapters[] = {&from_otel, &from_messages, &from_langfuse,
    &from_inspect, &from_playwright, &from_answers, NULL};

static const struct adapter *
adapter_of(const char *name)
{
	for (size_t i = 0; adapters[i] != NULL; i++)
		if (strcmp(adapters[i]->name, name) == 0)
			return adapters[i];
	errx(TROUBLE,
	    "no such format: otel, messages, langfuse, inspect, playwright and answers are known");
}

int
main(int argc, char *argv[])
{
	struct out out = {.prefix = "Error", .unmapped = jv_object()};
	int ch;

	prog_start(argc, argv, help);
	while ((ch = getopt(argc, argv, "+c:e:")) != -1) {
		switch (ch) {
		case 'c': out.cohort = optarg; break;
		case 'e': out.prefix = optarg; break;
		default: prog_usage();
		}
	}
	if (optind == argc || *out.prefix == '\0')
		prog_usage();
	const struct adapter *a = adapter_of(argv[optind++]);
	confine(&(struct confine){.files = argv + optind});
	struct doc *d = doc_open(argv + optind, a->drop);
	struct out **state = prog_alloc(1, a->state);
	*state = &out;
	while (doc_next(d))
		a->take(state, d);
	if (a->end != NULL)
		a->end(state);
	free(state);
	bool whole = doc_close(d);
	out_warnings(&out);
	if (fflush(stdout) != 0 || ferror(stdout))
		err(TROUBLE, "write");
	return whole ? YES : TROUBLE;
}
