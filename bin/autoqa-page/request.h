#ifndef REQUEST_H
#define REQUEST_H

/*
 * request: what a web server hands to a CGI program (RFC 3875), and whether we answer it.
 *
 * Whoever asks has to know the token: once in the address, from then on in a cookie.  A page of
 * somebody else's in the same browser does not get the cookie sent (SameSite), cannot know the
 * token of a form, and is refused by its origin; a name that was made to point to this machine is
 * refused by its host.
 */
#include <jv.h>
#include <stdbool.h>

enum admission { ADMITTED, SHOW_COOKIE, REFUSED };

struct request {
	bool post;
	char *path;    /* below the program, "" or "/agent" */
	jv fields;     /* {name: value}: of the form, else of the query */
	char form[65]; /* what a form of ours has to bring */
};

/* Reads the environment and standard input; what is too long or no form is refused. */
enum admission request_read(struct request *r, const char *token);
void request_free(struct request *r);
const char *request_field(const struct request *r, const char *name); /* "" when absent */

#endif
