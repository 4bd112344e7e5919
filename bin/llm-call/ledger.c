#include "ledger.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "jvx.h"
#include "prog.h"

struct amount {
	double tokens, dollars;
};

struct pending {
	long id;
	struct amount reserved;
};

struct ledger {
	struct amount limit, used; /* used: settled, and reserved by anybody */
	char *file;
	jv label;
	int fd;
	off_t read_to;
	long last_id;
	struct pending *pending; /* of this run */
	size_t count;
};

static void
need(bool good, const struct ledger *l)
{
	if (!good)
		err(TROUBLE, "%s", l->file);
}

struct ledger *
ledger_open(const char *file, const char *label, double tokens, double dollars)
{
	struct ledger *l = prog_alloc(1, sizeof *l);

	l->limit = (struct amount){tokens, dollars};
	l->label = jv_string(label);
	l->fd = -1;
	if (file == NULL)
		return l;
	l->file = prog_copy(file, strlen(file));
	l->fd = open(file, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	need(l->fd >= 0, l);
	return l;
}

/* A reservation adds; a settlement adds the difference that it tells itself. */
static void
account(struct ledger *l, const char *line, size_t len)
{
	struct scan_error error;

	if (!scan_check(line, len, &error))
		return; /* the torn line of a run that was killed: its text is not known */
	struct span record = {line, len};
	double tokens = scan_number(scan_member(record, "tokens"), 0);
	double dollars = scan_number(scan_member(record, "dollars"), 0);
	if (isfinite(tokens) && isfinite(dollars)) {
		l->used.tokens += tokens;
		l->used.dollars += dollars;
	}
}

/* Read what others appended since the last time. */
static void
catch_up(struct ledger *l)
{
	struct buf text = {0};
	char chunk[8192];
	ssize_t got;

	while ((got = pread(l->fd, chunk, sizeof chunk, l->read_to + (off_t)text.len)) > 0)
		buf_add(&text, chunk, (size_t)got);
	need(got == 0, l);
	for (size_t at = 0; at < text.len;) {
		char *eol = memchr(text.data + at, '\n', text.len - at);
		size_t end = eol ? (size_t)(eol - text.data) : text.len;
		account(l, text.data + at, end - at);
		at = end + 1;
	}
	if (text.len > 0 && text.data[text.len - 1] != '\n')
		need(write(l->fd, "\n", 1) == 1, l);
	l->read_to += (off_t)text.len + (text.len > 0 && text.data[text.len - 1] != '\n');
	buf_free(&text);
}

static void
lock(struct ledger *l)
{
	if (l->fd < 0)
		return;
	while (flock(l->fd, LOCK_EX) != 0)
		need(errno == EINTR, l);
	catch_up(l);
}

static void
unlock(struct ledger *l)
{
	if (l->fd >= 0)
		flock(l->fd, LOCK_UN);
}

/* Add to what is used, and tell the file. */
static void
enter(struct ledger *l, const char *what, long id, double tokens, double dollars)
{
	struct buf line = {0};
	jv entry = jvx_set_number(jv_object(), what, (double)id);

	l->used.tokens += tokens;
	l->used.dollars += dollars;
	if (l->fd < 0) {
		jv_free(entry);
		return;
	}
	entry = jvx_set_number(entry, "process", (double)getpid());
	entry = jvx_set_number(entry, "tokens", tokens);
	entry = jvx_set_number(entry, "dollars", dollars);
	entry = jvx_set(entry, "prompt", jv_copy(l->label));
	jvx_write(entry, &line);
	jv_free(entry);
	buf_byte(&line, '\n');
	need(write(l->fd, line.data, line.len) == (ssize_t)line.len, l);
	l->read_to += (off_t)line.len;
	buf_free(&line);
}

bool
ledger_reserve(struct ledger *l, double tokens, double dollars, long *id, struct buf *why)
{
	lock(l);
	buf_clear(why);
	if (l->used.tokens + tokens > l->limit.tokens)
		buf_format(why, "%.0f of %.0f tokens used, and this may need %.0f", l->used.tokens,
		    l->limit.tokens, tokens);
	else if (l->used.dollars + dollars > l->limit.dollars)
		buf_format(why, "%.4f of %.4f dollars used, and this may need %.4f",
		    l->used.dollars, l->limit.dollars, dollars);
	bool granted = why->len == 0;
	if (granted) {
		*id = ++l->last_id;
		enter(l, "reserve", *id, tokens, isnan(dollars) ? 0 : dollars);
		l->pending = prog_resize(l->pending, l->count + 1, sizeof *l->pending);
		l->pending[l->count++] =
		    (struct pending){*id, {tokens, isnan(dollars) ? 0 : dollars}};
	}
	unlock(l);
	return granted;
}

void
ledger_settle(struct ledger *l, long id, double tokens, double dollars)
{
	size_t i = 0;

	while (i < l->count && l->pending[i].id != id)
		i++;
	if (i == l->count)
		return;
	struct amount reserved = l->pending[i].reserved;
	l->pending[i] = l->pending[--l->count];
	if (isnan(tokens))
		return;
	lock(l);
	enter(l, "settle", id, tokens - reserved.tokens,
	    (isnan(dollars) ? 0 : dollars) - reserved.dollars);
	unlock(l);
}

bool
ledger_pending(const struct ledger *l)
{
	return l->count > 0;
}

void
ledger_close(struct ledger *l)
{
	if (l->fd >= 0)
		close(l->fd);
	jv_free(l->label);
	free(l->pending);
	free(l->file);
	free(l);
}
