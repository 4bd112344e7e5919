#!/bin/sh
# shellcheck disable=SC2015,SC2016
# untrust-wrap on records: passes them on, and ends each segment with its sections.
. "$(dirname "$0")/lib.sh"
here=$top/t/t0610-untrust-sections

text() { jq -r "select(.type == \"section\" and .label == \"$1\").text" out; }
says() { text "$1" | grep -qF -- "$2" || { text "$1"; return 1; }; }

ok 'a segment' exits 0 untrust-wrap "$here/one.ndjson"
ok 'the records pass as they came' sh -c "head -n \$(wc -l <'$here/one.ndjson') out | cmp - '$here/one.ndjson'"
ok 'the sections in order' sh -c 'jq -r "select(.type == \"section\").label" out | tr "\n" " " | grep -qx "failure page mocks graphql network console timeline code notes "'
ok 'chars are the code points of the text' sh -c 'jq -e "select(.type == \"section\") | .chars == (.text | length)" out | sort -u | grep -qx true'
ok 'nothing was dropped' sh -c 'jq "select(.type == \"section\").dropped" out | sort -u | grep -qx 0'
ok 'a section is a frame' sh -c 'jq -j "select(.type == \"section\").text" out >framed && untrust-wrap -d framed >plain && grep -q "^error:1 error that ended the test" plain'
ok 'failure: the error' says failure '| error:1 error that ended the test: Error: expect(locator).toHaveText(expected) failed'
ok 'failure: where' says failure 'at e2e/checkout-mocked.spec.ts:10:52'
ok 'failure: expected' says failure 'expected: $36.00'
ok 'failure: received' says failure 'received: $548.00'
ok 'failure: the line' says failure '>    10  '
ok 'page' says page '- paragraph: $548.00'
ok 'mocks: never' says mocks '| route:1 route **/api/v2/cart registered at e2e/checkout-mocked.spec.ts:8 NEVER MATCHED'
ok 'mocks: the hint' says mocks 'hint: the mock is for GetCart2'
ok 'graphql' says graphql 'error: not signed in, code: UNAUTHENTICATED, category: auth'
ok 'network' says network '| request:2 GET http://localhost/collect -> 404 Not Found'
ok 'network: the body of what went wrong' says network '{"errors":[{"message":"not signed in"}]}'
ok 'network: no body of what did not matter' sh -c '! jq -r "select(.label == \"network\").text" out | grep -q "body of 4"'
ok 'console: repeats are counted' says console '[the record above came 2 times more]'
ok 'console: a line that a message forges is indented' says console '|     request:99 GET /forged -> 500'
ok 'notes' says notes 'bad-line'
ok 'again: as it is' sh -c 'untrust-wrap out | cmp - out'

# Two segments, a bad line, no last line feed.
{ cat "$here/one.ndjson"; echo '{"type":'; printf '%s' '{"type":"trace","name":"b"}'; } >two
ok 'a bad line costs itself' exits 2 untrust-wrap two
ok 'and its place is told' grep -q 'two: line [0-9]*: not JSON' err
ok 'a segment with no evidence has no section' sh -c 'tail -1 out | grep -q "\"trace\""'
ok 'no input, no sections' sh -c 'untrust-wrap </dev/null | cmp - /dev/null'
ok 'a full disk' exits 2 sh -c "untrust-wrap '$here/one.ndjson' >/dev/full"
ok 'a cap too small for sections' exits 2 untrust-wrap -c 7999 "$here/one.ndjson"

# Hostile records: odd kinds, depth, NULs, lone surrogates, 10 MB in a line.
{
	printf '%s\n' '{"type":"error","message":7,"stack":{"a":1},"terminal":"yes"}' '{"type":"request","url":null,"status":"404","response_headers":[1]}' \
		'{"type":"body","requests":{"a":1},"text":"a\u0000b\ud83d"}' '{"type":"console","text":["x"],"level":{}}' '{"type":"graphql","errors":[1,null,"x"]}' \
		'{"type":"action","log":"no list","params":[[]],"t":"x"}' '{"type":"source","text":"a","first":1e99}' '{"type":"snapshot","at_failure":true,"aria":[1]}'
	printf '{"type":"test","titles":'; yes '[' | head -1000 | tr -d '\n'; yes ']' | head -1000 | tr -d '\n'; echo '}'
	printf '{"type":"console","level":"error","text":"'; yes | tr -d '\n' | head -c 10000000; echo '"}'
} >odd
ok 'odd records' exits 0 untrust-wrap odd
ok 'make sections all the same' sh -c 'grep "\"type\":\"section\"" out | jq -r .text >text && grep -q "<U+0000>" text && grep -q "404" text'
ok 'CRLF' sh -c "sed 's/\$/\r/' '$here/one.ndjson' | untrust-wrap | grep -c '\"type\":\"section\"' | grep -qx 9"
ok 'an unreadable file' exits 2 untrust-wrap "$here"
ok 'a closed pipe' sh -c 'untrust-wrap odd | head -c 1 >/dev/null'

# A flood of one kind leaves the others whole; the caps hold.
flood() { # TYPE MEMBERS COUNT
	awk -v type="$1" -v rest="$2" -v n="$3" 'BEGIN { for (i = 1; i <= n; i++)
		printf "{\"type\":\"%s\",\"ref\":\"%s:%d\",\"t\":%d,%s}\n", type, type, i + 100, i, rest i "\"}" }' | sed 's/}}$/}/'
}
within() { # CAP: all sections together
	[ "$(jq -s 'map(select(.type == "section").chars) | add' out)" -le "$1" ] || { jq -s 'map(select(.type == "section").chars) | add' out; return 1; }
}
{ cat "$here/one.ndjson"; flood console '"level":"error","text":"noise that goes on and on ' 20000; } >in
ok 'a flood of errors' exits 0 untrust-wrap in
ok 'is capped' within 80000
ok 'starves no other section' sh -c 'jq -c "select(.type == \"section\" and .label != \"console\").dropped" out | sort -u | grep -qx 0'
ok 'and is counted' sh -c '[ "$(jq "select(.label == \"console\").dropped" out)" -gt 500000 ] && jq -r "select(.label == \"console\").text" out | grep -q "^\[\.\.\. [0-9]* records ([0-9]* characters) left out here"'
awk 'BEGIN { printf "{\"type\":\"error\",\"ref\":\"error:9\",\"terminal\":true,\"message\":\"first words "; for (i = 0; i < 30000; i++) printf "and more "; print "last words\"}" }' >huge
{ grep -v '"type":"error"' "$here/one.ndjson"; cat huge; } >in
ok 'an error of 270000 characters' exits 0 untrust-wrap in
ok 'is cut inside' sh -c 'jq -r "select(.label == \"failure\").text" out >f; grep -q "first words" f && grep -q "last words" f && grep -q "^\[\.\.\. [0-9]* of [0-9]* characters" f'
ok 'within the cap' within 80000
ok 'with the action that failed still there' grep -qF 'received: $548.00' f
ok 'and the other sections too' sh -c 'jq -c "select(.type == \"section\" and .label != \"failure\").dropped" out | sort -u | grep -qx 0'
ok 'within a small cap' sh -c 'untrust-wrap -c 8000 in >out'
ok 'of that size' within 8000
ok 'with all sections' sh -c 'grep -c "\"type\":\"section\"" out | grep -qx 9'
sed 's/"never":true/"shadowed_by":"route:9"/' "$here/one.ndjson" >in
ok 'a mock behind a newer one' exits 0 untrust-wrap in
ok 'is not told as one that fits nothing' says mocks 'checkout-mocked.spec.ts:8, matched: 0; its requests went to the newer route:9'
done_testing
