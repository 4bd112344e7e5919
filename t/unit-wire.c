/* wire: what each strict mode gets, worked by hand from the table of accepted keywords. */
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "tap.h"
#include "wire.h"

static jv
parse(const char *text)
{
	struct scan_error error;

	return jvx_parse(text, strlen(text), &error);
}

static bool
is(jv got, const char *want)
{
	struct buf b = {0};
	jv expected = parse(want);

	if (jv_is_valid(got))
		jvx_write(got, &b);
	bool same = jv_is_valid(got) && jv_equal(jv_copy(got), jv_copy(expected));
	if (!same)
		printf("# got  %s\n# want %s\n", b.len ? b.data : "nothing", want);
	jv_free(got);
	jv_free(expected);
	buf_free(&b);
	return same;
}

static bool
gives(const char *schema, enum wire_subset subset, const char *want)
{
	jv whole = parse(schema), made = wire_schema(whole, subset);

	jv_free(whole);
	return is(made, want);
}

static bool
impossible(const char *schema, enum wire_subset subset)
{
	jv whole = parse(schema), made = wire_schema(whole, subset);
	bool none = !jv_is_valid(made);

	jv_free(whole);
	jv_free(made);
	return none;
}

static bool
drops(const char *schema, const char *value, const char *want)
{
	jv whole = parse(schema), made = wire_drop_nulls(whole, parse(value));

	jv_free(whole);
	return is(made, want);
}

static const char whole[] =
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/"
    "schema\",\"$id\":\"urn:x\",\"title\":\"T\","
    "\"type\":\"object\",\"required\":[\"a\"],\"minProperties\":1,\"properties\":{"
    "\"a\":{\"type\":\"string\",\"minLength\":2,\"pattern\":\"^x\",\"description\":\"an a\"},"
    "\"b\":{\"type\":\"integer\",\"minimum\":1,\"multipleOf\":2},"
    "\"c\":{\"$ref\":\"#/$defs/c\",\"description\":\"sibling\"},"
    "\"d\":{\"type\":\"array\",\"items\":{\"enum\":[\"u\",\"v\"]},\"minItems\":3,\"uniqueItems\":"
    "true},"
    "\"e\":{\"oneOf\":[{\"const\":\"k\"},{\"type\":\"null\"}]},"
    "\"f\":{\"type\":\"string\",\"format\":\"date\"},\"g\":{\"type\":\"string\",\"format\":\"iri\"}"
    "},"
    "\"$defs\":{\"c\":{\"type\":\"boolean\",\"default\":true}}}";

int
main(void)
{
	tap_ok(
	    gives(whole, WIRE_OPENAI,
		"{\"type\":\"object\",\"additionalProperties\":false,\"description\":"
		"\"(minProperties: 1)\",\"required\":[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\"],"
		"\"properties\":{\"a\":{\"type\":\"string\",\"pattern\":\"^x\",\"description\":"
		"\"an a (minLength: 2)\"},"
		"\"b\":{\"type\":[\"integer\",\"null\"],\"minimum\":1,\"multipleOf\":2},"
		"\"c\":{\"anyOf\":[{\"$ref\":\"#/$defs/c\"},{\"type\":\"null\"}]},"
		"\"d\":{\"type\":[\"array\",\"null\"],\"items\":{\"enum\":[\"u\",\"v\"],\"type\":"
		"\"string\"},\"minItems\":3,\"description\":\"(uniqueItems: true)\"},"
		"\"e\":{\"anyOf\":[{\"anyOf\":[{\"const\":\"k\",\"type\":\"string\"},{\"type\":"
		"\"null\"}]},{\"type\":\"null\"}]},"
		"\"f\":{\"type\":[\"string\",\"null\"],\"format\":\"date\"},"
		"\"g\":{\"type\":[\"string\",\"null\"],\"description\":\"(format: \\\"iri\\\")\"}},"
		"\"$defs\":{\"c\":{\"type\":\"boolean\"}}}"),
	    "OpenAI");
	tap_ok(
	    gives(whole, WIRE_ANTHROPIC,
		"{\"type\":\"object\",\"additionalProperties\":false,\"description\":"
		"\"(minProperties: 1)\",\"required\":[\"a\"],\"properties\":{"
		"\"a\":{\"type\":\"string\",\"description\":\"an a (minLength: 2; "
		""
		"pattern: \\\"^x\\\")\"},"
		"\"b\":{\"type\":\"integer\",\"description\":\"(minimum: 1; multipleOf: 2)\"},"
		"\"c\":{\"$ref\":\"#/$defs/c\"},"
		"\"d\":{\"type\":\"array\",\"items\":{\"enum\":[\"u\",\"v\"],\"type\":\"string\"},"
		"\"description\":\"(minItems: 3; uniqueItems: true)\"},"
		"\"e\":{\"anyOf\":[{\"const\":\"k\",\"type\":\"string\"},{\"type\":\"null\"}]},"
		"\"f\":{\"type\":\"string\",\"format\":\"date\"},"
		"\"g\":{\"type\":\"string\",\"description\":\"(format: \\\"iri\\\")\"}},"
		"\"$defs\":{\"c\":{\"type\":\"boolean\"}}}"),
	    "Anthropic");
	tap_ok(
	    gives(whole, WIRE_GEMINI,
		"{\"type\":\"object\",\"description\":\"(minProperties: 1)\",\"required\":[\"a\"],"
		"\"properties\":{\"a\":{\"type\":\"string\",\"description\":\"an a (minLength: 2; "
		"pattern: \\\"^x\\\")\"},"
		"\"b\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"(multipleOf: 2)\"},"
		"\"c\":{\"$ref\":\"#/$defs/c\"},"
		"\"d\":{\"type\":\"array\",\"items\":{\"enum\":[\"u\",\"v\"],\"type\":\"string\"},"
		"\"minItems\":3,\"description\":\"(uniqueItems: true)\"},"
		"\"e\":{\"anyOf\":[{\"enum\":[\"k\"],\"type\":\"string\"},{\"type\":\"null\"}]},"
		"\"f\":{\"type\":\"string\",\"format\":\"date\"},"
		"\"g\":{\"type\":\"string\",\"description\":\"(format: \\\"iri\\\")\"}},"
		"\"$defs\":{\"c\":{\"type\":\"boolean\"}}}"),
	    "Gemini");
	tap_ok(gives(whole, WIRE_WHOLE, whole), "the whole");
	tap_ok(
	    gives("{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"enum\":[\"x\"]"
		  "}}}",
		WIRE_OPENAI,
		"{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\"a\"],"
		"\"properties\":{\"a\":{\"type\":[\"string\",\"null\"],\"enum\":[\"x\",null]}}}"),
	    "an optional choice may be null");
	tap_ok(impossible("{\"anyOf\":[{\"type\":\"object\"},{\"type\":\"array\"}]}", WIRE_OPENAI),
	    "OpenAI: no choice at the root");
	tap_ok(
	    impossible("{\"type\":\"array\",\"items\":{}}", WIRE_OPENAI), "OpenAI: no array there");
	static const char tree[] =
	    "{\"type\":\"object\",\"properties\":{\"t\":{\"$ref\":\"#/$defs/t\"}},"
	    "\"$defs\":{\"t\":{\"type\":\"object\",\"properties\":{\"l\":{\"$ref\":"
	    "\"#/$defs/t\"}}}}}";
	tap_ok(impossible(tree, WIRE_ANTHROPIC), "Anthropic: no recursion");
	tap_ok(!impossible(tree, WIRE_OPENAI), "OpenAI: recursion");
	tap_ok(impossible(
		   "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#\"}}}", WIRE_ANTHROPIC),
	    "Anthropic: nor by the root");
	struct buf deep = {0};
	for (int i = 0; i < 200; i++)
		buf_text(&deep, "{\"type\":\"object\",\"properties\":{\"a\":");
	buf_text(&deep, "{}");
	for (int i = 0; i < 200; i++)
		buf_text(&deep, "}}");
	tap_ok(impossible(deep.data, WIRE_GEMINI), "what is nested too deeply");
	buf_free(&deep);

	tap_ok(drops(whole, "{\"a\":null,\"b\":null,\"e\":null,\"z\":null}",
		   "{\"a\":null,\"z\":null}"),
	    "nulls of what is optional go");
	tap_ok(
	    drops("{\"properties\":{\"a\":{\"items\":{\"$ref\":\"#/$defs/i\"}}},\"$defs\":{\"i\":{"
		  "\"properties\":{\"x\":{},\"y\":{}},\"required\":[\"y\"]}}}",
		"{\"a\":[{\"x\":null,\"y\":null},{\"x\":1}]}", "{\"a\":[{\"y\":null},{\"x\":1}]}"),
	    "inside lists and references too");
	return tap_done();
}
