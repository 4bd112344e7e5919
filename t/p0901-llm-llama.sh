#!/bin/sh
# llm-call and a real engine: llama.cpp with a model of random weights, behind a server that others
# wrote.  Its grammar holds it to the schema, its weights to nothing else: what it says is cut, not
# UTF-8, and full of control characters, as real models are on their worst days.
. "$(dirname "$0")/lib.sh"
cp "$top"/t/t0900-llm-call/* .
head -3 two.ndjson >one.ndjson
if [ "$(uname -sm)" != 'Linux x86_64' ] || ! command -v npm >/dev/null; then
	skip 'llm-call and llama.cpp' 'it needs npm on Linux, x86-64'
	done_testing
	exit 0
fi
modules=$top/build/peers-llama/node_modules
if [ ! -e "$modules/inference-server/package.json" ]; then
	mkdir -p "${modules%/*}"
	npm install --prefix "${modules%/*}" --no-save --no-package-lock --silent --omit=optional --legacy-peer-deps \
		node-llama-cpp@3.21.1 @node-llama-cpp/linux-x64@3.21.1 inference-server@1.0.0-beta.32 \
		@img/sharp-linux-x64@0.33.5 @img/sharp-libvips-linux-x64@1.0.4 >&2 || {
		skip 'llm-call and llama.cpp' 'npm cannot bring the server'
		done_testing
		exit 0
	}
fi
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY
node "$top/t/p0901-llm-llama/model.mjs" model.gguf
node "$top/t/p0901-llm-llama/server.mjs" "$modules" "$tmp/model.gguf" "$tmp/severity.v1.schema.json" "$tmp/port" >server.log 2>&1 &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$tmp"' EXIT
tries=0
while [ ! -s port ] && [ $tries -lt 100 ]; do sleep 0.2; tries=$((tries + 1)); done
OPENAI_BASE_URL=http://127.0.0.1:$(cat port)/openai/v1
export OPENAI_BASE_URL
cat >quirks.yaml <<'EOF'
- provider: openai
  schema: json_object
  timeout_s: 60
  tries: 1
  body: {seed: 7}
EOF
field() { jq -r "select(.type == \"$1\") | $2"; } # TYPE FILTER
is() { # WANT GOT
	[ "$1" = "$2" ] || { printf 'got  %s\nwant %s\n' "$2" "$1"; return 1; }
}
whole() { # every epoch ended in one record, every answer fits the schema by json-validate's judgement
	[ "$(grep -c '"type":"\(answer\|unclassified\)"' "$1")" -eq 3 ] || return 1
	field answer '.output | tojson' <"$1" >answers
	[ ! -s answers ] || json-validate severity.v1.schema.json answers || return 1
	field unclassified .reason <"$1" | { ! grep -v '^\(schema\|truncated\)$'; }
}
got=0
llm-call -p severity.v1.md -m openai:random -M record -c live -q quirks.yaml -k 3 one.ndjson >live.out 2>live.err || got=$?
ok 'a real engine' whole live.out
ok 'the status agrees' is $((2 * $(grep -c -m 1 '"type":"unclassified"' live.out))) "$got"
ok 'something was answered' grep -q '"type":"answer"' live.out
ok 'tokens were counted' is true "$(field span '.attributes["gen_ai.usage.output_tokens"] > 0' <live.out | sort -u)"
kill $server
again=0
llm-call -p severity.v1.md -m openai:random -c live -k 3 one.ndjson >replayed 2>/dev/null || again=$?
ok 'replayed without it' is "$got" "$again"
for what in answer unclassified; do
	ok "the same: $what" is "$(field $what '[.epoch, .output, .text, .usage, .attempts, .reason, .message] | tojson' <live.out)" \
		"$(field $what '[.epoch, .output, .text, .usage, .attempts, .reason, .message] | tojson' <replayed)"
done
llm-call -p severity.v1.md -m openai:random -c live -k 3 one.ndjson >again 2>/dev/null || :
ok 'byte for byte' cmp replayed again
done_testing
