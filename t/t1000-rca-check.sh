#!/bin/sh
# rca-check: which phrasings run into a dead end (t1000-rca-check/phrasings.tsv has one a line).
. "$(dirname "$0")/lib.sh"
here=$top/t/t1000-rca-check

# The same evidence for each: every request was fast and answered, one GraphQL answer has an error
# inside, the table that the test looks for was never in the page, and no mock is involved.
cat >evidence <<'END'
{"type":"test","ref":"test:1","status":"failed"}
{"type":"action","ref":"action:1","api":"expect.toBeVisible","t":1000,"end":3500,"locator":"getByRole('table', { name: 'Tickets' })","status":"failed","failure_point":true,"log":["waiting for getByRole('table', { name: 'Tickets' })"],"error":"Error: element(s) not found"}
{"type":"snapshot","ref":"snapshot:1","at_failure":true,"aria":"- main:\n  - heading \"Tickets\" [level=1]"}
{"type":"request","ref":"request:1","t":900,"duration_ms":20,"status":200,"method":"POST","url":"http://a.test/graphql"}
{"type":"request","ref":"request:2","t":920,"duration_ms":20,"status":200,"method":"GET","url":"http://a.test/api/flags"}
{"type":"graphql","ref":"graphql:1","request":"request:1","operation":"TicketList","outcome":"ok","status":200}
{"type":"graphql","ref":"graphql:2","request":"request:1","operation":"CloseTicket","outcome":"errors","status":200,"errors":[{"message":"expired","category":"auth"}]}
{"type":"verdict","ref":"verdict:1","tool":"gql-verify","verdict":"DIVERGENCE DETECTED"}
END
# Each phrase is asked as the cause, a claim or the fix of an answer.
tab=$(printf '\t')
sed 's/\\/\\\\/g; s/"/\\"/g' "$here/phrasings.tsv" >escaped
while IFS=$tab read -r part want phrase; do
	printf '{"type":"trace","name":"%s"}\n' "$phrase"
	cat evidence
	case $part in
	because) printf '{"type":"answer","output":{"root_cause":{"because":"%s"}}}\n' "$phrase" ;;
	claim) printf '{"type":"answer","output":{"claims":[{"text":"%s","cites":["test:1"]}]}}\n' "$phrase" ;;
	fix) printf '{"type":"answer","output":{"fix":{"text":"%s"}}}\n' "$phrase" ;;
	esac
done <escaped >in
ok 'these answers are to be revised' exits 1 rca-check in
awk '
/^\{"type":"trace"/ { if (n++) print id; id = "none" }
/"type":"trigger"/ { match($0, /"id":"DE-[1-5]"/); x = substr($0, RSTART + 6, 4)
	id = id == "none" ? x : id "+" x }
END { print id }' out >got
cut -f 2 escaped | paste - got escaped >both
ok 'at least 80 phrasings' test "$(wc -l <both)" -ge 80
while IFS=$tab read -r want got part _ phrase; do
	ok "$part: $phrase ($want)" test "$want" = "$got"
done <both
done_testing
