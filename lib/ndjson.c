#include "ndjson.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "prog.h"

struct ndjson {
	struct lines *lines;
	struct span record, type, bulk;
	jv value;             /* invalid: not parsed yet */
	bool complained, zip; /* zip: this file is one */
};

struct ndjson *
ndjson_open(char *const files[])
{
	struct ndjson *in = prog_alloc(1, sizeof *in);

	in->lines = lines_open(files);
	in->value = jv_invalid();
	return in;
}

void
ndjson_complain(struct ndjson *in, const char *why)
{
	char *file = prog_clean(in->lines->file, strlen(in->lines->file));

	warnx("%s: line %zu: %s", file, in->lines->number, why);
	free(file);
	in->complained = true;
}

static bool
is_record(struct ndjson *in)
{
	struct scan_error error;

	if (!scan_check_member(
		in->lines->line, in->lines->len, &error, "type", &in->type, &in->bulk)) {
		struct buf why = {0};
		buf_format(&why, "not JSON: %s at byte %zu", error.why, error.at + 1);
		ndjson_complain(in, why.data);
		buf_free(&why);
		return false;
	}
	in->record = scan_trim(in->lines->line, in->lines->len);
	if (scan_kind(in->record) != '{') {
		ndjson_complain(in, "not an object");
		return false;
	}
	if (scan_kind(in->type) != '"') {
		ndjson_complain(in, "no string member \"type\"");
		return false;
	}
	return true;
}

/* The likeliest mistake is told once, not line by line: a trace that was not unpacked. */
static bool
is_zip(struct ndjson *in)
{
	const struct lines *lines = in->lines;

	if (lines->number == 1) {
		in->zip = lines->len >= 4 && memcmp(lines->line, "PK\3\4", 4) == 0;
		if (in->zip)
			ndjson_complain(
			    in, "a zip, and no records: trace-unpack makes records of it");
	}
	return in->zip;
}

bool
ndjson_next(struct ndjson *in)
{
	jv_free(in->value);
	in->value = jv_invalid();
	while (lines_next(in->lines)) {
		struct span line = scan_trim(in->lines->line, in->lines->len);
		if (is_zip(in))
			continue;
		if (line.len != 0 && is_record(in))
			return true;
	}
	return false;
}

bool
ndjson_is(const struct ndjson *in, const char *type)
{
	return scan_is(in->type, type);
}

struct span
ndjson_span(const struct ndjson *in)
{
	return in->record;
}

struct span
ndjson_bulk(const struct ndjson *in)
{
	return in->bulk;
}

jv
ndjson_value(struct ndjson *in)
{
	if (!jv_is_valid(in->value))
		in->value = jvx_build(in->record);
	return jv_copy(in->value);
}

void
ndjson_raw(struct span record, FILE *out)
{
	if (fwrite(record.at, 1, record.len, out) != record.len || putc('\n', out) == EOF)
		err(TROUBLE, "write");
}

void
ndjson_pass(const struct ndjson *in, FILE *out)
{
	ndjson_raw(in->record, out);
}

void
ndjson_put(jv rec, FILE *out)
{
	struct buf b = {0};

	jvx_write(rec, &b);
	jv_free(rec);
	ndjson_raw((struct span){b.data, b.len}, out);
	buf_free(&b);
}

bool
ndjson_close(struct ndjson *in, FILE *out)
{
	bool good = lines_close(in->lines) && !in->complained;

	jv_free(in->value);
	free(in);
	if (fflush(out) != 0 || ferror(out))
		err(TROUBLE, "write");
	return good;
}

jv
ndjson_warning(const char *tool, const char *code, const char *message, const char *where)
{
	jv rec = jvx_set_text(jv_object(), "type", "warning");

	rec = jvx_set_text(rec, "tool", tool);
	rec = jvx_set_text(rec, "code", code);
	rec = jvx_set_text(rec, "message", message);
	return jvx_set_text(rec, "where", where);
}
