/* triage-eval: how often verdicts are right, how sure they may be, and what each input is worth. */
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "confine.h"
#include "digest.h"
#include "measure.h"
#include "prog.h"
#include "set.h"

static const char help[] =
    "triage-eval [-gt] [-a percent] [-l percent] [-v name=file]... [-z seed] [file ...]\n"
    "\n"
    "Reads triage_label, analysis, triage and triage_summary records, and writes a metric record\n"
    "for each number: what is right by slice, class and quadrant, calibration, the threshold.\n"
    "A second verdict on a case is a sample of it.\n"
    "  -a percent    how often verdicts above the threshold are to be right (70)\n"
    "  -g            exit 1 if the lower bound on all that is right is below -l\n"
    "  -l percent    (50)\n"
    "  -t            a table for people\n"
    "  -v name=file  the same cases asked in another way, compared case by case\n"
    "  -z seed       of the bootstrap (1)\n"
    "\n"
    "  triage-cases golden/triage/*.yaml | test-analyse | triage-verdict -r | triage-eval -t";

/* What may be left out or put in another's place, so that what nobody measured is seen. */
static const char *const variants[] = {"full", "-history", "-diff", "-source", "-neighbours",
    "message only", "rules only", "multi-step", "small model"};
enum { VARIANTS = sizeof variants / sizeof *variants, GIVEN = 32 };

struct given {
	char *name;
	const char *file;
	struct set *set;
};

static void
digest_of_file(const char *name, char hex[65])
{
	char *path = prog_data(name);
	struct buf text = {0};

	hex[0] = '\0';
	if (path != NULL && buf_file(&text, path, 1 << 20))
		digest_sha256(text.data ? text.data : "", text.len, hex);
	buf_free(&text);
	free(path);
}

/* What every number is a number of. */
static jv
source_of(const struct set *s)
{
	jv rec = jvx_set_text(jv_object(), "mode", s->mode);
	struct buf data = {0};
	char hex[65];

	buf_text(&data, "");
	for (size_t i = 0; i < s->count; i++)
		buf_format(&data, "%s %s\n", s->cases[i].name,
		    s->cases[i].sha256 ? s->cases[i].sha256 : "");
	digest_sha256(data.data, data.len, hex);
	rec = jvx_set_text(rec, "data_sha256", hex);
	buf_free(&data);
	digest_of_file("prompts/rubric.triage.v1.md", hex);
	rec = jvx_set_text(rec, "rubric_sha256", hex);
	if (s->mode != NULL && strcmp(s->mode, "rules") == 0) {
		digest_of_file("lib/triage.yaml", hex);
		return jvx_set_text(rec, "rules_sha256", hex);
	}
	jv prompts = jv_object();
	jv_object_foreach (s->prompts, name, model) {
		struct buf file = {0};
		jv one = jvx_set(jv_object(), "model", jv_copy(model));
		buf_format(&file, "prompts/%s.md", jv_string_value(name));
		digest_of_file(file.data, hex);
		one = jvx_set_text(one, "sha256", hex);
		prompts = jvx_set(prompts, jv_string_value(name), one);
		buf_free(&file);
		jv_free(name);
		jv_free(model);
	}
	return jvx_set(rec, "prompts", prompts);
}

static void
print_source(jv source)
{
	static const char *const digests[] = {"data_sha256", "rubric_sha256", "rules_sha256", NULL};
	jv prompts = jvx_get(source, "prompts");

	printf("verdicts by %s\n", jvx_text(source, "mode") ? jvx_text(source, "mode") : "nobody");
	for (size_t i = 0; digests[i] != NULL; i++)
		if (jvx_text(source, digests[i]) != NULL)
			printf("%-14s %.16s\n", digests[i], jvx_text(source, digests[i]));
	if (jv_get_kind(prompts) == JV_KIND_OBJECT) {
		jv_object_foreach (prompts, name, one) {
			printf("%-14s %.16s %s\n", jv_string_value(name),
			    jvx_text(one, "sha256") ? jvx_text(one, "sha256") : "",
			    jvx_text(one, "model") ? jvx_text(one, "model") : "");
			jv_free(name);
			jv_free(one);
		}
	}
	jv_free(prompts);
	printf("\n");
}

static struct set *
read_set(char *const files[], bool *trouble)
{
	struct set *s = set_new();
	struct ndjson *in = ndjson_open(files);

	while (ndjson_next(in))
		set_add(s, in);
	*trouble = !ndjson_close(in, stdout) || *trouble;
	set_end(s);
	return s;
}

static struct given
parse_given(char *arg)
{
	char *equals = strchr(arg, '=');

	if (equals == NULL || equals == arg || equals[1] == '\0')
		errx(TROUBLE, "-v: not name=file");
	return (struct given){.name = prog_copy(arg, (size_t)(equals - arg)), .file = equals + 1};
}

static bool
is_known(const char *name)
{
	for (size_t i = 0; i < VARIANTS; i++)
		if (strcmp(variants[i], name) == 0)
			return true;
	return false;
}

/* The known variants in their order, measured or not, then those of the user's own. */
static void
measure_variants(struct measure *m, const struct given *given, size_t count)
{
	const char *mode = m->set->mode;
	const char *self = mode == NULL ? "" : strcmp(mode, "rules") == 0 ? "rules only" : "full";

	for (size_t i = 0; i < VARIANTS; i++) {
		const struct set *set = NULL;
		for (size_t k = 0; k < count; k++)
			if (strcmp(given[k].name, variants[i]) == 0)
				set = given[k].set;
		if (set != NULL || strcmp(variants[i], self) != 0)
			measure_variant(m, variants[i], set);
	}
	for (size_t k = 0; k < count; k++)
		if (!is_known(given[k].name))
			measure_variant(m, given[k].name, given[k].set);
}

static void
print_all(const struct measure *m, bool table)
{
	jv source = source_of(m->set);

	if (table) {
		print_source(source);
		measure_print(m->metrics, stdout);
	} else {
		jv_array_foreach (m->metrics, i, rec)
			ndjson_put(jvx_set(rec, "source", jv_copy(source)), stdout);
	}
	jv_free(source);
	if (fflush(stdout) != 0 || ferror(stdout))
		err(TROUBLE, "standard output");
}

/* What is read is operands, variants, and the suite's own files, for their digests. */
static void
shut(char *const operands[], const struct given *given, size_t count)
{
	const char *read[GIVEN + 3];
	char *prompts = prog_data("prompts"), *rules = prog_data("lib/triage.yaml");
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		read[n++] = given[i].file;
	if (prompts != NULL)
		read[n++] = prompts;
	if (rules != NULL)
		read[n++] = rules;
	read[n] = NULL;
	confine(&(struct confine){.files = operands, .read = read});
	free(prompts);
	free(rules);
}

int
main(int argc, char *argv[])
{
	struct measure m = {.target = .70, .seed = 1};
	struct given given[GIVEN];
	size_t count = 0;
	bool gate = false, table = false, trouble = false;
	double least = .50;
	int ch;

	prog_start(argc, argv, help);
	while ((ch = getopt(argc, argv, "a:gl:tv:z:")) != -1) {
		switch (ch) {
		case 'a': m.target = (double)prog_number(ch, optarg, 1, 99) / 100; break;
		case 'g': gate = true; break;
		case 'l': least = (double)prog_number(ch, optarg, 0, 100) / 100; break;
		case 't': table = true; break;
		case 'v':
			if (count == GIVEN)
				errx(TROUBLE, "-v: more than %d", GIVEN);
			given[count++] = parse_given(optarg);
			break;
		case 'z': m.seed = (uint64_t)prog_number(ch, optarg, 0, INT64_MAX); break;
		default: prog_usage();
		}
	}
	shut(argv + optind, given, count);
	for (size_t i = 0; i < count; i++) {
		char *files[] = {(char *)given[i].file, NULL};
		given[i].set = read_set(files, &trouble);
	}
	struct set *set = read_set(argv + optind, &trouble);
	if (set->count == 0)
		errx(TROUBLE, "no triage_label records: nothing to measure against");
	m.set = set;
	m.metrics = jv_array();
	measure_all(&m);
	measure_variants(&m, given, count);
	print_all(&m, table);
	bool below = measure_bound(&m) < least;
	jv_free(m.metrics);
	set_free(set);
	for (size_t i = 0; i < count; i++) {
		set_free(given[i].set);
		free(given[i].name);
	}
	if (trouble)
		return TROUBLE;
	return gate && below ? NO : YES;
}
