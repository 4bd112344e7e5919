/* fuzz-trace-events: any records, in any order, are told without a fault. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../bin/trace-events/segment.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
read_one(struct segment *s, const char *line, size_t len)
{
	/* A copy of its own: a read past the end of the line is seen. */
	char *copy = malloc(len + 1);
	struct span record = {copy, len}, type, bulk;

	memcpy(copy, line, len);
	copy[len] = '\0';
	if (scan_check_member(copy, len, NULL, "type", &type, &bulk) &&
	    scan_kind(scan_trim(copy, len)) == '{') {
		record = scan_trim(copy, len);
		if (scan_is(type, "resource"))
			read_resource(s, record);
		else if (!s->settled)
			read_line(
			    s, scan_front(record, "member"), scan_front(record, "record"), bulk);
	}
	free(copy);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *out;
	const char *p = (const char *)data, *end = p + size;

	if (out == NULL)
		out = fopen("/dev/null", "w");
	struct segment *s = segment_new(out);
	while (p < end) {
		const char *next = memchr(p, '\n', (size_t)(end - p));
		size_t len = (size_t)((next == NULL ? end : next) - p);
		read_one(s, p, len);
		p += len + 1;
	}
	segment_end(s);
	segment_free(s);
	return 0;
}
