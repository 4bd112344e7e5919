/*
 * triage-verdict: the verdict on each failing or newly flaky test, and the count of those without.
 *
 * A verdict is the answer of a model for the test's group, its quotes looked up in what the model
 * was shown, or that of the rules.  Every selected test has one or has a reason why it has none;
 * both together are all, and that is checked before anything is written.
 */
#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis.h"
#include "buf.h"
#include "confine.h"
#include "git.h"
#include "ndjson.h"
#include "prog.h"

enum { LIST_MAX = 256 << 20 };

struct tally {
	size_t selected, classified, unclassified, quotes, unmatched, calls;
	double input_tokens, output_tokens;
	jv reasons; /* {reason: count} */
	jv prompts; /* {prompt: model} */
};

struct work {
	jv header;
	jv *analyses;
	size_t count, size;
	jv answers;  /* {"STAGE group": answer or unclassified} */
	jv shown;    /* {group: {label: a section's text}} */
	char *group; /* whose segment is being read; NULL: none */
	jv files;    /* {path: true}; invalid: not given */
	jv speakers; /* {group: index of the analysis that was shown} */
	jv checked;  /* {group: its evidence}, once */
	bool rules;
	struct tally tally;
};

/* White space folded, for a comparison that a line's end does not decide. */
static void
fold(const char *text, size_t len, struct buf *b)
{
	bool space = true;

	buf_text(b, "");
	for (size_t i = 0; i < len; i++) {
		bool is_space = strchr(" \t\n\r", text[i]) != NULL && text[i] != '\0';
		if (!is_space)
			buf_byte(b, text[i]);
		else if (!space)
			buf_byte(b, ' ');
		space = is_space;
	}
	if (b->len > 0 && b->data[b->len - 1] == ' ')
		b->data[--b->len] = '\0';
}

/* The length of an ellipsis at p: one character, or three dots. */
static size_t
ellipsis(const char *p)
{
	return strncmp(p, "\xe2\x80\xa6", 3) == 0 || strncmp(p, "...", 3) == 0 ? 3 : 0;
}

/* Do the parts of the quote, which ellipses separate, stand in the text in this order? */
static bool
quoted(const char *quote, const char *text)
{
	bool any = false;

	while (*quote != '\0') {
		size_t len = 0;
		while (quote[len] != '\0' && ellipsis(quote + len) == 0)
			len++;
		const char *from = quote, *to = quote + len;
		while (from < to && *from == ' ')
			from++;
		while (to > from && to[-1] == ' ')
			to--;
		if (from < to) {
			char *part = prog_copy(from, (size_t)(to - from));
			const char *at = strstr(text, part);
			free(part);
			if (at == NULL)
				return false;
			text = at + (to - from);
			any = true;
		}
		quote += len + ellipsis(quote + len);
	}
	return any;
}

/* Does the quote stand in the text, white space aside? */
static bool
says(const char *text, size_t len, const char *quote)
{
	struct buf folded = {0}, asked = {0};

	fold(text, len, &folded);
	fold(quote, strlen(quote), &asked);
	bool yes = quoted(asked.data, folded.data);
	buf_free(&folded);
	buf_free(&asked);
	return yes;
}

/* The record of a section that begins with this ref: its line, and the indented ones below. */
static bool
record_of(const char *text, const char *ref, const char **at, size_t *len)
{
	size_t n = strlen(ref);

	for (const char *p = text; p != NULL && *p != '\0';) {
		const char *eol = strchr(p, '\n');
		if (strncmp(p, ref, n) == 0 && (p[n] == ' ' || p[n] == '\n' || p[n] == '\0')) {
			while (eol != NULL && eol[1] == ' ')
				eol = strchr(eol + 1, '\n');
			*at = p;
			*len = eol == NULL ? strlen(p) : (size_t)(eol - p);
			return true;
		}
		p = eol == NULL ? NULL : eol + 1;
	}
	return false;
}

/* field names a section that was shown, or a record in one. */
static bool
section_says(const struct work *w, const char *group, const char *field, const char *quote)
{
	jv shown = jvx_get(w->shown, group);
	bool yes = false;

	if (jv_get_kind(shown) == JV_KIND_OBJECT) {
		jv_object_foreach (shown, label, text) {
			const char *at = jv_string_value(text);
			size_t len = jvx_length(text);
			if (!yes && (strcmp(jv_string_value(label), field) == 0 ||
					record_of(at, field, &at, &len)))
				yes = says(at, len, quote);
			jv_free(label);
			jv_free(text);
		}
	}
	jv_free(shown);
	return yes;
}

static bool
is_shown(const struct work *w, jv analysis, const char *group, const char *field, const char *quote)
{
	struct buf text = {0};
	bool yes = analysis_field(analysis, field, &text) ? says(text.data, text.len, quote)
							  : section_says(w, group, field, quote);

	buf_free(&text);
	return yes;
}

/* The evidence of an answer, each quote marked with whether it is one. */
static jv
checked_evidence(struct work *w, const char *group, jv output)
{
	jv before = jvx_get(w->checked, group);
	if (jv_is_valid(before))
		return before;
	jv analysis = w->analyses[(size_t)jvx_number(w->speakers, group, 0)];
	jv list = jvx_get(output, "evidence"), made = jv_array();

	if (jv_get_kind(list) == JV_KIND_ARRAY) {
		jv_array_foreach (list, i, item) {
			const char *field = jvx_text(item, "field"),
				   *quote = jvx_text(item, "quote");
			bool ok = field != NULL && quote != NULL &&
				  is_shown(w, analysis, group, field, quote);
			w->tally.quotes++;
			w->tally.unmatched += !ok;
			made = jv_array_append(
			    made, jvx_set(jv_copy(item), "ok", ok ? jv_true() : jv_false()));
			jv_free(item);
		}
	}
	jv_free(list);
	w->checked = jv_object_set(w->checked, jv_string(group), jv_copy(made));
	return made;
}

/* A cause without the files that do not exist; these stand in dropped_files. */
static jv
checked_cause(struct work *w, jv output)
{
	jv list = jvx_get(output, "files"), kept = jv_array(), dropped = jv_array();

	if (jv_get_kind(list) == JV_KIND_ARRAY) {
		jv_array_foreach (list, i, file) {
			const char *path =
			    jv_get_kind(file) == JV_KIND_STRING ? jv_string_value(file) : "";
			if (strncmp(path, "./", 2) == 0)
				path += 2;
			if (jv_is_valid(w->files) && jvx_true(w->files, path))
				kept = jv_array_append(kept, jv_string(path));
			else
				dropped = jv_array_append(dropped, jv_copy(file));
			jv_free(file);
		}
	}
	jv_free(list);
	jv cause = jv_copy(output);
	if (!jv_is_valid(w->files)) {
		/* Without a list nothing is known to be missing. */
		jv_free(kept);
		jv_free(dropped);
		return cause;
	}
	cause = jv_object_set(cause, jv_string("files"), kept);
	return jv_object_set(cause, jv_string("dropped_files"), dropped);
}

static jv
answer_of(const struct work *w, const char *stage, const char *group)
{
	struct buf key = {0};

	buf_format(&key, "%s %s", stage, group);
	jv answer = jvx_get(w->answers, key.data);
	buf_free(&key);
	return answer;
}

static jv
output_of(const struct work *w, const char *stage, const char *group)
{
	jv answer = answer_of(w, stage, group), output = jvx_get(answer, "output");

	jv_free(answer);
	return output;
}

static jv
by_model(struct work *w, jv analysis, jv rec)
{
	static const char *const taken[] = {
	    "owner", "behaviour", "cause", "confidence", "reasoning", NULL};
	const char *group = analysis_group(analysis);
	jv answer = answer_of(w, "triage", group), output = jvx_get(answer, "output");

	if (jv_is_valid(output)) {
		for (size_t i = 0; taken[i] != NULL; i++)
			rec = jvx_set(rec, taken[i], jvx_get(output, taken[i]));
		rec = jvx_set(rec, "evidence", checked_evidence(w, group, output));
		rec = jvx_set_text(rec, "source", "model");
		rec = jvx_set_text(rec, "provenance", jvx_text(answer, "provenance"));
		jv cause = output_of(w, "root-cause", group);
		if (jv_is_valid(cause))
			rec = jvx_set(rec, "root_cause", checked_cause(w, cause));
		jv_free(cause);
		rec = jvx_set(rec, "fix", output_of(w, "fix", group));
	} else {
		const char *reason = jvx_text(answer, "reason");
		rec = jvx_set_text(rec, "reason", reason ? reason : "not_dispatched");
		rec = jvx_set_text(rec, "message", jvx_text(answer, "message"));
	}
	jv_free(output);
	jv_free(answer);
	return rec;
}

/* The likeliest of a distribution {name: p}: its name, borrowed, with its p. */
static const char *
likeliest(jv p, double *most)
{
	const char *best = NULL;

	*most = 0;
	if (jv_get_kind(p) != JV_KIND_OBJECT)
		return NULL;
	jv keys = jv_keys(jv_copy(p));
	jv_array_foreach (keys, i, key) {
		double here = jvx_number(p, jv_string_value(key), 0);
		if (here > *most) {
			*most = here;
			best = jv_string_value(key);
		}
		jv_free(key);
	}
	jv_free(keys);
	return best;
}

static jv
by_rules(jv analysis, jv rec)
{
	jv prior = jvx_get(analysis, "prior");
	jv owner_p = jvx_get(prior, "owner_p"), behaviour_p = jvx_get(prior, "behaviour_p");
	double p, q;
	const char *owner = likeliest(owner_p, &p), *behaviour = likeliest(behaviour_p, &q);

	rec = jvx_set_text(rec, "source", "rules");
	if (owner == NULL || strcmp(owner, "unknown") == 0) {
		rec = jvx_set_text(rec, "reason", "no_rule");
	} else {
		rec = jvx_set_text(rec, "owner", owner);
		rec = jvx_set_text(rec, "behaviour", behaviour ? behaviour : "unknown");
		rec = jvx_set_number(rec, "confidence", p);
		rec = jvx_set(rec, "rules", jvx_get(prior, "rule_ids"));
	}
	jv_free(owner_p);
	jv_free(behaviour_p);
	jv_free(prior);
	return rec;
}

static void
count(struct tally *t, jv verdict)
{
	const char *reason = jvx_text(verdict, "reason");

	t->selected++;
	if (reason == NULL) {
		t->classified++;
		return;
	}
	t->unclassified++;
	t->reasons = jvx_set_number(t->reasons, reason, jvx_number(t->reasons, reason, 0) + 1);
}

static jv
verdict_on(struct work *w, jv analysis)
{
	static const char *const kept[] = {"test_id", "project", "file", "line", "group", NULL};
	jv rec = jvx_set_text(jv_object(), "type", "triage");

	for (size_t i = 0; kept[i] != NULL; i++)
		rec = jvx_set(rec, kept[i], jvx_get(analysis, kept[i]));
	rec = w->rules ? by_rules(analysis, rec) : by_model(w, analysis, rec);
	count(&w->tally, rec);
	return rec;
}

static jv
summary(const struct work *w)
{
	const struct tally *t = &w->tally;
	jv rec = jvx_set_text(jv_object(), "type", "triage_summary");

	rec = jvx_set_text(rec, "mode", w->rules ? "rules" : "model");
	rec = jvx_set_number(rec, "selected", (double)t->selected);
	rec = jvx_set_number(rec, "classified", (double)t->classified);
	rec = jvx_set_number(rec, "unclassified", (double)t->unclassified);
	rec = jvx_set(rec, "reasons", jv_copy(t->reasons));
	if (w->rules)
		return rec;
	rec = jvx_set_number(rec, "calls", (double)t->calls);
	rec = jvx_set_number(rec, "quotes", (double)t->quotes);
	rec = jvx_set_number(rec, "quotes_unmatched", (double)t->unmatched);
	rec = jvx_set_number(rec, "input_tokens", t->input_tokens);
	rec = jvx_set_number(rec, "output_tokens", t->output_tokens);
	return jvx_set(rec, "prompts", jv_copy(t->prompts));
}

/* Answers come with the name of their group; which stage they are of, their prompt says. */
static void
keep_answer(struct work *w, jv answer, bool given)
{
	const char *name = jvx_text(answer, "name"), *prompt = jvx_text(answer, "prompt");
	struct buf key = {0};

	if (name == NULL)
		return;
	buf_format(&key, "%.*s %s", (int)(prompt ? strcspn(prompt, ".") : 6),
	    prompt ? prompt : "triage", name);
	jv before = jvx_get(w->answers, key.data);
	bool better = given || !jv_is_valid(before);
	/* The later stages pass the first one's answers on: each counts once. */
	bool again = given && jv_equal(jv_copy(before), jv_copy(answer));
	if (better && !again)
		w->answers = jv_object_set(w->answers, jv_string(key.data), jv_copy(answer));
	if (given && !again) {
		jv usage = jvx_get(answer, "usage");
		w->tally.calls++;
		w->tally.input_tokens += jvx_number(usage, "input_total", 0);
		w->tally.output_tokens += jvx_number(usage, "output_total", 0);
		w->tally.prompts = jvx_set_text(
		    w->tally.prompts, prompt ? prompt : "?", jvx_text(answer, "model"));
		jv_free(usage);
	}
	jv_free(before);
	buf_free(&key);
}

/* One test has one analysis: the later stages pass it on, too. */
static void
keep_analysis(struct work *w, jv analysis, jv *seen)
{
	const char *id = jvx_text(analysis, "test_id");

	if (id == NULL || jvx_true(*seen, id)) {
		jv_free(analysis);
		return;
	}
	*seen = jv_object_set(*seen, jv_string(id), jv_true());
	if (w->count == w->size) {
		w->size = w->size ? w->size * 2 : 64;
		w->analyses = prog_resize(w->analyses, w->size, sizeof *w->analyses);
	}
	w->analyses[w->count++] = analysis;
}

/* What a model was shown, less the frame: every line of it begins with a bar and a blank. */
static void
keep_section(struct work *w, jv section)
{
	const char *label = jvx_text(section, "label"), *text = jvx_text(section, "text");
	struct buf plain = {0};

	if (w->group == NULL || label == NULL || text == NULL)
		return;
	buf_text(&plain, "");
	for (const char *p = text; *p != '\0';) {
		size_t len = strcspn(p, "\n");
		if (strncmp(p, "| ", 2) == 0) {
			buf_add(&plain, p + 2, len - 2);
			buf_byte(&plain, '\n');
		}
		p += len + (p[len] == '\n');
	}
	jv labels = jvx_get(w->shown, w->group);
	if (!jv_is_valid(labels))
		labels = jv_object();
	labels = jvx_set_text(labels, label, plain.data);
	w->shown = jvx_set(w->shown, w->group, labels);
	buf_free(&plain);
}

/* Evidence ends here: it is in every segment, and nobody behind asks for it. */
static bool
is_evidence(const struct work *w, struct ndjson *in)
{
	return w->group != NULL && scan_member(ndjson_span(in), "ref").at != NULL;
}

static void
take(struct work *w, struct ndjson *in, jv *seen)
{
	if (ndjson_is(in, "analysis_header")) {
		jv_free(w->header);
		w->header = ndjson_value(in);
	} else if (ndjson_is(in, "analysis")) {
		keep_analysis(w, ndjson_value(in), seen);
	} else if (ndjson_is(in, "answer") || ndjson_is(in, "unclassified")) {
		jv rec = ndjson_value(in);
		keep_answer(w, rec, ndjson_is(in, "answer"));
		jv_free(rec);
	} else if (ndjson_is(in, "trace")) {
		free(w->group);
		w->group = scan_copy(scan_member(ndjson_span(in), "name"));
	} else if (ndjson_is(in, "section")) {
		jv rec = ndjson_value(in);
		keep_section(w, rec);
		jv_free(rec);
	} else if (!is_evidence(w, in)) {
		ndjson_pass(in, stdout);
	}
}

/* Paths, and the byte between them. */
static jv
paths_of(const struct buf *list, char end)
{
	jv files = jv_object();

	for (size_t at = 0; at < list->len;) {
		const char *stop = memchr(list->data + at, end, list->len - at);
		size_t len = stop ? (size_t)(stop - list->data) - at : list->len - at;
		if (len > 0)
			files = jv_object_set(
			    files, jv_string_sized(list->data + at, (int)len), jv_true());
		at += len + 1;
	}
	return files;
}

static jv
read_files(const char *path)
{
	struct buf text = {0};

	if (!buf_file(&text, path, LIST_MAX))
		err(TROUBLE, "%s", path);
	jv files = paths_of(&text, '\n');
	buf_free(&text);
	return files;
}

/* What git tracks below a folder; invalid where it knows nothing. */
static jv
tracked_files(const char *folder)
{
	char *args[] = {"ls-files", "-z", NULL};
	struct buf names = {0};
	jv files = jv_invalid();

	if (git_ask(folder, args, &names, LIST_MAX))
		files = paths_of(&names, '\0');
	buf_free(&names);
	return files;
}

static void
write_all(struct work *w)
{
	jv *verdicts = prog_alloc(w->count + 1, sizeof *verdicts);
	size_t n = 0;

	w->speakers = analysis_speakers(w->analyses, w->count);
	for (size_t i = 0; i < w->count; i++)
		if (analysis_selected(w->analyses[i]))
			verdicts[n++] = verdict_on(w, w->analyses[i]);
	if (n != w->tally.selected || w->tally.classified + w->tally.unclassified != n)
		errx(TROUBLE, "%zu selected, but %zu classified and %zu not", n,
		    w->tally.classified, w->tally.unclassified);
	if (jv_is_valid(w->header))
		ndjson_put(jv_copy(w->header), stdout);
	for (size_t i = 0; i < w->count; i++)
		ndjson_put(w->analyses[i], stdout);
	for (size_t i = 0; i < n; i++)
		ndjson_put(verdicts[i], stdout);
	ndjson_put(summary(w), stdout);
	jv_free(w->speakers);
	free(verdicts);
	free(w->analyses);
}

int
main(int argc, char *argv[])
{
	struct work w = {.header = jv_invalid(),
	    .answers = jv_object(),
	    .shown = jv_object(),
	    .files = jv_invalid(),
	    .checked = jv_object()};
	jv seen = jv_object();
	int ch;

	prog_start(argc, argv,
	    "triage-verdict [-r] [-C dir] [-f file] [record-file ...]\n"
	    "\n"
	    "Write a triage record for each failing or newly flaky test of test-analyse's "
	    "records:\n"
	    "the verdict of a model's answer for its group, or why there is none.\n"
	    "\n"
	    "  -C dir   a checkout: the files that git tracks there exist; what else an answer\n"
	    "           names is dropped from it, and listed\n"
	    "  -f file  the files that exist, a path a line\n"
	    "  -r       the rules' verdict, without a model\n"
	    "\n"
	    "  test-analyse a.ndjson | triage-verdict -r | triage-report");
	while ((ch = getopt(argc, argv, "C:f:r")) != -1) {
		switch (ch) {
		case 'C':
			jv_free(w.files);
			w.files = tracked_files(optarg);
			break;
		case 'f':
			jv_free(w.files);
			w.files = read_files(optarg);
			break;
		case 'r': w.rules = true; break;
		default: prog_usage();
		}
	}
	confine(&(struct confine){.files = argv + optind});
	w.tally.reasons = jv_object();
	w.tally.prompts = jv_object();
	struct ndjson *in = ndjson_open(argv + optind);
	while (ndjson_next(in))
		take(&w, in, &seen);
	write_all(&w);
	jv_free(w.header);
	jv_free(w.answers);
	jv_free(w.shown);
	free(w.group);
	jv_free(w.files);
	jv_free(w.checked);
	jv_free(w.tally.reasons);
	jv_free(w.tally.prompts);
	jv_free(seen);
	return ndjson_close(in, stdout) ? YES : TROUBLE;
}
