#!/bin/sh
# trace-failed: failed tests go on, byte for byte, and the others with -v.
. "$(dirname "$0")/lib.sh"
one() { printf '%s\n' "{\"type\":\"trace\",\"name\":\"$1\"}" "{\"type\":\"test\", \"status\":\"$1\"}" "{\"type\":\"x\",\"n\":1.0}"; }
for status in failed timed-out interrupted; do one "$status"; done >bad
for status in passed unknown; do one "$status"; done >good
printf '%s\n' '{"type":"trace","name":"refused"}' '{"type":"warning"}' >>good
{ one unknown; echo '{"type":"error","terminal":true}'; } >library
{ one passed; echo '{"type":"error","terminal":true}'; } >expected
cat bad good >both
ok 'failed ones go on' exits 0 trace-failed both
ok 'and only they' diff -u bad out
ok 'the others with -v' exits 0 trace-failed -v both
ok 'and only they' diff -u good out
ok 'a gate says no' exits 1 trace-failed -gv both
ok 'a gate says yes' exits 0 trace-failed -g good
ok 'an error that ended the test decides where the status is unknown' exits 1 trace-failed -g library
ok 'but not where it is known' exits 0 trace-failed -g expected
printf '%s\n' '{"type":"trace","name":"x"}' '{"type":"test","status":"failed","expected_status":"failed"}' '{"type":"error","terminal":true}' >should
ok 'a test that should fail and does has not failed' exits 0 trace-failed -g should
sed 's/"status":"failed"/"status":"passed"/' should >shouldnt
ok 'one that should and does not has' exits 1 trace-failed -g shouldnt
sed 1d bad >headless
ok 'records before an opener are a trace' exits 0 trace-failed headless
ok 'and go on' diff -u headless out
ok 'no input' exits 0 trace-failed /dev/null
printf '%s' "$(cat bad)" >unended
ok 'no last newline' exits 0 trace-failed unended
ok 'is mended' diff -u bad out
{ cat bad; echo 'no record'; } >broken
ok 'a bad line costs itself' exits 2 trace-failed broken
ok 'and the rest is right' diff -u bad out
ok 'an unreadable file' exits 2 trace-failed nowhere
ok 'a full disk' exits 2 sh -c 'trace-failed bad >/dev/full'
ok 'wrong usage' exits 2 trace-failed -z
done_testing
