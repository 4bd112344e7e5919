#!/bin/sh
# answer: what a model told by a bad prompt says, made of the authored answer to the case.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
read -r name prompt <<END
$(sed 's/.*"name":"\([^"]*\/\)*\([^"\/]*\)","prompt":"\([^"]*\)".*/\2 \3/')
END
answer=$here/../../golden/$name/answers/rca.v1.0.json
case $prompt in
bad-timing.v1) bad='
	.determined = true | .confidence = "high" | .ruled_out = [] |
	.root_cause = {expected: "the element to be visible", got: "a page that was still loading",
		because: "of a timing issue: the page was too slow to render"} |
	.fix = {type: "fix-test-data", text: "Increase the timeout, or add a wait before the assertion",
		file: "e2e/helpers.ts", line: 1, diff: "+  await page.waitForTimeout(3000);"} |
	.claims = [{text: "The element was not rendered yet.", cites: ["error:1"]}] |
	.phases[5].text = "The page was too slow." | .phases[6].text = "Add a wait."' ;;
bad-phases.v1) bad='.phases |= .[5:7]' ;;
*) bad=. ;;
esac
printf '{"finish":"stop","provenance":"authored","output":'
jq -c "$bad" "$answer"
echo '}'
