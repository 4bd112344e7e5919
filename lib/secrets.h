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

/* Tags for what has to be encoded again, as base64; borrowed.  Without them all of it is hidden. */
void secrets_tags(struct secrets *s, struct tags *tags);
void secrets_personal(struct secrets *s); /* find e-mail, cards, IBANs, telephone numbers too */
/* This value is none, wherever it stands; true. */
bool secrets_allow(struct secrets *s, const char *value, size_t len);
/* A value that is one for good, in any encoding, inside of words too; false: under six bytes. */
bool secrets_always(struct secrets *s, const char *value, size_t len);
void secrets_forget(struct secrets *s); /* what was found: a new segment begins */

/*
 * Put what is found, settled.  What was found once is known: it is found again in this text and in
 * those that follow, wherever it stands as a word, until secrets_forget().  A private key that is
 * open at the end of a text goes on in the next one, for texts are cut where it suits their reader.
 * False when a limit was hit somewhere.
 */
bool secrets_in_text(struct secrets *s, const char *text, size_t len, struct edits *found);
bool secrets_in_json(struct secrets *s, struct span checked, struct edits *found);
/*
 * The same once more, for a text with its edits made, JSON or not: a tag is shorter than what it
 * stands for, and may bring a name near a value.  True when something was found.
 */
bool secrets_again(struct secrets *s, const char *text, size_t len, struct edits *found);

/*
 * How many values are known.  When that grew, a text that was read before may hold one of the new
 * ones; secrets_mentioned() says so at little cost, now and then in vain, for what was read and
 * learned since secrets_age(), in 65535 texts at most.
 */
size_t secrets_known(const struct secrets *s);
bool secrets_mentioned(const struct secrets *s, const char *text, size_t len);
void secrets_age(struct secrets *s);

/* The length of the tag ("[REDACTED:JWT#3]", "[REDACTED:JWT~k7q2m4xz]") at the start of text; 0. */
size_t secrets_tag(const char *text, size_t len);

#endif
