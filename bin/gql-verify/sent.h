#ifndef SENT_H
#define SENT_H

/*
 * sent: the GraphQL operations that a request carries, whatever way they were put in.
 *
 * Understood are JSON objects and batches of them, application/graphql, the GraphQL multipart
 * request specification (uploads), form bodies and query strings; documents in full, by hash
 * (automatic persisted queries) or by id.  An operation is an object with operation (its name),
 * kind, fields (root fields, where it has no name), persisted (hash or id), without_query:true;
 * each only where known.
 */
#include <jv.h>
#include <stdbool.h>
#include <stddef.h>

#include "scan.h"

/* True when a URL's path names GraphQL: /graphql, /api/gql, /v1/graphql/... */
bool sent_url_says_graphql(const char *url);

/* Arrays, yours to free; empty when there is no GraphQL.  With hint the URL has said GraphQL. */
jv sent_in_body(const char *text, size_t len, const char *mime, bool hint, bool *batched);
jv sent_in_url(const char *url, bool hint);

/* One operation from an object such as {"query": ..., "variables": ...}; invalid: none. */
jv sent_operation(struct span object, bool hint);

#endif
