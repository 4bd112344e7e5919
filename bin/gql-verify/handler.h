#ifndef HANDLER_H
#define HANDLER_H

/*
 * handler: which operation names a mock's handler looks for, read from its JavaScript or
 * TypeScript, without running any of it.
 *
 * Found are comparisons with operationName (or what was assigned from it), switch cases, lists and
 * tables looked up by it, names searched for in the request's body, and operationName members.
 */
#include <jv.h>
#include <stddef.h>

/*
 * text is a piece of a source file that begins with line first.  The handler is that of the call
 * to route() on the given line.  An array of the names, empty when none are compared.
 */
jv handler_names(const char *text, size_t len, size_t first, size_t line);

/*
 * Every string (quoted, or a plain regular expression) that a statement with expect( hopes to
 * see; negated ones are left out.  Appends to texts, which is consumed.
 */
jv handler_expected(const char *text, size_t len, jv texts);

#endif
