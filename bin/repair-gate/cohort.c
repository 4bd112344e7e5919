#include "cohort.h"

#include <stdio.h>
#include <string.h>

#include "digest.h"

static const char *const oracle_kinds[] = {"outcome", "safety", "side_effect", "policy", "format"};

static jv
member(jv obj, const char *key)
{
	jv v = jvx_get(obj, key);

	if (jv_is_valid(v))
		return v;
	jv_free(v);
	return jv_object();
}

/* obj[key][name] = value; consumes value. */
static jv
set_inside(jv obj, const char *key, const char *name, jv value)
{
	return jvx_set(obj, key, jvx_set(member(obj, key), name, value));
}

static void
take_oracles(struct cohort *c, const struct run *r)
{
	for (size_t i = 0; i < r->oracle_count; i++) {
		const struct oracle *o = &r->oracles[i];
		struct buf name = {0};
		buf_format(&name, "%s %s", oracle_kinds[o->kind], o->name);
		c->oracles = jvx_set(c->oracles, name.data, jv_true());
		if (o->pass == 0 && (o->kind == SAFETY || o->kind == SIDE_EFFECT))
			c->broken = jvx_set_text(c->broken, name.data, r->id);
		buf_free(&name);
	}
}

static void
take_effects(struct cohort *c, const struct run *r)
{
	for (size_t i = 0; i < r->state_count; i++) {
		const struct state *s = &r->states[i];
		if (s->status == OK && s->effect != NULL)
			c->effects = set_inside(c->effects, r->task, s->effect, jv_true());
	}
}

/* What the run says of itself must be what the others said. */
static void
take_config(struct cohort *c, jv rec, struct ndjson *in)
{
	jv config = jvx_get(rec, "config");

	if (jv_get_kind(config) == JV_KIND_OBJECT && !jv_is_valid(c->config)) {
		jv_free(c->config);
		c->config = jv_copy(config);
	} else if (jv_is_valid(c->config) && !jv_equal(jv_copy(c->config), jv_copy(config))) {
		ndjson_complain(in, "a config that is not the one of the runs before");
	}
	jv_free(config);
}

static void
take_task(
    struct cohort *c, const struct run *r, jv rec, const struct assignment *made, struct ndjson *in)
{
	jv task = member(c->tasks, r->task);
	const char *sha = jvx_text(rec, "task_sha"), *before = jvx_text(task, "sha");
	char trial[32];
	struct buf result = {0};

	if (before != NULL && (sha == NULL || strcmp(sha, before) != 0))
		ndjson_complain(in, "a task_sha that is not the one of the task's runs before");
	snprintf(trial, sizeof trial, "%lld", r->trial);
	if (made->verdict == FAILED)
		buf_format(&result, "%s\t%s", made->last, made->attempted);
	else if (made->verdict == UNSCORED)
		buf_text(&result, "?");
	jv trials = member(task, "trials");
	if (jv_object_has(jv_copy(trials), jv_string(trial)))
		ndjson_complain(in, "a trial of a task that came before");
	trials = jvx_set(trials, trial, jv_string(result.data ? result.data : ""));
	task = jvx_set(jvx_set_text(task, "sha", sha), "trials", trials);
	double cost = jvx_number(rec, "cost", 0);
	task = jvx_set_number(task, "cost", jvx_number(task, "cost", 0) + cost);
	c->tasks = jvx_set(c->tasks, r->task, task);
	if (made->verdict == FAILED)
		c->scores = jvx_set_number(
		    c->scores, result.data, jvx_number(c->scores, result.data, 0) + made->impact);
	buf_free(&result);
}

struct cohort
cohort_read(struct ndjson *in, const struct rules *rules)
{
	struct cohort c = {jv_object(), jv_object(), jv_invalid(), jv_object(), jv_object(),
	    jv_object(), 0, 0, 0, ""};
	struct run_reader *reader = run_reader_new(rules->map);
	struct assigner *assigner = assigner_new(rules);
	struct digest *digest = digest_new();
	const char *why;

	while (ndjson_next(in)) {
		if (!ndjson_is(in, "run"))
			continue;
		const struct run *r = run_read(reader, ndjson_span(in), &why);
		if (r == NULL) {
			ndjson_complain(in, why);
			continue;
		}
		struct assignment made = assign(assigner, r, NULL);
		jv rec = ndjson_value(in);
		c.runs++;
		c.failed += made.verdict == FAILED;
		c.disputed += made.verdict == FAILED && strcmp(made.last, "DISPUTED") == 0;
		take_config(&c, rec, in);
		take_oracles(&c, r);
		take_effects(&c, r);
		take_task(&c, r, rec, &made, in);
		digest_add(digest, ndjson_span(in).at, ndjson_span(in).len);
		digest_add(digest, "\n", 1);
		jv_free(rec);
	}
	digest_end(digest, c.sha256);
	run_reader_free(reader);
	assigner_free(assigner);
	return c;
}

void
cohort_free(struct cohort *c)
{
	jv_free(c->tasks);
	jv_free(c->oracles);
	jv_free(c->config);
	jv_free(c->broken);
	jv_free(c->effects);
	jv_free(c->scores);
}
