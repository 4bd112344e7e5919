#include "when.h"

#include <ctype.h>
#include <err.h>
#include <stddef.h>
#include <time.h>

#include "buf.h"
#include "prog.h"

/* Days since 1970 in the Gregorian calendar; years begin in March, so that a leap day comes last.
 */
static int64_t
days(int64_t y, int64_t m, int64_t d)
{
	y -= m <= 2;
	int64_t era = (y >= 0 ? y : y - 399) / 400, of_era = y - era * 400;
	int64_t of_year = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;

	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* So many digits at *p, which moves past them. */
static bool
digits(const char **p, int count, int *n)
{
	for (*n = 0; count > 0; count--, (*p)++) {
		if (!isdigit((unsigned char)**p))
			return false;
		*n = *n * 10 + (**p - '0');
	}
	return true;
}

static long
fraction(const char **p)
{
	long ns = 0;

	for (long unit = 100000000; isdigit((unsigned char)**p); unit /= 10, (*p)++)
		ns += (**p - '0') * unit;
	return ns;
}

/* "+02:00", "-0530", "+01" in minutes; anything else is UTC. */
static bool
zone(const char *p, int *minutes)
{
	int hour, minute = 0, sign = *p == '-' ? -1 : 1;

	*minutes = 0;
	if (*p != '+' && *p != '-')
		return true;
	p++;
	if (!digits(&p, 2, &hour))
		return false;
	p += *p == ':';
	if (isdigit((unsigned char)*p) && !digits(&p, 2, &minute))
		return false;
	*minutes = sign * (hour * 60 + minute);
	return true;
}

bool
when_read(const char *text, struct when *w)
{
	int y, mo, d, h = 0, mi = 0, s = 0, ahead = 0;
	const char *p = text;

	*w = (struct when){0};
	if (p == NULL || !digits(&p, 4, &y) || *p++ != '-' || !digits(&p, 2, &mo) || *p++ != '-' ||
	    !digits(&p, 2, &d) || mo < 1 || mo > 12 || d < 1 || d > 31)
		return false;
	if (*p == 'T' || *p == ' ') {
		p++;
		if (!digits(&p, 2, &h) || *p++ != ':' || !digits(&p, 2, &mi))
			return false;
		if (*p == ':' && (p++, !digits(&p, 2, &s)))
			return false;
		if (*p == '.' || *p == ',')
			p++, w->ns = fraction(&p);
		if (!zone(p, &ahead))
			return false;
	}
	w->seconds = ((days(y, mo, d) * 24 + h) * 60 + mi - ahead) * 60 + s;
	return true;
}

double
when_ms(const char *text)
{
	struct when w;

	return when_read(text, &w) ? (double)w.seconds * 1000 + (double)(w.ns / 1000000) : -1;
}

char *
when_text(double ms)
{
	if (!(ms >= 0) || ms > 253402300799999.0) /* the end of the year 9999 */
		return NULL;
	long long whole = (long long)ms;
	time_t seconds = (time_t)(whole / 1000);
	struct tm tm;
	char text[32];
	struct buf b = {0};

	gmtime_r(&seconds, &tm);
	strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &tm);
	buf_format(&b, "%s.%03dZ", text, (int)(whole % 1000));
	return b.data;
}

char *
when_normal(const char *text)
{
	return when_text(when_ms(text));
}

const char *
when_option(int ch, const char *arg)
{
	static const char form[] = "dddd-dd-ddTdd:dd:ddZ";
	size_t i = 0;

	while (form[i] != '\0' &&
	       (form[i] == 'd' ? isdigit((unsigned char)arg[i]) != 0 : arg[i] == form[i]))
		i++;
	if (form[i] != '\0' || arg[i] != '\0')
		errx(TROUBLE, "-%c: not a time like 2026-07-04T08:00:00Z", ch);
	return arg;
}
