#ifndef ROOTS_H
#define ROOTS_H

/*
 * roots: is a path beneath a folder that may be used?
 *
 * A path is judged as it is written (no "..", no name that begins with a dot but for those allowed,
 * beneath a root), and then walked from that root's descriptor without following a single link.
 */
#include <stdbool.h>
#include <stddef.h>

enum place_kind { PLACE_ANY, PLACE_FILE, PLACE_DIR, PLACE_NEW };

struct roots;

/* Folders that are not there are left out; dots may be NULL; both lists end with NULL. */
struct roots *roots_open(char *const *folders, char *const *dots);
char *const *roots_list(const struct roots *r); /* the real paths, NULL at the end */

/* NULL when path may be used, or why not and at which of its bytes. */
const char *roots_refuse(const struct roots *r, const char *path, enum place_kind kind, size_t *at);

void roots_close(struct roots *r);

#endif
