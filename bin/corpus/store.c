#include "store.h"

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "digest.h"
#include "jvx.h"
#include "ndjson.h"
#include "prog.h"
#include "save.h"
#include "scenario.h"
#include "yamlx.h"

enum { MANY = 2000, NAME = 60 };

static void
make_folder(const char *path)
{
	if (mkdir(path, 0777) != 0 && errno != EEXIST)
		err(TROUBLE, "%s", path);
}

/* The lock goes with the process, so what a killed one held is free. */
static void
take_lock(struct store *s, enum store_use use)
{
	struct flock whole = {
	    .l_type = use == STORE_WRITE ? F_WRLCK : F_RDLCK, .l_whence = SEEK_SET};
	struct buf path = {0};

	buf_format(&path, "%s/.lock", s->folder);
	s->lock = use == STORE_WRITE ? open(path.data, O_RDWR | O_CREAT | O_CLOEXEC, 0666)
				     : open(path.data, O_RDONLY | O_CLOEXEC);
	if (s->lock < 0 && !(use == STORE_READ && errno == ENOENT))
		err(TROUBLE, "%s", path.data);
	while (s->lock >= 0 && fcntl(s->lock, F_SETLKW, &whole) != 0)
		if (errno != EINTR)
			err(TROUBLE, "%s", path.data);
	buf_free(&path);
}

static void
read_state(struct store *s)
{
	struct buf path = {0};

	buf_format(&path, "%s/known.ndjson", s->folder);
	if (access(path.data, F_OK) == 0) {
		char *files[] = {path.data, NULL};
		struct ndjson *in = ndjson_open(files);
		while (ndjson_next(in)) {
			jv record = ndjson_value(in);
			const char *id = jvx_text(record, "id"),
				   *scenario = jvx_text(record, "scenario");
			if (ndjson_is(in, "known") && scenario != NULL)
				s->known = jvx_set(s->known, scenario, jv_copy(record));
			else if (ndjson_is(in, "cluster") && id != NULL)
				s->clusters = jvx_set(s->clusters, id, jv_copy(record));
			else if (ndjson_is(in, "batch") && id != NULL)
				s->batches = jv_array_append(s->batches, jv_string(id));
			jv_free(record);
		}
		/* To write what could not be read would be to lose it. */
		if (!ndjson_close(in, stdout))
			errx(TROUBLE, "%s is damaged, and was left as it is", path.data);
	}
	buf_free(&path);
}

static void
read_scenario(struct store *s, const char *path)
{
	char why[200];
	jv value = yamlx_file(path);

	if (jv_is_valid(value) && !scenario_check(value, why, sizeof why)) {
		warnx("%s: %s", path, why);
		jv_free(value);
		value = jv_invalid();
	}
	if (!jv_is_valid(value)) {
		jv_free(value);
		s->whole = false;
		return;
	}
	value = jvx_set_text(jvx_set_text(value, "type", "scenario"), "origin", "corpus");
	s->scenarios = jvx_set(s->scenarios, jvx_text(value, "id"), value);
}

static int
yaml_only(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return entry->d_name[0] != '.' && len > 5 && strcmp(entry->d_name + len - 5, ".yaml") == 0;
}

static void
read_scenarios(struct store *s)
{
	struct buf path = {0};
	struct dirent **names = NULL;

	buf_format(&path, "%s/scenarios", s->folder);
	int count = scandir(path.data, &names, yaml_only, alphasort);
	if (count < 0 && errno != ENOENT)
		err(TROUBLE, "%s", path.data);
	for (int i = 0; i < count; i++) {
		struct buf file = {0};
		buf_format(&file, "%s/%s", path.data, names[i]->d_name);
		read_scenario(s, file.data);
		buf_free(&file);
		free(names[i]);
	}
	free(names);
	buf_free(&path);
}

static void
check_name(const char *agent)
{
	if (*agent == '\0' || *agent == '.' ||
	    agent[strspn(agent,
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")] != '\0')
		errx(TROUBLE, "-a: not the id of an agent: letters, digits, '.', '_' and '-'");
}

struct store *
store_open(const char *folder, const char *agent, enum store_use use)
{
	struct store *s = prog_alloc(1, sizeof *s);
	struct buf path = {0};

	check_name(agent);
	*s = (struct store){.scenarios = jv_object(),
	    .known = jv_object(),
	    .clusters = jv_object(),
	    .batches = jv_array(),
	    .lock = -1,
	    .writes = use == STORE_WRITE,
	    .whole = true};
	buf_format(&path, "%s/%s", folder, agent);
	s->folder = path.data;
	if (use == STORE_READ && access(s->folder, F_OK) != 0)
		return s;
	if (use == STORE_WRITE)
		make_folder(s->folder);
	take_lock(s, use);
	read_state(s);
	read_scenarios(s);
	return s;
}

static void
add_all(struct buf *b, jv records)
{
	/* As an object is written, sorted by name: the file says the same for the same state. */
	struct buf text = {0};
	jvx_write(records, &text);
	struct span all = {text.data, text.len};
	for (struct scan_each it = {0}; scan_each(&it, all);) {
		buf_add(b, it.value.at, it.value.len);
		buf_byte(b, '\n');
	}
	buf_free(&text);
}

void
store_save(struct store *s)
{
	struct buf path = {0}, b = {0};
	int count = jv_array_length(jv_copy(s->batches));

	for (int i = count > MANY ? count - MANY : 0; i < count; i++) {
		jv r = jvx_set_text(jv_object(), "type", "batch");
		r = jvx_set(r, "id", jv_array_get(jv_copy(s->batches), i));
		jvx_write(r, &b);
		buf_byte(&b, '\n');
		jv_free(r);
	}
	add_all(&b, s->clusters);
	add_all(&b, s->known);
	buf_format(&path, "%s/known.ndjson", s->folder);
	if (!save_file(path.data, &b))
		err(TROUBLE, "%s", path.data);
	buf_free(&path);
	buf_free(&b);
}

/* A name for a file, of an id that may be anything. */
static void
add_name(struct buf *b, const char *id)
{
	char sha256[65];
	size_t from = b->len;

	for (size_t i = 0; id[i] != '\0' && i < NAME; i++) {
		char c = id[i];
		bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			    (c >= '0' && c <= '9') || c == '_' || c == '-' || (c == '.' && i > 0);
		buf_byte(b, fine ? c : '-');
	}
	if (strcmp(b->data + from, id) != 0) {
		digest_sha256(id, strlen(id), sha256);
		buf_format(b, "-%.8s", sha256);
	}
}

void
store_keep(struct store *s, jv record)
{
	static const char *const order[] = {
	    "id", "title", "tags", "severity", "turns", "expect", "rubric", NULL};
	const char *id = jvx_text(record, "id");
	struct buf path = {0}, yaml = {0};
	jv kept = jv_object();

	buf_format(&path, "%s/scenarios", s->folder);
	if (s->writes)
		make_folder(path.data);
	buf_byte(&path, '/');
	add_name(&path, id);
	buf_text(&path, ".yaml");
	for (size_t i = 0; order[i] != NULL; i++)
		kept = jvx_set(kept, order[i], jvx_get(record, order[i]));
	yamlx_write(kept, order, &yaml);
	if (s->writes && access(path.data, F_OK) != 0 && !save_file(path.data, &yaml))
		err(TROUBLE, "%s", path.data);
	kept = jvx_set_text(jvx_set_text(kept, "type", "scenario"), "origin", "corpus");
	s->scenarios = jvx_set(s->scenarios, id, kept);
	buf_free(&path);
	buf_free(&yaml);
}

void
store_close(struct store *s)
{
	if (s->lock >= 0)
		close(s->lock);
	jv_free(s->scenarios);
	jv_free(s->known);
	jv_free(s->clusters);
	jv_free(s->batches);
	free(s->folder);
	free(s);
}

bool
store_has_batch(const struct store *s, const char *id)
{
	bool has = false;

	jv_array_foreach (s->batches, i, batch) {
		has = has || strcmp(jv_string_value(batch), id) == 0;
		jv_free(batch);
	}
	return has;
}
