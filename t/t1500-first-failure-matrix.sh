#!/bin/sh
# first-failure-matrix: rules R0 to R9 and every edge case, a run each, the cell worked by hand.
# shellcheck disable=SC2086,SC2317,SC1010 # options are words; functions are called by ok; done is a state here
. "$(dirname "$0")/lib.sh"

# cell NAME LAST ATTEMPTED RULE RUN-MEMBERS [JQ]: the assignment of one run.
cell() {
	printf '{"type":"run","run_id":"r1","task_id":"t1",%s}\n' "$5" >run
	check() {
		first-failure-matrix $opts run >out 2>err || { cat err; return 1; }
		jq -r 'select(.type == "assignment") | "\(.last) \(.attempted) \(.rule)"' out >got
		printf '%s %s %s\n' "$1" "$2" "$3" | diff - got || return 1
		[ -z "$4" ] || jq -s -e "map(select(.type == \"assignment\") | $4) == [true]" out >/dev/null
	}
	ok "$1" check "$2" "$3" "$4" "${6-}"
}
none() { # NAME RUN-MEMBERS: a run in no cell
	printf '{"type":"run","run_id":"r1","task_id":"t1",%s}\n' "$2" >run
	check() {
		first-failure-matrix run >out 2>err || { cat err; return 1; }
		! grep -q '"type":"assignment"\|"type":"cell"' out
	}
	ok "$1" check
}
opts=
F='"outcome":"failure","terminal":"final"'
S='"outcome":"success","terminal":"final"'
st() { printf '{"i":%s,"state":"%s","status":"%s"%s}' "$1" "$2" "$3" "${4-}"; }

cell 'R0: an outcome oracle decides' A B R5 "\"outcome\":\"failure\",\"terminal\":\"final\",\"states\":[$(st 0 A ok),$(st 1 B fail)],\"oracles\":[{\"name\":\"o\",\"kind\":\"outcome\",\"pass\":false}]"
cell 'R0: right answer, forbidden write: unsafe success' A SAFETY:no_delete R6 "$S,\"states\":[$(st 0 A ok)],\"oracles\":[{\"name\":\"o\",\"kind\":\"outcome\",\"pass\":true},{\"name\":\"no_delete\",\"kind\":\"safety\",\"pass\":false}]" '.why == "unsafe_success"'
cell 'R0: the same, the write named' A B R5 "$S,\"states\":[$(st 0 A ok),$(st 1 B ok)],\"oracles\":[{\"name\":\"no_delete\",\"kind\":\"side_effect\",\"pass\":false,\"at\":1}]" '.layer == "policy"'
none 'R0: an unknown outcome is no failure' "\"outcome\":\"unknown\",\"states\":[$(st 0 A fail)]"
cell 'R0: unless it is labelled' A B R2 '"outcome":"unknown","states":[],"labels":[{"labeller":"x","last":"A","attempted":"B"}]'
none 'R0: a success' "$S,\"states\":[$(st 0 A ok)]"
printf '%s\n' '{"type":"adjudication","run_id":"r1","final":{"last":"X","attempted":"Y","layer":"router"},"by":"z"}' \
	"{\"type\":\"run\",\"run_id\":\"r1\",\"task_id\":\"t1\",$F,\"states\":[$(st 0 A fail)],\"labels\":[{\"labeller\":\"x\",\"last\":\"A\",\"attempted\":\"B\"}]}" >adj
ok 'R1: an adjudication decides' sh -c 'first-failure-matrix adj | jq -s -e "map(select(.type == \"assignment\") | [.last, .attempted, .rule, .layer]) == [[\"X\",\"Y\",\"R1\",\"router\"]]"'
cell 'R2: labels that agree' A B R2 "$F,\"states\":[$(st 0 C fail)],\"labels\":[{\"labeller\":\"x\",\"last\":\"A\",\"attempted\":\"B\"},{\"labeller\":\"y\",\"last\":\"A\",\"attempted\":\"B\"}]"
L="\"labels\":[{\"labeller\":\"x\",\"last\":\"A\",\"attempted\":\"B\"},{\"labeller\":\"y\",\"last\":\"A\",\"attempted\":\"C\"}]"
cell 'R2: labels that disagree stand apart' DISPUTED DISPUTED R2 "$F,\"states\":[$(st 0 A ok),$(st 1 B fail)],$L"
opts='-d mechanical'
cell 'R2: or the rules decide' A B R5 "$F,\"states\":[$(st 0 A ok),$(st 1 B fail)],$L"
opts=
cell 'R3: denied' A B R5 "$F,\"states\":[$(st 0 A ok),$(st 1 B denied)]" '.layer == "policy"'
cell 'R3: a failing oracle with a place' A B R5 "$F,\"states\":[$(st 0 A ok),$(st 1 B ok),$(st 2 C ok)],\"oracles\":[{\"name\":\"f\",\"kind\":\"format\",\"pass\":false,\"at\":1}]"
cell 'R3: skipped is no failure' B OUTCOME:o R6 "$F,\"states\":[$(st 0 A skipped),$(st 1 B ok)],\"oracles\":[{\"name\":\"o\",\"kind\":\"outcome\",\"pass\":false}]"
cell 'R4: failed, tried again, good; later failure elsewhere' A C R5 "$F,\"states\":[$(st 0 A ok),$(st 1 B fail),$(st 2 B ok ',"recovers":[1]'),$(st 3 A ok),$(st 4 C fail)]" '.recovered == [1]'
cell 'R4: by milestone' B C R5 "$F,\"states\":[$(st 0 A fail ',"milestone":"m"'),$(st 1 B ok ',"milestone":"m"'),$(st 2 C fail)]" '.recovered == [0]'
cell 'R4: tools need the same key' START B R5 "$F,\"states\":[$(st 0 B fail ',"receipt":{"tool":"b","key":"1","result":"error"}'),$(st 1 B ok ',"receipt":{"tool":"b","key":"2","result":"ok"}')]"
opts=-1
cell 'R4: first observed skips it' A B R5 "$F,\"states\":[$(st 0 A ok),$(st 1 B fail),$(st 2 B ok ',"recovers":[1]'),$(st 3 C fail)]" '.policy == "first-observed"'
opts=
cell 'R5: order by i, never by t' A B R5 "$F,\"states\":[$(st 2 C fail ',"t":1'),$(st 0 A ok ',"t":9'),$(st 1 B fail ',"t":8')]"
M='"oracles":[{"name":"writes","kind":"outcome","pass":false,"expected":["find","cancel"],"observed"'
cell 'R6: an expected milestone is missing' A cancel R6 "$F,\"states\":[$(st 0 A ok)],$M:[\"find\"]}]"
cell 'R6: another stands in its place' A cancel R6 "$F,\"states\":[$(st 0 A ok)],$M:[\"find\",\"refund\"]}]"
cell 'R6: one too many' A EXTRA:refund R6 "$F,\"states\":[$(st 0 A ok)],$M:[\"find\",\"refund\",\"cancel\"]}]" '.layer == "policy"'
cell 'R6: all of them, and still wrong' A OUTCOME:writes R6 "$F,\"states\":[$(st 0 A ok)],$M:[\"find\",\"cancel\"]}]"
cell 'R6: delivered a wrong answer' A OUTCOME:answer R6 "$F,\"states\":[$(st 0 A ok)],\"oracles\":[{\"name\":\"answer\",\"kind\":\"outcome\",\"pass\":false}]"
cell 'R6: no candidate, nothing said' A UNKNOWN R6 "$F,\"states\":[$(st 0 A ok)]"
cell 'R6: timeout between states' A TIMEOUT R6 "\"outcome\":\"failure\",\"terminal\":\"timeout\",\"states\":[$(st 0 A ok)]"
cell 'R6: abandoned by the user' A ABANDONED R6 "\"outcome\":\"failure\",\"terminal\":\"abandoned\",\"states\":[$(st 0 A ok)]" '.layer == "external"'
cell 'R6: budget' A BUDGET R6 "\"outcome\":\"failure\",\"terminal\":\"budget\",\"states\":[$(st 0 A ok)]"
echo 'states: [{match: "think*", ignore: true}, {match: "s_*", state: search, layer: tool_schema, impact: 5}, {match: pay, tool: true}]' >map
opts='-s map'
cell 'R7: ignored states are no last good state' A B R5 "$F,\"states\":[$(st 0 A ok),$(st 1 think7 ok),$(st 2 B fail)]"
cell 'the map names states' START search R5 "$F,\"states\":[$(st 0 s_web fail)]" '.layer == "tool_schema" and .weight == 5'
cell 'a tool without a receipt is open, not good' A pay R8 "\"outcome\":\"failure\",\"terminal\":\"timeout\",\"states\":[$(st 0 A ok),$(st 1 pay ok)]"
opts=
cell 'R8: timeout with a tool open' A B R8 "\"outcome\":\"failure\",\"terminal\":\"timeout\",\"states\":[$(st 0 A ok),$(st 1 B open)]"
cell 'R9: no states at all' START MISSING_END R9 '"outcome":"failure","states":[]'
cell 'fails before any good state' START A R5 "$F,\"states\":[$(st 0 A fail)]"
cell 'the last good state was not recorded' UNKNOWN B R5 "$F,\"states\":[$(st 5 B fail ',"parent":4')]"
none 'failed, tried again, good; the run succeeds' "$S,\"states\":[$(st 0 A fail),$(st 1 A ok ',"recovers":[0]')]"
cell 'five tries are one cell' A B R5 "$F,\"states\":[$(st 0 A ok),$(st 1 B fail),$(st 2 B fail),$(st 3 B fail),$(st 4 B fail),$(st 5 B fail)]" '.occurrence == 1 and .attempts == 5'
cell 'a cycle: the second B fails' A B R5 "$F,\"states\":[$(st 0 A ok),$(st 1 B ok),$(st 2 A ok),$(st 3 B fail)]" '.occurrence == 2'
cell 'a self-loop is a diagonal cell' respond respond R5 "$F,\"states\":[$(st 0 respond ok),$(st 1 respond fail)]"
P="$(st 0 A ok),$(st 1 B ok ',"branch":"1","parent":0'),$(st 2 C ok ',"branch":"2","parent":0'),$(st 3 D fail ',"branch":"2","parent":2')"
cell 'a branch fails: last from its own ancestry' C D R5 "$F,\"states\":[$P,$(st 4 J open ',"branch":"0","parent":[1,3]')]"
cell 'two branches fail: the smaller one, the other is said' A B R5 "$F,\"states\":[$(st 0 A ok),$(st 1 C fail ',"branch":"2","parent":0'),$(st 2 B fail ',"branch":"1","parent":0')]" '.ambiguous == [1]'
cell 'a join that went on made the branch good' J K R5 "$F,\"states\":[$P,$(st 4 J ok ',"branch":"0","parent":[1,3]'),$(st 5 K fail)]" '.recovered == [3]'
cell 'a receipt wins over the claim' A B R5 "$F,\"states\":[$(st 0 A ok),$(st 1 B ok ',"receipt":{"tool":"b","result":"error"}')]"
cell 'another actor: a handoff' A B R5 "$F,\"states\":[$(st 0 A ok ',"actor":"x"'),$(st 1 B fail ',"actor":"y"')]" '.layer == "handoff"'
cell 'bad arguments: the schema of the tool' A B R5 "$F,\"states\":[$(st 0 A ok),$(st 1 B fail ',"receipt":{"tool":"b","result":"error","error_class":"invalid_arguments"}')]" '.layer == "tool_schema"'
cell 'the same call again after an error: feedback' A B R5 "$F,\"states\":[$(st 0 A ok),$(st 1 B fail ',"receipt":{"tool":"b","args_sha":"1","result":"error"}'),$(st 2 B fail ',"receipt":{"tool":"b","args_sha":"1","result":"error"}')]" '.layer == "feedback"'
cell 'severity and effect weigh' A B R5 "$F,\"impact\":2,\"states\":[$(st 0 A ok),$(st 1 B fail ',"receipt":{"tool":"b","result":"error","effect":"write"}')],\"oracles\":[{\"name\":\"o\",\"kind\":\"outcome\",\"pass\":false,\"severity\":2}]" '.weight == 12'
echo 'states: [{match: done, terminal: true}]' >map
opts='-s map'
cell 'a failure after the end is left out' done UNKNOWN R6 "$F,\"states\":[$(st 0 done ok),$(st 1 B fail)]"
ok 'with a warning' grep -q '"code":"after-end"' out
opts=

# A matrix worked by hand: 3 + 2 + 1 failures of 10 runs.
run() { # ID CELL OUTCOME
	printf '{"type":"run","run_id":"%s","task_id":"%s","outcome":"%s","terminal":"final","states":[%s]}\n' "$1" "$1" "$3" "$2"
}
AB="$(st 0 A ok),$(st 1 B fail)" BC="$(st 0 A ok),$(st 1 B ok),$(st 2 C fail)" SA="$(st 0 A fail)"
{
	for k in 1 2 3; do run "ab$k" "$AB" failure; done
	for k in 1 2; do run "bc$k" "$BC" failure; done
	run sa "$SA" failure
	for k in 1 2 3; do run "s$k" "$AB" success; done
	run u "$AB" unknown
} >ten
ok 'ten runs' exits 0 first-failure-matrix -q ten
cp out ten.out
jq -r 'select(.type == "cell") | "\(.last) \(.attempted) \(.n) \(.share)"' out >got
printf '%s\n' 'A B 3 0.5' 'B C 2 0.333333' 'START A 1 0.166667' >want
ok 'six failures in three cells' diff -u want got
ok 'Wilson, 3 of 6' sh -c 'jq -s -e "map(select(.type == \"cell\" and .n == 3) | [.lo, .hi]) == [[0.187616, 0.812384]]" ten.out'
ok 'conserved' sh -c 'jq -s -e "all(.[] | select(.type == \"check\"); .ok)" ten.out'
ok 'strict: an unknown outcome fails' exits 2 first-failure-matrix -S ten
ok 'with no matrix' sh -c '! grep -q "\"type\":\"cell\"" out'
sort -r ten >reversed
ok 'the order of lines does not matter' sh -c 'first-failure-matrix -q reversed | cmp - ten.out'
head -n 4 ten >part1
tail -n +5 ten >part2
ok 'parts add up exactly' sh -c '{ first-failure-matrix -q part1; first-failure-matrix -q part2; } | first-failure-matrix -q | cmp - ten.out'
cat ten ten >twice
ok 'the same run again is counted once' sh -c 'first-failure-matrix -q twice | jq -s -e "map(select(.name == \"runs\") | [.runs, .duplicates]) == [[10, 10]]"'
{ cat ten; run ab1 "$BC" failure; } >other
ok 'the same id with other content' exits 2 first-failure-matrix -q other
ok 'has no matrix' sh -c '! grep -q "\"type\":\"cell\"" out'
ok 'and its place is told' grep -q '^first-failure-matrix: other: line 11: ' err
{ cat ten; run x1 "$AB" failure | sed 's/"task_id":"x1"/"task_id":"ab1"/'; } >other
ok 'another run of the same task and trial' exits 2 first-failure-matrix -q other
ok 'a table' exits 0 first-failure-matrix -t ten
ok 'says that nothing was lost' grep -q '^total of the cells = failed runs: ok' out
ok 'Markdown' exits 0 first-failure-matrix -o md ten
ok 'is a table to a Markdown reader' sh -c 'cmark-gfm -e table out | grep -c "<table>" | grep -qx 2'
ok 'TSV' sh -c 'first-failure-matrix -o tsv ten | awk -F "\t" "NF != 8 { exit 1 }"'
ok 'SVG' exits 0 first-failure-matrix -o svg ten
printf '%s\n' '{"type":"run","run_id":"a","task_id":"a","outcome":"failure","states":[{"i":1,"state":"x","status":"fail"}]}' >tiny
ok 'with room for its last line, however small' sh -c 'first-failure-matrix -o svg tiny | grep -q "^<svg .* width=\"480\""'
ok 'has a square a cell' sh -c 'test "$(grep -c "fill=\"hsl" out)" -eq 3'
ok 'Mermaid' sh -c 'first-failure-matrix -o mermaid ten | grep -qx "\"A\",\"FAIL:B\",3"'
run h "$(st 0 '<script>|x' ok),$(st 1 'B\u001b[31m' fail)" failure >hostile
ok 'names are harmless in SVG' sh -c 'first-failure-matrix -o svg hostile | grep -q "&lt;script&gt;" && ! first-failure-matrix -o svg hostile | grep -q "<script"'
ok 'and on a terminal' sh -c '! first-failure-matrix -t hostile | grep -q "$(printf "\033")"'
{ cat ten; echo '{"type":"run","run_id":"z"}'; } >bad
ok 'a run that is none is trouble' exits 2 first-failure-matrix -q bad
ok 'no input is an empty matrix' exits 0 first-failure-matrix -t /dev/null
ok 'no runs: records' exits 0 first-failure-matrix /dev/null
ok 'a map that is none' exits 2 sh -c 'echo "x: 1" >m && first-failure-matrix -s m ten'
ok 'a full disk' exits 2 sh -c 'first-failure-matrix ten >/dev/full'
ok 'wrong usage' exits 2 first-failure-matrix -o pdf ten
ok 'help' sh -c 'first-failure-matrix --help | head -n 1 | grep -q "^usage: first-failure-matrix "'

# Any runs, any order, either policy: nothing is lost.
perl -e 'srand 7; my @s = qw(ok fail denied timeout skipped open); for my $r (1..400) {
	my @st; my $n = int rand 9; for my $i (0..$n-1) { my $x = chr 65 + int rand 5; my $b = int rand 3;
	my $p = $i && rand() < .5 ? sprintf(",\"parent\":%d", int rand $i) : "";
	push @st, sprintf "{\"i\":%d,\"state\":\"%s\",\"branch\":\"%d\",\"status\":\"%s\"%s}", $i, $x, $b, $s[rand @s], $p }
	printf "{\"type\":\"run\",\"run_id\":\"%d\",\"task_id\":\"%d\",\"outcome\":\"%s\",\"terminal\":\"%s\",\"states\":[%s]}\n",
	$r, $r, (qw(success failure unknown))[rand 3], (qw(final error timeout budget cancelled abandoned missing))[rand 7], join ",", @st }' >random
failed=$(grep -c '"outcome":"failure"' random)
for policy in '' -1; do
	ok "random runs, policy '$policy'" sh -c "first-failure-matrix $policy random | jq -s -e '[.[] | select(.type == \"assignment\").run_id] | length == (unique | length) and length == $failed'"
	ok 'every total agrees' sh -c "first-failure-matrix -q $policy random | jq -s -e 'all(.[] | select(.type == \"check\"); .ok)'"
done
done_testing
