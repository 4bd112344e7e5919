#ifndef WHEN_H
#define WHEN_H

/*
 * when: points of time, as reports, traces and logs write them: ISO 8601, with or without a zone
 * (UTC then), seconds and their fraction.
 */
#include <stdbool.h>
#include <stdint.h>

struct when {
	int64_t seconds; /* since 1970 */
	long ns;         /* 0 to 999999999 */
};

/* A date, or a date and a time; what follows is not looked at.  False: text is none, or NULL. */
bool when_read(const char *text, struct when *w);

double when_ms(const char *text);    /* whole ones since 1970; -1 when text is no time, or NULL */
char *when_text(double ms);          /* UTC, with milliseconds; yours; NULL when ms is no time */
char *when_normal(const char *text); /* both: the same form for every time; NULL when it is none */

/* The argument of option ch, if it is like 2026-07-04T08:00:00Z; anything else is TROUBLE. */
const char *when_option(int ch, const char *arg);

#endif
