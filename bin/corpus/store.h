#ifndef STORE_H
#define STORE_H

/*
 * store: what is known of one agent, in a folder of its own.
 *
 *	FOLDER/AGENT/scenarios/NAME.yaml   a scenario a file, which people edit and delete
 *	FOLDER/AGENT/known.ndjson          known and cluster records, and the batches that are in it
 *
 * known.ndjson is replaced as a whole under a lock, so that a reader sees the state before an
 * update or after it, and of two updates at once neither is lost.  A scenario's file is written
 * before the state that speaks of it; it is never written again.
 */
#include <jv.h>
#include <stdbool.h>

#include "buf.h"

struct store {
	char *folder; /* FOLDER/AGENT */
	jv scenarios; /* records by id */
	jv known;     /* known records by scenario */
	jv clusters;  /* cluster records by id */
	jv batches;   /* ids, the last MANY */
	int lock;
	bool writes; /* to look only: store_keep() makes no file */
	bool whole;  /* every file could be read; those that could not were told */
};

enum store_use { STORE_READ, STORE_WRITE };

/* Lock and read; the folder is made for STORE_WRITE.  What stops the work ends the program. */
struct store *store_open(const char *folder, const char *agent, enum store_use use);
void store_save(struct store *s); /* known, clusters, batches */
/* Write a scenario's file, unless there is one; record is not consumed. */
void store_keep(struct store *s, jv record);
void store_close(struct store *s);

bool store_has_batch(const struct store *s, const char *id);

#endif
