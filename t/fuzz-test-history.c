/* A report of any form, looked at and read: each attempt and history record is JSON of its own. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../bin/test-history/report.h"
#include "prog.h"
#include "scan.h"
#include "spool.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check(const char *lines, size_t len)
{
	struct scan_error error;

	for (const char *end; len > 0; len -= (size_t)(end + 1 - lines), lines = end + 1) {
		end = memchr(lines, '\n', len);
		if (end == NULL || !scan_check(lines, (size_t)(end - lines), &error))
			abort();
	}
}

/* What is wrong with a report is told, a million times. */
int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	FILE *quiet = fopen("/dev/null", "w");

	if (quiet != NULL)
		stderr = quiet; /* err(3) writes there; libFuzzer has its own */
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char name[32], *lines = NULL;
	size_t len = 0;
	int fd = spool_new();
	FILE *out = open_memstream(&lines, &len);
	struct report r;

	if (size > 0)
		spool_add(fd, (const char *)data, size);
	snprintf(name, sizeof name, "/dev/fd/%d", fd);
	if (report_open(&r, name, 0) && r.form != FORM_RECORDS) {
		struct tests *tests = tests_new(3);
		if (r.run.id == NULL)
			r.run.id = prog_copy("run", 3);
		tests_begin(tests, &r.run, out);
		report_read(&r, tests);
		tests_end(tests);
		tests_write(tests, out);
		tests_free(tests);
	}
	report_close(&r);
	fclose(out);
	check(lines, len);
	free(lines);
	close(fd);
	return 0;
}
