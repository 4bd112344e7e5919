#ifndef CLOCK_H
#define CLOCK_H

/* clock: the time, for recordings, prices, deadlines and spans; nothing else depends on it. */
#include <jv.h>

double clock_wall_ms(void);   /* since 1970 */
double clock_steady_ms(void); /* of a clock that never jumps */
jv clock_today(void);         /* "2026-11-30T20:00:00Z" */

#endif
