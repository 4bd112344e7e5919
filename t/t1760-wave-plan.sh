#!/bin/sh
# wave-plan: what comes next, worst first; when it ends, and what was not seen.
. "$(dirname "$0")/lib.sh"
is() { # WANT GOT
	[ "$1" = "$2" ] || { printf 'got  %s\nwant %s\n' "$2" "$1"; return 1; }
}
scenario() { printf '{"type":"scenario","id":"%s","severity":"%s","turns":["hi"]}\n' "$1" "${2-medium}"; }
known() { printf '{"type":"known","scenario":"%s","status":"%s","fails":%d,"trials":5}\n' "$1" "$2" "$3"; }
wave() { echo "{\"type\":\"wave\",\"n\":$1${2+,\"closed\":true}}"; }
judged() { id=$1; shift; for pass; do printf '{"type":"judgement","scenario":"%s","pass":%s}\n' "$id" "$pass"; done; }
cluster() { printf '{"type":"cluster","id":"%s","new":%s,"scenarios":%s}\n' "$@"; }
plan() { head -1 out | jq -r "$1"; }
chosen() { jq -r 'select(.type == "scenario").id' out | xargs; }

{
	known old open 5; known shaky flaky 1; known "done" fixed 5; known rare open 3
	for s in seed-low shaky old rare "done"; do scenario $s; done
	scenario seed-high high; scenario seed-critical critical
	wave 0
} >start
ok 'nothing was tried' exits 0 wave-plan start
ok 'so run' is 'run 1' "$(plan '"\(.do) \(.each)"')"
ok 'the worst first' is 'old rare shaky seed-critical seed-high seed-low done' "$(chosen)"
ok 'in batches' exits 0 wave-plan -b 2 start
ok 'of that size' is 'old rare' "$(chosen)"
ok 'no more trials than there may be' exits 0 wave-plan -T 3 start
ok 'so three' is 'old rare shaky' "$(chosen)"
{ cat start; judged old false; judged rare true; judged shaky false; } >some
ok 'a part was tried' exits 0 wave-plan some
ok 'the rest' is 'seed-critical seed-high seed-low done' "$(chosen)"
{
	cat some; judged seed-critical false; judged seed-high true; judged seed-low false false; judged 'done' false
} >failed
ok 'what failed, again' exits 0 wave-plan failed
ok 'as often as the first wants, not what was open already' is 'confirm 4: seed-critical done' \
	"$(plan '"\(.do) \(.each):"') $(chosen)"
{ cat failed; judged seed-critical true true true true; judged 'done' false false false false; } >again
ok 'then what wants fewer' exits 0 wave-plan again
ok 'here three' is 'confirm 3: seed-low' "$(plan '"\(.do) \(.each):"') $(chosen)"
{ cat again; judged seed-low false false false; } >sure
ok 'all is sure' exits 0 wave-plan sure
ok 'the wave is over' is close "$(plan .do)"
{
	cat sure
	cluster a false '["old"]'; cluster b true '["seed-low","done"]'; cluster c true '["seed-critical"]'; cluster d true '["shaky"]'
	wave 0 x
} >closed
ok 'explore' exits 0 wave-plan -x 7 closed
ok 'so many' is 'explore 7' "$(plan '"\(.do) \(.count)"')"
# Good 1953: three of four clusters were shown by one of seven scenarios; Chao: 4 + 3 * 2 / (2 * (1 + 1)) = 5.5.
ok 'Good-Turing, Chao' is '0.4286 5.5 1' "$(plan '"\(.unseen * 10000 | round / 10000) \(.richness) \(.bound)"')"
ok 'one trial is left' exits 0 wave-plan -T 20 closed
ok 'so one' is 'explore 1' "$(plan '"\(.do) \(.count)"')"
stops() { # WORD OPTION...
	word=$1; shift
	wave-plan "$@" >out && is "stop $word" "$(plan '"\(.do) \(.because)"')"
}
ok 'stops at trials' stops trials -T 19 closed
ok 'at waves' stops waves -W 0 closed
ok 'at time' stops time -S 10 -e 10 closed
ok 'not before' sh -c 'wave-plan -S 10 -e 9 closed | head -1 | grep -q explore'
{ cat closed; echo '{"type":"transcript","cost_usd":0.25}'; echo '{"type":"span","attributes":{"rcakit.cost_usd":0.25}}'; } >cost
ok 'at cost' stops cost -C 0.5 cost
{ cat closed; wave 1; scenario x1; judged x1 true; cluster a false '["x1"]'; wave 1 x; } >dry1
ok 'one dry wave' exits 0 wave-plan dry1
ok 'goes on' is 'explore 1' "$(plan '"\(.do) \(.dry)"')"
# 1 - .05^(1/1) after one scenario without anything new
ok 'the bound falls' is 0.95 "$(plan .bound)"
{ cat dry1; wave 2; scenario x2; judged x2 true; wave 2 x; } >dry2
ok 'two dry waves' stops 'nothing new' dry2
ok 'unless three are wanted' sh -c 'wave-plan -N 3 dry2 | head -1 | grep -q explore'
{ cat dry1; wave 2; scenario x2; judged x2 false; cluster e true '["x2"]'; wave 2 x; } >wet
ok 'something new' exits 0 wave-plan wet
ok 'starts the count again' is 'explore 0' "$(plan '"\(.do) \(.dry)"')"
{ cat dry1; wave 2; scenario x2; scenario x3; } >open
ok 'in a wave' exits 0 wave-plan open
ok 'its own' is 'x2 x3' "$(chosen)"
ok 'a limit in the middle closes first' sh -c 'wave-plan -T 20 open | head -1 | grep -q close'
{ cat start; printf '{"type":"judgement","scenario":"old","pass":false,"error":"no key"}\n'; } >judge
ok 'a judge that failed' exits 0 wave-plan judge
ok 'is not asked again' is 'rare shaky seed-critical seed-high seed-low done' "$(chosen)"

ok 'no input' exits 0 wave-plan /dev/null
ok 'nothing to run' is close "$(plan .do)"
{ cat start; echo '{"type":'; } | sed 's/$/\r/' >odd
ok 'a bad line costs itself' exits 2 wave-plan odd
ok 'the plan is there' is run "$(plan .do)"
ok 'no file' exits 2 wave-plan nowhere
ok 'a full disk' exits 2 sh -c 'wave-plan start >/dev/full'
ok 'wrong usage' exits 2 wave-plan -T many
done_testing
