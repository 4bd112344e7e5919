#ifndef SOURCE_H
#define SOURCE_H

/* source: the lines of a test, out of a checkout. */
#include <jv.h>

struct checkout;

/* A folder; what git tracks there at HEAD is what there is. NULL when git knows nothing of it. */
struct checkout *checkout_open(const char *folder);
void checkout_close(struct checkout *c);

/* The body of the test that begins at line of file (named as a report does); invalid: not found. */
jv source_of_test(const struct checkout *c, const char *file, long line);

#endif
