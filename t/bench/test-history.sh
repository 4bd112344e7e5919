#!/bin/sh
# A report of 100 MB: sixty thousand tests in two projects, a tenth of which failed, and jq that only counts them.
set -eu
cd "${build:?}/bench"
[ -s results.json ] || perl -e '
	srand 11;
	sub result { my ($n, $bad) = @_;
		my $error = $bad ? q("error":{"message":"Error: expect(received).toBe(expected)\n\nExpected: 1\nReceived: ) . $n .
			q(","stack":"    at /repo/tests/a.spec.ts:3:4"},"errors":[{"message":"Error"}],) : q("errors":[],);
		qq({"workerIndex":0,"parallelIndex":0,"status":") . ($bad ? "failed" : "passed") . qq(","duration":12,$error"stdout":[{"text":") .
			("log line of a test " x 60) . qq("}],"stderr":[],"retry":0,"startTime":"2026-03-01T10:00:00.000Z","attachments":[]}) }
	sub test { my ($n, $project) = @_; my $bad = rand() < 0.1;
		qq({"timeout":30000,"annotations":[],"expectedStatus":"passed","projectId":"$project","projectName":"$project","results":[) .
			result($n, $bad) . qq(],"status":") . ($bad ? "unexpected" : "expected") . qq("}), $bad }
	my ($good, $bad) = (0, 0);
	print q({"config":{"rootDir":"/repo/tests","version":"1.65.1","projects":[{"id":"a","name":"a","repeatEach":1},{"id":"b","name":"b","repeatEach":1}]},"suites":[);
	for my $f (1 .. 300) {
		print "," if $f > 1;
		print qq({"title":"f$f.spec.ts","file":"f$f.spec.ts","line":0,"column":0,"specs":[);
		for my $n (1 .. 100) {
			my ($a, $x) = test($n, "a"); my ($b, $y) = test($n, "b");
			$bad += $x + $y; $good += 2 - $x - $y;
			print "," if $n > 1;
			print qq({"title":"test $n","ok":true,"tags":[],"id":"i$f-$n","file":"f$f.spec.ts","line":$n,"column":1,"tests":[$a,$b]});
		}
		print "]}";
	}
	print qq(],"errors":[],"stats":{"startTime":"2026-03-01T10:00:00.000Z","duration":1000,"expected":$good,"skipped":0,"unexpected":$bad,"flaky":0}}\n)
	' >results.json
echo "-- test-history: a JSON report of $(($(wc -c <results.json) / 1000000)) MB, 60,000 tests"
./measure 'test-history' test-history results.json
./measure 'test-history | test-analyse' sh -c 'test-history results.json | test-analyse'
./measure 'wc -l' wc -l results.json
! command -v node >/dev/null || ./measure 'node, JSON.parse' node -e 'JSON.parse(require("fs").readFileSync("results.json"))'
./measure 'jq -c .' jq -c . results.json
./measure 'jq, a count of the tests by status' jq -c '[.. | .tests? // empty | .[].status] | group_by(.) | map({(.[0]): length}) | add' results.json
