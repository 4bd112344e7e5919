#!/bin/sh
# json-validate: what is wrong is a record, and the exit status says whether anything was.
. "$(dirname "$0")/lib.sh"
cat >person.json <<'END'
{"type": "object", "required": ["name"], "properties": {"name": {"type": "string"},
 "born": {"type": "string", "format": "date"}}}
END
printf '%s\n' '{"name":"Ann","born":"2020-02-29"}' '' '{"name":1}' >in
cat >want <<'END'
{"file":"in","instance":"/name","keyword":"type","line":3,"message":"got number, want string","schema":"#/properties/name/type","type":"violation"}
END
ok 'one is wrong' exits 1 json-validate person.json in
ok 'and told as a record' diff -u want out
printf '{"name":"Ann","born":"2021-02-29"}' >day
ok 'a format is a remark' exits 0 json-validate person.json day
ok 'unless asked for' exits 1 json-validate -f person.json day
printf '%s\r\n' '{"name":"Ann"}' '{"name":"Bob"}' >crlf
ok 'CRLF' exits 0 json-validate person.json crlf
ok 'no input' exits 0 json-validate person.json /dev/null
printf '%s\n' '{"name":"Ann"}' '{"name":' '{"name":2}' >bad
ok 'a bad line costs itself' exits 2 json-validate person.json bad
ok 'its place is told' grep -q '^json-validate: bad: line 2: not JSON' err
ok 'the rest is checked' grep -q '"line":3' out
printf '{"name":"a\\u0000b"}\n' >nul
ok 'NUL in a string' exits 0 json-validate person.json nul
ok 'NUL outside' exits 2 sh -c 'printf "{\"name\":\"a\"}\0\n" | json-validate person.json'
ok 'a 10 MB line' exits 0 sh -c 'perl -e "print qq({\"name\":\"), \"x\" x 1e7, qq(\"}\n)" | json-validate person.json'
perl -e 'print "[" x 3000, "]" x 3000' >deep
ok 'nesting has an end' exits 2 json-validate person.json deep
perl -e 'print "[" x 1900, "]" x 1900' >less
echo '{"items":{"$ref":"#"}}' >self.json
ok 'and so has following it' exits 1 json-validate self.json less
ok 'an unreadable file' exits 2 json-validate person.json nowhere crlf
ok 'no schema there' exits 2 json-validate nowhere
echo '{"type":"strnig"}' >bad.json
ok 'no schema in it' exits 2 json-validate -n bad.json
ok 'the reason' grep -q '^json-validate: bad.json: no schema: /type' err
echo '{"$ref":"http://example.test/person.json"}' >ref.json
ok 'nothing is fetched' exits 2 json-validate -n ref.json
ok 'a folder stands for a URI' exits 1 json-validate -r .=http://example.test/ ref.json in
ok 'but not what lies above it' exits 2 sh -c 'echo "{\"\$ref\":\"http://example.test/../person.json\"}" >up.json
	mkdir -p below && json-validate -n -r below=http://example.test/ up.json'
echo '{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"const":1}]}' >seven.json
ok 'draft 7 by $schema' exits 1 sh -c 'echo "[2]" | json-validate seven.json'
echo '{"items":[{"const":1}]}' >list.json
ok 'draft 7 by option' exits 1 sh -c 'echo "[2]" | json-validate -d 7 list.json'
ok 'which 2020-12 refuses' exits 2 json-validate -n list.json
ok 'a draft that is none' exits 2 json-validate -d 8 list.json
ok 'a full disk' exits 2 sh -c 'json-validate person.json in >/dev/full'
ok 'a closed pipe' sh -c 'yes "{\"name\":1}" | head -n 100000 | json-validate person.json | head -n 1 | grep -q violation'
ok 'wrong usage' exits 2 json-validate
ok 'leaves standard output empty' test ! -s out
ok 'help' sh -c 'json-validate --help | head -n 1 | grep -q "^usage: json-validate "'
perl -e 'print "{\"\$ref\":\"#/\$defs/a0\",\"\$defs\":{", map({ sprintf "\"a%d\":{\"allOf\":[{\"\$ref\":\"#/\$defs/a%d\"},{\"\$ref\":\"#/\$defs/a%d\"}]},", $_, $_ + 1, $_ + 1 } 0 .. 39), "\"a40\":{\"type\":\"string\"}}}"' >twice.json
echo 1 >one
ok 'each definition twice the next' exits 1 timeout 60 json-validate twice.json one
perl -e 'print "{\"items\":{\"enum\":[", join(",", map { "[$_,{\"a\":$_,\"b\":1}]" } 1 .. 20000), "]}}"' >many.json
perl -e 'print "[", join(",", map { "[$_.0,{\"b\":1,\"a\":$_}]" } reverse 1 .. 20000), "]\n"' >values
ok 'twenty thousand values, each one of as many' exits 0 sh -c 'ulimit -t 20 && json-validate many.json values'
ok 'and one that is none of them' exits 1 sh -c 'sed "s/{\"b\":1,\"a\":7}/{\"b\":2,\"a\":7}/" values | json-validate many.json'
ok 'named once' test "$(wc -l <out)" -eq 1
done_testing
