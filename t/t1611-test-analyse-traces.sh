#!/bin/sh
# test-analyse -T: whose each trace is, and what it shows; by hand, and on a run of Playwright.
# shellcheck disable=SC2317 # functions are called by ok
. "$(dirname "$0")/lib.sh"

# attempt PROJECT TITLE RETRY STATUS SECOND [PATH]
attempt() {
	printf '{"type":"attempt","run_id":"r","run_start":"2026-01-01T00:00:00.000Z","test_id":"%s %s","project":"%s","file":"a.spec.ts","line":1,"title_path":["shop","%s"],"repeat":0,"retry":%s,"status":"%s","attempts_known":true,"started_at":"2026-01-01T00:00:%02d.000Z","duration_ms":5000,"error":{"message":"Error: no"}' \
		"$1" "$2" "$1" "$2" "$3" "$4" "$5"
	[ -z "${6-}" ] || printf ',"trace":"%s"' "$6"
	printf '}\n'
}
# trace NAME TITLE SECOND [MEMBERS]: an opener and a test record
trace() {
	printf '{"type":"trace","name":"%s"}\n{"type":"test","ref":"test","titles":["shop","%s"],"title":"%s","file":"/ci/tests/a.spec.ts","line":1,"status":"failed","wall":"2026-01-01T00:00:%02d.010Z"%s}\n' \
		"$1" "$2" "$2" "$3" "${4-}"
}
traces_are() { # WANT: "test:trace:how" of each analysis
	test-analyse -T traces in >out && jq -r 'select(.type == "analysis") | "\(.test_id):\(.trace.name):\(.trace.by)"' out | sort >got
	printf '%s\n' "$@" | diff -u - got
}

attempt a pays 0 F 10 /ci/test-results/pays-a/trace.zip >in
trace dl/test-results/pays-a pays 10 >traces
ok 'by path' traces_are 'a pays:dl/test-results/pays-a:path'
trace 1 pays 10 >traces
ok 'by title' traces_are 'a pays:1:title'
{ trace 1 pays 10; trace r/pays-a pays 10; trace test-results/pays-a pays 10; } >traces
ok 'a path is better than a title, and a longer one better still' traces_are 'a pays:test-results/pays-a:path'
trace test-results/pays-a pays 40 >traces
ok 'a trace of another time is of another run' traces_are 'a pays:null:null'
trace test-results/pays-a pays 4 ',"duration_ms":8000' >traces
ok 'one that began before, in a page that was left open, is not' traces_are 'a pays:test-results/pays-a:path'
trace test-results/pays-a orders 10 >traces
ok 'a trace of another test' traces_are 'a pays:null:null'
trace 1 pays 10 ',"retry":1' >traces
ok 'a trace of another retry' traces_are 'a pays:null:null'
printf '%s\n' '{"type":"trace","name":"test-results/pays-a"}' '{"type":"warning","code":"E_NOTZIP"}' >traces
ok 'a trace that could not be read has a path still' traces_are 'a pays:test-results/pays-a:path'
printf '%s\n' '{"type":"trace","name":"x/y"}' '{"type":"test","ref":"test","status":"failed"}' >traces
ok 'one that says nothing' traces_are 'a pays:null:null'

{ attempt chromium pays 0 F 10; attempt firefox pays 0 F 10; } >in
trace 1 pays 10 ',"browser":"firefox"' >traces
ok 'projects that are called after browsers' traces_are 'chromium pays:null:null' 'firefox pays:1:title'
{ attempt a pays 0 F 10; attempt b pays 0 F 12; } >in
{ trace 1 pays 12; trace 2 pays 10; } >traces
ok 'other projects: by the start' traces_are 'a pays:2:title' 'b pays:1:title'
{ attempt a pays 0 F 10; attempt b pays 0 F 10; } | sed 's/10[.]000Z/09.995Z/' >i
{ attempt a pays 0 F 10; sed -n 2p i | sed 's/09[.]995/10.012/'; } >in
{ trace 1 pays 10; trace 2 pays 10 | sed 's/10[.]010/10.013/'; } >traces
ok 'and no trace begins before its attempt, however near' traces_are 'a pays:1:title' 'b pays:2:title'
sed 's/,"started_at":"[^"]*"//' in >untimed
ambiguous() { test-analyse -T traces untimed >out && jq -s -e '(map(select(.type == "analysis" and .trace)) == []) and
	(map(select(.code == "ambiguous-trace").where) == ["1", "2"])' out; }
ok 'without it the trace is nobody'\''s, and that is told' ambiguous

{ attempt a pays 0 F 10; attempt a pays 1 F 20; } >in
{ trace r1 pays 20 ',"retry":1'; trace r0 pays 10; } >traces
retry() { test-analyse -T traces in | jq -s -e "map(select(.type == \"analysis\"))[0].trace | .name == \"$1\" and .retry == $2"; }
ok 'of two attempts the one whose error is told' retry r0 0
trace r1 pays 20 ',"retry":1' >traces
ok 'else the next that failed' retry r1 1
{ attempt a pays 0 F 10; attempt a pays 1 P 20; } >in
ok 'but never one that passed' traces_are 'a pays:null:null'
ok 'the header counts' sh -c "test-analyse -T traces in | jq -s -e '.[0].traces == {\"read\":1,\"used\":0}'"

# What it shows.
attempt a pays 0 F 10 >in
shows() { # WANT RECORD...: the facts, and the rules that fire for them
	want=$1; shift
	{ trace 1 pays 10; printf '%s\n' "$@"; } >traces
	test-analyse -T traces in | jq -c 'select(.type == "analysis") | [.trace.facts, (.prior.rule_ids | map(select(startswith("trace."))))]' >got
	echo "$want" | diff -u - got
}
page='{"type":"request","ref":"request:1","method":"GET","url":"http://shop:80/","resource_type":"document","status":200}'
q='"type":"request","method":"GET","resource_type":"fetch"'
ok 'nothing' shows '[{},[]]' "$page" "{$q,\"ref\":\"request:2\",\"url\":\"http://shop:80/a\",\"status\":404}"
ok 'a server that is not there' shows '[{"unreachable":["request:2"]},["trace.unreachable"]]' "$page" \
	"{$q,\"ref\":\"request:2\",\"url\":\"http://shop:80/a\",\"failure\":\"net::ERR_CONNECTION_REFUSED\"}"
ok 'but not that of others, nor what was called off' shows '[{},[]]' "$page" \
	"{$q,\"ref\":\"request:2\",\"url\":\"http://ads:80/a\",\"failure\":\"net::ERR_NAME_NOT_RESOLVED\"}" \
	"{$q,\"ref\":\"request:3\",\"url\":\"http://shop:80/a\",\"failure\":\"net::ERR_ABORTED\"}"
ok 'nor what a mock answered' shows '[{},[]]' "$page" "{$q,\"ref\":\"request:2\",\"url\":\"http://shop:80/a\",\"status\":500,\"mocked\":\"fulfilled\"}" \
	'{"type":"graphql","ref":"graphql:1","request":"request:2","outcome":"errors","mocked":"fulfilled","errors":[{"category":"internal"}]}'
ok 'a gateway, a server' shows '[{"gateway_error":["request:3"],"server_error":["request:2"]},["trace.gateway_error","trace.server_error"]]' "$page" \
	"{$q,\"ref\":\"request:2\",\"url\":\"http://shop:80/a\",\"status\":500}" "{$q,\"ref\":\"request:3\",\"url\":\"http://shop:80/a\",\"status\":503}"
ok 'errors in HTTP 200' shows '[{"graphql_denied":["graphql:2"],"graphql_error":["graphql:1"]},["trace.graphql_denied","trace.graphql_error"]]' \
	'{"type":"graphql","ref":"graphql:1","request":"request:2","outcome":"null-data"}' \
	'{"type":"graphql","ref":"graphql:2","request":"request:2","outcome":"errors","errors":[{"category":"auth"}]}' \
	'{"type":"graphql","ref":"graphql:3","request":"request:2","outcome":"errors","expected":true}' \
	'{"type":"graphql","ref":"graphql:4","request":"request:2","outcome":"ok"}'
ok 'a mock that missed what it was for' shows '[{"mock_missed":["route:1"]},["trace.mock_missed"]]' \
	'{"type":"route","ref":"route:1","pattern":"**/a","never":true,"matched":0,"near":["request:2"]}' \
	'{"type":"route","ref":"route:2","pattern":"**/ads","never":true,"matched":0}'
ok 'an exception in the page' shows '[{"page_error":["page_error:1"]},["trace.page_error"]]' '{"type":"page_error","ref":"page_error:1","message":"TypeError: x"}'
owner() { test-analyse "$@" | jq -r 'select(.type == "analysis").prior.owner'; }
is() { [ "$1" = "$2" ] || { echo "wanted $1, got $2"; return 1; }; }
sed 's|Error: no|Error: expect(locator).toHaveText(expected)\\n\\nLocator: l\\nExpected: 1\\nReceived: 2|' in >i && mv i in
{ trace 1 pays 10; echo "$page"; echo "{$q,\"ref\":\"request:2\",\"url\":\"http://shop:80/a\",\"status\":502}"; } >traces
ok 'a wrong value where a gateway gave up is the environment'\''s' is environment "$(owner -T traces in)"
ok 'and without the trace the product'\''s' is app_code "$(owner in)"

# A run of Playwright, in two projects: all traces are found from every report, whatever they are called.
shop=$top/t/t1695-triage-traces
gzip -dc "$shop/results.json.gz" >results.json
gzip -dc "$shop/results.xml.gz" >results.xml
cp "$shop/report.zip" .
trace-unpack report.zip | trace-events | gql-verify >traces
found() { # REPORT HOW MANY
	test-history "$1" | test-analyse -T traces >out && [ "$(jq -r 'select(.type == "analysis") | .trace.by // "none"' out | sort | uniq -c | xargs)" = "$2" ]
}
ok 'its blob report, by path' found report.zip '6 path'
ok 'its JSON report, by title and time' found results.json '6 title'
ok 'JUnit has no times: two projects that failed alike stay without' found results.xml '2 none 3 title'
facts() { test-history "$1" | test-analyse -T traces | jq -c 'select(.type == "analysis") | [.test_id, .trace.retry, .trace.facts]' | sort; }
facts report.zip >want
same_facts() { facts results.json | diff -u want - && grep -q graphql_error want && grep -q unreachable want; }
ok 'the same facts, whichever way' same_facts

# Trouble.
ok 'no such file' exits 2 test-analyse -T gone in
ok 'is told, and the failure is analysed still' grep -q '"type":"analysis"' out
ok 'a bad line costs itself' sh -c '{ echo x; cat traces; } >bad; test-history results.json | test-analyse -T bad >out 2>err; [ $? -eq 2 ] && grep -q "\"by\":\"title\"" out && grep -q "^test-analyse: bad: line 1: " err'
ok 'no trace in it' sh -c ': >none; test-analyse -T none in | jq -s -e ".[0].traces.read == 0"'
done_testing
