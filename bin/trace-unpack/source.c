#include "source.h"

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buf.h"
#include "prog.h"
#include "utf8.h"

/* name in the one form, yours to free; *odd when that is not how it was written. */
static char *
normal_name(const char *name, size_t len, bool *odd)
{
	struct buf b = {0}, out = {0};

	*odd = utf8_valid(name, len) != len;
	utf8_mend(&b, name, len);
	for (size_t i = 0; i < b.len; i++) {
		unsigned char c = (unsigned char)b.data[i];
		if (c < 0x20 || c == 0x7f) {
			b.data[i] = '?';
			*odd = true;
		} else if (c == '\\') {
			b.data[i] = '/';
			*odd = true;
		}
	}
	for (size_t i = 0; i < b.len;) {
		char *part = b.data + i, *slash = memchr(part, '/', b.len - i);
		size_t n = slash != NULL ? (size_t)(slash - part) : b.len - i;
		i += n + 1;
		if (n == 0 || (n == 1 && part[0] == '.') ||
		    (n == 2 && part[0] == '.' && part[1] == '.')) {
			*odd = true;
			continue;
		}
		if (out.len > 0)
			buf_byte(&out, '/');
		buf_add(&out, part, n);
	}
	if (out.len == 0)
		buf_byte(&out, '?');
	buf_free(&b);
	return out.data;
}

/* What macOS adds to zips and folders: "._0-trace.trace" is not a trace. */
static bool
is_litter(const char *name)
{
	const char *slash = strrchr(name, '/'), *base = slash != NULL ? slash + 1 : name;

	return strncmp(name, "__MACOSX/", 9) == 0 || strstr(name, "/__MACOSX/") != NULL ||
	       strncmp(base, "._", 2) == 0 || strcmp(base, ".DS_Store") == 0;
}

static int
by_name(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (order == 0)
		order = x->at < y->at ? -1 : x->at > y->at;
	return order;
}

/* Sort, and keep the first of each name that means something. */
static void
settle(struct source *s)
{
	size_t kept = 0;

	if (s->count > 0)
		qsort(s->members, s->count, sizeof *s->members, by_name);
	for (size_t i = 0; i < s->count; i++) {
		bool again = kept > 0 && strcmp(s->members[kept - 1].name, s->members[i].name) == 0;
		s->repeated += again;
		if (again || is_litter(s->members[i].name)) {
			free(s->members[i].name);
			continue;
		}
		s->members[kept++] = s->members[i];
	}
	s->count = kept;
}

struct source *
source_zip(struct zip *zip)
{
	struct source *s = prog_alloc(1, sizeof *s);

	s->zip = zip;
	s->folder = -1;
	s->bytes = zip->size;
	s->members = prog_alloc(zip->count, sizeof *s->members);
	for (size_t i = 0; i < zip->count; i++) {
		const struct zip_member *z = &zip->members[i];
		if (z->folder)
			continue;
		struct member *m = &s->members[s->count++];
		m->name = normal_name(z->name, z->name_len, &m->odd);
		m->bytes = z->bytes;
		m->cut = z->cut;
		m->at = i;
	}
	settle(s);
	return s;
}

static void
add_file(struct source *s, const char *path, uint64_t bytes)
{
	if ((s->count & (s->count - 1)) == 0) {
		size_t room = s->count ? 2 * s->count : 1;
		s->members = prog_resize(s->members, room, sizeof *s->members);
		s->paths = prog_resize(s->paths, room, sizeof *s->paths);
	}
	struct member *m = &s->members[s->count];
	*m = (struct member){.bytes = bytes, .at = s->count};
	m->name = normal_name(path, strlen(path), &m->odd);
	s->paths[s->path_count++] = prog_copy(path, strlen(path));
	s->count++;
	s->bytes += bytes;
}

/* Add what is below the folder dir, whose path from the top is path; false with errno. */
static bool
walk(struct source *s, int dir, struct buf *path, int depth, uint64_t most)
{
	DIR *d = fdopendir(dir);
	struct dirent *entry;
	bool good = true;

	if (d == NULL) {
		close(dir);
		return false;
	}
	while (good && (errno = 0, entry = readdir(d)) != NULL) {
		struct stat st;
		size_t len = path->len;
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (fstatat(dirfd(d), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0)
			continue; /* a live recording: gone again */
		buf_format(path, "%s%s", len > 0 ? "/" : "", entry->d_name);
		if (S_ISDIR(st.st_mode)) {
			int sub = openat(dirfd(d), entry->d_name,
			    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
			if (depth == 0)
				errno = ELOOP;
			good = depth > 0 && sub >= 0 && walk(s, sub, path, depth - 1, most);
		} else if (S_ISREG(st.st_mode)) {
			if (s->count >= most)
				errno = EFBIG;
			good = s->count < most;
			if (good)
				add_file(s, path->data, (uint64_t)st.st_size);
		}
		path->len = len;
		path->data[len] = '\0';
	}
	int why = errno;
	closedir(d);
	errno = why;
	return good && why == 0;
}

struct source *
source_folder(const char *path, uint64_t most)
{
	struct source *s = prog_alloc(1, sizeof *s);
	struct buf below = {0};

	buf_text(&below, "");
	s->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int top = s->folder < 0 ? -1 : openat(s->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool good = top >= 0 && walk(s, top, &below, 32, most);
	int why = errno;
	buf_free(&below);
	if (!good) {
		source_free(s);
		errno = why;
		return NULL;
	}
	settle(s);
	return s;
}

void
source_free(struct source *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(s->members[i].name);
	for (size_t i = 0; i < s->path_count; i++)
		free(s->paths[i]);
	free(s->paths);
	free(s->members);
	zip_free(s->zip);
	if (s->folder >= 0)
		close(s->folder);
	free(s);
}

enum { BLOCK = 128 * 1024 };

struct stream {
	struct zip_read *zip;
	int fd;
	char *block;
};

struct stream *
source_open(const struct source *s, const struct member *m)
{
	struct stream *in = prog_alloc(1, sizeof *in);

	in->fd = -1;
	if (s->zip != NULL) {
		in->zip = zip_read_open(s->zip, &s->zip->members[m->at]);
		return in;
	}
	/* O_NONBLOCK: what was a file when it was listed may be a FIFO now. */
	in->fd = openat(s->folder, s->paths[m->at], O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	in->block = prog_alloc(BLOCK, 1);
	return in;
}

long
source_block(struct stream *in, const char **block, struct zip_fault *fault)
{
	if (in->zip != NULL)
		return zip_read_block(in->zip, block, fault);
	ssize_t got;
	do
		got = in->fd < 0 ? -1 : read(in->fd, in->block, BLOCK);
	while (got < 0 && in->fd >= 0 && errno == EINTR);
	*block = in->block;
	if (got < 0)
		*fault = (struct zip_fault){"E_READ", "cannot be read", NULL};
	return got;
}

void
source_close(struct stream *in)
{
	if (in->zip != NULL)
		zip_read_close(in->zip);
	if (in->fd >= 0)
		close(in->fd);
	free(in->block);
	free(in);
}
