/* confine: what is not listed cannot be done, proved by trying; what is listed still can. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine.h"
#include "re.h"
#include "tap.h"

static char folder[] = "/tmp/confine-XXXXXX";
static char inside[64], made[64];

static bool
opens(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* Each attempt is true when it could be done. */
static bool
reads_passwd(void)
{
	return opens("/etc/passwd", O_RDONLY);
}

static bool
reads_inside(void)
{
	return opens(inside, O_RDONLY);
}

static bool
writes_inside(void)
{
	return opens(inside, O_WRONLY);
}

static bool
makes_file(void)
{
	return opens(made, O_WRONLY | O_CREAT) && unlink(made) == 0;
}

static bool
makes_tmp(void)
{
	return opens("/tmp/confine-elsewhere", O_WRONLY | O_CREAT);
}

static bool
makes_link(void)
{
	return symlink("/etc/passwd", made) == 0;
}

static bool
gets_socket(void)
{
	return socket(AF_INET, SOCK_STREAM, 0) >= 0;
}

static bool
runs_true(void)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		execl("/bin/true", "true", (char *)NULL);
		_exit(1);
	}
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static bool
becomes_true(void)
{
	return execl("/bin/true", "true", (char *)NULL) == 0;
}

static bool
gets_wild_memory(void)
{
	return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		   0) != MAP_FAILED;
}

/* glibc has this charset in a library of its own; musl has it in itself. */
static bool
converts(void)
{
	char in[] = "\x83\x65", out[8];
	char *from = in, *to = out;
	size_t left = 2, room = sizeof out;
	iconv_t cd = iconv_open("UTF-8", "SHIFT_JIS");

	return cd != (iconv_t)-1 && iconv(cd, &from, &left, &to, &room) == 0 &&
	       memcmp(out, "\xe3\x83\x86", 3) == 0;
}

static bool
signals_parent(void)
{
	return kill(getppid(), 0) == 0;
}

static bool
traces(void)
{
	return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0;
}

static bool
computes(void)
{
	void *p = malloc(1 << 24);
	struct buf b = {0};
	struct re *re = re_new("a+b", 3, 0, NULL, 0);
	struct re_match m;
	FILE *f = fdopen(dup(STDERR_FILENO), "w");

	memset(p, 1, 1 << 24);
	p = realloc(p, 1 << 26);
	buf_format(&b, "%f %d", 1.5, isatty(1));
	bool good =
	    re != NULL && re_find(re, "xaab", 4, 0, &m) == RE_YES && f != NULL && fflush(f) == 0;
	qsort(b.data, b.len, 1, (int (*)(const void *, const void *))strcmp);
	free(p);
	return good;
}

/* 1 could, 0 could not, -1 died of it. */
static int
outcome(const struct confine *needs, bool (*attempt)(void))
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		confine(needs);
		_exit(attempt() ? 42 : 43);
	}
	if (waitpid(child, &status, 0) != child)
		return -2;
	if (WIFSIGNALED(status))
		return WTERMSIG(status) == SIGSYS ? -1 : -3;
	/* becomes_true() ends as /bin/true does. */
	return WEXITSTATUS(status) == 42 || WEXITSTATUS(status) == 0;
}

int
main(void)
{
	struct buf force = {0};

	if (mkdtemp(folder) == NULL)
		return 2;
	snprintf(inside, sizeof inside, "%s/inside", folder);
	snprintf(made, sizeof made, "%s/made", folder);
	close(open(inside, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));

	confine_tell(&force);
	bool calls = strstr(force.data, "seccomp") != NULL;
	bool files = strstr(force.data, "Landlock") != NULL;
	printf("# confined by: %s\n", force.data);

	struct confine none = {0};
	tap_ok(outcome(&none, computes) == 1, "a filter computes");
	if (calls) {
		tap_ok(outcome(&none, reads_passwd) <= 0, "a filter opens no file");
		tap_ok(outcome(&none, makes_tmp) <= 0, "makes no file");
		tap_ok(outcome(&none, gets_socket) == -1, "dies of a socket");
		tap_ok(outcome(&none, runs_true) <= 0, "starts nothing");
		tap_ok(outcome(&none, becomes_true) == -1, "dies of exec");
		tap_ok(outcome(&none, gets_wild_memory) == 0, "gets no memory to run code in");
		tap_ok(outcome(&none, signals_parent) == -1, "dies of a signal to others");
		tap_ok(outcome(&none, traces) == -1, "dies of ptrace");
	}

	char *operands[] = {inside, "-", "/nowhere", NULL};
	struct confine reader = {.files = operands};
	tap_ok(outcome(&reader, reads_inside) == 1, "an operand can be read later");
	if (files) {
		tap_ok(outcome(&reader, reads_passwd) == 0, "nothing else can");
		tap_ok(outcome(&reader, writes_inside) == 0, "and it cannot be written");
	}

	const char *list[] = {folder, NULL};
	struct confine tree = {.read = list};
	tap_ok(outcome(&tree, reads_inside) == 1, "beneath a folder, read");
	if (files)
		tap_ok(outcome(&tree, makes_file) <= 0, "and nothing made");

	struct confine maker = {.write = list};
	tap_ok(outcome(&maker, makes_file) == 1, "a maker makes files in its folder");
	if (files) {
		tap_ok(outcome(&maker, makes_tmp) == 0, "not outside");
		tap_ok(outcome(&maker, makes_link) <= 0, "and no links");
	}

	struct confine loader = {.libraries = true};
	tap_ok(outcome(&loader, converts) == 1, "the C library loads what it needs");
	if (calls) {
		tap_ok(outcome(&loader, gets_wild_memory) == 0, "no memory to write code in");
		tap_ok(outcome(&loader, reads_passwd) == 0, "no other file");
	}

	const char *programs[] = {"/bin", "/usr", "/lib", "/lib64", "/etc/ld.so.cache", NULL};
	struct confine starter = {.run = programs};
	tap_ok(outcome(&starter, runs_true) == 1, "a starter starts programs");
	if (files)
		tap_ok(outcome(&starter, reads_passwd) == 0, "and reads nothing else");
	if (calls) {
		tap_ok(outcome(&starter, gets_socket) == 0, "and gets no socket");
		tap_ok(outcome(&starter, traces) == -1, "and dies of ptrace");
	}

	struct confine talker = {.sockets = true};
	tap_ok(outcome(&talker, gets_socket) == 1, "a talker gets a socket");
	if (calls)
		tap_ok(outcome(&talker, becomes_true) == -1, "and dies of exec");
	if (files)
		tap_ok(outcome(&talker, reads_passwd) == 0, "and reads nothing");

	setenv("RCAKIT_CONFINE", "off", 1);
	tap_ok(outcome(&none, reads_passwd) == 1, "off is off: a file");
	tap_ok(outcome(&none, makes_tmp) == 1, "a file made");
	unlink("/tmp/confine-elsewhere");
	tap_ok(outcome(&none, gets_socket) == 1, "a socket");
	tap_ok(outcome(&none, runs_true) == 1, "a child");
	tap_ok(outcome(&none, makes_link) == 1, "a link");
	unlink(made);
	tap_ok(outcome(&none, gets_wild_memory) == 1, "memory to run code in");
	tap_ok(outcome(&none, signals_parent) == 1, "a signal");
	unlink(inside);
	rmdir(folder);
	buf_free(&force);
	return tap_done();
}
