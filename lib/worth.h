#ifndef WORTH_H
#define WORTH_H

/*
 * worth: is this value a secret, given that its name promises one?
 *
 * Whole values are judged, never words inside of them: "null" is a placeholder, a password that
 * ends with null is a password.
 */
#include <stdbool.h>
#include <stddef.h>

enum worth_manner {   /* how the value stands there, from the surest on */
	WORTH_USED,   /* what a browser sent or stored: an Authorization header, a storage's item */
	WORTH_TOLD,   /* a JSON member, a header, an input's value */
	WORTH_NUMBER, /* a JSON number */
	WORTH_QUOTED, /* name: "value" in text */
	WORTH_URL,    /* ?name=value */
	WORTH_TIGHT,  /* name=value */
	WORTH_LOOSE,  /* name: value */
};

bool worth(const char *value, size_t len, const char *kind, enum worth_manner manner);

/* null, ***, ${TOKEN}, <token>, process.env.TOKEN, a tag of ours: no value, wherever it stands. */
bool worth_nothing(const char *value, size_t len);
/* The same, or your-api-key, fake-token: what people write where a value should be. */
bool worth_placeholder(const char *value, size_t len);

bool worth_tagged(const char *value, size_t len); /* tags of ours and nothing else but blanks */

/* The word behind "Bearer" in running text is a credential and not a word. */
bool worth_scheme(const char *value, size_t len, const char *kind);

/* Such as only a machine, or a careful person, writes: "Xy12ab", "s3cret!", no word and no number.
 */
bool worth_random(const char *value, size_t len);

bool worth_hex(char c);

/*
 * An e-mail address, a card (Luhn), an IBAN (mod 97) or a telephone number about the word
 * [from, to) of text: its kind and place, or NULL.
 */
const char *worth_personal(
    const char *text, size_t len, size_t from, size_t to, size_t *start, size_t *end);

#endif
