#!/bin/sh
# A million states in a matrix, beside jq (and Miller) that only count (last, attempted) of marked failures.
set -eu
cd "${build:?}/bench"
[ -s runs.in ] || perl -e '
	srand 7;
	for my $i (1 .. 50000) {
		my $fail = rand() < 0.3 ? 1 + int rand 19 : -1;
		my @s = map { my $n = int rand 30; my $st = $_ == $fail ? "fail" : "ok";
			qq({"i":$_,"state":"state_$n","status":"$st","receipt":{"tool":"state_$n","key":"k$_","result":") .
			($_ == $fail ? "error" : "ok") . qq("}}) } 0 .. 19;
		print qq({"type":"run","run_id":"r$i","task_id":"t$i","cohort":"before","outcome":"),
			$fail < 0 ? "success" : "failure", qq(","terminal":"final","states":[), join(",", @s), "]}\n";
	}' >runs.in
echo "-- first-failure-matrix: $(wc -l <runs.in) runs, a million states, $(($(wc -c <runs.in) / 1000000)) MB"
./measure 'first-failure-matrix -q' first-failure-matrix -q runs.in
./measure 'jq, the same count' jq -n '
	reduce (inputs | select(.outcome == "failure") | .states | (map(.status) | index("fail")) as $i | select($i) |
	"\(.[$i - 1].state) \(.[$i].state)") as $c ({}; .[$c] += 1)' runs.in
if command -v mlr >/dev/null; then
	./measure 'Miller, the same count' mlr --ijsonl --ojson filter '$outcome == "failure"' 'then' put -q '
		for (i, s in $states) { if (s["status"] == "fail") { @n[$states[i - 1]["state"]][s["state"]] += 1; break } }
		end { emit @n, "last", "attempted" }' runs.in
else
	echo 'Miller: not there'
fi
