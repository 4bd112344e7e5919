/* triage-cases: labelled failures as records: what was known of each, and whose it was. */
#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "confine.h"
#include "digest.h"
#include "ndjson.h"
#include "prog.h"
#include "yamlx.h"

enum { CASE_MAX = 1 << 20 };

static const char help[] =
    "triage-cases [-l] [-s slice] [-x member]... [case.yaml ...]\n"
    "\n"
    "Reads labelled failures, one YAML file each, and writes for each a triage_label record\n"
    "and the analysis record that test-analyse completes.\n"
    "  -l         print the rubric by which failures are labelled, and nothing else\n"
    "  -s slice   dev or held-out only; which a case is in, its name decides\n"
    "  -x member  leave this member out of the analysis: history, diff, test_source, ...\n"
    "\n"
    "  triage-cases golden/triage/*.yaml | test-analyse | triage-verdict -r | triage-eval -t";

struct work {
	const char *slice;        /* NULL: both */
	const char *const *leave; /* members, ends with NULL */
	bool trouble;
};

/* The name of a case: its file's, without folders and ending; yours to free. */
static char *
name_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t len = strlen(name);

	if (len > 5 && strcmp(name + len - 5, ".yaml") == 0)
		len -= 5;
	return prog_copy(name, len);
}

/* One in five is held out: the first 32 bits of the name's SHA-256 are below a fifth of all. */
static const char *
slice_of(const char *name)
{
	char hex[65];

	digest_sha256(name, strlen(name), hex);
	hex[8] = '\0';
	return (double)strtoul(hex, NULL, 16) / 4294967296.0 < .20 ? "held-out" : "dev";
}

static bool
is_one_of(const char *text, const char *const list[])
{
	for (size_t i = 0; text != NULL && list[i] != NULL; i++)
		if (strcmp(text, list[i]) == 0)
			return true;
	return false;
}

/* What is wrong with a case, or NULL. */
static const char *
wrong(jv c)
{
	static const char *const owners[] = {
	    "app_code", "test_code", "environment", "data", "unknown", NULL};
	static const char *const behaviours[] = {"deterministic", "intermittent", "unknown", NULL};
	jv label = jvx_get(c, "label"), analysis = jvx_get(c, "analysis");
	const char *folded = jvx_text(label, "folds_to"), *why = NULL;

	if (jv_get_kind(analysis) != JV_KIND_OBJECT)
		why = "analysis is not a mapping";
	else if (!is_one_of(jvx_text(label, "owner"), owners))
		why = "label.owner is none of the rubric's";
	else if (!is_one_of(jvx_text(label, "behaviour"), behaviours))
		why = "label.behaviour is none of the rubric's";
	else if (folded != NULL && !is_one_of(folded, owners))
		why = "label.folds_to is no owner";
	else if (jvx_text(c, "why") == NULL)
		why = "no why";
	jv_free(label);
	jv_free(analysis);
	return why;
}

static void
put_label(jv c, const char *name, const char *slice, const char *sha256)
{
	static const char *const kept[] = {"owner", "folds_to", "behaviour", "cause", NULL};
	jv label = jvx_get(c, "label"), rec = jvx_set_text(jv_object(), "type", "triage_label");

	for (size_t i = 0; kept[i] != NULL; i++)
		rec = jvx_set(rec, kept[i], jvx_get(label, kept[i]));
	rec = jvx_set_text(rec, "case", name);
	rec = jvx_set_text(rec, "case_sha256", sha256);
	rec = jvx_set_text(rec, "slice", slice);
	rec = jvx_set(rec, "why", jvx_get(c, "why"));
	ndjson_put(rec, stdout);
	jv_free(label);
}

/* Cases are no run: each is a group of its own, unless its file says how many failed with it. */
static void
put_analysis(const struct work *w, jv c, const char *name)
{
	jv rec = jvx_get(c, "analysis"), group = jvx_get(rec, "group");

	for (size_t i = 0; w->leave[i] != NULL; i++)
		rec = jv_object_delete(rec, jv_string(w->leave[i]));
	if (!jv_is_valid(group)) {
		group = jvx_set_number(jv_object(), "size", 1);
		group = jvx_set_number(group, "rank", 1);
	}
	rec = jvx_set(rec, "group", jvx_set_text(group, "id", name));
	rec = jvx_set_text(rec, "test_id", name);
	ndjson_put(jvx_set_text(rec, "type", "analysis"), stdout);
}

static void
one(struct work *w, const char *path)
{
	struct buf text = {0};
	struct yamlx_error error;
	char sha256[65];

	if (!buf_file(&text, path, CASE_MAX)) {
		warn("%s", path);
		w->trouble = true;
		buf_free(&text);
		return;
	}
	char *name = name_of(path);
	const char *slice = slice_of(name), *why = NULL;
	digest_sha256(text.data, text.len, sha256);
	jv c = yamlx_parse(text.data, text.len, &error);
	if (!jv_is_valid(c))
		warnx("%s: line %zu: %s", path, error.line, error.why);
	else if ((why = wrong(c)) != NULL)
		warnx("%s: %s", path, why);
	if (!jv_is_valid(c) || why != NULL) {
		w->trouble = true;
	} else if (w->slice == NULL || strcmp(w->slice, slice) == 0) {
		put_label(c, name, slice, sha256);
		put_analysis(w, c, name);
	}
	jv_free(c);
	free(name);
	buf_free(&text);
}

static int
print_rubric(void)
{
	struct buf text = {0};
	char *path = prog_data("prompts/rubric.triage.v1.md");

	if (path == NULL || !buf_file(&text, path, CASE_MAX))
		err(TROUBLE, "prompts/rubric.triage.v1.md");
	fwrite(text.data, 1, text.len, stdout);
	free(path);
	buf_free(&text);
	if (fflush(stdout) != 0 || ferror(stdout))
		err(TROUBLE, "standard output");
	return YES;
}

int
main(int argc, char *argv[])
{
	const char *leave[33] = {NULL};
	struct work w = {.leave = leave};
	size_t left = 0;
	bool rubric = false;
	int ch;

	prog_start(argc, argv, help);
	while ((ch = getopt(argc, argv, "ls:x:")) != -1) {
		switch (ch) {
		case 'l': rubric = true; break;
		case 's':
			if (strcmp(optarg, "dev") != 0 && strcmp(optarg, "held-out") != 0)
				errx(TROUBLE, "-s %s: not dev or held-out", optarg);
			w.slice = optarg;
			break;
		case 'x':
			if (left == 32)
				errx(TROUBLE, "-x: more than 32 members");
			leave[left++] = optarg;
			break;
		default: prog_usage();
		}
	}
	if (rubric)
		return print_rubric();
	if (optind == argc)
		prog_usage();
	confine(&(struct confine){.files = argv + optind});
	for (int i = optind; i < argc; i++)
		one(&w, argv[i]);
	if (fflush(stdout) != 0 || ferror(stdout))
		err(TROUBLE, "standard output");
	return w.trouble ? TROUBLE : YES;
}
