/* agent-run: hold the conversations of scenarios with an agent, and write down what was said. */
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "ndjson.h"
#include "prog.h"
#include "queue.h"

static struct agent *
the_agent(const char *name, const char *folder)
{
	char *path = agent_find(name, folder);
	struct agent *a = agent_read(path);

	free(path);
	if (a == NULL)
		exit(TROUBLE);
	return a;
}

/* -n: the agent with its seeds, or every agent of the folder. */
static int
show(const char *name, const char *folder)
{
	bool good = true;

	if (name != NULL) {
		struct agent *a = the_agent(name, folder);
		jv seeds = agent_seeds(a);
		ndjson_put(agent_record(a), stdout);
		for (int i = 0; i < jv_array_length(jv_copy(seeds)); i++)
			ndjson_put(jv_array_get(jv_copy(seeds), i), stdout);
		jv_free(seeds);
		agent_free(a);
	} else {
		char **list = agent_list(folder);
		for (size_t i = 0; list[i] != NULL; i++) {
			struct agent *a = agent_read(list[i]);
			good = good && a != NULL;
			if (a != NULL) {
				ndjson_put(agent_record(a), stdout);
				agent_free(a);
			}
			free(list[i]);
		}
		free(list);
	}
	if (fflush(stdout) != 0)
		err(TROUBLE, "write");
	return good ? YES : TROUBLE;
}

static const char help[] =
    "agent-run -a agent [-gnS] [-A folder] [-j jobs] [-k trials] [-s seed] [file ...]\n"
    "\n"
    "Talks to an agent as each scenario record says, and writes a transcript record for each\n"
    "trial behind its scenario.  An agent that crashes, hangs, floods or talks garbage costs that\n"
    "trial.\n"
    "\n"
    "  -a agent    the agent's file (agent(5)), or its id in a folder\n"
    "  -A folder   where agents are; RCAKIT_AGENTS unless given\n"
    "  -S          run the agent's own seeds; no input is read\n"
    "  -n          show the agent and its seeds (without -a: all agents), and run nothing\n"
    "  -j jobs     so many trials at once        -k trials   so many of each scenario\n"
    "  -s seed     what the agent is to draw by  -g          exit 1 if a trial ended in an error\n"
    "\n"
    "  $ agent-run -a agents/bot/agent.yaml -S | agent-judge -t";

int
main(int argc, char *argv[])
{
	struct run run = {.trials = 1, .seed = 1};
	struct queue q = {.run = &run, .jobs = 1};
	const char *name = NULL, *folder = getenv("RCAKIT_AGENTS");
	bool gate = false, only_show = false, seeds = false, good = true;
	int ch;

	prog_start(argc, argv, help);
	while ((ch = getopt(argc, argv, "A:a:gj:k:nSs:")) != -1) {
		switch (ch) {
		case 'A': folder = optarg; break;
		case 'a': name = optarg; break;
		case 'g': gate = true; break;
		case 'j': q.jobs = (int)prog_number(ch, optarg, 1, 64); break;
		case 'k': run.trials = (int)prog_number(ch, optarg, 1, 1000); break;
		case 'n': only_show = true; break;
		case 'S': seeds = true; break;
		case 's': run.seed = prog_number(ch, optarg, 0, 9007199254739992); break;
		default: prog_usage();
		}
	}
	if (folder != NULL && *folder == '\0')
		folder = NULL;
	if (((seeds || only_show) && optind < argc) ||
	    (name == NULL && (!only_show || folder == NULL)))
		prog_usage();
	if (only_show)
		return show(name, folder);

	struct agent *agent = the_agent(name, folder);
	if (agent->http != NULL && agent->unset != NULL)
		errx(TROUBLE, "%s: env: %s is not set", agent->path, agent->unset);
	run.agent = agent;
	run.net = net_new(NULL);
	prog_catch_signals();
	if (seeds)
		queue_seeds(&q, agent_seeds(agent));
	else
		good = queue_records(&q, argv + optind);
	command_end(&run);
	net_free(run.net);
	if (prog_stopped) {
		queue_abandon(&q);
		prog_die_of_signal();
	}
	agent_free(agent);
	if (!good)
		return TROUBLE;
	return gate && run.errors ? NO : YES;
}
