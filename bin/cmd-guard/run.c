#define _GNU_SOURCE /* O_PATH, AT_EMPTY_PATH */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "confine.h"
#include "prog.h"

/* Where system programs are, and what they need to start at all. */
static const char *const system_folders[] = {"/usr/bin", "/bin"};
static const char *const libraries[] = {
    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/dev/null"};

/* The folder of this program, where its sisters are; NULL when it is not known. */
static char *
own_folder(void)
{
	char self[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);

	if (len <= 0)
		return NULL;
	self[len] = '\0';
	char *slash = strrchr(self, '/');
	return slash ? prog_copy(self, (size_t)(slash - self)) : NULL;
}

/* Nobody but root or this user can have changed what is about to run. */
static bool
trusted(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       (st.st_uid == 0 || st.st_uid == geteuid()) && (st.st_mode & 022) == 0 &&
	       (st.st_mode & 0111) != 0;
}

/* A descriptor of the program, and its path; -1: none that may run. */
static int
open_program(const char *name, char path[PATH_MAX])
{
	char *own = own_folder();
	const char *folders[] = {system_folders[0], system_folders[1], own};
	int fd = -1;

	for (size_t i = 0; i < 3 && fd < 0; i++) {
		if (folders[i] == NULL || strchr(name, '/') != NULL ||
		    snprintf(path, PATH_MAX, "%s/%s", folders[i], name) >= PATH_MAX)
			continue;
		fd = open(path, O_PATH | O_CLOEXEC);
		if (fd >= 0 && !trusted(fd)) {
			close(fd);
			fd = -1;
		}
	}
	free(own);
	return fd;
}

static void
limit(int what, unsigned long most)
{
	struct rlimit r = {most, most};

	setrlimit(what, &r);
}

/* The folder in which a new one is to be made: "a/b" gives "a". */
static char *
folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL   ? prog_copy(".", 1)
	       : slash == path ? prog_copy("/", 1)
			       : prog_copy(path, (size_t)(slash - path));
}

void
run_confine(char *const files[], const struct roots *roots)
{
	const char *run[sizeof libraries / sizeof *libraries + 4] = {"/usr/bin", "/bin"};
	const char *const *folders = (const char *const *)roots_list(roots);
	char *own = own_folder();

	memcpy(run + 2, libraries, sizeof libraries);
	run[sizeof libraries / sizeof *libraries + 2] = own;
	confine(&(struct confine){.files = files, .read = folders, .write = folders, .run = run});
	free(own);
}

static void
confine_child(const char *program, const struct verdict *v, const struct roots *roots)
{
	const char *run[sizeof libraries / sizeof *libraries + 2] = {program};
	const char *make[] = {NULL, NULL};

	memcpy(run + 1, libraries, sizeof libraries);
	if (v->new_folder != NULL)
		make[0] = folder_of(v->new_folder);
	confine(&(struct confine){.read = (const char *const *)roots_list(roots),
	    .write = make[0] ? make : NULL,
	    .run = run});
}

/* Descriptors from 3 up, whatever this process was started with. */
static void
close_all_but(int kept)
{
	long most = sysconf(_SC_OPEN_MAX);

#ifdef SYS_close_range
	if ((kept == 3 || syscall(SYS_close_range, 3, kept - 1, 0) == 0) &&
	    syscall(SYS_close_range, kept + 1, ~0u, 0) == 0)
		return;
#endif
	for (int fd = 3; fd < (most > 0 && most < 65536 ? most : 65536); fd++)
		if (fd != kept)
			close(fd);
}

/* Become the program.  Nothing of this process is left to it but what is set here. */
static _Noreturn void
become(int program, const char *path, const struct verdict *v, const struct table *t,
    const struct roots *roots, const int out[2], const int err[2])
{
	static char *const environment[] = {"PATH=/usr/bin:/bin", "LANG=C.UTF-8", "LC_ALL=C.UTF-8",
	    "HOME=/nonexistent", "TMPDIR=/tmp", "TZ=UTC", NULL};
	char **argv = prog_alloc(v->argv.count + 1, sizeof *argv);
	int nothing = open("/dev/null", O_RDONLY);

	for (size_t i = 0; i < v->argv.count; i++)
		argv[i] = v->argv.list[i].text;
	setsid();
	umask(077);
	if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(out[1], 1) < 0 || dup2(err[1], 2) < 0)
		_exit(126);
	limit(RLIMIT_CPU, (unsigned long)t->seconds);
#ifndef __SANITIZE_ADDRESS__ /* which maps terabytes, in our own tools too */
	limit(RLIMIT_AS, (unsigned long)t->memory_mb << 20);
#endif
	limit(RLIMIT_FSIZE, v->new_folder != NULL ? 4ul << 30 : 0);
	limit(RLIMIT_NPROC, 0);
	limit(RLIMIT_CORE, 0);
	confine_child(path, v, roots);
	close_all_but(program);
	limit(RLIMIT_NOFILE, 64);
	fexecve(program, argv, environment);
	_exit(127);
}

static long long
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ll + t.tv_nsec / 1000000;
}

/* Read what came; false at the end of it. */
static bool
drain(int fd, struct buf *b, size_t most, enum run_limit *hit)
{
	char bytes[8192];
	ssize_t got = read(fd, bytes, sizeof bytes);

	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	if (got <= 0)
		return false;
	size_t room = most - b->len;
	buf_add(b, bytes, (size_t)got < room ? (size_t)got : room);
	if ((size_t)got > room)
		*hit = RUN_OUTPUT;
	return true;
}

/* Both ends of the talk, until they end or a limit is met. */
static void
listen_to(int out, int err, const struct table *t, struct run_result *result)
{
	long long end = now_ms() + t->seconds * 1000ll;
	struct pollfd ends[2] = {{.fd = out, .events = POLLIN}, {.fd = err, .events = POLLIN}};
	size_t most = (size_t)t->output_bytes;

	while (result->limit == RUN_NONE && (ends[0].fd >= 0 || ends[1].fd >= 0)) {
		long long left = end - now_ms();
		int ready = left > 0 ? poll(ends, 2, (int)left) : 0;
		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0) {
			result->limit = RUN_TIME;
			break;
		}
		if (ends[0].revents != 0 && !drain(out, &result->out, most, &result->limit))
			ends[0].fd = -1;
		if (ends[1].revents != 0 && !drain(err, &result->err, most, &result->limit))
			ends[1].fd = -1;
	}
}

const char *
run(struct run_result *result, const struct verdict *v, const struct table *t,
    const struct roots *roots)
{
	char path[PATH_MAX];
	int out[2], err[2], status = 0;
	int program = open_program(v->argv.list[0].text, path);

	*result = (struct run_result){0};
	if (program < 0)
		return "no such program that only root or this user can change";
	if (pipe(out) != 0)
		return "no pipe";
	if (pipe(err) != 0)
		return "no pipe";
	pid_t child = fork();
	if (child == 0)
		become(program, path, v, t, roots, out, err);
	close(program);
	close(out[1]);
	close(err[1]);
	if (child > 0) {
		listen_to(out[0], err[0], t, result);
		if (result->limit != RUN_NONE)
			kill(-child, SIGKILL);
		if (result->limit != RUN_NONE)
			kill(child, SIGKILL);
		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			;
	}
	close(out[0]);
	close(err[0]);
	result->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	return child < 0 ? "no new process" : NULL;
}

void
run_result_free(struct run_result *result)
{
	buf_free(&result->out);
	buf_free(&result->err);
}
