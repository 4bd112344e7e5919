#!/bin/sh
# test-analyse: states, rates, signatures, groups, the change and the source, by hand.
# shellcheck disable=SC2046,SC2317 # words are meant; functions are called by ok
. "$(dirname "$0")/lib.sh"

# attempt DAY TEST RETRY STATUS COMMIT [MESSAGE]
attempt() {
	printf '{"type":"attempt","run_id":"r%s","run_start":"2026-01-%sT00:00:00.000Z","commit":"%s","test_id":"%s","project":"p","file":"a.spec.ts","line":1,"title_path":["%s"],"repeat":0,"retry":%s,"status":"%s","attempts_known":true' \
		"$1" "$1" "$5" "$2" "$2" "$3" "$4"
	[ -z "${6-}" ] || printf ',"error":{"message":"%s"}' "$6"
	printf '}\n'
}
# history TEST OUTCOME/SEQ/COMMIT[/SIG]...: one run a day
history() {
	printf '{"type":"history","test_id":"%s","first_seen_at":"2026-01-01T00:00:00.000Z","runs_total":%s,"entries":[' "$1" $(($# - 1))
	d=0
	shift
	for e in "$@"; do
		d=$((d + 1))
		[ $d -eq 1 ] || printf ,
		IFS=/ read -r o s c g <<-END
		$e
		END
		printf '{"run_id":"r%02d","at":"2026-01-%02dT00:00:00.000Z","outcome":"%s","seq":"%s","commit":"%s"%s}' \
			$d $d "$o" "$s" "$c" "${g:+,\"sig\":\"$g\"}"
	done
	printf ']}\n'
}
p=pass/P/c
state() { # WANT: of the one analysis in out
	jq -s -e "map(select(.type == \"analysis\")) | .[0].flake.state == \"$1\"" out
}
judged() { want=$1; test-analyse in >out && state "$want"; }
{ history t $p $p $p $p $p; attempt 09 t 0 F x boom; attempt 09 t 1 P x; } >in
ok 'five good runs, then a retry that passes: newly flaky' judged newly_flaky
ok 'with the rate it may have had all the same' sh -c 'jq -s -e "map(select(.type == \"analysis\"))[0].flake | .onset_hi == 0.4507 and .k == 1 and .n == 6 and .evidence == \"retry\"" out'
ok 'counted in the header' sh -c 'jq -s -e ".[0] | .type == \"analysis_header\" and .newly_flaky == 1 and .failing == 0 and .tests_total == 1 and .selected == 1 and .history == {\"state\":\"read\",\"depth\":5}" out'
{ history t $p $p $p $p; attempt 09 t 0 F x boom; attempt 09 t 1 P x; } >in
ok 'with four it may be old' judged unknown_age
{ history t $p flaky/FP/c $p $p $p $p; attempt 09 t 0 F x boom; attempt 09 t 1 P x; } >in
ok 'flaky before: known' judged known_flaky
{ history t $p $p $p $p $p pass/P/x; attempt 09 t 0 F x boom; } >in
ok 'failed where the same commit passed' judged newly_flaky
{ history t $p $p $p $p $p fail/F/y; attempt 09 t 0 F x boom; } >in
ok 'two runs that failed: broken' judged broken
{ history t $p $p $p $p $p; attempt 09 t 0 F x boom; attempt 09 t 1 F x boom; } >in
ok 'the first failure of a stable test' judged stable
{ history t; attempt 09 t 0 F x boom; } >in
ok 'never seen' judged new
attempt 09 t 0 F x boom >in
ok 'no history: nobody knows' judged unknown_age
ok 'and the header says that it is missing' sh -c 'jq -s -e ".[0].history == {\"state\":\"missing\",\"depth\":0}" out'
{ history t $p none//c skip/S/c flaky/FP/c $p; attempt 09 t 0 F x boom; } >in
ok 'the string of runs' sh -c 'test-analyse in | jq -s -e "map(select(.type == \"analysis\"))[0].history | .runs == \"P-SXPF\" and .fail_streak == 1 and .last_pass_at == \"2026-01-05T00:00:00.000Z\""'

# Real: 75 runs of one test, 63 good, 9 flaky, 3 interrupted; of them the window sees 50.
{ history t $(i=0; while [ $i -lt 16 ]; do echo $p $p flaky/TP/c; i=$((i + 1)); done); attempt 99 t 0 P x; } | sed 's/r99/r31/;s/01-99/02-20/' >in
ok 'a test that passed and was flaky before is not selected' sh -c 'test-analyse in >out && [ "$(grep -c analysis out)" -eq 1 ]'

M='Error: expect(locator).toHaveText(expected)\n\nLocator: getByTestId('"'row'"')\nExpected: \"a\"\nReceived: \"b\"\nTimeout: 5000ms'
attempt 09 t 0 F x "$M" >in
parsed() { test-analyse in >out && jq -s -e 'map(select(.type == "analysis"))[0].error | .type == "Error" and .matcher == "toHaveText" and
	.locator == "getByTestId('"'row'"')" and .expected == "\"a\"" and .actual == "\"b\"" and .timeout_ms == 5000 and (.sig | length) == 16' out; }
ok 'what the message says' parsed
sig=$(jq -r 'select(.type == "analysis").error.sig' out)
{ history t "fail/F/c/$sig" $p fail/F/c/0000000000000000; attempt 09 t 0 F x "$M"; } >in
ok 'a reason that was seen' sh -c 'test-analyse in | jq -s -e "map(select(.type == \"analysis\"))[0].error | .sig_novel == false and .sig_first_seen == \"2026-01-01T00:00:00.000Z\""'
{ history t $p fail/F/c/0000000000000000; attempt 09 t 0 F x "$M"; } >in
ok 'a new one' sh -c 'test-analyse in | jq -s -e "map(select(.type == \"analysis\"))[0].error | .sig_novel and (has(\"sig_first_seen\") | not)"'
{ history t $p $p; attempt 09 t 0 F x "$M"; } >in
ok 'what never failed has no old one to differ from' sh -c 'test-analyse in | jq -s -e "map(select(.type == \"analysis\"))[0].error | has(\"sig_novel\") | not"'

{ attempt 09 a 0 F x "$M"; attempt 09 b 0 F x "$M"; attempt 09 c 0 F x 'page.goto: net::ERR_CONNECTION_REFUSED at http://localhost:3000/'; attempt 09 d 0 P x; } >in
groups() { test-analyse in >out && jq -s -e 'map(select(.type == "analysis")) | map({(.test_id): [.group.rank, .group.size]}) | add == {"a":[1,2],"b":[1,2],"c":[2,1]}' out &&
	jq -s -e '.[0] | .groups == 2 and .failing == 3 and .tests_total == 4' out; }
ok 'one cause, one group' groups
ok 'the order of the input makes no difference' sh -c 'sort -r in | test-analyse | cmp - out'
ok 'one file' sh -c 'test-analyse -o json in | jq -e ".type == \"analysis_header\" and (.tests | length) == 3"'
ok 'the most ambiguous first' sh -c 'jq -s -e "map(select(.type == \"analysis\").ambiguity) | . == (sort | reverse)" out'

# A checkout: the product's label is renamed, the test still looks for the old one.
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@x GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@x
mkdir -p repo/app repo/tests
printf '%s\n' "export const Save = () => <button>Store changes</button>;" >repo/app/save.tsx
printf '%s\n' "import { test } from 'x';" "test('saves', async ({ page }) => {" "  await page.getByRole('button', { name: 'Store changes' }).click();" '});' "test('other', () => {});" >repo/tests/a.spec.ts
(cd repo && git init -q -b main && git add . && git commit -qm one && sed -i 's/Store changes/Keep it/' app/save.tsx && git checkout -qb new && git commit -qam two) >/dev/null 2>&1
attempt 09 t 0 T x 'TimeoutError: locator.click: Timeout 30000ms exceeded.\nCall log:\n  - waiting for getByRole('"'button', { name: 'Store changes' })" | sed 's/"line":1/"line":2/' >in
change() { test-analyse -C repo -b main in >out && jq -s -e 'map(select(.type == "analysis"))[0] |
	.diff.files == [{"path":"app/save.tsx","status":"modified","adds":1,"dels":1,"class":"product"}] and .diff.product_files == ["app/save.tsx"] and
	.diff.renamed_literals == ["Store changes"] and .diff.touches_test == false and (.diff.hunks[0].text | contains("+export"))' out; }
ok 'the change, and the literal it took away' change
ok 'the rules see a stale test' sh -c 'jq -s -e "map(select(.type == \"analysis\"))[0].prior | .owner == \"test_code\" and (.rule_ids | index(\"diff.renamed_literal\"))" out'
ok 'the source of the test, and no more' sh -c 'jq -s -e "map(select(.type == \"analysis\"))[0].test_source | .file == \"tests/a.spec.ts\" and .first == 2 and (.text | contains(\"other\") | not) and (.text | endswith(\"});\n\"))" out'
git -C repo diff main...new >change.diff
ok 'a diff as a file says the same' sh -c 'test-analyse -C repo -d change.diff in >o2 && jq -c .diff out >a; jq -c .diff o2 | diff - a'
marks() { # what a configuration could start leaves a mark
	touch_it="touch $tmp/started"
	git -C repo config diff.external "$touch_it"
	git -C repo config core.fsmonitor "$touch_it"
	git -C repo config core.pager "$touch_it"
	git -C repo config diff.x.textconv "$touch_it"
	echo '*.tsx diff=x' >repo/.gitattributes
	mkdir -p repo/.git/info && cp repo/.gitattributes repo/.git/info/attributes
	test-analyse -C repo -b main in >o3 && [ ! -e started ] && jq -c .diff o3 | diff - a
}
ok 'nothing of the repository runs' marks
# A submodule's own configuration counts as well, where the difference is asked for inside of it.
nested() {
	for r in outer outer/sub; do git init -q -b main $r && git -C $r commit -qm one --allow-empty; done
	git -C outer config diff.submodule diff
	git -C outer/sub config diff.external "touch $tmp/started"
	for word in one two; do
		echo $word >outer/sub/file && git -C outer/sub add file && git -C outer/sub commit -qm $word
		git -C outer add sub && git -C outer commit -qm $word && git -C outer tag $word
	done
	test-analyse -C outer -b one in >o3 && [ ! -e started ] && jq -s -e 'any(.diff.files[0].path == "sub")' o3
}
ok 'nor of a submodule' nested
# Of a file whose object is damaged git tells a part, and ends.
damaged() {
	{ cat repo/tests/a.spec.ts && seq 100000; } >torn && git init -q -b main torn.git && mkdir torn.git/tests &&
		mv torn torn.git/tests/a.spec.ts && git -C torn.git add . && git -C torn.git commit -qm one || return
	object=$(git -C torn.git rev-parse HEAD:tests/a.spec.ts) file=torn.git/.git/objects/$(echo "$object" | sed 's,^..,&/,')
	head -c 40000 "$file" >torn && rm -f "$file" && mv torn "$file"
	for id in x y z; do sed "s/\"test_id\":\"[^\"]*/&$id/" in; done >three
	test-analyse -C torn.git three >o3 && [ "$(grep -c '"type":"analysis"' o3)" -eq 3 ]
}
ok 'a damaged repository costs the source' damaged
ok 'an option is no revision' exits 2 test-analyse -C repo -b --output=x in
ok 'nor is what git does not know' exits 2 test-analyse -C repo -b nowhere in

# Records of others.
printf '%s\n' '{"type":"analysis","test_id":"x","attempts":"FP","history":{"runs":"PXPX"},"error":{"message":"Error: expect(locator).toHaveCount(expected)\n\nLocator: l\nExpected: 2\nReceived: 3"},"diff":{"text":"diff --git a/src/a.ts b/src/a.ts\n@@ -1 +1 @@\n-a\n+b\n"},"mine":1}' >in
completed() { test-analyse in >out && jq -s -e '[.[] | select(.type == "analysis")] | length == 1 and (.[0] | .mine == 1 and .flake.k == 2 and .flake.n == 4 and
	.prior.behaviour == "intermittent" and .error.matcher == "toHaveCount" and .diff.product_files == ["src/a.ts"] and .ambiguity > 0)' out; }
ok 'are completed' completed

# The log of toHaveCount says how many there were, and accuses nobody.
printf '%s\n' '{"type":"attempt","run_id":"r","test_id":"t","status":"F","error":{"message":"Error: expect(locator).toHaveCount(expected) failed\n\nLocator: l\nExpected: 2\nReceived: 0\n\nCall log:\n  9 × locator resolved to 0 elements"}}' >in
ok 'a count is no strict mode violation' sh -c 'test-analyse in | jq -s -e "map(select(.type == \"analysis\"))[0].prior | .owner == \"app_code\" and (.rule_ids | index(\"test.strict_mode\") | not)"'

printf '{"type":"attempt","run_id":"r","test_id":"t","status":"F","error":{"message":"%s"}}\n' "$(head -c 9000 /dev/zero | tr '\0' x)" >in
ok 'what is cut is told' sh -c 'test-analyse in | jq -s -e "map(select(.type == \"analysis\"))[0] | (.error.message | length) < 4100 and .limits[0].field == \"error.message\" and .limits[0].dropped == 5000"'
ok 'no input' sh -c 'test-analyse </dev/null | jq -e ".selected == 0"'
ok 'a bad line costs itself' sh -c '{ echo x; echo "{\"type\":\"attempt\",\"test_id\":\"t\",\"status\":\"F\"}"; } | test-analyse >out 2>err; [ $? -eq 2 ] && grep -q "\"analysis\"" out'
ok 'a history that cannot be read is told' sh -c 'echo x >h; test-analyse -H h </dev/null >out 2>err; [ $? -eq 2 ] && jq -e ".history.state == \"unreadable\"" out'
ok 'one that is not there is the first of all' sh -c 'test-analyse -H gone </dev/null | jq -e ".history.state == \"missing\""'
ok 'a full disk is trouble' exits 2 sh -c 'test-analyse </dev/null >/dev/full'
ok 'wrong usage' exits 2 test-analyse -b main
ok 'and a form nobody has' exits 2 test-analyse -o xml
done_testing
