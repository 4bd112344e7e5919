#!/bin/sh
# autoqa-report: each form holds whatever the records say; the gate; edges.
. "$(dirname "$0")/lib.sh"
is() { # WANT GOT
	[ "$1" = "$2" ] || { printf 'got  %s\nwant %s\n' "$2" "$1"; return 1; }
}
# A bug of an unknown severity, and words of strangers in every place that is shown.
cat >run <<'END'
{"type":"agent","id":"bot"}
{"type":"wave","n":0}
{"type":"scenario","id":"a\"<i>","turns":["x"],"title":"<b>T</b>"}
{"type":"scenario","id":"good","turns":["x"]}
{"type":"judgement","scenario":"a\"<i>","agent":"bot","pass":false,"reason":"<img src=x> [x](http://e)"}
{"type":"judgement","scenario":"good","agent":"bot","pass":true}
{"type":"cluster","id":"c\" x='<i>'","severity":"\"><img src=x> [x](http://e)","title":"<script>alert(1)</script>","reason":"r","scenarios":["a\"<i>"],"examples":[{"scenario":"a\"<i>","reason":"]]>"}],"n":1,"new":true}
{"type":"known","scenario":"a\"<i>","cluster":"c\" x='<i>'","status":"open","fails":5,"trials":5}
{"type":"explored","proposed":3,"kept":1,"dropped":{"<img src=x>":1,"too long":2}}
{"type":"plan","do":"stop","because":"<img src=x>"}
END
ok 'Markdown' exits 0 autoqa-report run
ok 'one open bug' grep -qx '# bot: 1 open bug, 1 of them new' out
ok 'nothing of theirs acts' sh -c '! grep -q "[^\`]<img\|^<img\|[^\\]\[x\](" out'
ok 'an unknown severity is medium' grep -q '^- \*\*medium\*\* ' out
ok 'words that are reasons, and no others' grep -qx -- '- the explorer proposed 3 scenarios, 1 were run, 2 too long' out
ok 'HTML' exits 0 autoqa-report -o html run
ok 'no element of theirs' sh -c '! grep -qi "<img\|<script\|<i>\|<b>" out'
ok 'JUnit' exits 0 autoqa-report -o junit -w 2026-07-04T08:00:00Z run
if command -v xmllint >/dev/null; then
	cp out junit.xml
	ok 'is XML' xmllint --noout junit.xml
	check() { is "$2" "$(xmllint --xpath "string($1)" junit.xml)"; }
	ok 'a failure' check //failure/@type "c\" x='<i>'"
	ok 'and why' check //failure/@message '<img src=x> [x](http://e)'
	ok 'the sums' check 'concat(//@tests, " ", //@failures, " ", //@errors)' '2 1 0'
	ok 'the time' check //@timestamp 2026-07-04T08:00:00
else
	skip 'JUnit: XML' 'no xmllint'
fi
ok 'a gate' exits 1 autoqa-report -F medium run
ok 'for graver bugs' exits 0 autoqa-report -F high run
{ cat run; echo '{"type":"cluster","id":"j","kinds":["judge_error"],"scenarios":["good"],"n":1}'; } >judge
ok 'what could not be judged is worse than all' exits 1 autoqa-report -F critical judge

ok 'no input' exits 0 autoqa-report /dev/null
sed 's/$/\r/' run >crlf; printf %s "$(cat run)" >open
autoqa-report run >want
ok 'CRLF' sh -c 'autoqa-report crlf | cmp - want'
ok 'no last line end' sh -c 'autoqa-report open | cmp - want'
{ sed 2q run; printf '{"a\0b":1}\n{\n'; sed 1,2d run; } >bad
ok 'bad lines' exits 2 autoqa-report bad
ok 'cost themselves' cmp out want
ok 'no file' exits 2 autoqa-report nowhere
ok 'a full disk' exits 2 sh -c 'autoqa-report run >/dev/full'
for args in '-F grave' '-F' '-o xml' '-w today' '-x'; do
	# shellcheck disable=SC2086
	ok "usage: $args" exits 2 autoqa-report $args run
done
done_testing
