#define _GNU_SOURCE /* strcasestr */
#include "axes.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "jvx.h"
#include "lexical.h"
#include "place.h"
#include "prog.h"
#include "utf8.h"

const char *const axis_names[AXES] = {
    "root_cause_correct", "fix_actionable", "evidence_cited", "no_antipattern", "phase_compliance"};

/*
 * Shares of the expected sentence at which its cause counts as told and as missed; what lies
 * between is asked.  Authored answers have 38 to 100 % of their own case, and of the 18 other cases
 * with a cause at most 48 %.
 */
static const double told_share = 0.55, missed_share = 0.2, doubted_share = 0.3, aside_share = 0.4;

/* What the axes need of an answer, looked up once. */
struct look {
	const struct golden *g;
	const struct method *m;
	enum antipattern_rule rule;
	struct said *says;
	jv triggers; /* method_triggers() */
	jv fix;
	bool undetermined;
};

static void
mark(struct axis *a, int score, const char *why)
{
	a->score = score;
	if (a->why.len > 0)
		buf_text(&a->why, "; ");
	buf_text(&a->why, why);
}

static void
add_piece(struct buf *b, const char *text, size_t most)
{
	size_t len = strlen(text);

	utf8_mend(b, text, utf8_floor(text, len, most < len ? most : len));
}

static bool
has_trigger(const struct look *l, const char *id)
{
	bool found = false;

	jv_array_foreach (l->triggers, i, trigger) {
		found = found || strcmp(jvx_text(trigger, "id"), id) == 0;
		jv_free(trigger);
	}
	return found;
}

/* Wrong conclusions. */

/* An added line of a diff brings the phrase; a removed one takes it away. */
static bool
diff_adds(const char *diff, size_t len, const char *phrase)
{
	bool found = false;

	for (size_t i = 0; i < len && !found;) {
		const char *eol = memchr(diff + i, '\n', len - i);
		size_t n = eol != NULL ? (size_t)(eol - (diff + i)) : len - i;
		if (n > 1 && diff[i] == '+') {
			char *line = prog_copy(diff + i + 1, n - 1);
			found = strcasestr(line, phrase) != NULL;
			free(line);
		}
		i += n + 1;
	}
	return found;
}

/* Where the answer concludes the phrase: the reason in b. */
static bool
concludes(const struct look *l, const char *phrase, struct buf *b)
{
	for (const struct said *said = l->says; said->where != NULL; said++) {
		const char *text = said->text.at;
		size_t len = said->text.len;
		if (said->role == SAID_DIFF) {
			if (!diff_adds(text, len, phrase))
				continue;
			buf_format(b, "\"%s\" is added by the diff", phrase);
			return true;
		}
		char *sentence = claims_asserted(l->m->claims, text, len, phrase);
		if (sentence == NULL)
			continue;
		buf_format(b, "\"%s\" is concluded in %s: ", phrase, said->where);
		add_piece(b, sentence, 200);
		free(sentence);
		return true;
	}
	return false;
}

/* A dead end is the same wrong conclusion in other words. */
static bool
is_dead_end(const struct look *l, const char *phrase, struct buf *b)
{
	static const struct {
		int kinds;
		const char *id;
	} dead_ends[] = {{CLAIM_TIMING | CLAIM_SLOW_ELEMENT, "DE-1"},
	    {CLAIM_TIMING | CLAIM_SLOW_ELEMENT, "DE-3"}, {CLAIM_API_SUCCEEDED, "DE-2"},
	    {CLAIM_WAIT, "DE-5"}};
	if (jv_array_length(jv_copy(l->triggers)) == 0)
		return false;
	int kinds = claims_kinds(l->m->claims, phrase);
	for (size_t i = 0; i < sizeof dead_ends / sizeof *dead_ends; i++)
		if ((kinds & dead_ends[i].kinds) && has_trigger(l, dead_ends[i].id)) {
			buf_format(
			    b, "\"%s\" is concluded in other words (%s)", phrase, dead_ends[i].id);
			return true;
		}
	return false;
}

static void
add_strings(struct buf *b, jv value)
{
	switch (jv_get_kind(value)) {
	case JV_KIND_STRING:
		buf_add(b, jv_string_value(value), jvx_length(value));
		buf_byte(b, '\n');
		break;
	case JV_KIND_ARRAY:
		jv_array_foreach (value, i, item) {
			add_strings(b, item);
			jv_free(item);
		}
		break;
	case JV_KIND_OBJECT:
		jv_object_foreach (value, key, item) {
			add_strings(b, item);
			jv_free(key);
			jv_free(item);
		}
		break;
	default: break;
	}
}

static bool
stands_anywhere(const struct look *l, const char *phrase, struct buf *b)
{
	struct buf all = {0};

	if (jv_get_kind(l->m->output) == JV_KIND_OBJECT)
		add_strings(&all, l->m->output);
	else
		buf_add(&all, l->m->text.at, l->m->text.len);
	bool found = all.len > 0 && *phrase != '\0' && strcasestr(all.data, phrase) != NULL;
	if (found)
		buf_format(b, "the answer holds \"%s\"", phrase);
	buf_free(&all);
	return found;
}

static void
mark_antipattern(struct axis *a, const struct look *l)
{
	jv list = golden_list(l->g, "must_not_conclude");
	bool found = false;

	jv_array_foreach (list, i, item) {
		const char *phrase = jv_string_value(item);
		if (!found && l->rule == RULE_PLAIN)
			found = stands_anywhere(l, phrase, &a->why);
		else if (!found)
			found = concludes(l, phrase, &a->why) || is_dead_end(l, phrase, &a->why);
		jv_free(item);
	}
	jv_free(list);
	if (found)
		a->score = 0;
	else
		mark(a, 2, "none of the wrong conclusions is drawn");
}

/* The fix. */

static bool
has_fix(const struct look *l)
{
	if (jv_get_kind(l->m->output) == JV_KIND_OBJECT)
		return jv_get_kind(l->fix) == JV_KIND_OBJECT ||
		       jv_get_kind(l->fix) == JV_KIND_STRING;
	for (const struct said *said = l->says; said->where != NULL; said++)
		if (said->role == SAID_FIX)
			return true;
	return false;
}

/* The first place of a file in what is proposed; its line, 0 for a file without, -1 for neither. */
static long
proposed_line(const struct look *l, const char *file)
{
	long line = -1;

	for (const struct said *said = l->says; said->where != NULL; said++) {
		if (said->role != SAID_FIX)
			continue;
		jv cites = claims_cites(l->m->claims, said->text.at, said->text.len);
		jv_array_foreach (cites, k, cite) {
			long from, to;
			const char *place = jv_string_value(cite);
			size_t n = place_read(place, strlen(place), &from, &to);
			char *name = prog_copy(place, n);
			if (n > 0 && line <= 0 && place_same_file(name, file))
				line = from;
			free(name);
			jv_free(cite);
		}
		jv_free(cites);
		const char *base = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
		if (line < 0 && strcasestr(said->text.at, base) != NULL)
			line = 0;
	}
	return line;
}

static bool
was_shown(const struct look *l, const char *file, double line)
{
	struct buf cite = {0};

	buf_format(&cite, "%s:%.0f", file, line);
	bool shown = evidence_cited(l->m->evidence, cite.data) == CITED_SHOWN;
	buf_free(&cite);
	return shown;
}

static void
mark_file(struct axis *a, const struct look *l, const char *file)
{
	const char *named = jvx_text(l->fix, "file");
	double line = jvx_number(l->fix, "line", 0);

	if (named != NULL && !place_same_file(named, file)) {
		mark(a, 0, "another file than ");
		add_piece(&a->why, file, 200);
		return;
	}
	if (named == NULL) {
		line = (double)proposed_line(l, file);
		if (line < 0) {
			mark(a, 0, "the fix does not name ");
			add_piece(&a->why, file, 200);
			return;
		}
	}
	if (line < 1)
		mark(a, 1, "the right file, without a line");
	else if (!was_shown(l, named != NULL ? named : file, line))
		mark(a, 1, "the right file, and a line that was not shown");
	else
		mark(a, 2, "the right file, and a line that was shown");
}

/* No file of the project is wrong: what is left is the kind of fix. */
static void
mark_kind(struct axis *a, const struct look *l)
{
	const char *want = jvx_text(l->g->value, "expected_fix_type");
	const char *got = jvx_text(l->fix, "type");

	if (jvx_text(l->fix, "file") != NULL)
		mark(a, 0, "a file is to be changed where none is wrong");
	else if (want == NULL || got == NULL || strchr(want, ' ') != NULL)
		mark(a, 2, "no file is to be changed");
	else if (strcasecmp(want, got) == 0)
		mark(a, 2, "no file is to be changed, and the kind of fix is right");
	else
		mark(a, 1, "no file is to be changed, but the kind of fix is another");
}

static void
mark_fix(struct axis *a, const struct look *l)
{
	const char *file = golden_file(l->g);
	bool fix = has_fix(l);

	if (golden_undetermined(l->g)) {
		if (!fix)
			mark(a, 2, "no fix, where none can be known");
		else if (jvx_text(l->fix, "file") == NULL && l->undetermined)
			mark(a, 1, "a fix where none can be known, though of no file");
		else
			mark(a, 0, "a fix where none can be known");
		return;
	}
	if (!fix)
		mark(a, 0, "no fix");
	else if (has_trigger(l, "DE-5"))
		mark(a, 0, "the fix is a wait");
	else if (file != NULL)
		mark_file(a, l, file);
	else
		mark_kind(a, l);
}

/* The root cause. */

/* All that is concluded, or only the sentence of the cause. */
static void
add_said(struct buf *b, const struct look *l, bool (*wanted)(const struct said *said))
{
	for (const struct said *said = l->says; said->where != NULL; said++)
		if (wanted(said)) {
			buf_add(b, said->text.at, said->text.len);
			buf_byte(b, '\n');
		}
	const char *file = jvx_text(l->fix, "file");
	if (file != NULL)
		buf_text(b, file);
}

static bool
is_cause(const struct said *said)
{
	return strncmp(said->where, "root_cause", 10) == 0 ||
	       strncmp(said->where, "fix.text", 8) == 0 ||
	       (strcmp(said->where, "text") == 0 && said->role != SAID_DIFF);
}

static bool
is_any(const struct said *said)
{
	return said->role != SAID_DIFF;
}

/* The best share of what is expected, in any of its wordings. */
static double
best_share(const struct look *l, bool (*wanted)(const struct said *said))
{
	struct buf said = {0};
	jv aliases = golden_list(l->g, "aliases");

	add_said(&said, l, wanted);
	struct lexical *text = lexical_read(said.data ? said.data : "", said.len);
	double best = lexical_share(jvx_text(l->g->value, "expected_root_cause"), text);
	jv_array_foreach (aliases, i, alias) {
		double share = lexical_share(jv_string_value(alias), text);
		best = share > best ? share : best;
		jv_free(alias);
	}
	jv_free(aliases);
	lexical_free(text);
	buf_free(&said);
	return best;
}

static void
ask(struct axis *a, const char *why)
{
	a->ask = true;
	mark(a, 1, why);
}

static void
mark_undetermined(struct axis *a, const struct look *l, double cause)
{
	if (l->undetermined && !has_fix(l))
		mark(a, 2, "says that it cannot be determined, and proposes no fix");
	else if (l->undetermined)
		mark(a, 1, "says that it cannot be determined, and yet proposes a fix");
	else if (cause >= doubted_share)
		ask(a, "a cause where none can be determined; it may be what is certain");
	else
		mark(a, 0, "a cause where none can be determined");
}

/* The words of the cause can stand in a wrong answer too: the other axes must agree with them. */
static void
mark_cause(struct axis *a, const struct look *l, const struct axis axes[AXES])
{
	double cause = best_share(l, is_cause), all = best_share(l, is_any);
	bool wrong = axes[AXIS_ANTIPATTERN].score == 0 && cause < told_share;
	bool doubt = axes[AXIS_FIX].score == 0 || axes[AXIS_ANTIPATTERN].score == 0 ||
		     jv_array_length(jv_copy(l->triggers)) > 0;

	if (golden_undetermined(l->g)) {
		mark_undetermined(a, l, cause);
	} else if (l->undetermined) {
		mark(a, 0, "says that it cannot be determined");
	} else {
		buf_format(&a->why, "%.0f %% of the expected words in the cause, %.0f %% in all",
		    100 * cause, 100 * all);
		if (cause >= told_share && !doubt)
			mark(a, 2, "so it is told");
		else if (wrong || (cause < missed_share && all < aside_share) ||
			 (doubt && cause < doubted_share))
			mark(a, 0, "so it is missed");
		else
			ask(a, doubt ? "other axes speak against it, so it is asked"
				     : "so it is asked");
	}
}

/* Citations. */

static void
mark_evidence(struct axis *a, const struct look *l)
{
	jv citations = method_citations(l->m);
	int good = 0, bad = 0;

	jv_array_foreach (citations, i, citation) {
		if (jvx_true(citation, "ok"))
			good++;
		else if (bad++ == 0)
			add_piece(&a->why, jvx_text(citation, "message"), 300);
		jv_free(citation);
	}
	jv_free(citations);
	if (a->why.len > 0)
		buf_text(&a->why, "; ");
	buf_format(&a->why, "%d of %d citations hold", good, good + bad);
	a->score = good >= 2 && bad == 0 ? 2 : good > bad ? 1 : 0;
}

/* The method. */

/*
 * A short report in free text tells its sentence, or that it cannot tell, and not its phases: a
 * person may know whether they were gone through.
 */
static bool
hides_phases(const struct look *l, int good)
{
	if (good > 0 || jv_get_kind(l->m->output) == JV_KIND_OBJECT)
		return false;
	const char *expected = strcasestr(l->m->text.at, "expected");
	return l->undetermined || (expected != NULL && strcasestr(expected, "but ") != NULL);
}

static void
mark_phases(struct axis *a, const struct look *l)
{
	jv phases = method_phases(l->m), expected = golden_list(l->g, "dead_end_triggers_expected");
	int good = 0;

	jv_array_foreach (phases, i, phase) {
		if (jvx_true(phase, "ok"))
			good++;
		else if (a->why.len == 0)
			add_piece(&a->why, jvx_text(phase, "message"), 300);
		jv_free(phase);
	}
	jv_free(phases);
	if (a->why.len > 0)
		buf_text(&a->why, "; ");
	buf_format(&a->why, "%d of 7 phases", good);
	a->score = good == 7 ? 2 : good >= 5 ? 1 : 0;
	/* The trace invites to the expected ones: the method is there to avoid them. */
	jv_array_foreach (l->triggers, i, trigger) {
		const char *id = jvx_text(trigger, "id");
		bool known = false;
		jv_array_foreach (expected, k, item) {
			known = known || strcmp(jv_string_value(item), id) == 0;
			jv_free(item);
		}
		buf_format(
		    &a->why, "; ran into %s%s", id, known ? ", which was to be expected" : "");
		a->score = known || a->score == 0 ? 0 : a->score - 1;
		jv_free(trigger);
	}
	jv_free(expected);
	if (hides_phases(l, good) && jv_array_length(jv_copy(l->triggers)) == 0)
		ask(a, "told without them, so it is asked");
}

void
axes_mark(struct axis axes[AXES], const struct golden *g, const struct method *m,
    enum antipattern_rule rule)
{
	struct look l = {g, m, rule, method_says(m), method_triggers(m), jvx_get(m->output, "fix"),
	    method_undetermined(m)};

	memset(axes, 0, AXES * sizeof *axes);
	mark_fix(&axes[AXIS_FIX], &l);
	mark_evidence(&axes[AXIS_EVIDENCE], &l);
	mark_antipattern(&axes[AXIS_ANTIPATTERN], &l);
	mark_phases(&axes[AXIS_PHASES], &l);
	mark_cause(&axes[AXIS_CAUSE], &l, axes);
	free(l.says);
	jv_free(l.triggers);
	jv_free(l.fix);
}

void
axes_free(struct axis axes[AXES])
{
	for (int i = 0; i < AXES; i++)
		buf_free(&axes[i].why);
}
