#!/bin/sh
# corpus: reproduced, quarantined, fixed; two runs at once and a killed one lose nothing.
. "$(dirname "$0")/lib.sh"
is() { # WANT GOT
	[ "$1" = "$2" ] || { printf 'got  %s\nwant %s\n' "$2" "$1"; return 1; }
}
scenario() { # ID TEXT [ORIGIN]
	printf '{"type":"scenario","id":"%s","severity":"high","tags":["x"],"turns":["%s"],"expect":[{"kind":"contains","value":"a: b"}],"origin":"%s"}\n' \
		"$1" "$2" "${3-explore}"
}
trials() { # ID PASS...
	id=$1; shift
	for pass; do
		printf '{"type":"judgement","agent":"bot","scenario":"%s","pass":%s}\n' "$id" "$pass"
	done
}
corpus() { command corpus -a bot -d data "$@"; }
known() { corpus -l | jq -c "select(.type == \"known\" and .scenario == \"$1\") | $2"; } # ID FILTER

# Wilson 1927 and ceil(ln .05 / ln(1 - lo)), worked by hand: 5/5 lo .565518, 4; 3/5 lo .230724, 12; 2/5 lo .117621, 24.
{
	scenario five one; trials five false false false false false
	scenario three two; trials three false true false true false
	scenario two three; trials two false true false true true
	scenario once four; trials once false
	scenario good five; trials good true true true true true
	scenario seed six seed; trials seed false false false false false
} >in
ok 'taken in' exits 0 corpus -b 1 in
ok 'records pass' sh -c 'head -n "$(wc -l <in)" out | cmp - in'
ok 'known records are told' is 'five open,three open,two flaky,once unconfirmed,seed open' \
	"$(jq -r 'select(.type == "known") | "\(.scenario) \(.status)"' out | paste -sd,)"
ok 'rates, and what a fix needs' is '[5,5,0.565518,1,4] [3,5,0.230724,0.882379,12] [2,5,0.117621,0.769276,24]' \
	"$(for s in five three two; do known $s '[.fails, .trials, (.lo, .hi | . * 1e6 | round / 1e6), .needs]'; done | xargs)"
ok 'files of what is sure' is 'five.yaml three.yaml two.yaml' "$(cd data/bot/scenarios && echo *)"
cat >want <<'END'
id: five
tags: [x]
severity: high
turns: [one]
expect: [{kind: contains, value: "a: b"}]
END
ok 'such as people edit' diff -u want data/bot/scenarios/five.yaml
ok 'the worst first' is 'five three two' "$(corpus -l | jq -r 'select(.type == "scenario").id' | xargs)"
ok 'they are of the corpus' is corpus "$(corpus -l | jq -r 'select(.type == "scenario").origin' | sort -u)"
cp data/bot/known.ndjson before
ok 'the same batch again' exits 0 corpus -b 1 in
ok 'is not counted twice' cmp before data/bot/known.ndjson
trials five true >clean
ok 'to look' exits 0 corpus -n -b 2 clean
ok 'changes nothing' cmp before data/bot/known.ndjson

# Fixed after four clean trials and not before; a failure starts again.
for run in 2 3 4; do corpus -b $run clean >/dev/null; done
ok 'three clean ones are not enough' is '["open",3]' "$(known five '[.status, .clean]')"
ok 'the fourth is' exits 0 corpus -b 5 clean
ok 'fixed' is '"fixed"' "$(known five .status)"
ok 'and last in the list' is five "$(corpus -l | jq -r 'select(.type == "scenario").id' | tail -1)"
trials five false >again
ok 'it fails again' exits 0 corpus -b 6 again
ok 'to be reproduced' is '["unconfirmed",true,1,1]' "$(known five '[.status, .returned, .fails, .trials]')"
trials five false false true false >more.ndjson
ok 'reproduced' exits 0 corpus -b 7 more.ndjson
ok 'open' is '["open",4,5]' "$(known five '[.status, .fails, .trials]')"
trials three true true true false >mixed
ok 'clean ones before a failure were no proof' exits 0 corpus -b 8 mixed
ok 'they count as trials' is '["flaky",4,9,0]' "$(known three '[.status, .fails, .trials, .clean]')"
trials once true true true true >rest
ok 'a failure that did not come again' exits 0 corpus -b 9 rest
ok 'is flaky' is '["flaky",1,5]' "$(known once '[.status, .fails, .trials]')"
printf '{"type":"judgement","scenario":"two","pass":false,"error":"no key"}\n' >judge
cp data/bot/known.ndjson before
ok 'a judge that failed' exits 0 corpus judge
ok 'says nothing of the agent' cmp before data/bot/known.ndjson

# People: they edit, delete, add.
sed -i 's/one/one edited/' data/bot/scenarios/five.yaml
cp data/bot/scenarios/five.yaml edited
trials five false >again
{ scenario five one; cat again; } | corpus -b 10 >/dev/null
ok 'an edited file stays' cmp edited data/bot/scenarios/five.yaml
cp data/bot/scenarios/three.yaml edited
known three .status >before
printf 'turns: [' >data/bot/scenarios/three.yaml
ok 'an edit that went wrong' exits 2 corpus -b 10a again
ok 'forgets nothing' is "$(cat before)" "$(known three .status 2>/dev/null)"
ok 'nor is it written over' is 'turns: [' "$(cat data/bot/scenarios/three.yaml)"
cp edited data/bot/scenarios/three.yaml
mv data/bot/scenarios aside; : >data/bot/scenarios
ok 'a folder that is none' exits 2 corpus -b 10b again
rm data/bot/scenarios; mv aside data/bot/scenarios
ok 'forgets nothing either' is "$(cat before)" "$(known three .status)"
rm data/bot/scenarios/two.yaml
ok 'something else' exits 0 corpus -b 11 again
ok 'a deleted one is forgotten' is '' "$(known two .)"
printf 'turns: [hi]\n' >data/bot/scenarios/bad.yaml
ok 'a bad file costs itself' exits 2 corpus -l
ok 'and is named' grep -q 'scenarios/bad.yaml: id: ' err
ok 'the rest is there' test "$(jq -r 'select(.type == "scenario").id' out | wc -l)" -ge 2
rm data/bot/scenarios/bad.yaml
scenario '../é x' 'by hand' >hand
ok 'kept as it is' exits 0 corpus -s hand
ok 'under a name that is one' is 1 "$(find data/bot/scenarios -name '----x-????????.yaml' -o -name '..---x-*' -o -name '-*x-*.yaml' | wc -l | tr -d ' ')"
ok 'by its id' is '../é x' "$(corpus -l | jq -r 'select(.turns == ["by hand"]).id')"
{ scenario other '  BY   Hand'; trials other false false false false false; } >same
ok 'the same words under another id' exits 0 corpus -b 12 same
ok 'are kept once' is '"../é x"' "$(jq -c 'select(.type == "known").same_as' out)"
{
	for i in 1 2 3 4 5; do scenario "k$i" "word$i and $(printf 'abcde' | cut -c$i)"; trials "k$i" false false false false false; done
	echo '{"type":"cluster","id":"0123456789abcdef","agent":"bot","title":"t","scenarios":["k1","k2","k3","k4","k5"],"n":25,"new":true}'
} >many
ok 'five of one cluster' exits 0 corpus -b 13 many
ok 'three are kept' is 'k1 k2 k3' "$(corpus -l | jq -r 'select(.type == "scenario" and (.id | startswith("k"))).id' | sort | xargs)"
ok 'the cluster too' is 't 25' "$(corpus -l | jq -r 'select(.type == "cluster") | "\(.title) \(.n)"')"

# Many at once, killed at any moment: what was acknowledged is there, and the state is whole.
one() { # N
	{ scenario "p$1" "$(printf 'text %s' "$1" | tr 0-9 a-j)"; trials "p$1" false false false false false; } |
		command corpus -a crowd -d data -b "p$1" >"ack$1" 2>/dev/null
}
at_once() {
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do one $i & pids="$pids $!"; done
	for pid in $pids; do wait "$pid" || return 1; done
	[ "$(command corpus -a crowd -d data -l | jq -r 'select(.type == "known").status' | grep -c open)" -eq 12 ]
}
ok 'twelve at once' at_once
killed() {
	for i in $(seq 20 59); do
		{ scenario "q$i" "$(printf 'some %s' "$i" | tr 0-9 a-j)"; trials "q$i" false false false false false; } >part
		# The job is this shell's own child, so that only it is killed.
		command corpus -a victim -d data -b "q$i" part >"ack$i" 2>/dev/null &
		pid=$!
		perl -e 'select undef, undef, undef, rand 0.03'
		kill -9 $pid 2>/dev/null
		wait $pid 2>/dev/null
		command corpus -a victim -d data -l >state || return 1
		if grep -q '"type":"known"' "ack$i" 2>/dev/null; then
			grep -q "\"scenario\":\"q$i\"" state || { echo "q$i was told and is lost"; return 1; }
			told=$((told + 1))
		fi
		if grep -q "\"id\":\"q$i\"" data/victim/known.ndjson 2>/dev/null; then there=$((there + 1)); fi
	done
	echo "# told $told, there $there of 40"
}
told=0 there=0
ok 'killed forty times: what was told is there' killed
cat log
again() {
	for i in $(seq 20 59); do
		{ scenario "q$i" "$(printf 'some %s' "$i" | tr 0-9 a-j)"; trials "q$i" false false false false false; } |
			command corpus -a victim -d data -b "q$i" >/dev/null 2>&1 || return 1
	done
	[ "$(command corpus -a victim -d data -l | jq -c 'select(.type == "known") | [.fails, .trials]' | sort | uniq -c | xargs)" = '40 [5,5]' ]
}
ok 'and the rest by asking again, each once' again

# Edges.
ok 'nothing known' exits 0 command corpus -a nobody -d data -l
ok 'is nothing' test ! -s out
ok 'no id of an agent' exits 2 command corpus -a ../x -d data -l
printf '{"type":"known","scenario":"x"\n' >>data/crowd/known.ndjson
ok 'a damaged state' exits 2 command corpus -a crowd -d data in
ok 'is left as it is' grep -q '^{"type":"known","scenario":"x"$' data/crowd/known.ndjson
ok 'no input' exits 0 corpus /dev/null
{ scenario crlf hi; trials crlf false; echo '{"type":'; } | sed 's/$/\r/' >odd
ok 'a bad line costs itself' exits 2 corpus odd
ok 'the rest is known' is '"unconfirmed"' "$(known crlf .status)"
ok 'no file' exits 2 corpus nowhere
ok 'a full disk' exits 2 sh -c 'corpus -a bot -d data -l >/dev/full'
ok 'wrong usage' exits 2 command corpus -l -a bot
done_testing
