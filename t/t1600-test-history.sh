#!/bin/sh
# test-history: real reports of three versions of Playwright, in three forms, against the suite's source.
# shellcheck disable=SC1111,SC2317 # a title has such quotes; functions are called by ok
. "$(dirname "$0")/lib.sh"
real=$top/t/t1600-test-history
for f in "$real"/*.gz; do gzip -dc "$f" >"$(basename "$f" .gz)"; done
cp "$real"/*.zip .

# By hand from cart.spec.ts and state.spec.ts, with one retry; the project decides one test.
expected() { # PROJECT BASKET-OUTCOME BASKET-ATTEMPTS
	cat <<-END
	$1|cart.spec.ts|basket|adds	$2	$3
	$1|cart.spec.ts|cart|adds	pass	P
	$1|cart.spec.ts|cart|removes	flaky	FP
	$1|cart.spec.ts|cart|takes 1 of them	pass	P
	$1|cart.spec.ts|cart|takes 2 of them	pass	P
	$1|cart.spec.ts|cart|totals	fail	FF
	$1|cart.spec.ts|räumt „alles“ <leer> & 🛒 auf	pass	P
	$1|state.spec.ts|behind a broken hook|first	fail	FF
	$1|state.spec.ts|behind a broken hook|second	none	SS
	$1|state.spec.ts|ends late once	flaky	TP
	$1|state.spec.ts|fails, as said	pass	P
	$1|state.spec.ts|never ends	fail	TT
	$1|state.spec.ts|not yet	skip	S
	$1|state.spec.ts|one after another|breaks	fail	FF
	$1|state.spec.ts|one after another|is not reached	none	SS
	$1|state.spec.ts|passes, against what was said	fail	FF
	$1|state.spec.ts|soft	fail	FF
	$1|state.spec.ts|throws	fail	FF
	$1|state.spec.ts|to be mended	skip	S
	END
}
{ expected alpha pass P; expected beta fail FF; } | sort >want
table() { # REPORT...: test, outcome and attempts in the newest run
	test-history "$@" >table.out || return
	jq -r 'select(.type == "history") | [(.test_id | gsub("\u001f"; "|")), .entries[-1].outcome, .entries[-1].seq] | @tsv' \
		table.out | sort
}
same() { table "$@" >got && diff -u want got; }
for v in 1.38 1.49 1.65; do
	ok "$v: the json report" same v$v-all.json
	ok "$v: the blob report" same v$v-all.zip
done
# XML: what passed in the end has no attempts before it, and what was not tried has no attempt.
sed 's/	flaky	.P/	pass	P/; s/	none	SS/	none	/' want >want.xml
in_xml() { table "$1" >got && diff -u want.xml got; }
ok '1.65: JUnit, the same ids and outcomes' in_xml v1.65-all.xml
ok '1.49: JUnit' in_xml v1.49-all.xml
ok '1.38: JUnit' in_xml v1.38-all.xml
ok 'and says that attempts are hidden there' sh -c 'test-history v1.65-all.xml | jq -s -e "
	[.[] | select(.type == \"attempt\" and .status == \"P\") | .attempts_known] | unique == [false]"'

ids() { test-history -i r "$1" | jq -c 'select(.type == "history") | [.test_id, .entries[-1].outcome]'; }
same_outcomes() { ids "$1" >a && ids "$2" >b && diff -u a b; }
ok 'a run cut by max-failures: JSON and JUnit agree' same_outcomes v1.65-max.json v1.65-max.xml
ok 'interrupted and not started are no evidence' sh -c 'test-history v1.65-max.json | jq -s -e "
	[.[] | select(.type == \"test_run\") | [.tests, .pass, .fail, .flaky, .skip, .none]] == [[38, 2, 2, 0, 4, 30]]"'
ok 'repeats are no retries: each has its own' sh -c 'test-history v1.65-repeat.json | jq -s -e "
	[.[] | select(.type == \"attempt\" and .title_path[-1] == \"removes\") | [.repeat, .retry, .status]]
	== [[0,0,\"F\"],[0,1,\"P\"],[1,0,\"F\"],[1,1,\"P\"]]"'
ok 'and the blob says the same' same_outcomes v1.65-repeat.json v1.65-repeat.zip
shards() {
	test-history v1.65-shard-1.zip v1.65-shard-2.zip >sh.out && test-history v1.65-merged.json >merged.out &&
	jq -s -e '[.[] | select(.type == "attempt").run_id] | unique | length == 1' sh.out &&
	for f in sh merged; do
		jq -c 'select(.type == "history") | [.test_id, .entries[].outcome, .entries[].seq]' $f.out >$f.tests
	done && diff sh.tests merged.tests
}
ok 'two shards are one run, and what merge-reports makes of them' shards
ok 'a broken setup is no test, and is told' sh -c 'test-history v1.65-setup.json | jq -s -e "
	[.[] | select(.type == \"run_error\").error.message] == [\"Error: server is down\"]"'
ok 'a gate says no to it' exits 1 test-history -g v1.65-setup.zip
ok 'and has nothing against tests that fail' exits 0 test-history -g v1.65-all.json
attempt() { jq -s -e "map(select(.type == \"attempt\" and .project == \"alpha\" and .title_path[-1] == \"$1\")) | $2" out; }
test-history -i 7 -c abc -b main v1.65-all.json >out
ok 'an attempt: whose, what and when' attempt removes '.[0] | .run_id == "7" and .commit == "abc" and .branch == "main"
	and .status == "F" and .expected == "P" and .retry == 0 and .line == 4 and .source == "playwright-json" and
	.tool_version == "playwright 1.65.1" and .worker == 0 and .duration_ms == 45 and
	.started_at == "2026-11-30T23:52:53.451Z" and .run_start == "2026-11-30T23:52:49.023Z"'
ok 'its error, without escapes, relative to the root' attempt removes '.[0].error | .location ==
	{"file": "cart.spec.ts", "line": 4, "column": 90} and (.message | startswith("Error: wrong on the first attempt\n\nexpect(received).toBe(expected)"))
	and (.stack | contains("at cart.spec.ts:4:90")) and (.snippet | contains("[3") | not)'
sorted() { jq -s -e 'length > 80 and ([.[] | .. | objects | keys_unsorted == keys] | all)' out; }
ok 'keys are in order, at every depth' sorted
ok 'what passes against expectation gets words, and they are ours' attempt 'passes, against what was said' \
	'.[0] | .status == "P" and .expected == "F" and .error.synthetic'
ok 'all errors are counted' attempt soft '.[0].errors_n == 2'
ok 'JUnit: retries are in the text' sh -c 'test-history v1.65-all.xml | jq -s -e "
	map(select(.type == \"attempt\" and .project == \"beta\" and .title_path[-1] == \"adds\" and .status == \"F\")) |
	map([.retry, .error.location.line, .attempts_known]) == [[0, 9, true], [1, 9, true]]"'

# A run that kept the traces of what failed (its source stands beside them): where they are, each report says.
shop=$top/t/t1695-triage-traces
gzip -dc "$shop/results.json.gz" >shop.json
gzip -dc "$shop/results.xml.gz" >shop.xml
cp "$shop/report.zip" shop.zip
traced() { test-history "$1" | jq -r 'select(.type == "attempt" and .status != "P") | [.project, .title_path[-1], .retry, .trace] | @tsv' | sort; }
ok 'JSON says where the trace of an attempt is' sh -c 'test-history shop.json | jq -s -e "
	map(select(.type == \"attempt\")) | map(select(.trace)) | length == 11 and
	(.[] | select(.project == \"phone\" and .retry == 1).trace) == \"/tmp/shop/test-results/shop-shop-shows-the-total-phone-retry1/trace.zip\""'
traced shop.json | sed 's|/tmp/shop/|../|' >want
ok 'JUnit says it too, in its text' sh -c 'test-history shop.xml | jq -r "select(.type == \"attempt\" and .status != \"P\") |
	[.project, .title_path[-1], .retry, .trace] | @tsv" | sort >got; grep -v "comes late" want | diff -u - got'
ok 'and a blob, by the name that is in it' sh -c 'test-history shop.zip | jq -s -e "
	map(select(.type == \"attempt\").trace | values | test(\"^resources/[0-9a-f]{40}[.]zip$\")) | length == 11 and all"'
done_testing
