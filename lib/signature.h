#ifndef SIGNATURE_H
#define SIGNATURE_H

/*
 * signature: are two failures the same failure?
 *
 * A message is brought to a normal form: terminal escapes gone, and what changes from run to run
 * (numbers, durations, times, UUIDs, long hex, hosts and ports, folders, line:column) replaced by
 * its kind in angle brackets.  The signature is the class of the error, its matcher or call, its
 * locator, the normal form of what was said before any call log or code frame, and the first frame
 * that is in nobody's library.  The family is the class, the matcher or call, and the locator;
 * where there is no locator, what was said takes its place: all of it and the frame after a matcher
 * (expect(1).toBe(2) is no cause that two tests share), else its first line.
 *
 * Both are 64 bits of a SHA-256 over the text and SIGNATURE_VERSION: a change here that gives any
 * message another signature is a new version, since histories keep signatures for months.
 */
#include <stddef.h>

#include "buf.h"

enum { SIGNATURE_VERSION = 1 };

struct signature {
	char sig[17], family[17]; /* hex */
	char *text, *family_text; /* what was hashed, for people; yours to signature_free() */
};

/* stack may be NULL, or the message with its stack below. */
void signature_make(struct signature *s, const char *message, size_t message_len, const char *stack,
    size_t stack_len);
void signature_free(struct signature *s);

/* Append the normal form of text: white space folded, UTF-8 kept. */
void signature_normal(const char *text, size_t len, struct buf *b);

/*
 * The same for the reason of a verdict: what it quotes, in any kind of quotes or as JSON, changes
 * from scenario to scenario, and is <text> or <json>.
 */
void signature_reason(const char *text, size_t len, struct buf *b);

/*
 * The first frame of a stack (V8, Java, Python) that is the project's own: its file and function,
 * appended as "file function".  Nothing when there is none.
 */
void signature_frame(const char *stack, size_t len, struct buf *b);

#endif
