/* jsonpath: RFC 9535's published compliance suite (given by SUITES), and limits. */
#include "jsonpath.h"

#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "tap.h"

static jv
read_json(const char *path)
{
	struct buf text = {0};

	buf_file(&text, path, 16 << 20);
	jv v = jvx_parse(text.data ? text.data : "", text.len, NULL);
	buf_free(&text);
	return v;
}

static bool
same(jv a, jv b) /* consumed */
{
	return jv_equal(a, b);
}

/* One of several, where the order is open. */
static bool
either(jv test, const char *one, const char *many, jv got)
{
	jv list = jvx_get(test, many), single = jvx_get(test, one);
	bool found = jv_is_valid(single) && same(jv_copy(single), jv_copy(got));

	for (int i = 0; jv_is_valid(list) && !found && i < jv_array_length(jv_copy(list)); i++)
		found = same(jv_array_get(jv_copy(list), i), jv_copy(got));
	jv_free(list);
	jv_free(single);
	return found;
}

static bool
run_test(jv test)
{
	char why[200] = "";
	size_t len;
	const char *text = jvx_bytes(test, "selector", &len);
	struct jsonpath *p = jsonpath_new(text, len, why, sizeof why);
	bool good;

	if (jvx_true(test, "invalid_selector")) {
		good = p == NULL && why[0] != '\0';
	} else if (p == NULL) {
		good = false;
	} else {
		jv document = jvx_get(test, "document"), paths;
		jv values = jsonpath_find(p, document, &paths);
		good = jv_is_valid(values) && either(test, "result", "results", values) &&
		       either(test, "result_paths", "results_paths", paths);
		jv_free(values);
		jv_free(paths);
		jv_free(document);
	}
	if (!good)
		printf("# %s: %s: %s\n", jvx_text(test, "name"), text, why);
	jsonpath_free(p);
	return good;
}

static void
suite(void)
{
	const char *folder = getenv("SUITES");
	char path[4096];
	int passed = 0, count;

	snprintf(path, sizeof path, "%s/jsonpath/cts.json", folder ? folder : "../shared/suites");
	jv all = read_json(path), tests = jvx_get(all, "tests");
	if (jv_get_kind(tests) != JV_KIND_ARRAY) {
		fprintf(stderr, "# SKIPPED: the JSONPath compliance suite: not at SUITES\n");
		printf("ok %d - compliance suite # SKIP not at SUITES\n", ++tap_count);
		jv_free(tests);
		jv_free(all);
		return;
	}
	count = jv_array_length(jv_copy(tests));
	for (int i = 0; i < count; i++) {
		jv test = jv_array_get(jv_copy(tests), i);
		passed += run_test(test);
		jv_free(test);
	}
	printf("# %d of %d\n", passed, count);
	tap_ok(passed == count && count >= 703, "all of the compliance suite");
	jv_free(tests);
	jv_free(all);
}

/* The values that query finds in document, as JSON; "none" when it is none, "work" when too much.
 */
static bool
finds(const char *query, const char *document, const char *want)
{
	struct buf got = {0};
	struct jsonpath *p = jsonpath_new(query, strlen(query), NULL, 0);
	jv root = jvx_parse(document, strlen(document), NULL), found;

	if (p == NULL) {
		buf_text(&got, "none");
	} else {
		found = jsonpath_find(p, root, NULL);
		if (jv_is_valid(found))
			jvx_write(found, &got);
		else
			buf_text(&got, "work");
		jv_free(found);
	}
	bool good = strcmp(got.data, want) == 0;
	if (!good)
		printf("# %s: got %s, want %s\n", query, got.data, want);
	jsonpath_free(p);
	jv_free(root);
	buf_free(&got);
	return good;
}

/* A query in parentheses, or a document in brackets, so many deep. */
static char *
nested(const char *before, const char *open, const char *inside, const char *close, int depth)
{
	struct buf b = {0};

	buf_text(&b, before);
	for (int i = 0; i < depth; i++)
		buf_text(&b, open);
	buf_text(&b, inside);
	for (int i = 0; i < depth; i++)
		buf_text(&b, close);
	return b.data;
}

static void
limits(void)
{
	char *deep = nested("$[?", "(", "@", ")", 60);
	char *query = nested(deep, "", "]", "", 1);
	tap_ok(finds(query, "[1]", "[1]"), "sixty parentheses");
	free(deep);
	free(query);
	deep = nested("$[?", "(", "@", ")", 100000);
	tap_ok(finds(deep, "[1]", "none"), "a hundred thousand are refused");
	free(deep);
	deep = nested("$[?", "@ == 0 || @ == 1 && ", "@ == 1", "", 100000);
	query = nested(deep, "", "]", "", 1);
	tap_ok(finds(query, "[1,2]", "[1]"), "a hundred thousand in a row");
	free(deep);
	free(query);
	deep = nested("", "[", "1", "]", 1500);
	tap_ok(finds("$..[?@ == 1]", deep, "[1]"), "a deep document");
	tap_ok(finds("$..*..*..*..*", deep, "work"), "work ends");
	free(deep);
	deep = nested("[", "1,", "1", "", 3000);
	query = nested(deep, "", "]", "", 1);
	tap_ok(finds("$[?count($..*) == 0]", query, "work"), "in filters too");
	tap_ok(finds("$[?$ == $]..a", query, "work"), "and in comparisons");
	free(deep);
	free(query);
}

static void
patterns(void)
{
	tap_ok(
	    finds("$[?match(@, '[0-9]{2,3}')]", "[\"12\",\"1\",\"1234\"]", "[\"12\"]"), "counts");
	tap_ok(finds("$[?search(@, '(?=a)')]", "[\"a\"]", "[]"), "no lookahead");
	tap_ok(finds("$[?search(@, '(a)\\\\1')]", "[\"aa\"]", "[]"), "no reference back");
	tap_ok(finds("$[?search(@, '(*COMMIT)a')]", "[\"a\"]", "[]"), "no verbs");
	tap_ok(finds("$[?search(@, '[[:alpha:]]')]", "[\"a\"]", "[]"), "no classes of POSIX");
	tap_ok(finds("$[?match(@, 'a|b')]", "[\"a\",\"b\",\"ab\"]", "[\"a\",\"b\"]"), "choices");
	tap_ok(finds("$[?search(@, '(a+)+$')]", "[\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\"]",
		   "work"),
	    "a pattern that would not end");
	tap_ok(finds("$[?match(@, '')]", "[\"\",\"a\"]", "[\"\"]"), "nothing");
}

int
main(void)
{
	suite();
	limits();
	patterns();
	return tap_done();
}
