#ifndef ASK_H
#define ASK_H

/* ask: one of the suite's programs, asked a question: records in, records out. */
#include <jv.h>

/*
 * What the program, beside this one, writes when it reads records (an array, not consumed) on
 * standard input: an array of records.  Its last words on standard error are in *error, yours to
 * free, when it did not end well in time.
 */
jv ask(char *const argv[], jv records, char **error);

#endif
