#define _GNU_SOURCE /* memmem */
#include "diff.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "place.h"
#include "prog.h"
#include "utf8.h"

enum { HUNKS_MAX = 12000, LITERALS_MAX = 4000, LITERAL_MIN = 4, LISTED_MAX = 200 };

enum class { TEST, HELPER, PRODUCT, CONFIG, DOCS, LOCK, GENERATED };
static const char *const class_name[] = {
    "test", "helper", "product", "config", "docs", "lock", "generated"};

struct literal {
	char *text;
	bool word;     /* an identifier, and not a string */
	bool replaced; /* another stands in its hunk now */
};

struct file {
	char *path;
	const char *status; /* "added", "deleted", "renamed", "modified" */
	enum class class;
	long adds, dels;
	struct buf hunks;
};

struct diff {
	struct file *file;
	size_t count;
	struct literal *removed, *added;
	size_t removed_count, added_count;
};

static bool
ends(const char *text, const char *with)
{
	size_t a = strlen(text), b = strlen(with);
	return a >= b && strcmp(text + a - b, with) == 0;
}

static bool
in_list(const char *text, const char *const list[], bool (*is)(const char *, const char *))
{
	for (; *list != NULL; list++)
		if (is(text, *list))
			return true;
	return false;
}

static bool
contains(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

static enum class class_of(const char *path) {
	static const char *const locks[] = {"package-lock.json", "yarn.lock", "pnpm-lock.yaml",
	    "Cargo.lock", "poetry.lock", "go.sum", "Gemfile.lock", "composer.lock", "bun.lockb",
	    "uv.lock", NULL};
	static const char *const specs[] = {".spec.", ".test.", "_test.go", "_test.py", "_spec.rb",
	    "Test.java", "Tests.java", "IT.java", "Test.kt", "Tests.cs", "Spec.scala", ".cy.",
	    ".e2e.", NULL};
	static const char *const helpers[] = {"/tests/", "/test/", "/__tests__/", "/e2e/", "/spec/",
	    "/specs/", "/cypress/", "/fixtures/", "/__mocks__/", "/__fixtures__/", "/playwright/",
	    "/testing/", "/page-objects/", "/pageobjects/", NULL};
	static const char *const docs[] = {".md", ".rst", ".adoc", ".txt", "LICENSE", "CHANGELOG",
	    NULL};
	static const char *const generated[] = {"/dist/", "/build/", "/generated/", "/vendor/",
	    ".min.js", ".snap", ".map", "/node_modules/", NULL};
	static const char *const config[] = {"playwright.config.", "jest.config.", "vite.config.",
	    "vitest.config.", "webpack.config.", "tsconfig", ".eslintrc", "eslint.config",
	    "package.json", "Dockerfile", "docker-compose", ".github/", ".gitlab-ci", "Jenkinsfile",
	    "/.env", "pom.xml", "build.gradle", "pyproject.toml", "requirements", "go.mod",
	    "Makefile", ".circleci/", "azure-pipelines", "babel.config", ".nvmrc", ".npmrc", NULL};
	struct buf b = {0};
	enum class class = PRODUCT;

	buf_format(&b, "/%s", path);
	const char *slash = strrchr(b.data, '/') + 1;
	if (in_list(slash, locks, ends)) class = LOCK;
	else if (in_list(b.data, generated, contains)) class = GENERATED;
	else if (in_list(slash, specs, contains) || strncmp(slash, "test_", 5) == 0) class = TEST;
	else if (in_list(b.data, config, contains)) class = CONFIG;
	else if (in_list(b.data, helpers, contains)) class = HELPER;
	else if (in_list(slash, docs, ends)) class = DOCS;
	else if (ends(slash, ".yml") || ends(slash, ".yaml") || ends(slash, ".toml") ||
		 ends(slash, ".ini")) class
	= CONFIG;
	buf_free(&b);
	return class;
}

/* Literals. */

static void
add_literal(struct literal **list, size_t *count, const char *text, size_t len, bool word)
{
	if (len < LITERAL_MIN || len > 200 || *count >= LITERALS_MAX)
		return;
	for (size_t i = 0; i < *count; i++)
		if (strncmp((*list)[i].text, text, len) == 0 && (*list)[i].text[len] == '\0')
			return;
	*list = prog_resize(*list, *count + 1, sizeof **list);
	(*list)[(*count)++] = (struct literal){prog_copy(text, len), word, false};
}

/* Words that every program is made of say nothing about this one. */
static bool
common(const char *text, size_t len)
{
	static const char words[] =
	    " return const await async function import export default from status json send true "
	    "false "
	    "null undefined this class extends type interface string number boolean promise then "
	    "catch "
	    "error data value name length push filter map foreach reduce find slice includes test "
	    "expect "
	    "page click text body request response params query result results item items list "
	    "index "
	    "state props usestate useeffect usememo usecallback useref render onclick onchange "
	    "classname "
	    "style children else while break continue switch case throw typeof instanceof void "
	    "static "
	    "public private protected readonly self void object array parse stringify keys values "
	    "entries "
	    "target event button input label form main section header span title href role aria "
	    "disabled checked hidden visible message code date time user users next prev previous "
	    "current total count first last order sort join split trim tostring math json console "
	    "require module exports router app server client http https headers method path file "
	    "id "
	    "settimeout cleartimeout finally yield super delete update create remove insert select "
	    "where "
	    "limit offset page props void enum implements package final string integer list map "
	    "none "
	    "print format args kwargs init true false with open read write close ";
	char key[24];

	if (len > sizeof key - 3)
		return false;
	key[0] = ' ';
	for (size_t i = 0; i < len; i++)
		key[i + 1] = (char)tolower((unsigned char)text[i]);
	key[len + 1] = ' ';
	key[len + 2] = '\0';
	return strstr(words, key) != NULL;
}

static bool
word_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Strings, the text between tags, and identifiers of a line of code. */
static void
collect(struct literal **list, size_t *count, const char *p, size_t len)
{
	for (size_t i = 0; i < len;) {
		char c = p[i];
		if (c == '\'' || c == '"' || c == '`') {
			size_t end = i + 1;
			while (end < len && p[end] != c)
				end += p[end] == '\\' && end + 1 < len ? 2 : 1;
			if (end < len)
				add_literal(list, count, p + i + 1, end - i - 1, false);
			i = end + 1;
		} else if (c == '>' && i + 1 < len) {
			const char *lt = memchr(p + i + 1, '<', len - i - 1);
			size_t n = lt == NULL ? 0 : (size_t)(lt - (p + i + 1));
			bool text = n >= LITERAL_MIN && memchr(p + i + 1, '{', n) == NULL &&
				    memchr(p + i + 1, ';', n) == NULL;
			if (text)
				add_literal(list, count, p + i + 1, n, false);
			i += text ? n + 1 : 1;
		} else if (word_byte(c)) {
			size_t end = i;
			while (end < len && word_byte(p[end]))
				end++;
			if (!isdigit((unsigned char)c) && !common(p + i, end - i))
				add_literal(list, count, p + i, end - i, true);
			i = end;
		} else {
			i++;
		}
	}
}

static bool
has_literal(const struct literal *list, size_t count, const char *text)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i].text, text) == 0)
			return true;
	return false;
}

static void
free_literals(struct literal *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(list[i].text);
	free(list);
}

/* What a hunk of the product takes away, and whether it puts another of the kind there. */
static void
read_literals(struct diff *d, const char *hunk, size_t len)
{
	struct literal *minus = NULL, *plus = NULL;
	size_t minus_count = 0, plus_count = 0;
	const char *p = hunk, *end = hunk + len;

	while (p < end) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		size_t n = (size_t)((eol == NULL ? end : eol) - p);
		if (n > 1 && *p == '-')
			collect(&minus, &minus_count, p + 1, n - 1);
		else if (n > 1 && *p == '+')
			collect(&plus, &plus_count, p + 1, n - 1);
		p += n + 1;
	}
	for (size_t i = 0; i < minus_count; i++) {
		struct literal *l = &minus[i];
		if (has_literal(plus, plus_count, l->text))
			continue;
		for (size_t k = 0; k < plus_count && !l->replaced; k++)
			l->replaced = plus[k].word == l->word &&
				      !has_literal(minus, minus_count, plus[k].text);
		size_t before = d->removed_count;
		add_literal(&d->removed, &d->removed_count, l->text, strlen(l->text), l->word);
		if (d->removed_count > before)
			d->removed[before].replaced = l->replaced;
	}
	for (size_t k = 0; k < plus_count; k++)
		add_literal(
		    &d->added, &d->added_count, plus[k].text, strlen(plus[k].text), plus[k].word);
	free_literals(minus, minus_count);
	free_literals(plus, plus_count);
}

/* Reading. */

static char *
path_of(const char *line, size_t len)
{
	/* "--- a/x", "+++ b/x", with a tab and a time after it in some */
	const char *tab = memchr(line, '\t', len);

	if (tab != NULL)
		len = (size_t)(tab - line);
	while (len > 0 && (line[len - 1] == '\r' || line[len - 1] == '"'))
		len--;
	if (len > 0 && *line == '"')
		line++, len--;
	if (len > 2 && (line[0] == 'a' || line[0] == 'b') && line[1] == '/')
		line += 2, len -= 2;
	return prog_copy(line, len);
}

static struct file *
add_file(struct diff *d, char *path)
{
	d->file = prog_resize(d->file, d->count + 1, sizeof *d->file);
	struct file *f = &d->file[d->count++];
	*f = (struct file){.path = path, .status = "modified"};
	f->class = class_of(path);
	return f;
}

static void
close_hunk(struct diff *d, struct file *f, const char *from, const char *to)
{
	if (f == NULL || from == NULL || to <= from)
		return;
	buf_add(&f->hunks, from, (size_t)(to - from));
	if (to[-1] != '\n')
		buf_byte(&f->hunks, '\n');
	if (f->class == PRODUCT || f->class == CONFIG)
		read_literals(d, from, (size_t)(to - from));
}

/* The name in "diff --git a/x b/x": the half of it, since both are the same unless renamed. */
static char *
git_path(const char *line, size_t len)
{
	const char *b = NULL;

	for (size_t i = 0; i + 3 < len; i++)
		if (memcmp(line + i, " b/", 3) == 0)
			b = line + i + 3;
	return b == NULL ? prog_copy(line, len) : prog_copy(b, (size_t)(line + len - b));
}

struct diff *
diff_read(const char *text, size_t len)
{
	struct diff *d = prog_alloc(1, sizeof *d);
	struct file *f = NULL;
	const char *p = text, *end = text + len, *hunk = NULL;
	bool git = false;

	while (p < end) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		size_t n = (size_t)((eol == NULL ? end : eol) - p);
		const char *next = eol == NULL ? end : eol + 1;
		if (n > 11 && memcmp(p, "diff --git ", 11) == 0) {
			close_hunk(d, f, hunk, p);
			hunk = NULL;
			git = true;
			f = add_file(d, git_path(p + 11, n - 11));
		} else if (hunk == NULL && n > 4 && memcmp(p, "+++ ", 4) == 0) {
			char *path = path_of(p + 4, n - 4);
			if (!git)
				f = add_file(d, path);
			else
				free(path);
		} else if (f != NULL && hunk == NULL && n > 8 && memcmp(p, "new file", 8) == 0) {
			f->status = "added";
		} else if (f != NULL && hunk == NULL && n > 12 &&
			   memcmp(p, "deleted file", 12) == 0) {
			f->status = "deleted";
		} else if (f != NULL && hunk == NULL && n > 11 &&
			   memcmp(p, "rename from", 11) == 0) {
			f->status = "renamed";
		} else if (n >= 2 && memcmp(p, "@@", 2) == 0) {
			close_hunk(d, f, hunk, p);
			hunk = p;
		} else if (f != NULL && hunk != NULL && n > 0) {
			if (!git && n > 4 && memcmp(p, "--- ", 4) == 0 && next + 4 < end &&
			    memcmp(next, "+++ ", 4) == 0) {
				close_hunk(d, f, hunk, p);
				hunk = NULL;
			} else {
				f->adds += *p == '+';
				f->dels += *p == '-';
			}
		} else if (f != NULL && hunk == NULL && n > 0 && git && (*p == '+' || *p == '-') &&
			   !(n > 3 && (memcmp(p, "---", 3) == 0 || memcmp(p, "+++", 3) == 0))) {
			hunk = p; /* an excerpt without its "@@" */
			f->adds += *p == '+';
			f->dels += *p == '-';
		}
		p = next;
	}
	close_hunk(d, f, hunk, end);
	return d;
}

void
diff_free(struct diff *d)
{
	if (d == NULL)
		return;
	for (size_t i = 0; i < d->count; i++) {
		free(d->file[i].path);
		buf_free(&d->file[i].hunks);
	}
	free(d->file);
	free_literals(d->removed, d->removed_count);
	free_literals(d->added, d->added_count);
	free(d);
}

/* Asking. */

/* By whole parts from the end, and the place must begin at a separator. */
static bool
in_stack(const char *path, const char *stack)
{
	size_t n = strlen(path);

	for (const char *p = stack; (p = strstr(p, path)) != NULL; p += n)
		if ((p == stack || !word_byte(p[-1])) && !word_byte(p[n]))
			return true;
	/* The stack may name it from a folder further in: "server/tasks.ts" for
	 * "app/server/tasks.ts" */
	const char *slash = strchr(path, '/');
	return slash != NULL && strchr(slash + 1, '/') != NULL && in_stack(slash + 1, stack);
}

static bool
used(const struct literal *l, const char *words)
{
	size_t n = strlen(l->text);

	for (const char *p = words; (p = strstr(p, l->text)) != NULL; p++)
		if ((p == words || !word_byte(p[-1]) || !word_byte(l->text[0])) &&
		    (!word_byte(p[n]) || !word_byte(l->text[n - 1])))
			return true;
	return false;
}

static jv
file_value(const struct file *f)
{
	jv v = jvx_set_text(jv_object(), "path", f->path);

	v = jvx_set_text(v, "status", f->status);
	v = jvx_set_number(v, "adds", (double)f->adds);
	v = jvx_set_number(v, "dels", (double)f->dels);
	return jvx_set_text(v, "class", class_name[f->class]);
}

static jv
hunk_value(const struct file *f, size_t len)
{
	struct buf text = {0};
	jv v = jvx_set_text(jv_object(), "file", f->path);

	utf8_mend(&text, f->hunks.data, utf8_floor(f->hunks.data, f->hunks.len, len));
	v = jvx_set(v, "text", jv_string_sized(text.data == NULL ? "" : text.data, (int)text.len));
	buf_free(&text);
	return v;
}

/* What was changed nearest to the test is told first. */
static int
nearness(const struct file *f, const char *file, const char *stack)
{
	if (file != NULL && place_same_file(f->path, file))
		return 0;
	if (stack != NULL && in_stack(f->path, stack))
		return 1;
	return f->class == PRODUCT ? 2 : f->class == HELPER ? 3 : f->class <= CONFIG ? 4 : 5;
}

static jv
hunks_value(const struct diff *d, const char *file, const char *stack, size_t *dropped)
{
	jv hunks = jv_array();
	size_t room = HUNKS_MAX;

	*dropped = 0;
	for (int near = 0; near <= 5; near++)
		for (size_t i = 0; i < d->count; i++) {
			const struct file *f = &d->file[i];
			if (f->hunks.len == 0 || nearness(f, file, stack) != near)
				continue;
			size_t len = f->hunks.len < room ? f->hunks.len : room;
			*dropped += f->hunks.len - len;
			if (len == 0)
				continue;
			hunks = jv_array_append(hunks, hunk_value(f, len));
			room -= len;
		}
	return hunks;
}

jv
diff_about(
    const struct diff *d, const char *file, const char *stack, const char *words, size_t *dropped)
{
	bool test = false, helper = false, config = false, stacked = false;
	jv files = jv_array(), product = jv_array(), removed = jv_array(), renamed = jv_array();
	jv v = jv_object();

	for (size_t i = 0; i < d->count; i++) {
		const struct file *f = &d->file[i];
		bool own = file != NULL && place_same_file(f->path, file);
		test = test || own;
		helper = helper || f->class == HELPER;
		config = config || f->class == CONFIG || f->class == LOCK;
		if (f->class != TEST && f->class != HELPER && !own && stack != NULL)
			stacked = stacked || in_stack(f->path, stack);
		if (i >= LISTED_MAX)
			continue;
		files = jv_array_append(files, file_value(f));
		if (f->class == PRODUCT && !own)
			product = jv_array_append(product, jv_string(f->path));
	}
	for (size_t i = 0; i < d->removed_count; i++) {
		const struct literal *l = &d->removed[i];
		if (has_literal(d->added, d->added_count, l->text) || !used(l, words))
			continue; /* moved, or not the test's */
		removed = jv_array_append(removed, jv_string(l->text));
		if (l->replaced)
			renamed = jv_array_append(renamed, jv_string(l->text));
	}
	v = jvx_set(v, "files", files);
	v = jvx_set(v, "touches_test", test ? jv_true() : jv_false());
	v = jvx_set(v, "touches_stack", stacked ? jv_true() : jv_false());
	v = jvx_set(v, "touches_helper", helper ? jv_true() : jv_false());
	v = jvx_set(v, "touches_config", config ? jv_true() : jv_false());
	v = jvx_set(v, "product_files", product);
	v = jvx_set(v, "hunks", hunks_value(d, file, stack, dropped));
	v = jvx_set(v, "removed_literals_in_test", removed);
	return jvx_set(v, "renamed_literals", renamed);
}
