#!/bin/sh
# test-history and test-analyse: twice the input is twice the time, and no number is too large.
# shellcheck disable=SC2016,SC3045 # perl; ulimit -t, which dash and bash have
. "$(dirname "$0")/lib.sh"
perl -e 1 2>/dev/null || { skip 'large inputs' 'no perl'; done_testing; exit; }

brief() { # COMMAND...: within twenty seconds of the processor's time, under the sanitizers too
	(ulimit -t 20 && exec "$@" >out 2>err)
}
perl -e 'print "<testsuites><testsuite name=\"a\">", "<testcase name=\"t\" classname=\"c\"/>\n" x 30000, "</testsuite></testsuites>"' >same.xml
perl -e '$test = q({"projectName":"p","expectedStatus":"passed","status":"expected","results":[{"status":"passed"}]});
	print q({"config":{},"suites":[{"title":"a","specs":[{"title":"t","tests":[), join(",", ($test) x 30000), q(]}]}]})' >same.json
perl -e 'print q({"config":{},"suites":[{"suites":[), join(",", map { qq({"title":"s$_","specs":[{"title":"t","tests":[{"results":[{"status":"passed"}]}]}]}) } 1 .. 30000), q(],"title":"a"}]})' >late.json
ok 'one name for 30,000 cases of a report' brief test-history same.xml
ok 'is one test' test 1 -eq "$(grep -c '"type":"history"' out)"
ok 'one test, repeated so often' brief test-history same.json
ok 'each time told' grep -q '29999 tests are in it more than once' out
ok 'a title that comes after all that it is the title of' brief test-history late.json
ok 'is in front of them' grep -q '"title_path":\["s29999","t"\]' out

# A change to many files, and many tests that failed.
perl -e 'print "diff --git a/m$_/f$_.ts b/m$_/f$_.ts\n--- a/m$_/f$_.ts\n+++ b/m$_/f$_.ts\n@@ -1 +1 @@\n-const old$_ = \"before $_\";\n+const new$_ = \"after $_\";\n" for 1 .. 4000' >wide.diff
perl -e '$stack = join "\\n", map { "    at f$_ (m$_/f$_.ts:1:5)" } 90 .. 150;
	print qq({"type":"attempt","test_id":"t$_","run_id":"r","file":"a.spec.ts","status":"F","error":{"message":"expect(locator).toBe failed\\n\\nExpected: \\"before $_\\"","stack":"$stack"}}\n) for 100 .. 149' >many
ok 'many failures of a wide change' brief test-analyse -d wide.diff many
found() { jq -s -e 'map(select(.test_id == "t123"))[0].diff | .touches_stack and .removed_literals_in_test == ["before 123"] and .renamed_literals == ["before 123"] and
	([.hunks[].file] | .[:2] == ["m90/f90.ts", "m91/f91.ts"]) and (.files | length) == 200' out; }
ok 'each with what is its own' found
perl -e 'print "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-", join(" ", map +("same$_", "gone$_"), 1 .. 1990), "\n+", join(" ", map "same$_", 1 .. 1990), "\n"' >words.diff
ok 'a change of many words' brief test-analyse -d words.diff many
perl -e 'print "diff --git a/x b/", "a/" x 500000, "\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"' >deep.diff
ok 'a path of half a million folders' brief test-analyse -d deep.diff many

perl -e 'print q({"type":"history","test_id":"t123","entries":[), join(",", map { qq({"run_id":"r$_","at":"2026-01-01T00:00:00.000Z","seq":"P","outcome":"pass"}) } 1 .. 30000), "]}\n"' >long
ok 'a history that is long' brief test-analyse -H long many
ok 'counts' grep -q '"runs_total":30001' out
perl -e 'print q({"type":"analysis","test_id":"x","attempts":"F","history":{"runs":"), "PF" x 100000, "\"}}\n"' >letters
ok 'so are letters of one' brief test-analyse letters
for big in -1e400 2147483647 1e400 -9e99 -2147483648; do
	printf '{"type":"attempt","test_id":"t","run_id":"r","file":"a","status":"F","repeat":%s,"retry":%s,"worker":%s,"line":%s,"error":{"message":"m"}}\n' $big $big $big $big
done >numbers
ok 'numbers beyond all bounds' exits 0 test-analyse numbers
ok 'count for none' grep -q '"attempts":"FFFFF"' out
done_testing
