#include "handler.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "jvx.h"
#include "prog.h"

enum { TOKENS = 20000, NEAR = 10, NAMES = 50, TEXTS = 2000 };

/* kind: 'a' identifier, '"' string, '/' regular expression, '=' comparison, else the character. */
struct token {
	int kind;
	struct span text; /* of strings and expressions: what is between the quotes */
	size_t line;
};

struct tokens {
	struct token *at;
	size_t count;
};

static bool
word_char(char c)
{
	return c == '_' || c == '$' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z');
}

/* After a value a slash divides; elsewhere it begins a regular expression. */
static bool
ends_value(const struct tokens *t)
{
	if (t->count == 0)
		return false;
	int kind = t->at[t->count - 1].kind;
	return kind == 'a' || kind == '"' || kind == ')' || kind == ']' || kind == '}';
}

static const char *
quoted_end(const char *p, const char *end, char quote)
{
	for (; p < end && *p != quote && (*p != '\n' || quote == '`'); p++)
		if (*p == '\\' && p + 1 < end)
			p++;
	return p;
}

static const char *
lex_one(struct tokens *t, const char *p, const char *end, size_t line)
{
	const char *from = p;
	int kind = (unsigned char)*p;

	if (word_char(*p)) {
		kind = 'a';
		while (p < end && word_char(*p))
			p++;
	} else if (*p == '\'' || *p == '"' || *p == '`' || (*p == '/' && !ends_value(t))) {
		kind = *p == '/' ? '/' : '"';
		from = p + 1;
		p = quoted_end(p + 1, end, *p);
		t->at[t->count++] = (struct token){kind, {from, (size_t)(p - from)}, line};
		return p < end ? p + 1 : p;
	} else if ((*p == '=' || *p == '!') && end - p > 1 && p[1] == '=') {
		kind = '=';
		p += end - p > 2 && p[2] == '=' ? 3 : 2;
	} else if (*p == '=' && end - p > 1 && p[1] == '>') {
		kind = '>';
		p += 2;
	} else if (*p == '=') {
		kind = ':'; /* an assignment: reads like a member's colon */
		p++;
	} else {
		p++;
	}
	t->at[t->count++] = (struct token){kind, {from, (size_t)(p - from)}, line};
	return p;
}

static struct tokens
lex(const char *text, size_t len, size_t first)
{
	struct tokens t = {prog_alloc(TOKENS + 1, sizeof *t.at), 0};
	const char *end = text + len;
	size_t line = first;

	for (const char *p = text; p < end && t.count < TOKENS;) {
		const char *from = p;
		if (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n') {
			p++;
		} else if (end - p > 1 && p[0] == '/' && p[1] == '/') {
			while (p < end && *p != '\n')
				p++;
		} else if (end - p > 1 && p[0] == '/' && p[1] == '*') {
			for (p += 2; p < end && !(p[-1] == '*' && *p == '/' && p - from > 2);)
				p++;
			p += p < end;
		} else {
			p = lex_one(&t, p, end, line);
		}
		for (; from < p; from++)
			line += *from == '\n';
	}
	return t;
}

static bool
is(const struct token *t, const char *text)
{
	size_t len = strlen(text);

	return t->kind == 'a' && t->text.len == len && memcmp(t->text.at, text, len) == 0;
}

static bool
same(const struct token *a, const struct token *b)
{
	return a->kind == 'a' && b->kind == 'a' && a->text.len == b->text.len &&
	       memcmp(a->text.at, b->text.at, a->text.len) == 0;
}

static bool
says(const struct token *t, const char *part)
{
	size_t len = strlen(part);

	for (size_t i = 0; t->kind == 'a' && i + len <= t->text.len; i++)
		if (strncasecmp(t->text.at + i, part, len) == 0)
			return true;
	return false;
}

/* What is searched where: from and to bound the handler; alias is a second name of operationName.
 */
struct look {
	const struct tokens *all;
	size_t from, to;
	const struct token *alias;
	jv names;
};

static bool
operation_name(const struct look *k, const struct token *t)
{
	return says(t, "operationName") || says(t, "opName") || says(t, "operation_name") ||
	       (k->alias != NULL && same(t, k->alias));
}

static bool
near(const struct look *k, size_t from, size_t to)
{
	for (size_t i = from; i < to && i < k->to; i++)
		if (operation_name(k, &k->all->at[i]))
			return true;
	return false;
}

static void
add_name(struct look *k, const char *text, size_t len)
{
	if (len == 0 || len > 200 || (*text >= '0' && *text <= '9') ||
	    jv_array_length(jv_copy(k->names)) == NAMES)
		return;
	for (size_t i = 0; i < len; i++)
		if (!word_char(text[i]) || text[i] == '$')
			return;
	jv name = jv_string_sized(text, (int)len);
	bool known = false;
	jv_array_foreach (k->names, i, seen) {
		known = known || jv_equal(jv_copy(seen), jv_copy(name));
		jv_free(seen);
	}
	if (known)
		jv_free(name);
	else
		k->names = jv_array_append(k->names, name);
}

/* "query Tickets", /mutation\s+CloseTicket/, "Tickets": the last word, kind words left aside. */
static void
add_searched(struct look *k, const struct token *t)
{
	const char *p = t->text.at, *end = p + t->text.len, *word = NULL;
	size_t len = 0;

	while (p < end) {
		if (*p == '\\' && p + 1 < end) { /* \s, \b: never a part of the name */
			p += 2;
			continue;
		}
		if (!word_char(*p)) {
			p++;
			continue;
		}
		const char *from = p;
		while (p < end && word_char(*p))
			p++;
		word = from;
		len = (size_t)(p - from);
	}
	if (word == NULL || (len == 5 && memcmp(word, "query", 5) == 0) ||
	    (len == 8 && memcmp(word, "mutation", 8) == 0) ||
	    (len == 13 && memcmp(word, "operationName", 13) == 0))
		return;
	add_name(k, word, len);
}

/* The index of the bracket that closes the one at i; to when none does. */
static size_t
closed(const struct tokens *t, size_t i, size_t to)
{
	size_t depth = 0;

	for (; i < to; i++) {
		int kind = t->at[i].kind;
		if (kind == '(' || kind == '[' || kind == '{')
			depth++;
		else if ((kind == ')' || kind == ']' || kind == '}') && --depth == 0)
			return i;
	}
	return to;
}

/* The keys of the object that a name stands for: const mocks = { Tickets: ..., }. */
static void
add_keys(struct look *k, const struct token *table)
{
	const struct tokens *t = k->all;

	for (size_t i = 0; i + 2 < t->count; i++) {
		size_t open = i + 1;
		if (!same(&t->at[i], table) || t->at[i + 1].kind != ':')
			continue;
		while (open < t->count && open < i + 2 * NEAR && t->at[open].kind != '{')
			open++; /* past a type */
		if (open == t->count || t->at[open].kind != '{')
			continue;
		size_t end = closed(t, open, t->count);
		for (size_t m = open + 1; m < end; m++) {
			int kind = t->at[m].kind, after = m + 1 < end ? t->at[m + 1].kind : ',';
			if ((kind == 'a' || kind == '"') &&
			    (after == ':' || after == '(' || after == ','))
				add_name(k, t->at[m].text.at, t->at[m].text.len);
			while (m < end && t->at[m].kind != ',') {
				if (strchr("([{", t->at[m].kind) != NULL && t->at[m].kind != 0)
					m = closed(t, m, end);
				else
					m++;
			}
		}
		return;
	}
}

/* const { operationName: op } = ..., const op = ....operationName: op. */
static void
find_alias(struct look *k)
{
	const struct token *t = k->all->at;

	for (size_t i = k->from; i + 2 < k->to; i++) {
		if (is(&t[i], "operationName") && t[i + 1].kind == ':' && t[i + 2].kind == 'a' &&
		    i + 3 < k->to && (t[i + 3].kind == '}' || t[i + 3].kind == ',')) {
			k->alias = &t[i + 2];
			return;
		}
		if (!is(&t[i], "const") && !is(&t[i], "let") && !is(&t[i], "var"))
			continue;
		if (t[i + 1].kind != 'a' || t[i + 2].kind != ':')
			continue;
		for (size_t m = i + 3; m < k->to && m < i + 3 + 2 * NEAR && t[m].kind != ';'; m++) {
			if (is(&t[m], "operationName")) {
				k->alias = &t[i + 1];
				return;
			}
		}
	}
}

static bool
searches(const struct token *t)
{
	return is(t, "includes") || is(t, "indexOf") || is(t, "startsWith") || is(t, "match") ||
	       is(t, "search");
}

static void
look_at(struct look *k, size_t i)
{
	const struct token *t = k->all->at;
	size_t before = i > k->from + NEAR ? i - NEAR : k->from;
	bool text = t[i].kind == '"';

	if (text && i > k->from && t[i - 1].kind == '=' && near(k, before, i))
		add_name(k, t[i].text.at, t[i].text.len);
	else if (text && i + 1 < k->to && t[i + 1].kind == '=' && near(k, i + 1, i + NEAR))
		add_name(k, t[i].text.at, t[i].text.len);
	else if (text && i > k->from && is(&t[i - 1], "case") && near(k, k->from, k->to))
		add_name(k, t[i].text.at, t[i].text.len);
	else if (text && i > k->from + 1 && t[i - 1].kind == ':' &&
		 says(&t[i - 2], "operationName"))
		add_name(k, t[i].text.at, t[i].text.len);
	else if ((text || t[i].kind == '/') && i > k->from + 1 && t[i - 1].kind == '(' &&
		 searches(&t[i - 2]))
		add_searched(k, &t[i]);
	else if (t[i].kind == '/' && i + 2 < k->to && t[i + 1].kind == '.' && is(&t[i + 2], "test"))
		add_searched(k, &t[i]);
	else if (t[i].kind == '/' && i + 3 < k->to && t[i + 2].kind == '.' && is(&t[i + 3], "test"))
		add_searched(k, &t[i]); /* with flags */
	else if (t[i].kind == '[' && i > k->from && t[i - 1].kind == 'a' &&
		 near(k, i + 1, closed(k->all, i, k->to)))
		add_keys(k, &t[i - 1]);
	else if (t[i].kind == '.' && i + 1 < k->to && t[i + 1].kind == '[' && i > k->from + 1 &&
		 t[i - 1].kind == '?' && near(k, i + 2, closed(k->all, i + 1, k->to)))
		add_keys(k, &t[i - 2]);
	else if (t[i].kind == '[') { /* ['A', 'B'].includes(operationName) */
		size_t end = closed(k->all, i, k->to);
		if (end + 2 < k->to && t[end + 1].kind == '.' && searches(&t[end + 2]) &&
		    near(k, end + 3, end + 3 + NEAR))
			for (size_t m = i + 1; m < end; m++)
				if (t[m].kind == '"')
					add_name(k, t[m].text.at, t[m].text.len);
	}
}

/* A handler given by name: the range of its function, in the same file. */
static bool
named_handler(struct look *k, const struct token *name)
{
	const struct tokens *t = k->all;

	for (size_t i = 0; i + 1 < t->count; i++) {
		if (!same(&t->at[i], name) || (i >= k->from && i < k->to))
			continue;
		bool declared =
		    (i > 0 && is(&t->at[i - 1], "function")) || t->at[i + 1].kind == ':';
		if (!declared)
			continue;
		size_t open = i;
		while (open < t->count && open < i + 60 && t->at[open].kind != '{')
			open = t->at[open].kind == '(' ? closed(t, open, t->count) + 1 : open + 1;
		if (open >= t->count || t->at[open].kind != '{')
			return false;
		k->from = i;
		k->to = closed(t, open, t->count);
		return true;
	}
	return false;
}

static void
look_through(struct look *k)
{
	find_alias(k);
	for (size_t i = k->from; i < k->to; i++)
		look_at(k, i);
}

jv
handler_names(const char *text, size_t len, size_t first, size_t line)
{
	struct tokens t = lex(text, len, first);
	struct look k = {.all = &t, .names = jv_array()};
	size_t call = 0;

	while (call + 1 < t.count && !(t.at[call].line >= line && t.at[call].line <= line + 2 &&
					 says(&t.at[call], "route") && t.at[call + 1].kind == '('))
		call++;
	if (call + 1 < t.count) {
		k.from = call;
		k.to = closed(&t, call + 1, t.count);
		look_through(&k);
		if (jv_array_length(jv_copy(k.names)) == 0 && k.to > k.from + 2 &&
		    named_handler(&k, &t.at[k.to - 1]))
			look_through(&k);
	}
	free(t.at);
	return k.names;
}

static bool
negates(const struct token *t)
{
	return is(t, "not") || is(t, "toBeHidden") || is(t, "toBeUndefined") || is(t, "toBeNull") ||
	       is(t, "toBeFalsy");
}

/* Statements end at ';', or where the next line begins a new one with a word after ')'. */
static size_t
statement_end(const struct tokens *t, size_t i)
{
	size_t depth = 0;

	for (; i < t->count; i++) {
		int kind = t->at[i].kind;
		if (kind == '(' || kind == '[' || kind == '{')
			depth++;
		else if ((kind == ')' || kind == ']' || kind == '}') && depth-- == 0)
			return i;
		else if (depth == 0 && kind == ';')
			return i;
		if (depth == 0 && kind == ')' && i + 1 < t->count && t->at[i + 1].kind == 'a' &&
		    t->at[i + 1].line > t->at[i].line)
			return i + 1;
	}
	return i;
}

jv
handler_expected(const char *text, size_t len, jv texts)
{
	struct tokens t = lex(text, len, 1);

	for (size_t i = 0; i + 1 < t.count; i++) {
		if (!is(&t.at[i], "expect") || (t.at[i + 1].kind != '(' && t.at[i + 1].kind != '.'))
			continue;
		size_t end = statement_end(&t, i);
		bool no = false;
		for (size_t m = i; m < end; m++)
			no = no || negates(&t.at[m]);
		for (size_t m = i; !no && m < end && jv_array_length(jv_copy(texts)) < TEXTS; m++)
			if (t.at[m].kind == '"' || t.at[m].kind == '/')
				texts = jv_array_append(
				    texts, jv_string_sized(t.at[m].text.at, (int)t.at[m].text.len));
		i = end > i ? end - 1 : i;
	}
	free(t.at);
	return texts;
}
