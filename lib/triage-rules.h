#ifndef TRIAGE_RULES_H
#define TRIAGE_RULES_H

/*
 * triage-rules: whose failure is it, and will it go away by itself?  Without a model.
 *
 * The owner comes from the error, the test's source and the diff; the behaviour from attempts and
 * history alone.  Each rule that fires multiplies the odds of the owners it speaks for; what
 * messages mean is in lib/triage.yaml, what needs more than one member of the record is here.
 * test-analyse(1) lists the rules.
 */
#include <jv.h>

struct triage_rules;

/* From the file of that form; NULL when it cannot be read or is wrong, which was said. */
struct triage_rules *triage_rules_open(const char *path);
void triage_rules_free(struct triage_rules *r);

/*
 * The prior of an analysis record (borrowed), whose error, diff, test_source, history and attempts
 * are filled in as far as they are known:
 * {"owner_p":{...},"behaviour_p":{...},"owner":...,"behaviour":...,"confidence":...,
 * "rule_ids":[...]}, where the confidence is that of both being right.
 */
jv triage_rules_prior(const struct triage_rules *r, jv analysis);

#endif
