#include "spool.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "buf.h"
#include "prog.h"

const char *
spool_folder(void)
{
	const char *dir = getenv("TMPDIR");

	return dir != NULL && *dir != '\0' ? dir : "/tmp";
}

int
spool_new(void)
{
	struct buf path = {0};

	buf_format(&path, "%s/rcakit.XXXXXX", spool_folder());
	int fd = mkstemp(path.data);
	if (fd < 0 || unlink(path.data) != 0)
		err(TROUBLE, "%s", path.data);
	buf_free(&path);
	return fd;
}

void
spool_add(int spool, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t put = write(spool, bytes, len);
		if (put < 0 && errno != EINTR)
			err(TROUBLE, "temporary file");
		if (put > 0) {
			bytes += put;
			len -= (size_t)put;
		}
	}
}

int
spool_input(int fd, uint64_t most)
{
	int to = spool_new();
	uint64_t sum = 0;
	char block[65536];
	ssize_t got;

	while (sum <= most && (got = read(fd, block, sizeof block)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			close(to);
			return -1;
		}
		spool_add(to, block, (size_t)got);
		sum += (uint64_t)got;
	}
	return to;
}
