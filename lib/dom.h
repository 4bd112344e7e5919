#ifndef DOM_H
#define DOM_H

/*
 * dom: the pages of a Playwright trace, rebuilt from its DOM snapshots.
 *
 * A snapshot is the difference to earlier ones of its frame: what did not change is a reference.
 * dom_add() keeps bytes and decodes nothing; dom_tree() decodes what the latest snapshot of a frame
 * reaches.  Memory is bounded (DOM_KEEP, whatever the trace holds): of old snapshots only what the
 * latest one reaches stays for certain, and a frame that does not fit, or was not seen for longest,
 * loses its tree.  Snapshots are hostile: a bad reference is nothing, depth and size are bounded.
 */
#include <stdbool.h>
#include <stddef.h>

#include "buf.h"
#include "scan.h"

enum {
	DOM_KEEP = 24 << 20,  /* bytes of snapshots that are kept, over all frames */
	DOM_FRAMES = 500,     /* that are known at a time: those seen last */
	DOM_NODES = 200000,   /* of one tree; what is beyond is left out */
	DOM_DEPTH = 1000,     /* Playwright itself gives up at about 290 */
	DOM_ATTRS = 256,      /* of one element */
	DOM_SHEETS = 4 << 20, /* bytes of style sheets that are kept */
};

struct dom;

struct dom *dom_new(void);
void dom_free(struct dom *d);

/* Another .trace member begins: references do not reach back over it. */
void dom_member(struct dom *d);

/*
 * The "snapshot" of a frame-snapshot record, checked JSON, in file order; false: it is none.  known
 * is a part of it whose end need not be looked for (see scan_each), or absent.
 */
bool dom_add(struct dom *d, struct span snapshot, struct span known);

/*
 * Style sheets are not in the snapshots but in resources.  A network entry says which resource
 * (sha1 or file, with or without its folder) answered an URL; a resource brings the text.  Both in
 * any order, before the trees are read; of an URL the last entry counts.  dom_sheet() is false when
 * the text does not fit into DOM_SHEETS.
 */
void dom_sheet_url(struct dom *d, const char *url, const char *resource);
bool dom_sheet(struct dom *d, const char *resource, const char *css, size_t len);

/* The latest snapshot of a frame; texts are never NULL, but may be empty. */
struct dom_frame {
	char *page, *frame; /* ids */
	char *url;
	char *call, *phase; /* "before", "action", "after"; "input" up to format 8 */
	double time;        /* milliseconds of the recorder's monotonic clock */
	double width, height;
	bool main;
	bool live; /* taken together with the latest one of its page's main frame */
};
size_t dom_count(const struct dom *d);
const struct dom_frame *dom_frame(const struct dom *d, size_t i); /* in order of appearance */
bool dom_title(const struct dom *d, const char *frame, struct buf *title); /* false: no title */

struct dom_attr {
	struct span name, value; /* decoded */
};

struct dom_node {
	struct span name; /* of an element as the page has it: "DIV", "svg"; at is NULL in a text */
	struct span text; /* of a text, decoded */
	struct dom_node *parent, *first, *last, *prev, *next;
	struct dom_node *shadow; /* the open shadow root: its parent is the host, it is no child */
	struct dom_node *slot;   /* in the shadow tree of the parent, where this one is shown */
	struct dom_node *assigned, *next_assigned; /* of a slot: what is shown in it */
	struct dom_attr *attrs;
	unsigned attr_count;
	unsigned id; /* 0, 1, ... in document order, shadow roots before children */
};

struct dom_tree {
	struct dom_node *root; /* HTML, mostly */
	const struct dom *dom;
	const struct dom_frame *frame;
	struct dom_node **nodes; /* by id */
	size_t count;
	bool cut;                /* too large or too deep: the rest is left out */
	struct dom_arena *arena; /* what all of it lives in */
};

/* The latest snapshot of a frame; NULL when there is none, or it was too large to keep. */
struct dom_tree *dom_tree(const struct dom *d, const char *frame);
void dom_tree_free(struct dom_tree *t);
void *dom_alloc(struct dom_tree *t, size_t size); /* zeroed, freed with the tree */

bool dom_is(const struct dom_node *n, const char *name);          /* an element of this very name */
struct span dom_attr(const struct dom_node *n, const char *name); /* at is NULL when absent */

/* The style sheet at an absolute URL as this frame saw it; at is NULL when it is not known. */
struct span dom_sheet_at(const struct dom_tree *t, struct span url);

#endif
