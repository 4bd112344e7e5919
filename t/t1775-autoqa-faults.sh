#!/bin/sh
# autoqa: of any faults of the bot, exactly their bugs, each once, from seeds and recorded exploration.
. "$(dirname "$0")/lib.sh"
is() { # WANT GOT
	[ "$1" = "$2" ] || { printf 'got  %s\nwant %s\n' "$2" "$1"; return 1; }
}
harbour=$top/golden/agents/harbour
# The scenario that shows a fault first, by hand from seeds.yaml and explored.yaml.
first() {
	case $1 in
	wrong-tool) echo tool ;;
	wrong-argument) echo argument ;;
	no-confirmation) echo confirmation ;;
	replayed) echo replay ;;
	schema) echo explored-quote ;;
	leak) echo explored-stranger ;;
	*) echo "$1" ;;
	esac
}
all='memory wrong-tool wrong-argument lookalike no-confirmation replayed language injection rounding stale empty refund schema leak'
found() { # FAULT...: a bug for each, and nothing else
	runs=$((runs + 1)) folder=d$runs
	HARBOUR_FAULTS=$* autoqa -q -a harbour -p "$harbour/autoqa.yaml" -d $folder >report || return
	for fault; do first "$fault"; done | sort >want
	# One line for each bug: the scenario that is first in its list.
	sed -n 's/^  - scenarios: `\([a-z-]*\)`.*/\1/p' report | sort >got
	diff -u want got && ! grep -q '^## [^OT]' report
}
# shellcheck disable=SC2086 # words
subset() { # SEED: about half of them
	faults=$(printf '%s\n' $all | perl -e 'srand shift; print grep { rand() < .5 } <STDIN>' "$1" | xargs)
	found $faults
}
runs=0
ok 'none: nothing' found
# shellcheck disable=SC2086
ok 'all of them' found $all
ok 'half of them' subset 1
if [ -n "${ALL_FAULTS-}" ]; then # each alone, and more halves
	for fault in $all; do ok "$fault alone" found "$fault"; done
	for seed in $(seq 20 50); do ok "subset $seed" subset "$seed"; done
fi

# What exploration found is in the corpus, and comes first in the next run.
HARBOUR_FAULTS='schema leak' autoqa -q -a harbour -p "$harbour/autoqa.yaml" -d next >/dev/null
ok 'explored ones are kept' is 'explored-quote.yaml explored-stranger.yaml' "$(cd next/harbour/scenarios && echo *)"
HARBOUR_FAULTS='schema leak' autoqa -q -a harbour -p "$harbour/autoqa.yaml" -d next >report
ok 'and replayed' grep -q '^# harbour: 2 open bugs, 0 of them new' report
ok 'as the first' is 'explored-stranger explored-quote' \
	"$(jq -r 'select(.type == "transcript").scenario' next/harbour/runs/0002/001-w0-run.ndjson | head -2 | xargs)"
ok 'clusters were named once' is 2 "$(cat next/harbour/runs/*/*-close.ndjson | jq -r 'select(.type == "span") | ."gen_ai.operation.name" // .type' | wc -l | tr -d ' ')"

# Cassettes: the same exploration without the program that explored.
sed "s#^agents: .*#agents: $top/golden/agents#; s#^explorer: .*#explorer: {model: \"exec:$harbour/explorer.sh\", mode: auto, cassettes: tapes}#" \
	"$harbour/autoqa.yaml" >rec.yaml
ok 'recorded' exits 0 env HARBOUR_FAULTS='memory leak' autoqa -q -a harbour -p rec.yaml -d rec
cp out first
sed 's/exec:[^"]*/authored/; s/mode: auto/mode: replay/' rec.yaml >play.yaml
ok 'replayed elsewhere' exits 0 env HARBOUR_FAULTS='memory leak' autoqa -q -a harbour -p play.yaml -d play
ok 'the same report' diff first out
ok 'no explorer answers' exits 0 env HARBOUR_FAULTS=memory autoqa -q -a harbour -p play.yaml -d miss
ok 'that is told, and the rest counts' sh -c 'grep -q "1 open bug" out'
done_testing
