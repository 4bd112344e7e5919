#include "tracename.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The length of a path without what names of traces lack. */
static size_t
stem(const char *path)
{
	size_t n = strlen(path);

	if (n > 4 && strcmp(path + n - 4, ".zip") == 0)
		n -= 4;
	if (n > 6 && strncmp(path + n - 6, "/trace", 6) == 0)
		n -= 6;
	else if (n > 6 && strncmp(path + n - 6, "\\trace", 6) == 0)
		n -= 6;
	return n;
}

static bool
is_slash(char c)
{
	return c == '/' || c == '\\';
}

unsigned
tracename_agreement(const char *a, const char *b)
{
	size_t i = strlen(a), k = stem(b);
	unsigned whole = 0;

	while (i > 0 && k > 0 &&
	       (a[i - 1] == b[k - 1] || (is_slash(a[i - 1]) && is_slash(b[k - 1])))) {
		i--;
		k--;
		whole += is_slash(a[i]);
	}
	return whole + ((i == 0 || is_slash(a[i - 1])) && (k == 0 || is_slash(b[k - 1])) &&
			   !(i == 0 && k == 0 && is_slash(a[0])));
}

void
tracename_attached(struct scan_pull *p, char **trace)
{
	if (!scan_pull_enters(p, SCAN_ARRAY))
		return;
	while (scan_pull_element(p)) {
		char *name = NULL, *path = NULL;
		while (scan_pull_key(p)) {
			if (scan_pull_is(p, "name"))
				scan_pull_text(p, &name);
			else if (scan_pull_is(p, "path"))
				scan_pull_text(p, &path);
			else
				scan_pull_skip(p);
		}
		if (*trace == NULL && name != NULL && strcmp(name, "trace") == 0) {
			*trace = path;
			path = NULL;
		}
		free(name);
		free(path);
	}
}
