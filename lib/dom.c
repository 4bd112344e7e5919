#include "dom.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "prog.h"

enum {
	WHOLE = 2 << 20, /* bytes of a frame's newest snapshots that collect() keeps unlooked at */
	SLACK = DOM_KEEP / 2,
	OVERRIDES = 64,
	SHEET_URLS = 4096,
	ARENA_BLOCK = 1 << 16,
};

/* Nodes first .. first + count - 1 of a snapshot, as one array in JSON. */
struct piece {
	uint32_t first, count; /* UINT32_MAX: the whole snapshot, not counted */
	size_t len;
	char *bytes;
};

struct shot {
	uint32_t ordinal; /* in its frame, from 1 */
	uint32_t piece_count;
	struct piece *pieces; /* in order of first */
	uint32_t *marks;      /* while collecting: the nodes that newer snapshots want */
	size_t mark_count, mark_size;
};

struct override {
	char *url, *resource;
};

struct frame {
	struct dom_frame info; /* first: what callers see */
	struct shot *shots;    /* oldest first */
	size_t shot_count, shot_size;
	size_t bytes;
	uint32_t ordinal; /* of the latest snapshot */
	unsigned member;
	unsigned long touched;
	struct override overrides[OVERRIDES];
	size_t override_count;
};

struct sheet {
	char *resource; /* base name */
	char *css;
	size_t len;
};

struct dom {
	struct frame **frames;
	size_t frame_count, frame_size;
	struct frame *recent;
	size_t bytes, limit; /* kept now, and when to collect next */
	unsigned member;
	unsigned long clock;
	struct sheet *sheets;
	size_t sheet_count, sheet_size, sheet_bytes;
	struct override *urls;
	size_t url_count, url_size;
};

/*
 * A walk over checked JSON that gives the nodes of a snapshot, in one pass: scan_each() would look
 * at each byte once per level.
 */
enum step { STEP_TEXT, STEP_OPEN, STEP_CLOSE, STEP_REF, STEP_END };
struct walk {
	const char *p, *end;
	const char *start;   /* of the node that STEP_TEXT or STEP_OPEN tells of */
	struct span text;    /* STEP_TEXT: the raw string; STEP_OPEN: the raw name */
	struct span attrs;   /* STEP_OPEN: the raw object, or nothing */
	uint32_t back, node; /* STEP_REF */
	size_t depth;        /* elements that are open */
	bool begun;
};

static const char *
skip_space(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == ',' || *p == '\n' || *p == '\t' || *p == '\r'))
		p++;
	return p;
}

static const char *
past_string(const char *p)
{
	for (p++;; p += 2) {
		while (*p != '"' && *p != '\\')
			p++;
		if (*p == '"')
			return p + 1;
	}
}

/* Behind the value at p; what is neither string nor container ends at a separator. */
static const char *
past_value(const char *p, const char *end)
{
	static const signed char nesting[256] = {['{'] = 1, ['['] = 1, ['}'] = -1, [']'] = -1};
	size_t depth = 0;

	if (*p == '"')
		return past_string(p);
	if (*p != '{' && *p != '[') {
		while (p < end && strchr(",]} \n\r\t", *p) == NULL)
			p++;
		return p;
	}
	do {
		if (*p == '"')
			p = past_string(p);
		else
			depth += (size_t)nesting[(unsigned char)*p++];
	} while (depth > 0);
	return p;
}

static const char *
past_number(const char *p, const char *end, uint32_t *n, bool *good)
{
	uint64_t sum = 0;
	const char *from = p = skip_space(p, end);

	for (; p < end && *p >= '0' && *p <= '9'; p++)
		sum = sum > UINT32_MAX ? sum : sum * 10 + (uint64_t)(*p - '0');
	*n = (uint32_t)sum;
	*good = *good && p > from && sum < UINT32_MAX;
	return skip_space(p, end);
}

/*
 * A reference is [[back, node]]; false: not quite, so it refers to nothing.  0 back is this very
 * snapshot: a style sheet that several shadow roots adopted.
 */
static bool
read_reference(struct walk *w, const char *p)
{
	bool good = true;

	const char *q = skip_space(p + 1, w->end);
	q = past_number(q + 1, w->end, &w->back, &good);
	q = past_number(q, w->end, &w->node, &good);
	good = good && *q == ']';
	w->p = good && q[1] == ']' ? q + 2 : past_value(p, w->end);
	return good;
}

static struct walk
walk_from(const char *p, const char *end)
{
	return (struct walk){.p = p, .end = end};
}

static enum step
walk_step(struct walk *w)
{
	for (;;) {
		if (w->begun && w->depth == 0)
			return STEP_END;
		const char *p = skip_space(w->p, w->end);
		w->begun = true;
		if (p == w->end)
			return STEP_END;
		w->start = p;
		if (*p == ']') {
			w->p = p + 1;
			w->depth--;
			return STEP_CLOSE;
		}
		if (*p == '"') {
			w->p = past_string(p);
			w->text = (struct span){p, (size_t)(w->p - p)};
			return STEP_TEXT;
		}
		if (*p != '[') {
			w->p = past_value(p, w->end);
			continue;
		}
		const char *q = skip_space(p + 1, w->end);
		if (*q == '[') {
			if (read_reference(w, p))
				return STEP_REF;
			continue;
		}
		if (*q != '"') {
			w->p = past_value(p, w->end);
			continue;
		}
		w->p = past_string(q);
		w->text = (struct span){q, (size_t)(w->p - q)};
		w->attrs = (struct span){0};
		q = skip_space(w->p, w->end);
		if (*q == '{') {
			w->p = past_value(q, w->end);
			w->attrs = (struct span){q, (size_t)(w->p - q)};
		}
		w->depth++;
		return STEP_OPEN;
	}
}

struct dom *
dom_new(void)
{
	struct dom *d = prog_alloc(1, sizeof *d);

	d->limit = SLACK;
	return d;
}

static void
shot_free(struct shot *s)
{
	for (size_t i = 0; i < s->piece_count; i++)
		free(s->pieces[i].bytes);
	free(s->pieces);
	free(s->marks);
}

static void
frame_forget(struct dom *d, struct frame *f)
{
	for (size_t i = 0; i < f->shot_count; i++)
		shot_free(&f->shots[i]);
	d->bytes -= f->bytes;
	f->bytes = f->shot_count = 0;
}

static void
frame_free(struct dom *d, struct frame *f)
{
	frame_forget(d, f);
	free(f->shots);
	for (size_t k = 0; k < f->override_count; k++) {
		free(f->overrides[k].url);
		free(f->overrides[k].resource);
	}
	free(f->info.page);
	free(f->info.frame);
	free(f->info.url);
	free(f->info.call);
	free(f->info.phase);
	free(f);
}

void
dom_free(struct dom *d)
{
	if (d == NULL)
		return;
	for (size_t i = 0; i < d->frame_count; i++)
		frame_free(d, d->frames[i]);
	for (size_t i = 0; i < d->sheet_count; i++) {
		free(d->sheets[i].resource);
		free(d->sheets[i].css);
	}
	for (size_t i = 0; i < d->url_count; i++) {
		free(d->urls[i].url);
		free(d->urls[i].resource);
	}
	free(d->frames);
	free(d->sheets);
	free(d->urls);
	free(d);
}

void
dom_member(struct dom *d)
{
	d->member++;
}

static struct shot *
shot_find(const struct frame *f, uint32_t ordinal)
{
	size_t lo = 0, hi = f->shot_count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (f->shots[mid].ordinal < ordinal)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < f->shot_count && f->shots[lo].ordinal == ordinal ? &f->shots[lo] : NULL;
}

static void
add_mark(struct shot *s, uint32_t node)
{
	if (s->mark_count == s->mark_size) {
		s->mark_size = s->mark_size ? 2 * s->mark_size : 16;
		s->marks = prog_resize(s->marks, s->mark_size, sizeof *s->marks);
	}
	s->marks[s->mark_count++] = node;
}

/* Mark what the pieces of s refer to in older snapshots. */
static void
mark_older(struct frame *f, const struct shot *s)
{
	for (size_t i = 0; i < s->piece_count; i++) {
		const struct piece *piece = &s->pieces[i];
		struct walk w = walk_from(piece->bytes, piece->bytes + piece->len);
		uint32_t back = 0; /* of the reference before; many in a row go to one snapshot */
		struct shot *to = NULL;
		enum step step;
		while ((step = walk_step(&w)) != STEP_END) {
			if (step != STEP_REF || w.back == 0 || w.back >= s->ordinal)
				continue;
			if (w.back != back)
				to = shot_find(f, s->ordinal - w.back);
			back = w.back;
			if (to)
				add_mark(to, w.node);
		}
	}
}

/* Mark what s refers to in itself, whether or not that place is kept. */
static void
mark_own(struct shot *s)
{
	for (size_t i = 0; i < s->piece_count; i++) {
		const struct piece *piece = &s->pieces[i];
		struct walk w = walk_from(piece->bytes, piece->bytes + piece->len);
		enum step step;
		while ((step = walk_step(&w)) != STEP_END)
			if (step == STEP_REF && w.back == 0)
				add_mark(s, w.node);
	}
}

static int
by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

struct cut {
	struct piece *pieces;
	size_t count, size;
};

/* Keep bytes from .. to as nodes first .. first + count - 1; what lies inside them is dropped. */
static void
cut_add(struct cut *c, uint32_t first, uint32_t count, const char *from, size_t len)
{
	while (c->count > 0 && c->pieces[c->count - 1].first >= first)
		c->count--;
	if (c->count == c->size) {
		c->size = c->size ? 2 * c->size : 8;
		c->pieces = prog_resize(c->pieces, c->size, sizeof *c->pieces);
	}
	c->pieces[c->count++] = (struct piece){first, count, len, (char *)(uintptr_t)from};
}

/* Look for the marked nodes of s in one of its pieces. */
static void
cut_piece(struct cut *c, const struct shot *s, const struct piece *piece)
{
	struct {
		const char *start;
		uint32_t first;
	} open[SCAN_DEPTH];
	struct walk w = walk_from(piece->bytes, piece->bytes + piece->len);
	uint32_t index = piece->first;
	enum step step;

	while ((step = walk_step(&w)) != STEP_END) {
		const char *start = w.start;
		uint32_t first = index;
		if (step == STEP_REF)
			continue;
		if (step == STEP_OPEN) {
			open[w.depth - 1].start = start;
			open[w.depth - 1].first = index;
			continue;
		}
		if (step == STEP_CLOSE) {
			start = open[w.depth].start;
			first = open[w.depth].first;
		}
		if (bsearch(&index, s->marks, s->mark_count, sizeof *s->marks, by_number))
			cut_add(c, first, index - first + 1, start, (size_t)(w.p - start));
		index++;
	}
}

/* Keep of a snapshot only what is marked; the bytes that are left. */
static size_t
shot_cut(struct shot *s)
{
	struct cut c = {0};
	size_t left = 0;

	if (s->mark_count > 0) {
		mark_own(s);
		qsort(s->marks, s->mark_count, sizeof *s->marks, by_number);
	}
	for (size_t i = 0; i < s->piece_count && s->mark_count > 0; i++)
		cut_piece(&c, s, &s->pieces[i]);
	for (size_t i = 0; i < c.count; i++) {
		c.pieces[i].bytes = prog_copy(c.pieces[i].bytes, c.pieces[i].len);
		left += c.pieces[i].len;
	}
	for (size_t i = 0; i < s->piece_count; i++)
		free(s->pieces[i].bytes);
	free(s->pieces);
	s->pieces = c.pieces;
	s->piece_count = (uint32_t)c.count;
	return left;
}

static void
frame_collect(struct dom *d, struct frame *f)
{
	size_t left = 0, kept = 0;

	for (size_t i = f->shot_count; i-- > 0;) {
		struct shot *s = &f->shots[i];
		size_t bytes = 0;
		for (size_t k = 0; k < s->piece_count; k++)
			bytes += s->pieces[k].len;
		if (i + 1 < f->shot_count && left + bytes > WHOLE)
			bytes = shot_cut(s);
		left += bytes;
		mark_older(f, s);
		s->mark_count = s->mark_size = 0;
		free(s->marks);
		s->marks = NULL;
	}
	for (size_t i = 0; i < f->shot_count; i++) {
		if (f->shots[i].piece_count == 0)
			shot_free(&f->shots[i]);
		else
			f->shots[kept++] = f->shots[i];
	}
	f->shot_count = kept;
	d->bytes = d->bytes - f->bytes + left;
	f->bytes = left;
}

/* Drop what no latest snapshot reaches; if that is not enough, drop whole frames. */
static void
collect(struct dom *d, struct frame *current)
{
	for (size_t i = 0; i < d->frame_count; i++)
		frame_collect(d, d->frames[i]);
	while (d->bytes > SLACK) {
		struct frame *oldest = NULL;
		for (size_t i = 0; i < d->frame_count; i++) {
			struct frame *f = d->frames[i];
			if (f != current && f->bytes > 0 &&
			    (oldest == NULL || f->touched < oldest->touched))
				oldest = f;
		}
		if (oldest == NULL)
			break;
		frame_forget(d, oldest);
	}
	if (d->bytes > DOM_KEEP)
		frame_forget(d, current);
	d->limit = d->bytes + SLACK;
}

static bool
same(const char *text, struct span raw)
{
	return scan_is(raw, text);
}

/* The frame that was not seen for longest makes room: every snapshot looks through all frames. */
static void
drop_oldest(struct dom *d)
{
	size_t oldest = 0;

	for (size_t i = 1; i < d->frame_count; i++)
		if (d->frames[i]->touched < d->frames[oldest]->touched)
			oldest = i;
	frame_free(d, d->frames[oldest]);
	d->frame_count--;
	memmove(d->frames + oldest, d->frames + oldest + 1,
	    (d->frame_count - oldest) * sizeof(struct frame *));
}

static struct frame *
frame_of(struct dom *d, struct span id)
{
	if (d->recent != NULL && same(d->recent->info.frame, id))
		return d->recent;
	for (size_t i = 0; i < d->frame_count; i++)
		if (same(d->frames[i]->info.frame, id))
			return d->recent = d->frames[i];
	if (d->frame_count == DOM_FRAMES)
		drop_oldest(d);
	if (d->frame_count == d->frame_size) {
		d->frame_size = d->frame_size ? 2 * d->frame_size : 8;
		d->frames = prog_resize(d->frames, d->frame_size, sizeof *d->frames);
	}
	struct frame *f = prog_alloc(1, sizeof *f);
	f->info.frame = scan_copy(id);
	f->info.page = prog_copy("", 0);
	f->info.url = prog_copy("", 0);
	f->info.call = prog_copy("", 0);
	f->info.phase = prog_copy("", 0);
	return d->recent = d->frames[d->frame_count++] = f;
}

static void
set_text(char **text, struct span raw)
{
	if (same(*text, raw))
		return;
	free(*text);
	*text = scan_copy(raw);
	if (*text == NULL)
		*text = prog_copy("", 0);
}

/* Up to format 8 one member "before@call@7" says both; it may stand without a callId. */
static void
set_phase(struct dom_frame *info, struct span phase, struct span name, struct span call)
{
	if (scan_kind(phase) == '"' || scan_kind(name) != '"') {
		set_text(&info->phase, phase);
		set_text(&info->call, call);
		return;
	}
	char *text = scan_copy(name);
	char *at = strchr(text, '@');
	free(info->phase);
	info->phase = prog_copy(text, at ? (size_t)(at - text) : strlen(text));
	if (scan_kind(call) == '"') {
		set_text(&info->call, call);
	} else {
		free(info->call);
		info->call = prog_copy(at ? at + 1 : "", at ? strlen(at + 1) : 0);
	}
	free(text);
}

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void
override_set(struct override *o, const char *url, const char *resource)
{
	free(o->url);
	free(o->resource);
	o->url = prog_copy(url, strlen(url));
	o->resource = prog_copy(resource, strlen(resource));
}

/* A style sheet that a script changed has a resource of its own; {url, ref} says: as before. */
static void
read_overrides(struct frame *f, struct span list)
{
	struct scan_each it = {0};

	while (scan_each(&it, list)) {
		struct span resource = scan_member(it.value, "file");
		if (scan_kind(resource) != '"')
			resource = scan_member(it.value, "sha1");
		char *url = scan_copy(scan_member(it.value, "url")), *name = scan_copy(resource);
		size_t i = 0;
		while (url && i < f->override_count && strcmp(f->overrides[i].url, url) != 0)
			i++;
		if (url && name && i < OVERRIDES) {
			override_set(&f->overrides[i], url, base_name(name));
			if (i == f->override_count)
				f->override_count++;
		}
		free(url);
		free(name);
	}
}

static void
mark_live(struct dom *d, const struct frame *f)
{
	for (size_t i = 0; i < d->frame_count; i++) {
		struct dom_frame *other = &d->frames[i]->info;
		if (strcmp(other->page, f->info.page) != 0)
			continue;
		if (f->info.main && !other->main)
			other->live = strcmp(other->call, f->info.call) == 0 &&
				      strcmp(other->phase, f->info.phase) == 0;
	}
}

/* A child is live when the main frame's latest snapshot is of the same call and phase. */
static bool
is_live(const struct dom *d, const struct frame *f)
{
	for (size_t i = 0; i < d->frame_count; i++) {
		const struct dom_frame *other = &d->frames[i]->info;
		if (other->main && strcmp(other->page, f->info.page) == 0)
			return strcmp(other->call, f->info.call) == 0 &&
			       strcmp(other->phase, f->info.phase) == 0;
	}
	return true;
}

bool
dom_add(struct dom *d, struct span snapshot, struct span known)
{
	struct scan_each it = {.known = known};
	struct span id = {0}, html = {0}, page = {0}, url = {0}, call = {0}, phase = {0};
	struct span name = {0}, time = {0}, viewport = {0}, overrides = {0}, is_main = {0};
	static const char *const names[] = {"frameId", "html", "pageId", "frameUrl", "callId",
	    "phase", "snapshotName", "timestamp", "viewport", "resourceOverrides", "isMainFrame"};
	struct span *const values[] = {
	    &id, &html, &page, &url, &call, &phase, &name, &time, &viewport, &overrides, &is_main};

	if (scan_kind(snapshot) != '{')
		return false;
	while (scan_each(&it, snapshot))
		for (size_t i = 0; i < sizeof names / sizeof *names; i++)
			if (scan_is(it.key, names[i]))
				*values[i] = it.value;
	if (scan_kind(id) != '"' || scan_kind(html) != '[')
		return false;

	struct frame *f = frame_of(d, id);
	set_text(&f->info.page, page);
	set_text(&f->info.url, url);
	set_phase(&f->info, phase, name, call);
	f->info.time = scan_number(time, 0);
	f->info.width = scan_number(scan_member(viewport, "width"), 1280);
	f->info.height = scan_number(scan_member(viewport, "height"), 720);
	f->info.main = scan_true(is_main);
	f->info.live = f->info.main || is_live(d, f);
	if (f->info.main)
		mark_live(d, f);
	read_overrides(f, overrides);
	if (f->member != d->member) {
		frame_forget(d, f);
		f->ordinal = 0;
		f->member = d->member;
	}
	f->ordinal++;
	f->touched = ++d->clock;

	if (f->shot_count == f->shot_size) {
		f->shot_size = f->shot_size ? 2 * f->shot_size : 4;
		f->shots = prog_resize(f->shots, f->shot_size, sizeof *f->shots);
	}
	struct shot *s = &f->shots[f->shot_count++];
	*s = (struct shot){.ordinal = f->ordinal, .piece_count = 1};
	s->pieces = prog_alloc(1, sizeof *s->pieces);
	*s->pieces = (struct piece){0, UINT32_MAX, html.len, prog_copy(html.at, html.len)};
	f->bytes += html.len;
	d->bytes += html.len;
	if (d->bytes > d->limit)
		collect(d, f);
	return true;
}

size_t
dom_count(const struct dom *d)
{
	return d->frame_count;
}

const struct dom_frame *
dom_frame(const struct dom *d, size_t i)
{
	return &d->frames[i]->info;
}

void
dom_sheet_url(struct dom *d, const char *url, const char *resource)
{
	size_t i = d->url_count;

	while (i > 0 && strcmp(d->urls[i - 1].url, url) != 0)
		i--;
	if (i > 0) {
		override_set(&d->urls[i - 1], url, base_name(resource));
		return;
	}
	if (d->url_count == SHEET_URLS)
		return;
	if (d->url_count == d->url_size) {
		d->url_size = d->url_size ? 2 * d->url_size : 16;
		d->urls = prog_resize(d->urls, d->url_size, sizeof *d->urls);
	}
	struct override *o = &d->urls[d->url_count++];
	*o = (struct override){0};
	override_set(o, url, base_name(resource));
}

static const struct sheet *
sheet_find(const struct dom *d, const char *resource)
{
	for (size_t i = 0; i < d->sheet_count; i++)
		if (strcmp(d->sheets[i].resource, resource) == 0)
			return &d->sheets[i];
	return NULL;
}

bool
dom_sheet(struct dom *d, const char *resource, const char *css, size_t len)
{
	const char *name = base_name(resource);

	if (sheet_find(d, name))
		return true;
	if (len > DOM_SHEETS - d->sheet_bytes)
		return false;
	if (d->sheet_count == d->sheet_size) {
		d->sheet_size = d->sheet_size ? 2 * d->sheet_size : 8;
		d->sheets = prog_resize(d->sheets, d->sheet_size, sizeof *d->sheets);
	}
	d->sheets[d->sheet_count++] =
	    (struct sheet){prog_copy(name, strlen(name)), prog_copy(css, len), len};
	d->sheet_bytes += len;
	return true;
}

static bool
spells(struct span text, const char *word)
{
	size_t len = strlen(word);

	return text.len == len && memcmp(text.at, word, len) == 0;
}

struct span
dom_sheet_at(const struct dom_tree *t, struct span url)
{
	const struct frame *f = (const struct frame *)t->frame;
	const char *resource = NULL;

	for (size_t i = 0; i < t->dom->url_count && resource == NULL; i++)
		if (spells(url, t->dom->urls[i].url))
			resource = t->dom->urls[i].resource;
	for (size_t i = 0; i < f->override_count; i++)
		if (spells(url, f->overrides[i].url))
			resource = f->overrides[i].resource;
	const struct sheet *s = resource ? sheet_find(t->dom, resource) : NULL;
	return s ? (struct span){s->css, s->len} : (struct span){0};
}

/* Trees are made of blocks that are freed together. */
struct dom_arena {
	struct block {
		struct block *next;
		size_t used, size;
		_Alignas(16) char bytes[];
	} * blocks;
};

void *
dom_alloc(struct dom_tree *t, size_t size)
{
	struct dom_arena *a = t->arena;

	size = (size + 15) & ~(size_t)15;
	struct block *b = a->blocks;
	if (b == NULL || b->size - b->used < size) {
		size_t room = size > ARENA_BLOCK ? size : ARENA_BLOCK;
		b = prog_alloc(1, sizeof *b + room);
		b->size = room;
		b->next = a->blocks;
		a->blocks = b;
	}
	void *p = b->bytes + b->used;
	b->used += size;
	return p;
}

/* Where each node of a piece begins, so that a reference is a look-up. */
struct index {
	const struct piece *piece;
	uint32_t *starts;
	size_t count;
};

struct builder {
	struct dom_tree *tree;
	const struct frame *frame;
	struct index *indexes;
	size_t index_count, index_size;
	struct dom_node *at; /* the element that is open; NULL before the root */
	size_t depth;
	size_t node_size, most; /* nodes */
	struct buf text;
};

static struct index *
index_of(struct builder *b, const struct piece *piece)
{
	const char *open[SCAN_DEPTH];
	size_t size = 0;
	enum step step;

	for (size_t i = 0; i < b->index_count; i++)
		if (b->indexes[i].piece == piece)
			return &b->indexes[i];
	if (b->index_count == b->index_size) {
		b->index_size = b->index_size ? 2 * b->index_size : 16;
		b->indexes = prog_resize(b->indexes, b->index_size, sizeof *b->indexes);
	}
	struct index *x = &b->indexes[b->index_count++];
	*x = (struct index){.piece = piece};
	struct walk w = walk_from(piece->bytes, piece->bytes + piece->len);
	while ((step = walk_step(&w)) != STEP_END) {
		if (step == STEP_OPEN)
			open[w.depth - 1] = w.start;
		if (step != STEP_TEXT && step != STEP_CLOSE)
			continue;
		if (x->count == size) {
			size = size ? 2 * size : 64;
			x->starts = prog_resize(x->starts, size, sizeof *x->starts);
		}
		const char *start = step == STEP_TEXT ? w.start : open[w.depth];
		x->starts[x->count++] = (uint32_t)(start - piece->bytes);
	}
	return x;
}

/* The text of a raw string: in place if nothing is escaped. */
static struct span
decoded(struct builder *b, struct span raw)
{
	if (memchr(raw.at, '\\', raw.len) == NULL)
		return (struct span){raw.at + 1, raw.len - 2};
	buf_clear(&b->text);
	scan_text(raw, &b->text);
	char *copy = dom_alloc(b->tree, b->text.len + 1);
	memcpy(copy, b->text.data, b->text.len);
	return (struct span){copy, b->text.len};
}

static void
add_attrs(struct builder *b, struct dom_node *n, struct span attrs)
{
	struct scan_each it = {0};
	unsigned count = 0;

	while (scan_each(&it, attrs))
		count += scan_kind(it.value) == '"' && count < DOM_ATTRS;
	if (count == 0)
		return;
	n->attrs = dom_alloc(b->tree, count * sizeof *n->attrs);
	it = (struct scan_each){0};
	while (n->attr_count < count && scan_each(&it, attrs)) {
		if (scan_kind(it.value) != '"')
			continue;
		struct dom_attr *a = &n->attrs[n->attr_count++];
		a->name = decoded(b, it.key);
		a->value = decoded(b, it.value);
	}
}

/* A new node as last child of the open element, or as its shadow root. */
static struct dom_node *
add_node(struct builder *b)
{
	if (b->tree->count >= b->most || (b->at == NULL && b->tree->root != NULL)) {
		b->tree->cut = true;
		return NULL;
	}
	struct dom_node *n = dom_alloc(b->tree, sizeof *n);
	if (b->tree->count == b->node_size) {
		b->node_size = b->node_size ? 2 * b->node_size : 256;
		b->tree->nodes =
		    prog_resize(b->tree->nodes, b->node_size, sizeof(struct dom_node *));
	}
	b->tree->nodes[b->tree->count] = n;
	n->id = (unsigned)b->tree->count++;
	n->parent = b->at;
	if (b->at == NULL)
		b->tree->root = n;
	return n;
}

static void
link_node(struct dom_node *n)
{
	struct dom_node *parent = n->parent;

	if (parent == NULL)
		return;
	if (n->name.at && parent->shadow == NULL && dom_is(n, "template") &&
	    dom_attr(n, "__playwright_shadow_root_").at) {
		parent->shadow = n;
		return;
	}
	n->prev = parent->last;
	if (parent->last)
		parent->last->next = n;
	else
		parent->first = n;
	parent->last = n;
}

static void
skip_element(struct walk *w)
{
	size_t depth = w->depth;

	while (w->depth >= depth && walk_step(w) != STEP_END)
		;
}

/* Take steps of a walk until it ends (false) or meets a reference (true). */
static bool
build(struct builder *b, struct walk *w)
{
	for (;;) {
		switch (walk_step(w)) {
		case STEP_END: return false;
		case STEP_REF: return true;
		case STEP_CLOSE:
			b->at = b->at->parent;
			b->depth--;
			break;
		case STEP_TEXT: {
			struct dom_node *n = b->at ? add_node(b) : NULL;
			if (n == NULL)
				break;
			n->text = decoded(b, w->text);
			link_node(n);
			break;
		}
		case STEP_OPEN: {
			struct dom_node *n = b->depth < DOM_DEPTH ? add_node(b) : NULL;
			if (n == NULL) {
				b->tree->cut = true;
				skip_element(w);
				break;
			}
			n->name = decoded(b, w->text);
			add_attrs(b, n, w->attrs);
			link_node(n);
			b->at = n;
			b->depth++;
		}
		}
	}
}

static bool
is_slot_for(const struct dom_node *slot, const struct dom_node *n)
{
	struct span name = dom_attr(slot, "name"), want = {0};

	if (!dom_is(slot, "SLOT"))
		return false;
	if (n->name.at)
		want = dom_attr(n, "slot");
	return name.len == want.len && (name.len == 0 || memcmp(name.at, want.at, name.len) == 0);
}

/* Give a slot those children of its host that are for it and have no slot yet. */
static void
fill_slot(struct dom_node *slot, struct dom_node *host, long *budget)
{
	struct dom_node **next = &slot->assigned;

	for (struct dom_node *c = host->first; c && *budget > 0; c = c->next, --*budget) {
		if (c->slot || !is_slot_for(slot, c))
			continue;
		c->slot = slot;
		*next = c;
		next = &c->next_assigned;
	}
}

/* Children of a host are shown in the first slot of their name in its shadow tree. */
static void
assign_slots(struct dom_tree *t)
{
	long budget = 5000000; /* looks; no page comes near */

	for (size_t i = 0; i < t->count; i++) {
		struct dom_node *host = t->nodes[i];
		if (host->shadow == NULL)
			continue;
		/* The shadow tree has the ids from its root's up to the first child's. */
		size_t end = host->first ? host->first->id : host->shadow->id;
		for (size_t k = host->shadow->id; k < end && budget > 0; k++, budget--) {
			struct dom_node *slot = t->nodes[k], *root = slot;
			if (!dom_is(slot, "SLOT"))
				continue;
			while (root->parent->shadow != root)
				root = root->parent;
			if (root == host->shadow)
				fill_slot(slot, host, &budget);
		}
	}
}

struct visit {
	struct walk walk;
	uint32_t ordinal;
};

/* The walk over what a reference means; false: nothing. */
static bool
follow(struct builder *b, const struct visit *from, struct visit *to)
{
	if (from->walk.back >= from->ordinal)
		return false;
	to->ordinal = from->ordinal - from->walk.back;
	const struct shot *s = shot_find(b->frame, to->ordinal);
	for (size_t i = 0; s && i < s->piece_count; i++) {
		const struct piece *p = &s->pieces[i];
		uint32_t node = from->walk.node;
		if (node < p->first || node - p->first >= p->count)
			continue;
		const struct index *x = index_of(b, p);
		if (node - p->first >= x->count)
			return false;
		to->walk = walk_from(p->bytes + x->starts[node - p->first], p->bytes + p->len);
		return true;
	}
	return false;
}

struct dom_tree *
dom_tree(const struct dom *d, const char *frame)
{
	struct visit stack[DOM_DEPTH + 2];
	size_t top = 0;
	const struct frame *f = NULL;

	for (size_t i = 0; i < d->frame_count && f == NULL; i++)
		if (strcmp(d->frames[i]->info.frame, frame) == 0)
			f = d->frames[i];
	if (f == NULL || f->shot_count == 0 || f->shots[f->shot_count - 1].ordinal != f->ordinal)
		return NULL;
	struct dom_tree *t = prog_alloc(1, sizeof *t);
	t->dom = d;
	t->frame = &f->info;
	t->arena = prog_alloc(1, sizeof *t->arena);
	/* Nodes are nowhere shared in a page, so a tree has no more of them than bytes bear. */
	struct builder b = {.tree = t, .frame = f, .most = f->bytes / 2 + 1};
	if (b.most > DOM_NODES)
		b.most = DOM_NODES;
	const struct piece *p = &f->shots[f->shot_count - 1].pieces[0];
	stack[top++] = (struct visit){walk_from(p->bytes, p->bytes + p->len), f->ordinal};
	while (top > 0) {
		if (!build(&b, &stack[top - 1].walk)) {
			top--;
			continue;
		}
		if (top < DOM_DEPTH + 2 && follow(&b, &stack[top - 1], &stack[top]))
			top++;
	}
	for (size_t i = 0; i < b.index_count; i++)
		free(b.indexes[i].starts);
	free(b.indexes);
	buf_free(&b.text);
	assign_slots(t);
	if (t->root == NULL) {
		dom_tree_free(t);
		return NULL;
	}
	return t;
}

void
dom_tree_free(struct dom_tree *t)
{
	if (t == NULL)
		return;
	for (struct block *b = t->arena->blocks, *next; b; b = next) {
		next = b->next;
		free(b);
	}
	free(t->arena);
	free(t->nodes);
	free(t);
}

bool
dom_is(const struct dom_node *n, const char *name)
{
	return n->name.at && spells(n->name, name);
}

struct span
dom_attr(const struct dom_node *n, const char *name)
{
	size_t len = strlen(name);

	for (unsigned i = 0; i < n->attr_count; i++)
		if (n->attrs[i].name.len == len && memcmp(n->attrs[i].name.at, name, len) == 0)
			return n->attrs[i].value;
	return (struct span){0};
}

static const struct dom_node *
child_named(const struct dom_node *n, const char *name)
{
	const struct dom_node *c = n ? n->first : NULL;

	while (c && !dom_is(c, name))
		c = c->next;
	return c;
}

bool
dom_title(const struct dom *d, const char *frame, struct buf *title)
{
	struct dom_tree *t = dom_tree(d, frame);
	if (t == NULL)
		return false;
	const struct dom_node *n = child_named(child_named(t->root, "HEAD"), "TITLE");
	size_t before = title->len;
	for (const struct dom_node *c = n ? n->first : NULL; c; c = c->next)
		if (c->name.at == NULL)
			buf_add(title, c->text.at, c->text.len);
	dom_tree_free(t);
	return title->len > before;
}
