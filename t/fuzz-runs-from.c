/* runs-from on any bytes; the first says of which format.  Each line that comes out is JSON. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../bin/runs-from/doc.h"
#include "../bin/runs-from/draft.h"
#include "scan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct adapter *const adapters[] = {
    &from_otel, &from_messages, &from_langfuse, &from_inspect, &from_playwright, &from_answers};

static void
look_at(const char *lines, size_t len)
{
	while (len > 0) {
		const char *end = memchr(lines, '\n', len);
		if (end == NULL || !scan_check(lines, (size_t)(end - lines), NULL))
			abort();
		len -= (size_t)(end + 1 - lines);
		lines = end + 1;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct out out = {.prefix = "Error"};
	char *lines, path[32], *files[] = {path, NULL};
	size_t len;

	if (size == 0)
		return 0;
	out.unmapped = jv_object();
	const struct adapter *a = adapters[data[0] % (sizeof adapters / sizeof *adapters)];
	int fd = memfd_create("input", 0);
	if (fd < 0 || write(fd, data + 1, size - 1) != (ssize_t)size - 1)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	stdout = open_memstream(&lines, &len);
	stderr = fopen("/dev/null", "w"); /* of its messages; libFuzzer has the descriptor */
	struct doc *d = doc_open(files, a->drop);
	void *state = a->begin(&out);
	while (doc_next(d))
		a->take(state, d);
	a->end(state);
	doc_close(d);
	out_warnings(&out);
	fclose(stdout);
	fclose(stderr);
	close(fd);
	look_at(lines, len);
	free(lines);
	return 0;
}
