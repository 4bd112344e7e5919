#ifndef RUBRIC_H
#define RUBRIC_H

/*
 * rubric: a rule in plain words is held against a transcript by a model, through llm-call.
 *
 * One process for each question, which sees one transcript and one rule: there is nothing that
 * could be remembered.
 */
#include <jv.h>
#include <stdbool.h>
#include <stdio.h>

#include "net.h"

/* The words of llm-call, an array that ends with NULL; the options' words go over into it. */
char **rubric_command(const char *prompt, char *const options[]);

/* A file with the question, for llm-call to read. */
FILE *rubric_question(jv scenario, jv transcript);

/* What came of it, into the judgement (consumed and returned). */
jv rubric_verdict(jv judgement, const struct net_reply *r);

/* It could not judge, and so it did not pass. */
jv rubric_failed(jv judgement, const char *why);

#endif
