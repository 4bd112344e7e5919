#include "net.h"

#include <ctype.h>
#include <curl/curl.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "prog.h"

/* Something under way: an exchange (easy), a program (pid) or a pause (neither). */
struct job {
	struct job *next;
	struct net_reply *reply;
	double started, deadline; /* ms; no deadline: 0 */
	CURL *easy;
	struct curl_slist *headers;
	pid_t pid;
	int out; /* the program's standard output; -1 when it was closed */
	size_t header_bytes;
	bool over;
};

struct net {
	CURLM *multi;
	char *certificates;
	const volatile sig_atomic_t *stop;
	struct job *jobs;
};

/* So often the flag is looked at, and a program that closed its output is asked whether it ended.
 */
enum { LOOK_MS = 100, SOON_MS = 5 };
enum { HEADER_BYTES = 64 << 10 };

static double
now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1000 + (double)t.tv_nsec / 1e6;
}

struct net *
net_new(const char *certificates, const volatile sig_atomic_t *stop)
{
	struct net *n = prog_alloc(1, sizeof *n);

	n->stop = stop;
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
	j->out = -1;
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
		fault(j, NET_REFUSED, "the answer is longer than 16 MiB");
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
net_post(struct net *n, const char *url, const char *const headers[], struct span body,
    long timeout_ms, void *tag)
{
	struct job *j = job_new(n, 0, tag);

	j->easy = curl_easy_init();
	if (multi(n) == NULL || j->easy == NULL)
		errx(TROUBLE, "libcurl does not start");
	for (size_t i = 0; headers[i] != NULL; i++)
		j->headers = curl_slist_append(j->headers, headers[i]);
	j->headers = curl_slist_append(j->headers, "Expect:");
	set_up(n, j, url, body, timeout_ms);
	curl_multi_add_handle(n->multi, j->easy);
}

void
net_pause(struct net *n, long ms, void *tag)
{
	job_new(n, ms > 0 ? ms : 1, tag);
}

static _Noreturn void
child(char *const argv[], int in, int out)
{
	setpgid(0, 0);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
		_exit(126);
	closefrom(STDERR_FILENO + 1);
	execvp(argv[0], argv);
	warn("%s", argv[0]);
	_exit(127);
}

void
net_program(struct net *n, char *const argv[], int input, long timeout_ms, void *tag)
{
	struct job *j = job_new(n, timeout_ms, tag);
	int pipe_ends[2];

	if (lseek(input, 0, SEEK_SET) != 0 || pipe(pipe_ends) != 0)
		err(TROUBLE, "cannot start %s", argv[0]);
	fcntl(pipe_ends[0], F_SETFD, FD_CLOEXEC);
	fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK);
	j->out = pipe_ends[0];
	j->pid = fork();
	if (j->pid < 0)
		err(TROUBLE, "cannot start %s", argv[0]);
	if (j->pid == 0)
		child(argv, input, pipe_ends[1]);
	setpgid(j->pid, j->pid); /* whichever of the two comes first */
	close(pipe_ends[1]);
}

static void
close_output(struct job *j)
{
	if (j->out >= 0)
		close(j->out);
	j->out = -1;
}

static void
kill_program(struct job *j)
{
	kill(-j->pid, SIGKILL);
	waitpid(j->pid, NULL, 0);
	j->pid = 0;
	close_output(j);
	j->over = true;
}

static void
read_program(struct job *j)
{
	char chunk[16384];
	ssize_t got;

	while (j->out >= 0 && (got = read(j->out, chunk, sizeof chunk)) != 0) {
		if (got < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (got < 0 || !take(j, chunk, (size_t)got)) {
			fault(j, NET_REFUSED, "its output cannot be read");
			kill_program(j);
			return;
		}
	}
	close_output(j);
}

static void
look_at_program(struct job *j)
{
	int status;

	if (j->out >= 0)
		read_program(j);
	if (j->over || j->out >= 0 || waitpid(j->pid, &status, WNOHANG) != j->pid)
		return;
	j->pid = 0;
	j->reply->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	if (j->reply->status == 127)
		fault(j, NET_REFUSED, "the program could not be run");
	j->over = true;
}

static void
look_at_clock(struct job *j, double now)
{
	if (j->over || j->deadline == 0 || now < j->deadline)
		return;
	if (j->pid > 0) {
		fault(j, NET_TIMEOUT, "no answer in time");
		kill_program(j);
	}
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
	if (j->pid > 0)
		kill_program(j);
	close_output(j);
	if (j->easy != NULL) {
		curl_multi_remove_handle(n->multi, j->easy);
		curl_easy_cleanup(j->easy);
	}
	curl_slist_free_all(j->headers);
	free(j);
}

/* Take the first job that is over out of the list. */
static struct net_reply *
harvest(struct net *n)
{
	for (struct job **at = &n->jobs; *at != NULL; at = &(*at)->next) {
		struct job *j = *at;
		if (!j->over)
			continue;
		struct net_reply *r = j->reply;
		r->ms = now_ms() - j->started;
		*at = j->next;
		job_free(n, j);
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
		if (j->pid > 0 && j->out < 0 && least > SOON_MS)
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
		count += j->out >= 0;
	struct pollfd *fds = prog_alloc(count, sizeof *fds);
	struct curl_waitfd *extra = prog_alloc(count, sizeof *extra);
	count = 0;
	for (struct job *j = n->jobs; j != NULL; j = j->next) {
		if (j->out < 0)
			continue;
		fds[count] = (struct pollfd){.fd = j->out, .events = POLLIN};
		extra[count++] = (struct curl_waitfd){.fd = j->out, .events = CURL_WAIT_POLLIN};
	}
	if (n->multi != NULL)
		curl_multi_poll(n->multi, extra, (unsigned)count, patience_ms(n), NULL);
	else
		poll(fds, count, patience_ms(n));
	free(extra);
	free(fds);
}

struct net_reply *
net_wait(struct net *n)
{
	while (n->jobs != NULL && !*n->stop) {
		double now = now_ms();
		if (n->multi != NULL)
			look_at_exchanges(n);
		for (struct job *j = n->jobs; j != NULL; j = j->next) {
			if (j->pid > 0)
				look_at_program(j);
			look_at_clock(j, now);
		}
		struct net_reply *r = harvest(n);
		if (r != NULL)
			return r;
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
