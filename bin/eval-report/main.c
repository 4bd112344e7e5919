/* eval-report: where the agent is weak, in the form that the reader wants. */
#include <err.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "confine.h"
#include "prog.h"
#include "report.h"
#include "when.h"

static const struct {
	const char *name;
	void (*write)(const struct report *r, struct buf *b);
} forms[] = {
    {"text", write_text},
    {"md", write_markdown},
    {"junit", write_junit},
    {"html", write_html},
    {"ctrf", write_ctrf},
    {"history", write_history},
};

int
main(int argc, char *argv[])
{
	size_t form = 0, count = sizeof forms / sizeof *forms;
	char *history = NULL;
	const char *wall = NULL;
	struct buf b = {0};
	int ch;

	prog_start(argc, argv,
	    "eval-report [-H history] [-o text|md|junit|html|ctrf|history] [-w wall] [file ...]\n"
	    "Report one run of the golden set (score records): the score by dimension and by\n"
	    "category, as text, Markdown, JUnit XML, one HTML file or CTRF JSON.\n"
	    "  -H file  runs before this one, an eval_run record each: adds the trend\n"
	    "  -o form  text unless given; history writes the record to append to such a file\n"
	    "  -w wall  when the run was, as 2026-07-04T08:00:00Z\n"
	    "Example: eval-report -H golden/history.ndjson -o html now.ndjson >report.html");
	while ((ch = getopt(argc, argv, "H:o:w:")) != -1) {
		switch (ch) {
		case 'H': history = optarg; break;
		case 'o':
			for (form = 0; form < count && strcmp(optarg, forms[form].name) != 0;)
				form++;
			if (form == count)
				errx(TROUBLE, "-o: not text, md, junit, html, ctrf or history");
			break;
		case 'w': wall = when_option(ch, optarg); break;
		default: prog_usage();
		}
	}
	const char *const read[] = {history, NULL};
	confine(&(struct confine){.files = argv + optind, .read = read});
	struct scores run = scores_read(argv + optind);
	if (run.count == 0)
		errx(TROUBLE, "no score record to report");
	struct report r = report_make(&run, history, wall);
	forms[form].write(&r, &b);
	fwrite(b.data, 1, b.len, stdout);
	if (fflush(stdout) != 0 || ferror(stdout))
		err(TROUBLE, "standard output");
	int answer = run.whole && r.whole ? YES : TROUBLE;
	buf_free(&b);
	report_free(&r);
	scores_free(&run);
	return answer;
}
