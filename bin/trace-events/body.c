/* body: what resources hold, as text: bodies of requests, attachments, lines of sources. */
#include "segment.h"

#include <ctype.h>
#include <errno.h>
#include <iconv.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "digest.h"
#include "prog.h"
#include "utf8.h"

static bool
is_utf8_name(const char *charset)
{
	return strcasecmp(charset, "utf-8") == 0 || strcasecmp(charset, "utf8") == 0 ||
	       strcasecmp(charset, "us-ascii") == 0;
}

/* The charset parameter of a Content-Type; only what can be a name and no path. */
static bool
charset_of(const char *mime, char name[41])
{
	for (const char *p = mime; p != NULL && (p = strchr(p, ';')) != NULL;) {
		p += 1 + strspn(p + 1, " \t");
		if (strncasecmp(p, "charset=", 8) != 0)
			continue;
		p += 8 + (p[8] == '"');
		size_t n = 0;
		while (n < 40 && (isalnum((unsigned char)p[n]) || strchr("-_.:", p[n])) &&
		       p[n] != '\0')
			n++;
		memcpy(name, p, n);
		name[n] = '\0';
		return n > 0;
	}
	return false;
}

/* False when the name is not known or the bytes are no text in it. */
static bool
convert(const char *charset, const char *bytes, size_t len, struct buf *text)
{
	iconv_t cd = iconv_open("UTF-8", charset);
	char *in = (char *)(uintptr_t)bytes;

	if (cd == (iconv_t)-1)
		return false;
	bool good = true;
	while (len > 0 && good) {
		char chunk[4096], *out = chunk;
		size_t left = sizeof chunk;
		good = iconv(cd, &in, &len, &out, &left) != (size_t)-1 || errno == E2BIG;
		buf_add(text, chunk, sizeof chunk - left);
	}
	iconv_close(cd);
	return good && utf8_valid(text->data ? text->data : "", text->len) == text->len;
}

static bool
is_text_type(const char *mime)
{
	static const char *const parts[] = {
	    "text/", "json", "xml", "javascript", "graphql", "x-www-form-urlencoded"};

	for (size_t i = 0; mime != NULL && i < sizeof parts / sizeof *parts; i++)
		if (strstr(mime, parts[i]) != NULL)
			return true;
	return false;
}

/*
 * Chromium hands out the text of a response as UTF-8, whatever its header goes on saying.  Text in
 * another charset that is also UTF-8 would be an accident, but for what has no byte over 127.
 */
static bool
is_utf8_anyway(const char *charset, const char *bytes, size_t len)
{
	if (utf8_valid(bytes, len) != len || memchr(bytes, '\0', len) != NULL)
		return false;
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)bytes[i] > 127)
			return true;
	return strncasecmp(charset, "utf-16", 6) == 0 || strncasecmp(charset, "utf-32", 6) == 0;
}

bool
decode_text(const char *bytes, size_t len, const char *mime, struct buf *text)
{
	char charset[41];

	if (charset_of(mime, charset) && !is_utf8_name(charset) &&
	    !is_utf8_anyway(charset, bytes, len)) {
		if (convert(charset, bytes, len, text))
			return true;
		buf_clear(text);
	}
	if (utf8_valid(bytes, len) == len && memchr(bytes, '\0', len) == NULL) {
		buf_add(text, bytes, len);
		return true;
	}
	if (!is_text_type(mime))
		return false;
	/* What claims to be text and is no UTF-8 was most often written on old Windows. */
	if (begins(mime, "text/") && !charset_of(mime, charset) &&
	    convert("windows-1252", bytes, len, text))
		return true;
	buf_clear(text);
	utf8_mend(text, bytes, len);
	return true;
}

/* The bytes of a resource record; false with the reason where it has none. */
static bool
bytes_of(const struct want *m, struct buf *bytes, const char **omitted)
{
	struct buf text = {0};

	*omitted = "binary";
	if (scan_is(m->value, "too-large"))
		*omitted = "too-large";
	if (!scan_text(m[1].value, &text))
		return buf_free(&text), false;
	if (!scan_is(m[2].value, "base64")) {
		*bytes = text;
		return true;
	}
	bool good = base64_decode(bytes, text.data ? text.data : "", text.len);
	buf_free(&text);
	return good;
}

static int
by_blob(const void *a, const void *b)
{
	const struct use *x = a, *y = b;
	int order = strcmp(x->blob, y->blob);

	if (order != 0)
		return order;
	if (x->of != y->of)
		return x->of < y->of ? -1 : 1;
	return (x->request->number > y->request->number) -
	       (x->request->number < y->request->number);
}

void
bodies_index(struct segment *s)
{
	for (size_t i = 0; i < s->requests.count; i++) {
		struct request *r = s->requests.at[i];
		if (r->request_blob != NULL)
			*LIST_ADD(s->uses) =
			    (struct use){r->request_blob, r->request_mime, r, OF_REQUEST, false};
		if (r->response_blob != NULL)
			*LIST_ADD(s->uses) =
			    (struct use){r->response_blob, r->mime, r, OF_RESPONSE, false};
	}
	if (s->uses.count > 0)
		qsort(s->uses.at, s->uses.count, sizeof *s->uses.at, by_blob);
}

static size_t
first_use(const struct segment *s, const char *blob)
{
	size_t lo = 0, hi = s->uses.count;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if (strcmp(s->uses.at[mid].blob, blob) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

jv
set_sha1(jv rec, const char *key, const char *blob)
{
	if (blob == NULL || strspn(blob, "0123456789abcdef") < 40)
		return rec;
	size_t n = strspn(blob, "0123456789abcdef");
	return jv_object_set(rec, jv_string(key), jv_string_sized(blob, (int)n));
}

/* The text that bytes are, or why there is none; bytes are NULL where omitted says so. */
static jv
set_content(jv rec, const struct buf *bytes, const char *mime, const char *omitted)
{
	struct buf text = {0};

	if (bytes != NULL && !decode_text(bytes->data ? bytes->data : "", bytes->len, mime, &text))
		omitted = "binary";
	if (omitted != NULL)
		rec = jvx_set_text(rec, "omitted", omitted);
	else
		rec = jvx_set(
		    rec, "text", jv_string_sized(text.data ? text.data : "", (int)text.len));
	buf_free(&text);
	return rec;
}

/* One record for the requests that share this blob in this direction, from use i on. */
static size_t
tell_body(struct segment *s, size_t i, const struct buf *bytes, const char *omitted, double size)
{
	struct use *u = &s->uses.at[i];
	jv ids = jv_array(), rec = jvx_set_text(jv_object(), "type", "body");
	size_t n = 0;

	for (; i + n < s->uses.count && strcmp(u[n].blob, u->blob) == 0 && u[n].of == u->of; n++) {
		ids = jv_array_append(ids, ref_of("request", u[n].request->number));
		u[n].told = true;
	}
	rec = jvx_set(rec, "ref", ref_of("body", ++s->bodies));
	rec = jvx_set_text(rec, "of", u->of == OF_REQUEST ? "request" : "response");
	rec = jvx_set(rec, "requests", ids);
	rec = set_sha1(rec, "sha1", u->blob);
	rec = jvx_set_text(rec, "mime", u->mime);
	rec = jvx_set_number(rec, "bytes", size);
	ndjson_put(set_content(rec, bytes, u->mime, omitted), s->out);
	return n;
}

void
bodies_missing(struct segment *s)
{
	for (size_t i = 0; i < s->uses.count;) {
		if (s->uses.at[i].told)
			i++;
		else
			i += tell_body(s, i, NULL, "missing", NAN);
	}
}

/* Bodies that need no resource. */
void
bodies_held(struct segment *s)
{
	for (size_t i = 0; i < s->requests.count; i++) {
		const struct request *r = s->requests.at[i];
		if (r->text == NULL)
			continue;
		jv rec = jvx_set_text(jv_object(), "type", "body");
		rec = jvx_set(rec, "ref", ref_of("body", ++s->bodies));
		rec = jvx_set_text(rec, "of", "request");
		rec = jvx_set(
		    rec, "requests", jv_array_append(jv_array(), ref_of("request", r->number)));
		rec = jvx_set_text(rec, "mime", r->request_mime);
		rec = jvx_set_number(rec, "bytes", (double)r->text->len);
		rec = jv_object_set(
		    rec, jv_string("text"), jv_string_sized(r->text->data, (int)r->text->len));
		ndjson_put(rec, s->out);
	}
}

/* With no body the text is unknown; with none and no reason either, it is missing. */
static void
tell_attachment(struct segment *s, struct attachment *t, const struct buf *bytes,
    const char *omitted, double size)
{
	t->told = true;
	if (same(t->name, "trace"))
		return;
	jv rec = jvx_set_text(jv_object(), "type", "attachment");
	rec = jvx_set(rec, "ref", ref_of("attachment", (size_t)(t - s->attachments.at) + 1));
	rec = jvx_set_text(rec, "name", t->name);
	rec = jvx_set_text(rec, "mime", t->mime);
	rec = jvx_set_number(rec, "bytes", size);
	if (t->action != NULL && t->action->number > 0)
		rec = jvx_set(rec, "action", ref_of("action", t->action->number));
	ndjson_put(set_content(rec, bytes, t->mime, omitted), s->out);
}

void
attachments_held(struct segment *s)
{
	for (size_t i = 0; i < s->attachments.count; i++) {
		struct attachment *t = &s->attachments.at[i];
		struct buf text = {0}, bytes = {0};
		if (t->text.at != NULL) {
			buf_add(&bytes, t->text.at, t->text.len);
			tell_attachment(s, t, &bytes, NULL, (double)bytes.len);
			buf_free(&bytes);
		}
		if (t->base64.at == NULL || t->told)
			continue;
		scan_text(t->base64, &text);
		bool good = base64_decode(&bytes, text.data ? text.data : "", text.len);
		tell_attachment(s, t, good ? &bytes : NULL, good ? NULL : "missing",
		    good ? (double)bytes.len : NAN);
		buf_free(&text);
		buf_free(&bytes);
	}
}

void
attachments_missing(struct segment *s)
{
	for (size_t i = 0; i < s->attachments.count; i++)
		if (!s->attachments.at[i].told)
			tell_attachment(s, &s->attachments.at[i], NULL, "missing", NAN);
}

static bool
is_context_name(const char *name)
{
	return begins(name, "error-context") || begins(name, "_error-context") ||
	       begins(name, "_prompt");
}

/*
 * Order: sources and error contexts are taken in before anything is told, because the test's title
 * and the excerpts stand before the bodies; any other resource makes the story be told first.
 */
void
read_resource(struct segment *s, struct span record)
{
	struct want m[] = {
	    {"omitted", {0}}, {"data", {0}}, {"encoding", {0}}, {"name", {0}}, {"bytes", {0}}};
	struct buf bytes = {0};
	const char *omitted;

	segment_settle(s);
	MEMBERS(record, m);
	const char *name = words_text(s->words, m[3].value);
	const char *blob = blob_name(s->words, name);
	if (blob == NULL)
		return;
	bool got = bytes_of(m, &bytes, &omitted);
	bool sheet = strstr(blob, ".css") != NULL;
	if (sheet && (got ? bytes.len > 0 && !dom_sheet(s->dom, blob, bytes.data, bytes.len)
			  : same(omitted, "too-large")))
		ndjson_put(
		    ndjson_warning("trace-events", "large-style-sheet",
			"a style sheet was not read: what it hides shows in snapshots", name),
		    s->out);
	double size = got ? (double)bytes.len : scan_number(m[4].value, NAN);
	if (got && source_take(s, blob, &bytes)) {
		buf_free(&bytes);
		return;
	}
	for (size_t i = 0; i < s->attachments.count; i++) {
		struct attachment *t = &s->attachments.at[i];
		if (t->blob != blob || t->told)
			continue;
		if (got && is_context_name(t->name) && !s->told) {
			t->text = words_bytes(s->words, bytes.data ? bytes.data : "", bytes.len);
			if (s->error_context == NULL)
				s->error_context = t->text.at;
			continue;
		}
		segment_tell(s);
		tell_attachment(s, t, got ? &bytes : NULL, got ? NULL : omitted, size);
	}
	for (size_t i = first_use(s, blob);
	     i < s->uses.count && strcmp(s->uses.at[i].blob, blob) == 0;) {
		segment_tell(s);
		i += tell_body(s, i, got ? &bytes : NULL, got ? NULL : omitted, size);
	}
	buf_free(&bytes);
}
