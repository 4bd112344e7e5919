#!/bin/sh
# Replays cost next to nothing, and calls that wait for a server wait side by side.
set -eu
cd "$build/bench"
cp "$top"/t/t0900-llm-call/* .
perl -e 'for my $i (1 .. 1000) {
	print qq({"type":"trace","name":"n$i"}\n{"type":"section","label":"failure","text":"),
	    "--- UNTRUSTED TRACE DATA BEGIN (failure id=$i) ---\\n| ", "x" x 20000,
	    "\\n--- UNTRUSTED TRACE DATA END (failure id=$i) ---\\n\"}\n" }' >calls.ndjson
echo '{"output":{"severity":"low"},"provenance":"authored"}' >say
: >asked
[ -d calls ] || llm-call -p severity.v1.md -c calls -M record -j 4 calls.ndjson >/dev/null
ms() { # NAME COMMAND...
	name=$1 from=$(date +%s%N); shift
	"$@" >/dev/null
	took=$((($(date +%s%N) - from) / 1000000))
	printf '%-44s %6d ms\n' "$name" "$took"
}
echo '-- llm-call'
head -300 calls.ndjson >some.ndjson
./measure '150 replays of 20 kB' llm-call -p severity.v1.md -c calls some.ndjson
./measure 'a thousand' llm-call -p severity.v1.md -c calls calls.ndjson
rm -rf served && mkdir served
perl "$top/t/t0910-llm-http/server.pl" served &
server=$!
trap 'kill $server' EXIT
while [ ! -s served/port ]; do sleep 0.05; done
OPENAI_BASE_URL=http://127.0.0.1:$(cat served/port)/latency/v1
export OPENAI_BASE_URL
head -80 calls.ndjson >few.ndjson
ms '40 calls, 200 ms each, -j 1' llm-call -p severity.v1.md -m openai:m -M off few.ndjson
one=$took
ms '40 calls, 200 ms each, -j 8' llm-call -p severity.v1.md -m openai:m -M off -j 8 few.ndjson
echo "that is $((one * 10 / took / 10)).$((one * 10 / took % 10)) times as fast"
