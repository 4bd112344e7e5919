#ifndef TABLE_H
#define TABLE_H

/* table: the records of one trace for people.  The last line is the verdict. */
#include <jv.h>
#include <stdio.h>

void table_print(jv records, const char *name, FILE *out); /* name may be NULL */

#endif
