#ifndef MEASURE_H
#define MEASURE_H

/* measure: the agreement record of one field. */
#include <jv.h>
#include <stdint.h>

#include "sheet.h"

/* What is undefined is left out.  seed is that of the bootstrap over units. */
jv measure(const struct field *f, uint64_t seed);

#endif
