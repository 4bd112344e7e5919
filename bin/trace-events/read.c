/* read: lines of any format version, told apart by their shape, into the model. */
#include "segment.h"

#include <stdlib.h>
#include <string.h>

#include "prog.h"

enum { FORMAT_KNOWN = 10, PARAMS_MOST = 16 << 10, PARAM_MOST = 8 << 10 };

static bool
ends(const char *text, const char *with)
{
	size_t n = strlen(text), m = strlen(with);

	return n >= m && strcmp(text + n - m, with) == 0;
}

static struct context *
context_of(struct segment *s, const char *prefix)
{
	struct context *c = pairs_get(s->prefixes, prefix, NULL);

	if (c != NULL)
		return c;
	c = prog_alloc(1, sizeof *c);
	*c = (struct context){
	    .prefix = prefix,
	    .wall = NAN,
	    .mono = NAN,
	    .began = NAN,
	    .first = NAN,
	    .last = NAN,
	    .timeout_ms = NAN,
	};
	*LIST_ADD(s->contexts) = c;
	pairs_set(s->prefixes, prefix, NULL, c);
	return c;
}

struct page *
page_of(struct segment *s, struct context *c, const char *id)
{
	if (id == NULL)
		return NULL;
	struct page *p = pairs_get(s->page_ids, id, NULL);
	if (p != NULL)
		return p;
	p = prog_alloc(1, sizeof *p);
	pairs_set(s->page_ids, id, NULL, p);
	p->id = id;
	p->context = c;
	*LIST_ADD(s->pages) = p;
	p->number = s->pages.count;
	return p;
}

void
note_time(struct context *c, double time)
{
	if (!(time > 0 && time < 1e15))
		return;
	if (!(c->first <= time))
		c->first = time;
	if (!(c->last >= time))
		c->last = time;
}

struct action *
action_new(struct segment *s, struct context *c, const char *id)
{
	struct action *a = prog_alloc(1, sizeof *a);

	a->context = c;
	a->id = id;
	a->start = a->end = a->wall = NAN;
	a->order = s->actions.count;
	*LIST_ADD(s->actions) = a;
	pairs_set(s->ids, c, id, a);
	return a;
}

void
action_log(struct action *a, const char *line)
{
	if (line == NULL)
		return;
	list_grow((void **)&a->log, &a->log_size, a->log_count, sizeof *a->log);
	a->log[a->log_count++] = line;
}

/* Documents are set and evaluated through params: of those only the small members are kept. */
void
action_params(struct segment *s, struct action *a, struct span params)
{
	struct scan_each it = {0};
	struct buf b = {0};

	if (scan_kind(params) != '{')
		return;
	if (params.len <= PARAMS_MOST) {
		a->params = words_bytes(s->words, params.at, params.len);
		return;
	}
	buf_byte(&b, '{');
	while (scan_each(&it, params)) {
		if (it.key.len + it.value.len > PARAM_MOST || b.len > PARAMS_MOST)
			continue;
		if (b.len > 1)
			buf_byte(&b, ',');
		buf_add(&b, it.key.at, it.key.len);
		buf_byte(&b, ':');
		buf_add(&b, it.value.at, it.value.len);
	}
	buf_byte(&b, '}');
	a->params = words_bytes(s->words, b.data, b.len);
	buf_free(&b);
}

/* Those that turn what a test's errors mean around. */
static void
read_annotations(struct context *c, struct span list)
{
	struct scan_each it = {0};

	while (scan_kind(list) == '[' && scan_each(&it, list)) {
		struct span type = scan_member(it.value, "type");
		c->should_fail |= scan_is(type, "fail");
		c->skipped |= scan_is(type, "skip") || scan_is(type, "fixme");
	}
}

static void
read_options(struct segment *s, struct context *c, struct span record)
{
	struct want m[] = {{"version", {0}}, {"origin", {0}}, {"browserName", {0}},
	    {"playwrightVersion", {0}}, {"platform", {0}}, {"wallTime", {0}},
	    {"monotonicTime", {0}}, {"title", {0}}, {"options", {0}}, {"sdkLanguage", {0}},
	    {"testTimeout", {0}}, {"annotations", {0}}};

	if (c->options)
		return;
	MEMBERS(record, m);
	c->options = true;
	c->version = (int)fmin(fmax(scan_number(m[0].value, 0), 0), 1e9);
	if (c->version > FORMAT_KNOWN)
		ndjson_put(
		    ndjson_warning("trace-events", "future-format",
			"a newer format than 10: what is unknown in it is passed over", c->prefix),
		    s->out);
	c->runner = scan_is(m[1].value, "testRunner");
	c->browser = words_text(s->words, m[2].value);
	c->playwright = words_text(s->words, m[3].value);
	c->platform = words_text(s->words, m[4].value);
	c->began = scan_number(m[5].value, NAN);
	c->mono = scan_number(m[6].value, NAN);
	c->wall = isnan(c->mono) ? NAN : c->began;
	c->title = words_text(s->words, m[7].value);
	c->base_url = words_text(s->words, scan_member(m[8].value, "baseURL"));
	c->sdk = words_text(s->words, m[9].value);
	c->timeout_ms = scan_number(m[10].value, NAN);
	note_time(c, c->mono);
	read_annotations(c, m[11].value);
}

/* The frames of a stack are kept as the record has them; an empty one says nothing. */
static struct span
kept_stack(struct words *w, struct span stack)
{
	struct scan_each it = {0};

	if (scan_kind(stack) != '[' || !scan_each(&it, stack) || stack.len > TEXT_MOST)
		return (struct span){0};
	return words_bytes(w, stack.at, stack.len);
}

void
action_stack(struct segment *s, struct action *a, struct span stack)
{
	a->stack = kept_stack(s->words, stack);
}

static void
read_before(struct segment *s, struct context *c, struct span record)
{
	struct want m[] = {{"callId", {0}}, {"startTime", {0}}, {"class", {0}}, {"method", {0}},
	    {"title", {0}}, {"apiName", {0}}, {"subtitle", {0}}, {"group", {0}}, {"stepId", {0}},
	    {"parentId", {0}}, {"pageId", {0}}, {"params", {0}}, {"stack", {0}}, {"wallTime", {0}}};

	MEMBERS(record, m);
	const char *id = words_text(s->words, m[0].value);
	if (id == NULL)
		return;
	struct action *a = pairs_get(s->ids, c, id);
	if (a != NULL && isnan(a->end) && a->class != NULL)
		return; /* written twice */
	if (a == NULL || a->class != NULL)
		a = action_new(s, c, id);
	a->start = scan_number(m[1].value, NAN);
	a->began = c->lines;
	a->class = words_text(s->words, m[2].value);
	a->method = words_text(s->words, m[3].value);
	a->title = words_text(s->words, m[4].value);
	if (a->title == NULL || *a->title == '\0')
		a->title = words_text(s->words, m[5].value);
	a->title = plain(s->words, a->title);
	a->subtitle = plain(s->words, words_text(s->words, m[6].value));
	a->group = words_text(s->words, m[7].value);
	a->step_id = words_text(s->words, m[8].value);
	a->parent_id = words_text(s->words, m[9].value);
	a->page = words_text(s->words, m[10].value);
	action_params(s, a, m[11].value);
	action_stack(s, a, m[12].value);
	a->wall = scan_number(m[13].value, NAN);
	if (a->class == NULL)
		a->class = "";
	note_time(c, a->start);
	page_of(s, c, a->page);
	if (!c->options && same(a->class, "Test")) {
		c->runner = true;
		c->version = c->version == 0 ? 6 : c->version;
	}
	if (isnan(c->mono) && a->wall > 0) {
		c->wall = a->wall;
		c->mono = a->start;
	}
}

/*
 * {message, name, stack}, or that in a member "error"; format 1 has a string; what was thrown
 * without being an Error is {value}.
 */
static void
read_error(struct segment *s, struct action *a, struct span error)
{
	struct span inner = scan_member(error, "error");

	if (scan_kind(inner) == '{' || scan_kind(inner) == '"')
		error = inner;
	if (scan_kind(error) == '"') {
		a->message = plain(s->words, words_text(s->words, error));
		return;
	}
	if (scan_kind(error) != '{')
		return;
	struct want m[] = {{"message", {0}}, {"name", {0}}, {"value", {0}}};
	MEMBERS(error, m);
	a->message = plain(s->words, words_text(s->words, m[0].value));
	a->error = words_text(s->words, m[1].value);
	if (a->message == NULL && m[2].value.at != NULL)
		a->message = serialized(s->words, m[2].value);
	if (a->message == NULL)
		a->message = "";
}

static void
read_attachments(struct segment *s, struct action *a, struct span list)
{
	struct scan_each it = {0};

	while (scan_kind(list) == '[' && scan_each(&it, list)) {
		struct want m[] = {{"name", {0}}, {"contentType", {0}}, {"sha1", {0}},
		    {"file", {0}}, {"base64", {0}}};
		MEMBERS(it.value, m);
		if (scan_kind(m[0].value) != '"')
			continue;
		struct attachment *t = LIST_ADD(s->attachments);
		struct span blob = m[3].value.at != NULL ? m[3].value : m[2].value;
		*t = (struct attachment){
		    .name = words_text(s->words, m[0].value),
		    .mime = words_text(s->words, m[1].value),
		    .blob = blob_name(s->words, words_text(s->words, blob)),
		    .action = a,
		};
		if (scan_kind(m[4].value) == '"' && m[4].value.len <= (1 << 20))
			t->base64 = words_bytes(s->words, m[4].value.at, m[4].value.len);
	}
}

void
read_after(struct segment *s, struct context *c, struct action *a, struct span record)
{
	struct want m[] = {{"endTime", {0}}, {"error", {0}}, {"attachments", {0}},
	    {"annotations", {0}}, {"result", {0}}, {"log", {0}}};
	struct scan_each it = {0};

	MEMBERS(record, m);
	a->end = scan_number(m[0].value, NAN);
	a->ended = c->lines;
	note_time(c, a->end);
	read_error(s, a, m[1].value);
	read_attachments(s, a, m[2].value);
	read_annotations(c, m[3].value);
	struct span received = scan_member(m[4].value, "received");
	if (received.at != NULL && received.len < TEXT_MOST)
		a->received = serialized(s->words, received);
	while (scan_kind(m[5].value) == '[' && scan_each(&it, m[5].value))
		action_log(a, words_text(s->words, it.value));
}

static struct action *
action_at(struct segment *s, struct context *c, struct span record)
{
	struct want m[] = {{"callId", {0}}};

	MEMBERS(record, m);
	const char *id = words_text(s->words, m[0].value);
	return id == NULL ? NULL : pairs_get(s->ids, c, id);
}

static void
read_log(struct segment *s, struct context *c, struct span record)
{
	struct want m[] = {{"message", {0}}, {"time", {0}}};
	struct action *a = action_at(s, c, record);

	if (a == NULL)
		return;
	MEMBERS(record, m);
	action_log(a, plain(s->words, words_text(s->words, m[0].value)));
	note_time(c, scan_number(m[1].value, NAN));
}

/* An error of the test as a whole, from the runner. */
static void
read_error_record(struct segment *s, struct context *c, struct span record)
{
	struct want m[] = {{"message", {0}}, {"stack", {0}}};

	MEMBERS(record, m);
	const char *message = plain(s->words, words_text(s->words, m[0].value));
	if (message == NULL || *message == '\0')
		return;
	if (!c->options)
		c->runner = true;
	struct error *e = LIST_ADD(s->errors);
	*e = (struct error){
	    .message = message,
	    .stack = kept_stack(s->words, m[1].value),
	    .line = c->lines,
	};
}

/* What the recorder's frames call a page, and how a page moves from URL to URL. */
static void
read_snapshot(struct segment *s, struct context *c, struct span snapshot)
{
	struct want m[] = {{"callId", {0}}, {"pageId", {0}}, {"frameId", {0}}, {"frameUrl", {0}}};

	if (s->dom_context != c)
		dom_member(s->dom);
	s->dom_context = c;
	dom_add(s->dom, snapshot, s->bulk);
	MEMBERS(snapshot, m);
	const char *id = words_text(s->words, m[0].value);
	struct page *page = page_of(s, c, words_text(s->words, m[1].value));
	struct action *a = id == NULL ? NULL : pairs_get(s->ids, c, id);
	if (page == NULL)
		return;
	if (a != NULL && a->page == NULL)
		a->page = page->id;
	page->seen = ++s->seen;
	page->context = c;
	const char *frame = words_text(s->words, m[2].value);
	const char *url = words_text(s->words, m[3].value);
	if (page->frame == NULL)
		page->frame = frame;
	if (frame != page->frame || url == NULL || url == page->url)
		return;
	page->url = url;
	if (!begins(url, "about:"))
		add_event(s, c, c->last, page->id, "navigation", "url", m[3].value);
}

/* What happened by itself, by the name of the protocol's message. */
void
read_protocol(struct segment *s, struct context *c, double time, struct span method,
    const char *page, struct span params)
{
	struct want p[] = {{"pageId", {0}}, {"url", {0}}, {"message", {0}}, {"page", {0}}};

	MEMBERS(params, p);
	if (page == NULL)
		page = words_text(s->words, p[0].value);
	if (page == NULL)
		page = words_text(s->words, scan_member(p[3].value, "guid"));
	page_of(s, c, page);
	if (read_old_event(s, c, time, method, page, params))
		return;
	if (scan_is(method, "page"))
		add_event(s, c, time, page, "page", NULL, p[1].value);
	else if (scan_is(method, "pageClosed"))
		add_event(s, c, time, page, "page-closed", NULL, p[1].value);
	else if (scan_is(method, "dialog") && scan_kind(p[2].value) == '"')
		add_event(s, c, time, page, "dialog", "text", p[2].value);
	else if (scan_is(method, "download"))
		add_event(s, c, time, page, "download", "url", p[1].value);
}

static void
read_event(struct segment *s, struct context *c, struct span record)
{
	struct want m[] = {{"time", {0}}, {"method", {0}}, {"params", {0}}, {"pageId", {0}}};

	MEMBERS(record, m);
	double time = scan_number(m[0].value, NAN);
	note_time(c, time);
	read_protocol(s, c, time, m[1].value, words_text(s->words, m[3].value), m[2].value);
}

static void
read_console(struct segment *s, struct context *c, struct span record)
{
	struct want m[] = {
	    {"time", {0}}, {"pageId", {0}}, {"messageType", {0}}, {"text", {0}}, {"location", {0}}};

	MEMBERS(record, m);
	double time = scan_number(m[0].value, NAN);
	note_time(c, time);
	const char *page = words_text(s->words, m[1].value);
	page_of(s, c, page);
	add_console(s, c, time, page, m[2].value, m[3].value, m[4].value);
}

static void
read_output(struct segment *s, struct context *c, struct span type, struct span record)
{
	struct want m[] = {{"timestamp", {0}}, {"text", {0}}};

	MEMBERS(record, m);
	if (scan_kind(m[1].value) != '"')
		return; /* bytes that are no text tell nobody anything */
	if (!c->options)
		c->runner = true;
	double time = scan_number(m[0].value, NAN);
	note_time(c, time);
	add_event(
	    s, c, time, NULL, scan_is(type, "stderr") ? "stderr" : "stdout", "text", m[1].value);
}

static void
read_trace_line(struct segment *s, struct context *c, struct span record)
{
	struct span type = scan_front(record, "type");

	if (scan_is(type, "log")) {
		read_log(s, c, record);
	} else if (scan_is(type, "frame-snapshot")) {
		read_snapshot(s, c, scan_front(record, "snapshot"));
	} else if (scan_is(type, "before")) {
		read_before(s, c, record);
	} else if (scan_is(type, "after")) {
		struct action *a = action_at(s, c, record);
		if (a != NULL)
			read_after(s, c, a, record);
	} else if (scan_is(type, "resource-snapshot")) {
		read_request(s, c, scan_front(record, "snapshot"));
	} else if (scan_is(type, "console")) {
		read_console(s, c, record);
	} else if (scan_is(type, "context-options")) {
		read_options(s, c, record);
	} else if (scan_is(type, "error")) {
		read_error_record(s, c, record);
	} else if (scan_is(type, "stdout") || scan_is(type, "stderr")) {
		read_output(s, c, type, record);
	} else if (!read_old(s, c, type, record) && scan_is(type, "event")) {
		read_event(s, c, record);
	}
}

void
read_line(struct segment *s, struct span member, struct span record, struct span bulk)
{
	const char *name = words_text(s->words, member);

	if (name == NULL || scan_kind(record) != '{')
		return;
	const char *suffix = ends(name, ".trace")     ? ".trace"
			     : ends(name, ".network") ? ".network"
			     : ends(name, ".stacks")  ? ".stacks"
						      : "";
	const char *prefix = words_keep(s->words, name, strlen(name) - strlen(suffix));
	struct context *c = context_of(s, prefix);
	s->bulk = bulk;
	c->lines++;
	if (ends(name, ".stacks"))
		c->stacks = words_bytes(s->words, record.at, record.len);
	else
		read_trace_line(s, c, record);
}
