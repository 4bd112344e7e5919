#include "schema.h"

#include <err.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "jvx.h"
#include "prog.h"
#include "re.h"
#include "schema-meta.h"
#include "uri.h"

/*
 * A document is one JSON text; a resource is a document, or a part of one with an $id of its own; a
 * node is one (sub)schema, compiled when something first leads to it.  A place in a document is a
 * JSON Pointer (RFC 6901), and a node's home is the innermost resource whose pointer leads to it.
 */
struct document {
	jv root;
};

struct resource {
	size_t document;
	char *pointer, *uri; /* uri without fragment */
	enum schema_draft draft;
	bool validation; /* false: a metaschema left the validation vocabulary out */
};

struct anchor {
	size_t home; /* resource */
	char *name, *pointer;
	bool dynamic;
	struct node *node; /* dynamic ones only, once compiled */
};

struct node {
	jv value;
	size_t home;
	char *where; /* URI with fragment */
	struct keyword *keywords;
	size_t count;
};

struct keyword {
	const struct rule *rule;
	jv value;
	struct node **nodes;
	jv *names;       /* of the nodes, where they have some */
	struct re **res; /* of the nodes or of the value, where those are patterns */
	size_t count;
	char *dynamic; /* $dynamicRef: the anchor to look for in the dynamic scope */
	const struct node *owner;
};

struct schema {
	struct schema_options options;
	struct document *documents;
	struct resource *resources;
	struct anchor *anchors;
	struct node **nodes;
	size_t document_count, resource_count, anchor_count, node_count;
	jv places; /* "document pointer" to an index in nodes */
	struct node *root;
	bool collect; /* some keyword asks what was evaluated */
	char *why;    /* of a failure; size bytes */
	size_t size;
	bool failed;
};

/* What the keywords of a node have looked at: for unevaluatedItems and unevaluatedProperties. */
struct seen {
	jv names;             /* object: a member each */
	unsigned char *items; /* one each */
	size_t count;
};

struct scope {
	size_t home;
	const struct scope *outer;
};

struct fault {
	char *instance, *schema, *message;
	const char *keyword;
};

struct run {
	const struct schema *s;
	struct fault *faults;
	size_t count, most;
	struct buf at; /* JSON Pointer of the instance */
	const struct scope *scope;
	size_t depth;
};

/* Two frames each; what is nested deeper is refused, not followed. */
enum { RUN_DEPTH = 1500, INDEX_DEPTH = 512 };

typedef bool check_fn(struct run *r, const struct keyword *k, jv x, struct seen *seen);

enum shape { PLAIN, ONE, LIST, MAP, PATTERNS, ONE_OR_LIST, DEPENDENCIES, REFERENCE, REGEX };
enum { D7 = 1, D2020 = 2, BOTH = 3 };

struct rule {
	const char *name;
	enum shape shape;
	int drafts;
	bool validation; /* of the validation vocabulary */
	check_fn *check; /* NULL: holds schemas, asserts nothing */
};

static struct node *node_at(struct schema *s, size_t document, const char *pointer);
static size_t home_of(const struct schema *s, size_t document, const char *pointer);
static bool check(struct run *r, const struct node *n, jv x, struct seen *seen);

/* Faults. */

static void
fail(struct schema *s, const char *format, ...)
{
	va_list ap;

	if (s->failed)
		return;
	s->failed = true;
	if (s->size == 0)
		return;
	va_start(ap, format);
	vsnprintf(s->why, s->size, format, ap);
	va_end(ap);
}

__attribute__((format(printf, 3, 4))) static bool
complain(struct run *r, const struct keyword *k, const char *format, ...)
{
	struct buf message = {0};
	char text[256];
	va_list ap;

	if (r->count >= r->most)
		return false;
	va_start(ap, format);
	vsnprintf(text, sizeof text, format, ap);
	va_end(ap);
	buf_text(&message, text);
	r->faults = prog_resize(r->faults, r->count + 1, sizeof *r->faults);
	struct buf where = {0};
	buf_format(&where, "%s/%s", k->owner->where, k->rule->name);
	r->faults[r->count++] = (struct fault){prog_copy(r->at.data ? r->at.data : "", r->at.len),
	    where.data, message.data, k->rule->name};
	return false;
}

static void
forget(struct run *r, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		free(r->faults[i].instance);
		free(r->faults[i].schema);
		free(r->faults[i].message);
	}
	if (to > from)
		memmove(r->faults + from, r->faults + to, (r->count - to) * sizeof *r->faults);
	r->count -= to - from;
}

static void
add_token(struct buf *pointer, const char *token, size_t len)
{
	buf_byte(pointer, '/');
	for (size_t i = 0; i < len; i++) {
		if (token[i] == '~')
			buf_text(pointer, "~0");
		else if (token[i] == '/')
			buf_text(pointer, "~1");
		else
			buf_byte(pointer, token[i]);
	}
}

static size_t
string_len(jv s)
{
	return (size_t)jv_string_length_bytes(jv_copy(s));
}

/* Check a member or an item of the instance; x is consumed. */
static bool
check_inside(struct run *r, const struct node *n, jv x, const char *token, size_t len)
{
	size_t before = r->at.len;

	add_token(&r->at, token, len);
	bool good = check(r, n, x, NULL);
	r->at.len = before;
	r->at.data[before] = '\0';
	jv_free(x);
	return good;
}

static bool
check_item(struct run *r, const struct node *n, jv array, int i)
{
	char index[16];

	snprintf(index, sizeof index, "%d", i);
	return check_inside(r, n, jv_array_get(jv_copy(array), i), index, strlen(index));
}

static bool
check_named(struct run *r, const struct node *n, jv obj, jv name)
{
	return check_inside(r, n, jv_object_get(jv_copy(obj), jv_copy(name)), jv_string_value(name),
	    string_len(name));
}

/* What was seen. */

static void
saw_name(struct seen *seen, jv name)
{
	if (seen == NULL)
		return;
	if (jv_get_kind(seen->names) != JV_KIND_OBJECT)
		seen->names = jv_object();
	seen->names = jv_object_set(seen->names, jv_copy(name), jv_true());
}

static bool
has_seen_name(const struct seen *seen, jv name)
{
	return jv_get_kind(seen->names) == JV_KIND_OBJECT &&
	       jv_object_has(jv_copy(seen->names), jv_copy(name));
}

static void
saw_item(struct seen *seen, size_t i)
{
	if (seen == NULL)
		return;
	if (i >= seen->count) {
		seen->items = prog_resize(seen->items, i + 1, 1);
		memset(seen->items + seen->count, 0, i + 1 - seen->count);
		seen->count = i + 1;
	}
	seen->items[i] = 1;
}

static void
seen_merge(struct seen *into, const struct seen *from)
{
	if (into == NULL)
		return;
	if (jv_get_kind(from->names) == JV_KIND_OBJECT) {
		jv_object_foreach (from->names, name, yes) {
			saw_name(into, name);
			jv_free(name);
			jv_free(yes);
		}
	}
	for (size_t i = 0; i < from->count; i++)
		if (from->items[i])
			saw_item(into, i);
}

/* Assertions on any type. */

static const char *
kind_name(jv x)
{
	switch (jv_get_kind(x)) {
	case JV_KIND_NULL: return "null";
	case JV_KIND_TRUE:
	case JV_KIND_FALSE: return "boolean";
	case JV_KIND_NUMBER: return "number";
	case JV_KIND_STRING: return "string";
	case JV_KIND_ARRAY: return "array";
	default: return "object";
	}
}

static bool
is_whole(jv x)
{
	return jv_get_kind(x) == JV_KIND_NUMBER && floor(jv_number_value(x)) == jv_number_value(x);
}

static bool
is_type(jv x, const char *type)
{
	return strcmp(type, kind_name(x)) == 0 || (strcmp(type, "integer") == 0 && is_whole(x));
}

static bool
check_type(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	(void)seen;
	if (jv_get_kind(k->value) == JV_KIND_STRING) {
		const char *want = jv_string_value(k->value);
		return is_type(x, want) || complain(r, k, "got %s, want %s", kind_name(x), want);
	}
	bool good = false;
	struct buf wants = {0};
	jv_array_foreach (k->value, i, want) {
		good = good || is_type(x, jv_string_value(want));
		buf_format(&wants, "%s%s", i > 0 ? " or " : "", jv_string_value(want));
		jv_free(want);
	}
	if (!good)
		complain(r, k, "got %s, want %s", kind_name(x), wants.data);
	buf_free(&wants);
	return good;
}

static bool
check_enum(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	bool good = false;
	struct buf wants = {0};

	(void)seen;
	jv_array_foreach (k->value, i, want) {
		good = good || jv_equal(jv_copy(want), jv_copy(x));
		if (i > 0)
			buf_text(&wants, ", ");
		if (wants.len < 200)
			jvx_write(want, &wants);
		jv_free(want);
	}
	if (!good)
		complain(r, k, "want one of %s", wants.data ? wants.data : "nothing");
	buf_free(&wants);
	return good;
}

static bool
check_const(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	struct buf want = {0};

	(void)seen;
	if (jv_equal(jv_copy(k->value), jv_copy(x)))
		return true;
	jvx_write(k->value, &want);
	complain(r, k, "want %s", want.data);
	buf_free(&want);
	return false;
}

/* Numbers. */

static bool
check_number(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	const char *name = k->rule->name;

	(void)seen;
	if (jv_get_kind(x) != JV_KIND_NUMBER)
		return true;
	double n = jv_number_value(x), limit = jv_number_value(k->value);
	if (strcmp(name, "minimum") == 0)
		return n >= limit || complain(r, k, "less than %.17g", limit);
	if (strcmp(name, "maximum") == 0)
		return n <= limit || complain(r, k, "more than %.17g", limit);
	if (strcmp(name, "exclusiveMinimum") == 0)
		return n > limit || complain(r, k, "not more than %.17g", limit);
	return n < limit || complain(r, k, "not less than %.17g", limit);
}

/* Decimal fractions have no exact double: 0.0075 is 75 times 0.0001 within their rounding. */
static bool
check_multiple(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	(void)seen;
	if (jv_get_kind(x) != JV_KIND_NUMBER)
		return true;
	double n = jv_number_value(x), step = jv_number_value(k->value);
	double times = n / step;
	bool good = fmod(n, step) == 0 ||
		    (isfinite(times) &&
			fabs(times - round(times)) <= 4 * 2.220446049250313e-16 * fabs(times));
	return good || complain(r, k, "not a multiple of %.17g", step);
}

/* Strings. */

static bool
check_length(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	(void)seen;
	if (jv_get_kind(x) != JV_KIND_STRING)
		return true;
	double len = jv_string_length_codepoints(jv_copy(x)), limit = jv_number_value(k->value);
	if (strcmp(k->rule->name, "minLength") == 0)
		return len >= limit ||
		       complain(r, k, "%.0f characters, want at least %.0f", len, limit);
	return len <= limit || complain(r, k, "%.0f characters, want at most %.0f", len, limit);
}

/* A match that ran into its limits is no match: the instance cannot be called valid. */
static bool
matches(struct re *re, jv string)
{
	return re_find(re, jv_string_value(string), string_len(string), 0, NULL) == RE_YES;
}

static bool
check_pattern(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	(void)seen;
	if (jv_get_kind(x) != JV_KIND_STRING || matches(k->res[0], x))
		return true;
	return complain(r, k, "does not match %s", jv_string_value(k->value));
}

static bool
check_format(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	(void)seen;
	if (!r->s->options.formats || jv_get_kind(x) != JV_KIND_STRING)
		return true;
	const char *format = jv_string_value(k->value);
	if (format_check(format, jv_string_value(x), string_len(x)) != FORMAT_BAD)
		return true;
	return complain(r, k, "no %s", format);
}

/* Arrays. */

static bool
check_count(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	const char *name = k->rule->name;
	bool items = strstr(name, "Items") != NULL;
	double have, limit = jv_number_value(k->value);

	(void)seen;
	if (jv_get_kind(x) != (items ? JV_KIND_ARRAY : JV_KIND_OBJECT))
		return true;
	have = items ? jv_array_length(jv_copy(x)) : jv_object_length(jv_copy(x));
	if (strncmp(name, "min", 3) == 0)
		return have >= limit || complain(r, k, "%.0f, want at least %.0f", have, limit);
	return have <= limit || complain(r, k, "%.0f, want at most %.0f", have, limit);
}

static int
by_value(const void *a, const void *b)
{
	return jv_cmp(jv_copy(*(const jv *)a), jv_copy(*(const jv *)b));
}

/* Equal neighbours after sorting; jv_cmp is a total order in which equal is JSON's equal. */
static bool
check_unique(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	(void)seen;
	if (jv_get_kind(x) != JV_KIND_ARRAY || jv_get_kind(k->value) != JV_KIND_TRUE)
		return true;
	size_t count = (size_t)jv_array_length(jv_copy(x));
	jv *items = prog_alloc(count, sizeof *items);
	for (size_t i = 0; i < count; i++)
		items[i] = jv_array_get(jv_copy(x), (int)i);
	qsort(items, count, sizeof *items, by_value);
	bool good = true;
	for (size_t i = 0; i < count; i++) {
		good = good && (i == 0 || !jv_equal(jv_copy(items[i - 1]), jv_copy(items[i])));
	}
	for (size_t i = 0; i < count; i++)
		jv_free(items[i]);
	free(items);
	return good || complain(r, k, "two equal items");
}

static const struct keyword *
sibling(const struct keyword *k, const char *name)
{
	for (size_t i = 0; i < k->owner->count; i++)
		if (strcmp(k->owner->keywords[i].rule->name, name) == 0)
			return &k->owner->keywords[i];
	return NULL;
}

/* prefixItems, and "items" as a list in draft 7: a schema for each of the first. */
static bool
check_prefix(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	bool good = true;

	for (size_t i = 0; i < k->count && i < (size_t)jv_array_length(jv_copy(x)); i++) {
		good = check_item(r, k->nodes[i], x, (int)i) && good;
		saw_item(seen, i);
	}
	return good;
}

/* Every item from one place on; those without a schema of their own. */
static bool
check_rest(struct run *r, const struct keyword *k, jv x, size_t from, struct seen *seen)
{
	bool good = true;

	for (size_t i = from; i < (size_t)jv_array_length(jv_copy(x)); i++) {
		good = check_item(r, k->nodes[0], x, (int)i) && good;
		saw_item(seen, i);
	}
	return good;
}

static bool
check_items(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	if (jv_get_kind(x) != JV_KIND_ARRAY)
		return true;
	bool list = jv_get_kind(k->value) == JV_KIND_ARRAY;
	if (list || strcmp(k->rule->name, "prefixItems") == 0)
		return check_prefix(r, k, x, seen);
	const struct keyword *prefix = sibling(k, "prefixItems");
	return check_rest(r, k, x, prefix ? prefix->count : 0, seen);
}

static bool
check_additional_items(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	const struct keyword *items = sibling(k, "items");

	if (jv_get_kind(x) != JV_KIND_ARRAY || items == NULL ||
	    jv_get_kind(items->value) != JV_KIND_ARRAY)
		return true;
	return check_rest(r, k, x, items->count, seen);
}

static bool
check_contains(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	const struct keyword *min = sibling(k, "minContains"), *max = sibling(k, "maxContains");
	double least = min ? jv_number_value(min->value) : 1, found = 0;
	size_t mark = r->count;

	if (jv_get_kind(x) != JV_KIND_ARRAY)
		return true;
	for (int i = 0; i < jv_array_length(jv_copy(x)); i++) {
		if (!check_item(r, k->nodes[0], x, i))
			continue;
		found++;
		saw_item(seen, (size_t)i);
	}
	forget(r, mark, r->count);
	if (found < least)
		return complain(r, k, "%.0f items that fit, want at least %.0f", found, least);
	if (max != NULL && found > jv_number_value(max->value))
		return complain(r, k, "%.0f items that fit, want at most %.0f", found,
		    jv_number_value(max->value));
	return true;
}

static bool
check_unevaluated_items(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	bool good = true;

	if (jv_get_kind(x) != JV_KIND_ARRAY)
		return true;
	for (size_t i = 0; i < (size_t)jv_array_length(jv_copy(x)); i++) {
		if (i < seen->count && seen->items[i])
			continue;
		good = check_item(r, k->nodes[0], x, (int)i) && good;
		saw_item(seen, i);
	}
	return good;
}

/* Objects. */

static bool
check_required(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	bool good = true;

	(void)seen;
	if (jv_get_kind(x) != JV_KIND_OBJECT)
		return true;
	jv_array_foreach (k->value, i, name) {
		if (!jv_object_has(jv_copy(x), jv_copy(name)))
			good = complain(r, k, "\"%s\" is missing", jv_string_value(name));
		jv_free(name);
	}
	return good;
}

static bool
check_properties(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	bool good = true;

	if (jv_get_kind(x) != JV_KIND_OBJECT)
		return true;
	for (size_t i = 0; i < k->count; i++) {
		if (!jv_object_has(jv_copy(x), jv_copy(k->names[i])))
			continue;
		good = check_named(r, k->nodes[i], x, k->names[i]) && good;
		saw_name(seen, k->names[i]);
	}
	return good;
}

static bool
check_pattern_properties(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	bool good = true;

	if (jv_get_kind(x) != JV_KIND_OBJECT)
		return true;
	jv_object_foreach (x, name, member) {
		jv_free(member);
		for (size_t i = 0; i < k->count; i++) {
			if (!matches(k->res[i], name))
				continue;
			good = check_named(r, k->nodes[i], x, name) && good;
			saw_name(seen, name);
		}
		jv_free(name);
	}
	return good;
}

static bool
is_listed(const struct keyword *properties, const struct keyword *patterns, jv name)
{
	if (properties != NULL && jv_object_has(jv_copy(properties->value), jv_copy(name)))
		return true;
	for (size_t i = 0; patterns != NULL && i < patterns->count; i++)
		if (matches(patterns->res[i], name))
			return true;
	return false;
}

static bool
check_additional(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	const struct keyword *properties = sibling(k, "properties");
	const struct keyword *patterns = sibling(k, "patternProperties");
	bool good = true;

	if (jv_get_kind(x) != JV_KIND_OBJECT)
		return true;
	jv_object_foreach (x, name, member) {
		jv_free(member);
		if (!is_listed(properties, patterns, name)) {
			good = check_named(r, k->nodes[0], x, name) && good;
			saw_name(seen, name);
		}
		jv_free(name);
	}
	return good;
}

static bool
check_unevaluated(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	bool good = true;

	if (jv_get_kind(x) != JV_KIND_OBJECT)
		return true;
	jv_object_foreach (x, name, member) {
		jv_free(member);
		if (!has_seen_name(seen, name)) {
			good = check_named(r, k->nodes[0], x, name) && good;
			saw_name(seen, name);
		}
		jv_free(name);
	}
	return good;
}

static bool
check_names(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	bool good = true;

	(void)seen;
	if (jv_get_kind(x) != JV_KIND_OBJECT)
		return true;
	jv_object_foreach (x, name, member) {
		jv_free(member);
		good = check_inside(r, k->nodes[0], jv_copy(name), jv_string_value(name),
			   string_len(name)) &&
		       good;
		jv_free(name);
	}
	return good;
}

/* dependentRequired, dependentSchemas and draft 7's dependencies: a list of names, or a schema. */
static bool
check_dependent(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	bool good = true;

	if (jv_get_kind(x) != JV_KIND_OBJECT)
		return true;
	for (size_t i = 0; i < k->count; i++) {
		if (!jv_object_has(jv_copy(x), jv_copy(k->names[i])))
			continue;
		if (k->nodes[i] != NULL) {
			good = check(r, k->nodes[i], x, seen) && good;
			continue;
		}
		jv needs = jv_object_get(jv_copy(k->value), jv_copy(k->names[i]));
		jv_array_foreach (needs, j, name) {
			if (!jv_object_has(jv_copy(x), jv_copy(name)))
				good = complain(r, k, "\"%s\" is missing beside \"%s\"",
				    jv_string_value(name), jv_string_value(k->names[i]));
			jv_free(name);
		}
		jv_free(needs);
	}
	return good;
}

/* Logic. */

static bool
check_all(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	bool good = true;

	for (size_t i = 0; i < k->count; i++)
		good = check(r, k->nodes[i], x, seen) && good;
	return good;
}

/* Of the faults of two branches [from, middle) and [middle, count) keep the deeper. */
static void
keep_deeper(struct run *r, size_t from, size_t middle)
{
	if (middle == from || r->count == middle)
		return;
	if (strlen(r->faults[middle].instance) > strlen(r->faults[from].instance))
		forget(r, from, middle);
	else
		forget(r, middle, r->count);
}

static bool
check_any(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	size_t mark = r->count, most = r->most;
	bool good = false;

	r->most = most + 1000; /* branches are tried, not reported: they need room */
	for (size_t i = 0; i < k->count && (!good || seen != NULL); i++) {
		size_t middle = r->count;
		good = check(r, k->nodes[i], x, seen) || good;
		keep_deeper(r, mark, middle);
	}
	r->most = most;
	if (good || r->count > most)
		forget(r, good ? mark : most, r->count);
	return good || complain(r, k, "fits none of %zu schemas", k->count);
}

static bool
check_one(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	size_t mark = r->count, most = r->most, fits = 0;

	r->most = most + 1000;
	for (size_t i = 0; i < k->count; i++) {
		size_t middle = r->count;
		fits += check(r, k->nodes[i], x, seen);
		keep_deeper(r, mark, middle);
	}
	r->most = most;
	if (fits > 0 || r->count > most)
		forget(r, fits > 0 ? mark : most, r->count);
	if (fits == 0)
		return complain(r, k, "fits none of %zu schemas", k->count);
	return fits == 1 || complain(r, k, "fits %zu schemas, want one", fits);
}

static bool
check_not(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	size_t mark = r->count;
	bool fits = check(r, k->nodes[0], x, NULL);

	(void)seen;
	forget(r, mark, r->count);
	return !fits || complain(r, k, "fits what it must not fit");
}

static bool
check_if(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	size_t mark = r->count;
	bool fits = check(r, k->nodes[0], x, seen);
	const struct keyword *branch = sibling(k, fits ? "then" : "else");

	forget(r, mark, r->count);
	return branch == NULL || check(r, branch->nodes[0], x, seen);
}

static bool
check_ref(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	return check(r, k->nodes[0], x, seen);
}

static const struct anchor *
find_anchor(const struct schema *s, size_t home, const char *name)
{
	for (size_t i = 0; i < s->anchor_count; i++)
		if (s->anchors[i].home == home && strcmp(s->anchors[i].name, name) == 0)
			return &s->anchors[i];
	return NULL;
}

/* 2020-12 core section 8.2.3.2: the outermost resource that declares the dynamic anchor decides. */
static bool
check_dynamic(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	const struct node *n = k->nodes[0];

	for (const struct scope *at = r->scope; k->dynamic != NULL && at != NULL; at = at->outer) {
		const struct anchor *a = find_anchor(r->s, at->home, k->dynamic);
		if (a != NULL && a->dynamic && a->node != NULL)
			n = a->node;
	}
	return check(r, n, x, seen);
}

/* In the order in which they are checked: what others rely on comes first. */
static const struct rule rules[] = {{"$ref", REFERENCE, BOTH, false, check_ref},
    {"$dynamicRef", REFERENCE, D2020, false, check_dynamic}, {"$defs", MAP, BOTH, false, NULL},
    {"definitions", MAP, BOTH, false, NULL}, {"type", PLAIN, BOTH, true, check_type},
    {"enum", PLAIN, BOTH, true, check_enum}, {"const", PLAIN, BOTH, true, check_const},
    {"minimum", PLAIN, BOTH, true, check_number}, {"maximum", PLAIN, BOTH, true, check_number},
    {"exclusiveMinimum", PLAIN, BOTH, true, check_number},
    {"exclusiveMaximum", PLAIN, BOTH, true, check_number},
    {"multipleOf", PLAIN, BOTH, true, check_multiple},
    {"minLength", PLAIN, BOTH, true, check_length}, {"maxLength", PLAIN, BOTH, true, check_length},
    {"pattern", REGEX, BOTH, true, check_pattern}, {"format", PLAIN, BOTH, false, check_format},
    {"minItems", PLAIN, BOTH, true, check_count}, {"maxItems", PLAIN, BOTH, true, check_count},
    {"uniqueItems", PLAIN, BOTH, true, check_unique},
    {"prefixItems", LIST, D2020, false, check_items},
    {"items", ONE_OR_LIST, D7, false, check_items}, {"items", ONE, D2020, false, check_items},
    {"additionalItems", ONE, D7, false, check_additional_items},
    {"contains", ONE, BOTH, false, check_contains}, {"minContains", PLAIN, D2020, true, NULL},
    {"maxContains", PLAIN, D2020, true, NULL}, {"minProperties", PLAIN, BOTH, true, check_count},
    {"maxProperties", PLAIN, BOTH, true, check_count},
    {"required", PLAIN, BOTH, true, check_required},
    {"properties", MAP, BOTH, false, check_properties},
    {"patternProperties", PATTERNS, BOTH, false, check_pattern_properties},
    {"additionalProperties", ONE, BOTH, false, check_additional},
    {"propertyNames", ONE, BOTH, false, check_names},
    {"dependentRequired", DEPENDENCIES, D2020, true, check_dependent},
    {"dependentSchemas", DEPENDENCIES, D2020, false, check_dependent},
    {"dependencies", DEPENDENCIES, D7, false, check_dependent},
    {"allOf", LIST, BOTH, false, check_all}, {"anyOf", LIST, BOTH, false, check_any},
    {"oneOf", LIST, BOTH, false, check_one}, {"not", ONE, BOTH, false, check_not},
    {"if", ONE, BOTH, false, check_if}, {"then", ONE, BOTH, false, NULL},
    {"else", ONE, BOTH, false, NULL},
    {"unevaluatedItems", ONE, D2020, false, check_unevaluated_items},
    {"unevaluatedProperties", ONE, D2020, false, check_unevaluated}};
enum { RULES = sizeof rules / sizeof *rules };

static bool
check(struct run *r, const struct node *n, jv x, struct seen *seen)
{
	struct seen own = {.names = jv_invalid()};
	struct scope scope = {n->home, r->scope};
	bool good = true, collect = r->s->collect;
	static const struct rule nothing = {.name = ""};
	const struct keyword whole = {.rule = &nothing, .owner = n};

	if (jv_get_kind(n->value) == JV_KIND_TRUE)
		return true;
	if (jv_get_kind(n->value) == JV_KIND_FALSE)
		return complain(r, &whole, "nothing may stand here");
	if (r->depth == RUN_DEPTH)
		return complain(r, &whole, "nested too deeply to be checked");
	r->depth++;
	if (r->scope == NULL || r->scope->home != n->home)
		r->scope = &scope;
	for (size_t i = 0; i < n->count; i++) {
		const struct keyword *k = &n->keywords[i];
		if (k->rule->check != NULL)
			good = k->rule->check(r, k, x, collect ? &own : NULL) && good;
	}
	if (r->scope == &scope)
		r->scope = scope.outer;
	r->depth--;
	if (good)
		seen_merge(seen, &own);
	jv_free(own.names);
	free(own.items);
	return good;
}

/* Documents, resources and anchors. */

static size_t
add_resource(struct schema *s, size_t document, const char *pointer, const char *uri,
    enum schema_draft draft, bool validation)
{
	s->resources = prog_resize(s->resources, s->resource_count + 1, sizeof *s->resources);
	s->resources[s->resource_count] =
	    (struct resource){document, prog_copy(pointer, strlen(pointer)),
		prog_copy(uri, strcspn(uri, "#")), draft, validation};
	return s->resource_count++;
}

static void
add_anchor(struct schema *s, size_t home, const char *name, const char *pointer, bool dynamic)
{
	s->anchors = prog_resize(s->anchors, s->anchor_count + 1, sizeof *s->anchors);
	s->anchors[s->anchor_count++] = (struct anchor){home, prog_copy(name, strlen(name)),
	    prog_copy(pointer, strlen(pointer)), dynamic, NULL};
}

static bool load(struct schema *s, const char *uri);

static const struct resource *
find_resource(const struct schema *s, const char *uri)
{
	size_t len = strcspn(uri, "#");

	for (size_t i = 0; i < s->resource_count; i++) {
		const char *have = s->resources[i].uri;
		if (strlen(have) == len && memcmp(have, uri, len) == 0)
			return &s->resources[i];
	}
	return NULL;
}

/* What $schema says: which draft, and whether its vocabularies hold the validation one. */
static void
read_dialect(struct schema *s, jv value, enum schema_draft *draft, bool *validation)
{
	const char *meta = jvx_text(value, "$schema");

	if (meta == NULL)
		return;
	if (strncmp(meta, "http://json-schema.org/draft-07/schema", 38) == 0) {
		*draft = SCHEMA_7;
	} else if (strcmp(meta, "https://json-schema.org/draft/2020-12/schema") == 0) {
		*draft = SCHEMA_2020_12;
	} else if (load(s, meta)) {
		const struct resource *r = find_resource(s, meta);
		jv vocabulary = jvx_get(s->documents[r->document].root, "$vocabulary");
		*draft = r->draft;
		if (jv_get_kind(vocabulary) == JV_KIND_OBJECT)
			*validation = jv_object_has(jv_copy(vocabulary),
			    jv_string("https://json-schema.org/draft/2020-12/vocab/validation"));
		jv_free(vocabulary);
	}
}

static void index_schema(
    struct schema *s, size_t document, jv value, const char *pointer, size_t home, int depth);

static void
index_members(
    struct schema *s, size_t document, jv obj, const char *pointer, size_t home, int depth)
{
	if (jv_get_kind(obj) != JV_KIND_OBJECT)
		return;
	jv_object_foreach (obj, name, member) {
		struct buf at = {0};
		buf_text(&at, pointer);
		add_token(&at, jv_string_value(name), string_len(name));
		index_schema(s, document, member, at.data, home, depth);
		buf_free(&at);
		jv_free(name);
		jv_free(member);
	}
}

static void
index_list(struct schema *s, size_t document, jv list, const char *pointer, size_t home, int depth)
{
	jv_array_foreach (list, i, item) {
		struct buf at = {0};
		buf_format(&at, "%s/%d", pointer, i);
		index_schema(s, document, item, at.data, home, depth);
		buf_free(&at);
		jv_free(item);
	}
}

/* Find the $id and anchors of a schema and of the schemas in it; elsewhere they mean nothing. */
static void
index_schema(
    struct schema *s, size_t document, jv value, const char *pointer, size_t home, int depth)
{
	if (jv_get_kind(value) != JV_KIND_OBJECT)
		return;
	if (depth == INDEX_DEPTH) {
		fail(s, "nested too deeply");
		return;
	}
	bool seven = s->resources[home].draft == SCHEMA_7;
	bool alone = seven && jv_object_has(jv_copy(value), jv_string("$ref"));
	const char *id = alone ? NULL : jvx_text(value, "$id");
	if (id != NULL && id[0] == '#' && seven) {
		add_anchor(s, home, id + 1, pointer, false);
	} else if (id != NULL) {
		struct buf uri = {0};
		enum schema_draft draft = s->resources[home].draft;
		bool validation = s->resources[home].validation;
		uri_resolve(&uri, s->resources[home].uri, id);
		read_dialect(s, value, &draft, &validation);
		home =
		    add_resource(s, document, pointer, uri.data ? uri.data : "", draft, validation);
		const char *fragment = strchr(id, '#');
		if (fragment != NULL && fragment[1] != '\0')
			add_anchor(s, home, fragment + 1, pointer, false);
		buf_free(&uri);
		seven = draft == SCHEMA_7;
	}
	if (!seven && jvx_text(value, "$anchor") != NULL)
		add_anchor(s, home, jvx_text(value, "$anchor"), pointer, false);
	if (!seven && jvx_text(value, "$dynamicAnchor") != NULL)
		add_anchor(s, home, jvx_text(value, "$dynamicAnchor"), pointer, true);
	for (size_t i = 0; i < RULES && !alone; i++) {
		if (rules[i].shape == PLAIN || rules[i].shape == REFERENCE ||
		    rules[i].shape == REGEX)
			continue;
		if (!(rules[i].drafts & (seven ? D7 : D2020)))
			continue;
		jv inner = jvx_get(value, rules[i].name);
		if (!jv_is_valid(inner)) {
			jv_free(inner);
			continue;
		}
		struct buf at = {0};
		buf_format(&at, "%s/%s", pointer, rules[i].name);
		bool map = rules[i].shape == MAP || rules[i].shape == PATTERNS ||
			   rules[i].shape == DEPENDENCIES;
		if (jv_get_kind(inner) == JV_KIND_ARRAY)
			index_list(s, document, inner, at.data, home, depth + 1);
		else if (map)
			index_members(s, document, inner, at.data, home, depth + 1);
		else
			index_schema(s, document, inner, at.data, home, depth + 1);
		buf_free(&at);
		jv_free(inner);
	}
}

static size_t
add_document(struct schema *s, jv root, const char *uri)
{
	enum schema_draft draft = s->options.draft;
	bool validation = true;

	s->documents = prog_resize(s->documents, s->document_count + 1, sizeof *s->documents);
	size_t document = s->document_count++;
	s->documents[document].root = root;
	size_t home = add_resource(s, document, "", uri, draft, true);
	read_dialect(s, root, &draft, &validation);
	s->resources[home].draft = draft;
	s->resources[home].validation = validation;
	index_schema(s, document, root, "", home, 0);
	return document;
}

static bool
read_file(const char *path, struct buf *text)
{
	char chunk[8192];
	size_t got;
	FILE *f = fopen(path, "re");

	if (f == NULL)
		return false;
	while ((got = fread(chunk, 1, sizeof chunk, f)) > 0 && text->len < 64 << 20)
		buf_add(text, chunk, got);
	bool good = !ferror(f) && feof(f);
	fclose(f);
	return good;
}

/* Have the document of a URI: known already, one of the drafts themselves, or in a folder. */
static bool
load(struct schema *s, const char *uri)
{
	struct buf path = {0}, text = {0}, name = {0};
	bool good = false;

	if (find_resource(s, uri) != NULL)
		return true;
	buf_add(&name, uri, strcspn(uri, "#"));
	const char *meta = schema_meta(name.data);
	if (meta != NULL) {
		add_document(s, jvx_parse(meta, strlen(meta), NULL), name.data);
		good = true;
	}
	for (size_t i = 0; i < s->options.count && !good; i++) {
		const struct schema_folder *f = &s->options.folders[i];
		size_t len = strlen(f->uri);
		if (strncmp(name.data, f->uri, len) != 0 || strstr(name.data, "..") != NULL)
			continue;
		buf_clear(&path);
		buf_clear(&text);
		buf_format(&path, "%s/%s", f->folder, name.data + len);
		if (!read_file(path.data, &text))
			continue;
		jv root = jvx_parse(text.data ? text.data : "", text.len, NULL);
		if (!jv_is_valid(root))
			continue;
		add_document(s, root, name.data);
		good = true;
	}
	buf_free(&path);
	buf_free(&text);
	buf_free(&name);
	return good;
}

/* Nodes. */

/* The value at a pointer, yours to free; invalid when it leads nowhere. */
static jv
walk(jv root, const char *pointer)
{
	jv at = jv_copy(root);

	while (*pointer == '/' && jv_is_valid(at)) {
		struct buf token = {0};
		for (pointer++; *pointer != '\0' && *pointer != '/'; pointer++) {
			if (pointer[0] == '~' && (pointer[1] == '0' || pointer[1] == '1'))
				buf_byte(&token, *++pointer == '0' ? '~' : '/');
			else
				buf_byte(&token, *pointer);
		}
		const char *name = token.data ? token.data : "";
		if (jv_get_kind(at) == JV_KIND_OBJECT) {
			at = jv_object_get(at, jv_string_sized(name, (int)token.len));
		} else if (jv_get_kind(at) == JV_KIND_ARRAY && *name != '\0' && token.len < 9 &&
			   strspn(name, "0123456789") == token.len) {
			at = jv_array_get(at, (int)strtol(name, NULL, 10));
		} else {
			jv_free(at);
			at = jv_invalid();
		}
		buf_free(&token);
	}
	return at;
}

static struct node *
resolve(struct schema *s, size_t home, const char *reference, const char **dynamic)
{
	struct buf uri = {0}, place = {0}, fragment = {0};
	struct node *found = NULL;

	uri_resolve(&uri, s->resources[home].uri, reference);
	const char *hash = uri.data ? strchr(uri.data, '#') : NULL;
	if (hash != NULL)
		uri_decode(&fragment, hash + 1);
	if (load(s, uri.data ? uri.data : "")) {
		const struct resource *r = find_resource(s, uri.data ? uri.data : "");
		size_t document = r->document;
		buf_text(&place, r->pointer);
		const struct anchor *a = NULL;
		if (fragment.len > 0 && fragment.data[0] != '/') {
			a = find_anchor(s, home_of(s, document, r->pointer), fragment.data);
			buf_clear(&place);
			buf_text(&place, a ? a->pointer : "/\x7f");
		} else {
			buf_add(&place, fragment.data, fragment.len);
		}
		if (a != NULL && a->dynamic && dynamic != NULL)
			*dynamic = a->name;
		found = node_at(s, document, place.data);
	}
	if (found == NULL)
		fail(s, "cannot resolve the reference %s", reference);
	buf_free(&uri);
	buf_free(&place);
	buf_free(&fragment);
	return found;
}

/* ECMA-262 has Unicode's long names for general categories; PCRE2 the short ones. */
static void
translate(struct buf *out, jv pattern)
{
	static const char *const names[][2] = {{"Letter", "L"}, {"Uppercase_Letter", "Lu"},
	    {"Lowercase_Letter", "Ll"}, {"Titlecase_Letter", "Lt"}, {"Modifier_Letter", "Lm"},
	    {"Other_Letter", "Lo"}, {"Mark", "M"}, {"Number", "N"}, {"Decimal_Number", "Nd"},
	    {"digit", "Nd"}, {"Letter_Number", "Nl"}, {"Punctuation", "P"}, {"punct", "P"},
	    {"Symbol", "S"}, {"Separator", "Z"}, {"Space_Separator", "Zs"}, {"Control", "Cc"},
	    {"cntrl", "Cc"}, {"Other", "C"}};
	const char *p = jv_string_value(pattern), *end = p + string_len(pattern);

	while (p < end) {
		if (*p != '\\' || end - p < 2) {
			buf_byte(out, *p++);
			continue;
		}
		const char *close = memchr(p, '}', (size_t)(end - p));
		size_t i = 0, count = sizeof names / sizeof *names;
		if ((p[1] == 'p' || p[1] == 'P') && end - p > 3 && p[2] == '{' && close != NULL) {
			size_t len = (size_t)(close - (p + 3));
			while (i < count &&
			       (strlen(names[i][0]) != len || memcmp(names[i][0], p + 3, len) != 0))
				i++;
			if (i < count) {
				buf_format(out, "\\%c{%s}", p[1], names[i][1]);
				p = close + 1;
				continue;
			}
		}
		buf_add(out, p, 2);
		p += 2;
	}
}

static struct re *
compile_pattern(struct schema *s, jv pattern)
{
	struct buf translated = {0};
	char why[160] = "";

	translate(&translated, pattern);
	struct re *re = re_new(
	    translated.data ? translated.data : "", translated.len, RE_ECMA, why, sizeof why);
	if (re == NULL)
		fail(s, "pattern: %s", why);
	buf_free(&translated);
	return re;
}

static struct node *
inner_node(struct schema *s, size_t document, const char *pointer, const char *name, size_t len)
{
	struct buf at = {0};

	buf_text(&at, pointer);
	add_token(&at, name, len);
	struct node *n = node_at(s, document, at.data);
	buf_free(&at);
	return n;
}

static void
compile_list(struct schema *s, struct keyword *k, size_t document, const char *pointer)
{
	k->count = (size_t)jv_array_length(jv_copy(k->value));
	k->nodes = prog_alloc(k->count, sizeof *k->nodes);
	for (size_t i = 0; i < k->count; i++) {
		char index[24];
		snprintf(index, sizeof index, "%zu", i);
		k->nodes[i] = inner_node(s, document, pointer, index, strlen(index));
	}
}

static void
compile_map(struct schema *s, struct keyword *k, size_t document, const char *pointer)
{
	k->count = (size_t)jv_object_length(jv_copy(k->value));
	k->nodes = prog_alloc(k->count, sizeof *k->nodes);
	k->names = prog_alloc(k->count, sizeof *k->names);
	if (k->rule->shape == PATTERNS)
		k->res = prog_alloc(k->count, sizeof *k->res);
	size_t i = 0;
	jv_object_foreach (k->value, name, member) {
		bool list = jv_get_kind(member) == JV_KIND_ARRAY;
		jv_free(member);
		k->names[i] = name;
		if (!list)
			k->nodes[i] = inner_node(
			    s, document, pointer, jv_string_value(name), string_len(name));
		if (k->res != NULL)
			k->res[i] = compile_pattern(s, name);
		i++;
	}
}

static void
compile_keyword(struct schema *s, struct keyword *k, size_t document, const char *pointer)
{
	const char *dynamic = NULL;
	jv_kind kind = jv_get_kind(k->value);

	switch (k->rule->shape) {
	case PLAIN: break;
	case ONE_OR_LIST:
	case LIST:
		if (kind == JV_KIND_ARRAY) {
			compile_list(s, k, document, pointer);
			break;
		}
		/* fallthrough */
	case ONE:
		k->count = 1;
		k->nodes = prog_alloc(1, sizeof *k->nodes);
		k->nodes[0] = node_at(s, document, pointer);
		break;
	case MAP:
	case PATTERNS:
	case DEPENDENCIES:
		if (k->rule->check != NULL)
			compile_map(s, k, document, pointer);
		break;
	case REFERENCE:
		k->count = 1;
		k->nodes = prog_alloc(1, sizeof *k->nodes);
		k->nodes[0] = resolve(s, k->owner->home, jv_string_value(k->value), &dynamic);
		if (dynamic != NULL && strcmp(k->rule->name, "$dynamicRef") == 0)
			k->dynamic = prog_copy(dynamic, strlen(dynamic));
		break;
	case REGEX:
		k->res = prog_alloc(1, sizeof *k->res);
		k->count = 1;
		k->res[0] = compile_pattern(s, k->value);
		break;
	}
}

/*
 * The schemas of the drafts say what kind a keyword's value has, and a schema that does not obey is
 * refused before this.  But a reference may lead to what no metaschema ever looked at.
 */
static bool
is_well_formed(const struct rule *rule, jv value)
{
	jv_kind kind = jv_get_kind(value);
	bool strings = true;

	if (strcmp(rule->name, "type") == 0 && kind == JV_KIND_STRING)
		return true;
	if (strcmp(rule->name, "type") == 0 || strcmp(rule->name, "required") == 0) {
		if (kind != JV_KIND_ARRAY)
			return false;
		jv_array_foreach (value, i, item) {
			strings = strings && jv_get_kind(item) == JV_KIND_STRING;
			jv_free(item);
		}
		return strings;
	}
	if (strcmp(rule->name, "enum") == 0)
		return kind == JV_KIND_ARRAY;
	if (strcmp(rule->name, "format") == 0)
		return kind == JV_KIND_STRING;
	if (strcmp(rule->name, "const") == 0 || strcmp(rule->name, "uniqueItems") == 0)
		return true;
	switch (rule->shape) {
	case PLAIN: return kind == JV_KIND_NUMBER;
	case REFERENCE:
	case REGEX: return kind == JV_KIND_STRING;
	case LIST: return kind == JV_KIND_ARRAY;
	case MAP:
	case PATTERNS:
	case DEPENDENCIES: return kind == JV_KIND_OBJECT;
	default: return true;
	}
}

static void
compile(struct schema *s, struct node *n, size_t document, const char *pointer)
{
	enum schema_draft draft = s->resources[n->home].draft;
	bool validation = s->resources[n->home].validation;
	bool alone = draft == SCHEMA_7 && jv_object_has(jv_copy(n->value), jv_string("$ref"));
	size_t count = 0;

	n->keywords = prog_alloc(RULES, sizeof *n->keywords);
	for (size_t i = 0; i < RULES && !s->failed; i++) {
		const struct rule *rule = &rules[i];
		jv value = jvx_get(n->value, rule->name);
		bool skip =
		    !jv_is_valid(value) || !(rule->drafts & (draft == SCHEMA_7 ? D7 : D2020)) ||
		    (rule->validation && !validation) || (alone && rule->shape != REFERENCE);
		if (skip || !is_well_formed(rule, value)) {
			if (!skip)
				fail(s, "%s: bad value of \"%s\"", n->where, rule->name);
			jv_free(value);
			continue;
		}
		struct keyword *k = &n->keywords[count++];
		*k = (struct keyword){.rule = rule, .value = value, .owner = n};
		n->count = count;
		if (strncmp(rule->name, "unevaluated", 11) == 0)
			s->collect = true;
		struct buf at = {0};
		buf_format(&at, "%s/%s", pointer, rule->name);
		compile_keyword(s, k, document, at.data);
		buf_free(&at);
	}
}

static size_t
home_of(const struct schema *s, size_t document, const char *pointer)
{
	size_t best = 0, best_len = 0;
	bool any = false;

	for (size_t i = 0; i < s->resource_count; i++) {
		const struct resource *r = &s->resources[i];
		size_t len = strlen(r->pointer);
		bool leads = r->document == document && strncmp(r->pointer, pointer, len) == 0 &&
			     (pointer[len] == '\0' || pointer[len] == '/');
		if (leads && (!any || len >= best_len)) {
			best = i;
			best_len = len;
			any = true;
		}
	}
	return best;
}

static struct node *
node_at(struct schema *s, size_t document, const char *pointer)
{
	struct buf key = {0}, where = {0};
	struct node *n = NULL;

	if (s->failed)
		return NULL;
	buf_format(&key, "%zu %s", document, pointer);
	double known = jvx_number(s->places, key.data, -1);
	if (known >= 0) {
		buf_free(&key);
		return s->nodes[(size_t)known];
	}
	jv value = walk(s->documents[document].root, pointer);
	jv_kind kind = jv_get_kind(value);
	if (kind != JV_KIND_OBJECT && kind != JV_KIND_TRUE && kind != JV_KIND_FALSE) {
		jv_free(value);
		buf_free(&key);
		fail(s, "cannot resolve #%s: no schema there", pointer);
		return NULL;
	}
	n = prog_alloc(1, sizeof *n);
	n->value = value;
	n->home = home_of(s, document, pointer);
	buf_format(&where, "%s#%s", s->resources[n->home].uri,
	    pointer + strlen(s->resources[n->home].pointer));
	n->where = where.data;
	s->nodes = prog_resize(s->nodes, s->node_count + 1, sizeof *s->nodes);
	s->nodes[s->node_count] = n;
	s->places = jv_object_set(s->places, jv_string(key.data), jv_number((double)s->node_count));
	s->node_count++;
	buf_free(&key);
	if (kind == JV_KIND_OBJECT)
		compile(s, n, document, pointer);
	return n;
}

/* A $dynamicRef may lead to any dynamic anchor: have them all, and what they bring. */
static void
compile_anchors(struct schema *s)
{
	for (size_t i = 0; i < s->anchor_count && !s->failed; i++) {
		if (!s->anchors[i].dynamic)
			continue;
		char *pointer = prog_copy(s->anchors[i].pointer, strlen(s->anchors[i].pointer));
		struct node *n = node_at(s, s->resources[s->anchors[i].home].document, pointer);
		s->anchors[i].node = n;
		free(pointer);
	}
}

/* True when value is a schema by the metaschema of its draft. */
static bool
obeys_metaschema(jv value, const struct schema_options *options, char *why, size_t size)
{
	struct schema_options plain = {.draft = options->draft};
	const char *said = jvx_text(value, "$schema");
	const char *uri = options->draft == SCHEMA_7 ? SCHEMA_META_7 : SCHEMA_META_2020_12;

	if (said != NULL && strncmp(said, SCHEMA_META_7, strlen(SCHEMA_META_7)) == 0)
		uri = SCHEMA_META_7;
	else if (said != NULL && strcmp(said, SCHEMA_META_2020_12) == 0)
		uri = SCHEMA_META_2020_12;
	plain.draft = strcmp(uri, SCHEMA_META_7) == 0 ? SCHEMA_7 : SCHEMA_2020_12;
	const char *text = schema_meta(uri);
	struct schema *meta = schema_new(jvx_parse(text, strlen(text), NULL), &plain, why, size);
	if (meta == NULL)
		return false;
	jv errors = schema_check(meta, jv_copy(value), 1);
	bool good = jv_array_length(jv_copy(errors)) == 0;
	if (!good && size > 0) {
		jv first = jv_array_get(jv_copy(errors), 0);
		snprintf(why, size, "no schema: %s: %s", jvx_text(first, "instance"),
		    jvx_text(first, "message"));
		jv_free(first);
	}
	jv_free(errors);
	schema_free(meta);
	return good;
}

struct schema *
schema_new(jv value, const struct schema_options *options, char *why, size_t size)
{
	const char *id = jvx_text(value, "$id");
	bool meta = id != NULL && schema_meta(id) != NULL;

	if (!meta && !obeys_metaschema(value, options, why, size)) {
		jv_free(value);
		return NULL;
	}
	struct schema *s = prog_alloc(1, sizeof *s);
	s->options = *options;
	s->why = why;
	s->size = size;
	s->places = jv_object();
	size_t document = add_document(s, value, "");
	s->root = node_at(s, document, "");
	compile_anchors(s);
	if (!s->failed)
		return s;
	schema_free(s);
	return NULL;
}

jv
schema_check(struct schema *s, jv instance, size_t most)
{
	struct run r = {.s = s, .most = most};
	jv errors = jv_array();

	check(&r, s->root, instance, NULL);
	for (size_t i = 0; i < r.count; i++) {
		const struct fault *f = &r.faults[i];
		jv error =
		    jv_object_set(jv_object(), jv_string("instance"), jv_string(f->instance));
		error = jv_object_set(error, jv_string("schema"), jv_string(f->schema));
		error = jv_object_set(error, jv_string("keyword"), jv_string(f->keyword));
		error = jv_object_set(error, jv_string("message"), jv_string(f->message));
		errors = jv_array_append(errors, error);
	}
	forget(&r, 0, r.count);
	free(r.faults);
	buf_free(&r.at);
	jv_free(instance);
	return errors;
}

static void
free_keyword(struct keyword *k)
{
	for (size_t i = 0; i < k->count; i++) {
		if (k->names != NULL)
			jv_free(k->names[i]);
		if (k->res != NULL)
			re_free(k->res[i]);
	}
	jv_free(k->value);
	free(k->nodes);
	free(k->names);
	free(k->res);
	free(k->dynamic);
}

void
schema_free(struct schema *s)
{
	if (s == NULL)
		return;
	for (size_t i = 0; i < s->node_count; i++) {
		struct node *n = s->nodes[i];
		for (size_t j = 0; j < n->count; j++)
			free_keyword(&n->keywords[j]);
		jv_free(n->value);
		free(n->keywords);
		free(n->where);
		free(n);
	}
	for (size_t i = 0; i < s->anchor_count; i++) {
		free(s->anchors[i].name);
		free(s->anchors[i].pointer);
	}
	for (size_t i = 0; i < s->resource_count; i++) {
		free(s->resources[i].pointer);
		free(s->resources[i].uri);
	}
	for (size_t i = 0; i < s->document_count; i++)
		jv_free(s->documents[i].root);
	jv_free(s->places);
	free(s->nodes);
	free(s->anchors);
	free(s->resources);
	free(s->documents);
	free(s);
}
