#!/bin/sh
# agent-run: agents behind HTTP, of OpenAI's form, and models through llm-call.
. "$(dirname "$0")/lib.sh"
if ! perl -MIO::Socket::INET -MJSON::PP -e 1 2>/dev/null; then
	skip 'agents over HTTP' 'perl has no IO::Socket or JSON::PP'
	done_testing
	exit 0
fi
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY
export RCAKIT_AGENTS="$top/golden/agents"
is() { # WANT GOT
	[ "$1" = "$2" ] || { printf 'got  %s\nwant %s\n' "$2" "$1"; return 1; }
}
of() { jq -r "select(.type == \"$1\") | $2"; } # TYPE FILTER
mkdir served
# In a group of its own, for the children that it leaves hanging.
setsid perl "$top/t/t0910-llm-http/server.pl" served >/dev/null & faulty=$!
trap 'kill -- -$faulty ${tide-}; rm -rf "$tmp"' EXIT
serve() { # FAULTS: the tide desk, with them
	[ -z "${tide-}" ] || kill "$tide"
	rm -f tide.port
	TIDE_FAULTS=$1 perl "$RCAKIT_AGENTS/tide/server.pl" 0 >tide.port & tide=$!
	await test -s tide.port
	TIDE_PORT=$(cat tide.port)
	export TIDE_PORT
}
caught() { of judgement 'select(.pass | not).scenario' <out | xargs; }

# The tide desk: a request by a template, an answer by paths, and a name that goes to and fro.
serve ''
ok 'the desk' exits 0 sh -c 'agent-run -a tide -S -j 3 | agent-judge -g'
ok 'says so' is 'Your harbour is Brest.|High water in Brest is at 06:40, 5.9 m.' \
	"$(of transcript 'select(.scenario == "remembers") | [.turns[].reply] | join("|")' <out)"
ok 'its tools' is '{"harbour":"Brest","unit":"m"}' \
	"$(of transcript 'select(.scenario == "remembers").turns[1].tool_calls[0].arguments | tojson' <out)"
ok 'its usage' is 58 "$(of transcript 'select(.scenario == "remembers").turns[1].usage.tokens' <out)"
ok 'its cost' is 0.0002 "$(of transcript 'select(.scenario == "remembers").cost_usd' <out)"
while read -r fault scenarios; do
	serve "$fault"
	ok "$fault" exits 1 sh -c 'agent-run -a tide -S | agent-judge -g'
	ok 'is found' is "$scenarios" "$(caught)"
done <<'END'
forgets remembers
unit unit
crash remembers unit asks
broken remembers unit asks
END
ok 'the reason of the last' is 'garbage the answer is no JSON' "$(of transcript '"\(.reason) \(.error)"' <out | sort -u)"
serve ''
cat >raw.yaml <<END
id: raw
adapter:
  kind: http
  url: http://127.0.0.1:$TIDE_PORT/none/{{text}}
  body: '{"said": {{text}}}'
  reply: {text: \$.answer.words}
END
printf '%s\n' '{"type":"scenario","id":"a","turns":["\"},{\"said\":\"My harbour is Brest. ?#/../ü"]}' >hostile
sed 's|none/{{text}}|talk|' raw.yaml >raw2.yaml
ok 'a text in a template' exits 0 agent-run -a ./raw2.yaml hostile
ok 'stays a text' is 'I know the tides of Hamburg and Brest.' "$(of transcript '.turns[0].reply' <out)"
ok 'and in an address' exits 0 agent-run -a ./raw.yaml hostile
ok 'a part of a path' is 'error HTTP status 404' "$(of transcript '"\(.reason) \(.error)"' <out)"
printf 'id: whole\nadapter:\n  kind: http\n  url: http://127.0.0.1:%s/talk\n  body: {said: "{{text}}", all: "{{messages}}", n: "{{turn}}", x: "{{seed}}/{{session}}"}\n  headers: {X-Said: "{{text}}"}\n  reply: {text: "$.answer"}\n' "$TIDE_PORT" >whole.yaml
printf '%s\n' '{"type":"scenario","id":"a","turns":["hi\r\nEvil: 1"]}' >split.in
ok 'no line end in a header' exits 1 agent-run -g -a ./whole.yaml split.in
ok 'it is not sent' is 'refused a header that would hold a line end' "$(of transcript '"\(.reason) \(.error)"' <out)"
printf '%s\n' '{"type":"scenario","id":"a","turns":["hi"]}' >one
ok 'a part of the wrong kind' exits 1 agent-run -g -a ./whole.yaml one
ok 'is garbage' is 'garbage text is no text' "$(of transcript '"\(.reason) \(.error)"' <out)"
cat >reset.yaml <<END
id: reset
adapter:
  kind: http
  url: http://127.0.0.1:$TIDE_PORT/talk
  body: {conversation: '{{session}}', said: '{{text}}'}
  reply: {text: \$.answer.words}
  reset: {url: 'http://127.0.0.1:$TIDE_PORT/talk/{{session}}', method: DELETE}
END
printf '%s\n' '{"type":"scenario","id":"a","turns":["My harbour is Brest."]}' '{"type":"scenario","id":"b","turns":["When is high water?"]}' >two
sed 's/"b"/"a"/' two >same
sed '/reset:/d' reset.yaml >kept.yaml
ok 'the same session' exits 0 agent-run -a ./kept.yaml same
ok 'remembers' grep -q '"reply":"High water in Brest' out
ok 'a reset' exits 0 agent-run -a ./reset.yaml same
ok 'forgets' grep -q '"reply":"Which harbour do you mean?"' out
sed -i 's|talk/{{session}}|nothing|' reset.yaml
ok 'a reset that fails' exits 1 agent-run -g -a ./reset.yaml one
ok 'costs the trial' is 'error HTTP status 404 0' "$(of transcript '"\(.reason) \(.error) \(.turns | length)"' <out)"

# OpenAI's form, and servers that fail.
await test -s served/port
port=$(cat served/port)
key=sk-$(printf 'abc%s' defghijklmnop)
chat() { # SCENARIO [MEMBERS]
	printf 'id: chat\nturn_ms: 600\nreply_bytes: 100000\nenv: [CHAT_KEY]\nadapter:\n  kind: openai\n  url: http://127.0.0.1:%s/%s/v1\n  model: m\n  key: CHAT_KEY\n  system: You are terse.\n%s\n' "$port" "$1" "${2-}" >chat.yaml
}
export CHAT_KEY="$key"
chat good '  body: {temperature: 0, seed: "{{seed}}"}'
ok 'a chat' exits 0 agent-run -s 9 -a ./chat.yaml two
ok 'answers' is '{"severity":"low"}' "$(of transcript '.turns[0].reply' <out | head -1)"
ok 'and counts' is 40 "$(of transcript '.turns[0].usage.prompt_tokens' <out | head -1)"
tail -1 served/request.1 >body
ok 'the request' is '{"messages":[{"content":"You are terse.","role":"system"},{"content":"My harbour is Brest.","role":"user"}],"model":"m","seed":9,"temperature":0}' "$(jq -Sc . body)"
ok 'has its key' grep -q "^Authorization: Bearer $key" served/request.1
ok 'which is nowhere else' sh -c "! grep -q '$key' out err"
while read -r scenario reason error; do
	chat "$scenario"
	ok "$scenario" exits 1 agent-run -g -a ./chat.yaml one
	ok 'is told' is "$reason $error" "$(of transcript '"\(.reason) \(.error)"' <out)"
done <<'END'
always error HTTP status 503
hang timeout no answer in 600 ms
drip timeout no answer in 600 ms
huge flood an answer of more than 100000 bytes
html garbage the answer is no JSON
empty garbage the answer is no JSON
deep garbage the answer is no JSON
redirect error HTTP status 302
noise refused Unsupported protocol
END
chat latency
i=0
while [ $i -lt 8 ]; do sed "s/\"a\"/\"n$i\"/" one; i=$((i + 1)); done >eight
start=$(date +%s%N)
ok 'eight at once' exits 0 agent-run -j 8 -a ./chat.yaml eight
ms=$((($(date +%s%N) - start) / 1000000))
ok "side by side ($ms ms)" [ "$ms" -lt 1200 ]
ok 'in order' is "$(jq -r .id eight | xargs)" "$(of transcript .scenario <out | xargs)"
ok 'a variable that is not set' exits 2 env -u CHAT_KEY agent-run -a ./chat.yaml one
ok 'is named' grep -q 'env: CHAT_KEY is not set' err
bad() { # WHAT REASON MEMBERS [KIND]
	printf 'id: bad\nadapter:\n  kind: %s\n%s\n' "${4-http}" "$3" >bad.yaml
	ok "$1" exits 2 agent-run -a ./bad.yaml one
	ok 'is told' is "agent-run: ./bad.yaml: $2" "$(cat out err)"
}
bad 'no address' 'url: does not begin with http:// or https://' '  body: {}'
bad 'another scheme' 'url: does not begin with http:// or https://' '  url: file:///etc/passwd'
bad 'a place that is none' 'url: {{txt}}: nothing has that name' '  url: http://h/{{txt}}'
bad 'a variable that was not listed' 'url: {{env.HOME}}: nothing has that name, or it is not in env' '  url: http://h/{{env.HOME}}'
bad 'a bad path' "text: not a JSONPath: not a selector at byte 3" '  url: http://h
  reply: {text: "$["}'
bad 'a part that is none' 'words: not a member that agent(5) knows' '  url: http://h
  reply: {words: "$.a"}'
bad 'a header' 'headers: not a mapping of names to texts' '  url: http://h
  headers: {"a b": c}'
bad 'an empty address' 'adapter: openai needs url (up to /v1) and model' '  url: ""
  model: m' openai

# A model, through llm-call; a program stands for it.
cat >model <<'END'
#!/bin/sh
jq -c '{text: ([.. | strings | select(test("BEGIN .input"))] | last | [scan("\"role\"")] | length | "I heard \(.) lines"),
	finish: "stop", usage: {input_tokens: 3, output_tokens: 4}}'
END
chmod +x model
printf -- '---\nname: bot\nversion: 1\nmodel: exec:./model\nmax_output_tokens: 100\n---\nYou are a bot.\n' >bot.v1.md
printf 'id: model\nadapter: {kind: llm-call, prompt: bot.v1.md, mode: "off"}\n' >model.yaml
printf '%s\n' '{"type":"scenario","id":"a","turns":["one","two"]}' >talk.in
ok 'a model' exits 0 agent-run -a ./model.yaml talk.in
ok 'hears all that was said' is 'I heard 1 lines|I heard 3 lines' "$(of transcript '[.turns[].reply] | join("|")' <out)"
ok 'and is counted' is 4 "$(of transcript '.turns[1].usage.output_total' <out)"
sed -i 's/mode: "off"/mode: auto, cassettes: tapes/' model.yaml
ok 'recorded' exits 0 agent-run -k 2 -a ./model.yaml talk.in
rm model
ok 'it is not asked again' exits 0 agent-run -g -k 2 -a ./model.yaml talk.in
printf 'id: model\nadapter: {kind: llm-call, prompt: bot.v1.md, cassettes: none}\n' >model.yaml
ok 'nothing recorded' exits 1 agent-run -g -a ./model.yaml talk.in
ok 'is an error' is 'error replay-miss' "$(of transcript '"\(.reason) \(.error | split(":")[0])"' <out)"
printf 'id: model\nadapter: {kind: llm-call, prompt: none.md}\n' >model.yaml
ok 'no prompt' exits 1 agent-run -g -a ./model.yaml talk.in
ok 'is a crash, with what was said' grep -q '"error":"exit status 2: llm-call: none.md: No such file' out

# rca is an agent too.
ok 'rca' exits 0 sh -c 'agent-run -a rca -S -j 2 | agent-judge -g'
ok 'in five scenarios' is 5 "$(of judgement .pass <out | grep -c true)"
done_testing
