#!/bin/sh
# aria: snapshots that Playwright 1.65 recorded, and what its ariaSnapshot() said of the same pages
# (t/p0300-aria.sh records them afresh); and the facts that come with the published traces.
. "$(dirname "$0")/lib.sh"
driver=$build/t/unit-aria
for want in "$top"/t/t0300-aria/*.want; do
	"$driver" "${want%.want}" >got
	ok "pages are as Playwright had them: $(basename "$want" .want)" diff -u "$want" got
done

facts() { # KEY FILE: the entries of a list in golden.yaml, one a line
	awk -v key="  $1:" '$0 == key { on = 1; next } on && /^    - / { print; next } { on = 0 }' "$2" |
		sed 's/^    - "//; s/"$//; s/\\"/"/g'
}
check() { # FOLDER: what its last snapshots must and must not say
	facts snapshot_contains "$1/golden.yaml" >contains
	facts snapshot_lacks "$1/golden.yaml" >lacks
	while read -r fact; do
		grep -qF -e "$fact" yaml || { echo "lacks: $fact"; return 1; }
	done <contains
	while read -r fact; do
		grep -qF -e "$fact" yaml && { echo "has: $fact"; return 1; }
	done <lacks
	[ -s contains ]
}
if [ -d "$TRACES" ]; then
	for folder in "$TRACES"/*/; do
		rm -rf trace
		trace-unpack -d trace "$folder/trace.zip" >/dev/null
		"$driver" trace stitched >yaml
		ok "$(basename "$folder")" check "$folder"
	done
else
	skip 'published traces' "no $TRACES"
fi
done_testing
