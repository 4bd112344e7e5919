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
