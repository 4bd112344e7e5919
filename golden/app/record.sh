#!/bin/sh
# record: run the tests of golden/app in a real browser and keep each trace as golden/CASE/trace.zip.
# usage: golden/app/record.sh [CASE ...]; needs Node.js 18, npm, Chromium and jq; ports 8642 and 8643.
set -eu
app=$(cd "$(dirname "$0")" && pwd)
golden=$(dirname "$app")

# Traces hold absolute paths: they are recorded where every machine has the same ones.
work=/tmp/harbour-desk
mkdir "$work" || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM
cp -R "$app"/. "$work"
cd "$work"
PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm install --no-save --no-package-lock --no-audit --no-fund --silent

# shellcheck disable=SC2046 # names of cases have no blanks
[ $# -gt 0 ] || set -- $(sed 's/ .*//' cases)
for case in "$@"; do
	spec=$(sed -n "s/^$case //p" cases)
	[ -n "$spec" ] || { echo "record: no case $case in golden/app/cases" >&2; exit 2; }
	printf '/%s.spec\n' "$spec" >>specs
done
# All but one of these tests fail, as they should: the status says nothing.
xargs npx playwright test <specs >log 2>&1 || :

status=0
for case in "$@"; do
	trace=$(find test-results -path "test-results/$(sed -n "s/^$case //p" cases)-*/trace.zip")
	if [ ! -f "$trace" ]; then
		echo "record: $case: no trace" >&2
		status=2
		continue
	fi
	mkdir -p "$golden/$case"
	cp "$trace" "$golden/$case/trace.zip.new"
	mv "$golden/$case/trace.zip.new" "$golden/$case/trace.zip"
	printf '%s: %s bytes\n' "$case" "$(wc -c <"$golden/$case/trace.zip")"
done
[ "$status" -eq 0 ] || cat log >&2
exit "$status"
