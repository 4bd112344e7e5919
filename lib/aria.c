#include "aria.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "css.h"
#include "prog.h"
#include "utf8.h"

enum {
	STEPS = 30000000,     /* of computing names, over a page */
	DEPTH = 1500,         /* aria-owns and slots can nest deeper than the document */
	LONGEST_NAME = 900,   /* UTF-16 units; Playwright leaves longer ones out */
	NAME_BYTES = 1 << 18, /* what is longer is no name */
	NAMES = 24 << 20,     /* bytes, of all names of a page */
	FRAMES = 64,          /* stitched into a page */
};

enum {
	FROM_CONTENT = 1, /* its content names it */
	INNER_TEXT = 2,   /* its content counts in the name of what it is in */
	NO_NAME = 4,
	CHECKED = 8,
	DISABLED = 16,
	EXPANDED = 32,
	INVALID = 64,
	LEVEL = 128,
	PRESSED = 256,
	SELECTED = 512,
};

/* Every role that Playwright knows, by name, and what it takes from its element. */
static const struct role {
	const char *name;
	unsigned flags;
} roles[] = {
    {"alert", 0},
    {"alertdialog", 0},
    {"application", DISABLED | EXPANDED | INVALID},
    {"article", 0},
    {"banner", 0},
    {"blockquote", 0},
    {"button", FROM_CONTENT | DISABLED | EXPANDED | PRESSED},
    {"caption", INNER_TEXT | NO_NAME},
    {"cell", FROM_CONTENT},
    {"checkbox", FROM_CONTENT | CHECKED | DISABLED | EXPANDED | INVALID},
    {"code", INNER_TEXT | NO_NAME},
    {"columnheader", FROM_CONTENT | DISABLED | EXPANDED | INVALID | SELECTED},
    {"combobox", DISABLED | EXPANDED | INVALID},
    {"complementary", 0},
    {"contentinfo", INNER_TEXT},
    {"definition", INNER_TEXT | NO_NAME},
    {"deletion", INNER_TEXT | NO_NAME},
    {"dialog", 0},
    {"directory", 0},
    {"document", 0},
    {"emphasis", INNER_TEXT | NO_NAME},
    {"feed", 0},
    {"figure", 0},
    {"form", 0},
    {"generic", NO_NAME},
    {"grid", DISABLED},
    {"gridcell", FROM_CONTENT | DISABLED | EXPANDED | INVALID | SELECTED},
    {"group", DISABLED},
    {"heading", FROM_CONTENT | LEVEL},
    {"img", 0},
    {"insertion", INNER_TEXT | NO_NAME},
    {"link", FROM_CONTENT | DISABLED | EXPANDED},
    {"list", INNER_TEXT},
    {"listbox", DISABLED | EXPANDED | INVALID},
    {"listitem", INNER_TEXT | LEVEL},
    {"log", 0},
    {"main", 0},
    {"mark", INNER_TEXT | NO_NAME},
    {"marquee", 0},
    {"math", 0},
    {"menu", DISABLED},
    {"menubar", DISABLED},
    {"menuitem", FROM_CONTENT | DISABLED | EXPANDED},
    {"menuitemcheckbox", FROM_CONTENT | CHECKED | DISABLED | EXPANDED},
    {"menuitemradio", FROM_CONTENT | CHECKED | DISABLED | EXPANDED},
    {"meter", 0},
    {"navigation", 0},
    {"none", INNER_TEXT},
    {"note", 0},
    {"option", FROM_CONTENT | CHECKED | DISABLED | SELECTED},
    {"paragraph", INNER_TEXT | NO_NAME},
    {"presentation", INNER_TEXT | NO_NAME},
    {"progressbar", 0},
    {"radio", FROM_CONTENT | CHECKED | DISABLED},
    {"radiogroup", DISABLED | INVALID},
    {"region", INNER_TEXT},
    {"row", FROM_CONTENT | INNER_TEXT | DISABLED | EXPANDED | LEVEL | SELECTED},
    {"rowgroup", INNER_TEXT},
    {"rowheader", FROM_CONTENT | DISABLED | EXPANDED | INVALID | SELECTED},
    {"scrollbar", DISABLED},
    {"search", 0},
    {"searchbox", DISABLED | INVALID},
    {"separator", DISABLED},
    {"slider", DISABLED | INVALID},
    {"spinbutton", DISABLED | INVALID},
    {"status", 0},
    {"strong", INNER_TEXT | NO_NAME},
    {"subscript", INNER_TEXT | NO_NAME},
    {"superscript", INNER_TEXT | NO_NAME},
    {"switch", FROM_CONTENT | CHECKED | DISABLED | EXPANDED | INVALID},
    {"tab", FROM_CONTENT | DISABLED | EXPANDED | SELECTED},
    {"table", INNER_TEXT},
    {"tablist", DISABLED},
    {"tabpanel", 0},
    {"term", INNER_TEXT | NO_NAME},
    {"textbox", DISABLED | INVALID},
    {"time", INNER_TEXT | NO_NAME},
    {"timer", 0},
    {"toolbar", DISABLED},
    {"tooltip", FROM_CONTENT},
    {"tree", DISABLED | INVALID},
    {"treegrid", DISABLED},
    {"treeitem", FROM_CONTENT | CHECKED | DISABLED | EXPANDED | LEVEL | SELECTED},
};

/* Elements that matter, by name, with their role where it depends on nothing. */
enum tag {
	T_OTHER,
	T_A,
	T_AREA,
	T_ARTICLE,
	T_ASIDE,
	T_AUDIO,
	T_BLOCKQUOTE,
	T_BUTTON,
	T_CANVAS,
	T_CAPTION,
	T_CODE,
	T_DATALIST,
	T_DD,
	T_DEL,
	T_DETAILS,
	T_DFN,
	T_DIALOG,
	T_DIV,
	T_DL,
	T_DT,
	T_EM,
	T_FIELDSET,
	T_FIGCAPTION,
	T_FIGURE,
	T_FOOTER,
	T_FORM,
	T_FRAME,
	T_H1,
	T_H2,
	T_H3,
	T_H4,
	T_H5,
	T_H6,
	T_HEADER,
	T_HR,
	T_HTML,
	T_IFRAME,
	T_IMG,
	T_INPUT,
	T_INS,
	T_LABEL,
	T_LEGEND,
	T_LI,
	T_MAIN,
	T_MARK,
	T_MATH,
	T_MENU,
	T_METER,
	T_NAV,
	T_NOSCRIPT,
	T_OBJECT,
	T_OL,
	T_OPTGROUP,
	T_OPTION,
	T_OUTPUT,
	T_P,
	T_PROGRESS,
	T_SCRIPT,
	T_SEARCH,
	T_SECTION,
	T_SELECT,
	T_STRONG,
	T_STYLE,
	T_SUB,
	T_SUMMARY,
	T_SUP,
	T_SVG,
	T_TABLE,
	T_TBODY,
	T_TD,
	T_TEMPLATE,
	T_TEXTAREA,
	T_TFOOT,
	T_TH,
	T_THEAD,
	T_TIME,
	T_TITLE,
	T_TR,
	T_UL,
	T_VIDEO,
	T_COUNT,
};
static const struct {
	const char *name, *role;
} tags[T_COUNT] = {
    [T_A] = {"a", NULL},
    [T_AREA] = {"area", NULL},
    [T_ARTICLE] = {"article", "article"},
    [T_ASIDE] = {"aside", "complementary"},
    [T_AUDIO] = {"audio", NULL},
    [T_BLOCKQUOTE] = {"blockquote", "blockquote"},
    [T_BUTTON] = {"button", "button"},
    [T_CANVAS] = {"canvas", NULL},
    [T_CAPTION] = {"caption", "caption"},
    [T_CODE] = {"code", "code"},
    [T_DATALIST] = {"datalist", "listbox"},
    [T_DD] = {"dd", "definition"},
    [T_DEL] = {"del", "deletion"},
    [T_DETAILS] = {"details", "group"},
    [T_DFN] = {"dfn", "term"},
    [T_DIALOG] = {"dialog", "dialog"},
    [T_DIV] = {"div", NULL},
    [T_DL] = {"dl", NULL},
    [T_DT] = {"dt", "term"},
    [T_EM] = {"em", "emphasis"},
    [T_FIELDSET] = {"fieldset", "group"},
    [T_FIGCAPTION] = {"figcaption", NULL},
    [T_FIGURE] = {"figure", "figure"},
    [T_FOOTER] = {"footer", NULL},
    [T_FORM] = {"form", NULL},
    [T_FRAME] = {"frame", NULL},
    [T_H1] = {"h1", "heading"},
    [T_H2] = {"h2", "heading"},
    [T_H3] = {"h3", "heading"},
    [T_H4] = {"h4", "heading"},
    [T_H5] = {"h5", "heading"},
    [T_H6] = {"h6", "heading"},
    [T_HEADER] = {"header", NULL},
    [T_HR] = {"hr", "separator"},
    [T_HTML] = {"html", "document"},
    [T_IFRAME] = {"iframe", NULL},
    [T_IMG] = {"img", NULL},
    [T_INPUT] = {"input", NULL},
    [T_INS] = {"ins", "insertion"},
    [T_LABEL] = {"label", NULL},
    [T_LEGEND] = {"legend", NULL},
    [T_LI] = {"li", "listitem"},
    [T_MAIN] = {"main", "main"},
    [T_MARK] = {"mark", "mark"},
    [T_MATH] = {"math", "math"},
    [T_MENU] = {"menu", "list"},
    [T_METER] = {"meter", "meter"},
    [T_NAV] = {"nav", "navigation"},
    [T_NOSCRIPT] = {"noscript", NULL},
    [T_OBJECT] = {"object", NULL},
    [T_OL] = {"ol", "list"},
    [T_OPTGROUP] = {"optgroup", "group"},
    [T_OPTION] = {"option", "option"},
    [T_OUTPUT] = {"output", "status"},
    [T_P] = {"p", "paragraph"},
    [T_PROGRESS] = {"progress", "progressbar"},
    [T_SCRIPT] = {"script", NULL},
    [T_SEARCH] = {"search", "search"},
    [T_SECTION] = {"section", NULL},
    [T_SELECT] = {"select", NULL},
    [T_STRONG] = {"strong", "strong"},
    [T_STYLE] = {"style", NULL},
    [T_SUB] = {"sub", "subscript"},
    [T_SUMMARY] = {"summary", NULL},
    [T_SUP] = {"sup", "superscript"},
    [T_SVG] = {"svg", "img"},
    [T_TABLE] = {"table", "table"},
    [T_TBODY] = {"tbody", "rowgroup"},
    [T_TD] = {"td", NULL},
    [T_TEMPLATE] = {"template", NULL},
    [T_TEXTAREA] = {"textarea", "textbox"},
    [T_TFOOT] = {"tfoot", "rowgroup"},
    [T_TH] = {"th", NULL},
    [T_THEAD] = {"thead", "rowgroup"},
    [T_TIME] = {"time", "time"},
    [T_TITLE] = {"title", NULL},
    [T_TR] = {"tr", "row"},
    [T_UL] = {"ul", "list"},
    [T_VIDEO] = {"video", NULL},
};

typedef const struct dom_node node;

enum { NOT_YET, NO_WAY, SURE }; /* an answer that is remembered */

/* What is known of a node. */
struct facts {
	uint8_t tag;
	uint8_t hidden;    /* NOT_YET... */
	uint8_t disabled;  /* aria-disabled, its own or inherited; NOT_YET... */
	bool boxed : 1;    /* it can have a box: nothing around it is without one */
	bool holds : 1;    /* and what is in it can have one too */
	bool left_out : 1; /* display: none, aria-hidden or without slot, or in such a one */
	bool shown : 1;    /* it is in the tree already */
	bool role_known : 1;
	const struct role *role;
	uint32_t stamp; /* of the name it was visited for */
};

struct pair { /* of an id and its element, or of a control and its label */
	node *key, *node;
	struct span id;
};

/* A node of the result; role is NULL for a text. */
struct item {
	const char *role;
	struct span text; /* of a text; name of a node */
	struct item *first, *last, *next;
	struct span url, placeholder; /* at is NULL when absent */
	struct span below;            /* lines of a stitched frame */
	unsigned level;
	bool checked, mixed, disabled, expanded, invalid, pressed, pressed_mixed, selected;
	const char *invalid_as; /* "grammar", "spelling" */
};

struct aria {
	const struct dom *dom;
	struct dom_tree *tree;
	struct css *css;
	struct facts *facts; /* by node id */
	struct pair *ids, *labels;
	size_t id_count, label_count;
	uint32_t stamp;
	long steps;
	size_t name_room;
	int frames_left; /* to stitch; 0: an iframe is a leaf */
};

/*
 * Text as JavaScript sees it.
 */

static bool
is_js_space(int32_t c)
{
	return (c >= 9 && c <= 13) || c == ' ' || c == 0xa0 || c == 0x1680 ||
	       (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
	       c == 0x205f || c == 0x3000 || c == 0xfeff;
}

static bool
is_blank_text(struct span t)
{
	size_t used;

	for (size_t i = 0; i < t.len; i += used)
		if (!is_js_space(utf8_decode(t.at + i, t.len - i, &used)))
			return false;
	return true;
}

/* White space to single blanks, none at the ends; no zero-width space, no soft hyphen. */
static struct span
normalized(struct aria *a, struct span t)
{
	char *flat = dom_alloc(a->tree, t.len + 1);
	size_t n = 0, used;
	bool gap = false;

	for (size_t i = 0; i < t.len; i += used) {
		int32_t c = utf8_decode(t.at + i, t.len - i, &used);
		if (c == 0x200b || c == 0xad)
			continue;
		if (is_js_space(c)) {
			gap = n > 0;
			continue;
		}
		if (gap)
			flat[n++] = ' ';
		gap = false;
		memcpy(flat + n, t.at + i, used);
		n += used;
	}
	return (struct span){flat, n};
}

static bool
same_text(struct span a, struct span b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.at, b.at, a.len) == 0);
}

/* Number(text) of JavaScript; NaN when it is none. */
static double
js_number(struct span t)
{
	char digits[400];
	size_t used, n = 0;

	while (t.len && is_js_space(utf8_decode(t.at, t.len, &used))) {
		t.at += used;
		t.len -= used;
	}
	for (size_t i = 0, last = 0;; i += used) {
		if (i >= t.len) {
			t.len = last;
			break;
		}
		if (!is_js_space(utf8_decode(t.at + i, t.len - i, &used)))
			last = i + used;
	}
	if (t.len == 0)
		return 0;
	if (t.len >= sizeof digits)
		return NAN;
	memcpy(digits, t.at, t.len);
	digits[t.len] = '\0';
	static const struct {
		const char *prefix, *digits;
		int base;
	} bases[] = {{"xX", "0123456789abcdefABCDEF", 16}, {"oO", "01234567", 8}, {"bB", "01", 2}};
	for (size_t i = 0; i < 3 && t.len > 2 && digits[0] == '0'; i++)
		if (strchr(bases[i].prefix, digits[1]))
			return strspn(digits + 2, bases[i].digits) == t.len - 2
				   ? strtod(i == 0 ? digits : digits + 2, NULL)
				   : NAN;
	const char *p = digits + (digits[0] == '+' || digits[0] == '-');
	if (strcmp(p, "Infinity") == 0)
		return INFINITY;
	for (; *p >= '0' && *p <= '9'; p++)
		n++;
	if (*p == '.')
		for (p++; *p >= '0' && *p <= '9'; p++)
			n++;
	if (n == 0)
		return NAN;
	if (*p == 'e' || *p == 'E') {
		p += p[1] == '+' || p[1] == '-' ? 2 : 1;
		if (*p < '0' || *p > '9')
			return NAN;
		while (*p >= '0' && *p <= '9')
			p++;
	}
	return *p == '\0' && p == digits + t.len ? strtod(digits, NULL) : NAN;
}

/*
 * The document.
 */

static enum tag
tag(const struct aria *a, node *n)
{
	return (enum tag)a->facts[n->id].tag;
}

static enum tag
find_tag(node *n)
{
	size_t lo = 1, hi = T_COUNT;
	char name[16];

	if (n->name.len >= sizeof name)
		return T_OTHER;
	for (size_t i = 0; i < n->name.len; i++)
		name[i] = (char)tolower((unsigned char)n->name.at[i]);
	name[n->name.len] = '\0';
	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		int order = strcmp(name, tags[mid].name);
		if (order == 0)
			return (enum tag)mid;
		if (order < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return T_OTHER;
}

/* HTML names are capitals, SVG and MathML ones mostly small. */
static bool
is_foreign(node *n)
{
	return n->name.len && islower((unsigned char)n->name.at[0]);
}

static struct span
attr(node *n, const char *name)
{
	return dom_attr(n, name);
}

static bool
has(node *n, const char *name)
{
	return dom_attr(n, name).at != NULL;
}

static bool
attr_is(node *n, const char *name, const char *lower)
{
	struct span value = dom_attr(n, name);

	return value.at && css_word(value, lower);
}

static bool
is_shadow_root(node *n)
{
	return n->parent && n->parent->shadow == n;
}

static node *
parent_element(node *n)
{
	return n->parent && !is_shadow_root(n->parent) ? n->parent : NULL;
}

static node *
parent_or_host(node *n)
{
	if (n->parent && is_shadow_root(n->parent))
		return n->parent->parent;
	return n->parent;
}

static node *
closest(const struct aria *a, node *n, enum tag t)
{
	while (n && tag(a, n) != t)
		n = parent_element(n);
	return n;
}

/* The next node in document order below root, shadow trees left out. */
static node *
next_below(node *n, node *root)
{
	if (n->first)
		return n->first;
	while (n != root && n->next == NULL)
		n = n->parent;
	return n == root ? NULL : n->next;
}

static void
text_content(struct aria *a, node *n, struct buf *b)
{
	for (node *c = next_below(n, n); c && --a->steps > 0; c = next_below(c, n))
		if (c->name.at == NULL)
			buf_add(b, c->text.at, c->text.len);
}

static int
by_id(const void *x, const void *y)
{
	const struct pair *a = x, *b = y;
	size_t len = a->id.len < b->id.len ? a->id.len : b->id.len;

	if (a->key != b->key)
		return a->key->id < b->key->id ? -1 : 1;
	int order = len ? memcmp(a->id.at, b->id.at, len) : 0;
	if (order == 0)
		order = (a->id.len > b->id.len) - (a->id.len < b->id.len);
	if (order == 0)
		order = (a->node->id > b->node->id) - (a->node->id < b->node->id);
	return order;
}

/* The first element of an id in the tree that scope is the root of. */
static node *
element_of_id(const struct aria *a, node *scope, struct span id)
{
	size_t lo = 0, hi = a->id_count;
	struct pair want = {scope, a->tree->nodes[0], id};

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (by_id(&a->ids[mid], &want) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == a->id_count || a->ids[lo].key != scope || !same_text(a->ids[lo].id, id))
		return NULL;
	return a->ids[lo].node;
}

/* Step through the elements that an attribute with ids refers to. */
static node *
next_reference(struct aria *a, node *n, const char *name, node *scope, size_t *at)
{
	struct span ids = attr(n, name);

	a->steps -= *at == 0 ? (long)(ids.len / 16) : 0;
	if (a->steps < 0)
		return NULL;
	while (*at < ids.len) {
		while (*at < ids.len && strchr(" \t\n\f\r", ids.at[*at]))
			++*at;
		size_t from = *at;
		while (*at < ids.len && !strchr(" \t\n\f\r", ids.at[*at]))
			++*at;
		if (*at == from)
			break;
		node *to = element_of_id(a, scope, (struct span){ids.at + from, *at - from});
		if (to)
			return to;
	}
	return NULL;
}

static node *
reference(struct aria *a, node *n, const char *name, size_t *at)
{
	return next_reference(a, n, name, css_scope(a->css, n), at);
}

static const char *
input_type(node *n)
{
	static const char *const types[] = {"button", "checkbox", "color", "date", "datetime-local",
	    "email", "file", "hidden", "image", "month", "number", "password", "radio", "range",
	    "reset", "search", "submit", "tel", "time", "url", "week"};

	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (attr_is(n, "type", types[i]))
			return types[i];
	return "text";
}

static bool
input_is(const struct aria *a, node *n, const char *type)
{
	return tag(a, n) == T_INPUT && strcmp(input_type(n), type) == 0;
}

static bool
is_labelable(const struct aria *a, node *n)
{
	switch (tag(a, n)) {
	case T_BUTTON:
	case T_METER:
	case T_OUTPUT:
	case T_PROGRESS:
	case T_SELECT:
	case T_TEXTAREA: return true;
	case T_INPUT: return !input_is(a, n, "hidden");
	default: return false;
	}
}

static node *
control_of(struct aria *a, node *label)
{
	struct span id = attr(label, "for");

	if (id.at) {
		node *n = element_of_id(a, css_scope(a->css, label), id);
		return n && is_labelable(a, n) ? n : NULL;
	}
	for (node *c = next_below(label, label); c && --a->steps > 0; c = next_below(c, label))
		if (c->name.at && is_labelable(a, c))
			return c;
	return NULL;
}

static int
by_control(const void *x, const void *y)
{
	const struct pair *a = x, *b = y;

	if (a->key != b->key)
		return a->key->id < b->key->id ? -1 : 1;
	return (a->node->id > b->node->id) - (a->node->id < b->node->id);
}

/* The first label of a control in a's labels; the others follow it.  label_count: none. */
static size_t
first_label(const struct aria *a, node *control)
{
	size_t lo = 0, hi = a->label_count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (a->labels[mid].key->id < control->id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < a->label_count && a->labels[lo].key == control ? lo : a->label_count;
}

static bool
has_label(const struct aria *a, node *n)
{
	return first_label(a, n) < a->label_count;
}

/*
 * What is shown.
 */

static enum css_display
display(const struct aria *a, node *n)
{
	return css_style(a->css, n)->display;
}

/* What draws itself: elements in it are never seen, though texts count for Playwright. */
static bool
is_replaced(const struct aria *a, node *n)
{
	switch (tag(a, n)) {
	case T_AUDIO:
	case T_CANVAS:
	case T_FRAME:
	case T_IFRAME:
	case T_IMG:
	case T_INPUT:
	case T_METER:
	case T_PROGRESS:
	case T_TEXTAREA:
	case T_VIDEO: return true;
	case T_OBJECT: return has(n, "data") || has(n, "type");
	case T_SELECT: return !has(n, "multiple") && !(js_number(attr(n, "size")) > 1);
	default: return false;
	}
}

static bool
is_undrawn_svg(node *n)
{
	static const char *const names[] = {"title", "desc", "metadata", "style", "script", "view",
	    "stop", "animate", "set", "animateMotion", "animateTransform", "mpath"};

	if (!is_foreign(n))
		return false;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (dom_is(n, names[i]))
			return true;
	if (!dom_is(n, "tspan") && !dom_is(n, "textPath"))
		return false;
	for (node *p = n->parent; p; p = p->parent)
		if (dom_is(p, "text"))
			return false;
	return true;
}

static bool
is_first_summary(const struct aria *a, node *n)
{
	if (tag(a, n) != T_SUMMARY)
		return false;
	for (n = n->prev; n; n = n->prev)
		if (n->name.at && tag(a, n) == T_SUMMARY)
			return false;
	return true;
}

/* Boxes go by the flat tree; what is left out goes by the document.  Ids go up, so no recursion. */
static void
compute_shown(struct aria *a, node *n)
{
	struct facts *f = &a->facts[n->id];
	const struct css_style *s = css_style(a->css, n);
	node *around = css_parent(n), *parent = parent_or_host(n);
	bool unslotted = parent_element(n) && parent_element(n)->shadow && n->slot == NULL;

	f->boxed = s->display != CSS_NONE && !unslotted && !is_undrawn_svg(n) &&
		   (around == NULL || a->facts[around->id].holds);
	if (around && tag(a, around) == T_DETAILS && !has(around, "open") &&
	    !is_first_summary(a, n))
		f->boxed = false;
	f->holds = f->boxed && !is_replaced(a, n) && !(s->skipped && s->display != CSS_CONTENTS);
	f->left_out = unslotted || s->display == CSS_NONE || attr_is(n, "aria-hidden", "true") ||
		      (parent && a->facts[parent->id].left_out);
}

static bool
is_ignored(const struct aria *a, node *n)
{
	enum tag t = tag(a, n);

	return t == T_STYLE || t == T_SCRIPT || t == T_NOSCRIPT || t == T_TEMPLATE;
}

static bool is_hidden(struct aria *a, node *n);

static bool
find_hidden(struct aria *a, node *n)
{
	const struct facts *f = &a->facts[n->id];
	const struct css_style *s = css_style(a->css, n);
	bool slot = dom_is(n, "SLOT");

	if (is_ignored(a, n))
		return true;
	if (s->display == CSS_CONTENTS && !slot) {
		for (node *c = n->first; c; c = c->next) {
			if (c->name.at ? !is_hidden(a, c) : f->boxed && !is_blank_text(c->text))
				return false;
		}
		return true;
	}
	bool option = tag(a, n) == T_OPTION && closest(a, n, T_SELECT);
	if (!option && !slot && (!f->boxed || !s->visible))
		return true;
	return f->left_out;
}

static bool
is_hidden(struct aria *a, node *n)
{
	struct facts *f = &a->facts[n->id];

	if (f->hidden == NOT_YET)
		f->hidden = find_hidden(a, n) ? SURE : NO_WAY;
	return f->hidden == SURE;
}

static bool
is_unrendered_text(const struct aria *a, node *text)
{
	node *parent = parent_element(text);

	if (parent == NULL)
		return false;
	if (parent->shadow && text->slot == NULL)
		return true;
	return tag(a, parent) == T_DETAILS && !has(parent, "open");
}

/*
 * Roles.
 */

static const struct role *
role_named(const char *name, size_t len)
{
	size_t lo = 0, hi = sizeof roles / sizeof *roles;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;
		int order = strncmp(name, roles[mid].name, len);
		if (order == 0)
			order = roles[mid].name[len] == '\0' ? 0 : -1;
		if (order == 0)
			return &roles[mid];
		if (order < 0)
			hi = mid;
		else
			lo = mid + 1;
	}
	return NULL;
}

static const struct role *
role_of_text(const char *name)
{
	return role_named(name, strlen(name));
}

static bool
role_is(const struct role *r, const char *name)
{
	return r && strcmp(r->name, name) == 0;
}

/* One of a list of names with blanks around each. */
static bool
role_in(const struct role *r, const char *names)
{
	char key[32];

	if (r == NULL)
		return false;
	snprintf(key, sizeof key, " %s ", r->name);
	return strstr(names, key) != NULL;
}

static bool
is_presentational(const struct role *r)
{
	return role_is(r, "none") || role_is(r, "presentation");
}

static const struct role *
explicit_role(node *n)
{
	struct span list = attr(n, "role");

	for (size_t i = 0; i < list.len;) {
		size_t from = i, len = 0;
		char word[24];
		while (i < list.len && list.at[i] != ' ')
			i++;
		size_t to = i++;
		while (from < to && isspace((unsigned char)list.at[from]))
			from++;
		while (to > from && isspace((unsigned char)list.at[to - 1]))
			to--;
		for (; from < to && len < sizeof word - 1; from++)
			word[len++] = (char)tolower((unsigned char)list.at[from]);
		const struct role *r = len && from == to ? role_named(word, len) : NULL;
		if (r)
			return r;
	}
	return NULL;
}

static bool
in_disabled_fieldset(const struct aria *a, node *n)
{
	node *set = n;

	while (set && !(tag(a, set) == T_FIELDSET && has(set, "disabled")))
		set = parent_element(set);
	if (set == NULL)
		return false;
	node *legend = set->first;
	while (legend && !(legend->name.at && tag(a, legend) == T_LEGEND))
		legend = legend->next;
	for (node *p = n; p && legend; p = p->parent)
		if (p == legend)
			return false;
	return true;
}

static bool
is_natively_disabled(const struct aria *a, node *n)
{
	switch (tag(a, n)) {
	case T_OPTION:
		for (node *p = n; p; p = parent_element(p))
			if (tag(a, p) == T_OPTGROUP && has(p, "disabled"))
				return true;
		break;
	case T_BUTTON:
	case T_INPUT:
	case T_SELECT:
	case T_TEXTAREA:
	case T_OPTGROUP: break;
	default: return false;
	}
	return has(n, "disabled") || in_disabled_fieldset(a, n);
}

static bool
has_tabindex(node *n)
{
	return has(n, "tabindex") && !isnan(js_number(attr(n, "tabindex")));
}

static bool
is_focusable(const struct aria *a, node *n)
{
	if (is_natively_disabled(a, n))
		return false;
	switch (tag(a, n)) {
	case T_BUTTON:
	case T_DETAILS:
	case T_SELECT:
	case T_TEXTAREA: return true;
	case T_A:
	case T_AREA: return has(n, "href") || has_tabindex(n);
	case T_INPUT: return !has(n, "hidden") || has_tabindex(n);
	default: return has_tabindex(n);
	}
}

/* A global aria-* attribute that the role does not prohibit. */
static bool
has_global_aria(node *n, const struct role *r)
{
	static const char *const names[] = {"aria-atomic", "aria-busy", "aria-controls",
	    "aria-current", "aria-describedby", "aria-details", "aria-dropeffect", "aria-flowto",
	    "aria-grabbed", "aria-hidden", "aria-keyshortcuts", "aria-live", "aria-owns",
	    "aria-relevant"};
	static const char nameless[] =
	    " caption code deletion emphasis generic insertion paragraph "
	    "presentation strong subscript superscript ";

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (has(n, names[i]))
			return true;
	if ((has(n, "aria-label") || has(n, "aria-labelledby")) && !role_in(r, nameless))
		return true;
	return has(n, "aria-roledescription") && !role_is(r, "generic");
}

/* Is n, or something around it, a part of a page that has headers of its own? */
static bool
in_part_of_page(struct aria *a, node *n)
{
	static const char *const parts[] = {
	    "article", "complementary", "main", "navigation", "region"};

	for (; n && --a->steps > 0; n = parent_or_host(n)) {
		enum tag t = tag(a, n);
		struct span role = attr(n, "role");
		if (role.at == NULL &&
		    (t == T_ARTICLE || t == T_ASIDE || t == T_MAIN || t == T_NAV || t == T_SECTION))
			return true;
		for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
			if (role.len == strlen(parts[i]) &&
			    memcmp(role.at, parts[i], role.len) == 0)
				return true;
	}
	return false;
}

static bool
is_listbox(node *select)
{
	return has(select, "multiple") || js_number(attr(select, "size")) > 1;
}

static const char *
input_role(struct aria *a, node *n)
{
	const char *type = input_type(n);
	static const char *const with_list[] = {"email", "search", "tel", "text", "url"};

	for (size_t i = 0; i < sizeof with_list / sizeof *with_list; i++) {
		size_t at = 0;
		if (strcmp(type, with_list[i]) != 0)
			continue;
		node *list = reference(a, n, "list", &at);
		if (list && tag(a, list) == T_DATALIST)
			return "combobox";
		return strcmp(type, "search") == 0 ? "searchbox" : "textbox";
	}
	static const char *const names[][2] = {{"hidden", NULL}, {"file", "button"},
	    {"button", "button"}, {"checkbox", "checkbox"}, {"image", "button"},
	    {"number", "spinbutton"}, {"radio", "radio"}, {"range", "slider"}, {"reset", "button"},
	    {"submit", "button"}};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(type, names[i][0]) == 0)
			return names[i][1];
	return "textbox";
}

static node *
sibling_element(node *n, bool after)
{
	do
		n = after ? n->next : n->prev;
	while (n && n->name.at == NULL);
	return n;
}

static bool
is_filled_cell(const struct aria *a, node *n)
{
	if (n == NULL || tag(a, n) != T_TD)
		return false;
	for (node *c = n->first; c; c = c->next)
		if (c->name.at || !is_blank_text(c->text))
			return true;
	return false;
}

/* Does table.rows, those of its own and of its direct groups, hold more than one? */
static bool
has_rows(const struct aria *a, node *table)
{
	size_t rows = 0;

	for (node *c = table->first; c && rows < 2; c = c->next) {
		enum tag t = c->name.at ? tag(a, c) : T_OTHER;
		rows += t == T_TR;
		if (t != T_THEAD && t != T_TBODY && t != T_TFOOT)
			continue;
		for (node *r = c->first; r && rows < 2; r = r->next)
			rows += r->name.at && tag(a, r) == T_TR;
	}
	return rows > 1;
}

static node *
closest_across(const struct aria *a, node *n, enum tag t)
{
	while (n && tag(a, n) != t)
		n = parent_or_host(n);
	return n;
}

static const char *
header_role(const struct aria *a, node *n)
{
	struct span scope = attr(n, "scope");
	node *next = sibling_element(n, true), *prev = sibling_element(n, false);
	node *row = parent_element(n);

	if (same_text(scope, (struct span){"col", 3}) ||
	    same_text(scope, (struct span){"colgroup", 8}))
		return "columnheader";
	if (same_text(scope, (struct span){"row", 3}) ||
	    same_text(scope, (struct span){"rowgroup", 8}))
		return "rowheader";
	if (next == NULL && prev == NULL) {
		node *table = row && tag(a, row) == T_TR ? closest_across(a, row, T_TABLE) : NULL;
		return table && !has_rows(a, table) ? NULL : "columnheader";
	}
	if (next && prev && tag(a, next) == T_TH && tag(a, prev) == T_TH)
		return "columnheader";
	return is_filled_cell(a, next) || is_filled_cell(a, prev) ? "rowheader" : "columnheader";
}

static const char *
native_role(struct aria *a, node *n)
{
	enum tag t = tag(a, n);
	bool named = has(n, "aria-label") || has(n, "aria-labelledby");

	switch (t) {
	case T_A:
	case T_AREA: return has(n, "href") ? "link" : NULL;
	case T_FOOTER: return in_part_of_page(a, n) ? NULL : "contentinfo";
	case T_HEADER: return in_part_of_page(a, n) ? NULL : "banner";
	case T_FORM: return named ? "form" : NULL;
	case T_SECTION: return named ? "region" : NULL;
	case T_IMG:
		return has(n, "alt") && attr(n, "alt").len == 0 && attr(n, "title").len == 0 &&
			       !has_global_aria(n, NULL) && !has_tabindex(n)
			   ? "presentation"
			   : "img";
	case T_INPUT: return input_role(a, n);
	case T_SELECT: return is_listbox(n) ? "listbox" : "combobox";
	case T_TD: {
		node *table = closest_across(a, n, T_TABLE);
		const struct role *r = table ? explicit_role(table) : NULL;
		return role_is(r, "grid") || role_is(r, "treegrid") ? "gridcell" : "cell";
	}
	case T_TH: return header_role(a, n);
	default: return tags[t].role;
	}
}

/* Does a presentational parent take the role from a child? */
static bool
inherits_from(enum tag child, enum tag parent)
{
	switch (child) {
	case T_DD:
	case T_DT: return parent == T_DL || parent == T_DIV;
	case T_DIV: return parent == T_DL;
	case T_LI: return parent == T_OL || parent == T_UL;
	case T_TBODY:
	case T_TFOOT:
	case T_THEAD: return parent == T_TABLE;
	case T_TD:
	case T_TH: return parent == T_TR;
	case T_TR:
		return parent == T_THEAD || parent == T_TBODY || parent == T_TFOOT ||
		       parent == T_TABLE;
	default: return false;
	}
}

static const struct role *
implicit_role(struct aria *a, node *n)
{
	const char *name = native_role(a, n);

	if (name == NULL)
		return NULL;
	for (node *at = n;;) {
		node *parent = parent_or_host(at);
		if (parent == NULL || !inherits_from(tag(a, at), tag(a, parent)))
			return role_of_text(name);
		const struct role *r = explicit_role(parent);
		if (is_presentational(r) && !has_global_aria(parent, r) && !is_focusable(a, parent))
			return r;
		at = parent;
	}
}

static const struct role *
find_role(struct aria *a, node *n)
{
	const struct role *own = explicit_role(n);

	if (own && !is_presentational(own))
		return own;
	const struct role *native = implicit_role(a, n);
	if (own && !has_global_aria(n, native) && !is_focusable(a, n))
		return own;
	return native;
}

static const struct role *
role_of(struct aria *a, node *n)
{
	struct facts *f = &a->facts[n->id];

	if (!f->role_known) {
		f->role = find_role(a, n);
		f->role_known = true;
	}
	return f->role;
}

/*
 * Names.
 */

/* What a text is computed for: how the element was come to. */
struct way {
	enum { ASIDE, SELF, INSIDE } target; /* of the element whose name is wanted */
	bool labelledby, label, native;
	bool hidden; /* one of these three is a hidden element, so hidden ones in it count */
	int depth;
};

static void add_alternative(struct aria *a, node *n, struct way way, struct buf *b);

static bool
was_visited(const struct aria *a, node *n)
{
	return a->facts[n->id].stamp == a->stamp;
}

static void
set_visited(struct aria *a, node *n)
{
	a->facts[n->id].stamp = a->stamp;
}

static void
add_span(struct aria *a, struct buf *b, struct span text)
{
	if (text.len)
		buf_add(b, text.at, text.len);
	a->steps -= (long)(text.len / 64);
}

static void
add_content(struct buf *b, const struct css_content *c)
{
	if (c == NULL)
		return;
	if (c->block)
		buf_byte(b, ' ');
	buf_add(b, c->text.at, c->text.len);
	if (c->block)
		buf_byte(b, ' ');
}

static bool
is_inline(const struct aria *a, node *n)
{
	return display(a, n) == CSS_INLINE && !dom_is(n, "BR");
}

static void
add_child_text(struct aria *a, node *c, struct way way, struct buf *b)
{
	if (--a->steps < 0)
		return;
	if (c->name.at == NULL) {
		if (way.hidden || !is_unrendered_text(a, c))
			add_span(a, b, c->text);
		return;
	}
	bool block = !is_inline(a, c);
	if (block)
		buf_byte(b, ' ');
	add_alternative(a, c, way, b);
	if (block)
		buf_byte(b, ' ');
}

/* The text of what is in an element, generated content too. */
static void
add_inner(struct aria *a, node *n, struct way way, struct buf *b)
{
	const struct css_style *s = css_style(a->css, n);
	size_t at = 0;

	add_content(b, s->before);
	if (s->alt) {
		add_content(b, s->alt);
		add_content(b, s->after);
		return;
	}
	for (node *c = n->assigned; c; c = c->next_assigned)
		add_child_text(a, c, way, b);
	if (n->assigned == NULL) {
		for (node *c = n->first; c; c = c->next)
			if (c->slot == NULL)
				add_child_text(a, c, way, b);
		for (node *c = n->shadow ? n->shadow->first : NULL; c; c = c->next)
			add_child_text(a, c, way, b);
		for (node *c; (c = reference(a, n, "aria-owns", &at));)
			if (c->slot == NULL)
				add_child_text(a, c, way, b);
	}
	add_content(b, s->after);
}

static bool
add_labels(struct aria *a, node *n, struct way way, struct buf *b)
{
	size_t first = first_label(a, n), before = b->len;

	for (size_t i = first; i < a->label_count && a->labels[i].key == n; i++) {
		node *label = a->labels[i].node;
		size_t start = b->len;
		if (start > before)
			buf_byte(b, ' ');
		size_t text = b->len;
		add_alternative(a, label,
		    (struct way){.label = true, .hidden = is_hidden(a, label), .depth = way.depth},
		    b);
		if (b->len == text)
			b->len = start;
	}
	return first < a->label_count;
}

static struct span
control_value(const struct aria *a, node *n)
{
	struct span value = attr(n, "__playwright_value_");

	(void)a;
	return value.at ? value : attr(n, "value");
}

static bool
is_selected_option(node *n)
{
	struct span selected = attr(n, "__playwright_selected_");

	return selected.at ? css_word(selected, "true") : has(n, "selected");
}

/* The selected options of a SELECT, or its first one. */
static void
add_select_value(struct aria *a, node *n, struct way way, struct buf *b)
{
	node *first = NULL;
	bool any = false;

	for (node *c = next_below(n, n); c && --a->steps > 0; c = next_below(c, n)) {
		if (c->name.at == NULL || tag(a, c) != T_OPTION)
			continue;
		if (first == NULL)
			first = c;
		if (!is_selected_option(c))
			continue;
		if (any)
			buf_byte(b, ' ');
		any = true;
		add_alternative(a, c, way, b);
	}
	if (!any && first)
		add_alternative(a, first, way, b);
}

typedef bool visit_owned(struct aria *a, node *n, void *ctx);

/* Elements below n, then those it owns and what is below them; stops when visit says so. */
static void
for_owned(struct aria *a, node *n, visit_owned *visit, void *ctx)
{
	size_t at = 0;

	for (node *c = next_below(n, n); c && --a->steps > 0; c = next_below(c, n))
		if (c->name.at && visit(a, c, ctx))
			return;
	for (node *o; (o = reference(a, n, "aria-owns", &at));) {
		if (visit(a, o, ctx))
			return;
		for (node *c = next_below(o, o); c && --a->steps > 0; c = next_below(c, o))
			if (c->name.at && visit(a, c, ctx))
				return;
	}
}

static bool
find_listbox(struct aria *a, node *n, void *ctx)
{
	node **found = ctx;

	if (!role_is(role_of(a, n), "listbox"))
		return false;
	*found = n;
	return true;
}

struct options {
	struct way way;
	struct buf *b;
	bool any;
};

static bool
add_option(struct aria *a, node *n, void *ctx)
{
	struct options *o = ctx;

	if (!attr_is(n, "aria-selected", "true") || !role_is(role_of(a, n), "option"))
		return false;
	if (o->any)
		buf_byte(o->b, ' ');
	o->any = true;
	add_alternative(a, n, o->way, o->b);
	return false;
}

/* What a control inside a name says: its value.  False: n is no such control. */
static bool
add_embedded(struct aria *a, node *n, const struct role *r, struct way way, struct buf *b)
{
	enum tag t = tag(a, n);

	if (role_is(r, "textbox") || role_is(r, "searchbox")) {
		set_visited(a, n);
		if (t == T_INPUT || t == T_TEXTAREA)
			add_span(a, b, control_value(a, n));
		else
			text_content(a, n, b);
		return true;
	}
	if (role_is(r, "combobox") || role_is(r, "listbox")) {
		set_visited(a, n);
		if (t == T_SELECT) {
			add_select_value(a, n, way, b);
			return true;
		}
		struct options o = {way, b, false};
		node *listbox = role_is(r, "listbox") ? n : NULL;
		if (listbox == NULL)
			for_owned(a, n, find_listbox, &listbox);
		if (listbox)
			for_owned(a, listbox, add_option, &o);
		if (!o.any && t == T_INPUT)
			add_span(a, b, control_value(a, n));
		return true;
	}
	if (role_in(r, " progressbar scrollbar slider spinbutton meter ")) {
		set_visited(a, n);
		add_span(a, b,
		    has(n, "aria-valuetext")  ? attr(n, "aria-valuetext")
		    : has(n, "aria-valuenow") ? attr(n, "aria-valuenow")
					      : attr(n, "value"));
		return true;
	}
	if (role_is(r, "menu")) {
		set_visited(a, n);
		return true;
	}
	return false;
}

/* The first child of a tag that names its parent, such as LEGEND. */
static node *
child_of_tag(const struct aria *a, node *n, enum tag t)
{
	for (node *c = n->first; c; c = c->next)
		if (c->name.at && tag(a, c) == t)
			return c;
	return NULL;
}

static bool
add_if_said(struct aria *a, struct span text, struct buf *b)
{
	if (text.at == NULL || is_blank_text(text))
		return false;
	add_span(a, b, text);
	return true;
}

static void
add_input_button(struct aria *a, node *n, struct way way, struct buf *b)
{
	bool image = input_is(a, n, "image");

	if (input_is(a, n, "file") || image) {
		if (has_label(a, n) && !way.labelledby)
			add_labels(a, n, way, b);
		else if (!image)
			buf_text(b, "Choose File");
		else if (!add_if_said(a, attr(n, "alt"), b) && !add_if_said(a, attr(n, "title"), b))
			buf_text(b, "Submit");
		return;
	}
	if (add_if_said(a, control_value(a, n), b))
		return;
	if (input_is(a, n, "submit"))
		buf_text(b, "Submit");
	else if (input_is(a, n, "reset"))
		buf_text(b, "Reset");
	else
		add_span(a, b, attr(n, "title"));
}

static void
add_field_name(struct aria *a, node *n, struct way way, struct buf *b)
{
	static const char *const with[] = {
	    "text", "password", "number", "search", "tel", "email", "url"};
	bool placeholder = tag(a, n) == T_TEXTAREA;

	if (add_labels(a, n, way, b))
		return;
	for (size_t i = 0; i < sizeof with / sizeof *with; i++)
		placeholder = placeholder || input_is(a, n, with[i]);
	struct span title = attr(n, "title");
	add_span(a, b, !placeholder || title.len ? title : attr(n, "placeholder"));
}

static bool
in_svg(const struct aria *a, node *n)
{
	if (!is_foreign(n))
		return false;
	for (node *p = n->parent; p && is_foreign(p); p = p->parent)
		if (tag(a, p) == T_SVG)
			return true;
	return false;
}

/* The names that HTML and SVG have for an element; true: this is all there is. */
static bool
add_native(struct aria *a, node *n, bool labelled, struct way way, struct buf *b)
{
	enum tag t = tag(a, n);
	struct way inner = way;
	node *c;

	if (way.target == SELF)
		inner.target = INSIDE;
	inner.native = true;
	if (t == T_INPUT &&
	    (input_is(a, n, "button") || input_is(a, n, "submit") || input_is(a, n, "reset") ||
		input_is(a, n, "file") || input_is(a, n, "image"))) {
		set_visited(a, n);
		add_input_button(a, n, way, b);
		return true;
	}
	if (!labelled && t == T_BUTTON) {
		set_visited(a, n);
		if (add_labels(a, n, way, b))
			return true;
	}
	if (!labelled && t == T_OUTPUT) {
		set_visited(a, n);
		if (!add_labels(a, n, way, b))
			add_span(a, b, attr(n, "title"));
		return true;
	}
	if (!labelled &&
	    (t == T_TEXTAREA || t == T_SELECT || t == T_INPUT || t == T_METER || t == T_PROGRESS)) {
		set_visited(a, n);
		add_field_name(a, n, way, b);
		return true;
	}
	if (!labelled && (t == T_FIELDSET || t == T_FIGURE)) {
		set_visited(a, n);
		c = child_of_tag(a, n, t == T_FIELDSET ? T_LEGEND : T_FIGCAPTION);
		if (c) {
			inner.hidden = inner.hidden || is_hidden(a, c);
			add_alternative(a, c, inner, b);
		} else {
			add_span(a, b, attr(n, "title"));
		}
		return true;
	}
	if (t == T_IMG || t == T_AREA) {
		set_visited(a, n);
		if (!add_if_said(a, attr(n, "alt"), b))
			add_span(a, b, attr(n, "title"));
		return true;
	}
	if (t == T_TABLE) {
		set_visited(a, n);
		c = child_of_tag(a, n, T_CAPTION);
		if (c) {
			inner.hidden = inner.hidden || is_hidden(a, c);
			add_alternative(a, c, inner, b);
			return true;
		}
		if (attr(n, "summary").len) {
			add_span(a, b, attr(n, "summary"));
			return true;
		}
	}
	bool svg = in_svg(a, n);
	if (t == T_SVG || svg) {
		set_visited(a, n);
		c = child_of_tag(a, n, T_TITLE);
		if (c && is_foreign(c)) {
			inner.native = way.native;
			inner.labelledby = true;
			inner.hidden = inner.hidden || is_hidden(a, c);
			add_alternative(a, c, inner, b);
			return true;
		}
	}
	return svg && t == T_A && add_if_said(a, attr(n, "xlink:title"), b);
}

/* The texts of aria-labelledby, which hidden elements may give.  False: they say nothing. */
static bool
add_labelledby(struct aria *a, node *n, struct way way, struct buf *b)
{
	size_t at = 0, before = b->len;
	bool any = false;

	for (node *to; (to = reference(a, n, "aria-labelledby", &at));) {
		if (any)
			buf_byte(b, ' ');
		any = true;
		add_alternative(a, to,
		    (struct way){
			.labelledby = true, .hidden = is_hidden(a, to), .depth = way.depth},
		    b);
	}
	return b->len > before;
}

static bool
refers_to(struct aria *a, node *n, node *to, bool *any)
{
	size_t at = 0;
	bool found = false;

	*any = false;
	for (node *ref; (ref = reference(a, n, "aria-labelledby", &at));) {
		*any = true;
		found = found || ref == to;
	}
	return found;
}

/* The text alternative of an element (accname 1.2, in the steps that Playwright takes). */
static void
add_alternative(struct aria *a, node *n, struct way way, struct buf *b)
{
	struct way inner = way;
	bool labelled;

	if (was_visited(a, n) || --a->steps < 0 || ++inner.depth > DEPTH)
		return;
	way.depth++;
	if (way.target == SELF)
		inner.target = INSIDE;
	if (is_ignored(a, n) || (!way.hidden && is_hidden(a, n))) {
		set_visited(a, n);
		return;
	}
	bool own = refers_to(a, n, n, &labelled);
	if (!way.labelledby && labelled && add_labelledby(a, n, way, b))
		return;
	const struct role *r = role_of(a, n);
	bool embedded = way.label || way.labelledby || way.target == INSIDE;
	if (embedded && !own && add_embedded(a, n, r, inner, b))
		return;
	struct span label = attr(n, "aria-label");
	if (label.at && !is_blank_text(label)) {
		set_visited(a, n);
		add_span(a, b, label);
		return;
	}
	bool presentational = is_presentational(r);
	if (!presentational && add_native(a, n, labelled, way, b))
		return;
	bool summary = tag(a, n) == T_SUMMARY && !presentational;
	bool takes =
	    r ? (r->flags & FROM_CONTENT) || (way.target == INSIDE && r->flags & INNER_TEXT)
	      : way.target == INSIDE;
	set_visited(a, n);
	if (takes || summary || way.labelledby || way.label || way.native) {
		size_t before = b->len;
		add_inner(a, n, inner, b);
		struct span text = {b->data ? b->data + before : "", b->len - before};
		if (text.len && (way.target != SELF || !is_blank_text(text)))
			return;
		b->len = before;
	}
	if (!presentational || dom_is(n, "IFRAME") || dom_is(n, "FRAME"))
		add_if_said(a, attr(n, "title"), b);
}

static struct span
name_of(struct aria *a, node *n, const struct role *r)
{
	struct buf b = {0};

	if (r->flags & NO_NAME)
		return (struct span){0};
	a->stamp++;
	add_alternative(a, n, (struct way){.target = SELF}, &b);
	struct span name = {0};
	if (b.len <= NAME_BYTES && b.len <= a->name_room) {
		name = normalized(a, (struct span){b.data, b.len});
		a->name_room -= b.len;
	}
	buf_free(&b);
	return name;
}

/*
 * States.
 */

static bool
is_aria_disabled(struct aria *a, node *n)
{
	node *at = n;

	/* Up to the first that knows; then all on the way know. */
	uint8_t answer = NO_WAY;
	for (; at; at = parent_or_host(at)) {
		const struct facts *f = &a->facts[at->id];
		answer = f->disabled;
		if (answer == NOT_YET && attr_is(at, "aria-disabled", "true"))
			answer = SURE;
		if (answer == NOT_YET && attr_is(at, "aria-disabled", "false"))
			answer = NO_WAY;
		if (answer != NOT_YET)
			break;
	}
	if (answer == NOT_YET)
		answer = NO_WAY;
	for (node *k = n; k != at; k = parent_or_host(k))
		a->facts[k->id].disabled = answer;
	if (at)
		a->facts[at->id].disabled = answer;
	return answer == SURE;
}

static void
set_checked(struct aria *a, node *n, struct item *i)
{
	if (input_is(a, n, "checkbox") || input_is(a, n, "radio")) {
		struct span checked = attr(n, "__playwright_checked_");
		i->checked = checked.at ? css_word(checked, "true") : has(n, "checked");
		return;
	}
	i->checked = attr_is(n, "aria-checked", "true");
	i->mixed = attr_is(n, "aria-checked", "mixed");
}

static void
set_invalid(node *n, struct item *i)
{
	struct span value = attr(n, "aria-invalid");

	if (value.at == NULL || is_blank_text(value) || css_word(value, "false"))
		return;
	i->invalid = true;
	if (css_word(value, "grammar"))
		i->invalid_as = "grammar";
	if (css_word(value, "spelling"))
		i->invalid_as = "spelling";
}

static unsigned
level_of(const struct aria *a, node *n)
{
	enum tag t = tag(a, n);

	if (t >= T_H1 && t <= T_H6)
		return (unsigned)(t - T_H1) + 1;
	double level = has(n, "aria-level") ? js_number(attr(n, "aria-level")) : 0;
	return level >= 1 && level <= 1e9 && floor(level) == level ? (unsigned)level : 0;
}

static void
set_states(struct aria *a, node *n, const struct role *r, struct item *i)
{
	if (r->flags & CHECKED)
		set_checked(a, n, i);
	if (r->flags & DISABLED)
		i->disabled = is_natively_disabled(a, n) || is_aria_disabled(a, n);
	if (r->flags & EXPANDED)
		i->expanded =
		    tag(a, n) == T_DETAILS ? has(n, "open") : attr_is(n, "aria-expanded", "true");
	if (r->flags & INVALID)
		set_invalid(n, i);
	if (r->flags & LEVEL)
		i->level = level_of(a, n);
	if (r->flags & PRESSED) {
		i->pressed = attr_is(n, "aria-pressed", "true");
		i->pressed_mixed = attr_is(n, "aria-pressed", "mixed");
	}
	if (r->flags & SELECTED)
		i->selected = tag(a, n) == T_OPTION ? is_selected_option(n)
						    : attr_is(n, "aria-selected", "true");
}

/*
 * The tree of items.
 */

static struct item *
new_item(struct aria *a, struct item *parent, const char *role)
{
	struct item *i = dom_alloc(a->tree, sizeof *i);

	i->role = role;
	if (parent->last)
		parent->last->next = i;
	else
		parent->first = i;
	parent->last = i;
	return i;
}

static void
add_text(struct aria *a, struct item *parent, struct span text)
{
	if (text.len > 0)
		new_item(a, parent, NULL)->text = text;
}

static void
add_pseudo(struct aria *a, struct item *parent, const struct css_content *c)
{
	static const struct span blank = {" ", 1};

	if (c == NULL)
		return;
	if (c->block)
		add_text(a, parent, blank);
	add_text(a, parent, c->text);
	if (c->block)
		add_text(a, parent, blank);
}

/* The item of an element that has a role; NULL: what is in it joins what it is in. */
static struct item *
item_of(struct aria *a, node *n, struct item *parent)
{
	if (dom_is(n, "IFRAME") || dom_is(n, "FRAME"))
		return new_item(a, parent, "iframe");
	const struct role *r = role_of(a, n);
	if (r == NULL || is_presentational(r))
		return NULL;
	struct item *i = new_item(a, parent, r->name);
	i->text = name_of(a, n, r);
	set_states(a, n, r, i);
	if ((tag(a, n) == T_INPUT || tag(a, n) == T_TEXTAREA) && !is_foreign(n) &&
	    !input_is(a, n, "checkbox") && !input_is(a, n, "radio") && !input_is(a, n, "file"))
		add_text(a, i, control_value(a, n));
	return i;
}

static void visit(struct aria *a, struct item *into, node *n, int depth);

static struct span
cut_data_url(struct aria *a, struct span url)
{
	const char *comma = NULL;

	if (url.len >= 5 && memcmp(url.at, "data:", 5) == 0)
		comma = memchr(url.at, ',', url.len);
	if (comma == NULL)
		return url;
	size_t len = (size_t)(comma + 1 - url.at);
	char *cut = dom_alloc(a->tree, len + 4);
	memcpy(cut, url.at, len);
	memcpy(cut + len, "\xe2\x80\xa6", 3);
	return (struct span){cut, len + 3};
}

static void
visit_children(struct aria *a, struct item *into, node *n, int depth)
{
	for (node *c = n->assigned; c; c = c->next_assigned)
		visit(a, into, c, depth);
	if (n->assigned)
		return;
	for (node *c = n->first; c; c = c->next)
		if (c->slot == NULL)
			visit(a, into, c, depth);
	for (node *c = n->shadow ? n->shadow->first : NULL; c; c = c->next)
		visit(a, into, c, depth);
}

static void
visit_element(struct aria *a, struct item *into, node *n, int depth)
{
	static const struct span blank = {" ", 1};
	const struct css_style *s = css_style(a->css, n);
	bool block = !is_inline(a, n);
	size_t at = 0;

	if (block)
		add_text(a, into, blank);
	add_pseudo(a, into, s->before);
	visit_children(a, into, n, depth);
	/* Playwright looks for owned elements in the document, not in the shadow tree. */
	for (node *c; (c = next_reference(a, n, "aria-owns", a->tree->root, &at));)
		visit(a, into, c, depth);
	add_pseudo(a, into, s->after);
	if (block)
		add_text(a, into, blank);
	struct span href = attr(n, "href"), placeholder = attr(n, "placeholder");
	if (into->role && strcmp(into->role, "link") == 0 && href.at)
		into->url = cut_data_url(a, href);
	if (into->role && strcmp(into->role, "textbox") == 0 && placeholder.at &&
	    !same_text(placeholder, into->text))
		into->placeholder = placeholder;
}

static void stitch(struct aria *a, struct item *iframe, node *n);

static void
visit(struct aria *a, struct item *into, node *n, int depth)
{
	struct facts *f = &a->facts[n->id];

	if (f->shown || depth > DEPTH)
		return;
	f->shown = true;
	if (n->name.at == NULL) {
		if (!is_unrendered_text(a, n) &&
		    !(into->role && strcmp(into->role, "textbox") == 0))
			add_text(a, into, n->text);
		return;
	}
	if (is_hidden(a, n))
		return;
	struct item *i = item_of(a, n, into);
	visit_element(a, i ? i : into, n, depth + 1);
	if (i && a->frames_left > 0 && strcmp(i->role, "iframe") == 0)
		stitch(a, i, n);
}

/* Texts side by side become one; a text that only repeats the name goes, an empty generic too. */
static void
tidy(struct aria *a, struct item *parent)
{
	struct item *out = NULL, *next;
	struct buf b = {0};

	parent->last = NULL;
	for (struct item *i = parent->first; i; i = next) {
		next = i->next;
		if (i->role == NULL) {
			buf_add(&b, i->text.at, i->text.len);
			if (next && next->role == NULL)
				continue;
			struct span text = normalized(a, (struct span){b.data, b.len});
			buf_clear(&b);
			if (text.len == 0)
				continue;
			i->text = text;
		} else {
			tidy(a, i);
			if (i->first == NULL && i->text.len == 0 && strcmp(i->role, "generic") == 0)
				continue;
		}
		if (out)
			out->next = i;
		else
			parent->first = i;
		out = i;
	}
	buf_free(&b);
	if (out)
		out->next = NULL;
	else
		parent->first = NULL;
	struct item *only = parent->first;
	if (only && only->next == NULL && only->role == NULL && same_text(only->text, parent->text))
		parent->first = NULL;
}

/*
 * YAML.
 */

/* When Playwright puts a scalar in quotes. */
static bool
needs_quotes(struct span t)
{
	static const char *const words[] = {
	    "y", "n", "yes", "no", "true", "false", "on", "off", "null", "~"};
	int32_t before = 0;
	size_t used;

	if (t.len == 0 || strchr("-&*],?!>|@\"'#%[", t.at[0]))
		return true;
	for (size_t i = 0; i < t.len; i += used) {
		int32_t c = utf8_decode(t.at + i, t.len - i, &used);
		bool last = i + used == t.len;
		if ((i == 0 || last) && is_js_space(c))
			return true;
		if ((c < 0x20 && c != '\t') || (c >= 0x7f && c <= 0x9f) || c == '{' || c == '}' ||
		    c == '`')
			return true;
		if ((before == ':' && is_js_space(c)) || (c == ':' && last))
			return true;
		if (c == '#' && is_js_space(before))
			return true;
		before = c;
	}
	if (!isnan(js_number(t)))
		return true;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (css_word(t, words[i]))
			return true;
	struct span rest = t;
	if (*rest.at == '+')
		rest = (struct span){t.at + 1, t.len - 1};
	return css_word(rest, ".inf") || css_word(rest, ".nan");
}

static void
add_value(struct buf *b, struct span t)
{
	if (!needs_quotes(t)) {
		buf_add(b, t.at, t.len);
		return;
	}
	buf_byte(b, '"');
	for (size_t i = 0; i < t.len; i++) {
		unsigned char c = (unsigned char)t.at[i];
		const char *letter = c ? strchr("\bb\ff\nn\rr\tt", c) : NULL;
		if (c == '\\' || c == '"')
			buf_format(b, "\\%c", c);
		else if (letter && c < 0x20)
			buf_format(b, "\\%c", letter[1]);
		else if (c < 0x20 || c == 0x7f)
			buf_format(b, "\\x%02x", c);
		else if (c == 0xc2 && i + 1 < t.len && (unsigned char)t.at[i + 1] < 0xa0)
			buf_format(b, "\\x%02x", (unsigned char)t.at[++i]);
		else
			buf_byte(b, c);
	}
	buf_byte(b, '"');
}

static void
add_key(struct buf *b, struct span t)
{
	if (!needs_quotes(t)) {
		buf_add(b, t.at, t.len);
		return;
	}
	buf_byte(b, '\'');
	for (size_t i = 0; i < t.len; i++) {
		buf_byte(b, t.at[i]);
		if (t.at[i] == '\'')
			buf_byte(b, '\'');
	}
	buf_byte(b, '\'');
}

/* As JSON.stringify writes a string. */
static void
add_json(struct buf *b, struct span t)
{
	buf_byte(b, '"');
	for (size_t i = 0; i < t.len; i++) {
		unsigned char c = (unsigned char)t.at[i];
		const char *letter = c ? strchr("\bb\ff\nn\rr\tt", c) : NULL;
		if (c == '\\' || c == '"')
			buf_format(b, "\\%c", c);
		else if (letter && c < 0x20)
			buf_format(b, "\\%c", letter[1]);
		else if (c < 0x20)
			buf_format(b, "\\u%04x", c);
		else
			buf_byte(b, c);
	}
	buf_byte(b, '"');
}

static size_t
utf16_length(struct span t)
{
	size_t units = 0, used;

	for (size_t i = 0; i < t.len; i += used)
		units += utf8_decode(t.at + i, t.len - i, &used) > 0xffff ? 2 : 1;
	return units;
}

static void
make_key(const struct item *i, struct buf *b)
{
	buf_text(b, i->role);
	if (i->text.len > 0 && utf16_length(i->text) <= LONGEST_NAME) {
		buf_byte(b, ' ');
		add_json(b, i->text);
	}
	if (i->mixed)
		buf_text(b, " [checked=mixed]");
	if (i->checked)
		buf_text(b, " [checked]");
	if (i->disabled)
		buf_text(b, " [disabled]");
	if (i->expanded)
		buf_text(b, " [expanded]");
	if (i->invalid_as)
		buf_format(b, " [invalid=%s]", i->invalid_as);
	else if (i->invalid)
		buf_text(b, " [invalid]");
	if (i->level)
		buf_format(b, " [level=%u]", i->level);
	if (i->pressed_mixed)
		buf_text(b, " [pressed=mixed]");
	if (i->pressed)
		buf_text(b, " [pressed]");
	if (i->selected)
		buf_text(b, " [selected]");
}

static void
begin_line(struct buf *b, int depth)
{
	for (int i = 0; i < depth; i++)
		buf_text(b, "  ");
	buf_text(b, "- ");
}

static void
add_line(struct buf *b, int depth, const char *key, struct span value)
{
	begin_line(b, depth);
	buf_text(b, key);
	add_value(b, value);
	buf_byte(b, '\n');
}

static void
add_indented(struct buf *b, int depth, struct span lines)
{
	for (size_t i = 0; i < lines.len;) {
		const char *end = memchr(lines.at + i, '\n', lines.len - i);
		size_t len = end ? (size_t)(end + 1 - (lines.at + i)) : lines.len - i;
		for (int k = 0; k < depth; k++)
			buf_text(b, "  ");
		buf_add(b, lines.at + i, len);
		i += len;
	}
}

static void
render(const struct item *i, int depth, struct buf *b)
{
	struct buf key = {0};
	const struct item *only = i->first && i->first->next == NULL ? i->first : NULL;

	if (b->len > ARIA_MOST)
		return;
	if (i->role == NULL) {
		add_line(b, depth, "text: ", i->text);
		return;
	}
	make_key(i, &key);
	begin_line(b, depth);
	add_key(b, (struct span){key.data, key.len});
	buf_free(&key);
	bool props = i->url.at || i->placeholder.at || i->below.len > 0;
	if (!props && only && only->role == NULL) {
		buf_text(b, ": ");
		add_value(b, only->text);
		buf_byte(b, '\n');
		return;
	}
	buf_text(b, props || i->first ? ":\n" : "\n");
	if (i->url.at)
		add_line(b, depth + 1, "/url: ", i->url);
	if (i->placeholder.at)
		add_line(b, depth + 1, "/placeholder: ", i->placeholder);
	if (i->below.len > 0) {
		add_indented(b, depth + 1, i->below);
		return;
	}
	for (const struct item *c = i->first; c; c = c->next)
		render(c, depth + 1, b);
}

/*
 * The whole.
 */

static void
learn(struct aria *a)
{
	struct dom_tree *t = a->tree;

	a->facts = prog_alloc(t->count, sizeof *a->facts);
	size_t ids = 0, labels = 0;
	for (size_t i = 0; i < t->count; i++) {
		node *n = t->nodes[i];
		if (n->name.at == NULL)
			continue;
		a->facts[i].tag = (uint8_t)find_tag(n);
		ids += attr(n, "id").len > 0;
		labels += dom_is(n, "LABEL");
	}
	a->ids = prog_alloc(ids, sizeof *a->ids);
	a->labels = prog_alloc(labels, sizeof *a->labels);
	for (size_t i = 0; i < t->count; i++) {
		node *n = t->nodes[i];
		if (n->name.at == NULL)
			continue;
		if (attr(n, "id").len > 0)
			a->ids[a->id_count++] =
			    (struct pair){css_scope(a->css, n), n, attr(n, "id")};
		if (!is_shadow_root(n))
			compute_shown(a, n);
	}
	qsort(a->ids, a->id_count, sizeof *a->ids, by_id);
	for (size_t i = 0; i < t->count; i++) {
		node *n = t->nodes[i];
		if (!dom_is(n, "LABEL"))
			continue;
		node *control = control_of(a, n);
		if (control)
			a->labels[a->label_count++] = (struct pair){control, n, {0}};
	}
	qsort(a->labels, a->label_count, sizeof *a->labels, by_control);
}

static node *
body_of(const struct dom_tree *t)
{
	for (node *c = t->root->first; c; c = c->next)
		if (dom_is(c, "BODY") || dom_is(c, "FRAMESET"))
			return c;
	return t->root;
}

static bool
snapshot(const struct dom *d, const char *frame, int *frames_left, struct buf *yaml)
{
	struct aria a = {.dom = d, .steps = STEPS, .name_room = NAMES, .frames_left = *frames_left};
	struct item root = {0};

	a.tree = dom_tree(d, frame);
	if (a.tree == NULL)
		return false;
	a.css = css_new(a.tree);
	learn(&a);
	/* An iframe that is not displayed has a page without size, in which nothing is shown. */
	const struct dom_frame *f = a.tree->frame;
	if (f->main || f->width > 0 || f->height > 0)
		visit(&a, &root, body_of(a.tree), 0);
	tidy(&a, &root);
	for (const struct item *i = root.first; i; i = i->next)
		render(i, 0, yaml);
	*frames_left = a.frames_left;
	free(a.facts);
	free(a.ids);
	free(a.labels);
	css_free(a.css);
	dom_tree_free(a.tree);
	return true;
}

/* An iframe's src is "/snapshot/" and the id of the frame. */
static void
stitch(struct aria *a, struct item *iframe, node *n)
{
	static const char prefix[] = "/snapshot/";
	struct span src = attr(n, "src");
	size_t len = sizeof prefix - 1;
	struct buf lines = {0};

	if (src.len <= len || memcmp(src.at, prefix, len) != 0)
		return;
	char *id = prog_copy(src.at + len, src.len - len);
	a->frames_left--;
	if (snapshot(a->dom, id, &a->frames_left, &lines) && lines.len > 0) {
		char *copy = dom_alloc(a->tree, lines.len);
		memcpy(copy, lines.data, lines.len);
		iframe->below = (struct span){copy, lines.len};
	}
	free(id);
	buf_free(&lines);
}

bool
aria_snapshot(const struct dom *d, const char *frame, struct buf *yaml)
{
	int none = 0;

	return snapshot(d, frame, &none, yaml);
}

bool
aria_stitched(const struct dom *d, const char *frame, struct buf *yaml)
{
	int frames = FRAMES;

	return snapshot(d, frame, &frames, yaml);
}
