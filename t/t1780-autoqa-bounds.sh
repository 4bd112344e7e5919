#!/bin/sh
# Of autoqa's parts: time that grows with the run, an id that is no way out, and what is served.
# shellcheck disable=SC2016,SC3045 # perl; ulimit -t, which dash and bash have
. "$(dirname "$0")/lib.sh"

if perl -e 1 2>/dev/null; then
	perl -e 'for (1 .. 15000) { print qq({"type":"scenario","id":"s$_","title":"t","tags":["t"],"turns":["hello $_"],"severity":"high"}\n),
		qq({"type":"judgement","agent":"a","scenario":"s$_","trial":1,"pass":false,"reason":"no","checks":[{"kind":"contains","ok":false,"reason":"no"}]}\n) }' >run
	brief() { # COMMAND...: within twenty seconds of the processor's time, under the sanitizers too
		(ulimit -t 20 && exec "$@" >out 2>err)
	}
	ok 'many failures of one kind' brief fail-cluster -a run
	ok 'are one cluster' sh -c '[ "$(wc -l <out)" -eq 1 ] && grep -q "\"n\":15000" out'
	ok 'the plan of a long run' brief wave-plan run
	ok 'and its report' brief autoqa-report -o md run
else
	skip 'a long run' 'no perl'
fi

mkdir in
cd in || exit 1
for id in .. .hidden -x "$(printf '%0101d' 0)"; do
	printf 'id: "%s"\nadapter: {kind: command, argv: [cat]}\n' "$id" >agent.yaml
	ok "no id: $(echo "$id" | cut -c 1-10)" exits 2 autoqa -q -a ./agent.yaml -d data
	ok 'is told so' grep -q 'agent.yaml: id: not a word' err
done
ok 'and no folder was made of one' test ! -e ../runs -a ! -e runs -a ! -e data/runs
cd .. || exit 1

if command -v curl >/dev/null && PATH=$PATH:/usr/sbin command -v lighttpd >/dev/null; then
	mkdir -p inst/bin agents
	cp "$build/bin/autoqa-serve" "$build/bin/autoqa-page" inst/bin
	echo secret >inst/bin/autoqa-page.key
	port=$((20000 + $$ % 10000))
	inst/bin/autoqa-serve -A agents -d data -P $port >url 2>err &
	server=$!
	await test -s url
	code() { curl -s -m 20 --path-as-is -o body -w '%{http_code}' "http://127.0.0.1:$port$1"; }
	is() { [ "$1" = "$2" ] || { echo "wanted $1, got $2"; return 1; }; }
	ok 'who has no token is not answered' is 403 "$(code /autoqa)"
	ok 'nor on a page below' is 403 "$(code /autoqa/agent?agent=x)"
	ok 'who has the address is let in' is 303 "$(code "/autoqa?token=$(sed 's/.*token=//' url)")"
	ok 'what stands beside the program is not served' is 404 "$(code /autoqa.key)"
	ok 'nor anything above' is 404 "$(code /autoqa/../../../etc/passwd)"
	kill $server
	wait $server 2>/dev/null
else
	skip 'the server' 'no lighttpd, or no curl'
fi
done_testing
