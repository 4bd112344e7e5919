#!/bin/sh
# rca-eval: the golden set from traces to scores, and the gate against prompts that are bad on purpose.
. "$(dirname "$0")/lib.sh"
unset ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN OPENAI_API_KEY OPENAI_BASE_URL GOOGLE_API_KEY GEMINI_API_KEY
here=$top/t/t1410-rca-eval
eval_() { rca-eval -d "$top/golden" -c cassettes "$@"; }
some='gql-auth mock-operation-name mock-url-pattern overlay test-expectation'

ok 'all cases' exits 0 rca-eval -d "$top/golden" -g
cp out baseline
ok 'have a score each' test "$(jq -r 'select(.type == "score") | .case' out | sort -u | wc -l)" -eq 22
ok 'authored answers pass' sh -c "jq -se 'all(.status == \"pass\")' out"
ok 'a heading' grep -qx 'Found 22 golden case(s) to evaluate.' err
ok 'a line for each' test "$(grep -cE '^Running: [a-z-]+ \.\.\. ✅ PASS \([0-9]+/10\)$' err)" -eq 22
ok 'a summary' grep -qE '^  Score:     [0-9]+/220 \([0-9]+%\)$' err
ok 'what is replayed takes no time' grep -qx '  Avg time:  not measured' err
ok 'and costs nothing' grep -qx '  Tokens:    none, all was replayed' err
ok 'silent when all is well' exits 0 rca-eval -d "$top/golden" -q -b baseline
ok 'but for the scores, the same bytes each time' cmp out baseline
ok 'wholly' test ! -s err
# shellcheck disable=SC2086 # names
ok 'answers are kept' exits 0 eval_ -m "exec:$top/golden/answer.sh" $some secrets
ok 'and the time that they took' grep -qE '^Running: overlay \.\.\. ✅ PASS \([0-9]+/10\) \[[0-9.]+s\]$' err

# shellcheck disable=SC2086 # names
ok 'some cases, by name or by folder' exits 0 eval_ -b baseline $some "$top/golden/secrets/"
ok 'in that order' test "$(jq -r .case out | tr '\n' ' ')" = "$some secrets "
ok 'are compared with what the baseline has of them' grep -q '^REGRESSION CHECK$' err
ok 'epochs' exits 0 eval_ -k 3 -j 2 -m "exec:$here/answer" overlay
ok 'are numbered' test "$(jq -r .epoch out | tr '\n' ' ')" = '0 1 2 '
ok 'what is no failure is not asked about' exits 0 eval_ overlay passing
ok 'and that is said' grep -q '^rca-eval: passing: nothing failed' err

# Two prompts that are bad on purpose.
bad() { # NAME
	# shellcheck disable=SC2086 # names
	exits 1 eval_ -q -b baseline -m "exec:$here/answer" -p "$here/$1.v1.md" $some
}
fell() { # AXIS...: these axes fell, and no other
	got=$(jq -sr '[.[] | .axes | to_entries[] | select(.value == 0) | .key] | group_by(.) | map(select(length == 5) | .[0]) | join(" ")' out)
	[ "$got" = "$*" ] || { echo "$got"; return 1; }
}
ok 'one that says timing' bad bad-timing
ok 'fails' sh -c 'jq -se "all(.status == \"fail\")" out'
ok 'on cause, fix, conclusion and method' fell fix_actionable no_antipattern phase_compliance root_cause_correct
ok 'which the gate names' grep -q 'no_antipattern 2 to 0' err
ok 'with the cases' grep -q 'overlay 10 to' err
ok 'one that skips phases' bad bad-phases
ok 'falls on the method' fell phase_compliance
ok 'which the gate names too' grep -q 'phase_compliance 2 to 0' err

# What cannot be.
ok 'a model that cannot be asked' exits 2 eval_ -m "exec:$tmp/nobody" overlay
ok 'is no zero' sh -c 'jq -e ".status == \"infra_error\" and (has(\"total\") | not)" out'
ok 'and is said' grep -q '^Running: overlay ... ❌ INFRA ERROR: ' err
ok 'no such case' exits 2 eval_ nowhere
ok 'is one line' grep -qx "rca-eval: $top/golden: no case \"nowhere\"" err
ok 'no such folder' exits 2 rca-eval -d nowhere
ok 'no such baseline' exits 2 eval_ -b nowhere overlay
ok 'no such prompt' exits 2 eval_ -p nowhere overlay
ok 'a wrong option' exits 2 rca-eval -x
grep -v overlay baseline >less
ok 'a case that the baseline lacks is new' exits 0 eval_ -b less overlay gql-auth
mkdir few; cp -r "$top/golden/overlay" "$top/golden/gql-auth" few
grep '"case":"\(overlay\|gql-auth\)"' baseline | sed 's/"case":"overlay"/"case":"cover"/' >renamed
ok 'one that only the baseline has is trouble' exits 2 rca-eval -d few -c cassettes -r "$top/golden/app" -b renamed
ok 'and is named' grep -q 'cover is missing' err
grep -v overlay baseline >less
ok 'a new case alone has nothing to be compared with' exits 0 eval_ -b less overlay
ok 'which is said' grep -q '^New: the baseline has nothing' err
ok 'what was never recorded' exits 2 rca-eval -d few -c nowhere overlay
ok 'has to be asked for' grep -qx 'rca-eval: what is not recorded has to be asked for, with -m provider:model' err
ok 'and how it is replayed' grep -q 'with the same -m$' err
rca-new -d few "$top/golden/overlay/trace.zip" fresh >/dev/null
ok 'a case that nobody filled in' exits 2 rca-eval -d few -r "$top/golden/app" -c "$top/golden/cassettes"
ok 'is told before anybody is asked' grep -qx 'rca-eval: few/fresh/case.yaml: expected_root_cause says nothing yet; left out' err
ok 'and costs itself' test "$(jq -r .case out | xargs)" = 'gql-auth overlay'
ok 'alone there is nothing' exits 2 rca-eval -d few -m "exec:$tmp/nobody" fresh
ok 'to explain' grep -qx 'rca-eval: few: no case to explain' err
ok 'a full disk' exits 2 sh -c 'rca-eval -d "$1" -c cassettes overlay >/dev/full' sh "$top/golden"

# A case of one's own, whose trace lies elsewhere.
mkdir -p mine/own
cp "$top/golden/overlay/trace.zip" elsewhere.zip
sed 's#^trace:.*#trace: "../../elsewhere.zip"  \# not here#' "$top/golden/overlay/case.yaml" >mine/own/case.yaml
ok 'a trace that lies elsewhere' exits 0 rca-eval -d mine -m "exec:$here/own"
ok 'has the name of its case' test "$(jq -r .case out)" = own
done_testing
