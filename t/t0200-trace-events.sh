#!/bin/sh
# trace-events: the facts that others wrote down about traces hold, and bad input costs itself.
. "$(dirname "$0")/lib.sh"

facts() { # FOLDER: the golden.yaml there, against the trace there
	trace-unpack "$1/trace.zip" >unpacked && trace-events unpacked >told &&
		perl "$top/t/facts.pl" "$1/golden.yaml" <told
}

if [ -d "$TRACES" ]; then
	for yaml in "$TRACES"/*/golden.yaml; do
		dir=${yaml%/golden.yaml}
		ok "facts of ${dir##*/}" facts "$dir"
	done
else
	skip 'facts of traces' "no $TRACES"
fi

# The report of the same run: what it says of its test is told, whatever the trace was renamed to.
if [ -f "$TRACES/mock-wrong-url/results.json" ]; then
	trace-unpack "$TRACES/mock-wrong-url/trace.zip" >unpacked
	ok 'a report is read' exits 0 trace-events -R "$TRACES/mock-wrong-url/results.json" unpacked
	ok 'its project is told' grep -q '"project":"chromium",.*"retry":0,"status":"failed","timeout_ms":12000' out
fi
printf '%s\n' '{"suites":[{"specs":[{"title":"x","tests":[{"expectedStatus":"passed","results":[{"status":"failed",
	"errors":[{"message":"Error: late\n\n> 3 | code","location":{"file":"/a/b.ts","line":3}}],
	"attachments":[{"name":"trace","path":"/a/run-1/trace.zip"}]}]}]}]}]}' >report
printf '%s\n' '{"type":"trace","name":"run-1"}' '{"type":"line","member":"test.trace","n":1,"record":{"type":"context-options","version":8,"origin":"testRunner","wallTime":1000,"monotonicTime":1}}' >in
ok 'an error of the report alone' exits 0 trace-events -R report in
ok 'ends the test' grep -q '"message":"Error: late".*"source":"report".*"terminal":true' out
ok 'and fails it' grep -q '"status":"failed"' out
sed 's/run-1/results\/x-retry2/' in >renamed
ok 'a retry is in the name' sh -c 'trace-events renamed | grep -q "\"retry\":2"'
echo '{"suits":[]}' >report
ok 'no report' exits 2 trace-events -R report in
printf '' >none
ok 'no input is no output' sh -c 'trace-events none >out && [ ! -s out ]'
printf '%s\n' '{"type":"trace","name":"a"}' '{"type":"other", "n":1.0}' '{"type":' \
	'{"type":"line","member":"a.trace","n":1,"record":{"type":"event"}}' >in
ok 'a bad line costs itself' exits 2 trace-events in
ok 'and the place is told' grep -q '^trace-events: in: line 3: ' err
ok 'what is not its own passes' grep -qx '{"type":"other", "n":1.0}' out
printf '{"type":"other"}\r\n{"type":"trace"}' >crlf
ok 'a zip that was not unpacked, and the next file' exits 2 trace-events "$top/golden/passing/trace.zip" crlf
ok 'is told once' sh -c '[ "$(wc -l <err)" -eq 1 ] && grep -q "a zip, and no records: trace-unpack" err'
ok 'which is read' grep -qx '{"type":"other"}' out

ok 'CRLF and no last newline' exits 0 trace-events crlf
ok 'wrong usage' exits 2 trace-events -x
ok 'an unreadable file' exits 2 trace-events nowhere
ok 'a full disk' exits 2 sh -c 'trace-events in >/dev/full'
done_testing
