/* Names and values: headers, cookies, parameters, assignments. */
#define _GNU_SOURCE /* memmem, which POSIX has since 2024 */
#include "reading.h"

#include "names.h"
#include "worth.h"

enum { NAME_MAX_LEN = 80 };

struct name {
	size_t from, to;
	char quote;     /* around the name, 0: none */
	size_t slashes; /* before that quote */
	char before;    /* the byte on its left, 0: the text begins */
	char wrap;      /* a quote that opens just before the name and holds the whole pair */
};

/* The name that ends before the separator at. */
static bool
name_before(const struct reading *r, size_t at, struct name *name)
{
	const char *t = r->t;
	size_t i = at, floor = at > NAME_MAX_LEN ? at - NAME_MAX_LEN : 0;

	*name = (struct name){0};
	while (i > floor && is_blank(t[i - 1]))
		i--;
	if (i > floor + 1 && t[i - 1] == ']' && is_quote(t[i - 2])) /* headers["X-Api-Key"] = */
		i--;
	if (i > floor && t[i - 1] == ')') { /* Password (required): */
		size_t open = i;
		while (open > floor && i - open < 24 && t[open - 1] != '(' && t[open - 1] != '\n')
			open--;
		if (open > floor + 1 && t[open - 1] == '(' && is_blank(t[open - 2]))
			i = open - 2;
	}
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
size_t
reading_quoted_end(const struct reading *r, size_t from, char quote, size_t slashes)
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

/* Does a new pair, or nothing, begin behind the delimiter at i - 1? */
static bool
starts_pair(const struct reading *r, size_t i)
{
	bool blanks = r->t[i - 1] == ';'; /* "Connection Timeout=30" */
	size_t from = i;

	while (i < r->n && is_blank(r->t[i]))
		i++;
	if (i == r->n || is_space(r->t[i]))
		return true;
	while (i < r->n && i - from < 64 &&
	       (is_name(r->t[i]) || r->t[i] == '%' || (blanks && r->t[i] == ' ')))
		i++;
	return i > from && i < r->n && (r->t[i] == '=' || r->t[i] == '&');
}

/* "password:!0,token:e.token": does a name and a colon begin at i? */
static bool
starts_member(const struct reading *r, size_t i)
{
	size_t from = i;

	while (i < r->n && i - from < 32 && is_word(r->t[i]))
		i++;
	return i > from && i < r->n && r->t[i] == ':';
}

static bool
ends_bare(const struct reading *r, size_t from, size_t i, char wrap)
{
	const char *t = r->t;
	char c = t[i], next = i + 1 < r->n ? t[i + 1] : '\0';

	switch (c) {
	case ' ':
	case '\t':
	case '\n':
	case '\r':
	case '\0':
	case '"':
	case '<':
	case '>':
	case '|':
	case '`': return true;
	case '\'': return wrap == c || i == from || !is_word(next);
	case '\\':
		return next == 'n' || next == 'r' || next == 't' || next == '\\' || is_quote(next);
	case ',':
	case ';':
	case '&':
		return !is_word(next) || starts_pair(r, i + 1) ||
		       (c == ',' && starts_member(r, i + 1));
	case '#': return i > from && starts_pair(r, i + 1);
	case ')':
	case ']':
	case '}':
		return !is_word(next) &&
		       (i - from > 512 || !memchr(t + from, c == ')' ? '(' : c - 2, i - from));
	default: return c == wrap && wrap != 0;
	}
}

/* The end of a value without quotes. */
static size_t
bare_end(struct reading *r, size_t from, char wrap)
{
	const char *t = r->t;
	size_t i = from;

	if (from > r->bare && from < r->bare_end)
		return r->bare_end;
	while (i < r->n) {
		size_t tag = t[i] == '[' ? secrets_tag(t + i, r->n - i) : 0;
		if (tag == 0 && !is_b64(t[i]) && ends_bare(r, from, i, wrap))
			break;
		i += tag > 0 ? tag : 1;
	}
	r->bare = from;
	r->bare_end = i;
	while (
	    i > from + 1 && (t[i - 1] == '.' || t[i - 1] == ',') && (i == r->n || is_space(t[i])))
		i--;
	return i;
}

/* The end of a header's value: of the line, of the quotes around it, or a written \n or \r. */
size_t
reading_line_end(const struct reading *r, size_t from, char wrap)
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

/* ", sid=...": Set-Cookie headers joined into one; the comma of a date has a blank before any '='.
 */
static bool
starts_cookie(const char *t, size_t comma, size_t to)
{
	size_t i = comma + 1;

	if (t[comma] != ',')
		return false;
	while (i < to && is_blank(t[i]))
		i++;
	while (i < to && !is_space(t[i]) && !strchr("=;,\"", t[i]))
		i++;
	return i > comma + 1 && i < to && t[i] == '=';
}

/* host, subdomains, path, SECURE, expiry, name, value: a line of curl's and wget's cookie files. */
void
reading_cookie_line(struct reading *r, size_t from, size_t to)
{
	const char *t = r->t;
	size_t path = from, i = to + 1, digits = i, name, end;

	while (path > 0 && from - path < 300 && t[path - 1] != '\n' &&
	       !(t[path - 1] == '\t' && path < from))
		path--;
	if (path == from || t[from - 1] != '\t' || t[path] != '/')
		return;
	while (i < r->n && t[i] >= '0' && t[i] <= '9')
		i++;
	if (i == digits || i - digits > 20 || i == r->n || t[i] != '\t')
		return;
	for (name = ++i; i < r->n && !is_space(t[i]);)
		i++;
	if (i == name || i == r->n || t[i] != '\t')
		return;
	for (end = ++i; end < r->n && !is_space(t[end]);)
		end++;
	if (end > i)
		reading_found(r, i, end, "COOKIE");
}

void
reading_cookies(struct reading *r, size_t from, size_t to, bool only_first)
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
			reading_found(r, value, stop, "COOKIE");
		}
		/* The next one stands on a line of its own, or behind a comma. */
		while (only_first && end < to && t[end] != '\n' && !starts_cookie(t, end, to))
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
	    "secret", "key", "hash", "auth", "access_token", "jwt", "token_secret", "sig",
	    "client_token", "sentry_key", "sentry_secret"};
	bool any = false;

	for (size_t i = from; i < to;) {
		while (i < to && (is_space(r->t[i]) || r->t[i] == ',' || r->t[i] == ';'))
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
					 : r->t[i] != ',' && r->t[i] != ';' && !is_space(r->t[i])))
			i++;
		any = true;
		for (size_t k = 0; k < sizeof proofs / sizeof proofs[0]; k++)
			if (strlen(proofs[k]) == name_end - name &&
			    strncasecmp(proofs[k], r->t + name, name_end - name) == 0)
				reading_found(r, value, i, "SIGNATURE");
		if (r->done < i && i > value + 4)
			reading_token(r, value, value + 4); /* the key id of AWS's credential */
		while (i < to && (r->t[i] == '"' || r->t[i] == '\\'))
			i++;
	}
	return any;
}

void
reading_auth(struct reading *r, size_t from, size_t to)
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
		if (worth(t + from, to - from, "AUTH", WORTH_USED))
			reading_found(r, from, to, "AUTH");
		return;
	}
	if (read_auth_parameters(r, rest, to))
		return;
	struct reading inner = {
	    .s = r->s, .out = r->out, .t = t, .n = to, .base = r->base, .layer = r->layer};
	if (t[rest] == 'e' && reading_jwt(&inner, rest) == to)
		return;
	/* One word: what stands behind it on the line is not the header's. */
	for (size_t i = rest; i < to; i++)
		if (is_space(t[i]))
			to = i;
	const char *kind = word - from == 5 && strncasecmp(t + from, "basic", 5) == 0    ? "BASIC"
			   : word - from == 6 && strncasecmp(t + from, "bearer", 6) == 0 ? "BEARER"
											 : "AUTH";
	if (worth(t + rest, to - rest, kind, WORTH_USED))
		reading_found(r, rest, to, kind);
}

static enum role
role_of(const char *name, size_t len, const char *kind)
{
	if (kind == NULL)
		return ROLE_TEXT;
	if (strcmp(kind, "COOKIE") == 0 && (name[len - 1] | 0x20) == 'e')
		return (name[0] | 0x20) == 's' ? ROLE_SET_COOKIE : ROLE_COOKIE;
	return strcmp(kind, "AUTH") == 0 ? ROLE_AUTH : ROLE_SECRET;
}

/* The first and the last eight bytes; of a shorter name, all of it. */
static void
ends_of(const char *name, size_t len, uint64_t *first, uint64_t *last)
{
	uint32_t one, two;

	if (len >= 8) {
		memcpy(first, name, 8);
		memcpy(last, name + len - 8, 8);
	} else if (len >= 4) {
		memcpy(&one, name, 4);
		memcpy(&two, name + len - 4, 4);
		*first = one;
		*last = two;
	} else {
		*first = (unsigned char)name[0];
		*last = (uint64_t)(unsigned char)name[len / 2] << 8 | (unsigned char)name[len - 1];
	}
}

struct memo *
reading_memo(struct secrets *s, enum ask ask, const char *name, size_t len)
{
	static const char *(*const asks[])(const char *, size_t) = {[ASK_HEADER] = names_header,
	    [ASK_PARAMETER] = names_parameter,
	    [ASK_OPEN] = names_open};
	uint64_t first, last;

	if (len == 0 || len > MEMO_LEN) {
		s->long_memo.kind = asks[ask](name, len);
		s->long_memo.role = role_of(name, len, s->long_memo.kind);
		s->long_memo.marks = 0;
		return &s->long_memo;
	}
	ends_of(name, len, &first, &last);
	uint64_t hash = (first * 31 + last + len * 2 + (uint64_t)ask) * 0x9e3779b97f4a7c15u;
	struct memo *memo = &s->memo[hash >> 53];
	if (memo->first != first || memo->last != last || memo->len != len || memo->ask != ask ||
	    (len > 16 && memcmp(memo->name, name, len) != 0)) {
		memo->first = first;
		memo->last = last;
		memo->len = (uint8_t)len;
		memo->ask = (uint8_t)ask;
		memo->marks = 0;
		memcpy(memo->name, name, len);
		memo->kind = asks[ask](name, len);
		memo->role = role_of(name, len, memo->kind);
	}
	return memo;
}

const char *
reading_kind(struct secrets *s, enum ask ask, const char *name, size_t len)
{
	return reading_memo(s, ask, name, len)->kind;
}

enum role
reading_role_of(const struct memo *memo, const char **kind)
{
	*kind = memo->kind;
	return memo->role;
}

enum role
reading_role(struct secrets *s, const char *name, size_t len, const char **kind)
{
	return reading_role_of(reading_memo(s, ASK_HEADER, name, len), kind);
}

/*
 * The neighbour of a "value": what "name" (or "key") right before it, or right behind it, says; for
 * pretty-printed JSON and for inspect()'s { name: 'x', value: 'y' }.  False: none.
 */
static bool
is_filler(char c)
{
	return is_space(c) || is_quote(c) || c == ',' || c == '\\' || c == ':' || c == '=';
}

static bool
is_name_key(const char *t, size_t n)
{
	return is_word_like(t, n, "name") || is_word_like(t, n, "key");
}

static bool
sibling(const struct reading *r, size_t key_from, size_t value_to, struct name *name)
{
	const char *t = r->t;
	size_t i = key_from, floor = i > 160 ? i - 160 : 0, end;

	while (i > floor && is_filler(t[i - 1]))
		i--;
	name->to = i;
	while (i > floor && is_name(t[i - 1]))
		i--;
	name->from = i;
	while (i > floor && is_filler(t[i - 1]))
		i--;
	end = i;
	while (i > floor && is_word(t[i - 1]))
		i--;
	if (name->to > name->from && end < name->from && is_name_key(t + i, end - i))
		return true;
	size_t most = value_to + 160 < r->n ? value_to + 160 : r->n;
	for (i = value_to; i < most && is_filler(t[i]);)
		i++;
	for (end = i; end < most && is_word(t[end]);)
		end++;
	if (!is_name_key(t + i, end - i))
		return false;
	for (i = end; i < most && is_filler(t[i]);)
		i++;
	name->from = i;
	while (i < most && is_name(t[i]))
		i++;
	name->to = i;
	return name->from > end && name->to > name->from;
}

/* - name: DB_PASSWORD, and value: on the next line. */
static bool
on_next_line(const struct reading *r, const struct name *near, const struct name *name)
{
	return near->to < name->from &&
	       memchr(r->t + near->to, '\n', name->from - near->to) != NULL;
}

/* <button name="password" value="reset">, <option ...>: the value is one of several. */
static bool
in_choice(const struct reading *r, size_t at)
{
	size_t floor = at > 200 ? at - 200 : 0, i = at;

	while (i > floor && r->t[i - 1] != '<' && r->t[i - 1] != '>')
		i--;
	return i > floor && r->t[i - 1] == '<' && r->n - i > 6 &&
	       (strncasecmp(r->t + i, "button", 6) == 0 || strncasecmp(r->t + i, "option", 6) == 0);
}

/* Content-Disposition: form-data; name="password", an empty line, the value (RFC 7578). */
static void
multipart(struct reading *r, size_t from, size_t to)
{
	const char *t = r->t, *kind = reading_kind(r->s, ASK_PARAMETER, t + from, to - from);
	size_t i = to, lines = 0;
	bool empty = false;

	size_t floor = from > 160 ? from - 160 : 0;

	if (kind == NULL || memmem(t + floor, from - floor, "form-data", 9) == NULL)
		return;
	while (i < r->n && lines < 4) {
		while (i < r->n && t[i] != '\n')
			i++;
		i++;
		size_t line = i;
		while (i < r->n && t[i] == '\r')
			i++;
		if (i < r->n && t[i] == '\n') {
			i++;
			empty = true;
			break;
		}
		i = line;
		lines++;
	}
	if (!empty)
		return;
	size_t value = i;
	while (i < r->n && !(t[i] == '\n' && (i + 2 >= r->n || memcmp(t + i + 1, "--", 2) == 0)))
		i++;
	while (i > value && (t[i - 1] == '\r' || t[i - 1] == '\n'))
		i--;
	if (i > value && worth(t + value, i - value, kind, WORTH_TOLD))
		reading_found(r, value, i, kind);
}

/* PuTTY's own format: so many lines of base64 follow. */
static void
putty(struct reading *r, size_t i)
{
	const char *t = r->t;
	size_t lines = 0;

	while (i < r->n && (is_blank(t[i]) || (t[i] >= '0' && t[i] <= '9')))
		lines = is_blank(t[i]) ? lines : lines * 10 + (size_t)(t[i] - '0'), i++;
	while (i < r->n && is_space(t[i]))
		i++;
	size_t from = i;
	for (; i < r->n && lines > 0; i++)
		lines -= t[i] == '\n';
	while (i > from && is_space(t[i - 1]))
		i--;
	reading_found(r, from, i, "PRIVATE_KEY");
}

/* The kind that a name of several words has: "API key: ...", "mot de passe : ...". */
static const char *
label(const struct reading *r, const struct name *name)
{
	size_t from = name->from, floor = from > 40 ? from - 40 : 0;

	while (from > floor && (r->t[from - 1] == ' ' || is_name(r->t[from - 1])))
		from--;
	return names_kind(r->t + from, name->to - from);
}

/* Where the value begins, behind the separator at i: past := and => and == and blanks. */
static size_t
value_start(const struct reading *r, size_t i)
{
	const char *t = r->t;
	size_t from = i + 1;

	while (from < r->n && is_blank(t[from]))
		from++;
	if (t[i] == ':' && from < r->n && t[from] == '=')
		from++;
	while (t[i] == '=' && from < r->n && from < i + 4 &&
	       (t[from] == '=' || t[from] == '>' || t[from] == '~'))
		from++;
	while (from < r->n && is_blank(t[from]))
		from++;
	return from;
}

static void
quoted_number(struct reading *r, const struct name *name, size_t from, size_t to, const char *kind)
{
	reading_found(r, from, to, kind);
	struct edit *last = r->out->count > 0 ? &r->out->list[r->out->count - 1] : NULL;
	if (last != NULL && last->from == r->base + from && last->form == EDIT_TAG) {
		last->form = EDIT_QUOTED;
		last->slashes = name->slashes;
	}
}

/* localStorage.token = '...', sessionStorage["token"] = '...', httpCredentials: { password: '...' }
 */
static bool
is_used(const struct reading *r, const struct name *name)
{
	size_t to = name->to, from = name->from > 12 ? name->from - 12 : 0,
	       far = name->from > 96 ? name->from - 96 : 0;

	return memmem(r->t + from, to - from, "Storage", 7) != NULL ||
	       memmem(r->t + far, to - far, "httpCredentials", 15) != NULL;
}

/* x-api-key: what a browser sends under such a name is a credential, whatever it looks like. */
static bool
is_header(const char *name, size_t len)
{
	static const char *const names[] = {"apikey", "api-key", "private-token", "job-token",
	    "deploy-token", "circle-token", "ocp-apim-subscription-key", "dd-api-key",
	    "cf-access-client-secret"};

	if (len > 4 && strncasecmp(name, "x-", 2) == 0)
		return true;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (is_word_like(name, len, names[i]))
			return true;
	return false;
}

/* The value [from, to) is all there is on the line, or in the quotes around the header. */
static bool
fills_line(const struct reading *r, size_t to)
{
	while (to < r->n && is_blank(r->t[to]))
		to++;
	return to == r->n || r->t[to] == '\n' || r->t[to] == '\r' || r->t[to] == '\\' ||
	       is_quote(r->t[to]);
}

/* sha256=..., v0=..., t=1700000000,v1=...: where the signature begins. */
static size_t
signature_start(const struct reading *r, size_t from, size_t to)
{
	for (size_t i = from; i < to && i - from < 16; i++) {
		if (!is_word(r->t[i]) && (r->t[i] != '=' && r->t[i] != ','))
			break;
		if (!is_word(r->t[i]) && to - i > 16)
			from = i + 1;
	}
	return from;
}

/* ;jsessionid=...?page=2: where the path ends. */
static size_t
before_query(const struct reading *r, size_t from, size_t to)
{
	for (size_t i = from; i < to;) {
		size_t tag = r->t[i] == '[' ? secrets_tag(r->t + i, r->n - i) : 0;
		if (r->t[i] == '?' || r->t[i] == '#')
			return i;
		i += tag > 0 ? tag : 1;
	}
	return to;
}

/* let password: String = "...": past the type, to the quote. */
static size_t
past_type(const struct reading *r, size_t to)
{
	const char *t = r->t;
	size_t i = to;

	while (i < r->n && is_blank(t[i]))
		i++;
	if (i == to || i + 2 >= r->n || t[i] != '=')
		return 0;
	for (i++; i < r->n && is_blank(t[i]);)
		i++;
	return i < r->n && is_quote(t[i]) ? i : 0;
}

/* Expected: "...", Received: "..." of toHaveValue() on a field that tells: what the field is. */
static const char *
expectation(const struct reading *r, const struct name *name)
{
	static const char locator[] = "Locator:", method[] = "toHaveValue";
	size_t len = name->to - name->from, from = name->from > 600 ? name->from - 600 : 0;
	const char *t = r->t + from, *line;

	if (len != 8 || (memcmp(r->t + name->from, "Expected", 8) != 0 &&
			    memcmp(r->t + name->from, "Received", 8) != 0))
		return NULL;
	if (memmem(t, name->from - from, method, sizeof method - 1) == NULL ||
	    (line = memmem(t, name->from - from, locator, sizeof locator - 1)) == NULL)
		return NULL;
	size_t at = (size_t)(line - r->t);
	return names_within(line, reading_line_end(r, at, 0) - at);
}

/* A name and a separator at i: find the value and judge it. */
void
reading_pair(struct reading *r, size_t i)
{
	const char *t = r->t, *kind;
	struct name name;
	size_t from, to;

	if (i < r->pairs_done || !name_before(r, i, &name))
		return;
	if (name.to - name.from > 4 && t[name.from] == '-' && t[name.from + 1] == 'D')
		name.from += 2; /* -Dpassword=... of java and mvn */
	size_t len = name.to - name.from;
	/* pw:api is Playwright's own */
	if (len < 3 && t[i] == ':' && name.quote == 0 && i + 1 < r->n && !is_blank(t[i + 1]))
		return;
	bool tight = t[i] == '=' && i + 1 < r->n && !is_space(t[i + 1]) && name.to == i;
	bool in_url =
	    name.quote == 0 && tight && (name.from == 0 || strchr("?&#;~", name.before) != NULL);
	enum role role = reading_role_of(
	    reading_memo(r->s, in_url ? ASK_PARAMETER : ASK_HEADER, t + name.from, len), &kind);
	if (kind == NULL && name.quote == 0 && t[i] == ':' && name.before == ' ' &&
	    reading_kind(r->s, ASK_OPEN, t + name.from, len) != NULL)
		kind = label(r, &name), role = ROLE_SECRET;
	bool value_key = kind == NULL && (is_word_like(t + name.from, len, "value") ||
					     is_word_like(t + name.from, len, "name") ||
					     is_word_like(t + name.from, len, "private-lines"));
	if (kind == NULL && !value_key) {
		kind = t[i] == ':' ? expectation(r, &name) : NULL;
		role = ROLE_SECRET;
	}
	if (kind == NULL && !value_key)
		return;
	from = value_start(r, i);
	size_t slashes = 0;
	while (from + slashes < r->n && t[from + slashes] == '\\')
		slashes++;
	bool quoted =
	    from + slashes < r->n && is_quote(t[from + slashes]) && name.wrap != t[from + slashes];
	if (quoted) {
		char quote = t[from + slashes];
		from += slashes + 1;
		to = reading_quoted_end(r, from, quote, slashes);
	} else {
		to = bare_end(r, from, name.wrap);
		if (in_url && name.before == ';')
			to = before_query(r, from, to);
		size_t typed = t[i] == ':' && name.quote == 0 ? past_type(r, to) : 0;
		if (typed > 0) {
			quoted = true;
			from = typed + 1;
			to = reading_quoted_end(r, from, t[typed], 0);
		}
		if (t[i] == '=' && i + 2 < r->n && t[i + 1] == '=' && is_blank(t[i + 2])) /* code */
			return;
		/* TOKEN= NEXT=x: an empty value of a shell. */
		if (t[i] == '=' && !tight && name.to == i && to < r->n && t[to] != '\n' &&
		    memchr(t + from, '=', to - from) != NULL && is_word(t[from]))
			return;
	}
	if (value_key) {
		struct name near;
		if (len == 13) {
			putty(r, i + 1);
			return;
		}
		if (len == 4) {
			if (quoted && t[i] == '=' && (name.before == ' ' || name.before == ';'))
				multipart(r, from, to);
			return;
		}
		if (!sibling(r, name.from, to, &near) ||
		    (!quoted && !on_next_line(r, &near, &name)) || (t[i] == '=' && in_choice(r, i)))
			return;
		role = reading_role(r->s, t + near.from, near.to - near.from, &kind);
		if (kind == NULL)
			return;
	}
	if (strcmp(kind, "SIGNATURE") == 0 && t[i] == ':') {
		for (to = from;
		     to < r->n && to - from < 512 && !is_space(t[to]) && !is_quote(t[to]);)
			to++;
		from = signature_start(r, from, to);
	}
	if (role == ROLE_AUTH || role == ROLE_COOKIE || role == ROLE_SET_COOKIE) {
		if (role == ROLE_COOKIE && t[i] == '=' && quoted && name.before != '.' &&
		    len == strlen("document.cookie"))
			role = ROLE_SET_COOKIE;
		else if (name.quote != 0 && !quoted) /* code: a variable, a call */
			return;
		if (in_url || (t[i] == '=' && role != ROLE_AUTH && role != ROLE_SET_COOKIE))
			role = ROLE_SECRET;
		else if (!quoted)
			to = reading_line_end(r, from, name.wrap);
	}
	if (to <= from)
		return;
	switch (role) {
	case ROLE_AUTH: reading_auth(r, from, to); break;
	case ROLE_COOKIE: reading_cookies(r, from, to, false); break;
	case ROLE_SET_COOKIE: reading_cookies(r, from, to, true); break;
	default: role = ROLE_SECRET;
	}
	if (role != ROLE_SECRET) {
		r->pairs_done = to;
		return;
	}
	bool header = t[i] == ':' && is_header(t + name.from, len) &&
		      (quoted || (name.quote == 0 && fills_line(r, to)));
	enum worth_manner manner = (quoted && (value_key || is_used(r, &name))) || header
				       ? WORTH_USED
				   : quoted ? WORTH_QUOTED
				   : in_url ? WORTH_URL
				   : tight  ? WORTH_TIGHT
					    : WORTH_LOOSE;
	bool number = !quoted && name.quote == '"' && strspn(t + from, "0123456789") >= to - from;
	if (number && worth(t + from, to - from, kind, WORTH_NUMBER))
		quoted_number(r, &name, from, to, kind);
	else if (!number && worth(t + from, to - from, kind, manner))
		reading_found(r, from, to, kind);
}

/*
 * scheme://user:password@host: the part between the colon and the last '@' before the host.  A
 * password may hold '@' and '/' as they are.
 */
void
reading_userinfo(struct reading *r, size_t colon)
{
	const char *t = r->t;
	size_t from = colon + 3, pass = 0;

	if (from >= r->url_end) {
		r->url_at = 0;
		for (r->url_end = from; r->url_end < r->n; r->url_end++) {
			char c = t[r->url_end];
			if (is_space(c) || is_quote(c) || c == '<' || c == '>' || c == '\\' ||
			    c == '\0')
				break;
			if (c == '@')
				r->url_at = r->url_end;
		}
	}
	size_t at = r->url_at;
	/* http://a:http://a:...@: the first password holds what follows. */
	if (at <= from || at == r->url_found)
		return;
	for (size_t i = from; i < at && pass == 0; i++) {
		if (t[i] == ':')
			pass = i + 1;
		else if (t[i] == '/' || t[i] == '?' || t[i] == '#')
			return;
	}
	if (pass == 0) {
		/* A token alone: https://ghp_xyz@github.com */
		if (at - from >= 20 && worth(t + from, at - from, "TOKEN", WORTH_URL))
			reading_found(r, from, at, "TOKEN");
		return;
	}
	/* Digits and a slash: the colon is a port's, and the '@' is of the path. */
	size_t digits = pass;
	while (digits < at && t[digits] >= '0' && t[digits] <= '9')
		digits++;
	if (digits > pass && digits < at &&
	    (t[digits] == '/' || t[digits] == '?' || t[digits] == '#'))
		return;
	if (pass < at && !worth_placeholder(t + pass, at - pass)) {
		reading_found(r, pass, at, "PASSWORD");
		r->url_found = at;
	}
}
