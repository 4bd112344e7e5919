/* old: what formats 1 to 6 write another way. */
#include "segment.h"

bool
read_old(struct segment *s, struct context *c, struct span type, struct span record)
{
	(void)s;
	(void)c;
	(void)type;
	(void)record;
	return false;
}
