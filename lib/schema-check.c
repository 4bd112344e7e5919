#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "jvx.h"
#include "prog.h"
#include "schema-parts.h"

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
	size_t depth, steps;
};

/*
 * Two frames each; what is nested deeper is refused, not followed.  Steps are schemas applied:
 * thirty definitions that apply the next one twice would take a billion.
 */
enum { RUN_DEPTH = 1500, RUN_STEPS = 10000000 };

static bool check(struct run *r, const struct node *n, jv x, struct seen *seen);

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

/* Check a member or an item of the instance; x is consumed. */
static bool
check_inside(struct run *r, const struct node *n, jv x, const char *token, size_t len)
{
	size_t before = r->at.len;

	schema_token(&r->at, token, len);
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
	    jvx_length(name));
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

/* By halves: an enum of thousands is asked once for each item of a list. */
static bool
is_among(jv sorted, jv x)
{
	int lo = 0, hi = jv_array_length(jv_copy(sorted));

	while (lo < hi) {
		int mid = lo + (hi - lo) / 2;
		int order = jv_cmp(jv_array_get(jv_copy(sorted), mid), jv_copy(x));
		if (order == 0)
			return true;
		if (order < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return false;
}

static bool
check_enum(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	struct buf wants = {0};

	(void)seen;
	if (is_among(k->sorted, x))
		return true;
	for (int i = 0, n = jv_array_length(jv_copy(k->value)); i < n && wants.len < 200; i++) {
		jv want = jv_array_get(jv_copy(k->value), i);
		if (i > 0)
			buf_text(&wants, ", ");
		jvx_write(want, &wants);
		jv_free(want);
	}
	complain(r, k, "want one of %s", wants.data ? wants.data : "nothing");
	buf_free(&wants);
	return false;
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
	return re_find(re, jv_string_value(string), jvx_length(string), 0, NULL) == RE_YES;
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
	if (format_check(format, jv_string_value(x), jvx_length(x)) != FORMAT_BAD)
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
			   jvx_length(name)) &&
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

/* 2020-12 core section 8.2.3.2: the outermost resource that declares the dynamic anchor decides. */
static bool
check_dynamic(struct run *r, const struct keyword *k, jv x, struct seen *seen)
{
	const struct node *n = k->nodes[0];

	for (const struct scope *at = r->scope; k->dynamic != NULL && at != NULL; at = at->outer) {
		const struct anchor *a = schema_anchor(r->s, at->home, k->dynamic);
		if (a != NULL && a->dynamic && a->node != NULL)
			n = a->node;
	}
	return check(r, n, x, seen);
}

/* In the order in which they are checked: what others rely on comes first. */
const struct rule schema_rules[SCHEMA_RULES] = {{"$ref", REFERENCE, BOTH, false, check_ref},
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

static bool
check(struct run *r, const struct node *n, jv x, struct seen *seen)
{
	struct seen own = {.names = jv_invalid()};
	struct scope scope = {n->home, r->scope};
	bool good = true, collect = r->s->collect;
	static const struct rule nothing = {.name = ""};
	const struct keyword whole = {.rule = &nothing, .owner = n};

	if (r->steps == RUN_STEPS)
		return complain(r, &whole, "takes too long to be checked");
	r->steps++;
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

jv
schema_check(struct schema *s, jv instance, size_t most)
{
	struct run r = {.s = s, .most = most};
	jv errors = jv_array();

	check(&r, s->root, instance, NULL);
	/* Under "not" and "anyOf" it may look like good news. */
	if (r.steps == RUN_STEPS && r.count == 0)
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
