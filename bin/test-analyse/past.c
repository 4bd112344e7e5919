#include "past.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "flake.h"
#include "jvx.h"
#include "prog.h"

static char *
copy(const char *text)
{
	return text == NULL ? NULL : prog_copy(text, strlen(text));
}

static void
entry_free(struct entry *e)
{
	free(e->run_id);
	free(e->at);
	free(e->commit);
	free(e->sig);
}

void
past_free(struct past *p)
{
	for (size_t i = 0; i < p->count; i++)
		entry_free(&p->entry[i]);
	free(p->entry);
	free(p->first_seen_at);
	*p = (struct past){0};
}

static char
letter_of(const char *outcome)
{
	static const struct {
		const char *outcome;
		char letter;
	} names[] = {{"pass", 'P'}, {"fail", 'F'}, {"flaky", 'X'}, {"skip", 'S'}};

	for (size_t i = 0; outcome != NULL && i < sizeof names / sizeof *names; i++)
		if (strcmp(outcome, names[i].outcome) == 0)
			return names[i].letter;
	return '-';
}

static int
by_time(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;
	int by = strcmp(a->at == NULL ? "" : a->at, b->at == NULL ? "" : b->at);
	return by != 0 ? by : strcmp(a->run_id, b->run_id);
}

static int
by_run(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;
	int by = strcmp(a->run_id, b->run_id);
	return by != 0 ? by : (a->came > b->came) - (a->came < b->came);
}

/* Takes e over. */
static void
add(struct past *p, struct entry e)
{
	if ((p->count & (p->count - 1)) == 0)
		p->entry = prog_resize(p->entry, p->count ? 2 * p->count : 1, sizeof *p->entry);
	e.came = p->count;
	p->entry[p->count++] = e;
}

/* The oldest first; of two of one run the first that came. */
static void
sort(struct past *p)
{
	size_t kept = 0;

	if (p->count == 0)
		return;
	qsort(p->entry, p->count, sizeof *p->entry, by_run);
	for (size_t i = 0; i < p->count; i++)
		if (kept > 0 && strcmp(p->entry[kept - 1].run_id, p->entry[i].run_id) == 0)
			entry_free(&p->entry[i]);
		else
			p->entry[kept++] = p->entry[i];
	p->count = kept;
	qsort(p->entry, p->count, sizeof *p->entry, by_time);
}

static void
add_entry(struct past *p, struct span value)
{
	enum { RUN, AT, COMMIT, SIG, OUTCOME, SEQ, NAMES };
	static const char *const names[] = {"run_id", "at", "commit", "sig", "outcome", "seq"};
	struct span found[NAMES];

	scan_members(value, names, found, NAMES);
	if (scan_kind(found[RUN]) != '"')
		return;
	struct entry e = {.run_id = scan_copy(found[RUN])};
	char *outcome = scan_copy(found[OUTCOME]), *seq = scan_copy(found[SEQ]);
	e.at = scan_copy(found[AT]);
	e.commit = scan_copy(found[COMMIT]);
	e.sig = scan_copy(found[SIG]);
	e.letter = letter_of(outcome);
	e.good = e.letter == 'P' || e.letter == 'X' || (seq != NULL && strchr(seq, 'P') != NULL);
	e.bad = e.letter == 'F' || e.letter == 'X' || (seq != NULL && strpbrk(seq, "FT") != NULL);
	add(p, e);
	free(outcome);
	free(seq);
}

void
past_add(struct past *p, struct span record)
{
	struct scan_each it = {0};
	struct span entries = scan_member(record, "entries");
	char *first = scan_copy(scan_member(record, "first_seen_at"));
	double total = scan_number(scan_member(record, "runs_total"), 0);

	if (first != NULL && (p->first_seen_at == NULL || strcmp(first, p->first_seen_at) < 0)) {
		free(p->first_seen_at);
		p->first_seen_at = first;
		first = NULL;
	}
	free(first);
	if (total > (double)p->runs_total && total < 1e9)
		p->runs_total = (size_t)total;
	p->known = true;
	while (scan_kind(entries) == '[' && scan_each(&it, entries))
		add_entry(p, it.value);
}

void
past_close(struct past *p, const struct entry *now)
{
	size_t kept = 0;

	sort(p);
	for (size_t i = 0; i < p->count; i++) {
		struct entry *e = &p->entry[i];
		if (strcmp(e->run_id, now->run_id) == 0 ||
		    (now->at != NULL && e->at != NULL && strcmp(e->at, now->at) > 0))
			entry_free(e);
		else
			p->entry[kept++] = *e;
	}
	p->count = kept;
	p->entry = prog_resize(p->entry, p->count + 1, sizeof *p->entry);
	p->entry[p->count++] = (struct entry){.run_id = copy(now->run_id),
	    .at = copy(now->at),
	    .commit = copy(now->commit),
	    .sig = copy(now->sig),
	    .letter = now->letter,
	    .good = now->good,
	    .bad = now->bad};
}

void
past_letters(struct past *p, const char *letters)
{
	for (size_t i = 0; letters[i] != '\0'; i++) {
		char id[24];
		char c = letters[i] == 'T' ? 'F' : letters[i];
		snprintf(id, sizeof id, "%08zu", i);
		struct entry e = {.run_id = copy(id), .letter = c};
		e.good = c == 'P' || c == 'X';
		e.bad = c == 'F' || c == 'X';
		add(p, e);
	}
	p->known = true;
}

/* The entry passed and failed, or another one of its commit says the opposite. */
static enum evidence
evidence_of(const struct past *p, size_t at, size_t from)
{
	const struct entry *e = &p->entry[at];

	if (e->good && e->bad)
		return EVIDENCE_RETRY;
	if (e->commit == NULL || (!e->good && !e->bad))
		return EVIDENCE_NONE;
	for (size_t i = from; i < at; i++) {
		const struct entry *o = &p->entry[i];
		if (o->commit != NULL && strcmp(o->commit, e->commit) == 0 &&
		    ((o->good && e->bad) || (o->bad && e->good)))
			return EVIDENCE_COMMIT;
	}
	return EVIDENCE_NONE;
}

static const char *
state_of(const struct past *p, const struct judged *j, char now)
{
	bool fresh = p->count == 1 && p->runs_total <= 1;

	if (now == 'F' && flake_streak(j->runs) >= 2)
		return "broken";
	if (j->now != EVIDENCE_NONE && j->before == EVIDENCE_NONE)
		return j->clean >= 5 ? "newly_flaky" : fresh && p->known ? "new" : "unknown_age";
	if (j->now != EVIDENCE_NONE)
		return "known_flaky";
	if (j->before != EVIDENCE_NONE) {
		if (now == 'F')
			return "known_flaky";
		struct flake_rate rate = flake_rate(j->runs);
		size_t clean = 0, need = flake_recovered(rate.wilson.lo);
		for (size_t i = strlen(j->runs); i-- > 0 && j->runs[i] != 'X' && j->runs[i] != 'F';)
			clean += j->runs[i] == 'P';
		return need > 0 && clean >= need ? "stable" : "recovering";
	}
	if (fresh)
		return p->known ? "new" : "unknown_age";
	return j->clean + (now == 'P') >= 5 ? "stable" : "unknown_age";
}

void
past_judge(const struct past *p, struct judged *j)
{
	size_t from = p->count > PAST_WINDOW ? p->count - PAST_WINDOW : 0;

	*j = (struct judged){0};
	for (size_t i = from; i < p->count; i++) {
		const struct entry *e = &p->entry[i];
		bool last = i + 1 == p->count;
		enum evidence found = evidence_of(p, i, from);
		j->runs[i - from] = e->letter;
		if (last)
			j->now = found;
		else if (found > j->before)
			j->before = found;
		if (found != EVIDENCE_NONE) {
			j->first_flaky = j->first_flaky == NULL ? e->at : j->first_flaky;
			j->last_flaky = e->at;
		}
		if (e->letter == 'P' || e->letter == 'X') {
			j->last_pass = e->at;
			j->clean += !last;
		}
	}
	j->newly = j->now != EVIDENCE_NONE && j->before == EVIDENCE_NONE && j->clean >= 5;
	j->state = state_of(p, j, p->count == 0 ? '-' : p->entry[p->count - 1].letter);
}

const char *
past_sig_since(const struct past *p, const char *sig)
{
	for (size_t i = 0; sig != NULL && i + 1 < p->count; i++)
		if (p->entry[i].sig != NULL && strcmp(p->entry[i].sig, sig) == 0)
			return p->entry[i].at == NULL ? "" : p->entry[i].at;
	return NULL;
}

jv
past_history(const struct past *p, const struct judged *j)
{
	jv v = jvx_set_text(jv_object(), "runs", j->runs);
	size_t total = p->runs_total > p->count ? p->runs_total : p->count;

	v = jvx_set_number(v, "runs_total", (double)total);
	v = jvx_set_text(v, "first_seen_at", p->first_seen_at);
	v = jvx_set_text(v, "last_pass_at", j->last_pass);
	v = jvx_set_number(v, "fail_streak", (double)flake_streak(j->runs));
	if (p->known)
		v = jvx_set(v, "is_new", p->count <= 1 && total <= 1 ? jv_true() : jv_false());
	return v;
}

static double
digits(double p)
{
	return round(p * 10000) / 10000;
}

jv
past_flake(const struct judged *j)
{
	static const char *const names[] = {"none", "same_commit", "retry"};
	struct flake_rate rate = flake_rate(j->runs);
	enum evidence e = j->now > j->before ? j->now : j->before;
	jv v = jvx_set_text(jv_object(), "evidence", names[e]);

	v = jvx_set_text(v, "first_seen_flaky", j->first_flaky);
	v = jvx_set_text(v, "last_flaky", j->last_flaky);
	v = jvx_set_number(v, "k", (double)rate.k);
	v = jvx_set_number(v, "n", (double)rate.n);
	if (rate.n > 0) {
		v = jvx_set_number(v, "rate", digits(rate.rate));
		v = jvx_set_number(v, "lo", digits(rate.wilson.lo));
		v = jvx_set_number(v, "hi", digits(rate.wilson.hi));
		v = jvx_set_text(v, "method", "wilson");
	}
	v = jvx_set_number(v, "flip_score", digits(flake_flip_score(j->runs)));
	if (j->newly) /* what its rate may have been before all the same */
		v = jvx_set_number(v, "onset_hi", digits(flake_onset(j->clean)));
	return jvx_set_text(v, "state", j->state);
}
