#include "reply.h"

#include <math.h>
#include <string.h>

#include "jvx.h"
#include "utf8.h"

const char reply_empty[] = "an object without text, tool_calls or error";

/* The first of these members; invalid when there is none. */
static jv
either(jv obj, const char *const names[])
{
	for (size_t i = 0; names[i] != NULL; i++) {
		jv value = jvx_get(obj, names[i]);
		if (jv_is_valid(value) && jv_get_kind(value) != JV_KIND_NULL)
			return value;
		jv_free(value);
	}
	return jv_invalid();
}

/* Arguments come as an object, or as JSON in a text. */
static jv
arguments_of(jv call)
{
	static const char *const names[] = {
	    "arguments", "args", "input", "parameters", "params", NULL};
	jv value = either(call, names);
	struct scan_error error;

	if (!jv_is_valid(value))
		return jv_object();
	if (jv_get_kind(value) != JV_KIND_STRING)
		return value;
	jv parsed = jvx_parse(jv_string_value(value), jvx_length(value), &error);
	if (!jv_is_valid(parsed))
		return value;
	jv_free(value);
	return parsed;
}

/* {"name", "arguments"}, or one of these inside "function". */
static jv
call_of(jv given)
{
	static const char *const names[] = {"name", "tool_name", "toolName", "tool", NULL};
	jv inner = jvx_get(given, "function");
	jv call = jv_get_kind(inner) == JV_KIND_OBJECT ? jv_copy(inner) : jv_copy(given);
	jv name = either(call, names), made = jv_invalid();

	if (jv_get_kind(name) == JV_KIND_STRING)
		made = jvx_set(
		    jvx_set(jv_object(), "name", jv_copy(name)), "arguments", arguments_of(call));
	jv_free(name);
	jv_free(call);
	jv_free(inner);
	return made;
}

jv
reply_calls(jv value)
{
	jv made = jv_array();
	bool good = jv_get_kind(value) == JV_KIND_ARRAY;

	for (int i = 0; good && i < jv_array_length(jv_copy(value)); i++) {
		jv item = jv_array_get(jv_copy(value), i), call = call_of(item);
		good = jv_is_valid(call);
		if (good)
			made = jv_array_append(made, call);
		jv_free(item);
	}
	jv_free(value);
	if (good)
		return made;
	jv_free(made);
	return jv_invalid();
}

static const char *
read_object(struct reply *r, jv value)
{
	static const char *const texts[] = {"text", "reply", NULL};
	static const char *const calls[] = {"tool_calls", "toolCalls", NULL};
	jv given = either(value, calls);

	r->text = either(value, texts);
	r->usage = jvx_get(value, "usage");
	r->error = jvx_get(value, "error");
	r->cost_usd = jvx_number(value, "cost_usd", NAN);
	r->tool_calls = jv_is_valid(given) ? reply_calls(jv_copy(given)) : jv_invalid();
	bool bad_calls = jv_is_valid(given) && !jv_is_valid(r->tool_calls);
	jv_free(given);
	jv_free(value);
	if (jv_get_kind(r->error) == JV_KIND_NULL) {
		jv_free(r->error);
		r->error = jv_invalid();
	}
	if (bad_calls)
		return "tool_calls is no list of calls with names";
	if (jv_is_valid(r->text) && jv_get_kind(r->text) != JV_KIND_STRING)
		return "text is no text";
	if (jv_is_valid(r->error) && jv_get_kind(r->error) != JV_KIND_STRING)
		return "error is no text";
	if (!jv_is_valid(r->text) && !jv_is_valid(r->tool_calls) && !jv_is_valid(r->error))
		return reply_empty;
	if (jv_is_valid(r->usage) && jv_get_kind(r->usage) != JV_KIND_OBJECT)
		return "usage is no object";
	return NULL;
}

const char *
reply_read(struct reply *r, struct span bytes)
{
	struct scan_error error;
	struct span inside = bytes;
	const char *why;

	*r = (struct reply){jv_invalid(), jv_invalid(), jv_invalid(), jv_invalid(), NAN};
	while (inside.len > 0 && strchr(" \t\r\n", inside.at[inside.len - 1]) != NULL &&
	       inside.at[inside.len - 1] != '\0')
		inside.len--;
	if (utf8_valid(inside.at, inside.len) != inside.len)
		return "not UTF-8";
	if (memchr(inside.at, '\0', inside.len) != NULL)
		return "a NUL";
	size_t blank = 0;
	while (blank < inside.len && strchr(" \t\r\n", inside.at[blank]) != NULL)
		blank++;
	if (blank == inside.len || inside.at[blank] != '{') {
		r->text = jv_string_sized(inside.at, (int)inside.len);
		return NULL;
	}
	jv value = jvx_parse(inside.at, inside.len, &error);
	if (!jv_is_valid(value))
		return "begins like JSON and is none";
	why = read_object(r, value);
	if (why != NULL)
		reply_free(r);
	return why;
}

void
reply_free(struct reply *r)
{
	jv_free(r->text);
	jv_free(r->tool_calls);
	jv_free(r->usage);
	jv_free(r->error);
	*r = (struct reply){jv_invalid(), jv_invalid(), jv_invalid(), jv_invalid(), NAN};
}
