#include "css.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "prog.h"
#include "utf8.h"

enum {
	BUDGET = 8000000, /* steps of matching, over all elements */
	NESTING = 24,     /* of blocks and of selectors in selectors */
	RULES = 200000,
	ROOM = 24 << 20, /* bytes of rules and contents */
	IMPORTS = 8,     /* deep */
};

enum prop { DISPLAY, VISIBILITY, FLOAT, POSITION, SKIP, CONTENT, PROPS };
enum word {
	W_OTHER,
	W_NONE,
	W_CONTENTS,
	W_INLINE,
	W_BLOCK,
	W_ITEMS,
	W_INLINE_ITEMS,
	W_VISIBLE,
	W_HIDDEN,
	W_INHERIT,
	W_INITIAL,
	W_REVERT,
};

struct decl {
	struct decl *next;
	enum prop prop; /* PROPS: a custom property */
	enum word word;
	bool important;
	struct span name;  /* of a custom property */
	struct span value; /* of CONTENT and custom ones */
};

enum simple_kind {
	S_ANY,
	S_NEVER,
	S_ALWAYS,
	S_TYPE,
	S_ID,
	S_CLASS,
	S_ATTR,
	S_NOT,
	S_IS,
	S_HAS,
	S_NTH,
	S_HOST,
	S_HOST_CONTEXT,
	S_STATE,
	S_NEST,
	S_ANCHOR,
};

enum state {
	STATE_ROOT,
	STATE_EMPTY,
	STATE_CHECKED,
	STATE_DISABLED,
	STATE_ENABLED,
	STATE_LINK,
	STATE_DEFINED,
	STATE_POPOVER_OPEN,
	STATE_MODAL,
	STATE_OPEN,
	STATE_PLACEHOLDER,
	STATE_REQUIRED,
	STATE_OPTIONAL,
	STATE_READ_ONLY,
	STATE_READ_WRITE,
	STATE_VALID,
	STATE_INVALID,
	STATE_LANG,
	STATE_DIR,
};

struct selectors;

struct simple {
	enum simple_kind kind;
	char op; /* S_ATTR: 0 present, '=', '~', '|', '^', '$', '*' */
	bool fold, from_end, of_type;
	enum state state;
	int a, b;
	struct span name, value;
	const struct selectors *list;
	struct simple *next;
};

struct compound {
	struct simple *simples;
	char combinator; /* to what stands before it: ' ', '>', '+', '~'; 0: nothing does */
	struct compound *before;
};

enum pseudo { P_NONE, P_BEFORE, P_AFTER, P_OTHER };

struct selector {
	struct compound *last;
	enum pseudo pseudo;
	const struct selectors *slotted; /* ::slotted(): last is the slot */
	struct span part;                /* ::part(): last is the host */
	bool bad;                        /* it spoils the rule that it stands in */
	unsigned a, b, c;                /* specificity */
	struct selector *next;
};

struct selectors {
	struct selector *first;
	bool bad;
};

struct rule {
	const struct selector *selector;
	const struct decl *decls;
	const struct dom_node *scope; /* root of the tree it stands in */
	unsigned order, layer;
	uint32_t key; /* what an element must have to be looked at; 0: anything */
	struct rule *next;
};

struct layer {
	struct span name; /* dotted, in full */
	struct layer *next;
	unsigned number;
};

struct css {
	struct dom_tree *tree;
	struct css_style *styles;       /* by id */
	const struct dom_node **scopes; /* by id: root of the tree that the node is in */
	struct rule *rules;             /* newest first, then by key */
	struct rule **sorted;
	size_t rule_count;
	struct layer *layers;
	unsigned layer_count;
	struct span base;
	struct span defined; /* custom elements, with commas */
	long budget;
	size_t used; /* bytes of the tree's memory */
	bool custom; /* some rule has a custom property that content may use */
};

/* What the parser knows of the place it is at. */
struct place {
	struct css *css;
	const struct dom_node *scope;
	const struct selectors *parent; /* of nested rules */
	struct span layer;
	bool layered;
	int depth, imports;
};

bool
css_word(struct span text, const char *lower)
{
	size_t i = 0;

	for (; i < text.len && lower[i]; i++)
		if (tolower((unsigned char)text.at[i]) != lower[i])
			return false;
	return i == text.len && lower[i] == '\0';
}

static bool
same_text(struct span a, struct span b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

static bool
same_fold(struct span a, struct span b)
{
	if (a.len != b.len)
		return false;
	for (size_t i = 0; i < a.len; i++)
		if (tolower((unsigned char)a.at[i]) != tolower((unsigned char)b.at[i]))
			return false;
	return true;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static bool
is_ident(char c)
{
	return isalnum((unsigned char)c) || c == '-' || c == '_' || (unsigned char)c >= 0x80;
}

static struct span
trimmed(const char *from, const char *to)
{
	while (from < to && is_blank(*from))
		from++;
	while (to > from && is_blank(to[-1]))
		to--;
	return (struct span){from, (size_t)(to - from)};
}

/* Past blanks and comments. */
static const char *
past_blank(const char *p, const char *end)
{
	for (;;) {
		while (p < end && is_blank(*p))
			p++;
		if (end - p < 2 || p[0] != '/' || p[1] != '*')
			return p;
		for (p += 2; end - p >= 2 && !(p[0] == '*' && p[1] == '/'); p++)
			;
		p = end - p >= 2 ? p + 2 : end;
	}
}

static const char *
past_quoted(const char *p, const char *end)
{
	char quote = *p++;

	while (p < end && *p != quote && *p != '\n')
		p += *p == '\\' && end - p > 1 ? 2 : 1;
	return p < end ? p + 1 : end;
}

/* The first of the stop bytes outside strings, comments, and brackets that open here; or end. */
static const char *
find_stop(const char *p, const char *end, const char *stops)
{
	size_t depth = 0;

	while (p < end) {
		if (depth == 0 && strchr(stops, *p) && *p != '\0')
			return p;
		if (*p == '"' || *p == '\'') {
			p = past_quoted(p, end);
			continue;
		}
		if (*p == '/' && end - p > 1 && p[1] == '*') {
			p = past_blank(p, end);
			continue;
		}
		if (*p == '\\') {
			p += end - p > 1 ? 2 : 1;
			continue;
		}
		if (*p == '(' || *p == '[' || *p == '{')
			depth++;
		else if ((*p == ')' || *p == ']' || *p == '}') && depth > 0)
			depth--;
		p++;
	}
	return end;
}

/* Memory of the tree, counted: a hostile style sheet must not take much. */
static void *
grab(struct css *c, size_t size)
{
	c->used += size;
	return dom_alloc(c->tree, size);
}

static struct span
copied(struct css *c, const struct buf *b)
{
	char *copy = grab(c, b->len + 1);

	memcpy(copy, b->data ? b->data : "", b->len);
	return (struct span){copy, b->len};
}

/* An escape behind its backslash, decoded into b (CSS Syntax 4.3.7). */
static const char *
read_escape(const char *p, const char *end, struct buf *b)
{
	uint32_t code = 0;
	int digits = 0;

	while (p < end && digits < 6 && isxdigit((unsigned char)*p)) {
		char low = (char)tolower((unsigned char)*p);
		code = code * 16 + (uint32_t)(low <= '9' ? low - '0' : low - 'a' + 10);
		digits++;
		p++;
	}
	if (digits == 0) {
		if (p < end)
			buf_byte(b, *p++);
		return p;
	}
	if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		code = 0xfffd;
	utf8_add(b, code);
	return p < end && is_blank(*p) ? p + 1 : p;
}

/* An identifier, escapes decoded; empty if there is none. */
static struct span
read_ident(struct css *c, const char **at, const char *end)
{
	const char *p = *at, *from = p;

	while (p < end && is_ident(*p))
		p++;
	if (p == end || *p != '\\') {
		*at = p;
		return (struct span){from, (size_t)(p - from)};
	}
	struct buf b = {0};
	buf_add(&b, from, (size_t)(p - from));
	while (p < end && (is_ident(*p) || *p == '\\')) {
		if (*p == '\\')
			p = read_escape(p + 1, end, &b);
		else
			buf_byte(&b, *p++);
	}
	*at = p;
	struct span ident = copied(c, &b);
	buf_free(&b);
	return ident;
}

/* What is between the quotes at *at, escapes decoded. */
static struct span
read_quoted(struct css *c, const char **at, const char *end)
{
	const char *to = past_quoted(*at, end), *p = *at + 1;
	const char *stop = to > p && to[-1] == **at ? to - 1 : to;
	struct buf b = {0};

	while (p < stop) {
		if (*p != '\\')
			buf_byte(&b, *p++);
		else if (stop - p > 1 && p[1] == '\n')
			p += 2;
		else
			p = read_escape(p + 1, stop, &b);
	}
	*at = to;
	struct span text = copied(c, &b);
	buf_free(&b);
	return text;
}

/*
 * Selectors.
 */

static const struct selectors *read_selectors(
    struct place *at, const char *p, const char *end, bool relative);

static struct simple *
new_simple(struct css *c, struct compound *compound, enum simple_kind kind)
{
	struct simple *s = grab(c, sizeof *s);

	s->kind = kind;
	s->next = compound->simples;
	compound->simples = s;
	return s;
}

/* "2n+1", "odd", "3" (CSS Syntax 6). */
static bool
read_nth(struct span text, int *a, int *b)
{
	char flat[32];
	size_t n = 0;

	if (css_word(text, "odd") || css_word(text, "even")) {
		*a = 2;
		*b = tolower((unsigned char)text.at[0]) == 'o';
		return true;
	}
	for (size_t i = 0; i < text.len; i++) {
		if (is_blank(text.at[i]))
			continue;
		if (n == sizeof flat - 1)
			return false;
		flat[n++] = (char)tolower((unsigned char)text.at[i]);
	}
	flat[n] = '\0';
	char *stop, *letter = strchr(flat, 'n');
	if (letter == NULL) {
		*a = 0;
		*b = (int)strtol(flat, &stop, 10);
		return n > 0 && *stop == '\0';
	}
	*letter = '\0';
	*a = flat[0] == '\0' || strcmp(flat, "+") == 0 ? 1
	     : strcmp(flat, "-") == 0                  ? -1
						       : (int)strtol(flat, &stop, 10);
	*b = (int)strtol(letter + 1, &stop, 10);
	return *stop == '\0';
}

static bool
starts(struct span text, const char *with)
{
	size_t len = strlen(with);

	return text.len >= len && memcmp(text.at, with, len) == 0;
}

static void
read_attr(struct css *c, struct compound *compound, const char *p, const char *end)
{
	struct simple *s = new_simple(c, compound, S_ATTR);

	p = past_blank(p, end);
	s->name = read_ident(c, &p, end);
	if (p < end && *p == '|' && end - p > 1 && p[1] != '=') {
		p++;
		s->name = read_ident(c, &p, end);
	}
	p = past_blank(p, end);
	if (p == end)
		return;
	s->op = *p++;
	if (s->op != '=' && p < end && *p == '=')
		p++;
	p = past_blank(p, end);
	if (p < end && (*p == '"' || *p == '\''))
		s->value = read_quoted(c, &p, end);
	else
		s->value = read_ident(c, &p, end);
	p = past_blank(p, end);
	/* HTML compares these without case (HTML, "case-sensitivity of selectors"). */
	s->fold = (p < end && (*p == 'i' || *p == 'I')) || css_word(s->name, "type") ||
		  css_word(s->name, "dir") || css_word(s->name, "lang");
	if (p < end && (*p == 's' || *p == 'S'))
		s->fold = false;
}

/* Pseudo-classes and pseudo-elements that Chromium knows: others spoil the rule. */
static const char *const unseen[] = {"hover", "active", "focus", "focus-visible", "focus-within",
    "visited", "target", "target-within", "indeterminate", "default", "in-range", "out-of-range",
    "user-valid", "user-invalid", "autofill", "fullscreen", "picture-in-picture", "paused",
    "playing", "seeking", "stalled", "buffering", "muted", "future", "past", "current", "state",
    "active-view-transition", "host", "first-line", "first-letter"};
static const char *const pseudo_elements[] = {"first-line", "first-letter", "marker", "placeholder",
    "selection", "backdrop", "file-selector-button", "cue", "grammar-error", "spelling-error",
    "target-text", "highlight", "details-content", "view-transition", "picker", "picker-icon",
    "checkmark", "scroll-marker", "scroll-button", "column", "search-text"};

static bool
is_known(struct span name, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (css_word(name, names[i]))
			return true;
	return starts(name, "-webkit-");
}

struct named_state {
	const char *name;
	enum state state;
};

static const struct named_state states[] = {
    {"root", STATE_ROOT},
    {"scope", STATE_ROOT},
    {"empty", STATE_EMPTY},
    {"checked", STATE_CHECKED},
    {"disabled", STATE_DISABLED},
    {"enabled", STATE_ENABLED},
    {"link", STATE_LINK},
    {"any-link", STATE_LINK},
    {"defined", STATE_DEFINED},
    {"popover-open", STATE_POPOVER_OPEN},
    {"modal", STATE_MODAL},
    {"open", STATE_OPEN},
    {"placeholder-shown", STATE_PLACEHOLDER},
    {"required", STATE_REQUIRED},
    {"optional", STATE_OPTIONAL},
    {"read-only", STATE_READ_ONLY},
    {"read-write", STATE_READ_WRITE},
    {"valid", STATE_VALID},
    {"invalid", STATE_INVALID},
    {"lang", STATE_LANG},
    {"dir", STATE_DIR},
    {"-webkit-any-link", STATE_LINK},
};

static const struct {
	const char *name;
	int a, b;
	bool from_end, of_type;
} nths[] = {
    {"first-child", 0, 1, false, false},
    {"last-child", 0, 1, true, false},
    {"first-of-type", 0, 1, false, true},
    {"last-of-type", 0, 1, true, true},
    {"nth-child", 0, 0, false, false},
    {"nth-last-child", 0, 0, true, false},
    {"nth-of-type", 0, 0, false, true},
    {"nth-last-of-type", 0, 0, true, true},
};

/* The "of" in "2n of .shown"; NULL: there is none. */
static const char *
find_of(struct span args)
{
	for (size_t i = 1; i + 3 < args.len; i++)
		if (is_blank(args.at[i - 1]) && css_word((struct span){args.at + i, 2}, "of") &&
		    is_blank(args.at[i + 2]))
			return args.at + i;
	return NULL;
}

static bool
read_nth_pseudo(struct place *at, struct compound *compound, struct span name, struct span args)
{
	struct css *c = at->css;

	for (size_t i = 0; i < sizeof nths / sizeof *nths; i++) {
		if (!css_word(name, nths[i].name))
			continue;
		struct simple *s = new_simple(c, compound, S_NTH);
		s->a = nths[i].a;
		s->b = nths[i].b;
		s->from_end = nths[i].from_end;
		s->of_type = nths[i].of_type;
		const char *of = args.at ? find_of(args) : NULL;
		if (of) {
			s->list = read_selectors(at, of + 2, args.at + args.len, false);
			args = trimmed(args.at, of);
		}
		if (args.at && !read_nth(args, &s->a, &s->b))
			s->kind = S_NEVER;
		return true;
	}
	bool type = css_word(name, "only-of-type");
	if (!type && !css_word(name, "only-child"))
		return false;
	for (int end = 0; end < 2; end++) {
		struct simple *s = new_simple(c, compound, S_NTH);
		s->b = 1;
		s->from_end = end;
		s->of_type = type;
	}
	return true;
}

/* The highest specificity in a list counts for :is(), :not() and :has(). */
static void
add_highest(struct selector *to, const struct selectors *list)
{
	const struct selector *best = NULL;

	for (const struct selector *s = list ? list->first : NULL; s; s = s->next)
		if (best == NULL || s->a > best->a || (s->a == best->a && s->b > best->b) ||
		    (s->a == best->a && s->b == best->b && s->c > best->c))
			best = s;
	if (best == NULL)
		return;
	to->a += best->a;
	to->b += best->b;
	to->c += best->c;
}

static void
read_pseudo_class(struct place *at, struct selector *sel, struct compound *compound,
    struct span name, struct span args)
{
	struct css *c = at->css;
	static const struct {
		const char *name;
		enum simple_kind kind;
	} lists[] = {{"not", S_NOT}, {"is", S_IS}, {"where", S_IS}, {"matches", S_IS},
	    {"-webkit-any", S_IS}, {"has", S_HAS}, {"host", S_HOST},
	    {"host-context", S_HOST_CONTEXT}};

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		if (!css_word(name, lists[i].name))
			continue;
		struct simple *s = new_simple(c, compound, lists[i].kind);
		if (args.at)
			s->list =
			    read_selectors(at, args.at, args.at + args.len, lists[i].kind == S_HAS);
		else if (lists[i].kind != S_HOST)
			s->kind = S_NEVER;
		if (s->list && s->list->bad && s->kind != S_IS)
			sel->bad = true;
		if (!css_word(name, "where"))
			add_highest(sel, s->list);
		if (lists[i].kind == S_HOST)
			sel->b++;
		return;
	}
	sel->b++;
	if (read_nth_pseudo(at, compound, name, args))
		return;
	struct simple *s = new_simple(c, compound, S_NEVER);
	bool known = is_known(name, unseen, sizeof unseen / sizeof *unseen);
	s->value = args;
	for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
		if (css_word(name, states[i].name)) {
			s->kind = S_STATE;
			s->state = states[i].state;
			known = true;
		}
	}
	sel->bad = sel->bad || !known;
}

static void
read_pseudo_element(struct place *at, struct selector *sel, struct span name, struct span args)
{
	sel->c++;
	if (css_word(name, "before"))
		sel->pseudo = P_BEFORE;
	else if (css_word(name, "after"))
		sel->pseudo = P_AFTER;
	else if (css_word(name, "slotted") && args.at) {
		sel->slotted = read_selectors(at, args.at, args.at + args.len, false);
		add_highest(sel, sel->slotted);
	} else if (css_word(name, "part")) {
		sel->part = args;
	} else {
		sel->pseudo = P_OTHER;
		sel->bad = !is_known(
		    name, pseudo_elements, sizeof pseudo_elements / sizeof *pseudo_elements);
	}
}

static const char *
read_pseudo(struct place *at, struct selector *sel, struct compound *compound, const char *p,
    const char *end)
{
	bool element = end - p > 1 && p[1] == ':';
	struct span args = {0};

	p += element ? 2 : 1;
	struct span name = read_ident(at->css, &p, end);
	if (p < end && *p == '(') {
		const char *close = find_stop(p + 1, end, ")");
		args = trimmed(p + 1, close);
		p = close < end ? close + 1 : end;
	}
	if (element || css_word(name, "before") || css_word(name, "after"))
		read_pseudo_element(at, sel, name, args);
	else
		read_pseudo_class(at, sel, compound, name, args);
	return p;
}

/* One compound; NULL where the text is no selector. */
static struct compound *
read_compound(struct place *at, struct selector *sel, const char **from, const char *end)
{
	struct css *c = at->css;
	struct compound *compound = grab(c, sizeof *compound);
	const char *p = *from;

	while (p < end && c->used < ROOM && !is_blank(*p) && strchr(">+~,", *p) == NULL) {
		if (*p == '*') {
			new_simple(c, compound, S_ANY);
			p++;
		} else if (*p == '&') {
			struct simple *s = new_simple(c, compound, S_NEST);
			s->list = at->parent;
			add_highest(sel, at->parent);
			p++;
		} else if (*p == '#') {
			p++;
			struct simple *s = new_simple(c, compound, S_ID);
			s->name = read_ident(c, &p, end);
			sel->a++;
		} else if (*p == '.') {
			p++;
			struct simple *s = new_simple(c, compound, S_CLASS);
			s->name = read_ident(c, &p, end);
			sel->b++;
		} else if (*p == '[') {
			const char *close = find_stop(p + 1, end, "]");
			read_attr(c, compound, p + 1, close);
			sel->b++;
			p = close < end ? close + 1 : end;
		} else if (*p == ':') {
			p = read_pseudo(at, sel, compound, p, end);
		} else if (*p == '|') {
			p++;
		} else if (*p == '/' && past_blank(p, end) > p) {
			p = past_blank(p, end);
		} else if (is_ident(*p) || *p == '\\') {
			struct simple *s = new_simple(c, compound, S_TYPE);
			s->name = read_ident(c, &p, end);
			sel->c++;
		} else {
			return NULL;
		}
	}
	if (p == *from)
		return NULL;
	*from = p;
	return compound;
}

static bool
has_nest(const struct selector *sel)
{
	for (const struct compound *c = sel->last; c; c = c->before)
		for (const struct simple *s = c->simples; s; s = s->next)
			if (s->kind == S_NEST)
				return true;
	return false;
}

/* In front of what stands first, as its ancestor: what a nested or relative selector begins at. */
static void
put_in_front(
    struct css *c, struct selector *sel, enum simple_kind kind, const struct selectors *list)
{
	struct compound *front = grab(c, sizeof *front), *first = sel->last;

	new_simple(c, front, kind)->list = list;
	while (first->before)
		first = first->before;
	first->before = front;
	if (first->combinator == 0)
		first->combinator = ' ';
}

static struct selector *
read_selector(struct place *at, const char *p, const char *end, bool relative)
{
	struct selector *sel = grab(at->css, sizeof *sel);
	bool nested = at->parent != NULL;

	for (;;) {
		char combinator = sel->last ? ' ' : 0;
		p = past_blank(p, end);
		if (p == end)
			break;
		if (strchr(">+~", *p)) {
			if (sel->last == NULL && !relative && !nested)
				return NULL;
			combinator = *p++;
			p = past_blank(p, end);
		}
		if (sel->pseudo != P_NONE)
			return NULL;
		struct compound *compound = read_compound(at, sel, &p, end);
		if (compound == NULL)
			return NULL;
		compound->combinator = combinator;
		compound->before = sel->last;
		sel->last = compound;
	}
	if (sel->last == NULL)
		return NULL;
	if (relative)
		put_in_front(at->css, sel, S_ANCHOR, NULL);
	return sel;
}

/* A list; selectors that are none are left out. */
static const struct selectors *
read_selectors(struct place *at, const char *p, const char *end, bool relative)
{
	struct selectors *list = grab(at->css, sizeof *list);
	struct selector **next = &list->first;

	if (at->depth >= NESTING)
		return list;
	at->depth++;
	while (p < end && at->css->used < ROOM) {
		const char *comma = find_stop(p, end, ",");
		struct selector *sel = read_selector(at, p, comma, relative);
		list->bad = list->bad || sel == NULL || sel->bad;
		if (sel && !sel->bad) {
			*next = sel;
			next = &sel->next;
		}
		p = comma < end ? comma + 1 : end;
	}
	at->depth--;
	return list;
}

/*
 * Matching.
 */

struct match {
	struct css *css;
	const struct dom_node *scope;  /* root of the tree that the rule stands in */
	const struct dom_node *anchor; /* of :has() */
	int depth;
};

static bool matches_list(struct match *m, const struct selectors *list, const struct dom_node *n);
static bool matches_compound(struct match *m, const struct compound *c, const struct dom_node *n);

static bool
is_shadow_root(const struct dom_node *n)
{
	return n->parent && n->parent->shadow == n;
}

/* The parent as selectors see it: the host where the shadow tree ends, nothing above the root. */
static const struct dom_node *
selector_parent(const struct dom_node *n)
{
	const struct dom_node *p = n->parent;

	return p && is_shadow_root(p) ? p->parent : p;
}

static const struct dom_node *
element_before(const struct dom_node *n)
{
	for (n = n->prev; n && n->name.at == NULL; n = n->prev)
		;
	return n;
}

static const struct dom_node *
element_after(const struct dom_node *n)
{
	for (n = n->next; n && n->name.at == NULL; n = n->next)
		;
	return n;
}

static bool
matches_nth(struct match *m, const struct simple *s, const struct dom_node *n)
{
	const struct dom_node *at = n;
	int place = 1;

	if (s->list && !matches_list(m, s->list, n))
		return false;
	while ((at = s->from_end ? element_after(at) : element_before(at)) != NULL) {
		place += s->list ? matches_list(m, s->list, at)
				 : !s->of_type || same_text(at->name, n->name);
		if (--m->css->budget < 0)
			return false;
	}
	if (s->a == 0)
		return place == s->b;
	long steps = (long)place - s->b;
	return steps % s->a == 0 && steps / s->a >= 0;
}

static bool
has_word(struct span text, struct span word, bool fold)
{
	size_t i = 0;

	while (i < text.len) {
		while (i < text.len && is_blank(text.at[i]))
			i++;
		size_t from = i;
		while (i < text.len && !is_blank(text.at[i]))
			i++;
		struct span one = {text.at + from, i - from};
		if (word.len > 0 && (fold ? same_fold(one, word) : same_text(one, word)))
			return true;
	}
	return false;
}

/* "open" of a DIALOG is recorded under another name. */
static struct span
attribute(const struct dom_node *n, struct span name)
{
	for (unsigned i = 0; i < n->attr_count; i++)
		if (same_fold(n->attrs[i].name, name))
			return n->attrs[i].value;
	if (css_word(name, "open") && dom_is(n, "DIALOG"))
		return dom_attr(n, "__playwright_dialog_open_");
	return (struct span){0};
}

static bool
matches_attr(const struct simple *s, const struct dom_node *n)
{
	struct span have = attribute(n, s->name), want = s->value;
	size_t rest = have.len >= want.len ? have.len - want.len : 0;

	if (have.at == NULL)
		return false;
	if (s->op == 0)
		return true;
	if (s->op == '~')
		return has_word(have, want, s->fold);
	if (s->op == '=')
		return s->fold ? same_fold(have, want) : same_text(have, want);
	if (have.len < want.len || (want.len == 0 && s->op != '|'))
		return false;
	struct span head = {have.at, want.len}, tail = {have.at + rest, want.len};
	switch (s->op) {
	case '|': return same_text(head, want) && (rest == 0 || have.at[want.len] == '-');
	case '^': return s->fold ? same_fold(head, want) : same_text(head, want);
	case '$': return s->fold ? same_fold(tail, want) : same_text(tail, want);
	case '*':
		for (size_t i = 0; i <= rest; i++) {
			struct span part = {have.at + i, want.len};
			if (s->fold ? same_fold(part, want) : same_text(part, want))
				return true;
		}
	}
	return false;
}

static bool
is_control(const struct dom_node *n)
{
	return dom_is(n, "INPUT") || dom_is(n, "TEXTAREA") || dom_is(n, "SELECT");
}

static bool
is_disabled(const struct dom_node *n)
{
	static const char *const names[] = {
	    "BUTTON", "INPUT", "SELECT", "TEXTAREA", "OPTION", "OPTGROUP", "FIELDSET"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		if (!dom_is(n, names[i]))
			continue;
		if (dom_attr(n, "disabled").at)
			return true;
		for (const struct dom_node *p = n->parent; p && i < 4; p = p->parent)
			if (dom_is(p, "FIELDSET") && dom_attr(p, "disabled").at)
				return true;
		return false;
	}
	return false;
}

static bool
can_be_disabled(const struct dom_node *n)
{
	return dom_is(n, "BUTTON") || is_control(n) || dom_is(n, "OPTION") ||
	       dom_is(n, "OPTGROUP") || dom_is(n, "FIELDSET");
}

static bool
is_defined(const struct css *c, const struct dom_node *n)
{
	struct span list = c->defined;

	if (memchr(n->name.at, '-', n->name.len) == NULL)
		return true;
	for (size_t i = 0; i < list.len;) {
		const char *comma = memchr(list.at + i, ',', list.len - i);
		size_t to = comma ? (size_t)(comma - list.at) : list.len;
		if (same_fold((struct span){list.at + i, to - i}, n->name))
			return true;
		i = to + 1;
	}
	return false;
}

/* Of the constraints of HTML the commonest one: required, and nothing is there. */
static bool
is_missing(const struct dom_node *n)
{
	if (!is_control(n) || dom_attr(n, "required").at == NULL || is_disabled(n))
		return false;
	struct span checked = dom_attr(n, "__playwright_checked_");
	return checked.at ? !css_word(checked, "true")
			  : dom_attr(n, "__playwright_value_").at &&
				dom_attr(n, "__playwright_value_").len == 0;
}

/* What an attribute that counts for all below it says here; at is NULL when nobody does. */
static struct span
inherited(const struct dom_node *n, const char *name)
{
	for (; n; n = selector_parent(n))
		if (dom_attr(n, name).at)
			return dom_attr(n, name);
	return (struct span){0};
}

static bool
is_of_language(struct span have, struct span want)
{
	return have.len >= want.len && want.len > 0 &&
	       same_fold((struct span){have.at, want.len}, want) &&
	       (have.len == want.len || have.at[want.len] == '-');
}

static bool
matches_state(const struct css *c, const struct simple *s, const struct dom_node *n)
{
	struct span dir;

	switch (s->state) {
	case STATE_LANG: return is_of_language(inherited(n, "lang"), s->value);
	case STATE_DIR:
		dir = inherited(n, "dir");
		return dir.at ? same_fold(dir, s->value) : css_word(s->value, "ltr");
	case STATE_ROOT: return n->parent == NULL;
	case STATE_EMPTY:
		for (const struct dom_node *k = n->first; k; k = k->next)
			if (k->name.at || k->text.len > 0)
				return false;
		return true;
	case STATE_CHECKED:
		return css_word(dom_attr(n, "__playwright_checked_"), "true") ||
		       css_word(dom_attr(n, "__playwright_selected_"), "true");
	case STATE_DISABLED: return is_disabled(n);
	case STATE_ENABLED: return can_be_disabled(n) && !is_disabled(n);
	case STATE_LINK: return (dom_is(n, "A") || dom_is(n, "AREA")) && dom_attr(n, "href").at;
	case STATE_DEFINED: return is_defined(c, n);
	case STATE_POPOVER_OPEN: return dom_attr(n, "__playwright_popover_open_").at != NULL;
	case STATE_MODAL: return css_word(dom_attr(n, "__playwright_dialog_open_"), "modal");
	case STATE_OPEN: return attribute(n, (struct span){"open", 4}).at != NULL;
	case STATE_PLACEHOLDER:
		return dom_attr(n, "placeholder").at && is_control(n) &&
		       dom_attr(n, "__playwright_value_").len == 0;
	case STATE_REQUIRED: return is_control(n) && dom_attr(n, "required").at;
	case STATE_OPTIONAL: return is_control(n) && !dom_attr(n, "required").at;
	case STATE_VALID: return is_control(n) && !is_missing(n);
	case STATE_INVALID: return is_missing(n);
	case STATE_READ_ONLY:
	case STATE_READ_WRITE: {
		bool writable = is_control(n) && !dom_is(n, "SELECT") &&
				!dom_attr(n, "readonly").at && !is_disabled(n);
		return writable == (s->state == STATE_READ_WRITE);
	}
	}
	return false;
}

/* A selector, right to left, from the compound that n must match on. */
static bool
matches_from(struct match *m, const struct compound *c, const struct dom_node *n)
{
	if (--m->css->budget < 0 || !matches_compound(m, c, n))
		return false;
	if (c->before == NULL)
		return true;
	bool sibling = c->combinator == '+' || c->combinator == '~';
	bool many = c->combinator == ' ' || c->combinator == '~';
	if (m->depth >= NESTING * 8)
		return false;
	m->depth++;
	bool found = false;
	do {
		if (!sibling && n == m->scope->parent)
			break; /* the host is as far as a shadow tree's rules see */
		n = sibling ? element_before(n) : selector_parent(n);
		found = n && matches_from(m, c->before, n);
	} while (n && many && !found && m->css->budget >= 0);
	m->depth--;
	return found;
}

static bool
matches_list(struct match *m, const struct selectors *list, const struct dom_node *n)
{
	for (const struct selector *s = list ? list->first : NULL; s; s = s->next)
		if (s->pseudo == P_NONE && s->slotted == NULL && s->part.at == NULL &&
		    matches_from(m, s->last, n))
			return true;
	return false;
}

/* Is there any element below, or after, n that a relative selector leads to? */
static bool
matches_has(struct match *m, const struct selectors *list, const struct dom_node *n)
{
	const struct dom_node *outer = m->anchor, *from = n;
	bool found = false;

	for (const struct selector *s = list ? list->first : NULL; s && !found; s = s->next) {
		const struct compound *first = s->last;
		while (first->before && first->before->before)
			first = first->before;
		bool sibling = first->combinator == '+' || first->combinator == '~';
		const struct dom_node *end = sibling ? n->parent : n;
		m->anchor = n;
		/* Document order below end, by links, and never into shadow trees. */
		for (const struct dom_node *at = sibling ? from : n->first; at && !found;) {
			found = at != n && at->name.at && matches_from(m, s->last, at);
			if (--m->css->budget < 0)
				break;
			if (at->first && at != n) {
				at = at->first;
				continue;
			}
			while (at && at != end && at->next == NULL)
				at = at->parent;
			at = at == NULL || at == end ? NULL : at->next;
		}
		m->anchor = outer;
	}
	return found;
}

static bool
matches_host_context(struct match *m, const struct selectors *list)
{
	for (const struct dom_node *p = m->scope->parent; p; p = selector_parent(p)) {
		struct match outer = {m->css, m->css->scopes[p->id], NULL, m->depth + 1};
		if (m->depth < NESTING && matches_list(&outer, list, p))
			return true;
	}
	return false;
}

static bool
matches_simple(struct match *m, const struct simple *s, const struct dom_node *n)
{
	/* The host has no features for the rules in its shadow tree, save as :host. */
	bool host = n == m->scope->parent;

	switch (s->kind) {
	case S_HOST: {
		struct match outer = {m->css, m->css->scopes[n->id], NULL, m->depth + 1};
		return host && (s->list == NULL ||
				   (m->depth < NESTING && matches_list(&outer, s->list, n)));
	}
	case S_HOST_CONTEXT: return host && matches_host_context(m, s->list);
	case S_IS: return matches_list(m, s->list, n);
	case S_NEST: return matches_list(m, s->list, n);
	case S_NOT: return !matches_list(m, s->list, n);
	case S_ANCHOR: return n == m->anchor;
	case S_HAS: return matches_has(m, s->list, n);
	default: break;
	}
	if (host)
		return false;
	switch (s->kind) {
	case S_ANY:
	case S_ALWAYS: return true;
	case S_TYPE: return same_fold(n->name, s->name);
	case S_ID: return same_text(dom_attr(n, "id"), s->name) && s->name.len > 0;
	case S_CLASS:
		m->css->budget -= (long)(dom_attr(n, "class").len / 64);
		return has_word(dom_attr(n, "class"), s->name, false);
	case S_ATTR:
		m->css->budget -= (long)(attribute(n, s->name).len / 16);
		return matches_attr(s, n);
	case S_NTH: return matches_nth(m, s, n);
	case S_STATE: return matches_state(m->css, s, n);
	default: return false;
	}
}

static bool
matches_compound(struct match *m, const struct compound *c, const struct dom_node *n)
{
	for (const struct simple *s = c->simples; s; s = s->next)
		if (!matches_simple(m, s, n))
			return false;
	return true;
}

static bool
rule_matches(struct css *c, const struct rule *r, const struct dom_node *n)
{
	struct match m = {c, r->scope, NULL, 0};
	const struct selector *s = r->selector;

	if (s->slotted)
		return n->slot && c->scopes[n->slot->id] == r->scope &&
		       matches_from(&m, s->last, n->slot) &&
		       matches_list(&(struct match){c, c->scopes[n->id], NULL, 1}, s->slotted, n);
	if (s->part.at) {
		const struct dom_node *host = c->scopes[n->id]->parent;
		return host && c->scopes[host->id] == r->scope &&
		       has_word(dom_attr(n, "part"), s->part, false) &&
		       matches_from(&m, s->last, host);
	}
	if (c->scopes[n->id] != r->scope && n->shadow != r->scope)
		return false;
	return matches_from(&m, s->last, n);
}

/*
 * Style sheets.
 */

static enum word
read_word(struct span value)
{
	static const struct {
		const char *text;
		enum word word;
	} words[] = {{"none", W_NONE}, {"contents", W_CONTENTS}, {"inline", W_INLINE},
	    {"inline flow", W_INLINE}, {"flex", W_ITEMS}, {"grid", W_ITEMS},
	    {"block flex", W_ITEMS}, {"block grid", W_ITEMS}, {"-webkit-flex", W_ITEMS},
	    {"-webkit-box", W_ITEMS}, {"inline-flex", W_INLINE_ITEMS},
	    {"inline-grid", W_INLINE_ITEMS}, {"inline flex", W_INLINE_ITEMS},
	    {"inline grid", W_INLINE_ITEMS}, {"-webkit-inline-box", W_INLINE_ITEMS},
	    {"block", W_BLOCK}, {"inline-block", W_BLOCK}, {"visible", W_VISIBLE},
	    {"hidden", W_HIDDEN}, {"collapse", W_HIDDEN}, {"absolute", W_BLOCK}, {"fixed", W_BLOCK},
	    {"left", W_BLOCK}, {"right", W_BLOCK}, {"inline-start", W_BLOCK},
	    {"inline-end", W_BLOCK}, {"inherit", W_INHERIT}, {"initial", W_INITIAL},
	    {"revert", W_REVERT}, {"revert-layer", W_REVERT}, {"static", W_NONE},
	    {"relative", W_NONE}, {"sticky", W_NONE}, {"auto", W_VISIBLE}};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (css_word(value, words[i].text))
			return words[i].word;
	return W_OTHER;
}

/* What a value must be for its property; others are dropped, as a browser does. */
static bool
is_value_of(enum prop prop, struct decl *d, struct span value)
{
	static const char *const displays[] = {"table", "inline-table", "table-row", "table-cell",
	    "table-row-group", "table-header-group", "table-footer-group", "table-column",
	    "table-column-group", "table-caption", "list-item", "flow-root", "ruby", "block flow",
	    "block flow-root", "inline flow-root", "ruby-text", "math", "block math",
	    "inline math"};

	d->word = read_word(value);
	if (d->word == W_INHERIT || d->word == W_INITIAL || d->word == W_REVERT)
		return true;
	if (css_word(value, "unset")) {
		d->word = prop == VISIBILITY ? W_INHERIT : W_INITIAL;
		return true;
	}
	switch (prop) {
	case DISPLAY:
		for (size_t i = 0; i < sizeof displays / sizeof *displays; i++)
			if (css_word(value, displays[i]))
				d->word = W_BLOCK;
		return d->word == W_NONE || d->word == W_CONTENTS || d->word == W_INLINE ||
		       d->word == W_ITEMS || d->word == W_INLINE_ITEMS ||
		       (d->word == W_BLOCK && !css_word(value, "left") &&
			   !css_word(value, "right"));
	case VISIBILITY:
	case SKIP: return d->word == W_VISIBLE || d->word == W_HIDDEN;
	case FLOAT:
	case POSITION: return d->word == W_NONE || d->word == W_BLOCK;
	default: return true;
	}
}

static bool
has_var(struct span value)
{
	for (size_t i = 0; i + 4 <= value.len; i++)
		if (css_word((struct span){value.at + i, 4}, "var("))
			return true;
	return false;
}

static struct decl **
keep_decl(struct css *c, struct decl d, struct decl **next)
{
	struct decl *kept = grab(c, sizeof *kept);

	*kept = d;
	*next = kept;
	return &kept->next;
}

/* "all" resets each property. */
static struct decl **
read_all(struct css *c, struct decl d, struct decl **next)
{
	for (int i = 0; i < PROPS; i++) {
		d.prop = (enum prop)i;
		if (is_value_of(d.prop, &d, d.value) && d.word >= W_INHERIT)
			next = keep_decl(c, d, next);
	}
	return next;
}

/* Append a declaration to a list, if it says something about text; the new end of the list. */
static struct decl **
read_decl(struct css *c, const char *from, const char *to, struct decl **next)
{
	static const char *const names[PROPS] = {
	    "display", "visibility", "float", "position", "content-visibility", "content"};
	const char *colon = find_stop(from, to, ":");
	struct decl d = {.prop = PROPS};

	if (colon == to)
		return next;
	from = past_blank(from, colon);
	struct span name = trimmed(from, colon), value = trimmed(past_blank(colon + 1, to), to);
	if (name.len == 0)
		return next;
	const char *bang = value.len ? find_stop(value.at, value.at + value.len, "!") : NULL;
	if (bang && bang < value.at + value.len) {
		d.important = true;
		value = trimmed(value.at, bang);
	}
	for (int i = 0; i < PROPS; i++)
		if (css_word(name, names[i]))
			d.prop = (enum prop)i;
	d.name = name;
	d.value = value;
	if (css_word(name, "all"))
		return read_all(c, d, next);
	/* A custom property can only speak if it holds a string, or hide what is display: var(). */
	if (d.prop == PROPS && (!starts(name, "--") || value.len == 0 ||
				   (*value.at != '"' && *value.at != '\'' &&
				       read_word(value) == W_OTHER && !has_var(value))))
		return next;
	if (d.prop != PROPS && !has_var(value) && !is_value_of(d.prop, &d, value))
		return next;
	if (d.prop == PROPS)
		c->custom = true;
	return keep_decl(c, d, next);
}

static uint32_t
hash(char kind, struct span text, bool fold)
{
	uint32_t h = 2166136261u ^ (unsigned char)kind;

	for (size_t i = 0; i < text.len; i++) {
		unsigned char b = (unsigned char)text.at[i];
		h = (h ^ (fold ? (unsigned char)tolower(b) : b)) * 16777619u;
	}
	return h ? h : 1;
}

/* The rarest thing that an element must have for the selector to be looked at. */
static uint32_t
key_of(const struct selector *sel)
{
	uint32_t type = 0, class = 0;

	if (sel->slotted || sel->part.at)
		return 0;
	for (const struct simple *s = sel->last->simples; s; s = s->next) {
		if (s->kind == S_ID)
			return hash('#', s->name, false);
		if (s->kind == S_CLASS)
			class = hash('.', s->name, false);
		if (s->kind == S_TYPE)
			type = hash('<', s->name, true);
	}
	return class ? class : type;
}

static unsigned
layer_number(struct place *at)
{
	struct css *c = at->css;

	if (!at->layered)
		return 0xfff;
	for (const struct layer *l = c->layers; l; l = l->next)
		if (same_text(l->name, at->layer))
			return l->number;
	struct layer *l = grab(c, sizeof *l);
	l->name = at->layer;
	l->number = c->layer_count < 0xffe ? c->layer_count++ : 0xffe;
	l->next = c->layers;
	c->layers = l;
	return l->number;
}

static void
add_rules(struct place *at, const struct selectors *list, const struct decl *decls)
{
	struct css *c = at->css;

	if (decls == NULL)
		return;
	for (const struct selector *s = list->first; s && c->rule_count < RULES; s = s->next) {
		if (s->pseudo == P_OTHER)
			continue;
		struct rule *r = grab(c, sizeof *r);
		*r = (struct rule){s, decls, at->scope, (unsigned)c->rule_count++, layer_number(at),
		    key_of(s), c->rules};
		c->rules = r;
	}
}

static void read_rules(struct place *at, const char *p, const char *end);

/* Inside the braces of a rule: declarations, and rules nested in it. */
static void
read_body(struct place *at, const struct selectors *list, const char *p, const char *end)
{
	struct decl *decls = NULL, **next = &decls;
	struct place inner = *at;

	inner.parent = list;
	inner.depth++;
	while ((p = past_blank(p, end)) < end && at->css->used < ROOM) {
		const char *stop = find_stop(p, end, ";{");
		if (stop < end && *stop == '{') {
			const char *close = find_stop(stop + 1, end, "}");
			if (inner.depth < NESTING)
				read_rules(&inner, p, close < end ? close + 1 : end);
			p = close < end ? close + 1 : end;
			continue;
		}
		if (*p != '@')
			next = read_decl(at->css, p, stop, next);
		p = stop < end ? stop + 1 : end;
	}
	if (list)
		add_rules(at, list, decls);
}

/* A length in pixels, a ratio, or a resolution in dots per pixel. */
static double
quantity(struct span value)
{
	char text[32];
	char *unit;

	if (value.len >= sizeof text || value.len == 0)
		return 0;
	memcpy(text, value.at, value.len);
	text[value.len] = '\0';
	double n = strtod(text, &unit);
	while (is_blank(*unit))
		unit++;
	if (*unit == '/') {
		double by = strtod(unit + 1, NULL);
		return by > 0 ? n / by : 0;
	}
	if (strcmp(unit, "em") == 0 || strcmp(unit, "rem") == 0)
		return n * 16;
	return strcmp(unit, "dpi") == 0 ? n / 96 : strcmp(unit, "dpcm") == 0 ? n * 2.54 / 96 : n;
}

/* What a media feature is here; negative: it is no quantity. */
static double
feature_of(const struct dom_frame *f, struct span name)
{
	if (css_word(name, "width") || css_word(name, "device-width"))
		return f->width;
	if (css_word(name, "height") || css_word(name, "device-height"))
		return f->height;
	if (css_word(name, "aspect-ratio") || css_word(name, "device-aspect-ratio"))
		return f->height > 0 ? f->width / f->height : 1;
	if (css_word(name, "resolution") || css_word(name, "device-pixel-ratio"))
		return 1;
	return -1;
}

static bool
compare(double have, struct span op, double want)
{
	if (css_word(op, ">="))
		return have >= want;
	if (css_word(op, "<="))
		return have <= want;
	if (css_word(op, ">"))
		return have > want;
	if (css_word(op, "<"))
		return have < want;
	return have == want;
}

/* (width >= 600px), (600px <= width), (400px < width < 600px) */
static bool
range_holds(const struct dom_frame *f, struct span text)
{
	struct span words[5] = {{0}};
	size_t count = 0;
	const char *p = text.at, *end = p + text.len;

	while (count < 5) {
		while (p < end && is_blank(*p))
			p++;
		const char *from = p;
		bool op = p < end && strchr("<>=", *p);
		while (p < end && !is_blank(*p) && op == (strchr("<>=", *p) != NULL))
			p++;
		if (p == from)
			break;
		words[count++] = (struct span){from, (size_t)(p - from)};
	}
	if (count != 3 && count != 5)
		return false;
	bool name_first = count == 3 && isalpha((unsigned char)*words[0].at);
	double have = feature_of(f, words[name_first ? 0 : 2]);
	if (have < 0)
		return false;
	if (name_first)
		return compare(have, words[1], quantity(words[2]));
	char flipped[3] = {0};
	for (size_t i = 0; i < words[1].len && i < 2; i++)
		flipped[i] = words[1].at[i] == '<' ? '>' : words[1].at[i] == '>' ? '<' : '=';
	return compare(have, (struct span){flipped, strlen(flipped)}, quantity(words[0])) &&
	       (count == 3 || compare(have, words[3], quantity(words[4])));
}

static struct span
without(struct span text, const char *prefix)
{
	size_t len = strlen(prefix);

	if (text.len < len || !css_word((struct span){text.at, len}, prefix))
		return text;
	return (struct span){text.at + len, text.len - len};
}

static bool
media_feature_holds(const struct dom_frame *f, struct span text)
{
	const char *end = text.at + text.len, *colon = find_stop(text.at, end, ":");
	struct span name = without(trimmed(text.at, colon), "-webkit-");
	struct span value = colon < end ? trimmed(colon + 1, end) : (struct span){0};
	struct span least = without(name, "min-"), most = without(name, "max-");
	static const char *const yes[][2] = {{"prefers-color-scheme", "light"},
	    {"prefers-reduced-motion", "no-preference"}, {"prefers-contrast", "no-preference"},
	    {"hover", "hover"}, {"any-hover", "hover"}, {"pointer", "fine"},
	    {"any-pointer", "fine"}, {"scripting", "enabled"}, {"update", "fast"},
	    {"forced-colors", "none"}, {"display-mode", "browser"}, {"color", ""}, {"hover", ""},
	    {"pointer", ""}, {"any-hover", ""}, {"any-pointer", ""}};

	if (colon == end && find_stop(text.at, end, "<>=") < end)
		return range_holds(f, text);
	if (feature_of(f, name) >= 0)
		return colon == end ? feature_of(f, name) > 0
				    : feature_of(f, name) == quantity(value);
	if (least.len < name.len && feature_of(f, least) >= 0)
		return feature_of(f, least) >= quantity(value);
	if (most.len < name.len && feature_of(f, most) >= 0)
		return feature_of(f, most) <= quantity(value);
	if (css_word(name, "orientation"))
		return css_word(value, f->width > f->height ? "landscape" : "portrait");
	for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
		if (css_word(name, yes[i][0]) && css_word(value, yes[i][1]))
			return true;
	return false;
}

/* Of display we know the values; of other properties any may be supported. */
static bool
supports_declaration(struct span text)
{
	const char *end = text.at + text.len, *colon = find_stop(text.at, end, ":");
	struct decl d = {0};

	if (colon == end || !css_word(trimmed(text.at, colon), "display"))
		return true;
	return is_value_of(DISPLAY, &d, trimmed(colon + 1, end));
}

enum condition { MEDIA, SUPPORTS };

static bool condition_holds(
    const struct dom_frame *f, enum condition kind, struct span text, int depth);

/* One query: [not|only] type [and (feature)]... */
static bool
query_holds(const struct dom_frame *f, enum condition kind, struct span text, int depth)
{
	const char *p = text.at, *end = p + text.len;
	bool all = true, negate = false, any = false, or = false;

	while ((p = past_blank(p, end)) < end) {
		bool holds;
		if (*p == '(') {
			const char *close = find_stop(p + 1, end, ")");
			struct span inner = trimmed(p + 1, close);
			bool group = inner.len && (*inner.at == '(' || starts(inner, "not "));
			holds = group           ? condition_holds(f, kind, inner, depth + 1)
				: kind == MEDIA ? media_feature_holds(f, inner)
						: supports_declaration(inner);
			p = close < end ? close + 1 : end;
		} else {
			const char *from = p;
			while (p < end && is_ident(*p))
				p++;
			if (p == from)
				return false;
			struct span word = {from, (size_t)(p - from)};
			if (css_word(word, "and") || css_word(word, "only"))
				continue;
			if (css_word(word, "or")) {
				or = true;
				continue;
			}
			if (css_word(word, "not")) {
				negate = !negate;
				continue;
			}
			holds = css_word(word, "all") || css_word(word, "screen");
			if (p < end && *p == '(') { /* selector(), font-tech() */
				const char *close = find_stop(p + 1, end, ")");
				p = close < end ? close + 1 : end;
				holds = true;
			}
		}
		all = all && holds;
		any = any || holds;
	}
	return (or ? any : all) != negate;
}

static bool
condition_holds(const struct dom_frame *f, enum condition kind, struct span text, int depth)
{
	if (text.len == 0)
		return true;
	if (depth > 8)
		return false;
	const char *p = text.at, *end = p + text.len;
	while (p < end) {
		const char *comma = find_stop(p, end, ",");
		if (query_holds(f, kind, trimmed(p, comma), depth))
			return true;
		p = comma < end ? comma + 1 : end;
	}
	return false;
}

static bool
media_holds(const struct css *c, struct span text)
{
	return condition_holds(c->tree->frame, MEDIA, text, 0);
}

/* An URL by its base, as far as style sheets need it (RFC 3986 section 5.2). */
static struct span
resolve(struct css *c, struct span base, struct span url)
{
	struct buf b = {0};
	const char *hash_sign = url.len ? memchr(url.at, '#', url.len) : NULL;
	size_t scheme = 0, host, path;

	if (hash_sign)
		url.len = (size_t)(hash_sign - url.at);
	while (
	    scheme < url.len && (isalnum((unsigned char)url.at[scheme]) || url.at[scheme] == '+'))
		scheme++;
	if (scheme > 1 && scheme < url.len && url.at[scheme] == ':')
		return url;
	for (scheme = 0; scheme < base.len && base.at[scheme] != ':'; scheme++)
		;
	host = scheme + 3 < base.len ? scheme + 3 : base.len;
	for (path = host; path < base.len && !strchr("/?#", base.at[path]); path++)
		;
	if (url.len > 1 && url.at[0] == '/' && url.at[1] == '/') {
		buf_add(&b, base.at, scheme + 1 < base.len ? scheme + 1 : base.len);
	} else if (url.len > 0 && url.at[0] == '/') {
		buf_add(&b, base.at, path);
	} else {
		size_t last = path;
		for (size_t i = path; i < base.len && base.at[i] != '?' && base.at[i] != '#'; i++)
			if (base.at[i] == '/')
				last = i;
		buf_add(&b, base.at, last);
		for (;;) {
			bool up = starts(url, "../");
			if (!up && !starts(url, "./"))
				break;
			url.at += up ? 3 : 2;
			url.len -= up ? 3 : 2;
			while (up && b.len > path && b.data[b.len - 1] != '/')
				b.len--;
			if (up && b.len > path)
				b.len--;
		}
		buf_byte(&b, '/');
	}
	buf_add(&b, url.at, url.len);
	struct span whole = copied(c, &b);
	buf_free(&b);
	return whole;
}

/* @import "x" layer(a) screen; */
static void
read_import(struct place *at, const char *p, const char *end)
{
	struct span url = {0};

	p = past_blank(p, end);
	if (end - p > 4 && css_word((struct span){p, 4}, "url(")) {
		const char *close = find_stop(p + 4, end, ")");
		url = trimmed(p + 4, close);
		if (url.len && (*url.at == '"' || *url.at == '\'')) {
			const char *q = url.at;
			url = read_quoted(at->css, &q, url.at + url.len);
		}
		p = close < end ? close + 1 : end;
	} else if (p < end && (*p == '"' || *p == '\'')) {
		url = read_quoted(at->css, &p, end);
	}
	struct place inner = *at;
	p = past_blank(p, end);
	if (starts((struct span){p, (size_t)(end - p)}, "layer")) {
		p += 5;
		inner.layered = true;
		if (p < end && *p == '(') {
			const char *close = find_stop(p + 1, end, ")");
			inner.layer = trimmed(p + 1, close);
			p = close < end ? close + 1 : end;
		}
	}
	if (url.len == 0 || !media_holds(at->css, trimmed(p, end)))
		return;
	struct span css = dom_sheet_at(at->css->tree, resolve(at->css, at->css->base, url));
	if (css.at && ++inner.imports < IMPORTS)
		read_rules(&inner, css.at, css.at + css.len);
}

/* A layer in a layer has both names. */
static struct span
layer_name(struct place *at, struct span name)
{
	struct buf b = {0};

	if (at->layered) {
		buf_add(&b, at->layer.at, at->layer.len);
		buf_byte(&b, '.');
	}
	if (name.len)
		buf_add(&b, name.at, name.len);
	else
		buf_format(&b, " %u", at->css->layer_count); /* anonymous: like no other */
	struct span whole = copied(at->css, &b);
	buf_free(&b);
	return whole;
}

static void
name_layers(struct place *at, struct span names)
{
	const char *p = names.at, *end = p + names.len;

	while (p < end) {
		const char *comma = find_stop(p, end, ",");
		struct place inner = *at;
		inner.layer = layer_name(at, trimmed(p, comma));
		inner.layered = true;
		layer_number(&inner);
		p = comma < end ? comma + 1 : end;
	}
}

/* The braces of an at-rule that holds rules; others are passed over. */
static void
read_at_block(
    struct place *at, struct span name, struct span prelude, const char *p, const char *end)
{
	struct place inner = *at;

	inner.depth++;
	if (inner.depth >= NESTING)
		return;
	if (css_word(name, "media")) {
		if (!media_holds(at->css, prelude))
			return;
	} else if (css_word(name, "supports")) {
		if (!condition_holds(at->css->tree->frame, SUPPORTS, prelude, 0))
			return;
	} else if (css_word(name, "layer")) {
		inner.layer = layer_name(at, prelude);
		inner.layered = true;
		layer_number(&inner);
	} else {
		return;
	}
	if (at->parent)
		read_body(&inner, at->parent, p, end);
	else
		read_rules(&inner, p, end);
}

static const char *
read_at_rule(struct place *at, const char *p, const char *end)
{
	p++;
	struct span name = read_ident(at->css, &p, end);
	const char *stop = find_stop(p, end, ";{");
	struct span prelude = trimmed(past_blank(p, stop), stop);

	if (stop == end || *stop == ';') {
		if (css_word(name, "import"))
			read_import(at, p, stop);
		if (css_word(name, "layer"))
			name_layers(at, prelude);
		return stop < end ? stop + 1 : end;
	}
	const char *close = find_stop(stop + 1, end, "}");
	read_at_block(at, name, prelude, stop + 1, close);
	return close < end ? close + 1 : end;
}

/* Does the body of a rule say anything that counts?  Most do not, and cost nothing more. */
static bool
is_of_use(const char *p, const char *end)
{
	for (; end - p >= 5; p++) {
		if ((*p == 'd' || *p == 'D') && end - p > 7 &&
		    css_word((struct span){p, 7}, "display"))
			return true;
		if ((*p == 'c' || *p == 'C') && end - p > 7 &&
		    css_word((struct span){p, 7}, "content"))
			return true;
		if ((*p == 'v' || *p == 'V') && end - p > 10 &&
		    css_word((struct span){p, 10}, "visibility"))
			return true;
		if ((*p == 'a' || *p == 'A') && css_word((struct span){p, 3}, "all"))
			return true;
		if ((*p == 'f' || *p == 'F') && css_word((struct span){p, 5}, "float"))
			return true;
		if ((*p == 'p' || *p == 'P') && end - p > 8 &&
		    css_word((struct span){p, 8}, "position"))
			return true;
		if (*p == '-' && p[1] == '-')
			return true;
	}
	return false;
}

static void
read_rules(struct place *at, const char *p, const char *end)
{
	while ((p = past_blank(p, end)) < end && at->css->used < ROOM) {
		if (end - p >= 4 && memcmp(p, "<!--", 4) == 0) {
			p += 4;
			continue;
		}
		if (end - p >= 3 && memcmp(p, "-->", 3) == 0) {
			p += 3;
			continue;
		}
		if (*p == '@') {
			p = read_at_rule(at, p, end);
			continue;
		}
		const char *open = find_stop(p, end, "{");
		if (open == end)
			return;
		const char *close = find_stop(open + 1, end, "}");
		if (is_of_use(open + 1, close)) {
			const struct selectors *list = read_selectors(at, p, open, false);
			for (struct selector *s = list->first; s && at->parent; s = s->next) {
				if (has_nest(s))
					continue;
				put_in_front(at->css, s, S_NEST, at->parent);
				add_highest(s, at->parent);
			}
			if (!list->bad)
				read_body(at, list, open + 1, close);
		}
		p = close < end ? close + 1 : end;
	}
}

static void
read_sheet(struct css *c, const struct dom_node *scope, struct span text, struct span media)
{
	struct place at = {.css = c, .scope = scope};

	if (text.at && media_holds(c, media))
		read_rules(&at, text.at, text.at + text.len);
}

static void
read_node(struct css *c, const struct dom_node *n)
{
	const struct dom_node *scope = c->scopes[n->id];

	if (css_word(n->name, "style")) {
		if (n->first && n->first->name.at == NULL)
			read_sheet(c, scope, n->first->text, dom_attr(n, "media"));
		return;
	}
	struct span adopted = dom_attr(n, "__playwright_style_sheet_");
	if (dom_is(n, "template") && adopted.at) {
		read_sheet(c, scope, adopted, (struct span){0});
		return;
	}
	if (dom_is(n, "LINK") &&
	    has_word(dom_attr(n, "rel"), (struct span){"stylesheet", 10}, true) &&
	    !has_word(dom_attr(n, "rel"), (struct span){"alternate", 9}, true) &&
	    dom_attr(n, "disabled").at == NULL) {
		struct span url = resolve(c, c->base, dom_attr(n, "href"));
		struct span page = c->base;
		c->base = url;
		read_sheet(c, scope, dom_sheet_at(c->tree, url), dom_attr(n, "media"));
		c->base = page;
	}
}

/*
 * The cascade.
 */

struct winner {
	uint64_t rank;
	const struct decl *decl;
};

/* What wins: importance, then style attribute, tree, layer, specificity, order. */
static uint64_t
rank_of(const struct rule *r, const struct decl *d, bool inner)
{
	const struct selector *s = r->selector;
	uint64_t tree = inner ? 0 : 1, layer = r->layer;
	uint64_t a = s->a < 255 ? s->a : 255, b = s->b < 1023 ? s->b : 1023;
	uint64_t cc = s->c < 1023 ? s->c : 1023;

	if (d->important) {
		tree = !tree;
		layer = 0xfff - layer;
	}
	return (uint64_t)d->important << 63 | tree << 61 | layer << 49 | a << 41 | b << 31 |
	       cc << 21 | (r->order & 0x1fffff);
}

/* Styles of browsers: html.css of Chromium, as far as display goes. */
static enum word
default_display(const struct dom_node *n)
{
	static const char inlines[] =
	    " a abbr acronym b bdi bdo big br canvas cite code data del dfn em embed font i iframe "
	    "img "
	    "ins kbd label map mark math nobr noscript object output picture q rb rt s samp small "
	    "source span strike strong sub sup time track tt u var video wbr applet blink image "
	    "selectedcontent ";
	static const char blocks[] =
	    " address article aside blockquote body center dd details dir div dl dt fieldset "
	    "figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 header hgroup hr html "
	    "legend listing main menu nav ol optgroup option p plaintext pre search section "
	    "summary "
	    "ul xmp button input marquee meter progress select textarea caption col colgroup li "
	    "ruby "
	    "table tbody td th tfoot thead tr ";
	static const char nones[] = " area base basefont datalist dialog head link meta noembed "
				    "noframes param rp script style template title ";
	char key[24] = " ";

	if (n->name.len > sizeof key - 3)
		return W_INLINE;
	for (size_t i = 0; i < n->name.len; i++) {
		key[i + 1] = (char)tolower((unsigned char)n->name.at[i]);
		if (key[i + 1] == ' ')
			return W_INLINE;
	}
	key[n->name.len + 1] = ' ';
	if (strstr(inlines, key))
		return W_INLINE;
	if (strstr(blocks, key))
		return W_BLOCK;
	return strstr(nones, key) ? W_NONE : W_INLINE;
}

static bool
in_math(const struct dom_node *n)
{
	for (; n; n = n->parent)
		if (dom_is(n, "math"))
			return true;
	return false;
}

static enum word
browser_display(const struct dom_node *n)
{
	/* SVG and MathML keep the case of their names; HTML ones are capitals. */
	if (n->name.len && islower((unsigned char)n->name.at[0])) {
		if (dom_is(n, "text") || dom_is(n, "foreignObject"))
			return W_BLOCK;
		return in_math(n) ? W_BLOCK : W_INLINE;
	}
	if (dom_is(n, "SLOT"))
		return W_CONTENTS;
	struct span hidden = dom_attr(n, "hidden");
	if (hidden.at && !css_word(hidden, "until-found"))
		return W_NONE;
	if (dom_is(n, "INPUT") && css_word(dom_attr(n, "type"), "hidden"))
		return W_NONE;
	if (dom_is(n, "DIALOG"))
		return attribute(n, (struct span){"open", 4}).at ||
			       dom_attr(n, "__playwright_popover_open_").at
			   ? W_BLOCK
			   : W_NONE;
	if (dom_attr(n, "popover").at && dom_attr(n, "__playwright_popover_open_").at == NULL)
		return W_NONE;
	if (dom_is(n, "AUDIO"))
		return dom_attr(n, "controls").at ? W_INLINE : W_NONE;
	if (dom_is(n, "RT") && n->parent && dom_is(n->parent, "RUBY"))
		return W_BLOCK;
	return default_display(n);
}

static const struct decl *find_custom(struct css *c, const struct dom_node *n, struct span name);

/* The value with each var() replaced; at is NULL when there is nothing to replace one by. */
static struct span
substituted(struct css *c, const struct dom_node *n, struct span value, int depth)
{
	const char *p = value.at, *end = p + value.len;
	struct buf b = {0};

	while (depth < 8 && (c->budget -= 64 + (long)b.len) > 0) {
		const char *v = p;
		while (end - v >= 4 && !css_word((struct span){v, 4}, "var("))
			v++;
		if (end - v < 4)
			break;
		const char *close = find_stop(v + 4, end, ")"),
			   *comma = find_stop(v + 4, close, ",");
		const struct decl *d = c->custom ? find_custom(c, n, trimmed(v + 4, comma)) : NULL;
		struct span with = d               ? d->value
				   : comma < close ? trimmed(comma + 1, close)
						   : (struct span){0};
		with = with.at ? substituted(c, n, with, depth + 1) : with;
		if (with.at == NULL) {
			buf_free(&b);
			return with;
		}
		buf_add(&b, p, (size_t)(v - p));
		buf_add(&b, with.at, with.len);
		p = close < end ? close + 1 : end;
	}
	if (p == value.at)
		return value;
	buf_add(&b, p, (size_t)(end - p));
	value = copied(c, &b);
	buf_free(&b);
	return value;
}

/* The text of a content value: strings and attr(); at NULL when it is something else. */
static struct span
content_text(struct css *c, const struct dom_node *n, struct span value, bool pseudo)
{
	const char *end, *p;
	struct buf b = {0};
	bool good = true;

	c->budget -= 32 + (long)value.len;
	value = substituted(c, n, value, 0);
	if (value.at == NULL || c->budget < 0 || c->used > ROOM || css_word(value, "none") ||
	    css_word(value, "normal"))
		return (struct span){0};
	end = value.at + value.len;
	const char *slash = find_stop(value.at, end, "/");
	if (slash == end && !pseudo)
		return (struct span){0};
	p = slash < end ? slash + 1 : value.at;
	while (good && (p = past_blank(p, end)) < end) {
		if (*p == '"' || *p == '\'') {
			struct span text = read_quoted(c, &p, end);
			buf_add(&b, text.at, text.len);
			continue;
		}
		good = end - p > 5 && css_word((struct span){p, 5}, "attr(");
		if (!good)
			break;
		const char *close = find_stop(p + 5, end, ")");
		struct span text = attribute(n, trimmed(p + 5, close));
		buf_add(&b, text.at ? text.at : "", text.len);
		p = close < end ? close + 1 : end;
	}
	struct span text = good ? copied(c, &b) : (struct span){0};
	buf_free(&b);
	return text;
}

static void
consider(struct winner *w, uint64_t rank, const struct decl *d)
{
	if (d->prop == PROPS || (w[d->prop].decl && w[d->prop].rank > rank))
		return;
	w[d->prop] = (struct winner){rank, d};
}

struct looked {
	struct winner of[3][PROPS]; /* the element, ::before, ::after */
};

static void
look_at_rules(struct css *c, const struct dom_node *n, struct rule *const *from,
    struct rule *const *to, struct looked *l)
{
	for (; from < to && --c->budget >= 0; from++) {
		const struct rule *r = *from;
		if (!rule_matches(c, r, n))
			continue;
		bool inner = r->scope != c->scopes[n->id] && r->selector->part.at == NULL;
		struct winner *w = l->of[r->selector->pseudo == P_BEFORE  ? 1
					 : r->selector->pseudo == P_AFTER ? 2
									  : 0];
		for (const struct decl *d = r->decls; d; d = d->next)
			consider(w, rank_of(r, d, inner), d);
	}
}

/* The rules with a key, as a range of the sorted ones. */
static void
rules_of(const struct css *c, uint32_t key, struct rule *const **from, struct rule *const **to)
{
	size_t lo = 0, hi = c->rule_count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (c->sorted[mid]->key < key)
			lo = mid + 1;
		else
			hi = mid;
	}
	*from = c->sorted + lo;
	for (hi = c->rule_count; lo < hi;) {
		size_t mid = lo + (hi - lo) / 2;
		if (c->sorted[mid]->key <= key)
			lo = mid + 1;
		else
			hi = mid;
	}
	*to = c->sorted + lo;
}

typedef void each_key(struct css *c, const struct dom_node *n, uint32_t key, void *ctx);

/* Every key that n has: nothing, its name, its id, each class. */
static void
for_keys(struct css *c, const struct dom_node *n, each_key *use, void *ctx)
{
	struct span id = dom_attr(n, "id"), class = dom_attr(n, "class");

	c->budget -= (long)(class.len / 16);
	use(c, n, 0, ctx);
	use(c, n, hash('<', n->name, true), ctx);
	if (id.len)
		use(c, n, hash('#', id, false), ctx);
	for (size_t i = 0; i < class.len;) {
		while (i < class.len && is_blank(class.at[i]))
			i++;
		size_t from = i;
		while (i < class.len && !is_blank(class.at[i]))
			i++;
		if (i > from)
			use(c, n, hash('.', (struct span){class.at + from, i - from}, false), ctx);
	}
}

static void
look_at_key(struct css *c, const struct dom_node *n, uint32_t key, void *ctx)
{
	struct rule *const *from, *const *to;

	rules_of(c, key, &from, &to);
	look_at_rules(c, n, from, to, ctx);
}

struct custom {
	struct span name;
	struct winner best;
};

static void
custom_of_key(struct css *c, const struct dom_node *n, uint32_t key, void *ctx)
{
	struct custom *want = ctx;
	struct rule *const *from, *const *to;

	rules_of(c, key, &from, &to);
	for (; from < to && --c->budget >= 0; from++) {
		const struct rule *r = *from;
		for (const struct decl *d = r->decls; d; d = d->next) {
			if (d->prop != PROPS || !same_text(d->name, want->name))
				continue;
			uint64_t rank = rank_of(r, d, r->scope != c->scopes[n->id]);
			if ((want->best.decl == NULL || rank >= want->best.rank) &&
			    rule_matches(c, r, n))
				want->best = (struct winner){rank, d};
		}
	}
}

/* The declarations of a style attribute beat those of rules, save important ones. */
static const struct decl *
style_attribute(struct css *c, const struct dom_node *n)
{
	struct span style = dom_attr(n, "style");
	struct decl *decls = NULL, **next = &decls;

	if (style.len == 0)
		return NULL;
	const char *p = style.at, *end = p + style.len;
	while (p < end && c->used < ROOM) {
		const char *stop = find_stop(p, end, ";");
		next = read_decl(c, p, stop, next);
		p = stop < end ? stop + 1 : end;
	}
	return decls;
}

/* Custom properties are inherited. */
static const struct decl *
find_custom(struct css *c, const struct dom_node *n, struct span name)
{
	for (; n; n = css_parent(n)) {
		struct custom want = {name, {0, NULL}};
		for_keys(c, n, custom_of_key, &want);
		for (const struct decl *d = style_attribute(c, n); d; d = d->next)
			if (d->prop == PROPS && same_text(d->name, name))
				want.best.decl = d;
		if (want.best.decl)
			return want.best.decl;
		if ((c->budget -= 16) < 0)
			break;
	}
	return NULL;
}

static enum word
word_of(struct css *c, const struct dom_node *n, const struct winner *w)
{
	if (w->decl == NULL)
		return W_REVERT;
	if (!has_var(w->decl->value))
		return w->decl->word;
	struct decl d = *w->decl;
	struct span value = substituted(c, n, d.value, 0);
	return value.at && is_value_of(d.prop, &d, value) ? d.word : W_INITIAL;
}

static const struct css_content *
pseudo_of(struct css *c, const struct dom_node *n, const struct winner *w, bool in_items)
{
	if (w[CONTENT].decl == NULL)
		return NULL;
	enum word display = word_of(c, n, &w[DISPLAY]);
	if (display == W_NONE || word_of(c, n, &w[VISIBILITY]) == W_HIDDEN)
		return NULL;
	struct span text = content_text(c, n, w[CONTENT].decl->value, true);
	if (text.at == NULL)
		return NULL;
	struct css_content *content = grab(c, sizeof *content);
	content->text = text;
	content->block = in_items || word_of(c, n, &w[FLOAT]) == W_BLOCK ||
			 word_of(c, n, &w[POSITION]) == W_BLOCK || display == W_BLOCK ||
			 display == W_ITEMS || display == W_INLINE_ITEMS || display == W_CONTENTS;
	return content;
}

const struct dom_node *
css_parent(const struct dom_node *n)
{
	return n->slot ? n->slot : selector_parent(n);
}

/* Is the box that holds n one whose items are blocks? */
static bool
in_items(const struct css *c, const struct dom_node *n)
{
	const struct dom_node *p = css_parent(n);

	while (p && c->styles[p->id].display == CSS_CONTENTS)
		p = css_parent(p);
	return p && c->styles[p->id].items;
}

static void
set_display(struct css *c, const struct dom_node *n, const struct winner *w, struct css_style *s)
{
	enum word word = word_of(c, n, &w[DISPLAY]);
	const struct dom_node *parent = css_parent(n);

	if (word == W_REVERT)
		word = browser_display(n);
	if (word == W_INHERIT && parent) {
		s->display = c->styles[parent->id].display;
		s->items = c->styles[parent->id].items;
		return;
	}
	s->items = word == W_ITEMS || word == W_INLINE_ITEMS;
	switch (word) {
	case W_NONE: s->display = CSS_NONE; return;
	case W_CONTENTS: s->display = CSS_CONTENTS; return;
	case W_INLINE:
	case W_INITIAL:
	case W_INHERIT: s->display = CSS_INLINE; break;
	default: s->display = CSS_BLOCK; return;
	}
	if (word_of(c, n, &w[FLOAT]) == W_BLOCK || word_of(c, n, &w[POSITION]) == W_BLOCK ||
	    in_items(c, n))
		s->display = CSS_BLOCK;
}

static void
compute(struct css *c, const struct dom_node *n)
{
	struct css_style *s = &c->styles[n->id];
	struct looked l = {0};
	const struct dom_node *parent = css_parent(n);

	for_keys(c, n, look_at_key, &l);
	for (const struct decl *d = style_attribute(c, n); d; d = d->next)
		consider(l.of[0], (uint64_t)d->important << 63 | (uint64_t)1 << 62, d);
	set_display(c, n, l.of[0], s);
	enum word visible = word_of(c, n, &l.of[0][VISIBILITY]);
	s->visible = visible == W_VISIBLE || visible == W_INITIAL ||
		     (visible != W_HIDDEN && (parent == NULL || c->styles[parent->id].visible));
	enum word skip = word_of(c, n, &l.of[0][SKIP]);
	s->skipped = skip == W_HIDDEN ||
		     (skip == W_REVERT && css_word(dom_attr(n, "hidden"), "until-found"));
	if (l.of[0][CONTENT].decl) {
		struct span text = content_text(c, n, l.of[0][CONTENT].decl->value, false);
		struct css_content *alt = text.at ? grab(c, sizeof *alt) : NULL;
		if (alt)
			alt->text = text;
		s->alt = alt;
	}
	s->before = pseudo_of(c, n, l.of[1], s->items);
	s->after = pseudo_of(c, n, l.of[2], s->items);
}

static int
by_key(const void *a, const void *b)
{
	const struct rule *x = *(struct rule *const *)a, *y = *(struct rule *const *)b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

struct css *
css_new(struct dom_tree *t)
{
	struct css *c = prog_alloc(1, sizeof *c);

	c->tree = t;
	c->budget = BUDGET;
	c->styles = prog_alloc(t->count, sizeof *c->styles);
	c->scopes = prog_alloc(t->count, sizeof *c->scopes);
	c->base = (struct span){t->frame->url, strlen(t->frame->url)};
	for (size_t i = 0; i < t->count; i++) {
		const struct dom_node *n = t->nodes[i];
		c->scopes[i] =
		    n->parent == NULL || is_shadow_root(n) ? n : c->scopes[n->parent->id];
		if (n->name.at == NULL)
			continue;
		if (dom_is(n, "BASE") && i < 8 && dom_attr(n, "href").at)
			c->base = dom_attr(n, "href");
		if (dom_is(n, "BODY") && dom_attr(n, "__playwright_custom_elements__").at)
			c->defined = dom_attr(n, "__playwright_custom_elements__");
	}
	for (size_t i = 0; i < t->count; i++)
		if (t->nodes[i]->name.at)
			read_node(c, t->nodes[i]);
	c->sorted = prog_alloc(c->rule_count, sizeof *c->sorted);
	size_t k = 0;
	for (struct rule *r = c->rules; r; r = r->next)
		c->sorted[k++] = r;
	qsort(c->sorted, c->rule_count, sizeof *c->sorted, by_key);
	/* Parents, slots and hosts have smaller ids than what they hold. */
	for (size_t i = 0; i < t->count; i++)
		if (t->nodes[i]->name.at && !is_shadow_root(t->nodes[i]))
			compute(c, t->nodes[i]);
	return c;
}

const struct css_style *
css_style(const struct css *c, const struct dom_node *element)
{
	return &c->styles[element->id];
}

const struct dom_node *
css_scope(const struct css *c, const struct dom_node *n)
{
	return c->scopes[n->id];
}

void
css_free(struct css *c)
{
	if (c == NULL)
		return;
	free(c->styles);
	free(c->scopes);
	free(c->sorted);
	free(c);
}
