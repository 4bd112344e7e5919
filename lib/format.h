#ifndef FORMAT_H
#define FORMAT_H

/*
 * format: the formats of JSON Schema 2020-12, validation section 7.3, for those who ask for them.
 *
 * date-time, date, time, duration (RFC 3339), email and idn-email (RFC 5321 without comments),
 * hostname (RFC 1123), ipv4, ipv6 (RFC 4291), uri, uri-reference, iri, iri-reference (RFC 3986,
 * 3987), uri-template (RFC 6570), uuid (RFC 4122), json-pointer, relative-json-pointer (RFC 6901),
 * regex. idn-hostname is checked for its shape only: the code points that IDNA refuses need its
 * tables.
 */
#include <stddef.h>

enum format_answer { FORMAT_GOOD, FORMAT_BAD, FORMAT_UNKNOWN };

/* text is UTF-8 and may hold NUL. */
enum format_answer format_check(const char *format, const char *text, size_t len);

#endif
