/* lines: where they end does not depend on the pieces in which they come. */
#include "lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "buf.h"
#include "tap.h"

/* Line i of length[i] bytes has only the letter that i stands for. */
static const size_t length[] = {
    3, 0, 262143, 262144, 262145, 1, 131071, 131072, 131073, 1048576, 0, 0, 5, 3000000, 2};
enum { COUNT = sizeof length / sizeof *length };

static char
letter(size_t i)
{
	return i % 3 == 0 ? '\0' : (char)('a' + i);
}

static struct buf
make_text(void)
{
	struct buf b = {0};

	for (size_t i = 0; i < COUNT; i++) {
		buf_reserve(&b, length[i] + 1);
		memset(b.data + b.len, letter(i), length[i]);
		b.len += length[i];
		if (i + 1 < COUNT)
			buf_byte(&b, '\n');
	}
	return b;
}

/* Standard input becomes text, in pieces of a size, from a child. */
static pid_t
feed(const struct buf *text, size_t piece)
{
	int to[2];

	if (pipe(to) != 0)
		exit(2);
	pid_t child = fork();
	if (child == 0) {
		close(to[0]);
		for (size_t i = 0; i < text->len;) {
			size_t n = text->len - i < piece ? text->len - i : piece;
			ssize_t put = write(to[1], text->data + i, n);
			if (put <= 0)
				_exit(1);
			i += (size_t)put;
		}
		_exit(0);
	}
	dup2(to[0], STDIN_FILENO);
	close(to[0]);
	close(to[1]);
	return child;
}

static bool
all_one(const char *line, size_t len, char c)
{
	return len == 0 || (line[0] == c && memcmp(line, line + 1, len - 1) == 0);
}

static bool
comes_whole(const struct buf *text, size_t piece)
{
	pid_t child = feed(text, piece);
	struct lines *in = lines_open(NULL);
	bool good = true;
	size_t n = 0;

	while (lines_next(in)) {
		good = good && n < COUNT && in->len == length[n] && in->number == n + 1 &&
		       in->ended == (n + 1 < COUNT) && in->line[in->len] == '\0' &&
		       all_one(in->line, in->len, letter(n));
		n++;
	}
	good = lines_close(in) && good && n == COUNT;
	waitpid(child, NULL, 0);
	return good;
}

int
main(void)
{
	struct buf text = make_text(), empty = {0}, end = {0};

	tap_ok(comes_whole(&text, 1 << 20), "lines that come in large pieces");
	tap_ok(comes_whole(&text, 65536), "lines that come as pipes give them");
	tap_ok(comes_whole(&text, 7), "lines that come in small pieces");

	buf_text(&empty, "");
	waitpid(feed(&empty, 1), NULL, 0);
	struct lines *in = lines_open(NULL);
	tap_ok(!lines_next(in) && lines_close(in), "nothing has no line");

	buf_text(&end, "\n");
	waitpid(feed(&end, 1), NULL, 0);
	in = lines_open(NULL);
	bool one = lines_next(in) && in->len == 0 && in->ended;
	tap_ok(one && !lines_next(in) && lines_close(in), "a line end is one empty line");

	buf_free(&text);
	buf_free(&empty);
	buf_free(&end);
	return tap_done();
}
