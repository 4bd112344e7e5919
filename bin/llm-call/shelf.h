#ifndef SHELF_H
#define SHELF_H

/* shelf: which cassettes a run asked for, and which of the folder it did not (-L). */
#include <stdbool.h>
#include <stdio.h>

struct shelf;

struct shelf *shelf_new(void);
void shelf_played(struct shelf *s, const char *key);
/* name may be NULL. */
void shelf_missed(struct shelf *s, const char *key, const char *name, int epoch);

/*
 * Write a cassette record for each that is missing, and each of the folder's that was not asked
 * for: stale where it was recorded for another version of the prompt or another model, orphaned
 * where it was not.  True when there was nothing to write.
 */
bool shelf_list(struct shelf *s, const char *folder, const char *prompt, const char *sha256,
    const char *model, FILE *out);
void shelf_free(struct shelf *s);

#endif
