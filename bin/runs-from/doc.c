#include "doc.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "prog.h"
#include "utf8.h"

enum { STRING_MOST = 64 << 20, KEPT_MOST = 64 << 10, VALUE_MOST = 256 << 20 };

/* Whether a line end ends a value: known when the first line of a file is read. */
enum layout { NOT_KNOWN, LINES, DOCUMENT };

struct doc_state {
	struct doc doc;
	char *const *files;
	const char *const *drop;
	char *only[2]; /* standard input, when no file is given */
	FILE *in;
	struct scan_pull *pull;
	struct buf kept;
	enum layout layout;
	size_t line, depth;
	bool in_string, escaped, seen, ended, in_array, bad;
};

static void
follow(struct doc_state *s, int c)
{
	if (s->in_string) {
		if (s->escaped)
			s->escaped = false;
		else if (c == '\\')
			s->escaped = true;
		else if (c == '"')
			s->in_string = false;
		return;
	}
	s->seen = s->seen || (c != ' ' && c != '\t' && c != '\r');
	s->in_string = c == '"';
	if (c == '{' || c == '[')
		s->depth++;
	else if ((c == '}' || c == ']') && s->depth > 0)
		s->depth--;
}

static void
end_line(struct doc_state *s)
{
	s->line++;
	if (!s->seen)
		return;
	if (s->layout == NOT_KNOWN)
		s->layout = s->depth == 0 ? LINES : DOCUMENT;
	s->ended = s->layout == LINES || s->depth == 0;
}

/* At most a line, so that nothing behind a value is taken with it. */
static long
feed(void *ctx, char *bytes, size_t len)
{
	struct doc_state *s = ctx;
	size_t n = 0;
	int c;

	while (!s->ended && n < len && (c = getc_unlocked(s->in)) != EOF) {
		bytes[n++] = (char)c;
		if (c == '\n') {
			end_line(s);
			break;
		}
		follow(s, c);
	}
	return n == 0 && ferror(s->in) ? -1 : (long)n;
}

static void
complain(struct doc_state *s, const char *why)
{
	warnx("%s: line %zu: %s", s->doc.file, s->line + !s->ended, why);
	s->bad = true;
}

static void
drop_pull(struct doc_state *s)
{
	if (s->pull != NULL)
		scan_pull_free(s->pull);
	s->pull = NULL;
	s->in_array = false;
}

static void
leave_file(struct doc_state *s)
{
	drop_pull(s);
	if (s->in != NULL && s->in != stdin)
		fclose(s->in);
	s->in = NULL;
}

/* The rest of a bad line. */
static void
skip_line(struct doc_state *s)
{
	int c;

	while (!s->ended && (c = getc_unlocked(s->in)) != EOF) {
		if (c == '\n') {
			s->line++;
			s->ended = true;
		}
	}
	s->layout = LINES;
}

static bool
next_file(struct doc_state *s)
{
	for (; *s->files != NULL; s->files++) {
		bool standard = strcmp(*s->files, "-") == 0;
		s->in = standard ? stdin : fopen(*s->files, "r");
		if (s->in == NULL) {
			warn("%s", *s->files);
			s->bad = true;
			continue;
		}
		s->doc.file = standard ? "<stdin>" : *s->files;
		s->doc.number = 0;
		s->layout = NOT_KNOWN;
		s->line = 0;
		s->files++;
		return true;
	}
	return false;
}

/* A byte order mark is no JSON, and some programs write one. */
static int
first_byte(struct doc_state *s)
{
	int c;

	while ((c = getc(s->in)) != EOF) {
		if (c == '\n')
			s->line++;
		if (c != ' ' && c != '\t' && c != '\r' && c != '\n' &&
		    !(s->doc.number == 0 && (c == 0xef || c == 0xbb || c == 0xbf)))
			break;
	}
	if (c != EOF)
		ungetc(c, s->in);
	return c;
}

static bool
begin_value(struct doc_state *s)
{
	while (s->in != NULL || next_file(s)) {
		errno = 0;
		if (first_byte(s) != EOF) {
			s->depth = 0;
			s->in_string = s->escaped = s->seen = s->ended = false;
			s->pull = scan_pull_new(feed, s, STRING_MOST);
			return true;
		}
		if (ferror(s->in)) {
			warn("%s", s->doc.file);
			s->bad = true;
		}
		leave_file(s);
	}
	return false;
}

static bool
dropped(const struct doc_state *s)
{
	for (size_t i = 0; s->drop[i] != NULL; i++)
		if (strcmp(s->drop[i], s->pull->text.data) == 0)
			return true;
	return false;
}

static void
comma(struct buf *b)
{
	if (b->len > 0 && strchr("{[:", b->data[b->len - 1]) == NULL)
		buf_byte(b, ',');
}

static void
keep_scalar(struct doc_state *s, enum scan_event e)
{
	const struct buf *text = &s->pull->text;

	switch (e) {
	case SCAN_STRING:
		jvx_write_text(text->data,
		    text->len > KEPT_MOST ? utf8_floor(text->data, text->len, KEPT_MOST)
					  : text->len,
		    &s->kept);
		break;
	case SCAN_NUMBER: buf_add(&s->kept, text->data, text->len); break;
	case SCAN_TRUE: buf_text(&s->kept, "true"); break;
	case SCAN_FALSE: buf_text(&s->kept, "false"); break;
	default: buf_text(&s->kept, "null"); break;
	}
}

/* The value that begins with event e, into kept; false on a fault. */
static bool
keep_value(struct doc_state *s, enum scan_event e)
{
	size_t depth = 0;

	for (;; e = scan_pull_next(s->pull)) {
		switch (e) {
		case SCAN_OBJECT:
		case SCAN_ARRAY:
			comma(&s->kept);
			buf_byte(&s->kept, e == SCAN_OBJECT ? '{' : '[');
			depth++;
			break;
		case SCAN_OBJECT_END:
		case SCAN_ARRAY_END:
			buf_byte(&s->kept, e == SCAN_OBJECT_END ? '}' : ']');
			depth--;
			break;
		case SCAN_KEY:
			if (dropped(s)) {
				if (!scan_pull_skip(s->pull))
					return false;
				break;
			}
			comma(&s->kept);
			jvx_write_text(s->pull->text.data, s->pull->text.len, &s->kept);
			buf_byte(&s->kept, ':');
			break;
		case SCAN_END:
		case SCAN_FAULT: return false;
		default: comma(&s->kept); keep_scalar(s, e);
		}
		if (s->kept.len > VALUE_MOST)
			return false;
		if (depth == 0)
			return true;
	}
}

static bool
fault(struct doc_state *s)
{
	const char *why = s->pull->error.why;

	if (s->kept.len > VALUE_MOST) {
		complain(s, "a value of more than 256 MB");
		leave_file(s);
		return false;
	}
	complain(s, why ? why : "not JSON");
	skip_line(s);
	drop_pull(s);
	return false;
}

/* One value of what is open; false when there was none in it, or a fault. */
static bool
take_value(struct doc_state *s)
{
	enum scan_event e = scan_pull_next(s->pull);

	buf_clear(&s->kept);
	if (!s->in_array && e == SCAN_ARRAY) {
		s->in_array = true;
		e = scan_pull_next(s->pull);
	}
	if (s->in_array && e == SCAN_ARRAY_END) {
		s->in_array = false;
		if (scan_pull_next(s->pull) != SCAN_END)
			return fault(s);
		drop_pull(s);
		return false;
	}
	if (e == SCAN_FAULT || !keep_value(s, e))
		return fault(s);
	s->doc.element = s->in_array;
	if (s->in_array)
		return true;
	if (scan_pull_next(s->pull) != SCAN_END)
		return fault(s);
	drop_pull(s);
	return true;
}

struct doc *
doc_open(char *const files[], const char *const *drop)
{
	struct doc_state *s = prog_alloc(1, sizeof *s);

	s->only[0] = "-";
	s->files = *files ? files : s->only;
	s->drop = drop;
	s->doc.state = s;
	return &s->doc;
}

bool
doc_next(struct doc *d)
{
	struct doc_state *s = d->state;

	while (s->pull != NULL || begin_value(s)) {
		if (!take_value(s))
			continue;
		d->number++;
		d->value = (struct span){s->kept.data, s->kept.len};
		return true;
	}
	return false;
}

bool
doc_close(struct doc *d)
{
	struct doc_state *s = d->state;
	bool good = !s->bad;

	leave_file(s);
	buf_free(&s->kept);
	free(s);
	return good;
}

bool
doc_there(struct span value)
{
	return scan_kind(value) != 0 && scan_kind(value) != 'n';
}

struct span
doc_either(struct span object, const char *a, const char *b)
{
	struct span found = scan_member(object, a);

	return doc_there(found) ? found : scan_member(object, b);
}
