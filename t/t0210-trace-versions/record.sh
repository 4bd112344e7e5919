#!/bin/sh
# record: run events.spec.js with each of these releases in a real browser; VERSION/NAME.zip is the trace
# and a line of want is what the release's own reporter said.  Up to 1.31 and for the timeouts of 1.34 and
# 1.39 want was then written by hand, because the trace holds less than the reporter knew.  The last column
# is by hand too: what the page and the mocks of the test do, ~ where it depends on the machine.
# usage: t/t0210-trace-versions/record.sh [VERSION ...]; needs Node.js, npm, Chromium; port 8651
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || set -- 1.20.0 1.31.0 1.34.0 1.39.0 1.44.0 1.52.0 1.60.0 1.63.0 1.65.1
for version in "$@"; do
	# Traces hold absolute paths: they are recorded where every machine has the same ones.
	mkdir /tmp/shelf
	cp "$here"/*.js /tmp/shelf
	cd /tmp/shelf
	PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm install --no-save --no-package-lock --silent "@playwright/test@$version"
	node_modules/.bin/playwright test >log 2>&1 || : # all but two of the tests fail
	mkdir -p "$here/$version"
	node want.js results "$here/$version" | sed "s#^#$version/#" >"$here/$version/want.new"
	cd "$here"
	rm -rf /tmp/shelf
done
