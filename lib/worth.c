#include "worth.h"

#include <string.h>
#include <strings.h>

#include "buf.h"
#include "digest.h"
#include "names.h"
#include "secrets.h"

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool
is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool
is_alpha(char c)
{
	return is_upper(c) || is_lower(c);
}

bool
worth_hex(char c)
{
	return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

static bool
equal(const char *value, size_t len, const char *word)
{
	return strlen(word) == len && strncasecmp(value, word, len) == 0;
}

static bool
one_of(const char *value, size_t len, const char *const *list)
{
	for (; *list != NULL; list++)
		if (equal(value, len, *list))
			return true;
	return false;
}

static bool
starts(const char *value, size_t len, const char *with)
{
	size_t n = strlen(with);

	return len >= n && strncasecmp(value, with, n) == 0;
}

bool
worth_tagged(const char *value, size_t len)
{
	bool any = false;

	for (size_t i = 0; i < len;) {
		size_t tag = secrets_tag(value + i, len - i);
		if (tag == 0 && value[i] != ' ')
			return false;
		any = any || tag > 0;
		i += tag > 0 ? tag : 1;
	}
	return any;
}

struct shape {
	size_t digits, upper, lower, blanks, others,
	    humps; /* humps: a letter's case changes upwards */
};

static struct shape
shape_of(const char *value, size_t len)
{
	struct shape s = {0};

	for (size_t i = 0; i < len; i++) {
		char c = value[i];
		if (is_digit(c))
			s.digits++;
		else if (is_upper(c))
			s.upper++, s.humps += i > 0 && is_lower(value[i - 1]);
		else if (is_lower(c))
			s.lower++;
		else if (c == ' ' || c == '\n' || c == '\t')
			s.blanks++;
		else
			s.others++;
	}
	return s;
}

/* Letters only, and not such as chance makes them: a word, an identifier, a dotted path. */
static bool
is_wordy(const char *value, size_t len, const struct shape *s)
{
	if (s->digits > 0)
		return false;
	for (size_t i = 0; i < len; i++)
		if (!is_alpha(value[i]) && !strchr("_.-/?!:;,()[]{}$<>|'\" ", value[i]))
			return false;
	return len < 12 || s->humps * 4 < len;
}

static bool
is_identifier(const char *value, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!is_alpha(value[i]) && value[i] != '_' && value[i] != '.')
			return false;
	return len > 0;
}

/* #d0d0d0: the colour of a token in an editor's theme. */
static bool
is_colour(const char *value, size_t len)
{
	if ((len != 4 && len != 7 && len != 9) || value[0] != '#')
		return false;
	for (size_t i = 1; i < len; i++)
		if (!worth_hex(value[i]))
			return false;
	return true;
}

bool
worth_nothing(const char *value, size_t len)
{
	static const char *const words[] = {"null", "true", "false", "undefined", "none", "nil",
	    "nan", "n/a", "na", "yes", "no", "on", "off", "string", "number", "boolean", "bool",
	    "int", "integer", "float", "any", "object", "array", "void", "unknown", "never", "text",
	    "password", "passwd", "secret", "token", "hidden", "masked", "filtered", "removed",
	    "omitted", "stripped", "required", "optional", "empty", "invalid", "missing", "expired",
	    "valid", "ok", "enabled", "disabled", "unset", "not set", "not-set", "todo", "tbd",
	    "changeme", "change_me", "change-me", "bearer", "basic", "digest", "redacted",
	    "placeholder", "example", "dummy", "default", "custom", "auto", "str", "varchar",
	    "current-password", "new-password", "one-time-code", "username", "email", "uuid", "jwt",
	    "apikey", "api_key", "api-key", "session", "cookie", "same-origin", "include", "omit",
	    "self", "admin_only", "no-check", "fetch", NULL};
	static const char *const code[] = {"process.env", "import.meta.env", "os.environ",
	    "os.getenv", "getenv", "env.", "env[", "ENV[", "System.getenv", "Deno.env", "secrets.",
	    "vars.", "config.", "this.", "self.", "props.", "params.", "req.", "request.",
	    "options.", "state.", "data.", "ctx.", NULL};
	if (len > 512)
		return false;
	struct shape s = shape_of(value, len);
	if (len == 0 || one_of(value, len, words) || worth_tagged(value, len))
		return true;
	/* One character again and again: ****, xxxxxxxx, ......, and bullets. */
	size_t unit = (unsigned char)value[0] >= 0xe0 ? 3 : (unsigned char)value[0] >= 0xc0 ? 2 : 1;
	size_t i = unit;
	while (i + unit <= len && memcmp(value, value + i, unit) == 0)
		i += unit;
	if (i == len && (len > unit || !is_digit(value[0])))
		return !is_digit(value[0]) || len < 4;
	/* Masks, with or without what they leave to see: sk-****, xxxx-xxxx, abc...xyz */
	size_t stars = 0, crosses = 0;
	for (i = 0; i < len; i++) {
		stars += value[i] == '*' || (unsigned char)value[i] == 0xe2;
		crosses += value[i] == 'x' || value[i] == 'X' || value[i] == '-' || value[i] == '_';
	}
	if (stars >= 3 && stars * 2 >= len / 2)
		return true;
	if (crosses == len || (len >= 12 && crosses * 4 >= len * 3))
		return true;
	char first = value[0], last = value[len - 1];
	if (len > 8 && memcmp(value, "&lt;", 4) == 0)
		return true;
	if ((first == '<' && last == '>') || (len > 3 && first == '{' && value[1] == '{') ||
	    (len > 2 && (first == '$' || first == '%' || first == '#') && value[1] == '{' &&
		last == '}') ||
	    (len > 2 && first == '$' && value[1] == '(') ||
	    (len > 2 && first == '%' && (last == '%' || value[1] == '(')) ||
	    (len > 2 && first == '{' && last == '}' && is_identifier(value + 1, len - 2)) ||
	    (first == '[' && last == ']' && s.digits == 0) ||
	    (first == '(' && last == ')' && s.digits == 0) ||
	    (len > 4 && first == '_' && value[1] == '_' && last == '_'))
		return true;
	/* $NAME, ${NAME:-}, %NAME */
	if (first == '$' && len > 2 && s.lower == 0 && s.upper > 1)
		return true;
	/* your-api-key, YOUR_TOKEN: in every manual, and in no request */
	if (len > 5 && len < 48 && s.digits == 0 && s.blanks == 0 && starts(value, len, "your") &&
	    (value[4] == '-' || value[4] == '_'))
		return true;
	for (i = 0; code[i] != NULL; i++)
		if (starts(value, len, code[i]) && s.blanks == 0)
			return true;
	return false;
}

bool
worth_placeholder(const char *value, size_t len)
{
	static const char *const prefixes[] = {"your", "my-", "my_", "insert", "replace", "change",
	    "enter", "placeholder", "dummy", "example", "sample", "some-", "some_", "the-", "put",
	    "add-", "test-", "fake", "mock", NULL};

	if (worth_nothing(value, len))
		return true;
	struct shape s = shape_of(value, len < 48 ? len : 48);
	if (s.digits == 0 && len < 48)
		for (size_t i = 0; prefixes[i] != NULL; i++)
			if (starts(value, len, prefixes[i]) && is_wordy(value, len, &s))
				return true;
	return false;
}

/* A sentence, not a passphrase. */
static bool
is_prose(const char *value, size_t len, const struct shape *s)
{
	static const char *const function_words[] = {"required", "must", "invalid", "is", "are",
	    "should", "characters", "least", "please", "incorrect", "enter", "forgot", "forgotten",
	    "your", "cannot", "not", "wrong", "expired", "missing", "match", "field", "the", "for",
	    "has", "was", "been", "you", "to", "of", "with", "does", "failed", "error", "use", "or",
	    "and", "a", "an", "in", "by", "from", "empty", "hier", "ist", "est", "requis", "bitte",
	    "ihr", "votre", NULL};
	size_t from = 0, hits = 0, words = 0;

	if (s->blanks == 0)
		return false;
	for (size_t i = 0; i <= len; i++) {
		if (i < len && (is_alpha(value[i]) || value[i] == '\''))
			continue;
		if (i > from) {
			words++;
			hits += one_of(value + from, i - from, function_words);
		}
		from = i + 1;
	}
	return hits > 1 || (hits == 1 && words <= 4) ||
	       (hits > 0 && s->digits == 0 && words > 5 && words < 12);
}

/* getPassword(), z.string().min(8), client[kSession], States.READ_16, /^[a-z]+$/: code. */
static bool
is_code(const char *value, size_t len)
{
	size_t i = 0, dots = 0, digits = 0;

	if (len > 1 && value[0] == '/' && (value[1] == '^' || value[1] == '[' || value[1] == '('))
		return true;
	while (i < len &&
	       (is_alpha(value[i]) || is_digit(value[i]) || value[i] == '_' || value[i] == '$' ||
		   (value[i] == '.' && i + 1 < len && !is_digit(value[i + 1])))) {
		dots += value[i] == '.';
		digits += is_digit(value[i]);
		i++;
	}
	if (i < 2 || is_digit(value[0]))
		return false;
	if (i < len)
		return value[i] == '(' || value[i] == '[';
	return dots > 0 && digits < 4 && len < 40;
}

/* user.password, d.value: what minified code assigns. */
static bool
is_member(const char *value, size_t len)
{
	size_t dots = 0;

	for (size_t i = 0; i < len; i++) {
		if (!is_alpha(value[i]) && value[i] != '.' && value[i] != '_' && value[i] != '$')
			return false;
		dots += value[i] == '.';
	}
	return dots > 0 && len < 40 && value[0] != '.' && value[len - 1] != '.';
}

static bool
is_vowel(char c)
{
	return strchr("aeiouyAEIOUY", c) != NULL;
}

/* Ed25519PrivateKey: words with capitals that can be pronounced, and digits at one place at most.
 */
static bool
is_type_name(const char *value, size_t len)
{
	size_t groups = 0, humps = 0, consonants = 0;

	for (size_t i = 0; i < len; i++) {
		if (!is_alpha(value[i]) && !is_digit(value[i]) && value[i] != '_')
			return false;
		groups += is_digit(value[i]) && (i == 0 || !is_digit(value[i - 1]));
		humps += is_upper(value[i]);
		bool begins = i == 0 || !is_alpha(value[i]) || is_vowel(value[i]) ||
			      (is_upper(value[i]) && is_lower(value[i - 1]));
		consonants = begins ? 0 : consonants + 1;
		if (consonants > 4)
			return false;
	}
	return len < 32 && groups <= 1 && !is_digit(value[0]) && humps * 3 <= len && humps > 0;
}

static bool
is_number(const char *value, size_t len)
{
	size_t i = len > 0 && value[0] == '-';

	for (; i < len; i++)
		if (!is_digit(value[i]) && value[i] != '.')
			return false;
	return len > 0;
}

/* "Confirm password", "Neues Passwort": what a form says beside the field, in a file of texts. */
static bool
is_label(const char *value, size_t len, const struct shape *s)
{
	const char *others = s->blanks > 0 ? " -.,:?!'*()" : "";

	if (len > 64 || s->digits > 0 || s->humps > 0)
		return false;
	for (size_t i = 0; i < len; i++)
		if (!is_alpha(value[i]) && (unsigned char)value[i] < 0x80 &&
		    strchr(others, value[i]) == NULL)
			return false;
	return s->blanks > 0 ? names_within(value, len) != NULL : names_kind(value, len) != NULL;
}

/* ^1.0.0, ~2.1.0: the version of a package that is called as the secret. */
static bool
is_version(const char *value, size_t len)
{
	size_t dots = 0, i = 1;

	if (len < 4 || (value[0] != '^' && value[0] != '~'))
		return false;
	for (; i < len && (is_digit(value[i]) || value[i] == '.'); i++)
		dots += value[i] == '.';
	return dots >= 1 && (i == len || value[i] == '-');
}

/* password=new_password, tokens = [(a, b)]: code. */
static bool
is_variable(const char *value, size_t len)
{
	return len > 0 &&
	       (strchr("[({", value[0]) != NULL ||
		   (is_identifier(value, len) && names_kind(value, len) != NULL)) &&
	       !worth_tagged(value, len);
}

/* 2026-01-31T08:00:00Z, also with its colons as %3A. */
static bool
is_date(const char *value, size_t len, const struct shape *s)
{
	for (size_t i = 0; i < len; i++)
		if (!is_digit(value[i]) && strchr("-:.+TZ%A", value[i]) == NULL)
			return false;
	return s->digits >= 8 && memchr(value, '-', len) != NULL;
}

static bool
is(const char *kind, const char *what)
{
	return strcmp(kind, what) == 0;
}

/* Letters and digits, or a case that jumps: made by a machine. */
static bool
is_random(const struct shape *s, size_t len, size_t least)
{
	return len >= least && s->blanks == 0 &&
	       ((s->digits > 0 && s->upper + s->lower > 0) || s->humps * 4 >= len ||
		   (s->digits >= least && len >= 2 * least));
}

bool
worth(const char *value, size_t len, const char *kind, enum worth_manner manner)
{
	while (len > 0 && (value[0] == ' ' || value[0] == '\n'))
		value++, len--;
	while (
	    len > 0 && (value[len - 1] == ' ' || value[len - 1] == '\n' || value[len - 1] == '\r'))
		len--;
	/* Judged by its beginning, or hostile text would be judged again and again. */
	size_t judged = len < 512 ? len : 512;
	/* A server took "Bearer fake-token" for a credential, and so might another; a password of
	 * a test is one too. */
	bool typed = manner == WORTH_USED || (manner == WORTH_TOLD && is(kind, "PASSWORD"));
	if ((typed ? worth_nothing(value, len) : worth_placeholder(value, len)) ||
	    is_version(value, len) || is_colour(value, len) ||
	    ((manner == WORTH_LOOSE || manner == WORTH_TIGHT) && is_variable(value, len)) ||
	    ((manner == WORTH_LOOSE || manner == WORTH_TIGHT) && is_code(value, judged) &&
		(manner == WORTH_LOOSE || memchr(value, '(', judged) ||
		    memchr(value, '[', judged))))
		return false;
	if (is(kind, "LOGIN"))
		return worth_scheme(value, len, "BASIC");
	struct shape s = shape_of(value, judged);
	bool number = len <= 64 && is_number(value, len), password = is(kind, "PASSWORD");

	if (manner == WORTH_NUMBER) {
		if (names_short(kind))
			return number && len >= 3 && !memchr(value, '.', len) &&
			       (!is(kind, "CODE") || len >= 4) && value[0] != '-';
		return password && len >= 4 && number && value[0] != '-';
	}
	bool told = manner == WORTH_USED || manner == WORTH_TOLD || manner == WORTH_QUOTED;
	if (told && (is(kind, "AUTH") || is(kind, "BASIC") || is(kind, "BEARER")))
		return len >= 3 && s.digits + s.upper + s.lower > 1 &&
		       !is_prose(value, judged, &s) && !starts(value, len, "${") &&
		       value[0] != '<' && value[0] != '{';
	/* What a URL has to hide, its own grammar finds. */
	if ((!password || !told) &&
	    (starts(value, len, "http://") || starts(value, len, "https://")))
		return false;
	if (manner == WORTH_URL) {
		if (is(kind, "CODE"))
			return (s.digits > 0 && s.upper + s.lower > 0 && len >= 8) || len >= 16 ||
			       (number && len >= 6);
		if (is(kind, "STATE") || is(kind, "KEY") || is(kind, "AUTH") || is(kind, "TICKET"))
			return is_random(&s, len, 12) && !is_date(value, judged, &s);
		if (is(kind, "SIGNATURE") || is(kind, "SAML"))
			return len >= 8 && !number;
	}
	if (is(kind, "SIGNATURE"))
		return len >= 16 && s.blanks == 0 && is_random(&s, len, 16);
	if (is(kind, "CODE") || is(kind, "OTP"))
		return len >= 4 && len < 200 && s.blanks < 3 &&
		       (s.digits >= 3 || (manner <= WORTH_TOLD && is_random(&s, len, 8))) &&
		       (manner < WORTH_TIGHT || s.blanks == 0);
	if (is(kind, "PIN") || is(kind, "CVV"))
		return number && len >= 3 && len <= 12;
	if (is(kind, "MNEMONIC"))
		return s.blanks >= 2 || len >= 12;
	if (is(kind, "ANSWER"))
		return len >= 2 && !is_prose(value, judged, &s);
	if (number)
		return password ? len >= 4 : len >= 10 && manner <= WORTH_TIGHT;
	if (is(kind, "SESSION") || is(kind, "AUTH") || is(kind, "COOKIE"))
		return (manner == WORTH_USED && len >= 6 && s.blanks == 0) ||
		       is_random(&s, len, 8) ||
		       (len >= 16 && s.blanks == 0 && !is_wordy(value, judged, &s));
	if (is_prose(value, judged, &s) || (manner != WORTH_USED && is_label(value, len, &s)))
		return false;
	if (password) {
		if (manner <= WORTH_TIGHT)
			return len >= 3 && !(manner == WORTH_TIGHT && is_member(value, judged));
		/* name: value in running text: a word is prose, or a type. */
		return len >= 4 && !is_wordy(value, judged, &s);
	}
	/* Tokens, keys and secrets. */
	if (manner == WORTH_LOOSE)
		return len >= 6 && s.blanks == 0 && !is_wordy(value, judged, &s) &&
		       !is_type_name(value, len);
	if (len < 6)
		return false;
	if (manner == WORTH_USED && s.blanks == 0)
		return true;
	if (manner == WORTH_TIGHT && is_member(value, judged))
		return false;
	return s.blanks == 0 ? !is_wordy(value, judged, &s) || len >= 20 || is(kind, "SECRET")
			     : is(kind, "SECRET");
}

bool
worth_random(const char *value, size_t len)
{
	struct shape s = shape_of(value, len);

	return len >= 6 && !worth_placeholder(value, len) && !is_code(value, len) &&
	       ((s.digits > 0 && s.upper + s.lower > 0) || is_random(&s, len, 12));
}

bool
worth_scheme(const char *value, size_t len, const char *kind)
{
	struct shape s = shape_of(value, len);

	if (worth_placeholder(value, len) || starts(value, len, "realm=") ||
	    starts(value, len, "error"))
		return false;
	if (is(kind, "BASIC")) {
		struct buf b = {0};
		bool good =
		    len >= 4 && base64_decode(&b, value, len) && memchr(b.data, ':', b.len) != NULL;
		buf_free(&b);
		return good;
	}
	if (is(kind, "BEARER"))
		return len >= 6 &&
		       (is_random(&s, len, 6) || (len >= 20 && !is_wordy(value, len, &s)));
	return len >= 16 && is_random(&s, len, 16);
}

/* ---- personal data ---- */

static bool
luhn(const char *digits, size_t len)
{
	unsigned sum = 0;

	for (size_t i = 0; i < len; i++) {
		unsigned d = (unsigned)(digits[len - 1 - i] - '0');
		if (i % 2 == 1)
			d = d * 2 > 9 ? d * 2 - 9 : d * 2;
		sum += d;
	}
	return sum % 10 == 0;
}

/* ISO 13616: the first four to the end, letters as 10 to 35, and the remainder by 97 is 1. */
static bool
mod97(const char *iban, size_t len)
{
	unsigned rest = 0;

	for (size_t i = 0; i < len; i++) {
		char c = iban[(i + 4) % len];
		unsigned v = is_digit(c) ? (unsigned)(c - '0') : (unsigned)((c & ~0x20) - 'A' + 10);
		rest = (rest * (v > 9 ? 100 : 10) + v) % 97;
	}
	return rest == 1;
}

static bool
is_edge(const char *text, size_t len, size_t from, size_t to)
{
	return (from == 0 || !(is_alpha(text[from - 1]) || is_digit(text[from - 1]))) &&
	       (to == len || !(is_alpha(text[to]) || is_digit(text[to])));
}

/* Digits from at on, one blank or dash between them allowed; the end. */
static size_t
digit_groups(const char *text, size_t len, size_t at, char *digits, size_t most, size_t *count)
{
	size_t i = at, end = at;

	*count = 0;
	while (i < len && *count < most) {
		if (is_digit(text[i])) {
			digits[(*count)++] = text[i++];
			end = i;
		} else if ((text[i] == ' ' || text[i] == '-') && i + 1 < len &&
			   is_digit(text[i + 1])) {
			i++;
		} else {
			break;
		}
	}
	return end;
}

static const char *
card(const char *text, size_t len, size_t from, size_t *end)
{
	char digits[20];
	size_t count, to = digit_groups(text, len, from, digits, sizeof digits, &count);

	if (count < 13 || count > 19 || !luhn(digits, count) || !is_edge(text, len, from, to))
		return NULL;
	/* Visa, Mastercard, American Express, Discover, Diners, JCB, Maestro, UnionPay */
	char a = digits[0], b = digits[1];
	bool issuer = a == '4' || (a == '5' && b >= '0' && b <= '8') ||
		      (a == '2' && b >= '2' && b <= '7') || (a == '3' && strchr("04678559", b)) ||
		      a == '6';
	if (!issuer || (from > 0 && (text[from - 1] == '.' || text[from - 1] == '-')))
		return NULL;
	*end = to;
	return "CARD";
}

static const char *
iban(const char *text, size_t len, size_t from, size_t *end)
{
	char compact[40];
	size_t n = 0, i = from;

	if (len - from < 15 || !is_upper(text[from]) || !is_upper(text[from + 1]) ||
	    !is_digit(text[from + 2]) || !is_digit(text[from + 3]))
		return NULL;
	size_t to = from, best = 0;
	while (i < len && n < 34) {
		if (is_upper(text[i]) || is_digit(text[i])) {
			compact[n++] = text[i++];
			to = i;
			if (n >= 15 && is_edge(text, len, from, to) && mod97(compact, n))
				best = to;
		} else if (text[i] == ' ' && i + 1 < len &&
			   (is_upper(text[i + 1]) || is_digit(text[i + 1]))) {
			i++;
		} else {
			break;
		}
	}
	*end = best;
	return best > 0 ? "IBAN" : NULL;
}

static const char *
phone(const char *text, size_t len, size_t from, size_t *start, size_t *end)
{
	char digits[20];
	size_t count, i = from;

	if (from == 0 || text[from - 1] != '+' ||
	    (from > 1 && (is_alpha(text[from - 2]) || is_digit(text[from - 2]))))
		return NULL;
	count = 0;
	size_t to = from;
	while (i < len && count < 16) {
		if (is_digit(text[i])) {
			digits[count++] = text[i++];
			to = i;
		} else if (strchr(" -().", text[i]) && text[i] != '\0' && i + 1 < len &&
			   (is_digit(text[i + 1]) || strchr("( ", text[i + 1]))) {
			i++;
		} else {
			break;
		}
	}
	if (count < 8 || count > 15 || digits[0] == '0')
		return NULL;
	*start = from - 1;
	*end = to;
	return "PHONE";
}

static const char *
email(const char *text, size_t len, size_t from, size_t to, size_t *start, size_t *end)
{
	size_t a = from, b, dot = 0;

	if (to >= len || text[to] != '@')
		return NULL;
	while (a > 0 && from - a < 64 &&
	       (is_alpha(text[a - 1]) || is_digit(text[a - 1]) ||
		   (text[a - 1] != '\0' && strchr("._%+-", text[a - 1]))))
		a--;
	while (a < from && strchr("._%+-", text[a]))
		a++;
	for (b = to + 1; b < len && (is_alpha(text[b]) || is_digit(text[b]) || text[b] == '.' ||
					text[b] == '-');
	     b++)
		if (text[b] == '.' && b > to + 1)
			dot = b;
	while (b > to + 1 && (text[b - 1] == '.' || text[b - 1] == '-'))
		b--;
	if (dot == 0 || b < dot + 3 || !is_alpha(text[dot + 1]))
		return NULL;
	*start = a;
	*end = b;
	return "EMAIL";
}

const char *
worth_personal(const char *text, size_t len, size_t from, size_t to, size_t *start, size_t *end)
{
	const char *kind;

	*start = from;
	if ((kind = email(text, len, from, to, start, end)) != NULL)
		return kind;
	if (is_digit(text[from]) && (kind = phone(text, len, from, start, end)) != NULL)
		return kind;
	if (is_digit(text[from]) && (kind = card(text, len, from, end)) != NULL)
		return kind;
	return iban(text, len, from, end);
}
