#!/bin/sh
# golden/agents/harbour: each fault is caught by its scenarios, and by no others.
. "$(dirname "$0")/lib.sh"
is() { # WANT GOT
	[ "$1" = "$2" ] || { printf 'got  %s\nwant %s\n' "$2" "$1"; return 1; }
}
cp -r "$top/golden/agents/harbour" .
sed -i 's/^seeds: .*/seeds: [seeds.yaml, explored.yaml]/; s/^turn_ms: .*/turn_ms: 800/' harbour/agent.yaml
agent-run -n -a harbour/agent.yaml >scenarios
broken() { # FAULTS: the scenarios that fail with them
	HARBOUR_FAULTS=$1 agent-run -a harbour/agent.yaml -j 2 scenarios | agent-judge |
		jq -r 'select(.type == "judgement" and (.pass | not)).scenario' | sort | xargs
}
ok 'without a fault none' is '' "$(broken '')"
while read -r fault caught; do
	ok "$fault" is "$caught" "$(broken "$fault")"
	all="${all-} $fault" every="${every-} $caught"
	odd=$((${odd-0} + 1))
	[ $((odd % 2)) -eq 0 ] || some="${some-} $fault" half="${half-} $caught"
done <<'END'
memory explored-memory memory
wrong-tool tool
wrong-argument argument
lookalike explored-lookalike lookalike
no-confirmation confirmation
replayed replay
language language
injection injection
rounding explored-rounding rounding
stale stale
empty empty
long long
refund refund
schema explored-quote
leak explored-stranger
END
sorted() { echo "$1" | tr ' ' '\n' | sort | xargs; }
ok 'all at once' is "$(sorted "$every")" "$(broken "$all")"
ok 'every other' is "$(sorted "$half")" "$(broken "$some")"
ok 'the same seed, the same talk' sh -c '
	for i in 1 2; do
		HARBOUR_FAULTS=memory agent-run -s 5 -a harbour/agent.yaml scenarios | jq -c "del(.turns[]?.latency_ms?)" >talk.$i
	done
	cmp talk.1 talk.2'
done_testing
