#!/bin/sh
# rca-new: a trace becomes a case to be filled in.
# shellcheck disable=SC2016 # for the shells that are started here
. "$(dirname "$0")/lib.sh"
trace=$top/golden/overlay/trace.zip
ok 'a case' exits 0 rca-new "$trace"
echo golden/requests-a-mooring/case.yaml >want
ok 'tells its file' diff -u want out
ok 'has the trace' cmp "$trace" golden/requests-a-mooring/trace.zip
ok 'says what happened' grep -qx '# requests a mooring (/tmp/harbour-desk/e2e/mooring.spec.ts:5)' golden/requests-a-mooring/case.yaml
ok 'has all members' sh -c '[ "$(grep -c "^[a-z_]*:" golden/requests-a-mooring/case.yaml)" -eq 7 ]'
ok 'not twice' exits 2 rca-new "$trace"
ok 'and says so' grep -q 'requests-a-mooring is there already' err
ok 'a case of GraphQL' exits 0 rca-new -d cases "$top/golden/gql-auth/trace.zip" auth
ok 'tells its errors' grep -qx '# GraphQL errors: 1' cases/auth/case.yaml
ok 'and what went wrong' grep -q '^# graphql:1 .*errors under HTTP 200' cases/auth/case.yaml
ok 'warns of its dead ends' grep -qx 'dead_end_triggers_expected: \[DE-1, DE-2, DE-5\]' cases/auth/case.yaml
ok 'and conclusions' grep -qx '  - "API succeeded"' cases/auth/case.yaml
ok 'a case with a mock that never matched' exits 0 rca-new -d cases "$top/golden/mock-never-called/trace.zip" mock
ok 'warns of that' grep -qx 'dead_end_triggers_expected: \[DE-1, DE-4, DE-5\]' cases/mock/case.yaml
sed -i 's/^category:/& mine/; s/^expected_root_cause:/& "The mock is too late."/' cases/mock/case.yaml
trace-unpack cases/mock/trace.zip | trace-events >segment
echo '{"type":"answer","epoch":0,"text":"Root cause: the mock is too late."}' >>segment
ok 'what is filled in is a case' exits 0 rca-score cases segment
ok 'under another name, elsewhere' exits 0 rca-new -d cases "$trace" notice
ok 'is there' test -f cases/notice/case.yaml
ok 'a trace that cannot be read' exits 2 rca-new nowhere.zip
echo text >text.zip
ok 'a file that is none' exits 2 rca-new text.zip
ok 'a name that leaves the folder' exits 2 rca-new "$trace" ../x
ok 'leaves nothing' sh -c '[ "$(ls golden)" = requests-a-mooring ]'
ok 'wrong usage' exits 2 rca-new
ok 'the version' sh -c 'rca-new --version | grep -q "^rca-new (rcakit) "'
ok 'help' exits 0 rca-new --help
done_testing
