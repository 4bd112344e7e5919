#include "reading.h"

#include <err.h>
#include <stdlib.h>

#include "digest.h"
#include "prog.h"
#include "rules.h"
#include "utf8.h"
#include "worth.h"

static struct re *
compile(const struct rule *rule)
{
	struct buf pattern = {0};
	char why[160];

	buf_format(&pattern, "\\G(?:%s)", rule->pattern);
	struct re *re = re_new(pattern.data, pattern.len, RE_BYTES, why, sizeof why);
	if (re == NULL)
		errx(TROUBLE, "rule %s: %s", rule->kind, why);
	buf_free(&pattern);
	return re;
}

/* A word may begin with a text of two bytes or more, in any of these cases: aaa, Aaa, AAA. */
static void
note_beginning(struct secrets *s, const char *text, uint8_t what)
{
	char three[4] = {text[0], text[1], text[2], '\0'};

	if (text[2] != '\0' && text[2] != ' ') {
		s->begins[three_of(three)] |= what;
		return;
	}
	for (int third = 0; third < 256; third++) { /* whatever stands behind two */
		three[2] = (char)third;
		if (is_class(three[2], C_B64 | C_NAME))
			s->begins[three_of(three)] |= what;
	}
}

/* Where the rules, the schemes of Authorization and the grammars of fields begin. */
static void
note_beginnings(struct secrets *s)
{
	static const struct {
		const char *text;
		uint8_t what;
	} others[] = {{"eyA", BEGINS_TOKEN}, {"eyB", BEGINS_TOKEN}, {"eyC", BEGINS_TOKEN},
	    {"eyD", BEGINS_TOKEN}, {"eyI", BEGINS_TOKEN}, {"eyJ", BEGINS_TOKEN},
	    {"eyK", BEGINS_TOKEN}, {"eyL", BEGINS_TOKEN}, {"ew", BEGINS_TOKEN},
	    {"BEG", BEGINS_TOKEN}, {"bea", BEGINS_TOKEN}, {"Bea", BEGINS_TOKEN},
	    {"BEA", BEGINS_TOKEN}, {"bas", BEGINS_TOKEN}, {"Bas", BEGINS_TOKEN},
	    {"BAS", BEGINS_TOKEN}, {"tok", BEGINS_TOKEN}, {"Tok", BEGINS_TOKEN},
	    {"TOK", BEGINS_TOKEN}, {"api", BEGINS_TOKEN}, {"Api", BEGINS_TOKEN},
	    {"API", BEGINS_TOKEN}, {"neg", BEGINS_TOKEN}, {"Neg", BEGINS_TOKEN},
	    {"NEG", BEGINS_TOKEN}, {"ntl", BEGINS_TOKEN}, {"Ntl", BEGINS_TOKEN},
	    {"NTL", BEGINS_TOKEN}, {"tex", BEGINS_FIELD}, {"Fil", BEGINS_FIELD},
	    {"Typ", BEGINS_FIELD}, {"pas", BEGINS_FIELD}, {"Pas", BEGINS_FIELD},
	    {"PAS", BEGINS_FIELD}, {"IDE", BEGINS_FIELD}, {"ide", BEGINS_FIELD},
	    {"TRU", BEGINS_FIELD}, {"FAL", BEGINS_FIELD}, {"res", BEGINS_PATH},
	    {"ver", BEGINS_PATH}, {"con", BEGINS_PATH}, {"act", BEGINS_PATH}, {"inv", BEGINS_PATH},
	    {"mag", BEGINS_PATH}, {"rec", BEGINS_PATH}, {"uns", BEGINS_PATH}, {"acc", BEGINS_PATH},
	    {"is ", BEGINS_LINK}, {"was", BEGINS_LINK}, {"to ", BEGINS_LINK}, {"as ", BEGINS_LINK},
	    {"are", BEGINS_LINK}, {"wil", BEGINS_LINK}, {"be ", BEGINS_LINK}};

	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		if (others[i].what == BEGINS_LINK)
			s->begins[three_of(others[i].text)] |= BEGINS_LINK;
		else
			note_beginning(s, others[i].text, others[i].what);
	}
	for (size_t i = 1; i < s->count; i++) {
		char literal[4] = {0};
		memcpy(
		    literal, s->entries[i].literal, s->entries[i].len < 3 ? s->entries[i].len : 3);
		note_beginning(s, literal, BEGINS_TOKEN);
	}
}

struct secrets *
secrets_new(void)
{
	struct secrets *s = prog_alloc(1, sizeof *s);
	size_t size = 1;

	s->compiled = prog_alloc(rules_count, sizeof *s->compiled);
	for (size_t i = 0; i < rules_count; i++)
		s->compiled[i] = compile(&rules[i]);
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
	note_beginnings(s);
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
secrets_tags(struct secrets *s, struct tags *tags)
{
	s->tags = tags;
}

void
secrets_personal(struct secrets *s)
{
	s->personal = true;
}

bool
secrets_allow(struct secrets *s, const char *value, size_t len)
{
	known_allow(s->known, value, len);
	return true;
}

bool
secrets_always(struct secrets *s, const char *value, size_t len)
{
	return known_always(s->known, value, len);
}

void
secrets_forget(struct secrets *s)
{
	known_forget(s->known);
	for (size_t i = 0; i < THREES; i++)
		s->begins[i] &= (uint8_t)~BEGINS_KNOWN;
	s->pem_open = false;
	secrets_age(s);
}

const unsigned char reading_class[256] = {
#define C1(c, is) [c] = (is)
#define C4(c, is) C1(c, is), C1(c + 1, is), C1(c + 2, is), C1(c + 3, is)
#define C16(c, is) C4(c, is), C4(c + 4, is), C4(c + 8, is), C4(c + 12, is)
#define ALNUM (C_WORD | C_NAME | C_B64)
    C16('A', ALNUM),
    C4('Q', ALNUM),
    C4('U', ALNUM),
    C1('Y', ALNUM),
    C1('Z', ALNUM),
    C16('a', ALNUM),
    C4('q', ALNUM),
    C4('u', ALNUM),
    C1('y', ALNUM),
    C1('z', ALNUM),
    C4('0', ALNUM),
    C4('4', ALNUM),
    C1('8', ALNUM),
    C1('9', ALNUM),
    C1('-', C_NAME | C_B64),
    C1('_', C_NAME | C_B64),
    C1('+', C_B64),
    C1('/', C_B64),
    C1('.', C_NAME),
    C1('$', C_NAME),
    C1(']', C_NAME),
    C1('@', C_NAME),
    C1('[', C_NAME | C_TRIGGER),
    C1(':', C_TRIGGER),
    C1('=', C_TRIGGER),
    C1('<', C_TRIGGER),
    C1('%', C_TRIGGER),
    C1('(', C_TRIGGER),
    C1('{', C_TRIGGER),
    C1('&', C_TRIGGER),
    C1('~', C_TRIGGER),
    C1('\\', C_TRIGGER),
    C1(0, C_INVISIBLE),
    C1(0x1b, C_INVISIBLE),
    C16(0x80, C_NAME),
    C16(0x90, C_NAME),
    C16(0xa0, C_NAME),
    C16(0xb0, C_NAME),
    C1(0xc0, C_NAME),
    C1(0xc1, C_NAME),
    C1(0xc2, C_NAME | C_INVISIBLE),
    C1(0xc3, C_NAME),
    C4(0xc4, C_NAME),
    C4(0xc8, C_NAME),
    C4(0xcc, C_NAME),
    C16(0xd0, C_NAME),
    C1(0xe0, C_NAME),
    C1(0xe1, C_NAME),
    C1(0xe2, C_NAME | C_INVISIBLE),
    C1(0xe3, C_NAME),
    C4(0xe4, C_NAME),
    C4(0xe8, C_NAME),
    C1(0xec, C_NAME),
    C1(0xed, C_NAME),
    C1(0xee, C_NAME),
    C1(0xef, C_NAME | C_INVISIBLE),
    C16(0xf0, C_NAME),
#undef ALNUM
#undef C16
#undef C4
#undef C1
};

/* What a whole value is by its own shape says more than the name it was found by; or kind. */
static const char *
own_kind(const struct reading *r, size_t from, size_t to, const char *kind)
{
	struct edits own = {0};
	struct reading inner = {
	    .s = r->s, .out = &own, .t = r->t, .n = to, .layer = r->layer, .asking = true};
	size_t word = from;

	while (word < to && is_word(r->t[word]))
		word++;
	if (!r->asking && word > from)
		reading_token(&inner, from, word);
	if (own.count == 1 && own.list[0].from == from && own.list[0].to == to)
		kind = own.list[0].kind;
	edits_free(&own);
	return kind;
}

/* Every find passes here: an allowed value, or one made of tags only, is none. */
void
reading_found(struct reading *r, size_t from, size_t to, const char *kind)
{
	if (from >= to || worth_tagged(r->t + from, to - from) ||
	    known_allowed(r->s->known, r->t + from, to - from))
		return;
	kind = own_kind(r, from, to, kind);
	edits_add(r->out, r->base + from, r->base + to, kind, EDIT_TAG, r->t + from, to - from);
	if (to > r->done)
		r->done = to;
}

static void
read_view(struct reading *r, enum view view, size_t from, size_t to)
{
	struct buf plain = {0};
	size_t first = r->out->count;

	view_open(view, r->t + from, to - from, &plain);
	reading_text(r->s, plain.data ? plain.data : "", plain.len, 0, r->layer + 1, r->out);
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

/* The end of the word that goes on at i.  Eight bytes at once, for words are short, and a loop's
 * end is a branch that no processor foresees. */
static inline size_t
word_end(const char *t, size_t i, size_t n)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	const uint64_t ones = 0x0101010101010101, high = ones << 7;

	for (; i + 8 <= n; i += 8) {
		uint64_t eight;
		memcpy(&eight, t + i, 8);
		/* In each byte that is none of A-Z, a-z, 0-9: the highest bit. */
		uint64_t low = eight & ~high, letter = low | ones << 5;
		uint64_t in = ((letter + ones * (0x80 - 'a')) & ~(letter + ones * (0x7f - 'z'))) |
			      ((low + ones * (0x80 - '0')) & ~(low + ones * (0x7f - '9')));
		uint64_t out = (~in | eight) & high;
		if (out != 0)
			return i + (size_t)__builtin_ctzll(out) / 8;
	}
#endif
	while (i < n && is_word(t[i]))
		i++;
	return i;
}

/* What was found once is known from then on; true when it was news. */
static bool
keep(struct secrets *s, const char *value, size_t len, const char *kind)
{
	if (!known_learn(s->known, value, len, kind))
		return false;
	size_t three = three_of(value);
	s->begins[three] |= BEGINS_KNOWN;
	uint32_t six = six_of(value);
	const struct seen *seen = &s->seen[six % SIXES];
	bool passed = seen->text != 0 && seen->text != s->text &&
		      (seen->check == (six >> 16 | 1) || seen->check == 0);
	if (passed || word_end(value, 0, 6) < 6) {
		s->late[three / 64] |= (uint64_t)1 << three % 64;
		s->any_late = true;
	}
	return true;
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

/* The text of a run of base64 with tags in it, encoded again in the alphabet of the run. */
static void
encode_again(struct reading *r, size_t from, size_t to, const struct buf *plain, struct edits *e)
{
	struct buf text = {0}, code = {0};

	for (size_t i = 0; i < e->count; i++)
		if (e->list[i].form != EDIT_TEXT)
			keep(r->s, e->values.data + e->list[i].value, e->list[i].len,
			    e->list[i].kind);
	edits_apply(e, plain->data, plain->len, r->s->tags, &text);
	base64_add(&code, text.data, text.len);
	bool url = memchr(r->t + from, '-', to - from) || memchr(r->t + from, '_', to - from);
	for (size_t i = 0; url && i < code.len; i++)
		code.data[i] = code.data[i] == '+' ? '-' : code.data[i] == '/' ? '_' : code.data[i];
	while ((url || r->t[to - 1] != '=') && code.len > 0 && code.data[code.len - 1] == '=')
		code.len--;
	edits_add(
	    r->out, r->base + from, r->base + to, e->list[0].kind, EDIT_TEXT, code.data, code.len);
	r->done = to;
	buf_free(&text);
	buf_free(&code);
}

/* A run of base64 that hides text. */
static void
base64(struct reading *r, size_t from, size_t to)
{
	struct buf plain = {0};
	struct edits inner = {0};
	size_t len = to - from;

	if (r->layer >= LAYERS || len < 24)
		return;
	/* Pictures are told by their first bytes. */
	bool text = reading_decode(r->t + from, len < 64 ? len : 64, &plain) && plain.len > 8 &&
		    printable(plain.data, utf8_floor(plain.data, plain.len, plain.len - 3));
	buf_clear(&plain);
	if (text && reading_decode(r->t + from, len, &plain) && printable(plain.data, plain.len))
		reading_text(r->s, plain.data, plain.len, 0, r->layer + 1, &inner);
	edits_settle(&inner);
	bool whole = inner.count == 1 && inner.list[0].to - inner.list[0].from == plain.len;
	if (inner.count > 0 && (whole || r->s->tags == NULL))
		edits_add(r->out, r->base + from, r->base + to, inner.list[0].kind, EDIT_TAG,
		    inner.values.data + inner.list[0].value, inner.list[0].len);
	else if (inner.count > 0)
		encode_again(r, from, to, &plain, &inner);
	edits_free(&inner);
	buf_free(&plain);
}

/* The JSON value that begins at, inside of other text: its end, or 0. */
static size_t
embedded(struct reading *r, size_t at)
{
	const char *t = r->t;
	size_t depth = 0, i = at;

	if (r->layer >= LAYERS || at < r->braces_done || at + 1 >= r->n)
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
		r->braces_done = i;
		return 0;
	}
	reading_json(r->s, (struct span){t + at, i + 1 - at}, r->base + at, r->layer + 1, r->out);
	return i + 1;
}

static bool
has_invisible(const char *t, size_t n, size_t i)
{
	unsigned char c = (unsigned char)t[i], d = i + 1 < n ? (unsigned char)t[i + 1] : 0,
		      e = i + 2 < n ? (unsigned char)t[i + 2] : 0;

	switch (c) {
	case 0xe2: return (d == 0x80 && e >= 0x8b && e <= 0x8f) || (d == 0x81 && e == 0xa0);
	case 0xef: return (d == 0xbb && e == 0xbf) || (d == 0xbc && e == 0x9a);
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
		reading_found(r, start, to, kind);
}

static size_t
trigger(struct reading *r, size_t i)
{
	const char *t = r->t;
	size_t end;

	switch (t[i]) {
	case '%':
		if (i >= r->percent_done)
			r->percent_done = percent(r, i);
		return i + 1;
	case ':':
		if (i + 2 < r->n && t[i + 1] == '/' && t[i + 2] == '/') {
			reading_userinfo(r, i);
			return i + 3;
		}
		/* fall through */
	case '=':
		if (t[i] == ':' && r->n - i > 34 && t[i + 1] == 'A' && t[i + 2] == 'A')
			reading_telegram(r, i);
		if (i >= r->done)
			reading_pair(r, i);
		return i + 1;
	case '~': reading_entra(r, i); return i + 1;
	case '<': reading_tag(r, i); return i + 1;
	case '(': reading_call(r, i); return i + 1;
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

/* An option and its value, or "NAME -> value". */
static inline bool
may_name(const struct reading *r, size_t from, size_t to)
{
	const char *t = r->t;

	if (from > 0 && is_class(t[from - 1], C_NAME))
		return to < r->n && (is_blank(t[to]) || (t[from - 1] == '-' && t[from] == 'p'));
	return to + 3 < r->n && t[to + 1] == '-' && t[to + 2] == '>' && is_blank(t[to]);
}

/* Words of prose: nothing begins with them, and they name nothing. */
static inline bool
is_idle(const struct reading *r, size_t from, size_t to)
{
	if (to - from >= 16 || from + 3 > r->n || r->s->personal || may_name(r, from, to))
		return false;
	int begins = r->s->begins[three_of(r->t + from)];
	return begins == 0 || (begins == BEGINS_PATH && from > 0 && r->t[from - 1] != '/');
}

/* The word [from, to), and what it begins; where to go on. */
static size_t
word(struct reading *r, size_t from, size_t to)
{
	const char *t = r->t;
	size_t len = to - from, end;

	if (from < r->done)
		return to;
	int begins = r->n - from < 3 ? BEGINS_TOKEN : r->s->begins[three_of(t + from)];
	if (begins & BEGINS_TOKEN || len == 32) {
		end = reading_token(r, from, to);
		if (end > 0)
			return end > to ? end : to;
	}
	if (begins & BEGINS_KNOWN) {
		struct known_match known = known_word(r->s->known, t, r->n, from);
		if (known.len > 0)
			reading_found(r, from, from + known.len, known.kind);
	}
	if (begins & BEGINS_FIELD) {
		if (len == 7 && memcmp(t + from, "textbox", 7) == 0)
			reading_aria(r, to);
		if (len == 4 &&
		    (memcmp(t + from, "Fill", 4) == 0 || memcmp(t + from, "Type", 4) == 0))
			reading_step(r, to);
		if (len == 8 && to < r->n && is_blank(t[to]) && from >= r->done)
			reading_prose(r, from, to);
		if (len == 10 && to < r->n && t[to] == ' ')
			reading_identified(r, to);
		if ((len == 4 || len == 5) && to < r->n && t[to] == '\t')
			reading_cookie_line(r, from, to);
	}
	if (begins & BEGINS_PATH && from > 0 && t[from - 1] == '/')
		reading_path(r, from);
	if (len >= 16 && (from == 0 || !is_b64(t[from - 1]))) {
		for (end = to; end < r->n && is_b64(t[end]);)
			end++;
		for (size_t pad = end; end < r->n && end - pad < 2 && t[end] == '=';)
			end++;
		base64(r, from, end);
	}
	if (begins & BEGINS_LINK)
		reading_link(r, from);
	if (may_name(r, from, to) && from >= r->done)
		reading_prose(r, from, to);
	if (r->s->personal)
		personal(r, from, to);
	return to;
}

/* Values that were given are looked for at every byte. */
static void
given(struct reading *r)
{
	for (size_t i = 0; i < r->n;) {
		struct known_match m = known_given(r->s->known, r->t, r->n, i);
		if (m.len > 0)
			edits_add(r->out, r->base + i, r->base + i + m.len, m.kind, EDIT_TAG,
			    m.value, m.value_len);
		i += m.len > 0 ? m.len : 1;
	}
}

static inline void
note_seen(struct secrets *s, uint32_t six)
{
	struct seen *seen = &s->seen[six % SIXES];
	uint16_t check = (uint16_t)(six >> 16 | 1);

	if (seen->text == 0)
		*seen = (struct seen){s->text, check};
	else if (seen->check != check)
		seen->check = 0;
}

void
reading_text(struct secrets *s, const char *t, size_t n, size_t base, int layer, struct edits *out)
{
	struct reading r = {.s = s, .out = out, .t = t, .n = n, .base = base, .layer = layer};
	bool entities = false, escapes = false;

	if (layer < LAYERS && n > 1 && (t[0] == '{' || t[0] == '[' || t[0] == '"') &&
	    scan_check(t, n, NULL)) {
		reading_json(s, (struct span){t, n}, base, layer, out);
		return;
	}
	if (known_has_given(s->known))
		given(&r);
	for (size_t i = 0; i < n;) {
		int class = reading_class[(unsigned char)t[i]];
		if (class & C_WORD) {
			size_t from = i;
			i = word_end(t, i + 1, n);
			if (i - from >= 6)
				note_seen(s, six_of(t + from));
			if (!is_idle(&r, from, i))
				i = word(&r, from, i);
		} else if (class & C_TRIGGER) {
			if (t[i] == '&' && has_entities(t, n, i))
				entities = true;
			if (t[i] == '\\' && n - i > 6 && memcmp(t + i + 1, "u00", 3) == 0)
				escapes = true;
			i = trigger(&r, i);
		} else if (class & C_INVISIBLE && layer < LAYERS && has_invisible(t, n, i)) {
			read_view(&r, VIEW_VISIBLE, 0, n);
			return;
		} else {
			i++;
		}
	}
	if (entities && layer < LAYERS)
		read_view(&r, VIEW_ENTITY, 0, n);
	if (escapes && layer < LAYERS)
		read_view(&r, VIEW_JSON, 0, n);
}

/* Learn what was found; true when some of it is news, and may stand elsewhere without a name. */
static bool
learn(struct secrets *s, const struct edits *found)
{
	bool news = false;

	for (size_t i = 0; i < found->count; i++) {
		const struct edit *e = &found->list[i];
		if (e->form == EDIT_TAG && keep(s, found->values.data + e->value, e->len, e->kind))
			news = true;
	}
	return news;
}

/* The rest of a private key that was open; how long it is. */
static size_t
rest_of_key(struct secrets *s, const char *text, size_t len, struct edits *found)
{
	struct reading r = {.s = s, .out = found, .t = text, .n = len};
	size_t to = reading_pem_body(&r, 0);

	reading_found(&r, 0, to, "PRIVATE_KEY");
	return to;
}

static void
begin_text(struct secrets *s)
{
	s->limit = false;
	if (s->text < UINT16_MAX)
		s->text++;
}

bool
secrets_in_text(struct secrets *s, const char *text, size_t len, struct edits *found)
{
	bool open = s->pem_open;

	begin_text(s);
	for (int round = 0; round < ROUNDS; round++) {
		edits_cut(found, 0);
		size_t from = open ? rest_of_key(s, text, len, found) : 0;
		s->pem_open = open && from == len;
		reading_text(s, text + from, len - from, from, 0, found);
		edits_settle(found);
		if (!learn(s, found))
			break;
	}
	return !s->limit;
}

/* The tags are in; what they brought together is read once more.  No key is opened or closed. */
bool
secrets_again(struct secrets *s, const char *text, size_t len, struct edits *found)
{
	bool open = s->pem_open;

	edits_cut(found, 0);
	reading_text(s, text, len, 0, 0, found);
	edits_settle(found);
	s->pem_open = open;
	return found->count > 0;
}

bool
secrets_in_json(struct secrets *s, struct span doc, struct edits *found)
{
	begin_text(s);
	s->pem_open = false;
	for (int round = 0; round < ROUNDS; round++) {
		edits_cut(found, 0);
		reading_json(s, doc, 0, 0, found);
		edits_settle(found);
		if (!learn(s, found))
			break;
	}
	return !s->limit;
}

size_t
secrets_known(const struct secrets *s)
{
	return known_count(s->known);
}

bool
secrets_mentioned(const struct secrets *s, const char *text, size_t len)
{
	for (size_t i = 0; s->any_late && i + 3 <= len;) {
		if (!is_word(text[i])) {
			i++;
			continue;
		}
		size_t three = three_of(text + i);
		if (s->late[three / 64] >> three % 64 & 1 && known_begins(s->known, text, len, i))
			return true;
		i = word_end(text, i + 1, len);
	}
	return false;
}

void
secrets_age(struct secrets *s)
{
	memset(s->seen, 0, sizeof s->seen);
	memset(s->late, 0, sizeof s->late);
	s->any_late = false;
	s->text = 0;
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
