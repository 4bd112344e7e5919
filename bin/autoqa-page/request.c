#include "request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "digest.h"
#include "jvx.h"
#include "prog.h"
#include "utf8.h"

enum { FORM_MOST = 256 << 10 };

static const char *
variable(const char *name)
{
	const char *value = getenv(name);

	return value != NULL ? value : "";
}

static int
hex(char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
				      : -1;
}

static jv
decoded(const char *text, size_t len)
{
	struct buf raw = {0}, whole = {0};

	for (size_t i = 0; i < len; i++) {
		bool escape =
		    text[i] == '%' && i + 2 < len && hex(text[i + 1]) >= 0 && hex(text[i + 2]) >= 0;
		if (escape) {
			buf_byte(&raw, hex(text[i + 1]) * 16 + hex(text[i + 2]));
			i += 2;
		} else if (text[i] == '+')
			buf_byte(&raw, ' ');
		else if (text[i] != '\r')
			buf_byte(&raw, text[i]);
	}
	buf_text(&whole, "");
	utf8_mend(&whole, raw.data ? raw.data : "", raw.len);
	jv value = jv_string_sized(whole.data, (int)whole.len);
	buf_free(&raw);
	buf_free(&whole);
	return value;
}

/* name=value&name=value, the last of equal names. */
static jv
fields_of(const char *text, size_t len)
{
	jv fields = jv_object();

	for (size_t at = 0; at < len;) {
		const char *end = memchr(text + at, '&', len - at);
		size_t n = end != NULL ? (size_t)(end - text) - at : len - at;
		const char *eq = memchr(text + at, '=', n);
		if (eq != NULL) {
			size_t name = (size_t)(eq - text) - at;
			fields = jv_object_set(
			    fields, decoded(text + at, name), decoded(eq + 1, n - name - 1));
		}
		at += n + 1;
	}
	return fields;
}

/* Same length, same bytes; how long it takes does not tell where they differ. */
static bool
same(const char *a, size_t len, const char *b)
{
	unsigned differ = strlen(b) != len;

	for (size_t i = 0; i < len && b[i] != '\0'; i++)
		differ |= (unsigned char)(a[i] ^ b[i]);
	return differ == 0;
}

static bool
has_cookie(const char *token)
{
	for (const char *p = variable("HTTP_COOKIE"); *p != '\0';) {
		size_t len = strcspn(p, ";");
		if (strncmp(p, "autoqa=", 7) == 0 && same(p + 7, len - 7, token))
			return true;
		p += len;
		p += strspn(p, "; ");
	}
	return false;
}

static bool
is_local(const char *host)
{
	size_t len = strcspn(host, ":");

	return (len == 9 && strncmp(host, "127.0.0.1", 9) == 0) ||
	       (len == 9 && strncmp(host, "localhost", 9) == 0);
}

static bool
same_origin(void)
{
	const char *origin = variable("HTTP_ORIGIN");

	return strncmp(origin, "http://", 7) == 0 && strcmp(origin + 7, variable("HTTP_HOST")) == 0;
}

static bool
read_form(struct request *r)
{
	char *end, *body;
	long len = strtol(variable("CONTENT_LENGTH"), &end, 10);
	bool good = *end == '\0' && len >= 0 && len <= FORM_MOST &&
		    strncmp(variable("CONTENT_TYPE"), "application/x-www-form-urlencoded", 33) == 0;

	if (!good)
		return false;
	body = prog_alloc((size_t)len + 1, 1);
	good = fread(body, 1, (size_t)len, stdin) == (size_t)len;
	jv_free(r->fields);
	r->fields = fields_of(body, (size_t)len);
	free(body);
	return good;
}

enum admission
request_read(struct request *r, const char *token)
{
	const char *query = variable("QUERY_STRING");
	struct buf form = {0};

	*r = (struct request){.fields = fields_of(query, strlen(query))};
	r->path = prog_copy(variable("PATH_INFO"), strlen(variable("PATH_INFO")));
	buf_format(&form, "form %s", token);
	digest_sha256(form.data, form.len, r->form);
	buf_free(&form);
	if (!is_local(variable("HTTP_HOST")) || *token == '\0')
		return REFUSED;
	r->post = strcmp(variable("REQUEST_METHOD"), "POST") == 0;
	if (!r->post && strcmp(variable("REQUEST_METHOD"), "GET") != 0)
		return REFUSED;
	const char *shown = request_field(r, "token");
	if (!r->post && *shown != '\0' && same(shown, strlen(shown), token))
		return SHOW_COOKIE;
	if (!has_cookie(token))
		return REFUSED;
	if (!r->post)
		return ADMITTED;
	if (!same_origin() || !read_form(r))
		return REFUSED;
	const char *brought = request_field(r, "form");
	return same(brought, strlen(brought), r->form) ? ADMITTED : REFUSED;
}

const char *
request_field(const struct request *r, const char *name)
{
	const char *value = jvx_text(r->fields, name);

	return value != NULL ? value : "";
}

void
request_free(struct request *r)
{
	free(r->path);
	jv_free(r->fields);
}
