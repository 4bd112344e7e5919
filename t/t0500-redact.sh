#!/bin/sh
# redact: what is replaced and what stays, in records and in text; secrets are put together here.
# shellcheck disable=SC2016 # what sh -c gets is expanded there
. "$(dirname "$0")/lib.sh"
# TEXT WANT: redacting TEXT gives WANT, and doing it twice changes nothing.
gives() {
	printf '%s\n' "$1" >in && printf '%s\n' "$2" >want
	redact in >got && redact got >again && diff -u want got && diff -u got again
}
same() { gives "$1" "$1"; }
jwt=$(printf 'ey%s.ey%s.%s' JhbGciOiJIUzI1NiJ9 JzdWIiOiJhIn0 c2lnbmF0dXJlc2lnbmF0dXJl)
opaque=$(printf '%s' Zq8Lw2Pf9 Tk4Vb7Xn)
ok 'a bearer token keeps its scheme' gives "Authorization: Bearer $opaque" 'Authorization: Bearer [REDACTED:BEARER#1]'
ok 'a JWT in running text' gives "got $jwt." 'got [REDACTED:JWT#1].'
ok 'equal secrets, equal tags' gives "a=$jwt b $jwt" 'a=[REDACTED:JWT#1] b [REDACTED:JWT#1]'
ok 'an API key by its name' gives "api_key=$opaque x" 'api_key=[REDACTED:API_KEY#1] x'
ok 'cookies keep their names' gives "Cookie: sid=$opaque; lang=en" \
	'Cookie: sid=[REDACTED:COOKIE#1]; lang=[REDACTED:COOKIE#2]'
ok 'and their attributes' gives "Set-Cookie: sid=$opaque; Path=/; HttpOnly" \
	'Set-Cookie: sid=[REDACTED:COOKIE#1]; Path=/; HttpOnly'
ok 'JSON in a string' gives "{\"type\":\"body\",\"text\":\"{\\\"password\\\":\\\"$opaque\\\"}\"}" \
	'{"type":"body","text":"{\"password\":\"[REDACTED:PASSWORD#1]\"}"}
{"count":1,"kinds":{"PASSWORD":1},"places":{"body.text":1},"type":"redactions"}'
ok 'numbers start again with a trace' gives "{\"type\":\"trace\"}
{\"type\":\"x\",\"token\":\"$opaque\"}
{\"type\":\"trace\"}
{\"type\":\"x\",\"token\":\"b$opaque\"}" '{"type":"trace"}
{"type":"x","token":"[REDACTED:TOKEN#1]"}
{"count":1,"kinds":{"TOKEN":1},"places":{"x.token":1},"type":"redactions"}
{"type":"trace"}
{"type":"x","token":"[REDACTED:TOKEN#1]"}
{"count":1,"kinds":{"TOKEN":1},"places":{"x.token":1},"type":"redactions"}'
ok 'and go on above tags that are there' gives "{\"a\":\"[REDACTED:TOKEN#7]\",\"token\":\"$opaque\"}" \
	'{"a":"[REDACTED:TOKEN#7]","token":"[REDACTED:TOKEN#8]"}'
ok 'digests and ids stay' same '{"type":"resource","sha1":"da39a3ee5e6b4b0d3255bfef95601890afd80709","id":"18c6b07f-8e47-400f-a7ec-18a3814fc8c8"}'
# What a browser sent or stored was a credential, whatever it is called.
ok 'a header tells a fake token' gives 'Authorization: Bearer fake-january-token' 'Authorization: Bearer [REDACTED:BEARER#1]'
ok 'also in a record' gives '{"headers":[{"name":"Authorization","value":"Bearer my-token"}]}' '{"headers":[{"name":"Authorization","value":"Bearer [REDACTED:BEARER#1]"}]}'
ok 'none was sent' same '{"authorization":"Bearer undefined"}'
ok 'nor here' same "h['Authorization'] = \`Bearer \${token}\`;"
ok 'a stored token' gives '{"localStorage":[{"name":"desk_token","value":"fake-january-token"},{"name":"theme","value":"dark"}]}' \
	'{"localStorage":[{"name":"desk_token","value":"[REDACTED:TOKEN#1]"},{"name":"theme","value":"dark"}]}'
ok 'in code' gives "localStorage: [{ name: 'desk_token', value: 'fake-january-token' }]" "localStorage: [{ name: 'desk_token', value: '[REDACTED:TOKEN#1]' }]"
ok 'by a call' gives "localStorage.setItem('desk_token', 'mock-token')" "localStorage.setItem('desk_token', '[REDACTED:TOKEN#1]')"
ok 'by an assignment' gives "sessionStorage.token = 'test-token'" "sessionStorage.token = '[REDACTED:TOKEN#1]'"
ok 'a stored cookie' gives '{"cookies":[{"name":"sid","value":"fake-july"}]}' '{"cookies":[{"name":"sid","value":"[REDACTED:COOKIE#1]"}]}'
ok 'in documentation it is a placeholder' same '{"token":"your-token"}'
ok 'names of counts and types stay' same '{"tokenCount":123456,"token_type":"Bearer","passwordPolicy":"strong-1","csrfTokenName":"_csrf1"}'
ok 'a line that is no record is text' gives 'not {json' 'not {json'
ok 'the manual has every rule' sh -c 'grep -oE "^    .\"[A-Z]+\"" "$1/lib/rules.c" | tr -cd "A-Z\n" | sort -u |
	while read -r kind; do grep -qx ".It $kind" "$1/man/redact.1" || { echo "$kind"; exit 1; }; done' sh "$top"
ok 'no input' exits 0 redact /dev/null
ok 'a full disk is trouble' exits 2 sh -c 'echo x | redact >/dev/full'
ok 'an unreadable file is trouble' exits 2 redact /nonexistent
ok 'a zip is refused' exits 2 redact "$top/golden/passing/trace.zip"
ok 'by name' grep -q 'passing/trace.zip: compressed or a picture: secrets in it cannot be found' err
ok 'in one line' test "$(wc -l <err)" -eq 1
ok 'and nothing of it passes' test ! -s out
ok 'so is gzip' exits 2 sh -c 'echo x | gzip | redact'
ok 'and passes nothing' test ! -s out
ok 'so is a picture' exits 2 sh -c 'printf "\211PNG\r\n\032\n" | redact'
printf 'a\n' >a && printf 'b\n' >b
ok 'the files beside it pass' exits 2 redact a "$top/golden/passing/trace.zip" b
ok 'as they are' sh -c 'printf "a\nb\n" | cmp - out'
ok 'wrong usage' exits 2 redact -q
done_testing
