/* route: the mocks of a test, and which requests each of them saw. */
#include "segment.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "prog.h"
#include "re.h"

enum { ROUTES_MOST = 500, PATTERN_MOST = 4 << 10, EXPLAINED_MOST = 100 };

/*
 * A glob of page.route() as a regular expression, by the rules of Playwright's documentation: *
 * stands for anything but "/", ** for anything, {a,b} for either; "\" takes the next as it is.  A
 * "?" is a question mark since 1.52; before, it was any one character, and [...] one of several.
 */
static void
glob_to_regex(const char *glob, bool old, struct buf *b)
{
	unsigned braces = 0;

	buf_byte(b, '^');
	for (const char *p = glob; *p != '\0'; p++) {
		if (*p == '\\' && p[1] != '\0') {
			p++;
			buf_format(b, isalnum((unsigned char)*p) || *p & 0x80 ? "%c" : "\\%c", *p);
		} else if (*p == '*' && p[1] == '*') {
			while (p[1] == '*')
				p++;
			/* Between slashes also nothing at all. */
			if (p[1] == '/' && (b->len == 1 || b->data[b->len - 1] == '/')) {
				buf_text(b, "(?:.*/)?");
				p++;
			} else {
				buf_text(b, ".*");
			}
		} else if (*p == '*') {
			buf_text(b, "[^/]*");
		} else if (*p == '{') {
			buf_text(b, "(?:");
			braces++;
		} else if (*p == '}' && braces > 0) {
			buf_byte(b, ')');
			braces--;
		} else if (*p == ',' && braces > 0) {
			buf_byte(b, '|');
		} else if (old && *p == '?') {
			buf_byte(b, '.');
		} else if (old && (*p == '[' || *p == ']')) {
			buf_byte(b, *p);
		} else if (strchr("^$.+?()|[]}", *p) != NULL) {
			buf_format(b, "\\%c", *p);
		} else {
			buf_byte(b, *p);
		}
	}
	for (; braces > 0; braces--)
		buf_byte(b, ')');
	buf_byte(b, '$');
}

static bool
has_scheme(const char *url)
{
	size_t n = strspn(url, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+-.");

	return n > 0 && url[n] == ':';
}

/* "/api" is the base URL's origin with this path; "https://host" has "/" as its path. */
static void
absolute(const char *glob, const char *base, struct buf *b)
{
	if (*glob != '*' && !has_scheme(glob) && base != NULL && has_scheme(base)) {
		const char *host = strstr(base, "://");
		size_t origin = host == NULL ? strlen(base)
					     : (size_t)(host - base) + 3 + strcspn(host + 3, "/?#");
		if (*glob == '/') {
			buf_add(b, base, origin);
		} else {
			const char *slash = strrchr(base + origin, '/');
			buf_add(b, base, slash == NULL ? origin : (size_t)(slash - base));
			buf_byte(b, '/');
			glob += begins(glob, "./") ? 2 : 0;
		}
	}
	buf_text(b, glob);
	const char *host = strstr(b->data, "://");
	if (host != NULL && strpbrk(host + 3, "/*?{\\") == NULL)
		buf_byte(b, '/');
}

struct matcher {
	struct re *re;
	bool any; /* "**" slash "*": also what a predicate function is recorded as */
};

static struct matcher
matcher_of(const struct route *r)
{
	struct matcher m = {0};
	struct buf url = {0}, b = {0};
	int flags = RE_BYTES;

	if (r->pattern == NULL || strlen(r->pattern) > PATTERN_MOST)
		return m;
	if (r->flags != NULL) {
		flags |= strchr(r->flags, 'i') != NULL ? RE_CASELESS : 0;
		m.re = re_new(r->pattern, strlen(r->pattern), flags, NULL, 0);
		return m;
	}
	m.any = strcmp(r->pattern, "**/*") == 0;
	absolute(r->pattern, r->context->base_url, &url);
	glob_to_regex(url.data, r->context->version <= 7, &b);
	m.re = re_new(b.data, b.len, flags, NULL, 0);
	buf_free(&url);
	buf_free(&b);
	return m;
}

/* A request's fragment is no part of what patterns see. */
static bool
matches(const struct matcher *m, const char *url)
{
	struct re_match found;

	return m->re != NULL && re_find(m->re, url, strcspn(url, "#"), 0, &found) == RE_YES;
}

/*
 * The patterns of one page or context, newest first, as its last call left them.  Each call has the
 * whole list: what is new at its front was registered, what is gone was removed.
 */
struct table {
	struct context *context;
	const char *class, *page;
	struct route *routes[ROUTES_MOST];
	size_t count;
};

static const char *
pattern_text(struct segment *s, struct span pattern, const char **flags)
{
	const char *glob = words_text(s->words, scan_member(pattern, "glob"));

	*flags = NULL;
	if (glob != NULL)
		return glob;
	glob = words_text(s->words, scan_member(pattern, "regexSource"));
	if (glob != NULL) {
		*flags = words_text(s->words, scan_member(pattern, "regexFlags"));
		*flags = *flags == NULL ? "" : *flags;
	}
	return glob;
}

static bool
is_pattern(const struct route *r, const char *pattern, const char *flags)
{
	return r->pattern == pattern && (r->flags == NULL) == (flags == NULL);
}

/* How many of the table's patterns, from its oldest, end this list: all, when one was added. */
static size_t
common_tail(struct segment *s, const struct table *t, struct span *list, size_t count)
{
	size_t same_ones = 0;

	while (same_ones < t->count && same_ones < count) {
		const char *flags;
		const char *pattern = pattern_text(s, list[count - 1 - same_ones], &flags);
		if (!is_pattern(t->routes[t->count - 1 - same_ones], pattern, flags))
			break;
		same_ones++;
	}
	return same_ones;
}

/* The file of the user's frame, and line and column as one number, so that places compare. */
static const char *
place_of(struct words *w, struct span stack, double *position)
{
	jv frames = frames_of_json(w, stack), f = frame_of_user(frames);
	const char *file = jvx_text(f, "file");

	*position = jvx_number(f, "line", 0) * 1e6 + fmin(jvx_number(f, "column", 0), 999999);
	if (file != NULL)
		file = words_keep(w, file, strlen(file));
	jv_free(f);
	jv_free(frames);
	return file;
}

static struct route *
route_new(struct segment *s, const struct action *call, struct action *step, const char *pattern,
    const char *flags)
{
	struct route *r = prog_alloc(1, sizeof *r);

	r->action = step;
	r->context = call->context;
	r->of_page = same(call->class, "Page");
	r->page = r->of_page ? call->page : NULL;
	r->pattern = pattern;
	r->flags = flags;
	r->from = wall_of(step->context, step->start);
	r->until = NAN;
	r->file = place_of(s->words, step->stack, &r->position);
	*LIST_ADD(s->routes) = r;
	r->number = s->routes.count;
	return r;
}

/*
 * The list of another page of the context looks the same but for its content: the table it belongs
 * to is the one whose patterns it continues, or has lost some of.
 */
static struct table *
table_for(struct segment *s, struct table **tables, size_t *count, const struct action *call,
    struct span *list, size_t n)
{
	struct table *best = NULL;

	for (size_t i = *count; i-- > 0;) {
		struct table *t = tables[i];
		if (t->context != call->context || t->class != call->class)
			continue;
		if (t->page != NULL && call->page != NULL && t->page != call->page)
			continue;
		size_t tail = common_tail(s, t, list, n);
		if (tail == t->count && n >= t->count && t->count > 0)
			return t;
		if (n < t->count || call->page != NULL || t->count == 0)
			best = best == NULL ? t : best;
	}
	if (best != NULL || *count == 64)
		return best;
	tables[*count] = prog_alloc(1, sizeof **tables);
	tables[*count]->context = call->context;
	tables[*count]->class = call->class;
	tables[*count]->page = call->page;
	return tables[(*count)++];
}

static void
update(struct segment *s, struct table *t, const struct action *call, struct action *step,
    struct span *list, size_t n)
{
	struct route *routes[ROUTES_MOST];
	bool stays[ROUTES_MOST] = {0};
	size_t old = t->count;

	/* From the oldest on, so that equal patterns keep their order. */
	for (size_t i = n; i-- > 0;) {
		const char *flags;
		const char *pattern = pattern_text(s, list[i], &flags);
		routes[i] = NULL;
		for (size_t j = old; j-- > 0 && routes[i] == NULL;) {
			if (stays[j] || !is_pattern(t->routes[j], pattern, flags))
				continue;
			stays[j] = true;
			routes[i] = t->routes[j];
		}
		if (routes[i] == NULL)
			routes[i] = route_new(s, call, step, pattern, flags);
	}
	for (size_t j = 0; j < old; j++)
		if (!stays[j])
			t->routes[j]->until = wall_of(step->context, step->start);
	memcpy(t->routes, routes, n * sizeof *routes);
	t->count = n;
}

static void
read_routes(struct segment *s)
{
	struct table *tables[64];
	size_t count = 0;

	for (size_t i = 0; i < s->actions.count; i++) {
		struct action *step = s->actions.at[i];
		struct action *call = step->twin != NULL ? step->twin : step;
		struct span list[ROUTES_MOST];
		struct scan_each it = {0};
		size_t n = 0;
		if (step->step != NULL || call->method == NULL ||
		    !begins(call->method, "setNetworkInterception"))
			continue;
		struct span patterns = scan_member(call->params, "patterns");
		if (scan_kind(patterns) != '[') {
			/* Up to 1.30 the call says only that there is some route. */
			if (scan_true(scan_member(call->params, "enabled")))
				route_new(s, call, step, NULL, NULL);
			continue;
		}
		while (n < ROUTES_MOST && scan_each(&it, patterns))
			list[n++] = it.value;
		struct table *t = table_for(s, tables, &count, call, list, n);
		size_t before = s->routes.count;
		if (t != NULL)
			update(s, t, call, step, list, n);
		/* Beside a function all patterns are recorded as one that fits everything. */
		if (s->routes.count == before && n > 0 && strstr(step->api, "unroute") == NULL)
			route_new(s, call, step, NULL, NULL);
	}
	while (count > 0)
		free(tables[--count]);
}

static bool
sees(const struct route *r, const struct request *q)
{
	double start = wall_of(q->context, q->start);

	if (q->api || q->earlier || r->context != q->context)
		return false;
	if (r->page != NULL && q->page != NULL && r->page != q->page)
		return false;
	return !(start < r->from - 1) && !(start > r->until);
}

/* The newest comes first, and a page's before its context's. */
static bool
precedes(const struct route *a, const struct route *b)
{
	return a->of_page != b->of_page ? a->of_page : a->number > b->number;
}

/* Those before the taker that the pattern fits have seen it, too: they fell back. */
static void
count(struct segment *s, const struct matcher *m, struct route *taker, struct request *q)
{
	taker->matched++;
	taker->fulfilled += q->mocked == FULFILLED;
	taker->continued += q->mocked == CONTINUED;
	taker->aborted += q->mocked == ABORTED;
	q->route = taker;
	for (size_t i = 0; i < s->routes.count; i++) {
		struct route *r = s->routes.at[i];
		if (precedes(r, taker) && sees(r, q) && !m[i].any && matches(&m[i], q->url)) {
			r->matched++;
			r->fallen_back++;
		}
	}
}

/* The route in whose handler the call stands: registered last before it in the same file. */
static struct route *
route_around(struct segment *s, const struct action *call)
{
	struct route *best = NULL;
	double at;
	const char *file = place_of(s->words, call->stack, &at);

	for (size_t i = 0; file != NULL && i < s->routes.count; i++) {
		struct route *r = s->routes.at[i];
		if (r->file == file && r->position <= at &&
		    (best == NULL || r->position >= best->position))
			best = r;
	}
	return best;
}

/*
 * Newest first, and a page's before its context's.  What was answered belongs to the first route
 * whose pattern fits.  What was let through unmarked may have been handed on by fallback(), which
 * leaves no mark; under a pattern that fits everything it was more likely no match: a predicate is
 * recorded as such a pattern.
 */
static void
match_request(struct segment *s, const struct matcher *m, struct request *q)
{
	struct route *around = q->call == NULL ? NULL : route_around(s, q->call);

	if (around != NULL && sees(around, q) &&
	    (around->pattern == NULL || matches(&m[around->number - 1], q->url))) {
		count(s, m, around, q);
		return;
	}
	for (int of_page = 1; of_page >= 0; of_page--) {
		for (size_t i = s->routes.count; i-- > 0;) {
			struct route *r = s->routes.at[i];
			if (r->of_page != (of_page == 1) || !sees(r, q))
				continue;
			if (r->pattern == NULL ? q->mocked == NOT_MOCKED : !matches(&m[i], q->url))
				continue;
			if (m[i].any && q->mocked == NOT_MOCKED)
				continue;
			count(s, m, r, q);
			return;
		}
	}
}

static size_t
word_at(const char *p)
{
	size_t n = 0;

	while (isalnum((unsigned char)p[n]) || p[n] == '-' || p[n] == '_' || p[n] == '.' ||
	       (p[n] & 0x80) != 0)
		n++;
	return n;
}

struct piece {
	const char *at;
	size_t len;
};

enum { PIECES = 24 };

/* The literal words of a path or pattern; a regular expression's escapes are passed over. */
static size_t
pieces_of(const char *text, struct piece *pieces)
{
	const char *scheme = strstr(text, "://");
	size_t count = 0;

	if (scheme != NULL)
		text = scheme + 3 + strcspn(scheme + 3, "/");
	while (*text != '\0' && *text != '?' && count < PIECES) {
		if (*text == '\\' && isalnum((unsigned char)text[1])) {
			text += 2;
			continue;
		}
		size_t n = word_at(text);
		/* ".*" and a lone "." are no words. */
		if (n > 0 && strspn(text, ".") < n)
			pieces[count++] = (struct piece){text, n};
		text += n > 0 ? n : 1;
	}
	return count;
}

static bool
same_piece(struct piece a, struct piece b)
{
	return a.len == b.len && strncasecmp(a.at, b.at, a.len) == 0;
}

/*
 * Nearly the same URL: the words of both have a common order that is most of the pattern's, and the
 * last of the pattern's is among it.  "**" "/api/v2/cart" and /api/cart are near.
 */
static bool
is_near(const struct piece *p, size_t np, const char *url)
{
	struct piece q[PIECES];
	size_t nq = pieces_of(url, q), best[PIECES + 1] = {0};

	if (np == 0 || nq == 0)
		return false;
	bool last = false;
	for (size_t j = 0; j < nq; j++)
		last |= same_piece(p[np - 1], q[j]);
	for (size_t i = 0; i < np; i++) {
		size_t diagonal = 0;
		for (size_t j = 1; j <= nq; j++) {
			size_t above = best[j];
			if (same_piece(p[i], q[j - 1]))
				best[j] = diagonal + 1;
			else if (best[j - 1] > best[j])
				best[j] = best[j - 1];
			diagonal = above;
		}
	}
	return best[nq] * 2 > np || (last && best[nq] * 2 >= np);
}

/*
 * Why a mock saw nothing: another took what its pattern fits, or that came before it, or nearly
 * fits it.  What fits stands first.
 */
static void
explain(struct segment *s, struct route *r, const struct matcher *m)
{
	struct piece pieces[PIECES];

	if (r->pattern == NULL)
		return;
	size_t count = pieces_of(r->pattern, pieces);
	for (int exact = 1; exact >= 0; exact--) {
		for (size_t i = 0; i < s->requests.count; i++) {
			struct request *q = s->requests.at[i];
			if (q->api || q->earlier || q->context != r->context)
				continue;
			bool fits = matches(m, q->url);
			if (fits && q->route != NULL && precedes(q->route, r) && sees(r, q))
				r->shadow = q->route;
			if (q->route != NULL || r->near_count == NEAR_MOST || fits != (exact == 1))
				continue;
			if (fits ? !m->any : is_near(pieces, count, q->url))
				r->near[r->near_count++] = q;
		}
	}
}

/* Requests that came to a route which answers to all, if it is one, and went on from it. */
static void
count_reached(struct segment *s, struct route *r)
{
	for (size_t i = 0; i < s->requests.count; i++) {
		const struct request *q = s->requests.at[i];
		r->reached += sees(r, q) && (q->route == NULL || precedes(r, q->route));
	}
}

static enum mocked
answer_of(const struct action *call)
{
	if (same(call->method, "fulfill"))
		return FULFILLED;
	return same(call->method, "abort") ? ABORTED : CONTINUED;
}

/* Which request a call of a route's handler was about: by its guid, by its URL, or by time. */
static struct request *
request_of(struct segment *s, const struct action *call)
{
	const char *guid =
	    call->object == NULL ? NULL : pairs_get(s->routed, call->context, call->object);
	const char *url = words_text(s->words, scan_member(call->params, "requestUrl"));
	double at = wall_of(call->context, call->start);

	for (size_t i = 0; i < s->requests.count; i++) {
		struct request *r = s->requests.at[i];
		double start = wall_of(r->context, r->start);
		/* The start of an answered request is known late: up to 1.44 it can be the later.
		 */
		if (r->call != NULL || r->api || r->earlier || start > at + 1000)
			continue;
		bool it = r->mocked == answer_of(call) && start <= at &&
			  (isnan(r->ms) || start + r->ms >= at);
		if (guid != NULL && r->guid != NULL)
			it = r->guid == guid;
		else if (url != NULL)
			it = r->url == url;
		if (it && r->context == call->context)
			return r;
	}
	return NULL;
}

/* Before 1.32 or so the entry does not say what a route did, but the route's calls do. */
static void
join_answers(struct segment *s)
{
	for (size_t i = 0; i < s->actions.count; i++) {
		struct action *call = s->actions.at[i];
		if (!same(call->class, "Route") || call->method == NULL)
			continue;
		struct request *r = request_of(s, call);
		if (r == NULL)
			continue;
		bool fallback = scan_true(scan_member(call->params, "isFallback"));
		r->call = call;
		if (r->mocked == NOT_MOCKED && !fallback)
			r->mocked = answer_of(call);
	}
}

void
routes_find(struct segment *s)
{
	join_answers(s);
	read_routes(s);
	struct matcher *m = prog_alloc(s->routes.count, sizeof *m);
	for (size_t i = 0; i < s->routes.count; i++)
		m[i] = matcher_of(s->routes.at[i]);
	for (size_t i = 0; i < s->routes.count; i++)
		s->routes.at[i]->readable = m[i].re != NULL;
	for (size_t i = 0; i < s->requests.count; i++)
		match_request(s, m, s->requests.at[i]);
	for (size_t i = 0, explained = 0; i < s->routes.count; i++) {
		if (s->routes.at[i]->matched == 0 && explained++ < EXPLAINED_MOST)
			explain(s, s->routes.at[i], &m[i]);
		if (s->routes.at[i]->matched == 0 && m[i].any)
			count_reached(s, s->routes.at[i]);
		re_free(m[i].re);
	}
	free(m);
}
