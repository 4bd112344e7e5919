#include "net.h"

#include <ctype.h>
#include <curl/curl.h>
#include <err.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "prog.h"

/* Something under way: an exchange (easy), a program (child) or a pause (neither). */
struct job {
	struct job *next;
	struct net_reply *reply;  /* NULL: nobody wants to know how this child ends */
	double started, deadline; /* ms; no deadline: 0 */
	CURL *easy;
	struct curl_slist *headers;
	size_t header_bytes;
	struct child *child;
	enum net_until until;
	double silent; /* ms; since when it has closed its output and not ended; or 0 */
	bool ours;     /* the child is freed with the job */
	bool over;
};

struct net {
	CURLM *multi;
	char *certificates;
	struct job *jobs;
};

/*
 * So often the flag is looked at, and a program that closed its output is asked whether it ended;
 * so long it may take to end after that before it answered is told without its status; and so long
 * when it has been let go.
 */
enum { LOOK_MS = 100, SOON_MS = 2, END_MS = 200, LEAVE_MS = 1000 };
enum { HEADER_BYTES = 64 << 10 };

static double
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1000 + (double)t.tv_nsec / 1e6;
}

struct net *
net_new(const char *certificates)
{
	struct net *n = prog_alloc(1, sizeof *n);

	n->certificates = certificates ? prog_copy(certificates, strlen(certificates)) : NULL;
	return n;
}

/* libcurl costs some ten milliseconds to start: a replay never does. */
static CURLM *
multi(struct net *n)
{
	if (n->multi != NULL)
		return n->multi;
	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK ||
	    (n->multi = curl_multi_init()) == NULL)
		errx(TROUBLE, "libcurl does not start");
	return n->multi;
}

static struct job *
job_new(struct net *n, long timeout_ms, void *tag)
{
	struct job *j = prog_alloc(1, sizeof *j);

	j->reply = prog_alloc(1, sizeof *j->reply);
	j->reply->tag = tag;
	j->reply->headers = jv_object();
	j->started = now_ms();
	j->deadline = timeout_ms > 0 ? j->started + (double)timeout_ms : 0;
	j->next = n->jobs;
	n->jobs = j;
	return j;
}

static void
fault(struct job *j, enum net_fault kind, const char *why)
{
	if (j->reply->fault != NET_FINE)
		return;
	j->reply->fault = kind;
	snprintf(j->reply->why, sizeof j->reply->why, "%s", why);
}

static bool
take(struct job *j, const char *bytes, size_t len)
{
	if (j->reply->body.len + len > NET_BYTES) {
		fault(j, NET_FLOOD, "the answer is longer than 16 MiB");
		return false;
	}
	buf_add(&j->reply->body, bytes, len);
	return true;
}

static size_t
on_body(char *bytes, size_t size, size_t count, void *ctx)
{
	return take(ctx, bytes, size * count) ? size * count : 0;
}

static size_t
on_header(char *line, size_t size, size_t count, void *ctx)
{
	struct job *j = ctx;
	size_t len = size * count, name = 0;
	const char *colon = memchr(line, ':', len);

	j->header_bytes += len;
	if (j->header_bytes > HEADER_BYTES) {
		fault(j, NET_REFUSED, "the headers are longer than 64 KiB");
		return 0;
	}
	/* A status line opens the headers of the next response, as after "100 Continue". */
	if (len > 5 && memcmp(line, "HTTP/", 5) == 0) {
		jv_free(j->reply->headers);
		j->reply->headers = jv_object();
	}
	if (colon == NULL || colon == line)
		return len;
	name = (size_t)(colon - line);
	char *key = prog_copy(line, name);
	for (size_t i = 0; i < name; i++)
		key[i] = (char)tolower((unsigned char)key[i]);
	size_t from = name + 1, to = len;
	while (from < to && isspace((unsigned char)line[from]))
		from++;
	while (to > from && isspace((unsigned char)line[to - 1]))
		to--;
	jv value = jv_string_sized(line + from, (int)(to - from));
	j->reply->headers = jv_object_set(j->reply->headers, jv_string(key), value);
	free(key);
	return len;
}

static void
set_up(struct net *n, struct job *j, const char *url, struct span body, long timeout_ms)
{
	CURL *e = j->easy;

	curl_easy_setopt(e, CURLOPT_URL, url);
	curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(e, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(e, CURLOPT_HTTPHEADER, j->headers);
	curl_easy_setopt(e, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body.len);
	curl_easy_setopt(e, CURLOPT_COPYPOSTFIELDS, body.at);
	curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(e, CURLOPT_WRITEDATA, j);
	curl_easy_setopt(e, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(e, CURLOPT_HEADERDATA, j);
	curl_easy_setopt(e, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
	curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT_MS, 15000L);
	curl_easy_setopt(e, CURLOPT_TIMEOUT_MS, timeout_ms);
	curl_easy_setopt(e, CURLOPT_ACCEPT_ENCODING, "");
	curl_easy_setopt(e, CURLOPT_USERAGENT, "rcakit");
	curl_easy_setopt(e, CURLOPT_PRIVATE, j);
	if (n->certificates != NULL)
		curl_easy_setopt(e, CURLOPT_CAINFO, n->certificates);
}

void
net_request(struct net *n, const char *method, const char *url, const char *const headers[],
    struct span body, long timeout_ms, void *tag)
{
	struct job *j = job_new(n, 0, tag);

	j->easy = curl_easy_init();
	if (multi(n) == NULL || j->easy == NULL)
		errx(TROUBLE, "libcurl does not start");
	for (size_t i = 0; headers[i] != NULL; i++)
		j->headers = curl_slist_append(j->headers, headers[i]);
	j->headers = curl_slist_append(j->headers, "Expect:");
	set_up(n, j, url, body, timeout_ms);
	if (strcmp(method, "GET") == 0)
		curl_easy_setopt(j->easy, CURLOPT_HTTPGET, 1L);
	else if (strcmp(method, "POST") != 0)
		curl_easy_setopt(j->easy, CURLOPT_CUSTOMREQUEST, method);
	curl_multi_add_handle(n->multi, j->easy);
}

void
net_post(struct net *n, const char *url, const char *const headers[], struct span body,
    long timeout_ms, void *tag)
{
	net_request(n, "POST", url, headers, body, timeout_ms, tag);
}

void
net_pause(struct net *n, long ms, void *tag)
{
	job_new(n, ms > 0 ? ms : 1, tag);
}

void
net_hear(struct net *n, struct child *c, enum net_until until, long timeout_ms, void *tag)
{
	struct job *j = job_new(n, timeout_ms, tag);

	j->child = c;
	j->until = until;
}

void
net_program(struct net *n, char *const argv[], int input, long timeout_ms, void *tag)
{
	struct child_how how = {.argv = argv, .input = input, .most = NET_BYTES};
	struct job *j = job_new(n, timeout_ms, tag);

	if (lseek(input, 0, SEEK_SET) != 0)
		err(TROUBLE, "cannot start %s", argv[0]);
	j->until = NET_ALL;
	j->ours = true;
	j->child = child_start(&how);
	if (j->child != NULL)
		return;
	warn("%s", argv[0]);
	fault(j, NET_REFUSED, "the program could not be run");
	j->reply->status = 127;
	j->over = true;
}

void
net_let_go(struct net *n, struct child *c)
{
	struct job *j = job_new(n, LEAVE_MS, NULL);

	net_reply_free(j->reply);
	j->reply = NULL;
	j->child = c;
	j->ours = true;
	child_end_input(c);
}

/* The first len bytes that it said are the answer, the next drop go with them. */
static void
answered(struct job *j, size_t len, size_t drop)
{
	buf_add(&j->reply->body, j->child->said.data, len);
	child_take(j->child, len + drop);
	j->over = true;
}

static void
not_answered(struct job *j, enum net_fault kind, const char *why)
{
	fault(j, kind, why);
	j->over = true;
}

static void
look_for_line(struct job *j, double now)
{
	struct child *c = j->child;
	const char *end = c->said.len > 0 ? memchr(c->said.data, '\n', c->said.len) : NULL;

	if (c->silent && j->silent == 0)
		j->silent = now;
	if (end != NULL)
		answered(j, (size_t)(end - c->said.data), 1);
	else if (c->flooded)
		not_answered(j, NET_FLOOD, "a longer answer than may be");
	else if ((c->ended || c->silent) && c->said.len > 0)
		answered(j, c->said.len, 0);
	else if (c->ended)
		not_answered(j, NET_ENDED, "it ended");
	else if (c->silent && now - j->silent >= END_MS)
		not_answered(j, NET_ENDED, "it closed its output");
}

static void
look_for_all(struct job *j)
{
	struct child *c = j->child;

	if (c->flooded)
		not_answered(j, NET_FLOOD, "a longer answer than may be");
	else if (c->ended)
		answered(j, c->said.len, 0);
}

static void
look_at_program(struct job *j, double now)
{
	struct child *c = j->child;

	child_pump(c);
	if (j->reply == NULL) {
		c->said.len = 0; /* it may talk to itself */
		j->over = c->ended || c->flooded;
		return;
	}
	if (j->until == NET_LINE)
		look_for_line(j, now);
	else
		look_for_all(j);
	j->reply->status = c->ended ? c->status : 0;
}

static void
look_at_clock(struct job *j, double now)
{
	if (j->over || j->deadline == 0 || now < j->deadline)
		return;
	if (j->child != NULL && j->reply != NULL)
		fault(j, NET_TIMEOUT, "no answer in time");
	j->over = true;
}

static enum net_fault
fault_of(CURLcode code)
{
	switch (code) {
	case CURLE_OK: return NET_FINE;
	case CURLE_OPERATION_TIMEDOUT: return NET_TIMEOUT;
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_CONNECT:
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_GOT_NOTHING:
	case CURLE_SEND_ERROR:
	case CURLE_RECV_ERROR:
	case CURLE_HTTP2:
	case CURLE_HTTP2_STREAM:
	case CURLE_PARTIAL_FILE: return NET_AGAIN;
	default: return NET_REFUSED;
	}
}

static void
look_at_exchanges(struct net *n)
{
	CURLMsg *m;
	int running, left;
	long status;

	curl_multi_perform(n->multi, &running);
	while ((m = curl_multi_info_read(n->multi, &left)) != NULL) {
		struct job *j = NULL;
		if (m->msg != CURLMSG_DONE)
			continue;
		curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, (char **)&j);
		curl_easy_getinfo(m->easy_handle, CURLINFO_RESPONSE_CODE, &status);
		j->reply->status = (int)status;
		if (m->data.result != CURLE_OK)
			fault(j, fault_of(m->data.result), curl_easy_strerror(m->data.result));
		j->over = true;
	}
}

static void
job_free(struct net *n, struct job *j)
{
	if (j->ours)
		child_free(j->child);
	if (j->easy != NULL) {
		curl_multi_remove_handle(n->multi, j->easy);
		curl_easy_cleanup(j->easy);
	}
	curl_slist_free_all(j->headers);
	free(j);
}

/* Take the first job that is over out of the list; nobody hears of those without a reply. */
static struct net_reply *
harvest(struct net *n)
{
	for (struct job **at = &n->jobs; *at != NULL;) {
		struct job *j = *at;
		if (!j->over) {
			at = &j->next;
			continue;
		}
		struct net_reply *r = j->reply;
		if (r != NULL)
			r->ms = now_ms() - j->started;
		*at = j->next;
		job_free(n, j);
		if (r != NULL)
			return r;
	}
	return NULL;
}

/* How long until there may be something to see that no descriptor tells. */
static int
patience_ms(const struct net *n)
{
	double now = now_ms(), least = LOOK_MS;

	for (const struct job *j = n->jobs; j != NULL; j = j->next) {
		if (j->child != NULL && child_untold(j->child) && least > SOON_MS)
			least = SOON_MS;
		if (j->deadline > 0 && j->deadline - now < least)
			least = j->deadline - now;
	}
	return least > 0 ? (int)least + 1 : 0;
}

/* Without an exchange there is no libcurl, and so no socket of any kind. */
static void
sleep_until(struct net *n)
{
	size_t count = 0;

	for (struct job *j = n->jobs; j != NULL; j = j->next)
		count += j->child != NULL ? CHILD_POLLS : 0;
	struct pollfd *fds = prog_alloc(count, sizeof *fds);
	count = 0;
	for (struct job *j = n->jobs; j != NULL; j = j->next)
		count += j->child != NULL ? child_polls(j->child, fds + count) : 0;
	if (n->multi == NULL) {
		poll(fds, count, patience_ms(n));
		free(fds);
		return;
	}
	struct curl_waitfd *extra = prog_alloc(count, sizeof *extra);
	for (size_t i = 0; i < count; i++)
		extra[i] = (struct curl_waitfd){.fd = fds[i].fd,
		    .events = fds[i].events & POLLIN ? CURL_WAIT_POLLIN : CURL_WAIT_POLLOUT};
	curl_multi_poll(n->multi, extra, (unsigned)count, patience_ms(n), NULL);
	free(extra);
	free(fds);
}

struct net_reply *
net_wait(struct net *n)
{
	while (n->jobs != NULL && !prog_stopped) {
		double now = now_ms();
		if (n->multi != NULL)
			look_at_exchanges(n);
		for (struct job *j = n->jobs; j != NULL; j = j->next) {
			if (j->child != NULL && !j->over)
				look_at_program(j, now);
			look_at_clock(j, now);
		}
		struct net_reply *r = harvest(n);
		if (r != NULL)
			return r;
		if (n->jobs != NULL)
			sleep_until(n);
	}
	return NULL;
}

void
net_reply_free(struct net_reply *r)
{
	jv_free(r->headers);
	buf_free(&r->body);
	free(r);
}

void
net_free(struct net *n)
{
	while (n->jobs != NULL) {
		struct job *j = n->jobs;
		n->jobs = j->next;
		if (j->reply != NULL)
			net_reply_free(j->reply);
		job_free(n, j);
	}
	if (n->multi != NULL) {
		curl_multi_cleanup(n->multi);
		curl_global_cleanup();
	}
	free(n->certificates);
	free(n);
}
