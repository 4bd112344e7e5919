/* uri: the examples of RFC 3986 sections 5.4.1 and 5.4.2, and two of RFC 8141. */
#include "uri.h"

#include <string.h>

#include "tap.h"

static const char *const examples[][2] = {{"g:h", "g:h"}, {"g", "http://a/b/c/g"},
    {"./g", "http://a/b/c/g"}, {"g/", "http://a/b/c/g/"}, {"/g", "http://a/g"}, {"//g", "http://g"},
    {"?y", "http://a/b/c/d;p?y"}, {"g?y", "http://a/b/c/g?y"}, {"#s", "http://a/b/c/d;p?q#s"},
    {"g#s", "http://a/b/c/g#s"}, {"g?y#s", "http://a/b/c/g?y#s"}, {";x", "http://a/b/c/;x"},
    {"g;x", "http://a/b/c/g;x"}, {"g;x?y#s", "http://a/b/c/g;x?y#s"}, {"", "http://a/b/c/d;p?q"},
    {".", "http://a/b/c/"}, {"./", "http://a/b/c/"}, {"..", "http://a/b/"}, {"../", "http://a/b/"},
    {"../g", "http://a/b/g"}, {"../..", "http://a/"}, {"../../", "http://a/"},
    {"../../g", "http://a/g"}, {"../../../g", "http://a/g"}, {"../../../../g", "http://a/g"},
    {"/./g", "http://a/g"}, {"/../g", "http://a/g"}, {"g.", "http://a/b/c/g."},
    {".g", "http://a/b/c/.g"}, {"g..", "http://a/b/c/g.."}, {"..g", "http://a/b/c/..g"},
    {"./../g", "http://a/b/g"}, {"./g/.", "http://a/b/c/g/"}, {"g/./h", "http://a/b/c/g/h"},
    {"g/../h", "http://a/b/c/h"}, {"g;x=1/./y", "http://a/b/c/g;x=1/y"},
    {"g;x=1/../y", "http://a/b/c/y"}, {"g?y/./x", "http://a/b/c/g?y/./x"},
    {"g#s/../x", "http://a/b/c/g#s/../x"}, {"http:g", "http:g"}};

static bool
resolves(const char *base, const char *reference, const char *want)
{
	struct buf b = {0};

	uri_resolve(&b, base, reference);
	bool same = strcmp(b.data ? b.data : "", want) == 0;
	if (!same)
		printf("# %s: got %s, want %s\n", reference, b.data ? b.data : "", want);
	buf_free(&b);
	return same;
}

int
main(void)
{
	for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
		tap_ok(
		    resolves("http://a/b/c/d;p?q", examples[i][0], examples[i][1]), examples[i][0]);
	tap_ok(resolves("urn:example:a", "#b", "urn:example:a#b"), "a fragment of a URN");
	tap_ok(resolves("", "#/x", "#/x"), "no base");
	tap_ok(resolves("", "a/b", "a/b"), "no base, a path");
	struct buf b = {0};
	uri_decode(&b, "a%20b%zz%2");
	tap_ok(strcmp(b.data, "a b%zz%2") == 0, "percent decoding leaves what is none");
	buf_free(&b);
	return tap_done();
}
