#!/bin/sh
# triage-traces: evidence stands beside the analysis it is of; triage-sections and triage-verdict take it from there.
# shellcheck disable=SC2016,SC2317 # for shells that are started; functions are called by ok
. "$(dirname "$0")/lib.sh"

# analysis TEST GROUP AMBIGUITY [TRACE]
analysis() {
	printf '{"type":"analysis","test_id":"%s","title_path":["%s"],"outcome":"fail","group":{"id":"%s","size":2},"ambiguity":%s' "$1" "$1" "$2" "$3"
	[ -z "${4-}" ] || printf ',"trace":{"name":"%s","by":"path"}' "$4"
	printf '}\n'
}
{
	echo '{"type":"analysis_header","run_id":"r"}'
	analysis first g1 0.5
	analysis second g1 0.4 r/second
	analysis alone g2 0.9
	analysis late g3 0.1 r/late
	echo '{"type":"analysis","test_id":"fine","outcome":"pass","trace":{"name":"r/fine"}}'
} >analyses
for name in fine late second late other; do
	printf '{"type":"trace","name":"r/%s"}\n{"type":"test","ref":"test","title":"%s"}\n{"ref":"console:1","type":"console","text":"said by %s"}\n' "$name" "$name" "$name"
done >traces
is() { [ "$1" = "$2" ] || { echo "wanted $1, got $2"; return 1; }; }
each() { jq -r "select(.type == \"$1\") | $2"; }

ok 'segments' exits 0 triage-traces analyses traces
cp out joined
ok 'a group each, the most ambiguous first' is 'g2 g1 g3' "$(each trace .name <joined | xargs)"
ok 'the test that has a trace speaks for its group' is 'alone second late' "$(each analysis .test_id <joined | xargs)"
ok 'with its evidence, once, and no other' is 'said by second said by late' "$(each console .text <joined | xargs)"
ok 'byte for byte' sh -c 'grep console:1 joined | grep -vxFf traces | cmp - /dev/null'
ok 'from standard input, too' sh -c 'cat analyses traces | triage-traces | cmp - joined'
ok 'no trace at all' sh -c 'triage-traces analyses >out && [ "$(jq -r .type out | xargs)" = "trace analysis trace analysis trace analysis" ]'
ok 'no input' sh -c 'triage-traces </dev/null | cmp - /dev/null'
ok 'traces without analyses are nobody'\''s' sh -c 'triage-traces traces | cmp - /dev/null'

# The sections of the trace come behind those of the analysis.
untrust-wrap joined | triage-sections >asked
ok 'sections of both' is 'test history test history failure console test history failure console' "$(each section .label <asked | xargs)"
ok 'and the evidence still' is 'said by second said by late' "$(each console .text <asked | xargs)"
ok 'analyses without a segment are asked about as ever' sh -c 'triage-sections analyses | jq -r "select(.type == \"trace\").name" | xargs | grep -qx "g2 g1 g3"'

# Quotes.
{
	printf '{"type":"trace","name":"g1"}\n{"type":"answer","name":"g1","prompt":"triage.v1","model":"m","output":{"owner":"app_code","behaviour":"unknown","confidence":0.9,"reasoning":"r","evidence":['
	printf '{"field":"console","quote":"said  by\\nsecond"},{"field":"console:1","quote":"said…second"},{"field":"console:1","quote":"said by first"},{"field":"console:2","quote":"said"},{"field":"title_path","quote":"second"}]}}\n'
	echo '{"type":"console","ref":"console:1","text":"said by second"}'
} >verdicts
ok 'verdicts' exits 0 triage-verdict asked analyses verdicts
ok 'a section, a record of it, not another'\''s, none, a field of the test that was shown' is 'true true false false true' \
	"$(jq -r 'select(.test_id == "second" and .type == "triage").evidence[].ok' out | xargs)"
ok 'evidence ends here' is 0 "$(each console 1 <out | wc -l)"
ok 'all are accounted for' is '4 2 2' "$(each triage_summary '"\(.selected) \(.classified) \(.unclassified)"' <out)"

# Trouble.
ok 'a bad line costs itself' exits 2 sh -c 'echo x | cat analyses - traces | triage-traces'
ok 'and all else is there' cmp out joined
ok 'no such file' exits 2 triage-traces analyses gone
ok 'a full disk' exits 2 sh -c 'triage-traces analyses traces >/dev/full'
ok 'no place for what is held' exits 2 env TMPDIR="$PWD/gone" triage-traces analyses traces
ok 'CRLF and no last newline' sh -c 'cat analyses traces | sed "s/$/$(printf "\r")/" | head -c -2 | triage-traces | tr -d "\r" | cmp - joined'
awk 'BEGIN { s = "x"; while (length(s) < 10000000) s = s s; printf "{\"type\":\"trace\",\"name\":\"r/late\"}\n{\"type\":\"console\",\"ref\":\"console:1\",\"text\":\"%s\"}\n", s }' >big
tail -n 1 big >last
ok 'a line of 16 MB' sh -c 'triage-traces analyses big | tail -n 1 | cmp - last'
ok 'a closed pipe ends it' sh -c '{ triage-traces analyses big; echo $? >status; } | head -c 10 >/dev/null; [ "$(cat status)" -eq 141 ]'
ok 'wrong usage' exits 2 triage-traces -x
ok 'help' exits 0 triage-traces --help
done_testing
