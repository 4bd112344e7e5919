#!/bin/sh
# repo-context: what it shows of a checkout, in which order, and what it never opens.
. "$(dirname "$0")/lib.sh"
mkdir -p repo/e2e/pages repo/src repo/.github outside && cd repo || exit 1
cat >e2e/cart.spec.ts <<'END'
import { CartPage } from './pages/cart';

test('pays', async ({ page }) => {
  await page.route('**/api/v2/cart', r => r.fulfill({ json: {} }));
  const cart = new CartPage(page);
  await cart.pay();
  await expect(page.getByTestId('cart-total')).toHaveText('Thank you, Ann');
});
END
printf 'export class CartPage {\r\n  async pay() {\r\n    await this.page.click();\r\n  }\r\n}\r\n' >e2e/pages/cart.ts
cat >src/Total.tsx <<'END'
export function Total({ flags, sum }) {
  if (!flags.newTotal) return null;
  return <p data-testid="cart-total">{sum}</p>;
}
END
echo 'const cart_totals = "cart-totals xcart-total";' >src/near.ts
echo 'fetch("/api/cart");' >src/api.ts
echo 'query Items { items { note } }' >src/items.graphql
echo 'thanks = Thank you, Ann' >src/en.properties
echo 'cart-total' >.env.js; echo 'cart-total' >.github/x.js
echo 'cart-total secret' >../outside/secret.js
ln -s ../../outside/secret.js src/link.js; ln -s ../outside out
printf 'cart-total\0' >src/binary.js
{ printf 'cart-total '; head -c 3000 /dev/zero | tr '\0' x; echo; } >src/app.js
{ echo cart-total; head -c 1100000 /dev/zero | tr '\0' '\n'; } >src/large.js
cd ..
cat >in <<'END'
{"type":"trace","name":"a"}
{"type":"test","status":"failed","file":"/srv/app/e2e/cart.spec.ts","line":3,"ref":"test:1"}
{"type":"error","terminal":true,"stack":[{"file":"/srv/app/e2e/cart.spec.ts","line":7}],"ref":"error:1"}
{"type":"action","failure_point":true,"status":"failed","file":"/srv/app/e2e/cart.spec.ts","line":7,"locator":"getByTestId('cart-total')","expected":"\"Thank you, Ann\"","ref":"action:9"}
{"type":"action","status":"failed","file":"C:\\app\\e2e\\pages\\cart.ts","line":3,"ref":"action:8"}
{"type":"action","status":"ok","file":"/srv/app/src/api.ts","line":1,"ref":"action:7"}
{"type":"route","file":"/srv/app/e2e/cart.spec.ts","line":4,"pattern":"**/api/v2/cart","never":true,"near":["request:2"],"ref":"route:1"}
{"type":"request","id":"request:1","url":"http://shop.test/api/flags?x=1","status":200,"resource_type":"fetch","ref":"request:1"}
{"type":"request","id":"request:2","url":"http://shop.test/api/cart/4711","status":200,"resource_type":"fetch","ref":"request:2"}
{"type":"body","of":"response","requests":["request:1"],"text":"{\"flags\":[{\"key\":\"newTotal\",\"enabled\":false}],\"dark\":true}","ref":"body:1"}
{"type":"graphql","operation":"Items","outcome":"errors","errors":[{"message":"Cannot query field \"note\" on type \"Item\""}],"ref":"graphql:1"}
END
run() { repo-context -r repo in >all && tail -n +12 all >code; }
files() { sed 's/.*"file":"\([^"]*\)","first":\([0-9]*\),"line":\([0-9]*\).*/\1 \2 \3/' code; }
ok 'runs' run
ok 'passes the evidence on' sh -c 'head -n 11 all | diff in -'
files >got
cat >want <<'END'
e2e/cart.spec.ts 1 7
e2e/pages/cart.ts 1 3
src/Total.tsx 1 3
src/items.graphql 1 1
src/api.ts 1 1
src/en.properties 1 1
END
ok 'the test, its page object, then what mentions the names' diff -u want got
ok 'why' grep -qF '"why":"\"cart-total\" of action:9, \"newTotal\" of body:1"' code
ok 'one reference each' sh -c 'grep -o "\"ref\":\"code:[1-6]\"" code | sort -u | wc -l | grep -qx 6'
ok 'lines without their ends' grep -qF '"text":"export class CartPage {\n  async pay() {\n' code
cp code first
ok 'the same again' sh -c 'repo-context -r repo in | tail -n +12 | diff first -'
ok 'references go on' sh -c 'repo-context -r repo all | tail -n 1 | grep -q "\"ref\":\"code:12\""'
sed 's/"failed","file":"\/srv/"passed","file":"\/srv/' in >passed
ok 'a test that passed asks for nothing' sh -c 'repo-context -r repo passed | diff passed -'
cat in passed in >three
ok 'each trace by itself' sh -c 'repo-context -r repo three | grep -c "\"ref\":\"code:1\"" | grep -qx 2'

echo 'cart-total' >repo/src/untracked.js
if command -v git >/dev/null; then
	git -C repo init -q && git -C repo add -A && git -C repo rm -q --cached src/untracked.js
	printf '#!/bin/sh\ntouch %s/ran\n' "$tmp" >hook && chmod +x hook && git -C repo config core.fsmonitor "$tmp/hook"
	ok 'what git tracks' sh -c 'repo-context -r repo in | tail -n +12 | diff first -'
	ok 'and nothing that its configuration runs' test ! -e ran
	ok 'in a folder of it' sh -c 'repo-context -r repo/src in | grep -q "\"file\":\"Total.tsx\""'
else
	skip 'what git tracks' 'no git'
fi

word() { # LOCATOR: the text of a file that has it in it, on its own
	printf '%s\n' "{\"type\":\"action\",\"failure_point\":true,\"locator\":\"$1\",\"ref\":\"action:1\"}" |
		repo-context -r words | sed -n 's/.*"text":"\(.*\)\\n","type":"code".*/\1/p' | tr '\n' ' '
}
mkdir words && for w in pay-now Pay button '#basket' 'item_row' 'Total due' 'a.*b' total; do
	i=$((${i:-0} + 1)); echo "x $w x" >words/$i.js
done
says() { [ "$(word "$1")" = "$2" ] || { echo "$1: $(word "$1")"; return 1; }; }
ok 'a role is no word' says "getByRole('button', { name: 'Pay' })" 'x Pay x '
ok 'Python' says "get_by_role(\\\"button\\\", name=\\\"Pay\\\")" 'x Pay x '
ok 'C#' says "GetByRole(AriaRole.Button, new() { Name = \\\"Pay\\\" })" 'x Pay x '
ok 'a selector' says "locator('#basket > .item_row[data-testid=\\\"pay-now\\\"]')" 'x pay-now x x #basket x x item_row x '
ok 'a pattern gives its longest text' says "getByText(/^Total due: \\\\d+/)" 'x Total due x '
ok 'and is none itself' says "getByText('a.*b')" 'x a.*b x '
ok 'nothing closed' says "getByText('pay-now" ''

# Bounds: 40 files that mention it, 10 lines each; too common; and 24 excerpts of places.
mkdir many && i=0
while [ "$i" -lt 40 ]; do
	i=$((i + 1))
	{ seq 30; [ "$i" -gt 30 ] || echo rare; echo common; seq 30; } >"many/$i.js"
	echo "{\"type\":\"error\",\"stack\":[{\"file\":\"/x/many/$i.js\",\"line\":30}],\"ref\":\"error:$i\"}"
done >errors
repo-context -r many errors | sed 1,40d >code
ok '24 excerpts' sh -c 'wc -l <code | grep -qx 24'
ok 'no more than 400 lines' test "$(grep -o '\\n' code | wc -l)" -le 400
ask() { printf '%s\n' "{\"type\":\"graphql\",\"operation\":\"$1\",\"outcome\":\"errors\",\"ref\":\"graphql:1\"}"; }
ok 'three of one word' sh -c "printf '%s\n' '$(ask rare)' | repo-context -r many | sed 1d | wc -l | grep -qx 3"
ok 'none of a common one' sh -c "printf '%s\n' '$(ask common)' | repo-context -r many | sed 1d | wc -l | grep -qx 0"

# Names that are not one file's, or lead out.
for file in /x/index.ts ../outside/secret.js out/secret.js src/link.js /etc/passwd src/; do
	echo "{\"type\":\"error\",\"stack\":[{\"file\":\"$file\",\"line\":1}],\"ref\":\"error:1\"}"
done >names
mkdir repo/src/a repo/src/b && echo 1 | tee repo/src/a/index.ts >repo/src/b/index.ts
ok 'no file, no guess' sh -c 'repo-context -r repo names | diff names -'
for line in -1 0 1e300 1000000 '"x"' null; do
	echo "{\"type\":\"error\",\"stack\":[{\"file\":\"src/api.ts\",\"line\":$line}],\"ref\":\"error:1\"}"
done >lines
ok 'no such line' sh -c 'repo-context -r repo lines | diff lines -'

printf '%s\n' '{"type":"source","file":"/srv/app/src/api.ts","first":1,"text":"fetch(\"/api/cart\");"}' >same
sed 's/cart/basket/' same >other
ok 'the same source' sh -c 'repo-context -r repo same | diff same -'
ok 'another version is a warning' sh -c 'repo-context -r repo other | tail -n 1 | grep -q "\"code\":\"other-version\".*\"where\":\"src/api.ts\""'

printf '{"type":"a"}\r\nno\n{"type":"b"}' >bad
ok 'a bad line costs itself' exits 2 repo-context -r repo bad
ok 'the rest passes' sh -c 'printf "%s\n" "{\"type\":\"a\"}" "{\"type\":\"b\"}" | diff - out'
perl -e '
	print "{\"type\":\"request\",\"id\":\"request:1\",\"url\":\"http://x/flags\",\"ref\":\"request:1\"}\n",
	    "{\"type\":\"body\",\"of\":\"response\",\"requests\":[\"request:1\"],\"ref\":\"body:1\",\"text\":\"{",
	    join(",", map "\\\"flag$_\\\":false", 1 .. 40_000), "}\"}\n",
	    "{\"type\":\"body\",\"of\":\"response\",\"requests\":[", join(",", map "\"request:$_\"", 2 .. 40_000), "]}\n"' >offs
ok 'forty thousand flags that are off, and requests of a body, take no time' exits 0 timeout 10 repo-context -r repo offs
ok 'no input' exits 0 sh -c 'repo-context -r repo </dev/null'
mkdir nothing
ok 'an empty checkout' exits 0 repo-context -r nothing in
ok 'no checkout' exits 2 repo-context -r missing in
ok 'no option' exits 2 repo-context in
ok 'no file' exits 2 repo-context -r repo missing
ok 'a full disk' exits 2 sh -c 'repo-context -r repo in >/dev/full'
ok 'a closed pipe' sh -c 'repo-context -r repo in | head -n 1 | grep -q trace'
done_testing
