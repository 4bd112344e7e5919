#define _GNU_SOURCE /* strcasestr */
#include "golden.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "buf.h"
#include "digest.h"
#include "jvx.h"
#include "prog.h"
#include "yamlx.h"

/* The name comes from a trace: one component, and not out of the folder. */
static bool
is_name(const char *name)
{
	return *name != '\0' && *name != '.' && strchr(name, '/') == NULL;
}

/* Of the trace's bytes; nothing of one that lies elsewhere, where this program may not look. */
static void
add_trace(const struct golden *g, const char *yaml, struct buf *b)
{
	const char *trace = jvx_text(g->value, "trace");
	struct buf path = {0};
	char bytes[1 << 14], sha256[65];
	size_t got;

	buf_add(&path, yaml, (size_t)(strrchr(yaml, '/') + 1 - yaml));
	buf_text(&path, trace != NULL ? trace : "trace.zip");
	FILE *f = fopen(path.data, "re");
	buf_free(&path);
	if (f == NULL)
		return;
	struct digest *d = digest_new();
	while ((got = fread(bytes, 1, sizeof bytes, f)) > 0)
		digest_add(d, bytes, got);
	digest_end(d, sha256);
	if (!ferror(f))
		buf_text(b, sha256);
	fclose(f);
}

static void
digest(struct golden *g, const char *yaml)
{
	struct buf b = {0};
	jv value = jv_object_delete(jv_copy(g->value), jv_string("notes"));

	jvx_write(value, &b);
	add_trace(g, yaml, &b);
	digest_sha256(b.data, b.len, g->sha256);
	buf_free(&b);
	jv_free(value);
}

bool
golden_read(struct golden *g, const char *folder, const char *name)
{
	struct buf path = {0};

	buf_format(&path, "%s/%s/case.yaml", folder, name);
	if (!is_name(name) || access(path.data, F_OK) != 0) {
		char *clean = prog_clean(name, strlen(name));
		warnx("%s: no case \"%s\"", folder, clean);
		free(clean);
		buf_free(&path);
		return false;
	}
	g->value = yamlx_file(path.data);
	bool good = jv_is_valid(g->value);
	if (good && jvx_text(g->value, "expected_root_cause") == NULL) {
		warnx("%s: no expected_root_cause", path.data);
		good = false;
	}
	if (good)
		digest(g, path.data);
	else
		jv_free(g->value);
	buf_free(&path);
	return good;
}

void
golden_free(struct golden *g)
{
	jv_free(g->value);
}

jv
golden_list(const struct golden *g, const char *key)
{
	jv value = jvx_get(g->value, key), list = jv_array();

	if (jv_get_kind(value) == JV_KIND_STRING)
		list = jv_array_append(list, jv_copy(value));
	if (jv_get_kind(value) == JV_KIND_ARRAY)
		jv_array_foreach (value, i, item) {
			if (jv_get_kind(item) == JV_KIND_STRING)
				list = jv_array_append(list, item);
			else
				jv_free(item);
		}
	jv_free(value);
	return list;
}

/* Nothing, or one of the words for it. */
static bool
is_none(const char *text)
{
	return text == NULL || *text == '\0' || strcasecmp(text, "none") == 0 ||
	       strcasecmp(text, "n/a") == 0 || strcasecmp(text, "null") == 0;
}

bool
golden_undetermined(const struct golden *g)
{
	static const char *const words[] = {"cannot be diagnosed", "cannot diagnose",
	    "can't diagnose", "cannot be determined", "cannot determine"};
	const char *cause = jvx_text(g->value, "expected_root_cause");

	if (!is_none(jvx_text(g->value, "expected_fix_file")))
		return false;
	if (is_none(jvx_text(g->value, "expected_fix_type")))
		return true;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcasestr(cause, words[i]) != NULL)
			return true;
	return false;
}

const char *
golden_file(const struct golden *g)
{
	const char *file = jvx_text(g->value, "expected_fix_file");

	/* "none (environment: flag tideChart)" */
	if (is_none(file) || strncasecmp(file, "none ", 5) == 0)
		return NULL;
	return file;
}
