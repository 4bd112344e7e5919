#!/bin/sh
# Each program, once it waits for its input, can do little else: the kernel says so.  And it ends when it is told to.
. "$(dirname "$0")/lib.sh"

patience=100
filtered() { grep -q '^Seccomp:[[:space:]]*2$' "/proc/$pid/status"; }
confined() { # PROGRAM ARGUMENT...: its process has a seccomp filter, and dies of SIGTERM
	rm -f in && mkfifo in
	"$@" <in >out 2>err &
	pid=$!
	exec 3>in
	tries=0
	until filtered || [ $tries -eq "$patience" ]; do tries=$((tries + 1)) && sleep 0.1; done
	mode=$(sed -n 's/^Seccomp:[[:space:]]*//p' "/proc/$pid/status")
	# Not by the end of its input: given the pipe by name it may come to open it after the last writer left.
	dies "$pid" || return 1
	exec 3>&-
	[ "$mode" -eq 2 ] || { echo 'no filter'; cat err; return 1; }
}

mkdir repo
echo '{}' >schema.json
if ! trace-events --version | grep -q seccomp; then
	skip 'confinement' 'this build or kernel has none'
	done_testing
	exit
fi
# One that has no standard input to wait for is given the pipe by name.
cat >prompt.v1.md <<-'EOF'
	---
	name: prompt
	version: 1
	model: openai:gpt-9
	max_output_tokens: 100
	---
	Say why.
EOF
mkdir golden
while read -r name rest; do
	name=${name%:}
	# shellcheck disable=SC2086 # words
	ok "$name $rest" confined "$name" $rest
done <<-'EOF'
	trace-unpack
	trace-unpack -d new
	trace-events
	trace-failed
	gql-verify
	repo-context -r repo
	redact
	untrust-wrap
	untrust-wrap -l x
	rca-check
	rca-ask
	rca-report
	rca-score golden
	cmd-guard
	cmd-guard -x
	cmd-guard -l 1 -
	first-failure-matrix
	repair-gate -f
	label-agreement
	fail-cluster
	fail-cluster -s
	corpus -a x -d corpora
	wave-plan
	scenario-explore
	scenario-explore -v -k schema.json
	autoqa-report
	autoqa-project in
	runs-from otel
	triage-cases in
	triage-eval
	triage-traces
	triage-sections
	triage-verdict
	triage-report
	triage-cases in
	triage-eval in
	test-history
	test-analyse -C repo
	eval-diff - schema.json
	eval-report
	json-validate schema.json
	llm-call -p prompt.v1.md
	llm-call -p prompt.v1.md -V cat
	llm-call -p prompt.v1.md -M off -m openai:gpt-9
	llm-call -p prompt.v1.md -M record -c new-cassettes
EOF
all_named() {
	for f in "$top"/bin/*.c "$top"/bin/*/main.c; do
		f=${f%/main.c} f=${f##*/} f=${f%.c}
		case $f in agent-run | agent-judge | autoqa-page) continue ;; esac # what they start is as free as the user
		grep -q "^	$f\( .*\)*$" "$top/t/t0720-confined.sh" || { echo "$f"; return 1; }
	done
}
ok 'no program is left out' all_named
off() { patience=10; ! RCAKIT_CONFINE=off confined trace-events; }
ok 'unless it is switched off' off
done_testing
