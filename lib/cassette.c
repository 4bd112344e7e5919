#include "cassette.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "canon.h"
#include "jvx.h"
#include "prog.h"
#include "save.h"
#include "utf8.h"

enum { KEY_LEN = 64, FILE_BYTES = 64 << 20 };

static enum cassette_found
bad(struct buf *why, const char *path, const char *what)
{
	buf_clear(why);
	buf_format(why, "%s: %s", path, what);
	return CASSETTE_BAD;
}

static enum cassette_found
check(const char *path, const char *key, struct buf *text, jv *cassette, struct buf *why)
{
	struct scan_error error;
	char hex[65];

	*cassette = jvx_parse(text->data ? text->data : "", text->len, &error);
	if (!jv_is_valid(*cassette))
		return bad(why, path, "not JSON");
	jv request = jvx_get(*cassette, "request"), response = jvx_get(*cassette, "response");
	bool whole = jv_get_kind(request) == JV_KIND_OBJECT &&
		     jvx_number(*cassette, "cassette", 0) == 1 &&
		     jvx_text(response, "body") != NULL;
	if (whole)
		canon_sha256(request, hex);
	jv_free(request);
	jv_free(response);
	if (whole && memcmp(hex, key, KEY_LEN) == 0)
		return CASSETTE_HIT;
	jv_free(*cassette);
	return bad(why, path, whole ? "its name is not the digest of its request" : "no cassette");
}

enum cassette_found
cassette_load(const char *folder, const char *key, jv *cassette, struct buf *why)
{
	struct buf path = {0}, text = {0};
	enum cassette_found found;

	buf_format(&path, "%s/%s.json", folder, key);
	if (buf_file(&text, path.data, FILE_BYTES))
		found = check(path.data, key, &text, cassette, why);
	else if (errno == ENOENT || errno == ENOTDIR)
		found = CASSETTE_NONE;
	else
		found = bad(why, path.data, strerror(errno));
	buf_free(&text);
	buf_free(&path);
	return found;
}

bool
cassette_save(const char *folder, const char *key, jv cassette, struct buf *why)
{
	struct buf text = {0}, target = {0};

	jvx_write(cassette, &text);
	jv_free(cassette);
	buf_byte(&text, '\n');
	buf_format(&target, "%s/%s.json", folder, key);
	bool good = (mkdir(folder, 0777) == 0 || errno == EEXIST) && save_file(target.data, &text);
	if (!good) {
		buf_clear(why);
		buf_format(why, "%s: %s", target.data, strerror(errno));
	}
	buf_free(&text);
	buf_free(&target);
	return good;
}

struct cassette_walk {
	const char *folder;
	struct dirent **names;
	int count, next;
	char key[KEY_LEN + 1];
};

static int
is_cassette(const struct dirent *e)
{
	return strspn(e->d_name, "0123456789abcdef") == KEY_LEN &&
	       strcmp(e->d_name + KEY_LEN, ".json") == 0;
}

struct cassette_walk *
cassette_walk_open(const char *folder)
{
	struct cassette_walk *w = prog_alloc(1, sizeof *w);

	w->folder = folder;
	w->count = scandir(folder, &w->names, is_cassette, alphasort); /* LC_COLLATE is C */
	return w;
}

bool
cassette_walk_next(struct cassette_walk *w, const char **key, jv *cassette)
{
	struct buf why = {0};
	bool found = false;

	while (!found && w->next < w->count) {
		memcpy(w->key, w->names[w->next++]->d_name, KEY_LEN);
		found = cassette_load(w->folder, w->key, cassette, &why) == CASSETTE_HIT;
	}
	*key = w->key;
	buf_free(&why);
	return found;
}

void
cassette_walk_close(struct cassette_walk *w)
{
	for (int i = 0; i < w->count; i++)
		free(w->names[i]);
	if (w->count >= 0)
		free(w->names);
	free(w);
}

/* What a miss looks for: the cassette with the most in common, and where the first difference is.
 */
struct nearest {
	double score;
	char key[KEY_LEN + 1];
	struct buf where;
};

static bool
equal(jv a, jv b)
{
	return jv_is_valid(a) == jv_is_valid(b) &&
	       (!jv_is_valid(a) || jv_equal(jv_copy(a), jv_copy(b)));
}

/* How alike two texts are at their ends, from 0 to 1; *at is the first code point that differs. */
static double
likeness(const char *a, size_t an, const char *b, size_t bn, size_t *at)
{
	size_t less = an < bn ? an : bn, more = an < bn ? bn : an, head = 0, tail = 0;

	while (head < less && a[head] == b[head])
		head++;
	while (tail < less - head && a[an - 1 - tail] == b[bn - 1 - tail])
		tail++;
	*at = utf8_count(a, utf8_floor(a, an, head)) + 1;
	return more == 0 ? 1 : (double)(head + tail) / (double)more;
}

static void
tell(struct buf *where, const char *field, size_t at)
{
	buf_text(where, where->len > 0 ? ", " : "");
	buf_text(where, field);
	if (at > 0)
		buf_format(where, " from character %zu", at);
}

static double
compare_text(jv a, jv b, const char *key, const char *field, struct buf *where)
{
	size_t an = 0, bn = 0, at = 0;
	const char *x = jvx_bytes(a, key, &an), *y = jvx_bytes(b, key, &bn);

	if (x == NULL || y == NULL) {
		if (x != y)
			tell(where, field, 0);
		return x == y;
	}
	double score = likeness(x, an, y, bn, &at);
	if (an != bn || memcmp(x, y, an) != 0)
		tell(where, field, at);
	return score;
}

static double
compare_messages(jv a, jv b, struct buf *where)
{
	jv x = jvx_get(a, "messages"), y = jvx_get(b, "messages");
	double score = 0;
	int xn = jv_get_kind(x) == JV_KIND_ARRAY ? jv_array_length(jv_copy(x)) : 0;
	int yn = jv_get_kind(y) == JV_KIND_ARRAY ? jv_array_length(jv_copy(y)) : 0;

	for (int i = 0; i < xn && i < yn; i++) {
		struct buf field = {0};
		jv m = jv_array_get(jv_copy(x), i), n = jv_array_get(jv_copy(y), i);
		buf_format(&field, "messages[%d].text", i);
		score += compare_text(m, n, "text", field.data, where);
		jv_free(m);
		jv_free(n);
		buf_free(&field);
	}
	if (xn != yn) {
		buf_text(where, where->len > 0 ? ", " : "");
		buf_format(where, "%d messages where %d are asked", yn, xn);
	}
	jv_free(x);
	jv_free(y);
	int most = xn > yn ? xn : yn;
	return most > 0 ? score / most : 1;
}

static double
compare_value(jv a, jv b, const char *field, struct buf *where)
{
	jv x = jvx_get(a, field), y = jvx_get(b, field);
	bool same = equal(x, y);

	if (!same)
		tell(where, field, 0);
	jv_free(x);
	jv_free(y);
	return same;
}

static double
compare(jv asked, jv held, struct buf *where)
{
	/* The text weighs most: it is what a person would call the same question. */
	double score = 4 * compare_messages(asked, held, where);
	score += 2 * compare_text(asked, held, "system", "system", where);
	score += compare_text(asked, held, "model", "model", where);
	score += compare_value(asked, held, "schema", where);
	score += compare_value(asked, held, "max_output_tokens", where);
	score += compare_value(asked, held, "options", where);
	return score + compare_value(asked, held, "epoch", where);
}

/* How many epochs from 0 are recorded, of those before the one that request asks for. */
static int
epochs_before(const char *folder, jv request)
{
	int asked = (int)jvx_whole(request, "epoch", INT_MAX, 0), epoch = 0;

	for (bool there = true; there && epoch < asked; epoch += there) {
		struct buf path = {0};
		char key[KEY_LEN + 1];
		jv other = jvx_set_number(jv_copy(request), "epoch", epoch);
		canon_sha256(other, key);
		jv_free(other);
		buf_format(&path, "%s/%s.json", folder, key);
		there = access(path.data, F_OK) == 0;
		buf_free(&path);
	}
	return epoch;
}

void
cassette_miss(const char *folder, jv request, struct buf *say)
{
	int before = epochs_before(folder, request);

	if (before > 0)
		buf_format(say, "used up: recorded for %d epoch%s, and this is epoch %.0f", before,
		    before == 1 ? "" : "s", jvx_number(request, "epoch", 0));
	else
		buf_text(say, "never recorded");
}

void
cassette_nearest(const char *folder, jv request, struct buf *say)
{
	struct cassette_walk *w = cassette_walk_open(folder);
	struct nearest best = {.score = -1};
	struct buf where = {0};
	const char *key;
	jv cassette;

	cassette_miss(folder, request, say);
	while (cassette_walk_next(w, &key, &cassette)) {
		jv held = jvx_get(cassette, "request");
		buf_clear(&where);
		double score = compare(request, held, &where);
		if (score > best.score) {
			best.score = score;
			memcpy(best.key, key, sizeof best.key);
			buf_clear(&best.where);
			buf_add(&best.where, where.data ? where.data : "", where.len);
		}
		jv_free(held);
		jv_free(cassette);
	}
	if (best.score < 0)
		buf_text(say, "; the folder holds no cassette");
	else
		buf_format(
		    say, "; nearest is %.12s..., which differs in %s", best.key, best.where.data);
	cassette_walk_close(w);
	buf_free(&best.where);
	buf_free(&where);
}
