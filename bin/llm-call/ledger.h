#ifndef LEDGER_H
#define LEDGER_H

/*
 * ledger: what may still be spent, in this run and in all that share a file.
 *
 * The file is lines of JSON that are only ever appended, under a lock: {"reserve": id, "tokens",
 * "dollars"} before something is sent, {"settle": id, "tokens", "dollars"} after it.  What a killed
 * run reserved stays reserved, and so counts as spent.
 */
#include <stdbool.h>

#include "buf.h"

struct ledger;

/* file NULL: this run alone.  Limits of NaN are none.  label goes into the lines of the file. */
struct ledger *ledger_open(const char *file, const char *label, double tokens, double dollars);

/* False, with the reason, when it would go past a limit; else *id is for ledger_settle(). */
bool ledger_reserve(struct ledger *l, double tokens, double dollars, long *id, struct buf *why);
/* Tokens of NaN: what was reserved counts as spent. */
void ledger_settle(struct ledger *l, long id, double tokens, double dollars);
bool ledger_pending(const struct ledger *l); /* is anything of this run reserved and unsettled? */
void ledger_close(struct ledger *l);

#endif
