#!/bin/sh
# The whole chain on real reports of Playwright: rules, then a model that is a script, recorded and replayed.
. "$(dirname "$0")/lib.sh"

is() { [ "$1" = "$2" ] || { echo "wanted $1, got $2"; return 1; }; }
reports=$top/t/t1600-test-history
gzip -dc "$reports/v1.65-all.json.gz" >results.json
gzip -dc "$reports/v1.65-all.xml.gz" >results.xml

ok 'a report' exits 0 triage -F results.json
cp out page
ok 'says what it is' sh -c 'sed -n 2p page | grep -q "^# Triage of failed tests$"'
ok 'and that no model was asked' grep -q '^> Rules only' page
ok 'in a quote that ends with it' awk '/^$/ && last == ">" { exit 1 } { last = $0 }' page
ok 'how many failed, and how many only at first' sh -c '
	of() { jq "[.. | .tests? // empty | .[] | select(.status == \"$1\")] | length" results.json; }
	sed -n 4p page | grep -q "^$(of unexpected) failing, $(of flaky) flaky, 0 newly flaky of "'
ok 'as many rows as tests that failed or were flaky' is \
	"$(jq '[.. | .tests? // empty | .[] | select(.status == "unexpected" or .status == "flaky")] | length' results.json)" \
	"$(sed -n '/^## Tests/,/^## /p' page | grep -c '^| .* | .* |$' | awk '{ print $1 - 1 }')"
ok 'the same bytes again' sh -c 'triage -F results.json | cmp - page'
ok 'the same failures from JUnit, which hides what passed on a retry' sh -c '
	for r in results.json results.xml; do
		test-history $r | test-analyse | triage-verdict -r | jq -r "select(.type == \"analysis\" and .outcome == \"fail\") | .test_id" | sort >ids.$r
	done; cmp ids.results.json ids.results.xml && test -s ids.results.xml'

# Answers written by hand, and said to be.
cat >model <<'X'
#!/bin/sh
echo asked >>count
case $(cat) in
*'whether it repeats'*) echo '{"finish":"stop","provenance":"authored","output":{"reasoning":"By hand.","owner":"app_code","behaviour":"unknown","confidence":0.9,"evidence":[{"field":"attempts","quote":"F"}]}}' ;;
*'hypothesis that a developer'*) echo '{"finish":"stop","provenance":"authored","output":{"hypothesis":"By hand.","files":["nowhere.ts"],"symbols":[],"mechanism":"other","confidence":0.9}}' ;;
*) echo '{"finish":"stop","provenance":"authored","output":{"summary":"By hand.","approach":"None.","risks":["none"],"testGap":"none"}}' ;;
esac
X
chmod +x model
: >count
ok 'asked, and recorded' exits 0 triage -k 0.8 -c answers -m "exec:$PWD/model" results.json
cp out page
groups=$(test-history results.json | test-analyse | jq -r 'select(.type == "analysis") | .group.id' | sort -u | wc -l)
ok 'one call a cause and stage' is $((groups * 3)) "$(wc -l <count)"
: >count
ok 'replayed' exits 0 triage -k 0.8 -c answers results.json
ok 'to the same bytes' cmp out page
ok 'and nobody was asked' test ! -s count
ok 'without a threshold only the first question' exits 0 triage -c answers results.json
ok 'shows no cause' test 0 -eq "$(grep -c '^Hypothesis' out)"
ok 'a fork asks nobody, though it could' exits 0 triage -F -c answers results.json
ok 'and has the rules' grep -q '^> Rules only' out
ok 'what would be sent' exits 0 triage -n -m openai:gpt-x results.json
ok 'is shown, as many as there are causes' is "$groups" "$(grep -c '"body":{' out)"
ok 'never recorded' exits 2 triage -c nothing-here results.json
ok 'is in the report' grep -q 'replay-miss' out
ok 'a budget that is too small' exits 2 triage -B 10 -m "exec:$PWD/model" results.json
ok 'is in the report, too' grep -q '^> The budget ran out' out

# A checkout with an unusual name in it, and with a configuration that would run something.
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@x GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@x
git init -q -b main repo && echo 1 >repo/café.ts && git -C repo add . && git -C repo commit -qm one
git -C repo config core.fsmonitor "touch $tmp/started"
sed 's/nowhere\.ts"/&,"café.ts"/' model >model2 && chmod +x model2
ok 'causes in a checkout' exits 0 triage -k 0.8 -r repo -m "exec:$PWD/model2" results.json
ok 'whose configuration starts nothing' test ! -e started
ok 'the file that is there is named' grep -q 'café.ts' out
ok 'the other one, as one that is not there' sh -c 'grep -A2 "do not exist" out | grep -q nowhere.ts'
cp results.json ./-F
ok 'a report with the name of an option' exits 0 triage -- -F

# A green run is silent; trouble is not.
jq '.suites = [] | .stats.unexpected = 0 | .stats.flaky = 0 | .errors = []' results.json >green.json
ok 'a green run' exits 0 triage green.json
ok 'has no report' test ! -s out
ok 'no such report' exits 2 triage nofile.json
ok 'a checkout that is none' exits 2 triage -r nofolder results.json
ok 'wrong usage' exits 2 triage
ok 'help for a full disk' exits 2 sh -c 'triage --help >/dev/full'
ok 'help' exits 0 triage --help
ok 'version' sh -c 'triage --version | grep -q "^triage "'
done_testing
