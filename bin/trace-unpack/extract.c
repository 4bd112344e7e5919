#define _GNU_SOURCE /* renameat2 */
#include "extract.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buf.h"
#include "prog.h"
#include "utf8.h"

enum { PART_MAX = 240, NAME_MAX_ALL = 1024, DEPTH_MAX = 32 };

static bool
refuse(struct zip_fault *fault, const struct zip_member *m, const char *code, const char *why)
{
	*fault = (struct zip_fault){code, why, NULL};
	if (m != NULL)
		fault->member = prog_copy(m->name, m->name_len);
	return false;
}

static bool
check_part(const struct zip_member *m, const char *part, size_t len, struct zip_fault *fault)
{
	if (len == 2 && memcmp(part, "..", 2) == 0)
		return refuse(fault, m, "E_SLIP", "the name leads out of the folder");
	if (len == 0 || (len == 1 && *part == '.'))
		return refuse(fault, m, "E_NAME", "the name has an empty part");
	if (len > PART_MAX)
		return refuse(fault, m, "E_NAME", "the name is too long");
	return true;
}

static bool
check_name(const struct zip_member *m, struct zip_fault *fault)
{
	const char *name = m->name;
	size_t len = m->name_len, used, depth = 0;

	if (name[0] == '/' || memchr(name, '\\', len) != NULL || (len > 1 && name[1] == ':'))
		return refuse(fault, m, "E_SLIP", "the name leads out of the folder");
	for (size_t i = 0; i < len; i += used)
		if (utf8_deceives(utf8_decode(name + i, len - i, &used)))
			return refuse(fault, m, "E_NAME", "the name has bytes that mislead");
	if (len > NAME_MAX_ALL)
		return refuse(fault, m, "E_NAME", "the name is too long");
	if (name[len - 1] == '/')
		len--;
	for (size_t i = 0; i <= len; depth++) {
		const char *slash = memchr(name + i, '/', len - i);
		size_t part = slash != NULL ? (size_t)(slash - name) - i : len - i;
		if (!check_part(m, name + i, part, fault))
			return false;
		i += part + 1;
	}
	return depth <= DEPTH_MAX || refuse(fault, m, "E_NAME", "the name is too deep");
}

/* One code point as small letters, where a file system or Unicode knows others for them. */
static void
add_small(struct buf *b, int32_t c)
{
	switch (c) {
	case 0xdf: buf_text(b, "ss"); return;
	case 0x17f: c = 's'; break;
	case 0x212a: c = 'k'; break;
	case 0x212b: c = 'a'; break;
	case 0x2126: c = 0x3c9; break;
	case 0x3c2: c = 0x3c3; break; /* a sigma at the end of a word */
	case 0xfb00: buf_text(b, "ff"); return;
	case 0xfb01: buf_text(b, "fi"); return;
	case 0xfb02: buf_text(b, "fl"); return;
	default: break;
	}
	if ((c >= 'A' && c <= 'Z') || (c >= 0x391 && c <= 0x3a9) || (c >= 0x410 && c <= 0x42f) ||
	    (c >= 0xff21 && c <= 0xff3a))
		c += 0x20;
	else if (c >= 0x400 && c <= 0x40f)
		c += 0x50;
	else if (c >= 0x531 && c <= 0x556)
		c += 0x30;
	if (c >= 0xac00 && c <= 0xd7a3) { /* a Hangul syllable is its letters (Unicode 3.12) */
		int32_t i = c - 0xac00;
		utf8_add(b, (uint32_t)(0x1100 + i / 588));
		utf8_add(b, (uint32_t)(0x1161 + i % 588 / 28));
		if (i % 28 == 0)
			return;
		c = 0x11a7 + i % 28;
	}
	utf8_add(b, (uint32_t)c);
}

/*
 * A name as the most forgetful file system keeps it: letters small, Latin letters without their
 * accents, combining accents gone.  That takes more names for equal than any of them does.
 */
static char *
folded(const struct zip_member *m)
{
	/* U+00C0 to U+017F, '*' for letters that are no accented ones. */
	static const char latin[] =
	    "aaaaaa*ceeeeiiii*nooooo**uuuuy**aaaaaa*ceeeeiiii*nooooo**uuuuy*y"
	    "aaaaaaccccccccdd**eeeeeeeeeegggggggghh**iiiiiiiii***jjkk*llllll*"
	    "***nnnnnn***oooooo**rrrrrrsssssssstttt**uuuuuuuuuuuuwwyyyzzzzzz*";
	struct buf b = {0};
	size_t len = m->name_len - (m->name[m->name_len - 1] == '/'), used;

	for (size_t i = 0; i < len; i += used) {
		int32_t c = utf8_decode(m->name + i, len - i, &used);
		if (c >= 0x300 && c < 0x370)
			continue;
		if (c >= 0xc0 && c < 0xc0 + (int32_t)sizeof latin - 1 && latin[c - 0xc0] != '*')
			c = latin[c - 0xc0];
		add_small(&b, c);
	}
	buf_text(&b, "");
	return b.data;
}

struct entry {
	char *key;
	const struct zip_member *member;
};

static int
by_key(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->key, ((const struct entry *)b)->key);
}

/* Blob reports hold an attachment again: the same name to the byte, and, as is seen later, content.
 */
static bool
is_again(const struct zip_member *a, const struct zip_member *b)
{
	return !a->folder && !b->folder && a->bytes == b->bytes && a->name_len == b->name_len &&
	       memcmp(a->name, b->name, a->name_len) == 0;
}

/* No two members with one name, no file where another needs a folder. */
static bool
check_clashes(struct entry *entries, size_t count, struct zip_fault *fault)
{
	for (size_t i = 1; i < count; i++)
		if (strcmp(entries[i - 1].key, entries[i].key) == 0 &&
		    !is_again(entries[i - 1].member, entries[i].member))
			return refuse(
			    fault, entries[i].member, "E_DUPLICATE", "the name is there twice");
	for (size_t i = 0; i < count; i++) {
		const char *key = entries[i].key;
		for (const char *p = key; (p = strchr(p, '/')) != NULL; p++) {
			struct entry above = {prog_copy(key, (size_t)(p - key)), NULL};
			struct entry *e = bsearch(&above, entries, count, sizeof *entries, by_key);
			free(above.key);
			if (e != NULL && !e->member->folder)
				return refuse(fault, e->member, "E_CLASH",
				    "the name of a file and of a folder");
		}
	}
	return true;
}

static bool
check_names(const struct zip *zip, struct zip_fault *fault)
{
	struct entry *entries = prog_alloc(zip->count, sizeof *entries);
	bool good = true;
	size_t count = 0;

	for (size_t i = 0; good && i < zip->count; i++)
		good = check_name(&zip->members[i], fault);
	for (; good && count < zip->count; count++)
		entries[count] = (struct entry){folded(&zip->members[count]), &zip->members[count]};
	qsort(entries, count, sizeof *entries, by_key);
	good = good && check_clashes(entries, count, fault);
	for (size_t i = 0; i < count; i++)
		free(entries[i].key);
	free(entries);
	return good;
}

/* The folder that the member's file belongs into, made where missing; -1 on failure. */
static int
make_folders(int top, const char *name, const char **base)
{
	int at = dup(top);
	const char *slash;

	while (at >= 0 && (slash = strchr(name, '/')) != NULL) {
		char *part = prog_copy(name, (size_t)(slash - name));
		int next = -1;
		if (mkdirat(at, part, 0700) == 0 || errno == EEXIST)
			next = openat(at, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		free(part);
		close(at);
		at = next;
		name = slash + 1;
	}
	*base = name;
	return at;
}

static bool
write_all(int fd, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t put = write(fd, bytes, len);
		if (put < 0 && errno != EINTR)
			return false;
		if (put > 0) {
			bytes += put;
			len -= (size_t)put;
		}
	}
	return true;
}

static bool
holds(int fd, const char *bytes, size_t len)
{
	char there[8192];

	while (len > 0) {
		ssize_t got = read(fd, there, len < sizeof there ? len : sizeof there);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0 || memcmp(there, bytes, (size_t)got) != 0)
			return false;
		bytes += got;
		len -= (size_t)got;
	}
	return true;
}

/* Again: the file, open as fd, was written for an earlier member of that name. */
static bool
extract_file(
    const struct zip *zip, const struct zip_member *m, int fd, bool again, struct zip_fault *fault)
{
	struct zip_read *r = zip_read_open(zip, m);
	const char *block;
	long got;
	bool good = true;

	while (good && (got = zip_read_block(r, &block, fault)) > 0)
		if (again)
			good = holds(fd, block, (size_t)got) ||
			       refuse(fault, m, "E_DUPLICATE", "the name is there twice");
		else
			good = write_all(fd, block, (size_t)got) ||
			       refuse(fault, m, "E_WRITE", "cannot be written");
	zip_read_close(r);
	return good && got == 0;
}

static bool
extract_member(const struct zip *zip, const struct zip_member *m, int top, struct zip_fault *fault)
{
	const char *base;
	int folder = make_folders(top, m->name, &base), fd = -1;
	bool good = folder >= 0, again = false;

	if (good && m->folder && *base != '\0') /* by its mode, without a '/' */
		good = mkdirat(folder, base, 0700) == 0 || errno == EEXIST;
	if (good && !m->folder) {
		fd = openat(
		    folder, base, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		again = fd < 0 && errno == EEXIST;
		if (again)
			fd = openat(folder, base, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
		good = fd >= 0;
	}
	if (!good)
		refuse(fault, m, "E_WRITE", "cannot be written");
	if (good && fd >= 0) {
		good = extract_file(zip, m, fd, again, fault);
		if (close(fd) != 0 && good)
			good = refuse(fault, m, "E_WRITE", "cannot be written");
	}
	if (folder >= 0)
		close(folder);
	return good;
}

/*
 * The folder that has not got its name yet.  The end of the process, by a signal too, leaves
 * nothing of it behind; so what removes it calls nothing that POSIX does not allow in a signal's
 * handler.
 */
static struct {
	const struct zip *zip; /* NULL: there is none */
	const char *path;
	int top;
} unfinished;

static const int stops[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};

/* A member's file, or with folders the folders on its way, from the deepest up. */
static void
remove_member(const struct zip_member *m, bool folders)
{
	static char name[NAME_MAX_ALL + 1];
	size_t len = m->name_len <= NAME_MAX_ALL ? m->name_len : 0;

	memcpy(name, m->name, len);
	name[len] = '\0';
	if (!folders && !m->folder)
		unlinkat(unfinished.top, name, 0);
	if (folders && m->folder)
		unlinkat(unfinished.top, name, AT_REMOVEDIR);
	while (folders && len-- > 0) {
		if (name[len] != '/')
			continue;
		name[len] = '\0';
		unlinkat(unfinished.top, name, AT_REMOVEDIR);
	}
}

static void
remove_unfinished(void)
{
	const struct zip *zip = unfinished.zip;

	if (zip == NULL)
		return;
	for (size_t i = 0; i < zip->count; i++)
		remove_member(&zip->members[i], false);
	for (size_t i = 0; i < zip->count; i++)
		remove_member(&zip->members[i], true);
	unlinkat(AT_FDCWD, unfinished.path, AT_REMOVEDIR);
	unfinished.zip = NULL;
}

static void
on_stop(int signal_number)
{
	remove_unfinished();
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

static void
set_handlers(void (*handler)(int))
{
	struct sigaction act = {.sa_handler = handler}, old;

	for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++)
		if (sigaction(stops[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(stops[i], &act, NULL);
}

static void
begin_unfinished(const struct zip *zip, const char *hidden, int top)
{
	static bool registered;

	unfinished.path = hidden;
	unfinished.top = top;
	unfinished.zip = zip;
	if (!registered)
		atexit(remove_unfinished);
	registered = true;
	set_handlers(on_stop);
}

static void
end_unfinished(void)
{
	set_handlers(SIG_DFL);
	unfinished.zip = NULL;
	close(unfinished.top);
}

/* A new folder beside path, with a name of its own; yours to free. */
static char *
make_beside(const char *path)
{
	size_t len = strlen(path);
	struct buf name = {0};

	while (len > 1 && path[len - 1] == '/')
		len--;
	size_t base = len;
	while (base > 0 && path[base - 1] != '/')
		base--;
	buf_add(&name, path, base);
	buf_byte(&name, '.');
	buf_add(&name, path + base, len - base);
	buf_text(&name, ".XXXXXX");
	if (mkdtemp(name.data) != NULL)
		return name.data;
	buf_free(&name);
	return NULL;
}

/* Rename, but never onto something that came into being meanwhile, where the system can promise it.
 */
static bool
take_name(const char *from, const char *to)
{
	if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
		return true;
	return (errno == EINVAL || errno == ENOSYS) && rename(from, to) == 0;
}

char *
extract(const struct zip *zip, const char *path, struct zip_fault *fault)
{
	struct stat st;

	*fault = (struct zip_fault){0};
	if (!check_names(zip, fault))
		return NULL;
	if (lstat(path, &st) == 0) {
		refuse(fault, NULL, "E_EXISTS", "the folder to make exists");
		return NULL;
	}
	char *hidden = make_beside(path);
	if (hidden == NULL) {
		refuse(fault, NULL, "E_WRITE", "the folder cannot be made");
		return NULL;
	}
	int top = open(hidden, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	bool good = top >= 0 || refuse(fault, NULL, "E_WRITE", "the folder cannot be made");
	begin_unfinished(zip, hidden, top);
	for (size_t i = 0; good && i < zip->count; i++)
		good = extract_member(zip, &zip->members[i], top, fault);
	if (good)
		return hidden;
	extract_drop(hidden);
	return NULL;
}

bool
extract_keep(char *hidden, const char *path, struct zip_fault *fault)
{
	if (!take_name(hidden, path)) {
		extract_drop(hidden);
		return refuse(fault, NULL, "E_WRITE", "the folder cannot be given its name");
	}
	end_unfinished();
	free(hidden);
	return true;
}

void
extract_drop(char *hidden)
{
	remove_unfinished();
	end_unfinished();
	free(hidden);
}
