#ifndef PRINT_H
#define PRINT_H

/* print: a tally for programs (records) and for people. */
#include "tally.h"

void print_records(const struct tally *t, const struct check checks[CHECKS]);
void print_table(const struct tally *t, const struct check checks[CHECKS]);
void print_markdown(const struct tally *t, const struct check checks[CHECKS]);
void print_tsv(const struct tally *t);
void print_svg(const struct tally *t);
void print_mermaid(const struct tally *t);

#endif
