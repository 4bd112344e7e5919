#include "lines.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "prog.h"

/*
 * A line is handed out where read(2) put it.  Pieces as large as a wide pipe: with the 4096 bytes
 * of stdio, a tenth of a program's time goes into asking for more.
 */
enum { PIECE = 256 * 1024 };

struct lines_state {
	struct lines lines; /* first: what the caller holds */
	char *const *files;
	char *bytes;
	size_t size, at, seen, have; /* at: the next line; no line end before seen */
	int fd;                      /* -1: no file is open */
	bool only_stdin, started, ended, failed;
};

struct lines *
lines_open(char *const files[])
{
	struct lines_state *s = prog_alloc(1, sizeof *s);

	s->files = files;
	s->only_stdin = files == NULL || files[0] == NULL;
	s->size = PIECE;
	s->bytes = prog_resize(NULL, s->size, 1);
	s->fd = -1;
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
		s->ended = false;
		s->at = s->seen = s->have = 0;
		s->lines.number = 0;
		if (strcmp(name, "-") == 0) {
			s->lines.file = "<stdin>";
			s->fd = STDIN_FILENO;
			return true;
		}
		s->lines.file = name;
		s->fd = open(name, O_RDONLY | O_CLOEXEC);
		if (s->fd >= 0)
			return true;
		complain(s, name);
	}
}

static void
close_file(struct lines_state *s)
{
	if (s->fd != STDIN_FILENO)
		close(s->fd);
	s->fd = -1;
}

/* Read on behind what is there, which moves to the front, and grows when it fills the half. */
static void
read_more(struct lines_state *s)
{
	size_t part = s->have - s->at;
	ssize_t got;

	if (part > s->size / 2) {
		s->size *= 2;
		s->bytes = prog_resize(s->bytes, s->size, 1);
	}
	if (s->at > 0)
		memmove(s->bytes, s->bytes + s->at, part);
	s->seen -= s->at;
	s->have = part;
	s->at = 0;
	/* One byte is for the NUL behind a last line without its end. */
	size_t room = s->size - part - 1;
	do {
		got = read(s->fd, s->bytes + part, room < PIECE ? room : PIECE);
	} while (got < 0 && errno == EINTR && !prog_stopped);
	if (got < 0 && !prog_stopped)
		complain(s, s->lines.file);
	s->ended = got <= 0;
	s->have += got > 0 ? (size_t)got : 0;
}

bool
lines_next(struct lines *in)
{
	struct lines_state *s = in->state;

	while (s->fd >= 0 || next_file(s)) {
		char *eol = memchr(s->bytes + s->seen, '\n', s->have - s->seen);
		s->seen = s->have;
		if (eol == NULL && !s->ended) {
			read_more(s);
			if (prog_stopped)
				return false;
			continue;
		}
		if (eol == NULL && s->at == s->have) {
			close_file(s);
			continue;
		}
		in->ended = eol != NULL;
		in->line = s->bytes + s->at;
		in->len = (size_t)((in->ended ? eol : s->bytes + s->have) - in->line);
		in->line[in->len] = '\0';
		s->at = s->seen = in->ended ? s->at + in->len + 1 : s->have;
		in->number++;
		return true;
	}
	return false;
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

	if (s->fd >= 0)
		close_file(s);
	bool good = !s->failed;
	free(s->bytes);
	free(s);
	return good;
}
