#ifndef SCAN_H
#define SCAN_H

/*
 * scan: the suite's JSON reader (RFC 8259, strict): it looks before anything is parsed.
 *
 * scan_check() proves that text is one JSON value; after that a value is a span of bytes, and the
 * calls below find members and decode scalars in place, without allocation and without checking
 * again: give them only spans of text that passed.  Nothing recurses; depth is bounded by
 * SCAN_DEPTH.  Text is UTF-8; a lone surrogate escape ("\ud83d", which JavaScript writes for a cut
 * emoji) is JSON by the grammar, and is decoded to U+FFFD.
 */
#include <stdbool.h>
#include <stddef.h>

#include "buf.h"

enum { SCAN_DEPTH = 2048 };

struct span {
	const char *at; /* NULL: not there */
	size_t len;
};

struct scan_error {
	size_t at;       /* byte offset */
	const char *why; /* static text: "unmatched ']'" */
};

/* True when text is exactly one JSON value, white space around it allowed. */
bool scan_check(const char *text, size_t len, struct scan_error *error);

/*
 * The same, and in the same pass what scan_member() would find, and where most of the text is: bulk
 * is the longest object or array inside three others, absent when there is none.
 */
bool scan_check_member(const char *text, size_t len, struct scan_error *error, const char *name,
    struct span *member, struct span *bulk);

/* The value without the white space around it: text is checked. */
struct span scan_trim(const char *text, size_t len);

/* What a checked value is: '{' '[' '"' 't' 'f' 'n' or '0' for a number; 0 for an absent span. */
int scan_kind(struct span value);

/* The member of an object, the last of equal names as in JavaScript; absent if value is no object.
 */
struct span scan_member(struct span value, const char *name);

/* The same for several names in one pass: found[i] is what scan_member(value, names[i]) gives. */
void scan_members(struct span value, const char *const names[], struct span found[], size_t count);

/*
 * The first member of this name, without a look at what follows it: where it is an object or array,
 * the span may reach beyond its end, which the calls that walk it do not mind.  So a long line is
 * not passed over once for each thing that stands at its front.
 */
struct span scan_front(struct span object, const char *name);

/* scan_member along a path of names that ends with NULL: scan_path(v, "snapshot", "url", NULL). */
struct span scan_path(struct span value, ...) __attribute__((sentinel));

/*
 * Step through an array or an object: start with {0} and go on while true.  key is the raw key with
 * its quotes (absent in arrays), value the member.
 *
 *	struct scan_each it = {0};
 *	while (scan_each(&it, object)) use(it.key, it.value);
 */
struct scan_each {
	struct span key, value;
	const char *next;
	struct span known; /* the caller's: a value that ends there, so that no look is needed */
};
bool scan_each(struct scan_each *it, struct span container);

bool scan_is(struct span string, const char *text); /* a string equal to text, escapes decoded */
bool scan_text(struct span string, struct buf *b); /* append the decoded string; false: no string */
char *scan_copy(struct span string);               /* decoded, yours to free; NULL: no string */
double scan_number(struct span number, double otherwise);
/* A number from 0 to most, its fraction cut off; else otherwise. */
long scan_whole(struct span number, long most, long otherwise);
bool scan_true(struct span value);

/* Append JSON text with every lone surrogate escape as \ufffd, other bytes as they are. */
void scan_mend(struct span text, struct buf *b);

/*
 * Pull: one big document read in pieces, memory bounded by its longest scalar and SCAN_DEPTH.
 * Events come in order; a fault is the last event.  A string longer than limit bytes is an error.
 */
enum scan_event {
	SCAN_OBJECT,
	SCAN_OBJECT_END,
	SCAN_ARRAY,
	SCAN_ARRAY_END,
	SCAN_KEY,    /* text is the decoded key */
	SCAN_STRING, /* text is the decoded string */
	SCAN_NUMBER, /* text is the number as written */
	SCAN_TRUE,
	SCAN_FALSE,
	SCAN_NULL,
	SCAN_END,   /* the document is whole, and nothing follows it */
	SCAN_FAULT, /* see error */
};
struct scan_pull {
	struct buf text; /* of the last KEY, STRING or NUMBER that was not passed over by skip */
	struct scan_error error; /* of the FAULT */
	struct scan_state *state;
};
/* read fills bytes and returns how many, 0 at the end, -1 on failure (as read(2)). */
struct scan_pull *scan_pull_new(
    long (*read)(void *ctx, char *bytes, size_t len), void *ctx, size_t limit);
enum scan_event scan_pull_next(struct scan_pull *p);
/* After KEY, OBJECT or ARRAY: past that value, which is checked and not decoded; false: fault. */
bool scan_pull_skip(struct scan_pull *p);
void scan_pull_free(struct scan_pull *p);

/*
 * A document whose members one knows by name.  A value of another kind than asked for is passed
 * over, so that nobody else's idea of it is a fault.
 */
bool scan_pull_enters(struct scan_pull *p, enum scan_event kind); /* is the next value of it? */
bool scan_pull_key(struct scan_pull *p);     /* to the next member of the object that is open */
bool scan_pull_element(struct scan_pull *p); /* into the next object of the array that is open */
bool scan_pull_is(const struct scan_pull *p, const char *name); /* the key, behind KEY */
/* A string replaces *to, which is yours to free, without its NULs. */
void scan_pull_text(struct scan_pull *p, char **to);
double scan_pull_number(struct scan_pull *p, double otherwise);

#endif
