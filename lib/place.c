#include "place.h"

#include <string.h>

static bool
is_slash(char c)
{
	return c == '/' || c == '\\';
}

/* Leading "./" says nothing, and a file URL is a path. */
static const char *
bare(const char *name)
{
	if (strncmp(name, "file://", 7) == 0)
		name += 7;
	while (name[0] == '.' && is_slash(name[1]))
		name += 2;
	while (is_slash(*name))
		name++;
	return name;
}

bool
place_same_file(const char *a, const char *b)
{
	a = bare(a);
	b = bare(b);
	size_t i = strlen(a), k = strlen(b);

	if (i == 0 || k == 0)
		return false;
	while (i > 0 && k > 0) {
		char x = a[--i], y = b[--k];
		if (x != y && !(is_slash(x) && is_slash(y)))
			return false;
	}
	return (i == 0 && k == 0) || (i == 0 ? is_slash(b[k - 1]) : is_slash(a[i - 1]));
}

/* The number that ends text; its length in digits, 0 when there is none or it is no line. */
static size_t
last_number(const char *text, size_t len, long *number)
{
	size_t digits = 0;
	long n = 0, unit = 1;

	while (digits < len && digits < 8) {
		char c = text[len - 1 - digits];
		if (c < '0' || c > '9')
			break;
		n += (c - '0') * unit;
		unit *= 10;
		digits++;
	}
	*number = n;
	return digits < 8 && n > 0 ? digits : 0;
}

size_t
place_read(const char *text, size_t len, long *from, long *to)
{
	long number, before;
	size_t digits = last_number(text, len, &number);

	if (digits == 0 || digits + 2 > len)
		return 0;
	size_t rest = len - digits - 1;
	size_t more = last_number(text, rest, &before);
	bool dash = text[rest] == '-';
	if ((dash || text[rest] == ':') && more > 0 && more + 2 <= rest &&
	    text[rest - more - 1] == ':') {
		*from = before;
		*to = dash ? number : before; /* ':' is a column */
		return *from <= *to ? rest - more - 1 : 0;
	}
	if (text[rest] != ':')
		return 0;
	*from = *to = number;
	return rest;
}
