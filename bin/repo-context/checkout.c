#include "checkout.h"

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "git.h"
#include "prog.h"
#include "utf8.h"

enum { LIST_MAX = 256 << 20, FILE_MAX = 1 << 20, FILES_MAX = 1000000, DEPTH_MAX = 64 };

struct checkout {
	int folder;
	char **names;
	size_t count;
};

static void
add_name(struct checkout *c, const char *name, size_t len)
{
	if ((c->count & (c->count - 1)) == 0)
		c->names = prog_resize(c->names, c->count ? 2 * c->count : 1, sizeof *c->names);
	c->names[c->count++] = prog_copy(name, len);
}

/* Names that begin with a dot are the business of tools, and of those who keep secrets in them. */
static bool
has_dot_part(const char *name)
{
	return name[0] == '.' || strstr(name, "/.") != NULL;
}

/* Add what is below the open folder dir, called path from the top. */
static void
walk(struct checkout *c, int dir, struct buf *path, int depth)
{
	DIR *d = fdopendir(dir);
	struct dirent *entry;
	struct stat st;

	if (d == NULL) {
		close(dir);
		return;
	}
	while (c->count < FILES_MAX && (entry = readdir(d)) != NULL) {
		size_t len = path->len;
		if (entry->d_name[0] == '.' || strcmp(entry->d_name, "node_modules") == 0 ||
		    fstatat(dirfd(d), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
			continue;
		buf_format(path, "%s%s", len > 0 ? "/" : "", entry->d_name);
		if (S_ISREG(st.st_mode)) {
			add_name(c, path->data, path->len);
		} else if (S_ISDIR(st.st_mode) && depth > 0) {
			int sub = openat(dirfd(d), entry->d_name,
			    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
			if (sub >= 0)
				walk(c, sub, path, depth - 1);
		}
		path->len = len;
		path->data[len] = '\0';
	}
	closedir(d);
}

static int
by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

struct checkout *
checkout_open(const char *path)
{
	char *tracked[] = {"ls-files", "-z", NULL};
	struct checkout *c = prog_alloc(1, sizeof *c);
	struct buf names = {0};

	c->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (c->folder < 0)
		err(TROUBLE, "%s", path);
	if (git_ask(path, tracked, &names, LIST_MAX)) {
		for (size_t i = 0; i < names.len && c->count < FILES_MAX;) {
			size_t len = strnlen(names.data + i, names.len - i);
			char *name = prog_copy(names.data + i, len);
			if (!has_dot_part(name))
				add_name(c, name, len);
			free(name);
			i += len + 1;
		}
	} else {
		int top = openat(c->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		buf_clear(&names);
		buf_text(&names, "");
		if (top < 0)
			err(TROUBLE, "%s", path);
		walk(c, top, &names, DEPTH_MAX);
	}
	buf_free(&names);
	if (c->count > 0)
		qsort(c->names, c->count, sizeof *c->names, by_bytes);
	return c;
}

void
checkout_close(struct checkout *c)
{
	for (size_t i = 0; i < c->count; i++)
		free(c->names[i]);
	free(c->names);
	close(c->folder);
	free(c);
}

size_t
checkout_count(const struct checkout *c)
{
	return c->count;
}

const char *
checkout_name(const struct checkout *c, size_t file)
{
	return c->names[file];
}

/* How many whole segments a and b agree in, from the end. */
static size_t
agreement(const char *a, const char *b)
{
	const char *p = a + strlen(a), *q = b + strlen(b);
	size_t segments = 0;

	while (p > a && q > b && p[-1] == q[-1]) {
		if (p[-1] == '/')
			segments++;
		p--;
		q--;
	}
	bool whole = (p == a || p[-1] == '/') && (q == b || q[-1] == '/');
	/* A last common '/' was counted before the segment behind it began. */
	return segments + (whole && *p != '/' && *p != '\0');
}

long
checkout_find(const struct checkout *c, const char *recorded)
{
	char *path = prog_copy(recorded, strlen(recorded)), *start = strstr(path, "://");
	size_t best = 0, equal = 0;
	long found = -1;

	if (start != NULL) {
		start[strcspn(start, "?#")] = '\0';
		start += 3;
		start += strcspn(start, "/");
	} else {
		start = path;
	}
	for (char *p = start; *p != '\0'; p++)
		if (*p == '\\')
			*p = '/';
	for (size_t i = 0; i < c->count; i++) {
		size_t n = agreement(start, c->names[i]);
		if (n > best) {
			best = n;
			equal = 0;
			found = (long)i;
		}
		equal += n == best && n > 0;
	}
	free(path);
	return equal == 1 ? found : -1;
}

/* Open name below folder, a segment at a time, without following a link. */
static int
open_beneath(int folder, const char *name)
{
	int at = dup(folder);
	const char *slash;

	while (at >= 0 && (slash = strchr(name, '/')) != NULL) {
		char *part = prog_copy(name, (size_t)(slash - name));
		int next = strcmp(part, "..") == 0
			       ? -1
			       : openat(at, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		free(part);
		close(at);
		at = next;
		name = slash + 1;
	}
	if (at < 0)
		return -1;
	int fd = openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	close(at);
	return fd;
}

bool
checkout_read(const struct checkout *c, size_t file, struct buf *b)
{
	struct stat st;
	ssize_t got;
	int fd = open_beneath(c->folder, c->names[file]);

	buf_clear(b);
	if (fd < 0)
		return false;
	bool good = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= FILE_MAX;
	while (good) {
		buf_reserve(b, 65536);
		got = read(fd, b->data + b->len, 65536);
		if (got < 0 && errno == EINTR)
			continue;
		good = got >= 0 && b->len + (size_t)(got > 0 ? got : 0) <= FILE_MAX;
		if (got <= 0)
			break;
		b->len += (size_t)got;
	}
	close(fd);
	buf_text(b, "");
	return good && b->len > 0 && memchr(b->data, '\0', b->len) == NULL &&
	       utf8_valid(b->data, b->len) == b->len;
}
