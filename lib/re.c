#define PCRE2_CODE_UNIT_WIDTH 8
#include "re.h"

#include <err.h>
#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>

#include "prog.h"

/* Measured on the worst of our own patterns: a legitimate match stays under a thousandth of these.
 */
enum { STEPS = 1000000, DEPTH = 10000, HEAP_KIB = 8192 };

struct re {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *limits;
};

struct re *
re_new(const char *pattern, size_t len, int flags, char *why, size_t size)
{
	/* Without the last, $ would also match before a final newline. */
	uint32_t options = PCRE2_NEVER_BACKSLASH_C | PCRE2_DOLLAR_ENDONLY;
	uint32_t extra = 0;
	PCRE2_SIZE at;
	int code;

	if (flags & RE_CASELESS)
		options |= PCRE2_CASELESS;
	if (flags & RE_MULTILINE)
		options |= PCRE2_MULTILINE;
	if (flags & RE_DOTALL)
		options |= PCRE2_DOTALL;
	if (!(flags & RE_BYTES))
		options |= PCRE2_UTF;
	if (flags & RE_ECMA) {
		options |= PCRE2_ALLOW_EMPTY_CLASS | PCRE2_MATCH_UNSET_BACKREF;
		extra = PCRE2_EXTRA_ALT_BSUX;
	}
	pcre2_compile_context *context = pcre2_compile_context_create(NULL);
	if (context == NULL)
		errx(TROUBLE, "no memory");
	pcre2_set_compile_extra_options(context, extra);
	pcre2_code *compiled =
	    pcre2_compile((PCRE2_SPTR)pattern, len, options, &code, &at, context);
	pcre2_compile_context_free(context);
	if (compiled == NULL) {
		if (size > 0) {
			char reason[128];
			pcre2_get_error_message(code, (PCRE2_UCHAR *)reason, sizeof reason);
			snprintf(why, size, "%s at byte %zu", reason, (size_t)at + 1);
		}
		return NULL;
	}
	pcre2_jit_compile(compiled, PCRE2_JIT_COMPLETE); /* where it fails the interpreter serves */
	struct re *re = prog_alloc(1, sizeof *re);
	re->code = compiled;
	re->data = pcre2_match_data_create(RE_GROUPS, NULL);
	re->limits = pcre2_match_context_create(NULL);
	if (re->data == NULL || re->limits == NULL)
		errx(TROUBLE, "no memory");
	pcre2_set_match_limit(re->limits, STEPS);
	pcre2_set_depth_limit(re->limits, DEPTH);
	pcre2_set_heap_limit(re->limits, HEAP_KIB);
	return re;
}

enum re_answer
re_find(struct re *re, const char *text, size_t len, size_t at, struct re_match *m)
{
	int got = pcre2_match(re->code, (PCRE2_SPTR)text, len, at, 0, re->data, re->limits);

	if (got == PCRE2_ERROR_NOMATCH)
		return RE_NO;
	if (got < 0)
		return RE_LIMIT;
	if (m == NULL)
		return RE_YES;
	size_t count = got == 0 ? RE_GROUPS : (size_t)got;
	const PCRE2_SIZE *offsets = pcre2_get_ovector_pointer(re->data);
	m->count = count;
	for (size_t i = 0; i < RE_GROUPS; i++) {
		bool set = i < count && offsets[2 * i] != PCRE2_UNSET;
		m->group[i].from = set ? offsets[2 * i] : (size_t)-1;
		m->group[i].to = set ? offsets[2 * i + 1] : (size_t)-1;
	}
	return RE_YES;
}

void
re_free(struct re *re)
{
	if (re == NULL)
		return;
	pcre2_code_free(re->code);
	pcre2_match_data_free(re->data);
	pcre2_match_context_free(re->limits);
	free(re);
}
