/* source: the lines around the places that matter, from the source files that a trace carries. */
#include "segment.h"

#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "prog.h"
#include "utf8.h"

enum { PLACES_MOST = 60, LINES_MOST = 160 };

struct excerpt {
	const char *file;
	char sha1[41]; /* of the path: how the trace names its copy */
	int line, from, to;
	const char *text; /* NULL until the file is seen */
	int first, last;
};

static void
want_place(struct segment *s, jv frame, int before, int after)
{
	const char *file = jvx_text(frame, "file");
	double line = jvx_number(frame, "line", 0);

	if (file == NULL || !(line >= 1 && line < 1e7) || s->excerpts.count >= PLACES_MOST)
		return;
	int from = (int)line - before, to = (int)line + after;
	for (size_t i = 0; i < s->excerpts.count; i++) {
		struct excerpt *e = s->excerpts.at[i];
		if (strcmp(e->file, file) != 0 || from > e->to + 3 || to < e->from - 3)
			continue;
		int lo = from < e->from ? from : e->from, hi = to > e->to ? to : e->to;
		if (hi - lo >= LINES_MOST)
			continue;
		e->from = lo;
		e->to = hi;
		return;
	}
	struct excerpt *e = prog_alloc(1, sizeof *e);
	e->file = words_keep(s->words, file, strlen(file));
	digest_sha1(file, strlen(file), e->sha1);
	e->line = (int)line;
	e->from = from;
	e->to = to;
	*LIST_ADD(s->excerpts) = e;
}

static void
want_stack(struct segment *s, struct span stack, int before, int after, int most)
{
	jv frames = frames_of_json(s->words, stack);
	int count = jv_array_length(jv_copy(frames));

	for (int i = 0; i < count && i < most; i++) {
		jv f = jv_array_get(jv_copy(frames), i);
		want_place(s, f, before, after);
		jv_free(f);
	}
	jv_free(frames);
}

/* The failure first: what is asked for first is told first, and the rest is cut first. */
void
sources_want(struct segment *s)
{
	for (const struct action *a = s->failure_point; a != NULL; a = a->parent)
		want_stack(s, a->stack, 14, 6, 5);
	if (s->terminal != NULL)
		want_stack(s, s->terminal->stack, 14, 6, 5);
	for (size_t i = 0; i < s->errors.count; i++) {
		const struct error *e = &s->errors.at[i];
		want_stack(s, e->stack, 6, 3, 2);
		if (e->action != NULL)
			want_stack(s, e->action->stack, 6, 3, 2);
	}
	for (size_t i = 0; i < s->routes.count; i++)
		want_stack(s, s->routes.at[i]->action->stack, 2, 16, 1);
	for (size_t i = 0; i < s->actions.count; i++) {
		const struct action *a = s->actions.at[i];
		if (same(a->class, "Route") && !a->context->runner)
			want_stack(s, a->stack, 8, 4, 1);
	}
}

/* src/<sha1>.<ext> from format 9 on, resources/src@<sha1>.txt before. */
bool
source_take(struct segment *s, const char *blob, const struct buf *bytes)
{
	const char *sha1 = begins(blob, "src@") ? blob + 4 : blob;
	bool taken = begins(blob, "src@");

	for (size_t i = 0; i < s->excerpts.count; i++) {
		struct excerpt *e = s->excerpts.at[i];
		struct buf text = {0}, mended = {0};
		const char *p = bytes->data ? bytes->data : "", *end = p + bytes->len;
		if (e->text != NULL || strncmp(sha1, e->sha1, 40) != 0)
			continue;
		taken = true;
		for (int line = 1; p < end && line <= e->to; line++) {
			const char *next = memchr(p, '\n', (size_t)(end - p));
			next = next == NULL ? end : next + 1;
			if (line >= e->from) {
				if (e->first == 0)
					e->first = line;
				e->last = line;
				buf_add(&text, p, (size_t)(next - p));
			}
			p = next;
		}
		if (text.len > 0 && text.len <= TEXT_MOST) {
			utf8_mend(&mended, text.data, text.len);
			e->text = words_bytes(s->words, mended.data, mended.len).at;
		}
		buf_free(&text);
		buf_free(&mended);
	}
	return taken;
}

void
sources_tell(struct segment *s)
{
	size_t number = 0;

	for (size_t i = 0; i < s->excerpts.count; i++) {
		const struct excerpt *e = s->excerpts.at[i];
		if (e->text == NULL)
			continue;
		jv rec = jvx_set_text(jv_object(), "type", "source");
		rec = jvx_set(rec, "ref", ref_of("source", ++number));
		rec = jvx_set_text(rec, "file", e->file);
		rec = jvx_set_number(rec, "line", e->line);
		rec = jvx_set_number(rec, "first", e->first);
		ndjson_put(jvx_set_text(rec, "text", e->text), s->out);
	}
}

const char *
source_line(const struct segment *s, const char *file, int line)
{
	for (size_t i = 0; i < s->excerpts.count; i++) {
		const struct excerpt *e = s->excerpts.at[i];
		if (e->text == NULL || !same(e->file, file) || line < e->first || line > e->last)
			continue;
		const char *p = e->text;
		for (int at = e->first; p != NULL && at < line; at++)
			p = (p = strchr(p, '\n')) != NULL ? p + 1 : NULL;
		if (p != NULL)
			return words_keep(s->words, p, strcspn(p, "\n"));
	}
	return NULL;
}

void
sources_free(struct segment *s)
{
	for (size_t i = 0; i < s->excerpts.count; i++)
		free(s->excerpts.at[i]);
	free(s->excerpts.at);
}
