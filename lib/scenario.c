#include "scenario.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "assertion.h"
#include "jvx.h"

__attribute__((format(printf, 3, 4))) static bool
wrong(char *why, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, size, format, args);
	va_end(args);
	return false;
}

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

	if (id == NULL || len == 0 || len > SCENARIO_ID)
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

static bool
turn_ok(jv turn, int n, char *why, size_t size)
{
	if (jv_get_kind(turn) == JV_KIND_STRING)
		return true;
	if (jv_get_kind(turn) != JV_KIND_OBJECT || !kind_is(turn, "user", JV_KIND_STRING))
		return wrong(why, size, "turn %d: neither text nor an object with user", n);
	if (!absent_or(turn, "expect", JV_KIND_ARRAY))
		return wrong(why, size, "turn %d: expect is no list", n);
	return true;
}

static bool
turns_ok(jv value, char *why, size_t size)
{
	jv turns = jvx_get(value, "turns");
	int count = jv_get_kind(turns) == JV_KIND_ARRAY ? jv_array_length(jv_copy(turns)) : 0;
	bool good = count > 0 && count <= SCENARIO_TURNS;

	if (!good)
		wrong(why, size, "turns: not a list of 1 to %d", SCENARIO_TURNS);
	for (int i = 0; good && i < count; i++) {
		jv turn = jv_array_get(jv_copy(turns), i);
		good = turn_ok(turn, i + 1, why, size);
		jv_free(turn);
	}
	jv_free(turns);
	return good;
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

bool
scenario_check(jv value, char *why, size_t size)
{
	if (jv_get_kind(value) != JV_KIND_OBJECT)
		return wrong(why, size, "not an object");
	if (!id_ok(value))
		return wrong(why, size, "id: not a text of 1 to %d bytes without control bytes",
		    SCENARIO_ID);
	if (!absent_or(value, "title", JV_KIND_STRING))
		return wrong(why, size, "title: not a text");
	if (!absent_or(value, "rubric", JV_KIND_STRING))
		return wrong(why, size, "rubric: not a text");
	if (!strings_only(value, "tags"))
		return wrong(why, size, "tags: not a list of texts");
	if (!severity_ok(value))
		return wrong(why, size, "severity: not low, medium, high or critical");
	if (!absent_or(value, "expect", JV_KIND_ARRAY))
		return wrong(why, size, "expect: not a list");
	if (!turns_ok(value, why, size))
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
