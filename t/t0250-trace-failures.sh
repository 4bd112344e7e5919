#!/bin/sh
# trace-events: three dozen ways to fail, in an HTML report's zip: what Playwright's own JSON report says of
# each, and by hand (want) which error ended the test, which action failed, and on what.
# shellcheck disable=SC2016 # those are variables of jq
. "$(dirname "$0")/lib.sh"
here=$top/t/t0250-trace-failures
ok 'a report with traces inside is read' exits 0 trace-unpack "$here/report.zip"
mv out unpacked
ok 'and told' exits 0 trace-events unpacked
cp out events
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

# Releases before 1.64 write the end of a soft assertion first; soft-1.57.0.zip is one of the tests again.
ok 'a soft failure of 1.57' exits 0 sh -c "trace-unpack '$here/soft-1.57.0.zip' | trace-events"
ok 'is not what ended the test' sh -c 'jq -r "select(.type == \"action\" and .failure_point) | .api" out | grep -qx locator.click'

# fallback(): each route that the request went through saw it; whether "**/*" is a pattern or a function
# can be told only where the trace carries the source.
segment() { awk -v name="/$1\"" '/"type":"trace"/ { on = index($0, name) } on' "$2"; }
routes() { # WANT FILE
	got=$(jq -r 'select(.type == "route") | "\(.pattern) \(.matched // "?") \(.fallen_back // 0) \(.never // false)"' "$2" | paste -sd, -)
	[ "$got" = "$1" ] || { printf 'want %s\ngot  %s\n' "$1" "$got"; return 1; }
}
segment fallback-chain events >chain
ok 'a route of which nothing is known' routes '**/api/items* 1 0 false,**/* ? 0 false,**/api/** 1 1 false' chain
sha1=$(printf /tmp/failures/failures.spec.js | sha1sum | cut -d ' ' -f 1)
{
	segment fallback-chain unpacked | grep -v '"type":"resource"'
	jq -Rsc --arg name "src/$sha1.js" '{type: "resource", name: $name, encoding: "utf-8", data: .}' "$here/failures.spec.js"
} >sourced
ok 'with its source' exits 0 trace-events sourced
ok 'it is known to have passed all on' routes '**/api/items* 1 0 false,**/* 2 2 false,**/api/** 1 1 false' out
sed 's|\(\x27\*\*/\*\x27\)|u => true|' sourced >predicate
ok 'with a function in its place' exits 0 trace-events predicate
ok 'it may have passed nothing' routes '**/api/items* 1 0 false,**/* 0 0 true,**/api/** 1 1 false' out
done_testing
