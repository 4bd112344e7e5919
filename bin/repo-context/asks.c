#include "asks.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "prog.h"

enum { PLACES_MAX = 200, WORD_MAX = 120, CARRIED_MAX = 50, FRAMES_MAX = 12, LISTED_MAX = 100 };

/* list, with room for one more than count; sizes double. */
static void *
room(void *list, size_t count, size_t size)
{
	return (count & (count - 1)) == 0 ? prog_resize(list, count ? 2 * count : 1, size) : list;
}

static char *
copy(const char *text)
{
	return prog_copy(text, strlen(text));
}

/* A line number; what is none, or beyond any file, is 0. */
static long
line_of(jv rec, const char *key)
{
	double line = jvx_number(rec, key, 0);

	return line >= 1 && line <= 1e9 ? (long)line : 0;
}

static void
add_place(struct asks *a, enum place_rank rank, const char *file, long line, const char *why)
{
	if (file == NULL || line < 1 || a->place_count == PLACES_MAX ||
	    strstr(file, "node_modules") || strncmp(file, "node:", 5) == 0)
		return;
	a->places = room(a->places, a->place_count, sizeof *a->places);
	a->places[a->place_count++] = (struct place){rank, copy(file), line, copy(why)};
}

/* The same word from two places keeps the greater weight, and the first reason. */
static void
add_word(struct asks *a, int weight, const char *text, size_t len, const char *why)
{
	while (len > 0 && isspace((unsigned char)*text)) {
		text++;
		len--;
	}
	while (len > 0 && isspace((unsigned char)text[len - 1]))
		len--;
	if (len < 3 || len > WORD_MAX || memchr(text, '\n', len) != NULL)
		return;
	for (size_t i = 0; i < a->word_count; i++) {
		if (strlen(a->words[i].text) == len && memcmp(a->words[i].text, text, len) == 0) {
			if (weight > a->words[i].weight)
				a->words[i].weight = weight;
			return;
		}
	}
	if (a->word_count == WORDS_MAX)
		return;
	a->words = room(a->words, a->word_count, sizeof *a->words);
	a->words[a->word_count++] = (struct word){weight, prog_copy(text, len), copy(why)};
}

static const char *
ref_of(jv rec)
{
	const char *ref = jvx_text(rec, "ref");

	return ref != NULL ? ref : "evidence";
}

/* Frames of rec.stack, the innermost first. */
static void
take_stack(struct asks *a, enum place_rank rank, jv rec)
{
	jv stack = jvx_get(rec, "stack");

	if (jv_get_kind(stack) == JV_KIND_ARRAY) {
		int count = jv_array_length(jv_copy(stack));
		for (int i = 0; i < count && i < FRAMES_MAX; i++) {
			jv frame = jv_array_get(jv_copy(stack), i);
			add_place(
			    a, rank, jvx_text(frame, "file"), line_of(frame, "line"), ref_of(rec));
			jv_free(frame);
		}
	}
	jv_free(stack);
}

/* Words of a CSS selector that name something: behind '#' and '.', and in attribute values. */
static void
take_selector(struct asks *a, int weight, const char *css, size_t len, const char *why)
{
	for (size_t i = 0; i + 1 < len; i++) {
		size_t from = i + 1, to;
		if (strchr("#.=\"'", css[i]) == NULL)
			continue;
		for (to = from; to < len && (isalnum((unsigned char)css[to]) || css[to] == '-' ||
						css[to] == '_' || (unsigned char)css[to] >= 0x80);
		     to++)
			;
		add_word(a, weight, css + from, to - from, why);
	}
}

/* The longest run of letters, digits, blanks, '-' and '_' in a regular expression. */
static void
take_pattern(struct asks *a, int weight, const char *re, size_t len, const char *why)
{
	size_t best = 0, best_len = 0;

	for (size_t i = 0; i < len;) {
		size_t to = i;
		while (
		    to < len && (isalnum((unsigned char)re[to]) || strchr(" -_", re[to]) != NULL ||
				    (unsigned char)re[to] >= 0x80))
			to++;
		if (to - i > best_len) {
			best = i;
			best_len = to - i;
		}
		i = to + 1;
		/* What follows a backslash is a class, not a letter. */
		if (to < len && re[to] == '\\')
			i++;
	}
	add_word(a, weight, re + best, best_len, why);
}

static bool
called(const char *text, size_t at, const char *name)
{
	size_t len = strlen(name);

	return at >= len && memcmp(text + at - len, name, len) == 0;
}

/*
 * The strings and patterns of a locator as a user wrote it, in any of the client languages.  The
 * role of getByRole says little; the selector of locator() is taken apart.
 */
static void
take_locator(struct asks *a, int weight, const char *locator, const char *why)
{
	size_t len = strlen(locator);

	for (size_t i = 0; i < len; i++) {
		char quote = locator[i];
		bool pattern =
		    quote == '/' && i > 0 && (locator[i - 1] == '(' || locator[i - 1] == ' ');
		if (quote != '\'' && quote != '"' && quote != '`' && !pattern)
			continue;
		size_t from = i + 1, to = from;
		while (to < len && locator[to] != quote)
			to += locator[to] == '\\' ? 2 : 1;
		if (to >= len)
			return;
		if (pattern)
			take_pattern(a, weight, locator + from, to - from, why);
		else if (called(locator, i, "ocator("))
			take_selector(a, weight, locator + from, to - from, why);
		else if (!called(locator, i, "etByRole(") && !called(locator, i, "get_by_role("))
			add_word(a, weight, locator + from, to - from, why);
		i = to;
	}
}

/* What stands in quotes in a message. */
static void
take_quoted(struct asks *a, int weight, const char *message, const char *why)
{
	static const char word[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$-";

	for (const char *p = message; p != NULL && (p = strpbrk(p, "\"'`")) != NULL;) {
		const char *end = strchr(p + 1, *p);
		if (end == NULL)
			return;
		size_t len = (size_t)(end - p) - 1;
		/* An identifier, or the apostrophe of "can't" would start a quotation. */
		bool quoted = len > 0 && strspn(p + 1, word) == len;
		if (quoted)
			add_word(a, weight, p + 1, len, why);
		p = quoted ? end + 1 : p + 1;
	}
}

/* The path of a URL, without the parts that name one thing among many; yours to free. */
static char *
path_of(const char *url)
{
	const char *start = strstr(url, "://");
	struct buf path = {0};

	start = start != NULL ? start + 3 + strcspn(start + 3, "/") : url;
	size_t len = strcspn(start, "?#");
	for (size_t i = 0; i < len;) {
		size_t part = 1 + strcspn(start + i + 1, "/?#");
		if (part > len - i)
			part = len - i;
		size_t digits = 0;
		for (size_t k = 1; k < part; k++)
			digits += isdigit((unsigned char)start[i + k]) != 0;
		if (path.len > 0 && (digits > 3 || (digits > 0 && digits + 1 == part)))
			break;
		buf_add(&path, start + i, part);
		i += part;
	}
	while (path.len > 1 && path.data[path.len - 1] == '/')
		path.data[--path.len] = '\0';
	buf_text(&path, "");
	return path.data;
}

static bool
mentions_flags(const char *text)
{
	static const char *const names[] = {
	    "flag", "Flag", "feature", "Feature", "experiment", "Experiment", "toggle", "Toggle"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strstr(text, names[i]) != NULL)
			return true;
	return false;
}

static bool
listed(char *const *list, size_t count, const char *text)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i], text) == 0)
			return true;
	return false;
}

/* By looking only: there can be many requests, and few of them matter. */
static void
take_request(struct asks *a, struct span rec)
{
	char *url = scan_copy(scan_member(rec, "url")), *id = scan_copy(scan_member(rec, "id"));
	char *ref = scan_copy(scan_member(rec, "ref"));
	struct span kind = scan_member(rec, "resource_type");

	if (url != NULL && id != NULL && strncmp(url, "data:", 5) != 0) {
		bool api = kind.at == NULL || scan_is(kind, "fetch") || scan_is(kind, "xhr");
		bool failed = scan_number(scan_member(rec, "status"), 0) >= 400 ||
			      scan_member(rec, "failure").at != NULL;
		bool near = listed(a->near, a->near_count, id);
		char *path = path_of(url);
		if (failed || api || near)
			add_word(a, failed || near ? 80 : 10, path, strlen(path),
			    ref != NULL ? ref : id);
		if (mentions_flags(path) && a->flags_count < LISTED_MAX) {
			a->flags = room(a->flags, a->flags_count, sizeof *a->flags);
			a->flags[a->flags_count++] = copy(id);
		}
		free(path);
	}
	free(url);
	free(id);
	free(ref);
}

/* The literal end of "**" "/api/v2/cart": what no '*' can be. */
static void
take_glob(struct asks *a, int weight, const char *pattern, const char *why)
{
	const char *best = pattern;
	size_t best_len = 0;

	for (const char *p = pattern; *p != '\0'; p++) {
		size_t len = strcspn(p, "*?{}[]()^$|\\");
		if (len > best_len) {
			best = p;
			best_len = len;
		}
		if (len > 0)
			p += len - 1;
	}
	while (best_len > 1 && best[best_len - 1] == '/')
		best_len--;
	add_word(a, weight, best, best_len, why);
}

static void
take_route(struct asks *a, jv rec)
{
	const char *pattern = jvx_text(rec, "pattern");
	jv near = jvx_get(rec, "near");

	add_place(a, PLACE_MOCK, jvx_text(rec, "file"), line_of(rec, "line"), ref_of(rec));
	if (pattern != NULL && jvx_true(rec, "never"))
		take_glob(a, 50, pattern, ref_of(rec));
	if (jv_get_kind(near) == JV_KIND_ARRAY) {
		jv_array_foreach (near, i, id) {
			if (jv_get_kind(id) == JV_KIND_STRING && a->near_count < LISTED_MAX) {
				a->near = room(a->near, a->near_count, sizeof *a->near);
				a->near[a->near_count++] = copy(jv_string_value(id));
			}
			jv_free(id);
		}
	}
	jv_free(near);
}

static void
take_graphql(struct asks *a, jv rec)
{
	const char *operation = jvx_text(rec, "operation"), *outcome = jvx_text(rec, "outcome");
	bool good = outcome == NULL || strcmp(outcome, "ok") == 0;
	jv errors = jvx_get(rec, "errors");

	if (operation != NULL)
		add_word(a, good ? 20 : 90, operation, strlen(operation), ref_of(rec));
	if (jv_get_kind(errors) == JV_KIND_ARRAY) {
		jv_array_foreach (errors, i, error) {
			take_quoted(a, 60, jvx_text(error, "message"), ref_of(rec));
			jv_free(error);
		}
	}
	take_quoted(a, 70, jvx_text(rec, "mock_hint"), ref_of(rec));
	jv_free(errors);
}

static void
take_action(struct asks *a, jv rec)
{
	const char *status = jvx_text(rec, "status"), *locator = jvx_text(rec, "locator");
	const char *expected = jvx_text(rec, "expected");
	bool point = jvx_true(rec, "failure_point");

	if (!point && (status == NULL || strcmp(status, "ok") == 0))
		return;
	add_place(a, point ? PLACE_ERROR : PLACE_FAILED, jvx_text(rec, "file"),
	    line_of(rec, "line"), ref_of(rec));
	if (locator != NULL)
		take_locator(a, point ? 100 : 30, locator, ref_of(rec));
	/* Something to be seen on the page, not a state ("visible") or a number. */
	if (point && expected != NULL && strpbrk(expected, " \"") != NULL)
		take_locator(a, 40, expected, ref_of(rec));
}

/*
 * Flags that are off: {"statementsV2": false}, or {"key": "statementsV2", "enabled": false}, at any
 * depth of a body that a request for flags got.
 */
static void
take_flags(struct asks *a, struct span value, int depth, const char *why)
{
	static const char *const keys[] = {"key", "name", "id", "flag", "feature", NULL};
	struct scan_each it = {0};
	struct buf name = {0}, own = {0};
	bool named = false;

	if (depth == 0 || (scan_kind(value) != '{' && scan_kind(value) != '['))
		return;
	while (scan_each(&it, value)) {
		if (scan_kind(it.value) != 'f') {
			take_flags(a, it.value, depth - 1, why);
			continue;
		}
		if (it.key.at == NULL)
			continue;
		/* Once: an object of a hundred thousand flags is looked through a few times only.
		 */
		for (int i = 0; !named && keys[i] != NULL && name.len == 0; i++)
			scan_text(scan_member(value, keys[i]), &name);
		named = true;
		buf_clear(&own);
		if (name.len == 0)
			scan_text(it.key, &own);
		add_word(a, 85, name.len > 0 ? name.data : own.data, name.len + own.len, why);
	}
	buf_free(&name);
	buf_free(&own);
}

static void
take_body(struct asks *a, struct span rec)
{
	struct span requests = scan_member(rec, "requests");
	struct scan_each it = {0};
	struct scan_error error;
	struct buf text = {0}, ref = {0};
	bool flags = false;

	while (!flags && scan_each(&it, requests)) {
		char *id = scan_copy(it.value);
		flags = id != NULL && listed(a->flags, a->flags_count, id);
		free(id);
	}
	if (flags && scan_text(scan_member(rec, "text"), &text) &&
	    scan_check(text.data, text.len, &error)) {
		scan_text(scan_member(rec, "ref"), &ref);
		buf_text(&ref, "");
		take_flags(a, scan_trim(text.data, text.len), 8, ref.data);
	}
	buf_free(&text);
	buf_free(&ref);
}

static void
take_source(struct asks *a, jv rec)
{
	const char *file = jvx_text(rec, "file"), *text = jvx_text(rec, "text");

	if (file == NULL || text == NULL || a->carried_count == CARRIED_MAX)
		return;
	a->carried = room(a->carried, a->carried_count, sizeof *a->carried);
	a->carried[a->carried_count++] =
	    (struct carried){copy(file), copy(text), line_of(rec, "first")};
}

static void
take_test(struct asks *a, jv rec)
{
	const char *status = jvx_text(rec, "status");

	a->passed = status != NULL && strcmp(status, "passed") == 0;
	add_place(a, PLACE_TEST, jvx_text(rec, "file"), line_of(rec, "line"), ref_of(rec));
}

static void
take_error(struct asks *a, jv rec)
{
	take_stack(a, jvx_true(rec, "terminal") ? PLACE_ERROR : PLACE_FAILED, rec);
}

static void
take_page_error(struct asks *a, jv rec)
{
	take_stack(a, PLACE_PAGE_ERROR, rec);
	take_quoted(a, 30, jvx_text(rec, "message"), ref_of(rec));
}

static void
take_console(struct asks *a, jv rec)
{
	const char *level = jvx_text(rec, "level");

	if (level != NULL && strcmp(level, "error") == 0)
		add_place(
		    a, PLACE_CONSOLE, jvx_text(rec, "file"), line_of(rec, "line"), ref_of(rec));
}

static void
take_code(struct asks *a, jv rec)
{
	const char *ref = jvx_text(rec, "ref");

	if (ref != NULL && strncmp(ref, "code:", 5) == 0 && atol(ref + 5) > a->last_ref)
		a->last_ref = atol(ref + 5);
}

void
asks_take(struct asks *a, struct ndjson *in)
{
	static const struct {
		const char *type;
		void (*take)(struct asks *a, jv rec);
	} kinds[] = {
	    {"action", take_action},
	    {"code", take_code},
	    {"console", take_console},
	    {"error", take_error},
	    {"graphql", take_graphql},
	    {"page_error", take_page_error},
	    {"route", take_route},
	    {"source", take_source},
	    {"test", take_test},
	};

	struct span rec = ndjson_span(in);
	if (ndjson_is(in, "body")) {
		take_body(a, rec);
		return;
	}
	if (ndjson_is(in, "request")) {
		take_request(a, rec);
		return;
	}
	if (ndjson_is(in, "action") && scan_is(scan_member(rec, "status"), "ok") &&
	    !scan_true(scan_member(rec, "failure_point")))
		return;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (ndjson_is(in, kinds[i].type)) {
			jv value = ndjson_value(in);
			kinds[i].take(a, value);
			jv_free(value);
			return;
		}
	}
}

void
asks_clear(struct asks *a)
{
	for (size_t i = 0; i < a->place_count; i++) {
		free(a->places[i].file);
		free(a->places[i].why);
	}
	for (size_t i = 0; i < a->word_count; i++) {
		free(a->words[i].text);
		free(a->words[i].why);
	}
	for (size_t i = 0; i < a->carried_count; i++) {
		free(a->carried[i].file);
		free(a->carried[i].text);
	}
	for (size_t i = 0; i < a->near_count; i++)
		free(a->near[i]);
	for (size_t i = 0; i < a->flags_count; i++)
		free(a->flags[i]);
	free(a->places);
	free(a->words);
	free(a->carried);
	free(a->near);
	free(a->flags);
	*a = (struct asks){0};
}
