#include "draft.h"

#include <stdio.h>
#include <string.h>

#include "buf.h"
#include "doc.h"
#include "jvx.h"
#include "ndjson.h"

void
out_unmapped(struct out *o, const char *what)
{
	o->unmapped = jvx_set_number(o->unmapped, what, jvx_number(o->unmapped, what, 0) + 1);
}

void
out_warnings(struct out *o)
{
	jv kinds = jv_keys(jv_copy(o->unmapped));

	jv_array_foreach (kinds, i, kind) {
		double n = jvx_number(o->unmapped, jv_string_value(kind), 0);
		struct buf message = {0};
		buf_format(&message, "%.0f %s", n, jv_string_value(kind));
		jv rec = ndjson_warning("runs-from", "unmapped", message.data, NULL);
		ndjson_put(jvx_set_number(rec, "count", n), stdout);
		buf_free(&message);
		jv_free(kind);
	}
	jv_free(kinds);
	jv_free(o->unmapped);
}

struct draft
draft_new(void)
{
	return (struct draft){jv_object(), jv_array(), jv_array(), 0};
}

void
draft_text(struct draft *d, const char *key, const char *value)
{
	d->rec = jvx_set_text(d->rec, key, value);
}

void
draft_number(struct draft *d, const char *key, double value)
{
	d->rec = jvx_set_number(d->rec, key, value);
}

static jv
receipt_of(const struct step *s)
{
	jv r = jvx_set_text(jv_object(), "tool", s->tool);

	r = jvx_set_text(r, "call_id", s->call);
	r = jvx_set_text(r, "args_sha", s->args_sha);
	r = jvx_set_text(r, "error_class", s->error_class);
	return jvx_set_text(r, "result", s->result);
}

long
draft_step(struct draft *d, const struct step *s)
{
	jv e = jvx_set_number(jv_object(), "i", (double)d->steps);

	e = jvx_set_text(e, "state", s->name && *s->name ? s->name : "unnamed");
	e = jvx_set_text(e, "status", s->status);
	e = jvx_set_text(e, "actor", s->actor);
	e = jvx_set_text(e, "branch", s->branch);
	if (s->parent_count == 1) {
		e = jvx_set_number(e, "parent", (double)s->parents[0]);
	} else if (s->parent_count > 1) {
		jv all = jv_array();
		for (size_t i = 0; i < s->parent_count; i++)
			all = jv_array_append(all, jv_number((double)s->parents[i]));
		e = jvx_set(e, "parent", all);
	}
	if (s->tool != NULL)
		e = jvx_set(e, "receipt", receipt_of(s));
	d->states = jv_array_append(d->states, e);
	return d->steps++;
}

void
draft_oracle(
    struct draft *d, const char *name, const char *kind, int pass, jv expected, jv observed)
{
	jv o = jvx_set_text(jv_object(), "name", name && *name ? name : kind);

	o = jvx_set_text(o, "kind", kind);
	if (pass >= 0)
		o = jvx_set(o, "pass", pass ? jv_true() : jv_false());
	o = jvx_set(jvx_set(o, "expected", expected), "observed", observed);
	d->oracles = jv_array_append(d->oracles, o);
}

void
draft_at(struct draft *d, long i)
{
	int last = jv_array_length(jv_copy(d->oracles)) - 1;
	jv o = jvx_set_number(jv_array_get(jv_copy(d->oracles), last), "at", (double)i);

	d->oracles = jv_array_set(d->oracles, last, o);
}

/* By the oracles, all of which have to pass; NULL when none of them says. */
static const char *
judged(jv oracles)
{
	const char *outcome = NULL;

	jv_array_foreach (oracles, i, o) {
		const char *kind = jvx_text(o, "kind");
		jv pass = jvx_get(o, "pass");
		bool known = jv_is_valid(pass) && strcmp(kind, "outcome") == 0;
		if (known && jv_get_kind(pass) == JV_KIND_FALSE)
			outcome = "failure";
		else if (known && outcome == NULL)
			outcome = "success";
		jv_free(pass);
		jv_free(o);
	}
	return outcome;
}

void
draft_put(struct draft *d, const struct out *o)
{
	const char *outcome = judged(d->oracles);
	jv rec = jvx_set_text(d->rec, "type", "run");

	if (outcome != NULL || jvx_text(rec, "outcome") == NULL)
		rec = jvx_set_text(rec, "outcome", outcome ? outcome : "unknown");
	rec = jvx_set_text(rec, "cohort", o->cohort);
	rec = jvx_set(rec, "states", d->states);
	if (jv_array_length(jv_copy(d->oracles)) > 0)
		rec = jvx_set(rec, "oracles", d->oracles);
	else
		jv_free(d->oracles);
	ndjson_put(rec, stdout);
}

char *
draft_name(const struct doc *d, bool many)
{
	const char *slash = strrchr(d->file, '/');
	struct buf b = {0};

	buf_text(&b, slash ? slash + 1 : d->file);
	if (many)
		buf_format(&b, ":%zu", d->number);
	return b.data;
}
