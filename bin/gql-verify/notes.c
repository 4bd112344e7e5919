#define _GNU_SOURCE /* strcasestr */
#include "notes.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "buf.h"
#include "handler.h"
#include "jvx.h"
#include "place.h"
#include "prog.h"
#include "re.h"

enum { ROUTES = 1000, SOURCE_BYTES = 4 << 20, TEXTS = 2000, CERTAIN_BYTES = 12 };

struct mock {
	char *pattern, *file;
	size_t line;
	jv names;       /* that its handler compares */
	bool idle;      /* none of them was ever sent */
	struct re *re;  /* of the pattern; NULL: takes any URL */
	bool path_only; /* the pattern has no host */
};

struct notes {
	struct mock *mock;
	size_t mocks;
	jv sources; /* records: file, first, text */
	size_t source_bytes;
	jv texts; /* expected */
};

struct notes *
notes_new(void)
{
	struct notes *n = prog_alloc(1, sizeof *n);

	n->sources = jv_array();
	n->texts = jv_array();
	return n;
}

void
notes_free(struct notes *n)
{
	for (size_t i = 0; i < n->mocks; i++) {
		free(n->mock[i].pattern);
		free(n->mock[i].file);
		jv_free(n->mock[i].names);
		if (n->mock[i].re != NULL)
			re_free(n->mock[i].re);
	}
	free(n->mock);
	jv_free(n->sources);
	jv_free(n->texts);
	free(n);
}

/* A glob as Playwright reads it: '*' stays in a path segment, '**' does not, {a,b} is a choice. */
static void
glob_pattern(const char *glob, struct buf *b)
{
	bool choice = false;

	buf_byte(b, '^');
	for (const char *p = glob; *p != '\0'; p++) {
		if (p[0] == '*' && p[1] == '*') {
			while (p[1] == '*')
				p++;
			if (p[1] == '/') {
				buf_text(b, "(?:.*/)?");
				p++;
			} else {
				buf_text(b, ".*");
			}
		} else if (*p == '*') {
			buf_text(b, "[^/]*");
		} else if (*p == '?') { /* any character up to 1.51, itself since */
			buf_byte(b, '.');
		} else if (*p == '{' && strchr(p, '}') != NULL) {
			buf_text(b, "(?:");
			choice = true;
		} else if (*p == '}' && choice) {
			buf_byte(b, ')');
			choice = false;
		} else if (*p == ',' && choice) {
			buf_byte(b, '|');
		} else {
			if (*p == '\\' && p[1] != '\0')
				p++;
			if (strchr("\\^$.|+()[]{}*?", *p) != NULL)
				buf_byte(b, '\\');
			buf_byte(b, *p);
		}
	}
	buf_byte(b, '$');
}

/* "/source/flags" is a regular expression, as JavaScript prints it. */
static bool
is_expression(const char *pattern)
{
	const char *last = strrchr(pattern, '/');

	return *pattern == '/' && last > pattern + 1 &&
	       strspn(last + 1, "dgimsuvy") == strlen(last + 1);
}

static struct re *
compile(const char *pattern, bool flags_known)
{
	struct buf b = {0};
	int flags = RE_BYTES;

	if (is_expression(pattern)) {
		const char *last = strrchr(pattern, '/');
		buf_add(&b, pattern + 1, (size_t)(last - pattern - 1));
		if (strchr(last, 'i') != NULL)
			flags |= RE_CASELESS;
	} else if (flags_known) {
		buf_text(&b, pattern);
	} else {
		glob_pattern(pattern, &b);
	}
	struct re *re = re_new(b.data ? b.data : "", b.len, flags, NULL, 0);
	buf_free(&b);
	return re;
}

void
notes_route(struct notes *n, struct span record)
{
	char *pattern = scan_copy(scan_member(record, "pattern"));
	char *file = scan_copy(scan_member(record, "file"));
	double line = scan_number(scan_member(record, "line"), 0);

	if (file == NULL || !(line >= 1 && line < 1e7) || n->mocks == ROUTES) {
		free(pattern);
		free(file);
		return;
	}
	n->mock = prog_resize(n->mock, n->mocks + 1, sizeof *n->mock);
	n->mock[n->mocks++] = (struct mock){.pattern = pattern,
	    .file = file,
	    .line = (size_t)line,
	    .names = jv_array(),
	    .re =
		pattern == NULL ? NULL : compile(pattern, scan_member(record, "flags").at != NULL),
	    .path_only = pattern != NULL && *pattern == '/' && !is_expression(pattern)};
}

void
notes_source(struct notes *n, struct span record)
{
	if (n->source_bytes + record.len > SOURCE_BYTES)
		return;
	n->source_bytes += record.len;
	n->sources = jv_array_append(n->sources, jvx_build(record));
}

/* An expect that passed saw what it asked for, in its value or in its locator. */
void
notes_action(struct notes *n, struct span record)
{
	static const char *const members[] = {"expected", "locator"};
	struct buf api = {0};

	if (!scan_is(scan_member(record, "status"), "ok") ||
	    !scan_text(scan_member(record, "api"), &api) || strncmp(api.data, "expect", 6) != 0 ||
	    strstr(api.data, "not.") != NULL || strstr(api.data, "Hidden") != NULL ||
	    jv_array_length(jv_copy(n->texts)) >= TEXTS) {
		buf_free(&api);
		return;
	}
	for (size_t i = 0; i < 2; i++) {
		char *text = scan_copy(scan_member(record, members[i]));
		if (text != NULL)
			n->texts = jv_array_append(n->texts, jv_string(text));
		free(text);
	}
	buf_free(&api);
}

static void
read_handler(struct notes *n, struct mock *m)
{
	jv_array_foreach (n->sources, i, source) {
		const char *file = jvx_text(source, "file");
		size_t len = 0;
		const char *text = jvx_bytes(source, "text", &len);
		double first = jvx_number(source, "first", 1);
		if (file != NULL && text != NULL && first >= 1 && (double)m->line >= first &&
		    place_same_file(file, m->file)) {
			jv names = handler_names(text, len, (size_t)first, m->line);
			m->names = jv_array_concat(m->names, names);
		}
		jv_free(source);
	}
}

static bool
holds(jv array, jv item)
{
	bool found = false;

	jv_array_foreach (array, i, x) {
		found = found || jv_equal(jv_copy(x), jv_copy(item));
		jv_free(x);
	}
	return found;
}

void
notes_settle(struct notes *n, jv names)
{
	for (size_t i = 0; i < n->mocks; i++) {
		struct mock *m = &n->mock[i];
		read_handler(n, m);
		m->idle = jv_array_length(jv_copy(m->names)) > 0;
		jv_array_foreach (m->names, k, name) {
			m->idle = m->idle && !holds(names, name);
			jv_free(name);
		}
	}
	jv_array_foreach (n->sources, i, source) {
		size_t len = 0;
		const char *text = jvx_bytes(source, "text", &len);
		if (text != NULL)
			n->texts = handler_expected(text, len, n->texts);
		jv_free(source);
	}
}

/*
 * One text stands for the other when they are equal, or when one holds the other and that is long
 * enough to be no accident: "OPEN" is in many messages.
 */
static bool
stands_for(const char *text, const char *message)
{
	size_t a = strlen(text), b = strlen(message), least = a < b ? a : b;

	if (a == 0 || b == 0)
		return false;
	if (strcasecmp(text, message) == 0)
		return true;
	if (least < CERTAIN_BYTES && (least < 6 || least * 2 < (a > b ? a : b)))
		return false;
	return strcasestr(message, text) != NULL || strcasestr(text, message) != NULL;
}

bool
notes_expected(const struct notes *n, const char *message, const char *code)
{
	bool found = false;

	jv_array_foreach (n->texts, i, text) {
		const char *t = jv_string_value(text);
		found = found || (message != NULL && stands_for(t, message)) ||
			(code != NULL && strlen(code) > 3 && strcmp(t, code) == 0);
		jv_free(text);
	}
	return found;
}

static bool
takes(const struct mock *m, const char *url)
{
	struct re_match match;

	if (m->re == NULL)
		return m->pattern == NULL;
	if (m->path_only) {
		const char *host = strstr(url, "://");
		url = host != NULL ? host + 3 + strcspn(host + 3, "/?#") : url;
	}
	if (re_find(m->re, url, strlen(url), 0, &match) == RE_YES)
		return true;
	/* Query strings come and go; the mock is for the path. */
	return re_find(m->re, url, strcspn(url, "?#"), 0, &match) == RE_YES;
}

char *
notes_hint(struct notes *n, const char *url, const char *operation)
{
	struct buf b = {0};
	jv sent = jv_string(operation);

	for (size_t i = 0; i < n->mocks && b.len == 0; i++) {
		struct mock *m = &n->mock[i];
		if (!m->idle || holds(m->names, sent) || !takes(m, url))
			continue;
		buf_format(&b, "the mock at %s:%zu looks for operationName ", m->file, m->line);
		jv_array_foreach (m->names, k, name) {
			if (k < 8)
				buf_format(
				    &b, "%s\"%s\"", k > 0 ? ", " : "", jv_string_value(name));
			jv_free(name);
		}
		buf_format(&b, "; \"%s\" was sent", operation);
	}
	jv_free(sent);
	return b.data;
}
