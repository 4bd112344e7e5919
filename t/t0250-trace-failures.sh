#!/bin/sh
# trace-events: three dozen ways to fail, in an HTML report's zip: what Playwright's own JSON report says of
# each, and by hand (want) which error ended the test, which action failed, and on what.
. "$(dirname "$0")/lib.sh"
here=$top/t/t0250-trace-failures
ok 'a report with traces inside is read' exits 0 trace-unpack "$here/report.zip"
mv out unpacked
ok 'and told' exits 0 trace-events unpacked
# One line of each trace: name, status, error and line; the failing action and its values.
jq -rn 'def first_line: . / "\n" | .[0];
	def facts: (map(select(.terminal)) | .[0]) as $e | (map(select(.failure_point)) | .[0]) as $p |
		[(.[0].name / "/" | last), (map(select(.type == "test")) | .[0].status),
		"\($e.message | first_line) @\($e.stack[0].line // "-")",
		($p | if . == null then "-" else (.api, .locator // "-", .expected // "-", .received // "-", .line // "-") end)] |
		map(tostring | gsub("\n"; "\\n")) | join("\t");
	reduce inputs as $r ([]; if $r.type == "trace" then . + [[$r]] else .[-1] += [$r] end) | .[] | facts' out >told
ok 'every failure' diff -u "$here/want" told
jq -rn 'def line: "\(.message / "\n" | .[0]) @\(.stack[0].line // "-")";
	reduce inputs as $r ([]; if $r.type == "trace" then . + [[$r]] else .[-1] += [$r] end) | .[] |
	[(.[0].name / "/" | last), (map(select(.type == "test")) | .[0].status | if . == "timed-out" then "timedOut" else . end)] +
	(map(select(.type == "error") | line) | unique) | join("\t")' out | sort >errors
# The report gives no place where it cut the stack: boxed steps and fixtures.
sed 's/ @[0-9-]*//g' "$here/reported" >reported
ok 'status and errors are those of the report' sh -c 'sed "s/ @[0-9-]*//g" errors | diff -u reported -'
done_testing
