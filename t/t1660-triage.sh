#!/bin/sh
# Analyses, written by hand, to questions, verdicts and the page.
. "$(dirname "$0")/lib.sh"

cat >analyses <<'X'
{"type":"analysis_header","run_id":"r1","commit":"0123456789abcdef","branch":"main","history":{"state":"read","depth":20},"tests_total":120,"failing":3,"newly_flaky":1,"groups":3}
{"type":"analysis","test_id":"pays","project":"chromium","file":"a.spec.ts","line":4,"title_path":["cart","pays"],"outcome":"fail","attempts":"FF","history":{"runs":"PPPPPPFF"},"flake":{"rate":0.0,"n":6,"k":0,"lo":0,"hi":0.39,"state":"broken"},"error":{"type":"Error","message":"expect(locator).toHaveText(expected) failed\n\nExpected: \"Paid\"\nReceived: \"Failed\""},"group":{"id":"g1","size":2,"rank":1},"diff":{"product_files":["src/pay.ts"]},"test_source":{"text":"await expect(status).toHaveText('Paid');"},"prior":{"owner_p":{"app_code":0.7,"test_code":0.2,"environment":0.1},"behaviour_p":{"deterministic":0.9,"intermittent":0.1},"rule_ids":["value"]},"ambiguity":0.4}
{"type":"analysis","test_id":"refunds","project":"chromium","title_path":["cart","refunds"],"outcome":"fail","attempts":"FF","group":{"id":"g1","size":2,"rank":2},"prior":{"owner_p":{"app_code":0.7},"behaviour_p":{"deterministic":0.9}},"ambiguity":0.4}
{"type":"analysis","test_id":"login","project":"webkit","title_path":["login"],"outcome":"fail","attempts":"F","error":{"message":"net::ERR_CONNECTION_REFUSED"},"prior":{"owner_p":{"environment":0.9},"behaviour_p":{"unknown":1}},"ambiguity":0.9}
{"type":"analysis","test_id":"search","project":"webkit","title_path":["search"],"outcome":"flaky","attempts":"FP","flake":{"state":"newly_flaky","rate":0.05,"n":20,"k":1,"lo":0.009,"hi":0.236},"error":{"message":"x"},"prior":{"owner_p":{"unknown":1}},"ambiguity":0.2}
{"type":"analysis","test_id":"home","title_path":["home"],"outcome":"pass","ambiguity":0}
X
is() { [ "$1" = "$2" ] || { echo "wanted $1, got $2"; return 1; }; }
each() { jq -r "select(.type == \"$1\") | $2"; }

# --- what is asked
exits 0 triage-sections analyses
ok 'a segment a cause, the most ambiguous first' is 'login g1 search' "$(each trace .name <out | xargs)"
ok 'sections by label, none that is empty' is 'test error history diff source' \
	"$(sed -n '/"name":"g1"/,/"name":"search"/p' out | each section .label | xargs)"
ok 'in frames' sh -c 'jq -r "select(.label == \"error\").text" out | grep -c "^--- UNTRUSTED TRACE DATA BEGIN (error id=" | grep -qx 3'
ok 'fields by path' sh -c 'jq -r "select(.label == \"error\").text" out | grep -qx "| error.message: net::ERR_CONNECTION_REFUSED"'
tac analyses | triage-sections >back
ok 'the same for any order of the input' cmp out back
jq -c 'if .test_id == "login" then .error.message = ("a" * 1500 + "é" * 1500) else . end' analyses | triage-sections >long
ok 'a long message loses its middle, and says so' sh -c '
	jq -r "select(.label == \"error\").text" long | grep -q "^| \[10[0-9][0-9] characters left out\]$"'
ok 'and no more than its cap is sent' sh -c '
	jq -s "map(select(.label == \"error\"))[0].text | split(\"\n\") | map(select(startswith(\"| \")) | .[2:]) | join(\"\n\") |
	ltrimstr(\"error.message:\n\") | length" long | grep -qx 2000'

# --- a model that is a script: what it says is sorted, looked up and never obeyed
cat >model <<'X'
#!/bin/sh
case $(cat) in
*'whether it repeats'*) cat triaged ;;
*'hypothesis that a developer'*) cat caused ;;
*) cat fixed ;;
esac
X
chmod +x model
cat >triaged <<'X'
{"output":{"reasoning":"A waiting assertion saw a wrong value.","owner":"app_code","behaviour":"deterministic","confidence":0.8,"evidence":[{"field":"error.message","quote":"Expected:   \"Paid\"\nReceived: \"Failed\""},{"field":"error.message","quote":"toHaveText…Failed"},{"field":"error.message","quote":"Failed…toHaveText"},{"field":"diff.nothing","quote":"a"}]}}
X
cat >caused <<'X'
{"output":{"hypothesis":"pay() forgets the answer","files":["src/pay.ts","./src/gone.ts","/etc/passwd"],"symbols":["pay"],"mechanism":"logic_error","confidence":0.8}}
X
cat >fixed <<'X'
{"output":{"summary":"Keep the answer","approach":"In pay().","patch":"--- a/src/pay.ts\n+++ b/src/pay.ts\n@@ -1 +1 @@\n-old\n+$(touch owned)","risks":["none known"],"testGap":"a declined card"}}
X
ask() { llm-call -p "$top/prompts/$1.v1.md" -m "exec:$PWD/model" -M off; }
triage-sections analyses | ask triage >verdicts 2>err
triage-sections -s root-cause verdicts >none
ok 'without a threshold no cause is asked for' test ! -s none
triage-sections -s root-cause -c 0.81 verdicts >none
ok 'nor below it' test ! -s none
triage-sections -s root-cause -c 0.8 verdicts | ask root-cause >causes 2>err
triage-sections -s fix -c 0.8 causes | ask fix >fixes 2>err
echo src/pay.ts >paths
ok 'verdicts' exits 0 triage-verdict -f paths analyses verdicts causes fixes
ok 'of a model, one for each test that failed or is newly flaky' is 'login pays refunds search' "$(each triage .test_id <out | sort | xargs)"
ok 'tests of a group share it' is 'app_code app_code' "$(each triage 'select(.group.id == "g1").owner' <out | xargs)"
ok 'quotes: white space folds, parts keep their order, fields exist' is 'true true false false' \
	"$(each triage 'select(.test_id == "pays") | .evidence[].ok' <out | xargs)"
ok 'files that do not exist are dropped, and listed' is 'src/pay.ts | ./src/gone.ts /etc/passwd' \
	"$(each triage 'select(.test_id == "pays").root_cause | (.files | join(" ")) + " | " + (.dropped_files | join(" "))' <out)"
ok 'all are counted' is '4 4 0' "$(each triage_summary '"\(.selected) \(.classified) \(.unclassified)"' <out)"
ok 'a call a cause and stage, though stages pass answers on' is 9 "$(each triage_summary .calls <out)"
ok 'nothing a model wrote was run' test ! -e owned
triage-verdict -f paths analyses verdicts causes fixes | triage-report >page
ok 'the page says what nothing applies' sh -c "grep -A3 'which nothing applies' page | grep -q '^\`\`\`diff'"
ok 'and marks what was not quoted' is 10 "$(grep -c 'not in what was shown' page)"

# --- without an answer
head -3 verdicts >some # the opener, its analysis, ...
{ cat analyses; echo '{"type":"unclassified","name":"g1","prompt":"triage.v1","reason":"budget"}'; } >poor
ok 'no answers' exits 0 triage-verdict poor
ok 'each has a reason' is 'budget budget not_dispatched not_dispatched' "$(each triage .reason <out | sort | xargs)"
ok 'and all are counted' is '4 0 4' "$(each triage_summary '"\(.selected) \(.classified) \(.unclassified)"' <out)"
triage-report out >page
ok 'the page says so' grep -qF 'Classified 0 of 4. Not classified: 4 (budget 2, not_dispatched 2).' page
ok 'with a notice' grep -q '^> The budget ran out' page

# --- the rules
ok 'rules only' exits 0 triage-verdict -r analyses
ok 'the likeliest of the prior' is 'environment/unknown app_code/deterministic app_code/deterministic ' \
	"$(each triage 'select(.owner) | "\(.owner)/\(.behaviour)"' <out | tr '\n' ' ')"
ok 'no rule is no verdict' is no_rule "$(each triage 'select(.test_id == "search").reason' <out)"
tac analyses | triage-verdict -r | cmp - out && same=1
ok 'the same for any order of the input' test "${same-}"
triage-report out >page
ok 'a rate with its interval' grep -qF '1/20 = 5.0 % [0.9, 23.6]' page
ok 'accuracy is not claimed' grep -q 'Accuracy: not scored' page
{ cat out; echo '{"type":"metric","metric":"right","of":"owner and behaviour","slice":"held-out","value":0.6875,"k":11,"n":16,"lo":0.444,"hi":0.8584}'; } >measured
ok 'unless it was measured' sh -c 'triage-report measured | tail -1 | grep -qF "Measured accuracy, held-out: 68.8 % [44.4, 85.8], n = 16."'
ok 'a green run: nothing' exits 0 sh -c 'grep -v fail analyses | grep -v flaky | triage-verdict -r | triage-report'
ok 'is written' test ! -s out

# --- hostile titles and messages, to a real renderer
jq -c 'if .type != "analysis" then . else
	.title_path = ["<script>alert(1)</script>", "[x](https://e.example) ![i](https://e.example/i.png) @team #12 a|b `|` **bold**"] |
	.project = "</details><img src=x>|" |
	.error.message = "```\n</details>\n# head\n::error::x\n\u001b[31mred https://e.example @team" end' analyses |
	triage-verdict -r | triage-report >hostile
cmark-gfm -e table -e autolink -e strikethrough --unsafe hostile >html
ok 'no link, image or foreign element comes of them' sh -c '! grep -oE "<(a|img|script|del|em)[ >]" html'
ok 'our folds stay balanced' test "$(grep -c '^<details>' html)" -eq "$(grep -c '^</details>' html)"
ok 'each row has its seven cells' sh -c 'awk "/<tr>/ { n = 0 } /<td/ { n++ } /<\/tr>/ && n > 0 && n != 7 && n != 4 { bad = 1 } END { exit bad }" html'
ok 'no escape, no command for a runner' test 0 -eq "$(grep -cP '\x1b|^\s*::error' hostile)"
ok 'no mention outside of code' test 0 -eq "$(sed '/^````/,/^````/d' hostile | grep -cP '(^|[^`\w])@team')"

# --- a comment's size
jq -c 'select(.test_id == "pays")' analyses | perl -ne '
	for my $i (1 .. 700) { my $s = $_; $s =~ s/"pays"/"pays $i"/g; $s =~ s/"g1"/"g$i"/; print $s }' >many
triage-verdict -r many | triage-report >page
ok 'a long page fits' test "$(wc -c <page)" -le 65536
ok 'and uses its room' test "$(wc -c <page)" -gt 64000
ok 'says what went' grep -qE '^Left out, to stay within 65,536 bytes: [0-9]+ parts\.$' page
ok 'and has its foot' sh -c 'tail -1 page | grep -q "^By the rules"'

# --- trouble
for p in triage-sections triage-verdict triage-report; do
	ok "$p: a bad line costs itself" exits 2 sh -c "{ head -2 analyses; echo '{'; tail -n +3 analyses; } | $p"
	ok "$p: the rest goes on" test -s err
	ok "$p: no input" exits 0 $p /dev/null
	ok "$p: no such file" exits 2 $p nofile
	ok "$p: wrong usage" exits 2 $p -Z
	ok "$p: a full disk" exits 2 sh -c "triage-verdict -r analyses | $p >/dev/full"
done
ok 'a threshold that is none' exits 2 triage-sections -c 1.5 analyses
ok 'a stage that is none' exits 2 triage-sections -s more analyses
ok 'paths that cannot be read' exits 2 triage-verdict -f nofile analyses
done_testing
