#define _GNU_SOURCE /* strcasestr */
#include "triage-rules.h"

#include <ctype.h>
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "failmsg.h"
#include "flake.h"
#include "jvx.h"
#include "prog.h"
#include "re.h"
#include "signature.h"
#include "utf8.h"
#include "yamlx.h"

enum owner { APP, TEST, ENVIRONMENT, DATA, UNKNOWN, OWNERS };
static const char *const owner_name[OWNERS] = {
    "app_code", "test_code", "environment", "data", "unknown"};
/* Before anything is known.  A run breaks less often than code does. */
static const double owner_odds[OWNERS] = {1, 1, 0.35, 0.12, 0.08};

enum { PATTERNS = 16, TEXT_MAX = 16000 };

struct message_rule {
	char *id;
	double odds[OWNERS];
	bool broken;
	struct re *any[PATTERNS];
	size_t count;
};

/* The shapes of test code that rules look for. */
enum shape {
	READS,      /* a look at the page that does not wait */
	FETCHES,    /* a look at the server, or at what it stored */
	ACTS,       /* something done to the page */
	WAITS,      /* something that waits for an effect */
	SLEEPS,     /* a fixed time instead */
	CHANCE,     /* the clock, the calendar, chance */
	REMOVES,    /* the test takes something away */
	CREATES,    /* the test makes something */
	ORDERS,     /* order is what the test is about */
	NO_AWAIT,   /* a promise that nobody waits for */
	PICKS,      /* by position, or against the will of the page */
	CONCURRENT, /* several at once, on purpose */
	ABSENT,     /* an element that was not there */
	SHAPES
};
static const char *const shape_pattern[SHAPES] = {
    [READS] =
	"\\.(textContent|innerText|innerHTML|inputValue|count|isVisible|isHidden|isChecked|"
	"isEnabled|isDisabled|isEditable|allTextContents|allInnerTexts|getAttribute|evaluate|"
	"evaluateAll|\\$\\$?eval|boundingBox|all|getText|text)\\(|page\\.(url|title|content)\\(",
    [FETCHES] =
	"request\\.(get|fetch|post)\\(|\\bfetch\\(|\\bapi(Client)?[.(]|\\b(db|prisma|knex|sql|pool)"
	"[.`]|\\.(query|findOne|findUnique|findFirst|findMany|findAll)\\(|axios|supertest",
    [ACTS] = "\\.(click|dblclick|fill|type|press|pressSequentially|check|uncheck|setChecked|"
	     "selectOption|dragTo|dragAndDrop|tap|setInputFiles|reload|clear|drop|submit|goto|"
	     "goBack)\\(|"
	     "fireEvent|userEvent|await \\w+\\(page\\b",
    [WAITS] =
	"\\.waitFor\\w*\\(|expect\\.poll|\\.toPass\\(|findBy|waitFor\\(|"
	"await "
	"expect(\\.soft)?\\([^\\n]*\\)\\.(not\\.)?to(Be(Visible|Hidden|Enabled|Disabled|Checked|"
	"Editable|Empty|Focused|Attached|InViewport)|ContainText|Have(Text|Count|Value|Values|"
	"Attribute|Class|CSS|Id|JSProperty|URL|Title|Role|AccessibleName)|MatchAriaSnapshot)\\(",
    [SLEEPS] = "waitForTimeout\\(|\\bsleep\\(|\\bdelay\\(|setTimeout\\(|Thread\\.sleep|time\\."
	       "sleep|pause\\(\\d",
    [CHANCE] = "Math\\.random|Date\\.now|new "
	       "Date\\(\\)|performance\\.now|faker\\.|randomUUID|toLocale\\w*String|"
	       "datetime\\.now|LocalDate(Time)?\\.now|random\\.",
    [REMOVES] =
	"delete|remove|archive|clear|dismiss|discard|trash|filter|hide|complete|reset|truncate|"
	"cleanup|undo|unassign",
    [CREATES] = "create|add|insert|submit|save|upload|new |post\\(|duplicate|clone|import|seed",
    [ORDERS] = "sort|order|drag|move|position|rank|priorit|newest|oldest|first|last|top|ascending|"
	       "descending|sequence",
    [NO_AWAIT] =
	"^\\s*(page\\.[^\\n=]*\\.(click|fill|press|check|goto|type|selectOption|waitFor\\w*)\\(|"
	"page\\.(click|fill|press|check|goto|type|waitFor\\w*)\\(|"
	"expect\\((page|locator|\\w*Locator)[^\\n]*\\)\\.(not\\.)?to(Be|Have|Contain)\\w*\\()",
    [PICKS] = "force: ?true|\\.nth\\(|xpath=|nth-child|nth-of-type",
    [CONCURRENT] =
	"Promise\\.(all|allSettled|race)\\(|concurren|parallel|simultaneous|race|in[- ]flight|"
	"overlap|interleav|at once|twice|rapid|quick|debounc|optimistic",
    [ABSENT] = "not found|no element|element\\(s\\) not|unable to find|could(n't| not) find|hidden|"
	       "null|undefined|no such element",
};

/* What a trace shows, by the name of the fact. */
struct trace_rule {
	char *id, *fact;
	double odds[OWNERS];
};

struct triage_rules {
	struct message_rule *message;
	struct trace_rule *trace;
	size_t count, trace_count;
	struct re *shape[SHAPES];
};

struct facts {
	const struct triage_rules *r;
	const char *message, *stack, *snippet, *source, *file, *title;
	struct failmsg said;
	bool server_gone; /* the trace shows one that could not be reached */
	bool asserts;     /* an assertion looked at a value */
	struct buf own;   /* the first own frame */
	const char *runs, *attempts;
	size_t flips, streak, run_count;
	bool intermittent, novel, passed;
	jv diff, seen; /* seen: in the trace */
	double timeout_ms, duration_ms;
	double group;
};

struct verdict {
	double odds[OWNERS];
	jv ids;
};

/* Opening. */

static struct re *
pattern(const char *path, const char *text, int flags)
{
	char why[200];
	struct re *re = re_new(text, strlen(text), flags | RE_BYTES, why, sizeof why);

	if (re == NULL)
		warnx("%s: %s: %s", path, text, why);
	return re;
}

static bool
read_message_rule(const char *path, jv value, struct message_rule *m)
{
	jv odds = jvx_get(value, "odds"), any = jvx_get(value, "any");
	const char *id = jvx_text(value, "id");
	bool good =
	    id != NULL && jv_get_kind(odds) == JV_KIND_OBJECT && jv_get_kind(any) == JV_KIND_ARRAY;

	m->id = prog_copy(id == NULL ? "" : id, id == NULL ? 0 : strlen(id));
	m->broken = jvx_true(value, "broken");
	for (int o = 0; o < OWNERS; o++)
		m->odds[o] = good ? jvx_number(odds, owner_name[o], 1) : 1;
	if (good) {
		jv_array_foreach (any, i, text) {
			struct re *re = NULL;
			if (jv_get_kind(text) == JV_KIND_STRING && m->count < PATTERNS)
				re = pattern(path, jv_string_value(text), RE_CASELESS);
			if (re != NULL)
				m->any[m->count++] = re;
			else
				good = false;
			jv_free(text);
		}
	}
	jv_free(odds);
	jv_free(any);
	if (!good)
		warnx("%s: messages: %s: not a rule of id, odds and any", path, m->id);
	return good;
}

static void
read_trace_rule(const char *path, jv value, struct trace_rule *t, bool *good)
{
	jv odds = jvx_get(value, "odds");
	const char *id = jvx_text(value, "id"), *fact = jvx_text(value, "fact");

	if (id == NULL || fact == NULL || jv_get_kind(odds) != JV_KIND_OBJECT) {
		warnx("%s: traces: %s: not a rule of id, fact and odds", path, id ? id : "?");
		*good = false;
	}
	t->id = prog_copy(id ? id : "", id ? strlen(id) : 0);
	t->fact = prog_copy(fact ? fact : "", fact ? strlen(fact) : 0);
	for (int o = 0; o < OWNERS; o++)
		t->odds[o] = *good ? jvx_number(odds, owner_name[o], 1) : 1;
	jv_free(odds);
}

/* Rules files from before there were traces have no such list. */
static bool
read_trace_rules(const char *path, jv file, struct triage_rules *r)
{
	jv list = jvx_get(file, "traces");
	bool good = !jv_is_valid(list) || jv_get_kind(list) == JV_KIND_ARRAY;

	if (!good) {
		warnx("%s: \"traces\" is not a list", path);
	} else if (jv_is_valid(list)) {
		size_t count = (size_t)jv_array_length(jv_copy(list));
		r->trace = prog_alloc(count + 1, sizeof *r->trace);
		jv_array_foreach (list, i, value) {
			read_trace_rule(path, value, &r->trace[r->trace_count++], &good);
			jv_free(value);
		}
	}
	jv_free(list);
	return good;
}

struct triage_rules *
triage_rules_open(const char *path)
{
	jv file = yamlx_file(path), list = jvx_get(file, "messages");
	struct triage_rules *r = prog_alloc(1, sizeof *r);
	bool good = jv_get_kind(list) == JV_KIND_ARRAY;

	if (good) {
		size_t count = (size_t)jv_array_length(jv_copy(list));
		r->message = prog_alloc(count + 1, sizeof *r->message);
		jv_array_foreach (list, i, value) {
			good = read_message_rule(path, value, &r->message[r->count++]) && good;
			jv_free(value);
		}
	} else if (jv_is_valid(file)) {
		warnx("%s: no list \"messages\"", path);
	}
	good = read_trace_rules(path, file, r) && good;
	for (int s = 0; s < SHAPES; s++) {
		r->shape[s] = pattern("triage-rules", shape_pattern[s], RE_CASELESS | RE_MULTILINE);
		good = good && r->shape[s] != NULL;
	}
	jv_free(list);
	jv_free(file);
	if (good)
		return r;
	triage_rules_free(r);
	return NULL;
}

void
triage_rules_free(struct triage_rules *r)
{
	for (size_t i = 0; i < r->count; i++) {
		for (size_t p = 0; p < r->message[i].count; p++)
			re_free(r->message[i].any[p]);
		free(r->message[i].id);
	}
	for (size_t i = 0; i < r->trace_count; i++) {
		free(r->trace[i].id);
		free(r->trace[i].fact);
	}
	for (int s = 0; s < SHAPES; s++)
		if (r->shape[s] != NULL)
			re_free(r->shape[s]);
	free(r->trace);
	free(r->message);
	free(r);
}

/* Asking. */

static bool
matches(struct re *re, const char *text, size_t len)
{
	struct re_match m;
	return text != NULL && re_find(re, text, len, 0, &m) == RE_YES;
}

static bool
has(const struct facts *f, enum shape s, const char *text)
{
	return text != NULL && matches(f->r->shape[s], text, strlen(text));
}

/* Multiply the odds of the three who matter, and remember why. */
static void
fire(struct verdict *v, const char *id, double app, double test, double environment)
{
	v->odds[APP] *= app;
	v->odds[TEST] *= test;
	v->odds[ENVIRONMENT] *= environment;
	v->ids = jv_array_append(v->ids, jv_string(id));
}

static size_t
bounded(const char *text)
{
	return text == NULL ? 0 : strnlen(text, TEXT_MAX);
}

static void
judge_messages(struct verdict *v, const struct facts *f)
{
	struct buf text = {0};

	buf_add(&text, f->message, bounded(f->message));
	buf_byte(&text, '\n');
	if (f->stack != NULL)
		buf_add(&text, f->stack, bounded(f->stack));
	for (size_t i = 0; i < f->r->count; i++) {
		const struct message_rule *m = &f->r->message[i];
		if (m->broken && f->asserts)
			continue;
		for (size_t p = 0; p < m->count; p++) {
			/* What stands in the stack is where, and only seldom what. */
			if (!matches(
				m->any[p], text.data, m->broken ? text.len : bounded(f->message)))
				continue;
			for (int o = 0; o < OWNERS; o++)
				v->odds[o] *= m->odds[o];
			v->ids = jv_array_append(v->ids, jv_string(m->id));
			break;
		}
	}
	buf_free(&text);
}

static size_t
list_length(jv obj, const char *name)
{
	jv list = jvx_get(obj, name);
	size_t n = 0;

	if (jv_get_kind(list) == JV_KIND_ARRAY)
		n = (size_t)jv_array_length(jv_copy(list));
	jv_free(list);
	return n;
}

/* What was seen to happen, whatever the message makes of it. */
static void
judge_trace(struct verdict *v, const struct facts *f)
{
	for (size_t i = 0; i < f->r->trace_count; i++) {
		const struct trace_rule *t = &f->r->trace[i];
		if (list_length(f->seen, t->fact) == 0)
			continue;
		for (int o = 0; o < OWNERS; o++)
			v->odds[o] *= t->odds[o];
		v->ids = jv_array_append(v->ids, jv_string(t->id));
	}
}

static void
judge_diff(struct verdict *v, const struct facts *f)
{
	size_t product = list_length(f->diff, "product_files");
	size_t renamed = list_length(f->diff, "renamed_literals");
	size_t removed = list_length(f->diff, "removed_literals_in_test");
	bool test = jvx_true(f->diff, "touches_test") || jvx_true(f->diff, "touches_helper");

	if (list_length(f->diff, "files") == 0)
		return;
	if (renamed > 0)
		fire(v, "diff.renamed_literal", 1, 25, 1);
	else if (removed > 0)
		fire(v, "diff.removed_literal", 1, 7, 1);
	if (jvx_true(f->diff, "touches_stack"))
		fire(v, "diff.in_stack", 5, 1, 0.6);
	if (product > 0 && test)
		fire(v, "diff.product_and_test", 1.6, 1.3, 0.6);
	else if (product > 0)
		fire(v, "diff.product", f->intermittent ? 1.7 : 3, 1, 0.6);
	else if (test)
		fire(v, "diff.test_only", 0.5, 5, 0.6);
	else if (jvx_true(f->diff, "touches_config"))
		fire(v, "diff.config_only", 0.5, 0.6, 4);
}

/* The lines of source up to the one that failed, and that one: snippets mark it with '>'. */

struct lines {
	const char *from, *failed, *end; /* failed: its start */
	size_t failed_len;
};

static const char *
code_of(const char *line, const char *end)
{
	const char *p = line;

	while (p < end && (*p == ' ' || *p == '>'))
		p++;
	const char *digits = p;
	while (p < end && isdigit((unsigned char)*p))
		p++;
	if (p > digits && p + 1 < end && p[0] == ' ' && p[1] == '|')
		return p + 2;
	return digits;
}

static bool
marked(const char *snippet, struct lines *l)
{
	const char *p = snippet;

	while (p != NULL && *p != '\0') {
		const char *eol = strchrnul(p, '\n'), *t = p;
		while (t < eol && *t == ' ')
			t++;
		if (t < eol && *t == '>') {
			const char *code = code_of(t, eol);
			*l = (struct lines){snippet, code, eol, (size_t)(eol - code)};
			return true;
		}
		p = *eol == '\0' ? NULL : eol + 1;
	}
	return false;
}

/* In the source the failing line is the one with the snippet's text; else its last expect. */
static bool
locate(const struct facts *f, struct lines *l)
{
	struct lines in_snippet;
	bool known = marked(f->snippet, &in_snippet);
	const char *found = NULL;

	if (f->source == NULL) {
		*l = in_snippet;
		return known;
	}
	if (known) {
		const char *code = in_snippet.failed;
		size_t len = in_snippet.failed_len;
		while (len > 0 && isspace((unsigned char)*code))
			code++, len--;
		while (len > 0 && isspace((unsigned char)code[len - 1]))
			len--;
		if (len > 0)
			found = memmem(f->source, strlen(f->source), code, len);
		if (found == NULL) {
			*l = in_snippet;
			return true;
		}
	} else {
		for (const char *p = f->source; (p = strstr(p, "expect(")) != NULL; p++)
			found = p;
	}
	if (found == NULL)
		return false;
	while (found > f->source && found[-1] != '\n')
		found--;
	const char *eol = strchrnul(found, '\n');
	*l = (struct lines){f->source, found, eol, (size_t)(eol - found)};
	return true;
}

/* The last line before at, from from on, that has this shape; NULL: none. */
static const char *
last_before(const struct facts *f, enum shape s, const char *from, const char *at)
{
	const char *last = NULL, *p = from;

	while (p < at) {
		const char *eol = memchr(p, '\n', (size_t)(at - p));
		if (eol == NULL)
			eol = at;
		const char *code = code_of(p, eol);
		if (matches(f->r->shape[s], code, (size_t)(eol - code)))
			last = p;
		p = eol + 1;
	}
	return last;
}

/* "expect(total)", "expect(await body.total)": where the variable got its value, before. */
static const char *
value_from(const struct lines *l, size_t *len)
{
	const char *p = memmem(l->failed, l->failed_len, "expect", 6),
		   *end = l->failed + l->failed_len;
	char name[64] = "";
	size_t n = 0;

	if (p == NULL || (p = memchr(p, '(', (size_t)(end - p))) == NULL)
		return NULL;
	for (p++; p < end && (*p == '(' || *p == ' ' || strncmp(p, "await ", 6) == 0);)
		p += *p == 'a' ? 6 : 1;
	while (p < end && n < sizeof name - 1 && (isalnum((unsigned char)*p) || *p == '_'))
		name[n++] = *p++;
	if (n == 0)
		return NULL;
	const char *found = NULL, *line = l->from;
	while (line < l->failed) {
		const char *eol = memchr(line, '\n', (size_t)(l->failed - line));
		if (eol == NULL)
			break;
		for (const char *c = line; c + n < eol; c++) {
			if (memcmp(c, name, n) != 0 ||
			    (c > line && (isalnum((unsigned char)c[-1]) || c[-1] == '_')))
				continue;
			const char *eq = c + n;
			while (eq < eol && (*eq == ' ' || *eq == '}' || *eq == ']' || *eq == ','))
				eq++;
			if (eq + 1 < eol && eq[0] == '=' && eq[1] != '=') {
				found = line;
				*len = (size_t)(eol - line);
			}
		}
		line = eol + 1;
	}
	return found;
}

/*
 * An assertion that looks once, at something that a thing done to the page just before will change
 * when it is done.  Right as often as the machine is fast.
 */
static bool
reads_too_early(const struct facts *f)
{
	struct lines l;
	size_t len = 0;

	if (f->said.retrying || !locate(f, &l))
		return false;
	const char *read = l.failed;
	size_t read_len = l.failed_len;
	bool at_once = matches(f->r->shape[READS], read, read_len);
	bool fetched = matches(f->r->shape[FETCHES], read, read_len);
	if (!at_once && !fetched) {
		read = value_from(&l, &len);
		if (read == NULL)
			return false;
		read_len = len;
		at_once = matches(f->r->shape[READS], read, read_len);
		fetched = matches(f->r->shape[FETCHES], read, read_len);
		if (!at_once && !fetched) { /* body = await response.json(), response = await … */
			struct lines again = {l.from, read, read + read_len, read_len};
			const char *from = memmem(read, read_len, "await ", 6);
			(void)from;
			const char *earlier = last_before(f, FETCHES, again.from, read);
			if (earlier == NULL || memmem(read, read_len, ".json(", 6) == NULL)
				return false;
			read = earlier;
			fetched = true;
		}
	}
	const char *act = last_before(f, ACTS, l.from, read);
	const char *wait = last_before(f, WAITS, l.from, read);
	return act != NULL && (wait == NULL || wait < act);
}

/* The time that ran out is a number that the test itself wrote, and less than what it would get. */
static bool
own_budget(const struct facts *f)
{
	char text[32];
	double ms = f->said.timeout_ms;

	if (ms <= 0 || ms > 1e7 || (f->said.retrying ? ms >= 5000 : ms >= 30000))
		return false;
	snprintf(text, sizeof text, "%.0f", ms);
	const char *in[] = {f->source, f->snippet};
	for (int i = 0; i < 2; i++)
		for (const char *p = in[i]; p != NULL && (p = strstr(p, text)) != NULL; p++)
			if ((p == in[i] || !isdigit((unsigned char)p[-1])) &&
			    !isdigit((unsigned char)p[strlen(text)]))
				return true;
	if (ms >= 1000 && ms - 1000 * (double)(long)(ms / 1000) < 1) { /* 2_000 */
		snprintf(text, sizeof text, "%ld_000", (long)(ms / 1000));
		return (f->source != NULL && strstr(f->source, text) != NULL) ||
		       (f->snippet != NULL && strstr(f->snippet, text) != NULL);
	}
	return false;
}

static int
by_byte(const void *a, const void *b)
{
	return *(const unsigned char *)a - *(const unsigned char *)b;
}

/* The same things, in another order. */
static bool
reordered(const char *a, const char *b)
{
	char x[512], y[512];
	size_t n = 0, m = 0;
	bool list = false;

	if (a == NULL || b == NULL || strcmp(a, b) == 0)
		return false;
	for (; *a != '\0' && n < sizeof x; a++) {
		list = list || *a == ',';
		if (!isspace((unsigned char)*a) && *a != ',')
			x[n++] = *a;
	}
	for (; *b != '\0' && m < sizeof y; b++)
		if (!isspace((unsigned char)*b) && *b != ',')
			y[m++] = *b;
	if (!list || n != m || n < 4 || n == sizeof x)
		return false;
	qsort(x, n, 1, by_byte);
	qsort(y, n, 1, by_byte);
	return memcmp(x, y, n) == 0;
}

static bool
is_number(const char *text, double *n)
{
	char *end;

	if (text == NULL)
		return false;
	*n = strtod(text, &end);
	return end != text && *end == '\0';
}

/* More is there than the test made, and the test takes nothing away: somebody left it. */
static bool
left_over(const struct facts *f)
{
	double expected, actual;
	const char *source = f->source != NULL ? f->source : f->snippet;

	return is_number(f->said.expected, &expected) && is_number(f->said.actual, &actual) &&
	       actual > expected && actual < 100 && source != NULL &&
	       (f->said.retrying ||
		   (f->said.matcher != NULL && strcasestr(f->said.matcher, "length") != NULL)) &&
	       !has(f, REMOVES, source) && !has(f, CREATES, source);
}

static bool
is_test_file(const char *file)
{
	static const char *const marks[] = {".spec.", ".test.", "_test.", "test_", "/test/",
	    "/tests/", "__tests__", "/e2e/", "/cypress/", "Test.java", "Tests.cs", "Spec.",
	    "tests/", "test/", "e2e/", "specs/", "fixtures/", "helpers/", "support/",
	    "page-objects/"};

	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (strstr(file, marks[i]) != NULL)
			return true;
	return false;
}

static bool
programming_error(const struct failmsg *m)
{
	static const char *const types[] = {"TypeError", "ReferenceError", "RangeError",
	    "SyntaxError", "NullPointerException", "IndexOutOf", "ClassCast", "IllegalState",
	    "AttributeError", "KeyError", "IndexError", "NameError"};

	for (size_t i = 0; m->type != NULL && i < sizeof types / sizeof *types; i++)
		if (strstr(m->type, types[i]) != NULL)
			return true;
	return false;
}

static void
judge_throw(struct verdict *v, const struct facts *f)
{
	if (f->asserts || f->own.len == 0)
		return;
	bool test = is_test_file(f->own.data);
	if (!test && f->file != NULL) {
		const char *base = strrchr(f->file, '/');
		test = strstr(f->own.data, base == NULL ? f->file : base + 1) != NULL;
	}
	if (!test)
		fire(v, "stack.product_threw", 6, 0.6, 0.7);
	else if (programming_error(&f->said))
		fire(v, "stack.test_threw", 0.8, 3, 0.5);
}

static void
judge_time(struct verdict *v, const struct facts *f)
{
	if (f->said.timeout_ms <= 0)
		return;
	if (own_budget(f)) {
		fire(v, "error.own_budget", 0.7, 8, 0.8);
	} else if (f->said.whole_test && f->said.locator == NULL && f->said.matcher == NULL) {
		fire(v, "error.test_timeout", 0.8, 1, 4);
	} else if (f->said.whole_test) {
		fire(v, "error.test_timeout_waiting", 1, 1.6, 1.2);
	} else if (!f->said.retrying && f->said.call != NULL && f->said.locator != NULL) {
		fire(v, "error.element_timeout", 1, 2.2, 0.4);
	} else if (!f->said.retrying && f->said.call != NULL) {
		fire(v, "error.call_timeout", 1, 0.8, 2);
	}
}

static void
judge_assertion(struct verdict *v, const struct facts *f)
{
	const char *actual = f->said.actual, *source = f->source != NULL ? f->source : f->snippet;

	if (!f->asserts)
		return;
	if (!f->server_gone)
		v->odds[ENVIRONMENT] *= 0.2; /* the run got as far as a value */
	if (reads_too_early(f)) {
		fire(v, "source.reads_too_early", 0.5, 9, 1);
		return;
	}
	if (left_over(f)) {
		fire(v, "source.left_over", 0.8, 4, 1);
		return;
	}
	if (reordered(f->said.expected, actual)) {
		if (has(f, ORDERS, source) || has(f, ORDERS, f->title))
			fire(v, "error.order_is_the_subject", 3, 1, 1);
		else
			fire(v, "error.order_assumed", 0.8, 4, 1);
		return;
	}
	bool absent = actual == NULL || has(f, ABSENT, actual);
	if (f->said.retrying && absent)
		fire(v, "error.not_there", f->intermittent ? 1.6 : 1.1, 1.3, 1);
	else if (f->said.retrying)
		fire(v, "error.wrong_value_after_waiting", 4, 1, 1);
	else
		fire(v, "error.wrong_value", 2.5, 1, 1);
}

static void
judge_source(struct verdict *v, const struct facts *f)
{
	const char *source = f->source != NULL ? f->source : f->snippet;

	if (source == NULL)
		return;
	if (has(f, SLEEPS, source))
		fire(v, "source.sleeps", 0.8, f->intermittent ? 6 : 2, 1);
	if (has(f, NO_AWAIT, source))
		fire(v, "source.no_await", 0.8, 5, 1);
	if (has(f, CHANCE, source) && !f->said.retrying)
		fire(v, "source.chance", 0.9, f->intermittent ? 3 : 1.5, 1);
	if (has(f, PICKS, source))
		fire(v, "source.picks", 1, 1.4, 1);
	if (f->intermittent && f->asserts &&
	    (has(f, CONCURRENT, f->title) || has(f, CONCURRENT, source)))
		fire(v, "source.concurrency_is_the_subject", 2.2, 1, 1);
}

static void
judge_group(struct verdict *v, const struct facts *f)
{
	if (f->group >= 5 && !f->asserts)
		fire(v, "group.many", 1, 0.8, 2.5);
}

/* Behaviour. */

struct behaviour {
	double deterministic, intermittent, unknown;
	const char *id;
};

static bool
mixed(const char *letters)
{
	return strchr(letters, 'P') != NULL && strpbrk(letters, "FT") != NULL;
}

static struct behaviour
behave(const char *runs, const char *attempts, bool novel)
{
	size_t runs_n = flake_runs(runs), streak = flake_streak(runs), flips = flake_flips(runs);
	size_t tries = strlen(attempts);
	char last = runs[0] == '\0' ? 0 : runs[strlen(runs) - 1];

	if (mixed(attempts) || last == 'X')
		return (struct behaviour){0.03, 0.97, 0, "attempts.mixed"};
	if (streak == 0 && runs_n > 0)
		return (struct behaviour){0.1, 0.9, 0, "history.passed_now"};
	if (runs_n <= 1) {
		if (tries > 1)
			return (struct behaviour){0.8, 0.15, 0.05, "attempts.all_failed"};
		return (struct behaviour){0.3, 0.2, 0.5, "attempts.one"};
	}
	/* The step into the streak is no sign that the test alternates. */
	size_t before = flips - (flips > 0 && streak < runs_n);
	if (streak >= 3)
		return (struct behaviour){0.94, 0.06, 0, "history.streak"};
	if (streak == 2)
		return before >= 3 && tries < 2 && !novel
			   ? (struct behaviour){0.45, 0.55, 0, "history.alternates"}
			   : (struct behaviour){0.82, 0.18, 0, "history.streak"};
	if (before == 0)
		return tries > 1 ? (struct behaviour){0.88, 0.12, 0, "attempts.all_failed"}
				 : (struct behaviour){0.6, 0.4, 0, "history.first_failure"};
	if (novel && tries > 1)
		return (struct behaviour){0.75, 0.25, 0, "error.new_reason"};
	if (tries > 2 && before < 3)
		return (struct behaviour){0.6, 0.4, 0, "attempts.all_failed"};
	return (struct behaviour){0.2, 0.8, 0, "history.alternates"};
}

/* The whole. */

static void
read_facts(struct facts *f, jv error, jv source, jv history, jv group, jv analysis)
{
	f->message = jvx_text(error, "message");
	f->stack = jvx_text(error, "stack");
	f->snippet = jvx_text(error, "snippet");
	f->source = jvx_text(source, "text");
	f->file = jvx_text(analysis, "file");
	f->title = jvx_text(analysis, "title");
	if (f->message == NULL)
		f->message = "";
	failmsg_read(f->message, bounded(f->message), &f->said);
	const char *expected = jvx_text(error, "expected"), *actual = jvx_text(error, "actual");
	if (f->said.expected == NULL && expected != NULL)
		f->said.expected = prog_copy(expected, strlen(expected));
	if (f->said.actual == NULL && actual != NULL)
		f->said.actual = prog_copy(actual, strlen(actual));
	f->asserts = f->said.matcher != NULL || f->said.expected != NULL ||
		     (f->said.type != NULL && strstr(f->said.type, "Assert") != NULL);
	const char *stack = f->stack != NULL ? f->stack : f->message;
	signature_frame(stack, bounded(stack), &f->own);
	f->runs = jvx_text(history, "runs");
	f->attempts = jvx_text(analysis, "attempts");
	if (f->runs == NULL)
		f->runs = "";
	if (f->attempts == NULL)
		f->attempts = "";
	f->novel = jvx_true(error, "sig_novel");
	f->group = jvx_number(group, "size", 1);
	f->server_gone =
	    list_length(f->seen, "unreachable") + list_length(f->seen, "gateway_error") > 0;
}

static jv
probabilities(
    const double *p, const char *const *names, int count, const char **best, double *share)
{
	double sum = 0;
	int top = 0;
	jv out = jv_object();

	for (int i = 0; i < count; i++)
		sum += p[i];
	for (int i = 0; i < count; i++) {
		/* Four digits: what is beyond them nobody has measured. */
		double rounded = (double)(long)(p[i] / sum * 10000 + 0.5) / 10000;
		out = jvx_set_number(out, names[i], rounded);
		if (p[i] > p[top])
			top = i;
	}
	*best = names[top];
	*share = p[top] / sum;
	return out;
}

jv
triage_rules_prior(const struct triage_rules *r, jv analysis)
{
	static const char *const behaviour_name[] = {"deterministic", "intermittent", "unknown"};
	jv error = jvx_get(analysis, "error"), source = jvx_get(analysis, "test_source");
	jv history = jvx_get(analysis, "history"), group = jvx_get(analysis, "group");
	jv trace = jvx_get(analysis, "trace");
	struct facts f = {
	    .r = r, .diff = jvx_get(analysis, "diff"), .seen = jvx_get(trace, "facts")};
	struct verdict v = {.ids = jv_array()};
	const char *owner, *behaviour;
	double owner_share, behaviour_share;

	read_facts(&f, error, source, history, group, analysis);
	struct behaviour b = behave(f.runs, f.attempts, f.novel);
	f.intermittent = b.intermittent > b.deterministic;
	memcpy(v.odds, owner_odds, sizeof v.odds);
	if (*f.message == '\0') {
		v.odds[UNKNOWN] = 4; /* nothing was said */
		v.ids = jv_array_append(v.ids, jv_string("error.none"));
	} else {
		judge_messages(&v, &f);
		judge_throw(&v, &f);
		judge_time(&v, &f);
		judge_assertion(&v, &f);
		judge_source(&v, &f);
		judge_group(&v, &f);
	}
	judge_diff(&v, &f);
	judge_trace(&v, &f);
	v.ids = jv_array_append(v.ids, jv_string(b.id));

	const double bp[] = {b.deterministic, b.intermittent, b.unknown};
	jv prior = jvx_set(jv_object(), "owner_p",
	    probabilities(v.odds, owner_name, OWNERS, &owner, &owner_share));
	prior = jvx_set(prior, "behaviour_p",
	    probabilities(bp, behaviour_name, 3, &behaviour, &behaviour_share));
	prior = jvx_set_text(prior, "owner", owner);
	prior = jvx_set_text(prior, "behaviour", behaviour);
	double both = owner_share * behaviour_share;
	prior = jvx_set_number(prior, "confidence", (double)(long)(both * 10000 + 0.5) / 10000);
	prior = jvx_set(prior, "rule_ids", v.ids);
	failmsg_free(&f.said);
	buf_free(&f.own);
	jv_free(f.diff);
	jv_free(f.seen);
	jv_free(trace);
	jv_free(error);
	jv_free(source);
	jv_free(history);
	jv_free(group);
	return prior;
}
