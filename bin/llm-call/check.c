#include "check.h"

#include <err.h>
#include <unistd.h>

#include "judge.h"
#include "jvx.h"
#include "prog.h"
#include "tell.h"

enum { CHECK_MS = 120000 };

static void
copy_evidence(struct call *c)
{
	char chunk[16384];
	size_t got;
	FILE *from = c->segment->evidence;

	c->check_input = tmpfile();
	if (c->check_input == NULL || fflush(from) != 0 || fseeko(from, 0, SEEK_SET) != 0)
		err(TROUBLE, "temporary file");
	while ((got = fread(chunk, 1, sizeof chunk, from)) > 0)
		if (fwrite(chunk, 1, got, c->check_input) != got)
			err(TROUBLE, "temporary file");
	c->evidence_bytes = ftello(c->check_input);
}

static void
next_check(struct call *c)
{
	char *const *argv = c->run->checks[c->check];

	if (argv != NULL) {
		c->state = CALL_CHECKING;
		net_program(c->run->net, argv, fileno(c->check_input), CHECK_MS, c);
	} else if (c->ask_again && c->attempts <= c->run->prompt->retries) {
		call_correct(c);
	} else {
		call_finish(c);
	}
}

void
check_begin(struct call *c)
{
	jv record = tell_answer(c);

	buf_clear(&c->kept);
	buf_clear(&c->verdicts);
	jvx_write(record, &c->kept);
	buf_byte(&c->kept, '\n');
	jv_free(record);
	if (c->run->checks[0] == NULL) {
		call_finish(c);
		return;
	}
	if (c->check_input == NULL)
		copy_evidence(c);
	if (fflush(c->check_input) != 0 ||
	    ftruncate(fileno(c->check_input), c->evidence_bytes) != 0 ||
	    fseeko(c->check_input, c->evidence_bytes, SEEK_SET) != 0 ||
	    fwrite(c->kept.data, 1, c->kept.len, c->check_input) != c->kept.len ||
	    fflush(c->check_input) != 0)
		err(TROUBLE, "temporary file");
	c->check = 0;
	c->ask_again = false;
	call_replace(&c->complaints, jv_array());
	next_check(c);
}

void
check_event(struct call *c, const struct net_reply *r)
{
	struct buf line = {0};
	const char *program = c->run->checks[c->check][0];
	jv complaints = judge_output(&r->body, &c->verdicts, jv_array());

	if (r->fault != NET_FINE)
		buf_format(&line, "-V %s: %s", program, r->why);
	else if (r->status > 1)
		buf_format(&line, "-V %s: exit status %d", program, r->status);
	if (line.len > 0) {
		call_say(c, line.data);
		c->run->trouble = true;
	} else if (r->status == 1) {
		c->ask_again = true;
		c->complaints = judge_merge(c->complaints, jv_copy(complaints));
	}
	jv_free(complaints);
	buf_free(&line);
	c->check++;
	next_check(c);
}
