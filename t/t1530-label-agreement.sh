#!/bin/sh
# label-agreement: the worked numbers of the literature, adjudication, and input that is none.
. "$(dirname "$0")/lib.sh"

# table COUNT...: labels by x and y of a square table, row by row, on the field "last".
table() {
	perl -e 'my $k = sqrt @ARGV; my $u = 0; for my $i (0 .. $#ARGV) { for (1 .. $ARGV[$i]) { $u++;
	printf qq({"type":"label","run_id":"u%d","labeller":"%s","last":"s%d"}\n), $u, @$_ for ["x", int($i / $k)], ["y", $i % $k] } }' "$@"
}
# is NAME JQ FILE [OPTION...]: the records meet a condition.
is() {
	name=$1 want=$2 file=$3; shift 3
	# shellcheck disable=SC2317
	check() { exits 0 label-agreement "$@" "$file" && jq -s -e "$want" out; }
	ok "$name" check "$@"
}
table 20 5 10 15 >in
is 'kappa 0.4' '.[0] | .field == "last" and .agreement == 0.7 and .kappa == 0.4 and .kappa_se == 0.129615 and .n == 50' in
is 'the confusion pair' '.[0].confusion == [{"a":"s0","b":"s1","n":15}]' in
is 'an interval around it' '.[0] | .kappa_lo > 0.05 and .kappa_lo < 0.25 and .kappa_hi > 0.55 and .kappa_hi < 0.75' in
table 45 15 25 15 >in
is 'kappa 0.130435' '.[0].kappa == 0.130435' in
table 25 35 5 35 >in
is 'kappa 0.259259' '.[0].kappa == 0.259259' in
table 10 2 1 1 8 2 0 1 5 >in
is 'three categories: 0.642857' '.[0] | .kappa == 0.642857 and .kappa_se == 0.118194' in
table 18 1 1 0 >in
is 'the prevalence paradox: AC1 beside kappa' '.[0] | .kappa == -0.052632 and .ac1 == 0.889503' in
table 5 >in
is 'one answer: kappa is undefined, and absent' '.[0] | .agreement == 1 and (has("kappa") or has("alpha") or has("alpha_lo") | not)' in

# scores LABELLER VALUE...: one axis, a unit each; "." is missing.
scores() {
	perl -e 'my $by = shift; my $u = 0; for (@ARGV) { $u++; next if $_ eq ".";
	printf qq({"type":"label","case":"c%d","epoch":1,"axis":"a","score":%s,"by":"%s"}\n), $u, $_, $by }' "$@"
}
{
	scores A 1 2 3 3 2 1 4 1 2 . . .
	scores B 1 2 3 3 2 2 4 1 2 5 . 3
	scores C . 3 3 3 2 3 4 2 2 5 1 .
	scores D 1 2 3 3 2 4 4 1 2 5 1 .
} >four
near() { echo "((($1) - $2) | fabs) < 0.00005"; }
is 'Krippendorff, four labellers: 40 pairable values of 11 units' '.[0] | .values == 40 and .n == 11 and .units == 12' four
is 'nominal 0.7434' ".[0] | $(near .alpha_nominal 0.7434)" four
is 'ordinal 0.8154' ".[0] | $(near .alpha 0.8154) and .level == \"ordinal\"" four
is 'interval 0.8491' ".[0] | $(near .alpha_interval 0.8491)" four
is 'no kappa for four' '.[0] | has("kappa") | not' four
sort -r four >reversed
ok 'the order of lines does not matter' sh -c 'label-agreement reversed >r; label-agreement four | cmp - r'
ok 'another seed, another interval' sh -c '! label-agreement -z 2 four | cmp -s - r'
words() {
	perl -e 'my $by = shift; my $u = 0; for (@ARGV) { $u++; printf qq({"type":"label","run_id":"u%d","labeller":"%s","attempted":"%s"}\n), $u, $by, $_ }' "$@"
}
{ words x a a b b d c c c e d; words y b a b b b c c c e d; } >in
is 'two labellers, nominal: 0.7516' ".[0] | .field == \"attempted\" and $(near .alpha 0.7516)" in
# [[5,1,0],[1,6,2],[0,1,4]] on a 0-1-2 axis.
{ scores x 0 0 0 0 0 0 1 1 1 1 1 1 1 1 1 2 2 2 2 2; scores y 0 0 0 0 0 1 0 1 1 1 1 1 1 2 2 1 2 2 2 2; } >in
is 'weights on a 0-1-2 axis' '.[0] | [.kappa, .kappa_linear, .kappa_quadratic] == [0.618321, 0.695122, 0.782609]' in
is 'confusion of scores' '.[0].confusion[0] == {"a":1,"b":2,"n":3}' in
{ scores x 2 1 0 2; printf '{"type":"score","case":"c%s","epoch":1,"axes":{"a":%s}}\n' 1 2 2 1 3 0 4 1; } >in
is 'the program beside a person' 'map(select(.type == "agreement")) | .[0] | .labellers == ["judge", "x"] and .agreement == 0.75' in -r judge

cat >disputed <<'X'
{"type":"label","run_id":"r1","labeller":"x","last":"A","attempted":"B","layer":"router"}
{"type":"label","run_id":"r1","labeller":"y","last":"A","attempted":"C","layer":"router"}
{"type":"label","run_id":"r2","by":"x","last":"A","attempted":"B","layer":"prompt"}
{"type":"label","run_id":"r2","by":"y","last":"A","attempted":"B","layer":"policy"}
X
ok 'a dispute, and a gate' exits 1 label-agreement -g disputed
ok 'names the run' sh -c 'jq -s -e "map(select(.code == \"dispute\") | .where) == [\"r1\"]" out'
ok 'four fields in order' sh -c 'jq -s -e "map(select(.type == \"agreement\") | .field) == [\"last\", \"attempted\", \"cell\", \"layer\"]" out'
ok 'cells agree where both parts do' sh -c 'jq -s -e "map(select(.type == \"agreement\") | .agreement) == [1, 0.5, 0.5, 0.5]" out'
J='{"type":"adjudication","run_id":"r1","final":{"last":"A","attempted":"B"},"by":"z"}'
{ cat disputed; echo "$J"; } >decided
ok 'decided' exits 0 label-agreement -g decided
ok 'and kept, byte for byte' grep -qxF "$J" out
ok 'nothing is flagged' sh -c '! grep -q warning out'
{ cat disputed; echo "$J" | sed 's/"z"/"y"/'; } >own
ok 'a labeller decides on himself' exits 0 label-agreement -g own
ok 'is flagged' grep -q '"code":"own-judge".*"where":"r1"' out
cat >inside <<'X'
{"type":"run","run_id":"r1","task_id":"t","labels":[{"labeller":"x","last":"A","attempted":"B"},{"labeller":"y","last":"s_A","attempted":"C"}]}
X
is 'labels inside a run, which passes' 'map(.type) == ["run", "agreement", "agreement", "agreement", "warning"]' inside
echo 'states: [{match: "s_*", state: A}]' >map
is 'names as the map has them' 'map(select(.field == "last") | .agreement) == [1]' inside -s map
{ cat disputed; head -n 1 disputed; } >again
is 'the same word again' 'map(select(.code == "replaced")) | length == 1' again
ok 'a table' exits 0 label-agreement -t disputed
ok 'tells the disputes' grep -qx '1 runs in dispute, 1 of them open' out

ok 'no input' exits 0 label-agreement /dev/null
printf '{"type":"label","run_id":"r","labeller":"x","last":"A"}\r\n{"type":"label","run_id":"r","labeller":"y","last":"A"}' >crlf
is 'CRLF, no last newline' '.[0].n == 1' crlf
{ echo '{"type":"label"'; cat disputed; echo '{"type":"label"}'; echo '{"type":"label","run_id":"q"}'; } >bad
ok 'bad lines cost themselves' exits 2 label-agreement bad
ok 'the rest is measured' grep -q '"field":"cell"' out
ok 'and each is told' sh -c 'test "$(grep -c "^label-agreement: bad: line [167]: " err)" -eq 3'
label() { printf '{"type":"label","case":"c%s","axis":"root_cause_correct","score":%s,"by":"Ada"}\n' "$@"; }
score() { printf '{"type":"score","case":"c%s","epoch":0,"axes":{"root_cause_correct":%s}%s}\n' "$@"; }
{ label 1 2; label 2 0; label 3 1; label 4 2; score 1 2 ''; score 2 2 ',"labelled":{"root_cause_correct":"Ada"}'
  score 3 1 ',"ask":["root_cause_correct"]'; score 4 0 ',"judged":{"model":"m"}'; } >in
ok 'program, judge and person' exits 0 label-agreement -r program in
ok 'each with its own marks' sh -c 'jq -se "map(select(.type == \"agreement\"))[0] | .labellers == [\"Ada\", \"judge\", \"program\"] and .n == 2 and .agreement == 0.5" out'
ok 'a score that is none' exits 2 sh -c 'echo "{\"type\":\"label\",\"case\":\"c\",\"axis\":\"a\",\"score\":1.5,\"by\":\"x\"}" | label-agreement'
perl -e 'printf qq({"type":"label","run_id":"r%d","labeller":"x","last":"s%d"}\n), $_, $_ for 1 .. 1001' >many
ok 'too many answers to one question' exits 2 label-agreement many
ok 'a file that is not there' exits 2 label-agreement nowhere
ok 'a full disk' exits 2 sh -c 'label-agreement four >/dev/full'
ok 'wrong usage' exits 2 label-agreement -q
ok 'and nothing on stdout' test ! -s out
done_testing
