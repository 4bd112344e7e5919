#define _GNU_SOURCE /* memmem, strncasecmp */
#include "claim.h"

#include <ctype.h>
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "buf.h"
#include "jvx.h"
#include "lexicon.h"
#include "prog.h"
#include "re.h"
#include "sieve.h"
#include "utf8.h"

enum { FOUND = 100, CITES = 200, PHRASE_BYTES = 160, SENTENCE_BYTES = 4000 };

static const char source_place[] =
    "(?<![\\w/:.@-])(?:[A-Za-z]:)?[\\w./"
    "\\\\@()\\[\\]+-]*\\w\\.(?:tsx?|jsx?|[mc][tj]s|vue|svelte|astro|py|java|kt|cs|"
    "rb|go|rs|php|html?|s?css|json|ya?ml|graphql|gql|feature|sh|md):[1-9][0-9]{0,6}(?:-[1-9][0-9]{"
    "0,6}|"
    ":[0-9]{1,5})?(?![\\w/])";
static const char reference[] =
    "(?<![\\w/.-])(?:test|error|action|route|console|page_error|request|body|"
    "snapshot|attachment|source|graphql|verdict|code|asked|warning|event|page|"
    "step|hook|socket|dialog|download|stdout|stderr|result):[0-9]{1,7}(?![\\w:])";

/* What waits in code; a group, where there is one, is the time. */
static const char wait_code[] = "\\b(?:wait_?for_?timeout(?:async)?|set_?timeout ?\\(|sleep "
				"?\\(|networkidle|network_idle|test\\.slow\\b|"
				"set_?default_?(?:navigation_?)?timeout|retries['\"]? ?[:=] ?[1-9]|"
				"[a-z]*time-?out['\"]? ?[:=] ?([0-9][0-9_.]*))";

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* The headings of lib/claims.yaml: the kinds of phrases, and what takes a phrase back. */
static const struct {
	enum claim_kind kind;
	const char *heading;
} kinds_of[] = {{CLAIM_TIMING, "timing"}, {CLAIM_SLOW_ELEMENT, "slow-element"},
    {CLAIM_API_SUCCEEDED, "api-succeeded"}, {CLAIM_WAIT, "wait"}};
enum helper {
	NEGATES,          /* what follows it in its clause */
	NO_DENIAL,        /* "not only a race": nothing is denied */
	SUPPOSES,         /* what follows it in its clause */
	REMOVES,          /* a wait */
	DENIED_AFTER,     /* behind the phrase, in its clause */
	TAKEN_BACK,       /* behind the phrase, in its sentence */
	USELESS,          /* behind a wait: it was tried, and is no proposal */
	BOUNDARY,         /* where a clause ends */
	BOUNDARY_REMOVAL, /* the same for what is removed: "replace the click with a wait" */
	HTTP_ONLY,        /* success was that of HTTP alone... */
	CONTRAST,         /* ... and the sentence says so */
	BELIEVED,         /* before a success: somebody takes it for granted */
	RULED_OUT,        /* at the head of a sentence: what comes is a list of what it was not */
	SOURCE_PLACE,
	REFERENCE,
	WAIT_CODE,
	HELPERS
};
static const char *const helper_headings[] = {"negates", "no-denial", "supposes", "removes",
    "denied-after", "taken-back", "useless", "boundary", "boundary-removal", "http-only",
    "contrast", "believed", "ruled-out"};

/* Compiled when it is first tried: an answer meets few of them. */
struct wording {
	enum claim_kind kind;
	char *pattern;
	struct re *re;
};

struct claims {
	struct wording *phrase;
	size_t count;
	struct sieve *sieve;
	size_t *passing;        /* room for what it lets through */
	struct wording *helper; /* HELPERS of them */
};

static void
read_phrases(struct claims *c, jv lexicon)
{
	for (size_t k = 0; k < COUNT(kinds_of); k++) {
		size_t count;
		char **rows = lexicon_rows(lexicon, kinds_of[k].heading, &count);
		c->phrase = prog_resize(c->phrase, c->count + count, sizeof *c->phrase);
		for (size_t i = 0; i < count; i++)
			c->phrase[c->count++] = (struct wording){kinds_of[k].kind, rows[i], NULL};
		free(rows);
	}
	char **patterns = prog_alloc(c->count, sizeof *patterns);
	for (size_t i = 0; i < c->count; i++)
		patterns[i] = c->phrase[i].pattern;
	c->sieve = sieve_new(patterns, c->count);
	c->passing = prog_alloc(c->count, sizeof *c->passing);
	free(patterns);
}

/* The rows of a helper are one pattern: the first place where any of them stands is meant. */
static char *
any_row(jv lexicon, const char *heading)
{
	struct buf b = {0};
	size_t count;
	char **rows = lexicon_rows(lexicon, heading, &count);

	for (size_t i = 0; i < count; i++) {
		buf_format(&b, "%s%s", i > 0 ? "|" : "", rows[i]);
		free(rows[i]);
	}
	free(rows);
	return b.data;
}

struct claims *
claims_new(void)
{
	struct claims *c = prog_alloc(1, sizeof *c);
	jv lexicon = lexicon_read("lib/claims.yaml");

	read_phrases(c, lexicon);
	c->helper = prog_alloc(HELPERS, sizeof *c->helper);
	for (size_t i = 0; i < COUNT(helper_headings); i++)
		c->helper[i].pattern = any_row(lexicon, helper_headings[i]);
	c->helper[SOURCE_PLACE].pattern = prog_copy(source_place, strlen(source_place));
	c->helper[REFERENCE].pattern = prog_copy(reference, strlen(reference));
	c->helper[WAIT_CODE].pattern = prog_copy(wait_code, strlen(wait_code));
	jv_free(lexicon);
	return c;
}

static void
free_wording(struct wording *w)
{
	free(w->pattern);
	re_free(w->re);
}

void
claims_free(struct claims *c)
{
	for (size_t i = 0; i < c->count; i++)
		free_wording(&c->phrase[i]);
	for (size_t i = 0; i < HELPERS; i++)
		free_wording(&c->helper[i]);
	sieve_free(c->sieve);
	free(c->phrase);
	free(c->helper);
	free(c->passing);
	free(c);
}

static struct re *
compiled(struct wording *w)
{
	char why[160];

	if (w->re != NULL)
		return w->re;
	w->re = re_new(w->pattern, strlen(w->pattern), RE_BYTES | RE_CASELESS, why, sizeof why);
	if (w->re == NULL)
		errx(TROUBLE, "lib/claims.yaml: %s: %s", why, w->pattern);
	return w->re;
}

static bool
found(struct wording *w, const char *text, size_t len, size_t at, size_t *from, size_t *to)
{
	struct re_match m;

	if (re_find(compiled(w), text, len, at, &m) != RE_YES)
		return false;
	*from = m.group[0].from;
	*to = m.group[0].to;
	return true;
}

static bool
says(struct wording *w, const char *text, size_t len)
{
	size_t from, to;

	return found(w, text, len, 0, &from, &to);
}

/* Typographic quotes made plain, marks (of emphasis) and runs of blanks removed; lines are kept. */
static void
normalise(const char *text, size_t len, const char *marks, struct buf *b)
{
	buf_reserve(b, len);
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		if (c == 0xe2 && len - i > 2 && (unsigned char)text[i + 1] == 0x80) {
			unsigned char d = (unsigned char)text[i + 2];
			if (d == 0x98 || d == 0x99) {
				buf_byte(b, '\'');
				i += 2;
				continue;
			}
			if (d == 0x9c || d == 0x9d) {
				buf_byte(b, '"');
				i += 2;
				continue;
			}
		}
		if (c != '\0' && strchr(marks, c) != NULL)
			continue;
		bool blank = c == ' ' || c == '\t' || c == '\r';
		if (blank && b->len > 0 &&
		    (b->data[b->len - 1] == ' ' || b->data[b->len - 1] == '\n'))
			continue;
		buf_byte(b, blank || c == '\0' ? ' ' : c);
	}
}

/* A line that begins a list item, a heading, a table row or a diff line stands alone. */
static bool
line_stands_alone(const char *p, const char *end)
{
	if (p < end && strchr("-+#|>\n", *p) != NULL)
		return true;
	if ((size_t)(end - p) > 3 && memcmp(p, "\xe2\x80\xa2", 3) == 0) /* a bullet */
		return true;
	while (p < end && *p >= '0' && *p <= '9')
		p++;
	return p < end && (*p == '.' || *p == ')');
}

/* The end of the sentence that begins at from: ". " and the like, or a line that stands alone. */
static size_t
sentence_end(const char *text, size_t len, size_t from)
{
	for (size_t i = from; i < len; i++) {
		char c = text[i], n = i + 1 < len ? text[i + 1] : ' ';
		if (i - from >= SENTENCE_BYTES)
			return i;
		if ((c == '.' || c == '!' || c == '?') && (n == ' ' || n == '\n' || n == '"')) {
			/* "e.g. ", "i.e. ", "vs. " */
			if (i - from > 2 &&
			    (text[i - 2] == '.' || memcmp(text + i - 2, "vs", 2) == 0))
				continue;
			return i + 1;
		}
		if (c == '\n' && line_stands_alone(text + i + 1, text + len))
			return i + 1;
	}
	return len;
}

/*
 * Inside a pair of double quotes, or of single ones that stand at word edges.  A quote right behind
 * '(' is an argument: waitForLoadState('networkidle') is code and no citation.
 */
static bool
is_quoted(const char *s, size_t len, size_t from, size_t to)
{
	size_t marks = 0, open = 0;

	for (size_t i = 0; i < from; i++)
		if (s[i] == '"') {
			marks++;
			open = i;
		}
	if (marks % 2 == 1 && memchr(s + to, '"', len - to) != NULL && from - open < 80)
		return open == 0 || s[open - 1] != '(';
	for (size_t i = from; i-- > 0 && from - i < 40;) {
		if (s[i] != '\'' || (i > 0 && s[i - 1] != ' '))
			continue;
		const char *end = memchr(s + to, '\'', len - to);
		return end != NULL && end - (s + to) < 40;
	}
	return false;
}

/* Where the clause that ends at from begins. */
static size_t
clause_start(struct wording *boundary, const char *s, size_t from)
{
	size_t start = 0, at = 0, a, b;

	while (at < from && found(boundary, s, from, at, &a, &b) && b > at) {
		if (b <= from)
			start = b;
		at = b;
	}
	return start;
}

static bool
is_denied(
    const struct claims *c, enum claim_kind kind, const char *s, size_t len, size_t from, size_t to)
{
	size_t start = clause_start(&c->helper[BOUNDARY], s, from), at = start, a, b;

	if (says(&c->helper[RULED_OUT], s, from))
		return true;
	if (says(&c->helper[DENIED_AFTER], s + to, len - to) ||
	    says(&c->helper[TAKEN_BACK], s + to, len - to))
		return true;
	if (says(&c->helper[SUPPOSES], s + start, from - start))
		return true;
	while (found(&c->helper[NEGATES], s, from, at, &a, &b) && b > at) {
		size_t x, y;
		if (!found(&c->helper[NO_DENIAL], s, from, a, &x, &y) || x != a)
			return true;
		at = y > b ? y : b;
	}
	if (kind != CLAIM_WAIT)
		return false;
	if (says(&c->helper[USELESS], s + to, len - to))
		return true;
	start = clause_start(&c->helper[BOUNDARY_REMOVAL], s, from);
	return says(&c->helper[REMOVES], s + start, from - start);
}

/* "The request did not succeed" holds the words of success. */
static bool
denies_itself(const char *s, size_t from, size_t to)
{
	static const char *const words[] = {
	    " not ", "n't ", " never ", " failed ", " fails ", " without success", " nor ", " no "};

	for (size_t i = 0; i < COUNT(words); i++)
		for (size_t k = from; k + strlen(words[i]) <= to; k++)
			if (memcmp(s + k, words[i], strlen(words[i])) == 0)
				return true;
	return false;
}

/* "No network errors", "nothing wrong with", "not at fault": success, told by what is not there. */
static bool
praises_by_denial(const char *s, size_t len)
{
	static const char *const words[] = {" wrong with ", " not at fault", " not the ",
	    " not in the ", " not with the ", " not on the ", " not at the ", " not guilty",
	    " not responsible", " not to blame", " not involved", " without error", " without any",
	    " without problem", " without issue", " without failure", " no error", " no failure",
	    " no problem", " no failed"};

	if (len > 3 && strncasecmp(s, "no ", 3) == 0)
		return true;
	for (size_t i = 0; i < COUNT(words); i++)
		if (memmem(s, len, words[i], strlen(words[i])) != NULL)
			return true;
	return false;
}

static bool
is_asserted(
    const struct claims *c, enum claim_kind kind, const char *s, size_t len, size_t from, size_t to)
{
	size_t end = len;

	while (end > 0 && (s[end - 1] == ' ' || s[end - 1] == '"'))
		end--;
	if (end > 0 && s[end - 1] == '?') /* a question asks */
		return false;
	if (is_quoted(s, len, from, to) || is_denied(c, kind, s, len, from, to))
		return false;
	if (kind != CLAIM_API_SUCCEEDED)
		return true;
	if (denies_itself(s, from, to) && !praises_by_denial(s + from, to - from))
		return false;
	if (says(&c->helper[BELIEVED], s, from))
		return false;
	/* Success that the same sentence takes back is no conclusion. */
	return !(says(&c->helper[HTTP_ONLY], s, len) && says(&c->helper[CONTRAST], s, len));
}

static jv
piece(const char *s, size_t len, size_t most)
{
	struct buf b = {0};

	utf8_mend(&b, s, utf8_floor(s, len, most));
	jv text = jv_string_sized(b.data ? b.data : "", (int)b.len);
	buf_free(&b);
	return text;
}

static jv
find_in_sentence(const struct claims *c, const char *s, size_t len, int kinds, jv list)
{
	int seen = 0;
	size_t count = sieve_passing(c->sieve, s, len, c->passing);

	for (size_t i = 0; i < count; i++) {
		struct wording *w = &c->phrase[c->passing[i]];
		enum claim_kind kind = w->kind;
		size_t at = 0, from, to;
		if (!(kinds & (int)kind) || (seen & (int)kind))
			continue;
		while (found(w, s, len, at, &from, &to) && to > at) {
			at = to;
			if (!is_asserted(c, kind, s, len, from, to))
				continue;
			jv item = jvx_set_number(jv_object(), "kind", kind);
			item = jvx_set(item, "phrase", piece(s + from, to - from, PHRASE_BYTES));
			item = jvx_set(item, "sentence", piece(s, len, SENTENCE_BYTES));
			list = jv_array_append(list, item);
			seen |= (int)kind;
			break;
		}
	}
	return list;
}

jv
claims_find(const struct claims *c, const char *text, size_t len, int kinds)
{
	struct buf b = {0};
	jv list = jv_array();

	normalise(text, len, "*`", &b);
	for (size_t from = 0; from < b.len && jv_array_length(jv_copy(list)) < FOUND;) {
		size_t to = sentence_end(b.data, b.len, from);
		for (size_t i = from; i < to; i++)
			if (b.data[i] == '\n')
				b.data[i] = ' ';
		list = find_in_sentence(c, b.data + from, to - from, kinds, list);
		from = to;
	}
	buf_free(&b);
	return list;
}

int
claims_kinds(const struct claims *c, const char *phrase)
{
	int kinds = 0;
	size_t len = strlen(phrase), count = sieve_passing(c->sieve, phrase, len, c->passing);

	for (size_t i = 0; i < count; i++) {
		struct wording *w = &c->phrase[c->passing[i]];
		if (says(w, phrase, len))
			kinds |= (int)w->kind;
	}
	return kinds;
}

/* Past the blanks, hyphens and articles between two words. */
static size_t
gap(const char *s, size_t len, size_t at)
{
	static const char *const articles[] = {"a ", "an ", "the ", "this ", "its "};
	size_t i = at;

	while (i < len && (s[i] == ' ' || s[i] == '-'))
		i++;
	for (size_t k = 0; k < COUNT(articles); k++) {
		size_t n = strlen(articles[k]);
		if (len - i >= n && strncasecmp(s + i, articles[k], n) == 0)
			return i + n;
	}
	return i;
}

/* The end of the phrase that stands in s at from; 0: it does not. */
static size_t
phrase_end(const char *s, size_t len, size_t from, const char *phrase, size_t phrase_len)
{
	size_t i = from;

	for (size_t p = 0; p < phrase_len;) {
		if (phrase[p] == ' ' || phrase[p] == '-') {
			size_t next = gap(s, len, i);
			if (next == i)
				return 0;
			i = next;
			p = gap(phrase, phrase_len, p);
			continue;
		}
		if (i == len || tolower((unsigned char)s[i]) != tolower((unsigned char)phrase[p]))
			return 0;
		i++;
		p++;
	}
	if (!isalnum((unsigned char)phrase[phrase_len - 1]))
		return i;
	i += i < len && (s[i] == 's' || s[i] == 'S');
	return i < len && isalnum((unsigned char)s[i]) ? 0 : i;
}

static bool
asserts(const struct claims *c, const char *s, size_t len, struct span phrase)
{
	for (size_t from = 0; from < len; from++) {
		if (from > 0 && isalnum((unsigned char)s[from - 1]))
			continue;
		size_t to = phrase_end(s, len, from, phrase.at, phrase.len);
		if (to == 0)
			continue;
		/* Waits and successes are denied in ways of their own. */
		int kinds = claims_kinds(c, phrase.at);
		enum claim_kind kind = kinds & CLAIM_WAIT            ? CLAIM_WAIT
				       : kinds & CLAIM_API_SUCCEEDED ? CLAIM_API_SUCCEEDED
								     : CLAIM_TIMING;
		if (is_asserted(c, kind, s, len, from, to))
			return true;
	}
	return false;
}

/* Nearly all texts lack the phrase's first word, and need not be read in sentences. */
static bool
may_hold(const char *text, size_t len, struct span phrase)
{
	size_t n = 0;

	while (n < phrase.len && isalnum((unsigned char)phrase.at[n]))
		n++;
	if (n == 0 || memchr(text, '*', len) != NULL) /* "**timing**" is told by its letters */
		return true;
	int lower = tolower((unsigned char)*phrase.at), upper = toupper((unsigned char)*phrase.at);
	for (size_t i = 0; i + n <= len; i++)
		if ((text[i] == lower || text[i] == upper) &&
		    strncasecmp(text + i, phrase.at, n) == 0)
			return true;
	return false;
}

char *
claims_asserted(const struct claims *c, const char *text, size_t len, const char *phrase)
{
	struct buf b = {0};
	char *sentence = NULL;
	size_t skip = gap(phrase, strlen(phrase), 0);
	struct span words = scan_trim(phrase + skip, strlen(phrase + skip));

	if (words.len == 0 || !may_hold(text, len, words))
		return NULL;
	normalise(text, len, "*`", &b);
	for (size_t from = 0; from < b.len && sentence == NULL;) {
		size_t to = sentence_end(b.data, b.len, from);
		for (size_t i = from; i < to; i++)
			if (b.data[i] == '\n')
				b.data[i] = ' ';
		if (asserts(c, b.data + from, to - from, words))
			sentence = prog_copy(b.data + from, to - from);
		from = to;
	}
	buf_free(&b);
	return sentence;
}

/* Digits with '_' between them. */
static double
amount(const char *s, size_t len)
{
	double n = 0;

	for (size_t i = 0; i < len && s[i] != '.'; i++)
		if (s[i] != '_')
			n = n * 10 + (s[i] - '0');
	return n;
}

struct side {
	size_t count; /* of waits without a time */
	double longest;
	struct span first; /* the line that has it */
};

static void
look_at_line(struct re *re, const char *line, size_t len, struct side *side)
{
	struct re_match m;
	size_t at = 0;

	while (re_find(re, line, len, at, &m) == RE_YES && m.group[0].to > at) {
		bool timed = m.count > 1 && m.group[1].from != (size_t)-1;
		double n =
		    timed ? amount(line + m.group[1].from, m.group[1].to - m.group[1].from) : 0;
		if (!timed)
			side->count++;
		if (n > side->longest)
			side->longest = n;
		if (side->first.at == NULL)
			side->first = (struct span){line, len};
		at = m.group[0].to;
	}
}

char *
claims_wait_added(const struct claims *c, const char *diff, size_t len)
{
	struct side plus = {0}, minus = {0};
	struct re *re = compiled(&c->helper[WAIT_CODE]);

	for (size_t i = 0; i < len;) {
		const char *eol = memchr(diff + i, '\n', len - i);
		size_t n = eol != NULL ? (size_t)(eol - (diff + i)) : len - i;
		const char *line = diff + i;
		if (n > 1 && line[0] == '+' && !(n > 2 && line[1] == '+' && line[2] == '+'))
			look_at_line(re, line + 1, n - 1, &plus);
		else if (n > 1 && line[0] == '-' && !(n > 2 && line[1] == '-' && line[2] == '-'))
			look_at_line(re, line + 1, n - 1, &minus);
		i += n + 1;
	}
	if (plus.count <= minus.count && plus.longest <= minus.longest)
		return NULL;
	struct span line = scan_trim(plus.first.at, plus.first.len);
	struct buf b = {0};
	utf8_mend(&b, line.at, utf8_floor(line.at, line.len, PHRASE_BYTES));
	return b.data;
}

static jv
add_found(jv list, struct wording *w, const char *text, size_t len)
{
	size_t at = 0, from, to;

	while (found(w, text, len, at, &from, &to) && to > at) {
		if (jv_array_length(jv_copy(list)) == CITES)
			break;
		list = jv_array_append(list, piece(text + from, to - from, 1000));
		at = to;
	}
	return list;
}

/* Both kinds of citation end in a number: most texts have none. */
static bool
may_cite(const char *text, size_t len)
{
	const char *end = text + len, *p = text;

	while ((p = memchr(p, ':', (size_t)(end - p))) != NULL && ++p < end)
		if (isdigit((unsigned char)*p))
			return true;
	return false;
}

jv
claims_cites(const struct claims *c, const char *text, size_t len)
{
	if (!may_cite(text, len))
		return jv_array();
	jv list = add_found(jv_array(), &c->helper[SOURCE_PLACE], text, len);

	return add_found(list, &c->helper[REFERENCE], text, len);
}

jv
claims_quotes(const char *text, size_t len)
{
	struct buf b = {0};
	jv list = jv_array();

	normalise(text, len, "*", &b);
	for (size_t i = 0; i < b.len; i++) {
		if (b.data[i] != '"')
			continue;
		const char *from = b.data + i + 1;
		const char *end = memchr(from, '"', b.len - i - 1);
		if (end == NULL || jv_array_length(jv_copy(list)) == CITES)
			break;
		if (end > from)
			list = jv_array_append(list, piece(from, (size_t)(end - from), 2000));
		i = (size_t)(end - b.data);
	}
	buf_free(&b);
	return list;
}
