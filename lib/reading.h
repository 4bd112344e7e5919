#ifndef READING_H
#define READING_H

/*
 * reading: a text being read for secrets.  What the parts of secrets share, and nobody else's.
 *
 * secrets.c walks over a text and its layers; where a word, a separator or a bracket asks for it,
 * one of the grammars below is called with the place, and adds what it finds.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "edits.h"
#include "known.h"
#include "re.h"
#include "scan.h"
#include "secrets.h"
#include "tags.h"

enum { LAYERS = 8, ROUNDS = 4 };

enum role {
	ROLE_TEXT,       /* look inside */
	ROLE_SECRET,     /* the name says so */
	ROLE_PARAMETER,  /* the same, of a URL or a form */
	ROLE_COOKIE,     /* a=b; c=d */
	ROLE_SET_COOKIE, /* a=b; Path=/ */
	ROLE_AUTH,       /* scheme and credentials */
	ROLE_HIDE,       /* whole, whatever it is: a cookie's value */
};

/* One literal of a rule, in the bucket of its first two bytes. */
struct entry {
	const char *literal;
	size_t len;
	uint16_t rule, next; /* next in the bucket; 0: none, so entry 0 is not used */
};

/* What names.h said of a name: keys of JSON come again and again. */
enum ask { ASK_HEADER, ASK_PARAMETER, ASK_OPEN };
enum { MEMOS = 2048, MEMO_LEN = 30 };
struct memo {
	uint64_t first, last; /* bytes of the name, which are all of a short one */
	char name[MEMO_LEN];
	uint8_t len, ask; /* len 0: free */
	int marks;        /* secrets-json.c's; 0: not known yet */
	enum role role;
	const char *kind;
};

/* Most words begin nothing, and their first three bytes, mixed, say so. */
enum {
	BEGINS_TOKEN = 1,
	BEGINS_FIELD = 2,
	BEGINS_LINK = 4,
	BEGINS_KNOWN = 8,
	BEGINS_PATH = 16, /* in the path of a URL */
	THREES = 1 << 16,
	SIXES = 1 << 16
};

struct secrets {
	struct memo memo[MEMOS], long_memo; /* long_memo: of a name too long to keep */
	struct entry *entries;
	size_t count;
	uint16_t bucket[65536]; /* of entries; 0: none */
	uint8_t begins[THREES]; /* what a word may begin, by its first three bytes */
	/*
	 * For the first six bytes of a word, mixed: in which text they were seen first, counted
	 * from 1, and some more of the mix, 0 when two of them met here.  What is learned in a
	 * later text is late, and noted by its first three bytes.
	 */
	struct seen {
		uint16_t text, check;
	} seen[SIXES];
	uint16_t text;
	uint64_t late[THREES / 64];
	bool any_late;
	struct re **compiled; /* beside rules[] */
	struct known *known;
	struct tags *tags;
	bool pem_open; /* the text ended inside of a private key */
	bool personal;
	bool limit;
};

/* A text being read. */
struct reading {
	struct secrets *s;
	struct edits *out;
	const char *t;
	size_t n, base; /* base: what to add to offsets in t for offsets in out */
	int layer;
	bool asking; /* what kind a value is, that was found already */
	/* How far something is settled, so that hostile text is not read again and again. */
	size_t done;            /* found, or known to be none */
	size_t pairs_done;      /* no names and values before it */
	size_t braces_done;     /* no JSON begins before it */
	size_t percent_done;    /* percent escapes before it are read */
	bool no_end;            /* of a private key follows */
	size_t jwt_done;        /* no JWT begins before it */
	size_t bare, bare_end;  /* the last value without quotes */
	size_t url_end, url_at; /* the run of a URL and its last '@', 0: none */
	size_t url_found;       /* an '@' whose password was found */
};

/* Classes of bytes. */
enum {
	C_WORD = 1,      /* letters and digits */
	C_NAME = 2,      /* what names are made of */
	C_B64 = 4,       /* base64 and base64url */
	C_TRIGGER = 8,   /* asks for a grammar */
	C_INVISIBLE = 16 /* may be, or begin, what nobody sees */
};
extern const unsigned char reading_class[256];

static inline bool
is_class(char c, int class)
{
	return (reading_class[(unsigned char)c] & class) != 0;
}

static inline bool
is_word(char c)
{
	return is_class(c, C_WORD);
}

static inline bool
is_name(char c)
{
	return is_class(c, C_NAME);
}

static inline bool
is_b64(char c)
{
	return is_class(c, C_B64);
}

static inline bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static inline bool
is_space(char c)
{
	return is_blank(c) || c == '\n' || c == '\r';
}

static inline bool
is_quote(char c)
{
	return c == '"' || c == '\'' || c == '`';
}

static inline size_t
bucket_of(const char *two)
{
	return (size_t)(unsigned char)two[0] << 8 | (unsigned char)two[1];
}

static inline size_t
three_of(const char *three)
{
	const unsigned char *b = (const unsigned char *)three;

	return (b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16) * 2654435761u >> 16;
}

static inline uint32_t
six_of(const char *six)
{
	uint32_t four;
	uint16_t two;

	memcpy(&four, six, 4);
	memcpy(&two, six + 4, 2);
	return (uint32_t)(((uint64_t)two << 32 | four) * 0x9e3779b97f4a7c15u >> 32);
}

static inline bool
is_word_like(const char *name, size_t len, const char *what)
{
	return strlen(what) == len && strncasecmp(name, what, len) == 0;
}

/* Every find passes here: an allowed value, or one made of tags only, is none. */
void reading_found(struct reading *r, size_t from, size_t to, const char *kind);

/* t is read as a text of its own; what is found is moved by base. */
void reading_text(
    struct secrets *s, const char *t, size_t n, size_t base, int layer, struct edits *out);
/* doc is checked JSON. */
void reading_json(struct secrets *s, struct span doc, size_t base, int layer, struct edits *out);

/* secrets-token.c: the end of the token that begins with the word [at, to), or 0. */
size_t reading_token(struct reading *r, size_t at, size_t to);
size_t reading_jwt(struct reading *r, size_t at);
size_t reading_pem_body(const struct reading *r, size_t from); /* where the body of a key ends */
/* base64 or base64url, padded or not; false: neither. */
bool reading_decode(const char *t, size_t n, struct buf *out);
void reading_telegram(struct reading *r, size_t colon);
void reading_entra(struct reading *r, size_t tilde);

/* secrets-pair.c: names and values. */
void reading_pair(struct reading *r, size_t separator);
void reading_userinfo(struct reading *r, size_t colon);
void reading_cookies(struct reading *r, size_t from, size_t to, bool only_first);
void reading_cookie_line(struct reading *r, size_t from, size_t to); /* its TRUE or FALSE */
void reading_auth(struct reading *r, size_t from, size_t to);
/* What is known of a name; valid until the next one is asked for. */
struct memo *reading_memo(struct secrets *s, enum ask ask, const char *name, size_t len);
/* What a name promises; kind is NULL when nothing. */
const char *reading_kind(struct secrets *s, enum ask ask, const char *name, size_t len);
enum role reading_role_of(const struct memo *memo, const char **kind);
enum role reading_role(struct secrets *s, const char *header, size_t len, const char **kind);
/* The end of a quoted value whose opening quote, behind so many backslashes, is before from. */
size_t reading_quoted_end(const struct reading *r, size_t from, char quote, size_t slashes);
size_t reading_line_end(const struct reading *r, size_t from, char wrap);

/* secrets-prose.c: a word [from, to) that may name what stands some words behind it. */
void reading_prose(struct reading *r, size_t from, size_t to);
/* The word at links a name before it to a value: "is", "was", "to". */
void reading_link(struct reading *r, size_t at);
void reading_path(struct reading *r, size_t from);     /* a segment of a path that may be a key */
void reading_identified(struct reading *r, size_t to); /* IDENTIFIED, in SQL */

/* secrets-markup.c: HTML and XML at '<', calls at '(', titles of steps, aria snapshots. */
void reading_tag(struct reading *r, size_t at);
void reading_call(struct reading *r, size_t paren);
void reading_step(struct reading *r, size_t to);
void reading_aria(struct reading *r, size_t at);

#endif
