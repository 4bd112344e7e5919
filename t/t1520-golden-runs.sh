#!/bin/sh
# golden/runs: sets of runs whose matrices were worked by hand, and matrices in parts that add up.
. "$(dirname "$0")/lib.sh"
runs=$top/golden/runs

matrix() { # NAME FILE WANT: "last attempted n" of each cell, in any order
	# shellcheck disable=SC2317
	check() {
		exits 0 first-failure-matrix "$1" || return 1
		jq -r 'select(.type == "cell") | "\(.last) \(.attempted) \(.n)"' out | sort >got
		printf '%s\n' "$2" | diff -u - got
	}
	ok "$1" check "$2" "$3"
}
is() { ok "$1" sh -c "jq -s -e '$2' out"; }

matrix 'shapes: four failures in four cells' "$runs/shapes.ndjson" 'find_user refund 1
flight seat 1
search open 2'
is 'nine runs: four failed, four succeeded, one without an outcome, one that came twice' \
	'map(select(.type == "check" and .name == "runs")) | .[0] | .runs == 9 and .duplicates == 1 and .ok'
is 'the alternate path is in no cell' 'map(select(.run_id == "other-path" or .run_id == "one-of-two" or .run_id == "recovered")) == []'
is 'a cycle: its second visit' 'map(select(.run_id == "cycle") | [.last, .attempted, .occurrence]) == [["search", "open", 2]]'
is 'branches: last good is of its own branch' 'map(select(.run_id == "branches") | .last) == ["flight"]'
is 'recovered once, then two tries of another: one cell' 'map(select(.run_id == "recovered-once") | [.recovered, .attempts]) == [[[0], 2]]'
ok 'strict: the missing outcome fails' exits 2 first-failure-matrix -S "$runs/shapes.ndjson"
ok 'one id, two contents' exits 2 first-failure-matrix "$runs/duplicate.ndjson"
is 'has no matrix' 'map(select(.type == "cell")) == []'
matrix 'before: eight at the refund' "$runs/moved-before.ndjson" 'read_order refund 8'
matrix 'after: none there, eleven behind it' "$runs/moved-after.ndjson" 'refund mail 11'
ok 'freeze' exits 0 repair-gate -f "$runs/moved-before.ndjson"
cp out frozen
ok 'the count falls to none and success gets worse: no repair' exits 1 repair-gate -c frozen "$runs/moved-after.ndjson"
is 'a regression, and seven failures moved on' '.[0] | .verdict == "regressed" and .moved == 7 and .selected.fixed == 8 and .fixed == 1 and .broken == 4'
repair-gate -f "$runs/before.ndjson" >frozen 2>err
ok 'before and after: repaired' exits 0 repair-gate -c frozen "$runs/after.ndjson"

# Parts: as with GNU parallel --pipe, or the mappers of a cluster.
perl -e 'for my $i (1 .. 3000) { my $s = $i % 7; my $f = $i % 3;
	printf qq({"type":"run","run_id":"r%d","task_id":"t%d","outcome":"%s","terminal":"final","states":[{"i":0,"state":"s%d","status":"ok"},{"i":1,"state":"s%d","status":"%s"}]}\n),
	$i, $i, $f ? "failure" : "success", $s, $s + $f, $f ? "fail" : "ok" }' >many
first-failure-matrix -q many >whole
if command -v parallel >/dev/null && parallel --version 2>&1 | grep -q GNU; then
	ok 'parts by GNU parallel add up to the same bytes' sh -c \
		'parallel --pipe --block 50k first-failure-matrix -q <many 2>err | first-failure-matrix -q | cmp - whole'
else
	skip 'parts by GNU parallel' 'it is not there; split and xargs do the same below'
fi
split -l 400 many part.
ok 'parts by split and xargs add up to the same bytes' sh -c \
	'ls part.* | xargs -P 2 -I{} sh -c "first-failure-matrix -q {} >{}.out"; cat part.*.out | first-failure-matrix -q | cmp - whole'
done_testing
