#ifndef LEXICON_H
#define LEXICON_H

/*
 * lexicon: regular expressions for prose, kept in YAML the way people read and add them.
 *
 * A heading holds a block of rows, and "words" names what rows share; lib/claims.yaml is one and
 * begins with the notation.  The file is the suite's own: what is wrong with it ends the program.
 */
#include <jv.h>
#include <stddef.h>

/* One of the suite's data files ("lib/claims.yaml"); yours to jv_free(). */
jv lexicon_read(const char *name);

/* The rows under a heading as patterns for PCRE2; *count of them, each and all yours to free(). */
char **lexicon_rows(jv lexicon, const char *heading, size_t *count);

#endif
