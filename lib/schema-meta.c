#include "schema-meta.h"

#include <stddef.h>
#include <string.h>

// clang-format off: it cannot lay out JSON
/* JSON in C without a backslash before each quote: '...' is turned into "..." by the stringizer. */
#define JSON(...) #__VA_ARGS__

/* What both drafts say of a keyword's value, S being the reference to a whole schema. */
#define COMMON(S)                                                                                  \
	JSON("$comment"                                                                            \
	     : {"type" : "string"}, "title"                                                        \
	     : {"type" : "string"}, "description"                                                  \
	     : {"type" : "string"}, "default"                                                      \
	     : true, "readOnly"                                                                    \
	     : {"type" : "boolean"}, "writeOnly"                                                   \
	     : {"type" : "boolean"}, "examples"                                                    \
	     : {"type" : "array"}, "multipleOf"                                                    \
	     : {"type" : "number", "exclusiveMinimum" : 0}, "maximum"                              \
	     : {"type" : "number"}, "exclusiveMaximum"                                             \
	     : {"type" : "number"}, "minimum"                                                      \
	     : {"type" : "number"}, "exclusiveMinimum"                                             \
	     : {"type" : "number"}, )                                                              \
	JSON("maxLength"                                                                           \
	     : {"$ref" : "#/$defs/count"}, "minLength"                                             \
	     : {"$ref" : "#/$defs/count"}, "maxItems"                                              \
	     : {"$ref" : "#/$defs/count"}, "minItems"                                              \
	     : {"$ref" : "#/$defs/count"}, "maxProperties"                                         \
	     : {"$ref" : "#/$defs/count"}, "minProperties"                                         \
	     : {"$ref" : "#/$defs/count"}, "uniqueItems"                                           \
	     : {"type" : "boolean"}, "required"                                                    \
	     : {"$ref" : "#/$defs/names"}, "pattern"                                               \
	     : {"type" : "string", "format" : "regex"}, "format"                                   \
	     : {"type" : "string"}, "contentMediaType"                                             \
	     : {"type" : "string"}, "contentEncoding"                                              \
	     : {"type" : "string"}, "const"                                                        \
	     : true, "enum"                                                                        \
	     : {"type" : "array"}, )                                                               \
	JSON("type"                                                                                \
	     : {                                                                                   \
		     "anyOf" : [                                                                   \
			     {"$ref" : "#/$defs/kind"}, {                                          \
				     "type" : "array",                                             \
				     "items" : {"$ref" : "#/$defs/kind"},                          \
				     "minItems" : 1,                                               \
				     "uniqueItems" : true                                          \
			     }                                                                     \
		     ]                                                                             \
	     }, )                                                                                  \
	"\"definitions\":" MAP_OF(S) ",\"properties\":" MAP_OF(                                    \
	    S) ",\"patternProperties\":" MAP_OF(S) ",\"additionalProperties\":" S                  \
						   ",\"propertyNames\":" S ",\"contains\":" S      \
						   ",\"if\":" S ",\"then\":" S ",\"else\":" S      \
						   ",\"not\":" S                                   \
						   ",\"allOf\":" LIST_OF(S) ",\"anyOf\":" LIST_OF( \
						       S) ",\"oneOf\":" LIST_OF(S)
#define MAP_OF(S) "{\"type\":\"object\",\"additionalProperties\":" S "}"
#define LIST_OF(S) "{\"type\":\"array\",\"minItems\":1,\"items\":" S "}"
#define SHARED                                                                                     \
	JSON("count"                                                                               \
	     : {"type" : "integer", "minimum" : 0}, "names"                                        \
	     : {"type" : "array", "items" : {"type" : "string"}, "uniqueItems" : true}, "kind"     \
	     : {"enum" : [ "array", "boolean", "integer", "null", "number", "object", "string" ]})

#define SELF_7 "{\"$ref\":\"#\"}"
static const char draft7[] =
    "{\"$schema\":\"" SCHEMA_META_7 "#\",\"$id\":\"" SCHEMA_META_7 "#\","
    "\"type\":[\"object\",\"boolean\"],\"$defs\":{" SHARED "},\"properties\":{" COMMON(SELF_7)
	JSON(, "$id"
	     : {"type" : "string", "format" : "uri-reference"}, "$schema"
	     : {"type" : "string", "format" : "uri"}, "$ref"
	     : {
		     "type" : "string",
		     "format" : "uri-reference"
	     }, ) "\"items\":{\"anyOf\":[" SELF_7
		  "," LIST_OF(SELF_7) "]},\"additionalItems\":" SELF_7
				      ",\"dependencies\":{\"type\":\"object\","
				      "\"additionalProperties\":{\"anyOf\":[" SELF_7
				      ",{\"$ref\":\"#/$defs/names\"}]}}}}";

#define SELF_2020 "{\"$dynamicRef\":\"#meta\"}"
static const char draft2020[] =
    "{\"$schema\":\"" SCHEMA_META_2020_12 "\",\"$id\":\"" SCHEMA_META_2020_12 "\","
    "\"$dynamicAnchor\":\"meta\",\"type\":[\"object\",\"boolean\"],\"$defs\":{" SHARED JSON(
	, "anchor"
	: {"type" : "string", "pattern" : "^[A-Za-z_][-A-Za-z0-9._]*$"}, "reference"
	: {"type" : "string", "format" : "uri-reference"}) "},\"properties\":{" COMMON(SELF_2020)
	JSON(
	    , "$id"
	    : {"$ref" : "#/$defs/reference", "pattern" : "^[^#]*#?$"}, "$schema"
	    : {"type" : "string", "format" : "uri"}, "$ref"
	    : {"$ref" : "#/$defs/reference"}, "$dynamicRef"
	    : {"$ref" : "#/$defs/reference"}, "$anchor"
	    : {"$ref" : "#/$defs/anchor"}, "$dynamicAnchor"
	    : {"$ref" : "#/$defs/anchor"}, "$vocabulary"
	    : {"type" : "object", "additionalProperties" : {"type" : "boolean"}}, "maxContains"
	    : {"$ref" : "#/$defs/count"}, "minContains"
	    : {"$ref" : "#/$defs/count"}, "dependentRequired"
	    : {"type" : "object", "additionalProperties" : {"$ref" : "#/$defs/names"}}, "deprecated"
	    : {
		    "type" : "boolean"
	    }, ) "\"$defs\":" MAP_OF(SELF_2020) ",\"prefixItems\":" LIST_OF(SELF_2020) ",\"items\""
										       ":" SELF_2020
										       ",\"unevalua"
										       "tedItems\""
										       ":" SELF_2020
										       ",\"unevalua"
										       "tedProperti"
										       "es\""
										       ":" SELF_2020
										       ",\"dependen"
										       "tSchemas\""
										       ":" MAP_OF(
											   SELF_2020) ",\"contentSchema\":" SELF_2020
												      "}}";

// clang-format on
#define VOCABULARY "https://json-schema.org/draft/2020-12/meta/"

const char *
schema_meta(const char *uri)
{
	size_t len = strcspn(uri, "#");

	if (len == strlen(SCHEMA_META_7) && memcmp(uri, SCHEMA_META_7, len) == 0)
		return draft7;
	/* A vocabulary's own metaschema asks less than the whole: the whole serves for each. */
	if (strncmp(uri, VOCABULARY, strlen(VOCABULARY)) == 0)
		return draft2020;
	if (len == strlen(SCHEMA_META_2020_12) && memcmp(uri, SCHEMA_META_2020_12, len) == 0)
		return draft2020;
	return NULL;
}
