#ifndef JSONPATH_PARTS_H
#define JSONPATH_PARTS_H

/* jsonpath-parts: what jsonpath-parse.c makes and jsonpath.c walks; for these two alone. */
#include "jsonpath.h"
#include "re.h"

/* Texts and literals belong to the path. */
struct selector {
	enum { SELECT_NAME, SELECT_ALL, SELECT_INDEX, SELECT_SLICE, SELECT_FILTER } kind;
	jv name;
	double index, from, to, step; /* NaN: not given */
	struct expr *filter;
	struct selector *next;
};

struct segment {
	bool descendants;
	struct selector *selectors;
	struct segment *next;
};

struct query {
	bool relative; /* begins with @ */
	bool singular;
	struct segment *segments;
};

enum function { LENGTH, COUNT, MATCH, SEARCH, VALUE };
enum compare { EQUAL, UNEQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL };

/* A part of a filter.  tested: it stood where only what is true or false can stand. */
struct expr {
	enum { LITERAL, QUERY, FUNCTION, COMPARE, NOT, AND, OR } kind;
	bool tested;
	jv literal;
	struct query *query;
	enum function function;
	struct re
	    *pattern; /* of match and search, where it is a literal; NULL: none, or a bad one */
	enum compare compare;
	struct expr *left, *right; /* operands; or arguments, the only or the first on the left */
};

struct jsonpath {
	struct query *query;
	void **parts; /* all of them, to be freed in one go */
	size_t count, room;
	jv texts; /* all of those */
	struct re **patterns;
	size_t pattern_count;
};

/* A pattern of I-Regexp (RFC 9485) as PCRE2 knows it; NULL: none, or one that it cannot be. */
struct re *jsonpath_pattern(const char *text, size_t len, bool whole);

#endif
