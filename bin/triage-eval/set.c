#include "set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "prog.h"

static char *
text_of(jv rec, const char *key)
{
	const char *text = jvx_text(rec, key);

	return text ? prog_copy(text, strlen(text)) : NULL;
}

struct set *
set_new(void)
{
	struct set *s = prog_alloc(1, sizeof *s);

	s->index = jv_object();
	s->prompts = jv_object();
	return s;
}

/* The place of a case; made when it was not there.  Labels may come after verdicts. */
static struct labelled *
place(struct set *s, const char *name)
{
	size_t at = (size_t)jvx_number(s->index, name, 0);

	if (at > 0)
		return &s->cases[at - 1];
	if (s->count == s->size) {
		s->size = s->size ? s->size * 2 : 64;
		s->cases = prog_resize(s->cases, s->size, sizeof *s->cases);
	}
	s->cases[s->count++] =
	    (struct labelled){.name = prog_copy(name, strlen(name)), .ambiguity = NAN};
	s->index = jvx_set_number(s->index, name, (double)s->count);
	return &s->cases[s->count - 1];
}

/* The same label comes again with each sample. */
static void
add_label(struct set *s, jv rec)
{
	const char *name = jvx_text(rec, "case"), *slice = jvx_text(rec, "slice");

	if (name == NULL || jvx_text(rec, "owner") == NULL || jvx_text(rec, "behaviour") == NULL)
		return;
	struct labelled *c = place(s, name);
	if (c->owner != NULL)
		return;
	c->owner = text_of(rec, "owner");
	c->behaviour = text_of(rec, "behaviour");
	c->folds_to = text_of(rec, "folds_to");
	c->sha256 = text_of(rec, "case_sha256");
	c->held_out = slice != NULL && strcmp(slice, "held-out") == 0;
}

static void
add_verdict(struct set *s, jv rec)
{
	const char *name = jvx_text(rec, "test_id");

	if (name == NULL)
		return;
	struct labelled *c = place(s, name);
	c->samples = prog_resize(c->samples, c->count + 1, sizeof *c->samples);
	struct verdict *v = &c->samples[c->count++];
	*v = (struct verdict){.owner = text_of(rec, "owner"),
	    .behaviour = text_of(rec, "behaviour"),
	    .confidence = jvx_number(rec, "confidence", NAN)};
}

static void
add_summary(struct set *s, jv rec)
{
	jv prompts = jvx_get(rec, "prompts");

	free(s->mode);
	s->mode = text_of(rec, "mode");
	s->calls += jvx_number(rec, "calls", 0);
	s->input_tokens += jvx_number(rec, "input_tokens", 0);
	s->output_tokens += jvx_number(rec, "output_tokens", 0);
	if (jv_get_kind(prompts) == JV_KIND_OBJECT)
		s->prompts = jv_object_merge(s->prompts, jv_copy(prompts));
	jv_free(prompts);
}

void
set_add(struct set *s, struct ndjson *in)
{
	jv rec = jv_invalid();

	if (ndjson_is(in, "triage_label")) {
		add_label(s, rec = ndjson_value(in));
	} else if (ndjson_is(in, "triage")) {
		add_verdict(s, rec = ndjson_value(in));
	} else if (ndjson_is(in, "triage_summary")) {
		add_summary(s, rec = ndjson_value(in));
	} else if (ndjson_is(in, "analysis")) {
		rec = ndjson_value(in);
		if (jvx_text(rec, "test_id") != NULL)
			place(s, jvx_text(rec, "test_id"))->ambiguity =
			    jvx_number(rec, "ambiguity", NAN);
	}
	jv_free(rec);
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct labelled *)a)->name, ((const struct labelled *)b)->name);
}

static void
free_case(struct labelled *c)
{
	for (size_t i = 0; i < c->count; i++) {
		free(c->samples[i].owner);
		free(c->samples[i].behaviour);
	}
	free(c->samples);
	free(c->name);
	free(c->sha256);
	free(c->owner);
	free(c->behaviour);
	free(c->folds_to);
}

/* What has no label is no case of ours. */
void
set_end(struct set *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->count; i++) {
		if (s->cases[i].owner != NULL)
			s->cases[kept++] = s->cases[i];
		else
			free_case(&s->cases[i]);
	}
	s->count = kept;
	if (kept > 0)
		qsort(s->cases, kept, sizeof *s->cases, by_name);
	jv_free(s->index);
	s->index = jv_object();
	for (size_t i = 0; i < kept; i++)
		s->index = jvx_set_number(s->index, s->cases[i].name, (double)(i + 1));
}

void
set_free(struct set *s)
{
	for (size_t i = 0; i < s->count; i++)
		free_case(&s->cases[i]);
	free(s->cases);
	free(s->mode);
	jv_free(s->index);
	jv_free(s->prompts);
	free(s);
}

bool
set_made(const struct labelled *c)
{
	return c->count > 0 && c->samples[0].owner != NULL && c->samples[0].behaviour != NULL;
}

const char *
set_truth(const struct labelled *c)
{
	bool folded =
	    set_made(c) && c->folds_to != NULL && strcmp(c->samples[0].owner, c->folds_to) == 0;

	return folded ? c->folds_to : c->owner;
}

bool
set_owner_right(const struct labelled *c)
{
	return set_made(c) && strcmp(c->samples[0].owner, set_truth(c)) == 0;
}

bool
set_behaviour_right(const struct labelled *c)
{
	return set_made(c) && strcmp(c->samples[0].behaviour, c->behaviour) == 0;
}

bool
set_right(const struct labelled *c)
{
	return set_owner_right(c) && set_behaviour_right(c);
}

bool
set_hard(const struct labelled *c)
{
	return strcmp(c->owner, "app_code") == 0 && strcmp(c->behaviour, "intermittent") == 0;
}

const struct labelled *
set_find(const struct set *s, const char *name)
{
	size_t at = (size_t)jvx_number(s->index, name, 0);

	return at > 0 ? &s->cases[at - 1] : NULL;
}
