#ifndef WHEN_H
#define WHEN_H

/*
 * when: points of time, as reports and traces write them: ISO 8601, with or without a zone (UTC
 * then), seconds and their fraction.
 */

double when_ms(const char *text);    /* since 1970; -1 when text is no time, or NULL */
char *when_text(double ms);          /* UTC, with milliseconds; yours; NULL when ms is no time */
char *when_normal(const char *text); /* both: the same form for every time; NULL when it is none */

#endif
