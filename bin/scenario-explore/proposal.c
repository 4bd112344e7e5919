/*
 * What a model proposes is held to be wrong until it was shown to be able to pass and to fail: a
 * malformed scenario would be a bug of nobody's.
 */
#include <string.h>

#include "assertion.h"
#include "explore.h"
#include "jvx.h"
#include "scenario.h"

enum { TURNS = 20, TEXT = 10000 };

static jv
list_of(jv value, const char *key)
{
	jv list = jvx_get(value, key);

	if (jv_get_kind(list) == JV_KIND_ARRAY)
		return list;
	jv_free(list);
	return jv_array();
}

/* A conversation in which the agent answered so; where answers is short, it said nothing. */
static jv
transcript_of(jv scenario, jv answers)
{
	jv turns = jv_array();

	for (int n = 1; n <= scenario_turns(scenario); n++) {
		jv answer = n <= jv_array_length(jv_copy(answers))
				? jv_array_get(jv_copy(answers), n - 1)
				: jv_object();
		const char *reply = jvx_text(answer, "reply");
		jv turn = jvx_set(jv_object(), "user", scenario_user(scenario, n));
		turn = jvx_set(turn, "reply", jv_string(reply != NULL ? reply : ""));
		turn = jvx_set(turn, "tool_calls", list_of(answer, "tool_calls"));
		turns = jv_array_append(turns, jvx_set_number(turn, "latency_ms", 0));
		jv_free(answer);
	}
	return jvx_set(jvx_set_text(jv_object(), "type", "transcript"), "turns", turns);
}

static bool
all_hold(struct assertions *a, jv scenario, jv answers)
{
	jv transcript = transcript_of(scenario, answers), checks = assertions_check(a, transcript);
	bool good = true;

	jv_array_foreach (checks, i, check) {
		good = good && jvx_true(check, "ok");
		jv_free(check);
	}
	jv_free(checks);
	jv_free(transcript);
	return good;
}

/* The right answer passes, and none at all, or the wrong one that was named, does not. */
static const char *
behaves(jv scenario, jv proposal)
{
	char why[200];
	struct assertions *a = assertions_new(scenario, why, sizeof why);
	jv oracle = list_of(proposal, "oracle"), bad = list_of(proposal, "bad"), none = jv_array();
	const char *wrong = NULL;

	if (a == NULL)
		wrong = "malformed";
	else if (jv_array_length(jv_copy(oracle)) != scenario_turns(scenario))
		wrong = "without an oracle";
	else if (!all_hold(a, scenario, oracle))
		wrong = "that an oracle fails";
	else if (all_hold(a, scenario, none) &&
		 (jv_array_length(jv_copy(bad)) == 0 || all_hold(a, scenario, bad)))
		wrong = "that cannot fail";
	assertions_free(a);
	jv_free(oracle);
	jv_free(bad);
	jv_free(none);
	return wrong;
}

static bool
checks_anything(jv scenario)
{
	jv expect = list_of(scenario, "expect");
	bool some = jv_array_length(expect) > 0;

	for (int n = 1; !some && n <= scenario_turns(scenario); n++)
		some = jv_array_length(scenario_expect(scenario, n)) > 0;
	return some;
}

static bool
too_long(jv scenario)
{
	bool is = scenario_turns(scenario) > TURNS;

	for (int n = 1; !is && n <= scenario_turns(scenario); n++)
		is = jv_string_length_bytes(scenario_user(scenario, n)) > TEXT;
	return is;
}

static bool
known_words(const struct material *m, jv scenario)
{
	jv words = scenario_words(scenario);
	bool known = false;

	jv_object_foreach (m->scenarios, id, other) {
		char why[8];
		if (!known && scenario_check(other, why, sizeof why)) {
			jv its = scenario_words(other);
			known = jv_equal(its, jv_copy(words));
		}
		jv_free(id);
		jv_free(other);
	}
	jv_free(words);
	return known;
}

static const char *
judge(const struct material *m, jv proposal, jv scenario)
{
	const char *id = jvx_text(scenario, "id");
	char why[200];
	bool rubric = jvx_text(scenario, "rubric") != NULL;

	if (!scenario_check(scenario, why, sizeof why))
		return "malformed";
	if (too_long(scenario))
		return "too long";
	if (known_words(m, scenario))
		return "known already";
	jv same = jvx_get(m->scenarios, id);
	bool taken = jv_is_valid(same);
	jv_free(same);
	if (taken)
		return "with an id that is taken";
	if (!checks_anything(scenario))
		return rubric ? NULL : "that check nothing";
	return behaves(scenario, proposal);
}

const char *
proposal_check(struct material *m, jv proposal, jv *scenario)
{
	static const char *const kept[] = {
	    "id", "title", "tags", "severity", "turns", "expect", "rubric"};
	jv s = jvx_set_text(jv_object(), "type", "scenario");

	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
		s = jvx_set(s, kept[i], jvx_get(proposal, kept[i]));
	s = jvx_set_text(s, "origin", "explore");
	const char *wrong = judge(m, proposal, s);
	if (wrong != NULL) {
		jv_free(s);
		return wrong;
	}
	material_add(m, s);
	*scenario = s;
	return NULL;
}
