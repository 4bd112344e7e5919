/* trace-unpack: open hostile archives safely, order their members, and hand the bytes on. */
#define _GNU_SOURCE /* F_SETPIPE_SZ */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buf.h"
#include "confine.h"
#include "extract.h"
#include "ndjson.h"
#include "plan.h"
#include "prog.h"
#include "source.h"
#include "spool.h"
#include "tell.h"
#include "zip.h"

static const char help[] =
    "trace-unpack [-a] [-b bytes] [-d folder] [-l limit=number] [file | folder ...]\n"
    "\n"
    "Write the records, sources, attachments and resources of Playwright traces as NDJSON.\n"
    "Without operands, or for \"-\", the zip is read from standard input.\n"
    "\n"
    "  -a        inline binary resources too, in base64\n"
    "  -b BYTES  largest resource that is inlined (1 MiB)\n"
    "  -d DIR    also write the members of the zip to the new folder DIR, all or none\n"
    "  -l L=N    a limit: file, declared, members, directory (bytes or count), or ratio\n"
    "\n"
    "example: trace-unpack trace.zip | trace-events | gql-verify -t";

struct options {
	struct tell tell;
	struct zip_limits limits;
	const char *folder; /* to extract the operand to */
};

/* The operand less ".zip" and less a last "/trace"; yours to free. */
static char *
trace_name(const char *operand)
{
	size_t len = strlen(operand);

	while (len > 1 && operand[len - 1] == '/')
		len--;
	if (len > 4 && strncasecmp(operand + len - 4, ".zip", 4) == 0)
		len -= 4;
	if (len > 6 && strncmp(operand + len - 6, "/trace", 6) == 0)
		len -= 6;
	return prog_copy(operand, len);
}

static char *
join(const char *a, const char *b)
{
	struct buf path = {0};

	buf_format(&path, *b != '\0' ? "%s/%s" : "%s", a, b);
	return path.data;
}

static void
put_opener(const char *name, double bytes, double members)
{
	jv rec = jvx_set_text(jv_object(), "type", "trace");

	rec = jvx_set_text(rec, "name", *name != '\0' ? name : "?");
	if (bytes >= 0)
		rec = jvx_set_number(rec, "bytes", bytes);
	if (members >= 0)
		rec = jvx_set_number(rec, "members", members);
	ndjson_put(rec, stdout);
}

/* One line for people; the warning record is for programs. */
static void
complain(struct options *o, const char *what, const char *member)
{
	char *file = prog_clean(o->tell.operand, strlen(o->tell.operand));
	char *where = member != NULL ? prog_clean(member, strlen(member)) : NULL;

	warnx("%s: %s%s%s", file, where != NULL ? where : "", where != NULL ? ": " : "", what);
	o->tell.failed = true;
	free(file);
	free(where);
}

/* A zip that is not read: an opener and a warning, so that counts agree. */
static void
refused(struct options *o, const char *name, double bytes, struct zip_fault *fault)
{
	struct buf what = {0};

	buf_format(&what, "refused: %s (%s)", fault->why, fault->code);
	complain(o, what.data, fault->member);
	put_opener(name, bytes, -1);
	tell_warning(fault->code, fault->why, fault->member);
	free(fault->member);
	buf_free(&what);
}

static void
no_trace(struct options *o, const char *name)
{
	char *file = prog_clean(o->tell.operand, strlen(o->tell.operand));

	warnx("no trace in %s", file);
	free(file);
	put_opener(name, -1, -1);
	tell_warning("E_NOTRACE", "no trace in it", NULL);
	o->tell.failed = true;
}

/* Sources first, then attachments, then bodies and pictures. */
static int
rank(const char *name)
{
	if (strncmp(name, "src/", 4) == 0 || strncmp(name, "resources/src@", 14) == 0)
		return 0;
	return strncmp(name, "attachments/", 12) == 0 ? 1 : 2;
}

static void
put_trace(struct options *o, const struct source *s, const struct trace *t, const char *name)
{
	size_t strip = strlen(t->root->path);
	bool odd = false;

	put_opener(name, (double)s->bytes, (double)(t->line_count + t->root->rest_count));
	for (size_t i = 0; i < t->line_count; i++)
		odd = odd || s->members[t->lines[i]].odd;
	for (size_t i = 0; i < t->root->rest_count; i++)
		odd = odd || s->members[t->root->rest[i]].odd;
	if (odd)
		tell_warning("odd-name", "member names were put into their usual form", NULL);
	if (s->repeated > 0)
		tell_warning("repeated-name", "of members with one name the first is read", NULL);
	for (size_t i = 0; i < t->line_count; i++) {
		const struct member *m = &s->members[t->lines[i]];
		if (name_ends(m->name, ".stacks"))
			tell_document(&o->tell, s, m, m->name + strip);
		else
			tell_lines(&o->tell, s, m, m->name + strip);
	}
	for (int r = 0; r < 3; r++) {
		for (size_t i = 0; i < t->root->rest_count; i++) {
			const struct member *m = &s->members[t->root->rest[i]];
			if (rank(m->name + strip) == r)
				tell_resource(&o->tell, s, m, m->name + strip);
		}
	}
}

/* All traces of s, under name; how many. */
static size_t
put_traces(struct options *o, const struct source *s, const struct plan *p, const char *name,
    const char *warning)
{
	for (size_t i = 0; i < p->count; i++) {
		char *whole = join(name, p->traces[i].name), *shown = trace_name(whole);
		put_trace(o, s, &p->traces[i], shown);
		if (warning != NULL)
			tell_warning("E_CUT", warning, NULL);
		free(whole);
		free(shown);
	}
	return p->count;
}

/* inner: it stands in a zip, so that zips in it stay closed. */
static size_t put_zip(struct options *o, int fd, const char *name, bool inner);

/* A zip inside the operand, read from a file of its own; how many traces. */
static size_t
put_inner(struct options *o, const struct source *s, const struct member *m, const char *name)
{
	struct stream *in = source_open(s, m);
	struct zip_fault fault = {0};
	char *whole = join(name, m->name), *shown = trace_name(whole);
	const char *block;
	uint64_t sum = 0;
	size_t found = 0;
	long got;
	int fd = spool_new();

	while ((got = source_block(in, &block, &fault)) > 0 && sum <= o->limits.file) {
		spool_add(fd, block, (size_t)got);
		sum += (uint64_t)got;
	}
	source_close(in);
	if (got < 0) {
		fault.member =
		    fault.member != NULL ? fault.member : prog_copy(m->name, strlen(m->name));
		refused(o, shown, -1, &fault);
		found = 1;
	} else {
		/* What is wrong with it is told of it, and not of a folder of hundreds. */
		const char *operand = o->tell.operand;
		struct buf path = {0};
		size_t end = strlen(operand);
		bool ended = end > 0 && operand[end - 1] == '/';
		buf_format(&path, "%s%s%s", operand, ended ? "" : "/", m->name);
		o->tell.operand = path.data;
		found = put_zip(o, fd, shown, s->zip != NULL);
		o->tell.operand = operand;
		buf_free(&path);
	}
	close(fd);
	free(whole);
	free(shown);
	return found;
}

/* What is told of a source: its traces, and the traces in the zips that stand beside them. */
static size_t
put_source(
    struct options *o, const struct source *s, const char *name, bool inner, const char *warning)
{
	struct plan *p = plan_make(s);
	size_t found = put_traces(o, s, p, name, warning);

	/* A zip below a trace is something its test downloaded. */
	for (size_t i = 0; !inner && i < p->loose_count; i++) {
		const struct member *m = &s->members[p->loose[i]];
		size_t len = strlen(m->name);
		if (len > 4 && strcasecmp(m->name + len - 4, ".zip") == 0 && !m->cut)
			found += put_inner(o, s, m, name);
	}
	plan_free(p);
	return found;
}

static size_t
put_zip(struct options *o, int fd, const char *name, bool inner)
{
	struct zip_fault fault;
	struct zip *zip = zip_open(fd, &o->limits, &fault);
	const char *warning = NULL;
	char *hidden = NULL; /* what -d asked for, until it is known to be worth a name */
	struct stat st;

	if (zip == NULL && strcmp(fault.code, "E_CUT") == 0 && o->folder == NULL) {
		zip = zip_salvage(fd, &o->limits);
		warning = fault.why;
	}
	if (zip != NULL && o->folder != NULL && !inner) {
		hidden = extract(zip, o->folder, &fault);
		if (hidden == NULL) {
			zip_free(zip);
			zip = NULL;
		}
	}
	if (zip == NULL) {
		refused(o, name, fstat(fd, &st) == 0 ? (double)st.st_size : -1, &fault);
		return 1;
	}
	struct source *s = source_zip(zip);
	size_t found = put_source(o, s, name, inner, warning);
	if (hidden != NULL && found == 0) {
		extract_drop(hidden);
	} else if (hidden != NULL && !extract_keep(hidden, o->folder, &fault)) {
		complain(o, fault.why, NULL);
		tell_warning(fault.code, fault.why, NULL);
	}
	source_free(s); /* and the zip, by whose names the folder is removed */
	if (found > 0 && warning != NULL)
		complain(o, "cut short (E_CUT): what is left of it was read", NULL);
	if (found == 0 && warning != NULL) {
		refused(o, name, -1, &fault);
		found = 1;
	}
	return found;
}

static void
put_folder(struct options *o, const char *path, const char *name)
{
	/* A folder such as test-results/ holds many traces. */
	struct source *s = source_folder(path, 50 * o->limits.members);

	if (s == NULL) {
		struct zip_fault fault = {"E_READ", strerror(errno), NULL};
		refused(o, name, -1, &fault);
		return;
	}
	if (put_source(o, s, name, false, NULL) == 0)
		no_trace(o, name);
	source_free(s);
}

static void
put_operand(struct options *o, const char *operand)
{
	bool in = strcmp(operand, "-") == 0;
	char *name = in ? prog_copy("stdin", 5) : trace_name(operand);
	struct stat st;

	o->tell.operand = in ? "<stdin>" : operand;
	int fd = in ? STDIN_FILENO : open(operand, O_RDONLY | O_CLOEXEC);
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		if (o->folder != NULL)
			errx(TROUBLE, "-d takes one zip");
		put_folder(o, operand, name);
	} else {
		int file = fd;
		if (fd >= 0 && !S_ISREG(st.st_mode))
			file = spool_input(fd, o->limits.file);
		if (file < 0) {
			struct zip_fault fault = {"E_READ", strerror(errno), NULL};
			refused(o, name, -1, &fault);
		} else if (put_zip(o, file, name, false) == 0) {
			no_trace(o, name);
		}
		if (file != fd && file >= 0)
			close(file);
	}
	if (!in && fd >= 0)
		close(fd);
	free(name);
}

/* -l ratio=1000 */
static void
set_limit(struct zip_limits *l, const char *arg)
{
	struct {
		const char *name;
		uint64_t *value;
		long long most;
	} known[] = {
	    {"file=", &l->file, (long long)ZIP_FILE_MAX},
	    {"declared=", &l->declared, 1LL << 50},
	    {"members=", &l->members, 10000000},
	    {"directory=", &l->directory, 1LL << 30},
	    {"ratio=", &l->ratio, 2000},
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		size_t len = strlen(known[i].name);
		if (strncmp(arg, known[i].name, len) == 0) {
			*known[i].value = (uint64_t)prog_number('l', arg + len, 1, known[i].most);
			return;
		}
	}
	prog_usage();
}

/* From here on: read the operands, write to the spool folder and beside what -d names, no more. */
static void
stay_inside(const struct options *o, char *operands[])
{
	char *beside = NULL;

	if (o->folder != NULL) {
		beside = prog_copy(o->folder, strlen(o->folder));
		size_t len = strlen(beside);
		while (len > 1 && beside[len - 1] == '/')
			len--;
		while (len > 0 && beside[len - 1] != '/')
			len--;
		beside[len] = '\0';
	}
	const char *write[] = {
	    spool_folder(), beside == NULL || *beside != '\0' ? beside : ".", NULL};
	struct confine needs = {.files = operands, .write = write};
	confine(&needs);
	free(beside);
}

int
main(int argc, char *argv[])
{
	struct options o = {.tell = {.inline_max = 1 << 20}, .limits = zip_limits};
	char *standard[] = {"-", NULL};
	int ch;

	prog_start(argc, argv, help);
	while ((ch = getopt(argc, argv, "ab:d:l:")) != -1) {
		switch (ch) {
		case 'a': o.tell.binaries = true; break;
		case 'b':
			o.tell.inline_max = (uint64_t)prog_number(ch, optarg, 0, 256 << 20);
			break;
		case 'd': o.folder = optarg; break;
		case 'l': set_limit(&o.limits, optarg); break;
		default: prog_usage();
		}
	}

	if (o.folder != NULL && argc - optind > 1)
		errx(TROUBLE, "-d takes one zip");
#ifdef F_SETPIPE_SZ
	/* Fewer turns between us and the next program; without it all goes on as before. */
	fcntl(STDOUT_FILENO, F_SETPIPE_SZ, 1 << 20);
#endif
	setvbuf(stdout, NULL, _IOFBF, 256 * 1024);
	char **operands = argv[optind] != NULL ? argv + optind : standard;
	stay_inside(&o, operands);
	for (; *operands != NULL; operands++)
		put_operand(&o, *operands);
	if (fflush(stdout) != 0 || ferror(stdout))
		err(TROUBLE, "write");
	return o.tell.failed ? TROUBLE : YES;
}
