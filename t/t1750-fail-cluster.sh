#!/bin/sh
# fail-cluster: the same failure has the same signature, on any machine; titles cost one question.
. "$(dirname "$0")/lib.sh"
is() { # WANT GOT
	[ "$1" = "$2" ] || { printf 'got  %s\nwant %s\n' "$2" "$1"; return 1; }
}
scenario() { # ID TAGS SEVERITY TITLE
	printf '{"type":"scenario","id":"%s","tags":[%s],"severity":"%s","title":"%s","turns":["hi"]}\n' "$@"
}
broke() { # SCENARIO TRIAL KIND REASON
	printf '{"type":"judgement","agent":"bot","scenario":"%s","trial":%d,"pass":false,"reason":"%s","checks":[{"kind":"noError","ok":true},{"kind":"%s","ok":false,"reason":"%s"}]}\n' \
		"$1" "$2" "$4" "$3" "$4"
}
{
	scenario a '"memory","name"' medium 'it keeps the name'
	echo '{"type":"transcript","scenario":"a","trial":1,"turns":[{"user":"hi","reply":"bye"}]}'
	broke a 1 contains 'the reply of turn 3 does not contain \"Albatros\"'
	broke a 2 contains 'the reply of turn 3 does not contain \"Alba'
	scenario b '"name","memory","memory"' high 'another title'
	broke b 1 contains 'the reply of turn 12 does not contain \"O\\\"Hara\"'
	scenario c '"memory"' critical 'other tags'
	broke c 1 contains 'the reply of turn 3 does not contain \"Albatros\"'
	scenario d '"memory","name"' low 'other kind'
	broke d 1 notContains 'the reply of turn 3 does not contain \"Albatros\"'
	scenario e '"memory","name"' low 'it passes'
	echo '{"type":"judgement","agent":"bot","scenario":"e","trial":1,"pass":true,"checks":[]}'
	echo '{"type":"judgement","agent":"bot","scenario":"e","trial":2,"pass":false,"checks":[],"reason":"it is rude in turn 1","judge":"rubric"}'
	echo '{"type":"judgement","agent":"bot","scenario":"e","trial":3,"pass":false,"checks":[],"reason":"an impolite tone","judge":"rubric"}'
	echo '{"type":"judgement","agent":"bot","scenario":"e","trial":4,"pass":false,"checks":[],"reason":"x","error":"replay-miss at /a/b/c.json"}'
} >in

ok 'a filter' exits 0 fail-cluster in
ok 'records pass as they came' sh -c 'head -n "$(wc -l <in)" out | cmp - in'
ok 'alone' exits 0 fail-cluster -a in
cp out clusters
ok 'five clusters, the gravest first' is 'critical 1,high 3,low 2,low 1,low 1' \
	"$(jq -r '"\(.severity) \(.n)"' out | paste -sd, -)"
ok 'what differs from run to run does not part them' is '["a","b"]' "$(jq -c 'select(.n == 3).scenarios' out)"
ok 'an example of each scenario' is '[["a",1],["b",1]]' \
	"$(jq -c 'select(.n == 3) | [.examples[] | [.scenario, .trial]]' out)"
ok 'its reason in normal form' is 'the reply of turn <n> does not contain <text>' \
	"$(jq -r 'select(.n == 3).reason' out)"
ok 'tags sorted, once' is '["memory","name"]' "$(jq -c 'select(.n == 3).tags' out)"
# The digest by hand: RFC 8785 of [version, tags, kinds, reasons] as man/fail-cluster.1 has it.
want=$(printf '[1,["memory","name"],["contains"],["the reply of turn <n> does not contain <text>"]]' |
	sha256sum | cut -c1-16)
ok 'the id can be made elsewhere' is "$want" "$(jq -r 'select(.n == 3).id' out)"
ok 'a rubric is prose: its words do not part' is 'rubric' "$(jq -r 'select(.n == 2).kinds[]' out)"
ok 'a judge that failed is one of its own' is 'replay-miss at <path>/c.json' \
	"$(jq -r 'select(.kinds == ["judge_error"]).reason' out)"
ok 'a title without a model' is 'it keeps the name' "$(jq -r 'select(.n == 3).title' out)"
untitled() { sed 's/,"title":"[^"]*"//' in | fail-cluster -a | jq -r 'select(.n == 3).title'; }
ok 'where nobody gave one it is the reason, as it was told' is 'the reply of turn 3 does not contain "Albatros"' "$(untitled)"
ok 'all are new' is true "$(jq -s 'all(.new)' out)"
tac clusters >known
ok 'known ones are not' exits 0 fail-cluster -a -k known in
ok 'and nothing else changed' is "$(jq -c 'del(.new)' clusters)" "$(jq -c 'del(.new)' out)"

# Questions for a model, and its answers.
ok 'questions' exits 0 fail-cluster -s in
ok 'a segment for each' is 'trace section trace section trace section trace section trace section' \
	"$(jq -r .type out | xargs)"
ok 'with the conversation' grep -q 'reply: bye' out
cat >model <<'END'
#!/bin/sh
cat >>asked
printf '{"output":{"title":"forgets\\tthe name"},"provenance":"authored"}\n'
END
chmod +x model
ok 'a model is asked' sh -c "fail-cluster -s in | llm-call -p prompts/cluster.v1.md -M off -m exec:./model >answers"
cat answers >>known
ok 'its line is the title' exits 0 fail-cluster -a -k known in
ok 'in one line' is 'forgets the name' "$(jq -r 'select(.n == 3).title' out)"
cp out known
ok 'and is asked for once' exits 0 fail-cluster -s -k known in
ok 'nothing is left to ask' test ! -s out
ok 'it stays' exits 0 fail-cluster -a -k known in
ok 'for ever' is model "$(jq -r 'select(.n == 3).titled_by' out)"

# Edges.
ok 'no input' exits 0 fail-cluster /dev/null
ok 'nothing comes of nothing' test ! -s out
{ head -3 in | tr '\n' '\t' | sed 's/\t/\r\n/g'; echo '{"type":'; printf '{"type":"judgement","scenario":"a","pass":false,"checks":7}'; } >odd
ok 'a bad line costs itself' exits 2 fail-cluster -a odd
ok 'the place is told' grep -q '^fail-cluster: odd: line 4: ' err
ok 'what is no list of checks is a failure all the same' is 2 "$(wc -l <out | tr -d ' ')"
printf '{"type":"judgement","scenario":"z\\u0000z","pass":false,"reason":"\\u0000\\u001b[31m \\ud83d","checks":[{"kind":"\\u0000","reason":"{{{[[[\\"","ok":false}]}\n' >nul
ok 'NUL, escapes and open brackets' exits 0 fail-cluster -a nul
perl -e 'print "{\"type\":\"judgement\",\"scenario\":\"a\",\"pass\":false,\"reason\":\"", "{" x 10_000_000, "\"}\n"' >big
ok 'ten megabytes' exits 0 fail-cluster -a big
perl -e 'print "{\"type\":\"judgement\",\"scenario\":\"a\",\"x\":", "[" x 2000, "]" x 2000, "}\n"' >deep
ok 'deep nesting' exits 0 fail-cluster -a deep
ok 'no file' exits 2 fail-cluster nowhere
ok 'a full disk' exits 2 sh -c 'fail-cluster -a in >/dev/full'
ok 'a closed pipe' sh -c 'fail-cluster in | head -1 >/dev/null'
ok 'wrong usage' exits 2 fail-cluster -x
ok 'says nothing on standard output' test ! -s out
done_testing
