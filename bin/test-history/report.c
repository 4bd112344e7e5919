#include "report.h"

#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "prog.h"
#include "spool.h"
#include "zip.h"

enum { BLOCK = 65536 };

void
report_complain(const struct report *r, uint64_t at, const char *why)
{
	warnx("%s: byte %" PRIu64 ": %s", r->name, at + 1, why);
}

void
report_error(struct report *r, const struct fault *error)
{
	struct fault *f;

	if (r->error_count == 20) /* one says it all */
		return;
	r->errors = prog_resize(r->errors, r->error_count + 1, sizeof *r->errors);
	f = &r->errors[r->error_count++];
	*f = (struct fault){.line = error->line, .column = error->column};
	f->message =
	    error->message == NULL ? NULL : prog_copy(error->message, strlen(error->message));
	f->stack = error->stack == NULL ? NULL : prog_copy(error->stack, strlen(error->stack));
	f->file = error->file == NULL ? NULL : prog_copy(error->file, strlen(error->file));
}

static bool
is_event_file(const char *name)
{
	size_t n = strlen(name);
	return strncmp(name, "report", 6) == 0 && n > 6 && strcmp(name + n - 6, ".jsonl") == 0;
}

/* The events inside a blob's zip take the place of the zip. */
static bool
unzip(struct report *r)
{
	struct zip_fault fault = {0};
	struct zip *zip = zip_open(r->fd, &zip_limits, &fault);
	const struct zip_member *events = NULL;
	const char *block;
	long got = -1;

	if (zip == NULL) {
		warnx("%s: %s: %s", r->name, fault.code, fault.why);
		free(fault.member);
		return false;
	}
	for (size_t i = 0; i < zip->count && events == NULL; i++)
		if (is_event_file(zip->members[i].name))
			events = &zip->members[i];
	if (events == NULL) {
		warnx("%s: a zip, but no blob report: no report.jsonl in it", r->name);
		zip_free(zip);
		return false;
	}
	int to = spool_new();
	struct zip_read *in = zip_read_open(zip, events);
	while ((got = zip_read_block(in, &block, &fault)) > 0)
		spool_add(to, block, (size_t)got);
	zip_read_close(in);
	zip_free(zip);
	if (got < 0) {
		warnx("%s: %s: %s", r->name, fault.code, fault.why);
		free(fault.member);
		close(to);
		return false;
	}
	close(r->fd);
	r->fd = to;
	return true;
}

/* By the first bytes; *at is the first that is not blank. */
static enum report_form
form_of(const struct report *r, size_t *at)
{
	char head[4096];
	ssize_t got = pread(r->fd, head, sizeof head, 0);
	size_t i = 0, len = got > 0 ? (size_t)got : 0;

	if (len >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0)
		i = 3;
	while (i < len && isspace((unsigned char)head[i]))
		i++;
	*at = i;
	if (len - i >= 4 && memcmp(head + i, "PK\3\4", 4) == 0)
		return FORM_BLOB;
	if (i < len && head[i] == '<')
		return FORM_JUNIT;
	if (i == len || head[i] != '{')
		return FORM_NONE;
	/* A record or an event is a whole object in a line. */
	const char *eol = memchr(head + i, '\n', len - i);
	const char *end = eol == NULL ? head + len : eol;
	for (const char *c = head + i; c + 8 <= end; c++) {
		if (memcmp(c, "\"method\"", 8) == 0 && c - (head + i) < 4)
			return FORM_BLOB;
		if (memcmp(c, "\"suites\"", 8) == 0 || memcmp(c, "\"config\"", 8) == 0)
			return FORM_PLAYWRIGHT;
	}
	while (end > head + i && isspace((unsigned char)end[-1]))
		end--;
	if (eol != NULL && end[-1] == '}' && end - (head + i) > 2)
		return FORM_RECORDS;
	for (const char *c = head + i; c + 6 <= end; c++)
		if (memcmp(c, "\"type\"", 6) == 0)
			return FORM_RECORDS;
	return FORM_PLAYWRIGHT;
}

static bool
look(struct report *r)
{
	size_t at;

	r->form = form_of(r, &at);
	switch (r->form) {
	case FORM_PLAYWRIGHT: return playwright_look(r);
	case FORM_JUNIT: {
		char mark[8] = "";
		if (pread(r->fd, mark, 7, (off_t)at) == 7 && strcmp(mark, "<<<<<<<") == 0) {
			report_complain(r, at, "a git conflict marker");
			return false;
		}
		return junit_look(r);
	}
	case FORM_BLOB: {
		char mark[4] = "";
		if (pread(r->fd, mark, 2, 0) == 2 && memcmp(mark, "PK", 2) == 0 && !unzip(r))
			return false;
		return blob_look(r);
	}
	case FORM_RECORDS: return true;
	case FORM_NONE: break;
	}
	report_complain(
	    r, at, r->bytes == 0 ? "empty" : "neither JSON, XML, a blob report nor records");
	return false;
}

bool
report_open(struct report *r, const char *name, size_t arrived)
{
	bool standard = strcmp(name, "-") == 0;
	struct stat st;

	*r = (struct report){.arrived = arrived,
	    .fd = -1,
	    .repeat_each = 1,
	    .expected = -1,
	    .unexpected = -1,
	    .flaky = -1,
	    .skipped = -1,
	    .tests = -1};
	r->name = standard ? prog_copy("<stdin>", 7) : prog_clean(name, strlen(name));
	r->fd = standard ? dup(0) : open(name, O_RDONLY | O_CLOEXEC);
	if (r->fd < 0 || fstat(r->fd, &st) != 0) {
		warn("%s", r->name);
		return false;
	}
	if (!S_ISREG(st.st_mode) || (standard && lseek(0, 0, SEEK_CUR) != 0)) {
		int to =
		    S_ISDIR(st.st_mode) ? (errno = EISDIR, -1) : spool_input(r->fd, UINT64_MAX);
		if (to < 0) {
			warn("%s", r->name);
			return false;
		}
		close(r->fd);
		r->fd = to;
		fstat(r->fd, &st);
	}
	r->bytes = (uint64_t)st.st_size;
	return look(r);
}

void
report_close(struct report *r)
{
	if (r->fd >= 0)
		close(r->fd);
	for (size_t i = 0; i < r->error_count; i++)
		fault_free(&r->errors[i]);
	free(r->errors);
	free(r->root);
	free(r->name);
	free(r->run.id);
	free(r->run.start);
	free(r->run.commit);
	free(r->run.branch);
	free(r->run.tool);
}

void
report_read(struct report *r, struct tests *tests)
{
	switch (r->form) {
	case FORM_PLAYWRIGHT: playwright_read(r, tests); break;
	case FORM_JUNIT: junit_read(r, tests); break;
	case FORM_BLOB: blob_read(r, tests); break;
	default: break;
	}
}

void
metadata_text(struct run *run, const char *path, const char *value)
{
	static const struct {
		const char *path;
		char what;
	} names[] = {{"gitCommit.hash", 'c'}, {"ci.commitHash", 'c'}, {"revision.id", 'c'},
	    {"commit", 'c'}, {"sha", 'c'}, {"gitCommit.branch", 'b'}, {"ci.branch", 'b'},
	    {"branch", 'b'}, {"ci.buildHref", 'r'}, {"ci.link", 'r'}, {"runId", 'r'},
	    {"run_id", 'r'}, {"buildId", 'r'}};

	if (*value == '\0')
		return;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (strcmp(path, names[i].path) != 0)
			continue;
		char **to = names[i].what == 'c'   ? &run->commit
			    : names[i].what == 'b' ? &run->branch
						   : &run->id;
		if (*to == NULL)
			*to = prog_clean(value, strlen(value));
	}
}
