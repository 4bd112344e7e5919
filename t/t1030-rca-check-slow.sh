#!/bin/sh
# rca-check: a longer timeout is a fix where a response was truly slow at the failure, and nowhere else.
. "$(dirname "$0")/lib.sh"

evidence() { # MEMBERS of the request near the failure
	cat <<-END
		{"type":"test","ref":"test:1","status":"failed"}
		{"type":"action","ref":"action:1","api":"expect.toBeVisible","t":1000,"end":3500,"status":"failed","failure_point":true,"error":"Error: not visible"}
		{"type":"request","ref":"request:1","t":900,"method":"GET","url":"http://a.test/api/list",$1}
	END
}
check() { # REQUEST FIX DIFF
	{ evidence "$1"; printf '{"type":"answer","output":{"fix":{"text":"%s","diff":"%s"}}}\n' "$2" "$3"; } | rca-check >out
	if grep -q '"id":"DE-5"' out; then echo DE-5; else echo none; fi
}
is() { [ "$1" = "$2" ] || { echo "$2, not $1"; return 1; }; }
slow='"duration_ms":2600,"status":200' quick='"duration_ms":20,"status":200'
pending='"x":1' failed='"duration_ms":2600,"status":0,"failure":"net::ERR_FAILED"' later='"duration_ms":2600,"status":503'
longer='+  await expect(list).toBeVisible({ timeout: 15000 });'

ok 'slow, and a longer timeout' is none "$(check "$slow" 'Raise the timeout of the assertion to 15 seconds' "$longer")"
ok 'the words alone' is none "$(check "$slow" 'Increase the timeout to 15 seconds' '')"
ok 'the diff alone' is none "$(check "$slow" 'Be patient' "$longer")"
ok 'of the whole test' is none "$(check "$slow" 'Call test.setTimeout(60000)' '+  test.setTimeout(60000);')"
ok 'still under way' is none "$(check "$pending" 'Increase the timeout' "$longer")"
ok 'quick' is DE-5 "$(check "$quick" 'Increase the timeout' '')"
ok 'quick, in the diff' is DE-5 "$(check "$quick" 'Be patient' "$longer")"
ok 'failed' is DE-5 "$(check "$failed" 'Increase the timeout' '')"
ok 'refused for now' is DE-5 "$(check "$later" 'Increase the timeout' '')"
for fix in 'Add page.waitForTimeout(3000)' 'Add retries: 2 to the config' 'Increase the timeout and retry the click' \
	'Wait for networkidle' 'Sleep for two seconds' 'setTimeout(() => check(), 500)'; do
	ok "slow, but: $fix" is DE-5 "$(check "$slow" "$fix" '')"
done
ok 'slow, but a pause in the diff too' is DE-5 "$(check "$slow" '' "$longer\\n+  await page.waitForTimeout(500);")"
ok 'a longer timeout, then a pause' is DE-5 "$(check "$slow" 'Increase the timeout. Add a delay before the click.' '')"
done_testing
