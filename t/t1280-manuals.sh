#!/bin/sh
# What a stranger reads first: the examples of the manual pages, as copied from a terminal, and --help.
. "$(dirname "$0")/lib.sh"

# A display of one line (.Dl) is filled like any text: beyond 66 columns it is two, of which neither runs.
wide() {
	sed -n 's/^\.Dl //p' "$@" | sed 's/\\(../x/g; s/\\&//g; s/\\[e ]/x/g' | awk 'length > 66 { print; wide = 1 } END { exit wide }'
}
ok 'no command is folded' wide "$top"/man/*.[157]
# mdoc takes a lone full stop for the end of a sentence, and its blank away: "jq -c ." is then "jq -c.".
ok 'nor loses a blank' sh -c '! grep -nE "^\.Dl .* [].,:;!?)]( |$)" "$@"' sh "$top"/man/*.[157]

fits() { "$1" --help >out && awk 'length > 100 { exit 1 } END { exit NR > 24 }' out; }
whole() { # the SYNOPSIS of --help, as the answer to a wrong option
	exits 2 "$1" -~ </dev/null && sed -n '/^usage: /,$p' err | tr -s ' \n' ' ' >usage &&
		"$1" --help | sed -n '1p; 2,${/^ /!q; p;}' | tr -s ' \n' ' ' | diff usage -
}
for program in "$top/${BUILD:-build}"/bin/*; do
	ok "${program##*/} --help fits a screen" fits "$program"
	ok 'and a wrong option shows its synopsis' whole "$program"
done
done_testing
