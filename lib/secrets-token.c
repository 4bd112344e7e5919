/* The tokens that their own shape gives away, and private keys. */
#define _GNU_SOURCE /* memmem, which POSIX has since 2024 */
#include "reading.h"

#include "digest.h"
#include "rules.h"
#include "worth.h"

bool
reading_decode(const char *t, size_t n, struct buf *out)
{
	struct buf copy = {0};

	while (n > 0 && t[n - 1] == '=')
		n--;
	buf_reserve(&copy, n + 4);
	for (size_t i = 0; i < n; i++)
		buf_byte(&copy, t[i] == '-' ? '+' : t[i] == '_' ? '/' : t[i]);
	while (copy.len % 4 != 0)
		buf_byte(&copy, '=');
	bool good = n % 4 != 1 && base64_decode(out, copy.data, copy.len);
	buf_free(&copy);
	return good;
}

/* The first part of a JWT is a JSON object (RFC 7519), and one of these is in a header. */
static bool
is_jose_header(const char *t, size_t n, bool *named)
{
	static const char *const members[] = {"\"alg\"", "\"typ\"", "\"enc\"", "\"kid\""};
	struct buf b = {0};
	size_t i = 1;

	*named = false;
	bool good = reading_decode(t, n < 512 ? n - (n % 4 == 1) : 512, &b) && b.len > 1 &&
		    b.data[0] == '{';
	while (good && i < b.len && is_space(b.data[i]))
		i++;
	good = good && i < b.len && b.data[i] == '"';
	for (size_t m = 0; good && m < sizeof members / sizeof members[0]; m++)
		*named = *named || memmem(b.data, b.len, members[m], strlen(members[m])) != NULL;
	buf_free(&b);
	return good;
}

/* Parts of base64url with dots between them: three are a JWT (RFC 7515), five a JWE (RFC 7516). */
size_t
reading_jwt(struct reading *r, size_t at)
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
	bool named;
	if (head < 10 || !is_jose_header(r->t + at, head, &named)) {
		r->jwt_done = at + head;
		return 0;
	}
	/* A sentence may end behind it; alg none ends with a dot of its own. */
	if (r->t[i - 1] == '.' && parts != 3)
		i--, parts--;
	if ((parts < 3 && !named) || (parts == 1 && head < 24)) {
		r->jwt_done = at + head;
		return 0;
	}
	reading_found(r, at, i, parts == 5 ? "JWE" : "JWT");
	return i;
}

/* Past blanks, line ends, and line ends as they are written in strings. */
static size_t
skip_breaks(const struct reading *r, size_t i)
{
	while (i < r->n) {
		bool written =
		    r->t[i] == '\\' && i + 1 < r->n && strchr("nr\\", r->t[i + 1]) != NULL;
		if (!written && !is_space(r->t[i]))
			break;
		i += written ? 2 : 1;
	}
	return i;
}

/*
 * How far the body of a key goes whose END is missing: over lines of base64 and over what RFC 1421
 * and PGP put before them ("DEK-Info: ...").
 */
size_t
reading_pem_body(const struct reading *r, size_t from)
{
	const char *t = r->t;
	size_t end = from;

	for (size_t i = skip_breaks(r, from); i < r->n; i = skip_breaks(r, i)) {
		size_t at = i;
		while (i < r->n && (is_b64(t[i]) || t[i] == '='))
			i++;
		bool header = i < r->n && t[i] == ':' && i > at;
		while (header && i < r->n && t[i] != '\n' && t[i] != '\\')
			i++;
		bool last =
		    i == r->n || t[i] == '\n' || t[i] == '\r' || t[i] == '\\' || is_quote(t[i]);
		if (!header && i - at < 40 && !(last && i > at))
			break;
		end = i;
		if (i < r->n && !is_space(t[i]) && t[i] != '\\')
			break;
	}
	return end;
}

/* From the BEGIN line of a private key to its END, or as far as the body goes. */
static size_t
pem(struct reading *r, size_t at)
{
	const char *t = r->t;
	size_t i = at + 6, rest = r->n - at < 64 ? r->n - at : 64;

	if (at < 5 || memcmp(t + at - 5, "-----", 5) != 0)
		return 0;
	const char *dashes = memmem(t + at, rest, "-----", 5);
	if (dashes == NULL || memmem(t + at, (size_t)(dashes - t) - at, "PRIVATE KEY", 11) == NULL)
		return 0;
	size_t line = (size_t)(dashes - t) + 5;
	const char *end = r->no_end ? NULL : memmem(t + line, r->n - line, "-----END", 8);
	r->no_end = end == NULL;
	size_t body = reading_pem_body(r, line);
	if (end == NULL && r->layer == 0 && skip_breaks(r, body) == r->n)
		r->s->pem_open = true;
	i = end != NULL ? (size_t)(end - t) : body;
	size_t from = skip_breaks(r, line);
	while (i > from && (is_space(t[i - 1]) || (i > from + 1 && t[i - 2] == '\\')))
		i -= is_space(t[i - 1]) ? 1 : 2;
	/* A stub such as "..." or "XXXX" is nobody's key. */
	size_t real = 0;
	for (size_t k = from; k < i; k++)
		real += is_b64(t[k]) && t[k] != 'X' && t[k] != 'x';
	if (real < 16)
		return 0;
	reading_found(r, from, i, "PRIVATE_KEY");
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
	while (from < r->n && is_blank(r->t[from]))
		from++;
	if (from == to || from - to > 4)
		return 0;
	size_t end = credentials(r, from);
	if (end <= from || !worth_scheme(r->t + from, end - from, kinds[which]))
		return 0;
	if (r->s->bucket[bucket_of(r->t + from)] != 0 || (r->t[from] == 'e' && end - from > 20)) {
		struct reading inner = {.s = r->s,
		    .out = r->out,
		    .t = r->t,
		    .n = r->n,
		    .base = r->base,
		    .layer = r->layer};
		size_t whole = reading_jwt(&inner, from);
		if (whole != 0) {
			r->done = whole;
			return whole;
		}
	}
	reading_found(r, from, end, kinds[which]);
	return end;
}

/* A literal may come up by chance in base64; there it follows a '+' or a '/' and a long run. */
static bool
inside_base64(const struct reading *r, size_t at)
{
	size_t i = at;

	if (at == 0 || (r->t[at - 1] != '/' && r->t[at - 1] != '+'))
		return false;
	while (i > 0 && at - i < 24 && is_b64(r->t[i - 1]))
		i--;
	return at - i == 24;
}

static size_t
by_rule(struct reading *r, size_t at)
{
	struct secrets *s = r->s;
	struct re_match m;

	if (inside_base64(r, at))
		return 0;
	for (size_t e = s->bucket[bucket_of(r->t + at)]; e != 0; e = s->entries[e].next) {
		const struct entry *entry = &s->entries[e];
		const struct rule *rule = &rules[entry->rule];
		if (r->n - at < entry->len ||
		    entry->literal[entry->len > 2 ? 2 : 1] != r->t[at + (entry->len > 2 ? 2 : 1)] ||
		    memcmp(r->t + at, entry->literal, entry->len) != 0)
			continue;
		switch (re_find(s->compiled[entry->rule], r->t, r->n, at, &m)) {
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
		size_t from = m.group[rule->group].from - rule->before,
		       to = m.group[rule->group].to;
		if (worth_placeholder(r->t + from, to - from))
			continue;
		reading_found(r, from, to, rule->kind);
		return to;
	}
	return 0;
}

/* Bearer, Basic, Token, ApiKey, Negotiate, NTLM: most words are none, and their letters say so. */
static bool
may_be_scheme(char first, char second)
{
	switch (first | 0x20) {
	case 'b': return (second | 0x20) == 'e' || (second | 0x20) == 'a';
	case 't': return (second | 0x20) == 'o';
	case 'a': return (second | 0x20) == 'p';
	case 'n': return (second | 0x20) == 'e' || (second | 0x20) == 't';
	default: return false;
	}
}

/* 32 hexadecimal digits and the name of a data centre. */
static size_t
mailchimp(struct reading *r, size_t at, size_t to)
{
	for (size_t i = at; i < to; i++)
		if (!worth_hex(r->t[i]))
			return 0;
	for (to += 3; to < r->n && r->t[to] >= '0' && r->t[to] <= '9';)
		to++;
	reading_found(r, at, to, "MAILCHIMP");
	return to;
}

/* 123456789:AA...: a bot's number, and what it proves itself with; also as /bot123456789:AA... */
void
reading_telegram(struct reading *r, size_t colon)
{
	const char *t = r->t;
	size_t from = colon, to = colon + 1;

	while (from > 0 && colon - from < 12 && t[from - 1] >= '0' && t[from - 1] <= '9')
		from--;
	while (to < r->n && (is_word(t[to]) || t[to] == '-' || t[to] == '_'))
		to++;
	if (colon - from >= 8 && colon - from <= 11 && to - colon >= 34)
		reading_found(r, from, to, "TELEGRAM");
}

/* Entra's client secrets: three characters, a digit, Q~, and 31 more. */
void
reading_entra(struct reading *r, size_t tilde)
{
	const char *t = r->t;
	size_t from = tilde - 5, to = tilde + 1;

	if (tilde < 5 || t[tilde - 1] != 'Q' || t[tilde - 2] < '0' || t[tilde - 2] > '9')
		return;
	while (to < r->n && (is_word(t[to]) || strchr("-_~.", t[to])) && t[to] != '\0')
		to++;
	if (to - tilde >= 30)
		reading_found(r, from, to, "AZURE");
}

/* A word [at, to) begins here: the end of the token that it begins, or 0. */
size_t
reading_token(struct reading *r, size_t at, size_t to)
{
	const char *t = r->t;
	size_t n = to - at, end;

	if (n < 2)
		return r->n - at > 2 && r->s->bucket[bucket_of(t + at)] ? by_rule(r, at) : 0;
	if (t[at] == 'e' && (t[at + 1] == 'y' || t[at + 1] == 'w') && n >= 4 && at >= r->jwt_done &&
	    (end = reading_jwt(r, at)))
		return end;
	if (r->s->bucket[bucket_of(t + at)] != 0 && (end = by_rule(r, at)) != 0)
		return end;
	if (n == 5 && memcmp(t + at, "BEGIN", 5) == 0)
		return pem(r, at);
	if (n == 32 && r->n - to > 4 && memcmp(t + to, "-us", 3) == 0 && t[to + 3] >= '0' &&
	    t[to + 3] <= '9')
		return mailchimp(r, at, to);
	if (n >= 4 && n <= 9 && to < r->n && is_blank(t[to]) && may_be_scheme(t[at], t[at + 1]))
		return scheme(r, at, to);
	return 0;
}
