#!/bin/sh
# redact: odd input, options, segments, and what must hold for any input.
# shellcheck disable=SC2016 # what sh -c gets is expanded there
. "$(dirname "$0")/lib.sh"
opaque=$(printf '%s' Zq8Lw2Pf9 Tk4Vb7Xn)
jwt=$(printf 'ey%s.ey%s.%s' JhbGciOiJIUzI1NiJ9 JzdWIiOiJhIn0 c2lnbmF0dXJlc2lnbmF0dXJl)
dashes=-----
b64=$(printf '%064d' 0 | tr 0 Q)
corpus=$top/t/t0500-redact/corpus

ok 'no last newline' sh -c 'printf "password=hunter2" | redact >out && printf "password=[REDACTED:PASSWORD#1]" | cmp - out'
ok 'CRLF stays' sh -c 'printf "Cookie: a=bcd\r\nx\r\n" | redact >out && printf "Cookie: a=[REDACTED:COOKIE#1]\r\nx\r\n" | cmp - out'
perl -e 'print "http://a:" x 100_000, "\@b.test/"' >urls
perl -e 'printf "{\"type\":\"a\",\"token\":\"%08x%s\"}\n", $_ * 2654435761 % 4294967296, "k3v" x 4 for 1 .. 60_000' >tokens
ok 'sixty thousand tokens take no time' exits 0 timeout 10 redact tokens
ok 'and are as many tags' sh -c '[ "$(grep -o "TOKEN#[0-9]*" out | sort -u | wc -l)" -eq 60000 ]'
perl -e 'print "x-sig-signature: a=" x 30000' >signatures
perl -e 'print "<string name=\"token\">" x 30000' >tags
perl -e 'print "a" x 40, "=" for 1 .. 20000' >padding
ok 'nor do headers without an end' exits 0 timeout 5 redact signatures
ok 'nor tags' exits 0 timeout 5 redact tags
ok 'nor base64 that goes on' exits 0 timeout 5 redact padding
ok 'URLs in a password take no time' exits 0 timeout 10 redact urls
ok 'and it is one secret' sh -c '[ "$(grep -o REDACTED out | wc -l)" -eq 1 ]'
printf '{"type":"a","token":"%s"}\n{"type":\n{"type":"b"}\n' "$opaque" >in
ok 'a line that is no record passes' exits 0 redact in
ok 'and so does the rest' sh -c 'sed -n 2,3p in >want && sed -n 2,3p out | cmp want -'
printf 'a\000b password=%s \000c\n' "$opaque" >in
ok 'NUL' sh -c 'redact in | tr "\000" @ >out && printf "a@b password=[REDACTED:PASSWORD#1] @c\n" | cmp - out'
ok 'bytes that are no text' sh -c 'head -c 300000 /dev/urandom >rnd && redact rnd >/dev/null'
{ printf '{"type":"x","a":"'; head -c 10000000 /dev/zero | tr '\0' a; printf ' Bearer %s"}\n' "$opaque"; } >big
ok 'a line of 10 MB' sh -c 'redact big >out && tail -c 200 out | grep -q "Bearer .REDACTED:BEARER#1."'
{ head -c 2000 /dev/zero | tr '\0' '['; printf '{"password":"%s"}' "$opaque"; head -c 2000 /dev/zero | tr '\0' ']'; echo; } >deep
ok 'deep nesting' sh -c 'redact deep | grep -q "REDACTED:PASSWORD#1"'
ok 'a closed pipe' sh -c 'yes "password=hunter2" | head -100000 | redact | head -1 >/dev/null'
ok 'a full disk' exits 2 sh -c 'yes "password=hunter2" | head -100000 | redact >/dev/full'
mkdir dir
ok 'a folder is trouble' exits 2 redact dir
ok 'a missing file costs itself' exits 2 redact /nonexistent big
ok 'but not the others' test -s out

# A value that a later record tells is hidden in those before it.
{
	printf '{"type":"trace","name":"a"}\n{"type":"console","text":"got %s"}\nplain %s\n' "$opaque" "$opaque"
	printf '{"type":"x","request_headers":{"x-api-key":"%s"}}\n' "$opaque"
} >later
redact later >got
ok 'told later' sh -c '! grep -q "$1" got && grep -q "got .REDACTED:API_KEY#1" got && grep -q "^plain .REDACTED:API_KEY#1" got' sh "$opaque"
ok 'and counted' grep -q '^{"count":3,"kinds":{"API_KEY":3}' got
{ sed 1q later; printf '{"type":"trace","name":"b"}\n'; sed 1,3d later; } >other
redact later other >got
ok 'in each segment' sh -c '[ "$(grep -c "\"type\":\"redactions\"" got)" -eq 2 ] && ! grep -q "$1" got' sh "$opaque"
perl -e 'print qq({"type":"trace"}\n); print qq({"type":"n","i":$_,"text":"), "word " x 200, qq(end"}\n) for 1 .. 9000' >many
redact many >got
ok 'what is held back comes in order' cmp many got

printf '%s\n' '{"type":"x","request_headers":{"cookie":"last=2026-01-02; host=127.0.0.1; v=1.2.3-4"}}' \
	'{"type":"y","text":"on 2026-01-02 127.0.0.1 ran 1.2.3-4"}' | redact >got
ok 'dates and addresses of hosts are not learned' grep -q '"on 2026-01-02 127.0.0.1 ran 1.2.3-4"' got

# Any way of cutting the input gives the same bytes.
{ cat "$corpus"; cat deep; printf '{"type":"a","token":"%s"}\n' "$opaque"; } >in
redact in >want
ok 'read by the byte' sh -c 'dd if=in bs=1 2>/dev/null | redact | cmp want -'
ok 'read in odd pieces' sh -c 'dd if=in bs=977 2>/dev/null | redact | cmp want -'
ok 'twice is once' sh -c 'redact want | cmp want -'

# A key of many lines, longer than what is read at once.
{
	echo "$dashes"'BEGIN RSA PRIVATE KEY'"$dashes"
	i=0; while [ $i -lt 1000 ]; do echo "$b64"; i=$((i + 1)); done
	echo "$dashes"'END RSA PRIVATE KEY'"$dashes"; echo after
} >in
ok 'a private key over many lines' exits 0 redact in
ok 'nothing of it is left' sh -c '! grep -q QQQQQ out'
ok 'what follows it is' sh -c 'tail -2 out | head -1 | grep -q "END RSA PRIVATE KEY" && tail -1 out | grep -qx after'

printf '{"type":"trace"}\n{"type":"a","token":"%s"}\n{"type":"b","text":"again %s here"}\n' "$opaque" "$opaque" >in
ok 'what was found is known' sh -c 'redact in | grep -q "again .REDACTED:TOKEN#1. here"'
printf '{"type":"a","text":"first %s","z":{"token":"%s"}}\n' "$opaque" "$opaque" >in
ok 'in the same record, before it too' sh -c 'redact in | grep -q "first .REDACTED:TOKEN#1."'

printf '%s\n' 's3cr"et va/lue' >values
printf 'x s3cr"et va/lue y\n{"type":"a","t":"s3cr\\"et va/lue"}\ns3cr%%22et%%20va%%2Flue\n' >in
printf '%s' 's3cr"et va/lue' | base64 >>in
ok 'known values' exits 0 redact -x values in
ok 'in every encoding' sh -c 'test "$(grep -c "REDACTED:KNOWN#1" out)" -eq 4'
echo abc >short
ok 'too short a value is refused' exits 2 redact -x short in
echo "$opaque" >allowed
ok 'an allowed value stays' sh -c "echo token=$opaque | redact -a allowed | grep -qx token=$opaque"

echo 0123456789abcdef >key
echo "token=$opaque token=$jwt" >in
ok 'keyed tags' exits 0 redact -k key in
ok 'have a code' grep -qE '^token=\[REDACTED:TOKEN~[a-z2-7]{8}\] token=\[REDACTED:JWT~[a-z2-7]{8}\]$' out
ok 'of the value alone' sh -c 'cp out one && { echo "password=other-1"; cat in; } | redact -k key | tail -1 | cmp one -'
ok 'a short key is refused' exits 2 redact -k short in

echo 'mail bob@example.com card 4111 1111 1111 1111 iban DE89 3704 0044 0532 0130 00 tel +49 30 901820 id 4111 1111 1111 1112' >in
ok 'personal data stays' sh -c 'redact in | cmp in -'
ok 'unless it is asked for' exits 0 redact -P in
ok 'and then goes' grep -qx 'mail \[REDACTED:EMAIL#1\] card \[REDACTED:CARD#1\] iban \[REDACTED:IBAN#1\] tel \[REDACTED:PHONE#1\] id 4111 1111 1111 1112' out

printf '{"type":"a","token":"%s"}\ntext\n' "$opaque" >in
ok '-n reports' exits 0 redact -n in
echo '{"count":1,"kinds":{"TOKEN":1},"places":{"a.token":1},"type":"redactions"}' >want
ok 'and does nothing else' cmp want out

# What the traces of the golden set hide.
if [ -d "$TRACES" ]; then
	for yaml in "$TRACES"/*/golden.yaml; do
		sed -n '/^  secrets:/,/^  injection/s/^    - "\(.*\)"$/\1/p' "$yaml" >secrets
		[ -s secrets ] || continue
		trace-unpack "${yaml%/*}/trace.zip" | trace-events >records
		redact records >out
		ok "${yaml#"$TRACES"/}: something is there to hide" grep -qFf secrets records
		ok "${yaml#"$TRACES"/}: and is hidden" sh -c '! grep -FqF -f secrets out'
		ok "${yaml#"$TRACES"/}: records stay records" sh -c 'gql-verify <out >/dev/null'
	done
else
	skip 'secrets of the golden traces' "no $TRACES"
fi
done_testing
