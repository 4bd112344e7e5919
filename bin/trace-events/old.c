/*
 * old: what formats 1 to 6 write another way.
 *
 * Up to 3 an action is one record, written when it ends; up to 6 events are the protocol's own
 * messages, which speak of objects that an earlier message made.
 */
#include "segment.h"

#include <stdint.h>
#include <string.h>

/* {"type":"action","metadata":{...}}; unfinished calls do not appear, or with an end of 0. */
static void
read_action(struct segment *s, struct context *c, struct span metadata)
{
	struct want m[] = {{"id", {0}}, {"apiName", {0}}, {"type", {0}}, {"method", {0}},
	    {"params", {0}}, {"stack", {0}}, {"wallTime", {0}}, {"startTime", {0}},
	    {"endTime", {0}}, {"pageId", {0}}, {"internal", {0}}, {"objectId", {0}}};

	MEMBERS(metadata, m);
	const char *id = words_text(s->words, m[0].value);
	const char *method = words_text(s->words, m[3].value);
	if (id == NULL || scan_true(m[10].value) || begins(method, "tracing"))
		return;
	struct action *a = action_new(s, c, id);
	a->title = words_text(s->words, m[1].value);
	a->class = words_text(s->words, m[2].value);
	a->class = a->class == NULL ? "" : a->class;
	a->method = method;
	a->object = words_text(s->words, m[11].value);
	action_params(s, a, m[4].value);
	action_stack(s, a, m[5].value);
	a->wall = scan_number(m[6].value, NAN);
	a->start = scan_number(m[7].value, NAN);
	a->page = words_text(s->words, m[9].value);
	page_of(s, c, a->page);
	note_time(c, a->start);
	if (isnan(c->mono) && a->wall > 0) {
		c->wall = a->wall;
		c->mono = a->start;
	}
	read_after(s, c, a, metadata);
	if (!(a->end > 0))
		a->end = NAN;
}

static const char *
guid_of(struct segment *s, struct span params, const char *member)
{
	return words_text(s->words, scan_path(params, member, "guid", NULL));
}

static void
remember(struct segment *s, struct context *c, const char *guid, struct span initializer)
{
	struct span *kept;

	if (guid == NULL || scan_kind(initializer) != '{' || initializer.len > 4 * TEXT_MOST)
		return;
	struct span bytes = words_bytes(s->words, initializer.at, initializer.len);
	kept = words_aligned(s->words, sizeof *kept);
	*kept = bytes;
	pairs_set(s->objects, c, guid, kept);
}

static void
routed(struct segment *s, struct context *c, const char *guid, struct span initializer)
{
	const char *request = guid_of(s, initializer, "request");

	if (guid != NULL && request != NULL)
		pairs_set(s->routed, c, guid, (void *)(uintptr_t)request);
}

static void
created(struct segment *s, struct context *c, double time, const char *page, struct span params)
{
	struct want m[] = {{"type", {0}}, {"initializer", {0}}, {"guid", {0}}};

	MEMBERS(params, m);
	if (scan_is(m[0].value, "ConsoleMessage"))
		remember(s, c, words_text(s->words, m[2].value), m[1].value);
	else if (scan_is(m[0].value, "Route"))
		routed(s, c, words_text(s->words, m[2].value), m[1].value);
	else if (scan_is(m[0].value, "Dialog"))
		add_event(s, c, time, page, "dialog", "text", scan_member(m[1].value, "message"));
	else if (scan_is(m[0].value, "WebSocket"))
		add_event(s, c, time, page, "websocket", "url", scan_member(m[1].value, "url"));
}

static void
console(struct segment *s, struct context *c, double time, const char *page, struct span params)
{
	const char *guid = guid_of(s, params, "message");
	struct want m[] = {{"type", {0}}, {"text", {0}}, {"location", {0}}};
	struct want direct[] = {{"type", {0}}, {"text", {0}}, {"location", {0}}};

	const struct span *kept = guid == NULL ? NULL : pairs_get(s->objects, c, guid);
	if (kept != NULL) {
		MEMBERS(*kept, m);
		add_console(s, c, time, page, m[0].value, m[1].value, m[2].value);
		return;
	}
	MEMBERS(params, direct);
	if (scan_kind(direct[1].value) == '"')
		add_console(s, c, time, page, direct[0].value, direct[1].value, direct[2].value);
}

bool
read_old_event(struct segment *s, struct context *c, double time, struct span method,
    const char *page, struct span params)
{
	if (page == NULL)
		page = guid_of(s, params, "page");
	if (scan_is(method, "__create__"))
		created(s, c, time, page, params);
	else if (scan_is(method, "console"))
		console(s, c, time, page, params);
	else if (scan_is(method, "pageError"))
		add_page_error(s, c, time, page, params);
	else if (scan_is(method, "crash"))
		add_event(s, c, time, page, "crash", NULL, params);
	else
		return false;
	return true;
}

bool
read_old(struct segment *s, struct context *c, struct span type, struct span record)
{
	struct want o[] = {{"class", {0}}, {"guid", {0}}, {"initializer", {0}}};
	struct want e[] = {{"startTime", {0}}, {"method", {0}}, {"pageId", {0}}, {"params", {0}}};

	if (scan_is(type, "object")) {
		MEMBERS(record, o);
		if (scan_is(o[0].value, "ConsoleMessage"))
			remember(s, c, words_text(s->words, o[1].value), o[2].value);
		return true;
	}
	struct span metadata = scan_member(record, "metadata");
	if (scan_kind(metadata) != '{')
		return false;
	if (scan_is(type, "action")) {
		read_action(s, c, metadata);
		return true;
	}
	if (!scan_is(type, "event"))
		return false;
	MEMBERS(metadata, e);
	double time = scan_number(e[0].value, NAN);
	note_time(c, time);
	read_protocol(s, c, time, e[1].value, words_text(s->words, e[2].value), e[3].value);
	return true;
}
