#define _GNU_SOURCE /* memmem, which POSIX has since 2024 */
#include "secrets.h"

#include <err.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "digest.h"
#include "known.h"
#include "names.h"
#include "prog.h"
#include "re.h"
#include "rules.h"
#include "scan.h"
#include "utf8.h"
#include "worth.h"

enum { LAYERS = 8, NAME_MAX_LEN = 80 };

/* One literal of a rule, in the bucket of its first two bytes. */
struct entry {
	const char *literal;
	size_t len;
	uint16_t rule, next; /* next in the bucket; 0: none, so entry 0 is not used */
};

struct secrets {
	struct entry *entries;
	size_t count;
	uint16_t bucket[65536];
	struct re **compiled; /* beside rules[]; compiled when first needed */
	struct known *known;
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
	size_t done;          /* what stands before it has been dealt with by a token */
	size_t braces_failed; /* no JSON begins before it */
};

enum role {
	ROLE_TEXT,       /* look inside */
	ROLE_SECRET,     /* the name says so */
	ROLE_COOKIE,     /* a=b; c=d */
	ROLE_SET_COOKIE, /* a=b; Path=/ */
	ROLE_AUTH,       /* scheme and credentials */
	ROLE_HIDE,       /* whole, whatever it is: a cookie's value */
};

static void read_text(
    struct secrets *s, const char *t, size_t n, size_t base, int layer, struct edits *out);
static void read_json(
    struct secrets *s, struct span doc, size_t base, int layer, struct edits *out);

static struct re *
compiled(struct secrets *s, size_t rule)
{
	if (s->compiled[rule] == NULL) {
		struct buf pattern = {0};
		char why[160];
		buf_format(&pattern, "\\G(?:%s)", rules[rule].pattern);
		s->compiled[rule] = re_new(pattern.data, pattern.len, RE_BYTES, why, sizeof why);
		if (s->compiled[rule] == NULL)
			errx(TROUBLE, "rule %s: %s", rules[rule].kind, why);
		buf_free(&pattern);
	}
	return s->compiled[rule];
}

static size_t
bucket_of(const char *two)
{
	return (size_t)(unsigned char)two[0] << 8 | (unsigned char)two[1];
}

struct secrets *
secrets_new(void)
{
	struct secrets *s = prog_alloc(1, sizeof *s);
	size_t size = 1;

	s->compiled = prog_alloc(rules_count, sizeof *s->compiled);
	s->known = known_new();
	for (size_t i = 0; i < rules_count; i++)
		for (const char *p = rules[i].literals; *p != '\0'; p += *p == ' ')
			p += strcspn(p, " "), size++;
	s->entries = prog_alloc(size, sizeof *s->entries);
	s->count = 1;
	/* From the last to the first, so that a bucket keeps the order of the table. */
	for (size_t i = rules_count; i-- > 0;) {
		for (const char *p = rules[i].literals; *p != '\0'; p += *p == ' ') {
			size_t len = strcspn(p, " "), b = bucket_of(p);
			s->entries[s->count] = (struct entry){p, len, (uint16_t)i, s->bucket[b]};
			s->bucket[b] = (uint16_t)s->count++;
			p += len;
		}
	}
	return s;
}

void
secrets_free(struct secrets *s)
{
	for (size_t i = 0; i < rules_count; i++)
		re_free(s->compiled[i]);
	known_free(s->known);
	free(s->compiled);
	free(s->entries);
	free(s);
}

void
secrets_personal(struct secrets *s)
{
	s->personal = true;
}

void
secrets_allow(struct secrets *s, const char *value, size_t len)
{
	known_allow(s->known, value, len);
}

bool
secrets_learn(struct secrets *s, const char *value, size_t len, const char *kind)
{
	return known_learn(s->known, value, len, kind);
}

void
secrets_always(struct secrets *s, const char *value, size_t len)
{
	known_always(s->known, value, len);
}

void
secrets_forget(struct secrets *s)
{
	known_forget(s->known);
}

/* Classes of bytes for the main loop. */
enum { C_OTHER, C_WORD, C_TRIGGER, C_INVISIBLE };
static const unsigned char class_of[256] = {
#define C1(c) [c] = C_WORD
#define C4(c) C1(c), C1(c + 1), C1(c + 2), C1(c + 3)
#define C13(c) C4(c), C4(c + 4), C4(c + 8), C1(c + 12)
    C13('A'), C13('N'), C13('a'), C13('n'), C4('0'), C4('4'), C1('8'), C1('9'),
#undef C13
#undef C4
#undef C1
    [':'] = C_TRIGGER, ['='] = C_TRIGGER, ['<'] = C_TRIGGER, ['%'] = C_TRIGGER, ['('] = C_TRIGGER,
    ['{'] = C_TRIGGER, ['['] = C_TRIGGER, ['&'] = C_TRIGGER, [0] = C_INVISIBLE,
    [0x1b] = C_INVISIBLE, [0xe2] = C_INVISIBLE, [0xef] = C_INVISIBLE, [0xc2] = C_INVISIBLE};

static bool
is_word(char c)
{
	return class_of[(unsigned char)c] == C_WORD;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool
is_space(char c)
{
	return is_blank(c) || c == '\n' || c == '\r';
}

/* base64url, and base64 */
static bool
is_b64(char c)
{
	return is_word(c) || c == '-' || c == '_' || c == '+' || c == '/';
}

/* Every find passes here: an allowed value, or one made of tags only, is none. */
static void
found(struct reading *r, size_t from, size_t to, const char *kind)
{
	if (from >= to || worth_tagged(r->t + from, to - from) ||
	    known_allowed(r->s->known, r->t + from, to - from))
		return;
	edits_add(r->out, r->base + from, r->base + to, kind, EDIT_TAG, r->t + from, to - from);
	if (to > r->done)
		r->done = to;
}

/* ---- tokens ---- */

/* The text of a JWT's first part begins with '{' (RFC 7519), and this is no other JSON. */
static bool
is_jose_header(const char *t, size_t n)
{
	struct buf b = {0};
	char copy[512];

	if (n > sizeof copy)
		n = sizeof copy;
	for (size_t i = 0; i < n; i++)
		copy[i] = t[i] == '-' ? '+' : t[i] == '_' ? '/' : t[i];
	bool good = base64_decode(&b, copy, n - n % 4) && b.len > 1 && b.data[0] == '{';
	if (good) {
		size_t i = 1;
		while (i < b.len && is_space(b.data[i]))
			i++;
		good = i < b.len && b.data[i] == '"';
	}
	buf_free(&b);
	return good;
}

static bool
names_algorithm(const char *t, size_t n)
{
	struct buf b = {0};
	char copy[512];

	if (n > sizeof copy)
		n = sizeof copy;
	for (size_t i = 0; i < n; i++)
		copy[i] = t[i] == '-' ? '+' : t[i] == '_' ? '/' : t[i];
	bool good = base64_decode(&b, copy, n - n % 4) &&
		    (memmem(b.data, b.len, "\"alg\"", 5) || memmem(b.data, b.len, "\"typ\"", 5) ||
			memmem(b.data, b.len, "\"enc\"", 5) || memmem(b.data, b.len, "\"kid\"", 5));
	buf_free(&b);
	return good;
}

/* Parts of base64url with dots between them: three are a JWT (RFC 7515), five a JWE (RFC 7516). */
static size_t
jwt(struct reading *r, size_t at)
{
	size_t i = at, parts = 0, head = 0;

	for (;;) {
		size_t from = i;
		while (i < r->n && is_b64(r->t[i]))
			i++;
		while (i < r->n && r->t[i] == '=' && i - from > 1)
			i++;
		parts++;
		if (parts == 1)
			head = i - at;
		if (i == r->n || r->t[i] != '.' || parts == 5)
			break;
		i++;
	}
	if (head < 10 || !is_jose_header(r->t + at, head))
		return 0;
	/* A sentence may end behind it; alg none ends with a dot of its own. */
	if (r->t[i - 1] == '.' && parts != 3)
		i--, parts--;
	if (parts < 3 && !names_algorithm(r->t + at, head))
		return 0;
	if (parts == 1 && head < 24)
		return 0;
	found(r, at, i, parts == 5 ? "JWE" : "JWT");
	return i;
}

/* From the BEGIN line of a private key to its END, or as far as the text goes. */
static size_t
pem(struct reading *r, size_t at)
{
	const char *t = r->t, *end;
	size_t i = at + 6, line;

	if (at < 5 || memcmp(t + at - 5, "-----", 5) != 0)
		return 0;
	const char *dashes = memmem(t + i, r->n - i < 60 ? r->n - i : 60, "-----", 5);
	if (dashes == NULL)
		return 0;
	line = (size_t)(dashes - t) + 5;
	if (memmem(t + i, line - i, "PRIVATE KEY", 11) == NULL)
		return 0;
	end = memmem(t + line, r->n - line, "-----END", 8);
	i = end != NULL ? (size_t)(end - t) : r->n;
	size_t from = line;
	while (i > from && (is_space(t[i - 1]) || (i > from + 1 && t[i - 2] == '\\')))
		i -= is_space(t[i - 1]) ? 1 : 2;
	while (from < i && (is_space(t[from]) || (t[from] == '\\' && from + 1 < i)))
		from += is_space(t[from]) ? 1 : 2;
	/* A stub such as "..." is nobody's key. */
	size_t body = 0;
	for (size_t k = from; k < i; k++)
		body += is_b64(t[k]);
	if (body < 16)
		return 0;
	found(r, from, i, "PRIVATE_KEY");
	return i;
}

/* How far the credentials behind a scheme word go. */
static size_t
credentials(const struct reading *r, size_t from)
{
	size_t i = from;

	while (i < r->n) {
		size_t tag = secrets_tag(r->t + i, r->n - i);
		if (tag > 0) {
			i += tag;
			continue;
		}
		if (!is_b64(r->t[i]) && !strchr("=.~%:|!$", r->t[i]))
			break;
		if (r->t[i] == '\0')
			break;
		i++;
	}
	while (i > from && strchr(".:", r->t[i - 1]))
		i--;
	return i;
}

/* "Bearer xyz" and "Basic xyz" in running text: the word must not be one of prose. */
static size_t
scheme(struct reading *r, size_t at, size_t to)
{
	static const char *const words[] = {
	    "bearer", "basic", "token", "apikey", "negotiate", "ntlm"};
	static const char *const kinds[] = {
	    "BEARER", "BASIC", "TOKEN", "API_KEY", "KERBEROS", "KERBEROS"};
	size_t which = 0, from = to;

	for (; which < sizeof words / sizeof words[0]; which++)
		if (strlen(words[which]) == to - at &&
		    strncasecmp(words[which], r->t + at, to - at) == 0)
			break;
	if (which == sizeof words / sizeof words[0])
		return 0;
	while (from < r->n && (is_blank(r->t[from]) || r->t[from] == '+'))
		from++;
	if (from == to || from - to > 4)
		return 0;
	size_t end = credentials(r, from);
	if (end <= from || !worth_scheme(r->t + from, end - from, kinds[which]))
		return 0;
	if (r->s->bucket[bucket_of(r->t + from)] != 0 || (r->t[from] == 'e' && end - from > 20)) {
		struct reading inner = {r->s, r->out, r->t, r->n, r->base, r->layer, 0, 0};
		size_t whole = jwt(&inner, from);
		if (whole != 0) {
			r->done = whole;
			return whole;
		}
	}
	found(r, from, end, kinds[which]);
	return end;
}

static size_t
by_rule(struct reading *r, size_t at)
{
	struct secrets *s = r->s;
	struct re_match m;

	for (size_t e = s->bucket[bucket_of(r->t + at)]; e != 0; e = s->entries[e].next) {
		const struct entry *entry = &s->entries[e];
		const struct rule *rule = &rules[entry->rule];
		if (r->n - at < entry->len || memcmp(r->t + at, entry->literal, entry->len) != 0)
			continue;
		switch (re_find(compiled(s, entry->rule), r->t, r->n, at, &m)) {
		case RE_NO: continue;
		case RE_LIMIT:
			s->limit = true;
			m.group[0].from = at;
			m.group[0].to = at;
			while (m.group[0].to < r->n && !is_space(r->t[m.group[0].to]))
				m.group[0].to++;
			m.group[rule->group] = m.group[0];
			break;
		case RE_YES: break;
		}
		size_t from = m.group[rule->group].from, to = m.group[rule->group].to;
		if (worth_placeholder(r->t + from, to - from))
			continue;
		found(r, from, to, rule->kind);
		return to;
	}
	return 0;
}

/* A word [at, to) begins here: the end of the token that it begins, or 0. */
static size_t
token(struct reading *r, size_t at, size_t to)
{
	const char *t = r->t;
	size_t n = to - at, end;

	if (n < 2)
		return r->n - at > 2 && r->s->bucket[bucket_of(t + at)] ? by_rule(r, at) : 0;
	if (t[at] == 'e' && (t[at + 1] == 'y' || t[at + 1] == 'w') && n >= 4 && (end = jwt(r, at)))
		return end;
	if (r->s->bucket[bucket_of(t + at)] != 0 && (end = by_rule(r, at)) != 0)
		return end;
	if (n == 5 && memcmp(t + at, "BEGIN", 5) == 0)
		return pem(r, at);
	if (n >= 4 && n <= 9 && strchr("bBtTaAnN", t[at]))
		return scheme(r, at, to);
	return 0;
}

/* ---- name and value ---- */

struct name {
	size_t from, to;
	char quote;     /* around the name, 0: none */
	size_t slashes; /* before that quote */
	char before;    /* the byte on its left, 0: the text begins */
	char wrap;      /* a quote that opens just before the name and holds the whole pair */
};

static bool
is_name(char c)
{
	return is_word(c) || (unsigned char)c >= 0x80 || (c != '\0' && strchr("_-.$[]@", c));
}

static bool
is_quote(char c)
{
	return c == '"' || c == '\'' || c == '`';
}

/* The name that ends before the separator at. */
static bool
name_before(const struct reading *r, size_t at, struct name *name)
{
	const char *t = r->t;
	size_t i = at, floor = at > NAME_MAX_LEN ? at - NAME_MAX_LEN : 0;

	*name = (struct name){0};
	while (i > floor && is_blank(t[i - 1]))
		i--;
	if (i == 0)
		return false;
	if (is_quote(t[i - 1])) {
		name->quote = t[i - 1];
		i--;
		while (i > floor && t[i - 1] == '\\')
			i--, name->slashes++;
		name->to = i;
		while (i > floor && t[i - 1] != name->quote && t[i - 1] != '\n')
			i--;
		if (i == floor && (i == 0 || t[i - 1] != name->quote))
			return false;
		name->from = i;
		name->before = i > 1 + name->slashes ? t[i - 2 - name->slashes] : '\0';
		return name->to > name->from;
	}
	name->to = i;
	while (i > floor && is_name(t[i - 1]))
		i--;
	name->from = i;
	name->before = i > 0 ? t[i - 1] : '\0';
	if (is_quote(name->before))
		name->wrap = name->before;
	return name->to > name->from;
}

/* The end of a quoted value whose opening quote (behind slashes backslashes) is before from. */
static size_t
quoted_end(const struct reading *r, size_t from, char quote, size_t slashes)
{
	const char *t = r->t;
	size_t run = 0;

	for (size_t i = from; i < r->n; i++) {
		if (t[i] == '\\') {
			run++;
			continue;
		}
		/* A quote of our level has as many backslashes; one of a deeper level has more. */
		if (t[i] == quote && (run == slashes || (slashes == 0 && run % 2 == 0)))
			return i - slashes;
		if (quote != '`' && slashes == 0 && t[i] == '\n')
			return i;
		run = 0;
	}
	return r->n;
}

static bool
starts_pair(const struct reading *r, size_t i)
{
	size_t from = i;

	while (i < r->n && is_blank(r->t[i]))
		i++;
	if (i == r->n || is_space(r->t[i]))
		return true;
	while (i < r->n && i - from < 64 && (is_name(r->t[i]) || r->t[i] == '%'))
		i++;
	return i > from && i < r->n && (r->t[i] == '=' || r->t[i] == '&');
}

/* The end of a value without quotes. */
static size_t
bare_end(const struct reading *r, size_t from, char wrap)
{
	const char *t = r->t;
	size_t i = from;

	while (i < r->n) {
		size_t tag = t[i] == '[' ? secrets_tag(t + i, r->n - i) : 0;
		if (tag > 0) {
			i += tag;
			continue;
		}
		char c = t[i], next = i + 1 < r->n ? t[i + 1] : '\0';
		if (is_space(c) || c == '"' || c == '<' || c == '>' || c == '|' || c == '\0' ||
		    c == '`' || (c == '\'' && (wrap == '\'' || i == from || !is_word(next))) ||
		    (wrap != 0 && c == wrap))
			break;
		if (c == '\\' &&
		    (next == 'n' || next == 'r' || next == 't' || is_quote(next) || next == '\\'))
			break;
		if ((c == ',' || c == ';' || c == '&') &&
		    (next == '\0' || !is_word(next) || starts_pair(r, i + 1)))
			break;
		if (c == '#' && from > 0 && i > from && starts_pair(r, i + 1))
			break;
		if ((c == ')' || c == ']' || c == '}') && !is_word(next) &&
		    memchr(t + from,
			c == ')'   ? '('
			: c == ']' ? '['
				   : '{',
			i - from) == NULL)
			break;
		i++;
	}
	while (
	    i > from + 1 && (t[i - 1] == '.' || t[i - 1] == ',') && (i == r->n || is_space(t[i])))
		i--;
	return i;
}

/* The end of a header's value: of the line, of the quotes around it, or a written \n or \r. */
static size_t
line_end(const struct reading *r, size_t from, char wrap)
{
	const char *t = r->t;
	size_t i = from;

	for (; i < r->n && t[i] != '\n' && t[i] != '\r'; i++) {
		if (t[i] == '\\' && i + 1 < r->n &&
		    (t[i + 1] == 'n' || t[i + 1] == 'r' || is_quote(t[i + 1])))
			break;
		if (wrap != 0 && t[i] == wrap)
			break;
	}
	while (i > from && is_blank(t[i - 1]))
		i--;
	return i;
}

static void
read_cookies(struct reading *r, size_t from, size_t to, bool only_first)
{
	const char *t = r->t;
	size_t i = from;

	while (i < to) {
		size_t end = i, eq;
		while (end < to && t[end] != ';' && t[end] != '\n' && t[end] != '\r')
			end++;
		for (eq = i; eq < end && t[eq] != '='; eq++)
			;
		if (eq < end) {
			size_t value = eq + 1, stop = end;
			while (stop > value && (is_space(t[stop - 1]) || t[stop - 1] == '"'))
				stop--;
			while (value < stop && (is_space(t[value]) || t[value] == '"'))
				value++;
			found(r, value, stop, "COOKIE");
		}
		/* Several Set-Cookie values of one name stand on lines of their own. */
		while (only_first && end < to && t[end] != '\n')
			end++;
		i = end + 1;
	}
}

/* The parameters of a scheme that sends some: what proves is hidden, what names is kept. */
static bool
read_auth_parameters(struct reading *r, size_t from, size_t to)
{
	static const char *const proofs[] = {"response", "cnonce", "nonce", "signature", "mac",
	    "opaque", "oauth_signature", "oauth_token", "oauth_nonce", "token", "password",
	    "secret", "key", "hash", "auth", "access_token", "jwt", "token_secret", "sig"};
	bool any = false;

	for (size_t i = from; i < to;) {
		while (i < to && (is_space(r->t[i]) || r->t[i] == ','))
			i++;
		size_t name = i;
		while (i < to && (is_word(r->t[i]) || r->t[i] == '_' || r->t[i] == '-'))
			i++;
		size_t name_end = i;
		if (i == name || i == to || r->t[i] != '=' || i + 1 == to || r->t[i + 1] == '=')
			return any;
		i++;
		char quote = r->t[i] == '\\' && i + 1 < to ? '\\' : r->t[i];
		bool quoted = quote == '"' || quote == '\\';
		if (quote == '\\')
			i++;
		size_t value = i += quoted;
		while (i < to && (quoted ? r->t[i] != '"' && r->t[i] != '\\'
					 : r->t[i] != ',' && !is_space(r->t[i])))
			i++;
		any = true;
		for (size_t k = 0; k < sizeof proofs / sizeof proofs[0]; k++)
			if (strlen(proofs[k]) == name_end - name &&
			    strncasecmp(proofs[k], r->t + name, name_end - name) == 0)
				found(r, value, i, "SIGNATURE");
		while (i < to && (r->t[i] == '"' || r->t[i] == '\\'))
			i++;
	}
	return any;
}

static void
read_auth(struct reading *r, size_t from, size_t to)
{
	const char *t = r->t;
	size_t word = from;

	while (from < to && is_blank(t[from]))
		word = ++from;
	while (word < to && (is_word(t[word]) || t[word] == '-' || t[word] == '_'))
		word++;
	size_t rest = word;
	while (rest < to && (is_blank(t[rest]) || t[rest] == '+' ||
				(rest + 2 < to && memcmp(t + rest, "%20", 3) == 0 && (rest += 2))))
		rest++;
	bool has_scheme = rest > word && word - from <= 24 && rest < to;
	if (!has_scheme) {
		if (worth(t + from, to - from, "AUTH", WORTH_TOLD))
			found(r, from, to, "AUTH");
		return;
	}
	if (read_auth_parameters(r, rest, to))
		return;
	struct reading inner = {r->s, r->out, t, to, r->base, r->layer, 0, 0};
	if (t[rest] == 'e' && jwt(&inner, rest) == to)
		return;
	const char *kind = word - from == 5 && strncasecmp(t + from, "basic", 5) == 0    ? "BASIC"
			   : word - from == 6 && strncasecmp(t + from, "bearer", 6) == 0 ? "BEARER"
											 : "AUTH";
	if (worth(t + rest, to - rest, kind, WORTH_TOLD))
		found(r, rest, to, kind);
}

static enum role
header_role(const char *name, size_t len, const char **kind)
{
	*kind = names_header(name, len);
	if (*kind == NULL)
		return ROLE_TEXT;
	if (strcmp(*kind, "COOKIE") == 0)
		return (name[0] | 0x20) == 's' ? ROLE_SET_COOKIE : ROLE_COOKIE;
	return strcmp(*kind, "AUTH") == 0 ? ROLE_AUTH : ROLE_SECRET;
}

static bool
is_http_name(const char *name, size_t len, const char *what)
{
	return strlen(what) == len && strncasecmp(name, what, len) == 0;
}

/* Names that only make sense as headers, wherever they stand. */
static enum role
strong_header(const char *name, size_t len, const char **kind)
{
	if (is_http_name(name, len, "authorization") ||
	    is_http_name(name, len, "proxy-authorization"))
		return *kind = "AUTH", ROLE_AUTH;
	if (is_http_name(name, len, "cookie"))
		return *kind = "COOKIE", ROLE_COOKIE;
	if (is_http_name(name, len, "set-cookie") || is_http_name(name, len, "set-cookie2"))
		return *kind = "COOKIE", ROLE_SET_COOKIE;
	return ROLE_TEXT;
}

/* A name and a separator at i: find the value and judge it. */
static void
pair(struct reading *r, size_t i)
{
	const char *t = r->t, *kind;
	struct name name;
	size_t from = i + 1, to;

	if (!name_before(r, i, &name))
		return;
	size_t name_len = name.to - name.from;
	if (name_len < 3 && t[i] == ':' && name.quote == 0) /* pw:api is Playwright's own */
		return;
	enum role role = strong_header(t + name.from, name_len, &kind);
	bool in_url = name.quote == 0 && t[i] == '=' &&
		      (name.before == '?' || name.before == '&' || name.before == '#' ||
			  name.before == ';' || name.from == 0);
	if (role == ROLE_TEXT) {
		kind = in_url ? names_parameter(t + name.from, name_len)
			      : names_header(t + name.from, name_len);
		/* Labels of several words: "API key: ...", "mot de passe : ..." */
		if (kind == NULL && name.quote == 0 && t[i] == ':' && name.before == ' ') {
			size_t wide = name.from > 40 ? name.from - 40 : 0;
			for (size_t k = name.from; k > wide; k--)
				if (t[k - 1] != ' ' && !is_name(t[k - 1])) {
					wide = k;
					break;
				}
			kind = names_kind(t + wide, name.to - wide);
		}
		if (kind == NULL)
			return;
	}
	while (from < r->n && is_blank(t[from]))
		from++;
	if (t[i] == ':' && from < r->n && t[from] == '=') /* := of Go and Pascal */
		from++;
	if (t[i] == '=' && from < r->n && (t[from] == '=' || t[from] == '>' || t[from] == '~'))
		from += 1 + (from + 1 < r->n && t[from + 1] == '=');
	while (from < r->n && is_blank(t[from]))
		from++;
	size_t slashes = 0;
	while (from + slashes < r->n && t[from + slashes] == '\\')
		slashes++;
	bool quoted =
	    from + slashes < r->n && is_quote(t[from + slashes]) && name.wrap != t[from + slashes];
	if (quoted) {
		char quote = t[from + slashes];
		from += slashes + 1;
		to = quoted_end(r, from, quote, slashes);
	} else if (role == ROLE_AUTH || role == ROLE_COOKIE || role == ROLE_SET_COOKIE) {
		if (t[i] == '=' && role != ROLE_AUTH)
			return;
		to = line_end(r, from, name.wrap);
	} else {
		to = bare_end(r, from, name.wrap);
	}
	if (to <= from)
		return;
	switch (role) {
	case ROLE_AUTH: read_auth(r, from, to); return;
	case ROLE_COOKIE: read_cookies(r, from, to, false); return;
	case ROLE_SET_COOKIE: read_cookies(r, from, to, true); return;
	default: break;
	}
	enum worth_manner manner = quoted                         ? WORTH_QUOTED
				   : in_url                       ? WORTH_URL
				   : t[i] == '=' && from == i + 1 ? WORTH_TIGHT
								  : WORTH_LOOSE;
	if (worth(t + from, to - from, kind, manner))
		found(r, from, to, kind);
}

/* scheme://user:password@host: the part between the colon and the last '@' before the host. */
static void
userinfo(struct reading *r, size_t colon)
{
	const char *t = r->t;
	size_t from = colon + 3, end = from, at = 0, pass = 0;

	for (; end < r->n && !is_space(t[end]) && !strchr("\"'<>`\\", t[end]); end++)
		if (t[end] == '@')
			at = end;
	if (at == 0)
		return;
	for (size_t i = from; i < at; i++) {
		if (t[i] == ':') {
			pass = i + 1;
			break;
		}
		if (t[i] == '/' || t[i] == '?' || t[i] == '#')
			return;
	}
	/* The '@' must be before the path, or what follows the colon is no port. */
	size_t digits = pass;
	while (pass != 0 && digits < at && t[digits] >= '0' && t[digits] <= '9')
		digits++;
	if (pass != 0 && digits < at && digits > pass && strchr("/?#", t[digits]))
		return;
	if (pass == 0) {
		/* A token alone: https://ghp_xyz@github.com */
		if (at - from >= 20 && worth(t + from, at - from, "TOKEN", WORTH_URL))
			found(r, from, at, "TOKEN");
		return;
	}
	if (pass == at)
		return;
	if (!worth_placeholder(t + pass, at - pass))
		found(r, pass, at, "PASSWORD");
}

/* ---- other grammars ---- */

struct attribute {
	size_t from, to;
};

/* <input type="password" value="...">, <meta name="csrf-token" content="...">,
 * <password>x</password> */
static void
tag(struct reading *r, size_t at)
{
	const char *t = r->t, *kind = NULL;
	size_t i = at + 1, name = i;
	struct attribute value = {0, 0};
	bool password = false;

	while (i < r->n && (is_word(t[i]) || strchr("-_:.", t[i])) && t[i] != '\0')
		i++;
	size_t name_len = i - name;
	if (name_len == 0 || name_len > 40)
		return;
	bool field =
	    is_http_name(t + name, name_len, "input") || is_http_name(t + name, name_len, "meta") ||
	    is_http_name(t + name, name_len, "textarea") ||
	    is_http_name(t + name, name_len, "param") || is_http_name(t + name, name_len, "add");
	size_t limit = i + 2048 < r->n ? i + 2048 : r->n;
	while (i < limit && t[i] != '>' && t[i] != '<') {
		while (i < limit && (is_space(t[i]) || t[i] == '/' || t[i] == '\\'))
			i++;
		size_t attr = i;
		while (i < limit && (is_word(t[i]) || t[i] == '-' || t[i] == '_' || t[i] == ':'))
			i++;
		size_t attr_len = i - attr;
		if (attr_len == 0) {
			i += i < limit && t[i] != '>' && t[i] != '<';
			continue;
		}
		if (i == limit || t[i] != '=')
			continue;
		i++;
		size_t slashes = 0;
		while (i + slashes < limit && t[i + slashes] == '\\')
			slashes++;
		struct attribute a;
		if (i + slashes < limit && is_quote(t[i + slashes])) {
			char quote = t[i + slashes];
			a.from = i + slashes + 1;
			a.to = quoted_end(r, a.from, quote, slashes);
			i = a.to + slashes + 1;
		} else {
			a.from = i;
			while (i < limit && !is_space(t[i]) && t[i] != '>')
				i++;
			a.to = i;
		}
		if (!field)
			continue;
		size_t len = a.to > a.from ? a.to - a.from : 0;
		if (is_http_name(t + attr, attr_len, "value") ||
		    is_http_name(t + attr, attr_len, "content") ||
		    is_http_name(t + attr, attr_len, "__playwright_value_"))
			value = a;
		else if (is_http_name(t + attr, attr_len, "type"))
			password = password || is_http_name(t + a.from, len, "password");
		else if (kind == NULL && (is_http_name(t + attr, attr_len, "name") ||
					     is_http_name(t + attr, attr_len, "id") ||
					     is_http_name(t + attr, attr_len, "key") ||
					     is_http_name(t + attr, attr_len, "autocomplete") ||
					     is_http_name(t + attr, attr_len, "placeholder") ||
					     is_http_name(t + attr, attr_len, "aria-label")))
			kind = names_kind(t + a.from, len);
	}
	if (password)
		kind = "PASSWORD";
	if (field) {
		if (kind != NULL && value.to > value.from &&
		    worth(t + value.from, value.to - value.from, kind, WORTH_TOLD))
			found(r, value.from, value.to, kind);
		return;
	}
	if (i < r->n && t[i] == '>' && (kind = names_kind(t + name, name_len)) != NULL) {
		size_t from = i + 1, to = from;
		while (to < r->n && t[to] != '<')
			to++;
		if (to + 1 < r->n && t[to + 1] == '/' &&
		    worth(t + from, to - from, kind, WORTH_TOLD))
			found(r, from, to, kind);
	}
}

/* fill('...'), type("..."), where the selector before it, or the first argument, says password. */
static void
call(struct reading *r, size_t paren)
{
	static const char *const verbs[] = {"fill", "type", "pressSequentially",
	    "press_sequentially", "setValue", "sendKeys", "send_keys"};
	const char *t = r->t, *kind = NULL;
	size_t verb = paren, i = paren + 1;

	while (verb > 0 && (is_word(t[verb - 1]) || t[verb - 1] == '_'))
		verb--;
	size_t which = 0;
	for (; which < sizeof verbs / sizeof verbs[0]; which++)
		if (strlen(verbs[which]) == paren - verb &&
		    memcmp(verbs[which], t + verb, paren - verb) == 0)
			break;
	if (which == sizeof verbs / sizeof verbs[0])
		return;
	struct attribute argument[2];
	size_t count = 0;
	while (count < 2) {
		while (i < r->n && (is_blank(t[i]) || t[i] == ','))
			i++;
		size_t slashes = 0;
		while (i + slashes < r->n && t[i + slashes] == '\\')
			slashes++;
		if (i + slashes >= r->n || !is_quote(t[i + slashes]))
			break;
		argument[count].from = i + slashes + 1;
		argument[count].to = quoted_end(r, argument[count].from, t[i + slashes], slashes);
		i = argument[count].to + slashes + 1;
		count++;
	}
	if (count == 0)
		return;
	if (count == 2)
		kind = names_within(t + argument[0].from, argument[0].to - argument[0].from);
	else {
		size_t from = verb;
		while (from > 0 && verb - from < 160 && t[from - 1] != '\n' && t[from - 1] != ';')
			from--;
		kind = names_within(t + from, verb - from);
	}
	struct attribute value = argument[count - 1];
	if (kind != NULL && worth(t + value.from, value.to - value.from, kind, WORTH_TOLD))
		found(r, value.from, value.to, kind);
}

/* Fill "..." getByLabel('Password'), as Playwright titles a step; [at, to) is the verb. */
static void
step_title(struct reading *r, size_t at, size_t to)
{
	const char *t = r->t, *kind;
	size_t from = to + 1, end, stop;

	(void)at;
	if (to >= r->n || t[to] != ' ')
		return;
	size_t slashes = 0;
	while (from + slashes < r->n && t[from + slashes] == '\\')
		slashes++;
	if (from + slashes >= r->n || t[from + slashes] != '"')
		return;
	from += slashes + 1;
	end = quoted_end(r, from, '"', slashes);
	stop = end + slashes + 1;
	while (stop < r->n && stop - end < 200 && t[stop] != '\n')
		stop++;
	if (stop > r->n || end + slashes + 1 >= r->n)
		return;
	kind = names_within(t + end + slashes + 1, stop - end - slashes - 1);
	if (kind != NULL && worth(t + from, end - from, kind, WORTH_TOLD))
		found(r, from, end, kind);
}

/* - textbox "Password" [active]: value, in an aria snapshot; at is the word's end. */
static void
aria(struct reading *r, size_t at)
{
	const char *t = r->t, *kind;
	size_t i = at, from, to;

	if (i + 2 >= r->n || t[i] != ' ')
		return;
	i++;
	size_t slashes = 0;
	while (i + slashes < r->n && t[i + slashes] == '\\')
		slashes++;
	if (i + slashes >= r->n || t[i + slashes] != '"')
		return;
	from = i + slashes + 1;
	to = quoted_end(r, from, '"', slashes);
	kind = names_within(t + from, to - from);
	i = to + slashes + 1;
	if (kind == NULL)
		return;
	while (i + 1 < r->n && t[i] == ' ' && t[i + 1] == '[')
		while (i < r->n && t[i] != '\n' && t[i++] != ']')
			;
	if (i < r->n && t[i] == '\'') /* the key stands in YAML's quotes */
		i++;
	if (i >= r->n || t[i] != ':')
		return;
	i++;
	while (i < r->n && is_blank(t[i]))
		i++;
	slashes = 0;
	while (i + slashes < r->n && t[i + slashes] == '\\')
		slashes++;
	if (i + slashes < r->n && (t[i + slashes] == '"' || t[i + slashes] == '\'')) {
		from = i + slashes + 1;
		to = quoted_end(r, from, t[i + slashes], slashes);
	} else {
		from = i;
		to = line_end(r, from, 0);
	}
	if (to > from && worth(t + from, to - from, kind, WORTH_TOLD))
		found(r, from, to, kind);
}

/* ---- layers ---- */

static void
read_view(struct reading *r, enum view view, size_t from, size_t to)
{
	struct buf plain = {0};
	size_t first = r->out->count;

	view_open(view, r->t + from, to - from, &plain);
	read_text(r->s, plain.data ? plain.data : "", plain.len, 0, r->layer + 1, r->out);
	view_back(view, r->t + from, to - from, r->base + from, r->out, first);
	buf_free(&plain);
}

/* A run of a URL's characters with percent escapes in it, around at; the end of the run. */
static size_t
percent(struct reading *r, size_t at)
{
	const char *t = r->t;
	size_t from = at, to = at;

	if (at + 2 >= r->n || !worth_hex(t[at + 1]) || !worth_hex(t[at + 2]) || r->layer >= LAYERS)
		return at + 1;
	while (from > 0 && !is_space(t[from - 1]) && !strchr("\"'<>`", t[from - 1]) &&
	       at - from < 4096)
		from--;
	while (to < r->n && !is_space(t[to]) && !strchr("\"'<>`", t[to]))
		to++;
	read_view(r, VIEW_PERCENT, from, to);
	return to;
}

static bool
printable(const char *t, size_t n)
{
	if (utf8_valid(t, n) < n)
		return false;
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)t[i] < 0x20 && !is_space(t[i]))
			return false;
	return n > 0;
}

/* A run of base64 that hides text: read it, and encode again what had to be changed. */
static void
base64(struct reading *r, size_t from, size_t to)
{
	struct buf plain = {0}, again = {0};
	struct edits inner = {0};
	size_t len = to - from;

	if (r->layer >= LAYERS || len < 24)
		return;
	size_t probe = len < 64 ? len - len % 4 : 64;
	bool text = base64_decode(&plain, r->t + from, probe) && plain.len > 8 &&
		    printable(plain.data, utf8_floor(plain.data, plain.len, plain.len - 3));
	if (text) {
		buf_clear(&plain);
		text = base64_decode(&plain, r->t + from, len) && printable(plain.data, plain.len);
	}
	if (text)
		read_text(r->s, plain.data, plain.len, 0, r->layer + 1, &inner);
	edits_settle(&inner);
	if (inner.count > 0 && inner.count == 1 && inner.list[0].from == 0 &&
	    inner.list[0].to == plain.len) {
		found(r, from, to, inner.list[0].kind);
	} else if (inner.count > 0) {
		/* Carried up as one edit each would break the alphabet: hide the run. */
		found(r, from, to, inner.list[0].kind);
	}
	edits_free(&inner);
	buf_free(&plain);
	buf_free(&again);
}

/* The JSON value that begins at, inside of other text: its end, or 0. */
static size_t
embedded(struct reading *r, size_t at)
{
	const char *t = r->t;
	size_t depth = 0, i = at;

	if (r->layer >= LAYERS || at < r->braces_failed || at + 1 >= r->n)
		return 0;
	if (t[at] == '{' ? t[at + 1] != '"' : t[at + 1] != '{' && t[at + 1] != '"')
		return 0;
	for (; i < r->n; i++) {
		if (t[i] == '"') {
			for (i++; i < r->n && t[i] != '"'; i++)
				i += t[i] == '\\';
			if (i >= r->n)
				break;
		} else if (t[i] == '{' || t[i] == '[') {
			depth++;
		} else if ((t[i] == '}' || t[i] == ']') && --depth == 0) {
			break;
		}
	}
	if (i >= r->n || !scan_check(t + at, i + 1 - at, NULL)) {
		r->braces_failed = i;
		return 0;
	}
	read_json(r->s, (struct span){t + at, i + 1 - at}, r->base + at, r->layer + 1, r->out);
	return i + 1;
}

static bool
has_invisible(const char *t, size_t n, size_t i)
{
	unsigned char c = (unsigned char)t[i], d = i + 1 < n ? (unsigned char)t[i + 1] : 0,
		      e = i + 2 < n ? (unsigned char)t[i + 2] : 0;

	switch (c) {
	case 0xe2: return (d == 0x80 && e >= 0x8b && e <= 0x8f) || (d == 0x81 && e == 0xa0);
	case 0xef: return d == 0xbb && e == 0xbf;
	case 0xc2: return d == 0xad;
	default: return true;
	}
}

static bool
has_entities(const char *t, size_t n, size_t i)
{
	return n - i >= 4 && (t[i + 1] == '#' || memcmp(t + i, "&quot", 4) == 0 ||
				 memcmp(t + i, "&apos", 4) == 0 || memcmp(t + i, "&lt;", 4) == 0);
}

static void
personal(struct reading *r, size_t from, size_t to)
{
	size_t start;
	const char *kind = worth_personal(r->t, r->n, from, to, &start, &to);

	if (kind != NULL)
		found(r, start, to, kind);
}

static size_t
trigger(struct reading *r, size_t i)
{
	const char *t = r->t;
	size_t end;

	switch (t[i]) {
	case ':':
		if (i + 2 < r->n && t[i + 1] == '/' && t[i + 2] == '/') {
			userinfo(r, i);
			return i + 3;
		}
		/* fall through */
	case '=':
		if (i >= r->done)
			pair(r, i);
		return i + 1;
	case '<': tag(r, i); return i + 1;
	case '(': call(r, i); return i + 1;
	case '{':
	case '[':
		end = embedded(r, i);
		if (end > 0)
			return end;
		end = secrets_tag(t + i, r->n - i);
		return end > 0 ? i + end : i + 1;
	default: return i + 1;
	}
}

static void
read_text(struct secrets *s, const char *t, size_t n, size_t base, int layer, struct edits *out)
{
	struct reading r = {s, out, t, n, base, layer, 0, 0};
	bool entities = false;
	size_t percent_done = 0;

	if (layer < LAYERS && n > 1 && (t[0] == '{' || t[0] == '[' || t[0] == '"') &&
	    scan_check(t, n, NULL)) {
		read_json(s, (struct span){t, n}, base, layer, out);
		return;
	}
	for (size_t i = 0; i < n;) {
		unsigned char c = (unsigned char)t[i];
		size_t from = i, end;
		switch (class_of[c]) {
		case C_WORD:
			while (i < n && class_of[(unsigned char)t[i]] == C_WORD)
				i++;
			if (from >= r.done && (end = token(&r, from, i)) > 0) {
				i = end > i ? end : i;
				break;
			}
			if (from >= r.done && known_any(s->known)) {
				const char *kind;
				size_t len = known_at(s->known, t, n, from, &kind);
				if (len > 0)
					found(&r, from, from + len, kind);
			}
			if (i - from == 7 && memcmp(t + from, "textbox", 7) == 0)
				aria(&r, i);
			if (i - from == 4 &&
			    (memcmp(t + from, "Fill", 4) == 0 || memcmp(t + from, "Type", 4) == 0))
				step_title(&r, from, i);
			if (i - from >= 16 && from >= r.done &&
			    (from == 0 || !is_b64(t[from - 1]))) {
				size_t to = i;
				while (to < n && (is_b64(t[to]) || t[to] == '='))
					to++;
				base64(&r, from, to);
			}
			if (s->personal && from >= r.done)
				personal(&r, from, i);
			break;
		case C_TRIGGER:
			if (c == '%' && i >= percent_done)
				percent_done = percent(&r, i);
			if (c == '&' && has_entities(t, n, i))
				entities = true;
			i = trigger(&r, i);
			break;
		case C_INVISIBLE:
			if (layer < LAYERS && has_invisible(t, n, i)) {
				read_view(&r, VIEW_VISIBLE, 0, n);
				return;
			}
			i++;
			break;
		default: i++;
		}
	}
	if (entities && layer < LAYERS)
		read_view(&r, VIEW_ENTITY, 0, n);
}

/* ---- JSON ---- */

struct frame {
	bool object;
	enum role inherit; /* what the members' strings are */
	const char *kind;
	struct span key; /* of the member at hand */
	struct span name, value, title;
	const char *field_kind; /* what type=password, a selector, a label said */
	struct span inner;      /* the value in "params" */
	size_t index;
};

struct walk {
	struct secrets *s;
	struct edits *out;
	const char *doc;
	size_t base;
	int layer;
	struct frame *stack;
	size_t depth, size;
};

static bool
key_is(struct span key, const char *name)
{
	size_t len = strlen(name);

	return key.len == len + 2 && memcmp(key.at + 1, name, len) == 0;
}

static bool
key_in(struct span key, const char *const *list)
{
	for (; *list != NULL; list++)
		if (key_is(key, *list))
			return true;
	return false;
}

/* Read a string as role and kind say; raw has its quotes. */
static void
read_string(struct walk *w, struct span raw, enum role role, const char *kind)
{
	struct buf plain = {0};
	const char *t = raw.at + 1;
	size_t n = raw.len - 2, base = w->base + (size_t)(t - w->doc), first = w->out->count;
	bool escapes = memchr(t, '\\', n) != NULL;

	if (n == 0)
		return;
	if (escapes) {
		view_open(VIEW_JSON, t, n, &plain);
		t = plain.data;
		n = plain.len;
	}
	struct reading r = {w->s, w->out, t, n, escapes ? 0 : base, w->layer, 0, 0};
	switch (role) {
	case ROLE_HIDE: found(&r, 0, n, kind); break;
	case ROLE_COOKIE: read_cookies(&r, 0, n, false); break;
	case ROLE_SET_COOKIE: read_cookies(&r, 0, n, true); break;
	case ROLE_AUTH: read_auth(&r, 0, n); break;
	case ROLE_SECRET:
		if (worth(t, n, kind, WORTH_TOLD)) {
			found(&r, 0, n, kind);
			break;
		}
		/* fall through */
	case ROLE_TEXT: read_text(w->s, t, n, r.base, w->layer, w->out); break;
	}
	if (escapes)
		view_back(VIEW_JSON, raw.at + 1, raw.len - 2, base, w->out, first);
	buf_free(&plain);
}

/* A number where the name tells a PIN or a password. */
static void
read_number(struct walk *w, struct span raw, const char *kind)
{
	if (kind == NULL || !worth(raw.at, raw.len, kind, WORTH_NUMBER))
		return;
	size_t from = w->base + (size_t)(raw.at - w->doc);
	edits_add(w->out, from, from + raw.len, kind, EDIT_QUOTED, raw.at, raw.len);
}

static const char *const name_keys[] = {"name", "key", "id", "header", "field", "k", NULL};
static const char *const value_keys[] = {
    "value", "content", "__playwright_value_", "text", "v", "val", NULL};
static const char *const label_keys[] = {"selector", "locator", "subtitle", "autocomplete",
    "placeholder", "aria-label", "label", "element", NULL};

static const char *
kind_of(struct span raw, const char *(*ask)(const char *, size_t))
{
	struct buf plain = {0};
	const char *kind = NULL;

	if (raw.at == NULL || raw.len < 4 || raw.at[0] != '"')
		return NULL;
	if (memchr(raw.at, '\\', raw.len) == NULL)
		return ask(raw.at + 1, raw.len - 2);
	view_open(VIEW_JSON, raw.at + 1, raw.len - 2, &plain);
	kind = ask(plain.data, plain.len);
	buf_free(&plain);
	return kind;
}

/* An object is whole: what its members say together. */
static void
neighbours(struct walk *w, const struct frame *f)
{
	struct span value = f->value.at ? f->value : f->inner;
	const char *kind = NULL;
	enum role role = ROLE_SECRET;

	if (f->name.at != NULL && f->value.at != NULL) {
		role = header_role(f->name.at + 1, f->name.len - 2, &kind);
		if (kind == NULL)
			kind = kind_of(f->name, names_kind), role = ROLE_SECRET;
	}
	if (kind == NULL)
		kind = f->field_kind, role = ROLE_SECRET;
	if (kind == NULL)
		return;
	if (value.at != NULL && value.at[0] == '"')
		read_string(w, value, role, kind);
	else if (value.at != NULL)
		read_number(w, value, kind);
	/* Fill "hunter2": the title of a step on such a field. */
	if (f->field_kind != NULL && f->title.at != NULL) {
		const char *quote = memmem(f->title.at, f->title.len, " \\\"", 3);
		if (quote == NULL)
			return;
		size_t from = (size_t)(quote + 3 - w->doc);
		const char *last = f->title.at + f->title.len - 1;
		while (last > quote + 3 && !(last[-1] == '\\' && last[0] == '"'))
			last--;
		if (last <= quote + 3)
			return;
		struct reading r = {w->s, w->out, w->doc, 0, w->base, w->layer, 0, 0};
		r.n = (size_t)(last - 1 - w->doc);
		if (worth(w->doc + from, r.n - from, f->field_kind, WORTH_TOLD))
			found(&r, from, r.n, f->field_kind);
	}
}

static void
note(struct frame *f, struct span raw)
{
	bool text = raw.at[0] == '"';

	if (text && f->name.at == NULL && key_in(f->key, name_keys))
		f->name = raw;
	if (key_in(f->key, value_keys))
		f->value = raw;
	if (!text)
		return;
	if (key_is(f->key, "title") || key_is(f->key, "apiName"))
		f->title = raw;
	if (key_is(f->key, "type") && raw.len == 10 && memcmp(raw.at + 1, "password", 8) == 0)
		f->field_kind = "PASSWORD";
	if (f->field_kind == NULL && key_in(f->key, label_keys))
		f->field_kind = kind_of(raw, names_within);
}

static void
member(struct walk *w, struct frame *f, struct span raw)
{
	const char *kind = f->kind;
	enum role role = f->inherit;

	if (f->object) {
		note(f, raw);
		if (role == ROLE_TEXT || role == ROLE_SECRET) {
			const char *own;
			enum role header = header_role(f->key.at + 1, f->key.len - 2, &own);
			if (own == NULL && (own = kind_of(f->key, names_kind)) != NULL)
				header = ROLE_SECRET;
			if (own != NULL)
				kind = own, role = header;
		} else if (role == ROLE_HIDE && !key_is(f->key, "value") && f->kind == NULL) {
			role = ROLE_TEXT;
		}
	} else {
		/* [["Authorization", "..."]] and ["Authorization", "...", ...] */
		if (f->index % 2 == 1 && f->name.at != NULL && role == ROLE_TEXT)
			role = header_role(f->name.at + 1, f->name.len - 2, &kind);
		f->name = raw.at[0] == '"' && f->index % 2 == 0 ? raw : (struct span){0};
		f->index++;
	}
	if (raw.at[0] == '"')
		read_string(w, raw, role, kind ? kind : "COOKIE");
	else if (raw.at[0] != 't' && raw.at[0] != 'f' && raw.at[0] != 'n' && role == ROLE_SECRET)
		read_number(w, raw, kind);
}

static void
push(struct walk *w, bool object)
{
	static const char *const parts[] = {"value", "access", "refresh", "current", "new", "old",
	    "text", "raw", "plain", "plaintext", "s", "id", "token", NULL};
	const struct frame *up = w->depth > 0 ? &w->stack[w->depth - 1] : NULL;
	struct frame f = {.object = object};

	if (up != NULL && up->object) {
		const char *kind;
		enum role role = header_role(up->key.at + 1, up->key.len - 2, &kind);
		if (kind != NULL && strcmp(kind, "COOKIE") == 0)
			role = ROLE_HIDE;
		if (key_is(up->key, "cookies"))
			f.inherit = ROLE_HIDE, f.kind = object ? "COOKIE" : NULL;
		else if (kind != NULL && !object)
			f.inherit = role, f.kind = kind;
		else if (up->inherit == ROLE_SECRET && key_in(up->key, parts))
			f.inherit = ROLE_SECRET, f.kind = up->kind;
	} else if (up != NULL) {
		/* The elements of cookies: [{name, value}]. */
		f.inherit = up->inherit;
		f.kind = up->kind;
	}
	if (w->depth == w->size) {
		w->size = w->size ? w->size * 2 : 32;
		w->stack = prog_resize(w->stack, w->size, sizeof *w->stack);
	}
	w->stack[w->depth++] = f;
}

static void
pop(struct walk *w)
{
	struct frame f = w->stack[--w->depth];

	if (!f.object)
		return;
	neighbours(w, &f);
	struct frame *up = w->depth > 0 ? &w->stack[w->depth - 1] : NULL;
	if (up == NULL || !up->object || !key_is(up->key, "params"))
		return;
	up->inner = f.value;
	if (up->field_kind == NULL)
		up->field_kind = f.field_kind;
}

static const char *
string_end(const char *p, const char *end)
{
	for (p++; p < end; p++) {
		p = memchr(p, '"', (size_t)(end - p));
		if (p == NULL)
			return end;
		const char *slash = p;
		while (slash[-1] == '\\')
			slash--;
		if ((p - slash) % 2 == 0)
			return p + 1;
	}
	return end;
}

/* doc is checked JSON; one pass, each byte looked at once. */
static void
read_json(struct secrets *s, struct span doc, size_t base, int layer, struct edits *out)
{
	struct walk w = {s, out, doc.at, base, layer + 1, NULL, 0, 0};
	const char *p = doc.at, *end = doc.at + doc.len;

	while (p < end) {
		struct frame *f = w.depth > 0 ? &w.stack[w.depth - 1] : NULL;
		const char *from = p;
		switch (*p) {
		case '{':
		case '[': push(&w, *p++ == '{'); break;
		case '}':
		case ']':
			pop(&w);
			p++;
			break;
		case ',':
			if (f != NULL)
				f->key.at = NULL;
			p++;
			break;
		case ':':
		case ' ':
		case '\n':
		case '\r':
		case '\t': p++; break;
		case '"':
			p = string_end(p, end);
			if (f != NULL && f->object && f->key.at == NULL) {
				f->key = (struct span){from, (size_t)(p - from)};
				break;
			}
			if (f == NULL)
				read_string(
				    &w, (struct span){from, (size_t)(p - from)}, ROLE_TEXT, NULL);
			else
				member(&w, f, (struct span){from, (size_t)(p - from)});
			break;
		default:
			while (p < end && !strchr(",]} \n\r\t", *p))
				p++;
			if (f != NULL)
				member(&w, f, (struct span){from, (size_t)(p - from)});
		}
	}
	free(w.stack);
}

bool
secrets_find(struct secrets *s, const char *text, size_t len, struct edits *edits)
{
	s->limit = false;
	read_text(s, text, len, 0, 0, edits);
	edits_settle(edits);
	return !s->limit;
}

size_t
secrets_tag(const char *text, size_t len)
{
	static const char start[] = "[REDACTED:";
	size_t i = sizeof start - 1;

	if (len < i || memcmp(text, start, i) != 0)
		return 0;
	while (i < len && ((text[i] >= 'A' && text[i] <= 'Z') || text[i] == '_'))
		i++;
	if (i == sizeof start - 1)
		return 0;
	if (i < len && (text[i] == '#' || text[i] == '~')) {
		size_t from = ++i;
		while (i < len &&
		       ((text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'z')))
			i++;
		if (i == from)
			return 0;
	}
	return i < len && text[i] == ']' ? i + 1 : 0;
}
