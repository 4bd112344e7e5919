#include "zip.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "prog.h"

/* Sizes and marks of APPNOTE.TXT, sections 4.3.7 to 4.3.16. */
enum {
	LOCAL = 30,
	ENTRY = 46,
	END = 22,
	END64 = 56,
	LOCATOR = 20,
	COMMENT_MAX = 65535,
	MARK_LOCAL = 0x04034b50,
	MARK_ENTRY = 0x02014b50,
	MARK_END = 0x06054b50,
	MARK_END64 = 0x06064b50,
	MARK_LOCATOR = 0x07064b50,
	MARK_DESCRIPTOR = 0x08074b50,
};
enum { FLAG_ENCRYPTED = 1, FLAG_DESCRIPTOR = 8, FLAG_PATCH = 32, FLAG_STRONG = 64 };
enum { FLAG_UTF8 = 2048, FLAG_MASKED = 8192 };
#define ONES32 0xffffffffu

const struct zip_limits zip_limits = {
    ZIP_FILE_MAX, (uint64_t)16 << 30, 20000, (uint64_t)16 << 20, 500};

static uint16_t
u16(const unsigned char *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}

static uint32_t
u32(const unsigned char *p)
{
	return u16(p) | (uint32_t)u16(p + 2) << 16;
}

static uint64_t
u64(const unsigned char *p)
{
	return u32(p) | (uint64_t)u32(p + 4) << 32;
}

static bool
refuse(struct zip_fault *fault, const struct zip_member *m, const char *code, const char *why)
{
	*fault = (struct zip_fault){code, why, NULL};
	if (m != NULL && m->name != NULL)
		fault->member = prog_copy(m->name, m->name_len);
	return false;
}

/* All of len bytes at offset, or false. */
static bool
read_at(int fd, uint64_t offset, void *bytes, size_t len)
{
	char *p = bytes;

	while (len > 0) {
		ssize_t got = pread(fd, p, len, (off_t)offset);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		p += got;
		offset += (uint64_t)got;
		len -= (size_t)got;
	}
	return true;
}

/* Where the directory is, by the end record and its Zip64 forms. */
struct end {
	uint64_t at;       /* of the end record */
	uint64_t boundary; /* where the directory has to end */
	uint64_t count, size, offset;
};

/* Without an end record that fits: is it a zip with bytes behind it, one cut short, or none? */
static bool
refuse_endless(
    int fd, uint64_t size, const unsigned char *tail, size_t len, struct zip_fault *fault)
{
	unsigned char head[4];

	if (len >= END) {
		for (size_t i = 0; i <= len - END; i++) {
			const unsigned char *p = tail + i;
			if (u32(p) == MARK_END &&
			    (uint64_t)u32(p + 12) + u32(p + 16) == size - len + i)
				return refuse(
				    fault, NULL, "E_TRAILING", "bytes after the end of the zip");
		}
	}
	if (read_at(fd, 0, head, sizeof head) && u32(head) == MARK_LOCAL)
		return refuse(
		    fault, NULL, "E_CUT", "cut short: the directory at the end is missing");
	return refuse(fault, NULL, "E_NOTZIP", "not a zip");
}

static bool
find_end(int fd, uint64_t size, struct end *end, struct zip_fault *fault)
{
	size_t len = size < END + COMMENT_MAX ? (size_t)size : END + COMMENT_MAX, found = 0;
	unsigned char *tail = prog_alloc(len, 1), *hit = NULL;
	bool good = false;

	if (!read_at(fd, size - len, tail, len)) {
		refuse(fault, NULL, "E_READ", "cannot be read");
	} else {
		for (size_t i = 0; len >= END && i <= len - END; i++) {
			unsigned char *p = tail + i;
			if (u32(p) == MARK_END && i + END + u16(p + 20) == len) {
				hit = p;
				found++;
			}
		}
		if (found == 0) {
			refuse_endless(fd, size, tail, len, fault);
		} else if (found > 1) {
			refuse(fault, NULL, "E_END", "more than one end record fits");
		} else if (u16(hit + 4) != 0 || u16(hit + 6) != 0 ||
			   u16(hit + 8) != u16(hit + 10)) {
			refuse(fault, NULL, "E_DISK", "part of a zip on several disks");
		} else {
			end->at = end->boundary = size - len + (size_t)(hit - tail);
			end->count = u16(hit + 10);
			end->size = u32(hit + 12);
			end->offset = u32(hit + 16);
			good = true;
		}
	}
	free(tail);
	return good;
}

/* value must be what the Zip64 record says, or all ones. */
static bool
widen(uint64_t *value, uint64_t ones, uint64_t wide)
{
	bool agrees = *value == ones || *value == wide;

	*value = wide;
	return agrees;
}

static bool
find_end64(int fd, struct end *end, struct zip_fault *fault)
{
	unsigned char loc[LOCATOR], rec[END64];
	bool needed = end->count == 0xffff || end->size == ONES32 || end->offset == ONES32;

	if (end->at < LOCATOR || !read_at(fd, end->at - LOCATOR, loc, sizeof loc) ||
	    u32(loc) != MARK_LOCATOR) {
		if (needed)
			return refuse(fault, NULL, "E_ZIP64", "the Zip64 locator is missing");
		return true;
	}
	uint64_t at = u64(loc + 8), until = end->at - LOCATOR;
	if (u32(loc + 4) != 0 || u32(loc + 16) > 1)
		return refuse(fault, NULL, "E_DISK", "part of a zip on several disks");
	if (at > until || until - at < END64 || !read_at(fd, at, rec, sizeof rec) ||
	    u32(rec) != MARK_END64 || u64(rec + 4) != until - at - 12)
		return refuse(
		    fault, NULL, "E_ZIP64", "the Zip64 end record is not where it should be");
	if (u32(rec + 16) != 0 || u32(rec + 20) != 0 || u64(rec + 24) != u64(rec + 32))
		return refuse(fault, NULL, "E_DISK", "part of a zip on several disks");
	bool agree = widen(&end->count, 0xffff, u64(rec + 32));
	agree = widen(&end->size, ONES32, u64(rec + 40)) && agree;
	agree = widen(&end->offset, ONES32, u64(rec + 48)) && agree;
	if (!agree)
		return refuse(fault, NULL, "E_ZIP64", "the two end records disagree");
	end->boundary = at;
	return true;
}

static bool
check_directory_place(
    int fd, const struct end *end, const struct zip_limits *limits, struct zip_fault *fault)
{
	unsigned char mark[4];

	if (end->count > limits->members)
		return refuse(fault, NULL, "E_MEMBERS", "too many members");
	if (end->size > end->boundary)
		return refuse(fault, NULL, "E_DIRECTORY", "the directory is larger than the file");
	if (end->size > limits->directory)
		return refuse(fault, NULL, "E_DIRECTORY", "the directory is too large");
	if (end->offset == end->boundary - end->size)
		return true;
	if (end->offset < end->boundary - end->size && end->size >= ENTRY &&
	    read_at(fd, end->boundary - end->size, mark, 4) && u32(mark) == MARK_ENTRY)
		return refuse(fault, NULL, "E_PREFIX", "bytes in front of the zip");
	return refuse(fault, NULL, "E_DIRECTORY", "the directory is not where the end record says");
}

/* The extra fields of a header: well formed, and what the known ones say. */
struct extra {
	const unsigned char *zip64;
	size_t zip64_len;
};

static bool
read_extra(const unsigned char *p, size_t len, const struct zip_member *m, struct extra *extra,
    struct zip_fault *fault)
{
	*extra = (struct extra){0};
	while (len > 0) {
		if (len < 4 || u16(p + 2) > len - 4)
			return refuse(fault, m, "E_EXTRA", "an extra field is cut short");
		const unsigned char *field = p + 4;
		size_t size = u16(p + 2);
		switch (u16(p)) {
		case 0x0001:
			if (extra->zip64 != NULL)
				return refuse(fault, m, "E_ZIP64", "two Zip64 fields");
			extra->zip64 = field;
			extra->zip64_len = size;
			break;
		case 0x7075: /* Info-ZIP's other name: version, CRC of the name, name in UTF-8 */
			if (size < 5 || size - 5 != m->name_len ||
			    memcmp(field + 5, m->name, m->name_len) != 0)
				return refuse(
				    fault, m, "E_NAMES", "the Unicode field gives another name");
			break;
		case 0x0017:
		case 0x9901: return refuse(fault, m, "E_ENCRYPTED", "encrypted");
		default: break;
		}
		p += 4 + size;
		len -= 4 + size;
	}
	return true;
}

/* Take the next 64-bit value for a field that is all ones. */
static bool
take64(uint64_t *value, struct extra *extra)
{
	if (*value != ONES32)
		return true;
	if (extra->zip64 == NULL || extra->zip64_len < 8)
		return false;
	*value = u64(extra->zip64);
	extra->zip64 += 8;
	extra->zip64_len -= 8;
	return true;
}

static bool
check_kind(struct zip_member *m, unsigned host, uint32_t attributes, struct zip_fault *fault)
{
	unsigned format = attributes >> 16 & 0170000;
	bool unix_like = host == 3 || host == 19, says_folder = format == 0040000 && unix_like;

	if (m->flags & (FLAG_ENCRYPTED | FLAG_STRONG | FLAG_MASKED))
		return refuse(fault, m, "E_ENCRYPTED", "encrypted");
	if ((m->method != 0 && m->method != 8) || m->flags & FLAG_PATCH)
		return refuse(fault, m, "E_METHOD", "packed in another way than store or deflate");
	if (format == 0120000 || (unix_like && format != 0 && format != 0100000 && !says_folder))
		return refuse(fault, m, "E_TYPE", "neither a file nor a folder");
	char last = m->name_len > 0 ? m->name[m->name_len - 1] : '\0';
	m->folder = last == '/' || last == '\\' || says_folder;
	if (m->folder && m->bytes != 0)
		return refuse(fault, m, "E_TYPE", "a folder with content");
	if (m->name_len == 0)
		return refuse(fault, m, "E_NAMES", "a member without a name");
	return true;
}

static bool
check_sizes(const struct zip_member *m, const struct zip_limits *limits, struct zip_fault *fault)
{
	if (m->method == 0 && m->packed != m->bytes)
		return refuse(fault, m, "E_LENGTH", "stored, but of two sizes");
	if (m->bytes > limits->declared)
		return refuse(fault, m, "E_DECLARED", "would be too large");
	if (m->bytes > ZIP_RATIO_FREE && m->bytes / limits->ratio > m->packed)
		return refuse(fault, m, "E_RATIO", "inflates out of proportion");
	return true;
}

/* One entry of the directory; *used is its length. */
static bool
read_entry(
    const unsigned char *p, size_t len, struct zip_member *m, size_t *used, struct zip_fault *fault)
{
	struct extra extra;

	if (len < ENTRY || u32(p) != MARK_ENTRY)
		return refuse(
		    fault, NULL, "E_COUNT", "fewer entries in the directory than counted");
	size_t name = u16(p + 28), more = u16(p + 30), comment = u16(p + 32);
	*used = ENTRY + name + more + comment;
	if (*used > len)
		return refuse(fault, NULL, "E_DIRECTORY", "an entry of the directory is cut short");
	m->name = prog_copy((const char *)p + ENTRY, name);
	m->name_len = name;
	m->flags = u16(p + 8);
	m->method = u16(p + 10);
	m->crc = u32(p + 16);
	m->packed = u32(p + 20);
	m->bytes = u32(p + 24);
	m->header = u32(p + 42);
	uint64_t disk = u16(p + 34);
	if (!read_extra(p + ENTRY + name, more, m, &extra, fault))
		return false;
	if (!take64(&m->bytes, &extra) || !take64(&m->packed, &extra) ||
	    !take64(&m->header, &extra))
		return refuse(fault, m, "E_ZIP64", "a Zip64 field is missing or too short");
	if (disk == 0xffff && extra.zip64_len >= 4) {
		disk = u32(extra.zip64);
		extra.zip64_len -= 4;
	}
	if (extra.zip64_len != 0)
		return refuse(fault, m, "E_ZIP64", "a Zip64 field that nothing asks for");
	if (disk != 0)
		return refuse(fault, m, "E_DISK", "part of a zip on several disks");
	return check_kind(m, p[5], u32(p + 38), fault);
}

static bool
read_directory(struct zip *zip, const struct end *end, const struct zip_limits *limits,
    struct zip_fault *fault)
{
	unsigned char *dir = prog_alloc((size_t)end->size, 1);
	size_t at = 0, used = 0, count = (size_t)end->count;
	uint64_t sum = 0;
	bool good = read_at(zip->fd, end->offset, dir, (size_t)end->size) ||
		    refuse(fault, NULL, "E_READ", "cannot be read");

	zip->members = prog_alloc(count, sizeof *zip->members);
	for (size_t i = 0; good && i < count; i++) {
		struct zip_member *m = &zip->members[i];
		zip->count = i + 1;
		good = read_entry(dir + at, (size_t)end->size - at, m, &used, fault) &&
		       check_sizes(m, limits, fault);
		at += used;
		sum += good ? m->bytes : 0; /* 20000 times 16 GiB fit */
	}
	free(dir);
	if (!good)
		return false;
	if (at != end->size)
		return refuse(fault, NULL, "E_COUNT", "more in the directory than counted");
	if (sum > limits->declared)
		return refuse(fault, NULL, "E_DECLARED", "would be too large");
	if (sum > 4 * ZIP_RATIO_FREE && sum / (limits->ratio / 2 + 1) > zip->size)
		return refuse(fault, NULL, "E_RATIO", "inflates out of proportion");
	return true;
}

/* A size in a local header: true, or left to the descriptor. */
static bool
local_agrees(uint64_t local, uint64_t value, const struct zip_member *m)
{
	return local == value || (m->flags & FLAG_DESCRIPTOR && (local == 0 || local == ONES32));
}

static bool
check_local(struct zip *zip, struct zip_member *m, uint64_t limit, struct zip_fault *fault)
{
	unsigned char head[LOCAL];
	struct extra extra;
	/* Whether names are UTF-8 does not matter to a name in ASCII. */
	unsigned ignored = 6;

	if (m->header > limit || limit - m->header < LOCAL ||
	    !read_at(zip->fd, m->header, head, LOCAL) || u32(head) != MARK_LOCAL)
		return refuse(fault, m, "E_HEADER", "no header where the directory says");
	size_t name = u16(head + 26), more = u16(head + 28);
	m->data = m->header + LOCAL + name + more;
	if (m->data > limit)
		return refuse(fault, m, "E_HEADER", "the header is cut short");
	unsigned char *rest = prog_alloc(name + more, 1);
	bool good = read_at(zip->fd, m->header + LOCAL, rest, name + more) ||
		    refuse(fault, m, "E_READ", "cannot be read");
	if (good && (name != m->name_len || memcmp(rest, m->name, name) != 0))
		good = refuse(fault, m, "E_NAMES", "header and directory give two names");
	good = good && read_extra(rest + name, more, m, &extra, fault);
	if (good) {
		uint64_t packed = u32(head + 18), bytes = u32(head + 22);
		bool ascii = true;
		for (size_t i = 0; i < name; i++)
			ascii = ascii && rest[i] < 0x80;
		if (ascii)
			ignored |= FLAG_UTF8;
		if (((u16(head + 6) ^ m->flags) & ~ignored) != 0 || u16(head + 8) != m->method)
			good = refuse(fault, m, "E_HEADER",
			    "header and directory disagree about the packing");
		else if (extra.zip64 != NULL &&
			 (!take64(&bytes, &extra) || !take64(&packed, &extra)))
			good = refuse(fault, m, "E_ZIP64", "a Zip64 field is too short");
		else if (!local_agrees(packed, m->packed, m) || !local_agrees(bytes, m->bytes, m) ||
			 !local_agrees(u32(head + 14), m->crc, m))
			good = refuse(
			    fault, m, "E_HEADER", "header and directory disagree about the size");
	}
	free(rest);
	return good;
}

/*
 * What stands between the data and whatever follows: nothing, or with flag 3 a descriptor, with or
 * without its mark, in sizes of 4 or 8 bytes.
 */
static bool
check_gap(struct zip *zip, const struct zip_member *m, uint64_t next, struct zip_fault *fault)
{
	unsigned char d[24];

	if (m->packed > next || m->data > next - m->packed)
		return refuse(fault, m, "E_OVERLAP", "shares bytes with what follows");
	uint64_t gap = next - m->packed - m->data;
	if (!(m->flags & FLAG_DESCRIPTOR))
		return gap == 0 || refuse(fault, m, "E_GAP", "followed by bytes of no member");
	if (gap != 12 && gap != 16 && gap != 20 && gap != 24)
		return refuse(fault, m, gap < 12 ? "E_DESCRIPTOR" : "E_GAP",
		    gap < 12 ? "the data descriptor is missing" : "followed by bytes of no member");
	if (!read_at(zip->fd, m->data + m->packed, d, (size_t)gap))
		return refuse(fault, m, "E_READ", "cannot be read");
	const unsigned char *p = d;
	if (gap == 16 || gap == 24) {
		if (u32(p) != MARK_DESCRIPTOR)
			return refuse(fault, m, "E_DESCRIPTOR", "the data descriptor is wrong");
		p += 4;
	}
	bool wide = gap >= 20;
	uint64_t packed = wide ? u64(p + 4) : u32(p + 4), bytes = wide ? u64(p + 12) : u32(p + 8);
	if (u32(p) != m->crc || packed != m->packed || bytes != m->bytes)
		return refuse(fault, m, "E_DESCRIPTOR", "the data descriptor is wrong");
	return true;
}

static int
by_header(const void *a, const void *b)
{
	const struct zip_member *x = *(struct zip_member *const *)a;
	const struct zip_member *y = *(struct zip_member *const *)b;

	return x->header < y->header ? -1 : x->header > y->header;
}

/* The file is nothing but the members, one after the other, and the directory. */
static bool
check_extents(struct zip *zip, const struct end *end, struct zip_fault *fault)
{
	if (zip->count == 0)
		return end->offset == 0 ||
		       refuse(fault, NULL, "E_GAP", "bytes of no member in front of the directory");
	struct zip_member **order = prog_alloc(zip->count, sizeof *order);
	for (size_t i = 0; i < zip->count; i++)
		order[i] = &zip->members[i];
	qsort(order, zip->count, sizeof *order, by_header);
	bool good = order[0]->header == 0 ||
		    refuse(fault, NULL, "E_PREFIX", "bytes in front of the first member");
	for (size_t i = 0; good && i < zip->count; i++) {
		uint64_t next = i + 1 < zip->count ? order[i + 1]->header : end->offset;
		good = check_local(zip, order[i], end->offset, fault) &&
		       check_gap(zip, order[i], next, fault);
	}
	free(order);
	return good;
}

static struct zip *
new_zip(int fd, uint64_t size)
{
	struct zip *zip = prog_alloc(1, sizeof *zip);

	zip->fd = fd;
	zip->size = size;
	return zip;
}

struct zip *
zip_open(int fd, const struct zip_limits *limits, struct zip_fault *fault)
{
	struct stat st;
	struct end end = {0};

	*fault = (struct zip_fault){0};
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		refuse(fault, NULL, "E_READ", "not a regular file");
		return NULL;
	}
	if (st.st_size == 0) {
		refuse(fault, NULL, "E_EMPTY", "an empty file");
		return NULL;
	}
	uint64_t size = (uint64_t)st.st_size;
	if (size > limits->file || size > ZIP_FILE_MAX) {
		refuse(fault, NULL, "E_SIZE", "the file is too large");
		return NULL;
	}
	struct zip *zip = new_zip(fd, size);
	if (find_end(fd, size, &end, fault) && find_end64(fd, &end, fault) &&
	    check_directory_place(fd, &end, limits, fault) &&
	    read_directory(zip, &end, limits, fault) && check_extents(zip, &end, fault))
		return zip;
	zip_free(zip);
	return NULL;
}

void
zip_free(struct zip *zip)
{
	if (zip == NULL)
		return;
	for (size_t i = 0; i < zip->count; i++)
		free(zip->members[i].name);
	free(zip->members);
	free(zip);
}

/*
 * The descriptor that ends the data at from: the first place whose mark is followed by the distance
 * to itself.  False when there is none up to the end of the file.
 */
static bool
find_descriptor(struct zip *zip, uint64_t from, struct zip_member *m, uint64_t *next)
{
	enum { BLOCK = 65536 };
	unsigned char *block = prog_alloc(BLOCK, 1);
	bool found = false;

	for (uint64_t at = from; !found && at + 16 <= zip->size; at += BLOCK - 23) {
		size_t len = zip->size - at < BLOCK ? (size_t)(zip->size - at) : BLOCK;
		if (!read_at(zip->fd, at, block, len))
			break;
		for (unsigned char *p = block; (p = memchr(p, 'P', len - (size_t)(p - block)));
		     p++) {
			size_t left = len - (size_t)(p - block);
			uint64_t packed = at + (size_t)(p - block) - from;
			if (left < 16)
				break;
			if (u32(p) != MARK_DESCRIPTOR)
				continue;
			bool narrow = u32(p + 8) == packed;
			bool wide = left >= 24 && u64(p + 8) == packed && u32(p + 16) != MARK_LOCAL;
			if (!narrow && !wide)
				continue;
			m->packed = packed;
			m->crc = u32(p + 4);
			m->bytes = wide ? u64(p + 16) : u32(p + 12);
			*next = from + packed + (wide ? 24 : 16);
			found = true;
			break;
		}
	}
	free(block);
	return found;
}

/* The member whose header is at, if it is one that we read; *next is the place behind it. */
static bool
salvage_member(
    struct zip *zip, uint64_t at, uint64_t declared, struct zip_member *m, uint64_t *next)
{
	unsigned char head[LOCAL];

	if (at > zip->size || zip->size - at < LOCAL || !read_at(zip->fd, at, head, LOCAL) ||
	    u32(head) != MARK_LOCAL)
		return false;
	size_t name = u16(head + 26), more = u16(head + 28);
	*m = (struct zip_member){.header = at, .data = at + LOCAL + name + more};
	m->flags = u16(head + 6);
	m->method = u16(head + 8);
	if (m->flags & (FLAG_ENCRYPTED | FLAG_STRONG | FLAG_MASKED | FLAG_PATCH) ||
	    (m->method != 0 && m->method != 8) || name == 0 || m->data >= zip->size)
		return false;
	m->crc = u32(head + 14);
	m->packed = u32(head + 18);
	m->bytes = u32(head + 22);
	*next = m->data + m->packed;
	bool whole = m->flags & FLAG_DESCRIPTOR ? find_descriptor(zip, m->data, m, next)
						: m->packed != ONES32 && *next <= zip->size;
	if (!whole) {
		m->cut = true;
		m->packed = zip->size - m->data;
		m->bytes = declared;
		*next = zip->size;
	}
	m->name = prog_alloc(name + 1, 1);
	m->name_len = name;
	if (!read_at(zip->fd, at + LOCAL, m->name, name)) {
		free(m->name);
		return false;
	}
	m->folder = m->name[name - 1] == '/' || m->name[name - 1] == '\\';
	return true;
}

struct zip *
zip_salvage(int fd, const struct zip_limits *limits)
{
	struct stat st;
	struct zip_member m;
	struct zip_fault fault = {0};
	uint64_t at = 0, sum = 0;
	size_t room = 0;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || (uint64_t)st.st_size > limits->file)
		return NULL;
	struct zip *zip = new_zip(fd, (uint64_t)st.st_size);
	while (zip->count < limits->members && salvage_member(zip, at, limits->declared, &m, &at)) {
		if (!m.cut &&
		    (!check_sizes(&m, limits, &fault) || (sum += m.bytes) > limits->declared)) {
			free(fault.member);
			free(m.name);
			break;
		}
		if (zip->count == room) {
			room = room ? 2 * room : 16;
			zip->members = prog_resize(zip->members, room, sizeof *zip->members);
		}
		zip->members[zip->count++] = m;
	}
	if (zip->count > 0)
		return zip;
	zip_free(zip);
	return NULL;
}

/*
 * The zip that libarchive is shown: a header, the member's bytes, a directory of one entry and an
 * end record.  Sizes stand in Zip64 fields, so that one form serves all.
 */
enum { OUR_NAME = 1, OUR_EXTRA = 4 + 16, OUR_HEAD = LOCAL + OUR_NAME + OUR_EXTRA };
enum { OUR_ENTRY = ENTRY + OUR_NAME + OUR_EXTRA, OUR_TAIL = OUR_ENTRY + END };
enum { BLOCK = 128 * 1024 };

struct zip_read {
	struct archive *archive;
	const struct zip_member *member;
	struct zip_fault pending; /* after a last block that libarchive gave with a warning */
	int fd;
	bool file_failed;
	uint64_t at, size; /* in the zip that is shown */
	uint64_t counted;
	unsigned char head[OUR_HEAD], tail[OUR_TAIL], *block;
};

static unsigned char *
put(unsigned char *p, int size, uint64_t value)
{
	for (int i = 0; i < size; i++)
		*p++ = (unsigned char)(value >> 8 * i);
	return p;
}

/* The ten bytes that headers and entries share, the name and the Zip64 field. */
static unsigned char *
put_common(unsigned char *p, const struct zip_member *m)
{
	p = put(p, 2, 45);
	p = put(p, 2, 0);
	p = put(p, 2, m->method);
	p = put(p, 4, 0);
	p = put(p, 4, m->crc);
	p = put(p, 4, ONES32);
	p = put(p, 4, ONES32);
	p = put(p, 2, OUR_NAME);
	return put(p, 2, OUR_EXTRA);
}

static unsigned char *
put_name(unsigned char *p, const struct zip_member *m)
{
	*p++ = 'm';
	p = put(p, 2, 1);
	p = put(p, 2, 16);
	p = put(p, 8, m->bytes);
	return put(p, 8, m->packed);
}

static void
make_zip(struct zip_read *r)
{
	const struct zip_member *m = r->member;
	unsigned char *p = put(r->head, 4, MARK_LOCAL);

	put_name(put_common(p, m), m);
	p = put(r->tail, 4, MARK_ENTRY);
	p = put(p, 2, 45);
	p = put_common(p, m);
	p = put(p, 6, 0);              /* comment, disk, internal attributes */
	p = put(p, 4, 0);              /* external ones */
	p = put_name(put(p, 4, 0), m); /* the header's offset */
	p = put(p, 4, MARK_END);
	p = put(p, 4, 0);
	p = put(p, 2, 1);
	p = put(p, 2, 1);
	p = put(p, 4, OUR_ENTRY);
	p = put(p, 4, OUR_HEAD + m->packed);
	put(p, 2, 0);
	r->size = OUR_HEAD + m->packed + OUR_TAIL;
}

static la_ssize_t
show(struct archive *a, void *ctx, const void **bytes)
{
	struct zip_read *r = ctx;
	uint64_t body_end = OUR_HEAD + r->member->packed;
	size_t len;

	if (r->at < OUR_HEAD) {
		*bytes = r->head + r->at;
		len = OUR_HEAD - (size_t)r->at;
	} else if (r->at < body_end) {
		len = body_end - r->at < BLOCK ? (size_t)(body_end - r->at) : BLOCK;
		*bytes = r->block;
		if (!read_at(r->fd, r->member->data + (r->at - OUR_HEAD), r->block, len)) {
			r->file_failed = true;
			archive_set_error(a, EIO, "cannot be read");
			return -1;
		}
	} else {
		*bytes = r->tail + (r->at - body_end);
		len = (size_t)(r->size - r->at);
	}
	r->at += len;
	return (la_ssize_t)len;
}

static la_int64_t
show_seek(struct archive *a, void *ctx, la_int64_t offset, int whence)
{
	struct zip_read *r = ctx;
	la_int64_t from =
	    whence == SEEK_SET ? 0 : (la_int64_t)(whence == SEEK_CUR ? r->at : r->size);

	(void)a;
	if (offset < -from || (uint64_t)(from + offset) > r->size)
		return ARCHIVE_FATAL;
	r->at = (uint64_t)(from + offset);
	return (la_int64_t)r->at;
}

struct zip_read *
zip_read_open(const struct zip *zip, const struct zip_member *member)
{
	struct zip_read *r = prog_alloc(1, sizeof *r);
	struct archive_entry *entry;

	r->fd = zip->fd;
	r->member = member;
	r->block = prog_resize(NULL, member->packed < BLOCK ? (size_t)member->packed : BLOCK, 1);
	make_zip(r);
	r->archive = archive_read_new();
	bool good = r->archive != NULL &&
		    archive_read_support_format_zip_seekable(r->archive) == ARCHIVE_OK &&
		    archive_read_set_read_callback(r->archive, show) == ARCHIVE_OK &&
		    archive_read_set_seek_callback(r->archive, show_seek) == ARCHIVE_OK &&
		    archive_read_set_callback_data(r->archive, r) == ARCHIVE_OK &&
		    archive_read_open1(r->archive) == ARCHIVE_OK &&
		    archive_read_next_header(r->archive, &entry) == ARCHIVE_OK;
	if (!good)
		refuse(&r->pending, NULL, "E_DATA", "cannot be inflated");
	return r;
}

static long
fail(const struct zip_read *r, struct zip_fault *fault, const char *code, const char *why)
{
	refuse(fault, r->member, code, why);
	return -1;
}

long
zip_read_block(struct zip_read *r, const char **block, struct zip_fault *fault)
{
	const void *bytes = NULL;
	size_t len = 0;
	la_int64_t offset;

	if (r->pending.code != NULL)
		return fail(r, fault, r->pending.code, r->pending.why);
	do {
		int got = archive_read_data_block(r->archive, &bytes, &len, &offset);
		if (got == ARCHIVE_EOF)
			len = 0;
		if (got == ARCHIVE_EOF && (r->counted == r->member->bytes || r->member->cut))
			return 0;
		if (got != ARCHIVE_OK && got != ARCHIVE_EOF) {
			const char *why = archive_error_string(r->archive);
			bool crc = why != NULL && strstr(why, "CRC") != NULL;
			bool size = why != NULL && strstr(why, "wrong size") != NULL;
			if (r->file_failed)
				r->pending = (struct zip_fault){"E_READ", "cannot be read", NULL};
			else if (crc)
				r->pending =
				    (struct zip_fault){"E_CRC", "the checksum is wrong", NULL};
			else if (size)
				r->pending = (struct zip_fault){
				    "E_LENGTH", "not as long as the directory says", NULL};
			else
				r->pending =
				    (struct zip_fault){"E_DATA", "the data is damaged", NULL};
			/* Only what is found at a member's end comes with bytes: a warning of old,
			 * and a failure since libarchive's fixes of 2025. */
			if ((got != ARCHIVE_WARN && !crc && !size) || len == 0)
				return fail(r, fault, r->pending.code, r->pending.why);
		}
		r->counted += len;
		if (r->counted > r->member->bytes || got == ARCHIVE_EOF) {
			r->pending = (struct zip_fault){
			    "E_LENGTH", "not as long as the directory says", NULL};
			return fail(r, fault, r->pending.code, r->pending.why);
		}
	} while (len == 0);
	*block = bytes;
	return (long)len;
}

void
zip_read_close(struct zip_read *r)
{
	archive_read_free(r->archive);
	free(r->block);
	free(r);
}
