/* schema: the published JSON Schema test suite (given by SUITES), required tests of both drafts. */
#include "schema.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "tap.h"

static char suite[4096], remotes[4096];

struct tally {
	int groups, tests, failed, refused;
	bool loud; /* say which test failed */
};

static jv
read_json(const char *path)
{
	struct buf text = {0};

	buf_file(&text, path, 16 << 20);
	jv v = jvx_parse(text.data ? text.data : "", text.len, NULL);
	buf_free(&text);
	return v;
}

static void
run_group(jv group, const struct schema_options *options, const char *file, struct tally *t)
{
	char why[256] = "";
	struct schema *s = schema_new(jvx_get(group, "schema"), options, why, sizeof why);
	jv tests = jvx_get(group, "tests");

	t->groups++;
	jv_array_foreach (tests, i, test) {
		bool want = jvx_true(test, "valid"), got = false;
		if (s != NULL) {
			jv errors = schema_check(s, jvx_get(test, "data"), 10);
			got = jv_array_length(jv_copy(errors)) == 0;
			jv_free(errors);
		}
		t->tests++;
		t->refused += s == NULL;
		t->failed += s == NULL || got != want;
		if (t->loud && (s == NULL || got != want))
			printf("# %s: %s: %s: got %s %s\n", file, jvx_text(group, "description"),
			    jvx_text(test, "description"), got ? "valid" : "invalid", why);
		jv_free(test);
	}
	jv_free(tests);
	schema_free(s);
}

/* All files of a folder, not of the folders in it. */
static struct tally
run_folder(const char *folder, enum schema_draft draft, bool formats, bool loud)
{
	struct schema_folder where = {"http://localhost:1234/", remotes};
	struct schema_options options = {
	    .draft = draft, .formats = formats, .folders = &where, .count = 1};
	struct tally t = {.loud = loud};
	struct dirent *entry;
	char path[8192];

	snprintf(path, sizeof path, "%s/tests/%s", suite, folder);
	DIR *d = opendir(path);
	while (d != NULL && (entry = readdir(d)) != NULL) {
		if (strstr(entry->d_name, ".json") == NULL)
			continue;
		snprintf(path, sizeof path, "%s/tests/%s/%s", suite, folder, entry->d_name);
		jv groups = read_json(path);
		jv_array_foreach (groups, i, group) {
			run_group(group, &options, entry->d_name, &t);
			jv_free(group);
		}
		jv_free(groups);
	}
	if (d != NULL)
		closedir(d);
	return t;
}

static void
required(const char *folder, enum schema_draft draft, int want)
{
	struct tally t = run_folder(folder, draft, false, true);
	char name[128];

	snprintf(
	    name, sizeof name, "%s: %d of %d required tests", folder, t.tests - t.failed, want);
	tap_ok(t.failed == 0 && t.tests == want, name);
}

static void
optional(const char *folder, enum schema_draft draft, bool formats)
{
	struct tally t = run_folder(folder, draft, formats, getenv("VERBOSE") != NULL);

	printf("# %s: %d of %d optional tests\n", folder, t.tests - t.failed, t.tests);
}

static bool
refuses(const char *schema, const char *want)
{
	struct schema_options options = {0};
	char why[256] = "";
	struct schema *s =
	    schema_new(jvx_parse(schema, strlen(schema), NULL), &options, why, sizeof why);

	schema_free(s);
	if (s == NULL && strstr(why, want) != NULL)
		return true;
	printf("# %s\n", why);
	return false;
}

/* The errors as one line: "instance keyword; ...". */
static bool
says(const char *schema, const char *instance, const char *want)
{
	struct schema_options options = {0};
	struct buf said = {0};
	struct schema *s = schema_new(jvx_parse(schema, strlen(schema), NULL), &options, NULL, 0);
	jv errors = schema_check(s, jvx_parse(instance, strlen(instance), NULL), 5);

	jv_array_foreach (errors, i, error) {
		buf_format(
		    &said, "%s %s; ", jvx_text(error, "instance"), jvx_text(error, "keyword"));
		jv_free(error);
	}
	jv_free(errors);
	schema_free(s);
	bool same = strcmp(said.data ? said.data : "", want) == 0;
	if (!same)
		printf("# %s\n", said.data ? said.data : "");
	buf_free(&said);
	return same;
}

int
main(void)
{
	const char *suites = getenv("SUITES");

	snprintf(suite, sizeof suite, "%s/json-schema", suites ? suites : "../shared/suites");
	snprintf(remotes, sizeof remotes, "%s/json-schema/remotes",
	    suites ? suites : "../shared/suites");
	DIR *d = opendir(suite);
	if (d == NULL) {
		fprintf(stderr, "# SKIPPED: no JSON Schema suite at %s (set SUITES)\n", suite);
		tap_count++;
		printf("ok %d - json-schema # SKIP no %s\n", tap_count, suite);
	} else {
		closedir(d);
		required("draft2020-12", SCHEMA_2020_12, 1299);
		required("draft7", SCHEMA_7, 927);
		optional("draft2020-12/optional", SCHEMA_2020_12, false);
		optional("draft7/optional", SCHEMA_7, false);
		optional("draft2020-12/optional/format", SCHEMA_2020_12, true);
		optional("draft7/optional/format", SCHEMA_7, true);
	}
	tap_ok(refuses("{\"type\":\"strnig\"}", "/type"), "a schema that is none is refused");
	tap_ok(refuses("{\"$ref\":\"#/nowhere\"}", "cannot resolve"), "a reference to nothing");
	tap_ok(refuses("{\"pattern\":\"(\"}", "pattern"), "a pattern that is none");
	tap_ok(
	    refuses("{\"$ref\":\"http://example.com/x\"}", "cannot resolve"), "nothing is fetched");
	tap_ok(says("{\"required\":[\"a\"],\"properties\":{\"b\":{\"type\":\"string\"}}}",
		   "{\"b\":1}", " required; /b type; "),
	    "where and why");
	tap_ok(says("{\"anyOf\":[{\"type\":\"null\"},{\"properties\":{\"x~/\":{\"const\":1}}}]}",
		   "{\"x~/\":2}", "/x~0~1 const;  anyOf; "),
	    "of several branches the deepest cause");
	tap_ok(
	    says("{\"items\":{\"$ref\":\"#\"}}", "[[[1]]]", ""), "a schema that refers to itself");
	return tap_done();
}
