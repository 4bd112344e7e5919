#ifndef TRACENAME_H
#define TRACENAME_H

/*
 * tracename: is that the trace which a report speaks of?
 *
 * A trace is called by the operand it was read from, less ".zip" and a last "/trace"; a report has
 * its path on the machine that recorded it.
 */

/* In how many whole path segments, from the end, the name and the path are the same. */
unsigned tracename_agreement(const char *name, const char *path);

#endif
