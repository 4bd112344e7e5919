#!/bin/sh
# rca: every golden case, from its trace to a report, with the authored answers in a model's place.
# shellcheck disable=SC2016 # backquotes are Markdown here
. "$(dirname "$0")/lib.sh"
cd "$top" || exit
answers=$tmp/answers out=$tmp/out err=$tmp/err
has() { grep -qF -e "$1" "$2" || { echo "not in $2: $1"; return 1; }; }

rca -r golden/app -m exec:golden/answer.sh -c "$answers" golden >"$out.recorded" 2>"$err"
ok 'all cases are answered' test $? -eq 0
ok 'without a complaint' test ! -s "$err"
rca -r golden/app -c "$answers" golden >"$out" 2>"$err"
ok 'and answered from the cassettes' test $? -eq 0
sed 's/; kept in a cassette\.$/; replayed from a cassette./' "$out.recorded" >"$out.same"
ok 'with the same bytes' cmp "$out.same" "$out"
rca -c "$answers" -r golden/app golden >"$out.again" 2>"$err"
ok 'again and again' cmp "$out" "$out.again"
ok 'a report for each failure' test "$(grep -c '^Answer authored by a person, not by a model; prompt `rca.v1`' "$out")" -eq 22
ok 'nineteen with a cause' test "$(grep -c '^The test expected ' "$out")" -eq 19
ok 'three that cannot be determined' test "$(grep -c '^It cannot be determined from this trace' "$out")" -eq 3
ok 'rca-check objects to none' sh -c '! grep -A8 "^## Objections" "$1"' sh "$out"
ok 'a line for each trace' test "$(sed -n '/^# Summary/,$p' "$out" | grep -cE '^(failed|timed-out|passed): golden/')" -eq 23

# What nobody may see, and what may be seen between markers only.
part() { printf '%s' "$1" | base64 | tr -d '=\n'; }
token=$(part '{"alg":"none","typ":"JWT"}').$(part '{"sub":"nobody","fake":true}').$(part '"not a signature"')
for secret in "$token" not-a-real-password fake-session-7c1 FAKE-KEY-0000-NOT-REAL fake-query-token-1; do
	ok "not in a report nor in a cassette: $(printf %.8s "$secret")" sh -c '! grep -rlF -e "$1" "$2" "$3"' sh "$secret" "$out" "$answers"
done
rca -c "$answers" -r golden/app golden/hostile-content >"$tmp/hostile"
sed '/DATA BEGIN ([a-z]* id=/,/--- UNTRUSTED TRACE DATA END/d' "$tmp/hostile" >"$tmp/outside"
ok 'hostile text is between markers' sh -c '! grep -E "SYSTEM|evil.example|everyone|::error|rm -rf" "$1"' sh "$tmp/outside"
ok 'the cause is outside' has 'the page renders the button for a harbour-master only' "$tmp/outside"

# make cassettes keeps these: a prompt or evidence that changed makes them stale, and make demo with them.
rca -r golden/app -c golden/cassettes golden >"$tmp/kept" 2>"$err"
ok 'the cassettes of golden give the same reports (if not: make cassettes)' cmp "$out" "$tmp/kept"
done_testing
