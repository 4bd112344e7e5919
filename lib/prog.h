#ifndef PROG_H
#define PROG_H

/*
 * prog: what every program of the suite does first and says last.
 *
 * Exit statuses are those of grep(1) and diff(1).  Messages are err(3) and warnx(3): they name the
 * program, one line each, on standard error.  This is the one module that keeps state of its own:
 * the program's name and synopsis and the signal that came, which belong to the process.
 */
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { YES = 0, NO = 1, TROUBLE = 2 };

/*
 * Answer --help and --version and exit with YES; otherwise return and leave argv to getopt(3).  The
 * first line of help, with those below it that begin with a blank, is the SYNOPSIS; what follows is
 * printed by --help only.  help is borrowed for the life of the process.
 */
void prog_start(int argc, char *const argv[], const char *help);

/* Print the SYNOPSIS on standard error and exit with TROUBLE. */
_Noreturn void prog_usage(void);

/* The argument of option ch as a whole number from lo to hi; anything else is TROUBLE. */
long long prog_number(int ch, const char *arg, long long lo, long long hi);

/* The same as a number from 0 to most, fractions allowed. */
double prog_amount(int ch, const char *arg, double most);

/*
 * From here on SIGINT, SIGTERM and SIGHUP set prog_stopped to their number and interrupt what
 * waits; reading lines.h then finds no more.  The program writes out what is whole, and dies as it
 * was told.
 */
extern volatile sig_atomic_t prog_stopped;
void prog_catch_signals(void);
_Noreturn void prog_die_of_signal(void);

/*
 * The path of a file of the suite's own data, such as "prompts/rca.v1.md": beside the program,
 * under
 * ../share/rcakit.  Yours to free(3); NULL when there is no such file.
 */
char *prog_data(const char *name);

/* The path of another program of the suite: beside this one, or the name for PATH; yours to free.
 */
char *prog_sister(const char *name);

/* True when f is a terminal and the person did not ask for plain text (NO_COLOR, TERM=dumb). */
bool prog_colour(FILE *f);

/* A name that came from input, with '?' for what a terminal obeys or hides (utf8_deceives), cut at
 * 200 bytes; yours to free. */
char *prog_clean(const char *name, size_t len);

/* calloc, realloc and strdup that end the program with TROUBLE instead of returning NULL. */
void *prog_alloc(size_t count, size_t size);
void *prog_resize(void *p, size_t count, size_t size);
char *prog_copy(const char *text, size_t len); /* adds the final NUL */

#endif
