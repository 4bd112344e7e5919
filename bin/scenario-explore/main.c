/* scenario-explore: ask for scenarios around what is weak, and take those that can be run. */
#include <err.h>
#include <string.h>
#include <unistd.h>

#include "confine.h"
#include "explore.h"
#include "ndjson.h"
#include "prog.h"

static const char help[] =
    "scenario-explore [-n count] [-w wave] [file ...]\n"
    "       scenario-explore -v [-k known] [-n count] [-w wave] [file ...]\n"
    "\n"
    "Writes, from the records of a run, the question for an explorer: the agent's spec, coverage "
    "by\n"
    "tag and tool, the clusters and the scenarios so far.  With -v reads the answers and writes "
    "the\n"
    "scenarios that hold: well-formed, new, that a right answer passes and that can fail.\n"
    "\n"
    "  -v        take answers           -k known  the records of the run, for what is known\n"
    "  -n count  so many scenarios, 10  -w wave   the number of the wave, 1\n"
    "\n"
    "  $ scenario-explore run.ndjson | llm-call -p prompts/explore.v1.md -M auto -c cassettes |\n"
    "      scenario-explore -v -k run.ndjson";

static bool
read_material(struct material *m, char *const files[])
{
	struct ndjson *in = ndjson_open(files);

	while (ndjson_next(in)) {
		jv record = ndjson_value(in);
		material_add(m, record);
		jv_free(record);
	}
	return ndjson_close(in, stdout);
}

struct taken {
	int proposed, kept, most;
	jv dropped;
};

static void
drop(struct taken *t, const char *why)
{
	t->dropped = jvx_set_number(t->dropped, why, jvx_number(t->dropped, why, 0) + 1);
}

static void
take_answer(struct taken *t, struct material *m, jv record)
{
	const char *prompt = jvx_text(record, "prompt");
	jv output = jvx_get(record, "output"), list = jvx_get(output, "scenarios");

	if (prompt != NULL && strncmp(prompt, "explore.v", 9) == 0 &&
	    jv_get_kind(list) == JV_KIND_ARRAY)
		jv_array_foreach (list, i, proposal) {
			jv scenario = jv_invalid();
			t->proposed++;
			const char *why = t->kept >= t->most
					      ? "more than were asked for"
					      : proposal_check(m, proposal, &scenario);
			if (why == NULL) {
				t->kept++;
				ndjson_put(scenario, stdout);
			} else {
				drop(t, why);
			}
			jv_free(proposal);
		}
	jv_free(list);
	jv_free(output);
}

static bool
take_all(struct material *m, int wave, int most, char *const files[])
{
	struct taken t = {.most = most, .dropped = jv_object()};
	struct ndjson *in = ndjson_open(files);

	while (ndjson_next(in)) {
		if (ndjson_is(in, "unclassified"))
			drop(&t, "without an answer");
		if (!ndjson_is(in, "answer"))
			continue;
		jv record = ndjson_value(in);
		take_answer(&t, m, record);
		jv_free(record);
	}
	jv r = jvx_set_text(jv_object(), "type", "explored");
	r = jvx_set_number(r, "wave", wave);
	r = jvx_set_number(r, "proposed", t.proposed);
	r = jvx_set_number(r, "kept", t.kept);
	ndjson_put(jvx_set(r, "dropped", t.dropped), stdout);
	return ndjson_close(in, stdout);
}

int
main(int argc, char *argv[])
{
	struct material m = material_new();
	char *known[] = {NULL, NULL};
	int ch, count = 10, wave = 1;
	bool answers = false, good;

	prog_start(argc, argv, help);
	while ((ch = getopt(argc, argv, "k:n:vw:")) != -1) {
		switch (ch) {
		case 'k': known[0] = optarg; break;
		case 'n': count = (int)prog_number(ch, optarg, 1, 1000); break;
		case 'v': answers = true; break;
		case 'w': wave = (int)prog_number(ch, optarg, 1, 1000000); break;
		default: prog_usage();
		}
	}
	if (known[0] != NULL && !answers)
		prog_usage();
	const char *const read[] = {known[0], NULL};
	confine(&(struct confine){.files = argv + optind, .read = read});
	if (answers) {
		good = known[0] == NULL || read_material(&m, known);
		good = take_all(&m, wave, count, argv + optind) && good;
	} else {
		good = read_material(&m, argv + optind);
		material_ask(&m, wave, count, stdout);
		if (fflush(stdout) != 0)
			err(TROUBLE, "write");
	}
	material_free(&m);
	return good ? YES : TROUBLE;
}
