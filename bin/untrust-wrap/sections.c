#include "sections.h"

#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "digest.h"
#include "frame.h"
#include "ndjson.h"
#include "prog.h"
#include "utf8.h"

/* The share is in hundredths of the cap.  failure is apart: it takes what it needs, as long as the
 * others keep half of their shares. */
static const struct {
	const char *label;
	size_t share;
} table[SECTIONS] = {
    [FAILURE] = {"failure", 25},
    [PAGE] = {"page", 20},
    [MOCKS] = {"mocks", 5},
    [GRAPHQL] = {"graphql", 9},
    [NETWORK] = {"network", 16},
    [CONSOLE] = {"console", 8},
    [TIMELINE] = {"timeline", 6},
    [CODE] = {"code", 8},
    [NOTES] = {"notes", 3},
};

enum {
	HOLD = 32,         /* bytes held in a section per code point of the cap */
	MARKERS = 480,     /* code points of two markers, at most */
	FRAME_LEAST = 600, /* what a section can be shown in at all: markers and one notice */
	GAP = 100,         /* of the line that says what items were left out, at most */
	ITEM_LEAST = 300,  /* an important item is cut down to this before others go */
};

/* An item's shown text, and a gap before it: items that were here and had to go. */
struct item {
	struct buf shown;
	struct note note;
	bool gone;
	size_t size;                         /* code points of shown */
	size_t chars, lines, hidden, forged; /* of the text that is shown, whole */
	size_t gap_items, gap_chars;
};

struct pile {
	struct item *items;
	size_t count, room, held;
	size_t chars, lines, hidden, forged; /* of all items that ever came */
	size_t gap_items, gap_chars;         /* gone after the last item */
	unsigned serial;
};

struct sections {
	enum show_form form;
	size_t cap;
	struct pile piles[SECTIONS];
};

struct sections *
sections_new(enum show_form form, size_t cap)
{
	struct sections *s = prog_alloc(1, sizeof *s);

	s->form = form;
	s->cap = cap;
	return s;
}

static void
item_free(struct item *it)
{
	buf_free(&it->shown);
	free(it->note.id);
	free(it->note.ref);
	free(it->note.of);
}

/* Cut an item's shown text down to size code points. */
static void
item_cut(enum show_form form, struct item *it, size_t size)
{
	struct frame f = {.form = form, .chars = it->chars, .lines = it->lines};
	struct buf cut = {0};

	if (it->size <= size)
		return;
	struct part whole = {it->shown.data, it->shown.len};
	frame_cut(&f, whole, whole, size, &cut);
	buf_free(&it->shown);
	it->shown = cut;
	it->size = utf8_count(cut.data, cut.len);
}

/* Take the items out that are gone; each leaves its count with the next that stays. */
static void
pile_close_up(struct pile *p)
{
	size_t kept = 0, items = 0, chars = 0;

	p->held = 0;
	for (size_t i = 0; i < p->count; i++) {
		struct item *it = &p->items[i];
		if (it->gone) {
			items += it->gap_items + 1;
			chars += it->gap_chars + it->chars;
			item_free(it);
			continue;
		}
		it->gap_items += items;
		it->gap_chars += chars;
		items = chars = 0;
		p->held += it->shown.size + sizeof *it;
		p->items[kept++] = *it;
	}
	p->gap_items += items;
	p->gap_chars += chars;
	p->count = kept;
}

/* The size of the pile as it would be written, gaps included, markers not. */
static size_t
pile_size(const struct pile *p)
{
	size_t size = 0;
	bool gap = false;

	for (size_t i = 0; i < p->count; i++) {
		const struct item *it = &p->items[i];
		gap = gap || it->gap_items != 0 || it->gone;
		if (it->gone)
			continue;
		size += it->size + (gap ? GAP : 0) + (it->note.again ? GAP : 0);
		gap = false;
	}
	return size + (gap || p->gap_items != 0 ? GAP : 0);
}

/*
 * Let items of a rank go, from the middle outwards (two parts of what stays stand at the start and
 * one at the end), until the pile is no larger than size, or none of that rank is left.
 */
static void
pile_shed(struct pile *p, int rank, size_t size)
{
	size_t n = 0, *of_rank = prog_alloc(p->count, sizeof *of_rank), total = pile_size(p);

	for (size_t i = 0; i < p->count; i++)
		if (p->items[i].note.rank == rank && !p->items[i].gone)
			of_rank[n++] = i;
	size_t left = n * 3 / 5, right = left; /* gone: from left up to right */
	while (total > size && right - left < n) {
		bool go_left = right == n || (left > 0 && (n - right) * 3 <= left * 2);
		struct item *it = &p->items[of_rank[go_left ? --left : right++]];
		it->gone = true;
		/* Two gaps may have become one, or a new one begun: near the goal, count again. */
		total -= it->size < total ? it->size : total;
		if (total <= size)
			total = pile_size(p);
	}
	free(of_rank);
}

/* The largest size that all items of rank 0 can have, so that together they fit in room. */
static size_t
level(const struct pile *p, size_t room)
{
	size_t lo = 0, hi = room;

	while (lo < hi) {
		size_t mid = (lo + hi + 1) / 2, sum = 0;
		for (size_t i = 0; i < p->count; i++)
			if (!p->items[i].gone)
				sum += p->items[i].size < mid ? p->items[i].size : mid;
		if (sum <= room)
			lo = mid;
		else
			hi = mid - 1;
	}
	return lo;
}

/* Make the pile fit in size code points: first the least important, the important cut inside last.
 */
static void
pile_fit(struct pile *p, enum show_form form, size_t size)
{
	for (int rank = RANKS - 1; rank > 0 && pile_size(p) > size; rank--)
		pile_shed(p, rank, size);
	if (pile_size(p) > size) {
		size_t gaps = pile_size(p), most;
		for (size_t i = 0; i < p->count; i++)
			gaps -= p->items[i].gone ? 0 : p->items[i].size;
		most = level(p, size > gaps ? size - gaps : 0);
		most = most < ITEM_LEAST ? ITEM_LEAST : most;
		for (size_t i = 0; i < p->count; i++)
			if (!p->items[i].gone)
				item_cut(form, &p->items[i], most);
		pile_shed(p, 0, size);
	}
	pile_close_up(p);
}

/* What nobody wants was never there, and is in no count. */
static void
pile_drop_unwanted(struct pile *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->count; i++) {
		struct item *it = &p->items[i];
		if (it->note.rank < UNWANTED) {
			p->items[kept++] = *it;
			continue;
		}
		p->chars -= it->chars;
		p->lines -= it->lines;
		p->hidden -= it->hidden;
		p->forged -= it->forged;
		if (i + 1 < p->count) {
			it[1].gap_items += it->gap_items;
			it[1].gap_chars += it->gap_chars;
		} else {
			p->gap_items += it->gap_items;
			p->gap_chars += it->gap_chars;
		}
		item_free(it);
	}
	p->count = kept;
}

void
sections_add(struct sections *s, enum section where, struct note note, const char *text, size_t len,
    size_t most)
{
	struct pile *p = &s->piles[where];
	struct show show = {.form = s->form};
	struct item it = {.note = note};

	show_text(&show, text, len, &it.shown);
	show_end(&show, &it.shown);
	it.size = utf8_count(it.shown.data, it.shown.len);
	it.chars = show.chars + show.unended;
	it.hidden = show.hidden;
	it.forged = show.forged;
	it.lines = show.lines;
	item_cut(s->form, &it, most < s->cap ? most : s->cap);
	p->chars += it.chars;
	p->lines += it.lines;
	p->hidden += show.hidden;
	p->forged += show.forged;
	if (p->count == p->room) {
		p->room = p->room ? p->room * 2 : 16;
		p->items = prog_resize(p->items, p->room, sizeof *p->items);
	}
	it.note.serial = p->serial++;
	p->items[p->count++] = it;
	p->held += it.shown.size + sizeof it;
	if (p->held < s->cap * HOLD)
		return;
	pile_drop_unwanted(p);
	for (int r = RANKS - 1; r >= 0 && pile_size(p) > s->cap; r--)
		pile_shed(p, r, s->cap);
	pile_close_up(p);
}

/* Append the lines of an item that are text, the notices inside it left out. */
static void
add_text_lines(enum show_form form, const struct item *it, struct buf *out)
{
	const char *p = it->shown.data, *end = p + it->shown.len, *eol;
	const char *notice = form == SHOW_SEED ? "... [" : "[... ";

	for (; p < end; p = eol + 1) {
		eol = memchr(p, '\n', (size_t)(end - p));
		if (strncmp(p, notice, strlen(notice)) != 0)
			buf_add(out, p, (size_t)(eol + 1 - p));
	}
}

static void
add_gap(enum show_form form, size_t items, size_t chars, struct buf *out)
{
	if (items != 0)
		buf_format(out, "%s %zu record%s (%zu characters) left out here %s\n",
		    form == SHOW_SEED ? "... [" : "[...", items, items == 1 ? "" : "s", chars,
		    form == SHOW_SEED ? "] ..." : "...]");
}

/* The section as it is shown; the characters left out in *dropped. */
static void
pile_frame(
    const struct pile *p, enum show_form form, const char *label, struct buf *out, size_t *dropped)
{
	struct frame f = {.form = form,
	    .chars = p->chars,
	    .lines = p->lines,
	    .hidden = p->hidden,
	    .forged = p->forged};
	struct buf body = {0}, kept = {0}, raw = {0};
	struct digest *d = digest_new();
	char sha256[65];

	snprintf(f.label, sizeof f.label, "%s", label);
	for (size_t i = 0; i < p->count; i++) {
		const struct item *it = &p->items[i];
		add_gap(form, it->gap_items, it->gap_chars, &body);
		buf_add(&body, it->shown.data, it->shown.len);
		if (it->note.again != 0)
			buf_format(&body, "%s[the record above came %u times more]\n",
			    form == SHOW_SEED ? "... " : "", it->note.again);
		add_text_lines(form, it, &kept);
	}
	add_gap(form, p->gap_items, p->gap_chars, &body);
	unshow(form, kept.data, kept.len, &raw);
	f.omitted = p->chars - show_count(form, kept.data, kept.len, true);
	digest_add(d, label, strlen(label) + 1);
	digest_add(d, raw.data, raw.len);
	digest_end(d, sha256);
	frame_id(&f, sha256);
	frame_begin(&f, out);
	buf_add(out, body.data, body.len);
	frame_end(&f, out);
	*dropped = f.omitted;
	buf_free(&body);
	buf_free(&kept);
	buf_free(&raw);
}

/*
 * What each section may have, given what it wants.  Shares of what is left are dealt out until
 * nobody who wants more can have more: so a section that is small leaves the rest to the others.
 */
static void
allot(const size_t want[SECTIONS], size_t cap, size_t may[SECTIONS])
{
	size_t reserve = 0;

	for (int i = FAILURE + 1; i < SECTIONS; i++) {
		size_t half = cap * table[i].share / 200;
		half = half < FRAME_LEAST ? FRAME_LEAST : half;
		may[i] = want[i] < FRAME_LEAST ? want[i] : FRAME_LEAST;
		reserve += want[i] < half ? want[i] : half;
	}
	may[FAILURE] = want[FAILURE] < cap - reserve ? want[FAILURE] : cap - reserve;
	for (int i = 0; i < SECTIONS; i++)
		cap -= may[i];
	for (size_t shares = 1, dealt = 1; shares != 0 && dealt != 0;) {
		shares = dealt = 0;
		for (int i = FAILURE + 1; i < SECTIONS; i++)
			shares += may[i] < want[i] ? table[i].share : 0;
		for (int i = FAILURE + 1; i < SECTIONS && shares != 0; i++) {
			if (may[i] == want[i])
				continue;
			size_t part = cap * table[i].share / shares;
			if (part > want[i] - may[i])
				part = want[i] - may[i];
			may[i] += part;
			dealt += part;
		}
		cap -= dealt;
	}
}

struct note *
sections_note(struct sections *s, enum section where, size_t i)
{
	return i < s->piles[where].count ? &s->piles[where].items[i].note : NULL;
}

bool
sections_any(const struct sections *s)
{
	for (int i = 0; i < SECTIONS; i++)
		if (s->piles[i].chars != 0)
			return true;
	return false;
}

static void
put_section(const char *label, const struct buf *text, size_t dropped, FILE *out)
{
	jv rec = jvx_set_text(jv_object(), "type", "section");

	rec = jvx_set_text(rec, "label", label);
	rec = jvx_set(rec, "text", jv_string_sized(text->data, (int)text->len));
	rec = jvx_set_number(rec, "chars", (double)utf8_count(text->data, text->len));
	ndjson_put(jvx_set_number(rec, "dropped", (double)dropped), out);
}

static int
by_order(const void *a, const void *b)
{
	const struct note *x = &((const struct item *)a)->note,
			  *y = &((const struct item *)b)->note;

	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return x->serial < y->serial ? -1 : 1;
}

void
sections_write(struct sections *s, FILE *out)
{
	struct buf text[SECTIONS] = {0};
	size_t want[SECTIONS], may[SECTIONS], dropped[SECTIONS], total = 0;

	for (int i = 0; i < SECTIONS; i++) {
		struct pile *p = &s->piles[i];
		want[i] = 0;
		pile_drop_unwanted(p);
		if (p->chars == 0)
			continue;
		if (p->count > 1)
			qsort(p->items, p->count, sizeof *p->items, by_order);
		pile_frame(p, s->form, table[i].label, &text[i], &dropped[i]);
		total += utf8_count(text[i].data, text[i].len);
		want[i] = pile_size(p) + MARKERS;
	}
	if (total > s->cap)
		allot(want, s->cap, may);
	for (int i = 0; i < SECTIONS; i++) {
		if (want[i] == 0)
			continue;
		if (total > s->cap && may[i] < want[i]) {
			pile_fit(&s->piles[i], s->form, may[i] > MARKERS ? may[i] - MARKERS : 0);
			buf_clear(&text[i]);
			pile_frame(&s->piles[i], s->form, table[i].label, &text[i], &dropped[i]);
		}
		put_section(table[i].label, &text[i], dropped[i], out);
		buf_free(&text[i]);
	}
	sections_clear(s);
}

void
sections_clear(struct sections *s)
{
	for (int i = 0; i < SECTIONS; i++) {
		struct pile *p = &s->piles[i];
		for (size_t j = 0; j < p->count; j++)
			item_free(&p->items[j]);
		free(p->items);
		*p = (struct pile){0};
	}
}

void
sections_free(struct sections *s)
{
	sections_clear(s);
	free(s);
}
