#!/bin/sh
# gql-verify: the ways operations are sent, what is answered, mocks that look for another name,
# errors the test expects; each fixture is a row of small traces, named after what they show.
. "$(dirname "$0")/lib.sh"
here=$top/t/t0400-gql-verify

for set in ways answers hints expected; do
	gql-verify -t "$here/$set.ndjson" >"$set"
	ok "the table of $set" diff -u "$here/$set.want" "$set"
done

# What is added, in full, once.
one='{"type":"request","ref":"request:7","id":7,"t":12.5,"method":"POST","url":"http://a.test/graphql","status":200}'
ask='{"type":"body","of":"request","requests":[7],"text":"{\"query\":\"{a b}\"}"}'
say='{"type":"body","of":"response","requests":[7],"text":"{\"errors\":[{\"message\":\"no b\",\"path\":[\"b\",0],\"extensions\":{\"code\":\"NOT_FOUND\"}}],\"data\":{\"a\":1}}"}'
printf '%s\n' "$one" "$ask" "$say" >in
{
	cat in
	echo '{"errors":[{"category":"not-found","code":"NOT_FOUND","message":"no b","path":["b",0]}],"fields":["a","b"],"kind":"query","outcome":"partial","ref":"graphql:1","request":"request:7","status":200,"t":12.5,"type":"graphql"}'
	echo '{"operations":1,"reasons":["an unnamed operation (graphql:1): partial, not-found, NOT_FOUND: no b"],"ref":"verdict:1","tool":"gql-verify","type":"verdict","verdict":"DIVERGENCE DETECTED"}'
} >want
ok 'records are passed on, and two added' exits 0 gql-verify in
ok 'in this form' diff -u want out

ok 'a gate says no to divergence' exits 1 gql-verify -g in
echo "$one" >unread
printf '{"type":"trace","name":"%s"}\n' a b >empty
ok 'and does not know what it cannot read' exits 2 gql-verify -g unread
{ cat empty; cat in; printf '{"type":"trace","name":"c"}\n'; cat unread; } >two
ok 'which beats a no' exits 2 gql-verify -g two
ok 'without GraphQL nothing is added' exits 0 gql-verify -g empty
ok 'nothing at all' diff -u empty out

# Bad input costs itself.
exits 0 gql-verify /dev/null
ok 'no input, no output' test ! -s out
{ printf '%s\r\n%s\n' "$one" "$ask"; echo '{"type":'; printf '{"type":"x","n":"\0"}\n'; printf '%s' "$say"; } >bad
ok 'a bad line, a NUL, CRLF, no last newline' exits 2 gql-verify bad
ok 'are told by place' grep -q '^gql-verify: bad: line 3: not JSON' err
ok 'each' grep -q '^gql-verify: bad: line 4: ' err
ok 'and the rest is judged' grep -q '"verdict":"DIVERGENCE DETECTED"' out
deep=$(printf '%1500s' '' | tr ' ' '[')$(printf '%1500s' '' | tr ' ' ']')
{
	echo "$one"
	printf '{"type":"body","of":"request","requests":[7],"text":"{\\"query\\":\\"{a%s\\"}"}\n' "$(printf '%3000s' '' | tr ' ' '{')"
	printf '{"type":"body","of":"response","requests":[7],"text":"{\\"data\\":%s}"}\n' "$deep"
} >deep
ok 'deep nesting' exits 0 gql-verify deep
ok 'is an answer like any other' grep -q '"outcome":"ok"' out
{
	echo "$one"
	echo "$ask"
	printf '{"type":"body","of":"response","requests":[7],"text":"{\\"data\\":{\\"a\\":\\"'
	head -c 10000000 /dev/zero | tr '\0' x
	printf '\\"}}"}\n'
} >long
ok 'a line of 10 MB' exits 0 gql-verify -g long
ok 'is healthy' grep -q HEALTHY out
ok 'an unreadable file is trouble' exits 2 gql-verify nowhere in
ok 'a full disk is trouble' exits 2 sh -c 'gql-verify in >/dev/full'
ok 'a wrong option is trouble' exits 2 gql-verify -x
ok 'and shows the synopsis' grep -q '^usage: gql-verify \[-gt\]' err
ok 'a closed pipe is quiet' sh -c 'gql-verify long | head -1 >/dev/null'
done_testing
