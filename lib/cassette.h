#ifndef CASSETTE_H
#define CASSETTE_H

/*
 * cassette: what a model was asked and what it said, one exchange a file, to be played again.
 *
 * A folder of files KEY.json.  KEY is the SHA-256 of the member "request" in RFC 8785 form, so that
 * anybody can check it; cassette(5) has the members.  Files come from other machines: each is
 * bounded, checked, and believed only when its name agrees with its content.
 */
#include <jv.h>
#include <stdbool.h>

#include "buf.h"

enum cassette_found { CASSETTE_HIT, CASSETTE_NONE, CASSETTE_BAD };

/* On a hit *cassette is yours to free; on a bad one why says what is wrong with it. */
enum cassette_found cassette_load(
    const char *folder, const char *key, jv *cassette, struct buf *why);

/*
 * Write cassette (consumed) as KEY.json, beside its target first and renamed: a reader sees all or
 * nothing.  The folder is made when it is missing.  False, with why, when that failed.
 */
bool cassette_save(const char *folder, const char *key, jv cassette, struct buf *why);

/*
 * Append to say why there was no cassette for request: that it was recorded for earlier epochs only
 * ("used up"), or that it was not.  cassette_nearest() also tells which one comes nearest and where
 * it differs; it reads the whole folder.
 */
void cassette_miss(const char *folder, jv request, struct buf *say);
void cassette_nearest(const char *folder, jv request, struct buf *say);

/* Step through the folder in the order of the names; a cassette that is bad is passed over. */
struct cassette_walk;
struct cassette_walk *cassette_walk_open(const char *folder);
bool cassette_walk_next(
    struct cassette_walk *w, const char **key, jv *cassette); /* yours to free */
void cassette_walk_close(struct cassette_walk *w);

#endif
