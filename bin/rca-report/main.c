/* rca-report: what a person reads of a failed test: the cause with its evidence, in Markdown. */
#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "confine.h"
#include "ndjson.h"
#include "prog.h"
#include "quote.h"
#include "segment.h"

enum form { ANSWERS, EVIDENCE, TABLE };

static void
say_part(struct md *m, const char *before, const char *text)
{
	if (text == NULL)
		return;
	md_own(m, "%s", before);
	md_text(m, text);
}

void
report_head(const struct segment *s, struct md *m)
{
	struct buf place = {0};
	const char *browser = jvx_text(s->test, "browser"), *project = jvx_text(s->test, "project");
	const char *name = jvx_text(s->trace, "name");
	double ms = jvx_number(s->test, "duration_ms", NAN),
	       retry = jvx_number(s->test, "retry", 0);

	md_title(m, segment_title(s));
	md_own(m, "%s", segment_status(s));
	if (segment_place(s, &place)) {
		md_own(m, " at ");
		md_code(m, place.data);
	}
	say_part(m, ", ", browser);
	say_part(m, ", project ", project);
	if (retry > 0)
		md_own(m, ", retry %.0f", retry);
	if (!isnan(ms))
		md_own(m, ", %.1f s", ms / 1000);
	if (name != NULL) {
		md_own(m, ", trace ");
		md_code(m, name);
	}
	md_own(m, "\n\n");
	buf_free(&place);
}

/* The last warning: where nothing could be read, it is what stopped the reader. */
static void
say_warning(const struct segment *s, struct md *m)
{
	jv all = segment_all(s, "warning");
	jv last = jv_array_get(jv_copy(all), jv_array_length(jv_copy(all)) - 1);
	const char *message = jvx_text(last, "message");

	md_line(m, message ? message : "no test in it", 200);
	jv_free(last);
	jv_free(all);
}

/* The cause in the answer's words, or why there is none. */
static void
say_cause(const struct segment *s, struct md *m)
{
	jv result = jv_array_get(jv_copy(s->results), 0);
	jv output = jvx_get(result, "output"), cause = jvx_get(output, "root_cause");
	const char *because = jvx_text(cause, "because"), *reason = jvx_text(result, "reason");

	if (because != NULL) {
		md_own(m, ": ");
		md_line(m, because, 200);
	} else if (jv_is_valid(output))
		md_own(m, ": cannot be determined from this trace");
	else if (reason != NULL) {
		md_own(m, ": no explanation: ");
		md_line(m, reason, 40);
	}
	jv_free(cause);
	jv_free(output);
	jv_free(result);
}

/* STATUS: TRACE: TITLE (FILE:LINE): CAUSE, as far as each is known. */
static void
report_line(const struct segment *s, struct md *m)
{
	const char *name = jvx_text(s->trace, "name");
	struct buf place = {0};

	md_own(m, "%s: ", segment_status(s));
	if (name != NULL) {
		md_line(m, name, 200);
		md_own(m, ": ");
	}
	if (jv_is_valid(s->test))
		md_line(m, segment_title(s), 200);
	if (segment_failed(s) && segment_place(s, &place)) {
		md_own(m, " (");
		md_line(m, place.data, 200);
		md_own(m, ")");
	}
	if (!jv_is_valid(s->test))
		say_warning(s, m);
	else if (segment_failed(s))
		say_cause(s, m);
	md_own(m, "\n");
	buf_free(&place);
}

static void
write_report(const struct segment *s, enum form form, bool first)
{
	struct md m = {.colour = prog_colour(stdout)};

	if (!first && form != TABLE)
		md_own(&m, "\n");
	switch (form) {
	case ANSWERS: report_answers(s, &m); break;
	case EVIDENCE:
		report_head(s, &m);
		report_evidence(s, &m);
		break;
	case TABLE: report_line(s, &m); break;
	}
	if (fwrite(m.b.data, 1, m.b.len, stdout) != m.b.len)
		err(TROUBLE, "write");
	buf_free(&m.b);
}

int
main(int argc, char *argv[])
{
	enum form form = ANSWERS;
	bool gate = false, failed = false, first = true;
	struct segment *s;
	struct ndjson *in;
	int ch;

	prog_start(argc, argv,
	    "rca-report [-egt] [file ...]\n"
	    "\n"
	    "Write what a person reads: for each trace the root cause of its failure, the fix, "
	    "and\n"
	    "the evidence, in Markdown that is safe to render.\n"
	    "\n"
	    "  -e  the evidence alone\n"
	    "  -t  one line for each trace\n"
	    "  -g  exit 1 if a test failed\n"
	    "\n"
	    "  trace-unpack t.zip | trace-events | gql-verify | redact | rca-report -e");
	while ((ch = getopt(argc, argv, "egt")) != -1) {
		switch (ch) {
		case 'e': form = EVIDENCE; break;
		case 'g': gate = true; break;
		case 't': form = TABLE; break;
		default: prog_usage();
		}
	}

	confine(&(struct confine){.files = argv + optind});
	in = ndjson_open(argv + optind);
	s = segment_new();
	for (;;) {
		bool more = ndjson_next(in);
		if ((!more || ndjson_is(in, "trace")) && segment_any(s)) {
			failed = failed || segment_failed(s);
			write_report(s, form, first);
			first = false;
			segment_free(s);
			s = segment_new();
		}
		if (!more)
			break;
		segment_add(s, in);
	}
	segment_free(s);
	if (!ndjson_close(in, stdout))
		return TROUBLE;
	return gate && failed ? NO : YES;
}
