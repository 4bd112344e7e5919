#!/bin/sh
# eval-report: the seed's report to the byte, and forms that hold for their readers on hostile text.
# shellcheck disable=SC2317 # check() is what ok runs
. "$(dirname "$0")/lib.sh"
fixtures=$top/t/t1430-eval-report

# score CASE CATEGORY STATUS FIVE-SCORES [MORE]
score() {
	printf '{"type":"score","case":"%s","category":"%s","status":"%s","max":10,"prompt":"rca.v2","model":"m1","rubric":"r1"' "$1" "$2" "$3"
	printf ',"axes":{"root_cause_correct":%d,"fix_actionable":%d,"evidence_cited":%d,"no_antipattern":%d,"phase_compliance":%d}' "$4" "$5" "$6" "$7" "$8"
	printf ',"total":%d%s}\n' $(($4 + $5 + $6 + $7 + $8)) "${9-}"
}
{
	score mock-mismatch-001 mock-mismatch pass 2 2 2 2 1
	score graphql-error-001 graphql-error-in-200 pass 2 2 2 2 2
	score feature-flag-001 feature-flag review 1 1 1 2 1 ',"why":{"evidence_cited":"one of two"}'
	score null-data-001 null-data pass 2 2 1 2 1
	score infra-failure-001 infrastructure pass 1 2 2 2 1
} >in
cat >want <<'END'
═══════════════════════════════════════════════════════════════════════════
  TRACE-RCA EVAL SCORE REPORT
═══════════════════════════════════════════════════════════════════════════

  Overall Score: 41/50 (82%)  ████████░░

────────────────────────────────────────────────────────────────────────
  SCORES BY DIMENSION
────────────────────────────────────────────────────────────────────────

  Root Cause            8/10 ( 80%)  ████████░░
  Fix Precision         9/10 ( 90%)  █████████░
  Evidence              8/10 ( 80%)  ████████░░
  No Anti-Pattern      10/10 (100%)  ██████████
  Phase Compliance      6/10 ( 60%)  ██████░░░░

────────────────────────────────────────────────────────────────────────
  SCORES BY CATEGORY
────────────────────────────────────────────────────────────────────────

  mock-mismatch          1 cases   9/10 ( 90%)  █████████░
  graphql-error-in-200   1 cases  10/10 (100%)  ██████████
  feature-flag           1 cases   6/10 ( 60%)  ██████░░░░
  null-data              1 cases   8/10 ( 80%)  ████████░░
  infrastructure         1 cases   8/10 ( 80%)  ████████░░
END
check() { exits 0 eval-report in && diff -u want out; }
ok "the seed's report" check
check() { eval-report <in | diff -u want -; }
ok 'from standard input' check
check() { eval-report -o md in >out && grep -qxF '**Overall score: 41/50 (82%)** ████████░░ over 5 cases' out &&
	grep -qxF '| Evidence | 8/10 | 80% | ████████░░ |' out &&
	grep -qxF '| feature-flag-001 | review | 6/10 | Evidence&#58; one of two |' out; }
ok 'Markdown' check

{ cat in; echo '{"type":"score","case":"down","category":"infrastructure","status":"infra_error","why":{"status":"replay-miss"}}'; } >lost
check() { exits 0 eval-report lost && grep -qx '  Overall Score: 41/50 (82%)  ████████░░' out && grep -qx '  Not scored: 1 of 6 (1 infra_error)' out; }
ok 'what has no score is told, and is no zero' check

{ for i in 1 2 3 4 5 6 7 8 9; do score "c$i" hidden-element-overlay pass 2 2 2 2 2; done; score c10 auth pass 2 2 2 2 1; } >near
check() { eval-report near >out && grep -qx '  Overall Score: 99/100 (99%)  █████████░' out && tail -n 2 out | diff -u - got; }
cat >got <<'END'
  hidden-element-overlay   9 cases  90/90 (100%)  ██████████
  auth                     1 cases   9/10 ( 90%)  █████████░
END
ok 'a full bar is all there was' check

# The history: a record a run, which -o history writes.
check() { exits 0 eval-report -w 2026-07-04T08:00:00Z -o history in &&
	jq -e '.type == "eval_run" and .total == 41 and .max == 50 and .cases == 5 and .axes.phase_compliance == 0.6 and .prompt == "rca.v2" and .wall == "2026-07-04T08:00:00Z"' out; }
ok 'a history record' check
sed 's/rca.v2/rca.v1/; s/07-04/06-27/; s/"total":41/"total":30/' out >history
cp out now; cat now >>history
check() { exits 0 eval-report -H history -w 2026-07-11T08:00:00Z in && grep -A 20 TREND out | tail -n 3 >got && diff -u - got <<'END'
  2026-06-27T08:00:00Z      30/50 ( 60%)  ██████░░░░
  2026-07-04T08:00:00Z      41/50 ( 82%)  ████████░░  prompt rca.v1 to rca.v2
  2026-07-11T08:00:00Z      41/50 ( 82%)  ████████░░
END
}
ok 'the trend, and what changed' check
check() { eval-report -H history -o md in | grep -F 'prompt rca.v1 to rca.v2'; }
ok 'in Markdown' check
check() { eval-report -H history -o html in >x && [ "$(grep -c '<polyline' x)" -eq 6 ] && grep -qF '<li>2026-07-04T08:00:00Z: prompt rca.v1 to rca.v2</li>' x; }
ok 'six charts in HTML' check
: >none
ok 'an empty history' exits 0 eval-report -H none -o html in
ok 'no history' exits 2 eval-report -H missing in
echo '{"type":"eval_run","total":9,"max":5}' >x
ok 'a bad history record' exits 2 eval-report -H x in

# Hostile text: ESC, a right-to-left override, ends of elements, of a table and of CDATA, U+FFFF.
hostile='</td></script><script>alert(1)</script>]]>\u001b[2J\u202e\"&amp;\u0000\uffff|`@team\nX: \u0001'
{ cat lost; score 'evil <b>\u001b[31m|x\"' 'cat\u202e]]> <img src=x>' fail 0 1 2 0 0 ",\"epoch\":3,\"why\":{\"root_cause_correct\":\"$hostile\",\"no_antipattern\":{\"a\":[\"<i>\"]}}"
	score slow 'null-data' judge_error 0 0 0 0 0 ',"duration_ms":1500'; } >evil
for form in text md junit html ctrf history; do
	ok "$form: runs" sh -c "eval-report -H history -w 2026-07-04T08:00:00Z -o $form evil >evil.$form"
	check() { ! LC_ALL=C grep -q "$(printf '[\001-\010\013-\037]\\|\342\200\256')" "evil.$form"; }
	[ "$form" = ctrf ] || [ "$form" = history ] || ok "$form: nothing that acts on a terminal or hides" check
	check() { eval-report -H history -w 2026-07-04T08:00:00Z -o "$form" evil | cmp - "evil.$form"; }
	ok "$form: the same again" check
done
check() { ! grep -qi '<script\|<img\|<b>evil\|<i>' evil.html && grep -qF '&lt;script&gt;alert(1)' evil.html && grep -qF 'Content-Security-Policy' evil.html; }
ok 'html: no element of theirs' check
check() { ! grep -q 'http:\|https:\|url(\|@import\|<link\|<script' evil.html; }
ok 'html: nothing from elsewhere' check
check() { ! grep -q '<script\|<img\|@team' evil.md && [ "$(grep -c '^| evil' evil.md)" -eq 1 ]; }
ok 'md: one row, nothing that acts' check
check() { jq -e '.reportFormat == "CTRF" and (.results.summary | .tests == 8 and .passed == 4 and .pending == 1 and .failed == 1 and .other == 2 and .skipped == 0 and .start == 1783152000000) and (.results.tests | length == 8 and all(.duration >= 0 and (.suite | length == 1)))' evil.ctrf; }
ok 'ctrf: the sums' check
if command -v xmllint >/dev/null; then
	for kind in ant jenkins; do
		ok "junit: valid for $kind" xmllint --noout --schema "$fixtures/$kind.xsd" evil.junit
		check() { eval-report -o junit in >x && xmllint --noout --schema "$fixtures/$kind.xsd" x; }
		ok "junit: and without a time, for $kind" check
		check() { jq -c 'del(.prompt, .model, .rubric)' in | eval-report -o junit >x && xmllint --noout --schema "$fixtures/$kind.xsd" x; }
		ok "junit: and where no version is known, for $kind" check
	done
	check() { [ "$(xmllint --xpath "$1" evil.junit)" = "$2" ]; }
	ok 'junit: the sums' check 'concat(sum(//@tests)," ",sum(//@failures)," ",sum(//@errors)," ",sum(//@skipped)," ",count(//testcase)," ",count(//failure)," ",count(//error)," ",count(//skipped))' '8 1 2 1 8 1 2 1'
	ok 'junit: the score of a category' check 'string(//testsuite[@name="feature-flag"]//property[@name="score"]/@value)' 6/10
	ok 'junit: a time that was measured' check 'sum(//testcase/@time)' 1.5
	ok 'junit: why' check 'contains(//error[@type="infra_error"], "replay-miss")' true
else
	skip 'junit: valid' 'no xmllint'
fi

sed 's/$/\r/' in >x; ok 'CRLF' sh -c 'eval-report x | diff want -'
printf %s "$(cat in)" >x; ok 'no last newline' sh -c 'eval-report x | diff want -'
{ head -n 2 in; printf '\0\n'; tail -n 3 in; } >x
check() { exits 2 eval-report x && diff want out && grep -q '^eval-report: x: line 3: ' err; }
ok 'a bad line costs itself' check
jq -cn 'range(9000) | {type: "score", case: "case-\(.)", category: "mock-mismatch", epoch: 0, status: "fail", total: 2, max: 10, axes: {root_cause_correct: 0}, why: {root_cause_correct: ("x" * 200)}}' >many
check() { eval-report -o md many >x && [ "$(wc -c <x)" -lt 1048576 ] && grep -qx '[0-9]* more did not pass; a step summary has no room for them.' x; }
ok 'md: GitHub takes it, however many failed' check
check() { [ $(($(grep -c '^| case-' x) + $(sed -n 's/ more did not pass.*//p' x))) -eq 9000 ]; }
ok 'md: and each is counted' check
{ printf '{"type":"span","x":"'; head -c 10000000 /dev/zero | tr '\0' x; printf '"}\n'; cat in; } >big
ok '10 MB' sh -c 'eval-report big | diff want -'
ok 'no input' exits 2 eval-report none
ok 'nothing written then' test ! -s out
ok 'unreadable' exits 2 eval-report missing
ok 'a full disk' exits 2 sh -c 'eval-report in >/dev/full'
ok 'a closed pipe' sh -c 'eval-report -o html in | head -n 1 >/dev/null'
ok 'another form' exits 2 eval-report -o pdf in
for wall in 2026-07-04 2026-07-04T08:00:00 '2026-07-04T08:00:00Z"' now; do
	ok "no time: $wall" exits 2 eval-report -w "$wall" in
done
ok 'help' exits 0 eval-report --help
done_testing
