/* fuzz-zip: any bytes as a zip: the pre-pass, salvage, and whatever they let through, inflated. */
#define _GNU_SOURCE /* memfd_create */
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "zip.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void
read_members(struct zip *zip)
{
	uint64_t total = 0;

	for (size_t i = 0; zip != NULL && i < zip->count; i++) {
		struct zip_read *r = zip_read_open(zip, &zip->members[i]);
		struct zip_fault fault = {0};
		const char *block;
		uint64_t sum = 0;
		long got;
		while (total < 1 << 20 && (got = zip_read_block(r, &block, &fault)) > 0) {
			sum += (uint64_t)got;
			total += (uint64_t)got;
		}
		if (sum > zip->members[i].bytes + (128 << 10) * 4)
			abort(); /* more than the directory promised, by more than a block */
		free(fault.member);
		zip_read_close(r);
	}
	zip_free(zip);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct zip_fault fault = {0};
	int fd = memfd_create("zip", 0);

	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len)
		abort();
	read_members(zip_open(fd, &zip_limits, &fault));
	free(fault.member);
	read_members(zip_salvage(fd, &zip_limits));
	close(fd);
	return 0;
}
