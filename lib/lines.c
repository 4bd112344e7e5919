#include "lines.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prog.h"

struct lines_state {
	struct lines lines; /* first: what the caller holds */
	char *const *files;
	FILE *f;
	size_t size; /* of the line's memory */
	bool only_stdin, started, failed;
};

struct lines *
lines_open(char *const files[])
{
	struct lines_state *s = prog_alloc(1, sizeof *s);

	s->files = files;
	s->only_stdin = files == NULL || files[0] == NULL;
	s->lines.state = s;
	return &s->lines;
}

static void
complain(struct lines_state *s, const char *file)
{
	int reason = errno;
	char *clean = prog_clean(file, strlen(file));

	errno = reason;
	warn("%s", clean);
	free(clean);
	s->failed = true;
}

/* Open the next file that can be opened; false after the last. */
static bool
next_file(struct lines_state *s)
{
	for (;;) {
		const char *name;
		if (s->only_stdin) {
			if (s->started)
				return false;
			name = "-";
		} else {
			name = *s->files;
			if (name == NULL)
				return false;
			s->files++;
		}
		s->started = true;
		s->lines.number = 0;
		if (strcmp(name, "-") == 0) {
			s->lines.file = "<stdin>";
			s->f = stdin;
			return true;
		}
		s->lines.file = name;
		s->f = fopen(name, "re");
		if (s->f != NULL)
			return true;
		complain(s, name);
	}
}

static void
close_file(struct lines_state *s)
{
	if (ferror(s->f))
		complain(s, s->lines.file);
	if (s->f != stdin)
		fclose(s->f);
	s->f = NULL;
}

bool
lines_next(struct lines *in)
{
	struct lines_state *s = in->state;

	for (;;) {
		if (s->f == NULL && !next_file(s))
			return false;
		errno = 0;
		ssize_t got = getline(&in->line, &s->size, s->f);
		if (got < 0) {
			if (errno == ENOMEM)
				err(TROUBLE, "%s", in->file);
			close_file(s);
			continue;
		}
		in->len = (size_t)got;
		in->ended = got > 0 && in->line[got - 1] == '\n';
		if (in->ended)
			in->line[--in->len] = '\0';
		in->number++;
		return true;
	}
}

void
lines_refuse(struct lines *in)
{
	struct lines_state *s = in->state;

	close_file(s);
	s->failed = true;
}

bool
lines_close(struct lines *in)
{
	struct lines_state *s = in->state;

	if (s->f != NULL)
		close_file(s);
	bool good = !s->failed;
	free(in->line);
	free(s);
	return good;
}
