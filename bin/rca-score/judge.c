#include "judge.h"

#include <err.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "digest.h"
#include "jvx.h"
#include "ndjson.h"
#include "prog.h"
#include "section.h"
#include "utf8.h"
#include "yamlx.h"

enum { FILE_BYTES = 1 << 20, MATERIAL_BYTES = 30000, WHY_BYTES = 500, ARGUMENTS = 32 };

struct judge {
	FILE *questions, *answers;
	int go, done; /* pipes: a byte starts the child; its end is the end of the other */
	size_t count;
	jv records; /* after judge_finish(): by question, answer or unclassified */
	char *name;
	struct buf rubric;
};

static void
add_file(struct digest *d, const char *path, struct buf *text)
{
	buf_clear(text);
	if (!buf_file(text, path, FILE_BYTES))
		err(TROUBLE, "%s", path);
	digest_add(d, text->data, text->len);
}

/* A file beside the prompt: its name, or {file: NAME, sha256: HEX}. */
static void
add_beside(struct digest *d, const char *path, jv entry)
{
	const char *slash = strrchr(path, '/'), *name = jvx_text(entry, "file");
	struct buf file = {0}, text = {0};

	if (jv_get_kind(entry) == JV_KIND_STRING)
		name = jv_string_value(entry);
	if (name == NULL)
		errx(TROUBLE, "%s: no front matter as in prompt(5)", path);
	buf_format(&file, "%.*s%s", slash != NULL ? (int)(slash - path) + 1 : 0, path, name);
	add_file(d, file.data, &text);
	buf_free(&file);
	buf_free(&text);
}

/* Marks depend on all that the judge is told: prompt, included rubric, schema. */
static void
read_prompt(struct judge *j, const char *given)
{
	struct yamlx_error error;
	struct buf text = {0};
	struct digest *d = digest_new();
	char sha256[65];
	size_t body;

	char *path = access(given, F_OK) == 0 ? NULL : prog_data(given);
	if (path == NULL)
		path = prog_copy(given, strlen(given));
	add_file(d, path, &text);
	jv front = yamlx_front(text.data, text.len, &body, &error);
	const char *name = jvx_text(front, "name");
	jv schema = jvx_get(front, "schema");
	if (name == NULL || !jv_is_valid(schema))
		errx(TROUBLE, "%s: no front matter with name and schema", path);
	jv files = jvx_get(front, "include");
	for (int i = 0; jv_get_kind(files) == JV_KIND_ARRAY && i < jv_array_length(jv_copy(files));
	     i++) {
		jv file = jv_array_get(jv_copy(files), i);
		add_beside(d, path, file);
		jv_free(file);
	}
	jv_free(files);
	add_beside(d, path, schema);
	jv_free(schema);
	digest_end(d, sha256);
	buf_format(&j->rubric, "%s.v%.0f %.16s", name, jvx_number(front, "version", 0), sha256);
	const char *model = jvx_text(front, "model");
	j->name = prog_copy(model != NULL ? model : "unknown", strlen(model ? model : "unknown"));
	jv_free(front);
	buf_free(&text);
	free(path);
}

/* llm-call stands beside this program, or else in PATH. */
static void
run_llm_call(const char *prompt, char *const arguments[])
{
	char self[PATH_MAX];
	char *argv[ARGUMENTS] = {"llm-call", "-p", (char *)prompt};
	struct buf path = {0};
	size_t n = 3;

	for (size_t i = 0; arguments[i] != NULL && n + 1 < ARGUMENTS; i++)
		argv[n++] = arguments[i];
	ssize_t len = readlink("/proc/self/exe", self, sizeof self);
	while (len > 0 && self[len - 1] != '/')
		len--;
	buf_format(&path, "%.*sllm-call", len > 0 ? (int)len : 0, self);
	if (len > 0)
		execv(path.data, argv);
	execvp(argv[0], argv);
	warn("llm-call");
}

struct judge *
judge_start(const char *prompt, char *const arguments[])
{
	struct judge *j = prog_alloc(1, sizeof *j);
	int go[2], done[2];

	read_prompt(j, prompt);
	for (size_t i = 0; arguments[i] != NULL; i++)
		if (strcmp(arguments[i], "-m") == 0 && arguments[i + 1] != NULL) {
			free(j->name);
			j->name = prog_copy(arguments[i + 1], strlen(arguments[i + 1]));
		}
	j->questions = tmpfile();
	j->answers = tmpfile();
	if (j->questions == NULL || j->answers == NULL)
		err(TROUBLE, "temporary file");
	if (pipe(go) != 0 || pipe(done) != 0)
		err(TROUBLE, "pipe");
	pid_t child = fork();
	if (child == -1)
		err(TROUBLE, "fork");
	if (child == 0) {
		char byte;
		close(go[1]);
		close(done[0]);
		if (read(go[0], &byte, 1) == 1 && lseek(fileno(j->questions), 0, SEEK_SET) == 0 &&
		    dup2(fileno(j->questions), STDIN_FILENO) != -1 &&
		    dup2(fileno(j->answers), STDOUT_FILENO) != -1) {
			close(go[0]);
			run_llm_call(prompt, arguments);
		}
		_exit(0);
	}
	close(go[0]);
	close(done[1]);
	j->go = go[1];
	j->done = done[0];
	return j;
}

const char *
judge_name(const struct judge *j)
{
	return j->name;
}

const char *
judge_rubric(const struct judge *j)
{
	return j->rubric.data;
}

static void
put_section(struct judge *j, const char *label, const struct buf *text)
{
	ndjson_put(section_record(label, text), j->questions);
}

static void
add_list(struct buf *b, const struct golden *g, const char *key, const char *what)
{
	jv list = golden_list(g, key);

	jv_array_foreach (list, i, item) {
		buf_format(b, "%s: %s\n", what, jv_string_value(item));
		jv_free(item);
	}
	jv_free(list);
}

static void
put_case(struct judge *j, const struct golden *g)
{
	struct buf b = {0};
	const char *file = golden_file(g);

	buf_format(&b, "the known root cause: %s\n", jvx_text(g->value, "expected_root_cause"));
	add_list(&b, g, "aliases", "the same in other words");
	if (golden_undetermined(g))
		buf_text(&b, "the right answer says that the cause cannot be determined\n");
	else
		buf_format(&b, "the file to change: %s\n", file != NULL ? file : "none");
	add_list(&b, g, "must_not_conclude", "a wrong conclusion");
	put_section(j, "case", &b);
	buf_free(&b);
}

static void
put_answer(struct judge *j, const struct method *m)
{
	struct said *says = method_says(m);
	struct buf b = {0};

	if (method_undetermined(m))
		buf_text(&b, "it says that the cause cannot be determined\n");
	for (const struct said *said = says; said->where != NULL && b.len < MATERIAL_BYTES; said++)
		if (said->role != SAID_DIFF)
			buf_format(&b, "%s: %s\n", said->where, said->text.at);
	if (b.len > MATERIAL_BYTES) {
		b.len = utf8_floor(b.data, b.len, MATERIAL_BYTES);
		buf_text(&b, "\n(the rest is left out)\n");
	}
	put_section(j, "answer", &b);
	free(says);
	buf_free(&b);
}

size_t
judge_ask(struct judge *j, const struct golden *g, const struct method *m)
{
	fprintf(j->questions, "{\"name\":\"%zu\",\"type\":\"trace\"}\n", j->count);
	put_case(j, g);
	put_answer(j, m);
	return j->count++;
}

static void
keep_answer(struct judge *j, struct span line)
{
	struct scan_error error;
	jv record = jvx_parse(line.at, line.len, &error);
	const char *type = jvx_text(record, "type"), *name = jvx_text(record, "name");
	bool ours = type != NULL && name != NULL &&
		    (strcmp(type, "answer") == 0 || strcmp(type, "unclassified") == 0);
	char *end;
	unsigned long question = ours ? strtoul(name, &end, 10) : 0;

	if (ours && end != name && *end == '\0' && question < j->count)
		j->records = jv_array_set(j->records, (int)question, record);
	else
		jv_free(record);
}

void
judge_finish(struct judge *j)
{
	char *line = NULL, byte;
	size_t size = 0;
	ssize_t len;

	j->records = jv_array();
	if (j->count == 0)
		return;
	if (fflush(j->questions) != 0)
		err(TROUBLE, "temporary file");
	if (write(j->go, "", 1) == 1)
		while (read(j->done, &byte, 1) > 0) /* nobody writes: it ends with the child */
			;
	rewind(j->answers);
	while ((len = getline(&line, &size, j->answers)) > 0)
		keep_answer(j, (struct span){line, (size_t)len});
	free(line);
}

static char *
piece(const char *text)
{
	struct buf b = {0};

	utf8_mend(&b, text, utf8_floor(text, strlen(text), WHY_BYTES));
	return b.data != NULL ? b.data : prog_copy("", 0);
}

struct verdict
judge_verdict(const struct judge *j, size_t question)
{
	static const char *const same[] = {"model", "provenance", "cassette"};
	jv record = jv_array_get(jv_copy(j->records), (int)question);
	jv output = jvx_get(record, "output");
	double score = jvx_number(output, "score", -1);
	const char *why = jvx_text(output, "why"), *reason = jvx_text(record, "reason");
	struct verdict v = {.score = -1, .by = jv_object()};

	if (why != NULL && (score == 0 || score == 1 || score == 2)) {
		v.score = (int)score;
		v.why = piece(why);
		for (size_t i = 0; i < sizeof same / sizeof *same; i++)
			v.by = jvx_set(v.by, same[i], jvx_get(record, same[i]));
	} else {
		const char *message = jvx_text(record, "message");
		struct buf b = {0};
		buf_text(&b, reason != NULL ? reason : "no verdict");
		if (message != NULL)
			buf_format(&b, ": %s", message);
		v.why = piece(b.data);
		buf_free(&b);
	}
	jv_free(output);
	jv_free(record);
	return v;
}

void
judge_free(struct judge *j)
{
	close(j->go);
	close(j->done);
	fclose(j->questions);
	fclose(j->answers);
	jv_free(j->records);
	free(j->name);
	buf_free(&j->rubric);
	free(j);
}
