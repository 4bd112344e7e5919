/* llm-call: ask a model about each segment; the only program of the suite that does. */
#include <err.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "call.h"
#include "jvx.h"
#include "lines.h"
#include "markers.h"
#include "ndjson.h"
#include "price.h"
#include "prog.h"
#include "run.h"
#include "utf8.h"
#include "yamlx.h"

static volatile sig_atomic_t stopped;

static void
on_signal(int number)
{
	stopped = number;
}

char **
split_command(const char *text)
{
	char **argv = NULL, *words = prog_copy(text, strlen(text)), *rest = words;
	size_t count = 0;

	for (char *word; (word = strtok_r(rest, " \t\n", &rest)) != NULL;) {
		argv = prog_resize(argv, count + 2, sizeof *argv);
		argv[count++] = word;
	}
	if (count == 0)
		errx(TROUBLE, "an empty command");
	/* strtok_r leaves leading blanks before the first word, whose memory is the caller's. */
	memmove(words, argv[0], strlen(argv[0]) + 1);
	argv[0] = words;
	argv[count] = NULL;
	return argv;
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

/* Segments, from the input to the output. */

struct queue {
	struct run *run;
	struct segment *first, **last;
	size_t count, held;        /* read so far; in memory */
	int jobs, under_way, over; /* calls */
	bool progress;
};

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

/* Only what untrust-wrap framed may be sent. */
static void
take_section(struct segment *s, const struct prompt *p, jv section)
{
	const char *label = jvx_text(section, "label");
	size_t len;
	const char *text = jvx_bytes(section, "text", &len);

	if (label == NULL || text == NULL) {
		s->refusal = "a section without label or text";
	} else if (!markers_found(text, len)) {
		s->refusal = "a section whose text is not between markers";
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
		const struct buf *records = call_records(s->calls[i]);
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
			if (q->under_way >= q->jobs || stopped)
				return;
			struct call *c = call_new(q->run, s, s->begun);
			s->calls[s->begun++] = c;
			if (call_over(c))
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
		if (call_over(c)) {
			call_ended(q, call_segment(c));
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
	while (q->held > most && !stopped) {
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
		s->refusal = "the sections are longer than the prompt's max_input_chars";
	*q->last = s;
	q->last = &s->next;
	q->held++;
	work(q, (size_t)q->jobs * 2);
}

static bool
read_records(struct queue *q, char *const files[])
{
	struct ndjson *in = ndjson_open(files);
	struct segment *s = NULL;

	while (!stopped && ndjson_next(in)) {
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
	return ndjson_close(in, stdout);
}

/* -i: the whole input is one text, and data like any other. */
static bool
read_text(struct queue *q, char *const files[])
{
	struct lines *in = lines_open(files);
	struct segment *s = segment_new(q, NULL);
	struct buf text = {0}, mended = {0};

	while (lines_next(in)) {
		buf_add(&text, in->line, in->len);
		buf_byte(&text, '\n');
	}
	utf8_mend(&mended, text.data ? text.data : "", text.len);
	if (mended.len > 0 && markers_found(mended.data, mended.len))
		buf_add(&s->text, mended.data, mended.len);
	else if (mended.len > 0)
		markers_add(&s->text, "input", mended.data, mended.len);
	buf_free(&text);
	buf_free(&mended);
	enqueue(q, s);
	work(q, 0);
	return lines_close(in);
}

/* Options. */

static enum mode
mode_of(const char *word)
{
	static const char *const words[] = {"replay", "record", "auto", "off"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcmp(words[i], word) == 0)
			return (enum mode)i;
	char *clean = prog_clean(word, strlen(word));
	errx(TROUBLE, "-M %s: not replay, record, auto or off", clean);
}

static double
amount_of(int ch, const char *arg)
{
	char *end;
	double n = strtod(arg, &end);

	if (end == arg || *end != '\0' || !(n >= 0) || isinf(n)) {
		char *clean = prog_clean(arg, strlen(arg));
		errx(TROUBLE, "-%c %s: not a number from 0 up", ch, clean);
	}
	return n;
}

static const char *
variable(const char *a, const char *b)
{
	const char *value = getenv(a);

	if ((value == NULL || *value == '\0') && b != NULL)
		value = getenv(b);
	return value != NULL && *value != '\0' ? value : NULL;
}

/* Who is asked, with what the environment says about keys and addresses. */
static struct provider *
find_provider(const char *model, jv quirks, const char **no_key)
{
	enum provider_kind kind;
	struct provider *p;

	if (!provider_kind_of(model, &kind)) {
		char *clean = prog_clean(model, strlen(model));
		errx(TROUBLE,
		    "-m %s: not openai:MODEL, anthropic:MODEL, gemini:MODEL or exec:PROGRAM",
		    clean);
	}
	switch (kind) {
	case PROVIDER_OPENAI:
		*no_key = "no key: set OPENAI_API_KEY";
		p = provider_new(model, variable("OPENAI_BASE_URL", NULL),
		    variable("OPENAI_API_KEY", NULL), quirks);
		provider_add_header(p, "OpenAI-Organization", variable("OPENAI_ORG_ID", NULL));
		provider_add_header(p, "OpenAI-Project", variable("OPENAI_PROJECT_ID", NULL));
		return p;
	case PROVIDER_ANTHROPIC:
		*no_key = "no key: set ANTHROPIC_API_KEY or ANTHROPIC_AUTH_TOKEN";
		p = provider_new(model, variable("ANTHROPIC_BASE_URL", NULL),
		    variable("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"), quirks);
		if (variable("ANTHROPIC_API_KEY", NULL) == NULL)
			p->rules = jvx_set_text(p->rules, "auth", "bearer");
		return p;
	case PROVIDER_GEMINI:
		*no_key = "no key: set GOOGLE_API_KEY or GEMINI_API_KEY";
		return provider_new(model, variable("GOOGLE_GEMINI_BASE_URL", NULL),
		    variable("GOOGLE_API_KEY", "GEMINI_API_KEY"), quirks);
	default: return provider_new(model, NULL, NULL, quirks);
	}
}

/* The programs of -V check answers; a provider that is a program may need a key of its own. */
static void
forget_keys(const struct provider *p)
{
	static const char *const keys[] = {"OPENAI_API_KEY", "ANTHROPIC_API_KEY",
	    "ANTHROPIC_AUTH_TOKEN", "GOOGLE_API_KEY", "GEMINI_API_KEY"};

	for (size_t i = 0; p->kind != PROVIDER_EXEC && i < sizeof keys / sizeof *keys; i++)
		unsetenv(keys[i]);
}

/* A list in YAML: the one given, or the suite's own. */
static jv
table(const char *given, const char *own)
{
	char *path = given ? prog_copy(given, strlen(given)) : prog_data(own);
	jv made = path ? yamlx_file(path) : jv_array();

	if (!jv_is_valid(made))
		exit(TROUBLE);
	if (jv_get_kind(made) != JV_KIND_ARRAY)
		errx(TROUBLE, "%s: not a list", path);
	free(path);
	return made;
}

static void
catch_signals(void)
{
	struct sigaction action = {.sa_handler = on_signal};

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

static void
add(char ***list, char *item)
{
	size_t count = 0;

	while (*list != NULL && (*list)[count] != NULL)
		count++;
	*list = prog_resize(*list, count + 2, sizeof **list);
	(*list)[count] = item;
	(*list)[count + 1] = NULL;
}

static const char help[] =
    "llm-call -p prompt [-giLn] [-B tokens] [-C dollars] [-c folder] [-j jobs] [-k epochs] "
    "[-l ledger] [-M mode] [-m model] [-P prices] [-q quirks] [-S seconds] [-s steering] "
    "[-T file] [-V command] [file ...]\n"
    "\n"
    "Asks a model about each segment: what its section records hold goes out with the prompt,\n"
    "everything else passes, and an answer record, or an unclassified one with the reason, is\n"
    "written last.  Answers are played from cassettes unless a live mode is asked for.\n"
    "\n"
    "  -p prompt   prompt file (prompt(5))       -m model    openai: anthropic: gemini: exec:\n"
    "  -c folder   cassettes (cassette(5))       -M mode     replay (default), record, auto, off\n"
    "  -k epochs   ask so many times             -V command  check answers; status 1: ask again\n"
    "  -n          print requests, send nothing  -L          list cassettes that do not fit; -g\n"
    "  -B -C -S    tokens, dollars, seconds      -l ledger   share the budget through this file\n"
    "  -T file     spans as OTLP/JSON lines      -i          the input is plain text\n"
    "\n"
    "  $ ... | untrust-wrap | llm-call -p prompts/rca.v1.md -M auto -c cassettes -V rca-check";

struct budget {
	double tokens, dollars;
	long long seconds;
	const char *ledger;
};

/* A price that nobody knows cannot be kept below a limit. */
static void
check_price(const struct run *run, double dollars)
{
	jv usage = jvx_set_number(jvx_set_number(jv_object(), "input_total", 1), "output_total", 1);
	struct timespec now;
	char date[16];
	struct tm tm;

	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &tm);
	strftime(date, sizeof date, "%Y-%m-%d", &tm);
	if (!isnan(dollars) && run->mode != MODE_REPLAY &&
	    isnan(price_of(run->prices, run->model, date, usage)))
		errx(TROUBLE, "-C: the price of %s is unknown; -P takes a table", run->model);
	jv_free(usage);
}

static void
open_budget(struct run *run, const struct budget *b)
{
	struct timespec now;

	check_price(run, b->dollars);
	run->ledger = ledger_open(b->ledger, run->prompt->name, b->tokens, b->dollars);
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (b->seconds > 0)
		run->deadline_ms = (double)now.tv_sec * 1000 + (double)now.tv_nsec / 1e6 +
				   (double)b->seconds * 1000;
}

static void
open_spans(struct run *run, const char *file)
{
	struct buf url = {0};
	const char *whole = variable("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", NULL);
	const char *base = variable("OTEL_EXPORTER_OTLP_ENDPOINT", NULL);

	if (whole != NULL)
		buf_text(&url, whole);
	else if (base != NULL)
		buf_format(&url, "%s%sv1/traces", base, base[strlen(base) - 1] == '/' ? "" : "/");
	if (file != NULL || url.len > 0)
		run->spans = spans_open(file, url.data);
	buf_free(&url);
}

/* Where cassettes are without -c: those of the suite, which are only ever played. */
static const char *
own_cassettes(enum mode mode)
{
	if (mode == MODE_RECORD || mode == MODE_AUTO)
		errx(TROUBLE, "-M record and -M auto need a folder: -c");
	char *folder = prog_data("golden/cassettes");
	return folder != NULL ? folder : "golden/cassettes";
}

static void
set_checks(struct run *run, char **commands)
{
	size_t count = 0;

	while (commands != NULL && commands[count] != NULL)
		count++;
	run->checks = prog_alloc(count + 1, sizeof *run->checks);
	for (size_t i = 0; i < count; i++)
		run->checks[i] = split_command(commands[i]);
}

static _Noreturn void
die_of_signal(void)
{
	signal(stopped, SIG_DFL);
	raise(stopped);
	_exit(TROUBLE);
}

static void
free_run(struct run *run)
{
	if (run->shelf != NULL)
		shelf_free(run->shelf);
	for (size_t i = 0; run->checks[i] != NULL; i++) {
		free(run->checks[i][0]);
		free(run->checks[i]);
	}
	free(run->checks);
	jv_free(run->prices);
	provider_free(run->provider);
	prompt_free(run->prompt);
}

/* The end: what is owed to others, then the status. */
static int
close_run(struct queue *q, bool good, bool gate)
{
	struct run *run = q->run;
	bool clean = true;

	end_progress(q);
	if (run->spans != NULL)
		spans_close(run->spans, run->net);
	net_free(run->net);
	if (fflush(stdout) != 0)
		err(TROUBLE, "write");
	if (stopped)
		die_of_signal();
	if (run->unsent > 0)
		warnx("not sent for the budget: %d", run->unsent);
	ledger_close(run->ledger);
	if (run->shelf != NULL) {
		clean = shelf_list(run->shelf, run->folder, run->prompt->name, run->prompt->sha256,
		    run->model, stdout);
		run->trouble = false;
		if (fflush(stdout) != 0)
			err(TROUBLE, "write");
	}
	free_run(run);
	if (run->trouble || !good)
		return TROUBLE;
	return gate && !clean ? NO : YES;
}

int
main(int argc, char *argv[])
{
	struct run run = {.epochs = 1, .mode = MODE_REPLAY};
	struct queue q = {.run = &run, .last = &q.first, .jobs = 1};
	struct budget budget = {.tokens = NAN, .dollars = NAN};
	const char *prompt = NULL, *spans = NULL, *prices = NULL, *quirks = NULL;
	char **commands = NULL, **steering = NULL;
	bool plain = false, gate = false, list = false;
	int ch;

	prog_start(argc, argv, help);
	add(&steering, NULL); /* an empty list */
	while ((ch = getopt(argc, argv, "B:C:c:gij:k:Ll:M:m:nP:p:q:S:s:T:V:")) != -1) {
		switch (ch) {
		case 'B': budget.tokens = amount_of(ch, optarg); break;
		case 'C': budget.dollars = amount_of(ch, optarg); break;
		case 'c': run.folder = optarg; break;
		case 'g': gate = true; break;
		case 'i': plain = true; break;
		case 'j': q.jobs = (int)prog_number(ch, optarg, 1, 64); break;
		case 'k': run.epochs = (int)prog_number(ch, optarg, 1, 1000); break;
		case 'L': list = true; break;
		case 'l': budget.ledger = optarg; break;
		case 'M': run.mode = mode_of(optarg); break;
		case 'm': run.model = optarg; break;
		case 'n': run.print_only = true; break;
		case 'P': prices = optarg; break;
		case 'p': prompt = optarg; break;
		case 'q': quirks = optarg; break;
		case 'S': budget.seconds = prog_number(ch, optarg, 1, 31536000); break;
		case 's': add(&steering, optarg); break;
		case 'T': spans = optarg; break;
		case 'V': add(&commands, optarg); break;
		default: prog_usage();
		}
	}
	if (prompt == NULL || (list && (run.mode != MODE_REPLAY || run.print_only)))
		prog_usage();

	run.prompt = prompt_read(prompt, steering);
	run.model_given = run.model != NULL;
	if (!run.model_given)
		run.model = run.prompt->model;
	if (run.model == NULL)
		errx(TROUBLE, "no model: neither -m nor the prompt names one");
	jv rules = table(quirks, "lib/quirks.yaml");
	run.provider = find_provider(run.model, rules, &run.no_key);
	jv_free(rules);
	forget_keys(run.provider);
	run.prices = table(prices, "lib/prices.yaml");
	if (run.folder == NULL && run.mode != MODE_OFF)
		run.folder = own_cassettes(run.mode);
	if (list)
		run.shelf = shelf_new();
	set_checks(&run, commands);
	open_budget(&run, &budget);
	open_spans(&run, spans);
	run.net = net_new(variable("SSL_CERT_FILE", "CURL_CA_BUNDLE"), &stopped);
	srand48((long)time(NULL) ^ (long)getpid());
	catch_signals();

	free(commands);
	free(steering);
	q.progress = run.mode != MODE_REPLAY && prog_colour(stderr);
	bool good = plain ? read_text(&q, argv + optind) : read_records(&q, argv + optind);
	return close_run(&q, good, gate);
}
