/*
 * measure: run a pipeline and say what it cost.
 *
 *	measure NAME COMMAND [ARG ...] [-- COMMAND ...] ...
 *
 * Output goes to /dev/null.  One line: wall time, CPU time of all, peak resident MiB of each.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 16 };

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double
seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* Start argv reading from in (closed here); its output is a pipe in *next, or /dev/null. */
static pid_t
start(char *argv[], int in, int *next)
{
	int out[2] = {-1, -1};

	if (next != NULL && pipe2(out, O_CLOEXEC) != 0)
		err(2, "pipe");
	pid_t pid = fork();
	if (pid < 0)
		err(2, "fork");
	if (pid == 0) {
		int to = next != NULL ? out[1] : open("/dev/null", O_WRONLY);
		if (dup2(in, STDIN_FILENO) < 0 || dup2(to, STDOUT_FILENO) < 0)
			err(2, "dup2");
		execvp(argv[0], argv);
		err(2, "%s", argv[0]);
	}
	close(in);
	if (next != NULL) {
		close(out[1]);
		*next = out[0];
	}
	return pid;
}

int
main(int argc, char *argv[])
{
	pid_t pids[MOST];
	double peak[MOST] = {0}, cpu = 0, begin = now();
	int count = 0, in = open("/dev/null", O_RDONLY | O_CLOEXEC), bad = 0;

	if (argc < 3)
		errx(2, "measure NAME COMMAND [ARG ...] [-- COMMAND ...] ...");
	for (char **command = argv + 2; command != NULL && count < MOST; count++) {
		char **end = command;
		while (*end != NULL && strcmp(*end, "--") != 0)
			end++;
		char **rest = *end != NULL ? end + 1 : NULL;
		*end = NULL;
		pids[count] = start(command, in, rest != NULL ? &in : NULL);
		command = rest;
	}
	for (int i = 0; i < count; i++) {
		struct rusage use;
		int status;
		if (wait4(pids[i], &status, 0, &use) < 0)
			err(2, "wait");
		cpu += seconds(use.ru_utime) + seconds(use.ru_stime);
		peak[i] = (double)use.ru_maxrss / 1024;
		bad |= !WIFEXITED(status) || WEXITSTATUS(status) > 1;
	}
	printf("%-44s %8.2f s %8.2f s ", argv[1], now() - begin, cpu);
	for (int i = 0; i < count; i++)
		printf(" %5.0f", peak[i]);
	printf(" MiB%s\n", bad ? "  FAILED" : "");
	return bad;
}
