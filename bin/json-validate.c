/* json-validate: check JSON instances, one a line, against a JSON Schema. */
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "confine.h"
#include "lines.h"
#include "ndjson.h"
#include "prog.h"
#include "schema.h"

enum { FOLDERS = 32, MOST = 100 };

static const char help[] =
    "json-validate [-fn] [-d draft] [-r folder=uri] schema [file ...]\n"
    "\n"
    "Check instances, one JSON value a line, against a JSON Schema (2020-12 or draft 7).\n"
    "What is wrong is written as violation records; exit 1 when anything is.\n"
    "\n"
    "  -d DRAFT       2020-12 (unless given) or 7, where $schema does not say\n"
    "  -f             assert \"format\" too\n"
    "  -n             check the schema alone\n"
    "  -r FOLDER=URI  schemas whose URI begins with URI are files below FOLDER\n"
    "\n"
    "  json-validate schema.json answers.ndjson | jq -r '\"\\(.line): \\(.instance) "
    "\\(.message)\"'";

static jv
read_schema(char *path)
{
	char *const files[] = {path, NULL};
	struct lines *in = lines_open(files);
	struct scan_error error;
	struct buf text = {0};

	while (lines_next(in)) {
		buf_add(&text, in->line, in->len);
		buf_byte(&text, '\n');
	}
	if (!lines_close(in))
		exit(TROUBLE);
	jv schema = jvx_parse(text.data ? text.data : "", text.len, &error);
	if (!jv_is_valid(schema))
		errx(TROUBLE, "%s: not JSON: %s at byte %zu", path, error.why, error.at + 1);
	buf_free(&text);
	return schema;
}

/* One record for each error; true when there is none. */
static bool
report(jv errors, const struct lines *in)
{
	bool good = jv_array_length(jv_copy(errors)) == 0;

	jv_array_foreach (errors, i, error) {
		error = jvx_set_text(error, "type", "violation");
		error = jvx_set_text(error, "file", in->file);
		ndjson_put(jvx_set_number(error, "line", (double)in->number), stdout);
	}
	jv_free(errors);
	return good;
}

/* FOLDER=URI, in place. */
static struct schema_folder
folder(char *arg)
{
	char *equals = strchr(arg, '=');

	if (equals == NULL)
		errx(TROUBLE, "-r %s: not FOLDER=URI", arg);
	*equals = '\0';
	return (struct schema_folder){equals + 1, arg};
}

static enum schema_draft
draft(const char *arg)
{
	if (strcmp(arg, "2020-12") != 0 && strcmp(arg, "7") != 0)
		errx(TROUBLE, "-d %s: not a draft: 2020-12 or 7", arg);
	return strcmp(arg, "7") == 0 ? SCHEMA_7 : SCHEMA_2020_12;
}

int
main(int argc, char *argv[])
{
	struct schema_folder folders[FOLDERS];
	struct schema_options options = {.draft = SCHEMA_2020_12, .folders = folders};
	bool valid = true, readable = true, schema_only = false;
	char why[256] = "";
	int ch;

	prog_start(argc, argv, help);
	while ((ch = getopt(argc, argv, "d:fnr:")) != -1) {
		switch (ch) {
		case 'd': options.draft = draft(optarg); break;
		case 'f': options.formats = true; break;
		case 'n': schema_only = true; break;
		case 'r':
			if (options.count == FOLDERS)
				errx(TROUBLE, "-r: more than %d", FOLDERS);
			folders[options.count++] = folder(optarg);
			break;
		default: prog_usage();
		}
	}
	if (optind == argc)
		prog_usage();

	char *path = argv[optind++];
	struct schema *schema = schema_new(read_schema(path), &options, why, sizeof why);
	if (schema == NULL)
		errx(TROUBLE, "%s: %s", path, why);
	const char *read[FOLDERS + 1] = {NULL};
	for (size_t i = 0; i < options.count; i++)
		read[i] = folders[i].folder;
	confine(&(struct confine){.files = argv + optind, .read = read});
	struct lines *in = lines_open(argv + optind);
	while (!schema_only && lines_next(in)) {
		struct scan_error error;
		if (scan_trim(in->line, in->len).len == 0)
			continue;
		jv instance = jvx_parse(in->line, in->len, &error);
		if (!jv_is_valid(instance)) {
			warnx("%s: line %zu: not JSON: %s at byte %zu", in->file, in->number,
			    error.why, error.at + 1);
			readable = false;
			continue;
		}
		valid = report(schema_check(schema, instance, MOST), in) && valid;
	}
	readable = lines_close(in) && readable;
	schema_free(schema);
	if (fflush(stdout) != 0)
		err(TROUBLE, "write");
	if (!readable)
		return TROUBLE;
	return valid ? YES : NO;
}
