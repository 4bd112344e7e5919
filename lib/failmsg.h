#ifndef FAILMSG_H
#define FAILMSG_H

/*
 * failmsg: what the message of a failed test says, whoever wrote it.
 *
 * Playwright, Jest, Vitest, Chai, node:assert, Mocha, JUnit, AssertJ and pytest each have their own
 * words for "expected this, got that"; here they become the same few members.  What a message does
 * not say is NULL or 0.  Values are as written, quotes included, one line, at most FAILMSG_VALUE
 * bytes.
 */
#include <stdbool.h>
#include <stddef.h>

#include "buf.h"

enum { FAILMSG_VALUE = 2000 };

struct failmsg {
	char *type;    /* class of the error: "TimeoutError", "java.net.ConnectException" */
	char *matcher; /* "toHaveText", "not.toBeVisible", "to deeply equal", "assertEquals" */
	char *call;    /* the API that threw: "page.goto", "locator.click" */
	char *expected, *actual;
	char *locator; /* as a user writes it: "getByTestId('row')" */
	double timeout_ms;
	bool whole_test; /* the timeout is the test's or a hook's own, not that of one wait */
	bool retrying; /* an assertion that waits and looks again: it has a locator and a timeout */
};

void failmsg_read(const char *message, size_t len, struct failmsg *to);
void failmsg_free(struct failmsg *m);

/* Append text without terminal escapes (ECMA-48 CSI and OSC) and control bytes but \n and \t. */
void failmsg_plain(const char *text, size_t len, struct buf *b);

#endif
