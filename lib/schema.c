#include "schema.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "prog.h"
#include "schema-meta.h"
#include "schema-parts.h"
#include "uri.h"

enum { INDEX_DEPTH = 512, FILE_BYTES = 64 << 20 };

static struct node *node_at(struct schema *s, size_t document, const char *pointer);
static size_t home_of(const struct schema *s, size_t document, const char *pointer);

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

void
schema_token(struct buf *pointer, const char *token, size_t len)
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

const struct anchor *
schema_anchor(const struct schema *s, size_t home, const char *name)
{
	for (size_t i = 0; i < s->anchor_count; i++)
		if (s->anchors[i].home == home && strcmp(s->anchors[i].name, name) == 0)
			return &s->anchors[i];
	return NULL;
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
		schema_token(&at, jv_string_value(name), jvx_length(name));
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
	for (size_t i = 0; i < SCHEMA_RULES && !alone; i++) {
		if (schema_rules[i].shape == PLAIN || schema_rules[i].shape == REFERENCE ||
		    schema_rules[i].shape == REGEX)
			continue;
		if (!(schema_rules[i].drafts & (seven ? D7 : D2020)))
			continue;
		jv inner = jvx_get(value, schema_rules[i].name);
		if (!jv_is_valid(inner)) {
			jv_free(inner);
			continue;
		}
		struct buf at = {0};
		buf_format(&at, "%s/%s", pointer, schema_rules[i].name);
		bool map = schema_rules[i].shape == MAP || schema_rules[i].shape == PATTERNS ||
			   schema_rules[i].shape == DEPENDENCIES;
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
		if (!buf_file(&text, path.data, FILE_BYTES))
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
			a = schema_anchor(s, home_of(s, document, r->pointer), fragment.data);
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
	const char *p = jv_string_value(pattern), *end = p + jvx_length(pattern);

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
	schema_token(&at, name, len);
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
			    s, document, pointer, jv_string_value(name), jvx_length(name));
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

	n->keywords = prog_alloc(SCHEMA_RULES, sizeof *n->keywords);
	for (size_t i = 0; i < SCHEMA_RULES && !s->failed; i++) {
		const struct rule *rule = &schema_rules[i];
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
		*k = (struct keyword){
		    .rule = rule, .value = value, .sorted = jv_invalid(), .owner = n};
		if (strcmp(rule->name, "enum") == 0)
			k->sorted = jv_sort(jv_copy(value), jv_copy(value));
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
	jv_free(k->sorted);
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
