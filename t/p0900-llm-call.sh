#!/bin/sh
# llm-call and two servers that others wrote: aimock speaks the protocols of all three providers,
# mock-llm is a second opinion and gives the bodies of errors as vendors write them.
. "$(dirname "$0")/lib.sh"
cp "$top"/t/t0900-llm-call/* .
head -3 two.ndjson >one.ndjson
if ! peer @copilotkit/aimock@1.43.0 @dwmkerr/mock-llm@0.1.29; then
	skip 'llm-call and its peers' 'npm cannot bring them'
	done_testing
	exit 0
fi
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY
field() { jq -r "select(.type == \"$1\") | $2"; } # TYPE FILTER
is() { # WANT GOT
	[ "$1" = "$2" ] || { printf 'got  %s\nwant %s\n' "$2" "$1"; return 1; }
}
has() { grep -qF -- "$1" "$2" || { echo "no $1 in:"; cat "$2"; return 1; }; }
free_port() { node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })'; }
await() { # PORT
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		node -e "require('net').connect($1, '127.0.0.1').on('connect', () => process.exit(0)).on('error', () => process.exit(1))" && return
		sleep 0.3
	done
}

secret=test-$(printf '%s' key-for-the-peer)
cat >fixtures.json <<'EOF'
{ "fixtures": [
  { "match": { "userMessage": "Programs checked" },
    "response": { "content": "{\"severity\":\"high\"}", "usage": { "prompt_tokens": 50, "completion_tokens": 6, "total_tokens": 56, "input_tokens": 50, "output_tokens": 6 } } },
  { "match": { "userMessage": "limit" },
    "response": { "error": { "message": "slow down", "type": "rate_limit_error" }, "status": 429, "retryAfter": 7 } },
  { "match": { "userMessage": "cut" }, "response": { "content": "{\"sev", "finishReason": "length" } },
  { "match": { "userMessage": "boom" },
    "response": { "content": "{\"severity\":\"middling\"}", "usage": { "prompt_tokens": 30, "completion_tokens": 5, "total_tokens": 35, "input_tokens": 30, "output_tokens": 5 } } }
] }
EOF
port=$(free_port)
AIMOCK_API_KEYS=$secret "$peers/node_modules/.bin/llmock" -p "$port" -f fixtures.json --strict --log-level warn >aimock.log 2>&1 &
aimock=$!
trap 'kill $aimock; rm -rf "$tmp"' EXIT
await "$port"
url=http://127.0.0.1:$port
export OPENAI_BASE_URL="$url/v1" ANTHROPIC_BASE_URL="$url" GOOGLE_GEMINI_BASE_URL="$url"
export OPENAI_API_KEY="$secret" ANTHROPIC_API_KEY="$secret" GEMINI_API_KEY="$secret"
llm() { llm-call -p severity.v1.md "$@"; }
for model in openai:gpt-4o anthropic:claude-sonnet-5-5 gemini:gemini-2.5-flash; do
	ok "aimock: $model: wrong, then right" exits 0 llm -m $model -c live -M record one.ndjson
	ok 'the answer' is 'high 2 live' "$(field answer '"\(.output.severity) \(.attempts) \(.provenance)"' <out)"
	cp out live.out
	ok 'replayed, the same' exits 0 llm -m $model -c live one.ndjson
	ok 'answer' is "$(field answer '[.output, .text, .usage, .attempts] | tojson' <live.out)" \
		"$(field answer '[.output, .text, .usage, .attempts] | tojson' <out)"
	ok "$model: another key" exits 2 env OPENAI_API_KEY=wrong ANTHROPIC_API_KEY=wrong GEMINI_API_KEY=wrong \
		llm-call -p severity.v1.md -m $model -M off one.ndjson
	ok 'is refused' has 'HTTP status 401' err
	sed 's/boom/limit/' one.ndjson >limit.ndjson
	ok "$model: a limit" exits 2 llm -m $model -M off -S 3 limit.ndjson
	ok 'with its Retry-After' has 'the time is up' err
	sed 's/boom/cut/' one.ndjson >cut.ndjson
	ok "$model: cut" exits 2 llm -m $model -M off cut.ndjson
	ok 'is truncated' is truncated "$(field unclassified .reason <out)"
done
echo '- {provider: openai, api: responses}' >api.yaml
ok 'aimock: responses: wrong, then right' exits 0 llm -q api.yaml -m openai:gpt-5 -c responses -M record one.ndjson
ok 'the answer by responses' is 'high 2 80 11' "$(field answer '"\(.output.severity) \(.attempts) \(.usage.input_total) \(.usage.output_total)"' <out)"
ok 'their form is known in replay' exits 0 llm -m openai:gpt-5 -c responses one.ndjson
ok 'and is the same' is high "$(field answer .output.severity <out)"
ok 'responses: a limit' exits 2 llm -q api.yaml -m openai:gpt-5 -M off -S 3 limit.ndjson
ok 'with its Retry-After, too' has 'the time is up' err
ok 'usage as it was told' is '80 11' \
	"$(llm -m openai:gpt-4o -c live one.ndjson | field answer '"\(.usage.input_total) \(.usage.output_total)"')"
sed 's/boom/nobody knows this/' one.ndjson >odd.ndjson
ok 'no fixture: 503, tried again' exits 2 llm -m openai:gpt-4o -M off -S 2 odd.ndjson
for chaos in malformed disconnect drop; do
	kill $aimock
	wait $aimock 2>/dev/null
	port=$(free_port)
	AIMOCK_API_KEYS=$secret "$peers/node_modules/.bin/llmock" -p "$port" -f fixtures.json --strict \
		--log-level warn --chaos-$chaos 1 >aimock.log 2>&1 &
	aimock=$!
	await "$port"
	ok "aimock: $chaos" exits 2 env OPENAI_BASE_URL="http://127.0.0.1:$port/v1" \
		llm-call -p severity.v1.md -m openai:gpt-4o -M off -S 2 one.ndjson
	ok 'a whole record' is 1 "$(field unclassified .reason <out | wc -l)"
done

cat >rules.yaml <<'EOF'
rules:
  - path: "/v1/chat/completions"
    match: "@"
    response:
      status: 200
      content: |
        {"id": "x", "object": "chat.completion", "model": "{{jmes request body.model}}",
         "choices": [{"index": 0, "message": {"role": "assistant", "content": "{\"severity\":\"low\"}"}, "finish_reason": "stop"}],
         "usage": {"prompt_tokens": 88, "completion_tokens": 50, "total_tokens": 92}}
  - path: "/v1/chat/completions"
    match: "contains(body.messages[-1].content, 'refuse')"
    response:
      status: 200
      content: |
        {"id": "x", "choices": [{"index": 0, "message": {"role": "assistant", "content": null, "refusal": "I will not"}, "finish_reason": "stop"}]}
  - path: "/v1/chat/completions"
    match: "contains(body.messages[-1].content, 'quota')"
    response:
      status: 429
      content: |
        {"error": {"message": "You exceeded your current quota", "type": "insufficient_quota", "param": null, "code": "insufficient_quota"}}
  - path: "/v1/chat/completions"
    match: "contains(body.messages[-1].content, 'reasoning') && body.max_tokens"
    response:
      status: 400
      content: |
        {"error": {"message": "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "type": "invalid_request_error", "param": "max_tokens", "code": "unsupported_parameter"}}
EOF
port=$(free_port)
PORT=$port "$peers/node_modules/.bin/mock-llm" --config rules.yaml >mock.log 2>&1 &
mock=$!
trap 'kill $aimock $mock; rm -rf "$tmp"' EXIT
await "$port"
OPENAI_BASE_URL=http://127.0.0.1:$port/v1
ok 'mock-llm' exits 0 llm -m openai:any -M off one.ndjson
ok 'usage that does not add up is added up' is '88 50' "$(field answer '"\(.usage.input_total) \(.usage.output_total)"' <out)"
ok 'a refusal' exits 2 sh -c "sed s/boom/refuse/ one.ndjson | llm-call -p severity.v1.md -m openai:any -M off"
ok 'is one' is refusal "$(field unclassified .reason <out)"
ok 'no money' exits 2 sh -c "sed s/boom/quota/ one.ndjson | llm-call -p severity.v1.md -m openai:any -M off"
ok 'is not tried again' has 'a limit of money is not tried again' err
ok 'another dialect' exits 0 sh -c "sed s/boom/reasoning/ one.ndjson | llm-call -p severity.v1.md -m openai:any -M off"
ok 'is learnt' is 1 "$(field span '.attributes["rcakit.dialect_resends"]' <out)"
done_testing
