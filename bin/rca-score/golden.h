#ifndef GOLDEN_H
#define GOLDEN_H

/* golden: what a case.yaml says that a right answer is (golden(5)). */
#include <jv.h>
#include <stdbool.h>

struct golden {
	jv value;        /* the mapping */
	char sha256[65]; /* of what it means and of its trace: comments, order and notes do not
			    count */
};

/* Read folder/name/case.yaml; false when there is none, or it is none, which has been said. */
bool golden_read(struct golden *g, const char *folder, const char *name);
void golden_free(struct golden *g);

/* A member as a list of strings: one string is a list of one, all else is empty. */
jv golden_list(const struct golden *g, const char *key);

/* The right answer is that the cause cannot be determined. */
bool golden_undetermined(const struct golden *g);

/* The file to change; NULL where no file of the project is wrong. */
const char *golden_file(const struct golden *g);

#endif
