#ifndef TRACENAME_H
#define TRACENAME_H

/*
 * tracename: is that the trace which a report speaks of?
 *
 * A trace is called by the operand it was read from, less ".zip" and a last "/trace"; a report has
 * its path on the machine that recorded it.
 */
#include "scan.h"

/* In how many whole path segments, from the end, the name and the path are the same. */
unsigned tracename_agreement(const char *name, const char *path);

/*
 * p stands before the attachments of a result in Playwright's JSON report: read them to their end.
 * The path of the first that is called "trace" becomes *path, yours to free, unless it has one
 * already.
 */
void tracename_attached(struct scan_pull *p, char **path);

#endif
