/* blob: Playwright's blob report, the events of a run (or of one shard of it), a line each. */
#include <err.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "digest.h"
#include "failmsg.h"
#include "prog.h"
#include "report.h"
#include "scan.h"
#include "when.h"

enum { NEST_MAX = 64 };

struct known {
	char *id; /* Playwright's own of the test */
	struct attempt base;
	int done;
	bool open; /* began, and has not ended */
};

struct blob {
	struct report *r;
	struct tests *tests; /* NULL on the first look */
	struct known *known;
	size_t count, size, *slot, slots;
	uint64_t at; /* of the line */
};

static size_t
place(const struct blob *b, const char *id)
{
	size_t h = 5381;

	for (const char *c = id; *c != '\0'; c++)
		h = h * 33 + (unsigned char)*c;
	for (h &= b->slots - 1; b->slot[h] != 0 && strcmp(b->known[b->slot[h] - 1].id, id) != 0;)
		h = (h + 1) & (b->slots - 1);
	return h;
}

static struct known *
find(const struct blob *b, struct span test_id)
{
	char *id = scan_copy(test_id);
	struct known *k = NULL;

	if (id != NULL && b->slots > 0) {
		size_t at = b->slot[place(b, id)];
		k = at == 0 ? NULL : &b->known[at - 1];
	}
	free(id);
	return k;
}

static struct known *
add(struct blob *b, char *id)
{
	if ((b->count + 1) * 2 > b->slots) {
		b->slots = b->slots == 0 ? 256 : b->slots * 2;
		free(b->slot);
		b->slot = prog_alloc(b->slots, sizeof *b->slot);
		for (size_t i = 0; i < b->count; i++)
			b->slot[place(b, b->known[i].id)] = i + 1;
	}
	size_t at = place(b, id);
	if (b->slot[at] != 0) {
		free(id);
		return NULL;
	}
	if (b->count == b->size) {
		b->size = b->size == 0 ? 128 : b->size * 2;
		b->known = prog_resize(b->known, b->size, sizeof *b->known);
	}
	struct known *k = &b->known[b->count++];
	memset(k, 0, sizeof *k);
	k->id = id;
	attempt_init(&k->base);
	b->slot[at] = b->count;
	return k;
}

static char *
file_of(const struct blob *b, struct span location)
{
	char *file = scan_copy(scan_member(location, "file"));
	size_t n = b->r->root == NULL ? 0 : strlen(b->r->root);

	if (file == NULL)
		return NULL;
	if (n > 1 && strncmp(file, b->r->root, n) == 0 && (file[n] == '/' || file[n] == '\\'))
		memmove(file, file + n + 1, strlen(file + n + 1) + 1);
	for (char *c = file; *c != '\0'; c++)
		if (*c == '\\')
			*c = '/';
	return file;
}

static void
add_titles(struct title *t, struct span title)
{
	struct buf b = {0};

	if (scan_text(title, &b) && b.len > 0)
		title_split(t, b.data, b.len);
	buf_free(&b);
}

static void
add_test(
    struct blob *b, struct span test, const char *project, const struct span *titles, int depth)
{
	char *id = scan_copy(scan_member(test, "testId"));
	struct known *k = id == NULL ? NULL : add(b, id);
	struct span location = scan_member(test, "location");
	struct scan_each it = {0};

	if (k == NULL)
		return;
	struct attempt *a = &k->base;
	a->project =
	    project == NULL || *project == '\0' ? NULL : prog_copy(project, strlen(project));
	a->file = file_of(b, location);
	if (a->file == NULL && depth > 0)
		a->file = scan_copy(titles[0]);
	a->line = scan_whole(scan_member(location, "line"), INT_MAX, 0);
	a->repeat = (int)scan_whole(scan_member(test, "repeatEachIndex"), 100000, 0);
	for (int i = 1; i < depth; i++)
		add_titles(&a->title, titles[i]);
	add_titles(&a->title, scan_member(test, "title"));
	while (scan_each(&it, scan_member(test, "annotations"))) {
		struct span type = scan_member(it.value, "type");
		if (scan_is(type, "skip") || scan_is(type, "fixme"))
			a->expected = 'S';
	}
	it = (struct scan_each){0};
	while (scan_each(&it, scan_member(test, "tags"))) {
		char *tag = scan_copy(it.value);
		if (tag != NULL)
			title_add(&a->tags, tag, strlen(tag));
		free(tag);
	}
}

/* A suite holds suites and tests; since 1.44 both are its entries. */
static void
add_suite(struct blob *b, struct span suite, const char *project, struct span *titles, int depth)
{
	static const char *const members[] = {"entries", "suites", "tests"};

	if (depth == NEST_MAX)
		return;
	titles[depth++] = scan_member(suite, "title");
	for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
		struct scan_each it = {0};
		while (scan_each(&it, scan_member(suite, members[i]))) {
			if (scan_member(it.value, "testId").at != NULL)
				add_test(b, it.value, project, titles, depth);
			else
				add_suite(b, it.value, project, titles, depth);
		}
	}
}

static void
add_project(struct blob *b, struct span project)
{
	struct span titles[NEST_MAX];
	struct scan_each it = {0};
	char *name = scan_copy(scan_member(project, "name"));

	while (scan_each(&it, scan_member(project, "suites")))
		add_suite(b, it.value, name, titles, 0);
	free(name);
}

static char *
prose(const struct blob *b, struct span text)
{
	struct buf raw = {0}, plain = {0}, out = {0};
	size_t n = b->r->root == NULL ? 0 : strlen(b->r->root);

	if (!scan_text(text, &raw))
		return NULL;
	failmsg_plain(raw.data == NULL ? "" : raw.data, raw.len, &plain);
	const char *at = plain.data == NULL ? "" : plain.data, *found;
	while (n > 1 && (found = strstr(at, b->r->root)) != NULL) {
		bool inside = found[n] == '/' || found[n] == '\\';
		buf_add(&out, at, (size_t)(found - at) + (inside ? 0 : n));
		at = found + n + inside;
	}
	buf_text(&out, at);
	buf_free(&raw);
	buf_free(&plain);
	return out.data;
}

static void
read_fault(const struct blob *b, struct span error, struct fault *f)
{
	struct span location = scan_member(error, "location");

	f->message = prose(b, scan_member(error, "message"));
	if (f->message == NULL)
		f->message = prose(b, scan_member(error, "value"));
	f->stack = prose(b, scan_member(error, "stack"));
	f->snippet = prose(b, scan_member(error, "snippet"));
	f->file = file_of(b, location);
	f->line = scan_whole(scan_member(location, "line"), INT_MAX, 0);
	f->column = scan_whole(scan_member(location, "column"), INT_MAX, 0);
}

/* The first that is called "trace": its path inside the blob. */
static void
read_attachments(struct span attachments, char **trace)
{
	struct scan_each it = {0};

	while (*trace == NULL && scan_each(&it, attachments))
		if (scan_is(scan_member(it.value, "name"), "trace"))
			*trace = scan_copy(scan_member(it.value, "path"));
}

/* Newer releases tell of attachments as they come, and not at the end. */
static void
test_attach(struct blob *b, struct span params)
{
	struct known *k = find(b, scan_member(params, "testId"));

	if (k != NULL && k->open)
		read_attachments(scan_member(params, "attachments"), &k->base.trace);
}

static void
test_begin(struct blob *b, struct span params)
{
	struct span result = scan_member(params, "result");
	struct known *k = find(b, scan_member(params, "testId"));

	if (k == NULL)
		return;
	k->open = true;
	free(k->base.trace);
	k->base.trace = NULL;
	free(k->base.started_at);
	k->base.started_at = when_text(scan_number(scan_member(result, "startTime"), -1));
	k->base.worker = (int)scan_whole(scan_member(result, "workerIndex"), INT_MAX, -1);
	k->base.retry = (int)scan_whole(scan_member(result, "retry"), INT_MAX, 0);
}

static void
test_end(struct blob *b, struct span params)
{
	struct span test = scan_member(params, "test"), result = scan_member(params, "result");
	struct known *k = find(b, scan_member(test, "testId"));
	struct span errors = scan_member(result, "errors");
	struct scan_each it = {0};

	if (k == NULL)
		return;
	read_attachments(scan_member(result, "attachments"), &k->base.trace);
	struct attempt a = k->base;
	char *status = scan_copy(scan_member(result, "status"));
	char *expected = scan_copy(scan_member(test, "expectedStatus"));
	a.status = status_letter(status);
	a.expected = status_letter(expected);
	a.duration_ms = scan_number(scan_member(result, "duration"), -1);
	a.attempts_known = true;
	while (scan_each(&it, errors))
		if (a.errors++ == 0) {
			read_fault(b, it.value, &a.error);
			a.has_error = true;
		}
	if (a.expected == 'F' && a.status == 'P' && !a.has_error) {
		a.error.message = prog_copy("Expected to fail, but passed.", 29);
		a.error.synthetic = a.has_error = true;
	}
	if (a.status != 0)
		tests_attempt(b->tests, &a);
	fault_free(&a.error);
	k->done++;
	k->open = false;
	free(status);
	free(expected);
}

static void
configure(struct blob *b, struct span config)
{
	struct scan_each it = {0}, inner;
	struct report *r = b->r;
	struct buf path = {0}, value = {0};
	char *version = scan_copy(scan_member(config, "version"));

	free(r->root);
	r->root = scan_copy(scan_member(config, "rootDir"));
	if (version != NULL && r->run.tool == NULL) {
		buf_format(&value, "playwright %.40s", version);
		r->run.tool = prog_copy(value.data, value.len);
	}
	free(version);
	while (scan_each(&it, scan_member(config, "metadata"))) {
		inner = (struct scan_each){0};
		if (scan_kind(it.value) != '{')
			continue;
		while (scan_each(&inner, it.value)) {
			buf_clear(&path);
			buf_clear(&value);
			if (!scan_text(it.key, &path))
				continue;
			buf_byte(&path, '.');
			if (scan_text(inner.key, &path) && scan_text(inner.value, &value) &&
			    value.len > 0)
				metadata_text(&r->run, path.data, value.data);
		}
	}
	buf_free(&path);
	buf_free(&value);
}

static void
event(struct blob *b, struct span line)
{
	struct span method = scan_member(line, "method"), params = scan_member(line, "params");
	struct report *r = b->r;

	if (scan_is(method, "onBlobReportMetadata")) {
		r->run.shard =
		    (int)scan_whole(scan_path(params, "shard", "current", NULL), INT_MAX, 0);
	} else if (scan_is(method, "onConfigure")) {
		configure(b, scan_member(params, "config"));
	} else if (b->tests == NULL && scan_is(method, "onEnd")) {
		free(r->run.start);
		r->run.start =
		    when_text(scan_number(scan_path(params, "result", "startTime", NULL), -1));
	} else if (b->tests == NULL && scan_is(method, "onError")) {
		struct fault f = {0};
		read_fault(b, scan_member(params, "error"), &f);
		report_error(r, &f);
		fault_free(&f);
	} else if (b->tests != NULL && scan_is(method, "onProject")) {
		add_project(b, scan_member(params, "project"));
	} else if (b->tests != NULL && scan_is(method, "onTestBegin")) {
		test_begin(b, params);
	} else if (b->tests != NULL && scan_is(method, "onAttach")) {
		test_attach(b, params);
	} else if (b->tests != NULL && scan_is(method, "onTestEnd")) {
		test_end(b, params);
	}
}

static bool
walk(struct blob *b, struct digest *digest)
{
	FILE *f = fdopen(dup(b->r->fd), "r");
	char *line = NULL;
	size_t size = 0;
	ssize_t len;
	bool good = true;

	if (f == NULL || fseeko(f, 0, SEEK_SET) != 0)
		err(TROUBLE, "%s", b->r->name);
	while (good && (len = getline(&line, &size, f)) > 0) {
		struct scan_error error;
		if (digest != NULL)
			digest_add(digest, line, (size_t)len);
		struct span whole = scan_trim(line, (size_t)len);
		if (whole.len > 0 && !scan_check(line, (size_t)len, &error)) {
			report_complain(b->r, b->at + error.at, error.why);
			good = false;
		} else if (whole.len > 0) {
			event(b, whole);
		}
		b->at += (uint64_t)len;
	}
	if (good && ferror(f)) {
		report_complain(b->r, b->at, "cannot be read");
		good = false;
	}
	free(line);
	fclose(f);
	return good;
}

bool
blob_look(struct report *r)
{
	struct blob b = {.r = r};
	struct digest *digest = digest_new();
	bool good = walk(&b, digest);

	digest_end(digest, r->digest);
	r->run.source = "playwright-blob";
	return good;
}

void
blob_read(struct report *r, struct tests *tests)
{
	struct blob b = {.r = r, .tests = tests};

	walk(&b, NULL);
	for (size_t i = 0; i < b.count; i++) {
		struct known *k = &b.known[i];
		if (k->open || k->done == 0) {
			k->base.status = k->open ? 'I' : k->base.expected == 'S' ? 'S' : 'N';
			k->base.attempts_known = true;
			tests_attempt(tests, &k->base);
		}
		attempt_free(&k->base);
		free(k->id);
	}
	free(b.known);
	free(b.slot);
}
