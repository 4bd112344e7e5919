#include "prompt.h"

#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "digest.h"
#include "jvx.h"
#include "prog.h"
#include "utf8.h"
#include "yamlx.h"

enum { FILE_BYTES = 4 << 20 };

static void
read_all(const char *path, struct buf *text)
{
	if (!buf_file(text, path, FILE_BYTES))
		err(TROUBLE, "%s", path);
	if (text->len == 0)
		errx(TROUBLE, "%s: empty", path);
	if (utf8_valid(text->data, text->len) != text->len)
		errx(TROUBLE, "%s: not UTF-8", path);
}

/* The file called name beside the file at path. */
static char *
beside(const char *path, const char *name)
{
	struct buf b = {0};
	const char *slash = strrchr(path, '/');

	if (slash != NULL && *name != '/')
		buf_add(&b, path, (size_t)(slash - path) + 1);
	buf_text(&b, name);
	return b.data;
}

static long
whole_number(const char *path, jv front, const char *key, long otherwise, long lo, long hi)
{
	jv value = jvx_get(front, key);
	double n = jv_get_kind(value) == JV_KIND_NUMBER ? jv_number_value(value) : NAN;
	bool absent = !jv_is_valid(value);

	jv_free(value);
	if (absent)
		return otherwise;
	if (!(n >= (double)lo && n <= (double)hi) || n != floor(n))
		errx(TROUBLE, "%s: %s: not a whole number from %ld to %ld", path, key, lo, hi);
	return (long)n;
}

static char *
full_name(const char *path, jv front)
{
	struct buf b = {0};
	const char *name = jvx_text(front, "name"), *text = jvx_text(front, "version");
	double version = jvx_number(front, "version", NAN);

	if (name == NULL || *name == '\0')
		errx(TROUBLE, "%s: no name in the front matter", path);
	if (text == NULL && !(version >= 0))
		errx(TROUBLE, "%s: no version in the front matter", path);
	if (text == NULL)
		buf_format(&b, "%s.v%.15g", name, version);
	else
		buf_format(&b, "%s.%s%s", name, *text == 'v' ? "" : "v", text);
	return b.data;
}

/* Is the file that text holds the one that was meant? */
static void
check_digest(const char *path, const char *file, const char *sha256, const struct buf *text)
{
	char hex[65];

	if (strlen(sha256) != 64 || strspn(sha256, "0123456789abcdef") != 64)
		errx(TROUBLE, "%s: sha256 of %s: not 64 hexadecimal digits", path, file);
	digest_sha256(text->data, text->len, hex);
	if (strcmp(hex, sha256) != 0)
		errx(TROUBLE, "%s: sha256 is %s, and %s wants %s", file, hex, path, sha256);
}

/*
 * A file beside the prompt, as the front matter names it: NAME, or {file: NAME, sha256: HEX}, which
 * holds the file to these bytes.  Its path is yours to free.
 */
static char *
read_named(const char *path, const char *key, jv entry, struct buf *text)
{
	bool plain = jv_get_kind(entry) == JV_KIND_STRING;
	const char *name = plain ? jv_string_value(entry) : jvx_text(entry, "file");
	const char *sha256 = plain ? NULL : jvx_text(entry, "sha256");

	/* A misspelt "sha256" would be a promise that nobody keeps. */
	if (name == NULL || (!plain && (sha256 == NULL || jv_object_length(jv_copy(entry)) != 2)))
		errx(TROUBLE, "%s: %s: not a file name or {file: NAME, sha256: HEX}", path, key);
	char *file = beside(path, name);
	read_all(file, text);
	if (sha256 != NULL)
		check_digest(path, file, sha256, text);
	return file;
}

static void
read_schema(struct prompt *p, const char *path, jv entry)
{
	struct scan_error error;
	struct buf text = {0};
	char why[200], *file = read_named(path, "schema", entry, &text);

	p->schema = jvx_parse(text.data, text.len, &error);
	if (!jv_is_valid(p->schema))
		errx(TROUBLE, "%s: not JSON: %s at byte %zu", file, error.why, error.at + 1);
	struct schema_options options = {.draft = SCHEMA_2020_12};
	p->checker = schema_new(jv_copy(p->schema), &options, why, sizeof why);
	if (p->checker == NULL)
		errx(TROUBLE, "%s: %s", file, why);
	buf_free(&text);
	free(file);
}

static void
append(struct buf *system, const struct buf *text)
{
	buf_text(system, system->len > 0 && system->data[system->len - 1] != '\n' ? "\n\n" : "\n");
	buf_add(system, text->data, text->len);
}

static void
include_all(struct buf *system, const char *path, jv front, char *const steering[])
{
	jv list = jvx_get(front, "include");
	struct buf text = {0};

	if (jv_is_valid(list) && jv_get_kind(list) != JV_KIND_ARRAY)
		errx(TROUBLE, "%s: include: not a list", path);
	for (int i = 0, n = jv_is_valid(list) ? jv_array_length(jv_copy(list)) : 0; i < n; i++) {
		jv entry = jv_array_get(jv_copy(list), i);
		buf_clear(&text);
		free(read_named(path, "include", entry, &text));
		append(system, &text);
		jv_free(entry);
	}
	jv_free(list);
	for (size_t i = 0; steering[i] != NULL; i++) {
		buf_clear(&text);
		read_all(steering[i], &text);
		append(system, &text);
	}
	buf_free(&text);
}

static jv
label_list(const char *path, jv front)
{
	jv list = jvx_get(front, "sections");

	if (!jv_is_valid(list))
		return list;
	if (jv_get_kind(list) != JV_KIND_ARRAY)
		errx(TROUBLE, "%s: sections: not a list of labels", path);
	for (int i = 0; i < jv_array_length(jv_copy(list)); i++) {
		jv label = jv_array_get(jv_copy(list), i);
		if (jv_get_kind(label) != JV_KIND_STRING)
			errx(TROUBLE, "%s: sections: not a list of labels", path);
		jv_free(label);
	}
	return list;
}

static jv
model_options(const char *path, jv front)
{
	jv options = jv_object(), temperature = jvx_get(front, "temperature");
	const char *effort = jvx_text(front, "effort");

	if (jv_is_valid(temperature) && jv_get_kind(temperature) != JV_KIND_NUMBER)
		errx(TROUBLE, "%s: temperature: not a number", path);
	options = jvx_set_text(options, "effort", effort);
	options = jvx_set(options, "temperature", temperature);
	if (jv_object_length(jv_copy(options)) > 0)
		return options;
	jv_free(options);
	return jv_invalid();
}

/* A misspelt member would be a setting that silently does nothing. */
static void
check_members(const char *path, jv front)
{
	static const char *const known[] = {"name", "version", "schema", "model",
	    "max_output_tokens", "max_input_chars", "sections", "retries", "effort", "temperature",
	    "include", "description"};

	for (int i = jv_object_iter(front); jv_object_iter_valid(front, i);
	     i = jv_object_iter_next(front, i)) {
		jv key = jv_object_iter_key(front, i);
		size_t k = 0, count = sizeof known / sizeof *known;
		while (k < count && strcmp(known[k], jv_string_value(key)) != 0)
			k++;
		if (k == count)
			warnx("%s: %s: not a member that prompt(5) knows; ignored", path,
			    jv_string_value(key));
		jv_free(key);
	}
}

struct prompt *
prompt_read(const char *given, char *const steering[])
{
	struct prompt *p = prog_alloc(1, sizeof *p);
	struct yamlx_error error;
	struct buf text = {0}, system = {0};
	size_t body;

	char *path = access(given, F_OK) == 0 ? NULL : prog_data(given);
	if (path == NULL)
		path = prog_copy(given, strlen(given));
	read_all(path, &text);
	digest_sha256(text.data, text.len, p->sha256);
	jv front = yamlx_front(text.data, text.len, &body, &error);
	if (jv_get_kind(front) != JV_KIND_OBJECT)
		errx(TROUBLE, "%s: line %zu: %s", path, error.line,
		    error.why[0] ? error.why : "front matter that is no mapping");
	check_members(path, front);
	p->name = full_name(path, front);
	const char *model = jvx_text(front, "model");
	jv schema = jvx_get(front, "schema");
	p->model = model ? prog_copy(model, strlen(model)) : NULL;
	p->max_output_tokens = whole_number(path, front, "max_output_tokens", 4096, 1, 10000000);
	p->max_input_chars = whole_number(path, front, "max_input_chars", 100000, 1, 100000000);
	p->retries = whole_number(path, front, "retries", 1, 0, 10);
	p->labels = label_list(path, front);
	p->options = model_options(path, front);
	p->schema = jv_invalid();
	if (jv_is_valid(schema))
		read_schema(p, path, schema);
	buf_add(&system, text.data + body, text.len - body);
	include_all(&system, path, front, steering);
	p->system = jv_string_sized(system.data ? system.data : "", (int)system.len);
	jv_free(schema);
	jv_free(front);
	buf_free(&text);
	buf_free(&system);
	free(path);
	return p;
}

bool
prompt_takes(const struct prompt *p, const char *label)
{
	bool found = !jv_is_valid(p->labels);

	for (int i = 0; !found && i < jv_array_length(jv_copy(p->labels)); i++) {
		jv one = jv_array_get(jv_copy(p->labels), i);
		found = strcmp(jv_string_value(one), label) == 0;
		jv_free(one);
	}
	return found;
}

void
prompt_free(struct prompt *p)
{
	free(p->name);
	free(p->model);
	jv_free(p->system);
	jv_free(p->schema);
	if (p->checker != NULL)
		schema_free(p->checker);
	jv_free(p->labels);
	jv_free(p->options);
	free(p);
}
