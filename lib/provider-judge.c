/* What a failure means, and whether another try can help. */
#include <ctype.h>
#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

#include "jvx.h"
#include "prog.h"
#include "provider.h"

static const char *const money[] = {"insufficient_quota", "credit_balance_exhausted",
    "organization_spend_limit_exceeded", "project_spend_limit_exceeded",
    "organization_usage_limit_exceeded", "billing_hard_limit_reached", "billing_error",
    "enforced_spend_limit_reached", "contract_spend_limit_reached"};
static const char *const ramp[] = {
    "slow_down", "server_is_overloaded", "overloaded_error", "ramp_limit_exceeded"};

static bool
any_of(const char *const words[], size_t count, const char *word)
{
	for (size_t i = 0; i < count; i++)
		if (word != NULL && strcmp(words[i], word) == 0)
			return true;
	return false;
}

/* The words by which a provider's error says what it is. */
struct failure {
	jv body, error, details;
	const char *type, *code, *detail, *text, *param;
};

static struct failure
failure_read(const struct buf *answer)
{
	struct failure f = {.body = jv_invalid(), .error = jv_invalid(), .details = jv_invalid()};
	struct scan_error error;

	f.body = jvx_parse(answer->data ? answer->data : "", answer->len, &error);
	f.error = jvx_get(f.body, "error");
	f.details = jvx_get(f.error, "details");
	f.type = jvx_text(f.error, "type");
	f.code = jvx_text(f.error, "code");
	f.detail = jvx_text(f.details, "error_code");
	f.text = jvx_text(f.error, "message");
	f.param = jvx_text(f.error, "param");
	if (f.type == NULL)
		f.type = jvx_text(f.error, "status");
	return f;
}

static void
failure_free(struct failure *f)
{
	jv_free(f->body);
	jv_free(f->error);
	jv_free(f->details);
}

static bool
says(const struct failure *f, const char *const words[], size_t count)
{
	return any_of(words, count, f->type) || any_of(words, count, f->code) ||
	       any_of(words, count, f->detail);
}

/* Is word in text, and not inside a longer name? */
static bool
names(const struct buf *answer, const char *word)
{
	size_t len = strlen(word);

	if (answer->data == NULL)
		return false;
	for (const char *at = answer->data; (at = strstr(at, word)) != NULL; at++) {
		char after = at[len], before = at > answer->data ? at[-1] : ' ';
		if (!isalnum((unsigned char)after) && after != '_' &&
		    !isalnum((unsigned char)before) && before != '_')
			return true;
	}
	return false;
}

/* The optional member of body that the error is about; yours to free; NULL: none. */
static char *
unknown_parameter(const struct failure *f, const struct buf *answer, jv body)
{
	static const char *const needed[] = {
	    "model", "messages", "system", "contents", "input", "instructions"};
	jv keys = jv_keys(jv_copy(body));
	char *found = NULL;

	for (int pass = 0; pass < 2 && found == NULL; pass++) {
		for (int i = 0, n = jv_array_length(jv_copy(keys)); i < n && found == NULL; i++) {
			jv key = jv_array_get(jv_copy(keys), i);
			const char *name = jv_string_value(key);
			size_t len = strlen(name);
			bool hit = pass == 0
				       ? f->param != NULL && strncmp(f->param, name, len) == 0 &&
					     (f->param[len] == '\0' || f->param[len] == '.')
				       : f->param == NULL && names(answer, name);
			if (hit && !any_of(needed, sizeof needed / sizeof *needed, name))
				found = prog_copy(name, len);
			jv_free(key);
		}
	}
	jv_free(keys);
	return found;
}

static double
usable(double ms)
{
	return ms > 0 && ms <= 2147483647.0 ? ms : 0;
}

static jv
first_violation(jv detail)
{
	jv list = jvx_get(detail, "violations");

	if (jv_get_kind(list) == JV_KIND_ARRAY && jv_array_length(jv_copy(list)) > 0)
		return jv_array_get(list, 0);
	jv_free(list);
	return jv_invalid();
}

/* "34s", as google.protobuf.Duration is written, in the details of Gemini's errors. */
static double
retry_info(const struct failure *f, bool *daily)
{
	double ms = 0;

	for (int i = 0;
	     jv_get_kind(f->details) == JV_KIND_ARRAY && i < jv_array_length(jv_copy(f->details));
	     i++) {
		jv detail = jv_array_get(jv_copy(f->details), i);
		const char *delay = jvx_text(detail, "retryDelay");
		jv violation = first_violation(detail);
		const char *quota = jvx_text(violation, "quotaId");
		if (delay != NULL)
			ms = usable(strtod(delay, NULL) * 1000);
		*daily = *daily || (quota != NULL && strstr(quota, "PerDay") != NULL);
		jv_free(violation);
		jv_free(detail);
	}
	return ms;
}

static double
delay_of(jv headers, time_t now, double otherwise)
{
	const char *ms = jvx_text(headers, "retry-after-ms");
	const char *after = jvx_text(headers, "retry-after");
	char *end;

	if (ms != NULL && usable(strtod(ms, NULL)) > 0)
		return strtod(ms, NULL);
	if (after == NULL)
		return otherwise;
	double seconds = strtod(after, &end);
	if (end == after || *end != '\0') {
		time_t date = curl_getdate(after, NULL);
		seconds = date < 0 ? 0 : difftime(date, now);
	}
	return usable(seconds * 1000) > 0 ? seconds * 1000 : otherwise;
}

static void
explain(const struct provider *p, int status, const struct failure *f, struct buf *why)
{
	buf_clear(why);
	buf_format(why, "HTTP status %d", status);
	const char *word = f->detail ? f->detail : f->code ? f->code : f->type;
	if (word != NULL) {
		char *clean = prog_clean(word, strlen(word));
		buf_format(why, " (%s)", clean);
		free(clean);
	}
	if (f->text != NULL) {
		char *clean = prog_clean(f->text, strlen(f->text));
		/* Servers quote the key that they refuse, in whole or in part. */
		bool quotes = (p->key != NULL && strstr(clean, p->key) != NULL) || status == 401;
		if (!quotes)
			buf_format(why, ": %s", clean);
		free(clean);
	}
}

enum provider_verdict
provider_judge(const struct provider *p, int status, jv headers, const struct buf *answer, jv body,
    time_t now, double *delay_ms, char **parameter, struct buf *why)
{
	struct failure f = failure_read(answer);
	const char *should = jvx_text(headers, "x-should-retry");
	enum provider_verdict verdict = PROVIDER_NEVER;
	bool daily = false;

	*parameter = NULL;
	explain(p, status, &f, why);
	*delay_ms = delay_of(headers, now, retry_info(&f, &daily));
	if (status == 402 || says(&f, money, sizeof money / sizeof *money))
		verdict = PROVIDER_MONEY;
	else if (says(&f, ramp, sizeof ramp / sizeof *ramp) || status == 529)
		verdict = PROVIDER_SLOWER;
	else if (status == 400 || status == 422)
		*parameter = unknown_parameter(&f, answer, body);
	else if (status == 429 &&
		 (daily || (f.text != NULL && strncmp(f.text, "Request too large", 17) == 0)))
		verdict = PROVIDER_NEVER;
	else if (status == 408 || status == 409 || status == 429 || status >= 500)
		verdict = PROVIDER_RETRY;
	if (*parameter != NULL)
		verdict = PROVIDER_DIALECT;
	if (should != NULL && verdict != PROVIDER_MONEY && verdict != PROVIDER_DIALECT) {
		if (strcmp(should, "false") == 0)
			verdict = PROVIDER_NEVER;
		else if (strcmp(should, "true") == 0 && verdict == PROVIDER_NEVER)
			verdict = PROVIDER_RETRY;
	}
	failure_free(&f);
	return verdict;
}
