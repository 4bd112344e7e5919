#include "cluster.h"

#include <stdlib.h>
#include <string.h>

#include "canon.h"
#include "ndjson.h"
#include "prog.h"
#include "scenario.h"
#include "section.h"
#include "signature.h"
#include "utf8.h"

enum { EXAMPLES = 3, TITLE = 160, REASON = 400, SAID = 600, ID = 16 };

struct cluster {
	char id[ID + 1];
	char *agent;
	jv tags, kinds, scenarios, examples, shown; /* shown: transcripts of the examples */
	jv has;                                     /* scenarios as members */
	char *reason, *title;
	size_t n;
	int severity;
};

struct clusters {
	struct cluster *list;
	size_t count;
	jv index;       /* of the list, by id and agent */
	jv scenarios;   /* by id: {title, tags, severity} */
	jv known;       /* by id: records of earlier runs */
	jv titles;      /* by id: what a model said */
	jv transcripts; /* of the scenario that is being read */
	bool keep_transcripts;
};

struct clusters *
clusters_new(bool keep_transcripts)
{
	struct clusters *c = prog_alloc(1, sizeof *c);

	*c = (struct clusters){.index = jv_object(),
	    .scenarios = jv_object(),
	    .known = jv_object(),
	    .titles = jv_object(),
	    .transcripts = jv_array(),
	    .keep_transcripts = keep_transcripts};
	return c;
}

static void
forget(struct clusters *c)
{
	for (size_t i = 0; i < c->count; i++) {
		struct cluster *k = &c->list[i];
		free(k->agent);
		free(k->reason);
		free(k->title);
		jv_free(k->tags);
		jv_free(k->kinds);
		jv_free(k->scenarios);
		jv_free(k->examples);
		jv_free(k->shown);
		jv_free(k->has);
	}
	c->count = 0;
	jv_free(c->index);
	c->index = jv_object();
	jv_free(c->scenarios);
	c->scenarios = jv_object();
	jv_free(c->transcripts);
	c->transcripts = jv_array();
}

void
clusters_free(struct clusters *c)
{
	forget(c);
	free(c->list);
	jv_free(c->index);
	jv_free(c->scenarios);
	jv_free(c->transcripts);
	jv_free(c->known);
	jv_free(c->titles);
	free(c);
}

/* One line of a stranger's, cut where a reader would stop; yours to free, NULL when it is empty. */
static char *
one_line(const char *text, size_t most)
{
	struct buf b = {0};
	size_t used, chars = 0, len = strlen(text);

	for (size_t i = 0; i < len && chars < most; i += used, chars++) {
		int32_t code = utf8_decode(text + i, len - i, &used);
		if (code < 0x20 || (code >= 0x7f && code < 0xa0))
			buf_byte(&b, ' ');
		else
			buf_add(&b, text + i, used);
	}
	return b.data;
}

void
clusters_known(struct clusters *c, jv record)
{
	const char *type = jvx_text(record, "type"), *id = jvx_text(record, "id"),
		   *prompt = jvx_text(record, "prompt"), *name = jvx_text(record, "name");

	if (type != NULL && strcmp(type, "cluster") == 0 && id != NULL)
		c->known = jvx_set(c->known, id, jv_copy(record));
	if (type == NULL || strcmp(type, "answer") != 0 || prompt == NULL || name == NULL ||
	    strncmp(prompt, "cluster.v", 9) != 0)
		return;
	jv output = jvx_get(record, "output");
	const char *title = jvx_text(output, "title");
	char *line = title != NULL ? one_line(title, TITLE) : NULL;
	if (line != NULL)
		c->titles = jvx_set_text(c->titles, name, line);
	free(line);
	jv_free(output);
}

void
clusters_scenario(struct clusters *c, jv scenario)
{
	static const char *const kept[] = {"title", "tags", "severity"};
	const char *id = jvx_text(scenario, "id");
	jv s = jv_object();

	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
		s = jvx_set(s, kept[i], jvx_get(scenario, kept[i]));
	if (id != NULL)
		c->scenarios = jvx_set(c->scenarios, id, s);
	else
		jv_free(s);
	jv_free(c->transcripts);
	c->transcripts = jv_array();
}

void
clusters_transcript(struct clusters *c, jv transcript)
{
	if (c->keep_transcripts)
		c->transcripts = jv_array_append(c->transcripts, jv_copy(transcript));
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Sorted, each once; what is no text is left out.  list is consumed. */
static jv
as_set(jv list)
{
	size_t count = 0;
	int length = jv_get_kind(list) == JV_KIND_ARRAY ? jv_array_length(jv_copy(list)) : 0;
	const char **texts = prog_alloc((size_t)length, sizeof *texts);
	jv set = jv_array();

	for (int i = 0; i < length; i++) {
		jv item = jv_array_get(jv_copy(list), i);
		if (jv_get_kind(item) == JV_KIND_STRING)
			texts[count++] = jv_string_value(item); /* list holds it */
		jv_free(item);
	}
	qsort(texts, count, sizeof *texts, by_text);
	for (size_t i = 0; i < count; i++)
		if (i == 0 || strcmp(texts[i], texts[i - 1]) != 0)
			set = jv_array_append(set, jv_string(texts[i]));
	free(texts);
	jv_free(list);
	return set;
}

static jv
normal(const char *reason)
{
	struct buf b = {0};

	signature_reason(reason, strlen(reason), &b);
	jv text = jv_string_sized(b.data != NULL ? b.data : "", (int)b.len);
	buf_free(&b);
	return text;
}

/* What broke: kinds, and their reasons in normal form. */
struct broken {
	jv kinds, reasons;
};

static struct broken
broken(jv judgement)
{
	struct broken b = {jv_array(), jv_array()};
	jv checks = jvx_get(judgement, "checks"), error = jvx_get(judgement, "error");
	int count = jv_get_kind(checks) == JV_KIND_ARRAY ? jv_array_length(jv_copy(checks)) : 0;

	for (int i = 0; i < count && !jv_is_valid(error); i++) {
		jv check = jv_array_get(jv_copy(checks), i);
		const char *kind = jvx_text(check, "kind"), *reason = jvx_text(check, "reason");
		if (!jvx_true(check, "ok") && kind != NULL) {
			b.kinds = jv_array_append(b.kinds, jv_string(kind));
			if (reason != NULL)
				b.reasons = jv_array_append(b.reasons, normal(reason));
		}
		jv_free(check);
	}
	if (jv_array_length(jv_copy(b.kinds)) == 0) {
		const char *reason = jvx_text(judgement, jv_is_valid(error) ? "error" : "reason");
		b.kinds = jv_array_append(
		    b.kinds, jv_string(jv_is_valid(error) ? "judge_error" : "rubric"));
		/* A rubric's reason is prose, another each time: its tags say what it is about. */
		if (reason != NULL && jv_is_valid(error))
			b.reasons = jv_array_append(b.reasons, normal(reason));
	}
	b.kinds = as_set(b.kinds);
	b.reasons = as_set(b.reasons);
	jv_free(checks);
	jv_free(error);
	return b;
}

static char *
joined(jv reasons)
{
	struct buf b = {0};

	buf_text(&b, "");
	jv_array_foreach (reasons, i, reason) {
		buf_format(&b, "%s%s", i > 0 ? "; " : "", jv_string_value(reason));
		jv_free(reason);
	}
	return b.data;
}

static struct cluster *
cluster_of(struct clusters *c, const char *agent, jv scenario, struct broken b)
{
	jv tags = as_set(jvx_get(scenario, "tags")), shape = jv_array();
	struct buf key = {0};
	char sha256[65];

	shape = jv_array_append(shape, jv_number(SIGNATURE_VERSION));
	shape = jv_array_append(shape, jv_copy(tags));
	shape = jv_array_append(shape, jv_copy(b.kinds));
	shape = jv_array_append(shape, jv_copy(b.reasons));
	canon_sha256(shape, sha256);
	jv_free(shape);
	sha256[ID] = '\0';
	buf_format(&key, "%s %s", sha256, agent);
	double at = jvx_number(c->index, key.data, -1);
	if (at < 0)
		c->index = jvx_set_number(c->index, key.data, (double)c->count);
	buf_free(&key);
	if (at >= 0) {
		jv_free(tags);
		jv_free(b.kinds);
		jv_free(b.reasons);
		return &c->list[(size_t)at];
	}
	c->list = prog_resize(c->list, c->count + 1, sizeof *c->list);
	struct cluster *k = &c->list[c->count++];
	*k = (struct cluster){.tags = tags, .kinds = b.kinds};
	memcpy(k->id, sha256, ID + 1);
	k->agent = prog_copy(agent, strlen(agent));
	k->reason = joined(b.reasons);
	k->scenarios = jv_array();
	k->examples = jv_array();
	k->shown = jv_array();
	k->has = jv_object();
	jv_free(b.reasons);
	return k;
}

/* The transcript that was judged so: the same scenario and trial, the last that came. */
static jv
transcript_of(struct clusters *c, jv judgement)
{
	const char *scenario = jvx_text(judgement, "scenario");
	double trial = jvx_number(judgement, "trial", 1);

	for (int i = jv_array_length(jv_copy(c->transcripts)) - 1; i >= 0; i--) {
		jv t = jv_array_get(jv_copy(c->transcripts), i);
		const char *its = jvx_text(t, "scenario");
		if (its != NULL && strcmp(its, scenario) == 0 &&
		    !(jvx_number(t, "trial", 1) < trial || jvx_number(t, "trial", 1) > trial))
			return t;
		jv_free(t);
	}
	return jv_object();
}

static void
add_example(struct clusters *c, struct cluster *k, jv judgement)
{
	static const char *const kept[] = {"scenario", "trial"};
	const char *reason = jvx_text(judgement, "reason");
	char *line = reason != NULL ? one_line(reason, REASON) : NULL;
	jv example = jvx_set_text(jv_object(), "reason", line);

	free(line);
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
		example = jvx_set(example, kept[i], jvx_get(judgement, kept[i]));
	k->examples = jv_array_append(k->examples, example);
	if (c->keep_transcripts)
		k->shown = jv_array_append(k->shown, transcript_of(c, judgement));
}

void
clusters_judgement(struct clusters *c, jv judgement)
{
	const char *id = jvx_text(judgement, "scenario"), *agent = jvx_text(judgement, "agent");

	if (id == NULL || jvx_true(judgement, "pass"))
		return;
	jv scenario = jvx_get(c->scenarios, id);
	struct cluster *k = cluster_of(c, agent ? agent : "", scenario, broken(judgement));
	const char *title = jvx_text(scenario, "title");
	k->n++;
	int severity = scenario_severity(jvx_text(scenario, "severity"));
	if (severity > k->severity)
		k->severity = severity;
	if (k->title == NULL && title != NULL)
		k->title = one_line(title, TITLE);
	/* Examples of different scenarios tell more than one scenario three times. */
	if (!jvx_true(k->has, id)) {
		k->has = jvx_set(k->has, id, jv_true());
		k->scenarios = jv_array_append(k->scenarios, jv_string(id));
		if (jv_array_length(jv_copy(k->examples)) < EXAMPLES)
			add_example(c, k, judgement);
	}
	jv_free(scenario);
}

static int
by_weight(const void *a, const void *b)
{
	const struct cluster *x = a, *y = b;

	if (x->severity != y->severity)
		return y->severity - x->severity;
	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	int order = strcmp(x->id, y->id);
	return order != 0 ? order : strcmp(x->agent, y->agent);
}

/*
 * The title: a model's, now or once; or else that of the first scenario that broke; or the reason
 * as it was first told, since its normal form ("turn <n>") is no line for people.
 */
static jv
titled(const struct clusters *c, const struct cluster *k, jv record)
{
	jv known = jvx_get(c->known, k->id);
	const char *said = jvx_text(c->titles, k->id), *before = jvx_text(known, "title");
	jv example = jv_array_get(jv_copy(k->examples), 0);
	const char *told = jvx_text(example, "reason");

	record = jvx_set(record, "new", jv_is_valid(known) ? jv_false() : jv_true());
	if (jvx_text(known, "titled_by") != NULL) {
		record = jvx_set_text(record, "title", before);
		record = jvx_set_text(record, "titled_by", jvx_text(known, "titled_by"));
	} else if (said != NULL) {
		record = jvx_set_text(record, "title", said);
		record = jvx_set_text(record, "titled_by", "model");
	} else {
		record = jvx_set_text(record, "title",
		    before     ? before
		    : k->title ? k->title
		    : told     ? told
			       : k->reason);
	}
	jv_free(example);
	jv_free(known);
	return record;
}

static jv
cluster_record(const struct clusters *c, const struct cluster *k)
{
	jv r = jvx_set_text(jv_object(), "type", "cluster");

	r = jvx_set_text(r, "id", k->id);
	r = jvx_set_text(r, "agent", k->agent);
	r = jvx_set(r, "tags", jv_copy(k->tags));
	r = jvx_set(r, "kinds", jv_copy(k->kinds));
	r = jvx_set_text(r, "reason", k->reason);
	r = jvx_set_number(r, "n", (double)k->n);
	r = jvx_set(r, "scenarios", jv_copy(k->scenarios));
	r = jvx_set(r, "examples", jv_copy(k->examples));
	r = jvx_set_text(r, "severity", scenario_severities[k->severity]);
	r = jvx_set_number(r, "normaliser", SIGNATURE_VERSION);
	return titled(c, k, r);
}

void
clusters_put(struct clusters *c, FILE *out)
{
	if (c->count > 0)
		qsort(c->list, c->count, sizeof *c->list, by_weight);
	for (size_t i = 0; i < c->count; i++)
		ndjson_put(cluster_record(c, &c->list[i]), out);
	forget(c);
}

static void
add_piece(struct buf *b, const char *what, jv value)
{
	struct buf text = {0};

	if (!jv_is_valid(value))
		return;
	if (jv_get_kind(value) == JV_KIND_STRING)
		buf_add(&text, jv_string_value(value), jvx_length(value));
	else
		jvx_write(value, &text);
	if (text.len > SAID) {
		text.len = utf8_floor(text.data, text.len, SAID);
		text.data[text.len] = '\0';
		buf_text(&text, " (cut)");
	}
	buf_format(b, "  %s: ", what);
	buf_add(b, text.data, text.len);
	buf_byte(b, '\n');
	buf_free(&text);
	jv_free(value);
}

static void
add_conversation(struct buf *b, jv transcript)
{
	static const char *const parts[] = {"user", "reply", "tool_calls", "error"};
	jv turns = jvx_get(transcript, "turns");

	if (jv_get_kind(turns) == JV_KIND_ARRAY)
		jv_array_foreach (turns, i, turn) {
			if (i >= 12) {
				jv_free(turn);
				continue;
			}
			for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
				add_piece(b, parts[p], jvx_get(turn, parts[p]));
			jv_free(turn);
		}
	add_piece(b, "the trial ended", jvx_get(transcript, "error"));
	jv_free(turns);
}

static void
ask(const struct cluster *k, FILE *out)
{
	struct buf b = {0};

	ndjson_put(jvx_set_text(jvx_set_text(jv_object(), "type", "trace"), "name", k->id), out);
	jv_array_foreach (k->examples, i, example) {
		buf_format(&b, "example %d\n", i + 1);
		add_piece(&b, "why it failed", jvx_get(example, "reason"));
		jv transcript = jv_array_get(jv_copy(k->shown), i);
		add_conversation(&b, transcript);
		jv_free(transcript);
		jv_free(example);
	}
	ndjson_put(section_record("examples", &b), out);
	buf_free(&b);
}

void
clusters_ask(struct clusters *c, FILE *out)
{
	if (c->count > 0)
		qsort(c->list, c->count, sizeof *c->list, by_weight);
	for (size_t i = 0; i < c->count; i++) {
		jv known = jvx_get(c->known, c->list[i].id);
		if (jvx_text(known, "titled_by") == NULL)
			ask(&c->list[i], out);
		jv_free(known);
	}
	forget(c);
}
