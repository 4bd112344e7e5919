#include "table.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "jvx.h"
#include "prog.h"
#include "yamlx.h"

const char table_built_in[] =
    "# What an agent may run.  Everything that is not here is refused.\n"
    "roots: [., /tmp]\n"
    "dots: []            # names that begin with a dot and may be used all the same\n"
    "seconds: 10\n"
    "memory_mb: 512\n"
    "output_bytes: 262144\n"
    "commands:\n"
    "  ls:\n"
    "    options: {-l: flag, -a: flag, -A: flag, '-1': flag, -t: flag, -r: flag, -h: flag,\n"
    "      -d: flag, -F: flag, -S: flag, -R: flag}\n"
    "    operands: [path*]\n"
    "  find:\n"
    "    operands: [path]\n"
    "    after: {-name: glob, -iname: glob, -path: glob, -type: [f, d, l], -maxdepth: int,\n"
    "      -mindepth: int, -newer: path, -size: size, -mmin: size, -mtime: size, -empty: flag,\n"
    "      -not: flag, -o: flag, -print: flag}\n"
    "  grep:\n"
    "    options: {-r: flag, -n: flag, -i: flag, -l: flag, -c: flag, -w: flag, -x: flag,\n"
    "      -o: flag, -v: flag, -h: flag, -H: flag, -s: flag, -q: flag, -F: flag, -E: flag,\n"
    "      -A: int, -B: int, -C: int, -m: int, --include: glob, --exclude: glob}\n"
    "    operands: [text, path+]\n"
    "    add: ['--exclude=.*', '--exclude-dir=.?*']   # recursion meets what dots forbids\n"
    "  cat:\n"
    "    options: {-n: flag, -b: flag, -s: flag, -A: flag}\n"
    "    operands: [file+]\n"
    "  head:\n"
    "    options: {-n: int, -c: int, -q: flag, '-#': number}\n"
    "    operands: [file+]\n"
    "  sed:\n"
    "    options: {-n: flag}\n"
    "    need: [-n]\n"
    "    operands: [lines, file]\n"
    "    as: [cmd-guard, -l, '{1}', '{2}']\n"
    "  unzip:\n"
    "    options: {-o: flag, -q: flag, -d: new}\n"
    "    operands: [zip]\n"
    "    after: {-d: new}\n"
    "    need: [-d]\n"
    "    as: [trace-unpack, -d, '{-d}', '{1}']\n";

static const struct {
	const char *name;
	enum kind kind;
} kinds[] = {{"flag", KIND_FLAG}, {"int", KIND_INT}, {"lines", KIND_LINES}, {"size", KIND_SIZE},
    {"text", KIND_TEXT}, {"glob", KIND_GLOB}, {"path", KIND_PATH}, {"file", KIND_FILE},
    {"dir", KIND_DIR}, {"zip", KIND_ZIP}, {"new", KIND_NEW}, {"number", KIND_NUMBER}};

/* What reads the table says where it is: "table.yaml: commands: ls: options: what is wrong". */
struct place {
	const struct place *in;
	const char *name;
};

static bool
wrong(const struct place *p, const char *what)
{
	struct buf b = {0}, outer = {0};

	for (; p != NULL; p = p->in) {
		char *clean = prog_clean(p->name, strlen(p->name));
		buf_clear(&outer);
		buf_format(&outer, "%s: %s", clean, b.len ? b.data : "");
		buf_clear(&b);
		buf_add(&b, outer.data, outer.len);
		free(clean);
	}
	warnx("%s%s", b.data, what);
	buf_free(&b);
	buf_free(&outer);
	return false;
}

static bool
find_kind(const char *name, size_t len, enum kind *kind)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strlen(kinds[i].name) == len && memcmp(kinds[i].name, name, len) == 0) {
			*kind = kinds[i].kind;
			return true;
		}
	return false;
}

/* A list of strings without NULs. */
static bool
read_strings(const struct place *p, jv value, char ***list)
{
	if (jv_get_kind(value) != JV_KIND_ARRAY)
		return wrong(p, "not a list");
	int count = jv_array_length(jv_copy(value));
	*list = prog_alloc((size_t)count + 1, sizeof **list);
	for (int i = 0; i < count; i++) {
		jv item = jv_array_get(jv_copy(value), i);
		bool text = jv_get_kind(item) == JV_KIND_STRING;
		if (text)
			(*list)[i] =
			    prog_copy(jv_string_value(item), strlen(jv_string_value(item)));
		jv_free(item);
		if (!text)
			return wrong(p, "an item that is no string (quote it)");
	}
	return true;
}

static bool
read_option(const struct place *in, const char *name, jv value, struct option *o)
{
	struct place p = {in, name};

	if (name[0] != '-' || name[1] == '\0' || strcspn(name, "= ") != strlen(name))
		return wrong(&p, "not the name of an option");
	o->name = prog_copy(name, strlen(name));
	if (jv_get_kind(value) == JV_KIND_ARRAY) {
		o->kind = KIND_CHOICE;
		return read_strings(&p, value, &o->choices);
	}
	if (jv_get_kind(value) != JV_KIND_STRING ||
	    !find_kind(jv_string_value(value), strlen(jv_string_value(value)), &o->kind))
		return wrong(&p, "not a kind of value");
	if ((strcmp(name, "-#") == 0) != (o->kind == KIND_NUMBER))
		return wrong(&p, "-# is a number, and no other option is");
	return true;
}

static bool
read_options(const struct place *p, jv value, struct option **options)
{
	bool good = true;
	size_t n = 0;

	if (jv_get_kind(value) != JV_KIND_OBJECT)
		return wrong(p, "not a map of options");
	*options = prog_alloc((size_t)jv_object_length(jv_copy(value)) + 1, sizeof **options);
	jv_object_foreach (value, key, item) {
		good = good && read_option(p, jv_string_value(key), item, &(*options)[n++]);
		jv_free(key);
		jv_free(item);
	}
	return good;
}

static bool
read_operands(const struct place *p, jv value, struct command *c)
{
	char **names = NULL;
	bool good = read_strings(p, value, &names);

	for (size_t i = 0; good && names[i] != NULL; i++)
		c->operand_count++;
	c->operands = prog_alloc(c->operand_count + 1, sizeof *c->operands);
	for (size_t i = 0; good && i < c->operand_count; i++) {
		struct operand *o = &c->operands[i];
		size_t len = strlen(names[i]);
		char last = len > 0 ? names[i][len - 1] : '\0';
		o->many = last == '*' || last == '+';
		o->optional = last == '*' || last == '?';
		len -= o->many || o->optional;
		if (!find_kind(names[i], len, &o->kind) || o->kind == KIND_FLAG ||
		    o->kind == KIND_NUMBER)
			good = wrong(p, "not a kind of operand");
		else if ((o->many || o->optional) && i + 1 < c->operand_count)
			good = wrong(p, "only the last operand may be optional or many");
	}
	for (size_t i = 0; names != NULL && names[i] != NULL; i++)
		free(names[i]);
	free(names);
	return good;
}

static bool
read_command(const struct place *p, jv value, struct command *c)
{
	bool good = true;

	c->name = prog_copy(p->name, strlen(p->name));
	if (jv_get_kind(value) != JV_KIND_OBJECT)
		return wrong(p, "not a map");
	jv_object_foreach (value, key, item) {
		const char *name = jv_string_value(key);
		struct place here = {p, name};
		if (good && strcmp(name, "options") == 0)
			good = read_options(&here, item, &c->options);
		else if (good && strcmp(name, "after") == 0)
			good = read_options(&here, item, &c->after);
		else if (good && strcmp(name, "operands") == 0)
			good = read_operands(&here, item, c);
		else if (good && strcmp(name, "need") == 0)
			good = read_strings(&here, item, &c->need);
		else if (good && strcmp(name, "add") == 0)
			good = read_strings(&here, item, &c->add);
		else if (good && strcmp(name, "as") == 0)
			good = read_strings(&here, item, &c->as);
		else if (good)
			good = wrong(&here, "unknown");
		jv_free(key);
		jv_free(item);
	}
	return good;
}

static bool
read_commands(const struct place *p, jv value, struct table *t)
{
	bool good = true;

	if (jv_get_kind(value) != JV_KIND_OBJECT)
		return wrong(p, "not a map of commands");
	t->commands = prog_alloc((size_t)jv_object_length(jv_copy(value)) + 1, sizeof *t->commands);
	jv_object_foreach (value, key, item) {
		struct place here = {p, jv_string_value(key)};
		good = good && read_command(&here, item, &t->commands[t->count++]);
		jv_free(key);
		jv_free(item);
	}
	return good;
}

static bool
read_limit(const struct place *p, jv value, double most, long *limit)
{
	double n = jv_get_kind(value) == JV_KIND_NUMBER ? jv_number_value(value) : 0;

	if (!(n >= 1 && n <= most) || n != (double)(long)n)
		return wrong(p, "not a whole number in bounds");
	*limit = (long)n;
	return true;
}

static bool
read_table(const char *name, jv value, struct table *t)
{
	struct place top = {NULL, name};
	bool good = true;

	if (jv_get_kind(value) != JV_KIND_OBJECT)
		return wrong(&top, "not a map");
	jv_object_foreach (value, key, item) {
		const char *member = jv_string_value(key);
		struct place here = {&top, member};
		if (good && strcmp(member, "roots") == 0)
			good = read_strings(&here, item, &t->roots);
		else if (good && strcmp(member, "dots") == 0)
			good = read_strings(&here, item, &t->dots);
		else if (good && strcmp(member, "commands") == 0)
			good = read_commands(&here, item, t);
		else if (good && strcmp(member, "seconds") == 0)
			good = read_limit(&here, item, 3600, &t->seconds);
		else if (good && strcmp(member, "memory_mb") == 0)
			good = read_limit(&here, item, 65536, &t->memory_mb);
		else if (good && strcmp(member, "output_bytes") == 0)
			good = read_limit(&here, item, 1 << 28, &t->output_bytes);
		else if (good)
			good = wrong(&here, "unknown");
		jv_free(key);
		jv_free(item);
	}
	return good;
}

static struct table *
table_of(const char *name, jv value)
{
	struct table *t = prog_alloc(1, sizeof *t);

	t->seconds = 10;
	t->memory_mb = 512;
	t->output_bytes = 1 << 18;
	bool good = read_table(name, value, t);
	jv_free(value);
	if (good)
		return t;
	table_free(t);
	return NULL;
}

struct table *
table_text(const char *name, const char *text, size_t len)
{
	struct yamlx_error error;
	jv value = yamlx_parse(text, len, &error);

	if (jv_is_valid(value))
		return table_of(name, value);
	jv_free(value);
	warnx("%s: line %zu: %s", name, error.line, error.why);
	return NULL;
}

struct table *
table_file(const char *path)
{
	jv value = yamlx_file(path);

	if (jv_is_valid(value))
		return table_of(path, value);
	jv_free(value);
	return NULL;
}

const struct command *
table_find(const struct table *t, const char *name)
{
	for (size_t i = 0; i < t->count; i++)
		if (strcmp(t->commands[i].name, name) == 0)
			return &t->commands[i];
	return NULL;
}

static void
free_strings(char **list)
{
	for (size_t i = 0; list != NULL && list[i] != NULL; i++)
		free(list[i]);
	free(list);
}

static void
free_options(struct option *options)
{
	for (struct option *o = options; o != NULL && o->name != NULL; o++) {
		free(o->name);
		free_strings(o->choices);
	}
	free(options);
}

void
table_free(struct table *t)
{
	for (size_t i = 0; i < t->count; i++) {
		struct command *c = &t->commands[i];
		free(c->name);
		free_options(c->options);
		free_options(c->after);
		free(c->operands);
		free_strings(c->need);
		free_strings(c->add);
		free_strings(c->as);
	}
	free(t->commands);
	free_strings(t->roots);
	free_strings(t->dots);
	free(t);
}
