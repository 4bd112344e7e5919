#include "ask.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "child.h"
#include "jvx.h"
#include "prog.h"

enum { SECONDS = 120, SAID_MOST = 16 << 20 };

static time_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

static jv
records_of(const struct buf *said)
{
	jv list = jv_array();

	for (size_t at = 0; at < said->len;) {
		const char *end = memchr(said->data + at, '\n', said->len - at);
		if (end == NULL)
			break;
		size_t len = (size_t)(end - said->data) - at;
		struct scan_error error;
		jv rec = jvx_parse(said->data + at, len, &error);
		if (jv_get_kind(rec) == JV_KIND_OBJECT)
			list = jv_array_append(list, rec);
		else
			jv_free(rec);
		at += len + 1;
	}
	return list;
}

jv
ask(char *const argv[], jv records, char **error)
{
	char *program = prog_sister(argv[0]);
	char *args[16] = {program};
	struct buf in = {0};
	time_t until = now() + SECONDS;

	for (size_t i = 1; argv[i] != NULL && i < 15; i++)
		args[i] = argv[i];
	struct child *c = child_start(
	    &(struct child_how){.argv = args, .input = -1, .own_errors = true, .most = SAID_MOST});
	free(program);
	*error = NULL;
	if (c == NULL) {
		*error = prog_copy(strerror(errno), strlen(strerror(errno)));
		return jv_array();
	}
	jv_array_foreach (records, i, rec) {
		jvx_write(rec, &in);
		buf_byte(&in, '\n');
		jv_free(rec);
	}
	child_write(c, in.data ? in.data : "", in.len);
	child_end_input(c);
	buf_free(&in);
	while (!(c->ended && c->silent) && now() < until) {
		struct pollfd fds[CHILD_POLLS];
		size_t n = child_polls(c, fds);
		poll(fds, (nfds_t)n, child_untold(c) ? 50 : 1000);
		child_pump(c);
	}
	jv list = records_of(&c->said);
	if (!c->ended || c->status != 0)
		*error = c->errors.len > 0 ? prog_copy(c->errors.data, c->errors.len)
					   : prog_copy("it did not end well", 19);
	child_free(c);
	return list;
}
