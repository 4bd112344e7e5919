/* page: the pages as they were, from the error context and from DOM snapshots. */
#include "segment.h"

#include <string.h>

#include "aria.h"

/* The YAML block below "# Page snapshot" of the error context. */
static struct span
context_snapshot(const struct segment *s)
{
	struct span none = {0};
	const char *at =
	    s->error_context == NULL ? NULL : strstr(s->error_context, "# Page snapshot");

	if (at == NULL || (at = strstr(at, "```yaml\n")) == NULL)
		return none;
	at += 8;
	const char *end = strstr(at, "\n```");
	return end == NULL ? none : (struct span){at, (size_t)(end - at) + 1};
}

static struct page *
page_seen_last(const struct segment *s)
{
	struct page *last = NULL;

	for (size_t i = 0; i < s->pages.count; i++)
		if (last == NULL || s->pages.at[i]->seen > last->seen)
			last = s->pages.at[i];
	return last;
}

/* The failure point's; a failure that is no page's own is looked at on the page used last. */
static struct page *
page_to_look_at(const struct segment *s)
{
	const char *id = NULL;

	for (size_t i = 0; i < s->actions.count; i++) {
		const struct action *a = s->actions.at[i];
		if (a->step == NULL && !a->after_hooks && a->page != NULL)
			id = a->page;
		if (a->failure_point)
			break;
	}
	struct page *page = id == NULL ? NULL : pairs_get(s->page_ids, id, NULL);
	if (s->failure_point != NULL && page != NULL && page->seen > 0)
		return page;
	return page_seen_last(s);
}

/* True when an iframe of the tree has something below it. */
static bool
has_frames(struct span yaml)
{
	const char *p = yaml.at, *end = yaml.at + yaml.len;

	while (p < end) {
		const char *next = memchr(p, '\n', (size_t)(end - p));
		size_t len = (size_t)((next == NULL ? end : next) - p);
		size_t indent = strspn(p, " ");
		if (indent + 8 < len && strncmp(p + indent, "- iframe", 8) == 0 &&
		    p[len - 1] == ':')
			return true;
		p += len + 1;
	}
	return false;
}

static jv
snapshot_of_context(struct span yaml, const struct page *page)
{
	jv rec = jvx_set_text(jv_object(), "source", "attachment");

	rec = jvx_set_text(rec, "phase", "after");
	rec = jvx_set(rec, "at_failure", jv_true());
	if (page != NULL) {
		rec = jvx_set(rec, "page", ref_of("page", page->number));
		rec = jvx_set_text(rec, "url", page->url);
	}
	return jv_object_set(rec, jv_string("aria"), jv_string_sized(yaml.at, (int)yaml.len));
}

static jv
snapshot_of_frame(struct segment *s, const struct dom_frame *f, const struct page *page)
{
	struct buf aria = {0}, title = {0};
	jv rec = jvx_set_text(jv_object(), "source", "dom");

	if (!aria_snapshot(s->dom, f->frame, &aria)) {
		jv_free(rec);
		buf_free(&aria);
		return jv_invalid();
	}
	const struct context *c = page != NULL ? page->context : NULL;
	if (c != NULL) {
		const char *call = words_keep(s->words, f->call, strlen(f->call));
		const struct action *a = pairs_get(s->ids, c, call);
		a = a != NULL && a->step != NULL ? a->step : a;
		if (a != NULL && a->number > 0)
			rec = jvx_set(rec, "call", ref_of("action", a->number));
		rec = jvx_set_ms(rec, "t", wall_of(c, f->time) - s->zero);
		rec = jvx_set(rec, "page", ref_of("page", page->number));
	}
	rec = jvx_set_text(rec, "phase", strcmp(f->phase, "input") == 0 ? "action" : f->phase);
	rec = jvx_set_text(rec, "url", f->url);
	if (dom_title(s->dom, f->frame, &title))
		rec = jvx_set_text(rec, "title", title.data);
	if (!f->main)
		rec = jvx_set(rec, "iframe", jv_true());
	rec = jv_object_set(
	    rec, jv_string("aria"), jv_string_sized(aria.data ? aria.data : "", (int)aria.len));
	buf_free(&aria);
	buf_free(&title);
	return rec;
}

static void
tell(struct segment *s, jv rec, size_t *number)
{
	rec = jvx_set_text(rec, "type", "snapshot");
	ndjson_put(jvx_set(rec, "ref", ref_of("snapshot", ++*number)), s->out);
}

static bool
is_blank(jv snapshot)
{
	size_t len = 0;

	return jvx_bytes(snapshot, "aria", &len) != NULL && len == 0;
}

/*
 * The error context shows the first page when the test had ended, later than any DOM snapshot; it
 * is the one to look at if that page is.  The page's frames are told beside it where it lacks them.
 */
void
pages_tell(struct segment *s)
{
	struct span yaml = context_snapshot(s);
	const struct page *look = page_to_look_at(s);
	bool attached = yaml.at != NULL && (look == NULL || look->number == 1);
	size_t number = 0;

	for (size_t i = 0; i < s->requests.count; i++) {
		const struct request *r = s->requests.at[i];
		if (r->response_blob != NULL && strstr(r->response_blob, ".css") != NULL)
			dom_sheet_url(s->dom, r->url, r->response_blob);
	}
	if (attached)
		tell(s, snapshot_of_context(yaml, look), &number);
	for (size_t i = 0; i < dom_count(s->dom); i++) {
		const struct dom_frame *f = dom_frame(s->dom, i);
		const struct page *page =
		    pairs_get(s->page_ids, words_keep(s->words, f->page, strlen(f->page)), NULL);
		jv rec = snapshot_of_frame(s, f, page);
		if (!jv_is_valid(rec)) {
			jv_free(rec);
			continue;
		}
		bool told_by_context = attached && (f->main || has_frames(yaml));
		/* Frames that only carry a script are many, and nothing to look at. */
		bool blank = !f->main && is_blank(rec);
		/* A frame that the last look at its page did not find is gone, or was too busy. */
		if (!f->live)
			rec = jvx_set(rec, "stale", jv_true());
		else if (page == look && page != NULL && !told_by_context && !blank)
			rec = jvx_set(rec, "at_failure", jv_true());
		tell(s, rec, &number);
	}
}
