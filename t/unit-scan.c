/* scan: the published JSON parsing suite (given by SUITES), and what a span tells. */
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "scan.h"
#include "tap.h"

struct cut {
	const char *at;
	size_t left, most;
};

static long
read_cut(void *ctx, char *bytes, size_t len)
{
	struct cut *c = ctx;
	size_t n = c->left < c->most ? c->left : c->most;

	n = n < len ? n : len;
	if (n > 0)
		memcpy(bytes, c->at, n);
	c->at += n;
	c->left -= n;
	return (long)n;
}

/* Of most bytes a read: with three every token meets an edge. */
static bool
pull_accepts(const char *text, size_t len, size_t most)
{
	struct cut c = {text, len, most};
	struct scan_pull *p = scan_pull_new(read_cut, &c, 1 << 20);
	enum scan_event e;

	while ((e = scan_pull_next(p)) != SCAN_END && e != SCAN_FAULT)
		;
	scan_pull_free(p);
	return e == SCAN_END;
}

/* The same of a reader that wants nothing of it. */
static bool
skip_accepts(const char *text, size_t len, size_t most)
{
	struct cut c = {text, len, most};
	struct scan_pull *p = scan_pull_new(read_cut, &c, 1 << 20);
	bool good =
	    scan_pull_next(p) != SCAN_FAULT && scan_pull_skip(p) && scan_pull_next(p) == SCAN_END;

	scan_pull_free(p);
	return good;
}

static void
by_name(void)
{
	static const char text[] = "{\"a\":[1,{\"t\":\"x\\u0000y\"},[2],{\"t\":{\"t\":3},\"n\":4}],"
				   "\"b\":\"\\\"}\",\"a\":{}}";
	struct cut c = {text, sizeof text - 1, 5};
	struct scan_pull *p = scan_pull_new(read_cut, &c, 1 << 20);
	char *t = NULL;
	double n = 0;

	tap_ok(scan_pull_enters(p, SCAN_OBJECT) && scan_pull_key(p) && scan_pull_is(p, "a") &&
		   scan_pull_enters(p, SCAN_ARRAY) && scan_pull_element(p) && scan_pull_key(p),
	    "into the first object of an array");
	scan_pull_text(p, &t);
	tap_ok(t != NULL && strcmp(t, "xy") == 0 && !scan_pull_key(p), "a text, without its NUL");
	tap_ok(scan_pull_element(p) && scan_pull_key(p), "and the second");
	scan_pull_text(p, &t);
	tap_ok(strcmp(t, "xy") == 0, "what is no text leaves it alone");
	if (scan_pull_key(p) && scan_pull_is(p, "n"))
		n = scan_pull_number(p, 0);
	tap_ok(n == 4 && !scan_pull_key(p) && !scan_pull_element(p), "a number is the last");
	tap_ok(scan_pull_key(p) && scan_pull_is(p, "b") && scan_pull_skip(p) && scan_pull_skip(p) &&
		   scan_pull_key(p) && !scan_pull_enters(p, SCAN_ARRAY) && !scan_pull_key(p) &&
		   scan_pull_next(p) == SCAN_END,
	    "to the end, over what is of another kind");
	free(t);
	scan_pull_free(p);
}

/* Every file by its letter: y_ accepted, n_ refused, i_ either; lazy, pull and value agree. */
static void
suite(const char *dir)
{
	struct dirent *entry;
	struct buf text = {0}, path = {0}, made = {0}, again = {0};
	DIR *d = opendir(dir);

	if (d == NULL) {
		fprintf(stderr, "# SKIPPED: no JSON parsing suite at %s (set SUITES)\n", dir);
		tap_count++;
		printf("ok %d - json-parsing # SKIP no %s\n", tap_count, dir);
		return;
	}
	while ((entry = readdir(d)) != NULL) {
		char letter = entry->d_name[0];
		if (letter == '.')
			continue;
		buf_clear(&path);
		buf_format(&path, "%s/%s", dir, entry->d_name);
		buf_clear(&text);
		if (!buf_file(&text, path.data, 1 << 20))
			continue;
		const char *bytes = text.data ? text.data : "";
		bool good = scan_check(bytes, text.len, NULL);
		tap_ok(letter == 'i' || good == (letter == 'y'), entry->d_name);
		tap_ok(pull_accepts(bytes, text.len, 3) == good &&
			   pull_accepts(bytes, text.len, text.len) == good,
		    "the pull reader agrees");
		tap_ok(skip_accepts(bytes, text.len, 3) == good &&
			   skip_accepts(bytes, text.len, text.len) == good,
		    "and when it passes over it");
		if (!good)
			continue;
		buf_clear(&made);
		jv v = jvx_build((struct span){bytes, text.len});
		jvx_write(v, &made);
		jv_free(v);
		buf_clear(&again);
		v = jvx_parse(made.data, made.len, NULL);
		jvx_write(v, &again);
		jv_free(v);
		tap_ok(again.len == made.len && memcmp(again.data, made.data, made.len) == 0,
		    "written and read again it is the same");
	}
	closedir(d);
	buf_free(&text);
	buf_free(&path);
	buf_free(&made);
	buf_free(&again);
}

static struct span
span(const char *text)
{
	return (struct span){text, strlen(text)};
}

static bool
decodes(const char *json, const char *want, size_t len)
{
	struct buf b = {0};
	bool same = scan_text(span(json), &b) && b.len == len && memcmp(b.data, want, len) == 0;

	buf_free(&b);
	return same;
}

static bool
fails_at(const char *text, size_t at)
{
	struct scan_error error;

	return !scan_check(text, strlen(text), &error) && error.at == at;
}

static bool
writes(const char *json, const char *want)
{
	struct buf b = {0};
	jv v = jvx_parse(json, strlen(json), NULL);

	jvx_write(v, &b);
	jv_free(v);
	bool same = strcmp(b.data, want) == 0;
	if (!same)
		printf("# %s\n", b.data);
	buf_free(&b);
	return same;
}

static bool
member_is(const char *text, const char *name, const char *want)
{
	struct span found, bulk;

	if (!scan_check_member(text, strlen(text), NULL, name, &found, &bulk))
		return false;
	if (want == NULL)
		return found.at == NULL;
	return found.len == strlen(want) && memcmp(found.at, want, found.len) == 0;
}

static void
bulk(void)
{
	struct span all = span("{\"a\":{\"b\":{\"c\":[1],\"d\":{\"e\":[2,[3,4,5]]},\"f\":[6]}}}");
	struct span found, most, b;

	tap_ok(scan_check_member(all.at, all.len, NULL, "a", &found, &most) && most.len == 17 &&
		   memcmp(most.at, "{\"e\":[2,[3,4,5]]}", 17) == 0,
	    "the longest of those inside three");
	b = scan_path(all, "a", "b", NULL);
	struct scan_each it = {.known = most};
	tap_ok(scan_each(&it, b) && scan_each(&it, b) && it.value.at == most.at &&
		   it.value.len == most.len && scan_each(&it, b) && scan_is(it.key, "f") &&
		   it.value.len == 3 && !scan_each(&it, b),
	    "a known value is passed in one step");
	tap_ok(
	    scan_check_member("[[[]]]", 6, NULL, "a", &found, &most) && most.at == NULL, "no bulk");
}

static void
members(void)
{
	static const char object[] =
	    "{ \"a\" : {\"type\":1} , \"type\" : \"x\\\"\" , \"b\" : [ [ ] , {} ] }";
	struct span o = {object, sizeof object - 1};

	tap_ok(member_is(object, "type", "\"x\\\"\""), "a member found by the check, outside only");
	tap_ok(member_is(object, "b", "[ [ ] , {} ]"), "one that is a container");
	tap_ok(member_is("{\"t\":1,\"\\u0074\":2}", "t", "2"), "the last of equals, decoded");
	tap_ok(member_is("[{\"t\":1}]", "t", NULL), "none in an array");
	tap_ok(scan_is(scan_front(o, "type"), "x\""), "a string at the front");
	tap_ok(scan_kind(scan_front(o, "b")) == '[', "a container at the front");
	tap_ok(scan_number(scan_front(scan_front(o, "a"), "type"), 0) == 1, "and inside one");
	tap_ok(scan_front(o, "c").at == NULL, "nothing at the front");
	tap_ok(scan_front(scan_front(o, "a"), "b").at == NULL, "a walk ends where its object does");
}

static unsigned
chance(unsigned n)
{
	static unsigned seed = 1;

	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % n;
}

static void
make_string(struct buf *b)
{
	static const char *const parts[] = {"[", "]", "{", "}", "\\\"", "\\\\", ",", "a", "\\n",
	    "\\u0022", "a longer run of plain text, without anything in it", "\xc3\xa9"};

	buf_byte(b, '"');
	for (unsigned n = chance(4) * chance(5); n > 0; n--)
		buf_text(b, parts[chance(sizeof parts / sizeof *parts)]);
	buf_byte(b, '"');
}

/* A value with nothing but what a reader of brackets and quotes could get wrong. */
static void
make_value(struct buf *b, int depth)
{
	unsigned kind = depth > 5 ? 3 + chance(3) : chance(6), n = chance(7);

	switch (kind) {
	case 0:
	case 1:
		buf_byte(b, '[');
		for (unsigned i = 0; i < n; i++) {
			buf_text(b, i > 0 ? "," : "");
			make_value(b, depth + 1);
		}
		buf_byte(b, ']');
		break;
	case 2:
		buf_byte(b, '{');
		for (unsigned i = 0; i < n; i++) {
			buf_text(b, i > 0 ? " , " : "");
			make_string(b);
			buf_byte(b, ':');
			make_value(b, depth + 1);
		}
		buf_byte(b, '}');
		break;
	case 3: make_string(b); break;
	case 4: buf_format(b, "[[%u,%u]]", 1 + chance(30), 1 + chance(2000)); break;
	default: buf_format(b, "%u", chance(100000));
	}
}

/* It was made, so where it ends is known; and no prefix of it is JSON. */
static bool
passed_over(void)
{
	struct scan_each it = {0};
	struct buf b = {0};

	buf_text(&b, "[[");
	make_value(&b, 0);
	buf_text(&b, ",[[1,2]]");
	for (unsigned n = chance(20); n > 0; n--)
		buf_format(&b, ",[[%u,%u]]", 1 + chance(9), 1 + chance(99));
	buf_text(&b, "]");
	size_t len = b.len - 1;
	buf_text(&b, ", {\"]\":7}]");
	struct span all = {b.data, b.len};
	bool good = scan_check(all.at, all.len, NULL) && scan_each(&it, all) &&
		    it.value.at == b.data + 1 && it.value.len == len && scan_each(&it, all) &&
		    scan_kind(it.value) == '{' && !scan_each(&it, all);
	for (size_t cut = 0; cut < all.len; cut += 1 + chance(9))
		good = good && !scan_check(all.at, cut, NULL);
	if (!good)
		printf("# %s\n", b.data);
	buf_free(&b);
	return good;
}

static bool
many_passed_over(void)
{
	bool good = true;

	for (int i = 0; i < 500 && good; i++)
		good = passed_over();
	return good;
}

static void
references(void)
{
	tap_ok(scan_check("[[[1,2]],[[3,4]]]", 17, NULL), "references in a row");
	tap_ok(fails_at("[[1,2]],[[3,4]]", 7), "but not at the top");
	tap_ok(fails_at("{\"a\":[[1,2]],[[3,4]]}", 13), "nor as members");
	tap_ok(fails_at("[[[1,2]],]", 9), "nor with nothing behind the comma");
}

int
main(void)
{
	const char *suites = getenv("SUITES");
	struct buf b = {0};
	struct span doc =
	    span("{ \"a\" : [1, {\"b\\u0063\":\"x\"} ], \"a2\":{}, \"n\":-1.5e2, \"a\":true }");

	buf_format(&b, "%s/json-parsing/test_parsing", suites ? suites : "../shared/suites");
	suite(b.data);

	tap_ok(scan_kind(scan_member(doc, "a")) == 't', "of equal names the last counts");
	tap_ok(scan_number(scan_member(doc, "n"), 0) == -150, "a number");
	tap_ok(scan_member(doc, "b").at == NULL, "only members of the object itself");
	static const char *const names[] = {"n", "none", "a"};
	struct span found[3];
	scan_members(doc, names, found, 3);
	tap_ok(
	    scan_number(found[0], 0) == -150 && found[1].at == NULL && scan_kind(found[2]) == 't',
	    "several in one pass");
	tap_ok(scan_number(scan_member(doc, "a2"), 7) == 7, "no number: the other");
	tap_ok(scan_whole(span("3.9"), 9, 7) == 3 && scan_whole(span("9"), 9, 7) == 9 &&
		   scan_whole(span("-0"), 9, 7) == 0,
	    "a whole number");
	tap_ok(scan_whole(span("-1"), 9, 7) == 7 && scan_whole(span("9.1"), 9, 7) == 7 &&
		   scan_whole(span("1e300"), 9, 7) == 7 && scan_whole(span("\"1\""), 9, 7) == 7,
	    "what is none: the other");
	struct span deep = span("{\"x\":{\"bc\":{\"y\":\"z\"}}}");
	tap_ok(scan_is(scan_path(deep, "x", "bc", "y", NULL), "z"), "a path");
	tap_ok(scan_path(deep, "x", "no", "y", NULL).at == NULL, "a path that ends early");
	struct scan_each it = {0};
	int count = 0;
	while (scan_each(&it, span("[ ]")))
		count++;
	tap_ok(count == 0, "an empty array");
	tap_ok(scan_is(span("\"\\u0061\""), "a"), "an escaped letter equals the plain one");

	tap_ok(decodes("\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80", 4), "a surrogate pair");
	tap_ok(decodes("\"a\\ud83d\"", "a\xef\xbf\xbd", 4), "a lone high surrogate");
	tap_ok(decodes("\"\\ude00\\ud83dx\"", "\xef\xbf\xbd\xef\xbf\xbdx", 7),
	    "lone ones in the wrong order");
	tap_ok(decodes("\"\\u0000\"", "", 1), "NUL is one byte");
	buf_clear(&b);
	scan_mend(span("\"\\ud83d\\\\ud83d\\ud83d\\ude00\\ufffd\""), &b);
	tap_ok(strcmp(b.data, "\"\\ufffd\\\\ud83d\\ud83d\\ude00\\ufffd\"") == 0,
	    "mended: lone ones only");

	tap_ok(fails_at("[1,]", 3), "the place of an error");
	members();
	by_name();
	bulk();
	references();
	tap_ok(many_passed_over(), "values are passed over, whatever their strings hold");
	tap_ok(fails_at("{\"a\":1]", 6), "the place of a wrong bracket");
	tap_ok(fails_at("\"\xff\"", 1), "the place of a bad byte");
	buf_clear(&b);
	for (int i = 0; i < SCAN_DEPTH + 1; i++)
		buf_byte(&b, '[');
	tap_ok(fails_at(b.data, SCAN_DEPTH), "depth is bounded");

	tap_ok(writes("{\"b\":1.50,\"a\":[1e3,0.1,1700000000123456789]}",
		   "{\"a\":[1000,0.1,1.7000000001234568e+18],\"b\":1.5}"),
	    "keys sorted, numbers shortest");
	tap_ok(writes("[0.001,-0.001,-1.05,-0.5,12345678.125,-0,100,9007199254740993,0.0005]",
		   "[0.001,-0.001,-1.05,-0.5,12345678.125,0,100,9007199254740992,0.0005]"),
	    "thousandths, and whole numbers to their limit");
	tap_ok(writes("\"\\u0001\\u007f\\n\xc3\xa9\"", "\"\\u0001\\u007f\\n\xc3\xa9\""),
	    "controls escaped, UTF-8 kept");
	buf_clear(&b);
	jvx_write_text("a\xc3\xff\xe2\x82", 5, &b);
	tap_ok(
	    strcmp(b.data, "\"a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"") == 0, "other bytes mended");
	buf_clear(&b);
	buf_byte(&b, '{');
	jvx_put_ms(&b, "a", 1.23456);
	jvx_put_number(&b, "b", NAN);
	jvx_put_text(&b, "c", "");
	jvx_put_text(&b, "d", "\"");
	tap_ok(strcmp(b.data, "{\"a\":1.235,\"d\":\"\\\"\"") == 0,
	    "members, but not what says nothing");
	buf_free(&b);
	return tap_done();
}
