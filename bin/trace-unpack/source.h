#ifndef SOURCE_H
#define SOURCE_H

/*
 * source: the members of one operand, a zip or a folder, under names in one form: '/' between the
 * parts, no empty, "." or ".." part, no control bytes, each name once, in order of their bytes.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "zip.h"

struct member {
	char *name;
	uint64_t bytes; /* inflated, as declared */
	bool odd;       /* the name was not in this form */
	bool cut;
	size_t at; /* in the zip, or in the list of paths */
};

struct source {
	struct member *members;
	size_t count;
	size_t repeated; /* members left out because their name was there before */
	uint64_t bytes;  /* of the zip, or of all files */
	/* private */
	struct zip *zip;
	int folder;
	char **paths;
	size_t path_count;
};

struct source *source_zip(struct zip *zip); /* takes the zip, not its descriptor */
/* Everything below path but links; NULL with errno set when it cannot be read. */
struct source *source_folder(const char *path, uint64_t most);
void source_free(struct source *s);

/* As zip_read_*: blocks of one member. */
struct stream;
struct stream *source_open(const struct source *s, const struct member *m);
long source_block(struct stream *in, const char **block, struct zip_fault *fault);
void source_close(struct stream *in);

#endif
