#ifndef TELL_H
#define TELL_H

/* tell: a call's records, and its span. */
#include "call.h"

jv tell_begin(const struct call *c, const char *type); /* what all its records have */
jv tell_answer(const struct call *c);
jv tell_model(const struct call *c);                /* who was asked */
jv tell_usage(const struct call *c);                /* invalid: nobody knows */
void tell_add(struct call *c, jv record);           /* to c->records; record is consumed */
void tell_span(struct call *c, const char *reason); /* of giving up; NULL: it was answered */

#endif
