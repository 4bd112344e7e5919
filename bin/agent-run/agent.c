#include "agent.h"

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "buf.h"
#include "http.h"
#include "jvx.h"
#include "prog.h"
#include "scenario.h"
#include "template.h"
#include "yamlx.h"

enum {
	ID_MOST = 100,
	TURN_MS = 60000,
	TRIAL_MS = 600000,
	REPLY_BYTES = 1 << 20,
	TEXT_BYTES = 1 << 20
};

extern char **environ;

static const char *const kinds[] = {"command", "http", "openai", "llm-call", NULL};
static const char *const lives[] = {"session", "turn", "run", NULL};
static const char *const forms[] = {"json", "text", NULL};

bool
agent_wrong(const struct agent *a, const char *member, const char *why)
{
	warnx("%s: %s: %s", a->path, member, why);
	return false;
}

/* A misspelt member would be a setting that silently does nothing. */
bool
agent_known(const struct agent *a, jv obj, const char *const names[])
{
	bool good = true;

	for (int i = jv_object_iter(obj); good && jv_object_iter_valid(obj, i);
	     i = jv_object_iter_next(obj, i)) {
		jv key = jv_object_iter_key(obj, i);
		size_t n = 0;
		while (names[n] != NULL && strcmp(names[n], jv_string_value(key)) != 0)
			n++;
		if (names[n] == NULL) {
			char *clean = prog_clean(jv_string_value(key), jvx_length(key));
			good = agent_wrong(a, clean, "not a member that agent(5) knows");
			free(clean);
		}
		jv_free(key);
	}
	return good;
}

/* The place of a word in a list; that of otherwise when the member is absent; -1: no such word. */
static int
word_of(jv obj, const char *key, const char *const words[], int otherwise)
{
	jv value = jvx_get(obj, key);
	int found = jv_is_valid(value) ? -1 : otherwise;

	for (int i = 0; jv_get_kind(value) == JV_KIND_STRING && words[i] != NULL; i++)
		if (strcmp(words[i], jv_string_value(value)) == 0)
			found = i;
	jv_free(value);
	return found;
}

/* A whole number from 1 to most; -1 when it is something else. */
static long
number_of(jv obj, const char *key, long otherwise, long most)
{
	jv value = jvx_get(obj, key);
	double n = jv_get_kind(value) == JV_KIND_NUMBER ? jv_number_value(value) : -1;
	bool absent = !jv_is_valid(value);

	jv_free(value);
	if (absent)
		return otherwise;
	return n >= 1 && n <= (double)most && n == floor(n) ? (long)n : -1;
}

static bool
texts_only(jv obj, const char *key, bool needed)
{
	jv list = jvx_get(obj, key);
	int count = jv_get_kind(list) == JV_KIND_ARRAY ? jv_array_length(jv_copy(list)) : 0;
	bool good = jv_is_valid(list) ? jv_get_kind(list) == JV_KIND_ARRAY : !needed;

	for (int i = 0; i < count; i++) {
		jv item = jv_array_get(jv_copy(list), i);
		good = good && jv_get_kind(item) == JV_KIND_STRING &&
		       strlen(jv_string_value(item)) == jvx_length(item);
		jv_free(item);
	}
	jv_free(list);
	return good && (!needed || count > 0);
}

char *
agent_beside(const struct agent *a, const char *name)
{
	struct buf b = {0};

	if (*name != '/')
		buf_format(&b, "%s/", a->folder);
	buf_text(&b, name);
	return b.data;
}

/* spec: a text, or {file: NAME}, which is read into its place. */
static bool
read_spec(struct agent *a)
{
	jv spec = jvx_get(a->file, "spec");
	struct buf text = {0};
	bool good = !jv_is_valid(spec) || jv_get_kind(spec) == JV_KIND_STRING;

	if (jvx_text(spec, "file") != NULL) {
		char *path = agent_beside(a, jvx_text(spec, "file"));
		good = buf_file(&text, path, TEXT_BYTES);
		if (!good)
			warn("%s", path);
		else
			a->file = jvx_set(a->file, "spec",
			    jv_string_sized(text.data ? text.data : "", (int)text.len));
		free(path);
		buf_free(&text);
	} else if (!good) {
		agent_wrong(a, "spec", "neither a text nor file: NAME");
	}
	jv_free(spec);
	return good;
}

static void
add(char ***list, size_t *count, char *item)
{
	*list = prog_resize(*list, *count + 2, sizeof **list);
	(*list)[(*count)++] = item;
	(*list)[*count] = NULL;
}

/* What every program needs to run at all, and the variables that the file names. */
static void
set_environment(struct agent *a)
{
	static const char *const usual[] = {
	    "PATH", "HOME", "TMPDIR", "TZ", "LANG", "LC_ALL", "LC_CTYPE", NULL};
	jv names = jvx_get(a->file, "env");
	size_t count = 0;

	add(&a->environment, &count, NULL);
	count = 0;
	for (size_t i = 0; environ[i] != NULL; i++) {
		size_t len = strcspn(environ[i], "=");
		bool wanted = false;
		for (size_t n = 0; usual[n] != NULL && !wanted; n++)
			wanted = strlen(usual[n]) == len && memcmp(usual[n], environ[i], len) == 0;
		for (int n = 0; jv_is_valid(names) && n < jv_array_length(jv_copy(names)); n++) {
			jv name = jv_array_get(jv_copy(names), n);
			wanted = wanted || (jvx_length(name) == len &&
					       memcmp(jv_string_value(name), environ[i], len) == 0);
			jv_free(name);
		}
		if (wanted)
			add(&a->environment, &count, environ[i]);
	}
	a->variables = jv_object();
	for (int n = 0; jv_is_valid(names) && n < jv_array_length(jv_copy(names)); n++) {
		jv name = jv_array_get(jv_copy(names), n);
		const char *value = getenv(jv_string_value(name));
		if (value == NULL && a->unset == NULL)
			a->unset = prog_copy(jv_string_value(name), jvx_length(name));
		a->variables =
		    jv_object_set(a->variables, jv_copy(name), jv_string(value ? value : ""));
		jv_free(name);
	}
	jv_free(names);
}

static bool
read_limits(struct agent *a)
{
	long bytes = number_of(a->file, "reply_bytes", REPLY_BYTES, 16 << 20);

	a->turn_ms = number_of(a->file, "turn_ms", TURN_MS, 86400000);
	a->trial_ms = number_of(a->file, "trial_ms", TRIAL_MS, 86400000);
	a->reply_bytes = (size_t)bytes;
	if (a->turn_ms < 0)
		return agent_wrong(a, "turn_ms", "not a whole number of milliseconds from 1");
	if (a->trial_ms < 0)
		return agent_wrong(a, "trial_ms", "not a whole number of milliseconds from 1");
	if (bytes < 0)
		return agent_wrong(a, "reply_bytes", "not a whole number from 1 to 16777216");
	return true;
}

bool
agent_places(const struct agent *a, const char *member, jv template, jv values)
{
	char *name = NULL;
	struct buf why = {0};
	bool good = template_check(template, values, &name);

	if (!good) {
		buf_format(&why, "{{%s}}: nothing has that name", name);
		if (strncmp(name, "env.", 4) == 0 && a->http != NULL)
			buf_text(&why, ", or it is not in env");
		agent_wrong(a, member, why.data);
	}
	buf_free(&why);
	free(name);
	jv_free(values);
	return good;
}

/* Are the places in argv those of a turn? */
static bool
argv_ok(const struct agent *a)
{
	static const char *const names[] = {"session", "seed", "turn", "text", "messages"};
	jv values = jv_object(), argv = jvx_get(a->adapter, "argv");

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		values = jvx_set(values, names[i], jv_string(""));
	bool good = agent_places(a, "argv", argv, values);
	jv_free(argv);
	return good;
}

static bool
read_command(struct agent *a)
{
	static const char *const known[] = {"kind", "argv", "life", "input", NULL};
	int life = word_of(a->adapter, "life", lives, LIFE_SESSION);
	int input = word_of(a->adapter, "input", forms, FORM_JSON);

	if (!agent_known(a, a->adapter, known))
		return false;
	if (!texts_only(a->adapter, "argv", true))
		return agent_wrong(a, "argv", "not a list of texts, the program first");
	if (life < 0)
		return agent_wrong(a, "life", "not session, turn or run");
	if (input < 0)
		return agent_wrong(a, "input", "not json or text");
	a->life = (enum agent_life)life;
	a->input = (enum agent_form)input;
	return argv_ok(a);
}

static bool
read_llm_call(struct agent *a)
{
	static const char *const known[] = {
	    "kind", "prompt", "model", "mode", "cassettes", "ledger", "dollars", NULL};

	if (!agent_known(a, a->adapter, known))
		return false;
	for (size_t i = 1; known[i] != NULL; i++) {
		jv value = jvx_get(a->adapter, known[i]);
		bool good =
		    jv_get_kind(value) == JV_KIND_STRING ||
		    (jv_get_kind(value) == JV_KIND_NUMBER && strcmp(known[i], "dollars") == 0) ||
		    (!jv_is_valid(value) && i > 1);
		jv_free(value);
		if (!good)
			return agent_wrong(a, known[i], "not a text");
	}
	a->life = LIFE_TURN;
	return true;
}

static bool
read_adapter(struct agent *a)
{
	int kind;

	a->adapter = jvx_get(a->file, "adapter");
	kind = word_of(a->adapter, "kind", kinds, -1);
	if (kind < 0)
		return agent_wrong(a, "adapter", "kind is not command, http, openai or llm-call");
	a->kind = (enum agent_kind)kind;
	switch (a->kind) {
	case AGENT_COMMAND: return read_command(a);
	case AGENT_LLM_CALL: return read_llm_call(a);
	default: return http_read(a);
	}
}

static bool
read_file(struct agent *a)
{
	static const char *const known[] = {"id", "description", "spec", "adapter", "env", "seeds",
	    "turn_ms", "trial_ms", "reply_bytes", NULL};

	a->file = yamlx_file(a->path);
	if (!jv_is_valid(a->file))
		return false;
	if (jv_get_kind(a->file) != JV_KIND_OBJECT)
		return agent_wrong(a, "line 1", "not a mapping");
	if (!agent_known(a, a->file, known))
		return false;
	a->id = jvx_text(a->file, "id");
	/* It becomes a folder, and a word of commands. */
	if (a->id == NULL || *a->id == '\0' || strchr(".-", *a->id) != NULL ||
	    strlen(a->id) > ID_MOST ||
	    strspn(a->id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") !=
		strlen(a->id))
		return agent_wrong(a, "id",
		    "not a word of at most 100 letters, digits, '.', '_' and '-', the first no '.' "
		    "or '-'");
	if (!texts_only(a->file, "env", false))
		return agent_wrong(a, "env", "not a list of names");
	set_environment(a);
	if (!read_spec(a) || !read_limits(a) || !read_adapter(a))
		return false;
	a->id = jvx_text(a->file, "id"); /* read_spec may have changed the object */
	return true;
}

struct agent *
agent_read(const char *path)
{
	struct agent *a = prog_alloc(1, sizeof *a);
	const char *slash = strrchr(path, '/');

	a->path = prog_copy(path, strlen(path));
	a->folder = slash == NULL ? prog_copy(".", 1) : prog_copy(path, (size_t)(slash - path + 1));
	a->file = a->adapter = a->variables = jv_invalid();
	if (read_file(a))
		return a;
	agent_free(a);
	return NULL;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char **
agent_list(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	char **list = NULL;
	size_t count = 0;

	add(&list, &count, NULL);
	count = 0;
	if (dir == NULL)
		err(TROUBLE, "%s", folder);
	while ((entry = readdir(dir)) != NULL) {
		const char *dot = strrchr(entry->d_name, '.');
		struct buf path = {0};
		if (entry->d_name[0] == '.')
			continue;
		buf_format(&path, "%s/%s", folder, entry->d_name);
		if (dot == NULL || strcmp(dot, ".yaml") != 0)
			buf_text(&path, "/agent.yaml");
		if (access(path.data, F_OK) == 0)
			add(&list, &count, path.data);
		else
			buf_free(&path);
	}
	closedir(dir);
	qsort(list, count, sizeof *list, by_name);
	return list;
}

static bool
has_id(const char *path, const char *id)
{
	struct agent *a = agent_read(path);
	bool is = a != NULL && strcmp(a->id, id) == 0;

	if (a != NULL)
		agent_free(a);
	return is;
}

char *
agent_find(const char *name, const char *folder)
{
	char **list, *found = NULL;

	if (strchr(name, '/') != NULL || access(name, F_OK) == 0)
		return prog_copy(name, strlen(name));
	if (folder == NULL)
		errx(TROUBLE, "-a: no such file, and neither -A nor RCAKIT_AGENTS names a folder");
	list = agent_list(folder);
	for (size_t i = 0; list[i] != NULL; i++) {
		if (found == NULL && has_id(list[i], name))
			found = list[i];
		else
			free(list[i]);
	}
	free(list);
	if (found == NULL)
		errx(TROUBLE, "-a: no agent with that id in %s", folder);
	return found;
}

jv
agent_record(const struct agent *a)
{
	jv r = jv_object_set(jv_object(), jv_string("type"), jv_string("agent"));

	r = jvx_set_text(r, "id", a->id);
	r = jvx_set_text(r, "description", jvx_text(a->file, "description"));
	r = jvx_set_text(r, "spec", jvx_text(a->file, "spec"));
	r = jvx_set_text(r, "kind", kinds[a->kind]);
	return jvx_set_text(r, "file", a->path);
}

/* A misspelt "expect" would be a test that cannot fail; yet records may have members of others. */
static void
tell_unknown(const char *where, jv obj, const char *const names[])
{
	jv_object_foreach (obj, key, value) {
		size_t n = 0;
		while (names[n] != NULL && strcmp(names[n], jv_string_value(key)) != 0)
			n++;
		if (names[n] == NULL) {
			char *clean = prog_clean(jv_string_value(key), jvx_length(key));
			warnx("%s: a seed: %s: not a member that records(5) knows; ignored", where,
			    clean);
			free(clean);
		}
		jv_free(key);
		jv_free(value);
	}
}

static void
tell_unknown_turns(const char *where, jv scenario)
{
	static const char *const names[] = {"user", "expect", NULL};
	jv turns = jvx_get(scenario, "turns");

	jv_array_foreach (turns, i, turn) {
		if (jv_get_kind(turn) == JV_KIND_OBJECT)
			tell_unknown(where, turn, names);
		jv_free(turn);
	}
	jv_free(turns);
}

/* One scenario of the file called where, made a record. */
static jv
seed_record(const char *where, jv value)
{
	/* The last two are of a proposal, which scenario-explore(1) holds against them. */
	static const char *const names[] = {"id", "title", "tags", "turns", "expect", "rubric",
	    "severity", "origin", "type", "oracle", "bad", NULL};
	char why[160];

	if (!scenario_check(value, why, sizeof why))
		errx(TROUBLE, "%s: a seed: %s", where, why);
	tell_unknown(where, value, names);
	tell_unknown_turns(where, value);
	if (jvx_text(value, "origin") == NULL)
		value = jvx_set_text(value, "origin", "seed");
	return jvx_set_text(value, "type", "scenario");
}

/* A file holds one scenario, or a list of them. */
static jv
seeds_of_file(jv list, const char *path)
{
	jv value = yamlx_file(path);

	if (!jv_is_valid(value))
		exit(TROUBLE);
	if (jv_get_kind(value) != JV_KIND_ARRAY)
		return jv_array_append(list, seed_record(path, value));
	for (int i = 0; i < jv_array_length(jv_copy(value)); i++)
		list = jv_array_append(list, seed_record(path, jv_array_get(jv_copy(value), i)));
	jv_free(value);
	return list;
}

jv
agent_seeds(const struct agent *a)
{
	jv seeds = jvx_get(a->file, "seeds"), list = jv_array();

	if (jv_is_valid(seeds) && jv_get_kind(seeds) != JV_KIND_ARRAY)
		errx(TROUBLE, "%s: seeds: not a list", a->path);
	for (int i = 0; jv_is_valid(seeds) && i < jv_array_length(jv_copy(seeds)); i++) {
		jv one = jv_array_get(jv_copy(seeds), i);
		if (jv_get_kind(one) != JV_KIND_STRING) {
			list = jv_array_append(list, seed_record(a->path, one));
			continue;
		}
		char *path = agent_beside(a, jv_string_value(one));
		list = seeds_of_file(list, path);
		free(path);
		jv_free(one);
	}
	jv_free(seeds);
	return list;
}

void
agent_free(struct agent *a)
{
	free(a->path);
	free(a->folder);
	free(a->environment);
	free(a->unset);
	http_free(a->http);
	jv_free(a->variables);
	jv_free(a->adapter);
	jv_free(a->file);
	free(a);
}
