#!/bin/sh
# llm-call and servers that stumble: what is tried again, what is not, and what is said.
. "$(dirname "$0")/lib.sh"
. "$top/t/t0910-llm-http/common.sh"

# Faults: what is tried again, how often, and what it says.
tries() { # COUNT STATUS SCENARIO ARGUMENT...
	ok "$3: status $2" exits "$2" at "$3" "$4" "$5" one.ndjson
	ok "$3: asked $1 times" is "$1" "$(asked "$3")"
}
tries 2 0 again -m openai:m
tries 5 2 always -m openai:m
ok 'why' has 'HTTP status 503 (unavailable_error): Loading model; tries: 5' err
tries 2 0 rate -m openai:m
# shellcheck disable=SC2016 # perl
ok 'Retry-After is honoured' perl -e 'my @t = map { /^rate (.*)/ } <>; exit !($t[1] - $t[0] >= 0.3 && $t[1] - $t[0] < 9)' served/log
tries 2 0 retryinfo -m gemini:g
# shellcheck disable=SC2016 # perl
ok 'and retryDelay' perl -e 'my @t = map { /^retryinfo (.*)/ } <>; exit !($t[1] - $t[0] >= 0.2 && $t[1] - $t[0] < 9)' served/log
tries 1 2 patience -m openai:m
ok 'too much patience' has 'asks for 3600 seconds' err
tries 1 2 money -m openai:m
ok 'money' has '(credit_balance_exhausted): You exceeded; a limit of money' err
tries 1 2 spend -m anthropic:c
tries 2 0 overloaded -m anthropic:c
tries 2 0 dialect -m openai:m
ok 'the twin' is 'null 300' "$(last | tail -1 | jq -r '"\(.max_tokens) \(.max_completion_tokens)"')"
ok 'is remembered' exits 0 at dialect -k 3 one.ndjson
ok 'and counted' is 6 "$(asked dialect)"
ok 'in the span' is '1 0 0' "$(field span '.attributes["rcakit.dialect_resends"]' <out | xargs)"
tries 2 0 mistral -m openai:m
ok 'the parameter left out' is null "$(last | tail -1 | jq .response_format)"
tries 1 2 bad -m openai:m
tries 1 2 should -m openai:m
tries 2 0 shouldtrue -m openai:m
tries 1 2 key -m openai:m
ok 'the key is quoted nowhere' sh -c "! grep -q '$secret' out err"
tries 2 0 cut -m openai:m
tries 2 0 garbage -m openai:m
tries 2 0 nothing -m openai:m
tries 1 2 huge -m openai:m
ok 'bounded' has 'longer than 16 MiB' err
tries 1 2 headers -m openai:m
tries 1 2 html -m openai:m
tries 1 2 empty -m openai:m
tries 1 2 deep -m openai:m
tries 1 0 plain -m openai:m
tries 1 2 redirect -m openai:m
ok 'redirects are not followed' is 0 "$(asked ok)"
ok 'bytes that are no UTF-8' exits 0 at bytes -c live -M record one.ndjson
ok 'in a cassette' exits 0 at bytes -c live -M replay one.ndjson
ok 'a server that echoes the key' exits 0 at echo -c echo -M record one.ndjson
ok 'a cassette without it' sh -c "! grep -rq '$secret' echo && grep -rq '\[key\]' echo"
ok 'nobody there' exits 2 env OPENAI_BASE_URL=http://127.0.0.1:1/v1 llm-call -p severity.v1.md -S 1 -m openai:m -M off one.ndjson
ok 'the time is up' is budget "$(field unclassified .reason <out)"
ok 'another protocol' exits 2 env OPENAI_BASE_URL=file:///etc llm-call -p severity.v1.md -m openai:m -M off one.ndjson
sed 's/^- provider: openai$/&\n  timeout_s: 0.3\n  tries: 1/' "$top/lib/quirks.yaml" >impatient.yaml
ok 'a server that hangs' exits 2 at hang -q impatient.yaml one.ndjson
ok 'a server that drips' exits 2 at drip -q impatient.yaml one.ndjson
done_testing
