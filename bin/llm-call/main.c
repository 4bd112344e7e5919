/* llm-call: ask a model about each segment; the only program of the suite that does. */
#include <err.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "clock.h"
#include "confine.h"
#include "jvx.h"
#include "price.h"
#include "prog.h"
#include "queue.h"
#include "yamlx.h"

static void
on_closed_pipe(int number)
{
	child_kill_all();
	signal(number, SIG_DFL);
	raise(number);
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
		provider_custom_headers(p, getenv("ANTHROPIC_CUSTOM_HEADERS"));
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
	    "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_CUSTOM_HEADERS", "GOOGLE_API_KEY", "GEMINI_API_KEY"};

	for (size_t i = 0; p->kind != PROVIDER_EXEC && i < sizeof keys / sizeof *keys; i++)
		unsetenv(keys[i]);
}

/* A list in YAML: the one given, or the suite's own. */
static jv
table(const char *given, const char *own)
{
	char *path = given ? prog_copy(given, strlen(given)) : prog_data(own);
	if (path == NULL)
		errx(TROUBLE, "%s: not found beside the program", own);
	jv made = yamlx_file(path);
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
	struct sigaction action = {.sa_handler = on_closed_pipe}, before;

	prog_catch_signals();
	/* Nobody reads on: the end is as quiet as ever, and nothing goes on behind it. */
	if (sigaction(SIGPIPE, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
		sigaction(SIGPIPE, &action, NULL);
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
    "llm-call -p prompt [-giLn] [-B tokens] [-C dollars] [-c folder] [-j jobs]\n"
    "                [-k epochs] [-l ledger] [-M mode] [-m model] [-P prices] [-q quirks]\n"
    "                [-S seconds] [-s steering] [-T file] [-V command] [file ...]\n"
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
		run->spans = spans_open(file, url.data,
		    variable("OTEL_EXPORTER_OTLP_HEADERS", NULL), variable("TRACEPARENT", NULL));
	buf_free(&url);
}

/* Where cassettes are without -c: those of the suite, which are only ever played. */
static char *
own_cassettes(enum mode mode)
{
	if (mode == MODE_RECORD || mode == MODE_AUTO)
		errx(TROUBLE, "-M record and -M auto need a folder: -c");
	char *folder = prog_data("golden/cassettes");
	return folder != NULL ? folder : prog_copy("golden/cassettes", 16);
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

/* What names and certificates are read from when a live call is made. */
static const char *const net_files[] = {"/etc/resolv.conf", "/etc/hosts", "/etc/host.conf",
    "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/services", "/run/systemd/resolve", "/etc/ssl",
    "/etc/pki", "/etc/ca-certificates", "/usr/share/ca-certificates", "/usr/lib/ssl",
    "/usr/local/share/ca-certificates", "/etc/crypto-policies", "/etc/gnutls", "/dev/urandom"};

/*
 * From here on the kernel holds it to what its mode needs.  Checks are programs of the user's: they
 * read and start what they like, write to the folder of temporary files, and reach the network only
 * where the call does.  A model that is a program is an agent of its own, as free as its user.
 */
static void
stay_inside(const struct run *run, const char *certificates, char *const files[])
{
	enum { NET_FILES = sizeof net_files / sizeof net_files[0] };
	static const char *const anywhere[] = {"/", NULL};
	const char *read[NET_FILES + 3] = {NULL}, *write[5] = {P_tmpdir, NULL};
	bool live = run->mode != MODE_REPLAY && !run->print_only, checks = run->checks[0] != NULL;
	size_t reads = 0, writes = 1;

	if (live && run->provider != NULL && run->provider->kind == PROVIDER_EXEC)
		return;
	if (run->folder != NULL)
		read[reads++] = run->folder;
	if (certificates != NULL)
		read[reads++] = certificates;
	live = live || run->spans != NULL; /* a collector may be told */
	for (size_t i = 0; live && i < NET_FILES; i++)
		read[reads++] = net_files[i];
	if (run->mode == MODE_RECORD || run->mode == MODE_AUTO) {
		mkdir(run->folder, 0777); /* what is named must be there; a failure is told later */
		write[writes++] = run->folder;
	}
	if (checks) {
		write[writes++] = "/dev/null";
		write[writes] = getenv("TMPDIR");
	}
	struct confine needs = {.files = files, .read = read, .write = write};
	needs.run = checks ? anywhere : NULL;
	needs.libraries = needs.sockets = live;
	confine(&needs);
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
	free(run->folder);
	jv_free(run->prices);
	provider_free(run->provider);
	prompt_free(run->prompt);
}

/* The end: what is owed to others, then the status. */
static int
close_run(struct run *run, bool good, bool gate)
{
	bool clean = true;

	if (run->spans != NULL)
		spans_close(run->spans, run->net);
	net_free(run->net);
	if (fflush(stdout) != 0)
		err(TROUBLE, "write");
	if (prog_stopped)
		prog_die_of_signal();
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
	struct queue q;
	struct budget budget = {.tokens = NAN, .dollars = NAN};
	const char *folder = NULL, *prompt = NULL, *spans = NULL, *prices = NULL, *quirks = NULL;
	const char *mode = NULL;
	char **commands = NULL, **steering = NULL;
	bool plain = false, gate = false, list = false;
	int ch, jobs = 1;

	prog_start(argc, argv, help);
	add(&steering, NULL); /* an empty list */
	while ((ch = getopt(argc, argv, "B:C:c:gij:k:Ll:M:m:nP:p:q:S:s:T:V:")) != -1) {
		switch (ch) {
		case 'B': budget.tokens = prog_amount(ch, optarg, 1e12); break;
		case 'C': budget.dollars = prog_amount(ch, optarg, 1e9); break;
		case 'c': folder = optarg; break;
		case 'g': gate = true; break;
		case 'i': plain = true; break;
		case 'j': jobs = (int)prog_number(ch, optarg, 1, 64); break;
		case 'k': run.epochs = (int)prog_number(ch, optarg, 1, 1000); break;
		case 'L': list = true; break;
		case 'l': budget.ledger = optarg; break;
		case 'M': mode = optarg; break;
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
	if (mode != NULL)
		run.mode = mode_of(mode);
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
	if (folder != NULL)
		run.folder = prog_copy(folder, strlen(folder));
	else if (run.mode != MODE_OFF)
		run.folder = own_cassettes(run.mode);
	if (folder != NULL && run.mode == MODE_REPLAY && access(folder, F_OK) != 0)
		warn("-c %s", folder);
	if (list)
		run.shelf = shelf_new();
	set_checks(&run, commands);
	open_budget(&run, &budget);
	open_spans(&run, spans);
	const char *certificates = variable("SSL_CERT_FILE", "CURL_CA_BUNDLE");
	run.net = net_new(certificates);
	srand48((long)time(NULL) ^ (long)getpid());
	catch_signals();

	free(commands);
	free(steering);
	queue_init(&q, &run, jobs);
	stay_inside(&run, certificates, argv + optind);
	bool good = plain ? queue_text(&q, argv + optind) : queue_records(&q, argv + optind);
	if (mode == NULL && run.misses > 0)
		warnx("without -M answers are only played; -M auto or -M off asks the model");
	return close_run(&run, good, gate);
}
