/* repo-context: the lines of a checkout that the evidence points to. */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asks.h"
#include "checkout.h"
#include "confine.h"
#include "excerpt.h"
#include "ndjson.h"
#include "prog.h"

static const char help[] =
    "repo-context -r dir [file ...]\n"
    "\n"
    "Pass evidence on and append, to each failed test, the lines of its code that are worth "
    "reading:\n"
    "where it failed, its mocks, and what in the application mentions the names it was looking "
    "for.\n"
    "\n"
    "  -r DIR  the checkout; only files that git tracks are read, or, without git, the folder's\n"
    "\n"
    "example: trace-unpack t.zip | trace-events | gql-verify | repo-context -r .";

static void
warn_of(const char *code, const char *message, const char *where)
{
	ndjson_put(ndjson_warning("repo-context", code, message, where), stdout);
}

/* A line without the white space at its end, which editors and checkouts change. */
static size_t
trimmed(const char *line, size_t len)
{
	while (len > 0 && (line[len - 1] == '\r' || line[len - 1] == ' ' || line[len - 1] == '\t'))
		len--;
	return len;
}

static bool
next_line(const char **p, const char *end, const char **line, size_t *len)
{
	if (*p >= end)
		return false;
	const char *eol = memchr(*p, '\n', (size_t)(end - *p));
	*line = *p;
	*len = trimmed(*p, (size_t)((eol != NULL ? eol : end) - *p));
	*p = eol != NULL ? eol + 1 : end;
	return true;
}

/* Whether the lines that the trace carries stand at the same place of the checkout. */
static bool
agrees(const struct carried *s, const struct buf *text)
{
	const char *p = text->data, *end = p + text->len, *a, *b;
	const char *q = s->text, *q_end = q + strlen(s->text);
	size_t a_len, b_len;

	for (long line = 1; line < s->first; line++)
		if (!next_line(&p, end, &a, &a_len))
			return false;
	while (next_line(&q, q_end, &b, &b_len)) {
		if (!next_line(&p, end, &a, &a_len))
			return b_len == 0;
		if (a_len != b_len || memcmp(a, b, a_len) != 0)
			return false;
	}
	return true;
}

static void
compare_sources(const struct asks *a, const struct checkout *c)
{
	struct buf text = {0};

	for (size_t i = 0; i < a->carried_count; i++) {
		long file = checkout_find(c, a->carried[i].file);
		if (file >= 0 && checkout_read(c, (size_t)file, &text) &&
		    !agrees(&a->carried[i], &text))
			warn_of("other-version", "the checkout is not what the test ran",
			    checkout_name(c, (size_t)file));
	}
	buf_free(&text);
}

static void
put_excerpt(const struct checkout *c, const struct excerpt *x, long number)
{
	struct buf text = {0}, lines = {0}, ref = {0};

	if (checkout_read(c, (size_t)x->file, &text)) {
		excerpt_text(&lines, &text, x->first, x->last);
		buf_format(&ref, "code:%ld", number);
		jv rec = jvx_set_text(jv_object(), "type", "code");
		rec = jvx_set_text(rec, "ref", ref.data);
		rec = jvx_set_text(rec, "file", checkout_name(c, (size_t)x->file));
		rec = jvx_set_number(rec, "first", (double)x->first);
		rec = jvx_set_number(rec, "line", (double)x->line);
		rec = jvx_set_text(rec, "text", lines.data);
		rec = jvx_set_text(rec, "why", x->why.data);
		ndjson_put(rec, stdout);
	}
	buf_free(&text);
	buf_free(&lines);
	buf_free(&ref);
}

/* The end of a segment: what it asked for, if its test did not pass. */
static void
answer(struct asks *a, const struct checkout *c)
{
	struct excerpts e = {0};

	if (!a->passed) {
		compare_sources(a, c);
		excerpts_find(&e, a, c);
	}
	for (size_t i = 0; i < e.count; i++)
		put_excerpt(c, &e.list[i], a->last_ref + (long)i + 1);
	excerpts_free(&e);
	asks_clear(a);
}

int
main(int argc, char *argv[])
{
	const char *folder = NULL;
	struct asks asks = {0};
	int ch;

	prog_start(argc, argv, help);
	while ((ch = getopt(argc, argv, "r:")) != -1) {
		switch (ch) {
		case 'r': folder = optarg; break;
		default: prog_usage();
		}
	}
	if (folder == NULL)
		prog_usage();

	struct checkout *c = checkout_open(folder);
	const char *read[] = {folder, NULL};
	struct confine needs = {.files = argv + optind, .read = read};
	confine(&needs);
	struct ndjson *in = ndjson_open(argv + optind);
	while (ndjson_next(in)) {
		if (ndjson_is(in, "trace"))
			answer(&asks, c);
		asks_take(&asks, in);
		ndjson_pass(in, stdout);
	}
	answer(&asks, c);
	bool good = ndjson_close(in, stdout);
	checkout_close(c);
	return good ? YES : TROUBLE;
}
