#!/bin/sh
# trace-events: what pages do by themselves, recorded with Playwright 1.65: sockets, service workers, caches,
# redirections, dialogs, downloads, charsets, popups, frames; groups and chunks of a library trace.  What is
# wanted stands in t0260-trace-pages/record.js and server.js.
# shellcheck disable=SC2016 # $r and $t are variables of jq
. "$(dirname "$0")/lib.sh"
here=$top/t/t0260-trace-pages
for name in sockets worker page frames groups chunk-1 chunk-2; do
	ok "$name" exits 0 sh -c "trace-unpack '$here/$name.zip' | trace-events | gql-verify >$name"
done
told() { # NAME WANT FILTER: what the filter makes of all records of that trace, one line
	got=$(jq -s -r "def of(\$t): map(select(.type == \$t)); $3" "$1")
	[ "$got" = "$2" ] || { printf 'want %s\ngot  %s\n' "$2" "$got"; return 1; }
}
socket() { # WANT URL: the frames of a socket: direction and data
	told sockets "$1" "(of(\"request\")[] | select(.url == \"$2\") | .ref) as \$r |
		of(\"body\")[] | select(.requests == [\$r]) | .text | [split(\"\\n\")[] | select(. != \"\") | fromjson | \"\\(.type) \\(.data)\"] | join(\", \")"
}
ok 'frames of a socket, text and bytes' socket 'send hello, send AQL/, receive hello, receive AQL/' ws://localhost:8653/echo
ok 'subscriptions over one socket' told sockets 'OrderAdded subscription ok, PriceChanged subscription errors' \
	'[of("graphql")[] | "\(.operation) \(.kind) \(.outcome)"] | join(", ")'
ok 'and the error that one was answered with' told sockets 'forbidden FORBIDDEN Not authorised to see prices' \
	'of("graphql")[1].errors[0] | "\(.category) \(.code) \(.message)"'

ok 'who answered: the worker, or the server that the worker asked' told worker \
	'/worker -, /sw.js -, /from-worker service-worker, /through service-worker, /through -' \
	'[of("request")[] | "\(.url | sub(".*8653"; "")) \(.answered_by // "-")"] | join(", ")'
ok 'which requests are its own' told worker '/sw.js, /through' \
	'[of("request")[] | select(.service_worker) | .url | sub(".*8653"; "")] | join(", ")'
ok 'as a model is told' sh -c 'untrust-wrap worker | grep -q "/from-worker -> 200.*, answered by: service-worker"'
ok 'and what it made' told worker 'made by the worker' \
	'(of("request")[] | select(.url | endswith("/from-worker")) | .ref) as $r | of("body")[] | select(.requests == [$r]) | .text'

ok 'a chain of redirections' told page '302 /hop2, 307 /landed, 200 -' \
	'[of("request")[:3][] | "\(.status) \(.redirect_url // "-" | sub(".*8653"; ""))"] | join(", ")'
ok 'what the cache answered' told page '/cached.json -, /cached.json cache, /etag -, /etag -' \
	'[of("request")[] | select(.url | test("cached|etag")) | "\(.url | sub(".*8653"; "")) \(.answered_by // "-")"] | join(", ")'
ok 'dialogs, in order' told page 'first, sure?, name?' '[of("event")[] | select(.kind == "dialog") | .text] | join(", ")'
ok 'and what became of them' told page 'dialog.dismiss dialog.dismiss dialog.accept' \
	'[of("action")[] | select(.api | startswith("dialog")) | .api] | join(" ")'
ok 'a download' told page http://localhost:8653/file 'of("event")[] | select(.kind == "download") | .url'
ok 'navigations' told page '/landed / /sjis' \
	'[of("event")[] | select(.kind == "navigation") | .url | sub(".*8653"; "")] | join(" ")'
# Chromium records these as UTF-8, under the names that the server gave them.
ok 'charsets' told page "<h1>$(printf '\343\203\206\343\202\271\343\203\210')</h1> {\"name\":\"Caf$(printf '\303\251')\"} $(printf '\303\274')ber" \
	'[of("body")[] | select(.mime | test("8859|JIS|utf-16")) | .text] | sort | join(" ")'

ok 'a popup opens and closes' told frames 'page page:1, page page:2, page-closed page:2' \
	'[of("event")[] | select(.kind | startswith("page")) | "\(.kind) \(.page)"] | join(", ")'
ok 'frames worth a look, and those that are empty' told frames '/frames true, /inner true, / -, about:blank -, /popup -' \
	'[of("snapshot")[] | "\(.url | sub(".*8653"; "")) \(.at_failure // "-")"] | join(", ")'

ok 'groups, their places and what is in them' told groups \
	'shop /app/shop.js:7, page.goto in shop, pay in shop, locator.click in pay, locator.click in -' \
	'(of("action") | map({key: .id, value: .title}) | from_entries) as $t | [of("action")[1:][] |
		if .api != "tracing.group" then "\(.api) in \(if .parent then $t[.parent] else "-" end)" elif .parent then "\(.title) in \($t[.parent])"
		else "\(.title) \(.file):\(.line)" end] | join(", ")'
ok 'a chunk has its own title and calls' told chunk-1 'one page.goto' '"\(of("test")[0].title) \([of("action")[].api] | join(" "))"'
ok 'and the next one its own' told chunk-2 'two page.evaluate locator.click' '"\(of("test")[0].title) \([of("action")[].api] | join(" "))"'
ok 'but the requests of those before it' told chunk-2 '/ true, /landed true, /cached.json -' \
	'[of("request")[] | "\(.url | sub(".*8653"; "")) \(.earlier // "-")"] | join(", ")'

# What is left of a run that was killed while it recorded: a folder, no zip, no runner's trace.
ok 'a run that was killed' exits 0 sh -c "trace-unpack '$here/killed' | trace-events >killed"
ok 'says what it was at' told killed "unfinished locator.click getByRole('button', { name: 'Never' })" \
	'of("action")[-1] | "\(.status) \(.api) \(.locator)"'
ok 'and of which test' told killed 'was killed live.spec.js:3 unknown' 'of("test")[0] | "\(.title) \(.file):\(.line) \(.status)"'
ok 'with its page and bodies' told killed '{"items":["a","b","c"]} true' \
	'"\([of("body")[] | select(.mime == "application/json") | .text][0]) \(of("snapshot")[0].at_failure)"'

# A style sheet that is too large to be read hides nothing, and that is said.
perl -e 'print ".a { color: red }\n" x 80000' >large.css
line() { printf '{"type":"line","member":"a.trace","n":1,"record":%s}\n' "$1"; }
{
	line '{"type":"frame-snapshot","snapshot":{"callId":"a","phase":"after","pageId":"p","frameId":"f","frameUrl":"http://x/","timestamp":1,"isMainFrame":true,"html":["HTML",{},["BODY",{},["P",{},"x"]]]}}'
	echo '{"type":"resource","name":"resources/0123456789012345678901234567890123456789.css","bytes":1360000,"omitted":"too-large"}'
} >large
ok 'a style sheet that was left out' exits 0 trace-events large
ok 'is a warning' grep -q '"code":"large-style-sheet"' out
done_testing
