#ifndef CSS_H
#define CSS_H

/*
 * css: of the computed styles of a page what decides about its text: is an element shown, does it
 * stand in a line, and what do ::before and ::after say.
 *
 * Selectors (level 4, :has() too), the cascade with layers and shadow trees, media queries and
 * var() in content are computed from the STYLE texts, adopted style sheets and linked ones that the
 * trace has.  States that a snapshot does not hold (:hover, :focus) never match; container queries
 * neither.
 */
#include <stdbool.h>

#include "dom.h"

struct css_content {
	struct span text;
	bool block; /* it does not stand in a line */
};

struct css_style {
	enum css_display { CSS_NONE, CSS_CONTENTS, CSS_INLINE, CSS_BLOCK } display;
	bool items;   /* flex or grid: what is in it is CSS_BLOCK */
	bool visible; /* visibility: visible */
	bool skipped; /* content-visibility: hidden: what is in it is not shown */
	const struct css_content *before, *after; /* NULL: none */
	const struct css_content *alt;            /* content of the element itself, as text */
};

struct css;

struct css *css_new(struct dom_tree *t); /* valid as long as the tree is */
const struct css_style *css_style(const struct css *c, const struct dom_node *element);
void css_free(struct css *c);

/* The root of the tree that a node is in: HTML, or a shadow root. */
const struct dom_node *css_scope(const struct css *c, const struct dom_node *n);

/* Where an element is in the flat tree: its slot, the host of its shadow root, or its parent. */
const struct dom_node *css_parent(const struct dom_node *n);

/* Letters compared without case. */
bool css_word(struct span text, const char *lower);

#endif
