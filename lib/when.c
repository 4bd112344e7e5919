#include "when.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <time.h>

#include "buf.h"

static bool
digits(const char **p, int count, int *to)
{
	*to = 0;
	for (int i = 0; i < count; i++, (*p)++) {
		if (!isdigit((unsigned char)**p))
			return false;
		*to = *to * 10 + (**p - '0');
	}
	return true;
}

/* Days since 1970 of a date of the proleptic Gregorian calendar (the usual era arithmetic). */
static long
days(int y, int m, int d)
{
	y -= m <= 2;
	long era = (y >= 0 ? y : y - 399) / 400;
	long yoe = y - era * 400, doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
	return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

char *
when_text(double ms)
{
	if (!(ms >= 0) || ms > 253402300799999.0) /* the end of year 9999 */
		return NULL;
	long long whole = (long long)floor(ms);
	time_t s = (time_t)(whole / 1000);
	struct tm tm;
	char text[32];
	struct buf b = {0};

	gmtime_r(&s, &tm);
	strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &tm);
	buf_format(&b, "%s.%03dZ", text, (int)(whole % 1000));
	return b.data;
}

double
when_ms(const char *p)
{
	int y, mo, d, h = 0, mi = 0, s = 0, zh = 0, zm = 0;
	double fraction = 0, scale = 0.1;
	int sign = 0;

	if (p == NULL || !digits(&p, 4, &y) || *p++ != '-' || !digits(&p, 2, &mo) || *p++ != '-' ||
	    !digits(&p, 2, &d) || mo < 1 || mo > 12 || d < 1 || d > 31)
		return -1;
	if (*p == 'T' || *p == ' ') {
		p++;
		if (!digits(&p, 2, &h) || *p++ != ':' || !digits(&p, 2, &mi))
			return -1;
		if (*p == ':') {
			p++;
			if (!digits(&p, 2, &s))
				return -1;
		}
		if (*p == '.' || *p == ',')
			for (p++; isdigit((unsigned char)*p); p++, scale /= 10)
				fraction += (*p - '0') * scale;
		if (*p == '+' || *p == '-') {
			sign = *p++ == '-' ? 1 : -1;
			if (!digits(&p, 2, &zh))
				return -1;
			p += *p == ':';
			if (*p != '\0' && !digits(&p, 2, &zm))
				return -1;
		}
	}
	double ms = ((double)days(y, mo, d) * 86400 + h * 3600 + mi * 60 + s) * 1000;
	return ms + floor(fraction * 1000 + 1e-6) + sign * (zh * 60 + zm) * 60000.0;
}

char *
when_normal(const char *text)
{
	return when_text(when_ms(text));
}
