#ifndef SCHEMA_META_H
#define SCHEMA_META_H

/*
 * schema-meta: the metaschemas of the two drafts: which values the keywords take, written down from
 * the specifications.  2020-12's stands as one resource, without its division into vocabularies.
 */
#define SCHEMA_META_7 "http://json-schema.org/draft-07/schema"
#define SCHEMA_META_2020_12 "https://json-schema.org/draft/2020-12/schema"

/* The JSON text of a metaschema; NULL when the URI (without fragment) names none. */
const char *schema_meta(const char *uri);

#endif
