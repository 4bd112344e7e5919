/* failmsg and signature: what messages say, and which of them are the same. */
#include <stdlib.h>
#include <string.h>

#include "failmsg.h"
#include "signature.h"
#include "tap.h"

static bool
same(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static void
says(const char *message, const char *type, const char *matcher, const char *call,
    const char *expected, const char *actual, const char *locator, double timeout_ms)
{
	struct failmsg m;

	failmsg_read(message, strlen(message), &m);
	if (!tap_ok(same(m.type, type) && same(m.matcher, matcher) && same(m.call, call) &&
			same(m.expected, expected) && same(m.actual, actual) &&
			same(m.locator, locator) && m.timeout_ms == timeout_ms,
		message == NULL ? "" : "a message"))
		printf("# %.60s: type %s, matcher %s, call %s, expected %s, actual %s, locator %s, "
		       "%g\n",
		    message, m.type ? m.type : "-", m.matcher ? m.matcher : "-",
		    m.call ? m.call : "-", m.expected ? m.expected : "-", m.actual ? m.actual : "-",
		    m.locator ? m.locator : "-", m.timeout_ms);
	failmsg_free(&m);
}

static void
normal(const char *text, const char *want)
{
	struct buf b = {0};

	signature_normal(text, strlen(text), &b);
	if (!tap_ok(strcmp(b.data == NULL ? "" : b.data, want) == 0, want))
		printf("# got: %s\n", b.data);
	buf_free(&b);
}

static void
reason(const char *text, const char *want)
{
	struct buf b = {0};

	signature_reason(text, strlen(text), &b);
	if (!tap_ok(strcmp(b.data == NULL ? "" : b.data, want) == 0, want))
		printf("# got: %s\n", b.data);
	buf_free(&b);
}

static void
reasons(void)
{
	reason("turn 3 has \"a \\\"b\\\" c\", not 'd', `e`, \u201cf\u201d or \u00abg\u00bb",
	    "turn <n> has <text>, not <text>, <text>, <text> or <text>");
	reason("it doesn't say what it's for", "it doesn't say what it's for");
	reason("called with {\"a\":[1,\"}\"]} twice", "called with <json> twice");
	reason("called with {\"id\":\"B-10", "called with <json>");
	reason("it says \"cut", "it says <text>");
	reason("words[0] of B-1042", "words[<n>] of B-<n>");
}

enum { SIG = 1, FAMILY = 2 };

static int
alike(const char *a, const char *stack_a, const char *b, const char *stack_b)
{
	struct signature s, t;

	signature_make(&s, a, strlen(a), stack_a, stack_a == NULL ? 0 : strlen(stack_a));
	signature_make(&t, b, strlen(b), stack_b, stack_b == NULL ? 0 : strlen(stack_b));
	int is =
	    (strcmp(s.sig, t.sig) == 0 ? SIG : 0) + (strcmp(s.family, t.family) == 0 ? FAMILY : 0);
	if (is != (SIG | FAMILY))
		printf("# %s\n# %s\n", s.text, t.text);
	signature_free(&s);
	signature_free(&t);
	return is;
}

static void
messages(void)
{
	says("Error: expect(locator).toHaveCount(expected)\n\nLocator: getByTestId('row')\n"
	     "Expected: 2\nReceived: 3\n\nCall log:\n  - expect.toHaveCount with timeout 5000ms\n"
	     "  - waiting for getByTestId('row')",
	    "Error", "toHaveCount", NULL, "2", "3", "getByTestId('row')", 5000);
	says("Error: Timed out 5000ms waiting for expect(locator).not.toBeVisible()\n\n"
	     "Locator: getByRole('dialog', { name: 'Gone (now)' })\nExpected: not visible\n"
	     "Received: visible",
	    "Error", "not.toBeVisible", NULL, "not visible", "visible",
	    "getByRole('dialog', { name: 'Gone (now)' })", 5000);
	says("TimeoutError: locator.click: Timeout 30000ms exceeded.\nCall log:\n"
	     "  - waiting for locator('#go') to be visible",
	    "TimeoutError", NULL, "locator.click", NULL, NULL, "locator('#go')", 30000);
	says("Error: page.goto: net::ERR_CONNECTION_REFUSED at http://localhost:3000/\nCall log:\n"
	     "  - navigating to \"http://localhost:3000/\", waiting until \"load\"",
	    "Error", NULL, "page.goto", NULL, NULL, NULL, 0);
	says("\033[31mTest timeout of 30000ms exceeded.\033[39m", NULL, NULL, NULL, NULL, NULL,
	    NULL, 30000);
	says("\"beforeAll\" hook timeout of 1500ms exceeded.", NULL, NULL, NULL, NULL, NULL, NULL,
	    1500);
	says("Error: strict mode violation: getByRole('button', { name: 'Save' }) resolved to 2 "
	     "elements:\n    1) <button>",
	    "Error", NULL, NULL, NULL, NULL, "getByRole('button', { name: 'Save' })", 0);
	says("Error: expect(received).toEqual(expected) // deep equality\n\n- Expected  - 1\n"
	     "+ Received  + 1\n\n  Object {\n-   \"total\": 4,\n+   \"total\": 3,\n  }",
	    "Error", "toEqual", NULL, "\"total\": 4,", "\"total\": 3,", NULL, 0);
	says("AssertionError: expected 200 to be 201 // Object.is equality", "AssertionError",
	    "to be", NULL, "201", "200", NULL, 0);
	says("AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:\n\n1 !== 2\n",
	    "AssertionError", NULL, NULL, NULL, NULL, NULL, 0);
	says("org.opentest4j.AssertionFailedError: expected: <201> but was: <200>",
	    "org.opentest4j.AssertionFailedError", NULL, NULL, "201", "200", NULL, 0);
	says("java.lang.AssertionError: expected:<[a, b]> but was:<[a]>",
	    "java.lang.AssertionError", NULL, NULL, "[a, b]", "[a]", NULL, 0);
	says("AssertionError: assert 200 == 201", "AssertionError", "==", NULL, "201", "200", NULL,
	    0);
	says("thrown: \"Exceeded timeout of 5000 ms for a test.", NULL, NULL, NULL, NULL, NULL,
	    NULL, 5000);
	says("", NULL, NULL, NULL, NULL, NULL, NULL, 0);
	says("expect(", NULL, NULL, NULL, NULL, NULL, NULL, 0);
}

static void
normal_forms(void)
{
	normal("took 12.5 ms, then 30s", "took <time>, then <time>");
	normal("id 123e4567-e89b-12d3-a456-426614174000 of 42", "id <uuid> of <n>");
	normal("commit 2384bfc0aa and deadbeef", "commit <hex> and deadbeef");
	normal("http://127.0.0.1:3000/api/tasks/17?x=1", "http://<host>/api/tasks/<n>?x=<n>");
	normal("at /home/me/app/tests/a.spec.ts:3:14", "at <path>/a.spec.ts:<n>:<n>");
	normal("C:\\work\\app\\a.ts is h1 of utf8", "<path>\\a.ts is h1 of utf8");
	normal("2026-08-10T07:55:31.000Z at 07:55", "<time> at <time>");
	normal("a \t\n b  ", "a b");
	normal("\033[2mexpect(\033[22mx", "expect(x");
}

int
main(void)
{
	messages();
	normal_forms();
	reasons();
	tap_ok(alike("Error: expect(locator).toHaveText(expected)\n\nLocator: getByText('a')\n"
		     "Expected: \"x\"\nReceived: \"took 3 ms\"\n",
		   NULL,
		   "\033[1mexpect(locator).toHaveText(expected)\n\nLocator: getByText('a')\n"
		   "Expected: \"x\"\nReceived: \"took 45 ms\"\n\nCall log:\n  - 7 × unexpected",
		   NULL) == (SIG | FAMILY),
	    "a prefix, numbers and the call log make no difference");
	tap_ok(
	    alike("Error: boom", "Error: boom\n    at go (/ci/1/app/src/a.ts:3:4)", "Error: boom",
		"Error: boom\n    at x (/ci/2/app/node_modules/x.js:1:1)\n"
		"    at go (/ci/2/app/src/a.ts:9:9)") == (SIG | FAMILY),
	    "the first frame of the project counts, by file and function");
	tap_ok(alike("Error: boom", "Error: boom\n    at go (/app/src/a.ts:3:4)", "Error: boom",
		   "Error: boom\n    at go (/app/src/b.ts:3:4)") == FAMILY,
	    "another place is another failure of the same family");
	tap_ok(alike("Error: expect(locator).toHaveText(expected)\nLocator: getByText('a')\n"
		     "Expected: \"x\"\nReceived: \"y\"",
		   NULL,
		   "Error: expect(locator).toHaveText(expected)\nLocator: getByText('a')\n"
		   "Expected: \"x\"\nReceived: \"Internal error\"",
		   NULL) == FAMILY,
	    "another value is another failure of the same family");
	tap_ok(alike("TypeError: a", NULL, "RangeError: a", NULL) == 0, "a class counts");
	return tap_done();
}
