#ifndef SCHEMA_PARTS_H
#define SCHEMA_PARTS_H

/* schema-parts: what schema.c compiles and schema-check.c walks; for these two alone. */
#include "buf.h"
#include "re.h"
#include "schema.h"

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
	jv sorted; /* the values of enum, in the order of jv_cmp */
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

struct run;
struct seen;
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

/* In the order in which they are checked. */
enum { SCHEMA_RULES = 45 };
extern const struct rule schema_rules[SCHEMA_RULES];

/* The anchor of that name in a resource, or NULL. */
const struct anchor *schema_anchor(const struct schema *s, size_t home, const char *name);

/* Append "/" and a token of a JSON Pointer, escaped (RFC 6901 section 4). */
void schema_token(struct buf *pointer, const char *token, size_t len);

#endif
