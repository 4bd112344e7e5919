#include "tell.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "buf.h"
#include "digest.h"
#include "ndjson.h"
#include "prog.h"
#include "utf8.h"

enum { WARNINGS_MAX = 20 }; /* of one kind, for one member */
static const size_t line_max = (size_t)256 << 20;

void
tell_warning(const char *code, const char *message, const char *where)
{
	ndjson_put(ndjson_warning("trace-unpack", code, message, where), stdout);
}

static void
put_bytes(const void *bytes, size_t len)
{
	if (fwrite_unlocked(bytes, 1, len, stdout) != len)
		err(TROUBLE, "write");
}

/* A member of lines on its way out. */
struct lines_out {
	const char *name;
	struct buf head; /* {"type":"line","member":"...","n": */
	size_t n, bad;
};

static void
say_bad(struct lines_out *o, const char *code, const char *what)
{
	struct buf message = {0};

	o->bad++;
	if (o->bad > WARNINGS_MAX)
		return;
	buf_format(&message, "line %zu: %s", o->n, what);
	tell_warning(code, message.data, o->name);
	buf_free(&message);
}

/* One line; whole is false for a last one without its end. */
static void
put_line(struct lines_out *o, const char *line, size_t len, bool whole)
{
	struct scan_error error;
	char number[32];

	o->n++;
	struct span record = scan_trim(line, len);
	if (record.len == 0)
		return;
	if (record.at[0] != '{') {
		say_bad(o, "bad-line", "not an object");
		return;
	}
	if (!scan_check(record.at, record.len, &error)) {
		say_bad(o, whole ? "bad-line" : "cut-line", whole ? error.why : "cut short");
		return;
	}
	int digits = snprintf(number, sizeof number, "%zu,\"record\":", o->n);
	put_bytes(o->head.data, o->head.len);
	put_bytes(number, (size_t)digits);
	put_bytes(record.at, record.len);
	put_bytes("}\n", 2);
}

static struct lines_out
start_lines(const char *name)
{
	struct lines_out o = {.name = name};

	buf_text(&o.head, "{\"type\":\"line\",\"member\":");
	jvx_write_text(name, strlen(name), &o.head);
	buf_text(&o.head, ",\"n\":");
	return o;
}

static void
finish_lines(struct lines_out *o)
{
	if (o->bad > WARNINGS_MAX) {
		struct buf message = {0};
		buf_format(&message, "%zu more lines that are no records", o->bad - WARNINGS_MAX);
		tell_warning("bad-line", message.data, o->name);
		buf_free(&message);
	}
	buf_free(&o->head);
}

/* A member that could not be read to its end; what came before has been told. */
static void
say_fault(struct tell *t, const struct member *m, const char *name, struct zip_fault *fault)
{
	t->failed = true;
	if (m->cut) {
		tell_warning("E_CUT", "the zip is cut inside this member", name);
	} else {
		char *file = prog_clean(t->operand, strlen(t->operand));
		char *member = prog_clean(name, strlen(name));
		warnx("%s: %s: %s (%s)", file, member, fault->why, fault->code);
		tell_warning(fault->code, fault->why, name);
		free(file);
		free(member);
	}
	free(fault->member);
}

void
tell_lines(struct tell *t, const struct source *s, const struct member *m, const char *name)
{
	struct stream *in = source_open(s, m);
	struct zip_fault fault = {0};
	struct lines_out o = start_lines(name);
	struct buf part = {0}; /* of a line whose end is not there yet */
	bool skipping = false;
	const char *block;
	long got;

	while ((got = source_block(in, &block, &fault)) > 0) {
		const char *p = block, *end = block + got, *eol;
		while ((eol = memchr(p, '\n', (size_t)(end - p))) != NULL) {
			size_t len = (size_t)(eol - p);
			if (skipping) {
				skipping = false;
			} else if (part.len > 0) {
				buf_add(&part, p, len);
				put_line(&o, part.data, part.len, true);
				buf_clear(&part);
			} else {
				put_line(&o, p, len, true);
			}
			p = eol + 1;
		}
		if (skipping)
			continue;
		if (part.len + (size_t)(end - p) > line_max) {
			o.n++;
			say_bad(&o, "bad-line", "longer than 256 MiB");
			buf_free(&part);
			skipping = true;
			continue;
		}
		buf_add(&part, p, (size_t)(end - p));
	}
	if (part.len > 0)
		put_line(&o, part.data, part.len, false);
	finish_lines(&o);
	if (got < 0)
		say_fault(t, m, name, &fault);
	buf_free(&part);
	source_close(in);
}

/* All of a member into b; false when it is longer than most or faulty (fault->code says). */
static bool
read_all(const struct source *s, const struct member *m, size_t most, struct buf *b,
    struct zip_fault *fault)
{
	struct stream *in = source_open(s, m);
	const char *block;
	long got;

	while ((got = source_block(in, &block, fault)) > 0) {
		if ((size_t)got > most - b->len)
			break;
		buf_add(b, block, (size_t)got);
	}
	source_close(in);
	return got == 0;
}

void
tell_document(struct tell *t, const struct source *s, const struct member *m, const char *name)
{
	struct lines_out o = start_lines(name);
	struct zip_fault fault = {0};
	struct buf b = {0};

	if (read_all(s, m, line_max, &b, &fault)) {
		/* A string of JSON holds no line end, so those that are there are only space. */
		for (char *p = b.data;
		     p != NULL && (p = memchr(p, '\n', b.len - (size_t)(p - b.data)));)
			*p = ' ';
		if (b.len > 0)
			put_line(&o, b.data, b.len, true);
	} else if (fault.code != NULL) {
		say_fault(t, m, name, &fault);
	} else {
		o.n++;
		say_bad(&o, "bad-line", "longer than 256 MiB");
	}
	finish_lines(&o);
	buf_free(&b);
}

/* What an extension says; a NULL mime is one that says nothing, text is what may be worth reading.
 */
struct type {
	const char *extension, *mime;
	bool text;
};
static const struct type types[] = {
    {"aac", "audio/aac", false},
    {"avif", "image/avif", false},
    {"bmp", "image/bmp", false},
    {"br", NULL, false},
    {"css", "text/css", true},
    {"csv", "text/csv", true},
    {"gif", "image/gif", false},
    {"gz", "application/gzip", false},
    {"htm", "text/html", true},
    {"html", "text/html", true},
    {"ico", "image/x-icon", false},
    {"jpeg", "image/jpeg", false},
    {"jpg", "image/jpeg", false},
    {"js", "text/javascript", true},
    {"json", "application/json", true},
    {"jsonl", "application/jsonl", true},
    {"m4a", "audio/mp4", false},
    {"md", "text/markdown", true},
    {"mjs", "text/javascript", true},
    {"mov", "video/quicktime", false},
    {"mp3", "audio/mpeg", false},
    {"mp4", "video/mp4", false},
    {"ogg", "audio/ogg", false},
    {"otf", "font/otf", false},
    {"pdf", "application/pdf", false},
    {"png", "image/png", false},
    {"svg", "image/svg+xml", true},
    {"ttf", "font/ttf", false},
    {"txt", "text/plain", true},
    {"wasm", "application/wasm", false},
    {"wav", "audio/wav", false},
    {"webm", "video/webm", false},
    {"webp", "image/webp", false},
    {"woff", "font/woff", false},
    {"woff2", "font/woff2", false},
    {"xml", "application/xml", true},
    {"zip", "application/zip", false},
};

static const struct type *
type_of(const char *name)
{
	const char *slash = strrchr(name, '/'), *dot = strrchr(slash != NULL ? slash : name, '.');

	for (size_t i = 0; dot != NULL && i < sizeof types / sizeof *types; i++)
		if (strcasecmp(dot + 1, types[i].extension) == 0)
			return &types[i];
	return NULL;
}

/* The SHA-1 that a last part like "<40 hex>.ext" starts with, or NULL. */
static const char *
sha1_of(const char *name)
{
	const char *slash = strrchr(name, '/'), *base = slash != NULL ? slash + 1 : name;

	if (strspn(base, "0123456789abcdef") != 40 || (base[40] != '\0' && base[40] != '.'))
		return NULL;
	return base;
}

/*
 * Text in some encoding has no zero bytes, or, in UTF-16, a byte order mark.
 */
static bool
looks_binary(const struct buf *b)
{
	bool utf16 = b->len >= 2 &&
		     (memcmp(b->data, "\xff\xfe", 2) == 0 || memcmp(b->data, "\xfe\xff", 2) == 0);

	return !utf16 && b->len > 0 && memchr(b->data, '\0', b->len) != NULL;
}

void
tell_resource(struct tell *t, const struct source *s, const struct member *m, const char *name)
{
	const struct type *type = type_of(name);
	const char *sha1 = sha1_of(name), *omitted = NULL;
	struct buf content = {0}, out = {0};
	struct zip_fault fault = {0};

	if (m->cut)
		return;
	if (type != NULL && !type->text && !t->binaries)
		omitted = "binary";
	else if (m->bytes > t->inline_max)
		omitted = "too-large";
	else if (!read_all(s, m, (size_t)t->inline_max, &content, &fault))
		omitted = "too-large"; /* a file that grew; or see fault */
	if (fault.code != NULL) {
		say_fault(t, m, name, &fault);
		buf_free(&content);
		return;
	}
	bool text = omitted == NULL && utf8_valid(content.data, content.len) == content.len;
	if (omitted == NULL && !text && !t->binaries && looks_binary(&content))
		omitted = "binary";

	buf_text(&out, "{\"type\":\"resource\",\"name\":");
	jvx_write_text(name, strlen(name), &out);
	if (sha1 != NULL)
		buf_format(&out, ",\"sha1\":\"%.40s\"", sha1);
	if (type != NULL && type->mime != NULL)
		buf_format(&out, ",\"mime\":\"%s\"", type->mime);
	buf_format(&out, ",\"bytes\":%llu",
	    (unsigned long long)(omitted != NULL ? m->bytes : content.len));
	if (omitted != NULL) {
		buf_format(&out, ",\"omitted\":\"%s\"", omitted);
	} else if (text) {
		buf_text(&out, ",\"encoding\":\"utf-8\",\"data\":");
		jvx_write_text(content.data, content.len, &out);
	} else {
		buf_text(&out, ",\"encoding\":\"base64\",\"data\":\"");
		base64_add(&out, content.data, content.len);
		buf_byte(&out, '"');
	}
	buf_text(&out, "}\n");
	put_bytes(out.data, out.len);
	buf_free(&content);
	buf_free(&out);
}
