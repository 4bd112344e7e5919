#ifndef TELL_H
#define TELL_H

/* tell: one member as records: its lines, or the whole of it as a resource. */
#include <stdint.h>

#include "source.h"

struct tell {
	uint64_t inline_max; /* bytes of an inlined resource */
	bool binaries;       /* inline pictures and the like too */
	const char *operand; /* for messages */
	bool failed;         /* something could not be read */
};

void tell_warning(const char *code, const char *message, const char *where);

/* name is the member's name as the records give it. */
void tell_lines(struct tell *t, const struct source *s, const struct member *m, const char *name);
void tell_document(
    struct tell *t, const struct source *s, const struct member *m, const char *name);
void tell_resource(
    struct tell *t, const struct source *s, const struct member *m, const char *name);

#endif
