/* autoqa-report: a run of autoqa, for people and for CI servers. */
#include <err.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "confine.h"
#include "forms.h"
#include "prog.h"
#include "scenario.h"
#include "when.h"

static const char help[] =
    "autoqa-report [-F severity] [-o md|junit|html] [-w wall] [file ...]\n"
    "\n"
    "Reports the records of one run of autoqa: open bugs, flaky ones, those that did not show and\n"
    "those that are fixed, each once.\n"
    "\n"
    "  -F severity  exit 1 if an open bug is as grave (low, medium, high, critical), or if\n"
    "               something could not be judged\n"
    "  -o form      md unless given       -w wall  when the run was, as 2026-07-04T08:00:00Z\n"
    "\n"
    "  $ autoqa-report -o html run/[0-9]*.ndjson >report.html";

static const struct {
	const char *name;
	void (*write)(const struct run *r, struct buf *b);
} forms[] = {{"md", form_markdown}, {"junit", form_junit}, {"html", form_html}};

int
main(int argc, char *argv[])
{
	size_t form = 0, count = sizeof forms / sizeof *forms;
	const char *wall = NULL;
	struct buf b = {0};
	int ch, limit = INT_MAX;

	prog_start(argc, argv, help);
	while ((ch = getopt(argc, argv, "F:o:w:")) != -1) {
		switch (ch) {
		case 'F':
			limit = scenario_severity(optarg);
			if (strcmp(optarg, scenario_severities[limit]) != 0)
				errx(TROUBLE, "-F: not low, medium, high or critical");
			break;
		case 'o':
			for (form = 0; form < count && strcmp(optarg, forms[form].name) != 0;)
				form++;
			if (form == count)
				errx(TROUBLE, "-o: not md, junit or html");
			break;
		case 'w': wall = when_option(ch, optarg); break;
		default: prog_usage();
		}
	}
	confine(&(struct confine){.files = argv + optind});
	struct run r = run_read(argv + optind);
	r.wall = wall;
	forms[form].write(&r, &b);
	fwrite(b.data, 1, b.len, stdout);
	if (fflush(stdout) != 0 || ferror(stdout))
		err(TROUBLE, "standard output");
	int answer = !r.whole ? TROUBLE : run_gravest(&r) >= limit ? NO : YES;
	buf_free(&b);
	run_free(&r);
	return answer;
}
