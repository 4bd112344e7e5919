#!/bin/sh
# eval-diff: verdicts and numbers worked by hand, and everything it refuses to compare.
# shellcheck disable=SC2015,SC2094,SC2317 # check() is what ok runs
. "$(dirname "$0")/lib.sh"

# score CASE EPOCH TOTAL [STATUS [MORE]]: one axis takes it all.
score() {
	printf '{"type":"score","case":"%s","epoch":%s,"case_sha256":"aa","rubric":"r1","schema":"s1",' "$1" "$2"
	printf '"axes":{"root_cause_correct":%s},"total":%s,"max":10,"status":"%s"%s}\n' \
		"$3" "$3" "${4-pass}" "${5-}"
}
run() { # CASE TOTAL...: an epoch each
	name=$1 e=0; shift
	for total; do score "$name" $e "$total"; e=$((e + 1)); done
}
gate() { # STATUS JQ: the gate record of base and now, and the exit status
	exits "$1" eval-diff base now && tail -n 1 out >last && jq -e "$2" last >/dev/null || { cat out; return 1; }
}

# The two cases of three epochs: 12 of 400 arrangements are as bad; means 8 and 6.5.
{ run a 9 10 8; run b 7 6 8; } >base
{ run a 7 8 6; run b 6 7 5; } >now
ok 'regressed' gate 1 '.verdict == "regressed" and (.p - 0.03 | fabs) < 1e-12'
ok 'by 18.75 %' gate 1 '(.effect + 0.1875 | fabs) < 1e-12 and .before == 8 and .after == 6.5'
ok 'and its interval' gate 1 '.lo < .effect and .effect < .hi and .hi < 0 and .mde > 0'
ok 'the axis and the cases are named' gate 1 '.because | join(" ") | test("root_cause_correct 8 to 6.5") and test("a 9 to 7") and test("b 7 to 6")'
ok 'an axis over all cases' jq -s -e 'map(select(.axis == "root_cause_correct" and .case == null)) | length == 1 and (.[0] | .before == 8 and .after == 6.5 and .moved == -1.5 and .p_holm >= .p)' out
ok 'a case that moved' jq -s -e 'map(select(.axis == "total" and .case == "a"))[0] | .before == 9 and .after == 7 and .moved == -2' out
ok 'every record is one' sh -c 'jq -e ".type | IN(\"diff\", \"gate\")" out >/dev/null'
cp out first
ok 'the same again' sh -c 'eval-diff base now | cmp - first'
ok 'from standard input' sh -c 'eval-diff base - <now | cmp - first'
ok 'the seed rule says it too' exits 1 eval-diff -1 base now
cp base now
ok 'nothing changed' gate 0 '.verdict == "ok" and .effect == 0'
ok 'no diff of a case' jq -s -e 'all(.[]; .type == "gate" or .case == null)' out

# One epoch, ten cases: the sign-flip test, 80 of 1024, 7.14 %.
one() { i=0; for t; do i=$((i + 1)); run "c$i" "$t"; done; }
one 9 10 8 7 10 6 9 8 10 7 >base; one 8 10 6 7 9 6 7 8 9 8 >now
ok 'one epoch' gate 0 '.verdict == "ok" and .p == 0.078125 and (.lo * 8.4 + 1.29110042881 | fabs) < 1e-9'
one 10 10 10 >base; one 10 10 6 >now
ok 'three cases can prove nothing: suspect' gate 0 '.verdict == "suspect" and .more_epochs > 0 and (.because | join(" ") | test("not testable"))'
ok 'and says how to ask again' grep -q 'would settle it (rca-eval -k [0-9]*)' out
ok 'where the seed rule cries' exits 1 eval-diff -1 base now
one 10 10 10 10 10 >base; one 9 9 9 9 9 >now
ok '10 % exactly passes' gate 0 '.verdict == "ok" and .p == 0.03125'
ok 'by the seed rule too' exits 0 eval-diff -1 base now
{ run c1 8; one 9 9 9 9 9 | tail -n 4; } >now
ok 'a little more does not' gate 1 '.verdict == "regressed" and .p == 0.03125'

# A broken case: 1/252 times two cases is under .01, though the mean fell by 5 %.
{ run a 2 2 2 2 2; run b 9 9 9 9 9; run b2 9 9 9 9 9; } >base; { run a 1 1 1 1 1; run b 9 9 9 9 9; run b2 9 9 9 9 9; } >now
ok 'after Holm over three cases: .0119 is not enough' gate 0 '.verdict == "ok"'
grep -v '"b2"' base >x && mv x base; grep -v '"b2"' now >x && mv x now
ok 'of two it is' gate 1 '.verdict == "regressed" and (.because[0] | test("^a is broken: p 0.0079"))'
ok 'which the seed rule does not see' exits 0 eval-diff -1 base now

{ score a 0 9; score b 0 3 fail ',"must_pass":true'; } >base; cp base now
ok 'a case that must pass' gate 1 '.verdict == "regressed" and (.because[0] | test("^b must pass"))'
{ score a 0 9; score a 1 9; score b 0 9; score b 1 9 pass ',"must_pass":true'; } >base
{ score a 0 9; score a 1 9; score b 0 9; score b 1 9 fail ',"must_pass":true'; } >now
ok 'failed in one epoch only' gate 0 '.verdict == "ok"'

# pass^k and pass@k of c = 4 4 3 1 0 of 4.
binary() { name=$1 e=0; shift; for s; do score "$name" $e 5 "$s"; e=$((e + 1)); done; }
{ binary a pass pass pass pass; binary b pass pass pass pass; binary c pass fail pass pass
	binary d fail pass fail fail; binary e fail fail review fail; } >base
cp base now
ok 'pass^k and pass@k' gate 0 '[.pass_hat.before[0,2], .pass_at.after[2]] | map(. * 1000 | round) == [600, 450, 750]'

invalid() { # NAME WHY: now cannot be compared with base
	ok "invalid: $1" gate 2 ".verdict == \"invalid\" and (.because | join(\"; \") | test(\"$2\")) and .p == null"
}
{ run a 9 9; run b 8 8; } >base
run a 9 9 >now; invalid 'a case is missing' '^b is missing$'
{ run a 9 9; run B 8 8; } >now; invalid 'renamed' 'b is missing'
{ run a 9; run b 8 8; } >now; invalid 'an epoch is missing' 'a: epoch 1 is missing'
{ run a 9 9; run b 8 8; run b 8; } >now; invalid 'twice' 'b: epoch 0 is twice'
for v in case_sha256:aa rubric:r1 schema:s1; do
	sed "s/\"${v#*:}\"/\"zz\"/" base >now; invalid "another ${v%:*}" "not the same ${v%:*}"
done
sed 's/"s1"/null/' base >now; invalid 'no schema' 'not the same schema'
sed 's/"max":10/"max":12/' base >now; invalid 'another max' 'not the same max'
sed 's/"max"/"judge":"j1","max"/;1d' base >x; { head -n 1 base; cat x; } >base.j
sed 's/"max"/"judge":"j2","max"/' base >now
check() { exits 2 eval-diff base.j now && grep -q 'not the same judge' out; }
ok 'invalid: another judge' check
ok 'a judge that was not asked is no other judge' exits 0 eval-diff base base.j
sed 's/"max"/"model":"authored","prompt":"rca.v1","max"/' base >base.m; sed 's/"max"/"model":"openai:x","prompt":"rca.v2","max"/' base >now.m
ok 'another prompt and another model are what is compared' exits 0 eval-diff base.m now.m
ok 'which is told' sh -c 'jq -se "map(select(.type == \"gate\"))[0].because | index(\"the prompt changed from rca.v1 to rca.v2\") and index(\"the model changed from authored to openai:x\") and index(\"the baseline was written by people, and is no model'"'"'s\")" out'
{ run a 9 9; score b 0 0 infra_error; score b 1 0 judge_error; } >now; invalid 'no score left' 'b: no epoch has a score'
ok 'and a line says so' grep -q '^eval-diff: the runs cannot be compared: b: no epoch' err
: >now; invalid 'an empty run' 'a is missing'
cp base now; printf '{"type":"score"' >>now; invalid 'a bad line' 'could not be read'
: >x; ok 'an empty baseline' exits 2 eval-diff x base

{ run a 9 9 9; run b 8 8; run new 1; } >now
ok 'more epochs and a new case are welcome' gate 0 '.cases == 2 and (.because | join(" ") | test("new is new"))'
{ run a 9; score a 1 0 error; run b 8 8; } >now
ok 'an error is no zero, and no pass' gate 0 '.verdict == "suspect" and .effect == 0 and (.because | join(" ") | test("1 of 4 epochs of the current run have no score: error"))'
{ run a 9; score a 1 0 infra_error; run b 8 8; } >now
ok 'a broken machine is not the agent' gate 0 '.verdict == "ok"'
{ run a 9.5 9; run b 8.25 8; } >now
ok 'halves and quarters' gate 0 '(.after - 8.6875 | fabs) < 1e-12'

# The seed's block: 41 and 34 of 50.
one 9 10 6 8 8 >base; one 7 9 5 6 7 >now
cat >want <<'END'
────────────────────────────────────────────────────────────────────────
REGRESSION CHECK
────────────────────────────────────────────────────────────────────────
  Baseline:  82%
  Current:   68%
  Delta:     -14%
  ⚠️  REGRESSION DETECTED — score dropped >10% from baseline
END
check() { exits 1 eval-diff -1t base now && diff -u want out; }
ok "the seed's block" check
check() { exits 1 eval-diff -t base now && head -n 7 out | diff -u want - && grep -q '  p:         0.0312 ' out; }
ok 'and what it rests on' check

{ run a 9 8 9 10; run b 5 9 7 9; } >base
check() { exits 0 eval-diff -A base && jq -e '.type == "noise" and .splits == 1000 and .seed == 1 and .fired <= 0.05 and .naive > .fired' out; }
ok 'the baseline against itself' check
ok 'for people' sh -c 'eval-diff -At base | grep -q "the gate fired"'
run a 9 >x; ok 'one epoch has no halves' exits 2 eval-diff -A x

{ run a 9 9; run b 8 8; } >base
hostile=$(printf '\\u001b[31m\\n\\u0000')
sed "s/\"b\"/\"b$hostile\"/" base >x
ok 'a NUL in a name is a bad record' exits 2 eval-diff x x
sed 's/"b"/"b\\u001b[2J\\n"/' base >x; run a 9 9 >now
check() { exits 2 eval-diff -t x now && ! grep -q "$(printf '\033')" out err && [ "$(wc -l <err)" -eq 1 ]; }
ok 'hostile names do not reach the terminal' check
sed 's/$/\r/' base >x
ok 'CRLF' exits 0 eval-diff base x
printf %s "$(cat base)" >x
ok 'no last newline' exits 0 eval-diff base x
{ echo '{"type":"span"}'; cat base; printf '\0\n'; } >x
ok 'NUL' exits 2 eval-diff base x
{ printf '{"type":"score","case":"a","x":"'; head -c 10000000 /dev/zero | tr '\0' x; printf '","epoch":0,"total":9,"max":10,"status":"pass"}\n'; } >x
ok '10 MB' exits 0 eval-diff x x
{ printf '{"type":"score","case":'; head -c 5000 /dev/zero | tr '\0' '['; echo; } >x
ok 'deep nesting' exits 2 eval-diff x base
for bad in '"case":7' '"status":"good"' '"epoch":-1' '"total":11' '"max":0' '"total":"9"'; do
	score a 0 9 | jq -c ". + {$bad}" >x
	ok "bad: $bad" exits 2 eval-diff x x
done
ok 'unreadable' exits 2 eval-diff base none
ok 'a full disk' exits 2 sh -c 'eval-diff base base >/dev/full'
ok 'one operand' exits 2 eval-diff base
ok 'an unknown option' exits 2 eval-diff -x base base
ok 'help' exits 0 eval-diff --help
done_testing
