#!/bin/sh
# trace-events: traces of other clients, of formats nobody can record any more, and of the future, written by
# hand after the description of the format.
. "$(dirname "$0")/lib.sh"
ok 'read' exits 0 trace-events "$top/t/t0220-trace-clients/python.ndjson"
of() { # NAME: the records of that trace
	awk -v name="$1" '/"type":"trace"/ { on = index($0, "\"" name "\"") } on' out
}
has() { # NAME PATTERN...: each pattern is found in one record of that trace
	of "$1" >trace
	shift
	for pattern; do grep -q -e "$pattern" trace || { echo "no $pattern"; cat trace; return 1; }; done
}
ok 'python: the frame that is the user'"'"'s own, on Windows' has python \
	'"api":"expect.toBeEmpty".*"failure_point":true,"file":"C:[^"]*test_cart.py".*"line":16'
ok 'python: its title, locator and values' has python \
	'"locator":"get_by_role(."list.").first".*"received":"notempty".*"title":"LocatorAssertions.to_be_empty"'
ok 'python: one name for all clients' has python '"api":"page.goto".*"title":"Page.goto"'
ok 'python: an end without a beginning is nothing' sh -c '! grep -q call@99 out'
ok 'java: neither title nor stack' has java '"api":"locator.textContent".*"failure_point":true.*"title":"Frame.textContent"'
ok 'java: a wait that never ended' has java '"api":"browserContext.waitForEvent".*"status":"unfinished"'
ok 'the future: warned of, and read on' has future '"code":"future-format"' '"format":10000'
ok 'format 1: an error that is text' has one '"error":"Timeout 20ms exceeded.","failure_point":true'
ok 'format 1: a request without HAR' has one \
	'"method":"POST".*"response_headers":{"a":"1, 2"}.*"status":500,"t":10,'
ok 'format 1: no body where there is none' sh -c '! grep -q missing out'
ok 'a body in another charset' has one "\"of\":\"response\".*\"text\":\"$(printf '\343\203\206\343\202\271')\""
done_testing
