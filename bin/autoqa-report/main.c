/* autoqa-report: a run of autoqa, for people and for CI servers. */
#include <err.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "confine.h"
#include "forms.h"
#include "prog.h"
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

static int
severity_rank(const char *arg)
{
	static const char *const words[] = {"low", "medium", "high", "critical"};

	for (int i = 0; i < 4; i++)
		if (strcmp(words[i], arg) == 0)
			return i;
	errx(TROUBLE, "-F: not low, medium, high or critical");
}

int
main(int argc, char *argv[])
{
	enum { MARKDOWN, JUNIT, HTML } form = MARKDOWN;
	const char *wall = "1970-01-01T00:00:00Z";
	struct buf b = {0};
	int ch, limit = 5;

	prog_start(argc, argv, help);
	while ((ch = getopt(argc, argv, "F:o:w:")) != -1) {
		switch (ch) {
		case 'F': limit = severity_rank(optarg); break;
		case 'o':
			if (strcmp(optarg, "md") != 0 && strcmp(optarg, "junit") != 0 &&
			    strcmp(optarg, "html") != 0)
				errx(TROUBLE, "-o: not md, junit or html");
			form = *optarg == 'm' ? MARKDOWN : *optarg == 'j' ? JUNIT : HTML;
			break;
		case 'w': wall = when_option(ch, optarg); break;
		default: prog_usage();
		}
	}
	confine(&(struct confine){.files = argv + optind});
	struct run r = run_read(argv + optind);
	switch (form) {
	case MARKDOWN: form_markdown(&r, &b); break;
	case JUNIT: form_junit(&r, wall, &b); break;
	case HTML: form_html(&r, &b); break;
	}
	fwrite(b.data, 1, b.len, stdout);
	if (fflush(stdout) != 0 || ferror(stdout))
		err(TROUBLE, "standard output");
	int answer = !r.whole ? TROUBLE : run_gravest(&r) >= limit ? NO : YES;
	buf_free(&b);
	run_free(&r);
	return answer;
}
