#include "format.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <string.h>

#include "re.h"

/* Grammars as regular expressions; what a grammar cannot say is in a function below. */
#define OCTET "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
#define PCT "%[0-9A-Fa-f]{2}"
#define UCS "\\x{a0}-\\x{d7ff}\\x{f900}-\\x{fdcf}\\x{fdf0}-\\x{ffef}\\x{10000}-\\x{efffd}"
#define PCHAR(U) "(?:[A-Za-z0-9._~!$&'()*+,;=:@" U "-]|" PCT ")"
#define SEGMENT1(U) "(?:[A-Za-z0-9._~!$&'()*+,;=@" U "-]|" PCT ")+"
#define AUTHORITY(U)                                                                               \
	"(?:(?:[A-Za-z0-9._~!$&'()*+,;=:" U "-]|" PCT ")*@)?"                                      \
	"(?:\\[(?:[0-9A-Fa-f:.]+|v[0-9A-Fa-f]+\\.[A-Za-z0-9._~!$&'()*+,;=:-]+)\\]|"                \
	"(?:[A-Za-z0-9._~!$&'()*+,;=" U "-]|" PCT ")*)(?::[0-9]*)?"
#define TAIL(U) "(?:\\?(?:" PCHAR(U) "|[/?])*)?(?:#(?:" PCHAR(U) "|[/?])*)?"
#define PATHS(U) "(?://" AUTHORITY(U) "(?:/" PCHAR(U) "*)*|/(?:" PCHAR(U) "+(?:/" PCHAR(U) "*)*)?"
#define URI(U)                                                                                     \
	"^[A-Za-z][A-Za-z0-9+.-]*:" PATHS(U) "|" PCHAR(U) "+(?:/" PCHAR(U) "*)*|)" TAIL(U) "$"
#define REFERENCE(U)                                                                               \
	"^(?:[A-Za-z][A-Za-z0-9+.-]*:" PATHS(U) "|" PCHAR(U) "+(?:/" PCHAR(U) "*)*|)|" PATHS(      \
	    U) "|" SEGMENT1(U) "(?:/" PCHAR(U) "*)*|))" TAIL(U) "$"
#define DATE "([0-9]{4})-([0-9]{2})-([0-9]{2})"
#define TIME                                                                                       \
	"([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9]|60)(?:\\.[0-9]+)?"                            \
	"(?:[Zz]|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))"
#define ATEXT(U) "[A-Za-z0-9!#$%&'*+/=?^_`{|}~" U "-]"
#define LABEL "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
#define EMAIL(U, HOST)                                                                             \
	"^(?:" ATEXT(U) "+(?:\\." ATEXT(U) "+)*|\"(?:[ !#-\\[\\]-~" U "]|\\\\[ -~])*\")@"          \
					   "(?:" HOST "|\\[" OCTET "(?:\\." OCTET                  \
					   "){3}\\]|\\[IPv6:[0-9A-Fa-f:.]+\\])$"
#define HOST LABEL "(?:\\." LABEL ")*"
#define IDN_LABEL "[A-Za-z0-9" UCS "](?:[A-Za-z0-9" UCS "-]*[A-Za-z0-9" UCS "])?"
#define VARNAME "(?:[A-Za-z0-9_]|" PCT ")(?:\\.?(?:[A-Za-z0-9_]|" PCT "))*"
#define VARSPEC VARNAME "(?::[1-9][0-9]{0,3}|\\*)?"

enum index { DATE_TIME, DATE_ONLY, TIME_ONLY, IPV6, HOSTNAME, IDN_HOSTNAME, REGEX_ONLY, OTHER };

static struct format {
	const char *name, *pattern;
	enum index index;
	struct re *re; /* compiled when first asked for */
} formats[] = {
    {"date-time", "^" DATE "[Tt]" TIME "$", DATE_TIME, NULL},
    {"date", "^" DATE "$", DATE_ONLY, NULL},
    {"time", "^" TIME "$", TIME_ONLY, NULL},
    {"duration",
	"^P(?:[0-9]+W|(?=[0-9T])(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)?"
	"(?:T(?=[0-9])(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S))?)$",
	OTHER, NULL},
    {"email", EMAIL("", HOST), OTHER, NULL},
    {"idn-email", EMAIL(UCS, IDN_LABEL "(?:\\." IDN_LABEL ")*"), OTHER, NULL},
    {"hostname", "^" HOST "$", HOSTNAME, NULL},
    {"idn-hostname", "^" IDN_LABEL "(?:[.\\x{3002}\\x{ff0e}\\x{ff61}]" IDN_LABEL ")*$",
	IDN_HOSTNAME, NULL},
    {"ipv4", "^" OCTET "(?:\\." OCTET "){3}$", OTHER, NULL},
    {"ipv6", "^[0-9A-Fa-f:.]+$", IPV6, NULL},
    {"uri", URI(""), OTHER, NULL},
    {"uri-reference", REFERENCE(""), OTHER, NULL},
    {"iri", URI(UCS), OTHER, NULL},
    {"iri-reference", REFERENCE(UCS), OTHER, NULL},
    {"uri-template",
	"^(?:[!#$&-;=?-\\[\\]_a-z~" UCS "]|" PCT "|\\{[+#./;?&]?" VARSPEC "(?:," VARSPEC ")*\\})*$",
	OTHER, NULL},
    {"uuid", "^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$", OTHER, NULL},
    {"json-pointer", "^(?:/(?:[^/~]|~[01])*)*$", OTHER, NULL},
    {"relative-json-pointer", "^(?:0|[1-9][0-9]*)(?:#|(?:/(?:[^/~]|~[01])*)*)$", OTHER, NULL},
    {"regex", NULL, REGEX_ONLY, NULL},
};

static int
digits(const char *text, struct re_match *m, size_t group)
{
	int n = 0;

	for (size_t i = m->group[group].from; i < m->group[group].to; i++)
		n = n * 10 + (text[i] - '0');
	return n;
}

/* RFC 3339 section 5.7. */
static bool
is_date(const char *text, struct re_match *m)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	int year = digits(text, m, 1), month = digits(text, m, 2), day = digits(text, m, 3);
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return month >= 1 && month <= 12 && day >= 1 &&
	       day <= days[month - 1] + (month == 2 && leap);
}

/* A leap second is the last of a day in UTC (RFC 3339 appendix D). */
static bool
is_time(const char *text, struct re_match *m, size_t first)
{
	if (digits(text, m, first + 2) < 60)
		return true;
	int minutes = digits(text, m, first) * 60 + digits(text, m, first + 1);
	if (m->count > first + 3 && m->group[first + 3].from != (size_t)-1) {
		int offset = digits(text, m, first + 4) * 60 + digits(text, m, first + 5);
		minutes -= text[m->group[first + 3].from] == '-' ? -offset : offset;
	}
	return (minutes + 2 * 1440) % 1440 == 1439;
}

static bool
is_ipv6(const char *text, size_t len)
{
	char copy[64];
	unsigned char address[16];

	if (len >= sizeof copy)
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	return inet_pton(AF_INET6, copy, address) == 1;
}

static bool
is_regex(const char *text, size_t len)
{
	struct re *re = re_new(text, len, RE_ECMA, NULL, 0);

	re_free(re);
	return re != NULL;
}

enum format_answer
format_check(const char *name, const char *text, size_t len)
{
	struct format *f = NULL;
	struct re_match m;
	bool good;

	for (size_t i = 0; i < sizeof formats / sizeof *formats && f == NULL; i++)
		if (strcmp(formats[i].name, name) == 0)
			f = &formats[i];
	if (f == NULL)
		return FORMAT_UNKNOWN;
	if (f->index == REGEX_ONLY)
		return is_regex(text, len) ? FORMAT_GOOD : FORMAT_BAD;
	if (f->re == NULL)
		f->re = re_new(f->pattern, strlen(f->pattern), 0, NULL, 0);
	if (f->re == NULL || re_find(f->re, text, len, 0, &m) != RE_YES)
		return FORMAT_BAD;
	switch (f->index) {
	case DATE_TIME: good = is_date(text, &m) && is_time(text, &m, 4); break;
	case DATE_ONLY: good = is_date(text, &m); break;
	case TIME_ONLY: good = is_time(text, &m, 1); break;
	case IPV6: good = is_ipv6(text, len); break;
	case HOSTNAME:
	case IDN_HOSTNAME: good = len <= 253; break;
	default: good = true;
	}
	return good ? FORMAT_GOOD : FORMAT_BAD;
}
