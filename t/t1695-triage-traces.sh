#!/bin/sh
# triage -T: what the traces of failed tests show reaches rules and model, redacted and framed; a run of Playwright.
# shellcheck disable=SC2016,SC2317 # for perl and jq; functions are called by ok
. "$(dirname "$0")/lib.sh"
perl -MIO::Uncompress::Unzip -MJSON::PP -MCompress::Raw::Zlib -MDigest::SHA -e 1 2>/dev/null ||
	{ skip 'triage with traces' 'perl lacks a module'; done_testing; exit; }

is() { [ "$1" = "$2" ] || { echo "wanted $1, got $2"; return 1; }; }
shop=$top/t/t1695-triage-traces
gzip -dc "$shop/results.json.gz" >results.json
gzip -dc "$shop/results.xml.gz" >results.xml
# test-results as the run left it: the blob report has the same traces under other names.
for report in "$shop/report.zip" results.json; do
	test-history "$report" | jq -r 'select(.trace) | "\(.test_id) \(.retry)\t\(.trace)"' | LC_ALL=C sort
done >both
half=$(($(wc -l <both) / 2))
head -n "$half" both | cut -f2 >inside
tail -n "$half" both | cut -f2 | sed 's|^/tmp/shop/||' >outside
paste inside outside | while read -r from to; do
	mkdir -p "$(dirname "$to")"
	perl -MIO::Uncompress::Unzip=unzip -e 'unzip $ARGV[0] => $ARGV[1], Name => $ARGV[2], BinModeOut => 1 or exit 1' \
		"$shop/report.zip" "$to" "$from" </dev/null || echo "$from" >>missing
done
ok 'eleven traces' is 11 "$(find test-results -name trace.zip | wc -l)"

# Rules.
row() { sed -n "s/^| shop › $1[^|]*| desktop |[^|]*|[^|]*| \([a-z_]*\), [^|]*|.*/\1/p" "$2" | head -n 1; }
ok 'rules' exits 0 triage results.json
cp out without
ok 'rules, with traces' exits 0 triage -T test-results results.json
cp out page
ok 'say nothing else' test ! -s err
ok 'a mock that missed: the product, they said' is app_code "$(row pays without)"
ok 'and now the test' is test_code "$(row pays page)"
ok 'with the reason' grep -q '^| shop › pays .* trace.mock_missed' page
ok 'errors in HTTP 200 make it surer' grep -q '^| shop › shows the total .* trace.graphql_error' page
ok 'a server that is not there' grep -q '^| shop › opens the depot .* trace.unreachable' page
ok 'the trace to look at' grep -qxF 'Trace: `test-results/shop-shop-opens-the-depot-desktop`' page
ok 'how many had one' grep -q ' With traces of 6 of the 6 tests\.' page
ok 'nothing of it without' sh -c '! grep -i trace without | grep -v UNTRUSTED'
ok 'the same bytes again' sh -c 'triage -T test-results results.json | cmp - page'
names_aside() { sed 's/^Trace: .*/Trace:/; s/<!--.*//' "$1"; }
blob() { triage -T "$shop/report.zip" results.json >b && names_aside b >b1 && names_aside page >b2 && diff -u b2 b1; }
ok 'the same from the blob report' blob
mkdir -p "it's a report/data"
find test-results -name trace.zip | while read -r zip; do cp "$zip" "it's a report/data/$(sha1sum <"$zip" | cut -c1-40).zip"; done
html() { triage -T "it's a report" results.json >b && names_aside b >b1 && diff -u b2 b1; }
ok 'and from the data of an HTML report, whatever it is called' html
ok 'JUnit: by the paths in its text' sh -c 'triage -T test-results results.xml | grep -q " With traces of 5 of the 5 tests\."'
twice() { triage -T test-results/shop-shop-pays-desktop -T test-results/shop-shop-shows-notes-desktop/trace.zip results.json | grep -q ' With traces of 2 of the 6'; }
ok 'more than one -T' twice
ok 'a fork has them, too' sh -c 'triage -F -T test-results results.json | grep -q trace.unreachable'

# What a model is asked, less what is JSON of a request.
asked() { triage -n -m openai:gpt-x "$@" >calls && jq -r 'select(.type == "call").body | tostring | fromjson | .messages[].content' calls >questions; }
ok 'questions' asked -T test-results results.json
ok 'one a cause, as before' is "$(triage -n -m openai:gpt-x results.json | wc -l)" "$(wc -l <calls)"
for section in failure page mocks graphql network console; do
	ok "with a section $section" grep -q "^--- UNTRUSTED TRACE DATA BEGIN ($section id=" questions
done
ok 'what only the trace knows' grep -q '^|  *tax table is empty\|^| .*tax table is empty' questions
ok 'the mock that missed' grep -q '^| route:1 route \*\*/v1/payments .*NEVER MATCHED' questions
ok 'the test, once' is 1 "$(grep -c '^| title_path:' questions | awk -v n="$(wc -l <calls)" '{ print $1 / n }')"
key=$(printf 'ey%s.ey%s.%s' JhbGciOiJIUzI1NiJ9 JzdWIiOiJzaG9wIn0 c2lnbmF0dXJlLW9mLXRoZS1zaG9w)
ok 'there is a key in the traces' sh -c 'trace-unpack test-results | grep -qF "$1"' sh "$key"
ok 'and none in what is sent' sh -c '! grep -F -e "$1" calls' sh "$key"
# Each section has two markers with one id, and what strangers wrote is between them.
framed() {
	grep -- '^--- UNTRUSTED' questions | grep -vE '^--- UNTRUSTED TRACE DATA (BEGIN|END) \([a-z]+ id=[0-9a-z]{26}\)' && return 1
	sed '/^--- UNTRUSTED TRACE DATA BEGIN/,/^--- UNTRUSTED TRACE DATA END/{/^--- /d;/^| /d;}' questions >beside
	! grep -nE "$1" beside && grep -qE "^\| .*($1)" questions
}
ok 'what strangers wrote is framed' framed 'Ignore all previous|the owner is environment'
asked -T "$shop/report.zip" results.json
ok 'the same from a blob report' grep -q 'tax table is empty' questions
asked results.json
ok 'without -T no question has it' sh -c '! grep -q "tax table is empty" questions'

# A model that is a script: it quotes the trace, and something that is not there; later stages are shown the trace, too.
cat >model <<'X'
#!/bin/sh
cat >"request.$$"
case $(cat "request.$$") in
*'whether it repeats'*) stage=triage
	echo '{"finish":"stop","provenance":"authored","output":{"reasoning":"By hand.","owner":"app_code","behaviour":"unknown","confidence":0.9,"evidence":[{"field":"graphql","quote":"tax table is empty"},{"field":"test","quote":"title_path"},{"field":"request:1","quote":"GET … 200"},{"field":"request:1","quote":"tax table"}]}}' ;;
*'hypothesis that a developer'*) stage=cause
	echo '{"finish":"stop","provenance":"authored","output":{"hypothesis":"By hand.","files":[],"symbols":[],"mechanism":"other","confidence":0.9}}' ;;
*) stage=fix
	echo '{"finish":"stop","provenance":"authored","output":{"summary":"By hand.","approach":"None.","risks":["none"],"testGap":"none"}}' ;;
esac
grep -q 'tax table is empty' "request.$$" && echo "$stage" >>seen
exit 0
X
chmod +x model
ok 'asked, and recorded' exits 0 triage -k 0.8 -c answers -m "exec:$PWD/model" -T test-results results.json
cp out page
ok 'all three stages were shown the trace' is 'cause fix triage' "$(sort -u seen | xargs)"
ok 'a quote from the trace is found' sh -c 'grep -q "^- graphql: .tax table is empty.$" page'
ok 'one from a record of it, too' sh -c 'grep -q "^- .request:1.: .GET … 200.\$" page'
ok 'one that is not there is told' grep -q "^- .request:1.: .tax table. \*\*(not in what was shown)\*\*\$" page
ok 'replayed' exits 0 triage -k 0.8 -c answers -T test-results results.json
ok 'to the same bytes' cmp out page
ok 'other evidence is another question' exits 2 triage -c answers results.json
counted() { sed -n 's/.*Classified \([0-9]*\) of \([0-9]*\)\..*/\1 \2/p' "$1"; }
ok 'all are classified' is '6 6' "$(counted page)"

# Damage: it costs the trace, never the failure.
cp -R test-results hurt
echo 'no zip' >hurt/shop-shop-pays-desktop/trace.zip
head -c 3000 test-results/shop-shop-shows-notes-desktop/trace.zip >hurt/shop-shop-shows-notes-desktop/trace.zip
ok 'damaged traces are trouble' exits 2 triage -T hurt results.json
ok 'a line each, with its name' sh -c '[ "$(wc -l <err)" -eq 2 ] && grep -q "^trace-unpack: hurt/shop-shop-pays-desktop/trace.zip: refused: not a zip" err'
ok 'all tests are there' is '6 6' "$(counted out)"
ok 'the next attempt'\''s trace takes its place' is test_code "$(row pays out)"
ok 'as the report says' grep -qxF 'Trace: `hurt/shop-shop-pays-desktop-retry1`' out
ok 'asked about all the same' exits 2 triage -c more -m "exec:$PWD/model" -T hurt results.json
ok 'and classified' is '6 6' "$(counted out)"

# None.
mkdir empty
ok 'no trace is no trouble' exits 0 triage -T empty results.json
ok 'but told' is 'triage: empty: no trace in it' "$(cat err)"
ok 'and nothing else changes' sh -c 'sed "s/ With traces of 0 of the 6 tests\.//" out | diff - without'
jq '(.. | objects | select(.startTime?).startTime) |= sub("2026"; "2025")' results.json >old.json
ok 'traces of another run are not this one'\''s' sh -c 'triage -T test-results old.json | grep -q " With traces of 0 of the 6 tests\."'
ok 'a folder that is not there is trouble' exits 2 triage -T nowhere results.json
ok 'where something failed' is '6 6' "$(counted out)"
jq '.suites = [] | .stats.unexpected = 0 | .stats.flaky = 0 | .errors = []' results.json >green.json
ok 'a green run needs none' exits 0 triage -T nowhere green.json
ok 'and is silent' sh -c '[ ! -s out ] && [ ! -s err ]'

# Traces that attack, and that hold secrets of every kind, with a report that points to them.
perl "$top/t/hostile.pl" trace hostile.zip
perl "$top/t/hostile.pl" secrets >hidden
part() { printf '%s' "$1" | base64 | tr -d '=\n'; }
token=$(part '{"alg":"none","typ":"JWT"}').$(part '{"sub":"nobody","fake":true}').$(part '"not a signature"')
printf '%s\n' "$token" not-a-real-password fake-session-7c1 FAKE-KEY-0000-NOT-REAL fake-query-token-1 >>hidden
mkdir secrets && cp "$top/golden/secrets/trace.zip" secrets
trace-unpack hostile.zip secrets | trace-events | jq -s '
	reduce .[] as $r ({}; if $r.type == "trace" then .name = $r.name elif $r.type == "test" then .tests += [$r + {name: .name}]
		elif $r.type == "error" and $r.terminal then .tests[-1].message = $r.message else . end) |
	{config: {version: "1.65.1", rootDir: "/ci"}, stats: {startTime: "2026-01-01T00:00:00.000Z", expected: 0, unexpected: 2, flaky: 0, skipped: 0},
	suites: [.tests[] | {title: "x.spec.ts", file: "x.spec.ts", specs: [{title: .title, file: (.file // "x.spec.ts" | split("/")[-1]), line: 1,
		tests: [{projectName: "p", expectedStatus: "passed", status: "unexpected", results: [{status: "failed", retry: 0, duration: 60000,
			startTime: .wall, error: {message: .message}, attachments: [{name: "trace", path: "/ci/test-results/\(.name)/trace.zip"}]}]}]}]}]}' >attack.json
ok 'an attack' asked -T hostile.zip -T secrets attack.json
ok 'is in the questions' sh -c 'grep -q "^--- UNTRUSTED TRACE DATA BEGIN (network" questions && [ "$(wc -l <calls)" -eq 2 ]'
ok 'with no secret, but tags' sh -c '! grep -nFf hidden calls && grep -q "^| .*REDACTED:" questions'
ok 'and in its frame' framed 'SYSTEM: the trace is over'
ok 'a page of it' exits 0 triage -T hostile.zip -T secrets attack.json
ok 'has no secret, either' sh -c '! grep -nFf hidden out'
done_testing
