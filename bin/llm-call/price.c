#include "price.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "jvx.h"

/* "claude-x-20261001" and "claude-x-latest" are priced as claude-x; "claude-x-mini" is another. */
static bool
same_model(const char *row, const char *asked)
{
	size_t len = strlen(row);

	if (strncmp(row, asked, len) != 0)
		return false;
	const char *rest = asked + len;
	if (*rest == '\0' || strcmp(rest, "-latest") == 0)
		return true;
	if (*rest != '-' && *rest != '@')
		return false;
	rest++;
	return strlen(rest) >= 6 && strspn(rest, "0123456789-") == strlen(rest);
}

static bool
holds(jv row, const char *model, const char *date)
{
	const char *provider = jvx_text(row, "provider"), *name = jvx_text(row, "model");
	const char *from = jvx_text(row, "from"), *to = jvx_text(row, "to");
	size_t len = provider ? strlen(provider) : 0;

	return provider != NULL && name != NULL && strncmp(model, provider, len) == 0 &&
	       model[len] == ':' && same_model(name, model + len + 1) &&
	       (from == NULL || strcmp(from, date) <= 0) && (to == NULL || strcmp(date, to) <= 0);
}

/* A part that was not used costs nothing, whether or not its price is known. */
static double
part(double tokens, double price)
{
	return tokens > 0 ? tokens * price / 1e6 : 0;
}

/* What the service tier does to the price; a factor that nobody knows is NaN. */
static double
tier(jv row, jv usage)
{
	const char *name = jvx_text(usage, "tier");
	jv factors = jvx_get(row, "tiers");
	double factor = name ? jvx_number(factors, name, NAN) : 1;

	jv_free(factors);
	return factor;
}

static double
cost(jv row, jv usage)
{
	double input = jvx_number(usage, "input_total", NAN);
	double read = jvx_number(usage, "input_cached_read", 0);
	double written = jvx_number(usage, "input_cache_write", 0);
	double hour = jvx_number(usage, "input_cache_write_1h", 0);
	double output = jvx_number(usage, "output_total", NAN);
	bool is_long = input >= jvx_number(row, "long_context_from", INFINITY);

	return tier(row, usage) *
	       (part(input - read - written,
		    jvx_number(row, is_long ? "long_input" : "input", NAN)) +
		   part(read, jvx_number(row, "cached_read", NAN)) +
		   part(written - hour, jvx_number(row, "cache_write_5m", NAN)) +
		   part(hour, jvx_number(row, "cache_write_1h", NAN)) +
		   part(output, jvx_number(row, is_long ? "long_output" : "output", NAN)));
}

double
price_of(jv table, const char *model, const char *date, jv usage)
{
	double found = NAN;
	size_t best = 0;

	for (int i = 0; jv_get_kind(table) == JV_KIND_ARRAY && i < jv_array_length(jv_copy(table));
	     i++) {
		jv row = jv_array_get(jv_copy(table), i);
		size_t len = holds(row, model, date) ? strlen(jvx_text(row, "model")) : 0;
		if (len > best) {
			best = len;
			found = cost(row, usage);
		}
		jv_free(row);
	}
	return found;
}
