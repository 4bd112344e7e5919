#!/bin/sh
# autoqa-page as a web server calls it: who is answered, and what hostile words become.
. "$(dirname "$0")/lib.sh"

mkdir agents
cat >agents/echo.yaml <<'X'
id: echo
description: says <b>what</b> it hears
adapter: {kind: command, argv: [./echo.sh], life: turn}
X
cat >agents/echo.sh <<'X'
#!/bin/sh
read -r line
printf '%s' "$line" | jq -c '{text: ("heard " + (.text // .turn // "") + " <script>alert(1)</script>"),
	tool_calls: [{name: "note<i>", arguments: {q: "<img src=x>"}}]}'
env | grep -q AUTOQA_TOKEN && touch leaked
:
X
chmod +x agents/echo.sh
token=0123456789abcdef0123456789abcdef
export AUTOQA_TOKEN=$token AUTOQA_DATA="$tmp/data" RCAKIT_AGENTS="$tmp/agents"
export SCRIPT_NAME=/autoqa HTTP_HOST=127.0.0.1:8642 REQUEST_METHOD=GET
get() { # PATH [QUERY]
	PATH_INFO=$1 QUERY_STRING=${2-} HTTP_COOKIE="a=b; autoqa=$token" autoqa-page >out
}
status() { # WANT COMMAND...
	want=$1; shift; "$@"
	head -1 out | grep -q "^Status: $want" || { head -1 out; return 1; }
}
form=$(printf 'form %s' "$token" | sha256sum | cut -d' ' -f1)
post() { # PATH BODY [ORIGIN]
	printf %s "$2" >body
	REQUEST_METHOD=POST PATH_INFO=$1 QUERY_STRING='' HTTP_COOKIE="autoqa=$token" HTTP_ORIGIN=${3-http://127.0.0.1:8642} \
		CONTENT_TYPE=application/x-www-form-urlencoded CONTENT_LENGTH=$(wc -c <body) autoqa-page <body >out
}

# --- who is answered
ok 'with the cookie' status 200 get ''
ok 'the agents, their words as text' grep -q 'says &lt;b&gt;what&lt;/b&gt; it hears' out
nobody() { PATH_INFO='' QUERY_STRING='' HTTP_COOKIE="autoqa=${token%f}e" autoqa-page >out; }
ok 'not with another' status 403 nobody
ok 'which learns nothing' test "$(grep -c echo out)" -eq 0
first() { PATH_INFO='' QUERY_STRING="token=$token" autoqa-page >out; }
ok 'once by the address' status 303 first
ok 'that becomes a cookie no page can read or send from elsewhere' grep -q '^Set-Cookie: .*; HttpOnly; SameSite=Strict; Path=/autoqa' out
elsewhere() { HTTP_HOST=evil.example get ''; }
ok 'a name that points here is not us' status 403 elsewhere
blind() { AUTOQA_TOKEN='' HTTP_COOKIE='autoqa=' autoqa-page >out; }
ok 'no token admits nobody' status 403 blind
ok 'a page may load nothing' sh -c 'grep -q "^Content-Security-Policy: default-src .none.;" "$1"' sh out
ok 'a form' status 200 post /play "form=$form&agent=echo&turns=[]&text=hi+%3Cu%3E"
ok 'is answered, as text' grep -q 'heard hi &lt;u&gt; &lt;script&gt;' out
ok 'with the calls and their arguments' grep -q 'calls <b>note&lt;i&gt;</b> <code>{&quot;q&quot;:&quot;&lt;img src=x&gt;&quot;}' out
ok 'how long it took' grep -qE '[0-9]+ ms' out
ok 'the token is not told to agents' test ! -e leaked
ok 'a form of another page' status 403 post /play "form=$form&agent=echo&turns=[]&text=hi" http://evil.example
ok 'a form without what ours have' status 403 post /play 'agent=echo&turns=[]&text=hi'
ok 'no origin at all' status 403 post /play "form=$form&agent=echo&turns=[]&text=hi" ''
ok 'a form that is too long' status 403 post /play "form=$form&agent=echo&text=$(head -c 300000 /dev/zero | tr '\0' a)"
put() { REQUEST_METHOD=PUT get ''; }
ok 'another method' status 403 put

# --- what is saved
ok 'saved' status 303 post /save "form=$form&agent=echo&turns=%5B%22hi%22%5D&title=It+hears&kind=contains&value=heard&severity=high"
ok 'as a scenario that people can edit' grep -q 'turns: \[hi\]' data/echo/scenarios/play-*.yaml
ok 'that the corpus lists' sh -c 'corpus -l -n -a echo -d data | jq -s -e "map(select(.type == \"scenario\"))[0] | .title == \"It hears\" and .severity == \"high\""'
ok 'and that runs' sh -c 'corpus -l -n -a echo -d data | agent-run -A agents -a echo | agent-judge | grep -q "\"pass\":true"'
ok 'the page of the agent' status 200 get /agent agent=echo
ok 'has it, and says that it was not tried' grep -q '>It hears <small>play-.*<td>not tried yet<td>high<td><td>$' out
ok 'a pattern that is none' status 400 post /save "form=$form&agent=echo&turns=%5B%22hi%22%5D&title=x&kind=matches&value=(&severity=high"
ok 'is not' test "$(find data -name 'play-*' | wc -l)" -eq 1
ok 'no turns, no scenario' status 400 post /save "form=$form&agent=echo&turns=[]&title=x&kind=noError&severity=low"

# --- runs
autoqa -q -A agents -a echo -d data >/dev/null
ok 'an agent, its runs' status 200 get /agent agent=echo
ok 'by number' grep -q 'agent=echo&amp;run=0001' out
ok 'a run is its report' status 200 get /run 'agent=echo&run=0001'
ok 'whole' grep -q '</html>' out
ok 'with a way back' grep -q '^<p class=meta><a href="/autoqa">All agents</a> <a href="/autoqa/agent?agent=echo">echo</a></p>$' out
cat >agents/mute.yaml <<'X'
id: mute
adapter: {kind: command, argv: [sed, 's/.*/no/'], life: turn, input: text}
seeds: [{id: answers, turns: [hi], expect: [{kind: contains, value: hello}]}]
X
autoqa -q -A agents -a mute -d data >/dev/null
ok 'what is known of a scenario without a severity' status 200 get /agent agent=mute
ok 'stands in its columns' grep -q '<small>answers</small><td>open<td><td class=n>5<td class=n>5$' out
mkdir -p data/echo/runs/0002 && echo '{}' >data/echo/runs/0002/001-w0-run.ndjson
ok 'one that goes on' status 200 get /run 'agent=echo&run=0002'
ok 'looks again by itself' grep -q 'http-equiv=refresh' out
for bad in 'agent=../echo&run=0001' 'agent=echo&run=../0001' 'agent=echo&run=9999' 'agent=.echo' 'agent=-l&run=1' 'run=0001'; do
	ok "no such page: $bad" status 404 get /run "$bad"
done
ok 'nor another path' status 404 get /elsewhere agent=echo
ok 'without a server' exits 2 env -u REQUEST_METHOD autoqa-page
ok 'help' exits 0 autoqa-page --help
for args in '' '-A nofolder' '-A agents -P x' 'x'; do
	# shellcheck disable=SC2086
	ok "autoqa-serve $args" exits 2 env -u RCAKIT_AGENTS autoqa-serve $args
done
ok 'help of the driver' exits 0 autoqa-serve --help
done_testing
