#ifndef NOTES_H
#define NOTES_H

/*
 * notes: what a segment says beside its requests: which mocks there are and what their handlers
 * look for, and which texts the test expects to see.
 */
#include <jv.h>
#include <stdbool.h>
#include <stddef.h>

#include "scan.h"

struct notes;

struct notes *notes_new(void);
void notes_route(struct notes *n, struct span record);
void notes_source(struct notes *n, struct span record);
void notes_action(struct notes *n, struct span record);

/* Once, when all is read; names are those of all operations sent, an array. */
void notes_settle(struct notes *n, jv names);

/* True when the test asserts an error like that; code may be NULL. */
bool notes_expected(const struct notes *n, const char *message, const char *code);

/* Why a mock of that URL passed over the operation; NULL: no such mock.  Yours to free. */
char *notes_hint(struct notes *n, const char *url, const char *operation);

void notes_free(struct notes *n);

#endif
