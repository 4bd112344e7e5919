#ifndef NET_H
#define NET_H

/*
 * net: wait for many things at once: HTTP exchanges (libcurl's multi interface), programs that
 * answer on standard output, and pauses.
 *
 * Whoever starts something gives a tag, and gets it back with the outcome from net_wait().  TLS is
 * verified, redirects are not followed, answers are bounded.
 */
#include <jv.h>
#include <stdbool.h>
#include <stddef.h>

#include "buf.h"
#include "child.h"
#include "scan.h"

enum { NET_BYTES = 16 << 20 }; /* the longest answer */

enum net_fault {
	NET_FINE,    /* status and body are what came */
	NET_AGAIN,   /* the connection failed or was cut: another try can help */
	NET_TIMEOUT, /* and so it can here */
	NET_REFUSED, /* no such program, a certificate that does not hold */
	NET_FLOOD,   /* more than may be held */
	NET_ENDED,   /* the program ended, or closed its output, and had not answered: see status */
};

struct net_reply {
	void *tag;
	enum net_fault fault;
	char why[200]; /* of a fault; no content of the answer */
	int status;    /* HTTP's, or the program's exit status (128 + N when killed by signal N) */
	jv headers;    /* of strings, names in lower case; the last of equal names */
	struct buf body;
	double ms; /* how long it took */
};

struct net;

/* certificates: a PEM file in place of the system's, or NULL. */
struct net *net_new(const char *certificates);

/* headers are lines "Name: value", an array that ends with NULL; nothing is borrowed. */
void net_request(struct net *n, const char *method, const char *url, const char *const headers[],
    struct span body, long timeout_ms, void *tag);
void net_post(struct net *n, const char *url, const char *const headers[], struct span body,
    long timeout_ms, void *tag);
/* input is a file, read from its start; closing it at once is fine, moving in it is not. */
void net_program(struct net *n, char *const argv[], int input, long timeout_ms, void *tag);
/*
 * What c says next: a line, without its end, or all until it ends.  c is yours, and stays while
 * this is under way; after a fault it is as it was left.
 */
enum net_until { NET_LINE, NET_ALL };
void net_hear(struct net *n, struct child *c, enum net_until until, long timeout_ms, void *tag);
/* Free c once it ended: its input is closed, and in a second it is killed.  Nothing is told. */
void net_let_go(struct net *n, struct child *c);
void net_pause(struct net *n, long ms, void *tag);

/* The next outcome; NULL when nothing is under way any more, or prog_stopped was set. */
struct net_reply *net_wait(struct net *n);
void net_reply_free(struct net_reply *r);

void net_free(struct net *n); /* what is under way is given up, programs are killed */

#endif
