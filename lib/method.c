#define _GNU_SOURCE /* strcasestr, memmem */
#include "method.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "prog.h"
#include "utf8.h"

enum { MESSAGE_CHARS = 500, PHASES = 7, DISTINCT = 500 };

/* What a part of an answer is for. */
enum role {
	ROLE_CONCLUSION, /* what it says happened */
	ROLE_FIX,        /* what it proposes, in words */
	ROLE_DIFF,       /* what it proposes, in code */
	ROLE_SUPPORT,    /* gathering, expectations: cited, but no conclusion */
	ROLE_ASIDE,      /* what was ruled out, what is not known */
};

struct part {
	enum role role;
	char where[32];
	struct buf text;
	jv cites; /* an array; invalid: the part has no such member */
	jv said;  /* what claims_find() says of it; invalid: it was not asked yet */
};

struct parts {
	struct part *at;
	size_t count;
};

static struct part *
add_part(struct parts *p, enum role role, const char *where, int index)
{
	struct buf name = {0};

	p->at = prog_resize(p->at, p->count + 1, sizeof *p->at);
	struct part *part = &p->at[p->count++];
	*part = (struct part){.role = role, .cites = jv_invalid(), .said = jv_invalid()};
	if (index >= 0)
		buf_format(&name, "%s[%d]", where, index);
	else
		buf_text(&name, where);
	size_t len = name.len < sizeof part->where ? name.len : sizeof part->where - 1;
	memcpy(part->where, name.data, len);
	buf_free(&name);
	return part;
}

/* A member as text; nothing when it is none. */
static void
take_text(struct buf *b, jv obj, const char *key)
{
	size_t len;
	const char *text = jvx_bytes(obj, key, &len);

	if (text != NULL)
		buf_add(b, text, len);
}

static void
member_part(struct parts *p, enum role role, const char *where, jv obj, const char *key)
{
	size_t len;

	if (jvx_bytes(obj, key, &len) == NULL || len == 0)
		return;
	take_text(&add_part(p, role, where, -1)->text, obj, key);
}

/* An array of texts, or of objects with text (or what and because) and cites. */
static void
list_parts(struct parts *p, enum role role, const char *name, jv output)
{
	jv list = jvx_get(output, name);

	if (jv_get_kind(list) != JV_KIND_ARRAY) {
		jv_free(list);
		return;
	}
	jv_array_foreach (list, i, item) {
		struct part *part = add_part(p, role, name, i);
		if (jv_get_kind(item) == JV_KIND_STRING) {
			buf_add(&part->text, jv_string_value(item),
			    (size_t)jv_string_length_bytes(jv_copy(item)));
		} else {
			take_text(&part->text, item, "text");
			take_text(&part->text, item, "what");
			if (jvx_text(item, "because") != NULL)
				buf_text(&part->text, ": ");
			take_text(&part->text, item, "because");
			part->cites = jvx_get(item, "cites");
		}
		jv_free(item);
	}
	jv_free(list);
}

static void
phase_parts(struct parts *p, jv output)
{
	jv list = jvx_get(output, "phases");

	if (jv_get_kind(list) == JV_KIND_ARRAY)
		jv_array_foreach (list, i, item) {
			double n = jvx_number(item, "n", i + 1);
			enum role role = n >= 4 && n <= 6 ? ROLE_CONCLUSION
					 : n == 7         ? ROLE_FIX
							  : ROLE_SUPPORT;
			struct part *part = add_part(p, role, "phases", i);
			take_text(&part->text, item, "text");
			part->cites = jvx_get(item, "cites");
			jv_free(item);
		}
	jv_free(list);
}

static struct parts
parts_of_output(jv output)
{
	struct parts p = {0};
	jv cause = jvx_get(output, "root_cause"), fix = jvx_get(output, "fix");

	/* The cause first: where a conclusion is told is where it is drawn. */
	if (jv_get_kind(cause) == JV_KIND_STRING)
		member_part(&p, ROLE_CONCLUSION, "root_cause", output, "root_cause");
	member_part(&p, ROLE_CONCLUSION, "root_cause.because", cause, "because");
	member_part(&p, ROLE_CONCLUSION, "root_cause.got", cause, "got");
	member_part(&p, ROLE_SUPPORT, "root_cause.expected", cause, "expected");
	if (jv_get_kind(fix) == JV_KIND_STRING)
		member_part(&p, ROLE_FIX, "fix", output, "fix");
	member_part(&p, ROLE_FIX, "fix.text", fix, "text");
	member_part(&p, ROLE_FIX, "fix.type", fix, "type");
	member_part(&p, ROLE_DIFF, "fix.diff", fix, "diff");
	list_parts(&p, ROLE_CONCLUSION, "claims", output);
	phase_parts(&p, output);
	list_parts(&p, ROLE_ASIDE, "ruled_out", output);
	list_parts(&p, ROLE_ASIDE, "unknown", output);
	member_part(&p, ROLE_ASIDE, "alternative", output, "alternative");
	jv_free(cause);
	jv_free(fix);
	return p;
}

static bool
line_has(const char *line, size_t len, const char *word)
{
	size_t n = strlen(word);
	char lower = (char)tolower((unsigned char)*word), upper = (char)toupper(lower);

	for (size_t i = 0; i + n <= len; i++)
		if ((line[i] == lower || line[i] == upper) && strncasecmp(line + i, word, n) == 0)
			return true;
	return false;
}

static size_t
until(const char *word, size_t len, const char *mark)
{
	const char *at = memmem(word, len, mark, strlen(mark));

	return at != NULL ? (size_t)(at - word) : len;
}

/*
 * "## Fix", "**Fix:**", "Phase 7: Minimal Fix", "Root cause:" begin a part; so does any heading.
 * Only the heading tells which: "Root cause: a race can't be ruled out" rules nothing out.
 */
static bool
begins_part(const char *line, size_t len, enum role *role)
{
	static const char *const asides[] = {
	    "ruled out", "alternative", "dead end", "dead-end", "must not", "unknown"};
	size_t i = 0;

	while (i < len && strchr("#*_- \t0123456789.", line[i]) != NULL && line[i] != '\0')
		i++;
	bool bold = len > 1 && line[0] == '*' && line[1] == '*';
	bool heading = len > 0 && (*line == '#' || bold);
	const char *word = line + i;
	size_t left = len - i;
	if (left == 0)
		return false;
	if (bold)
		left = until(word, left, "**");
	if (left > 5 && strncasecmp(word, "phase", 5) == 0) {
		heading = true;
		size_t number = 5;
		while (number < left && strchr(" 0123456789:.-", word[number]) != NULL)
			number++;
		word += number;
		left -= number;
	}
	size_t label = until(word, left, ":");
	bool labelled = label < left && label < 40;
	if (labelled)
		left = label;
	if (!heading && !labelled)
		return false;
	bool aside = false;
	for (size_t k = 0; k < sizeof asides / sizeof *asides; k++)
		aside = aside || line_has(word, left < 60 ? left : 60, asides[k]);
	if (aside)
		*role = ROLE_ASIDE;
	else if (line_has(word, left < 24 ? left : 24, "fix"))
		*role = ROLE_FIX;
	else
		*role = ROLE_CONCLUSION;
	return heading || *role != ROLE_CONCLUSION ||
	       line_has(word, left < 24 ? left : 24, "cause");
}

static struct parts
parts_of_text(struct span text)
{
	struct parts p = {0};
	enum role role = ROLE_CONCLUSION;
	struct part *part = add_part(&p, role, "text", -1);

	for (size_t i = 0; i < text.len;) {
		const char *eol = memchr(text.at + i, '\n', text.len - i);
		size_t end = eol != NULL ? (size_t)(eol - text.at) + 1 : text.len;
		if (begins_part(text.at + i, end - i, &role))
			part = add_part(&p, role, "text", -1);
		buf_add(&part->text, text.at + i, end - i);
		i = end;
	}
	/* A report's diff is anywhere in it. */
	buf_add(&add_part(&p, ROLE_DIFF, "text", -1)->text, text.at ? text.at : "", text.len);
	return p;
}

struct method
method_read(const struct claims *claims, const struct evidence *evidence, jv answer)
{
	struct method m = {
	    .claims = claims, .evidence = evidence, .output = jvx_get(answer, "output")};

	m.text.at = jvx_bytes(answer, "text", &m.text.len);
	if (m.text.at == NULL)
		m.text = (struct span){"", 0};
	m.parts = prog_alloc(1, sizeof *m.parts);
	*m.parts = jv_get_kind(m.output) == JV_KIND_OBJECT ? parts_of_output(m.output)
							   : parts_of_text(m.text);
	return m;
}

void
method_free(struct method *m)
{
	for (size_t i = 0; i < m->parts->count; i++) {
		buf_free(&m->parts->at[i].text);
		jv_free(m->parts->at[i].cites);
		jv_free(m->parts->at[i].said);
	}
	free(m->parts->at);
	free(m->parts);
	jv_free(m->output);
}

struct said *
method_says(const struct method *m)
{
	struct said *list = prog_alloc(m->parts->count + 1, sizeof *list);
	size_t count = 0;

	for (size_t i = 0; i < m->parts->count; i++) {
		const struct part *part = &m->parts->at[i];
		if (part->role > ROLE_DIFF || part->text.len == 0)
			continue;
		list[count++] = (struct said){.role = part->role == ROLE_DIFF  ? SAID_DIFF
						      : part->role == ROLE_FIX ? SAID_FIX
									       : SAID_CONCLUSION,
		    .where = part->where,
		    .text = {part->text.data, part->text.len}};
	}
	return list;
}

bool
method_undetermined(const struct method *m)
{
	static const char *const words[] = {"cannot determine", "cannot be determined",
	    "can't determine", "could not determine", "could not be determined",
	    "unable to determine", "root cause is unknown", "not possible to determine",
	    "insufficient evidence"};

	if (jv_get_kind(m->output) == JV_KIND_OBJECT) {
		jv v = jvx_get(m->output, "determined");
		bool no = jv_get_kind(v) == JV_KIND_FALSE;
		jv_free(v);
		return no;
	}
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (line_has(m->text.at, m->text.len, words[i]))
			return true;
	return false;
}

static jv
record(const char *type)
{
	return jvx_set_text(jv_object(), "type", type);
}

static jv
set_message(jv rec, struct buf *b)
{
	size_t at = 0, used;

	for (size_t n = 0; n < MESSAGE_CHARS && at < b->len; n++) {
		utf8_decode(b->data + at, b->len - at, &used);
		at += used;
	}
	struct buf clean = {0};
	utf8_mend(&clean, b->data, at);
	rec = jvx_set(rec, "message", jv_string_sized(clean.data, (int)clean.len));
	buf_free(&clean);
	buf_free(b);
	return rec;
}

static jv
trigger(const char *id, jv because, const char *where, const char *phrase, struct buf *message)
{
	jv rec = jvx_set_text(record("trigger"), "id", id);

	rec = jvx_set(rec, "because", because);
	rec = jvx_set_text(rec, "where", where);
	rec = jvx_set_text(rec, "phrase", phrase);
	return set_message(rec, message);
}

/* The first asserted phrase of a kind in the parts of a role; false: none. */
struct hit {
	char *phrase, *sentence;
	const struct part *part;
};

static void
free_hit(struct hit *h)
{
	free(h->phrase);
	free(h->sentence);
	*h = (struct hit){0};
}

/* A text is read once, whatever is asked of it. */
static jv
said_in(const struct method *m, struct part *part)
{
	int kinds = part->role == ROLE_FIX
			? CLAIM_WAIT
			: CLAIM_TIMING | CLAIM_SLOW_ELEMENT | CLAIM_API_SUCCEEDED;

	if (!jv_is_valid(part->said))
		part->said = claims_find(m->claims, part->text.data, part->text.len, kinds);
	return jv_copy(part->said);
}

static bool
find_phrase(const struct method *m, const struct parts *p, enum role role, enum claim_kind kind,
    bool (*passes)(const struct method *m, const struct part *part, const char *sentence),
    struct hit *hit)
{
	*hit = (struct hit){0};
	for (size_t i = 0; i < p->count && hit->phrase == NULL; i++) {
		struct part *part = &p->at[i];
		if (part->role != role || part->text.len == 0)
			continue;
		jv found = said_in(m, part);
		jv_array_foreach (found, k, item) {
			const char *sentence = jvx_text(item, "sentence");
			const char *phrase = jvx_text(item, "phrase");
			if (hit->phrase == NULL && jvx_number(item, "kind", 0) == (int)kind &&
			    (passes == NULL || passes(m, part, sentence)))
				*hit = (struct hit){prog_copy(phrase, strlen(phrase)),
				    prog_copy(sentence, strlen(sentence)), part};
			jv_free(item);
		}
		jv_free(found);
	}
	return hit->phrase != NULL;
}

static int
length(jv array)
{
	return jv_get_kind(array) == JV_KIND_ARRAY ? jv_array_length(jv_copy(array)) : 0;
}

static jv
failure_refs(const struct method *m)
{
	const char *ref = evidence_failure(m->evidence);

	return ref == NULL ? jv_array() : jv_array_append(jv_array(), jv_string(ref));
}

static jv
timing(const struct method *m, const struct parts *p, jv list)
{
	struct hit hit;
	jv late = evidence_late(m->evidence), absent = evidence_absent(m->evidence);
	bool excused = length(late) > 0;
	struct buf b = {0};

	if (!excused && (find_phrase(m, p, ROLE_CONCLUSION, CLAIM_TIMING, NULL, &hit) ||
			    (length(absent) == 0 && find_phrase(m, p, ROLE_CONCLUSION,
							CLAIM_SLOW_ELEMENT, NULL, &hit)))) {
		buf_format(&b,
		    "DE-1: \"%s\" concludes timing, but near the failure no request failed, was "
		    "unanswered, or took %.0f ms or more. What is missing was not late: find the "
		    "condition under which it is rendered, and what did not meet it.",
		    hit.phrase, evidence_slow_ms(m->evidence));
		list = jv_array_append(
		    list, trigger("DE-1", failure_refs(m), hit.part->where, hit.phrase, &b));
		free_hit(&hit);
	}
	if (!excused && length(absent) > 0 &&
	    find_phrase(m, p, ROLE_CONCLUSION, CLAIM_SLOW_ELEMENT, NULL, &hit)) {
		buf_format(&b,
		    "DE-3: \"%s\" calls the element slow, but it was never in the page, nothing "
		    "shows "
		    "that it was loading, and no request failed or was slow. It was not going to "
		    "come: look "
		    "for the flag, permission, empty data or condition that decided against it.",
		    hit.phrase);
		list = jv_array_append(
		    list, trigger("DE-3", jv_copy(absent), hit.part->where, hit.phrase, &b));
		free_hit(&hit);
	}
	jv_free(late);
	jv_free(absent);
	return list;
}

static bool
speaks_of_trouble(const struct method *m, const struct part *part, const char *sentence)
{
	return !evidence_only_healthy(m->evidence, sentence, part->cites);
}

static jv
success(const struct method *m, const struct parts *p, jv list)
{
	struct hit hit;
	struct buf b = {0};
	jv because = evidence_divergence(m->evidence);

	if (length(because) > 0 &&
	    find_phrase(m, p, ROLE_CONCLUSION, CLAIM_API_SUCCEEDED, speaks_of_trouble, &hit)) {
		buf_format(&b,
		    "DE-2: \"%s\" takes a status code for success, but the bodies say otherwise: "
		    "the "
		    "verdict of gql-verify is DIVERGENCE DETECTED (",
		    hit.phrase);
		jv_array_foreach (because, i, ref) {
			if (i < 6)
				buf_format(&b, "%s%s", i > 0 ? ", " : "", jv_string_value(ref));
			jv_free(ref);
		}
		buf_text(&b, "). Read the errors of these operations and conclude again.");
		list = jv_array_append(
		    list, trigger("DE-2", jv_copy(because), hit.part->where, hit.phrase, &b));
		free_hit(&hit);
	}
	jv_free(because);
	return list;
}

/* Speaks of a mock at all, and of its not matching. */
static bool
speaks_of_mocks(const struct parts *p)
{
	static const char *const mock[] = {
	    "mock", "page.route", "context.route", "route handler", "intercept", "stub", "route("};
	static const char *const denied[] = {"no mock", "no route", "without mock", "not mocked",
	    "isn't mocked", "mocks are not involved", "mocks play no"};
	static const char *const mismatch[] = {"match", "pattern", "operationname",
	    "operation name", "never", "unused", "fall", "through", "different", "wrong", "instead",
	    "another", "passed over", "does not", "doesn't", "not intercept", "registered",
	    "only handles"};
	bool named = false, missed = false;

	for (size_t i = 0; i < p->count; i++) {
		const struct buf *t = &p->at[i].text;
		bool no = false;
		for (size_t k = 0; t->len > 0 && k < sizeof denied / sizeof *denied; k++)
			no = no || line_has(t->data, t->len, denied[k]);
		for (size_t k = 0; t->len > 0 && !no && k < sizeof mock / sizeof *mock; k++)
			named = named || line_has(t->data, t->len, mock[k]);
		for (size_t k = 0; t->len > 0 && k < sizeof mismatch / sizeof *mismatch; k++)
			missed = missed || line_has(t->data, t->len, mismatch[k]);
	}
	return named && missed;
}

static bool
cites_it(const struct parts *p, const char *name)
{
	for (size_t i = 0; name != NULL && *name != '\0' && i < p->count; i++) {
		const struct part *part = &p->at[i];
		if (part->text.len > 0 && strstr(part->text.data, name) != NULL)
			return true;
		jv cites = jv_copy(part->cites);
		bool found = false;
		for (int k = 0; k < length(cites); k++) {
			jv cite = jv_array_get(jv_copy(cites), k);
			found = found || (jv_get_kind(cite) == JV_KIND_STRING &&
					     strcmp(jv_string_value(cite), name) == 0);
			jv_free(cite);
		}
		jv_free(cites);
		if (found)
			return true;
	}
	return false;
}

static bool
deals_with(const struct parts *p, jv mock)
{
	if (speaks_of_mocks(p))
		return true;
	const char *ref = jvx_text(mock, "ref");
	/* A graphql record is cited for its errors too, and says nothing of a mock by that. */
	if (ref != NULL && strncmp(ref, "route:", 6) == 0 && cites_it(p, ref))
		return true;
	jv names = jvx_get(mock, "names");
	bool found = false;
	/* The last name of a hint is the operation that was sent, which any answer names. */
	for (int i = 0, n = length(names); i < n && (i == 0 || i + 1 < n); i++) {
		jv name = jv_array_get(jv_copy(names), i);
		found = found || cites_it(p, jv_string_value(name));
		jv_free(name);
	}
	jv_free(names);
	return found;
}

static jv
mocks(const struct method *m, const struct parts *p, jv list)
{
	struct buf b = {0};
	jv idle = evidence_idle_mocks(m->evidence);
	bool told = false;

	jv_array_foreach (idle, i, mock) {
		if (!told && !deals_with(p, mock)) {
			const char *ref = jvx_text(mock, "ref"), *place = jvx_text(mock, "place");
			buf_format(&b,
			    "DE-4: %s (%s%s%s), and the answer does not say so. A mock that does "
			    "not match is silent: the request went to the real server. Compare its "
			    "URL "
			    "pattern, method and operation name with what was sent, then conclude.",
			    jvx_text(mock, "text"), ref != NULL ? ref : "route",
			    place != NULL ? ", " : "", place != NULL ? place : "");
			jv because =
			    ref != NULL ? jv_array_append(jv_array(), jv_string(ref)) : jv_array();
			list = jv_array_append(list, trigger("DE-4", because, NULL, NULL, &b));
			told = true;
		}
		jv_free(mock);
	}
	jv_free(idle);
	return list;
}

/* A longer timeout and nothing else: no pause, no retries, no networkidle. */
static bool
longer_timeout_alone(const char *text, size_t len)
{
	static const char *const others[] = {"waitfortimeout", "wait_for_timeout", "sleep", "retr",
	    "networkidle", "network idle", "pause", "delay", "rerun", "re-run", "slowmo"};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (line_has(text, len, others[i]))
			return false;
	if (line_has(text, len, "settimeout") && !line_has(text, len, "test.settimeout"))
		return false;
	return line_has(text, len, "timeout") || line_has(text, len, "time limit");
}

/* The added lines of a diff. */
static void
added_lines(struct span diff, struct buf *b)
{
	for (size_t i = 0; i < diff.len;) {
		const char *eol = memchr(diff.at + i, '\n', diff.len - i);
		size_t end = eol != NULL ? (size_t)(eol - diff.at) + 1 : diff.len;
		if (diff.at[i] == '+')
			buf_add(b, diff.at + i, end - i);
		i = end;
	}
}

/*
 * Where a request was truly slow at the failure, the test may have been too impatient, and a longer
 * timeout is the fix; no other wait is.
 */
static bool
is_excused(const struct method *m, const char *text, size_t len)
{
	if (!longer_timeout_alone(text, len))
		return false;
	jv slow = evidence_slow(m->evidence);
	bool any = length(slow) > 0;
	jv_free(slow);
	return any;
}

static bool
waits_without_excuse(const struct method *m, const struct part *part, const char *sentence)
{
	(void)part;
	return !is_excused(m, sentence, strlen(sentence));
}

static char *
wait_in_diff(const struct method *m, const struct part *part)
{
	struct buf added = {0};
	char *line = claims_wait_added(m->claims, part->text.data, part->text.len);

	if (line == NULL)
		return NULL;
	added_lines((struct span){part->text.data, part->text.len}, &added);
	if (is_excused(m, added.data ? added.data : "", added.len)) {
		free(line);
		line = NULL;
	}
	buf_free(&added);
	return line;
}

static jv
waits(const struct method *m, const struct parts *p, jv list)
{
	struct hit hit = {0};
	struct buf b = {0};

	for (size_t i = 0; i < p->count && hit.phrase == NULL; i++) {
		const struct part *part = &p->at[i];
		if (part->role != ROLE_DIFF || part->text.len == 0)
			continue;
		hit.phrase = wait_in_diff(m, part);
		hit.part = part;
	}
	if (hit.phrase == NULL &&
	    !find_phrase(m, p, ROLE_FIX, CLAIM_WAIT, waits_without_excuse, &hit))
		return list;
	buf_format(&b,
	    "DE-5: \"%s\" makes the test wait (waitForTimeout, setTimeout, sleep, a longer "
	    "timeout, "
	    "retries, networkidle). That hides a cause and repairs none: go back to the root "
	    "cause, and "
	    "change the condition that was not met.",
	    hit.phrase);
	list = jv_array_append(list, trigger("DE-5", jv_array(), hit.part->where, hit.phrase, &b));
	free_hit(&hit);
	return list;
}

/* The keys to sort triggers by. */
static jv
by_id(jv list)
{
	jv keys = jv_array();

	jv_array_foreach (list, i, item) {
		keys = jv_array_append(keys, jv_string(jvx_text(item, "id")));
		jv_free(item);
	}
	jv_free(list);
	return keys;
}

jv
method_triggers(const struct method *m)
{
	jv list = jv_array();

	list = timing(m, m->parts, list);
	list = success(m, m->parts, list);
	list = mocks(m, m->parts, list);
	list = waits(m, m->parts, list);
	return jv_sort(list, by_id(jv_copy(list)));
}

/* Citations that were looked at: a place is judged once, however often it is cited. */
struct seen {
	jv cites; /* object: cite to true when shown */
};

static bool
was_shown(struct seen *s, const struct method *m, const char *cite, const char *where, jv *list)
{
	jv known = jvx_get(s->cites, cite);
	bool again = jv_is_valid(known), shown = jv_get_kind(known) == JV_KIND_TRUE;
	struct buf b = {0};

	jv_free(known);
	if (again)
		return shown;
	enum evidence_cited answer = evidence_cited(m->evidence, cite);
	shown = answer == CITED_SHOWN;
	s->cites = jvx_set(s->cites, cite, shown ? jv_true() : jv_false());
	if (jv_array_length(jv_copy(*list)) >= DISTINCT)
		return shown;
	jv rec = jvx_set_text(jvx_set_text(record("citation"), "cite", cite), "where", where);
	rec = jvx_set(rec, "ok", shown ? jv_true() : jv_false());
	switch (answer) {
	case CITED_SHOWN: break;
	case CITED_NO_REF:
		buf_format(&b, "%s is cited in %s, and there is no such record", cite, where);
		break;
	case CITED_NO_FILE:
		buf_format(
		    &b, "%s is cited in %s, and no line of that file was shown", cite, where);
		break;
	case CITED_NO_LINE:
		buf_format(&b,
		    "%s is cited in %s; other lines of that file were shown, not that one", cite,
		    where);
		break;
	case CITED_NONSENSE:
		buf_format(&b,
		    "\"%s\" is cited in %s: neither a reference such as request:12 nor FILE:LINE",
		    cite, where);
	}
	if (!shown)
		rec = set_message(rec, &b);
	*list = jv_array_append(*list, rec);
	return shown;
}

/* A quote must stand in one of the things that its part cites. */
static jv
check_quotes(const struct method *m, const struct part *part, jv cites, jv list)
{
	jv quotes = claims_quotes(part->text.data ? part->text.data : "", part->text.len);

	jv_array_foreach (quotes, i, quote) {
		const char *text = jv_string_value(quote);
		bool stands = strlen(text) < 2;
		long line = 0, found = 0;
		for (int k = 0, n = length(cites); !stands && k < n; k++) {
			jv cite = jv_array_get(jv_copy(cites), k);
			stands = evidence_says(m->evidence, jv_string_value(cite), text, &found);
			line = found > 0 ? found : line;
			jv_free(cite);
		}
		if (!stands && jv_array_length(jv_copy(list)) < DISTINCT) {
			struct buf b = {0};
			jv first = jv_array_get(jv_copy(cites), 0);
			buf_format(&b,
			    "%s quotes \"%.200s\", which does not stand in what it cites",
			    part->where, text);
			if (line > 0)
				buf_format(&b, "; it stands in line %ld of that file", line);
			jv rec = jvx_set_text(record("citation"), "where", part->where);
			rec = jvx_set(rec, "ok", jv_false());
			rec = jvx_set_text(rec, "quote", text);
			rec = jvx_set(rec, "cite", jv_copy(first));
			list = jv_array_append(list, set_message(rec, &b));
			jv_free(first);
		}
		jv_free(quote);
	}
	jv_free(quotes);
	return list;
}

/* All that a part cites, in its list and in its words; strings only. */
static jv
cites_of(const struct method *m, const struct part *part)
{
	jv all = jv_array();

	for (int i = 0, n = length(part->cites); i < n; i++) {
		jv cite = jv_array_get(jv_copy(part->cites), i);
		if (jv_get_kind(cite) == JV_KIND_STRING)
			all = jv_array_append(all, cite);
		else
			jv_free(cite);
	}
	if (part->text.len > 0)
		all =
		    jv_array_concat(all, claims_cites(m->claims, part->text.data, part->text.len));
	return all;
}

jv
method_citations(const struct method *m)
{
	struct seen seen = {jv_object()};
	jv list = jv_array();

	for (size_t i = 0; i < m->parts->count; i++) {
		const struct part *part = &m->parts->at[i];
		if (part->role == ROLE_DIFF)
			continue;
		jv cites = cites_of(m, part), shown = jv_array();
		bool claim = strncmp(part->where, "claims[", 7) == 0;
		jv_array_foreach (cites, k, cite) {
			if (was_shown(&seen, m, jv_string_value(cite), part->where, &list))
				shown = jv_array_append(shown, cite);
			else
				jv_free(cite);
		}
		if (claim && length(cites) == 0) {
			struct buf b = {0};
			buf_format(&b, "%s has no citation: \"%.200s\"", part->where,
			    part->text.data ? part->text.data : "");
			jv rec = jvx_set_text(record("citation"), "where", part->where);
			rec = jvx_set(rec, "ok", jv_false());
			list = jv_array_append(list, set_message(rec, &b));
		}
		/* Words in quotes are somebody's words where evidence is given for them. */
		if (length(shown) > 0 && jv_is_valid(part->cites))
			list = check_quotes(m, part, shown, list);
		jv_free(cites);
		jv_free(shown);
	}
	jv fix = jvx_get(m->output, "fix");
	const char *file = jvx_text(fix, "file");
	double line = jvx_number(fix, "line", 0);
	if (file != NULL && line >= 1 && line < 1e7) {
		struct buf cite = {0};
		buf_format(&cite, "%s:%.0f", file, line);
		was_shown(&seen, m, cite.data, "fix", &list);
		buf_free(&cite);
	}
	jv_free(fix);
	jv_free(seen.cites);
	return list;
}

static const char *const phase_names[PHASES + 1] = {
    "", "Gather", "Expected", "Got", "Network", "Code path", "Root cause", "Fix"};

static bool
blank(jv obj, const char *key)
{
	const char *text = jvx_text(obj, key);

	return text == NULL || text[strspn(text, " \t\r\n")] == '\0';
}

/* The root-cause sentence has three parts: what is wrong with it, or NULL. */
static const char *
cause_fault(const struct method *m)
{
	jv cause = jvx_get(m->output, "root_cause");
	const char *why = NULL;

	if (jv_get_kind(cause) == JV_KIND_STRING) {
		const char *text = jv_string_value(cause);
		const char *got = strcasestr(text, "but got");
		if (strcasestr(text, "expected") == NULL || got == NULL ||
		    strcasestr(got, "because") == NULL)
			why = "root_cause must read: the test expected X, but got Y, because Z";
	} else if (jv_get_kind(cause) != JV_KIND_OBJECT) {
		why = "there is no root_cause: the test expected X, but got Y, because Z";
	} else if (blank(cause, "expected")) {
		why = "root_cause.expected is missing: what the test expected";
	} else if (blank(cause, "got")) {
		why = "root_cause.got is missing: what the page had instead";
	} else if (blank(cause, "because")) {
		why = "root_cause.because is missing: the first thing that went wrong";
	}
	jv_free(cause);
	return why;
}

static bool
names_two(const char *text)
{
	static const char *const signs[] = {"alternatively", "another option", "you could also",
	    "consider also", "also consider", "or, as an alternative", "option 2", "option b"};

	for (size_t i = 0; text != NULL && i < sizeof signs / sizeof *signs; i++)
		if (strcasestr(text, signs[i]) != NULL)
			return true;
	return false;
}

/* One place: one file, one line, a diff of that file only. */
static const char *
fix_fault(const struct method *m)
{
	jv fix = jvx_get(m->output, "fix");
	const char *why = NULL, *file = jvx_text(fix, "file"), *diff = jvx_text(fix, "diff");
	const char *type = jvx_text(fix, "type");
	int headers = 0;

	for (const char *p = diff; p != NULL && (p = strstr(p, "+++ ")) != NULL; p += 4)
		headers += p == diff || p[-1] == '\n';
	if (jv_get_kind(fix) != JV_KIND_OBJECT && jv_get_kind(fix) != JV_KIND_STRING)
		why = "there is no fix: one change at one place";
	else if (jv_get_kind(fix) == JV_KIND_OBJECT && blank(fix, "text") && blank(fix, "diff"))
		why = "the fix does not say what to change";
	else if (file != NULL &&
		 (strpbrk(file, ",;\n") != NULL || strstr(file, " and ") != NULL || *file == '\0'))
		why = "the fix names more than one file: choose the one where the cause is removed";
	else if (headers > 1)
		why = "the diff changes more than one file: the fix is one change at one place";
	else if (file == NULL && type != NULL &&
		 (strcmp(type, "fix-mock") == 0 || strcmp(type, "fix-test") == 0))
		why = "the fix changes the test and names no file";
	else if (names_two(jvx_text(fix, "text")))
		why = "the fix offers a second change: keep the smallest one";
	jv_free(fix);
	return why;
}

static const char *
unknown_fault(const struct method *m)
{
	jv unknown = jvx_get(m->output, "unknown");
	bool said = false;

	for (int i = 0, n = length(unknown); i < n; i++) {
		jv item = jv_array_get(jv_copy(unknown), i);
		said = said ||
		       (jv_get_kind(item) == JV_KIND_STRING &&
			   jv_string_value(item)[strspn(jv_string_value(item), " \t\n")] != '\0');
		jv_free(item);
	}
	jv_free(unknown);
	return said ? NULL : "an answer that cannot tell must say in unknown what is missing";
}

static jv
phase_record(int n, const char *fault)
{
	jv rec = jvx_set_number(record("phase"), "n", n);
	struct buf b = {0};

	rec = jvx_set_text(rec, "name", phase_names[n]);
	rec = jvx_set(rec, "ok", fault == NULL ? jv_true() : jv_false());
	if (fault == NULL)
		return rec;
	buf_format(&b, "phase %d (%s): %s", n, phase_names[n], fault);
	return set_message(rec, &b);
}

/* Where phase n stands in the list: its index, -1 when it is missing. */
static int
phase_index(jv phases, int n)
{
	for (int i = 0, count = length(phases); i < count; i++) {
		jv item = jv_array_get(jv_copy(phases), i);
		double have = jvx_number(item, "n", i + 1);
		jv_free(item);
		if (have == n)
			return i;
	}
	return -1;
}

static const char *
phase_fault(const struct method *m, jv phases, int n, int *before, bool evidence)
{
	int i = phase_index(phases, n);
	const char *why = NULL;

	if (i < 0)
		return "it is missing";
	if (i < *before)
		why = "it is out of order: each phase builds on the one before";
	*before = i > *before ? i : *before;
	if (why != NULL)
		return why;
	jv item = jv_array_get(jv_copy(phases), i);
	struct part part = {.cites = jvx_get(item, "cites")};
	take_text(&part.text, item, "text");
	jv cites = cites_of(m, &part);
	if (part.text.len == 0 || part.text.data[strspn(part.text.data, " \t\r\n")] == '\0')
		why = "it says nothing";
	else if (evidence && length(cites) == 0)
		why = "it cites no evidence";
	jv_free(cites);
	jv_free(part.cites);
	buf_free(&part.text);
	jv_free(item);
	return why;
}

/* A free text tells its phases by "Phase N" at the beginning of a line. */
static jv
phases_of_text(struct span text)
{
	size_t at[PHASES + 1] = {0}, line = 1, last = 0;
	jv list = jv_array();

	for (size_t i = 0; i < text.len; line++) {
		const char *eol = memchr(text.at + i, '\n', text.len - i);
		size_t end = eol != NULL ? (size_t)(eol - text.at) : text.len;
		size_t k = i;
		while (k < end && strchr("#*_-> \t", text.at[k]) != NULL)
			k++;
		if (end - k > 6 && strncasecmp(text.at + k, "phase ", 6) == 0 &&
		    text.at[k + 6] >= '1' && text.at[k + 6] <= '7' &&
		    (end - k == 7 || !isdigit((unsigned char)text.at[k + 7])) &&
		    at[text.at[k + 6] - '0'] == 0)
			at[text.at[k + 6] - '0'] = line;
		i = end + 1;
	}
	for (int n = 1; n <= PHASES; n++) {
		const char *fault = at[n] == 0 ? "it is missing"
				    : at[n] < last
					? "it is out of order: each phase builds on the one before"
					: NULL;
		last = at[n] > last ? at[n] : last;
		list = jv_array_append(list, phase_record(n, fault));
	}
	return list;
}

jv
method_phases(const struct method *m)
{
	jv list = jv_array(), phases;
	bool told = method_undetermined(m);
	int before = -1;

	if (jv_get_kind(m->output) != JV_KIND_OBJECT) {
		jv_free(list);
		return phases_of_text(m->text);
	}
	phases = jvx_get(m->output, "phases");
	for (int n = 1; n <= PHASES; n++) {
		/* Who cannot tell the cause has nothing to cite for code path, cause and fix. */
		const char *fault = phase_fault(m, phases, n, &before, !told || n <= 4);
		if (n == 6 && fault == NULL)
			fault = told ? unknown_fault(m) : cause_fault(m);
		if (n == 7 && fault == NULL && !told)
			fault = fix_fault(m);
		list = jv_array_append(list, phase_record(n, fault));
	}
	jv_free(phases);
	return list;
}
