/* yamlx: the core schema of YAML 1.2.2 section 10.3, and what is refused. */
#include "yamlx.h"

#include <string.h>

#include "jvx.h"
#include "tap.h"

static void
reads(const char *yaml, const char *want)
{
	struct yamlx_error error;
	struct buf b = {0};
	jv v = yamlx_parse(yaml, strlen(yaml), &error);

	if (jv_is_valid(v))
		jvx_write(v, &b);
	else
		buf_format(&b, "line %zu: %s", error.line, error.why);
	if (!tap_ok(strcmp(b.data, want) == 0, want))
		printf("# got %s\n", b.data);
	jv_free(v);
	buf_free(&b);
}

/* What is written is what is read. */
static void
returns(const char *json)
{
	struct yamlx_error error;
	struct buf yaml = {0}, again = {0};
	jv v = jvx_parse(json, strlen(json), NULL);

	yamlx_write(v, NULL, &yaml);
	jv read = yamlx_parse(yaml.data, yaml.len, &error);
	if (jv_is_valid(read))
		jvx_write(read, &again);
	else
		buf_format(&again, "line %zu: %s", error.line, error.why);
	if (!tap_ok(strcmp(again.data, json) == 0, json))
		printf("# written %s# got %s\n", yaml.data, again.data);
	jv_free(v);
	jv_free(read);
	buf_free(&yaml);
	buf_free(&again);
}

static void
writes(void)
{
	static const char *const first[] = {"id", "turns", NULL};
	struct buf b = {0};
	const char *json = "{\"a\":1,\"turns\":[\"x: y\"],\"id\":\"a-b\"}";
	jv v = jvx_parse(json, strlen(json), NULL);

	yamlx_write(v, first, &b);
	tap_ok(strcmp(b.data, "id: a-b\nturns: [\"x: y\"]\na: 1\n") == 0, "first things first");
	jv_free(v);
	buf_free(&b);
	returns("{}");
	returns("[]");
	returns("\"no\"");
	returns(
	    "[\"1\",\"0x1F\",\"null\",\"~\",\"\",\" \",\"- a\",\"a: b\",\"a #b\",\"2024-01-01\"]");
	returns("[1,-2.5,true,false,null,[[],{}],{\"\":{\"a b\":[]}}]");
	returns("{\"yes\":\"line\\nline\\t\\\"q\\\" \\\\ end\",\"z\":\"B\u20131O42\"}");
	returns("[\"\\u0000\\u001b\\u007f\"]");
	returns("[\"\xc2\x85\xe2\x80\xa8\xef\xbb\xbf\xf0\x9f\x98\x80\"]");
	returns(
	    "[[[\"a long text in a list in a list in a list, longer than what fits in a line of 72 "
	    "letters\"],{\"b\":[{\"c\":\"and another long text, so that it is written as a block "
	    "and "
	    "not as a flow\"}]}]]");
}

int
main(void)
{
	reads("a: 1\nb: [true, no, ~, 0x1F, 0o17, -1.5e3, '1', .5]\n",
	    "{\"a\":1,\"b\":[true,\"no\",null,31,15,-1500,\"1\",0.5]}");
	reads("a: |\n  x\n  y\nb: >-\n  x\n  y\n", "{\"a\":\"x\\ny\\n\",\"b\":\"x y\"}");
	reads("- 1.2.3\n- 1-2\n- e5\n- .\n- +\n- 12e\n- 2024-01-01\n",
	    "[\"1.2.3\",\"1-2\",\"e5\",\".\",\"+\",\"12e\",\"2024-01-01\"]");
	reads("a:\n", "{\"a\":null}");
	reads("\"\\u00e9\\x41\"", "\"\xc3\xa9"
				  "A\"");
	reads("a: 1\na: 2\n", "line 2: a key twice");
	reads("a: &x 1\nb: *x\n", "line 2: an alias");
	reads("? [a]\n: 1\n", "line 1: a key that is no scalar");
	reads("a: !!binary aGk=\n", "{\"a\":\"aGk=\"}");
	reads("a: !php/object x\n", "line 1: a tag that is not of the core schema");
	reads("a: 1\n---\nb: 2\n", "line 2: more than one document");
	reads("", "line 1: empty");
	struct buf deep = {0};
	for (int i = 0; i < 65; i++)
		buf_text(&deep, "[");
	reads(deep.data, "line 1: nested too deeply");
	buf_free(&deep);

	struct yamlx_error error;
	size_t body = 0;
	const char *page = "---\nname: x\n---\ntext\n";
	jv front = yamlx_front(page, strlen(page), &body, &error);
	tap_ok(
	    jvx_text(front, "name") != NULL && strcmp(page + body, "text\n") == 0, "front matter");
	jv_free(front);
	front = yamlx_front("text\n", 5, &body, &error);
	tap_ok(!jv_is_valid(front) && strcmp(error.why, "no front matter") == 0, "none");
	jv_free(front);
	writes();
	return tap_done();
}
