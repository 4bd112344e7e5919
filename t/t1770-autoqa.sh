#!/bin/sh
# autoqa: the bugs of a bot with switchable faults, each once; remembered, fixed, killed and taken up.
. "$(dirname "$0")/lib.sh"
is() { # WANT GOT
	[ "$1" = "$2" ] || { printf 'got  %s\nwant %s\n' "$2" "$1"; return 1; }
}
bot=$top/golden/agents/harbour/agent.yaml
qa() { faults=$1; shift; HARBOUR_FAULTS=$faults autoqa -q -j 4 -a "$bot" "$@"; } # FAULTS OPTION...
bugs() { # SECTION: scenarios under a heading of the report in out
	awk -v want="## $1" '/^## /{on = $0 == want} on && /scenarios:/' out | grep -o '`[a-z-]*`' | tr -d '`' | sort | xargs
}
ok 'no fault' exits 0 qa ''
ok 'no bug' is '# harbour: No open bug' "$(head -1 out)"
ok 'three faults' exits 1 qa 'memory refund lookalike' -d three -F high
ok 'three bugs, each once' is 'lookalike memory refund' "$(bugs Open)"
ok 'all new' is '# harbour: 3 open bugs, 3 of them new' "$(head -1 out)"
ok 'the second run begins with them' sh -c "autoqa -n -a '$bot' -d three | jq -r 'select(.type == \"scenario\").id' | head -3 | xargs | grep -qx 'refund lookalike memory'"
for run in 1 2 3; do
	ok "one is repaired: run $run" exits 0 qa 'memory lookalike' -d three
	ok 'two are open, not new' is '# harbour: 2 open bugs, 0 of them new' "$(head -1 out)"
	ok 'the third waits' is refund "$(bugs 'Did not show this time')"
done
ok 'the fourth clean one' exits 0 qa 'memory lookalike' -d three
ok 'is the proof' is refund "$(bugs Fixed)"
ok 'a fifth' exits 0 qa 'memory lookalike' -d three
ok 'does not tell it again' is '' "$(bugs Fixed)"
ok 'a gate that is not reached' exits 0 qa 'memory' -d one -F high
ok 'and one that is' exits 1 qa 'memory' -d one -F medium
ok 'a limit of trials' exits 0 qa 'memory refund' -d few -T 4
ok 'holds' grep -q '^- 4 scenarios, 4 trials' out

# The same from the same.
ok 'again' exits 0 qa 'memory stale' -d a
cp out first
ok 'and elsewhere' exits 0 qa 'memory stale' -d b
ok 'the same report' cmp first out
ok 'the same page' cmp a/harbour/runs/0001/report.html b/harbour/runs/0001/report.html

# Killed at any moment, it goes on, and says in the end what an undisturbed run says.
killed() {
	for moment in 0.05 0.15 0.3 0.5 0.8; do
		HARBOUR_FAULTS='memory stale' setsid autoqa -q -j 4 -a "$bot" -d k >/dev/null 2>&1 &
		pid=$!
		perl -e "select undef, undef, undef, $moment"
		kill -9 -- -$pid 2>/dev/null
		wait $pid 2>/dev/null
		[ ! -e k/harbour/runs/0001/done ] || break
	done
	qa 'memory stale' -d k >out || return
	[ -e k/harbour/runs/0001/done ] || return
	diff first k/harbour/runs/0001/report.md
}
ok 'killed five times' killed

# Reports that others read.
ok 'into a folder' exits 0 qa 'memory empty' -d r -o reports
ok 'three of them' is 'junit.xml report.html report.md' "$(cd reports && echo *)"
ok 'JUnit is XML' xmllint --noout reports/junit.xml
ok 'a test for each scenario' is '13 2' "$(xmllint --xpath 'concat(count(//testcase), " ", count(//failure))' reports/junit.xml)"
ok 'the page has a policy' grep -q "default-src 'none'" reports/report.html

# Projects.
cat >autoqa.yaml <<END
agents: $top/golden/agents
data: kept
jobs: 4
limits: {trials: 5}
END
ok 'a project' exits 0 autoqa -q -a harbour -p autoqa.yaml
ok 'its limits' grep -q '^- 5 scenarios, 5 trials' out
ok 'its folder' test -d kept/harbour/runs/0001
ok 'an option has the last word' exits 0 autoqa -q -a harbour -p autoqa.yaml -T 3
ok 'so three' grep -q '^- 3 scenarios' out
echo 'limit: {}' >bad.yaml
ok 'a bad one' exits 2 autoqa -q -a harbour -p bad.yaml
ok 'is told' grep -q 'bad.yaml: limit: no member' err
ok 'no such agent' exits 2 autoqa -q -a nobody -A "$top/golden/agents"
ok 'wrong usage' exits 2 autoqa
ok 'wrong severity' exits 2 autoqa -a x -F grave
done_testing
