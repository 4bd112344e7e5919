/* page: the pages as they were, from the error context and from DOM snapshots. */
#include "segment.h"

#include <string.h>

#include "ndjson.h"

/* The YAML block below "# Page snapshot" of the error context. */
static struct span
context_snapshot(const struct segment *s)
{
	struct span none = {0};
	const char *at =
	    s->error_context == NULL ? NULL : strstr(s->error_context, "# Page snapshot");

	if (at == NULL || (at = strstr(at, "```yaml\n")) == NULL)
		return none;
	at += 8;
	const char *end = strstr(at, "\n```");
	return end == NULL ? none : (struct span){at, (size_t)(end - at) + 1};
}

void
pages_tell(struct segment *s)
{
	struct span yaml = context_snapshot(s);

	if (yaml.at == NULL)
		return;
	jv rec = jvx_set_text(jv_object(), "type", "snapshot");
	rec = jvx_set(rec, "ref", ref_of("snapshot", 1));
	rec = jvx_set_text(rec, "source", "attachment");
	rec = jvx_set_text(rec, "phase", "after");
	rec = jvx_set(rec, "at_failure", jv_true());
	ndjson_put(
	    jv_object_set(rec, jv_string("aria"), jv_string_sized(yaml.at, (int)yaml.len)), s->out);
}
