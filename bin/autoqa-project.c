/* autoqa-project: what an autoqa.yaml says, as lines that a shell can read. */
#include <err.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "confine.h"
#include "jvx.h"
#include "prog.h"
#include "yamlx.h"

static const char help[] =
    "autoqa-project file\n"
    "\n"
    "Checks a project file of autoqa(1) and writes it as lines NAME=VALUE, names\n"
    "of files made absolute.\n"
    "\n"
    "  $ autoqa-project autoqa.yaml";

enum kind { PATH, MODEL, MODE, NUMBER, WHOLE };

static const struct {
	const char *group, *name, *shell;
	enum kind kind;
} members[] = {
    {NULL, "agents", "agents", PATH},
    {NULL, "data", "data", PATH},
    {NULL, "seed", "seed", WHOLE},
    {NULL, "jobs", "jobs", WHOLE},
    {NULL, "confirm", "confirm", WHOLE},
    {"judge", "model", "judge_model", MODEL},
    {"judge", "mode", "judge_mode", MODE},
    {"judge", "cassettes", "judge_cassettes", PATH},
    {"judge", "prompt", "judge_prompt", PATH},
    {"explorer", "model", "explorer_model", MODEL},
    {"explorer", "mode", "explorer_mode", MODE},
    {"explorer", "cassettes", "explorer_cassettes", PATH},
    {"explorer", "prompt", "explorer_prompt", PATH},
    {"explorer", "count", "count", WHOLE},
    {"limits", "trials", "trials", WHOLE},
    {"limits", "cost_usd", "cost", NUMBER},
    {"limits", "seconds", "seconds", NUMBER},
    {"limits", "waves", "waves", WHOLE},
    {"limits", "dry", "dry", WHOLE},
};
enum { MEMBERS = sizeof members / sizeof *members };

static const char *file_name;

static _Noreturn void
wrong(const char *group, const char *name, const char *why)
{
	errx(TROUBLE, "%s: %s%s%s: %s", file_name, group ? group : "", group ? "." : "", name, why);
}

static void
check_names(jv object, const char *group)
{
	static const char *const groups[] = {"judge", "explorer", "limits"};

	for (int i = jv_object_iter(object); jv_object_iter_valid(object, i);
	     i = jv_object_iter_next(object, i)) {
		jv key = jv_object_iter_key(object, i);
		const char *name = jv_string_value(key);
		bool known = false;
		for (size_t m = 0; m < MEMBERS && !known; m++)
			known = strcmp(members[m].name, name) == 0 &&
				(group == NULL) == (members[m].group == NULL) &&
				(group == NULL || strcmp(members[m].group, group) == 0);
		for (size_t g = 0; g < 3 && group == NULL && !known; g++)
			known = strcmp(groups[g], name) == 0;
		if (!known) {
			char *clean = prog_clean(name, strlen(name));
			wrong(group, clean, "no member of a project");
		}
		jv_free(key);
	}
}

/* The shell reads lines; a value with a line end would be two. */
static const char *
text_of(jv value, const char *group, const char *name)
{
	const char *text = jv_get_kind(value) == JV_KIND_STRING ? jv_string_value(value) : NULL;

	if (text == NULL || *text == '\0' || strlen(text) != jvx_length(value) ||
	    strpbrk(text, "\n\r") != NULL)
		wrong(group, name, "not a text of one line");
	return text;
}

static void
add_path(struct buf *b, const char *folder, const char *path)
{
	if (*path != '/')
		buf_format(b, "%s/", folder);
	buf_text(b, path);
}

static void
put(size_t m, jv value, const char *folder)
{
	static const char *const modes[] = {"replay", "auto", "record", "off"};
	const char *group = members[m].group, *name = members[m].name, *text;
	struct buf b = {0};
	bool fine = false;
	double n;

	switch (members[m].kind) {
	case NUMBER:
	case WHOLE:
		n = jv_get_kind(value) == JV_KIND_NUMBER ? jv_number_value(value) : -1;
		if (!(n >= 0) || n > 1e9 || (members[m].kind == WHOLE && n > floor(n)))
			wrong(group, name,
			    members[m].kind == WHOLE ? "not a whole number" : "not a number");
		jvx_write(value, &b);
		break;
	case PATH: add_path(&b, folder, text_of(value, group, name)); break;
	case MODEL:
		text = text_of(value, group, name);
		if (strncmp(text, "exec:./", 7) == 0) {
			buf_text(&b, "exec:");
			add_path(&b, folder, text + 7);
		} else {
			buf_text(&b, text);
		}
		break;
	case MODE:
		text = text_of(value, group, name);
		for (size_t i = 0; i < 4; i++)
			fine = fine || strcmp(text, modes[i]) == 0;
		if (!fine)
			wrong(group, name, "not replay, auto, record or off");
		buf_text(&b, text);
		break;
	}
	printf("%s=%s\n", members[m].shell, b.data);
	buf_free(&b);
}

int
main(int argc, char *argv[])
{
	prog_start(argc, argv, help);
	if (getopt(argc, argv, "") != -1 || optind + 1 != argc)
		prog_usage();
	file_name = argv[optind];
	/* Absolute, so that it means the same wherever the driver stands. */
	char *path = realpath(file_name, NULL);
	if (path == NULL)
		err(TROUBLE, "%s", file_name);
	confine(&(struct confine){.files = argv + optind});
	jv project = yamlx_file(file_name);
	if (!jv_is_valid(project)) {
		free(path);
		return TROUBLE;
	}
	if (jv_get_kind(project) != JV_KIND_OBJECT)
		errx(TROUBLE, "%s: not a mapping", file_name);
	*strrchr(path, '/') = '\0';
	check_names(project, NULL);
	for (size_t m = 0; m < MEMBERS; m++) {
		const char *group = members[m].group;
		jv from = group != NULL ? jvx_get(project, group) : jv_copy(project);
		if (jv_is_valid(from) && jv_get_kind(from) != JV_KIND_OBJECT)
			wrong(NULL, group, "not a mapping");
		if (group != NULL && jv_is_valid(from))
			check_names(from, group);
		jv value = jvx_get(from, members[m].name);
		if (jv_is_valid(value))
			put(m, value, path);
		jv_free(value);
		jv_free(from);
	}
	jv_free(project);
	free(path);
	if (fflush(stdout) != 0)
		err(TROUBLE, "write");
	return YES;
}
