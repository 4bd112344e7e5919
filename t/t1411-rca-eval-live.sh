#!/bin/sh
# rca-eval with a model: killed and resumed, locked, the failing first, judged, what it cost, and variants.
. "$(dirname "$0")/lib.sh"
unset ANTHROPIC_API_KEY ANTHROPIC_AUTH_TOKEN OPENAI_API_KEY OPENAI_BASE_URL GOOGLE_API_KEY GEMINI_API_KEY
mkdir golden
for c in gql-auth mock-method overlay; do cp -r "$top/golden/$c" golden; done
eval_() { rca-eval -d golden -r "$top/golden/app" -m exec:./model.sh "$@"; }

# A model that writes down what it is asked, and answers after a while as the golden answers do.
cat >model.sh <<'END'
#!/bin/sh
cat >request
name=$(jq -r '"\(.name | split("/") | last) \(.request.epoch // .epoch // 0)"' request)
! grep -q '"prompt":"rca.ask.v1"' request || { echo '{"output":{"ask":[{"what":"list","folder":"web"}]}}'; exit; }
echo "$name" >>asked
[ ! -e slow ] || sleep 0.4
[ ! -e "broken-${name% *}" ] || exit 1
printf '{"output":%s,"usage":{"input_tokens":1000,"output_tokens":50}}\n' "$(cat "golden/${name% *}/answers/rca.v1.0.json")"
END
chmod +x model.sh

ok 'a live run' exits 0 eval_ -k 2
cp out whole
ok 'asks for each epoch once' test "$(sort asked | uniq -c | awk '{ print $1 }' | sort -u)" = 1
ok 'tells tokens by case' grep -qE '^Running: overlay #1 \.\.\. ✅ PASS \(10/10\) \[[0-9.]+s\] 1050 tokens$' err
ok 'and in all' grep -qx '  Tokens:    6300' err
ok 'what it cost is not known, and no zero' grep -qx '  Cost:      unknown' err

# Killed at any moment.
touch slow; : >asked
perl -e 'setpgrp; exec @ARGV or die' rca-eval -d golden -r "$top/golden/app" -m exec:./model.sh -k 2 -s state >part 2>/dev/null &
pid=$!
await sh -c '[ "$(wc -l <asked)" -ge 3 ]'
ok 'a second run' exits 2 eval_ -s state
ok 'says so' grep -qx 'rca-eval: state: another run is under way' err
kill -9 -$pid 2>/dev/null; wait $pid 2>/dev/null
rm slow
before=$(wc -l <asked)
ok 'a killed run keeps its state' test -d state/cassettes
set -- state/cassettes/*
kept=$#
ok 'started again' exits 0 eval_ -k 2 -s state
ok 'it asks for what is missing' test $(($(wc -l <asked) - before)) -eq $((6 - kept))
ok 'of which something was kept' test "$kept" -ge 1
same() { jq -c '{case, epoch, axes, status}' "$1" >a; jq -c '{case, epoch, axes, status}' "$2" >b; cmp a b; }
ok 'with the scores of a whole run' same out whole
ok 'and its state is gone' test ! -e state
: >asked
ok 'the next run' exits 0 eval_ -s state overlay
ok 'asks anew' test "$(cat asked)" = 'overlay 0'

touch broken-overlay
ok 'an answer that is missing' exits 2 eval_ -s state
ok 'keeps the state' grep -q '^rca-eval: state keeps what was answered' err
cp out failed
rm broken-overlay; : >asked
ok 'and is asked for the next time' exits 0 eval_ -s state
ok 'alone' test "$(cat asked)" = 'overlay 0'
ok 'replayed answers cost nothing now' grep -qx '  Tokens:    1050' err

: >asked
ok 'the failing first' exits 0 eval_ -f failed
ok 'then the others' test "$(awk '{ print $1 }' asked | tr '\n' ' ')" = 'overlay gql-auth mock-method '
ok 'among those named too' exits 0 eval_ -f failed mock-method overlay
ok 'in that order' test "$(jq -r .case out | tr '\n' ' ')" = 'overlay mock-method '
ok 'no such scores' exits 2 eval_ -f nowhere

# The lock of a run without a state.
touch slow; : >asked
rca-eval -d golden -r "$top/golden/app" -m exec:./model.sh >/dev/null 2>&1 &
await test -s asked
ok 'the golden folder is locked, too' exits 2 eval_
ok 'for live runs only' exits 0 rca-eval -d "$top/golden" overlay
wait; rm slow
ok 'and free again' exits 0 eval_ overlay

# A judge.
sed -i 's/^expected_root_cause:.*/expected_root_cause: "The dialog Storm notice lies above everything since nobody dismissed it"/; /^aliases:/,/^[a-z]/{/^aliases:/d;/^  - /d}' golden/overlay/case.yaml
cat >judge.sh <<'END'
#!/bin/sh
cat >/dev/null
echo '{"output":{"why":"The same.","score":2}}'
END
chmod +x judge.sh
cp "$top"/prompts/judge.* .
sed -i 's/^model:.*/model: exec:.\/judge.sh/' judge.rca.v1.md
ok 'what words do not settle' exits 0 eval_ overlay
ok 'is open' test "$(jq -r .status out)" = review
ok 'and settled by a judge' exits 0 eval_ -J judge.rca.v1.md -c both overlay
ok 'who is named' sh -c 'jq -e ".status == \"pass\" and .judge == \"exec:./judge.sh\" and .judged.cassette == \"recorded\"" out'
mv judge.sh no-judge.sh
ok 'and replayed' exits 0 eval_ -J judge.rca.v1.md -c both overlay
ok 'without being there' sh -c 'jq -e ".status == \"pass\" and .judged.cassette == \"hit\"" out'

# Variants.
ok 'an ablation' exits 0 eval_ -V no-check -V no-skill -V loop -k 2 -c both gql-auth mock-method
ok 'has a row for each that was measured' sh -c 'jq -se "map(select(.type == \"gate\") | .variant) == [\"no-check\", \"no-skill\", \"loop\"]" out'
ok 'paired, with what it shows' sh -c 'jq -se "map(select(.type == \"gate\")) | all(.cases == 2 and .epochs == 2 and (.p, .effect, .before, .after | type) == \"number\")" out'
ok 'without a model' exits 0 rca-eval -d "$top/golden" -V no-check overlay
ok 'nothing is measured' grep -qx 'no-check: not measured: no live model was asked' err
ok 'nor of authored answers' exits 0 rca-eval -d golden -r "$top/golden/app" -m "exec:$top/golden/answer.sh" -V no-check gql-auth
ok 'which measure their author' grep -qx 'no-check: not measured: no live model was asked' err
ok 'no such variant' exits 2 eval_ -V no-wheels
ok 'a state without a model' exits 2 rca-eval -d golden -s state
ok 'a state and cassettes' exits 2 eval_ -s state -c both
done_testing
