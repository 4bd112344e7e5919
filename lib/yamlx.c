#include "yamlx.h"

#include <err.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "buf.h"
#include "jvx.h"
#include "prog.h"

enum { DEPTH = 64, FILE_BYTES = 16 << 20 };

struct reader {
	yaml_parser_t parser;
	yaml_event_t event;
	struct yamlx_error *error;
	int depth;
};

static jv
refuse(struct reader *r, size_t line, const char *why)
{
	if (r->error->why[0] == '\0') {
		r->error->line = line + 1;
		snprintf(r->error->why, sizeof r->error->why, "%s", why);
	}
	return jv_invalid();
}

static bool
step(struct reader *r)
{
	yaml_event_delete(&r->event);
	if (yaml_parser_parse(&r->parser, &r->event))
		return true;
	memset(&r->event, 0, sizeof r->event);
	jv_free(refuse(
	    r, r->parser.problem_mark.line, r->parser.problem ? r->parser.problem : "not YAML"));
	return false;
}

/* YAML 1.2.2 section 10.3.2, the core schema; hexadecimal and octal included. */
static jv
plain_scalar(const char *s)
{
	static const char *const nulls[] = {"", "~", "null", "Null", "NULL"};
	static const char *const trues[] = {"true", "True", "TRUE"};
	static const char *const falses[] = {"false", "False", "FALSE"};
	char *end;

	for (size_t i = 0; i < sizeof nulls / sizeof *nulls; i++)
		if (strcmp(s, nulls[i]) == 0)
			return jv_null();
	for (size_t i = 0; i < sizeof trues / sizeof *trues; i++) {
		if (strcmp(s, trues[i]) == 0)
			return jv_true();
		if (strcmp(s, falses[i]) == 0)
			return jv_false();
	}
	if (strncmp(s, "0x", 2) == 0 && s[2] != '\0' &&
	    strspn(s + 2, "0123456789abcdefABCDEF") == strlen(s + 2))
		return jv_number((double)strtoull(s + 2, NULL, 16));
	if (strncmp(s, "0o", 2) == 0 && s[2] != '\0' && strspn(s + 2, "01234567") == strlen(s + 2))
		return jv_number((double)strtoull(s + 2, NULL, 8));
	const char *digits = s + (*s == '-' || *s == '+');
	if (strspn(s, "+-.0123456789eE") == strlen(s) && strpbrk(digits, "0123456789") != NULL &&
	    (*digits == '.' || (*digits >= '0' && *digits <= '9'))) {
		double n = strtod(s, &end);
		if (*end == '\0')
			return jv_number(n);
	}
	return jv_string(s);
}

static jv value(struct reader *r);

static jv
mapping(struct reader *r)
{
	jv made = jv_object();

	while (step(r) && r->event.type != YAML_MAPPING_END_EVENT) {
		size_t line = r->event.start_mark.line;
		if (r->event.type != YAML_SCALAR_EVENT) {
			jv_free(made);
			return refuse(r, line, "a key that is no scalar");
		}
		jv key = jv_string_sized(
		    (const char *)r->event.data.scalar.value, (int)r->event.data.scalar.length);
		if (jv_object_has(jv_copy(made), jv_copy(key))) {
			jv_free(key);
			jv_free(made);
			return refuse(r, line, "a key twice");
		}
		jv v = step(r) ? value(r) : jv_invalid();
		if (!jv_is_valid(v)) {
			jv_free(key);
			jv_free(made);
			return v;
		}
		made = jv_object_set(made, key, v);
	}
	if (r->event.type == YAML_MAPPING_END_EVENT)
		return made;
	jv_free(made);
	return jv_invalid();
}

static jv
sequence(struct reader *r)
{
	jv made = jv_array();

	while (step(r) && r->event.type != YAML_SEQUENCE_END_EVENT) {
		jv v = value(r);
		if (!jv_is_valid(v)) {
			jv_free(made);
			return v;
		}
		made = jv_array_append(made, v);
	}
	if (r->event.type == YAML_SEQUENCE_END_EVENT)
		return made;
	jv_free(made);
	return jv_invalid();
}

static bool
odd_tag(const yaml_char_t *tag)
{
	return tag != NULL && strncmp((const char *)tag, "tag:yaml.org,2002:", 18) != 0 &&
	       strcmp((const char *)tag, "!") != 0;
}

/* The value whose first event is at hand. */
static jv
value(struct reader *r)
{
	size_t line = r->event.start_mark.line;
	jv made;

	switch (r->event.type) {
	case YAML_SCALAR_EVENT:
		if (odd_tag(r->event.data.scalar.tag))
			return refuse(r, line, "a tag that is not of the core schema");
		if (r->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
		    r->event.data.scalar.tag == NULL)
			return plain_scalar((const char *)r->event.data.scalar.value);
		return jv_string_sized(
		    (const char *)r->event.data.scalar.value, (int)r->event.data.scalar.length);
	case YAML_MAPPING_START_EVENT:
	case YAML_SEQUENCE_START_EVENT:
		if (r->depth == DEPTH)
			return refuse(r, line, "nested too deeply");
		r->depth++;
		made = r->event.type == YAML_MAPPING_START_EVENT ? mapping(r) : sequence(r);
		r->depth--;
		return made;
	case YAML_ALIAS_EVENT: return refuse(r, line, "an alias");
	default: return refuse(r, line, "no value here");
	}
}

static jv
document(struct reader *r)
{
	if (!step(r)) /* stream start */
		return jv_invalid();
	if (!step(r))
		return jv_invalid();
	if (r->event.type == YAML_STREAM_END_EVENT)
		return refuse(r, 0, "empty");
	jv made = step(r) ? value(r) : jv_invalid();
	if (!jv_is_valid(made))
		return made;
	if (!step(r) || !step(r) || r->event.type != YAML_STREAM_END_EVENT) {
		jv_free(made);
		return refuse(r, r->event.start_mark.line, "more than one document");
	}
	return made;
}

jv
yamlx_parse(const char *text, size_t len, struct yamlx_error *error)
{
	struct reader r = {.error = error};

	*error = (struct yamlx_error){0};
	if (!yaml_parser_initialize(&r.parser))
		errx(TROUBLE, "no memory");
	yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, len);
	yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
	jv made = document(&r);
	yaml_event_delete(&r.event);
	yaml_parser_delete(&r.parser);
	return made;
}

jv
yamlx_file(const char *path)
{
	struct buf text = {0};
	struct yamlx_error error;

	if (!buf_file(&text, path, FILE_BYTES)) {
		warn("%s", path);
		buf_free(&text);
		return jv_invalid();
	}
	jv made = yamlx_parse(text.data ? text.data : "", text.len, &error);
	if (!jv_is_valid(made))
		warnx("%s: line %zu: %s", path, error.line, error.why);
	buf_free(&text);
	return made;
}

jv
yamlx_front(const char *text, size_t len, size_t *body, struct yamlx_error *error)
{
	*error = (struct yamlx_error){.line = 1, .why = "no front matter"};
	if (len < 4 || memcmp(text, "---\n", 4) != 0)
		return jv_invalid();
	for (size_t i = 4; i + 3 <= len;) {
		const char *eol = memchr(text + i, '\n', len - i);
		size_t line_len = eol ? (size_t)(eol - (text + i)) : len - i;
		if (line_len == 3 && memcmp(text + i, "---", 3) == 0) {
			*body = eol ? i + 4 : len;
			return yamlx_parse(text + 4, i - 4, error);
		}
		i += line_len + 1;
	}
	snprintf(error->why, sizeof error->why, "front matter without an end");
	return jv_invalid();
}
