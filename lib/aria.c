#include "aria.h"

#include <string.h>

/* The texts of a page, one a line: what there is until roles are computed. */
static void
texts(const struct dom_node *n, struct buf *yaml)
{
	for (const struct dom_node *c = n->first; c; c = c->next) {
		if (c->name.at == NULL && strspn(c->text.at, " \n\t") < c->text.len) {
			buf_text(yaml, "- text: ");
			buf_add(yaml, c->text.at, c->text.len);
			buf_byte(yaml, '\n');
		}
		if (c->name.at && !dom_is(c, "HEAD") && !dom_is(c, "STYLE"))
			texts(c, yaml);
	}
}

bool
aria_snapshot(const struct dom *d, const char *frame, struct buf *yaml)
{
	struct dom_tree *t = dom_tree(d, frame);

	if (t == NULL)
		return false;
	texts(t->root, yaml);
	dom_tree_free(t);
	return true;
}

bool
aria_stitched(const struct dom *d, const char *frame, struct buf *yaml)
{
	return aria_snapshot(d, frame, yaml);
}
