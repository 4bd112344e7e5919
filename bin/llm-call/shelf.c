#include "shelf.h"

#include <stdlib.h>
#include <string.h>

#include "cassette.h"
#include "jvx.h"
#include "ndjson.h"
#include "prog.h"

struct shelf {
	jv played; /* an object, by key */
	jv missed; /* records */
};

struct shelf *
shelf_new(void)
{
	struct shelf *s = prog_alloc(1, sizeof *s);

	s->played = jv_object();
	s->missed = jv_array();
	return s;
}

void
shelf_played(struct shelf *s, const char *key)
{
	s->played = jvx_set(s->played, key, jv_true());
}

static jv
entry(const char *state, const char *key)
{
	jv record = jvx_set_text(jv_object(), "type", "cassette");

	record = jvx_set_text(record, "state", state);
	return jvx_set_text(record, "key", key);
}

void
shelf_missed(struct shelf *s, const char *key, const char *name, int epoch)
{
	jv record = jvx_set_text(entry("missing", key), "name", name);

	record = jvx_set_number(record, "epoch", epoch);
	s->missed = jv_array_append(s->missed, record);
}

static bool
same(const char *a, const char *b)
{
	return a != NULL && b != NULL && strcmp(a, b) == 0;
}

bool
shelf_list(struct shelf *s, const char *folder, const char *prompt, const char *sha256,
    const char *model, FILE *out)
{
	struct cassette_walk *w = cassette_walk_open(folder);
	int missing = jv_array_length(jv_copy(s->missed));
	bool clean = missing == 0;
	const char *key;
	jv cassette;

	for (int i = 0; i < missing; i++)
		ndjson_put(jv_array_get(jv_copy(s->missed), i), out);
	while (cassette_walk_next(w, &key, &cassette)) {
		jv request = jvx_get(cassette, "request");
		const char *asked = jvx_text(request, "model"), *of = jvx_text(cassette, "prompt");
		bool ours = same(of, prompt) && same(jvx_text(cassette, "prompt_sha256"), sha256);
		bool right = ours && (same(asked, model) || same(asked, "authored"));
		/* A cassette of another prompt is another run's business. */
		size_t name = strcspn(prompt, ".") + 1;
		bool other = of != NULL && strncmp(of, prompt, name) != 0;
		if (!other && !jvx_true(s->played, key)) {
			jv record = entry(right ? "orphaned" : "stale", key);
			record = jvx_set_text(record, "prompt", of);
			record = jvx_set_text(record, "model", asked);
			record = jvx_set_text(record, "name", jvx_text(cassette, "name"));
			ndjson_put(record, out);
			clean = false;
		}
		jv_free(request);
		jv_free(cassette);
	}
	cassette_walk_close(w);
	return clean;
}

void
shelf_free(struct shelf *s)
{
	jv_free(s->played);
	jv_free(s->missed);
	free(s);
}
