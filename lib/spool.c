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

FILE *
spool_stream(void)
{
	FILE *f = fdopen(spool_new(), "w+");

	if (f == NULL)
		err(TROUBLE, "temporary file");
	return f;
}

long long
spool_at(FILE *spool)
{
	long long at = ftello(spool);

	if (at < 0 || ferror(spool))
		err(TROUBLE, "temporary file");
	return at;
}

void
spool_pour(FILE *spool, long long from, long long to, FILE *out)
{
	char block[65536];

	if (fflush(spool) != 0 || fseeko(spool, (off_t)from, SEEK_SET) != 0)
		err(TROUBLE, "temporary file");
	while (from < to) {
		size_t most =
		    to - from < (long long)sizeof block ? (size_t)(to - from) : sizeof block;
		size_t got = fread(block, 1, most, spool);
		if (got == 0)
			err(TROUBLE, "temporary file");
		if (fwrite(block, 1, got, out) != got)
			err(TROUBLE, "write");
		from += (long long)got;
	}
	if (fseeko(spool, 0, SEEK_END) != 0)
		err(TROUBLE, "temporary file");
}

void
spool_empty(FILE *spool)
{
	rewind(spool);
	if (fflush(spool) != 0 || ftruncate(fileno(spool), 0) != 0)
		err(TROUBLE, "temporary file");
}
