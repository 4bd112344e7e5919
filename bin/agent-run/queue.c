#include "queue.h"

#include <err.h>
#include <stdlib.h>

#include "jvx.h"
#include "ndjson.h"
#include "prog.h"
#include "scenario.h"

enum { BETWEEN = 1 << 20 };

/* A scenario, its trials, and the other records up to the next one. */
struct item {
	struct item *next;
	struct buf record, after; /* lines */
	struct trial **trials;
	int begun, over;
};

static struct item *
item_new(struct queue *q, jv scenario)
{
	struct item *it = prog_alloc(1, sizeof *it);

	it->trials = prog_alloc((size_t)q->run->trials, sizeof(struct trial *));
	for (int i = 0; i < q->run->trials; i++) {
		it->trials[i] = trial_new(q->run, jv_copy(scenario), i + 1);
		it->trials[i]->owner = it;
	}
	jv_free(scenario);
	return it;
}

static void
put(const struct buf *b)
{
	if (b->len > 0 && fwrite(b->data, 1, b->len, stdout) != b->len)
		err(TROUBLE, "write");
}

static void
item_write(const struct run *run, struct item *it)
{
	put(&it->record);
	for (int i = 0; i < run->trials; i++) {
		ndjson_put(trial_record(it->trials[i]), stdout);
		trial_free(it->trials[i]);
	}
	put(&it->after);
	if (fflush(stdout) != 0)
		err(TROUBLE, "write");
	buf_free(&it->record);
	buf_free(&it->after);
	free(it->trials);
	free(it);
}

static void
write_heads(struct queue *q)
{
	while (q->first != NULL && q->first->over == q->run->trials) {
		struct item *it = q->first;
		q->first = it->next;
		if (q->first == NULL)
			q->last = NULL;
		q->held--;
		item_write(q->run, it);
	}
}

static void
note_over(struct queue *q, struct trial *t)
{
	struct item *it = t->owner;

	if (t->state != TRIAL_OVER)
		return;
	it->over++;
	q->under_way--;
}

static void
begin_trials(struct queue *q)
{
	for (struct item *it = q->first; it != NULL; it = it->next) {
		while (it->begun < q->run->trials) {
			if (q->under_way >= q->jobs || prog_stopped)
				return;
			struct trial *t = it->trials[it->begun++];
			q->under_way++;
			trial_begin(t);
			note_over(q, t);
		}
	}
}

/* Go on until no more than so many scenarios are held. */
static void
work(struct queue *q, size_t most)
{
	struct net_reply *r;

	begin_trials(q);
	write_heads(q);
	while (q->held > most && !prog_stopped) {
		r = net_wait(q->run->net);
		if (r == NULL)
			continue;
		struct trial *t = r->tag;
		trial_event(t, r);
		net_reply_free(r);
		note_over(q, t);
		begin_trials(q);
		write_heads(q);
	}
}

static void
enqueue(struct queue *q, struct item *it)
{
	if (q->last != NULL)
		q->last->next = it;
	else
		q->first = it;
	q->last = it;
	q->held++;
	work(q, (size_t)q->jobs * 2);
}

static void
add_line(struct buf *b, struct span record)
{
	buf_add(b, record.at, record.len);
	buf_byte(b, '\n');
}

/* A record that is no scenario: at once, or behind the scenario that it follows. */
static void
pass(struct queue *q, struct ndjson *in)
{
	if (q->last != NULL && q->last->after.len > BETWEEN)
		work(q, 0);
	if (q->last != NULL)
		add_line(&q->last->after, ndjson_span(in));
	else
		ndjson_pass(in, stdout);
}

/* A scenario that is none costs itself, and is passed on for others to see. */
static void
take(struct queue *q, struct ndjson *in)
{
	jv scenario = ndjson_value(in);
	char why[160];

	if (!scenario_check(scenario, why, sizeof why)) {
		ndjson_complain(in, why);
		pass(q, in);
		jv_free(scenario);
		return;
	}
	struct item *it = item_new(q, scenario);
	add_line(&it->record, ndjson_span(in));
	enqueue(q, it);
}

bool
queue_records(struct queue *q, char *const files[])
{
	struct ndjson *in = ndjson_open(files);

	while (!prog_stopped && ndjson_next(in)) {
		if (ndjson_is(in, "scenario"))
			take(q, in);
		else
			pass(q, in);
	}
	work(q, 0);
	return ndjson_close(in, stdout);
}

void
queue_seeds(struct queue *q, jv seeds)
{
	for (int i = 0; !prog_stopped && i < jv_array_length(jv_copy(seeds)); i++) {
		jv scenario = jv_array_get(jv_copy(seeds), i);
		struct item *it = item_new(q, jv_copy(scenario));
		jvx_write(scenario, &it->record);
		buf_byte(&it->record, '\n');
		jv_free(scenario);
		enqueue(q, it);
	}
	work(q, 0);
	jv_free(seeds);
	if (fflush(stdout) != 0)
		err(TROUBLE, "write");
}

void
queue_abandon(struct queue *q)
{
	for (const struct item *it = q->first; it != NULL; it = it->next)
		for (int i = 0; i < q->run->trials; i++)
			trial_free(it->trials[i]);
}
