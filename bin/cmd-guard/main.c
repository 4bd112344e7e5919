/* cmd-guard: may this command be run?  And, with -x, run it, so that no shell ever sees it. */
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "confine.h"
#include "judge.h"
#include "lines.h"
#include "ndjson.h"
#include "prog.h"
#include "run.h"
#include "utf8.h"

enum { ROOTS_MOST = 64 };

static const char help[] =
    "cmd-guard [-nx] [-a table] [-r root] [file ...]\n"
    "       cmd-guard -l first[,last] file\n"
    "\n"
    "Reads command records and answers each with a decision record: allowed or not,\n"
    "as what, why, and at which byte.  What is not in the table is refused.\n"
    "\n"
    "  -a table  a YAML file that says what may be run, in place of the one built in;\n"
    "            \"agent\" is the one that ships for agents with a shell of their own\n"
    "  -n        print the table that is built in, and do nothing\n"
    "  -r root   a folder that commands may see, in place of the table's; repeatable\n"
    "  -x        run what is allowed, and add a result record\n"
    "  -l lines  print these lines of a file: what sed -n A,Bp becomes\n"
    "\n"
    "Example: echo '{\"type\":\"command\",\"command\":\"ls -l src\"}' | cmd-guard";

/* The words of a command record; NULL, or what is wrong with it. */
static const char *
read_words(jv command, struct words *w, size_t *at)
{
	size_t len;
	const char *text = jvx_bytes(command, "command", &len), *why = NULL;
	jv argv = jvx_get(command, "argv");

	if (text != NULL && jv_is_valid(argv))
		why = "both argv and command";
	else if (text != NULL)
		why = words_parse(w, text, len, at);
	else if (jv_get_kind(argv) != JV_KIND_ARRAY)
		why = "neither argv nor command";
	for (int i = 0; why == NULL && text == NULL && i < jv_array_length(jv_copy(argv)); i++) {
		jv item = jv_array_get(jv_copy(argv), i);
		if (jv_get_kind(item) != JV_KIND_STRING)
			why = "a word that is no string";
		else if (memchr(jv_string_value(item), '\0',
			     (size_t)jv_string_length_bytes(jv_copy(item))) != NULL)
			why = "a NUL in a word";
		else
			words_add(w, jv_string_value(item), strlen(jv_string_value(item)), 0);
		jv_free(item);
	}
	jv_free(argv);
	return why;
}

static jv
strings(const struct words *w)
{
	jv list = jv_array();

	for (size_t i = 0; i < w->count; i++)
		list = jv_array_append(list, jv_string(w->list[i].text));
	return list;
}

static jv
mended(const struct buf *b)
{
	struct buf text = {0};

	utf8_mend(&text, b->data ? b->data : "", b->len);
	jv string = jv_string_sized(text.data ? text.data : "", (int)text.len);
	buf_free(&text);
	return string;
}

/* A record about the command: it has the command's own id, and its ref. */
static jv
about(jv command, const char *type)
{
	jv rec = jvx_set_text(jv_object(), "type", type);

	rec = jvx_set(rec, "id", jvx_get(command, "id"));
	return jvx_set(rec, "command", jvx_get(command, "ref"));
}

static void
put_result(jv command, const struct verdict *v, const struct table *t, const struct roots *roots)
{
	static const char *const limits[] = {[RUN_TIME] = "time", [RUN_OUTPUT] = "output"};
	struct run_result result;
	jv rec = about(command, "result");

	fflush(stdout);
	const char *why = run(&result, v, t, roots);
	if (why != NULL) {
		rec = jvx_set_text(rec, "why", why);
	} else {
		rec = jvx_set_number(rec, "status", result.status);
		rec = jvx_set(rec, "stdout", mended(&result.out));
		rec = jvx_set(rec, "stderr", mended(&result.err));
		if (result.limit != RUN_NONE)
			rec = jvx_set_text(rec, "limit", limits[result.limit]);
	}
	run_result_free(&result);
	ndjson_put(rec, stdout);
}

/* Answer one command; true when it is allowed. */
static bool
answer(jv command, const struct table *t, const struct roots *roots, bool do_run)
{
	struct words w = {0};
	struct verdict v = {0};
	size_t at = 0;
	jv rec = about(command, "decision");
	const char *why = read_words(command, &w, &at);

	if (why == NULL) {
		judge(&v, t, roots, &w);
		why = v.why;
		if (!v.allowed && jvx_text(command, "command") != NULL && v.word < w.count)
			at = w.list[v.word].at + v.byte +
			     (jvx_text(command, "command")[w.list[v.word].at] == '\'');
		else if (!v.allowed)
			rec = jvx_set_number(rec, "word", (double)v.word);
		if (!v.allowed && jvx_text(command, "command") == NULL)
			at = v.byte;
	}
	rec = jvx_set(rec, "allowed", v.allowed ? jv_true() : jv_false());
	rec = jvx_set_text(rec, "why", why);
	if (v.allowed)
		rec = jvx_set(rec, "argv", strings(&v.argv));
	else
		rec = jvx_set_number(rec, "at", (double)at);
	ndjson_put(rec, stdout);
	bool allowed = v.allowed;
	if (allowed && do_run)
		put_result(command, &v, t, roots);
	verdict_free(&v);
	words_free(&w);
	return allowed;
}

/* The table that counts: a file, one that ships with the suite, or the one built in; NULL: told. */
static struct table *
find_table(const char *name)
{
	struct buf shipped = {0};

	if (name == NULL)
		return table_text("built-in table", table_built_in, strlen(table_built_in));
	buf_format(&shipped, "prompts/%s.yaml", name);
	char *path =
	    strchr(name, '/') == NULL && strchr(name, '.') == NULL ? prog_data(shipped.data) : NULL;
	struct table *t = table_file(path ? path : name);
	free(path);
	buf_free(&shipped);
	return t;
}

/* -l: lines first to last of a file. */
static int
print_lines(const char *range, char *files[])
{
	char *end;
	unsigned long first = strtoul(range, &end, 10), last = first;
	bool good = end != range && range[0] >= '1' && range[0] <= '9';

	if (good && *end == ',') {
		range = end + 1;
		last = strtoul(range, &end, 10);
		good = end != range && range[0] >= '0' && range[0] <= '9';
	}
	if (!good || *end != '\0' || files[0] == NULL || files[1] != NULL)
		prog_usage();
	confine(&(struct confine){.files = files});
	struct lines *in = lines_open(files);
	/* As sed has it, a last line before the first means the first alone. */
	while (lines_next(in) && (in->number <= last || in->number <= first)) {
		if (in->number < first)
			continue;
		if (fwrite(in->line, 1, in->len, stdout) != in->len ||
		    (in->ended && putchar('\n') == EOF))
			err(TROUBLE, "write");
	}
	if (fflush(stdout) != 0)
		err(TROUBLE, "write");
	return lines_close(in) ? YES : TROUBLE;
}

static int
guard(char *files[], const struct table *t, char *const *folders, bool do_run)
{
	struct roots *roots = roots_open(folders, t->dots);
	if (do_run)
		run_confine(files, roots);
	else
		confine(&(struct confine){.files = files});
	struct ndjson *in = ndjson_open(files);
	bool all = true;

	while (ndjson_next(in)) {
		ndjson_pass(in, stdout);
		if (!ndjson_is(in, "command"))
			continue;
		jv command = ndjson_value(in);
		all = answer(command, t, roots, do_run) && all;
		jv_free(command);
	}
	roots_close(roots);
	if (!ndjson_close(in, stdout))
		return TROUBLE;
	return all ? YES : NO;
}

int
main(int argc, char *argv[])
{
	static char *none[] = {NULL};
	const char *table = NULL, *lines = NULL;
	char *folders[ROOTS_MOST + 1] = {NULL};
	size_t folder_count = 0;
	bool do_run = false, show = false;
	int ch;

	prog_start(argc, argv, help);
	while ((ch = getopt(argc, argv, "a:l:nr:x")) != -1) {
		switch (ch) {
		case 'a': table = optarg; break;
		case 'l': lines = optarg; break;
		case 'n': show = true; break;
		case 'r':
			if (folder_count == ROOTS_MOST)
				errx(TROUBLE, "-r: more than %d", ROOTS_MOST);
			if (access(optarg, X_OK) != 0)
				err(TROUBLE, "-r %s", optarg);
			folders[folder_count++] = optarg;
			break;
		case 'x': do_run = true; break;
		default: prog_usage();
		}
	}
	if (lines != NULL)
		return print_lines(lines, argv + optind);
	if (show) {
		if (fputs(table_built_in, stdout) == EOF || fflush(stdout) != 0)
			err(TROUBLE, "write");
		return YES;
	}
	struct table *t = find_table(table);
	if (t == NULL)
		return TROUBLE;
	char *const *roots = folder_count > 0 ? folders : t->roots ? t->roots : none;
	int status = guard(argv + optind, t, roots, do_run);
	table_free(t);
	return status;
}
