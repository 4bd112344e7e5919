#ifndef CATEGORY_H
#define CATEGORY_H

/* category: the kind of trouble a GraphQL error reports, from its code or else its message. */

/*
 * One of the names of records(5): auth, forbidden, schema-mismatch, bad-input, not-found,
 * rate-limit, service-unavailable, timeout, persisted-query, internal, other.  code and message may
 * be NULL; status is the HTTP status, 0 when unknown.
 */
const char *category_of(const char *code, const char *message, int status);

#endif
