/* Running text and command lines: a name and its value with nothing but words between them. */
#include "reading.h"

#include "names.h"
#include "worth.h"

/* The token that begins at from: between quotes, or up to a blank. */
static size_t
token_end(const struct reading *r, size_t *from, bool *quoted)
{
	const char *t = r->t;
	size_t i = *from;

	*quoted = i < r->n && is_quote(t[i]);
	if (*quoted) {
		char quote = t[i];
		*from = i + 1;
		return reading_quoted_end(r, i + 1, quote, 0);
	}
	while (i < r->n && !is_space(t[i]) && !is_quote(t[i]) && t[i] != '<' && t[i] != '\\') {
		size_t tag = t[i] == '[' ? secrets_tag(t + i, r->n - i) : 0;
		i += tag > 0 ? tag : 1;
	}
	while (
	    i > *from && (t[i - 1] == '.' || t[i - 1] == ',' || t[i - 1] == ';' || t[i - 1] == ')'))
		i--;
	return i;
}

/* Is word somewhere on this line, at most 200 bytes to the left? */
static bool
line_has(const struct reading *r, size_t at, const char *word)
{
	size_t len = strlen(word), floor = at > 200 ? at - 200 : 0;

	for (size_t i = at; i > floor && r->t[i - 1] != '\n'; i--)
		if (at - i + 1 >= len && memcmp(r->t + i - 1, word, len) == 0)
			return true;
	return false;
}

/* curl -u name:password, mysql -ppassword: options of one letter. */
static bool
short_option(struct reading *r, size_t from, size_t to)
{
	const char *t = r->t;
	bool quoted;

	if (from < 2 || t[from - 1] != '-' || !(is_blank(t[from - 2]) || t[from - 2] == '-'))
		return false;
	bool one_dash = is_blank(t[from - 2]);
	if (one_dash && t[from] == 'p' && to - from > 3 && line_has(r, from, "mysql")) {
		size_t value = from + 1, end = token_end(r, &value, &quoted);
		if (!worth_placeholder(t + value, end - value))
			reading_found(r, value, end, "PASSWORD");
		return true;
	}
	bool login = line_has(r, from, "login ") || line_has(r, from, "sshpass ");
	if (t[from] == 'p' && to - from == 1 && login && to < r->n && is_blank(t[to])) {
		size_t value = to + 1, end = token_end(r, &value, &quoted);
		if (!worth_placeholder(t + value, end - value))
			reading_found(r, value, end, "PASSWORD");
		return true;
	}
	if (t[from] == 'P' && to - from == 1 && to < r->n && is_blank(t[to]) &&
	    line_has(r, from, "sqlcmd")) {
		size_t value = to + 1, end = token_end(r, &value, &quoted);
		if (!worth_placeholder(t + value, end - value))
			reading_found(r, value, end, "PASSWORD");
		return true;
	}
	bool user =
	    is_word_like(t + from, to - from, "u") || is_word_like(t + from, to - from, "user");
	if (!user || to == r->n || !is_blank(t[to]) || !line_has(r, from, "curl"))
		return false;
	size_t value = to + 1, end = token_end(r, &value, &quoted);
	const char *colon = end > value ? memchr(t + value, ':', end - value) : NULL;
	if (colon != NULL && !worth_placeholder(colon + 1, end - (size_t)(colon + 1 - t)))
		reading_found(r, (size_t)(colon + 1 - t), end, "PASSWORD");
	return true;
}

/* "password is ...", "password set to ...", "password entered: ..." */
static bool
is_link(const char *t, size_t n)
{
	static const char *const links[] = {"is", "was", "to", "as", "->", "=>", "are", "will",
	    "be", "set", "changed", "entered", "typed", "used"};

	if (n > 3 && t[n - 1] == ':')
		n--;
	for (size_t i = 0; i < sizeof links / sizeof links[0]; i++)
		if (is_word_like(t, n, links[i]))
			return true;
	return false;
}

/* By its first letters, before anything is asked. */
static bool
may_be_link(char first, char second)
{
	switch (first) {
	case 'i': return second == 's';
	case 'w': return second == 'a' || second == 'i';
	case 't': return second == 'o';
	case 'a': return second == 's' || second == 'r';
	case 'b': return second == 'e';
	case '-':
	case '=': return second == '>';
	default: return false;
	}
}

/* Is the name the first operand of a command that sets it? */
static bool
is_defined(const struct reading *r, size_t name)
{
	static const char *const commands[] = {"setx ", "ENV ", "#define "};

	for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
		size_t len = strlen(commands[i]);
		if (name >= len && memcmp(r->t + name - len, commands[i], len) == 0)
			return true;
	}
	return false;
}

/* "Your verification code is 123456": [name, to) may end a name of several words. */
static const char *
words_before(struct reading *r, size_t name, size_t to)
{
	const char *t = r->t;
	size_t floor = name > 40 ? name - 40 : 0, first = name;

	if (reading_kind(r->s, ASK_OPEN, t + name, to - name) == NULL)
		return NULL;
	while (first > floor && (t[first - 1] == ' ' || is_name(t[first - 1])))
		first--;
	return names_kind(t + first, to - first);
}

void
reading_prose(struct reading *r, size_t from, size_t to)
{
	const char *t = r->t;
	size_t len = to - from, name = from;
	bool quoted;

	if (from > 1 && t[from - 1] == '-' && short_option(r, from, to))
		return;
	if (len < 3 || len > 12 || to + 4 > r->n || !is_blank(t[to]))
		return;
	while (name > 0 && from - name < 40 && is_name(t[name - 1]))
		name--;
	/* setx API_KEY "...", ENV API_KEY ..., #define API_KEY "..." */
	bool option = t[name] == '-' || is_defined(r, name);
	while (name < from && t[name] == '-')
		name++;
	if (!option && !may_be_link(t[to + 1], t[to + 2]) &&
	    (len != 8 || !is_word_like(t + from, len, "password")))
		return;
	const char *kind = reading_kind(r->s, ASK_HEADER, t + name, to - name);
	if (kind == NULL && !option)
		kind = words_before(r, name, to);
	if (kind == NULL || strcmp(kind, "COOKIE") == 0 || strcmp(kind, "SESSION") == 0 ||
	    (!option &&
		is_word_like(t + name, to - name, "pass"))) /* what is passed to something */
		return;
	size_t value = to, end;
	bool linked = false;
	for (int words = 0; words < 4; words++) {
		while (value < r->n && is_blank(t[value]))
			value++;
		size_t at = value;
		end = token_end(r, &value, &quoted);
		if (quoted || option || !is_link(t + value, end - value))
			break;
		linked = true;
		value = at + (end - at);
	}
	if (end <= value || strchr("(:=", t[value]) != NULL)
		return;
	bool login =
	    !option && !linked && strcmp(kind, "PASSWORD") == 0 && line_has(r, from, "login ");
	login = login || (strcmp(kind, "PASSWORD") == 0 && !option && end - value >= 8);
	if (!option && !linked && !login)
		return;
	if (!quoted && linked && names_short(kind) &&
	    worth(t + value, end - value, kind, WORTH_LOOSE)) {
		reading_found(r, value, end, kind);
		return;
	}
	if (quoted ? worth(t + value, end - value, kind, WORTH_QUOTED)
		   : t[value] != '-' && worth_random(t + value, end - value))
		reading_found(r, value, end, kind);
}

void
reading_link(struct reading *r, size_t at)
{
	size_t to = at, from;

	while (to > 0 && at - to < 4 && is_blank(r->t[to - 1]))
		to--;
	for (from = to; from > 0 && is_word(r->t[from - 1]);)
		from--;
	if (to < at && from < to && from >= r->done)
		reading_prose(r, from, to);
}

/* /reset-password/..., /auth/verify/...: a path that is a key; its segment begins at from. */
void
reading_path(struct reading *r, size_t from)
{
	static const char *const words[] = {"reset", "verif", "confirm", "activat", "invit",
	    "magic", "recover", "unsubscribe", "accept"};
	static const char *const between[] = {"password", "email", "token", "account", "login"};
	const char *t = r->t;
	size_t to = from;
	bool says = false;

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		says = says ||
		       (r->n - from > 12 && strncasecmp(t + from, words[i], strlen(words[i])) == 0);
	for (int segments = 0; says && segments < 4; segments++) {
		for (to = from; to < r->n && (is_word(t[to]) || t[to] == '-' || t[to] == '_');)
			to++;
		bool ends = to == r->n || is_space(t[to]) || is_quote(t[to]) ||
			    strchr("/?#<>),\\", t[to]) != NULL;
		if (segments > 0 && ends && to - from >= 20 && worth_random(t + from, to - from)) {
			reading_found(r, from, to, "TOKEN");
			return;
		}
		bool goes_on = segments == 0 || to - from <= 8; /* whose it is, in base64 */
		for (size_t i = 0; i < sizeof between / sizeof between[0]; i++)
			goes_on = goes_on || is_word_like(t + from, to - from, between[i]);
		if (!goes_on || to == r->n || t[to] != '/')
			return;
		from = to + 1;
	}
}

/* IDENTIFIED BY '...', as SQL has it; the first word ends at to. */
void
reading_identified(struct reading *r, size_t to)
{
	const char *t = r->t;
	bool quoted;

	if (r->n - to < 6 || strncasecmp(t + to, " by '", 5) != 0)
		return;
	size_t from = to + 4, end = token_end(r, &from, &quoted);
	if (!worth_placeholder(t + from, end - from))
		reading_found(r, from, end, "PASSWORD");
}
