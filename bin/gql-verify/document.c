#include "document.h"

#include <string.h>

enum { NESTED = 256 };

/* One token: a name, a value ('"' for strings, '0' for numbers), or a punctuator; 0 is the end. */
struct token {
	int kind; /* 'a' for names */
	struct span text;
};

struct lexer {
	const char *at, *end;
	struct token token;
	bool bad;
};

static bool
name_start(char c)
{
	return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool
digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Sections 2.1.2 to 2.1.7: what carries no meaning. */
static void
skip_ignored(struct lexer *lx)
{
	while (lx->at < lx->end) {
		char c = *lx->at;
		if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',') {
			lx->at++;
		} else if (c == '#') {
			while (lx->at < lx->end && *lx->at != '\n' && *lx->at != '\r')
				lx->at++;
		} else if (lx->end - lx->at >= 3 && memcmp(lx->at, "\xef\xbb\xbf", 3) == 0) {
			lx->at += 3;
		} else {
			return;
		}
	}
}

static void
lex_string(struct lexer *lx)
{
	if (lx->end - lx->at >= 3 && memcmp(lx->at, "\"\"\"", 3) == 0) {
		for (lx->at += 3; lx->end - lx->at >= 3; lx->at++) {
			if (*lx->at == '\\' && lx->end - lx->at >= 4 &&
			    memcmp(lx->at + 1, "\"\"\"", 3) == 0)
				lx->at += 3;
			else if (memcmp(lx->at, "\"\"\"", 3) == 0) {
				lx->at += 3;
				return;
			}
		}
		lx->bad = true;
		return;
	}
	for (lx->at++; lx->at < lx->end && *lx->at != '\n'; lx->at++) {
		if (*lx->at == '"') {
			lx->at++;
			return;
		}
		if (*lx->at == '\\' && lx->end - lx->at >= 2)
			lx->at++;
	}
	lx->bad = true;
}

static void
next(struct lexer *lx)
{
	skip_ignored(lx);
	const char *from = lx->at;
	int kind = 0;

	if (lx->at == lx->end || lx->bad) {
		lx->token = (struct token){0};
		return;
	}
	char c = *lx->at;
	if (name_start(c)) {
		kind = 'a';
		while (lx->at < lx->end && (name_start(*lx->at) || digit(*lx->at)))
			lx->at++;
	} else if (digit(c) || c == '-') {
		kind = '0';
		lx->at++;
		while (lx->at < lx->end && (digit(*lx->at) || memchr("+-.eE", *lx->at, 5) != NULL))
			lx->at++;
	} else if (c == '"') {
		kind = '"';
		lex_string(lx);
	} else if (lx->end - lx->at >= 3 && memcmp(lx->at, "...", 3) == 0) {
		kind = '.';
		lx->at += 3;
	} else if (c != '\0' && strchr("!$&()[]{}:=@|", c) != NULL) {
		kind = (unsigned char)c;
		lx->at++;
	} else {
		lx->bad = true;
	}
	lx->token =
	    lx->bad ? (struct token){0} : (struct token){kind, {from, (size_t)(lx->at - from)}};
}

static bool
word(const struct lexer *lx, const char *text)
{
	size_t len = strlen(text);

	return lx->token.kind == 'a' && lx->token.text.len == len &&
	       memcmp(lx->token.text.at, text, len) == 0;
}

static int
closing(int open)
{
	return open == '(' ? ')' : open == '[' ? ']' : open == '{' ? '}' : 0;
}

/* Past the bracket at hand and all it holds; false when it does not match. */
static bool
skip_group(struct lexer *lx)
{
	char open[NESTED];
	size_t depth = 0;

	do {
		int kind = lx->token.kind;
		if (kind == 0)
			return false;
		if (closing(kind) != 0) {
			if (depth == NESTED)
				return false;
			open[depth++] = (char)closing(kind);
		} else if (kind == ')' || kind == ']' || kind == '}') {
			if (open[--depth] != kind)
				return false;
		}
		next(lx);
	} while (depth > 0);
	return true;
}

/* Up to the selection set: a name, variables, a type condition, directives. */
static bool
skip_to_selection(struct lexer *lx)
{
	while (lx->token.kind != '{') {
		if (lx->token.kind == '(') {
			if (!skip_group(lx))
				return false;
		} else if (lx->token.kind == 'a' || lx->token.kind == '@') {
			next(lx);
		} else {
			return false;
		}
	}
	return true;
}

/* The root selection set: the names its fields answer with. */
static bool
selection(struct lexer *lx, struct doc_operation *op)
{
	next(lx);
	while (lx->token.kind != '}') {
		int kind = lx->token.kind;
		if (kind == 'a') {
			struct span name = lx->token.text;
			next(lx);
			if (lx->token.kind == ':') {
				next(lx);
				if (lx->token.kind != 'a')
					return false;
				next(lx);
			}
			if (op->fields < DOC_FIELDS)
				op->field[op->fields++] = name;
		} else if (kind == '.') {
			next(lx);
			if (lx->token.kind == 'a')
				next(lx);
			if (lx->token.kind == 'a')
				next(lx);
		} else if (kind == '@') {
			next(lx);
			if (lx->token.kind != 'a')
				return false;
			next(lx);
		} else if (kind == '(' || kind == '{') {
			if (!skip_group(lx))
				return false;
		} else {
			return false;
		}
	}
	next(lx);
	return true;
}

static bool
read_definition(struct lexer *lx, const char *kind, struct doc *d)
{
	struct doc_operation op = {.kind = kind};

	if (lx->token.kind == 'a') {
		next(lx);
		if (lx->token.kind == 'a') {
			op.name = lx->token.text;
			next(lx);
		}
		if (!skip_to_selection(lx))
			return false;
	}
	/* One that is cut short still has its name. */
	if (d->count == DOC_OPERATIONS)
		return selection(lx, &op);
	struct doc_operation *kept = &d->op[d->count++];
	*kept = op;
	return selection(lx, kept);
}

bool
doc_read(const char *text, size_t len, struct doc *d)
{
	struct lexer lx = {.at = text, .end = text + len};
	bool good = true;

	*d = (struct doc){0};
	next(&lx);
	while (good && lx.token.kind != 0) {
		if (lx.token.kind == '{')
			good = read_definition(&lx, "query", d);
		else if (word(&lx, "query"))
			good = read_definition(&lx, "query", d);
		else if (word(&lx, "mutation"))
			good = read_definition(&lx, "mutation", d);
		else if (word(&lx, "subscription"))
			good = read_definition(&lx, "subscription", d);
		else if (word(&lx, "fragment"))
			good = skip_to_selection(&lx) && skip_group(&lx);
		else if (lx.token.kind == '"') /* a description, allowed since September 2025 */
			next(&lx);
		else
			good = false;
	}
	return good && !lx.bad && d->count > 0;
}

const struct doc_operation *
doc_pick(const struct doc *d, const char *name, size_t len)
{
	if (name == NULL || len == 0)
		return d->count == 1 ? &d->op[0] : NULL;
	for (size_t i = 0; i < d->count; i++)
		if (d->op[i].name.len == len && memcmp(d->op[i].name.at, name, len) == 0)
			return &d->op[i];
	return NULL;
}
