#include "scenario.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "assertion.h"
#include "jvx.h"

enum { ID_BYTES = 200, TURNS = 200 }; /* the words below say so, too */

static bool
kind_is(jv obj, const char *key, jv_kind kind)
{
	jv v = jvx_get(obj, key);
	bool is = jv_get_kind(v) == kind;

	jv_free(v);
	return is;
}

static bool
absent_or(jv obj, const char *key, jv_kind kind)
{
	return kind_is(obj, key, JV_KIND_INVALID) || kind_is(obj, key, kind);
}

/* It is in file names, reports and messages. */
static bool
id_ok(jv value)
{
	size_t len = 0;
	const char *id = jvx_bytes(value, "id", &len);

	if (id == NULL || len == 0 || len > ID_BYTES)
		return false;
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)id[i] < 0x20 || id[i] == 0x7f)
			return false;
	return true;
}

static bool
strings_only(jv value, const char *key)
{
	jv list = jvx_get(value, key);
	bool good = !jv_is_valid(list) || jv_get_kind(list) == JV_KIND_ARRAY;

	for (int i = 0; good && jv_is_valid(list) && i < jv_array_length(jv_copy(list)); i++) {
		jv item = jv_array_get(jv_copy(list), i);
		good = jv_get_kind(item) == JV_KIND_STRING;
		jv_free(item);
	}
	jv_free(list);
	return good;
}

/* What is wrong with a turn; NULL: nothing. */
static const char *
turn_fault(jv turn)
{
	if (jv_get_kind(turn) == JV_KIND_STRING)
		return NULL;
	if (jv_get_kind(turn) != JV_KIND_OBJECT || !kind_is(turn, "user", JV_KIND_STRING))
		return "neither text nor an object with user";
	return absent_or(turn, "expect", JV_KIND_ARRAY) ? NULL : "expect is no list";
}

/* The same of all; the turn's number is in *n, 0 where it is about none. */
static const char *
turns_fault(jv value, int *n)
{
	jv turns = jvx_get(value, "turns");
	int count = jv_get_kind(turns) == JV_KIND_ARRAY ? jv_array_length(jv_copy(turns)) : 0;
	const char *fault = NULL;

	if (count < 1 || count > TURNS) {
		jv_free(turns);
		return "turns: not a list of 1 to 200";
	}
	while (fault == NULL && *n < count) {
		jv turn = jv_array_get(jv_copy(turns), (*n)++);
		fault = turn_fault(turn);
		jv_free(turn);
	}
	jv_free(turns);
	return fault;
}

const char *const scenario_severities[] = {"low", "medium", "high", "critical", NULL};

int
scenario_severity(const char *word)
{
	for (int i = 0; word != NULL && scenario_severities[i] != NULL; i++)
		if (strcmp(word, scenario_severities[i]) == 0)
			return i;
	return 1;
}

double
scenario_badness(jv scenario, jv known)
{
	static const char *const standings[] = {"fixed", "", "unconfirmed", "flaky", "open"};
	const char *status = jvx_text(known, "status");
	double bad = 10 * scenario_severity(jvx_text(scenario, "severity"));
	double n = jvx_number(known, "trials", 0);

	for (int i = 0; i < 5; i++)
		if (strcmp(standings[i], status != NULL ? status : "") == 0)
			bad += 100 * i;
	return bad + (n > 0 ? jvx_number(known, "fails", 0) / n : 0);
}

static bool
severity_ok(jv value)
{
	const char *severity = jvx_text(value, "severity");

	if (severity == NULL)
		return kind_is(value, "severity", JV_KIND_INVALID);
	return strcmp(severity, scenario_severities[scenario_severity(severity)]) == 0;
}

static const char *
fault_of(jv value)
{
	if (jv_get_kind(value) != JV_KIND_OBJECT)
		return "not an object";
	if (!id_ok(value))
		return "id: not a text of 1 to 200 bytes without control bytes";
	if (!absent_or(value, "title", JV_KIND_STRING))
		return "title: not a text";
	if (!absent_or(value, "rubric", JV_KIND_STRING))
		return "rubric: not a text";
	if (!strings_only(value, "tags"))
		return "tags: not a list of texts";
	if (!severity_ok(value))
		return "severity: not low, medium, high or critical";
	return absent_or(value, "expect", JV_KIND_ARRAY) ? NULL : "expect: not a list";
}

bool
scenario_check(jv value, char *why, size_t size)
{
	int turn = 0;
	const char *fault = fault_of(value);

	if (fault == NULL)
		fault = turns_fault(value, &turn);
	if (fault != NULL && turn > 0)
		snprintf(why, size, "turn %d: %s", turn, fault);
	else if (fault != NULL)
		snprintf(why, size, "%s", fault);
	if (fault != NULL)
		return false;
	struct assertions *a = assertions_new(value, why, size);
	assertions_free(a);
	return a != NULL;
}

static jv
turn(jv scenario, int n)
{
	return jv_array_get(jvx_get(scenario, "turns"), n - 1);
}

int
scenario_turns(jv scenario)
{
	return jv_array_length(jvx_get(scenario, "turns"));
}

jv
scenario_user(jv scenario, int n)
{
	jv t = turn(scenario, n);

	if (jv_get_kind(t) == JV_KIND_STRING)
		return t;
	jv user = jvx_get(t, "user");
	jv_free(t);
	return user;
}

jv
scenario_expect(jv scenario, int n)
{
	jv from = n == 0 ? jv_copy(scenario) : turn(scenario, n);
	jv list = jvx_get(from, "expect");

	jv_free(from);
	if (jv_is_valid(list))
		return list;
	jv_free(list);
	return jv_array();
}

jv
scenario_words(jv scenario)
{
	struct buf b = {0};

	for (int n = 1, turns = scenario_turns(scenario); n <= turns; n++) {
		jv user = scenario_user(scenario, n);
		const char *text = jv_string_value(user);
		for (size_t i = 0, len = jvx_length(user); i < len; i++) {
			bool blank = isspace((unsigned char)text[i]);
			if (!blank)
				buf_byte(&b, tolower((unsigned char)text[i]));
			else if (b.len > 0 && b.data[b.len - 1] != ' ' && b.data[b.len - 1] != '\n')
				buf_byte(&b, ' ');
		}
		while (b.len > 0 && b.data[b.len - 1] == ' ')
			b.len--;
		buf_byte(&b, '\n');
		jv_free(user);
	}
	jv words = jv_string_sized(b.data, (int)b.len);
	buf_free(&b);
	return words;
}
