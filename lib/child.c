#define _GNU_SOURCE /* pipe2, addchdir_np, addclosefrom_np */
#include "child.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "prog.h"

extern char **environ;

enum { LIVING = 256 };
static volatile pid_t living[LIVING];

static void
note_life(pid_t before, pid_t now)
{
	size_t i = 0;

	while (i < LIVING && living[i] != before)
		i++;
	if (i < LIVING)
		living[i] = now;
}

void
child_kill_all(void)
{
	for (size_t i = 0; i < LIVING; i++)
		if (living[i] > 0)
			kill(-living[i], SIGKILL);
}

static void
close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* A pipe of which our end does not block and is at *ours. */
static bool
pipe_to(int *ours, int *theirs, bool we_write)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return false;
	*ours = ends[we_write];
	*theirs = ends[!we_write];
	return fcntl(*ours, F_SETFL, O_NONBLOCK) == 0;
}

static int
spawn(struct child *c, const struct child_how *how, const int theirs[3])
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t usual, none;
	int wrong;

	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	sigaddset(&usual, SIGINT);
	sigaddset(&usual, SIGTERM);
	sigemptyset(&none);
	if (posix_spawn_file_actions_init(&actions) != 0 || posix_spawnattr_init(&attributes) != 0)
		errx(TROUBLE, "no memory");
	posix_spawnattr_setflags(
	    &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigdefault(&attributes, &usual);
	posix_spawnattr_setsigmask(&attributes, &none);
	wrong = how->folder ? posix_spawn_file_actions_addchdir_np(&actions, how->folder) : 0;
	for (int fd = 0; fd < 3 && wrong == 0; fd++)
		if (theirs[fd] >= 0)
			wrong = posix_spawn_file_actions_adddup2(&actions, theirs[fd], fd);
	if (wrong == 0)
		wrong = posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
	if (wrong == 0)
		wrong = posix_spawnp(&c->pid, how->argv[0], &actions, &attributes, how->argv,
		    how->environment ? how->environment : environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return wrong;
}

struct child *
child_start(const struct child_how *how)
{
	struct child *c = prog_alloc(1, sizeof *c);
	int theirs[3] = {how->input, -1, -1};
	bool piped = true;

	c->in = c->out = c->err = c->gone = -1;
	c->most = how->most;
	if (how->input < 0)
		piped = pipe_to(&c->in, &theirs[0], true);
	piped = piped && pipe_to(&c->out, &theirs[1], false);
	if (how->own_errors)
		piped = piped && pipe_to(&c->err, &theirs[2], false);
	int wrong = piped ? spawn(c, how, theirs) : errno;
	for (int fd = how->input < 0 ? 0 : 1; fd < 3; fd++)
		close_end(&theirs[fd]);
	if (wrong != 0) {
		c->pid = 0;
		child_free(c);
		errno = wrong;
		return NULL;
	}
	static bool at_exit;
	at_exit = at_exit || atexit(child_kill_all) == 0;
	note_life(0, c->pid);
#ifdef SYS_pidfd_open
	c->gone = (int)syscall(SYS_pidfd_open, c->pid, 0); /* closes itself on exec */
#endif
	return c;
}

void
child_write(struct child *c, const void *bytes, size_t len)
{
	if (c->in >= 0)
		buf_add(&c->unsent, bytes, len);
}

void
child_end_input(struct child *c)
{
	c->no_more = true;
	if (c->unsent.len == 0)
		close_end(&c->in);
}

size_t
child_polls(const struct child *c, struct pollfd fds[CHILD_POLLS])
{
	size_t count = 0;

	if (c->in >= 0 && c->unsent.len > 0)
		fds[count++] = (struct pollfd){.fd = c->in, .events = POLLOUT};
	if (c->out >= 0 && !c->flooded)
		fds[count++] = (struct pollfd){.fd = c->out, .events = POLLIN};
	if (c->err >= 0)
		fds[count++] = (struct pollfd){.fd = c->err, .events = POLLIN};
	if (c->gone >= 0 && !c->ended)
		fds[count++] = (struct pollfd){.fd = c->gone, .events = POLLIN};
	return count;
}

bool
child_untold(const struct child *c)
{
	return c->gone < 0 && !c->ended && c->silent;
}

/* A program that does not read its input to the end is free to do so. */
static void
send_some(struct child *c)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
	ssize_t sent;

	if (c->in < 0 || c->unsent.len == 0)
		return;
	sigaction(SIGPIPE, &ignore, &before);
	sent = write(c->in, c->unsent.data, c->unsent.len);
	sigaction(SIGPIPE, &before, NULL);
	if (sent < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (sent < 0) {
		buf_clear(&c->unsent);
		close_end(&c->in);
		return;
	}
	memmove(c->unsent.data, c->unsent.data + sent, c->unsent.len - (size_t)sent);
	c->unsent.len -= (size_t)sent;
	if (c->unsent.len == 0 && c->no_more)
		close_end(&c->in);
}

/* What came; 0 at the end, -1 when there is nothing yet. */
static ssize_t
some(int fd, char *bytes, size_t size)
{
	ssize_t got = read(fd, bytes, size);

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return -1;
	return got < 0 ? 0 : got;
}

static void
hear(struct child *c)
{
	char bytes[16384];
	ssize_t got = -1;

	while (c->out >= 0 && !c->flooded && (got = some(c->out, bytes, sizeof bytes)) > 0) {
		size_t room = c->most - c->said.len;
		c->flooded = (size_t)got > room;
		buf_add(&c->said, bytes, c->flooded ? room : (size_t)got);
	}
	if (got == 0) {
		close_end(&c->out);
		c->silent = true;
	}
}

/* However much it complains, it is read a little at a time, and the end is kept. */
static void
hear_errors(struct child *c)
{
	char bytes[CHILD_TAIL];
	ssize_t got = c->err >= 0 ? some(c->err, bytes, sizeof bytes) : -1;

	if (got == 0)
		close_end(&c->err);
	if (got <= 0)
		return;
	if (c->errors.len > CHILD_TAIL) {
		size_t drop = c->errors.len - CHILD_TAIL;
		memmove(c->errors.data, c->errors.data + drop, CHILD_TAIL);
		c->errors.len = CHILD_TAIL;
	}
	buf_add(&c->errors, bytes, (size_t)got);
}

/* It is left unburied, so that its number, which is its group's, is nobody else's. */
static void
look_for_end(struct child *c)
{
	siginfo_t how = {0};

	if (c->ended || waitid(P_PID, (id_t)c->pid, &how, WEXITED | WNOHANG | WNOWAIT) != 0 ||
	    how.si_pid != c->pid)
		return;
	c->ended = true;
	c->status = how.si_code == CLD_EXITED ? how.si_status : 128 + how.si_status;
	hear(c); /* what it wrote between the look and its end */
	hear_errors(c);
}

void
child_pump(struct child *c)
{
	send_some(c);
	hear(c);
	hear_errors(c);
	look_for_end(c);
}

void
child_take(struct child *c, size_t len)
{
	c->said.len -= len;
	if (c->said.len > 0)
		memmove(c->said.data, c->said.data + len, c->said.len);
}

void
child_kill(struct child *c)
{
	if (c->pid <= 0)
		return;
	kill(-c->pid, SIGKILL);
	note_life(c->pid, 0);
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
	c->pid = 0;
}

void
child_free(struct child *c)
{
	if (c == NULL)
		return;
	child_kill(c);
	close_end(&c->in);
	close_end(&c->out);
	close_end(&c->err);
	close_end(&c->gone);
	buf_free(&c->said);
	buf_free(&c->errors);
	buf_free(&c->unsent);
	free(c);
}
