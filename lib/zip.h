#ifndef ZIP_H
#define ZIP_H

/*
 * zip: the members of a zip archive whose readers would all agree about it.
 *
 * The archive is hostile.  zip_open() walks the central directory, every local header and every
 * data descriptor before a byte is inflated, and refuses whatever two readers could see differently
 * (hidden, overlapping or doubly described members, trailing bytes, a second end record), what no
 * trace needs (encryption, links, methods other than store and deflate) and what is out of
 * proportion.  A refusal is a stable code and a sentence.  Member names are not judged here.
 *
 * libarchive inflates, but never sees the archive: each member is shown to its seekable zip reader
 * as the only member of a small zip made here of the values that were checked, so that any member
 * can be read at any time and none of the reader's own ideas about directories comes into play.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct zip_limits {
	uint64_t file;      /* bytes of the archive, at most ZIP_FILE_MAX */
	uint64_t declared;  /* bytes of all members, inflated */
	uint64_t members;   /* how many */
	uint64_t directory; /* bytes of the central directory */
	/*
	 * A member over ZIP_RATIO_FREE bytes may be this many times its packed size, all of them
	 * together half as many times the file.  Deflate ends at 1032; DOM snapshots reach 100.
	 */
	uint64_t ratio;
};
#define ZIP_FILE_MAX ((uint64_t)4 << 30)
#define ZIP_RATIO_FREE ((uint64_t)16 << 20)
extern const struct zip_limits zip_limits; /* 4 GiB, 16 GiB, 20000, 16 MiB, 500 */

struct zip_member {
	char *name; /* as in the directory, with a final NUL of our own */
	size_t name_len;
	uint64_t header, data; /* offsets in the file */
	uint64_t packed, bytes;
	uint32_t crc;
	uint16_t flags, method;
	bool folder;
	bool cut; /* salvage only: the data ends with the file; bytes is no more than a bound */
};

struct zip {
	int fd; /* borrowed */
	uint64_t size;
	struct zip_member *members; /* in directory order */
	size_t count;
};

struct zip_fault {
	const char *code; /* "E_OVERLAP"; static */
	const char *why;  /* static */
	char *member;     /* its name, if it is about one; yours to free */
};

/* NULL and *fault when refused.  fd is a seekable file; it is borrowed and must outlive the zip. */
struct zip *zip_open(int fd, const struct zip_limits *limits, struct zip_fault *fault);

/*
 * What a zip that ends too early (E_CUT) still holds, found by its local headers: the whole members
 * in front, and the last one as far as it goes.  NULL when there is not even one.
 */
struct zip *zip_salvage(int fd, const struct zip_limits *limits);
void zip_free(struct zip *zip);

/* One member's content, inflated and counted; zip_read_close() whatever happens. */
struct zip_read;
struct zip_read *zip_read_open(const struct zip *zip, const struct zip_member *member);
/*
 * The next block, valid until the next call; length 0 at the end, -1 with *fault when the data is
 * not what the directory says: E_DATA, E_CRC, E_LENGTH, or E_READ for the file itself.
 */
long zip_read_block(struct zip_read *r, const char **block, struct zip_fault *fault);
void zip_read_close(struct zip_read *r);

#endif
