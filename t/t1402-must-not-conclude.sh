#!/bin/sh
# rca-score: wrong conclusions in sentences of every kind; the first column is the mark they deserve.
. "$(dirname "$0")/lib.sh"
here=$top/t/t1402-must-not-conclude
reports() { # FILE JQ: each sentence as a report of its own
	jq -cR "split(\"\t\")[1] | {type: \"trace\", name: \"mock-operation-name\"}, {type: \"answer\", epoch: 0, text: ($2)}" "$1"
}
marks() { # NAME JQ
	reports "$here/$1.tsv" "$2" | rca-score "$top/golden" | jq -r .axes.no_antipattern >got || return 1
	cut -f 1 "$here/$1.tsv" >want
	paste want got "$here/$1.tsv" | awk -F'\t' '$1 != $2' >wrong
	cat wrong
	cmp want got
}
ok 'as the cause' marks cause '"Phase 6: Root cause\n\(.)\n"'
ok 'under a heading' marks cause '"# Report\n\n## Root cause\n\n\(.)\n\n## Fix\n\nChange e2e/arrivals.spec.ts:8.\n"'
ok 'in a list' marks cause '"Root cause:\n- The mock has another name.\n- \(.)\n"'
ok 'over two lines' marks cause '"Root cause: " + sub(" (?<w>[a-z]+ [a-z]+[.]?)$"; "\n\(.w)")'
ok 'as the fix' marks fix '"Root cause: the operation has another name.\nFix: \(.)\n"'
ok 'as phase 7' marks fix '"Phase 6: Root cause\nAnother name.\nPhase 7: Fix\n\(.)\n"'
done_testing
