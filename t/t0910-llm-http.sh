#!/bin/sh
# llm-call over HTTP: three providers, their forms, keys, and many at once.
. "$(dirname "$0")/lib.sh"
. "$top/t/t0910-llm-http/common.sh"

# What each provider gets, and how its answer is read.
for model in openai:m anthropic:c gemini:g; do
	ok "$model" exits 0 at good -m $model -c live -M record one.ndjson
	ok 'the answer' is '{"severity":"low"}' "$(field answer '.output | tojson' <out)"
	ok 'usage in one form' is '40 10 7' \
		"$(field answer '"\(.usage.input_total) \(.usage.input_cached_read // 10) \(.usage.output_total)"' <out)"
	ok 'live' is 'live recorded' "$(field answer '"\(.provenance) \(.cassette)"' <out)"
	ok 'the key is in its header' sh -c "grep -qi '^\(authorization: bearer\|x-api-key:\|x-goog-api-key:\) $secret' served/request.$(wc -l <served/log)"
	cp out recorded
	ok 'replayed' exits 0 at good -m $model -c live -M replay one.ndjson
	ok 'the same answer' is "$(field answer '[.output, .usage, .text, .model] | tojson' <recorded)" \
		"$(field answer '[.output, .usage, .text, .model] | tojson' <out)"
	ok 'recorded it says' is 'recorded hit' "$(field answer '"\(.provenance) \(.cassette)"' <out)"
done
ok 'three requests in all' is 3 "$(asked good)"
ok 'no key in a cassette' sh -c "! grep -rq '$secret' live"
ok 'auto pays only for what is missing' exits 0 at good -c live -M auto two.ndjson
ok 'that is one' is 4 "$(asked good)"
at good -m openai:m one.ndjson >/dev/null; last | tail -1 >body
ok 'openai: the schema in its strict form' is 'true ["because","severity"] ["string","null"]' \
	"$(jq -r '.response_format.json_schema | "\(.strict) \(.schema.required | tojson) \(.schema.properties.because.type | tojson)"' body)"
ok 'and its limits in words' is '(minLength: 3)' "$(jq -r .response_format.json_schema.schema.properties.because.description body)"
ok 'the cap under the old name' is 300 "$(jq .max_tokens body)"
at good -m anthropic:c one.ndjson >/dev/null; last >body
ok 'anthropic: a version' has 'anthropic-version: 2026-10-21' body
ok 'and a format' is 'json_schema ["severity"]' "$(tail -1 body | jq -r '.output_config.format | "\(.type) \(.schema.required | tojson)"')"
at good -m gemini:models/g one.ndjson >/dev/null; last >body
ok 'gemini: the model in the address' has '/v1beta/models/models%2Fg:generateContent ' body
ok 'no key in the address' sh -c '! head -1 body | grep -q key='
ok 'and a schema' is 'application/json 300' \
	"$(tail -1 body | jq -r '.generationConfig | "\(.responseMimeType) \(.maxOutputTokens)"')"
ok 'the correction goes out as the model' exits 0 at twice -m gemini:g one.ndjson
ok 'of three turns' is 'user model user' "$(last | tail -1 | jq -r '[.contents[].role] | join(" ")')"
ok 'own headers' exits 0 env OPENAI_ORG_ID=org-1 OPENAI_PROJECT_ID=proj-1 OPENAI_BASE_URL="http://127.0.0.1:$port/org/v1/" \
	llm-call -p severity.v1.md -m openai:m -M off one.ndjson
last >body
ok 'are sent, without a key' is '2 0' "$(grep -ci '^openai-\(organization: org-1\|project: proj-1\)' body) $(grep -ci '^authorization' body)"
ok 'no key for the real thing' exits 2 env -u OPENAI_API_KEY llm-call -p severity.v1.md -m openai:m -M off one.ndjson
ok 'is said with its name' is 'no-key no key: set OPENAI_API_KEY' "$(field unclassified '"\(.reason) \(.message)"' <out)"

printf '#!/bin/sh\nenv | grep -q sk-abc && exit 2\nexit 0\n' >nosy && chmod +x nosy
ok 'a check gets no key' exits 0 at good -V ./nosy one.ndjson
ok 'a token is a bearer' exits 0 env ANTHROPIC_BASE_URL="http://127.0.0.1:$port/good" ANTHROPIC_AUTH_TOKEN="$secret" \
	llm-call -p severity.v1.md -m anthropic:c -M off one.ndjson
last >body
ok 'and not a key' is '1 0' "$(grep -ci '^authorization: bearer sk-' body) $(grep -ci '^x-api-key' body)"

# How an answer can end.
for model in openai:m anthropic:c gemini:g; do
	ok "$model: filtered" exits 2 at filter -m $model one.ndjson
	ok 'is a refusal' is refusal "$(field unclassified .reason <out)"
	ok "$model: cut" exits 2 at length -m $model one.ndjson
	ok 'is truncated' is truncated "$(field unclassified .reason <out)"
done
ok 'neither is asked again' is '3 3' "$(asked filter) $(asked length)"
ok 'nobody counted' exits 0 at uncounted one.ndjson
ok 'an estimate says so' is true "$(field answer .usage.estimated <out)"

# Many at once, in order.
i=0
while [ $i -lt 16 ]; do
	sed "s/\"one\"/\"n$i\"/;s/boom/boom$i/" one.ndjson
	i=$((i + 1))
done >many.ndjson
start=$(date +%s%N)
ok 'sixteen, eight at once' exits 0 at latency -j 8 many.ndjson
ms=$((($(date +%s%N) - start) / 1000000))
ok "in order" is "$(jq -r 'select(.type == "trace").name' many.ndjson | xargs)" "$(field answer .name <out | xargs)"
ok "faster than one by one ($ms ms)" [ "$ms" -lt 1600 ]
ok 'one bad among them' exits 2 sh -c "sed 's/n7/n7\"} {\"/' many.ndjson | head -20 >bad.ndjson; OPENAI_BASE_URL=http://127.0.0.1:$port/good/v1 llm-call -p severity.v1.md -m openai:m -M off -j 3 bad.ndjson"

# A run that is interrupted leaves whole records, and goes on where it was.
env OPENAI_BASE_URL="http://127.0.0.1:$port/latency/v1" \
	llm-call -p severity.v1.md -m openai:m -c partial -M auto many.ndjson >part &
sleep 0.7
kill -INT $!
got=0; wait $! || got=$?
ok 'interrupted' is 130 "$got"
ok 'whole records' jq -e . part
done=$(field answer .name <part | wc -l)
ok "some of them ($done)" [ "$done" -gt 0 ]
ok 'as many cassettes' [ "$(find partial -name '*.json' | wc -l)" -ge "$done" ]
before=$(asked latency) kept=$(find partial -name '*.json' | wc -l)
ok 'started again' exits 0 env OPENAI_BASE_URL="http://127.0.0.1:$port/latency/v1" \
	llm-call -p severity.v1.md -m openai:m -c partial -M auto -j 8 many.ndjson
ok 'pays for the rest' is $((16 - kept)) $(($(asked latency) - before))
done_testing
