/* redact: replace the secrets in records, JSON lines and plain text by stable tags. */
#define _GNU_SOURCE /* memmem, which POSIX has since 2024 */
#include <err.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "confine.h"
#include "edits.h"
#include "lines.h"
#include "ndjson.h"
#include "prog.h"
#include "scan.h"
#include "secrets.h"
#include "tags.h"

/*
 * Lines of text are read together, so that what spans lines is seen whole.  Records are held back
 * as far as WINDOW goes: a value may be told by a later one of the segment.
 */
enum { TEXT_BLOCK = 32 << 10, PASSES = 8, WINDOW = 4 << 20, HELD = 60000 };

/* A record, or a block of text, that was read and not yet written. */
struct held {
	size_t at, len; /* in window */
	bool json;
	size_t known; /* values that were known when it was read */
};

struct redact {
	struct secrets *secrets;
	struct tags *tags;
	struct buf text;      /* the lines since the last record */
	struct buf out, next; /* a record with its tags, before and after the next look */
	struct edits edits;
	struct buf window; /* the bytes held back, of which held are to be looked at again */
	struct held *held;
	size_t held_count, held_size;
	jv kinds, places;
	double count;
	bool only_report, has_records, limit;
};

static void
put(struct redact *r, const char *bytes, size_t len)
{
	if (!r->only_report && fwrite(bytes, 1, len, stdout) != len)
		err(TROUBLE, "write");
}

/* What no secret is in: the blanks and line ends around records. */
static void
pass(struct redact *r, const char *bytes, size_t len)
{
	if (r->held_count > 0)
		buf_add(&r->window, bytes, len);
	else
		put(r, bytes, len);
}

static jv
counted(jv counts, const char *name)
{
	double n = jvx_number(counts, name, 0);

	return jvx_set_number(counts, name, n + 1);
}

/* The members of a record in order, to say where in it an edit is. */
struct place {
	struct span record, type;
	struct scan_each it;
	bool more;
};

/* Type and member, if both look like names of ours. */
static void
count_place(struct redact *r, struct place *p, size_t at)
{
	struct buf name = {0};

	scan_text(p->type, &name);
	if (name.len == 0)
		buf_text(&name, p->record.at ? "json" : "text");
	while (p->more && p->it.value.at + p->it.value.len <= p->record.at + at)
		p->more = scan_each(&p->it, p->record);
	if (p->more) {
		buf_byte(&name, '.');
		buf_add(&name, p->it.key.at + 1, p->it.key.len - 2);
	}
	bool ours = strspn(name.data, "abcdefghijklmnopqrstuvwxyz0123456789_.-") == name.len;
	r->places = counted(r->places, ours && name.len <= 64 ? name.data : "other");
	buf_free(&name);
}

static void
count_edits(struct redact *r, struct span record)
{
	struct place place = {.record = record, .type = scan_member(record, "type")};

	place.more = scan_kind(record) == '{' && scan_each(&place.it, record);
	for (size_t i = 0; i < r->edits.count; i++) {
		r->count++;
		r->kinds = counted(r->kinds, r->edits.list[i].kind);
		count_place(r, &place, r->edits.list[i].from);
	}
}

/* The text with its secrets replaced is *t, of *n bytes, valid until the next call. */
static void
redact(struct redact *r, const char **t, size_t *n, bool json)
{
	struct span record = {json ? *t : NULL, *n};

	tags_note(r->tags, *t, *n);
	bool whole = json ? secrets_in_json(r->secrets, record, &r->edits)
			  : secrets_in_text(r->secrets, *t, *n, &r->edits);
	r->limit = r->limit || !whole;
	for (int round = 0; r->edits.count > 0 && round < PASSES; round++) {
		buf_clear(&r->next);
		edits_apply(&r->edits, *t, *n, r->tags, &r->next);
		count_edits(r, record);
		struct buf swap = r->out;
		r->out = r->next, r->next = swap;
		*t = r->out.data, *n = r->out.len;
		if (json)
			record = (struct span){*t, *n};
		secrets_again(r->secrets, *t, *n, &r->edits);
	}
}

/* Write what was held back, once more read where a value that it may hold was told since. */
static void
release(struct redact *r)
{
	size_t written = 0;

	for (size_t i = 0; i < r->held_count; i++) {
		const struct held *h = &r->held[i];
		const char *t = r->window.data + h->at;
		size_t n = h->len;
		put(r, r->window.data + written, h->at - written);
		if (h->known < secrets_known(r->secrets) && secrets_mentioned(r->secrets, t, n))
			redact(r, &t, &n, h->json);
		put(r, t, n);
		written = h->at + h->len;
	}
	if (r->window.len > written)
		put(r, r->window.data + written, r->window.len - written);
	buf_clear(&r->window);
	r->held_count = 0;
	secrets_age(r->secrets);
}

static void
hold(struct redact *r, const char *t, size_t n, bool json)
{
	if (r->window.len + n > WINDOW || r->held_count == HELD)
		release(r);
	if (n > WINDOW) {
		put(r, t, n);
		return;
	}
	if (r->held_count == r->held_size) {
		r->held_size = r->held_size ? r->held_size * 2 : 256;
		r->held = prog_resize(r->held, r->held_size, sizeof *r->held);
	}
	r->held[r->held_count++] = (struct held){r->window.len, n, json, secrets_known(r->secrets)};
	buf_add(&r->window, t, n);
}

/* Plain text is not held back: somebody may be reading along. */
static void
take_text(struct redact *r, const char *t, size_t n, bool json)
{
	redact(r, &t, &n, json);
	if (r->has_records)
		hold(r, t, n, json);
	else
		put(r, t, n);
}

static void
flush_text(struct redact *r)
{
	if (r->text.len > 0)
		take_text(r, r->text.data, r->text.len, false);
	buf_clear(&r->text);
}

/* The segment is over: say what was replaced, forget it, and count from 1 again. */
static void
end_segment(struct redact *r)
{
	flush_text(r);
	release(r);
	bool report = r->only_report || (r->has_records && r->count > 0);
	if (report) {
		jv rec = jvx_set_text(jv_object(), "type", "redactions");
		rec = jvx_set_number(rec, "count", r->count);
		rec = jvx_set(rec, "kinds", r->kinds);
		rec = jvx_set(rec, "places", r->places);
		ndjson_put(rec, stdout);
	} else {
		jv_free(r->kinds);
		jv_free(r->places);
	}
	r->kinds = jv_object();
	r->places = jv_object();
	r->count = 0;
	r->has_records = false;
	secrets_forget(r->secrets);
	tags_forget(r->tags);
}

static void
take(struct redact *r, const struct lines *in)
{
	struct span line = scan_trim(in->line, in->len);

	if (line.len < 2 || (line.at[0] != '{' && line.at[0] != '[') ||
	    !scan_check(in->line, in->len, NULL)) {
		buf_add(&r->text, in->line, in->len);
		if (in->ended)
			buf_byte(&r->text, '\n');
		if (r->text.len >= TEXT_BLOCK)
			flush_text(r);
		return;
	}
	flush_text(r);
	/* Looked for before it is parsed: few lines are openers, and all are long. */
	bool opens = memmem(line.at, line.len, "\"trace\"", 7) != NULL;
	if (opens && scan_is(scan_member(line, "type"), "trace"))
		end_segment(r);
	if (!r->has_records)
		r->has_records = scan_kind(scan_member(line, "type")) == '"';
	pass(r, in->line, (size_t)(line.at - in->line));
	take_text(r, line.at, line.len, true);
	pass(r, line.at + line.len, in->len - line.len - (size_t)(line.at - in->line));
	if (in->ended)
		pass(r, "\n", 1);
}

/*
 * What a file begins with whose text is compressed, or is a picture: secrets in it are not found,
 * and so none of its bytes may pass.
 */
static bool
is_packed(const struct lines *in)
{
	static const struct {
		const char *bytes;
		size_t len;
	} starts[] = {{"PK\3\4", 4}, {"PK\5\6", 4}, {"\x1f\x8b", 2}, {"\x1f\x9d", 2}, {"BZh", 3},
	    {"\xfd\x37zXZ", 5}, {"\x28\xb5\x2f\xfd", 4}, {"\x04\x22\x4d\x18", 4}, {"7z\xbc\xaf", 4},
	    {"Rar!\x1a", 5}, {"%PDF-", 5}, {"\x89PNG", 4}, {"\xff\xd8\xff", 3}, {"GIF8", 4},
	    {"RIFF", 4}, {"\x1a\x45\xdf\xa3", 4}};

	for (size_t i = 0; in->number == 1 && i < sizeof starts / sizeof starts[0]; i++)
		if (in->len >= starts[i].len &&
		    memcmp(in->line, starts[i].bytes, starts[i].len) == 0)
			return true;
	return false;
}

/* A file of values, one a line; give is told each, and may refuse it. */
static void
read_values(
    struct secrets *s, const char *file, bool (*give)(struct secrets *, const char *, size_t))
{
	char *files[] = {(char *)file, NULL};
	struct lines *in = lines_open(files);

	while (lines_next(in)) {
		size_t len = in->len - (in->len > 0 && in->line[in->len - 1] == '\r');
		if (len > 0 && !give(s, in->line, len))
			errx(TROUBLE, "%s: line %zu: a value has at least six bytes", in->file,
			    in->number);
	}
	if (!lines_close(in))
		exit(TROUBLE);
}

static void
read_key(struct tags *tags, const char *file)
{
	char *files[] = {(char *)file, NULL};
	struct lines *in = lines_open(files);
	struct buf key = {0};

	while (lines_next(in))
		buf_add(&key, in->line, in->len);
	if (!lines_close(in))
		exit(TROUBLE);
	if (key.len < 16)
		errx(TROUBLE, "-k: a key has at least 16 bytes");
	tags_key(tags, key.data, key.len);
	buf_free(&key);
}

int
main(int argc, char *argv[])
{
	struct redact r = {.kinds = jv_object(), .places = jv_object()};
	int ch;

	prog_start(argc, argv,
	    "redact [-Pn] [-a file] [-k file] [-x file] [file ...]\n"
	    "Replace the secrets in records, JSON lines and plain text by tags such as "
	    "[REDACTED:JWT#1];\n"
	    "equal secrets get equal tags.  Everything else passes as it came.\n"
	    "  -P       personal data too: e-mail, cards, IBANs, telephone numbers\n"
	    "  -n       write nothing but the report of what would be replaced\n"
	    "  -a file  values, one a line, that are no secrets\n"
	    "  -k file  a key: tags stay the same across runs, [REDACTED:JWT~k7q2m4xz]\n"
	    "  -x file  values, one a line, that are secrets, in any encoding\n"
	    "Example: trace-unpack t.zip | trace-events | redact");
	r.secrets = secrets_new();
	r.tags = tags_new();
	secrets_tags(r.secrets, r.tags);
	while ((ch = getopt(argc, argv, "Pna:k:x:")) != -1) {
		switch (ch) {
		case 'P': secrets_personal(r.secrets); break;
		case 'n': r.only_report = true; break;
		case 'a': read_values(r.secrets, optarg, secrets_allow); break;
		case 'k': read_key(r.tags, optarg); break;
		case 'x': read_values(r.secrets, optarg, secrets_always); break;
		default: prog_usage();
		}
	}

	confine(&(struct confine){.files = argv + optind});
	struct lines *in = lines_open(argv + optind);
	while (lines_next(in)) {
		if (is_packed(in)) {
			char *file = prog_clean(in->file, strlen(in->file));
			warnx("%s: compressed or a picture: secrets in it cannot be found", file);
			free(file);
			lines_refuse(in);
			continue;
		}
		take(&r, in);
	}
	end_segment(&r);
	bool good = lines_close(in);
	if (fflush(stdout) != 0 || ferror(stdout))
		err(TROUBLE, "write");
	if (r.limit)
		warnx("a rule met its limit, and what it was looking at was replaced");
	secrets_free(r.secrets);
	tags_free(r.tags);
	edits_free(&r.edits);
	buf_free(&r.window);
	free(r.held);
	buf_free(&r.text);
	buf_free(&r.out);
	buf_free(&r.next);
	jv_free(r.kinds);
	jv_free(r.places);
	return good ? YES : TROUBLE;
}
