#!/bin/sh
# test-history: JUnit as others write it, series of reports, damage, and the history that is carried on.
# shellcheck disable=SC2059,SC2317 # tabs in a format; functions are called by ok
. "$(dirname "$0")/lib.sh"

cases() { # the tests of XML on stdin: id|outcome|attempts, a line each
	test-history -i r >xml.out || return
	jq -r 'select(.type == "history") | [(.test_id | gsub("\u001f"; "|")), .entries[-1].outcome, .entries[-1].seq] | @tsv' xml.out
}
is() { # XML WANT
	printf '%s' "$1" | cases >got || return
	printf "$2" | diff -u - got
}
ok 'Surefire: flaky and rerun children are attempts' is '<?xml version="1.0" encoding="UTF-8"?>
<testsuite xmlns:xsi="x" name="org.acme.CartTest" time="1,234.5" tests="5" errors="0" skipped="1" failures="1">
  <properties><property name="skip" value="x"/></properties>
  <testcase name="passes" classname="org.acme.CartTest" time="0.01"/>
  <testcase name="flaky" classname="org.acme.CartTest" time="0.1">
    <flakyFailure message="expected: &lt;1&gt; but was: &lt;2&gt;" type="org.opentest4j.AssertionFailedError"><stackTrace>at x</stackTrace><system-out>noise</system-out></flakyFailure>
    <flakyError message="connect" type="java.net.ConnectException"><stackTrace>at y</stackTrace></flakyError>
  </testcase>
  <testcase name="fails" classname="org.acme.CartTest" time="0.1">
    <failure message="no" type="java.lang.AssertionError">java.lang.AssertionError: no</failure>
    <rerunFailure message="no" type="java.lang.AssertionError"><stackTrace>again</stackTrace></rerunFailure>
  </testcase>
  <testcase name="times out" classname="org.acme.CartTest"><error message="test timed out after 5000 milliseconds" type="org.junit.runners.model.TestTimedOutException">t</error></testcase>
  <testcase name="skips" classname="org.acme.CartTest"><skipped/></testcase>
</testsuite>' '|org.acme.CartTest|fails\tfail\tFF\n|org.acme.CartTest|flaky\tflaky\tFFP\n|org.acme.CartTest|passes\tpass\tP\n|org.acme.CartTest|skips\tskip\tS\n|org.acme.CartTest|times out\tfail\tT\n'
ok 'and then all attempts of the file are known' sh -c 'jq -s -e "[.[] | select(.type == \"attempt\").attempts_known] | unique == [true]" xml.out'
ok 'class and message of an attempt' sh -c 'jq -s -e "map(select(.type == \"attempt\" and .title_path == [\"flaky\"])) | .[0].error |
	.type == \"org.opentest4j.AssertionFailedError\" and .message == \"expected: <1> but was: <2>\" and .stack == \"at x\"" xml.out'
ok 'Playwright with its retries included' is '<testsuites id="" name="" tests="2"><testsuite name="a.spec.ts" timestamp="2026-01-01T00:00:00.000Z" hostname="web">
<testcase name="[web] a › b" classname="a.spec.ts" time="1"><flakyError message="Test timeout of 30000ms exceeded." type="FAILURE" time="30"><stackTrace>x</stackTrace></flakyError></testcase>
<testcase name="c" classname="a.spec.ts" time="1"><failure message="m" type="FAILURE">t</failure><rerunFailure message="m" type="FAILURE"><stackTrace>x</stackTrace></rerunFailure></testcase>
</testsuite></testsuites>' 'web|a.spec.ts|a|b\tflaky\tTP\nweb|a.spec.ts|c\tfail\tFF\n'
ok 'elsewhere a host is no project (pytest, Vitest)' is '<testsuites><testsuite name="pytest" hostname="ci-7f" timestamp="2026-01-01T02:00:00.123456+02:00" errors="0"><testcase classname="tests.test_a.TestX" name="test_y[1-a]" file="tests/test_a.py" line="3" time="0.1"><failure message="AssertionError: assert 1 == 2">E  assert 1 == 2</failure></testcase></testsuite></testsuites>' '|tests.test_a.TestX|test_y[1-a]\tfail\tF\n'
ok 'a time with its zone' sh -c 'jq -s -e "[.[] | select(.type == \"attempt\").run_start] == [\"2026-01-01T00:00:00.123Z\"]" xml.out'
ok 'gotestsum: the package, the test and its parts' is '<testsuites tests="1"><testsuite tests="1" name="acme/cart" timestamp="2026-01-01T00:00:00Z"><properties><property name="go.version" value="go1"></property></properties><testcase classname="acme/cart" name="TestAdd/two" time="0.0"></testcase></testsuite></testsuites>' '|acme/cart|TestAdd/two\tpass\tP\n'
ok 'jest-junit and mocha: nested suites, a class or none' is '<testsuites name="jest tests"><testsuite name="cart"><testcase classname="cart adds" name="cart adds" time="0.005"/><testsuite name="inner"><testcase name="m" time="0"/></testsuite></testsuite></testsuites>' '|cart adds|cart adds\tpass\tP\n|inner|m\tpass\tP\n'
ok 'the same case twice: repeats, with a warning' is '<testsuite name="s"><testcase classname="c" name="n"><failure>x</failure></testcase><testcase classname="c" name="n"/></testsuite>' '|c|n\tfail\tFP\n'
ok 'told as such' grep -q '"code":"duplicate_test"' xml.out
ok 'latin-1 is read as what it says' is "$(printf '<?xml version="1.0" encoding="ISO-8859-1"?><testsuite name="s"><testcase classname="c" name="\344"/></testsuite>')" '|c|ä\tpass\tP\n'

bad() { # NAME WHY BYTES...: exit 2, that reason, and no attempt or history
	name=$1 why=$2
	shift 2
	printf '%s' "$*" >bad
	refused() { exits 2 test-history bad && [ ! -s out ] && grep -qE "$why" err; }
	ok "$name" refused
}
bad 'a document type is refused' '^test-history: bad: byte [0-9]+: has a document type' '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><testsuite name="&b;"/>'
bad 'XML that is no report' 'no JUnit' '<html><body/></html>'
bad 'XML that ends too early' 'bad: byte [0-9]+: no element found' '<testsuite name="s"><testcase name="a">'
bad 'a conflict marker before all' 'byte 1: a git conflict marker' "<<<<<<< HEAD
{\"config\":{}}"
bad 'a conflict marker within' 'byte 2[0-9]: a git conflict marker' "{\"config\":{},
\"suites\":[
<<<<<<< HEAD
],
=======
],
>>>>>>> x
\"stats\":{}}"
bad 'JSON that is something else' 'no report of Playwright' '{"a":1}'
bad 'JSON that ends too early' 'byte [0-9]+' '{"config":{},"suites":[{"title":"a"'
bad 'nothing' 'byte 1: empty' ''
bad 'something else' 'neither' 'hello'
bad 'a zip that is none' 'E_' "$(printf 'PK\003\004x')"
deep() { { printf '<testsuite name="a">'; i=0; while [ $i -lt 80 ]; do printf '<testsuite name="a">'; i=$((i + 1)); done; } >bad && exits 2 test-history bad && grep -q 'nested over 64' err; }
ok 'suites without end' deep
deepjson() { { printf '{"config":{},"suites":'; head -c 5000 /dev/zero | tr '\0' '['; } >bad && exits 2 test-history bad && [ ! -s out ]; }
ok 'brackets without end' deepjson

# A report of one test, by hand: run START STATUS RESULT...
report() { # START VERDICT STATS RESULT-STATUS...
	printf '{"config":{"rootDir":"/r","metadata":{"gitCommit":{"hash":"%s","branch":"main"}}},"suites":[{"title":"a.spec.ts","file":"a.spec.ts","specs":[{"title":"t","file":"a.spec.ts","line":1,"tests":[{"projectName":"p","expectedStatus":"passed","status":"%s","results":[' "${commit:-c1}" "$2"
	start=$1 stats=$3 retry=0
	shift 3
	for s in "$@"; do
		[ $retry -eq 0 ] || printf ,
		printf '{"status":"%s","retry":%s,"duration":5,"error":{"message":"Error: boom %s"}}' "$s" $retry "$s"
		retry=$((retry + 1))
	done
	printf ']}]}]}],"stats":{"startTime":"%s",%s}}\n' "$start" "$stats"
}
good='"expected":1,"unexpected":0,"flaky":0,"skipped":0'
fail='"expected":0,"unexpected":1,"flaky":0,"skipped":0'
report 2026-01-01T00:00:00Z expected "$good" passed >r1
commit=c2 report 2026-01-02T00:00:00Z unexpected "$fail" failed failed >r2
report 2026-01-03T00:00:00Z flaky '"expected":0,"unexpected":0,"flaky":1,"skipped":0' failed passed >r3
report 2026-01-04T00:00:00Z unexpected "$good" failed >r4
seqs() { jq -s -c '[.[] | select(.type == "history") | .entries[] | [.at[8:10], .outcome, .seq]]' out; }
codes() { jq -r 'select(.type == "warning").code' out | sort | tr '\n' ' '; }
series() { exits 0 test-history "$@" && seqs; }
order() { series r1 r2 r3 r4 >a && series r4 r2 r1 r3 >b && diff a b && [ "$(cat a)" = '[["01","pass","P"],["02","fail","FF"],["03","flaky","FP"],["04","fail","F"]]' ]; }
ok 'a series in any order is one history' order
ok 'order is told' [ "$(codes)" = 'out_of_order out_of_order stats_mismatch ' ]
ok 'the attempts are the newest run'"'"'s' sh -c '[ "$(jq -r "select(.type == \"attempt\").run_start" out)" = 2026-01-04T00:00:00.000Z ]'
ok 'stats that are wrong are told, with both numbers' grep -q 'unexpected: 0 in stats, 1 among the tests' out
cp r1 r1-again
sed 's/"duration":5/"duration":6/' r2 >r2-other
doubles() { exits 0 test-history r1 r1-again r2 r2-other && [ "$(codes)" = 'duplicate_report duplicate_run ' ] && [ "$(seqs)" = '[["01","pass","P"],["02","fail","FF"]]' ]; }
ok 'the same bytes, and the same start' doubles
ok 'one with conflict marks costs itself' sh -c 'printf "<<<<<<< HEAD\n" | cat - r1 >m; test-history r1 m r2 >out 2>err; [ $? -eq 2 ] && [ "$(grep -c "\"type\":\"test_run\"" out)" -eq 1 ] && [ "$(wc -l <err)" -eq 1 ]'

carried() {
	test-history -H r1 r2 >h1 && test-history -H h1 r3 >h2 && test-history -H r4 h2 >h3 &&
	test-history -H r1 r2 r3 r4 | jq -c 'select(.type == "history")' >all && jq -c 'select(.type == "history")' h3 | diff - all
}
ok 'carried from run to run, or read at once: the same' carried
ok 'again is not twice' sh -c 'test-history -H h3 r2 r3 | grep "\"type\":\"history\"" >again; grep "\"type\":\"history\"" h3 | diff - again'
ok 'no text of an error is carried' sh -c '! grep -q boom h3 && grep -q "\"sig\"" h3'
window() { test-history -H -w 2 r1 r2 r3 r4 >out && jq -s -e 'map(select(.type == "history"))[0] | (.entries | length) == 2 and .runs_total == 4 and .first_seen_at == "2026-01-01T00:00:00.000Z"' out; }
ok 'the window bounds entries, not what they began with' window
ok 'other records pass' sh -c 'echo "{\"type\":\"note\",\"x\":1.0}" >n; test-history n r1 | grep -qx "{\"type\":\"note\",\"x\":1.0}"'
badline() { printf '%s\n' '{"type":"history"}' 'x' "$(grep '"history"' h3)" >mixed; exits 2 test-history -H mixed && [ "$(grep -c '"type":"history"' out)" -eq 1 ] && [ "$(wc -l <err)" -eq 2 ]; }
ok 'a bad line of a history costs itself' badline

ok 'no last newline, CRLF' sh -c 'tr -d "\n" <r1 >x; sed "s/\$/\r/" <r1 >y; test-history -i r x | grep -v report >a; test-history -i r y | grep -v report >b; diff a b'
ok 'standard input, named or not' sh -c 'test-history <r1 | grep -q "\"attempt\"" && cat r1 | test-history - | grep -q "\"attempt\""'
ok 'an unreadable file costs itself' sh -c 'test-history gone r1 >out 2>err; [ $? -eq 2 ] && grep -q "\"attempt\"" out && grep -q "^test-history: gone: " err'
ok 'a folder is no report' exits 2 test-history .
ok 'NUL in a title ends nothing' sh -c 'sed "s/\"title\":\"t\"/\"title\":\"a\\\\u0000b\"/" r1 >z; test-history z | grep -q "\"title_path\":\\[\"ab\"\\]"'
cat >wild <<'END'
{"method":"onBlobReportMetadata","params":{"version":2,"shard":{"current":1e300}}}
{"method":"onProject","params":{"project":{"name":"p","suites":[{"title":"a.ts","entries":[{"testId":"t","title":"x","repeatEachIndex":-1e300,"location":{"file":"a.ts","line":1e300,"column":-1}}]}]}}}
{"method":"onTestBegin","params":{"testId":"t","result":{"retry":-1e300,"workerIndex":1e300,"startTime":1e300}}}
{"method":"onTestEnd","params":{"test":{"testId":"t","expectedStatus":"passed"},"result":{"status":"passed","duration":1e300,"errors":[]}}}
END
ok 'numbers that are none are not told' sh -c 'test-history wild | jq -s -e "map(select(.type == \"attempt\")) | .[0] |
	[.repeat, .retry, .line, .worker, .shard, .duration_ms, .started_at] == [0, 0, null, null, null, null, null]"'
big() { { printf '{"config":{},"suites":[{"title":"a","specs":[{"title":"t","tests":[{"projectName":"p","expectedStatus":"passed","status":"expected","results":[{"status":"passed","stdout":[{"text":"'; head -c 10000000 /dev/zero | tr '\0' x; printf '"}]}]}]}]}]}'; } | test-history >out && grep -q '"status":"P"' out && [ "$(wc -c <out)" -lt 5000 ]; }
ok 'ten megabytes of output in one string' big
ok 'a full disk is trouble' exits 2 sh -c 'test-history r1 >/dev/full'
ok 'a closed pipe ends it' sh -c 'test-history r1 r2 r3 | head -1 >/dev/null'
ok 'wrong usage' exits 2 test-history -w 0 r1
ok 'and an option nobody has' exits 2 test-history -z
done_testing
