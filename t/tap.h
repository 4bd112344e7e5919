#ifndef TAP_H
#define TAP_H

/* tap: what a t/unit-*.c needs to be heard by prove(1). */
#include <stdbool.h>
#include <stdio.h>

static int tap_count, tap_failed;

__attribute__((unused)) static bool
tap_ok(bool good, const char *name)
{
	tap_count++;
	tap_failed += !good;
	printf("%sok %d - %s\n", good ? "" : "not ", tap_count, name);
	return good;
}

/* The last line of main: return tap_done(); */
__attribute__((unused)) static int
tap_done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed != 0;
}

#endif
