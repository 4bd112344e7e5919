#!/bin/sh
# rca-score: five axes for answers that are right, wrong in one way each, or missing.
. "$(dirname "$0")/lib.sh"
golden=$top/golden
segment() { # CASE: its evidence
	trace-unpack "$golden/$1/trace.zip" | trace-events | gql-verify | repo-context -r "$golden/app" | redact
}
answer() { # CASE [JQ PROGRAM]: its authored answer as a record, with what the program makes of it
	jq -c "{type: \"answer\", name: \"$1\", epoch: 0, prompt: \"rca.v1\", model: \"authored\", output: .} | ${2:-.}" \
		"$golden/$1/answers/rca.v1.0.json"
}
score() { # CASE [JQ PROGRAM]: of the authored answer with a change
	{ cat "$1.evidence"; answer "$@"; } | rca-score "$golden" >out 2>err || { cat err; return 1; }
}
# CASE JQ CHANGE WANT: the five axes, their order being cause, fix, evidence, antipattern, phases
is() {
	score "$1" "$2" || return 1
	got=$(jq -r '[.status, (.axes | .root_cause_correct, .fix_actionable, .evidence_cited, .no_antipattern, .phase_compliance)] | join(" ")' out)
	[ "$got" = "$3" ] || { echo "$got, not $3"; cat out; return 1; }
}
for c in mock-operation-name infra-hook-timeout feature-flag passing; do segment "$c" >"$c.evidence"; done
m=mock-operation-name

ok 'a right answer' is $m . 'pass 2 2 2 2 2'
ok 'its total' sh -c 'jq -e ".total == 10 and .max == 10 and .case == \"mock-operation-name\" and .category == \"mock-mismatch\" and .epoch == 0 and .must_pass" out'
ok 'all that a comparison needs' sh -c 'jq -e ".prompt == \"rca.v1\" and .model == \"authored\" and (.rubric, .judge, .schema | type) == \"string\" and (.case_sha256, .answer_sha256 | length) == 64 and (.why | length) == 5" out'
ok 'a cause that is told in other words is asked about' is $m \
	'.output.root_cause.because = "nobody had prepared the stub for the name under which the front end fetches its ships"' 'review 1 2 2 2 2'
ok 'and says so' sh -c 'jq -e ".ask == [\"root_cause_correct\"]" out'
ok 'another cause altogether is missed' is $m \
	'.output.root_cause = {expected: "x", got: "y", because: "the locale of the browser is wrong"} | .output.claims |= [{text: "Nothing.", cites: ["test:1", "error:1"]}] | .output.phases[3:6] |= map(.text = "Locale.") | .output.fix.text = "Set a locale."' \
	'fail 0 2 2 2 2'

ok 'another file' is $m '.output.fix.file = "web/js/arrivals.js"' 'review 1 0 2 2 2'
ok 'the file as the recording machine names it' is $m '.output.fix.file = "/tmp/harbour-desk/e2e/arrivals.spec.ts"' 'pass 2 2 2 2 2'
ok 'a file of the same ending is another' is $m '.output.fix.file = "e2e/old-arrivals.spec.ts"' 'review 1 0 1 2 2'
ok 'no line' is $m 'del(.output.fix.line)' 'pass 2 1 2 2 2'
ok 'a line that nobody was shown' is $m '.output.fix.line = 4000' 'pass 2 1 1 2 2'
ok 'no fix' is $m 'del(.output.fix)' 'review 1 0 2 2 1'

ok 'a citation of nothing' is $m '.output.claims[0].cites = ["request:999"]' 'pass 2 2 1 2 2'
ok 'a quote that does not stand there' is $m '.output.claims[2].text |= sub("Sign in"; "Log in")' 'pass 2 2 1 2 2'
ok 'only such citations' is $m '.output.claims |= map(.cites = ["request:99"]) | .output.phases |= map(.cites = ["request:98"]) | .output.ruled_out = []' 'review 2 2 0 2 2'

ok 'a wrong conclusion' is $m '.output.root_cause.because += ", which is a timing issue"' 'fail 1 2 2 0 0'
ok 'says where' sh -c 'jq -e ".why.no_antipattern | test(\"timing issue.*root_cause.because\")" out'
ok 'in words of its own' is $m '.output.root_cause.because = "the table was still being rendered and the network was too slow"' 'fail 0 2 2 0 0'
ok 'in the fix' is $m '.output.fix.text = "Increase the timeout."' 'fail 1 0 2 0 0'
ok 'in the diff' is $m '.output.fix.diff = "+  await page.waitForTimeout(3000);"' 'fail 1 0 2 0 0'
ok 'taken away by the diff' is $m '.output.fix.diff = "-  await page.waitForTimeout(3000);\n+  await page.getByRole(\"table\");"' 'pass 2 2 2 2 2'
ok 'denied' is $m '.output.claims[1].text += " This is not a timing issue, and a race condition can be ruled out."' 'pass 2 2 2 2 2'
ok 'quoted' is $m '.output.root_cause.because += ", and it would be wrong to call this a \"timing issue\""' 'pass 2 2 2 2 2'
ok 'ruled out' is $m '.output.ruled_out += [{what: "A race condition", because: "it is tempting to say timing issue, add a wait", cites: ["request:7"]}]' 'pass 2 2 2 2 2'
plain() { { cat $m.evidence; answer $m '.output.ruled_out[0].what = "A Timing Issue"'; } | rca-score -1 "$golden" | jq -e '.axes.no_antipattern == 0 and .status == "fail"'; }
ok 'with the plain rule that counts' plain

ok 'a phase is missing' is $m 'del(.output.phases[4])' 'pass 2 2 2 2 1'
ok 'phases are skipped' is $m '.output.phases |= [.[0], .[5], .[6]]' 'review 2 2 2 2 0'
ok 'who cannot tell is not wrong, and not right' is $m '.output.determined = false | del(.output.root_cause, .output.fix) | .output.unknown = ["The handler."]' 'fail 0 0 2 2 2'

i=infra-hook-timeout
ok 'cannot be determined: no cause, no fix' is $i . 'pass 2 2 2 2 2'
ok 'with a fix all the same' is $i '.output.fix = {type: "fix-environment", text: "Restart it."}' 'review 1 1 2 2 2'
ok 'a cause where there is none' is $i '.output.determined = true | .output.root_cause = {expected: "a", got: "b", because: "the locator is wrong"} | .output.fix = {type: "fix-test", text: "Change it.", file: "e2e/seeded.spec.ts", line: 7}' 'fail 0 0 2 2 1'
f=feature-flag
ok 'no file is wrong' is $f . 'pass 2 2 2 2 2'
ok 'another kind of fix' is $f '.output.fix.type = "fix-backend"' 'pass 2 1 2 2 2'
ok 'a file is named' is $f '.output.fix.file = "web/js/station.js"' 'review 1 0 2 2 2'

# A report of another agent, in free text.
text='.text = ([
	"## Phase 1: Gather", "One assertion failed (error:1).", "## Phase 2: Expected", "The table, e2e/arrivals.spec.ts:12.",
	"## Phase 3: Got", "No table (snapshot:1).", "## Phase 4: Network", "HTTP 200 with UNAUTHENTICATED (graphql:1).",
	"## Phase 5: Code path", "web/js/arrivals.js:9", "## Phase 6: Root cause",
	"The mock compares operationName with ListArrivals, but the app sends Arrivals, so the request fell through to the real server.",
	"## Phase 7: Fix", "Change the name in e2e/arrivals.spec.ts:8.", "## Ruled out", "timing issue"] | join("\n")) | del(.output)'
ok 'free text' is $m "$text" 'pass 2 2 2 2 2'
ok 'free text that is wrong' is $m '.text = "Root cause: this is a timing issue.\nFix: add waitForTimeout(3000)." | del(.output)' 'fail 0 0 0 0 0'

report() { # CASE WANT: standard input is a report of that case in free text
	jq -cRs '{type: "answer", epoch: 0, text: .}' >report
	{ cat "$1.evidence"; cat report; } | rca-score "$golden" >out || return 1
	got=$(jq -r '[.status, (.axes | .root_cause_correct, .fix_actionable, .evidence_cited, .no_antipattern, .phase_compliance)] | join(" ")' out)
	[ "$got" = "$2" ] || { echo "$got, not $2"; cat out; return 1; }
}
ok 'a short report, right but without phases: a person is asked' report $m 'review 2 2 1 2 1' <<'END'
Root Cause: The test expected getByRole('table', { name: 'Arrivals' }) to be visible, but the
page renders nothing below its heading when the Arrivals query returns errors. The query failed with
"UNAUTHENTICATED: Sign in to see arrivals" (HTTP 200, GraphQL error in body). The mock in the test
intercepts /graphql but uses operationName "ListArrivals": the app sends "Arrivals", so the mock never
matched and the real endpoint was hit.

Fix: Update the mock operationName to match the actual query:
  e2e/arrivals.spec.ts:8
  - if (body.operationName !== 'ListArrivals') return route.fallback();
  + if (body.operationName !== 'Arrivals') return route.fallback();
END
ok 'about that' sh -c 'jq -e ".ask == [\"phase_compliance\"]" out'
ok 'a short report that is wrong' report $m 'fail 0 0 0 0 0' <<'END'
The element didn't appear within 30 seconds. This suggests a timing issue with the component rendering.
The test should wait for the API response to complete before asserting.
END
ok 'a long one, with its dead ends set aside' report $m 'pass 2 2 2 2 2' <<'END'
# Trace RCA report

## Phase 1: Data Acquisition
- `expect(locator).toBeVisible()` failed (error:1); no table in the snapshot (snapshot:1)
## Phase 2: What Did the Test Expect?
The table Arrivals, e2e/arrivals.spec.ts:12
## Phase 3: What Was the Page Showing?
Only the heading.
## Phase 4: Did Network Calls Succeed?
No. POST /graphql returned 200, but the body has `errors` (UNAUTHENTICATED), graphql:1.
## Phase 5: What App Code Path Was Triggered?
web/js/arrivals.js:9 `if (!data?.arrivals) return;`
## Phase 6: Single Root Cause Statement
The test expected the Arrivals table to be visible, but got a page with only a heading, because the mock
compares operationName with ListArrivals while the app sends Arrivals, so the request fell through to the real server.
## Phase 7: Minimal Fix
e2e/arrivals.spec.ts:8: compare with 'Arrivals'.
## Dead ends considered
DE-1 timing issue: no network failure, no slow response. Not concluded.
END
ok 'one that cannot tell' report infra-hook-timeout 'review 2 2 0 2 1' <<'END'
I cannot determine the root cause from the available evidence. The hook timed out before the test began.
END

# No answer is no zero.
unanswered() { { cat $m.evidence; echo "{\"type\":\"unclassified\",\"name\":\"$m\",\"epoch\":1,\"reason\":\"$1\",\"message\":\"because\"}"; } | rca-score "$golden" >out; jq -e ".status == \"$2\" and .epoch == 1 and .max == 10 and (has(\"total\") or has(\"axes\") | not) and .why.status == \"$1: because\"" out; }
ok 'a refusal is an error' unanswered refusal error
ok 'no connection is not the agent' unanswered error infra_error
ok 'nor is a budget' unanswered budget infra_error
ok 'nor a cassette' unanswered replay-miss infra_error
ok 'a failure without any answer' sh -c 'rca-score "$1" mock-operation-name.evidence | jq -e ".status == \"infra_error\""' sh "$golden"
ok 'a gate says no' exits 1 rca-score -g "$golden" $m.evidence
ok 'what passed is not scored' exits 0 rca-score "$golden" passing.evidence
ok 'at all' test ! -s out

# A person.
{ cat $m.evidence; answer $m '.output.root_cause.because = "nobody had prepared the stub for the name under which the front end fetches its ships"'; } >asked
rca-score "$golden" asked >out; sha=$(jq -r .answer_sha256 out)
label() { printf '{"type":"label","case":"%s","epoch":0,"axis":"root_cause_correct","score":%s,"by":"Ada"%s}\n' $m "$@"; }
labelled() { label "$1" "$2" | rca-score "$golden" - asked >out; jq -e ".status == \"$3\" and .axes.root_cause_correct == $4" out; }
ok 'a label overrides' labelled 2 '' pass 2
ok 'and is told' sh -c 'jq -e ".labelled == {root_cause_correct: \"Ada\"} and (has(\"ask\") | not)" out'
ok 'either way' labelled 0 '' fail 0
ok 'a label of this answer' labelled 2 ",\"answer_sha256\":\"$sha\"" pass 2
ok 'not of another' labelled 2 ',"answer_sha256":"0"' review 1
ok 'no such mark' labelled 7 '' review 1

# Several in a stream.
{ cat $m.evidence; answer $m; answer $m '.epoch = 1'; cat passing.evidence $f.evidence; answer $f; } >stream
ok 'segments and epochs' exits 0 rca-score "$golden" stream
ok 'in order' test "$(jq -r '[.case, .epoch] | join(" ")' out | tr '\n' ,)" = "$m 0,$m 1,$f 0,"
cp out scores
ok 'scores pass' exits 0 rca-score "$golden" scores
ok 'unchanged' cmp out scores
rca-score "$golden" stream >again
ok 'and again the same bytes' cmp scores again

# For people.
{ cat scores; echo '{"type":"score","case":"x","epoch":0,"max":10,"status":"error","why":{"status":"refusal"}}'
  echo '{"type":"score","case":"y","epoch":0,"max":10,"total":6,"status":"review","duration_ms":52100}'; } >mixed
ok 'lines' exits 0 rca-score -t mixed
ok 'a pass' grep -qxF 'Running: feature-flag ... ✅ PASS (10/10)' out
ok 'an epoch' grep -qxF 'Running: mock-operation-name #1 ... ✅ PASS (10/10)' out
ok 'an error' grep -qxF 'Running: x ... ❌ ERROR: refusal' out
ok 'a review, and its time' grep -qxF 'Running: y ... ⚠️  REVIEW (6/10) [52.1s]' out
ok 'cases' grep -qx '  Cases:     4' out
ok 'a score without the errors' grep -qx '  Score:     36/40 (90%)' out
ok 'the time of what has one' grep -qx '  Avg time:  52.1s' out
ok 'the gate of the table' exits 1 rca-score -tg mixed

# Which case it was.
mkdir -p other/$m
cp "$golden/$m/case.yaml" "$golden/$m/trace.zip" other/$m
sha_of() { { cat $m.evidence; answer $m; } | rca-score other | jq -r .case_sha256; }
same=$(sha_of)
ok 'a case has a digest' test "$(jq -r 'select(.epoch == 0) | .case_sha256' scores | head -n 1)" = "$same"
printf '# a comment\nnotes: "for people"\n' >>other/$m/case.yaml
ok 'comments and notes are not in it' test "$(sha_of)" = "$same"
sed -i 's/waitForTimeout/waitForever/' other/$m/case.yaml
ok 'what is right is' test "$(sha_of)" != "$same"
cp "$golden/$m/case.yaml" other/$m; cp "$golden/overlay/trace.zip" other/$m
ok 'and its trace' test "$(sha_of)" != "$same"
rm other/$m/trace.zip
ok 'which need not be there' test "$(sha_of | wc -c)" -eq 65

# Trouble.
mkdir -p cases/bad cases/empty
echo 'a: [' >cases/bad/case.yaml
echo 'category: x' >cases/empty/case.yaml
named() { printf '{"type":"trace","name":"%s"}\n{"type":"answer","name":"a","output":{}}\n' "$1" >named; exits 2 rca-score cases named && grep -q "$2" err && test ! -s out; }
ok 'no such case' named a/other '^rca-score: cases: no case "other"$'
ok 'out of the folder' named .. 'no case ".."'
ok 'no name' named a/ 'no case ""'
ok 'a bad case' named bad 'cases/bad/case.yaml: line '
ok 'half a case' named empty 'no expected_root_cause'
ok 'no folder' exits 2 rca-score nowhere named
ok 'no operand' exits 2 rca-score
ok 'a wrong option' exits 2 rca-score -x
ok 'no input' exits 0 rca-score "$golden" /dev/null
ok 'nothing from nothing' test ! -s out
ok 'an unreadable file' exits 2 rca-score "$golden" nowhere
ok 'a full disk' exits 2 sh -c 'rca-score "$1" stream >/dev/full' sh "$golden"
{ printf 'no record\n'; sed 's/$/\r/' stream | head -c -2; } >odd
ok 'a bad line costs itself, CRLF and no last line end nothing' exits 2 rca-score "$golden" odd
ok 'the place' grep -q '^rca-score: odd: line 1: ' err
ok 'the rest' cmp out scores
printf '{"type":"trace","name":"%s"}\n{"type":"answer","epoch":[],"output":{"fix":[],"root_cause":7,"phases":{},"claims":[[]],"ruled_out":"x"},"text":"a\\u0000b"}\n{"type":"answer"}\n{"type":"label"}\n{"type":"span","attributes":3}\n{"type":"unclassified"}\n' $m >kinds
ok 'wrong kinds' exits 0 rca-score "$golden" kinds
ok 'score low' sh -c 'jq -se "length == 3 and .[0].status == \"fail\" and .[2].status == \"infra_error\"" out'
{ printf '{"type":"trace","name":"%s"}\n{"type":"console","ref":"console:1","text":"' $m; head -c 10000000 /dev/zero | tr '\0' a; printf '"}\n{"type":"answer"}\n'; } >long
ok 'ten megabytes' exits 0 rca-score "$golden" long
{ printf '{"type":"trace","name":"%s"}\n{"type":"answer","output":' $m; printf '{"a":%.0s' $(seq 500); printf 1; printf '}%.0s' $(seq 500); printf '}\n'; } >deep
ok 'deep' exits 0 rca-score "$golden" deep
done_testing
