#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "jsonpath-parts.h"
#include "jvx.h"
#include "prog.h"
#include "utf8.h"

enum { DEPTH = 64 }; /* of parentheses, filters and functions in each other */

struct parser {
	struct jsonpath *path;
	const char *text;
	size_t len, at;
	int depth;
	const char *why; /* not NULL: it failed, at this place */
};

static struct expr *parse_or(struct parser *p);
static struct query *parse_query(struct parser *p);

static bool
fail(struct parser *p, const char *why)
{
	if (p->why == NULL)
		p->why = why;
	return false;
}

/* Parts belong to the path, which frees them all together. */
static void *
part(struct parser *p, size_t size)
{
	struct jsonpath *path = p->path;
	void *made = prog_alloc(1, size);

	if (path->count == path->room) {
		path->room = path->room ? path->room * 2 : 16;
		path->parts = prog_resize(path->parts, path->room, sizeof *path->parts);
	}
	path->parts[path->count++] = made;
	return made;
}

/* The same value, which the path keeps. */
static jv
keep(struct parser *p, jv value)
{
	if (jv_is_valid(value))
		p->path->texts = jv_array_append(p->path->texts, jv_copy(value));
	jv_free(value);
	return value;
}

static struct expr *
expr(struct parser *p, int kind)
{
	struct expr *e = part(p, sizeof *e);

	e->kind = kind;
	e->literal = jv_invalid();
	return e;
}

static int
peek(const struct parser *p)
{
	return p->at < p->len ? (unsigned char)p->text[p->at] : -1;
}

static bool
skip(struct parser *p, const char *word)
{
	size_t len = strlen(word);

	if (p->len - p->at < len || memcmp(p->text + p->at, word, len) != 0)
		return false;
	p->at += len;
	return true;
}

static void
blanks(struct parser *p)
{
	while (peek(p) == ' ' || peek(p) == '\t' || peek(p) == '\n' || peek(p) == '\r')
		p->at++;
}

static bool
digit(int c)
{
	return c >= '0' && c <= '9';
}

static bool
name_first(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
}

/* Texts. */

static long
hex4(struct parser *p)
{
	long code = 0;

	for (int i = 0; i < 4; i++, p->at++) {
		int c = peek(p);
		const char *digits = "0123456789abcdef";
		const char *found =
		    c > 0 ? strchr(digits, c >= 'A' && c <= 'F' ? c | 0x20 : c) : NULL;
		if (found == NULL)
			return -1;
		code = code << 4 | (found - digits);
	}
	return code;
}

/* Behind \u: a code point, or a pair of surrogates that make one. */
static bool
unicode_escape(struct parser *p, struct buf *b)
{
	long code = hex4(p), low;

	if (code >= 0xd800 && code < 0xdc00 && skip(p, "\\u")) {
		low = hex4(p);
		if (low < 0xdc00 || low > 0xdfff)
			return fail(p, "a surrogate without its other half");
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
	}
	if (code < 0 || (code >= 0xd800 && code <= 0xdfff))
		return fail(p, "a bad \\u escape");
	utf8_add(b, (uint32_t)code);
	return true;
}

static bool
escape(struct parser *p, int quote, struct buf *b)
{
	static const char letters[] = "bfnrt/\\", bytes[] = "\b\f\n\r\t/\\";
	int c = peek(p);
	const char *letter = c > 0 ? strchr(letters, c) : NULL;

	if (c >= 0)
		p->at++;
	if (c == quote)
		buf_byte(b, quote);
	else if (letter != NULL)
		buf_byte(b, bytes[letter - letters]);
	else if (c == 'u')
		return unicode_escape(p, b);
	else
		return fail(p, "an unknown escape");
	return true;
}

static jv
parse_text(struct parser *p)
{
	int quote = peek(p);
	struct buf b = {0};
	bool good = true;

	for (p->at++; good && peek(p) != quote;) {
		int c = peek(p);
		if (c < 0x20) {
			good = fail(p, "a text without its end");
			break;
		}
		p->at++;
		if (c == '\\')
			good = escape(p, quote, &b);
		else
			buf_byte(&b, c);
	}
	p->at++;
	jv made = good ? jv_string_sized(b.data ? b.data : "", (int)b.len) : jv_invalid();
	buf_free(&b);
	return made;
}

/* Numbers. */

/* A whole number as RFC 8259 writes it, which a double holds exactly. */
static bool
parse_int(struct parser *p, double *n)
{
	size_t from = p->at;

	if (peek(p) == '-')
		p->at++;
	if (!digit(peek(p)))
		return fail(p, "not a whole number");
	if (peek(p) == '0' && (p->at > from || (p->at + 1 < p->len && digit(p->text[p->at + 1]))))
		return fail(p, "a number that begins with 0");
	while (digit(peek(p)))
		p->at++;
	char *copy = prog_copy(p->text + from, p->at - from);
	*n = strtod(copy, NULL);
	free(copy);
	return fabs(*n) <= 9007199254740991.0 || fail(p, "a number that is too large");
}

static jv
parse_number(struct parser *p)
{
	size_t from = p->at;

	if (peek(p) == '-')
		p->at++;
	if (peek(p) == '0' && p->at + 1 < p->len && digit(p->text[p->at + 1]))
		return fail(p, "a number that begins with 0"), jv_invalid();
	while (digit(peek(p)))
		p->at++;
	if (!digit(p->text[p->at - 1]))
		return fail(p, "not a number"), jv_invalid();
	if (skip(p, ".")) {
		if (!digit(peek(p)))
			return fail(p, "a fraction without digits"), jv_invalid();
		while (digit(peek(p)))
			p->at++;
	}
	if (peek(p) == 'e' || peek(p) == 'E') {
		p->at++;
		if (peek(p) == '-' || peek(p) == '+')
			p->at++;
		if (!digit(peek(p)))
			return fail(p, "an exponent without digits"), jv_invalid();
		while (digit(peek(p)))
			p->at++;
	}
	char *copy = prog_copy(p->text + from, p->at - from);
	double n = strtod(copy, NULL);
	free(copy);
	return jv_number(n);
}

/* Selectors and segments. */

static bool
parse_slice_or_index(struct parser *p, struct selector *s)
{
	s->kind = SELECT_INDEX;
	if (peek(p) != ':' && !parse_int(p, &s->index))
		return false;
	size_t end = p->at;
	blanks(p);
	if (!skip(p, ":")) {
		p->at = end;
		return true;
	}
	s->kind = SELECT_SLICE;
	s->from = s->index;
	blanks(p);
	if ((digit(peek(p)) || peek(p) == '-') && !parse_int(p, &s->to))
		return false;
	end = p->at;
	blanks(p);
	if (!skip(p, ":")) {
		p->at = end;
		return true;
	}
	end = p->at;
	blanks(p);
	if (digit(peek(p)) || peek(p) == '-')
		return parse_int(p, &s->step);
	p->at = end;
	return true;
}

static bool must_test(struct parser *p, struct expr *e);

static struct selector *
parse_selector(struct parser *p)
{
	struct selector *s = part(p, sizeof *s);
	int c = peek(p);

	s->name = jv_invalid();
	s->index = s->from = s->to = s->step = NAN;
	if (c == '\'' || c == '"') {
		s->kind = SELECT_NAME;
		s->name = keep(p, parse_text(p));
	} else if (c == '*') {
		s->kind = SELECT_ALL;
		p->at++;
	} else if (c == '?') {
		s->kind = SELECT_FILTER;
		p->at++;
		blanks(p);
		s->filter = parse_or(p);
		if (p->why == NULL)
			must_test(p, s->filter);
	} else if (c == '-' || c == ':' || digit(c)) {
		parse_slice_or_index(p, s);
	} else {
		fail(p, "not a selector");
	}
	return s;
}

static bool
parse_brackets(struct parser *p, struct segment *g)
{
	struct selector **last = &g->selectors;

	do {
		blanks(p);
		*last = parse_selector(p);
		last = &(*last)->next;
		if (p->why != NULL)
			return false;
		blanks(p);
	} while (skip(p, ","));
	return skip(p, "]") || fail(p, "no ']' here");
}

static bool
parse_shorthand(struct parser *p, struct segment *g)
{
	struct selector *s = part(p, sizeof *s);
	size_t from = p->at;

	g->selectors = s;
	s->name = jv_invalid();
	s->kind = SELECT_ALL;
	if (skip(p, "*"))
		return true;
	if (!name_first(peek(p)))
		return fail(p, "not a name");
	while (name_first(peek(p)) || digit(peek(p)))
		p->at++;
	s->kind = SELECT_NAME;
	s->name = keep(p, jv_string_sized(p->text + from, (int)(p->at - from)));
	return true;
}

/* NULL when there is no more; blanks before what is none are left. */
static struct segment *
parse_segment(struct parser *p)
{
	size_t from = p->at;

	blanks(p);
	if (peek(p) != '.' && peek(p) != '[') {
		p->at = from;
		return NULL;
	}
	struct segment *g = part(p, sizeof *g);
	if (skip(p, "..")) {
		g->descendants = true;
		if (!skip(p, "["))
			return parse_shorthand(p, g), g;
		return parse_brackets(p, g), g;
	}
	if (skip(p, "["))
		parse_brackets(p, g);
	else if (skip(p, "."))
		parse_shorthand(p, g);
	return g;
}

static struct query *
parse_query(struct parser *p)
{
	struct query *q = part(p, sizeof *q);
	struct segment **last = &q->segments, *g;

	q->relative = peek(p) == '@';
	q->singular = true;
	p->at++;
	while (p->why == NULL && (g = parse_segment(p)) != NULL) {
		const struct selector *s = g->selectors;
		*last = g;
		last = &g->next;
		q->singular = q->singular && !g->descendants && s != NULL && s->next == NULL &&
			      (s->kind == SELECT_NAME || s->kind == SELECT_INDEX);
	}
	return q;
}

/* Filters. */

static bool
gives_value(const struct expr *e)
{
	if (e->tested)
		return false;
	return e->kind == LITERAL || (e->kind == QUERY && e->query->singular) ||
	       (e->kind == FUNCTION && e->function != MATCH && e->function != SEARCH);
}

/* It stands where something true or false must stand. */
static bool
must_test(struct parser *p, struct expr *e)
{
	if (e->kind == LITERAL)
		return fail(p, "a literal that is compared with nothing");
	if (e->kind == FUNCTION && e->function != MATCH && e->function != SEARCH)
		return fail(p, "a function's value that is compared with nothing");
	e->tested = true;
	return true;
}

static const struct {
	const char *name;
	int count;
	bool nodes; /* the parameter is a list of nodes, not a value */
} functions[] = {[LENGTH] = {"length", 1, false},
    [COUNT] = {"count", 1, true},
    [MATCH] = {"match", 2, false},
    [SEARCH] = {"search", 2, false},
    [VALUE] = {"value", 1, true}};

static bool
function_named(const char *name, size_t len, enum function *f)
{
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
		if (strlen(functions[i].name) != len || memcmp(functions[i].name, name, len) != 0)
			continue;
		*f = (enum function)i;
		return true;
	}
	return false;
}

static bool
argument_fits(struct parser *p, const struct expr *f, const struct expr *argument)
{
	if (functions[f->function].nodes)
		return (argument->kind == QUERY && !argument->tested) ||
		       fail(p, "an argument that is no query");
	return gives_value(argument) || fail(p, "an argument that is no value");
}

static bool
parse_arguments(struct parser *p, struct expr *f)
{
	struct expr *arguments[2] = {NULL, NULL};
	int count = 0;

	blanks(p);
	while (!skip(p, ")")) {
		if (count > 0 && !skip(p, ","))
			return fail(p, "neither ',' nor ')' here");
		if (count == functions[f->function].count)
			return fail(p, "too many arguments");
		blanks(p);
		arguments[count] = parse_or(p);
		if (p->why != NULL || !argument_fits(p, f, arguments[count]))
			return false;
		count++;
		blanks(p);
	}
	f->left = arguments[0];
	f->right = arguments[1];
	return count == functions[f->function].count || fail(p, "too few arguments");
}

/* A pattern that is written here is compiled here. */
static void
compile(struct parser *p, struct expr *f)
{
	const struct expr *text = f->right;
	struct jsonpath *path = p->path;

	if ((f->function != MATCH && f->function != SEARCH) || text->kind != LITERAL ||
	    jv_get_kind(text->literal) != JV_KIND_STRING)
		return;
	f->pattern = jsonpath_pattern(
	    jv_string_value(text->literal), jvx_length(text->literal), f->function == MATCH);
	path->patterns =
	    prog_resize(path->patterns, path->pattern_count + 1, sizeof *path->patterns);
	path->patterns[path->pattern_count++] = f->pattern;
}

static struct expr *
parse_word(struct parser *p)
{
	struct expr *e = expr(p, LITERAL);
	size_t from = p->at;

	while ((peek(p) >= 'a' && peek(p) <= 'z') || peek(p) == '_' || digit(peek(p)))
		p->at++;
	size_t len = p->at - from;
	const char *word = p->text + from;
	if (skip(p, "(")) {
		e->kind = FUNCTION;
		if (!function_named(word, len, &e->function))
			fail(p, "an unknown function");
		else if (parse_arguments(p, e))
			compile(p, e);
	} else if (len == 4 && memcmp(word, "true", 4) == 0) {
		e->literal = jv_true();
	} else if (len == 5 && memcmp(word, "false", 5) == 0) {
		e->literal = jv_false();
	} else if (len == 4 && memcmp(word, "null", 4) == 0) {
		e->literal = jv_null();
	} else {
		fail(p, "an unknown word");
	}
	return e;
}

/* A literal, a query or a function. */
static struct expr *
parse_operand(struct parser *p)
{
	struct expr *e;
	int c = peek(p);

	if (c == '@' || c == '$') {
		e = expr(p, QUERY);
		e->query = parse_query(p);
	} else if (c == '\'' || c == '"') {
		e = expr(p, LITERAL);
		e->literal = keep(p, parse_text(p));
	} else if (c == '-' || digit(c)) {
		e = expr(p, LITERAL);
		e->literal = keep(p, parse_number(p));
	} else {
		e = parse_word(p);
	}
	return e;
}

static bool
parse_operator(struct parser *p, enum compare *op)
{
	static const struct {
		const char *text;
		enum compare op;
	} list[] = {{"==", EQUAL}, {"!=", UNEQUAL}, {"<=", LESS_EQUAL}, {">=", GREATER_EQUAL},
	    {"<", LESS}, {">", GREATER}};

	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		if (!skip(p, list[i].text))
			continue;
		*op = list[i].op;
		return true;
	}
	return false;
}

static struct expr *
parse_comparison(struct parser *p)
{
	struct expr *left = parse_operand(p), *e;
	enum compare op;
	size_t end = p->at;

	blanks(p);
	if (p->why != NULL || !parse_operator(p, &op)) {
		p->at = end;
		return left;
	}
	blanks(p);
	e = expr(p, COMPARE);
	e->compare = op;
	e->left = left;
	e->right = parse_operand(p);
	if (p->why == NULL && (!gives_value(left) || !gives_value(e->right)))
		fail(p, "a comparison with what is no single value");
	return e;
}

static struct expr *
parse_parentheses(struct parser *p)
{
	struct expr *e;

	p->at++;
	blanks(p);
	e = parse_or(p);
	blanks(p);
	if (p->why == NULL && !skip(p, ")"))
		fail(p, "no ')' here");
	if (p->why == NULL)
		must_test(p, e);
	return e;
}

static struct expr *
parse_not(struct parser *p)
{
	struct expr *e = expr(p, NOT);

	p->at++;
	blanks(p);
	e->left = peek(p) == '(' ? parse_parentheses(p) : parse_operand(p);
	if (p->why == NULL)
		must_test(p, e->left);
	return e;
}

static struct expr *
parse_basic(struct parser *p)
{
	if (peek(p) == '!')
		return parse_not(p);
	if (peek(p) == '(')
		return parse_parentheses(p);
	return parse_comparison(p);
}

/* What a word joins, chained along the right operands: it may be long, and who asks it loops. */
static struct expr *
parse_joined(struct parser *p, int kind, const char *word, struct expr *(*inner)(struct parser *))
{
	struct expr *whole = inner(p), **last = &whole;

	while (p->why == NULL) {
		size_t end = p->at;
		blanks(p);
		if (!skip(p, word)) {
			p->at = end;
			break;
		}
		blanks(p);
		struct expr *e = expr(p, kind);
		e->left = *last;
		e->right = inner(p);
		if (p->why == NULL && must_test(p, e->left))
			must_test(p, e->right);
		*last = e;
		last = &e->right;
	}
	return whole;
}

static struct expr *
parse_and(struct parser *p)
{
	return parse_joined(p, AND, "&&", parse_basic);
}

static struct expr *
parse_or(struct parser *p)
{
	struct expr *e;

	if (p->depth == DEPTH) {
		fail(p, "nested too deeply");
		return expr(p, LITERAL);
	}
	p->depth++;
	e = parse_joined(p, OR, "||", parse_and);
	p->depth--;
	return e;
}

struct jsonpath *
jsonpath_new(const char *text, size_t len, char *why, size_t size)
{
	struct parser p = {.path = prog_alloc(1, sizeof *p.path), .text = text, .len = len};

	p.path->texts = jv_array();
	if (utf8_valid(text, len) != len)
		fail(&p, "not UTF-8");
	else if (peek(&p) != '$')
		fail(&p, "a query begins with '$'");
	else
		p.path->query = parse_query(&p);
	if (p.why == NULL && p.at < p.len)
		fail(&p, "more than a query");
	if (p.why == NULL)
		return p.path;
	if (size > 0)
		snprintf(why, size, "%s at byte %zu", p.why, p.at + 1);
	jsonpath_free(p.path);
	return NULL;
}
