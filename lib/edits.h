#ifndef EDITS_H
#define EDITS_H

/*
 * edits: places of a text that are to be replaced, found in any order, and views of a text.
 *
 * A view is a text as it reads once one layer of encoding is taken off (JSON escapes, percent,
 * entities, invisible characters).  Edits found in a view are carried back to the text below it, so
 * that every byte outside of them stays as it was.
 */
#include <stdbool.h>
#include <stddef.h>

#include "buf.h"
#include "tags.h"

enum edit_form {
	EDIT_TAG,    /* value is the secret: a tag takes its place */
	EDIT_QUOTED, /* the same, and the tag needs quotes: it was a JSON number */
	EDIT_TEXT,   /* value is the new text */
};

struct edit {
	size_t from, to;
	const char *kind; /* static text */
	enum edit_form form;
	size_t value, len; /* in values */
	size_t slashes;    /* before those quotes, as deep in strings as it is */
};

struct edits { /* zero-initialised is empty */
	struct edit *list;
	size_t count, size;
	struct buf values;
};

void edits_add(struct edits *e, size_t from, size_t to, const char *kind, enum edit_form form,
    const char *value, size_t len);
/* Sort by place; of edits that overlap one remains, which covers all: the longest, then the first.
 */
void edits_settle(struct edits *e);
/* Append text with its edits made; their kinds become those of the tags, where a value had one. */
void edits_apply(struct edits *e, const char *text, size_t len, struct tags *tags, struct buf *out);
void edits_cut(struct edits *e, size_t count); /* drop those after the first count */
void edits_free(struct edits *e);

enum view { VIEW_JSON, VIEW_PERCENT, VIEW_ENTITY, VIEW_VISIBLE };

void view_open(enum view view, const char *text, size_t len, struct buf *out); /* append */
/* Edits from first on are places of the view of text; make them places of text, moved by base. */
void view_back(
    enum view view, const char *text, size_t len, size_t base, struct edits *e, size_t first);

#endif
