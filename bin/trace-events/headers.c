/* headers: what a request is told with beside its outcome: headers and timings. */
#include "segment.h"

#include <string.h>

/*
 * [{name, value}] as an object with names in lower case.  A name that comes twice is one value by
 * RFC 9110 section 5.3, joined by ", "; only cookies are kept apart by lines.
 */
static jv
headers_of(struct span list)
{
	struct scan_each it = {0};
	struct buf name = {0}, value = {0};
	jv headers = jv_object();

	while (scan_kind(list) == '[' && scan_each(&it, list)) {
		struct want m[] = {{"name", {0}}, {"value", {0}}};
		MEMBERS(it.value, m);
		buf_clear(&name);
		buf_clear(&value);
		if (!scan_text(m[0].value, &name) || name.len == 0)
			continue;
		for (size_t i = 0; i < name.len; i++)
			if (name.data[i] >= 'A' && name.data[i] <= 'Z')
				name.data[i] |= 0x20;
		jv key = jv_string_sized(name.data, (int)name.len);
		jv before = jv_object_get(jv_copy(headers), jv_copy(key));
		if (jv_get_kind(before) == JV_KIND_STRING) {
			buf_text(&value, jv_string_value(before));
			buf_text(&value, strcmp(name.data, "set-cookie") == 0 ? "\n" : ", ");
		}
		jv_free(before);
		scan_text(m[1].value, &value);
		headers = jv_object_set(
		    headers, key, jv_string_sized(value.data ? value.data : "", (int)value.len));
	}
	buf_free(&name);
	buf_free(&value);
	return headers;
}

/* The phases of a request in ms; -1 is how a HAR file says unknown. */
static jv
timings_of(struct span timings)
{
	static const char *const names[] = {
	    "blocked", "dns", "connect", "ssl", "send", "wait", "receive"};
	struct scan_each it = {0};
	jv t = jv_object();

	while (scan_kind(timings) == '{' && scan_each(&it, timings)) {
		double ms = scan_number(it.value, -1);
		for (size_t i = 0; ms >= 0 && i < sizeof names / sizeof *names; i++)
			if (scan_is(it.key, names[i]))
				t = jvx_set_ms(t, names[i], ms);
	}
	return t;
}

static jv
set_object(jv rec, const char *key, jv object)
{
	if (jv_object_length(jv_copy(object)) > 0)
		return jvx_set(rec, key, object);
	jv_free(object);
	return rec;
}

jv
set_headers(jv rec, const struct request *r)
{
	rec = set_object(rec, "request_headers", headers_of(r->request_headers));
	rec = set_object(rec, "response_headers", headers_of(r->response_headers));
	return set_object(rec, "timings", timings_of(r->timings));
}
