#!/bin/sh
# triage-cases, triage-eval: labels go with their cases, and the numbers are those worked by hand.
# shellcheck disable=SC2317 # functions are called by ok
. "$(dirname "$0")/lib.sh"

# Labelled cases as records.
cat >reads-early.yaml <<'END'
label: {owner: test_code, behaviour: intermittent, cause: async_wait}
why: It reads once, right after the click.
analysis:
  file: a.spec.ts
  attempts: FP
  history: {runs: PPX}
  error: {message: "Error: no"}
END
sed 's/owner: test_code/owner: data, folds_to: environment/;s/  file.*/  group: {id: x, size: 7, rank: 2}/' reads-early.yaml >seed.yaml
printf 'label: {owner: nobody, behaviour: unknown}\nwhy: x\nanalysis: {}\n' >bad.yaml
printf 'label: {\n' >broken.yaml
ok 'a case is a label and an analysis' exits 0 triage-cases reads-early.yaml
first() { jq -s -e '.[0] == {"type":"triage_label","case":"reads-early","case_sha256":"'"$(sha256sum <reads-early.yaml | cut -d' ' -f1)"'",
	"owner":"test_code","behaviour":"intermittent","cause":"async_wait","slice":"dev","why":"It reads once, right after the click."} and
	.[1] == {"type":"analysis","test_id":"reads-early","file":"a.spec.ts","attempts":"FP","history":{"runs":"PPX"},
	"error":{"message":"Error: no"},"group":{"id":"reads-early","size":1,"rank":1}}' out; }
ok 'with what the file says and its digest' first
grouped() { triage-cases seed.yaml | jq -s -e '.[1].group == {"id":"seed","size":7,"rank":2} and .[0].folds_to == "environment"'; }
ok 'a group is a case of its own, as large as it was' grouped
left() { triage-cases -x history -x error reads-early.yaml | jq -s -e '.[1] | has("attempts") and (has("history") or has("error") | not)'; }
ok 'members can be left out' left
# The first 32 bits: printf seed | sha256sum is 19b25856..., 0x19b25856 / 2^32 = 0.1004.
slices() { [ "$(printf seed | sha256sum | cut -c1-8)" = 19b25856 ] && triage-cases -s held-out seed.yaml reads-early.yaml | jq -s -e 'map(select(.case).case) == ["seed"]'; }
ok 'a name decides what is held out' slices
ok 'a label that no rubric has is refused' exits 2 triage-cases bad.yaml reads-early.yaml
ok 'which costs that case' grep -q reads-early out
ok 'no YAML is told with its line' exits 2 triage-cases broken.yaml
ok 'in one line' sh -c '[ "$(wc -l <err)" -eq 1 ] && grep -q "^triage-cases: broken.yaml: line " err'
ok 'a file that is not there' exits 2 triage-cases gone.yaml
ok 'no case' exits 2 triage-cases
ok 'a slice nobody has' exits 2 triage-cases -s train seed.yaml
ok 'a full disk is trouble' exits 2 sh -c 'triage-cases seed.yaml >/dev/full'
ok 'the rubric is printed as it stands' sh -c "triage-cases -l | cmp - '$top/prompts/rubric.triage.v1.md'"

# The cases of the suite.
all() { triage-cases "$top"/golden/triage/*.yaml >all; }
ok 'every case of the suite is of the form' all
counts() { jq -s -e 'map(select(.type == "triage_label")) | length >= 60 and (map(select(.owner == "app_code" and .behaviour == "intermittent")) | length >= 20) and
	(map(select(.slice == "held-out")) | length >= 10) and ((map(.owner) | unique) == ["app_code","data","environment","test_code"])' all; }
ok 'sixty of them, twenty in the hard quadrant, ten held out' counts
silent() { jq -s -e 'map(select(.type == "analysis")) | all(has("why") or has("label") or has("owner") | not)' all; }
ok 'an analysis does not tell its label' silent

# Numbers.  case NAME SLICE OWNER BEHAVIOUR
label() { printf '{"type":"triage_label","case":"%s","case_sha256":"00","slice":"%s","owner":"%s","behaviour":"%s"}\n' "$@"; }
# NAME OWNER BEHAVIOUR CONFIDENCE
verdict() { printf '{"type":"triage","test_id":"%s","owner":"%s","behaviour":"%s","confidence":%s}\n' "$@"; }
none() { printf '{"type":"triage","test_id":"%s","reason":"budget"}\n' "$1"; }
number() { jq -s -e "map(select(.metric == \"$1\" and .slice == \"$2\" and .of == $3)) | length == 1 and (.[0] | $4)" out; }

# A published table: confidence:n:right = .35:2:0, .50:12:3, .60:11:5, .70:1:1.
i=0
while read -r sure many right; do
	k=0
	while [ $k -lt "$many" ]; do
		owner=test_code
		[ $k -ge "$right" ] || owner=app_code
		label c$i dev app_code intermittent
		verdict c$i $owner intermittent "$sure"
		k=$((k + 1)) i=$((i + 1))
	done
done >published <<END
0.35 2 0
0.50 12 3
0.60 11 5
0.70 1 1
END
ok 'a published calibration' exits 0 triage-eval published
ok 'ECE' number ece dev null '.value == 0.215385 and .lo < .value and .hi > .value and .method == "bootstrap"'
ok 'MCE' number mce dev null '.value == 0.35'
ok 'Brier' number brier dev null '.value == 0.242115'
ok 'AUROC' number auroc dev null '.value == 0.696078'
ok 'Platt' number platt_a dev null '(.value * 100000 | round) == 318828'
ok 'and its offset' number platt_b dev null '(.value * 100000 | round) == -128510'
ok 'no threshold, and why' number threshold dev null '(has("value") | not) and .target == 0.7 and (.note | test("no confidence"))'
ok 'a third is right: Wilson' number right dev '"owner and behaviour"' '.k == 9 and .n == 26 and (.lo * 10000 | round) == 1941 and (.hi * 10000 | round) == 5378'
ok 'a reliability row' number reliability dev '"0.50 to 0.60"' '.k == 3 and .n == 12 and .value == 0.25 and .confidence == 0.5'
ok 'the same bytes again' sh -c 'triage-eval published | cmp - out'

# By hand: four of six right in both axes; one has no verdict, one is right by what it folds to.
{
	label a dev app_code intermittent; verdict a app_code intermittent 0.9
	label b dev app_code intermittent; verdict b app_code intermittent 0.9
	label c dev test_code deterministic; verdict c app_code deterministic 0.6
	label d held-out test_code deterministic; verdict d test_code deterministic 0.8
	label e held-out environment intermittent; none e
	label f held-out data deterministic | sed 's/}/,"folds_to":"environment"}/'; verdict f environment deterministic 0.7
	verdict stranger app_code intermittent 0.1
	echo '{"type":"triage_summary","mode":"rules"}'
} >hand
ok 'by hand' exits 0 triage-eval hand
ok 'right in both' number right all '"owner and behaviour"' '.k == 4 and .n == 6'
ok 'the behaviour alone' number right all '"behaviour"' '.k == 5 and .n == 6'
ok 'what has no verdict is not classified' number classified held-out null '.k == 2 and .n == 3'
ok 'the hard quadrant' number hard_quadrant all null '.k == 2 and .n == 2 and (.lo * 10000 | round) == 3424'
ok 'precision' number precision all '"app_code"' '.k == 2 and .n == 3'
ok 'recall counts what has no verdict' number recall all '"environment"' '.k == 1 and .n == 2'
ok 'F1' number f1 all '"app_code"' '.value == 0.8'
ok 'the confusion' number owner_confusion all '"test_code called app_code"' '.k == 1'
ok 'and what was called nothing' number owner_confusion all '"environment called nothing"' '.k == 1'
ok 'what nobody measured' number self_consistency all null '.note == "not measured" and (has("value") | not)'
ok 'variants, too' number ablation all '"multi-step"' '.note == "not measured"'
ok 'each number says what it is of' sh -c 'jq -s -e "all(.source | .mode == \"rules\" and (.data_sha256 | length) == 64 and (.rubric_sha256 | length) == 64)" out'
{ cat hand; verdict a test_code intermittent 0.9; verdict d test_code deterministic 0.8; } >again
steady() { exits 0 triage-eval again && number self_consistency all null '.k == 1 and .n == 2' && number right all '"owner and behaviour"' '.k == 4 and .n == 6'; }
ok 'a second verdict is a sample, and does not count' steady

# A threshold: 9 of 9 at 0.9 reach 0.70, 9 of 12 with what is less sure do not.
for i in 1 2 3 4 5 6 7 8 9; do label r$i dev app_code intermittent; verdict r$i app_code intermittent 0.9; done >sure
for i in 1 2 3; do label w$i dev app_code intermittent; verdict w$i test_code intermittent 0.6; done >>sure
{ label h1 held-out app_code intermittent; verdict h1 app_code intermittent 0.95; label h2 held-out app_code intermittent; verdict h2 test_code intermittent 0.9; } >>sure
ok 'a threshold' exits 0 triage-eval sure
ok 'chosen on dev' number threshold dev null '.value == 0.9'
ok 'told on what was held out' number right_above_threshold held-out null '.k == 1 and .n == 2'
ok 'a stricter one is not reached' sh -c 'triage-eval -a 80 sure | jq -s -e "map(select(.metric == \"threshold\"))[0] | has(\"value\") | not"'
sed 's/"confidence":0.6/"confidence":0.9/' sure >same
ok 'one confidence tells nothing' sh -c 'triage-eval same | jq -s -e "map(select(.metric == \"threshold\"))[0].note | test(\"does not tell\")"'

# A variant that gains six cases and loses none: exact p is 2 / 2^6.
for i in 1 2 3 4 5 6 7 8; do label v$i dev app_code intermittent; done >labels
{ cat labels; for i in 1 2 3 4 5 6; do verdict v$i test_code intermittent 0.5; done; for i in 7 8; do verdict v$i app_code intermittent 0.5; done; } >less
{ cat labels; for i in 1 2 3 4 5 6 7 8; do verdict v$i app_code intermittent 0.5; done; } >"more"
ok 'a variant' exits 0 triage-eval -v 'multi-step=more' -v mine=less less
ok 'pair by pair' number ablation_difference all '"multi-step, hard quadrant"' '.gained == 6 and .lost == 0 and .n == 8 and .value == 0.75 and .p == 0.03125 and .lo < 0.75 and .method == "agresti-min"'
ok 'one of no known name' number ablation_difference all '"mine"' '.gained == 0 and .lost == 0 and .p == 1'

ok 'the gate' exits 1 triage-eval -g less
ok 'says yes' exits 0 triage-eval -g -l 60 more
ok 'a table' sh -c 'triage-eval -t hand >table && grep -Eq "^  owner and behaviour +2/3 67% \[21 94\] +2/3 67% \[21 94\] +4/6 67% \[30 90\]$" table && grep -q "not measured" table'
ok 'no labels: nothing to measure' exits 2 triage-eval /dev/null
ok 'a bad line costs itself' sh -c '{ echo x; cat hand; } | triage-eval >o 2>err; [ $? -eq 2 ] && [ -s o ] && grep -q "line 1:" err'
ok 'a full disk is trouble' exits 2 sh -c 'triage-eval hand >/dev/full'
ok 'wrong usage' exits 2 triage-eval -v nothing hand
ok 'a variant that is not there' exits 2 triage-eval -v a=gone hand

# The rules against the suite's own cases, when test-analyse is there.
if command -v test-analyse >/dev/null; then
	whole() { test-analyse all | triage-verdict -r | triage-eval -g -l 50; }
	ok 'the rules on all cases: the lower bound is at least half' exits 0 whole
	bars() { jq -s -e 'def of($m; $s; $o): map(select(.metric == $m and .slice == $s and .of == $o))[0].value;
		of("right"; "all"; "owner and behaviour") >= .6 and of("hard_quadrant"; "all"; null) >= .5 and of("classified"; "all"; null) == 1' out; }
	ok 'six of ten, and half of the hard ones' bars
	ok 'with the digest of the rules' jq -s -e 'all(.source.rules_sha256 | length == 64)' out
fi
done_testing
