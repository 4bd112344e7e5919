#include "scan.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "prog.h"
#include "utf8.h"

enum { BULK_DEPTH = 4 };

/* The open containers of a document, one bit each: 1 is an object. */
struct nest {
	uint64_t bits[SCAN_DEPTH / 64];
	size_t depth;
};

static bool
nest_open(struct nest *n, bool object)
{
	if (n->depth == SCAN_DEPTH)
		return false;
	uint64_t bit = (uint64_t)object << n->depth % 64;
	uint64_t others = ~((uint64_t)1 << n->depth % 64);
	n->bits[n->depth / 64] = (n->bits[n->depth / 64] & others) | bit;
	n->depth++;
	return true;
}

static bool
nest_object(const struct nest *n)
{
	return n->depth > 0 && (n->bits[(n->depth - 1) / 64] >> (n->depth - 1) % 64 & 1);
}

static bool
is_space(char c)
{
	/* Nearly every byte that is asked about is none, and one comparison says so. */
	return (unsigned char)c <= ' ' && (c == ' ' || c == '\n' || c == '\r' || c == '\t');
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int
hex_digit(char c)
{
	if (is_digit(c))
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/*
 * Text is looked at in blocks of as many bytes as the machine can compare at once.  A set of bytes
 * is a mask with a bit for each byte that is in it, that of the first byte lowest.
 */
#ifdef __SSE2__
enum { BLOCK = 16 };
typedef __m128i block;

static inline block
load(const char *p)
{
	return _mm_loadu_si128((const __m128i *)p);
}

static inline uint32_t
bytes_equal(block b, char c)
{
	return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(b, _mm_set1_epi8(c)));
}

/* Controls and what is not ASCII: as signed bytes both are below a space. */
static inline uint32_t
bytes_odd(block b)
{
	return (uint32_t)_mm_movemask_epi8(_mm_cmplt_epi8(b, _mm_set1_epi8(0x20)));
}

/* '{' and '[' differ in one bit, and so do '}' and ']'. */
static inline block
without_bit5(block b)
{
	return _mm_andnot_si128(_mm_set1_epi8(0x20), b);
}
#else
enum { BLOCK = 8 };
typedef uint64_t block;

static inline block
load(const char *p)
{
	block b = 0;

	for (int i = 0; i < BLOCK; i++)
		b |= (block)(unsigned char)p[i] << 8 * i;
	return b;
}

/* The top bits of the bytes, gathered: the products of no two of them meet. */
static inline uint32_t
top_bits(block b)
{
	return (uint32_t)((b >> 7 & 0x0101010101010101u) * 0x0102040810204080u >> 56);
}

/* A byte is 0 when neither its low bits, carried up by the sum, nor its top bit are there. */
static inline uint32_t
bytes_equal(block b, char c)
{
	const block low = 0x7f7f7f7f7f7f7f7fu, x = b ^ 0x0101010101010101u * (unsigned char)c;

	return top_bits(~(((x & low) + low) | x | low));
}

static inline uint32_t
bytes_odd(block b)
{
	const block low = 0x7f7f7f7f7f7f7f7fu, up = 0x6060606060606060u;

	return top_bits(b | ~((b & low) + up));
}

static inline block
without_bit5(block b)
{
	return b & ~(block)0x2020202020202020u;
}
#endif

/* The first byte from p on that needs a look: '"', '\\', a control or not ASCII; or end. */
static inline const char *
past_plain(const char *p, const char *end)
{
	for (; end - p >= BLOCK; p += BLOCK) {
		block b = load(p);
		uint32_t hit = bytes_equal(b, '"') | bytes_equal(b, '\\') | bytes_odd(b);
		if (hit != 0)
			return p + __builtin_ctz(hit);
	}
	while (p < end && *p != '"' && *p != '\\' && (signed char)*p >= 0x20)
		p++;
	return p;
}

/* What check_string() meets beyond plain bytes; p is inside the string. */
static const char *
check_odd_string(const char *p, const char *end, const char **bad, const char **why)
{
	size_t used;

	for (;;) {
		p = past_plain(p, end);
		if (p < end && *p == '"')
			return p + 1;
		*bad = p;
		if (p == end) {
			*why = "unterminated string";
			return NULL;
		}
		if (*p == '\\') {
			if (end - p < 2) {
				*why = "unterminated string";
				return NULL;
			}
			if (p[1] == 'u') {
				for (int i = 2; i < 6; i++) {
					if (end - p <= i || hex_digit(p[i]) < 0) {
						*why = "bad \\u escape";
						return NULL;
					}
				}
				p += 6;
				continue;
			}
			if (p[1] == '\0' || strchr("\"\\/bfnrt", p[1]) == NULL) {
				*why = "bad escape";
				return NULL;
			}
			p += 2;
			continue;
		}
		if ((unsigned char)*p < 0x20) {
			*why = "control byte in a string";
			return NULL;
		}
		if (utf8_decode(p, (size_t)(end - p), &used) < 0) {
			*why = "not UTF-8";
			return NULL;
		}
		p += used;
	}
}

/* p is behind the opening quote; the place behind the closing one, or NULL with why and *bad. */
static inline const char *
check_string(const char *p, const char *end, const char **bad, const char **why)
{
	p = past_plain(p, end);
	return p < end && *p == '"' ? p + 1 : check_odd_string(p, end, bad, why);
}

/* The place behind a number, or NULL (RFC 8259 section 6). */
static const char *
check_number(const char *p, const char *end)
{
	if (p < end && *p == '-')
		p++;
	if (p == end || !is_digit(*p))
		return NULL;
	if (*p == '0')
		p++;
	else
		while (p < end && is_digit(*p))
			p++;
	if (p < end && *p == '.') {
		p++;
		if (p == end || !is_digit(*p))
			return NULL;
		while (p < end && is_digit(*p))
			p++;
	}
	if (p < end && (*p == 'e' || *p == 'E')) {
		p++;
		if (p < end && (*p == '+' || *p == '-'))
			p++;
		if (p == end || !is_digit(*p))
			return NULL;
		while (p < end && is_digit(*p))
			p++;
	}
	return p;
}

static const char *
check_word(const char *p, const char *end, const char *word)
{
	size_t len = strlen(word);

	return (size_t)(end - p) >= len && memcmp(p, word, len) == 0 ? p + len : NULL;
}

/* A number or a word; strings and containers are the caller's. */
static const char *
check_scalar(const char *p, const char *end, const char **why)
{
	const char *next;

	switch (*p) {
	case 't': next = check_word(p, end, "true"); break;
	case 'f': next = check_word(p, end, "false"); break;
	case 'n': next = check_word(p, end, "null"); break;
	default:
		next = check_number(p, end);
		*why = *p == '-' || is_digit(*p) ? "bad number" : "no value here";
		return next;
	}
	*why = "no value here";
	return next;
}

static bool
fault(struct scan_error *error, const char *text, const char *at, const char *why)
{
	if (error != NULL)
		*error = (struct scan_error){(size_t)(at - text), why};
	return false;
}

/*
 * Behind "[[1,234]]" at p, or NULL for anything else that may be as good.  Half of a large trace is
 * such references from one DOM snapshot to those before it.
 */
static inline const char *
check_reference(const char *p, const char *end)
{
	if (end - p < 7 || p[0] != '[' || p[1] != '[' || p[2] < '1' || p[2] > '9')
		return NULL;
	for (p += 3; p < end && is_digit(*p); p++)
		;
	if (end - p < 4 || *p != ',' || p[1] < '1' || p[1] > '9')
		return NULL;
	for (p += 2; p < end && is_digit(*p); p++)
		;
	return end - p >= 2 && *p == ']' && p[1] == ']' ? p + 2 : NULL;
}

/* The same for as many as stand in a row, as the items of an array do. */
static inline const char *
check_references(const char *p, const char *end)
{
	const char *past, *next = check_reference(p, end);

	do {
		past = next;
		next = past != NULL && past < end && *past == ',' ? check_reference(past + 1, end)
								  : NULL;
	} while (next != NULL);
	return past;
}

static inline const char *
skip_space(const char *p, const char *end)
{
	while (p < end && is_space(*p))
		p++;
	return p;
}

/*
 * The labels are the states of the grammar; each leads straight to what may follow, for this is
 * where every program of the suite spends its time.
 */
/* The check; with a name, *member becomes the last of its members that is called so, see scan.h. */
static bool
check(const char *text, size_t len, struct scan_error *error, const char *name, struct span *member,
    struct span *bulk)
{
	struct nest nest;
	const char *p = text, *end = text + len, *why = "", *bad = text, *digits;
	const char *wanted = NULL; /* the value of that member, while it is being passed */
	const char *inner = text;  /* what opened last at the depth of the bulk */
	bool object = false;       /* the innermost open container */

	nest.depth = 0;
value:
	p = skip_space(p, end);
	if (p == end)
		return fault(error, text, p, nest.depth == 0 ? "no value" : "cut short");
	switch (*p) {
	case '"':
		p = check_string(p + 1, end, &bad, &why);
		if (p == NULL)
			return fault(error, text, bad, why);
		goto after;
	case '[':
		digits =
		    object || nest.depth == 0 ? check_reference(p, end) : check_references(p, end);
		if (digits != NULL && nest.depth + 2 <= SCAN_DEPTH) {
			p = digits;
			goto after;
		}
		object = false;
		if (!nest_open(&nest, object))
			return fault(error, text, p, "nested too deeply");
		inner = nest.depth == BULK_DEPTH ? p : inner;
		p = skip_space(p + 1, end);
		if (p < end && *p == ']')
			goto close;
		goto value;
	case '{':
		object = true;
		if (!nest_open(&nest, object))
			return fault(error, text, p, "nested too deeply");
		inner = nest.depth == BULK_DEPTH ? p : inner;
		p = skip_space(p + 1, end);
		if (p < end && *p == '}')
			goto close;
		goto key;
	default:
		/* The commonest number: digits, the first of them not 0, and a comma or bracket. */
		for (digits = p; digits < end && is_digit(*digits); digits++)
			;
		if (*p > '0' && *p <= '9' && digits < end && (*digits == ',' || *digits == ']')) {
			p = digits;
			goto after;
		}
		bad = p;
		p = check_scalar(p, end, &why);
		if (p == NULL)
			return fault(error, text, bad, why);
		goto after;
	}
key:
	if (p == end)
		return fault(error, text, p, "cut short");
	if (*p != '"')
		return fault(error, text, p, "no key here");
	const char *key = p;
	p = check_string(p + 1, end, &bad, &why);
	if (p == NULL)
		return fault(error, text, bad, why);
	bool is_it =
	    name != NULL && nest.depth == 1 && scan_is((struct span){key, (size_t)(p - key)}, name);
	p = skip_space(p, end);
	if (p == end || *p != ':')
		return fault(error, text, p, p == end ? "cut short" : "no ':'");
	p++;
	if (is_it)
		wanted = skip_space(p, end);
	goto value;
close:
	p++;
	if (nest.depth == BULK_DEPTH && (size_t)(p - inner) > bulk->len)
		*bulk = (struct span){inner, (size_t)(p - inner)};
	nest.depth--;
	object = nest_object(&nest);
after:
	if (wanted != NULL && nest.depth == 1) {
		*member = (struct span){wanted, (size_t)(p - wanted)};
		wanted = NULL;
	}
	p = skip_space(p, end);
	if (p == end)
		return nest.depth == 0 || fault(error, text, p, "cut short");
	if (nest.depth == 0)
		return fault(error, text, p, "more than one value");
	if (*p == ',') {
		p++;
		if (!object)
			goto value;
		p = skip_space(p, end);
		goto key;
	}
	if (*p == (object ? '}' : ']'))
		goto close;
	if (*p == ']' || *p == '}')
		return fault(error, text, p, *p == ']' ? "unmatched ']'" : "unmatched '}'");
	return fault(error, text, p, object ? "no ',' or '}'" : "no ',' or ']'");
}

bool
scan_check(const char *text, size_t len, struct scan_error *error)
{
	struct span bulk = {0};

	return check(text, len, error, NULL, NULL, &bulk);
}

bool
scan_check_member(const char *text, size_t len, struct scan_error *error, const char *name,
    struct span *member, struct span *bulk)
{
	*member = *bulk = (struct span){0};
	return check(text, len, error, name, member, bulk);
}

struct span
scan_trim(const char *text, size_t len)
{
	while (len > 0 && is_space(*text)) {
		text++;
		len--;
	}
	while (len > 0 && is_space(text[len - 1]))
		len--;
	return (struct span){text, len};
}

int
scan_kind(struct span value)
{
	if (value.at == NULL || value.len == 0)
		return 0;
	char c = value.at[0];
	return c == '-' || is_digit(c) ? '0' : c;
}

/* From inside a string of checked text to behind its closing quote, which is certain. */
static inline const char *
finish_string(const char *p, const char *end)
{
	for (;; p += 2) {
		while (end - p >= BLOCK) {
			block b = load(p);
			uint32_t hit = bytes_equal(b, '"') | bytes_equal(b, '\\');
			if (hit != 0) {
				p += __builtin_ctz(hit);
				break;
			}
			p += BLOCK;
		}
		while (*p != '"' && *p != '\\')
			p++;
		if (*p == '"')
			return p + 1;
	}
}

static inline const char *
skip_string(const char *p, const char *end)
{
	return finish_string(p + 1, end);
}

/* Sets of 64 bytes. */
struct sets {
	uint64_t quotes, slashes, opens, closes;
};

static inline struct sets
sets_at(const char *p)
{
	struct sets s = {0};

	for (int i = 0; i < 64; i += BLOCK) {
		block b = load(p + i), flat = without_bit5(b);
		s.quotes |= (uint64_t)bytes_equal(b, '"') << i;
		s.slashes |= (uint64_t)bytes_equal(b, '\\') << i;
		s.opens |= (uint64_t)bytes_equal(flat, '[') << i;
		s.closes |= (uint64_t)bytes_equal(flat, ']') << i;
	}
	return s;
}

/* The bits from each opening quote on up to its closing one; inside is all bits or none. */
static inline uint64_t
strings_of(uint64_t quotes, uint64_t inside)
{
	quotes ^= quotes << 1;
	quotes ^= quotes << 2;
	quotes ^= quotes << 4;
	quotes ^= quotes << 8;
	quotes ^= quotes << 16;
	quotes ^= quotes << 32;
	return quotes ^ inside;
}

/* Behind the bracket that takes *depth to 0, or NULL when it is not among these 64 bytes from p on.
 */
static inline const char *
count_brackets(const char *p, uint64_t opens, uint64_t closes, size_t *depth)
{
	size_t closed = (size_t)__builtin_popcountll(closes);

	if (closed < *depth) {
		*depth = *depth - closed + (size_t)__builtin_popcountll(opens);
		return NULL;
	}
	for (uint64_t left = opens | closes; left != 0; left &= left - 1) {
		if ((opens & left & -left) != 0)
			++*depth;
		else if (--*depth == 0)
			return p + __builtin_ctzll(left) + 1;
	}
	return NULL;
}

/*
 * Behind the object or array that opens at p: its closing bracket is certain.  Most bytes of a
 * trace pass here, so 64 are looked at in one go, but where a quote may be an escaped one.
 */
static const char *
skip_container(const char *p, const char *end)
{
	size_t depth = 1;
	uint64_t inside = 0;

	for (p++; depth > 0;) {
		while (end - p >= 64) {
			struct sets s = sets_at(p);
			if ((s.slashes << 1 & s.quotes) != 0 || s.slashes >> 63 != 0)
				break;
			uint64_t strings = strings_of(s.quotes, inside);
			const char *past =
			    count_brackets(p, s.opens & ~strings, s.closes & ~strings, &depth);
			if (past != NULL)
				return past;
			inside = 0 - (strings >> 63);
			p += 64;
		}
		for (const char *from = p; p - from < 64 && depth > 0;) {
			char c = inside ? '"' : *p++;
			if (c == '"')
				p = finish_string(p, end);
			else if (c == '[' || c == '{')
				depth++;
			else if (c == ']' || c == '}')
				depth--;
			inside = 0;
		}
	}
	return p;
}

/* Behind the value at p, in checked text that ends at end. */
static const char *
skip_value(const char *p, const char *end)
{
	if (*p == '"')
		return skip_string(p, end);
	if (*p == '{' || *p == '[')
		return skip_container(p, end);
	while (p < end && *p != ',' && *p != ']' && *p != '}' && !is_space(*p))
		p++;
	return p;
}

bool
scan_each(struct scan_each *it, struct span container)
{
	int kind = scan_kind(container);
	const char *p = it->next;

	if (kind != '{' && kind != '[')
		return false;
	const char *end = container.at + container.len;
	if (p == NULL)
		p = container.at + 1;
	while (is_space(*p) || *p == ',')
		p++;
	if (*p == '}' || *p == ']')
		return false;
	it->key = (struct span){0};
	if (kind == '{') {
		const char *key = p;
		p = skip_string(p, end);
		it->key = (struct span){key, (size_t)(p - key)};
		while (is_space(*p) || *p == ':')
			p++;
	}
	const char *value = p;
	p = p == it->known.at ? p + it->known.len : skip_value(p, end);
	it->value = (struct span){value, (size_t)(p - value)};
	it->next = p;
	return true;
}

bool
scan_is(struct span string, const char *text)
{
	if (scan_kind(string) != '"')
		return false;
	/* Nearly every key that is asked about differs in its first letter. */
	if (string.at[1] != *text && string.at[1] != '\\')
		return string.len == 2 && *text == '\0';
	size_t len = strlen(text);
	if (memchr(string.at, '\\', string.len) == NULL)
		return string.len == len + 2 && memcmp(string.at + 1, text, len) == 0;
	struct buf b = {0};
	scan_text(string, &b);
	bool same = b.len == len && memcmp(b.data, text, len) == 0;
	buf_free(&b);
	return same;
}

struct span
scan_member(struct span value, const char *name)
{
	struct scan_each it = {0};
	struct span found = {0};

	if (scan_kind(value) != '{')
		return found;
	while (scan_each(&it, value))
		if (scan_is(it.key, name))
			found = it.value;
	return found;
}

void
scan_members(struct span value, const char *const names[], struct span found[], size_t count)
{
	struct scan_each it = {0};

	for (size_t i = 0; i < count; i++)
		found[i] = (struct span){0};
	if (scan_kind(value) != '{')
		return;
	while (scan_each(&it, value))
		for (size_t i = 0; i < count; i++) {
			/* The first letter says no for nearly all, unless it is escaped. */
			bool likely = it.key.at[1] == *names[i] || it.key.at[1] == '\\';
			if (likely && scan_is(it.key, names[i]))
				found[i] = it.value;
		}
}

struct span
scan_front(struct span object, const char *name)
{
	const char *p = object.at, *end = object.at + object.len;

	if (scan_kind(object) != '{')
		return (struct span){0};
	for (p++;;) {
		while (is_space(*p) || *p == ',')
			p++;
		if (*p == '}')
			return (struct span){0};
		const char *key = p;
		p = skip_string(p, end);
		bool it = scan_is((struct span){key, (size_t)(p - key)}, name);
		while (is_space(*p) || *p == ':')
			p++;
		bool open = *p == '{' || *p == '[';
		if (it && open)
			return (struct span){p, (size_t)(end - p)};
		const char *value = p;
		p = skip_value(p, end);
		if (it)
			return (struct span){value, (size_t)(p - value)};
	}
}

struct span
scan_path(struct span value, ...)
{
	va_list ap;
	const char *name;

	va_start(ap, value);
	while ((name = va_arg(ap, const char *)) != NULL)
		value = scan_member(value, name);
	va_end(ap);
	return value;
}

static uint32_t
hex4(const char *p)
{
	return (uint32_t)(hex_digit(p[0]) << 12 | hex_digit(p[1]) << 8 | hex_digit(p[2]) << 4 |
			  hex_digit(p[3]));
}

/* The code point of the \u escape at p and how long it is; a lone surrogate is U+FFFD. */
static uint32_t
decode_u(const char *p, const char *end, size_t *used)
{
	uint32_t code = hex4(p + 2);

	*used = 6;
	if (code < 0xd800 || code > 0xdfff)
		return code;
	if (code < 0xdc00 && end - p >= 12 && p[6] == '\\' && p[7] == 'u') {
		uint32_t low = hex4(p + 8);
		if (low >= 0xdc00 && low <= 0xdfff) {
			*used = 12;
			return 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
		}
	}
	return 0xfffd;
}

/* Append what stands between quotes, from p to end, decoded. */
static void
decode(const char *p, const char *end, struct buf *b)
{
	static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";

	while (p < end) {
		const char *slash = memchr(p, '\\', (size_t)(end - p));
		buf_add(b, p, (size_t)((slash ? slash : end) - p));
		if (slash == NULL)
			return;
		p = slash;
		if (p[1] == 'u') {
			size_t used;
			utf8_add(b, decode_u(p, end, &used));
			p += used;
			continue;
		}
		const char *letter = strchr(from, p[1]);
		buf_byte(b, letter ? to[letter - from] : p[1]);
		p += 2;
	}
}

bool
scan_text(struct span string, struct buf *b)
{
	if (scan_kind(string) != '"')
		return false;
	buf_reserve(b, string.len);
	decode(string.at + 1, string.at + string.len - 1, b);
	return true;
}

char *
scan_copy(struct span string)
{
	struct buf b = {0};

	if (!scan_text(string, &b))
		return NULL;
	return b.data;
}

double
scan_number(struct span number, double otherwise)
{
	char digits[64];

	if (scan_kind(number) != '0')
		return otherwise;
	if (number.len < sizeof digits) {
		memcpy(digits, number.at, number.len);
		digits[number.len] = '\0';
		return strtod(digits, NULL);
	}
	char *copy = prog_copy(number.at, number.len);
	double n = strtod(copy, NULL);
	free(copy);
	return n;
}

long
scan_whole(struct span number, long most, long otherwise)
{
	double n = scan_number(number, -1);

	return n >= 0 && n <= (double)most ? (long)n : otherwise;
}

bool
scan_true(struct span value)
{
	return scan_kind(value) == 't';
}

void
scan_mend(struct span text, struct buf *b)
{
	const char *p = text.at, *end = text.at + text.len;

	while (p < end) {
		const char *slash = memchr(p, '\\', (size_t)(end - p));
		buf_add(b, p, (size_t)((slash ? slash : end) - p));
		if (slash == NULL)
			return;
		size_t used = 2;
		bool lone = slash[1] == 'u' && decode_u(slash, end, &used) == 0xfffd &&
			    hex4(slash + 2) != 0xfffd;
		if (lone)
			buf_text(b, "\\ufffd");
		else
			buf_add(b, slash, used);
		p = slash + used;
	}
}

struct scan_state {
	struct scan_pull pull; /* first: what the caller holds */
	struct nest nest;
	long (*read)(void *ctx, char *bytes, size_t len);
	void *ctx;
	size_t limit;
	size_t offset; /* of bytes[0] in the document */
	size_t at, have;
	enum { P_VALUE, P_VALUE_OR_END, P_KEY, P_KEY_OR_END, P_AFTER, P_DEAD } want;
	bool failed, skipping;
	char bytes[65536];
};

struct scan_pull *
scan_pull_new(long (*read)(void *ctx, char *bytes, size_t len), void *ctx, size_t limit)
{
	struct scan_state *s = prog_alloc(1, sizeof *s);

	s->read = read;
	s->ctx = ctx;
	s->limit = limit;
	s->want = P_VALUE;
	s->pull.state = s;
	return &s->pull;
}

void
scan_pull_free(struct scan_pull *p)
{
	if (p == NULL)
		return;
	buf_free(&p->text);
	free(p->state);
}

/* The next byte without taking it; -1 at the end. */
static int
peek(struct scan_state *s)
{
	if (s->at == s->have && !s->failed) {
		s->offset += s->have;
		s->at = s->have = 0;
		long got = s->read(s->ctx, s->bytes, sizeof s->bytes);
		s->failed = got < 0;
		s->have = got > 0 ? (size_t)got : 0;
	}
	return s->at < s->have ? (unsigned char)s->bytes[s->at] : -1;
}

static enum scan_event
pull_fault(struct scan_state *s, const char *why)
{
	s->want = P_DEAD;
	s->pull.error = (struct scan_error){s->offset + s->at, s->failed ? "read error" : why};
	return SCAN_FAULT;
}

/* Gather what stands up to the closing quote and with it, piece by piece; it is not checked yet. */
static bool
gather_string(struct scan_state *s, struct buf *raw, const char **why)
{
	bool escaped = false, closed = false;

	while (!closed) {
		if (peek(s) < 0) {
			*why = "cut short";
			return false;
		}
		const char *from = s->bytes + s->at, *end = s->bytes + s->have, *p = from;
		while (p < end && !closed) {
			if (!escaped && (p = past_plain(p, end)) == end)
				break;
			closed = *p == '"' && !escaped;
			escaped = *p == '\\' && !escaped;
			p++;
		}
		buf_add(raw, from, (size_t)(p - from));
		s->at += (size_t)(p - from);
		if (raw->len > s->limit) {
			*why = "string too long";
			return false;
		}
	}
	return true;
}

/* Check the string behind the quote just taken, and decode it unless it is passed over. */
static bool
pull_string(struct scan_state *s, const char **why)
{
	struct buf raw = {0}, *text = &s->pull.text;
	const char *bad, *from = s->bytes + s->at;
	const char *end = check_string(from, s->bytes + s->have, &bad, why);

	if (end != NULL && (size_t)(end - from) <= s->limit) {
		s->at += (size_t)(end - from);
	} else { /* it goes on behind what was read, or is none */
		bool whole = gather_string(s, &raw, why);
		from = raw.data;
		end = whole ? check_string(from, from + raw.len, &bad, why) : NULL;
	}
	if (end != NULL && !s->skipping) {
		buf_clear(text);
		buf_reserve(text, (size_t)(end - from));
		decode(from, end - 1, text);
	}
	buf_free(&raw);
	return end != NULL;
}

static enum scan_event
pull_scalar(struct scan_state *s)
{
	struct buf *text = &s->pull.text;
	const char *why = "no value here";
	int c;

	buf_clear(text);
	while ((c = peek(s)) >= 0 && !is_space((char)c) && strchr(",]}:[{\"", c) == NULL) {
		if (text->len > 4096)
			return pull_fault(s, "bad number");
		buf_byte(text, c);
		s->at++;
	}
	if (text->len == 0)
		return pull_fault(s, why);
	const char *end = text->data + text->len;
	if (check_scalar(text->data, end, &why) != end)
		return pull_fault(s, why);
	s->want = P_AFTER;
	switch (text->data[0]) {
	case 't': return SCAN_TRUE;
	case 'f': return SCAN_FALSE;
	case 'n': return SCAN_NULL;
	default: return SCAN_NUMBER;
	}
}

static enum scan_event
pull_close(struct scan_state *s)
{
	bool object = nest_object(&s->nest);

	s->at++;
	s->nest.depth--;
	s->want = P_AFTER;
	return object ? SCAN_OBJECT_END : SCAN_ARRAY_END;
}

static enum scan_event
pull_value(struct scan_state *s, int c)
{
	const char *why = "";

	if (c == '{' || c == '[') {
		if (!nest_open(&s->nest, c == '{'))
			return pull_fault(s, "nested too deeply");
		s->at++;
		s->want = c == '{' ? P_KEY_OR_END : P_VALUE_OR_END;
		return c == '{' ? SCAN_OBJECT : SCAN_ARRAY;
	}
	if (c == ']' && s->want == P_VALUE_OR_END)
		return pull_close(s);
	if (c != '"')
		return pull_scalar(s);
	s->at++;
	if (!pull_string(s, &why))
		return pull_fault(s, why);
	s->want = P_AFTER;
	return SCAN_STRING;
}

static int
peek_past_space(struct scan_state *s)
{
	int c;

	while ((c = peek(s)) >= 0 && is_space((char)c))
		s->at++;
	return c;
}

static enum scan_event
pull_key(struct scan_state *s, int c)
{
	const char *why = "";

	if (c == '}' && s->want == P_KEY_OR_END)
		return pull_close(s);
	if (c != '"')
		return pull_fault(s, "no key here");
	s->at++;
	if (!pull_string(s, &why))
		return pull_fault(s, why);
	if (peek_past_space(s) != ':')
		return pull_fault(s, "no ':'");
	s->at++;
	s->want = P_VALUE;
	return SCAN_KEY;
}

enum scan_event
scan_pull_next(struct scan_pull *p)
{
	struct scan_state *s = p->state;

	if (s->want == P_DEAD)
		return SCAN_FAULT;
	int c = peek_past_space(s);
	if (s->want == P_AFTER && s->nest.depth == 0) {
		if (c >= 0 || s->failed)
			return pull_fault(s, "more than one value");
		return SCAN_END;
	}
	if (c < 0)
		return pull_fault(s, s->nest.depth == 0 ? "no value" : "cut short");
	if (s->want == P_AFTER) {
		bool object = nest_object(&s->nest);
		if (c == (object ? '}' : ']'))
			return pull_close(s);
		if (c != ',')
			return pull_fault(s, object ? "no ',' or '}'" : "no ',' or ']'");
		s->at++;
		s->want = object ? P_KEY : P_VALUE;
		c = peek_past_space(s);
		if (c < 0)
			return pull_fault(s, "cut short");
	}
	if (s->want == P_KEY || s->want == P_KEY_OR_END)
		return pull_key(s, c);
	return pull_value(s, c);
}

bool
scan_pull_skip(struct scan_pull *p)
{
	struct scan_state *s = p->state;
	size_t depth = s->nest.depth;
	enum scan_event e;

	if (s->want == P_AFTER)
		return true;
	/* Inside a container that was just opened: go on until it is closed. */
	if (s->want == P_KEY_OR_END || s->want == P_VALUE_OR_END)
		depth--;
	s->skipping = true;
	do
		e = scan_pull_next(p);
	while (e != SCAN_FAULT && e != SCAN_END && (s->want != P_AFTER || s->nest.depth != depth));
	s->skipping = false;
	return e != SCAN_FAULT;
}

bool
scan_pull_enters(struct scan_pull *p, enum scan_event container)
{
	if (scan_pull_next(p) == container)
		return true;
	scan_pull_skip(p);
	return false;
}

bool
scan_pull_key(struct scan_pull *p)
{
	return scan_pull_next(p) == SCAN_KEY;
}

bool
scan_pull_is(const struct scan_pull *p, const char *name)
{
	return strcmp(p->text.data, name) == 0;
}

bool
scan_pull_element(struct scan_pull *p)
{
	enum scan_event e;

	while ((e = scan_pull_next(p)) != SCAN_ARRAY_END && e != SCAN_FAULT && e != SCAN_END) {
		if (e == SCAN_OBJECT)
			return true;
		scan_pull_skip(p);
	}
	return false;
}

void
scan_pull_text(struct scan_pull *p, char **to)
{
	size_t kept = 0;

	if (!scan_pull_enters(p, SCAN_STRING))
		return;
	free(*to);
	*to = prog_copy(p->text.data, p->text.len);
	for (size_t i = 0; i < p->text.len; i++)
		if ((*to)[i] != '\0')
			(*to)[kept++] = (*to)[i];
	(*to)[kept] = '\0';
}

double
scan_pull_number(struct scan_pull *p, double otherwise)
{
	return scan_pull_enters(p, SCAN_NUMBER) ? strtod(p->text.data, NULL) : otherwise;
}
