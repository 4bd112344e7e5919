/*
 * autoqa-page: the pages of autoqa-serve, as a CGI program (RFC 3875).
 *
 * AUTOQA_TOKEN admits, AUTOQA_DATA and RCAKIT_AGENTS are the folders.  It talks to agents, so it is
 * as free as who started it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pages.h"
#include "prog.h"

static const char *
variable(const char *name, const char *otherwise)
{
	const char *value = getenv(name);

	return value != NULL && *value != '\0' ? value : otherwise;
}

static void
head(int status)
{
	printf("Status: %d\r\n"
	       "Cache-Control: no-store\r\n"
	       "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; "
	       "form-action 'self'; frame-ancestors 'none'; base-uri 'none'\r\n"
	       "Referrer-Policy: same-origin\r\n"
	       "X-Content-Type-Options: nosniff\r\n",
	    status);
}

static void
redirect(const char *to, const char *base, const char *token)
{
	head(303);
	if (token != NULL)
		printf(
		    "Set-Cookie: autoqa=%s; HttpOnly; SameSite=Strict; Path=%s\r\n", token, base);
	printf("Location: %s\r\n\r\n", to);
}

int
main(int argc, char *argv[])
{
	struct request r;
	struct buf page = {0}, to = {0};

	prog_start(argc, argv,
	    "autoqa-page\n"
	    "\n"
	    "The pages of autoqa-serve, for a web server to run as a CGI program: it reads the\n"
	    "variables of RFC 3875, AUTOQA_TOKEN, AUTOQA_DATA and RCAKIT_AGENTS.");
	if (argc > 1 || getenv("REQUEST_METHOD") == NULL)
		prog_usage();
	char *token = prog_copy(variable("AUTOQA_TOKEN", ""), strlen(variable("AUTOQA_TOKEN", "")));
	unsetenv("AUTOQA_TOKEN"); /* no agent's business */
	const struct place p = {variable("RCAKIT_AGENTS", "agents"),
	    variable("AUTOQA_DATA", ".autoqa"), variable("SCRIPT_NAME", "")};
	enum admission admission = request_read(&r, token);
	if (admission == SHOW_COOKIE) {
		redirect(p.base, p.base, token);
	} else if (admission == REFUSED) {
		head(403);
		printf("Content-Type: text/plain; charset=utf-8\r\n\r\n"
		       "Open the address that autoqa-serve printed.\n");
	} else {
		int status = pages_answer(&p, &r, &page, &to);
		if (status == 303)
			redirect(to.data, p.base, NULL);
		else {
			head(status);
			printf("Content-Type: text/html; charset=utf-8\r\n\r\n");
			if (page.len == 0)
				printf("There is no such page.\n");
			fwrite(page.data ? page.data : "", 1, page.len, stdout);
		}
	}
	free(token);
	request_free(&r);
	buf_free(&page);
	buf_free(&to);
	return fflush(stdout) == 0 ? YES : TROUBLE;
}
