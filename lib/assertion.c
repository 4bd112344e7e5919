#define _GNU_SOURCE /* memmem */
#include "assertion.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "jsonpath.h"
#include "jvx.h"
#include "prog.h"
#include "re.h"
#include "scenario.h"
#include "utf8.h"

enum kind {
	CONTAINS,
	NOT_CONTAINS,
	MATCHES,
	TOOL_CALLED,
	TOOL_NOT_CALLED,
	JSON_PATH,
	MAX_LATENCY_MS,
	NO_ERROR,
	KINDS
};

static const char *const names[] = {"contains", "notContains", "matches", "toolCalled",
    "toolNotCalled", "jsonPath", "maxLatencyMs", "noError"};

enum { QUOTE = 120, MOST = 1000 };

struct assertion {
	enum kind kind;
	int turn; /* 0: none in particular */
	jv value;
	struct re *re;
	struct jsonpath *path;
};

struct assertions {
	struct assertion *list;
	size_t count;
};

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
known(jv obj, const char *const list[])
{
	bool good = jv_get_kind(obj) == JV_KIND_OBJECT;

	for (int i = good ? jv_object_iter(obj) : 0; good && jv_object_iter_valid(obj, i);
	     i = jv_object_iter_next(obj, i)) {
		jv key = jv_object_iter_key(obj, i);
		size_t n = 0;
		while (list[n] != NULL && strcmp(list[n], jv_string_value(key)) != 0)
			n++;
		good = list[n] != NULL;
		jv_free(key);
	}
	return good;
}

static bool
compile_re(struct re **re, jv pattern, char *why, size_t size)
{
	char reason[120];

	if (jv_get_kind(pattern) != JV_KIND_STRING)
		return wrong(why, size, "a pattern that is no text");
	*re = re_new(jv_string_value(pattern), jvx_length(pattern), 0, reason, sizeof reason);
	return *re != NULL || wrong(why, size, "a bad pattern: %s", reason);
}

/* A matcher of arguments: {"$matches": PATTERN}, {"$equals": VALUE}, or a value. */

static jv
only_member(jv matcher, const char *name)
{
	if (jv_get_kind(matcher) != JV_KIND_OBJECT || jv_object_length(jv_copy(matcher)) != 1)
		return jv_invalid();
	return jvx_get(matcher, name);
}

static bool
matcher_check(jv matcher, char *why, size_t size)
{
	jv pattern = only_member(matcher, "$matches"), exact = only_member(matcher, "$equals");
	struct re *re = NULL;
	bool good = true;

	if (jv_is_valid(pattern)) {
		good = compile_re(&re, pattern, why, size);
		re_free(re);
	} else if (jv_get_kind(matcher) == JV_KIND_OBJECT && !jv_is_valid(exact)) {
		for (int i = jv_object_iter(matcher); good && jv_object_iter_valid(matcher, i);
		     i = jv_object_iter_next(matcher, i)) {
			jv item = jv_object_iter_value(matcher, i);
			good = matcher_check(item, why, size);
			jv_free(item);
		}
	}
	jv_free(pattern);
	jv_free(exact);
	return good;
}

static bool
compile_tool(struct assertion *a, char *why, size_t size)
{
	static const char *const members[] = {"name", "args", NULL};
	const char *name = jvx_text(a->value, "name");
	jv args;
	bool good;

	if (!known(a->value, members) || name == NULL || *name == '\0')
		return wrong(why, size, "value is not {name, args}");
	args = jvx_get(a->value, "args");
	good = !jv_is_valid(args) || jv_get_kind(args) == JV_KIND_OBJECT
		   ? matcher_check(args, why, size)
		   : wrong(why, size, "args is no object");
	jv_free(args);
	return good;
}

static bool
compile_path(struct assertion *a, char *why, size_t size)
{
	static const char *const members[] = {"path", "equals", "exists", "matches", NULL};
	char reason[120];
	size_t len;
	const char *path = jvx_bytes(a->value, "path", &len);
	jv exists = jvx_get(a->value, "exists"), pattern = jvx_get(a->value, "matches");
	bool good = true;

	if (!known(a->value, members) || path == NULL)
		good = wrong(why, size, "value is not {path, and equals, exists or matches}");
	else if (jv_is_valid(exists) && jv_get_kind(exists) != JV_KIND_TRUE &&
		 jv_get_kind(exists) != JV_KIND_FALSE)
		good = wrong(why, size, "exists is neither true nor false");
	else if (jv_is_valid(pattern))
		good = compile_re(&a->re, pattern, why, size);
	if (good && (a->path = jsonpath_new(path, len, reason, sizeof reason)) == NULL)
		good = wrong(why, size, "a bad path: %s", reason);
	jv_free(exists);
	jv_free(pattern);
	return good;
}

static bool
compile_value(struct assertion *a, char *why, size_t size)
{
	double n;

	switch (a->kind) {
	case CONTAINS:
	case NOT_CONTAINS:
		return (jv_get_kind(a->value) == JV_KIND_STRING && jvx_length(a->value) > 0) ||
		       wrong(why, size, "value is no text, or an empty one");
	case MATCHES: return compile_re(&a->re, a->value, why, size);
	case TOOL_CALLED:
	case TOOL_NOT_CALLED: return compile_tool(a, why, size);
	case JSON_PATH: return compile_path(a, why, size);
	case MAX_LATENCY_MS:
		n = jv_get_kind(a->value) == JV_KIND_NUMBER ? jv_number_value(a->value) : -1;
		return (n >= 0 && isfinite(n)) || wrong(why, size, "value is no number from 0");
	default: return !jv_is_valid(a->value) || wrong(why, size, "takes no value");
	}
}

static bool
kind_named(jv value, enum kind *kind)
{
	const char *name = jvx_text(value, "kind");

	for (int i = 0; name != NULL && i < KINDS; i++) {
		if (strcmp(names[i], name) != 0)
			continue;
		*kind = (enum kind)i;
		return true;
	}
	return false;
}

/* One assertion; turn is the turn that it stands at, or 0. */
static bool
compile(struct assertion *a, jv value, int turn, int turns, char *why, size_t size)
{
	static const char *const members[] = {"kind", "value", "turn", NULL};
	char reason[160];
	double about = jvx_number(value, "turn", turn);

	a->value = jvx_get(value, "value");
	if (!kind_named(value, &a->kind))
		return wrong(why, size, "not one of the eight kinds");
	if (!known(value, members))
		return wrong(
		    why, size, "%s: a member besides kind, value and turn", names[a->kind]);
	jv number = jvx_get(value, "turn");
	bool absent = !jv_is_valid(number);
	jv_free(number);
	if (!absent && !(about >= 1 && about <= turns && about == floor(about)))
		return wrong(why, size, "%s: turn: not a turn from 1 to %d", names[a->kind], turns);
	a->turn = (int)about;
	return compile_value(a, reason, sizeof reason) ||
	       wrong(why, size, "%s: %s", names[a->kind], reason);
}

static bool
add_all(struct assertions *all, jv scenario, int turn, char *why, size_t size)
{
	jv list = scenario_expect(scenario, turn);
	int count = jv_array_length(jv_copy(list)), turns = scenario_turns(scenario);
	char reason[200];
	bool good = count <= MOST || wrong(why, size, "more than %d assertions", MOST);

	for (int i = 0; good && i < count; i++) {
		all->list = prog_resize(all->list, all->count + 1, sizeof *all->list);
		struct assertion *a = &all->list[all->count++];
		*a = (struct assertion){.value = jv_invalid()};
		jv value = jv_array_get(jv_copy(list), i);
		good = compile(a, value, turn, turns, reason, sizeof reason);
		jv_free(value);
		if (!good && turn > 0)
			wrong(why, size, "turn %d: expect %d: %s", turn, i + 1, reason);
		else if (!good)
			wrong(why, size, "expect %d: %s", i + 1, reason);
	}
	jv_free(list);
	return good;
}

struct assertions *
assertions_new(jv scenario, char *why, size_t size)
{
	struct assertions *all = prog_alloc(1, sizeof *all);
	bool good = true;

	for (int turn = 1, turns = scenario_turns(scenario); good && turn <= turns; turn++)
		good = add_all(all, scenario, turn, why, size);
	if (good && add_all(all, scenario, 0, why, size))
		return all;
	assertions_free(all);
	return NULL;
}

void
assertions_free(struct assertions *all)
{
	if (all == NULL)
		return;
	for (size_t i = 0; i < all->count; i++) {
		jv_free(all->list[i].value);
		re_free(all->list[i].re);
		jsonpath_free(all->list[i].path);
	}
	free(all->list);
	free(all);
}

/* Reasons are one line each: what they quote is JSON, and cut. */

static void
quote(struct buf *b, jv value)
{
	struct buf text = {0};

	jvx_write(value, &text);
	size_t cut = utf8_floor(text.data, text.len, QUOTE < text.len ? QUOTE : text.len);
	buf_add(b, text.data, cut);
	if (cut < text.len)
		buf_text(b, "...");
	buf_free(&text);
}

/* A pattern that met its limit is neither found nor not: *limit says so, and no verdict is good. */
static bool subset(jv matcher, jv value, bool *limit);

/* A whole text or number against a pattern. */
static enum re_answer
found_in(struct re *re, jv value)
{
	struct buf text = {0};
	enum re_answer answer;

	if (jv_get_kind(value) == JV_KIND_STRING)
		return re_find(re, jv_string_value(value), jvx_length(value), 0, NULL);
	jvx_write(value, &text);
	answer = re_find(re, text.data, text.len, 0, NULL);
	buf_free(&text);
	return answer;
}

static bool
subset_members(jv matcher, jv value, bool *limit)
{
	bool good = jv_get_kind(value) == JV_KIND_OBJECT;

	for (int i = jv_object_iter(matcher); good && jv_object_iter_valid(matcher, i);
	     i = jv_object_iter_next(matcher, i)) {
		jv inner = jv_object_iter_value(matcher, i),
		   member = jv_object_get(jv_copy(value), jv_object_iter_key(matcher, i));
		good = jv_is_valid(member) && subset(inner, member, limit);
		jv_free(inner);
		jv_free(member);
	}
	return good;
}

static bool
subset(jv matcher, jv value, bool *limit)
{
	jv pattern = only_member(matcher, "$matches"), exact = only_member(matcher, "$equals");
	struct re *re = NULL;
	bool good;

	if (jv_is_valid(pattern)) {
		enum re_answer answer =
		    compile_re(&re, pattern, NULL, 0) ? found_in(re, value) : RE_LIMIT;
		good = answer == RE_YES;
		*limit = *limit || answer == RE_LIMIT;
		re_free(re);
	} else if (jv_is_valid(exact)) {
		good = jv_equal(jv_copy(exact), jv_copy(value));
	} else if (jv_get_kind(matcher) == JV_KIND_OBJECT) {
		good = subset_members(matcher, value, limit);
	} else {
		good = jv_equal(jv_copy(matcher), jv_copy(value));
	}
	jv_free(pattern);
	jv_free(exact);
	return good;
}

/* The checks.  Each returns whether it holds, and appends to why what does not. */

static int
turn_count(jv transcript)
{
	jv turns = jvx_get(transcript, "turns");
	int count = jv_get_kind(turns) == JV_KIND_ARRAY ? jv_array_length(jv_copy(turns)) : 0;

	jv_free(turns);
	return count;
}

static jv
turn_at(jv transcript, int n)
{
	jv turns = jvx_get(transcript, "turns");

	if (jv_get_kind(turns) == JV_KIND_ARRAY && n >= 1)
		return jv_array_get(turns, n - 1);
	jv_free(turns);
	return jv_invalid();
}

/* A turn without a reply, or that was never reached, said nothing. */
static jv
reply_at(jv transcript, int n)
{
	jv turn = turn_at(transcript, n), reply = jvx_get(turn, "reply");

	jv_free(turn);
	if (jv_get_kind(reply) == JV_KIND_STRING)
		return reply;
	jv_free(reply);
	return jv_string("");
}

static bool
text_in(jv text, jv within)
{
	return jv_string_length_bytes(jv_copy(text)) == 0 ||
	       memmem(jv_string_value(within), jvx_length(within), jv_string_value(text),
		   jvx_length(text)) != NULL;
}

static bool
check_contains(const struct assertion *a, jv transcript, int turn, struct buf *why)
{
	jv reply = reply_at(transcript, turn);
	bool holds = text_in(a->value, reply);

	if (!holds) {
		buf_format(why, "the reply of turn %d does not contain ", turn);
		quote(why, a->value);
	}
	jv_free(reply);
	return holds;
}

static bool
check_not_contains(const struct assertion *a, jv transcript, int turn, struct buf *why)
{
	jv reply = reply_at(transcript, turn);
	bool holds = !text_in(a->value, reply);

	if (!holds) {
		buf_format(why, "the reply of turn %d contains ", turn);
		quote(why, a->value);
	}
	jv_free(reply);
	return holds;
}

static bool
check_matches(const struct assertion *a, jv transcript, int turn, struct buf *why)
{
	jv reply = reply_at(transcript, turn);
	enum re_answer answer = re_find(a->re, jv_string_value(reply), jvx_length(reply), 0, NULL);

	if (answer != RE_YES) {
		buf_format(why, "the reply of turn %d %s ", turn,
		    answer == RE_NO ? "does not match" : "takes too long to match with");
		quote(why, a->value);
	}
	jv_free(reply);
	return answer == RE_YES;
}

/* What was found of a tool: a call by that name at all, a pattern's limit, the call that fits. */
struct sighting {
	bool named, limit;
	int turn;
	jv call;
};

static bool
called_in(const struct assertion *a, jv transcript, int n, struct sighting *seen)
{
	jv turn = turn_at(transcript, n), calls = jvx_get(turn, "tool_calls");
	jv args = jvx_get(a->value, "args");
	const char *name = jvx_text(a->value, "name");
	bool found = false;

	for (int i = 0;
	     jv_get_kind(calls) == JV_KIND_ARRAY && !found && i < jv_array_length(jv_copy(calls));
	     i++) {
		jv one = jv_array_get(jv_copy(calls), i), given = jvx_get(one, "arguments");
		const char *its = jvx_text(one, "name");
		if (its != NULL && strcmp(its, name) == 0) {
			seen->named = true;
			found = !jv_is_valid(args) || subset(args, given, &seen->limit);
		}
		jv_free(given);
		if (found)
			seen->call = one;
		else
			jv_free(one);
	}
	jv_free(args);
	jv_free(calls);
	jv_free(turn);
	return found;
}

static void
range_of(const struct assertion *a, jv transcript, int *first, int *last)
{
	*first = a->turn > 0 ? a->turn : 1;
	*last = a->turn > 0 ? a->turn : turn_count(transcript);
}

static bool
called(const struct assertion *a, jv transcript, struct sighting *seen)
{
	int first, last;

	*seen = (struct sighting){.call = jv_invalid()};
	range_of(a, transcript, &first, &last);
	for (seen->turn = first; seen->turn <= last; seen->turn++)
		if (called_in(a, transcript, seen->turn, seen))
			return true;
	return false;
}

static bool
check_tool_called(const struct assertion *a, jv transcript, struct buf *why)
{
	struct sighting seen;
	jv args = jvx_get(a->value, "args");
	bool holds = called(a, transcript, &seen);

	if (!holds)
		buf_format(why, "%s was %s", jvx_text(a->value, "name"),
		    seen.limit   ? "called, but it takes too long to match with "
		    : seen.named ? "called, but not with "
				 : "not called");
	if (!holds && seen.named)
		quote(why, args);
	if (!holds && a->turn > 0)
		buf_format(why, " in turn %d", a->turn);
	jv_free(args);
	jv_free(seen.call);
	return holds;
}

static bool
check_tool_not_called(const struct assertion *a, jv transcript, struct buf *why)
{
	struct sighting seen;
	const char *name = jvx_text(a->value, "name");
	bool holds = !called(a, transcript, &seen) && !seen.limit;

	if (jv_is_valid(seen.call)) {
		jv given = jvx_get(seen.call, "arguments");
		buf_format(why, "%s was called in turn %d with ", name, seen.turn);
		quote(why, given);
		jv_free(given);
	} else if (!holds) {
		buf_format(why, "%s was called, and takes too long to match", name);
	}
	jv_free(seen.call);
	return holds;
}

/* The reply as JSON: the whole of it, or what its only fenced block holds. */
static jv
json_of(jv reply)
{
	const char *text = jv_string_value(reply), *open, *close, *eol;
	size_t len = jvx_length(reply);
	jv value = jvx_parse(text, len, NULL);

	if (jv_is_valid(value) || (open = strstr(text, "```")) == NULL ||
	    (eol = strchr(open, '\n')) == NULL || (close = strstr(eol, "```")) == NULL ||
	    strstr(close + 3, "```") != NULL)
		return value;
	jv_free(value);
	return jvx_parse(eol + 1, (size_t)(close - eol - 1), NULL);
}

/* Each node that was found is to be so. */
static bool
node_holds(const struct assertion *a, jv node, struct buf *why)
{
	jv want = jvx_get(a->value, "equals"), pattern = jvx_get(a->value, "matches");
	enum re_answer answer = a->re ? found_in(a->re, node) : RE_YES;
	bool equal = !jv_is_valid(want) || jv_equal(jv_copy(want), jv_copy(node));

	if (!equal || answer != RE_YES) {
		buf_format(why, "%s is ", jvx_text(a->value, "path"));
		quote(why, node);
		buf_text(why, !equal            ? ", not "
			      : answer == RE_NO ? ", which does not match "
						: ", which takes too long to match with ");
		quote(why, !equal ? want : pattern);
	}
	jv_free(want);
	jv_free(pattern);
	return equal && answer == RE_YES;
}

static bool
nodes_hold(const struct assertion *a, jv nodes, struct buf *why)
{
	const char *path = jvx_text(a->value, "path");
	int count = jv_array_length(jv_copy(nodes));
	jv exists = jvx_get(a->value, "exists");
	bool none_wanted = jv_get_kind(exists) == JV_KIND_FALSE, holds = true;

	jv_free(exists);
	if (none_wanted) {
		if (count > 0)
			buf_format(why, "%s exists", path);
		return count == 0;
	}
	if (count == 0)
		buf_format(why, "%s finds nothing", path);
	for (int i = 0; holds && i < count; i++) {
		jv node = jv_array_get(jv_copy(nodes), i);
		holds = node_holds(a, node, why);
		jv_free(node);
	}
	return holds && count > 0;
}

static bool
check_json_path(const struct assertion *a, jv transcript, int turn, struct buf *why)
{
	jv reply = reply_at(transcript, turn), value = json_of(reply), nodes = jv_invalid();
	bool holds = false;

	if (!jv_is_valid(value))
		buf_format(why, "the reply of turn %d is no JSON", turn);
	else if (nodes = jsonpath_find(a->path, value, NULL), !jv_is_valid(nodes))
		buf_format(why, "%s takes too long", jvx_text(a->value, "path"));
	else
		holds = nodes_hold(a, nodes, why);
	jv_free(nodes);
	jv_free(value);
	jv_free(reply);
	return holds;
}

static bool
check_latency(const struct assertion *a, jv transcript, int turn, struct buf *why)
{
	jv t = turn_at(transcript, turn);
	double most = jv_number_value(a->value), took = jvx_number(t, "latency_ms", NAN);

	jv_free(t);
	if (isnan(took))
		buf_format(why, "nobody measured turn %d", turn);
	else if (took > most)
		buf_format(why, "turn %d took %.15g ms, more than %.15g", turn, took, most);
	return took <= most;
}

/* What must not be, and what must always be, is looked for in every turn. */
static bool
every_turn(const struct assertion *a, jv transcript, struct buf *why,
    bool (*check)(const struct assertion *, jv, int, struct buf *))
{
	int first, last;

	range_of(a, transcript, &first, &last);
	for (int turn = first; turn <= last; turn++)
		if (!check(a, transcript, turn, why))
			return false;
	return true;
}

static bool
holds(const struct assertion *a, jv transcript, struct buf *why)
{
	int turn = a->turn > 0 ? a->turn : turn_count(transcript);

	switch (a->kind) {
	case CONTAINS: return check_contains(a, transcript, turn, why);
	case NOT_CONTAINS: return every_turn(a, transcript, why, check_not_contains);
	case MATCHES: return check_matches(a, transcript, turn, why);
	case TOOL_CALLED: return check_tool_called(a, transcript, why);
	case TOOL_NOT_CALLED: return check_tool_not_called(a, transcript, why);
	case JSON_PATH: return check_json_path(a, transcript, turn, why);
	case MAX_LATENCY_MS: return every_turn(a, transcript, why, check_latency);
	default: return true;
	}
}

static jv
check_record(enum kind kind, int turn, bool ok, const struct buf *why)
{
	jv check = jvx_set_text(jv_object(), "kind", names[kind]);

	check = jvx_set(check, "ok", ok ? jv_true() : jv_false());
	if (!ok)
		check = jvx_set(check, "reason", jv_string_sized(why->data, (int)why->len));
	return turn > 0 ? jvx_set(check, "turn", jv_number(turn)) : check;
}

static bool
has_error(jv obj)
{
	jv error = jvx_get(obj, "error");
	bool has = jv_is_valid(error) && jv_get_kind(error) != JV_KIND_NULL;

	jv_free(error);
	return has;
}

/* The error as a line; also where a turn has one that the transcript forgot. */
static bool
find_error(jv transcript, struct buf *why)
{
	const char *reason = jvx_text(transcript, "reason"), *error = jvx_text(transcript, "error");

	if (has_error(transcript)) {
		buf_format(why, "%s%s", reason ? reason : "", reason ? ": " : "");
		for (const char *c = error ? error : "an error"; *c != '\0'; c++)
			buf_byte(why, (unsigned char)*c < 0x20 || *c == 0x7f ? ' ' : *c);
		return true;
	}
	for (int turn = 1, count = turn_count(transcript); turn <= count && why->len == 0; turn++) {
		jv t = turn_at(transcript, turn);
		if (has_error(t))
			buf_format(why, "an error in turn %d", turn);
		jv_free(t);
	}
	return why->len > 0;
}

jv
assertions_check(struct assertions *all, jv transcript)
{
	jv checks = jv_array();
	struct buf why = {0};

	if (find_error(transcript, &why)) {
		checks = jv_array_append(checks, check_record(NO_ERROR, 0, false, &why));
		buf_free(&why);
		return checks;
	}
	for (size_t i = 0; i < all->count; i++) {
		const struct assertion *a = &all->list[i];
		buf_clear(&why);
		bool ok = holds(a, transcript, &why);
		checks = jv_array_append(checks, check_record(a->kind, a->turn, ok, &why));
	}
	buf_free(&why);
	return checks;
}
