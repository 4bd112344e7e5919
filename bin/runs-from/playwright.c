/*
 * playwright: the JSON reporter, and what trace-events writes: a test file as a matrix of the steps
 * that its users named.
 *
 * A step inside a step is "outer > inner"; where steps are nested the deepest one that failed
 * counts, and an outer step is a state only where none of its inner ones explains it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "doc.h"
#include "draft.h"
#include "jvx.h"
#include "prog.h"

enum { NESTED = 64 };

/* An action of a trace, until its segment ends. */
struct action {
	char *id, *parent, *name;
	const char *status;
	bool step, inner; /* inner: another one is below it */
	bool failed_below;
};

struct state {
	struct out *out;
	char *trace;      /* name of the segment */
	struct draft run; /* of the segment */
	struct action *actions;
	size_t count, size;
	bool open;
};

static const char *
step_title(struct buf *path, size_t outer, struct span step)
{
	path->len = outer;
	if (outer > 0)
		buf_text(path, " > ");
	if (!scan_text(scan_member(step, "title"), path))
		buf_text(path, "unnamed");
	return path->data;
}

/* True when a step of the list failed, or one inside it. */
static bool
take_steps(struct draft *d, struct span list, struct buf *path, size_t depth)
{
	struct scan_each it = {0};
	size_t outer = path->len;
	bool any = false;

	while (scan_kind(list) == '[' && depth < NESTED && scan_each(&it, list)) {
		struct span inner = scan_member(it.value, "steps");
		struct scan_each look = {0};
		bool failed = doc_there(scan_member(it.value, "error"));
		bool nested = scan_kind(inner) == '[' && scan_each(&look, inner);
		step_title(path, outer, it.value);
		bool below = nested && take_steps(d, inner, path, depth + 1);
		if (!nested || (failed && !below)) {
			struct step s = {.name = path->data, .status = failed ? "fail" : "ok"};
			draft_step(d, &s);
		}
		any = any || failed || below;
		path->len = outer;
		path->data[outer] = '\0';
	}
	return any;
}

static void
set_outcome(struct draft *d, bool passed, struct span status)
{
	draft_oracle(d, "test", "outcome", passed, jv_invalid(), jv_invalid());
	draft_text(d, "terminal",
	    scan_is(status, "timedOut") || scan_is(status, "timed-out") ? "timeout"
	    : scan_is(status, "interrupted")                            ? "cancelled"
									: "final");
}

static void
take_result(struct state *s, struct span test, struct span result, const char *task, size_t n)
{
	struct draft d = draft_new();
	struct span status = scan_member(result, "status"),
		    wanted = scan_member(test, "expectedStatus");
	struct buf path = {0}, id = {0};
	char *want = scan_copy(wanted);
	double retry = scan_number(scan_member(result, "retry"), (double)n);

	buf_format(&id, "%s #%.0f", task, retry);
	draft_text(&d, "run_id", id.data);
	draft_text(&d, "task_id", task);
	draft_number(&d, "trial", retry);
	set_outcome(&d, scan_is(status, want ? want : "passed"), status);
	buf_text(&path, "");
	take_steps(&d, scan_member(result, "steps"), &path, 0);
	draft_put(&d, s->out);
	buf_free(&path);
	buf_free(&id);
	free(want);
}

static void
take_test(struct state *s, struct span test, const char *title)
{
	struct scan_each it = {0};
	struct span results = scan_member(test, "results");
	char *project = scan_copy(scan_member(test, "projectName"));
	struct buf task = {0};
	size_t n = 0;

	if (project != NULL && *project != '\0')
		buf_format(&task, "[%s] ", project);
	buf_text(&task, title);
	while (scan_kind(results) == '[' && scan_each(&it, results)) {
		if (scan_is(scan_member(it.value, "status"), "skipped"))
			out_unmapped(s->out, "tests that were skipped");
		else
			take_result(s, test, it.value, task.data, n);
		n++;
	}
	if (n == 0)
		out_unmapped(s->out, "tests without a result");
	buf_free(&task);
	free(project);
}

static void
take_spec(struct state *s, struct span spec, struct buf *titles)
{
	struct scan_each it = {0};
	size_t outer = titles->len;
	struct span tests = scan_member(spec, "tests");

	step_title(titles, outer, spec);
	while (scan_kind(tests) == '[' && scan_each(&it, tests))
		take_test(s, it.value, titles->data);
	titles->len = outer;
	titles->data[outer] = '\0';
}

static void
take_suite(struct state *s, struct span suite, struct buf *titles, size_t depth)
{
	struct scan_each it = {0};
	struct span specs = scan_member(suite, "specs"), suites = scan_member(suite, "suites");
	size_t outer = titles->len;

	if (depth == NESTED) {
		out_unmapped(s->out, "suites that are nested too deeply");
		return;
	}
	step_title(titles, outer, suite);
	while (scan_kind(specs) == '[' && scan_each(&it, specs))
		take_spec(s, it.value, titles);
	it = (struct scan_each){0};
	while (scan_kind(suites) == '[' && scan_each(&it, suites))
		take_suite(s, it.value, titles, depth + 1);
	titles->len = outer;
	titles->data[outer] = '\0';
}

static void
take_report(struct state *s, struct span report)
{
	struct scan_each it = {0};
	struct span suites = scan_member(report, "suites");
	struct buf titles = {0};

	buf_text(&titles, "");
	while (scan_each(&it, suites))
		take_suite(s, it.value, &titles, 0);
	buf_free(&titles);
}

static struct action *
by_id(struct state *s, const char *id)
{
	for (size_t i = s->count; i-- > 0 && id != NULL;)
		if (s->actions[i].id != NULL && strcmp(s->actions[i].id, id) == 0)
			return &s->actions[i];
	return NULL;
}

/* Setting up and clearing away, which every test has. */
static bool
is_setup(const char *name)
{
	static const char *const setup[] = {"browserType.launch", "browser.newContext",
	    "browser.close", "browserContext.newPage", "browserContext.close", "test.attach", NULL};

	for (size_t i = 0; setup[i] != NULL; i++)
		if (strcmp(name, setup[i]) == 0)
			return true;
	return strncmp(name, "hook", 4) == 0 || strncmp(name, "fixture", 7) == 0;
}

/* What the test did itself, or where it failed; what a hook of the user's does is the test's. */
static bool
is_own(struct state *s, const struct action *a)
{
	if (a->step || strcmp(a->status, "ok") != 0)
		return true;
	if (is_setup(a->name))
		return false;
	a = by_id(s, a->parent);
	for (int n = 0; a != NULL && n < NESTED; n++) {
		if (strncmp(a->name, "fixture", 7) == 0)
			return false;
		a = by_id(s, a->parent);
	}
	return true;
}

static void
link_actions(struct state *s, bool steps)
{
	for (size_t i = 0; i < s->count; i++) {
		struct action *a = &s->actions[i];
		bool counts = !steps || a->step;
		struct action *up = by_id(s, a->parent);
		for (int n = 0; counts && up != NULL && n < NESTED; n++) {
			up->inner = true;
			up->failed_below = up->failed_below || strcmp(a->status, "ok") != 0;
			up = by_id(s, up->parent);
		}
	}
}

static void
end_segment(struct state *s)
{
	bool steps = false;

	for (size_t i = 0; i < s->count; i++)
		steps = steps || s->actions[i].step;
	link_actions(s, steps);
	for (size_t i = 0; i < s->count && s->open; i++) {
		struct action *a = &s->actions[i];
		bool failed = strcmp(a->status, "ok") != 0;
		struct step step = {.name = a->name, .status = a->status};
		if ((steps && !a->step) || !is_own(s, a))
			continue;
		if (!a->inner || (failed && !a->failed_below))
			draft_step(&s->run, &step);
	}
	for (size_t i = 0; i < s->count; i++) {
		free(s->actions[i].id);
		free(s->actions[i].parent);
		free(s->actions[i].name);
	}
	if (s->open)
		draft_put(&s->run, s->out);
	s->count = 0;
	s->open = false;
	free(s->trace);
	s->trace = NULL;
}

static void
take_trace_test(struct state *s, struct span test)
{
	struct span status = scan_member(test, "status"), titles = scan_member(test, "titles");
	struct scan_each it = {0};
	struct buf task = {0};

	if (s->open) {
		out_unmapped(s->out, "tests after the first of a trace");
		return;
	}
	s->run = draft_new();
	s->open = true;
	char *file = scan_copy(scan_member(test, "file"));
	if (file != NULL)
		buf_text(&task, strrchr(file, '/') ? strrchr(file, '/') + 1 : file);
	free(file);
	while (scan_kind(titles) == '[' && scan_each(&it, titles)) {
		buf_text(&task, task.len > 0 ? " > " : "");
		scan_text(it.value, &task);
	}
	const char *trace = s->trace ? s->trace : "trace";
	draft_text(&s->run, "run_id", trace);
	draft_text(&s->run, "task_id", task.len > 0 ? task.data : trace);
	draft_text(&s->run, "trace", s->trace);
	draft_number(&s->run, "trial", scan_number(scan_member(test, "retry"), NAN));
	if (doc_there(status) && !scan_is(status, "unknown"))
		set_outcome(&s->run, scan_is(status, "passed"), status);
	buf_free(&task);
}

static void
take_action(struct state *s, struct span v)
{
	struct span status = scan_member(v, "status"), api = scan_member(v, "api");
	struct buf name = {0};

	if (s->count == s->size) {
		s->size = s->size ? s->size * 2 : 64;
		s->actions = prog_resize(s->actions, s->size, sizeof *s->actions);
	}
	struct action *a = &s->actions[s->count++];
	*a = (struct action){.step = scan_is(api, "test.step")};
	a->id = scan_copy(scan_member(v, "id"));
	a->parent = scan_copy(scan_member(v, "parent"));
	a->status = scan_is(status, "failed") ? "fail" : scan_is(status, "ok") ? "ok" : "open";
	if (a->step) {
		scan_text(scan_member(v, "title"), &name);
	} else {
		scan_text(api, &name);
		if (doc_there(scan_member(v, "locator")))
			buf_byte(&name, ' ');
		scan_text(scan_member(v, "locator"), &name);
	}
	if (name.len == 0)
		buf_text(&name, "unnamed");
	a->name = name.data;
}

static void
take(void *state, const struct doc *d)
{
	struct state *s = state;
	struct span type = scan_member(d->value, "type");

	if (scan_is(type, "trace")) {
		end_segment(s);
		s->trace = scan_copy(scan_member(d->value, "name"));
	} else if (scan_is(type, "test")) {
		take_trace_test(s, d->value);
	} else if (scan_is(type, "action")) {
		take_action(s, d->value);
	} else if (scan_kind(scan_member(d->value, "suites")) == '[') {
		take_report(s, d->value);
	} else if (scan_kind(type) != '"') {
		out_unmapped(s->out, "values that are no report of Playwright");
	}
}

static void
end(void *state)
{
	struct state *s = state;

	end_segment(s);
	free(s->actions);
}

static const char *const drop[] = {
    "attachments", "stdout", "stderr", "snippet", "stack", "log", "text", "config", NULL};
const struct adapter from_playwright = {"playwright", drop, sizeof(struct state), take, end};
