#!/bin/sh
# rca-check: what the evidence excuses, what is cited, phases, cause and fix.
. "$(dirname "$0")/lib.sh"

cat >evidence <<'END'
{"type":"trace","name":"one"}
{"type":"test","ref":"test:1","status":"failed"}
{"type":"action","ref":"action:1","api":"expect.toBeVisible","t":1000,"end":3500,"locator":"getByRole('table', { name: 'Tickets' })","status":"failed","failure_point":true,"log":["waiting for getByRole('table')"],"error":"Error: element(s) not found"}
{"type":"snapshot","ref":"snapshot:1","at_failure":true,"aria":"- heading \"Tickets\" [level=1]"}
{"type":"request","ref":"request:1","t":900,"duration_ms":20,"status":200,"method":"GET","url":"http://a.test/api/flags"}
{"type":"body","ref":"body:1","of":"response","requests":["request:1"],"text":"{\"newTable\": false}"}
{"type":"source","ref":"source:1","file":"/srv/app/e2e/tickets.spec.ts","first":10,"line":12,"text":"test('lists', async ({ page }) => {\n  await page.goto('/');\n  await expect(page.getByRole('table', { name: 'Tickets' })).toBeVisible();\n});\n"}
{"type":"code","ref":"code:1","file":"web/js/table.js","first":4,"line":5,"text":"export function table(flags) {\n  if (!flags.newTable) return null;\n}\n"}
END
phases='{"n":1,"name":"Gather","text":"a","cites":["test:1"]},{"n":2,"name":"Expected","text":"b","cites":["tickets.spec.ts:12"]},{"n":3,"name":"Got","text":"c","cites":["snapshot:1"]},{"n":4,"name":"Network","text":"d","cites":["request:1"]},{"n":5,"name":"Code path","text":"e","cites":["table.js:5"]},{"n":6,"name":"Root cause","text":"f","cites":["body:1"]}'
seventh='{"n":7,"name":"Fix","text":"g","cites":["body:1"]}'
cause='"root_cause":{"expected":"the table","got":"only the heading","because":"newTable is off"}'
fix='"fix":{"type":"enable-flag","text":"turn on newTable"}'
claims='"claims":[{"text":"The flag is off: \"newTable\": false","cites":["body:1"]},{"text":"Then \"if (!flags.newTable)   return null\"","cites":["web/js/table.js:5"]}]'
answer() { # MEMBERS... of the output
	cat evidence
	printf '{"type":"answer","epoch":0,"output":{'
	printf '%s' "$1"; shift
	for member in "$@"; do printf ',%s' "$member"; done
	printf '}}\n'
}
says() { grep -q "$1" out || { cat out; return 1; }; }
quiet() { grep -v '"ok":true' out | grep -E '"type":"(trigger|citation|phase)"' >log.bad; test ! -s log.bad || { cat log.bad; return 1; }; }

answer '"determined":true' "$cause" "$fix" "$claims" "\"phases\":[$phases,$seventh]" >good
ok 'an answer that keeps to the method' exits 0 rca-check good
ok 'has nothing to revise' quiet
ok 'all it read is passed on' sh -c 'head -n 9 out | diff -u good -'
grep -c '"ok":true,"type":"phase"' out >count
ok 'seven phases' test "$(cat count)" -eq 7
ok 'what is cited is listed' says '"cite":"web/js/table.js:5","epoch":0,"ok":true,"type":"citation"'

# Citations.
answer '"claims":[{"text":"x","cites":["request:9"]}]' >in
ok 'a reference that is none' exits 1 rca-check in
ok 'is told' says '"message":"request:9 is cited in claims\[0\], and there is no such record"'
answer '"claims":[{"text":"x","cites":["other.ts:3"]},{"text":"y","cites":["spec.ts:12","tickets.spec.ts:99","see above"]}]' >in
rca-check in >out
ok 'a file not shown' says 'other.ts:3 is cited in claims\[0\], and no line of that file was shown'
ok 'whole path segments only' says '"message":"spec.ts:12 is cited in claims\[1\], and no line of that file'
ok 'a line not shown' says 'tickets.spec.ts:99 is cited in claims\[1\]; other lines'
ok 'no citation at all' says '\\"see above\\" is cited in claims\[1\]: neither'
answer '"claims":[{"text":"It says \"if (flags.newTable)\"","cites":["table.js:5"]},{"text":"\"return null\"","cites":["table.js:4"]}]' >in
rca-check in >out
ok 'a quote that does not stand there' says 'claims\[0\] quotes \\"if (flags.newTable)\\", which does not stand in what it cites"'
ok 'or stands in another line' says 'it stands in line 5 of that file'
answer '"claims":[{"text":"The flag is off.","cites":[]},{"text":"table.js:5 returns null","cites":[]}]' >in
rca-check in >out
ok 'a claim without a citation is listed' says 'claims\[0\] has no citation'
ok 'one cited in its words is not' sh -c '! grep -q "claims\[1\] has no" out'
answer '"root_cause":{"expected":"a","got":"b","because":"line web/js/no.js:7 is wrong"}' >in
rca-check in >out
ok 'places in the cause are looked up too' says '"cite":"web/js/no.js:7","epoch":0,"message"'

# Phases, cause, fix.
answer '"determined":true' "$cause" "$fix" "$claims" "\"phases\":[$phases]" >in
ok 'a phase left out' exits 1 rca-check in
ok 'is named' says '"message":"phase 7 (Fix): it is missing"'
answer "\"phases\":[$seventh,$phases]" "$cause" "$fix" >in
rca-check in >out
ok 'phases out of order' says 'phase 7 (Fix): it is out of order'
answer '"phases":[{"n":1,"name":"Gather","text":"a","cites":[]}]' >in
rca-check in >out
ok 'a phase without evidence' says 'phase 1 (Gather): it cites no evidence'
answer "\"phases\":[$phases,$seventh]" "$fix" '"root_cause":{"expected":"a","got":"b","because":" "}' >in
rca-check in >out
ok 'a cause has three parts' says 'phase 6 (Root cause): root_cause.because is missing'
answer "\"phases\":[$phases,$seventh]" "$cause" '"fix":{"type":"fix-app","text":"x","file":"a.ts, b.ts"}' >in
rca-check in >out
ok 'a fix is at one place' says 'phase 7 (Fix): the fix names more than one file'
answer "\"phases\":[$phases,$seventh]" "$cause" '"fix":{"type":"fix-app","text":"x","file":"table.js","line":50}' >in
rca-check in >out
ok 'which was shown' says '"cite":"table.js:50","epoch":0,"message"'
answer '"determined":false' "$claims" "\"phases\":[$phases,$seventh]" '"unknown":["why newTable is off"]' >in
ok 'who cannot tell, and says what is missing, has answered' exits 0 rca-check in
answer '"determined":false' "$claims" "\"phases\":[$phases,$seventh]" '"unknown":[]' >in
ok 'who does not say it has not' exits 1 rca-check in
ok 'and is asked' says 'must say in unknown what is missing'

# What the evidence excuses.
slow='"root_cause":{"expected":"a","got":"b","because":"this is a timing issue"}'
answer "$slow" >in
rca-check in >out
ok 'timing, when all was fast' says '"because":\["action:1"\],"epoch":0,"id":"DE-1"'
excuse() { # NAME RECORD: with that record timing is a conclusion like any other
	{ answer "$slow" | sed '$d'; echo "$2"; answer "$slow" | tail -n 1; } >in
	rca-check in >out
	ok "$1" sh -c '! grep -q DE-1 out'
}
blame() {
	{ answer "$slow" | sed '$d'; echo "$2"; answer "$slow" | tail -n 1; } >in
	rca-check in >out
	ok "$1" says DE-1
}
excuse 'a slow request excuses it' '{"type":"request","ref":"request:2","t":1100,"duration_ms":2300,"status":200,"method":"GET","url":"http://a.test/api/tickets"}'
excuse 'an unanswered one does' '{"type":"request","ref":"request:2","t":1100,"method":"GET","url":"http://a.test/api/tickets"}'
excuse 'one that was cut does' '{"type":"request","ref":"request:2","t":500,"duration_ms":3,"failure":"net::ERR_CONNECTION_RESET","method":"GET","url":"http://a.test/api/tickets"}'
excuse 'a gateway timeout does' '{"type":"request","ref":"request:2","t":500,"duration_ms":3,"status":504,"method":"GET","url":"http://a.test/api/tickets"}'
blame 'a slow one long before does not' '{"type":"request","ref":"request:2","t":-9000,"duration_ms":2300,"status":200,"method":"GET","url":"http://a.test/api/tickets"}'
blame 'a refused one does not' '{"type":"request","ref":"request:2","t":1100,"duration_ms":4,"status":404,"method":"POST","url":"http://a.test/collect"}'
blame 'analytics do not' '{"type":"request","ref":"request:2","t":1100,"method":"POST","url":"http://stats.test/collect"}'
blame 'a picture does not' '{"type":"request","ref":"request:2","t":1100,"duration_ms":2300,"status":200,"resource_type":"image","method":"GET","url":"http://a.test/x.png"}'
blame 'a web socket does not' '{"type":"request","ref":"request:2","t":1100,"status":101,"duration_ms":2400,"method":"GET","url":"ws://a.test/live"}'

late='"root_cause":{"expected":"a","got":"the table had not rendered yet","because":"c"}'
answer "$late" >in
rca-check in >out
ok 'an absent element is not slow' says '"because":\["action:1","snapshot:1"\],"epoch":0,"id":"DE-3"'
answer "$late" | sed 's/element(s) not found/x/; s/"waiting for[^"]*"/"locator resolved to <table>"/' >in
rca-check in >out
ok 'one that was there may be' sh -c '! grep -q DE-3 out'
answer "$late" | sed 's/"- heading/"- progressbar \\"Loading\\"\\n- heading/' >in
rca-check in >out
ok 'and one that was loading' sh -c '! grep -q DE-3 out'

# Mocks.
mock='{"type":"route","ref":"route:1","pattern":"**/api/v2/cart","file":"/srv/app/e2e/tickets.spec.ts","line":11,"never":true,"matched":0,"near":["request:1"]}'
{ sed 1q evidence; echo "$mock"; answer "$cause" "$fix" | sed 1d; } >in
rca-check in >out
ok 'a mock that matched nothing' says '"because":\["route:1"\],"epoch":0,"id":"DE-4"'
{ sed 1q evidence; echo "$mock"; answer "$fix" '"root_cause":{"expected":"a","got":"b","because":"the mock is for **/api/v2/cart and never matched"}' | sed 1d; } >in
rca-check in >out
ok 'is dealt with when the answer says so' sh -c '! grep -q DE-4 out'
hint='{"type":"graphql","ref":"graphql:1","request":"request:1","operation":"GetTickets","outcome":"ok","mock_hint":"the mock at a.ts:1 looks for operationName \"ListTickets\"; \"GetTickets\" was sent"}'
{ sed 1q evidence; echo "$hint"; answer "$cause" "$fix" | sed 1d; } >in
rca-check in >out
ok 'a mock for another operation' says '"because":\["graphql:1"\],"epoch":0,"id":"DE-4"'

# The diff of a fix.
diffs() { # NAME DIFF WANT
	answer "\"fix\":{\"type\":\"fix-test\",\"text\":\"x\",\"file\":\"tickets.spec.ts\",\"diff\":\"$2\"}" >in
	rca-check in >out
	if [ "$3" = fires ]; then ok "$1" says DE-5; else ok "$1" sh -c '! grep -q DE-5 out'; fi
}
diffs 'an added wait' '+  await page.waitForTimeout(500);' fires
diffs 'a longer timeout' '-  await x({ timeout: 5_000 });\n+  await x({ timeout: 30_000 });' fires
diffs 'a shorter timeout' '-  await x({ timeout: 30000 });\n+  await x({ timeout: 5000 });' quiet
diffs 'a removed wait' '-  await page.waitForTimeout(500);\n+  await expect(a).toBeVisible();' quiet
diffs 'a wait that stays' '-  a(); await page.waitForTimeout(500);\n+  b(); await page.waitForTimeout(500);' quiet
diffs 'retries' '-  retries: 0,\n+  retries: 2,' fires
diffs 'networkidle' "+  await page.waitForLoadState('networkidle');" fires

# Streams.
{ cat good; answer "$slow"; cat good; } >in
ok 'each segment for itself' exits 1 rca-check in
ok 'one dead end' test "$(grep -c '"type":"trigger"' out)" -eq 1
ok 'no answer, nothing to say' exits 0 rca-check evidence
ok 'nothing is added' diff -u evidence out
ok 'no input' exits 0 rca-check /dev/null
printf '{"type":"answer","text":"Root Cause: The test expected a table to be visible, but got none, because of a race condition.\\nPhase 1: x\\nRuled out: timing issue\\nFix: add waitForTimeout(300)"}' >text
cat evidence text >in
ok 'a free text is judged as well' exits 1 rca-check in
ok 'for its conclusion' says '"id":"DE-1"'
ok 'and for its fix' says '"id":"DE-5"'
printf '{"type":"answer","output":5}\n{"type":\n{"type":"answer","output":{"claims":7,"phases":{},"fix":[],"root_cause":null}}' >bad
ok 'a bad line in the middle' exits 2 rca-check bad
ok 'is told by place' grep -q '^rca-check: bad: line 2: not JSON' err
ok 'an unreadable file is trouble' exits 2 rca-check nowhere
ok 'a full disk is trouble' exits 2 sh -c 'rca-check good >/dev/full'
ok 'a wrong option is trouble' exits 2 rca-check -x
{ cat evidence; printf '{"type":"answer","output":{"claims":[{"text":"'; head -c 10000000 /dev/zero | tr '\0' x; printf '","cites":["test:1"]}]}}'; } >long
ok 'a claim of 10 MB' exits 1 rca-check long
done_testing
