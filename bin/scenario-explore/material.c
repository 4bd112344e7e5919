#include <stdlib.h>
#include <string.h>

#include "explore.h"
#include "jvx.h"
#include "ndjson.h"
#include "section.h"
#include "utf8.h"

enum { SPEC = 20000, LIST = 16000, LINE = 300 };

struct material
material_new(void)
{
	return (struct material){jv_invalid(), jv_object(), jv_object(), jv_object(), jv_object(),
	    jv_object(), jv_array()};
}

void
material_free(struct material *m)
{
	jv_free(m->agent);
	jv_free(m->scenarios);
	jv_free(m->tags);
	jv_free(m->tools);
	jv_free(m->clusters);
	jv_free(m->known);
	jv_free(m->order);
}

static jv
counted(jv counts, const char *key, const char *member, double n)
{
	jv entry = jvx_get(counts, key);

	if (!jv_is_valid(entry))
		entry = jv_object();
	entry = jvx_set_number(entry, member, jvx_number(entry, member, 0) + n);
	return jvx_set(counts, key, entry);
}

static void
count_tags(struct material *m, jv scenario, const char *member, double n)
{
	jv tags = jvx_get(scenario, "tags");
	bool some = false;

	if (jv_get_kind(tags) == JV_KIND_ARRAY)
		jv_array_foreach (tags, i, tag) {
			if (jv_get_kind(tag) == JV_KIND_STRING) {
				m->tags = counted(m->tags, jv_string_value(tag), member, n);
				some = true;
			}
			jv_free(tag);
		}
	if (!some)
		m->tags = counted(m->tags, "(no tag)", member, n);
	jv_free(tags);
}

static void
add_scenario(struct material *m, jv record)
{
	const char *id = jvx_text(record, "id");
	jv before = id != NULL ? jvx_get(m->scenarios, id) : jv_null();

	if (!jv_is_valid(before)) {
		m->scenarios = jvx_set(m->scenarios, id, jv_copy(record));
		m->order = jv_array_append(m->order, jv_string(id));
		count_tags(m, record, "scenarios", 1);
	}
	jv_free(before);
}

static void
add_judgement(struct material *m, jv record)
{
	const char *id = jvx_text(record, "scenario");
	jv scenario = id != NULL ? jvx_get(m->scenarios, id) : jv_invalid();

	if (jv_is_valid(scenario)) {
		count_tags(m, scenario, "trials", 1);
		count_tags(m, scenario, "failed", !jvx_true(record, "pass"));
	}
	jv_free(scenario);
}

static void
add_transcript(struct material *m, jv record)
{
	jv turns = jvx_get(record, "turns");

	if (jv_get_kind(turns) == JV_KIND_ARRAY)
		jv_array_foreach (turns, i, turn) {
			jv calls = jvx_get(turn, "tool_calls");
			if (jv_get_kind(calls) == JV_KIND_ARRAY)
				jv_array_foreach (calls, k, call) {
					const char *name = jvx_text(call, "name");
					if (name != NULL)
						m->tools = counted(m->tools, name, "calls", 1);
					jv_free(call);
				}
			jv_free(calls);
			jv_free(turn);
		}
	jv_free(turns);
}

void
material_add(struct material *m, jv record)
{
	const char *type = jvx_text(record, "type"), *id = jvx_text(record, "id"),
		   *scenario = jvx_text(record, "scenario");

	if (type == NULL)
		return;
	if (strcmp(type, "agent") == 0) {
		jv_free(m->agent);
		m->agent = jv_copy(record);
	} else if (strcmp(type, "scenario") == 0) {
		add_scenario(m, record);
	} else if (strcmp(type, "judgement") == 0) {
		add_judgement(m, record);
	} else if (strcmp(type, "transcript") == 0) {
		add_transcript(m, record);
	} else if (strcmp(type, "cluster") == 0 && id != NULL) {
		m->clusters = jvx_set(m->clusters, id, jv_copy(record));
	} else if (strcmp(type, "known") == 0 && scenario != NULL) {
		m->known = jvx_set(m->known, scenario, jv_copy(record));
	}
}

/* A stranger's line, cut. */
static void
add_line(struct buf *b, const char *text)
{
	size_t len = strlen(text), cut = len > LINE ? utf8_floor(text, len, LINE) : len;

	for (size_t i = 0; i < cut; i++)
		buf_byte(b, text[i] == '\n' || text[i] == '\r' ? ' ' : text[i]);
	buf_text(b, cut < len ? "...\n" : "\n");
}

static void
put(const char *label, struct buf *b, size_t most, FILE *out)
{
	if (b->len > most) {
		b->len = utf8_floor(b->data, b->len, most);
		buf_text(b, "\n(the rest is left out)\n");
	}
	if (b->len == 0)
		buf_text(b, "nothing yet\n");
	ndjson_put(section_record(label, b), out);
	buf_clear(b);
}

/* By name, so that the same run asks the same question. */
static void
add_counts(struct buf *b, jv counts)
{
	struct buf text = {0}, name = {0};

	jvx_write(counts, &text);
	for (struct scan_each it = {0}; scan_each(&it, (struct span){text.data, text.len});) {
		buf_clear(&name);
		scan_text(it.key, &name);
		buf_add(&name, ": ", 2);
		buf_add(&name, it.value.at, it.value.len);
		add_line(b, name.data);
	}
	buf_free(&text);
	buf_free(&name);
}

static void
add_clusters(struct buf *b, const struct material *m)
{
	struct buf text = {0}, line = {0};

	jvx_write(m->clusters, &text);
	for (struct scan_each it = {0}; scan_each(&it, (struct span){text.data, text.len});) {
		jv cluster = jvx_build(it.value);
		const char *title = jvx_text(cluster, "title"),
			   *reason = jvx_text(cluster, "reason");
		jv tags = jvx_get(cluster, "tags");
		buf_clear(&line);
		buf_format(&line, "%s; why: %s; tags: ", title ? title : "", reason ? reason : "");
		jvx_write(tags, &line);
		add_line(b, line.data);
		jv_free(tags);
		jv_free(cluster);
	}
	buf_free(&text);
	buf_free(&line);
}

static void
add_titles(struct buf *b, const struct material *m)
{
	struct buf line = {0};

	jv_array_foreach (m->order, i, id) {
		jv scenario = jvx_get(m->scenarios, jv_string_value(id));
		jv turns = jvx_get(scenario, "turns");
		const char *title = jvx_text(scenario, "title");
		buf_clear(&line);
		buf_format(&line, "%s: %s: ", jv_string_value(id), title ? title : "");
		jvx_write(turns, &line);
		add_line(b, line.data);
		jv_free(turns);
		jv_free(scenario);
		jv_free(id);
	}
	buf_free(&line);
}

void
material_ask(const struct material *m, int wave, int count, FILE *out)
{
	struct buf b = {0};
	const char *id = jvx_text(m->agent, "id"), *spec = jvx_text(m->agent, "spec"),
		   *description = jvx_text(m->agent, "description");

	buf_format(&b, "explore.w%d", wave);
	ndjson_put(jvx_set_text(jvx_set_text(jv_object(), "type", "trace"), "name", b.data), out);
	buf_clear(&b);
	buf_format(&b, "scenarios wanted: %d\n", count);
	put("task", &b, LIST, out);
	buf_format(&b, "%s: %s\n\n%s\n", id ? id : "an agent", description ? description : "",
	    spec ? spec : "(there is no spec)");
	put("spec", &b, SPEC, out);
	add_counts(&b, m->tags);
	put("coverage", &b, LIST, out);
	add_counts(&b, m->tools);
	put("tools", &b, LIST, out);
	add_clusters(&b, m);
	put("clusters", &b, LIST, out);
	add_titles(&b, m);
	put("known", &b, 2 * LIST, out);
	buf_free(&b);
}
