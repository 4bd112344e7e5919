#define _GNU_SOURCE /* O_PATH */
#include "roots.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buf.h"
#include "prog.h"

#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

struct root {
	char *given; /* an absolute path as it was written, or NULL */
	int fd;
};

struct roots {
	struct root *list;
	char **real; /* of each in list; NULL at the end */
	size_t count;
	char *const *dots;
	char *cwd; /* NULL: not known, so that no relative path is allowed */
};

/* "/tmp/" is "/tmp". */
static char *
without_slashes(const char *path)
{
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	return prog_copy(path, len);
}

struct roots *
roots_open(char *const *folders, char *const *dots)
{
	struct roots *r = prog_alloc(1, sizeof *r);
	size_t n = 0;

	while (folders[n] != NULL)
		n++;
	r->list = prog_alloc(n + 1, sizeof *r->list);
	r->real = prog_alloc(n + 1, sizeof *r->real);
	r->dots = dots;
	r->cwd = realpath(".", NULL);
	for (; *folders != NULL; folders++) {
		char *real = realpath(*folders, NULL);
		int fd = real ? open(real, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
		if (fd < 0) {
			free(real);
			continue;
		}
		r->real[r->count] = real;
		r->list[r->count++] = (struct root){
		    .given = **folders == '/' ? without_slashes(*folders) : NULL, .fd = fd};
	}
	return r;
}

char *const *
roots_list(const struct roots *r)
{
	return r->real;
}

void
roots_close(struct roots *r)
{
	for (size_t i = 0; i < r->count; i++) {
		close(r->list[i].fd);
		free(r->list[i].given);
		free(r->real[i]);
	}
	free(r->list);
	free(r->real);
	free(r->cwd);
	free(r);
}

static bool
dot_allowed(const struct roots *r, const char *name, size_t len)
{
	for (char *const *d = r->dots; d != NULL && *d != NULL; d++)
		if (strlen(*d) == len && memcmp(*d, name, len) == 0)
			return true;
	return false;
}

/* The names of a path as it is written. */
static const char *
refuse_names(const struct roots *r, const char *path, size_t *at)
{
	for (const char *p = path; *p != '\0';) {
		size_t len = strcspn(p, "/");
		*at = (size_t)(p - path);
		if (len == 2 && memcmp(p, "..", 2) == 0)
			return "\"..\" in a path";
		if (len > 1 && *p == '.' && !dot_allowed(r, p, len))
			return "a name that begins with a dot";
		if (len > NAME_MAX)
			return "a name too long";
		p += len;
		p += *p == '/';
	}
	*at = 0;
	return NULL;
}

/* What of path is left beneath folder; NULL when it is not beneath it. */
static const char *
beneath(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	if (strcmp(folder, "/") == 0)
		return path + 1;
	if (strncmp(path, folder, len) != 0 || (path[len] != '\0' && path[len] != '/'))
		return NULL;
	return path + len + (path[len] == '/');
}

/* Step into the folders of rest from fd (which is closed), following no link.  The last name is
 * left to the caller, or "." when there is none; -1: no such folder, or a link. */
static int
walk(int fd, char *rest, const char **last)
{
	*last = ".";
	char *state;
	for (char *name = strtok_r(rest, "/", &state), *next; name != NULL && fd >= 0;
	     name = next) {
		next = strtok_r(NULL, "/", &state);
		*last = name;
		if (next == NULL)
			break;
		int into = openat(fd, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		close(fd);
		fd = into;
	}
	return fd;
}

static const char *
refuse_kind(int fd, const char *name, enum place_kind kind)
{
	struct stat st;

	if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return kind == PLACE_NEW && errno == ENOENT ? NULL : "no such file or folder";
	if (kind == PLACE_NEW)
		return "it is there already";
	if (S_ISLNK(st.st_mode))
		return "a symbolic link";
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return "neither file nor folder";
	if (kind == PLACE_FILE && !S_ISREG(st.st_mode))
		return "not a file";
	if (kind == PLACE_DIR && !S_ISDIR(st.st_mode))
		return "not a folder";
	return NULL;
}

const char *
roots_refuse(const struct roots *r, const char *path, enum place_kind kind, size_t *at)
{
	const char *why = refuse_names(r, path, at), *last, *rest = NULL;
	struct buf whole = {0};
	size_t i;

	if (why != NULL)
		return why;
	if (*path == '\0' || strlen(path) >= PATH_MAX)
		return "not a path";
	if (*path != '/' && r->cwd == NULL)
		return "the working folder is not known";
	if (*path != '/')
		buf_format(&whole, "%s/", strcmp(r->cwd, "/") == 0 ? "" : r->cwd);
	/* "." and doubled slashes are gone over by the walk, but must not hide a root's name. */
	for (const char *p = path; *p != '\0';) {
		size_t len = strcspn(p, "/");
		if (len != 0 && !(len == 1 && *p == '.')) {
			if (whole.len == 0 || whole.data[whole.len - 1] != '/')
				buf_byte(&whole, '/');
			buf_add(&whole, p, len);
		}
		p += len;
		p += *p == '/';
	}
	if (whole.len == 0)
		buf_byte(&whole, '/');
	for (i = 0; i < r->count && rest == NULL; i++) {
		rest = beneath(whole.data, r->real[i]);
		if (rest == NULL && r->list[i].given != NULL)
			rest = beneath(whole.data, r->list[i].given);
	}
	if (rest == NULL) {
		buf_free(&whole);
		return "beneath no root";
	}
	char *names = prog_copy(rest, strlen(rest));
	int fd = walk(fcntl(r->list[i - 1].fd, F_DUPFD_CLOEXEC, 3), names, &last);
	why =
	    fd < 0 ? "no such folder on the way, or a symbolic link" : refuse_kind(fd, last, kind);
	if (fd >= 0)
		close(fd);
	free(names);
	buf_free(&whole);
	return why;
}
