#ifndef COMMAND_H
#define COMMAND_H

/* command: agents that are programs: a JSON line (or a text) in, a line out. */
#include "trial.h"

/* Have a process where one is kept; false: it is told to reset first, or cannot be started. */
bool command_open(struct trial *t);
void command_say(struct trial *t);
void command_hear(struct trial *t, struct net_reply *r);
/* The end of the trial, a good one if it has no reason. */
void command_close(struct trial *t);

void command_end(struct run *run); /* let the processes go that were kept */

#endif
