#ifndef SECRETS_H
#define SECRETS_H

/*
 * secrets: where the secrets of a text are.
 *
 * Parse before matching: JSON is walked with names and neighbours in view, strings are read without
 * their escapes, and what they hold (JSON, headers, cookies, URLs, forms, HTML, aria snapshots,
 * base64) is read in its turn, eight layers deep.  Then come named values and the tokens of
 * rules.h.  A match that hits a limit counts as a secret.
 */
#include <stdbool.h>
#include <stddef.h>

#include "edits.h"
#include "scan.h"

struct secrets;

struct secrets *secrets_new(void);
void secrets_free(struct secrets *s);

void secrets_personal(struct secrets *s); /* find e-mail, cards, IBANs, telephone numbers too */
/* This value is none, wherever it stands. */
void secrets_allow(struct secrets *s, const char *value, size_t len);
/* From now on this value is one, wherever it stands as a whole word.  False: known, or too plain.
 */
bool secrets_learn(struct secrets *s, const char *value, size_t len, const char *kind);
/* A value that is one for good, in any encoding, inside of words too. */
void secrets_always(struct secrets *s, const char *value, size_t len);
void secrets_forget(struct secrets *s); /* what was learned */

/* Append what is found, settled; false when a limit was hit somewhere. */
bool secrets_in_text(struct secrets *s, const char *text, size_t len, struct edits *found);
bool secrets_in_json(struct secrets *s, struct span checked, struct edits *found);

/* The length of the tag ("[REDACTED:JWT#3]", "[REDACTED:JWT~k7q2m4xz]") at the start of text; 0. */
size_t secrets_tag(const char *text, size_t len);

#endif
