#define _GNU_SOURCE /* memrchr */
#include "queue.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"
#include "jvx.h"
#include "lines.h"
#include "ndjson.h"
#include "prog.h"
#include "utf8.h"

void
queue_init(struct queue *q, struct run *run, int jobs)
{
	*q = (struct queue){.run = run, .jobs = jobs, .last = &q->first};
	q->progress = run->mode != MODE_REPLAY && prog_colour(stderr);
}

char *
segment_title(const struct segment *s, const struct run *run, int epoch)
{
	struct buf b = {0};

	if (s->name != NULL) {
		char *clean = prog_clean(s->name, strlen(s->name));
		buf_text(&b, clean);
		free(clean);
	} else {
		buf_format(&b, "segment %zu", s->number);
	}
	if (run->epochs > 1)
		buf_format(&b, ": epoch %d", epoch);
	return b.data;
}

static struct segment *
segment_new(struct queue *q, const char *name)
{
	struct segment *s = prog_alloc(1, sizeof *s);

	s->number = ++q->count;
	s->name = name ? prog_copy(name, strlen(name)) : NULL;
	s->evidence = tmpfile();
	s->calls = prog_alloc((size_t)q->run->epochs, sizeof *s->calls);
	if (s->evidence == NULL)
		err(TROUBLE, "temporary file");
	return s;
}

static void
segment_free(struct segment *s)
{
	fclose(s->evidence);
	free(s->calls);
	free(s->name);
	buf_free(&s->text);
	free(s);
}

static const char too_long[] = "the sections are longer than the prompt's max_input_chars";

/* Does text begin with a marker of untrust-wrap's, and end with the one that belongs to it? */
static bool
is_framed(const char *text, size_t len)
{
	static const char begins[] = "--- UNTRUSTED TRACE DATA BEGIN (",
			  ends[] = "--- UNTRUSTED TRACE DATA END (";
	size_t begin = sizeof begins - 1, end = sizeof ends - 1;

	if (len < begin || memcmp(text, begins, begin) != 0)
		return false;
	const char *label = text + begin, *eol = memchr(text, '\n', len);
	const char *close = eol ? memchr(label, ')', (size_t)(eol - label)) : NULL;
	if (close == NULL)
		return false;
	while (text[len - 1] == '\n')
		len--;
	const char *last = memrchr(text, '\n', len);
	size_t left = last ? len - (size_t)(last + 1 - text) : 0,
	       inside = (size_t)(close + 1 - label);
	return left >= end + inside && memcmp(last + 1, ends, end) == 0 &&
	       memcmp(last + 1 + end, label, inside) == 0;
}

/* Only what untrust-wrap framed may be sent. */
static void
take_section(struct segment *s, const struct prompt *p, jv section)
{
	const char *label = jvx_text(section, "label");
	size_t len;
	const char *text = jvx_bytes(section, "text", &len);

	if (label == NULL || text == NULL) {
		s->refusal = "a section without label or text";
	} else if (!is_framed(text, len)) {
		s->refusal = "a section whose text is not between markers";
	} else if (prompt_takes(p, label) && s->text.len + len > 4 * (size_t)p->max_input_chars) {
		s->refusal = too_long; /* and is not even held */
	} else if (prompt_takes(p, label)) {
		if (s->text.len > 0)
			buf_byte(&s->text, '\n');
		buf_add(&s->text, text, len);
		if (len > 0 && text[len - 1] != '\n')
			buf_byte(&s->text, '\n');
	}
	jv_free(section);
}

static void
write_segment(struct queue *q, struct segment *s)
{
	char chunk[16384];
	size_t got;

	if (!q->run->print_only && q->run->shelf == NULL) {
		if (fflush(s->evidence) != 0 || fseeko(s->evidence, 0, SEEK_SET) != 0)
			err(TROUBLE, "temporary file");
		while ((got = fread(chunk, 1, sizeof chunk, s->evidence)) > 0)
			if (fwrite(chunk, 1, got, stdout) != got)
				err(TROUBLE, "write");
	}
	for (int i = 0; i < q->run->epochs; i++) {
		const struct buf *records = &s->calls[i]->records;
		if (q->run->shelf == NULL &&
		    fwrite(records->data, 1, records->len, stdout) != records->len)
			err(TROUBLE, "write");
		call_free(s->calls[i]);
	}
	if (fflush(stdout) != 0)
		err(TROUBLE, "write");
}

/* Write what is over at the head of the queue. */
static void
write_heads(struct queue *q)
{
	while (q->first != NULL && q->first->over == q->run->epochs) {
		struct segment *s = q->first;
		write_segment(q, s);
		q->first = s->next;
		if (q->first == NULL)
			q->last = &q->first;
		q->held--;
		segment_free(s);
	}
}

static void
call_ended(struct queue *q, struct segment *s)
{
	s->over++;
	q->over++;
}

static void
begin_calls(struct queue *q)
{
	for (struct segment *s = q->first; s != NULL; s = s->next) {
		while (s->begun < q->run->epochs) {
			if (q->under_way >= q->jobs || prog_stopped)
				return;
			struct call *c = call_new(q->run, s, s->begun);
			s->calls[s->begun++] = c;
			if (c->state == CALL_OVER)
				call_ended(q, s);
			else
				q->under_way++;
		}
	}
}

static void
one_event(struct queue *q)
{
	struct net_reply *r = net_wait(q->run->net);

	if (r == NULL)
		return;
	if (r->tag == q->run->spans) {
		spans_event(q->run->spans, r);
	} else {
		struct call *c = r->tag;
		call_event(c, r);
		if (c->state == CALL_OVER) {
			call_ended(q, c->segment);
			q->under_way--;
		}
	}
	net_reply_free(r);
}

/* For people: how far it is. */
static void
show_progress(const struct queue *q)
{
	if (!q->progress)
		return;
	fprintf(stderr, "\rllm-call: %d done, %d under way ", q->over, q->under_way);
	fflush(stderr);
}

static void
end_progress(const struct queue *q)
{
	if (q->progress)
		fputs("\r                                        \r", stderr);
}

/* Go on until no more than so many segments are held. */
static void
work(struct queue *q, size_t most)
{
	begin_calls(q);
	write_heads(q);
	while (q->held > most && !prog_stopped) {
		show_progress(q);
		one_event(q);
		begin_calls(q);
		write_heads(q);
	}
}

static void
enqueue(struct queue *q, struct segment *s)
{
	if (s->refusal == NULL && s->text.len == 0)
		s->refusal = "no sections to send";
	if (s->refusal == NULL &&
	    utf8_count(s->text.data, s->text.len) > (size_t)q->run->prompt->max_input_chars)
		s->refusal = too_long;
	if (s->refusal != NULL)
		buf_free(&s->text);
	*q->last = s;
	q->last = &s->next;
	q->held++;
	work(q, (size_t)q->jobs * 2);
}

bool
queue_records(struct queue *q, char *const files[])
{
	struct ndjson *in = ndjson_open(files);
	struct segment *s = NULL;

	while (!prog_stopped && ndjson_next(in)) {
		bool opens = ndjson_is(in, "trace");
		if (opens && s != NULL) {
			enqueue(q, s);
			s = NULL;
		}
		if (s == NULL) {
			char *name = opens ? scan_copy(scan_member(ndjson_span(in), "name")) : NULL;
			s = segment_new(q, name);
			free(name);
		}
		if (ndjson_is(in, "section"))
			take_section(s, q->run->prompt, ndjson_value(in));
		else
			ndjson_pass(in, s->evidence);
	}
	if (s != NULL)
		enqueue(q, s);
	work(q, 0);
	end_progress(q);
	return ndjson_close(in, stdout);
}

/* -i: the whole input is one text, and data like any other. */
bool
queue_text(struct queue *q, char *const files[])
{
	struct lines *in = lines_open(files);
	struct segment *s = segment_new(q, NULL);
	struct buf text = {0}, mended = {0};

	while (lines_next(in)) {
		buf_add(&text, in->line, in->len);
		buf_byte(&text, '\n');
	}
	utf8_mend(&mended, text.data ? text.data : "", text.len);
	if (mended.len > 0 && is_framed(mended.data, mended.len))
		buf_add(&s->text, mended.data, mended.len);
	else if (mended.len > 0)
		frame_text("input", mended.data, mended.len, &s->text);
	buf_free(&text);
	buf_free(&mended);
	enqueue(q, s);
	work(q, 0);
	end_progress(q);
	return lines_close(in);
}
