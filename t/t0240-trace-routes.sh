#!/bin/sh
# trace-events: which request a mock saw.  routes.ndjson has a trace for each rule of Playwright's globs, named
# "yes" where its one request fits its one mock, and some that tell why a mock saw nothing.
. "$(dirname "$0")/lib.sh"
ok 'read' exits 0 trace-events "$top/t/t0240-trace-routes/routes.ndjson"
awk '/"type":"trace"/ { name = $0; gsub(/.*"name":"|".*/, "", name); n++ }
	/"type":"route"/ { print n, name, $0 }' out >routes
told() { # NTH PATTERN
	grep "^$1 " routes | grep -q -e "$2" || { grep "^$1 " routes; return 1; }
}
while read -r nth name _; do
	case $name in
	yes) ok "glob $nth fits" told "$nth" '"matched":1' ;;
	no) ok "glob $nth does not fit" told "$nth" '"matched":0.*"never":true' ;;
	esac
done <routes
has() { # NAME PATTERN
	grep " $1 " routes | grep -q -e "$2" || { grep " $1 " routes; return 1; }
}
ok 'a newer mock took it' has shadow '"matched":0,.*"shadowed_by":"route:2"'
ok 'and that is not never' sh -c '! grep " shadow .*never" routes'
ok 'a mock that was removed' has removed '"end":3,.*"near":\["request:1"\],"never":true'
ok 'a request before its mock' has early '"matched":0,"near":\["request:1"\],"never":true'
ok 'a regular expression with flags' has regex '"aborted":1.*"matched":1'
ok 'one that cannot be matched here is not called unused' sh -c 'grep -q " unreadable " routes && ! grep " unreadable .*never" routes'
ok 'nearly the same URL' has near '"near":\["request:2"\],"never":true'
ok 'a newer mock that fell back' has fallback '"fallen_back":1,.*"matched":1,"pattern":"../api/a"'
ok 'and the older one that answered' has fallback '"fulfilled":1,.*"matched":1,"pattern":"../api/.."'
done_testing
