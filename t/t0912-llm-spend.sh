#!/bin/sh
# llm-call: budgets, the ledger that runs share, prices, spans, and TLS.
. "$(dirname "$0")/lib.sh"
. "$top/t/t0910-llm-http/common.sh"

# A span has what the conventions name, and no text.
ok 'spans to a file' exits 0 at good -T spans -m anthropic:claude-opus-5-5 -c live -M record one.ndjson
ok 'a line of OTLP' is 'chat claude-opus-5-5 3 rcakit' \
	"$(jq -r '.resourceSpans[0] | .scopeSpans[0].spans[0] as $s | "\($s.name) \($s.kind) \(.resource.attributes[0].value.stringValue)"' spans)"
cat >attributes <<'EOF'
gen_ai.operation.name {"stringValue":"chat"}
gen_ai.output.type {"stringValue":"json"}
gen_ai.provider.name {"stringValue":"anthropic"}
gen_ai.request.max_tokens {"intValue":"300"}
gen_ai.request.model {"stringValue":"claude-opus-5-5"}
gen_ai.response.finish_reasons {"arrayValue":{"values":[{"stringValue":"end_turn"}]}}
gen_ai.response.id {"stringValue":"msg_1"}
gen_ai.response.model {"stringValue":"c-2026"}
gen_ai.usage.cache_read.input_tokens {"intValue":"10"}
gen_ai.usage.input_tokens {"intValue":"40"}
gen_ai.usage.output_tokens {"intValue":"7"}
rcakit.attempts {"intValue":"1"}
rcakit.cassette {"stringValue":"recorded"}
rcakit.cost_usd {"doubleValue":0.000262}
rcakit.dialect_resends {"intValue":"0"}
rcakit.epoch {"intValue":"0"}
rcakit.name {"stringValue":"one"}
rcakit.prompt {"stringValue":"severity.v1"}
rcakit.provenance {"stringValue":"live"}
rcakit.schema_violations {"intValue":"0"}
server.address {"stringValue":"127.0.0.1"}
EOF
# 30 tokens at 4, 10 read at 0.20, 7 out at 20 dollars a million are 0.000262.
ok 'attributes' sh -c "jq -r '.resourceSpans[0].scopeSpans[0].spans[0].attributes[] | select(.key != \"server.port\") | \"\(.key) \(.value | tojson)\"' spans | diff -u attributes -"
ok 'ids and times' jq -e '.resourceSpans[0].scopeSpans[0].spans[0] | (.traceId | test("^[0-9a-f]{32}$")) and (.spanId | test("^[0-9a-f]{16}$")) and (.startTimeUnixNano | test("^1[0-9]{18}$")) and (.startTimeUnixNano <= .endTimeUnixNano)' spans
ok 'no text' sh -c '! grep -q boom spans'
ok 'the record in the stream' is '0.000262' "$(field span '.attributes["rcakit.cost_usd"]' <out)"
ok 'has a duration' is true "$(field span '.duration_ms > 0' <out)"
ok 'replayed' exits 0 at good -m anthropic:claude-opus-5-5 -c live -M replay one.ndjson
ok 'has none, but the cost' is 'null 0.000262 hit' \
	"$(field span '"\(.duration_ms) \(.attributes["rcakit.cost_usd"]) \(.attributes["rcakit.cassette"])"' <out)"
ok 'an unknown price is none' is null "$(at good one.ndjson | field span '.attributes["rcakit.cost_usd"]')"
ok 'an error is one' sh -c "rm spans; ! OPENAI_BASE_URL=http://127.0.0.1:$port/bad/v1 llm-call -p severity.v1.md -m openai:m -M off -T spans one.ndjson"
ok 'in the status' is '2 400' "$(jq -r '.resourceSpans[0].scopeSpans[0].spans[0] | "\(.status.code) \(.attributes[] | select(.key == "error.type").value.stringValue)"' spans)"
ok 'to a collector' exits 0 env OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:$port/collector" \
	OTEL_EXPORTER_OTLP_HEADERS=x-tenant=seven,odd,y-z=1 OPENAI_BASE_URL="http://127.0.0.1:$port/good/v1" llm-call -p severity.v1.md -m openai:m -M off -k 70 -j 8 one.ndjson
ok 'in batches' is 2 "$(asked collector)"
ok 'to its address' is 'POST /collector/v1/traces' "$(last | head -1 | cut -d ' ' -f 1,2)"
ok 'with its headers' is 2 "$(last | grep -c '^x-tenant: seven\|^y-z: 1')"
batches() { grep -l '^POST /collector' served/request.* | while read -r f; do tail -1 "$f" | jq '.resourceSpans[0].scopeSpans[0].spans | length'; done | sort -n | xargs; }
ok 'all of them' is '6 64' "$(batches)" # the smaller one may be there first
ok 'a collector that is down' exits 0 env OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1 \
	OPENAI_BASE_URL="http://127.0.0.1:$port/good/v1" llm-call -p severity.v1.md -m openai:m -M off one.ndjson
ok 'is a line' has 'spans are lost' err

# Tokens: the bound is the bytes of the body and the longest answer.
before=$(asked good)
ok 'too few' exits 2 at good -B 300 one.ndjson
ok 'not sent' is "budget $before" "$(field unclassified .reason <out) $(asked good)"
ok 'counted' has 'not sent for the budget: 1' err
bytes=$(last | tail -1 | wc -c)
ok 'one fits' exits 2 at good -B $((bytes + 320)) -k 2 one.ndjson
ok 'and the next does not' is '1 1' "$(grep -c '"type":"answer"' out) $(grep -c '"reason":"budget"' out)"
ok 'why' has 'epoch 1: budget: 47 of ' err
ok 'a failure costs nothing' exits 2 at bad -B 2000 -k 4 one.ndjson
ok 'so all were asked' is 5 "$(asked bad)"

# Dollars.
ok 'an unknown price' exits 2 at good -C 5 one.ndjson
ok 'is refused' has '-C: the price of openai:m is unknown' err
ok 'a dear model' exits 2 at good -m anthropic:claude-opus-5-5 -C 0.001 one.ndjson
ok 'is not asked' has '0.0000 of 0.0010 dollars used' err
ok 'a dated name' exits 0 at good -m anthropic:claude-opus-5-5-20261001 -C 1 one.ndjson
ok 'a sister' exits 2 at good -m anthropic:claude-opus-5-5-mini -C 1 one.ndjson
printf '%s\n' '- {provider: openai, model: m, input: 1000, output: 1000, to: "2000-01-01"}' \
	'- {provider: openai, model: m, input: 1, output: 2, from: "2000-01-02", cached_read: 1}' >prices.yaml
ok 'prices of your own' exits 0 at good -P prices.yaml -C 1 one.ndjson
ok 'of the day' is true "$(field span '.attributes["rcakit.cost_usd"] == 0.000054' <out)"

# One ledger for eight runs at once: never past the limit.
limit=$((5 * (bytes + 300)))
for i in 1 2 3 4 5 6 7 8; do
	at latency -B $limit -l ledger -k 5 -j 3 one.ndjson >"out.$i" 2>/dev/null &
	pids="${pids:-} $!"
done
# shellcheck disable=SC2086 # a list
wait $pids || :
cat out.? >out
answers=$(grep -c '"type":"answer"' out)
ok "some were allowed ($answers)" [ "$answers" -gt 5 ]
used=$(jq -s 'map(.tokens) | add' ledger)
ok "what is used ($used) is what was counted" is $((answers * 47)) "$used"
ok 'at no time past the limit' is 0 \
	"$(jq -n --argjson limit $limit '[foreach inputs as $e (0; . + $e.tokens; select(. > $limit))] | length' ledger)"
ok 'all or unclassified' is 40 $((answers + $(grep -c '"reason":"budget"' out)))
ok 'under the name of the prompt' is '["severity.v1"]' "$(jq -cs 'map(.prompt) | unique' <ledger)"
printf '{"reserve":1,"tok' >>ledger
ok 'a torn line' exits 0 at good -B 100000 -l ledger one.ndjson
ok 'is ended' is '{"reserve":1,"tok' "$(grep -v '}$' ledger)"
at hang -B 5000 -l killed one.ndjson >/dev/null 2>&1 &
await test -s killed
kill -9 $!
wait $! 2>/dev/null || :
ok 'what a killed run reserved' exits 2 at good -B $((bytes + 400)) -l killed one.ndjson
ok 'counts as spent' has 'tokens used' err
ok 'seconds' exits 2 at latency -S 1 -k 40 one.ndjson
ok 'end the run' is true "$(jq -s '[.[] | select(.type == "answer")] | length > 0 and length < 6' out)"

# TLS: an authority of our own, trusted when it is named.
if ! command -v openssl >/dev/null; then
	skip 'TLS' 'no openssl'
	done_testing
	exit 0
fi
{
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem
	openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost -keyout tls.key -out tls.csr
	printf 'subjectAltName=DNS:localhost\n' >san
	openssl x509 -req -in tls.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile san -out tls.pem
} >/dev/null 2>&1
mkdir -p www/v1
printf '{"choices":[{"message":{"content":"{\\"severity\\":\\"low\\"}"},"finish_reason":"stop"}]}' >www/answer
tls=$(perl -MIO::Socket::INET -e 'print IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => 1)->sockport')
(
	cd www || exit
	printf 'HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n' >v1/head
	cat v1/head answer >v1/reply
	# One answer for each connection, whatever was asked.
	trap 'kill $one; exit' TERM
	while :; do
		openssl s_server -accept "127.0.0.1:$tls" -cert ../tls.pem -key ../tls.key -quiet -naccept 1 <v1/reply &
		one=$!
		wait $one
	done
) >/dev/null 2>&1 &
tls_server=$!
trap 'kill $server $tls_server; rm -rf "$tmp"' EXIT
tls_at() { env OPENAI_BASE_URL="https://$1:$tls/v1" SSL_CERT_FILE="$2" llm-call -p severity.v1.md -m openai:m -M off one.ndjson; }
await sh -c "openssl s_client -connect 127.0.0.1:$tls </dev/null >/dev/null 2>&1"
sleep 0.3
ok 'a certificate that does not hold' exits 2 tls_at localhost ''
# Where the machine has no authorities at all, curl says that instead.
ok 'is not tried again' grep -Eq 'error: (SSL peer certificate|Problem with the SSL CA cert)' err
sleep 0.3
ok 'a name that does not hold' exits 2 tls_at 127.0.0.1 ca.pem
sleep 0.3
ok 'an authority that is named' exits 0 tls_at localhost ca.pem
done_testing
