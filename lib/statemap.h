#ifndef STATEMAP_H
#define STATEMAP_H

/*
 * statemap: what the names of states mean.
 *
 * A map is a YAML file: "states" is a list of {match, state, milestone, layer, tool, terminal,
 * ignore, impact}; match is a pattern of fnmatch(3), and the first that fits a name decides.
 * "required" is the list of milestones that a run should reach, in order.  A name that fits none is
 * itself.
 */
#include <stdbool.h>
#include <stddef.h>

/* Where a repair would be made.  The order is that of the output. */
enum layer {
	PROMPT,
	TOOL_SCHEMA,
	ROUTER,
	HANDOFF,
	POLICY,
	FEEDBACK,
	EXTERNAL,
	LAYERS,
	NO_LAYER = LAYERS
};
extern const char *const layer_names[LAYERS];
enum layer layer_of(const char *name); /* NO_LAYER when it is none; NULL may be asked */

/* A name as the map sees it; one for each distinct name, so that pointers can be compared. */
struct meaning {
	const char *name, *state; /* state is interned: equal states are equal pointers */
	const char *milestone;    /* interned; NULL: serves none */
	enum layer layer;         /* NO_LAYER: not said */
	double impact;            /* NaN: not said */
	bool tool, terminal, ignore, unmapped;
};

struct map;

/* path may be NULL: every name is itself.  What is wrong with the file ends the program. */
struct map *map_read(const char *path);
const struct meaning *map_meaning(struct map *m, const char *name, size_t len);
const char *map_intern(struct map *m, const char *text, size_t len);
const char *const *map_required(const struct map *m, size_t *count);
const char *map_sha256(const struct map *m); /* of the file's bytes; of nothing without one */
size_t map_unmapped(const struct map *m);    /* distinct names that a given map does not know */
void map_free(struct map *m);

#endif
