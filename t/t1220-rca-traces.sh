#!/bin/sh
# rca -e: the facts that people wrote down about real traces stand in the evidence.
. "$(dirname "$0")/lib.sh"

fact() { # NAME: the value of one of the facts, unquoted; empty when null or absent
	sed -n "s/^  $1: //p" "$yaml" | sed 's/^null$//; s/^"\(.*\)"$/\1/; s/\\"/"/g; s/\\\\/\\/g'
}
facts() { # NAME: the strings of a list
	awk -v name="  $1:" '$0 == name { on = 1; next } /^  [a-z]/ { on = 0 } on && /^    - / { sub(/^    - /, ""); print }' "$yaml" |
		sed 's/^"\(.*\)"$/\1/; s/\\"/"/g; s/\\\\/\\/g'
}
has() { [ -z "$1" ] || grep -qF -e "$1" out || { echo "not in the evidence: $1"; cat out; return 1; }; }
lacks() { if grep -F -e "$1" "${2-out}"; then return 1; fi; }
counted() { # WORDS N
	[ -z "$2" ] || grep -qE "^- $1: $2( |\$)" out || { echo "wanted $1: $2"; grep '^- ' out; return 1; }
}
ended() { # the place: a file name may have a folder of the recording machine in front
	[ -z "$1" ] || sed 3q out | grep -qF -e "/$1\`" || { sed 3q out; return 1; }
}

[ -d "$TRACES" ] || { skip 'facts about real traces' "no traces in $TRACES"; done_testing; exit; }
for yaml in "$TRACES"/*/golden.yaml; do
	dir=${yaml%/*} case=${yaml%/golden.yaml}
	case=${case##*/}
	ok "$case" exits 0 rca -e "$dir/trace.zip"
	sed -n '/^## Page/,/^## [^P]/p' out >page
	ok "$case: title" has "$(fact title)"
	ok "$case: error" has "$(fact error_message_contains)"
	ok "$case: action" has "$(fact failing_action)"
	ok "$case: place" ended "$(fact failing_location)"
	ok "$case: console errors" counted 'console errors' "$(fact console_errors)"
	ok "$case: page errors" counted 'page errors' "$(fact page_errors)"
	ok "$case: failed requests" counted 'failed requests' "$(fact failed_requests)"
	ok "$case: GraphQL operations" counted 'GraphQL operations' "$(fact graphql_operations)"
	ok "$case: verdict" has "$(fact verdict)"
	facts snapshot_contains | while IFS= read -r line; do has "$line" || echo; done >missing
	ok "$case: on the page" test ! -s missing
	facts snapshot_lacks | while IFS= read -r line; do lacks "$line" page; done >found
	ok "$case: not on the page" test ! -s found
	facts secrets | while IFS= read -r line; do lacks "$line"; done >found
	ok "$case: secrets" test ! -s found
	sed '/DATA BEGIN (\([a-z]*\) id=/,/^--- UNTRUSTED TRACE DATA END/d' out >outside
	facts injection_strings | while IFS= read -r line; do has "$line" || echo; lacks "$line" outside; done >found
	ok "$case: hostile text between markers" test ! -s found
done
done_testing
