#ifndef SIEVE_H
#define SIEVE_H

/*
 * sieve: which of many regular expressions a text can match at all, told by one pass over it.
 *
 * Each pattern names what no match of it can lack: "\b(?:test|spec)s? ran too early\b" needs "test"
 * or "spec" at the beginning of a word, and "ran too early".  These literals are read out of the
 * patterns, whoever wrote them, and sought together (Aho and Corasick).  What is not understood of
 * a pattern needs nothing, so that a gate may stay open for nothing but is never closed to a match.
 */
#include <stddef.h>

struct sieve;

/* The patterns are PCRE2's, without flags but caseless; they need not be kept. */
struct sieve *sieve_new(char *const patterns[], size_t count);
void sieve_free(struct sieve *g);

/* The numbers of the patterns that the text may match, ascending, in open (room for all of them);
 * how many. */
size_t sieve_passing(struct sieve *g, const char *text, size_t len, size_t open[]);

#endif
