#include "prog.h"

#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buf.h"
#include "confine.h"
#include "utf8.h"

static const char *prog_help = "";
volatile sig_atomic_t prog_stopped;

extern char *program_invocation_short_name;

static size_t
synopsis_len(void)
{
	size_t len = strcspn(prog_help, "\n");

	while (prog_help[len] == '\n' && prog_help[len + 1] == ' ')
		len += 1 + strcspn(prog_help + len + 1, "\n");
	return len;
}

static _Noreturn void
print_and_exit(const char *text, size_t len)
{
	if (fwrite(text, 1, len, stdout) != len || putchar('\n') == EOF || fflush(stdout) != 0)
		err(TROUBLE, "standard output");
	exit(YES);
}

/* A file that we open must not become the standard output that was closed: no use is made of it. */
static void
fill_standard(void)
{
	static const int unusable[] = {O_WRONLY, O_RDONLY, O_RDONLY};

	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", unusable[fd]) < 0)
			exit(TROUBLE);
}

void
prog_start(int argc, char *const argv[], const char *help)
{
	prog_help = help;
	fill_standard();
	if (argc < 2)
		return;
	if (strcmp(argv[1], "--help") == 0) {
		struct buf b = {0};
		buf_format(&b, "usage: %s", help);
		print_and_exit(b.data, b.len);
	}
	if (strcmp(argv[1], "--version") == 0) {
		struct buf b = {0};
		buf_format(
		    &b, "%s (rcakit) %s\nconfined by: ", program_invocation_short_name, VERSION);
		confine_tell(&b);
		print_and_exit(b.data, b.len);
	}
}

_Noreturn void
prog_usage(void)
{
	size_t name = strcspn(prog_help, " \n"), end = synopsis_len();

	fprintf(stderr, "usage: ");
	for (size_t i = 0; i < end; i++) {
		const char *next = prog_help + i + 1 + strspn(prog_help + i + 1, " ");
		if (prog_help[i] != '\n' || strncmp(next, prog_help, name) == 0) {
			fputc(prog_help[i], stderr);
			continue;
		}
		fputc(' ', stderr); /* folded for --help; a complaint is a line */
		i = (size_t)(next - prog_help) - 1;
	}
	fputc('\n', stderr);
	exit(TROUBLE);
}

long long
prog_number(int ch, const char *arg, long long lo, long long hi)
{
	char *end;

	errno = 0;
	long long n = strtoll(arg, &end, 10);
	bool digit_first =
	    isdigit((unsigned char)arg[0]) || (arg[0] == '-' && isdigit((unsigned char)arg[1]));
	if (!digit_first || *end != '\0' || errno != 0 || n < lo || n > hi) {
		char *shown = prog_clean(arg, strlen(arg));
		errx(TROUBLE, "-%c %s: not a whole number from %lld to %lld", ch, shown, lo, hi);
	}
	return n;
}

double
prog_amount(int ch, const char *arg, double most)
{
	char *end;
	double n = strtod(arg, &end);

	if (end == arg || *end != '\0' || !(n >= 0 && n <= most)) {
		char *shown = prog_clean(arg, strlen(arg));
		errx(TROUBLE, "-%c %s: not a number from 0 to %.15g", ch, shown, most);
	}
	return n;
}

/* The folder so many levels above this program's file, without its last slash; false: not known. */
static bool
above_self(char self[PATH_MAX], int levels)
{
	ssize_t len = readlink("/proc/self/exe", self, PATH_MAX - 1);

	if (len <= 0)
		return false;
	self[len] = '\0';
	for (; levels > 0; levels--) {
		char *slash = strrchr(self, '/');
		if (slash == NULL)
			return false;
		*slash = '\0';
	}
	return true;
}

char *
prog_data(const char *name)
{
	char folder[PATH_MAX];
	struct buf path = {0};

	if (!above_self(folder, 2))
		return NULL;
	buf_format(&path, "%s/share/rcakit/%s", folder, name);
	if (access(path.data, R_OK) == 0)
		return path.data;
	buf_free(&path);
	return NULL;
}

char *
prog_sister(const char *name)
{
	char folder[PATH_MAX];
	struct buf path = {0};

	if (above_self(folder, 1)) {
		buf_format(&path, "%s/%s", folder, name);
		if (access(path.data, X_OK) == 0)
			return path.data;
		buf_free(&path);
	}
	return prog_copy(name, strlen(name));
}

bool
prog_colour(FILE *f)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

	return isatty(fileno(f)) && (no == NULL || *no == '\0') &&
	       (term == NULL || strcmp(term, "dumb") != 0);
}

char *
prog_clean(const char *name, size_t len)
{
	struct buf clean = {0};
	size_t used;

	len = utf8_floor(name, len, len < 200 ? len : 200);
	for (size_t i = 0; i < len; i += used) {
		if (utf8_deceives(utf8_decode(name + i, len - i, &used)))
			buf_byte(&clean, '?');
		else
			buf_add(&clean, name + i, used);
	}
	buf_text(&clean, "");
	return clean.data;
}

void *
prog_alloc(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size ? size : 1);

	if (p == NULL)
		err(TROUBLE, "no memory");
	return p;
}

void *
prog_resize(void *p, size_t count, size_t size)
{
	if (size != 0 && count > SIZE_MAX / size)
		errx(TROUBLE, "no memory for %zu times %zu bytes", count, size);
	size_t bytes = count * size;
	p = realloc(p, bytes > 0 ? bytes : 1);
	if (p == NULL)
		err(TROUBLE, "no memory");
	return p;
}

char *
prog_copy(const char *text, size_t len)
{
	char *copy = prog_alloc(len + 1, 1);

	if (len != 0)
		memcpy(copy, text, len);
	return copy;
}

static void
on_signal(int number)
{
	prog_stopped = number;
}

void
prog_catch_signals(void)
{
	struct sigaction action = {.sa_handler = on_signal}; /* no SA_RESTART */

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

void
prog_die_of_signal(void)
{
	signal(prog_stopped, SIG_DFL);
	raise(prog_stopped);
	_exit(TROUBLE);
}
