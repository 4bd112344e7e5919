/*
 * rca-ask: what a model asked for, from a closed menu, becomes commands for cmd-guard, and what
 * they print becomes evidence.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "confine.h"
#include "jvx.h"
#include "ndjson.h"
#include "prog.h"
#include "utf8.h"

enum {
	ASKS = 6,           /* are served of one answer */
	LINES = 200,        /* can be read at once */
	HITS = 40,          /* of a search are shown */
	HIT_CHARS = 300,    /* of a line that was found */
	TEXT_CHARS = 12000, /* of a body or a list */
};

struct body {
	jv requests, text;
	char *of, *omitted;
};

/* What the segment has had so far. */
struct segment {
	jv asked; /* an object whose members are what was asked for */
	size_t asks, codes;
	struct body *bodies;
	size_t count, room;
};

static void
segment_clear(struct segment *s)
{
	for (size_t i = 0; i < s->count; i++) {
		jv_free(s->bodies[i].requests);
		jv_free(s->bodies[i].text);
		free(s->bodies[i].of);
		free(s->bodies[i].omitted);
	}
	jv_free(s->asked);
	s->asked = jv_object();
	s->asks = s->codes = s->count = 0;
}

/* The first code points of a text. */
static jv
cut_text(const char *text, size_t len, size_t most)
{
	size_t used, at = 0;

	for (size_t n = 0; at < len && n < most; n++) {
		utf8_decode(text + at, len - at, &used);
		at += used;
	}
	return jv_string_sized(text, (int)at);
}

static void
hold_body(struct segment *s, jv record)
{
	size_t len;
	const char *text = jvx_bytes(record, "text", &len);
	const char *of = jvx_text(record, "of"), *omitted = jvx_text(record, "omitted");

	if (s->count == s->room) {
		s->room = s->room ? 2 * s->room : 16;
		s->bodies = prog_resize(s->bodies, s->room, sizeof *s->bodies);
	}
	s->bodies[s->count++] = (struct body){
	    .requests = jvx_get(record, "requests"),
	    .text = text ? cut_text(text, len, TEXT_CHARS) : jv_invalid(),
	    .of = of ? prog_copy(of, strlen(of)) : NULL,
	    .omitted = omitted ? prog_copy(omitted, strlen(omitted)) : NULL,
	};
}

/* "code:12": references count on from the largest there is. */
static void
see_code(struct segment *s, jv record)
{
	const char *ref = jvx_text(record, "ref");

	if (ref != NULL && strncmp(ref, "code:", 5) == 0) {
		size_t n = strtoul(ref + 5, NULL, 10);
		s->codes = n > s->codes && n < 1000000 ? n : s->codes;
	}
}

static jv
begin(const char *type, const char *ref)
{
	return jvx_set_text(jvx_set_text(jv_object(), "type", type), "ref", ref);
}

/* An asked record; text is consumed. */
static void
put_asked(const char *ref, const char *ask, jv text, const char *why)
{
	jv record = jvx_set_text(begin("asked", ref), "ask", ask);

	record = jvx_set(record, "text", text);
	ndjson_put(jvx_set_text(record, "why", why), stdout);
}

/* What was asked for. */

static bool
has_request(jv requests, const char *ref)
{
	bool found = false;

	for (int i = 0, n = jv_get_kind(requests) == JV_KIND_ARRAY
				? jv_array_length(jv_copy(requests))
				: 0;
	     i < n && !found; i++) {
		jv one = jv_array_get(jv_copy(requests), i);
		found =
		    jv_get_kind(one) == JV_KIND_STRING && strcmp(jv_string_value(one), ref) == 0;
		jv_free(one);
	}
	return found;
}

static void
serve_body(const struct segment *s, const char *ref, const char *ask, jv wish)
{
	const char *request = jvx_text(wish, "request"), *of = jvx_text(wish, "of");

	for (size_t i = 0; i < s->count; i++) {
		const struct body *b = &s->bodies[i];
		if (b->of == NULL || strcmp(b->of, of) != 0 || !has_request(b->requests, request))
			continue;
		if (jv_is_valid(b->text))
			put_asked(ref, ask, jv_copy(b->text), NULL);
		else
			put_asked(ref, ask, jv_invalid(), b->omitted ? b->omitted : "empty");
		return;
	}
	put_asked(ref, ask, jv_invalid(), "the trace has no such body");
}

/* Words of a command; invalid when one that the model chose, from number own on, is an option. */
static jv
words(const char *const list[], size_t own)
{
	jv argv = jv_array();

	for (size_t i = 0; list[i] != NULL; i++) {
		if (i >= own && list[i][0] == '-') {
			jv_free(argv);
			return jv_invalid();
		}
		argv = jv_array_append(argv, jv_string(list[i]));
	}
	return argv;
}

/* A word of the menu as a command, and in *ask as a line; invalid when it is none. */
static jv
command_of(jv wish, struct buf *ask)
{
	const char *what = jvx_text(wish, "what"), *file = jvx_text(wish, "file");
	const char *text = jvx_text(wish, "text"), *folder = jvx_text(wish, "folder");
	const char *request = jvx_text(wish, "request"), *of = jvx_text(wish, "of");
	double first = jvx_number(wish, "first", 1), last = jvx_number(wish, "last", first);
	char range[50];

	if (what == NULL)
		return jv_invalid();
	if (strcmp(what, "read") == 0 && file != NULL && first >= 1 && last >= first &&
	    last < 1e7) {
		last = fmin(last, first + LINES - 1);
		buf_format(ask, "read %s %.0f-%.0f", file, first, last);
		snprintf(range, sizeof range, "%.0f,%.0fp", first, last);
		return words((const char *const[]){"sed", "-n", range, file, NULL}, 3);
	}
	if (strcmp(what, "grep") == 0 && text != NULL && folder != NULL) {
		buf_format(ask, "grep '%s' %s", text, folder);
		return words((const char *const[]){"grep", "-r", "-n", "-H", "-F", "-m", "20", text,
				 folder, NULL},
		    7);
	}
	if (strcmp(what, "list") == 0 && folder != NULL) {
		buf_format(ask, "list %s", folder);
		return words((const char *const[]){"ls", "-1", "-F", folder, NULL}, 3);
	}
	if (strcmp(what, "body") == 0 && request != NULL && of != NULL)
		buf_format(ask, "body %s %s", request, of);
	return jv_invalid();
}

static void
serve_wish(struct segment *s, jv wish)
{
	struct buf ask = {0}, ref = {0};
	jv argv = command_of(wish, &ask);

	if (ask.len > 0 && !jvx_true(s->asked, ask.data)) {
		s->asked = jvx_set(s->asked, ask.data, jv_true());
		buf_format(&ref, "asked:%zu", ++s->asks);
		if (jv_is_valid(argv)) {
			jv id = jvx_set_text(jv_object(), "ask", ask.data);
			id = jvx_set(id, "what", jvx_get(wish, "what"));
			id = jvx_set(id, "file", jvx_get(wish, "file"));
			id = jvx_set_number(id, "first", jvx_number(wish, "first", 1));
			jv command = jvx_set(begin("command", ref.data), "id", id);
			ndjson_put(jvx_set(command, "argv", jv_copy(argv)), stdout);
		} else if (strcmp(jvx_text(wish, "what"), "body") == 0) {
			serve_body(s, ref.data, ask.data, wish);
		} else {
			put_asked(ref.data, ask.data, jv_invalid(), "a dash at the start");
		}
	}
	jv_free(argv);
	buf_free(&ask);
	buf_free(&ref);
}

/* An answer to rca.ask, or why there is none: it has done its work here. */
static bool
is_ours(jv record)
{
	const char *prompt = jvx_text(record, "prompt");

	return prompt != NULL && strncmp(prompt, "rca.ask.", 8) == 0;
}

static void
serve(struct segment *s, jv answer)
{
	jv output = jvx_get(answer, "output"), list = jvx_get(output, "ask");
	int n = jv_get_kind(list) == JV_KIND_ARRAY ? jv_array_length(jv_copy(list)) : 0;

	for (int i = 0; i < n && i < ASKS; i++) {
		jv wish = jv_array_get(jv_copy(list), i);
		serve_wish(s, wish);
		jv_free(wish);
	}
	jv_free(list);
	jv_free(output);
}

/* What the commands gave. */

static void
put_code(struct segment *s, const char *file, double first, jv text, const char *why)
{
	struct buf ref = {0};

	buf_format(&ref, "code:%zu", ++s->codes);
	jv record = jvx_set_text(begin("code", ref.data), "file", file);
	record = jvx_set_number(record, "first", first);
	record = jvx_set(record, "text", text);
	ndjson_put(jvx_set_text(record, "why", why), stdout);
	buf_free(&ref);
}

/* "./web/js/a.js" is "web/js/a.js", as repo-context names it. */
static const char *
plain_name(const char *name)
{
	while (strncmp(name, "./", 2) == 0)
		name += 2 + strspn(name + 2, "/");
	return name;
}

/* Lines of grep -n, FILE:N:TEXT; the number of those that were found. */
static size_t
put_hits(struct segment *s, const char *ref, const char *out)
{
	size_t hits = 0;

	for (const char *eol; (eol = strchr(out, '\n')) != NULL; out = eol + 1) {
		const char *colon = memchr(out, ':', (size_t)(eol - out));
		char *end;
		if (colon == NULL)
			continue;
		unsigned long line = strtoul(colon + 1, &end, 10);
		if (end == colon + 1 || *end != ':')
			continue;
		if (hits++ >= HITS)
			continue;
		char *file = prog_copy(out, (size_t)(colon - out));
		put_code(s, plain_name(file), (double)line,
		    cut_text(end + 1, (size_t)(eol - end - 1), HIT_CHARS), ref);
		free(file);
	}
	return hits;
}

static void
tell_result(struct segment *s, jv result, const char *ref, jv id)
{
	const char *ask = jvx_text(id, "ask"), *what = jvx_text(id, "what");
	size_t len = 0;
	const char *out = jvx_bytes(result, "stdout", &len), *file = jvx_text(id, "file");
	struct buf why = {0};

	if (out == NULL || what == NULL) {
		put_asked(ref, ask, jv_invalid(), "it could not be run");
	} else if (strcmp(what, "grep") == 0) {
		size_t hits = put_hits(s, ref, out);
		buf_format(
		    &why, "lines found: %zu%s", hits, hits > HITS ? ", the first 40 shown" : "");
		put_asked(ref, ask, jv_invalid(), why.data);
	} else if (len == 0) {
		put_asked(ref, ask, jv_invalid(), "there is nothing");
	} else if (strcmp(what, "read") == 0 && file != NULL) {
		put_code(s, plain_name(file), jvx_number(id, "first", 1),
		    jv_string_sized(out, (int)len), ref);
		put_asked(ref, ask, jv_invalid(), "shown as code");
	} else {
		put_asked(ref, ask, cut_text(out, len, TEXT_CHARS), NULL);
	}
	buf_free(&why);
}

/* command, decision and result of a wish: none passes.  False: they are somebody else's. */
static bool
take_outcome(struct segment *s, const struct ndjson *in, jv record)
{
	jv id = jvx_get(record, "id");
	const char *ask = jvx_text(id, "ask");
	const char *ref = jvx_text(record, ndjson_is(in, "command") ? "ref" : "command");
	bool ours = ask != NULL && ref != NULL && strncmp(ref, "asked:", 6) == 0;

	if (ours && ndjson_is(in, "decision") && !jvx_true(record, "allowed"))
		put_asked(ref, ask, jv_invalid(), jvx_text(record, "why"));
	else if (ours && ndjson_is(in, "result"))
		tell_result(s, record, ref, id);
	jv_free(id);
	return ours;
}

/* True when the record has done its work here. */
static bool
act(struct segment *s, struct ndjson *in)
{
	bool done = false;

	if (ndjson_is(in, "trace")) {
		segment_clear(s);
		return false;
	}
	jv record = ndjson_value(in);
	if (ndjson_is(in, "body")) {
		hold_body(s, record);
	} else if (ndjson_is(in, "code")) {
		see_code(s, record);
	} else if (ndjson_is(in, "asked") && jvx_text(record, "ask") != NULL) {
		s->asked = jvx_set(s->asked, jvx_text(record, "ask"), jv_true());
		s->asks++;
	} else if (ndjson_is(in, "answer") || ndjson_is(in, "unclassified")) {
		done = is_ours(record);
		if (done && ndjson_is(in, "answer"))
			serve(s, record);
	} else if (ndjson_is(in, "command") || ndjson_is(in, "decision") ||
		   ndjson_is(in, "result")) {
		done = take_outcome(s, in, record);
	}
	jv_free(record);
	return done;
}

static bool
concerns(const struct ndjson *in)
{
	static const char *const types[] = {"trace", "body", "code", "asked", "answer",
	    "unclassified", "command", "decision", "result"};

	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (ndjson_is(in, types[i]))
			return true;
	return false;
}

int
main(int argc, char *argv[])
{
	struct segment s = {.asked = jv_object()};

	prog_start(argc, argv,
	    "rca-ask [file ...]\n"
	    "\n"
	    "Serves what a model asked for in its answer to the prompt rca.ask: to read lines, to\n"
	    "search for a text, to list a folder, to see the body of a request.  A body comes "
	    "from\n"
	    "the evidence; the rest becomes commands, which cmd-guard runs or refuses, and what\n"
	    "they printed becomes code and asked records.  So it stands on both sides of it:\n"
	    "\n"
	    "  $ ... | llm-call -p prompts/rca.ask.v1.md | rca-ask | cmd-guard -x -r . | rca-ask");
	if (getopt(argc, argv, "") != -1)
		prog_usage();
	confine(&(struct confine){.files = argv + optind});

	struct ndjson *in = ndjson_open(argv + optind);
	while (ndjson_next(in))
		if (!concerns(in) || !act(&s, in))
			ndjson_pass(in, stdout);
	segment_clear(&s);
	jv_free(s.asked);
	free(s.bodies);
	return ndjson_close(in, stdout) ? YES : TROUBLE;
}
