#include "save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool
write_file(const char *path, const struct buf *text)
{
	FILE *f = fopen(path, "we");

	if (f == NULL)
		return false;
	bool good = fwrite(text->data ? text->data : "", 1, text->len, f) == text->len &&
		    fflush(f) == 0 && fsync(fileno(f)) == 0;
	return fclose(f) == 0 && good;
}

/* The new name itself is to survive a cut of power; where a folder cannot be opened, it has to do.
 */
static void
sync_folder(const char *path, size_t folder_len)
{
	struct buf folder = {0};

	buf_add(&folder, path, folder_len);
	int fd = open(folder_len > 0 ? folder.data : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	buf_free(&folder);
}

bool
save_file(const char *path, const struct buf *text)
{
	const char *slash = strrchr(path, '/');
	size_t folder_len = slash != NULL ? (size_t)(slash - path) + 1 : 0;
	struct buf beside = {0};

	buf_format(
	    &beside, "%.*s.%s.%ld", (int)folder_len, path, path + folder_len, (long)getpid());
	bool good = write_file(beside.data, text) && rename(beside.data, path) == 0;
	int reason = errno;
	if (good)
		sync_folder(path, folder_len);
	else
		unlink(beside.data);
	buf_free(&beside);
	errno = reason;
	return good;
}
