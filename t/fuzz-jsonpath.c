/* jsonpath: a query in the first line, a document in the rest; what is found is found by its path
 * too. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "jsonpath.h"
#include "jvx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A normalized path is a singular query for the same value. */
static void
look_again(jv root, jv path, jv value)
{
	struct jsonpath *p = jsonpath_new(jv_string_value(path), jvx_length(path), NULL, 0);
	jv found;

	if (p == NULL || !jsonpath_singular(p))
		abort();
	found = jsonpath_find(p, root, NULL);
	if (!jv_is_valid(found) || !jv_equal(found, jv_array_append(jv_array(), jv_copy(value))))
		abort();
	jsonpath_free(p);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data, *eol = size > 0 ? memchr(text, '\n', size) : NULL;
	char why[100];

	if (eol == NULL)
		return 0;
	size_t len = (size_t)(eol - text);
	struct jsonpath *p = jsonpath_new(text, len, why, sizeof why);
	jv root = jvx_parse(eol + 1, size - len - 1, NULL), paths;
	if (p != NULL && jv_is_valid(root)) {
		jv found = jsonpath_find(p, root, &paths);
		for (int i = 0, n = jv_is_valid(found) ? jv_array_length(jv_copy(found)) : 0;
		     i < n && i < 50; i++) {
			jv path = jv_array_get(jv_copy(paths), i),
			   value = jv_array_get(jv_copy(found), i);
			look_again(root, path, value);
			jv_free(path);
			jv_free(value);
		}
		jv_free(found);
		jv_free(paths);
	}
	jv_free(root);
	jsonpath_free(p);
	return 0;
}
