#!/bin/sh
# rca-check on recorded traces: an answer that takes every dead end runs into those that the case says
# it invites (dead_end_triggers_expected), and is free to speak of timing where something was late.
. "$(dirname "$0")/lib.sh"
bad='{"type":"answer","output":{"root_cause":{"because":"this is a timing issue","got":"the element had not rendered yet"},"claims":[{"text":"The API succeeded","cites":["test:1"]}],"fix":{"text":"add waitForTimeout(3000)"}}}'
cases() { # FOLDER...
	for case in "$@"; do
		case=${case%/}
		yaml=$case/case.yaml
		[ -e "$yaml" ] || yaml=$case/golden.yaml
		if [ ! -e "$yaml" ] || grep -q '^category: "*passing' "$yaml"; then continue; fi
		{ trace-unpack "$case/trace.zip" | trace-events | gql-verify; echo "$bad"; } | rca-check >out
		grep -o '"id":"DE-[1-5]"' out | grep -o 'DE-.' >got
		sed -n '/^dead_end_triggers_expected/,/^[a-ce-z]/p' "$yaml" | grep -o 'DE-[1-5]' >want
		ok "${case##*/} invites $(paste -sd' ' want)" sh -c 'test -z "$(sort got | comm -13 - want)"'
		grep -q DE-1 want || ok "${case##*/}: something was late" sh -c '! grep DE-1 got'
	done
}
cases "$top"/golden/*/
# What a person wrote about each case, with the lines that repo-context shows, keeps to the method.
for answer in "$top"/golden/*/answers/rca.v1.*.json; do
	case=${answer%/answers/*}
	{
		trace-unpack "$case/trace.zip" | trace-events | gql-verify | repo-context -r "$top/golden/app"
		printf '{"type":"answer","output":'
		tr -d '\n' <"$answer"
		echo '}'
	} >told
	ok "the authored answer to ${case##*/}" exits 0 rca-check told
done
if [ -d "$TRACES" ]; then cases "$TRACES"/*/; else skip 'traces' 'no TRACES'; fi
done_testing
