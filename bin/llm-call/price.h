#ifndef PRICE_H
#define PRICE_H

/*
 * price: what tokens cost, from a dated table (lib/prices.yaml); an unknown price is NaN, never 0.
 *
 * date is "YYYY-MM-DD".  usage is in normal form and not consumed.
 */
#include <jv.h>

double price_of(jv table, const char *model, const char *date, jv usage);

#endif
