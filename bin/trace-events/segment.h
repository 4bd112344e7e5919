#ifndef SEGMENT_H
#define SEGMENT_H

/*
 * segment: what one trace (one zip) said, as its lines are read, until it can be told.
 *
 * read.c fills the model from lines of any format version; the files named below then work on it,
 * in this order; tell.c writes it.  Texts and JSON spans live in words.  Times of records are those
 * of their context's own clock until clocks_align() has given each context its offset.
 */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "dom.h"
#include "jvx.h"
#include "ndjson.h"
#include "report.h"
#include "scan.h"
#include "words.h"

/* One .trace member and its siblings: a browser context, an API context or the test runner. */
struct context {
	const char *prefix;   /* the members' name without .trace */
	bool runner, options; /* options: its first record was context-options */
	int version;
	const char *browser, *platform, *playwright, *title, *sdk, *base_url;
	double wall, mono;  /* one moment on both clocks, in ms; NaN: not known */
	double began;       /* wall clock of its start; NaN */
	double first, last; /* times seen */
	double offset;      /* wall clock = time + offset */
	double timeout_ms;  /* of the test; NaN */
	bool should_fail, skipped;
	bool workers;       /* service workers made requests */
	size_t lines;       /* read so far */
	struct span stacks; /* of its .stacks member */
};

enum category { PW_API, EXPECT, STEP, HOOK, FIXTURE, ATTACH };

struct action {
	struct context *context;
	const char *id, *parent_id, *step_id, *class, *method, *page;
	const char *object; /* it was called on; up to format 3 */
	const char *title;  /* title, or apiName up to format 7; NULL: neither */
	const char *subtitle, *group;
	struct span params, stack; /* JSON; at is NULL when unknown.  Frames as records have them */
	const char *message;       /* of its error, without colours; NULL: no error */
	const char *error;         /* the error's name */
	const char *received;      /* of a failed expect, as the library trace has it */
	double start, end, wall;   /* end is NaN while unfinished */
	const char **log;
	size_t log_count, log_size;
	size_t order;        /* in which it was read */
	size_t began, ended; /* the lines of its member that said so, from 1 */
	/* Worked out by join.c and names.c. */
	struct action *twin; /* the library's side of a runner's step */
	struct action *step; /* the other way: a call with a step is told by it */
	struct action *parent;
	bool retries;              /* poll or toPass */
	bool after_hooks, retried; /* inside After Hooks; inside poll or toPass */
	unsigned depth;
	enum category category;
	const char *api, *locator, *expected;
	bool failure_point;
	size_t number; /* of its ref, from 1 */
};

struct error {
	const char *message, *name;
	bool reported; /* by the JSON report alone */
	struct span stack;
	struct action *action;
	size_t line; /* of its member, from 1 */
	bool soft, terminal;
};

enum { CONSOLE, PAGE_ERROR, EVENT, EVENT_KINDS };
struct event {
	struct context *context;
	int kind;
	double time;
	const char *page;
	struct span text; /* the record's own members, JSON */
};

enum mocked { NOT_MOCKED, FULFILLED, CONTINUED, ABORTED };
struct request {
	struct context *context;
	const char *method, *url, *page, *failure, *type;
	const char *guid; /* up to format 3 */
	const char *request_blob, *request_mime, *response_blob, *mime;
	int status; /* 0: none */
	double start, ms;
	enum mocked mocked;
	bool api, earlier;
	bool service_worker; /* made it */
	const char *status_text, *redirect_url, *server;
	double request_bytes, response_bytes, port;
	struct span request_headers, response_headers, timings; /* JSON, as in the HAR entry */
	struct buf *text;    /* the request's body, where it stands in the entry itself */
	struct action *call; /* that answered, aborted or continued it */
	struct route *route;
	size_t order, number;
};

enum { NEAR_MOST = 5 };
struct route {
	struct action *action; /* that registered it */
	struct context *context;
	bool of_page, readable; /* readable: its pattern could be matched */
	const char *file;       /* of the place that registered it, which is one number */
	double position;
	const char *page;
	const char *pattern, *flags; /* a glob, or with flags a regular expression; NULL: unknown */
	double from, until;          /* wall clock; until is NaN while it stands */
	size_t matched, fulfilled, continued, aborted, fallen_back;
	size_t reached; /* "**" slash "*" that answered nothing: requests that it may have seen */
	struct route *shadow; /* that took what this one's pattern fits */
	struct request *near[NEAR_MOST];
	size_t near_count;
	size_t number;
};

struct attachment {
	const char *name, *mime, *blob;
	struct action *action;
	struct span base64; /* a body given inline */
	struct span text;   /* of an error context, held until the story is told */
	bool told;
};

struct page {
	const char *id, *url, *frame; /* frame: its main one, the first that was seen */
	struct context *context;      /* the last in which it was seen */
	size_t number, seen;          /* seen: counts up with each snapshot of any page */
};

#define LIST(type)                                                                                 \
	struct {                                                                                   \
		type *at;                                                                          \
		size_t count, size;                                                                \
	}
#define LIST_ADD(list)                                                                             \
	(list_grow((void **)&(list).at, &(list).size, (list).count, sizeof *(list).at),            \
	    &(list).at[(list).count++])
void list_grow(void **at, size_t *size, size_t count, size_t each);

/* A blob is the body of requests, or of responses, or of both. */
enum { OF_REQUEST, OF_RESPONSE };
struct use {
	const char *blob, *mime;
	struct request *request;
	int of;
	bool told;
};

struct segment {
	struct words *words;
	const char *name;            /* of the trace; NULL */
	const struct report *report; /* NULL: none was given */
	const struct outcome *outcome;
	LIST(struct context *) contexts;
	LIST(struct action *) actions;
	LIST(struct error) errors;
	LIST(struct event) events;
	LIST(struct request *) requests;
	LIST(struct route *) routes;
	LIST(struct attachment) attachments;
	LIST(struct page *) pages;
	LIST(struct excerpt *) excerpts;
	LIST(struct use) uses; /* by blob, direction and number */
	struct pairs *page_ids, *prefixes;
	struct pairs *ids;     /* (context, id) to action */
	struct pairs *routed;  /* (context, guid of a Route) to guid of its request */
	struct pairs *objects; /* (context, guid) to what old formats remember */
	struct dom *dom;
	struct context *dom_context; /* whose snapshots it is reading */
	struct span bulk;            /* of the line at hand: see scan_check_member */
	const char *error_context;   /* the attachment's text */
	double zero, until;          /* wall clock of the first and last event */
	struct error *terminal;
	struct action *failure_point;
	size_t seen;   /* snapshots */
	size_t bodies; /* told */
	bool timed_out, settled, told;
	FILE *out;
};

struct segment *segment_new(FILE *out);
void segment_free(struct segment *s);

/* pairs: a map from two pointers to one. */
struct pairs;
struct pairs *pairs_new(void);
void pairs_free(struct pairs *p);
void *pairs_get(const struct pairs *p, const void *a, const void *b);
void pairs_set(struct pairs *p, const void *a, const void *b, void *value);

/* The wanted members of an object in one pass; the others keep at == NULL. */
struct want {
	const char *name;
	struct span value;
};
void members(struct span object, struct want *want, size_t count);
#define MEMBERS(object, want) members(object, want, sizeof(want) / sizeof *(want))

/* text without ANSI escape sequences, kept in words; NULL for NULL. */
const char *plain(struct words *w, const char *text);
bool begins(const char *text, const char *with);
bool same(const char *a, const char *b); /* NULL equals nothing */

/* value.c: what the protocol writes for a JavaScript value; NULL when there is none. */
const char *serialized(struct words *w, struct span value);

/* read.c: one line of a member. */
void read_line(struct segment *s, struct span member, struct span record, struct span bulk);
void read_after(struct segment *s, struct context *c, struct action *a, struct span record);
struct page *page_of(struct segment *s, struct context *c, const char *id);
struct action *action_new(struct segment *s, struct context *c, const char *id);
void action_log(struct action *a, const char *line);
void note_time(struct context *c, double time);
void action_params(struct segment *s, struct action *a, struct span params);
void action_stack(struct segment *s, struct action *a, struct span stack);
void read_protocol(struct segment *s, struct context *c, double time, struct span method,
    const char *page, struct span params);

/* event.c */
void add_console(struct segment *s, struct context *c, double time, const char *page,
    struct span type, struct span text, struct span location);
void add_page_error(
    struct segment *s, struct context *c, double time, const char *page, struct span params);
void add_event(struct segment *s, struct context *c, double time, const char *page,
    const char *kind, const char *member, struct span text);

/* old.c: what formats 1 to 6 write another way; false: not such a record, not such an event. */
bool read_old(struct segment *s, struct context *c, struct span type, struct span record);
bool read_old_event(struct segment *s, struct context *c, double time, struct span method,
    const char *page, struct span params);

/* stack.c: frames as {file, line, column, function}. */
jv frames_of_text(const char *text);
jv frames_of_json(struct words *w, struct span stack);
jv frame_of_user(jv frames); /* the first that is no library's; invalid when there is none */
void stacks_give(struct segment *s, struct context *c);

/* network.c */
const char *blob_name(struct words *w, const char *name); /* without its folder */
void read_request(struct segment *s, struct context *c, struct span snapshot);
void requests_settle(struct segment *s); /* order, repeats, failures of API requests */

/* headers.c: request_headers, response_headers, timings. */
jv set_headers(jv rec, const struct request *r);

/* join.c: clocks, then runner and library, then the tree. */
void clocks_align(struct segment *s);
void actions_join(struct segment *s);
double wall_of(const struct context *c, double time);

/* names.c: category, api, locator, expected and received of every action. */
void actions_name(struct segment *s);
/* locator.c: a selector as its user wrote it; NULL: show the selector. */
const char *locator_of(struct words *w, const char *selector);

/* failure.c */
void failure_find(struct segment *s);
bool is_timeout(const char *message); /* the runner's notice that time is up */

/* route.c */
void routes_find(struct segment *s);

/* body.c: resources, and what never came of them. */
bool decode_text(const char *bytes, size_t len, const char *mime, struct buf *text);
void bodies_index(struct segment *s);
void read_resource(struct segment *s, struct span record);
void attachments_held(struct segment *s);
void bodies_held(struct segment *s);
void bodies_missing(struct segment *s);
void attachments_missing(struct segment *s);
jv set_sha1(jv rec, const char *key, const char *blob);

/* source.c: true when the blob is a source file. */
void sources_want(struct segment *s);
bool source_take(struct segment *s, const char *blob, const struct buf *bytes);
void sources_tell(struct segment *s);
/* What stands in that line of a source that the trace carries; NULL when it does not. */
const char *source_line(const struct segment *s, const char *file, int line);
void sources_free(struct segment *s);

/* page.c */
void pages_tell(struct segment *s);

/* title.c: title, titles, file and line of the test. */
jv set_title(jv rec, struct segment *s);

/* tell.c: settle works the model out, once; tell writes it, once; end writes what is left. */
jv ref_of(const char *type, size_t number);
void segment_settle(struct segment *s);
void segment_tell(struct segment *s);
void segment_end(struct segment *s);

#endif
