#!/bin/sh
# triage -T on a run of Playwright recorded now: each trace is found by its path, and in HTML and blob reports.
# shellcheck disable=SC2015 # the test of tools
. "$(dirname "$0")/lib.sh"
command -v npx >/dev/null && [ -x "${CHROMIUM:-/usr/bin/chromium}" ] && peer @playwright/test@1.65.1 || {
	skip 'a run recorded again' 'no npm or no Chromium here'
	done_testing
	exit
}
shop=$top/t/t1695-triage-traces
mkdir -p run/tests && cp "$shop/shop.spec.ts" run/tests && echo '{"private":true,"type":"module"}' >run/package.json
sed "s/reporter: \[/&['html', { outputFolder: 'html', open: 'never' }], /" "$shop/playwright.config.ts" >run/playwright.config.ts
ln -s "$peers/node_modules" run/node_modules
(cd run && npx playwright test) >log.run 2>&1
facts() { # TRACES REPORT
	trace-unpack "$1" | trace-events | gql-verify | trace-failed >traces || return
	test-history "$2" | test-analyse -T traces | jq -r 'select(.type == "analysis") | "\(.project) \(.title) \(.trace.by) \(.trace.retry) \(.trace.facts | keys)"' | sort
}
cat >want <<'X'
desktop shop › comes late once HOW 0 []
desktop shop › opens the depot HOW 0 ["unreachable"]
desktop shop › pays HOW 0 ["mock_missed"]
desktop shop › shows notes HOW 0 []
desktop shop › shows the total HOW 0 ["graphql_error"]
phone shop › shows the total HOW 0 ["graphql_error"]
X
are() { # HOW TRACES REPORT
	facts "$2" "$3" >got && sed "s/HOW/$1/" want | diff -u - got
}
ok 'JSON and test-results' are path run/test-results run/results.json
ok 'JSON and the HTML report' are title run/html run/results.json
ok 'JSON and the blob report' are title run/blob/report.zip run/results.json
ok 'the blob report by itself' are path run/blob/report.zip run/blob/report.zip
in_xml() { grep -v 'comes late' want >w && mv w want && are path run/test-results run/results.xml; }
ok 'JUnit and test-results; it has no word of what passed in the end' in_xml
ok 'the page' sh -c 'triage -T run/test-results run/results.json | grep -q " With traces of 6 of the 6 tests\."'
done_testing
