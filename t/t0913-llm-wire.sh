#!/bin/sh
# llm-call: the Responses dialect, headers of one's own, prices of tiers, who called, and children that do not outlive it.
. "$(dirname "$0")/lib.sh"
. "$top/t/t0910-llm-http/common.sh"

# Responses. Which models want it is a rule; here all do.
printf '%s\n' '- provider: openai' '  api: responses' >api.yaml
res() { scenario=$1; shift; at "$scenario" -q api.yaml "$@"; }
ok 'a response' exits 0 res good -M record -c live one.ndjson
ok 'is read' is '{"severity":"low"}' "$(field answer '.output | tojson' <out)"
ok 'its usage in normal form' is '40 10 7 2' \
	"$(field answer '.usage | "\(.input_total) \(.input_cached_read) \(.output_total) \(.output_reasoning)"' <out)"
ok 'the end in the span' is completed "$(field span '.attributes["gen_ai.response.finish_reasons"][0]' <out | tail -1)"
last >body; tail -1 body >json
ok 'asked at its own address' has "POST /good/v1/responses " body
ok 'instructions and input' is 'user ["input","instructions","max_output_tokens","model","store","text"] 300 false' \
	"$(jq -r '"\(.input[0].role) \(keys | tojson) \(.max_output_tokens) \(.store)"' json)"
ok 'the schema, flat and strict' is 'json_schema answer true ["because","severity"]' \
	"$(jq -r '.text.format | "\(.type) \(.name) \(.strict) \(.schema.required | tojson)"' json)"
cp out recorded
ok 'replayed, without the rule' exits 0 at none -c live -M replay one.ndjson
ok 'the same answer' is "$(field answer '[.output, .usage, .text] | tojson' <recorded)" "$(field answer '[.output, .usage, .text] | tojson' <out)"
ok 'a correction' exits 0 res twice one.ndjson
ok 'is a turn of three' is 'user assistant user' "$(last | tail -1 | jq -r '[.input[].role] | join(" ")')"
for end in length:truncated filter:refusal declined:refusal failed:error; do
	ok "$end" exits 2 res "${end%:*}" one.ndjson
	ok 'is the reason' is "${end#*:}" "$(field unclassified .reason <out)"
done
sed 's/^model:.*/&\neffort: low/' severity.v1.md >effort.md
ok 'effort' exits 0 env OPENAI_BASE_URL="http://127.0.0.1:$port/good/v1" llm-call -p effort.md -q api.yaml -M off -m openai:m one.ndjson
ok 'is one of reasoning' is low "$(last | tail -1 | jq -r .reasoning.effort)"
ok 'a parameter that it does not know' exits 0 env OPENAI_BASE_URL="http://127.0.0.1:$port/good/v1" llm-call -p severity.v1.md -n -m openai:o9-pro one.ndjson
ok 'at another address is chat' has /chat/completions out
for model in o3-pro gpt-5-pro-2025-10-06 codex-mini-latest o4-mini-deep-research; do
	ok "$model at OpenAI" exits 0 env -u OPENAI_BASE_URL llm-call -p severity.v1.md -n -m "openai:$model" one.ndjson
	ok 'is asked by responses' is https://api.openai.com/v1/responses "$(jq -r .url out)"
done
ok 'others' exits 0 env -u OPENAI_BASE_URL llm-call -p severity.v1.md -n -m openai:gpt-6.1-sol one.ndjson
ok 'by chat' is https://api.openai.com/v1/chat/completions "$(jq -r .url out)"

# Prices: a tier has a factor, and what is kept for an hour a price of its own.
printf '%s\n' '- {provider: openai, model: m, input: 1, output: 2, cached_read: 0.5, tiers: {flex: 0.5}}' >prices.yaml
res good -P prices.yaml one.ndjson >out 2>err
ok 'half the price' is 0.0000245 "$(field span '.attributes["rcakit.cost_usd"] * 10000000 | round | tostring | "0.0000\(.)"' <out | tail -1)"
sed -i 's/flex/fast/' prices.yaml
res good -P prices.yaml one.ndjson >out 2>err
ok 'a tier without a factor is unknown' is null "$(field span '.attributes["rcakit.cost_usd"]' <out | tail -1)"
for q in -q -P; do
	ok "no such table: $q" exits 2 at good $q none.yaml one.ndjson
	ok 'is told in a line' is 1 "$(wc -l <err)"
	echo 'a: {' >bad.yaml
	ok "a bad one: $q" exits 2 at good $q bad.yaml one.ndjson
done
mkdir -p alone/bin && cp "$build/bin/llm-call" alone/bin
ok 'a program without its tables' exits 2 alone/bin/llm-call -p severity.v1.md -M off one.ndjson
ok 'says which' is 'llm-call: lib/quirks.yaml: not found beside the program' "$(cat err)"

# Headers of one's own, as secret as a key.
custom=$(printf 'x-gateway: gate-%s\nX-Team: e2e\nnone' 1234567890)
ok 'own headers' exits 0 env ANTHROPIC_CUSTOM_HEADERS="$custom" ANTHROPIC_BASE_URL="http://127.0.0.1:$port/good" ANTHROPIC_API_KEY="$secret" \
	llm-call -p severity.v1.md -m anthropic:c -M record -c own one.ndjson
last >body
ok 'are sent' is 2 "$(grep -ciE '^(x-gateway: gate-1234567890|x-team: e2e)' body)"
ok 'and kept nowhere' sh -c '! grep -rq "gate-123" own out err'
ok 'nor printed' exits 0 env ANTHROPIC_CUSTOM_HEADERS="$custom" llm-call -p severity.v1.md -n -m anthropic:c one.ndjson
ok 'but masked' sh -c 'grep -q "x-gateway: \[key\]" out && ! grep -q gate-123 out'

# Who called.
trace=4bf92f3577b34da6a3ce929d0e0e4736
parent() { TRACEPARENT=$1 at good -T spans one.ndjson >/dev/null; tail -1 spans | jq -r '.resourceSpans[0].scopeSpans[0].spans[0] | "\(.traceId) \(.parentSpanId)"'; }
ok 'a span has its parent' is "$trace 00f067aa0ba902b7" "$(parent 00-$trace-00f067aa0ba902b7-01)"
for bad in '' 00-$trace 00-00000000000000000000000000000000-00f067aa0ba902b7-01 ff-$trace-00f067aa0ba902b7-01 00-$trace-00F067AA0BA902B7-01; do
	ok "none: $bad" sh -c 'case $1 in 4bf92f35*) exit 1 ;; *\ null) ;; *) exit 1 ;; esac' sh "$(parent "$bad")"
done

# Nothing outlives it.
cat >sleeper <<'END'
#!/bin/sh
# Answers about the first at once, when the second sleeps.
if [ "$(jq -r .name)" = two ]; then
	sleep 600 & echo $! >pid.new; mv pid.new pid; wait
fi
while [ ! -s pid ]; do sleep 0.02; done
echo '{"output":{"severity":"low"}}'
END
chmod +x sleeper
gone() { # the sleep is no more, or will soon be
	i=0
	while kill -0 "$(cat pid)" 2>/dev/null; do
		i=$((i + 1)); [ $i -lt 100 ] || return 1; sleep 0.05
	done
}
run() { rm -f pid; llm-call -p severity.v1.md -m exec:./sleeper -M off -j 2 two.ndjson; }
ok 'a full disk' exits 2 sh -c 'rm -f pid; llm-call -p severity.v1.md -m exec:./sleeper -M off -j 2 two.ndjson >/dev/full'
ok 'ends them' gone
run 2>err | true
ok 'a closed pipe ends them' gone
ok 'in silence' test ! -s err
for signal in TERM HUP INT; do
	rm -f pid
	llm-call -p severity.v1.md -m exec:./sleeper -M off -j 2 two.ndjson >out 2>err &
	await test -s pid
	kill -$signal $!; wait $! 2>/dev/null
	ok "SIG$signal" gone
done
rm -f pid
echo '{"output":{"severity":"low"}}' >answer.json
printf '#!/bin/sh\nsleep 600 & echo $! >pid.new; mv pid.new pid; wait\n' >check; chmod +x check
llm-call -p severity.v1.md -m 'exec:cat answer.json' -M off -V ./check one.ndjson >out 2>err &
await test -s pid
kill -TERM $!; wait $! 2>/dev/null
ok 'a check' gone

ok 'no such folder' exits 2 llm-call -p severity.v1.md -m authored -c nofolder one.ndjson
ok 'is told' is 'llm-call: -c nofolder: No such file or directory' "$(head -1 err)"
done_testing
