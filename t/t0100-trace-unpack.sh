#!/bin/sh
# trace-unpack: members of ordinary zips and folders, their order, and what becomes of them.
. "$(dirname "$0")/lib.sh"
lines() { [ "$(wc -l <"$2")" -eq "$1" ]; }
perl "$top/t/zip.pl" . read && perl "$top/t/zip.pl" . other || exit
sha=1a6c378337aae8658824fe44d8e3e41ddb88fec2

cat >want <<'END'
{"bytes":1802,"members":8,"name":"good","type":"trace"}
{"type":"line","member":"test.trace","n":1,"record":{"version":8,"type":"context-options","origin":"testRunner","browserName":"","platform":"linux","wallTime":1735689600100,"monotonicTime":5100}}
{"type":"line","member":"test.trace","n":2,"record":{"type":"error","message":"Error: no","stack":[]}}
{"type":"line","member":"0-trace.stacks","n":1,"record":{"files":["/app/a.spec.ts"],"stacks":[[1,[[0,3,5,""]]]]}}
{"type":"line","member":"0-trace.trace","n":1,"record":{"version":8,"type":"context-options","origin":"library","browserName":"chromium","platform":"linux","wallTime":1735689600123,"monotonicTime":5123.4,"options":{}}}
{"type":"line","member":"0-trace.trace","n":2,"record":{"type":"before","callId":"call@1","startTime":5200,"class":"Page","method":"goto","params":{"url":"http://shop.test/"}}}
{"type":"line","member":"0-trace.trace","n":3,"record":{"type":"after","callId":"call@1","endTime":5300}}
{"type":"line","member":"0-trace.network","n":1,"record":{"type":"resource-snapshot","snapshot":{"request":{"method":"GET"}}}}
{"type":"resource","name":"src/1a6c378337aae8658824fe44d8e3e41ddb88fec2.ts","sha1":"1a6c378337aae8658824fe44d8e3e41ddb88fec2","bytes":21,"encoding":"utf-8","data":"test('a', () => {});\n"}
{"type":"resource","name":"attachments/1a6c378337aae8658824fe44d8e3e41ddb88fec2","sha1":"1a6c378337aae8658824fe44d8e3e41ddb88fec2","bytes":16,"encoding":"utf-8","data":"# Page snapshot\n"}
{"type":"resource","name":"resources/1a6c378337aae8658824fe44d8e3e41ddb88fec2.json","sha1":"1a6c378337aae8658824fe44d8e3e41ddb88fec2","mime":"application/json","bytes":11,"encoding":"utf-8","data":"{\"ok\":true}"}
{"type":"resource","name":"resources/page@9ef0c8bac0832f0c4710a7826d9a0cf6-1.jpeg","mime":"image/jpeg","bytes":6,"omitted":"binary"}
END
ok 'a trace' exits 0 trace-unpack good.zip
ok 'is told record by record' diff -u want out
sed 1d want >rest
ok 'the name may be missing' exits 0 trace-unpack <good.zip
ok 'and nothing else changes' sh -c '{ echo "{\"bytes\":1802,\"members\":8,\"name\":\"stdin\",\"type\":\"trace\"}"; cat rest; } | diff - out'
ok 'a pipe will do' sh -c 'cat good.zip | trace-unpack - | sed 1d | diff rest -'

same_as_good() { trace-unpack "$1" | sed 1d | grep -v '"type":"warning"' | diff - rest; }
for z in backslash bare comment dotted folder macos made member-comment stored time twice utf8flag zip64-descriptor \
	zip64-end zip64-local zip64-size; do
	ok "read as well: $z" same_as_good $z.zip
done
ok 'backslashes are a warning' sh -c 'trace-unpack backslash.zip | grep -c odd-name | grep -qx 1'
ok 'a name twice is one' sh -c 'trace-unpack twice.zip | grep -c repeated-name | grep -qx 1'

trace-unpack report.zip >out
printf '%s\n' '{"bytes":1802,"members":8,"name":"report/data/a","type":"trace"}' \
	'{"bytes":1802,"members":8,"name":"report/data/b","type":"trace"}' >want
ok 'zips in a zip' sh -c 'grep "\"type\":\"trace\"" out | diff want -'
ok 'are whole' lines 24 out

ok 'no trace' exits 2 trace-unpack notrace.zip
ok 'is said' grep -qx 'trace-unpack: no trace in notrace.zip' err
ok 'and recorded' grep -q '"code":"E_NOTRACE"' out
ok 'an empty zip' exits 2 trace-unpack none.zip

ok 'a resource over the cap' sh -c 'trace-unpack -b 20 good.zip | grep -c "\"omitted\":\"too-large\"" | grep -qx 1'
ok 'pictures on request' sh -c 'trace-unpack -a good.zip | tail -n 1 | grep -q "\"bytes\":6,\"encoding\":\"base64\",\"data\":\"/9j/4AAA\"}$"'

# Folders: the same trace unzipped, and a recording that was never zipped.
mkdir -p dir/trace/src dir/trace/attachments dir/trace/resources
write() { sed -n "s/^{\"type\":\"line\",\"member\":\"$1\",\"n\":[0-9]*,\"record\":\(.*\)}\$/\1/p" rest; }
for m in test.trace 0-trace.stacks 0-trace.trace 0-trace.network; do write $m >dir/trace/$m; done
echo "test('a', () => {});" >dir/trace/src/$sha.ts
echo '# Page snapshot' >dir/trace/attachments/$sha
printf '{"ok":true}' >dir/trace/resources/$sha.json
printf '\377\330\377\340\0\0' >dir/trace/resources/page@9ef0c8bac0832f0c4710a7826d9a0cf6-1.jpeg
ln -s /etc dir/trace/link
ok 'a folder' same_as_good dir/trace
ok 'above it' same_as_good dir/
ok 'its name' sh -c 'trace-unpack dir/trace | head -n 1 | grep -q "\"name\":\"dir\""'
cp good.zip dir/trace.zip && mkdir dir/b && cp report.zip dir/b
trace-unpack dir | sed -n 's/^{"bytes".*"name":\([^,]*\),"type":"trace"}$/\1/p' >out
printf '"%s"\n' dir dir/b/report/data/a dir/b/report/data/b dir >want
ok 'many traces in it' diff -u want out

mkdir live && cd live || exit 1
id=0123456789abcdef0123-0123456789abcdef0123
lib='{"version":10,"type":"context-options","origin":"library"}'
for f in $id-retry1.trace $id-retry1-recording2.trace $id.trace other-chunk2.trace; do echo "$lib" >"$f"; done
echo '{"version":10,"type":"context-options","origin":"testRunner"}' >"$id-test.trace"
echo '{"type":"resource-snapshot"}' | tee "$id-retry1.network" >"$id-pwnetcopy-1.network"
echo '{"type":"resource-snapshot"}' >other.network
cd ..
trace-unpack live | sed 's/.*"name":\("[^"]*"\).*/\1/; s/.*"member":"\([^"]*\)".*/\1/' >out
cat >want <<END
"live/$id"
$id.trace
"live/$id-retry1"
$id-test.trace
$id-retry1.trace
$id-retry1.network
$id-retry1-recording2.trace
"live/other"
other.network
other-chunk2.trace
END
ok 'live recordings, each by itself' diff -u want out

# Content.
trace_of() { trace-unpack "$1" | sed 1d; }
trace_of cutline.zip >out
ok 'a cut last line is a warning' sh -c 'tail -n 1 out | grep -q "\"code\":\"cut-line\",\"message\":\"line 4: cut short\""'
ok 'and no trouble' exits 0 trace-unpack cutline.zip
trace_of badline.zip >out
ok 'bad lines cost themselves' sh -c 'grep -c "\"type\":\"line\"" out | grep -qx 6'
ok 'and are counted right' grep -q '"member":"trace.trace","n":11,"record":{"type":"after"' out
printf '%s\n' 'line 5: not an object' 'line 6: not an object' 'line 7: not UTF-8' \
	'line 8: control byte in a string' >want
ok 'each with its place' sh -c 'sed -n "s/.*bad-line\",\"message\":\"\([^\"]*\).*/\1/p" out | diff want -'
trace_of flood.zip >out
ok 'a flood of them is cut' sh -c 'grep -c bad-line out | grep -qx 21 && grep -q "80 more lines" out'
trace_of bomless.zip | sed 's/.*"name":"resources.\(.\).*"bytes":[0-9]*,\(.*\)}$/\1 \2/;1,3d' >out
cat >want <<'END'
a "encoding":"base64","data":"g2WDWINn"
b "encoding":"base64","data":"//5hAA=="
c "omitted":"binary"
d "encoding":"utf-8","data":"a\u0000b"
e "encoding":"utf-8","data":""
END
ok 'text in any encoding, and what is none' diff -u want out
trace_of pretty.zip >out
ok 'a document over several lines is one' grep -qF '"trace.stacks","n":1,"record":{ "files": [],' out
trace_of v4.zip | sed 's/.*"member":"\([^"]*\)".*/\1/' | uniq >out
ok 'runner first, then by number' sh -c 'printf "%s\n" 1-trace.trace 0-trace.trace 2-trace.trace 10-trace.trace | diff - out'
ok 'long zeros are no bomb' exits 0 trace-unpack zeros.zip

# Damage inside a member costs what follows in it.
for z in crc data longer shorter lying; do ok "$z: trouble" exits 2 trace-unpack $z.zip && cp out $z.out; done
ok 'all lines before a wrong checksum' sh -c 'grep -v E_CRC crc.out | sed 1d | diff - rest'
for z in crc:E_CRC data:E_DATA longer:E_LENGTH lying:E_LENGTH; do
	ok "$z" grep -q "\"code\":\"${z#*:}\"" "${z%:*}.out"
done
tail -n 5 rest >want
ok 'the other members are told' sh -c 'tail -n 5 data.out | diff want -'

# What cannot be read.
: >empty.zip; echo text >text.zip
ok 'a missing file' exits 2 trace-unpack missing.zip good.zip
ok 'costs itself' sh -c 'tail -n +3 out | diff - rest || tail -n +4 out | diff - rest'
ok 'an empty file' exits 2 trace-unpack empty.zip
ok 'has its code' grep -q '"code":"E_EMPTY"' out
ok 'not a zip' exits 2 trace-unpack text.zip
ok 'has its code too' grep -q '"code":"E_NOTZIP"' out
ok 'one line each' lines 1 err
mkdir nothing
ok 'an empty folder' exits 2 trace-unpack nothing
ok 'wrong usage' exits 2 trace-unpack -z
ok 'says nothing on stdout' sh -c '[ ! -s out ]'
ok 'a wrong limit' exits 2 trace-unpack -l speed=9 good.zip
ok 'a full disk' exits 2 sh -c 'trace-unpack good.zip >/dev/full'
ok 'a closed pipe' sh -c 'trace-unpack good.zip good.zip | head -n 1 | grep -q trace'
done_testing
