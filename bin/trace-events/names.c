/* names: what an action is, as its user would call it, whatever the format calls it. */
#include "segment.h"

#include <ctype.h>
#include <string.h>

static const struct {
	const char *word;
	enum category category;
} categories[] = {{"pw:api", PW_API}, {"expect", EXPECT}, {"test.step", STEP}, {"hook", HOOK},
    {"fixture", FIXTURE}, {"test.attach", ATTACH}, {"attach", ATTACH}};

/*
 * The runner's category stands in the method (1.50, 1.55 and later) or before the "@" of the id; in
 * format 10 only in the method.  Before it was written at all the title has to do.
 */
static enum category
category_of(const struct action *a)
{
	size_t len = strcspn(a->id, "@");

	if (!a->context->runner)
		return same(a->method, "expect") || same(a->method, "expectScreenshot") ? EXPECT
		       : same(a->method, "tracingGroup")                                ? STEP
											: PW_API;
	/* 1.55 writes these two as steps of the test. */
	if (begins(a->title, "Expect \"poll ") || begins(a->title, "Expect \"toPass\""))
		return EXPECT;
	for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
		if (same(a->method, categories[i].word))
			return categories[i].category;
	for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
		if (strlen(categories[i].word) == len &&
		    strncmp(a->id, categories[i].word, len) == 0)
			return categories[i].category;
	if (begins(a->title, "fixture: "))
		return FIXTURE;
	if (begins(a->title, "expect."))
		return EXPECT;
	if (same(a->title, "Before Hooks") || same(a->title, "After Hooks") ||
	    same(a->title, "Worker Cleanup"))
		return HOOK;
	if (a->title != NULL) {
		size_t word =
		    strspn(a->title, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
		if (word > 0 && a->title[word] == '.' && islower((unsigned char)a->title[0]) &&
		    strchr(a->title, ' ') == NULL)
			return PW_API;
	}
	return STEP;
}

/* "expect.not.toBe" of a message that says: expect(received).not.toBe(expected). */
static const char *
matcher_in(struct words *w, const char *message)
{
	const char *at = message == NULL ? NULL : strstr(message, "expect(");
	const char *dot = at == NULL ? NULL : at + strcspn(at, ").\n");
	struct buf b = {0};

	if (dot == NULL || dot[0] != ')' || dot[1] != '.')
		return "expect";
	buf_text(&b, "expect");
	buf_add(&b, dot + 1, strcspn(dot + 1, "( \n"));
	const char *kept = words_keep(w, b.data, b.len);
	buf_free(&b);
	return kept;
}

/* "expect.toHaveText" of: Expect "soft toHaveText"; expect.soft.toHaveText; to.have.text. */
static const char *
expect_name(struct segment *s, const struct action *a)
{
	struct buf b = {0};
	const char *expression =
	    words_text(s->words, scan_member(a->twin ? a->twin->params : a->params, "expression"));
	const char *kept = "expect";

	if (begins(a->title, "expect."))
		return words_keep(s->words, a->title, strcspn(a->title, " ("));
	if (begins(a->title, "Expect \"")) {
		buf_text(&b, "expect.");
		for (const char *p = a->title + 8; *p != '\0' && *p != '"' && *p != '('; p++)
			buf_byte(&b, *p == ' ' ? '.' : *p);
		kept = words_keep(s->words, b.data, b.len);
	} else if (begins(expression, "to.")) {
		buf_text(&b, "expect.");
		for (const char *p = expression; *p != '\0'; p++)
			buf_byte(&b, *p == '.' && p[1] != '\0' ? toupper((unsigned char)*++p)
							       : (unsigned char)*p);
		kept = words_keep(s->words, b.data, b.len);
	} else if (same(a->method, "expectScreenshot")) {
		kept = "expect.toHaveScreenshot";
	} else {
		kept = matcher_in(s->words, a->message);
	}
	buf_free(&b);
	return kept;
}

/* The words of titles since 1.53, where no call of the library stands beside the step. */
static const struct {
	const char *title, *api;
} verbs[] = {{"Navigate", "page.goto"}, {"Click", "locator.click"}, {"Fill", "locator.fill"},
    {"Press", "locator.press"}, {"Type", "locator.type"}, {"Hover", "locator.hover"},
    {"Check", "locator.check"}, {"Uncheck", "locator.uncheck"},
    {"Double click", "locator.dblclick"}, {"Select option", "locator.selectOption"},
    {"Set input files", "locator.setInputFiles"}, {"Tap", "locator.tap"},
    {"Focus", "locator.focus"}, {"Wait for selector", "locator.waitFor"},
    {"Wait for event", "page.waitForEvent"}, {"Wait for navigation", "page.waitForNavigation"},
    {"Wait for load state", "page.waitForLoadState"}, {"Wait for function", "page.waitForFunction"},
    {"Wait for timeout", "page.waitForTimeout"}, {"Evaluate", "page.evaluate"},
    {"Reload", "page.reload"}, {"Go back", "page.goBack"}, {"Go forward", "page.goForward"},
    {"Route requests", "page.route"}, {"Create page", "browserContext.newPage"},
    {"Create context", "browser.newContext"}, {"Close context", "browserContext.close"},
    {"Close page", "page.close"}, {"Close browser", "browser.close"},
    {"Launch browser", "browserType.launch"}, {"Screenshot", "page.screenshot"},
    {"Set content", "page.setContent"}, {"Create request context", "apiRequest.newContext"},
    {"Fulfill request", "route.fulfill"}, {"Continue request", "route.continue"},
    {"Abort request", "route.abort"}, {"GET", "apiRequestContext.get"},
    {"POST", "apiRequestContext.post"}, {"PUT", "apiRequestContext.put"},
    {"PATCH", "apiRequestContext.patch"}, {"DELETE", "apiRequestContext.delete"},
    {"HEAD", "apiRequestContext.head"}};

static const char *
verb_api(const char *title)
{
	for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
		size_t len = strlen(verbs[i].title);
		if (begins(title, verbs[i].title) && (title[len] == '\0' || title[len] == ' '))
			return verbs[i].api;
	}
	return NULL;
}

/* Protocol names that differ from what users call. */
static const struct {
	const char *class, *method, *api;
} calls[] = {{"Frame", "evaluateExpression", "page.evaluate"},
    {"Frame", "evaluateExpressionHandle", "page.evaluateHandle"},
    {"Frame", "evalOnSelector", "locator.evaluate"},
    {"Frame", "evalOnSelectorAll", "locator.evaluateAll"},
    {"Frame", "waitForSelector", "locator.waitFor"}, {"Frame", "queryCount", "locator.count"},
    {"Page", "keyboardPress", "keyboard.press"}, {"Page", "keyboardType", "keyboard.type"},
    {"Page", "keyboardInsertText", "keyboard.insertText"},
    {"Page", "keyboardDown", "keyboard.down"}, {"Page", "keyboardUp", "keyboard.up"},
    {"Page", "mouseMove", "mouse.move"}, {"Page", "mouseClick", "mouse.click"},
    {"Page", "mouseDown", "mouse.down"}, {"Page", "mouseUp", "mouse.up"},
    {"Page", "mouseWheel", "mouse.wheel"}, {"Page", "touchscreenTap", "touchscreen.tap"},
    {"Page", "setNetworkInterceptionPatterns", "page.route"},
    {"Page", "setNetworkInterceptionEnabled", "page.route"},
    {"BrowserContext", "setNetworkInterceptionPatterns", "browserContext.route"},
    {"BrowserContext", "setNetworkInterceptionEnabled", "browserContext.route"},
    {"Tracing", "tracingGroup", "tracing.group"}};

static const char *
call_name(struct segment *s, const struct action *a)
{
	struct buf b = {0};
	const char *kept;

	if (begins(a->title, "Unroute"))
		return same(a->class, "Page") ? "page.unroute" : "browserContext.unroute";
	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (same(a->class, calls[i].class) && same(a->method, calls[i].method))
			return calls[i].api;
	bool waits = same(a->method, "waitForEventInfo") || same(a->method, "__waitInfo__");
	if (same(a->class, "APIRequestContext") && same(a->method, "fetch")) {
		const char *method = words_text(s->words, scan_member(a->params, "method"));
		buf_text(&b, "apiRequestContext.");
		for (const char *p = method && *method ? method : "get"; *p != '\0'; p++)
			buf_byte(&b, tolower((unsigned char)*p));
	} else if (same(a->class, "Frame")) {
		/* A locator is strict; goto and the like have no selector. */
		bool strict = scan_true(scan_member(a->params, "strict"));
		const char *method = a->method ? a->method : "";
		if (strict && same(method, "dragAndDrop"))
			method = "dragTo";
		buf_format(&b, "%s.%s", strict ? "locator" : "page", method);
	} else {
		buf_format(&b, "%s.%s", a->class,
		    waits       ? "waitForEvent"
		    : a->method ? a->method
				: "");
		b.data[0] = (char)tolower((unsigned char)b.data[0]);
	}
	kept = words_keep(s->words, b.data, b.len);
	buf_free(&b);
	return kept;
}

/* "page.goto" or, by other clients, "Page.goto", "BrowserContext.new_page". */
static bool
is_api_name(const char *title)
{
	const char *dot = title == NULL ? NULL : strchr(title, '.');

	return dot != NULL && dot != title && dot[1] != '\0' && strchr(title, ' ') == NULL &&
	       strchr(title, '"') == NULL && strchr(title, '/') == NULL;
}

/* BrowserContext.new_page is browserContext.newPage where one name is to serve all clients. */
static const char *
javascript_name(struct words *w, const char *title)
{
	struct buf b = {0};

	if (islower((unsigned char)title[0]) && strchr(title, '_') == NULL)
		return title;
	for (const char *p = title; *p != '\0'; p++) {
		if (*p == '_' && p > title && islower((unsigned char)p[1]))
			buf_byte(&b, toupper((unsigned char)*++p));
		else
			buf_byte(&b, p == title ? tolower((unsigned char)*p) : *p);
	}
	const char *kept = words_keep(w, b.data, b.len);
	buf_free(&b);
	return strcmp(kept, "page.navigate") == 0 ? "page.goto" : kept;
}

static const char *
api_of(struct segment *s, const struct action *a)
{
	switch (a->category) {
	case HOOK: return "hook";
	case FIXTURE: return "fixture";
	case ATTACH: return "test.attach";
	case EXPECT: return expect_name(s, a);
	case STEP: return same(a->method, "tracingGroup") ? "tracing.group" : "test.step";
	case PW_API: break;
	}
	if (is_api_name(a->title))
		return javascript_name(s->words, a->title);
	if (a->twin != NULL && is_api_name(a->twin->title))
		return javascript_name(s->words, a->twin->title);
	if (a->twin != NULL)
		return call_name(s, a->twin);
	if (!a->context->runner)
		return call_name(s, a);
	const char *api = verb_api(a->title);
	return api != NULL ? api : "pw:api";
}

/* A wait's title says no more than that one waits; its error begins with what was called. */
static const char *
waited_for(struct words *w, const char *api, const char *message)
{
	const char *p = message;

	if (p == NULL || strstr(api, ".waitForEvent") == NULL)
		return api;
	if (begins(p, "TimeoutError: ") || begins(p, "Error: "))
		p = strchr(p, ' ') + 1;
	size_t len = strcspn(p, ": \n");
	if (p[len] != ':' || memchr(p, '.', len) == NULL || !islower((unsigned char)*p))
		return api;
	return words_keep(w, p, len);
}

/* A place in text where a locator begins: getByRole(…), page.locator(…), get_by_role(…). */
static const char *
locator_in(const char *text)
{
	static const char *const heads[] = {
	    "getBy", "locator(", "frameLocator(", "get_by_", "frame_locator(", "GetBy", "Locator("};

	for (const char *p = text; p != NULL && *p != '\0'; p++) {
		if (p > text && isalnum((unsigned char)p[-1]))
			continue;
		for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
			if (begins(p, heads[i]) && strchr(p, '(') != NULL)
				return p;
	}
	return NULL;
}

/* What was dragged, and onto what: "getByText('One') to getByTestId('basket')". */
static const char *
dragged(struct words *w, struct span params)
{
	const char *ends[] = {words_text(w, scan_member(params, "source")),
	    words_text(w, scan_member(params, "target"))};
	struct buf b = {0};

	if (ends[0] == NULL || ends[1] == NULL)
		return NULL;
	for (int i = 0; i < 2; i++) {
		const char *text = locator_of(w, ends[i]);
		buf_format(&b, "%s%s", i == 0 ? "" : " to ", text != NULL ? text : ends[i]);
	}
	const char *kept = words_keep(w, b.data, b.len);
	buf_free(&b);
	return kept;
}

/* In order of trust: what the runner says, what the call log says, the selector itself. */
static const char *
find_locator(struct segment *s, const struct action *a)
{
	const struct action *call = a->twin != NULL ? a->twin : a;
	const char *text, *selector = words_text(s->words, scan_member(call->params, "selector"));

	if (a->category != PW_API && a->category != EXPECT)
		return NULL;
	if (same(call->method, "dragAndDrop"))
		return dragged(s->words, call->params);
	/* Elsewhere a description stands for all that it describes. */
	if (selector != NULL && strstr(selector, " >> internal:describe=") != NULL &&
	    (text = locator_of(s->words, selector)) != NULL)
		return text;
	if (a->context->runner) {
		text = words_text(s->words, scan_member(a->params, "locator"));
		if (text != NULL)
			return text;
		if (locator_in(a->subtitle) != NULL)
			return a->subtitle;
	}
	if (begins(a->message, "Error: expect(")) {
		text = strstr(a->message, "\nLocator: ");
		text = text == NULL ? NULL : text + 10 + strspn(text + 10, " ");
		if (text != NULL && locator_in(text) == text)
			return words_keep(s->words, text, strcspn(text, "\n"));
	}
	if (selector == NULL && a->context->runner)
		selector = words_text(s->words, scan_member(a->params, "selector"));
	if (selector == NULL)
		return NULL;
	if (a->context->runner && (text = locator_in(a->title)) != NULL)
		return text;
	for (size_t i = 0; i < a->log_count && i < 4; i++) {
		text = strstr(a->log[i], "waiting for ");
		text = text == NULL ? NULL : text + 12;
		if (text == NULL || locator_in(text) != text)
			continue;
		const char *to = strstr(text, ") to be ");
		return to == NULL ? text : words_keep(s->words, text, (size_t)(to - text) + 1);
	}
	text = locator_of(s->words, selector);
	return text != NULL ? text : selector;
}

/* "\"$36.00\"" is how a string is printed. */
static const char *
unquoted(struct words *w, const char *text, size_t len)
{
	struct buf b = {0};

	while (len > 0 && isspace((unsigned char)text[len - 1]))
		len--;
	/* Without its quotes an empty string would be as good as nothing. */
	if (len <= 2 || text[0] != '"' || text[len - 1] != '"')
		return words_keep(w, text, len);
	for (size_t i = 1; i < len - 1; i++) {
		bool escaped = text[i] == '\\' && (text[i + 1] == '"' || text[i + 1] == '\\');
		if (text[i] == '"' || (escaped && i + 1 == len - 1)) {
			buf_free(&b); /* not one string, but several */
			return words_keep(w, text, len);
		}
		i += escaped;
		buf_byte(&b, text[i]);
	}
	const char *kept = words_keep(w, b.data, b.len);
	buf_free(&b);
	return kept;
}

/*
 * "Expected: …", "Expected string: …", "Received: …": a label is one word more at most, and the
 * value ends where a line begins with the next label or is blank.
 */
static const char *
labelled(struct words *w, const char *message, const char *label)
{
	for (const char *line = message; line != NULL && *line != '\0';) {
		const char *p = line, *next = strchr(line, '\n');
		while (*p == ' ')
			p++;
		if (begins(p, label)) {
			const char *colon = p + strcspn(p, ":\n");
			if (*colon == ':' && colon - p < 32) {
				const char *from = colon + 1 + strspn(colon + 1, " ");
				const char *to = from + strcspn(from, "\n");
				while (*to == '\n' && to[1] != '\0' && to[1] != '\n' &&
				       !begins(to + 1, "Received") && !begins(to + 1, "Expected") &&
				       !begins(to + 1, "Call log") && !begins(to + 1, "Timeout") &&
				       !begins(to + 1, "    at ") && !begins(to + 1, "Error:"))
					to += 1 + strcspn(to + 1, "\n");
				if (to > from)
					return unquoted(w, from, (size_t)(to - from));
			}
		}
		line = next == NULL ? NULL : next + 1;
	}
	return NULL;
}

/*
 * Objects that differ are printed as one listing, "-" before what was expected and "+" before what
 * was received, below "- Expected  - 1" and "+ Received  + 1".  A side is told whole, or one would
 * not know of what "Three", was a part.
 */
static const char *
differing(struct words *w, const char *message, char mark)
{
	const char *line = message == NULL ? NULL : strstr(message, "\n+ Received  +");
	struct buf b = {0};
	const char *kept = NULL;
	bool any = false;

	if (line == NULL || strstr(message, "- Expected  -") == NULL)
		return NULL;
	for (line = strchr(line + 1, '\n'); line != NULL; line = strchr(line + 1, '\n')) {
		size_t len = strcspn(line + 1, "\n");
		bool more = len == 0 && line[1] != '\0' && strchr(" -+@", line[2]) != NULL;
		if (len == 0 && !any)
			continue; /* between the heads and the listing */
		if (line[1] == (mark == '-' ? '+' : '-'))
			continue;
		if (!more && (len == 0 || strchr(" -+@", line[1]) == NULL))
			break;
		any = true;
		if (b.len > 0)
			buf_byte(&b, '\n');
		if (line[1] == '@')
			buf_text(&b, "\xe2\x80\xa6"); /* what is equal was left out here */
		else if (len > 2)
			buf_add(&b, line + 3, len - 2);
	}
	if (b.len > 0)
		kept = words_keep(w, b.data, b.len);
	buf_free(&b);
	return kept;
}

/* expectedText and its kin, for a library trace, where no message holds the values. */
static const char *
expected_param(struct segment *s, const struct action *a)
{
	struct span list = scan_member(a->params, "expectedText");
	struct scan_each it = {0};
	struct buf b = {0};

	while (scan_kind(list) == '[' && scan_each(&it, list)) {
		const char *text = words_text(s->words, scan_member(it.value, "string"));
		const char *source = words_text(s->words, scan_member(it.value, "regexSource"));
		if (b.len > 0)
			buf_text(&b, ", ");
		if (text != NULL)
			buf_text(&b, text);
		else if (source != NULL)
			buf_format(&b, "/%s/", source);
	}
	const char *found = b.len > 0 ? words_keep(s->words, b.data, b.len) : NULL;
	buf_free(&b);
	if (found != NULL)
		return found;
	double n = scan_number(scan_member(a->params, "expectedNumber"), NAN);
	if (!isnan(n)) {
		buf_format(&b, "%.15g", n);
		found = words_keep(s->words, b.data, b.len);
		buf_free(&b);
		return found;
	}
	const char *e = words_text(s->words, scan_member(a->params, "expression"));
	return begins(e, "to.be.") ? e + 6 : NULL;
}

/* Where a message names several things, as that of toHaveProperty does, the value is meant. */
static const char *
told(struct words *w, const char *message, const char *value, const char *label)
{
	const char *found = labelled(w, message, value);

	return found != NULL ? found : labelled(w, message, label);
}

/* The last: unexpected value "…" of the log. */
static const char *
received_log(struct segment *s, const struct action *a)
{
	for (size_t i = a->log_count; i-- > 0;) {
		const char *at = strstr(a->log[i], "unexpected value ");
		if (at != NULL)
			return unquoted(s->words, at + 17, strlen(at + 17));
	}
	return NULL;
}

static void
find_values(struct segment *s, struct action *a)
{
	const struct action *call = a->twin != NULL ? a->twin : a;

	a->expected = told(s->words, a->message, "Expected value", "Expected");
	if (a->expected == NULL)
		a->expected = differing(s->words, a->message, '-');
	if (a->expected == NULL && a->context->runner)
		a->expected = words_text(s->words, scan_member(a->params, "expected"));
	if (a->expected == NULL)
		a->expected = expected_param(s, call);
	const char *received = told(s->words, a->message, "Received value", "Received");
	/* What Jest says of null beside an empty string. */
	if (same(received, "serializes to the same string"))
		received = NULL;
	if (received == NULL)
		received = differing(s->words, a->message, '+');
	/* What older releases have behind "Received: ". */
	if (received == NULL && a->message != NULL &&
	    strstr(a->message, "\nError: element(s) not found") != NULL)
		received = "<element(s) not found>";
	if (received == NULL)
		received = a->received;
	if (received == NULL)
		received = received_log(s, a);
	a->received = received;
}

void
actions_name(struct segment *s)
{
	for (size_t i = 0; i < s->actions.count; i++)
		s->actions.at[i]->category = category_of(s->actions.at[i]);
	for (size_t i = 0; i < s->actions.count; i++) {
		struct action *a = s->actions.at[i];
		a->api = waited_for(s->words, api_of(s, a), a->message);
		a->locator = find_locator(s, a);
		if (a->category == EXPECT && a->message != NULL)
			find_values(s, a);
		else
			a->received = NULL;
	}
	for (size_t i = 0; i < s->actions.count; i++) {
		const char *api = s->actions.at[i]->api;
		s->actions.at[i]->retries =
		    strstr(api, ".poll") != NULL || strstr(api, "toPass") != NULL;
	}
	for (size_t i = 0; i < s->actions.count; i++) {
		struct action *a = s->actions.at[i];
		for (const struct action *up = a->parent; up != NULL; up = up->parent)
			a->retried |= up->retries;
	}
}
