#ifndef AXES_H
#define AXES_H

/* axes: five marks for an answer, 0 to 2 each, with the reason for each. */
#include "buf.h"
#include "golden.h"
#include "method.h"

enum { AXIS_CAUSE, AXIS_FIX, AXIS_EVIDENCE, AXIS_ANTIPATTERN, AXIS_PHASES, AXES };
extern const char *const axis_names[AXES];

enum antipattern_rule {
	RULE_CONCLUDED, /* a phrase counts where it is asserted as a conclusion or a fix */
	RULE_PLAIN,     /* anywhere, as a substring */
};

struct axis {
	int score;
	bool ask; /* the score is provisional: a person has to look */
	struct buf why;
};

void axes_mark(struct axis axes[AXES], const struct golden *g, const struct method *m,
    enum antipattern_rule rule);
void axes_free(struct axis axes[AXES]);

#endif
