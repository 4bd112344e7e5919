#!/bin/sh
# agent-run: conversations with programs, in order, whatever the programs do.
. "$(dirname "$0")/lib.sh"
unset RCAKIT_AGENTS
is() { # WANT GOT
	[ "$1" = "$2" ] || { printf 'got  %s\nwant %s\n' "$2" "$1"; return 1; }
}
of() { jq -r "select(.type == \"$1\") | $2"; } # TYPE FILTER
agent() { # NAME COMMAND [MEMBERS]: an agent that is a shell command
	{
		printf 'id: %s\nturn_ms: %d\nadapter:\n  kind: command\n  argv: [sh, -c, "%s"]\n' "$1" "${turn_ms-20000}" \
			"$(printf %s "$2" | sed 's/[\\"]/\\&/g')"
		printf '%s\n' "${3-}"
	} >"$1.yaml"
}
scenarios() { # COUNT
	jq -cn "range($1) | {type: \"scenario\", id: \"s\(.)\", turns: [\"hi \(.)\", \"and?\"]}"
}
scenarios 1 >one
printf '{"type":"scenario","id":"a","turns":["hi",{"user":"and?"}]}\n{"type":"run", "n":1.0}\n' >two

# What goes in, what comes out.
agent mirror 'while read -r l; do jq -cn --argjson l "$l" "{text: (\$l | tojson)}"; done'
ok 'a conversation' exits 0 agent-run -a mirror.yaml -s 7 two
ok 'the scenario and what else there was pass' is "$(cat two)" "$(sed 2d out)"
ok 'a turn on the wire' is '{"messages":[{"content":"hi","role":"user"}],"seed":7,"text":"hi","turn":1,"type":"turn"}' \
	"$(of transcript '.turns[0].reply | fromjson | del(.session) | tojson' <out)"
ok 'the next has the whole history' is 'user assistant user and?' \
	"$(of transcript '.turns[1].reply | fromjson | "\([.messages[].role] | join(" ")) \(.text)"' <out)"
ok 'the session is the transcript'\''s' is true "$(of transcript '.session == (.turns[0].reply | fromjson | .session)' <out)"
session=$(of transcript .session <out)
ok 'again' exits 0 agent-run -a mirror.yaml -s 7 two
ok 'is the same session' is "$session" "$(of transcript .session <out)"
ok 'trials' exits 0 agent-run -a mirror.yaml -k 3 one
ok 'have numbers and seeds' is '1 1,2 2,3 3' "$(of transcript '"\(.trial) \(.seed)"' <out | paste -sd, -)"
ok 'and sessions of their own' is 3 "$(of transcript .session <out | sort -u | wc -l | tr -d ' ')"
ok 'latencies are there' is true "$(of transcript 'all(.turns[]; .latency_ms > 0) and (has("error") | not)' <out | head -1)"

agent calls 'while read -r l; do echo "{\"text\":\"ok\",\"tool_calls\":[{\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"x\\\":1}\"}},{\"name\":\"g\",\"args\":{\"y\":2}},{\"name\":\"h\"}],\"usage\":{\"n\":3},\"cost_usd\":0.25}"; done'
ok 'tools and money' exits 0 agent-run -a calls.yaml one
ok 'calls have one form' is '[{"arguments":{"x":1},"name":"f"},{"arguments":{"y":2},"name":"g"},{"arguments":{},"name":"h"}]' \
	"$(of transcript '.turns[0].tool_calls | tojson' <out)"
ok 'costs add up' is 0.5 "$(of transcript .cost_usd <out)"
ok 'usage is kept' is 3 "$(of transcript '.turns[1].usage.n' <out)"

# Lives.
agent upper 'tr a-z A-Z' '  life: turn
  input: text'
sed -i 's/argv: .*/argv: [tr, a-z, A-Z]/' upper.yaml
ok 'a process a turn' exits 0 agent-run -a upper.yaml one
ok 'all that it says' is 'HI 0|AND?' "$(of transcript '[.turns[].reply] | join("|")' <out)"
printf 'id: args\nadapter:\n  kind: command\n  argv: [printf, "%%s,", "{{text}}", "{{ turn }}", "a{{seed}}z", "{{other}}x{{", "$(id)"]\n  life: turn\n' >args.yaml
sed -i 's/{{other}}x//' args.yaml
ok 'places in arguments, and no shell' exits 0 agent-run -a args.yaml one
ok 'each is a word' is 'hi 0,1,a1z,{{,$(id),' "$(of transcript '.turns[0].reply' <out)"
agent kept 'n=0; while read -r l; do case $l in *reset*) n=0; echo "{\"ok\":true}" ;; *) n=$((n + 1)); echo "$$ $n" ;; esac; done' '  life: run'
scenarios 6 >six
ok 'a process for all' exits 0 agent-run -a kept.yaml six
ok 'is one process' is 1 "$(of transcript '.turns[].reply | split(" ")[0]' <out | sort -u | wc -l | tr -d ' ')"
ok 'and forgets when told' is '1 2' "$(of transcript '.turns[].reply | split(" ")[1]' <out | sort -u | xargs)"
ok 'two processes for two jobs' exits 0 agent-run -j 2 -a kept.yaml six
ok 'at most' is true "$([ "$(of transcript '.turns[].reply | split(" ")[0]' <out | sort -u | wc -l)" -le 2 ] && echo true)"

# Side by side, in order.
agent slow 'while read -r l; do sleep 0.1; echo "$l"; done'
scenarios 10 >ten
start=$(date +%s%N)
ok 'ten of two turns, ten at once' exits 0 agent-run -j 10 -a slow.yaml ten
ms=$((($(date +%s%N) - start) / 1000000))
ok "side by side ($ms ms)" [ "$ms" -lt 1500 ]
ok 'in order' is "$(seq -s ' ' 0 9 | sed 's/\([0-9]\)/s\1/g')" "$(of transcript .scenario <out | xargs)"

# What costs a trial, and only that.
fails() { # REASON ERROR COMMAND
	agent bad "$3" "${4-}"
	ok "$1" exits 1 agent-run -g -a bad.yaml one
	ok 'is said' is "$1|$2" "$(of transcript '"\(.reason)|\(.error)"' <out)"
}
fails crash 'exit status 3: boom' 'echo boom >&2; exit 3'
ok 'with standard error' is boom "$(of transcript .stderr <out)"
fails crash 'killed by signal 11' 'kill -11 $$'
fails crash 'exit status 0' 'exit 0'
fails crash 'it closed its output' 'exec >&-; sleep 5'
fails crash 'exit status 4' 'cat >/dev/null; echo fine; exit 4' '  life: turn'
turn_ms=400
fails timeout 'no answer in 400 ms' 'sleep 5 & sleep 5'
fails timeout 'no answer in 400 ms' 'yes >&2'
ok 'whose noise is cut' [ "$(of transcript '.stderr | length' <out)" -eq 2048 ]
unset turn_ms
fails timeout 'the trial took longer than 100 ms' 'sleep 5' 'trial_ms: 100'
fails flood 'an answer of more than 1000 bytes' 'tr -d "\n" </dev/zero' 'reply_bytes: 1000'
fails garbage 'more than one line for a turn' 'read -r l; printf "a\nb\n"; cat'
fails garbage 'begins like JSON and is none' 'read -r l; echo "{\"text\":"; cat'
fails garbage 'not UTF-8' 'read -r l; printf "\377\n"; cat'
fails garbage 'an object without text, tool_calls or error' 'read -r l; echo "{}"; cat'
fails garbage 'text is no text' 'read -r l; echo "{\"text\":1}"; cat'
fails garbage 'tool_calls is no list of calls with names' 'read -r l; echo "{\"text\":\"\",\"tool_calls\":[{}]}"; cat'
fails error 'no money' 'read -r l; echo "{\"error\":\"no money\"}"; cat'
fails crash 'exit status 5' 'read -r l; exit 5' '  life: run'
printf 'id: none\nadapter: {kind: command, argv: [./none]}\n' >none.yaml
ok 'refused' exits 1 agent-run -g -a none.yaml one
ok 'is said too' is 'refused|cannot be started: No such file or directory' "$(of transcript '"\(.reason)|\(.error)"' <out)"
agent half 'read -r l; case $l in *"hi 1"*) exit 9 ;; esac; echo one; read -r l; echo two'
ok 'one of three' exits 1 agent-run -g -j 2 -a half.yaml ten
ok 'costs itself' is '1 9' "$(of transcript .error <out | grep -c 'exit status 9') $(of transcript '.turns[1].reply' <out | grep -c two)"
ok 'without a gate that is no trouble' exits 0 agent-run -a half.yaml ten

# Nothing stays, nothing leaks.
turn_ms=400
nap=9$$ # its like is in no other test that runs at the same time
agent nest "sleep $nap & read -r l; echo one; exec sleep $nap"
ok 'a nest of processes' exits 1 agent-run -g -a nest.yaml one
gone() { # PATTERN: no process has such a command; a killed one may take a moment
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		grep -aqs "$1" /proc/[0-9]*/cmdline || return 0
		sleep 0.2
	done
	return 1
}
unset turn_ms
ok 'is gone' gone "^sleep.$nap"
agent nosy 'while read -r l; do env | grep -c "^SECRET_\|^NAMED" ; done' 'env: [NAMED_ONE]'
ok 'the environment' exits 0 env SECRET_TOKEN=x NAMED_ONE=y agent-run -a nosy.yaml one
ok 'is what the file names' is 1 "$(of transcript '.turns[0].reply' <out)"
agent fds 'while read -r l; do ls /proc/self/fd | xargs; done'
ok 'descriptors' exits 0 sh -c 'agent-run -a fds.yaml one 7<one'
ok 'are the standard three' is '0 1 2 3' "$(of transcript '.turns[0].reply' <out)"
agent deaf 'exec <&-; sleep 0.2; echo never read'
jq -cn '{type: "scenario", id: "big", turns: [("x" * 300000)]}' >big
ok 'one that does not listen' exits 0 agent-run -a deaf.yaml big
ok 'may answer' is 'never read' "$(of transcript '.turns[0].reply' <out)"
# A shell reads a byte at a time, which can take longer than a turn may.
agent wc "exec perl -ne 'BEGIN { \$| = 1 } print length() . qq(\\n)'"
ok 'what is longer than a pipe' exits 0 agent-run -a wc.yaml big
ok 'arrives' [ "$(of transcript '.turns[0].reply' <out)" -gt 600000 ]

# Files and folders.
mkdir -p agents/deep && cp mirror.yaml agents/ && sed 's/mirror/deep/' mirror.yaml >agents/deep/agent.yaml
printf 'seeds:\n  - {id: x, turns: [hi]}\n  - more.yaml\n' >>agents/deep/agent.yaml
printf -- '- {id: y, turns: [hi], severity: low}\n- {id: z, turns: [hi], origin: corpus}\n' >agents/deep/more.yaml
ok 'what there is' exits 0 agent-run -n -A agents
ok 'is found' is 'deep mirror' "$(of agent .id <out | xargs)"
ok 'one with its seeds' exits 0 env RCAKIT_AGENTS=agents agent-run -n -a deep
ok 'is told' is 'x y z seed seed corpus' "$(of scenario .id <out | xargs) $(of scenario .origin <out | xargs)"
ok 'and run' exits 0 agent-run -A agents -a deep -S
ok 'in full' is 'x y z' "$(of transcript .scenario <out | xargs)"
bad() { # WHAT YAML
	printf '%s\n' "$2" >bad.yaml
	ok "$1" exits 2 agent-run -a bad.yaml one
	ok 'is told, nothing else' sh -c '[ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -q "^agent-run: bad.yaml: " err'
}
bad 'no id' 'adapter: {kind: command, argv: [a]}'
bad 'a misspelt member' '{id: a, adaptor: {kind: command}}'
bad 'another kind' '{id: a, adapter: {kind: telepathy}}'
bad 'argv is no list' '{id: a, adapter: {kind: command, argv: ls}}'
bad 'a life' '{id: a, adapter: {kind: command, argv: [ls], life: long}}'
bad 'no YAML' '{'
bad 'a number' '{id: a, turn_ms: 0, adapter: {kind: command, argv: [ls]}}'
printf 'id: a\nadapter: {kind: command, argv: [cat], input: text}\nseeds:\n- {id: x, turns: [{user: hi, expcet: []}], expct: []}\n' >typo.yaml
ok 'a seed with a misspelt member' exits 0 agent-run -a typo.yaml -S
ok 'is run, and what is ignored is told' is 'expct expcet' "$(sed -n 's/^agent-run: typo.yaml: a seed: \([a-z]*\): not a member that records(5) knows; ignored$/\1/p' err | xargs)"
ok 'no such agent' exits 2 agent-run -A agents -a nobody one
ok 'no file' exits 2 agent-run -a nobody one

# The usual.
printf '{"type":"scenario","id":"a","turns":["hi"]}\n{"type":\n{"type":"scenario","id":"","turns":["hi"]}\n{"type":"scenario","id":"b","turns":[]}\n{"type":"scenario","id":"c","turns":["x"]}' >damaged
agent yes 'while read -r l; do echo yes; done'
ok 'bad lines' exits 2 agent-run -a yes.yaml damaged
ok 'cost themselves' is 'a c' "$(of transcript .scenario <out | xargs)"
ok 'with their places' is '2 3 4' "$(sed 's/.*line \([0-9]*\):.*/\1/' err | xargs)"
ok 'no input' exits 0 agent-run -a yes.yaml /dev/null
ok 'no output' [ ! -s out ]
ok 'CRLF' exits 0 sh -c 'sed "s/\$/\r/" one | agent-run -a yes.yaml'
ok 'a full disk' exits 2 sh -c 'agent-run -a yes.yaml ten >/dev/full'
ok 'a closed pipe' sh -c 'agent-run -a yes.yaml ten | head -1 >/dev/null'
ok 'an unreadable file' exits 2 agent-run -a yes.yaml ./none
for args in '' '-a' '-x' '-a yes.yaml -j 0' '-a yes.yaml -S one' '-n'; do
	# shellcheck disable=SC2086
	ok "usage: $args" exits 2 agent-run $args
done

# Interrupted, it leaves whole records and no process.
agent long 'while read -r l; do sleep 0.3; echo x; done'
agent-run -a long.yaml ten >part & pid=$!
sleep 0.7; kill "$pid"; { wait "$pid"; got=$?; } 2>/dev/null
ok 'a signal' is 143 $got
agent stuck "sleep $nap & sleep $nap"
agent-run -j 2 -a stuck.yaml ten >stuck.out & pid=$!
sleep 0.4; kill "$pid"; { wait "$pid"; got=$?; } 2>/dev/null
ok 'a signal while they hang' is 143 $got
ok 'kills them too' gone "^sleep.$nap"
ok 'whole records' sh -c '[ -z "$(tail -c1 part | tr -d "\n")" ] && jq -c . part >/dev/null'
waits() { mkfifo silence && { agent-run -a long.yaml <silence & pid=$!; } && exec 3>silence && sleep 0.3 && dies "$pid"; }
ok 'a signal while it waits' waits
done_testing
