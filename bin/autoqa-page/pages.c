#include "pages.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ask.h"
#include "digest.h"
#include "jvx.h"
#include "markup.h"
#include "page.h"
#include "prog.h"
#include "scenario.h"

enum { REPORT_MOST = 32 << 20, STEPS_MOST = 10000, TURNS_MOST = 50 };

/* An id is a name of ours: it becomes a folder, and goes into addresses as it is. */
static bool
is_id(const char *text)
{
	size_t len =
	    strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-");

	return len > 0 && len <= 100 && text[len] == '\0' && text[0] != '.' && text[0] != '-';
}

static bool
is_number(const char *text)
{
	size_t len = strspn(text, "0123456789");

	return len > 0 && len <= 9 && text[len] == '\0';
}

static void
member(struct buf *b, const char *before, jv rec, const char *name, const char *after)
{
	const char *text = jvx_text(rec, name);

	if (text == NULL)
		return;
	buf_text(b, before);
	markup_text(b, text);
	buf_text(b, after);
}

static void
complaint(struct buf *b, const char *what, char *error)
{
	if (error == NULL)
		return;
	buf_format(b, "<p class=fail>%s: ", what);
	markup_text(b, error);
	buf_text(b, "</p>\n");
	free(error);
}

static void
begin(const struct place *p, struct buf *b, const char *title)
{
	page_begin(b, "autoqa");
	buf_format(b, "<p class=meta><a href=\"%s\">All agents</a></p>\n<h1>", p->base);
	markup_text(b, title);
	buf_text(b, "</h1>\n");
}

static jv
agents(const struct place *p, char **error)
{
	char *argv[] = {"agent-run", "-n", "-A", (char *)(uintptr_t)p->agents, NULL};
	jv none = jv_array(), list = ask(argv, none, error);

	jv_free(none);
	return list;
}

static int
home(const struct place *p, struct buf *b)
{
	char *error;
	jv list = agents(p, &error);

	begin(p, b, "Agents");
	complaint(b, "Not every agent could be read", error);
	buf_text(
	    b, "<div class=wide><table><tr><th>agent<th>how it is reached<th>what it is<th>\n");
	jv_array_foreach (list, i, rec) {
		const char *id = jvx_text(rec, "id");
		if (id != NULL && is_id(id)) {
			buf_format(b, "<tr><td class=name><a href=\"%s/agent?agent=%s\">%s</a><td>",
			    p->base, id, id);
			member(b, "", rec, "kind", "");
			buf_text(b, "<td>");
			member(b, "", rec, "description", "");
			buf_format(
			    b, "<td><a href=\"%s/play?agent=%s\">talk to it</a>\n", p->base, id);
		}
		jv_free(rec);
	}
	buf_text(b, "</table></div>\n");
	page_end(b);
	jv_free(list);
	return 200;
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names in a folder of the data that end so, sorted; yours to free, each and all. */
static char **
names_in(const char *folder, const char *end, size_t *count)
{
	DIR *d = opendir(folder);
	char **names = NULL;

	*count = 0;
	for (struct dirent *e; d != NULL && (e = readdir(d)) != NULL && *count < STEPS_MOST;) {
		size_t len = strlen(e->d_name), tail = strlen(end);
		if (e->d_name[0] == '.' || len < tail || strcmp(e->d_name + len - tail, end) != 0)
			continue;
		names = prog_resize(names, *count + 1, sizeof *names);
		names[(*count)++] = prog_copy(e->d_name, len);
	}
	if (d != NULL)
		closedir(d);
	if (*count > 0)
		qsort(names, *count, sizeof *names, by_text);
	return names;
}

static void
say_runs(const struct place *p, const char *id, struct buf *b)
{
	struct buf folder = {0};
	size_t count;

	buf_format(&folder, "%s/%s/runs", p->data, id);
	char **names = names_in(folder.data, "", &count);
	buf_text(b, "<h2>Runs</h2>\n<ul>\n");
	for (size_t i = count; i-- > 0;) {
		if (is_number(names[i]))
			buf_format(b, "<li><a href=\"%s/run?agent=%s&amp;run=%s\">run %s</a>\n",
			    p->base, id, names[i], names[i]);
		free(names[i]);
	}
	buf_text(b, count > 0 ? "</ul>\n" : "</ul>\n<p>None yet: autoqa makes them.</p>\n");
	free(names);
	buf_free(&folder);
}

/* A row up to its numbers; each cell is there, whatever the record lacks. */
static void
known_row(jv rec, const char *id, const char *standing, struct buf *b)
{
	buf_text(b, "<tr><td class=name>");
	member(b, "", rec, "title", " ");
	if (id != NULL)
		member(b, "<small>", rec, id, "</small>");
	buf_text(b, "<td>");
	markup_text(b, standing != NULL ? standing : "");
	buf_text(b, "<td>");
	member(b, "", rec, "severity", "");
}

static void
say_known(const struct place *p, const char *id, struct buf *b)
{
	char *argv[] = {"corpus", "-l", "-n", "-a", (char *)(uintptr_t)id, "-d",
	    (char *)(uintptr_t)p->data, NULL};
	char *error;
	jv none = jv_array(), list = ask(argv, none, &error), tried = jv_object();

	jv_free(none);
	buf_text(b, "<h2>What is known</h2>\n");
	complaint(b, "The corpus could not be read", error);
	buf_text(b, "<div class=wide><table><tr><th>scenario or cluster<th>standing<th>severity"
		    "<th class=n>failed<th class=n>of\n");
	jv_array_foreach (list, i, rec) {
		const char *type = jvx_text(rec, "type"), *name;
		if (type != NULL && strcmp(type, "known") == 0) {
			if ((name = jvx_text(rec, "scenario")) != NULL)
				tried = jv_object_set(tried, jv_string(name), jv_true());
			known_row(rec, "scenario", jvx_text(rec, "status"), b);
			buf_format(b, "<td class=n>%.0f<td class=n>%.0f\n",
			    jvx_number(rec, "fails", 0), jvx_number(rec, "trials", 0));
		} else if (type != NULL && strcmp(type, "cluster") == 0) {
			known_row(rec, NULL, "cluster", b);
			buf_format(b, "<td class=n>%.0f<td>\n", jvx_number(rec, "n", 0));
		} else if (type != NULL && strcmp(type, "scenario") == 0) {
			name = jvx_text(rec, "id");
			if (name != NULL && !jv_object_has(jv_copy(tried), jv_string(name))) {
				known_row(rec, "id", "not tried yet", b);
				buf_text(b, "<td><td>\n");
			}
		}
		jv_free(rec);
	}
	buf_text(b, "</table></div>\n");
	jv_free(tried);
	jv_free(list);
}

static int
agent(const struct place *p, const char *id, struct buf *b)
{
	begin(p, b, id);
	buf_format(b, "<p><a href=\"%s/play?agent=%s\">Talk to it</a></p>\n", p->base, id);
	say_runs(p, id, b);
	say_known(p, id, b);
	page_end(b);
	return 200;
}

/* A run that goes on: its steps so far; the page asks again by itself. */
static void
say_steps(const char *folder, struct buf *b)
{
	size_t count;
	char **names = names_in(folder, ".ndjson", &count);

	buf_text(b, "<p>It goes on; this page looks again every two seconds.</p>\n"
		    "<div class=wide><table><tr><th>step<th class=n>bytes\n");
	for (size_t i = 0; i < count; i++) {
		struct buf path = {0};
		struct stat st = {0};
		buf_format(&path, "%s/%s", folder, names[i]);
		if (lstat(path.data, &st) == 0) {
			buf_text(b, "<tr><td class=name>");
			markup_text(b, names[i]);
			buf_format(b, "<td class=n>%lld\n", (long long)st.st_size);
		}
		buf_free(&path);
		free(names[i]);
	}
	buf_text(b, "</table></div>\n");
	free(names);
}

/* autoqa-report wrote its page for eyes like these; only the way back is ours. */
static void
put_report(const struct place *p, const char *id, const struct buf *report, struct buf *b)
{
	static const char body[] = "<body>\n";
	const char *at = strstr(report->data, body);
	size_t head = at == NULL ? 0 : (size_t)(at - report->data) + sizeof body - 1;

	buf_add(b, report->data, head);
	if (head > 0)
		buf_format(b,
		    "<p class=meta><a href=\"%s\">All agents</a> "
		    "<a href=\"%s/agent?agent=%s\">%s</a></p>\n",
		    p->base, p->base, id, id);
	buf_add(b, report->data + head, report->len - head);
}

static int
run(const struct place *p, const char *id, const char *number, struct buf *b)
{
	struct buf folder = {0}, path = {0}, report = {0};
	struct stat st;
	int status = 200;

	buf_format(&folder, "%s/%s/runs/%s", p->data, id, number);
	buf_format(&path, "%s/report.html", folder.data);
	if (stat(folder.data, &st) != 0) {
		status = 404;
	} else if (buf_file(&report, path.data, REPORT_MOST) && report.len > 0) {
		put_report(p, id, &report, b);
	} else {
		begin(p, b, id);
		buf_text(b, "<meta http-equiv=refresh content=2>\n");
		say_steps(folder.data, b);
		page_end(b);
	}
	buf_free(&folder);
	buf_free(&path);
	buf_free(&report);
	return status;
}

static void
form_begin(const struct place *p, const struct request *r, const char *to, const char *id,
    const char *turns, struct buf *b)
{
	buf_format(b,
	    "<form method=post action=\"%s/%s\">\n<input type=hidden name=form value=%s>\n"
	    "<input type=hidden name=agent value=\"%s\">\n<input type=hidden name=turns value=\"",
	    p->base, to, r->form, id);
	markup_text(b, turns);
	buf_text(b, "\">\n");
}

static void
say_calls(jv turn, struct buf *b)
{
	jv calls = jvx_get(turn, "tool_calls");

	if (jv_get_kind(calls) == JV_KIND_ARRAY) {
		jv_array_foreach (calls, i, call) {
			struct buf arguments = {0};
			jv args = jvx_get(call, "arguments");
			member(b, "<dd>calls <b>", call, "name", "</b> ");
			if (jv_is_valid(args)) {
				jvx_write(args, &arguments);
				buf_text(b, "<code>");
				markup_add(b, arguments.data, arguments.len);
				buf_text(b, "</code>");
			}
			buf_text(b, "\n");
			buf_free(&arguments);
			jv_free(args);
			jv_free(call);
		}
	}
	jv_free(calls);
}

static void
say_transcript(jv rec, struct buf *b)
{
	jv turns = jvx_get(rec, "turns");
	double cost = jvx_number(rec, "cost_usd", NAN);

	buf_text(b, "<dl class=talk>\n");
	if (jv_get_kind(turns) == JV_KIND_ARRAY) {
		jv_array_foreach (turns, i, turn) {
			double ms = jvx_number(turn, "latency_ms", NAN);
			member(b, "<dt>", turn, "user", "\n");
			say_calls(turn, b);
			member(b, "<dd class=reply>", turn, "reply", "\n");
			member(b, "<dd class=fail>", turn, "error", "\n");
			if (!isnan(ms))
				buf_format(b, "<dd class=meta>%.0f ms\n", ms);
			jv_free(turn);
		}
	}
	buf_text(b, "</dl>\n");
	member(b, "<p class=fail>", rec, "reason", ": ");
	member(b, "", rec, "error", "</p>\n");
	if (!isnan(cost))
		buf_format(b, "<p class=meta>%.4f dollars</p>\n", cost);
	jv_free(turns);
}

/* The user's turns so far, of a form: an array of strings, or an empty one. */
static jv
turns_of(const struct request *r)
{
	const char *text = request_field(r, "turns");
	struct scan_error error;
	jv turns = jvx_parse(text, strlen(text), &error), good = jv_array();

	if (jv_get_kind(turns) == JV_KIND_ARRAY) {
		jv_array_foreach (turns, i, turn) {
			if (jv_get_kind(turn) == JV_KIND_STRING && i < TURNS_MOST)
				good = jv_array_append(good, jv_copy(turn));
			jv_free(turn);
		}
	}
	jv_free(turns);
	return good;
}

static jv
scenario_of(jv turns, const char *id, const char *title)
{
	jv rec = jvx_set_text(jv_object(), "type", "scenario");

	rec = jvx_set_text(jvx_set_text(rec, "id", id), "title", title);
	return jvx_set(rec, "turns", jv_copy(turns));
}

static void
talk(const struct place *p, const char *id, jv turns, struct buf *b)
{
	char *argv[] = {
	    "agent-run", "-A", (char *)(uintptr_t)p->agents, "-a", (char *)(uintptr_t)id, NULL};
	char *error;
	jv list = jv_array_append(jv_array(), scenario_of(turns, "playground", "Playground"));
	jv said = ask(argv, list, &error);

	complaint(b, "The agent", error);
	jv_array_foreach (said, i, rec) {
		const char *type = jvx_text(rec, "type");
		if (type != NULL && strcmp(type, "transcript") == 0)
			say_transcript(rec, b);
		jv_free(rec);
	}
	jv_free(said);
	jv_free(list);
}

static void
say_save(const struct place *p, const struct request *r, const char *id, const char *turns,
    struct buf *b)
{
	static const char *const kinds[] = {
	    "contains", "notContains", "matches", "toolCalled", "toolNotCalled", "noError", NULL};

	buf_text(b, "<h2>Save as scenario</h2>\n");
	form_begin(p, r, "save", id, turns, b);
	buf_text(b, "<p><label>Title <input name=title required maxlength=200></label></p>\n"
		    "<p><label>It must hold <select name=kind>");
	for (size_t i = 0; kinds[i] != NULL; i++)
		buf_format(b, "<option>%s", kinds[i]);
	buf_text(b, "</select></label> <label>value <input name=value></label></p>\n"
		    "<p><label>Severity <select name=severity><option>low<option selected>medium"
		    "<option>high<option>critical</select></label></p>\n"
		    "<p><button>Save as scenario</button></p>\n</form>\n");
}

static int
play(const struct place *p, const struct request *r, const char *id, struct buf *b)
{
	jv turns = turns_of(r);
	struct buf json = {0};
	const char *text = request_field(r, "text");

	if (r->post && *text != '\0')
		turns = jv_array_append(turns, jv_string(text));
	jvx_write(turns, &json);
	begin(p, b, id);
	if (r->post && jv_array_length(jv_copy(turns)) > 0)
		talk(p, id, turns, b);
	form_begin(p, r, "play", id, json.data, b);
	buf_text(b, "<p><label>Say something<br><textarea name=text rows=3 required "
		    "autofocus></textarea></label></p>\n<p><button>Send</button></p>\n</form>\n");
	if (jv_array_length(jv_copy(turns)) > 0)
		say_save(p, r, id, json.data, b);
	page_end(b);
	buf_free(&json);
	jv_free(turns);
	return 200;
}

static jv
expected(const struct request *r)
{
	const char *kind = request_field(r, "kind"), *value = request_field(r, "value");
	jv rec = jvx_set_text(jv_object(), "kind", kind);

	if (strncmp(kind, "tool", 4) == 0)
		rec = jvx_set(rec, "value", jvx_set_text(jv_object(), "name", value));
	else if (strcmp(kind, "noError") != 0)
		rec = jvx_set_text(rec, "value", value);
	return jv_array_append(jv_array(), rec);
}

/* The id is of the words: the same conversation saved twice is one scenario. */
static int
save(const struct place *p, const struct request *r, const char *id, struct buf *b, struct buf *to)
{
	char *argv[] = {
	    "corpus", "-s", "-a", (char *)(uintptr_t)id, "-d", (char *)(uintptr_t)p->data, NULL};
	char why[200], sum[65], name[32], *error = NULL;
	jv turns = turns_of(r);
	struct buf json = {0};

	jvx_write(turns, &json);
	digest_sha256(json.data, json.len, sum);
	snprintf(name, sizeof name, "play-%.12s", sum);
	jv rec = scenario_of(turns, name, request_field(r, "title"));
	rec = jvx_set(rec, "expect", expected(r));
	rec = jvx_set(rec, "tags", jv_array_append(jv_array(), jv_string("playground")));
	rec = jvx_set_text(rec, "severity", request_field(r, "severity"));
	rec = jvx_set_text(rec, "origin", "seed");
	if (scenario_check(rec, why, sizeof why)) {
		jv list = jv_array_append(jv_array(), rec);
		jv_free(ask(argv, list, &error));
		jv_free(list);
	} else {
		error = prog_copy(why, strlen(why));
		jv_free(rec);
	}
	jv_free(turns);
	buf_free(&json);
	if (error == NULL) {
		buf_format(to, "%s/agent?agent=%s", p->base, id);
		return 303;
	}
	begin(p, b, id);
	complaint(b, "It was not saved", error);
	page_end(b);
	return 400;
}

int
pages_answer(const struct place *p, const struct request *r, struct buf *page, struct buf *to)
{
	const char *id = request_field(r, "agent"), *number = request_field(r, "run");

	if (strcmp(r->path, "") == 0 || strcmp(r->path, "/") == 0)
		return home(p, page);
	if (!is_id(id))
		return 404;
	if (strcmp(r->path, "/agent") == 0)
		return agent(p, id, page);
	if (strcmp(r->path, "/run") == 0 && is_number(number))
		return run(p, id, number, page);
	if (strcmp(r->path, "/play") == 0)
		return play(p, r, id, page);
	if (strcmp(r->path, "/save") == 0 && r->post)
		return save(p, r, id, page, to);
	return 404;
}
