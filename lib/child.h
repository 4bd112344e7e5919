#ifndef CHILD_H
#define CHILD_H

/*
 * child: a program that runs beside this one, and what goes to and fro.
 *
 * It is started without a shell, in a process group of its own, with no descriptor but the standard
 * three.  Nothing here waits: child_polls() says what to wait for, child_pump() moves what can be
 * moved.  What it says is held up to a bound, and of its standard error only the end.
 *
 * Who lives belongs to the process and not to a struct, since a process can end anywhere: the
 * numbers of the first 256 are kept here.
 */
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "buf.h"

enum { CHILD_POLLS = 4, CHILD_TAIL = 2048 };

/* Everything is borrowed for the call; the lists end with NULL. */
struct child_how {
	char *const *argv;
	char *const *environment; /* "NAME=value"; NULL: ours */
	const char *folder;       /* where it runs, relative names in argv too; NULL: here */
	int input;                /* an open file to read; -1: a pipe, see child_write() */
	bool own_errors;          /* keep its standard error; otherwise it goes to ours */
	size_t most;              /* bytes it may say before it is cut off */
};

struct child {
	struct buf said;   /* standard output so far, less what was taken */
	struct buf errors; /* the last of standard error: at most twice CHILD_TAIL bytes */
	bool flooded;      /* it said more than it may, and the rest was not read */
	bool silent;       /* standard output was closed */
	bool ended;        /* and the process is gone */
	int status;        /* its exit status then, 128 + N when killed by signal N */
	pid_t pid;
	int in, out, err, gone; /* pipes, -1 when closed; a descriptor that tells of the end */
	struct buf unsent;
	size_t most;
	bool no_more; /* close its input once all is sent */
};

struct child *child_start(const struct child_how *how); /* NULL: errno has the reason */

void child_write(struct child *c, const void *bytes, size_t len);
void child_end_input(struct child *c); /* after what was written */

/* Fill in what to poll(2) for; how many. */
size_t child_polls(const struct child *c, struct pollfd fds[CHILD_POLLS]);
/* True where the end of the process has to be asked for again and again. */
bool child_untold(const struct child *c);
void child_pump(struct child *c);

void child_take(struct child *c, size_t len); /* drop the first bytes of what it said */
void child_kill(struct child *c);             /* with all of its group, and wait for it */
void child_free(struct child *c);             /* NULL is fine; kills */

/* All that live, with their groups; done at exit(3), and a signal handler may do it. */
void child_kill_all(void);

#endif
