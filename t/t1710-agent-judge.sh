#!/bin/sh
# agent-judge: eight assertions by rules; the transcripts here are written by hand.
. "$(dirname "$0")/lib.sh"
is() { # WANT GOT
	[ "$1" = "$2" ] || { printf 'got  %s\nwant %s\n' "$2" "$1"; return 1; }
}
of() { jq -r "select(.type == \"$1\") | $2"; } # TYPE FILTER
# A transcript of three turns; the second calls tools, the third is JSON.
cat >transcript <<'END'
{"type":"transcript","scenario":"s","agent":"a","trial":1,"turns":[{"user":"one","reply":"Hello, Ægir.\nOrder 17.","latency_ms":10},{"user":"two","reply":"","tool_calls":[{"name":"find","arguments":{"id":"B-1","n":3,"deep":{"a":[1,2],"b":"x"}}},{"name":"find","arguments":{}}],"latency_ms":200.5},{"user":"three","reply":"{\"total\": 37.05, \"items\": [{\"id\": \"x1\"}, {\"id\": \"x2\"}], \"none\": null}","latency_ms":30}]}
END
scenario() { # EXPECT [MEMBERS]: as JSON
	printf '{"type":"scenario","id":"s","turns":["one","two","three"],"expect":[%s]%s}\n' "$1" "${2-}"
}
# All of them are judged in one go, by ids of their own; what is wanted stands in wants.
case_id=0
: >cases
: >wants
want() { # EXPECT VERDICT
	case_id=$((case_id + 1))
	scenario "$1" | sed "s/\"s\"/\"$case_id\"/" >>cases
	sed "s/\"s\"/\"$case_id\"/" transcript >>cases
	printf '%s\n' "$2" >>wants
}
holds() { want "$1" 'true 1 of 1 assertions hold'; }
not() { want "$1" "false $2"; } # EXPECT REASON
settle() { # NAME: what was wanted so far, a test for each
	agent-judge cases >out
	of judgement '"\(.pass) \(.reason)"' <out >got
	of scenario '.expect | tojson' <cases | tr -d '\134' >names
	paste -d '\1' names wants got >all
	while IFS=$(printf '\1') read -r expect verdict got; do
		ok "$1: $expect" is "$verdict" "$got"
	done <all
	: >cases
	: >wants
}

holds '{"kind":"contains","value":"37.05"}'
holds '{"kind":"contains","value":"Ægir.\nOrder","turn":1}'
not '{"kind":"contains","value":"Order"}' 'the reply of turn 3 does not contain "Order"'
not '{"kind":"contains","value":"order","turn":1}' 'the reply of turn 1 does not contain "order"'
not '{"kind":"contains","value":"a\nb","turn":2}' 'the reply of turn 2 does not contain "a\nb"'
holds '{"kind":"notContains","value":"Refund"}'
not '{"kind":"notContains","value":"Order"}' 'the reply of turn 1 contains "Order"'
holds '{"kind":"notContains","value":"Order","turn":3}'
holds '{"kind":"matches","value":"^\\{.*\\}$"}'
holds '{"kind":"matches","value":"(?i)ORDER \\d+","turn":1}'
holds '{"kind":"matches","value":"^$","turn":2}'
not '{"kind":"matches","value":"^Order","turn":1}' 'the reply of turn 1 does not match "^Order"'
holds '{"kind":"toolCalled","value":{"name":"find"}}'
holds '{"kind":"toolCalled","value":{"name":"find","args":{"id":"B-1"}}}'
holds '{"kind":"toolCalled","value":{"name":"find","args":{"deep":{"b":"x"},"n":3.0}},"turn":2}'
holds '{"kind":"toolCalled","value":{"name":"find","args":{"id":{"$matches":"^B-[0-9]$"},"n":{"$matches":"^3$"}}}}'
holds '{"kind":"toolCalled","value":{"name":"find","args":{"deep":{"$equals":{"a":[1,2],"b":"x"}}}}}'
not '{"kind":"toolCalled","value":{"name":"find","args":{"deep":{"$equals":{"b":"x"}}}}}' 'find was called, but not with {"deep":{"$equals":{"b":"x"}}}'
not '{"kind":"toolCalled","value":{"name":"find","args":{"deep":{"a":[1]}}}}' 'find was called, but not with {"deep":{"a":[1]}}'
not '{"kind":"toolCalled","value":{"name":"find","args":{"n":"3"}}}' 'find was called, but not with {"n":"3"}'
not '{"kind":"toolCalled","value":{"name":"find"},"turn":1}' 'find was not called in turn 1'
not '{"kind":"toolCalled","value":{"name":"fin"}}' 'fin was not called'
holds '{"kind":"toolNotCalled","value":{"name":"cancel"}}'
holds '{"kind":"toolNotCalled","value":{"name":"find"},"turn":3}'
holds '{"kind":"toolNotCalled","value":{"name":"find","args":{"id":"B-2"}}}'
not '{"kind":"toolNotCalled","value":{"name":"find"}}' 'find was called in turn 2 with {"deep":{"a":[1,2],"b":"x"},"id":"B-1","n":3}'
holds '{"kind":"jsonPath","value":{"path":"$.total"}}'
holds '{"kind":"jsonPath","value":{"path":"$.total","equals":37.05}}'
holds '{"kind":"jsonPath","value":{"path":"$.none","equals":null}}'
holds '{"kind":"jsonPath","value":{"path":"$.items[?@.id == '\''x2'\'']","equals":{"id":"x2"}}}'
holds '{"kind":"jsonPath","value":{"path":"$.items[*].id","matches":"^x"}}'
holds '{"kind":"jsonPath","value":{"path":"$.error","exists":false}}'
not '{"kind":"jsonPath","value":{"path":"$.total","exists":false}}' '$.total exists'
not '{"kind":"jsonPath","value":{"path":"$.total","equals":"37.05"}}' '$.total is 37.05, not "37.05"'
not '{"kind":"jsonPath","value":{"path":"$.items[*].id","equals":"x1"}}' '$.items[*].id is "x2", not "x1"'
not '{"kind":"jsonPath","value":{"path":"$.items[*].id","matches":"^y"}}' '$.items[*].id is "x1", which does not match "^y"'
not '{"kind":"jsonPath","value":{"path":"$.nope"}}' '$.nope finds nothing'
not '{"kind":"jsonPath","value":{"path":"$.a"},"turn":1}' 'the reply of turn 1 is no JSON'
holds '{"kind":"maxLatencyMs","value":200.5}'
not '{"kind":"maxLatencyMs","value":200}' 'turn 2 took 200.5 ms, more than 200'
holds '{"kind":"maxLatencyMs","value":200,"turn":3}'
holds '{"kind":"noError"}'
want '' 'true 0 of 0 assertions hold'
want '{"kind":"noError"},{"kind":"toolCalled","value":{"name":"fin"}},{"kind":"jsonPath","value":{"path":"$.nope"}}' \
	'false fin was not called; $.nope finds nothing'
settle verdict
ok 'the last was one of three' is '0.333 3' "$(tail -1 out | jq -r '"\(.score * 1000 | floor / 1000) \(.checks | length)"')"
printf '{"type":"scenario","id":"s","turns":["one",{"user":"two","expect":[{"kind":"toolCalled","value":{"name":"find"}}]},{"user":"three","expect":[{"kind":"contains","value":"Order"}]}]}\n' >in
cat transcript >>in
ok 'at turns' exits 0 agent-judge in
ok 'are about them' is 'true 2|false 3' "$(of judgement '[.checks[] | "\(.ok) \(.turn)"] | join("|")' <out)"

# What would not end, ends, and does not pass.
printf '{"type":"transcript","scenario":"s","turns":[{"reply":"%s!","tool_calls":[{"name":"t","arguments":{"x":"%s!"}}]},{},{"reply":"[\\"%s!\\"]"}]}\n' \
	"$(printf 'a%.0s' $(seq 40))" "$(printf 'a%.0s' $(seq 40))" "$(printf 'a%.0s' $(seq 40))" >slow
cp transcript keep && cp slow transcript
not '{"kind":"matches","value":"^(a+)+$","turn":1}' 'the reply of turn 1 takes too long to match with "^(a+)+$"'
not '{"kind":"toolCalled","value":{"name":"t","args":{"x":{"$matches":"^(a+)+$"}}}}' 't was called, but it takes too long to match with {"x":{"$matches":"^(a+)+$"}}'
not '{"kind":"toolNotCalled","value":{"name":"t","args":{"x":{"$matches":"^(a+)+$"}}}}' 't was called, and takes too long to match'
not '{"kind":"jsonPath","value":{"path":"$[?search(@, '\''^(a+)+$'\'')]","exists":false}}' '$[?search(@, '\''^(a+)+$'\'')] takes too long'
not '{"kind":"maxLatencyMs","value":5}' 'nobody measured turn 1'
settle slow
printf '{"type":"transcript","scenario":"s","turns":[{"reply":"So:\\n```json\\n{\\"a\\":1}\\n```\\n"}]}\n' >transcript
holds '{"kind":"jsonPath","value":{"path":"$.a","equals":1},"turn":1}'
printf '{"type":"transcript","scenario":"s","error":"exit status 3","reason":"crash","turns":[]}\n' >transcript
not '{"kind":"notContains","value":"x"}' 'crash: exit status 3'
settle error
ok 'that is one check' is 'noError false' "$(tail -1 out | jq -r '.checks[] | "\(.kind) \(.ok)"')"
printf '{"type":"transcript","scenario":"s","turns":[{"reply":"x"},{"error":"lost"}]}\n' >transcript
not '' 'an error in turn 2'
printf '{"type":"transcript","scenario":"s","error":7,"turns":[]}\n' >transcript
not '' 'an error'
printf '{"type":"transcript","scenario":"s","error":null,"turns":[{"reply":"x","error":null}]}\n' >transcript
want '' 'true 0 of 0 assertions hold'
settle turn
mv keep transcript

# Scenarios that are none.
bad() { # EXPECT WHY
	scenario "$1" >in; cat transcript >>in
	ok "no assertion: $1" exits 2 agent-judge in
	ok 'does not pass' is 'false its scenario is none' "$(of judgement '"\(.pass) \(.error)"' <out)"
	ok 'and is not run' exits 2 agent-run -a yes.yaml in
	ok 'which is told' grep -qF "line 1: expect 1: $2" err
}
printf 'id: yes\nadapter: {kind: command, argv: [echo, yes], life: turn}\n' >yes.yaml
bad '{"kind":"contain","value":"x"}' 'not one of the eight kinds'
bad '{"kind":"contains"}' 'contains: value is no text, or an empty one'
bad '{"kind":"contains","value":""}' 'contains: value is no text, or an empty one'
bad '{"kind":"matches","value":"(?P<x"}' 'matches: a bad pattern: '
bad '{"kind":"jsonPath","value":{"path":"$["}}' 'jsonPath: a bad path: '
bad '{"kind":"jsonPath","value":{"path":"$.a","equal":1}}' 'jsonPath: value is not'
bad '{"kind":"toolCalled","value":"find"}' 'toolCalled: value is not {name, args}'
bad '{"kind":"toolCalled","value":{"name":"f","args":{"x":{"$matches":"["}}}}' 'toolCalled: a bad pattern: '
bad '{"kind":"maxLatencyMs","value":"5"}' 'maxLatencyMs: value is no number from 0'
bad '{"kind":"noError","value":1}' 'noError: takes no value'
bad '{"kind":"contains","value":"x","turn":4}' 'contains: turn: not a turn from 1 to 3'
bad '{"kind":"contains","value":"x","turns":2}' 'contains: a member besides kind, value and turn'
ok 'no scenario at all' exits 2 agent-judge transcript
ok 'does not pass' is 'false no scenario with that id came before it' "$(of judgement '"\(.pass) \(.error)"' <out)"

# Streams, gates, tables.
{ scenario '{"kind":"contains","value":"37"}'; cat transcript; echo '{"type":"run", "n":1.0}'; scenario '{"kind":"contains","value":"38"}'; cat transcript; } >in
ok 'a gate says no' exits 1 agent-judge -g in
ok 'the rest passes as it came' is "$(cat in)" "$(grep -v '"type":"judgement"' out)"
ok 'a scenario is replaced by a later one' is 'true false' "$(of judgement .pass <out | xargs)"
ok 'a gate says yes' exits 0 sh -c 'head -3 in | agent-judge -g'
ok 'a table' exits 1 agent-judge -gt in
ok 'is for people' is '1 1 1 passed, 1 failed' "$(grep -c '^pass  s ' out) $(grep -c '^FAIL  s .*does not contain "38"$' out) $(tail -1 out)"
ok 'the same again' sh -c 'agent-judge in >a; agent-judge in >b; cmp a b'
ok 'no input' exits 0 agent-judge /dev/null
ok 'no output' [ ! -s out ]
ok 'a bad line' exits 2 sh -c 'sed "3s/.*/{/" in | agent-judge'
ok 'costs itself' is 2 "$(of judgement .pass <out | wc -l | tr -d ' ')"
ok 'CRLF' exits 0 sh -c 'sed "s/\$/\r/" in | agent-judge'
ok 'a full disk' exits 2 sh -c 'agent-judge in >/dev/full'
ok 'an unreadable file' exits 2 agent-judge ./none
for args in -x '-j 0' '-c'; do
	# shellcheck disable=SC2086
	ok "usage: $args" exits 2 agent-judge $args
done
waits() { mkfifo silence && { agent-judge <silence & pid=$!; } && exec 3>silence && sleep 0.3 && dies "$pid"; }
ok 'a signal while it waits' waits
done_testing
