#include "jsonpath.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "jsonpath-parts.h"
#include "jvx.h"
#include "prog.h"
#include "utf8.h"

/* Looks at a node or a value that one answer may take: about half a second. */
enum { WORK = 4000000, A_MATCH = 200, CHUNK = 64 };

struct node {
	jv value;
	const struct node *parent; /* NULL: the root */
	jv name;                   /* of a member; invalid: an item */
	int index;
};

struct chunk {
	struct chunk *next;
	size_t count;
	struct node nodes[CHUNK];
};

struct walk {
	jv root;
	long left; /* of the work */
	struct chunk *chunks;
};

struct list {
	struct node **at;
	size_t count, room;
};

static bool test(struct walk *w, const struct expr *e, jv current);
static void ask(struct walk *w, const struct query *q, jv current, struct list *found);

/* False when the work was too much: from then on every answer is short and wrong. */
static bool
spend(struct walk *w, long work)
{
	w->left -= work;
	return w->left >= 0;
}

static struct node *
node_new(struct walk *w, jv value)
{
	struct chunk *c = w->chunks;

	if (c == NULL || c->count == CHUNK) {
		c = prog_alloc(1, sizeof *c);
		c->next = w->chunks;
		w->chunks = c;
	}
	struct node *n = &c->nodes[c->count++];
	n->value = value;
	n->name = jv_invalid();
	return n;
}

static void
list_add(struct list *l, struct node *n)
{
	if (l->count == l->room) {
		l->room = l->room ? l->room * 2 : 8;
		l->at = prog_resize(l->at, l->room, sizeof *l->at);
	}
	l->at[l->count++] = n;
}

static void
add_item(struct walk *w, const struct node *of, int i, struct list *found)
{
	struct node *n = node_new(w, jv_array_get(jv_copy(of->value), i));

	n->parent = of;
	n->index = i;
	list_add(found, n);
}

static void
add_member(struct walk *w, const struct node *of, jv name, struct list *found)
{
	struct node *n = node_new(w, jv_object_get(jv_copy(of->value), jv_copy(name)));

	n->parent = of;
	n->name = name;
	list_add(found, n);
}

static void
add_children(struct walk *w, const struct node *of, struct list *found)
{
	if (jv_get_kind(of->value) == JV_KIND_ARRAY) {
		int count = jv_array_length(jv_copy(of->value));
		for (int i = 0; i < count && spend(w, 1); i++)
			add_item(w, of, i, found);
	} else if (jv_get_kind(of->value) == JV_KIND_OBJECT) {
		jv names = jv_keys(jv_copy(of->value)); /* sorted */
		int count = jv_array_length(jv_copy(names));
		for (int i = 0; i < count && spend(w, 2); i++)
			add_member(w, of, jv_array_get(jv_copy(names), i), found);
		jv_free(names);
	}
}

/* Selectors, by the names that section 2.3 of RFC 9535 has for them. */

static jv
item_at(jv array, double index)
{
	double length = jv_get_kind(array) == JV_KIND_ARRAY ? jv_array_length(jv_copy(array)) : 0;
	double i = index < 0 ? length + index : index;

	return i >= 0 && i < length ? jv_array_get(jv_copy(array), (int)i) : jv_invalid();
}

static jv
member_named(jv object, jv name)
{
	if (jv_get_kind(object) != JV_KIND_OBJECT)
		return jv_invalid();
	return jv_object_get(jv_copy(object), jv_copy(name));
}

static double
bounded(double n, double lo, double hi)
{
	return n < lo ? lo : n > hi ? hi : n;
}

static void
select_slice(struct walk *w, const struct selector *s, const struct node *of, struct list *found)
{
	double step = isnan(s->step) ? 1 : s->step;

	if (jv_get_kind(of->value) != JV_KIND_ARRAY || step == 0)
		return;
	double len = jv_array_length(jv_copy(of->value));
	double from = isnan(s->from) ? (step > 0 ? 0 : len - 1)
		      : s->from < 0  ? len + s->from
				     : s->from;
	double to = isnan(s->to) ? (step > 0 ? len : -1) : s->to < 0 ? len + s->to : s->to;
	if (step > 0) {
		to = bounded(to, 0, len);
		for (double i = bounded(from, 0, len); i < to && spend(w, 1); i += step)
			add_item(w, of, (int)i, found);
	} else {
		to = bounded(to, -1, len - 1);
		for (double i = bounded(from, -1, len - 1); i > to && spend(w, 1); i += step)
			add_item(w, of, (int)i, found);
	}
}

static void
select_filter(struct walk *w, const struct selector *s, const struct node *of, struct list *found)
{
	struct list children = {0};

	add_children(w, of, &children);
	for (size_t i = 0; i < children.count && spend(w, 1); i++)
		if (test(w, s->filter, children.at[i]->value))
			list_add(found, children.at[i]);
	free(children.at);
}

static void
select_one(struct walk *w, const struct selector *s, const struct node *of, struct list *found)
{
	jv value;

	switch (s->kind) {
	case SELECT_ALL: add_children(w, of, found); break;
	case SELECT_SLICE: select_slice(w, s, of, found); break;
	case SELECT_FILTER: select_filter(w, s, of, found); break;
	case SELECT_INDEX:
		value = item_at(of->value, s->index);
		if (jv_is_valid(value))
			add_item(w, of,
			    (int)(s->index < 0 ? jv_array_length(jv_copy(of->value)) + s->index
					       : s->index),
			    found);
		jv_free(value);
		break;
	case SELECT_NAME:
		value = member_named(of->value, s->name);
		if (jv_is_valid(value))
			add_member(w, of, jv_copy(s->name), found);
		jv_free(value);
		break;
	}
}

/* Of a node, or with descendants of all below it too: a node before those in it. */
static void
select_all(struct walk *w, const struct segment *g, const struct node *of, struct list *found)
{
	struct list children = {0};

	for (const struct selector *s = g->selectors; s != NULL && spend(w, 1); s = s->next)
		select_one(w, s, of, found);
	if (!g->descendants)
		return;
	add_children(w, of, &children);
	for (size_t i = 0; i < children.count && spend(w, 1); i++)
		select_all(w, g, children.at[i], found);
	free(children.at);
}

static void
ask(struct walk *w, const struct query *q, jv current, struct list *found)
{
	list_add(found, node_new(w, jv_copy(q->relative ? current : w->root)));
	for (const struct segment *g = q->segments; g != NULL; g = g->next) {
		struct list next = {0};
		for (size_t i = 0; i < found->count && spend(w, 1); i++)
			select_all(w, g, found->at[i], &next);
		free(found->at);
		*found = next;
	}
}

/* The value of a singular query; invalid: Nothing. */
static jv
ask_one(struct walk *w, const struct query *q, jv current)
{
	jv value = jv_copy(q->relative ? current : w->root), next;

	for (const struct segment *g = q->segments; g != NULL && spend(w, 1); g = g->next) {
		const struct selector *s = g->selectors;
		next = s->kind == SELECT_NAME ? member_named(value, s->name)
					      : item_at(value, s->index);
		jv_free(value);
		value = next;
	}
	return value;
}

/* Comparisons: section 2.3.5.2.2. */

static int
compare_texts(jv a, jv b)
{
	size_t an = jvx_length(a), bn = jvx_length(b), n = an < bn ? an : bn;
	int order = memcmp(jv_string_value(a), jv_string_value(b), n);

	return order != 0 ? order : (an > bn) - (an < bn);
}

static bool equal(struct walk *w, jv a, jv b);

static bool
equal_items(struct walk *w, jv a, jv b)
{
	int count = jv_array_length(jv_copy(a));
	bool same = count == jv_array_length(jv_copy(b));

	for (int i = 0; same && i < count; i++) {
		jv x = jv_array_get(jv_copy(a), i), y = jv_array_get(jv_copy(b), i);
		same = equal(w, x, y);
		jv_free(x);
		jv_free(y);
	}
	return same;
}

static bool
equal_members(struct walk *w, jv a, jv b)
{
	bool same = jv_object_length(jv_copy(a)) == jv_object_length(jv_copy(b));

	for (int i = jv_object_iter(a); same && jv_object_iter_valid(a, i);
	     i = jv_object_iter_next(a, i)) {
		jv x = jv_object_iter_value(a, i),
		   y = jv_object_get(jv_copy(b), jv_object_iter_key(a, i));
		same = jv_is_valid(y) && equal(w, x, y);
		jv_free(x);
		jv_free(y);
	}
	return same;
}

static bool
equal(struct walk *w, jv a, jv b)
{
	jv_kind kind = jv_get_kind(a);

	if (kind != jv_get_kind(b) || !spend(w, 1))
		return false;
	switch (kind) {
	case JV_KIND_NUMBER: return jv_number_value(a) == jv_number_value(b);
	case JV_KIND_STRING: spend(w, (long)(jvx_length(a) / 256)); return compare_texts(a, b) == 0;
	case JV_KIND_ARRAY: return equal_items(w, a, b);
	case JV_KIND_OBJECT: return equal_members(w, a, b);
	default: return true; /* null, true, false, and Nothing */
	}
}

static bool
less(jv a, jv b)
{
	if (jv_get_kind(a) != jv_get_kind(b))
		return false;
	if (jv_get_kind(a) == JV_KIND_NUMBER)
		return jv_number_value(a) < jv_number_value(b);
	return jv_get_kind(a) == JV_KIND_STRING && compare_texts(a, b) < 0;
}

static bool
compare(struct walk *w, enum compare how, jv a, jv b)
{
	switch (how) {
	case EQUAL: return equal(w, a, b);
	case UNEQUAL: return !equal(w, a, b);
	case LESS: return less(a, b);
	case GREATER: return less(b, a);
	case LESS_EQUAL: return less(a, b) || equal(w, a, b);
	default: return less(b, a) || equal(w, a, b);
	}
}

/* Functions: section 2.4. */

static jv
length_of(jv value)
{
	switch (jv_get_kind(value)) {
	case JV_KIND_STRING:
		return jv_number((double)utf8_count(jv_string_value(value), jvx_length(value)));
	case JV_KIND_ARRAY: return jv_number(jv_array_length(jv_copy(value)));
	case JV_KIND_OBJECT: return jv_number(jv_object_length(jv_copy(value)));
	default: return jv_invalid();
	}
}

static jv value_of(struct walk *w, const struct expr *e, jv current);

static jv
call(struct walk *w, const struct expr *f, jv current)
{
	struct list nodes = {0};
	jv argument, made;

	if (f->function == LENGTH) {
		argument = value_of(w, f->left, current);
		made = length_of(argument);
		jv_free(argument);
		return made;
	}
	ask(w, f->left->query, current, &nodes);
	if (f->function == COUNT)
		made = jv_number((double)nodes.count);
	else
		made = nodes.count == 1 ? jv_copy(nodes.at[0]->value) : jv_invalid();
	free(nodes.at);
	return made;
}

static jv
value_of(struct walk *w, const struct expr *e, jv current)
{
	switch (e->kind) {
	case LITERAL: return jv_copy(e->literal);
	case QUERY: return ask_one(w, e->query, current);
	default: return call(w, e, current);
	}
}

static bool
matches(struct walk *w, const struct expr *f, jv current)
{
	jv text = value_of(w, f->left, current), pattern = value_of(w, f->right, current);
	bool found = false;

	if (jv_get_kind(text) == JV_KIND_STRING && jv_get_kind(pattern) == JV_KIND_STRING &&
	    spend(w, A_MATCH + (long)(jvx_length(text) / 256))) {
		bool written = f->right->kind == LITERAL;
		struct re *re = written ? f->pattern
					: jsonpath_pattern(jv_string_value(pattern),
					      jvx_length(pattern), f->function == MATCH);
		enum re_answer answer =
		    re ? re_find(re, jv_string_value(text), jvx_length(text), 0, NULL) : RE_NO;
		found = answer == RE_YES;
		if (answer == RE_LIMIT)
			w->left = -1;
		if (!written)
			re_free(re);
	}
	jv_free(text);
	jv_free(pattern);
	return found;
}

static bool
exists(struct walk *w, const struct query *q, jv current)
{
	struct list found = {0};

	ask(w, q, current, &found);
	free(found.at);
	return found.count > 0;
}

static bool
test(struct walk *w, const struct expr *e, jv current)
{
	bool holds;
	jv a, b;

	for (; e->kind == AND || e->kind == OR; e = e->right)
		if (!spend(w, 1) || test(w, e->left, current) == (e->kind == OR))
			return e->kind == OR;
	if (!spend(w, 1))
		return false;
	switch (e->kind) {
	case NOT: return !test(w, e->left, current);
	case QUERY: return exists(w, e->query, current);
	case FUNCTION: return matches(w, e, current);
	default:
		a = value_of(w, e->left, current);
		b = value_of(w, e->right, current);
		holds = compare(w, e->compare, a, b);
		jv_free(a);
		jv_free(b);
		return holds;
	}
}

/* Normalized paths: section 2.7. */

static void
write_name(struct buf *b, jv name)
{
	static const char letters[] = "bfnrt", bytes[] = "\b\f\n\r\t";
	const char *text = jv_string_value(name);

	buf_text(b, "['");
	for (size_t i = 0, len = jvx_length(name); i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		const char *letter = c != 0 ? strchr(bytes, c) : NULL;
		if (letter != NULL)
			buf_format(b, "\\%c", letters[letter - bytes]);
		else if (c == '\'' || c == '\\')
			buf_format(b, "\\%c", c);
		else if (c < 0x20)
			buf_format(b, "\\u%04x", c);
		else
			buf_byte(b, c);
	}
	buf_text(b, "']");
}

/* Depth is the document's, which scan bounds. */
static void
write_path(struct buf *b, const struct node *n)
{
	if (n->parent == NULL) {
		buf_byte(b, '$');
		return;
	}
	write_path(b, n->parent);
	if (jv_is_valid(n->name))
		write_name(b, n->name);
	else
		buf_format(b, "[%d]", n->index);
}

static jv
path_of(const struct node *n)
{
	struct buf b = {0};

	write_path(&b, n);
	jv made = jv_string_sized(b.data, (int)b.len);
	buf_free(&b);
	return made;
}

static void
walk_free(struct walk *w)
{
	while (w->chunks != NULL) {
		struct chunk *c = w->chunks;
		for (size_t i = 0; i < c->count; i++) {
			jv_free(c->nodes[i].value);
			jv_free(c->nodes[i].name);
		}
		w->chunks = c->next;
		free(c);
	}
}

jv
jsonpath_find(struct jsonpath *p, jv root, jv *paths)
{
	struct walk w = {.root = root, .left = WORK};
	struct list found = {0};
	jv values = jv_array(), names = jv_array();

	ask(&w, p->query, root, &found);
	for (size_t i = 0; i < found.count && w.left >= 0; i++) {
		values = jv_array_append(values, jv_copy(found.at[i]->value));
		if (paths != NULL && spend(&w, 10))
			names = jv_array_append(names, path_of(found.at[i]));
	}
	free(found.at);
	walk_free(&w);
	if (paths != NULL)
		*paths = names;
	else
		jv_free(names);
	if (w.left >= 0)
		return values;
	jv_free(values);
	return jv_invalid();
}

bool
jsonpath_singular(const struct jsonpath *p)
{
	return p->query->singular;
}

/*
 * RFC 9485 is a subset of what PCRE2 takes, but for the dot, which is not "any but \n" there.  What
 * is in PCRE2 alone and can call, look around or look back is refused.
 */
struct re *
jsonpath_pattern(const char *text, size_t len, bool whole)
{
	struct buf b = {0};
	bool in_class = false, good = true;

	buf_text(&b, whole ? "\\A(?:" : "(?:");
	for (size_t i = 0; i < len && good; i++) {
		char c = text[i], next = i + 1 < len ? text[i + 1] : '\0';
		if (c == '\\') {
			good = next != '\0' && strchr("()*+-./?[\\]^nrt{|}pPdDsSwW$", next) != NULL;
			buf_byte(&b, c);
			buf_byte(&b, next);
			i++;
		} else if (c == '.' && !in_class) {
			buf_text(&b, "[^\\n\\r]");
		} else {
			good = !(c == '(' && !in_class && (next == '?' || next == '*')) &&
			       !(c == '[' && in_class);
			in_class = c == '[' || (in_class && c != ']');
			buf_byte(&b, c);
		}
	}
	buf_text(&b, whole ? ")\\z" : ")");
	struct re *re = good ? re_new(b.data, b.len, 0, NULL, 0) : NULL;
	buf_free(&b);
	return re;
}

void
jsonpath_free(struct jsonpath *p)
{
	if (p == NULL)
		return;
	for (size_t i = 0; i < p->count; i++)
		free(p->parts[i]);
	for (size_t i = 0; i < p->pattern_count; i++)
		re_free(p->patterns[i]);
	free(p->parts);
	free(p->patterns);
	jv_free(p->texts);
	free(p);
}
