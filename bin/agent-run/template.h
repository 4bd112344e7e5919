#ifndef TEMPLATE_H
#define TEMPLATE_H

/*
 * template: a value with places for others.
 *
 * In each of its texts {{NAME}} gives way to the member of that name.  A text that is such a place
 * and nothing besides becomes the value itself, whatever its kind; inside a longer text stands the
 * text, or the JSON of what is none.  Nothing that is put in is looked at again.
 */
#include <jv.h>
#include <stdbool.h>

#include "buf.h"

/* Does every place of the template (not consumed) have a member?  If not, its name is in *name. */
bool template_check(jv template, jv values, char **name);

/* template is consumed, values are not; both passed template_check(). */
jv template_fill(jv template, jv values);

/* Append text with its places filled in as parts of a URL, with %XX. */
void template_url(struct buf *b, const char *text, jv values);
/* The same as JSON: a text with its quotes. */
void template_json(struct buf *b, const char *text, jv values);

#endif
