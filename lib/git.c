#include "git.h"

#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "prog.h"

enum { ARGS = 40 };

bool
git_revision(const char *text)
{
	if (*text == '\0' || *text == '-' || strlen(text) > 250 || strstr(text, "..") != NULL)
		return false;
	for (; *text != '\0'; text++)
		if (!isalnum((unsigned char)*text) && strchr("._/-@^~{}+", *text) == NULL)
			return false;
	return true;
}

/* in is -1 for no standard input; *out is the end to read from. */
static bool
start(const char *folder, char *const args[], int in, int *out, pid_t *pid)
{
	char *argv[ARGS] = {"git", "--no-pager", "-c", "safe.directory=*", "-c",
	    "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "protocol.allow=never",
	    "-c", "core.quotePath=false", "-c", "core.attributesFile=/dev/null", "-C",
	    (char *)folder};
	char *env[] = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/nonexistent",
	    "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_OPTIONAL_LOCKS=0",
	    "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_TERMINAL_PROMPT=0",
	    "GIT_PAGER=cat", "LC_ALL=C", NULL};
	posix_spawn_file_actions_t files;
	int pipes[2], n = 16;

	for (int i = 0; args[i] != NULL && n < ARGS - 1; i++)
		argv[n++] = args[i];
	if (pipe(pipes) != 0)
		err(TROUBLE, "pipe");
	fcntl(pipes[0], F_SETFD, FD_CLOEXEC);
	posix_spawn_file_actions_init(&files);
	if (in < 0)
		posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	else
		posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_adddup2(&files, pipes[1], STDOUT_FILENO);
	posix_spawn_file_actions_addclose(&files, pipes[1]);
	int failed = posix_spawnp(pid, "git", &files, NULL, argv, env);
	posix_spawn_file_actions_destroy(&files);
	close(pipes[1]);
	*out = pipes[0];
	if (failed != 0)
		close(pipes[0]);
	return failed == 0;
}

bool
git_ask(const char *folder, char *const args[], struct buf *out, size_t most)
{
	int from, status;
	pid_t pid;
	bool whole = true;

	if (!start(folder, args, -1, &from, &pid))
		return false;
	for (;;) {
		buf_reserve(out, 65536);
		ssize_t got = read(from, out->data + out->len, 65536);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		out->len += (size_t)got;
		out->data[out->len] = '\0';
		if (out->len > most) {
			whole = false;
			break;
		}
	}
	close(from);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return !whole || (WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

struct git_files {
	FILE *to, *from;
};

struct git_files *
git_files_open(const char *folder)
{
	char *args[] = {"cat-file", "--batch", NULL};
	struct git_files *g = prog_alloc(1, sizeof *g);
	int pipes[2], from;
	pid_t pid;

	if (pipe(pipes) != 0)
		err(TROUBLE, "pipe");
	fcntl(pipes[1], F_SETFD, FD_CLOEXEC);
	bool started = start(folder, args, pipes[0], &from, &pid);
	close(pipes[0]);
	if (started) {
		g->to = fdopen(pipes[1], "w");
		g->from = fdopen(from, "r");
	} else {
		close(pipes[1]);
	}
	return g;
}

/* A damaged repository ends git, which is no reason for us to end. */
static bool
ask_for(struct git_files *g, const char *path)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;

	sigaction(SIGPIPE, &ignore, &before);
	bool asked = fprintf(g->to, "HEAD:%s\n", path) >= 0 && fflush(g->to) == 0;
	if (!asked) {
		fclose(g->to);
		g->to = NULL;
	}
	sigaction(SIGPIPE, &before, NULL);
	return asked;
}

bool
git_files_read(struct git_files *g, const char *path, struct buf *out, size_t most)
{
	char line[256], kind[32];
	unsigned long long bytes;

	if (g->to == NULL || g->from == NULL || strchr(path, '\n') != NULL)
		return false;
	if (!ask_for(g, path) || fgets(line, sizeof line, g->from) == NULL)
		return false;
	/* "<object> blob <bytes>", the bytes, a newline; else "<what was asked> missing". */
	if (sscanf(line, "%*64s %31s %llu", kind, &bytes) != 2 || strcmp(kind, "blob") != 0) {
		while (strchr(line, '\n') == NULL && fgets(line, sizeof line, g->from) != NULL)
			;
		return false;
	}
	bool wanted = bytes <= most;
	for (unsigned long long i = 0; i <= bytes; i++) {
		int c = getc(g->from);
		if (c == EOF)
			return false;
		if (wanted && i < bytes)
			buf_byte(out, c);
	}
	return wanted;
}

/* It ends when nobody asks any more. */
void
git_files_close(struct git_files *g)
{
	if (g->to != NULL)
		fclose(g->to);
	if (g->from != NULL)
		fclose(g->from);
	free(g);
}
