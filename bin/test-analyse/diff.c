#define _GNU_SOURCE /* memmem */
#include "diff.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "place.h"
#include "prog.h"
#include "utf8.h"

enum { HUNKS_MAX = 12000, LITERALS_MAX = 4000, LITERAL_MIN = 4, LISTED_MAX = 200 };
enum { PATH_MOST = 4096, TEXT_MOST = 1 << 16 };

enum class { TEST, HELPER, PRODUCT, CONFIG, DOCS, LOCK, GENERATED };
static const char *const class_name[] = {
    "test", "helper", "product", "config", "docs", "lock", "generated"};

struct literal {
	char *text;
	bool word;     /* an identifier, and not a string */
	bool replaced; /* another stands in its hunk now */
};

/* Each once, in the order they came. */
struct literals {
	struct literal *at;
	size_t count, *slot, slots; /* open addressing: index + 1 */
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
	struct literals removed, added;
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

static size_t
place(const struct literals *l, const char *text, size_t len)
{
	uint64_t h = 14695981039346656037u; /* FNV-1a */

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)text[i]) * 1099511628211u;
	for (h &= l->slots - 1; l->slot[h] != 0; h = (h + 1) & (l->slots - 1)) {
		const char *there = l->at[l->slot[h] - 1].text;
		if (strncmp(there, text, len) == 0 && there[len] == '\0')
			break;
	}
	return h;
}

static bool
has_literal(const struct literals *l, const char *text)
{
	return l->slots > 0 && l->slot[place(l, text, strlen(text))] != 0;
}

static void
grow(struct literals *l)
{
	l->slots = l->slots == 0 ? 64 : 2 * l->slots;
	free(l->slot);
	l->slot = prog_alloc(l->slots, sizeof *l->slot);
	l->at = prog_resize(l->at, l->slots / 2, sizeof *l->at);
	for (size_t i = 0; i < l->count; i++)
		l->slot[place(l, l->at[i].text, strlen(l->at[i].text))] = i + 1;
}

/* True when it is new. */
static bool
add_literal(struct literals *l, const char *text, size_t len, bool word)
{
	if (len < LITERAL_MIN || len > 200 || l->count >= LITERALS_MAX)
		return false;
	if (l->count * 2 >= l->slots)
		grow(l);
	size_t slot = place(l, text, len);
	if (l->slot[slot] != 0)
		return false;
	l->at[l->count++] = (struct literal){prog_copy(text, len), word, false};
	l->slot[slot] = l->count;
	return true;
}

static void
free_literals(struct literals *l)
{
	for (size_t i = 0; i < l->count; i++)
		free(l->at[i].text);
	free(l->at);
	free(l->slot);
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
collect(struct literals *list, const char *p, size_t len)
{
	for (size_t i = 0; i < len;) {
		char c = p[i];
		if (c == '\'' || c == '"' || c == '`') {
			size_t end = i + 1;
			while (end < len && p[end] != c)
				end += p[end] == '\\' && end + 1 < len ? 2 : 1;
			if (end < len)
				add_literal(list, p + i + 1, end - i - 1, false);
			i = end + 1;
		} else if (c == '>' && i + 1 < len) {
			const char *lt = memchr(p + i + 1, '<', len - i - 1);
			size_t n = lt == NULL ? 0 : (size_t)(lt - (p + i + 1));
			bool text = n >= LITERAL_MIN && memchr(p + i + 1, '{', n) == NULL &&
				    memchr(p + i + 1, ';', n) == NULL;
			if (text)
				add_literal(list, p + i + 1, n, false);
			i += text ? n + 1 : 1;
		} else if (word_byte(c)) {
			size_t end = i;
			while (end < len && word_byte(p[end]))
				end++;
			if (!isdigit((unsigned char)c) && !common(p + i, end - i))
				add_literal(list, p + i, end - i, true);
			i = end;
		} else {
			i++;
		}
	}
}

/* Has one of a kind that the other has not. */
static bool
has_new(const struct literals *l, const struct literals *other, bool word)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->at[i].word == word && !has_literal(other, l->at[i].text))
			return true;
	return false;
}

/* What a hunk of the product takes away, and whether it puts another of the kind there. */
static void
read_literals(struct diff *d, const char *hunk, size_t len)
{
	struct literals minus = {0}, plus = {0};
	const char *p = hunk, *end = hunk + len;

	while (p < end) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		size_t n = (size_t)((eol == NULL ? end : eol) - p);
		if (n > 1 && *p == '-')
			collect(&minus, p + 1, n - 1);
		else if (n > 1 && *p == '+')
			collect(&plus, p + 1, n - 1);
		p += n + 1;
	}
	bool replaced[] = {has_new(&plus, &minus, false), has_new(&plus, &minus, true)};
	for (size_t i = 0; i < minus.count; i++) {
		const struct literal *l = &minus.at[i];
		if (!has_literal(&plus, l->text) &&
		    add_literal(&d->removed, l->text, strlen(l->text), l->word))
			d->removed.at[d->removed.count - 1].replaced = replaced[l->word];
	}
	for (size_t i = 0; i < plus.count; i++)
		add_literal(&d->added, plus.at[i].text, strlen(plus.at[i].text), plus.at[i].word);
	free_literals(&minus);
	free_literals(&plus);
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
	return prog_copy(line, len < PATH_MOST ? len : PATH_MOST); /* no system has longer ones */
}

static struct file *
add_file(struct diff *d, char *path)
{
	if ((d->count & (d->count - 1)) == 0)
		d->file = prog_resize(d->file, d->count ? 2 * d->count : 1, sizeof *d->file);
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
	if (b != NULL) {
		len = (size_t)(line + len - b);
		line = b;
	}
	return prog_copy(line, len < PATH_MOST ? len : PATH_MOST);
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
	free_literals(&d->removed);
	free_literals(&d->added);
	free(d);
}

/* Asking. */

/* A text that is searched for many things, most of which are not in it. */
struct searched {
	char *text;              /* its first TEXT_MOST bytes */
	unsigned char has[8192]; /* a bit for what three bytes of it give */
};

static unsigned
three(const char *p)
{
	return ((unsigned char)p[0] * 1021u + (unsigned char)p[1] * 251u + (unsigned char)p[2]) &
	       0xffff;
}

static struct searched *
searched_new(const char *text)
{
	struct searched *s = prog_alloc(1, sizeof *s);

	s->text = prog_copy(text, strnlen(text, TEXT_MOST));
	for (size_t i = 0, len = strlen(s->text); i + 3 <= len; i++)
		s->has[three(s->text + i) / 8] |= (unsigned char)(1u << three(s->text + i) % 8);
	return s;
}

static void
searched_free(struct searched *s)
{
	free(s->text);
	free(s);
}

/* Worth a search? */
static bool
may_have(const struct searched *s, const char *part)
{
	for (size_t i = 0, len = strlen(part); i + 3 <= len; i++)
		if ((s->has[three(part + i) / 8] & 1u << three(part + i) % 8) == 0)
			return false;
	return true;
}

/*
 * By whole parts from the end, and the place must begin at a separator.  The stack may name it from
 * a folder further in: "server/tasks.ts" for "app/server/tasks.ts".
 */
static bool
in_stack(const char *path, const struct searched *stack)
{
	const char *slash = strrchr(path, '/');

	if (!may_have(stack, slash == NULL ? path : slash + 1))
		return false;
	for (; path != NULL; path = slash == NULL ? NULL : slash + 1) {
		size_t n = strlen(path);
		for (const char *p = stack->text; n > 0 && (p = strstr(p, path)) != NULL; p += n)
			if ((p == stack->text || !word_byte(p[-1])) && !word_byte(p[n]))
				return true;
		slash = strchr(path, '/');
		if (slash != NULL && strchr(slash + 1, '/') == NULL)
			break;
	}
	return false;
}

static bool
used(const struct literal *l, const struct searched *words)
{
	size_t n = strlen(l->text);

	if (!may_have(words, l->text))
		return false;
	for (const char *p = words->text; (p = strstr(p, l->text)) != NULL; p++)
		if ((p == words->text || !word_byte(p[-1]) || !word_byte(l->text[0])) &&
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

/* What was changed nearest to the test is told first: its own file, what the stack names, the rest.
 */
enum { NEAR_OWN, NEAR_STACK, NEAR_PRODUCT, NEAR_HELPER, NEAR_OTHER, NEAR_LAST };

static unsigned char
nearness(const struct file *f, const char *file, const struct searched *stack)
{
	if (file != NULL && place_same_file(f->path, file))
		return NEAR_OWN;
	if (stack != NULL && in_stack(f->path, stack))
		return NEAR_STACK;
	return f->class == PRODUCT  ? NEAR_PRODUCT
	       : f->class == HELPER ? NEAR_HELPER
	       : f->class <= CONFIG ? NEAR_OTHER
				    : NEAR_LAST;
}

static jv
hunks_value(const struct diff *d, const unsigned char *near, size_t *dropped)
{
	jv hunks = jv_array();
	size_t room = HUNKS_MAX;

	*dropped = 0;
	for (int step = NEAR_OWN; step <= NEAR_LAST; step++)
		for (size_t i = 0; i < d->count; i++) {
			const struct file *f = &d->file[i];
			if (f->hunks.len == 0 || near[i] != step)
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

/* The literals that went, and that the words of the test have. */
static jv
literals_value(const struct diff *d, const char *text, jv *renamed)
{
	struct searched *words = searched_new(text);
	jv removed = jv_array();

	for (size_t i = 0; i < d->removed.count; i++) {
		const struct literal *l = &d->removed.at[i];
		if (!used(l, words) || has_literal(&d->added, l->text))
			continue; /* not the test's, or moved */
		removed = jv_array_append(removed, jv_string(l->text));
		if (l->replaced)
			*renamed = jv_array_append(*renamed, jv_string(l->text));
	}
	searched_free(words);
	return removed;
}

jv
diff_about(
    const struct diff *d, const char *file, const char *stack, const char *words, size_t *dropped)
{
	bool test = false, helper = false, config = false, stacked = false;
	jv files = jv_array(), product = jv_array(), renamed = jv_array(), v = jv_object();
	unsigned char *near = prog_alloc(d->count + 1, sizeof *near);
	struct searched *names = stack == NULL ? NULL : searched_new(stack);

	for (size_t i = 0; i < d->count; i++) {
		const struct file *f = &d->file[i];
		near[i] = nearness(f, file, names);
		bool own = near[i] == NEAR_OWN;
		test = test || own;
		helper = helper || f->class == HELPER;
		config = config || f->class == CONFIG || f->class == LOCK;
		stacked =
		    stacked || (near[i] == NEAR_STACK && f->class != TEST && f->class != HELPER);
		if (i >= LISTED_MAX)
			continue;
		files = jv_array_append(files, file_value(f));
		if (f->class == PRODUCT && !own)
			product = jv_array_append(product, jv_string(f->path));
	}
	v = jvx_set(v, "files", files);
	v = jvx_set(v, "touches_test", test ? jv_true() : jv_false());
	v = jvx_set(v, "touches_stack", stacked ? jv_true() : jv_false());
	v = jvx_set(v, "touches_helper", helper ? jv_true() : jv_false());
	v = jvx_set(v, "touches_config", config ? jv_true() : jv_false());
	v = jvx_set(v, "product_files", product);
	v = jvx_set(v, "hunks", hunks_value(d, near, dropped));
	v = jvx_set(v, "removed_literals_in_test", literals_value(d, words, &renamed));
	if (names != NULL)
		searched_free(names);
	free(near);
	return jvx_set(v, "renamed_literals", renamed);
}
