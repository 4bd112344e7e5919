#!/bin/sh
# golden/app: recorded again with Playwright and Chromium, the traces have the same facts.
# shellcheck disable=SC2015,SC2016 # the test of tools; for the shells that are started here
. "$(dirname "$0")/lib.sh"
command -v npx >/dev/null && [ -x "${CHROMIUM:-/usr/bin/chromium}" ] || {
	skip 'cases recorded again' 'no npm or no Chromium here'
	done_testing
	exit
}
mkdir golden && cp -R "$top/golden/app" golden
ok 'two cases are recorded' exits 0 golden/app/record.sh mock-operation-name overlay
for case in mock-operation-name overlay; do
	# Times and the order of what happens at once may differ, what happened does not.
	for dir in golden "$top/golden"; do
		rca -e "$dir/$case/trace.zip" | sed -n '/^- /p; /^| *Error: /p; /^|     - /p; /never matched/p; /error: /p; /mock: /p'
	done >both
	ok "$case: the same facts" sh -c 'n=$(($(wc -l <both) / 2)); head -n "$n" both >old; tail -n +"$((n + 1))" both | diff -u old - && [ "$n" -gt 8 ]'
done
ok 'an unknown case' exits 2 golden/app/record.sh nowhere
done_testing
