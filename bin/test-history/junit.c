/*
 * junit: JUnit XML, by expat, with the words of Playwright, Surefire and whoever else writes it.
 *
 * There is no standard: a testcase without children passed; failure and error say that it did not;
 * flakyFailure, flakyError, rerunFailure and rerunError (Surefire) are further attempts.  A
 * document type is refused, since nobody needs one here and entities are bombs.
 */
#include <ctype.h>
#include <err.h>
#include <expat.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "digest.h"
#include "failmsg.h"
#include "prog.h"
#include "report.h"
#include "when.h"

enum { DEPTH_MAX = 64, TEXT_MAX = 1 << 26, BLOCK = 65536 };

enum kind { KIND_NONE, KIND_FAIL, KIND_FLAKY, KIND_RERUN, KIND_SKIP };

/* One child of a testcase that tells of an attempt. */
struct told {
	enum kind kind;
	bool error;
	char *type, *message;
	struct buf body;
	double time_ms;
};

struct junit {
	struct report *r;
	struct tests *tests; /* NULL on the first look */
	XML_Parser xml;
	const char *refused;
	int depth;

	/* The testsuites that are open: what a testcase may take from them. */
	char *suite[DEPTH_MAX], *suite_file[DEPTH_MAX], *host[DEPTH_MAX], *stamp[DEPTH_MAX];
	int suites, suite_depth[DEPTH_MAX];

	int case_depth; /* 0: in no testcase */
	char *name, *class, *file;
	double time_ms;
	bool skip_meant; /* a property says so */
	struct told *told;
	size_t told_count;
	struct buf *text; /* where character data goes; NULL: nowhere */

	char **known; /* ids of this file, for the testcases that come twice */
	int *times;
	size_t known_count, known_size;
};

static const char *
attribute(const XML_Char **atts, const char *name)
{
	for (; *atts != NULL; atts += 2)
		if (strcmp(atts[0], name) == 0)
			return atts[1];
	return NULL;
}

static char *
copy(const char *text)
{
	return text == NULL ? NULL : prog_copy(text, strlen(text));
}

static void
replace(char **to, const char *text)
{
	free(*to);
	*to = copy(text);
}

/* Seconds, and in Surefire's German "1,234.5" a comma for thousands; -1: none. */
static double
seconds(const char *text)
{
	char digits[40];
	size_t n = 0;
	char *end;

	if (text == NULL)
		return -1;
	for (; *text != '\0' && n < sizeof digits - 1; text++)
		if (*text != ',')
			digits[n++] = *text;
	digits[n] = '\0';
	double s = strtod(digits, &end);
	return end == digits || !(s >= 0) || s > 1e9 ? -1 : s * 1000;
}

static void
refuse(struct junit *j, const char *why)
{
	j->refused = why;
	XML_StopParser(j->xml, XML_FALSE);
}

static const char *
inherited(char *const list[], int count)
{
	for (int i = count - 1; i >= 0; i--)
		if (list[i] != NULL && *list[i] != '\0')
			return list[i];
	return NULL;
}

static void
open_suite(struct junit *j, const XML_Char **atts)
{
	int i = j->suites;
	const char *stamp = attribute(atts, "timestamp");

	j->suite[i] = copy(attribute(atts, "name"));
	j->suite_file[i] = copy(attribute(atts, "file"));
	j->host[i] = copy(attribute(atts, "hostname"));
	j->stamp[i] = copy(stamp);
	j->suite_depth[i] = j->depth;
	j->suites++;
	if (j->tests != NULL || stamp == NULL)
		return;
	char *start = when_normal(stamp);
	if (start != NULL && (j->r->run.start == NULL || strcmp(start, j->r->run.start) < 0)) {
		free(j->r->run.start);
		j->r->run.start = start;
		start = NULL;
	}
	free(start);
}

static void
close_suite(struct junit *j)
{
	int i = --j->suites;

	free(j->suite[i]);
	free(j->suite_file[i]);
	free(j->host[i]);
	free(j->stamp[i]);
}

static void
open_case(struct junit *j, const XML_Char **atts)
{
	j->case_depth = j->depth;
	replace(&j->name, attribute(atts, "name"));
	replace(&j->class, attribute(atts, "classname"));
	replace(&j->file, attribute(atts, "file"));
	j->time_ms = seconds(attribute(atts, "time"));
	/* TestNG, PHPUnit and others leave the time out or say "duration". */
	if (j->time_ms < 0)
		j->time_ms = seconds(attribute(atts, "duration"));
	j->skip_meant = false;
}

static enum kind
kind_of(const char *name, bool *error)
{
	static const struct {
		const char *name;
		enum kind kind;
		bool error;
	} names[] = {{"failure", KIND_FAIL, false}, {"error", KIND_FAIL, true},
	    {"flakyFailure", KIND_FLAKY, false}, {"flakyError", KIND_FLAKY, true},
	    {"rerunFailure", KIND_RERUN, false}, {"rerunError", KIND_RERUN, true},
	    {"skipped", KIND_SKIP, false}, {"disabled", KIND_SKIP, false}};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i].name) == 0) {
			*error = names[i].error;
			return names[i].kind;
		}
	return KIND_NONE;
}

static void
open_told(struct junit *j, enum kind kind, bool error, const XML_Char **atts)
{
	j->told = prog_resize(j->told, j->told_count + 1, sizeof *j->told);
	struct told *t = &j->told[j->told_count++];

	*t = (struct told){.kind = kind, .error = error};
	t->type = copy(attribute(atts, "type"));
	t->message = copy(attribute(atts, "message"));
	t->time_ms = seconds(attribute(atts, "time"));
	j->text = &t->body;
	if (j->tests == NULL && (kind == KIND_FLAKY || kind == KIND_RERUN))
		j->r->shows_retries = true;
}

static void XMLCALL
on_start(void *ctx, const XML_Char *name, const XML_Char **atts)
{
	struct junit *j = ctx;
	bool error = false;

	if (++j->depth > DEPTH_MAX) {
		refuse(j, "nested over 64 deep");
		return;
	}
	if (j->depth == 1 && strcmp(name, "testsuites") != 0 && strcmp(name, "testsuite") != 0) {
		refuse(j, "XML, but no JUnit report: the first element is no testsuite");
		return;
	}
	if (j->depth == 1 && j->tests == NULL) {
		j->r->is_playwright =
		    strcmp(name, "testsuites") == 0 && attribute(atts, "id") != NULL;
		const char *stamp = attribute(atts, "timestamp");
		if (stamp != NULL && strcmp(name, "testsuites") == 0)
			j->r->run.start = when_normal(stamp);
	}
	if (j->case_depth == 0 && strcmp(name, "testsuite") == 0) {
		if (j->tests == NULL && attribute(atts, "hostname") == NULL)
			j->r->is_playwright = false;
		open_suite(j, atts);
	} else if (j->case_depth == 0 && strcmp(name, "testcase") == 0) {
		open_case(j, atts);
	} else if (j->case_depth > 0) {
		enum kind kind = kind_of(name, &error);
		if (kind != KIND_NONE && j->depth == j->case_depth + 1) {
			open_told(j, kind, error, atts);
		} else if (strcmp(name, "property") == 0) {
			const char *p = attribute(atts, "name");
			if (p != NULL && (strcmp(p, "skip") == 0 || strcmp(p, "fixme") == 0)) {
				j->skip_meant = true;
				if (j->tests == NULL)
					j->r->shows_properties = true;
			}
		} else if (j->told_count > 0 && strcmp(name, "stackTrace") != 0) {
			j->text = NULL; /* system-out and the like */
		}
	}
}

static void XMLCALL
on_text(void *ctx, const XML_Char *text, int len)
{
	struct junit *j = ctx;

	if (j->text == NULL)
		return;
	if (j->text->len + (size_t)len > TEXT_MAX)
		refuse(j, "a text of over 64 MiB");
	else
		buf_add(j->text, text, (size_t)len);
}

static void XMLCALL
on_doctype(void *ctx, const XML_Char *name, const XML_Char *sys, const XML_Char *pub, int internal)
{
	(void)name, (void)sys, (void)pub, (void)internal;
	refuse(ctx, "has a document type, which is refused");
}

/* Attempts out of a testcase. */

static bool
is_timeout(const char *text)
{
	static const char *const words[] = {"Test timeout of ", "Exceeded timeout of ",
	    "Test timed out in ", "test timed out after ", "execution timed out after ",
	    "TestTimedOutException"};

	for (size_t i = 0; text != NULL && i < sizeof words / sizeof *words; i++)
		if (strstr(text, words[i]) != NULL)
			return true;
	return false;
}

/* "    12 | code" and "  > 12 | code" of a code frame. */
static bool
is_frame(const char *line)
{
	while (*line == ' ')
		line++;
	if (*line == '>')
		line++;
	while (*line == ' ')
		line++;
	if (!isdigit((unsigned char)*line))
		return false;
	while (isdigit((unsigned char)*line))
		line++;
	return line[0] == ' ' && line[1] == '|';
}

/*
 * One section of Playwright's text, less its indentation: what was said, the frame, the stack; and
 * the line below "attachment #2: trace (application/zip) ───", the path of the trace.
 */
static void
read_section(const char *at, size_t len, struct fault *f, char **trace)
{
	struct buf message = {0}, snippet = {0}, stack = {0};
	const char *end = at + len;
	bool frame = false, is_path = false;

	while (at < end) {
		const char *eol = memchr(at, '\n', (size_t)(end - at));
		const char *next = eol == NULL ? end : eol + 1;
		char *line = prog_copy(at, (size_t)((eol == NULL ? end : eol) - at));
		const char *l = strncmp(line, "    ", 4) == 0 ? line + 4 : line, *t = l;
		at = next;
		while (*t == ' ')
			t++;
		bool is_at = strncmp(t, "at ", 3) == 0;
		if (is_path && *trace == NULL)
			*trace = prog_copy(t, strlen(t));
		is_path = strncmp(t, "attachment #", 12) == 0 &&
			  strstr(t, ": trace (application/zip)") != NULL;
		if (is_frame(l) || (frame && *t == '|')) {
			frame = true;
			buf_text(&snippet, l);
			buf_byte(&snippet, '\n');
		} else if (is_at) {
			buf_format(&stack, "    %s\n", t);
		} else if (strncmp(t, "Error Context: ", 15) == 0 ||
			   strncmp(t, "attachment #", 12) == 0) {
			frame = true; /* what follows is no message */
		} else if (!frame && stack.len == 0) {
			buf_text(&message, l);
			buf_byte(&message, '\n');
		}
		free(line);
	}
	while (message.len > 0 && isspace((unsigned char)message.data[message.len - 1]))
		message.data[--message.len] = '\0';
	const char *from = message.data == NULL ? "" : message.data;
	while (isspace((unsigned char)*from))
		from++;
	f->message = prog_copy(from, strlen(from));
	f->snippet = snippet.data;
	f->stack = stack.data;
	buf_free(&message);
}

static void
read_place(struct fault *f)
{
	if (f->stack == NULL)
		return;
	const char *p = f->stack;
	while (*p == ' ')
		p++;
	p += 3;
	const char *eol = strchr(p, '\n'), *colon = NULL, *before = NULL;
	if (eol == NULL)
		return;
	for (const char *c = p; c < eol; c++)
		if (*c == ':') {
			before = colon;
			colon = c;
		}
	if (before == NULL)
		return;
	f->line = strtol(before + 1, NULL, 10);
	f->column = strtol(colon + 1, NULL, 10);
	const char *paren = memchr(p, '(', (size_t)(before - p));
	if (paren != NULL)
		p = paren + 1;
	if (f->line > 0)
		f->file = prog_copy(p, (size_t)(before - p));
}

static void
send(
    struct junit *j, const struct attempt *base, int retry, char status, double ms, struct fault *f)
{
	struct attempt a = *base;

	a.retry = retry;
	a.status = status;
	a.duration_ms = ms;
	if (f != NULL) {
		a.error = *f;
		a.has_error = true;
		a.errors = 1;
	}
	tests_attempt(j->tests, &a);
	if (f != NULL)
		fault_free(f);
}

static char *
plain(const char *text, size_t len)
{
	struct buf b = {0};

	failmsg_plain(text, len, &b);
	while (b.len > 0 && isspace((unsigned char)b.data[b.len - 1]))
		b.data[--b.len] = '\0';
	if (b.len > 0)
		return b.data;
	buf_free(&b);
	return NULL;
}

static void
send_told(struct junit *j, const struct attempt *base, int retry, const struct told *t, double ms)
{
	struct fault f = {0};
	const char *message = t->message;
	char *body = plain(t->body.data == NULL ? "" : t->body.data, t->body.len);

	if (message == NULL || *message == '\0')
		message = body;
	f.message = message == NULL ? NULL : plain(message, strlen(message));
	f.type = t->type == NULL || *t->type == '\0' ? NULL : copy(t->type);
	f.stack = body;
	bool late =
	    is_timeout(f.message) || is_timeout(f.type) || (t->message == NULL && is_timeout(body));
	send(j, base, retry, late ? 'T' : 'F', ms, &f);
}

/* Playwright hides retries from XML, but prints them: "    Retry #1 ──────". */
static int
send_sections(struct junit *j, const struct attempt *base, const struct told *t)
{
	char *body = plain(t->body.data == NULL ? "" : t->body.data, t->body.len);
	const char *at = body == NULL ? "" : body, *end = at + strlen(at);
	int retry = 0;

	/* The first line repeats the title. */
	while (*at == '\n')
		at++;
	const char *eol = strchr(at, '\n');
	if (eol != NULL)
		at = eol + 1;
	while (at < end) {
		const char *next = strstr(at, "\n    Retry #");
		size_t len = (size_t)((next == NULL ? end : next) - at);
		struct fault f = {0};
		struct attempt a = *base;
		read_section(at, len, &f, &a.trace);
		if (*f.message == '\0' && t->message != NULL)
			replace(&f.message, t->message);
		f.type = copy(t->type);
		read_place(&f);
		char status = is_timeout(f.message) ? 'T' : 'F';
		send(j, &a, retry, status, -1, &f); /* the time is that of all of them */
		free(a.trace);
		retry++;
		if (next == NULL)
			break;
		at = strchr(next + 1, '\n');
		if (at == NULL)
			break;
	}
	free(body);
	return retry;
}

/* How often this test was in the file already. */
static int
times_seen(struct junit *j, const struct attempt *a)
{
	struct buf id = {0};

	attempt_id(a, &id);
	if (j->known_count * 2 >= j->known_size) {
		size_t size = j->known_size == 0 ? 1024 : j->known_size * 2;
		char **known = prog_alloc(size, sizeof *known);
		int *times = prog_alloc(size, sizeof *times);
		for (size_t i = 0; i < j->known_size; i++) {
			if (j->known[i] == NULL)
				continue;
			size_t h = 5381;
			for (const char *c = j->known[i]; *c != '\0'; c++)
				h = h * 33 + (unsigned char)*c;
			for (h &= size - 1; known[h] != NULL;)
				h = (h + 1) & (size - 1);
			known[h] = j->known[i];
			times[h] = j->times[i];
		}
		free(j->known);
		free(j->times);
		j->known = known;
		j->times = times;
		j->known_size = size;
	}
	size_t h = 5381;
	for (const char *c = id.data; *c != '\0'; c++)
		h = h * 33 + (unsigned char)*c;
	for (h &= j->known_size - 1; j->known[h] != NULL && strcmp(j->known[h], id.data) != 0;)
		h = (h + 1) & (j->known_size - 1);
	if (j->known[h] != NULL) {
		buf_free(&id);
		return ++j->times[h];
	}
	j->known[h] = id.data;
	j->known_count++;
	return 0;
}

/* Whose test: Playwright's host name is a project and its class a file; elsewhere a host is a host.
 */
static void
identify(struct junit *j, struct attempt *a)
{
	const char *class = j->class, *name = j->name == NULL ? "" : j->name;
	const char *host = inherited(j->host, j->suites), *file = j->file;

	if (class == NULL || *class == '\0')
		class = inherited(j->suite, j->suites);
	if (j->r->is_playwright && host != NULL) {
		size_t n = strlen(host);
		a->project = copy(host);
		if (name[0] == '[' && strncmp(name + 1, host, n) == 0 &&
		    strncmp(name + 1 + n, "] ", 2) == 0)
			name += n + 3;
	}
	if (file == NULL)
		file = inherited(j->suite_file, j->suites);
	a->file = copy(class != NULL ? class : file);
	if (a->file != NULL && j->r->is_playwright)
		for (char *c = a->file; *c != '\0'; c++)
			if (*c == '\\')
				*c = '/';
	title_split(&a->title, name, strlen(name));
}

static void
close_case(struct junit *j)
{
	struct attempt a;
	const struct told *fail = NULL, *skipped = NULL;
	int before = 0, retry = 0;

	attempt_init(&a);
	identify(j, &a);
	a.attempts_known = j->r->shows_retries;
	a.repeat = times_seen(j, &a);
	j->r->repeats_seen += a.repeat > 0;
	for (size_t i = 0; i < j->told_count; i++) {
		const struct told *t = &j->told[i];
		if (t->kind == KIND_FAIL && fail == NULL)
			fail = t;
		else if (t->kind == KIND_SKIP)
			skipped = t;
		before += t->kind == KIND_FLAKY;
	}
	if (skipped != NULL && fail == NULL) {
		/* Playwright says so for what it did not reach as well, but without the property.
		 */
		bool meant = !j->r->is_playwright || j->skip_meant || !j->r->shows_properties;
		a.expected = meant ? 'S' : 0;
		send(j, &a, 0, meant ? 'S' : 'N', -1, NULL);
	} else if (fail == NULL) {
		for (size_t i = 0; i < j->told_count; i++)
			if (j->told[i].kind == KIND_FLAKY)
				send_told(j, &a, retry++, &j->told[i], j->told[i].time_ms);
		send(j, &a, before, 'P', j->time_ms, NULL);
	} else if (j->r->is_playwright && !j->r->shows_retries && fail->body.len > 0) {
		a.attempts_known = true;
		if (send_sections(j, &a, fail) == 0)
			send_told(j, &a, 0, fail, j->time_ms);
	} else {
		send_told(j, &a, retry++, fail, j->time_ms);
		for (size_t i = 0; i < j->told_count; i++)
			if (j->told[i].kind == KIND_RERUN || j->told[i].kind == KIND_FLAKY)
				send_told(j, &a, retry++, &j->told[i], j->told[i].time_ms);
	}
	attempt_free(&a);
}

static void
forget_case(struct junit *j)
{
	for (size_t i = 0; i < j->told_count; i++) {
		free(j->told[i].type);
		free(j->told[i].message);
		buf_free(&j->told[i].body);
	}
	j->told_count = 0;
	j->text = NULL;
	j->case_depth = 0;
}

static void XMLCALL
on_end(void *ctx, const XML_Char *name)
{
	struct junit *j = ctx;

	if (j->case_depth > 0 && j->depth == j->case_depth) {
		if (j->tests != NULL)
			close_case(j);
		else
			j->r->tests++;
		forget_case(j);
	} else if (j->case_depth > 0 && j->depth == j->case_depth + 1) {
		j->text = NULL;
	} else if (j->case_depth > 0 && j->told_count > 0) {
		j->text = &j->told[j->told_count - 1].body;
	} else if (j->case_depth == 0 && j->suites > 0 &&
		   j->suite_depth[j->suites - 1] == j->depth && strcmp(name, "testsuite") == 0) {
		close_suite(j);
	}
	j->depth--;
}

static bool
parse(struct junit *j, struct digest *digest)
{
	uint64_t at = 0;
	ssize_t got;
	bool good = true;

	j->xml = XML_ParserCreate(NULL);
	if (j->xml == NULL)
		errx(TROUBLE, "no memory");
	XML_SetUserData(j->xml, j);
	XML_SetElementHandler(j->xml, on_start, on_end);
	XML_SetCharacterDataHandler(j->xml, on_text);
	XML_SetStartDoctypeDeclHandler(j->xml, on_doctype);
	do {
		void *block = XML_GetBuffer(j->xml, BLOCK);
		if (block == NULL)
			errx(TROUBLE, "no memory");
		got = pread(j->r->fd, block, BLOCK, (off_t)at);
		if (got < 0) {
			report_complain(j->r, at, "cannot be read");
			good = false;
			break;
		}
		if (digest != NULL)
			digest_add(digest, block, (size_t)got);
		at += (uint64_t)got;
		if (XML_ParseBuffer(j->xml, (int)got, got == 0) != XML_STATUS_OK) {
			const char *why = j->refused != NULL
					      ? j->refused
					      : XML_ErrorString(XML_GetErrorCode(j->xml));
			report_complain(j->r, (uint64_t)XML_GetCurrentByteIndex(j->xml), why);
			good = false;
		}
	} while (good && got > 0);
	XML_ParserFree(j->xml);
	forget_case(j);
	while (j->suites > 0)
		close_suite(j);
	free(j->told);
	free(j->name);
	free(j->class);
	free(j->file);
	for (size_t i = 0; i < j->known_size; i++)
		free(j->known[i]);
	free(j->known);
	free(j->times);
	return good;
}

bool
junit_look(struct report *r)
{
	struct junit j = {.r = r};
	struct digest *digest = digest_new();

	r->tests = 0;
	r->run.source = "junit";
	bool good = parse(&j, digest);
	digest_end(digest, r->digest);
	if (r->is_playwright)
		r->run.tool = prog_copy("playwright", 10);
	return good;
}

void
junit_read(struct report *r, struct tests *tests)
{
	struct junit j = {.r = r, .tests = tests};

	parse(&j, NULL);
}
