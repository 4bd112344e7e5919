#!/bin/sh
# rca-report: the report says what the answer says, and nothing of it or of the trace acts on its reader.
# shellcheck disable=SC2016 # backquotes are Markdown here
. "$(dirname "$0")/lib.sh"
data=$top/t/t1100-rca-report

has() { grep -qF -e "$1" out || { echo "not in the output: $1"; cat out; return 1; }; }
lacks() { if grep -F -e "$1" out; then return 1; fi; }

ok 'a report is written' exits 0 rca-report "$data/plain.ndjson"
cp out plain.md
ok 'the sentence has its three parts' has 'The test expected the table "Arrivals" to be visible, but got a page with nothing but its heading, because the mock answers only `ListArrivals` while the application sends `Arrivals`.'
ok 'the fix has its place' has '`e2e/arrivals.spec.ts:8`: Let the mock answer the operation that the application sends. (fix-mock)'
ok 'and its diff' has "+    if (operationName !== 'Arrivals') return route.fallback();"
ok 'a cited line is quoted' has "| e2e/arrivals.spec.ts:8 |     if (operationName !== 'ListArrivals') return route.fallback();"
ok 'a cited record is quoted' has '|     error: Sign in to see arrivals [UNAUTHENTICATED] (auth) at arrivals'
ok 'what was ruled out' has '- A slow response: it took 12 ms (`request:5`)'
ok 'confidence' has 'Confidence: high.'
ok 'an authored answer is called one' has 'Answer authored by a person, not by a model; prompt `rca.v1` (0123456789ab); replayed from a cassette.'
ok 'no colour without a terminal' lacks "$(printf '\033')"

ok 'no answer is an answer' exits 0 rca-report "$data/undetermined.ndjson"
ok 'it says so' has 'It cannot be determined from this trace.'
ok 'and what is missing' has '- Whether the server ran'
ok 'and the best hypothesis' has '## Best hypothesis'
ok 'without a fix' lacks '## Fix'
ok 'a live answer names its model' has 'Answer of `anthropic:claude-opus-5-5`, live'

ok 'without an answer' exits 0 rca-report "$data/no-key.ndjson"
ok 'the reason is told' has 'There is no explanation: no key for the model is set: ANTHROPIC_API_KEY is not set. The evidence:'
ok 'and the evidence' has '- verdict: DIVERGENCE DETECTED'

ok 'evidence alone' exits 0 rca-report -e "$data/plain.ndjson"
ok 'counts GraphQL errors' has '- GraphQL errors: 1'
ok 'shows the action' has "getByRole('table', { name: 'Arrivals' })  failed after 1010 ms"
ok 'tells no cause' lacks 'The test expected'

cat >mocks <<'END'
{"type":"trace","name":"t"}
{"type":"test","ref":"test:1","title":"x","status":"failed"}
{"type":"action","ref":"action:1","title":"Navigate","t":5,"end":25,"status":"ok","file":"a.spec.ts","line":3}
{"type":"action","ref":"action:2","title":"Click","t":25,"end":45,"status":"failed","failure_point":true}
{"type":"route","ref":"route:1","pattern":"**/api/v2/cart","matched":0,"fulfilled":0,"never":true,"near":["request:8"]}
{"type":"route","ref":"route:2","pattern":"**/a","matched":0,"fulfilled":0,"shadowed_by":"route:3"}
END
ok 'mocks' exits 0 rca-report -e mocks
ok 'what came near a mock' has '**/api/v2/cart  never matched a request; requests that come near: request:8'
ok 'what took its requests' has 'matched 0, its requests went to the newer route:3, fulfilled 0'
ok 'a duration is no time' has 'action:1  5 ms  Navigate, took 20 ms'

ok 'a passed test is one line' exits 0 rca-report "$data/passed.ndjson"
printf 'lists the lights: passed, nothing to explain\n' >want
ok 'with these words' diff -u want out
ok 'a trace that could not be read' exits 0 rca-report "$data/unread.ndjson"
ok 'says why' has 'trace-unpack: not a zip'

cat "$data/passed.ndjson" "$data/plain.ndjson" "$data/unread.ndjson" >three
ok 'a line each' exits 0 rca-report -t three
cat >want <<'END'
passed: lights: lists the lights
failed: test-results/arrivals: lists the arrivals of today (/tmp/harbour-desk/e2e/arrivals.spec.ts:12): the mock answers only `ListArrivals` while the application sends `Arrivals`
unread: broken: not a zip
END
ok 'with these words' diff -u want out
ok 'a gate: a test failed' exits 1 rca-report -gt three
ok 'a gate: none failed' exits 0 rca-report -gt "$data/passed.ndjson"

# What a renderer, a terminal and a CI runner make of text that was written for them.
inert() { # FILE
	if LC_ALL=C grep -n "$(printf '[\001-\010\013-\037\177]')" "$1"; then echo 'a control character'; return 1; fi
	if LC_ALL=C grep -nE '^[[:space:]]*::|##\[|##vso\[' "$1"; then echo 'a workflow command'; return 1; fi
	if LC_ALL=C grep -n "$(printf '\342\200[\213-\217\252-\256]\|\363\240\|\302[\200-\237]')" "$1"; then echo 'an unseen character'; return 1; fi
}
renders_inert() { # FILE
	cmark-gfm --unsafe -e autolink -e table -e strikethrough -e tasklist -e footnotes "$1" >html || return 1
	if grep -nE '<(a|img|script|details|table|em|strong|del|blockquote|input|section|sup|h3|h4)[ >]|<!--' html; then return 1; fi
	# Outside of code there is no word that GitHub turns into a link of its own.
	perl -0777 -pe 's/<code.*?<\/code>//gs' html >bare
	if grep -nE '@[a-z]|#[0-9]|GH-[0-9]|www\.|://|:octocat:' bare; then return 1; fi
}
for form in '' -e -t; do
	# shellcheck disable=SC2086 # no form is no argument
	ok "hostile text, report $form" exits 0 rca-report $form "$data/hostile.ndjson"
	cp out hostile.md
	ok "is inert $form" inert hostile.md
	[ "$form" = -t ] && continue
	if command -v cmark-gfm >/dev/null; then
		ok "and renders as text $form" renders_inert hostile.md
	else
		skip "and renders as text $form" 'no cmark-gfm here'
	fi
done
jq -c 'if .type == "answer" then .output.unknown = ["` `# Not a heading", "` `- ` `1. no list", ":#` `1"] else . end' "$data/hostile.ndjson" |
	rca-report >empty.md
ok 'behind an empty span no block begins' sh -c 'grep -q "Not a heading" empty.md && ! cmark-gfm empty.md | grep -q "<h[1-6]>Not a\|<li>no list"'
rca-report -e "$data/hostile.ndjson" >out
ok 'content is kept, in its frame' has '| console:1  error  [click](http://evil.example/a)'
ok 'a forged marker closes nothing' sh -c 'sed -n "s/.*DATA BEGIN (console id=\([a-z0-9]*\).*/\1/p" out | head -1 |
	while read -r id; do [ "$(grep -c "DATA END (console id=$id" out)" -eq 1 ]; done'

# What every tool meets.
ok 'no input' exits 0 rca-report /dev/null
ok 'is no output' test ! -s out
printf '%s' "$(cat "$data/passed.ndjson")" >unended
ok 'no last newline' exits 0 rca-report unended
sed 's/$/\r/' "$data/passed.ndjson" >crlf
ok 'CRLF' exits 0 rca-report crlf
{ cat "$data/passed.ndjson"; echo '{"type":'; } >bad
ok 'a bad line costs itself' exits 2 rca-report bad
ok 'and the rest is right' has 'lists the lights: passed'
ok 'and the place is told' grep -q '^rca-report: bad: line 3: ' err
printf '{"type":"test","status":"failed","title":"a\\u0000b"}\n' >nul
ok 'NUL' exits 0 rca-report nul
{ printf '{"type":"test","status":"failed","title":"'; head -c 10000000 /dev/zero | tr '\0' x; printf '"}\n'; } >big
ok 'a line of 10 MB' exits 0 rca-report -e big
ok 'is cut' test "$(wc -c <out)" -lt 20000
{ printf '{"type":"test","title":'; head -c 100000 /dev/zero | tr '\0' '['; printf '\n'; } >deep
ok 'deep nesting' exits 2 rca-report deep
cat >odd <<'END'
{"type":"test","title":5,"status":[],"file":{},"line":"x"}
{"type":"error","terminal":true,"message":7,"stack":[null,"at x",{"file":"a"}]}
{"type":"action","failure_point":true,"log":{},"t":"now"}
{"type":"snapshot","at_failure":true,"aria":[1]}
{"type":"graphql","errors":[1,null,{"path":5}]}
{"type":"answer","output":{"determined":true,"root_cause":[],"fix":5,"claims":{},"phases":[1],"ruled_out":["x"],"unknown":[{}]}}
{"type":"answer","output":{"determined":true,"claims":[5,{"cites":[5,null]}],"ruled_out":[null]}}
{"type":"trigger","because":"x"}
{"type":"unheard-of","ref":"u:1"}
END
ok 'members of the wrong kind' exits 0 rca-report odd
ok 'members of the wrong kind, as evidence' exits 0 rca-report -e odd
ok 'an unreadable file' exits 2 rca-report nowhere
ok 'a full disk' exits 2 sh -c "rca-report $data/plain.ndjson >/dev/full"
ok 'a closed pipe' sh -c "rca-report $data/plain.ndjson | :"
ok 'wrong usage' exits 2 rca-report -z
ok 'help' exits 0 rca-report --help
done_testing
