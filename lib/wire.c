#include "wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "buf.h"
#include "jvx.h"

/* Who accepts a keyword as it is. */
enum { O = 1, A = 2, G = 4, ALL = O | A | G };

static const struct {
	const char *name;
	int accepts;
} constraints[] = {
    {"type", ALL},
    {"enum", ALL},
    {"$ref", ALL},
    {"required", ALL},
    {"const", O | A},
    {"pattern", O},
    {"format", ALL},
    {"minimum", O | G},
    {"maximum", O | G},
    {"exclusiveMinimum", O},
    {"exclusiveMaximum", O},
    {"multipleOf", O},
    {"minItems", O | G},
    {"maxItems", O | G},
};

/* These say nothing about which values are good, and some strict modes refuse them. */
static const char *const annotations[] = {"$schema", "$id", "$comment", "$anchor", "title",
    "default", "examples", "deprecated", "readOnly", "writeOnly", "description"};

static const char *const formats[] = {
    "date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"};

struct maker {
	int who;
	jv root;
	int depth;
	bool impossible;
};

enum { DEPTH = 64 };

static jv make(struct maker *m, jv schema);

static bool
listed(const char *const names[], size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static int
acceptance(const char *name)
{
	for (size_t i = 0; i < sizeof constraints / sizeof *constraints; i++)
		if (strcmp(constraints[i].name, name) == 0)
			return constraints[i].accepts;
	return 0;
}

static void
tell(struct buf *told, const char *name, jv value)
{
	buf_text(told, told->len > 0 ? "; " : "");
	buf_format(told, "%s: ", name);
	jvx_write(value, told);
}

static bool
accepted(struct maker *m, const char *name, jv value)
{
	if ((acceptance(name) & m->who) == 0)
		return name[0] == 'm' && strcmp(name, "minItems") == 0 && m->who == A &&
		       jv_get_kind(value) == JV_KIND_NUMBER && jv_number_value(value) <= 1;
	if (strcmp(name, "format") != 0)
		return true;
	return jv_get_kind(value) == JV_KIND_STRING &&
	       listed(formats, sizeof formats / sizeof *formats, jv_string_value(value));
}

static jv
each_member(struct maker *m, jv object)
{
	jv made = jv_object();

	if (jv_get_kind(object) != JV_KIND_OBJECT)
		return jv_invalid();
	for (int i = jv_object_iter(object); jv_object_iter_valid(object, i);
	     i = jv_object_iter_next(object, i)) {
		jv value = jv_object_iter_value(object, i);
		made = jv_object_set(made, jv_object_iter_key(object, i), make(m, value));
		jv_free(value);
	}
	return made;
}

static jv
each_item(struct maker *m, jv array)
{
	jv made = jv_array();

	if (jv_get_kind(array) != JV_KIND_ARRAY)
		return jv_invalid();
	for (int i = 0, n = jv_array_length(jv_copy(array)); i < n; i++) {
		jv item = jv_array_get(jv_copy(array), i);
		made = jv_array_append(made, make(m, item));
		jv_free(item);
	}
	return made;
}

/* The keywords that hold schemas.  True when name was one and has been dealt with. */
static bool
applicator(struct maker *m, const char *name, jv value, jv *made)
{
	if (strcmp(name, "properties") == 0)
		*made = jvx_set(*made, name, each_member(m, value));
	else if (strcmp(name, "$defs") == 0 || strcmp(name, "definitions") == 0)
		*made = jvx_set(*made, name, each_member(m, value));
	else if (strcmp(name, "items") == 0 && jv_get_kind(value) == JV_KIND_OBJECT)
		*made = jvx_set(*made, name, make(m, value));
	else if (strcmp(name, "anyOf") == 0 || strcmp(name, "oneOf") == 0)
		*made = jvx_set(*made, "anyOf", each_item(m, value));
	else if (strcmp(name, "allOf") == 0 && m->who == A)
		*made = jvx_set(*made, name, each_item(m, value));
	else if (strcmp(name, "additionalProperties") == 0 && m->who == G)
		*made = jvx_set(*made, name,
		    jv_get_kind(value) == JV_KIND_OBJECT ? make(m, value) : jv_copy(value));
	else
		return false;
	return true;
}

static bool
contains(jv array, jv item)
{
	bool found = false;

	if (jv_get_kind(array) != JV_KIND_ARRAY)
		return false;
	for (int i = 0, n = jv_array_length(jv_copy(array)); i < n && !found; i++)
		found = jv_equal(jv_array_get(jv_copy(array), i), jv_copy(item));
	return found;
}

/* schema (consumed), or null. */
static jv
or_null(jv schema)
{
	jv type = jvx_get(schema, "type"), choice = jvx_get(schema, "enum");
	jv only = jvx_get(schema, "const");
	bool fixed = jv_is_valid(only);

	jv_free(only);
	if (jv_get_kind(type) == JV_KIND_STRING && !fixed) {
		if (jv_get_kind(choice) == JV_KIND_ARRAY)
			schema = jvx_set(schema, "enum", jv_array_append(choice, jv_null()));
		else
			jv_free(choice);
		type = JV_ARRAY(type, jv_string("null"));
		return jvx_set(schema, "type", type);
	}
	jv_free(choice);
	if (jv_get_kind(type) == JV_KIND_ARRAY && contains(type, jv_string("null"))) {
		jv_free(type);
		return schema;
	}
	jv_free(type);
	jv nothing = jvx_set_text(jv_object(), "type", "null");
	return jvx_set(jv_object(), "anyOf", JV_ARRAY(schema, nothing));
}

/* OpenAI: every property is required; one that was not may be null. */
static jv
require_all(jv made, jv required)
{
	jv properties = jvx_get(made, "properties"), all = jv_array();

	if (jv_get_kind(properties) != JV_KIND_OBJECT) {
		jv_free(all);
		jv_free(properties);
		return made;
	}
	jv names = jv_keys(jv_copy(properties));
	for (int i = 0, n = jv_array_length(jv_copy(names)); i < n; i++) {
		jv name = jv_array_get(jv_copy(names), i);
		if (!contains(required, name)) {
			jv value = jv_object_get(jv_copy(properties), jv_copy(name));
			properties = jv_object_set(properties, jv_copy(name), or_null(value));
		}
		all = jv_array_append(all, name);
	}
	jv_free(names);
	made = jvx_set(made, "properties", properties);
	return jvx_set(made, "required", all);
}

static bool
is_object(jv made)
{
	jv type = jvx_get(made, "type"), properties = jvx_get(made, "properties");
	bool yes =
	    jv_get_kind(properties) == JV_KIND_OBJECT ||
	    (jv_get_kind(type) == JV_KIND_STRING && strcmp(jv_string_value(type), "object") == 0);
	jv_free(type);
	jv_free(properties);
	return yes;
}

/* Strict modes want a type wherever there is a choice of values; texts are the usual ones. */
static jv
tell_type(jv made)
{
	jv type = jvx_get(made, "type"), choice = jvx_get(made, "enum"),
	   only = jvx_get(made, "const");
	bool texts = jv_get_kind(only) == JV_KIND_STRING;

	if (jv_get_kind(choice) == JV_KIND_ARRAY) {
		int count = jv_array_length(jv_copy(choice));
		texts = count > 0;
		for (int i = 0; i < count; i++) {
			jv one = jv_array_get(jv_copy(choice), i);
			texts = texts && jv_get_kind(one) == JV_KIND_STRING;
			jv_free(one);
		}
	}
	bool typed = jv_is_valid(type);
	jv_free(type);
	jv_free(choice);
	jv_free(only);
	return texts && !typed ? jvx_set_text(made, "type", "string") : made;
}

static jv
finish(struct maker *m, jv schema, jv made, struct buf *told)
{
	struct buf text = {0};
	const char *description = jvx_text(schema, "description");

	made = tell_type(made);
	if (m->who != G && is_object(made)) {
		jv required = jvx_get(schema, "required");
		made = jvx_set(made, "additionalProperties", jv_false());
		if (m->who == O)
			made = require_all(made, required);
		jv_free(required);
	}
	if (description != NULL)
		buf_text(&text, description);
	if (told->len > 0)
		buf_format(&text, "%s(%s)", text.len > 0 ? " " : "", told->data);
	made = jvx_set_text(made, "description", text.data);
	buf_free(&text);
	return made;
}

static jv
make(struct maker *m, jv schema)
{
	jv made = jv_object();
	struct buf told = {0};

	if (jv_get_kind(schema) != JV_KIND_OBJECT)
		return made;
	if (m->depth >= DEPTH) {
		m->impossible = true;
		return made;
	}
	m->depth++;
	jv keys = jv_keys(jv_copy(schema)); /* sorted, and so is what is told */
	for (int i = 0, n = jv_array_length(jv_copy(keys)); i < n; i++) {
		jv key = jv_array_get(jv_copy(keys), i);
		const char *name = jv_string_value(key);
		jv value = jvx_get(schema, name);
		if (applicator(m, name, value, &made) ||
		    listed(annotations, sizeof annotations / sizeof *annotations, name)) {
			/* done, or nothing to do */
		} else if (accepted(m, name, value)) {
			made = jvx_set(made, name, jv_copy(value));
		} else if (strcmp(name, "const") == 0) {
			made = jvx_set(made, "enum", JV_ARRAY(jv_copy(value)));
		} else if (strcmp(name, "additionalProperties") != 0 ||
			   jv_get_kind(value) == JV_KIND_OBJECT) {
			tell(&told, name, value);
		}
		jv_free(key);
		jv_free(value);
	}
	jv_free(keys);
	jv ref = jvx_get(made, "$ref");
	if (jv_is_valid(ref)) {
		jv_free(made);
		made = jvx_set(jv_object(), "$ref", ref); /* siblings are refused or dropped */
	} else {
		made = finish(m, schema, made, &told);
	}
	buf_free(&told);
	m->depth--;
	return made;
}

/* Does schema reach itself through local references?  seen holds the references on the way. */
static bool
recursive(jv root, jv schema, jv seen, int depth)
{
	bool found = false;

	if (depth > DEPTH)
		return true;
	if (jv_get_kind(schema) == JV_KIND_ARRAY) {
		for (int i = 0, n = jv_array_length(jv_copy(schema)); i < n && !found; i++) {
			jv item = jv_array_get(jv_copy(schema), i);
			found = recursive(root, item, seen, depth + 1);
			jv_free(item);
		}
		return found;
	}
	if (jv_get_kind(schema) != JV_KIND_OBJECT)
		return false;
	for (int i = jv_object_iter(schema); jv_object_iter_valid(schema, i) && !found;
	     i = jv_object_iter_next(schema, i)) {
		jv key = jv_object_iter_key(schema, i), value = jv_object_iter_value(schema, i);
		const char *name = jv_string_value(key);
		bool definitions = strcmp(name, "$defs") == 0 || strcmp(name, "definitions") == 0;
		if (!definitions)
			found = recursive(root, value, seen, depth + 1);
		jv_free(key);
		jv_free(value);
	}
	const char *ref = jvx_text(schema, "$ref");
	if (found || ref == NULL)
		return found;
	jv name = jv_string(ref);
	if (contains(seen, name) || strcmp(ref, "#") == 0) {
		jv_free(name);
		return true;
	}
	jv defs = jv_invalid(), target = jv_invalid();
	if (strncmp(ref, "#/$defs/", 8) == 0) {
		defs = jvx_get(root, "$defs");
		target = jvx_get(defs, ref + 8);
	} else if (strncmp(ref, "#/definitions/", 14) == 0) {
		defs = jvx_get(root, "definitions");
		target = jvx_get(defs, ref + 14);
	}
	jv path = jv_array_append(jv_copy(seen), name);
	found = recursive(root, target, path, depth + 1);
	jv_free(path);
	jv_free(defs);
	jv_free(target);
	return found;
}

jv
wire_schema(jv schema, enum wire_subset subset)
{
	static const int who[] = {[WIRE_OPENAI] = O, [WIRE_ANTHROPIC] = A, [WIRE_GEMINI] = G};

	if (subset == WIRE_WHOLE)
		return jv_copy(schema);
	struct maker m = {.who = who[subset], .root = schema};
	jv none = jv_array();
	bool cyclic = subset == WIRE_ANTHROPIC && recursive(schema, schema, none, 0);
	jv_free(none);
	if (cyclic)
		return jv_invalid();
	jv made = make(&m, schema);
	jv any = jvx_get(made, "anyOf");
	bool rootless = subset == WIRE_OPENAI && (jv_is_valid(any) || !is_object(made));
	jv_free(any);
	if (!m.impossible && !rootless)
		return made;
	jv_free(made);
	return jv_invalid();
}

/* The schema that a local reference stands for; schema (consumed) itself when it is none. */
static jv
resolve(jv root, jv schema)
{
	for (int i = 0; i < DEPTH; i++) {
		const char *ref = jvx_text(schema, "$ref");
		bool defs = ref != NULL && strncmp(ref, "#/$defs/", 8) == 0;
		bool old = ref != NULL && strncmp(ref, "#/definitions/", 14) == 0;
		if (!defs && !old)
			break;
		jv table = jvx_get(root, defs ? "$defs" : "definitions");
		jv target = jvx_get(table, ref + (defs ? 8 : 14));
		jv_free(table);
		jv_free(schema);
		schema = target;
	}
	return schema;
}

static jv
drop(jv root, jv schema, jv value, int depth)
{
	if (depth > DEPTH || jv_get_kind(schema) != JV_KIND_OBJECT) {
		jv_free(schema);
		return value;
	}
	schema = resolve(root, schema);
	if (jv_get_kind(value) == JV_KIND_ARRAY) {
		jv items = jvx_get(schema, "items");
		for (int i = 0, n = jv_array_length(jv_copy(value)); i < n; i++) {
			jv item = jv_array_get(jv_copy(value), i);
			value = jv_array_set(value, i, drop(root, jv_copy(items), item, depth + 1));
		}
		jv_free(items);
	}
	jv properties = jvx_get(schema, "properties"), required = jvx_get(schema, "required");
	if (jv_get_kind(value) == JV_KIND_OBJECT && jv_get_kind(properties) == JV_KIND_OBJECT) {
		for (int i = jv_object_iter(properties); jv_object_iter_valid(properties, i);
		     i = jv_object_iter_next(properties, i)) {
			jv key = jv_object_iter_key(properties, i);
			jv held = jv_object_get(jv_copy(value), jv_copy(key));
			if (jv_get_kind(held) == JV_KIND_NULL && !contains(required, key)) {
				value = jv_object_delete(value, key);
			} else if (jv_is_valid(held)) {
				jv inner = jv_object_iter_value(properties, i);
				held = drop(root, inner, held, depth + 1);
				value = jv_object_set(value, key, jv_copy(held));
			} else {
				jv_free(key);
			}
			jv_free(held);
		}
	}
	jv_free(properties);
	jv_free(required);
	jv_free(schema);
	return value;
}

jv
wire_drop_nulls(jv schema, jv value)
{
	return drop(schema, jv_copy(schema), value, 0);
}
