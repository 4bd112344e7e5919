/* failure: the errors of the test, the one that ended it, and the one action that failed. */
#include "segment.h"

#include <stdint.h>
#include <string.h>

bool
is_timeout(const char *message)
{
	const char *p = message;

	if (begins(p, "Error: "))
		p += 7;
	if (begins(p, "Test timeout of ") || begins(p, "Timeout of ") ||
	    begins(p, "Tearing down \"") || begins(p, "Worker teardown timeout of "))
		return true;
	if (begins(p, "Fixture \""))
		return strstr(p, "\" timeout of ") != NULL;
	if (*p != '"')
		return false;
	p = strchr(p + 1, '"');
	return begins(p, "\" hook timeout of ") || begins(p, "\" modifier timeout of ");
}

static bool
is_soft(const struct action *a)
{
	return begins(a->title, "expect.soft.") || begins(a->title, "Expect \"soft ");
}

/* The line on which the test's own code was last seen to do something, before the hooks after it.
 */
static size_t
last_begun(const struct segment *s)
{
	size_t last = 0, hooks = SIZE_MAX;

	for (size_t i = 0; i < s->actions.count; i++)
		if (s->actions.at[i]->context->runner &&
		    same(s->actions.at[i]->title, "After Hooks"))
			hooks = s->actions.at[i]->began;
	for (size_t i = 0; i < s->actions.count; i++) {
		const struct action *a = s->actions.at[i];
		bool of_test =
		    a->category == PW_API || a->category == EXPECT || a->category == STEP;
		if (a->context->runner && of_test && a->began < hooks && a->began > last)
			last = a->began;
	}
	return last;
}

/*
 * A message of the user's own takes the place of the title.  But what is thrown is written when the
 * steps that it leaves have ended, and a soft failure while its step is still there (1.6x), or
 * before the test goes on.
 */
static bool
was_soft(const struct error *e, size_t last)
{
	const struct action *a = e->action;

	if (a == NULL || is_soft(a))
		return a != NULL;
	return a->category == EXPECT && a->context->runner && e->line > 0 &&
	       (e->line < a->ended || e->line < last);
}

/* Of several actions that carry an error the innermost counts, of equals the last one. */
static void
index_errors(struct segment *s, struct pairs *index)
{
	for (size_t i = 0; i < s->actions.count; i++) {
		struct action *a = s->actions.at[i];
		const void *when = a->after_hooks ? index : NULL;
		if (a->step != NULL || a->message == NULL || *a->message == '\0' || a->retried)
			continue;
		struct action *found = pairs_get(index, a->message, when);
		if (found == NULL || a->depth >= found->depth)
			pairs_set(index, a->message, when, a);
	}
}

/* A cause is appended to the test's error, and not to the step's. */
static const char *
without_cause(struct words *w, const char *message)
{
	const char *end = strstr(message, "\n[cause]:");

	if (end == NULL)
		return NULL;
	while (end > message && end[-1] == '\n')
		end--;
	return words_keep(w, message, (size_t)(end - message));
}

/* A picture or text to compare with that is not there yet fails the test, but not its step. */
static struct action *
lacks_snapshot(struct segment *s, const struct error *e)
{
	struct action *found = NULL;

	if (strstr(e->message, "snapshot doesn't exist at ") == NULL)
		return NULL;
	for (size_t i = 0; i < s->actions.count; i++) {
		struct action *a = s->actions.at[i];
		if (a->category == EXPECT && a->context->runner && a->message == NULL &&
		    a->ended > e->line && found == NULL &&
		    (strstr(a->api, "Screenshot") != NULL || strstr(a->api, "Snapshot") != NULL))
			found = a;
	}
	if (found != NULL)
		found->message = e->message;
	return found;
}

static void
match_errors(struct segment *s)
{
	struct pairs *index = pairs_new();
	size_t last = last_begun(s);

	index_errors(s, index);
	for (size_t i = 0; i < s->errors.count; i++) {
		struct error *e = &s->errors.at[i];
		const char *keys[] = {e->message, without_cause(s->words, e->message)};
		for (int j = 0; j < 4 && e->action == NULL; j++)
			if (keys[j / 2] != NULL)
				e->action = pairs_get(index, keys[j / 2], j % 2 ? index : NULL);
		if (e->action == NULL)
			e->action = lacks_snapshot(s, e);
		e->soft = was_soft(e, last);
	}
	pairs_free(index);
}

/*
 * An error that the test caught: it went on beside it, or the step around it ended well.  Only
 * traces without error records need to guess.
 */
static bool
was_caught(const struct segment *s, const struct action *a)
{
	if (is_soft(a))
		return false;
	if (a->parent != NULL)
		return a->parent->message == NULL && !isnan(a->parent->end);
	for (size_t i = s->actions.count; i-- > 0;) {
		const struct action *b = s->actions.at[i];
		if (b->start < a->end || b == a)
			break;
		if (b->context == a->context && b->parent == NULL && !b->after_hooks &&
		    b->category != ATTACH && b->category != HOOK)
			return true;
	}
	return false;
}

/* Where no error records tell it (library traces, runner traces before 1.40) the actions do. */
static void
errors_of_actions(struct segment *s, bool runner)
{
	struct pairs *known = pairs_new();

	for (size_t i = 0; i < s->actions.count; i++) {
		struct action *a = s->actions.at[i];
		if (a->step != NULL || a->message == NULL || *a->message == '\0' || a->retried ||
		    a->context->runner != runner || (runner && was_caught(s, a)))
			continue;
		/* A step repeats the error of what is in it. */
		if (runner && pairs_get(known, a->message, NULL) != NULL)
			continue;
		pairs_set(known, a->message, NULL, a);
		struct error *e = LIST_ADD(s->errors);
		*e = (struct error){.message = a->message, .name = a->error};
		if (!runner)
			e->action = a;
	}
	pairs_free(known);
}

static bool
cut_short(const struct action *a)
{
	if (isnan(a->end))
		return true;
	return a->message != NULL &&
	       ((a->twin != NULL && isnan(a->twin->end)) ||
		   strstr(a->message, "Test timeout of ") != NULL ||
		   strstr(a->message, "Test ended.") != NULL ||
		   strstr(a->message, "arget page, context or browser has been closed") != NULL);
}

static struct error *
terminal_of(struct segment *s, bool runner)
{
	if (s->errors.count == 0)
		return NULL;
	if (!runner)
		return &s->errors.at[s->errors.count - 1];
	/* The notice that time was up stands first, or the test had failed and was slow to end. */
	for (size_t i = 0; i < s->errors.count; i++) {
		struct error *e = &s->errors.at[i];
		if (is_timeout(e->message))
			return e;
		if (!e->soft && e->action != NULL && !e->action->after_hooks &&
		    !cut_short(e->action))
			break;
	}
	for (size_t i = 0; i < s->errors.count; i++) {
		struct error *e = &s->errors.at[i];
		if (!e->soft && !is_timeout(e->message) &&
		    (e->action == NULL || !e->action->after_hooks))
			return e;
	}
	for (size_t i = 0; i < s->errors.count; i++)
		if (is_timeout(s->errors.at[i].message))
			return &s->errors.at[i];
	for (size_t i = 0; i < s->errors.count; i++)
		if (s->errors.at[i].soft)
			return &s->errors.at[i];
	return &s->errors.at[0];
}

/* After a timeout: the innermost action still pending, in the hooks only if they were running. */
static struct action *
pending(struct segment *s, bool after_hooks)
{
	struct action *found = NULL;

	for (size_t i = 0; i < s->actions.count; i++) {
		struct action *a = s->actions.at[i];
		if (!a->context->runner || a->retried || a->after_hooks != after_hooks)
			continue;
		if (!cut_short(a))
			continue;
		if (same(a->title, "After Hooks") || same(a->title, "Worker Cleanup"))
			continue;
		if (found == NULL || a->depth >= found->depth)
			found = a;
	}
	return found;
}

static bool
in_teardown(const char *message)
{
	return strstr(message, "Tearing down") != NULL || strstr(message, "\"after") != NULL ||
	       strstr(message, "teardown") != NULL || strstr(message, "tearing down") != NULL;
}

/* A reported message without the code frame and stack that are printed below it. */
static const char *
message_alone(struct words *w, const char *message)
{
	const char *end = message + strlen(message);

	for (const char *p = message; (p = strchr(p, '\n')) != NULL; p++) {
		const char *q = p + 1 + strspn(p + 1, " >");
		size_t digits = strspn(q, "0123456789");
		if ((digits > 0 && begins(q + digits, " | ")) || begins(p + 1, "    at ")) {
			end = p;
			break;
		}
	}
	while (end > message && (end[-1] == '\n' || end[-1] == ' '))
		end--;
	return words_keep(w, message, (size_t)(end - message));
}

/*
 * A trace without a runner's part lacks the errors of the test itself, and so does one of a test
 * that a missing await let pass: a JSON report has them.
 */
static void
errors_of_report(struct segment *s)
{
	const struct outcome *o = s->outcome;

	for (unsigned i = 0; i < o->error_count; i++) {
		const char *message = words_keep(s->words, o->errors[i], strlen(o->errors[i]));
		struct buf stack = {0};
		struct error *e = LIST_ADD(s->errors);
		*e = (struct error){.message = message_alone(s->words, plain(s->words, message))};
		e->reported = true;
		if (o->places[i] == NULL || !(o->lines[i] > 0))
			continue;
		jv frame = jvx_set_text(jv_object(), "file", o->places[i]);
		jv frames = jv_array_append(jv_array(), jvx_set_number(frame, "line", o->lines[i]));
		jvx_write(frames, &stack);
		jv_free(frames);
		e->stack = words_bytes(s->words, stack.data, stack.len);
		buf_free(&stack);
	}
}

/* Cut off by the closing of its page, when the hooks after the test had begun: time was up. */
static bool
outlived_test(const struct segment *s, const struct action *a)
{
	if (a == NULL || a->after_hooks || !(strstr(a->message, " closed") != NULL))
		return false;
	for (size_t i = 0; i < s->actions.count; i++) {
		const struct action *b = s->actions.at[i];
		if (b->after_hooks && b->parent == NULL && b->start < a->end)
			return true;
	}
	return false;
}

void
failure_find(struct segment *s)
{
	bool runner = false;

	for (size_t i = 0; i < s->contexts.count; i++)
		runner |= s->contexts.at[i]->runner;
	bool guessed = s->errors.count == 0;
	bool reported = guessed && s->outcome != NULL && s->outcome->error_count > 0;
	if (reported)
		errors_of_report(s);
	if (guessed && (!reported || !runner))
		errors_of_actions(s, runner);
	match_errors(s);
	struct error *e = terminal_of(s, runner || reported);
	if (e == NULL)
		return;
	e->terminal = true;
	s->terminal = e;
	/* The first error decides, and be it a soft one (Playwright's testInfo.status). */
	s->timed_out = runner && (is_timeout(s->errors.at[0].message) ||
				     (guessed && outlived_test(s, e->action)));
	if (runner && is_timeout(e->message)) {
		bool late = in_teardown(e->message);
		s->failure_point = pending(s, late);
		/* On a slow machine steps begin when the hooks after the test have; an error tells.
		 */
		const struct action *hook = s->failure_point;
		if (hook == NULL || (!late && hook == e->action)) {
			for (size_t i = 0; s->failure_point == hook && i < s->errors.count; i++)
				if (&s->errors.at[i] != e && s->errors.at[i].action != NULL &&
				    cut_short(s->errors.at[i].action))
					s->failure_point = s->errors.at[i].action;
		}
		if (s->failure_point == NULL && e->action != NULL)
			s->failure_point = e->action;
	} else {
		s->failure_point = e->action;
	}
	if (s->failure_point != NULL)
		s->failure_point->failure_point = true;
}
