/* fail-cluster: the failures that are the same failure, by arithmetic and not by a model. */
#include <err.h>
#include <unistd.h>

#include "cluster.h"
#include "confine.h"
#include "ndjson.h"
#include "prog.h"

static const char help[] =
    "fail-cluster [-as] [-k known] [file ...]\n"
    "\n"
    "Puts the judgements that failed for the same reason together: passes records on and writes a\n"
    "cluster record for each group behind them.  Its id is a digest of the scenario's tags, the\n"
    "kinds of the assertions that broke and the reason without what changes from run to run.\n"
    "\n"
    "  -a        write the clusters alone\n"
    "  -k known  clusters of earlier runs, and what a model said of new ones\n"
    "  -s        write nothing but questions, for llm-call -p prompts/cluster.v1.md\n"
    "\n"
    "  $ agent-run -a bot -S | agent-judge | fail-cluster -a";

static bool
read_known(struct clusters *c, char *path)
{
	char *files[] = {path, NULL};
	struct ndjson *in = ndjson_open(files);

	while (ndjson_next(in)) {
		jv record = ndjson_value(in);
		clusters_known(c, record);
		jv_free(record);
	}
	return ndjson_close(in, stdout);
}

static void
take(struct clusters *c, struct ndjson *in)
{
	static const struct {
		const char *type;
		void (*use)(struct clusters *c, jv record);
	} types[] = {{"scenario", clusters_scenario}, {"transcript", clusters_transcript},
	    {"judgement", clusters_judgement}};

	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		if (!ndjson_is(in, types[i].type))
			continue;
		jv record = ndjson_value(in);
		types[i].use(c, record);
		jv_free(record);
	}
}

int
main(int argc, char *argv[])
{
	enum { FILTER, ALONE, QUESTIONS } form = FILTER;
	char *known = NULL;
	bool good = true;
	int ch;

	prog_start(argc, argv, help);
	while ((ch = getopt(argc, argv, "ak:s")) != -1) {
		switch (ch) {
		case 'a': form = ALONE; break;
		case 'k': known = optarg; break;
		case 's': form = QUESTIONS; break;
		default: prog_usage();
		}
	}
	const char *const read[] = {known, NULL};
	confine(&(struct confine){.files = argv + optind, .read = read});

	struct clusters *c = clusters_new(form == QUESTIONS);
	if (known != NULL)
		good = read_known(c, known);
	struct ndjson *in = ndjson_open(argv + optind);
	while (ndjson_next(in)) {
		if (ndjson_is(in, "trace") && form != QUESTIONS)
			clusters_put(c, stdout);
		take(c, in);
		if (form == FILTER)
			ndjson_pass(in, stdout);
	}
	if (form == QUESTIONS)
		clusters_ask(c, stdout);
	else
		clusters_put(c, stdout);
	clusters_free(c);
	return ndjson_close(in, stdout) && good ? YES : TROUBLE;
}
