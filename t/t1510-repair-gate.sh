#!/bin/sh
# repair-gate: the worked comparisons, and everything that makes two sets of runs incomparable.
# shellcheck disable=SC2094,SC2317,SC2046 # "before" is a name and a file; functions are called by ok
. "$(dirname "$0")/lib.sh"

# runs COHORT N FAILING...: N tasks, those numbers fail at (A, B), those with a "c" behind at (A, C).
runs() {
	perl -e 'my ($cohort, $n, @f) = @ARGV; my %f = map { /^(\d+)(\w*)/; ($1, $2 || "b") } @f;
	my $more = $ENV{MORE} // "";
	for my $t (1..$n) { my $o = $f{$t} ? "failure" : "success"; my $s = uc($f{$t} // "b");
	printf "{\"type\":\"run\",\"run_id\":\"%s%d\",\"task_id\":\"t%d\",\"task_sha\":\"%d\",\"cohort\":\"%s\",\"outcome\":\"%s\",\"terminal\":\"final\",\"config\":{\"model\":\"m\",\"tools_sha\":\"1\",\"prompt_sha\":\"%s\"}%s,\"states\":[{\"i\":0,\"state\":\"A\",\"status\":\"ok\"},{\"i\":1,\"state\":\"%s\",\"status\":\"%s\"}]}\n",
	$cohort, $t, $t, $t, $cohort, $o, $cohort, $more, $s, $f{$t} ? "fail" : "ok" }' "$@"
}
# 12 fixed, 2 broken of 50: the exact p is 0.012939.
runs before 50 1 2 3 4 5 6 7 8 9 10 11 12 13 14 >before
runs after 50 13 14 15 16 >after
ok 'freeze' exits 0 repair-gate -f before
cp out frozen
ok 'tells the smallest decisive repair' grep -q 'fixes 6 tasks and breaks none' err
ok '12 fixed, 2 broken: repaired' exits 0 repair-gate -c frozen after
ok 'p to six decimals' sh -c 'jq -e ".verdict == \"repaired\" and .fixed == 12 and .broken == 2 and .p == 0.012939" out'
ok 'the interval is that of Agresti and Min' sh -c 'jq -e "((.lo - 0.0560) | fabs) < 0.00005 and ((.hi - 0.3286) | fabs) < 0.00005" out'
runs aa 50 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 >aa
ok 'the same agent again: not shown' exits 1 repair-gate -c frozen aa
ok 'and why' grep -q 'did not fall beyond chance' out
# The selected cell falls to 0 while success gets worse: failures move on.
runs after 50 1c 2c 3c 4c 5c 6c 7c 8c 9c 10c 11c 12c 13c 14c 15c 16c >moved
ok 'a cell that moves is no repair' exits 1 repair-gate -c frozen moved
ok 'it is a regression: another cell rose' sh -c 'jq -e ".verdict == \"regressed\" and .moved == 14 and .selected.fixed == 14" out'
runs after 50 $(seq 1 14) 20 21 22 23 24 25 26 27 >worse
ok 'more failures: regressed' exits 1 repair-gate -c frozen worse
ok 'so it says' grep -q '"verdict":"regressed"' out
MORE=',"oracles":[{"name":"no_delete","kind":"safety","pass":true}]' runs before 50 $(seq 1 14) >safe
MORE=',"oracles":[{"name":"no_delete","kind":"safety","pass":false}]' runs after 50 >unsafe
repair-gate -f safe >frozen2 2>/dev/null
ok 'a safety oracle fails: regressed' exits 1 repair-gate -c frozen2 unsafe

invalid() { # NAME FILE: exit 2 and the verdict
	check() { exits 2 repair-gate -c frozen "$1" && grep -q '"verdict":"invalid_comparison"' out; }
	ok "$1" check "$2"
}
head -n 49 after >odd
invalid 'a task is missing' odd
sed 's/"model":"m"/"model":"n"/' after >odd
invalid 'another model' odd
sed 's/"tools_sha":"1"/"tools_sha":"2"/' after >odd
invalid 'other tools' odd
ok 'unless they are the repair' exits 0 repair-gate -T -c frozen odd
sed 's/"task_sha":"7"/"task_sha":"8"/' after >odd
invalid 'another task under the same name' odd
MORE=',"oracles":[{"name":"o","kind":"format","pass":true}]' runs after 50 13 14 >odd
invalid 'another oracle' odd
sed '9s/"outcome":"success"/"outcome":"unknown"/' after >odd
invalid 'an unknown outcome' odd
ok 'unless it is allowed' exits 0 repair-gate -u 1 -c frozen odd
echo 'states: []' >map
check() { exits 2 repair-gate -s map -c frozen after && grep -q 'map of states' out; }
ok 'another map' check
check() { exits 2 repair-gate -1 -c frozen after && grep -q policy out; }
ok 'another policy' check

echo '{"type":"alternate","task_id":"t30"}' >alt
ok 'another path that still succeeds' exits 0 repair-gate -A alt -c frozen after
echo '{"type":"alternate","task_id":"t15"}' >alt
ok 'another path that fails now' exits 1 repair-gate -A alt -c frozen after
MORE=',"cost":1' runs before 50 $(seq 1 14) >cheap
MORE=',"cost":2' runs after 50 13 14 15 16 >dear
repair-gate -f cheap >frozen3 2>/dev/null
ok 'twice the cost: not shown' exits 1 repair-gate -c frozen3 dear
ok 'within a margin of 100 percent' exits 0 repair-gate -k 100 -c frozen3 dear

# Two trials a task: the sign of the difference, and the band between trials of one agent.
two() { perl -pe '$k = $ENV{K}; s/"run_id":"/"run_id":"$k/; s/"cohort"/"trial":$k,"cohort"/' "$1"; }
runs before 50 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 >again
{ K=0 two before; K=1 two again; } >before2
{ K=0 two after; K=1 two after; } >after2
ok 'two trials a task' exits 0 repair-gate -f before2
ok 'the band between them' sh -c 'jq -e ".band == 1" out'
cp out frozen4
ok 'compared by task' sh -c 'repair-gate -c frozen4 after2 | jq -e ".tasks == 50"'
runs few 50 1 2 3 4 5 >few
ok 'five failures' exits 0 repair-gate -f few
ok 'cannot show a repair' grep -q 'cannot be shown with so few' err
ok 'the cell can be named' exits 0 repair-gate -f -l A -a B before
ok 'but must hold a failure' exits 2 repair-gate -f -l A -a X before
printf '%s\n' '{"type":"run","run_id":"d","task_id":"d","outcome":"failure","terminal":"final","states":[],"labels":[{"labeller":"x","last":"A","attempted":"B"},{"labeller":"y","last":"A","attempted":"C"}]}' >dispute
ok 'labels that disagree are refused' exits 2 sh -c 'cat before dispute | sed "s/,\"config\":{[^}]*}//" | repair-gate -f'
ok 'no runs' exits 2 repair-gate -f /dev/null
ok 'nothing frozen' exits 2 repair-gate -c /dev/null after
ok 'a line that is no record' exits 2 sh -c 'echo x | repair-gate -c frozen after -'
ok 'a full disk' exits 2 sh -c 'repair-gate -f before >/dev/full'
ok 'wrong usage' exits 2 repair-gate before
done_testing
