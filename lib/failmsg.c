#define _GNU_SOURCE /* memmem, which POSIX has since 2024; memrchr */
#include "failmsg.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "prog.h"
#include "utf8.h"

struct text {
	const char *at;
	size_t len;
};

static size_t
escape(const char *p, size_t len)
{
	size_t i = 2;

	if (len < 2)
		return 1;
	if (p[1] == ']') { /* to BEL or ESC \ */
		while (i < len && p[i] != '\a' && p[i] != '\033')
			i++;
		return i < len && p[i] == '\a' ? i + 1 : i;
	}
	if (p[1] != '[')
		return p[1] >= 0x20 && p[1] < 0x7f ? 2 : 1;
	while (i < len && p[i] >= 0x20 && p[i] < 0x40)
		i++;
	return i < len && p[i] >= 0x40 ? i + 1 : i;
}

void
failmsg_plain(const char *text, size_t len, struct buf *b)
{
	size_t from = 0;

	for (size_t i = 0; i < len;) {
		unsigned char c = (unsigned char)text[i];
		if (c >= 0x20 && c != 0x7f) {
			i++;
			continue;
		}
		if (c == '\n' || c == '\t') {
			i++;
			continue;
		}
		buf_add(b, text + from, i - from);
		i += c == 033 ? escape(text + i, len - i) : 1;
		from = i = i > len ? len : i;
	}
	buf_add(b, text + from, len - from);
}

static struct text
trim(struct text t)
{
	while (t.len > 0 && isspace((unsigned char)t.at[0]))
		t.at++, t.len--;
	while (t.len > 0 && isspace((unsigned char)t.at[t.len - 1]))
		t.len--;
	return t;
}

static char *
keep(struct text t)
{
	t = trim(t);
	if (t.len == 0)
		return NULL;
	if (t.len > FAILMSG_VALUE)
		t.len = utf8_floor(t.at, t.len, FAILMSG_VALUE);
	return prog_copy(t.at, t.len);
}

static const char *
find(struct text in, const char *what)
{
	return in.len == 0 ? NULL : memmem(in.at, in.len, what, strlen(what));
}

static struct text
after(struct text in, const char *p)
{
	return (struct text){p, in.len - (size_t)(p - in.at)};
}

static struct text
line_at(struct text in, const char *p)
{
	struct text rest = after(in, p);
	const char *end = memchr(p, '\n', rest.len);

	return (struct text){p, end == NULL ? rest.len : (size_t)(end - p)};
}

static bool
next_line(struct text *rest, struct text *line)
{
	if (rest->len == 0)
		return false;
	*line = line_at(*rest, rest->at);
	size_t used = line->len + (line->len < rest->len);
	rest->at += used;
	rest->len -= used;
	return true;
}

static bool
starts(struct text t, const char *with)
{
	size_t len = strlen(with);
	return t.len >= len && memcmp(t.at, with, len) == 0;
}

static bool
name_byte(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.';
}

static bool
ends(struct text t, const char *with)
{
	size_t len = strlen(with);
	return t.len >= len && memcmp(t.at + t.len - len, with, len) == 0;
}

static bool
is_class(struct text t)
{
	static const char *const ends_with[] = {
	    "Error", "Exception", "Failure", "Failed", "Warning", "Interrupt", "Exit", "Throwable"};

	for (size_t i = 0; i < sizeof ends_with / sizeof *ends_with; i++)
		if (ends(t, ends_with[i]))
			return true;
	return false;
}

/* "TypeError: …", "AssertionError [ERR_ASSERTION]: …", "E   ValueError: …", "java.io.IOException"
 */
static struct text
class_of(struct text line)
{
	struct text none = {NULL, 0}, name;
	size_t n = 0;

	line = trim(line);
	if (starts(line, "E  "))
		line = trim((struct text){line.at + 1, line.len - 1});
	if (starts(line, "Uncaught "))
		line = trim((struct text){line.at + 9, line.len - 9});
	while (n < line.len && name_byte(line.at[n]))
		n++;
	name = (struct text){line.at, n};
	if (n == 0 || !is_class(name))
		return none;
	if (n < line.len && line.at[n] != ':' && line.at[n] != ' ' && line.at[n] != '\n')
		return none;
	return name;
}

/* "locator.click: Timeout …", with or without a class in front. */
static struct text
call_of(struct text line, struct text class)
{
	size_t n = 0;

	line = trim(line);
	if (class.len > 0) {
		const char *colon = find(line, ": ");
		if (colon == NULL)
			return (struct text){NULL, 0};
		line = after(line, colon + 2);
	}
	while (n < line.len && name_byte(line.at[n]))
		n++;
	if (n == 0 || n == line.len || line.at[n] != ':')
		return (struct text){NULL, 0};
	const char *dot = memchr(line.at, '.', n);
	if (dot == NULL || !islower((unsigned char)line.at[0]) ||
	    is_class((struct text){line.at, n}))
		return (struct text){NULL, 0};
	return (struct text){line.at, n};
}

/* The bracket that ends what opens at at; NULL when none on this line. */
static const char *
closing(struct text in)
{
	int depth = 0;
	char quote = 0;

	for (size_t i = 0; i < in.len && in.at[i] != '\n'; i++) {
		char c = in.at[i];
		if (quote != 0) {
			if (c == '\\')
				i++;
			else if (c == quote)
				quote = 0;
		} else if (c == '\'' || c == '"' || c == '`') {
			quote = c;
		} else if (c == '(') {
			depth++;
		} else if (c == ')' && --depth == 0) {
			return in.at + i;
		}
	}
	return NULL;
}

static struct text
matcher_of(struct text in)
{
	struct text none = {NULL, 0};
	const char *p = in.at;
	struct text rest = in;

	while ((p = find(rest, "expect")) != NULL) {
		rest = after(in, p + 6);
		if (rest.len > 5 && starts(rest, ".poll"))
			rest = after(in, rest.at + 5);
		else if (rest.len > 5 && starts(rest, ".soft"))
			rest = after(in, rest.at + 5);
		if (!starts(rest, "("))
			continue;
		const char *end = closing(rest);
		if (end == NULL)
			continue;
		struct text tail = after(in, end + 1);
		size_t n = 0;
		if (!starts(tail, "."))
			continue;
		while (n < tail.len && name_byte(tail.at[n]))
			n++;
		struct text name = {tail.at + 1, n - 1};
		if (starts(name, "resolves."))
			name.at += 9, name.len -= 9;
		else if (starts(name, "rejects."))
			name.at += 8, name.len -= 8;
		if (name.len > 0)
			return name;
	}
	return none;
}

/* "5000ms", "5000 ms", "30s", "30 seconds" from p on; 0 when no number. */
static double
duration_at(struct text in)
{
	char digits[32];
	size_t n = 0;

	while (in.len > 0 && *in.at == ' ')
		in.at++, in.len--;
	while (n < in.len && n < sizeof digits - 1 &&
	       (isdigit((unsigned char)in.at[n]) || in.at[n] == '.'))
		digits[n] = in.at[n], n++;
	if (n == 0)
		return 0;
	digits[n] = '\0';
	double value = strtod(digits, NULL);
	struct text unit = trim((struct text){in.at + n, in.len - n < 10 ? in.len - n : 10});
	if (starts(unit, "ms") || starts(unit, "milli"))
		return value;
	if (starts(unit, "s"))
		return value * 1000;
	if (starts(unit, "min"))
		return value * 60000;
	return value;
}

static void
read_timeout(struct text in, struct failmsg *m)
{
	static const struct {
		const char *before;
		bool whole;
	} forms[] = {
	    {"Test timeout of ", true}, /* Playwright */
	    {"hook timeout of ", true}, /* Playwright: "beforeAll" hook timeout of */
	    {"setup timeout of ", true}, {"Fixture timeout of ", true},
	    {"Exceeded timeout of ", true},                      /* Jest */
	    {"Test timed out in ", true},                        /* Vitest */
	    {"Hook timed out in ", true}, {"Timeout of ", true}, /* Mocha */
	    {"test timed out after ", true},                     /* JUnit 4, node:test */
	    {"execution timed out after ", true},                /* JUnit 5 */
	    {"timed out after ", false},
	    {"Timed out ", false}, /* Playwright: Timed out 5000ms waiting for */
	    {"Timeout: ", false}, {"with timeout ", false},
	    {"imeout ", false}, /* Timeout 30000ms exceeded */
	};

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		struct text rest = in;
		const char *p;
		while ((p = find(rest, forms[i].before)) != NULL) {
			rest = after(in, p + strlen(forms[i].before));
			double ms = duration_at(rest);
			if (ms > 0) {
				m->timeout_ms = ms;
				m->whole_test = forms[i].whole;
				return;
			}
		}
	}
}

/* The value after "Expected: ", "Expected string: ", "Received value: "; any spaces between. */
static bool
labelled(struct text line, const char *word, struct text *value)
{
	line = trim(line);
	if (!starts(line, word))
		return false;
	const char *colon = memchr(line.at, ':', line.len);
	if (colon == NULL || colon - line.at > 30)
		return false;
	*value = trim(after(line, colon + 1));
	return value->len > 0;
}

static void
set(char **to, struct text value)
{
	if (*to == NULL)
		*to = keep(value);
}

static struct text
between(struct text in, const char *from, const char *to)
{
	const char *p = find(in, from);
	if (p == NULL)
		return (struct text){NULL, 0};
	struct text rest = after(in, p + strlen(from));
	const char *end = *to == '\0' ? NULL : find(rest, to);
	if (end == NULL)
		return *to == '\0' ? rest : (struct text){NULL, 0};
	return (struct text){rest.at, (size_t)(end - rest.at)};
}

/* Chai and Vitest: "expected 200 to be 201", with a verb that we keep as the matcher. */
static void
read_chai(struct text line, struct failmsg *m)
{
	static const char *const verbs[] = {" not to deeply equal ", " to deeply equal ",
	    " to strictly equal ", " to loosely equal ", " to be greater than ",
	    " to be less than ", " to be at least ", " to be at most ", " to be close to ",
	    " to have a length of ", " to have length of ", " to have property ", " to include ",
	    " to contain ", " to match object ", " to match ", " to equal ", " not to be ",
	    " to be "};
	const char *p = find(line, "expected ");

	if (p == NULL)
		return;
	struct text rest = after(line, p + 9);
	for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
		const char *verb = find(rest, verbs[i]);
		if (verb == NULL)
			continue;
		struct text value = after(rest, verb + strlen(verbs[i]));
		const char *note = find(value, " // ");
		if (note != NULL)
			value.len = (size_t)(note - value.at);
		note = find(value, " but got ");
		if (note != NULL)
			value.len = (size_t)(note - value.at);
		set(&m->actual, (struct text){rest.at, (size_t)(verb - rest.at)});
		set(&m->expected, value);
		set(&m->matcher, trim((struct text){verbs[i], strlen(verbs[i])}));
		return;
	}
}

/* JUnit, TestNG, AssertJ: "expected:<201> but was:<200>", "expected [1] but found [2]". */
static void
read_java(struct text line, struct failmsg *m)
{
	static const char *const forms[][4] = {
	    {"xpected: <", ">", "but was: <", ">"},
	    {"xpected:<", ">", "but was:<", ">"},
	    {"xpected [", "]", "but found [", "]"},
	    {"xpected <", ">", "but was <", ">"},
	    {"xpected: ", " but was", "but was: ", ""},
	    {"want ", ", got", "got ", ""},
	    {"xpected ", ", got", "got ", ""},
	    {"xpected ", " but got", "but got ", ""},
	    {"xpected ", " got ", " got ", ""},
	    {"xpected ", ", actual", "actual ", ""},
	};

	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		struct text expected = between(line, forms[i][0], forms[i][1]);
		struct text actual = between(line, forms[i][2], forms[i][3]);
		if (expected.at == NULL || actual.at == NULL || expected.at > actual.at)
			continue;
		set(&m->expected, expected);
		set(&m->actual, actual);
		return;
	}
}

/* pytest: "assert 200 == 201", "E       assert 'a' in 'b'". */
static void
read_pytest(struct text line, struct failmsg *m)
{
	static const char *const verbs[] = {
	    " == ", " != ", " not in ", " in ", " is ", " <= ", " >= ", " < ", " > "};

	line = trim(line);
	if (starts(line, "E "))
		line = trim((struct text){line.at + 2, line.len - 2});
	if (starts(line, "AssertionError: "))
		line = trim((struct text){line.at + 16, line.len - 16});
	if (!starts(line, "assert "))
		return;
	line.at += 7;
	line.len -= 7;
	for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
		const char *verb = find(line, verbs[i]);
		if (verb == NULL)
			continue;
		set(&m->actual, (struct text){line.at, (size_t)(verb - line.at)});
		set(&m->expected, after(line, verb + strlen(verbs[i])));
		set(&m->matcher, trim((struct text){verbs[i], strlen(verbs[i])}));
		return;
	}
}

/* The diff of Jest, Vitest and node:assert: its "-" lines were expected, its "+" lines received. */
static void
read_diff(struct text in, struct failmsg *m)
{
	struct buf minus = {0}, plus = {0};
	struct text rest = in, line;
	bool inside = false;

	while (next_line(&rest, &line)) {
		struct text t = trim(line);
		if (starts(t, "Call log:") || starts(t, "Call Log:"))
			break;
		if (!inside) {
			inside = starts(t, "- Expected") || starts(t, "+ actual - expected");
			continue;
		}
		if (starts(t, "+ Received"))
			continue;
		struct buf *to = starts(t, "- ") ? &minus : starts(t, "+ ") ? &plus : NULL;
		if (to == NULL || to->len > FAILMSG_VALUE)
			continue;
		struct text value = trim((struct text){t.at + 1, t.len - 1});
		if (to->len > 0)
			buf_byte(to, ' ');
		buf_add(to, value.at, value.len);
	}
	if (minus.len > 0)
		set(&m->expected, (struct text){minus.data, minus.len});
	if (plus.len > 0)
		set(&m->actual, (struct text){plus.data, plus.len});
	buf_free(&minus);
	buf_free(&plus);
}

static struct text
waited_for(struct text line)
{
	struct text t = between(line, "waiting for ", "");
	static const char *const starts_with[] = {
	    "getBy", "locator(", "frameLocator(", "page.", "selector ", "contentFrame"};

	for (size_t i = 0; t.at != NULL && i < sizeof starts_with / sizeof *starts_with; i++) {
		if (!starts(t, starts_with[i]))
			continue;
		const char *to = find(t, " to be ");
		if (to != NULL)
			t.len = (size_t)(to - t.at);
		return t;
	}
	return (struct text){NULL, 0};
}

static void
read_lines(struct text in, struct failmsg *m)
{
	struct text rest = in, line, value, waited = {NULL, 0};
	bool log = false;

	while (next_line(&rest, &line)) {
		struct text t = trim(line);
		log = log || starts(t, "Call log:") || starts(t, "Call Log:") || starts(t, "=====");
		if (waited.at == NULL)
			waited = waited_for(t);
		if (log)
			continue;
		if (labelled(t, "Locator", &value))
			set(&m->locator, value);
		else if (labelled(t, "Expected", &value))
			set(&m->expected, value);
		else if (labelled(t, "Received", &value) || labelled(t, "Actual", &value))
			set(&m->actual, value);
		const char *strict = find(t, "strict mode violation: ");
		if (strict != NULL) {
			struct text l = after(t, strict + 23);
			const char *end = find(l, " resolved to ");
			if (end != NULL)
				set(&m->locator, (struct text){l.at, (size_t)(end - l.at)});
		}
	}
	if (waited.at != NULL)
		set(&m->locator, waited);
}

static bool
is_retrying(const struct failmsg *m)
{
	static const char *const names[] = {"toBeVisible", "toBeHidden", "toBeEnabled",
	    "toBeDisabled", "toBeChecked", "toBeEditable", "toBeEmpty", "toBeFocused",
	    "toBeAttached", "toBeInViewport", "toContainText", "toContainClass", "toHaveText",
	    "toHaveCount", "toHaveValue", "toHaveValues", "toHaveAttribute", "toHaveClass",
	    "toHaveCSS", "toHaveId", "toHaveJSProperty", "toHaveURL", "toHaveTitle",
	    "toHaveScreenshot", "toHaveRole", "toHaveAccessibleName", "toHaveAccessibleDescription",
	    "toMatchAriaSnapshot", "toPass"};

	if (m->matcher == NULL)
		return false;
	const char *name = strncmp(m->matcher, "not.", 4) == 0 ? m->matcher + 4 : m->matcher;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

void
failmsg_read(const char *message, size_t len, struct failmsg *to)
{
	struct buf plain = {0};
	struct text in, first;

	memset(to, 0, sizeof *to);
	failmsg_plain(message, len, &plain);
	in = trim((struct text){plain.data == NULL ? "" : plain.data, plain.len});
	if (in.len == 0) {
		buf_free(&plain);
		return;
	}
	first = line_at(in, in.at);
	struct text class = class_of(first);
	to->type = keep(class);
	to->call = keep(call_of(first, class));
	to->matcher = keep(matcher_of(in));
	read_lines(in, to);
	read_diff(in, to);
	read_timeout(in, to);

	struct text rest = in, line;
	while (next_line(&rest, &line) && to->actual == NULL) {
		read_chai(line, to);
		read_java(line, to);
		read_pytest(line, to);
	}
	to->retrying = is_retrying(to) || find(in, "expect.poll(") != NULL;
	buf_free(&plain);
}

void
failmsg_free(struct failmsg *m)
{
	free(m->type);
	free(m->matcher);
	free(m->call);
	free(m->expected);
	free(m->actual);
	free(m->locator);
	memset(m, 0, sizeof *m);
}
